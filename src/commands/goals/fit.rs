//! `:fit Y [± S] ~ MODEL`: sets the free leaves of a model to where it is nearest to the data.
//!
//! `study::goals` searches; this file reads the line, refuses what cannot be fitted, and tells what was found.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::fit_picture;
use super::search::{
    FoundPoint, MovedLeaves, check_finite, check_relations, free_leaves, named, placed, watched,
};
use crate::commands::args::relations::Sign;
use crate::commands::args::resolve::trimmed;
use crate::commands::args::suggestions::Offers;
use crate::commands::args::{Argument, ArgumentKind, Arguments};
use crate::commands::look::plot::ENDINGS;
use crate::commands::program::data::near_column;
use crate::commands::{Command, Group, Reply};
use crate::diagnostic::Diagnostic;
use crate::graph::{Node, NodeId, Order, Pass};
use crate::report::{
    Block, Column, Fact, Line, Note, Picture, Piece, Report, name_list, plural, say,
};
use crate::session::naming::Uncertainty;
use crate::session::values::{ListShape, Value};
use crate::session::{Contents, Session, Setting, Widths};
use crate::stop;
use crate::study::goals::{FitProblem, FoundFit, MOST_FIT_PASSES, SearchEnd, fit, starts};
use crate::study::{MOST_FIT_DERIVATIVES, MOST_FITTED};
use crate::syntax::{self, Expression, Head, ItemKind, Span, Width, literal};

const MODEL: &str = "Y [± S] ~ MODEL";
const BOUNDS: &str = "C, …";
const EXAMPLE: &str = "as in `:fit y ~ a + b*x`";
/// Two leaves are worth a line if they are correlated more than this.
const CORRELATED: f64 = 0.9;

pub(crate) const COMMAND: Command = Command {
    name: "fit",
    aliases: &[],
    group: Group::Goals,
    looks: false,
    entry: (":fit y ~ a + b*x", "what do the data say"),
    arguments: &[
        Argument::needed(MODEL, ArgumentKind::Model)
            .means("the data, optionally with their uncertainty, and the model"),
        Argument::after("where", BOUNDS, ArgumentKind::Relations)
            .means("bounds of leaves: `k >= 0, k <= 5`"),
        Argument::optional("FILE", ArgumentKind::File)
            .means("a picture of data, curve and residuals, or its numbers: `.svg .png .csv`")
            .offering(Offers::Files(|| ENDINGS.to_vec())),
        Argument::flag("plot").means("draw the same picture here"),
    ],
    summary: "fit the free leaves of a model to data",
    page: page!("commands/fit"),
    run,
};

fn run(session: &mut Session, arguments: &Arguments) -> Result<Reply, Diagnostic> {
    let parts = Parts::of(session, arguments)?;
    let (mut problem, mut notes) = problem(session, arguments.text, &parts)?;
    notes.extend(bound(session, arguments, &mut problem)?);
    let file = arguments.file("FILE")?;
    let found = watched(session, MOST_FIT_PASSES, |_, watch| fit(&problem, watch))?;
    let stopped = found.end == SearchEnd::Stopped;
    if let Some(error) = impossible(session, &problem, &found) {
        return Err(error.at(parts.model.span));
    }
    let certain = found.certainty.as_ref();
    let known = certain.and_then(|it| Some((it.deviations.clone()?, it.correlations.clone())));
    let widths = known.map_or_else(Widths::default, |(deviations, correlations)| {
        let widths = Uncertainty::fitted(&found.point, &deviations, correlations);
        let each = problem.leaves.iter().cloned().zip(widths).enumerate();
        let free = each.filter(|(at, _)| !found.held.contains(at));
        free.map(|(_, width)| width).collect()
    });
    let outcome = FoundPoint {
        leaves: &problem.leaves,
        point: &found.point,
        interrupted: stopped,
        widths: Some(widths),
        notes,
    };
    let mut drawn = None;
    let reply = outcome.settle(session, |session, moved| {
        let mut report = report(session, &problem, moved, &found);
        let picture = || {
            let labels = [&parts.data, &parts.model].map(|part| part.span.of(arguments.text));
            fit_picture::plot(session, labels, &problem)
        };
        if let Some(file) = file {
            let line = say!("drew the fit into {:typed}", &*file.path);
            report.blocks.push(Block::Line(line));
            drawn = Some((file, Picture::Plot(picture())));
        } else if !arguments.words("plot").is_empty() {
            report.blocks.insert(0, Block::Plot(picture()));
        }
        report
    });
    match drawn {
        Some((file, picture)) => reply.write(session, &file, Contents::Picture(picture)),
        None => Ok(reply),
    }
}

