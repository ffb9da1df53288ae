//! The classes that build networks: those of the lecture, unless the user has given others. `interpret/python` reads
//! and uses them.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::ops::Range;

use rustc_hash::FxHashSet;

use crate::session::{Session, Write};
use chainrule_report::{Note, list_with_and, say};

/// The most nodes below a number that are searched for data and for leaves that move.
const MOST_SEARCHED: usize = 1 << 10;

/// The classes, each of which is made of those before it.
pub const CLASSES: [&str; 3] = ["Neuron", "Layer", "MLP"];

/// The networks that the classes [`CLASSES`] build.
#[derive(Clone, Debug)]
pub struct NetworkClasses {
    /// The two numbers between which weights are drawn.
    pub weights: [String; 2],
    /// The number with which biases begin; `None` if they are drawn like weights.
    pub bias: Option<String>,
    /// The function that a neuron applies to its sum; empty if it applies none.
    pub activation: &'static str,
    /// Whether neurons can leave the activation out, and whether those of the last layer do.
    pub ends_linear: [bool; 2],
    /// Whether a layer of one neuron returns a list and not a number.
    pub has_list_of_one: bool,
    /// For each class of [`CLASSES`]: whether it takes its inputs one by one and not as a list.
    pub takes_inputs_apart: [bool; 3],
    /// Whether the user has given a class.
    pub is_given: bool,
}

/// The knowledge of a session about networks.
#[derive(Debug, Default)]
pub(super) struct Networks {
    pub(super) classes: NetworkClasses,
    /// For each class of [`CLASSES`]: if the user's was refused, the number of statements before it.
    pub(super) refused: [Option<u64>; 3],
    /// Whether a list of numbers beside a network was taken for data, and whether a note has said so.
    has_data: bool,
    has_noted_data: bool,
}

impl Default for NetworkClasses {
    fn default() -> NetworkClasses {
        NetworkClasses {
            weights: ["-1", "1"].map(str::to_string),
            bias: None,
            activation: "tanh",
            ends_linear: [false; 2],
            has_list_of_one: false,
            takes_inputs_apart: [false; 3],
            is_given: false,
        }
    }
}

impl NetworkClasses {
    /// Whether the last layer has no activation function.
    pub fn ends_linear(&self) -> bool {
        self.ends_linear == [true; 2]
    }
}

impl Session {
    /// Remembers that the user's class at this place of [`CLASSES`] was refused, because it makes other networks. Undoing
    /// the statement before it forgets this.
    pub fn refuse_class(&mut self, place: usize) {
        self.network.refused[place] = Some(self.history.journal.statement_count());
    }

    /// The class at this place, or one that it is made of, if the user's was refused.
    pub fn refused_class(&self, place: usize) -> Option<&'static str> {
        let mut refused = self.network.refused[..=place].iter().zip(CLASSES);
        refused.find(|it| it.0.is_some()).map(|it| it.1)
    }

    /// Replaces the networks that the classes build. The classes at these places are no longer refused.
    pub fn know_network(&mut self, network: NetworkClasses, places: Range<usize>) {
        self.network.refused[places].fill(None);
        self.write(Write::Network(Box::new(network)));
    }

    /// Remembers for [`Session::data_note`] that a list beside a network is data.
    pub fn remember_data(&mut self) {
        self.network.has_data = true;
    }

    /// The note, made once, that lists of numbers beside a network are data and stay. It comes with the first target that
    /// has a name and is computed from data and from leaves that move: the loss.
    pub fn data_note(&mut self) -> Option<Note> {
        if self.network.has_noted_data || !self.network.has_data {
            return None;
        }
        let target = self.target_node(self.target()?)?;
        self.names.plain_of(&target).next()?;
        let (mut seen, mut waiting) = (FxHashSet::default(), vec![&target]);
        let (mut data, mut has_free_leaf) = (BTreeSet::new(), false);
        while let Some(node) = waiting.pop() {
            has_free_leaf |= node.is_free();
            let list = self.names.list_of(node).filter(|_| node.is_frozen());
            data.extend(list.map(|it| self.names.name_without_place(it)));
            let operands = node.operands().iter().take(MOST_SEARCHED - seen.len());
            waiting.extend(operands.filter(|it| seen.insert(it.id())));
        }
        if data.is_empty() || !has_free_leaf {
            return None;
        }
        let lists: Vec<Cow<str>> = data.into_iter().collect();
        let names = lists.iter().map(|list| say!("{:name}", &**list));
        let note = Note::new(say!(
            "beside a network, lists of numbers are data and stay as they are: {}; {:typed} makes leaves of them that move",
            list_with_and(names, usize::MAX),
            format!(":thaw {}", lists.join(" "))
        ));
        self.network.has_noted_data = true;
        Some(note)
    }
}
