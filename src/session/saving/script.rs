//! A session as a script: statements that recreate its names, values, marks and settings to the bit.
//!
//! There is one statement for each node that is named, formerly named or shared, in the order of creation (`save_order`
//! decides which nodes are written inside others). A node that has no name, or whose name goes to another node while
//! the first is still needed, gets a helper name that is deleted at the end. The caller decides where the text goes.

use std::fmt::Write as _;
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::constant_calls::ConstantCalls;
use super::header;
use super::literals::number;
use super::save_order::{CallArgument, SaveOrder};
use super::spelling::{ConstantBudget, Helpers, expression, spelled_constants};
use crate::session::Session;
use crate::session::error::Error;
use crate::syntax;

/// The most names on one line.
const NAMES_A_LINE: usize = 20;
/// A session as text.
#[derive(Debug)]
pub struct Script {
    /// The statements, a line each.
    pub text: String,
    /// How many nodes they create, including literals.
    pub nodes: usize,
}

/// The names that the statements use.
#[derive(Default)]
struct SavePlan {
    /// The name to which each statement binds its node; none for nodes inside other statements.
    called: Vec<Option<Rc<str>>>,
    /// Whether the name is later bound to another node, so that this node gets its former name by itself.
    passed_on: Vec<bool>,
    /// Further names of a node, bound right after it.
    more: FxHashMap<usize, Vec<Rc<str>>>,
    /// Names bound at the end because until then they must mean a predefined constant.
    late: Vec<(usize, Rc<str>)>,
}

/// A script that is being written.
struct ScriptWriter<'s> {
    text: String,
    outline: SaveOrder<'s>,
    plan: SavePlan,
    helpers: Helpers,
    /// The node that was bound last, which will be the default target after loading.
    last: Option<usize>,
}

impl Session {
    /// Writes the session as a script. Fails only if it is stopped.
    pub fn script(&self) -> Result<Script, Error> {
        let outline = self.outline()?;
        let constants = spelled_constants(&outline);
        let in_use = self.names.every().filter(|(name, lost)| {
            // A helper name from a loaded file that was deleted may be used again.
            *lost > 0 || self.names.find(name).is_some()
        });
        let mut helpers = Helpers::beside(in_use.map(|(name, _)| name));
        let plan = self.plan(&outline, &constants, &mut helpers);
        let mut script = ScriptWriter {
            text: header::text(),
            outline,
            plan,
            helpers,
            last: None,
        };
        script.text.push_str(&self.settings.statements(true));
        self.write_opening(&mut script, &constants);
        let calls = ConstantCalls::introduced(self, &script.outline, &mut script.text);
        self.write_nodes(&mut script, calls)?;
        self.write_ending(&mut script);
        // Functions come after the nodes: names in their bodies must exist when they are defined, and a function that
        // redefines a built-in one would change what the statements mean.
        if self.define_again(&mut script.text) {
            script.last = None;
        }
        self.write_target(&mut script);
        Ok(Script {
            nodes: script.outline.nodes.len() + script.outline.constants.len(),
            text: script.text,
        })
    }

    /// Chooses the names of all statements.
    fn plan(
        &self,
        outline: &SaveOrder,
        constants: &FxHashSet<&str>,
        helpers: &mut Helpers,
    ) -> SavePlan {
        let count = outline.nodes.len();
        let mut plan = SavePlan {
            called: vec![None; count],
            passed_on: vec![false; count],
            ..SavePlan::default()
        };
        // Names that are bound to a node now.
        let mut taken: FxHashMap<&str, usize> = FxHashMap::default();
        for (at, node) in outline.nodes.iter().enumerate() {
            // Names after a late one must be late too, because the first name is the label.
            let mut late = false;
            for name in self.names.plain_of(node) {
                late |= constants.contains(name);
                if late {
                    plan.late.push((at, Rc::from(name)));
                    continue;
                }
                taken.insert(name, at);
                match &mut plan.called[at] {
                    Some(_) => plan.more.entry(at).or_default().push(Rc::from(name)),
                    called => *called = Some(Rc::from(name)),
                }
            }
        }
        self.plan_formers(outline, constants, &taken, &mut plan);
        for at in 0..count {
            if outline.stated[at] && plan.called[at].is_none() {
                plan.called[at] = Some(helpers.next());
            }
        }
        plan
    }

