//! The root that a command works on: the expression that the user types, or else the target of the session.
//!
//! A typed expression becomes the target, unless it makes new nodes.

use std::rc::Rc;

use super::{Argument, Arguments};
use chainrule_engine::graph::{Node, Order};
use chainrule_program::Environment as _;
use chainrule_program::values::Value;
use chainrule_report::diagnostic::{Diagnostic, Result};
use chainrule_report::{Block, Note, dim, say};
use chainrule_session::{Session, Target, default_question};

/// The root of a pass.
#[derive(Debug)]
pub struct PassTarget {
    pub node: Rc<Node>,
    /// Whether the user typed no root.
    pub is_default: bool,
    /// Notes from building the expression.
    pub notes: Vec<Note>,
}

impl PassTarget {
    /// A line that names the root if the user did not: `of L`.
    pub(crate) fn line(&self, session: &Session) -> Option<Block> {
        let line = || Block::Line(dim(say!("of {:name}", session.label(&self.node))));
        self.is_default.then(line)
    }
}

impl Arguments<'_> {
    /// Returns the node of the typed expression, or else the target of the session. In a call, constants stand for leaves
    /// with the names of the parameters; these names come first in what is read next.
    pub fn target(&self, session: &mut Session, argument: &Argument) -> Result<PassTarget> {
        session.program_mut().makes_parameter_leaves = true;
        let target = self.typed_target(session, argument)?;
        session.lend_names(Some(&target.node));
        Ok(target)
    }

    /// Returns the node of the typed expression as it stands, or else the target of the session. A walk of a call, which
    /// is no target of the session, comes before it.
    pub fn typed_target(&self, session: &mut Session, argument: &Argument) -> Result<PassTarget> {
        let walked = (session.walk()).filter(|it| !session.parameters_below(&it.root).is_empty());
        let root = walked.map(|it| Target::Node(Rc::clone(&it.root)));
        let default = root.or_else(|| session.targets().look().cloned());
        self.target_or(session, argument, default)
    }

    /// Returns the target of a command whose pass a saved session may repeat.
    pub fn pass_target(&self, session: &mut Session, argument: &Argument) -> Result<PassTarget> {
        let target = self.target(session, argument)?;
        if target.is_default {
            session.save_target(self.name_span.end as usize, "", &target.node);
        }
        Ok(target)
    }

    /// Returns the target of a command that moves leaves. Its default is the root of the last pass or search.
    pub fn moved_target(&self, session: &mut Session, argument: &Argument) -> Result<PassTarget> {
        let default = session.targets().moved().cloned();
        let target = self.target_or(session, argument, default.clone())?;
        if target.is_default {
            session.set_moved_target(default);
        } else {
            session.aim_moves_at(&target.node);
        }
        Ok(target)
    }

    /// Returns a node and the root for a question about it. The names of a typed root come first. If the default target
    /// does not depend on the node, or is the node itself, another root that depends on it takes its place.
    pub fn node_and_root(
        &self,
        session: &mut Session,
        [argument, of]: [&Argument; 2],
    ) -> Result<(Rc<Node>, PassTarget)> {
        let typed = self.has(of).then(|| self.target(session, of)).transpose()?;
        let node = self.node(session, argument)?;
        let mut target = typed.map_or_else(|| self.target(session, of), Ok)?;
        let is_above = || Order::below([&target.node]).slot(&node).is_some();
        if target.is_default
            && (Rc::ptr_eq(&target.node, &node) || !is_above())
            && let Some((root, _)) = default_question(session, &node)
        {
            target.node = root;
        }
        let by = std::slice::from_ref(&node);
        session.check_ties(&target.node, by, self.place(of))?;
        Ok((node, target))
    }

    fn target_or(
        &self,
        session: &mut Session,
        argument: &Argument,
        default: Option<Target>,
    ) -> Result<PassTarget> {
        let newest = session.newest_id();
        if let Some((node, notes)) = self.expression(session, argument)? {
            // New nodes are dropped after the command, so they do not become the target.
            if node.id() <= newest {
                let typed = self.span_of(argument).map_or("", |span| span.of(self.text));
                session.aim_at(&node, typed);
            }
            return Ok(PassTarget {
                node,
                is_default: false,
                notes,
            });
        }
        let Some(target) = default else {
            let (name, typed) = (self.command.name, self.statement.trim());
            let message = format!("`:{name}` needs a value to start from, and there is none yet");
            let help = format!("name one, as in `L = …`, then `{typed}`");
            return Err(Diagnostic::new(message).at(self.name_span).help(help));
        };
        let Some(node) = session.target_node(&target) else {
            return Err(self.lost_target_error(session, &target, argument));
        };
        self.check_node(session, argument, &node, self.name_span)?;
        if let Some(taken) = &mut session.replay.targets_taken {
            taken.push(Rc::downgrade(&node));
        }
        Ok(PassTarget {
            notes: session.outdated_notes(std::slice::from_ref(&node)),
            node,
            is_default: true,
        })
    }

    /// The error for a target whose name now stands for something else.
    fn lost_target_error(
        &self,
        session: &Session,
        target: &Target,
        argument: &Argument,
    ) -> Diagnostic {
        let Target::Name(lost) = target else {
            return Diagnostic::default();
        };
        let now = match session.names().find(lost) {
            Some(Value::Node(_)) => "a leaf now".to_string(),
            Some(Value::List(list)) => format!("{} now", list.shape()),
            None => "no longer defined".to_string(),
        };
        let mut newest_first = session.names().bound_values().rev();
        let computed = newest_first.find(|(_, value)| value.node().is_some_and(|it| !it.is_leaf()));
        let example = computed.map_or("ROOT", |(name, _)| name);
        let name = self.command.name;
        let line = match argument.keyword {
            Some(keyword) => format!("{} {keyword} {example}", self.statement.trim()),
            None => format!(":{name} {example}"),
        };
        let help = format!("say what it is to be about, as in `{line}`");
        let message = format!("`:{name}` is about `{lost}`, which is {now}");
        Diagnostic::new(message).at(self.name_span).help(help)
    }
}
