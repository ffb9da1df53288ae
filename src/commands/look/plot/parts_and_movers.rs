//! Reads what `:plot` draws (its parts) and what it varies (the mover): a leaf, or a name without a value, which
//! becomes a leaf while the plot is made.
//!
//! A bare function name is called with the mover.

use std::rc::Rc;

use crate::commands::args::Arguments;
use crate::commands::args::evaluate;
use crate::commands::args::evaluate::leaves_below;
use crate::commands::args::range::Range;
use crate::commands::signatures::plot::T;
use crate::session::values::{List, Value};
use crate::session::{ANSWERS, Session, Setting};
use chainrule_engine::graph::{Node, Order};
use chainrule_language::{self as language, Expression, Head, Item, ItemKind, Span};
use chainrule_report::diagnostic::{Diagnostic, backtick_list};

/// The most curves of a plot. A reader could not tell more apart.
pub const MOST_CURVES: usize = 6;

/// One of the expressions to draw.
pub(super) struct PlotPart<'t> {
    span: Span,
    source: PartSource<'t>,
}

enum PartSource<'t> {
    /// No expression is given: the target.
    Last,
    /// A function's name and nothing else, as in `f'`.
    Function(&'t str),
    Expression(Expression<'t>),
}

/// A leaf while a plot moves it.
pub(super) struct MovingLeaf {
    pub leaf: Rc<Node>,
    /// The name of the axis.
    pub name: String,
    /// Whether it has a value of its own outside the plot.
    pub is_kept: bool,
}

impl MovingLeaf {
    fn of(session: &Session, leaf: &Rc<Node>) -> MovingLeaf {
        MovingLeaf {
            name: session.label(leaf),
            leaf: Rc::clone(leaf),
            is_kept: true,
        }
    }

    /// A name that becomes a leaf with this value until the plot is done.
    fn bound(session: &mut Session, name: &str, axis: &str, data: f64) -> MovingLeaf {
        MovingLeaf {
            leaf: session.bind_leaf(name, data),
            name: axis.to_string(),
            is_kept: false,
        }
    }
}

impl PlotPart<'_> {
    /// The node to plot. Bare functions are called with `moving`.
    pub(super) fn root(
        &self,
        session: &mut Session,
        arguments: &Arguments,
        moving: &[&MovingLeaf],
    ) -> Result<Rc<Node>, Diagnostic> {
        let name = match &self.source {
            PartSource::Last => return Ok(arguments.target(session, T)?.node),
            PartSource::Function(name) => name,
            PartSource::Expression(expression) => {
                let (node, _) = session.evaluate_number(arguments.text, expression)?;
                let typed = self.span.of(arguments.text);
                // An expression of a name that moves means nothing after the plot.
                if session.names().find_node(typed).is_some() {
                    session.aim_at(&node, typed);
                }
                return Ok(node);
            }
        };
        let leaves = moving.iter().map(|moving| Rc::clone(&moving.leaf).into());
        let mut operands: Vec<Value> = leaves.collect();
        // A function of a point takes the two numbers as a list.
        let own = session.functions().get(name);
        if moving.len() > 1 && own.is_some_and(|own| own.parameters.len() == 1) {
            operands = vec![List::from_items(operands).into()];
        }
        let typed = self.span.of(arguments.text);
        let primes = typed.matches(['\'', '’', '′']).count();
        let primes = u8::try_from(primes).unwrap_or(u8::MAX);
        let built = session.call((name, primes), operands, self.span);
        // The call was not typed by the user, so the error points at the function's name.
        built.map_err(|error| Diagnostic {
            others: Vec::new(),
            ..Diagnostic::from(error).at(self.span)
        })
    }

    /// The value where the leaves that move have these data. It is built anew; NaN where it cannot be built.
    pub(super) fn value_at(
        &self,
        session: &mut Session,
        arguments: &Arguments,
        moving: &[&MovingLeaf],
        places: &[f64],
    ) -> f64 {
        let settings = moving.iter().zip(places).map(|(moving, data)| Setting {
            leaf: Rc::clone(&moving.leaf),
            data: *data,
        });
        let settings: Vec<Setting> = settings.collect();
        session.look_with(&settings, |session| {
            let root = self.root(session, arguments, moving);
            root.map_or(f64::NAN, |root| root.data())
        })
    }

    /// The label of the curve, and the formula behind it if the label is just a name.
    pub(super) fn caption(
        &self,
        session: &Session,
        arguments: &Arguments,
        root: &Rc<Node>,
        across: &str,
    ) -> (String, String) {
        let typed = self.span.of(arguments.text);
        match &self.source {
            PartSource::Last => {
                let (label, formula) = (session.label(root), session.expression(root));
                // A target without a name is called by its formula.
                let is_named = label != formula;
                (label, if is_named { formula } else { String::new() })
            }
            PartSource::Function(name) => {
                let own = session.functions().get(name).filter(|_| typed == *name);
                let formula = own.filter(|own| own.parameters.iter().all(|it| **it == *across));
                let body = formula.map_or(String::new(), |own| own.body.to_string());
                (format!("{typed}({across})"), body)
            }
            PartSource::Expression(_) => {
                let is_name = language::is_name(typed) && session.names().find(typed).is_some();
                let formula = is_name.then(|| session.expression(root));
                (single_blanks(typed), formula.unwrap_or_default())
            }
        }
    }

    /// Whether it is a list, which is drawn over its positions.
    pub(super) fn is_list(&self, session: &mut Session, arguments: &Arguments) -> bool {
        let measured = self
            .expression()
            .and_then(|expression| session.evaluate_numbers(arguments.text, expression).ok());
        measured.is_some_and(|it| !it.shape.is_number())
    }

    fn expression(&self) -> Option<&Expression<'_>> {
        match &self.source {
            PartSource::Expression(expression) => Some(expression),
            _ => None,
        }
    }
}

