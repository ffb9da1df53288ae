//! Name resolution: what names, references and functions mean in an expression.
//!
//! The user's own definitions take precedence over predefined ones. Every failure becomes an error that suggests
//! something similar. Only a predefined constant creates a node here.

use std::rc::Rc;

use crate::diagnostic::Diagnostic;
use crate::diagnostic::suggest::{did_you_mean, nearest};
use crate::graph::{Node, Spelling};
use crate::ops;
use crate::session::Session;
use crate::session::error::{self, Error};
use crate::session::functions::{Callee, GRAD, is_built_in};
use crate::session::logged::Log;
use crate::session::random::{self, DRAWS};
use crate::session::values::results;
use crate::session::{LIST_FUNCTIONS, ListFunction};

use super::formers::FormerValue;
use crate::session::values::ListShape;
use crate::session::values::Value;
use crate::stop;
use crate::syntax::{self, Head, Item, ItemKind, Literal, Property, Span};

/// The names that always mean the last result.
pub const ANSWERS: [&str; 2] = ["ans", "_"];

impl Session {
    /// What a name stands for: the user's own value, the last result, or a predefined constant.
    pub(crate) fn named(&mut self, name: &str, span: Span) -> Result<Value, Error> {
        if let Some(value) = self.names.find(name) {
            return Ok(value.clone());
        }
        if ANSWERS.contains(&name) {
            let answer = self.results.last().cloned();
            return answer.ok_or_else(|| error::no_answer(name, span));
        }
        if let Some((known, value, _)) = ops::CONSTANTS.iter().find(|(known, ..)| *known == name) {
            return Ok(self.graph.constant(*value, Spelling::Named(known)).into());
        }
        if self.is_function(name) {
            return Err(error::function_as_value(name, span));
        }
        let constants = ops::CONSTANTS.iter().map(|(name, ..)| *name);
        let bound = self.names.bound().map(|(name, _)| name);
        let near = nearest(name, bound.chain(constants));
        let any = self.names.bound().next().is_some();
        Err(error::unknown_name(name, span, near, any))
    }

    /// Does `ans` mean something?
    pub fn has_answer(&self) -> bool {
        self.names.find(ANSWERS[0]).is_some() || self.results.last().is_some()
    }

    /// `a@1`, `@9`, `$3`: what the item at `at` refers to.
    pub(crate) fn referred(
        &mut self,
        text: &str,
        items: &[Item],
        at: usize,
    ) -> Result<Value, Error> {
        let item = &items[at];
        if matches!(item.kind, ItemKind::Result(_) | ItemKind::Id(_)) && self.numbers_differ() {
            return Err(error::of_own_session(item.span.of(text), item.span));
        }
        let (found, help) = match item.kind {
            ItemKind::Former(name, count) => {
                let help = "former names last as long as something uses their node";
                match self.names.formerly(name, count) {
                    Some(FormerValue::Parts(nodes, shape)) => {
                        return parts_left(text, items, at, &nodes, &shape);
                    }
                    Some(FormerValue::Whole(value)) => (Some(value), help.to_string()),
                    None => {
                        let near = nearest(name, self.names.bound().map(|(name, _)| name))
                            .filter(|near| self.names.formerly(near, count).is_some());
                        let near = near.map(|near| format!("{near}@{count}"));
                        (None, did_you_mean(near.as_deref(), || help.to_string()))
                    }
                }
            }
            ItemKind::Result(number) => (
                self.results.get(u64::from(number)),
                results::told(self.results.range()),
            ),
            ItemKind::Id(id) => {
                // Constants are not listed, and no table shows their ids.
                let id = id.saturating_add(self.made_before_file());
                let found = self.graph.living().node(id);
                if let Some(node) = &found {
                    self.keep_node(item.span, node);
                }
                let help = "`:grad` with `--json` shows all ids".to_string();
                (found.map(Value::Node), help)
            }
            _ => unreachable!("all other items have a value by themselves"),
        };
        found.ok_or_else(|| error::gone(item.span.of(text), item.span, help))
    }

