//! Samples an expression over two leaves, for maps, on a grid that is regular along both axes.
//!
//! The expression becomes a plan, so the graph does not change. The view chooses levels and contour lines.

use std::rc::Rc;

use super::SampleAxis;
use chainrule_engine::graph::{Node, Plan};
use chainrule_report::PlotMap;
use chainrule_stop as stop;

/// The usual number of intervals along each axis: a terminal has no finer dots.
pub const MAP_INTERVALS: usize = 100;
/// The number of intervals for a picture in a file.
pub const FINE_MAP_INTERVALS: usize = 200;
/// The number of intervals for logarithmic levels. Some of these levels lie deep in narrow valleys.
pub const FINEST_MAP_INTERVALS: usize = 600;
/// The fewest intervals, even for a large graph: a coarser map has no shape.
const FEWEST_INTERVALS: usize = 20;
/// About the most evaluations of nodes for one map. Large graphs get a coarser grid.
const MOST_EVALUATIONS: usize = 1 << 24;

/// Returns the map of a root, without labels, while two leaves move through their ranges.
pub fn sample_map(
    root: &Rc<Node>,
    leaves: [&Rc<Node>; 2],
    axes: [SampleAxis; 2],
    intervals: usize,
) -> PlotMap {
    let mut plan = Plan::of(root);
    let nodes = plan.order().nodes().len();
    let slots = leaves.map(|leaf| plan.order().slot(leaf));
    // A root may be constant, and its plan empty.
    let affordable = (MOST_EVALUATIONS / nodes.max(1)).isqrt();
    let affordable_intervals = intervals.min(affordable.max(FEWEST_INTERVALS));
    let value_at = |data: [f64; 2]| evaluate(&mut plan, slots, data);
    built_map(axes, affordable_intervals, value_at)
}

/// Returns the root's data while the leaves at these slots have this data.
fn evaluate(plan: &mut Plan, slots: [Option<usize>; 2], data: [f64; 2]) -> f64 {
    for (slot, number) in slots.into_iter().zip(data) {
        if let Some(slot) = slot {
            plan.set(slot, number);
        }
    }
    plan.forward(None);
    plan.root_data()
}

/// Returns the map of an expression that `value` builds again for each point, because the expression takes decisions by the
/// leaves.
pub fn built_map(
    axes: [SampleAxis; 2],
    intervals: usize,
    mut value: impl FnMut([f64; 2]) -> f64,
) -> PlotMap {
    let [columns, rows] = axes.map(|axis| -> Vec<f64> {
        let places = axis.places(intervals).into_iter();
        places.map(|place| axis.number_at(place)).collect()
    });
    let mut values = Vec::with_capacity(columns.len() * rows.len());
    for &up in &rows {
        stop::ask_now();
        values.extend(columns.iter().map(|&across| value([across, up])));
    }
    PlotMap {
        columns,
        rows,
        values,
        ..PlotMap::default()
    }
}
