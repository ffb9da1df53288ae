//! Reads the text of a block into steps: lines, loops and choices, each with its body.
//!
//! A line is translated when it first runs, because its meaning depends on the names that exist then.

use std::cell::OnceCell;
use std::iter::Peekable;
use std::ops::Range;
use std::vec::IntoIter;

use crate::interpret::python::{self, Meaning, PythonLine, python_lines};
use crate::session::Session;
use chainrule_language::{self as language, TextPart};
use chainrule_report::diagnostic::Diagnostic;

/// How deep blocks may be nested, as in Python.
const MOST_NESTED: usize = 20;

/// A step of a block.
pub(super) enum BlockStep {
    /// A statement.
    Line(BlockCode),
    /// `p.grad = 0` with its node; none for `n.zero_grad()`, which zeroes all.
    Zero(Option<BlockCode>),
    /// `for k in range(20):`
    For(Repetition),
    /// `if k % 10 == 0:`, with `elif` and `else`, whose condition is missing.
    If(Vec<(Option<BlockCode>, Vec<BlockStep>)>),
    /// `return y`, in a function.
    Return(Option<BlockCode>),
}

/// A loop: the names of its variables, the list that it goes through, and its body.
pub(super) struct Repetition {
    pub(super) names: Vec<String>,
    pub(super) over: BlockCode,
    pub(super) body: Vec<BlockStep>,
    /// Set if the body only moves and zeroes the leaves of the list: for each line the formula of their new data, or
    /// none if the line zeroes them.
    pub(super) update: Option<Vec<Option<BlockCode>>>,
}

/// A piece of the block.
pub(super) struct BlockCode {
    /// Its text.
    pub(super) text: String,
    /// Its place in the text of the block.
    pub(super) place: Range<usize>,
    /// Its translation, once it has run.
    pub(super) own: OnceCell<String>,
}

impl BlockCode {
    pub(super) fn new(text: impl Into<String>, place: Range<usize>) -> BlockCode {
        let (text, own) = (text.into(), OnceCell::new());
        BlockCode { text, place, own }
    }
}

/// Reads the steps of a text from `start` on. With `returns`, it is the body of a function and may have `return`.
pub(super) fn read_steps(
    session: &Session,
    text: &str,
    start: usize,
    returns: bool,
) -> Result<Vec<BlockStep>, Diagnostic> {
    let lines = python_lines(text, start);
    for line in &lines {
        let parts = language::parts(line.code).into_iter();
        let mut references = parts.filter(|(part, _)| *part == TextPart::Reference);
        if let Some((_, span)) = references.next() {
            let typed = span.of(line.code);
            let message = format!("`{typed}` is not allowed in a block");
            let error = Diagnostic::new(message).at(span).behind(line.place.start);
            return Err(error.help("give the node a name and use that"));
        }
    }
    let mut reader = StepReader {
        session,
        lines: lines.into_iter().peekable(),
        returns,
    };
    let indent = reader.lines.peek().map_or(0, |line| line.indent);
    let steps = reader.read_steps(indent, 0)?;
    match reader.lines.next() {
        None => Ok(steps),
        Some(line) => Err(indent_error(&line)),
    }
}

fn indent_error(line: &PythonLine) -> Diagnostic {
    Diagnostic::new("this line is indented neither as the one above it nor as one before")
        .at(line.place.clone())
        .help("the lines of a block begin in the same column")
}

struct StepReader<'t> {
    session: &'t Session,
    lines: Peekable<IntoIter<PythonLine<'t>>>,
    returns: bool,
}