    /// A node can use its former name in its statement if the file rebinds the name as the session did. For that the
    /// nodes that lost the name must be in the order in which they lost it, each must have its last use before the next
    /// one is made, and all must come before the node that has the name now.
    fn plan_formers(
        &self,
        outline: &SaveOrder,
        constants: &FxHashSet<&str>,
        taken: &FxHashMap<&str, usize>,
        plan: &mut SavePlan,
    ) {
        let mut lines: FxHashMap<&str, Vec<usize>> = FxHashMap::default();
        for (at, node) in outline.nodes.iter().enumerate() {
            if let (false, Some(former)) = (self.is_named(node), self.names.formers.of(node)) {
                let name = self.names.name(former.name);
                let line = lines.entry(name).or_default();
                let follows = former.count as usize == line.len() + 1;
                // A gap in the numbering ends the line; `usize::MAX` marks it.
                if follows && !constants.contains(name) && line.last() != Some(&usize::MAX) {
                    line.push(at);
                } else {
                    line.push(usize::MAX);
                }
            }
        }
        for (name, mut line) in lines {
            line.retain(|&at| at != usize::MAX);
            let holder = taken.get(name).copied();
            let before = |at: usize| holder.is_none_or(|holder| at < holder);
            let in_time = line.iter().take_while(|&&at| before(at)).count();
            line.truncate(in_time);
            let broken = (0..line.len()).find(|&place| {
                let next = line.get(place + 1).copied().or(holder);
                next.is_some_and(|next| outline.last_use[line[place]] > next)
            });
            if let Some(broken) = broken {
                line.truncate(broken);
            }
            for (place, &at) in line.iter().enumerate() {
                let name = self.names.id(name).map(|id| Rc::from(self.names.name(id)));
                plan.called[at] = name;
                plan.passed_on[at] = place + 1 < line.len() || holder.is_some();
            }
        }
    }

    /// Writes what comes before the nodes: a check that predefined constants are not redefined, and an introduction of
    /// the names that would otherwise be defined in another order.
    fn write_opening(&self, script: &mut ScriptWriter, constants: &FxHashSet<&str>) {
        let introduced = self.out_of_order(&script.outline, &script.plan);
        let text = &mut script.text;
        if !constants.is_empty() {
            let mut spelled: Vec<&str> = constants.iter().copied().collect();
            spelled.sort_unstable();
            let helper = script.helpers.next();
            let sum = spelled.join(" + ");
            let _ = writeln!(
                text,
                "const {helper} = {sum};  # fails where a name of one's own hides one of them"
            );
            let _ = writeln!(text, ":del {helper} as unnamed;");
        }
        for names in introduced.chunks(NAMES_A_LINE) {
            let zeros = vec!["0"; names.len()].join(", ");
            let _ = writeln!(text, "{} = {zeros};", names.join(", "));
            // `as` must come first, because after another name it is a keyword of the command.
            let mut names = names.to_vec();
            names.sort_by_key(|name| *name != "as");
            let _ = writeln!(text, ":del {} as unnamed;", names.join(" "));
        }
    }

    /// The leading names, up to the last one that the statements would define in another order.
    fn out_of_order(&self, outline: &SaveOrder, plan: &SavePlan) -> Vec<&str> {
        let mut places: FxHashMap<&str, usize> = FxHashMap::default();
        let mut appear = |name| {
            let next = places.len();
            places.entry(name).or_insert(next);
        };
        for at in 0..outline.nodes.len() {
            if let Some(name) = &plan.called[at] {
                appear(&**name);
            }
            for name in plan.more.get(&at).into_iter().flatten() {
                appear(name);
            }
        }
        for (name, ..) in self.formers_left(outline, &plan.passed_on) {
            appear(self.names.name(name));
        }
        for (_, name) in &plan.late {
            appear(name);
        }
        let names: Vec<&str> = self.names.bound().map(|(name, _)| name).collect();
        let mut first = names.len();
        let mut next = usize::MAX;
        while let Some(name) = first.checked_sub(1).map(|last| names[last])
            && places[name] < next
        {
            next = places[name];
            first -= 1;
        }
        names[..first].to_vec()
    }

