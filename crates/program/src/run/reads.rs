//! Notes the numbers that a machine reads and that decide what it builds, and makes them the guards of a value.

use std::ops::Range;
use std::rc::Rc;

use super::machine::Machine;
use crate::environment::Environment;
use crate::functions::{Code, Instruction, Variable};
use crate::guards::{Guard, GuardKind, LineConditions, StatementGuards};
use crate::values::Value;
use chainrule_engine::graph::Node;
use chainrule_language::Span;

impl Machine<'_, '_> {
    /// Whether a line of a block itself runs, and not a function that such a line calls.
    pub(super) fn is_line_of_block(&self) -> bool {
        self.session.program().in_block() && self.state.frames.len() == 1
    }

    /// Notes that the numbers of these values decide what is built. The positions in the lines of a block itself need no
    /// guards, because these lines run once, as typed. A function that such a line calls may be meant to follow its
    /// leaves, and so may a choice.
    pub(super) fn note_read(&mut self, values: &[Value], kind: GuardKind) {
        let is_wanted = match kind {
            GuardKind::Data => false,
            GuardKind::Condition => true,
            GuardKind::Position | GuardKind::Sigma => !self.is_line_of_block(),
        };
        let is_watched = !self.session.program().watched.leaves.is_empty();
        if !is_wanted && !is_watched && !self.has_equation() {
            return;
        }
        let nodes = values.iter().flat_map(Value::nodes);
        for node in nodes.filter(|node| node.varies()) {
            // A loop reads the same number again and again.
            let is_same = |guard: &Guard| Rc::ptr_eq(&guard.node, node) && guard.kind == kind;
            if !self.state.record.read.last().is_some_and(is_same) {
                let guard = self.guard_of(node, kind);
                self.state.record.read.push(guard);
            }
        }
    }

    /// The guard for the number of a node that decides in this way.
    pub(super) fn guard_of(&self, node: &Rc<Node>, kind: GuardKind) -> Guard {
        let is_typed = kind == GuardKind::Condition && self.state.frames.len() == 1;
        Guard {
            node: Rc::clone(node),
            data: guarded_number(self.session, node, kind),
            kind,
            typed: is_typed.then(|| self.state.site.span.of(self.state.text).into()),
        }
    }

    /// Makes the numbers that were read the guards of a value. The value was typed at `span`.
    pub(super) fn guard(&mut self, value: Value, span: Span) -> Value {
        if self.state.record.read.is_empty() {
            return value;
        }
        let read = self.take_read();
        (self.session.program_mut()).guard_value(
            value,
            read,
            self.state.record.newest_before,
            (self.state.text, span),
        )
    }

    /// Notes a condition of a line of a block itself.
    pub(super) fn note_line_condition(&mut self, condition: &Rc<Node>) {
        let is_true = condition.data() != 0.0;
        let known = self
            .state
            .record
            .line_conditions
            .get_mut(&self.state.site.at);
        let mut last = known.into_iter().flat_map(|it| &mut it.last);
        // A loop meets the same condition again and again.
        if let Some(guard) = last.find(|it| (it.data != 0.0) == is_true) {
            guard.node = Rc::clone(condition);
            guard.data = condition.data();
            return;
        }
        let guard = self.guard_of(condition, GuardKind::Condition);
        let of_site = self.state.record.line_conditions.entry(self.state.site.at);
        let conditions = of_site.or_insert_with(|| LineConditions {
            first: condition.id(),
            last: Vec::new(),
        });
        conditions.last.push(guard);
    }

    /// Makes the conditions of the lines of a block the guards of the names that are bound where these conditions decide.
    pub(super) fn guard_names(&mut self) {
        for (at, conditions) in std::mem::take(&mut self.state.record.line_conditions) {
            let decided = &self.state.code[decided_by_jump(self.state.code, at)];
            let targets = decided.iter().flat_map(|it| match &it.code {
                Code::Bind(targets) => &targets[..],
                Code::SetItem(target) => std::slice::from_ref(target),
                _ => &[],
            });
            let values = targets.filter_map(|target| match target {
                Variable::Name(name) => self.session.find(name),
                Variable::Local(_) => None,
            });
            // An older node, which now has one more name, is not decided by the condition.
            let is_new = |it: &&Rc<Node>| it.varies() && it.id() > conditions.first;
            let new = values.flat_map(Value::nodes).filter(is_new);
            let nodes = new.map(Rc::downgrade).collect();
            let place = (self.state.text, self.state.code[at].span);
            let guards = StatementGuards::of_place(conditions.last, place);
            self.session.program_mut().add_guarded(nodes, guards);
        }
    }

    /// Takes the numbers that were read since the last call.
    pub(super) fn take_read(&mut self) -> Vec<Guard> {
        self.state.record.read_before_append = 0;
        std::mem::take(&mut self.state.record.read)
    }
}

/// The instructions that a conditional jump decides: those up to its end, and up to the ends of all jumps among these. A
/// `break` or `continue` therefore adds the loop around it.
fn decided_by_jump(code: &[Instruction], at: usize) -> Range<usize> {
    let mut decided = at..at + 1;
    loop {
        let ends = code[decided.clone()]
            .iter()
            .filter_map(|it| it.code.jump_end());
        let wider = ends.fold(decided.clone(), |range, end| {
            range.start.min(end)..range.end.max(end)
        });
        if wider == decided {
            return decided;
        }
        decided = wider;
    }
}

/// The number of a node that decides in this way.
pub fn guarded_number(session: &dyn Environment, node: &Rc<Node>, kind: GuardKind) -> f64 {
    match kind {
        GuardKind::Sigma => session.deviation(node),
        _ => node.data(),
    }
}
