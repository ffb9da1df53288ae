//! Finds the word for "did you mean": the candidate with the least edit distance, if it is near enough. Candidates are
//! names, commands or operations.

/// Longer words are not compared: they are not mistyped names, and the comparison would take too long.
const MAX_LETTERS: usize = 64;

/// Later candidates are not compared: a file of many wrong lines takes a comparison of each line with each name.
const MAX_CANDIDATES: usize = 1_000;

/// The candidate nearest to `typed`; `None` if none is near enough to be what was meant.
///
/// A typing error is a letter that is wrong, missing or added, or two letters that are swapped. A word of one letter may
/// have none, one of up to five letters one, and a longer one two. So `x1` is not near `w2`, but `l` is near `L`. A word of
/// more than 64 letters is near to nothing.
pub fn nearest<'c>(typed: &str, candidates: impl IntoIterator<Item = &'c str>) -> Option<&'c str> {
    let typed_word = ComparedWord::of(typed);
    let mut most_errors = match typed_word.length {
        1 => 0,
        2..=5 => 1,
        6..=MAX_LETTERS => 2,
        _ => return None,
    };
    let mut nearest: Option<(Rank, &'c str)> = None;
    for candidate in candidates.into_iter().take(MAX_CANDIDATES) {
        let word = ComparedWord::of(candidate);
        // This rejects most of them quickly.
        if typed_word.least_errors(&word) > most_errors {
            continue;
        }
        let rank = Rank {
            errors: strsim::osa_distance(&typed_word.lowered, &word.lowered),
            is_other_beginning: !typed_word.lowered.starts_with(&word.lowered),
            length_change: typed_word.length.abs_diff(word.length),
        };
        // At least one letter of a longer candidate must be right.
        let errors_allowed = most_errors.min(word.length.max(2) - 1);
        if rank.errors <= errors_allowed && nearest.is_none_or(|(best, _)| rank < best) {
            most_errors = rank.errors;
            nearest = Some((rank, candidate));
        }
    }
    nearest.map(|(_, candidate)| candidate)
}

/// How well a candidate fits: the least is the nearest. If two candidates have the same number of errors, the one with
/// which the typed word begins wins (`sinn` means `sin`, not `sinh`), then one of the same length (`tahn` means `tanh`,
/// not `tan`).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Rank {
    errors: usize,
    is_other_beginning: bool,
    length_change: usize,
}

/// A word as it is compared, without the case of its letters.
struct ComparedWord {
    lowered: String,
    length: usize,
    /// The set of its letters: a bit for each, which it may share with other letters.
    letters: u64,
}

impl ComparedWord {
    fn of(word: &str) -> ComparedWord {
        let lowered = word.to_lowercase();
        let bit = |letter: char| 1 << (u32::from(letter) % 64);
        ComparedWord {
            length: lowered.chars().count(),
            letters: lowered.chars().fold(0, |set, letter| set | bit(letter)),
            lowered,
        }
    }

    /// The number of errors between two words is at least this.
    fn least_errors(&self, other: &ComparedWord) -> usize {
        let missing = (self.letters & !other.letters).count_ones();
        let added = (other.letters & !self.letters).count_ones();
        let length_change = self.length.abs_diff(other.length);
        length_change.max(missing.max(added) as usize)
    }
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
