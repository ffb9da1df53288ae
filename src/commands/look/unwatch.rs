//! `:unwatch a`: stops watching nodes, or all of them if none is named. The counterpart of `:watch`.
//!
//! A watched name can be ended even if it no longer stands for anything.

use super::watch;
use crate::commands::args::resolve;
use crate::commands::args::suggestions::{Offers, Word};
use crate::commands::args::{Argument, ArgumentKind, Arguments};
use crate::commands::{Command, Group, Reply};
use crate::diagnostic::Diagnostic;
use crate::diagnostic::suggest::{did_you_mean, nearest};
use crate::report::{Report, name_list, say};
use crate::session::Session;
use crate::session::watches::Subject;
use crate::syntax::Span;

/// The word for all watches, unless something of this name is watched.
const ALL: &str = "all";

pub(crate) const COMMAND: Command = Command {
    name: "unwatch",
    aliases: &[],
    group: Group::Look,
    looks: false,
    entry: (":unwatch L", "stop watching"),
    arguments: &[Argument::optional("NAME", ArgumentKind::Names).offering(Offers::Words(words))],
    summary: "stop watching some nodes, or all",
    page: page!("commands/unwatch"),
    run,
};

/// What is watched and not yet among the words typed.
fn words(session: &Session, given: &[&str]) -> Vec<Word> {
    let named = every(session)
        .into_iter()
        .map(|subject| session.watched_as(&subject))
        .filter(|name| !given.contains(&&**name))
        .map(|name| Word::new(name, say!("watched")));
    let all = Word::new(ALL, say!("every watch"));
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
        say!("nothing is watched")
    } else {
        say!("no longer watched: {}", name_list(&labels))
    };
    Ok(Reply::show(Report::done(
        arguments.command.name,
        vec![("names", watch::fact(&labels))],
        line,
    )))
}

fn every(session: &Session) -> Vec<Subject> {
    (session.watches().iter())
        .map(|watch| watch.subject.clone())
        .collect()
}

/// The watch with this label, or on the node that the word means.
fn found(session: &mut Session, text: &str, word: Span) -> Option<Subject> {
    let written = word.of(text);
    let called =
        (every(session).into_iter()).find(|subject| session.watched_as(subject) == written);
    called.or_else(|| {
        let subject = match watch::part(text, word) {
            Some((name, path)) => Subject::Name(name.into(), path),
            None => Subject::Node(resolve::node(session, text, word).ok()?),
        };
        let watched = (session.watches().iter()).any(|watch| watch.subject.is(&subject));
        watched.then_some(subject)
    })
}

fn unwatched(session: &Session, word: &str, span: Span) -> Diagnostic {
    let labels = watch::labels(session);
    let near = nearest(word, labels.iter().map(String::as_str));
    let help = did_you_mean(near, || "`:watch` lists what is watched".into());
    Diagnostic::new(format!("`{word}` is not watched"))
        .at(span)
        .help(help)
}
