//! `:help search WORD`: finds words in the pages of commands, topics, operations, functions, constants and settings.
//!
//! A page is found if each typed word begins a word of the page. A page whose name is the typed word comes first, then
//! pages that have the words in their heading. A result shows one sentence: of the first sentences that have each of
//! the typed words, the one that is last on the page.

use super::{Subject, strip_colon, subjects};
use chainrule_report::{
    Block, Cell, Column, Fact, Piece, Report, Table, dim, markdown_line, say, term_rows,
};

/// The most results that people see; JSON has all.
const MAX_SHOWN: usize = 8;

/// A page with all the words.
struct FoundPage {
    /// The line that shows it: `:help tanh`.
    typed: String,
    kind: &'static str,
    /// Whether the typed word is a name of the page.
    is_name: bool,
    /// Whether all words are in its heading.
    is_in_heading: bool,
    /// The sentence that the result shows; of a heading, only the summary.
    sentence: String,
}

/// A report of the pages that contain all the words: terms for people, and a table for JSON. `None` if there are none.
pub(super) fn report(words: &[&str]) -> Option<Report> {
    let beginnings = words.iter().map(|word| strip_colon(word).to_lowercase());
    let beginnings: Vec<String> = beginnings.collect();
    let found = subjects().filter_map(|subject| find(&subject, &beginnings));
    let mut pages: Vec<FoundPage> = found.collect();
    if pages.is_empty() {
        return None;
    }
    // `false` comes before `true`.
    pages.sort_by_key(|page| (!page.is_name, !page.is_in_heading));
    let mut blocks = Vec::new();
    let shown = pages.iter().take(MAX_SHOWN);
    let terms = shown.map(|page| (page.typed.clone(), markdown_line(&page.sentence)));
    blocks.extend(term_rows(terms.collect()));
    if pages.len() > MAX_SHOWN {
        let more = pages.len() - MAX_SHOWN;
        let line = say!("  … and {} more: add another word", more);
        blocks.push(Block::Line(dim(line)));
    }
    // Only JSON has this table.
    let columns = ["typed", "what", "place"].map(Column::machines).into();
    let mut rows = Vec::new();
    for page in pages {
        rows.push(vec![
            Cell::Formula(page.typed),
            Cell::Dim(page.kind.to_string()),
            Cell::Text(page.sentence),
        ]);
    }
    blocks.push(Block::Table(Table::new("rows", columns, rows)));
    let facts = vec![("search", Fact::Text(words.join(" ")))];
    Some(Report::new(&super::COMMAND, facts, blocks))
}

/// Returns the page of a subject as a result if, for each beginning, it has a word that begins so.
fn find(subject: &Subject, beginnings: &[String]) -> Option<FoundPage> {
    let names = &subject.names;
    let mut sentences = sentences_of(&(subject.make_page)().blocks);
    // The heading of a page is a name and a summary, which `Prose::whole` joins with three blanks.
    let heading = sentences.first_mut()?;
    let summary = heading.rsplit("   ").next()?.to_owned();
    // The other names do not stand on the page, but are searched, too.
    *heading = format!("{} {heading}", names.join(" "));
    let first_with = |word: &String| sentences.iter().position(|text| has_word(text, word));
    let first_places: Option<Vec<usize>> = beginnings.iter().map(first_with).collect();
    let shown = first_places?.into_iter().max()?;
    let is_in_heading = shown == 0;
    let sentence = if is_in_heading {
        summary
    } else {
        sentences.swap_remove(shown)
    };
    let is_command = subject.kind == "command";
    let colon = if is_command { ":" } else { "" };
    Some(FoundPage {
        typed: format!(":help {colon}{}", names[0]),
        kind: subject.kind,
        is_name: names.iter().any(|name| beginnings == [*name]),
        is_in_heading,
        sentence,
    })
}

/// Whether a word of the text begins with `beginning`, which is in small letters; the case of the text does not matter.
/// A sign such as `*` is found anywhere.
fn has_word(text: &str, beginning: &str) -> bool {
    let lower = text.to_lowercase();
    let is_word = beginning.starts_with(char::is_alphanumeric);
    let mut matches = lower.match_indices(beginning);
    matches.any(|(at, _)| !is_word || !lower[..at].ends_with(char::is_alphanumeric))
}

/// Splits the text of blocks into sentences, without the marks of formulas. The heading comes first.
fn sentences_of(blocks: &[Block]) -> Vec<String> {
    let mut sentences = Vec::new();
    for block in blocks {
        let line = match block {
            // The mark before an item of a list is not a word.
            Block::Prose(prose) if prose.term == [Piece::plain("-")] => prose.line.clone(),
            Block::Prose(prose) => prose.whole(),
            Block::Line(line) => line.clone(),
            _ => continue,
        };
        let text: String = line.iter().map(Piece::words).collect();
        let plain = text.replace('`', "");
        let parts = plain.split_inclusive(". ");
        sentences.extend(parts.map(|part| part.trim().to_string()));
    }
    sentences
}
