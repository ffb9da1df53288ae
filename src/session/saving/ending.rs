//! The end of a saved session: calls, labels, former names with their numbers, and the deletion of helper names.
//!
//! Former names are written in the order of their numbers, because a number is never given twice.

use std::fmt::Write as _;
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::name_order::Naming;
use super::save_order::{FormerLeft, SaveOrder, Written};
use super::script::{NAMES_A_LINE, ScriptWriter};
use crate::session::Session;
use crate::session::naming::item_name;

impl Session {
    /// Writes what comes after the nodes: what they are shown as, names bound late, former names with their numbers,
    /// and the deletion of helper names.
    pub(super) fn write_ending(&self, script: &mut ScriptWriter) {
        self.write_labels(script);
        self.write_fits(script);
        let (lost, mut gone) = self.write_formers(script);
        // These names are free only now, after their former nodes have lost them.
        for naming in std::mem::take(&mut script.outline.names.late) {
            self.write_naming(script, naming);
        }
        let mut counts: Vec<(&str, u32)> = (self.names.every())
            .filter(|(id, count)| *count > lost.get(id).copied().unwrap_or(0))
            .map(|(id, count)| (self.names.name(id), count))
            .collect();
        counts.sort_unstable();
        for (name, count) in counts {
            // The nodes are gone, but their numbers must not be given again.
            let _ = writeln!(script.text, ":del {name}@{count};");
        }
        let count = script.outline.nodes.len();
        let left: Vec<usize> = (0..count).filter(|at| gone.insert(*at)).collect();
        delete_helpers(script, &left);
    }

    /// Writes the calls as which nodes are shown, and their labels.
    fn write_labels(&self, script: &mut ScriptWriter) {
        let calls = std::mem::take(&mut script.outline.calls);
        let helper = (calls.first()).map_or_else(Rc::default, |_| script.helpers.next());
        for call in calls {
            let called = &script.plan.called;
            let Some(arguments) = called.arguments(&script.outline, &call.arguments) else {
                continue;
            };
            script.bind(&helper, call.at);
            let function = call.function;
            let _ = writeln!(script.text, ":del {helper} as {function}({arguments});");
        }
        for at in 0..script.outline.nodes.len() {
            let Some(label) = self.names.labels.of(script.outline.nodes[at]) else {
                continue;
            };
            let quote = if label.contains('\'') { '"' } else { '\'' };
            // Only a name can stand before `.label`.
            let is_item = script.outline.written[at] == Written::Item;
            let helper = is_item.then(|| script.help(at));
            let called = || script.plan.called.text(&script.outline, at);
            let name = (helper.as_ref()).map_or_else(called, ToString::to_string);
            let _ = writeln!(script.text, "{name}.label = {quote}{label}{quote};");
            if let Some(helper) = helper {
                let _ = writeln!(script.text, ":del {helper} as unnamed;");
            }
        }
    }

    /// Writes former names. Returns how many nodes or lists have lost each name by then, and the nodes whose helper
    /// names are gone.
    fn write_formers(&self, script: &mut ScriptWriter) -> (FxHashMap<u32, u32>, FxHashSet<usize>) {
        let mut lost: FxHashMap<u32, u32> = FxHashMap::default();
        for (node, passed_on) in script.outline.nodes.iter().zip(&script.plan.passed_on) {
            if let (true, Some(former)) = (*passed_on, self.names.former_of(node)) {
                let most = lost.entry(former.name).or_default();
                *most = former.count.max(*most);
            }
        }
        let formers = self.formers_left(&script.outline, &script.plan.passed_on);
        let (usual, apart) = self.items_formerly(&script.outline, &formers);
        // The deletion of a former list gives former names to those of its items that have no name then.
        delete_helpers(script, &usual);
        let mut gone: FxHashSet<usize> = usual.into_iter().collect();
        let apart: Vec<(Rc<str>, String)> = (apart.into_iter())
            .map(|(at, former)| (script.help(at), former))
            .collect();
        for FormerLeft { name, count, value } in formers {
            let former = self.names.name(name);
            let usual = lost.insert(name, count).unwrap_or(0) + 1 == count;
            let called = match value {
                Naming::List(list) => script.plan.called.lists[list].to_string(),
                // The node has another name by now, but must still be found by its former name.
                Naming::Node(at, _) if self.is_named(script.outline.nodes[at]) => {
                    script.help(at).to_string()
                }
                Naming::Node(at, _) => {
                    gone.insert(at);
                    let called = script.plan.called.text(&script.outline, at);
                    if usual && called == former {
                        let _ = writeln!(script.text, ":del {former};");
                        continue;
                    }
                    called
                }
            };
            let _ = writeln!(script.text, ":del {called} as {former}@{count};");
        }
        for (helper, former) in apart {
            let _ = writeln!(script.text, ":del {helper} as {former};");
        }
        (lost, gone)
    }

