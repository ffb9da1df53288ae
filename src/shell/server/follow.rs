//! Keeps the entries that can be answered again, and answers them again: while a slider moves, or as if leaves had other
//! numbers.

use std::rc::Rc;

use super::entry_text::only_answers;
use super::live_entry::{ImplicitInputs, LiveEntry};
use super::{Server, StateBefore};
use crate::shell::script;
use crate::shell::script::job::LineOrigin;
use crate::shell::script::lines::Lines;
use chainrule_engine::graph::Node;
use chainrule_report::diagnostic::{Diagnostic, Result};
use chainrule_session::{Setting, TrialOf, Widths};
use chainrule_view::read_json::Json;

impl Server {
    /// The state before an entry. Begins to record the targets that the entry takes.
    pub(crate) fn state_before(&mut self) -> StateBefore {
        let is_of_lesson = self.runner.lesson().runs_apart();
        let session = self.runner.session_mut();
        session.show.targets_taken = Some(Vec::new());
        StateBefore {
            result_count: session.results().range().map_or(0, |(_, last)| last),
            pass: session.pass().map(|pass| Rc::downgrade(pass.root())),
            is_of_lesson,
            notes_given: *session.notes_given_mut(),
        }
    }

    /// Notes an entry of an earlier session, so that it is answered again, and returns its new number. `record` has its
    /// target on the first line, its pass on the second, and then its text. An entry whose session is gone gets a number,
    /// too, but is not answered again.
    pub(crate) fn renew(
        &mut self,
        record: &str,
        results_before: u64,
        is_outdated: bool,
        is_of_lesson: bool,
    ) -> usize {
        let mut parts = record.splitn(3, '\n');
        let mut next = || parts.next().unwrap_or_default();
        let [target, pass, text] = [next(), next(), next()];
        let non_empty = |word: &str| (!word.is_empty()).then(|| word.to_owned());
        let implicit = ImplicitInputs {
            target: non_empty(target),
            pass: non_empty(pass),
        };
        let session = self.runner.session_of(is_of_lesson);
        let mut entry =
            session.map(|it| LiveEntry::of(it, is_of_lesson, text, results_before, implicit));
        if let Some(live) = &mut entry {
            live.has_earlier_answer = is_outdated;
        }
        self.entries.push(entry);
        self.entries.len() - 1
    }

    /// Notes an entry that has been answered, and returns its number. Returns `None` if it cannot be answered again: it
    /// has failed, it does more than to answer, or its inputs cannot be named.
    pub(crate) fn note_entry(
        &mut self,
        text: &str,
        before: &StateBefore,
        has_failed: bool,
    ) -> Option<usize> {
        if text.trim().is_empty() || has_failed || !only_answers(text) {
            return None;
        }
        let session = self.runner.session();
        let implicit = ImplicitInputs::of(session, text, before.pass.as_ref())?;
        let is_of_lesson = self.runner.lesson().runs_apart();
        let mut entry = LiveEntry::of(session, is_of_lesson, text, before.result_count, implicit);
        entry.notes_given = Some(before.notes_given);
        self.entries.push(Some(entry));
        Some(self.entries.len() - 1)
    }

    /// Forgets the entries whose meaning has changed, and returns their numbers.
    pub(crate) fn end_entries(&mut self) -> Vec<usize> {
        let runner = &self.runner;
        let has_ended = |entry: &LiveEntry| {
            let session = runner.session_of(entry.is_of_lesson);
            session.is_none_or(|session| !entry.holds(session))
        };
        let mut ended = Vec::new();
        for (number, entry) in self.entries.iter_mut().enumerate() {
            if entry.as_ref().is_some_and(has_ended) {
                *entry = None;
                ended.push(number);
            }
        }
        ended
    }

    /// Answers an entry again with the present numbers of the leaves. Returns `false` if the entry does not depend on
    /// `leaf`, if one of its inputs is gone, or if a statement fails.
    pub(crate) fn answer_now(&mut self, entry: usize, leaves: &[Rc<Node>]) -> bool {
        let is_answered = self.answer_again(entry, leaves, &[]);
        if let Some(Some(live)) = self.entries.get_mut(entry)
            && is_answered
        {
            live.note_answer();
        }
        is_answered
    }

    /// The leaves with these names that are bound.
    pub(crate) fn leaves_named<'n>(&self, names: impl Iterator<Item = &'n str>) -> Vec<Rc<Node>> {
        let known = self.runner.session().names();
        let leaves = names.filter_map(|name| known.find_node(name));
        leaves
            .filter(|node| node.is_leaf())
            .map(Rc::clone)
            .collect()
    }

    /// The settings of leaves for which entries are tried.
    pub(crate) fn settings_of(&self, tried: &[(String, Json)]) -> Result<Vec<Setting>> {
        let settings = tried.iter().map(|(name, value)| {
            let leaf = self.leaves_named(std::iter::once(&**name)).pop();
            if let (Some(leaf), Json::Number(data)) = (leaf, value) {
                return Ok(Setting { leaf, data: *data });
            }
            let message = format!("`as` gives a leaf a number, and `{name}` is none");
            Err(Diagnostic::new(message).help("as in `\"as\": {\"a\": 2.5}`"))
        });
        settings.collect()
    }

    /// Answers an entry that depends on one of these leaves, in a trial with these settings. The end of the trial restores
    /// the session. Writes nothing and returns `false` if the entry depends on none of the leaves, if one of its inputs is
    /// gone, or if a statement fails.
    pub(crate) fn answer_again(
        &mut self,
        entry: usize,
        leaves: &[Rc<Node>],
        settings: &[Setting],
    ) -> bool {
        let session = self.runner.session_mut();
        let Some(Some(live)) = self.entries.get(entry) else {
            return false;
        };
        if live.is_gone(session) || !leaves.iter().any(|leaf| live.depends_on(leaf)) {
            return false;
        }
        session.begin_trial(TrialOf::Lines);
        if let Some(notes_given) = live.notes_given {
            *session.notes_given_mut() = notes_given;
        }
        if !settings.is_empty() {
            session.set(settings, Widths::new(), |_, _| {});
            session.repeat_pass();
        }
        let has_inputs = live.implicit.restore(&live.text, session).is_some();
        session.show.replay_after = Some(live.results_before);
        let text = live.text.clone();
        let has_run = has_inputs && self.run_alone(&text);
        self.runner.session_mut().show.replay_after = None;
        self.runner.session_mut().end_trial(None);
        has_run
    }

    /// Runs statements. If one of them fails, nothing of them is shown.
    pub(super) fn run_alone(&mut self, text: &str) -> bool {
        self.runner.host().output.borrow_mut().hold();
        let mut lines = Lines::of(text.as_bytes(), 1);
        let has_run = script::read(&mut self.runner, LineOrigin::prompt(), &mut lines).is_ok();
        self.runner.host().output.borrow_mut().release(has_run);
        has_run
    }
}
