//! Writes formulas for people: of a function or its derivative, `f'(x) = 6*x - 4`, and of a local derivative,
//! `1 - tanh(n)^2`.
//!
//! `terms` brings them into their shortest shape. The derivative of a function with an operation on many numbers, which
//! the textbooks do not have, is read from its nodes. Leaves with the names of the parameters stand for the arguments of a
//! function.

use std::borrow::Borrow;
use std::cell::LazyCell;
use std::rc::Rc;

use super::formula_shapes::too_long_error;
use super::terms::{FormulaTerms, local_derivative};
use crate::Session;
use crate::naming::labels::{self, Label, label_items};
use chainrule_engine::graph::Node;
use chainrule_engine::graph::structure::reachable;
use chainrule_language::{self as language, Span};
use chainrule_program::derive::goes_item_by_item;
use chainrule_program::error::{Error, fail};
use chainrule_program::functions::{Callee, Function, primed_name};
use chainrule_program::names;
use chainrule_program::values::{ListShape, Value};
use chainrule_report::diagnostic::Diagnostic;
use chainrule_report::{Note, say};
use chainrule_stop as stop;

/// The data of the leaves. It is neither 0 nor 1, because some operations simplify differently there.
pub const SAMPLE_DATA: f64 = 0.7;
/// The difference between the leaves that stand for letters without numbers.
const SAMPLE_STEP: f64 = 0.137;

/// The formula of a function.
#[derive(Debug)]
pub struct Formula {
    /// The function with its primes: `f'`.
    pub function: Rc<str>,
    /// The names of its arguments.
    pub parameters: Vec<Rc<str>>,
    /// The body. A body that was cut has `…`.
    pub body: String,
}

impl Session {
    /// The formula of `f''`, which was typed at `span`. Refuses an unknown function and a function of several numbers.
    /// Letters in it need no numbers.
    pub fn formula(&mut self, name: &str, primes: u8, span: Span) -> Result<Formula, Error> {
        self.with_letters(|session, _| session.formula_of_numbers(name, primes, span))
    }

    fn formula_of_numbers(&mut self, name: &str, primes: u8, span: Span) -> Result<Formula, Error> {
        let parameters = match names::callee(self, (name, primes), 1, span)? {
            Callee::Own(function) => function.parameters.clone(),
            _ => vec!["x".into()],
        };
        Ok(Formula {
            body: self.body_of(name, &parameters, primes, span)?,
            function: primed_name(name, primes),
            parameters,
        })
    }

    /// A note if a function of one list mixes its items, so that a formula for one number is not that for each item.
    pub fn note_on_mixed_items(&mut self, name: &str, span: Span) -> Option<Note> {
        let takes_one = self.program.functions.get(name)?.parameters.len() == 1;
        let is_mixed = |look: &mut Session| look.mixes_items(name, span);
        let found = self.with_letters(|session, _| session.look(is_mixed));
        if !takes_one || !found.unwrap_or(false) {
            return None;
        }
        let gradient = format!("grad({name}(LIST), LIST)");
        Some(Note::new(say!(
            "{:name} mixes the items of a list: this is for one number, `{}` is for a list",
            name,
            gradient
        )))
    }

    /// Whether a function makes a number of a list from other items of it, too. Leaves nodes behind.
    fn mixes_items(&mut self, name: &str, span: Span) -> Result<bool, Error> {
        let data = [SAMPLE_DATA, SAMPLE_DATA + SAMPLE_STEP];
        let leaves = data.map(|it| self.program.graph.leaf(it, false));
        let list = Value::of_shape(leaves.to_vec(), &ListShape::rows(2, ListShape::NUMBER));
        let value = self.call_for_value((name, 0), vec![list.clone()], span)?;
        let is_item = |it: &Rc<Node>| leaves.iter().any(|leaf| Rc::ptr_eq(leaf, it));
        let uses_list = reachable(value.nodes(), 0).iter().any(is_item);
        Ok(uses_list && !goes_item_by_item(&list, &value))
    }

    /// The body of a function in which the derivatives of called functions, such as `f'`, are worked out. `None` if no
    /// derivative is called.
    pub fn expanded_body(&mut self, function: &Function) -> Option<String> {
        if !function.calls_derivative() {
            return None;
        }
        let body = self.body_of(&function.name, &function.parameters, 0, Span::default());
        body.ok().filter(|it| **it != *function.body)
    }

    /// The body of the derivative with this many primes: for `f''`, the first derivative by the first parameter, twice.
    fn body_of(
        &mut self,
        name: &str,
        parameters: &[Rc<str>],
        primes: u8,
        span: Span,
    ) -> Result<String, Error> {
        let call = (name, span);
        self.look_at_call(call, parameters, SAMPLE_DATA, |session, value, leaves| {
            session.derived_body(span, value, leaves, primes)
        })?
    }

    /// The text of a derivative by the first leaf, or of the value itself: in its shortest shape, or that of its nodes if
    /// the textbooks do not have it.
    fn derived_body(
        &mut self,
        span: Span,
        value: &Rc<Node>,
        leaves: &[Rc<Node>],
        primes: u8,
    ) -> Result<String, Error> {
        if let Some(formula) = FormulaTerms::of(&self.names, value, leaves, true) {
            let by = leaves.first().unwrap_or(value);
            let derivative = formula.derivative_of_order(by, primes.into());
            let items = derivative.and_then(|it| formula.items(&it));
            return match items {
                Ok(items) => Ok(language::infix(&items)),
                Err(error) => Err(too_long_error(error).at(span).into()),
            };
        }
        let derived = (0..primes).try_fold(Rc::clone(value), |derived, _| {
            (self.program.derivatives(&derived, leaves)).map(|mut them| them.swap_remove(0))
        });
        Ok(labels::operations(&self.names, &derived?))
    }

