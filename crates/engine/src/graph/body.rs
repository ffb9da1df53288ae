//! Defines bodies: the equation that a node carries, `y^2 + y = x` for `solve(y^2 + y = x, y)`.
//!
//! A body is a graph of its own over stand-ins: leaves that stand for the operands of the node, and one for the unknown. So
//! the value of the node is a function of its operands alone, and one body serves all nodes with the same equation. Its
//! passes follow a [`Plan`], because no node may be written while another pass runs.

use std::any::Any;
use std::cell::RefCell;
use std::rc::{Rc, Weak};

use rustc_hash::{FxHashMap, FxHashSet};

use super::factory::Graph;
use super::node::{Node, NodeId};
use super::plan::Plan;
use super::rule::Carried;
use super::structure::reachable;
use crate::roots::{Equation, first_root, nearest_root};
use chainrule_stop as stop;

/// The equation that a node carries.
#[derive(Debug)]
pub struct Body {
    letter: Rc<str>,
    /// The number at which the search begins, or the two ends of a range. Empty if the user gave none.
    start: Box<[f64]>,
    root: Rc<Node>,
    unknown: Rc<Node>,
    stand_ins: Vec<Rc<Node>>,
    plan: RefCell<BodyPlan>,
}

/// What makes two bodies equal.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct BodyKey {
    letter: Rc<str>,
    start: Vec<u64>,
    /// The operation of each node, and the places of its operands.
    structure: Vec<u64>,
}

/// The bodies that are alive, so that equal ones are one.
#[derive(Debug, Default)]
pub struct Bodies {
    known: FxHashMap<BodyKey, Weak<Body>>,
    /// The number of bodies at which those that were dropped are forgotten.
    most: usize,
}

impl Bodies {
    /// Whether there was none so far.
    pub fn is_empty(&self) -> bool {
        self.known.is_empty()
    }

    /// The body of the graph between `root` and `unknown`, a leaf with this letter, and the operands of a node that carries
    /// it. `None` if `root` does not depend on `unknown`.
    pub fn cut(
        &mut self,
        graph: &mut Graph,
        root: &Rc<Node>,
        unknown: &Rc<Node>,
        letter: &Rc<str>,
        start: Box<[f64]>,
    ) -> Option<(Rc<Body>, Vec<Rc<Node>>)> {
        let cut = Cut::of(root, unknown)?;
        let key = BodyKey {
            letter: Rc::clone(letter),
            start: start.iter().map(|it| it.to_bits()).collect(),
            structure: cut.structure(),
        };
        if let Some(body) = self.known.get(&key).and_then(Weak::upgrade) {
            return Some((body, cut.edge));
        }
        let (copied_root, stand_ins) = cut.copy(graph);
        let body = Rc::new(Body {
            letter: Rc::clone(letter),
            start,
            plan: RefCell::new(BodyPlan::of(&copied_root, unknown, &stand_ins)),
            root: copied_root,
            unknown: Rc::clone(unknown),
            stand_ins,
        });
        if self.known.len() >= self.most {
            self.known.retain(|_, known| known.strong_count() > 0);
            self.most = 2 * self.known.len() + 16;
        }
        self.known.insert(key, Rc::downgrade(&body));
        Some((body, cut.edge))
    }
}

/// The part of a graph between a root and the unknown, both included, and the nodes at its edge.
struct Cut {
    /// The nodes that depend on the unknown, operands first.
    inner: Vec<Rc<Node>>,
    /// The largest varying nodes below the root that do not depend on the unknown.
    edge: Vec<Rc<Node>>,
}

impl Cut {
    /// `None` if the root does not depend on the unknown.
    fn of(root: &Rc<Node>, unknown: &Rc<Node>) -> Option<Cut> {
        let (mut inner, mut edge) = (Vec::new(), Vec::new());
        let (mut inner_ids, mut edge_ids) = (FxHashSet::default(), FxHashSet::default());
        for node in reachable(std::slice::from_ref(root), unknown.id()) {
            let is_inner = |it: &Rc<Node>| inner_ids.contains(&it.id());
            if !Rc::ptr_eq(&node, unknown) && !node.operands().iter().any(is_inner) {
                continue;
            }
            for operand in node.operands() {
                if operand.varies() && !is_inner(operand) && edge_ids.insert(operand.id()) {
                    edge.push(Rc::clone(operand));
                }
            }
            inner_ids.insert(node.id());
            inner.push(node);
        }
        let last = inner.last()?;
        Rc::ptr_eq(last, root).then_some(Cut { inner, edge })
    }

