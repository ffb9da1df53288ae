//! The prompt as a user sees it: keys pressed in a terminal, and the screens that follow.
//!
//! The files in `tests/keys/` consist of groups that begin with a title, each with an empty home folder of its own. A
//! line after `$ ` runs in a shell, and lines after `< ` are its input. A line after `% ` runs in a terminal, in a
//! window of 80 columns or of the size at its beginning. A line after `> ` has keys: letters stand for themselves,
//! others have names such as `<Enter>`, `<Tab>` and `<C-c>`, and a size such as `<40x100>` resizes the window. The
//! screen follows, from the first row that has changed. `sent: ` names text that the program must have written so far,
//! `never: ` text that it must not have written, with `\e` for the escape character. A line after `# ` says what to
//! look at.
//!
//! After each line the test waits until the screen is as recorded. `UPDATE=1 cargo test keys::` records the screen that
//! has not changed for a while; read it as a user would before you commit it.
#![cfg(unix)]

use std::time::Duration;

use crate::common::process::{Folder, shell_output};
use crate::common::project::{Source, files, hold};
use crate::common::terminal::{PATIENCE, Shown, Size, Terminal, WINDOW};

/// A screen is recorded, or given up as different, if it has not changed for this long.
const QUIET: Duration = Duration::from_secs(2);

const STARTED: &str = "a line behind `% ` starts it";

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

/// Presses the keys of a line.
fn press(terminal: &Terminal, line: &str) {
    let mut rest = line;
    while let Some(begin) = rest.find('<') {
        terminal.press(&rest[..begin]);
        rest = &rest[begin + 1..];
        let name = rest.split('>').next().unwrap_or_default();
        if let Some(size) = Size::read(name) {
            terminal.resize(size);
        } else if let Some(keys) = keys_of(name) {
            terminal.press(&keys);
        } else {
            terminal.press("<");
            continue;
        }
        rest = &rest[name.len() + 1..];
    }
    terminal.press(rest);
}

/// Runs a line after `% `.
fn start(folder: &Folder, line: &str) -> Terminal {
    let sized = line.split_once(' ');
    let sized = sized.and_then(|(word, rest)| Some((Size::read(word)?, rest)));
    let (size, command) = sized.unwrap_or((WINDOW, line));
    // The keys would interrupt a shell that waits for the program.
    let exec = if command.contains(';') { "" } else { "exec " };
    Terminal::start(folder, &format!("{exec}{command}"), size)
}

/// A group during its replay.
struct Replay {
    folder: Folder,
    terminal: Option<Terminal>,
    /// The rows of the screen after the last line.
    rows: Vec<String>,
    /// How long to wait for a screen that does not come.
    patience: Duration,
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

impl Replay {
    /// The answer to a line and to its input lines. `recorded` is its earlier answer.
    fn answer(&mut self, line: &str, recorded: &str) -> String {
        if let Some(command) = line.strip_prefix("$ ") {
            return shell_output(&self.folder, command);
        }
        if let Some(command) = line.strip_prefix("% ") {
            self.terminal = None;
            self.terminal = Some(start(&self.folder, command));
            self.rows.clear();
        }
        let terminal = self.terminal.as_mut().expect(STARTED);
        if let Some(keys) = line.strip_prefix("> ") {
            press(terminal, keys);
        }
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

    /// Whether the text after `sent: ` was written so far, or the text after `never: ` was not.
    fn holds(&self, check: &str) -> bool {
        let (sign, text) = check.split_once(": ").expect("a sign");
        let mut text = text.replace("\\e", "\u{1b}");
        if let Some(name) = text.strip_prefix('<').and_then(|it| it.strip_suffix('>')) {
            text = keys_of(name).expect("a key");
        }
        let terminal = self.terminal.as_ref().expect(STARTED);
        terminal.screen().output().contains(&text) == (sign == "sent")
    }
}

/// A line of a record that does something.
fn is_done(line: &str) -> bool {
    ["$ ", "% ", "> "].iter().any(|sign| line.starts_with(sign)) || line == ">"
}

/// The present answers of a group, under its title.
fn group_now(group: &str) -> String {
    let patience = match std::env::var_os("UPDATE") {
        Some(_) => QUIET,
        None => PATIENCE,
    };
    let mut replay = Replay {
        folder: Folder::new(),
        terminal: None,
        rows: Vec::new(),
        patience,
    };
    let (title, session) = group.split_once('\n').expect("a group has a title");
    let mut now = format!("{title}\n");
    let mut lines = session.trim_end().lines().peekable();
    while let Some(line) = lines.next() {
        now.extend([line, "\n"]);
        if !is_done(line) {
            continue;
        }
        let mut doing = line.to_string();
        while let Some(fed) = lines.next_if(|line| line.starts_with("< ") || *line == "<") {
            now.extend([fed, "\n"]);
            doing.extend(["\n", fed.strip_prefix("< ").unwrap_or_default()]);
        }
        let mut recorded = String::new();
        let is_answer = |line: &&str| !is_done(line) && !line.starts_with("# ");
        let mut checks = Vec::new();
        while let Some(row) = lines.next_if(is_answer) {
            if row.starts_with("sent: ") || row.starts_with("never: ") {
                checks.push(row);
            } else {
                recorded.extend([row, "\n"]);
            }
        }
        now.push_str(&replay.answer(&doing, &recorded));
        for check in checks {
            let holds = replay.holds(check);
            now.extend([if holds { "" } else { "NOT " }, check, "\n"]);
        }
    }
    now
}

#[test]
fn screens_follow_the_keys_as_recorded() {
    let replay = |Source { path, text }: &Source| {
        let mut groups = text.split("\n== ");
        let mut now = vec![groups.next().expect("a file has a head").to_string()];
        now.extend(groups.map(group_now));
        hold(path, &now.join("\n== "));
    };
    let files = files("tests/keys", ".txt");
    std::thread::scope(|scope| {
        for file in &files {
            scope.spawn(|| replay(file));
        }
    });
}
