//! Determines what `:plot` draws and which variable it varies, before anything is sampled.
//!
//! A bare function name is called with the variable. The variable is a name without a value, which gets values for this
//! plot only, or else a leaf; it must be unambiguous.

use std::rc::Rc;

use crate::commands::args::Arguments;
use crate::commands::args::range::Range;
use crate::commands::args::resolve;
use crate::diagnostic::{Diagnostic, listed};
use crate::graph::{Node, Order};
use crate::session::values::Value;
use crate::session::{ANSWERS, Error, Session};
use crate::syntax;
use crate::syntax::{Expression, Span};

/// The most curves of a plot; more could not be told apart.
pub const MOST_CURVES: usize = 6;

/// One of the expressions to draw.
pub(crate) struct PlotPart<'t> {
    span: Span,
    /// The function name, if the expression is nothing else, as in `f'`.
    bare: Option<&'t str>,
    /// Any other expression; `None` if no target was given.
    expression: Option<Expression<'t>>,
}

impl PlotPart<'_> {
    /// The node to plot. `moving` is the argument that bare functions are called with.
    pub(crate) fn root(
        &self,
        session: &mut Session,
        arguments: &Arguments,
        moving: &str,
    ) -> Result<Rc<Node>, Diagnostic> {
        let text = arguments.text;
        let (Some(name), typed) = (self.bare, self.span.of(text)) else {
            let Some(expression) = &self.expression else {
                return Ok(arguments.target(session, "T")?.node);
            };
            let built = session.evaluate_number(text, expression);
            return built.map(|(node, _)| node).map_err(|error| match error {
                Error::UnknownName(name, unknown) if !moving.is_empty() => unknown.help(format!(
                    "a plot moves one name: write `{name}=…` to move `{name}`, or give it a value"
                )),
                other => other.into(),
            });
        };
        let several = moving.contains(',');
        let function = session.functions().get(name);
        // A function of a point takes the two numbers as a list.
        let takes_point = several && function.is_some_and(|own| own.parameters.len() == 1);
        let operands = if takes_point {
            format!("[{moving}]")
        } else {
            moving.to_string()
        };
        let call = format!("{}({operands})", typed.replace(['’', '′'], "'"));
        let whole = Span::new(0, call.len());
        let expression = syntax::expression(&call, whole).map_err(|error| session.explain(error));
        let built = expression.and_then(|expression| {
            let built = session.evaluate_number(&call, &expression);
            built.map_err(|error| match error {
                Error::WrongCount(example, _) if !several => Diagnostic::new(format!(
                    "`{name}` takes several arguments, and a plot moves one"
                ))
                .help(format!(
                    "give the others, as in `:plot {} x=0..1`; two arguments make a map, as in `:plot {name} x=0..1 y=0..1`",
                    moved(name, &example)
                )),
                other => other.into(),
            })
        });
        // The call was not typed by the user, so the error points at the function's name.
        let at_name = |error: Diagnostic| Diagnostic {
            others: Vec::new(),
            ..error.at(self.span)
        };
        built.map(|(node, _)| node).map_err(at_name)
    }

    /// Where it stands, if it is an expression and no function.
    pub(crate) fn expression_span(&self) -> Option<Span> {
        self.expression.as_ref().map(|_| self.span)
    }

    /// The label of the curve, and the formula behind it if the label is just a name.
    pub(crate) fn caption(
        &self,
        session: &Session,
        arguments: &Arguments,
        root: &Rc<Node>,
        across: &str,
    ) -> (String, String) {
        if self.bare.is_none() && self.expression.is_none() {
            return (session.label(root), session.expression(root));
        }
        let typed = self.span.of(arguments.text);
        if let Some(name) = self.bare {
            let own = session.functions().get(name).filter(|_| typed == name);
            let formula = own.filter(|own| own.parameters.iter().all(|it| **it == *across));
            let body = formula.map_or(String::new(), |own| own.body.to_string());
            return (format!("{typed}({across})"), body);
        }
        let words: Vec<&str> = typed.split_whitespace().collect();
        let is_name = syntax::is_name(typed) && session.names().find(typed).is_some();
        let formula = is_name.then(|| session.expression(root));
        (words.join(" "), formula.unwrap_or_default())
    }

    /// The name of the parameter, for a function of the user.
    fn parameter(&self, session: &Session) -> Option<String> {
        let own = session.functions().get(self.bare?)?;
        own.parameters.first().map(ToString::to_string)
    }
}

