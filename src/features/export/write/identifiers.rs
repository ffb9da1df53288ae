//! Turns names of nodes into identifiers of other languages that are valid, unique and easy to recognize.
//!
//! `w[2]` becomes `w_2`, `a@1` becomes `a_old1`, `α` becomes `alpha`, and `lambda` becomes `lambda_` in Python.

use rustc_hash::FxHashMap;
use unicode_normalization::UnicodeNormalization;

use super::dialect::Dialect;
use chainrule_report::characters::greek_name;
use chainrule_report::tex_symbols::plain;

/// The identifiers of a program that are taken.
#[derive(Clone, Debug)]
pub(super) struct Identifiers {
    dialect: Dialect,
    /// For each identifier that is taken, what to append for the next name that wants it: `_` at 1, else `_` and the number.
    taken: FxHashMap<String, usize>,
}

impl Identifiers {
    /// Returns identifiers that are none of these words.
    pub(super) fn except<'w>(dialect: Dialect, words: impl IntoIterator<Item = &'w str>) -> Self {
        let taken = words.into_iter().map(|word| (word.to_string(), 1));
        Identifiers {
            dialect,
            taken: taken.collect(),
        }
    }

    /// Returns a new identifier for a name.
    pub(super) fn of(&mut self, name: &str) -> String {
        self.take(to_ascii(name))
    }

    /// Returns a new identifier for a function. The libraries of C have thousands of functions with names of several small
    /// letters, so a function of the user's with such a name gets a `_`.
    pub(super) fn of_function(&mut self, name: &str) -> String {
        let mut stem = to_ascii(name);
        let has_capital = stem.contains(|c: char| c.is_ascii_uppercase());
        if self.dialect == Dialect::C && stem.len() > 1 && !has_capital {
            stem.push('_');
        }
        self.take(stem)
    }

    /// Returns this identifier if it is free, or else with `_` or a number after it.
    fn take(&mut self, mut stem: String) -> String {
        // Macros of C consist of capitals.
        let mut letters = stem.chars().filter(char::is_ascii_alphabetic);
        let is_word = self.dialect == Dialect::C && letters.clone().count() > 1;
        if is_word && letters.all(|c| c.is_ascii_uppercase()) {
            stem.push('_');
        }
        let mut identifier = stem.clone();
        while self.taken.contains_key(&identifier) {
            let times = self.taken.entry(stem.clone()).or_default();
            identifier = match *times {
                1 => format!("{stem}_"),
                _ => format!("{stem}_{times}"),
            };
            *times += 1;
        }
        self.taken.insert(identifier.clone(), 1);
        identifier
    }
}

/// Returns whether a text is one identifier.
pub(super) fn is_identifier(text: &str) -> bool {
    text.bytes()
        .all(|it| it.is_ascii_alphanumeric() || it == b'_')
}

/// Returns a name in letters, digits and `_` of ASCII.
fn to_ascii(name: &str) -> String {
    let mut out = String::new();
    for c in name.chars().map(plain).nfd() {
        match c {
            'a'..='z' | 'A'..='Z' | '0'..='9' | '_' => out.push(c),
            '[' => out.push('_'),
            ']' => {}
            '@' if out.is_empty() => out.push_str("node"),
            '@' => out.push_str("_old"),
            'ß' => out.push_str("ss"),
            _ if unicode_normalization::char::is_combining_mark(c) => {}
            _ => out += &greek_name(c).unwrap_or_else(|| format!("u{:x}", u32::from(c))),
        }
    }
    if !out.starts_with(|c: char| c.is_ascii_alphabetic()) {
        out.insert(0, 'v');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_become_identifiers() {
        let mut identifiers = Identifiers::except(Dialect::C, ["lambda"]);
        for (name, expected) in [
            ("w[2]", "w_2"),
            ("W[1][2]", "W_1_2"),
            ("a@1", "a_old1"),
            ("w@1[2]", "w_old1_2"),
            ("@9", "node9"),
            ("α₁", "alpha1"),
            ("Δx", "Deltax"),
            ("λ", "lambda_"),
            ("lambda", "lambda_2"),
            ("größe", "grosse"),
            ("長", "u9577"),
            ("_x", "v_x"),
            ("w_2", "w_2_"),
            ("M_PI", "M_PI_"),
            ("A", "A"),
            ("Max", "Max"),
        ] {
            assert_eq!(identifiers.of(name), expected, "{name}");
        }
    }
}