    /// The same numbers for every cut with the same operations in the same places.
    fn structure(&self) -> Vec<u64> {
        let all = self.inner.iter().chain(&self.edge).zip(0_u64..);
        let places: FxHashMap<NodeId, u64> = all.map(|(node, at)| (node.id(), at)).collect();
        let mut structure = vec![self.edge.len() as u64];
        for node in &self.inner {
            let address = node.rule_address().unwrap_or_default();
            structure.extend([address as u64, node.operands().len() as u64]);
            for operand in node.operands() {
                match places.get(&operand.id()) {
                    Some(at) => structure.extend([0, *at]),
                    None => structure.extend([1, operand.data().to_bits()]),
                }
            }
        }
        structure
    }

    /// A copy in which leaves stand for the edge. Returns the root, and the leaves. The unknown stays.
    fn copy(&self, graph: &mut Graph) -> (Rc<Node>, Vec<Rc<Node>>) {
        let leaves = self.edge.iter().map(|node| graph.leaf(node.data(), true));
        let stand_ins: Vec<Rc<Node>> = leaves.collect();
        let edge = self.edge.iter().map(|node| node.id());
        let mut copies: FxHashMap<NodeId, Rc<Node>> = edge.zip(stand_ins.iter().cloned()).collect();
        let mut last = Rc::clone(&self.inner[0]);
        for node in &self.inner[1..] {
            let copy = |operand: &Rc<Node>| copies.get(&operand.id()).unwrap_or(operand).clone();
            let operands: Vec<Rc<Node>> = node.operands().iter().map(copy).collect();
            last = match (node.carried(), node.op()) {
                (Some(carried), _) => graph.carry(Rc::clone(carried), operands),
                (None, Some(op)) => graph.apply(op, &operands),
                (None, None) => unreachable!("the unknown is the only inner leaf"),
            };
            copies.insert(node.id(), Rc::clone(&last));
        }
        (last, stand_ins)
    }
}

impl Body {
    /// The body that a node carries.
    pub fn of(node: &Node) -> Option<&Body> {
        let carried: &dyn Any = &**node.carried()?;
        carried.downcast_ref()
    }

    /// The name of the unknown.
    pub fn letter(&self) -> &Rc<str> {
        &self.letter
    }

    /// The numbers that say where the search begins.
    pub fn start(&self) -> &[f64] {
        &self.start
    }

    /// The left side minus the right side of the equation, over the stand-ins.
    pub fn root(&self) -> &Rc<Node> {
        &self.root
    }

    /// The stand-in for the unknown.
    pub fn unknown(&self) -> &Rc<Node> {
        &self.unknown
    }

    /// The stand-ins for the operands of the node, in order.
    pub fn stand_ins(&self) -> &[Rc<Node>] {
        &self.stand_ins
    }

    /// The slope of left - right by the unknown, where the unknown is `out`.
    pub fn slope(&self, operands: &[f64], out: f64) -> f64 {
        let mut plan = self.plan.borrow_mut();
        plan.set_operands(operands);
        plan.sides(out);
        plan.slope()
    }

    /// The solution that is nearest to the start, or else the number at which the sides are nearest to each other.
    fn search_near(&self, plan: &mut BodyPlan) -> Result<f64, f64> {
        let near = self.start.first().copied().unwrap_or(1.0);
        let found = nearest_root(plan, near);
        if found.is_solution {
            Ok(found.x)
        } else {
            Err(found.x)
        }
    }

    /// The number at which the sides are nearest to each other if the search from one number finds no solution, and both
    /// sides there.
    pub fn nearest_miss(&self, operands: &[f64]) -> (f64, [f64; 2]) {
        let mut plan = self.plan.borrow_mut();
        plan.set_operands(operands);
        let (Ok(nearest) | Err(nearest)) = self.search_near(&mut plan);
        (nearest, plan.sides(nearest))
    }
}

impl Carried for Body {
    /// The solution, or NaN if no number is found that solves the equation.
    fn value(&self, operands: &[f64]) -> f64 {
        if operands.iter().any(|operand| operand.is_nan()) {
            return f64::NAN;
        }
        let mut plan = self.plan.borrow_mut();
        plan.set_operands(operands);
        let found = match self.start[..] {
            [from, to] => first_root(&mut *plan, [from, to]),
            _ => self.search_near(&mut plan).ok(),
        };
        found.unwrap_or(f64::NAN)
    }

    /// `-F_x/F_y` for each operand x.
    fn locals(&self, operands: &[f64], out: f64) -> Vec<f64> {
        let by_unknown = self.slope(operands, out);
        let plan = self.plan.borrow();
        let grads = plan.plan.grads();
        let by_operands = plan.stand_ins.iter().map(|slot| grads[*slot]);
        by_operands.map(|grad| -grad / by_unknown).collect()
    }
}

/// The passes over a body.
#[derive(Debug)]
struct BodyPlan {
    plan: Plan,
    /// The slots of the stand-ins.
    unknown: usize,
    stand_ins: Vec<usize>,
    /// The number of passes so far.
    passes: usize,
}