impl StepReader<'_> {
    /// Reads the steps of the lines that have this indent.
    fn read_steps(&mut self, indent: usize, depth: usize) -> Result<Vec<BlockStep>, Diagnostic> {
        let mut steps: Vec<BlockStep> = Vec::new();
        while let Some(line) = self.lines.next_if(|line| line.indent >= indent) {
            let code = line.code;
            if line.indent > indent {
                return Err(indent_error(&line));
            }
            let at = |error: Diagnostic| error.at(line.place.clone());
            let word = code
                .split(|c: char| !c.is_alphabetic())
                .next()
                .unwrap_or_default();
            let head = language::head_end(code).map(|end| code[..end - 1].trim_end());
            if word == "return" && self.returns {
                let value = code[word.len()..].trim();
                let value =
                    (!value.is_empty()).then(|| BlockCode::new(format!("({value})"), line.place));
                steps.push(BlockStep::Return(value));
                continue;
            }
            if let Some(Meaning::Refused(error)) = python::row(self.session, code, "blocks") {
                return Err(at(error));
            }
            let Some(head) = head else {
                steps.push(read_step(code, line.place));
                continue;
            };
            let piece = |text: &str| {
                let start = line.place.start + (text.as_ptr() as usize - code.as_ptr() as usize);
                BlockCode::new(text, start..start + text.len())
            };
            if word == "for" {
                let (names, over) = head["for".len()..].split_once(" in ").ok_or_else(|| {
                    let help = "as in `for k in range(20):`";
                    at(Diagnostic::new("`for` needs a list to go over").help(help))
                })?;
                let names: Vec<&str> = names.split(',').map(str::trim).collect();
                if let Some(wrong) = names.iter().find(|it| !language::is_name(it)) {
                    let message = format!("`{wrong}` is not a name");
                    let help = "as in `for x, y in zip(xs, ys):`";
                    return Err(at(Diagnostic::new(message).help(help)));
                }
                let over = piece(over.trim());
                let body = self.read_body(&line, depth)?;
                steps.push(BlockStep::For(Repetition {
                    update: find_update(&names, &over, &body),
                    names: names.into_iter().map(str::to_string).collect(),
                    over,
                    body,
                }));
                continue;
            }
            let condition = (word != "else").then(|| piece(head[word.len()..].trim()));
            let arm = (condition, self.read_body(&line, depth)?);
            match (word, steps.last_mut()) {
                ("if", _) => steps.push(BlockStep::If(vec![arm])),
                ("elif" | "else", Some(BlockStep::If(arms)))
                    if arms
                        .last()
                        .is_some_and(|(condition, _)| condition.is_some()) =>
                {
                    arms.push(arm);
                }
                _ => {
                    let message = format!("there is no `if` above this `{word}`");
                    let help = "leave the line out, or put `if` before it";
                    return Err(at(Diagnostic::new(message).help(help)));
                }
            }
        }
        Ok(steps)
    }

    /// Reads the lines below a head.
    fn read_body(&mut self, head: &PythonLine, depth: usize) -> Result<Vec<BlockStep>, Diagnostic> {
        let at = |error: Diagnostic| error.at(head.place.clone());
        if depth >= MOST_NESTED {
            let message = format!("blocks are nested more than {MOST_NESTED} deep");
            return Err(at(
                Diagnostic::new(message).help("define a function for the inner ones")
            ));
        }
        match self.lines.peek().map(|line| line.indent) {
            Some(indent) if indent > head.indent => self.read_steps(indent, depth + 1),
            _ => {
                let line = format!("{} print(1)", head.code);
                let help = format!("indent its lines below it, or write one after it: `{line}`");
                Err(at(
                    Diagnostic::new("nothing stands below this line").help(help)
                ))
            }
        }
    }
}

/// Collects the names that steps assign.
pub(super) fn collect_assigned_names<'s>(steps: &'s [BlockStep], names: &mut Vec<&'s str>) {
    for step in steps {
        match step {
            BlockStep::Line(line) => names.extend(targets(&line.text)),
            BlockStep::For(repeated) => {
                names.extend(repeated.names.iter().map(String::as_str));
                collect_assigned_names(&repeated.body, names);
            }
            BlockStep::If(arms) => arms
                .iter()
                .for_each(|(_, steps)| collect_assigned_names(steps, names)),
            BlockStep::Zero(_) | BlockStep::Return(_) => {}
        }
    }
}

/// The names that a line assigns: `a, b = 1, 2`, `c += 1`.
pub(super) fn targets(line: &str) -> impl Iterator<Item = &str> {
    let (targets, value) = line.split_once('=').unwrap_or_default();
    let targets = targets.trim_end_matches(['+', '-', '*', '/', '%', '^']);
    let names = targets.split(',').map(str::trim);
    let are_names = !value.starts_with('=') && names.clone().all(language::is_name);
    names.filter(move |_| are_names)
}

/// Reads a line that has no lines below it.
fn read_step(code: &str, place: Range<usize>) -> BlockStep {
    if code.ends_with(".zero_grad()") {
        return BlockStep::Zero(None);
    }
    match node_to_zero(code) {
        Some(node) => BlockStep::Zero(Some(BlockCode::new(node, place))),
        None => BlockStep::Line(BlockCode::new(code, place)),
    }
}

/// The node of `p.grad = 0`.
fn node_to_zero(code: &str) -> Option<&str> {
    let (target, value) = code.split_once('=')?;
    let value = value.trim();
    let is_zero = value == "None" || value.parse() == Ok(0.0);
    let mut words = [".grad", ".gradient"].into_iter();
    let node = words.find_map(|word| target.trim_end().strip_suffix(word));
    node.filter(|_| is_zero)
}

/// Reads the body of a loop that only moves and zeroes the leaves that it goes through: see [`Repetition::update`].
fn find_update(
    names: &[&str],
    over: &BlockCode,
    body: &[BlockStep],
) -> Option<Vec<Option<BlockCode>>> {
    let [p] = names else { return None };
    let lines = body.iter().map(|step| match step {
        BlockStep::Zero(Some(node)) if node.text == **p => Some(None),
        BlockStep::Line(line) => {
            let (target, value) = line.text.split_once('=')?;
            let member = target.strip_prefix(p)?;
            let operator = member
                .strip_prefix(".data")
                .or(member.strip_prefix(".value"))?
                .trim();
            let data = match operator {
                "" => String::new(),
                "+" | "-" | "*" | "/" => format!("{p}.data {operator} "),
                _ => return None,
            };
            let formula = format!("[{data}({value}) for {p} in {}]", over.text);
            Some(Some(BlockCode::new(formula, line.place.clone())))
        }
        _ => None,
    });
    lines.collect()
}
