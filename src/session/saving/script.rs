//! A session as a script: statements that recreate its names, values, marks and settings to the bit.
//!
//! There is one statement for each node that is named, formerly named or shared, in the order of creation (`save_order`
//! decides which nodes are written inside others). A node that has no name, or whose name goes to another node while
//! the first is still needed, gets a helper name that is deleted at the end. The caller decides where the text goes.

use std::fmt::Write as _;
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::called::Called;
use super::constant_calls::ConstantCalls;
use super::header;
use super::literals::number;
use super::literals::spelled_constants;
use super::name_order::Naming;
use super::save_order::{SaveOrder, Written, time, time_of_lists};
use super::spelling::{Helpers, expression};
use crate::session::Session;
use crate::session::naming::NameId;
use crate::session::values::write_lines;
use crate::stop;
use crate::syntax;

/// The most names on one line.
pub(super) const NAMES_A_LINE: usize = 20;

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
pub(super) struct SavePlan {
    /// What nodes and lists are called.
    pub called: Called,
    /// Whether the name is later bound to another node, so that this node gets its former name by itself.
    pub passed_on: Vec<bool>,
}

/// A script that is being written.
pub(super) struct ScriptWriter<'s> {
    pub text: String,
    pub outline: SaveOrder<'s>,
    pub plan: SavePlan,
    pub helpers: Helpers,
    pub calls: ConstantCalls<'s>,
    /// The node that was bound last, which will be the default target after loading.
    pub last: Option<usize>,
}

