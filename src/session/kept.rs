//! The statements of a saved session: those that changed something, as they were typed.
//!
//! They are a table with a log like all others, so undo takes out the statements of a step, redo brings them back, and
//! the statements of a loaded file come in as one step. What a statement takes from outside of the saved session is
//! replaced when it is kept: gradients by their numbers, a search or a training by where it has led.

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::history::Savepoint;
use super::logged::{Growth, Keyed};
use super::naming::ANSWERS;
use super::naming::atoms::name;
use super::values::Value;
use super::{Error, Session};
use crate::diagnostic::Diagnostic;
use crate::graph::{Node, NodeId};
use crate::report::NumberPart;
use crate::syntax::{self, Cut, MAX_CONTINUATION, Span, TextPart};

/// The first line of a saved session, around the version that wrote it. It tells a reader of the file that `:save` will
/// overwrite changes.
const HEADING: (&str, &str) = (
    "# a session of chainrule ",
    ": `:load` brings it back, `:save` replaces it\n",
);
/// The beginning of the second part, which is the same in all versions.
const BEGUN: &str = ": `:load` brings it back";
/// Lists longer than this go on in further lines.
const WIDTH: usize = 100;
/// The most gradients in a statement that brings them back.
const GRADS_A_LINE: usize = 1_000;
/// How much of a command stands behind what it has led to.
const TOLD: usize = 120;

/// A session as text.
#[derive(Debug)]
pub struct Script {
    /// The statements.
    pub text: String,
    /// How many there are.
    pub statements: usize,
}

/// A statement with its comments, in whole lines.
#[derive(Debug)]
pub(super) struct KeptStatement {
    text: String,
    facts: StatementFacts,
}

/// What is known of a statement besides its text.
#[derive(Debug)]
struct StatementFacts {
    /// It changes something; any other only gave a result, which a later one may use.
    changes: bool,
    /// It draws random numbers.
    draws: bool,
    /// The leaves that it sets, if it does nothing else.
    sets: Box<[NodeId]>,
}

/// All statements, in order. There may be millions, so their texts stand in one string.
#[derive(Debug, Default)]
pub(super) struct KeptStatements {
    texts: String,
    /// How long the text of each statement is.
    statements: Vec<(u32, StatementFacts)>,
}

impl Keyed for KeptStatements {
    type Key = ();
    type Value = Growth<KeptStatement>;

    fn swap(&mut self, (): &(), change: Growth<KeptStatement>) -> Growth<KeptStatement> {
        match change {
            Growth::Add(statements) => {
                let count = self.statements.len();
                self.extend(statements);
                Growth::Shorten(count)
            }
            Growth::Shorten(count) => Growth::Add(self.split_off(count)),
            Growth::All(all) => {
                let before = self.split_off(0);
                self.extend(all);
                Growth::All(before)
            }
        }
    }
}

/// What is kept in place of a statement.
#[derive(Debug)]
struct Instead {
    text: String,
    /// It draws the same random numbers.
    draws: bool,
}

/// How the running statement is kept.
#[derive(Debug, Default)]
pub(crate) struct Keeping {
    /// This is kept instead of what was typed; nothing if it is empty.
    instead: Option<Instead>,
    /// The statement has changed the table itself.
    done: bool,
    /// The leaves that have moved are kept, too.
    moved: bool,
    /// The statement does nothing else than to set leaves.
    sets: bool,
    /// These statements follow.
    after: String,
    /// What stands instead of parts of the text.
    parts: Vec<(Span, String)>,
    /// The number of a node without a name.
    unnamed: Option<Span>,
}

impl KeptStatements {
    fn extend(&mut self, statements: impl IntoIterator<Item = KeptStatement>) {
        for KeptStatement { text, facts } in statements {
            self.statements.push((text.len() as u32, facts));
            self.texts.push_str(&text);
        }
    }

