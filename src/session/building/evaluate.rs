//! Evaluates an expression: resolves its names and creates its nodes, without binding anything.
//!
//! `machine` runs the compiled expression. If it fails, the nodes are dropped and their ids taken back.

use std::rc::Rc;

use super::machine::{Acts, NoActs};
use super::notes;
use crate::session::Session;
use crate::session::error::{self, Error};
use crate::session::values::Value;
use chainrule_engine::graph::Node;
use chainrule_language::{Expression, Span};
use chainrule_report::Note;
use chainrule_stop as stop;

/// A value and the notes about it.
pub type Evaluated<V = Rc<Node>> = (V, Vec<Note>);

impl Session {
    /// Builds an expression and collects the notes about it. Its spans refer to `text`.
    pub fn evaluate(
        &mut self,
        text: &str,
        expression: &Expression,
    ) -> Result<Evaluated<Value>, Error> {
        let (value, notes) = self.evaluate_line(text, expression, &mut NoActs)?;
        self.check_no_words([&value], expression.span)?;
        Ok((value, notes))
    }

    /// The same of a line. Its functions may print, move leaves and run passes, which `acts` does; its value may be a word.
    pub(crate) fn evaluate_line(
        &mut self,
        text: &str,
        expression: &Expression,
        acts: &mut dyn Acts,
    ) -> Result<Evaluated<Value>, Error> {
        let (value, mut notes, stale) = self.build(text, expression, acts)?;
        if stale {
            notes.extend(self.stale_note());
        }
        Ok((value, notes))
    }

    /// Evaluates an expression that must give a number.
    pub fn evaluate_number(
        &mut self,
        text: &str,
        expression: &Expression,
    ) -> Result<Evaluated, Error> {
        let (value, notes) = self.evaluate(text, expression)?;
        Ok((expect_number(value, expression.span)?, notes))
    }

    /// Evaluates an expression to a number and drops its nodes. Does not warn of stale gradients, because `a.data +=
    /// 0.1*a.grad` is meant to use them.
    pub fn measure(
        &mut self,
        text: &str,
        expression: &Expression,
    ) -> Result<(f64, Vec<Note>), Error> {
        let made = self.graph.last_id();
        let (value, notes, _) = self.build(text, expression, &mut NoActs)?;
        self.check_no_words([&value], expression.span)?;
        let data = expect_number(value, expression.span)?.data();
        self.rewind(made);
        Ok((data, notes))
    }

    /// A value, its notes except for the one on a stale gradient, and whether a stale gradient was read.
    fn build(
        &mut self,
        text: &str,
        expression: &Expression,
        acts: &mut dyn Acts,
    ) -> Result<(Value, Vec<Note>, bool), Error> {
        let made = self.graph.last_id();
        if (self.graph.numbers_left() as usize) < expression.items.len() {
            return Err(error::no_numbers_left(expression.span, made));
        }
        let built = match self.run(text, expression, acts) {
            // What its functions have done goes back with the line.
            Err(error) if self.in_block() => return Err(error),
            built => built.inspect_err(|_| self.rewind(made))?,
        };
        // To bind, show and keep a long list takes time, too.
        stop::check_before(built.value.nodes().len());
        let fault = built.fault.map(|fault| self.fault_note(&fault));
        let notes = notes::missing_sign_note(text, expression)
            .into_iter()
            .chain(fault);
        let notes = notes.chain(built.remarks).collect();
        Ok((built.value, notes, built.stale))
    }
}

pub(super) fn expect_number(value: Value, span: Span) -> Result<Rc<Node>, Error> {
    match value {
        Value::Node(node) => Ok(node),
        Value::List(list) => Err(error::list_for_number(list.shape(), span)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chainrule_engine::graph::LAST_NUMBER;
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
        session.graph.skip_numbers(LAST_NUMBER - 3);
        let last = build(&mut session, "3 + 4").expect("three are left");
        assert_eq!(
            (one.data(), last.data(), last.id()),
            (3.0, 7.0, LAST_NUMBER)
        );
        let error = build(&mut session, "5").expect_err("none is left");
        assert_eq!(session.graph.last_id(), LAST_NUMBER);
        let diagnostic = Diagnostic::from(error);
        assert!(
            diagnostic.message.contains("4026531839 nodes"),
            "{}",
            diagnostic.message
        );
        assert!(diagnostic.help.is_some_and(|help| help.contains(":save")));
        assert_eq!(session.audit(), Ok(()));
        assert!(
            !session.script().text.is_empty(),
            "what there is can be saved"
        );
    }
}
