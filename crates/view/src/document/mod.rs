//! A script with its answers as a document: comments as prose, statements behind a prompt, answers under them, pictures.
//!
//! It grows from top to bottom while the script runs, so a long script takes no memory. Consecutive statements are in one
//! block; prose or a picture ends it.

mod html;
mod prose;
mod report;

pub use self::html::page_style;
pub use self::report::report_html;

use super::Style;
use super::theme::Theme;
use chainrule_report::characters;

/// The columns of Markdown, which fit on paper.
const COLUMNS: usize = 80;

/// The line on which the reader of a worksheet writes a number.
pub const GAP: &str = "__________";

/// The format of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DocumentFormat {
    /// Markdown: blocks of code, pictures as links.
    Markdown,
    /// A self-contained page of HTML.
    Html,
}

/// A document that is being written.
#[derive(Debug)]
pub struct Document {
    format: DocumentFormat,
    /// Its title, unless the document begins with a heading.
    title: String,
    /// The program that writes it, with its version.
    generator: &'static str,
    /// Whether its head is written, here or by another program.
    has_head: bool,
    /// Whether a block of statements and answers is open.
    is_in_block: bool,
    sections: SectionState,
    /// Whether its present part has a picture.
    pub has_picture: bool,
    /// The worksheet that it is, as a page of HTML.
    pub worksheet: Option<Worksheet>,
    /// The number of statements and questions of a worksheet so far.
    numbered: usize,
    /// The last statement or question of a key as HTML, until one of its answers is written; then empty.
    waiting: String,
}

/// The state of sections. On a page a statement is a section with its answers, which printers keep together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SectionState {
    /// The document has none: it is Markdown, or a part of a page.
    None,
    /// No section is open.
    Closed,
    /// A section is open.
    Open,
}

/// A worksheet: a page with gaps, or its key, which is a page with only what is asked for.
#[derive(Clone, Copy, Debug)]
pub struct Worksheet {
    /// Whether it is the key.
    pub is_key: bool,
    /// The seed of the random numbers, for the title of the key.
    pub seed: Option<u32>,
}

/// A picture that a statement has written into a file.
#[derive(Debug)]
pub struct DocumentPicture {
    /// The words that describe it.
    pub title: String,
    /// The path of the file.
    pub path: String,
    /// The picture itself, as an element of a page.
    pub element: String,
    /// Whether a worksheet asks for a part of it.
    pub is_asked: bool,
}

impl DocumentPicture {
    /// Writes an image of Markdown.
    fn write_link(&self, out: &mut String) {
        out.push_str("![");
        out.push_str(&characters::escape_markdown(&self.title));
        out.push_str("](");
        out.push_str(&characters::escape_address(&self.path));
        out.push_str(")\n");
    }
}

impl Document {
    /// A document with this title, unless it begins with a heading, by the program `generator`.
    pub fn new(format: DocumentFormat, title: &str, generator: &'static str) -> Document {
        Document {
            format,
            title: title.to_owned(),
            generator,
            has_head: false,
            is_in_block: false,
            sections: match format {
                DocumentFormat::Html => SectionState::Closed,
                DocumentFormat::Markdown => SectionState::None,
            },
            has_picture: false,
            worksheet: None,
            numbered: 0,
            waiting: String::new(),
        }
    }

    /// A part of a page that another program writes. It has no head, no sections and no end.
    pub fn part_of_page() -> Document {
        Document {
            has_head: true,
            sections: SectionState::None,
            ..Document::new(DocumentFormat::Html, "", "")
        }
    }

    /// Whether it is a page of HTML, on which answers are elements, or a part of one.
    pub fn is_page(&self) -> bool {
        self.format == DocumentFormat::Html
    }

    /// The style of its answers.
    #[must_use]
    pub fn style(&self, style: &Style) -> Style {
        let (width, theme) = match self.format {
            DocumentFormat::Markdown => (Some(COLUMNS), None),
            DocumentFormat::Html => (None, Some(Theme::Page)),
        };
        Style {
            width,
            theme,
            ..*style
        }
    }

