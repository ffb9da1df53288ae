//! Evaluates expressions and binds names in a session.
//!
//! `chainrule_program` compiles and runs the code. `run` lets others perform what code does besides computing, and `bind`
//! and `bounds` give names their values, items and ranges. `widths` reads what stands after `±`, `lookup` finds
//! the values of references, and `outdated` says which values other conditions have decided.
//!
//! A statement builds all its nodes before it binds a name. Therefore a statement that fails changes nothing.

mod bind;
mod bounds;
mod lookup;
mod networks;
mod notes;
mod outdated;
mod run;
mod widths;

pub use self::outdated::Outdated;
pub use self::run::Acts;
pub use self::widths::evaluate_widths;

use std::rc::Rc;

use self::run::NoActs;
use crate::state::Session;
use chainrule_engine::graph::Node;
use chainrule_language::{Expression, Span};
use chainrule_program::compile;
use chainrule_program::error::Error;
use chainrule_program::functions::AnyValue;
use chainrule_program::run::{BuiltLine, Record};
use chainrule_program::values::{ListShape, Value};
use chainrule_report::Note;

/// A value and the notes about it.
pub type Evaluated<V = Rc<Node>> = (V, Vec<Note>);

/// The numbers of an expression.
pub struct EvaluatedNumbers {
    /// The numbers, in order.
    pub numbers: Vec<f64>,
    /// Their shape.
    pub shape: ListShape,
    /// The notes on the expression.
    pub notes: Vec<Note>,
}

impl Session {
    /// Builds an expression and collects the notes about it. Its spans refer to `text`.
    pub fn evaluate(&mut self, text: &str, typed: &Expression) -> Result<Evaluated<Value>, Error> {
        let (value, mut notes) = self.evaluate_line(text, typed, &mut NoActs)?;
        let value = value.into_numbers(typed.span)?;
        notes.extend(self.outdated_notes(value.nodes()));
        Ok((value, notes))
    }

    /// Builds the expression of a line. `acts` performs the acts of the called functions, which may print, move leaves
    /// and run passes.
    pub fn evaluate_line(
        &mut self,
        text: &str,
        typed: &Expression,
        acts: &mut dyn Acts,
    ) -> Result<Evaluated<AnyValue>, Error> {
        let (value, record) = self.build(text, typed, acts)?;
        let notes = self.with_stale_note(record);
        Ok((value, notes))
    }

    /// Evaluates an expression that must give a number.
    pub fn evaluate_number(&mut self, text: &str, typed: &Expression) -> Result<Evaluated, Error> {
        let (value, notes) = self.evaluate(text, typed)?;
        Ok((AnyValue::from(value).into_number(typed.span)?, notes))
    }

    /// Evaluates an expression to numbers and drops its nodes.
    pub fn evaluate_numbers(
        &mut self,
        text: &str,
        typed: &Expression,
    ) -> Result<EvaluatedNumbers, Error> {
        let newest_before = self.program.graph.last_id();
        let (value, notes) = self.evaluate(text, typed)?;
        let numbers = value.nodes().iter().map(|node| node.data()).collect();
        let shape = value.shape().clone();
        drop(value);
        self.program.rewind(newest_before);
        Ok(EvaluatedNumbers {
            numbers,
            shape,
            notes,
        })
    }

    /// Evaluates an expression to a number and drops its nodes. Adds no note on stale gradients, because
    /// `a.data += 0.1*a.grad` is meant to use them.
    pub fn measure(&mut self, text: &str, typed: &Expression) -> Result<Evaluated<f64>, Error> {
        let newest_before = self.program.graph.last_id();
        let (value, record) = self.build(text, typed, &mut NoActs)?;
        let data = value.into_number(typed.span)?.data();
        self.program.rewind(newest_before);
        Ok((data, record.notes))
    }

    /// Calls a function with primes. Errors get this place, because nothing was typed.
    pub fn call(
        &mut self,
        (name, primes): (&str, u8),
        arguments: Vec<Value>,
        place: Span,
    ) -> Result<AnyValue, Error> {
        let span = Span::default();
        let instructions = compile::call(name, primes, arguments);
        let built = self.run("", &instructions, span, &mut NoActs);
        Ok(only_value(built.map_err(|error| error.at(place))?.values))
    }

    fn build(
        &mut self,
        text: &str,
        typed: &Expression,
        acts: &mut dyn Acts,
    ) -> Result<(AnyValue, Record), Error> {
        let code = compile::expression(self, text, typed)?;
        let BuiltLine { values, mut record } = self.run(text, &code, typed.span, acts)?;
        let missing = notes::missing_sign_note(text, typed);
        record.notes.splice(0..0, missing);
        Ok((only_value(values), record))
    }
}

fn only_value(mut values: Vec<AnyValue>) -> AnyValue {
    values.pop().expect("an expression has a value")
}

#[cfg(test)]
mod tests {
    use super::*;
    use chainrule_engine::graph::LAST_ID;
    use chainrule_language as language;
    use chainrule_report::diagnostic::Diagnostic;

    #[test]
    fn an_expression_without_ids_left_is_refused() {
        let mut session = Session::new();
        let build = |session: &mut Session, text: &str| {
            let span = Span::new(0, text.len());
            let expression = language::expression(text, span).expect("it reads");
            session
                .evaluate_number(text, &expression)
                .map(|(root, _)| root)
        };
        let one = build(&mut session, "1 + 2").expect("there are numbers");
        session.program.graph.skip_ids(LAST_ID - 3);
        let last = build(&mut session, "3 + 4").expect("three are left");
        assert_eq!((one.data(), last.data(), last.id()), (3.0, 7.0, LAST_ID));
        let error = build(&mut session, "5").expect_err("none is left");
        assert_eq!(session.program.graph.last_id(), LAST_ID);
        let diagnostic = Diagnostic::from(error);
        assert!(
            diagnostic.message.contains("4,026,531,839 nodes"),
            "{}",
            diagnostic.message
        );
        assert!(diagnostic.help.is_some_and(|help| help.contains(":save")));
        assert!(
            !session.script().text.is_empty(),
            "what there is can be saved"
        );
    }
}
