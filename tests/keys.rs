//! Presses the keys of the records in `tests/screens/keys/`, and compares the screens of a terminal.
//!
//! After each line the test waits until the screen is as recorded. `UPDATE=1` records the screen that has not changed for
//! a while.

use std::time::Duration;

use crate::common::process::{Folder, shell_output};
use crate::common::terminal::{PATIENCE, Shown, Size, Terminal, WINDOW};
use crate::records::Kind;

/// A screen is recorded, or given up as different, if it has not changed for this long.
const QUIET: Duration = Duration::from_secs(2);

const STARTED: &str = "a line behind `tty> ` starts it";

const NAMED: [(&str, &str); 14] = [
    ("Enter", "\r"),
    ("LF", "\n"),
    ("Tab", "\t"),
    ("Esc", "\u{1b}"),
    ("BS", "\u{7f}"),
    ("Up", "\u{1b}[A"),
    ("Right", "\u{1b}[C"),
    ("Left", "\u{1b}[D"),
    ("C-c", "\u{3}"),
    ("C-d", "\u{4}"),
    ("C-u", "\u{15}"),
    ("C-r", "\u{12}"),
    ("Paste", "\u{1b}[200~"),
    ("/Paste", "\u{1b}[201~"),
];

/// The key with this name between `<` and `>`, or the character with this code: `<U+1B>`.
fn keys_of(name: &str) -> Option<String> {
    if let Some(code) = name.strip_prefix("U+") {
        let code = u32::from_str_radix(code, 16).ok()?;
        return char::from_u32(code).map(String::from);
    }
    let keys = NAMED.iter().find(|(known, _)| *known == name);
    keys.map(|(_, keys)| (*keys).to_string())
}

/// Presses the keys of a line. They arrive together: a key on its own could come while a statement runs, and then the
/// terminal would write it on the screen, too.
fn press(terminal: &Terminal, line: &str) {
    let mut keys = String::new();
    let mut rest = line;
    while let Some(begin) = rest.find('<') {
        keys.push_str(&rest[..begin]);
        rest = &rest[begin + 1..];
        let name = rest.split('>').next().unwrap_or_default();
        if let Some(size) = Size::read(name) {
            terminal.press(&std::mem::take(&mut keys));
            terminal.resize(size);
        } else if let Some(named) = keys_of(name) {
            keys.push_str(&named);
        } else {
            keys.push('<');
            continue;
        }
        rest = &rest[name.len() + 1..];
    }
    keys.push_str(rest);
    terminal.press(&keys);
}

/// Runs a line after `tty> `.
fn start(folder: &Folder, line: &str) -> Terminal {
    let sized = line.split_once(' ');
    let sized = sized.and_then(|(word, rest)| Some((Size::read(word)?, rest)));
    let (size, command) = sized.unwrap_or((WINDOW, line));
    // The keys would interrupt a shell that waits for the program.
    let exec = if command.contains(';') { "" } else { "exec " };
    Terminal::start(folder, &format!("{exec}{command}"), size)
}

/// A folder, and the terminal in which a program runs there.
pub struct Keyboard {
    folder: Folder,
    terminal: Option<Terminal>,
    /// The rows of the screen after the last line.
    rows: Vec<String>,
    /// How long to wait for a screen that does not come.
    patience: Duration,
}

impl Default for Keyboard {
    fn default() -> Keyboard {
        let is_recording = std::env::var_os("UPDATE").is_some();
        Keyboard {
            folder: Folder::new(),
            terminal: None,
            rows: Vec::new(),
            patience: if is_recording { QUIET } else { PATIENCE },
        }
    }
}

/// The rows from the first changed one on, as a text; the last row if rows are gone.
fn changed_rows(before: &[String], rows: &[String]) -> String {
    if before == rows {
        return "(as before)\n".to_string();
    }
    let pairs = before.iter().zip(rows);
    let same = pairs.take_while(|(before, row)| before == row).count();
    let from = same.min(rows.len().saturating_sub(1));
    rows[from..].iter().flat_map(|row| [row, "\n"]).collect()
}

impl Keyboard {
    /// The answer to a line. `recorded` is its earlier answer.
    pub fn answer(&mut self, kind: Kind, text: &str, recorded: &str) -> String {
        match kind {
            Kind::Shell => return shell_output(&self.folder, text),
            Kind::Sent => return self.verdict(text, true),
            Kind::Never => return self.verdict(text, false),
            Kind::Started => {
                self.terminal = None;
                self.terminal = Some(start(&self.folder, text));
                self.rows.clear();
            }
            _ => press(self.terminal.as_ref().expect(STARTED), text),
        }
        self.screen(recorded)
    }

    /// The rows that have changed since the last line.
    fn screen(&mut self, recorded: &str) -> String {
        let terminal = self.terminal.as_mut().expect(STARTED);
        let home = self.folder.0.display().to_string();
        let plain = |text: &str| {
            let text = text.replace(&home, "~");
            text.replace(env!("CARGO_PKG_VERSION"), "VERSION")
        };
        let (screen, status) = match recorded.split_once("exit status ") {
            Some((screen, status)) => (screen, Some(status)),
            None => (recorded, None),
        };
        let before = &self.rows;
        let now = |shown: &Shown| plain(&changed_rows(before, &shown.rows()));
        let is_right = terminal.wait(self.patience, |shown| {
            !recorded.is_empty() && now(shown) == screen && (status.is_none() || shown.ended)
        });
        if !is_right {
            self.patience = QUIET;
        }
        let shown = terminal.screen();
        let (mut answer, rows, has_ended) = (now(&shown), shown.rows(), shown.ended);
        drop(shown);
        if has_ended && (status.is_some() || !is_right) {
            let status = terminal.status().unwrap_or(-1);
            answer.extend(["exit status ", &status.to_string(), "\n"]);
        }
        self.rows = rows;
        answer
    }

    /// Nothing if the text was written so far, or was not, as it should.
    fn verdict(&self, sent: &str, must_be_sent: bool) -> String {
        let mut text = sent.replace("\\e", "\u{1b}");
        if let Some(name) = text.strip_prefix('<').and_then(|it| it.strip_suffix('>')) {
            text = keys_of(name).expect("a key");
        }
        let terminal = self.terminal.as_ref().expect(STARTED);
        let is_sent = terminal.screen().output().contains(&text);
        let verdict = if is_sent { "it was" } else { "it was not" };
        let is_right = is_sent == must_be_sent;
        if is_right {
            String::new()
        } else {
            format!("({verdict})\n")
        }
    }
}