/// What was typed.
struct Parts<'t> {
    data: Expression<'t>,
    width: Option<Width<'t>>,
    model: Expression<'t>,
}

impl<'t> Parts<'t> {
    fn of(session: &Session, arguments: &Arguments<'t>) -> Result<Parts<'t>, Diagnostic> {
        let text = arguments.text;
        let whole = arguments.stretch(MODEL).unwrap_or(arguments.word);
        let Some(sign) = whole.of(text).find('~') else {
            let message = "`~` is expected between the data and the model";
            let typed = whole.of(text);
            let help = if typed.contains('=') {
                format!("write `:fit {}`", typed.replacen('=', "~", 1))
            } else {
                EXAMPLE.to_string()
            };
            return Err(Diagnostic::new(message).at(whole).help(help));
        };
        let sign = whole.start as usize + sign;
        let left = Span::new(whole.start as usize, sign);
        let right = Span::new(sign + 1, whole.end as usize);
        let [left, right] = [left, right].map(|side| trimmed(text, side));
        let explained = |error| session.explain(error);
        let (data, width) = syntax::uncertain(text, left).map_err(explained)?;
        let (model, wrong) = syntax::uncertain(text, right).map_err(explained)?;
        if let Some(width) = wrong {
            let message = "the data have an uncertainty, not the model";
            return Err(Diagnostic::new(message)
                .at(width.span)
                .help("as in `:fit y ± 0.1 ~ a + b*x`"));
        }
        Ok(Parts { data, width, model })
    }
}

/// The problem, and notes on it. Everything is checked here, except whether the data determine all leaves.
fn problem(
    session: &mut Session,
    text: &str,
    parts: &Parts,
) -> Result<(FitProblem, Vec<Note>), Diagnostic> {
    let mut new = Vec::new();
    let used: Vec<(&str, usize)> = [parts.model.names(), parts.data.names()].concat();
    for (name, at) in new_names(session, &parts.model) {
        let is_idle_data = |(name, value): &(&str, &Value)| {
            matches!(value, Value::List(_))
                && value.nodes().iter().all(|node| node.is_frozen())
                && used.iter().all(|(used, _)| used != name)
        };
        let idle = session.names().bound().filter(is_idle_data);
        if let Some(column) = near_column(name, idle.map(|(column, _)| column)) {
            return Err(Diagnostic::new(format!("no column is called `{name}`"))
                .at(parts.model.items[at].span)
                .help(format!(
                    "did you mean `{column}`? If not, `{name} = 1` makes a leaf"
                )));
        }
        // Two spellings may be one name.
        if session.names().find(name).is_none() {
            new.push(session.bind_leaf(name, 1.0));
        }
    }
    let (model, mut notes) = session.evaluate(text, &parts.model)?;
    let (data, more) = session.evaluate(text, &parts.data)?;
    notes.extend(more);
    let shape = match [data.shape(), model.shape()] {
        [data, model] if data == model || model.is_number() => data.clone(),
        [data, model] if data.is_number() => model.clone(),
        [data, model] => {
            let message = format!("the data are {data}, the model is {model}");
            return Err(Diagnostic::new(message)
                .at(parts.data.span.to(parts.model.span))
                .help("they go item by item: lists of one shape, or one number"));
        }
    };
    let each = |value: &Value| -> Vec<Rc<Node>> {
        let nodes = value.nodes().iter().cloned().cycle();
        nodes.take(shape.size()).collect()
    };
    let order = Order::below(model.nodes());
    let mut problem = FitProblem {
        model: each(&model),
        data: each(&data),
        deviations: None,
        bounds: Vec::new(),
        leaves: free_leaves(session, &order, parts.model.span.of(text))
            .map_err(|error| error.at(parts.model.span))?,
        order,
    };
    let is_finite = |node: &Rc<Node>| node.data().is_finite();
    if let Some(point) = problem.data.iter().position(|node| !is_finite(node)) {
        let what = literal(problem.data[point].data(), false);
        return Err(
            Diagnostic::new(format!("the data are {what} at point {}", point + 1))
                .at(parts.data.span)
                .help("leave the point out of the data and of what the model uses"),
        );
    }
    check_leaves(session, &problem, &shape).map_err(|error| error.at(parts.model.span))?;
    if let Some(width) = &parts.width {
        let data: Vec<f64> = problem.data.iter().map(|node| node.data()).collect();
        let (typed, more) = session.widths(text, width, &data, &shape)?;
        notes.extend(more);
        problem.deviations = Some(typed);
    } else {
        let (known, note) = from_leaves(session, &problem);
        notes.extend(note);
        problem.deviations = known;
    }
    let mut each = problem.deviations.iter().flatten();
    if let Some(point) = each.position(|deviation| !(*deviation > 0.0 && deviation.is_finite())) {
        let span = parts.width.as_ref().map_or(parts.data.span, |it| it.span);
        let message = format!("point {} has no weight: its ± is not above 0", point + 1);
        return Err(Diagnostic::new(message).at(span).help(
            "give each point a positive ±, as in `:fit y ± 0.1 ~ a + b*x`, or none of them",
        ));
    }
    if !new.is_empty() {
        notes.push(begun(session, &problem, &new));
    }
    for point in &problem.model {
        check_finite(session, point, parts.model.span)?;
    }
    Ok((problem, notes))
}

/// Adds what `where` says: between which numbers leaves stay.
fn bound(
    session: &mut Session,
    arguments: &Arguments,
    problem: &mut FitProblem,
) -> Result<Vec<Note>, Diagnostic> {
    let example = ":fit y ~ a*exp(-k*t) where k > 0";
    let (relations, notes) = arguments.relations(session, BOUNDS, example)?;
    check_relations(session, &relations, &problem.leaves)?;
    problem.bounds = vec![(f64::NEG_INFINITY, f64::INFINITY); problem.leaves.len()];
    for relation in &relations {
        let mut leaves = problem.leaves.iter();
        let at = leaves.position(|leaf| Rc::ptr_eq(leaf, &relation.left));
        let is_fixed = Order::below([&relation.right])
            .nodes()
            .iter()
            .all(|node| !node.is_free());
        let range = at.filter(|_| is_fixed).map(|at| &mut problem.bounds[at]);
        let bound = relation.right.data();
        match (relation.sign, range) {
            (Sign::AtLeast, Some((low, high))) if bound <= *high => *low = low.max(bound),
            (Sign::AtMost, Some((low, high))) if bound >= *low => *high = high.min(bound),
            _ => {
                let message = format!("`{}` cannot be a bound", relation.said);
                let help = format!(
                    "a leaf of the model beside a number that leaves room for it, as in `{example}`; `:minimize` takes other constraints"
                );
                return Err(Diagnostic::new(message).at(relation.span).help(help));
            }
        }
    }
    Ok(notes)
}

/// Moves new leaves to where the search may begin, and tells.
fn begun(session: &mut Session, problem: &FitProblem, new: &[Rc<Node>]) -> Note {
    let across = fit_picture::predictor(session, problem).map_or_else(Vec::new, |(_, leaves)| {
        leaves.iter().map(|leaf| leaf.data()).collect()
    });
    let names = name_list(new.iter().map(|leaf| session.label(leaf)));
    let Some(starts) = starts(problem, new, &across) else {
        return Note::new(say!("new leaves, from 1: {}", names));
    };
    let each = new.iter().cloned().zip(starts);
    let settings: Vec<Setting> = each.map(|(leaf, data)| Setting { leaf, data }).collect();
    session.set(&settings, Widths::default(), |_, _| {});
    Note::new(say!(
        "new leaves, from starts that the data suggest: {}",
        names
    ))
}

/// The names in the model that have no value and become leaves, with the places of their items. One with an index is to be a list, and how long that
/// is nobody knows.
fn new_names<'t>(session: &Session, model: &Expression<'t>) -> Vec<(&'t str, usize)> {
    let (mut names, mut lists): (Vec<(&str, usize)>, _) = (Vec::new(), Vec::new());
    for (name, at) in model.names() {
        if session.knows(name) || session.is_function(name) {
            continue;
        }
        let next = model.items.get(at + 2).map(|item| item.kind);
        if matches!(next, Some(ItemKind::Apply(Head::Index, _))) {
            lists.push(name);
        } else if names.iter().all(|(other, _)| *other != name) {
            names.push((name, at));
        }
    }
    names.retain(|(name, _)| !lists.contains(name));
    names
}

