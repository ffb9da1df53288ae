//! The gamma function, its logarithm and the factorial.
//!
//! Within 20 of zero: the series of `1/gamma(1 + u)`, which converges everywhere, at the distance `u` to the nearest
//! whole number, and the recurrence `gamma(x + 1) = x*gamma(x)` from there, both in twice the usual precision, because
//! the logarithm cancels near its zeros. Further out: Stirling's series, and reflection for negative `x`.
//! Whole numbers come from a table of correctly rounded factorials.

use super::double::{Double, PI, sin_pi};
use super::polygamma::{digamma, digamma_factorial};

/// `n!` as long as it is finite, each correctly rounded.
const FACTORIALS: [f64; 171] = factorials();

/// Below this size the series is used, above it Stirling's.
const NEAR: f64 = 20.0;

/// Far above 171.6 and 170.6, from where on gamma and factorial are infinite; from 250 on the factors of Stirling's
/// formula are too, and their product would be NaN.
const BEYOND: f64 = 180.0;

/// `0`, `-1`, `-2`, …: where the gamma function has its poles. Every large negative number is one.
pub(super) fn pole(x: f64) -> bool {
    x <= 0.0 && x.floor() == x
}

/// The gamma function. At a pole inf with the sign of zero at 0, else NaN: the sides differ.
pub(super) fn gamma(x: f64) -> f64 {
    if x.is_nan() || x == f64::INFINITY {
        x
    } else if pole(x) {
        if x == 0.0 { 1.0 / x } else { f64::NAN }
    } else if x.fract() == 0.0 {
        factorial_of(x - 1.0)
    } else if x.abs() < 1e-20 {
        1.0 / x
    } else if x.abs() < NEAR {
        near(x).rounded()
    } else if x > BEYOND {
        f64::INFINITY
    } else if x > 0.0 {
        let (most, rest) = stirling(x);
        (most.scaled(rest)).rounded_or(most.high * rest)
    } else {
        reflected(x, 1.0)
    }
}

/// `gamma(x)*digamma(x)`.
pub(super) fn gamma_dx(x: f64, out: f64) -> f64 {
    if pole(x) {
        f64::NAN
    } else {
        times(x, out, digamma(x))
    }
}

/// `gamma(x)`, which is `out`, times a factor that may be large beside a pole, where the value lost its digits, or all
/// of it.
pub(super) fn times(x: f64, out: f64, factor: f64) -> f64 {
    if out.abs() < f64::MIN_POSITIVE {
        reflected(x, factor)
    } else {
        out * factor
    }
}

/// `x! = gamma(x + 1)`.
pub(super) fn factorial(x: f64) -> f64 {
    if x.is_nan() || x == f64::INFINITY {
        x
    } else if factorial_pole(x) {
        f64::NAN
    } else if x >= 0.0 && x.fract() == 0.0 {
        factorial_of(x)
    } else if x > 0.5 {
        // x + 1 would be rounded, and gamma magnifies that; x*gamma(x) is the same.
        if x < NEAR {
            near(x).scaled(x).rounded()
        } else if x > BEYOND {
            f64::INFINITY
        } else {
            let (most, rest) = stirling(x);
            most.scaled(x).scaled(rest).rounded_or(most.high * rest * x)
        }
    } else {
        gamma(1.0 + x)
    }
}

/// `-1`, `-2`, …: where the factorial has its poles.
pub(super) fn factorial_pole(x: f64) -> bool {
    x < 0.0 && x.floor() == x
}

/// `x!*digamma(x + 1)`.
pub(super) fn factorial_dx(x: f64, out: f64) -> f64 {
    if factorial_pole(x) {
        f64::NAN
    } else {
        times(1.0 + x, out, digamma_factorial(x))
    }
}

/// `ln|gamma(x)|`, inf at the poles.
pub(super) fn lgamma(x: f64) -> f64 {
    if x.is_nan() {
        x
    } else if pole(x) || x.is_infinite() {
        f64::INFINITY
    } else if x > 0.0 || x > -1e-20 {
        libm::lgamma(x)
    } else if x > -NEAR {
        let gamma = near(x);
        let gamma = if gamma.high < 0.0 {
            gamma.negated()
        } else {
            gamma
        };
        if (0.5..2.0).contains(&gamma.high) {
            let off = gamma.plus(Double::of(-1.0));
            off.high.ln_1p() + off.low / gamma.high
        } else {
            gamma.high.ln()
        }
    } else {
        (PI.high / (x * sin_pi(x)).abs()).ln() - libm::lgamma(-x)
    }
}

/// `digamma(x)`, with no derivative at the poles.
pub(super) fn lgamma_dx(x: f64) -> f64 {
    if pole(x) { f64::NAN } else { digamma(x) }
}

