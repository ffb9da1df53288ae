//! The prompt as a user sees it: the program runs in a pseudo-terminal, and its output is drawn on a screen of text.
//!
//! There are no fixed delays: a test waits until the screen shows what it should. If nothing new appears for too long,
//! the test fails and prints the screen.
#![cfg(unix)]

use std::fs;
use std::io::{Read, Write};
use std::num::NonZeroU16;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Child;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use pty_process::blocking::{Command, Pty};

/// How long the program may show nothing new while a test waits.
const PATIENCE: Duration = Duration::from_secs(20);

/// How long a test waits at most, whatever is shown.
const LONGEST: Duration = Duration::from_mins(1);

/// Tall enough that nothing scrolls off the screen.
const ROWS: u16 = 100;
const COLUMNS: u16 = 80;

const CTRL_C: &str = "\u{3}";
const CTRL_D: &str = "\u{4}";
const UP: &str = "\u{1b}[A";
/// Ctrl-U: deletes the text before the cursor.
const KILL: &str = "\u{15}";
const TAB: &str = "\t";
const PASTE: (&str, &str) = ("\u{1b}[200~", "\u{1b}[201~");

/// The terminal's screen, and all bytes it has received.
struct Shown {
    parser: vt100::Parser,
    raw: Vec<u8>,
    ended: bool,
}

impl Shown {
    /// The rows up to the last one that is not empty.
    fn rows(&self) -> Vec<String> {
        let screen = self.parser.screen();
        let (_, columns) = screen.size();
        let mut rows: Vec<String> = screen
            .rows(0, columns.get())
            .map(|row| row.trim_end().to_string())
            .collect();
        let used = rows
            .iter()
            .rposition(|row| !row.is_empty())
            .map_or(0, |last| last + 1);
        rows.truncate(used);
        rows
    }

    /// The row of the cursor.
    fn row(&self) -> String {
        let (row, _) = self.parser.screen().cursor_position();
        self.rows().into_iter().nth(row.into()).unwrap_or_default()
    }

    fn text(&self) -> String {
        self.rows().join("\n")
    }

    /// The text with wrapped lines joined.
    fn flowing(&self) -> String {
        self.parser.screen().contents()
    }
}

/// The prompt's text.
const SIGN: &str = "∂>";

/// A terminal with the program running in it.
struct Terminal {
    pty: Arc<Pty>,
    child: Child,
    shown: Arc<(Mutex<Shown>, Condvar)>,
    /// How many prompts have appeared.
    prompts: usize,
    home: Arc<Home>,
}

/// A temporary home folder that is removed with the value.
struct Home(PathBuf);

impl Home {
    fn new() -> Arc<Home> {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let name = format!(
            "prompt-{}-{}",
            std::process::id(),
            COUNT.fetch_add(1, Ordering::Relaxed)
        );
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        fs::create_dir_all(&path).expect("a home for the test");
        Arc::new(Home(path))
    }

    fn history(&self) -> PathBuf {
        self.0.join("state/chainrule/history")
    }
}

impl Drop for Home {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// How to start the program.
struct Setup<'s> {
    program: &'s str,
    arguments: &'s [&'s str],
    variables: &'s [(&'s str, &'s str)],
    columns: u16,
    rows: u16,
    home: Arc<Home>,
}

impl Default for Setup<'_> {
    fn default() -> Self {
        Setup {
            program: env!("CARGO_BIN_EXE_chainrule"),
            arguments: &[],
            variables: &[],
            columns: COLUMNS,
            rows: ROWS,
            home: Home::new(),
        }
    }
}

impl Setup<'_> {
    /// Starts the program in its home and waits for its prompt.
    fn start(&self) -> Terminal {
        let mut terminal = self.launch();
        terminal.next_prompt();
        terminal
    }

    fn launch(&self) -> Terminal {
        let (pty, pts) = pty_process::blocking::open().expect("the system has pseudo-terminals");
        pty.resize(pty_process::Size::new(self.rows, self.columns))
            .expect("a terminal has a size");
        let mut command = Command::new(self.program).args(self.arguments);
        for name in [
            "NO_COLOR",
            "CLICOLOR_FORCE",
            "LC_ALL",
            "LC_CTYPE",
            "RUST_BACKTRACE",
            "PAGER",
            "LESS",
        ] {
            command = command.env_remove(name);
        }
        command = command
            .env("TERM", "xterm-256color")
            .env("LANG", "C.UTF-8")
            // Short paths: what an answer looks like must not depend on where the project is.
            .current_dir(&self.home.0)
            .env("HOME", &self.home.0)
            .env("XDG_STATE_HOME", self.home.0.join("state"))
            .env("XDG_CONFIG_HOME", self.home.0.join("config"))
            .envs(self.variables.iter().copied());
        let child = command.spawn(pts).expect("the program can be started");
        let pty = Arc::new(pty);
        let size = |count| NonZeroU16::new(count).expect("a terminal has a size");
        let shown = Shown {
            parser: vt100::Parser::new(size(self.rows), size(self.columns), 0),
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
        Terminal {
            pty,
            child,
            shown,
            prompts: 0,
            home: Arc::clone(&self.home),
        }
    }
}

fn start(arguments: &[&str]) -> Terminal {
    Setup {
        arguments,
        ..Setup::default()
    }
    .start()
}

impl Terminal {
    fn keys(&mut self, keys: &str) {
        (&*self.pty)
            .write_all(keys.as_bytes())
            .expect("the terminal takes keys");
    }

    /// Waits until the screen is as it should be. The time limit restarts whenever something is shown.
    fn wait<T>(&self, what: &str, seen: impl FnMut(&Shown) -> Option<T>) -> T {
        self.wait_for(PATIENCE, seen)
            .unwrap_or_else(|text| panic!("waited in vain for {what}; the screen:\n{text}\n"))
    }

    fn wait_for<T>(
        &self,
        patience: Duration,
        mut seen: impl FnMut(&Shown) -> Option<T>,
    ) -> Result<T, String> {
        let (lock, change) = &*self.shown;
        let mut shown = lock.lock().expect("nobody panics with the screen");
        let mut bytes = shown.raw.len();
        let mut start = Instant::now();
        let end = start + LONGEST;
        loop {
            if let Some(found) = seen(&shown) {
                return Ok(found);
            }
            if shown.raw.len() > bytes {
                (bytes, start) = (shown.raw.len(), Instant::now());
            }
            let left = patience.saturating_sub(start.elapsed());
            if left.is_zero() || shown.ended || Instant::now() > end {
                return Err(shown.text());
            }
            (shown, _) = change
                .wait_timeout(shown, left)
                .expect("nobody panics with the screen");
        }
    }

    /// Waits until a text is shown.
    fn see(&self, text: &str) {
        self.wait(text, |shown| shown.text().contains(text).then_some(()));
    }

    /// Waits for one more prompt with nothing typed after it.
    fn next_prompt(&mut self) {
        self.prompts += 1;
        let count = self.prompts;
        self.wait(&format!("prompt {count}"), |shown| {
            let prompts = shown
                .rows()
                .iter()
                .filter(|row| row.starts_with(SIGN))
                .count();
            (prompts == count && shown.row() == SIGN).then_some(())
        });
    }

    /// Presses Enter after a pasted block, and waits until the editor reads again. Prompts cannot be counted here,
    /// because the statements of the block are shown with prompts of their own.
    fn enter_block(&mut self) {
        let before = self.wait("a prompt", |shown| Some(readings(shown)));
        self.keys("\r");
        self.prompts = self.wait("the end of the block", |shown| {
            let rows = shown.rows();
            let prompts = rows.iter().filter(|row| row.starts_with(SIGN)).count();
            (readings(shown) > before && shown.row() == SIGN).then_some(prompts)
        });
    }

    /// Presses keys that enter a line, waits until the editor reads the next one, and returns it.
    fn entered(&mut self, keys: &str) -> String {
        let before = self.wait("a prompt", |shown| Some(readings(shown)));
        self.keys(keys);
        self.wait("the next line", |shown| {
            let raw = String::from_utf8_lossy(&shown.raw);
            let is_begun = raw
                .rsplit(BEGINS)
                .next()
                .is_some_and(|it| it.contains(SIGN));
            (readings(shown) > before && is_begun).then(|| shown.row())
        })
    }

    /// Waits until the line with the cursor is this.
    fn line_is(&self, line: &str) {
        self.wait(line, |shown| (shown.row() == line).then_some(()));
    }

    /// Clears the line with Ctrl-C.
    fn clear(&mut self) {
        self.keys(CTRL_C);
        self.line_is(SIGN);
    }

    /// Types a line and returns the rows of its answer.
    fn enter(&mut self, line: &str) -> Vec<String> {
        self.keys(line);
        self.keys("\r");
        self.next_prompt();
        self.answer()
    }

    /// Types a line whose answer is one number, and returns it without the number of the result.
    fn value(&mut self, line: &str) -> String {
        let rows = self.enter(line);
        let [row] = rows.as_slice() else {
            panic!("{line}: {rows:?}");
        };
        unnumbered(row).to_string()
    }

    /// The rows between the last two prompts.
    fn answer(&self) -> Vec<String> {
        let shown = self.shown.0.lock().expect("nobody panics with the screen");
        let rows = shown.rows();
        let mut prompts = rows
            .iter()
            .enumerate()
            .filter(|(_, row)| row.starts_with(SIGN))
            .map(|(at, _)| at)
            .rev();
        let last = prompts.next().unwrap_or(rows.len());
        let before = prompts.next().map_or(0, |at| at + 1);
        rows[before..last].to_vec()
    }

    fn screen(&self) -> String {
        self.shown
            .0
            .lock()
            .expect("nobody panics with the screen")
            .text()
    }

    fn raw(&self) -> String {
        let shown = self.shown.0.lock().expect("nobody panics with the screen");
        String::from_utf8_lossy(&shown.raw).into_owned()
    }

