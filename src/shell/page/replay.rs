//! Keeps the entries that can be answered again, and answers them again: while a slider moves, or as if leaves had other
//! numbers.

use std::rc::Rc;

use super::Page;
use super::answer::StateBefore;
use super::entry_text::only_answers;
use super::live_entry::{ImplicitInputs, LiveEntry};
use crate::shell::script;
use crate::shell::script::job::LineOrigin;
use crate::shell::script::lines::Lines;
use chainrule_engine::graph::Node;
use chainrule_report::Fact;
use chainrule_session::{Setting, TrialOf, Widths};
use chainrule_view::Movement;

impl Page {
    /// Notes an entry of an earlier session, so that it is answered again, and returns its new number. `record` has its
    /// target on the first line, its pass on the second, and then its text. An entry whose session is gone gets a number,
    /// too, but is not answered again.
    pub fn renew(
        &mut self,
        record: &str,
        results_before: u64,
        is_outdated: bool,
        is_of_lesson: bool,
    ) -> String {
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
        (self.entries.len() - 1).to_string()
    }

    /// Notes an entry that has been answered, and returns its number. Returns `None` if it cannot be answered again: it
    /// has failed, it does more than to answer, or its inputs cannot be named.
    pub(super) fn note_entry(
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
    pub(super) fn end_entries(&mut self) -> Vec<Fact> {
        let runner = &self.runner;
        let has_ended = |entry: &LiveEntry| {
            let session = runner.session_of(entry.is_of_lesson);
            session.is_none_or(|session| !entry.holds(session))
        };
        let mut ended = Vec::new();
        for (number, entry) in self.entries.iter_mut().enumerate() {
            if entry.as_ref().is_some_and(has_ended) {
                *entry = None;
                ended.push(Fact::Count(number as u64));
            }
        }
        ended
    }

    /// The numbers of the entries whose answers would be different now.
    pub(super) fn outdated_entries(&self) -> Vec<Fact> {
        let is_outdated = |entry: &LiveEntry| {
            let session = self.runner.session_of(entry.is_of_lesson);
            session.is_some_and(|session| entry.is_outdated(session))
        };
        let entries = self.entries.iter().zip(0..);
        let outdated = entries.filter(|(entry, _)| entry.as_ref().is_some_and(is_outdated));
        outdated.map(|(_, number)| Fact::Count(number)).collect()
    }

    /// Answers an entry again with the present numbers of the leaves. Returns an empty text if the entry does not depend on
    /// `leaf`, if one of its inputs is gone, or if a statement fails.
    pub fn answer_now(&mut self, entry: usize, leaf: &str) -> String {
        let moved_leaf = self.runner.session().names().find_node(leaf).cloned();
        let answer = self.answer_again(entry, moved_leaf.as_slice(), &[]);
        if let Some(Some(live)) = self.entries.get_mut(entry)
            && !answer.is_empty()
        {
            live.note_answer();
        }
        answer
    }

    /// Answers an entry as if the leaves in `settings` were set, such as `a 2, b 3`, and takes the settings back.
    /// Returns an empty text if the entry depends on none of these leaves, if one of its inputs is gone, or if a
    /// statement fails. A curve keeps the ends of its axis in `axis`.
    pub fn try_out(&mut self, entry: usize, settings: &str, axis: Option<(f64, f64)>) -> String {
        let names = self.runner.session().names();
        let parse_setting = |text: &str| {
            let (name, number) = text.split_once(' ')?;
            let leaf = Rc::clone(names.find_node(name)?);
            let data = number.parse().ok()?;
            Some(Setting { leaf, data })
        };
        let trial: Vec<Setting> = settings.split(", ").filter_map(parse_setting).collect();
        let leaves: Vec<_> = trial.iter().map(|it| Rc::clone(&it.leaf)).collect();
        self.runner.session_mut().show.axis = axis;
        self.runner.set_movement(Movement::Going);
        let answer = self.answer_again(entry, &leaves, &trial);
        self.runner.set_movement(Movement::Possible);
        self.runner.session_mut().show.axis = None;
        answer
    }

    /// Answers an entry that depends on one of these leaves in a trial with these settings. The end of the trial restores
    /// the session.
    fn answer_again(&mut self, entry: usize, leaves: &[Rc<Node>], settings: &[Setting]) -> String {
        let session = self.runner.session_mut();
        let Some(Some(live)) = self.entries.get(entry) else {
            return String::new();
        };
        if live.is_gone(session) || !leaves.iter().any(|leaf| live.depends_on(leaf)) {
            return String::new();
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
        let has_run = has_inputs && {
            let mut lines = Lines::of(live.text.as_bytes(), 1);
            script::read(&mut self.runner, LineOrigin::prompt(), &mut lines).is_ok()
        };
        self.runner.session_mut().show.replay_after = None;
        self.runner.session_mut().end_trial(None);
        let written = self.take_part();
        if has_run { written } else { String::new() }
    }
}
