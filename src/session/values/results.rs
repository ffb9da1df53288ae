//! The last results: `ans`, `_`, `$1`, `$2`, …
//!
//! Only expressions give results, not bindings. A limited number of them is kept.

use std::collections::VecDeque;

use super::Value;

/// How many results are kept.
pub const RESULTS: usize = 100;

/// The values of the last expressions, numbered from 1.
#[derive(Debug, Default)]
pub struct Results {
    /// While a statement or a trial runs, some more.
    kept: VecDeque<Value>,
    counted: u64,
    /// The results up to this number were forgotten.
    cleared: u64,
}

/// A state of the results.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ResultsMark {
    counted: u64,
    cleared: u64,
}

impl Results {
    /// Keeps a result, and returns its number.
    pub fn push(&mut self, node: Value) -> u64 {
        self.kept.push_back(node);
        self.counted += 1;
        self.counted
    }

    /// The present state.
    pub(crate) fn mark(&self) -> ResultsMark {
        ResultsMark {
            counted: self.counted,
            cleared: self.cleared,
        }
    }

    /// Goes back to a state, as if nothing had happened since.
    pub(crate) fn go_back(&mut self, to: ResultsMark) {
        let since = self.counted.saturating_sub(to.counted) as usize;
        self.kept.truncate(self.kept.len().saturating_sub(since));
        (self.counted, self.cleared) = (to.counted, to.cleared);
    }

    /// Drops what is not known any more. No state from before can be gone back to.
    pub(crate) fn tidy(&mut self) {
        self.kept.drain(..self.kept.len() - self.known());
    }

    /// How many are known.
    fn known(&self) -> usize {
        let since = (self.counted - self.cleared) as usize;
        since.min(RESULTS).min(self.kept.len())
    }

    /// The last result.
    pub fn last(&self) -> Option<&Value> {
        self.iter().next_back()
    }

    /// The result with this number, if it is still kept.
    pub fn get(&self, number: u64) -> Option<Value> {
        let (first, last) = self.range()?;
        let behind = (first..=last).contains(&number).then(|| last - number)?;
        self.iter().nth_back(behind as usize).cloned()
    }

    /// The numbers of the oldest and the newest result that are kept.
    pub fn range(&self) -> Option<(u64, u64)> {
        let kept = self.known() as u64;
        (kept > 0).then(|| (self.counted - kept + 1, self.counted))
    }

    /// All results that are kept, oldest first.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &Value> {
        self.kept.range(self.kept.len() - self.known()..)
    }

    /// All results that are kept, with their numbers, newest first.
    pub fn numbered(&self) -> impl Iterator<Item = (u64, &Value)> {
        let numbers = (1..=self.counted).rev();
        numbers.zip(self.iter().rev())
    }

    /// Forgets all results. Numbering continues.
    pub fn clear(&mut self) {
        self.cleared = self.counted;
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
