//! Did you mean: the nearest known spelling, if it is near. The only edit distance in the house.
//!
//! Who asks brings the candidates; nothing is known here of names, commands or operations.

/// The candidate nearest to `typed`, if one is near enough to be what was meant.
///
/// Near means: one slip (a letter wrong, missing, added or two swapped) in up to five letters, two in more, and never
/// so many that a short word becomes another one (`x1` is no slip of `w2`).
pub fn nearest<'c>(typed: &str, candidates: impl IntoIterator<Item = &'c str>) -> Option<&'c str> {
    let letters = typed.chars().count();
    let most = match letters {
        0 | 1 => return None,
        2..=5 => 1,
        _ => 2,
    };
    candidates
        .into_iter()
        .filter(|candidate| candidate.chars().count().abs_diff(letters) <= most)
        .map(|candidate| {
            (
                strsim::osa_distance(&typed.to_lowercase(), &candidate.to_lowercase()),
                candidate,
            )
        })
        .filter(|&(distance, candidate)| {
            distance <= most && distance < candidate.chars().count().max(2)
        })
        // Of two at the same distance the one of the same length: `tahn` is a slip for `tanh`, not for `tan`.
        .min_by_key(|&(distance, candidate)| {
            (distance, candidate.chars().count().abs_diff(letters))
        })
        .map(|(_, candidate)| candidate)
}

/// How near a candidate is to a word that begins no candidate, if it is near: it is the word but for one slip (0 for
/// two letters swapped, 1 for a wrong one, 2 for one that is missing or too many), or begins so (3).
pub fn nearness(typed: &str, candidate: &str) -> Option<u8> {
    typed.chars().nth(2)?;
    let same = typed.bytes().zip(candidate.bytes());
    let same = same.take_while(|(one, other)| one == other).count();
    let same = typed.floor_char_boundary(same);
    let (rest, candidate) = (&typed[same..], &candidate[same..]);
    let (first, behind) = split(rest)?;
    let short = typed.chars().nth(3).is_none();
    let mut nearest = None;
    let mut slip = |rank: u8, typed: &str, candidate: &str| {
        // What follows a slip says that it was one.
        let begun = (rank == 0 || !typed.is_empty()) && candidate.starts_with(typed);
        let rank = match typed == candidate {
            // Three letters with a wrong one are as likely another word.
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
    use super::{nearest, nearness};

    #[test]
    fn near_words_are_found_and_far_ones_are_not() {
        let known = ["alpha", "tan", "tanh", "sqrt", "x1", "w2", "grad"];
        for (typed, found) in [
            ("alhpa", Some("alpha")),
            ("tahn", Some("tanh")),
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

    #[test]
    fn a_slip_is_forgiven() {
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
