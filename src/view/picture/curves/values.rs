//! Curves as comma-separated values: for spreadsheets and programs.
//!
//! Numbers in full, a row for each place; nothing is drawn here.

use crate::report::Plot;
use crate::view::number;

/// The points as comma-separated values, in full: a column for what goes to the right, and one for each curve.
pub(crate) fn write(plot: &Plot) -> String {
    let mut out = quoted(&plot.across);
    for curve in &plot.curves {
        out.push(',');
        out.push_str(&quoted(&curve.label));
    }
    out.push_str("\r\n");
    let first = plot.curves.first().map_or(&[][..], |curve| &curve.points);
    for (at, (x, _)) in first.iter().enumerate() {
        number::write(*x, number::EXACT, &mut out);
        for curve in &plot.curves {
            out.push(',');
            let y = curve.points.get(at).map_or(f64::NAN, |point| point.1);
            number::write(y, number::EXACT, &mut out);
        }
        out.push_str("\r\n");
    }
    out
}

/// A field: in quotes if there is something in it that ends one.
fn quoted(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) || text.trim() != text {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_string()
    }
}
