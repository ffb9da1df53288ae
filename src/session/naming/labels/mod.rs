//! Writes the labels of nodes for tables, notes and JSON: the name of a node, its former name, or its expression.
//!
//! A label is an expression of the language, with names of nodes and lists: `W`, `W[2]`, `w[2..3]`, `flat(W)`.
//! [`Captions`] makes the labels of one table distinct. Numbers in labels have the shortest form that the language
//! reads back.

pub mod long_lists;

use std::borrow::Cow;
use std::collections::VecDeque;
use std::fmt::Write as _;
use std::hash::BuildHasher;
use std::rc::Rc;

use rustc_hash::{FxBuildHasher, FxHashSet};

use super::{Names, NodeName, item_name};
use crate::session::error::{Error, fail};
use crate::session::limits::{LABEL_CHARACTERS, LABEL_NODES};
use crate::session::tags::TagWrite;
use crate::session::values::{CodeWord, List, ListOrigin, ListShape, Maker, Value, WeakValue};
use crate::session::{Session, Write};
use chainrule_engine::graph::{Node, NodeId, Spelling};
use chainrule_engine::ops::{self, Op, Shape};
use chainrule_language::{
    self as language, Head, Item, ItemKind, Literal, Operator, Span, precedence,
};
use chainrule_stop as stop;

/// A list of at most this many items is shown item by item: about a line.
pub const FEW_ITEMS: usize = 8;

/// The number of parts for which memory is reserved. Most labels have no more.
const FEW_PARTS: usize = 8;

/// The number of operands of a long sum that are shown: enough to see the pattern.
const FEW_TERMS: usize = 2;

/// A label in postfix order.
pub(crate) type Label<'n> = Vec<Item<Cow<'n, str>>>;

/// An item of a label.
type LabelItem<'n> = ItemKind<Cow<'n, str>>;

/// The label of a node: `L`, `a@1`, `a*b + c`.
pub fn label(names: &Names, node: &Rc<Node>) -> String {
    name(names, node).unwrap_or_else(|| language::infix(&items(names, node, Calls::All)))
}

/// The label of a node in postfix order.
pub(crate) fn label_items<'n>(names: &'n Names, node: &Rc<Node>) -> Label<'n> {
    match name(names, node) {
        Some(name) => vec![name_item(name).into()],
        None => items(names, node, Calls::All),
    }
}

/// The operations of a node down to nodes with names. Calls are not shown, because functions may have changed since.
pub fn operations(names: &Names, node: &Rc<Node>) -> String {
    name(names, node).unwrap_or_else(|| language::infix(&items(names, node, Calls::None)))
}

/// A node's own expression in terms of its operands' labels, even if the node has a name: `(a*b + c)*f`. Empty for a
/// leaf. A named node that was made by a call is shown as the call, `f(a)`. A node with the label `f(a)` is shown as
/// its operation.
pub fn expression(names: &Names, node: &Rc<Node>) -> String {
    if node.is_leaf() {
        return String::new();
    }
    let calls = name(names, node).map_or(Calls::Below, |_| Calls::All);
    language::infix(&items(names, node, calls))
}

/// A node's name or former name, if it has one.
pub(crate) fn name(names: &Names, node: &Node) -> Option<String> {
    let naming = names.first_name_or_former(node)?;
    Some(names.node_name_text(naming).into_owned())
}

/// The item of a name, or of `…`.
pub(crate) fn name_item<'n>(name: impl Into<Cow<'n, str>>) -> LabelItem<'n> {
    ItemKind::Name(name.into())
}

/// A call of a function.
fn call_item<'n>(function: impl Into<Cow<'n, str>>, count: usize) -> LabelItem<'n> {
    ItemKind::Apply(Head::Function(function.into(), 0), count as u32)
}

/// An operation on the last `count` items. The products of a derivative, `chain`, are shown as products.
pub(crate) fn operation_item<'n>(op: &'static Op, count: usize) -> LabelItem<'n> {
    let operator: Option<&'static Operator> = match op.shape {
        _ if op.name == "chain" => precedence::infix_operator("*"),
        Shape::Infix => precedence::infix_operator(op.spelling),
        Shape::Prefix => Some(precedence::minus_sign()),
        Shape::Postfix => Some(precedence::factorial()),
        Shape::Call => None,
    };
    match operator {
        Some(known) => ItemKind::Apply(Head::Operator(known), count as u32),
        None => call_item(op.spelling, count),
    }
}

