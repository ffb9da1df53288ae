//! The score of `:guess`: which questions have been answered, and how many hints each has had.
//!
//! The score is no change of the session: `:undo` does not know it, `:reset` forgets it. How a guess is judged is found
//! out in `study`.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::graph::NodeId;
use crate::session::Session;

/// How many questions are remembered as answered; a script that asks more begins to forget.
pub(crate) const QUESTIONS: usize = 10_000;

/// Hints that lead up to the answer, the answer included.
pub(crate) const HINTS: u8 = 3;

/// What is to be predicted of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Quantity {
    /// How the root moves with it.
    Grad,
    /// Its value.
    Data,
}

/// The score, and which questions have been answered.
#[derive(Clone, Debug, Default)]
pub struct Guesses {
    /// Right guesses.
    pub right: u64,
    /// Guesses.
    pub tried: u64,
    /// Answers that were shown.
    pub shown: u64,
    progress: FxHashMap<Key, Progress>,
}

/// A question: by the root's label, since a root may be typed anew each time, and by the bits of the truth, since it is
/// another question when data has changed.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Key {
    pub(crate) root: String,
    pub(crate) node: NodeId,
    pub(crate) asked: Quantity,
    pub(crate) truth: u64,
}

#[derive(Clone, Copy, Debug, Default)]
struct Progress {
    hints: u8,
    answered: bool,
}

impl Guesses {
    /// Counts a guess, unless the question was answered before, or its answer shown; says whether it counted.
    pub(crate) fn count(&mut self, key: Key, right: bool) -> bool {
        let progress = self.progress(key);
        let counted = !progress.answered;
        progress.answered |= right;
        if counted {
            self.tried += 1;
            self.right += u64::from(right);
        }
        counted
    }

    /// One hint more on a question: its number, [`HINTS`] being the answer.
    pub(crate) fn hint(&mut self, key: Key) -> u8 {
        let progress = self.progress(key);
        progress.hints = (progress.hints + 1).min(HINTS);
        let hints = progress.hints;
        if hints == HINTS && !std::mem::replace(&mut progress.answered, true) {
            self.shown += 1;
        }
        hints
    }

    fn progress(&mut self, key: Key) -> &mut Progress {
        if self.progress.len() >= QUESTIONS && !self.progress.contains_key(&key) {
            self.progress.clear();
        }
        self.progress.entry(key).or_default()
    }
}

impl Session {
    /// How the guesses went.
    pub fn guesses(&self) -> &Guesses {
        &self.guesses
    }

    pub(crate) fn guesses_mut(&mut self) -> &mut Guesses {
        Rc::make_mut(&mut self.guesses)
    }
}
