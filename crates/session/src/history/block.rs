//! Keeps the state of a session while a block of statements, such as a loop, runs. `interpret/block` runs the block.
//!
//! As in Python, the nodes that a block makes keep their numbers when leaves move, until the block ends. Older nodes
//! follow before their numbers are read. A name that the block rebinds leaves no former name. Memory does not grow with
//! the rounds: a pass drops the graphs of earlier rounds, and the log keeps only the writes that one step of undo
//! needs.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::by_hand::guesses::SumSoFar;
use crate::state::{CleanUp, NoteOnce, RunningBlock, Savepoint, Session};
use chainrule_engine::graph::{Node, Pass, contributions_of};
use chainrule_engine::ops::same_number;
use chainrule_language::is_name;
use chainrule_program::RunningNodes;
use chainrule_report::{Note, say};

/// The most nodes that are kept for the note on summed gradients.
const MAX_SUMMED_NODES: usize = 8;

/// The effects of a block on gradients and leaves.
#[derive(Debug)]
pub struct BlockEnd {
    /// The leaves that the block has changed.
    pub moved: Vec<Rc<Node>>,
    /// Nodes whose gradients were read as sums over several rounds.
    pub summed: Vec<Rc<Node>>,
    /// The notes that a node became NaN or infinite, and that the items of a list have followed their leaves.
    pub notes: Vec<Note>,
}

impl Session {
    /// Begins a block, unless one runs. The nodes that the statement has made so far belong to the block.
    pub fn begin_block(&mut self) {
        if self.running.block.is_some() {
            return;
        }
        let mut before = self.savepoint();
        before.newest_node = self.program.started;
        self.program.block = Some(RunningNodes {
            newest_before: before.newest_node,
            moved: FxHashMap::default(),
            appended: None,
        });
        self.running.block = Some(Box::new(RunningBlock {
            writes: CleanUp::from(before.mark),
            round: CleanUp::from(before.mark),
            before,
            passes: 0,
            most_passes: 0,
            summed: Vec::new(),
            has_set_grads: false,
        }));
    }

    /// Begins a round of the outermost loop.
    pub fn begin_round(&mut self) -> Savepoint {
        let round = self.savepoint();
        if let Some(block) = &mut self.running.block {
            block.passes = 0;
            block.round = CleanUp::from(round.mark);
        }
        round
    }

    /// Ends a round of the outermost loop. The log drops the writes that undo does not need.
    pub fn end_round(&mut self) {
        if let Some(block) = &mut self.running.block {
            self.log.clean_up(&mut block.writes);
            block.round = CleanUp::from(self.log.mark());
        }
        self.program.graph.free_dropped();
    }

    /// Ends a round of an inner loop. The log drops writes as after an outer round, but only within the outer round,
    /// because Ctrl-C may go back to its beginning.
    pub(crate) fn end_inner_round(&mut self) {
        if let Some(block) = &mut self.running.block {
            self.log.clean_up(&mut block.round);
        }
    }

    /// Ends the block, and lets all nodes follow the leaves that it has moved.
    pub fn end_block(&mut self) -> Option<BlockEnd> {
        let block = self.running.block.take()?;
        let nodes = self.program.block.take();
        let newest_before = block.before.newest_node;
        let moved = self.leaves_since(&block.before);
        let mut note = self.recompute_above(&moved, newest_before, |_, _| {});
        if !moved.is_empty() {
            // The older nodes may have followed during the block, so nothing tells which of its nodes are out of date.
            note = note.or(self.recompute_newer(newest_before));
        }
        self.forget_changed_guards(newest_before);
        let note_on_items = nodes.and_then(|it| self.note_on_appended(it.appended?));
        Some(BlockEnd {
            moved,
            summed: block.summed,
            notes: note.into_iter().chain(note_on_items).collect(),
        })
    }

    /// The note, once in a session, that an item which a block has appended no longer has its data then.
    fn note_on_appended(&mut self, (item, data): (Rc<Node>, f64)) -> Option<Note> {
        let has_followed = !same_number(item.data(), data);
        let label = Some(self.label(&item)).filter(|label| is_name(label));
        let line = format!("append({}.data)", label.as_deref().unwrap_or("…"));
        let note = say!(
            "the items follow their leaves; `{:typed}` keeps each number",
            line
        );
        let is_news = has_followed && self.is_first(NoteOnce::FollowingItems);
        is_news.then(|| Note::new(note))
    }

