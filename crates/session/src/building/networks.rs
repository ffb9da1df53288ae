//! Remembers the user's classes of networks, and notes which lists are data beside a network.

use std::collections::BTreeSet;
use std::ops::Range;
use std::rc::Rc;

use rustc_hash::FxHashSet;

use crate::network_classes::{CLASSES, NetworkClasses};
use crate::state::{Session, Write};
use chainrule_engine::graph::Node;
use chainrule_report::{Note, list_with_and, say};

impl Session {
    /// Remembers that the user's class with this index in [`CLASSES`] was refused, because it makes other networks.
    /// Undoing the statement before the class forgets the refusal.
    pub fn refuse_class(&mut self, index: usize) {
        self.network.refused[index] = Some(self.journal.statement_count());
    }

    /// The first refused class among the class with this index and the classes that it is made of.
    pub fn refused_class(&self, index: usize) -> Option<&'static str> {
        let mut classes = self.network.refused[..=index].iter().zip(CLASSES);
        let refused = classes.find(|(statement_count, _)| statement_count.is_some());
        refused.map(|(_, class)| class)
    }

    /// Sets what the classes build. The classes with these indices in [`CLASSES`] are no longer refused.
    pub fn set_network_classes(&mut self, classes: NetworkClasses, accepted: Range<usize>) {
        self.network.refused[accepted].fill(None);
        self.write(Write::Network(classes));
    }

    /// Remembers for the note on data that a list beside a network is data.
    pub fn remember_data(&mut self) {
        self.network.has_data = true;
    }

    /// The note that lists of numbers beside a network are data and stay. It is made once, for the first target that
    /// has a name and is computed from data and from leaves that move: the loss.
    pub(crate) fn data_note(&mut self) -> Option<Note> {
        if self.network.has_noted_data || !self.network.has_data {
            return None;
        }
        let target = self.target_node(self.target()?)?;
        self.names.plain_of(&target).next()?;
        let lists = self.data_of_network(&target)?;
        let names = lists.iter().map(|list| say!("{:name}", list));
        let note = Note::new(say!(
            "beside a network, lists of numbers are data and stay as they are: {}; {:typed} makes leaves of them that move",
            list_with_and(names, usize::MAX),
            format!(":thaw {}", lists.join(" "))
        ));
        self.network.has_noted_data = true;
        Some(note)
    }

    /// The names of the frozen lists below a node, sorted. `None` if there are none, or no leaf below the node can
    /// move. Beyond [`MAX_SEARCHED`] nodes some lists may be missing.
    fn data_of_network(&self, target: &Rc<Node>) -> Option<Vec<String>> {
        let (mut seen, mut waiting) = (FxHashSet::default(), vec![target]);
        let (mut data, mut has_free_leaf) = (BTreeSet::new(), false);
        while let Some(node) = waiting.pop() {
            has_free_leaf |= node.is_free();
            let list = self.names.list_name_of(node).filter(|_| node.is_frozen());
            data.extend(list.map(|it| self.names.name_without_place(it).into_owned()));
            let operands = node.operands().iter().take(MAX_SEARCHED - seen.len());
            waiting.extend(operands.filter(|it| seen.insert(it.id())));
        }
        (has_free_leaf && !data.is_empty()).then(|| data.into_iter().collect())
    }
}

/// The most nodes below a number that are searched for data and for leaves that move. The search runs after every
/// statement, until the note is made.
const MAX_SEARCHED: usize = 1 << 10;
