//! `:assert L == -8 ± 1e-9`: a condition that must hold. A script that asserts tests itself.
//!
//! The condition is evaluated like any expression, and its nodes are dropped again, so nothing is left behind. Where a
//! comparison does not hold, both of its sides are told.

use crate::commands::args::{Argument, ArgumentKind, Arguments};
use crate::commands::{Command, Group, Reply};
use crate::diagnostic::Diagnostic;
use crate::graph::Node;
use crate::session::Session;
use crate::session::naming;
use crate::syntax::precedence::level;
use crate::syntax::{self, Expression, Head, Item, ItemKind};

const CONDITION: &str = "CONDITION";

pub(crate) const COMMAND: Command = Command {
    name: "assert",
    aliases: &[],
    group: Group::Understand,
    looks: true,
    entry: (":assert L == -8", "must hold"),
    arguments: &[Argument::needed(CONDITION, ArgumentKind::Expression).means(
        "a comparison, such as `a.grad > 0`, optionally with a tolerance, `L == -8 ± 1e-9`; or any expression, which \
         must not be 0",
    )],
    summary: "stop if a condition does not hold",
    page: page!("commands/assert"),
    run,
};

fn run(session: &mut Session, arguments: &Arguments) -> Result<Reply, Diagnostic> {
    let Some(span) = arguments.stretch(CONDITION) else {
        return Ok(Reply::default());
    };
    let text = arguments.text;
    let (expression, width) =
        syntax::uncertain(text, span).map_err(|error| session.explain(error))?;
    let sign = comparison(&expression);
    if let Some(width) = &width
        && sign != Some("==")
    {
        return Err(Diagnostic::new("a tolerance belongs to `==`")
            .at(width.span)
            .help("as in `:assert L == -8 ± 1e-9`"));
    }
    let made = session.made();
    let (value, notes) = session.evaluate(text, &expression)?;
    let shape = value.shape().clone();
    let outcomes: Vec<Condition> = (value.nodes().iter())
        .map(|node| Condition::of(node, sign))
        .collect();
    drop(value);
    session.rewind(made);
    let tolerances = match &width {
        Some(width) => {
            let right = |outcome: &Condition| outcome.sides.map_or(0.0, |(_, right)| right);
            let right: Vec<f64> = outcomes.iter().map(right).collect();
            session.widths(text, width, &right, &shape)?.0
        }
        None => Vec::new(),
    };
    let tolerance = |place: usize| tolerances.get(place).copied();
    let fails = |(place, outcome): &(usize, &Condition)| !outcome.holds(tolerance(*place));
    let Some((place, outcome)) = outcomes.iter().enumerate().find(fails) else {
        return Ok(Reply::default().notes(notes));
    };
    let item = if shape.is_number() {
        String::new()
    } else {
        naming::item_name(" for item ", &shape, place as u32 + 1)
    };
    let error = outcome.told(span.of(text), sign, tolerance(place), &item);
    Err(error.at(span))
}

/// The sign of the comparison that an expression is, if it is one.
fn comparison(expression: &Expression) -> Option<&'static str> {
    match expression.items.last() {
        Some(Item {
            kind: ItemKind::Apply(Head::Operator(operator), 2),
            ..
        }) if operator.level == level::COMPARISON => Some(operator.spelling),
        _ => None,
    }
}

/// What became of one condition, or of one item of a list.
struct Condition {
    /// Its value.
    value: f64,
    /// The sides of a comparison.
    sides: Option<(f64, f64)>,
}

impl Condition {
    fn of(node: &Node, sign: Option<&str>) -> Condition {
        let sides = match node.operands() {
            [left, right] if sign.is_some() => Some((left.data(), right.data())),
            _ => None,
        };
        Condition {
            value: node.data(),
            sides,
        }
    }

    fn holds(&self, tolerance: Option<f64>) -> bool {
        match (self.sides, tolerance) {
            (Some((left, right)), Some(tolerance)) => {
                self.value == 1.0 || (left - right).abs() <= tolerance
            }
            _ => self.value != 0.0 && !self.value.is_nan(),
        }
    }

    /// Why it does not hold.
    fn told(
        &self,
        typed: &str,
        sign: Option<&str>,
        tolerance: Option<f64>,
        item: &str,
    ) -> Diagnostic {
        let written = |number: f64| syntax::literal(number, false);
        let (Some((left, right)), Some(sign)) = (self.sides, sign) else {
            let value = written(self.value);
            return Diagnostic::new(format!("`{typed}` does not hold{item}: it is {value}"))
                .help("a condition holds where it is neither 0 nor NaN")
                .numbers([("value", self.value)]);
        };
        let difference = (left - right).abs();
        let mut apart = format!("the sides differ by {}", written(difference));
        let mut numbers = vec![("left", left), ("right", right), ("difference", difference)];
        if let Some(tolerance) = tolerance {
            apart = format!("{apart}, more than {}", written(tolerance));
            numbers.push(("tolerance", tolerance));
        }
        let (left, right) = (written(left), written(right));
        Diagnostic::new(format!(
            "`{typed}` does not hold{item}: {left} {sign} {right}"
        ))
        .label(apart)
        .numbers(numbers)
    }
}