    /// Presses Ctrl-D, waits for the end and returns the exit status. Waits for a prompt first, because the editor
    /// would lose a key pressed earlier.
    fn leave(mut self) -> Option<i32> {
        let _ = self.wait_for(Duration::from_secs(2), |shown| {
            (shown.row() == SIGN).then_some(())
        });
        self.keys(CTRL_D);
        self.end()
    }

    /// Waits for the end and returns the exit status.
    fn end(mut self) -> Option<i32> {
        // Read everything that is shown before the end.
        let ended = self.wait_for(PATIENCE, |shown| shown.ended.then_some(()));
        if let Err(text) = ended
            && !self
                .shown
                .0
                .lock()
                .expect("nobody panics with the screen")
                .ended
        {
            panic!("the program does not leave; the screen:\n{text}\n");
        }
        // The terminal may be closed before the process has ended.
        let start = Instant::now();
        loop {
            let status = self.child.try_wait().expect("a child can be waited for");
            if let Some(status) = status {
                return status.code();
            }
            assert!(start.elapsed() < LONGEST, "the program does not end");
            thread::sleep(Duration::from_millis(2));
        }
    }
}

/// What the editor writes when it begins to read a line.
const BEGINS: &str = "\u{1b}[?2004h";

/// How often the editor has begun to read a line.
fn readings(shown: &Shown) -> usize {
    String::from_utf8_lossy(&shown.raw).matches(BEGINS).count()
}

/// `14` for `$3 = 14`.
fn unnumbered(row: &str) -> &str {
    let value = row
        .strip_prefix('$')
        .and_then(|rest| rest.split_once(" = "))
        .filter(|(number, _)| number.parse::<u64>().is_ok());
    value.map_or(row, |(_, value)| value)
}

