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

/// Control characters, direction marks and others that take no place on the screen: they can hide or forge text.
pub(crate) fn is_forbidden(character: char) -> bool {
    character.is_control()
        || pest::unicode::DEFAULT_IGNORABLE_CODE_POINT(character)
        || pest::unicode::BIDI_CONTROL(character)
        || matches!(character, '\u{2028}' | '\u{2029}' | '\u{FFF9}'..='\u{FFFB}')
}
