//! From an expression to nodes: names and functions are looked up, nodes are made, nothing is bound.
//!
//! A loop over the postfix items with a stack of nodes. A failure leaves no trace: what was made is dropped and its
//! numbers are taken back.

use std::rc::Rc;
use std::sync::LazyLock;

use super::Session;
use super::error::{Error, Gone};
use super::functions::Callee;
use super::names::Names;
use super::notes;
use crate::graph::{Node, Spelling};
use crate::ops::{self, Op, Shape};
use crate::report::Note;
use crate::suggest::nearest;
use crate::syntax::levels::Grouping;
use crate::syntax::{Expression, Head, Item, Kind, Operator, Property, Span, levels};

/// How many items are built between two questions whether to stop.
const ITEMS_PER_QUESTION: usize = 1 << 14;

/// An expression that was built.
#[derive(Debug)]
pub struct Built {
    /// Its root.
    pub root: Rc<Node>,
    /// The first node that is NaN or infinite although its operands are finite.
    pub fault: Option<Fault>,
    /// A stale gradient was read (`a.grad` after data changed).
    pub stale: bool,
}

/// A root and what is worth noting about it.
pub type Evaluated = (Rc<Node>, Vec<Note>);

/// A node at fault, and where in the expression it was made.
#[derive(Clone, Debug)]
pub struct Fault {
    /// The node.
    pub node: Rc<Node>,
    /// What was typed for its operands, where there is a text.
    pub place: Option<Span>,
}

/// Names that always mean the last result.
pub const ANSWERS: [&str; 2] = ["ans", "_"];

impl Session {
    /// Builds an expression; `text` is what its spans count in.
    pub fn build(&mut self, text: &str, expression: &Expression) -> Result<Built, Error> {
        let made = self.graph.made();
        let mut stack = std::mem::take(&mut self.stack);
        let built = self.build_on(&mut stack, text, expression);
        // What is left of a failed expression goes before its numbers are taken back.
        stack.clear();
        self.stack = stack;
        if built.is_err() {
            self.graph.rewind(made);
        }
        built
    }

    /// Builds an expression and says what is worth noting about it.
    pub fn evaluate(&mut self, text: &str, expression: &Expression) -> Result<Evaluated, Error> {
        let Built { root, fault, stale } = self.build(text, expression)?;
        let mut found: Vec<Note> = expression
            .vanished
            .iter()
            .map(|span| notes::vanished(text, *span))
            .collect();
        found.extend(fault.map(|fault| self.fault_note(&fault)));
        if stale {
            found.extend(self.stale_note());
        }
        Ok((root, found))
    }

    fn build_on(
        &mut self,
        stack: &mut Vec<Rc<Node>>,
        text: &str,
        expression: &Expression,
    ) -> Result<Built, Error> {
        let started = self.graph.made();
        let mut fault = None;
        let mut stale = false;
        for (at, item) in expression.items.iter().enumerate() {
            if at % ITEMS_PER_QUESTION == ITEMS_PER_QUESTION - 1 && self.host.stop() {
                return Err(Error::Interrupted);
            }
            let node = match item.kind {
                Kind::Number(literal) => {
                    let spelling = if literal.point {
                        Spelling::Point
                    } else {
                        Spelling::Plain
                    };
                    self.graph.constant(literal.value, spelling)
                }
                Kind::Name(name) => self.named(name, item.span)?,
                Kind::Former(..) | Kind::Id(_) | Kind::Result(_) => self.referred(text, item)?,
                Kind::Apply(head, count) => {
                    let count = count as usize;
                    let callee = match head {
                        Head::Operator(operator) => Callee::Built(operation(operator)),
                        Head::Function(name, primes) => {
                            self.callee(text, (name, primes), count, item.span)?
                        }
                    };
                    match callee {
                        Callee::Built(op) => {
                            let node = self.graph.apply(op, stack, count);
                            if fault.is_none() && is_at_fault(&node) {
                                let place = operands_span(&expression.items, at);
                                fault = Some(Fault {
                                    node: Rc::clone(&node),
                                    place: place.map(|span| balanced(text, span)),
                                });
                            }
                            node
                        }
                        Callee::Own(function) => {
                            let arguments = stack.split_off(stack.len() - count);
                            let (node, within) =
                                self.call(function, arguments, item.span, started)?;
                            fault = fault.or(within);
                            node
                        }
                    }
                }
                Kind::Property(property) => {
                    let operand = stack.pop().expect("a property follows its operand");
                    let plain = matches!(
                        at.checked_sub(1)
                            .map(|before| expression.items[before].kind),
                        Some(Kind::Name(_) | Kind::Former(..) | Kind::Id(_) | Kind::Result(_))
                    );
                    let (value, old) = self.property(property, &operand, plain, item.span)?;
                    stale |= old;
                    self.graph.constant(value, Spelling::Plain)
                }
            };
            stack.push(node);
        }
        let root = stack.pop().expect("an expression has a root");
        Ok(Built { root, fault, stale })
    }

