//! What `:save` writes: the statements as they were typed, in order, as far as a later session needs them.
//!
//! Each statement that has succeeded is kept with what it has left behind: a change, a result, or gradients. A saved
//! session has all changes, and the results and passes that one of its later statements reads. The log is a table like
//! all others, so undo takes out the statements of a step, and redo brings them back. Texts stay as they were typed,
//! with four exceptions: a `:set` replaces a search or a step, numbers replace a file of data, a name or an expression
//! replaces the number of a node (`@9`), and a pass that another command has run becomes a `:grad` of its own. What then
//! means something else is marked by a comment, which `:save` tells.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::growth::Growth;
use super::history::Savepoint;
use super::naming::labels::parts::name;
use super::naming::{ANSWERS, labels};
use super::values::Value;
use super::{Session, Write};
use chainrule_engine::graph::Node;
use chainrule_language::{self as language, MAX_CONTINUATION, Span, StatementSpan, TextPart};
use chainrule_report::NumberPart;

/// The first line of a saved session, around the version that wrote it. It tells a reader of the file that `:save` will
/// overwrite changes.
const HEADING: [&str; 3] = [
    "# a session of chainrule ",
    // Versions that counted positions from 1 leave this out.
    ", counted from 0",
    // Older versions end here.
    ": `:load` brings it back",
];
/// Lists longer than this go on in further lines.
const LINE_WIDTH: usize = 100;
/// The most bytes of a command in the comment after its effect.
const COMMENT_LENGTH: usize = 120;

/// A session as text.
#[derive(Debug)]
pub struct Script {
    /// The statements.
    pub text: String,
    /// How many there are.
    pub statements: usize,
}

/// What a statement has left behind or has read, as a set of bits.
type Traces = u8;
/// It changed something, or drew random numbers.
const CHANGE: Traces = 1;
/// It gave a result.
const RESULT: Traces = 2;
/// The gradients are others than before.
const PASS: Traces = 4;
/// It has read gradients of an earlier statement.
const READS: Traces = 8;
/// What is kept of it does not mean the same.
const DIFFERS: Traces = 16;

/// How a comment begins above what does not mean what was typed, since a node has no name that the file could use.
pub const NOT_AS_TYPED: &str = "# not as typed: ";

/// A statement with its comments, in whole lines.
#[derive(Debug)]
pub(super) struct KeptStatement {
    text: String,
    traces: Traces,
}

/// All statements, in order. There may be millions, so their texts stand in one string.
#[derive(Debug, Default)]
pub(super) struct KeptStatements {
    texts: String,
    /// How long the text of each statement is.
    statements: Vec<(u32, Traces)>,
}

/// How the running statement is kept.
#[derive(Debug, Default)]
pub(crate) struct Keeping {
    /// The text to keep in place of what was typed, and whether it does the same.
    instead: Option<(String, bool)>,
    /// Texts to keep in place of parts of what was typed.
    parts: Vec<(Span, String)>,
    /// Statements to keep after it.
    after: String,
    /// Whether to keep where the leaves have moved.
    moved: bool,
    /// The last pass was run again; the text alone might not run it when it is loaded.
    repeated: bool,
    /// What it has read or said, and whether what is kept differs from it.
    traces: Traces,
    /// Whether it has changed the table of kept statements itself, and is not kept.
    is_unkept: bool,
}

impl KeptStatements {
    /// Changes the table, and returns what takes that back.
    pub(super) fn swap(&mut self, change: Growth<KeptStatement>) -> Growth<KeptStatement> {
        change.swap(self.statements.len(), |keep, add| {
            let gone = self.split_off(keep);
            self.extend(add);
            gone
        })
    }

    fn extend(&mut self, statements: impl IntoIterator<Item = KeptStatement>) {
        for KeptStatement { text, traces } in statements {
            self.statements.push((text.len() as u32, traces));
            self.texts.push_str(&text);
        }
    }

    /// Takes out the statements from a place on.
    fn split_off(&mut self, count: usize) -> Vec<KeptStatement> {
        if count == self.statements.len() {
            return Vec::new();
        }
        let taken = self.statements.split_off(count);
        let length: usize = taken.iter().map(|(length, _)| *length as usize).sum();
        let texts = self.texts.split_off(self.texts.len() - length);
        let mut texts = texts.as_str();
        let mut statements = Vec::with_capacity(taken.len());
        for (length, traces) in taken {
            let (text, rest) = texts.split_at(length as usize);
            texts = rest;
            let text = text.to_owned();
            statements.push(KeptStatement { text, traces });
        }
        statements
    }