impl Session {
    /// Writes the session as a script.
    pub fn script(&self) -> Script {
        let outline = self.outline();
        let constants = spelled_constants(&outline.constants);
        let in_use = self.names.every().filter(|(name, lost)| {
            // A helper name from a loaded file that was deleted may be used again.
            *lost > 0 || self.names.value(*name).is_some()
        });
        let mut helpers = Helpers::beside(in_use.map(|(name, _)| self.names.name(name)));
        let plan = self.plan(&outline, &constants, &mut helpers);
        let mut text = header::text();
        if let Some(heading) = &**self.names.heading {
            write_lines(&mut text, heading);
            text.push('\n');
        }
        text.push_str(&self.settings.statements(true));
        self.write_opening(&mut text, (&outline, &plan), &constants, &mut helpers);
        let mut script = ScriptWriter {
            calls: ConstantCalls::introduced(self, &outline, &mut text),
            text,
            outline,
            plan,
            helpers,
            last: None,
        };
        self.write_nodes(&mut script);
        self.write_ending(&mut script);
        // Functions come after the nodes: names in their bodies must exist when they are defined, and a function that
        // redefines a built-in one would change what the statements mean.
        if self.define_again(&mut script.text) {
            script.last = None;
        }
        self.write_target(&mut script);
        Script {
            nodes: script.outline.nodes.len() + script.outline.constants.len(),
            text: script.text,
        }
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
            called: Called {
                nodes: vec![None; count],
                lists: Vec::new(),
            },
            passed_on: vec![false; count],
        };
        for (at, name) in &outline.names.first {
            plan.called.nodes[*at] = Some(Rc::from(self.names.name(*name)));
        }
        self.plan_formers(outline, constants, &mut plan);
        for at in 0..count {
            if outline.written[at] == Written::Stated && plan.called.nodes[at].is_none() {
                plan.called.nodes[at] = Some(helpers.next());
            }
        }
        for list in &outline.names.lists {
            plan.called.lists.push(match list.former {
                0 => Rc::from(self.names.name(list.name)),
                _ => helpers.next(),
            });
        }
        plan
    }

    /// A node can use its former name in its statement if the file rebinds the name as the session did. For that the
    /// nodes that lost the name must be in the order in which they lost it, each must have its last use before the next
    /// one is made, and all must come before the node that has the name now.
    fn plan_formers(&self, outline: &SaveOrder, constants: &FxHashSet<&str>, plan: &mut SavePlan) {
        // Where each name is bound that a node or a list has now.
        let mut taken: FxHashMap<&str, usize> = FxHashMap::default();
        let first = outline.names.first.iter().map(|(at, name)| (*name, *at));
        let after = outline.names.after.iter().flat_map(|(at, namings)| {
            let name = |naming: &Naming| Some((outline.names.name(*naming)?, *at));
            namings.iter().filter_map(name)
        });
        for (name, at) in first.chain(after) {
            taken.insert(self.names.name(name), at);
        }
        // The helper name of a former list names its items to the end.
        let lists = outline.names.lists.iter().filter(|list| list.former > 0);
        let items: FxHashSet<usize> = lists
            .flat_map(|list| list.items.iter().flatten().copied())
            .collect();
        let mut lines: FxHashMap<&str, Vec<usize>> = FxHashMap::default();
        for (at, node) in outline.nodes.iter().enumerate() {
            if let (false, Some(former)) = (self.is_named(node), self.names.former_of(node))
                && former.place == 0
            {
                let name = self.names.name(former.name);
                let line = lines.entry(name).or_default();
                let follows = former.count as usize == line.len() + 1;
                // A gap in the numbering ends the line; `usize::MAX` marks it.
                if follows
                    && !constants.contains(name)
                    && !items.contains(&at)
                    && line.last() != Some(&usize::MAX)
                {
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
                next.is_some_and(|next| outline.last_use[line[place]] > time(next))
            });
            if let Some(broken) = broken {
                line.truncate(broken);
            }
            for (place, &at) in line.iter().enumerate() {
                let name = self.names.id(name).map(|id| Rc::from(self.names.name(id)));
                plan.called.nodes[at] = name;
                plan.passed_on[at] = place + 1 < line.len() || holder.is_some();
            }
        }
    }

    /// Writes what comes before the nodes: a check that predefined constants are not redefined, and an introduction of
    /// the names that would otherwise be defined in another order.
    fn write_opening(
        &self,
        text: &mut String,
        (outline, plan): (&SaveOrder, &SavePlan),
        constants: &FxHashSet<&str>,
        helpers: &mut Helpers,
    ) {
        let introduced = self.out_of_order(outline, plan);
        if !constants.is_empty() {
            let mut spelled: Vec<&str> = constants.iter().copied().collect();
            spelled.sort_unstable();
            let helper = helpers.next();
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
        let of = |naming: &Naming| {
            outline
                .names
                .name(*naming)
                .map(|name| self.names.name(name))
        };
        for at in 0..outline.nodes.len() {
            if let Some(name) = &plan.called.nodes[at] {
                appear(&**name);
            }
            let after = outline.names.after.get(&at).into_iter().flatten();
            after.filter_map(of).for_each(&mut appear);
        }
        for former in self.formers_left(outline, &plan.passed_on) {
            appear(self.names.name(former.name));
        }
        outline
            .names
            .late
            .iter()
            .filter_map(of)
            .for_each(&mut appear);
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
    fn write_nodes(&self, script: &mut ScriptWriter) {
        // Leaves whose names go to nodes that do not use them. Their names are deleted first, because a plain rebinding
        // would cause a note.
        let mut standing: FxHashMap<Rc<str>, usize> = FxHashMap::default();
        let mut free = |script: &mut ScriptWriter, name: &str, now: usize, next: Option<usize>| {
            if let Some(old) = standing.remove(name)
                && script.outline.last_use[old] < now
            {
                let _ = writeln!(script.text, ":del {name};");
            }
            standing.extend(next.map(|next| (Rc::from(name), next)));
        };
        for at in 0..script.outline.nodes.len() {
            stop::ask(at);
            if script.outline.written[at] == Written::Stated {
                let called = script.plan.called.nodes[at].clone().unwrap_or_default();
                let node = script.outline.nodes[at];
                let stands = (node.is_leaf() && script.plan.passed_on[at]).then_some(at);
                free(script, &called, time(at), stands);
                let start = write_statement(script, at, self.typed_width(node));
                let name = script.outline.names.first.get(&at).copied();
                self.write_comment(&mut script.text, start, name);
            }
            let after = script.outline.names.after.remove(&at).unwrap_or_default();
            for naming in &after {
                if let Some(name) = script.outline.names.name(*naming) {
                    free(script, self.names.name(name), time_of_lists(at), None);
                }
                self.write_naming(script, *naming);
            }
        }
    }

    /// Puts the comments of a name around the statement that binds it, which begins at `start`.
    fn write_comment(&self, text: &mut String, start: usize, name: Option<NameId>) {
        if let Some(comment) = name.and_then(|name| self.names.comment(name)) {
            let statement = text.split_off(start);
            comment.write_around(text, &statement);
        }
    }

    /// Writes the binding of a name after its nodes were made.
    pub(super) fn write_naming(&self, script: &mut ScriptWriter, naming: Naming) {
        let list = match naming {
            Naming::Node(at, name) => {
                let start = script.text.len();
                script.bind(self.names.name(name), at);
                return self.write_comment(&mut script.text, start, Some(name));
            }
            Naming::List(list) => list,
        };
        let (called, outline) = (&script.plan.called, &script.outline);
        let (items, all_new) = called.list_text(outline, list, &mut script.calls);
        script.calls.define(&mut script.text);
        let nodes = outline.names.lists[list].items.iter().flatten();
        let frozen = nodes.filter(|at| outline.nodes[**at].is_frozen()).count();
        let frozen = all_new && 2 * frozen > outline.names.lists[list].items.len();
        let sign = if frozen { "const " } else { "" };
        let widths = self.list_widths(outline, list, all_new);
        let start = script.text.len();
        let _ = writeln!(
            script.text,
            "{sign}{} = {items}{widths};",
            called.lists[list]
        );
        let saved = &outline.names.lists[list];
        let name = (saved.former == 0).then_some(saved.name);
        self.write_comment(&mut script.text, start, name);
        called.write_marks(outline, list, frozen, &mut script.text);
        if widths.is_empty() {
            self.write_widths(called, outline, list, &mut script.text);
        }
    }
}

impl ScriptWriter<'_> {
    /// Binds a name to a node that is there already.
    pub(super) fn bind(&mut self, name: &str, at: usize) {
        let called = self.plan.called.text(&self.outline, at);
        let _ = writeln!(self.text, "{name} = {called};");
        self.last = Some(at);
    }

    /// Binds a helper name to a node that is there already.
    pub(super) fn help(&mut self, at: usize) -> Rc<str> {
        let helper = self.helpers.next();
        self.bind(&helper, at);
        helper
    }
}

/// Writes the statement of a node, and returns where it begins.
fn write_statement(script: &mut ScriptWriter, at: usize, width: Option<f64>) -> usize {
    let ScriptWriter {
        text,
        outline,
        calls,
        plan: SavePlan { called, .. },
        ..
    } = script;
    let node = outline.nodes[at];
    let mut items = Vec::new();
    if !node.is_leaf() {
        expression(outline, called, at, calls, &mut items);
        calls.define(text);
    }
    let start = text.len();
    if node.is_frozen() {
        text.push_str("const ");
    }
    let name = called.nodes[at].as_deref().unwrap_or_default();
    let _ = write!(text, "{name} = ");
    if node.is_leaf() {
        text.push_str(&number(node.data()));
        if let Some(width) = width {
            let _ = write!(text, " ± {}", number(width));
        }
    } else {
        syntax::write_infix(text, &items);
    }
    text.push_str(";\n");
    script.last = Some(at);
    start
}