    /// The node a name stands for: the user's, the last result, a predefined constant.
    pub(super) fn named(&mut self, name: &str, span: Span) -> Result<Rc<Node>, Error> {
        if let Some(node) = self.names.get(name) {
            return Ok(Rc::clone(node));
        }
        if ANSWERS.contains(&name) {
            let answer = self.results.last().cloned();
            return answer.ok_or_else(|| Error::NoAnswer {
                name: name.to_string(),
                span,
            });
        }
        if let Some((known, value, _)) = ops::CONSTANTS.iter().find(|(known, ..)| *known == name) {
            return Ok(self.graph.constant(*value, Spelling::Named(known)));
        }
        if self.is_function(name) {
            return Err(Error::FunctionAsValue {
                name: name.to_string(),
                span,
            });
        }
        Err(unknown_name(&self.names, name, span))
    }

    /// `a@1`, `@9`, `$3`
    fn referred(&self, text: &str, item: &Item) -> Result<Rc<Node>, Error> {
        let (found, kind) = match item.kind {
            Kind::Former(name, count) => (self.names.formerly(name, count), Gone::Former),
            Kind::Id(id) => (self.node_by_id(id), Gone::Id),
            Kind::Result(number) => (self.results.get(u64::from(number)), Gone::Result),
            _ => (None, Gone::Id),
        };
        found.ok_or_else(|| Error::Gone {
            text: item.span.of(text).to_string(),
            span: item.span,
            kind,
        })
    }

    /// Is there a function of this name, whatever it takes?
    pub fn is_function(&self, name: &str) -> bool {
        self.functions.get(name).is_some() || is_built_in(name)
    }

    /// What a function's name means at a call with so many arguments. The user's own functions win.
    pub(super) fn callee(
        &self,
        text: &str,
        (name, primes): (&str, u8),
        count: usize,
        span: Span,
    ) -> Result<Callee, Error> {
        let own = self.functions.get(name);
        if primes == 0 {
            if let Some(function) = own.filter(|own| own.parameters.len() == count) {
                return Ok(Callee::Own(Rc::clone(function)));
            }
            if let Some(op) = ops::function(name, count).filter(|_| own.is_none()) {
                return Ok(Callee::Built(op));
            }
        }
        Err(self.no_callee(text, (name, primes), count, span))
    }

    /// Why a call means nothing.
    fn no_callee(&self, text: &str, head: (&str, u8), given: usize, span: Span) -> Error {
        let name = head.0.to_string();
        if head.1 > 0 {
            return Error::Primes { name, span };
        }
        if let Some(own) = self.functions.get(&name) {
            return Error::WrongCount {
                takes: counted(own.parameters.len(), false),
                example: own.head(),
                name,
                span,
                given,
            };
        }
        let rows = ops::functions(&name);
        if let Some(first) = rows.first() {
            let any_number = rows.iter().any(|op| op.arity().1.is_none());
            if given > ops::MOST_OPERANDS && any_number {
                return Error::TooMany { name, span, given };
            }
            let counts: Vec<String> = rows.iter().map(|op| op.arity().0.to_string()).collect();
            let takes = match rows {
                [only] => counted(only.arity().0, any_number),
                _ => format!("{} arguments", counts.join(" or ")),
            };
            return Error::WrongCount {
                takes,
                example: first.example.to_string(),
                name,
                span,
                given,
            };
        }
        let is_value = self.names.get(&name).is_some()
            || ops::constant(&name).is_some()
            || ANSWERS.contains(&&*name);
        if is_value {
            let product = product(text, &name, span);
            return Error::ValueAsFunction {
                name,
                span,
                product,
            };
        }
        let mut known: Vec<&str> = ops::function_names().collect();
        known.extend(self.functions.iter().map(|own| &*own.name));
        let near = nearest(&name, known).map(ToString::to_string);
        Error::UnknownFunction { name, span, near }
    }

    /// The value of `.data` or `.grad`, and whether it is stale.
    pub(super) fn property(
        &self,
        property: Property,
        node: &Rc<Node>,
        plain: bool,
        span: Span,
    ) -> Result<(f64, bool), Error> {
        if property == Property::Data {
            return Ok((node.data(), false));
        }
        if !plain {
            return Err(Error::GradOfExpression { span });
        }
        if !node.varies() {
            return Err(Error::GradOfConstant {
                text: self.label(node),
                span,
            });
        }
        let Some(pass) = &self.pass else {
            let root = self
                .default_target()
                .map_or_else(|| self.label(node), |(target, _)| self.label(&target));
            return Err(Error::NoPass { span, root });
        };
        // Outside the pass nothing moves the root.
        Ok((pass.grad(node).unwrap_or(0.0), self.is_stale()))
    }
}