/// Is this the name of a function of the session that takes several arguments?
pub(super) fn takes_several(session: &Session, name: &str) -> bool {
    let own = session.functions().get(name);
    own.is_some_and(|own| own.parameters.len() > 1)
}

/// The variable of a plot.
pub(crate) enum MovingLeaf {
    /// An existing leaf.
    Leaf(Rc<Node>),
    /// A name that has a value in this plot only, and its label.
    Name(String, String),
}

/// The expressions between commas.
pub(crate) fn parts<'t>(
    session: &Session,
    arguments: &Arguments<'t>,
    range: Option<Range>,
) -> Result<Vec<PlotPart<'t>>, Diagnostic> {
    let text = arguments.text;
    let Some(all) = arguments.stretch("T") else {
        return Ok(vec![PlotPart {
            span: arguments.word,
            bare: None,
            expression: None,
        }]);
    };
    let spans = resolve::split_at_commas(text, all);
    if spans.len() > MOST_CURVES {
        return Err(Diagnostic::new(format!(
            "a plot has at most {MOST_CURVES} curves, these are {}",
            spans.len()
        ))
        .at(all)
        .help("more could not be told apart: draw them in two plots"));
    }
    let is_unnamed = range.is_some_and(|range| range.variable.is_none());
    let part = |span: Span| {
        let span = resolve::trimmed(text, span);
        let typed = span.of(text);
        let name = typed.trim_end_matches(['\'', '’', '′']);
        let primed = name.len() < typed.len();
        let bare = (syntax::is_name(name) && session.is_function(name))
            && (primed || is_unnamed || !session.knows(name));
        if bare {
            return Ok(PlotPart {
                span,
                bare: Some(name),
                expression: None,
            });
        }
        if primed && session.knows(name) {
            let by = range
                .and_then(|range| range.variable)
                .map_or("x", |it| it.of(text));
            return Err(Diagnostic::new(format!(
                "`{name}` is a value, and a prime is for functions"
            ))
            .at(span)
            .help(format!("its derivative by `{by}` is `grad({name}, {by})`")));
        }
        if typed.is_empty() {
            return Err(Diagnostic::new("an expression is missing here")
                .at(span)
                .help("as in `:plot tanh(x), sigmoid(x) x=-4..4`"));
        }
        let expression = syntax::expression(text, span)
            .map_err(|error| arguments.unread(session, "T", error))?;
        Ok(PlotPart {
            span,
            bare: None,
            expression: Some(expression),
        })
    };
    spans.into_iter().map(part).collect()
}

