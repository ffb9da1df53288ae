//! Makes the plot of `:plot hist d`: counts the items of a list in bins of equal width.
//!
//! The bins go exactly from the smallest to the largest item, or from A to B after `x=A..B` or if the items were given
//! this range. Their number follows the rule of Freedman and Diaconis: each is at most 2·IQR/∛n wide, where IQR is the
//! distance between the quartiles. Bins of whole numbers have a whole width and begin halfway between two of them. On a
//! logarithmic axis the rule is applied to the logarithms.

use super::PlotRequest;
use crate::command::prelude::*;
use crate::command::signatures::plot::{LINE, OVER, STEPS, T, WITH, Y};
use crate::plotting::missing_note;
use crate::plotting::picture_options::{PictureOptions, is_in};
use crate::plotting::typed_lists::{TypedList, read_lists};
use chainrule_report::{Curve, Plot, Scale};

/// The most bins. Without a limit, a few items far from all others could make millions of bins.
const MOST_BINS: f64 = 1_000.0;
/// Below this number, a double can represent every whole number plus a half, such as the edge of a bin.
const LARGEST_EXACT: f64 = 1e15;

/// Returns the span of the list after `hist`. The word is a keyword only before an operand; elsewhere it is a name.
pub(super) fn list_of_hist(arguments: &Arguments) -> Option<Span> {
    let typed = arguments.span_of(T)?;
    let after_word = typed.of(arguments.text).strip_prefix("hist")?;
    let list = after_word.trim_start();
    let has_blank = list.len() < after_word.len();
    let is_operand = list.starts_with(|c: char| c.is_alphanumeric() || "_[(".contains(c));
    let end = typed.end as usize;
    (has_blank && is_operand).then(|| Span::new(end - list.len(), end))
}

/// Makes the plot of the list at `place`.
pub(super) fn histogram(request: &mut PlotRequest, place: Span) -> Result<Plot> {
    let arguments = request.arguments;
    let excluded = [OVER, WITH, LINE, STEPS, Y];
    if let Some(argument) = excluded.into_iter().find(|it| arguments.has(it)) {
        let word = argument.keyword.unwrap_or(argument.name);
        let message = format!("`hist` and `{word}` do not go together");
        return Err(error(message).at(arguments.place(argument)));
    }
    let lists = read_lists(request.session, arguments.text, place, &mut request.notes)?;
    let [list] = &lists[..] else {
        let message = format!("`hist` takes one list, and here are {}", lists.len());
        return Err(error(message).at(place));
    };
    list.check_list()?;
    (request.options).set_given(request.session, &list.nodes, &[]);
    let options = &request.options;
    options.check_legend(arguments, 1)?;
    options.check_axis(arguments, &list.label)?;
    let histogram = Histogram::of(list, options).map_err(|error| error.at(place))?;
    let (counted, all) = (histogram.items.len(), list.items.numbers.len());
    if counted < all {
        let note = missing_note(&list.label, all - counted, all);
        request.notes.push(note);
    }
    let mut plot = histogram.plot(list);
    plot.up_range = options.up.map(|range| range.ends);
    options.set(&mut plot);
    // Without a legend, the typed label of the vertical axis replaces the curve's name `count`. An axis without a label
    // shows the name of its curve.
    let curve = &mut plot.curves[0];
    if curve.legend.is_none() && !plot.upwards.is_empty() {
        curve.label = std::mem::take(&mut plot.upwards);
    }
    Ok(plot)
}

/// The counted items and the edges of their bins. On a logarithmic axis both are logarithms.
struct Histogram {
    scale: Scale,
    /// The items in the range, in ascending order.
    items: Vec<f64>,
    edges: Vec<f64>,
}

impl Histogram {
    fn of(list: &TypedList, options: &PictureOptions) -> Result<Histogram> {
        let scale = options.scales.0;
        let range = options.across.map(|range| scale.coordinates(range.ends));
        // A number without a logarithm is not finite here.
        let is_counted = |it: &f64| it.is_finite() && range.is_none_or(|range| is_in(range, *it));
        let numbers = list.items.numbers.iter();
        let places = numbers.map(|number| scale.coordinate(*number));
        let mut items: Vec<f64> = places.filter(is_counted).collect();
        items.sort_by(f64::total_cmp);
        let (Some(smallest), Some(largest)) = (items.first(), items.last()) else {
            let message = format!("`{}` has no items to count here", list.label);
            return Err(error(message));
        };
        let (low, high) = range.unwrap_or((*smallest, *largest));
        if !(high - low).is_finite() {
            let message = format!("the items of `{}` are too far apart for bins", list.label);
            return Err(error(message));
        }
        Ok(Histogram {
            scale,
            edges: bin_edges(&items, low, high),
            items,
        })
    }

