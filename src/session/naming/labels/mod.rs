//! How a node is referred to in tables, notes and JSON: by its name, its former name, or its expression.
//!
//! Numbers in labels are in the shortest form that the language reads back. Nothing here changes a name.

pub(crate) mod list_names;
pub mod long_lists;
pub(crate) mod notation;
pub mod parts;

use std::collections::VecDeque;
use std::fmt::Write as _;
use std::hash::BuildHasher;
use std::rc::Rc;

use rustc_hash::{FxBuildHasher, FxHashSet};

use self::list_names::list_name;
use self::parts::{FEW_ITEMS, LABEL_NODES, Term, label_text, name, unnamed_term};
use super::names::{Names, item_name};
use crate::session::error::{Error, fail};
use crate::session::tags::TagWrite;
use crate::session::values::{CodeWord, List, ListOrigin, Maker, Value, WeakValue};
use crate::session::{Session, Write};
use chainrule_engine::graph::{Node, NodeId};
use chainrule_engine::ops::{Op, Shape};
use chainrule_language::{Head, ItemKind, Span};
use chainrule_stop as stop;

/// Most labels have at most this many parts.
const FEW_PARTS: usize = 8;

/// How many operands of a long sum are shown.
const FEW_TERMS: usize = 2;

/// The label of a node: `L`, `a@1`, `a*b + c`.
pub fn label(names: &Names, node: &Rc<Node>) -> String {
    name(names, node).unwrap_or_else(|| label_text(&terms(names, node, Calls::All)))
}

/// The operations of a node down to what has a name, without the calls that made them: functions may have changed since.
pub fn operations(names: &Names, node: &Rc<Node>) -> String {
    name(names, node).unwrap_or_else(|| label_text(&terms(names, node, Calls::None)))
}

/// A node's own expression in terms of its operands' labels, even if the node has a name: `(a*b + c)*f`. Empty for a
/// leaf. A named node that was made by a call is shown as the call, `f(a)`; a node that is itself labelled `f(a)` is
/// shown as its operation.
pub fn expression(names: &Names, node: &Rc<Node>) -> String {
    if node.is_leaf() {
        String::new()
    } else {
        let calls = match name(names, node) {
            Some(_) => Calls::All,
            None => Calls::Below,
        };
        label_text(&terms(names, node, calls))
    }
}

/// The label and the expression in one row of a table.
#[derive(Clone, Debug)]
pub struct Caption {
    /// How the node is shown. If two rows would be shown alike, the newer node gets its id: `a*b @9`.
    pub label: String,
    /// Its own expression; empty for a leaf.
    pub expression: String,
    /// Whether the expression adds something to the label, which is then a name, a former name or a call.
    pub more: bool,
}

/// What distinguishes the rows of one table that would be shown alike.
#[derive(Clone, Debug, Default)]
pub struct Captions {
    /// The nodes that would be shown like an older one.
    later: FxHashSet<NodeId>,
}

impl Captions {
    /// For a table of these nodes.
    pub fn of<'n>(names: &Names, nodes: impl Iterator<Item = &'n Rc<Node>>) -> Captions {
        // A label may equal the name of another node. Then the labelled node gets its id, because names count as older.
        let all = !names.labels.is_empty();
        let mut known: Vec<(u64, bool, NodeId)> = Vec::new();
        for node in stop::with_checks(nodes) {
            // Shown by a name or a former name, which no other node has.
            let unique = names.node_name(node).is_some() && names.labels.of(node).is_none();
            if all || !unique {
                let label = caption(names, node).label;
                known.push((FxBuildHasher.hash_one(&label), !unique, node.id()));
            }
        }
        known.sort_unstable();
        known.dedup();
        // (Should two hashes of 64 bits ever coincide, a label has an id that it need not have.)
        let alike = known.chunk_by(|(one, ..), (other, ..)| one == other);
        let later = alike.flat_map(|alike| &alike[1..]);
        let later = later.filter(|(_, told_apart, _)| *told_apart);
        let later = later.map(|(.., id)| *id).collect();
        Captions { later }
    }

    /// The caption of one of these nodes.
    pub fn caption(&self, names: &Names, node: &Rc<Node>) -> Caption {
        let mut caption = caption(names, node);
        self.tell_apart(node, &mut caption.label);
        caption
    }

    /// Adds its id to the label of one of these nodes that would be shown like an older one.
    pub(crate) fn tell_apart(&self, node: &Node, label: &mut String) {
        if self.later.contains(&node.id()) {
            // Writing into a string cannot fail.
            let _ = write!(label, " @{}", node.id());
        }
    }
}

