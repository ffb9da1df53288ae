//! Negative whole powers of a complex number, which the derivatives of an angle are made of, of every order.
//!
//! With `w = y + i*x`, whose angle is `atan2(x, y)`, the derivatives of the angle are parts of `1/w`, and a derivative
//! of `w^-n` is a multiple of `w^-(n + 1)`. Only the power itself subtracts, and it is computed in twice the usual
//! precision: `x^2 - y^2` keeps its digits where the two are nearly equal.

use super::double::Double;
use super::plane;
use super::power::Scaled;

/// The largest order.
const MOST: f64 = 300.0;

/// Is there a finite number at this point?
pub(crate) fn exists(x: f64, y: f64, order: f64) -> bool {
    has_order(order) && (x != 0.0 || y != 0.0)
}

fn has_order(order: f64) -> bool {
    (1.0..=MOST).contains(&order) && order.fract() == 0.0
}

/// `cos(n*t)/r^n`, `t` being the angle and `r` the length.
pub(crate) fn cosine(x: f64, y: f64, order: f64) -> f64 {
    if order == 1.0 {
        plane::atan2_dx(x, y)
    } else {
        parts(x, y, order)[0]
    }
}

/// `sin(n*t)/r^n`
pub(crate) fn sine(x: f64, y: f64, order: f64) -> f64 {
    if order == 1.0 {
        -plane::atan2_dy(x, y)
    } else {
        parts(x, y, order)[1]
    }
}

/// Both, as the parts of `w^n` over `|w|^(2n)`.
fn parts(x: f64, y: f64, order: f64) -> [f64; 2] {
    if !has_order(order) || x.is_nan() || y.is_nan() || (x == 0.0 && y == 0.0) {
        return [f64::NAN; 2];
    }
    if x.is_infinite() || y.is_infinite() {
        return [0.0; 2];
    }
    // With a length from 1 to 3 no power of it leaves the range. A scale is at most 2^1000, so two are needed.
    let (mut x, mut y, mut exponent) = (x, y, 0);
    for _ in 0..2 {
        let scale = plane::scale(x.abs().max(y.abs()));
        (x, y) = (x * scale, y * scale);
        exponent += exponent_of(scale);
    }
    // A part so small matters only where the result is proportional to it, and there it can be scaled up before it
    // becomes subnormal: the sine is odd in x, and in y one of the two is.
    let (x, y, lifted) = if x.abs() < TINY {
        (x * LIFT, y, Some(1))
    } else if y.abs() < TINY {
        (x, y * LIFT, Some(usize::from(order % 2.0 == 0.0)))
    } else {
        (x, y, None)
    };
    let length = Double::product(x, x).plus(Double::product(y, y));
    let mut power = [Double::of(1.0), Double::of(0.0)];
    let mut lengths = Double::of(1.0);
    let order = order as i32;
    for _ in 0..order {
        let [real, imaginary] = power;
        power = [
            real.scaled(y).plus(imaginary.scaled(x).negated()),
            real.scaled(x).plus(imaginary.scaled(y)),
        ];
        lengths = lengths.times(length);
    }
    [0, 1].map(|at| {
        let less = if lifted == Some(at) {
            exponent_of(LIFT)
        } else {
            0
        };
        let part = Scaled::of(power[at].over(lengths).rounded());
        part.shifted(exponent * order - less).value()
    })
}

/// Below this a part is negligible beside the other one, and so is its square when scaled up.
const TINY: f64 = f64::from_bits((1023 - 600) << 52);

/// A power of two: 2^400.
const LIFT: f64 = f64::from_bits((1023 + 400) << 52);

/// The exponent of a power of two.
fn exponent_of(power: f64) -> i32 {
    ((power.to_bits() >> 52) & 0x7ff) as i32 - 1023
}