    /// Forgets those that only gave results.
    pub(crate) fn drop_results(&mut self) {
        let all = self.split_off(0).into_iter();
        self.extend(all.filter(|kept| kept.traces & (CHANGE | PASS) > 0));
    }

    /// The session as text: changes, and the results and passes that a later one of them reads, or all results.
    fn script(&self, mut all_results: bool) -> Script {
        let mut needed = CHANGE;
        let mut written = Vec::new();
        let mut texts = self.texts.as_str();
        for &(length, traces) in self.statements.iter().rev() {
            let (rest, text) = texts.split_at(texts.len() - length as usize);
            texts = rest;
            if traces & needed > 0 || all_results && traces & RESULT > 0 {
                let (last, any) = result_uses(text);
                needed = needed & !traces | CHANGE;
                needed |= if last { RESULT } else { 0 };
                needed |= if traces & READS > 0 { PASS } else { 0 };
                all_results |= any;
                written.push(text);
            }
        }
        written.reverse();
        Script::of(&written)
    }
}

impl Script {
    fn of(written: &[&str]) -> Script {
        let ([begin, from_zero, end], version) = (HEADING, env!("CARGO_PKG_VERSION"));
        let mut text = format!("{begin}{version}{from_zero}{end}, `:save` replaces it\n");
        if written.first().is_some_and(|first| first.starts_with('#')) {
            text.push('\n');
        }
        text.extend(written.iter().copied());
        // `MLP(…)` is one statement here, and several in the file.
        let cuts = written.iter().flat_map(|text| {
            let cuts = language::statements(text).flatten();
            cuts.filter(|cut| !cut.span.of(text).is_empty())
        });
        Script {
            statements: cuts.count(),
            text,
        }
    }
}

impl Session {
    /// The statements that bring the session back.
    pub fn script(&self) -> Script {
        self.kept.script(false)
    }

    /// The statements that bring the session back with all its results, which then have their numbers again.
    pub fn script_with_results(&self) -> Script {
        self.kept.script(true)
    }

    /// Adds a comment line or a blank line of a source to the next statement.
    pub fn add_remark(&mut self, line: &str) {
        let line = line.trim();
        let is_first = self.kept.statements.is_empty() && self.remarks.is_empty();
        let is_blank = is_first || self.remarks == "\n" || self.remarks.ends_with("\n\n");
        let is_refused = language::statements(line).any(|cut| cut.is_err());
        if !(line.is_empty() && is_blank || is_refused || is_saved_session(line.as_bytes())) {
            self.remarks.push_str(line);
            self.remarks.push('\n');
        }
    }

    /// Drops the comments that belong to no statement.
    pub fn forget_remarks(&mut self) {
        self.remarks.clear();
    }

    /// Begins a statement.
    pub(crate) fn begin_statement(&mut self, text: &str, cut: &StatementSpan) {
        self.keeping = Keeping::default();
        self.started = self.newest_id();
        let statement = cut.span.of(text);
        if !statement.contains('@') {
            return;
        }
        let mut name_end = u32::MAX;
        for (part, span) in language::parts(statement) {
            // In `a@1` it belongs to the name.
            let is_node = part == TextPart::Reference && span.start != name_end;
            name_end = if part == TextPart::Name {
                span.end
            } else {
                u32::MAX
            };
            let id = span.of(statement).strip_prefix('@').filter(|_| is_node);
            if let Some(node) = id.and_then(|id| self.node_numbered(id.parse().ok()?)) {
                let [start, end] = [span.start, span.end].map(|at| (cut.span.start + at) as usize);
                let rest = &text[end..];
                let grad = self.grad_to_show(&node).unwrap_or(0.0);
                let mut properties = [(".data", node.data()), (".grad", grad)].into_iter();
                let read = properties.find(|(property, _)| rest.starts_with(property));
                let (end, meant) = match (self.known_text(&node), read) {
                    (Some(known), _) => (end, known),
                    (None, Some((property, number))) => (end + property.len(), number_text(number)),
                    (None, None) => {
                        self.keeping.traces |= DIFFERS;
                        // A command means the node itself.
                        if statement.starts_with(':') || rest.starts_with(".backward") {
                            self.keep_as("");
                            self.keep_moved();
                        }
                        let written = self.written_text(&node);
                        (end, written.unwrap_or_else(|| number_text(node.data())))
                    }
                };
                self.keep_part(Span::new(start, end), meant);
            }
        }
    }

