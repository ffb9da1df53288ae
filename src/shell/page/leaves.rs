//! Finds the leaves that sliders may move.

use std::borrow::Cow;
use std::rc::Rc;

use super::Page;
use crate::shell::server::live_entry::LiveEntry;
use chainrule_engine::graph::Node;
use chainrule_program::Environment as _;
use chainrule_report::Fact;
use chainrule_session::naming::{Names, item_name};
use chainrule_session::{Session, Setting, TrialOf, Widths};

/// The numbers of a longer list have no sliders.
const MAX_ITEMS: usize = 20;

/// This many leaves below an entry are tried on the other side of 0, in a session of at most this many nodes. They are tried
/// about where their sliders end.
const MAX_TRIED: usize = 6;
const MAX_NODES_TRIED: usize = 10_000;
const BEYOND_ZERO: f64 = -2.0;

/// A leaf that a slider may move.
#[derive(Clone)]
pub(super) struct Leaf<'s> {
    node: &'s Rc<Node>,
    /// Its name, as in `a` or `w[0]`.
    pub(super) name: Cow<'s, str>,
    /// The name that is bound: that of the leaf, or that of its list.
    pub(super) bound: &'s str,
}

impl Page {
    /// The leaves that sliders may move, those of lists last. A leaf with several names is listed under its first name.
    pub(super) fn leaves(&self) -> Vec<Leaf<'_>> {
        let session = self.server.runner.session();
        // Moving a leaf would end the walk.
        if (session.walk()).is_some_and(|walk| walk.next_node().is_some()) {
            return Vec::new();
        }
        let names = session.names();
        let mut leaves = Vec::new();
        for (bound, value) in names.bound_values() {
            for (node, place) in value.nodes().iter().take(MAX_ITEMS).zip(0..) {
                let is_free = node.is_leaf() && !node.is_frozen() && node.data().is_finite();
                let name = item_name(bound, value.shape(), place).into();
                if is_free && slider_name(names, node).as_ref() == Some(&name) {
                    leaves.push(Leaf { node, name, bound });
                }
            }
        }
        // `false` comes before `true`.
        leaves.sort_by_key(|leaf| leaf.name != leaf.bound);
        leaves
    }

    /// The leaves below an entry that cannot change their sign: a value becomes NaN. Their sliders end at 0.
    pub(super) fn leaves_of_one_sign(&mut self, entry: usize) -> Vec<String> {
        let below = leaves_below(&self.server.entries[entry], &self.leaves()).into_iter();
        let tried = below.take(MAX_TRIED);
        let mut tried: Vec<(String, Rc<Node>)> = tried
            .map(|leaf| (leaf.name.into_owned(), Rc::clone(leaf.node)))
            .collect();
        let session = self.server.runner.session_mut();
        tried.retain(|(_, leaf)| has_one_sign(session, leaf));
        tried.into_iter().map(|(name, _)| name).collect()
    }

    /// The facts about a leaf: its name, its number, and the range that was typed for its slider.
    pub(super) fn leaf_fact(&self, leaf: &Leaf) -> Fact {
        let mut facts = vec![
            ("name", Fact::from(&*leaf.name)),
            ("value", leaf.node.data().into()),
        ];
        let ranges = &self.server.runner.session().names().ranges;
        if let Some(range) = ranges.of(leaf.node) {
            facts.extend([("low", range.low.into()), ("high", range.high.into())]);
            facts.extend(range.step.map(|step| ("step", Fact::Number(step))));
        }
        Fact::Record(facts)
    }
}

/// Does a value become NaN on the other side of 0? A session of many nodes would take too long to find out.
fn has_one_sign(session: &mut Session, leaf: &Rc<Node>) -> bool {
    if session.program().graph.living().len_with_dropped() > MAX_NODES_TRIED {
        return false;
    }
    let mut is_lost = false;
    let setting = Setting {
        leaf: Rc::clone(leaf),
        data: BEYOND_ZERO * leaf.data(),
    };
    session.begin_trial(TrialOf::Lines);
    session.set(&[setting], Widths::new(), |node, before| {
        is_lost |= node.data().is_nan() && !before.is_nan();
    });
    session.end_trial(None);
    is_lost
}

/// The name of a leaf at its slider: its first name that is not in a long list.
fn slider_name<'s>(names: &'s Names, leaf: &'s Node) -> Option<Cow<'s, str>> {
    let is_short = |name: &Cow<str>| {
        let list = name.split_once('[').and_then(|(list, _)| names.find(list));
        list.is_none_or(|list| list.nodes().len() <= MAX_ITEMS)
    };
    names.texts_of_node(leaf).find(is_short)
}

/// The leaves on which an entry depends. Those whose names are in the text of the entry come first.
pub(super) fn leaves_below<'s>(entry: &LiveEntry, leaves: &[Leaf<'s>]) -> Vec<Leaf<'s>> {
    let below = leaves.iter().filter(|leaf| entry.depends_on(leaf.node));
    let mut below: Vec<Leaf> = below.cloned().collect();
    // `false` comes before `true`.
    below.sort_by_key(|leaf| !entry.has_name(leaf.bound));
    below
}
