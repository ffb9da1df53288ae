//! `:fit Y [± S] ~ MODEL`: sets the free leaves of a model to where it is nearest to the data.
//!
//! `study::goals` searches; this file reads the line, refuses what cannot be fitted, and tells what was found.

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::fit_picture;
use super::fit_widths::{constants, from_leaves, short_list};
use super::search::{
    FoundPoint, MOST_NAMED, MovedLeaves, check_finite, check_relations, depending, free_leaves,
    named, placed, rounded, watched,
};
use crate::commands::args::relations::Sign;
use crate::commands::args::resolve::trimmed;
use crate::commands::args::suggestions::Offers;
use crate::commands::args::{Argument, ArgumentKind, Arguments};
use crate::commands::look::plot::ENDINGS;
use crate::commands::{Command, Group, Reply};
use crate::diagnostic::{Diagnostic, listed};
use crate::graph::{Node, NodeId, Order};
use crate::report::{
    Block, Column, Fact, Line, Note, Picture, Piece, Report, name_list, plural, say,
};
use crate::session::naming::Uncertainty;
use crate::session::values::{ListShape, Value};
use crate::session::{Contents, Session, Setting, Widths};
use crate::study::goals::{
    FitProblem, FoundFit, MOST_FIT_PASSES, SearchEnd, add_constants, curved, fit, starts,
};
use crate::study::{MOST_FIT_DERIVATIVES, MOST_FITTED};
use crate::syntax::{self, Expression, Head, ItemKind, Span, Width, literal};

const MODEL: &str = "Y [± S] ~ MODEL";
const BOUNDS: &str = "C, …";
const EXAMPLE: &str = "as in `:fit y ~ a + b*x`";
/// Two leaves are worth a line if they are correlated more than this.
const CORRELATED: f64 = 0.9;
/// A model that explains less than this part of the data may have begun at a wrong place.
const POOR: f64 = 0.8;
/// A leaf is loose if its deviation is so many times its value, and it is correlated with another one beyond `TIED`.
const WIDE: f64 = 10.0;
const TIED: f64 = 0.99;

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
            .means("a picture of data, curve and residuals, or its numbers: `.svg .png .csv .md`")
            .offering(Offers::Files(|| ENDINGS.to_vec())),
        Argument::flag("plot").means("draw the same picture here"),
    ],
    summary: "fit the free leaves of a model to data",
    page: page!("commands/fit"),
    run,
};

