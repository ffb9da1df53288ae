//! Compresses its input in the format of gzip, more tightly than `gzip -9`: `web/build` packs the module of the page.

use std::io::{self, BufWriter};
use std::num::NonZeroU64;

use zopfli::{Format, Options};

fn main() -> io::Result<()> {
    let output = BufWriter::new(io::stdout());
    // The parts of a module differ, so more blocks than usual help, each with codes of its own.
    let options = Options {
        maximum_block_splits: 120,
        iteration_count: NonZeroU64::new(60).expect("it is not 0"),
        ..Options::default()
    };
    zopfli::compress(options, Format::Gzip, io::stdin(), output)
}