    /// Takes out the statements from a place on.
    fn split_off(&mut self, count: usize) -> Vec<KeptStatement> {
        let taken = self.statements.split_off(count);
        let length: usize = taken.iter().map(|(length, _)| *length as usize).sum();
        let texts = self.texts.split_off(self.texts.len() - length);
        let mut texts = texts.as_str();
        let mut statements = Vec::with_capacity(taken.len());
        for (length, facts) in taken {
            let (text, rest) = texts.split_at(length as usize);
            texts = rest;
            let text = text.to_owned();
            statements.push(KeptStatement { text, facts });
        }
        statements
    }

    /// Forgets those that only gave results.
    pub(crate) fn drop_results(&mut self) {
        let all = self.split_off(0).into_iter();
        self.extend(all.filter(|kept| kept.facts.changes || kept.facts.draws));
    }

    /// Which of them are written: those that changed something, and results that a later one of these uses.
    fn written(&self) -> Vec<&str> {
        let (mut last_used, mut all_used) = (false, false);
        let mut written = Vec::new();
        let mut texts = self.texts.as_str();
        for (length, facts) in self.statements.iter().rev() {
            let (rest, text) = texts.split_at(texts.len() - *length as usize);
            texts = rest;
            if facts.changes || facts.draws || all_used || last_used {
                last_used &= facts.changes;
                let (last, any) = results_used(text);
                last_used |= last;
                all_used |= any;
                written.push(text);
            }
        }
        written.reverse();
        written
    }
}

impl Session {
    /// The statements that bring the session back.
    pub fn script(&self) -> Script {
        let written = self.kept.written();
        let mut text = [HEADING.0, env!("CARGO_PKG_VERSION"), HEADING.1].concat();
        if written.first().is_some_and(|first| first.starts_with('#')) {
            text.push('\n');
        }
        text.extend(written.iter().copied());
        Script {
            text,
            statements: written.len(),
        }
    }

    /// Takes a comment line or a blank line of a source: it belongs to the next statement.
    pub fn remark(&mut self, line: &str) {
        let line = line.trim();
        let is_first = self.kept.statements.is_empty() && self.remarks.is_empty();
        let is_blank = is_first || self.remarks == "\n" || self.remarks.ends_with("\n\n");
        let is_refused = syntax::statements(line).any(|cut| cut.is_err());
        if !(line.is_empty() && is_blank || is_refused || opens_saved(line.as_bytes())) {
            self.remarks.push_str(line);
            self.remarks.push('\n');
        }
    }

    /// Drops the comments that no statement has taken.
    pub fn forget_remarks(&mut self) {
        self.remarks.clear();
    }

    /// Keeps this text instead of the running statement; nothing if it is empty.
    pub fn keep_as(&mut self, text: impl Into<String>) {
        self.keeping.instead = Some(Instead {
            text: text.into(),
            draws: false,
        });
    }

    /// Keeps this text instead of the running statement, in which it was run, behind some lines.
    pub(crate) fn keep_lines(&mut self, before: &str, text: &str) {
        let end = if text.ends_with(';') { "\n" } else { ";\n" };
        self.keeping.instead = Some(Instead {
            text: [before, text, end].concat(),
            draws: true,
        });
    }

    /// Keeps a block as this text, behind statements that bring back the gradients from before it that it has read: the
    /// pass of a sum gives each leaf its factor.
    pub(crate) fn keep_block(&mut self, text: &str, read: &[(f64, Rc<Node>)]) -> Result<(), Error> {
        let mut lines = String::new();
        for grads in read.chunks(GRADS_A_LINE) {
            let mut parts = Vec::with_capacity(grads.len());
            for (grad, node) in grads {
                let called = name(&self.names, node);
                let called = called.filter(|it| node.is_leaf() && !it.contains('@'));
                let called = called.ok_or_else(|| {
                    let label = self.label(node);
                    let message = format!(
                        "the gradient of `{label}` is from before the block, and could not be saved with it"
                    );
                    let help = "give it a name before the block and use that: `g = L.grad`";
                    Diagnostic::new(message).help(help)
                })?;
                parts.push(format!("({})*{called}", number(*grad)));
            }
            let sum = parts.join(", ");
            let begin = if lines.is_empty() { ":zero;\n" } else { "" };
            lines.extend([begin, ":backward sum([", &sum, "]);\n"]);
        }
        self.keep_lines(&lines, text);
        Ok(())
    }

