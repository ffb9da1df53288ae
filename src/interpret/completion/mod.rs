//! What may be typed at the cursor: the session, the line and the cursor in, words with their kind and value out.
//!
//! Words come from where parsing and help have theirs: the names and functions of the session, the tables of operations
//! and constants, the list of commands and what their signatures take and offer. Which place of the line the cursor is
//! at is read from the words before it; nothing is run and nothing is changed. Files are listed by whoever asks: here
//! it is only said that one is wanted.

mod arguments;
mod gathering;
mod members;
mod operands;
mod place;
mod signs;

use self::gathering::Gathering;
use self::place::CursorPlace;

use crate::report::Line;
use crate::session::Session;
use crate::syntax::{Span, TextPart, parts};

pub use self::gathering::MOST_CANDIDATES;
pub use self::signs::SIGNS;

/// A longer line has no completions.
pub(crate) const MOST_BYTES: usize = 16 * 1024;

/// What may stand at the cursor.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Completions {
    /// Where in the line begins what a candidate replaces, up to the cursor.
    pub start: usize,
    /// What may be typed there.
    pub candidates: Vec<Candidate>,
    /// How many more there are, and how all of them begin.
    pub more: Option<(usize, String)>,
    /// A file may stand here too.
    pub files: Option<Files>,
}

/// Something that may be typed.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    /// What is put into the line.
    pub text: String,
    /// What it is called in a list.
    pub shown: String,
    /// What it is: its kind and value, its summary.
    pub about: Line,
}

/// The file that is wanted.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Files {
    /// The path typed so far, without its quote.
    pub typed: String,
    /// The quote it was begun with.
    pub quote: Option<char>,
    /// How the file's name ends.
    pub endings: Vec<&'static str>,
}

/// Somewhere in a line, in a session.
#[derive(Clone, Copy)]
struct CursorSpot<'s> {
    session: &'s Session,
    /// The line up to the cursor.
    text: &'s str,
    /// What is behind it.
    rest: &'s str,
    /// Only plain characters are offered.
    plain: bool,
}

/// What may be typed at the cursor, a place in bytes; with `plain` no signs as they are printed in books.
pub fn completions(session: &Session, line: &str, cursor: usize, plain: bool) -> Completions {
    let cursor = line.floor_char_boundary(cursor);
    let spot = CursorSpot {
        session,
        text: &line[..cursor],
        rest: &line[cursor..],
        plain,
    };
    let nothing = Completions {
        start: cursor,
        ..Completions::default()
    };
    if line.len() > MOST_BYTES {
        return nothing;
    }
    let Some(parts) = statement(spot.text) else {
        return nothing;
    };
    at_statement(spot, &parts)
}

/// The same for the statement that these are the parts of.
fn at_statement(spot: CursorSpot, parts: &[(TextPart, Span)]) -> Completions {
    match parts {
        [(TextPart::Other, colon), ..] if colon.of(spot.text) == ":" => {
            arguments::completions(spot, parts)
        }
        _ => {
            let place = CursorPlace::of(spot.text, parts);
            let mut found = Gathering::new(spot, place.start(spot.text));
            fill(&mut found, spot, parts, place, false);
            if parts.is_empty() {
                found.add_command_sign();
            }
            found.into()
        }
    }
}

/// The words and signs of the statement that the text ends with, without comments; nothing inside a comment.
fn statement(text: &str) -> Option<Vec<(TextPart, Span)>> {
    let mut found: Vec<(TextPart, Span)> = Vec::new();
    let mut end = 0;
    let mut depth = 0_usize;
    for (part, span) in parts(text) {
        let sign = span.of(text);
        let new_line = goes_to_next_line(&text[end..span.start as usize]);
        if new_line && (depth == 0 || sign == ":") {
            found.clear();
            depth = 0;
        }
        end = span.end as usize;
        match part {
            TextPart::Comment if end == text.len() => return None,
            TextPart::Comment => continue,
            TextPart::Other if sign == ";" => {
                found.clear();
                depth = 0;
                continue;
            }
            TextPart::Open => depth += 1,
            TextPart::Close => depth = depth.saturating_sub(1),
            _ => {}
        }
        found.push((part, span));
    }
    if depth == 0 && goes_to_next_line(&text[end..]) {
        found.clear();
    }
    Some(found)
}

/// Is there an end of a line in it that is not joined to the next one by a `\`?
fn goes_to_next_line(blanks: &str) -> bool {
    let mut before = None;
    blanks.chars().any(|character| {
        let ends = character == '\n' && before != Some('\\');
        before = Some(character);
        ends
    })
}

/// What may be typed at a place of an expression; `roots` are what a pass starts from.
fn fill<'s>(
    found: &mut Gathering<'s>,
    spot: CursorSpot<'s>,
    parts: &[(TextPart, Span)],
    place: CursorPlace,
    roots: bool,
) {
    match place {
        CursorPlace::Operand { word, sign } => {
            operands::fill(found, spot, parts, roots);
            match sign {
                _ if spot.plain => {}
                Some(sign) => signs::of_operator(found, spot, parts, sign),
                None => signs::of_name(found, spot, word.of(spot.text)),
            }
        }
        CursorPlace::Member(_, name) => members::fill(found, spot, name),
        CursorPlace::Primed(primed) => members::fill_primed(found, spot, primed),
        CursorPlace::Former(_) => operands::fill_formers(found, spot),
        CursorPlace::Result(_) => operands::fill_results(found, spot),
        CursorPlace::Power(_, number) if !spot.plain => signs::of_power(found, spot, number),
        CursorPlace::Power(..) | CursorPlace::Behind | CursorPlace::Elsewhere => {}
    }
}