    /// Whether there is a function with this name, with any number of arguments.
    pub fn is_function(&self, name: &str) -> bool {
        self.functions.get(name).is_some() || is_built_in(name)
    }

    /// Whether the name means the built-in function `grad`, which shares its name with a command.
    pub fn is_grad(&self, name: &str) -> bool {
        name == GRAD && self.functions.get(name).is_none()
    }

    /// What a function's name means at a call with `count` arguments. The user's own functions take precedence.
    pub(crate) fn callee(
        &self,
        text: &str,
        (name, primes): (&str, u8),
        count: usize,
        span: Span,
    ) -> Result<Callee, Error> {
        if let Some(own) = self.functions.get(name) {
            let takes = own.parameters.len();
            if takes == count && (primes == 0 || takes == 1) {
                return Ok(Callee::Own(Rc::clone(own), primes));
            }
        } else if name == GRAD && primes == 0 && count == 2 {
            return Ok(Callee::Grad);
        } else if let Some(function) = ListFunction::named(name) {
            if primes == 0 && function.takes(count) {
                return Ok(Callee::Lists(function));
            }
        } else if let Some(op) = ops::function(name, count) {
            match primes {
                0 => return Ok(Callee::Built(op)),
                _ if op.arity().1 == Some(1) => return Ok(Callee::Derived(op, primes)),
                _ => {}
            }
        } else if let Some(op) = ops::logarithm_to_base(name, count).filter(|_| primes == 0) {
            return Ok(Callee::Logarithm(op));
        } else if let Some(draw) = random::draw(name).filter(|_| primes == 0 && count == 2) {
            return Ok(Callee::Draw(draw));
        }
        Err(self.no_callee(text, (name, primes), count, span))
    }

    /// The error for a call without a meaning.
    fn no_callee(&self, text: &str, head: (&str, u8), given: usize, span: Span) -> Error {
        let (name, primes) = head;
        let wrong_count =
            |takes: &str, example: &str| error::wrong_count(name, span, takes, given, example);
        let own = self.functions.get(name);
        if name == GRAD && own.is_none() {
            if primes > 0 {
                return error::grad_primed(span);
            }
            return wrong_count(&counted(2, false), "grad(a*b, a)");
        }
        if let (None, Some(draw)) = (own, random::draw(name)) {
            return match primes {
                0 => wrong_count(&counted(2, false), draw.example),
                _ => error::draw_primed(draw, span),
            };
        }
        if primes > 0
            && let Some(parameters) = self.of_several(name)
        {
            return error::prime_of_several(name, &parameters, span);
        }
        if let Some(own) = own {
            return wrong_count(&counted(own.parameters.len(), false), &own.head());
        }
        if let Some(function) = ListFunction::named(name) {
            if primes > 0 {
                return error::prime_of_list(name, span);
            }
            let (least, most) = function.counts;
            return wrong_count(&counted(least, most > least), function.example);
        }
        let rows = ops::functions(name);
        if let Some(first) = rows.first() {
            let any_number = rows.iter().any(|op| op.arity().1.is_none());
            let mut counts: Vec<usize> = rows.iter().map(|op| op.arity().0).collect();
            counts.extend((2..=2).filter(|&two| ops::logarithm_to_base(name, two).is_some()));
            let takes = match counts.as_slice() {
                [only] => counted(*only, any_number),
                several => {
                    let several: Vec<String> = several.iter().map(usize::to_string).collect();
                    format!("{} arguments", several.join(" or "))
                }
            };
            return wrong_count(&takes, first.example);
        }
        if self.knows(name) {
            let list = self
                .names
                .find(name)
                .and_then(|value| value.shape().lengths().map(|it| !it.is_empty()));
            if list == Some(true) {
                return error::list_as_function(name, span);
            }
            return error::value_as_function(name, span, &product(text, name, span));
        }
        let lists = LIST_FUNCTIONS.iter().map(|function| function.name);
        let mut known: Vec<&str> = ops::function_names().chain([GRAD]).chain(lists).collect();
        known.extend(DRAWS.iter().map(|draw| draw.name));
        known.extend(self.functions.iter().map(|own| &*own.name));
        error::unknown_function(name, span, nearest(name, known))
    }

