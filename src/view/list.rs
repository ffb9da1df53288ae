//! A list on one line: its numbers in brackets up to the width, then how many there are.

use super::{Style, number};
use crate::report::{NumberPart, Numbers};

/// The columns that a list may take where no width is known, as in a pipe.
const COLUMNS: usize = 100;

/// The columns that are left for what follows a list that is cut.
const ROOM: usize = 20;

/// `[0.5, -1, 0.25]`, or `[0.1, 0.2, …]   16 × 2`
pub(crate) fn line(numbers: &Numbers, style: &Style) -> String {
    let most = style.width.unwrap_or(COLUMNS).min(COLUMNS);
    let mut text = String::new();
    let mut columns = 0;
    // What is kept if the list does not fit: how much of the text, and the brackets that are open there.
    let (mut kept, mut open) = (0, 0_usize);
    let mut depth = 0_usize;
    for (at, part) in numbers.parts.iter().enumerate() {
        let begins = at == 0 || numbers.parts[at - 1] == NumberPart::Open;
        let mut piece = match part {
            NumberPart::Open => "[".to_string(),
            NumberPart::Number(value) => number::text(*value, style.table_digits),
            NumberPart::Close => "]".to_string(),
        };
        if !begins && *part != NumberPart::Close {
            piece.insert_str(0, ", ");
        }
        columns += piece.chars().count();
        if columns > most {
            text.truncate(kept);
            text.push_str(if begins { "" } else { ", " });
            text.push_str(if style.ascii { "..." } else { "…" });
            text.extend(std::iter::repeat_n(']', open));
            text.push_str("   ");
            text.push_str(
                &numbers
                    .shape
                    .replace('×', if style.ascii { "x" } else { "×" }),
            );
            return text;
        }
        text.push_str(&piece);
        match part {
            NumberPart::Open => depth += 1,
            NumberPart::Close => depth -= 1,
            NumberPart::Number(_) => {}
        }
        if columns + ROOM <= most || kept == 0 {
            (kept, open) = (text.len(), depth);
        }
    }
    text
}