    /// A text that means a node: its name, or `ans`.
    fn known_text(&self, node: &Rc<Node>) -> Option<String> {
        let last = self.results.last().and_then(Value::node);
        let is_last = last.is_some_and(|last| Rc::ptr_eq(last, node))
            && self.names.find(ANSWERS[0]).is_none();
        name(&self.names, node).or_else(|| is_last.then(|| ANSWERS[0].to_owned()))
    }

    /// An expression that computes the same as a node, if it is not too long.
    fn written_text(&self, node: &Rc<Node>) -> Option<String> {
        let operations = labels::operations(&self.names, node);
        (!operations.contains('…')).then(|| format!("({operations})"))
    }

    /// Keeps this text instead of the running statement, whole lines or nothing.
    pub fn keep_as(&mut self, text: impl Into<String>) {
        self.keeping.instead = Some((text.into(), false));
    }

    /// Keeps the running statement as it was typed.
    pub(crate) fn keep_typed(&mut self) {
        self.keeping.instead = None;
    }

    /// Keeps a comment above what is kept instead of the running statement.
    pub fn keep_comment(&mut self, comment: &str) {
        if let Some((text, _)) = &mut self.keeping.instead {
            text.insert_str(0, &format!("# {comment}\n"));
        }
    }

    /// Keeps these statements, a line each, instead of the running one, which does the same.
    pub(crate) fn keep_lines(&mut self, lines: &str) {
        self.keeping.instead = Some((format!("{};\n", lines.replace('\n', ";\n")), true));
    }

    /// Makes the running statement keep where the leaves have moved, after it.
    pub fn keep_moved(&mut self) {
        self.keeping.moved = true;
    }

    /// Keeps a further statement after the running one.
    pub fn keep_after(&mut self, line: &str) {
        self.keeping.after.push_str(line);
    }

    /// Keeps a text instead of a part of the running statement.
    pub fn keep_part(&mut self, span: Span, text: impl Into<String>) {
        let parts = &mut self.keeping.parts;
        // `@3.csv` is a file, and no node is meant in it.
        parts.retain(|(inner, _)| inner.start < span.start || inner.end > span.end);
        parts.push((span, text.into()));
    }

    /// Keeps the node that a command took where none was typed: at this place, behind its keyword if it has one.
    pub(crate) fn keep_target(&mut self, place: usize, keyword: &str, node: &Rc<Node>) {
        if let Some(text) = self.known_text(node).or_else(|| self.written_text(node)) {
            return self.keep_part(Span::new(place, place), format!("{keyword} {text}"));
        }
        self.keep_as("");
        self.keeping.traces |= DIFFERS;
    }

    /// Notes that the running statement reads gradients of earlier statements, or that there are none.
    pub(super) fn note_reads_pass(&mut self) {
        self.keeping.traces |= READS;
    }

    /// Notes that the running statement has run the last pass again.
    pub(super) fn note_repeated_pass(&mut self) {
        self.keeping.repeated = true;
    }

    /// Notes that the running statement claims a gradient.
    pub(super) fn note_claimed_grad(&mut self) {
        self.keeping.traces |= PASS;
    }

    /// Leaves the running statement out, because it has changed the table itself.
    pub(super) fn leave_unkept(&mut self) {
        self.keeping.is_unkept = true;
    }

    /// Empties the table. Settings stay.
    pub(super) fn clear_kept(&mut self) {
        self.write(Write::Kept(Growth::All(Vec::new())));
        for setting in self.settings.statements(true).split_inclusive('\n') {
            self.keep(CHANGE, setting.to_owned());
        }
        self.leave_unkept();
    }

