//! "Did you mean": the nearest known spelling by edit distance, if it is near enough. The only edit distance in the
//! project.
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
    let typed = TypedWord::of(typed)?;
    let mut nearest: Option<((usize, bool, usize), &'c str)> = None;
    for candidate in candidates {
        // There may be a hundred thousand names; most are rejected by their length alone. A letter takes one to four
        // bytes.
        let bytes = candidate.len();
        if bytes + most < letters || bytes > 4 * (letters + most) {
            continue;
        }
        let count = if candidate.is_ascii() {
            bytes
        } else {
            candidate.chars().take(letters + most + 1).count()
        };
        let off = count.abs_diff(letters);
        if off > most {
            continue;
        }
        let distance = if candidate.is_ascii() {
            let lowered = candidate.bytes().map(|letter| letter.to_ascii_lowercase());
            typed.distance(lowered.map(char::from), most)
        } else {
            typed.distance(lowered(candidate), most)
        };
        let Some(distance) = distance else { continue };
        if distance >= count.max(2) {
            continue;
        }
        // Of two candidates at the same distance, one that only has letters added wins (`sinn` means `sin`, not
        // `sinh`), then one of the same length (`tahn` means `tanh`, not `tan`).
        let mut letters = typed.letters.iter().copied();
        let longer = !lowered(candidate).all(|letter| letters.next() == Some(letter));
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

fn lowered(word: &str) -> impl Iterator<Item = char> + Clone {
    word.chars().flat_map(char::to_lowercase)
}

/// A word that is compared with many others.
struct TypedWord {
    letters: Vec<char>,
    /// For each letter of ASCII the places where it occurs, a bit for each.
    ascii: [u64; 128],
    /// The same for other letters.
    others: Vec<(char, u64)>,
}

impl TypedWord {
    /// `None` if the word has no letters, or more than [`LONGEST`] in lower case.
    fn of(word: &str) -> Option<TypedWord> {
        let letters: Vec<char> = lowered(word).collect();
        if letters.is_empty() || letters.len() > LONGEST {
            return None;
        }
        let (mut ascii, mut others): (_, Vec<(char, u64)>) = ([0; 128], Vec::new());
        for (place, &letter) in letters.iter().enumerate() {
            if letter.is_ascii() {
                ascii[letter as usize] |= 1 << place;
            } else if let Some((_, places)) = others.iter_mut().find(|known| known.0 == letter) {
                *places |= 1 << place;
            } else {
                others.push((letter, 1 << place));
            }
        }
        Some(TypedWord {
            letters,
            ascii,
            others,
        })
    }

    fn places(&self, letter: char) -> u64 {
        match self.ascii.get(letter as usize) {
            Some(places) => *places,
            None => (self.others.iter().find(|known| known.0 == letter)).map_or(0, |known| known.1),
        }
    }

    /// The edit distance (optimal string alignment) to a word, if it is at most `most`. A column of the table of distances
    /// is two words of bits, whose bits say where the distance rises and where it falls from one row to the next (Hyyrö
    /// 2003): a few operations for each letter.
    fn distance(&self, word: impl Iterator<Item = char> + Clone, most: usize) -> Option<usize> {
        // A letter that stays has its place at most so many places away, and each that does not is an error.
        let mut band = (1_u64 << (most + 1)) - 1;
        let mut errors = 0;
        for (at, letter) in word.clone().enumerate() {
            errors += usize::from(self.places(letter) & band == 0);
            if errors > most {
                return None;
            }
            band = band << 1 | u64::from(at < most);
        }
        let last = 1_u64 << (self.letters.len() - 1);
        let mut distance = self.letters.len();
        let (mut rises, mut falls) = (u64::MAX, 0_u64);
        let (mut same, mut places_before) = (0_u64, 0_u64);
        for letter in word {
            let places = self.places(letter);
            let swapped = ((!same & places) << 1) & places_before;
            let carried = (places & rises).wrapping_add(rises) ^ rises;
            same = carried | places | falls | swapped;
            let more = falls | !(same | rises);
            let less = same & rises;
            distance += usize::from(more & last != 0);
            distance -= usize::from(less & last != 0);
            let (more, less) = (more << 1 | 1, less << 1);
            rises = less | !(same | more);
            falls = more & same;
            places_before = places;
        }
        (distance <= most).then_some(distance)
    }
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

    use proptest::prelude::*;

    use super::{LONGEST, TypedWord, lowered, nearest, nearness};

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

    proptest! {
        /// Compares with the distance of another implementation.
        #[test]
        fn edit_distances_agree_with_another_implementation(one in "[abcAß]{0,8}|[ab]{60,64}", other in "[abcAß]{0,8}|[ab]{58,66}", most in 0_usize..3) {
            let distance = strsim::osa_distance(&one.to_lowercase(), &other.to_lowercase());
            let counted = TypedWord::of(&one).and_then(|typed| typed.distance(lowered(&other), most));
            prop_assert_eq!(counted, (!one.is_empty() && distance <= most).then_some(distance));
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
