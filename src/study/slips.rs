//! Finds the likely slip behind a wrong formula of a derivative: a rule that is applied wrongly, or a factor or term that is
//! forgotten. The rows of `slips.txt` describe the slips.
//!
//! A slip at a part of a formula gives the part another slope and so, by the chain rule, the whole another derivative. It
//! explains the guess if that is the guess at all points. The parts come from the root down, and the first one whose slips
//! explain the guess counts. If these are several of different kinds, nothing is claimed.

use std::convert::Infallible;
use std::rc::Rc;
use std::sync::LazyLock;

use crate::study::compare::ComparedPoint;
use crate::study::guess::{Mistake, Question, SIGN, Slip, SlipPlace, mistake};
use chainrule_engine::graph::{Node, gradients, values};
use chainrule_engine::ops::{Op, chain};
use chainrule_program::texts::{TextItem, value_of_text};

/// The most nodes of a formula whose parts are tried.
const MOST_NODES: usize = 500;
/// Two numbers are the same within this fraction of what they are made of.
const SAME: f64 = 1e-9;
/// The largest divisor of a missing factor that is named.
const MOST_DIVISOR: u32 = 100;

const FACTOR: Mistake = mistake("factor", "the factor {} is missing", "");
const VALUE: Mistake = mistake(
    "value",
    "that is the formula itself, not its derivative",
    "",
);

/// A row of the table.
struct Row {
    op: &'static str,
    which: &'static str,
    slope: &'static str,
    mistake: Mistake,
}

static ROWS: LazyLock<Vec<Row>> = LazyLock::new(|| {
    let lines = include_str!(concat!(env!("OUT_DIR"), "/slips.txt")).lines();
    lines.filter_map(read_row).collect()
});

fn read_row(line: &'static str) -> Option<Row> {
    let mut columns = line.split('|').map(str::trim);
    let (op, which) = columns.next()?.split_once(' ')?;
    let (word, slope, summary) = (columns.next()?, columns.next()?, columns.next()?);
    let mistake = mistake(word, summary, columns.next().unwrap_or(""));
    Some(Row {
        op,
        which,
        slope,
        mistake,
    })
}

impl Row {
    /// Whether the row is about an operation with these operands that depend on the letter.
    fn is_about(&self, op: &Op, changing: &[usize], is_letter: bool) -> bool {
        let is_linear = match op.name {
            "sum" => true,
            "addition" | "subtraction" | "multiplication" | "negation" => changing.len() == 1,
            "division" => *changing == [0],
            _ => false,
        };
        let is_op = self.op == op.name || self.op == "any" && !is_linear;
        is_op
            && match self.which {
                "both" => *changing == [0, 1],
                "one" => changing.len() == 1,
                "first" => *changing == [0],
                "second" => *changing == [1],
                _ => changing.len() == 1 && !is_letter,
            }
    }

    /// The slope that the row gives a part whose names have these numbers.
    fn slope(&self, numbers: &[(&str, f64)]) -> f64 {
        let place = |name| numbers.iter().position(|it| it.0 == name);
        let Ok(slope) = value_of_text::<_, Infallible>(self.slope, |item| {
            Ok(match item {
                TextItem::Number(number) => number,
                TextItem::Name(name) => place(name).map_or(f64::NAN, |at| numbers[at].1),
                TextItem::Operation(op, operands) => op.value(&operands),
            })
        });
        slope
    }
}

/// The numbers of the names in the rows, first the slope. `slopes` are the derivatives of the operands, `inner` is the first
/// operand that depends on the letter.
fn numbers(node: &Node, op: &Op, slopes: &[f64], inner: usize) -> Vec<(&'static str, f64)> {
    let (operands, locals) = (values(node.operands()), node.locals());
    let with_inner = |number| {
        let mut others = operands.clone();
        others[inner] = number;
        op.value(&others)
    };
    // A slope of 0 absorbs the derivative by an operand that has none.
    let term = |at: usize| chain(slopes[at], locals[at], 0.0, || false);
    let (z, dz) = (operands[inner], slopes[inner]);
    let mut numbers = vec![
        ("slope", (0..slopes.len()).map(term).sum()),
        ("z", z),
        ("dz", dz),
        ("outer", locals[inner]),
        ("out", node.data()),
        ("value_at_dz", with_inner(dz)),
        ("value_below", with_inner(z - 1.0)),
    ];
    if let [x, y] = operands[..] {
        numbers.extend([("x", x), ("dx", slopes[0]), ("first", term(0))]);
        numbers.extend([("y", y), ("dy", slopes[1]), ("second", term(1))]);
        numbers.push(("c", if inner == 0 { y } else { x }));
    }
    numbers
}

/// The number to which a slip leads at a point.
pub(crate) struct Candidate {
    number: f64,
    /// The sum of the sizes of what the number is made of.
    size: f64,
    slip: Slip,
}