    /// Keeps a statement that has succeeded, if a saved session may need it.
    pub(crate) fn keep_statement(&mut self, before: &Savepoint, text: &str, cut: &StatementSpan) {
        let keeping = std::mem::take(&mut self.keeping);
        let (changed, answered) = self.changed_since(before);
        let drew = self.random != before.random;
        let passes = [&before.recent.pass, &self.recent.pass].map(|it| it.as_ref().map(Rc::as_ptr));
        let has_run = passes[0] != passes[1];
        let passed = keeping.traces & PASS > 0 || has_run;
        if keeping.is_unkept || !(changed || answered || passed || drew) {
            return;
        }
        if drew {
            let place = std::mem::replace(&mut self.random, before.random.clone());
            self.write(Write::Random(Box::new(place)));
        }
        let is_kept = changed || answered || passed;
        let leaves = if keeping.moved {
            self.leaves_since(before)
        } else {
            Vec::new()
        };
        let is_unnamed = |leaf: &Rc<Node>| name(&self.names, leaf).is_none();
        let differs = keeping.traces & DIFFERS > 0 || leaves.iter().any(is_unnamed);
        let is_same = keeping.instead.as_ref().is_none_or(|(_, same)| *same);
        let passes_alone = is_same && !keeping.repeated;
        let comment = if is_kept {
            comment_behind(text, cut)
        } else {
            ""
        };
        let mut lines = match keeping.instead {
            Some((text, _)) => text,
            None if !is_kept => String::new(),
            None => kept_line(text, cut, keeping.parts, comment),
        };
        lines.push_str(&keeping.after);
        let typed = cut.span.of(text);
        lines.push_str(&self.set_statement(&leaves, typed));
        if differs {
            lines.insert_str(0, &not_as_typed(typed));
        }
        if is_kept && !self.remarks.is_empty() {
            let remarks = std::mem::take(&mut self.remarks);
            if !lines.is_empty() {
                lines.insert_str(0, &remarks);
            }
        }
        let mut traces = 0;
        for (holds, trace) in [
            (changed || drew && is_same, CHANGE),
            (answered, RESULT),
            (passed && passes_alone, PASS),
            (keeping.traces & READS > 0 && is_same, READS),
        ] {
            traces |= if holds { trace } else { 0 };
        }
        if !lines.is_empty() {
            self.keep(traces, lines);
        }
        if has_run && !passes_alone {
            self.keep_last_pass(typed);
        }
        if drew && !(is_kept && is_same) {
            let place = self.random.statements();
            self.keep(CHANGE, place);
        }
    }

    fn keep(&mut self, traces: Traces, text: String) {
        let statement = KeptStatement { text, traces };
        self.write(Write::Kept(Growth::Add(vec![statement])));
    }

    /// Keeps the last pass as a statement of its own. Where no text means its root, that is the pass of what is below it.
    fn keep_last_pass(&mut self, typed: &str) {
        let Some(pass) = self.pass() else {
            return self.keep(PASS, ":zero;\n".to_owned());
        };
        let mut nodes = pass.order().nodes().iter();
        let text = |node| self.known_text(node).or_else(|| self.written_text(node));
        let of_root = nodes.next().and_then(text);
        let mark = of_root
            .as_ref()
            .map_or(not_as_typed(typed), |_| String::new());
        let root = of_root.or_else(|| nodes.find_map(|node| name(&self.names, node)));
        let line = root.map_or(":zero".to_owned(), |root| format!(":grad {root}"));
        self.keep(PASS, format!("{mark}{line};\n"));
    }

    /// Keeps the statements that led to the last pass, though they were undone: undo does not take a pass back.
    pub(super) fn keep_undone_pass(&mut self) {
        let (mut text, mut traces, mut steps) = (String::new(), 0, 0);
        let mut has_reset = false;
        for write in self.journal.last_undone_writes() {
            let Write::Kept(taken) = write else { continue };
            let Growth::Add(taken) = taken else {
                has_reset = true;
                continue;
            };
            for statement in taken {
                text.push_str(&statement.text);
                traces |= statement.traces;
                if statement.traces & CHANGE > 0 {
                    steps += language::statements(&statement.text).count();
                }
            }
        }
        if has_reset {
            // It has forgotten the passes that are in the table again.
            self.keep(PASS, ":zero;\n".to_owned());
        } else if traces & PASS > 0 {
            self.keep(traces & (PASS | READS), format!("{text}:undo {steps};\n"));
        }
    }

    /// Forgets the passes of the statements from a place on, since a redo does not run passes again.
    pub(super) fn forget_redone_passes(&mut self, first: usize) {
        for (_, traces) in self.kept.statements.iter_mut().skip(first) {
            if *traces & CHANGE == 0 {
                *traces &= !PASS;
            }
        }
    }

    /// How many statements are kept.
    pub(super) fn statement_count(&self) -> usize {
        self.kept.statements.len()
    }

    /// `:set a 1.7, w [0.5, 2];  # :step 0.1 200`: where the leaves of a command have moved.
    fn set_statement(&self, leaves: &[Rc<Node>], typed: &str) -> String {
        // Whether all items of a list are its own leaves, so that it is written whole, once.
        let mut lists: FxHashMap<String, bool> = FxHashMap::default();
        let mut text = String::new();
        for leaf in leaves {
            let Some(name) = name(&self.names, leaf) else {
                continue;
            };
            let list = self.names.lists_of(leaf).next();
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
                    format!("{list} {}", numbers_text(&Value::List(items.clone())))
                }
                _ => format!("{name} {}", number_text(leaf.data())),
            };
            let line = text.rsplit('\n').next().unwrap_or_default();
            text.push_str(match line.len() {
                0 => ":set ",
                // A backslash goes on in the next line.
                length if length + part.len().min(LINE_WIDTH) > LINE_WIDTH => ", \\\n    ",
                _ => ", ",
            });
            text.push_str(&part);
        }
        if text.is_empty() {
            return text;
        }
        format!("{text};  # {}\n", comment_text(typed))
    }
}

