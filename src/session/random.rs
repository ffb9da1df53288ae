//! Random numbers: `uniform(a, b)` and `normal(m, s)` give the numbers of Python's `random` after `random.seed(N)`.
//!
//! A place in the sequence is a small value, because the words of the generator lie in blocks that never change and
//! are shared. So undo, previews and failing statements return to a place by assigning it, and a script that draws a
//! million numbers keeps a few blocks for its entries of undo.

use std::f64::consts::TAU;
use std::rc::Rc;

use rand_mt::Mt;

use super::Session;
use super::history::Change;

/// The largest seed: up to here every whole number is a 64-bit float.
pub const LARGEST_SEED: u64 = 1 << 53;
/// The words of a block, as many as the generator makes at once.
const WORDS: usize = 624;

/// A function that gives random numbers.
#[derive(Debug)]
pub struct Draw {
    /// Its name.
    pub name: &'static str,
    /// Its two arguments.
    pub takes: &'static str,
    /// What it gives.
    pub summary: &'static str,
    /// A correct call.
    pub example: &'static str,
    next: fn(&mut Sequence, f64, f64) -> f64,
}

/// The functions that give random numbers. The formulas are Python's, since other ones round differently.
pub const DRAWS: [Draw; 2] = [
    Draw {
        name: "uniform",
        takes: "a, b",
        summary: "a random number between a and b",
        example: "uniform(-1, 1)",
        next: |sequence, a, b| a + (b - a) * sequence.fraction(),
    },
    Draw {
        name: "normal",
        takes: "m, s",
        summary: "a random number from the normal distribution with mean m and deviation s",
        example: "normal(0, 1)",
        next: |sequence, mean, deviation| mean + sequence.standard_normal() * deviation,
    },
];

/// The function with this name that gives random numbers.
pub(crate) fn draw(name: &str) -> Option<&'static Draw> {
    DRAWS.iter().find(|draw| draw.name == name)
}

/// A place in the sequence of a seed.
#[derive(Clone, Debug, Default)]
pub struct Sequence {
    seed: u64,
    /// The block of the next word; `None` before the first word.
    block: Option<Rc<Block>>,
    /// How many words of the block have been taken.
    taken: usize,
    /// Normal numbers are made in pairs: the second one, if only the first has been taken.
    second: Option<f64>,
}

/// Words of the generator, and the generator behind them.
#[derive(Debug)]
struct Block {
    words: [u32; WORDS],
    after: Mt,
}

impl Block {
    fn from(mut generator: Mt) -> Rc<Block> {
        Rc::new(Block {
            words: std::array::from_fn(|_| generator.next_u32()),
            after: generator,
        })
    }

    /// The first block. Python seeds with the 32-bit words of the number, the lowest first.
    fn of_seed(seed: u64) -> Rc<Block> {
        let (low, high) = (seed as u32, (seed >> 32) as u32);
        let key = [low, high].into_iter().take(1 + usize::from(high > 0));
        Block::from(Mt::new_with_key(key))
    }
}

impl Sequence {
    /// The beginning of the sequence of a seed.
    fn of(seed: u64) -> Sequence {
        Sequence {
            seed,
            ..Sequence::default()
        }
    }

    fn word(&mut self) -> u32 {
        let block = match self.block.take() {
            None => Block::of_seed(self.seed),
            Some(block) if self.taken < WORDS => block,
            Some(block) => {
                self.taken = 0;
                Block::from(block.after.clone())
            }
        };
        let word = block.words[self.taken];
        self.taken += 1;
        self.block = Some(block);
        word
    }

    /// Python's `random()`: 53 bits, from 0 to below 1.
    fn fraction(&mut self) -> f64 {
        let (high, low) = (self.word() >> 5, self.word() >> 6);
        (f64::from(high) * f64::from(1 << 26) + f64::from(low)) / (1_u64 << 53) as f64
    }

    /// Python's `gauss(0, 1)`, with the functions of the C library, as there.
    fn standard_normal(&mut self) -> f64 {
        if let Some(second) = self.second.take() {
            return second;
        }
        let angle = self.fraction() * TAU;
        let radius = (-2.0 * (1.0 - self.fraction()).ln()).sqrt();
        self.second = Some(angle.sin() * radius);
        angle.cos() * radius
    }
}

/// The random numbers of a session.
#[derive(Clone, Debug, Default)]
pub(crate) struct Random {
    next: Sequence,
    /// The place to which undoing the next entry of the journal returns, if it is not the present one.
    unrecorded: Option<Sequence>,
    /// While something is only tried, numbers come from this copy.
    copy: Option<Sequence>,
}

impl Random {
    /// Moves to another place, and returns the one before. The journal knows about it.
    fn swap(&mut self, place: Sequence) -> Sequence {
        self.unrecorded = None;
        if self.copy.is_some() {
            self.copy = Some(place.clone());
        }
        std::mem::replace(&mut self.next, place)
    }
}

impl Session {
    /// Draws a number.
    pub(crate) fn draw(&mut self, draw: &Draw, (one, other): (f64, f64)) -> f64 {
        let Random {
            next,
            unrecorded,
            copy,
        } = Rc::make_mut(&mut self.random);
        if let Some(copy) = copy {
            return (draw.next)(copy, one, other);
        }
        unrecorded.get_or_insert_with(|| next.clone());
        (draw.next)(next, one, other)
    }

    /// The state of the random numbers, to be restored if a statement fails.
    pub(crate) fn random(&self) -> Rc<Random> {
        Rc::clone(&self.random)
    }

    /// Gives back the numbers drawn since.
    pub(crate) fn give_back(&mut self, random: Rc<Random>) {
        self.random = random;
    }

    /// From now on numbers come from a copy of the sequence, as long as something is only tried. Returns what
    /// [`Session::end_copy`] needs to go on as before.
    pub fn begin_copy(&mut self) -> Option<Sequence> {
        let random = Rc::make_mut(&mut self.random);
        let next = random.copy.as_ref().unwrap_or(&random.next).clone();
        random.copy.replace(next)
    }

    /// Forgets the copy and which numbers were drawn from it.
    pub fn end_copy(&mut self, before: Option<Sequence>) {
        Rc::make_mut(&mut self.random).copy = before;
    }

    /// Sets the seed and begins its sequence, also if it is the present seed.
    pub fn set_seed(&mut self, statement: &str, seed: u64) {
        let mut changes = Vec::new();
        if self.settings.seed != seed {
            let before = Box::new(self.settings.clone());
            changes.push(Change::Settings(before));
        }
        self.settings.seed = seed;
        changes.push(self.begin_sequence());
        self.record(statement, &mut changes);
    }

    /// Returns to the beginning of the seed's sequence, and returns how to undo this.
    pub(crate) fn begin_sequence(&mut self) -> Change {
        let unrecorded = Rc::make_mut(&mut self.random).unrecorded.take();
        let back = self.swap_sequence(Box::new(Sequence::of(self.settings.seed)));
        unrecorded.map_or(back, |before| Change::Random(Box::new(before)))
    }

    pub(crate) fn swap_sequence(&mut self, mut place: Box<Sequence>) -> Change {
        let random = Rc::make_mut(&mut self.random);
        *place = random.swap(std::mem::take(&mut *place));
        Change::Random(place)
    }

    /// The change by which the next entry of the journal gives back the numbers drawn since the last one.
    pub(crate) fn drawn(&mut self) -> Option<Change> {
        self.random.unrecorded.as_ref()?;
        let before = Rc::make_mut(&mut self.random).unrecorded.take();
        before.map(|before| Change::Random(Box::new(before)))
    }
}