impl Drop for Terminal {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A prompt in a window of 24 rows, with this pager.
fn with_pager(pager: &str) -> Terminal {
    Setup {
        rows: 24,
        variables: &[("PAGER", pager)],
        ..Setup::default()
    }
    .start()
}

/// Types a line and waits until the last row before the next prompt contains a text.
fn last_row(terminal: &Terminal, line: &str, what: &str) {
    let mut terminal_keys = &*terminal.pty;
    terminal_keys
        .write_all(format!("{line}\r").as_bytes())
        .expect("the terminal takes keys");
    terminal.wait(&format!("{what} after {line}"), |shown| {
        let rows = shown.rows();
        let last = rows.len().checked_sub(2).map(|at| rows[at].as_str());
        (shown.row() == SIGN && last.is_some_and(|row| row.contains(what))).then_some(())
    });
}

/// A line with a long answer, and the end of the answer's last line.
const LONG: (&str, &str) = (":help conventions", "chosen side only.");

#[test]
fn long_answers_go_through_a_pager() {
    let terminal = with_pager("wc -l | sed s/^/PAGED:/");
    last_row(&terminal, LONG.0, "PAGED:");
    last_row(&terminal, "1 + 1", "2");
    // What fits on the screen is not paged, and neither are the answers of a block of statements.
    last_row(&terminal, ":help pi", "constant back.");
    last_row(&terminal, &format!("1; {}", LONG.0), LONG.1);
    last_row(&terminal, ":config pager off", "pager:");
    last_row(&terminal, LONG.0, LONG.1);
    assert_eq!(terminal.leave(), Some(0));
}

#[test]
fn a_failing_pager_is_replaced_by_direct_output() {
    for pager in ["exit 3", "/nowhere/pager", "false"] {
        let terminal = with_pager(pager);
        last_row(&terminal, LONG.0, LONG.1);
        last_row(&terminal, "1 + 1", "2");
        assert_eq!(terminal.leave(), Some(0), "{pager}");
    }
}

#[test]
fn a_pager_may_be_left_early() {
    let terminal = with_pager("head -n 1");
    last_row(&terminal, LONG.0, "conventions   the derivatives");
    last_row(&terminal, "1 + 1", "2");
    assert_eq!(terminal.leave(), Some(0));
    let mut terminal = with_pager("echo waiting; exec sleep 1000");
    terminal.keys(":help conventions\r");
    terminal.see("waiting");
    terminal.keys(CTRL_C);
    terminal.wait("the prompt", |shown| (shown.row() == "∂>").then_some(()));
    last_row(&terminal, "1 + 1", "2");
    assert_eq!(terminal.leave(), Some(0));
}

#[test]
fn a_dumb_terminal_gets_no_pager() {
    let terminal = Setup {
        rows: 24,
        variables: &[("PAGER", "echo PAGED"), ("TERM", "dumb")],
        ..Setup::default()
    }
    .start();
    last_row(&terminal, LONG.0, LONG.1);
    assert_eq!(terminal.leave(), Some(0));
}

#[test]
fn a_new_user_is_told_of_the_tour() {
    let home = Home::new();
    let setup = Setup {
        home: Arc::clone(&home),
        ..Setup::default()
    };
    let mut terminal = setup.start();
    let greeting = terminal.screen();
    assert!(
        greeting.contains(":tour") && greeting.lines().count() == 3,
        "{greeting}"
    );
    terminal.keys(":tour\r");
    terminal.line_is("∂> a, b, c, f = 2, -3, 10, -2");
    terminal.see("1 of ");
    terminal.keys("\r");
    terminal.line_is("∂> L = (a*b + c)*f");
    terminal.clear();
    terminal.keys(CTRL_D);
    terminal.see("tour left at 2 of");
    terminal.line_is("∂>");
    assert_eq!(terminal.leave(), Some(0));
    let terminal = setup.start();
    let greeting = terminal.screen();
    assert!(
        !greeting.contains(":tour") && greeting.lines().count() == 2,
        "{greeting}"
    );
    assert_eq!(terminal.leave(), Some(0));
}

#[test]
fn a_first_session() {
    let mut terminal = start(&[]);
    let greeting = terminal.screen();
    let first = greeting.lines().next().unwrap_or_default();
    assert!(
        first.starts_with(concat!("chainrule ", env!("CARGO_PKG_VERSION"))),
        "{greeting}"
    );
    assert!(
        greeting.contains(":help") && greeting.lines().count() <= 3,
        "{greeting}"
    );
    assert_eq!(
        terminal.enter("a, b, c, f = 2, -3, 10, -2"),
        ["a = 2, b = -3, c = 10, f = -2"]
    );
    assert_eq!(terminal.enter("L = (a*b + c) * f"), ["L = -8"]);
    assert_eq!(
        terminal.enter(":grad L"),
        [
            "  node      expression    data   grad",
            "  L         (a*b + c)*f     -8      1",
            "  a*b + c                    4     -2",
            "  a*b                       -6     -2",
            "  f         leaf            -2      4",
            "  c         leaf            10     -2",
            "  b         leaf            -3     -4",
            "  a         leaf             2      6",
        ]
    );
    assert_eq!(terminal.enter("a*b;"), [""; 0]);
    assert_eq!(
        terminal.enter(""),
        [""; 0],
        "an empty line asks for nothing"
    );
    assert_eq!(terminal.enter("   # nothing"), [""; 0]);
    assert_eq!(terminal.value("ans + 1; 2"), "2");
    assert_eq!(terminal.leave(), Some(0));
}

#[test]
fn ways_to_leave() {
    assert_eq!(start(&[]).leave(), Some(0));
    for word in [":quit", ":q", ":exit"] {
        let mut terminal = start(&[]);
        terminal.keys(word);
        terminal.keys("\r");
        assert_eq!(terminal.end(), Some(0), "{word}");
    }
    // The user has seen the failure, so it does not affect the status.
    let mut terminal = start(&[]);
    terminal.enter("q");
    assert_eq!(terminal.leave(), Some(0));
    // Ctrl-D in a line that is not empty does not leave.
    let mut terminal = start(&[]);
    terminal.keys("1+1");
    terminal.see("∂> 1+1");
    terminal.keys(CTRL_D);
    assert_eq!(terminal.value(""), "2");
    assert_eq!(terminal.leave(), Some(0));
}

#[test]
fn an_open_bracket_goes_on_in_the_next_line() {
    let mut terminal = start(&[]);
    terminal.keys("a = (1 +\r");
    terminal.wait("a second line", |shown| {
        let (row, column) = shown.parser.screen().cursor_position();
        let above = shown
            .rows()
            .into_iter()
            .nth(usize::from(row).wrapping_sub(1));
        (above.is_some_and(|above| above.contains("a = (1 +")) && column < 8).then_some(())
    });
    terminal.keys("2)");
    terminal.see("2)");
    terminal.keys("\r");
    terminal.next_prompt();
    assert!(terminal.screen().contains("a = 3"), "{}", terminal.screen());
    assert_eq!(terminal.value("a + 1"), "4");
    // Ctrl-C leaves the unfinished statement, as is said to who types a way out of the program.
    terminal.keys("b = (1 +\rexit");
    terminal.see("`(` is still open: Ctrl-C drops the statement");
    terminal.keys(CTRL_C);
    terminal.next_prompt();
    assert_eq!(terminal.value("a + 2"), "5");
    assert_eq!(terminal.leave(), Some(0));
}

/// A definition in Python waits for its body, which an empty or a dedented line ends.
#[test]
fn a_python_definition_waits_for_its_body() {
    let mut terminal = start(&[]);
    terminal.keys("def f(x):\ry = 2*x\rreturn y + 1\r\r");
    terminal.next_prompt();
    let answer = "f(x) = y + 1 where y = 2*x".to_string();
    assert!(terminal.answer().contains(&answer));
    assert_eq!(terminal.value("f(3)"), "7");
    terminal.keys("def g(x):\rreturn x\r\u{7f}g(5)");
    terminal.see("g(5)");
    terminal.enter_block();
    assert_eq!(terminal.value("g(6)"), "6");
    // Typed without the blanks of a body, a line ends it and runs.
    terminal.keys("class Value:\r  def __init__(self, data):\r    self.data = data\ra = 2");
    terminal.see("a = 2");
    terminal.enter_block();
    assert_eq!(terminal.value("a*3"), "6");
    terminal.keys("for k in range(3):\rprint(k)\r");
    terminal.enter_block();
    let answer = terminal.answer();
    assert!(answer.ends_with(&["0".to_string(), "1".to_string(), "2".to_string()]));
    assert_eq!(terminal.leave(), Some(0));
}

#[test]
fn lines_that_go_on_stand_below_the_text_behind_a_mark() {
    let mut terminal = start(&[]);
    terminal.keys("a = (1 +\r2 +\r3)");
    terminal.see("∂> a = (1 +\n … 2 +\n … 3)");
    terminal.keys("\r");
    terminal.next_prompt();
    assert_eq!(terminal.value("a"), "6");
    // Backspace deletes the whole indentation at once, and the next one joins the lines.
    terminal.keys("b = (1 +\r\u{7f}\u{7f} 7)");
    terminal.see("∂> b = (1 + 7)");
    terminal.keys("\r");
    terminal.next_prompt();
    assert_eq!(terminal.value("b"), "8");
    // The history returns the entry as it was entered.
    terminal.keys(UP);
    terminal.keys(UP);
    terminal.keys(UP);
    terminal.keys(UP);
    terminal.see(" … 2 +\n … 3)");
    terminal.keys("\r");
    terminal.next_prompt();
    assert_eq!(terminal.answer().last().map(String::as_str), Some("a = 6"));
    assert_eq!(terminal.leave(), Some(0));
    // Without colour the margin is blank.
    let mut terminal = start(&["--color", "never"]);
    terminal.keys("a = (1 +\r2)");
    terminal.see("∂> a = (1 +\n   2)");
    terminal.keys("\r");
    terminal.next_prompt();
    assert_eq!(terminal.leave(), Some(0));
}

#[test]
fn results_are_numbered_and_can_be_used_again() {
    let mut terminal = start(&["-e", "1 + 1", "-i"]);
    assert_eq!(terminal.screen().lines().next(), Some("2"), "a script's");
    assert_eq!(terminal.enter("a = 3"), ["a = 3"]);
    assert_eq!(terminal.enter("a*a"), ["$2 = 9"]);
    assert_eq!(terminal.enter("$2 + $1;"), [""; 0]);
    assert_eq!(terminal.enter("$3*2; ans + 1"), ["$5 = 23"]);
    assert_eq!(
        terminal.enter("$99"),
        [
            "error: there is no `$99`",
            "      $99",
            "      ^^^ there are `$1` to `$5`"
        ]
    );
    assert_eq!(terminal.leave(), Some(0));
}

/// The lines of a paste have no indentation for the margin.
#[test]
fn a_line_below_a_pasted_function_ends_it() {
    for blanks in [" ", "  ", "    ", "\t"] {
        let mut terminal = start(&[]);
        let function = format!("def f(x):\n{blanks}return 3*x**2");
        terminal.keys(&format!("{}{function}{}", PASTE.0, PASTE.1));
        terminal.see("return 3*x**2");
        terminal.keys("\rf(3.0)\r");
        terminal.see("$1 = 27");
        assert_eq!(terminal.leave(), Some(0));
    }
}

#[test]
fn a_block_taller_than_the_screen() {
    let mut terminal = start(&[]);
    let block: String = (0..300).map(|n| format!("x{n} = {n}\n")).collect();
    terminal.keys(&format!("{}{block}{}", PASTE.0, PASTE.1));
    terminal.see("x299 = 299");
    terminal.keys("\r");
    terminal.wait("the last answer", |shown| {
        let text = shown.text();
        // Its statements have left the window and cannot be removed, so they do not stand above their answers again.
        let is_done = text.ends_with("\nx298 = 298\nx299 = 299\n∂>");
        (is_done && !text.contains("∂> x29")).then_some(())
    });
    terminal.keys("x0 + x299\r");
    terminal.see("$1 = 299");
    assert_eq!(terminal.leave(), Some(0));
}

/// 40 KB at once, very deep nesting, and keys that arrive as fast as in a paste without markers.
#[test]
fn huge_input_neither_hangs_nor_crashes_the_prompt() {
    let long = format!("{}1", "((1+2)*3)+".repeat(4_000));
    for (text, pasted, answer) in [
        (long.clone(), true, "36001"),
        (long[..10_000].to_string() + "1", false, "9001"),
        ("(".repeat(100_000), true, "error: brackets"),
        ("(".repeat(10_001), false, "error: brackets"),
        (vec!["a = 1"; 5_700].join("\n"), true, "a = 1"),
    ] {
        let terminal = start(&[]);
        let (begin, end) = if pasted { PASTE } else { ("", "") };
        let pty = Arc::clone(&terminal.pty);
        let keys = format!("{begin}{text}{end}\r7*11*13\r");
        let typing = thread::spawn(move || (&*pty).write_all(keys.as_bytes()));
        terminal.wait("what comes after", |shown| {
            let rows = shown.rows();
            let after = rows.iter().any(|row| unnumbered(row) == "1001");
            let text = shown.flowing();
            (after && text.contains(answer) && shown.row() == "∂>").then_some(())
        });
        let typed = typing.join().expect("the keys are pressed");
        typed.expect("the terminal takes keys");
        assert_eq!(terminal.leave(), Some(0));
    }
}

#[test]
fn the_window_may_change_its_size_and_be_cleared() {
    let mut terminal = start(&[]);
    terminal.enter("a = 2");
    terminal.keys("a + 1000000000 + 2000000000 + 3000000000");
    terminal.see("6000000002");
    let narrow = 30;
    {
        let (lock, _) = &*terminal.shown;
        let mut shown = lock.lock().expect("nobody panics with the screen");
        let size = |count| NonZeroU16::new(count).expect("a terminal has a size");
        shown.parser.screen_mut().set_size(size(ROWS), size(narrow));
    }
    (terminal.pty.resize(pty_process::Size::new(ROWS, narrow))).expect("a terminal has a size");
    terminal.keys("0");
    terminal.see("30000000000");
    let key = "\u{c}";
    terminal.keys(key);
    terminal.wait("an empty screen with the line", |shown| {
        let rows = shown.rows();
        let first = rows.first()?;
        first.starts_with("∂> a + 1000000000").then_some(())
    });
    terminal.keys("\r");
    terminal.see("$1 = 33000000002");
    assert_eq!(terminal.leave(), Some(0));
}

/// Pastes a text, presses Enter, and returns the screen.
fn paste(terminal: &mut Terminal, text: &str) -> String {
    let mut lines = text.trim_end().rsplit(['\r', '\n']);
    let last = lines.next().unwrap_or_default().to_string();
    terminal.keys(&format!("{}{text}{}", PASTE.0, PASTE.1));
    terminal.wait("the pasted text", |shown| {
        shown.text().contains(&last).then_some(())
    });
    terminal.enter_block();
    terminal.screen()
}

#[test]
fn a_pasted_block_runs_statement_by_statement() {
    // Terminals differ in the line endings that they send.
    for newline in ["\n", "\r", "\r\n"] {
        for ending in ["", newline] {
            let block = ["a = 2", "b = (a *", "3)", "", "# a comment", ":grad b"].join(newline);
            let mut terminal = start(&[]);
            let screen = paste(&mut terminal, &format!("{block}{ending}"));
            // The block is replaced by its statements, each above its answer.
            let expected = [
                "∂> a = 2",
                "a = 2",
                "∂> b = (a *",
                " … 3)",
                "b = 6",
                "∂> # a comment",
                "∂> :grad b",
                "  node   expression   data   grad",
                "  b      a*3             6      1",
                "  a      leaf            2      3",
                "∂>",
            ];
            let begun = |line: &&str| !line.starts_with("∂>");
            let shown: Vec<&str> = screen.lines().skip_while(begun).collect();
            assert_eq!(shown, expected, "{newline:?} {ending:?}");
            assert_eq!(terminal.value("a + b"), "8");
            assert_eq!(terminal.leave(), Some(0));
        }
    }
}

#[test]
fn a_pasted_table_is_read_after_a_question() {
    let mut terminal = start(&[]);
    // Presses Enter behind a pasted text, and answers the question.
    let mut ask = |text: &str, question: &str, answer: &str| {
        terminal.keys(&format!("{}{text}{}", PASTE.0, PASTE.1));
        let last = text.trim_end().rsplit('\n').next().unwrap_or_default();
        let last = last.replace('\t', " ");
        terminal.wait("the pasted text", |shown| {
            let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
            words(&shown.text()).contains(&words(&last)).then_some(())
        });
        terminal.keys("\r");
        terminal.see(question);
        terminal.keys(answer);
        terminal.keys("\r");
        terminal.wait("the next prompt", |shown| {
            (shown.row() == "∂>").then_some(())
        });
        terminal.prompts = terminal.wait("a prompt", |shown| {
            let rows = shown.rows();
            Some(rows.iter().filter(|row| row.starts_with("∂>")).count())
        });
    };
    ask(
        "t [s]\tU\n0\t1.5\n1\t2.5\n",
        "read it as columns t, U? [Y/n]",
        "",
    );
    ask("a;b\n1;2\n3;4", "read it as columns a, b? [Y/n]", "n");
    assert_eq!(terminal.value("U"), "[1.5, 2.5]");
    // What was not read is still there, for other names.
    assert_eq!(terminal.enter(":data - as p q"), ["p, q: 2 rows"]);
    assert_eq!(terminal.value("q"), "[2, 4]");
    let saved = terminal.home.0.join("pasted.calc");
    terminal.enter(&format!(":save \"{}\"", saved.display()));
    let saved = fs::read_to_string(saved).expect("it was saved");
    assert!(saved.contains("const U = [1.5, 2.5];") && saved.contains("const q = [2, 4];"));
    // Behind a digit Tab writes a blank.
    terminal.keys("1\t2");
    terminal.line_is("∂> 1 2");
    terminal.clear();
    assert_eq!(terminal.leave(), Some(0));
}

/// A paste without markers looks like typing that is faster than the answers.
#[test]
fn what_is_typed_ahead_is_not_lost() {
    let mut terminal = start(&[]);
    terminal.keys("a = 2\rb = a*3\r:grad b\ra + b\r");
    terminal.wait("four answers", |shown| {
        let rows = shown.rows();
        let answers = ["a = 2", "b = 6", "  a      leaf            2      3", "8"];
        let all = answers
            .iter()
            .all(|answer| rows.iter().any(|row| unnumbered(row) == *answer));
        (all && shown.row() == "∂>").then_some(())
    });
    assert_eq!(terminal.leave(), Some(0));
}

#[test]
fn after_a_mistake_the_rest_of_a_block_is_not_run() {
    let mut terminal = start(&[]);
    let screen = paste(&mut terminal, "a = 2\nb = q\nc = 3\nd = 4");
    assert!(screen.contains("error: unknown name `q`"), "{screen}");
    let rest = "note: what comes after it was not run:\n      c = 3\n      d = 4\n∂>";
    assert!(screen.ends_with(rest), "{screen}");
    assert_eq!(terminal.value("a"), "2");
    assert_eq!(terminal.enter("c")[0], "error: unknown name `c`");
    assert_eq!(terminal.leave(), Some(0));
}

#[test]
fn an_empty_line_walks_on_and_says_once_that_it_is_over() {
    let mut terminal = start(&[]);
    assert_eq!(terminal.enter(""), [""; 0], "no walk, nothing to say");
    terminal.enter("a = 3");
    terminal.enter("b = a*a + a");
    terminal.enter(":w b");
    assert_eq!(terminal.enter("")[0], "1 of 2   b = a*a + a = 12");
    assert_eq!(
        terminal.enter("a*a").len(),
        1,
        "anything may be typed between"
    );
    assert_eq!(terminal.enter(":guess a 7")[0], "right: db/da = 7");
    assert!(terminal.enter("")[0].starts_with("2 of 2"));
    let over = "note: the walk is at its end; :prev goes back, :walk end closes it";
    assert_eq!(terminal.enter(""), [over]);
    assert_eq!(terminal.enter(""), [""; 0]);
    assert!(terminal.enter(":p")[0].starts_with("1 of 2"));
    assert!(terminal.enter("")[0].starts_with("2 of 2"));
    assert_eq!(terminal.enter(""), [over]);
    terminal.enter(":walk end");
    assert_eq!(terminal.enter(""), [""; 0]);
    assert_eq!(terminal.leave(), Some(0));
}

#[test]
fn ctrl_c_clears_the_line_and_twice_tells_the_way_out() {
    let mut terminal = start(&[]);
    terminal.keys("1 + ");
    terminal.see("∂> 1 +");
    terminal.keys(CTRL_C);
    terminal.next_prompt();
    assert!(
        !terminal.screen().contains("Ctrl-D leaves\n"),
        "there was something to clear"
    );
    assert_eq!(terminal.value("2"), "2");
    terminal.keys(CTRL_C);
    terminal.next_prompt();
    terminal.keys(CTRL_C);
    terminal.next_prompt();
    assert!(
        terminal.answer().join("\n").contains("Ctrl-D leaves"),
        "{}",
        terminal.screen()
    );
    assert_eq!(terminal.value("3"), "3");
    assert_eq!(terminal.leave(), Some(0));
}

/// Binds `L` to `expression`, but makes it from so many nodes that ten million steps take about a minute: over a few
/// nodes they take less than a second.
fn enter_long_work(terminal: &mut Terminal, assignment: &str, expression: &str) {
    terminal.enter("few(x) = 0*tanh(x) + 0*tanh(x) + 0*tanh(x) + 0*tanh(x)");
    terminal.enter("many(x) = few(x) + few(x) + few(x) + few(x) + few(x) + few(x)");
    terminal.enter(&format!(
        "{assignment}; L = {expression} + many(x) + many(x) + many(x) + many(x)"
    ));
}

#[test]
fn ctrl_c_stops_what_runs_and_the_session_goes_on() {
    let mut terminal = start(&[]);
    enter_long_work(&mut terminal, "x = 1", "x^2");
    terminal.keys(":step 1e-9 10000000\r");
    // While progress is shown the work runs, and the key belongs to it and not to the editor.
    terminal.wait("progress", |shown| {
        shown.text().contains(" of 10000000   value").then_some(())
    });
    terminal.keys(CTRL_C);
    terminal.wait("an answer", |shown| {
        let words = shown.text();
        let words: Vec<&str> = words.split_whitespace().collect();
        words.join(" ").contains("then interrupted").then_some(())
    });
    terminal.wait("a prompt", |shown| (shown.row() == "∂>").then_some(()));
    let answered = |terminal: &mut Terminal, line: &str, answer: &str| {
        terminal.keys(&format!("{line}\r"));
        terminal.wait(answer, |shown| {
            let is_answer = |row: &String| unnumbered(row) == answer;
            shown.rows().iter().any(is_answer).then_some(())
        });
    };
    let screen = terminal.screen();
    assert!(
        !screen.lines().any(|row| row.starts_with("^C ")),
        "the answer begins on a row of its own: {screen}"
    );
    // The steps done so far remain, as one change.
    answered(&mut terminal, "(x < 1)*77", "77");
    answered(&mut terminal, ":undo", "undone: :step 1e-9 10000000");
    answered(&mut terminal, "x - 8", "-7");
    terminal.wait("a prompt", |shown| (shown.row() == "∂>").then_some(()));
    assert_eq!(terminal.leave(), Some(0));
}

#[test]
fn long_work_shows_how_far_it_has_come_and_wipes_it_away() {
    let mut terminal = start(&[]);
    enter_long_work(&mut terminal, "x = 3", "(x - 1)^2");
    terminal.keys(":step 1e-300 10000000\r");
    let progress = |shown: &Shown| {
        let text = shown.text();
        let words = ["step ", " of 10000000   value 4   ", " left   ", " steps/s"];
        words.iter().all(|word| text.contains(word)).then_some(())
    };
    terminal.wait("progress", progress);
    terminal.keys(CTRL_C);
    terminal.next_prompt();
    let screen = terminal.screen();
    assert!(
        screen.contains("of 10000000 steps, then interrupted)") && !screen.contains("steps/s"),
        "{screen}"
    );
    assert_eq!(terminal.leave(), Some(0));
}

#[test]
fn quiet_shows_no_progress() {
    let mut terminal = start(&["--quiet"]);
    terminal.enter("x = 3; L = (x - 1)^2; :step 1e-12 600000");
    assert_eq!(terminal.value("7*11*13"), "1001");
    assert!(!terminal.raw().contains("steps/s"));
    assert_eq!(terminal.leave(), Some(0));
}

#[test]
fn the_result_stands_behind_the_line_until_it_is_entered() {
    let mut terminal = start(&[]);
    terminal.enter("a, b = 2, -3");
    terminal.enter("L = a*b + 10");
    for (line, shown) in [
        ("a*b", "∂> a*b   = -6"),
        (" + b^2", "∂> a*b + b^2   = 3"),
        (" + (", "∂> a*b + b^2 + ("),
    ] {
        terminal.keys(line);
        terminal.wait(shown, |screen| (screen.row() == shown).then_some(()));
    }
    terminal.keys(CTRL_C);
    terminal.next_prompt();
    terminal.keys(":set a 5");
    let shown = "∂> :set a 5   L = -5";
    terminal.wait(shown, |screen| (screen.row() == shown).then_some(()));
    // The live result is not part of what is entered.
    terminal.keys("\r");
    terminal.next_prompt();
    assert_eq!(terminal.value("L"), "-5");
    assert!(!terminal.screen().contains("∂> :set a 5   L"));
    // Nor does it stay behind a line that is cleared.
    terminal.keys(":set a 6");
    let shown = "∂> :set a 6   L = -8";
    terminal.wait(shown, |screen| (screen.row() == shown).then_some(()));
    terminal.keys(CTRL_C);
    terminal.next_prompt();
    assert!(!terminal.screen().contains("∂> :set a 6   L"));
    assert_eq!(terminal.leave(), Some(0));
}

#[test]
fn the_prompt_is_as_the_settings_say() {
    let mut terminal = start(&[]);
    terminal.keys("2*3");
    terminal.wait("a hint", |shown| {
        (shown.row() == "∂> 2*3   = 6").then_some(())
    });
    terminal.keys("\r");
    terminal.see("$1 = 6");
    terminal.keys(":config hint off\r");
    terminal.see("hint: on → off");
    terminal.keys("2*4");
    terminal.wait("no hint", |shown| (shown.row() == "∂> 2*4").then_some(()));
    terminal.keys("\r");
    terminal.see("$2 = 8");
    terminal.keys(":config editing vi\r");
    terminal.see("editing: emacs → vi");
    // In vi mode: go to the beginning of the line, delete a character, insert another.
    terminal.keys("x*7\u{1b}0xi6\r");
    terminal.see("= 42");
    terminal.keys(":config theme dark\r");
    terminal.wait("a fixed colour", |shown| {
        let raw = String::from_utf8_lossy(&shown.raw);
        raw.contains("\u{1b}[38;5;").then_some(())
    });
    terminal.keys(":quit\r");
    assert_eq!(terminal.end(), Some(0));
}

#[test]
fn an_error_stands_below_its_line() {
    let mut terminal = start(&[]);
    terminal.enter("alpha = 2");
    assert_eq!(
        terminal.enter("L2 = alhpa + 1"),
        [
            "error: unknown name `alhpa`",
            "      L2 = alhpa + 1",
            "           ^^^^^ did you mean `alpha`?"
        ]
    );
    assert_eq!(
        terminal.enter("ln(-alpha)"),
        [
            "$1 = NaN",
            "note: ln(-2) is NaN: ln needs x > 0",
            "      ln(-alpha)",
            "         ^^^^^^ is -2"
        ]
    );
    assert_eq!(terminal.enter(":nope")[0], "error: unknown command `:nope`");
    assert_eq!(terminal.value("alpha"), "2");
    assert_eq!(terminal.leave(), Some(0));
}

#[test]
fn a_long_line_is_no_trouble() {
    let mut terminal = start(&[]);
    let line = vec!["1"; 150].join("+");
    terminal.keys(&line);
    terminal.wait("the whole line", |shown| {
        shown.rows().concat().contains(&line).then_some(())
    });
    terminal.keys("\r");
    terminal.next_prompt();
    assert_eq!(
        terminal.answer().last().map(String::as_str),
        Some("$1 = 150")
    );
    let error = terminal.enter(&format!("{line}+q+{line}"));
    let error: Vec<&String> = error
        .iter()
        .skip_while(|row| !row.starts_with("error:"))
        .collect();
    assert_eq!(error[0], "error: unknown name `q`");
    assert!(
        error[1].contains("+q+") && error[1].chars().count() <= 80,
        "{error:?}"
    );
    assert_eq!(
        error[1].find("q+").map(|at| error[1][..at].chars().count()),
        error[2].find('^'),
        "{error:?}"
    );
    assert_eq!(terminal.leave(), Some(0));
}

// History.

fn mode(path: &Path) -> u32 {
    let found = fs::metadata(path).expect("it is there");
    found.permissions().mode() & 0o777
}

#[test]
fn every_line_is_kept_as_it_is_entered() {
    let home = Home::new();
    let setup = Setup {
        home: Arc::clone(&home),
        ..Setup::default()
    };
    let mut terminal = setup.start();
    terminal.enter("a = 2");
    let history = fs::read_to_string(home.history()).expect("it is there already");
    assert!(history.contains("a = 2\n"), "{history}");
    terminal.enter("b = q");
    let history = fs::read_to_string(home.history()).expect("it is there");
    assert!(history.contains("b = q\n"), "what failed too: {history}");
    assert_eq!(mode(&home.history()), 0o600);
    assert_eq!(
        mode(home.history().parent().expect("it is in a folder")),
        0o700
    );
    // A line that begins with a blank is not recorded.
    terminal.enter(" secret = 3");
    assert!(
        !fs::read_to_string(home.history())
            .expect("it is there")
            .contains("secret")
    );
    // The entries are there even if the program is killed.
    drop(terminal);
    let mut terminal = setup.start();
    terminal.keys(UP);
    terminal.see("∂> b = q");
    terminal.keys(UP);
    terminal.see("∂> a = 2");
    assert_eq!(terminal.enter(""), ["a = 2"]);
    assert_eq!(terminal.home.0, home.0);
    assert_eq!(terminal.leave(), Some(0));
}

#[test]
fn no_history_if_not_wanted_or_not_possible() {
    let home = Home::new();
    let mut terminal = Setup {
        arguments: &["--no-history"],
        home: Arc::clone(&home),
        ..Setup::default()
    }
    .start();
    assert_eq!(terminal.enter("a = 2"), ["a = 2"]);
    // The entry is remembered within this session.
    terminal.keys(UP);
    terminal.see("∂> a = 2\n");
    assert_eq!(terminal.enter(""), ["a = 2"]);
    assert_eq!(terminal.leave(), Some(0));
    assert!(!home.0.join("state").exists());
    // A file in place of the folder: the prompt notes it and works without a history.
    fs::write(home.0.join("state"), "").expect("a file for the test");
    let mut terminal = Setup {
        home: Arc::clone(&home),
        ..Setup::default()
    }
    .start();
    assert!(
        terminal.screen().contains("the history"),
        "{}",
        terminal.screen()
    );
    assert_eq!(terminal.enter("a = 2"), ["a = 2"]);
    assert_eq!(terminal.leave(), Some(0));
}

#[test]
fn a_history_is_searched_and_has_nothing_twice() {
    let home = Home::new();
    let setup = Setup {
        home: Arc::clone(&home),
        ..Setup::default()
    };
    let mut terminal = setup.start();
    for line in ["alpha = 2", "beta = 3", "beta = 3", "alpha*beta"] {
        terminal.enter(line);
    }
    let history = fs::read_to_string(home.history()).expect("it is there");
    assert_eq!(history.matches("beta = 3\n").count(), 1, "{history}");
    terminal.keys("\u{12}al");
    terminal.see("alpha*beta");
    terminal.keys("\u{12}");
    terminal.see("alpha = 2");
    terminal.keys("\r");
    terminal.next_prompt();
    assert_eq!(terminal.answer(), ["alpha = 2"]);
    assert_eq!(terminal.leave(), Some(0));
    // Statements from a pipe are not recorded.
    let before = fs::read_to_string(home.history()).expect("it is there");
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_chainrule"));
    command.env("XDG_STATE_HOME", home.0.join("state"));
    let mut child = (command.stdin(std::process::Stdio::piped()))
        .stdout(std::process::Stdio::null())
        .spawn()
        .expect("the program can be started");
    let piped = child
        .stdin
        .take()
        .expect("it is piped")
        .write_all(b"gamma = 4\n");
    piped.expect("it reads");
    child.wait().expect("it ends");
    assert_eq!(
        fs::read_to_string(home.history()).expect("it is there"),
        before
    );
}

#[test]
fn a_history_that_cannot_be_written_and_no_home() {
    let home = Home::new();
    fs::create_dir_all(home.history()).expect("a folder in its place");
    let setup = Setup {
        home: Arc::clone(&home),
        ..Setup::default()
    };
    let mut terminal = setup.start();
    assert!(
        terminal.screen().contains("the history"),
        "{}",
        terminal.screen()
    );
    assert_eq!(terminal.value("1 + 1"), "2");
    assert_eq!(terminal.leave(), Some(0));
    // A history without write permission: its entries can be used, and a note says once that none are added. (Root may
    // write nevertheless.)
    let home = Home::new();
    let path = home.history();
    fs::create_dir_all(path.parent().expect("it is in a folder")).expect("a folder");
    fs::write(&path, "#V2\nx = 41\n").expect("a history");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o400)).expect("it is ours");
    let setup = Setup {
        home: Arc::clone(&home),
        ..Setup::default()
    };
    let mut terminal = setup.start();
    terminal.keys(UP);
    terminal.see("∂> x = 41");
    terminal.keys("\r");
    terminal.next_prompt();
    assert_eq!(terminal.value("x + 1"), "42");
    assert!(terminal.screen().matches("the history").count() <= 1);
    assert_eq!(terminal.leave(), Some(0));
    for variables in [
        &[
            ("HOME", ""),
            ("XDG_STATE_HOME", ""),
            ("XDG_CONFIG_HOME", ""),
        ][..],
        &[
            ("HOME", "/nowhere"),
            ("XDG_STATE_HOME", "/dev/null/x"),
            ("XDG_CONFIG_HOME", "x"),
        ],
    ] {
        let mut terminal = Setup {
            variables,
            ..Setup::default()
        }
        .start();
        assert_eq!(terminal.value("6*7"), "42", "{variables:?}");
        assert_eq!(terminal.leave(), Some(0), "{variables:?}");
    }
}

