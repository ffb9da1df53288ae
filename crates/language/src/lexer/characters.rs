//! Which characters are blanks, which make up names, and which are refused.
//!
//! The rule `name` of the grammar says the same of names; a test compares the two.

/// What separates words. Line ends stand in a chunk only where lines were joined. The grammar reads a non-breaking space as a
/// blank because [`without_comments`](super::without_comments) overwrites it.
pub(crate) const BLANKS: [char; 4] = [' ', '\t', '\u{A0}', '\n'];

/// May a name begin with it?
pub(crate) fn is_letter(character: char) -> bool {
    if character.is_ascii() {
        character.is_ascii_alphabetic() || character == '_'
    } else {
        pest::unicode::LETTER(character) || character == '∂'
    }
}

/// May a name go on with it?
pub(crate) fn continues_name(character: char) -> bool {
    is_letter(character) && character != '∂'
        || character.is_ascii_digit()
        || !character.is_ascii()
            && (pest::unicode::MARK(character)
                || pest::unicode::DECIMAL_NUMBER(character)
                || matches!(character, '₀'..='₉'))
}

/// Is the quote at `at` a prime: `f'(x)`? In Python's `print(f'{a}')` it is none.
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

/// The characters of a text that stand in no brackets and no quotes, with their places. A bracket that is closed but was
/// not opened in the text is among them.
pub fn outside(text: &str) -> impl Iterator<Item = (usize, char)> + '_ {
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

/// Control characters, direction marks and others that take no place on the screen: they can hide or forge text.
pub(crate) fn is_forbidden(character: char) -> bool {
    character.is_control()
        || pest::unicode::DEFAULT_IGNORABLE_CODE_POINT(character)
        || pest::unicode::BIDI_CONTROL(character)
        || matches!(character, '\u{2028}' | '\u{2029}' | '\u{FFF9}'..='\u{FFFB}')
}
