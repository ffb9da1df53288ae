//! Tests of the prompt that no record of keys and screens can have: long work, windows of any size, huge input, and
//! several prompts at once. `tests/screens/keys/` has the others.
#![cfg(unix)]

use crate::common::process::Folder;
use crate::common::terminal::{Size, Terminal, WINDOW};

const TAB: &str = "\t";
const CTRL_C: &str = "\u{3}";
/// Ctrl-U: deletes the text before the cursor.
const KILL: &str = "\u{15}";
const PASTE: (&str, &str) = ("\u{1b}[200~", "\u{1b}[201~");

/// Starts the program and waits for its prompt.
fn start(folder: &Folder) -> Terminal {
    let terminal = Terminal::start(folder, "exec chainrule", WINDOW);
    terminal.see("prompt", |text| text.ends_with("\n∂>"));
    terminal
}

/// Enters a line, and waits for this answer and the next prompt.
fn enter(terminal: &Terminal, line: &str, answer: &str) {
    terminal.press(&format!("{line}\r"));
    terminal.see(answer, |text| text.ends_with(&format!("{answer}\n∂>")));
}

/// Progress is shown, with the speed and the time left, until Ctrl-C: what was done until then is one change.
#[test]
fn ctrl_c_stops_what_runs_and_the_session_goes_on() {
    let folder = Folder::new();
    let terminal = start(&folder);
    // Ten million steps over these nodes take about a minute.
    for line in [
        "few(x) = 0*tanh(x) + 0*tanh(x) + 0*tanh(x) + 0*tanh(x)",
        "many(x) = few(x) + few(x) + few(x) + few(x) + few(x) + few(x)",
    ] {
        enter(&terminal, line, line);
    }
    let line = "x = 3; L = (x - 1)^2 + many(x) + many(x) + many(x) + many(x)";
    enter(&terminal, line, "L = 4");
    terminal.press(":step 1e-9 10000000\r");
    let progress = ["step ", " of 10,000,000   value ", " left   ", " steps/s"];
    let is_told = |text: &str| progress.iter().all(|part| text.contains(part));
    terminal.see("progress", is_told);
    terminal.press(CTRL_C);
    terminal.see("stop", |text| {
        text.contains(" of 10,000,000 steps, then\n  interrupted)") && text.ends_with("\n∂>")
    });
    let text = terminal.screen().text();
    assert!(!text.contains("steps/s"), "it is wiped away: {text}");
    assert!(!text.contains("\n^C"), "the answer has its rows: {text}");
    enter(&terminal, "(x < 3)*77", "= 77");
    enter(&terminal, ":undo", "undone: :step 1e-9 10000000");
    enter(&terminal, "x - 8", "= -5");
}

/// 40 KB at once, very deep nesting, and keys that arrive as fast as in a paste without markers.
#[test]
fn huge_input_neither_hangs_nor_crashes_the_prompt() {
    let long = format!("{}1", "((1+2)*3)+".repeat(4_000));
    for (text, pasted, answer) in [
        (long.clone(), true, "= 36001"),
        (long[..1_000].to_string() + "1", false, "= 901"),
        ("(".repeat(100_000), true, "error: brackets"),
        (vec!["a = 1"; 5_700].join("\n"), true, "a = 1"),
        ("a = 2\rb = a*3\ra + b".to_string(), false, "= 8"),
    ] {
        let folder = Folder::new();
        let terminal = start(&folder);
        let (begin, end) = if pasted { PASTE } else { ("", "") };
        terminal.press(&format!("{begin}{text}{end}\r7*11*13\r"));
        terminal.see(answer, |text| {
            text.contains(answer) && text.ends_with(" = 1001\n∂>")
        });
    }
}

/// Tab, in a window of any size, at the beginning or later.
#[test]
fn tab_does_no_harm() {
    let lines = [
        "ta",
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
    ];
    for (rows, columns) in [
        (100, 80),
        (100, 12),
        (100, 1),
        (24, 65_535),
        (24, 65_534),
        (24, 2),
        (24, 0),
        (1, 80),
        (2, 80),
        (0, 80),
        (65_535, 80),
        (65_535, 65_535),
    ] {
        let folder = Folder::new();
        let terminal = start(&folder);
        terminal.press("長い名前 = 1; b = 2\r");
        terminal.see("answer", |text| text.ends_with("b = 2\n∂>"));
        terminal.tell_size(Size { columns, rows });
        for line in lines {
            // The test leaves a list that is too long for the screen, and deletes the line.
            terminal.press(&format!("{line}{TAB}{TAB}q{KILL}"));
        }
        terminal.tell_size(WINDOW);
        terminal.press("6*7 # end\r");
        terminal.see("answer", |text| {
            let after = text.split("# end").last().unwrap_or_default();
            after.contains(" = 42") && !text.contains("failed")
        });
    }
}

#[test]
fn several_prompts_share_a_history() {
    let folder = Folder::new();
    let one = start(&folder);
    enter(&one, "one = 1", "one = 1");
    let other = start(&folder);
    enter(&other, "two = 2", "two = 2");
    enter(&one, "three = 3", "three = 3");
    enter(&other, "four = 4", "four = 4");
    let history = folder.text("state/chainrule/history");
    assert_eq!(history, "#V2\none = 1\ntwo = 2\nthree = 3\nfour = 4\n");
}
