//! Finds the leaves that sliders may move.

use std::borrow::Cow;
use std::rc::Rc;

use super::Page;
use crate::shell::server::live_entry::LiveEntry;
use chainrule_engine::graph::Node;
use chainrule_report::Fact;
use chainrule_session::naming::{Names, item_name};

/// The numbers of a longer list have no sliders.
const MAX_ITEMS: usize = 20;

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
