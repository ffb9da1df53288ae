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
    /// The number with which biases begin; none if they are drawn like weights.
    pub bias: Option<String>,
    /// The function that a neuron applies to its sum; empty if it applies none.
    pub activation: &'static str,
    /// Whether neurons can leave it out, and whether the last layer is asked to.
    pub ends_linear: [bool; 2],
    /// Whether a layer of one neuron gives a list, too.
    pub keeps_list: bool,
    /// For each class of [`CLASSES`]: whether it takes its inputs one by one and not as a list.
    pub spreads: [bool; 3],
    /// Whether the user has given one of them.
    pub given: bool,
}

/// What is known of networks.
#[derive(Debug, Default)]
pub(super) struct Networks {
    pub(super) classes: NetworkClasses,
    /// For each class of [`CLASSES`]: after how many statements that of the user's was refused.
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
            keeps_list: false,
            spreads: [false; 3],
            given: false,
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
    /// Remembers a class of the user's, by its place in [`CLASSES`], that is not known because it makes other networks.
    /// It is forgotten when the statement before it is undone.
    pub fn refuse_class(&mut self, place: usize) {
        self.network.refused[place] = Some(self.history.journal.statement_count());
    }

    /// The class of the user's that is not known and that the class at this place is, or is made of.
    pub fn refused_class(&self, place: usize) -> Option<&'static str> {
        let mut refused = self.network.refused[..=place].iter().zip(CLASSES);
        refused.find(|it| it.0.is_some()).map(|it| it.1)
    }

    /// Replaces what is known of networks: of the classes at these places.
    pub fn know_network(&mut self, network: NetworkClasses, places: Range<usize>) {
        self.network.refused[places].fill(None);
        self.write(Write::Network(Box::new(network)));
    }

    /// Remembers for [`Session::data_note`] that a list beside a network is data.
    pub fn remember_data(&mut self) {
        self.network.has_data = true;
    }

    /// The note, made once, that lists of numbers beside a network are data and stay: about the target, if that is the
    /// first number with a name that is computed from data and from leaves that move: the loss.
    pub fn data_note(&mut self) -> Option<Note> {
        if self.network.has_noted_data || !self.network.has_data {
            return None;
        }
        let target = self.target_node(self.target()?)?;
        self.names.plain_of(&target).next()?;
        let (mut seen, mut waiting) = (FxHashSet::default(), vec![&target]);
        let (mut lists, mut moves) = (BTreeSet::new(), false);
        while let Some(node) = waiting.pop() {
            moves |= node.is_free();
            let list = self.names.list_of(node).filter(|_| node.is_frozen());
            lists.extend(list.map(|it| self.names.name_without_place(it)));
            let operands = node.operands().iter().take(MOST_SEARCHED - seen.len());
            waiting.extend(operands.filter(|it| seen.insert(it.id())));
        }
        if lists.is_empty() || !moves {
            return None;
        }
        let lists: Vec<Cow<str>> = lists.into_iter().collect();
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
