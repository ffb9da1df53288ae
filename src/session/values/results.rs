//! The last results: `ans`, `_`, `$1`, `$2`, …
//!
//! Only expressions give results, not bindings. A limited number of them is kept.

use std::collections::VecDeque;

use super::Value;
use crate::session::logged::Keyed;

/// How many results are kept.
pub const RESULTS: usize = 100;

/// The values of the last expressions, numbered from 1.
#[derive(Debug, Default)]
pub struct Results {
    /// While a statement or a trial runs, some more.
    kept: VecDeque<Value>,
    counted: u64,
}

/// A change of the results.
#[derive(Debug)]
pub enum ResultChange {
    /// One more; none if it is not kept any more.
    Add(Option<Value>),
    /// The last one goes.
    Drop,
    /// These take the place of all.
    All(Box<Results>),
}

impl Keyed for Results {
    type Key = ();
    type Value = ResultChange;

    fn swap(&mut self, (): &(), change: ResultChange) -> ResultChange {
        match change {
            ResultChange::Add(value) => {
                self.kept.extend(value);
                self.counted += 1;
                ResultChange::Drop
            }
            ResultChange::Drop => {
                self.counted = self.counted.saturating_sub(1);
                ResultChange::Add(self.kept.pop_back())
            }
            ResultChange::All(all) => ResultChange::All(Box::new(std::mem::replace(self, *all))),
        }
    }
}

impl Results {
    /// How many there have been.
    pub(crate) fn counted(&self) -> u64 {
        self.counted
    }

    /// Drops what is not known any more.
    pub(crate) fn tidy(&mut self) {
        self.kept.drain(..self.kept.len() - self.known());
    }

    /// How many are known.
    fn known(&self) -> usize {
        RESULTS.min(self.kept.len())
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
