//! Help texts as blocks: text between backticks is something to type, or a formula.
//!
//! The view breaks lines.

use crate::report::{Block, Fact, Line, Piece, Prose, Report, Role, say};

/// The widest term with its words beside it.
const TERM: usize = 30;

/// A sentence: `` `:grad L` `` is to be typed, `` `a*b` `` is a formula. The backticks stay, dimmed, for terminals
/// without colours; `**this**` stands out.
pub(crate) fn line(text: &str) -> Line {
    let mut line = Line::new();
    for (place, part) in text.split('`').enumerate() {
        if part.is_empty() {
            continue;
        }
        if place % 2 == 0 {
            line.extend(emphasized(part));
        } else {
            let inner = if part.starts_with(':') {
                Piece::typed(part)
            } else {
                Piece::formula(part)
            };
            line.extend([Piece::dim("`"), inner, Piece::dim("`")]);
        }
    }
    line
}

/// Words in which `**these**` stand out.
fn emphasized(text: &str) -> Line {
    let mut line = Line::new();
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once("**")
        && let Some((words, after)) = behind.split_once("**")
        && !words.is_empty()
        && words.trim() == words
    {
        line.extend([
            Piece::plain(before),
            Piece::Words(Role::Heading, words.to_owned()),
        ]);
        rest = after;
    }
    line.push(Piece::plain(rest));
    line.retain(|piece| !piece.words().is_empty());
    line
}

pub(crate) fn paragraph(text: &str) -> Block {
    Block::Prose(Prose::paragraph(line(text)))
}

pub(crate) fn gap() -> Block {
    Block::Line(Line::new())
}

/// Terms with their meanings, aligned in one column.
pub(crate) fn rows<T: AsRef<str>, W: AsRef<str>>(rows: &[(T, W)]) -> Vec<Block> {
    let widths = rows.iter().map(|(term, _)| term.as_ref().chars().count());
    let column = widths.max().unwrap_or(0).min(TERM) + 5;
    let row = |(term, words): &(T, W)| {
        Block::Prose(Prose {
            term: say!("{:typed}", term.as_ref()),
            column,
            line: line(words.as_ref()),
        })
    };
    rows.iter().map(row).collect()
}

/// A page of help: blocks for people, and their lines for machines, which get tables and menus as such anyway.
pub(crate) fn report(kind: &'static str, what: &str, blocks: Vec<Block>) -> Report {
    let facts = vec![
        ("what", Fact::Text(what.to_string())),
        ("text", Fact::List(lines(&blocks))),
    ];
    Report::new(kind, facts, blocks)
}

/// The lines of blocks as facts.
pub(crate) fn lines(blocks: &[Block]) -> Vec<Fact> {
    let mut text = Vec::new();
    for block in blocks {
        match block {
            Block::Line(line) => text.push(Fact::Sentence(line.clone())),
            Block::Prose(prose) => text.push(Fact::Sentence(prose.whole())),
            Block::Code(code) => text.extend(code.lines().map(|line| Fact::Text(line.to_string()))),
            Block::List { .. }
            | Block::Table(_)
            | Block::Tree(_)
            | Block::Graph(_)
            | Block::Plot(_) => {}
        }
    }
    text
}
