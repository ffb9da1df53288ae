//! A script with its answers as a document: comments as prose, statements behind a prompt, answers under them, pictures.
//!
//! It grows from top to bottom while the script runs, so a long script takes no memory. Consecutive statements are in one
//! block; prose or a picture ends it.

mod html;
mod prose;
mod report;

pub use self::html::page_style;
pub use self::report::report_html;

use super::theme::Theme;
use super::{GAP, Style};
use chainrule_report::characters;

/// The columns of Markdown, which fit on paper.
const COLUMNS: usize = 80;

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
    /// The worksheet that it is.
    worksheet: Option<Worksheet>,
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

/// A worksheet, with its answers, which are a page of their own.
#[derive(Debug, Default)]
struct Worksheet {
    /// The number of statements so far: each has its number.
    statements: usize,
    /// The last statement as HTML, until one of its answers is listed; then empty.
    statement: String,
    /// The listed statements with their answers. The last section is still open.
    answers: String,
    /// The document is the page of the answers, with the seed of the random numbers in its title.
    is_key: bool,
    seed: Option<u32>,
}

/// A picture that a statement has written into a file.
#[derive(Debug)]
pub struct DocumentPicture {
    /// The words that describe it.
    pub title: String,
    /// The path of the file.
    pub path: String,
    /// The picture itself, as SVG.
    pub content: Vec<u8>,
    /// The picture without gaps, if `content` has some.
    pub answer: Option<Vec<u8>>,
}

impl DocumentPicture {
    /// Whether a document can show a file with this ending.
    pub fn can_show(ending: &str) -> bool {
        ending == "svg"
    }

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
            worksheet: None,
        }
    }

    /// The same document as a worksheet or, if `is_key`, as the page of its answers. It must be a page of HTML.
    #[must_use]
    pub fn with_gaps(mut self, is_key: bool, seed: Option<u32>) -> Document {
        self.worksheet = Some(Worksheet {
            is_key,
            seed,
            ..Worksheet::default()
        });
        self
    }

    /// Whether nothing of it is written before its end, as of a key, for which the worksheet is only read.
    pub fn waits_for_end(&self) -> bool {
        self.worksheet.as_ref().is_some_and(|it| it.is_key)
    }

    /// Whether it is a worksheet.
    pub fn has_gaps(&self) -> bool {
        self.worksheet.is_some()
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
            has_gaps: self.has_gaps(),
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
        self.end_section(out);
        self.go_between_blocks(out);
        match self.format {
            DocumentFormat::Markdown => out.push_str(&prose::clean(text)),
            DocumentFormat::Html => prose::html(text, out),
        }
    }

    /// Writes a statement, laid out after its prompt. On a worksheet it may have a gap; `whole` is the statement
    /// without it.
    pub fn statement(&mut self, shown: &str, whole: &str, out: &mut String) {
        if self.sections != SectionState::None && !self.is_in_block {
            self.begin(out);
            self.end_section(out);
            out.push_str(html::BEGIN_SECTION);
            self.sections = SectionState::Open;
        }
        self.go_into_block(out);
        if let Some(worksheet) = &mut self.worksheet {
            worksheet.statements += 1;
            let number = format!("<small>{}</small>", worksheet.statements);
            out.push_str(&number);
            let typed = html::text(whole, "kbd");
            worksheet.statement = format!("{}<pre>{number}{typed}</pre>\n", html::BEGIN_SECTION);
        }
        self.text(shown, "kbd", out);
        // The missing part of the statement is its answer.
        if shown != whole {
            self.list_answer("");
        }
    }

    /// Writes a question of a lesson. A worksheet has a line for the answer, any other document has the answer, if there is
    /// one.
    pub fn question(&mut self, question: &str, answer: &str, out: &mut String) {
        let Some(worksheet) = &mut self.worksheet else {
            let answer_text = match answer {
                "" => String::new(),
                answer => format!("\n\n*Answer:* {}", characters::escape_markdown(answer)),
            };
            return self.prose(&format!("{question}{answer_text}"), out);
        };
        worksheet.statements += 1;
        let mut asked = format!(
            "{}<small>{}</small>",
            html::BEGIN_SECTION,
            worksheet.statements
        );
        prose::html(question, &mut asked);
        worksheet.statement.clone_from(&asked);
        self.end_section(out);
        self.go_between_blocks(out);
        out.push_str(&asked);
        out.extend([
            "<p class=\"line\">",
            &GAP.repeat(4),
            "</p>\n",
            html::END_SECTION,
        ]);
        if !answer.is_empty() {
            let listed = format!("<p>{}</p>\n", html::text(answer, "samp"));
            self.list_answer(&listed);
        }
    }

    /// Adds an answer to those of a worksheet, the first answer of a statement under the statement.
    fn list_answer(&mut self, html: &str) {
        if let Some(worksheet) = &mut self.worksheet {
            if !worksheet.statement.is_empty() && !worksheet.answers.is_empty() {
                worksheet.answers += html::END_SECTION;
            }
            worksheet.answers += &std::mem::take(&mut worksheet.statement);
            worksheet.answers += html;
        }
    }

    /// Writes an answer, a note or an error under its statement.
    pub fn answer(&mut self, text: &str, out: &mut String) {
        if text.is_empty() {
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

    /// Writes an answer as elements of a page under its statement. On a worksheet it may have gaps; `whole` is the answer
    /// without them.
    pub fn elements(&mut self, shown: &str, whole: &str, out: &mut String) {
        if !shown.is_empty() {
            self.go_between_blocks(out);
            out.push_str(shown);
        }
        if shown != whole {
            self.list_answer(whole);
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
        self.go_between_blocks(out);
        match self.format {
            DocumentFormat::Markdown => picture.write_link(out),
            DocumentFormat::Html => out.push_str(&html::picture(&picture.content)),
        }
        if let Some(answer) = &picture.answer {
            self.list_answer(&html::picture(answer));
        }
    }

    /// Ends the document. A key is written now, in place of what `out` has.
    pub fn end(&mut self, out: &mut String) {
        self.begin(out);
        self.end_section(out);
        if let Some(key) = self.worksheet.take_if(|it| it.is_key) {
            let of_seed = key.seed.map(|seed| format!(" for seed {seed}"));
            let title = format!("{}: answers{}", self.title, of_seed.unwrap_or_default());
            *out = html::begin(&title, self.generator) + "<main class=\"key\">\n";
            prose::html(&format!("# {title}"), out);
            if key.answers.is_empty() {
                prose::html("There are no gaps.", out);
            } else {
                out.push_str(&(key.answers + html::END_SECTION));
            }
        }
        // A part of a page has no sections; the program that writes the page ends it.
        if self.sections != SectionState::None {
            out.push_str(html::END_PAGE);
        }
    }

    /// Writes the head, unless it is written already. Returns whether it was. Markdown has no head.
    fn begin(&mut self, out: &mut String) -> bool {
        let had_head = std::mem::replace(&mut self.has_head, true);
        if !had_head && self.is_page() {
            out.push_str(&html::begin(&self.title, self.generator));
            out.push_str(if self.has_gaps() {
                "<main class=\"gaps\">\n"
            } else {
                "<main>\n"
            });
        }
        had_head
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
                content: Vec::new(),
                answer: None,
            };
            shown.write_link(&mut out);
            assert_eq!(out, expected);
        }
    }
}