    /// Writes Markdown that stands between statements.
    pub fn prose(&mut self, text: &str, out: &mut String) {
        if !self.has_head
            && let Some(title) = prose::title(text)
        {
            self.title = title;
        }
        if self.skips(false, out) {
            return;
        }
        self.end_section(out);
        self.go_between_blocks(out);
        match self.format {
            DocumentFormat::Markdown => out.push_str(&prose::clean(text)),
            DocumentFormat::Html => prose::html(text, out),
        }
    }

    fn is_key(&self) -> bool {
        self.worksheet.is_some_and(|it| it.is_key)
    }

    /// Whether it leaves out a part: a key has only what is asked for, below its statement.
    fn skips(&mut self, is_asked: bool, out: &mut String) -> bool {
        if !self.is_key() {
            return false;
        }
        self.begin(out);
        if is_asked && !self.waiting.is_empty() {
            self.end_section(out);
            out.push_str(&std::mem::take(&mut self.waiting));
            self.sections = SectionState::Open;
        }
        !is_asked
    }

    /// The number of the next statement or question of a worksheet.
    fn next_number(&mut self) -> String {
        if self.worksheet.is_none() {
            return String::new();
        }
        self.numbered += 1;
        format!("<small>{}</small>", self.numbered)
    }

    /// Writes a statement, laid out after its prompt. `is_asked`: it has a gap on a worksheet.
    pub fn statement(&mut self, statement: &str, is_asked: bool, out: &mut String) {
        let number = self.next_number();
        if self.is_key() {
            let typed = html::text(statement, "kbd");
            self.waiting = format!("{}<pre>{number}{typed}</pre>\n", html::BEGIN_SECTION);
            self.skips(is_asked, out);
            return;
        }
        if self.sections != SectionState::None && !self.is_in_block {
            self.begin(out);
            self.end_section(out);
            out.push_str(html::BEGIN_SECTION);
            self.sections = SectionState::Open;
        }
        self.go_into_block(out);
        out.push_str(&number);
        self.text(statement, "kbd", out);
    }

    /// Writes a question of a lesson. A worksheet has a line for the answer, any other document has the answer, if there is
    /// one.
    pub fn question(&mut self, question: &str, answer: &str, out: &mut String) {
        if self.worksheet.is_none() {
            let answer_text = match answer {
                "" => String::new(),
                answer => format!("\n\n*Answer:* {}", characters::escape_markdown(answer)),
            };
            return self.prose(&format!("{question}{answer_text}"), out);
        }
        let mut section = html::BEGIN_SECTION.to_owned() + &self.next_number();
        prose::html(question, &mut section);
        if self.is_key() {
            self.waiting = section;
            if !self.skips(!answer.is_empty(), out) {
                out.extend(["<p>", &html::text(answer, "samp"), "</p>\n"]);
            }
            return;
        }
        self.end_section(out);
        self.go_between_blocks(out);
        let line = GAP.repeat(4);
        out.extend([&*section, "<p class=\"line\">", &line, "</p>\n"]);
        out.push_str(html::END_SECTION);
    }

    /// Writes an answer, a note or an error under its statement.
    pub fn answer(&mut self, text: &str, out: &mut String) {
        if text.is_empty() || self.skips(false, out) {
            return;
        }
        self.go_into_block(out);
        self.text(text, "samp", out);
        if !text.ends_with('\n') {
            out.push('\n');
        }
        // On a page a block has one statement.
        if self.is_page() {
            self.end_block(out);
        }
    }

    /// Writes an answer as elements of a page under its statement. `is_asked`: it has gaps on a worksheet.
    pub fn elements(&mut self, answer: &str, is_asked: bool, out: &mut String) {
        if !answer.is_empty() && !self.skips(is_asked, out) {
            self.go_between_blocks(out);
            out.push_str(answer);
        }
    }

