//! A document in Markdown: prose as its author wrote it, statements and answers in fenced blocks, pictures as links.
//!
//! Blocks that begin with a statement are marked `chainrule`, so that a program can find them and run them again.

use std::fmt::Write;
use std::iter::repeat_n;

use super::DocumentPicture;
use crate::view::sheets::escaped;
use crate::view::{Style, characters};

/// What blocks that run are marked with.
const LANGUAGE: &str = "chainrule";

/// The sign of a fence, and how many of it there are at least.
const SIGN: char = '`';
const SHORTEST: usize = 3;

/// The length of a fence that this text cannot end: longer than each row of its signs.
pub(super) fn fence(text: &str) -> usize {
    let (mut row, mut longest) = (0, 0);
    for c in text.bytes() {
        row = if c == SIGN as u8 { row + 1 } else { 0 };
        longest = longest.max(row);
    }
    SHORTEST.max(longest + 1)
}

/// The line that begins a block, which may run again, or ends one.
pub(super) fn fence_line(length: usize, runs: bool, out: &mut String) {
    out.extend(repeat_n(SIGN, length));
    out.push_str(if runs { LANGUAGE } else { "" });
    out.push('\n');
}

/// Words as their author wrote them.
pub(super) fn prose(text: &str, out: &mut String) {
    for line in text.lines() {
        out.push_str(&characters::clean(line, false));
        out.push('\n');
    }
}

/// An image, or a link to what no image can show.
pub(super) fn picture(picture: &DocumentPicture, out: &mut String) {
    out.push_str(if picture.ending == "html" { "[" } else { "![" });
    out.push_str(&escaped(&picture.title, &Style::default()));
    out.push_str("](");
    address(&picture.path, out);
    out.push_str(")\n");
}

/// The path of a file as an address: what an address cannot contain is spelled by its bytes.
fn address(path: &str, out: &mut String) {
    for c in path.chars() {
        // A colon could end the name of a scheme.
        let plain =
            c.is_alphanumeric() || matches!(c, '/' | '.' | '-' | '_' | '~' | '+' | ',' | '=' | '@');
        if plain {
            out.push(c);
            continue;
        }
        let mut bytes = [0; 4];
        for byte in c.encode_utf8(&mut bytes).bytes() {
            // Writing into a string cannot fail.
            let _ = write!(out, "%{byte:02X}");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_ends_its_block() {
        for (text, expected) in [("", 3), ("`a` ``", 3), ("```\n`", 4), ("a\n`````", 6)] {
            assert_eq!(fence(text), expected, "{text}");
        }
    }

    #[test]
    fn pictures_are_links() {
        for (title, path, ending, expected) in [
            (
                "graph of L, 3 nodes",
                "L.svg",
                "svg",
                "![graph of L, 3 nodes](L.svg)\n",
            ),
            (
                "y = a[1]*x over x",
                "my (1).png",
                "png",
                "![y = a\\[1\\]\\*x over x](my%20%281%29.png)\n",
            ),
            ("L", "é/L.html", "html", "[L](é/L.html)\n"),
        ] {
            let mut out = String::new();
            let shown = DocumentPicture {
                title: title.into(),
                path: path.into(),
                ending: ending.into(),
                content: Vec::new(),
            };
            picture(&shown, &mut out);
            assert_eq!(out, expected);
        }
    }
}
