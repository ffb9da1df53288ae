//! Maps: the values of an expression over two leaves as shades, with lines at round levels.
//!
//! The levels and what lies between them are found here once, for files and for the terminal.

pub(crate) mod chart;
mod contours;
mod drawing;
mod levels;
pub(crate) mod terminal;
mod upon;
pub(crate) mod values;

use self::contours::{ContourField, ContourPoint};
use self::levels::MapLevels;