    /// Writes text in a block; on a page it becomes an element of this name.
    fn text(&self, text: &str, element: &str, out: &mut String) {
        match self.format {
            DocumentFormat::Markdown => out.push_str(text),
            DocumentFormat::Html => out.push_str(&html::text(text, element)),
        }
    }

    /// Shows a picture.
    pub fn picture(&mut self, picture: &DocumentPicture, out: &mut String) {
        if self.skips(picture.is_asked, out) {
            return;
        }
        self.go_between_blocks(out);
        self.has_picture = true;
        match self.format {
            DocumentFormat::Markdown => picture.write_link(out),
            DocumentFormat::Html => out.push_str(&html::figure(&picture.element)),
        }
    }

    /// Ends the document.
    pub fn end(&mut self, out: &mut String) {
        if self.skips(false, out) && self.sections == SectionState::Closed {
            prose::html("There are no gaps.", out);
        }
        self.begin(out);
        self.end_section(out);
        // A part of a page has no sections; the program that writes the page ends it.
        if self.sections != SectionState::None {
            out.push_str(html::END_PAGE);
        }
    }

    /// Writes the head, unless it is written already. Returns whether it was. Markdown has no head.
    fn begin(&mut self, out: &mut String) -> bool {
        let had_head = std::mem::replace(&mut self.has_head, true);
        if had_head || !self.is_page() {
            return had_head;
        }
        let Some(Worksheet { is_key: true, seed }) = self.worksheet else {
            let class = self.worksheet.map_or("", |_| " class=\"gaps\"");
            let head = html::begin(&self.title, self.generator);
            out.extend([&*head, "<main", class, ">\n"]);
            return false;
        };
        let of_seed = seed.map(|seed| format!(" for seed {seed}"));
        let title = format!("{}: answers{}", self.title, of_seed.unwrap_or_default());
        out.push_str(&html::begin(&title, self.generator));
        out.push_str("<main class=\"key\">\n");
        prose::html(&format!("# {title}"), out);
        false
    }

    /// Ends an open block, so that prose or a picture can follow.
    fn go_between_blocks(&mut self, out: &mut String) {
        let had_head = self.begin(out);
        self.end_block(out);
        // A blank line stands between two parts of Markdown.
        if had_head && !self.is_page() {
            out.push('\n');
        }
    }

    /// Opens a block, if none is open. In Markdown its name lets programs find it. Statements begin with their prompt and
    /// answers contain no fence, so nothing ends a block early.
    fn go_into_block(&mut self, out: &mut String) {
        if self.is_in_block {
            return;
        }
        self.go_between_blocks(out);
        self.is_in_block = true;
        out.push_str(match self.format {
            DocumentFormat::Markdown => "```chainrule\n",
            DocumentFormat::Html => "<pre>",
        });
    }

    /// Ends a statement with its answers.
    fn end_section(&mut self, out: &mut String) {
        self.end_block(out);
        if self.sections == SectionState::Open {
            self.sections = SectionState::Closed;
            out.push_str(html::END_SECTION);
        }
    }

    /// Ends the block of statements and answers.
    pub fn end_block(&mut self, out: &mut String) {
        if std::mem::take(&mut self.is_in_block) {
            out.push_str(match self.format {
                DocumentFormat::Markdown => "```\n",
                DocumentFormat::Html => "</pre>\n",
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_are_links() {
        for (title, path, expected) in [
            (
                "graph of L, 3 nodes",
                "L.svg",
                "![graph of L, 3 nodes](L.svg)\n",
            ),
            (
                "y = a[1]*x over x",
                "my (1).svg",
                "![y = a\\[1\\]\\*x over x](my%20%281%29.svg)\n",
            ),
            ("L", "é/L.svg", "![L](é/L.svg)\n"),
        ] {
            let mut out = String::new();
            let shown = DocumentPicture {
                title: title.into(),
                path: path.into(),
                element: String::new(),
                is_asked: false,
            };
            shown.write_link(&mut out);
            assert_eq!(out, expected);
        }
    }
}