    /// The items of former lists: those that get their former name when the helper name of the list is deleted, and
    /// those that must get theirs in a statement of their own, with these names.
    fn items_formerly(
        &self,
        outline: &SaveOrder,
        formers: &[FormerLeft],
    ) -> (Vec<usize>, Vec<(usize, String)>) {
        // A node in several former lists gets its name from the last one.
        let mut given: FxHashMap<usize, (u32, u32, u32)> = FxHashMap::default();
        for former in formers {
            if let Naming::List(list) = former.value {
                let items = outline.names.lists[list].items.iter().zip(1..);
                let items = items.filter_map(|(at, place)| Some(((*at)?, place)));
                given.extend(items.map(|(at, place)| (at, (former.name, former.count, place))));
            }
        }
        let (mut usual, mut apart) = (Vec::new(), Vec::new());
        for (at, node) in outline.nodes.iter().enumerate() {
            let Some(tag) = self.names.former_of(node).filter(|tag| tag.place > 0) else {
                continue;
            };
            let same = given.get(&at) == Some(&(tag.name, tag.count, tag.place));
            if same && !self.is_named(node) {
                usual.extend((outline.written[at] == Written::Stated).then_some(at));
            } else if let Some(former) = (outline.names.lists.iter())
                .find(|list| list.name == tag.name && list.former == tag.count)
            {
                let name = format!("{}@{}", self.names.name(tag.name), tag.count);
                apart.push((at, item_name(&name, &former.shape, tag.place)));
            }
        }
        (usual, apart)
    }

    /// Makes the default target the same as now by binding it once more, unless it was bound last anyway. If there is
    /// no target, or it is not saved, the newest name takes its place.
    pub(super) fn write_target(&self, script: &mut ScriptWriter) {
        let target = self.default_target().map(|(node, _)| node);
        let last = script.last.map(|last| script.outline.nodes[last]);
        let meant = |last| target.as_ref().is_none_or(|node| Rc::ptr_eq(last, node));
        if last.is_some_and(meant) {
            return;
        }
        let named = target.as_ref().filter(|node| self.is_named(node));
        let newest = || {
            self.names
                .bound()
                .rev()
                .filter_map(|(_, value)| value.node())
        };
        let other = || newest().find(|node| last.is_none() && node.varies());
        let Some(node) = named.or_else(other) else {
            return;
        };
        if let Some(name) = self.names.plain_of(node).next() {
            let _ = writeln!(script.text, "{name} = {name};");
        } else if let Some(item) = self.names.of(node).next() {
            let helper = script.helpers.next();
            let _ = writeln!(script.text, "{helper} = {item};");
            let _ = writeln!(script.text, ":del {helper} as unnamed;");
        }
    }
}

/// Deletes the helper names of those of these nodes that have one.
fn delete_helpers(script: &mut ScriptWriter, nodes: &[usize]) {
    let called = &script.plan.called.nodes;
    let stated = nodes
        .iter()
        .filter(|at| script.outline.written[**at] == Written::Stated);
    let names: Vec<&str> = stated
        .filter_map(|at| called[*at].as_deref())
        .filter(|name| script.helpers.has(name))
        .collect();
    for names in names.chunks(NAMES_A_LINE) {
        let _ = writeln!(script.text, ":del {} as unnamed;", names.join(" "));
    }
}
