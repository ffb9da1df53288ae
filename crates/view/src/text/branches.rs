//! Writes a tree as text: makes a table whose first column draws the structure with lines.
//!
//! A tree has the widths, digits and colours of tables. On a narrow terminal each subtree that is too deep becomes one row
//! with the number of its nodes.

use crate::Style;
use chainrule_report::{Branch, Cell, Column, Table, Tree};
use chainrule_stop as stop;

/// The columns of one level: `├─ `.
const LEVEL_COLUMNS: usize = 3;
/// The columns of a label, an operation and a number of usual length, to the right of the lines.
const TEXT_COLUMNS: usize = 44;
/// At least this many levels are shown, even on a narrow terminal.
const MIN_LEVELS: usize = 3;

/// The tree as a table.
pub(crate) fn table(tree: &Tree, style: &Style) -> Table {
    let levels = style.width.map_or(usize::MAX, |width| {
        (width.saturating_sub(TEXT_COLUMNS) / LEVEL_COLUMNS).max(MIN_LEVELS)
    });
    // The loop goes from the last row to the first, so it knows whether the vertical line of a level continues below.
    let mut rows: Vec<Vec<Cell>> = Vec::new();
    let mut continues: Vec<bool> = Vec::new();
    let mut deeper = 0;
    for (place, branch) in stop::with_checks(tree.branches.iter().enumerate().rev()) {
        if branch.depth > levels {
            deeper += 1;
            continue;
        }
        if deeper > 0 {
            let dots = format!("{}└─ … {deeper} deeper", lines(&continues, levels));
            rows.push(vec![Cell::Text(dots), Cell::Empty, Cell::Empty]);
            deeper = 0;
        }
        let is_first = tree.first_not_finite == Some(place);
        rows.push(row(branch, is_first, &continues));
        // In the rows above this one, its level continues, and the deeper levels do not.
        continues.resize(branch.depth, false);
        continues.push(true);
    }
    rows.reverse();
    let columns = ["node", "operation", "data"].map(Column::people);
    Table {
        omitted: tree.omitted.clone(),
        ..Table::new("", columns.into(), rows)
    }
}

/// The row of a node, or of operands that were omitted. `continues` tells for each level whether its vertical line
/// continues below.
fn row(branch: &Branch, is_first_not_finite: bool, continues: &[bool]) -> Vec<Cell> {
    let above = lines(continues, branch.depth.saturating_sub(1));
    let corner = match branch.depth {
        0 => "",
        depth if continues.get(depth) == Some(&true) => "├─ ",
        _ => "└─ ",
    };
    if branch.more > 0 {
        let more = format!("{above}{corner}… {} more", branch.more);
        return vec![Cell::Text(more), Cell::Empty, Cell::Empty];
    }
    let dots = if branch.is_cut { " …" } else { "" };
    let operation = match branch.operation {
        _ if branch.is_repeated => Cell::Dim("shared, above".to_string()),
        Some(name) => Cell::Text(name.to_string()),
        None => Cell::Dim(branch.kind.to_string()),
    };
    let data = if is_first_not_finite {
        Cell::FirstNotFinite(branch.data)
    } else {
        Cell::Number(branch.data)
    };
    let node = format!("{above}{corner}{}{dots}", branch.label);
    vec![Cell::Text(node), operation, data]
}

/// The vertical lines in front of a node, for the levels 1 to `level`.
fn lines(continues: &[bool], level: usize) -> String {
    let line_at = |depth| match continues.get(depth) {
        Some(true) => "│  ",
        _ => "   ",
    };
    (1..=level).map(line_at).collect()
}
