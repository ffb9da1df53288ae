//! "Did you mean": the nearest known spelling by edit distance, if it is near enough.
//!
//! The callers provide the candidates: names, commands or operations.

/// The longest word that is compared. Longer ones are not mistyped names, and comparing them would take too long.
const LONGEST: usize = 64;

/// The candidate nearest to `typed`, if one is near enough to be what was meant.
///
/// A typing error is a letter that is wrong, missing or added, or two letters that are swapped. A word of one letter may
/// have none, one of up to five letters one, and a longer one two. So `x1` is not near `w2`, but `l` is near `L`. A word of
/// more than 64 letters is near to nothing.
pub fn nearest<'c>(typed: &str, candidates: impl IntoIterator<Item = &'c str>) -> Option<&'c str> {
    let letters = typed.chars().take(LONGEST + 1).count();
    let mut most = match letters {
        0 => return None,
        1 => 0,
        2..=5 => 1,
        6..=LONGEST => 2,
        _ => return None,
    };
    let (mut word, mut lowered) = (Vec::new(), Vec::new());
    lower_letters(typed, &mut word);
    let typed_letters = typed.is_ascii().then(|| set_of_letters(typed));
    let mut nearest: Option<((usize, bool, usize), &'c str)> = None;
    for candidate in candidates {
        // There may be a hundred thousand names; most are rejected by their length or their letters alone.
        let is_ascii = candidate.is_ascii();
        let count = if is_ascii {
            candidate.len()
        } else {
            candidate.chars().take(letters + most + 1).count()
        };
        let off = count.abs_diff(letters);
        if off > most {
            continue;
        }
        if let Some(typed) = typed_letters.filter(|_| is_ascii) {
            let letters = set_of_letters(candidate);
            let others = (typed & !letters).count_ones();
            if others.max((letters & !typed).count_ones()) as usize > most {
                continue;
            }
        }
        lower_letters(candidate, &mut lowered);
        let distance = distance(&word, &lowered, most.min(count.max(2) - 1));
        // If two candidates have the same distance, the one with which the typed word begins wins (`sinn` means `sin`, not
        // `sinh`), then one of the same length (`tahn` means `tanh`, not `tan`).
        let found = distance.map(|distance| (distance, !word.starts_with(&lowered), off));
        if let Some(found) = found
            && nearest.is_none_or(|(nearest, _)| found < nearest)
        {
            most = found.0;
            nearest = Some((found, candidate));
        }
    }
    nearest.map(|(_, candidate)| candidate)
}

/// Writes the letters of a word in lower case.
fn lower_letters(word: &str, letters: &mut Vec<char>) {
    letters.clear();
    if word.is_ascii() {
        letters.extend(
            word.bytes()
                .map(|byte| char::from(byte.to_ascii_lowercase())),
        );
    } else {
        letters.extend(word.chars().flat_map(char::to_lowercase));
    }
}

/// The letters of an ASCII word as bits. Capital and small letters have the same bit.
fn set_of_letters(word: &str) -> u64 {
    let bit = |byte: u8| 1 << (byte & 31 | (byte & 64) >> 1);
    word.bytes().fold(0, |set, byte| set | bit(byte))
}

/// The number of typing errors between two words; `None` if there are more than `most`, which is at most 2.
fn distance(mut one: &[char], mut other: &[char], most: usize) -> Option<usize> {
    while let ([a, left @ ..], [b, right @ ..]) = (one, other)
        && a == b
    {
        (one, other) = (left, right);
    }
    while let ([left @ .., a], [right @ .., b]) = (one, other)
        && a == b
    {
        (one, other) = (left, right);
    }
    let distance = match (one, other) {
        ([], rest) | (rest, []) => rest.len(),
        ([_], [_]) => 1,
        ([a, b], [c, d]) if a == d && b == c => 1,
        _ if most < 2 => return None,
        // The first letters differ, and so do the last ones: there is an error at each end.
        ([a, b, left @ ..], [c, d, right @ ..])
            if a == d && b == c && differ_at_end(left, right) =>
        {
            2
        }
        ([_, left @ ..], [_, right @ ..])
            if differ_at_end(left, right)
                || differ_at_end(one, right)
                || differ_at_end(left, other) =>
        {
            2
        }
        _ => return None,
    };
    (distance <= most).then_some(distance)
}

/// Whether the words differ by just one error at their end.
fn differ_at_end(one: &[char], other: &[char]) -> bool {
    match (one, other) {
        ([left @ .., a, b], [right @ .., c, d]) if a == d && b == c && left == right => true,
        ([left @ .., _], [right @ .., _]) if left.len() == right.len() => left == right,
        ([left @ .., _], _) if left.len() == other.len() => left == other,
        (_, [right @ .., _]) => one == right,
        _ => false,
    }
}

/// The help for an unknown word: the near word if there is one, or another sentence.
pub fn did_you_mean(near: Option<&str>, otherwise: impl FnOnce() -> String) -> String {
    near.map_or_else(otherwise, |near| format!("did you mean `{near}`?"))
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::{LONGEST, distance, nearest};

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

    /// Compared with the distance that `strsim` computes ("optimal string alignment"), for all words of up to five
    /// out of three letters.
    #[test]
    fn distances_are_those_of_another_implementation() {
        let words = (0..=5).flat_map(|length| {
            (0..3_usize.pow(length)).map(move |number| {
                let letter = |at| ['a', 'b', 'é'][number / 3_usize.pow(at) % 3];
                (0..length).map(letter).collect::<Vec<char>>()
            })
        });
        let words: Vec<Vec<char>> = words.collect();
        for one in &words {
            for other in &words {
                let [left, right] = [one, other].map(|word| word.iter().collect::<String>());
                let known = strsim::osa_distance(&left, &right);
                for most in 0..=2 {
                    let found = distance(one, other, most);
                    assert_eq!(found, (known <= most).then_some(known), "{left} {right}");
                }
            }
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
