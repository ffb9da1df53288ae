//! Writes the expression of a node as a label: down to nodes and lists with names, and cut if it is long.
//!
//! The search goes breadth first, so that a long expression is cut at its deepest operands. It does not recurse.

use std::collections::VecDeque;
use std::rc::Rc;

use super::items::{
    FEW_ITEMS, Label, LabelItem, call_item, list_name, name, name_item, number_item,
    operation_item, unnamed_item,
};
use crate::limits::LABEL_NODES;
use crate::naming::{Names, item_name};
use chainrule_engine::graph::{Body, Node};
use chainrule_engine::ops;
use chainrule_engine::ops::{Op, Shape};
use chainrule_language::{Head, ItemKind};
use chainrule_program::values::{List, ListOrigin, Maker, Value, WeakValue};

/// The number of parts for which memory is reserved. Most labels have no more.
const FEW_PARTS: usize = 8;

/// The number of operands of a long sum that are shown: enough to see the pattern.
const FEW_TERMS: usize = 2;

/// The nodes that are shown as the calls that made them.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum ShownCalls {
    All,
    /// All but the root.
    Below,
    None,
}

/// The expression of a node in postfix order. A loop is shown if its first and its last round read the same.
pub(super) fn expression_items<'n>(
    names: &'n Names,
    root: &Rc<Node>,
    calls: ShownCalls,
) -> Label<'n> {
    let mut writer = LabelWriter::new(names, ShownRound::First, calls);
    let label = writer.write(root);
    let is_same = || LabelWriter::new(names, ShownRound::Last, calls).write(root) == label;
    if writer.loops.is_empty() || is_same() {
        return label;
    }
    LabelWriter::new(names, ShownRound::None, calls).write(root)
}

/// Writes the label of one node.
struct LabelWriter<'n> {
    names: &'n Names,
    round: ShownRound,
    calls: ShownCalls,
    /// The loops in the label, in the order in which they were found.
    loops: Vec<LabelLoop>,
}

/// The round of a loop that its label shows.
#[derive(Clone, Copy, PartialEq)]
enum ShownRound {
    First,
    Last,
    /// The loop is not shown.
    None,
}

/// A loop in a label, or an equation, whose unknown is like the variable of a loop.
struct LabelLoop {
    /// The index of the loop around this one.
    outer: Option<usize>,
    variables: Rc<[Rc<str>]>,
    /// The item of the list that the variables stand for in the shown round, or the unknown.
    item: Value,
    /// The node that carries the equation.
    solution: Option<Rc<Node>>,
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

/// The place of a value in a label.
#[derive(Clone, Copy)]
struct Spot {
    /// The index of the loop around it.
    within: Option<usize>,
    /// The number of further items that the label may have.
    room: usize,
}

/// The call that made a node: the name of the function, and the arguments.
type ShownCall<'n> = (&'n str, Vec<Value>);

impl<'n> From<LabelItem<'n>> for LabelPart<'n> {
    fn from(item: LabelItem<'n>) -> LabelPart<'n> {
        let operands = Vec::new();
        LabelPart { item, operands }
    }
}

impl<'n> LabelWriter<'n> {
    fn new(names: &'n Names, round: ShownRound, calls: ShownCalls) -> LabelWriter<'n> {
        LabelWriter {
            names,
            round,
            calls,
            loops: Vec::new(),
        }
    }

    /// The expression of a node.
    fn write(&mut self, root: &Rc<Node>) -> Label<'n> {
        let call = self.call_of(root).filter(|_| self.calls == ShownCalls::All);
        let spot = Spot {
            within: None,
            room: LABEL_NODES - 1,
        };
        let whole = self.of_node(root, call, spot);
        let mut found = Vec::with_capacity(FEW_PARTS);
        let mut waiting = VecDeque::from([Waiting::Part(whole)]);
        while let Some(next) = waiting.pop_front() {
            // The operands of this item come after all that wait now.
            let first_operand = found.len() + 1 + waiting.len();
            let part = match next {
                Waiting::Part(part) => part,
                Waiting::Value(value, within) => {
                    let room = LABEL_NODES.saturating_sub(first_operand);
                    self.of_value(&value, Spot { within, room })
                }
            };
            found.push((part.item, first_operand));
            waiting.extend(part.operands);
        }
        in_postfix_order(found)
    }

