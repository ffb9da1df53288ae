//! What the page notes of an entry, so that it is answered again while a slider moves, and only as it was meant.
//!
//! An answer is a record: it says what was so when it was given. It is computed again as long as what the entry is about is
//! the same: the values of its names, the functions that it calls, the target that it took, and the pass that it shows.

use std::collections::{BTreeSet, HashSet};
use std::rc::{Rc, Weak};

use crate::commands::{self, Command};
use crate::interpret::is_answered_again;
use crate::session::values::{Value, WeakValue};
use crate::session::{ANSWERS, Function, NotesGiven, Session};
use crate::shell::script::chunk::chunks;
use chainrule_engine::graph::{Node, Order};
use chainrule_language::{self as language, Statement, StatementSpan, Step, StepKind, TextPart};

/// A longer entry is not answered again while a slider moves.
const MOST_STATEMENTS: usize = 200;

/// An entry that can be answered again.
pub(super) struct LiveEntry {
    pub(super) text: String,
    /// Whether it is about the session of a lesson, and not about the user's own.
    pub(super) is_of_lesson: bool,
    /// How many results there were before it.
    pub(super) counted: u64,
    /// The notes that the session had given before it, unless it is of an earlier session.
    pub(super) notes_given: Option<NotesGiven>,
    pub(super) outlook: Outlook,
    /// How many names there were, if it shows all.
    names: Option<usize>,
    bindings: Vec<NamedBinding>,
    leaves: Vec<NotedLeaf>,
    /// Whether it was answered in an earlier session, with numbers that leaves no longer have.
    is_earlier: bool,
}

/// What an entry looks at without saying so, each by its name or as a result.
#[derive(Clone, Default)]
pub(super) struct Outlook {
    /// The target that it took.
    pub(super) target: Option<String>,
    /// The root of the pass that it shows.
    pub(super) pass: Option<String>,
}

/// What a name stood for.
struct NamedBinding {
    name: String,
    value: Option<WeakValue>,
    function: Option<Rc<Function>>,
}

/// A leaf below an entry, and its number when the entry was answered.
struct NotedLeaf {
    leaf: Weak<Node>,
    data: f64,
}

/// The statements of a text, which may have several lines.
pub(super) fn statements(text: &str) -> Vec<String> {
    let (chunks, _) = chunks(text);
    let cuts = chunks.iter().flat_map(|chunk| {
        let cuts = language::statements(&chunk.text).flatten();
        cuts.map(move |cut| cut.span.of(&chunk.text).to_owned())
    });
    cuts.collect()
}

/// The commands in a text, by their full names.
pub(super) fn commands_in(text: &str) -> Vec<&'static str> {
    let all = statements(text).into_iter();
    let with_command = all.filter(|statement| language::begins_command(statement));
    let commands = with_command.filter_map(|statement| command_of(&read(&statement)?));
    commands.map(|command| command.name).collect()
}

/// Does a text only answer with numbers, so that it can do so again? A definition has none. A loop may move leaves.
pub(super) fn only_answers(text: &str) -> bool {
    let statements = statements(text);
    let mut has_answer = false;
    for statement in statements.iter().filter_map(|statement| read(statement)) {
        match &statement {
            Statement::Command(_) if !command_of(&statement).is_some_and(is_answered_again) => {
                return false;
            }
            Statement::Block(steps) if !steps.iter().all(defines) => return false,
            Statement::Step(step) if !matches!(step, StepKind::Print { .. }) => return false,
            Statement::Command(_) | Statement::Binding(_) | Statement::Expression(_) => {
                has_answer = true;
            }
            Statement::Empty | Statement::Step(_) | Statement::Block(_) => {}
        }
    }
    has_answer && statements.len() <= MOST_STATEMENTS
}

fn defines(step: &Step) -> bool {
    matches!(step.kind, StepKind::Define(_))
}

fn read(statement: &str) -> Option<Statement<'_>> {
    language::statement(statement, &StatementSpan::whole(statement)).ok()
}

fn command_of(statement: &Statement) -> Option<&'static Command> {
    match statement {
        Statement::Command(command) => commands::find(command.word).ok(),
        _ => None,
    }
}

