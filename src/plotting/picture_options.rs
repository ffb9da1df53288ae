//! Reads and checks the options that `:plot` and `:fit` share for their pictures: ranges, logarithmic axes, titles, and
//! the size. Also makes the words that completion offers for these options.
//!
//! The code reads the arguments of `:fit` by the constants of `:plot`, because both have the same usages.

use crate::command::args::Argument;
use crate::command::args::range::Range;
use crate::command::args::suggestions::{Offers, Word};
use crate::command::prelude::*;
use crate::command::signatures::plot::{
    FILE, LEGEND, LOG, LOGX, LOGY, PLAIN, SIZE, TITLE, UP, X, XLABEL, Y, YLABEL,
};
use chainrule_report::{Curve, Plot, PlotSize, Scale, extent};

/// The least and the most pixels of the sides of a file.
const PIXEL_LIMITS: (f64, f64) = (100.0, 10_000.0);
/// The units of sizes for print, with the pixels of CSS in one of them: 96 in an inch.
const UNITS: [(&str, f64); 3] = [("mm", 96.0 / 25.4), ("cm", 96.0 / 2.54), ("in", 96.0)];
/// The fewest and the most columns and rows in a terminal.
const CHARACTER_LIMITS: (f64, f64) = (4.0, 1_000.0);

/// The words that completion offers for the options of a picture. `:fit` leaves out the first.
pub(crate) const OFFERS: &[(&Argument, Offers)] = &[
    (UP, Offers::Words(ranges)),
    (TITLE, Offers::Words(titles)),
    (XLABEL, Offers::Words(titles)),
    (YLABEL, Offers::Words(titles)),
    (LEGEND, Offers::Words(titles)),
    (SIZE, Offers::Words(sizes)),
];

/// The options of a picture.
pub(crate) struct PictureOptions {
    /// The title, if one is typed.
    title: Option<String>,
    /// The names of the axes; empty if none are typed.
    xlabel: String,
    ylabel: String,
    /// The names of the curves and lists in the legend, in their order.
    legend: Vec<String>,
    size: Option<PlotSize>,
    /// The range of the horizontal axis, if one is typed or was given to its leaves.
    pub(crate) across: Option<Range>,
    /// The range of a second leaf, for a map.
    pub(crate) second: Option<Range>,
    /// The range of the vertical axis of curves.
    pub(crate) up: Option<Range>,
    /// The scales of the horizontal and the vertical axis.
    pub(crate) scales: (Scale, Scale),
    /// Whether to draw only data and curves.
    pub(crate) is_plain: bool,
}

impl PictureOptions {
    pub(crate) fn of(session: &mut Session, arguments: &Arguments) -> Result<PictureOptions> {
        let unquote = |span: Span| {
            let word = span.of(arguments.text);
            language::strip_quotes(word).unwrap_or(word).to_string()
        };
        let text = |argument| {
            let word = arguments.first_word(argument);
            word.map_or_else(String::new, |(_, span)| unquote(span))
        };
        let legend = arguments.words(LEGEND).iter().map(|it| unquote(*it));
        let scale_of = |option| Scale::logarithmic_if(arguments.has(LOG) || arguments.has(option));
        let scales = (scale_of(LOGX), scale_of(LOGY));
        Ok(PictureOptions {
            title: arguments.first_word(TITLE).map(|(_, span)| unquote(span)),
            xlabel: text(XLABEL),
            ylabel: text(YLABEL),
            legend: legend.collect(),
            size: read_size(arguments)?,
            across: axis_range(session, arguments, X, scales.0)?,
            second: axis_range(session, arguments, Y, scales.1)?,
            up: axis_range(session, arguments, UP, scales.1)?,
            scales,
            is_plain: arguments.has(PLAIN),
        })
    }