    /// Writes the nodes.
    fn write_nodes<'s>(
        &'s self,
        script: &mut ScriptWriter<'s>,
        mut calls: ConstantCalls<'s>,
    ) -> Result<(), Error> {
        let ScriptWriter {
            text,
            outline,
            plan,
            last,
            ..
        } = script;
        // Leaves whose names go to nodes that do not use them. Their names are deleted first, because a plain rebinding
        // would cause a note.
        let mut standing: FxHashMap<&str, usize> = FxHashMap::default();
        let mut budget = ConstantBudget::of(outline);
        let mut items = Vec::new();
        for (at, node) in outline.nodes.iter().enumerate() {
            self.check_stop(at)?;
            let Some(called) = &plan.called[at] else {
                continue;
            };
            let more = plan.more.get(&at).map_or(&[][..], Vec::as_slice);
            for name in std::iter::once(called).chain(more) {
                if let Some(old) = standing.remove(&**name)
                    && outline.last_use[old] < at
                {
                    let _ = writeln!(text, ":del {name};");
                }
            }
            items.clear();
            if !node.is_leaf() {
                let written = (&mut budget, &mut calls);
                expression(outline, &plan.called, at, written, &mut items);
                calls.define(text);
            }
            if node.is_frozen() {
                text.push_str("const ");
            }
            let _ = write!(text, "{called} = ");
            if node.is_leaf() {
                text.push_str(&number(node.data()));
            } else {
                syntax::write_infix(text, &items);
            }
            text.push_str(";\n");
            *last = Some(at);
            if node.is_leaf() && plan.passed_on[at] {
                standing.insert(called, at);
            }
            for name in more {
                let _ = writeln!(text, "{name} = {called};");
            }
        }
        Ok(())
    }

    /// Writes what comes after the nodes: late names, former names with their numbers, and the deletion of helper
    /// names.
    fn write_ending(&self, script: &mut ScriptWriter) {
        let ScriptWriter {
            text,
            outline,
            plan,
            helpers,
            last,
        } = script;
        let called = |at: usize| plan.called[at].as_deref().unwrap_or_default();
        let helper = (outline.calls.first()).map_or_else(Rc::default, |_| helpers.next());
        for call in &outline.calls {
            let arguments = call.arguments.iter().map(|argument| match argument {
                CallArgument::Node(at) => called(*at),
                CallArgument::Constant(text) => text,
            });
            let arguments = arguments.collect::<Vec<_>>().join(", ");
            let (function, node) = (&call.function, called(call.at));
            let _ = writeln!(text, "{helper} = {node};");
            let _ = writeln!(text, ":del {helper} as {function}({arguments});");
            *last = Some(call.at);
        }
        for (at, node) in outline.nodes.iter().enumerate() {
            if let Some(label) = self.names.labels.of(node) {
                let quote = if label.contains('\'') { '"' } else { '\'' };
                let _ = writeln!(text, "{}.label = {quote}{label}{quote};", called(at));
            }
        }
        let formers = self.formers_left(outline, &plan.passed_on);
        let mut lost: FxHashMap<u32, u32> = FxHashMap::default();
        for (node, passed_on) in outline.nodes.iter().zip(&plan.passed_on) {
            if let (true, Some(former)) = (*passed_on, self.names.formers.of(node)) {
                let most = lost.entry(former.name).or_default();
                *most = former.count.max(*most);
            }
        }
        let mut gone: FxHashSet<usize> = FxHashSet::default();
        for (name, count, at) in formers {
            let former = self.names.name(name);
            let usual = lost.insert(name, count).unwrap_or(0) + 1 == count;
            if self.is_named(outline.nodes[at]) {
                // The node has another name by now, but must still be found by its former name.
                let helper = helpers.next();
                let _ = writeln!(text, "{helper} = {};", called(at));
                *last = Some(at);
                let _ = writeln!(text, ":del {helper} as {former}@{count};");
            } else if usual && called(at) == former {
                let _ = writeln!(text, ":del {former};");
                gone.insert(at);
            } else {
                let _ = writeln!(text, ":del {} as {former}@{count};", called(at));
                gone.insert(at);
            }
        }
        // These names are free only now, after their former nodes have lost them.
        for (at, name) in &plan.late {
            let _ = writeln!(text, "{name} = {};", called(*at));
            *last = Some(*at);
        }
        let mut counts: Vec<(&str, u32)> = (self.names.every().zip(0..))
            .filter(|((_, count), id)| *count > lost.get(id).copied().unwrap_or(0))
            .map(|(count, _)| count)
            .collect();
        counts.sort_unstable();
        for (name, count) in counts {
            // The nodes are gone, but their numbers must not be given again.
            let _ = writeln!(text, ":del {name}@{count};");
        }
        let left: Vec<&str> = (0..outline.nodes.len())
            .filter(|at| outline.stated[*at] && !gone.contains(at))
            .map(called)
            .filter(|name| helpers.has(name))
            .collect();
        for names in left.chunks(NAMES_A_LINE) {
            let _ = writeln!(text, ":del {} as unnamed;", names.join(" "));
        }
    }

    /// Makes the default target the same as now by binding it once more, unless it was bound last anyway. If there is
    /// no target, or it is not saved, the newest name takes its place.
    fn write_target(&self, script: &mut ScriptWriter) {
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
        if let Some(name) = (named.or_else(other)).and_then(|node| self.names.of(node).next()) {
            let _ = writeln!(script.text, "{name} = {name};");
        }
    }
}