    /// Keeps where the leaves have moved, behind the running statement.
    pub fn keep_moved(&mut self) {
        self.keeping.moved = true;
    }

    /// The running statement only sets leaves: it is not kept if these move directly afterwards.
    pub fn keep_setting(&mut self) {
        self.keeping.sets = true;
    }

    /// Keeps a further statement behind the running one.
    pub fn keep_after(&mut self, line: &str) {
        self.keeping.after.push_str(line);
    }

    /// Keeps a text instead of a part of the running statement.
    pub fn keep_part(&mut self, span: Span, text: impl Into<String>) {
        self.keeping.parts.push((span, text.into()));
    }

    /// The running statement has read gradients.
    pub(super) fn keep_grads(&mut self, text: &str, span: Span, grads: &Value) {
        let before = text[..span.start as usize].trim_end();
        let numbers = numbers(grads);
        let is_operand = !before.ends_with(['=', '(', '[', ',']);
        let has_sign = numbers.starts_with('-') || numbers.contains('/');
        self.keeping.parts.push(if is_operand && has_sign {
            (span, format!("({numbers})"))
        } else {
            (span, numbers)
        });
    }

    /// The running statement refers to a node by its number, in whose place its name is kept. A result that is only shown
    /// may be of one without a name.
    pub(super) fn keep_node(&mut self, span: Span, node: &Node) {
        let name = name(&self.names, node);
        if name.is_none() {
            self.keeping.unnamed = Some(span);
        }
        self.keep_part(span, name.unwrap_or_else(|| number(node.data())));
    }

    /// The running statement has changed the table itself, and is not kept.
    pub(super) fn keep_no_more(&mut self) {
        self.keeping.done = true;
    }

    /// Begins a statement.
    pub(crate) fn begin_statement(&mut self) {
        self.keeping = Keeping::default();
    }

    /// Empties the table. Settings stay.
    pub(super) fn keep_nothing(&mut self) {
        self.kept.write((), Growth::All(Vec::new()));
        for setting in self.settings.statements(true).split_inclusive('\n') {
            self.keep(true, false, Vec::new(), setting.to_owned());
        }
        self.keep_no_more();
    }

    /// Keeps a statement that has succeeded, if it is part of a saved session.
    pub(crate) fn keep_statement(
        &mut self,
        before: &Savepoint,
        text: &str,
        cut: &Cut,
    ) -> Result<(), Error> {
        let (changed, answered) = self.changed_since(before);
        // A `:set` to the present data is kept too: it may stand for a longer way that has led back.
        let changed = changed || self.keeping.sets;
        let drew = self.drew_since(before);
        if self.keeping.done || !(changed || answered || drew) {
            return Ok(());
        }
        let keeping = std::mem::take(&mut self.keeping);
        let typed = cut.span.of(text).trim();
        let is_kept = changed || answered;
        let as_typed = is_kept && keeping.instead.as_ref().is_none_or(|it| it.draws);
        if let Some(span) = keeping.unnamed.filter(|_| changed && as_typed) {
            let node = span.of(text);
            let message = format!("`{node}` has no name, and a saved session has other numbers");
            let help = "use the expression that it stands for, with a name of its own: `n = a*b`";
            return Err(Diagnostic::new(message).at(span).help(help).into());
        }
        let comment = if is_kept { behind(text, cut) } else { "" };
        let gap = if comment.is_empty() { "" } else { "  " };
        let mut lines = match keeping.instead {
            Some(instead) => instead.text,
            None if !is_kept => String::new(),
            None => [
                &with_parts(text, cut, keeping.parts)?,
                ";",
                gap,
                comment,
                "\n",
            ]
            .concat(),
        };
        lines.push_str(&keeping.after);
        let mut sets = Vec::new();
        if keeping.sets || keeping.moved {
            let leaves = self.leaves_since(before);
            if keeping.sets || lines.is_empty() {
                sets = leaves.iter().map(|leaf| leaf.id()).collect();
            }
            if keeping.moved {
                if self.overtakes_last(&sets) {
                    let before = self.kept.statements.len() - 1;
                    self.kept.write((), Growth::Shorten(before));
                }
                lines.push_str(&self.moved(&leaves, typed));
            }
        }
        if is_kept && !self.remarks.is_empty() {
            let remarks = std::mem::take(&mut self.remarks);
            if !lines.is_empty() {
                lines.insert_str(0, &remarks);
            }
        }
        if !lines.is_empty() {
            self.keep(changed, drew, sets, lines);
        }
        if drew && !as_typed {
            let place = self.random.statement();
            self.keep(true, false, Vec::new(), place);
        }
        Ok(())
    }

