//! Keeps the statements for `:save`, as typed and in order.
//!
//! A session keeps each statement that has changed something, answered, run a pass or made nodes, with its comments.
//! Loading the file into an empty session runs the same statements, which give nodes and results the same numbers. The
//! kept statements change through the log: undo removes the statements of a step, and redo restores them.
//!
//! Some statements cannot be typed, or should not run again: a file of data becomes its lists, a search that was
//! stopped or took long becomes a `:set` of its leaves, and a walk becomes the pass with which it ended. A session does
//! not reuse the ids of undone nodes, but the file does not make these nodes. Therefore the file may have `@7` for
//! `@9`.

use std::rc::Rc;

use crate::history::short_text;
use crate::kept::{Keeping, KeptChange, KeptIds, KeptStatement, KeptTarget, Script};
use crate::naming::labels::name;
use crate::saved_text::{number_text, typed_text, wrap};
use crate::state::{Recent, Savepoint, Session, Write};
use crate::target::Target;
use chainrule_engine::graph::{Node, NodeId};
use chainrule_language as language;
use chainrule_language::{Span, StatementSpan, TextPart};

/// The beginning of the first line of a saved session. The version follows.
const TITLE: &str = "# a session of chainrule ";
/// The next part of the line.
const LOAD_ADVICE: &str = ": `:load` brings it back";
/// The end of the line, for a reader who wants to change the file.
const SAVE_WARNING: &str = ", `:save` replaces it\n";

impl Session {
    /// The statements that restore the session.
    pub fn script(&self) -> Script {
        let version = env!("CARGO_PKG_VERSION");
        let mut text = format!("{TITLE}{version}{LOAD_ADVICE}{SAVE_WARNING}");
        let kept = &self.kept.list;
        if kept.texts.starts_with('#') {
            text.push('\n');
        }
        text.push_str(&kept.texts);
        for binding in &*self.waiting {
            text.extend([&*binding.text, ";\n"]);
        }
        // A walk and other looks at a target are not kept, but the next command may be about it.
        let target = self.unsaved_target();
        if let Some(node) = &target {
            text.extend([":graph ", &self.saved_text(node), ";\n"]);
        }
        Script {
            text,
            statements: kept.statements.len() + self.waiting.len() + usize::from(target.is_some()),
        }
    }

    /// The target of commands that look, if the kept statements do not set it.
    fn unsaved_target(&self) -> Option<Rc<Node>> {
        let target = self.target()?;
        let node = self.target_node(target)?;
        let targets = [target, &Target::of_node(&self.names, &node)];
        let kept = targets.map(|it| self.kept_target(it));
        let is_saved = self.kept.target().is_some() && kept.contains(&self.kept.target());
        (!is_saved).then_some(node)
    }

    /// Adds a comment line or a blank line of a source to the next statement.
    pub fn add_remark(&mut self, source_line: &str) {
        let line = source_line.trim();
        if is_saved_session(line.as_bytes()) {
            self.running.is_saved_session = true;
            if let Some(trial) = &mut self.running.trial {
                trial.is_session = trial.is_file;
            }
            return;
        }
        let is_first = self.kept.last().is_none() && self.kept.remarks.is_empty();
        let is_blank = is_first || self.kept.remarks == "\n" || self.kept.remarks.ends_with("\n\n");
        let is_refused = language::statements(line).any(|cut| cut.is_err());
        if !(line.is_empty() && is_blank || is_refused) {
            self.kept.remarks.push_str(line);
            self.kept.remarks.push('\n');
        }
    }

    /// The comments before the running statement, a line each. If there are none, it gets those of the last kept statement.
    pub fn own_or_last_remarks(&mut self) -> &str {
        if self.kept.remarks.is_empty() {
            let lines = self.kept.last_text().split_inclusive('\n');
            let comments = lines.filter(|line| line.starts_with('#'));
            self.kept.remarks = comments.collect();
        }
        &self.kept.remarks
    }

    /// Drops the comments that belong to no statement.
    pub fn forget_remarks(&mut self) {
        self.kept.remarks.clear();
    }

