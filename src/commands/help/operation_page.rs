//! The help page of an operation, made from its row of the table of operations.
//!
//! It shows the formula, the derivatives, the domain, kinks, flat regions (where the gradient vanishes), and an
//! example, which is computed when the page is shown. The curves come from `small_curves`.

use super::prose;
use super::small_curves;
use crate::commands::look::ops::written;
use crate::graph::Node;
use crate::ops::{Domain, Flat, Op, Shape};
use crate::report::{Block, Line, Piece, Prose};
use crate::session::Session;
use crate::syntax;
use crate::syntax::Span;

/// The column in which the text of a row begins.
const COLUMN: usize = 15;

/// The names of the operands.
const OPERANDS: [&str; 3] = ["x", "y", "z"];

/// How far from 0 flat regions are searched, in steps of [`STRIDE`].
const FAR: f64 = 12.0;
const STRIDE: f64 = 0.5;

/// The blocks of the page.
pub(crate) fn blocks(op: &'static Op) -> Vec<Block> {
    let form = written(op);
    let mut blocks = vec![
        Block::Prose(Prose::paragraph(
            [
                vec![Piece::formula(&*form), Piece::plain("   ")],
                prose::line(op.summary),
            ]
            .concat(),
        )),
        prose::gap(),
    ];
    let mut row = |term: &str, line: Line| {
        blocks.push(Block::Prose(Prose {
            term: if term.is_empty() {
                Line::new()
            } else {
                vec![Piece::dim(term)]
            },
            column: COLUMN,
            line,
        }));
    };
    // An operator with its operands needs brackets before it can be differentiated.
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
        let shown = op.shown(position);
        row(
            term,
            vec![
                Piece::formula(format!("d/d{operand} {inner}")),
                Piece::plain(" = "),
                Piece::formula(shown),
            ],
        );
    }
    if (0..count).any(|position| names(op.shown(position), "out")) {
        row(
            "",
            prose::line(&format!("where `out` is the value, `{form}`")),
        );
    }
    if most.is_none() {
        row(
            "",
            prose::line("`x` is any of the operands, `y` the other one of two"),
        );
    }
    match op.domain {
        Domain::Everywhere => row("defined", vec![Piece::plain("everywhere")]),
        Domain::Where { text, hint, .. } => {
            let mut line = vec![
                Piece::plain("for "),
                Piece::formula(text),
                Piece::plain("; elsewhere value and derivative are NaN"),
            ];
            if let Some(hint) = hint {
                line.push(Piece::plain("; "));
                line.extend(prose::line(hint));
            }
            row("defined", line);
        }
    }
    for kink in op.kinks {
        row(&format!("at {}", kink.at), prose::line(kink.convention));
    }
    for flat in op.flats {
        let line = match stretch(op, flat) {
            Some(stretch) => vec![
                Piece::formula(stretch),
                Piece::plain(format!(": it {}, the slope is 0 or nearly", flat.said)),
            ],
            None => vec![Piece::plain(format!("no slope: it {}", flat.said))],
        };
        row("flat", line);
    }
    if !op.aliases.is_empty() {
        row("also", vec![Piece::formula(op.aliases.join(" "))]);
    }
    if op.shape == Shape::Call && (least, most) == (1, Some(1)) {
        row(
            "typed",
            prose::line(&format!(
                "`{0}(x)`, `x.{0}()`; the derivative `{0}'(x)`, the second `{0}''(x)`",
                op.spelling
            )),
        );
    } else {
        row(
            "typed",
            prose::line(
                &format!("the derivative by a name `x`: `grad({form}, x)`").replace(", …", ""),
            ),
        );
    }
    for (term, line) in example(op) {
        row(term, line);
    }
    if let Some(plot) = small_curves::miniature(op) {
        blocks.extend([prose::gap(), Block::Plot(plot)]);
    }
    blocks
}

/// Does the word occur in a formula?
fn names(formula: &str, word: &str) -> bool {
    formula
        .split(|c: char| !(c.is_alphanumeric() || c == '_'))
        .any(|part| part == word)
}

/// The example with its value and its derivatives.
fn example(op: &'static Op) -> Vec<(&'static str, Line)> {
    let text = op.example;
    let mut line = vec![Piece::typed(text)];
    let mut session = Session::new();
    let Ok(expression) = syntax::expression(text, Span::new(0, text.len())) else {
        return vec![("example", line)];
    };
    let Ok((node, _)) = session.evaluate(text, &expression) else {
        return vec![("example", line)];
    };
    line.extend([Piece::plain(" = "), Piece::Number(node.data())]);
    let mut rows = vec![("example", line)];
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
    let mut line = vec![Piece::plain("there ")];
    for (position, name) in OPERANDS.iter().enumerate().take(operands.len()) {
        let comma = if position == 0 { "" } else { ", " };
        line.extend([
            Piece::plain(comma),
            Piece::formula(format!("d/d{name}")),
            Piece::plain(" = "),
            Piece::Number(op.local(&operands, position, node.data())),
        ]);
    }
    Some(line)
}

/// The region where an operation of one operand is flat: `x <= -3 or x >= 3`. Ends are multiples of [`STRIDE`].
fn stretch(op: &Op, flat: &Flat) -> Option<String> {
    if op.arity() != (1, Some(1)) {
        return None;
    }
    let holds = |x: f64| (flat.holds)(&[x], 0);
    let mut parts = Vec::new();
    // Search from the far left as long as the condition holds, and likewise from the far right.
    for (sign, open, closed) in [(-1.0, "<", "<="), (1.0, ">", ">=")] {
        if !holds(sign * FAR) {
            continue;
        }
        let steps = (2.0 * FAR / STRIDE) as usize;
        let last = (0..=steps)
            .map(|step| sign * (FAR - step as f64 * STRIDE))
            .take_while(|x| holds(*x))
            .last()?;
        // If the region does not include its end, it reaches up to the next multiple.
        let beside = last - sign * 1e-9;
        let (sign_shown, end) = if holds(beside) {
            (open, last - sign * STRIDE)
        } else {
            (closed, last)
        };
        // Shows `-0` as `0`.
        let end = if end == 0.0 { 0.0 } else { end };
        parts.push(format!("x {sign_shown} {end}"));
    }
    (!parts.is_empty()).then(|| parts.join(" or "))
}
