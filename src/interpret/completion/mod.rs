//! Completion: session, line and cursor in, candidates with their kind and value out.
//!
//! Candidates come from the same sources as parsing and help: the names and functions of the session, the tables of
//! operations and constants, and the list of commands with their signatures. The tokens before the cursor decide what
//! is possible; nothing is run or changed. File names are not listed here: [`Completions::files`] asks the caller for
//! them.

mod arguments;
mod cursor;
mod operands;

use self::cursor::CursorPlace;

use chainrule_language::{Span, TextPart, parts};
use chainrule_report::{Line, say};
use chainrule_session::Session;

/// The most candidates in a list. Further ones are counted: a longer list is not read.
pub const MOST_CANDIDATES: usize = 200;

/// A longer line has no completions.
pub(crate) const MOST_BYTES: usize = 16 * 1024;

/// The completions at the cursor.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Completions {
    /// Candidates replace the part of the line from here to the cursor.
    pub start: usize,
    /// The candidates, in the order of a list.
    pub candidates: Vec<Candidate>,
    /// The number of candidates that are left out, and the common prefix of all.
    pub more: Option<(usize, String)>,
    /// The file names that are possible too. The caller lists them.
    pub files: Option<Files>,
}

/// One completion.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    /// The text inserted into the line.
    pub text: String,
    /// The text shown in a list.
    pub shown: String,
    /// A description: its kind and value, or its summary.
    pub about: Line,
}

/// A request for file names.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Files {
    /// The path typed so far, without its quote.
    pub typed: String,
    /// The opening quote, if there is one.
    pub quote: Option<char>,
    /// The file name extensions that are suitable.
    pub endings: &'static [&'static str],
}

/// A cursor position in a line, and the session.
#[derive(Clone, Copy)]
struct CursorSpot<'s> {
    session: &'s Session,
    /// The line up to the cursor.
    text: &'s str,
    /// The line after the cursor.
    rest: &'s str,
}

/// Collects the candidates: the words that begin with the typed word. If there are none, case is ignored.
///
/// Callers offer words one after the other. A session may have any number of them, so the list has only the first ones,
/// and counts the others.
struct CandidateList<'s> {
    spot: CursorSpot<'s>,
    /// Where candidates begin in the line.
    start: usize,
    /// The part of the word before the cursor.
    word: &'s str,
    /// Whether all candidates so far fit only when case is ignored.
    is_case_ignored: bool,
    candidates: Vec<Candidate>,
    /// The number of words that fit and are no candidates.
    more: usize,
    /// The longest common beginning of all words that fit.
    common: Option<String>,
}

impl<'s> CandidateList<'s> {
    /// Starts collecting for the word from `start` to the cursor.
    fn new(spot: CursorSpot<'s>, start: usize) -> CandidateList<'s> {
        CandidateList {
            spot,
            start,
            word: &spot.text[start..],
            is_case_ignored: true,
            candidates: Vec::new(),
            more: 0,
            common: None,
        }
    }

    /// Offers a word, which is inserted with `end` after it. `describe` returns its text for the list and its description,
    /// and is called only if the word fits.
    fn offer(&mut self, word: &str, end: &str, describe: impl FnOnce() -> (String, Line)) {
        if word.starts_with(self.word) {
            if std::mem::take(&mut self.is_case_ignored) {
                self.candidates.clear();
                (self.more, self.common) = (0, None);
            }
        } else if !self.is_case_ignored || !begins_in_any_case(word, self.word) {
            return;
        }
        if self.candidates.len() < MOST_CANDIDATES {
            let text = format!("{word}{end}");
            if self.candidates.iter().any(|known| known.text == text) {
                return;
            }
            let (shown, about) = describe();
            self.candidates.push(Candidate { text, shown, about });
        } else {
            self.more += 1;
        }
        match &mut self.common {
            Some(common) => {
                let pairs = common.bytes().zip(word.bytes());
                let same = pairs.take_while(|(begin, byte)| begin == byte).count();
                common.truncate(common.floor_char_boundary(same));
            }
            None => self.common = Some(word.to_owned()),
        }
    }

    /// Offers a word that is inserted as it is.
    fn offer_word(&mut self, word: &str, about: impl FnOnce() -> Line) {
        self.offer(word, "", || (word.to_owned(), about()));
    }

    fn is_empty(&self) -> bool {
        self.candidates.is_empty()
    }
}

impl From<CandidateList<'_>> for Completions {
    fn from(found: CandidateList) -> Completions {
        let common = found.common.unwrap_or_default();
        Completions {
            start: found.start,
            candidates: found.candidates,
            more: (found.more > 0).then_some((found.more, common)),
            files: None,
        }
    }
}

/// Whether a candidate begins with the word when case is ignored.
fn begins_in_any_case(candidate: &str, word: &str) -> bool {
    let mut letters = candidate.chars().flat_map(char::to_lowercase);
    word.chars()
        .flat_map(char::to_lowercase)
        .all(|letter| letters.next() == Some(letter))
}

/// The completions at the cursor, a byte position.
pub fn completions(session: &Session, line: &str, cursor: usize) -> Completions {
    let cursor = line.floor_char_boundary(cursor);
    let spot = CursorSpot {
        session,
        text: &line[..cursor],
        rest: &line[cursor..],
    };
    let is_short = line.len() <= MOST_BYTES;
    match is_short.then(|| statement(spot.text)).flatten() {
        Some(parts) => at_statement(spot, &parts),
        None => Completions {
            start: cursor,
            ..Completions::default()
        },
    }
}

/// The completions of the statement with these tokens.
fn at_statement(spot: CursorSpot, parts: &[(TextPart, Span)]) -> Completions {
    match parts {
        [(TextPart::Other, colon), ..] if colon.of(spot.text) == ":" => {
            arguments::completions(spot, parts)
        }
        _ => {
            let (place, start) = CursorPlace::of(spot.text, parts);
            let mut found = CandidateList::new(spot, start);
            fill(&mut found, parts, place, NameOrder::Defined);
            if parts.is_empty() {
                found.offer_word(":", || say!("begins a command"));
            }
            found.into()
        }
    }
}

/// The tokens of the last statement of the text that are on its last line, without comments. `None` if the cursor is
/// inside a comment.
fn statement(text: &str) -> Option<Vec<(TextPart, Span)>> {
    let line = text.rfind('\n').map_or(0, |end| end + 1);
    let mut parts = parts(text);
    if let Some((TextPart::Comment, comment)) = parts.last()
        && comment.end as usize == text.len()
    {
        return None;
    }
    parts.retain(|(part, _)| *part != TextPart::Comment);
    let is_before =
        |(_, span): &(TextPart, Span)| (span.start as usize) < line || span.of(text) == ";";
    let begin = parts.iter().rposition(is_before);
    Some(parts.split_off(begin.map_or(0, |before| before + 1)))
}

/// The order in which names are offered.
#[derive(Clone, Copy, PartialEq)]
enum NameOrder {
    /// As they were defined.
    Defined,
    /// Computed nodes first, the newest of them at the top: a backward pass may start from them.
    RootsFirst,
}

/// Adds the candidates for a place in an expression.
fn fill(
    found: &mut CandidateList,
    parts: &[(TextPart, Span)],
    place: CursorPlace,
    order: NameOrder,
) {
    match place {
        CursorPlace::Operand => operands::fill(found, parts, order),
        CursorPlace::Member(name) => operands::fill_members(found, name),
        CursorPlace::Former => operands::fill_formers(found),
        CursorPlace::Result => operands::fill_results(found),
        CursorPlace::Elsewhere => {}
    }
}
