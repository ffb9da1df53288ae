//! Lines from a stream of bytes: numbered, limited in length, checked to be UTF-8, and read only when needed.
//!
//! [`Lines::step`] never blocks, and [`Lines::fill`] may: so the caller can flush its output before it waits. Whether a
//! statement goes on in the next line is decided by the caller.

use std::io::{self, BufRead, BufReader, ErrorKind, Read};

/// The longest line, in bytes.
pub const MAX_LINE: usize = 64 << 20;

/// How many bytes are read at a time.
const READ: usize = 64 * 1024;

/// If the buffer of a line has become larger than this, the memory is released after the line.
const SPARE: usize = 1 << 20;

/// The message of `expect` for reads from the buffer.
const IN_MEMORY: &str = "bytes in memory can be read";

/// The byte order mark that some editors put at the start of a file: U+FEFF in UTF-8.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// The lines of one source.
pub(crate) struct Lines<'r> {
    reader: BufReader<Box<dyn Read + 'r>>,
    longest: usize,
    /// The current line, as far as it has been read.
    line: Vec<u8>,
    number: usize,
    state: State,
    waits: bool,
    exhausted: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// Before a line, or in the middle of one.
    CandidateList,
    /// A complete line was returned.
    Whole,
    /// A complete line was returned and then put back.
    Again,
    /// The beginning of a line that is too long was returned.
    Cut,
    /// In the rest of a line that is too long.
    Skipping,
}

