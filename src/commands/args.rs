//! Arguments of commands: cut into words before anything in them is read as an expression.
//!
//! Keywords (`wrt`, `of`) and words are found at bracket depth 0. A node, a number or a count is one word, a
//! bracketed expression among them; the last argument before a keyword may be a free expression. What a word means is
//! asked of the session when the command takes it up, so every error points at its word.

use std::rc::Rc;

use super::Command;
use crate::diagnostic::Diagnostic;
use crate::graph::{Node, NodeId};
use crate::report::Note;
use crate::session::{Evaluated, Session, Setting};
use crate::syntax::{self, Kind, Span};

/// One argument of a command's signature.
#[derive(Debug)]
pub struct Argument {
    /// What it is called in usage lines: `T`, `NODE`, `RATE`.
    pub name: &'static str,
    /// What it is.
    pub kind: Takes,
    /// The word that begins it: `wrt`, `of`.
    pub keyword: Option<&'static str>,
    /// Must it be there?
    pub needed: bool,
}

/// What an argument is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Takes {
    /// A free expression, up to the next keyword.
    Expression,
    /// One or more nodes, a word each.
    Nodes,
    /// One or more names, a word each.
    Names,
    /// A number: a word that is evaluated.
    Number,
    /// A count: a word that is evaluated to a whole number.
    Count,
    /// `a 3, b a/2`
    Settings,
    /// A word that is looked up as it is.
    Topic,
}

impl Argument {
    /// A needed one.
    pub const fn needed(name: &'static str, kind: Takes) -> Argument {
        Argument {
            name,
            kind,
            keyword: None,
            needed: true,
        }
    }

    /// One that may be left out.
    pub const fn optional(name: &'static str, kind: Takes) -> Argument {
        Argument {
            name,
            kind,
            keyword: None,
            needed: false,
        }
    }

    /// One that a keyword begins and that may be left out.
    pub const fn after(keyword: &'static str, name: &'static str, kind: Takes) -> Argument {
        Argument {
            name,
            kind,
            keyword: Some(keyword),
            needed: false,
        }
    }

    /// `[wrt NODE…]`
    pub fn usage(&self) -> String {
        let many = if matches!(self.kind, Takes::Nodes | Takes::Names) {
            "…"
        } else {
            ""
        };
        let keyword = self
            .keyword
            .map(|keyword| format!("{keyword} "))
            .unwrap_or_default();
        let text = format!("{keyword}{}{many}", self.name);
        if self.needed {
            text
        } else {
            format!("[{text}]")
        }
    }
}

/// The arguments a command was given.
#[derive(Debug)]
pub struct Arguments<'t> {
    /// The text that spans count in.
    pub text: &'t str,
    /// The whole statement, for `:log`.
    pub statement: &'t str,
    /// The command's word.
    pub word: Span,
    /// The command.
    pub command: &'static Command,
    /// The statement ended with `;`.
    pub silenced: bool,
    /// The words of each argument of the signature.
    given: Vec<Vec<Span>>,
}

/// The target of a pass.
#[derive(Debug)]
pub struct Target {
    /// The node.
    pub node: Rc<Node>,
    /// It was left out and this was taken.
    pub taken: bool,
    /// What building it was worth noting.
    pub notes: Vec<Note>,
}

