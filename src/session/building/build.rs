//! Builds an expression: resolves its names and creates its nodes, without binding anything.
//!
//! A loop over the postfix items with a stack of values. If it fails, the nodes are dropped and their ids taken back. An
//! expression with `for` runs on the machine for function bodies (`calls`), which has loops.

use std::rc::Rc;

use super::items::{IndexSite, fault_at, is_reference, subtree_start};
use super::lists::errors as list_errors;
use super::lists::{item_of, list_of};
use super::notes::{self, Fault};
use super::terms::CallSite;
use crate::graph::{Node, Spelling, is_at_fault};
use crate::ops::Op;
use crate::report::Note;
use crate::session::Session;
use crate::session::error::{self, Error};
use crate::session::functions::Callee;
use crate::session::functions::operation;
use crate::session::values::Value;
use crate::stop;
use crate::syntax::{Expression, Head, Item, ItemKind, Span};

/// An expression that has been built.
#[derive(Debug)]
pub struct Built {
    /// What it gives.
    pub value: Value,
    /// The first node that is NaN or infinite although its operands are finite.
    pub fault: Option<Fault>,
    /// Whether a stale gradient was read (`a.grad` after data changed).
    pub stale: bool,
    /// Further notes.
    pub remarks: Vec<Note>,
}

/// A value and the notes about it.
pub type Evaluated<V = Rc<Node>> = (V, Vec<Note>);

impl Session {
    /// Builds an expression. Its spans refer to `text`.
    pub fn build(&mut self, text: &str, expression: &Expression) -> Result<Built, Error> {
        let made = self.graph.made();
        if (self.graph.numbers_left() as usize) < expression.items.len() {
            return Err(error::no_numbers_left(expression.span, made));
        }
        let each = |item: &Item| matches!(item.kind, ItemKind::Each(_));
        let built = if expression.items.iter().any(each) {
            self.build_in_loops(text, expression)
        } else {
            let mut stack = std::mem::take(&mut self.stack);
            let built = self.build_on(&mut stack, text, expression);
            // The nodes of a failed expression must be dropped before their ids are taken back.
            stack.clear();
            self.stack = stack;
            built
        };
        // What is done with a long list takes time too: it is bound, shown, remembered.
        match &built {
            Ok(built) => stop::before(built.value.nodes().len()),
            Err(_) => self.graph.rewind(made),
        }
        built
    }

    /// Builds an expression and collects the notes about it.
    pub fn evaluate(
        &mut self,
        text: &str,
        expression: &Expression,
    ) -> Result<Evaluated<Value>, Error> {
        let built = self.build(text, expression)?;
        let mut found = self.found(text, expression, built.fault.as_ref());
        found.extend(built.remarks);
        if built.stale {
            found.extend(self.stale_note());
        }
        Ok((built.value, found))
    }

    /// The same for an expression that must give a number.
    pub fn evaluate_number(
        &mut self,
        text: &str,
        expression: &Expression,
    ) -> Result<Evaluated, Error> {
        let made = self.graph.made();
        let (value, found) = self.evaluate(text, expression)?;
        match value {
            Value::Node(node) => Ok((node, found)),
            Value::List(list) => {
                let error = list_errors::list_for_number(list.shape(), expression.span);
                drop(list);
                self.graph.rewind(made);
                Err(error)
            }
        }
    }

    /// Evaluates an expression to a number and drops its nodes. Does not warn of stale gradients, because `a.data +=
    /// 0.1*a.grad` is meant to use them.
    pub fn measure(
        &mut self,
        text: &str,
        expression: &Expression,
    ) -> Result<(f64, Vec<Note>), Error> {
        let made = self.graph.made();
        let Built { value, fault, .. } = self.build(text, expression)?;
        let found = self.found(text, expression, fault.as_ref());
        let data = match &value {
            Value::Node(node) => Ok(node.data()),
            Value::List(list) => Err(list_errors::list_for_number(list.shape(), expression.span)),
        };
        drop((value, fault));
        self.graph.rewind(made);
        Ok((data?, found))
    }

    /// The notes on literals that were rounded to 0 or look like an uncertainty, and on the node at fault.
    fn found(&self, text: &str, expression: &Expression, fault: Option<&Fault>) -> Vec<Note> {
        let fault = fault.map(|fault| self.fault_note(fault));
        let literals = notes::vanished(text, expression);
        let widths = notes::without_sign(text, expression);
        literals.chain(widths).chain(fault).collect()
    }

