//! Finds the word for "did you mean": the candidate with the least edit distance, if it is near enough. Candidates are
//! names, commands or operations.

/// Longer words are not compared: they are not mistyped names, and the comparison would take too long.
const MAX_LETTERS: usize = 64;

/// The candidate nearest to `typed`; `None` if none is near enough to be what was meant.
///
/// A typing error is a letter that is wrong, missing or added, or two letters that are swapped. A word of one letter may
/// have none, one of up to five letters one, and a longer one two. So `x1` is not near `w2`, but `l` is near `L`. A word of
/// more than 64 letters is near to nothing.
pub fn nearest<'c>(typed: &str, candidates: impl IntoIterator<Item = &'c str>) -> Option<&'c str> {
    let letters = typed.chars().take(MAX_LETTERS + 1).count();
    let mut most = match letters {
        0 => return None,
        1 => 0,
        2..=5 => 1,
        6..=MAX_LETTERS => 2,
        _ => return None,
    };
    let word = typed.to_lowercase();
    let typed_letters = typed.is_ascii().then(|| set_of_letters(typed));
    let mut nearest: Option<((usize, bool, usize), &'c str)> = None;
    for candidate in candidates {
        // There may be a hundred thousand names, so the lengths and the letters alone must reject most of them.
        let is_ascii = candidate.is_ascii();
        let count = if is_ascii {
            candidate.len()
        } else {
            candidate.chars().take(letters + most + 1).count()
        };
        let length_change = count.abs_diff(letters);
        if length_change > most {
            continue;
        }
        if let Some(known) = typed_letters.filter(|_| is_ascii) {
            let found = set_of_letters(candidate);
            let missing = (known & !found).count_ones();
            let added = (found & !known).count_ones();
            if missing.max(added) as usize > most {
                continue;
            }
        }
        let lowered = candidate.to_lowercase();
        let distance = strsim::osa_distance(&word, &lowered);
        // At least one letter of the candidate must be right.
        if distance > most.min(count.max(2) - 1) {
            continue;
        }
        // If two candidates have the same distance, the one with which the typed word begins wins (`sinn` means `sin`, not
        // `sinh`), then one of the same length (`tahn` means `tanh`, not `tan`).
        let rank = (distance, !word.starts_with(&lowered), length_change);
        if nearest.is_none_or(|(best, _)| rank < best) {
            most = distance;
            nearest = Some((rank, candidate));
        }
    }
    nearest.map(|(_, candidate)| candidate)
}

/// The letters of an ASCII word as bits. Capital and small letters have the same bit.
fn set_of_letters(word: &str) -> u64 {
    let bit = |byte: u8| 1 << (byte & 31 | (byte & 64) >> 1);
    word.bytes().fold(0, |set, byte| set | bit(byte))
}

/// The help for an unknown word: the near word if there is one, or another sentence.
pub fn did_you_mean(near: Option<&str>, otherwise: impl FnOnce() -> String) -> String {
    near.map_or_else(otherwise, |near| format!("did you mean `{near}`?"))
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::{MAX_LETTERS, nearest};

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
        let longest = "x".repeat(MAX_LETTERS);
        let one_more = "x".repeat(MAX_LETTERS + 1);
        assert_eq!(nearest(&longest, [&*one_more]), Some(&*one_more));
        let asked = Cell::new(0);
        let counted = [&*longest]
            .into_iter()
            .inspect(|_| asked.set(asked.get() + 1));
        assert_eq!(nearest(&one_more, counted), None);
        assert_eq!(asked.get(), 0);
    }
}
