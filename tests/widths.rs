//! Windows of every width: no line is wider, words are not cut, and what does not fit is replaced by a sign.

use chainrule::command::Reply;
use chainrule::commands::COMMANDS;
use chainrule_report::characters::width;
use chainrule_report::diagnostic::Diagnostic;
use chainrule_report::{Block, Report};
use chainrule_view::Style;

use crate::common::{Desk, answers_text};

type Answers = Vec<Result<Reply, Diagnostic>>;

/// Lines with long answers, notes or errors.
const LINES: &[&str] = &[
    "a, b, c, f = 2, -3, 10, -2",
    "L = (a*b + c)*f",
    "x1, x2, w1, w2, bias = 2, 0, -3, 1, 6.8813735870195432",
    "a_long_name_of_an_output = tanh(x1*w1 + x2*w2 + bias)*exp(-x1^2)",
    ":grad a_long_name_of_an_output",
    ":vars",
    ":help operations",
    ":config",
    ":log",
    ":walk L",
    ":next 3",
    ":walk end",
    ":explain a",
    ":step 0.01 20",
    ":set a 5",
    ":topo L",
    ":tree a_long_name_of_an_output",
    ":check L",
    ":wrong",
    ":wrong overwrite b",
    "w = [k^2/7 for k in 1..40]",
    "M = [[i*j/3 for i in 1..9] for j in 1..9]",
    "W1 = [[sin(3*j + k) for k in 1..2] for j in 1..10]; b1 = [cos(j) for j in 1..10]",
    "w2 = [sin(j^2) for j in 1..10]; b2 = 0.5; net(x) = dot(w2, relu(dot(W1, x) + b1)) + b2",
    "const p1, p2 = [sin(5j) for j in 1..12], [cos(7j) for j in 1..12]",
    "score = [net(p) for p in zip(p1, p2)]; params = flat([W1, b1, w2])",
    "loss = mean(relu(1 - p1*score)) + 0.01*sum(params^2)",
    ":grad loss",
    ":explain W1[0][1] of loss",
    ":walk loss",
    ":next 30",
    ":tree loss",
    ":topo loss",
    ":nudge w2[1]",
    ":guess",
    "W1",
    ":tour",
    ":next",
    "1/0",
    "ln(-a_long_name_of_an_output)",
    "tan(a, b)",
    "a_long_name_of_an_outpt + 1",
    "1,000 + 2",
    "a b",
    "sin x",
    ":nope",
    ":grad",
    ":grad nobody",
    ":config digits 99",
    ":config nothing",
    "import numpy as np",
    "y = np.tanh(a)",
    "for k in 1..3: k^2",
    "while True:",
    ":guess a 1",
    ":solve L = 3",
    ":minimize L",
    "p, q = 1",
    "((a + b)",
    "*3",
    "5 = a",
    ":load nowhere.calc",
    ":save",
];

/// Everything that was typed, with its answers. What is laid out already is left out: code, drawings.
fn sessions() -> Vec<(String, Answers)> {
    let mut all = Vec::new();
    let mut run = |desk: &mut Desk, line: &str| {
        let mut answers = desk.try_line(line);
        for reply in answers.iter_mut().flatten() {
            let laid_out = |report: &mut Report| {
                report.blocks.retain(|block| {
                    !matches!(block, Block::Code(_) | Block::Graph(_) | Block::Plot(_))
                });
            };
            reply.report.iter_mut().for_each(laid_out);
            reply.more.iter_mut().for_each(laid_out);
        }
        all.push((line.to_string(), answers));
    };
    let mut desk = Desk::default();
    for line in LINES {
        run(&mut desk, line);
    }
    for command in COMMANDS {
        let mut desk = Desk::default();
        for line in command.example().lines() {
            if let Some(line) = line.strip_prefix("∂> ") {
                run(&mut desk, line);
            }
        }
        run(&mut desk, &format!(":help {}", command.name));
    }
    let mut desk = Desk::default();
    let help = desk.screen(":help all");
    let topics = help
        .split_whitespace()
        .filter(|word| word.chars().all(|c| c.is_ascii_lowercase() || c == '-'));
    for topic in topics.chain(["tanh", "/", "digits", "search grad", "all", ""]) {
        run(&mut desk, format!(":help {topic}").trim_end());
    }
    all
}

#[test]
fn no_line_is_wider_than_the_window() {
    let sessions = sessions();
    assert!(sessions.len() > 300, "{}", sessions.len());
    let mut wide = Vec::new();
    for columns in (20..=200).rev() {
        let style = Style {
            width: Some(columns),
            ..Style::default()
        };
        for (line, answers) in &sessions {
            let text = answers_text(line, answers, &style);
            // The line that was run instead is code.
            let rows = text.lines().filter(|row| !row.starts_with('→'));
            // A word that is about as wide as the window is left to the terminal.
            let last = |row: &str| row.split(' ').next_back().map_or(0, width);
            let rows = rows.filter(|row| last(row) + 8 <= columns);
            for row in rows.filter(|row| width(row) > columns) {
                wide.push(format!("{line}, {columns} columns: {row}"));
            }
        }
    }
    let count = wide.len();
    wide.truncate(40);
    assert!(
        wide.is_empty(),
        "{count} rows are too wide:\n{}",
        wide.join("\n")
    );
}

/// What is shown, without blanks and line breaks.
fn letters(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace()).collect()
}

#[test]
fn words_of_errors_are_wrapped_and_none_is_lost() {
    let mut desk = Desk::with(&["alpha = 2"]);
    for line in [
        "alhpa + 1",
        "tan(1, 2)",
        "sin x",
        "1,000",
        ":nope",
        "import numpy",
        "alpha = ",
    ] {
        let answers = desk.try_line(line);
        let at = |columns| {
            let style = Style {
                width: Some(columns),
                ..Style::default()
            };
            answers_text(line, &answers, &style)
        };
        let whole = at(200);
        for columns in 26..200 {
            let text = at(columns);
            let carets = |text: &str| letters(text).replace('^', "");
            assert_eq!(carets(&text), carets(&whole), "{line}, {columns}:\n{text}");
            // A line ends where a word of the whole text ends.
            let words: Vec<&str> = whole.split_whitespace().collect();
            for row in text.lines() {
                let last = row.split_whitespace().next_back().unwrap_or_default();
                assert!(
                    words.contains(&last) || last.starts_with('^') || last.ends_with('…'),
                    "{line}, {columns}: {last:?} is cut\n{text}"
                );
            }
        }
    }
}
