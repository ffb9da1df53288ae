//! The options that `:plot` and `:fit` share for their pictures: ranges, logarithmic axes, the words beside them, and the
//! size. The arguments have the same usage in both commands.

use crate::commands::args::Argument;
use crate::commands::args::range::Range;
use crate::commands::args::suggestions::Word;
use crate::commands::prelude::*;
use crate::commands::signatures::plot::{
    FILE, LEGEND, LOG, LOGX, LOGY, PLAIN, SIZE, TITLE, UP, X, XLABEL, Y, YLABEL,
};
use chainrule_language::{self as language, Span};
use chainrule_report::{Curve, Plot, PlotSize, count_text, say};

/// The least and the most pixels of a file, each way, and those of a centimetre.
const PIXELS: (f64, f64) = (100.0, 10_000.0);
const CENTIMETRE: f64 = 96.0 / 2.54;
/// The fewest and the most columns and rows in a terminal.
const CHARACTERS: (f64, f64) = (4.0, 1_000.0);

/// The options of a picture.
pub(crate) struct PictureOptions {
    title: String,
    /// The names of the axes and the words of the legend; empty where none are typed.
    xlabel: String,
    ylabel: String,
    legend: Vec<String>,
    /// The place of the legend.
    legend_span: Span,
    size: Option<PlotSize>,
    /// The range of what goes to the right.
    pub(crate) across: Option<Range>,
    /// The range of a second leaf, for a map.
    pub(crate) second: Option<Range>,
    /// The range of the vertical axis of curves.
    pub(crate) up: Option<(f64, f64)>,
    /// Whether the axes to the right and upwards are logarithmic.
    pub(crate) logarithmic: (bool, bool),
    /// Whether to leave out what is not data or curve.
    pub(crate) plain: bool,
}

impl PictureOptions {
    pub(crate) fn of(
        session: &mut Session,
        arguments: &Arguments,
    ) -> Result<PictureOptions, Diagnostic> {
        let typed = |span: Span| {
            let word = span.of(arguments.text);
            language::strip_quotes(word).unwrap_or(word).to_string()
        };
        let word = |argument| {
            arguments
                .word(argument)
                .map_or_else(String::new, |it| typed(it.1))
        };
        let both = arguments.has(LOG);
        let logarithmic = (both || arguments.has(LOGX), both || arguments.has(LOGY));
        let mut range = |name, is_logarithmic| axis_range(session, arguments, name, is_logarithmic);
        Ok(PictureOptions {
            title: word(TITLE),
            xlabel: word(XLABEL),
            ylabel: word(YLABEL),
            legend: arguments
                .words(LEGEND)
                .iter()
                .map(|it| typed(*it))
                .collect(),
            legend_span: arguments.place(LEGEND),
            size: read_size(arguments)?,
            across: range(X, logarithmic.0)?,
            second: range(Y, logarithmic.1)?,
            up: range(UP, logarithmic.1)?.map(|range| range.ends),
            logarithmic,
            plain: arguments.has(PLAIN),
        })
    }

    /// The range of the horizontal axis: what was typed, or else the extent of points and error bars that have a place.
    pub(crate) fn range_of(&self, curves: &[Curve]) -> Option<(f64, f64)> {
        let has_place = |x: &f64| !self.logarithmic.0 || *x > 0.0;
        let points = curves.iter().flat_map(|curve| &curve.points).copied();
        let bars_of = |curve| Curve::error_bars(curve, self.logarithmic);
        let bars = curves.iter().flat_map(bars_of).flatten();
        let places = points.chain(bars).map(|(x, _)| x).filter(has_place);
        let typed = self.across.map(|range| range.ends);
        typed.or_else(|| extent(places))
    }

    /// Refuses a legend of more words than there are curves and lists.
    pub(crate) fn check_legend(&self, count: usize) -> Result<(), Diagnostic> {
        if self.legend.len() <= count {
            return Ok(());
        }
        let message = format!("the legend has {} words for {count}", self.legend.len());
        Err(Diagnostic::new(message)
            .at(self.legend_span)
            .help("one for each curve and each list, in their order"))
    }