/// There must not be too many leaves, and none of them may be data.
fn check_leaves(
    session: &Session,
    problem: &FitProblem,
    shape: &ListShape,
) -> Result<(), Diagnostic> {
    let (leaves, points) = (problem.leaves.len(), problem.model.len());
    if leaves > points {
        let is_data = |value: &Value| {
            let is_moved =
                |node: &Rc<Node>| node.is_free() && problem.order.position(node).is_some();
            value.shape() == shape && value.nodes().iter().all(is_moved)
        };
        let found = session.names().bound().find(|(_, value)| is_data(value));
        if let Some((name, _)) = found.filter(|_| !shape.is_number()) {
            let message =
                format!("`{name}` is free and as long as the data: the fit would move it");
            return Err(Diagnostic::new(message)
                .help(format!("`:freeze {name}` first, or bind it with `const`")));
        }
        let points = plural(points, "point");
        return Err(
            Diagnostic::new(format!("{points} cannot determine {leaves} leaves"))
                .help("`:freeze` keeps a leaf as it is"),
        );
    }
    if leaves > MOST_FITTED || leaves.saturating_mul(points) > MOST_FIT_DERIVATIVES {
        let message = format!("{points} points and {leaves} leaves are too many for a fit");
        return Err(Diagnostic::new(message).help(format!(
            "at most {MOST_FITTED} leaves, and {MOST_FIT_DERIVATIVES} as points times leaves; `:minimize` has no such limit"
        )));
    }
    Ok(())
}

