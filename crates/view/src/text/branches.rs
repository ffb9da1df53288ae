//! A tree as text: a table whose first column shows the structure by lines.
//!
//! Widths, digits and colours are those of tables. On a narrow terminal a line with the number of deeper nodes stands for
//! levels that are too deep.

use crate::Style;
use chainrule_report::{Branch, Cell, Column, Table, Tree};
use chainrule_stop as stop;

/// The columns that one level takes: `├─ `.
const STEP: usize = 3;
/// The columns that labels, operations and numbers need beside the lines.
const BESIDE: usize = 44;
/// The number of levels drawn on the narrowest terminal.
const FEWEST_LEVELS: usize = 3;

/// The tree as a table, of which the first column shows the structure.
pub(crate) fn table(tree: &Tree, style: &Style) -> Table {
    let levels = style.width.map_or(usize::MAX, |width| {
        (width.saturating_sub(BESIDE) / STEP).max(FEWEST_LEVELS)
    });
    // Rows are built from the last to the first, so that it is known whether a vertical line continues below.
    let mut rows: Vec<Vec<Cell>> = Vec::new();
    let mut open: Vec<bool> = Vec::new();
    let mut deeper = 0;
    for (place, branch) in stop::with_checks(tree.branches.iter().enumerate().rev()) {
        if branch.depth > levels {
            deeper += 1;
            continue;
        }
        if deeper > 0 {
            let dots = format!("{}└─ … {deeper} deeper", lines(&open, levels));
            rows.push(vec![Cell::Text(dots), Cell::Empty, Cell::Empty]);
            deeper = 0;
        }
        rows.push(row(branch, tree.first == Some(place), &open));
        // Nodes further up are not connected to anything deeper below this row.
        open.truncate(branch.depth);
        open.resize(branch.depth, false);
        open.push(true);
    }
    rows.reverse();
    Table {
        key: "",
        columns: vec![
            Column::people("node"),
            Column::people("operation"),
            Column::people("data"),
        ],
        rows: rows.into(),
        omitted: tree.omitted.clone(),
    }
}

fn row(branch: &Branch, first: bool, open: &[bool]) -> Vec<Cell> {
    let goes_on = |depth: usize| open.get(depth).copied().unwrap_or(false);
    let corner = match branch.depth {
        0 => "",
        depth if goes_on(depth) => "├─ ",
        _ => "└─ ",
    };
    let above = lines(open, branch.depth.saturating_sub(1));
    if branch.more > 0 {
        let more = format!("{above}{corner}… {} more", branch.more);
        return vec![Cell::Text(more), Cell::Empty, Cell::Empty];
    }
    let dots = if branch.is_cut { " …" } else { "" };
    let operation = if branch.is_repeated {
        Cell::Dim("shared, above".to_string())
    } else {
        branch.operation.map_or_else(
            || Cell::Dim(branch.kind.to_string()),
            |name| Cell::Text(name.to_string()),
        )
    };
    vec![
        Cell::Text(format!("{above}{corner}{}{dots}", branch.label)),
        operation,
        if first {
            Cell::FirstNotFinite(branch.data)
        } else {
            Cell::Number(branch.data)
        },
    ]
}

/// The vertical lines in front of a node, for the levels 1 to `level`.
fn lines(open: &[bool], level: usize) -> String {
    (1..=level)
        .map(|depth| {
            if open.get(depth).copied().unwrap_or(false) {
                "│  "
            } else {
                "   "
            }
        })
        .collect()
}