    /// Refuses a range of a horizontal axis that has another name.
    pub(crate) fn check_axis(&self, arguments: &Arguments, name: &str) -> Result<(), Diagnostic> {
        let own = |span: &Span| ["x", name].contains(&span.of(arguments.text));
        let typed = self.across.and_then(|range| range.variable);
        typed.filter(|span| !own(span)).map_or(Ok(()), |span| {
            let message = format!("`{}` is not the horizontal axis", span.of(arguments.text));
            let help = format!("its range begins with `x=` or `{name}=`");
            Err(Diagnostic::new(message).at(span).help(help))
        })
    }

    /// Sets them in a plot.
    pub(crate) fn set(&self, plot: &mut Plot) {
        plot.title.clone_from(&self.title);
        plot.typed.has_label = !self.xlabel.is_empty();
        for (label, typed) in [
            (&mut plot.across, &self.xlabel),
            (&mut plot.upwards, &self.ylabel),
        ] {
            if !typed.is_empty() {
                label.clone_from(typed);
            }
        }
        for (curve, words) in plot.curves.iter_mut().zip(&self.legend) {
            curve.legend = Some(words.clone());
        }
        plot.typed.has_range |= self.across.is_some();
        plot.size = self.size;
        plot.is_logarithmic_across |= self.logarithmic.0;
        plot.is_logarithmic |= self.logarithmic.1;
    }
}

/// The smallest and the largest finite number.
pub(crate) fn extent(numbers: impl IntoIterator<Item = f64>) -> Option<(f64, f64)> {
    let finite = numbers.into_iter().filter(|number| number.is_finite());
    finite.fold(None, |ends, number| {
        let (low, high) = ends.unwrap_or((number, number));
        Some((number.min(low), number.max(high)))
    })
}

/// The range of an axis.
fn axis_range(
    session: &mut Session,
    arguments: &Arguments,
    name: &Argument,
    is_logarithmic: bool,
) -> Result<Option<Range>, Diagnostic> {
    let range = arguments.nonempty_range(session, name)?;
    match range.filter(|range| is_logarithmic && range.ends.0 <= 0.0) {
        None => Ok(range),
        Some(range) => {
            let from = language::literal(range.ends.0, false);
            Err(Diagnostic::new(format!("a logarithmic axis has no place for {from}"))
                .at(range.from)
                .help("begin above 0, as in `0.01..100`; `logx` and `logy` make one axis logarithmic, `logz` the levels of a map, `log` all"))
        }
    }
}

/// The words that completion offers for what stands in a picture.
pub(crate) fn titles(_: &Session, _: &[&str]) -> Vec<Word> {
    vec![Word::new("\"U (V)\"", say!("words, in quotes"))]
}

/// The words that completion offers for a size.
pub(crate) fn sizes(_: &Session, _: &[&str]) -> Vec<Word> {
    let file = Word::new("800x400", say!("pixels of a file"));
    let print = Word::new("8x6cm", say!("a file to print, of 300 pixels in an inch"));
    let here = Word::new("100x30", say!("columns and rows of the terminal"));
    vec![file, print, here]
}

/// The size: `800x400`, `8x6cm`.
fn read_size(arguments: &Arguments) -> Result<Option<PlotSize>, Diagnostic> {
    let Some((word, span)) = arguments.word(SIZE) else {
        return Ok(None);
    };
    let ((least, most), what, example) = if arguments.has(FILE) {
        (PIXELS, "pixels", "800x400` or `size 8x6cm")
    } else {
        (CHARACTERS, "columns and rows", "100x30")
    };
    let for_print = word.ends_with("cm") && arguments.has(FILE);
    let unit = if for_print { CENTIMETRE } else { 1.0 };
    let side = |typed: &str| {
        let side: f64 = typed.trim().parse().ok()?;
        let is_possible = for_print || side.fract() == 0.0;
        Some(side * unit).filter(|side| is_possible && (least..=most).contains(side))
    };
    let number = word.strip_suffix("cm").filter(|_| for_print);
    let sides = number.unwrap_or(word).split_once(['x', '×', 'X', '*']);
    let size = sides.and_then(|(width, height)| {
        Some(PlotSize {
            width: side(width)?,
            height: side(height)?,
            is_for_print: for_print,
        })
    });
    if size.is_some() {
        return Ok(size);
    }
    let most = count_text(most);
    let message =
        format!("`{word}` is not a size: a picture has from {least} to {most} {what} each way");
    let help = format!("as in `size {example}`");
    Err(Diagnostic::new(message).at(span).help(help))
}
