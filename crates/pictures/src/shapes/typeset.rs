//! Sets names and formulas as they are meant: `tau` as τ, `E_kin` and `U0` with an index, `x^2` with an exponent, `a*b` with
//! a dot, `2e-7` as a power of ten, and a minus.

use super::letters::Font;
use chainrule_report::characters::greek_name;

/// The size of an index and of an exponent, as a part of the letters.
const SMALL: f64 = 0.72;
/// The heights of an index and of an exponent above the baseline, as parts of the letters.
const INDEX_RISE: f64 = -0.16;
const EXPONENT_RISE: f64 = 0.38;
/// The letters that are exponents by themselves, of which many fonts lack most, and what they mean.
const RAISED: &str = "⁰¹²³⁴⁵⁶⁷⁸⁹⁻";
const MEANT: &str = "0123456789-";
/// A name of at most this many letters is a symbol, which may have an index.
const MOST_SYMBOL_LETTERS: usize = 2;

/// A part of a text on one height.
#[derive(Debug, Default)]
pub(crate) struct Run {
    pub text: String,
    /// Its height above the baseline, as a part of the letters; 0 if it is neither an index nor an exponent.
    pub rise: f64,
}

impl Run {
    /// Its size, as a part of the letters.
    pub(crate) fn size(&self) -> f64 {
        if self.rise == 0.0 { 1.0 } else { SMALL }
    }

    pub(crate) fn width(&self, size: f64) -> f64 {
        Font::Sans.width(&self.text, self.size() * size)
    }
}

/// The width of a text in letters of this size.
pub(crate) fn width(text: &str, size: f64) -> f64 {
    runs(text).iter().map(|run| run.width(size)).sum()
}

/// The parts of a text in their order.
pub(crate) fn runs(text: &str) -> Vec<Run> {
    let mut line = Typeset::default();
    let mut at = 0;
    while let Some(first) = text[at..].chars().next() {
        let (before, rest) = text.split_at(at);
        let power = rest.strip_prefix('^').map_or("", exponent);
        let raised: String = rest.chars().map_while(meant).collect();
        let ten_power = power_of_ten(before, rest);
        let is_in_word = before.ends_with(|c: char| c.is_alphanumeric() || c == '_');
        at += if !power.is_empty() {
            line.add_small(power.trim_matches(['(', ')']), EXPONENT_RISE);
            1 + power.len()
        } else if !raised.is_empty() {
            line.add_small(&raised, EXPONENT_RISE);
            let letters = rest.chars().take(raised.len());
            letters.map(char::len_utf8).sum()
        } else if !ten_power.is_empty() {
            line.add_ten();
            line.add_small(ten_power, EXPONENT_RISE);
            1 + ten_power.len()
        } else if first.is_alphabetic() && !is_in_word {
            line.add_name(before, rest)
        } else {
            // A hyphen joins two words.
            let is_minus = before.is_empty() || before.ends_with(['(', ')', '=', ' ']);
            line.base.push(match first {
                '*' => '·',
                '-' if is_minus => '−',
                _ => first,
            });
            first.len_utf8()
        };
    }
    line.add_base();
    line.runs
}

/// A text that is being set.
#[derive(Default)]
struct Typeset {
    runs: Vec<Run>,
    /// The letters on the baseline after the last run.
    base: String,
}

impl Typeset {
    fn add_base(&mut self) {
        if !self.base.is_empty() {
            let text = std::mem::take(&mut self.base);
            self.runs.push(Run { text, rise: 0.0 });
        }
    }

    /// Adds `×10`, but turns a factor of 1 into 10.
    fn add_ten(&mut self) {
        let head = self.base.trim_end_matches(is_decimal);
        let is_one = &self.base[head.len()..] == "1";
        self.base += if is_one { "0" } else { "×10" };
    }

    fn add_small(&mut self, text: &str, rise: f64) {
        self.add_base();
        // `alpha_1` is α1, because nothing is smaller than an index.
        let words = text.split('_').map(|word| {
            let (sign, name) = word.strip_prefix('-').map_or(("", word), |it| ("−", it));
            let symbol = greek(name).map_or_else(|| name.replace('-', "−"), String::from);
            sign.to_owned() + &symbol
        });
        let small = words.collect();
        self.runs.push(Run { text: small, rise });
    }

    /// Adds the name with which a text begins. Returns the number of its bytes.
    fn add_name(&mut self, before: &str, text: &str) -> usize {
        let (word, after) = text.split_at(word_length(text));
        let letters = word.trim_end_matches(|c: char| c.is_ascii_digit());
        let digits = &word[letters.len()..];
        // With an index or an exponent, it is no word of a sentence.
        let is_symbol =
            !digits.is_empty() || after.starts_with(['_', '^']) || stands_alone(before, after);
        let symbol = greek(letters).filter(|_| is_symbol);
        let count = symbol.map_or(letters.chars().count(), |_| 1);
        self.base += &symbol.map_or_else(|| letters.to_owned(), String::from);
        let rest = after.strip_prefix('_').unwrap_or_default();
        let index = &rest[..word_length(rest)];
        let is_last = |length: usize| !text[length..].starts_with('_');
        let with_index = word.len() + 1 + index.len();
        if digits.is_empty()
            && !index.is_empty()
            && is_last(with_index)
            && count <= MOST_SYMBOL_LETTERS
        {
            self.add_small(index, INDEX_RISE);
            return with_index;
        }
        if !digits.is_empty() && is_last(word.len()) && count == 1 {
            self.add_small(digits, INDEX_RISE);
        } else {
            self.base += digits;
        }
        word.len()
    }
}

