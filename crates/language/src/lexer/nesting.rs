//! Checks that brackets are not nested too deep. The parser calls this before it reads any text, because pest would
//! overflow the stack.

use super::characters::is_prime;
use super::statements::trimmed_code;
use crate::error::SyntaxError;
use crate::limits::MAX_NESTING;
use crate::tree::Span;

/// Refuses a statement, or a part of a statement, if its brackets are nested too deep. Callers check this first.
///
/// # Errors
/// If its brackets are nested too deep.
pub fn check_nesting(text: &str, span: Span) -> Result<(), SyntaxError> {
    // Most statements are too short to be deep.
    if span.of(text).len() <= MAX_NESTING {
        return Ok(());
    }
    let (region, plain) = trimmed_code(text, span);
    check_depth(&plain, region.start)
}

/// Refuses a text that begins at `start` if its brackets are nested too deep. Brackets in quotes count, too, since an
/// f-string has expressions in it. A closing quote restores the depth before its opening quote.
pub(crate) fn check_depth(text: &str, start: u32) -> Result<(), SyntaxError> {
    if text.len() <= MAX_NESTING {
        return Ok(());
    }
    let mut depth = 0_usize;
    let mut quoted = None;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'(' | b'[' => depth += 1,
            b')' | b']' => depth = depth.saturating_sub(1),
            b'"' | b'\'' => match quoted {
                Some((quote, before)) if quote == byte => (quoted, depth) = (None, before),
                None if !is_prime(text, at) => quoted = Some((byte, depth)),
                _ => {}
            },
            _ => {}
        }
        if depth > MAX_NESTING {
            let span = Span::new(at, at + 1).shift(start);
            let message = format!("brackets can be nested at most {MAX_NESTING} deep");
            let help = "give an inner part a name: `p = …`, and use `p`";
            return Err(SyntaxError::new(span, message, help).label("one too many"));
        }
    }
    Ok(())
}
