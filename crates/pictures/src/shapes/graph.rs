//! Draws a graph as shapes: boxes with label, data and grad, operations in ovals before the boxes, and wires of straight
//! pieces. The graph runs from left to right or from top to bottom.
//!
//! The places come from [`Drawing`], the words from [`labels`].

use std::collections::{BTreeMap, BTreeSet};

use super::drawing::{Drawing, MARGIN, NUMBER_GAP};
use super::scene::{Contour, Ink, Scene, SceneGroup, SceneText, Sketch, Stroke};
use super::wires::{self, ARROW, DrawnWire, WirePlace, to_picture};
use super::{boxes, labels, legend, letters, neurons};
use crate::layout::layers::Layers;
use chainrule_report::{Diagram, DiagramEdge, Flow, Kind, Stage, Vertex};
use chainrule_style::{Movement, Style, number};

/// The radius of the dot where a wire forks.
const DOT_RADIUS: f64 = 2.5;
/// A picture that must shrink to fit a slide runs downwards if its scale then grows by more than this factor.
const LEAST_GAIN_OF_DOWN: f64 = 1.1;
/// The letters of a number that changes, for which its box has room: `-1.2345`.
const CHANGING_NUMBER_LETTERS: usize = 7;
/// The width of a wire to an ordinary node, to the current stop of a walk, and to a node that the walk has not reached.
const WIRE_WIDTH: f64 = 1.5;
const CURRENT_WIRE_WIDTH: f64 = 2.2;
const COMING_WIRE_WIDTH: f64 = 1.3;
/// The size of the letters of the caption.
const CAPTION_SIZE: f64 = 12.0;
/// The distance between the baselines of the caption.
const CAPTION_LINE_HEIGHT: f64 = CAPTION_SIZE * 1.4;
/// The distance of the first baseline of the caption from the picture's edge above it.
const CAPTION_TOP: f64 = 4.0;
/// A caption may be this wide even if the graph is narrower.
const CAPTION_WIDTH: f64 = 330.0;
/// A line of the caption has at least this many letters.
const MIN_CAPTION_LETTERS: usize = 8;

/// The picture for a file. A diagram without a direction runs to the right, or downwards if it is then clearly larger on a
/// slide.
pub(crate) fn scene(diagram: &Diagram, style: &Style) -> Scene {
    let layers = Layers::new(diagram);
    let room = |vertex: &Vertex| match vertex.kind {
        Kind::Constant => 0,
        _ => CHANGING_NUMBER_LETTERS,
    };
    let rooms: Vec<usize> = match style.movement {
        Movement::None => Vec::new(),
        Movement::Possible | Movement::Going => diagram.vertices.iter().map(room).collect(),
    };
    let drawing = |flow| Drawing::new(diagram, &layers, flow, &rooms, style);
    if let Some(flow) = diagram.flow {
        return drawing(flow).scene();
    }
    let right = drawing(Flow::Right);
    if right.scale() < 1.0 {
        let down = drawing(Flow::Down);
        if down.scale() > right.scale() * LEAST_GAIN_OF_DOWN {
            return down.scene();
        }
    }
    right.scene()
}