    /// Calls a function with leaves that have the names of its parameters and this data. Returns the result of `look`
    /// on the value and the leaves. Leaves no node and no name behind.
    pub fn look_at_call<T>(
        &mut self,
        (name, span): (&str, Span),
        parameters: &[Rc<str>],
        data: f64,
        look: impl FnOnce(&mut Session, &Rc<Node>, &[Rc<Node>]) -> T,
    ) -> Result<T, Error> {
        self.look(|session| {
            let leaf = |_: &Rc<str>| session.program.graph.leaf(data, false);
            let leaves: Vec<Rc<Node>> = parameters.iter().map(leaf).collect();
            let value = session.call_on_leaves((name, span), parameters, &leaves)?;
            Ok(look(session, &value, &leaves))
        })
    }

    /// Calls a function with these leaves, and gives them the names of its parameters.
    fn call_on_leaves(
        &mut self,
        (name, span): (&str, Span),
        parameters: &[Rc<str>],
        leaves: &[Rc<Node>],
    ) -> Result<Rc<Node>, Error> {
        let arguments = leaves.iter().cloned().map(Value::Node).collect();
        let watched: Vec<&Rc<Node>> = leaves.iter().collect();
        let (built, has_decided) =
            self.watch_leaves(&watched, |session| session.call((name, 0), arguments, span));
        if has_decided {
            let message = format!(
                "what `{name}` computes depends on the number of an argument: it is a position, an end of a range, or read by `.data`"
            );
            let ones = vec!["1"; parameters.len()].join(", ");
            let help = format!(
                "at one number it is one formula: `{name}({ones})`, or `:export {name}({ones}) FILE`"
            );
            return Err(fail(span, message, help));
        }
        let value = built?;
        // The body may use a node with the name of a parameter, so the leaves get their names after it is built.
        for (parameter, leaf) in parameters.iter().zip(leaves) {
            let id = self.names_mut().intern(parameter);
            self.give_name(id, Rc::clone(leaf).into());
        }
        Ok(value)
    }

    /// The local derivative of a node with respect to an operand, as textbooks write it.
    pub fn local_formula(&self, node: &Rc<Node>, operand: usize) -> String {
        self.local_formulas(node)(operand)
    }

    /// Returns a function from the position of an operand to the local derivative. The label of the node is made once
    /// for all operands.
    pub fn local_formulas(&self, node: &Rc<Node>) -> impl Fn(usize) -> String {
        let names = self.names();
        let own_label = LazyCell::new(|| label_items(names, node));
        move |operand| {
            let items = local_derivative(names, node, operand, || own_label.clone());
            items.map_or_else(String::new, |it| language::infix(&it))
        }
    }

    /// The derivatives of a root by some nodes, as a textbook writes them. Names stay names; if `has_lists`, those of lists,
    /// too. `None` if they are too large.
    pub fn derivative_formulas(
        &self,
        root: &Rc<Node>,
        by: &[Rc<Node>],
        has_lists: bool,
    ) -> Option<Vec<Label<'_>>> {
        let is_item = |it: &Rc<Node>| self.names.list_name_of(it).is_some();
        let formula =
            FormulaTerms::of(&self.names, root, by, has_lists && !by.iter().any(is_item))?;
        let each = stop::with_checks(by.iter());
        let items = each.map(|it| formula.items(&formula.derivative(it)?));
        items.collect::<Result<_, _>>().ok()
    }
}

impl Session {
    /// Runs `work`. If names without a number stop it, runs it again with a leaf for each of them, which is not left
    /// behind. The flag says whether all names have numbers of their own.
    pub fn with_letters<T, E: Borrow<Diagnostic>>(
        &mut self,
        work: impl Fn(&mut Session, bool) -> Result<T, E>,
    ) -> Result<T, E> {
        self.with_more_letters(&work, true)
    }

    fn with_more_letters<T, E: Borrow<Diagnostic>>(
        &mut self,
        work: &impl Fn(&mut Session, bool) -> Result<T, E>,
        has_numbers: bool,
    ) -> Result<T, E> {
        let done = work(self, has_numbers);
        let error = done.as_ref().err().map(Borrow::borrow);
        let missing = error.map_or(&[][..], |error| &error.unknown);
        let are_new = missing.iter().any(|name| !self.knows(name));
        if !are_new || names::numbers_line(self, missing).is_none() {
            return done;
        }
        let names: Vec<Rc<str>> = missing.iter().map(|name| name.as_str().into()).collect();
        self.look(|session| {
            session.give_sample_leaves(&names);
            session.with_more_letters(work, false)
        })
    }

    /// Gives each of these names a leaf with a number, for a look at a formula.
    pub fn give_sample_leaves(&mut self, names: &[Rc<str>]) -> Vec<Rc<Node>> {
        let mut leaves = Vec::new();
        for (nth, name) in names.iter().enumerate() {
            // No two letters are equal, as their difference may be below a line.
            let data = SAMPLE_DATA + SAMPLE_STEP * (nth + 1) as f64;
            let leaf = self.program.graph.leaf(data, false);
            let id = self.names_mut().intern(name);
            self.give_name(id, Rc::clone(&leaf).into());
            leaves.push(leaf);
        }
        leaves
    }

    /// The items of the local derivative of a node with respect to the operand at a position.
    pub fn local_items(&self, node: &Rc<Node>, operand: usize) -> Option<Label<'_>> {
        local_derivative(&self.names, node, operand, || {
            label_items(&self.names, node)
        })
    }
}
