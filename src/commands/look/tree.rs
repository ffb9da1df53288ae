//! `:tree T`: shows how T is computed, as nested operations.
//!
//! `graph::structure` chooses the rows, this file labels them, and `view` draws them.

use crate::command::prelude::*;
use crate::command::signatures::tree::{SIGNATURE, T};
use chainrule_engine::graph::first_not_finite;
use chainrule_engine::graph::structure::tree_rows::{TreeLimits, TreePlace, TreeRow, tree_rows};
use chainrule_engine::ops::Op;
use chainrule_report::{Branch, Tree};
use chainrule_session::naming::labels::FEW_ITEMS;
use chainrule_session::{captions, kind_of};

/// The most levels of a tree in text. A deeper row would be mostly indentation.
pub const DEEPEST_TEXT: usize = 64;
/// The most levels of a tree in JSON. Each level is an object in a list, and Python refuses JSON of about 1000 levels.
pub const DEEPEST_JSON: usize = 500;

pub(crate) static COMMAND: Command = Command::new(SIGNATURE, run, &[]);

fn run(session: &mut Session, arguments: &Arguments) -> Result<Reply> {
    let target = arguments.target(session, T)?;
    let label = session.label(&target.node);
    let target_line = target.line(session).into_iter();
    let blocks = target_line.chain([Block::Tree(tree(session, &target.node))]);
    let report = Report::new(&COMMAND, vec![("root", label.into())], blocks.collect());
    Ok(Reply::show(report).with_notes(target.notes))
}

/// Whether a node is the sum or the product of a long list.
fn is_long_list(node: &Node) -> bool {
    let of_list = |op: &Op| matches!(op.spelling, "sum" | "prod");
    node.operands().len() > FEW_ITEMS && node.op().is_some_and(of_list)
}

/// Makes the tree below a root. The JSON of the option `--json` has no limit on rows.
fn tree(session: &Session, root: &Rc<Node>) -> Tree {
    let shows_all = session.show.reader == Reader::Program;
    let limits = TreeLimits {
        lines: session.table_rows(),
        depth: if shows_all {
            DEEPEST_JSON
        } else {
            DEEPEST_TEXT
        },
        is_long: if shows_all { |_| false } else { is_long_list },
    };
    let (rows, omitted) = tree_rows(root, limits);
    let first_broken = first_not_finite(rows.iter().map(|row| row.node));
    let is_broken = |row: &TreeRow| first_broken.is_some_and(|it| Rc::ptr_eq(row.node, it));
    Tree {
        first_not_finite: rows.iter().position(is_broken),
        branches: branches(session, &rows, shows_all),
        omitted: (omitted > 0).then(|| {
            let typed = "`:tree NODE` begins further below, `--json` writes all";
            (omitted, typed.to_string())
        }),
    }
}

/// Returns the rows with their labels. In text every row has a label; in JSON only the rows of shared nodes have one,
/// because a program would never read a million others.
fn branches(session: &Session, rows: &[TreeRow], shows_all: bool) -> Vec<Branch> {
    // A caption is a label that is distinct from the other captions. Equal literals need not be told apart.
    let has_caption = |row: &&TreeRow| {
        (!shows_all || row.place != TreePlace::Only) && row.node.spelling().is_none()
    };
    let with_caption = rows.iter().filter(has_caption).map(|row| row.node);
    let mut all_captions = captions(session.names(), with_caption).into_iter();
    let mut branches = Vec::new();
    for row in stop::with_checks(rows.iter()) {
        let caption = has_caption(&row).then(|| all_captions.next()).flatten();
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
