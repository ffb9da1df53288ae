//! What a plot says of a curve or a map in words, on the terminal and in files.
//!
//! Text that is not yet cleaned or shortened.

use crate::report::{Curve, Plot, PlotMap, Tangent};
use crate::view::{Style, number};

/// `y = 3*x^2 - 4*x + 5`
pub(crate) fn title(curve: &Curve) -> String {
    if curve.formula.is_empty() {
        curve.label.clone()
    } else {
        format!("{} = {}", curve.label, curve.formula)
    }
}

/// `y = 3*x^2 - 4*x + 5, z = x over x`
pub(crate) fn title_of_all(plot: &Plot) -> String {
    let names: Vec<String> = plot.curves.iter().map(title).collect();
    format!("{} over {}", names.join(", "), plot.across)
}

/// `at x = 3: y = 20, slope 14`; of a point that is not drawn it says where it is: `at x = 3 (outside): …`.
pub(crate) fn said(
    across: &str,
    curve: &Curve,
    tangent: &Tangent,
    is_drawn: bool,
    style: &Style,
) -> String {
    let text = |value: f64| number::text(value, style.table_digits);
    format!(
        "at {across} = {}{}: {} = {}, slope {}",
        text(tangent.at),
        if is_drawn { "" } else { " (outside)" },
        curve.label,
        text(tangent.value),
        text(tangent.slope)
    )
}

/// `L = x^2 + y^2 over x and y`
pub(crate) fn map_title(map: &PlotMap) -> String {
    let formula = if map.formula.is_empty() {
        String::new()
    } else {
        format!(" = {}", map.formula)
    };
    let (across, up) = (&map.across.name, &map.up.name);
    format!("{}{formula} over {across} and {up}", map.label)
}

/// `at x = 3, y = 1: L = 10, grad 6, 2`
pub(crate) fn map_said(map: &PlotMap, style: &Style) -> Option<String> {
    let present = map.present.as_ref()?;
    let text = |value: f64| number::text(value, style.table_digits);
    let (x, y) = present.at;
    let is_drawn = map.across.holds(x) && map.up.holds(y);
    Some(format!(
        "at {} = {}, {} = {}{}: {} = {}, grad {}, {}",
        map.across.name,
        text(x),
        map.up.name,
        text(y),
        if is_drawn { "" } else { " (outside)" },
        map.label,
        text(present.value),
        text(present.grad.0),
        text(present.grad.1)
    ))
}
