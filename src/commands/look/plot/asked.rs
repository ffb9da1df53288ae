//! What a `:plot` line asks of its axes: which ranges move a leaf and which one is that of the vertical axis, which
//! axes are logarithmic, how large the picture is.
//!
//! Nothing is sampled here.

use std::rc::Rc;

use super::curves;
use crate::commands::args::range::Range;
use crate::commands::args::{Arguments, resolve};
use crate::diagnostic::Diagnostic;
use crate::graph::Order;
use crate::session::Session;
use crate::session::values::Value;
use crate::syntax;
use crate::syntax::Span;

/// The arguments that are ranges.
const RANGES: [&str; 3] = ["x=A..B", "y=C..D", "up=C..D"];
/// The name of the range that is not one of a leaf.
const VERTICAL: &str = "up";
/// What the vertical axis is often called.
const OFTEN: &str = "y";
/// The least and the most pixels of a file, each way.
const PIXELS: (u32, u32) = (100, 10_000);
/// The same of columns and rows of a terminal.
const CHARACTERS: (u32, u32) = (4, 1_000);

/// What is asked of the axes.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct AskedAxes {
    /// The range of the leaf that goes to the right.
    pub across: Option<Range>,
    /// The range of a second leaf, which goes up: the picture is a map.
    pub second: Option<Range>,
    /// The range of the vertical axis of curves.
    pub up: Option<Range>,
    /// Where the axes are logarithmic.
    pub logarithmic: Logarithmic,
    /// The width and the height.
    pub size: Option<(u32, u32)>,
}

/// Which axes are logarithmic.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Logarithmic {
    pub across: bool,
    pub up: bool,
    /// The levels of a map, with the word that asked for it.
    pub levels: Option<Span>,
}

/// The axes of a line.
pub(super) fn axes(session: &mut Session, arguments: &Arguments) -> Result<AskedAxes, Diagnostic> {
    let mut asked = AskedAxes {
        size: size(arguments)?,
        logarithmic: logarithmic(arguments),
        ..AskedAxes::default()
    };
    for name in RANGES {
        let Some(range) = arguments.stretched_range(session, name)? else {
            continue;
        };
        let called = range.variable.map(|span| (span, span.of(arguments.text)));
        if let Some((span, OFTEN)) = called
            && !moves(session, arguments, OFTEN)
        {
            return Err(
                Diagnostic::new(format!("no leaf called `{OFTEN}` moves here"))
                    .at(span)
                    .help(format!(
                        "the range of the vertical axis is called `{VERTICAL}`: `{}`",
                        arguments.retyped(&[(span, VERTICAL)])
                    )),
            );
        }
        let place = match called {
            Some((_, VERTICAL)) => &mut asked.up,
            _ if asked.across.is_none() => &mut asked.across,
            _ => &mut asked.second,
        };
        if place.replace(range).is_some() {
            return Err(surplus(arguments, &range));
        }
    }
    if let (Some(up), Some(_)) = (&asked.up, &asked.second) {
        return Err(surplus(arguments, up));
    }
    check(arguments, &asked)?;
    Ok(asked)
}

/// The words of a range.
pub(super) fn words(arguments: &Arguments, range: &Range) -> Span {
    let is_of = |words: &Span| words.start <= range.from.start && range.from.end <= words.end;
    let mut all = RANGES
        .into_iter()
        .filter_map(|name| arguments.stretch(name));
    all.find(is_of).unwrap_or(range.from)
}

fn surplus(arguments: &Arguments, range: &Range) -> Diagnostic {
    let words = words(arguments, range);
    Diagnostic::new("a plot has ranges for one leaf and the vertical axis, or for two leaves")
        .at(words)
        .help(format!(
            "leave it out: `{}`",
            arguments.retyped(&[(words, "")])
        ))
}

