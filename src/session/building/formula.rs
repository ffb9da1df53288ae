//! The formula of a function or of its derivative, for people: `f'(x) = 6*x - 4`.
//!
//! The body is built on leaves that are named like the parameters, differentiated with the texts that people learn, and
//! read from the graph. No node and no name is left behind.

use std::rc::Rc;

use super::derivative_calls::primed;
use crate::graph::Node;
use crate::session::Session;
use crate::session::error::Error;
use crate::session::functions::{Callee, Code, Function};
use crate::session::logged::Log;
use crate::session::naming::{Names, labels};
use crate::syntax::{self, Span};

/// Where the formula is built: away from 0 and 1, at which some operations mean something else.
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
            function: primed(name, primes),
            parameters,
        })
    }

    /// What the body of a function has become in which other functions are differentiated; nothing for any other.
    pub fn expanded_body(&mut self, function: &Function) -> Option<String> {
        let differentiates = |code: &Code| matches!(code, Code::Call { primes, .. } if *primes > 0);
        function.code.iter().find(|code| differentiates(code))?;
        let body = self.body_of(&function.name, &function.parameters, 0).ok();
        body.filter(|body| **body != *function.body)
    }

    fn body_of(&mut self, name: &str, parameters: &[Rc<str>], primes: u8) -> Result<String, Error> {
        let made = self.graph.last_id();
        let (bindings, count) = (self.names.bindings.mark(), self.names.count());
        // A function that the body calls may use a name that is a parameter here, so the leaves have others at first.
        let mut unused = (1..).map(|number| format!("argument{number}"));
        let mut bound = Vec::with_capacity(parameters.len());
        while bound.len() < parameters.len()
            && let Some(name) = unused.next()
        {
            if !self.knows(&name) {
                bound.push((self.bind_leaf(&name, PLACE), name));
            }
        }
        let (leaves, operands): (Vec<Rc<Node>>, Vec<String>) = bound.into_iter().unzip();
        let call = format!("{name}({})", operands.join(", "));
        let built = self.build_derivative(&call, &leaves, primes);
        self.names_mut().bindings.take_back(bindings);
        self.names_mut().truncate(count);
        let body = built.map(|value| {
            let mut names = Names::clone(&self.names);
            for (parameter, leaf) in parameters.iter().zip(&leaves) {
                let id = names.intern(parameter);
                names.bind(id, Rc::clone(leaf).into());
            }
            labels::operations(&names, &value)
        });
        drop(leaves);
        self.rewind(made);
        body
    }

    /// The value of a call, or its derivative by its only argument.
    fn build_derivative(
        &mut self,
        call: &str,
        leaves: &[Rc<Node>],
        primes: u8,
    ) -> Result<Rc<Node>, Error> {
        let read = syntax::expression(call, Span::new(0, call.len()));
        let read = read.map_err(|error| self.explain(error))?;
        let (mut value, _) = self.evaluate_number(call, &read)?;
        for _ in 0..primes {
            value = self.learned_derivatives(&value, leaves)?.swap_remove(0);
        }
        Ok(value)
    }
}
