//! An operation as a page's script computes it: JavaScript of its value and of its derivatives.
//!
//! The row of the operation spells the value. A derivative is made from the text that the program itself builds
//! derivatives from, each operation in it replaced by its own spelling; the row spells a derivative only where that
//! would not give the same number. A test runs every row against the program's own numbers.

use crate::ops::{Op, Rule};
use crate::report::Operation;
use crate::session::building::{SlopeStep, slope_steps};

/// The names of operands in the texts of a row.
const OPERANDS: [&str; 3] = ["x", "y", "z"];

/// The operation in JavaScript; without a value if it, or one of its derivatives, cannot be spelled.
pub fn page_operation(op: &'static Op) -> Operation {
    let (value, locals) = spelled(op).unzip();
    Operation {
        name: op.name,
        value,
        locals,
    }
}

fn spelled(op: &'static Op) -> Option<(String, String)> {
    let script = op.script.as_ref()?;
    let (operands, count) = match op.rule {
        Rule::Unary { .. } => ("[x]", 1),
        Rule::Binary { .. } => ("[x, y]", 2),
        Rule::Ternary { .. } => ("[x, y, z]", 3),
        Rule::Many { .. } => ("a", 1),
    };
    let local = |place| {
        let own = script.slopes.iter().find(|slope| slope.0 == place);
        own.map_or_else(|| derived(op, place), |(_, text)| Some((*text).to_string()))
    };
    let locals: Vec<String> = (0..count).map(local).collect::<Option<_>>()?;
    let locals = match op.rule {
        Rule::Many { .. } => locals.concat(),
        _ => format!("[{}]", locals.join(", ")),
    };
    Some((
        format!("({operands}) => {}", script.value),
        format!("({operands}, out) => {locals}"),
    ))
}

/// The derivative by the operand at `place`, from the row's text for it.
fn derived(op: &'static Op, place: usize) -> Option<String> {
    let mut stack: Vec<String> = Vec::new();
    for step in slope_steps(op, place) {
        let text = match *step {
            SlopeStep::Number(number) => literal(number),
            SlopeStep::Operand(operand) => OPERANDS[operand].to_string(),
            SlopeStep::Out => "out".to_string(),
            // These stand in texts of operations of any number of operands, which spell all their derivatives.
            SlopeStep::Ties | SlopeStep::Rest => return None,
            SlopeStep::Apply(op, count) => {
                let operands = stack.split_off(stack.len() - count);
                applied(op, &operands)?
            }
        };
        stack.push(text);
    }
    stack.pop()
}

/// The value of an operation at operands, each a word or in brackets, and so is the result.
fn applied(op: &Op, operands: &[String]) -> Option<String> {
    let script = op.script?;
    let list = format!("[{}]", operands.join(", "));
    let many = matches!(op.rule, Rule::Many { .. });
    let is_sign = |c: char| !c.is_ascii_alphanumeric();
    let mut text = String::from("(");
    for word in script.value.split_inclusive(is_sign) {
        let name = word.trim_end_matches(is_sign);
        let place = OPERANDS.iter().position(|&operand| operand == name);
        text.push_str(match place.and_then(|place| operands.get(place)) {
            Some(operand) if !many => operand,
            _ if many && name == "a" => &list,
            _ => name,
        });
        text.push_str(&word[name.len()..]);
    }
    text.push(')');
    Some(text)
}

fn literal(number: f64) -> String {
    let text = if number.is_infinite() {
        "Infinity".to_string()
    } else if number.is_nan() {
        "NaN".to_string()
    } else {
        number.abs().to_string()
    };
    if number < 0.0 {
        format!("(-{text})")
    } else {
        text
    }
}
