//! A graph as shapes: boxes of label, data and grad, operations in ovals between them, from left to right or from top to
//! bottom.
//!
//! Ranks and their order come from [`Layers`], what is written from [`labels`], places from [`NetworkPlan`]; here one of
//! several plans is chosen, and everything is drawn.

use super::boxes;
use super::labels;
use super::letters;
use super::neurons;
use super::numbers;
use super::plan::{MARGIN, NetworkPlan};
use super::scene::{Ink, Scene, SceneGroup, SceneShape, SceneText};
use super::sizes::{FORMS, Sizes};
use super::wires::WirePath;
use crate::report::{Diagram, Flow};
use crate::view::Style;
use crate::view::picture::layout::layers::{Layers, Wire};

/// How much longer wires are on a page, which writes on them.
const WRITTEN_ON: f64 = 46.0;
/// The room that a page has for a picture to the right, in the window of a laptop, and for one downwards, on a phone.
const WINDOWS: [(f64, f64); 2] = [(1250.0, 480.0), (370.0, 550.0)];
/// Another plan is taken if it makes the picture this many times as large.
const WORTH: f64 = 1.1;
/// Several strips are harder to follow than one: they are taken if they make the picture this many times as large.
const WORTH_STRIPS: f64 = 1.5;
/// The letters of the caption.
const CAPTION: f64 = 12.0;
/// A caption has at least so much room, however small the graph.
const CAPTION_ROOM: f64 = 330.0;

/// The picture for a file: it runs the way in which it is largest on a slide, unless the diagram says which way, and a
/// long one goes on in several strips, as text does in lines.
pub(crate) fn scene(diagram: &Diagram, style: &Style) -> Scene {
    let layers = Layers::with_few_crossings(diagram);
    let flows = match diagram.flow {
        Some(Flow::Right) => &[Flow::Right][..],
        Some(Flow::Down) => &[Flow::Down],
        None => &[Flow::Right, Flow::Down],
    };
    drawn(diagram, &fitting(diagram, &layers, flows, 0, style), style)
}

/// The picture for a page, in one strip. `room` is how many letters every number has at least, for the page changes them.
pub(crate) fn strip(diagram: &Diagram, flow: Flow, room: usize, style: &Style) -> Scene {
    let layers = Layers::with_few_crossings(diagram);
    drawn(
        diagram,
        &fitting(diagram, &layers, &[flow], room, style),
        style,
    )
}

/// Everything at its place.
fn drawn(diagram: &Diagram, plan: &NetworkPlan, style: &Style) -> Scene {
    let layers = plan.layers;
    let mut shapes = Vec::new();
    let mut wires = layers.wires().peekable();
    for user in 0..diagram.vertices.len() {
        while let Some(wire) = wires.next_if(|wire| wire.user == user) {
            operand(diagram, plan, &wire, &mut shapes);
        }
        if plan.sizes.is_made(user) {
            result(diagram, plan, user, &mut shapes);
        }
    }
    for wire in layers.wires() {
        number(diagram, plan, &wire, &mut shapes);
    }
    for points in &layers.ranks {
        let vertices = || {
            points
                .iter()
                .copied()
                .filter(|&point| !layers.is_bend(point))
        };
        for vertex in vertices().filter(|&vertex| plan.sizes.is_made(vertex)) {
            let at = plan.corner(plan.operation(vertex), vertex, plan.sizes.oval(vertex));
            boxes::operation(diagram, vertex, at, &plan.sizes, &mut shapes);
        }
        for vertex in vertices() {
            let sizes = plan.sizes.content(vertex).sizes();
            let at = plan.corner(plan.value(vertex), vertex, sizes);
            boxes::value(diagram, vertex, at, &plan.sizes, &mut shapes);
        }
    }
    let (mut width, mut height) = plan.size;
    if let Some(network) = diagram.network {
        neurons::weights(diagram, network, plan, style, &mut shapes);
        neurons::legend(diagram, network, (&mut width, &mut height), &mut shapes);
    }
    caption(diagram, style, &mut width, &mut height, &mut shapes);
    Scene {
        width,
        height,
        title: labels::title(diagram),
        description: labels::description(diagram, style),
        shapes,
    }
}