/// Does something of this name move, if a range says so: a leaf below what is drawn, or a name in it without a value?
fn moves(session: &mut Session, arguments: &Arguments, name: &str) -> bool {
    let text = arguments.text;
    let leaf = match session.names().find(name) {
        None => None,
        Some(Value::Node(node)) if node.is_leaf() => Some(Rc::clone(node)),
        Some(_) => return false,
    };
    let Some(all) = arguments.stretch("T") else {
        let target = session.default_target();
        return target
            .zip(leaf)
            .is_some_and(|((target, _), leaf)| Order::below([&target]).position(&leaf).is_some());
    };
    for span in resolve::split_at_commas(text, all) {
        let Ok(expression) = syntax::expression(text, span) else {
            continue;
        };
        let is_named = expression.names().iter().any(|(used, _)| *used == name);
        if is_named || curves::takes_several(session, span.of(text).trim()) {
            return true;
        }
        let Some(leaf) = &leaf else { continue };
        let made = session.made();
        let built = session.evaluate(text, &expression).ok();
        let below = built.is_some_and(|(value, _)| {
            let order = Order::below(value.nodes());
            order.position(leaf).is_some()
        });
        session.rewind(made);
        if below {
            return true;
        }
    }
    false
}

/// Refuses ends that a logarithmic axis does not have.
fn check(arguments: &Arguments, asked: &AskedAxes) -> Result<(), Diagnostic> {
    let logarithmic = asked.logarithmic;
    let axes = [
        (asked.across, logarithmic.across),
        (asked.up.or(asked.second), logarithmic.up),
    ];
    let bad = axes.into_iter().find_map(|(range, is_logarithmic)| {
        range.filter(|range| is_logarithmic && range.ends.0 <= 0.0)
    });
    let Some(range) = bad else {
        return Ok(());
    };
    let Range {
        variable,
        ends,
        from,
        ..
    } = range;
    let high = if ends.1 > 0.0 { ends.1 } else { 1.0 };
    let [low, high] = [high / 1000.0, high].map(|end| syntax::literal(end, false));
    let before = variable.map_or(String::new(), |it| format!("{}=", it.of(arguments.text)));
    let typed = words(arguments, &range);
    let line = arguments.retyped(&[(typed, &format!("{before}{low}..{high}"))]);
    let others = if asked.second.is_some() {
        "`logz` makes only the levels of a map logarithmic"
    } else {
        "`logx` and `logy` make one axis logarithmic, `log` both"
    };
    Err(Diagnostic::new(format!(
        "a logarithmic axis has no place for {}",
        syntax::literal(ends.0, false)
    ))
    .at(from)
    .help(format!("begin above 0, as in `{line}`; {others}")))
}

fn logarithmic(arguments: &Arguments) -> Logarithmic {
    let word = |name: &str| arguments.words(name).first().copied();
    let all = word("log");
    Logarithmic {
        across: all.or(word("logx")).is_some(),
        up: all.or(word("logy")).is_some(),
        levels: all.or(word("logz")),
    }
}

/// The size: `800x400`.
fn size(arguments: &Arguments) -> Result<Option<(u32, u32)>, Diagnostic> {
    let Some((word, span)) = arguments.word("WxH") else {
        return Ok(None);
    };
    let is_file = !arguments.words("FILE").is_empty();
    let (least, most) = if is_file { PIXELS } else { CHARACTERS };
    let (what, example) = if is_file {
        ("pixels", "800x400")
    } else {
        ("columns and rows of the terminal", "100x30")
    };
    let line = format!("as in `{}`", arguments.retyped(&[(span, example)]));
    let numbers = word.split_once(['x', '×', 'X', '*']);
    let read = |side: &str| side.trim().parse::<u32>().ok();
    let found = numbers.and_then(|(width, height)| Some((read(width)?, read(height)?)));
    let Some((width, height)) = found else {
        return Err(Diagnostic::new(format!(
            "`{word}` is not a size: write the width and the height in {what}, with `x` between them"
        ))
        .at(span)
        .help(line));
    };
    let fits = |side: u32| (least..=most).contains(&side);
    if !(fits(width) && fits(height)) {
        return Err(Diagnostic::new(format!(
            "a picture has from {least} to {most} {what} each way, and this one would have {width} by {height}"
        ))
        .at(span)
        .help(line));
    }
    Ok(Some((width, height)))
}
