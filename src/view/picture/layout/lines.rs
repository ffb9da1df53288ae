//! The line of everything in its rank: wires as straight as the order allows, nothing on top of each other.
//!
//! The solver moves the bodies; here is how strongly wires pull, and which of the states that the
//! sweeps come to is the best.

use super::coordinates::{Body, Neighbours, Solver, Spring, between};
use super::layers::{Layers, Point};

/// What stands at a point: the box of a value with its operation before it, or only a wire that passes.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Seat {
    /// What it takes across the picture, before its line and behind it.
    pub before: usize,
    pub behind: usize,
    /// How long its operation is along the picture, and its value; a bend has neither.
    pub operation: usize,
    pub value: Option<usize>,
    /// How far the ports of its operands are from each other; 0 if all wires end in one.
    pub ports: usize,
    /// Whether its value becomes as long as the longest of its rank.
    pub stretches: bool,
    /// Whether wires come to it.
    pub made: bool,
    /// The operand it stands in one line with; else it stands in the middle of all.
    pub leans: Option<usize>,
}

/// A wire that goes on wants to be straight.
const STRAIGHT: f64 = 8.0;
/// The operand of an operation with several wants to be near it.
const NEAR: f64 = 2.0;
/// Sweeps over all ranks.
const SWEEPS: usize = 16;

/// The line of every point; the first seat begins at 0. `gap` units at least are between neighbours.
pub(crate) fn lines(layers: &Layers, seats: &[Seat], gap: usize) -> Vec<i64> {
    let bodies = bodies(layers, seats);
    // A line is a unit wide itself.
    let mut solver = Solver::new(layers, &bodies, (gap + 1) as f64);
    let mut best: Option<(f64, Vec<f64>)> = None;
    for sweep in 0..SWEEPS {
        let backwards = sweep % 2 == 1;
        // First from one side at a time, so that whole trees can move; then between both.
        let side = match backwards {
            _ if sweep >= SWEEPS / 2 => Neighbours::Both,
            true => Neighbours::Right,
            false => Neighbours::Left,
        };
        let moved = solver.sweep(backwards, side);
        if side == Neighbours::Both && moved == 0.0 {
            break;
        }
        let cost = cost(layers, seats, &bodies, &solver.coordinates);
        if best.as_ref().is_none_or(|(least, _)| cost < *least) {
            best = Some((cost, solver.coordinates.clone()));
        }
    }
    let lines = best.map_or(solver.coordinates, |(_, lines)| lines);
    let (top, _) = ends(&bodies, &lines);
    lines.iter().map(|line| (line - top) as i64).collect()
}

/// What pulls at each seat: the middle of its operands, or the one that it leans on; and its users, around which
/// their operands stand.
fn bodies(layers: &Layers, seats: &[Seat]) -> Vec<Body> {
    let body = |seat: &Seat| Body {
        before: seat.before as f64,
        behind: seat.behind as f64,
        springs: Vec::new(),
    };
    let mut bodies: Vec<Body> = seats.iter().map(body).collect();
    for (user, (point, seat)) in layers.points.iter().zip(seats).enumerate() {
        let count = point.left.len() as i64;
        let ports = layers.ports(user);
        for (position, (&operand, port)) in point.left.iter().zip(ports).enumerate() {
            let leans = seat.leans == Some(position);
            let extent = bodies[operand].before + bodies[operand].behind + 1.0;
            // Where a wire passes, it comes straight to its port.
            let extent = extent.max(seat.ports as f64);
            let offset = (2 * port as i64 - count + 1) as f64 * extent / 2.0;
            bodies[operand].springs.push(Spring {
                to: [user, user],
                below: if leans { 0.0 } else { offset.trunc() },
                strength: if leans || count == 1 { STRAIGHT } else { NEAR },
            });
        }
        if let Some(to) = middle(layers, point, seat) {
            bodies[user].springs.push(Spring {
                to,
                below: 0.0,
                strength: if to[0] == to[1] { STRAIGHT } else { NEAR * 2.0 },
            });
        }
    }
    bodies
}

/// The two points in whose middle one should stand as far as its operands are concerned: the outermost of them, or twice
/// the one that it leans on.
fn middle(layers: &Layers, point: &Point, seat: &Seat) -> Option<[usize; 2]> {
    if let Some(at) = seat.leans {
        return Some([point.left[at]; 2]);
    }
    let place = |operand: &&usize| layers.places[**operand];
    let first = point.left.iter().min_by_key(place)?;
    let last = point.left.iter().max_by_key(place)?;
    Some([*first, *last])
}

/// How bent all wires are, and how high the picture is.
fn cost(layers: &Layers, seats: &[Seat], bodies: &[Body], lines: &[f64]) -> f64 {
    let mut cost = 0.0;
    for ((point, seat), line) in layers.points.iter().zip(seats).zip(lines) {
        let bent = |to: f64| (to - line).abs();
        match (&point.left[..], middle(layers, point, seat)) {
            (&[operand], _) => {
                let bent = bent(lines[operand]);
                cost += bent * 4.0 + 2.0 * bent.min(1.0);
            }
            (operands, Some([first, last])) => {
                let each = operands.iter().map(|&operand| bent(lines[operand]));
                // An operation in the middle of its operands looks calmer than one nearer to its user.
                cost += each.sum::<f64>() + 2.0 * bent(between(lines[first], lines[last]));
            }
            (_, None) => {}
        }
    }
    let (top, bottom) = ends(bodies, lines);
    cost + 4.0 * (bottom - top)
}

/// The first and the last line that anything reaches.
fn ends(bodies: &[Body], lines: &[f64]) -> (f64, f64) {
    let reach = bodies.iter().zip(lines);
    let begins = reach.clone().map(|(body, line)| line - body.before);
    let ends = reach.map(|(body, line)| line + body.behind);
    (
        begins.fold(f64::INFINITY, f64::min),
        ends.fold(f64::NEG_INFINITY, f64::max),
    )
}
