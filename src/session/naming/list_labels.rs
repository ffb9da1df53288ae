//! Labels that name lists instead of their items: `sum(relu(1 - y*score))`, `dot(w, x)`, `f(W[2])`.
//!
//! No text is kept for a list or its items. That a hundred operands of a sum are the items of `relu(1 - y*score)` is
//! seen from the graph: each is made by the same operations, and where they differ, there stand the items of a list with
//! a name, one after the other.

use std::rc::Rc;

use super::atoms::{FEW_ITEMS, LABEL_NODES, Term, atom, name, short, written};
use super::names::Names;
use crate::graph::Node;
use crate::ops::Rule;
use crate::session::values::{ListShape, Value};

/// The label of a node that was made from all items of lists with names: a sum or another operation of any number of
/// operands, a mean, or a sum of products (`dot`).
pub(crate) fn reduction(names: &Names, node: &Rc<Node>) -> Option<String> {
    let op = node.op()?;
    if let ("/", [sum, count]) = (op.spelling, node.operands())
        && is_sum(sum)
        && !count.varies()
        && count.data() == sum.operands().len() as f64
        && name(names, sum).is_none()
    {
        return over(names, "mean", sum.operands());
    }
    if !matches!(op.rule, Rule::Many { .. }) {
        return None;
    }
    let mut terms = ListTerms::new(names);
    if let Some(true) = terms.dot(std::slice::from_ref(node)) {
        return Some(written(&terms.terms));
    }
    over(names, op.spelling, node.operands())
}

/// A function of one list: `sum(relu(1 - y*score))`.
fn over(names: &Names, function: &str, items: &[Rc<Node>]) -> Option<String> {
    let mut terms = ListTerms::new(names);
    let is_list = terms.column(items)?;
    is_list.then(|| format!("{function}({})", written(&terms.terms)))
}

fn is_sum(node: &Node) -> bool {
    node.op().is_some_and(|op| op.spelling == "sum")
}

/// The first and the second factors of a sum of products.
fn products(names: &Names, node: &Node) -> Option<[Vec<Rc<Node>>; 2]> {
    let product = |node: &Rc<Node>| match (node.op()?.spelling, node.operands()) {
        ("*", [one, other]) if !is_known(names, node) => Some((Rc::clone(one), Rc::clone(other))),
        _ => None,
    };
    if !is_sum(node) {
        return None;
    }
    let factors: Option<(Vec<_>, Vec<_>)> = node.operands().iter().map(product).collect();
    factors.map(|(one, other)| [one, other])
}

fn are_equal_constants(one: &Node, other: &Node) -> bool {
    let is_constant = one.spelling().is_some() && one.spelling() == other.spelling();
    is_constant && one.data().to_bits() == other.data().to_bits()
}

/// Whether a node is shown by a name or as a call.
fn is_known(names: &Names, node: &Node) -> bool {
    names.calls.of(node).is_some() || name(names, node).is_some()
}

/// What is typed for a list: the name of the list that has these nodes in this shape, or the part of one.
pub(crate) fn list_name(names: &Names, nodes: &[Rc<Node>], shape: &ListShape) -> Option<String> {
    names.listings(nodes.first()?).find_map(|list| {
        let mut places = nodes.iter().zip(list.place..);
        if !places.all(|(node, place)| names.is_at(list, place, node)) {
            return None;
        }
        let first = list.place as usize - 1;
        let typed = part_name(&names.whole(list), list.shape, first, shape)?;
        // Of a former list a part can be typed only as an item, because others may be gone.
        let is_whole = list.count == 0 || nodes.len() == list.shape.size();
        (is_whole || !typed.contains("..")).then_some(typed)
    })
}

/// `W`, `W[2]`, `w[2..3]`, `flat(W)`: the part of a list that begins at the number `place` and has this shape.
fn part_name(list: &str, whole: &ListShape, place: usize, part: &ListShape) -> Option<String> {
    let is_flat = part.depth() == 1 && part.row().is_some();
    if is_flat && whole.depth() > 1 && part.size() == whole.size() {
        return Some(format!("flat({list})"));
    }
    let (mut name, mut shape, mut start) = (list.to_string(), whole.clone(), 0);
    while start != place || shape != *part {
        let inside = place - start;
        if is_flat && shape.depth() == 1 {
            let (first, last) = (inside + 1, inside + part.size());
            return (last <= shape.size()).then(|| format!("{name}[{first}..{last}]"));
        }
        let at = *shape.path(inside).first()?;
        let (item, begins) = shape.item(at)?;
        (shape, start) = (item, start + begins);
        name = format!("{name}[{}]", at + 1);
    }
    Some(name)
}

/// A term over lists that is being written, in postfix order.
struct ListTerms<'n> {
    names: &'n Names,
    terms: Vec<Term>,
    /// How many more nodes may be looked at. What lies deeper is `…`.
    budget: usize,
    /// How many calls are nested.
    depth: usize,
}

/// The most nodes that one label looks at below a list, besides so many for each item as a label has terms.
const BUDGET: usize = 4_096;

/// The deepest operations of a label over lists.
const DEEPEST: usize = 32;

