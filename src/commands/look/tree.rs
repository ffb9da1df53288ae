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

/// The most levels that text and JSON show.
pub const DEEPEST: [usize; 2] = [64, 500];

pub(crate) static COMMAND: Command = Command::new(SIGNATURE, run, &[]);

fn run(session: &mut Session, arguments: &Arguments) -> Result<Reply, Diagnostic> {
    let target = arguments.target(session, T)?;
    let is_json = arguments.has(JSON);
    let target_line = target.line(session).filter(|_| !is_json);
    let mut notes = target.notes;
    let label = session.label(&target.node);
    let mut blocks: Vec<Block> = target_line.into_iter().collect();
    if target.is_default && is_json {
        // The lines of JSON have no room for the name of the target, so a note says it.
        notes.push(Note::new(say!("this is {:name}", &label)));
    }
    if !arguments.is_silenced {
        blocks.push(Block::Tree(tree(session, &target.node, is_json)));
    }
    let report = Report::new("tree", vec![("root", label.into())], blocks);
    Ok(Reply::show(report).with_notes(notes))
}

/// Whether a node is the sum or the product of a long list.
fn is_long_list(node: &Node) -> bool {
    let of_list = |op: &Op| matches!(op.spelling, "sum" | "prod");
    node.operands().len() > FEW_ITEMS && node.op().is_some_and(of_list)
}

fn tree(session: &Session, root: &Rc<Node>, is_json: bool) -> Tree {
    let shows_all = is_json || session.show.shows_all_rows;
    let limits = if shows_all {
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
    let (rows, omitted) = tree_rows(root, limits);
    let first = first_not_finite(rows.iter().map(|row| row.node));
    let is_first = |row: &TreeRow| first.is_some_and(|first| Rc::ptr_eq(row.node, first));
    Tree {
        first: rows.iter().position(is_first),
        branches: branches(session, &rows, shows_all),
        shows_json: is_json,
        omitted: (omitted > 0).then(|| {
            let typed = "`:tree NODE` begins further below, `:tree T json` writes all";
            (omitted, typed.to_string())
        }),
    }
}

/// The rows with their labels. A node that has several rows gets a caption, which is distinct from the others.
fn branches(session: &Session, rows: &[TreeRow], shows_all: bool) -> Vec<Branch> {
    // JSON has the labels of shared nodes only: a million others would never be read.
    // Equal literals need no numbers to tell them apart, so they have no caption.
    let has_caption = |row: &&TreeRow| {
        (!shows_all || row.place != TreePlace::Only) && row.node.spelling().is_none()
    };
    let with_caption = rows.iter().filter(has_caption).map(|row| row.node);
    let mut captions = session.captions(with_caption).into_iter().peekable();
    let mut branches = Vec::new();
    for row in stop::with_checks(rows.iter()) {
        let caption = captions.next_if(|_| has_caption(&row));
        let label = match caption {
            Some(caption) => caption.label,
            None if shows_all => String::new(),
            None => session.label(row.node),
        };
        branches.push(Branch {
            depth: row.depth,
            id: row.node.id(),
            label,
            operation: row.node.op().map(|op| op.name),
            kind: kind_of(row.node).word(),
            data: row.node.data(),
            is_shared: row.place != TreePlace::Only,
            is_repeated: row.place == TreePlace::Again,
            is_cut: row.is_cut,
            more: row.operands_left_out,
        });
    }
    branches
}
