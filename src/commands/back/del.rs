//! `:del a`: deletes names and functions.
//!
//! Nodes are not deleted here: a node is dropped when nothing uses it any more.

use std::ops::Range;
use std::rc::Rc;

use rustc_hash::FxHashSet;

use crate::commands::args::suggestions::{Offers, Word};
use crate::commands::args::{Argument, ArgumentKind, Arguments};
use crate::commands::{Command, Group, Reply};
use crate::diagnostic::Diagnostic;
use crate::diagnostic::suggest::{did_you_mean, nearest};
use crate::graph::Node;
use crate::ops;
use crate::report::{Fact, Report, name_list, say};
use crate::session::values::{LIST_DEPTH, List, ListShape, Value};
use crate::session::{Forgotten, Session, Trace};
use crate::syntax;
use crate::syntax::{Head, Item, ItemKind, Literal, Span, precedence};

pub(crate) const COMMAND: Command = Command {
    name: "del",
    aliases: &["delete", "forget"],
    group: Group::Back,
    entry: (":del a", "forget a name"),
    arguments: &[
        Argument::needed("NAME", ArgumentKind::Names)
            .means("names and functions, separated by blanks"),
        Argument::after("as", "FORMER", ArgumentKind::Topic)
            .means("`a@5`, `unnamed` or `f(x)`: what the node is shown as from then on")
            .offering(Offers::Words(words)),
    ],
    summary: "forget names and functions",
    details: "The nodes stay as long as something uses them; a node that has lost its last name is shown as `a@1`. \
              `:del a as a@5` gives it the number 5, or the next one that was never used; `:del a b as unnamed` gives \
              no former names, so these nodes are shown by their text; `:del a as f(x)` shows the node as a call; \
              `:del a@5` forgets a former name, and no other node gets a number up to 5. `:save` writes all of these. \
              A function is forgotten by its name too, or by `f()` if a value has the same name.",
    example: "
∂> a = 2
a = 2
∂> L = a*a
L = 4
∂> :del a
forgotten: a
∂> :grad L
  node   expression   data   grad
  L      a@1*a@1         4      1
  a@1    leaf            2      4
",
    run,
};

/// The word that stands for no former name.
const UNNAMED: &str = "unnamed";

fn words(session: &Session, given: &[&str]) -> Vec<Word> {
    let mut words = vec![Word::new(UNNAMED, say!("no former name"))];
    if let [name] = given
        && let Some(id) = session.names().id(name)
    {
        let next = format!("{name}@{}", session.names().lost(id) + 1);
        words.push(Word::new(next, say!("the former name it would get")));
    }
    words
}

fn run(session: &mut Session, arguments: &Arguments) -> Result<Reply, Diagnostic> {
    let mut names: Vec<&str> = Vec::new();
    let mut functions: Vec<&str> = Vec::new();
    let mut formers: Vec<(&str, u32)> = Vec::new();
    let mut seen = FxHashSet::default();
    for &span in arguments.words("NAME") {
        let word = span.of(arguments.text);
        if let Some(former) = former(arguments.text, span) {
            formers.push(former);
            continue;
        }
        let called = word.strip_suffix("()");
        let name = called.unwrap_or(word);
        let is_value = called.is_none() && session.names().find(name).is_some();
        let list = if is_value {
            &mut names
        } else if session.functions().get(name).is_some() {
            &mut functions
        } else if let Some(list) = list_of_item(arguments.text, span) {
            return Err(item_forgotten(word, list, span));
        } else {
            return Err(nothing_to_forget(session, word, span));
        };
        if seen.insert((is_value, name)) {
            list.push(name);
        }
    }
    let trace = trace(session, arguments, &names)?;
    let listed: Vec<String> = (names.iter().map(ToString::to_string))
        .chain(functions.iter().map(|function| format!("{function}()")))
        .chain(
            formers
                .iter()
                .map(|(name, count)| format!("{name}@{count}")),
        )
        .collect();
    let forgotten = Forgotten {
        names,
        functions,
        formers,
    };
    session.forget(&forgotten, &trace);
    let line = say!("forgotten: {}", name_list(&listed));
    let facts = vec![(
        "names",
        Fact::List(listed.into_iter().map(Fact::Text).collect()),
    )];
    Ok(Reply::show(Report::done("del", facts, line)))
}

/// Parses a former name: `a@1`.
fn former(text: &str, span: Span) -> Option<(&str, u32)> {
    let expression = syntax::expression(text, span).ok()?;
    match expression.items[..] {
        [
            Item {
                kind: ItemKind::Former(name, count),
                ..
            },
        ] if (1..=MOST_FORMER).contains(&count) => Some((name, count)),
        _ => None,
    }
}

