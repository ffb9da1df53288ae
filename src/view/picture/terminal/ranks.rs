//! What stands in the ranks of a picture, before it has a place: looks, signs, and what each is wired to.
//!
//! The order in a rank is the layers'; lines come from `places.rs`, columns and rows from `geometry.rs`.

use super::boxes::{Face, face, operation};
use super::form::Form;
use super::places::Thing;
use crate::report::Diagram;
use crate::view::picture::layout::layers::{Layers, RankItem};
use crate::view::{Style, characters};

/// What stands in a rank of values.
pub(crate) struct RankPlace {
    /// Its line, once it has one.
    pub line: i64,
    /// The vertex and its looks; none for a wire that passes.
    pub value: Option<(usize, Face)>,
    /// The sign of its operation.
    pub operation: Option<String>,
    /// Its operands in the rank before: place there, position.
    pub sources: Vec<(usize, usize)>,
}

impl RankPlace {
    /// What it needs a line for.
    pub(crate) fn thing(&self, form: Form) -> Thing {
        let mut thing = Thing {
            before: 0,
            behind: 0,
            sources: self.sources.iter().map(|&(place, _)| place).collect(),
            leans: None,
        };
        let Some((_, face)) = &self.value else {
            return thing;
        };
        if form.downwards {
            let sign = self.operation.as_deref().map_or(0, characters::width);
            let width = face.width.max(sign) as i64;
            thing.before = (width - 1) / 2;
            thing.behind = width / 2;
        } else {
            thing.before = face.port as i64;
            thing.behind = (face.height - 1 - face.port) as i64;
        }
        thing
    }
}

/// Values and bends in their ranks, with what they are wired to.
pub(crate) fn places(
    diagram: &Diagram,
    layers: &Layers,
    form: Form,
    style: &Style,
) -> Vec<Vec<RankPlace>> {
    let mut at = vec![(0, 0); diagram.vertices.len()];
    let mut ranks: Vec<Vec<RankPlace>> = Vec::new();
    for (rank, items) in layers.ranks.iter().step_by(2).enumerate() {
        let mut places = Vec::new();
        for (place, item) in items.iter().enumerate() {
            let mut value = None;
            let mut sign = None;
            if let RankItem::Value(vertex) = *item {
                at[vertex] = (rank, place);
                value = Some((vertex, face(diagram, vertex, form, style)));
                if !diagram.vertices[vertex].operands.is_empty() {
                    sign = Some(operation(&diagram.vertices[vertex], style));
                }
            }
            places.push(RankPlace {
                line: 0,
                value,
                operation: sign,
                sources: Vec::new(),
            });
        }
        ranks.push(places);
    }
    let mut wires = layers.wires.iter();
    for (user, vertex) in diagram.vertices.iter().enumerate() {
        for wire in wires.by_ref().take(vertex.operands.len()) {
            let bends = wire.bends.iter().filter(|(rank, _)| rank % 2 == 0);
            let mut before = wire.from.1;
            for &(rank, place) in bends {
                let bend = &mut ranks[rank / 2][place];
                if bend.sources.is_empty() {
                    bend.sources.push((before, 0));
                }
                before = place;
            }
            let (rank, place) = at[user];
            ranks[rank][place].sources.push((before, wire.position));
        }
        if !vertex.operands.is_empty() {
            wires.next();
        }
    }
    if !form.downwards {
        for rank in &mut ranks {
            let faces = rank.iter_mut().filter_map(|place| place.value.as_mut());
            let mut boxes: Vec<&mut Face> = faces
                .map(|(_, face)| face)
                .filter(|face| face.stretches())
                .collect();
            let before = boxes.iter().map(|face| face.before).max().unwrap_or(0);
            let width = boxes.iter().map(|face| face.width).max().unwrap_or(0);
            for face in &mut boxes {
                face.align(before, width);
            }
        }
    }
    ranks
}

/// What needs lines, for [`super::places`].
pub(crate) fn things(ranks: &[Vec<RankPlace>], form: Form) -> Vec<Vec<Thing>> {
    let mut things: Vec<Vec<Thing>> = ranks
        .iter()
        .map(|rank| rank.iter().map(|place| place.thing(form)).collect())
        .collect();
    if form.lean {
        for rank in 1..things.len() {
            let (before, here) = things.split_at_mut(rank);
            for thing in here[0].iter_mut().filter(|thing| thing.sources.len() > 1) {
                let made = |&at: &usize| !before[rank - 1][at].sources.is_empty();
                thing.leans = Some(thing.sources.iter().position(made).unwrap_or(0));
            }
        }
    }
    things
}
