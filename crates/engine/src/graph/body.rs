//! Defines bodies: the equation that a node carries, `y^2 + y = x` for `solve(y^2 + y = x, y)`.
//!
//! A body is a graph of its own over stand-ins: leaves that stand for the operands of the node, and one for the unknown. So
//! the value of the node is a function of its operands alone. Its passes follow a [`Plan`], because no node may be written
//! while another pass runs.

use std::any::Any;
use std::cell::{RefCell, RefMut};
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::factory::Graph;
use super::node::{Node, NodeId};
use super::order::newest_first;
use super::plan::Plan;
use super::rule::Carried;
use crate::roots::{Equation, Found, first_root, nearest_root};
use chainrule_stop as stop;

/// The equation that a node carries.
#[derive(Debug)]
pub struct Body {
    /// The name of the unknown.
    pub letter: Rc<str>,
    /// The number at which the search begins, or the two ends of a range. Empty if the user gave none.
    pub start: Box<[f64]>,
    /// The left side minus the right side of the equation, over the stand-ins.
    pub root: Rc<Node>,
    /// The stand-in for the unknown.
    pub unknown: Rc<Node>,
    /// The stand-ins for the operands of the node, in order.
    pub stand_ins: Vec<Rc<Node>>,
    /// The most equations within one another, this one included.
    pub depth: usize,
    plan: RefCell<BodyPlan>,
}

impl Body {
    /// The body of the equation `root = 0`, and the operands of the node that carries it: the largest varying nodes below
    /// the root that do not depend on `unknown`, a leaf with this letter. `None` if the root does not depend on it.
    pub fn cut(
        graph: &mut Graph,
        root: &Rc<Node>,
        unknown: Rc<Node>,
        letter: Rc<str>,
        start: Box<[f64]>,
    ) -> Option<(Rc<Body>, Vec<Rc<Node>>)> {
        // The copies of nodes that depend on the unknown, and the stand-ins for others.
        let mut copies = FxHashMap::from_iter([(unknown.id(), Rc::clone(&unknown))]);
        let mut leaves: FxHashMap<NodeId, Rc<Node>> = FxHashMap::default();
        let (mut edge, mut depth) = (Vec::new(), 1);
        let newest = newest_first([root], |node| node.id() >= unknown.id(), usize::MAX);
        for node in newest?.into_iter().rev() {
            let operands = node.operands().iter();
            if !operands.clone().any(|it| copies.contains_key(&it.id())) {
                continue;
            }
            for outer in operands.clone().filter(|it| it.varies()) {
                if !copies.contains_key(&outer.id()) && !leaves.contains_key(&outer.id()) {
                    leaves.insert(outer.id(), graph.leaf(outer.data(), true));
                    edge.push(Rc::clone(outer));
                }
            }
            let copy_of = |it: &Rc<Node>| copies.get(&it.id()).or_else(|| leaves.get(&it.id()));
            let copied: Vec<Rc<Node>> = operands
                .map(|it| Rc::clone(copy_of(it).unwrap_or(it)))
                .collect();
            depth = depth.max(Body::of(&node).map_or(1, |it| it.depth + 1));
            let copy = match node.carried() {
                Some(carried) => graph.carry(Rc::clone(carried), copied),
                None => graph.apply(node.op()?, &copied),
            };
            copies.insert(node.id(), copy);
        }
        let copied_root = Rc::clone(copies.get(&root.id())?);
        let stand_ins: Vec<Rc<Node>> = edge.iter().map(|it| Rc::clone(&leaves[&it.id()])).collect();
        let body = Body {
            letter,
            start,
            plan: RefCell::new(BodyPlan::of(&copied_root, &unknown, &stand_ins)),
            root: copied_root,
            unknown,
            stand_ins,
            depth,
        };
        Some((Rc::new(body), edge))
    }

    /// The body that a node carries.
    pub fn of(node: &Node) -> Option<&Body> {
        let carried: &dyn Any = &**node.carried()?;
        carried.downcast_ref()
    }

    /// The slope of left - right by the unknown, where the unknown is `out`.
    pub fn slope(&self, operands: &[f64], out: f64) -> f64 {
        let mut plan = self.plan_at(operands);
        plan.sides(out);
        plan.slope()
    }

    /// The number at which the sides are nearest to each other if the search from one number finds no solution, and both
    /// sides there.
    pub fn nearest_miss(&self, operands: &[f64]) -> (f64, [f64; 2]) {
        let mut plan = self.plan_at(operands);
        let nearest = self.search_near(&mut plan).x;
        (nearest, plan.sides(nearest))
    }

    fn search_near(&self, plan: &mut BodyPlan) -> Found {
        nearest_root(plan, self.start.first().copied().unwrap_or(1.0))
    }

    /// The plan with the data of the operands.
    fn plan_at(&self, operands: &[f64]) -> RefMut<'_, BodyPlan> {
        let mut plan = self.plan.borrow_mut();
        let BodyPlan {
            plan: passes,
            stand_ins,
            ..
        } = &mut *plan;
        for (slot, data) in stand_ins.iter().zip(operands) {
            passes.set(*slot, *data);
        }
        plan
    }
}

impl Carried for Body {
    /// The solution, or NaN if no number is found that solves the equation.
    fn value(&self, operands: &[f64]) -> f64 {
        if operands.iter().any(|operand| operand.is_nan()) {
            return f64::NAN;
        }
        let mut plan = self.plan_at(operands);
        let found = match self.start[..] {
            [from, to] => first_root(&mut *plan, [from, to]),
            _ => Some(self.search_near(&mut plan))
                .filter(|it| it.is_solution)
                .map(|it| it.x),
        };
        found.unwrap_or(f64::NAN)
    }

    /// The derivatives by all operands, `-F_x/F_y`, where the solution is `out`.
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
        self.plan.size_of_terms()
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
    fn cubic(graph: &mut Graph, ab: [&Rc<Node>; 2]) -> Rc<Node> {
        let product = graph.apply(row("multiplication"), &ab.map(Rc::clone));
        let y = graph.leaf(1.0, true);
        let cube = graph.apply(row("cube"), std::slice::from_ref(&y));
        let left = graph.apply(row("addition"), &[cube, Rc::clone(&y)]);
        let root = graph.apply(row("subtraction"), &[left, Rc::clone(&product)]);
        let cut = Body::cut(graph, &root, y, "y".into(), Box::default());
        let (body, operands) = cut.expect("the root depends on y");
        // The largest node that does not depend on y, and not the leaves.
        assert!(operands.len() == 1 && Rc::ptr_eq(&operands[0], &product));
        graph.carry(body, operands)
    }

    #[test]
    fn all_passes_give_the_same_bits() {
        let mut graph = Graph::default();
        let leaves = [2.0, 5.0].map(|data| graph.leaf(data, false));
        let y = cubic(&mut graph, [&leaves[0], &leaves[1]]);
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
    fn equal_equations_are_alike_and_live_as_long_as_their_nodes() {
        let mut graph = Graph::default();
        let leaves = [2.0, 5.0].map(|data| graph.leaf(data, false));
        let before = live_nodes();
        let mut solve = |ab: [usize; 2]| cubic(&mut graph, ab.map(|it| &leaves[it]));
        let (one, same, other) = (solve([0, 1]), solve([0, 1]), solve([1, 1]));
        let alike = find_alike(&[Rc::clone(&one), Rc::clone(&other)], &[same]);
        assert!(alike[0].as_ref().is_some_and(|it| Rc::ptr_eq(it, &one)));
        drop((one, other, alike));
        assert_eq!(live_nodes(), before);
    }
}
