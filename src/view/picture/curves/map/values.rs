//! A map as comma-separated values: a row for each place of its grid.
//!
//! Numbers in full; nothing is drawn here.

use crate::report::PlotMap;
use crate::view::number;
use crate::view::sheets::quoted;

/// A column for each of the two leaves, and one for the values.
pub(crate) fn write(map: &PlotMap) -> String {
    let mut out = String::new();
    for (at, name) in [&map.across.name, &map.up.name, &map.label]
        .into_iter()
        .enumerate()
    {
        out.push_str(if at > 0 { "," } else { "" });
        out.push_str(&quoted(name));
    }
    out.push_str("\r\n");
    for (row, up) in map.up.places.iter().enumerate() {
        for (column, across) in map.across.places.iter().enumerate() {
            for (at, value) in [*across, *up, map.value(column, row)]
                .into_iter()
                .enumerate()
            {
                out.push_str(if at > 0 { "," } else { "" });
                number::write(value, number::EXACT, &mut out);
            }
            out.push_str("\r\n");
        }
    }
    out
}