fn run(session: &mut Session, arguments: &Arguments) -> Result<Reply, Diagnostic> {
    let parts = Parts::of(session, arguments)?;
    let (mut problem, mut notes, has_own_starts) = problem(session, arguments.text, &parts)?;
    notes.extend(bound(session, arguments, &mut problem)?);
    let file = arguments.file("FILE")?;
    let mut found = watched(session, MOST_FIT_PASSES, |_, watch| fit(&problem, watch))?;
    let stopped = found.end == SearchEnd::Stopped;
    if let Some(error) = impossible(session, &problem, &found, &parts) {
        return Err(error.at(parts.model.span));
    }
    let has_settled = found.end == SearchEnd::Settled;
    let adds = has_settled && add_constants(session, &problem, &mut found);
    if !problem.constants.is_empty() && !adds {
        notes.push(Note::new(say!(
            "the ± of {} is left out: what it adds is not known here",
            short_list(session, &problem.constants)
        )));
        problem.constants.clear();
    }
    let doubt = doubt(session, &problem, &found, has_own_starts);
    let is_doubtful = doubt.is_some();
    notes.extend(doubt);
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
        let mut report = report(session, &problem, moved, &found, is_doubtful);
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

/// The problem, notes on it, and whether the program chose where leaves begin. Everything is checked here, except whether
/// the data determine all leaves.
fn problem(
    session: &mut Session,
    text: &str,
    parts: &Parts,
) -> Result<(FitProblem, Vec<Note>, bool), Diagnostic> {
    let mut new = Vec::new();
    for name in new_names(session, &parts.model) {
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
        constants: Vec::new(),
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
    let mut of_points = FxHashSet::default();
    if let Some(width) = &parts.width {
        let data: Vec<f64> = problem.data.iter().map(|node| node.data()).collect();
        let (typed, more) = session.widths(text, width, &data, &shape)?;
        notes.extend(more);
        problem.deviations = Some(typed);
    } else if session.has_uncertain() {
        (problem.deviations, of_points) = from_leaves(session, &problem);
    }
    if session.has_uncertain() {
        let left_out;
        (problem.constants, left_out) =
            constants(session, &problem, parts.width.is_some(), &of_points);
        if !left_out.is_empty() {
            notes.push(Note::new(say!(
                "the ± of {} is left out: the points show it already",
                short_list(session, &left_out)
            )));
        }
    }
    let mut each = problem.deviations.iter().flatten();
    if let Some(point) = each.position(|deviation| !(*deviation > 0.0 && deviation.is_finite())) {
        let span = parts.width.as_ref().map_or(parts.data.span, |it| it.span);
        let message = format!("point {} has no weight: its ± is not above 0", point + 1);
        return Err(Diagnostic::new(message).at(span).help(
            "give each point a positive ±, as in `:fit y ± 0.1 ~ a + b*x`, or none of them",
        ));
    }
    let mut has_own_starts = false;
    if !new.is_empty() {
        has_own_starts = begin(session, &problem, &new);
        let names = name_list(new.iter().map(|leaf| session.label(leaf)));
        notes.push(Note::new(if has_own_starts {
            say!("new leaves, from starts that the data suggest: {}", names)
        } else {
            say!("new leaves, from 1: {}", names)
        }));
    }
    if session.names().find("e").is_none() && has_e_as_a_leaf(&parts.model) {
        let note = say!("{:name} is 2.71828 here; `e = 1` makes it a leaf", "e");
        notes.push(Note::new(note));
    }
    for point in &problem.model {
        check_finite(session, point, parts.model.span)?;
    }
    Ok((problem, notes, has_own_starts))
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
    let leaves = problem.leaves.iter().enumerate();
    let places: FxHashMap<NodeId, usize> = leaves.map(|(at, leaf)| (leaf.id(), at)).collect();
    let order = Order::below(relations.iter().map(|it| &it.right));
    let is_free = depending(&order, Node::is_free);
    for relation in &relations {
        let is_fixed = order
            .slot(&relation.right)
            .is_none_or(|place| !is_free[place]);
        let at = places.get(&relation.left.id()).filter(|_| is_fixed);
        let range = at.map(|&at| &mut problem.bounds[at]);
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

/// Moves new leaves to where the search may begin; false if it may begin anywhere.
fn begin(session: &mut Session, problem: &FitProblem, new: &[Rc<Node>]) -> bool {
    let across = fit_picture::predictor(session, problem).map_or_else(Vec::new, |(_, leaves)| {
        leaves.iter().map(|leaf| leaf.data()).collect()
    });
    let Some(starts) = starts(problem, new, &across) else {
        return false;
    };
    let each = new.iter().cloned().zip(starts);
    let settings: Vec<Setting> = each.map(|(leaf, data)| Setting { leaf, data }).collect();
    session.set(&settings, Widths::default(), |_, _| {});
    true
}

/// The names in the model that have no value and become leaves. A name with an index would be a list of unknown length.
fn new_names<'t>(session: &Session, model: &Expression<'t>) -> Vec<&'t str> {
    let mut lists: FxHashSet<&str> = FxHashSet::default();
    let mut names: Vec<&str> = Vec::new();
    for (name, at) in model.names() {
        if session.knows(name) || session.is_function(name) {
            continue;
        }
        names.push(name);
        let next = model.items.get(at + 2).map(|item| item.kind);
        if matches!(next, Some(ItemKind::Apply(Head::Index, _))) {
            lists.insert(name);
        }
    }
    names.retain(|name| !lists.contains(name));
    names
}

/// Whether a sum, a product or a quotient has the constant `e` as an operand, where it may be meant as a leaf.
fn has_e_as_a_leaf(model: &Expression) -> bool {
    let names = model.names().into_iter();
    let mut places = names.filter(|(name, _)| *name == "e").map(|(_, at)| at);
    let mut next = places.next();
    // For each operand that waits for its operation, whether it is `e`.
    let mut waiting: Vec<bool> = Vec::new();
    for (at, item) in model.items.iter().enumerate() {
        let first = waiting.len().saturating_sub(item.kind.operands() as usize);
        let takes_e = waiting.drain(first..).any(|is_e| is_e);
        if let ItemKind::Apply(Head::Operator(operator), _) = item.kind
            && takes_e
            && ["+", "-", "*", "/"].contains(&operator.spelling)
        {
            return true;
        }
        waiting.push(next == Some(at));
        if next == Some(at) {
            next = places.next();
        }
    }
    false
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
            let is_moved = |node: &Rc<Node>| node.is_free() && problem.order.slot(node).is_some();
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

/// The error for a search that could not end well.
fn impossible(
    session: &Session,
    problem: &FitProblem,
    found: &FoundFit,
    parts: &Parts,
) -> Option<Diagnostic> {
    let leaves = &problem.leaves;
    let (message, help) = match &found.end {
        SearchEnd::Undetermined(places) => {
            let names = named(session, places.iter().map(|&place| &leaves[place]));
            let end = placed(session, leaves, &found.point);
            let message = match &places[..] {
                [_] => format!("the data say nothing about {names}"),
                _ => format!("the data do not tell {names} apart"),
            };
            let mut help =
                "leave one of them out, fix one with `:freeze` or `const`, or `:set` another start"
                    .to_string();
            let idle = idle_data(session, problem, parts);
            if !idle.is_empty() {
                help = format!("{help}; the fit does not use {idle}");
            }
            (format!("{message} where the search ended, at {end}"), help)
        }
        SearchEnd::Undefined { point, leaf } => (
            format!(
                "the derivative of the model by `{}` is not a number at point {}",
                session.label(&leaves[*leaf]),
                point + 1
            ),
            "`:set` the leaf first, to a value where it is a number".to_string(),
        ),
        _ => return None,
    };
    Some(Diagnostic::new(message).help(help))
}

/// The names of some data, as long as those of the fit, that it does not use: a leaf may be one of them misspelled.
fn idle_data(session: &Session, problem: &FitProblem, parts: &Parts) -> String {
    let used = [parts.model.names(), parts.data.names()].concat();
    let used: FxHashSet<&str> = used.into_iter().map(|(name, _)| name).collect();
    let is_idle = |(name, value): &(&str, &Value)| {
        matches!(value, Value::List(_))
            && value.nodes().len() == problem.data.len()
            && !used.contains(name)
            && value.nodes().iter().all(|node| node.is_frozen())
    };
    let idle = session.names().bound().filter(is_idle);
    listed(idle.map(|(name, _)| name).take(MOST_NAMED))
}

/// A note on a fit that has settled where it should not be believed: it explains little, from where the program began, or
/// leaves can be anything as long as others go with them. A model that is linear in all leaves has one end only.
fn doubt(
    session: &Session,
    problem: &FitProblem,
    found: &FoundFit,
    has_own_starts: bool,
) -> Option<Note> {
    let n = problem.leaves.len();
    let starts: Vec<f64> = problem.leaves.iter().map(|leaf| leaf.data()).collect();
    let certainty = found.certainty.as_ref()?;
    let is_loose = |place: &usize| {
        let Some(deviations) = &certainty.deviations else {
            return false;
        };
        let mut row = certainty.correlations[place * n..][..n].iter().enumerate();
        deviations[*place] > WIDE * found.point[*place].abs()
            && row.any(|(other, part)| other != *place && part.abs() > TIED)
    };
    let loose = (0..n).find(is_loose);
    // A bound may keep the model from the data wherever it began.
    let may_be_elsewhere = has_own_starts && found.held.is_empty();
    let r2 = found.r2.filter(|r2| may_be_elsewhere && *r2 < POOR);
    if found.end != SearchEnd::Settled || loose.is_none() && r2.is_none() {
        return None;
    }
    let mut curved = curved(problem, &[starts.clone(), found.point.clone()]);
    curved.truncate(MOST_NAMED);
    let names: Vec<String> = (curved.iter())
        .map(|&place| session.label(&problem.leaves[place]))
        .collect();
    let data = curved.iter().map(|&place| rounded(starts[place]));
    let line = if names.iter().all(|name| syntax::is_name(name)) {
        format!(
            "{} = {}",
            names.join(", "),
            data.collect::<Vec<_>>().join(", ")
        )
    } else {
        let each = names.iter().zip(data);
        let each = each.map(|(name, data)| format!("{name} {data}"));
        format!(":set {}", each.collect::<Vec<_>>().join(", "))
    };
    let why = match (loose, r2) {
        _ if curved.is_empty() => return None,
        (Some(place), _) => say!(
            "the data hardly determine {:name}: its ± is more than ten times its value",
            session.label(&problem.leaves[place])
        ),
        (None, r2) => say!("the model explains little of the data, R² {:short}", r2?),
    };
    Some(Note::new(say!(
        "{}; begin elsewhere, with other numbers in {:typed}",
        why,
        line
    )))
}

/// The report of a fit.
fn report(
    session: &Session,
    problem: &FitProblem,
    moved: &MovedLeaves,
    found: &FoundFit,
    is_doubtful: bool,
) -> Report {
    let n = problem.leaves.len();
    let certain = found.certainty.as_ref();
    let deviations = certain.and_then(|it| it.deviations.as_ref());
    let free = |place: &usize| !found.held.contains(place);
    let sigma = (0..n).map(|place| Some(deviations?[Some(place).filter(free)?]));
    let sigma: Vec<Option<f64>> = sigma.collect();
    let mut blocks = vec![
        Block::Table(moved.table(session, Some((Column::new("sigma", "±"), &sigma)))),
        Block::Line(quality(session, problem, found)),
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
        _ if is_doubtful => ("doubtful", None),
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
fn quality(session: &Session, problem: &FitProblem, found: &FoundFit) -> Line {
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
    if !problem.constants.is_empty() {
        let from = if problem.deviations.is_some() {
            ""
        } else {
            "those "
        };
        let constants = short_list(session, &problem.constants);
        line.extend(say!(" and {}of {}", from, constants));
    }
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
