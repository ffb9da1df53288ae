//! Completes an operand: names, results, constants, functions, and what may follow a dot: `.tanh()`, `.data`.
//!
//! The session's own names come first; nothing else is offered before a letter is typed. After a dot, functions of one
//! argument are offered whether or not the call makes sense.

use super::{CandidateList, NameOrder};
use crate::command::args::suggestions::{self, Offers, describe_value};
use crate::commands::help::operand_list;
use chainrule_engine::ops::{self, Op};
use chainrule_language::{Property, Span, TextPart};
use chainrule_program::ANSWERS;
use chainrule_program::functions::LIBRARY;
use chainrule_program::values::Value;
use chainrule_report::{Line, Piece, say};

/// The keyword before a name that makes a frozen leaf.
const CONST: &str = "const";

/// Adds everything that an operand may begin with.
pub(super) fn fill(found: &mut CandidateList, parts: &[(TextPart, Span)], order: NameOrder) {
    let session = found.spot.session;
    for parameter in parameters(found.spot.text, parts) {
        found.offer_word(parameter, || say!("parameter"));
    }
    fill_names(found, order, &[], Offers::Usual);
    for function in session.functions().iter() {
        let head = || function.head()[function.name.len()..].to_owned();
        let body = || say!("= {}", suggestions::short_expression(&function.body));
        offer_call(found, &function.name, head, body);
    }
    let last = session.results().iter_numbered().next();
    if let (Some((_, value)), [answer, ..]) = (last, ANSWERS) {
        found.offer_word(answer, || match value {
            Value::Node(node) => say!("last result = {:short}", node.data()),
            Value::List(list) => say!("last result: {}", list.shape().to_string()),
        });
    }
    if found.word.is_empty() {
        return;
    }
    for (name, value, summary) in ops::CONSTANTS {
        let about = || {
            let summary = Piece::plain(format!("   {summary}"));
            vec![Piece::plain("constant = "), Piece::Short(*value), summary]
        };
        found.offer_word(name, about);
    }
    for function in &LIBRARY {
        if session.functions().get(function.name).is_none() {
            let takes = || format!("({})", function.arguments);
            let summary = || say!("{}", function.summary);
            offer_call(found, function.name, takes, summary);
        }
    }
    for (name, op) in functions() {
        let takes = || format!("({})", operand_list(op));
        offer_call(found, name, takes, || say!("{}", op.summary));
    }
    if parts.len() == 1 {
        found.offer(CONST, " ", || {
            (format!("{CONST} x = 2"), say!("makes a frozen leaf"))
        });
    }
}

/// Adds the names of values, except those in `given`.
pub(super) fn fill_names(
    found: &mut CandidateList,
    order: NameOrder,
    given: &[&str],
    offers: Offers,
) {
    let session = found.spot.session;
    let all = session.names().bound_values();
    let is_computed = |value: &Value| value.node().is_some_and(|node| !node.is_leaf());
    let is_first = |value: &Value| order == NameOrder::RootsFirst && is_computed(value);
    let is_allowed = |value: &Value| match offers {
        Offers::Nodes(holds) => value.nodes().iter().all(|node| holds(node)),
        _ => true,
    };
    let roots = all.clone().rev().filter(|(_, value)| is_first(value));
    let rest = all.filter(|(_, value)| !is_first(value));
    for (name, value) in roots.chain(rest) {
        if is_allowed(value) && !given.contains(&name) {
            found.offer_word(name, || describe_value(session, value));
        }
    }
}

/// Adds the functions that `:del` can delete, with brackets if a node has the same name.
pub(super) fn fill_functions_to_forget(found: &mut CandidateList) {
    let session = found.spot.session;
    for function in session.functions().iter() {
        let is_taken = session.names().find(&function.name).is_some();
        let word = format!("{}{}", function.name, if is_taken { "()" } else { "" });
        found.offer_word(&word, || say!("{} = {}", function.head(), &*function.body));
    }
}