/// A leaf or constant without a name: `2`, `pi`, `(2 ± 0.1)`.
pub(crate) fn unnamed_item<'n>(names: &Names, node: &Node) -> LabelItem<'n> {
    let (value, spelling) = (node.data(), node.spelling());
    if let Some(width) = names.uncertain.width(node) {
        let typed = [value, width].map(|number| language::literal(number, false));
        return name_item(format!("({} ± {})", typed[0], typed[1]));
    }
    let has_point = spelling == Some(Spelling::Point);
    match spelling {
        // A predefined constant is shown by its name, unless the user has bound that name.
        Some(Spelling::Named(name)) if names.find(name).is_none() => name_item(name),
        // A value that is not finite, such as that of `a.data`, is written as a name, which the language reads back.
        _ if !has_point && value == f64::INFINITY => name_item("inf"),
        _ if !has_point && value.is_nan() => name_item("nan"),
        _ => ItemKind::Number(Literal { value, has_point }),
    }
}

/// The expression of a node in postfix order. A loop is shown if its first and its last round read the same.
fn items<'n>(names: &'n Names, root: &Rc<Node>, calls: Calls) -> Label<'n> {
    let write = |round| LabelWriter::new(names, round, calls).write(root);
    let (first, has_loops) = write(Round::First);
    if !has_loops || write(Round::Last).0 == first {
        return first;
    }
    write(Round::None).0
}

/// The nodes that are shown as the calls that made them.
#[derive(Clone, Copy, PartialEq)]
enum Calls {
    All,
    /// All but the root.
    Below,
    None,
}

/// The round of a loop that its label shows.
#[derive(Clone, Copy, PartialEq)]
enum Round {
    First,
    Last,
    /// The loop is not shown.
    None,
}

/// An item of a label, with its operands.
struct LabelPart<'n> {
    item: LabelItem<'n>,
    operands: Vec<Waiting<'n>>,
}

/// An operand that is not written yet.
enum Waiting<'n> {
    /// A value, with the index of the loop around it.
    Value(Value, Option<usize>),
    Part(LabelPart<'n>),
}

/// The operands of a node that its label shows.
enum ShownOperands {
    All,
    /// The first ones, and `…` for the others.
    First(usize),
    /// None: the label of the node is `…`.
    None,
}

impl ShownOperands {
    /// Decides for a node with `count` operands. `is_fold` means a sum or a product, `is_call` the notation `f(x)`.
    fn of(count: usize, is_fold: bool, is_call: bool, room: usize) -> ShownOperands {
        if is_fold && count > FEW_ITEMS && room > FEW_TERMS {
            ShownOperands::First(FEW_TERMS)
        } else if count <= room {
            ShownOperands::All
        } else if is_call && room > 0 {
            // `max(…)` says more than `…`.
            ShownOperands::First(0)
        } else {
            ShownOperands::None
        }
    }
}

impl<'n> From<LabelItem<'n>> for LabelPart<'n> {
    fn from(item: LabelItem<'n>) -> LabelPart<'n> {
        let operands = Vec::new();
        LabelPart { item, operands }
    }
}

/// Writes the label of one node.
struct LabelWriter<'n> {
    names: &'n Names,
    round: Round,
    calls: Calls,
    /// The loops in the label, in the order in which they were found.
    loops: Vec<LabelLoop>,
}

/// A loop in a label.
struct LabelLoop {
    /// The index of the loop around this one.
    outer: Option<usize>,
    variables: Rc<[Rc<str>]>,
    /// The item of the list that the variables stand for in the shown round.
    item: Value,
}