/// The numbers to which slips lead at the present numbers of the letters: those of parts, the root first, and then others.
/// `is_at_node`: also slips at the node.
pub(crate) fn candidates(question: &Question, is_at_node: bool) -> Vec<Candidate> {
    let (order, truth) = (&question.order, question.truth);
    let grads = gradients(order, &question.root, |_| {});
    let mut slopes: Vec<Option<f64>> = vec![None; grads.len()];
    let mut all = Vec::new();
    let is_large = order.nodes().len() > MOST_NODES;
    let nodes = if is_large { &[] } else { order.nodes() };
    for (slot, node) in nodes.iter().enumerate().rev() {
        if Rc::ptr_eq(node, &question.node) {
            slopes[slot] = Some(1.0);
            continue;
        }
        let known = node.operands().iter().map(|it| slopes[order.slot(it)?]);
        let known: Vec<Option<f64>> = known.collect();
        let changing = (0..known.len()).filter(|at| known[*at].is_some());
        let changing: Vec<usize> = changing.collect();
        let (Some(op), Some(&inner)) = (node.op(), changing.first()) else {
            continue;
        };
        let own: Vec<f64> = known.iter().map(|it| it.unwrap_or(0.0)).collect();
        let numbers = numbers(node, op, &own, inner);
        let is_letter = Rc::ptr_eq(&node.operands()[inner], &question.node);
        // The slope is the first of the numbers.
        let (_, slope) = numbers[0];
        slopes[slot] = Some(slope);
        let rows = ROWS.iter().rev();
        for row in rows.filter(|row| row.is_about(op, &changing, is_letter)) {
            let [wrong, right] = [row.slope(&numbers), slope].map(|it| grads[slot] * it);
            all.push(Candidate {
                number: truth + (wrong - right),
                size: truth.abs() + wrong.abs() + right.abs(),
                slip: Slip {
                    place: Some(SlipPlace {
                        part: Rc::clone(node),
                        inner,
                    }),
                    ..Slip::of(row.mistake)
                },
            });
        }
    }
    all.reverse();
    // A sign is wrong only if the inside of another part does not explain it.
    all.sort_by_key(|it| it.slip.mistake.word == SIGN.word);
    let at_node = is_at_node.then(|| question.wrong_numbers());
    let of_value = [(question.root.data(), &VALUE)].into_iter();
    let others = of_value.chain(at_node.into_iter().flatten());
    all.extend(others.map(|(number, mistake)| Candidate {
        number,
        size: number.abs(),
        slip: Slip::of(*mistake),
    }));
    all
}

/// The slip that leads to the guess at all points.
pub(crate) fn find_slip(points: &[ComparedPoint<Vec<Candidate>>]) -> Option<Slip> {
    let explains = |at: &usize| {
        points.iter().all(|point| {
            let candidate = &point.seen[*at];
            (candidate.number - point.sides[0]).abs() <= SAME * candidate.size + point.error
        })
    };
    let slips = points.first()?.seen.iter().map(|it| &it.slip).enumerate();
    let fitting: Vec<&Slip> = slips
        .filter(|(at, _)| explains(at))
        .map(|it| it.1)
        .collect();
    let part = |slip: &Slip| slip.place.as_ref().map(|it| it.part.id());
    let Some(first) = fitting.first().filter(|it| it.place.is_some()) else {
        return missing_factor(points).or_else(|| Some((*fitting.first()?).clone()));
    };
    let is_same = |it: &&Slip| part(it) != part(first) || it.mistake.word == first.mistake.word;
    fitting.iter().all(is_same).then(|| (*first).clone())
}

/// The slip of a guess that lacks a sign or a number as a factor.
fn missing_factor<T>(points: &[ComparedPoint<T>]) -> Option<Slip> {
    let mut ratios = points.iter().map(|it| it.sides[1] / it.sides[0]);
    let factor = ratios.find(|it| it.is_finite() && *it != 0.0)?;
    let is_multiple = |point: &ComparedPoint<T>| {
        let [guess, truth] = point.sides;
        (truth - factor * guess).abs() <= SAME * truth.abs() + point.error
    };
    // A factor of a number would tell the number.
    let is_number = points.iter().all(|it| it.sides[0] == points[0].sides[0]);
    if is_number || !points.iter().all(is_multiple) {
        return None;
    }
    let divisor = (1..=MOST_DIVISOR).map(f64::from).find(|divisor| {
        let dividend = factor * divisor;
        (dividend - dividend.round()).abs() <= SAME * dividend.abs()
    })?;
    let factor = [(factor * divisor).round(), divisor];
    match factor {
        [1.0, 1.0] => None,
        [-1.0, 1.0] => Some(Slip::of(*SIGN)),
        _ => Some(Slip {
            factor: Some(factor),
            ..Slip::of(FACTOR)
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::ROWS;

    #[test]
    fn rows_are_read() {
        let lines = include_str!(concat!(env!("OUT_DIR"), "/slips.txt")).lines();
        let rows = lines.filter(|line| !line.is_empty());
        assert_eq!(ROWS.len(), rows.count());
    }
}
