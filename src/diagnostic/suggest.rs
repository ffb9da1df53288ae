//! "Did you mean": the nearest known spelling by edit distance, if it is near enough.
//!
//! The callers provide the candidates; names, commands and operations are not known here.

/// The longest word that is compared. Longer ones are not mistyped names, and comparing them would take too long.
const LONGEST: usize = 64;

/// The candidate nearest to `typed`, if one is near enough to be what was meant.
///
/// Near means within one typing error (a letter wrong, missing, added, or two swapped) for up to five letters, two for
/// more, and never so many that a short word would become another one: `x1` is not near `w2`. A word of more than
/// [`LONGEST`] letters is near to nothing.
pub(crate) fn nearest<'c>(
    typed: &str,
    candidates: impl IntoIterator<Item = &'c str>,
) -> Option<&'c str> {
    let letters = typed.chars().take(LONGEST + 1).count();
    let most = match letters {
        0 | 1 => return None,
        2..=5 => 1,
        ..=LONGEST => 2,
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

/// How near a candidate is to a word with one typing error, if it is near. From best to worst: two letters swapped (0),
/// one wrong (1), one missing or added (2), or the word is such a variant of the candidate's beginning (3).
pub(crate) fn nearness(typed: &str, candidate: &str) -> Option<u8> {
    typed.chars().nth(2)?;
    let same = typed.bytes().zip(candidate.bytes());
    let same = same.take_while(|(one, other)| one == other).count();
    let same = typed.floor_char_boundary(same);
    let (rest, candidate) = (&typed[same..], &candidate[same..]);
    let (first, behind) = split(rest)?;
    let short = typed.chars().nth(3).is_none();
    let mut nearest = None;
    let mut slip = |rank: u8, typed: &str, candidate: &str| {
        // Something correct must follow a typing error, else it cannot be told from another word.
        let begun = (rank == 0 || !typed.is_empty()) && candidate.starts_with(typed);
        let rank = match typed == candidate {
            // A word of three letters with a wrong one is just as likely another word.
            _ if short && rank > 0 => None,
            true => Some(rank),
            false => begun.then_some(3),
        };
        nearest = nearest.into_iter().chain(rank).min();
    };
    slip(2, behind, candidate);
    if let Some((meant, after)) = split(candidate) {
        slip(1, behind, after);
        slip(2, rest, after);
        if let (Some((second, behind)), Some((next, after))) = (split(behind), split(after))
            && (first, second) == (next, meant)
        {
            slip(0, behind, after);
        }
    }
    nearest
}

fn split(text: &str) -> Option<(char, &str)> {
    let mut characters = text.chars();
    Some((characters.next()?, characters.as_str()))
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::{LONGEST, nearest, nearness};

    #[test]
    fn near_words_are_found_and_far_ones_are_not() {
        let known = ["alpha", "tan", "tanh", "sqrt", "x1", "w2", "grad"];
        for (typed, found) in [
            ("alhpa", Some("alpha")),
            ("tahn", Some("tanh")),
            ("tann", Some("tan")),
            ("sqr", Some("sqrt")),
            ("SQRT", Some("sqrt")),
            ("q", None),
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

    #[test]
    fn single_typing_errors_are_ranked() {
        for (typed, candidate, expected) in [
            ("tahn", "tanh", Some(0)),
            ("tahn", "tan", Some(2)),
            ("alhpa", "alpha", Some(0)),
            ("alpja", "alpha", Some(1)),
            ("alpa", "alpha", Some(2)),
            ("allpha", "alpha", Some(2)),
            ("laph", "alpha", Some(3)),
            ("axpha", "alphabet", Some(3)),
            ("sigmiod", "sigmoid", Some(0)),
            ("ab", "ba", None),
            ("con", "cos", None),
            ("sni", "sin", Some(0)),
            ("tax", "tanh", None),
            ("xyz", "tanh", None),
            ("αβγ", "βαγ", Some(0)),
            ("", "a", None),
            ("abc", "", None),
        ] {
            assert_eq!(nearness(typed, candidate), expected, "{typed} {candidate}");
        }
    }
}
