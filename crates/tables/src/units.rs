//! Recognizes units in the line below the names of columns.

/// Units that may have a prefix.
const UNITS: &str =
    " m s sec g A K V W J N C F H T S Hz Pa Ω Ohm ohm l L eV bar rad mol cd lx lm Bq Sv Gy Wb ";
/// Units that have no prefix, and words that instruments write for units.
const OTHER_UNITS: &str = " min h d a ° °C °F deg degC % ‰ dB dBm ppm ppb psi atm Torr rpm px au counts cps pixel volt \
    volts second seconds ampere amperes amp amps ohm ohms kelvin celsius meter meters hertz watt watts newton sequence ";
/// The prefixes of units.
const PREFIXES: &str = "pnuµμmcdhkMGT";

/// Whether a cell is in brackets, or has only units: `mV`, `m/s^2`, `Volt`.
pub(super) fn is_unit(cell: &str) -> bool {
    let has_brackets = cell.starts_with(['(', '[']) && cell.ends_with([')', ']']);
    let separates = |c: char| "/*·.^ -²³⁻¹".contains(c) || c.is_ascii_digit();
    has_brackets || cell.split(separates).all(is_known_unit)
}

/// Whether this is a unit, perhaps with a prefix, or nothing.
fn is_known_unit(part: &str) -> bool {
    let is_listed = |all: &str, unit: &str| all.contains(&format!(" {unit} "));
    let mut letters = part.chars();
    let has_prefix = letters.next().is_some_and(|it| PREFIXES.contains(it));
    part.is_empty()
        || is_listed(UNITS, part)
        || is_listed(OTHER_UNITS, &part.to_lowercase())
        || is_listed(OTHER_UNITS, part)
        || has_prefix && is_listed(UNITS, letters.as_str())
}