    /// The parameters (`x`, `y`) of a function that cannot be called with a single argument.
    fn of_several(&self, name: &str) -> Option<Vec<String>> {
        if let Some(own) = self.functions.get(name) {
            let parameters = own.parameters.iter().map(ToString::to_string);
            return (own.parameters.len() > 1).then(|| parameters.collect());
        }
        let row = ops::functions(name).first()?;
        let parameters = ["x", "y", "z"].into_iter().map(ToString::to_string);
        let count = row.arity().1.unwrap_or(2);
        (count > 1).then(|| parameters.take(count).collect())
    }

    /// `.data` or `.grad` of a value, as constants, and whether it is stale. `plain` says that the value was referred to
    /// by a name.
    pub(crate) fn property(
        &mut self,
        property: Property,
        value: &Value,
        plain: bool,
        span: Span,
    ) -> Result<(Value, bool), Error> {
        let mut stale = false;
        stop::before(value.nodes().len());
        let mut constants = Vec::with_capacity(value.nodes().len());
        for node in value.nodes() {
            let number = match property {
                Property::Data => node.data(),
                Property::Grad if !plain => return Err(error::grad_of_expression(span)),
                Property::Grad => {
                    stale = self.is_stale();
                    self.grad_read(node, span)?
                }
            };
            constants.push(self.graph.constant(number, Spelling::Plain));
        }
        let read = Value::shaped(constants, value.shape());
        if property == Property::Grad {
            self.keep_grads(span, &read);
        }
        Ok((read, stale))
    }

    /// The grad that the last pass gave to a node, or that the user has claimed since.
    fn grad_read(&self, node: &Rc<Node>, span: Span) -> Result<f64, Error> {
        if !node.varies() {
            return Err(error::grad_of_constant(&self.label(node), span));
        }
        if let Some(grad) = self.grad_to_show(node) {
            return Ok(grad);
        }
        if self.recent.pass.is_none() {
            let root = self
                .default_target()
                .map_or_else(|| self.label(node), |(target, _)| self.label(&target));
            // A label that was cut cannot be typed, so the suggestion leaves the target out.
            let target = Some(root).filter(|root| !root.contains('…'));
            return Err(error::no_pass(span, target.as_deref()));
        }
        // A node outside of the pass does not affect the root.
        Ok(0.0)
    }

    /// Whether a name stands for a value.
    pub fn knows(&self, name: &str) -> bool {
        self.names.find(name).is_some() || ANSWERS.contains(&name) || ops::constant(name).is_some()
    }

    /// Binds an unused name to a new leaf while `build` runs.
    pub fn with_variable<T>(
        &mut self,
        name: &str,
        data: f64,
        build: impl FnOnce(&mut Session, &Rc<Node>) -> T,
    ) -> T {
        let names = &self.names;
        let (texts, bindings, count) = (names.texts.mark(), names.bindings.mark(), names.count());
        let leaf = self.bind_leaf(name, data);
        let built = build(self, &leaf);
        self.names.bindings.take_back(bindings);
        self.names.texts.take_back(texts);
        self.names.truncate(count);
        built
    }

    /// Binds an unused name to a new leaf.
    pub(crate) fn bind_leaf(&mut self, name: &str, data: f64) -> Rc<Node> {
        let leaf = self.graph.leaf(data, false);
        let id = self.names.intern(name);
        self.names.bind(id, Rc::clone(&leaf).into());
        leaf
    }