/// The text of a history file with this many entries.
fn history_of(count: usize) -> String {
    history_from(0, count)
}

/// The text of a history file with entries from `first` on.
fn history_from(first: usize, end: usize) -> String {
    let entries: String = (first..end).map(|at| format!("h{at} = {at}\n")).collect();
    format!("#V2\n{entries}")
}

impl Home {
    /// A home folder with this history.
    fn with_history(text: &str) -> Arc<Home> {
        let home = Home::new();
        let path = home.history();
        fs::create_dir_all(path.parent().expect("it is in a folder")).expect("a folder");
        fs::write(&path, text).expect("a history");
        home
    }

    fn text(&self) -> String {
        fs::read_to_string(self.history()).expect("it is there")
    }

    fn setup(self: &Arc<Home>) -> Setup<'static> {
        Setup {
            home: Arc::clone(self),
            ..Setup::default()
        }
    }
}

#[test]
fn a_history_is_added_to_and_its_newest_entries_stay() {
    let before = history_of(400);
    let home = Home::with_history(&before);
    let mut terminal = home.setup().start();
    terminal.enter("a = 2");
    assert_eq!(home.text().strip_prefix(&before), Some("a = 2\n"));
    assert_eq!(mode(&home.history()), 0o600, "it was readable by others");
    terminal.keys(UP);
    terminal.keys(UP);
    terminal.see("∂> h399 = 399");
    terminal.keys(KILL);
    let rows = terminal.enter("b = (1 +\r2)\\\r- 1");
    assert_eq!(rows.last().map(String::as_str), Some("b = 2"), "{rows:?}");
    let after = home.text();
    let added = after
        .strip_prefix(&before)
        .expect("what was there is there");
    // The editor has indented each line below the text of the first.
    assert_eq!(added.replace(' ', ""), "a=2\nb=(1+\\n2)\\\\\\n-1\n");
    // Another prompt reads the entry as it was typed.
    let mut other = home.setup().start();
    other.keys(UP);
    other.see("2)\\");
    other.keys(KILL);
    other.keys(CTRL_C);
    drop(other);
    assert_eq!(terminal.leave(), Some(0));
    assert!(home.text() == after, "nothing was added");

    let home = Home::with_history(&history_of(10_400));
    let mut terminal = home.setup().start();
    terminal.enter("a = 2");
    assert!(home.text() == format!("{}a = 2\n", history_from(401, 10_400)));
    assert_eq!(terminal.leave(), Some(0));
}