    fn keep(&mut self, changes: bool, draws: bool, sets: Vec<NodeId>, text: String) {
        let facts = StatementFacts {
            changes,
            draws,
            sets: sets.into(),
        };
        let statement = KeptStatement { text, facts };
        self.kept.write((), Growth::Add(vec![statement]));
    }

    /// `:set a 1.7, w [0.5, 2];  # :step 0.1 200`: where the leaves of a command have moved.
    fn moved(&self, leaves: &[Rc<Node>], typed: &str) -> String {
        // Whether all items of a list are its own leaves, so that it is written whole, once.
        let mut lists: FxHashMap<String, bool> = FxHashMap::default();
        let mut text = String::new();
        for leaf in leaves {
            let name = name(&self.names, leaf);
            let name = name.unwrap_or_else(|| format!("@{}", leaf.id()));
            let plain = self.names.plain_of(leaf).next().is_some();
            let list = self.names.lists_of(leaf).next().filter(|_| !plain);
            let is_own = |name: &str, item: &Rc<Node>| {
                let first = self.names.lists_of(item).next();
                let is_first = first.is_some_and(|(first, ..)| first == name);
                item.is_leaf() && is_first && self.names.plain_of(item).next().is_none()
            };
            let part = match list {
                Some((list, ..)) if lists.get(list) == Some(&true) => continue,
                Some((list, items, _))
                    if *lists
                        .entry(list.to_owned())
                        .or_insert_with(|| items.nodes().iter().all(|item| is_own(list, item))) =>
                {
                    format!("{list} {}", numbers(&Value::List(items.clone())))
                }
                _ => format!("{name} {}", number(leaf.data())),
            };
            let line = text.rsplit('\n').next().unwrap_or_default();
            text.push_str(match line.len() {
                0 => ":set ",
                // A backslash goes on in the next line.
                length if length + part.len().min(WIDTH) > WIDTH => ", \\\n    ",
                _ => ", ",
            });
            text.push_str(&part);
        }
        let typed = typed.split_whitespace().collect::<Vec<_>>().join(" ");
        let told = typed[..typed.floor_char_boundary(TOLD)].trim_end();
        if text.is_empty() {
            return text;
        }
        format!("{text};  # {told}\n")
    }

    /// Whether the last statement only sets leaves that are all set again.
    fn overtakes_last(&self, sets: &[NodeId]) -> bool {
        let last = self.kept.statements.last();
        let last = last.map_or(&[][..], |(_, last)| &last.sets);
        let again: FxHashSet<NodeId> = sets.iter().copied().collect();
        !last.is_empty() && last.iter().all(|leaf| again.contains(leaf))
    }
}

/// Whether a statement uses the last result, and whether it uses one by its number.
fn results_used(text: &str) -> (bool, bool) {
    let (mut last, mut any) = (false, false);
    if text.contains("ans") || text.contains(['_', '$']) {
        for (part, span) in syntax::parts(text) {
            let word = span.of(text);
            last |= part == TextPart::Name && ANSWERS.contains(&word);
            any |= part == TextPart::Reference && word.starts_with('$');
        }
    }
    (last, any)
}

