//! Reads numbered lines from a stream of bytes. Lines that are too long or not UTF-8 become errors.
//!
//! The caller decides whether a statement continues on the next line.

use std::io::{self, BufRead, BufReader, Read};

use chainrule_language::MAX_LENGTH;
use chainrule_report::diagnostic::Diagnostic;

/// The number of bytes that an error shows of a line that it cannot show whole.
pub(crate) const MAX_SHOWN_BYTES: usize = 60;

/// The byte order mark that some editors put at the start of a file: U+FEFF in UTF-8.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// The lines of one source.
pub(crate) struct Lines<'r> {
    reader: BufReader<Box<dyn Read + 'r>>,
    /// The source may block.
    can_block: bool,
    /// The line read last.
    line: Vec<u8>,
    /// Its number.
    pub number: usize,
    /// The last line is too long, and its rest must be skipped.
    is_cut: bool,
}

/// A line and its number, which begins with 1.
pub(crate) type NumberedLine<'l> = (usize, Result<&'l str, BadLine>);

/// A line that cannot be read as text.
#[derive(Debug)]
pub(crate) struct BadLine {
    pub error: Diagnostic,
    /// As much of the line as can be shown.
    pub text: String,
}

impl<'r> Lines<'r> {
    /// The lines of a source that may block.
    pub(crate) fn new(source: impl Read + 'r) -> Lines<'r> {
        Lines {
            reader: BufReader::new(Box::new(source)),
            can_block: true,
            line: Vec::new(),
            number: 0,
            is_cut: false,
        }
    }

    /// The lines of a text in memory, whose first line gets this number.
    pub(crate) fn of(text: &'r [u8], first: usize) -> Lines<'r> {
        Lines {
            can_block: false,
            number: first.saturating_sub(1),
            ..Lines::new(text)
        }
    }

    /// May [`Lines::read`] block?
    pub(crate) fn may_block(&self) -> bool {
        self.can_block && !self.reader.buffer().contains(&b'\n')
    }

    /// Reads the next line, without its line ending. Returns `None` at the end of the source.
    pub(crate) fn read(&mut self) -> io::Result<Option<NumberedLine<'_>>> {
        self.line.clear();
        if std::mem::take(&mut self.is_cut) {
            self.reader.skip_until(b'\n')?;
        }
        // The line ending may have two bytes.
        let most = MAX_LENGTH + 2;
        let mut source = self.reader.by_ref().take(most as u64);
        let length = source.read_until(b'\n', &mut self.line)?;
        if length == 0 {
            return Ok(None);
        }
        self.number += 1;
        if self.line.ends_with(b"\n") {
            self.line.pop();
            if self.line.ends_with(b"\r") {
                self.line.pop();
            }
        } else {
            self.is_cut = length == most;
        }
        if self.number == 1 && self.line.starts_with(BYTE_ORDER_MARK) {
            self.line.drain(..BYTE_ORDER_MARK.len());
        }
        Ok(Some((self.number, check_line(&self.line))))
    }
}

/// The text of a line, if it is one.
fn check_line(line: &[u8]) -> Result<&str, BadLine> {
    if line.len() > MAX_LENGTH {
        return Err(BadLine {
            error: too_long("line"),
            text: beginning(line),
        });
    }
    str::from_utf8(line).map_err(|error| bad_byte(line, error.valid_up_to()))
}

/// The error for a line with a byte at `place` that is not UTF-8.
fn bad_byte(line: &[u8], place: usize) -> BadLine {
    let (before, rest) = line.split_at(place);
    let byte = rest.first().copied().unwrap_or_default();
    BadLine {
        error: Diagnostic::new(format!("byte `\\x{byte:02x}` is not UTF-8"))
            .at(place..place + char::REPLACEMENT_CHARACTER.len_utf8())
            .help("save the file in UTF-8"),
        text: (String::from_utf8_lossy(before) + &*beginning(rest)).into_owned(),
    }
}

/// The beginning of a line, as far as it is shown.
fn beginning(line: &[u8]) -> String {
    let shown = &line[..MAX_SHOWN_BYTES.min(line.len())];
    String::from_utf8_lossy(shown).into_owned()
}

/// The error for a line or a statement that is longer than [`MAX_LENGTH`].
pub(crate) fn too_long(what: &str) -> Diagnostic {
    Diagnostic::new(format!("{what} is longer than {} MiB", MAX_LENGTH >> 20))
        .help("end it earlier, naming parts of it by bindings of their own")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All lines of a source that delivers a few bytes at a time.
    fn all_lines(bytes: &[u8]) -> Vec<String> {
        let mut lines = Lines::new(Drip(bytes));
        let mut texts = Vec::new();
        while let Some((number, line)) = lines.read().expect("a slice can be read") {
            texts.push(match line {
                Ok(text) => format!("{number} {text}"),
                Err(bad) => format!("{number} {:?} {}", bad.error.span, bad.error.message),
            });
        }
        texts
    }

    struct Drip<'b>(&'b [u8]);

    impl Read for Drip<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let few = buffer.len().min(3);
            self.0.read(&mut buffer[..few])
        }
    }

    #[test]
    fn lines() {
        for (bytes, expected) in [
            (&b""[..], &[][..]),
            (b"\n", &["1 "]),
            (b"a = 1\nb = 2\n", &["1 a = 1", "2 b = 2"]),
            (b"a = 1\nb = 2", &["1 a = 1", "2 b = 2"]),
            (b"a = 1\r\n\r\nb = 2\r\n", &["1 a = 1", "2 ", "3 b = 2"]),
            // A carriage return that is not followed by a line feed belongs to the text.
            (b"a\rb\n", &["1 a\rb"]),
            (b"\xef\xbb\xbfa\n\xef\xbb\xbfb", &["1 a", "2 \u{feff}b"]),
            (b"\xef\xbb\xbf", &["1 "]),
            (
                "\u{221a}x\n\u{3c0}".as_bytes(),
                &["1 \u{221a}x", "2 \u{3c0}"],
            ),
            (
                b"1+\xff\nb\n",
                &["1 Some(2..5) byte `\\xff` is not UTF-8", "2 b"],
            ),
            (b"ab\xe2\x88", &["1 Some(2..5) byte `\\xe2` is not UTF-8"]),
            (b"nul \0 is text here", &["1 nul \0 is text here"]),
        ] {
            assert_eq!(
                all_lines(bytes),
                expected,
                "{:?}",
                String::from_utf8_lossy(bytes)
            );
        }
    }

    #[test]
    fn an_endless_line_is_given_up_early() {
        let mut lines = Lines::new(io::repeat(b'1'));
        let read = lines.read().expect("there is always more");
        let (number, line) = read.expect("there is a line");
        let bad = line.expect_err("it is too long");
        assert_eq!((number, bad.text.len()), (1, MAX_SHOWN_BYTES));
    }

    #[test]
    fn numbers_can_start_anywhere_and_memory_does_not_block() {
        let mut lines = Lines::of(b"a\nb", 7);
        assert!(!lines.may_block());
        let (number, _) = lines.read().expect("it is in memory").expect("a line");
        assert_eq!(number, 7);
        assert!(Lines::new(&b"a\nb"[..]).may_block(), "nothing is read yet");
    }
}
