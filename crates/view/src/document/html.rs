//! A document as one self-contained page of HTML: the style sheet and the pictures are inside. It has no
//! scripts.
//!
//! It is well-formed XML, too. Statements are `kbd` in a block of code, with notes and errors as `samp`. The text has the
//! colours of the themes; everything else has the colours of pictures.

use crate::theme::{Theme, on_page};
use chainrule_pictures::{Background, color_rules, properties};
use chainrule_style::html::{escape, marked_html};

const LOOKS: &str = include_str!("document.css");

/// The elements in which the roles have colours. The elements of a picture have classes of their own.
const PARTS: &str = ":is(pre,p,dl,table)";

/// The head of a page, and the beginning of its body. The policy allows no contact with other computers, and no scripts.
pub(super) fn begin(title: &str, generator: &str) -> String {
    let title = escape(title);
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\"/>\n\
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
    format!(
        "<{element}>{}</{element}>",
        marked_html(text, Some(Theme::Page))
    )
}

/// A picture, of which this is the element.
pub(super) fn figure(element: &str) -> String {
    format!("<figure>\n{element}</figure>\n")
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
