//! `:help search WORD`: finds a word in commands, operations, constants, settings and topics.
//!
//! Pages named exactly so come first, then pages whose name contains the word, then pages whose text does. A word that
//! is found nowhere is replaced by the nearest one that is.

use std::collections::BTreeSet;

use super::prose;
use super::topics::TOPICS;
use crate::commands::COMMANDS;
use crate::commands::args::signature;
use crate::diagnostic::suggest::nearest;
use crate::ops::{CONSTANTS, Domain, Op, TABLE};
use crate::report::{Block, Cell, Column, Fact, Piece, Report, Table, dim, say};
use crate::session::LIST_FUNCTIONS;
use crate::session::settings::SETTINGS;

/// The most results shown as text; JSON has all.
const MOST: usize = 16;
/// The most bytes shown of a line before the match, and in total.
const BEFORE: usize = 16;
const LONG: usize = 48;

/// A page of help.
struct Page {
    /// What to type after `:help`.
    name: String,
    /// Its name and aliases.
    names: Vec<String>,
    what: &'static str,
    summary: String,
    text: String,
}

/// The pages that contain all the words.
pub(crate) fn report(words: &[&str]) -> Report {
    let pages = pages();
    let asked: Vec<String> = words.iter().map(|word| bare(word)).collect();
    // First beginnings of words, since `tie` should not find every quotient; then any part of a word; then the nearest
    // word.
    let mut found = matching(&pages, &asked, begins);
    if found.is_empty() {
        found = matching(&pages, &asked, |text, word| text.contains(word));
    }
    let mut taken = None;
    if found.is_empty() {
        let known: BTreeSet<String> = pages.iter().flat_map(Page::words).collect();
        let meant: Vec<String> = asked
            .iter()
            .map(|word| {
                let near = nearest(word, known.iter().map(String::as_str));
                near.map_or_else(|| word.clone(), str::to_string)
            })
            .collect();
        if meant != asked {
            found = matching(&pages, &meant, begins);
            taken = (!found.is_empty()).then_some(meant);
        }
    }
    let sought = taken.as_ref().unwrap_or(&asked);
    let typed = words.join(" ");
    let mut blocks = Vec::new();
    if let Some(taken) = &taken {
        let line = format!("nothing has `{typed}`; this has `{}`:", taken.join(" "));
        blocks.push(prose::paragraph(&line));
    }
    if found.is_empty() {
        let line =
            format!("nothing has `{typed}`; `:help` shows what there is, `:ops` the operations");
        blocks.push(prose::paragraph(&line));
    }
    let places: Vec<(String, String)> = found
        .iter()
        .map(|page| (format!(":help {}", page.name), page.place(sought)))
        .collect();
    blocks.extend(prose::rows(&places[..places.len().min(MOST)]));
    if found.len() > MOST {
        let more = found.len() - MOST;
        blocks.push(Block::Line(dim(say!(
            "  … and {} more: give another word, too",
            more
        ))));
    }
    let row = |(page, (typed, place)): (&&Page, (String, String))| {
        let what = Cell::Dim(page.what.to_string());
        vec![Cell::Formula(typed), what, Cell::Text(place)]
    };
    let machines = Table {
        key: "rows",
        columns: ["typed", "what", "place"].map(Column::machines).into(),
        rows: found.iter().zip(places).map(row).collect(),
        omitted: None,
    };
    blocks.push(Block::Table(machines));
    Report::new(
        "help",
        vec![
            ("search", Fact::Text(typed)),
            (
                "taken",
                taken.map_or(Fact::Null, |taken| Fact::Text(taken.join(" "))),
            ),
        ],
        blocks,
    )
}

/// The pages that contain all words, those that have them in their names first.
fn matching<'p>(
    pages: &'p [Page],
    words: &[String],
    holds: fn(&str, &str) -> bool,
) -> Vec<&'p Page> {
    let mut found: Vec<(u8, &Page)> = pages
        .iter()
        .filter_map(|page| {
            let ranks: Option<Vec<u8>> = words.iter().map(|word| page.rank(word, holds)).collect();
            Some((ranks?.into_iter().max()?, page))
        })
        .collect();
    found.sort_by_key(|(rank, _)| *rank);
    found.into_iter().map(|(_, page)| page).collect()
}

/// Does a word of the text begin with this one? A sign such as `*` matches anywhere.
fn begins(text: &str, word: &str) -> bool {
    text.match_indices(word).any(|(at, _)| {
        !(text[..at].ends_with(char::is_alphanumeric) && word.starts_with(char::is_alphanumeric))
    })
}

/// The word in lower case, without a colon.
fn bare(word: &str) -> String {
    let lower = word.to_lowercase();
    match lower.strip_prefix(':') {
        Some(rest) if !rest.is_empty() => rest.to_string(),
        _ => lower,
    }
}

impl Page {
    /// How well a word fits: 0 if it is a name, then part of a name, of the summary, of the text; none if it is
    /// nowhere.
    fn rank(&self, word: &str, holds: fn(&str, &str) -> bool) -> Option<u8> {
        let holds = |text: &str| holds(&text.to_lowercase(), word);
        if self.names.iter().any(|name| name.to_lowercase() == word) {
            return Some(0);
        }
        // A sign is part of almost every text, so it is looked for in names and summaries only.
        let sign = !word.chars().any(char::is_alphanumeric);
        if self.names.iter().any(|name| holds(name)) {
            Some(1)
        } else if holds(&self.summary) {
            Some(2)
        } else {
            (!sign && holds(&self.text)).then_some(3)
        }
    }

