//! The lines that were pasted at once, and which names they bind.
//!
//! What binds a name is not known here: who asks brings it. It is found out once for a paste, and only if somebody asks.

use std::cell::OnceCell;
use std::collections::HashSet;

/// A block of lines that runs as one paste.
#[derive(Debug, Default)]
pub struct Paste {
    text: String,
    bound: OnceCell<HashSet<String>>,
}

impl Paste {
    /// Of this text.
    pub fn new(text: &str) -> Paste {
        Paste {
            text: text.to_string(),
            bound: OnceCell::new(),
        }
    }

    /// Does one of the lines bind the name? `names` finds all that a line binds.
    pub fn binds(&self, name: &str, names: impl Fn(&str) -> Vec<String>) -> bool {
        let bound = self
            .bound
            .get_or_init(|| self.text.lines().flat_map(names).collect());
        bound.contains(name)
    }
}