/// The plan in which the picture is largest on a slide; where all have room, the first. A page, which has room for
/// longer numbers, is never in strips, and is read in a window.
fn fitting<'a>(
    diagram: &Diagram,
    layers: &'a Layers,
    flows: &[Flow],
    room: usize,
    style: &Style,
) -> NetworkPlan<'a> {
    let longer = if room > 0 { WRITTEN_ON } else { 0.0 };
    let plan = |flow, form| {
        let sizes = Sizes::new(diagram, layers, (form, flow), room, style);
        NetworkPlan::new(layers, sizes, longer)
    };
    let scale = |plan: &NetworkPlan| match flows {
        [Flow::Right] if room > 0 => plan.scale_in(WINDOWS[0]),
        [Flow::Down] if room > 0 => plan.scale_in(WINDOWS[1]),
        _ => plan.scale(),
    };
    let mut best = plan(flows[0], FORMS[0]);
    let mut others = Vec::new();
    let all = flows
        .iter()
        .flat_map(|&flow| FORMS.map(|form| (flow, form)));
    for (flow, form) in all.skip(1) {
        if scale(&best) >= 1.0 {
            return best;
        }
        let mut other = plan(flow, form);
        if scale(&other) > scale(&best) * WORTH {
            std::mem::swap(&mut best, &mut other);
        }
        others.push(other);
    }
    if room > 0 {
        return best;
    }
    let strips = others.iter().chain([&best]);
    let strips = strips.filter_map(NetworkPlan::in_strips);
    match strips.max_by(|one, other| one.scale().total_cmp(&other.scale())) {
        Some(strips) if strips.scale() > best.scale() * WORTH_STRIPS => strips,
        _ => best,
    }
}

/// The wire from an operand to an operation.
fn operand(diagram: &Diagram, plan: &NetworkPlan, wire: &Wire, shapes: &mut Vec<SceneShape>) {
    let from = wire.way[0];
    let user = &diagram.vertices[wire.user];
    let mut path = WirePath::new(plan.value(from).1, plan.across[from]);
    for (step, ends) in wire.way.windows(2).enumerate() {
        path.straight(plan.rank(ends[0])[1].1);
        plan.turn(ends[0], &mut path);
        if step + 2 < wire.way.len() {
            path.curve((plan.rank(ends[1])[0].0, plan.across[ends[1]]));
        }
    }
    if let Some(network) = diagram.network {
        return neurons::wire(diagram, network, plan, (wire, path), shapes);
    }
    let group = SceneGroup {
        class: "edge".to_string(),
        key: key(diagram, wire),
        tip: String::new(),
    };
    let port = plan.sizes.port(wire.user, wire.port);
    let inset = boxes::inset(plan.sizes.oval(wire.user), plan.sizes.flow, port);
    let tip = (
        plan.operation(wire.user).0 + inset,
        plan.across[wire.user] + port,
    );
    path.arrow(plan.rank(wire.user)[0].0, tip);
    path.finish(plan.sizes.flow, group, user, shapes);
}

fn key(diagram: &Diagram, wire: &Wire) -> String {
    let [from, to] = [wire.way[0], wire.user].map(|end| diagram.vertices[end].id);
    format!("{from}-{to}-{}", wire.position)
}

/// The number on the wire from an operand, if there is one.
fn number(diagram: &Diagram, plan: &NetworkPlan, wire: &Wire, shapes: &mut Vec<SceneShape>) {
    let on_wires = &diagram.vertices[wire.user].on_wires;
    if let Some(Some(on_wire)) = on_wires.get(wire.position) {
        let across = plan.across[wire.user] + plan.sizes.port(wire.user, wire.port);
        let at = (plan.operation(wire.user).0, across);
        numbers::draw(on_wire, key(diagram, wire), at, &plan.sizes, shapes);
    }
}

/// The wire from an operation to its value.
fn result(diagram: &Diagram, plan: &NetworkPlan, vertex: usize, shapes: &mut Vec<SceneShape>) {
    let [operations, values] = plan.rank(vertex);
    let mut path = WirePath::new(plan.operation(vertex).1, plan.across[vertex]);
    path.straight(operations.1);
    let group = SceneGroup {
        class: "edge result".to_string(),
        key: diagram.vertices[vertex].id.to_string(),
        tip: String::new(),
    };
    path.arrow(values.0, (plan.value(vertex).0, plan.across[vertex]));
    path.finish(plan.sizes.flow, group, &diagram.vertices[vertex], shapes);
}

/// The notes on the whole graph, in as many lines as it takes, below the picture.
fn caption(
    diagram: &Diagram,
    style: &Style,
    width: &mut f64,
    height: &mut f64,
    shapes: &mut Vec<SceneShape>,
) {
    let text = labels::caption(diagram, style);
    if text.is_empty() {
        return;
    }
    let wanted = letters::width(&text, CAPTION).min(CAPTION_ROOM) + 2.0 * MARGIN;
    *width = width.max(wanted);
    let room = letters::places(*width - 2.0 * MARGIN, CAPTION).max(8);
    let mut y = *height + 4.0;
    for line in letters::wrapped(&text, room) {
        shapes.push(SceneShape::Text(SceneText {
            part: "caption",
            ..SceneText::new((MARGIN, y), CAPTION, Ink::Faint, &line)
        }));
        y += CAPTION * 1.4;
    }
    *height = y - CAPTION * 1.4 + MARGIN;
}
