//! The answers of bindings and expressions as reports: values in text and in JSON, with their uncertainties.
//!
//! The files that run statements call it. It changes nothing in the session, except that it marks a note as given that
//! is shown only once.

use std::rc::Rc;

use crate::command::{Reply, node_table};
use crate::commands::FORMULA;
use chainrule_engine::graph::Node;
use chainrule_engine::graph::structure::reachable;
use chainrule_formulas::{Formula, derivative_formulas, formulas_of_parts};
use chainrule_language::{self as language, Expression, Head, Item, ItemKind};
use chainrule_program::functions::Function;
use chainrule_program::names::has_letters;
use chainrule_program::values::Value;
use chainrule_program::{Environment as _, Purpose};
use chainrule_report::characters::shorten_end;
use chainrule_report::{
    Block, Fact, Line, Measurement, NamedValue, Note, NumberPart, Numbers, Piece, Report,
    ReportKind, ValueFormula, dim, say,
};
use chainrule_session::limits::MOST_ANSWERED;
use chainrule_session::uncertainty::TooManyNodes;
use chainrule_session::{NoteOnce, Session};
use chainrule_stop as stop;

/// The longest formula of a derivative that is shown whole, in characters: about four lines of a terminal.
const LONGEST_FORMULA: usize = 300;

/// The most names, numbers and operations of a formula behind a number, and of an exact number.
const MOST_FORMULA_ITEMS: usize = 40;
const MOST_EXACT_ITEMS: usize = 6;

/// The most nodes of a value whose formula is looked for behind its number.
const MOST_FORMULA_NODES: usize = 500;

/// The functions in exact numbers. `sin(5)` is no better than its decimals.
const EXACT_FUNCTIONS: [&str; 3] = ["sqrt", "exp", "ln"];

/// How near an exact number is to the computed one, relative to its size.
const NEAR: f64 = 1e-9;

/// The report of a function definition, `f(x) = 3*x^2`, with the body worked out if that differs: `g(x) = f'(x) = 6*x`.
pub(super) fn definition_report(
    session: &Session,
    function: &Function,
    expanded: Option<String>,
) -> Report {
    let mut facts = function_facts(&function.name, &function.parameters, &function.body);
    let hides = |name: &str| session.functions().hide_built_in(name);
    let mut line = match function.lines {
        Some(_) => say!("{:name} runs its {}", function.head(), &*function.body),
        // A page would set the user's `square(x)` as that of the calculator.
        None if function.callees().chain([&*function.name]).any(hides) => {
            say!("{:formula} = {:formula}", function.head(), &*function.body)
        }
        None => say!("{:math} = {:math}", function.head(), &*function.body),
    };
    if let Some(formula) = expanded {
        let shown = shorten_end(&formula, LONGEST_FORMULA);
        line.extend(say!(" = {:math}", &*shown));
        facts.push(("formula", formula.into()));
    }
    Report::confirming(ReportKind::Function, facts, line)
}

/// A function in JSON.
pub(super) fn function_facts(
    name: &str,
    parameters: &[Rc<str>],
    body: &str,
) -> Vec<(&'static str, Fact)> {
    let names = parameters.iter().map(|parameter| Fact::from(&**parameter));
    vec![
        ("name", Fact::from(name)),
        ("parameters", Fact::List(names.collect())),
        ("body", Fact::from(body)),
    ]
}

/// The answer to `f'`: `f'(x) = 6*x - 4`
pub(super) fn formula_report(formula: &Formula) -> Report {
    let head = format!("{}({})", formula.function, formula.parameters.join(", "));
    let facts = function_facts(&formula.function, &formula.parameters, &formula.body);
    let mut line = say!("{:math} = {:math}", &head, &*formula.body);
    // The labels of nodes mark by `…` what they leave out.
    if formula.body.contains('…') {
        let (x, derivative) = (&formula.parameters[0], &*formula.function);
        // `:explain x of f'(x)` goes through the parts of `f''`, which has one prime more.
        let f = derivative.strip_suffix('\'').unwrap_or(derivative);
        let explain = format!("{x} = 1; :explain {x} of {f}({x})");
        line.extend(dim(say!("   (cut; `{}` goes through its parts)", explain)));
    }
    Report::new(&FORMULA, facts, vec![Block::Line(line)])
}

