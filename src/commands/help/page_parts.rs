//! Makes the paragraphs, gaps and reports of pages: of help, of lessons and of messages from the shell.

use chainrule_report::{Block, Fact, Line, Prose, Report, markdown_line};

pub(crate) fn paragraph(text: &str) -> Block {
    Block::Prose(Prose::paragraph(markdown_line(text)))
}

pub(crate) fn gap() -> Block {
    Block::Line(Line::new())
}

/// Makes a page of help: blocks for people, and the lines of the blocks for programs.
pub(super) fn help_report(name: &str, blocks: Vec<Block>) -> Report {
    let facts = vec![
        ("what", Fact::Text(name.to_string())),
        ("text", Fact::List(lines(&blocks))),
    ];
    Report::new("help", facts, blocks)
}

/// Returns the lines of text in blocks, for programs. Tables and pictures have none: programs get them as data.
pub(crate) fn lines(blocks: &[Block]) -> Vec<Fact> {
    let mut text = Vec::new();
    for block in blocks {
        match block {
            Block::Line(line) => text.push(Fact::Sentence(line.clone())),
            Block::Prose(prose) => text.push(Fact::Sentence(prose.whole())),
            Block::Code(code) => text.extend(code.lines().map(|line| Fact::Text(line.to_string()))),
            Block::Values(_)
            | Block::Table(_)
            | Block::Tree(_)
            | Block::Graph(_)
            | Block::Plot(_) => {}
        }
    }
    text
}
