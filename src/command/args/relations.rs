//! Relations between two expressions, `y = 3` or `x + y <= 10`, separated by commas, for `:solve`, `:minimize` and `:fit`.

use std::rc::Rc;

use super::{Argument, Arguments};
use chainrule_engine::graph::Node;
use chainrule_language::{self as language, RelationSides, RelationSign, Span};
use chainrule_program::values::Value;
use chainrule_report::Note;
use chainrule_report::diagnostic::{Diagnostic, Result};
use chainrule_session::Session;

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
    /// Reads the relations of an argument. Adds the notes from building their sides.
    pub(crate) fn relations(
        &self,
        session: &mut Session,
        argument: &Argument,
        notes: &mut Vec<Note>,
    ) -> Result<Vec<Relation>> {
        let mut relations = Vec::new();
        let Some(all) = self.span_of(argument) else {
            return Ok(relations);
        };
        let parsed = language::relations(self.text, all);
        for sides in parsed.map_err(|error| self.explain(session, error))? {
            let (left, left_notes) = session.evaluate(self.text, &sides.left)?;
            notes.extend(left_notes);
            let (right, right_notes) = session.evaluate(self.text, &sides.right)?;
            notes.extend(right_notes);
            relations.extend(self.pair(session, &sides, [&left, &right])?);
        }
        Ok(relations)
    }

    /// Makes a relation of each pair of items. A number goes with every item.
    fn pair(
        &self,
        session: &Session,
        sides: &RelationSides,
        values: [&Value; 2],
    ) -> Result<Vec<Relation>> {
        let [left_shape, right_shape] = values.map(Value::shape);
        let has_number = left_shape.is_number() || right_shape.is_number();
        if !has_number && left_shape != right_shape {
            let message = format!("the sides do not match: {left_shape} and {right_shape}");
            return Err(Diagnostic::new(message).at(sides.span));
        }
        let [lefts, rights] = values.map(Value::nodes);
        let count = lefts.len().max(rights.len());
        let mut relations = Vec::with_capacity(count);
        for (left, right) in lefts.iter().cycle().zip(rights.iter().cycle()).take(count) {
            let [left_text, text] = if count == 1 {
                [sides.left.span, sides.span].map(|span| span.of(self.text).to_string())
            } else {
                let [first, second] = [left, right].map(|node| session.label(node));
                let text = format!("{first} {} {second}", sides.sign.spelling());
                [first, text]
            };
            relations.push(Relation {
                left: Rc::clone(left),
                sign: sides.sign,
                right: Rc::clone(right),
                left_text,
                text,
                left_span: sides.left.span,
                span: sides.span,
            });
        }
        Ok(relations)
    }
}