/// The answer to `word = 'big'`.
pub(super) fn text_report(name: &str, text: &str) -> Report {
    let facts = vec![("name", Fact::from(name)), ("text", Fact::from(text))];
    let line = say!("{:name} = {}", name, format!("'{text}'"));
    Report::confirming(ReportKind::Binding, facts, line)
}

/// The formula of a call, if it is short: one with letters for a derivative, or the exact number for a person.
pub(super) fn short_formula(
    session: &mut Session,
    text: &str,
    typed: &Expression,
) -> Option<ValueFormula> {
    session.program_mut().purpose = Purpose::Formula;
    let (root, _) = session.evaluate_number(text, typed).ok()?;
    let may_have_letters = root.varies() && typed.is_primed_call();
    let may_be_exact = session.show.reads_letters && !is_short_decimal(root.data());
    let nodes = reachable(std::slice::from_ref(&root), 0);
    if !(may_have_letters || may_be_exact) || nodes.len() > MOST_FORMULA_NODES {
        return None;
    }
    let parts = formulas_of_parts(session, &root).ok()?;
    let [only] = &parts[..] else {
        return None;
    };
    let formula = only.formula.clone();
    let read = language::as_expression(&formula)?;
    if has_letters(&read) {
        let is_short = may_have_letters && read.items.len() <= MOST_FORMULA_ITEMS;
        return is_short.then_some(ValueFormula::Derivative(formula));
    }
    let (number, _) = session.measure(&formula, &read).ok()?;
    let is_same = (number - root.data()).abs() <= NEAR * number.abs();
    let is_shown = is_same && is_exact(&read) && !is_short_decimal(number);
    is_shown.then_some(ValueFormula::Exact(formula))
}

/// The formula of the derivative of one expression by another, if it is short and no number.
pub(super) fn short_derivative(
    session: &mut Session,
    text: &str,
    [of, by]: &[Expression; 2],
) -> Option<String> {
    let (root, _) = session.evaluate_number(text, of).ok()?;
    let (node, _) = session.evaluate_number(text, by).ok()?;
    let formulas = derivative_formulas(session, &root, &[node], true)?;
    let formula = &formulas[0];
    let is_number = matches!(&formula[..], [only] if matches!(only.kind, ItemKind::Number(_)));
    let is_short = formula.len() <= MOST_FORMULA_ITEMS;
    (is_short && !is_number).then(|| language::infix(formula))
}

/// Whether the decimals of an answer are all that a number has.
fn is_short_decimal(number: f64) -> bool {
    let shown = format!("{number:.11e}");
    !number.is_finite() || shown.parse() == Ok(number)
}

/// Whether a formula without letters is short, and its numbers are whole.
fn is_exact(formula: &Expression) -> bool {
    let is_known = |item: &Item<_>| match item.kind {
        ItemKind::Number(number) => is_short_decimal(number.value) && number.value.fract() == 0.0,
        ItemKind::Apply(Head::Function(name, _), _) => EXACT_FUNCTIONS.contains(&name),
        _ => true,
    };
    formula.items.len() <= MOST_EXACT_ITEMS && formula.items.iter().all(is_known)
}

/// A result, which has no name.
pub(super) fn result(before: Line, value: Rc<Numbers>) -> NamedValue {
    NamedValue {
        name: None,
        before,
        value,
        formula: None,
    }
}

/// A value that is bound to the name `typed`.
pub(super) fn bound_value(
    session: &mut Session,
    typed: &str,
    value: &Value,
    notes: &mut Vec<Note>,
) -> NamedValue {
    let shown = shown_value(session, value, notes);
    // The name as stored, which may differ from the spelling in the text.
    let id = session.names().id(typed);
    let name = id.map_or(typed, |id| session.names().name(id));
    NamedValue {
        name: Some(name.to_owned()),
        before: reading_line(session, value),
        value: shown,
        formula: None,
    }
}

