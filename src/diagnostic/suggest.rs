//! "Did you mean": the nearest known spelling by edit distance, if it is near enough.
//!
//! The callers provide the candidates; names, commands and operations are not known here.

/// The longest word that is compared. Longer ones are not mistyped names, and comparing them would take too long.
const LONGEST: usize = 64;

/// The candidate nearest to `typed`, if one is near enough to be what was meant.
///
/// Near means within one typing error (a letter wrong, missing, added, or two swapped) for up to five letters, two for
/// more, and never so many that a short word would become another one: `x1` is not near `w2`, but `l` is near `L`. A word of more than
/// [`LONGEST`] letters is near to nothing.
pub(crate) fn nearest<'c>(
    typed: &str,
    candidates: impl IntoIterator<Item = &'c str>,
) -> Option<&'c str> {
    let letters = typed.chars().take(LONGEST + 1).count();
    let most = match letters {
        0 => return None,
        1 => 0,
        2..=5 => 1,
        6..=LONGEST => 2,
        _ => return None,
    };
    let typed = typed.to_lowercase();
    let mut nearest: Option<((usize, bool, usize), &'c str)> = None;
    for candidate in candidates {
        // There may be a hundred thousand names; most are rejected by their length alone.
        let count = candidate.chars().take(letters + most + 1).count();
        let off = count.abs_diff(letters);
        if off > most {
            continue;
        }
        let lowered = candidate.to_lowercase();
        let distance = strsim::osa_distance(&typed, &lowered);
        if distance > most || distance >= count.max(2) {
            continue;
        }
        // Of two candidates at the same distance, one that only has letters added wins (`sinn` means `sin`, not
        // `sinh`), then one of the same length (`tahn` means `tanh`, not `tan`).
        let mut letters = typed.chars();
        let longer = !lowered.chars().all(|letter| letters.next() == Some(letter));
        let found = (distance, longer, off);
        if nearest.is_none_or(|(nearest, _)| found < nearest) {
            nearest = Some((found, candidate));
        }
    }
    nearest.map(|(_, candidate)| candidate)
}

/// The way out for an unknown word: the one that is near, or something else.
pub(crate) fn did_you_mean(near: Option<&str>, otherwise: impl FnOnce() -> String) -> String {
    near.map_or_else(otherwise, |near| format!("did you mean `{near}`?"))
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::{LONGEST, nearest};

    #[test]
    fn near_words_are_found_and_far_ones_are_not() {
        let known = ["alpha", "tan", "tanh", "sqrt", "x1", "w2", "grad", "x"];
        for (typed, found) in [
            ("alhpa", Some("alpha")),
            ("tahn", Some("tanh")),
            ("tann", Some("tan")),
            ("sqr", Some("sqrt")),
            ("SQRT", Some("sqrt")),
            ("q", None),
            ("X", Some("x")),
            ("beta", None),
            ("gradient", None),
            ("", None),
        ] {
            assert_eq!(nearest(typed, known), found, "{typed}");
        }
    }

    /// A word that is too long is not compared with anything.
    #[test]
    fn long_words_are_near_to_nothing() {
        let longest = "x".repeat(LONGEST);
        let one_more = "x".repeat(LONGEST + 1);
        assert_eq!(nearest(&longest, [&*one_more]), Some(&*one_more));
        let asked = Cell::new(0);
        let counted = [&*longest]
            .into_iter()
            .inspect(|_| asked.set(asked.get() + 1));
        assert_eq!(nearest(&one_more, counted), None);
        assert_eq!(asked.get(), 0);
    }
}
