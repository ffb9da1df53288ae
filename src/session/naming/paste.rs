//! The lines that were pasted together, and the names they bind.
//!
//! The caller provides the function that finds the names in a line. It runs once for a paste, and only when needed.

use std::cell::OnceCell;
use std::collections::HashSet;

/// A block of lines that runs as one paste.
#[derive(Debug, Default)]
pub struct Paste {
    text: String,
    bound: OnceCell<HashSet<String>>,
}

impl Paste {
    /// A paste of this text.
    pub fn new(text: &str) -> Paste {
        Paste {
            text: text.to_string(),
            bound: OnceCell::new(),
        }
    }

    /// Whether a line of the paste binds the name. `names` returns all names that a line binds.
    pub fn binds(&self, name: &str, names: impl Fn(&str) -> Vec<String>) -> bool {
        let bound = self
            .bound
            .get_or_init(|| self.text.lines().flat_map(names).collect());
        bound.contains(name)
    }
}