impl<'n> LabelWriter<'n> {
    fn new(names: &'n Names, round: Round, calls: Calls) -> LabelWriter<'n> {
        LabelWriter {
            names,
            round,
            calls,
            loops: Vec::new(),
        }
    }

    /// The expression of a node, and whether it has loops. Searches breadth first, so that a long expression is cut at
    /// its deepest operands.
    fn write(mut self, root: &Rc<Node>) -> (Label<'n>, bool) {
        let call = self.call_of(root).filter(|_| self.calls == Calls::All);
        let whole = self.of_node(root, call, None, LABEL_NODES - 1);
        // Each item with the index of its first operand.
        let mut parts = Vec::with_capacity(FEW_PARTS);
        parts.push((Some(whole.item), 1));
        let mut waiting = VecDeque::from(whole.operands);
        while let Some(next) = waiting.pop_front() {
            let first = parts.len() + 1 + waiting.len();
            let part = match next {
                Waiting::Part(part) => part,
                Waiting::Value(value, within) => {
                    self.of_value(&value, within, LABEL_NODES.saturating_sub(first))
                }
            };
            parts.push((Some(part.item), first));
            waiting.extend(part.operands);
        }
        // From the root down, with the last operand first: postfix order backwards.
        let mut items = Label::with_capacity(parts.len());
        let mut indices = vec![0];
        while let Some(index) = indices.pop() {
            let (part, first) = &mut parts[index];
            if let Some(item) = part.take() {
                indices.extend(*first..*first + item.operands() as usize);
                items.push(item.into());
            }
        }
        items.reverse();
        (items, !self.loops.is_empty())
    }

    /// The part for a value: its name, or its origin.
    fn of_value(&mut self, value: &Value, within: Option<usize>, room: usize) -> LabelPart<'n> {
        if let Some(name) = self.variable(value, within) {
            return name_item(name).into();
        }
        match value {
            Value::Node(node) => match name(self.names, node) {
                Some(name) => name_item(name).into(),
                None => self.of_node(node, self.call_of(node), within, room),
            },
            Value::List(list) => self.of_list(list, within, room),
        }
    }

    /// The name of a value that is a variable of a loop around it, or an item of one.
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
    fn call_of(&self, node: &Rc<Node>) -> Option<(&'n str, Vec<Value>)> {
        if self.calls == Calls::None {
            return None;
        }
        let call = self.names.calls.of(node)?;
        let function = call.function.as_ref();
        if function.is_some_and(|it| !it.is_current.get()) {
            return None;
        }
        let arguments: Option<Vec<Value>> = call.arguments.iter().map(WeakValue::upgrade).collect();
        Some((&call.name, arguments?))
    }

