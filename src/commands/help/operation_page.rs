//! The page of `:help` on an operation: its row of the table of operations, in words.
//!
//! Formula, derivatives, domain, kinks, flat stretches and an example that is computed when the page is shown; all of
//! it follows from the row. A small plot shows an operation of one operand and its derivative, built and sampled as by
//! `:plot`, in a temporary session.

use std::rc::Rc;

use super::prose;
use crate::commands::look::ops::written;
use crate::graph::Node;
use crate::ops::{Domain, Op, Shape};
use crate::report::{Block, Curve, Line, Plot, Prose, join, say};
use crate::session::Session;
use crate::study;
use crate::study::Sampled;
use crate::syntax;

/// The column in which the text of a row begins.
const COLUMN: usize = 15;

/// The names of operands.
const OPERANDS: [&str; 3] = ["x", "y", "z"];

/// The ranges to try, the preferred one first.
const RANGES: [(f64, f64); 3] = [(-4.0, 4.0), (-1.25, 1.25), (0.0, 4.0)];
/// A range is good if the function has values in this part of it.
const ENOUGH: f64 = 0.6;
/// The value of the leaf while the graph is built; no function is special there.
const SOMEWHERE: f64 = 0.7;

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
        let line = say!("where it {}, the slope is 0 or nearly 0", flat.said);
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
    if let Some(plot) = miniature(op) {
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
    let expression = syntax::as_expression(text);
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

/// The plot, if the operation has one operand and values in one of the ranges.
fn miniature(op: &'static Op) -> Option<Plot> {
    if op.arity() != (1, Some(1)) {
        return None;
    }
    let text = match op.shape {
        Shape::Prefix => format!("{}x", op.spelling),
        Shape::Postfix => format!("x{}", op.spelling),
        Shape::Call | Shape::Infix => format!("{}(x)", op.spelling),
    };
    let mut session = Session::new();
    session.with_variable("x", SOMEWHERE, |session, leaf| {
        let expression = syntax::as_expression(&text)?;
        let (root, _) = session.evaluate_number(&text, &expression).ok()?;
        let slope = session.derivative(&root, leaf).ok()?;
        let roots = [root, slope];
        let looked: Vec<CurveRange> = RANGES
            .iter()
            .filter_map(|&range| look(&roots, leaf, range))
            .collect();
        let good = looked.iter().position(|look| look.share >= ENOUGH);
        let best = (0..looked.len())
            .max_by(|&one, &other| looked[one].share.total_cmp(&looked[other].share));
        let look = looked.into_iter().nth(good.or(best)?)?;
        let labels = [text.clone(), derivative(op, &text)];
        Some(Plot {
            across: "x".to_string(),
            range: look.range,
            curves: curves(look.sampled, labels),
            small: true,
            ..Plot::default()
        })
    })
}

/// A range and the curves in it.
struct CurveRange {
    range: (f64, f64),
    sampled: Sampled,
    /// The part of the range in which the function has values.
    share: f64,
}

fn look(roots: &[Rc<Node>], leaf: &Rc<Node>, range: (f64, f64)) -> Option<CurveRange> {
    let sampled = study::sample(roots, leaf, range);
    let values = sampled.values.first()?;
    let finite = values.iter().filter(|value| value.is_finite()).count();
    let share = finite as f64 / values.len().max(1) as f64;
    Some(CurveRange {
        range,
        sampled,
        share,
    })
}

/// The notation of the derivative: `tanh'(x)`, or for an operator `grad(x!, x)`.
fn derivative(op: &Op, text: &str) -> String {
    match op.shape {
        Shape::Call => format!("{}'(x)", op.spelling),
        _ => format!("grad({text}, x)"),
    }
}

fn curves(sampled: Sampled, labels: [String; 2]) -> Vec<Curve> {
    let places = &sampled.places;
    let values = sampled.values.iter().zip(sampled.breaks);
    values
        .zip(labels)
        .map(|((values, breaks), label)| Curve {
            label,
            points: places.iter().copied().zip(values.iter().copied()).collect(),
            breaks,
            ..Curve::default()
        })
        .collect()
}
