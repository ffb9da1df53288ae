//! Curves and maps as JSON: their numbers, in full.
//!
//! Axes and colours are up to who reads it.

use std::fmt::Write;

use super::values::{
    push_count, push_flag, push_key, push_list, push_number, push_text, push_text_field,
};
use crate::report::{Curve, MapAxis, Plot, PlotMap};

/// Writes each curve with its points, the present value of the leaf, and whether the vertical axis is logarithmic.
pub(super) fn write(plot: &Plot, out: &mut String) {
    push_text_field("across", &plot.across, out);
    push_key("range", out);
    push_pair((plot.range.0, plot.range.1), out);
    push_key("curves", out);
    push_list(&plot.curves, out, curve);
    push_key("present", out);
    push_list(&plot.present, out, |tangent, out| {
        let _ = write!(out, "{{\"curve\":{}", tangent.curve);
        let numbers = [
            ("at", tangent.at),
            ("value", tangent.value),
            ("slope", tangent.slope),
        ];
        for (key, number) in numbers {
            push_key(key, out);
            push_number(number, out);
        }
        out.push('}');
    });
    push_key("logarithmic", out);
    push_flag(plot.logarithmic, out);
    push_key("logarithmic_across", out);
    push_flag(plot.logarithmic_across, out);
    if let Some(up) = plot.up {
        push_key("up", out);
        push_pair(up, out);
    }
    if let Some(below) = &plot.below {
        push_key("below", out);
        out.push_str("{\"kind\":\"plot\"");
        write(below, out);
        out.push('}');
    }
}

fn push_pair((first, second): (f64, f64), out: &mut String) {
    push_list(&[first, second], out, |&number, out| {
        push_number(number, out);
    });
}

fn curve(curve: &Curve, out: &mut String) {
    out.push_str("{\"label\":");
    push_text(&curve.label, out);
    push_key("points", out);
    push_list(&curve.points, out, |&point, out| push_pair(point, out));
    push_key("breaks", out);
    push_list(&curve.breaks, out, |&at, out| push_count(at as u64, out));
    push_key("dots", out);
    push_flag(curve.dots, out);
    out.push('}');
}

/// Writes the places and the values of a map, a list for each row from the bottom up, and what stands on it.
pub(super) fn map(map: &PlotMap, out: &mut String) {
    push_key("label", out);
    push_text(&map.label, out);
    for (key, axis) in [("across", &map.across), ("up", &map.up)] {
        push_key(key, out);
        self::axis(axis, out);
    }
    push_key("values", out);
    let wide = map.across.places.len().max(1);
    let rows: Vec<&[f64]> = map.values.chunks(wide).collect();
    push_list(&rows, out, |row, out| {
        push_list(row, out, |&value, out| push_number(value, out));
    });
    push_key("logarithmic", out);
    push_flag(map.logarithmic, out);
    if let Some(present) = &map.present {
        push_key("present", out);
        out.push_str("{\"at\":");
        push_pair(present.at, out);
        push_key("value", out);
        push_number(present.value, out);
        push_key("grad", out);
        push_pair(present.grad, out);
        out.push('}');
    }
    push_key("path", out);
    push_list(&map.path, out, |&place, out| push_pair(place, out));
    push_key("points", out);
    push_list(&map.series, out, curve);
    if let Some(boundary) = map.boundary {
        push_key("boundary", out);
        push_number(boundary, out);
    }
}

fn axis(axis: &MapAxis, out: &mut String) {
    out.push_str("{\"name\":");
    push_text(&axis.name, out);
    push_key("range", out);
    push_pair(axis.range, out);
    push_key("logarithmic", out);
    push_flag(axis.logarithmic, out);
    push_key("places", out);
    push_list(&axis.places, out, |&place, out| push_number(place, out));
    out.push('}');
}
