//! Compresses its input in the format of xz: `web/build` packs the module of the page.

use std::io::{self, Write};

use lzma_rust2::{CheckType, XzOptions, XzWriter};

fn main() -> io::Result<()> {
    let mut options = XzOptions::default();
    // The page can check no other sum.
    options.set_check_sum_type(CheckType::Crc32);
    let lzma = &mut options.lzma_options;
    // An instruction may begin anywhere, and the one before says much about it.
    (lzma.pb, lzma.lc) = (0, 4);
    lzma.nice_len = 273;
    let mut packed = XzWriter::new(io::stdout().lock(), options)?;
    io::copy(&mut io::stdin().lock(), &mut packed)?;
    packed.finish()?.flush()
}
