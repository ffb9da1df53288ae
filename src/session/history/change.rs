//! Changes of existing things: data of leaves, marks, forgotten names, settings; and undoing them.
//!
//! Each change is an entry of the journal. `swap` is the only way to undo and redo.

use std::rc::Rc;

use super::journal::{Change, Entry};
use crate::graph::{Node, is_at_fault};
use crate::report::Note;
use crate::session::naming::{FormerValue, Value};
use crate::session::settings::Settings;
use crate::session::{Recent, Session};

/// A leaf and its new data.
#[derive(Clone, Debug)]
pub struct Setting {
    /// The leaf.
    pub leaf: Rc<Node>,
    /// Its new data.
    pub data: f64,
}

/// A node whose data has changed.
#[derive(Clone, Debug)]
pub struct Moved {
    /// The node, which holds the new data.
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
    /// Former names such as `a@1`. One that no node has is reserved: no node gets it later.
    pub formers: Vec<(&'n str, u32)>,
}

/// How a node that loses a name is referred to afterwards.
#[derive(Clone, Debug)]
pub enum Trace<'n> {
    /// By a former name, `a@1`, if it has no other name left.
    Usual,
    /// By its expression only.
    None,
    /// By this former name, with this number or, if that was given before, the next free one.
    Former(&'n str, u32),
    /// As a call of this function with these arguments.
    Call(&'n str, Vec<Value>),
}

impl Session {
    /// Changes several leaves at once and recomputes the nodes above them, as one entry of the journal. Returns the
    /// nodes that changed, leaves first, and a note if one became NaN or infinite.
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

    /// The same; calls `tell` with each node above the leaves that changes, and its data before.
    pub fn set_telling(
        &mut self,
        statement: &str,
        settings: &[Setting],
        mut tell: impl FnMut(&Rc<Node>, f64),
    ) -> Option<Note> {
        let moves = |setting: &&Setting| setting.leaf.data().to_bits() != setting.data.to_bits();
        let mut changes: Vec<Change> = settings
            .iter()
            .filter(moves)
            .map(|setting| Change::Data(Rc::clone(&setting.leaf), setting.leaf.data()))
            .collect();
        if !changes.is_empty() {
            self.record(statement, &mut changes);
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
            // Operands are recomputed first, so the first node found is where the trouble began.
            let broke = before.is_finite() && !node.data().is_finite();
            if fault.is_none() && broke && is_at_fault(node) {
                fault = Some(Rc::clone(node));
            }
            tell(node, before);
        });
        fault.map(|node| self.moved_note(node))
    }

    /// Whether at most `most` nodes are known to depend on these leaves, without building an index for the question.
    pub fn reaches_few(&self, leaves: &[Rc<Node>], most: usize) -> bool {
        self.graph.living().are_few(leaves, most)
    }

    /// Freezes or unfreezes leaves, and returns those that were not in that state before.
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
            self.record(statement, &mut changes);
        }
        changed
    }

    /// Gives a node a label for tables. An empty label, or one equal to how the node is referred to anyway, removes it.
    /// With `same` the change belongs to the newest entry of the journal: the same statement made the node.
    pub fn relabel(&mut self, statement: &str, node: &Rc<Node>, label: &str, same: bool) {
        let text = label.trim();
        let plain = text.is_empty() || self.label(node) == text;
        if self.names.labels.of(node).map_or("", |old| &**old) == if plain { "" } else { text } {
            return;
        }
        let old = if plain {
            self.names.labels.swap(node.id(), None)
        } else {
            self.names.labels.set(node, Rc::from(text))
        };
        let mut changes = vec![Change::Label(Rc::clone(node), old)];
        if same {
            self.journal.amend(changes);
        } else {
            self.record(statement, &mut changes);
        }
    }

    /// Forgets names, functions and former names. The caller has checked that the names and functions exist.
    pub fn forget(&mut self, statement: &str, forgotten: &Forgotten, trace: &Trace) {
        let Forgotten {
            names,
            functions,
            formers,
        } = forgotten;
        let mut changes = Vec::new();
        for &(name, count) in formers {
            let id = self.names.intern(name);
            // Numbers of former names are never given twice, and never below one that was given.
            if self.names.lost(id) < count {
                changes.push(Change::Lost(id, self.names.swap_lost(id, count)));
            }
            for node in self
                .names
                .formerly(name, count)
                .iter()
                .flat_map(FormerValue::nodes)
            {
                let former = self.names.formers.swap(node.id(), None);
                changes.push(Change::Former(node.id(), former));
            }
        }
        for name in names {
            let id = self.names.intern(name);
            if let Some(old) = self.names.swap(id, None) {
                match trace {
                    Trace::Usual => {
                        self.retire(id, &old.value, &mut changes);
                    }
                    Trace::None => old
                        .value
                        .nodes()
                        .iter()
                        .for_each(|node| self.leave_leaf(node)),
                    Trace::Former(name, count) => {
                        let id = self.names.intern(name);
                        let count = (*count).max(self.names.lost(id) + 1);
                        if let Value::Node(node) = &old.value {
                            self.give_former(id, count, node, &mut changes);
                        }
                    }
                    Trace::Call(function, arguments) => {
                        let function = Rc::from(*function);
                        if let Value::Node(node) = &old.value {
                            let was = self.names.remember_call(node, &function, arguments);
                            changes.push(Change::Call(node.id(), was));
                        }
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
        self.record(statement, &mut changes);
    }

    /// Clears the default target if it is a leaf that has just lost its last name: it was only a stand-in while a file
    /// was loaded.
    fn leave_leaf(&mut self, leaf: &Rc<Node>) {
        if leaf.is_leaf() && !self.is_named(leaf) {
            for target in [&mut self.recent.target, &mut self.recent.unshown] {
                target.take_if(|target| Rc::ptr_eq(target, leaf));
            }
        }
    }

    /// Records what a statement has changed. Empties `changes`, whose memory the caller may reuse.
    pub(crate) fn record(&mut self, statement: &str, changes: &mut Vec<Change>) {
        changes.extend(self.drawn());
        let entry = self.journal.entry(statement, changes);
        self.journal.record(entry);
        let names = &self.names;
        self.journal.shorten(|node| names.formers.is_dead(node));
    }

    /// Forgets all names, results, gradients and watches, and begins the random numbers anew. Settings stay.
    pub fn reset(&mut self, statement: &str) {
        let names = std::mem::take(&mut self.names);
        let functions = std::mem::take(&mut self.functions);
        self.recent.results.clear();
        let kept = std::mem::take(&mut self.recent);
        self.recent = Recent {
            results: kept.results,
            trails: kept.trails,
            paste: kept.paste,
            ..Recent::default()
        };
        let all = Box::new((names, functions));
        let sequence = self.begin_sequence();
        self.record(statement, &mut vec![Change::Everything(all), sequence]);
    }

    /// Changes settings, as one entry of the journal.
    pub fn configure(&mut self, statement: &str, change: impl FnOnce(&mut Settings)) {
        let before = self.settings.clone();
        change(&mut self.settings);
        if before != self.settings {
            self.record(statement, &mut vec![Change::Settings(Box::new(before))]);
            self.journal.keep_steps(self.settings.undo_steps);
        }
    }

    /// Undoes the newest entry, and returns the text of its statement.
    pub fn undo(&mut self) -> Option<Box<str>> {
        let entry = self.journal.pop()?;
        let text = Box::from(entry.text.as_str());
        let forward = self.swap(entry);
        self.journal.keep_undone(forward);
        self.journal.keep_steps(self.settings.undo_steps);
        Some(text)
    }

    /// Redoes the entry that was undone last, and returns the text of its statement.
    pub fn redo(&mut self) -> Option<Box<str>> {
        let entry = self.journal.pop_undone()?;
        let text = Box::from(entry.text.as_str());
        let back = self.swap(entry);
        self.journal.push(back);
        self.journal.keep_steps(self.settings.undo_steps);
        Some(text)
    }

    /// Applies the changes of an entry, last one first, and returns the entry that reverses this.
    pub(crate) fn swap(&mut self, entry: Entry) -> Entry {
        let mut leaves = Vec::new();
        let mut inverse = Vec::with_capacity(entry.changes.len());
        for change in entry.changes.into_iter().rev() {
            inverse.push(match change {
                Change::Name(id, node) => Change::Name(id, self.names.swap(id, node)),
                Change::Lost(id, lost) => Change::Lost(id, self.names.swap_lost(id, lost)),
                Change::Former(node, former) => {
                    Change::Former(node, self.names.formers.swap(node, former))
                }
                Change::Label(node, label) => {
                    let now = self.names.labels.swap(node.id(), label);
                    Change::Label(node, now)
                }
                Change::Call(node, call) => Change::Call(node, self.names.calls.swap(node, call)),
                Change::Trail(root, trail) => {
                    Change::Trail(root, self.recent.trails.swap(root, trail))
                }
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
                Change::Random(place) => self.swap_sequence(place),
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