    /// Begins a statement. Replaces the ids in it, `@9`, by the ids that the nodes have in the file.
    pub(super) fn begin_statement(&mut self, text: &str, cut: &StatementSpan) {
        self.program.started = self.newest_id();
        self.lend_names(None);
        self.running.shown.clear();
        self.running.keeping = Keeping {
            before: self.program.started,
            ..Keeping::default()
        };
        let statement = cut.span.of(text);
        if !statement.contains('@') {
            return;
        }
        let before_file = self.newest_id_before_file();
        let mut name_end = None;
        for (part, span) in language::parts(statement) {
            // The `@1` of `a@1` belongs to the name.
            let is_node = part == TextPart::Reference && name_end != Some(span.start);
            name_end = (part == TextPart::Name).then_some(span.end);
            let digits = span.of(statement).strip_prefix('@').filter(|_| is_node);
            if let Some(id) = digits.and_then(|typed| typed.parse::<NodeId>().ok())
                && let Some(saved) = self.kept.saved_number(id.saturating_add(before_file))
                && saved != id
            {
                let [start, end] = [span.start, span.end].map(|at| cut.span.start + at);
                let place = Span { start, end };
                self.keeping().replace_part(place, format!("@{saved}"));
            }
        }
    }

    /// A target as the kept statements have it. `None` for a name that is unknown.
    pub(crate) fn kept_target(&self, target: &Target) -> Option<KeptTarget> {
        match target {
            Target::Name(name) => self.names.id(name).map(KeptTarget::Name),
            Target::Node(node) => Some(KeptTarget::Node(node.id())),
        }
    }

    /// The text of a node in the file: its name or its number.
    fn saved_text(&self, node: &Rc<Node>) -> String {
        let number = || self.kept.saved_number(node.id()).unwrap_or(node.id());
        name(&self.names, node).unwrap_or_else(|| format!("@{}", number()))
    }

    /// The data of a leaf in the file, with its width. The file has no correlations between leaves that were found
    /// together.
    fn saved_data(&self, leaf: &Rc<Node>) -> String {
        let data = number_text(leaf.data());
        match self
            .names
            .uncertain
            .width(leaf)
            .filter(|width| *width > 0.0)
        {
            Some(width) => format!("{data} ± {}", number_text(width)),
            None => data,
        }
    }

    /// Whether a node was made by the running statement or by a kept one. Undone statements are not kept.
    pub(super) fn is_in_use(&self, node: NodeId) -> bool {
        node > self.running.keeping.before || self.kept.saved_number(node).is_some()
    }

    /// The way in which the running statement is kept.
    pub fn keeping(&mut self) -> &mut Keeping {
        &mut self.running.keeping
    }

    /// Saves the target that a command took because none was typed. The file has it at this place, after a keyword.
    pub fn save_target(&mut self, place: usize, keyword: &str, node: &Rc<Node>) {
        let text = format!("{keyword} {}", self.saved_text(node));
        self.keeping().replace_part(Span::new(place, place), text);
        self.keeping().target = self.kept_target(&Target::of_node(&self.names, node));
    }

    /// Forgets the kept statements except those that set the present settings.
    pub(super) fn clear_kept(&mut self) {
        self.write(Write::Kept(KeptChange::All(Box::default())));
        let settings = self.settings.statements(false);
        for setting in settings.split_inclusive('\n') {
            self.keep(setting, true, self.ids_after(self.newest_id()));
        }
        self.keeping().is_unkept = true;
    }

    /// Keeps a statement that has succeeded, if it has done anything that lasts.
    pub(super) fn keep_statement(&mut self, before: &Savepoint, text: &str, cut: &StatementSpan) {
        let keeping = std::mem::take(&mut self.running.keeping);
        if keeping.is_unkept {
            return;
        }
        let targets = &before.recent.targets;
        if targets.keys() != self.recent.targets.keys() {
            self.log.push(Write::Targets(Box::new(targets.clone())));
        }
        let has_drawn = self.program.random != before.random;
        if has_drawn {
            // Sets the position again by a write, which the log then has.
            let position = std::mem::replace(&mut self.program.random, before.random.clone());
            self.write(Write::Random(Box::new(position)));
        }
        let since = || self.log.since(before.mark);
        let is_change = since().any(Write::is_change);
        let has_answered = since().any(|it| matches!(it, Write::Results(_) | Write::Claim(_)));
        let pass_of = |recent: &Recent| recent.pass.as_ref().map(Rc::as_ptr);
        let has_run_pass = pass_of(&before.recent) != pass_of(&self.recent);
        let has_made_nodes = self.newest_id() > before.newest_node;
        let has_effect = is_change || has_answered || has_run_pass || has_made_nodes;
        if !(has_effect || keeping.must_keep) {
            return;
        }
        let mut ids = self.ids_after(before.newest_node);
        let mut instead = keeping.instead;
        if keeping.has_stopped || keeping.work > self.program.limits.repeated_work {
            let made = self.named_leaves_since(before);
            ids = match (made.first(), made.last()) {
                // Searches make only leaves, so that the ids of the leaves are consecutive.
                (Some(first), Some(last)) => KeptIds {
                    first: first.id(),
                    last: last.id(),
                },
                _ => self.ids_after(self.newest_id()),
            };
            instead = Some(self.moved_statement(before, &made, cut.span.of(text), has_run_pass));
        }
        let mut kept = std::mem::take(&mut self.kept.remarks);
        match &instead {
            Some(lines) if lines.is_empty() => kept.clear(),
            Some(lines) => kept.push_str(lines),
            None => {
                let end = keeping.end.unwrap_or(";");
                kept.push_str(&typed_text(text, cut, keeping.parts, end));
            }
        }
        if has_drawn && instead.is_some() {
            kept.push_str(&self.program.random.statements());
        }
        kept.push_str(&keeping.behind);
        if !kept.is_empty() {
            self.keep(&kept, is_change, ids);
            if let Some(last) = self.kept.list.statements.last_mut() {
                last.target = keeping.target.or(last.target.take());
            }
        }
    }

