//! `:set a 3`: changes leaves in place, recomputes the nodes above them, and runs the last root's pass again.
//!
//! The session changes the leaves and recomputes the nodes; `changes` makes the answer.

mod changes;

use std::collections::HashMap;

use self::changes::{Before, report_changes};
use crate::commands::args::evaluate::not_a_leaf_error;
use crate::commands::args::set_values::LeafChanges;
use crate::commands::prelude::*;
use crate::commands::signatures::set::{LEAF, SIGNATURE};
use crate::session::{Setting, Widths};
use chainrule_engine::graph::{NodeId, gradients};
use chainrule_language::Span;

pub(crate) static COMMAND: Command = Command::new(SIGNATURE, run, &[]);

fn run(session: &mut Session, arguments: &Arguments) -> Result<Reply, Diagnostic> {
    let LeafChanges {
        settings,
        widths,
        notes,
    } = arguments.settings(session, LEAF)?;
    if arguments.is_silenced {
        let fault = session.set(&settings, widths, |_, _| {});
        return Ok(Reply::default().with_notes(notes).with_notes(fault));
    }
    let sigma_before = |leaf: &Rc<Node>| (Rc::clone(leaf), session.uncertainty(leaf));
    let mut before = Before {
        moved: Vec::new(),
        grads: grads_before(session),
        sigmas: widths.iter().map(|(leaf, _)| sigma_before(leaf)).collect(),
    };
    let fault = session.set(&settings, widths, |node, data| {
        before.moved.push((Rc::clone(node), data));
    });
    // Uncertainties alone leave the pass as it is, which may be a sum of several.
    if !settings.is_empty() {
        session.repeat_pass();
        // A loaded file runs this statement silently, without a pass, so the pass is saved, too.
        session.save_repeated_pass();
    }
    let report = report_changes(session, &before);
    Ok(Reply::show(report).with_notes(notes).with_notes(fault))
}

/// Changes a leaf as Python does by `a.data = 3`, and recomputes the nodes above it. No pass is run again, because a
/// step by hand, leaf after leaf, uses the gradients of one pass.
pub(crate) fn assign(
    session: &mut Session,
    is_silenced: bool,
    setting: Setting,
    word: Span,
) -> Result<Reply, Diagnostic> {
    let leaf = &setting.leaf;
    if !leaf.is_leaf() {
        return Err(not_a_leaf_error(session, &COMMAND, leaf).at(word));
    }
    let has_grad = session.pass().is_some_and(|it| it.grad(leaf).is_some());
    let has_fresh_grad = has_grad && !session.is_stale();
    let mut before = Before::default();
    let fault = session.set(&[setting], Widths::new(), |node, data| {
        before.moved.push((Rc::clone(node), data));
    });
    if is_silenced {
        return Ok(Reply::default().with_notes(fault));
    }
    let mut reply = Reply::show(report_changes(session, &before)).with_notes(fault);
    let became_stale = has_fresh_grad && session.is_stale();
    if became_stale && let Some(pass) = session.pass() {
        let root = session.label(pass.root());
        reply.notes.push(Note::new(say!(
            "the grads stay those of the old data until `:grad {}`",
            root
        )));
    }
    Ok(reply)
}

/// Returns the gradients before the change, by node: those of the last pass, or of a new one if data has changed since.
fn grads_before(session: &Session) -> Option<HashMap<NodeId, f64>> {
    let pass = session.pass()?;
    let ids = pass.order().nodes().iter().map(|node| node.id());
    if session.is_stale() {
        let grads = gradients(pass.order(), pass.root(), |_| {});
        return Some(ids.zip(grads).collect());
    }
    Some(ids.zip(pass.grads().iter().copied()).collect())
}
