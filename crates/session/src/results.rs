//! Keeps the last values of expressions: the results `$1`, `$2` and so on.

use super::limits::RESULTS;
use chainrule_program::values::Value;

/// The values of all expressions, numbered from 1. Only the last [`RESULTS`] are kept, and a few more until a statement
/// or a trial ends.
#[derive(Debug, Default)]
pub struct Results(pub(super) Vec<Option<Value>>);

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

    /// The last result.
    pub fn last(&self) -> Option<&Value> {
        self.iter_numbered().next().map(|(_, value)| value)
    }

    /// The result with this number, if it is still kept.
    pub fn get(&self, number: u64) -> Option<Value> {
        let mut kept = self.iter_numbered();
        kept.find(|(known, _)| *known == number)
            .map(|(_, value)| value.clone())
    }

    /// The numbers of the oldest and the newest result that are kept.
    pub fn range(&self) -> Option<(u64, u64)> {
        let (first, _) = self.iter_numbered().last()?;
        Some((first, self.count()))
    }

    /// All results that are kept, with their numbers, newest first.
    pub fn iter_numbered(&self) -> impl Iterator<Item = (u64, &Value)> {
        let numbered = (1..=self.count()).rev().zip(self.0.iter().rev());
        let kept = numbered.take(RESULTS);
        kept.map_while(|(number, value)| Some((number, value.as_ref()?)))
    }
}

/// A sentence that lists the results, for the error about a missing one.
pub(super) fn range_sentence(range: Option<(u64, u64)>) -> String {
    match range {
        None => "there are no results yet: an expression makes one".to_string(),
        Some((only, last)) if only == last => format!("there is only `${only}`"),
        Some((first, last)) => format!("there are `${first}` to `${last}`"),
    }
}
