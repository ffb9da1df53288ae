//! The topics of `:help`: sections of the manual in `docs/`.
//!
//! The pages are part of the executable and are split into topics on first use. The pages alone define the names and
//! texts of topics.

mod manual;

use std::sync::LazyLock;

pub use self::manual::Topic;

macro_rules! page {
    ($name:literal) => {
        include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/", $name, ".md"))
    };
}

/// The pages with topics, in the order of `:help`.
const PAGES: &[&str] = &[
    page!("language"),
    page!("lists"),
    page!("random"),
    page!("derivatives"),
    page!("gradients"),
    page!("goals"),
    page!("by_hand"),
    page!("operations"),
    page!("commands"),
    page!("pictures"),
    page!("export"),
    page!("prompt"),
    page!("errors"),
    page!("settings"),
    page!("files"),
    page!("scripts"),
    page!("limits"),
];

/// All topics, in the order of `:help`.
pub static TOPICS: LazyLock<Vec<Topic>> =
    LazyLock::new(|| PAGES.iter().flat_map(|page| manual::topics(page)).collect());