#[test]
fn several_prompts_share_a_history() {
    let home = Home::with_history(&history_of(3));
    let mut one = home.setup().start();
    for line in ["one = 1", "two = 2"] {
        one.enter(line);
    }
    let mut other = home.setup().start();
    other.enter("three = 3");
    one.enter("four = 4");
    other.enter("five = 5");
    let added = "one = 1\ntwo = 2\nthree = 3\nfour = 4\nfive = 5\n";
    assert_eq!(home.text(), format!("{}{added}", history_of(3)));
    for terminal in [one, other] {
        assert_eq!(terminal.leave(), Some(0));
    }
}

/// The screen as one line.
fn unwrapped(terminal: &Terminal) -> String {
    let screen = terminal.screen();
    let words: Vec<&str> = screen.split_whitespace().collect();
    words.join(" ")
}

#[test]
fn a_history_that_is_no_file_is_not_opened() {
    for name in ["pipe", "/dev/tty"] {
        let home = Home::with_history("");
        let path = home.history();
        fs::remove_file(&path).expect("it is there");
        if name == "pipe" {
            let made = std::process::Command::new("mkfifo").arg(&path).status();
            assert!(made.is_ok_and(|status| status.success()), "a pipe");
        } else {
            std::os::unix::fs::symlink(name, &path).expect("a link");
        }
        let mut terminal = home.setup().start();
        let screen = unwrapped(&terminal);
        assert!(
            screen.contains("is not kept: it is a device or a pipe"),
            "{screen}"
        );
        assert_eq!(terminal.value("1 + 1"), "2");
        assert_eq!(terminal.leave(), Some(0));
    }
}

