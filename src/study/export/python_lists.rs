//! Lists in a program of Python: what is computed in the same way for each item of a list is one line, a comprehension.
//!
//! The operands of a long sum, mean or maximum are the *rounds* of a loop. A node belongs to a round if only that round
//! leads to it, or if it is computed from that round alone, as derivatives are. Nodes of all rounds with the same
//! operation on operands of the same kinds are a *column*, and a column is a list of the program. Which nodes are in
//! one column decides how long the program is, not what it computes: the operands are those that each node has.

use std::collections::hash_map::Entry;
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::Refusal;
use super::computation::Computation;
use super::writer::{ListItem, LoopColumn, TERMS, Writer, sum_text};
use crate::session::values::Value;
use chainrule_engine::graph::{Node, NodeId};
use chainrule_engine::ops::{Op, Rule};
use chainrule_stop as stop;

/// The fewest rounds of a loop.
const FEWEST: usize = 4;

/// A loop and one of its rounds.
type LoopRound = (usize, usize);

/// What a line computes.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Unit {
    Node(NodeId),
    Column(usize),
}

/// The lines of a program, and what they need.
pub(super) struct Columns<'n> {
    nodes: FxHashMap<NodeId, &'n Rc<Node>>,
    /// The columns.
    alike: Vec<Vec<&'n Rc<Node>>>,
    /// The column of a node, and its place there.
    places: FxHashMap<NodeId, (usize, usize)>,
    /// The terms of sums of sums that have items of columns among them; whether each is subtracted.
    sums: FxHashMap<NodeId, Vec<(&'n Rc<Node>, bool)>>,
    /// The nodes within these sums, which have no lines of their own.
    joined: FxHashSet<NodeId>,
    /// The lines in order.
    order: Vec<Unit>,
}

