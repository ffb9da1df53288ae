//! Finds the leaf that a plot moves along an axis, called the mover.
//!
//! A name without a value, or of a list, becomes a leaf while the plot is made.

use super::PlotRequest;
use super::parts::PlotPart;
use crate::command::args::evaluate::leaves_below;
use crate::command::args::existing;
use crate::command::prelude::*;
use crate::command::signatures::plot::T;
use chainrule_language::Expression;
use chainrule_program::ANSWERS;
use chainrule_program::Environment as _;
use chainrule_session::Heading;

/// A leaf while a plot moves it.
pub(super) struct MovingLeaf {
    pub leaf: Rc<Node>,
    /// The name of the leaf.
    pub name: String,
    /// The name of the axis: that of the leaf, or the heading of the list with this name.
    pub axis: String,
    /// Whether it is a leaf outside the plot, too, so that it has a present value.
    pub has_present_value: bool,
}

impl MovingLeaf {
    pub(super) fn of(session: &Session, leaf: &Rc<Node>) -> MovingLeaf {
        let name = session.label(leaf);
        MovingLeaf {
            axis: name.clone(),
            name,
            leaf: Rc::clone(leaf),
            has_present_value: true,
        }
    }

    /// Makes a name a leaf with this value until the plot is done. The plot shows another name.
    fn bind(session: &mut Session, name: &str, shown: &str, data: f64) -> MovingLeaf {
        let list = session.names().find(shown);
        let heading = list.and_then(|it| session.heading(it.nodes()));
        let axis = heading.map_or_else(|| shown.to_string(), Heading::text);
        MovingLeaf {
            leaf: session.bind_leaf(name, data),
            name: shown.to_string(),
            axis,
            has_present_value: false,
        }
    }
}

/// Finds the leaf that moves. The first of these counts:
///
/// 1. the name before the range,
/// 2. a name without a value in one of the parts, which becomes a leaf with the value `data`,
/// 3. the only free leaf below the parts, or the only leaf at all,
/// 4. a new leaf, if all parts are names of functions or constant.
pub(super) fn mover(
    request: &mut PlotRequest,
    parts: &[PlotPart],
    data: f64,
) -> Result<MovingLeaf> {
    let (session, arguments) = (&mut *request.session, request.arguments);
    let range = request.options.across;
    if let Some(span) = range.and_then(|range| range.variable) {
        return named_mover(session, arguments, span, data);
    }
    if let Some(name) = name_without_value(session, parts, range.is_some()) {
        return Ok(MovingLeaf::bind(session, name, name, data));
    }
    let mut roots = Vec::new();
    for part in parts.iter().filter(|part| part.function().is_none()) {
        roots.push(part.root(session, &[])?);
    }
    let order = Order::below(&roots);
    let leaves: Vec<&Rc<Node>> = order.nodes().iter().filter(|node| node.is_leaf()).collect();
    let mut free = leaves.clone();
    free.retain(|leaf| leaf.is_free());
    match (&free[..], &leaves[..]) {
        ([only], _) | ([], [only]) => Ok(MovingLeaf::of(session, only)),
        ([], []) => Ok(unused_name_mover(session, parts, data)),
        _ => Err(several_leaves_error(session, arguments, &leaves)),
    }
}

/// Finds the first name in the parts that has no value. If the name is a whole part and no range is typed, it is more
/// likely a typing error, and does not count.
fn name_without_value<'t>(
    session: &Session,
    parts: &[PlotPart<'t>],
    has_range: bool,
) -> Option<&'t str> {
    let expressions = parts.iter().filter_map(PlotPart::expression);
    let mut names = expressions.flat_map(Expression::names);
    let (name, _) = names.find(|(name, _)| !session.knows(name) && !session.is_function(name))?;
    let is_whole_part = parts.iter().any(|part| part.text() == name);
    (has_range || !is_whole_part).then_some(name)
}

/// Makes a leaf for functions. Its axis is called like the parameter of the first function, and its own name is not used
/// by anything else.
fn unused_name_mover(session: &mut Session, parts: &[PlotPart], data: f64) -> MovingLeaf {
    let functions = parts.iter().filter_map(PlotPart::function);
    let mut known = functions.filter_map(|name| session.functions().get(name));
    let parameter = known.find_map(|function| function.parameters.first());
    let axis = parameter.map_or_else(|| "x".to_string(), ToString::to_string);
    let numbered = (1..).map(|number| format!("{axis}{number}"));
    let mut names = std::iter::once(axis.clone()).chain(numbered);
    let unused = names.find(|name| !session.knows(name));
    let name = unused.expect("the numbers do not end");
    MovingLeaf::bind(session, &name, &axis, data)
}

fn several_leaves_error(
    session: &Session,
    arguments: &Arguments,
    leaves: &[&Rc<Node>],
) -> Diagnostic {
    // The order of a pass begins at the root, so its last leaf is the oldest.
    let labels = leaves.iter().rev().map(|leaf| session.label(leaf));
    let labels: Vec<String> = labels.collect();
    let first = labels.first().map_or("", String::as_str);
    let listed = backtick_list(&labels);
    let message = format!("{} leaves could move: {listed}", labels.len());
    let typed = (arguments.span_of(T)).map_or("", |span| span.of(arguments.text));
    let help = format!("say which one, as in `:plot {typed} {first}=-5..5`");
    Diagnostic::new(message).at(arguments.place(T)).help(help)
}

/// Finds the leaf that a range names. A name without a value becomes a leaf with the value `data`, and so does the name of
/// a list: `t=0..20` draws a model of measured times beyond them.
pub(super) fn named_mover(
    session: &mut Session,
    arguments: &Arguments,
    span: Span,
    data: f64,
) -> Result<MovingLeaf> {
    let name = span.of(arguments.text);
    if ANSWERS.contains(&name) {
        let message = format!("`{name}` is the last result, and a plot moves a leaf");
        let help = "choose another name";
        return Err(Diagnostic::new(message).at(span).help(help));
    }
    if language::is_name(name) && session.names().find_node(name).is_none() {
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
