//! The program in a pseudo-terminal: keys go in, and a screen of text shows its output.
//!
//! Nothing waits for a fixed time: a test waits until the screen is as it should be.
#![cfg(unix)]
#![allow(dead_code, clippy::missing_panics_doc)]

use std::io::{Read, Write};
use std::num::NonZeroU16;
use std::process::Child;
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::thread;
use std::time::{Duration, Instant};

use pty_process::blocking::{Command, Pty};

use super::process::{Folder, isolated_command, wait_for_end};

/// The time limit for a program that shows nothing new while a test waits.
pub const PATIENCE: Duration = Duration::from_secs(20);

/// The time limit of a test for one screen.
const LONGEST: Duration = Duration::from_mins(1);

/// A window of 80 columns, high enough that nothing leaves it.
pub const WINDOW: Size = Size {
    columns: 80,
    rows: 100,
};

#[derive(Clone, Copy)]
pub struct Size {
    pub columns: u16,
    pub rows: u16,
}

impl Size {
    /// The size in a text such as `80x24`.
    pub fn read(text: &str) -> Option<Size> {
        let (columns, rows) = text.split_once('x')?;
        Some(Size {
            columns: columns.parse().ok()?,
            rows: rows.parse().ok()?,
        })
    }
}

/// The screen of the terminal, and all bytes that it has received.
pub struct Shown {
    parser: vt100::Parser,
    pub raw: Vec<u8>,
    pub ended: bool,
}

impl Shown {
    /// The rows up to the last one that is not empty.
    pub fn rows(&self) -> Vec<String> {
        let screen = self.parser.screen();
        let (_, columns) = screen.size();
        let rows = screen.rows(0, columns.get());
        let mut rows: Vec<String> = rows.map(|row| row.trim_end().to_string()).collect();
        while rows.last().is_some_and(String::is_empty) {
            rows.pop();
        }
        rows
    }

    /// The cells, with their colours.
    pub fn screen(&self) -> &vt100::Screen {
        self.parser.screen()
    }

    /// The text of the screen, with wrapped lines joined.
    pub fn text(&self) -> String {
        self.parser.screen().contents()
    }

    /// The whole output.
    pub fn output(&self) -> String {
        String::from_utf8_lossy(&self.raw).into_owned()
    }
}

/// A terminal with a program in it.
pub struct Terminal {
    pty: Arc<Pty>,
    child: Child,
    shown: Arc<(Mutex<Shown>, Condvar)>,
}

impl Terminal {
    /// Runs a line of the shell in a folder, which is also the home folder.
    pub fn start(folder: &Folder, line: &str, size: Size) -> Terminal {
        let (pty, pts) = pty_process::blocking::open().expect("the system has pseudo-terminals");
        let pty = Arc::new(pty);
        resize(&pty, size);
        let at = |name: &str| folder.0.join(name);
        let mut command = Command::new("sh").args(["-c", line]);
        for (name, value) in isolated_command("sh").get_envs() {
            command = match value {
                Some(value) => command.env(name, value),
                None => command.env_remove(name),
            };
        }
        for name in ["LC_ALL", "LC_CTYPE"] {
            command = command.env_remove(name);
        }
        let command = command
            .current_dir(&folder.0)
            .env("TERM", "xterm-256color")
            .env("LANG", "C.UTF-8")
            .env("HOME", at(""))
            .env("XDG_STATE_HOME", at("state"))
            .env("XDG_CONFIG_HOME", at("config"));
        let child = command.spawn(pts).expect("the program can be started");
        let shown = Shown {
            parser: vt100::Parser::new(positive(size.rows), positive(size.columns), 0),
            raw: Vec::new(),
            ended: false,
        };
        let shown = Arc::new((Mutex::new(shown), Condvar::new()));
        let (reader, screen) = (Arc::clone(&pty), Arc::clone(&shown));
        thread::spawn(move || {
            let mut bytes = [0; 4096];
            loop {
                // When the program has ended, reading from a pseudo-terminal is an error.
                let count = (&*reader).read(&mut bytes).unwrap_or(0);
                let mut shown = screen.0.lock().expect("nobody panics with the screen");
                shown.parser.process(&bytes[..count]);
                shown.raw.extend_from_slice(&bytes[..count]);
                shown.ended = count == 0;
                screen.1.notify_all();
                if count == 0 {
                    return;
                }
            }
        });
        Terminal { pty, child, shown }
    }

    pub fn press(&self, keys: &str) {
        let pressed = (&*self.pty).write_all(keys.as_bytes());
        pressed.expect("the terminal takes keys");
    }

    /// Changes the size that the system reports. The screen of the test keeps its own.
    pub fn tell_size(&self, size: Size) {
        resize(&self.pty, size);
    }

    /// Changes the size of the window.
    pub fn resize(&self, size: Size) {
        let screen = &mut self.screen().parser;
        let (rows, columns) = (positive(size.rows), positive(size.columns));
        screen.screen_mut().set_size(rows, columns);
        resize(&self.pty, size);
    }

    pub fn screen(&self) -> MutexGuard<'_, Shown> {
        self.shown.0.lock().expect("nobody panics with the screen")
    }

    /// Waits until the screen is right, or has been the same for this long.
    pub fn wait(&self, patience: Duration, mut seen: impl FnMut(&Shown) -> bool) -> bool {
        let mut shown = self.screen();
        let mut bytes = shown.raw.len();
        let mut start = Instant::now();
        let end = start + LONGEST;
        loop {
            if seen(&shown) {
                return true;
            }
            if shown.raw.len() > bytes {
                (bytes, start) = (shown.raw.len(), Instant::now());
            }
            let left = patience.saturating_sub(start.elapsed());
            if left.is_zero() || shown.ended || Instant::now() > end {
                return false;
            }
            let waited = self.shown.1.wait_timeout(shown, left);
            (shown, _) = waited.expect("nobody panics with the screen");
        }
    }

    /// Waits until the screen has this text, without blanks at its end.
    pub fn see(&self, what: &str, seen: impl Fn(&str) -> bool) {
        let is_seen = self.wait(PATIENCE, |shown| seen(shown.text().trim_end()));
        let text = self.screen().text();
        assert!(is_seen, "no {what}; the screen:\n{text}\n");
    }

    /// The exit status of the program, which has closed the terminal.
    pub fn status(&mut self) -> Option<i32> {
        wait_for_end(&mut self.child).code()
    }
}

fn positive(count: u16) -> NonZeroU16 {
    NonZeroU16::new(count).expect("a screen has rows and columns")
}

fn resize(pty: &Pty, size: Size) {
    let size = pty_process::Size::new(size.rows, size.columns);
    pty.resize(size).expect("a terminal has a size");
}

impl Drop for Terminal {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
