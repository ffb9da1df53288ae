//! Finds the leaves that sliders may move.

use std::rc::Rc;

use super::Page;
use crate::shell::server::live_entry::LiveEntry;
use chainrule_report::Fact;
use chainrule_session::LeafRange;

/// A leaf that a slider may move.
pub(super) struct Leaf {
    pub(super) name: Rc<str>,
    data: f64,
    range: Option<LeafRange>,
}

impl Leaf {
    pub(super) fn fact(&self) -> Fact {
        let mut facts = vec![
            ("name", Fact::from(&*self.name)),
            ("value", Fact::Number(self.data)),
        ];
        if let Some(range) = &self.range {
            facts.extend([("low", range.low.into()), ("high", range.high.into())]);
            facts.extend(range.step.map(|step| ("step", Fact::Number(step))));
        }
        Fact::Record(facts)
    }
}

impl Page {
    /// The leaves that sliders may move. A leaf with several names is listed under its first name.
    pub(super) fn leaves(&self) -> Vec<Leaf> {
        let session = self.server.runner.session();
        // Moving a leaf would end the walk.
        if (session.walk()).is_some_and(|walk| walk.next_node().is_some()) {
            return Vec::new();
        }
        let mut leaves = Vec::new();
        for (name, value) in session.names().bound_values() {
            let Some(node) = value.node() else {
                continue;
            };
            let is_free = node.is_leaf() && !node.is_frozen() && node.data().is_finite();
            if is_free && session.names().plain_of(node).next() == Some(name) {
                leaves.push(Leaf {
                    name: name.into(),
                    data: node.data(),
                    range: session.names().ranges.of(node).copied(),
                });
            }
        }
        leaves
    }

    /// The names of the leaves on which an entry depends. The names in the text of the entry come first.
    pub(super) fn leaves_below(&self, entry: &LiveEntry, leaves: &[Leaf]) -> Vec<Fact> {
        let names = self.server.runner.session().names();
        let all = leaves.iter().map(|leaf| &*leaf.name);
        let is_below = |name: &&str| {
            let leaf = names.find_node(name);
            leaf.is_some_and(|leaf| entry.depends_on(leaf))
        };
        let mut below: Vec<&str> = all.filter(is_below).collect();
        // `false` comes before `true`.
        below.sort_by_cached_key(|name| !entry.has_name(name));
        below.into_iter().map(Fact::from).collect()
    }
}

/// The names of the leaves that get sliders below an entry with these commands: the names that the entry has bound, or all
/// names for `:vars`.
pub(super) fn slider_names(leaves: &[Leaf], commands: &[&str], bound: &[Rc<str>]) -> Vec<Rc<str>> {
    let has_slider = |name: &&Rc<str>| commands.contains(&"vars") || bound.contains(name);
    let names = leaves.iter().map(|leaf| &leaf.name);
    names.filter(has_slider).cloned().collect()
}
