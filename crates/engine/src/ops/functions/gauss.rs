//! Computes the derivative of the error functions, and `gelu` with its derivative. All of them need `exp(-x^2)`, whose
//! square is corrected for its rounding: at `x = 26` the rounding would cost 300 units in the last place.

use super::source::{erfc, exp};
use std::f64::consts::{FRAC_1_SQRT_2, FRAC_2_SQRT_PI};

/// `2/sqrt(pi)*exp(-x^2)`.
pub(crate) fn erf_dx(x: f64) -> f64 {
    FRAC_2_SQRT_PI * bell(x, 1.0)
}

/// `exp(-x^2*scale)` for a scale that is a power of two. The rounding error `e` of the square is taken into account:
/// `exp(-e*scale)` is `1 - e*scale` to first order.
fn bell(x: f64, scale: f64) -> f64 {
    let square = x * x;
    // The exponential is 0 here. The rounding error of an infinite square would be NaN.
    if square * scale > 800.0 {
        return 0.0;
    }
    let error = x.mul_add(x, -square);
    let rough = exp(-square * scale);
    rough - rough * (error * scale)
}

/// The share of a normal distribution below `x`: `erfc(-x/sqrt(2))/2`. The rounding error `e` of the argument `t` is taken
/// into account: `erfc(t + e)` is `erfc(t) - e*2/sqrt(pi)*exp(-t^2)` to first order.
fn share_below(x: f64) -> f64 {
    /// `1/sqrt(2)` minus its double.
    const FRAC_1_SQRT_2_ERROR: f64 = -4.833_646_656_726_457e-17;
    let t = -x * FRAC_1_SQRT_2;
    let error = (-x).mul_add(FRAC_1_SQRT_2_ERROR, (-x).mul_add(FRAC_1_SQRT_2, -t));
    let tail = erfc(t);
    if t < 1.0 || tail == 0.0 {
        return 0.5 * tail;
    }
    0.5 * (tail - error * FRAC_2_SQRT_PI * exp(-t * t))
}

/// `x` times the share of a normal distribution below it.
pub(crate) fn gelu(x: f64) -> f64 {
    if x < FAR_LEFT {
        let half = bell(x, 0.25);
        -DENSITY * tail_series(1.0 / (x * x)) * half * half
    } else {
        x * share_below(x)
    }
}

/// `share_below(x) + x*density(x)`. Near its zero, where digits cancel, the Taylor series around the zero.
pub(crate) fn gelu_dx(x: f64) -> f64 {
    if x > 40.0 {
        // The density has vanished, and inf*0 would be NaN.
        return 1.0;
    }
    if x < -1e3 {
        // The derivative has vanished, and -inf*0 would be NaN.
        return 0.0;
    }
    if x < FAR_LEFT {
        let half = bell(x, 0.25);
        let r = 1.0 / (x * x);
        return DENSITY * (x * half) * (1.0 - r * tail_series(r)) * half;
    }
    let offset = (x - GELU_LOWEST[0]) - GELU_LOWEST[1];
    // The series is accurate up to here.
    if offset.abs() < 0.45 {
        let terms = GELU_SLOPE.iter().rev();
        return offset * terms.fold(0.0, |sum, c| sum * offset + c);
    }
    share_below(x) + x * (DENSITY * bell(x, 0.5))
}

/// Left of this number [`share_below`] becomes subnormal, and products with it would lose digits.
const FAR_LEFT: f64 = -36.0;

/// `1/sqrt(2*pi)`.
const DENSITY: f64 = 0.398_942_280_401_432_7;

/// [`share_below`] divided by the density and multiplied by `-x`: `1 - r + 3r^2 - 15r^3 …` with `r = 1/x^2`.
fn tail_series(r: f64) -> f64 {
    let odds = [15.0, 13.0, 11.0, 9.0, 7.0, 5.0, 3.0, 1.0];
    odds.iter().fold(1.0, |rest, odd| 1.0 - odd * r * rest)
}

/// The point of the minimum of gelu, as a sum of two doubles.
const GELU_LOWEST: [f64; 2] = [-0.751_791_524_693_564_5, 1.495_675_917_700_988_3e-17];

/// The Taylor series of the slope of gelu around its minimum, from the linear term on.
#[rustfmt::skip]
const GELU_SLOPE: [f64; 22] = [
    0.431_493_992_314_046_9, 0.388_284_982_990_552, -0.018_199_676_398_671_087,
    -0.114_008_233_297_221_7, -0.014_771_522_148_244_337, 0.019_421_679_838_189_067,
    0.004_539_228_379_125_415, -0.002_239_538_068_073_497, -0.000_744_826_838_674_681_7,
    0.000_186_339_746_232_335_14, 8.615_947_861_116_571e-5, -1.121_438_018_842_664e-5,
    -7.748_461_307_003_72e-6, 4.328_450_625_739_227_3e-7, 5.702_764_979_242_107e-7,
    -1.604_426_549_424_642_7e-9, -3.545_986_646_178_386_5e-8, -1.396_942_086_426_202e-9,
    1.903_198_405_013_14e-9, 1.450_641_893_877_942_6e-10, -8.950_037_692_726_255e-11,
    -9.950_340_824_808_053e-12,
];