/// The list in `w[2]` or `w@1[2]`.
fn list_of_item(text: &str, span: Span) -> Option<&str> {
    let expression = syntax::expression(text, span).ok()?;
    let (last, first) = (expression.items.last()?, expression.items.first()?);
    let is_index = last.kind == ItemKind::Apply(Head::Index, 2);
    let is_name = matches!(first.kind, ItemKind::Name(_) | ItemKind::Former(..));
    (is_index && is_name).then(|| first.span.of(text))
}

/// `:del w[2]`
fn item_forgotten(word: &str, list: &str, span: Span) -> Diagnostic {
    Diagnostic::new(format!("`{word}` is an item of a list, not a name"))
        .at(span)
        .help(format!(
            "`:del {list}` forgets the list; an item of it stays as long as something uses it"
        ))
}

fn nothing_to_forget(session: &Session, word: &str, span: Span) -> Diagnostic {
    let names = session.names().bound().map(|(name, _)| name);
    let functions = session.functions().iter().map(|function| &*function.name);
    let near = nearest(word, names.chain(functions));
    let help = did_you_mean(near, || "`:vars` and `:funcs` list all names".into());
    Diagnostic::new(format!("there is no name `{word}` to forget"))
        .at(span)
        .help(help)
}

/// The largest number of a former name.
const MOST_FORMER: u32 = 1_000_000_000;

/// The most nodes searched for a constant that was an argument of a call.
const NODES_SEARCHED: usize = 10_000;

/// How the nodes are shown after their names are deleted.
fn trace<'t>(
    session: &Session,
    arguments: &Arguments<'t>,
    names: &[&str],
) -> Result<Trace<'t>, Diagnostic> {
    let Some((word, span)) = arguments.word("FORMER") else {
        return Ok(Trace::Usual);
    };
    let error = |message: String| {
        Diagnostic::new(message).at(span).help(
            "it is `unnamed`, or for one node a former name or a call: `:del a as a@5`, `:del a as f(x)`",
        )
    };
    if word == UNNAMED {
        return Ok(Trace::None);
    }
    let expression = syntax::expression(arguments.text, span).unwrap_or_default();
    let unknown = || error(format!("`{word}` is not a former name"));
    let (last, before) = expression.items.split_last().ok_or_else(unknown)?;
    let trace = match last.kind {
        ItemKind::Former(name, count) if before.is_empty() => {
            if !(1..=MOST_FORMER).contains(&count) {
                return Err(error(format!(
                    "a former name has a number from 1 to {MOST_FORMER}"
                )));
            }
            Trace::Former(name, count)
        }
        ItemKind::Apply(Head::Index, 2) if let Some(trace) = former_item(&expression.items) => {
            trace
        }
        ItemKind::Apply(Head::Function(..), count) => {
            // The name may end with primes: `f'`.
            let name = word.split('(').next().unwrap_or(word).trim_end();
            let node = names.first().and_then(|name| session.names().get(name));
            let called_with = node.ok_or_else(unknown)?;
            let found = called(session, called_with, before).ok_or_else(unknown)?;
            if found.len() == count as usize {
                Trace::Call(name, found)
            } else {
                // A constant argument was not found among the operands, so the call cannot be reconstructed.
                Trace::None
            }
        }
        _ => return Err(unknown()),
    };
    if names.len() != 1 {
        return Err(error(format!(
            "`{word}` is for one node, but {} names are given",
            names.len()
        )));
    }
    Ok(trace)
}

/// `w@1[2][1]`, as the former name of an item.
fn former_item<'t>(items: &[Item<'t>]) -> Option<Trace<'t>> {
    let (first, indices) = items.split_first()?;
    let ItemKind::Former(name, count) = first.kind else {
        return None;
    };
    let mut path = Vec::new();
    for index in indices.chunks(2) {
        match index {
            [position, apply] if apply.kind == ItemKind::Apply(Head::Index, 2) => {
                let ItemKind::Number(Literal { value, .. }) = position.kind else {
                    return None;
                };
                path.push((value as usize).checked_sub(1)?);
            }
            _ => return None,
        }
    }
    (1..=MOST_FORMER)
        .contains(&count)
        .then_some(Trace::FormerItem(name, count, path))
}

