//! Compresses its input in the format of gzip, more tightly than `gzip -9`: `web/build` packs the module of the page.

use std::io::{self, BufWriter};

use zopfli::{Format, Options};

fn main() -> io::Result<()> {
    let output = BufWriter::new(io::stdout());
    // The parts of a module differ, so more blocks than usual help, each with codes of its own.
    let options = Options {
        maximum_block_splits: 120,
        ..Options::default()
    };
    zopfli::compress(options, Format::Gzip, io::stdin(), output)
}
