//! Changes in place: leaves' data, marks, forgotten names, settings; and taking all of it back.
//!
//! Each of them is one entry of the journal, and `swap` is the only way back and forward.

use std::rc::Rc;

use super::journal::{Change, Entry};
use crate::graph::Node;
use crate::graph::is_at_fault;
use crate::report::Note;
use crate::session::Session;
use crate::session::by_hand::tour::Tour;
use crate::session::naming::Label;
use crate::session::settings::Settings;

/// A leaf and the data it is to have.
#[derive(Clone, Debug)]
pub struct Setting {
    /// The leaf.
    pub leaf: Rc<Node>,
    /// Its new data.
    pub data: f64,
}

/// A node whose data changed, and what it was.
#[derive(Clone, Debug)]
pub struct Moved {
    /// The node; its data is the new one.
    pub node: Rc<Node>,
    /// Its data before.
    pub before: f64,
}

/// What is to be forgotten.
#[derive(Clone, Debug, Default)]
pub struct Forgotten<'n> {
    /// Names.
    pub names: Vec<&'n str>,
    /// Functions.
    pub functions: Vec<&'n str>,
    /// Former names: `a@1`. Those that no node has are not given from then on.
    pub formers: Vec<(&'n str, u32)>,
}

/// What a node keeps of the name it loses.
#[derive(Clone, Debug)]
pub enum Trace<'n> {
    /// Of its last name a former name: `a@1`.
    Usual,
    /// Nothing.
    None,
    /// This former name, with this number or the next that was never given.
    Former(&'n str, u32),
    /// It is shown as this call, with these arguments.
    Call(&'n str, Vec<Rc<Node>>),
}

impl Session {
    /// Changes leaves all at once and recomputes what is above them. Says what moved, leaves first, with a note if
    /// something became NaN or infinite. One entry of the journal.
    pub fn set(&mut self, statement: &str, settings: &[Setting]) -> (Vec<Moved>, Option<Note>) {
        let moved = |node: &Rc<Node>, before: f64| Moved {
            node: Rc::clone(node),
            before,
        };
        let leaves = settings.iter().map(|setting| &setting.leaf);
        let mut all: Vec<Moved> = leaves.map(|leaf| moved(leaf, leaf.data())).collect();
        let note = self.set_telling(statement, settings, |node, before| {
            all.push(moved(node, before));
        });
        (all, note)
    }

    /// The same where nobody asks what moved.
    pub fn set_quietly(&mut self, statement: &str, settings: &[Setting]) -> Option<Note> {
        self.set_telling(statement, settings, |_, _| {})
    }

    fn set_telling(
        &mut self,
        statement: &str,
        settings: &[Setting],
        mut tell: impl FnMut(&Rc<Node>, f64),
    ) -> Option<Note> {
        let moves = |setting: &&Setting| setting.leaf.data().to_bits() != setting.data.to_bits();
        let changes: Vec<Change> = settings
            .iter()
            .filter(moves)
            .map(|setting| Change::Data(Rc::clone(&setting.leaf), setting.leaf.data()))
            .collect();
        if !changes.is_empty() {
            self.record(statement, changes);
        }
        for Setting { leaf, data } in settings {
            self.graph.set(leaf, *data);
        }
        let leaves: Vec<Rc<Node>> = settings
            .iter()
            .map(|setting| Rc::clone(&setting.leaf))
            .collect();
        let mut fault = None;
        self.graph.recompute(&leaves, |node, before| {
            // What it is computed from is there already.
            let broke = before.is_finite() && !node.data().is_finite();
            if fault.is_none() && broke && is_at_fault(node) {
                fault = Some(Rc::clone(node));
            }
            tell(node, before);
        });
        fault.map(|node| self.moved_note(node))
    }

    /// Is it known, without searching a large graph, that at most so many nodes depend on these?
    pub fn reaches_few(&self, leaves: &[Rc<Node>], most: usize) -> bool {
        self.graph.living().are_few(leaves, most)
    }

    /// Marks leaves frozen or free; says which were not so before.
    pub fn freeze(&mut self, statement: &str, leaves: &[Rc<Node>], freeze: bool) -> Vec<Rc<Node>> {
        let mut changes = Vec::new();
        let mut changed = Vec::new();
        for leaf in leaves {
            if self.graph.freeze(leaf, freeze) != freeze {
                changes.push(Change::Frozen(Rc::clone(leaf), !freeze));
                changed.push(Rc::clone(leaf));
            }
        }
        if !changes.is_empty() {
            self.record(statement, changes);
        }
        changed
    }

    /// Has a node shown as `label` in tables; an empty one, or what it is called anyway, takes the label away. A statement
    /// that made the node too is the `same` entry of the journal.
    pub fn relabel(&mut self, statement: &str, node: &Rc<Node>, label: &str, same: bool) {
        let text = label.trim();
        let plain = text.is_empty() || self.label(node) == text;
        if self.names.label(node).map_or("", |old| &**old) == if plain { "" } else { text } {
            return;
        }
        let label = (!plain).then(|| Label {
            text: Rc::from(text),
            node: Rc::downgrade(node),
        });
        let old = self.names.swap_label(node.id(), label);
        let changes = vec![Change::Label(Rc::clone(node), old)];
        if same {
            self.journal.amend(changes);
        } else {
            self.record(statement, changes);
        }
    }

    /// Forgets names, functions and former names. The caller has made sure that the names and functions are there.
    pub fn forget(&mut self, statement: &str, forgotten: &Forgotten, trace: &Trace) {
        let Forgotten {
            names,
            functions,
            formers,
        } = forgotten;
        let mut changes = Vec::new();
        for &(name, count) in formers {
            let id = self.names.intern(name);
            let lost = self.names.lost(id);
            // A number is not given again, nor are those before it.
            if lost < count {
                changes.push(Change::Lost(id, lost));
                self.names.set_lost(id, count);
            }
            if let Some(node) = self.names.formerly(name, count) {
                let former = self.names.swap_former(node.id(), None);
                changes.push(Change::Former(node.id(), former));
            }
        }
        for name in names {
            let id = self.names.intern(name);
            if let Some(old) = self.names.swap(id, None) {
                match trace {
                    Trace::Usual => {
                        self.retire(id, &old.node, &mut changes);
                    }
                    Trace::None => self.leave_leaf(&old.node),
                    Trace::Former(name, count) => {
                        let id = self.names.intern(name);
                        let count = (*count).max(self.names.lost(id) + 1);
                        self.give_former(id, count, &old.node, &mut changes);
                    }
                    Trace::Call(function, arguments) => {
                        let function = Rc::from(*function);
                        let was = self.names.remember_call(&old.node, &function, arguments);
                        changes.push(Change::Call(old.node.id(), was));
                    }
                }
                changes.push(Change::Name(id, Some(old)));
            }
        }
        for name in functions {
            let name = Rc::from(*name);
            let old = self.functions.swap(&name, None);
            changes.push(Change::Function(name, old));
        }
        self.record(statement, changes);
    }

    /// A leaf that is to be without a name is not what a left out target means: it stood in for something while a file
    /// was loaded.
    fn leave_leaf(&mut self, leaf: &Rc<Node>) {
        if leaf.is_leaf() && !self.is_named(leaf) {
            for target in [&mut self.target, &mut self.unshown] {
                target.take_if(|target| Rc::ptr_eq(target, leaf));
            }
        }
    }

    /// Writes down what a statement changed.
    pub(crate) fn record(&mut self, statement: &str, mut changes: Vec<Change>) {
        self.record_from(statement, &mut changes);
    }

    /// The same, out of room that is kept.
    pub(crate) fn record_from(&mut self, statement: &str, changes: &mut Vec<Change>) {
        let entry = self.journal.entry(statement, changes);
        self.journal.record(entry);
        let names = &self.names;
        self.journal.shorten(|node| names.former_is_dead(node));
    }

    /// Forgets all names, results, gradients and watches. Settings stay.
    pub fn reset(&mut self, statement: &str) {
        let names = std::mem::take(&mut self.names);
        let functions = std::mem::take(&mut self.functions);
        self.results.clear();
        self.pass = None;
        self.walk = None;
        self.guesses = Rc::default();
        self.watches = Rc::default();
        self.target = None;
        self.unshown = None;
        self.tour = Tour::default();
        self.record(
            statement,
            vec![Change::Everything(Box::new((names, functions)))],
        );
    }

    /// Changes settings.
    pub fn configure(&mut self, statement: &str, change: impl FnOnce(&mut Settings)) {
        let before = self.settings.clone();
        change(&mut self.settings);
        if before != self.settings {
            self.record(statement, vec![Change::Settings(Box::new(before))]);
            self.journal.keep_steps(self.settings.undo_steps);
        }
    }

    /// Takes the newest change back; says which statement it was.
    pub fn undo(&mut self) -> Option<Box<str>> {
        let entry = self.journal.pop()?;
        let text = Box::from(entry.text.as_str());
        let forward = self.swap(entry);
        self.journal.keep_undone(forward);
        self.journal.keep_steps(self.settings.undo_steps);
        Some(text)
    }

    /// Does again what was taken back last; says which statement it was.
    pub fn redo(&mut self) -> Option<Box<str>> {
        let entry = self.journal.pop_undone()?;
        let text = Box::from(entry.text.as_str());
        let back = self.swap(entry);
        self.journal.push(back);
        self.journal.keep_steps(self.settings.undo_steps);
        Some(text)
    }

    /// Puts back what an entry says, last change first; what was there becomes the entry of the other direction.
    pub(crate) fn swap(&mut self, entry: Entry) -> Entry {
        let mut leaves = Vec::new();
        let mut inverse = Vec::with_capacity(entry.changes.len());
        for change in entry.changes.into_iter().rev() {
            inverse.push(match change {
                Change::Name(id, node) => Change::Name(id, self.names.swap(id, node)),
                Change::Lost(id, lost) => {
                    let now = self.names.lost(id);
                    self.names.set_lost(id, lost);
                    Change::Lost(id, now)
                }
                Change::Former(node, former) => {
                    Change::Former(node, self.names.swap_former(node, former))
                }
                Change::Label(node, label) => {
                    let now = self.names.swap_label(node.id(), label);
                    Change::Label(node, now)
                }
                Change::Call(node, call) => Change::Call(node, self.names.swap_call(node, call)),
                Change::Trail(root, trail) => Change::Trail(root, self.trails.swap(root, trail)),
                Change::Data(leaf, data) => {
                    let now = leaf.data();
                    self.graph.set(&leaf, data);
                    leaves.push(Rc::clone(&leaf));
                    Change::Data(leaf, now)
                }
                Change::Frozen(leaf, frozen) => {
                    let now = self.graph.freeze(&leaf, frozen);
                    Change::Frozen(leaf, now)
                }
                Change::Settings(settings) => {
                    Change::Settings(Box::new(std::mem::replace(&mut self.settings, *settings)))
                }
                Change::Function(name, function) => {
                    let was = self.functions.swap(&name, function);
                    Change::Function(name, was)
                }
                Change::Everything(mut all) => {
                    std::mem::swap(&mut self.names, &mut all.0);
                    self.names.follow(&all.0);
                    std::mem::swap(&mut self.functions, &mut all.1);
                    Change::Everything(all)
                }
            });
        }
        let entry = Entry {
            text: entry.text,
            changes: inverse,
        };
        if !leaves.is_empty() {
            self.graph.recompute(&leaves, |_, _| {});
        }
        entry
    }
}
