//! Samples an expression over two leaves, for maps. This works on a plan, so nothing is changed.
//!
//! The grid is even along both axes; levels and contour lines are up to the view.

use std::rc::Rc;

use super::axis::SampleAxis;
use chainrule_engine::graph::{Node, Plan};
use chainrule_report::PlotMap;
use chainrule_stop as stop;

/// The usual number of intervals of a grid, each way.
pub const MAP_INTERVALS: usize = 100;
/// The same for a picture in a file.
pub const FINE_MAP_INTERVALS: usize = 200;
/// The same with logarithmic levels, some of which lie deep in narrow valleys.
pub const FINEST_MAP_INTERVALS: usize = 600;
/// The fewest, however large the graph is.
const LEAST: usize = 20;
/// About how many nodes are evaluated for one map: large graphs get a coarser grid.
const WORK: usize = 1 << 24;

/// The map of a root, without labels, while two leaves move through their ranges.
pub fn sample_map(
    root: &Rc<Node>,
    leaves: [&Rc<Node>; 2],
    axes: [SampleAxis; 2],
    intervals: usize,
) -> PlotMap {
    let mut plan = Plan::of(root);
    let nodes = plan.order().nodes().len();
    let slots = leaves.map(|leaf| plan.order().slot(leaf));
    let affordable = (WORK / nodes.max(1)).isqrt();
    let intervals = intervals.min(affordable.max(LEAST));
    built_map(axes, intervals, |places| {
        for (slot, place) in slots.into_iter().zip(places) {
            if let Some(slot) = slot {
                plan.set(slot, place);
            }
        }
        plan.forward(None);
        plan.root_data()
    })
}

/// The same of a value that is built anew at each point.
pub fn built_map(
    axes: [SampleAxis; 2],
    intervals: usize,
    mut value: impl FnMut([f64; 2]) -> f64,
) -> PlotMap {
    let [columns, rows] = axes.map(|axis| {
        let places = axis.places(intervals).into_iter();
        places.map(|place| axis.data(place)).collect::<Vec<f64>>()
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
