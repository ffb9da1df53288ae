//! A network in JSON: wires with their weights, and biases.
//!
//! What stands for several leaves has the smallest and the largest of their numbers.

use std::fmt::Write;

use super::values::{push_count, push_flag, push_key, push_list, push_number, push_text_field};
use crate::report::{Connection, Vertex, Weight};

/// A wire between two nodes with these ids.
pub(super) fn wire(wire: &Connection, [from, to]: [u64; 2], out: &mut String) {
    let _ = write!(out, "{{\"from\":{from},\"to\":{to}");
    push_key("paths", out);
    push_count(wire.paths, out);
    push_key("several", out);
    push_flag(wire.several, out);
    push_key("weight", out);
    match &wire.weight {
        Some(weight) => self::weight(weight, out),
        None => out.push_str("null"),
    }
    out.push('}');
}

/// The biases of a box, if it has any.
pub(super) fn biases(vertex: &Vertex, out: &mut String) {
    let biases = &vertex.connections.biases;
    if !biases.is_empty() {
        push_key("biases", out);
        push_list(biases, out, weight);
    }
}

fn weight(weight: &Weight, out: &mut String) {
    out.push_str("{\"count\":");
    push_count(weight.count as u64, out);
    push_text_field("label", &weight.label, out);
    for (key, range) in [("data", Some(weight.data)), ("grad", weight.grad)] {
        push_key(key, out);
        match range {
            Some((least, most)) if weight.count > 1 => {
                push_list(&[least, most], out, |&number, out| push_number(number, out));
            }
            Some((only, _)) => push_number(only, out),
            None => out.push_str("null"),
        }
    }
    out.push('}');
}
