//! The answers of bindings and expressions as reports: values in text and in JSON, with their uncertainties.
//!
//! The files that run statements call it. It only reads the session.

use std::rc::Rc;

use crate::commands::goals::budget;
use crate::session::values::Value;
use crate::session::{Formula, Function, Session};
use chainrule_report::characters::shorten_end;
use chainrule_report::{Block, Fact, Line, Measurement, Note, NumberPart, Piece, Report, dim, say};

/// The longest formula of a derivative that is shown whole, in characters.
const LONGEST: usize = 300;

/// The report of a function definition, `f(x) = 3*x^2`, with the body worked out if that differs: `g(x) = f'(x) = 6*x`.
pub(super) fn definition_report(function: &Function, expanded: Option<String>) -> Report {
    let mut facts = function_facts(&function.name, &function.parameters, &function.body);
    let mut line = match function.lines {
        Some(_) => say!("{:name} runs its {}", function.head(), &*function.body),
        None => say!("{:name} = {:formula}", function.head(), &*function.body),
    };
    if let Some(formula) = expanded {
        line.extend(say!(" = {:formula}", &*shorten_end(&formula, LONGEST)));
        facts.push(("formula", formula.into()));
    }
    Report::confirming("function", facts, line)
}

/// A function in JSON.
pub(super) fn function_facts(
    name: &str,
    parameters: &[Rc<str>],
    body: &str,
) -> Vec<(&'static str, Fact)> {
    let parameters = parameters.iter().map(|name| Fact::from(&**name));
    vec![
        ("name", Fact::from(name)),
        ("parameters", Fact::List(parameters.collect())),
        ("body", Fact::from(body)),
    ]
}

/// The answer to `f'`: `f'(x) = 6*x - 4`
pub(super) fn formula_report(formula: &Formula) -> Report {
    let head = format!("{}({})", formula.function, formula.parameters.join(", "));
    let facts = function_facts(&formula.function, &formula.parameters, &formula.body);
    let body = shorten_end(&formula.body, LONGEST);
    let mut line = say!("{:name} = {:formula}", &head, &*body);
    if body.contains('…') {
        let (x, f) = (&formula.parameters[0], &formula.function);
        let explain = format!("{x} = 1; :explain {x} of {}({x})", &f[..f.len() - 1]);
        line.extend(dim(say!("   (cut; `{}` goes through its parts)", explain)));
    }
    Report::confirming("formula", facts, line)
}

/// Values with their names, `a = 2, b = -3`, and the same for programs.
pub(super) fn binding_line(
    session: &Session,
    names: &[&str],
    values: &[Value],
    sigmas: Vec<Option<(Line, Fact)>>,
) -> (Line, Fact) {
    let mut line = Line::with_capacity(4 * values.len());
    let mut facts = Vec::with_capacity(values.len());
    let mut sigmas = sigmas.into_iter();
    for (target, value) in names.iter().zip(values) {
        // The name as stored, which may differ from the spelling in the text.
        let id = session.names().id(target);
        let name = id.map_or(*target, |id| session.names().name(id));
        if !line.is_empty() {
            line.push(Piece::plain(", "));
        }
        line.extend([Piece::name(name), Piece::plain(" = ")]);
        line.extend(reading_line(
            value.node().and_then(|node| session.reading(node)),
        ));
        let mut fact = vec![("name", Fact::Text(name.to_string()))];
        fact.extend(data_facts(value));
        if let Some((shown, sigma)) = sigmas.next().flatten() {
            line.extend(shown);
            fact.push(("sigma", sigma));
        } else {
            line.push(value_piece(value));
        }
        facts.push(Fact::Record(fact));
    }
    (line, Fact::List(facts))
}

/// A value in an answer.
pub(super) fn value_piece(value: &Value) -> Piece {
    match value {
        Value::Node(node) => Piece::Number(node.data()),
        Value::List(_) => Piece::List(Rc::new(value.numbers())),
    }
}

/// A value in an answer of its own: a list is a table of its items.
pub(super) fn value_block(session: &Session, mut before: Line, value: &Value) -> Block {
    match value_piece(value) {
        Piece::List(numbers) => Block::List {
            before,
            numbers,
            rows: session.table_rows(),
        },
        number => {
            before.push(number);
            Block::Line(before)
        }
    }
}

/// The fields of a value in JSON: a list is an array with its shape.
pub(super) fn data_facts(value: &Value) -> Vec<(&'static str, Fact)> {
    let Value::List(_) = value else {
        return vec![("data", Fact::Number(value.nodes()[0].data()))];
    };
    let numbers = value.numbers();
    let shape: Vec<Fact> = numbers.lengths.iter().map(|&it| it.into()).collect();
    let mut facts = vec![("data", Fact::Value(Rc::new(numbers)))];
    if !shape.is_empty() {
        facts.push(("shape", Fact::List(shape)));
    }
    facts
}

/// A value with its `±`, and the `sigma` of JSON: one number, or a list with 0 for each leaf without a `±`. A typed
/// width is shown as it was typed, a computed one with two digits. None if no leaf has a `±`, or if a list has computed
/// items, since each of them would need a pass.
pub(super) fn with_uncertainty(
    session: &mut Session,
    value: &Value,
    notes: &mut Vec<Note>,
) -> Option<(Line, Fact)> {
    if let Value::Node(node) = value {
        let sigma = budget::answer_sigma(session, node, notes)?;
        let shown = Measurement {
            value: node.data(),
            sigma,
            typed: node.is_leaf() && session.names().uncertain.is_typed(node),
        };
        return Some((vec![Piece::Measurement(shown)], sigma.into()));
    }
    let mut nodes = value.nodes().iter();
    if nodes.any(|node| node.varies() && !node.is_leaf()) {
        return None;
    }
    let widths: Vec<Option<f64>> = (value.nodes().iter())
        .map(|node| session.uncertainty(node))
        .collect();
    let first = widths.iter().find_map(|width| *width)?;
    let alike = widths.iter().all(|width| *width == Some(first));
    let mut widths = widths.into_iter();
    let mut numbers = value.numbers();
    for part in &mut numbers.parts {
        if let NumberPart::Number(number) = part {
            *number = widths.next().flatten().unwrap_or(0.0);
        }
    }
    let numbers = Rc::new(numbers);
    let shown = if alike {
        Piece::Short(first)
    } else {
        Piece::List(Rc::clone(&numbers))
    };
    let line = vec![value_piece(value), Piece::plain(" ± "), shown];
    Some((line, Fact::Value(numbers)))
}

/// `3*x^2 = `, if the user wants to see how the line was parsed.
pub(super) fn reading_line(reading: Option<String>) -> Line {
    let pieces = reading.map(|reading| say!("{:formula} = ", reading));
    pieces.unwrap_or_default()
}
