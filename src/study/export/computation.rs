//! Finds the nodes that an exported program computes: those that depend on a free leaf, in the order of a pass. All other
//! nodes are numbers in the program.

use std::rc::Rc;

use rustc_hash::FxHashSet;

use chainrule_engine::graph::{Node, NodeId, Order};
use chainrule_stop as stop;

/// The nodes from which a program computes a root.
#[derive(Debug)]
pub struct Computation {
    /// The root.
    pub root: Rc<Node>,
    /// The free leaves below it, in the order of creation.
    pub leaves: Vec<Rc<Node>>,
    /// The user's function that is exported. `None` for an expression, also if its root is a call.
    pub function: Option<FunctionCall>,
    /// The nodes above free leaves, operands before users.
    pub computed: Vec<Rc<Node>>,
    /// The ids of the leaves and of the computed nodes.
    pub(super) moving: FxHashSet<NodeId>,
}

/// A call of a function of the user's with leaves.
#[derive(Debug)]
pub struct FunctionCall {
    /// The name of the function.
    pub name: Rc<str>,
    /// The leaves, which have the names of the parameters.
    pub parameters: Vec<Rc<Node>>,
}

impl Computation {
    /// Returns the computation of this root from its free leaves.
    pub fn below(root: &Rc<Node>) -> Computation {
        Computation::of(root, &[], Node::is_free)
    }

    /// Returns the computation of a root and of its derivatives `slopes` from the leaves for which `moves` returns true.
    pub(super) fn of(root: &Rc<Node>, slopes: &[Rc<Node>], moves: impl Fn(&Node) -> bool) -> Self {
        let mut computation = Computation {
            root: Rc::clone(root),
            leaves: Vec::new(),
            function: None,
            computed: Vec::new(),
            moving: FxHashSet::default(),
        };
        let order = Order::below(std::iter::once(root).chain(slopes));
        for node in stop::with_checks(order.nodes().iter().rev()) {
            let mut operands = node.operands().iter();
            if node.is_leaf() && moves(node) {
                computation.leaves.push(Rc::clone(node));
            } else if operands.any(|operand| computation.moving.contains(&operand.id())) {
                computation.computed.push(Rc::clone(node));
            } else {
                continue;
            }
            computation.moving.insert(node.id());
        }
        computation.leaves.sort_by_key(|leaf| leaf.id());
        computation
    }
}
