//! The rows of the table that says what lines of Python look like.
//!
//! `patterns.txt` explains how a row is written.

use std::sync::LazyLock;

/// The table: what lines look like, and what to say of them.
const PATTERNS: &str = include_str!("patterns.txt");

/// A row: its pattern, its arrow and what follows.
pub(super) struct PatternRow {
    pub(super) pattern: &'static str,
    pub(super) arrow: char,
    pub(super) rest: &'static str,
    /// What occurs in every line that looks like it, as in [`ascii`]. Most rows are told by this alone.
    pub(super) needs: u128,
}

/// Rows of which the first word of a line counts that fits one of them.
pub(super) type PatternGroup = Vec<PatternRow>;

/// The sections of the table with their groups of rows.
pub(super) static SECTIONS: LazyLock<Vec<(&str, Vec<PatternGroup>)>> = LazyLock::new(|| {
    let sections = PATTERNS.split("\n[").skip(1);
    let sections = sections.filter_map(|section| section.split_once("]\n"));
    let group = |rows: &'static str| rows.lines().filter_map(columns).collect();
    sections
        .map(|(name, rows)| (name, rows.split("\n\n").map(group).collect()))
        .collect()
});

/// What a line of the table is; `None` if it is a comment.
fn columns(row: &'static str) -> Option<PatternRow> {
    if row.starts_with('#') {
        return None;
    }
    let at = row.find(['→', '⇒'])?;
    let (pattern, rest) = row.split_at(at);
    let arrow = rest.chars().next()?;
    let rest = rest[arrow.len_utf8()..].strip_prefix(' ')?;
    let pattern = pattern.strip_suffix(' ')?;
    Some(PatternRow {
        pattern,
        arrow,
        rest,
        needs: ascii(&fixed(pattern)),
    })
}

/// The characters of ASCII that occur in a text, a bit for each.
pub(super) fn ascii(text: &str) -> u128 {
    let bytes = text.bytes().filter(u8::is_ascii);
    bytes.fold(0, |bits, byte| bits | 1 << byte)
}

/// What of a pattern stands for itself.
fn fixed(pattern: &str) -> String {
    let mut open = false;
    let mut stands = |c: &char| {
        open |= matches!(c, '<' | '{');
        let stands = !open && !matches!(c, ' ' | '$');
        open &= !matches!(c, '>' | '}');
        stands
    };
    pattern.chars().filter(|c| stands(c)).collect()
}

#[cfg(test)]
mod tests {
    use super::{PATTERNS, PatternRow, columns, fixed};

    #[test]
    fn what_a_row_needs_is_what_stands_for_itself() {
        for (pattern, expected) in [
            ("…<print|show> ( {x} )", "…()"),
            ("{name} = «{value}» if {condition} $", "=«»if"),
            ("a->{b}", "a->"),
        ] {
            assert_eq!(fixed(pattern), expected, "{pattern}");
        }
    }

    #[test]
    fn rows_are_well_formed() {
        let sections: Vec<&str> = PATTERNS.split("\n[").skip(1).collect();
        for section in &sections {
            let (name, rows) = section.split_once("]\n").expect("a section has a name");
            let asked = format!("\"{name}\"");
            assert!(include_str!("mod.rs").contains(&asked), "[{name}] is used");
            for row in rows
                .lines()
                .filter(|row| !row.is_empty() && !row.starts_with('#'))
            {
                let PatternRow { arrow, rest, .. } = columns(row).expect("a row has an arrow");
                let further = rest.matches(['→', '⇒']).count();
                assert!(further == 0 || arrow == '→' && further == 1, "{row}");
                for (open, close) in [('{', '}'), ('«', '»')] {
                    assert_eq!(
                        row.matches(open).count(),
                        row.matches(close).count(),
                        "{row}"
                    );
                }
                assert_eq!(row.matches('`').count() % 2, 0, "{row}");
            }
        }
        assert_eq!(sections.len(), 13);
    }
}
