//! Keeps the last values of expressions: the results `$1`, `$2` and so on.

use super::Value;
use crate::session::limits::RESULTS;

/// The values of all expressions, numbered from 1. Only the last [`RESULTS`] are kept, and a few more until a statement
/// or a trial ends.
#[derive(Debug, Default)]
pub struct Results(pub(in crate::session) Vec<Option<Value>>);

impl Results {
    /// The number of results so far.
    pub fn count(&self) -> u64 {
        self.0.len() as u64
    }

    /// Drops the values that are no longer kept.
    pub(crate) fn tidy(&mut self) {
        for value in self.0.iter_mut().rev().skip(RESULTS) {
            // Older values have been dropped before.
            if value.take().is_none() {
                break;
            }
        }
    }

    /// The number of results that are kept.
    fn kept_count(&self) -> usize {
        let last = self.0.iter().rev().take(RESULTS);
        last.take_while(|value| value.is_some()).count()
    }

    /// The last result.
    pub fn last(&self) -> Option<&Value> {
        self.iter().next_back()
    }

    /// The result with this number, if it is still kept.
    pub fn get(&self, number: u64) -> Option<Value> {
        let (first, last) = self.range()?;
        let place = (first..=last).contains(&number).then(|| number - 1)?;
        self.0[place as usize].clone()
    }

    /// The numbers of the oldest and the newest result that are kept.
    pub fn range(&self) -> Option<(u64, u64)> {
        let kept = self.kept_count() as u64;
        (kept > 0).then(|| (self.count() - kept + 1, self.count()))
    }

    /// All results that are kept, oldest first.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &Value> {
        self.0[self.0.len() - self.kept_count()..].iter().flatten()
    }

    /// All results that are kept, with their numbers, newest first.
    pub fn iter_numbered(&self) -> impl Iterator<Item = (u64, &Value)> {
        let numbers = (1..=self.count()).rev();
        numbers.zip(self.iter().rev())
    }
}

/// A sentence that lists the results, for the error about a missing one.
pub fn range_sentence(range: Option<(u64, u64)>) -> String {
    match range {
        None => "there are no results yet: an expression makes one".to_string(),
        Some((only, last)) if only == last => format!("there is only `${only}`"),
        Some((first, last)) => format!("there are `${first}` to `${last}`"),
    }
}
