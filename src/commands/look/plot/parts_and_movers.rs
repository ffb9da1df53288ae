//! Reads the expressions that `:plot` draws, called parts, and finds the leaf that the plot moves, called the mover.
//!
//! A name without a value becomes a leaf while the plot is made. If a part is only the name of a function, the function
//! is called with the mover.

use std::rc::Rc;

use crate::commands::args::Arguments;
use crate::commands::args::evaluate::leaves_below;
use crate::commands::args::existing;
use crate::commands::args::range::Range;
use crate::commands::signatures::plot::T;
use crate::session::values::{List, Value};
use crate::session::{ANSWERS, Session, Setting};
use chainrule_engine::graph::{Node, Order};
use chainrule_language::{self as language, Expression, Head, Item, ItemKind, Span};
use chainrule_report::diagnostic::{Diagnostic, backtick_list};

/// The most curves of a plot. A reader could not tell more of them apart.
pub const MOST_CURVES: usize = 6;

/// An expression to draw.
pub(super) struct PlotPart<'t> {
    span: Span,
    source: PartSource<'t>,
}

enum PartSource<'t> {
    /// No expression is typed: the target.
    Target,
    /// Only the name of a function, as in `f'`.
    Function(&'t str),
    Expression(Expression<'t>),
}

/// A leaf while a plot moves it.
pub(super) struct MovingLeaf {
    pub leaf: Rc<Node>,
    /// The name of the axis.
    pub name: String,
    /// Whether it is a leaf outside the plot, too, so that it has a present value.
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

    /// Makes a name a leaf with this value until the plot is done. The axis has a name of its own.
    fn bind(session: &mut Session, name: &str, axis: &str, data: f64) -> MovingLeaf {
        MovingLeaf {
            leaf: session.bind_leaf(name, data),
            name: axis.to_string(),
            is_kept: false,
        }
    }
}

impl PlotPart<'_> {
    /// Builds the node to plot. A bare function is called with `moving`.
    pub(super) fn root(
        &self,
        session: &mut Session,
        arguments: &Arguments,
        moving: &[&MovingLeaf],
    ) -> Result<Rc<Node>, Diagnostic> {
        match &self.source {
            PartSource::Target => Ok(arguments.target(session, T)?.node),
            PartSource::Function(name) => self.call(session, arguments.text, name, moving),
            PartSource::Expression(expression) => {
                let (node, _) = session.evaluate_number(arguments.text, expression)?;
                let typed = self.span.of(arguments.text);
                // Only a name becomes the target: an expression may use a leaf that exists only during the plot.
                if session.names().find_node(typed).is_some() {
                    session.aim_at(&node, typed);
                }
                Ok(node)
            }
        }
    }

    /// Calls a function with the leaves that move.
    fn call(
        &self,
        session: &mut Session,
        text: &str,
        name: &str,
        moving: &[&MovingLeaf],
    ) -> Result<Rc<Node>, Diagnostic> {
        let leaves = moving.iter().map(|moving| Rc::clone(&moving.leaf).into());
        let mut operands: Vec<Value> = leaves.collect();
        // A function of a point takes the two numbers as a list.
        let function = session.functions().get(name);
        if moving.len() > 1 && function.is_some_and(|it| it.parameters.len() == 1) {
            operands = vec![List::from_items(operands).into()];
        }
        let primes = self.span.of(text).matches(['\'', '’', '′']).count();
        // The syntax allows at most 255 primes.
        let order = u8::try_from(primes).unwrap_or(u8::MAX);
        let built = session.call((name, order), operands, self.span);
        // The call was not typed by the user, so the error points at the function's name.
        built.map_err(|error| Diagnostic {
            others: Vec::new(),
            ..Diagnostic::from(error).at(self.span)
        })
    }

    /// Builds the part again with these data of the leaves that move, and returns its value, or NaN if it cannot be built.
    pub(super) fn value_at(
        &self,
        session: &mut Session,
        arguments: &Arguments,
        moving: &[&MovingLeaf],
        places: &[f64],
    ) -> f64 {
        let setting = |(mover, data): (&&MovingLeaf, &f64)| Setting {
            leaf: Rc::clone(&mover.leaf),
            data: *data,
        };
        let settings: Vec<Setting> = moving.iter().zip(places).map(setting).collect();
        session.look_with(&settings, |session| {
            let root = self.root(session, arguments, moving);
            root.map_or(f64::NAN, |root| root.data())
        })
    }

    /// Returns the label of the curve, and its formula if the label is just a name. `across` is the name of the axis.
    pub(super) fn caption(
        &self,
        session: &Session,
        arguments: &Arguments,
        root: &Rc<Node>,
        across: &str,
    ) -> (String, String) {
        let typed = self.span.of(arguments.text);
        match &self.source {
            PartSource::Target => {
                let (label, formula) = (session.label(root), session.expression(root));
                // The label of a target without a name is its formula, which needs no repetition.
                let is_named = label != formula;
                (label, if is_named { formula } else { String::new() })
            }
            PartSource::Function(name) => {
                // The body of a function is the formula of the curve only if there are no primes, and if its parameter is
                // called like the axis.
                let function = session.functions().get(name).filter(|_| typed == *name);
                let over_axis =
                    function.filter(|it| it.parameters.iter().all(|word| **word == *across));
                let formula = over_axis.map_or(String::new(), |it| it.body.to_string());
                (format!("{typed}({across})"), formula)
            }
            PartSource::Expression(_) => {
                let is_name = language::is_name(typed) && session.names().find(typed).is_some();
                let formula = is_name.then(|| session.expression(root));
                (single_blanks(typed), formula.unwrap_or_default())
            }
        }
    }

    /// Whether it is a list, which is drawn over the positions of its items.
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

/// Refuses roots whose building took a decision by the data of these leaves: for other data, their nodes would be others.
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

/// Replaces each run of blanks by a single blank.
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

/// Reads the expressions between commas.
pub(super) fn parts<'t>(
    session: &Session,
    arguments: &Arguments<'t>,
    range: Option<Range>,
) -> Result<Vec<PlotPart<'t>>, Diagnostic> {
    let text = arguments.text;
    let Some(all) = arguments.span_of(T) else {
        let source = PartSource::Target;
        let span = arguments.name_span;
        return Ok(vec![PlotPart { span, source }]);
    };
    let items = language::items(text, all).map_err(|error| match error.juxtaposed {
        Some(_) => arguments.syntax_error(session, T, error),
        None => session.explain(error),
    })?;
    check_count(items.len(), all)?;
    let is_unnamed = range.is_some_and(|range| range.variable.is_none());
    let mut parts = Vec::with_capacity(items.len());
    for item in items {
        let span = item.span;
        let source = match bare_function(session, &item, is_unnamed) {
            Some(name) => PartSource::Function(name),
            // A prime after the name of no function is refused here.
            None => PartSource::Expression(
                language::expression(text, span).map_err(|error| session.explain(error))?,
            ),
        };
        parts.push(PlotPart { span, source });
    }
    Ok(parts)
}

