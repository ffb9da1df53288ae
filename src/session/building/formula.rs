//! The formula of a function or of its derivative, for people: `f'(x) = 6*x - 4`.
//!
//! The body is built on leaves that are named after the parameters, differentiated by the formulas that people learn,
//! and read from the graph.

use std::rc::Rc;

use super::derivative_calls::primed_name;
use crate::session::Session;
use crate::session::error::{Error, fail};
use crate::session::functions::{Callee, Code, Function, Instruction};
use crate::session::naming::labels;
use chainrule_engine::graph::Node;
use chainrule_language::{self as language, Span};

/// The data of the leaves: not 0 or 1, at which some operations simplify differently.
const PLACE: f64 = 0.7;
/// What the argument of a built-in function is called.
const ARGUMENT: &str = "x";

/// What a function computes.
#[derive(Debug)]
pub struct Formula {
    /// The function with its primes: `f'`.
    pub function: Rc<str>,
    /// What its arguments are called.
    pub parameters: Vec<Rc<str>>,
    /// The body; it may be cut, and then holds `…`.
    pub body: String,
}

impl Session {
    /// The formula of `f''`, which stands at `span`; an error if there is no such function of one number.
    pub fn formula(&mut self, name: &str, primes: u8, span: Span) -> Result<Formula, Error> {
        let parameters = match self.callee((name, primes), 1, span)? {
            Callee::Own(function, _) => function.parameters.clone(),
            _ => vec![ARGUMENT.into()],
        };
        Ok(Formula {
            body: self.body_of(name, &parameters, primes)?,
            function: primed_name(name, primes),
            parameters,
        })
    }

    /// The body of a function that calls derivatives such as `f'`, with these worked out; none for any other function.
    pub fn expanded_body(&mut self, function: &Function) -> Option<String> {
        let differentiates =
            |it: &&Instruction| matches!(it.code, Code::Call { primes, .. } if primes > 0);
        function
            .code
            .iter()
            .find(differentiates)
            .filter(|_| function.lines.is_none())?;
        let body = self.body_of(&function.name, &function.parameters, 0).ok();
        body.filter(|body| **body != *function.body)
    }

    fn body_of(&mut self, name: &str, parameters: &[Rc<str>], primes: u8) -> Result<String, Error> {
        self.look_at_call(name, parameters, PLACE, |session, value, leaves| {
            let mut value = Rc::clone(value);
            for _ in 0..primes {
                value = session.textbook_derivatives(&value, leaves)?.swap_remove(0);
            }
            Ok(labels::operations(&session.names, &value))
        })?
    }

    /// Calls a function with leaves that are named like its parameters and have this value, and returns what `look`
    /// sees. It leaves no node and no name behind.
    pub fn look_at_call<T>(
        &mut self,
        name: &str,
        parameters: &[Rc<str>],
        value: f64,
        look: impl FnOnce(&mut Session, &Rc<Node>, &[Rc<Node>]) -> T,
    ) -> Result<T, Error> {
        self.look(|session| {
            let leaves: Vec<Rc<Node>> = parameters
                .iter()
                .map(|_| session.graph.leaf(value, false))
                .collect();
            let operands = leaves.iter().map(|leaf| format!("@{}", leaf.id()));
            let call = format!("{name}({})", operands.collect::<Vec<_>>().join(", "));
            let read = language::expression(&call, Span::new(0, call.len()));
            let watched: Vec<&Rc<Node>> = leaves.iter().collect();
            let (built, decides) = session.watch_leaves(&watched, |session| {
                read.map_err(|error| session.explain(error))
                    .and_then(|read| Ok(session.evaluate_number(&call, &read)?.0))
            });
            if decides {
                return Err(decided_error(name, parameters.len()));
            }
            let value = built?;
            // A name may stand for something that the body uses, so the leaves have none until it is built.
            for (parameter, leaf) in parameters.iter().zip(&leaves) {
                let id = session.names_mut().intern(parameter);
                session.give_name(id, Rc::clone(leaf).into());
            }
            Ok(look(session, &value, &leaves))
        })
    }
}

/// The error for a function of which the number of an argument decides what it computes.
fn decided_error(name: &str, parameters: usize) -> Error {
    let message = format!(
        "what `{name}` computes depends on the number of an argument: it is a position, an end of a range, or read by `.data`"
    );
    let ones = vec!["1"; parameters].join(", ");
    let help = format!(
        "at one number it is one formula: `{name}({ones})`, or `:export {name}({ones}) FILE`"
    );
    fail(Span::new(0, 0), message, help)
}
