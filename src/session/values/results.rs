//! The last results: `ans`, `_`, `$1`, `$2`, …
//!
//! Only expressions give results, not bindings. A limited number of them is kept.

use std::collections::VecDeque;

use super::Value;

/// How many results are kept.
pub const RESULTS: usize = 100;

/// The values of the last expressions, numbered from 1.
#[derive(Clone, Debug, Default)]
pub struct Results {
    kept: VecDeque<Value>,
    counted: u64,
}

impl Results {
    /// Keeps a result, and returns its number.
    pub fn push(&mut self, node: Value) -> u64 {
        if self.kept.len() == RESULTS {
            self.kept.pop_front();
        }
        self.kept.push_back(node);
        self.counted += 1;
        self.counted
    }

    /// The last result.
    pub fn last(&self) -> Option<&Value> {
        self.kept.back()
    }

    /// The result with this number, if it is still kept.
    pub fn get(&self, number: u64) -> Option<Value> {
        let gone = self.counted - self.kept.len() as u64;
        let place = number.checked_sub(gone + 1)?;
        self.kept.get(usize::try_from(place).ok()?).cloned()
    }

    /// The numbers of the oldest and the newest result that are kept.
    pub fn range(&self) -> Option<(u64, u64)> {
        let kept = self.kept.len() as u64;
        (kept > 0).then(|| (self.counted - kept + 1, self.counted))
    }

    /// All results that are kept, oldest first.
    pub fn iter(&self) -> impl Iterator<Item = &Value> {
        self.kept.iter()
    }

    /// All results that are kept, with their numbers, newest first.
    pub fn numbered(&self) -> impl Iterator<Item = (u64, &Value)> {
        let numbers = (1..=self.counted).rev();
        numbers.zip(self.kept.iter().rev())
    }

    /// Forgets all results. Numbering continues.
    pub fn clear(&mut self) {
        self.kept.clear();
    }
}

/// A sentence on which results there are, for the error about one that is not there.
pub fn told(range: Option<(u64, u64)>) -> String {
    match range {
        None => "there are no results yet: an expression makes one".to_string(),
        Some((only, last)) if only == last => format!("there is only `${only}`"),
        Some((1, last)) => format!("there are `$1` to `${last}`"),
        Some((first, last)) => {
            format!("there are `${first}` to `${last}`: the last {RESULTS} are kept")
        }
    }
}