/// Returns the function whose name is the whole expression: `f` or `f'`. A name may be both a value and a function; it
/// means the function if a range names no leaf (`is_unnamed`).
fn bare_function<'t>(
    session: &Session,
    expression: &Expression<'t>,
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

/// Finds the leaf that moves. The first of these counts:
///
/// 1. the name before the range,
/// 2. a name in a part that has no value, which becomes a leaf with the value `data`,
/// 3. the only free leaf below the parts, or the only leaf at all,
/// 4. a new leaf, if all parts are names of functions or constant.
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
    let expressions = parts.iter().filter_map(PlotPart::expression);
    let mut names = expressions
        .flat_map(Expression::names)
        .map(|(name, _)| name);
    let unknown = names.find(|name| !session.knows(name) && !session.is_function(name));
    // An unknown name alone, without a range, is more likely a typing error.
    let is_alone = |name: &str| {
        let mut spans = parts.iter().map(|part| part.span);
        spans.any(|span| span.of(arguments.text) == name)
    };
    if let Some(name) = unknown.filter(|name| range.is_some() || !is_alone(name)) {
        return Ok(MovingLeaf::bind(session, name, name, data));
    }
    let is_function = |part: &&PlotPart| matches!(part.source, PartSource::Function(_));
    let mut roots = Vec::new();
    for part in parts.iter().filter(|part| !is_function(part)) {
        roots.push(part.root(session, arguments, &[])?);
    }
    let order = Order::below(&roots);
    let leaves: Vec<&Rc<Node>> = order.nodes().iter().filter(|node| node.is_leaf()).collect();
    let free: Vec<&Rc<Node>> = (leaves.iter().copied())
        .filter(|leaf| leaf.is_free())
        .collect();
    match (&free[..], &leaves[..]) {
        ([only], _) | ([], [only]) => Ok(MovingLeaf::of(session, only)),
        ([], []) => Ok(unused_name_mover(session, parts, data)),
        _ => Err(several_leaves_error(session, arguments, &leaves)),
    }
}

