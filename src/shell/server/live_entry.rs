//! An entry that can be answered again after leaves have moved: notes its inputs, and finds out whether they have changed.
//!
//! An answer is a record: it was true when it was given. It is computed again only while its inputs are the same: the
//! values of its names, the functions that it calls, the target that it took, and the pass that it shows. The server keeps a
//! [`LiveEntry`] for each entry that can be answered again.

use std::collections::BTreeSet;
use std::mem::replace;
use std::ops::Range;
use std::rc::{Rc, Weak};

use super::entry::Entry;
use crate::command::CommandTrait;
use chainrule_engine::graph::{Node, Order};
use chainrule_program::functions::Function;
use chainrule_program::values::{Value, WeakValue};
use chainrule_program::{ANSWERS, Environment as _};
use chainrule_session::{NotesGiven, Session};
use chainrule_view::number;

/// The digits of a number in a reason, as in answers.
const DIGITS: u8 = 6;
/// A reason names at most this many names and leaves.
const MOST_REASONS: usize = 3;

/// An entry that can be answered again.
///
/// An entry ends when one of its names, or the number of one of its results, is given to something else. Its answer is
/// outdated while a leaf has another number or a name is gone, and `:undo` can make it current again.
pub(crate) struct LiveEntry {
    pub(crate) entry: Entry,
    /// The entry belongs to the session of a lesson, not to the user's own.
    pub(crate) is_of_lesson: bool,
    /// The numbers of its own results.
    pub(crate) results: Range<u64>,
    /// The notes that the session had given before it; `None` if the entry is of an earlier session.
    pub(crate) notes_given: Option<NotesGiven>,
    pub(crate) implicit: ImplicitInputs,
    /// The number of names, if the entry shows all of them.
    name_count: Option<usize>,
    bindings: Vec<NamedBinding>,
    /// The leaves below the entry.
    pub(super) leaves: Vec<NotedLeaf>,
    /// Why the answer of an earlier session was outdated; empty if it was not.
    pub(crate) earlier_reason: String,
    /// The entry is not answered again.
    pub(crate) is_record: bool,
    /// The standing that was told last.
    pub(crate) standing: Standing,
}

/// Whether an answer is what the session would answer now.
#[derive(Clone, Default, PartialEq, Eq)]
pub(crate) struct Standing {
    /// The entry is not answered again.
    pub(crate) has_ended: bool,
    /// Why the answer is one of before, such as `a was 2`; empty if it is not.
    pub(crate) reason: String,
}

/// The value and the function of a name when an entry was answered.
struct NamedBinding {
    name: String,
    value: Option<WeakValue>,
    function: Option<Rc<Function>>,
}

/// A leaf below an entry, and its number when the entry was answered.
pub(super) struct NotedLeaf {
    leaf: Weak<Node>,
    data: f64,
}

impl NamedBinding {
    fn of(session: &Session, name: &str) -> NamedBinding {
        NamedBinding {
            name: name.to_owned(),
            value: value_of(session, name).map(|value| value.downgrade()),
            function: session.functions().get(name).cloned(),
        }
    }

    /// Has the name another value or function now? A name that is gone does not count: `:undo` may bring it back.
    fn is_rebound(&self, session: &Session) -> bool {
        let old_value = self.value.as_ref().and_then(WeakValue::upgrade);
        let is_new_value = |now: Value| old_value.is_none_or(|old| !old.is(&now));
        let old_function = self.function.as_ref();
        let is_new_function =
            |now: &Rc<Function>| old_function.is_none_or(|old| !Rc::ptr_eq(old, now));
        value_of(session, &self.name).is_some_and(is_new_value)
            || (session.functions().get(&self.name)).is_some_and(is_new_function)
    }

    fn is_gone(&self, session: &Session) -> bool {
        let has_value = match self.name.strip_prefix('$') {
            // An old result that is not kept any more is not gone: no other value gets its number.
            Some(number) => number
                .parse()
                .is_ok_and(|it| session.results().count() >= it),
            None => session.names().find(&self.name).is_some(),
        };
        let has_function = session.functions().get(&self.name).is_some();
        self.value.is_some() && !has_value || self.function.is_some() && !has_function
    }
}

