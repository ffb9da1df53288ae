//! The root that a command works on: the expression that the user types, or else the target of the session.
//!
//! An expression becomes the target for the commands after it, unless it makes new nodes.

use std::rc::Rc;

use super::{Argument, Arguments};
use crate::session::values::Value;
use crate::session::{Session, Target};
use chainrule_engine::graph::{Node, Order};
use chainrule_report::diagnostic::Diagnostic;
use chainrule_report::{Block, Note, dim, say};

/// The root of a pass.
#[derive(Debug)]
pub struct PassTarget {
    pub node: Rc<Node>,
    /// Whether no root was given, so that the default was taken.
    pub is_default: bool,
    /// Notes from building the expression.
    pub notes: Vec<Note>,
}

impl PassTarget {
    /// The line that says which root was taken if none was given: `of L`.
    pub(crate) fn line(&self, session: &Session) -> Option<Block> {
        let line = || Block::Line(dim(say!("of {:name}", session.label(&self.node))));
        self.is_default.then(line)
    }
}

impl Arguments<'_> {
    /// The root that the command is about: the given expression, which becomes the target of the session, or else that
    /// target.
    pub fn target(
        &self,
        session: &mut Session,
        argument: &Argument,
    ) -> Result<PassTarget, Diagnostic> {
        let default = session.target().cloned();
        self.target_or(session, argument, default)
    }

    /// The same for a command whose pass a saved session may run again.
    pub fn pass_target(
        &self,
        session: &mut Session,
        argument: &Argument,
    ) -> Result<PassTarget, Diagnostic> {
        let target = self.target(session, argument)?;
        if target.is_default {
            session.save_target(self.word.end as usize, "", &target.node);
        }
        Ok(target)
    }

    /// The same for a command that moves leaves. Without an expression it takes the root of the last pass or search.
    pub fn moved_target(
        &self,
        session: &mut Session,
        argument: &Argument,
    ) -> Result<PassTarget, Diagnostic> {
        let default = session.moved_target().cloned();
        let target = self.target_or(session, argument, default.clone())?;
        if target.is_default {
            session.keep_moving(default);
        } else {
            session.aim_moves_at(&target.node);
        }
        Ok(target)
    }

    fn target_or(
        &self,
        session: &mut Session,
        argument: &Argument,
        default: Option<Target>,
    ) -> Result<PassTarget, Diagnostic> {
        let made = session.newest_id();
        if let Some((node, notes)) = self.expression(session, argument)? {
            // A new expression is dropped after the command, so it does not become the target.
            if node.id() <= made {
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
            let help = format!("name one, as in `L = a*b`, then `{typed}`");
            return Err(Diagnostic::new(message).at(self.word).help(help));
        };
        let Some(node) = session.target_node(&target) else {
            return Err(self.lost_target_error(session, &target, argument));
        };
        self.check_node(session, argument, &node, self.word)?;
        if let Some(taken) = &mut session.show.targets_taken {
            taken.push(Rc::downgrade(&node));
        }
        Ok(PassTarget {
            notes: session.stale_guard_notes(std::slice::from_ref(&node)),
            node,
            is_default: true,
        })
    }

    /// The error for a target whose name stands for something else now.
    fn lost_target_error(
        &self,
        session: &Session,
        target: &Target,
        argument: &Argument,
    ) -> Diagnostic {
        let Target::Name(name) = target else {
            return Diagnostic::default();
        };
        let now = match session.names().find(name) {
            Some(Value::Node(_)) => "a leaf now".to_string(),
            Some(Value::List(list)) => format!("{} now", list.shape()),
            None => "no longer defined".to_string(),
        };
        let command = self.command;
        let mut others = session.names().bound_values().rev();
        let other = others.find(|(_, value)| value.node().is_some_and(|it| !it.is_leaf()));
        let other = other.map_or("a*b", |(name, _)| name);
        let typed = match argument.keyword {
            Some(keyword) => format!("{} {keyword} {other}", self.statement.trim()),
            None => format!(":{} {other}", command.name),
        };
        let help = format!("say what it is to be about, as in `{typed}`");
        let message = format!("`:{}` is about `{name}`, which is {now}", command.name);
        Diagnostic::new(message).at(self.word).help(help)
    }

    /// The root for a question about a node: the given one, or the target. A target that does not depend on the node, or is
    /// the node itself, is replaced by another root that does.
    pub fn target_above(
        &self,
        session: &mut Session,
        argument: &Argument,
        node: &Rc<Node>,
    ) -> Result<PassTarget, Diagnostic> {
        let target = self.target(session, argument)?;
        let is_above = || Order::below([&target.node]).slot(node).is_some();
        if target.is_default
            && (Rc::ptr_eq(&target.node, node) || !is_above())
            && let Some((root, _)) = crate::study::guess::default_question(session, node)
        {
            return Ok(PassTarget {
                node: root,
                ..target
            });
        }
        Ok(target)
    }
}
