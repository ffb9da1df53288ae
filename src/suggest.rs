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

#[cfg(test)]
mod tests {
    use super::nearest;

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
}
