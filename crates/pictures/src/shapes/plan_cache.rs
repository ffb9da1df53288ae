//! Remembers the plans of graphs. While a slider moves, each picture of a graph takes the plan of the last one, so that
//! boxes do not jump.

use std::cell::RefCell;
use std::rc::Rc;

use super::labels::Face;
use crate::layout::layers::{Layers, Point};
use crate::layout::plan::{Measures, PicturePlan};
use chainrule_report::{Diagram, Flow, Vertex};
use chainrule_style::Movement;

/// The number of plans that are remembered. A large picture has one for each flow.
const REMEMBERED: usize = 8;

/// The parts of a graph that stay the same while only its numbers change.
#[derive(PartialEq)]
pub(super) struct Skeleton {
    flow: Flow,
    points: Vec<Point>,
    labels: Vec<String>,
    /// For each box, how many numbers it has, and how many stand on its wires.
    counts: Vec<(usize, usize)>,
}

impl Skeleton {
    pub(super) fn of(diagram: &Diagram, layers: &Layers, faces: &[Face], flow: Flow) -> Skeleton {
        let on_wires = |vertex: &Vertex| vertex.on_wires.iter().flatten().count();
        let vertices = faces.iter().zip(&diagram.vertices);
        let counts = vertices.map(|(face, vertex)| (face.numbers.len(), on_wires(vertex)));
        Skeleton {
            flow,
            points: layers.points.clone(),
            labels: faces.iter().map(|face| face.label.clone()).collect(),
            counts: counts.collect(),
        }
    }
}

thread_local! {
    /// The last plans, newest first.
    static PLANS: RefCell<Vec<(Skeleton, Rc<PicturePlan>)>> = RefCell::default();
}

/// During a movement returns the last plan of the same graph, whatever the measures are now. Its boxes have room for
/// numbers that grow, because [`Face::number_room`] is set if a movement is possible. Otherwise returns a new plan,
/// which takes the place of the last one.
pub(super) fn plan_of(
    skeleton: Skeleton,
    movement: Movement,
    layers: &Layers,
    measures: &Measures,
) -> Rc<PicturePlan> {
    let mut plans = PLANS.take();
    let index = plans.iter().position(|(known, _)| *known == skeleton);
    let plan = match index.map(|index| plans.remove(index).1) {
        Some(plan) if movement == Movement::Going => plan,
        _ => Rc::new(PicturePlan::new(layers, measures)),
    };
    plans.insert(0, (skeleton, Rc::clone(&plan)));
    plans.truncate(REMEMBERED);
    PLANS.set(plans);
    plan
}