impl LiveEntry {
    /// Notes an entry with the present values of its names. The caller sets `notes_given` if this session answered it.
    pub(crate) fn of(
        session: &Session,
        is_of_lesson: bool,
        entry: Entry,
        results: Range<u64>,
        implicit: ImplicitInputs,
    ) -> LiveEntry {
        let mut words = words_of(session, &entry);
        // A word such as `_` uses the last result before the entry.
        let uses_last = ANSWERS.iter().any(|word| words.contains(*word));
        let first = results.start - u64::from(uses_last);
        words.extend((first..results.end).map(|number| format!("${number}")));
        words.extend(implicit.target.iter().chain(&implicit.pass).cloned());
        let shows_all = entry.has(CommandTrait::ShowsAllNames);
        let all_names = session.names().bound_values();
        if shows_all {
            words.extend(all_names.clone().map(|(name, _)| name.to_owned()));
        }
        let bindings = words.iter().map(|word| NamedBinding::of(session, word));
        LiveEntry {
            entry,
            is_of_lesson,
            results,
            notes_given: None,
            implicit,
            name_count: shows_all.then(|| all_names.count()),
            bindings: bindings.collect(),
            leaves: noted_leaves(session, &words),
            earlier_reason: String::new(),
            is_record: false,
            standing: Standing::default(),
        }
    }

    /// Does the entry mean the same as when it was answered? Names may be gone, so there may be fewer names than then.
    pub(crate) fn holds(&self, session: &Session) -> bool {
        let count = || session.names().bound_values().count();
        let mut bindings = self.bindings.iter();
        !self.is_record
            && self.name_count.is_none_or(|before| count() <= before)
            && !bindings.any(|binding| binding.is_rebound(session))
    }

    /// The names and results of the entry that are gone.
    pub(crate) fn gone_names(&self, session: &Session) -> impl Iterator<Item = &str> {
        let gone = self.bindings.iter().filter(|it| it.is_gone(session));
        gone.map(|it| &*it.name)
    }

    /// Whether the answer is what `session` would answer now, if that is another standing than the one that was told last.
    /// An entry that has ended does not begin again, and keeps the reason that it had.
    pub(crate) fn take_standing(&mut self, session: Option<&Session>) -> Option<&Standing> {
        let held = session.filter(|it| !self.standing.has_ended && self.holds(it));
        let has_ended = held.is_none();
        let mut reason = session.map_or(String::new(), |it| self.reason_in(it, !has_ended));
        if has_ended && !self.standing.has_ended && reason.is_empty() {
            self.earlier_reason.clone_from(&self.standing.reason);
        }
        if !self.earlier_reason.is_empty() {
            reason.clone_from(&self.earlier_reason);
        }
        let before = replace(&mut self.standing, Standing { has_ended, reason });
        (before != self.standing).then_some(&self.standing)
    }

    /// Why the answer would be different now: a leaf below the entry has another number, or a name is gone.
    fn reason_in(&self, session: &Session, can_be_answered: bool) -> String {
        let was = |below: &NotedLeaf| {
            let has_moved = |leaf: &Rc<Node>| leaf.data().to_bits() != below.data.to_bits();
            let leaf = below.leaf.upgrade().filter(has_moved)?;
            let name = session.names().texts_of_node(&leaf).next();
            let words = name.as_deref().unwrap_or("a leaf");
            let number = number::text(below.data, DIGITS);
            Some(format!("{words} was {number}"))
        };
        let gone = self.gone_names(session).filter(|_| can_be_answered);
        let reasons = gone.map(|name| format!("{name} is gone"));
        let mut reasons: Vec<String> = reasons
            .chain(self.leaves.iter().filter_map(was))
            .take(MOST_REASONS + 1)
            .collect();
        if reasons.len() > MOST_REASONS {
            "…".clone_into(&mut reasons[MOST_REASONS]);
        }
        reasons.join(", ")
    }

    /// Does the entry depend on this leaf?
    pub(crate) fn depends_on(&self, leaf: &Rc<Node>) -> bool {
        self.leaves
            .iter()
            .any(|below| below.leaf.as_ptr() == Rc::as_ptr(leaf))
    }

    /// Is the name in the entry, in a function that it calls, or among its implicit inputs? An entry that
    /// shows all names has each of them.
    pub(crate) fn has_name(&self, name: &str) -> bool {
        self.bindings.iter().any(|binding| binding.name == name)
    }

    /// Notes that the entry was answered with the present numbers of its leaves.
    pub(crate) fn note_answer(&mut self) {
        self.earlier_reason.clear();
        for below in &mut self.leaves {
            if let Some(leaf) = below.leaf.upgrade() {
                below.data = leaf.data();
            }
        }
    }
}