    /// The diagnostic for a syntax error, improved by what only the session knows: that `sin` is a function, or `a` a
    /// name.
    pub fn explain(&self, mut error: syntax::SyntaxError) -> Diagnostic {
        if let Some([name, prime]) = error.juxtaposed.as_deref()
            && prime == "'"
        {
            match self.names.find(name) {
                Some(Value::Node(_)) => {
                    error.message = format!("`{name}` is a value, and a prime is for functions");
                    error.help = format!("its derivative by a leaf `x` is `grad({name}, x)`");
                }
                Some(Value::List(_)) => {
                    error.message = format!("`{name}` is a list, and a prime is for functions");
                    error.help = format!(
                        "the columns of rows are `[[row[k] for row in {name}] for k in 1..len({name}[1])]`"
                    );
                }
                None if self.is_function(name) => error.help = format!("write `{name}'(3)`"),
                None => {}
            }
        } else if let Some([function, operand]) = error.juxtaposed.as_deref() {
            let stem = function.trim_end_matches(|c| "⁻⁰¹²³⁴⁵⁶⁷⁸⁹".contains(c));
            let is_called = self.is_function(stem) && self.names.find(stem).is_none();
            let inside = operand
                .strip_prefix('(')
                .and_then(|it| it.strip_suffix(')'));
            let inside = inside.unwrap_or(operand);
            let power = &function[stem.len()..];
            let inverse = format!("a{stem}");
            if is_called {
                error.label.clear();
            }
            if is_called && operand.is_empty() {
                let span = error.span;
                let none = self.no_callee("", (function, 0), 0, span);
                return Diagnostic::from(none).at(span);
            } else if is_called && power == "⁻¹" && self.is_function(&inverse) {
                error.message = format!("the inverse of `{stem}` has a name of its own");
                error.help = format!("write `{inverse}({inside})`");
            } else if is_called && !power.is_empty() {
                error.message = "a power comes after the call".into();
                error.help = format!("write `{stem}({inside}){power}`");
            } else if is_called {
                error.message = format!("`{function}` is called with brackets");
                error.help = format!("write `{function}({operand})`");
            }
        }
        Diagnostic::from(error)
    }
}

/// A former list of which only some items are left, if the indices that follow it select one of these.
fn parts_left(
    text: &str,
    items: &[Item],
    at: usize,
    nodes: &[Option<Rc<Node>>],
    shape: &ListShape,
) -> Result<Value, Error> {
    let (mut selected, mut first, mut next) = (shape.clone(), 0, at + 1);
    while let Some([position, index]) = items.get(next..next + 2)
        && index.kind == ItemKind::Apply(Head::Index, 2)
        && let ItemKind::Number(Literal { value, .. }) = position.kind
        && let Some((item, start)) = selected.item((value as usize).wrapping_sub(1))
    {
        (selected, first, next) = (item, first + start, next + 2);
    }
    let left = |range: &[Option<Rc<Node>>]| range.iter().all(Option::is_some);
    let any = nodes.iter().flatten().next();
    match any {
        // What is not selected is not used, so it does not matter what stands there.
        Some(any) if next > at + 1 && left(&nodes[first..first + selected.size()]) => {
            let filled = nodes
                .iter()
                .map(|node| node.as_ref().unwrap_or(any).clone());
            Ok(Value::shaped(filled.collect(), shape))
        }
        _ => Err(error::parts_gone(items[at].span.of(text), items[at].span)),
    }
}

/// "1 argument", "2 arguments", "2 or more arguments"
fn counted(count: usize, or_more: bool) -> String {
    match (count, or_more) {
        (count, true) => format!("{count} or more arguments"),
        (1, false) => "1 argument".to_string(),
        (count, false) => format!("{count} arguments"),
    }
}

/// The suggestion for `a(b + c)` where `a` is a value: `a*(b + c)`, shortened if it is long.
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

/// The position of the bracket that closes one opened just before `text`.
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

/// The diagnostic for a syntax error. [`Session::explain`] adds what depends on names.
impl From<syntax::SyntaxError> for Diagnostic {
    fn from(error: syntax::SyntaxError) -> Diagnostic {
        let mut diagnostic = Diagnostic::new(error.message)
            .at(error.span)
            .label(error.label);
        if let Some((span, text)) = error.other {
            diagnostic = diagnostic.other(span, text);
        }
        diagnostic.help = Some(error.help).filter(|help| !help.is_empty());
        diagnostic
    }
}
