//! Compresses its input in the format of gzip, more tightly than `gzip -9`: `web/build` packs the module of the page.

use std::io::{self, BufWriter};

use zopfli::{Format, Options};

fn main() -> io::Result<()> {
    let output = BufWriter::new(io::stdout());
    zopfli::compress(Options::default(), Format::Gzip, io::stdin(), output)
}
