//! Keeps what the user works out by hand: the claimed grads since the last pass, the score of `:guess`, and the
//! open walk.
//!
//! A guess does not count if an answer has shown the grad before. Therefore every answer with grads notes them here.

use std::rc::{Rc, Weak};

use rustc_hash::FxHashSet;

use crate::by_hand::guesses::{Guesses, Quantity, ShownGrads, SumSoFar};
use crate::by_hand::walk::{Direction, Walk};
use crate::limits::{MOST_CLAIMS, MOST_SHOWN};
use crate::state::{Session, Write};
use crate::tags::TagWrite;
use crate::target::Target;
use chainrule_engine::graph::{Node, Order};

impl Session {
    /// The score so far.
    pub fn guesses(&self) -> &Guesses {
        &self.recent.guesses
    }

    /// The grad of a node to show: that of the last pass, or else the one that the user has claimed.
    pub(crate) fn grad_to_show(&self, node: &Rc<Node>) -> Option<f64> {
        self.grads_to_show()(node)
    }

    /// The function that finds the grad of a node to show.
    pub fn grads_to_show(&self) -> impl Fn(&Rc<Node>) -> Option<f64> + use<> {
        let (pass, claims) = (self.recent.pass.clone(), Rc::clone(&self.claims));
        move |node| {
            let passed = pass.as_ref().and_then(|it| it.grad(node));
            passed.or_else(|| claims.of(node).map(|it| it.grad))
        }
    }

    /// Notes that the answer of the running statement shows the grads of some nodes below a root; without nodes, of all
    /// below it.
    pub fn note_shown(&mut self, root: &Rc<Node>, nodes: &[Rc<Node>]) {
        let clock = self.program.graph.clock();
        let shown = |node: Option<&Rc<Node>>| ShownGrads {
            root: Rc::downgrade(root),
            node: node.map(Rc::downgrade),
            clock,
        };
        if nodes.is_empty() {
            self.running.shown.push(shown(None));
        }
        (self.running.shown).extend(nodes.iter().map(|node| shown(Some(node))));
    }

    /// Notes that an answer shows the grads of some nodes in the last pass; without nodes, of all.
    pub fn note_shown_of_pass(&mut self, nodes: &[Rc<Node>]) {
        if let Some(pass) = self.pass().filter(|_| !self.is_stale()) {
            let root = Rc::clone(pass.root());
            self.note_shown(&root, nodes);
        }
    }

    /// Keeps the newest grads that answers have shown, when the answer of the running statement is shown.
    pub fn keep_shown(&mut self) {
        self.shown.append(&mut self.running.shown);
        let excess = self.shown.len().saturating_sub(MOST_SHOWN);
        self.shown.drain(..excess);
    }

    /// Whether an answer has shown the grad of a node below a root, and no data has changed since.
    pub fn has_shown(&self, root: &Node, node: &Node) -> bool {
        let clock = self.program.graph.clock();
        let is_it = |shown: &Weak<Node>, it: &Node| std::ptr::eq(shown.as_ptr(), it);
        let mut fresh = self.shown.iter().filter(|shown| shown.clock == clock);
        fresh.any(|shown| {
            is_it(&shown.root, root) && shown.node.as_ref().is_none_or(|it| is_it(it, node))
        })
    }

    /// Whether there is a pass or a claim.
    pub(crate) fn has_grads(&self) -> bool {
        self.recent.pass.is_some() || self.claims.has_living()
    }

    /// Drops the claims when a pass runs, because then grads come from the pass.
    pub(crate) fn drop_claims(&mut self) {
        for write in self.claims.removals() {
            self.write(Write::Claim(write));
        }
        self.recent.guesses.root = Weak::new();
    }

    /// Keeps the grad that the user claims for a node, and the root if the guess named it.
    pub fn claim(&mut self, node: &Rc<Node>, so_far: SumSoFar, root: Option<&Rc<Node>>) {
        // Only a script makes so many claims. It starts over, so that the memory has a limit.
        if self.claims.len() >= MOST_CLAIMS && !self.program.in_block() {
            self.drop_claims();
        }
        if let Some(named) = root {
            self.recent.guesses.root = Rc::downgrade(named);
        }
        self.write(Write::Claim(TagWrite::new(node, Some(so_far))));
    }

    /// The sum that the user has claimed so far for the grad of a node.
    pub fn claimed_so_far(&self, node: &Rc<Node>) -> SumSoFar {
        self.claims.of(node).copied().unwrap_or_default()
    }

