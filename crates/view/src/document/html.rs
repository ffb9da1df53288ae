//! A document as one self-contained page of HTML: the style sheet and the pictures are inside. The page itself has no
//! scripts; only the page of a graph has some, and stands in a frame of its own.
//!
//! It is well-formed XML, too. Statements are `kbd` in a block of code, with notes and errors as `samp`. The text has the
//! colours of the themes; everything else has the colours of pictures.

use super::DocumentPicture;
use crate::theme::{Theme, on_page};
use chainrule_pictures::{Background, color_rules, properties};
use chainrule_style::html::{escape, marked_html};

const LOOKS: &str = include_str!("document.css");

/// The elements in which the roles have colours. The elements of a picture have classes of their own.
const PARTS: &str = ":is(pre,p,dl,table)";

/// The head of a page, and the beginning of its body. The policy allows no contact with other computers. It also
/// applies to the frames of graphs, so it allows their scripts.
pub(super) fn begin(title: &str, generator: &str) -> String {
    let title = escape(title);
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; \
         script-src 'unsafe-inline'\"/>\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n\
         <meta name=\"color-scheme\" content=\"light dark\"/>\n\
         <meta name=\"generator\" content=\"{generator}\"/>\n\
         <title>{title}</title>\n<style>\n{}</style>\n</head>\n<body>\n",
        page_style()
    )
}

/// The style sheet of a page of HTML.
pub fn page_style() -> String {
    let [light, dark] = [Background::Light, Background::Dark].map(properties);
    let [by_day, by_night] = [Theme::Light, Theme::Dark].map(|theme| on_page::rules(PARTS, theme));
    let rules = color_rules();
    format!(
        ":root{{{light}color-scheme:light dark}}\n{rules}\n{by_day}\
         @media screen and (prefers-color-scheme:dark){{\n:root{{{dark}}}\n{by_night}}}\n\
         {LOOKS}"
    )
}

/// The end of a page.
pub(super) const END_PAGE: &str = "</main>\n</body>\n</html>\n";

/// The tags around a statement with its answers.
pub(super) const BEGIN_SECTION: &str = "<section>\n";
pub(super) const END_SECTION: &str = "</section>\n";

/// The element of a text: `kbd` for something typed, `samp` for an answer.
pub(super) fn text(text: &str, element: &str) -> String {
    format!("<{element}>{}</{element}>", marked_html(text))
}

/// A picture with this content.
pub(super) fn picture(shown: &DocumentPicture, content: &[u8]) -> String {
    let text = String::from_utf8_lossy(content);
    if shown.ending == "html" {
        // The page of a graph runs scripts, so it is in a frame that cannot reach the rest of the page.
        let title = escape(&shown.title);
        // The attribute holds a whole page. Only the signs that XML forbids in it are escaped: `escape` would also
        // change the control characters of the page, such as tabs, and make it longer.
        let without_tags = text.replace('&', "&amp;").replace('<', "&lt;");
        let page = without_tags.replace('"', "&quot;");
        format!("<iframe title=\"{title}\" sandbox=\"allow-scripts\" srcdoc=\"{page}\"></iframe>\n")
    } else {
        // A file of SVG begins with a declaration of XML, which cannot stand inside a page.
        let element = text.find("<svg").map_or("", |begin| &text[begin..]);
        format!("<figure>\n{element}</figure>\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_escaped_and_keeps_its_roles() {
        let mut text = String::from("a < b & \t'c' ");
        on_page::mark("\"<e>\"", crate::theme::Role::Error, &mut text);
        let elements = super::text(&text, "kbd") + &super::text("\u{1b}[31mred", "samp");
        assert_eq!(
            elements,
            "<kbd>a &lt; b &amp; \t&#39;c&#39; <span class=\"error\">&quot;&lt;e&gt;&quot;</span></kbd><samp>31mred</samp>"
        );
    }
}
