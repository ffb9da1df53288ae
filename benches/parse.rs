//! The cost of reading text: long lines in bytes per second, short lines in nanoseconds each, parsed and built.
//!
//! The yardstick is the least that any reader must do: a handwritten tokenizer that splits the text into words, numbers
//! and signs and converts the numbers, without a tree, positions or errors. `cargo bench --bench parse`

// Like a test, a benchmark is read from top to bottom.
#![allow(clippy::shadow_unrelated, clippy::too_many_lines)]

mod common;

use std::fmt::Write as _;
use std::hint::black_box;

use chainrule::interpret;
use chainrule_language as language;
use chainrule_session::Session;
use common::{Random, row, table, time};

fn main() {
    let mut rows = vec![row([
        "MB a second",
        "by hand",
        "parsed",
        "ratio",
        "and built",
        "ratio",
    ])];
    for terms in [1_000, 100_000] {
        let text = sum(terms);
        let bytes = text.len() as f64 * 1e3;
        let [hand, parsed, built] = measure(&text).map(|ns| bytes / ns);
        rows.push(figures(
            &format!("a sum of {terms} terms"),
            [hand, parsed, hand / parsed, built, hand / built],
        ));
    }
    table("long lines", &rows);

    let mut rows = vec![row([
        "ns a line",
        "by hand",
        "parsed",
        "ratio",
        "and built",
        "ratio",
    ])];
    for line in [
        "x",
        "x17 = x16 * 1.0001 + 0.5;",
        "L = (a*b + c) * f",
        "v9 = tanh(x*w + y*v + b) - 0.5*v^2",
    ] {
        let [hand, parsed, built] = measure(line);
        rows.push(figures(
            line,
            [hand, parsed, parsed / hand, built, built / hand],
        ));
    }
    table("short lines", &rows);
}

/// The times of the three ways to read a text.
fn measure(text: &str) -> [f64; 3] {
    let mut session = Session::new();
    for name in ["a", "b", "c", "f", "v", "w", "x", "x16", "y"] {
        run(&mut session, &format!("{name} = 0.5;"));
    }
    let hand = time(|| drop(black_box(by_hand(text))));
    let parsed = time(|| {
        for cut in language::statements(text) {
            let cut = cut.expect("the text can be cut");
            drop(black_box(
                language::statement(text, &cut).expect("the text is a statement"),
            ));
        }
    });
    let built = time(|| run(&mut session, text));
    [hand, parsed, built]
}

fn run(session: &mut Session, text: &str) {
    for cut in language::statements(text) {
        let cut = cut.expect("the text can be cut");
        let reply = interpret::statement(session, text, &cut);
        assert!(reply.is_ok(), "{text}");
    }
}

fn figures(name: &str, [hand, parsed, first, built, second]: [f64; 5]) -> Vec<String> {
    let figure = |value: f64| format!("{value:.0}");
    let ratio = |value: f64| format!("{value:.1}x");
    vec![
        name.to_string(),
        figure(hand),
        figure(parsed),
        ratio(first),
        figure(built),
        ratio(second),
    ]
}

/// Terms of several kinds over the names `a` to `f`.
fn sum(terms: usize) -> String {
    let mut random = Random(7);
    let mut text = String::new();
    for term in 0..terms {
        let mut name = || ["a", "b", "c", "f"][random.below(4)];
        let (x, y) = (name(), name());
        text += if term == 0 {
            ""
        } else {
            [" + ", " - "][random.below(2)]
        };
        let _ = match random.below(8) {
            0 => write!(text, "{x} * {y}"),
            1 => write!(text, "({x} - {y}) * {y}"),
            2 => write!(text, "tanh({x})"),
            3 => write!(text, "{:.3} * {x}", 0.1 + random.unit()),
            4 => write!(text, "{x} / {}", 2 + random.below(9)),
            5 => write!(text, "{x}^2"),
            6 => write!(text, "exp(-{x})"),
            _ => write!(text, "{x}"),
        };
    }
    text
}

/// The yardstick: a tokenizer that returns words, numbers and signs, each with its numeric value.
fn by_hand(text: &str) -> Vec<(&str, f64)> {
    let bytes = text.as_bytes();
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        let rest = &bytes[at..];
        let run = |belongs: fn(&u8) -> bool| rest.iter().take_while(|byte| belongs(byte)).count();
        let length = match byte {
            b'0'..=b'9' => run(|byte| byte.is_ascii_digit() || *byte == b'.'),
            b'a'..=b'z' | b'A'..=b'Z' => run(u8::is_ascii_alphanumeric),
            _ => 1,
        };
        let token = &text[at..at + length];
        at += length;
        match byte {
            b' ' => {}
            b'0'..=b'9' => tokens.push((token, token.parse().unwrap_or(f64::NAN))),
            _ => tokens.push((token, 0.0)),
        }
    }
    tokens
}
