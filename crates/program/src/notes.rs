//! Words the notes of the compiler, and collects notes.

use crate::limits::MAX_WHOLE;
use chainrule_language::digits_and_base;
use chainrule_report::{Note, say};

/// The most notes that a statement collects in one place.
const MOST_NOTES: usize = 10;

/// Adds a note, unless it is there already or there are too many.
pub fn add_new(notes: &mut Vec<Note>, note: Note) {
    let is_known = notes.iter().any(|known| known.message == note.message);
    if !is_known && notes.len() < MOST_NOTES {
        notes.push(note);
    }
}

/// Why whole numbers beyond [`MAX_WHOLE`] are rounded.
pub(crate) const BEYOND_WHOLE: &str =
    "above 2^53 = 9007199254740992 not every whole number is a number here";

/// The note on `9007199254740993`, a whole number that was rounded as it was read.
pub(crate) fn rounded_number_note(typed: &str, value: f64) -> Option<Note> {
    if value < MAX_WHOLE {
        return None;
    }
    let plain = typed.replace('_', "");
    let (digits, base) = digits_and_base(&plain);
    let decimal = match base {
        10 => digits.to_owned(),
        _ => u64::from_str_radix(digits, base).ok()?.to_string(),
    };
    if !decimal.bytes().all(|it| it.is_ascii_digit()) {
        return None;
    }
    let read = format!("{value:.0}");
    let is_rounded = decimal.trim_start_matches('0') != read;
    is_rounded.then(|| Note::new(say!("{} is read as {}: {}", typed, read, BEYOND_WHOLE)))
}

/// The note on a whole number of a formula that is too large to be exact. One of at most 15 digits is as it was typed, or
/// nearly so.
pub fn rounded_result_note(value: f64) -> Option<Note> {
    let digits = format!("{value:e}").find('e')?;
    let is_rounded = value > MAX_WHOLE && value.is_finite() && digits > 16;
    is_rounded.then(|| Note::new(say!("{:short} may be rounded: {}", value, BEYOND_WHOLE)))
}
