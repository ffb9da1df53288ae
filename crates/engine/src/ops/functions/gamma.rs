//! Computes the gamma function, its logarithm and the factorial.
//!
//! The functions come from the crate `pxfm`. To the left of 0, the logarithm and digamma have zeros, near which digits
//! cancel. Near these zeros this file sums the series of `1/gamma(1 + u)`, which converges everywhere, for the distance `u`
//! to the nearest whole number. The recurrence `gamma(x + 1) = x*gamma(x)` leads from `1 + u` to `x`. Both the series and
//! the recurrence are computed in twice the usual precision.

use super::double::Double;
use super::source::{ln, log1p};

/// Whether the gamma function has a pole here: at `0`, `-1`, `-2`, …, and so at every large negative double.
pub(crate) fn is_pole(x: f64) -> bool {
    x <= 0.0 && x.floor() == x
}

/// The gamma function. At 0 it is inf with the sign of the zero. At the other poles it is NaN, because the limits from the
/// two sides differ.
pub(crate) fn gamma(x: f64) -> f64 {
    if x == 0.0 {
        return 1.0 / x;
    } else if is_pole(x) {
        return f64::NAN;
    }
    let value = pxfm::f_tgamma(x);
    if value == 0.0 {
        // The sign changes at each pole, even for values that have vanished.
        if x.floor() % 2.0 == 0.0 { 0.0 } else { -0.0 }
    } else if value == f64::INFINITY && x > 171.0 && x < 172.0 {
        // The crate's function (version 0.1.30) overflows from 171.62402 on, the true one only from 171.62437 on.
        (x - 1.0) * pxfm::f_tgamma(x - 1.0)
    } else {
        value
    }
}

/// `gamma(x)*factor` for `out = gamma(x)`. Beside a pole the factor may be large although `out` is subnormal or 0.
pub(crate) fn times_gamma(x: f64, out: f64, factor: f64) -> f64 {
    if out.abs() < f64::MIN_POSITIVE {
        times_vanishing_gamma(x, factor)
    } else {
        out * factor
    }
}

/// `x! = gamma(x + 1)`.
pub(crate) fn factorial(x: f64) -> f64 {
    if is_factorial_pole(x) {
        f64::NAN
    } else if x > 0.5 && x.fract() != 0.0 {
        // Not gamma(x + 1), because the sum would be rounded, and gamma magnifies the error.
        x * gamma(x)
    } else {
        gamma(x + 1.0)
    }
}

/// Whether the factorial has a pole here: at `-1`, `-2`, ….
pub(crate) fn is_factorial_pole(x: f64) -> bool {
    x < 0.0 && x.floor() == x
}

/// `ln|gamma(x)|`, and inf at the poles.
pub(crate) fn lgamma(x: f64) -> f64 {
    if x > 1e290 {
        // The crate's function overflows here. All other terms of Stirling's formula are negligible.
        return x * (ln(x) - 1.0);
    }
    let logarithm = pxfm::f_lgamma(x);
    if x < -2.0 && x > -20.0 && logarithm.abs() < 1e-3 {
        // Near a zero, where digits have cancelled: ln|gamma| = log1p(|gamma| - 1).
        let gamma = exact_gamma(x);
        let size = if gamma.high < 0.0 {
            gamma.negate()
        } else {
            gamma
        };
        let excess = size.plus(Double::of(-1.0));
        return log1p(excess.high) + excess.low / size.high;
    }
    logarithm
}

/// `gamma(x)*factor` for a `gamma(x)` that is subnormal or 0, by `gamma(x) = gamma(x + 40)/(x*(x + 1)*...*(x + 39))`.
fn times_vanishing_gamma(x: f64, factor: f64) -> f64 {
    const STEPS: u32 = 40;
    if x < -200.0 {
        // The product is 0 even beside a pole.
        return gamma(x) * factor;
    }
    let product = (0..STEPS).fold(Double::of(1.0), |product, step| {
        product.times_plain(x + f64::from(step))
    });
    // Only the last division may leave the range.
    gamma(x + f64::from(STEPS)) * factor / product.round()
}

/// The gamma function of a number between -20 and 20 that is not whole.
fn exact_gamma(x: f64) -> Double {
    let nearest = x.round();
    let base = Double::of(1.0).over(reciprocal_gamma(x - nearest));
    // The recurrence from 1 + u up or down to x. All differences are exact.
    let whole = nearest as i32;
    let one = Double::of(1.0);
    let below = (1..whole).fold(one, |product, k| product.times_plain(x - f64::from(k)));
    let above = (0..=-whole).fold(one, |product, k| product.times_plain(x + f64::from(k)));
    if whole > 0 {
        base.times(below)
    } else {
        base.over(above)
    }
}

/// `1/gamma(1 + u)` for `u` between -1/2 and 1/2.
fn reciprocal_gamma(u: f64) -> Double {
    let tail_terms = RECIPROCAL_TAIL.iter().rev();
    let tail = tail_terms.fold(0.0, |sum, c| sum * u + c);
    let terms = RECIPROCAL.iter().rev();
    terms.fold(Double::of(tail), |sum, &c| sum.times_plain(u).plus(c))
}

/// `digamma(1 + u)` for `u` between -1/2 and 1/2, as minus the derivative of `1/gamma(1 + u)` over `1/gamma(1 + u)`.
pub(crate) fn digamma_series(u: f64) -> Double {
    let tail_terms = (RECIPROCAL.len()..TERMS).zip(RECIPROCAL_TAIL).rev();
    let tail = tail_terms.fold(0.0, |sum, (k, c)| sum * u + c * k as f64);
    let mut slope = Double::of(tail);
    for (k, c) in RECIPROCAL.iter().enumerate().skip(1).rev() {
        slope = slope.times_plain(u).plus(c.times_plain(k as f64));
    }
    slope.over(reciprocal_gamma(u)).negate()
}

/// The first terms of the Taylor series of `1/gamma(1 + u)`. With fewer terms in twice the usual precision, digamma loses
/// digits near its zeros.
#[rustfmt::skip]
const RECIPROCAL: [Double; 22] = [
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
];

/// The further terms.
#[rustfmt::skip]
const RECIPROCAL_TAIL: [f64; TERMS - 22] = [
    -2.058_326_053_566_506_6e-14, -5.348_122_539_423_018e-15, 1.226_778_628_238_260_8e-15,
    -1.181_259_301_697_458_8e-16, 1.186_692_254_751_600_4e-18, 1.412_380_655_318_031_9e-18,
    -2.298_745_684_435_37e-19, 1.714_406_321_927_337_4e-20, 1.337_351_730_493_693e-22,
    -2.054_233_551_766_672_8e-22, 2.736_030_048_608e-23, -1.732_356_445_910_516_5e-24,
    -2.360_619_024_499_287_2e-26, 1.864_982_941_717_294_3e-26, -2.218_095_624_207_197_3e-27,
];

/// The number of terms of the series.
const TERMS: usize = 37;