// Completion.

impl Terminal {
    /// Waits until this is the text of the line at the cursor.
    fn line(&self, line: &str) {
        let wanted = format!("{SIGN} {line}");
        self.wait(&wanted, |shown| (shown.row() == wanted).then_some(()));
    }
}

#[test]
fn tab_lists_what_may_be_typed() {
    let mut terminal = start(&[]);
    terminal.enter("alpha, alps = 2, -3");
    terminal.enter("L = alpha*alps");
    terminal.keys("3*al");
    terminal.keys(TAB);
    terminal.see("\nalpha  leaf = 2\nalps   leaf = -3\n");
    // The common prefix has been inserted.
    terminal.line("3*alp");
    terminal.keys(" + sigm");
    terminal.keys(TAB);
    terminal.line("3*alp + sigmoid(");
    terminal.keys(CTRL_C);
    // The line is shown again below the list.
    terminal.prompts += 1;
    terminal.next_prompt();
    assert_eq!(terminal.leave(), Some(0));
}

#[test]
fn tab_knows_commands_and_files() {
    let setup = Setup::default();
    let mut terminal = setup.start();
    let file = setup.home.0.join("my session.calc");
    fs::write(&file, "a = 41").expect("a file for the test");
    fs::write(setup.home.0.join("other.txt"), "").expect("a file for the test");
    fs::create_dir_all(setup.home.0.join("new")).expect("a folder for the test");
    terminal.keys(":lo");
    terminal.keys(TAB);
    terminal.see(":load  run a script");
    terminal.keys("a");
    terminal.keys(TAB);
    terminal.keys("~/");
    terminal.keys(TAB);
    terminal.wait("files", |shown| {
        let text = shown.text();
        let listed = text.contains("\nmy session.calc  file\nnew/             folder\n");
        (listed && !text.contains("other.txt")).then_some(())
    });
    terminal.keys("m");
    terminal.keys(TAB);
    terminal.line(":load \"~/my session.calc\"");
    terminal.keys("\r");
    terminal.see("a = 41");
    terminal.see("loaded");
}

#[test]
fn tab_does_no_harm() {
    for columns in [80, 12, 1] {
        let mut terminal = Setup {
            columns,
            ..Setup::default()
        }
        .launch();
        terminal.keys("長い名前 = 1; b = 2\r");
        for line in [
            "",
            "b",
            "b*",
            ":",
            ":help ",
            "qqq",
            "(",
            "\"",
            ":load \"/",
            "# ",
        ] {
            terminal.keys(line);
            terminal.keys(TAB);
            terminal.keys(TAB);
            // Leave a list that is too long for the screen, and delete the line.
            terminal.keys("q");
            terminal.keys(KILL);
        }
        terminal.keys("6*7 # end\r");
        terminal.wait("an answer", |shown| {
            let text = shown.flowing();
            text.split("# end").last()?.contains("42").then_some(())
        });
    }
}

// Looks.

/// Does the output contain an escape sequence for colours or weights?
fn painted(raw: &str) -> bool {
    raw.split("\u{1b}[").skip(1).any(|part| {
        let end = part.find(|c: char| !(c.is_ascii_digit() || c == ';'));
        end.is_some_and(|end| part[end..].starts_with('m') && !matches!(&part[..end], "" | "0"))
    })
}

#[test]
fn colour_unless_it_is_not_wanted() {
    for (arguments, variables, expected) in [
        (&[][..], &[][..], true),
        (&[], &[("NO_COLOR", "1")][..], false),
        (&["--color", "never"], &[], false),
        (&["--color", "always"], &[("NO_COLOR", "1")], true),
    ] {
        let mut terminal = Setup {
            arguments,
            variables,
            ..Setup::default()
        }
        .start();
        terminal.enter("a = 2");
        terminal.enter(":grad a^2");
        terminal.enter("q");
        assert_eq!(
            painted(&terminal.raw()),
            expected,
            "{arguments:?} {variables:?}: {:?}",
            terminal.raw()
        );
        assert_eq!(terminal.leave(), Some(0));
    }
}

#[test]
fn a_dumb_terminal() {
    let variables = &[("TERM", "dumb")];
    let mut terminal = Setup {
        variables,
        ..Setup::default()
    }
    .start();
    assert_eq!(terminal.enter("a = 2"), ["a = 2"]);
    assert_eq!(terminal.value("a*3"), "6");
    assert_eq!(terminal.enter("q")[0], "error: unknown name `q`");
    // The terminal shows what is typed; the statement goes on in the next line.
    terminal.keys("(1 +\r2)*5\r");
    terminal.see("15");
    terminal.next_prompt();
    assert!(!terminal.raw().contains('\u{1b}'), "{:?}", terminal.raw());
    assert_eq!(terminal.leave(), Some(0));
}

#[test]
fn tables_stand_in_a_narrow_window() {
    let mut terminal = Setup {
        columns: 40,
        ..Setup::default()
    }
    .start();
    terminal.enter("a, b, c, f = 2, -3, 10, -2");
    terminal.enter("L = (a*b + c) * f");
    for line in [
        ":grad L",
        ":vars",
        ":set a 3.14159",
        ":step 0.0123",
        ":step .01 5",
        ":log",
    ] {
        let before = terminal.screen().lines().count();
        let answer = terminal.enter(line);
        assert!(!answer.is_empty(), "{line}");
        let shown = terminal
            .shown
            .0
            .lock()
            .expect("nobody panics with the screen");
        let rows = shown.rows();
        for (at, row) in rows.iter().enumerate().skip(before) {
            // A row of a table begins with blanks; if it were wrapped, the rest would start at the left edge.
            let in_table = row.starts_with("  ");
            assert!(row.chars().count() <= 40, "{line}");
            assert!(
                !(in_table && shown.parser.screen().row_wrapped(at as u16)),
                "{line}: {}",
                shown.text()
            );
        }
        let names = ["L", "a"].map(|name| {
            rows[before..]
                .iter()
                .any(|row| row.starts_with(&format!("  {name} ")))
        });
        assert!(line == ":log" || names[1], "{line}: {}", shown.text());
    }
    assert_eq!(terminal.leave(), Some(0));
}

#[test]
fn the_prompt_comes_after_what_was_given() {
    let setup = Setup {
        arguments: &["-e", "a = 2", "-i", "-e", "a + q"],
        ..Setup::default()
    };
    let mut terminal = setup.start();
    let screen = terminal.screen();
    assert!(
        screen.starts_with("a = 2\nerror: unknown name `q`"),
        "{screen}"
    );
    assert_eq!(terminal.value("a*3"), "6");
    assert_eq!(terminal.leave(), Some(0), "what failed before was seen");
    let mut terminal = start(&["--quiet"]);
    assert_eq!(terminal.screen(), "∂>", "no greeting");
    assert_eq!(terminal.enter("a = 2"), [""; 0]);
    assert_eq!(terminal.leave(), Some(0));
}

/// Puts control characters into the line in every possible way.
#[test]
fn nothing_in_a_line_acts_on_the_terminal() {
    let acting = "\u{7}\0\u{9b}\u{202e}\u{200b}";
    for variables in [&[][..], &[("NO_COLOR", "1")]] {
        let home = Home::new();
        let path = home.history();
        fs::create_dir_all(path.parent().expect("it is in a folder")).expect("a folder");
        fs::write(&path, format!("#V2\n40 + 1{acting}\u{1b} + 1\n")).expect("a history");
        let setup = Setup {
            variables,
            home: Arc::clone(&home),
            ..Setup::default()
        };
        let mut terminal = setup.start();
        // From the history: the character is still in the entry, and running it gives an error that shows it.
        terminal.keys(UP);
        terminal.see("∂> 40 + 1 + 1");
        terminal.keys("\r");
        terminal.next_prompt();
        let answer = terminal.answer().join("\n");
        assert!(answer.contains("\\u{7}"), "{answer}");
        // In the hint behind the line, and in a history search.
        terminal.keys("40 +");
        terminal.see("40 + 1 + 1");
        terminal.keys(KILL);
        terminal.keys("\u{12}40");
        terminal.see("(reverse-i-search)`40': 40 + 1 + 1");
        terminal.keys("\u{202e}");
        terminal.see("(failed reverse-i-search)`40': 40 + 1 + 1");
        // Ctrl-G leaves the search.
        terminal.keys("\u{7}");
        terminal.keys(KILL);
        terminal.see("∂>");
        // Pasted, typed, and typed after Ctrl-V.
        terminal.keys(&format!("{}2 + {acting}3{}", PASTE.0, PASTE.1));
        terminal.see("∂> 2 + 3");
        terminal.keys(" + \u{202e}4");
        terminal.see("∂> 2 + 3 + 4");
        terminal.keys("\u{16}\u{7}5\u{16}\u{1b}");
        terminal.see("∂> 2 + 3 + 45");
        terminal.keys(CTRL_C);
        let raw = terminal.shown.0.lock().expect("nobody panics").raw.clone();
        let raw = String::from_utf8(raw).expect("it writes UTF-8");
        for character in ['\u{7}', '\0', '\u{9b}', '\u{202e}', '\u{200b}', '\u{16}'] {
            assert!(!raw.contains(character), "{character:?} with {variables:?}");
        }
    }
}