impl<'t> Arguments<'t> {
    /// Cuts a command's tail by its signature.
    pub fn cut(
        command: &'static Command,
        text: &'t str,
        statement: &'t str,
        words: (Span, Span),
        silenced: bool,
    ) -> Result<Arguments<'t>, Diagnostic> {
        let (word, rest) = words;
        let signature = command.arguments;
        let mut arguments = Arguments {
            text,
            statement,
            word,
            command,
            silenced,
            given: signature.iter().map(|_| Vec::new()).collect(),
        };
        // A plain argument is followed by the next plain one; one that a keyword begins goes on to the next keyword.
        let plain = |place: usize| {
            signature
                .get(place)
                .filter(|argument| argument.keyword.is_none())
                .map(|_| place)
        };
        let mut at = plain(0);
        let mut keyword = None;
        for found in syntax::words(text, rest) {
            let begun = signature
                .iter()
                .position(|argument| argument.keyword == Some(found.of(text)));
            if let Some(begun) = begun.filter(|&begun| arguments.given[begun].is_empty()) {
                arguments.check_begun(keyword)?;
                (at, keyword) = (Some(begun), Some((begun, found)));
                continue;
            }
            let Some(place) = at else {
                return Err(arguments.surplus(found));
            };
            arguments.given[place].push(found);
            if matches!(
                signature[place].kind,
                Takes::Number | Takes::Count | Takes::Topic
            ) {
                at = plain(place + 1).filter(|_| signature[place].keyword.is_none());
            }
        }
        arguments.check_begun(keyword)?;
        let missing =
            |(argument, words): &(&Argument, &Vec<Span>)| argument.needed && words.is_empty();
        if let Some((argument, _)) = signature.iter().zip(&arguments.given).find(missing) {
            return Err(arguments.missing(
                &format!("`:{}`", command.name),
                argument,
                arguments.end(),
            ));
        }
        Ok(arguments)
    }

    /// A keyword with nothing after it: `:grad L wrt`.
    fn check_begun(&self, keyword: Option<(usize, Span)>) -> Result<(), Diagnostic> {
        match keyword {
            Some((begun, word)) if self.given[begun].is_empty() => {
                let what = format!("`{}`", word.of(self.text));
                Err(self.missing(&what, &self.command.arguments[begun], word.end as usize))
            }
            _ => Ok(()),
        }
    }

    fn missing(&self, what: &str, argument: &Argument, at: usize) -> Diagnostic {
        let command = self.command;
        Diagnostic::new(format!("{what} needs {}", describe(argument)))
            .at(at..at)
            .help(format!(
                "it is typed `{}`; `:help {}` has an example",
                command.usage(),
                command.name
            ))
    }

    /// Where the statement ends, blanks left out.
    fn end(&self) -> usize {
        let statement = self.statement.trim_end();
        statement.as_ptr() as usize + statement.len() - self.text.as_ptr() as usize
    }

    fn surplus(&self, word: Span) -> Diagnostic {
        let what = if self.command.arguments.is_empty() {
            "takes no arguments"
        } else {
            "does not take this"
        };
        Diagnostic::new(format!("`:{}` {what}", self.command.name))
            .at(word)
            .help(format!("it is typed `{}`", self.command.usage()))
    }

    /// The words of an argument.
    pub fn words(&self, name: &str) -> &[Span] {
        let place = self
            .command
            .arguments
            .iter()
            .position(|argument| argument.name == name);
        place.map_or(&[], |place| &self.given[place])
    }

    /// The only word of an argument.
    pub fn word(&self, name: &str) -> Option<(&'t str, Span)> {
        self.words(name)
            .first()
            .map(|&span| (span.of(self.text), span))
    }

    /// All words of an argument as one stretch of text.
    fn stretch(&self, name: &str) -> Option<Span> {
        self.words(name).iter().copied().reduce(Span::to)
    }

    /// The node of a free expression, if it was given.
    pub fn expression(
        &self,
        session: &mut Session,
        name: &str,
    ) -> Result<Option<Evaluated>, Diagnostic> {
        let Some(span) = self.stretch(name) else {
            return Ok(None);
        };
        build(session, self.text, span).map(Some)
    }

    /// The root a pass is to start from: the expression given, or the default target.
    pub fn target(&self, session: &mut Session, name: &str) -> Result<Target, Diagnostic> {
        if let Some((node, notes)) = self.expression(session, name)? {
            return Ok(Target {
                node,
                taken: false,
                notes,
            });
        }
        let Some((node, _)) = session.default_target() else {
            return Err(Diagnostic::new(format!(
                "`:{}` has no expression to start from",
                self.command.name
            ))
            .at(self.word)
            .help(format!(
                "name one, as in `L = a*b`, then `:{} L`",
                self.command.name
            )));
        };
        Ok(Target {
            node,
            taken: true,
            notes: Vec::new(),
        })
    }

    /// The nodes of an argument, each with its word.
    pub fn nodes(
        &self,
        session: &mut Session,
        name: &str,
    ) -> Result<Vec<(Rc<Node>, Span)>, Diagnostic> {
        self.words(name)
            .iter()
            .map(|&span| Ok((node(session, self.text, span)?, span)))
            .collect()
    }

    /// The number of an argument.
    pub fn number(
        &self,
        session: &mut Session,
        name: &str,
    ) -> Result<Option<(f64, Span)>, Diagnostic> {
        let Some((_, span)) = self.word(name) else {
            return Ok(None);
        };
        let made = session.made();
        let (node, _) = build(session, self.text, span)?;
        let value = node.data();
        drop(node);
        session.rewind(made);
        Ok(Some((value, span)))
    }

    /// The whole number of an argument, from 1 to `most`.
    pub fn count(
        &self,
        session: &mut Session,
        name: &str,
        most: u64,
    ) -> Result<Option<u64>, Diagnostic> {
        let Some((value, span)) = self.number(session, name)? else {
            return Ok(None);
        };
        if value < 1.0 || value > most as f64 || value.fract() != 0.0 || value.is_nan() {
            return Err(
                Diagnostic::new(format!("`{}` is not a count", span.of(self.text)))
                    .at(span)
                    .help(format!("a whole number from 1 to {most} is expected")),
            );
        }
        Ok(Some(value as u64))
    }

    /// `a 3, b a/2`: leaves and the data they are to have, from the values before any of them changes.
    pub fn settings(
        &self,
        session: &mut Session,
        name: &str,
    ) -> Result<Vec<(Setting, Span)>, Diagnostic> {
        let Some(all) = self.stretch(name) else {
            return Ok(Vec::new());
        };
        let parts = split_at_commas(self.text, all);
        parts
            .into_iter()
            .map(|part| self.setting(session, part))
            .collect()
    }

    fn setting(&self, session: &mut Session, part: Span) -> Result<(Setting, Span), Diagnostic> {
        let text = part.of(self.text);
        let lead = text.len() - text.trim_start().len();
        let start = part.start as usize + lead;
        let text = text.trim();
        let end = text
            .find(|c: char| c.is_whitespace() || c == '=')
            .unwrap_or(text.len());
        let word = Span::new(start, start + end);
        if text.is_empty() || end == 0 {
            return Err(Diagnostic::new("a leaf and its new value are expected")
                .at(word)
                .help("as in `:set a 3, b a/2`"));
        }
        let leaf = node(session, self.text, word)?;
        let after = &text[end..];
        let value = after.trim_start();
        let value = value
            .strip_prefix('=')
            .filter(|rest| !rest.starts_with('='))
            .unwrap_or(value)
            .trim_start();
        if value.is_empty() {
            let at = start + text.len();
            return Err(
                Diagnostic::new(format!("`{}` needs a new value", word.of(self.text)))
                    .at(at..at)
                    .help(format!("as in `:set {} 3`", word.of(self.text))),
            );
        }
        let begin = start + text.len() - value.len();
        let made = session.made();
        let (built, _) = build(session, self.text, Span::new(begin, begin + value.len()))?;
        let data = built.data();
        drop(built);
        session.rewind(made);
        Ok((Setting { leaf, data }, word))
    }
}