/// A value with its `±`. In a list each item has its own, unless an item has too many nodes.
pub(super) fn shown_value(
    session: &mut Session,
    value: &Value,
    notes: &mut Vec<Note>,
) -> Rc<Numbers> {
    let mut numbers = session.numbers(value);
    if session.names().uncertain.is_empty() {
        return Rc::new(numbers);
    }
    let mut measurements = Vec::with_capacity(value.nodes().len());
    for node in stop::with_checks(value.nodes().iter()) {
        match measurement_of(session, node, notes) {
            Ok(found) => measurements.push(found),
            Err(TooManyNodes) => return Rc::new(numbers),
        }
    }
    let is_number = |part: &&mut NumberPart| part.number().is_some();
    let parts = numbers.parts.iter_mut().filter(is_number);
    for (part, measurement) in parts.zip(measurements) {
        *part = measurement.map_or(*part, NumberPart::Measurement);
    }
    Rc::new(numbers)
}

/// A node's value with its `±`, or `None` if no leaf below it has one, or the setting is off. The first answer of a
/// session with too many nodes adds a note.
fn measurement_of(
    session: &mut Session,
    node: &Rc<Node>,
    notes: &mut Vec<Note>,
) -> Result<Option<Measurement>, TooManyNodes> {
    if !node.is_leaf() && !session.settings().is_on("uncertainty") {
        return Ok(None);
    }
    let found = node_table::measurement(session.names(), node);
    if found.is_err() && session.is_first(NoteOnce::TooManyNodes) {
        notes.push(Note::new(say!(
            "an answer of more than {} nodes is shown without ±: {:typed} says how sure it is",
            MOST_ANSWERED,
            format!(":budget {}", session.label(node))
        )));
    }
    found
}

/// `3*x^2 = `, if the user wants to see how the line was parsed.
pub(super) fn reading_line(session: &Session, value: &Value) -> Line {
    // Leaves and literals have no structure.
    let computed = value.node().filter(|it| it.op().is_some());
    match computed.filter(|_| session.settings().is_on("reading")) {
        Some(node) => say!("{:formula} = ", session.expression(node)),
        None => Line::new(),
    }
}

/// Whether an answer only repeats the line that was run: a name for a number, or a function.
pub(super) fn repeats(report: &Report, line: &str) -> bool {
    if !report.is_confirmation {
        return false;
    }
    match &report.blocks[..] {
        [Block::Values(_)] => is_plain(line),
        [Block::Line(pieces)] => pieces.iter().map(Piece::words).collect::<String>() == line,
        _ => false,
    }
}

/// Whether the first line of an answer is the line that was run, or what that means, apart from blanks.
pub(super) fn shows(reply: &Reply, line: &str) -> bool {
    let without_blanks = |text: &str| text.replace(' ', "");
    let first = reply.report.as_ref().and_then(|it| it.blocks.first());
    let Some(Block::Line(pieces)) = first else {
        return false;
    };
    let shown = without_blanks(&pieces.iter().map(Piece::words).collect::<String>());
    let (head, typed) = line.split_at(line.find('=').map_or(0, |at| at + 1));
    let read = language::as_expression(typed);
    let meant = read.map_or(typed.into(), |it| language::infix(&it.items));
    let lines = [line, &format!("{head}{meant}")].map(without_blanks);
    // Behind a line that waits stands for what it waits.
    let waits = reply
        .report
        .as_ref()
        .is_some_and(|it| it.kind == ReportKind::Waiting);
    lines.contains(&shown) || waits && shown.starts_with(&lines[0])
}

/// Whether a statement is just a number, so that its result would repeat what was typed.
pub(super) fn is_plain(statement: &str) -> bool {
    let value = match statement.split_once('=') {
        Some((name, value)) if language::is_name(name.trim()) => value,
        _ => statement,
    };
    let is_number = |text: &str| text.trim().parse::<f64>().is_ok();
    value.split('±').all(is_number)
}