    /// Recomputes the older nodes above the leaves that have moved. Returns a note if a node became NaN or infinite.
    pub(crate) fn follow_moves(&mut self) -> Option<Note> {
        let nodes = self.program.block.as_mut()?;
        let (moved, newest) = (std::mem::take(&mut nodes.moved), nodes.newest_before);
        let leaves: Vec<Rc<Node>> = moved.into_values().collect();
        self.recompute_above(&leaves, newest, |_, _| {})
    }

    /// Adds a sweep from a root to the last pass, even if the pass is stale: a training loop that forgets to zero its
    /// grads adds to the grads of the old data. In a block, the pass forgets the graphs of earlier rounds.
    pub fn accumulate(&mut self, root: &Rc<Node>) {
        let mut set_grads = Vec::new();
        if let Some(block) = &mut self.running.block {
            block.passes += 1;
            block.most_passes = block.most_passes.max(block.passes);
            if block.has_set_grads {
                set_grads.extend(self.claims.living().map(|(node, it)| (node, it.grad)));
            }
        }
        // A guess of a grad that the pass has is not a grad.
        set_grads.retain(|(node, _)| !self.has_grad(node));
        self.drop_claims();
        let pass = self.recent.pass.as_mut().map(Rc::make_mut);
        match (pass, &self.program.block) {
            (None, _) => self.recent.pass = Some(Rc::new(Pass::run(root, &self.program.graph))),
            (Some(pass), None) => pass.accumulate(root, &self.program.graph),
            (Some(pass), Some(nodes)) => {
                let stays = |node: &Node| !nodes.has_made(node) || self.names.has_any(node);
                pass.accumulate_and_forget(root, &self.program.graph, stays);
            }
        }
        for (node, grad) in set_grads {
            let swept = self.grad_to_show(&node).unwrap_or(0.0);
            self.set_grads(&[node], swept + grad);
        }
        self.aim_moves_at(root);
    }

    /// Sets the gradients of some nodes to 0, or forgets all of them. Returns whether there were any.
    pub fn zero_grads(&mut self, nodes: Option<&[Rc<Node>]>) -> bool {
        let had_grads = self.end_backward_walk() || self.has_grads();
        if let Some(some) = nodes {
            self.set_grads(some, 0.0);
        } else {
            self.drop_claims();
            self.recent.pass = None;
        }
        had_grads
    }

    /// Sets the grad of each of some nodes: in the last pass, or as a claim if the pass has no such node.
    pub fn set_grads(&mut self, nodes: &[Rc<Node>], grad: f64) {
        if let Some(block) = &mut self.running.block {
            block.has_set_grads = true;
        }
        if grad == 0.0 {
            self.end_backward_walk();
        }
        let so_far = SumSoFar {
            grad,
            contributions: usize::from(grad != 0.0),
        };
        for node in nodes {
            match &mut self.recent.pass {
                Some(pass) if pass.grad(node).is_some() => Rc::make_mut(pass).set(node, grad),
                _ => self.claim(node, so_far, None),
            }
        }
    }

    /// Adds the contributions of a node to the grads of its operands, as `o._backward()` does in Python.
    pub fn pass_on_grad(&mut self, node: &Rc<Node>) {
        let upstream = self.grad_in_block(node).unwrap_or(0.0);
        for contribution in contributions_of(node, upstream) {
            let operand = &node.operands()[contribution.position];
            let before = self.grad_to_show(operand).unwrap_or(0.0);
            self.set_grads(std::slice::from_ref(operand), before + contribution.amount);
        }
    }

    /// A gradient as the running block reads it: 0 for a node without any, as in Python.
    pub(crate) fn grad_in_block(&mut self, node: &Rc<Node>) -> Option<f64> {
        let grad = self.grad_to_show(node).unwrap_or(0.0);
        let block = self.running.block.as_mut()?;
        let Some(pass) = &self.recent.pass else {
            return Some(grad);
        };
        let is_summed = block.most_passes > 0 && pass.sweeps_at(node) > block.most_passes;
        let is_known = block.summed.iter().any(|it| Rc::ptr_eq(it, node));
        if is_summed && !is_known && block.summed.len() < MAX_SUMMED_NODES {
            block.summed.push(Rc::clone(node));
        }
        Some(grad)
    }
}