impl BodyPlan {
    fn of(root: &Rc<Node>, unknown: &Rc<Node>, stand_ins: &[Rc<Node>]) -> BodyPlan {
        let plan = Plan::of(root);
        let slot = |leaf: &Rc<Node>| plan.order().slot(leaf).expect("the root depends on it");
        BodyPlan {
            unknown: slot(unknown),
            stand_ins: stand_ins.iter().map(slot).collect(),
            passes: 0,
            plan,
        }
    }

    fn set_operands(&mut self, operands: &[f64]) {
        for (slot, data) in self.stand_ins.iter().zip(operands) {
            self.plan.set(*slot, *data);
        }
    }
}

impl Equation for BodyPlan {
    fn sides(&mut self, x: f64) -> [f64; 2] {
        self.passes += 1;
        stop::ask(self.passes);
        self.plan.set(self.unknown, x);
        self.plan.forward(None);
        self.plan.root_operands()
    }

    fn slope(&mut self) -> f64 {
        self.plan.backward();
        self.plan.grads()[self.unknown]
    }

    fn size_of_terms(&mut self, x: f64) -> f64 {
        self.sides(x);
        self.plan.backward();
        let terms = self.plan.data().iter().zip(self.plan.grads());
        terms.map(|(data, grad)| (data * grad).abs()).sum()
    }

    fn goes_on(&mut self, _: f64) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::structure::find_alike;
    use crate::graph::{Jacobian, Order, gradients, live_nodes};
    use crate::ops::row;

    /// The node of `solve(y^3 + y = a*b, y)`, with its leaves.
    fn cubic(graph: &mut Graph, bodies: &mut Bodies, ab: [&Rc<Node>; 2]) -> Rc<Node> {
        let product = graph.apply(row("multiplication"), &ab.map(Rc::clone));
        let y = graph.leaf(1.0, true);
        let cube = graph.apply(row("cube"), std::slice::from_ref(&y));
        let left = graph.apply(row("addition"), &[cube, Rc::clone(&y)]);
        let root = graph.apply(row("subtraction"), &[left, Rc::clone(&product)]);
        let cut = bodies.cut(graph, &root, &y, &"y".into(), Box::default());
        let (body, operands) = cut.expect("the root depends on y");
        // The largest node that does not depend on y, and not the leaves.
        assert!(operands.len() == 1 && Rc::ptr_eq(&operands[0], &product));
        graph.carry(body, operands)
    }

    #[test]
    fn all_passes_give_the_same_bits() {
        let (mut graph, mut bodies) = (Graph::default(), Bodies::default());
        let leaves = [2.0, 5.0].map(|data| graph.leaf(data, false));
        let y = cubic(&mut graph, &mut bodies, [&leaves[0], &leaves[1]]);
        // 2^3 + 2 = 10.
        assert_eq!(y.data(), 2.0);
        let root = graph.apply(
            row("multiplication"),
            &[Rc::clone(&y), Rc::clone(&leaves[0])],
        );
        let order = Order::below([&root]);
        let grads = gradients(&order, &root, |_| {});
        let grad = |node: &Rc<Node>| grads[order.slot(node).expect("it is below the root")];
        // d(y*a)/da = y + a*b/(3*y^2 + 1), d(y*a)/db = a*a/(3*y^2 + 1).
        assert_eq!(
            [grad(&leaves[0]), grad(&leaves[1])],
            [2.0 + 10.0 / 13.0, 4.0 / 13.0]
        );
        let mut plan = Plan::of(&root);
        plan.forward(None);
        plan.backward();
        assert_eq!(plan.root_data(), root.data());
        assert_eq!(plan.grads(), grads);
        let mut jacobian = Jacobian::of(std::slice::from_ref(&root), &leaves);
        assert_eq!(jacobian.values(&[2.0, 5.0]), [4.0]);
        assert_eq!(jacobian.rows(), [grad(&leaves[0]), grad(&leaves[1])]);
        graph.set(&leaves[1], 15.0);
        graph.recompute(&leaves[1..], NodeId::MAX, |_, _| {});
        assert_eq!(y.data(), 3.0);
    }

    #[test]
    fn equal_bodies_are_one_and_live_as_long_as_their_nodes() {
        let (mut graph, mut bodies) = (Graph::default(), Bodies::default());
        let leaves = [2.0, 5.0].map(|data| graph.leaf(data, false));
        let before = live_nodes();
        let mut solve = || cubic(&mut graph, &mut bodies, [&leaves[0], &leaves[1]]);
        let (one, other) = (solve(), solve());
        assert_eq!(one.rule_address(), other.rule_address());
        assert!(find_alike(std::slice::from_ref(&one), std::slice::from_ref(&other))[0].is_some());
        drop((one, other));
        for _ in 0..1_000 {
            solve();
        }
        assert_eq!(live_nodes(), before);
        assert!(bodies.known.len() < 20, "the dropped ones are forgotten");
    }
}