/// Refuses what was built before and would be built otherwise where these leaves go.
pub(super) fn check_path(
    session: &Session,
    arguments: &Arguments,
    roots: &[Rc<Node>],
    leaves: &[&Rc<Node>],
) -> Result<(), Diagnostic> {
    let leaves: Vec<Rc<Node>> = leaves.iter().map(|leaf| Rc::clone(leaf)).collect();
    let span = arguments.place(T);
    Ok(session.check_guards(roots, Some(&leaves), span)?)
}

/// A text with single blanks.
pub(crate) fn single_blanks(typed: &str) -> String {
    typed.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Refuses more curves than a reader can tell apart.
pub(super) fn check_count(count: usize, all: Span) -> Result<(), Diagnostic> {
    if count <= MOST_CURVES {
        return Ok(());
    }
    let message = format!("a plot has at most {MOST_CURVES} curves, these are {count}");
    Err(Diagnostic::new(message)
        .at(all)
        .help("more could not be told apart: draw them in two plots"))
}

/// The expressions between commas.
pub(super) fn parts<'t>(
    session: &Session,
    arguments: &Arguments<'t>,
    range: Option<Range>,
) -> Result<Vec<PlotPart<'t>>, Diagnostic> {
    let text = arguments.text;
    let Some(all) = arguments.span_of(T) else {
        let source = PartSource::Last;
        let span = arguments.word;
        return Ok(vec![PlotPart { span, source }]);
    };
    let is_unnamed = range.is_some_and(|range| range.variable.is_none());
    let read = language::items(text, all);
    let read = read.map_err(|error| match error.juxtaposed {
        Some(_) => arguments.syntax_error(session, T, error),
        None => session.explain(error),
    })?;
    check_count(read.len(), all)?;
    let part = |expression: Expression<'t>| {
        let function = match expression.items[..] {
            [
                Item {
                    kind: ItemKind::Apply(Head::Function(name, 1..), 0),
                    ..
                },
            ] => Some(name),
            [
                Item {
                    kind: ItemKind::Name(name),
                    ..
                },
            ] if is_unnamed || !session.knows(name) => Some(name),
            _ => None,
        };
        let span = expression.span;
        let source = match function.filter(|name| session.is_function(name)) {
            Some(name) => PartSource::Function(name),
            // The prime of what is no function is refused here.
            None => PartSource::Expression(
                language::expression(text, span).map_err(|error| session.explain(error))?,
            ),
        };
        Ok(PlotPart { span, source })
    };
    read.into_iter().map(part).collect()
}

