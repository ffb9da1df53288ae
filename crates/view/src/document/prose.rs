//! The prose of a document: reads Markdown by the rules of `CommonMark`, with tables, and writes HTML. Text between dollar
//! signs stays as it was typed.
//!
//! The page must not need a network or run a script of the author. So HTML in the prose becomes text, an image becomes a
//! link, and links lead only to pages and mail.

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd, html};

use chainrule_report::characters;

/// The schemes that an address may have.
const SCHEMES: [&str; 3] = ["http:", "https:", "mailto:"];

/// A line to write on, for the signs `____` of a worksheet.
const BLANK: &str = "<span class=\"blank\"></span>";
/// At least so many of these signs are a line to write on.
const LEAST_BLANK: usize = 4;

/// Appends the prose as HTML.
pub(super) fn html(text: &str, out: &mut String) {
    let source = clean(text);
    let mut body = String::new();
    html::push_html(&mut body, events(&source));
    // An address has no such sign between blanks.
    for part in body.split_inclusive([' ', '\n', '>', '<']) {
        let end = part.trim_end_matches([' ', '\n', '>', '<']).len();
        let (word, sign) = part.split_at(end);
        let is_blank = word.len() >= LEAST_BLANK && word.bytes().all(|byte| byte == b'_');
        out.extend([if is_blank { BLANK } else { word }, sign]);
    }
}

/// The words of the heading of the first level at the beginning of a text; `None` if it begins otherwise.
pub(super) fn title(text: &str) -> Option<String> {
    let (first, _) = text.split_once('\n').unwrap_or((text, ""));
    let line = clean(first);
    if !line.starts_with("# ") {
        return None;
    }
    let words = events(&line).filter_map(|event| match event {
        Event::Text(words) | Event::Code(words) => Some(words.into_string()),
        _ => None,
    });
    Some(words.collect())
}

/// The text without control characters.
pub(super) fn clean(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for line in text.lines() {
        out.push_str(&characters::clean(line));
        out.push('\n');
    }
    out
}

/// The parts of a text, without HTML and images.
fn events(text: &str) -> impl Iterator<Item = Event<'_>> {
    let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_MATH;
    Parser::new_ext(text, options).map(safe_event)
}

fn safe_event(mut event: Event) -> Event {
    if let Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) = &mut event
        && !is_safe_address(dest_url)
    {
        *dest_url = "".into();
    }
    match event {
        Event::InlineMath(tex) => Event::Text(format!("${tex}$").into()),
        Event::DisplayMath(tex) => Event::Text(format!("$${tex}$$").into()),
        Event::Html(source) | Event::InlineHtml(source) => Event::Text(source),
        Event::Start(Tag::HtmlBlock) => Event::Start(Tag::Paragraph),
        Event::End(TagEnd::HtmlBlock) => Event::End(TagEnd::Paragraph),
        Event::Start(Tag::Image {
            link_type,
            dest_url,
            title,
            id,
        }) => Event::Start(Tag::Link {
            link_type,
            dest_url,
            title,
            id,
        }),
        Event::End(TagEnd::Image) => Event::End(TagEnd::Link),
        event => event,
    }
}

/// Whether an address runs no script.
fn is_safe_address(address: &str) -> bool {
    let before_path = address.split(['/', '?', '#']).next().unwrap_or_default();
    let has_scheme = |scheme: &&str| {
        let begin = before_path.get(..scheme.len());
        begin.is_some_and(|begin| begin.eq_ignore_ascii_case(scheme))
    };
    !before_path.contains(':') || SCHEMES.iter().any(has_scheme)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prose_becomes_html_that_does_nothing() {
        for (text, expected) in [
            (
                "a *b* `c<d` & e",
                "<p>a <em>b</em> <code>c&lt;d</code> &amp; e</p>\n",
            ),
            ("- a\n- b", "<ul>\n<li>a</li>\n<li>b</li>\n</ul>\n"),
            (
                "x <script>alert(1)</script>",
                "<p>x &lt;script&gt;alert(1)&lt;/script&gt;</p>\n",
            ),
            ("<img src=x>", "<p>&lt;img src=x&gt;\n</p>\n"),
            ("[a](javascript:b)", "<p><a href=\"\">a</a></p>\n"),
            (
                "[a](JAVASCRIPT:b) [c](x/y:z)",
                "<p><a href=\"\">a</a> <a href=\"x/y:z\">c</a></p>\n",
            ),
            (
                "![a](http://b/c.png)",
                "<p><a href=\"http://b/c.png\">a</a></p>\n",
            ),
            (
                "cost `$3`, $5 or $6",
                "<p>cost <code>$3</code>, $5 or $6</p>\n",
            ),
            (
                "a $x*y*z$ and $$\\foo\\,<b>$$",
                "<p>a $x*y*z$ and $$\\foo\\,&lt;b&gt;$$</p>\n",
            ),
            ("a\u{1b}[1m", "<p>a\\u{1b}[1m</p>\n"),
        ] {
            let mut out = String::new();
            html(text, &mut out);
            assert_eq!(out, expected, "{text}");
        }
    }

    #[test]
    fn a_heading_is_a_title() {
        for (text, expected) in [
            ("# A *slope* of `L`\n\nWords", Some("A slope of L")),
            ("## A part", None),
            ("Words\n# A slope", None),
            ("", None),
        ] {
            assert_eq!(title(text).as_deref(), expected, "{text}");
        }
    }
}