    /// Converts a place on the axis, which may be a logarithm, into a number.
    fn number(&self, place: f64) -> f64 {
        match self.scale {
            Scale::Linear => place,
            Scale::Logarithmic => 10_f64.powf(place),
        }
    }

    fn plot(&self, list: &TypedList) -> Plot {
        let width = self.edges[1] - self.edges[0];
        // Equal distances of logarithms are equal factors.
        let width_text = match self.scale {
            Scale::Linear => say!("width {:short}", width),
            Scale::Logarithmic => say!("a factor of {:short}", self.number(width)),
        };
        let items = plural(self.items.len(), "item");
        let bins = plural(self.edges.len() - 1, "bin");
        let bin_ends = self.edges.windows(2);
        // The sum of both ends may overflow.
        let middles = bin_ends.map(|ends| self.number(ends[0] / 2.0 + ends[1] / 2.0));
        let edges: Vec<f64> = self.edges.iter().map(|place| self.number(*place)).collect();
        Plot {
            across: list.heading.clone(),
            dates: list.dates,
            words_across: list.words.clone(),
            range: (edges[0], edges[edges.len() - 1]),
            is_range_typed: true,
            remarks: vec![say!("{} in {} of {}", items, bins, width_text)],
            curves: vec![Curve {
                label: "count".to_string(),
                points: middles.zip(counts(&self.items, &self.edges)).collect(),
                edges,
                ..Curve::default()
            }],
            ..Plot::default()
        }
    }
}

fn error(message: String) -> Diagnostic {
    Diagnostic::new(message).help("`:plot hist d` counts the items of one list")
}

/// The edges of bins between two numbers, for items in ascending order.
fn bin_edges(items: &[f64], low: f64, high: f64) -> Vec<f64> {
    let spread = high - low;
    let count = items.len() as f64;
    let quartile_distance = quantile(items, 0.75) - quantile(items, 0.25);
    let mut width = 2.0 * quartile_distance / count.cbrt();
    if width == 0.0 {
        // The quartiles are equal, because half of the items are. The rule of Sturges depends on the number of items
        // alone.
        width = spread / (count.log2() + 1.0);
    }
    width = width.max(spread / MOST_BINS);
    let is_whole = |number: &f64| number.fract() == 0.0 && number.abs() < LARGEST_EXACT;
    if items.iter().all(is_whole) {
        return whole_edges(low.ceil(), high.floor(), width);
    }
    if spread == 0.0 {
        // All items are equal. One bin is around them.
        let around = low.abs() / 20.0;
        return vec![low - around, low + around];
    }
    let bins = (spread / width).ceil().max(1.0);
    let lower_edges = (0..bins as usize).map(|at| low + at as f64 * (spread / bins));
    // The last edge is exact, so that the largest item is not above it.
    lower_edges.chain([high]).collect()
}

/// The edges of bins of whole numbers. Their width is the given one without its fraction, or more if there would be
/// more than [`MOST_BINS`] bins.
fn whole_edges(low: f64, high: f64, width: f64) -> Vec<f64> {
    let numbers = high - low + 1.0;
    let whole_width = width.floor().max((numbers / MOST_BINS).ceil());
    let bins = (numbers / whole_width).ceil() as usize;
    let edge = |at: usize| low - 0.5 + at as f64 * whole_width;
    (0..=bins).map(edge).collect()
}

/// Returns the number below which this fraction of the items lies, which are in ascending order. Between two items, it
/// is interpolated.
fn quantile(items: &[f64], fraction: f64) -> f64 {
    let last = items.len() - 1;
    let index = fraction * last as f64;
    let below = items[index as usize];
    let above = items[last.min(index as usize + 1)];
    below + (above - below) * index.fract()
}

/// Counts the items in each bin. An item on an edge is in the bin above; on the last edge, in the last bin.
fn counts(items: &[f64], edges: &[f64]) -> Vec<f64> {
    let count_below = |edge: &f64| items.partition_point(|item| item < edge);
    let mut counts_below: Vec<usize> = edges.iter().map(count_below).collect();
    if let Some(last) = counts_below.last_mut() {
        *last = items.len();
    }
    let bin_ends = counts_below.windows(2);
    bin_ends.map(|ends| (ends[1] - ends[0]) as f64).collect()
}
