//! `:set a 3`: changes leaves in place, recomputes the nodes above them, and runs the last root's pass again.
//!
//! The session changes and recomputes; this file checks what may be set and chooses the changes that get a row.

mod changes;

use std::collections::HashMap;
use std::rc::Rc;

use self::changes::Changes;
use crate::commands::args::settings::LeafRequest;
use crate::commands::args::{Argument, ArgumentKind, Arguments};
use crate::commands::{Command, Group, Reply};
use crate::diagnostic::{Diagnostic, listed};
use crate::graph::{Node, NodeId, Order, gradients};
use crate::report::{Note, say};
use crate::session::naming::Uncertainty;
use crate::session::{Session, Setting, Widths};
use crate::syntax::Span;

pub(crate) const COMMAND: Command = Command {
    name: "set",
    aliases: &["s"],
    group: Group::Change,
    looks: false,
    entry: (":set a 3", "change a leaf"),
    arguments: &[
        Argument::needed("LEAF VALUE, …", ArgumentKind::Settings).means(
            "leaves and their new values: `a 3`, `a = 3`, `a 3, b a/2`, `a ± 0.1`, `a 3 ± 0.1`",
        ),
    ],
    summary: "change leaves in place and recompute",
    page: page!("commands/set"),
    run,
};

fn run(session: &mut Session, arguments: &Arguments) -> Result<Reply, Diagnostic> {
    let (settings, widths, notes) = leaves(session, arguments)?;
    if widths.is_empty() {
        session.keep_setting();
    }
    if arguments.silenced {
        let told = session.set_telling(&settings, widths, |_, _| {});
        return Ok(Reply::default().notes(notes.into_iter().chain(told)));
    }
    let grads = grads_before(session);
    let sigmas = sigmas_before(session, &widths);
    let (moved, told) = session.set_uncertain(&settings, widths);
    let notes = notes.into_iter().chain(told);
    // Uncertainties alone leave the pass as it is, which may be a sum of several.
    let root = session.pass().filter(|_| !settings.is_empty());
    if let Some(root) = root.map(|pass| Rc::clone(pass.root())) {
        session.backward(&root);
        session.pass_shown();
    }
    let report = Changes::of(session, &moved, grads.as_ref(), &sigmas).report();
    Ok(Reply::show(report).notes(notes))
}

/// `a.data = 3`, as in Python: the leaf changes and what is above it is recomputed, but no pass is run again, because a
/// step taken by hand, leaf after leaf, uses the gradients of one pass.
pub(crate) fn assign(
    session: &mut Session,
    silenced: bool,
    wish: LeafRequest,
) -> Result<Reply, Diagnostic> {
    if !wish.leaf.is_leaf() {
        return Err(computed(session, &wish.leaf, wish.word));
    }
    let was_fresh = session
        .pass()
        .is_some_and(|pass| !session.is_stale() && pass.grad(&wish.leaf).is_some());
    let LeafRequest { leaf, data, .. } = wish;
    let setting = data.map(|data| Setting { leaf, data });
    let (moved, told) = session.set(setting.as_slice());
    let mut notes: Vec<Note> = wish.notes.into_iter().chain(told).collect();
    if silenced {
        return Ok(Reply::default().notes(notes));
    }
    if was_fresh && session.is_stale() {
        notes.extend(old_grads(session));
    }
    let report = Changes::of(session, &moved, None, &[]).report();
    Ok(Reply::show(report).notes(notes))
}

/// The note after `a.data = 3` that the grads belong to the old data.
fn old_grads(session: &Session) -> Option<Note> {
    let root = session.pass()?.root();
    Some(Note::new(say!(
        "the grads stay those of the old data until `:grad {}`",
        session.label(root)
    )))
}

/// The leaves to set, and their new uncertainties. A computed node is an error, and so is a leaf named twice, unless it is
/// twice in one list and gets the same.
fn leaves(
    session: &mut Session,
    arguments: &Arguments,
) -> Result<(Vec<Setting>, Widths, Vec<Note>), Diagnostic> {
    let mut settings = Vec::new();
    let mut widths = Vec::new();
    let mut notes = Vec::new();
    let mut seen = HashMap::new();
    for wish in arguments.settings(session, "LEAF VALUE, …")? {
        let LeafRequest {
            leaf, data, width, ..
        } = wish;
        if !leaf.is_leaf() {
            return Err(computed(session, &leaf, wish.word));
        }
        notes.extend(wish.notes);
        let new = [data, width].map(|number| number.map(f64::to_bits));
        if let Some(before) = seen.insert(leaf.id(), (wish.word, new)) {
            if before == (wish.word, new) {
                continue;
            }
            let word = wish.word.of(arguments.text);
            return Err(Diagnostic::new(format!("`{word}` is set twice")).at(wish.word));
        }
        widths.extend(width.map(|width| (Rc::clone(&leaf), Uncertainty::typed(width))));
        settings.extend(data.map(|data| Setting { leaf, data }));
    }
    Ok((settings, widths, notes))
}

/// The first leaves of a value, as many as are asked for.
pub(crate) fn leaves_below(session: &Session, node: &Rc<Node>, most: usize) -> Vec<String> {
    let order = Order::below([node]);
    let leaves = order.nodes().iter().rev().filter(|node| node.is_leaf());
    leaves.take(most).map(|leaf| session.label(leaf)).collect()
}

/// The error for setting a computed node: it names leaves that can be set instead.
fn computed(session: &Session, node: &Rc<Node>, word: Span) -> Diagnostic {
    let label = session.label(node);
    let leaves = leaves_below(session, node, 8);
    let Some(first) = leaves.first() else {
        return Diagnostic::new(format!("`{label}` is a constant and cannot be set")).at(word);
    };
    let help = format!(
        "it depends on {}: as in `:set {first} VALUE`",
        listed(&leaves)
    );
    Diagnostic::new(format!("`{label}` is computed and cannot be set"))
        .at(word)
        .help(help)
}

/// The gradients before the change, by node: those of the last pass, or what it would give now if data has changed since.
fn grads_before(session: &Session) -> Option<HashMap<NodeId, f64>> {
    let pass = session.pass()?;
    let ids = pass.order().nodes().iter().map(|node| node.id());
    if session.is_stale() {
        let grads = gradients(pass.order(), pass.root(), |_| {});
        return Some(ids.zip(grads).collect());
    }
    Some(ids.zip(pass.grads().iter().copied()).collect())
}

/// The leaves that get new uncertainties, and those they had.
fn sigmas_before(session: &Session, widths: &Widths) -> Vec<(Rc<Node>, Option<f64>)> {
    let leaves = widths.iter().map(|(leaf, _)| leaf);
    leaves
        .map(|leaf| (Rc::clone(leaf), session.uncertainty(leaf)))
        .collect()
}