    /// The ids of the nodes that were made after this one.
    fn ids_after(&self, before: NodeId) -> KeptIds {
        KeptIds {
            first: before.saturating_add(1),
            last: self.newest_id(),
        }
    }

    /// Keeps a text as a statement.
    fn keep(&mut self, text: &str, is_change: bool, ids: KeptIds) {
        let count = self.kept.list.statements.len();
        let statement = KeptStatement::new(is_change, self.has_grads(), self.kept.target(), ids);
        self.kept.list.push(text, statement);
        self.log.push(Write::Kept(KeptChange::Shorten(count)));
    }

    /// Drops the last pass, also in the file, because undo and redo do not restore it.
    pub(super) fn drop_pass(&mut self) {
        self.drop_claims();
        self.recent.pass = None;
        if self.kept.last().is_some_and(|it| it.has_grads) {
            self.keep(":zero;\n", true, self.ids_after(self.newest_id()));
        }
    }

    /// The statement that runs a pass from a root.
    pub(super) fn pass_statement(&self, root: &Rc<Node>) -> String {
        format!(":grad {};\n", self.saved_text(root))
    }

    /// The statements that repeat the results of a command without its search: `# :step 0.1 200` and
    /// `:set a 1.7, w[0] 0.5;`. They make the leaves that the command has made, move those that it has moved, and run
    /// its pass.
    fn moved_statement(
        &self,
        before: &Savepoint,
        made: &[Rc<Node>],
        typed: &str,
        has_run_pass: bool,
    ) -> String {
        let mut lines = vec![format!("# {}", short_text(typed))];
        let text = |leaf: &Rc<Node>| self.saved_text(leaf);
        let number = |leaf: &Rc<Node>| self.saved_data(leaf);
        if !made.is_empty() {
            let names: Vec<String> = made.iter().map(text).collect();
            let numbers: Vec<String> = made.iter().map(number).collect();
            lines.push(format!("{} = {};", names.join(", "), numbers.join(", ")));
        }
        let mut moved = self.leaves_since(before);
        moved.retain(|leaf| leaf.id() <= before.newest_node);
        let part = |leaf: &Rc<Node>| format!("{} {}", text(leaf), number(leaf));
        let parts: Vec<String> = moved.iter().map(part).collect();
        if !parts.is_empty() {
            lines.push(format!(":set {};", wrap(&parts.join(", "))));
        }
        if let Some(pass) = self.pass().filter(|_| has_run_pass) {
            let root = self.saved_text(pass.root());
            let mut since = self.log.since(before.mark);
            lines.push(if since.any(|it| matches!(it, Write::AllMove(_))) {
                format!(":step 0 of {root} all;")
            } else {
                format!(":grad {root};")
            });
        }
        lines.join("\n") + "\n"
    }
}

/// Whether a text begins like a session saved by any version.
pub fn is_saved_session(text: &[u8]) -> bool {
    saved_version(text).is_some()
}

/// The version that saved a session, as its first line says. `None` for any other text.
pub fn saved_version(text: &[u8]) -> Option<&str> {
    let first_line = text.split(|&byte| byte == b'\n').next()?;
    let heading = str::from_utf8(first_line).ok()?.strip_prefix(TITLE)?;
    let (version, _) = heading.split_once(LOAD_ADVICE)?;
    let is_number = version.starts_with(|c: char| c.is_ascii_digit()) && !version.contains(' ');
    is_number.then_some(version)
}