/// Does a text show the last pass?
fn shows_pass(text: &str) -> bool {
    let commands = commands_in(text);
    commands.iter().any(|name| ["graph", "vars"].contains(name))
}

impl Outlook {
    /// What an entry with this text has looked at, before which the last pass was from this root. Nothing if that has
    /// no word.
    pub(super) fn of(session: &Session, text: &str, pass: Option<&Weak<Node>>) -> Option<Outlook> {
        let mut outlook = Outlook::default();
        let taken = session.show.targets_taken.iter().flatten();
        let taken: Option<Vec<Rc<Node>>> = taken.map(Weak::upgrade).collect();
        if let Some((target, others)) = taken?.split_first() {
            if others.iter().any(|other| !Rc::ptr_eq(other, target)) {
                return None;
            }
            outlook.target = Some(word_for(session, target)?);
        }
        if let Some(root) = pass.filter(|_| shows_pass(text)) {
            outlook.pass = Some(word_for(session, &root.upgrade()?)?);
        }
        Some(outlook)
    }

    /// Lets an entry with this text look at it again. Says no if it is gone.
    pub(super) fn restore(&self, text: &str, session: &mut Session) -> bool {
        if shows_pass(text) && !restore_pass(self.pass.as_deref(), session) {
            return false;
        }
        let Some(word) = &self.target else {
            return true;
        };
        let found = node_of(session, word);
        if let Some(node) = &found {
            session.aim_at(node, word);
        }
        found.is_some()
    }
}

fn restore_pass(word: Option<&str>, session: &mut Session) -> bool {
    let Some(word) = word else {
        session.forget_pass();
        return true;
    };
    let Some(root) = node_of(session, word) else {
        return false;
    };
    let last = session.pass().map(|pass| Rc::clone(pass.root()));
    if last.is_none_or(|last| !Rc::ptr_eq(&last, &root)) {
        session.backward(&root);
    }
    true
}

/// The name of a node, or its number as a result.
pub(super) fn word_for(session: &Session, node: &Rc<Node>) -> Option<String> {
    if let Some(name) = session.names().plain_of(node).next() {
        return Some(name.to_owned());
    }
    let is_it = |value: &Value| value.node().is_some_and(|it| Rc::ptr_eq(it, node));
    let mut results = session.results().iter_numbered();
    let (number, _) = results.find(|(_, value)| is_it(value))?;
    Some(format!("${number}"))
}

fn value_of(session: &Session, word: &str) -> Option<Value> {
    match word.strip_prefix('$') {
        Some(number) => session.results().get(number.parse().ok()?),
        None => session.names().find(word).cloned(),
    }
}

fn node_of(session: &Session, word: &str) -> Option<Rc<Node>> {
    value_of(session, word)?.node().cloned()
}

/// The names and results in a text, and those in the functions that it calls.
fn words_in(session: &Session, text: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut texts: Vec<Rc<str>> = vec![text.into()];
    while let Some(text) = texts.pop() {
        for (part, span) in language::parts(&text) {
            let word = span.of(&text);
            let is_word = matches!(part, TextPart::Name | TextPart::Reference);
            if !is_word || !found.insert(word.to_owned()) {
                continue;
            }
            if let Some(function) = session.functions().get(word) {
                let lines = function.lines.as_ref();
                texts.push(Rc::clone(lines.unwrap_or(&function.body)));
            }
        }
    }
    found
}

impl NamedBinding {
    fn of(session: &Session, name: &str) -> NamedBinding {
        NamedBinding {
            name: name.to_owned(),
            value: value_of(session, name).map(|value| value.downgrade()),
            function: session.functions().get(name).cloned(),
        }
    }

    /// Does the name stand for something else now? One that is gone may come back by `:undo`.
    fn is_bound_anew(&self, session: &Session) -> bool {
        let value = self.value.as_ref().and_then(WeakValue::upgrade);
        let is_other = |now: &Value| value.as_ref().is_none_or(|value| !value.is(now));
        let function = self.function.as_ref();
        let is_other_function =
            |now: &Rc<Function>| function.is_none_or(|function| !Rc::ptr_eq(function, now));
        value_of(session, &self.name).is_some_and(|now| is_other(&now))
            || (session.functions().get(&self.name)).is_some_and(is_other_function)
    }

