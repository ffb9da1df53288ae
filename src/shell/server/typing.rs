//! Serves a line while it is typed: says whether it is whole, paints it, completes it, and explains the word at the
//! cursor.

use std::rc::Rc;

use super::Server;
use super::request::Request;
use crate::interpret;
use crate::shell::process::terminal::Stream;
use crate::shell::process::world;
use crate::shell::script::chunk::{chunks, wants_more};
use crate::shell::script::file_names::matching_files;
use crate::shell::script::host::TypingHost;
use crate::shell::script::typed_line;
use chainrule_language as language;
use chainrule_report::diagnostic::Result;
use chainrule_report::{Fact, Facts};
use chainrule_view::theme::on_page::class;
use chainrule_view::{self as view, Style};

/// How far the lines of a block are indented.
const BLOCK_INDENT: &str = "    ";

/// A request for how a text looks that is not entered yet.
pub(crate) struct TypedText {
    pub(crate) text: String,
    /// The position of the cursor, in characters; `None` if the text is not edited.
    pub(crate) cursor: Option<usize>,
    pub(crate) wants_html: bool,
    /// Whether the result is wanted that the text would have.
    pub(crate) wants_hint: bool,
}

impl TypedText {
    /// Takes the fields of a request.
    pub(crate) fn of(request: &mut Request) -> Result<TypedText> {
        let text = request.text("look")?;
        Ok(TypedText {
            cursor: request.count("cursor")?,
            wants_html: request.forms()?.contains(&"html"),
            wants_hint: request.flag("hint")?,
            text,
        })
    }
}

impl Server {
    /// How a text looks that is not entered yet.
    pub(crate) fn look(&mut self, typed: &TypedText) -> Facts {
        let TypedText { text, .. } = typed;
        let cursor = typed.cursor.map(|at| byte_position(text, at));
        let style = self.runner.style(Stream::Answers);
        let session = self.runner.session_mut();
        let mut facts = vec![
            ("state", state_of(text).into()),
            ("indent", Fact::Text(next_indent(text))),
        ];
        if typed.wants_html {
            let mut painted = String::new();
            typed_line::paint_line(session, text, cursor, "", &style, &mut painted);
            facts.push(("html", Fact::Text(view::marked_html(&painted))));
        } else {
            let tokens = interpret::highlight(session, text, cursor.unwrap_or(usize::MAX));
            // A text that is highlighted is short, so it does not matter that its characters are counted for each piece.
            let pieces = tokens.into_iter().filter_map(|(range, role)| {
                let ends = [range.start, range.end].map(|at| character_position(text, at).into());
                Some(Fact::List(
                    [ends.as_slice(), &[class(role)?.into()]].concat(),
                ))
            });
            facts.push(("pieces", pieces.collect()));
        }
        let wants_hint = typed.wants_hint && session.settings().is_on("hint");
        let hint = wants_hint.then(|| {
            let host = Rc::new(TypingHost(world::now()));
            let result = interpret::preview(session, text, host).answer;
            result.map(|line| view::plain(&line, &Style::default()))
        });
        facts.push(("hint", hint.flatten().as_deref().into()));
        facts
    }

    /// The completions at the cursor, a position in characters; at the end of the line without one.
    pub(crate) fn complete(&self, line: &str, cursor: Option<usize>) -> Facts {
        let session = self.runner.session();
        let end = cursor.map_or(line.len(), |at| byte_position(line, at));
        let found = interpret::completions(session, line, end);
        let is_command = line[..found.start].ends_with(':');
        let kind_of = |text: &str| match text {
            _ if is_command || text.starts_with(':') => "command",
            _ if text.ends_with('(') => "function",
            _ if session.names().find(text).is_some() => "name",
            _ => "word",
        };
        let words = found.candidates.iter().map(|it| (it, kind_of(&it.text)));
        let matching = found.files.as_ref().map(matching_files).unwrap_or_default();
        let all = words.chain(matching.iter().map(|it| (it, "file")));
        let entries = all.map(|(candidate, kind)| {
            Fact::Record(vec![
                ("text", Fact::from(&*candidate.text)),
                ("shown", Fact::from(&*candidate.shown)),
                (
                    "about",
                    Fact::Text(view::plain(&candidate.about, &Style::default())),
                ),
                ("type", Fact::from(kind)),
            ])
        });
        vec![
            ("start", character_position(line, found.start).into()),
            ("end", character_position(line, end).into()),
            ("entries", entries.collect()),
        ]
    }

    /// The statement that explains the word at the cursor, a position in characters: a name alone, or `:help WORD`.
    pub(super) fn explaining_statement(&self, line: &str, cursor: usize) -> Option<String> {
        let at = byte_position(line, cursor) as u32;
        let parts = language::parts(line);
        let is_there = |span: &language::Span| (span.start..=span.end).contains(&at);
        // Between two words, the cursor belongs to the one behind it.
        let spans = parts.iter().map(|(_, span)| *span);
        let word = spans
            .filter(is_there)
            .rfind(|span| language::is_name(span.of(line)))?;
        let is_command = line[..word.start as usize].ends_with(':');
        let text = word.of(line);
        if self.runner.session().names().find(text).is_some() && !is_command {
            return Some(text.to_owned());
        }
        Some(format!(":help {}{text}", if is_command { ":" } else { "" }))
    }
}

/// Whether a text is `whole`, goes on in another line, or cannot be read.
fn state_of(text: &str) -> &'static str {
    let all = chunks(text);
    let is_invalid = all.iter().any(|chunk| {
        let mut statements = language::statements(&chunk.text);
        chunk.error(&chunk.text).is_some() || statements.any(|statement| statement.is_err())
    });
    match () {
        () if wants_more(text) => "incomplete",
        () if is_invalid => "invalid",
        () => "whole",
    }
}

/// The indentation of a line below this text: more after a colon.
fn next_indent(text: &str) -> String {
    let typed = text.trim_end_matches(['\n', ' ']);
    let line = &typed[typed.rfind('\n').map_or(0, |at| at + 1)..];
    let indent = &line[..line.len() - line.trim_start().len()];
    let code = &line[..language::code_end(line)];
    let opens_block = code.trim_end().ends_with(':');
    indent.to_owned() + if opens_block { BLOCK_INDENT } else { "" }
}

/// The position in bytes of a position in characters.
fn byte_position(text: &str, characters: usize) -> usize {
    let mut starts = text.char_indices().map(|(at, _)| at);
    starts.nth(characters).unwrap_or(text.len())
}

/// The position in characters of a position in bytes.
fn character_position(text: &str, bytes: usize) -> usize {
    text[..bytes.min(text.len())].chars().count()
}