/// The caption of a node that need not be distinguished from others.
fn caption(names: &Names, node: &Rc<Node>) -> Caption {
    let expression = expression(names, node);
    let given = names.labels.of(node).map(ToString::to_string);
    let is_call = names.calls.of(node).is_some();
    let label = given
        .or_else(|| name(names, node))
        .unwrap_or_else(|| match expression.as_str() {
            text if !text.is_empty() && !is_call => text.to_string(),
            _ => label_text(&terms(names, node, Calls::All)),
        });
    Caption {
        more: label != expression,
        label,
        expression,
    }
}

/// The label of a node in postfix order.
pub(crate) fn label_terms(names: &Names, node: &Rc<Node>) -> Vec<Term> {
    name(names, node).map_or_else(
        || terms(names, node, Calls::All),
        |name| vec![Term::Name(name)],
    )
}

/// The expression of a node in postfix order. A loop is shown by the first of its rounds, if the last one reads the same.
fn terms(names: &Names, root: &Rc<Node>, calls: Calls) -> Vec<Term> {
    let write = |round| LabelWriter::new(names, round, calls).terms(root);
    let (first, loops) = write(Round::First);
    if !loops || label_text(&write(Round::Last).0) == label_text(&first) {
        return first;
    }
    write(Round::None).0
}

/// Which nodes are shown as the calls that made them.
#[derive(Clone, Copy, PartialEq)]
enum Calls {
    All,
    /// All but the root.
    Below,
    None,
}

/// Which items of lists stand for all of them in the label of a loop.
#[derive(Clone, Copy, PartialEq)]
enum Round {
    First,
    Last,
    /// None: the loop is not shown.
    None,
}

/// What waits to be written.
enum Waiting {
    Value(Value),
    /// `for u in h`: the variables of a loop, and its list.
    Loop(Rc<[Rc<str>]>, Value),
    Text(String),
}

/// Writes the label of one node.
struct LabelWriter<'n> {
    names: &'n Names,
    round: Round,
    calls: Calls,
    /// The loops that were met.
    loops: Vec<LabelLoop>,
}

/// A loop in a label.
struct LabelLoop {
    /// The loop around it.
    outer: Option<usize>,
    variables: Rc<[Rc<str>]>,
    /// What the variables stand for.
    item: Value,
}

/// A part of a label, and what it is applied to, each within a loop.
type LabelPart = (Term, Vec<(Waiting, Option<usize>)>);

