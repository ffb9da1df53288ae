//! A walk as a film of shapes: the picture before the first stop, what changes on it at each, and when.
//!
//! The layout is one for all frames, in which every box has room for all that will stand in it.

use super::layout::layers::Layers;
use super::shapes::letters;
use super::shapes::network;
use super::shapes::{Ink, MARGIN, Scene, SceneGroup, SceneShape, SceneText, Stroke, labels};
use crate::report::{Diagram, Line, Vertex, WalkFilm};
use crate::stop;
use crate::view::{Style, characters, plain};

/// How many seconds a frame is shown, unless there are many.
const FRAME: f64 = 1.5;
/// How many seconds the last frame is shown, before the film begins again.
const PAUSE: f64 = 5.0;
/// The most seconds of a film.
const LONGEST: f64 = 120.0;
/// The letters of the first sentence, and of the others.
const SIZES: [f64; 2] = [15.0, 14.0];
/// From line to line.
const LEADING: f64 = 22.0;
/// The sentences have at least so much room, however small the graph.
const ROOM: f64 = 580.0;
/// In a wider picture the sentences are larger, up to twice as large.
const WIDE: f64 = 900.0;

/// A film: the shapes of all frames are the same in number and kind.
pub(crate) struct Film {
    /// The first frame.
    pub first: Scene,
    /// What changes at each frame after it: places of shapes, and what they are from there on.
    pub changes: Vec<Vec<(usize, SceneShape)>>,
    /// How many seconds each frame is shown but the last.
    pub frame: f64,
    /// How many seconds the last frame is shown.
    pub pause: f64,
}

impl Film {
    /// The film of a walk.
    pub(crate) fn new(walk: &WalkFilm, style: &Style) -> Film {
        let roomy = with_room(walk, style);
        let layers = Layers::with_few_crossings(&roomy);
        let mut plan = network::planned(&roomy, &layers, style);
        let mut diagram = walk.diagram.clone();
        for (place, vertex) in diagram.vertices.iter().enumerate() {
            plan.sizes.rewrite(place, vertex, style);
        }
        let mut first = network::drawn(&diagram, &plan, style);
        let strip = Strip::below(&mut first, walk, style);
        strip.write(&walk.lines, style, &mut first.shapes);
        first.title.clone_from(&walk.title);
        first.description = description(walk, style);
        let mut before = first.shapes.clone();
        let mut changes = Vec::new();
        for frame in &walk.frames {
            stop::ask_now();
            for (place, vertex) in &frame.changes {
                diagram.vertices[*place] = vertex.clone();
                plan.sizes.rewrite(*place, vertex, style);
            }
            let mut shapes = network::drawn(&diagram, &plan, style).shapes;
            strip.write(&frame.lines, style, &mut shapes);
            let differs = |&place: &usize| shapes[place] != before[place];
            let changed = (0..shapes.len()).filter(differs);
            changes.push(
                changed
                    .map(|place| (place, shapes[place].clone()))
                    .collect(),
            );
            before = shapes;
        }
        let moving = walk.frames.len().max(1) as f64;
        Film {
            first,
            changes,
            frame: FRAME.min((LONGEST - PAUSE) / moving),
            pause: PAUSE,
        }
    }

    /// How many frames it has.
    pub(crate) fn frames(&self) -> usize {
        self.changes.len() + 1
    }

    /// When a frame begins, as a share of the film.
    pub(crate) fn begin(&self, frame: usize) -> f64 {
        frame as f64 * self.frame / self.seconds()
    }

    /// How many seconds it takes.
    pub(crate) fn seconds(&self) -> f64 {
        self.changes.len() as f64 * self.frame + self.pause
    }

    /// What each shape is from which frame on.
    pub(crate) fn versions(&self) -> Vec<Vec<(usize, &SceneShape)>> {
        let first = self.first.shapes.iter();
        let mut versions: Vec<_> = first.map(|shape| vec![(0, shape)]).collect();
        for (frame, changes) in (1..).zip(&self.changes) {
            for (place, shape) in changes {
                versions[*place].push((frame, shape));
            }
        }
        versions
    }
}