/// Makes a leaf for functions. Its axis is called like the parameter of the first function, and its own name is not used
/// by anything else.
fn unused_name_mover(session: &mut Session, parts: &[PlotPart], data: f64) -> MovingLeaf {
    let parameter = parts.iter().find_map(|part| match part.source {
        PartSource::Function(name) => session.functions().get(name)?.parameters.first(),
        _ => None,
    });
    let axis = parameter.map_or_else(|| "x".to_string(), ToString::to_string);
    let numbered = (1..).map(|number| format!("{axis}{number}"));
    let mut names = std::iter::once(axis.clone()).chain(numbered);
    let unused = names.find(|name| !session.knows(name));
    MovingLeaf::bind(session, &unused.unwrap_or_default(), &axis, data)
}

fn several_leaves_error(
    session: &Session,
    arguments: &Arguments,
    leaves: &[&Rc<Node>],
) -> Diagnostic {
    // The order of a pass begins at the root, so its last leaf is the oldest.
    let labels: Vec<String> = leaves
        .iter()
        .rev()
        .map(|leaf| session.label(leaf))
        .collect();
    let first = labels.first().map_or("", String::as_str);
    let listed = backtick_list(&labels);
    let message = format!("{} leaves could move: {listed}", labels.len());
    let typed = arguments
        .span_of(T)
        .map_or("", |span| span.of(arguments.text));
    let help = format!("say which one, as in `:plot {typed} {first}=-5..5`");
    Diagnostic::new(message).at(arguments.place(T)).help(help)
}

/// Finds the leaf that a range names. A name without a value becomes a leaf with the value `data`.
pub(super) fn named_mover(
    session: &mut Session,
    arguments: &Arguments,
    span: Span,
    data: f64,
) -> Result<MovingLeaf, Diagnostic> {
    let name = span.of(arguments.text);
    if ANSWERS.contains(&name) {
        let message = format!("`{name}` is the last result, and a plot moves a leaf");
        let error = Diagnostic::new(message).at(span);
        return Err(error.help("choose another name"));
    }
    if language::is_name(name) && session.names().find(name).is_none() {
        return Ok(MovingLeaf::bind(session, name, name, data));
    }
    let node = existing::node(session, arguments.text, span)?;
    if node.is_leaf() {
        return Ok(MovingLeaf::of(session, &node));
    }
    let leaves = backtick_list(leaves_below(session, &node, 4));
    let message = format!("`{name}` is computed, and a plot moves a leaf");
    let help = format!("below it: {leaves}");
    Err(Diagnostic::new(message).at(span).help(help))
}