    fn is_gone(&self, session: &Session) -> bool {
        let has_value = value_of(session, &self.name).is_some();
        let has_function = session.functions().get(&self.name).is_some();
        self.value.is_some() && !has_value || self.function.is_some() && !has_function
    }
}

impl NotedLeaf {
    /// Has the leaf another number now?
    fn has_moved(&self) -> bool {
        let now = self.leaf.upgrade();
        now.is_some_and(|leaf| leaf.data().to_bits() != self.data.to_bits())
    }
}

impl LiveEntry {
    /// Notes an entry that has been answered, of a lesson or the user's own. `counted` results were there before it.
    pub(super) fn of(
        session: &Session,
        is_of_lesson: bool,
        text: &str,
        counted: u64,
        outlook: Outlook,
    ) -> LiveEntry {
        let mut words = words_in(session, text);
        words.extend(outlook.target.iter().chain(&outlook.pass).cloned());
        let mut entry = LiveEntry {
            text: text.to_owned(),
            is_of_lesson,
            counted,
            notes_given: None,
            outlook,
            names: None,
            bindings: Vec::new(),
            leaves: Vec::new(),
            is_earlier: false,
        };
        if commands_in(text).contains(&"vars") {
            let names = session.names().bound_values();
            words.extend(names.map(|(name, _)| name.to_owned()));
            entry.names = Some(session.names().bound_values().count());
        }
        let bindings = words.iter().map(|word| NamedBinding::of(session, word));
        entry.bindings = bindings.collect();
        let mut values: Vec<Value> = words
            .iter()
            .filter_map(|it| value_of(session, it))
            .collect();
        let results = session.results();
        let last = results.range().map_or(0, |(_, last)| last);
        let uses_last = ANSWERS.iter().any(|word| words.contains(*word));
        let first = if uses_last {
            counted.max(1)
        } else {
            counted + 1
        };
        values.extend((first..=last).filter_map(|number| results.get(number)));
        let order = Order::below(values.iter().flat_map(Value::nodes));
        let leaves = order.nodes().iter().filter(|node| node.is_leaf());
        let leaves = leaves.map(|leaf| NotedLeaf {
            leaf: Rc::downgrade(leaf),
            data: leaf.data(),
        });
        entry.leaves = leaves.collect();
        entry
    }

    /// Is it about what it was about when it was answered? Of that, names may be gone.
    pub(super) fn holds(&self, session: &Session) -> bool {
        let count = || session.names().bound_values().count();
        let mut bindings = self.bindings.iter();
        self.names.is_none_or(|names| count() <= names)
            && !bindings.any(|binding| binding.is_bound_anew(session))
    }

    /// Is a name gone that it is about?
    pub(super) fn is_gone(&self, session: &Session) -> bool {
        let mut bindings = self.bindings.iter();
        bindings.any(|binding| binding.is_gone(session))
    }

    /// Was it answered when a leaf below it had another number, or about a name that is gone?
    pub(super) fn is_of_before(&self, session: &Session) -> bool {
        self.is_earlier || self.leaves.iter().any(NotedLeaf::has_moved) || self.is_gone(session)
    }

    /// The leaves below it.
    pub(super) fn leaves(&self) -> HashSet<*const Node> {
        self.leaves
            .iter()
            .map(|below| below.leaf.as_ptr())
            .collect()
    }

    /// Does it depend on this leaf?
    pub(super) fn depends_on(&self, leaf: &Rc<Node>) -> bool {
        let leaf = Rc::as_ptr(leaf);
        self.leaves.iter().any(|below| below.leaf.as_ptr() == leaf)
    }

    /// Does it have this name in it, or in a function that it calls?
    pub(super) fn has_name(&self, name: &str) -> bool {
        self.bindings.iter().any(|binding| binding.name == name)
    }

    /// It was answered with the numbers that leaves have now.
    pub(super) fn note_answer(&mut self) {
        self.is_earlier = false;
        for below in &mut self.leaves {
            if let Some(leaf) = below.leaf.upgrade() {
                below.data = leaf.data();
            }
        }
    }

    /// It was answered with numbers that leaves no longer have.
    pub(super) fn note_earlier_answer(&mut self) {
        self.is_earlier = true;
    }
}