impl ListTerms<'_> {
    fn new(names: &Names) -> ListTerms<'_> {
        ListTerms {
            names,
            terms: Vec::new(),
            budget: BUDGET,
            depth: 0,
        }
    }

    /// Adds the expression of which these nodes are the items. Returns whether it is a list: a number goes with every
    /// item. None if the nodes have no expression in common.
    fn column(&mut self, nodes: &[Rc<Node>]) -> Option<bool> {
        let first = nodes.first()?;
        if self.depth == 0 {
            self.budget += LABEL_NODES * nodes.len();
        }
        let left = self.budget.checked_sub(nodes.len());
        let full = self.terms.len() > LABEL_NODES || self.depth > DEEPEST;
        let Some(left) = left.filter(|_| !full) else {
            self.terms.push(Term::Name("…".to_string()));
            return Some(true);
        };
        self.budget = left;
        self.depth += 1;
        let is_list = self.found(nodes, first);
        self.depth -= 1;
        is_list
    }

    fn found(&mut self, nodes: &[Rc<Node>], first: &Rc<Node>) -> Option<bool> {
        let shape = ListShape::rows(nodes.len(), ListShape::NUMBER);
        if let Some(list) = list_name(self.names, nodes, &shape) {
            self.terms.push(Term::Name(list));
            return Some(true);
        }
        let same = |node: &Rc<Node>| Rc::ptr_eq(node, first) || are_equal_constants(node, first);
        if nodes.iter().all(same) {
            let label = name(self.names, first);
            if label.is_some() || first.operands().is_empty() {
                let atom = || Term::Item(atom(self.names, first));
                self.terms.push(label.map_or_else(atom, Term::Name));
                return Some(false);
            }
        }
        let op = first.op()?;
        let count = first.operands().len();
        let alike = |node: &Rc<Node>| {
            node.op() == Some(op) && node.operands().len() == count && !is_known(self.names, node)
        };
        if !nodes.iter().all(alike) {
            return None;
        }
        if is_sum(first) {
            return self.dot(nodes);
        }
        if count > LABEL_NODES {
            return None;
        }
        let mut is_list = false;
        for operand in 0..count {
            let column: Vec<Rc<Node>> = nodes
                .iter()
                .map(|node| Rc::clone(&node.operands()[operand]))
                .collect();
            is_list |= self.column(&column)?;
        }
        self.terms.push(Term::operation(op, count));
        Some(is_list)
    }

    /// Adds `dot(w, x)` for a sum of products, or `dot(W, x)` for several with the rows of W.
    fn dot(&mut self, sums: &[Rc<Node>]) -> Option<bool> {
        let factors: Option<Vec<_>> = sums.iter().map(|sum| products(self.names, sum)).collect();
        let factors = factors?;
        let side = |at: usize| factors.iter().flat_map(|it| it[at].clone()).collect();
        let [one, other]: [Vec<Rc<Node>>; 2] = [side(0), side(1)];
        let begin = self.terms.len();
        let found = if sums.len() == 1 {
            // One of both is a list with a name, so that nobody's `sum(a*c, b*d)` becomes a `dot`.
            let found = [self.vector(&one), self.vector(&other)];
            found.contains(&Some(true)) && !found.contains(&None)
        } else {
            let count = factors[0][0].len();
            let rows = ListShape::rows(sums.len(), ListShape::rows(count, ListShape::NUMBER));
            let (row, others) = other.split_at(count);
            let same = |other: &[Rc<Node>]| {
                row.iter()
                    .zip(other)
                    .all(|(one, other)| Rc::ptr_eq(one, other))
            };
            let table = list_name(self.names, &one, &rows);
            let table = table.filter(|_| others.chunks(count).all(same));
            self.terms.extend(table.clone().map(Term::Name));
            table.is_some() && self.vector(row).is_some()
        };
        if !found {
            self.terms.truncate(begin);
            return None;
        }
        self.terms.push(Term::Call("dot".into(), 2));
        Some(true)
    }

    /// Adds a list: as an expression if it is one, which is returned, else as a list. None if it is one number, again
    /// and again.
    fn vector(&mut self, nodes: &[Rc<Node>]) -> Option<bool> {
        let begin = self.terms.len();
        let found = self.column(nodes);
        if found == Some(true) {
            return found;
        }
        self.terms.truncate(begin);
        if found.is_some() {
            return None;
        }
        let shape = ListShape::rows(nodes.len(), ListShape::NUMBER);
        let list = Value::shaped(nodes.to_vec(), &shape);
        self.terms.push(Term::Name(list_label(self.names, &list)));
        Some(false)
    }
}

/// The label of a list: its name, or its items if they are few and have names or are literals, else `[…]`.
pub(crate) fn list_label(names: &Names, list: &Value) -> String {
    let name = list_name(names, list.nodes(), list.shape());
    let items = || Some(list).filter(|_| list.nodes().len() <= FEW_ITEMS);
    name.or_else(|| items().and_then(|list| listed(names, list)))
        .unwrap_or_else(|| "[…]".to_string())
}

/// The items of a list in brackets.
fn listed(names: &Names, value: &Value) -> Option<String> {
    match value {
        Value::Node(node) => short(names, node),
        Value::List(list) => {
            let items: Option<Vec<String>> = list.items().map(|it| listed(names, &it)).collect();
            Some(format!("[{}]", items?.join(", ")))
        }
    }
}