    /// Sets the ranges of the axes to those that their leaves were given, as in `x = 1 in -2..2`, unless others are typed.
    pub(crate) fn set_given(&mut self, session: &Session, across: &[Rc<Node>], up: &[Rc<Node>]) {
        self.across = self.across.or(given_range(session, across, self.scales.0));
        self.up = self.up.or(given_range(session, up, self.scales.1));
    }

    /// Returns the set range of the horizontal axis. If none is set, returns the extent of the points and error bars
    /// that the axis can show: a logarithmic axis shows only numbers above 0.
    pub(crate) fn range_of(&self, curves: &[Curve]) -> Option<(f64, f64)> {
        let is_on_axis = |x: &f64| self.scales.0.has_place(*x);
        let points = curves.iter().flat_map(|curve| &curve.points).copied();
        let bars_of = |curve| Curve::error_bars(curve, self.scales);
        let bars = curves.iter().flat_map(bars_of).flatten();
        let numbers = points.chain(bars).map(|(x, _)| x).filter(is_on_axis);
        let set = self.across.map(|range| range.ends);
        set.or_else(|| extent(numbers))
    }

    /// Refuses a legend with more words than the plot has curves and lists: `count`.
    pub(crate) fn check_legend(&self, arguments: &Arguments, count: usize) -> Result<()> {
        if self.legend.len() <= count {
            return Ok(());
        }
        let message = format!("the legend has {} words for {count}", self.legend.len());
        let help = "one for each curve and each list, in their order";
        Err(Diagnostic::new(message)
            .at(arguments.place(LEGEND))
            .help(help))
    }

    /// Refuses a range that begins with another name than that of the horizontal axis. `x` always means the axis, whatever
    /// its name is, and a range without a name is about it, too.
    pub(crate) fn check_axis(&self, arguments: &Arguments, name: &str) -> Result<()> {
        let variable = self.across.and_then(|range| range.variable);
        let is_axis = |span: &Span| ["x", name].contains(&span.of(arguments.text));
        let Some(span) = variable.filter(|span| !is_axis(span)) else {
            return Ok(());
        };
        let message = format!("`{}` is not the horizontal axis", span.of(arguments.text));
        let help = format!("its range begins with `{name}=…`; `x=…` always means the axis");
        Err(Diagnostic::new(message).at(span).help(help))
    }

    /// Sets the titles, the legend, the size and the scales of a plot. The callers set its ranges, and leave things out if
    /// it is plain, because each kind of plot does so in its own way.
    pub(crate) fn set(&self, plot: &mut Plot) {
        plot.title.clone_from(&self.title);
        plot.is_label_typed = !self.xlabel.is_empty();
        if !self.xlabel.is_empty() {
            plot.across.clone_from(&self.xlabel);
        }
        if !self.ylabel.is_empty() {
            plot.upwards.clone_from(&self.ylabel);
        }
        for (curve, words) in plot.curves.iter_mut().zip(&self.legend) {
            curve.legend = Some(words.clone());
        }
        plot.size = self.size;
        let direction = |range: Option<Range>| range.unwrap_or_default().direction;
        // The vertical axis of a map is that of its second leaf.
        plot.directions = (direction(self.across), direction(self.up.or(self.second)));
        // `|=`: a histogram always counts its range as typed.
        plot.is_range_typed |= self.across.is_some();
        // A plot may be logarithmic without the option, because of its numbers.
        if self.scales.0.is_logarithmic() {
            plot.across_scale = self.scales.0;
        }
        if self.scales.1.is_logarithmic() {
            plot.up_scale = self.scales.1;
        }
    }
}

/// Returns the range that all of these leaves were given, if the axis can show it. It has no place in the line.
pub(crate) fn given_range(session: &Session, leaves: &[Rc<Node>], scale: Scale) -> Option<Range> {
    let ranges = &session.names().ranges;
    let ends = |leaf: &Rc<Node>| ranges.of(leaf).map(|range| (range.low, range.high));
    let shown = ends(leaves.first()?).filter(|(low, _)| scale.has_place(*low))?;
    let is_shared = leaves.iter().all(|leaf| ends(leaf) == Some(shown));
    is_shared.then(|| Range {
        ends: shown,
        ..Range::default()
    })
}

