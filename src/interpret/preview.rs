//! The result of a line before Enter, shown during typing.
//!
//! The line is really run, as a trial that is taken back, so the preview is what Enter will answer. The host stops it
//! when it takes too long; then there is no preview.

use std::rc::Rc;

use super::unwatched;
use crate::commands;
use crate::commands::change::set;
use crate::report::{Fact, Line, join, say};
use crate::session::{Host, Session};
use crate::syntax;
use crate::syntax::{Cut, ItemKind, Statement};

/// A longer line has no preview.
pub(crate) const MOST_BYTES: usize = 4 * 1024;

/// In a session with more nodes, a change of data may reach too many of them to be tried out.
const MOST_NODES: u32 = 20_000;

/// There it is tried out if it is known to reach no more than these, wherever they are.
const MOST_REACHED: usize = 4_000;

/// The result of a line, if it has one worth showing: that of its last statement.
pub fn preview(session: &mut Session, text: &str, host: Rc<dyn Host>) -> Option<Line> {
    if text.len() > MOST_BYTES || text.trim().is_empty() {
        return None;
    }
    let cuts: Vec<Cut> = syntax::statements(text).collect::<Result<_, _>>().ok()?;
    let last = cuts
        .iter()
        .rfind(|cut| !cut.span.of(text).trim().is_empty())?;
    let told = !last.silenced && cuts.iter().all(|cut| is_tried(session, text, cut, last));
    if !told || is_plain(text, last) {
        return None;
    }
    let usual = session.set_host(host);
    session.begin_trial();
    let mut answer = None;
    for cut in &cuts {
        // A change shows only the new value of the root: there is no room for a table, and no need for its pass.
        let is_change = cut == last && cut.span.of(text).starts_with(':');
        let cut = Cut {
            silenced: cut.silenced || is_change,
            ..*cut
        };
        let Ok(reply) = unwatched(session, text, &cut) else {
            answer = None;
            break;
        };
        if is_change {
            answer = becomes(session);
        } else if let Some(report) = &reply.report {
            answer = match report.kind {
                "value" | "binding" => values(&report.facts),
                kind if kind == set::COMMAND.name => becomes(session),
                // `L.backward()`
                _ => None,
            };
        }
    }
    session.take_trial_back();
    session.set_host(usual);
    answer
}

/// Statements that are cheap to try and to take back.
fn is_tried(session: &Session, text: &str, cut: &Cut, last: &Cut) -> bool {
    match syntax::statement(text, cut) {
        Ok(Statement::Command(command)) => {
            let set =
                commands::find(command.word).is_ok_and(|found| found.name == set::COMMAND.name);
            set && (session.made() <= MOST_NODES
                || cut == last && reaches_few(session, command.rest.of(text)))
        }
        Ok(Statement::Lecture(_)) | Err(_) => false,
        Ok(_) => true,
    }
}

/// Does a change reach few nodes of a large session? Only leaves that are called by their names are looked at: any
/// other way to call a node is a search.
fn reaches_few(session: &Session, settings: &str) -> bool {
    let leaf = |setting: &str| {
        let mut words = setting
            .trim_start()
            .split(|c: char| c.is_whitespace() || c == '=');
        let node = session.names().get(words.next()?)?;
        node.is_leaf().then(|| Rc::clone(node))
    };
    let leaves: Option<Vec<_>> = settings.split(',').map(leaf).collect();
    !settings.contains('@')
        && leaves.is_some_and(|leaves| session.reaches_few(&leaves, MOST_REACHED))
}

/// A number alone needs no preview.
fn is_plain(text: &str, cut: &Cut) -> bool {
    let expression = match syntax::statement(text, cut) {
        Ok(Statement::Expression(expression)) => expression,
        Ok(Statement::Binding(mut binding))
            if binding.compound.is_none() && binding.values.len() == 1 =>
        {
            binding.values.remove(0)
        }
        _ => return false,
    };
    matches!(expression.items.as_slice(), [only] if matches!(only.kind, ItemKind::Number(_)))
}

/// `= -8`, `= 2, -3`
fn values(facts: &[(&'static str, Fact)]) -> Option<Line> {
    let mut numbers = Vec::new();
    let mut gather = |fact: &Fact| {
        if let Fact::Number(data) = fact {
            numbers.push(say!("{}", *data));
        }
    };
    for (key, fact) in facts {
        match fact {
            Fact::List(bindings) if *key == "bindings" => {
                for binding in bindings {
                    if let Fact::Record(fields) = binding {
                        for (_, fact) in fields {
                            gather(fact);
                        }
                    }
                }
            }
            fact if *key == "data" => gather(fact),
            _ => {}
        }
    }
    (!numbers.is_empty()).then(|| say!("= {}", join(numbers, ", ")))
}

/// `L = -12`: the new value of the last root.
fn becomes(session: &Session) -> Option<Line> {
    let root = session.pass().map(|pass| Rc::clone(pass.root()));
    let root = root.or_else(|| session.default_target().map(|(node, _)| node))?;
    Some(say!("{:name} = {}", session.label(&root), root.data()))
}