    /// The part for a value: its name, or its origin.
    fn of_value(&mut self, value: &Value, spot: Spot) -> LabelPart<'n> {
        if let Some((operand, within)) = self.operand_of_stand_in(value, spot.within) {
            return self.of_value(&operand, Spot { within, ..spot });
        }
        if let Some(name) = self.variable(value, spot.within) {
            return name_item(name).into();
        }
        match value {
            Value::Node(node) => match name(self.names, node) {
                Some(name) => name_item(name).into(),
                None => self.of_node(node, self.call_of(node), spot),
            },
            Value::List(list) => self.of_list(list, spot),
        }
    }

    /// The operand for which a leaf stands in an equation, with the index of the loop around the equation.
    fn operand_of_stand_in(
        &self,
        value: &Value,
        within: Option<usize>,
    ) -> Option<(Value, Option<usize>)> {
        let around = &self.loops[within?];
        let solution = around.solution.as_ref()?;
        let mut stand_ins = Body::of(solution)?.stand_ins.iter();
        let place =
            stand_ins.position(|it| value.node().is_some_and(|leaf| Rc::ptr_eq(it, leaf)))?;
        let operand = Value::Node(Rc::clone(&solution.operands()[place]));
        Some((operand, around.outer))
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
}

/// Arranges items, of which the root is the first, in postfix order. Each comes with the index of its first operand.
/// `a*b + c` was found as `+ * c a b`, and its label is `a b * c +`: from the root down with the last operand first,
/// backwards.
fn in_postfix_order(found: Vec<(LabelItem<'_>, usize)>) -> Label<'_> {
    let mut parts: Vec<_> = found.into_iter().map(Some).collect();
    let mut items = Label::with_capacity(parts.len());
    let mut indices = vec![0];
    while let Some(index) = indices.pop() {
        if let Some((item, first_operand)) = parts[index].take() {
            indices.extend(first_operand..first_operand + item.operands() as usize);
            items.push(item.into());
        }
    }
    items.reverse();
    items
}

/// The parts for lists.
impl<'n> LabelWriter<'n> {
    /// The part for a list: its name, its origin, or its items if they are few.
    fn of_list(&mut self, list: &Rc<List>, spot: Spot) -> LabelPart<'n> {
        if let Some(name) = list_name(self.names, list.nodes(), list.shape()) {
            return name_item(name).into();
        }
        let has_room = |origin: &&ListOrigin| origin.operands.len() < spot.room;
        match self.shown_origin(list).filter(has_room) {
            // A list without a shown origin is shown by its items, or by `[…]` if they are many.
            None if list.nodes().len() > FEW_ITEMS.min(spot.room) => name_item("[…]").into(),
            None => {
                let item = ItemKind::Apply(Head::List, list.count() as u32);
                part_of(item, list.items(), spot.within)
            }
            Some(origin) if origin.shape != *list.shape() => {
                let whole = list.in_shape(&origin.shape).into();
                part_of(call_item("flat", 1), [whole], spot.within)
            }
            Some(origin) => self.origin_part(list, origin, spot.within),
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
            Maker::Range => ItemKind::Apply(Head::Range, 2),
            Maker::Each(variables) => return self.loop_part(list, origin, variables, within),
        };
        part_of(item, origin.operands.iter().cloned(), within)
    }

    /// The part for a list that a loop has made: `[x^2 for x in xs]`.
    fn loop_part(
        &mut self,
        list: &Rc<List>,
        origin: &ListOrigin,
        variables: &Rc<[Rc<str>]>,
        within: Option<usize>,
    ) -> LabelPart<'n> {
        let each = ItemKind::Each(variables.len() as u32);
        let mut head = part_of(each, origin.operands.iter().cloned(), within);
        for name in &**variables {
            let part = name_item(name.to_string()).into();
            head.operands.push(Waiting::Part(part));
        }
        self.loops.push(LabelLoop {
            outer: within,
            variables: Rc::clone(variables),
            item: self.item_of_round(&origin.operands[0]),
            solution: None,
        });
        let body = self.item_of_round(&Value::List(Rc::clone(list)));
        let inside = Some(self.loops.len() - 1);
        LabelPart {
            item: ItemKind::Apply(Head::Collect, 2),
            operands: vec![Waiting::Part(head), Waiting::Value(body, inside)],
        }
    }

    /// The origin of a list, if it is shown: a loop only if a round of it is shown and its list is known.
    fn shown_origin<'l>(&self, list: &'l List) -> Option<&'l ListOrigin> {
        let origin = list.origin()?;
        let is_loop = matches!(origin.maker, Maker::Each(_));
        let can_be_shown = self.round != ShownRound::None && !origin.operands.is_empty();
        (!is_loop || can_be_shown).then_some(origin)
    }

    /// The item of a loop's list, or of its result, in the round that is shown.
    fn item_of_round(&self, value: &Value) -> Value {
        let item = match (value, self.round) {
            // A loop with an origin has run at least once.
            (Value::List(list), ShownRound::Last) => list.item(list.count() - 1),
            (Value::List(list), _) => list.item(0),
            (Value::Node(_), _) => None,
        };
        item.unwrap_or_else(|| value.clone())
    }
}

