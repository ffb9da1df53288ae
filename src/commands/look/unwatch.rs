//! `:unwatch a`: stops watching nodes, or all of them if none is named. The counterpart of `:watch`.
//!
//! A watched name that has no value any more can be named too.

use super::watch;
use crate::commands::args::resolve;
use crate::commands::args::suggestions::{Offers, Word};
use crate::commands::args::{Argument, Arguments, Takes};
use crate::commands::{Command, Group, Reply};
use crate::diagnostic::Diagnostic;
use crate::diagnostic::suggest::nearest;
use crate::report::{Block, Piece, Report};
use crate::session::Session;
use crate::session::watches::Subject;
use crate::syntax::Span;

/// The word for all watches, unless something of this name is watched.
const ALL: &str = "all";

pub(crate) const COMMAND: Command = Command {
    name: "unwatch",
    aliases: &[],
    group: Group::Look,
    entry: (":unwatch L", "stop showing them"),
    arguments: &[Argument::optional("NAME", Takes::Names).offering(Offers::Words(words))],
    summary: "end watches, or all of them",
    details: "Names are given as `:watch` lists them; `all`, or none, ends every watch.",
    example: "
∂> a, b = 2, -3
a = 2, b = -3
∂> :watch a b
watched: a, b
∂> :unwatch a
no longer watched: a
∂> :set a 3, b 4;
watch: b  -3 → 4
∂> :unwatch
no longer watched: b
",
    run,
};

/// The watched names that are not on the line yet, for completion.
fn words(session: &Session, given: &[&str]) -> Vec<Word> {
    let named = every(session)
        .into_iter()
        .map(|subject| session.watched_as(&subject))
        .filter(|name| !given.contains(&&**name))
        .map(|name| Word::new(name, vec![Piece::plain("watched")]));
    let all = Word::new(ALL, vec![Piece::plain("every watch")]);
    named.chain(given.is_empty().then_some(all)).collect()
}

fn run(session: &mut Session, arguments: &Arguments) -> Result<Reply, Diagnostic> {
    let words = arguments.words("NAME");
    let mut ended: Vec<Subject> = Vec::new();
    for &word in words {
        let text = word.of(arguments.text);
        match found(session, arguments.text, word) {
            Some(subject) => ended.push(subject),
            None if text == ALL => ended.extend(every(session)),
            None => return Err(unwatched(session, text, word)),
        }
    }
    if words.is_empty() {
        ended = every(session);
    }
    let is_ended = |subject: &Subject| ended.iter().any(|ended| ended.is(subject));
    let labels: Vec<String> = every(session)
        .iter()
        .filter(|subject| is_ended(subject))
        .map(|subject| session.watched_as(subject))
        .collect();
    session.keep_watches(|subject| !is_ended(subject));
    let line = if labels.is_empty() {
        vec![Piece::plain("nothing is watched")]
    } else {
        watch::named("no longer watched: ", &labels)
    };
    Ok(Reply::show(Report {
        kind: arguments.command.name,
        facts: vec![("names", watch::fact(&labels))],
        blocks: vec![Block::Line(line)],
        confirmation: true,
    }))
}

fn every(session: &Session) -> Vec<Subject> {
    (session.watches().iter())
        .map(|watch| watch.subject.clone())
        .collect()
}

/// The watch with this name, or the watch of the node that the word refers to.
fn found(session: &mut Session, text: &str, word: Span) -> Option<Subject> {
    let written = word.of(text);
    let called =
        (every(session).into_iter()).find(|subject| session.watched_as(subject) == written);
    called.or_else(|| {
        let node = resolve::node(session, text, word).ok()?;
        let subject = Subject::Node(node);
        let watched = (session.watches().iter()).any(|watch| watch.subject.is(&subject));
        watched.then_some(subject)
    })
}

fn unwatched(session: &Session, word: &str, span: Span) -> Diagnostic {
    let labels = watch::labels(session);
    let near = nearest(word, labels.iter().map(String::as_str));
    let help = match near {
        Some(near) => format!("did you mean `{near}`?"),
        None => "`:watch` lists what is watched".to_string(),
    };
    Diagnostic::new(format!("`{word}` is not watched"))
        .at(span)
        .help(help)
}