/// `-pi/(x*sin(pi*x)*gamma(-x))` times a factor, for `x` below -20.
fn reflected(x: f64, factor: f64) -> f64 {
    if x < -200.0 {
        return 0.0 * factor * sin_pi(x);
    }
    let (most, rest) = stirling(-x);
    let sine = Double::product(x, sin_pi(x));
    // The last division alone may leave the range.
    let quotient = PI.scaled(-factor).over(sine.times(most));
    quotient.over(Double::of(rest)).rounded()
}

/// The gamma function of a number between -20 and 20 that is not whole.
fn near(x: f64) -> Double {
    let nearest = x.round();
    let base = Double::of(1.0).over(reciprocal(x - nearest));
    // From 1 + u up to x or down to it; the differences are all exact.
    let mut product = Double::of(1.0);
    if nearest >= 1.0 {
        let mut below = 1.0;
        while below < nearest {
            product = product.scaled(x - below);
            below += 1.0;
        }
        base.times(product)
    } else {
        let mut above = 0.0;
        while above <= -nearest {
            product = product.scaled(x + above);
            above += 1.0;
        }
        base.over(product)
    }
}

/// `1/gamma(1 + u)` for `u` between -1/2 and 1/2.
fn reciprocal(u: f64) -> Double {
    let (exact, plain) = RECIPROCAL.split_at(EXACT);
    let tail = plain.iter().rev().fold(0.0, |sum, c| sum * u + c.high);
    exact
        .iter()
        .rev()
        .fold(Double::of(tail), |sum, &c| sum.scaled(u).plus(c))
}

/// `-gamma'(1 + u)/gamma(1 + u)^2` over `1/gamma(1 + u)`, that is `digamma(1 + u)`, for `u` between -1/2 and 1/2.
pub(super) fn digamma_series(u: f64) -> Double {
    let term = |k: usize| RECIPROCAL[k].scaled(k as f64);
    let tail = (EXACT..RECIPROCAL.len())
        .rev()
        .fold(0.0, |sum, k| sum * u + RECIPROCAL[k].high * k as f64);
    let slope = (1..EXACT)
        .rev()
        .fold(Double::of(tail), |sum, k| sum.scaled(u).plus(term(k)));
    slope.over(reciprocal(u)).negated()
}

/// Stirling's formula for `x` from 20 on, as two factors: their product overflows where the gamma function does,
/// each of them stays in range for ten more.
fn stirling(x: f64) -> (Double, f64) {
    // B(2k)/(2k(2k - 1)), k from 1.
    const SERIES: [f64; 8] = [
        1.0 / 12.0,
        -1.0 / 360.0,
        1.0 / 1260.0,
        -1.0 / 1680.0,
        1.0 / 1188.0,
        -691.0 / 360_360.0,
        1.0 / 156.0,
        -3617.0 / 122_400.0,
    ];
    const ROOT: Double = Double::new(2.506_628_274_631_000_7, -1.832_857_998_045_916_7e-16);
    let square = 1.0 / (x * x);
    let correction = SERIES.iter().rev().fold(0.0, |sum, c| sum * square + c) / x;
    // x - 1/2 and its half are exact, so the power's own error is all there is.
    let power = x.powf(0.5 * x - 0.25);
    let most = Double::product(power, (-x).exp()).times(ROOT);
    (
        most.plus(Double::of(most.high * correction.exp_m1())),
        power,
    )
}

impl Double {
    /// Rounded, or the plain product where the exact one overflowed on the way and lost its rest to NaN.
    fn rounded_or(self, plain: f64) -> f64 {
        let rounded = self.rounded();
        if rounded.is_nan() { plain } else { rounded }
    }
}

/// The factorial of a whole number from 0.
fn factorial_of(n: f64) -> f64 {
    FACTORIALS.get(n as usize).copied().unwrap_or(f64::INFINITY)
}

/// Exact products in limbs of 32 bits, rounded to nearest, ties to even.
const fn factorials() -> [f64; 171] {
    let mut all = [1.0; 171];
    let mut limbs = [0u64; 34];
    limbs[0] = 1;
    let mut n = 1;
    while n < all.len() {
        let mut carry = 0;
        let mut i = 0;
        while i < limbs.len() {
            let product = limbs[i] * n as u64 + carry;
            limbs[i] = product & 0xffff_ffff;
            carry = product >> 32;
            i += 1;
        }
        all[n] = rounded(&limbs);
        n += 1;
    }
    all
}