impl<'n> Columns<'n> {
    /// The lines of a program with these results.
    pub(super) fn of(whole: &'n Computation, results: &'n [Rc<Node>]) -> Columns<'n> {
        let nodes = whole.computed.iter().map(|node| (node.id(), node));
        let mut columns = Columns {
            nodes: nodes.collect(),
            alike: Vec::new(),
            places: FxHashMap::default(),
            sums: FxHashMap::default(),
            joined: FxHashSet::default(),
            order: Vec::new(),
        };
        let rounds = columns.rounds(whole);
        columns.fill_columns(whole, &rounds);
        columns.join_sums(whole, results);
        if !columns.arrange(whole) {
            // Columns need one another: the program is written node by node.
            columns.places.clear();
            columns.sums.clear();
            columns.order = whole
                .computed
                .iter()
                .map(|it| Unit::Node(it.id()))
                .collect();
        }
        columns
    }

    /// The round to which each node belongs.
    fn rounds(&self, whole: &Computation) -> FxHashMap<NodeId, LoopRound> {
        let mut rounds: FxHashMap<NodeId, Option<LoopRound>> = FxHashMap::default();
        let mut loops = 0;
        for node in stop::with_checks(whole.computed.iter().rev()) {
            if !rounds.contains_key(&node.id()) && self.is_loop(node, &rounds) {
                self.assign_rounds(node.operands(), loops, &mut rounds);
                loops += 1;
            }
        }
        let mut known: FxHashMap<NodeId, LoopRound> = FxHashMap::default();
        for node in stop::with_checks(whole.computed.iter()) {
            let own = rounds.get(&node.id()).copied();
            let own = own.unwrap_or_else(|| {
                let mut below = node.operands().iter().filter_map(|it| known.get(&it.id()));
                let first = below.next()?;
                below.all(|round| round == first).then_some(*first)
            });
            known.extend(own.map(|round| (node.id(), round)));
        }
        known
    }

    /// Whether a node has many operands that come from one operation, and that no loop has yet.
    fn is_loop(&self, node: &Node, rounds: &FxHashMap<NodeId, Option<LoopRound>>) -> bool {
        let operands = node.operands();
        let op = |node: &Node| node.op().map(|op| op.name);
        let takes_many = |op: &Op| matches!(op.rule, Rule::Many { .. });
        operands.len() >= FEWEST
            && node.op().is_some_and(takes_many)
            && operands.iter().all(|it| {
                let is_free = !rounds.contains_key(&it.id());
                is_free && self.nodes.contains_key(&it.id()) && op(it) == op(&operands[0])
            })
    }

    /// Puts each node to which only one of these roots leads into that root's round, and nodes to which several lead
    /// into none.
    fn assign_rounds(
        &self,
        roots: &'n [Rc<Node>],
        of: usize,
        rounds: &mut FxHashMap<NodeId, Option<LoopRound>>,
    ) {
        for (at, root) in roots.iter().enumerate() {
            let mut waiting = vec![(root, Some((of, at)))];
            while let Some((node, round)) = waiting.pop() {
                if !self.nodes.contains_key(&node.id()) {
                    continue;
                }
                let round = match rounds.entry(node.id()) {
                    Entry::Vacant(entry) => *entry.insert(round),
                    Entry::Occupied(entry) if *entry.get() == round => continue,
                    Entry::Occupied(mut entry) => match entry.get() {
                        // Another loop has it, and nothing below it is this one's.
                        Some((other, _)) if *other != of => continue,
                        None => continue,
                        Some(_) => entry.insert(None).and(None),
                    },
                };
                waiting.extend(node.operands().iter().map(|it| (it, round)));
            }
        }
    }

    /// Puts nodes that are alike into columns, and keeps the columns that have a node of each round.
    fn fill_columns(&mut self, whole: &'n Computation, rounds: &FxHashMap<NodeId, LoopRound>) {
        type Likeness = (usize, &'static str, Vec<usize>);
        let mut kinds: FxHashMap<Likeness, usize> = FxHashMap::default();
        let mut met: FxHashMap<(usize, LoopRound), usize> = FxHashMap::default();
        let mut numbers: FxHashMap<(usize, usize), usize> = FxHashMap::default();
        let mut found: Vec<Vec<&'n Rc<Node>>> = Vec::new();
        let mut columns: FxHashMap<NodeId, usize> = FxHashMap::default();
        for node in stop::with_checks(whole.computed.iter()) {
            let (Some(op), Some(round)) = (node.op(), rounds.get(&node.id())) else {
                continue;
            };
            let operand = |it: &Rc<Node>| match columns.get(&it.id()) {
                Some(column) if rounds.get(&it.id()) == Some(round) => 2 + column,
                _ => usize::from(whole.moving.contains(&it.id())),
            };
            let likeness = (
                round.0,
                op.name,
                node.operands().iter().map(operand).collect(),
            );
            let count = kinds.len();
            let kind = *kinds.entry(likeness).or_insert(count);
            // Several nodes of one round may be alike.
            let times = met.entry((kind, *round)).or_insert(0);
            let column = *numbers.entry((kind, *times)).or_insert(found.len());
            *times += 1;
            if column == found.len() {
                found.push(Vec::new());
            }
            found[column].push(node);
            columns.insert(node.id(), column);
        }
        let mut lengths: FxHashMap<usize, usize> = FxHashMap::default();
        for (of, at) in rounds.values() {
            let length = lengths.entry(*of).or_default();
            *length = (*length).max(at + 1);
        }
        for mut nodes in found {
            let round = |node: &Rc<Node>| rounds[&node.id()];
            if lengths[&round(nodes[0]).0] == nodes.len() {
                nodes.sort_by_key(|node| round(node).1);
                let places = nodes.iter().zip(0..);
                let column = self.alike.len();
                self.places
                    .extend(places.map(|(node, place)| (node.id(), (column, place))));
                self.alike.push(nodes);
            }
        }
    }

    /// Joins sums of sums that have items of columns as terms.
    fn join_sums(&mut self, whole: &'n Computation, results: &'n [Rc<Node>]) {
        let is_sum = |node: &Node| {
            let name = node.op().map_or("", |op| op.name);
            matches!(name, "addition" | "subtraction")
        };
        let mut uses: FxHashMap<NodeId, usize> = FxHashMap::default();
        let operands = whole.computed.iter().flat_map(|node| node.operands());
        for node in operands.chain(results) {
            *uses.entry(node.id()).or_default() += 1;
        }
        // A sum inside of a sum that was looked at is not one of its own.
        let mut inside: FxHashSet<NodeId> = FxHashSet::default();
        for node in stop::with_checks(whole.computed.iter().rev()) {
            let is_open = |node: &Node| is_sum(node) && !self.places.contains_key(&node.id());
            if !is_open(node) || inside.contains(&node.id()) {
                continue;
            }
            let (mut terms, mut waiting) = (Vec::new(), vec![(node, false)]);
            let mut joined: Vec<NodeId> = Vec::new();
            while let Some((term, minus)) = waiting.pop() {
                let is_inside = Rc::ptr_eq(term, node)
                    || is_open(term)
                        && uses[&term.id()] == 1
                        && self.nodes.contains_key(&term.id());
                let [left, right] = match term.operands() {
                    [left, right] if is_inside => [left, right],
                    _ => {
                        terms.push((term, minus));
                        continue;
                    }
                };
                let is_difference = term.op().is_some_and(|op| op.name == "subtraction");
                waiting.extend([(right, minus != is_difference), (left, minus)]);
                joined.push(term.id());
            }
            let is_item = |(term, _): &(&Rc<Node>, bool)| self.places.contains_key(&term.id());
            inside.extend(&joined);
            if terms.iter().filter(|term| is_item(term)).count() >= FEWEST {
                self.joined
                    .extend(joined.iter().filter(|id| **id != node.id()));
                // The items of a column in their order.
                terms.sort_by_key(|(term, minus)| (*minus, self.places.get(&term.id())));
                self.sums.insert(node.id(), terms);
            }
        }
    }

    fn unit(&self, node: NodeId) -> Unit {
        let place = self.places.get(&node);
        place.map_or(Unit::Node(node), |(column, _)| Unit::Column(*column))
    }

    /// Puts the lines in an order in which each needs only those before it; false if there is none.
    fn arrange(&mut self, whole: &Computation) -> bool {
        let mut is_done: FxHashMap<Unit, bool> = FxHashMap::default();
        let mut waiting: Vec<(Unit, bool)> = Vec::new();
        for node in stop::with_checks(whole.computed.iter()) {
            if !self.joined.contains(&node.id()) {
                waiting.push((self.unit(node.id()), false));
            }
            while let Some((unit, is_ready)) = waiting.pop() {
                if is_ready {
                    is_done.insert(unit, true);
                    self.order.push(unit);
                    continue;
                }
                match is_done.get(&unit) {
                    Some(true) => continue,
                    Some(false) => return false,
                    None => is_done.insert(unit, false),
                };
                waiting.push((unit, true));
                let needed = |node: &Rc<Node>| {
                    let id = node.id();
                    self.nodes.contains_key(&id).then(|| (self.unit(id), false))
                };
                match unit {
                    Unit::Column(column) => {
                        let operands = self.alike[column].iter().flat_map(|it| it.operands());
                        waiting.extend(operands.filter_map(needed));
                    }
                    Unit::Node(id) => {
                        let operands = self.nodes[&id].operands().iter().collect();
                        let terms = self.sums.get(&id);
                        let terms =
                            terms.map(|terms| terms.iter().map(|(term, _)| *term).collect());
                        let below: Vec<&Rc<Node>> = terms.unwrap_or(operands);
                        waiting.extend(below.into_iter().filter_map(needed));
                    }
                }
            }
        }
        true
    }
}

