//! Draws random numbers: for `uniform(a, b)` and `normal(m, s)` the numbers of Python's `random` after
//! `random.seed(N)`, and for `moons(n, s)` the points that scikit-learn makes after `np.random.seed(N)`.
//!
//! A [`Sequence`] is a position in the random numbers and a small value: the seeds, and the number of words taken from
//! each generator. Undo, previews and failing statements return to a position by assigning it. All positions of a seed
//! share a generator. The generator starts again if a position before its own is read.

use std::cell::RefCell;
use std::f64::consts::{PI, TAU};
use std::rc::Rc;

use rand_mt::Mt;

use chainrule_stop as stop;

/// The setting for the seed of Python's numbers.
pub const SEED: &str = "seed";

/// The setting for the seed of numpy's numbers.
pub const NUMPY_SEED: &str = "numpy-seed";

/// A position in the words of the generator of a seed.
#[derive(Clone, Debug)]
struct Words {
    seed: u64,
    /// Makes the generator of a seed: [`python_generator`] or [`numpy_generator`].
    generator_of: fn(u64) -> Mt,
    /// The number of words that have been taken.
    taken: u64,
    /// The shared generator, and the number of words taken from it; `None` before the first word.
    generator: Rc<RefCell<Option<(Mt, u64)>>>,
}

/// A position in the sequences of Python and of numpy.
#[derive(Clone, Debug, PartialEq)]
pub struct Sequence {
    python: Words,
    /// The second normal number of a pair, if only the first was taken: Python makes them in pairs.
    second: Option<f64>,
    numpy: Words,
}

impl PartialEq for Words {
    /// Whether both are the same position in the words of the same seed.
    fn eq(&self, other: &Words) -> bool {
        (self.seed, self.taken) == (other.seed, other.taken)
    }
}

impl Words {
    fn of(seed: u64, generator_of: fn(u64) -> Mt) -> Words {
        Words {
            seed,
            generator_of,
            taken: 0,
            generator: Rc::default(),
        }
    }

    /// The next word of 32 bits.
    fn next(&mut self) -> u32 {
        let mut shared = self.generator.borrow_mut();
        // A generator cannot go back. It starts again.
        shared.take_if(|(_, taken)| *taken > self.taken);
        let (generator, taken) = shared.get_or_insert_with(|| ((self.generator_of)(self.seed), 0));
        while *taken < self.taken {
            stop::ask(*taken as usize);
            generator.next_u32();
            *taken += 1;
        }
        (self.taken, *taken) = (self.taken + 1, *taken + 1);
        generator.next_u32()
    }

    /// A fraction of 53 bits, from 0 to below 1.
    fn fraction(&mut self) -> f64 {
        // 27 bits of the first word and 26 bits of the second.
        let (high, low) = (self.next() >> 5, self.next() >> 6);
        (f64::from(high) * f64::from(1 << 26) + f64::from(low)) / (1_u64 << 53) as f64
    }
}

impl Default for Sequence {
    fn default() -> Sequence {
        Sequence::of(0)
    }
}

impl Sequence {
    /// The beginning of Python's sequence of a seed.
    pub fn of(seed: u64) -> Sequence {
        Sequence {
            python: Words::of(seed, python_generator),
            second: None,
            numpy: Words::of(0, numpy_generator),
        }
    }

    /// Goes to the position in the sequence of a seed after `drawn` numbers of two words each.
    ///
    /// For numpy, half a number is one word. For Python, a quarter more is one word, and half a number less says that the
    /// second normal number of a pair comes next. The words of both were taken with the first: 3.5 is the place after two
    /// numbers and a pair, and 3.75 the place one word later.
    pub fn go_to(&mut self, key: &str, seed: u64, drawn: f64) {
        if key == NUMPY_SEED {
            self.numpy = Words::of(seed, numpy_generator);
            self.numpy.taken = (2.0 * drawn) as u64;
            return;
        }
        (self.python, self.second) = (Words::of(seed, python_generator), None);
        let is_within_pair = drawn.fract() >= 0.5;
        let numbers = drawn + if is_within_pair { 0.5 } else { 0.0 };
        self.python.taken = 2 * numbers as u64;
        if is_within_pair {
            // Drawing the pair again restores its second number. No pair ends before 1.5, so 0.5 is taken for 1.5.
            self.python.taken = self.python.taken.saturating_sub(4);
            self.standard_normal();
        }
        self.python.taken += u64::from(numbers.fract() != 0.0);
    }

    /// The statements that go to this position.
    pub fn statements(&self) -> String {
        let statement =
            |key, seed: u64, drawn: f64| format!(":config {key} {seed} drawn {drawn};\n");
        // An odd word is a quarter, and while the second number of a pair is to come, the count is a half less: see `go_to`.
        let [numbers, odd_word] =
            [self.python.taken / 2, self.python.taken % 2].map(|it| it as f64);
        let half = if self.second.is_some() { 0.5 } else { 0.0 };
        let mut statements = statement(SEED, self.python.seed, numbers + odd_word / 4.0 - half);
        if self.numpy.taken > 0 {
            statements += &statement(NUMPY_SEED, self.numpy.seed, self.numpy.taken as f64 / 2.0);
        }
        statements
    }

