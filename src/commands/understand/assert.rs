//! `:assert L == -8 ± 1e-9`: a condition that must hold. With it a script tests itself.
//!
//! The condition is evaluated like any expression, and its nodes are dropped afterwards. If a comparison does not hold, the
//! error shows both sides.

use crate::command::prelude::*;
use crate::command::signatures::assert::{CONDITION, SIGNATURE};
use chainrule_language::precedence::level;
use chainrule_language::{Expression, Head, ItemKind};
use chainrule_session::{evaluate_widths, explain, naming};

/// The sides of `==` may differ by this much through rounding alone.
const ROUNDING: f64 = 1e-12;

pub(crate) static COMMAND: Command = Command::new(SIGNATURE, run, &[]);

fn run(session: &mut Session, arguments: &Arguments) -> Result<Reply> {
    let (text, whole) = (arguments.text, arguments.place(CONDITION));
    let (span, words) = split_words(text, whole).unwrap_or((whole, String::new()));
    let parsed = language::measured_expression(text, span);
    let language::MeasuredExpression { expression, width } =
        parsed.map_err(|error| explain(session, error))?;
    let sign = comparison_sign(&expression);
    if let Some(width) = &width
        && sign != Some("==")
    {
        return Err(Diagnostic::new("a tolerance belongs to `==`")
            .at(width.span)
            .help("as in `:assert L == -8 ± 1e-9`"));
    }
    let (value, notes) = session.evaluate(text, &expression)?;
    let tolerances = match &width {
        Some(width) => {
            // Only `==` has a tolerance, so each node is a comparison with two sides.
            let right_side = |node: &Rc<Node>| node.operands()[1].data();
            let right_sides: Vec<f64> = value.nodes().iter().map(right_side).collect();
            evaluate_widths(session, text, width, &right_sides, value.shape())?.0
        }
        None => vec![0.0; value.nodes().len()],
    };
    let mut conditions = value.nodes().iter().zip(&tolerances);
    let failed = conditions.position(|(node, tolerance)| !holds(node, *tolerance));
    let Some(place) = failed else {
        return Ok(Reply::default().with_notes(notes));
    };
    let item = match value.shape() {
        shape if shape.is_number() => String::new(),
        shape => naming::item_name(" for item ", shape, place as u32),
    };
    let tolerance = width.is_some().then(|| tolerances[place]);
    let typed = format!("{words}`{}` does not hold{item}", span.of(text));
    Err(failure(&typed, &value.nodes()[place], sign, tolerance).at(span))
}

/// The condition, and the words in quotes behind it: `a == 3, "a is wrong"`.
fn split_words(text: &str, place: Span) -> Option<(Span, String)> {
    let typed = place.of(text);
    let quote = typed.chars().last().filter(|it| ['"', '\''].contains(it))?;
    let (before, words) = typed[..typed.len() - 1].rsplit_once(quote)?;
    let condition = before.trim_end().strip_suffix(',')?;
    let start = place.start as usize;
    Some((
        Span::new(start, start + condition.len()),
        format!("{words}: "),
    ))
}

/// Whether a condition is true, or the sides of a comparison differ by at most the tolerance.
fn holds(condition: &Node, tolerance: f64) -> bool {
    let is_near = match condition.operands() {
        [left, right] => tolerance > 0.0 && (left.data() - right.data()).abs() <= tolerance,
        _ => false,
    };
    is_near || condition.data() != 0.0 && !condition.data().is_nan()
}

/// The sign of an expression that is a comparison.
fn comparison_sign(expression: &Expression) -> Option<&'static str> {
    let ItemKind::Apply(Head::Operator(operator), 2) = &expression.items.last()?.kind else {
        return None;
    };
    (operator.level == level::COMPARISON).then_some(operator.spelling)
}

/// The error for a condition that does not hold.
fn failure(typed: &str, node: &Node, sign: Option<&str>, tolerance: Option<f64>) -> Diagnostic {
    let text = |number: f64| language::literal(number, false);
    let (Some(sign), [left, right]) = (sign, node.operands()) else {
        let value = node.data();
        return Diagnostic::new(format!("{typed}: it is {}", text(value)))
            .help("a condition holds where it is neither 0 nor NaN")
            .numbers([("value", value)]);
    };
    let (left, right) = (left.data(), right.data());
    let difference = (left - right).abs();
    let mut label = format!("the sides differ by {}", text(difference));
    let mut numbers = vec![("left", left), ("right", right), ("difference", difference)];
    if let Some(tolerance) = tolerance {
        label = format!("{label}, more than {}", text(tolerance));
        numbers.push(("tolerance", tolerance));
    }
    let error = Diagnostic::new(format!("{typed}: {} {sign} {}", text(left), text(right)))
        .label(label)
        .numbers(numbers);
    if sign == "==" && tolerance.is_none() && difference <= ROUNDING {
        return error.help("numbers are rounded: `± 1e-12` behind the right side allows for that");
    }
    error
}
