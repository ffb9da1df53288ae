//! Evaluates the words of a command, one argument at a time, when the command asks for it.
//!
//! An expression creates nodes, a node must exist already, and a number leaves no nodes behind. Every error points at
//! its word.

use std::rc::Rc;

use super::Arguments;
use crate::diagnostic::Diagnostic;
use crate::graph::{Node, NodeId};
use crate::report::Note;
use crate::session::{Evaluated, Session, Setting};
use crate::syntax;
use crate::syntax::{ItemKind, Span};

/// The root of a pass.
#[derive(Debug)]
pub struct PassTarget {
    pub node: Rc<Node>,
    /// No root was given, and the default was taken.
    pub taken: bool,
    /// Notes from building the expression.
    pub notes: Vec<Note>,
}

/// A request to set a leaf.
#[derive(Debug)]
pub struct LeafRequest {
    pub setting: Setting,
    /// The word for the leaf.
    pub word: Span,
    /// Notes from evaluating the new value.
    pub notes: Vec<Note>,
}

impl Arguments<'_> {
    /// The node of a free expression, if one was given.
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

    /// The root of a pass: the expression given, or else the default target.
    pub fn target(&self, session: &mut Session, name: &str) -> Result<PassTarget, Diagnostic> {
        if let Some((node, notes)) = self.expression(session, name)? {
            return Ok(PassTarget {
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
        Ok(PassTarget {
            node,
            taken: true,
            notes: Vec::new(),
        })
    }

    /// The root for a question about a node. If none is given, the default is the value shown last, which may be the
    /// node itself: then the root of the last walk or pass is more likely to be meant, if it depends on the node.
    pub fn target_above(
        &self,
        session: &mut Session,
        name: &str,
        node: &Rc<Node>,
    ) -> Result<PassTarget, Diagnostic> {
        let target = self.target(session, name)?;
        if target.taken
            && Rc::ptr_eq(&target.node, node)
            && let Ok((root, _)) = crate::study::guess::asked_about(session, node)
        {
            return Ok(PassTarget {
                node: root,
                ..target
            });
        }
        Ok(target)
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

    /// The number that an argument evaluates to, and its place.
    pub fn number(
        &self,
        session: &mut Session,
        name: &str,
    ) -> Result<Option<(f64, Span)>, Diagnostic> {
        let Some((_, span)) = self.word(name) else {
            return Ok(None);
        };
        let (value, _) = measured(session, self.text, span)?;
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

    /// The leaves and new values of `a 3, b a/2`. All values are computed before any leaf changes.
    pub fn settings(
        &self,
        session: &mut Session,
        name: &str,
    ) -> Result<Vec<LeafRequest>, Diagnostic> {
        let Some(all) = self.stretch(name) else {
            return Ok(Vec::new());
        };
        let parts = split_at_commas(self.text, all);
        parts
            .into_iter()
            .map(|part| self.setting(session, part))
            .collect()
    }

    fn setting(&self, session: &mut Session, part: Span) -> Result<LeafRequest, Diagnostic> {
        let part = trimmed(self.text, part);
        let (text, start) = (part.of(self.text), part.start as usize);
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
        let span = Span::new(begin, begin + value.len());
        let (data, notes) = measured(session, self.text, span)?;
        Ok(LeafRequest {
            setting: Setting { leaf, data },
            word,
            notes,
        })
    }
}

pub(crate) fn build(
    session: &mut Session,
    text: &str,
    span: Span,
) -> Result<Evaluated, Diagnostic> {
    let expression = syntax::expression(text, span).map_err(|error| session.explain(error))?;
    session
        .evaluate(text, &expression)
        .map_err(Diagnostic::from)
}

/// The value of an expression, which leaves no nodes behind.
pub(crate) fn measured(
    session: &mut Session,
    text: &str,
    span: Span,
) -> Result<(f64, Vec<Note>), Diagnostic> {
    let made = session.made();
    let (node, notes) = build(session, text, span)?;
    let value = node.data();
    drop(node);
    session.rewind(made);
    Ok((value, notes))
}

/// The span without blanks at both ends.
pub(crate) fn trimmed(text: &str, span: Span) -> Span {
    let typed = span.of(text);
    let lead = typed.len() - typed.trim_start().len();
    let start = span.start as usize + lead;
    Span::new(start, start + typed.trim().len())
}

/// The node that a word refers to: a name, `a@1`, `@9`, or the existing node with the text of a bracketed expression.
pub(crate) fn node(session: &mut Session, text: &str, word: Span) -> Result<Rc<Node>, Diagnostic> {
    let expression = syntax::expression(text, word).map_err(|error| session.explain(error))?;
    let made = session.made();
    let (built, _) = session.evaluate(text, &expression)?;
    let direct = matches!(
        expression.items.as_slice(),
        [only] if matches!(only.kind, ItemKind::Name(_) | ItemKind::Former(..) | ItemKind::Id(_) | ItemKind::Result(_))
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
pub(crate) fn split_at_commas(text: &str, span: Span) -> Vec<Span> {
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