/// Adds `x=` for each leaf, which begins a range.
pub(super) fn fill_ranges(found: &mut CandidateList) {
    let is_leaf = |value: &Value| value.node().is_some_and(|node| node.is_leaf());
    let session = found.spot.session;
    let values = session.names().bound_values();
    for (name, value) in values.filter(|(_, value)| is_leaf(value)) {
        let about = || describe_value(session, value);
        found.offer(name, "=", || (format!("{name}=A..B"), about()));
    }
}

/// Adds former nodes of a rebound name: `a@1`.
pub(super) fn fill_formers(found: &mut CandidateList) {
    let session = found.spot.session;
    let names = session.names();
    let word = found.word;
    let name = &word[..word.find('@').unwrap_or(word.len())];
    let Some(id) = names.id(name) else { return };
    for (count, node) in names.nodes_that_lost(id) {
        let former = format!("{name}@{count}");
        found.offer_word(&former, || describe_value(session, &node.into()));
    }
}

/// Adds earlier results: `$3`.
pub(super) fn fill_results(found: &mut CandidateList) {
    let session = found.spot.session;
    for (number, value) in session.results().iter_numbered() {
        found.offer_word(&format!("${number}"), || describe_value(session, value));
    }
}

/// Adds properties, with their values after a name, and functions of one argument.
pub(super) fn fill_members(found: &mut CandidateList, name: Option<Span>) {
    let spot = found.spot;
    let session = spot.session;
    let node = name.and_then(|name| session.names().find_node(name.of(spot.text)));
    for (property, word) in Property::ALL {
        let value = node.and_then(|node| match property {
            Property::Data => Some(node.data()),
            Property::Grad => session.pass().and_then(|pass| pass.grad(node)),
            Property::Sigma => session.names().uncertain.answer_deviation(node).ok()?,
        });
        let is_stale = property == Property::Grad && session.is_stale();
        let stale = if is_stale { " (stale)" } else { "" };
        let about = || match value {
            Some(value) => say!("= {:short}{}", value, stale),
            None => say!("a number of the node"),
        };
        found.offer_word(word, about);
    }
    let brackets = if spot.rest.starts_with('(') { "" } else { "()" };
    if node.is_some_and(|node| !node.is_leaf()) {
        found.offer("backward", brackets, || {
            ("backward()".to_owned(), say!("a backward pass from here"))
        });
    }
    let mut offer = |function: &str, about: &str| {
        let describe = || (format!("{function}()"), say!("{}", about));
        found.offer(function, brackets, describe);
    };
    for function in session.functions().iter() {
        if function.parameters.len() == 1 {
            offer(&function.name, &format!("= {}", function.body));
        }
    }
    for (function, op) in functions() {
        if op.takes(1) && session.functions().get(function).is_none() {
            offer(function, op.summary);
        }
    }
}

/// The built-in functions, each name once.
fn functions() -> impl Iterator<Item = (&'static str, &'static Op)> {
    ops::function_names().filter_map(|name| Some((name, *ops::functions(name).first()?)))
}

/// Offers a function call: the name, and the opening bracket if there is none yet.
fn offer_call(
    found: &mut CandidateList,
    name: &str,
    takes: impl FnOnce() -> String,
    about: impl FnOnce() -> Line,
) {
    let open = if found.spot.rest.starts_with('(') {
        ""
    } else {
        "("
    };
    found.offer(name, open, || (format!("{name}{}", takes()), about()));
}

/// The parameters of the function that the statement defines.
fn parameters<'t>(text: &'t str, parts: &[(TextPart, Span)]) -> Vec<&'t str> {
    let [(TextPart::Name, _), (TextPart::Open, _), inner @ ..] = parts else {
        return Vec::new();
    };
    let Some(close) = inner.iter().position(|(part, _)| *part == TextPart::Close) else {
        return Vec::new();
    };
    let next = inner.get(close + 1).map(|(_, sign)| sign.of(text));
    let inside = inner[..close].iter().filter(|_| next == Some("="));
    let names = inside.filter(|(part, _)| *part == TextPart::Name);
    names.map(|(_, name)| name.of(text)).collect()
}