#[test]
fn tab_in_a_window_of_any_size() {
    for (rows, columns) in [
        (24, 65_535),
        (24, 65_534),
        (24, 1),
        (24, 2),
        (24, 0),
        (1, 80),
        (2, 80),
        (0, 80),
        (65_535, 80),
        (65_535, 65_535),
    ] {
        let mut terminal = start(&["--no-history"]);
        let resize = |terminal: &Terminal, rows, columns| {
            let size = pty_process::Size::new(rows, columns);
            terminal.pty.resize(size).expect("a terminal has a size");
        };
        resize(&terminal, rows, columns);
        terminal.keys("ta");
        terminal.keys(TAB);
        terminal.keys("q");
        terminal.keys(KILL);
        resize(&terminal, ROWS, COLUMNS);
        terminal.keys("40 + 2\r");
        terminal.see("42");
        let screen = terminal.screen();
        assert!(!screen.contains("failed"), "{rows} x {columns}: {screen}");
    }
}

/// A prompt in a home with a lesson, at its first statement.
fn playing(lesson: &str) -> Terminal {
    let home = Home::new();
    let folder = home.0.join("lessons");
    fs::create_dir_all(&folder).expect("a folder");
    fs::write(folder.join("l.calc"), lesson).expect("a lesson");
    let mut terminal = Setup {
        home,
        ..Setup::default()
    }
    .start();
    terminal.keys(":play lessons/l.calc\r");
    terminal
}

const LESSON: &str = "# One.\na = 2\n# Two, which fails.\nb = a + q\n# Three.\nL = a*[1,\n     2]\n\
                      def f(x):\n    y = x^2\n    return y\n:vars\n# The last words.\n";

/// Enter goes through a lesson. What is said comes before the statement, which stands in the line as a whole.
#[test]
fn a_lesson_is_played() {
    let mut terminal = playing(LESSON);
    terminal.line_is("∂> a = 2");
    terminal
        .see("One.\n1 of 5: Enter runs the line, Ctrl-C empties it, Ctrl-D leaves the lesson\n");
    terminal.keys("\r");
    terminal.line_is("∂> b = a + q");
    terminal.see("a = 2\n\nTwo, which fails.\n2 of 5\n");
    // A statement that fails comes again, without the words, and can be mended.
    terminal.keys("\r");
    terminal.see("unknown name `q`");
    terminal.line_is("∂> b = a + q");
    assert_eq!(terminal.screen().matches("Two, which fails.").count(), 1);
    terminal.keys("\u{8}1\r");
    terminal.see("b = 3\n\nThree.\n3 of 5\n");
    terminal.see("∂> L = a*[1,\n …      2]");
    terminal.keys("\r");
    terminal.see("L = [2, 4]");
    terminal.see("∂> def f(x):\n …     y = x^2\n …     return y");
    terminal.keys("\r");
    terminal.see("f(x) = y where y = x^2\n");
    terminal.line_is("∂> :vars");
    terminal.keys("\r");
    terminal.see("The last words.\nthe end of ");
    terminal.line_is("∂>");
    // It is over: an empty line does nothing, and `:play` lists the lessons.
    terminal.keys("\r:play\r");
    terminal.see(":play slope");
    terminal.keys(":save s.calc\r");
    terminal.see("saved");
    let saved = fs::read_to_string(terminal.home.0.join("s.calc")).expect("a session");
    assert!(saved.contains("# One.\na = 2;\n"), "{saved}");
    assert_eq!(terminal.leave(), Some(0));
}

/// In a lesson, a changed statement is the lesson's; after the line was cleared it is the user's.
#[test]
fn a_lesson_waits_for_the_user() {
    let mut terminal = playing("# One.\na = 2\nb = 3a\nc = 4\n");
    terminal.line_is("∂> a = 2");
    terminal.keys("5\r");
    // No answer behind the line until it is changed.
    terminal.line_is("∂> b = 3a");
    terminal.keys("+1");
    terminal.wait("an answer", |shown| {
        shown.row().starts_with("∂> b = 3a+1  ").then_some(())
    });
    terminal.keys("\u{8}\u{8}");
    terminal.line_is("∂> b = 3a");
    terminal.keys(&format!("{KILL}a^2\r"));
    terminal.see("625");
    terminal.line_is("∂> b = 3a");
    terminal.clear();
    terminal.keys(":vars\r");
    terminal.line_is("∂> b = 3a");
    // An earlier line is the user's own. The statement stands in the line before and afterwards, and keys that come
    // while the editor does not read would be the terminal's, so count what is above it.
    let above = |terminal: &Terminal, what: &'static str, count: usize| {
        terminal.wait("the statement", |shown| {
            let rows = shown.rows();
            let found = rows.iter().filter(|row| row.trim_end() == what).count();
            (found == count && shown.row() == "∂> b = 3a").then_some(())
        });
    };
    above(&terminal, "∂> :vars", 1);
    terminal.keys(&format!("{UP}\r"));
    above(&terminal, "∂> :vars", 2);
    // An empty line brings the statement back.
    terminal.keys(&format!("{KILL}\r"));
    above(&terminal, "∂>", 1);
    terminal.keys("\r");
    terminal.see("b = 75\n\n3 of 3\n");
    terminal.line_is("∂> c = 4");
    terminal.clear();
    terminal.keys(":play back\r");
    terminal.line_is("∂> b = 3a");
    terminal.keys(&format!("{KILL}:play 1\r"));
    terminal.line_is("∂> a = 2");
    terminal.keys(&format!("{KILL}:play 4\r"));
    terminal.see("the lesson has no statement 4: it has 3");
    terminal.line_is("∂> a = 2");
    terminal.keys(&format!("{KILL}:play next\r"));
    terminal.line_is("∂> b = 3a");
    // Left by Ctrl-D, and taken up again.
    terminal.clear();
    terminal.keys(CTRL_C);
    terminal.see("note: Ctrl-D leaves the lesson");
    // Before the editor reads again, the terminal itself would take Ctrl-D.
    terminal.line_is("∂>");
    terminal.keys(CTRL_D);
    terminal.see("left at 2 of 3; :play goes on there");
    terminal.line_is("∂>");
    terminal.keys("a + 1\r");
    terminal.see("26");
    terminal.keys(":play\r");
    terminal.line_is("∂> b = 3a");
    terminal.keys(&format!("{KILL}:play stop\r"));
    terminal.line_is("∂>");
    terminal.keys(":play slope\r");
    terminal.line_is("∂> :reset;");
    // Where there is something to delete, Ctrl-D deletes it.
    terminal.keys(&format!("\u{1b}[D{CTRL_D}"));
    terminal.line_is("∂> :reset");
    terminal.keys(CTRL_D);
    terminal.see("slope left at 1 of");
    terminal.line_is("∂>");
    assert_eq!(terminal.leave(), Some(0));
}

/// A wrong guess is asked for again, with the hint that the answer names.
#[test]
fn a_lesson_asks_again_after_a_wrong_guess() {
    let mut terminal = playing("a = 2\nb = 3a\n:guess a 3 of b\n:grad b\n");
    terminal.keys("\r");
    terminal.line_is("∂> b = 3a");
    terminal.keys("\r");
    terminal.line_is("∂> :guess a  of b");
    terminal.keys("5\r");
    terminal.see("db/da is not 5");
    terminal.line_is("∂> :guess a  of b");
    terminal.keys("?\r");
    terminal.see("each, times the grad of its user, adds up to db/da");
    terminal.line_is("∂> :guess a  of b");
    // What stands behind the guess may be changed.
    terminal.keys(&format!("{KILL}:guess a 3\r"));
    terminal.see("right: db/da = 3");
    terminal.line_is("∂> :grad b");
}

/// Without a guess, and after two wrong ones, it is said how to go on.
#[test]
fn a_lesson_says_how_to_go_on_without_a_guess() {
    let way = "note: type a guess, or ? for a hint; Ctrl-C and :play next skip it\n";
    let mut terminal = playing("a = 2\nb = 3a\n:guess a 3 of b\n:grad b\n");
    terminal.line_is("∂> a = 2");
    terminal.entered("\r");
    assert_eq!(terminal.entered("\r"), "∂> :guess a  of b");
    let said = |terminal: &Terminal| terminal.screen().matches(way).count();
    for (keys, times) in [("\r", 1), ("5\r", 1), ("6\r", 2), ("7\r", 2), ("\r", 3)] {
        assert_eq!(terminal.entered(keys), "∂> :guess a  of b");
        assert_eq!(said(&terminal), times, "{}", terminal.screen());
    }
    assert!(
        !terminal.screen().contains("error"),
        "{}",
        terminal.screen()
    );
    terminal.clear();
    assert_eq!(terminal.entered(":play next\r"), "∂> :grad b");
}

/// What a student types where a lesson asks, worked out by hand.
const ANSWERS: [(&str, &[&str]); 10] = [
    ("tour", &[]),
    ("slope", &["14", "-22", "-3", "2", "1"]),
    (
        "chain",
        &[
            "1", "-2", "4", "-2", "-2", "6", "-4", "4", "-2", "-2", "-2", "6", "-4",
        ],
    ),
    ("twice", &["2", "6", "-3", "-3"]),
    ("neuron", &["0.5", "0.5", "1", "-1.5", "0"]),
    ("tanh", &["7.39", "-0.25", "0.5", "0.0429", "1"]),
    ("learning", &["-3.81", "2(o - 1)*(1 - o^2)"]),
    ("network", &["-0.709", "3.46"]),
    ("iris", &[]),
    ("regression", &[]),
];

