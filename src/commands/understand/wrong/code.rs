//! The lines of code of `:wrong`, right and with the mistake, as the lecture writes them.
//!
//! A mistake in how any operation passes its grad on is shown in the one in which it happened first.

use crate::graph::{Node, PassFault};
use crate::ops::{Op, Rule, word_by_word};
use crate::study::{Comparison, FamousMistake};

/// Lines of code, right and wrong.
pub(super) struct CodeChange {
    /// The method they stand in, `__add__`, if they are about an operation.
    pub(super) method: Option<String>,
    pub(super) right: String,
    pub(super) wrong: String,
}

/// What the lecture calls the operands.
const OWNERS: [&str; 3] = ["self", "other", "third"];

/// The methods behind the operators of Python.
const METHODS: &[(&str, &str)] = &[
    ("addition", "__add__"),
    ("subtraction", "__sub__"),
    ("multiplication", "__mul__"),
    ("division", "__truediv__"),
    ("modulo", "__mod__"),
    ("power", "__pow__"),
    ("negation", "__neg__"),
];

/// What the texts of rows have from Python's `math`.
const MATH: &[&str] = &[
    "sqrt", "exp", "sin", "cos", "sinh", "cosh", "tanh", "hypot", "erf", "floor", "trunc", "pi",
];

/// The change that makes this mistake.
pub(super) fn change(rule: FamousMistake, compared: &Comparison) -> CodeChange {
    let from_lesson = || CodeChange {
        method: None,
        right: rule.lesson.right.to_string(),
        wrong: rule.lesson.wrong.to_string(),
    };
    let Some(story) = &compared.story else {
        return from_lesson();
    };
    let (given, spoil): (_, fn(&str) -> String) = match rule.fault {
        PassFault::Overwrite => (story.last[0].as_ref(), |line| line.replacen("+=", "=", 1)),
        PassFault::LocalOnly => {
            let mut givers = story.givers.iter();
            let giver = givers.find(|giver| giver.right != 1.0);
            (giver.map(|giver| &giver.given), |line| {
                line.replace(" * out.grad", "")
            })
        }
        _ => return from_lesson(),
    };
    let Some((node, op)) = given.and_then(|given| Some((&given.node, given.node.op()?))) else {
        return from_lesson();
    };
    let lines = lines(node, op);
    let wrong: Vec<String> = lines.iter().map(|line| spoil(line)).collect();
    CodeChange {
        method: Some(method(op).to_string()),
        right: lines.join("\n"),
        wrong: wrong.join("\n"),
    }
}

fn method(op: &'static Op) -> &'static str {
    let known = METHODS.iter().find(|(name, _)| *name == op.name);
    known.map_or(op.spelling, |(_, method)| method)
}

/// What each operand that varies gets.
fn lines(node: &Node, op: &'static Op) -> Vec<String> {
    let operands = node.operands();
    if matches!(op.rule, Rule::Many { .. }) && operands.len() != 2 {
        let local = op.shown(0);
        let says_other = word_by_word(local).any(|(word, _)| word == "y");
        let local = if says_other {
            "local".to_string()
        } else {
            in_python(local, &["child"])
        };
        return vec![
            "for child in out._prev:".to_string(),
            line("    child", &local),
        ];
    }
    let mut lines = Vec::new();
    for place in 0..operands.len().min(OWNERS.len()) {
        let local = op.shown(place);
        if !operands[place].varies() || local == "0" {
            continue;
        }
        let mut owners = OWNERS;
        if place == 1 && matches!(op.rule, Rule::Many { .. }) {
            // Texts of these call the operand itself `x`.
            owners.swap(0, 1);
        }
        lines.push(line(OWNERS[place], &in_python(local, &owners)));
    }
    lines
}

fn line(owner: &str, local: &str) -> String {
    format!("{owner}.grad += {local} * out.grad")
}

/// A text of a row in Python: `other.data * self.data**(other.data - 1)`.
fn in_python(text: &str, owners: &[&str]) -> String {
    let condition = text
        .strip_prefix("if(")
        .and_then(|text| text.strip_suffix(", 1, 0)"));
    if let Some(condition) = condition {
        return format!("({})", in_python(condition, owners));
    }
    let mut out = String::new();
    for (word, after) in word_by_word(text) {
        let place = ["x", "y", "z"].iter().position(|&name| name == word);
        match place.and_then(|place| owners.get(place)) {
            Some(owner) => out.extend([owner, ".data"]),
            None if word == "out" => out.push_str("out.data"),
            None if word == "ln" => out.push_str("math.log"),
            None if MATH.contains(&word) => out.extend(["math.", word]),
            None => out.push_str(word),
        }
        for sign in after.chars() {
            match sign {
                '^' => out.push_str("**"),
                '*' | '/' => out.extend([' ', sign, ' ']),
                _ => out.push(sign),
            }
        }
    }
    match out.as_str() {
        "1" | "-1" => out + ".0",
        _ if is_sum(&out) => format!("({out})"),
        _ => out,
    }
}

/// Whether a plus or minus stands in a text outside of brackets, not counting a first sign.
fn is_sum(text: &str) -> bool {
    let mut depth = 0_usize;
    text.char_indices().any(|(at, sign)| {
        match sign {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0 && at > 0 && matches!(sign, '+' | '-')
    })
}
