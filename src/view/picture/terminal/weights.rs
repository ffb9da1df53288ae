//! What stands on the wires of a network: the weight, or its sign where the number has no room.
//!
//! Colour tells the sign, too, but not every terminal has colours.

use super::form::{BoxSize, Form};
use crate::report::{Connection, Diagram, Line, Network, Piece};
use crate::view::picture::shapes::Ink;
use crate::view::picture::shapes::connections;
use crate::view::theme::Role;
use crate::view::{Style, characters, number};

/// Longer texts are left to files.
const LONGEST: usize = 16;

/// The text of each wire and its role, by the vertex it goes to and its position there.
pub(crate) fn texts(diagram: &Diagram, form: Form, style: &Style) -> Vec<Vec<(String, Role)>> {
    if diagram.network.is_none() {
        return Vec::new();
    }
    let text = |wire: &Connection| {
        let (sign, role) = sign(wire);
        let number = number(wire, form, style).unwrap_or_else(|| sign.to_string());
        // A minus beside the signs of a wire would be lost.
        if form.downwards || number.is_empty() {
            (sign.to_string(), role)
        } else {
            (format!(" {number} "), role)
        }
    };
    let vertices = diagram.vertices.iter();
    vertices
        .map(|vertex| vertex.connections.wires.iter().map(text).collect())
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

/// The weight, where there is room for numbers.
fn number(wire: &Connection, form: Form, style: &Style) -> Option<String> {
    wire.shown()?;
    let text = connections::text(wire, style);
    let text = characters::clean(&text, style.ascii).into_owned();
    (has_numbers(form) && characters::width(&text) <= LONGEST).then_some(text)
}

/// Whether there is room for numbers.
fn has_numbers(form: Form) -> bool {
    form.size == BoxSize::Full && !form.downwards
}

/// What stands on the wires, in words.
pub(crate) fn legend(network: Network, form: Form, style: &Style) -> Line {
    let sign = if has_numbers(form) {
        ""
    } else {
        "the sign of "
    };
    let largest = number::text(network.largest, style.table_digits);
    let mut pieces = vec![
        Piece::dim(format!("on the wires: {sign}")),
        Piece::plain("w"),
    ];
    if network.largest > 0.0 {
        pieces.push(Piece::dim(format!(", |w| up to {largest}")));
    }
    pieces
}