/// The points above a leaf, each with what the leaf adds to its variance.
type Effects = Vec<(usize, f64)>;

/// The standard deviations of the data that follow from the `±` of the leaves below them, if any. A leaf below several
/// points moves them together, which is no scatter: a note names it.
fn from_leaves(session: &Session, problem: &FitProblem) -> (Option<Vec<f64>>, Option<Note>) {
    if session.names().uncertain.is_empty() {
        return (None, None);
    }
    // Each leaf with the points above it, and what it adds to their variances.
    let mut effects: FxHashMap<NodeId, (Rc<Node>, Effects)> = FxHashMap::default();
    for (point, root) in stop::asking(problem.data.iter().enumerate()) {
        let pass = Pass::from(root, 0);
        for (node, grad) in pass.order().nodes().iter().zip(pass.grads()) {
            let is_fitted = node.is_free() && problem.order.position(node).is_some();
            if let Some(width) = session.uncertainty(node).filter(|_| !is_fitted) {
                let effect = effects
                    .entry(node.id())
                    .or_insert_with(|| (Rc::clone(node), Vec::new()));
                effect.1.push((point, (grad * width).powi(2)));
            }
        }
    }
    let mut common: Vec<&Rc<Node>> = Vec::new();
    let mut variances = vec![0.0; problem.data.len()];
    for (leaf, points) in effects.values() {
        match points[..] {
            [(point, variance)] => variances[point] += variance,
            _ => common.push(leaf),
        }
    }
    common.sort_by_key(|leaf| leaf.id());
    let note = (!common.is_empty()).then(|| {
        Note::new(say!(
            "the ± of {} is left out: it moves several points together",
            name_list(common.iter().map(|leaf| session.label(leaf)))
        ))
    });
    let known = variances.iter().any(|variance| *variance != 0.0);
    let deviations = || variances.into_iter().map(f64::sqrt).collect();
    (known.then(deviations), note)
}

/// The error for a search that could not end well.
fn impossible(session: &Session, problem: &FitProblem, found: &FoundFit) -> Option<Diagnostic> {
    let leaves = &problem.leaves;
    let (message, help) = match &found.end {
        SearchEnd::Undetermined(places) => {
            let names = named(session, places.iter().map(|&place| &leaves[place]));
            let end = placed(session, leaves, &found.point);
            let message = match &places[..] {
                [_] => format!("the data say nothing about {names}"),
                _ => format!("the data do not tell {names} apart"),
            };
            (
                format!("{message} where the search ended, at {end}"),
                "leave one of them out, fix one with `:freeze` or `const`, or `:set` another start",
            )
        }
        SearchEnd::Undefined { point, leaf } => (
            format!(
                "the derivative of the model by `{}` is not a number at point {}",
                session.label(&leaves[*leaf]),
                point + 1
            ),
            "`:set` the leaf first, to a value where it is a number",
        ),
        _ => return None,
    };
    Some(Diagnostic::new(message).help(help))
}

