//! Reads the expressions that `:plot` draws, called parts, and builds their nodes.
//!
//! If a part is only the name of a function, the function is called with the leaves that the plot moves.

use super::PlotRequest;
use crate::command::prelude::*;
use crate::command::signatures::plot::T;
use crate::plotting::{MOST_CURVES, check_count};
use chainrule_language::{Expression, Head, Item, ItemKind};
use chainrule_program::Environment as _;
use chainrule_program::values::{List, Value};
use chainrule_session::{Setting, explain};

/// An expression to draw.
pub(super) struct PlotPart<'t> {
    arguments: &'t Arguments<'t>,
    span: Span,
    source: PartSource<'t>,
}

enum PartSource<'t> {
    /// No expression is typed: the target.
    Target,
    /// Only the name of a function, as in `f'`.
    Function(&'t str),
    Expression(Expression),
}

impl<'t> PlotPart<'t> {
    /// The text of the part. For the target it is the name of the command.
    pub(super) fn text(&self) -> &'t str {
        self.span.of(self.arguments.text)
    }

    /// Builds the node to plot. A bare function is called with the leaves that move. If the part is the name of a node, this
    /// node also becomes the session's target.
    pub(super) fn root(&self, session: &mut Session, moving: &[&Rc<Node>]) -> Result<Rc<Node>> {
        match &self.source {
            PartSource::Target => Ok(self.arguments.target(session, T)?.node),
            PartSource::Function(name) => self.call(session, name, moving),
            PartSource::Expression(expression) => {
                let (node, _) = session.evaluate_number(self.arguments.text, expression)?;
                let typed = self.text();
                // An expression may use a leaf that exists only during the plot, so it does not become the target.
                if session.names().find_node(typed).is_some() {
                    session.aim_at(&node, typed);
                }
                Ok(node)
            }
        }
    }

    /// Calls a function with the leaves that move.
    fn call(&self, session: &mut Session, name: &str, moving: &[&Rc<Node>]) -> Result<Rc<Node>> {
        let leaves = moving.iter().map(|leaf| Rc::clone(leaf).into());
        let mut operands: Vec<Value> = leaves.collect();
        // A function of a point takes the two numbers as a list.
        let function = session.functions().get(name);
        if moving.len() > 1 && function.is_some_and(|it| it.parameters.len() == 1) {
            operands = vec![List::from_items(operands).into()];
        }
        let primes = self.text().matches(['\'', '’', '′']).count();
        // The syntax allows at most 255 primes.
        let order = u8::try_from(primes).unwrap_or(u8::MAX);
        let built = session.call((name, order), operands, self.span);
        let number = built.and_then(|it| it.into_number(self.span));
        // The call was not typed by the user, so the error points at the function's name.
        number.map_err(|error| Diagnostic {
            others: Vec::new(),
            ..Diagnostic::from(error).at(self.span)
        })
    }

    /// Builds the part again with these data of the leaves that move, and returns its value, or NaN if it cannot be built.
    pub(super) fn value_at(
        &self,
        session: &mut Session,
        moving: &[&Rc<Node>],
        places: &[f64],
    ) -> f64 {
        let setting = |(leaf, data): (&&Rc<Node>, &f64)| Setting {
            leaf: Rc::clone(leaf),
            data: *data,
        };
        let settings: Vec<Setting> = moving.iter().zip(places).map(setting).collect();
        session.look_with(&settings, |session| {
            let root = self.root(session, moving);
            root.map_or(f64::NAN, |root| root.data())
        })
    }

    /// Returns the label of the curve. `across` is the name of the axis, or the names of both axes of a map.
    pub(super) fn label(&self, session: &Session, root: &Rc<Node>, across: &str) -> String {
        match self.source {
            PartSource::Target => session.label(root),
            _ => self.typed_label(across),
        }
    }

    /// Returns the formula of the curve if its label is just a name, or else an empty text.
    pub(super) fn formula(&self, session: &Session, root: &Rc<Node>, across: &str) -> String {
        let typed = self.text();
        let formula = match &self.source {
            // The label of a target without a name is its formula, which needs no repetition.
            PartSource::Target => {
                Some(session.expression(root)).filter(|it| *it != session.label(root))
            }
            PartSource::Function(name) => {
                // The body of a function is the formula of the curve only if there are no primes, and if its parameter is
                // called like the axis.
                let function = session.functions().get(name).filter(|_| typed == *name);
                let over_axis =
                    function.filter(|it| it.parameters.iter().all(|word| **word == *across));
                over_axis.map(|it| it.body.to_string())
            }
            PartSource::Expression(_) => {
                let is_name = language::is_name(typed) && session.names().find(typed).is_some();
                is_name.then(|| session.expression(root))
            }
        };
        formula.unwrap_or_default()
    }

    /// Returns the label of a part that is typed: `f(x)` for the name of a function, or else the expression. A target is not
    /// typed, and is never built again, so only `label` labels it.
    pub(super) fn typed_label(&self, across: &str) -> String {
        match self.source {
            PartSource::Function(_) => format!("{}({across})", self.text()),
            _ => language::one_line(self.text()),
        }
    }

    /// Whether it is a list, which is drawn over the positions of its items.
    pub(super) fn is_list(&self, session: &mut Session) -> bool {
        let text = self.arguments.text;
        let read = |expression| session.evaluate_numbers(text, expression).ok();
        let evaluated = self.expression().and_then(read);
        evaluated.is_some_and(|it| !it.shape.is_number())
    }

    /// Returns the function that the part names.
    pub(super) fn function(&self) -> Option<&'t str> {
        match self.source {
            PartSource::Function(name) => Some(name),
            _ => None,
        }
    }

    pub(super) fn expression(&self) -> Option<&Expression> {
        match &self.source {
            PartSource::Expression(expression) => Some(expression),
            _ => None,
        }
    }
}