impl Writer<'_> {
    /// Writes all lines.
    pub(super) fn write_lines(&mut self, columns: &Columns) -> Result<(), Refusal> {
        for unit in stop::with_checks(columns.order.iter()) {
            match unit {
                Unit::Column(at) => self.column(&columns.alike[*at])?,
                Unit::Node(id) => match columns.sums.get(id) {
                    Some(terms) => self.sum(columns.nodes[id], terms)?,
                    None => {
                        self.node(columns.nodes[id])?;
                    }
                },
            }
        }
        Ok(())
    }

    /// A comprehension: `v3 = [x * y for x, y in zip(v1, v2)]`.
    fn column(&mut self, nodes: &[&Rc<Node>]) -> Result<(), Refusal> {
        let Some(op) = nodes[0].op() else {
            return Ok(());
        };
        let (mut operands, mut texts): (Vec<LoopColumn>, Vec<String>) = (Vec::new(), Vec::new());
        let (mut items, mut lists) = (Vec::new(), Vec::new());
        for place in 0..nodes[0].operands().len() {
            let operand = nodes.iter().map(|node| Rc::clone(&node.operands()[place]));
            let operand: Vec<Rc<Node>> = operand.collect();
            if let Some(text) = self.common_text(&operand)? {
                texts.push(text);
            } else {
                lists.push(self.list(&operand)?);
                let item = self.item(items.len());
                items.push(item.clone());
                texts.push(item);
            }
            operands.push(operand.into_iter().map(Value::from).collect());
        }
        let text = match op.is_sum() {
            true if texts.len() <= TERMS => texts.join(" + "),
            true => format!("sum([{}])", texts.join(", ")),
            false => {
                let text = self.operation_text(op, &operands, &texts, false);
                text.map_err(Refusal::Lacks)?
            }
        };
        let text = match &lists[..] {
            [] => format!("[{text}] * {}", nodes.len()),
            [only] => format!("[{text} for {} in {only}]", items[0]),
            lists => format!(
                "[{text} for {} in zip({})]",
                items.join(", "),
                lists.join(", ")
            ),
        };
        let nodes: Vec<Rc<Node>> = nodes.iter().copied().cloned().collect();
        self.declare_list(&nodes, &text)
    }

    /// The text for a column whose items are all the same.
    fn common_text(&mut self, operands: &[Rc<Node>]) -> Result<Option<String>, Refusal> {
        let is_first = |node: &Rc<Node>| Rc::ptr_eq(node, &operands[0]);
        let column: LoopColumn = operands.iter().cloned().map(Value::from).collect();
        match self.number(&column) {
            None if !operands.iter().all(is_first) => Ok(None),
            _ => self.node(&operands[0]).map(Some),
        }
    }

    /// The list of these nodes.
    fn list(&mut self, nodes: &[Rc<Node>]) -> Result<String, Refusal> {
        let texts: Result<Vec<String>, Refusal> = nodes.iter().map(|it| self.node(it)).collect();
        let parts = self.gather_lists(nodes.iter(), &texts?);
        if let [only] = &parts[..]
            && let Some(list) = only.strip_prefix('*')
        {
            return Ok(list.to_string());
        }
        let text = format!("[{}]", parts.join(", "));
        if let Some(list) = self.literal_lists.get(&text) {
            return Ok(list.clone());
        }
        let list = self.list_variable(nodes);
        self.declare(0, &list, &text)?;
        self.literal_lists.insert(text, list.clone());
        Ok(list)
    }

    /// A sum with items of columns among its terms.
    fn sum(&mut self, node: &Rc<Node>, terms: &[(&Rc<Node>, bool)]) -> Result<(), Refusal> {
        let (added, subtracted) = terms.split_at(terms.partition_point(|(_, minus)| !minus));
        let mut signed = Vec::new();
        for (terms, sign) in [(added, " + "), (subtracted, " - ")] {
            let texts: Result<Vec<String>, Refusal> =
                terms.iter().map(|(term, _)| self.node(term)).collect();
            let parts = self.gather_lists(terms.iter().map(|(term, _)| *term), &texts?);
            signed.extend(parts.into_iter().map(|part| (sign, sum_text(part))));
        }
        let value = vec![Rc::clone(node).into()];
        let variable = self.declare_sum(0, &value, &signed)?;
        self.know(node, variable);
        Ok(())
    }

    /// A new variable for a list of these nodes, with its name if it has one.
    fn list_variable(&mut self, nodes: &[Rc<Node>]) -> String {
        let mut lists = self.session.names().lists_of(&nodes[0]);
        let named = lists.find(|(_, list, _)| {
            let mut pairs = list.nodes().iter().zip(nodes);
            list.nodes().len() == nodes.len() && pairs.all(|(one, other)| Rc::ptr_eq(one, other))
        });
        let name = named.map(|(name, ..)| name.to_string());
        self.new_variable(name)
    }

    /// Declares the list of a column.
    fn declare_list(&mut self, nodes: &[Rc<Node>], text: &str) -> Result<(), Refusal> {
        let list: Rc<str> = self.list_variable(nodes).into();
        self.declare(0, &list, text)?;
        for (place, node) in nodes.iter().enumerate() {
            self.know(node, format!("{list}[{place}]"));
            let item = ListItem {
                list: Rc::clone(&list),
                place,
                length: nodes.len(),
            };
            self.list_items.insert(node.id(), item);
        }
        Ok(())
    }

    /// The name of the item of a list in a comprehension.
    fn item(&mut self, at: usize) -> String {
        if at == self.items.len() {
            let item = self.identifiers.of(&format!("x{}", at + 1));
            self.items.push(item);
        }
        self.items[at].clone()
    }
}