/// Every lesson goes on after every right number, and asks no question twice.
#[test]
fn lessons_take_the_numbers_that_students_type() {
    for (lesson, answers) in ANSWERS {
        let mut terminal = start(&[]);
        let mut answers = answers.iter();
        let mut asked = Vec::new();
        let mut line = terminal.entered(&format!(":play {lesson}\r"));
        let end = format!("the end of {lesson}, ");
        let mut steps = 0;
        while !terminal.raw().contains(&end) {
            let screen = terminal.screen();
            let walk_asks = line == "∂>" && screen.trim_end().ends_with("= ?\n∂>");
            if line.starts_with("∂> :guess ") && line != "∂> :guess" || walk_asks {
                let answer = answers
                    .next()
                    .unwrap_or_else(|| panic!("{lesson}: {screen}"));
                assert!(
                    !asked.contains(&line) || walk_asks,
                    "{lesson} asks twice: {line}"
                );
                asked.push(line.clone());
                let right = terminal.raw().matches("right: ").count();
                line = terminal.entered(&format!("{answer}\r"));
                let screen = terminal.screen();
                let is_right = terminal.raw().matches("right: ").count() > right;
                assert!(is_right, "{lesson}, {answer}: {screen}");
            } else {
                line = terminal.entered("\r");
            }
            let screen = terminal.screen();
            assert!(!screen.contains("error:"), "{lesson}: {screen}");
            steps += 1;
            assert!(steps < 100, "{lesson} does not end: {screen}");
        }
        assert_eq!(answers.next(), None, "{lesson}");
        assert_eq!(terminal.leave(), Some(0), "{lesson}");
    }
}

/// The signals that end a process leave a terminal that reads lines and shows them, and the history.
#[test]
fn a_signal_at_the_prompt_leaves_the_terminal_as_it_was() {
    for (signal, status) in [("TERM", "143"), ("HUP", "129")] {
        let program = env!("CARGO_BIN_EXE_chainrule");
        let script = format!(
            "sh -c 'echo $$ > pid; exec {program} --no-init'; echo \"status $?\"; stty -a; sleep 9"
        );
        let mut terminal = Setup {
            program: "sh",
            arguments: &["-c", &script],
            ..Setup::default()
        }
        .start();
        assert_eq!(terminal.value("40 + 2"), "42");
        terminal.keys("1 +");
        terminal.line_is("∂> 1 +");
        let pid = fs::read_to_string(terminal.home.0.join("pid")).expect("a number");
        let mut kill = std::process::Command::new("kill");
        let sent = kill.args([&format!("-{signal}"), pid.trim()]).status();
        assert!(sent.expect("kill").success());
        terminal.see(&format!("\nstatus {status}\n"));
        terminal.see(" echo ");
        let screen = terminal.screen();
        for mode in ["icanon", "isig", "icrnl", "opost"] {
            assert!(
                screen.contains(mode) && !screen.contains(&format!("-{mode}")),
                "{screen}"
            );
        }
        let raw = terminal.raw();
        assert!(
            raw.rfind("\u{1b}[?2004l") > raw.rfind("\u{1b}[?2004h"),
            "{raw:?}"
        );
        let history = fs::read_to_string(terminal.home.history()).expect("a history");
        assert!(history.contains("40 + 2"), "{history}");
    }
}

/// Paths in a lesson begin at the folder of its file.
#[test]
fn a_lesson_finds_its_files() {
    let mut terminal = playing(":data points.csv\n1 + 1\n");
    let data = terminal.home.0.join("lessons/points.csv");
    fs::write(data, "p\n1\n2\n").expect("data");
    terminal.line_is("∂> :data points.csv");
    terminal.keys("\r");
    terminal.see("p: 2 rows");
    terminal.line_is("∂> 1 + 1");
    terminal.clear();
    terminal.keys(&format!(":pla{TAB}sl{TAB}"));
    terminal.line_is("∂> :play slope");
    terminal.clear();
    terminal.keys(CTRL_D);
    terminal.see("left at 2 of 2");
    assert_eq!(terminal.leave(), Some(0));
}

/// While a walk asks for a number, the line is free for the answer, right or wrong.
#[test]
fn a_lesson_waits_while_a_walk_asks() {
    let mut terminal = playing("a, b = 2, 3\nL = a*b\n:walk L ask\n:walk end\n");
    terminal.line_is("∂> a, b = 2, 3");
    terminal.keys("\r");
    terminal.line_is("∂> L = a*b");
    terminal.keys("\r");
    terminal.line_is("∂> :walk L ask");
    terminal.keys("\r");
    terminal.see("dL/da = ?\n∂>");
    terminal.line_is("∂>");
    terminal.keys("2\r");
    terminal.see("dL/da is not 2");
    terminal.line_is("∂>");
    terminal.keys("b\r");
    terminal.see("right: dL/da = 3");
    terminal.line_is("∂>");
    terminal.keys("a\r");
    terminal.see("4 of 4");
    terminal.line_is("∂> :walk end");
    terminal.clear();
    terminal.keys(CTRL_D);
    terminal.see("left at 4 of 4");
    assert_eq!(terminal.leave(), Some(0));
}

/// A home with an init script.
fn home_with_init(text: &str) -> Arc<Home> {
    let home = Home::new();
    let folder = home.0.join("config/chainrule");
    fs::create_dir_all(&folder).expect("a folder");
    fs::write(folder.join("init.calc"), text).expect("a file");
    home
}

#[test]
fn colours_are_those_of_the_theme_and_the_terminal_is_asked_nothing() {
    for (init, name) in [
        ("", "63"),
        (":config theme dark\n", "123"),
        (":config theme light\n", "24"),
    ] {
        let setup = Setup {
            home: home_with_init(init),
            ..Setup::default()
        };
        let mut terminal = setup.start();
        terminal.enter("alpha = 17");
        terminal.enter("alpha");
        let written = format!("\u{1b}[38;5;{name}malpha\u{1b}[0m");
        assert!(terminal.raw().contains(&written), "{:?}", terminal.raw());
        assert!(!terminal.raw().contains("\u{1b}]"), "{:?}", terminal.raw());
        assert_eq!(terminal.leave(), Some(0));
    }
}

#[test]
fn the_rest_of_an_earlier_line_stands_only_where_enter_runs_the_line() {
    let text = "#V2\nsee\\nthis\nL = (a*b + c)*f\n:grad L wrt a\nrate = 0.25\n";
    for (variables, shown) in [
        (
            &[][..],
            [
                "∂> rate = 0.25 [→]",
                "∂> :grad L wrt a [→]",
                "∂> L = (a*b + c)*f [→]",
                "∂> rate = 0.25 [→]",
            ],
        ),
        (
            &[("NO_COLOR", "1")],
            [
                "∂> rate = 0.[25 →]",
                "∂> :grad[ L wrt a →]",
                "∂> L = (a[*b + c)*f →]",
                "∂> rate = 0.2[5 →]",
            ],
        ),
    ] {
        let home = Home::with_history(text);
        let setup = Setup {
            variables,
            home,
            ..Setup::default()
        };
        let mut terminal = setup.start();
        let typed = |terminal: &mut Terminal, line: &str, expected: &str| {
            terminal.keys(KILL);
            terminal.keys(line);
            let expected = expected.to_string();
            terminal.wait(&expected, |shown| (shown.row() == expected).then_some(()));
        };
        // In a new session each of these would be an error.
        for line in ["rate", "rate =", "L", "L = ", ":grad", ":grad L", "see"] {
            typed(&mut terminal, line, format!("∂> {line}").trim_end());
        }
        typed(&mut terminal, "rate = 0.", shown[0]);
        // Enter runs what is typed, Right takes the rest.
        terminal.keys("\r");
        terminal.see("rate = 0\n");
        typed(&mut terminal, "rate = 0.2", shown[3]);
        terminal.keys("\u{1b}[C\r");
        terminal.see("rate = 0.25\n∂>");
        // Where the line goes on, too.
        typed(&mut terminal, "L = (a", shown[2]);
        terminal.keys(KILL);
        terminal.keys("a, b, c, f = 2, -3, 10, -2; L = (a*b + c)*f;\r");
        terminal.wait("a prompt", |shown| (shown.row() == "∂>").then_some(()));
        typed(&mut terminal, ":grad", shown[1]);
        // What the line would answer looks different.
        typed(
            &mut terminal,
            "rate",
            if variables.is_empty() {
                "∂> rate   = 0.25"
            } else {
                "∂> rate   # = 0.25"
            },
        );
    }
}

/// However long the earlier line is, its rest stays in the row. Right takes all of it.
#[test]
fn the_rest_of_a_long_line_ends_with_the_row() {
    let numbers: Vec<String> = (10..99).map(|number| number.to_string()).collect();
    let long = format!("w = [{}]", numbers.join(", "));
    let home = Home::with_history(&format!("#V2\n{long}\n"));
    let mut terminal = Setup {
        home,
        ..Setup::default()
    }
    .start();
    for typed in [
        "w = [10",
        "w = [10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29",
    ] {
        terminal.keys(&format!("{KILL}{typed}"));
        terminal.wait("the rest", |shown| {
            shown.row().ends_with("… [→]").then_some(())
        });
    }
    terminal.keys("\u{1b}[C\r");
    terminal.see("98]\nw = [10, 11,");
    terminal.keys("sum(w)\r");
    terminal.see("= 4806\n");
    assert_eq!(terminal.leave(), Some(0));
}

#[test]
fn a_line_that_begins_with_an_operator_goes_on_from_the_last_result() {
    let mut terminal = start(&[]);
    assert_eq!(
        terminal.enter("*3"),
        [
            "error: there is no result yet from which `*` could go on",
            "      *3",
            "      ^",
            "      a line that begins with an operator goes on from the last result: type a",
            "      value first"
        ]
    );
    terminal.enter("6");
    terminal.keys("*3");
    terminal.wait("the result", |shown| {
        (shown.row() == "∂> *3   = 18").then_some(())
    });
    terminal.keys("\r");
    terminal.next_prompt();
    assert_eq!(terminal.answer(), ["→ ans*3", "$2 = 18"]);
    assert_eq!(terminal.enter("/ 2"), ["→ ans/ 2", "$3 = 9"]);
    // These begin with a sign.
    assert_eq!(terminal.enter("-3"), ["$4 = -3"]);
    assert_eq!(terminal.leave(), Some(0));
}