/// An item with operands that are written later, within the loop with this index.
fn part_of(
    item: LabelItem<'_>,
    values: impl IntoIterator<Item = Value>,
    within: Option<usize>,
) -> LabelPart<'_> {
    let each = values.into_iter();
    let operands = each.map(|value| Waiting::Value(value, within)).collect();
    LabelPart { item, operands }
}

/// The parts for nodes.
impl<'n> LabelWriter<'n> {
    /// The part for a node without a name, with its operands if there is room for them.
    fn of_node(
        &mut self,
        node: &Rc<Node>,
        call: Option<ShownCall<'n>>,
        spot: Spot,
    ) -> LabelPart<'n> {
        let Some(op) = node.op() else {
            return unnamed_item(self.names, node).into();
        };
        if let Some((function, arguments)) = call {
            let shown = shown_count(arguments.len(), true, spot.room);
            let item = |count| call_item(function, count);
            return cut_part(arguments, shown, item, spot.within);
        }
        if let Some(body) = Body::of(node) {
            return self.of_solution(node, body, spot.within);
        }
        if let Some(part) = self.of_lists(node, spot.within) {
            return part;
        }
        let operands: Vec<Value> = node.operands().iter().cloned().map(Value::Node).collect();
        if op.name == "chain_ln" {
            return logarithmic_product(operands, spot);
        }
        let is_fold = matches!(op.spelling, "sum" | "prod");
        let shown = if is_fold && operands.len() > FEW_ITEMS && spot.room > FEW_TERMS {
            Some(FEW_TERMS)
        } else {
            shown_count(operands.len(), op.shape == Shape::Call, spot.room)
        };
        let item = |count| operation_item(op, count);
        cut_part(operands, shown, item, spot.within)
    }

    /// The part for a node that carries an equation: `solve(F = G, y, 3)`.
    fn of_solution(&mut self, node: &Rc<Node>, body: &Body, outer: Option<usize>) -> LabelPart<'n> {
        let numbers = body.start.iter().map(|number| number_item(*number));
        let letter = name_item(body.letter.to_string());
        let leaves = numbers
            .chain([letter])
            .map(|item| Waiting::Part(item.into()));
        let unknown = LabelPart {
            item: ItemKind::Unknown(body.start.len() as u32),
            operands: leaves.collect(),
        };
        self.loops.push(LabelLoop {
            outer,
            variables: [Rc::clone(&body.letter)].into(),
            item: Rc::clone(&body.unknown).into(),
            solution: Some(Rc::clone(node)),
        });
        let inside = Some(self.loops.len() - 1);
        let difference = Value::Node(Rc::clone(&body.root));
        LabelPart {
            item: ItemKind::Apply(Head::Solve, 2),
            operands: vec![Waiting::Part(unknown), Waiting::Value(difference, inside)],
        }
    }

    /// The function and the arguments of the call that made a node, if the arguments are alive and the function has not
    /// changed since.
    fn call_of(&self, node: &Rc<Node>) -> Option<ShownCall<'n>> {
        if self.calls == ShownCalls::None {
            return None;
        }
        let call = self.names.calls.of(node)?;
        let function = call.function.as_ref();
        if function.is_some_and(|it| !it.is_current.get()) {
            return None;
        }
        let arguments: Option<_> = call.arguments.iter().map(WeakValue::upgrade).collect();
        Some((&call.name, arguments?))
    }

    /// The part for an operation on all items of a list, as a function of one list or two. A sum of products is a
    /// `dot`, and a sum over the number of its operands is a `mean`.
    fn of_lists(&self, node: &Rc<Node>, within: Option<usize>) -> Option<LabelPart<'n>> {
        let op = node.op()?;
        if let ("/", [sum, divisor]) = (op.spelling, node.operands())
            && is_sum(sum)
            && !divisor.varies()
            && divisor.data() == sum.operands().len() as f64
            && name(self.names, sum).is_none()
        {
            let list = self.list_operand(sum)?;
            return Some(part_of(call_item("mean", 1), [list.into()], within));
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
            return Some(part_of(call_item("dot", 2), factors.to_vec(), within));
        }
        Some(part_of(operation_item(op, 1), [list.into()], within))
    }

    /// The list that an operation was applied to, if the list has a name or an origin that is shown.
    fn list_operand(&self, node: &Node) -> Option<List> {
        let list = List::operand_of(node)?;
        let is_shown = self.shown_origin(&list).is_some()
            || list_name(self.names, list.nodes(), list.shape()).is_some();
        is_shown.then_some(list)
    }
}

