//! The live result: what the line would answer if the user pressed Enter now.
//!
//! The line is really run, in a trial that is undone afterwards, so the preview agrees with the real answer. The
//! caller's host stops it when it takes too long; then, and after an error, there is no answer.

use std::cell::Cell;
use std::rc::Rc;

use super::translated::{leading_operator, run_alone};
use crate::commands;
use crate::commands::change::set;
use crate::commands::{Effect, Group};
use crate::report::{Fact, Line, join, say};
use crate::session::{Host, Session};
use crate::syntax;
use crate::syntax::{Cut, ItemKind, Statement};

/// A longer line has no preview.
pub(crate) const MOST_BYTES: usize = 4 * 1024;

/// In a session with more nodes than this, a `:set` is previewed only if it reaches few of them.
const MOST_NODES: u32 = 20_000;

/// How many nodes a `:set` may reach in such a large session.
const MOST_REACHED: usize = 4_000;

/// How many numbers of lists are copied for a preview. (A few milliseconds, and as much again for what becomes of them.)
const MOST_NUMBERS: usize = 1 << 16;

/// The host of a preview: the caller's, and a limit on the lists.
struct PreviewHost {
    host: Rc<dyn Host>,
    /// How many numbers may still be copied.
    left: Cell<usize>,
}

impl Host for PreviewHost {
    fn stop(&self) -> bool {
        self.left.get() == 0 || self.host.stop()
    }

    fn stop_before(&self, numbers: usize) -> bool {
        self.left.set(self.left.get().saturating_sub(numbers));
        self.stop()
    }
}

/// What Enter would do, as far as it was tried.
#[derive(Debug, Default)]
pub struct Preview {
    /// Every statement of the line runs without an error.
    pub runs: bool,
    /// The result of the last one, if it is worth showing.
    pub answer: Option<Line>,
}

/// Tries a line.
pub fn preview(session: &mut Session, text: &str, host: Rc<dyn Host>) -> Preview {
    if text.len() > MOST_BYTES {
        return Preview::default();
    }
    let cuts: Result<Vec<Cut>, _> = syntax::statements(text).collect();
    let cuts = cuts.unwrap_or_default();
    let mut filled = cuts
        .iter()
        .filter(|cut| !cut.span.of(text).trim().is_empty());
    let Some(last) = filled.next_back() else {
        return Preview::default();
    };
    if !cuts.iter().all(|cut| is_tried(session, text, cut, last)) {
        return Preview::default();
    }
    let tried = run_in_trial(session, text, &cuts, last, host);
    let is_shown = !last.silenced && !is_plain(text, last);
    Preview {
        answer: tried.answer.filter(|_| is_shown),
        ..tried
    }
}

/// Runs the statements and takes them back.
fn run_in_trial(
    session: &mut Session,
    text: &str,
    cuts: &[Cut],
    last: &Cut,
    host: Rc<dyn Host>,
) -> Preview {
    let left = Cell::new(MOST_NUMBERS);
    let usual = session.set_host(Rc::new(PreviewHost { host, left }));
    session.begin_trial();
    let mut tried = Preview {
        runs: true,
        answer: None,
    };
    for cut in cuts {
        // The answer of a command is a table, too much for a preview; of `:set` the new value of the root is shown.
        let is_command = cut == last && cut.span.of(text).starts_with(':');
        let is_change = is_command && changes(text, cut);
        let cut = Cut {
            silenced: cut.silenced || is_command,
            ..*cut
        };
        let reply = match run_alone(session, text, &cut) {
            // Whether the file can be loaded shows only when it is.
            Ok(reply) if !matches!(reply.effect.as_deref(), Some(Effect::Load(_))) => reply,
            Ok(_) | Err(_) => {
                tried = Preview::default();
                break;
            }
        };
        if is_change {
            tried.answer = root_value(session);
        } else if let Some(report) = &reply.report {
            tried.answer = match report.kind {
                "value" | "binding" => values(&report.facts),
                kind if kind == set::COMMAND.name => root_value(session),
                // `L.backward()` has no value to show.
                _ => None,
            };
        }
    }
    session.take_trial_back();
    session.set_host(usual);
    tried
}

/// Is the statement a `:set`?
fn changes(text: &str, cut: &Cut) -> bool {
    matches!(
        syntax::statement(text, cut),
        Ok(Statement::Command(command))
            if commands::find(command.word).is_ok_and(|found| found.name == set::COMMAND.name)
    )
}

/// Is the statement cheap to run and to undo?
fn is_tried(session: &Session, text: &str, cut: &Cut, last: &Cut) -> bool {
    match syntax::statement(text, cut) {
        Ok(Statement::Command(command)) => {
            let Ok(found) = commands::find(command.word) else {
                return false;
            };
            let is_small = session.made() <= MOST_NODES;
            if found.name == set::COMMAND.name {
                return is_small || cut == last && reaches_few(session, command.rest.of(text));
            }
            // The others only tell something, or ask the shell to do something, which is not done here.
            is_small && cut == last && !matches!(found.group, Group::Change | Group::Back)
        }
        Ok(Statement::Lecture(_)) => false,
        Ok(_) => true,
        Err(_) => leading_operator(text, cut).is_some(),
    }
}

/// Does a change reach only few nodes of a large session? Only leaves given by their names are considered, because any
/// other way to refer to a node needs a search.
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

/// Is the statement just a number? Its result would repeat what was typed.
fn is_plain(text: &str, cut: &Cut) -> bool {
    let expression = match syntax::statement(text, cut) {
        Ok(Statement::Expression(expression)) => expression,
        Ok(Statement::Binding(mut binding))
            if binding.compound.is_none()
                && binding.values.len() == 1
                && binding.widths.is_empty() =>
        {
            binding.values.remove(0)
        }
        _ => return false,
    };
    matches!(expression.items.as_slice(), [only] if matches!(only.kind, ItemKind::Number(_)))
}

/// The preview of values: `= -8`, `= 2, -3`
fn values(facts: &[(&'static str, Fact)]) -> Option<Line> {
    let mut numbers: Vec<Line> = Vec::new();
    let mut gather = |key: &str, fact: &Fact| match (key, fact) {
        ("data", Fact::Number(data)) => numbers.push(say!("{}", *data)),
        ("sigma", Fact::Number(sigma)) => {
            if let Some(last) = numbers.last_mut() {
                last.extend(say!(" ± {}", *sigma));
            }
        }
        _ => {}
    };
    for (key, fact) in facts {
        match fact {
            Fact::List(bindings) if *key == "bindings" => {
                for binding in bindings {
                    if let Fact::Record(fields) = binding {
                        for (key, fact) in fields {
                            gather(key, fact);
                        }
                    }
                }
            }
            fact => gather(key, fact),
        }
    }
    (!numbers.is_empty()).then(|| say!("= {}", join(numbers, ", ")))
}

/// The preview of a change: `L = -12`, the value of the root, which depends on the changed leaves.
fn root_value(session: &Session) -> Option<Line> {
    let root = session.pass().map(|pass| Rc::clone(pass.root()));
    let root = root.or_else(|| session.default_target().map(|(node, _)| node))?;
    Some(say!("{:name} = {}", session.label(&root), root.data()))
}