fn describe(argument: &Argument) -> &'static str {
    match argument.kind {
        Takes::Expression => "an expression",
        Takes::Nodes => "a node",
        Takes::Names => "a name",
        Takes::Number => "a number",
        Takes::Count => "a count",
        Takes::Settings => "a leaf and its new value",
        Takes::Topic => "a word",
    }
}

fn build(session: &mut Session, text: &str, span: Span) -> Result<Evaluated, Diagnostic> {
    let expression = syntax::expression(text, span).map_err(|error| session.explain(&error))?;
    session
        .evaluate(text, &expression)
        .map_err(Diagnostic::from)
}

/// The node that one word means: a name, `a@1`, `@9`, or the existing node with a bracketed text.
pub fn node(session: &mut Session, text: &str, word: Span) -> Result<Rc<Node>, Diagnostic> {
    let expression = syntax::expression(text, word).map_err(|error| session.explain(&error))?;
    let made = session.made();
    let (built, _) = session.evaluate(text, &expression)?;
    let direct = matches!(
        expression.items.as_slice(),
        [only] if matches!(only.kind, Kind::Name(_) | Kind::Former(..) | Kind::Id(_) | Kind::Result(_))
    );
    if direct {
        return Ok(built);
    }
    let wanted = session.expression(&built);
    drop(built);
    session.rewind(made);
    session
        .node_reading(&wanted)
        .ok_or_else(|| no_node(&wanted, word, made))
}

fn no_node(wanted: &str, word: Span, made: NodeId) -> Diagnostic {
    let help = if made == 0 {
        "nothing is there yet: `a = 2` makes a leaf"
    } else {
        "`:grad` lists the nodes of a graph"
    };
    Diagnostic::new(format!("there is no node `{wanted}`"))
        .at(word)
        .help(help)
}

/// The parts between commas at bracket depth 0.
fn split_at_commas(text: &str, span: Span) -> Vec<Span> {
    let mut parts = Vec::new();
    let mut depth = 0_i32;
    let mut start = span.start;
    for (at, byte) in span.of(text).bytes().enumerate() {
        match byte {
            b'(' | b'[' => depth += 1,
            b')' | b']' => depth -= 1,
            b',' if depth == 0 => {
                let at = span.start + at as u32;
                parts.push(Span { start, end: at });
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(Span {
        start,
        end: span.end,
    });
    parts
}
