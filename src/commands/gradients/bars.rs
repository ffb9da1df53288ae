//! `:grad T bars`: shows the gradients as bars, the largest first.
//!
//! All bars begin at one vertical line and grow to the right, or to the left for gradients below zero. If the gradients
//! differ greatly in size, the lengths of the bars are logarithmic, and a line of the answer says so.

use crate::commands::args::target::PassTarget;
use crate::commands::node_table::{NodeTable, TableNode};
use crate::commands::prelude::*;
use chainrule_engine::graph::first_not_finite;
use chainrule_report::dim;

/// If the largest gradient is more than this many times the smallest, the lengths are logarithmic: a bar of a thousandth of
/// the longest cannot be seen.
const MAX_LINEAR_RATIO: f64 = 1e3;

/// The most powers of ten that a bar spans. Smaller gradients have the shortest bar that can be seen.
const MOST_DECADES: f64 = 12.0;

/// Logarithmic bars begin at least this many powers of ten below the smallest gradient, that is, at half of the smallest
/// gradient or less. So its bar can be seen.
const MARGIN_DECADES: f64 = 0.3;

/// The scale for the lengths of bars.
struct BarScale {
    /// The largest absolute value of a gradient.
    largest: f64,
    /// Bars begin at 10 to this power; `None` if the lengths are linear.
    first_exponent: Option<f64>,
}

impl BarScale {
    fn of(grads: impl Iterator<Item = f64>) -> BarScale {
        let (mut smallest, mut largest) = (f64::INFINITY, 0.0_f64);
        for size in grads.map(f64::abs) {
            if size.is_finite() && size > 0.0 {
                smallest = smallest.min(size);
                largest = largest.max(size);
            }
        }
        let below_smallest = (smallest.log10() - MARGIN_DECADES).floor();
        let lowest = largest.log10().ceil() - MOST_DECADES;
        let is_logarithmic = largest > smallest * MAX_LINEAR_RATIO;
        BarScale {
            largest,
            first_exponent: is_logarithmic.then_some(below_smallest.max(lowest)),
        }
    }

    /// Returns the length of a bar as a fraction of the longest, negative for a negative gradient. Only a gradient of 0 has
    /// length 0. Returns NaN and infinity unchanged.
    fn length(&self, grad: f64) -> f64 {
        let size = grad.abs();
        if size == 0.0 || !size.is_finite() {
            return grad;
        }
        let length = match self.first_exponent {
            Some(first) => (size.log10() - first) / (self.largest.log10() - first),
            None => size / self.largest,
        };
        length.clamp(f64::MIN_POSITIVE, 1.0).copysign(grad)
    }

    /// A line that says where logarithmic bars begin and end.
    fn line(&self) -> Option<Line> {
        let begin = 10_f64.powf(self.first_exponent?);
        let end = self.largest;
        Some(say!("the bars are logarithmic: from {} to {}", begin, end))
    }
}

/// Answers with the bars of the picked nodes, or of all below the root if none is picked.
pub(super) fn show(session: &mut Session, target: &PassTarget, picked: &[Rc<Node>]) -> Reply {
    let Some(pass) = session.pass() else {
        return Reply::default();
    };
    let chosen = match pass.order().nodes() {
        _ if !picked.is_empty() => picked,
        // The root is left out unless it is alone, because its own gradient is always 1.
        [_, below @ ..] if !below.is_empty() => below,
        alone => alone,
    };
    let grad = |node: &Node| pass.grad(node).unwrap_or(0.0);
    let scale = BarScale::of(chosen.iter().map(|node| grad(node)));
    let mut nodes = chosen.to_vec();
    // In this descending order `total_cmp` puts a NaN first, so the user sees it even if rows are left out.
    nodes.sort_by(|a, b| grad(b).abs().total_cmp(&grad(a).abs()));
    nodes.truncate(session.table_rows());
    let left_out = chosen.len() - nodes.len();
    let first = first_not_finite(pass.order().nodes()).cloned();
    let bar = |row: &TableNode| Cell::Bar(scale.length(grad(&row.node)));
    let mut table = NodeTable::each(session, nodes)
        .id()
        .label(Column::new("node", "node"))
        .data(Column::new("data", "data").rank(1), first)
        .column(Column::grads("grad"), |row| Cell::Number(grad(&row.node)))
        .column(Column::people(""), bar)
        .table("rows");
    let hint = "`wrt` picks nodes, --json writes all";
    table.omitted = (left_out > 0).then(|| (left_out, hint.to_string()));
    let remark = scale.line().map(|remark| Block::Line(dim(remark)));
    let optional_blocks = [target.line(session), Some(Block::Table(table)), remark];
    let facts = vec![
        ("root", session.label(&target.node).into()),
        ("data", target.node.data().into()),
    ];
    let blocks = optional_blocks.into_iter().flatten().collect();
    Reply::show(Report::new("grad", facts, blocks))
}
