//! `:next [N|all]` goes to the next stop of the walk, or several stops on. `:prev [N]` takes stops back, with the
//! contributions that they added to grads.
//!
//! `:next at NODE` goes to the stop of a node, as `o._backward()` in Python does. Each stop is a report of its own, and
//! so an object of its own in JSON.

use super::{guess, walk};
use crate::command::args::suggestions::{Offers, Word};
use crate::command::prelude::*;
use crate::command::signatures::next::{AT, N, SIGNATURE};
use crate::command::signatures::prev;
use chainrule_program::Environment as _;
use chainrule_session::by_hand::walk::{Direction, Walk};
use chainrule_session::default_question;

pub(crate) static COMMAND: Command = Command::new(SIGNATURE, run, &[(N, Offers::Words(words))]);

pub(crate) static PREV: Command = Command::new(prev::SIGNATURE, go_back, &[]);

fn words(session: &Session, _: &[&str]) -> Vec<Word> {
    let walk = session.walk();
    let left = walk.map_or(0, |walk| walk.stop_count() - walk.position);
    vec![Word::new("all", say!("the stops that are left: {}", left))]
}

/// Makes the stop of a node, all of whose users have made theirs. The first stop opens the walk of a root whose grad
/// the user has set.
fn stop_at(
    session: &mut Session,
    arguments: &Arguments,
    node: &Rc<Node>,
    word: Span,
) -> Result<Reply> {
    let text = word.of(arguments.text);
    if node.is_leaf() {
        let note = Note::new(say!("`{}` is a leaf: it passes nothing on", text));
        return Ok(Reply::default().with_notes([note]));
    }
    let has_stop =
        |walk: &Walk| walk.direction == Direction::Backward && walk.stage(node).is_some();
    if !session.walk().is_some_and(has_stop) {
        open_walk_above(session, node).map_err(|error| error.at(word))?;
    }
    let walk = session.walk_mut();
    let taken = walk.map_or(Err(None), |walk| walk.take_next(node));
    let (message, help) = match taken {
        Ok(()) => {
            session.make_next_stop();
            return Ok(Reply::show(walk::place_report(session)));
        }
        Err(Some(user)) => {
            let typed = guess::node_text(session, &user);
            let message = format!("`{text}` waits for `{typed}`, whose contribution is missing");
            (message, format!("`{typed}._backward()` first"))
        }
        Err(None) => (
            format!("`{text}` has passed its grad on already, and Python would add it twice"),
            "`:prev` goes back, `:walk end` closes the walk".to_string(),
        ),
    };
    Err(Diagnostic::new(message).at(word).help(help))
}

/// Opens the walk of the root above a node, whose grad must be 1.
fn open_walk_above(session: &mut Session, node: &Rc<Node>) -> Result<()> {
    let question = default_question(session, node);
    let root = question.map_or_else(|| Rc::clone(node), |(root, _)| root);
    if session.grads_to_show()(&root) != Some(1.0) {
        let typed = guess::node_text(session, &root);
        let message = format!("the grad of `{typed}` is not known yet");
        let help = format!("`{typed}.grad = 1.0` first: a walk begins at the root");
        return Err(Diagnostic::new(message).help(help));
    }
    session.open_walk(&root, Direction::Backward);
    Ok(())
}

fn run(session: &mut Session, arguments: &Arguments) -> Result<Reply> {
    if let Some(&word) = arguments.words(AT).first() {
        let newest = session.newest_id();
        let node = arguments.node(session, AT)?;
        if node.id() <= newest {
            // Drops the constant of an index, `l[-1]`: a saved session has no statement for a stop.
            session.program_mut().rewind(newest);
        }
        return stop_at(session, arguments, &node, word);
    }
    let walk = walk::require_walk(session, arguments)?;
    let left = (walk.stop_count() - walk.position) as u64;
    let wanted = match arguments.first_word(N) {
        Some(("all", _)) => left,
        _ => (arguments.count(session, N, u64::from(u32::MAX))?).unwrap_or(1),
    };
    if left == 0 {
        let help = "`:prev` goes back, `:walk end` closes it";
        let message = "the walk is at its end";
        return Err(Diagnostic::new(message).at(arguments.name_span).help(help));
    }
    let count = wanted.min(left);
    // Nobody reads a thousand screens: people see the last stops, as many as a table has rows.
    let skipped = count.saturating_sub(session.table_rows() as u64);
    let mut reports = Vec::new();
    for stop in 0..count {
        session.make_next_stop();
        if !arguments.is_silenced && stop >= skipped {
            reports.push(walk::place_report(session));
        }
    }
    if let Some(first) = reports.first_mut().filter(|_| skipped > 0) {
        let hint = format!("… {skipped} stops before: --json writes all");
        first.blocks.insert(0, Block::Line(say!("{:dim}", hint)));
    }
    let mut all = reports.into_iter();
    Ok(Reply {
        report: all.next(),
        more: all.collect(),
        ..Reply::default()
    })
}

fn go_back(session: &mut Session, arguments: &Arguments) -> Result<Reply> {
    if walk::require_walk(session, arguments)?.position == 0 {
        return Err(Diagnostic::new("the walk is at its beginning")
            .at(arguments.name_span)
            .help("`:next` goes on"));
    }
    let count = arguments.count(session, prev::N, u64::from(u32::MAX))?;
    if let Some(walk) = session.walk_mut() {
        walk.go_back(count.unwrap_or(1) as usize);
    }
    Ok(Reply::show(walk::place_report(session)))
}
