//! `:tree T`: the expression behind a node, as nested operations.
//!
//! `graph::structure` makes the rows, and `view` draws them.

use std::rc::Rc;

use crate::commands::prelude::*;
use crate::commands::signatures::tree::{JSON, SIGNATURE, T};
use crate::session::naming::labels::FEW_ITEMS;
use crate::study::kind_of;
use chainrule_engine::graph::structure::tree_rows::{TreeLimits, TreePlace, TreeRow, tree_rows};
use chainrule_engine::graph::{Node, first_not_finite};
use chainrule_engine::ops::Op;
use chainrule_report::{Block, Branch, Note, Report, Tree, say};
use chainrule_stop as stop;

/// The deepest levels that text and JSON show.
pub const DEEPEST: [usize; 2] = [64, 500];

pub(crate) static COMMAND: Command = Command::new(SIGNATURE, run, &[]);

fn run(session: &mut Session, arguments: &Arguments) -> Result<Reply, Diagnostic> {
    let target = arguments.target(session, T)?;
    let nested = arguments.has(JSON);
    let taken = target.line(session);
    let mut notes = target.notes;
    let label = session.label(&target.node);
    let mut blocks: Vec<Block> = taken.filter(|_| !nested).into_iter().collect();
    if target.is_default && nested {
        // The lines of JSON have no room for it, so a note says it.
        notes.push(Note::new(say!("this is {:name}", &label)));
    }
    if !arguments.is_silenced {
        blocks.push(Block::Tree(tree(session, &target.node, nested)));
    }
    let report = Report::new("tree", vec![("root", label.into())], blocks);
    Ok(Reply::show(report).with_notes(notes))
}

/// Whether a node is made from a long list.
fn is_long_list(node: &Node) -> bool {
    let of_list = |op: &Op| matches!(op.spelling, "sum" | "prod");
    node.operands().len() > FEW_ITEMS && node.op().is_some_and(of_list)
}

fn tree(session: &Session, root: &Rc<Node>, nested: bool) -> Tree {
    let all = nested || session.show.shows_all_rows;
    let limits = if all {
        TreeLimits {
            lines: usize::MAX,
            depth: DEEPEST[1],
            is_long: |_| false,
        }
    } else {
        TreeLimits {
            lines: session.table_rows(),
            depth: DEEPEST[0],
            is_long: is_long_list,
        }
    };
    let (found, omitted) = tree_rows(root, limits);
    // JSON has the labels of shared nodes only: a million others would never be read.
    // Equal literals need no numbers to tell them apart, so they have no caption.
    let has_caption = |branch: &&TreeRow| {
        (!all || branch.place != TreePlace::Only) && branch.node.spelling().is_none()
    };
    let with_caption = found.iter().filter(has_caption).map(|branch| branch.node);
    let mut captions = session.captions(with_caption).into_iter();
    let first = first_not_finite(found.iter().map(|branch| branch.node));
    let first = first.and_then(|first| {
        let mut branches = found.iter();
        branches.position(|branch| Rc::ptr_eq(branch.node, first))
    });
    let branches = stop::with_checks(found.iter()).map(|branch| {
        let caption = has_caption(&branch).then(|| captions.next()).flatten();
        let literal = || (!all).then(|| session.label(branch.node));
        let label = caption.map(|caption| caption.label).or_else(literal);
        Branch {
            depth: branch.depth,
            id: branch.node.id(),
            label: label.unwrap_or_default(),
            operation: branch.node.op().map(|op| op.name),
            kind: kind_of(branch.node).word(),
            data: branch.node.data(),
            is_shared: branch.place != TreePlace::Only,
            is_repeated: branch.place == TreePlace::Again,
            is_cut: branch.is_cut,
            more: branch.more,
        }
    });
    Tree {
        branches: branches.collect(),
        first,
        shows_json: nested,
        omitted: (omitted > 0).then(|| {
            let typed = "`:tree NODE` begins further below, `:tree T json` writes all";
            (omitted, typed.to_string())
        }),
    }
}