impl LabelWriter<'_> {
    fn new(names: &Names, round: Round, calls: Calls) -> LabelWriter<'_> {
        LabelWriter {
            names,
            round,
            calls,
            loops: Vec::new(),
        }
    }

    /// The expression of a node, and whether it has loops. Searches breadth first, so that a long sum is cut at the far
    /// end, where it began.
    fn terms(mut self, root: &Rc<Node>) -> (Vec<Term>, bool) {
        let call = self.call_of(root).filter(|_| self.calls == Calls::All);
        let (term, below) = self.of_node(root, call, None, LABEL_NODES - 1);
        // The parts, each with the place of its first operand.
        let mut parts = Vec::with_capacity(FEW_PARTS);
        parts.push((Some(term), 1));
        let mut waiting = VecDeque::from(below);
        while let Some((next, within)) = waiting.pop_front() {
            let first = parts.len() + 1 + waiting.len();
            let room = LABEL_NODES.saturating_sub(first);
            let (term, below) = match next {
                Waiting::Text(text) => (Term::Name(text), Vec::new()),
                Waiting::Loop(variables, list) => {
                    let term = Term::Item(ItemKind::Each(variables.len() as u32));
                    let names = variables.iter().map(|name| Waiting::Text(name.to_string()));
                    let below = std::iter::once(Waiting::Value(list)).chain(names);
                    (term, below.map(|it| (it, within)).collect())
                }
                Waiting::Value(value) => self.of_value(&value, within, room),
            };
            parts.push((Some(term), first));
            waiting.extend(below);
        }
        // From the root, the last operands first, which is the postfix order backwards.
        let mut terms = Vec::with_capacity(parts.len());
        let mut waiting = vec![0];
        while let Some(at) = waiting.pop() {
            let (term, first) = std::mem::take(&mut parts[at]);
            waiting.extend(first..first + term.as_ref().map_or(0, Term::count));
            terms.extend(term);
        }
        terms.reverse();
        (terms, !self.loops.is_empty())
    }

    /// A value: by its name, or by what it was made of.
    fn of_value(&mut self, value: &Value, within: Option<usize>, room: usize) -> LabelPart {
        if let Some(name) = self.variable(value, within) {
            return (Term::Name(name), Vec::new());
        }
        match value {
            Value::Node(node) => match name(self.names, node) {
                Some(name) => (Term::Name(name), Vec::new()),
                None => self.of_node(node, self.call_of(node), within, room),
            },
            Value::List(list) => self.of_list(list, within, room),
        }
    }

    /// What a variable of a loop stands for, or an item of it.
    fn variable(&self, value: &Value, mut within: Option<usize>) -> Option<String> {
        while let Some(around) = within.map(|at| &self.loops[at]) {
            for (at, name) in around.variables.iter().enumerate() {
                let part = match &around.item {
                    Value::List(list) if around.variables.len() > 1 => list.item(at)?,
                    item => item.clone(),
                };
                if part.is(value) {
                    return Some(name.to_string());
                }
                let is_it = |node: &Rc<Node>| value.node().is_some_and(|it| Rc::ptr_eq(it, node));
                if let Some(place) = part.nodes().iter().position(is_it) {
                    return Some(item_name(name, part.shape(), place as u32));
                }
            }
            within = around.outer;
        }
        None
    }

    /// The function and the arguments of the call that made a node, if the arguments are alive and the function has not
    /// changed since.
    fn call_of(&self, node: &Rc<Node>) -> Option<(Rc<str>, Vec<Value>)> {
        let call = self.names.calls.of(node);
        let call = call.filter(|_| self.calls != Calls::None)?;
        let mut function = call.function.iter();
        if !function.all(|function| function.is_current.get()) {
            return None;
        }
        let arguments: Option<Vec<Value>> = call.arguments.iter().map(WeakValue::upgrade).collect();
        Some((Rc::clone(&call.name), arguments?))
    }

    /// A list: by its name, by how it was made, or by its items if they are few.
    fn of_list(&mut self, list: &Rc<List>, within: Option<usize>, room: usize) -> LabelPart {
        if let Some(name) = list_name(self.names, list.nodes(), list.shape()) {
            return (Term::Name(name), Vec::new());
        }
        let value = |value: &Value| (Waiting::Value(value.clone()), within);
        let Some(origin) = self.origin(list).filter(|it| it.operands.len() < room) else {
            if list.nodes().len() > FEW_ITEMS.min(room) {
                return (Term::Name("[…]".to_string()), Vec::new());
            }
            let items: Vec<Value> = list.items().collect();
            let kind = ItemKind::Apply(Head::List, items.len() as u32);
            return (Term::Item(kind), items.iter().map(value).collect());
        };
        let operands = || origin.operands.iter().map(value).collect::<Vec<_>>();
        if origin.shape != *list.shape() {
            let whole = list.in_shape(&origin.shape).into();
            return (Term::Call("flat".into(), 1), vec![value(&whole)]);
        }
        match &origin.maker {
            Maker::Operation(op) => (Term::operation(op, origin.operands.len()), operands()),
            Maker::Function(name) => {
                let count = origin.operands.len() as u32;
                (Term::Call((*name).into(), count), operands())
            }
            Maker::Word(CodeWord::Text(word) | CodeWord::Function(word, _)) => {
                (Term::Name(word.to_string()), Vec::new())
            }
            Maker::Word(CodeWord::None) => (Term::Name("None".into()), Vec::new()),
            Maker::Range => (Term::Item(ItemKind::Apply(Head::Range, 2)), operands()),
            Maker::Each(variables) => {
                let over = &origin.operands[0];
                self.loops.push(LabelLoop {
                    outer: within,
                    variables: Rc::clone(variables),
                    item: self.item(over),
                });
                let head = Waiting::Loop(Rc::clone(variables), over.clone());
                let body = self.item(&Value::List(Rc::clone(list)));
                let inside = Some(self.loops.len() - 1);
                let below = vec![(head, within), (Waiting::Value(body), inside)];
                (Term::Item(ItemKind::Apply(Head::Collect, 2)), below)
            }
        }
    }

    /// How a list was made, if that is shown.
    fn origin<'l>(&self, list: &'l List) -> Option<&'l ListOrigin> {
        let is_shown = |origin: &&ListOrigin| {
            let is_loop = matches!(origin.maker, Maker::Each(_));
            !is_loop || self.round != Round::None && !origin.operands.is_empty()
        };
        list.origin().filter(is_shown)
    }

    /// The item of a list that stands for all.
    fn item(&self, value: &Value) -> Value {
        let Value::List(list) = value else {
            return value.clone();
        };
        let last = list.count() - 1;
        let at = if self.round == Round::Last { last } else { 0 };
        list.item(at).unwrap_or_else(|| value.clone())
    }

    /// The list that an operation was applied to, if it has a name or an origin that is shown.
    fn operand(&self, node: &Node) -> Option<List> {
        let list = List::operand_of(node)?;
        let is_shown = self.origin(&list).is_some()
            || list_name(self.names, list.nodes(), list.shape()).is_some();
        is_shown.then_some(list)
    }

    /// A function of one list or two: a sum of products is a `dot`, a sum over the number of its operands a mean.
    fn of_lists(&self, node: &Rc<Node>, op: &'static Op) -> Option<(Term, Vec<Value>)> {
        if let ("/", [sum, count]) = (op.spelling, node.operands())
            && is_sum(sum)
            && !count.varies()
            && count.data() == sum.operands().len() as f64
            && name(self.names, sum).is_none()
        {
            let list = self.operand(sum)?;
            return Some((Term::Call("mean".into(), 1), vec![list.into()]));
        }
        let list = self.operand(node)?;
        if is_sum(node)
            && list_name(self.names, list.nodes(), list.shape()).is_none()
            && let Some(origin) = self.origin(&list)
            && let (Maker::Operation(op), [one, other]) = (&origin.maker, &origin.operands[..])
            && op.spelling == "*"
            && [one, other]
                .iter()
                .all(|factor| factor.shape() == list.shape())
        {
            let factors = vec![one.clone(), other.clone()];
            return Some((Term::Call("dot".into(), 2), factors));
        }
        Some((Term::operation(op, 1), vec![list.into()]))
    }

    /// A node without a name, and its operands, if there is room for them.
    fn of_node(
        &self,
        node: &Rc<Node>,
        call: Option<(Rc<str>, Vec<Value>)>,
        within: Option<usize>,
        room: usize,
    ) -> LabelPart {
        let Some(op) = node.op() else {
            return (unnamed_term(self.names, node), Vec::new());
        };
        let value = |value: Value| (Waiting::Value(value), within);
        if call.is_none()
            && let Some((term, lists)) = self.of_lists(node, op)
        {
            return (term, lists.into_iter().map(value).collect());
        }
        let is_sum = call.is_none() && matches!(op.spelling, "sum" | "prod");
        let is_written = call.is_some() || op.shape == Shape::Call;
        let (function, below) = call.unzip();
        let operands = || node.operands().iter().cloned().map(Value::Node).collect();
        let below: Vec<Value> = below.unwrap_or_else(operands);
        // A list without a name: the first of its items say what it is made of.
        let is_long = is_sum && below.len() > FEW_ITEMS && room > FEW_TERMS;
        let is_cut = is_long || below.len() > room;
        if is_cut && !is_long && (!is_written || room == 0) {
            return (cut(), Vec::new());
        }
        // `max(…)` says more than `…`.
        let shown = match (is_long, is_cut) {
            (true, _) => FEW_TERMS,
            (false, true) => 0,
            (false, false) => below.len(),
        };
        let mut below: Vec<_> = below.into_iter().take(shown).map(value).collect();
        below.extend(is_cut.then(|| (Waiting::Text("…".to_string()), within)));
        let term = match function {
            Some(function) => Term::Call(function, below.len() as u32),
            None => Term::operation(op, below.len()),
        };
        (term, below)
    }
}

/// The longest label, in characters.
const MAX_LABEL: usize = 100;

impl Session {
    /// Gives a node a label for tables. An empty label, or one equal to how the node is referred to anyway, removes it.
    ///
    /// # Errors
    /// If it is longer than 100 characters.
    pub fn relabel(&mut self, node: &Rc<Node>, label: &str, place: Span) -> Result<(), Error> {
        let length = label.chars().count();
        if length > MAX_LABEL {
            let message =
                format!("a label has at most {MAX_LABEL} characters, this one has {length}");
            let help = "a table has room for a few words: `n.label = 'n'`";
            return Err(fail(place, message, help));
        }
        let text = label.trim();
        let plain = text.is_empty() || self.label(node) == text;
        if self.names.labels.of(node).map_or("", |old| &**old) == if plain { "" } else { text } {
            return Ok(());
        }
        let label = (!plain).then(|| Rc::from(text));
        self.write(Write::Label(TagWrite::new(node, label)));
        Ok(())
    }
}

fn is_sum(node: &Node) -> bool {
    node.op().is_some_and(Op::is_sum)
}

/// Stands for parts that are not shown.
fn cut() -> Term {
    Term::Name("…".to_string())
}