/// Is there a built-in function of this name, whatever it takes?
pub(super) fn is_built_in(name: &str) -> bool {
    !ops::functions(name).is_empty()
}

/// The operation of an operator. One look-up in the table of rows for each operator of the language, once.
pub(super) fn operation(operator: &'static Operator) -> &'static Op {
    static OPERATIONS: LazyLock<Vec<&'static Op>> = LazyLock::new(|| {
        let row = |operator: &Operator| {
            let shape = match operator.grouping {
                Grouping::Prefix => Shape::Prefix,
                Grouping::Postfix => Shape::Postfix,
                Grouping::Left | Grouping::Right | Grouping::Alone => Shape::Infix,
            };
            ops::operator(operator.spelling, shape)
                .expect("a test asks that each operator has a row")
        };
        levels::OPERATORS.iter().map(row).collect()
    });
    let place = std::ptr::from_ref(operator) as usize - levels::OPERATORS.as_ptr() as usize;
    OPERATIONS[place / size_of::<Operator>()]
}

/// Is it here that a NaN or an infinity comes up? Infinite operands pass infinity on, but `0*inf` is a new NaN.
pub(super) fn is_at_fault(node: &Node) -> bool {
    let data = node.data();
    let operands = node.operands();
    if data.is_finite() || operands.is_empty() {
        return false;
    }
    if data.is_nan() {
        return !operands.iter().any(|operand| operand.data().is_nan());
    }
    operands.iter().all(|operand| operand.data().is_finite())
}

/// "1 argument", "2 arguments", "2 or more arguments"
fn counted(count: usize, or_more: bool) -> String {
    match (count, or_more) {
        (count, true) => format!("{count} or more arguments"),
        (1, false) => "1 argument".to_string(),
        (count, false) => format!("{count} arguments"),
    }
}

fn unknown_name(names: &Names, name: &str, span: Span) -> Error {
    let constants = ops::CONSTANTS.iter().map(|(name, ..)| *name);
    let near = nearest(
        name,
        names.bound().map(|(name, _)| &**name).chain(constants),
    )
    .map(ToString::to_string);
    Error::UnknownName {
        name: name.to_string(),
        span,
        near,
        any: names.bound().next().is_some(),
    }
}

/// `a(b + c)` with `a` a value: what to type is `a*(b + c)`, cut short after a while.
fn product(text: &str, name: &str, span: Span) -> String {
    let after = text.get(span.end as usize..).unwrap_or("").trim_start();
    let after = after.strip_prefix('(').map_or(after, str::trim_start);
    let close = closing(after).unwrap_or(0);
    if (1..=40).contains(&close) {
        format!("{name}*({})", &after[..close].trim_end())
    } else {
        format!("{name}*(…)")
    }
}

/// Where the bracket closes that was open at the start of `text`.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, character) in text.char_indices() {
        match character {
            '(' => depth += 1,
            ')' if depth == 0 => return Some(at),
            ')' => depth -= 1,
            _ => {}
        }
    }
    None
}

/// What was typed for the operands of the item at `at`: `a*b` for `ln(a*b)`, `1/0` for `1/0`. Goes back over as many
/// items as the operands have.
fn operands_span(items: &[Item], at: usize) -> Option<Span> {
    items[subtree_start(items, at)..at]
        .iter()
        .map(|item| item.span)
        .reduce(Span::to)
}

/// A stretch widened by the brackets that it cuts apart: of `(-8)^(1/3)` the operands reach from `-8` to `3`.
fn balanced(text: &str, span: Span) -> Span {
    let (mut start, mut end) = (span.start as usize, span.end as usize);
    let (mut opened, mut closed) = (0_usize, 0_usize);
    for byte in text[start..end].bytes() {
        match byte {
            b'(' => opened += 1,
            b')' if opened > 0 => opened -= 1,
            b')' => closed += 1,
            _ => {}
        }
    }
    for _ in 0..closed {
        start = text[..start].rfind('(').unwrap_or(start);
    }
    for _ in 0..opened {
        end = text[end..].find(')').map_or(end, |found| end + found + 1);
    }
    Span::new(start, end)
}

/// The first item of the subtree that ends with the item at `root`.
fn subtree_start(items: &[Item], root: usize) -> usize {
    let mut wanted = 1_usize;
    let mut at = root + 1;
    while wanted > 0 && at > 0 {
        at -= 1;
        wanted -= 1;
        wanted += match items[at].kind {
            Kind::Apply(_, count) => count as usize,
            Kind::Property(_) => 1,
            _ => 0,
        };
    }
    at
}