/// The comment behind a statement on its line.
fn behind<'t>(text: &'t str, cut: &Cut) -> &'t str {
    let rest = &text[cut.span.end as usize..];
    let comment = rest.trim_start_matches([' ', '\t', ';']);
    if !comment.starts_with('#') {
        return "";
    }
    let start = rest.len() - comment.len();
    let end = comment.find('\n').map_or(rest.len(), |end| start + end);
    rest[start..end].trim_end()
}

/// A statement with other texts instead of parts of it.
fn with_parts(text: &str, cut: &Cut, mut parts: Vec<(Span, String)>) -> Result<String, Error> {
    // Those of a text that was run on the way have other places.
    parts.retain(|(span, _)| text.get(span.start as usize..span.end as usize).is_some());
    parts.sort_by_key(|(span, _)| (span.start, std::cmp::Reverse(span.end)));
    let mut made = String::new();
    let mut at = cut.span.start as usize;
    for pair in parts.windows(2) {
        if let [(span, one), (other, two)] = pair
            && span == other
            && one != two
        {
            let read = span.of(text);
            return Err(
                Diagnostic::new(format!("`{read}` is another number in each round"))
                    .at(*span)
                    .help("the gradients of a list are read at once, before the loop: `g = w.grad`")
                    .into(),
            );
        }
    }
    for (span, part) in &parts {
        if span.start as usize >= at {
            made.push_str(&text[at..span.start as usize]);
            made.push_str(part);
            at = span.end as usize;
        }
    }
    made.push_str(&text[at..cut.span.end as usize]);
    Ok(made.trim().to_owned())
}

/// The text of a number, which reads back to the same bits. Values that are not finite are written as quotients, because
/// the names `inf` and `nan` may be bound by the user.
pub(crate) fn number(value: f64) -> String {
    if value.is_nan() {
        "0/0".to_string()
    } else if value.is_infinite() {
        format!("{}1/0", if value < 0.0 { "-" } else { "" })
    } else {
        syntax::literal(value, false)
    }
}

/// The numbers of a value: `3`, `[1, 2]`. Long lists go on in further lines.
pub(crate) fn numbers(value: &Value) -> String {
    let count = value.nodes().len();
    let lines = MAX_CONTINUATION - 10;
    let mut text = String::with_capacity(8 * count);
    let (mut first, mut line, mut done) = (true, 0, 0);
    for part in value.parts() {
        if part != NumberPart::Close && !std::mem::take(&mut first) {
            // So many lines hold all numbers.
            let is_full = text.len() - line > WIDTH && done >= count / lines;
            text.push_str(if is_full { ",\n    " } else { ", " });
            if is_full {
                (line, done) = (text.len(), 0);
            }
        }
        match part {
            NumberPart::Open => {
                text.push('[');
                first = true;
            }
            NumberPart::Number(value) => {
                text.push_str(&number(value));
                done += 1;
            }
            NumberPart::Close => {
                text.push(']');
                first = false;
            }
        }
    }
    text
}

/// Whether a text begins like a session saved by any version.
pub fn opens_saved(text: &[u8]) -> bool {
    let line = text.split(|&byte| byte == b'\n').next();
    line.and_then(|line| str::from_utf8(line).ok())
        .and_then(|line| line.strip_prefix(HEADING.0)?.split_once(BEGUN))
        .is_some_and(|(version, _)| {
            version.starts_with(|c: char| c.is_ascii_digit()) && !version.contains(' ')
        })
}

/// A line of a saved session, without what only earlier versions wrote: `:del a as unnamed`, `:del a@1`,
/// `:set … corr [[1]]`. Says what is left out.
pub fn in_plain_statements(line: &str) -> Option<(String, &'static str)> {
    if line.starts_with(":set ") {
        let (before, _) = line.split_once(" corr [[")?;
        return Some((format!("{before};"), "the correlations of a fit"));
    }
    let name = line.strip_prefix(":del ")?;
    let before = match name.split_once(" as ") {
        Some((name, _)) => format!(":del {name};"),
        None if name.contains('@') => String::new(),
        None => return None,
    };
    Some((before, "what a deleted name is called"))
}