/// The report of a fit.
fn report(
    session: &Session,
    problem: &FitProblem,
    moved: &MovedLeaves,
    found: &FoundFit,
) -> Report {
    let n = problem.leaves.len();
    let certain = found.certainty.as_ref();
    let deviations = certain.and_then(|it| it.deviations.as_ref());
    let free = |place: &usize| !found.held.contains(place);
    let sigma = (0..n).map(|place| Some(deviations?[Some(place).filter(free)?]));
    let sigma: Vec<Option<f64>> = sigma.collect();
    let mut blocks = vec![
        Block::Table(moved.table(session, Some((Column::new("sigma", "±"), &sigma)))),
        Block::Line(quality(problem, found)),
    ];
    blocks.extend(most_correlated(session, problem, found).map(Block::Line));
    if !found.held.is_empty() {
        let held = found.held.iter().map(|&at| &problem.leaves[at]);
        let names = name_list(held.map(|leaf| session.label(leaf)));
        blocks.push(Block::Line(say!(
            "held at a bound: {}; the other ± take that as given",
            names
        )));
    }
    let (word, told) = match found.end {
        SearchEnd::Stuck => (
            "stuck",
            Some(say!(
                "not settled: no step fits better, though the slopes are not 0 here; try other starting values"
            )),
        ),
        SearchEnd::Exhausted => (
            "exhausted",
            Some(say!(
                "not done after {} passes: the same `:fit` goes on from here",
                found.passes
            )),
        ),
        SearchEnd::Stopped => (
            "stopped",
            Some(say!(
                "interrupted after {} passes: this is the best so far",
                found.passes
            )),
        ),
        _ => ("settled", None),
    };
    blocks.extend(told.map(Block::Line));
    let points = problem.model.len();
    let correlations = certain.map_or(Fact::Null, |certainty| {
        let rows = certainty.correlations.chunks(n);
        rows.map(|row| row.iter().copied().collect::<Fact>())
            .collect()
    });
    let scatter = deviations.is_some() && problem.deviations.is_none();
    let facts = vec![
        ("points", Fact::Count(points as u64)),
        ("freedom", Fact::Count(found.freedom as u64)),
        ("sum_of_squares", Fact::Number(found.sum_of_squares)),
        ("rms", Fact::Number(found.rms)),
        ("r2", found.r2.into()),
        ("chi2", found.chi2.into()),
        ("scatter", Fact::Flag(scatter)),
        ("correlations", correlations),
        ("passes", Fact::Count(found.passes)),
        ("end", Fact::Text(word.to_string())),
    ];
    Report::new(COMMAND.name, facts, blocks)
}

/// `21 points, 17 degrees of freedom, rms 0.146592, R² 0.984801; ± from the scatter`
fn quality(problem: &FitProblem, found: &FoundFit) -> Line {
    let (points, freedom) = (problem.model.len(), found.freedom);
    let mut line = say!(
        "{}, {} of freedom, rms {:short}",
        plural(points, "point"),
        plural(freedom, "degree"),
        found.rms
    );
    if let Some(r2) = found.r2 {
        line.extend(say!(", R² {:short}", r2));
    }
    if let Some(chi2) = found.chi2 {
        line.extend(say!(", χ² {:short}", chi2));
        if freedom > 0 {
            line.extend(say!(", reduced χ² {:short}", chi2 / freedom as f64));
        }
    }
    let from = match (&problem.deviations, freedom) {
        _ if found.certainty.is_none() => "",
        (Some(_), _) => "; ± from those of the data",
        (None, 0) => "; no scatter to estimate ± from",
        (None, _) => "; ± from the scatter",
    };
    line.push(Piece::plain(from));
    line
}

/// `most correlated: c[2] and c[4], -0.917264`
fn most_correlated(session: &Session, problem: &FitProblem, found: &FoundFit) -> Option<Line> {
    let n = problem.leaves.len();
    let correlations = &found.certainty.as_ref()?.correlations;
    let pairs = (0..n).flat_map(|row| (row + 1..n).map(move |column| (row, column)));
    // Of equal ones the first.
    let (row, column) = pairs.rev().max_by(|one, other| {
        let size = |(row, column): &(usize, usize)| correlations[row * n + column].abs();
        size(one).total_cmp(&size(other))
    })?;
    let most = correlations[row * n + column];
    (most.abs() > CORRELATED).then(|| {
        say!(
            "most correlated: {:name} and {:name}, {:short}",
            session.label(&problem.leaves[row]),
            session.label(&problem.leaves[column]),
            most
        )
    })
}
