//! `:del a`: deletes names and functions. `:reset` deletes all names, results and gradients, as one change that can be
//! undone; settings stay.
//!
//! Nodes are not deleted here: a node is dropped once nothing uses it.

use rustc_hash::FxHashSet;

use crate::command::prelude::*;
use crate::command::signatures::del::{NAME, SIGNATURE};
use crate::command::signatures::reset;
use chainrule_program::Environment as _;
use chainrule_report::diagnostic::suggest::{did_you_mean, nearest};
use chainrule_report::name_list;

pub(crate) static COMMAND: Command = Command::new(SIGNATURE, run, &[]);

pub(crate) static RESET: Command = Command::new(reset::SIGNATURE, forget_all, &[]);

fn run(session: &mut Session, arguments: &Arguments) -> Result<Reply> {
    let text = arguments.text;
    let mut forgotten: Vec<String> = Vec::new();
    let mut seen = FxHashSet::default();
    for &span in arguments.words(NAME) {
        let word = span.of(text);
        if !seen.insert(word) {
            continue;
        }
        let function = word.strip_suffix("()");
        let name = function.unwrap_or(word);
        if function.is_none() && session.names().find(name).is_some() {
            session.forget(name);
            forgotten.push(name.to_string());
        } else if function.is_none() && session.stop_waiting(name) {
            forgotten.push(name.to_string());
        } else if session.functions().get(name).is_some() {
            session.forget_function(name);
            forgotten.push(format!("{name}()"));
        } else {
            // An error takes the whole statement back, so the names before this one stay.
            return Err(unknown_name_error(session, text, span));
        }
    }
    let line = say!("forgotten: {}", name_list(&forgotten));
    let facts = vec![("names", forgotten.into_iter().collect())];
    Ok(Reply::show(Report::confirming(&COMMAND, facts, line)))
}

fn unknown_name_error(session: &Session, text: &str, span: Span) -> Diagnostic {
    let word = span.of(text);
    let names = session.names().bound_values().map(|(name, _)| name);
    let functions = session.functions().iter().map(|function| &*function.name);
    let near = nearest(word, names.chain(functions));
    let help = did_you_mean(near, || "`:vars` lists all names".into());
    let message = format!("there is no name `{word}` to forget");
    Diagnostic::new(message).at(span).help(help)
}

fn forget_all(session: &mut Session, _: &Arguments) -> Result<Reply> {
    let count = session.names().bound_values().count() + session.functions().iter().count();
    session.reset();
    let names = plural(count, "name");
    let line = say!("{} forgotten; `:undo` brings them back", names);
    let facts = vec![("names", count.into())];
    Ok(Reply::show(Report::confirming(&RESET, facts, line)))
}