/// A statement as a comment has it.
fn comment_text(typed: &str) -> String {
    let typed = typed.split_whitespace().collect::<Vec<_>>().join(" ");
    typed[..typed.floor_char_boundary(COMMENT_LENGTH)]
        .trim_end()
        .to_owned()
}

/// The comment above what is kept instead of a statement that means a node without a name.
fn not_as_typed(typed: &str) -> String {
    format!("{NOT_AS_TYPED}{}\n", comment_text(typed))
}

/// Whether a statement uses the last result, and whether it uses one by its number.
fn result_uses(text: &str) -> (bool, bool) {
    let (mut last, mut any) = (false, false);
    if text.contains("ans") || text.contains(['_', '$']) {
        for (part, span) in language::parts(text) {
            let word = span.of(text);
            last |= part == TextPart::Name && ANSWERS.contains(&word);
            any |= part == TextPart::Reference && word.starts_with('$');
        }
    }
    (last, any)
}

/// The comment after a statement on its line.
fn comment_behind<'t>(text: &'t str, cut: &StatementSpan) -> &'t str {
    let rest = &text[cut.span.end as usize..];
    let comment = rest.trim_start_matches([' ', '\t', ';']);
    if !comment.starts_with('#') {
        return "";
    }
    let start = rest.len() - comment.len();
    let end = comment.find('\n').map_or(rest.len(), |end| start + end);
    rest[start..end].trim_end()
}

/// A statement with other texts in place of parts of it, `;` at its end, and the comment behind it.
fn kept_line(
    text: &str,
    cut: &StatementSpan,
    mut parts: Vec<(Span, String)>,
    comment: &str,
) -> String {
    parts.sort_by_key(|(span, _)| span.start);
    let mut made = String::new();
    let mut at = cut.span.start as usize;
    for (span, part) in &parts {
        made.push_str(&text[at..span.start as usize]);
        made.push_str(part);
        at = span.end as usize;
    }
    made.push_str(&text[at..cut.span.end as usize]);
    // A comment may stand behind the last line of a block, and a `;` there is part of that line.
    let (code, last_comment) = made.split_at(language::code_end(&made));
    let code = code.trim().trim_end_matches(';');
    let gap = if comment.is_empty() { "" } else { "  " };
    [code, ";", last_comment.trim_end(), gap, comment, "\n"].concat()
}

/// The text of a number, which reads back to the same bits. Values that are not finite are written as quotients, because
/// the names `inf` and `nan` may be bound by the user.
pub(crate) fn number_text(value: f64) -> String {
    if value.is_nan() {
        "0/0".to_string()
    } else if value.is_infinite() {
        format!("{}1/0", if value < 0.0 { "-" } else { "" })
    } else {
        language::literal(value, false)
    }
}

/// The numbers of a value: `3`, `[1, 2]`. Long lists go on in further lines.
pub(crate) fn numbers_text(value: &Value) -> String {
    let count = value.nodes().len();
    let lines = MAX_CONTINUATION - 10;
    let mut text = String::with_capacity(8 * count);
    let (mut first, mut line, mut done) = (true, 0, 0);
    for part in value.parts() {
        if part != NumberPart::Close && !std::mem::take(&mut first) {
            // Lines are longer if the numbers would need more than `lines` of them.
            let is_full = text.len() - line > LINE_WIDTH && done >= count / lines;
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
                text.push_str(&number_text(value));
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
pub fn is_saved_session(text: &[u8]) -> bool {
    counts_from_zero(text).is_some()
}

/// Whether the positions of a saved session count from 0, as its first line says; none if the text is no such session.
pub fn counts_from_zero(text: &[u8]) -> Option<bool> {
    let line = text.split(|&byte| byte == b'\n').next()?;
    let line = str::from_utf8(line).ok()?.strip_prefix(HEADING[0])?;
    let (version, _) = line.split_once(HEADING[2])?;
    let number = version.strip_suffix(HEADING[1]).unwrap_or(version);
    let is_number = number.starts_with(|c: char| c.is_ascii_digit()) && !number.contains(' ');
    is_number.then_some(number != version)
}
