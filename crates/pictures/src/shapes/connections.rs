//! The look and the words of the wires of a network: colour and width from the weight, the tip, the legend.
//!
//! A wire without a weight, or with weights of both signs, has the colour of an ordinary wire.

use std::fmt::Write;

use super::scene::{Ink, Stroke};
use chainrule_report::{Connection, Diagram, Network, Weight};
use chainrule_style::{GAP, Style, number};

/// The least and the greatest width of a wire in a picture with few wires.
const WIDTHS: (f64, f64) = (1.2, 7.0);
/// The least and the greatest width in a picture with many wires, where wide wires would cover others.
const NARROW: (f64, f64) = (0.8, 2.4);
/// The most wires that count as few.
const FEW: f64 = 40.0;

/// The digits of a number on a wire. The tip shows more digits.
const DIGITS: u8 = 3;
/// The digits of the ends of a range on a wire.
const RANGE_DIGITS: u8 = 2;

/// More wires than this have no weights written on them.
const MOST_WRITTEN: usize = 12;

/// Whether there are few enough wires to write their weights on them.
pub(crate) fn are_written(network: Network) -> bool {
    network.wires <= MOST_WRITTEN
}

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

/// The name of the colour in a style sheet and in the tests.
pub(crate) fn class(ink: Ink) -> &'static str {
    match ink {
        Ink::Rising => "edge positive",
        Ink::Falling => "edge negative",
        _ => "edge",
    }
}

/// The width of a wire, in proportion to its weight. The largest weight of the picture has the widest wire.
pub(crate) fn width(connection: &Connection, network: Network) -> f64 {
    let room = (FEW / network.wires.max(1) as f64).sqrt();
    let thin = (WIDTHS.0 * room).clamp(NARROW.0, WIDTHS.0);
    let wide = (WIDTHS.1 * room).clamp(NARROW.1, WIDTHS.1);
    let Some((least, most)) = connection.weight_range() else {
        return thin;
    };
    let size = least.abs().max(most.abs());
    let part = match size.is_finite() {
        false => 1.0,
        true if network.largest > 0.0 => size / network.largest,
        true => 0.0,
    };
    thin + (wide - thin) * part
}

/// The text on a wire: its weight, or the range of several weights; empty if it has none.
pub(crate) fn text(connection: &Connection, style: &Style) -> String {
    let shown = connection.weight_range();
    shown.map_or_else(String::new, |(least, most)| {
        let digits = if least == most { DIGITS } else { RANGE_DIGITS };
        range_text((least, most), style.table_digits.min(digits))
    })
}

/// The tip of the wire to a box from one of its operands: `x1 → n1: w11 = 0.5, grad -0.2`.
pub(crate) fn tip(diagram: &Diagram, to: usize, position: usize, style: &Style) -> String {
    let user = &diagram.vertices[to];
    let from = &diagram.vertices[user.operands[position]];
    let ends = format!("{} → {}", from.label, user.label);
    let Some(connection) = user.connections.wires.get(position) else {
        return ends;
    };
    match &connection.weight {
        Some(weight) => format!("{ends}: {}", weight_text(weight, number::EXACT, style)),
        None => format!("{ends}: {}", reason(connection)),
    }
}

/// The reason why a wire has the colour of an ordinary wire.
pub(crate) fn reason(connection: &Connection) -> &'static str {
    match &connection.weight {
        Some(weight) if weight.data.0 < weight.data.1 => "of both signs",
        Some(_) => "0 or unknown",
        None if connection.has_several_factors => "several weights",
        None => "no weight",
    }
}

/// A weight or a bias with its data and its grad: `w11 = 0.5, grad -0.2`.
pub(crate) fn weight_text(weight: &Weight, data_digits: u8, style: &Style) -> String {
    let mut out = weight.label.clone();
    if weight.count > 1 {
        let _ = write!(out, " ({})", weight.count);
    }
    let _ = write!(out, " = {}", range_text(weight.data, data_digits));
    if let Some(grad) = weight.grad {
        let grad = if style.has_gaps {
            GAP.to_owned()
        } else {
            range_text(grad, style.table_digits)
        };
        let _ = write!(out, ", grad {grad}");
    }
    out
}

/// The legend of the colours of wires.
pub(crate) fn meaning(connection: &Connection) -> &'static str {
    match ink(connection) {
        Ink::Rising => "w > 0",
        Ink::Falling => "w < 0",
        Ink::NotFinite => "not finite",
        _ => reason(connection),
    }
}

/// The legend of the widths: `width: |w| up to 1.2`; empty if no wire has a weight.
pub(crate) fn widths(network: Network, style: &Style) -> String {
    if network.largest == 0.0 {
        return String::new();
    }
    let largest = number::text(network.largest, style.table_digits);
    format!("width: |w| up to {largest}")
}

/// A range, or one number if both ends are the same: `-0.98 … 0.97`.
pub(crate) fn range_text((least, most): (f64, f64), digits: u8) -> String {
    let text = number::text(least, digits);
    if least.to_bits() == most.to_bits() {
        text
    } else {
        format!("{text} … {}", number::text(most, digits))
    }
}
