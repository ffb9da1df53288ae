//! Topics that `:help` knows besides commands and operations: sections of the manual in `docs/`.
//!
//! The pages come along in the program, and are cut into topics when help is first asked for. What a section says, and
//! which words ask for it, stands in the page alone.

mod manual;

use std::sync::LazyLock;

pub use self::manual::Topic;

/// A page of the manual.
macro_rules! page {
    ($name:literal) => {
        include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/", $name, ".md"))
    };
}

/// The pages with topics, in the order of `:help`.
const PAGES: &[&str] = &[
    page!("language"),
    page!("derivatives"),
    page!("gradients"),
    page!("by_hand"),
    page!("operations"),
    page!("commands"),
    page!("pictures"),
    page!("prompt"),
    page!("errors"),
    page!("settings"),
    page!("files"),
    page!("scripts"),
    page!("limits"),
];

/// Every topic, in the order of `:help`.
pub static TOPICS: LazyLock<Vec<Topic>> =
    LazyLock::new(|| PAGES.iter().flat_map(|page| manual::topics(page)).collect());