/// The graph with the widest numbers that any frame has.
fn with_room(walk: &WalkFilm, style: &Style) -> Diagram {
    let mut roomy = walk.diagram.clone();
    for (place, vertex) in walk.frames.iter().flat_map(|frame| &frame.changes) {
        widen(&mut roomy.vertices[*place], vertex, style);
    }
    roomy
}

fn widen(vertex: &mut Vertex, other: &Vertex, style: &Style) {
    let widths = |vertex: &Vertex| -> Vec<usize> {
        let numbers = labels::numbers(vertex, style).into_iter();
        numbers.map(|(_, text)| characters::width(&text)).collect()
    };
    let (own, others) = (widths(vertex), widths(other));
    let is_wider = |number: usize| others.get(number) > own.get(number);
    let (data, grad) = (is_wider(0), is_wider(1));
    vertex.first |= other.first;
    if data || vertex.data.is_none() {
        vertex.data = other.data;
    }
    if grad {
        vertex.grad = other.grad;
    }
    if let (Some(list), Some(other)) = (&mut vertex.list, &other.list) {
        if data {
            list.data = other.data;
        }
        if grad {
            list.grad = other.grad;
        }
    }
}

/// All sentences, for a reader who cannot see the film.
fn description(walk: &WalkFilm, style: &Style) -> String {
    let frames = std::iter::once(&walk.lines).chain(walk.frames.iter().map(|frame| &frame.lines));
    let told = frames.flatten().map(|line| plain(line, style));
    told.collect::<Vec<String>>().join(". ")
}

/// Where the sentences stand: the same lines in every frame, of which some may be empty.
struct Strip {
    /// Where it begins.
    top: f64,
    /// How long a line is.
    width: f64,
    /// How large its letters are.
    scale: f64,
    /// How many lines it has.
    lines: usize,
}

impl Strip {
    /// Makes room below a picture.
    fn below(scene: &mut Scene, walk: &WalkFilm, style: &Style) -> Strip {
        scene.width = scene.width.max(ROOM + 2.0 * MARGIN);
        let mut strip = Strip {
            top: scene.height,
            width: scene.width - 2.0 * MARGIN,
            scale: (scene.width / WIDE).clamp(1.0, 2.0),
            lines: 0,
        };
        let frames = walk.frames.iter().map(|frame| &frame.lines);
        for lines in std::iter::once(&walk.lines).chain(frames) {
            strip.lines = strip.lines.max(strip.wrapped(lines, style).len());
        }
        scene.height += strip.lines as f64 * LEADING * strip.scale + MARGIN;
        strip
    }

    /// Writes sentences.
    fn write(&self, lines: &[Line], style: &Style, shapes: &mut Vec<SceneShape>) {
        let (left, right) = (MARGIN, MARGIN + self.width);
        let rule = Stroke::solid(Ink::Grid, 1.0);
        shapes.push(SceneShape::Open(SceneGroup {
            class: "told".to_string(),
            ..SceneGroup::default()
        }));
        shapes.push(SceneShape::line((left, self.top), (right, self.top), rule));
        let mut written = self.wrapped(lines, style);
        written.resize(self.lines, (false, String::new()));
        for (count, (heads, text)) in (1..).zip(written) {
            let y = self.top + f64::from(count) * LEADING * self.scale;
            let size = self.size(heads);
            shapes.push(SceneShape::Text(SceneText {
                bold: heads,
                part: "sentence",
                ..SceneText::new((left, y), size, Ink::Words, &text)
            }));
        }
        shapes.push(SceneShape::Close);
    }
    /// Sentences in lines, and whether each belongs to the first.
    fn wrapped(&self, lines: &[Line], style: &Style) -> Vec<(bool, String)> {
        let mut out = Vec::new();
        for (count, line) in lines.iter().enumerate() {
            let heads = count == 0;
            let room = letters::places(self.width, self.size(heads));
            let wrapped = letters::wrapped(&plain(line, style), room);
            out.extend(wrapped.into_iter().map(|text| (heads, text)));
        }
        out
    }

    /// The letters of the first sentence, or of the others.
    fn size(&self, heads: bool) -> f64 {
        SIZES[usize::from(!heads)] * self.scale
    }
}
