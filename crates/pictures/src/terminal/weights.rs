//! The marks on the wires of a network: the signs of the weights. Colours show the signs, too, but not every terminal has
//! colours.

use crate::shapes::Ink;
use crate::shapes::connections;
use chainrule_report::{Connection, Line, Network, Piece};
use chainrule_style::theme::Role;
use chainrule_style::{Style, number};

/// The sign on a wire; `None` if it has no weight, or its weights do not have one sign.
pub(crate) fn sign(wire: &Connection) -> Option<(&'static str, Role)> {
    Some(match connections::ink(wire) {
        Ink::Rising => ("+", Role::Rising),
        Ink::Falling => ("-", Role::Falling),
        Ink::NotFinite => ("?", Role::NotFinite),
        _ => return None,
    })
}

/// The legend of these marks.
pub(crate) fn legend(network: Network, style: &Style) -> Line {
    let largest = number::text(network.largest, style.table_digits);
    let mut pieces = vec![Piece::dim("on the wires: the sign of "), Piece::plain("w")];
    if network.largest > 0.0 {
        pieces.push(Piece::dim(format!(", |w| up to {largest}")));
    }
    pieces
}