/// The leaves below the values of these names and results.
fn noted_leaves(session: &Session, words: &BTreeSet<String>) -> Vec<NotedLeaf> {
    let found = words.iter().filter_map(|word| value_of(session, word));
    let values: Vec<Value> = found.collect();
    let order = Order::below(values.iter().flat_map(Value::nodes));
    let leaves = order.nodes().iter().filter(|node| node.is_leaf());
    let noted = leaves.map(|node| NotedLeaf {
        leaf: Rc::downgrade(node),
        data: node.data(),
    });
    noted.collect()
}

/// The names and results in an entry, and those in the functions that it calls.
fn words_of(session: &Session, entry: &Entry) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let statements = entry.statements.iter();
    let mut waiting: Vec<String> = statements
        .flat_map(|it| it.bound.iter().chain(&it.read).cloned())
        .collect();
    while let Some(word) = waiting.pop() {
        if !found.insert(word.clone()) {
            continue;
        }
        // A derivative such as `dL/da` uses L and a.
        if let Some(side) = word.strip_prefix(['d', '∂'])
            && value_of(session, &word).is_none()
            && !session.is_function(&word)
        {
            waiting.push(side.to_owned());
        }
        let mut functions: Vec<_> = session.functions().get(&word).into_iter().collect();
        while let Some(function) = functions.pop() {
            let used = function.names().chain(function.called());
            waiting.extend(used.map(str::to_owned));
            functions.extend(function.lambdas());
        }
    }
    found
}

/// The inputs of an entry that its text does not name. Each is a name or a result, such as `$3`.
#[derive(Clone, Default)]
pub(crate) struct ImplicitInputs {
    /// The target that the entry took.
    pub(crate) target: Option<String>,
    /// The root of the pass that the entry shows.
    pub(crate) pass: Option<String>,
}

impl ImplicitInputs {
    /// The implicit inputs of an entry. `pass` is the root of the last pass before it. Returns `None` if an
    /// input has neither a name nor a result.
    pub(crate) fn of(
        session: &Session,
        entry: &Entry,
        pass: Option<&Weak<Node>>,
    ) -> Option<ImplicitInputs> {
        let mut implicit = ImplicitInputs::default();
        let targets = session.replay.targets_taken.iter().flatten();
        let targets: Vec<Rc<Node>> = targets.map(Weak::upgrade).collect::<Option<_>>()?;
        if let Some((target, others)) = targets.split_first() {
            if others.iter().any(|other| !Rc::ptr_eq(other, target)) {
                return None;
            }
            implicit.target = Some(word_for(session, target)?);
        }
        if let Some(root) = pass.filter(|_| entry.has(CommandTrait::ShowsThePass)) {
            implicit.pass = Some(word_for(session, &root.upgrade()?)?);
        }
        Some(implicit)
    }

    /// Brings the inputs back before an entry is answered again. Returns `None` if one is gone.
    pub(crate) fn restore(&self, entry: &Entry, session: &mut Session) -> Option<()> {
        match &self.pass {
            Some(root) => {
                let node = node_of(session, root)?;
                let last = session.pass().map(|pass| pass.root());
                if !last.is_some_and(|it| Rc::ptr_eq(it, &node)) {
                    session.backward(&node);
                }
            }
            None if entry.has(CommandTrait::ShowsThePass) => session.forget_pass(),
            None => {}
        }
        if let Some(target) = &self.target {
            let node = node_of(session, target)?;
            session.aim_at(&node, target);
        }
        Some(())
    }
}

/// The name of a node, or its number as a result.
pub(crate) fn word_for(session: &Session, node: &Rc<Node>) -> Option<String> {
    if let Some(name) = session.names().plain_of(node).next() {
        return Some(name.to_owned());
    }
    let is_this_node = |value: &Value| value.node().is_some_and(|it| Rc::ptr_eq(it, node));
    let mut results = session.results().iter_numbered();
    let (number, _) = results.find(|(_, value)| is_this_node(value))?;
    Some(format!("${number}"))
}

/// The value of a name, or of a result such as `$3`.
fn value_of(session: &Session, word: &str) -> Option<Value> {
    match word.strip_prefix('$') {
        Some(number) => session.results().get(number.parse().ok()?),
        None => session.names().find(word).cloned(),
    }
}

fn node_of(session: &Session, word: &str) -> Option<Rc<Node>> {
    value_of(session, word)?.node().cloned()
}
