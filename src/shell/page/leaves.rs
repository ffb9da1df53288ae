//! Finds the leaves that sliders may move.

use super::Page;
use crate::shell::server::live_entry::LiveEntry;
use chainrule_report::Fact;

impl Page {
    /// The names of the leaves that sliders may move. A leaf with several names is listed under its first name.
    pub(super) fn leaves(&self) -> Vec<&str> {
        let session = self.server.runner.session();
        // Moving a leaf would end the walk.
        if (session.walk()).is_some_and(|walk| walk.next_node().is_some()) {
            return Vec::new();
        }
        let names = session.names();
        let is_free = |name: &&str| {
            names.find_node(name).is_some_and(|node| {
                let is_free = node.is_leaf() && !node.is_frozen() && node.data().is_finite();
                is_free && names.plain_of(node).next() == Some(*name)
            })
        };
        let all = names.bound_values().map(|(name, _)| name);
        all.filter(is_free).collect()
    }

    /// The facts about a leaf: its name, its number, and the range that was typed for its slider.
    pub(super) fn leaf_fact(&self, name: &str) -> Fact {
        let names = self.server.runner.session().names();
        let node = names.find_node(name);
        let mut facts = vec![
            ("name", name.into()),
            ("value", node.map(|leaf| leaf.data()).into()),
        ];
        if let Some(range) = node.and_then(|leaf| names.ranges.of(leaf)) {
            facts.extend([("low", range.low.into()), ("high", range.high.into())]);
            facts.extend(range.step.map(|step| ("step", Fact::Number(step))));
        }
        Fact::Record(facts)
    }

    /// The names of the leaves on which an entry depends. The names in the text of the entry come first.
    pub(super) fn leaves_below<'n>(&self, entry: &LiveEntry, leaves: &[&'n str]) -> Vec<&'n str> {
        let names = self.server.runner.session().names();
        let is_below = |name: &&str| {
            let leaf = names.find_node(name);
            leaf.is_some_and(|leaf| entry.depends_on(leaf))
        };
        let mut below: Vec<&str> = leaves.iter().copied().filter(is_below).collect();
        // `false` comes before `true`.
        below.sort_by_cached_key(|name| !entry.has_name(name));
        below
    }
}
