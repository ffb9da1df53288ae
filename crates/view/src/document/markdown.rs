//! The parts of a document that only Markdown has: fences around statements and answers, and links to pictures. `mod.rs`
//! writes the rest.

use super::DocumentPicture;
use chainrule_report::characters;

/// The fences of a block. Its name lets programs find it. Statements begin with their prompt and answers contain no
/// fence, so nothing ends a block early.
pub(super) const BEGIN_BLOCK: &str = "```chainrule\n";
pub(super) const END_BLOCK: &str = "```\n";

/// An image, or a link to a file that is no image.
pub(super) fn picture(picture: &DocumentPicture, out: &mut String) {
    out.push_str(if picture.ending == "html" { "[" } else { "![" });
    out.push_str(&characters::escape_markdown(&picture.title));
    out.push_str("](");
    for c in picture.path.chars() {
        // All but letters, digits and these signs is percent-encoded, also a colon, which could end a scheme.
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
