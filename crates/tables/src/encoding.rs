//! Decodes a file in UTF-8, UTF-16 or Windows-1252.

use std::borrow::Cow;

use super::lines::line_ends;
use super::{TableError, TableFault};
use chainrule_report::{Line, say};

/// The marks at the start of a file: U+FEFF in UTF-8, in UTF-16 with the low byte first, and with the high byte first.
const UTF_8: &[u8] = b"\xef\xbb\xbf";
const UTF_16_LOW: &[u8] = b"\xff\xfe";
const UTF_16_HIGH: &[u8] = b"\xfe\xff";

/// The characters of the bytes from 0x80 to 0x9f in Windows-1252. From 0xa0 on it is Latin-1. Five of them mean nothing.
const WINDOWS: &str = "€\u{81}‚ƒ„…†‡ˆ‰Š‹Œ\u{8d}Ž\u{8f}\u{90}‘’“”•–—˜™š›œ\u{9d}žŸ";

/// The text of a file with these contents, and a note if its encoding is a guess.
pub(super) fn text<'b>(
    bytes: &'b [u8],
    file: &str,
) -> Result<(Cow<'b, str>, Option<Line>), TableError> {
    if let Some(rest) = bytes.strip_prefix(UTF_16_LOW) {
        return Ok((decode_utf_16(rest, u16::from_le_bytes).into(), None));
    }
    if let Some(rest) = bytes.strip_prefix(UTF_16_HIGH) {
        return Ok((decode_utf_16(rest, u16::from_be_bytes).into(), None));
    }
    // Spreadsheets in their own formats are ZIP files. No text has a NUL, except UTF-16 without a mark, which could be read
    // in two ways.
    if bytes.starts_with(b"PK\x03\x04") || bytes.contains(&0) {
        return Err(TableFault::NoText.at(file));
    }
    let content = bytes.strip_prefix(UTF_8).unwrap_or(bytes);
    let good = match str::from_utf8(content) {
        Ok(text) => return Ok((text.into(), None)),
        Err(error) => error.valid_up_to(),
    };
    let line = 1 + line_ends(&content[..good]);
    let windows: Vec<char> = WINDOWS.chars().collect();
    let letter = |byte: &u8| match byte {
        0x80..=0x9f => windows[usize::from(byte - 0x80)],
        _ => char::from(*byte),
    };
    let text: String = content.iter().map(letter).collect();
    let first = letter(&content[good]).to_string();
    let note = say!(
        "`{}` is not in UTF-8 and was read as Windows-1252: line {} has `{}`",
        file,
        line.to_string(),
        first
    );
    Ok((text.into(), Some(note)))
}

/// Decodes UTF-16 without its mark. A pair that means nothing becomes `�`.
fn decode_utf_16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> String {
    let pairs = bytes.chunks_exact(2);
    let units: Vec<u16> = pairs.map(|pair| unit([pair[0], pair[1]])).collect();
    String::from_utf16_lossy(&units)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Python's `bytes(range(0x80, 0x100)).decode("cp1252")`, which refuses the five bytes that mean nothing.
    #[test]
    fn windows_1252_is_that_of_python() {
        let expected = "€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ\u{a0}¡¢£¤¥¦§¨©ª«¬\u{ad}®¯°±²³´µ¶·¸¹º»¼½¾¿\
                        ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖ×ØÙÚÛÜÝÞßàáâãäåæçèéêëìíîïðñòóôõö÷øùúûüýþÿ";
        let means_nothing = [0x81, 0x8d, 0x8f, 0x90, 0x9d];
        let bytes: Vec<u8> = (0x80..=0xff)
            .filter(|byte| !means_nothing.contains(byte))
            .collect();
        let (text, note) = text(&bytes, "f").expect("it is text");
        assert_eq!((&*text, note.is_some()), (expected, true));
    }
}
