//! Which characters are blanks, which make up names, and which are refused, for the whole lexer.
//!
//! The rule `name` of the grammar says the same about names; a test compares the two.

/// The characters that separate words. Line ends stand in a chunk only where lines were joined. The grammar reads a
/// non-breaking space as a blank because [`without_comments`](super::without_comments) overwrites it.
pub(crate) const BLANKS: [char; 4] = [' ', '\t', '\u{A0}', '\n'];

/// Whether a name may begin with it.
pub(crate) fn is_letter(character: char) -> bool {
    if character.is_ascii() {
        character.is_ascii_alphabetic() || character == '_'
    } else {
        pest::unicode::LETTER(character) || character == '∂'
    }
}

/// Whether a name may have it after its first character.
pub(crate) fn continues_name(character: char) -> bool {
    is_letter(character) && character != '∂'
        || character.is_ascii_digit()
        || !character.is_ascii()
            && (pest::unicode::MARK(character)
                || pest::unicode::DECIMAL_NUMBER(character)
                || matches!(character, '₀'..='₉'))
}

/// Whether the quote at `at` is a prime, as in `f'(x)`. In Python's `print(f'{a}')` it is not.
pub(crate) fn is_prime(text: &str, at: usize) -> bool {
    let word = text[..at].strip_suffix('f');
    let begins_text = |c: char| matches!(c, '{' | '#') || c.is_alphanumeric();
    if word.is_some_and(|rest| rest.ends_with(['(', ',', ' ']))
        && text[at + 1..].starts_with(begins_text)
    {
        return false;
    }
    let before = text[..at].chars().next_back();
    before.is_some_and(|before| matches!(before, '\'' | '’' | ')' | ']') || continues_name(before))
}

/// The characters of a text outside brackets and quotes, with their places. They include a closing bracket that was not
/// opened in the text.
pub fn outside_brackets(text: &str) -> impl Iterator<Item = (usize, char)> + '_ {
    let (mut depth, mut quote) = (0_usize, None);
    text.char_indices().filter(move |&(at, c)| {
        let is_outside = depth == 0 && quote.is_none();
        match (c, quote) {
            (_, Some(open)) => quote = Some(open).filter(|&open| open != c),
            ('"' | '\'', None) if c == '"' || !is_prime(text, at) => quote = Some(c),
            ('(' | '[', None) => depth += 1,
            (')' | ']', None) => depth = depth.saturating_sub(1),
            _ => {}
        }
        is_outside
    })
}

/// Whether it is a control character, a direction mark or another character without a place on the screen. These could
/// hide or forge text: a statement may not have them, and nothing that is shown has them either.
pub fn is_unsafe(character: char) -> bool {
    character.is_control()
        || pest::unicode::DEFAULT_IGNORABLE_CODE_POINT(character)
        || pest::unicode::BIDI_CONTROL(character)
        || matches!(character, '\u{2028}' | '\u{2029}' | '\u{FFF9}'..='\u{FFFB}')
}