pub(crate) fn mover(
    session: &mut Session,
    arguments: &Arguments,
    parts: &[PlotPart],
    range: Option<Range>,
) -> Result<MovingLeaf, Diagnostic> {
    let text = arguments.text;
    if let Some(span) = range.and_then(|range| range.variable) {
        return named_mover(session, arguments, span);
    }
    let mut unknown: Vec<(&str, Span)> = Vec::new();
    let expressions = parts.iter().filter_map(|part| part.expression.as_ref());
    for expression in expressions {
        for (name, at) in expression.names() {
            let is_known = session.knows(name) || session.is_function(name);
            if !is_known && unknown.iter().all(|(known, _)| *known != name) {
                unknown.push((name, expression.items[at].span));
            }
        }
    }
    match unknown[..] {
        [] => {}
        [(name, _)] => {
            // The name may be a typing error rather than a variable. So may be a name that stands alone without a
            // range.
            let alone = |part: &PlotPart| part.span.of(text) == name;
            for part in parts.iter().filter(|part| part.expression.is_some()) {
                let error = part.root(session, arguments, "").err();
                let is_slip = |error: &Diagnostic| {
                    let help = error.help.as_deref().unwrap_or_default();
                    help.contains('?') || range.is_none() && alone(part)
                };
                if let Some(error) = error.filter(is_slip) {
                    return Err(error);
                }
            }
            return Ok(MovingLeaf::Name(name.to_string(), name.to_string()));
        }
        [(first, span), (second, other), ..] => {
            return Err(Diagnostic::new(format!(
                "neither `{first}` nor `{second}` has a value, and a plot moves one name"
            ))
            .at(span)
            .other(other, "")
            .help(format!("give the others a value, as in `{second} = 2`")));
        }
    }
    let mut leaves: Vec<Rc<Node>> = Vec::new();
    for part in parts.iter().filter(|part| part.bare.is_none()) {
        let root = part.root(session, arguments, "")?;
        for node in Order::below([&root]).nodes() {
            if node.is_leaf() && !leaves.iter().any(|leaf| Rc::ptr_eq(leaf, node)) {
                leaves.push(Rc::clone(node));
            }
        }
    }
    let free: Vec<&Rc<Node>> = leaves.iter().filter(|leaf| leaf.is_free()).collect();
    match (&free[..], &leaves[..]) {
        ([only], _) => Ok(MovingLeaf::Leaf(Rc::clone(only))),
        ([], [only]) => Ok(MovingLeaf::Leaf(Rc::clone(only))),
        ([], []) => {
            let own = parts.iter().find_map(|part| part.parameter(session));
            let called = own.unwrap_or_else(|| "x".to_string());
            let names = [called.clone(), "x".to_string(), "t".to_string()];
            let numbered = (1..).map(|number| format!("x{number}"));
            let name = names
                .into_iter()
                .chain(numbered)
                .find(|name| !session.knows(name));
            Ok(MovingLeaf::Name(name.unwrap_or_default(), called))
        }
        _ => {
            let mut names: Vec<String> = leaves.iter().map(|leaf| session.label(leaf)).collect();
            names.reverse();
            let first = names.first().cloned().unwrap_or_default();
            let line = arguments.added("T", &format!("{first}=-5..5"));
            Err(Diagnostic::new(format!(
                "{} leaves could move: {}",
                names.len(),
                listed(&names)
            ))
            .at(arguments.stretch("T").unwrap_or(arguments.word))
            .help(format!("say which one, as in `{line}`")))
        }
    }
}

/// An example call with `x` as the first argument and as many others as `call` has: `g(x, 2, 3)`
fn moved(name: &str, call: &str) -> String {
    let others = 2..2 + call.matches(',').count();
    let others: String = others.map(|number| format!(", {number}")).collect();
    format!("{name}(x{others})")
}

/// The variable that a range names: a leaf, or a name without a value.
pub(super) fn named_mover(
    session: &mut Session,
    arguments: &Arguments,
    span: Span,
) -> Result<MovingLeaf, Diagnostic> {
    let text = arguments.text;
    let name = span.of(text);
    let is_name = syntax::is_name(name);
    if is_name && ANSWERS.contains(&name) {
        return Err(
            Diagnostic::new(format!("`{name}` is the last result, it cannot move"))
                .at(span)
                .help(format!(
                    "choose another name, as in `{}`",
                    arguments.retyped(&[(span, "x")])
                )),
        );
    }
    if let Some(Value::List(_)) = session.names().find(name) {
        return Err(
            Diagnostic::new(format!("`{name}` is a list, and a plot moves a leaf"))
                .at(span)
                .help(format!(
                    "as in `{}`; `:plot T over {name}` draws lists over it",
                    arguments.retyped(&[(span, &format!("{name}[1]"))])
                )),
        );
    }
    let node = match session.names().get(name) {
        Some(node) => Rc::clone(node),
        None if is_name => return Ok(MovingLeaf::Name(name.to_string(), name.to_string())),
        None => resolve::node(session, text, span)?,
    };
    if node.is_leaf() {
        return Ok(MovingLeaf::Leaf(node));
    }
    let below = Order::below([&node]);
    let leaves = below.nodes().iter().rev().filter(|node| node.is_leaf());
    let leaves: Vec<String> = leaves.map(|leaf| session.label(leaf)).collect();
    let first = leaves.first().cloned().unwrap_or_default();
    Err(
        Diagnostic::new(format!("`{name}` is computed, and a plot moves a leaf"))
            .at(span)
            .help(format!(
                "below it {} {}: as in `{}`",
                if leaves.len() == 1 { "is" } else { "are" },
                first_ones(&leaves),
                arguments.retyped(&[(span, &first)])
            )),
    )
}

/// A list of names: `a`, `b` and 3 more
fn first_ones(names: &[String]) -> String {
    let text = listed(names.iter().take(4));
    match names.len().saturating_sub(4) {
        0 => text,
        more => format!("{text} and {more} more"),
    }
}
