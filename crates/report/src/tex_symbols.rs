//! Writes names as LaTeX sets them. `:export` calls it, and what writes answers for notebooks.

use unicode_normalization::UnicodeNormalization;

use crate::characters::{GREEK, greek_name};

/// Returns a name as mathematics writes it: `w[2]` is w_{2}, `x1` x_{1}, `loss` \mathit{loss}, `alpha` and `α` \alpha,
/// `a@1` as it is.
pub fn symbol(name: &str) -> String {
    if name.contains('@') {
        return typewriter(name);
    }
    // `w_out[1][2]` is the word `w_out` with positions, and the word is the stem `w` with the low part `out`. The low
    // part of `x1` is `1`.
    let plain_name: String = name.chars().map(plain).nfc().collect();
    let word_end = plain_name.find('[').unwrap_or(plain_name.len());
    let (word, positions) = plain_name.split_at(word_end);
    let without_digits = word.trim_end_matches(|c: char| c.is_numeric());
    let (stem, low) = match word.split_once('_') {
        Some((stem, low)) if !stem.is_empty() && !low.is_empty() => (stem, low),
        _ => word.split_at(without_digits.len()),
    };
    let indices = positions.split(['[', ']']).map(str::to_string);
    let parts = std::iter::once(subscript(low)).chain(indices);
    let subscripts: Vec<String> = parts.filter(|index| !index.is_empty()).collect();
    if subscripts.is_empty() {
        return letters(stem);
    }
    format!("{}_{{{}}}", letters(stem), subscripts.join(","))
}

/// Returns a name as the user types it.
pub fn typewriter(name: &str) -> String {
    format!(r"\mathtt{{{}}}", name.replace('_', r"\_"))
}

/// Returns the part of a name that stands for the quantity.
fn letters(stem: &str) -> String {
    if let Some(word) = greek_word(stem) {
        return word;
    }
    match stem.chars().count() {
        1 if stem.is_ascii() => stem.to_string(),
        _ => format!(r"\mathit{{{}}}", stem.replace('_', r"\_")),
    }
}

/// Returns the part of a name that becomes a subscript: numbers and single letters unchanged, words upright.
fn subscript(low: &str) -> String {
    if low.len() <= 1 || low.bytes().all(|digit| digit.is_ascii_digit()) {
        return low.to_string();
    }
    greek_word(low).unwrap_or_else(|| format!(r"\mathrm{{{}}}", low.replace('_', ",")))
}

/// Returns the plain digit for a subscript digit, the Greek letter for the micro sign, and all other characters unchanged.
pub fn plain(c: char) -> char {
    match c {
        '₀'..='₉' => char::from(b'0' + (u32::from(c) - u32::from('₀')) as u8),
        'µ' => 'μ',
        _ => c,
    }
}

/// The Greek letters that look like Latin ones, which have no command in LaTeX.
const WITHOUT_COMMAND: &[&str] = &[
    "omicron", "Alpha", "Beta", "Epsilon", "Zeta", "Eta", "Iota", "Kappa", "Mu", "Nu", "Omicron",
    "Rho", "Tau", "Chi",
];

/// Returns the command of LaTeX for a Greek letter or the word for one.
fn greek_word(name: &str) -> Option<String> {
    let mut characters = name.chars();
    let letter = characters.next().filter(|_| characters.next().is_none());
    let word = letter
        .and_then(greek_name)
        .unwrap_or_else(|| name.to_string());
    let small = word.to_ascii_lowercase();
    let is_known = GREEK.contains(&small.as_str()) && !WITHOUT_COMMAND.contains(&word.as_str());
    // `Delta`, but not `DELTA`
    let mut rest = word.chars().skip(1);
    (is_known && !rest.any(|c| c.is_ascii_uppercase())).then(|| format!("\\{word}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_written_as_in_mathematics() {
        for (name, expected) in [
            ("a", "a"),
            ("w[2]", "w_{2}"),
            ("W[1][2]", "W_{1,2}"),
            ("x1", "x_{1}"),
            ("x1w1", r"\mathit{x1w}_{1}"),
            ("loss", r"\mathit{loss}"),
            ("w_out", r"w_{\mathrm{out}}"),
            ("w_out[3]", r"w_{\mathrm{out},3}"),
            ("a@1", r"\mathtt{a@1}"),
            ("alpha", r"\alpha"),
            ("α", r"\alpha"),
            ("Δ", r"\Delta"),
            ("pi", r"\pi"),
            ("σ_x", r"\sigma_{x}"),
        ] {
            assert_eq!(symbol(name), expected, "{name}");
        }
    }
}
