//! Random numbers: `uniform(a, b)` and `normal(m, s)` give the numbers of Python's `random` after `random.seed(N)`.
//!
//! A place in the sequence is a small value: the seed, and how many words of the generator have been taken. So undo,
//! previews and failing statements return to a place by assigning it. The generator is shared by all places of a seed,
//! and starts again when an earlier place than its own is asked for.

use std::cell::RefCell;
use std::f64::consts::TAU;
use std::rc::Rc;

use rand_mt::Mt;

use crate::session::Session;
use crate::session::logged::{Keyed, Log};
use crate::session::settings::{SEED, SettingValue};
use chainrule_stop as stop;

/// A place in the sequence of a seed.
#[derive(Clone, Debug, Default)]
pub struct Sequence {
    seed: u64,
    /// How many words have been taken.
    words: u64,
    /// Normal numbers are made in pairs: the second one, if only the first has been taken.
    second: Option<f64>,
    /// The generator, and how many words were taken from it; none before the first word.
    generator: Rc<RefCell<Option<(Mt, u64)>>>,
}

impl PartialEq for Sequence {
    /// Whether both are the same place of the same sequence.
    fn eq(&self, other: &Sequence) -> bool {
        let place = |it: &Sequence| (it.seed, it.words, it.second.map(f64::to_bits));
        place(self) == place(other)
    }
}

impl Keyed for Sequence {
    type Key = ();
    type Value = Sequence;

    fn number((): &(), _: &Self::Value) -> Option<u32> {
        Some(0)
    }

    fn swap(&mut self, (): &(), place: Sequence) -> Sequence {
        std::mem::replace(self, place)
    }
}

impl Sequence {
    /// The beginning of the sequence of a seed.
    pub(crate) fn of(seed: u64) -> Sequence {
        Sequence {
            seed,
            ..Sequence::default()
        }
    }

    /// The place after `drawn` numbers, each of two words. Normal numbers are made in pairs: before the second of a
    /// pair, `drawn` is a half more.
    pub(crate) fn at(seed: u64, drawn: f64) -> Sequence {
        let is_between = drawn.fract() != 0.0;
        let numbers = drawn as u64 - u64::from(is_between && drawn >= 1.0);
        let mut sequence = Sequence::of(seed);
        sequence.words = 2 * numbers;
        if is_between {
            sequence.standard_normal();
        }
        sequence
    }

    /// The statement that leads to this place.
    pub(crate) fn statement(&self) -> String {
        let drawn = self.words / 2;
        let drawn = match self.second {
            Some(_) => format!("{}.5", drawn - 1),
            None => drawn.to_string(),
        };
        format!(":config seed {} drawn {drawn};\n", self.seed)
    }

    fn word(&mut self) -> u32 {
        let mut generator = self.generator.borrow_mut();
        let (generator, taken) = match &mut *generator {
            Some(known) if known.1 <= self.words => known,
            behind => behind.insert((seed_generator(self.seed), 0)),
        };
        while *taken < self.words {
            stop::ask(*taken as usize);
            generator.next_u32();
            *taken += 1;
        }
        (self.words, *taken) = (self.words + 1, *taken + 1);
        generator.next_u32()
    }

    /// Python's `random()`: 53 bits, from 0 to below 1.
    pub(crate) fn fraction(&mut self) -> f64 {
        let (high, low) = (self.word() >> 5, self.word() >> 6);
        (f64::from(high) * f64::from(1 << 26) + f64::from(low)) / (1_u64 << 53) as f64
    }

    /// Python's `gauss(0, 1)`, with the functions of the C library, as there.
    pub(crate) fn standard_normal(&mut self) -> f64 {
        if let Some(second) = self.second.take() {
            return second;
        }
        let angle = self.fraction() * TAU;
        let radius = (-2.0 * (1.0 - self.fraction()).ln()).sqrt();
        self.second = Some(angle.sin() * radius);
        angle.cos() * radius
    }
}

impl Session {
    /// Sets the seed and goes to the place in its sequence where so many numbers have been drawn; a half more stands for a
    /// normal number that is the second of two.
    pub fn set_seed(&mut self, seed: u64, drawn: f64) {
        self.configure(SEED, SettingValue::Count(seed));
        self.random.write((), Sequence::at(seed, drawn));
    }

    /// The sequence of random numbers, to draw from.
    pub(crate) fn random_numbers(&mut self) -> &mut Sequence {
        if !std::mem::replace(&mut self.drew, true) {
            let place = Sequence::clone(&self.random);
            self.random.write((), place);
        }
        &mut self.random
    }

    /// Does something that only looks: the random numbers that it draws come again.
    pub(crate) fn look_only<T>(&mut self, look: impl FnOnce(&mut Session) -> T) -> T {
        self.drew = false;
        let place = self.random.mark();
        let seen = look(self);
        self.random.take_back(place);
        self.drew = false;
        seen
    }
}

/// The generator of a seed. Python seeds with the 32-bit words of the number, the lowest first.
fn seed_generator(seed: u64) -> Mt {
    let (low, high) = (seed as u32, (seed >> 32) as u32);
    let key = [low, high].into_iter().take(1 + usize::from(high > 0));
    Mt::new_with_key(key)
}