/// What an exponent by itself means: `2` for `²`.
fn meant(letter: char) -> Option<char> {
    let place = RAISED.chars().position(|it| it == letter)?;
    MEANT.chars().nth(place)
}

/// The number of bytes of the letters and digits with which a text begins.
fn word_length(text: &str) -> usize {
    let is_end = |c: char| !c.is_alphanumeric() || RAISED.contains(c);
    text.find(is_end).unwrap_or(text.len())
}

/// The exponent with which a text begins: `2`, `-1`, `n`, `(-1/2)`; empty if there is none.
fn exponent(text: &str) -> &str {
    let simple = text.strip_prefix('(').and_then(|it| it.split_once(')'));
    if let Some((inside, _)) = simple.filter(|(inside, _)| !inside.contains(['(', '^'])) {
        return &text[..inside.len() + 2];
    }
    let sign = usize::from(text.starts_with('-'));
    let rest = &text[sign..];
    let is_end = |c: char| !c.is_alphanumeric() && c != '_';
    match rest.find(is_end).unwrap_or(rest.len()) {
        0 => "",
        length => &text[..sign + length],
    }
}

/// Whether a letter may be in a decimal number without an exponent.
fn is_decimal(letter: char) -> bool {
    letter.is_ascii_digit() || letter == '.'
}

/// The exponent of a number whose end is here: `-7` of `e-7` after `2`; empty if there is none.
fn power_of_ten<'t>(before: &str, rest: &'t str) -> &'t str {
    let head = before.trim_end_matches(is_decimal);
    let is_number =
        head.len() < before.len() && !head.ends_with(|c: char| c.is_alphanumeric() || c == '_');
    let power = rest.strip_prefix('e').map_or("", exponent);
    let is_whole = power.trim_start_matches('-').parse::<u32>().is_ok();
    if is_whole && (is_number || before.ends_with(')')) {
        power
    } else {
        ""
    }
}

/// The Greek letter with this name: `tau`, `Omega`.
fn greek(name: &str) -> Option<char> {
    // The usual sigma comes after the final one.
    ('Α'..='ω')
        .rev()
        .find(|letter| greek_name(*letter).is_some_and(|it| it == name))
}

/// Whether a word is not one of several words, such as `beta` in `a beta test`.
fn stands_alone(before: &str, after: &str) -> bool {
    let is_letter = |c: char| c.is_alphabetic();
    let (head, tail) = (before.strip_suffix(' '), after.strip_prefix(' '));
    !head.is_some_and(|it| it.ends_with(is_letter))
        && !tail.is_some_and(|it| it.starts_with(is_letter))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The text with `_{…}` and `^{…}`.
    fn marked(text: &str) -> String {
        let mark = |run: Run| match run.rise {
            rise if rise > 0.0 => format!("^{{{}}}", run.text),
            rise if rise < 0.0 => format!("_{{{}}}", run.text),
            _ => run.text,
        };
        runs(text).into_iter().map(mark).collect()
    }

    #[test]
    fn names_are_set_as_they_are_meant() {
        for (text, expected) in [
            ("tau", "τ"),
            ("Omega [rad/s]", "Ω [rad/s]"),
            ("tau_1 (ms)", "τ_{1} (ms)"),
            ("E_kin", "E_{kin}"),
            ("E_kin_max", "E_kin_max"),
            ("E_gamma", "E_{γ}"),
            ("N_0 and sigma_x^2", "N_{0} and σ_{x}^{2}"),
            ("I^alpha_1 + I^(-beta)", "I^{α1} + I^{−β}"),
            ("U0*exp(-t/tau)", "U_{0}·exp(−t/τ)"),
            ("x^2 - y^-1", "x^{2} − y^{−1}"),
            ("time-of-flight", "time-of-flight"),
            (
                "exp(-(x - mu)^2/(2*sigma^2))",
                "exp(−(x − μ)^{2}/(2·σ^{2}))",
            ),
            ("x^(-1/2)", "x^{−1/2}"),
            ("sepal_length", "sepal_length"),
            ("a beta test", "a beta test"),
            ("a map of chi^2 and omega0", "a map of χ^{2} and ω_{0}"),
            ("eta, theta", "η, θ"),
            ("CO2", "CO2"),
            ("größe^2", "größe^{2}"),
            ("a^", "a^"),
            ("_x", "_x"),
            ("2×10⁻³ m²", "2×10^{−3} m^{2}"),
            ("k = (1.38 ± 0.02)e-23", "k = (1.38 ± 0.02)×10^{−23}"),
            ("1.5e7 + 1e7 and x1e5", "1.5×10^{7} + 10^{7} and x1e5"),
            ("I_s*(exp(U/U_T)-1)", "I_{s}·(exp(U/U_{T})−1)"),
        ] {
            assert_eq!(marked(text), expected);
        }
    }
}