/// The result of [`Lines::step`].
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum ReadStep<'l> {
    /// A line and its number, without the line ending.
    Line(usize, &'l str),
    /// A line that cannot be used.
    Bad(usize, LineFault<'l>),
    /// More input is needed: call [`Lines::fill`].
    Wanting,
    /// The end of the source.
    End,
}

/// What can be wrong with a line.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum LineFault<'l> {
    /// It is longer than [`MAX_LINE`]. Holds its beginning.
    Long(&'l [u8]),
    /// There is not enough memory for it. Holds its beginning.
    Memory(&'l [u8]),
    /// It is not UTF-8. Holds its bytes, and how many of them are valid.
    Encoding(&'l [u8], usize),
}

impl<'r> Lines<'r> {
    /// The lines of a source that may block.
    pub(crate) fn new(source: impl Read + 'r) -> Lines<'r> {
        Lines {
            reader: BufReader::with_capacity(READ, Box::new(source)),
            longest: MAX_LINE,
            line: Vec::new(),
            number: 0,
            state: State::CandidateList,
            waits: true,
            exhausted: false,
        }
    }

    /// The lines of a text in memory. The first one gets this number.
    pub(crate) fn of(text: &'r [u8], first: usize) -> Lines<'r> {
        Lines {
            waits: false,
            number: first.saturating_sub(1),
            ..Lines::new(text)
        }
    }

    /// May [`Lines::fill`] block?
    pub(crate) fn waits(&self) -> bool {
        self.waits
    }

    /// The remaining lines, without blank ones.
    pub(crate) fn rest(&mut self) -> Vec<String> {
        let mut rest = Vec::new();
        loop {
            match self.step() {
                ReadStep::Line(_, text) => {
                    rest.extend((!text.trim().is_empty()).then(|| text.to_string()));
                }
                ReadStep::Bad(..) => rest.push("\u{fffd}".to_string()),
                ReadStep::Wanting => {
                    if self.fill().is_err() {
                        return rest;
                    }
                }
                ReadStep::End => return rest,
            }
        }
    }

    /// Reads more input after [`ReadStep::Wanting`], blocking if necessary.
    pub(crate) fn fill(&mut self) -> io::Result<()> {
        loop {
            match self.reader.fill_buf() {
                Ok(bytes) => {
                    self.exhausted = bytes.is_empty();
                    return Ok(());
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }

    /// The next line, if it can be had without reading.
    pub(crate) fn step(&mut self) -> ReadStep<'_> {
        match self.state {
            State::Again => {
                self.state = State::Whole;
                return self.present();
            }
            State::Whole => self.next_is(State::CandidateList),
            State::Cut => self.next_is(State::Skipping),
            State::CandidateList | State::Skipping => {}
        }
        loop {
            let mut bytes = self.reader.buffer();
            if bytes.is_empty() {
                if !self.exhausted {
                    return ReadStep::Wanting;
                }
                if self.line.is_empty() {
                    return ReadStep::End;
                }
                break;
            }
            if self.state == State::Skipping {
                let skipped = bytes.skip_until(b'\n').expect(IN_MEMORY);
                if self.reader.buffer()[..skipped].ends_with(b"\n") {
                    self.state = State::CandidateList;
                }
                self.reader.consume(skipped);
                continue;
            }
            if self.line.try_reserve(bytes.len()).is_err() {
                self.number += 1;
                self.state = State::Cut;
                return ReadStep::Bad(self.number, LineFault::Memory(&self.line));
            }
            let taken = bytes.read_until(b'\n', &mut self.line).expect(IN_MEMORY);
            self.reader.consume(taken);
            if self.line.ends_with(b"\n") {
                break;
            }
            // The extra byte may be a carriage return, which does not count.
            if self.line.len() > self.longest + 1 {
                self.number += 1;
                self.state = State::Cut;
                return ReadStep::Bad(self.number, LineFault::Long(&self.line));
            }
        }
        self.number += 1;
        self.state = State::Whole;
        self.trim();
        self.present()
    }

    /// Puts the line just returned back, so that the next step returns it again.
    pub(crate) fn put_back(&mut self) {
        debug_assert_eq!(self.state, State::Whole, "only a line that was handed out");
        self.state = State::Again;
    }

    /// Removes the line ending, and the byte order mark at the start of the source.
    fn trim(&mut self) {
        if self.line.ends_with(b"\n") {
            self.line.pop();
            if self.line.ends_with(b"\r") {
                self.line.pop();
            }
        }
        if self.number == 1 && self.line.starts_with(BYTE_ORDER_MARK) {
            self.line.drain(..BYTE_ORDER_MARK.len());
        }
    }

    fn present(&self) -> ReadStep<'_> {
        if self.line.len() > self.longest {
            return ReadStep::Bad(self.number, LineFault::Long(&self.line));
        }
        match str::from_utf8(&self.line) {
            Ok(text) => ReadStep::Line(self.number, text),
            Err(error) => ReadStep::Bad(
                self.number,
                LineFault::Encoding(&self.line, error.valid_up_to()),
            ),
        }
    }

    fn next_is(&mut self, state: State) {
        self.line.clear();
        self.line.shrink_to(SPARE);
        self.state = state;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All lines of a source that delivers a few bytes at a time.
    fn told(bytes: &[u8], longest: usize) -> Vec<String> {
        let mut lines = Lines::new(Drip(bytes));
        lines.longest = longest;
        let mut told = Vec::new();
        loop {
            told.push(match lines.step() {
                ReadStep::Line(number, text) => format!("{number} {text}"),
                ReadStep::Bad(number, LineFault::Long(start)) => {
                    format!(
                        "{number} long {}",
                        String::from_utf8_lossy(&start[..longest.min(4)])
                    )
                }
                ReadStep::Bad(number, LineFault::Memory(_)) => format!("{number} full"),
                ReadStep::Bad(number, LineFault::Encoding(bytes, good)) => {
                    format!("{number} byte {:02x} after {good}", bytes[good])
                }
                ReadStep::Wanting => {
                    lines.fill().expect("a slice can be read");
                    continue;
                }
                ReadStep::End => return told,
            });
        }
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
            (b"1+\xff\nb\n", &["1 byte ff after 2", "2 b"]),
            (b"ab\xe2\x88", &["1 byte e2 after 2"]),
            (b"nul \0 is text here", &["1 nul \0 is text here"]),
        ] {
            assert_eq!(
                told(bytes, MAX_LINE),
                expected,
                "{:?}",
                String::from_utf8_lossy(bytes)
            );
        }
    }

    #[test]
    fn a_line_that_is_too_long_is_skipped_to_its_end() {
        for (bytes, expected) in [
            (&b"12345678\nb\n"[..], &["1 12345678", "2 b"][..]),
            (b"12345678\r\nb", &["1 12345678", "2 b"]),
            (b"123456789\nb\n", &["1 long 1234", "2 b"]),
            (b"12345678901234567890\nb\n", &["1 long 1234", "2 b"]),
            (b"12345678901234567890", &["1 long 1234"]),
            (
                b"a\n12345678901234567890\n\nb",
                &["1 a", "2 long 1234", "3 ", "4 b"],
            ),
        ] {
            assert_eq!(
                told(bytes, 8),
                expected,
                "{:?}",
                String::from_utf8_lossy(bytes)
            );
        }
    }

    #[test]
    fn an_endless_line_is_given_up_early() {
        let mut lines = Lines::new(io::repeat(b'1'));
        lines.longest = 1 << 20;
        let given_up = loop {
            match lines.step() {
                ReadStep::Wanting => lines.fill().expect("there is always more"),
                ReadStep::Bad(1, LineFault::Long(start)) => break start.len(),
                other => panic!("{other:?}"),
            }
        };
        assert!(given_up < (1 << 20) + 2 * READ, "{given_up}");
    }

    #[test]
    fn a_line_can_be_put_back_and_numbers_can_start_anywhere() {
        let mut lines = Lines::of(b"a\nb", 7);
        assert!(!lines.waits());
        assert_eq!(lines.step(), ReadStep::Wanting);
        lines.fill().expect("a slice can be read");
        assert_eq!(lines.step(), ReadStep::Line(7, "a"));
        lines.put_back();
        assert_eq!(lines.step(), ReadStep::Line(7, "a"));
    }
}
