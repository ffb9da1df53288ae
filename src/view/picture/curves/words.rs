//! What a plot says of a curve in words, on the terminal and in files.
//!
//! Text that is not yet cleaned or shortened.

use crate::report::{Curve, Tangent};
use crate::view::{Style, number};

/// `y = 3*x^2 - 4*x + 5`
pub(crate) fn title(curve: &Curve) -> String {
    if curve.formula.is_empty() {
        curve.label.clone()
    } else {
        format!("{} = {}", curve.label, curve.formula)
    }
}

/// `at x = 3: y = 20, slope 14`
pub(crate) fn said(across: &str, curve: &Curve, tangent: &Tangent, style: &Style) -> String {
    let text = |value: f64| number::text(value, style.table_digits);
    format!(
        "at {across} = {}: {} = {}, slope {}",
        text(tangent.at),
        curve.label,
        text(tangent.value),
        text(tangent.slope)
    )
}
