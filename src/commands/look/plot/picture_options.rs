//! The options that `:plot` and `:fit` share for their pictures: title, size, and logarithmic axes.

use crate::commands::args::Argument;
use crate::commands::args::suggestions::Word;
use crate::commands::prelude::*;
use chainrule_language as language;
use chainrule_report::{Plot, say};

/// The fewest and the most pixels of a file, each way.
const PIXELS: (u32, u32) = (100, 10_000);
/// The fewest and the most columns and rows in a terminal.
const CHARACTERS: (u32, u32) = (4, 1_000);

/// The options of a picture.
pub(crate) struct PictureOptions {
    title: String,
    size: Option<(u32, u32)>,
    /// Whether the axes to the right and upwards are logarithmic.
    pub(crate) logarithmic: (bool, bool),
}

impl PictureOptions {
    pub(crate) fn of(
        arguments: &Arguments,
        [file, title, size, logx, logy]: [&Argument; 5],
    ) -> Result<PictureOptions, Diagnostic> {
        let title = arguments.word(title).map_or("", |(word, _)| word);
        Ok(PictureOptions {
            title: language::strip_quotes(title).unwrap_or(title).to_string(),
            size: read_size(arguments, size, arguments.has(file))?,
            logarithmic: (arguments.has(logx), arguments.has(logy)),
        })
    }

    /// Sets them in a plot.
    pub(crate) fn set(self, plot: &mut Plot) {
        plot.title = self.title;
        plot.size = self.size;
        plot.logarithmic_across |= self.logarithmic.0;
        plot.logarithmic |= self.logarithmic.1;
    }
}

/// The words that completion offers for a title.
pub(crate) fn titles(_: &Session, _: &[&str]) -> Vec<Word> {
    vec![Word::new(
        "\"two roots\"",
        say!("what stands above, in quotes"),
    )]
}

/// The words that completion offers for a size.
pub(crate) fn sizes(_: &Session, _: &[&str]) -> Vec<Word> {
    let file = Word::new("800x400", say!("pixels of a file"));
    let here = Word::new("100x30", say!("columns and rows of the terminal"));
    vec![file, here]
}

/// The size: `800x400`.
fn read_size(
    arguments: &Arguments,
    size: &Argument,
    is_file: bool,
) -> Result<Option<(u32, u32)>, Diagnostic> {
    let Some((word, span)) = arguments.word(size) else {
        return Ok(None);
    };
    let ((least, most), what, example) = if is_file {
        (PIXELS, "pixels", "800x400")
    } else {
        (CHARACTERS, "columns and rows", "100x30")
    };
    let side = |side: &str| side.trim().parse().ok();
    let side = |typed: &str| side(typed).filter(|side| (least..=most).contains(side));
    let sides = word.split_once(['x', '×', 'X', '*']);
    let size = sides.and_then(|(width, height)| Some((side(width)?, side(height)?)));
    if size.is_some() {
        return Ok(size);
    }
    let message =
        format!("`{word}` is not a size: a picture has from {least} to {most} {what} each way");
    let help = format!("as in `size {example}`");
    Err(Diagnostic::new(message).at(span).help(help))
}
