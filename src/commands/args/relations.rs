//! Relations between two expressions, `y = 3` or `x + y <= 10`, separated by commas, for `:solve`, `:minimize` and `:fit`.

use std::rc::Rc;

use super::{Argument, Arguments};
use crate::session::Session;
use chainrule_engine::graph::Node;
use chainrule_language::{self as language, RelationSides, RelationSign, Span};
use chainrule_report::Note;
use chainrule_report::diagnostic::Diagnostic;

/// A relation between two numbers.
#[derive(Clone, Debug)]
pub(crate) struct Relation {
    pub(crate) left: Rc<Node>,
    pub(crate) sign: RelationSign,
    pub(crate) right: Rc<Node>,
    /// The left side for answers: the user's text, or the item of a list.
    pub(crate) left_text: String,
    /// The whole relation for answers.
    pub(crate) text: String,
    /// The place of the left side.
    pub(crate) left_span: Span,
    /// The place of the whole relation.
    pub(crate) span: Span,
}

impl Arguments<'_> {
    /// The relations of an argument, and notes from building their sides.
    pub(crate) fn relations(
        &self,
        session: &mut Session,
        argument: &Argument,
    ) -> Result<(Vec<Relation>, Vec<Note>), Diagnostic> {
        let (mut relations, mut notes) = (Vec::new(), Vec::new());
        if let Some(all) = self.span_of(argument) {
            let read = language::relations(self.text, all);
            for sides in read.map_err(|error| self.explain(session, error))? {
                relations.extend(self.relations_of(session, &sides, &mut notes)?);
            }
        }
        Ok((relations, notes))
    }

    /// Lists give one relation for each pair of items.
    fn relations_of(
        &self,
        session: &mut Session,
        sides: &RelationSides,
        notes: &mut Vec<Note>,
    ) -> Result<Vec<Relation>, Diagnostic> {
        let (left, more) = session.evaluate(self.text, &sides.left)?;
        notes.extend(more);
        let (right, more) = session.evaluate(self.text, &sides.right)?;
        notes.extend(more);
        let [one, other] = [left.shape(), right.shape()];
        if !one.is_number() && !other.is_number() && one != other {
            let message = format!("the sides do not match: {one} and {other}");
            return Err(Diagnostic::new(message).at(sides.span));
        }
        let count = left.nodes().len().max(right.nodes().len());
        let [lefts, rights] = [&left, &right].map(|side| side.nodes().iter().cycle());
        let pairs = lefts.zip(rights).take(count).map(|(left, right)| {
            let (left_text, text) = if count == 1 {
                let typed = [sides.left.span, sides.span].map(|span| span.of(self.text));
                typed.map(str::to_string).into()
            } else {
                let left = session.label(left);
                let text = format!("{left} {} {}", sides.sign.spelling(), session.label(right));
                (left, text)
            };
            Relation {
                left: Rc::clone(left),
                sign: sides.sign,
                right: Rc::clone(right),
                left_text,
                text,
                left_span: sides.left.span,
                span: sides.span,
            }
        });
        Ok(pairs.collect())
    }
}
