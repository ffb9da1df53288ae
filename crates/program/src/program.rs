//! Holds what the code of statements works on: [`Program`].

use std::rc::{Rc, Weak};

use rustc_hash::FxHashMap;

use crate::derive::{NodesBefore, Purpose};
use crate::functions::Functions;
use crate::guards::{Guard, GuardKind, GuardedValues, StatementGuards, WatchedLeaves};
use crate::limits::Limits;
use crate::random::Sequence;
use crate::values::Value;
use chainrule_engine::graph::{Graph, Node, NodeId, Spelling};
use chainrule_engine::ops::{self, Op};
use chainrule_language::Span;

const MULTIPLY: &Op = ops::row("multiplication");

/// The graph, and what else the code of statements works on. Only the session that has it changes `functions` and
/// `random`, so that these changes can be undone.
#[derive(Default)]
pub struct Program {
    /// The nodes.
    pub graph: Graph,
    /// How large a statement may get.
    pub limits: Limits,
    /// The functions of the user.
    pub functions: Functions,
    /// The position in the random numbers.
    pub random: Sequence,
    /// The values whose nodes depend on conditions and positions.
    pub guards: GuardedValues,
    /// The nodes below the roots that were differentiated last.
    pub before: Rc<NodesBefore>,
    /// The newest node before the expression that is built.
    pub started: NodeId,
    /// The most nodes that a statement may make in calls, while it is only tried.
    pub most_nodes_of_calls: Option<u32>,
    /// The leaves whose numbers must not decide what is built.
    pub watched: WatchedLeaves,
    /// The block that runs.
    pub block: Option<RunningNodes>,
    /// Whether constants in the call that is a whole expression stand for leaves with the names of the parameters.
    pub makes_parameter_leaves: bool,
    /// Whether the statement has read a grad: by `a.grad`, `dL/da` or `f'(3)`, also in a function that it has called.
    pub has_read_grad: bool,
    /// What the nodes are built for.
    pub purpose: Purpose,
}

/// The nodes of a block that runs.
pub struct RunningNodes {
    /// The newest node before the block.
    pub newest_before: NodeId,
    /// Leaves that have moved, by id. The older nodes do not follow them yet.
    pub moved: FxHashMap<NodeId, Rc<Node>>,
    /// The first computed item that was appended to a list, and its data then.
    pub appended: Option<(Rc<Node>, f64)>,
}

impl RunningNodes {
    /// Whether the block has made a node.
    pub fn has_made(&self, node: &Node) -> bool {
        node.id() > self.newest_before
    }
}

impl Program {
    /// The constant `True` or `False`.
    pub(crate) fn truth(&mut self, holds: bool) -> Value {
        let (number, word) = if holds { (1.0, "True") } else { (0.0, "False") };
        self.graph.constant(number, Spelling::Named(word)).into()
    }

    /// Whether a block runs.
    pub fn in_block(&self) -> bool {
        self.block.is_some()
    }

    /// Whether leaves have moved that the older nodes do not follow yet.
    pub(crate) fn has_waiting_moves(&self) -> bool {
        self.block
            .as_ref()
            .is_some_and(|block| !block.moved.is_empty())
    }

    /// Whether a node is computed and older than the running block, so that it follows leaves that move.
    pub(crate) fn is_older_than_block(&self, node: &Node) -> bool {
        let is_older = |block: &RunningNodes| !block.has_made(node);
        node.is_computed() && self.block.as_ref().is_some_and(is_older)
    }

    /// Whether the running block has made all of these nodes. A value of such nodes leaves no former name.
    pub fn is_of_block(&self, nodes: &[Rc<Node>]) -> bool {
        let block = self.block.as_ref();
        block.is_some_and(|block| nodes.iter().all(|node| block.has_made(node)))
    }

    /// Drops the nodes since `newest_before`, which nothing holds any more: new nodes get their ids.
    pub fn rewind(&mut self, newest_before: NodeId) {
        if newest_before < self.graph.last_id() {
            self.guards.rewind(newest_before);
        }
        self.graph.rewind(newest_before);
    }

    /// Makes the numbers that an expression has read the guards of its value. The nodes of the value are newer than
    /// `newest_before`, and the expression was typed at `place`.
    pub(crate) fn guard_value(
        &mut self,
        value: Value,
        read: Vec<Guard>,
        newest_before: NodeId,
        place: (&str, Span),
    ) -> Value {
        self.watched.note(&read);
        let is_kept = |guard: &Guard| guard.kind != GuardKind::Data;
        let guards: Vec<Guard> = read.into_iter().filter(is_kept).collect();
        self.guards.last = None;
        if guards.is_empty() {
            return value;
        }
        let decided = StatementGuards::of_place(guards, place);
        self.guards.last = Some(decided.clone());
        let new_value = self.with_new_nodes(value, newest_before);
        let nodes = new_value.nodes().iter().map(Rc::downgrade).collect();
        self.add_guarded(nodes, decided);
        new_value
    }

    /// The value with new nodes of the same numbers, `1*x`, instead of those up to `newest_before`. An older node, such
    /// as an argument that a function returns, must not get guards.
    fn with_new_nodes(&mut self, value: Value, newest_before: NodeId) -> Value {
        let is_older = |node: &Rc<Node>| node.varies() && node.id() <= newest_before;
        if !value.nodes().iter().any(is_older) {
            return value;
        }
        let graph = &mut self.graph;
        let new_value = value.map_nodes(|node| {
            let one = is_older(node).then(|| graph.constant(1.0, Spelling::Plain));
            let new_node = one.map(|one| graph.apply_2(MULTIPLY, one, Rc::clone(node)));
            new_node.unwrap_or_else(|| Rc::clone(node))
        });
        // In Python it is the older list, so it must not grow by itself.
        new_value.mark_as_shared();
        new_value
    }

    /// Gives the nodes of a value these guards.
    pub(crate) fn add_guarded(&mut self, nodes: Vec<Weak<Node>>, decided: StatementGuards) {
        let newest = self.graph.last_id();
        self.guards.add(nodes, decided, newest);
    }

    /// Notes that these values are derivatives of a root, which may be outdated. An older node, such as `b` as the
    /// derivative of `a*b`, is not the derivative's own.
    pub(crate) fn note_derivatives(
        &mut self,
        root: &Rc<Node>,
        grads: &Value,
        newest_before: NodeId,
    ) {
        let new = grads.nodes().iter().filter(|it| it.id() > newest_before);
        let nodes: Vec<Weak<Node>> = new.map(Rc::downgrade).collect();
        self.guards.add_derivative(nodes, root);
    }
}
