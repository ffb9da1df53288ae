//! `:help search WORD`: finds a word in commands, operations, constants, settings and topics.
//!
//! Pages named exactly so come first, then pages whose name contains the word, then those whose summary or text does.

use super::prose;
use super::topics::{self, TOPICS};
use crate::commands::COMMANDS;
use crate::commands::args::signature;
use crate::ops::{CONSTANTS, Domain, Op, TABLE};
use crate::report::{Block, Cell, Column, Fact, Piece, Report, Table, dim, say};
use crate::session::LIST_FUNCTIONS;
use crate::session::settings::SETTINGS;

/// The most results shown as text; JSON has all.
const MOST: usize = 8;

/// A page of help.
struct Page {
    /// What to type after `:help`.
    name: String,
    /// Its name and aliases.
    names: Vec<String>,
    what: &'static str,
    /// The summary, then the sentences of the text.
    lines: Vec<String>,
}

/// The pages that contain all the words.
pub(crate) fn report(words: &[&str]) -> Report {
    let asked: Vec<String> = words.iter().map(|word| bare(word)).collect();
    let mut found: Vec<(usize, Page)> = pages()
        .into_iter()
        .filter_map(|page| {
            let ranks: Option<Vec<usize>> = asked.iter().map(|word| page.rank(word)).collect();
            Some((ranks?.into_iter().max()?, page))
        })
        .collect();
    found.sort_by_key(|(rank, _)| *rank);
    let typed = words.join(" ");
    let mut blocks = Vec::new();
    if found.is_empty() {
        let line =
            format!("nothing has `{typed}`; `:help` shows what there is, `:ops` the operations");
        blocks.push(prose::paragraph(&line));
    }
    let places: Vec<(String, String)> = found
        .iter()
        .map(|(_, page)| (format!(":help {}", page.name), page.place(&asked)))
        .collect();
    blocks.extend(prose::rows(&places[..places.len().min(MOST)]));
    if found.len() > MOST {
        let more = found.len() - MOST;
        blocks.push(Block::Line(dim(say!(
            "  … and {} more: give another word, too",
            more
        ))));
    }
    let row = |((_, page), (typed, place)): (&(usize, Page), (String, String))| {
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
    Report::new("help", vec![("search", Fact::Text(typed))], blocks)
}

/// Does a word of the text begin with this one, whatever the case? A sign such as `*` matches anywhere.
fn begins(text: &str, word: &str) -> bool {
    let text = text.to_lowercase();
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
    /// How well a word fits: 0 if it is a name, then part of a name, of the summary or the text; none if it is nowhere.
    fn rank(&self, word: &str) -> Option<usize> {
        if self.names.iter().any(|name| name.to_lowercase() == word) {
            Some(0)
        } else if self.names.iter().any(|name| begins(name, word)) {
            Some(1)
        } else {
            let found = self.lines.iter().position(|line| begins(line, word))?;
            Some(2 + found.min(1))
        }
    }

    /// Where the words were found: the sentence with the first of them that neither names nor summary have, else the
    /// summary.
    fn place(&self, words: &[String]) -> String {
        let missing = words.iter().find(|word| self.rank(word) == Some(3));
        let line = missing.and_then(|word| self.lines.iter().find(|line| begins(line, word)));
        line.unwrap_or(&self.lines[0]).clone()
    }
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
        let text = text.lines().flat_map(|line| line.split_inclusive(". "));
        let lines = std::iter::once(summary).chain(text);
        pages.push(Page {
            name,
            names: names.iter().map(ToString::to_string).collect(),
            what,
            lines: lines.map(|line| line.trim().to_string()).collect(),
        });
    };
    for command in COMMANDS {
        let arguments: Vec<String> = signature::told(command)
            .into_iter()
            .map(|(usage, meaning)| format!("{usage}: {meaning}"))
            .collect();
        let told = plain(&topics::blocks(command.text()));
        let text = format!("{}\n{told}", arguments.join("\n")).replace('`', "");
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