    /// The score of `:guess`, to change it.
    pub fn guesses_mut(&mut self) -> &mut Guesses {
        &mut self.recent.guesses
    }

    /// Opens a walk, and closes an open one.
    pub fn open_walk(&mut self, root: &Rc<Node>, direction: Direction) -> &mut Walk {
        self.aim_at_root(root);
        let clock = self.program.graph.clock();
        let walk = Walk::new(self.names(), root, direction, clock);
        self.recent.walk.insert(walk)
    }

    /// The open walk, to move in it.
    pub fn walk_mut(&mut self) -> Option<&mut Walk> {
        let clock = self.program.graph.clock();
        self.recent.walk.as_mut().filter(|it| it.clock == clock)
    }

    /// The open walk. A walk ends when data changes.
    pub fn walk(&self) -> Option<&Walk> {
        let clock = self.program.graph.clock();
        self.recent.walk.as_ref().filter(|it| it.clock == clock)
    }

    /// Ends the walk, and returns whether one was open.
    pub fn end_walk(&mut self) -> bool {
        self.recent.walk.take().is_some()
    }

    /// Ends a walk that has its own grads, and returns whether one was open.
    pub(crate) fn end_backward_walk(&mut self) -> bool {
        let is_backward = |walk: &Walk| walk.direction == Direction::Backward;
        self.walk().is_some_and(is_backward) && self.end_walk()
    }

    /// Makes the next stop. A backward walk that has come to its end becomes the last pass; `:prev` can still go back.
    pub fn make_next_stop(&mut self) {
        let walk = self.recent.walk.as_mut();
        let Some(walk) = walk.filter(|walk| walk.position < walk.stop_count()) else {
            return;
        };
        walk.advance();
        let (root, completed, pass) = (Rc::clone(&walk.root), walk.completed_grads(), walk.pass());
        if !completed.is_empty() {
            self.note_shown(&root, &completed);
        }
        if pass.is_some() {
            self.recent.pass = pass;
            self.aim_moves_at(&root);
            self.drop_claims();
            // A saved session has the pass in place of the walk.
            let statement = self.pass_statement(&root);
            self.keeping().replace(statement);
        }
    }
}

/// The newest node with a name that uses a node, directly or not: the root that the user has probably in mind.
fn newest_above(session: &Session, node: &Rc<Node>) -> Option<Rc<Node>> {
    let mut above = FxHashSet::from_iter([node.id()]);
    let mut newest_named = None;
    // Oldest first, so that a node comes after its operands.
    for user in session
        .program
        .graph
        .living()
        .nodes()
        .filter(|it| it.id() > node.id())
    {
        if (user.operands().iter()).any(|operand| above.contains(&operand.id())) {
            above.insert(user.id());
            if session.names.has_any(&user) {
                newest_named = Some(user);
            }
        }
    }
    newest_named
}

/// The root and the quantity of a question about a node if the user types neither. In an open walk above the node,
/// both are those of the walk. In all other cases the question asks for the grad, and the root is the first of these that
/// depends on the node:
///
/// 1. the root that the last guess named, if no walk is open
/// 2. the target, if it has a name
/// 3. the root of the last pass
/// 4. the newest named value
/// 5. the target without a name
/// 6. the node itself, unless it is a leaf
pub fn default_question(session: &Session, node: &Rc<Node>) -> Option<(Rc<Node>, Quantity)> {
    let is_root_of_node = |root: &Rc<Node>| Order::below([root]).slot(node).is_some();
    let walk = session.walk().filter(|walk| walk.next_node().is_some());
    if let Some(walk) = walk.filter(|walk| is_root_of_node(&walk.root)) {
        return Some((Rc::clone(&walk.root), walk.quantity()));
    }
    let guessed_root = session.guesses().root().filter(|_| walk.is_none());
    let target_node = session.target().and_then(|it| session.target_node(it));
    // A node that the user only looked at, as `grad(y, a)`, is not meant as the root.
    let target = target_node.filter(|target| !Rc::ptr_eq(target, node));
    let is_named = matches!(session.target(), Some(Target::Name(_)));
    let named_target = target.clone().filter(|_| is_named);
    let passed_root = session.pass().map(|pass| Rc::clone(pass.root()));
    let known_roots = [guessed_root, named_target, passed_root];
    let known_root = known_roots.into_iter().flatten().find(is_root_of_node);
    let root = known_root
        .or_else(|| newest_above(session, node))
        .or_else(|| target.filter(is_root_of_node))
        .or_else(|| (!node.is_leaf()).then(|| Rc::clone(node)));
    Some((root?, Quantity::Grad))
}
