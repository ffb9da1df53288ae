//! `:plot hist d`: how many items of a list are in each of some bins of one width.
//!
//! The bins go exactly from the smallest to the largest item, or from A to B after `x=A..B`, as many as the rule of Freedman and Diaconis says: each is
//! at most 2·IQR/∛n wide, where IQR is the distance between the quartiles. Bins of whole numbers have a whole width and
//! begin halfway between two of them. On a logarithmic axis the rule is applied to the logarithms.

use super::list_dots::read_lists;
use super::missing_note;
use super::picture_options::PictureOptions;
use crate::commands::prelude::*;
use crate::commands::signatures::plot::{LINE, OVER, STEPS, T, WITH, Y};
use chainrule_language::Span;
use chainrule_report::{Curve, Note, Plot, TypedAxis, plural, say};

/// The most bins. A few items far from all others would make any number of them.
const MOST_BINS: f64 = 1_000.0;
/// Beyond this number a whole number and a half is not always a double.
const LARGE: f64 = 1e15;

/// The list after `hist`, which is a keyword only before an operand: elsewhere it is a name.
pub(super) fn list_of_hist(arguments: &Arguments) -> Option<Span> {
    let all = arguments.span_of(T)?;
    let behind = all.of(arguments.text).strip_prefix("hist")?;
    let list = behind.trim_start();
    let begins = list.starts_with(|c: char| c.is_alphanumeric() || "_[(".contains(c));
    let start = all.end as usize - list.len();
    (begins && list.len() < behind.len()).then(|| Span::new(start, all.end as usize))
}

/// The histogram of a list.
pub(super) fn histogram(
    session: &mut Session,
    arguments: &Arguments,
    asked: &PictureOptions,
    typed: Span,
    notes: &mut Vec<Note>,
) -> Result<Plot, Diagnostic> {
    let others = [OVER, WITH, LINE, STEPS, Y];
    if let Some(other) = others.into_iter().find(|other| arguments.has(other)) {
        let word = other.keyword.unwrap_or(other.name);
        let message = format!("`hist` and `{word}` do not go together");
        return Err(error(message).at(arguments.place(other)));
    }
    let lists = read_lists(session, arguments, typed, notes)?;
    let [list] = &lists[..] else {
        let message = format!("`hist` takes one list, and here are {}", lists.len());
        return Err(error(message).at(typed));
    };
    list.check_list()?;
    asked.check_legend(1)?;
    asked.check_axis(arguments, &list.label)?;
    let is_log = asked.logarithmic.0;
    let scale = |number: f64| if is_log { number.log10() } else { number };
    let number = |place: f64| if is_log { 10_f64.powf(place) } else { place };
    let typed_ends = asked.across.map(|range| range.ends);
    let range = typed_ends.map(|(from, to)| (scale(from), scale(to)));
    let is_counted =
        |it: &f64| it.is_finite() && range.is_none_or(|(from, to)| (from..=to).contains(it));
    let places = list.items.numbers.iter().map(|number| scale(*number));
    let mut places: Vec<f64> = places.filter(is_counted).collect();
    places.sort_by(f64::total_cmp);
    let all = list.items.numbers.len();
    if places.is_empty() {
        let message = format!("`{}` has no items to count here", list.label);
        return Err(error(message).at(typed));
    }
    if places.len() < all {
        notes.push(missing_note(&list.label, all - places.len(), all));
    }
    let (first, last) = range.unwrap_or((places[0], places[places.len() - 1]));
    if !(last - first).is_finite() {
        let message = format!("the items of `{}` are too far apart for bins", list.label);
        return Err(error(message).at(typed));
    }
    let bins = edges(&places, (first, last));
    let width = match (bins[1] - bins[0], asked.logarithmic.0) {
        (width, false) => say!("width {:short}", width),
        (width, true) => say!("a factor of {:short}", number(width)),
    };
    let counted = [(places.len(), "item"), (bins.len() - 1, "bin")];
    let [items, count] = counted.map(|(count, word)| plural(count, word));
    let middles = bins
        .windows(2)
        .map(|bin| number(bin[0] / 2.0 + bin[1] / 2.0));
    let edges: Vec<f64> = bins.iter().map(|place| number(*place)).collect();
    let mut plot = Plot {
        across: list.heading.clone(),
        dates: list.dates,
        words_across: list.words.clone(),
        range: (edges[0], edges[edges.len() - 1]),
        typed: TypedAxis {
            has_range: true,
            has_label: false,
        },
        up_range: asked.up,
        remarks: vec![say!("{} in {} of {}", items, count, width)],
        curves: vec![Curve {
            label: "count".to_string(),
            points: middles.zip(counts(&places, &bins)).collect(),
            edges,
            ..Curve::default()
        }],
        ..Plot::default()
    };
    asked.set(&mut plot);
    // Without a legend, the axis and the curve have one name.
    if plot.curves[0].legend.is_none() && !plot.upwards.is_empty() {
        plot.curves[0].label = std::mem::take(&mut plot.upwards);
    }
    Ok(plot)
}

fn error(message: String) -> Diagnostic {
    Diagnostic::new(message).help("`:plot hist d` counts the items of one list")
}

/// The edges of bins between two numbers, for items in ascending order.
fn edges(items: &[f64], (low, high): (f64, f64)) -> Vec<f64> {
    let is_whole = |number: &f64| number.fract() == 0.0 && number.abs() < LARGE;
    let last = items.len() - 1;
    let quartile = |part: f64| {
        let place = part * last as f64;
        let (below, above) = (items[place as usize], items[last.min(place as usize + 1)]);
        below + (above - below) * place.fract()
    };
    let spread = high - low;
    let mut width = 2.0 * (quartile(0.75) - quartile(0.25)) / (items.len() as f64).cbrt();
    if width == 0.0 {
        // Half of the items are equal: the rule of Sturges counts them alone.
        width = spread / ((items.len() as f64).log2() + 1.0);
    }
    width = width.max(spread / MOST_BINS);
    if items.iter().all(is_whole) {
        let (low, high) = (low.ceil(), high.floor());
        width = width.floor().max(((high - low + 1.0) / MOST_BINS).ceil());
        let count = ((high - low + 1.0) / width).ceil() as usize;
        return (0..=count)
            .map(|at| low - 0.5 + at as f64 * width)
            .collect();
    }
    if spread == 0.0 {
        let around = low.abs() / 20.0;
        return vec![low - around, low + around];
    }
    let count = (spread / width).ceil().max(1.0);
    let inner = (0..count as usize).map(|at| low + at as f64 * (spread / count));
    inner.chain([high]).collect()
}

/// How many items in ascending order are in each bin. An item on an edge is in the bin above, in the last bin if it is the
/// last edge.
fn counts(items: &[f64], edges: &[f64]) -> Vec<f64> {
    let mut below: Vec<usize> = (edges.iter())
        .map(|edge| items.partition_point(|item| item < edge))
        .collect();
    if let Some(all) = below.last_mut() {
        *all = items.len();
    }
    below
        .windows(2)
        .map(|two| (two[1] - two[0]) as f64)
        .collect()
}
