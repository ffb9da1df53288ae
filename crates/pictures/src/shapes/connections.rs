//! The look and the words of the wires of a network: colour, width, tooltip and legend.
//!
//! A wire that has no weight, or whose weights do not have one sign, has the colour of an ordinary wire.

use std::fmt::Write;

use super::scene::{Ink, Stroke};
use chainrule_report::{Connection, Diagram, Network, Vertex, Weight};
use chainrule_style::{Style, number};

/// The least and the greatest width of a wire in a picture with few wires.
const WIDTHS: (f64, f64) = (1.2, 7.0);
/// The least and the greatest width in a picture with very many wires, where wide wires would cover others.
const NARROW: (f64, f64) = (0.8, 2.4);
/// The number of wires up to which they have the widths of few wires.
const FEW: f64 = 40.0;

/// The digits of a number on a wire. The tooltip shows more digits.
const DIGITS: u8 = 3;
/// The digits of the ends of a range on a wire.
const RANGE_DIGITS: u8 = 2;

/// The ink of a wire.
pub(crate) fn ink(connection: &Connection) -> Ink {
    match connection.weight_range() {
        Some((least, most)) if !(least.is_finite() && most.is_finite()) => Ink::NotFinite,
        Some((least, _)) if least > 0.0 => Ink::Rising,
        Some((_, most)) if most < 0.0 => Ink::Falling,
        _ => Ink::Wire,
    }
}

/// The stroke of a wire. It is dashed if the wire stands for no weight or for several.
pub(crate) fn stroke(connection: &Connection, network: Network) -> Stroke {
    let is_dashed = connection.weight.is_none();
    Stroke::of(ink(connection), width(connection, network), is_dashed)
}

/// The width of a wire, in proportion to its weight. The largest weight of the picture has the widest wire.
pub(crate) fn width(connection: &Connection, network: Network) -> f64 {
    // The ink grows with the number of wires, so widths shrink with its root.
    let shrink = (FEW / network.wires.max(1) as f64).sqrt();
    let thin = (WIDTHS.0 * shrink).clamp(NARROW.0, WIDTHS.0);
    let wide = (WIDTHS.1 * shrink).clamp(NARROW.1, WIDTHS.1);
    let Some((least, most)) = connection.weight_range() else {
        return thin;
    };
    let size = least.abs().max(most.abs());
    let fraction = if !size.is_finite() {
        1.0
    } else if network.largest > 0.0 {
        size / network.largest
    } else {
        0.0
    };
    thin + (wide - thin) * fraction
}

/// The text on a wire: its weight, or the range of several weights; empty if it has none.
pub(crate) fn wire_label(connection: &Connection, style: &Style) -> String {
    let Some((least, most)) = connection.weight_range() else {
        return String::new();
    };
    let digits = if least == most { DIGITS } else { RANGE_DIGITS };
    range_text((least, most), style.table_digits.min(digits))
}

/// The tooltip of the wire to a box from one of its operands: `x1 → n1: w11 = 0.5, grad -0.2`.
pub(crate) fn tip(diagram: &Diagram, to: usize, position: usize, style: &Style) -> String {
    let user = &diagram.vertices[to];
    let from = &diagram.vertices[user.operands[position]];
    let ends = format!("{} → {}", from.label, user.label);
    let connection = diagram.connection(to, position);
    match &connection.weight {
        Some(weight) => ends + ": " + &weight_text(weight, user, number::EXACT, style),
        None => ends + ": " + reason(connection),
    }
}

/// The reason why a wire has the colour of an ordinary wire.
pub(crate) fn reason(connection: &Connection) -> &'static str {
    match connection.weight_range() {
        Some((least, most)) if least < 0.0 && most > 0.0 => "of both signs",
        Some((_, most)) if most > 0.0 => "0 or more",
        Some((least, _)) if least < 0.0 => "0 or less",
        Some(_) => "w = 0",
        None if connection.has_several_factors => "several weights",
        None => "no weight",
    }
}

/// A weight or a bias of a node with its data and its grad: `w11 = 0.5, grad -0.2`.
pub(crate) fn weight_text(weight: &Weight, user: &Vertex, digits: u8, style: &Style) -> String {
    let mut out = weight.label.clone();
    if weight.count > 1 {
        let _ = write!(out, " ({})", weight.count);
    }
    let _ = write!(out, " = {}", range_text(weight.data, digits));
    if let Some(grad) = weight.grad {
        let number = range_text(grad, style.table_digits);
        let _ = write!(out, ", grad {}", user.grad_words.unwrap_or(&number));
    }
    out
}

/// A range, or one number if both ends are the same: `-0.98 … 0.97`. Compares bits, because the range from NaN to NaN
/// is one number, too.
pub(crate) fn range_text((least, most): (f64, f64), digits: u8) -> String {
    let text = number::text(least, digits);
    if least.to_bits() == most.to_bits() {
        text
    } else {
        format!("{text} … {}", number::text(most, digits))
    }
}
