//! Classifies characters: blanks, characters of names, quotes, and characters that no statement may have.
//!
//! The rule `name` of the grammar defines the same names. A test compares the rule with the functions here.

/// The characters that separate words. A chunk has line ends only between joined lines. The grammar reads a non-breaking
/// space as a blank because [`as_grammar_text`](super::as_grammar_text) overwrites it.
pub(crate) const BLANKS: [char; 4] = [' ', '\t', '\u{A0}', '\n'];

/// Whether a name may begin with this character.
pub(crate) fn is_letter(character: char) -> bool {
    if character.is_ascii() {
        character.is_ascii_alphabetic() || character == '_'
    } else {
        pest::unicode::LETTER(character) || character == '∂'
    }
}

/// Whether a name may have this character after its first one.
pub(crate) fn continues_name(character: char) -> bool {
    is_letter(character) && character != '∂'
        || character.is_ascii_digit()
        || !character.is_ascii()
            && (pest::unicode::MARK(character)
                || pest::unicode::DECIMAL_NUMBER(character)
                || matches!(character, '₀'..='₉'))
}

/// Whether the quote at `at` is a prime, as in `f'(x)`. In Python's `print(f'{a}')` the quote begins a text.
pub(crate) fn is_prime(text: &str, at: usize) -> bool {
    let (before, quoted) = text.split_at(at);
    let begins_text = |c: char| matches!(c, '{' | '#') || c.is_alphanumeric();
    let before_f = before.strip_suffix('f').unwrap_or_default();
    // As in `(f'{a}')` or `, f'L = {L}'`.
    let is_formatted = before_f.ends_with(['(', ',', ' ']) && quoted[1..].starts_with(begins_text);
    let ends_operand = |c: char| matches!(c, '\'' | '’' | ')' | ']') || continues_name(c);
    !is_formatted && before.ends_with(ends_operand)
}

/// The characters of a text outside brackets and quotes, with their places. They include a closing bracket that was not
/// opened in the text.
pub fn outside_brackets(text: &str) -> impl Iterator<Item = (usize, char)> + '_ {
    let mut nesting = Nesting::default();
    text.char_indices()
        .filter(move |&(at, c)| nesting.is_outside(text, at, c))
}

/// The brackets and quotes that are open at a place of a text.
#[derive(Default)]
struct Nesting {
    depth: usize,
    quote: Option<char>,
}

impl Nesting {
    /// Takes the next character of a text. Returns whether it is outside of all brackets and quotes before it.
    fn is_outside(&mut self, text: &str, at: usize, c: char) -> bool {
        let is_outside = self.depth == 0 && self.quote.is_none();
        match (c, self.quote) {
            (_, Some(open)) => self.quote = Some(open).filter(|&open| open != c),
            ('"', None) => self.quote = Some(c),
            ('\'', None) if !is_prime(text, at) => self.quote = Some(c),
            ('(' | '[', None) => self.depth += 1,
            (')' | ']', None) => self.depth = self.depth.saturating_sub(1),
            _ => {}
        }
        is_outside
    }
}

/// Whether a character is a control character, a direction mark or another character without a place on the screen. Such
/// characters could hide or forge text, so no statement may have them, and nothing is shown that has them.
pub fn is_unsafe(character: char) -> bool {
    character.is_control()
        || pest::unicode::DEFAULT_IGNORABLE_CODE_POINT(character)
        || pest::unicode::BIDI_CONTROL(character)
        || matches!(character, '\u{2028}' | '\u{2029}' | '\u{FFF9}'..='\u{FFFB}')
}
