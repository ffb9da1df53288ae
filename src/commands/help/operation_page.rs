//! The page of `:help` on an operation: its row of the table of operations, in words.
//!
//! Formula, derivatives, domain, kinks, flat stretches and an example that is computed when the page is shown; all of
//! it follows from the row. `small_curves` draws the curve.

use super::prose;
use super::small_curves;
use crate::commands::look::ops::written;
use crate::graph::Node;
use crate::ops::{Domain, Flat, Op, Shape};
use crate::report::{Block, Line, Prose, join, say};
use crate::session::Session;
use crate::syntax;
use crate::syntax::Span;

/// The column in which the text of a row begins.
const COLUMN: usize = 15;

/// The names of operands.
const OPERANDS: [&str; 3] = ["x", "y", "z"];

/// How far from 0 flat regions are searched, in steps of [`STRIDE`].
const FAR: f64 = 12.0;
const STRIDE: f64 = 0.5;

/// The blocks of the page.
pub(crate) fn blocks(op: &'static Op) -> Vec<Block> {
    let form = written(op);
    let mut blocks = vec![
        Block::Prose(Prose::paragraph(say!(
            "{:formula}   {}",
            &form,
            prose::line(op.summary)
        ))),
        prose::gap(),
    ];
    let mut row = |term: &str, line: Line| {
        blocks.push(Block::Prose(Prose {
            term: if term.is_empty() {
                Line::new()
            } else {
                say!("{:dim}", term)
            },
            column: COLUMN,
            line,
        }));
    };
    // Behind `d/dx` an operator needs brackets, a call does not.
    let inner = if op.shape == Shape::Call {
        form.clone()
    } else {
        format!("({form})")
    };
    let (least, most) = op.arity();
    let count = if most.is_none() { 1 } else { least };
    for (position, operand) in OPERANDS.iter().enumerate().take(count) {
        let term = if position > 0 {
            ""
        } else if count == 1 {
            "derivative"
        } else {
            "derivatives"
        };
        let derivative = format!("d/d{operand} {inner}");
        row(
            term,
            say!("{:formula} = {:formula}", derivative, op.shown(position)),
        );
    }
    if (0..count).any(|position| names(op.shown(position), "out")) {
        let out = format!("where `out` is the value, `{form}`");
        row("", prose::line(&out));
    }
    if most.is_none() {
        let list = format!(
            "one list or several numbers: `{0}(w)`, `{1}`; `:help list-functions`",
            op.spelling, op.example
        );
        row("takes", prose::line(&list));
        let operands =
            "`x` is any of the operands, one or more; `y` is the other one, or all the others";
        row("", prose::line(operands));
    }
    match op.domain {
        Domain::Everywhere => row("defined", say!("everywhere")),
        Domain::Where { text, hint, .. } => {
            let line = say!(
                "for {:formula}; elsewhere value and derivative are NaN",
                text
            );
            row(
                "defined",
                match hint {
                    Some(hint) => say!("{}; {}", line, prose::line(hint)),
                    None => line,
                },
            );
        }
    }
    for kink in op.kinks {
        row(&format!("at {}", kink.at), prose::line(kink.convention));
    }
    for flat in op.flats {
        let line = match stretch(op, flat) {
            Some(stretch) => {
                say!(
                    "{:formula}: it {}, and the slope is 0 or nearly 0",
                    stretch,
                    flat.said
                )
            }
            None => say!("no slope: it {}", flat.said),
        };
        row("flat", line);
    }
    if !op.aliases.is_empty() {
        row("also", say!("{:formula}", op.aliases.join(" ")));
    }
    let typed = if op.shape == Shape::Call && (least, most) == (1, Some(1)) {
        let name = op.spelling;
        format!("`{name}(x)`, `x.{name}()`; the derivative `{name}'(x)`, the second `{name}''(x)`")
    } else {
        format!("the derivative: `grad({form}, x)`, for a name `x`").replace(", …", "")
    };
    row("typed", prose::line(&typed));
    for (term, line) in example(op) {
        row(term, line);
    }
    if let Some(plot) = small_curves::miniature(op) {
        blocks.extend([prose::gap(), Block::Plot(plot)]);
    }
    blocks
}

/// Does a formula contain this name?
fn names(formula: &str, word: &str) -> bool {
    formula
        .split(|c: char| !(c.is_alphanumeric() || c == '_'))
        .any(|part| part == word)
}

/// The example with its value and its derivatives.
fn example(op: &'static Op) -> Vec<(&'static str, Line)> {
    let text = op.example;
    let mut session = Session::new();
    let expression = syntax::expression(text, Span::new(0, text.len())).ok();
    let evaluated =
        expression.and_then(|expression| session.evaluate_number(text, &expression).ok());
    let Some((node, _)) = evaluated else {
        return vec![("example", say!("{:typed}", text))];
    };
    let mut rows = vec![("example", say!("{:typed} = {}", text, node.data()))];
    rows.extend(slopes(op, &node).map(|line| ("", line)));
    rows
}

/// The derivatives at the example: `there d/dx = 0.786447732966`
fn slopes(op: &'static Op, node: &Node) -> Option<Line> {
    if node.op() != Some(op) || node.operands().len() > OPERANDS.len() {
        return None;
    }
    let operands: Vec<f64> = node
        .operands()
        .iter()
        .map(|operand| operand.data())
        .collect();
    let slope = |(position, name): (usize, &&str)| {
        let local = op.local(&operands, position, node.data());
        say!("{:formula} = {}", format!("d/d{name}"), local)
    };
    let named = OPERANDS.iter().enumerate().take(operands.len());
    Some(say!("there {}", join(named.map(slope), ", ")))
}

/// Where an operation of one operand is flat: `x <= -3 or x >= 3`. Ends are looked for in steps of a half.
fn stretch(op: &Op, flat: &Flat) -> Option<String> {
    if op.arity() != (1, Some(1)) {
        return None;
    }
    let holds = |x: f64| (flat.holds)(&[x], 0, op.value(&[x]));
    let mut parts = Vec::new();
    // From the far left as long as it is flat, then the same from the far right.
    for (sign, open, closed) in [(-1.0, "<", "<="), (1.0, ">", ">=")] {
        if !holds(sign * FAR) {
            continue;
        }
        let steps = (2.0 * FAR / STRIDE) as usize;
        let last = (0..=steps)
            .map(|step| sign * (FAR - step as f64 * STRIDE))
            .take_while(|x| holds(*x))
            .last()?;
        // If it still holds just beyond, the stretch reaches up to the next half, without its end.
        let beside = last - sign * 1e-9;
        let (sign_shown, end) = if holds(beside) {
            (open, last - sign * STRIDE)
        } else {
            (closed, last)
        };
        // No `-0`.
        let end = if end == 0.0 { 0.0 } else { end };
        parts.push(format!("x {sign_shown} {end}"));
    }
    (!parts.is_empty()).then(|| parts.join(" or "))
}