impl Drawing<'_> {
    /// The shapes of the whole picture.
    fn scene(&self) -> Scene {
        let mut sketch = Sketch::default();
        let vertices = &self.diagram.vertices;
        self.draw_wires(&mut sketch);
        for DiagramEdge { user, position, .. } in self.diagram.edges() {
            self.draw_number(user, position, &mut sketch);
        }
        for (place, (vertex, face)) in vertices.iter().zip(&self.faces).enumerate() {
            if let Some(oval) = self.ovals[place] {
                let sides = self.rectangle(place, self.operation_span(place), oval.width);
                boxes::draw_operation(vertex, face, sides, &mut sketch);
            }
            let wide = to_picture(self.flow, face.sizes()).1;
            let sides = self.rectangle(place, self.value_span(place), wide);
            boxes::draw_value(vertex, place == 0, face, sides, self.style, &mut sketch);
        }
        // A picture for print has a caption of its own.
        let is_on_screen = self.style.movement != Movement::None;
        let entries = match self.diagram.network {
            Some(network) => {
                neurons::draw_weights(self, network, &mut sketch);
                neurons::legend_entries(self.diagram, network)
            }
            None if is_on_screen => legend::entries_of_graph(self.diagram),
            None => Vec::new(),
        };
        let size = legend::draw(&entries, self.size(), &mut sketch);
        let (width, height) = self.draw_caption(size, &mut sketch);
        Scene {
            width,
            height,
            title: labels::title(self.diagram),
            shapes: sketch.shapes,
            ..Scene::default()
        }
    }

    /// Draws all wires. A piece that several wires of a value share is drawn once, with the widest of their strokes. Wide
    /// wires lie on top of narrow ones, so the wires of the last stop of a walk are uppermost.
    fn draw_wires(&self, sketch: &mut Sketch) {
        if let Some(network) = self.diagram.network {
            for wire in self.layers.wires() {
                neurons::draw_wire(self, network, &wire, sketch);
            }
            return;
        }
        let mut wires = self.arrows();
        wires.extend(self.trunks());
        self.draw_forks(sketch);
        wires.sort_by(|one, other| one.line.width.total_cmp(&other.line.width));
        for wire in wires {
            wires::draw(self.flow, wire, sketch);
        }
    }

    /// The wires from operands to operations, each from the last fork on, and then those from operations to their values.
    fn arrows(&self) -> Vec<DrawnWire> {
        let arrow = |group: SceneGroup, corners: Vec<WirePlace>, user: &Vertex| DrawnWire {
            group,
            corners,
            has_arrow: true,
            line: stroke(user),
        };
        let vertices = &self.diagram.vertices;
        let mut wires = Vec::new();
        for DiagramEdge { user, position, .. } in self.diagram.edges() {
            let (start, corners) = self.piece_from_fork(user, position);
            let group = self.wire_group("edge", self.key(user, position), start);
            wires.push(arrow(group, corners, &vertices[user]));
        }
        for (place, vertex) in vertices.iter().enumerate() {
            if vertex.operation.is_some() {
                let middle = self.point_middle(place);
                let ends = [self.operation_span(place).1, self.value_span(place).0];
                let corners = ends.map(|along| (along, middle)).to_vec();
                let group = self.wire_group("edge", vertex.id.to_string(), place);
                wires.push(arrow(group, corners, vertex));
            }
        }
        wires
    }

    /// The pieces that several wires of a value share, each up to the bend where the wires part. A piece overlaps the next
    /// one by a pixel, so the pieces nearest to the value come last, on top of the others.
    fn trunks(&self) -> Vec<DrawnWire> {
        let vertices = &self.diagram.vertices;
        let points = &self.layers.points;
        let strokes = self.widest_strokes();
        // The value from which each point comes.
        let mut sources: Vec<usize> = (0..vertices.len()).collect();
        for bend in self.layers.bend_indices() {
            sources.push(sources[points[bend].left[0]]);
        }
        let mut wires = Vec::new();
        for bend in self.layers.bend_indices().rev() {
            if points[bend].right.len() > 1 {
                let id = vertices[sources[bend]].id;
                wires.push(DrawnWire {
                    group: self.wire_group("trunk", id.to_string(), bend),
                    corners: self.piece_from_fork(bend, 0).1,
                    has_arrow: false,
                    line: strokes[bend],
                });
            }
        }
        wires
    }

    /// The widest stroke of the wires that leave each point.
    fn widest_strokes(&self) -> Vec<Stroke> {
        let points = &self.layers.points;
        let mut strokes = vec![Stroke::solid(Ink::Wire, 0.0); points.len()];
        let wider = |known: Stroke, new: Stroke| if new.width > known.width { new } else { known };
        for (user, vertex) in self.diagram.vertices.iter().enumerate() {
            for &before in &points[user].left {
                strokes[before] = wider(strokes[before], stroke(vertex));
            }
        }
        // From the users back to the values, because each bend passes its stroke on to the point before it.
        for bend in self.layers.bend_indices().rev() {
            let before = points[bend].left[0];
            strokes[before] = wider(strokes[before], strokes[bend]);
        }
        strokes
    }

    /// The group of a wire that starts or ends at a point.
    fn wire_group(&self, class: &str, key: String, point: usize) -> SceneGroup {
        SceneGroup {
            trunk: self.layers.is_bend(point).then_some(point),
            ..SceneGroup::new(class, key, String::new())
        }
    }

    /// Draws a dot wherever wires of one value part.
    fn draw_forks(&self, sketch: &mut Sketch) {
        let mut forks: BTreeMap<usize, WireFork> = BTreeMap::new();
        for wire in &self.plan.wires {
            // The first turn of a wire, if it is not straight: the fork of the source, or the bus of its only wire. All wires
            // of a source have it on the same track.
            if let [_, (track, from), (_, to), ..] = wire.way[..] {
                let fork = forks.entry(wire.source).or_insert_with(|| WireFork {
                    track,
                    from,
                    to: BTreeSet::new(),
                });
                fork.to.insert(to);
            }
        }
        for fork in forks.into_values() {
            for line in fork.dots() {
                let at = (self.track_middle(fork.track), self.line_middle(line));
                let dot = Contour::Circle(to_picture(self.flow, at), DOT_RADIUS);
                sketch.area(dot, Ink::Wire);
            }
        }
    }

    /// Draws the number on the wire from an operand, if there is one. It stands at the end of the wire, before the arrow.
    fn draw_number(&self, user: usize, position: usize, sketch: &mut Sketch) {
        let on_wires = &self.diagram.vertices[user].on_wires;
        let wire = self.plan_wire(user, position);
        let end_of_wire = wire.and_then(|wire| wire.way.last());
        let (Some(Some(on_wire)), Some(&(_, line))) = (on_wires.get(position), end_of_wire) else {
            return;
        };
        let text = number::short(on_wire.number);
        let (long, _) = to_picture(self.flow, (boxes::on_wire_width(&text), boxes::NUMBER_HIGH));
        let end = self.operation_span(user).0 - ARROW - NUMBER_GAP;
        let at = to_picture(self.flow, (end - long / 2.0, self.line_middle(line)));
        let tip = labels::on_wire(on_wire, self.style.table_digits);
        let group = SceneGroup::new("number", self.key(user, position), tip);
        let ink = match Ink::of(on_wire.number) {
            Ink::Number => Ink::Words,
            ink => ink,
        };
        sketch.group(group, |sketch| {
            boxes::draw_on_wire(&text, at, ink, "", sketch);
        });
    }

    /// Draws the notes on the whole graph below a picture of this size, in as many lines as they need. Returns the size of
    /// both together.
    fn draw_caption(&self, (width, height): (f64, f64), sketch: &mut Sketch) -> (f64, f64) {
        let text = labels::caption(self.diagram, self.style);
        if text.is_empty() {
            return (width, height);
        }
        let caption_width = letters::width(&text, CAPTION_SIZE).min(CAPTION_WIDTH);
        let new_width = width.max(caption_width + 2.0 * MARGIN);
        let letter_width = letters::MONO_ADVANCE * CAPTION_SIZE;
        // A rounding error must not cost a letter.
        let letters_per_line = ((new_width - 2.0 * MARGIN) / letter_width + 1e-9) as usize;
        let mut y = height + CAPTION_TOP;
        for line in letters::wrap(&text, letters_per_line.max(MIN_CAPTION_LETTERS)) {
            sketch.text(SceneText {
                class: "caption",
                ..SceneText::new((MARGIN, y), CAPTION_SIZE, Ink::Faint, &line)
            });
            y += CAPTION_LINE_HEIGHT;
        }
        (new_width, y - CAPTION_LINE_HEIGHT + MARGIN)
    }
}

/// The first turn of the wires of a value.
struct WireFork {
    /// The track on which the wires turn.
    track: usize,
    /// The line on which the wires come.
    from: i64,
    /// The lines on which the wires leave.
    to: BTreeSet<i64>,
}

impl WireFork {
    /// The lines with a dot, where at least three arms meet.
    fn dots(&self) -> Vec<i64> {
        let mut lines = self.to.clone();
        lines.insert(self.from);
        let (first, last) = (lines.first(), lines.last());
        // The arms above, below, before and after a place.
        let has_dot = |line: &i64| {
            let across = usize::from(Some(line) > first) + usize::from(Some(line) < last);
            let along = usize::from(*line == self.from) + usize::from(self.to.contains(line));
            across + along > 2
        };
        lines.iter().copied().filter(has_dot).collect()
    }
}

/// The stroke of the wires to a node.
fn stroke(user: &Vertex) -> Stroke {
    match user.stage {
        Some(Stage::Current) => Stroke::solid(Ink::Current, CURRENT_WIRE_WIDTH),
        Some(Stage::Coming) => Stroke::of(Ink::Coming, COMING_WIRE_WIDTH, true),
        _ => Stroke::solid(Ink::Wire, WIRE_WIDTH),
    }
}