/// Refuses roots that chose their nodes by the data of these leaves, as an `if` does: for other data, they would have other
/// nodes.
pub(super) fn check_decisions(
    request: &PlotRequest,
    roots: &[Rc<Node>],
    leaves: &[&Rc<Node>],
) -> Result<()> {
    let cloned: Vec<Rc<Node>> = leaves.iter().map(|leaf| Rc::clone(leaf)).collect();
    let span = request.arguments.place(T);
    Ok(request.session.check_guards(roots, Some(&cloned), span)?)
}

/// Reads the expressions between commas.
pub(super) fn parts<'r>(request: &PlotRequest<'r>) -> Result<Vec<PlotPart<'r>>> {
    let (session, arguments) = (&*request.session, request.arguments);
    let text = arguments.text;
    let Some(all) = arguments.span_of(T) else {
        return Ok(vec![PlotPart {
            arguments,
            span: arguments.name_span,
            source: PartSource::Target,
        }]);
    };
    let items = language::items(text, all).map_err(|error| match error.juxtaposed {
        Some(_) => arguments.syntax_error(session, T, error),
        None => explain(session, error),
    })?;
    check_count(items.len(), MOST_CURVES, all)?;
    let is_unnamed = (request.options.across).is_some_and(|range| range.variable.is_none());
    let mut parts = Vec::with_capacity(items.len());
    for item in items {
        let span = item.span;
        let source = match bare_function(session, &item, is_unnamed) {
            Some(name) => PartSource::Function(name),
            // A prime after the name of no function is refused here.
            None => PartSource::Expression(
                language::expression(text, span).map_err(|error| explain(session, error))?,
            ),
        };
        parts.push(PlotPart {
            arguments,
            span,
            source,
        });
    }
    Ok(parts)
}

/// Returns the function whose name is the whole expression: `f` or `f'`. A name may be both a value and a function; it
/// means the function if a range names no leaf (`is_unnamed`).
fn bare_function<'t>(
    session: &Session,
    expression: &Expression,
    is_unnamed: bool,
) -> Option<&'t str> {
    let [Item { kind, .. }] = &expression.items[..] else {
        return None;
    };
    let name = match *kind {
        ItemKind::Apply(Head::Function(name, 1..), 0) => name,
        ItemKind::Name(name) if is_unnamed || !session.knows(name) => name,
        _ => return None,
    };
    session.is_function(name).then_some(name)
}