/// The number of operands that a label shows, before `…` for the others. `None` if the whole label is `…`. `is_call`
/// means the notation `f(x)`.
fn shown_count(count: usize, is_call: bool, room: usize) -> Option<usize> {
    if count <= room {
        return Some(count);
    }
    // `max(…)` says more than `…`.
    (is_call && room > 0).then_some(0)
}

/// The part for an operation of which this many operands are shown. `item` returns its item for a number of operands.
fn cut_part<'n>(
    mut operands: Vec<Value>,
    shown: Option<usize>,
    item: impl FnOnce(usize) -> LabelItem<'n>,
    within: Option<usize>,
) -> LabelPart<'n> {
    let Some(count) = shown else {
        return name_item("…").into();
    };
    let is_cut = count < operands.len();
    operands.truncate(count);
    let mut part = part_of(item(count + usize::from(is_cut)), operands, within);
    if is_cut {
        part.operands.push(Waiting::Part(name_item("…").into()));
    }
    part
}

/// The part for `chain_ln(x, y)`, which is written `x*ln(y)`.
fn logarithmic_product<'n>(mut operands: Vec<Value>, spot: Spot) -> LabelPart<'n> {
    if operands.len() > spot.room {
        return name_item("…").into();
    }
    let y = operands.split_off(1);
    let logarithm = part_of(operation_item(const { ops::row("ln") }, 1), y, spot.within);
    let multiplication = operation_item(const { ops::row("multiplication") }, 2);
    let mut product = part_of(multiplication, operands, spot.within);
    product.operands.push(Waiting::Part(logarithm));
    product
}

fn is_sum(node: &Node) -> bool {
    node.op().is_some_and(Op::is_sum)
}