    /// The part for a list: its name, its origin, or its items if they are few.
    fn of_list(&mut self, list: &Rc<List>, within: Option<usize>, room: usize) -> LabelPart<'n> {
        if let Some(name) = list_name(self.names, list.nodes(), list.shape()) {
            return name_item(name).into();
        }
        let has_room = |origin: &&ListOrigin| origin.operands.len() < room;
        match self.shown_origin(list).filter(has_room) {
            None => items_part(list, within, room),
            Some(origin) if origin.shape != *list.shape() => flat_part(list, origin, within),
            Some(origin) => self.origin_part(list, origin, within),
        }
    }

    /// The part for a list that is shown by its origin.
    fn origin_part(
        &mut self,
        list: &Rc<List>,
        origin: &ListOrigin,
        within: Option<usize>,
    ) -> LabelPart<'n> {
        let count = origin.operands.len();
        let item = match &origin.maker {
            Maker::Operation(op) => operation_item(op, count),
            Maker::Function(name) => call_item(*name, count),
            Maker::Word(CodeWord::Text(word) | CodeWord::Function(word, _)) => {
                return name_item(word.to_string()).into();
            }
            Maker::Word(CodeWord::None) => return name_item("None").into(),
            Maker::Range => ItemKind::Apply(Head::Range, 2),
            Maker::Each(variables) => return self.loop_part(list, origin, variables, within),
        };
        let operands = operands_within(origin.operands.iter().cloned(), within);
        LabelPart { item, operands }
    }

    /// The part for a list that a loop has made: `[x^2 for x in xs]`.
    fn loop_part(
        &mut self,
        list: &Rc<List>,
        origin: &ListOrigin,
        variables: &Rc<[Rc<str>]>,
        within: Option<usize>,
    ) -> LabelPart<'n> {
        let mut each = LabelPart {
            item: ItemKind::Each(variables.len() as u32),
            operands: operands_within(origin.operands.iter().cloned(), within),
        };
        let names = variables.iter().map(|name| name_item(name.to_string()));
        each.operands
            .extend(names.map(|name| Waiting::Part(name.into())));
        self.loops.push(LabelLoop {
            outer: within,
            variables: Rc::clone(variables),
            item: self.item_of_round(&origin.operands[0]),
        });
        let body = self.item_of_round(&Value::List(Rc::clone(list)));
        let inside = Some(self.loops.len() - 1);
        LabelPart {
            item: ItemKind::Apply(Head::Collect, 2),
            operands: vec![Waiting::Part(each), Waiting::Value(body, inside)],
        }
    }

    /// The origin of a list, if it is shown: a loop only if a round of it is shown and its list is known.
    fn shown_origin<'l>(&self, list: &'l List) -> Option<&'l ListOrigin> {
        let is_shown = |origin: &&ListOrigin| {
            let is_loop = matches!(origin.maker, Maker::Each(_));
            !is_loop || self.round != Round::None && !origin.operands.is_empty()
        };
        list.origin().filter(is_shown)
    }

    /// The item of a loop's list, or of its result, in the round that is shown.
    fn item_of_round(&self, value: &Value) -> Value {
        let Value::List(list) = value else {
            return value.clone();
        };
        // A loop with an origin has run at least once.
        let last = list.count() - 1;
        let at = if self.round == Round::Last { last } else { 0 };
        list.item(at).unwrap_or_else(|| value.clone())
    }

    /// The list that an operation was applied to, if the list has a name or an origin that is shown.
    fn list_operand(&self, node: &Node) -> Option<List> {
        let list = List::operand_of(node)?;
        let is_shown = self.shown_origin(&list).is_some()
            || list_name(self.names, list.nodes(), list.shape()).is_some();
        is_shown.then_some(list)
    }

    /// An operation on a list, as a function of one list or two. A sum of products is a `dot`, and a sum over the
    /// number of its operands is a `mean`.
    fn of_lists(&self, node: &Rc<Node>, op: &'static Op) -> Option<(LabelItem<'n>, Vec<Value>)> {
        if let ("/", [sum, divisor]) = (op.spelling, node.operands())
            && is_sum(sum)
            && !divisor.varies()
            && divisor.data() == sum.operands().len() as f64
            && name(self.names, sum).is_none()
        {
            let list = self.list_operand(sum)?;
            return Some((call_item("mean", 1), vec![list.into()]));
        }
        let list = self.list_operand(node)?;
        if is_sum(node)
            && list_name(self.names, list.nodes(), list.shape()).is_none()
            && let Some(origin) = self.shown_origin(&list)
            && let (Maker::Operation(product), factors @ [_, _]) =
                (&origin.maker, &origin.operands[..])
            && product.spelling == "*"
            && factors.iter().all(|it| it.shape() == list.shape())
        {
            return Some((call_item("dot", 2), factors.to_vec()));
        }
        Some((operation_item(op, 1), vec![list.into()]))
    }

    /// The part for a node without a name, with its operands if there is room for them.
    fn of_node(
        &self,
        node: &Rc<Node>,
        call: Option<(&'n str, Vec<Value>)>,
        within: Option<usize>,
        room: usize,
    ) -> LabelPart<'n> {
        let Some(op) = node.op() else {
            return unnamed_item(self.names, node).into();
        };
        if call.is_none()
            && let Some((item, lists)) = self.of_lists(node, op)
        {
            let operands = operands_within(lists, within);
            return LabelPart { item, operands };
        }
        let is_fold = call.is_none() && matches!(op.spelling, "sum" | "prod");
        let is_call = call.is_some() || op.shape == Shape::Call && op.name != "chain_ln";
        let (function, arguments) = call.unzip();
        let own_operands = || node.operands().iter().cloned().map(Value::Node).collect();
        let below: Vec<Value> = arguments.unwrap_or_else(own_operands);
        let shown = match ShownOperands::of(below.len(), is_fold, is_call, room) {
            ShownOperands::All => below.len(),
            ShownOperands::First(count) => count,
            ShownOperands::None => return name_item("…").into(),
        };
        let is_cut = shown < below.len();
        let mut operands = operands_within(below.into_iter().take(shown), within);
        operands.extend(is_cut.then(|| Waiting::Part(name_item("…").into())));
        let count = operands.len();
        let item = match function {
            Some(called) => call_item(called, count),
            // `chain_ln(x, y)` is written `x*ln(y)`. Both operands are shown, because it is not cut.
            None if op.name == "chain_ln" => {
                let logarithm = LabelPart {
                    item: operation_item(const { ops::row("ln") }, 1),
                    operands: operands.split_off(1),
                };
                operands.push(Waiting::Part(logarithm));
                operation_item(const { ops::row("multiplication") }, 2)
            }
            None => operation_item(op, count),
        };
        LabelPart { item, operands }
    }
}

/// Operands that are written later, within the loop with this index.
fn operands_within<'n>(
    values: impl IntoIterator<Item = Value>,
    within: Option<usize>,
) -> Vec<Waiting<'n>> {
    let operands = values
        .into_iter()
        .map(|value| Waiting::Value(value, within));
    operands.collect()
}

