//! Keeps the entries that can be answered again, and answers them again: while a slider moves, or as if leaves had other
//! numbers.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::entry::Entry;
use super::live_entry::{ImplicitInputs, LiveEntry};
use super::request::Request;
use super::{Server, StateBefore};
use crate::command::CommandTrait;
use crate::shell::script::job::LineOrigin;
use crate::shell::{RunEnd, RunResult};
use chainrule_engine::graph::Node;
use chainrule_program::values::Value;
use chainrule_report::diagnostic::{Diagnostic, Result};
use chainrule_session::{Session, Setting, TrialOf, Widths};

/// The leaves that entries follow.
pub(crate) struct FollowedLeaves {
    leaves: Vec<Rc<Node>>,
    /// The numbers that the leaves are tried with; empty if they have moved.
    settings: Vec<Setting>,
}

impl FollowedLeaves {
    /// Takes the leaves that have `moved`, and those that are tried `as` if they had other numbers.
    pub(crate) fn of(session: &Session, request: &mut Request) -> Result<FollowedLeaves> {
        let leaf = |name: &String| find_leaf(session, name);
        let moved: Vec<String> = request.take("moved")?;
        let mut leaves: Vec<Rc<Node>> = moved.iter().filter_map(leaf).collect();
        let mut settings = Vec::new();
        for (name, data) in request.take::<BTreeMap<String, f64>>("as")? {
            let Some(leaf) = leaf(&name) else {
                let message = format!("`as` gives a leaf a number, and `{name}` is no leaf");
                return Err(Diagnostic::new(message).help("as in `\"as\": {\"a\": 2.5}`"));
            };
            leaves.push(Rc::clone(&leaf));
            settings.push(Setting { leaf, data });
        }
        Ok(FollowedLeaves { leaves, settings })
    }

    /// Whether an entry depends on one of them. An entry whose answer is one of before may depend on others that have moved.
    pub(crate) fn move_entry(&self, entry: &LiveEntry) -> bool {
        let is_before = !self.is_trial() && !entry.standing.reason.is_empty();
        is_before || self.leaves.iter().any(|leaf| entry.depends_on(leaf))
    }

    /// Whether the leaves are only tried.
    pub(crate) fn is_trial(&self) -> bool {
        !self.settings.is_empty()
    }
}

/// The leaf of this name, as in `a` or, in a list, `w[0]`.
fn find_leaf(session: &Session, name: &str) -> Option<Rc<Node>> {
    let mut parts = name.split('[');
    let named = session.names().find(parts.next()?)?.clone();
    let item_of = |value: Value, part: &str| {
        let position = part.strip_suffix(']')?.parse().ok()?;
        value.list()?.item(position)
    };
    let value = parts.try_fold(named, item_of)?;
    value.node().filter(|node| node.is_leaf()).cloned()
}

impl Server {
    /// The state before an entry. Begins to record the targets that the entry takes.
    pub(crate) fn state_before(&mut self) -> StateBefore {
        let is_of_lesson = self.runner.lesson().runs_apart();
        let session = self.runner.session_mut();
        session.replay.targets_taken = Some(Vec::new());
        StateBefore {
            result_count: session.results().count(),
            pass: session.pass().map(|pass| Rc::downgrade(pass.root())),
            is_of_lesson,
            notes_given: *session.notes_given_mut(),
            newest_node: session.newest_id(),
        }
    }

    /// Notes an entry, and returns its number. Returns `None` if it does more than to answer, or if its inputs cannot be
    /// named. An error is noted if it depends on leaves, and is one of before when they have moved.
    pub(crate) fn note_entry(
        &mut self,
        entry: &Entry,
        before: &StateBefore,
        has_failed: bool,
    ) -> Option<usize> {
        let is_record = has_failed || entry.is_only(CommandTrait::ARecord);
        if entry.text.trim().is_empty() || !(is_record || entry.only_answers()) {
            return None;
        }
        let session = self.runner.session();
        let inputs = ImplicitInputs::of(session, entry, before.pass.as_ref());
        let implicit = inputs.or_else(|| has_failed.then(ImplicitInputs::default))?;
        let is_of_lesson = self.runner.lesson().runs_apart();
        let results = before.result_count + 1..session.results().count() + 1;
        let mut live = LiveEntry::of(session, is_of_lesson, entry.clone(), results, implicit);
        live.notes_given = Some(before.notes_given);
        // It is not answered again, but shows the numbers of its leaves.
        live.is_record = is_record;
        if has_failed && live.leaves.is_empty() {
            return None;
        }
        self.entries.push(live);
        Some(self.entries.len() - 1)
    }

    /// Answers an entry again in a trial, whose end restores the session. Writes nothing if the entry depends on none of the
    /// leaves, if one of its inputs is gone or means something else, or if a statement fails.
    pub(crate) fn answer_again(&mut self, entry: usize, followed: &FollowedLeaves) -> RunResult {
        let session = self.runner.session_mut();
        let Some(live) = self.entries.get(entry) else {
            return Ok(());
        };
        let gone = live.gone_names(session).next();
        if !followed.move_entry(live) || gone.is_some() || !live.holds(session) {
            return Ok(());
        }
        session.begin_trial(TrialOf::Lines);
        if let Some(notes_given) = live.notes_given {
            *session.notes_given_mut() = notes_given;
        }
        if followed.is_trial() {
            session.set(&followed.settings, Widths::new(), |_, _| {});
            session.repeat_pass();
        }
        let inputs = live.implicit.restore(&live.entry, session);
        session.replay.results = Some(live.results.clone());
        let text = inputs.map(|()| live.entry.text.clone());
        let ran = text.map_or(Ok(false), |text| self.run_alone(&text));
        self.runner.session_mut().replay.results = None;
        self.runner.session_mut().end_trial(None);
        if ran == Ok(true) && !followed.is_trial() {
            self.entries[entry].note_answer();
        }
        ran.map(|_| ())
    }

    /// Runs statements, and returns whether they succeed. If one of them fails, nothing of them is shown.
    pub(super) fn run_alone(&mut self, text: &str) -> RunResult<bool> {
        let host = Rc::clone(self.runner.host());
        host.output.borrow_mut().hold();
        let ran = self.runner.run_text(LineOrigin::prompt(), text);
        host.output.borrow_mut().release(ran.is_ok())?;
        match ran {
            Err(RunEnd::Failed) => Ok(false),
            ran => ran.map(|()| true),
        }
    }
}