    /// Where the words were found: the summary, or the part of the text around the first of them.
    fn place(&self, words: &[String]) -> String {
        let summary = self.summary.to_lowercase();
        let missing = words.iter().find(|word| {
            !begins(&summary, word)
                && !self
                    .names
                    .iter()
                    .any(|name| begins(&name.to_lowercase(), word))
        });
        let Some(word) = missing else {
            return self.summary.clone();
        };
        self.text
            .lines()
            .find_map(|line| excerpt(line, word, begins))
            .or_else(|| {
                self.text
                    .lines()
                    .find_map(|line| excerpt(line, word, |_, _| true))
            })
            .unwrap_or_else(|| self.summary.clone())
    }

    /// All words of the page, in lower case.
    fn words(&self) -> BTreeSet<String> {
        let whole = format!("{} {} {}", self.names.join(" "), self.summary, self.text);
        whole
            .to_lowercase()
            .split(|c: char| !c.is_alphanumeric())
            .filter(|word| word.len() > 1)
            .map(str::to_string)
            .collect()
    }
}

/// The part of a line around a word, if the line contains it.
fn excerpt(line: &str, word: &str, holds: fn(&str, &str) -> bool) -> Option<String> {
    let lower = line.to_lowercase();
    if !holds(&lower, word) {
        return None;
    }
    let places = || lower.match_indices(word).map(|(at, _)| at);
    let at = places()
        .find(|&at| !lower[..at].ends_with(char::is_alphanumeric))
        .or_else(|| places().next())?;
    // Lower case may take more bytes than upper case: then the line is shown from its beginning.
    let at = if lower.len() == line.len() {
        line.floor_char_boundary(at)
    } else {
        0
    };
    let from = at
        .saturating_sub(BEFORE)
        .min(line.len().saturating_sub(LONG));
    let from = line.floor_char_boundary(from);
    let start = match line[from..at].find(' ') {
        Some(blank) if from > 0 => from + blank + 1,
        _ => from,
    };
    let dots = if start > 0 { "… " } else { "" };
    let rest = &line[start..];
    let end = rest.floor_char_boundary(rest.len().min(LONG));
    let (end, more) = match rest[..end].rfind(' ') {
        Some(blank) if end < rest.len() && start + blank > at + word.len() => (blank, " …"),
        _ => (rest.len(), ""),
    };
    Some(format!("{dots}{}{more}", rest[..end].trim_end()))
}

/// The text of an operation's page without the parts that all pages share.
fn told(op: &Op) -> String {
    let mut text = crate::commands::look::ops::derivatives(op);
    if let Domain::Where {
        text: domain, hint, ..
    } = op.domain
    {
        for part in ["\ndefined for ", domain, "\n", hint.unwrap_or_default()] {
            text.push_str(part);
        }
    }
    for kink in op.kinks {
        for part in ["\nat ", kink.at, ": ", kink.convention] {
            text.push_str(part);
        }
    }
    for flat in op.flats {
        text.push_str("\nflat: it ");
        text.push_str(flat.said);
    }
    text.replace('`', "")
}

/// All pages.
fn pages() -> Vec<Page> {
    let mut pages = Vec::new();
    let mut page = |what, name: String, names: &[&str], summary: &str, text: String| {
        pages.push(Page {
            name,
            names: names.iter().map(ToString::to_string).collect(),
            what,
            summary: summary.to_string(),
            text,
        });
    };
    for command in COMMANDS {
        let arguments: Vec<String> = signature::told(command)
            .into_iter()
            .map(|(usage, meaning)| format!("{usage}: {meaning}"))
            .collect();
        let text = format!("{}\n{}", arguments.join("\n"), command.details).replace('`', "");
        let names = [&[command.name], command.aliases].concat();
        let typed = format!(":{}", command.name);
        page("command", typed, &names, command.summary, text);
    }
    for topic in TOPICS.iter() {
        let names = [&[topic.name], &*topic.also].concat();
        let text = plain(&topic.blocks());
        page("topic", topic.name.to_string(), &names, topic.summary, text);
    }
    for op in TABLE {
        let names = [&[op.spelling, op.name], op.aliases].concat();
        let name = op.spelling.to_string();
        page("operation", name, &names, op.summary, told(op));
    }
    for function in &LIST_FUNCTIONS {
        let names: Vec<&str> = std::iter::once(function.name)
            .chain(function.also)
            .collect();
        let name = function.name.to_string();
        page(
            "function",
            name,
            &names,
            function.what,
            function.example.to_string(),
        );
    }
    for (name, _, summary) in CONSTANTS {
        page(
            "constant",
            (*name).to_string(),
            &[name],
            summary,
            String::new(),
        );
    }
    for setting in SETTINGS {
        let (key, text) = (setting.key, setting.possible().replace('`', ""));
        page("setting", key.to_string(), &[key], setting.summary, text);
    }
    pages
}

/// The text of blocks, one line each.
fn plain(blocks: &[Block]) -> String {
    let words = |piece: &Piece| match piece {
        // Dim backticks are no part of the words.
        Piece::Dim(text) => text.replace('`', ""),
        other => other.words().to_string(),
    };
    let mut out = String::new();
    for block in blocks {
        let line = match block {
            Block::Prose(prose) => prose.whole(),
            Block::Line(line) => line.clone(),
            _ => continue,
        };
        out.extend(line.iter().map(words));
        out.push('\n');
    }
    out
}