/// The arguments of the call that made a node: named nodes and lists, and constants below the node. `None` if there are
/// other arguments; incomplete if a constant is not found.
fn called(session: &Session, node: &Rc<Node>, items: &[Item]) -> Option<Vec<Value>> {
    // The values found so far, each with the range of its items. The items are in postfix order, so an operator replaces
    // its operands. Constants are looked for when they turn out to be whole arguments or items of lists.
    let mut found: Vec<(Range<usize>, Option<Value>)> = Vec::new();
    let whole = |(range, value): (Range<usize>, Option<Value>)| {
        value.or_else(|| constant(session, node, &items[range]))
    };
    for (at, item) in items.iter().enumerate() {
        let taken = match item.kind {
            ItemKind::Apply(_, count) => count as usize,
            ItemKind::Number(_) | ItemKind::Name(_) => 0,
            _ => return None,
        };
        let first = found.len().checked_sub(taken)?;
        let start = found.get(first).map_or(at, |(range, _)| range.start);
        let mut operands = found.split_off(first).into_iter();
        let value = match item.kind {
            ItemKind::Name(name) => session.names().find(name).cloned(),
            ItemKind::Apply(Head::List, _) => {
                let items: Option<Vec<Value>> = operands.map(whole).collect();
                let fits = |item: &Value| item.shape().depth() < LIST_DEPTH;
                let items = items.filter(|items| items.iter().all(fits));
                items.map(|items| Value::List(Rc::new(List::from_items(items))))
            }
            ItemKind::Apply(Head::Index, _) => {
                let list = operands.next().and_then(|(_, list)| list);
                Some(selected(list?, &items[start..at])?)
            }
            ItemKind::Apply(Head::Function("flat", 0), 1) => {
                let list = operands.next().and_then(|(_, list)| list);
                let nodes = list?.nodes().to_vec();
                let shape = ListShape::rows(nodes.len(), ListShape::NUMBER);
                Some(Value::shaped(nodes, &shape))
            }
            _ => None,
        };
        found.push((start..at + 1, value));
    }
    Some(found.into_iter().filter_map(whole).collect())
}

/// The constant below a node that is written like this.
fn constant(session: &Session, node: &Rc<Node>, items: &[Item]) -> Option<Value> {
    let constant = if let Some(value) = literal(items) {
        let is_it = |node: &Node| node.spelling().is_some() && same(node.data(), value);
        constant_below(node, |node| is_it(node))
    } else {
        let text = syntax::infix(items);
        let computed = |node: &Node| !node.varies() && node.op().is_some();
        constant_below(node, |node| computed(node) && session.label(node) == text)
    };
    constant.map(Value::Node)
}

/// The item of a list, or the items of a range, that an index at the end of these items means.
fn selected(list: Value, items: &[Item]) -> Option<Value> {
    let Value::List(list) = list else { return None };
    let position = |item: &Item| match item.kind {
        ItemKind::Number(Literal { value, .. }) => (value as usize).checked_sub(1),
        _ => None,
    };
    match items {
        [.., first, last, range] if range.kind == ItemKind::Apply(Head::Range, 2) => {
            let places = position(first)?..=position(last)?;
            let items: Option<Vec<Value>> = places.map(|at| list.item(at)).collect();
            let items = items.filter(|items| !items.is_empty())?;
            Some(Value::List(Rc::new(List::from_items(items))))
        }
        [.., last] => list.item(position(last)?),
        [] => None,
    }
}

/// The value of a literal or a predefined constant, possibly negative.
fn literal(items: &[Item]) -> Option<f64> {
    let minus = ItemKind::Apply(Head::Operator(precedence::minus()), 1);
    let (first, sign) = match items {
        [first] => (first, 1.0),
        [first, last] if last.kind == minus => (first, -1.0),
        _ => return None,
    };
    let value = match first.kind {
        ItemKind::Number(literal) => literal.value,
        ItemKind::Name(name) => ops::constant(name)?,
        _ => return None,
    };
    Some(sign * value)
}

/// Equal bits; all NaNs count as equal.
fn same(one: f64, other: f64) -> bool {
    one.to_bits() == other.to_bits() || one.is_nan() && other.is_nan()
}

fn constant_below(node: &Rc<Node>, is_it: impl Fn(&Rc<Node>) -> bool) -> Option<Rc<Node>> {
    let mut waiting = vec![node];
    let mut searched = 0;
    while let Some(node) = waiting.pop() {
        searched += 1;
        if is_it(node) {
            return Some(Rc::clone(node));
        }
        if searched > NODES_SEARCHED {
            return None;
        }
        waiting.extend(node.operands());
    }
    None
}
