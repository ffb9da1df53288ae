//! Collects the candidates of a completion: the words that begin with the typed word. If there are none, case is ignored.
//!
//! Callers offer words one after the other. A session may have any number of them, so the list has only the first ones,
//! and counts the others.

use super::{Candidate, Completions, CursorSpot};
use chainrule_report::Line;

/// The most candidates in a list. Further ones are counted: a longer list is not read.
pub const MOST_CANDIDATES: usize = 200;

/// The candidates found so far.
pub(super) struct CandidateList<'s> {
    pub(super) spot: CursorSpot<'s>,
    /// Where candidates begin in the line.
    pub(super) start: usize,
    /// The part of the word before the cursor.
    pub(super) word: &'s str,
    /// Whether all candidates so far fit only when case is ignored.
    is_case_ignored: bool,
    candidates: Vec<Candidate>,
    /// The number of words that fit and are no candidates.
    more: usize,
    /// The longest common beginning of all words that fit.
    common: Option<String>,
}

impl<'s> CandidateList<'s> {
    /// Starts collecting for the word from `start` to the cursor.
    pub(super) fn new(spot: CursorSpot<'s>, start: usize) -> CandidateList<'s> {
        CandidateList {
            spot,
            start,
            word: &spot.text[start..],
            is_case_ignored: true,
            candidates: Vec::new(),
            more: 0,
            common: None,
        }
    }

    /// Offers a word, which is inserted with `end` after it. `describe` returns its text for the list and its description,
    /// and is called only if the word fits.
    pub(super) fn offer(
        &mut self,
        word: &str,
        end: &str,
        describe: impl FnOnce() -> (String, Line),
    ) {
        if word.starts_with(self.word) {
            if std::mem::take(&mut self.is_case_ignored) {
                self.candidates.clear();
                (self.more, self.common) = (0, None);
            }
        } else if !self.is_case_ignored || !begins_in_any_case(word, self.word) {
            return;
        }
        if self.candidates.len() < MOST_CANDIDATES {
            let text = format!("{word}{end}");
            if self.candidates.iter().any(|known| known.text == text) {
                return;
            }
            let (shown, about) = describe();
            self.candidates.push(Candidate { text, shown, about });
        } else {
            self.more += 1;
        }
        match &mut self.common {
            Some(common) => {
                let pairs = common.bytes().zip(word.bytes());
                let same = pairs.take_while(|(begin, byte)| begin == byte).count();
                common.truncate(common.floor_char_boundary(same));
            }
            None => self.common = Some(word.to_owned()),
        }
    }

    /// Offers a word that is inserted as it is.
    pub(super) fn offer_word(&mut self, word: &str, about: impl FnOnce() -> Line) {
        self.offer(word, "", || (word.to_owned(), about()));
    }

    pub(super) fn is_empty(&self) -> bool {
        self.candidates.is_empty()
    }
}

impl From<CandidateList<'_>> for Completions {
    fn from(found: CandidateList) -> Completions {
        let common = found.common.unwrap_or_default();
        Completions {
            start: found.start,
            candidates: found.candidates,
            more: (found.more > 0).then_some((found.more, common)),
            files: None,
        }
    }
}

/// Whether a candidate begins with the word when case is ignored.
fn begins_in_any_case(candidate: &str, word: &str) -> bool {
    let mut letters = candidate.chars().flat_map(char::to_lowercase);
    word.chars()
        .flat_map(char::to_lowercase)
        .all(|letter| letters.next() == Some(letter))
}
