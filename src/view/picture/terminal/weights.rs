//! What stands on the wires of a network: the sign of the weight, for colour tells it, too, but not every terminal has
//! colours.

use crate::report::{Connection, Diagram, Line, Network, Piece};
use crate::view::picture::shapes::Ink;
use crate::view::picture::shapes::connections;
use crate::view::theme::Role;
use crate::view::{Style, number};

/// The sign of each wire and its role, by the vertex it goes to and its position there.
pub(crate) fn signs(diagram: &Diagram) -> Vec<Vec<(&'static str, Role)>> {
    if diagram.network.is_none() {
        return Vec::new();
    }
    let vertices = diagram.vertices.iter();
    vertices
        .map(|vertex| vertex.connections.wires.iter().map(sign).collect())
        .collect()
}

fn sign(wire: &Connection) -> (&'static str, Role) {
    match connections::ink(wire) {
        Ink::Rising => ("+", Role::Rising),
        Ink::Falling => ("-", Role::Falling),
        Ink::NotFinite => ("?", Role::NotFinite),
        _ => ("", Role::Plain),
    }
}

/// What stands on the wires, in words.
pub(crate) fn legend(network: Network, style: &Style) -> Line {
    let largest = number::text(network.largest, style.table_digits);
    let mut pieces = vec![Piece::dim("on the wires: the sign of "), Piece::plain("w")];
    if network.largest > 0.0 {
        pieces.push(Piece::dim(format!(", |w| up to {largest}")));
    }
    pieces
}