/// Whether a number is in a range or at one of its ends.
pub(crate) fn is_in((from, to): (f64, f64), number: f64) -> bool {
    (from..=to).contains(&number)
}

/// Reads the range of an axis. Refuses a range that does not begin above 0 if the axis is logarithmic.
fn axis_range(
    session: &mut Session,
    arguments: &Arguments,
    argument: &Argument,
    scale: Scale,
) -> Result<Option<Range>> {
    let range = arguments.axis_range(session, argument)?;
    let Some(refused) = range.filter(|range| scale.is_logarithmic() && range.ends.0 <= 0.0) else {
        return Ok(range);
    };
    let from = language::literal(refused.ends.0, false);
    Err(Diagnostic::new(format!("a logarithmic axis has no place for {from}"))
        .at(refused.from)
        .help("begin above 0, as in `… 0.01..100`; `logx` and `logy` make one axis logarithmic, `logz` the levels of a map, `log` all"))
}

fn ranges(_: &Session, _: &[&str]) -> Vec<Word> {
    vec![Word::new("-5..5", say!("from bottom to top"))]
}

fn titles(_: &Session, _: &[&str]) -> Vec<Word> {
    vec![Word::new("\"U (V)\"", say!("words, in quotes"))]
}

fn sizes(_: &Session, _: &[&str]) -> Vec<Word> {
    let file = Word::new("800x400", say!("pixels of a file"));
    let print = Word::new("85x60mm", say!("a file to print, in mm, cm or in"));
    let here = Word::new("100x30", say!("columns and rows of the terminal"));
    vec![file, print, here]
}

/// Reads the size: `800x400` or `85x60mm` for a file, `100x30` in the terminal.
fn read_size(arguments: &Arguments) -> Result<Option<PlotSize>> {
    let Some((word, span)) = arguments.first_word(SIZE) else {
        return Ok(None);
    };
    let (limits, units, example) = if arguments.has(FILE) {
        (
            PIXEL_LIMITS,
            "pixels",
            "800x400` or, for print, `size 85x60mm",
        )
    } else {
        (CHARACTER_LIMITS, "columns and rows", "100x30")
    };
    let size = parse_size(word).filter(|size| !size.is_for_print || arguments.has(FILE));
    // A size for print that is too small is refused with one that is not, when the picture is drawn.
    let fits = |it: &PlotSize| {
        let shortest = if it.is_for_print { 1.0 } else { limits.0 };
        let sides = [it.width, it.height];
        sides.iter().all(|side| is_in((shortest, limits.1), *side))
    };
    if let Some(fitting) = size.filter(fits) {
        return Ok(Some(fitting));
    }
    let (least, most) = (limits.0, count_text(limits.1));
    let message =
        format!("`{word}` is not a size: a picture has from {least} to {most} {units} each way");
    let help = format!("as in `… size {example}`");
    Err(Diagnostic::new(message).at(span).help(help))
}

/// Parses the sides of a picture: whole numbers of pixels or characters, or for print any numbers of mm, cm or inches:
/// `85x60mm`, `85mmx60mm`.
fn parse_size(text: &str) -> Option<PlotSize> {
    let unit = UNITS.into_iter().find(|(name, _)| text.ends_with(name));
    let side = |word: &str| {
        let bare = unit.and_then(|(name, _)| word.strip_suffix(name));
        let length: f64 = bare.unwrap_or(word).trim().parse().ok()?;
        let is_whole = unit.is_some() || length.fract() == 0.0;
        is_whole.then_some(length * unit.map_or(1.0, |(_, pixels)| pixels))
    };
    let (width, height) = text.split_once(['x', '×', 'X', '*'])?;
    Some(PlotSize {
        width: side(width)?,
        height: side(height)?,
        is_for_print: unit.is_some(),
    })
}