/// What moves: the name before the range, else a name without a value, which gets this one, else the only leaf that can.
pub(super) fn mover(
    session: &mut Session,
    arguments: &Arguments,
    parts: &[PlotPart],
    range: Option<Range>,
    data: f64,
) -> Result<MovingLeaf, Diagnostic> {
    if let Some(span) = range.and_then(|range| range.variable) {
        return named_mover(session, arguments, span, data);
    }
    let names = parts.iter().filter_map(PlotPart::expression);
    let mut names = names.flat_map(Expression::names).map(|(name, _)| name);
    let unknown = names.find(|name| !session.knows(name) && !session.is_function(name));
    // A name that stands alone, without a range, is rather a typing error.
    let alone = |name: &&str| {
        parts
            .iter()
            .any(|part| part.span.of(arguments.text) == *name)
    };
    if let Some(name) = unknown.filter(|name| range.is_some() || !alone(name)) {
        return Ok(MovingLeaf::bound(session, name, name, data));
    }
    let is_function = |part: &&PlotPart| matches!(part.source, PartSource::Function(_));
    let others = parts.iter().filter(|part| !is_function(part));
    let roots = others.map(|part| part.root(session, arguments, &[]));
    let roots = roots.collect::<Result<Vec<_>, _>>()?;
    let order = Order::below(&roots);
    let leaves: Vec<&Rc<Node>> = order.nodes().iter().filter(|node| node.is_leaf()).collect();
    let free: Vec<&Rc<Node>> = (leaves.iter().copied())
        .filter(|leaf| leaf.is_free())
        .collect();
    match (&free[..], &leaves[..]) {
        ([only], _) | ([], [only]) => Ok(MovingLeaf::of(session, only)),
        ([], []) => {
            let own = parts.iter().find_map(|part| match part.source {
                PartSource::Function(name) => session.functions().get(name)?.parameters.first(),
                _ => None,
            });
            let label = own.map_or_else(|| "x".to_string(), ToString::to_string);
            let numbered = (1..).map(|number| format!("{label}{number}"));
            let mut names = std::iter::once(label.clone()).chain(numbered);
            let unused = names.find(|name| !session.knows(name));
            let unused = unused.unwrap_or_default();
            Ok(MovingLeaf::bound(session, &unused, &label, data))
        }
        _ => {
            let names: Vec<String> = leaves.iter().map(|leaf| session.label(leaf)).collect();
            let first = names.last().map_or("", String::as_str);
            let (count, all) = (names.len(), backtick_list(names.iter().rev()));
            let typed = arguments.span_of(T);
            let typed = typed.map_or("", |span| span.of(arguments.text));
            let help = format!("say which one, as in `:plot {typed} {first}=-5..5`");
            let error = Diagnostic::new(format!("{count} leaves could move: {all}"));
            Err(error.at(arguments.place(T)).help(help))
        }
    }
}

/// What a range names: a leaf, or a name without a value, which gets this one.
pub(super) fn named_mover(
    session: &mut Session,
    arguments: &Arguments,
    span: Span,
    data: f64,
) -> Result<MovingLeaf, Diagnostic> {
    let name = span.of(arguments.text);
    if ANSWERS.contains(&name) {
        let message = format!("`{name}` is the last result, and a plot moves a leaf");
        return Err(Diagnostic::new(message)
            .at(span)
            .help("choose another name"));
    }
    if language::is_name(name) && session.names().find(name).is_none() {
        return Ok(MovingLeaf::bound(session, name, name, data));
    }
    let node = evaluate::node(session, arguments.text, span)?;
    if node.is_leaf() {
        return Ok(MovingLeaf::of(session, &node));
    }
    let leaves = backtick_list(leaves_below(session, &node, 4));
    let message = format!("`{name}` is computed, and a plot moves a leaf");
    Err(Diagnostic::new(message)
        .at(span)
        .help(format!("below it: {leaves}")))
}