const fn rounded(limbs: &[u64; 34]) -> f64 {
    let mut top = limbs.len() - 1;
    while limbs[top] == 0 {
        top -= 1;
    }
    // The leading 64 bits, and whether anything follows them.
    let mut lead = limbs[top];
    let mut sticky = false;
    let mut exponent = 32 * top as u64;
    let mut i = top;
    let mut taken = 1;
    while i > 0 && taken < 3 {
        i -= 1;
        taken += 1;
        let shift = lead.leading_zeros();
        let fits = if shift < 32 { shift } else { 32 };
        lead = (lead << fits) | (limbs[i] >> (32 - fits));
        sticky |= limbs[i] & ((1 << (32 - fits)) - 1) != 0;
        exponent -= fits as u64;
    }
    while i > 0 {
        i -= 1;
        sticky |= limbs[i] != 0;
    }
    let bits = 64 - lead.leading_zeros() as u64;
    if bits <= 53 {
        return f64::from_bits(
            ((1023 + exponent + bits - 1) << 52) | ((lead << (53 - bits)) & ((1 << 52) - 1)),
        );
    }
    let drop = bits - 53;
    let mut kept = lead >> drop;
    let left = lead & ((1 << drop) - 1);
    let half = 1 << (drop - 1);
    if left > half || (left == half && (sticky || kept & 1 == 1)) {
        kept += 1;
    }
    // A carry out of the fraction raises the exponent by itself.
    f64::from_bits(((1023 + exponent + bits - 2) << 52) + kept)
}

/// How many coefficients are taken with their second half: beside a zero of digamma nothing else keeps the digits.
const EXACT: usize = 22;

/// The Taylor series of `1/gamma(1 + u)`.
#[rustfmt::skip]
const RECIPROCAL: [Double; 37] = [
    Double::new(1.0, 0.0),
    Double::new(0.577_215_664_901_532_9, -4.942_915_152_430_645e-18),
    Double::new(-0.655_878_071_520_253_9, 2.137_185_197_068_536e-17),
    Double::new(-0.042_002_635_034_095_24, 1.492_030_628_565_050_5e-18),
    Double::new(0.166_538_611_382_291_48, 1.018_914_454_684_202_6e-17),
    Double::new(-0.042_197_734_555_544_33, -3.357_999_268_248_013_4e-18),
    Double::new(-0.009_621_971_527_876_973, -5.300_031_368_830_263e-19),
    Double::new(0.007_218_943_246_663_1, -3.600_653_706_339_428_3e-19),
    Double::new(-0.001_165_167_591_859_065_2, 5.659_947_853_880_981e-20),
    Double::new(-0.000_215_241_674_114_950_98, 2.375_868_618_072_936_4e-21),
    Double::new(0.000_128_050_282_388_116_2, -9.359_124_499_198_967e-21),
    Double::new(-2.013_485_478_078_824e-5, 3.048_877_397_203_738_5e-23),
    Double::new(-1.250_493_482_142_670_6e-6, -2.662_140_922_718_98e-23),
    Double::new(1.133_027_231_981_696e-6, -4.622_235_212_104_869e-23),
    Double::new(-2.056_338_416_977_607e-7, -3.006_160_161_864_513_4e-24),
    Double::new(6.116_095_104_481_416e-9, -2.693_458_298_171_306e-25),
    Double::new(5.002_007_644_469_223e-9, -1.538_123_614_056_751e-26),
    Double::new(-1.181_274_570_487_02e-9, -1.005_235_615_571_620_8e-25),
    Double::new(1.043_426_711_691_100_5e-10, -2.929_841_995_682_503_5e-27),
    Double::new(7.782_263_439_905_071e-12, 4.397_255_556_595_848e-28),
    Double::new(-3.696_805_618_642_206e-12, 2.705_003_492_170_388_5e-28),
    Double::new(5.100_370_287_454_476e-13, 2.253_001_461_085_878e-29),
    Double::new(-2.058_326_053_566_506_6e-14, -1.474_748_149_195_433_6e-30),
    Double::new(-5.348_122_539_423_018e-15, -1.620_838_468_635_656_8e-31),
    Double::new(1.226_778_628_238_260_8e-15, -5.072_915_146_023_867e-32),
    Double::new(-1.181_259_301_697_458_8e-16, 6.422_257_838_149_681e-33),
    Double::new(1.186_692_254_751_600_4e-18, -4.203_726_549_422_601_4e-35),
    Double::new(1.412_380_655_318_031_9e-18, -7.576_946_701_116_294e-35),
    Double::new(-2.298_745_684_435_37e-19, 1.333_548_191_706_914_5e-36),
    Double::new(1.714_406_321_927_337_4e-20, 5.230_715_150_426_935e-38),
    Double::new(1.337_351_730_493_693e-22, 2.643_405_964_907_922_8e-39),
    Double::new(-2.054_233_551_766_672_8e-22, 3.685_689_242_456_895_3e-39),
    Double::new(2.736_030_048_608e-23, -2.859_931_541_639_777_4e-39),
    Double::new(-1.732_356_445_910_516_5e-24, -1.754_088_350_819_759_8e-40),
    Double::new(-2.360_619_024_499_287_2e-26, -1.260_225_016_995_785e-42),
    Double::new(1.864_982_941_717_294_3e-26, 8.774_775_617_290_965e-43),
    Double::new(-2.218_095_624_207_197_3e-27, 6.809_640_315_042_753e-44),
];