/// The part for a list that is shown by its items, or by `[…]` if they are many.
fn items_part<'n>(list: &Rc<List>, within: Option<usize>, room: usize) -> LabelPart<'n> {
    if list.nodes().len() > FEW_ITEMS.min(room) {
        return name_item("[…]").into();
    }
    let operands = operands_within(list.items(), within);
    let item = ItemKind::Apply(Head::List, operands.len() as u32);
    LabelPart { item, operands }
}

/// The part for a list of all numbers of a list with another shape: `flat(W)`.
fn flat_part<'n>(list: &List, origin: &ListOrigin, within: Option<usize>) -> LabelPart<'n> {
    let whole = list.in_shape(&origin.shape).into();
    LabelPart {
        item: call_item("flat", 1),
        operands: vec![Waiting::Value(whole, within)],
    }
}

fn is_sum(node: &Node) -> bool {
    node.op().is_some_and(Op::is_sum)
}

/// The name of the list, or of the part of a list, that consists of these nodes in this shape.
pub(crate) fn list_name(names: &Names, nodes: &[Rc<Node>], shape: &ListShape) -> Option<String> {
    let mut lists = names.list_names_with(nodes.first()?);
    lists.find_map(|list| name_in_list(names, list, nodes, shape))
}

/// The name of the part of a list that consists of these nodes in this shape, if it can be typed.
fn name_in_list(
    names: &Names,
    list: NodeName,
    nodes: &[Rc<Node>],
    shape: &ListShape,
) -> Option<String> {
    let place = list.place?;
    let first = place as usize;
    // Usually the list and its name share the nodes in memory. Then the items need not be compared.
    let value = names.value(list.name).filter(|_| list.loss == 0);
    let part = value.and_then(|it| it.nodes().get(first..));
    let is_shared = part.is_some_and(|it| std::ptr::eq(it.as_ptr(), nodes.as_ptr()));
    let mut places = nodes.iter().zip(place..);
    if !is_shared && !places.all(|(node, at)| names.is_at(list, at, node)) {
        return None;
    }
    let typed = part_name(&names.name_without_place(list), list.shape, first, shape)?;
    // A part of a former list can be typed only as an item, because other items may be gone.
    let is_whole = list.loss == 0 || nodes.len() == list.shape.size();
    (is_whole || !typed.contains("..")).then_some(typed)
}

/// The text of the part of a list that begins at the number `place` and has this shape: `W`, `W[2]`, `w[2..3]`,
/// `flat(W)`.
fn part_name(list: &str, whole: &ListShape, place: usize, part: &ListShape) -> Option<String> {
    let is_flat = part.depth() == 1 && part.row().is_some();
    if is_flat && whole.depth() > 1 && part.size() == whole.size() {
        return Some(format!("flat({list})"));
    }
    let (mut name, mut shape, mut start) = (list.to_string(), whole.clone(), 0);
    while start != place || shape != *part {
        let inside = place - start;
        if is_flat && shape.depth() == 1 {
            let (first, last) = (inside, inside + part.size() - 1);
            return (last < shape.size()).then(|| format!("{name}[{first}..{last}]"));
        }
        let at = *shape.path(inside).first()?;
        let (item, begins) = shape.item(at)?;
        (shape, start) = (item, start + begins);
        name = format!("{name}[{at}]");
    }
    Some(name)
}

/// The label and the expression in one row of a table.
#[derive(Clone, Debug)]
pub struct Caption {
    /// The label of the node. If two rows would have the same label, the newer node gets its id: `a*b @9`.
    pub label: String,
    /// Its own expression; empty for a leaf.
    pub expression: String,
    /// Whether the expression differs from the label, which is then a name, a former name or a call.
    pub has_expression: bool,
}

/// Makes the labels of one table distinct.
#[derive(Clone, Debug, Default)]
pub struct Captions {
    /// The nodes whose label an older node already has.
    later: FxHashSet<NodeId>,
}