    fn build_on(
        &mut self,
        stack: &mut Vec<Value>,
        text: &str,
        expression: &Expression,
    ) -> Result<Built, Error> {
        let started = self.graph.made();
        let items = &expression.items;
        let mut fault = None;
        let mut stale = false;
        let mut remarks = Vec::new();
        for (at, item) in items.iter().enumerate() {
            stop::ask(at);
            let value = match item.kind {
                ItemKind::Number(literal) => {
                    let spelling = if literal.point {
                        Spelling::Point
                    } else {
                        Spelling::Plain
                    };
                    self.graph.constant(literal.value, spelling).into()
                }
                ItemKind::Name(name) => self.named(name, item.span)?,
                ItemKind::Former(..) | ItemKind::Id(_) | ItemKind::Result(_) => {
                    self.referred(text, items, at)?
                }
                ItemKind::Apply(head, count) => {
                    let count = count as usize;
                    let callee = match head {
                        Head::Operator(operator) => Callee::Built(operation(operator)),
                        Head::Function(name, primes) => {
                            self.callee(text, (name, primes), count, item.span)?
                        }
                        Head::List => {
                            let items = stack.split_off(stack.len() - count);
                            stack.push(list_of(items, item.span)?);
                            continue;
                        }
                        Head::Index => {
                            let (list, position) = two_popped(stack);
                            let site = IndexSite {
                                text,
                                items,
                                at,
                                call: None,
                            };
                            stack.push(item_of(&list, &position, site)?);
                            continue;
                        }
                        Head::Range => {
                            let (start, end) = two_popped(stack);
                            stack.push(self.range(&start, &end, item.span)?);
                            continue;
                        }
                        Head::Collect => unreachable!("an expression with `for` is built in loops"),
                    };
                    if let Callee::Built(op) = callee {
                        if let Some(node) = self.applied(op, stack, count) {
                            if fault.is_none() && is_at_fault(&node) {
                                fault = Some(fault_at(text, items, at, &node));
                            }
                            node.into()
                        } else {
                            let operands = stack.split_off(stack.len() - count);
                            let value = self.item_by_item(op, &operands, item.span, started)?;
                            if fault.is_none() {
                                let at_fault = value.nodes().iter().find(|node| is_at_fault(node));
                                fault = at_fault.map(|node| fault_at(text, items, at, node));
                            }
                            value
                        }
                    } else {
                        let arguments = stack.split_off(stack.len() - count);
                        let is_grad = matches!(callee, Callee::Grad);
                        if let (true, [Value::List(list), _]) = (is_grad, &arguments[..]) {
                            let (first, by) = two_spans(items, at);
                            let [first, by] = [first, by].map(|span| closed(text, span));
                            let (root, by) = (first.of(text), by.of(text));
                            let error = list_errors::grad_of_list(root, by, list.shape(), first);
                            return Err(error);
                        }
                        let span = if is_grad {
                            two_spans(items, at).1
                        } else {
                            item.span
                        };
                        let place = CallSite { span, started };
                        let derived = self.callee_made(callee, arguments.clone(), place)?;
                        fault = fault.or(derived.fault);
                        if let (true, [Value::Node(root), Value::Node(by)]) =
                            (derived.apart, &arguments[..])
                        {
                            remarks.push(notes::apart(&self.label(root), &self.label(by)));
                        }
                        derived.value
                    }
                }
                ItemKind::Property(property) => {
                    let operand = stack.pop().expect("a property follows its operand");
                    let plain = is_reference(items, at - 1);
                    let (value, old) = self.property(property, &operand, plain, item.span)?;
                    stale |= old;
                    value
                }
                ItemKind::Variable(_) | ItemKind::Each(_) => {
                    unreachable!("an expression with `for` is built in loops")
                }
            };
            stack.push(value);
        }
        let value = stack.pop().expect("an expression has a value");
        Ok(Built {
            value,
            fault,
            stale,
            remarks,
        })
    }

    /// Applies an operation to the last values of the stack if these are numbers. Otherwise nothing happens.
    pub(crate) fn applied(
        &mut self,
        op: &'static Op,
        stack: &mut Vec<Value>,
        count: usize,
    ) -> Option<Rc<Node>> {
        match &stack[stack.len() - count..] {
            [Value::Node(_)] => {
                let Some(Value::Node(x)) = stack.pop() else {
                    return None;
                };
                Some(self.graph.apply_1(op, x))
            }
            [Value::Node(_), Value::Node(_)] => {
                let (Some(Value::Node(y)), Some(Value::Node(x))) = (stack.pop(), stack.pop())
                else {
                    return None;
                };
                Some(self.graph.apply_2(op, x, y))
            }
            several if several.iter().all(|value| value.node().is_some()) => {
                let operands = stack.drain(stack.len() - count..);
                let nodes = operands.filter_map(|value| match value {
                    Value::Node(node) => Some(node),
                    Value::List(_) => None,
                });
                Some(self.graph.apply_many(op, nodes.collect()))
            }
            _ => None,
        }
    }
}

/// What was typed for the two operands of the item at `at`.
fn two_spans(items: &[Item], at: usize) -> (Span, Span) {
    let second = subtree_start(items, at - 1);
    let first = subtree_start(items, second - 1);
    let span = |items: &[Item]| items.iter().map(|item| item.span).reduce(Span::to);
    (
        span(&items[first..second]).unwrap_or_default(),
        span(&items[second..at]).unwrap_or_default(),
    )
}

/// An operand with the brackets that close it: the items of a call end before them.
fn closed(text: &str, span: Span) -> Span {
    let typed = span.of(text);
    let opened = typed.matches(['(', '[']).count();
    let mut missing = opened.saturating_sub(typed.matches([')', ']']).count());
    if missing == 0 {
        return span;
    }
    let behind = &text[span.end as usize..];
    let closes = behind.find(|c: char| {
        missing -= usize::from(matches!(c, ')' | ']'));
        missing == 0
    });
    Span::new(
        span.start as usize,
        span.end as usize + closes.map_or(0, |at| at + 1),
    )
}

fn two_popped(stack: &mut Vec<Value>) -> (Value, Value) {
    let mut pop = || stack.pop().expect("it has two operands");
    let second = pop();
    (pop(), second)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::Diagnostic;
    use crate::graph::LAST_NUMBER;
    use crate::syntax;

    #[test]
    fn an_expression_without_ids_left_is_refused() {
        let mut session = Session::new();
        let build = |session: &mut Session, text: &str| {
            let span = Span::new(0, text.len());
            let expression = syntax::expression(text, span).expect("it reads");
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
        assert_eq!(session.graph.made(), LAST_NUMBER);
        let told = Diagnostic::from(error);
        assert!(
            told.message.contains("4026531839 nodes"),
            "{}",
            told.message
        );
        assert!(told.help.is_some_and(|help| help.contains(":save")));
        assert_eq!(session.audit(), Ok(()));
        assert!(
            !session.script().text.is_empty(),
            "what there is can be saved"
        );
    }
}
