//! Numbers of formulas: exact ratios while they fit in 64 bits, and otherwise floating-point numbers.
//!
//! A ratio remembers whether it comes from a number with a decimal point: `0.1*x` is not written as `x/10`.

use std::cmp::Ordering;
use std::ops::{Add, Mul, Neg};

/// A number.
#[derive(Clone, Copy, Debug)]
pub struct Number {
    /// The nearest float.
    pub value: f64,
    /// The whole numbers above and below the line, in lowest terms, if it is exact. The one below is positive.
    pub(crate) ratio: Option<[i64; 2]>,
    /// Whether it was typed with a decimal point, or computed with such a number.
    pub(crate) is_decimal: bool,
}

/// A typed number is exact if, without its point, it is less than this.
const EXACT_BELOW: f64 = 1e12;

/// The most places after the point of an exact number.
const MAX_PLACES: u32 = 15;

pub(crate) fn gcd(mut a: i128, mut b: i128) -> i128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a.abs()
}

impl Number {
    pub(crate) const ZERO: Number = Number::whole(0);
    pub(crate) const ONE: Number = Number::whole(1);
    pub(crate) const MINUS_ONE: Number = Number::whole(-1);
    pub(crate) const HALF: Number = Number::new(0.5, Some([1, 2]), false);

    const fn new(value: f64, ratio: Option<[i64; 2]>, is_decimal: bool) -> Number {
        Number {
            value,
            ratio,
            is_decimal,
        }
    }

    pub(crate) const fn whole(number: i64) -> Number {
        Number::new(number as f64, Some([number, 1]), false)
    }

    /// A number that was computed in floats. A small whole one is exact, so that 1 and 0 are recognized.
    fn float(value: f64) -> Number {
        if value.fract() == 0.0 && value.abs() < EXACT_BELOW {
            return Number::whole(value as i64);
        }
        Number::new(value, None, true)
    }

    /// The ratio of two numbers, of which the second is not 0.
    fn of_ratio([above, below]: [i128; 2], is_decimal: bool) -> Number {
        let divisor = match below {
            1 => 1,
            _ => gcd(above, below) * below.signum(),
        };
        let value = above as f64 / below as f64;
        match [above / divisor, below / divisor].map(i64::try_from) {
            [Ok(above), Ok(below)] => {
                Number::new(value, Some([above, below]), is_decimal && below != 1)
            }
            _ => Number::float(value),
        }
    }

    /// A number as it was typed: exact if it has few digits. One with many digits has been computed.
    pub fn from_data(data: f64) -> Number {
        let ratio = |places: u32| {
            let below = 10_i64.pow(places);
            let above = (data * below as f64).round();
            let is_same = above.abs() < EXACT_BELOW && above / below as f64 == data;
            is_same.then(|| Number::of_ratio([above as i128, below.into()], true))
        };
        let found = (0..=MAX_PLACES).find_map(ratio);
        found.unwrap_or(Number::float(data))
    }

    /// Whether it is a ratio of whole numbers that floats have.
    pub(crate) fn is_exact(self) -> bool {
        let is_float = |it: &i64| it.unsigned_abs() <= 1 << f64::MANTISSA_DIGITS;
        self.ratio.is_some_and(|it| it.iter().all(is_float))
    }

    /// The numbers above and below the line, if it is written as a quotient.
    pub(crate) fn quotient(self) -> Option<[f64; 2]> {
        let ends = |[_, below]: [i64; 2]| 10_i64.pow(MAX_PLACES) % below == 0;
        let ratio = self.ratio.filter(|it| it[1] != 1);
        let ratio = ratio.filter(|it| !self.is_decimal || !ends(*it));
        ratio.map(|it| it.map(|it| it as f64))
    }

    pub(crate) fn integer(self) -> Option<i64> {
        self.ratio.filter(|it| it[1] == 1).map(|it| it[0])
    }

    /// Whether it is exact, and the numbers above and below its line are smaller.
    pub(crate) fn is_shorter_than(self, other: Number) -> bool {
        let size = |[above, below]: [i64; 2]| above.unsigned_abs().saturating_add(below as u64);
        let [own, other] = [self, other].map(|it| it.ratio.map_or(u64::MAX, size));
        own < other
    }

    pub(crate) fn is_even(self) -> bool {
        self.integer().is_some_and(|it| it % 2 == 0)
    }

    pub(crate) fn is_odd(self) -> bool {
        self.integer().is_some_and(|it| it % 2 != 0)
    }

    pub(crate) fn is_negative(self) -> bool {
        self.value < 0.0
    }

    pub(crate) fn abs(self) -> Number {
        if self.is_negative() { -self } else { self }
    }

    /// A whole power. The number is not 0 if the exponent is negative.
    pub(crate) fn power(self, exponent: i64) -> Number {
        let times = u32::try_from(exponent.unsigned_abs()).ok();
        let raised = |it: i64| it.checked_pow(times?).map(i128::from);
        match self.ratio.map(|it| it.map(raised)) {
            Some([Some(above), Some(below)]) => {
                let ratio = if exponent < 0 {
                    [below, above]
                } else {
                    [above, below]
                };
                Number::of_ratio(ratio, self.is_decimal)
            }
            _ => Number::float(self.value.powf(exponent as f64)),
        }
    }

    /// 1 over the number, which is not 0.
    pub(crate) fn reciprocal(self) -> Number {
        self.power(-1)
    }

    /// The greatest number of which both are whole multiples, or 1 if they are not exact.
    pub(crate) fn common_divisor(self, other: Number) -> Number {
        let divisor = self.join(other, |[a, m], [b, n]| [gcd(a, b), m / gcd(m, n) * n]);
        divisor.unwrap_or(Number::ONE)
    }

    /// What `how` makes of two exact numbers.
    fn join(self, other: Number, how: fn([i128; 2], [i128; 2]) -> [i128; 2]) -> Option<Number> {
        let [a, b] = [self.ratio?, other.ratio?].map(|it| it.map(i128::from));
        Some(Number::of_ratio(
            how(a, b),
            self.is_decimal || other.is_decimal,
        ))
    }
}

impl Add for Number {
    type Output = Number;

    fn add(self, other: Number) -> Number {
        let exact = self.join(other, |[a, m], [b, n]| [a * n + b * m, m * n]);
        exact.unwrap_or_else(|| Number::float(self.value + other.value))
    }
}

impl Mul for Number {
    type Output = Number;

    fn mul(self, other: Number) -> Number {
        let exact = self.join(other, |[a, m], [b, n]| [a * b, m * n]);
        exact.unwrap_or_else(|| Number::float(self.value * other.value))
    }
}

impl Neg for Number {
    type Output = Number;

    fn neg(self) -> Number {
        self * Number::MINUS_ONE
    }
}

impl Ord for Number {
    fn cmp(&self, other: &Number) -> Ordering {
        let by_value = self.value.total_cmp(&other.value);
        by_value.then(self.ratio.cmp(&other.ratio))
    }
}

impl PartialOrd for Number {
    fn partial_cmp(&self, other: &Number) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Number {
    fn eq(&self, other: &Number) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Number {}