impl Captions {
    /// The captions of a table of these nodes.
    pub fn of<'n>(names: &Names, nodes: impl Iterator<Item = &'n Rc<Node>>) -> Captions {
        // A label may equal the name of another node. Then the labelled node gets its id, because names count as older.
        let has_labels = !names.labels.is_empty();
        let mut shown: Vec<ShownLabel> = Vec::new();
        for node in stop::with_checks(nodes) {
            // No other node has its name or former name.
            let is_unique =
                names.first_name_or_former(node).is_some() && names.labels.of(node).is_none();
            if has_labels || !is_unique {
                shown.push(ShownLabel {
                    hash: FxBuildHasher.hash_one(caption(names, node).label),
                    can_have_id: !is_unique,
                    node: node.id(),
                });
            }
        }
        shown.sort_unstable();
        shown.dedup();
        // Hashes save memory. If two labels ever have the same hash, one of them gets a needless id.
        let groups = shown.chunk_by(|label, next| label.hash == next.hash);
        let newer = groups
            .flat_map(|same| &same[1..])
            .filter(|it| it.can_have_id);
        Captions {
            later: newer.map(|it| it.node).collect(),
        }
    }

    /// The caption of one of these nodes.
    pub fn caption(&self, names: &Names, node: &Rc<Node>) -> Caption {
        let mut caption = caption(names, node);
        self.tell_apart(node, &mut caption.label);
        caption
    }

    /// Adds the id of a node to its label, if an older node has the same label.
    pub(crate) fn tell_apart(&self, node: &Node, label: &mut String) {
        if self.later.contains(&node.id()) {
            // Writing into a string cannot fail.
            let _ = write!(label, " @{}", node.id());
        }
    }
}

/// The label of a row. The order of the fields is the order of sorting: among equal labels, names come first, because
/// they never get an id, and then older nodes.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct ShownLabel {
    hash: u64,
    can_have_id: bool,
    node: NodeId,
}

impl Session {
    /// The captions of all rows of one table.
    pub fn captions<'n>(&self, nodes: impl Iterator<Item = &'n Rc<Node>> + Clone) -> Vec<Caption> {
        let captions = Captions::of(&self.names, nodes.clone());
        let each = stop::with_checks(nodes).map(|node| captions.caption(&self.names, node));
        each.collect()
    }
}

/// The caption of a node, which may equal that of another node.
fn caption(names: &Names, node: &Rc<Node>) -> Caption {
    let expression = expression(names, node);
    let given = names.labels.of(node).map(ToString::to_string);
    let is_call = names.calls.of(node).is_some();
    let label = given
        .or_else(|| name(names, node))
        .unwrap_or_else(|| match expression.as_str() {
            text if !text.is_empty() && !is_call => text.to_string(),
            _ => label(names, node),
        });
    Caption {
        has_expression: label != expression,
        label,
        expression,
    }
}

impl Session {
    /// Gives a node a label for tables. An empty label removes it, and so does a label that equals [`Session::label`].
    ///
    /// # Errors
    /// If it is longer than 100 characters.
    pub fn relabel(&mut self, node: &Rc<Node>, label: &str, place: Span) -> Result<(), Error> {
        let length = label.chars().count();
        if length > LABEL_CHARACTERS {
            let message =
                format!("a label has at most {LABEL_CHARACTERS} characters, this one has {length}");
            let help = "a table has room for a few words: `n.label = 'n'`";
            return Err(fail(place, message, help));
        }
        let text = label.trim();
        let is_plain = text.is_empty() || self.label(node) == text;
        let new_label: Option<Rc<str>> = (!is_plain).then(|| Rc::from(text));
        if self.names.labels.of(node) != new_label.as_ref() {
            self.write(Write::Label(TagWrite::new(node, new_label)));
        }
        Ok(())
    }
}

/// The notation for a derivative: `dL/d(a*b)`.
pub(crate) fn fraction(root: &str, node: &str) -> String {
    quotient('d', root, node)
}

/// The notation for a local derivative, in which the other operands stay as they are: `∂c/∂(a*b)`.
pub(crate) fn partial(node: &str, operand: &str) -> String {
    quotient('∂', node, operand)
}

fn quotient(sign: char, root: &str, node: &str) -> String {
    let [above, below] = [root, node].map(in_brackets);
    format!("{sign}{above}/{sign}{below}")
}

/// A label in brackets, unless it is a name or a former name: `w[2]` and `w@1[2]` need brackets, `a@1` does not.
fn in_brackets(label: &str) -> Cow<'_, str> {
    let (name, count) = label.split_once('@').unwrap_or((label, ""));
    if language::is_name(name) && count.bytes().all(|digit| digit.is_ascii_digit()) {
        label.into()
    } else {
        format!("({label})").into()
    }
}
