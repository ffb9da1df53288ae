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
use chainrule_language::{self as language, Property, TextPart};
use chainrule_report::diagnostic::Result;
use chainrule_report::{Fact, Facts};
use chainrule_view::theme::{Theme, on_page::class};
use chainrule_view::{self as view, Style};

impl Server {
    /// How a text looks that is not entered yet. Without a cursor, the text is not edited.
    pub(crate) fn look(&mut self, request: &mut Request) -> Result<Facts> {
        let text = &*request.text("look")?;
        let place: Option<usize> = request.take("cursor")?;
        let cursor = place.map(|at| byte_position(text, at));
        let (forms, wants_hint) = (request.forms()?, request.take("hint")?);
        let style = self.runner.style(Stream::Answers);
        let session = self.runner.session_mut();
        let mut facts = vec![
            ("state", state_of(text).into()),
            ("indent", Fact::Text(typed_line::next_indent(text))),
        ];
        if forms.contains(&"html") {
            let mut painted = String::new();
            typed_line::paint_line(session, text, cursor, &[], &style, &mut painted);
            facts.push((
                "html",
                Fact::Text(view::marked_html(&painted, Some(Theme::Page))),
            ));
        } else {
            let tokens = interpret::highlight(session, text, cursor.unwrap_or(usize::MAX));
            // A text that is highlighted is short, so it does not matter that its characters are counted for each piece.
            let count = |at| Fact::from(character_position(text, at));
            let pieces = tokens.into_iter().filter_map(|(range, role)| {
                let ends = [count(range.start), count(range.end)].into_iter();
                Some(Fact::List(ends.chain([class(role)?.into()]).collect()))
            });
            facts.push(("pieces", pieces.collect()));
        }
        let shows_hint = wants_hint && session.settings().is_on("hint");
        let hint = shows_hint.then(|| {
            let host = Rc::new(TypingHost(world::now()));
            let result = interpret::preview(session, text, host).answer;
            result.map(|line| view::plain(&line, &Style::default()))
        });
        facts.push(("hint", hint.flatten().as_deref().into()));
        Ok(facts)
    }

    /// The completions at the cursor, or at the end of the line.
    pub(crate) fn complete(&self, request: &mut Request) -> Result<Facts> {
        let line = &*request.text("complete")?;
        let end = take_cursor(request, line)?;
        let session = self.runner.session();
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
        Ok(vec![
            ("start", character_position(line, found.start).into()),
            ("end", character_position(line, end).into()),
            ("entries", entries.collect()),
        ])
    }

    /// The statement that explains the word at the cursor, or at the end of the line: a name alone, or `:help WORD`.
    pub(super) fn explaining_statement(&self, request: &mut Request) -> Result<Option<String>> {
        let line = &*request.text("inspect")?;
        let at = take_cursor(request, line)? as u32;
        let parts = language::parts(line);
        let is_there = |span: &language::Span| (span.start..=span.end).contains(&at);
        let is_known = |name: &str| self.runner.session().names().find(name).is_some();
        // Between two words, the cursor belongs to the one behind it.
        let word_of = |span: &language::Span| span.of(line).trim_start_matches('.');
        let is_word = |(_, span): &(TextPart, language::Span)| {
            is_there(span) && language::is_name(word_of(span))
        };
        let Some(place) = parts.iter().rposition(is_word) else {
            return Ok(None);
        };
        let (part, span) = parts[place];
        let word = word_of(&span);
        let before = place.checked_sub(1).map(|index| parts[index].1.of(line));
        let mark = if before == Some(":") { ":" } else { "" };
        Ok(Some(match before {
            // A number of a node: `L.grad`.
            Some(name) if is_known(name) && Property::from_word(word).is_some() => {
                format!("{name}.{word}")
            }
            _ if part == TextPart::Name && mark.is_empty() && is_known(word) => word.to_owned(),
            _ => format!(":help {mark}{word}"),
        }))
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

/// Takes the position of the cursor, in bytes. It is at the end of the line if it is missing.
fn take_cursor(request: &mut Request, line: &str) -> Result<usize> {
    let cursor: Option<usize> = request.take("cursor")?;
    Ok(cursor.map_or(line.len(), |at| byte_position(line, at)))
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
