//! `:help search WORD`: finds words in the pages of commands, topics, operations, functions, constants and settings.
//!
//! A page is found if each typed word is the beginning of a word on the page. Pages with this name come first, then
//! those with the words in their heading. The result shows the sentence in which the last of the words was found.

use super::{Subject, page_parts, strip_colon, subjects};
use chainrule_report::{
    Block, Cell, Column, Fact, Piece, Report, Table, dim, markdown_line, say, term_rows,
};

/// The most results shown as text; JSON has all.
const MOST: usize = 8;

/// A page with all the words.
struct FoundPage {
    /// The line that shows it: `:help tanh`.
    typed: String,
    what: &'static str,
    /// Whether it has this name.
    exact: bool,
    /// Whether all words are in its heading.
    heading: bool,
    /// The sentence with the words.
    place: String,
}

/// The pages that contain all the words.
pub(super) fn report(words: &[&str]) -> Report {
    let typed = words.join(" ");
    let asked = words.iter().map(|word| strip_colon(word).to_lowercase());
    let asked: Vec<String> = asked.collect();
    let found = subjects().filter_map(|subject| find(&subject, &asked));
    let mut found: Vec<FoundPage> = found.collect();
    found.sort_by_key(|page| (!page.exact, !page.heading));
    let mut blocks = Vec::new();
    if found.is_empty() {
        let line = format!("nothing has `{typed}`; `:help` shows what there is");
        blocks.push(page_parts::paragraph(&line));
    }
    let shown = found.iter().take(MOST);
    let shown = shown.map(|page| (page.typed.clone(), markdown_line(&page.place)));
    blocks.extend(term_rows(shown.collect()));
    if found.len() > MOST {
        let more = found.len() - MOST;
        let line = say!("  … and {} more: give another word, too", more);
        blocks.push(Block::Line(dim(line)));
    }
    let row = |page: FoundPage| {
        vec![
            Cell::Formula(page.typed),
            Cell::Dim(page.what.to_string()),
            Cell::Text(page.place),
        ]
    };
    let columns = ["typed", "what", "place"].map(Column::machines).into();
    let rows: Vec<_> = found.into_iter().map(row).collect();
    blocks.push(Block::Table(Table::new("rows", columns, rows)));
    Report::new("help", vec![("search", Fact::Text(typed))], blocks)
}

/// The page of a subject as a result if it has all the words.
fn find(subject: &Subject, asked: &[String]) -> Option<FoundPage> {
    let names = &subject.names;
    let mut lines = sentences(&(subject.page)().blocks);
    // The heading is a name and a summary.
    let heading = lines.first_mut()?;
    *heading = format!("{}   {heading}", names.join(" "));
    let place = |word: &String| lines.iter().position(|line| begins(line, word));
    let places: Option<Vec<usize>> = asked.iter().map(place).collect();
    let last = places?.into_iter().max()?;
    let summary = lines[last].rsplit("   ").next().filter(|_| last == 0);
    let colon = if subject.kind == "command" { ":" } else { "" };
    Some(FoundPage {
        typed: format!(":help {colon}{}", names[0]),
        what: subject.kind,
        exact: names.iter().any(|name| asked == [*name]),
        heading: last == 0,
        place: summary.unwrap_or(&lines[last]).to_string(),
    })
}

/// Whether a word of the text begins with this one, in small letters or capitals. A sign such as `*` matches anywhere.
fn begins(text: &str, word: &str) -> bool {
    let text = text.to_lowercase();
    text.match_indices(word).any(|(at, _)| {
        !(text[..at].ends_with(char::is_alphanumeric) && word.starts_with(char::is_alphanumeric))
    })
}

/// The sentences of blocks, the heading first.
fn sentences(blocks: &[Block]) -> Vec<String> {
    let mut sentences = Vec::new();
    for block in blocks {
        let line = match block {
            // The mark before an item of a list is no word.
            Block::Prose(prose) if prose.term == [Piece::plain("-")] => prose.line.clone(),
            Block::Prose(prose) => prose.whole(),
            Block::Line(line) => line.clone(),
            _ => continue,
        };
        let words: String = line.iter().map(Piece::words).collect();
        let words = words.replace('`', "");
        sentences.extend(words.split_inclusive(". ").map(|it| it.trim().to_string()));
    }
    sentences
}
