//! Random numbers and the journal: who draws, who gives back, and where a sequence begins anew.
//!
//! A number that is not bound makes no entry of its own. The next entry takes it along, so that undoing that one gives
//! it back too. `random` makes the numbers.

use std::rc::Rc;

use super::journal::Change;
use crate::session::Session;
use crate::session::random::{Draw, Random, Sequence};

impl Session {
    /// Draws a number.
    pub(crate) fn draw(&mut self, draw: &Draw, arguments: (f64, f64)) -> f64 {
        Rc::make_mut(&mut self.random).draw(draw, arguments)
    }

    /// The state of the random numbers, to be restored if a statement fails.
    pub(crate) fn random(&self) -> Rc<Random> {
        Rc::clone(&self.random)
    }

    /// Gives back the numbers drawn since.
    pub(crate) fn give_back(&mut self, random: Rc<Random>) {
        self.random = random;
    }

    /// From now on numbers come from a copy of the sequence, because something is only tried. Returns what
    /// [`Session::end_copy`] needs to go on as before.
    pub fn begin_copy(&mut self) -> Option<Sequence> {
        Rc::make_mut(&mut self.random).begin_copy()
    }

    /// Forgets the copy and which numbers were drawn from it.
    pub fn end_copy(&mut self, before: Option<Sequence>) {
        Rc::make_mut(&mut self.random).end_copy(before);
    }

    /// Sets the seed and begins its sequence, also if it is the present seed.
    pub fn set_seed(&mut self, statement: &str, seed: u64) {
        let mut changes = Vec::new();
        if self.settings.seed != seed {
            changes.push(Change::Settings(Box::new(self.settings.clone())));
        }
        self.settings.seed = seed;
        changes.push(self.begin_sequence());
        self.record(statement, &mut changes);
    }

    /// Returns to the beginning of the seed's sequence, and returns how to undo this.
    pub(crate) fn begin_sequence(&mut self) -> Change {
        let drawn = self.drawn();
        let begun = self.swap_sequence(Box::new(Sequence::of(self.settings.seed)));
        drawn.unwrap_or(begun)
    }

    /// Goes to a place in the sequence, for undo and redo.
    pub(crate) fn swap_sequence(&mut self, mut place: Box<Sequence>) -> Change {
        let random = Rc::make_mut(&mut self.random);
        *place = random.swap(std::mem::take(&mut *place));
        Change::Random(place)
    }

    /// The change by which the next entry of the journal gives back the numbers drawn since the newest one.
    pub(crate) fn drawn(&mut self) -> Option<Change> {
        if !self.random.is_unrecorded() {
            return None;
        }
        let before = Rc::make_mut(&mut self.random).recorded();
        before.map(|before| Change::Random(Box::new(before)))
    }
}