    /// Python's `random()`.
    pub fn fraction(&mut self) -> f64 {
        self.python.fraction()
    }

    /// Python's `randrange(count)`: a whole number from 0 to below `count`, which is positive.
    pub(crate) fn below(&mut self, count: u64) -> u64 {
        // As many random bits as `count` has, and others while they are too large. The first word is the lowest.
        let bits = u64::BITS - count.leading_zeros();
        let mut drawn = count;
        while drawn >= count {
            drawn = u64::from(self.python.next()) >> 32_u32.saturating_sub(bits);
            if bits > 32 {
                drawn |= u64::from(self.python.next() >> (64 - bits)) << 32;
            }
        }
        drawn
    }

    /// Python's `shuffle(items)`.
    pub(crate) fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in stop::with_checks((1..items.len()).rev()) {
            items.swap(last, self.below(last as u64 + 1) as usize);
        }
    }

    /// Python's `gauss(0, 1)`, also with the functions of the C library.
    pub(crate) fn standard_normal(&mut self) -> f64 {
        if let Some(second) = self.second.take() {
            return second;
        }
        let angle = self.fraction() * TAU;
        let radius = (-2.0 * (1.0 - self.fraction()).ln()).sqrt();
        self.second = Some(angle.sin() * radius);
        angle.cos() * radius
    }

    /// Points on two half circles, each with the number of its half circle, 0 or 1. Order and noise are those of
    /// scikit-learn's `make_moons`.
    pub fn moons(&mut self, count: usize, noise: Option<f64>) -> Vec<([f64; 2], f64)> {
        let outer = count / 2;
        let mut points = Vec::with_capacity(count);
        points.extend(half_circle(outer).map(|[x, y]| ([x, y], 0.0)));
        let inner = half_circle(count - outer);
        points.extend(inner.map(|[x, y]| ([1.0 - x, 1.0 - y - 0.5], 1.0)));
        // Numpy's shuffle (Fisher-Yates). To draw an index, it takes the lowest bits of a word, as many as `last` has,
        // and draws again if the index is too large.
        for last in (1..count).rev() {
            stop::ask(last);
            let mask = (last as u32 + 1).next_power_of_two() - 1;
            let mut draw = || (self.numpy.next() & mask) as usize;
            let mut other = draw();
            while other > last {
                other = draw();
            }
            points.swap(last, other);
        }
        if let Some(deviation) = noise {
            for ([x, y], _) in &mut points {
                let [first, second] = self.standard_normal_pair();
                *x += deviation * first;
                *y += deviation * second;
            }
        }
        points
    }

    /// Two normal numbers of numpy, by the polar method of Marsaglia.
    fn standard_normal_pair(&mut self) -> [f64; 2] {
        loop {
            let mut draw = || 2.0 * self.numpy.fraction() - 1.0;
            let (first, second) = (draw(), draw());
            let square = first * first + second * second;
            if square < 1.0 && square > 0.0 {
                let factor = (-2.0 * square.ln() / square).sqrt();
                // Numpy gives the second number first.
                return [factor * second, factor * first];
            }
        }
    }
}

/// Points at equal distances on the upper half of a circle, from right to left. The last angle is exactly `PI`, as in
/// numpy's `linspace`.
fn half_circle(count: usize) -> impl Iterator<Item = [f64; 2]> {
    let apart = PI / (count.max(2) - 1) as f64;
    (0..count).map(move |at| {
        let is_end = at > 0 && at + 1 == count;
        let angle = if is_end { PI } else { at as f64 * apart };
        let (sine, cosine) = angle.sin_cos();
        [cosine, sine]
    })
}

/// The generator of a seed of numpy.
fn numpy_generator(seed: u64) -> Mt {
    Mt::new(seed as u32)
}

/// The generator of a seed of Python, which seeds with the 32-bit words of the number, the lowest first.
fn python_generator(seed: u64) -> Mt {
    let (low, high) = (seed as u32, (seed >> 32) as u32);
    let key = [low, high].into_iter().take(1 + usize::from(high > 0));
    Mt::new_with_key(key)
}

#[cfg(test)]
mod tests {
    use super::{SEED, Sequence};

    /// A position that is written as statements goes on with the same numbers, after a pair and after an odd word.
    #[test]
    fn a_position_comes_back() {
        for draws in ["", "w", "n", "nw", "wwn", "wwnw", "nn", "wnn", "nnwww"] {
            let mut sequence = Sequence::of(7);
            for draw in draws.chars() {
                let _ = if draw == 'n' {
                    sequence.standard_normal()
                } else {
                    sequence.below(u64::from(u32::MAX)) as f64
                };
            }
            let statement = sequence.statements();
            let drawn = statement.trim_end_matches([';', '\n']).rsplit(' ').next();
            let drawn = drawn.and_then(|it| it.parse().ok()).expect("a number");
            let mut other = Sequence::default();
            other.go_to(SEED, 7, drawn);
            assert!(other == sequence, "{draws}: {statement}");
            assert_eq!(other.fraction(), sequence.fraction(), "{draws}");
        }
    }
}
