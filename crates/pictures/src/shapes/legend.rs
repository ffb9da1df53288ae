//! Draws the legend of the colours in a row below the picture of a graph or a network.

use super::drawing::MARGIN;
use super::letters;
use super::scene::{Ink, SceneGroup, SceneText, Sketch, Stroke};
use chainrule_report::{Diagram, Kind};

/// The size of the letters.
const SIZE: f64 = 12.0;
/// The room between a sample and its words.
const WORDS_GAP: f64 = 6.0;
/// The room between two entries.
const ENTRY_GAP: f64 = 22.0;
/// The sides of the sample of a box, which is a short wide line.
const BOX_SAMPLE: f64 = 9.0;

/// An entry: a sample line and what it stands for.
#[derive(Clone, Copy, PartialEq)]
pub(crate) struct LegendEntry {
    pub(crate) line: Stroke,
    pub(crate) length: f64,
    pub(crate) words: &'static str,
}

/// The entries of a graph: what its boxes and the colours of its grads mean. They do not depend on the numbers, which may
/// change.
pub(crate) fn entries_of_graph(diagram: &Diagram) -> Vec<LegendEntry> {
    let vertices = &diagram.vertices;
    let has_kind = |kind: Kind| vertices.iter().skip(1).any(|it| it.kind == kind);
    let has_stops = vertices.iter().any(|it| it.stage.is_some());
    let has_grads = vertices.iter().any(|it| it.grad.is_some());
    let entries = [
        (has_kind(Kind::Leaf), Ink::Leaf, "leaf"),
        (has_kind(Kind::Frozen), Ink::Frozen, "frozen"),
        (vertices.len() > 1, Ink::Root, "root"),
        (has_stops, Ink::Current, "this stop"),
        (has_grads, Ink::Rising, "grad > 0"),
        (has_grads, Ink::Falling, "grad < 0"),
    ];
    let shown = entries.into_iter().filter(|(is_shown, ..)| *is_shown);
    shown
        .map(|(_, ink, words)| LegendEntry {
            line: Stroke::solid(ink, BOX_SAMPLE),
            length: BOX_SAMPLE,
            words,
        })
        .collect()
}

/// Draws an entry from this place on. Returns the x of the next entry.
fn draw_entry(entry: LegendEntry, (x, baseline): (f64, f64), sketch: &mut Sketch) -> f64 {
    let middle = baseline - SIZE * letters::CAPITAL / 2.0;
    sketch.line((x, middle), (x + entry.length, middle), entry.line);
    let place = (x + entry.length + WORDS_GAP, baseline);
    sketch.text(SceneText::new(place, SIZE, Ink::Faint, entry.words));
    place.0 + letters::width(entry.words, SIZE) + ENTRY_GAP
}

/// Draws a legend below a picture of this size. Returns the size of both together.
pub(crate) fn draw(
    entries: &[LegendEntry],
    (width, height): (f64, f64),
    sketch: &mut Sketch,
) -> (f64, f64) {
    if entries.is_empty() {
        return (width, height);
    }
    let (mut x, baseline) = (MARGIN, height + 4.0);
    let group = SceneGroup::new("legend", String::new(), String::new());
    sketch.group(group, |sketch| {
        for &entry in entries {
            x = draw_entry(entry, (x, baseline), sketch);
        }
    });
    // Below the baseline is room for the descenders of letters.
    let new_height = baseline + SIZE * 0.6 + 6.0;
    (width.max(x - ENTRY_GAP + MARGIN), new_height)
}
