//! A document in Markdown: prose as its author wrote it, statements and answers in fenced blocks, pictures as links.
//!
//! The blocks are marked `chainrule`, so that a program can find them.

use super::DocumentPicture;
use chainrule_report::characters;

/// The lines that begin and end a block. No answer and no statement after its prompt has a line like them.
pub(super) const BEGIN_BLOCK: &str = "```chainrule\n";
pub(super) const END_BLOCK: &str = "```\n";

/// An image, or a link to a file that is no image.
pub(super) fn picture(picture: &DocumentPicture, out: &mut String) {
    out.push_str(if picture.ending == "html" { "[" } else { "![" });
    out.push_str(&characters::escape_markdown(&picture.title));
    out.push_str("](");
    for c in picture.path.chars() {
        // A character that an address cannot contain is escaped, and so is a colon, which could end the name of a scheme.
        if c.is_alphanumeric() || "/.-_~+,=@".contains(c) {
            out.push(c);
        } else {
            out.extend(c.to_string().bytes().map(|byte| format!("%{byte:02X}")));
        }
    }
    out.push_str(")\n");
}

#[cfg(test)]
mod tests {
    use super::*;

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
                answer: None,
            };
            picture(&shown, &mut out);
            assert_eq!(out, expected);
        }
    }
}
