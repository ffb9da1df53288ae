//! Changes of existing things: marks, labels, forgotten names, settings; and undoing them.
//!
//! Each change is an entry of the journal. `swap` is the only way to undo and redo.

use std::rc::Rc;

use super::journal::{Change, Entry};
use crate::graph::Node;
use crate::session::naming::{Former, FormerValue, NameId};
use crate::session::settings::Settings;
use crate::session::values::{List, Value};
use crate::session::{Recent, Session};

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
    /// By this former name, with this number or, if that was given before, the next free one. Of a list it goes to the
    /// items that have no other name, and to no item that nothing else uses.
    Former(&'n str, u32),
    /// As an item of a list with this former name, which it is; by positions counted from 0.
    FormerItem(&'n str, u32, Vec<usize>),
    /// As a call of this function with these arguments.
    Call(&'n str, Vec<Value>),
}

impl Session {
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
                let former = self.names.swap_former(node.id(), None);
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
                        match &old.value {
                            Value::Node(node) => self.give_former(id, count, node, &mut changes),
                            Value::List(list) => self.retire_as(id, count, list, &mut changes),
                        }
                    }
                    Trace::FormerItem(name, count, path) => {
                        let name = self.names.intern(name);
                        if let Value::Node(node) = &old.value
                            && let Some((count, place)) =
                                self.names.place_formerly(name, *count, path, node)
                        {
                            let former = Former { name, count, place };
                            let before = self.names.set_former(node, former);
                            changes.push(Change::Former(node.id(), before));
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

    /// Makes a list the former one with this number.
    fn retire_as(&mut self, id: NameId, count: u32, list: &List, changes: &mut Vec<Change>) {
        // One reference is that of the list itself.
        let is_used = |node: &Rc<Node>| Rc::strong_count(node) > 1;
        self.names.remember_list(id, count, list, is_used);
        changes.push(Change::Lost(id, self.names.swap_lost(id, count)));
        for (node, place) in list.nodes().iter().zip(1..) {
            let free = !self.names.has_any(node) && self.names.formers.of(node).is_none();
            if free && is_used(node) {
                let former = Former {
                    name: id,
                    count,
                    place,
                };
                let before = self.names.set_former(node, former);
                changes.push(Change::Former(node.id(), before));
            }
        }
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
                    Change::Former(node, self.names.swap_former(node, former))
                }
                Change::Label(node, label) => {
                    let now = self.names.labels.swap(node.id(), label);
                    Change::Label(node, now)
                }
                Change::Uncertain(leaf, uncertainty) => {
                    let now = self.names.uncertain.swap(leaf, uncertainty);
                    Change::Uncertain(leaf, now)
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
                Change::Heading(heading) => {
                    let now = std::mem::replace(&mut self.names.comments.heading, heading);
                    Change::Heading(now)
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
