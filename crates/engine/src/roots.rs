//! Finds a number that solves an equation of one unknown.
//!
//! Newton's method goes to a solution. There may be another one nearer to the start: it lies between two numbers at which
//! the sides differ in opposite directions, and bisection finds it. If there is no solution, the search begins again at
//! multiples of the start.

/// An equation of one unknown, `left = right`.
pub trait Equation {
    /// Both sides at x. A NaN says that x is outside of the domain.
    fn sides(&mut self, x: f64) -> [f64; 2];

    /// The derivative of left - right at the x of the last call of `sides`.
    fn slope(&mut self) -> f64;

    /// The size of the terms from which both sides are computed at x: the machine epsilon of it is an error of rounding.
    fn size_of_terms(&mut self, x: f64) -> f64;

    /// Whether to go on with the search, which is at x. Once the answer is no, it stays no.
    fn goes_on(&mut self, x: f64) -> bool;

    /// Notes a pole: beside it the sides differ in opposite directions, and they do not come together.
    fn note_pole(&mut self, _x: f64) {}

    /// Left - right at x.
    fn difference(&mut self, x: f64) -> f64 {
        let [left, right] = self.sides(x);
        left - right
    }

    /// Whether x is a solution: the sides are equal there, or x is next to where they cross.
    fn is_solved_by(&mut self, x: f64) -> bool {
        let sides = self.sides(x);
        let mut size_of_terms = || {
            if x.abs() < FAR {
                self.size_of_terms(x)
            } else {
                0.0
            }
        };
        are_equal(sides, &mut size_of_terms) || self.crosses_at(x)
    }

    /// Whether the difference of the sides is a line through 0 near x, but for rounding. It is none beside a pole, nor
    /// where the sides turn between neighbouring numbers, as cos(x) does far from 0.
    fn crosses_at(&mut self, x: f64) -> bool {
        let step = STEPS_OF_LINE * f64::EPSILON * x.abs();
        let here = self.difference(x);
        let rise = 0.5 * (self.difference(x + step) - self.difference(x - step));
        let places = [-4.0, -3.0, -2.0, -1.0, 1.0, 2.0, 3.0, 4.0];
        here.abs() <= STRAIGHT * rise.abs()
            && places.into_iter().all(|place| {
                let bend = self.difference(x + place * step) - here - place * rise;
                bend.abs() <= STRAIGHT * (place * rise).abs()
            })
    }
}

/// Where a search for a solution has ended.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    /// The solution, or the number nearest to one. It is never -0.
    pub x: f64,
    /// Whether the equation is solved there.
    pub is_solution: bool,
}

/// The most passes from one start: if the sides only touch, each pass halves the distance, and 53 halvings use up all
/// digits.
pub const MOST_PASSES_EACH: u64 = 80;
/// The start is multiplied by these factors, in turn. See [`multiple`] for a start of 0.
pub const FACTORS: [f64; 5] = [1.0, -1.0, 0.5, 2.0, 10.0];

/// Sides that differ by at most this fraction are equal: to 12 digits.
const EQUAL_SIDES: f64 = 1e-12;
/// Sides that differ by at most this fraction of the terms from which they are computed are equal but for rounding.
const ROUNDING: f64 = 8.0 * f64::EPSILON;

/// From here on, the rounding of x may change sides such as cos(x) as much as x itself does, and excuses no difference.
const FAR: f64 = 1e6;
/// The steps on a line through 0 are this often the distance of neighbouring numbers.
const STEPS_OF_LINE: f64 = 64.0;
/// A line bends by at most this part of its rise.
const STRAIGHT: f64 = 0.125;

/// A step of Newton's method that is too long is divided by this.
const SHORTENING: f64 = 4.0;
/// A step is at most this often as long as the one before.
const LENGTHENING: f64 = 100.0;
/// The solution is at most this many steps from where Newton's method ends, also if it is a double or triple one.
const LAST_STEPS: f64 = 4.0;

/// The first distance from the start at which the search for a change of sign tries another number, as a fraction of the
/// start, or of 1 if that is larger. A search that ends below this fraction has perhaps gone to 0.
const FIRST_DISTANCE: f64 = 1e-3;
/// The distance is doubled this many times: to about 1e57 times the start.
const DOUBLINGS: i32 = 200;
/// The way to a solution is halved this often to look for another one before it.
const HALVINGS: i32 = 20;
/// The most searches on each side for a solution before another one.
const MOST_NEARER: usize = 4;
/// The sides differ by more than this times as much at a pole as at a distance from it.
const POLE_GROWTH: f64 = 1e3;

/// The intervals of a range at whose ends [`first_root`] compares the signs. Of two solutions in one interval it sees
/// neither.
const INTERVALS: u32 = 100;

/// Whether the sides of an equation are equal to 12 digits, or differ by no more than the rounding of their terms.
/// `size_of_terms` is called only if it is needed.
pub fn are_equal([left, right]: [f64; 2], size_of_terms: &mut dyn FnMut() -> f64) -> bool {
    let (distance, size) = ((left - right).abs(), left.abs().max(right.abs()));
    // A side that is infinite or NaN is equal to nothing, and terms of infinite size tell nothing.
    let mut is_rounding = || {
        let rounding = ROUNDING * size_of_terms();
        rounding.is_finite() && distance <= rounding
    };
    size.is_finite() && (distance <= EQUAL_SIDES * size || is_rounding())
}

/// A start times a factor. All multiples of 0 are 0, so 0 becomes the size of the factor instead.
pub fn multiple(start: f64, factor: f64) -> f64 {
    if start == 0.0 && factor != 1.0 {
        factor.abs()
    } else {
        start * factor
    }
}

/// Makes a number 0 if a search from `start` has come close to 0: steps toward a root of higher order grow shorter and
/// shorter, so that 0 is too far for them.
pub fn zero_if_close(x: f64, start: f64) -> f64 {
    let is_close = x.abs() < FIRST_DISTANCE * start.abs().max(1.0);
    if is_close { 0.0 } else { x }
}

/// Searches for the solution that is nearest to a start. A start that is a solution stays.
pub fn nearest_root(equation: &mut dyn Equation, start: f64) -> Found {
    let mut nearest = start;
    for factor in FACTORS {
        let end = search_from(equation, multiple(start, factor), factor == 1.0);
        let is_solution = equation.is_solved_by(end);
        if is_solution || equation.difference(end).abs() <= equation.difference(nearest).abs() {
            nearest = end;
        }
        if is_solution || !equation.goes_on(nearest) {
            break;
        }
    }
    Found {
        // Adding 0 makes a -0 a 0.
        x: nearest + 0.0,
        is_solution: equation.is_solved_by(nearest),
    }
}

/// The first solution on the way from one end of a range to the other: an end that solves the equation, or a change of
/// sign.
pub fn first_root(equation: &mut dyn Equation, [from, to]: [f64; 2]) -> Option<f64> {
    if equation.is_solved_by(from) {
        return Some(from + 0.0);
    }
    let parts = (1..=INTERVALS).map(|place| f64::from(place) / f64::from(INTERVALS));
    let mut points = parts.map(|part| from * (1.0 - part) + to * part);
    let crossing = first_crossing(equation, from, &mut points);
    crossing.or_else(|| equation.is_solved_by(to).then_some(to + 0.0))
}

/// Searches from one start, and then on both sides of it for solutions that are nearer. If there is none to be nearer than,
/// looks everywhere only from the first start.
fn search_from(equation: &mut dyn Equation, start: f64, is_first: bool) -> f64 {
    if equation.is_solved_by(start) {
        return start;
    }
    let mut end = newton(equation, start);
    let mut most = f64::INFINITY;
    if equation.is_solved_by(end) {
        most = (end - start).abs();
    } else if !is_first {
        return end;
    }
    for sign in [1.0, -1.0] {
        for _ in 0..MOST_NEARER {
            let Some(nearer) = crossing_beside(equation, start, sign, most) else {
                break;
            };
            (end, most) = (nearer, (nearer - start).abs());
        }
    }
    end
}

/// Newton's method. A step is shortened until the sides come nearer to each other. At the end, a change of sign gives the
/// last digits.
fn newton(equation: &mut dyn Equation, start: f64) -> f64 {
    // The first step may lead far away, to the only solution of a line.
    let (mut x, mut longest) = (start, f64::INFINITY);
    let (mut difference, mut slope) = (equation.difference(x), equation.slope());
    for _ in 1..MOST_PASSES_EACH {
        let step = (difference / slope).clamp(-longest, longest);
        let next = x - step;
        if slope == 0.0 || step.is_nan() || next == x || !equation.goes_on(x) {
            break;
        }
        let there = equation.difference(next);
        let is_nearer = there.abs() < difference.abs();
        let slope_there = if is_nearer {
            equation.slope()
        } else {
            f64::NAN
        };
        if slope_there.is_finite() {
            (x, difference, slope) = (next, there, slope_there);
            longest = longest.max(LENGTHENING * step.abs());
        } else {
            longest = (step.abs() / SHORTENING).min(start.abs().max(1.0));
        }
    }
    let step = (difference / slope).clamp(-longest, longest);
    let reach = LAST_STEPS * step.abs().max(f64::EPSILON * x.abs());
    let crossing = first_crossing(equation, x - reach, &mut [x + reach].into_iter());
    let better = crossing.filter(|it| equation.difference(*it).abs() < difference.abs());
    let end = better.unwrap_or(x);
    let zero = zero_if_close(end, start);
    let is_zero = equation.difference(zero).abs() <= equation.difference(end).abs();
    if is_zero { zero } else { end }
}

/// A solution on one side of the start, nearer to it than `most`. The distance from the start is doubled until the sides
/// differ in opposite directions. There may be a pole with a solution on each side shortly before `most`: so from half of
/// it on, the rest is halved.
fn crossing_beside(equation: &mut dyn Equation, start: f64, sign: f64, most: f64) -> Option<f64> {
    let first = FIRST_DISTANCE * start.abs().max(1.0);
    let doubled = (0..DOUBLINGS).map(|doubling| first * 2_f64.powi(doubling));
    let first_half = doubled.take_while(|distance| *distance < 0.5 * most);
    let halvings = (1..=HALVINGS).map(|halving| most * (1.0 - 0.5_f64.powi(halving)));
    let second_half = halvings.take_while(|distance| distance.is_finite());
    let distances = first_half.chain(second_half);
    first_crossing(equation, start, &mut distances.map(|it| start + sign * it))
}

/// The first solution between neighbours among some points at which the sides differ in opposite directions.
fn first_crossing(
    equation: &mut dyn Equation,
    from: f64,
    points: &mut dyn Iterator<Item = f64>,
) -> Option<f64> {
    let mut before = from;
    let mut at_before = equation.difference(from);
    for x in points {
        let here = equation.difference(x);
        let [one, other] = [at_before, here].map(f64::abs);
        if changes_sign(at_before, here)
            && let Some(found) = bisect(&mut |it| equation.difference(it), [before, x])
        {
            let distance = equation.difference(found).abs();
            if distance > POLE_GROWTH * one.max(other) {
                equation.note_pole(found);
            } else if distance <= one.min(other) && equation.is_solved_by(found) {
                return Some(found);
            }
        }
        // A gap in the domain is skipped. If the sides are equal, the next point tells whether they cross: e^x and 0 only
        // look equal far below 0.
        if here.is_finite() && here != 0.0 {
            (before, at_before) = (x, here);
        }
        if !equation.goes_on(x) {
            break;
        }
    }
    None
}

/// The number between two others at which a function changes its sign, if its signs there differ. Looks between
/// the first one and a NaN, if it meets one. Halves the count of floating-point numbers that are left, so 67 values are
/// enough.
pub fn bisect(value: &mut dyn FnMut(f64) -> f64, ends: [f64; 2]) -> Option<f64> {
    let [mut one, mut other] = ends;
    let [mut at_one, mut at_other] = ends.map(&mut *value);
    if !changes_sign(at_one, at_other) {
        return None;
    }
    loop {
        let mut middle = 0.0;
        if !changes_sign(one, other) {
            let [low, high] = [one, other].map(|end| end.abs().to_bits());
            middle = f64::from_bits(low.midpoint(high)).copysign(one + other);
        }
        if middle == one || middle == other {
            // At a pole both values are infinite, and a pole at 0 is at 0.
            let is_other = (at_other.abs(), other.abs()) < (at_one.abs(), one.abs());
            return Some(if is_other { other } else { one });
        }
        let at_middle = value(middle);
        if at_middle == 0.0 && middle == 0.0 {
            return Some(0.0);
        }
        // Where the function is 0 at many numbers, they count as positive, so that an end of them is found.
        if at_middle.is_nan() || (at_one < 0.0) != (at_middle < 0.0) {
            (other, at_other) = (middle, at_middle);
        } else {
            (one, at_one) = (middle, at_middle);
        }
    }
}

/// Whether 0 is between two values. NaN is on neither side of it.
fn changes_sign(one: f64, other: f64) -> bool {
    one < 0.0 && other > 0.0 || one > 0.0 && other < 0.0
}

#[cfg(test)]
mod tests {
    use std::f64::consts::{FRAC_PI_3, FRAC_PI_4, LN_2, PI, SQRT_2};

    use super::*;

    /// An equation of functions. Each of the arrays has the left side, the right side, and the derivative of their
    /// difference.
    struct Functions<F> {
        at: F,
        x: f64,
        tried: usize,
        /// Once it has tried this many numbers, it does not go on.
        most: usize,
        poles: Vec<f64>,
    }

    impl<F: Fn(f64) -> [f64; 3]> Functions<F> {
        fn new(at: F) -> Self {
            Functions {
                at,
                x: f64::NAN,
                tried: 0,
                most: usize::MAX,
                poles: Vec::new(),
            }
        }
    }

    impl<F: Fn(f64) -> [f64; 3]> Equation for Functions<F> {
        fn sides(&mut self, x: f64) -> [f64; 2] {
            self.x = x;
            self.tried += 1;
            let [left, right, _] = (self.at)(x);
            [left, right]
        }

        fn slope(&mut self) -> f64 {
            (self.at)(self.x)[2]
        }

        fn size_of_terms(&mut self, x: f64) -> f64 {
            let [left, right, slope] = (self.at)(x);
            left.abs() + right.abs() + (x * slope).abs()
        }

        fn goes_on(&mut self, _: f64) -> bool {
            self.tried < self.most
        }

        fn note_pole(&mut self, x: f64) {
            self.poles.push(x);
        }
    }

    type Case<Start> = (&'static str, Start, fn(f64) -> [f64; 3], Option<f64>);

    #[test]
    fn the_nearest_root_is_found_in_all_digits() {
        let cases: [Case<f64>; 30] = [
            ("x^2 = 2", 1.0, |x| [x * x, 2.0, 2.0 * x], Some(SQRT_2)),
            ("x^2 = 2", -1.0, |x| [x * x, 2.0, 2.0 * x], Some(-SQRT_2)),
            ("x^2 = 4", 0.0, |x| [x * x, 4.0, 2.0 * x], Some(2.0)),
            (
                "cos x = x",
                1.0,
                |x| [x.cos(), x, -x.sin() - 1.0],
                Some(0.739_085_133_215_160_6),
            ),
            (
                "e^x = 3",
                1.0,
                |x| [x.exp(), 3.0, x.exp()],
                Some(1.098_612_288_668_109_8),
            ),
            (
                "e^x = 1e305",
                1.0,
                |x| [x.exp(), 1e305, x.exp()],
                Some(702.288_453_363_183_9),
            ),
            ("e^x = 0", 0.0, |x| [x.exp(), 0.0, x.exp()], None),
            (
                "sqrt x = 1",
                100.0,
                |x| [x.sqrt(), 1.0, 0.5 / x.sqrt()],
                Some(1.0),
            ),
            (
                "asin x = 2",
                0.1,
                |x| [x.asin(), 2.0, 1.0 / (1.0 - x * x).sqrt()],
                None,
            ),
            (
                "cos x = 1/2",
                0.0,
                |x| [x.cos(), 0.5, -x.sin()],
                Some(FRAC_PI_3),
            ),
            ("x^3 = 0", 1.0, |x| [x.powi(3), 0.0, 3.0 * x * x], Some(0.0)),
            ("x^2 = 0", 1.0, |x| [x * x, 0.0, 2.0 * x], Some(0.0)),
            (
                "(x - 2)^3 = 0",
                1.0,
                |x| [(x - 2.0).powi(3), 0.0, 3.0 * (x - 2.0).powi(2)],
                Some(2.0),
            ),
            (
                "(x - 1)^2 = 0",
                3.0,
                |x| [(x - 1.0).powi(2), 0.0, 2.0 * (x - 1.0)],
                Some(1.0),
            ),
            ("1/x = 0", 1.0, |x| [1.0 / x, 0.0, -1.0 / x / x], None),
            (
                "1/x = -5",
                1.0,
                |x| [1.0 / x, -5.0, -1.0 / x / x],
                Some(-0.2),
            ),
            (
                "tan x = 1",
                1.0,
                |x| [x.tan(), 1.0, 1.0 + x.tan().powi(2)],
                Some(FRAC_PI_4),
            ),
            ("sin x = 0", 3.0, |x| [x.sin(), 0.0, x.cos()], Some(PI)),
            ("sin x = 0", 1.0, |x| [x.sin(), 0.0, x.cos()], Some(0.0)),
            (
                "ln x = 0.3",
                1.0,
                |x| [x.ln(), 0.3, 1.0 / x],
                Some(1.349_858_807_576_003_2),
            ),
            (
                "ln x = 0.3",
                5.0,
                |x| [x.ln(), 0.3, 1.0 / x],
                Some(1.349_858_807_576_003_2),
            ),
            (
                "x*e^x = 1",
                1.0,
                |x| [x * x.exp(), 1.0, (x + 1.0) * x.exp()],
                Some(0.567_143_290_409_783_8),
            ),
            ("x^2 = -1", 1.0, |x| [x * x, -1.0, 2.0 * x], None),
            (
                "x - 0.9*sin x = 1",
                1.0,
                |x| [x - 0.9 * x.sin(), 1.0, 1.0 - 0.9 * x.cos()],
                Some(1.862_086_686_874_532_2),
            ),
            ("1e-8*x = 1", 1.0, |x| [1e-8 * x, 1.0, 1e-8], Some(1e8)),
            (
                "x^5 = 1e40",
                1.0,
                |x| [x.powi(5), 1e40, 5.0 * x.powi(4)],
                Some(1e8),
            ),
            (
                "2^x = 1 + 1e-13",
                0.0,
                |x| [x.exp2(), 1.0 + 1e-13, LN_2],
                Some(0.0),
            ),
            (
                "1/cos x = 1/2",
                1.0,
                |x| [1.0 / x.cos(), 0.5, x.tan() / x.cos()],
                None,
            ),
            (
                "3 x - 1e31 = 0",
                1.0,
                |x| [3.0 * x - 1e31, 0.0, 3.0],
                Some(1e31 / 3.0),
            ),
            ("floor x = 1/2", 0.25, |x| [x.floor(), 0.5, 0.0], None),
        ];
        for (text, start, at, want) in cases {
            let mut equation = Functions::new(at);
            let found = nearest_root(&mut equation, start);
            assert_eq!(found.is_solution, want.is_some(), "{text} from {start}");
            let exact = want.unwrap_or(found.x);
            let error = (found.x - exact).abs();
            assert!(
                error <= 4e-16 * exact.abs(),
                "{text} from {start}: {}",
                found.x
            );
            assert!(found.x != 0.0 || found.x.is_sign_positive(), "{text}: -0");
            let most = match want {
                None => 20_000,
                Some(_) if !equation.poles.is_empty() => 700,
                Some(_) => 500,
            };
            assert!(equation.tried <= most, "{text}: {}", equation.tried);
        }
    }

    #[test]
    fn the_first_root_of_a_range_is_an_end_or_a_change_of_sign() {
        let cases: [Case<[f64; 2]>; 9] = [
            (
                "sin x = 0",
                [1.0, 10.0],
                |x| [x.sin(), 0.0, x.cos()],
                Some(PI),
            ),
            (
                "sin x = 0",
                [10.0, 1.0],
                |x| [x.sin(), 0.0, x.cos()],
                Some(3.0 * PI),
            ),
            (
                "sin x = 0",
                [0.0, 10.0],
                |x| [x.sin(), 0.0, x.cos()],
                Some(0.0),
            ),
            ("x^2 = 9", [0.0, 3.0], |x| [x * x, 9.0, 2.0 * x], Some(3.0)),
            // One of the ends of the intervals.
            ("x = 5", [0.0, 10.0], |x| [x, 5.0, 1.0], Some(5.0)),
            (
                "tan x = 0",
                [1.0, 3.0],
                |x| [x.tan(), 0.0, 1.0 + x.tan().powi(2)],
                None,
            ),
            (
                "tan x = 0",
                [1.0, 4.0],
                |x| [x.tan(), 0.0, 1.0 + x.tan().powi(2)],
                Some(PI),
            ),
            (
                "x*ln x = 0",
                [-2.0, 3.0],
                |x| [x * x.ln(), 0.0, x.ln() + 1.0],
                Some(1.0),
            ),
            ("x^2 = -1", [-2.0, 3.0], |x| [x * x, -1.0, 2.0 * x], None),
        ];
        for (text, range, at, want) in cases {
            let found = first_root(&mut Functions::new(at), range);
            let error = found
                .zip(want)
                .map_or(0.0, |(found, want)| (found - want).abs());
            assert_eq!(found.is_some(), want.is_some(), "{text} in {range:?}");
            assert!(
                error <= 4e-16 * want.unwrap_or(0.0),
                "{text} in {range:?}: {found:?}"
            );
        }
    }

    #[test]
    fn bisection_takes_few_values() {
        let largest = f64::MAX;
        for (root, ends) in [
            (1.0 / 3.0, [0.0, 1.0]),
            (1e-300, [-1.0, 1.0]),
            (-1e-300, [1.0, -1.0]),
            (0.0, [-1.0, 0.5]),
            (1e200, [f64::NEG_INFINITY, f64::INFINITY]),
            (largest, [0.0, f64::INFINITY]),
        ] {
            let mut values = 0;
            let mut value = |x: f64| {
                values += 1;
                (x - root).signum() * f64::from(u8::from(x != root))
            };
            assert_eq!(bisect(&mut value, ends), Some(root), "{ends:?}");
            assert!(values <= 67, "{ends:?}: {values}");
        }
        assert_eq!(bisect(&mut |x| x - 3.0, [0.0, 1.0]), None);
        assert_eq!(bisect(&mut |x| x / x * (x + 0.5), [-1.0, 1.0]), Some(-0.5));
        assert_eq!(bisect(&mut |_| f64::NAN, [-1.0, 1.0]), None);
    }

    /// The sum of two numbers, and its error of rounding.
    fn exact_sum(one: f64, other: f64) -> [f64; 2] {
        let sum = one + other;
        let part = sum - one;
        [sum, (one - (sum - part)) + (other - part)]
    }

    /// y^3 + y - p is computed with twice the digits, so it tells how far y is from the root.
    #[test]
    fn roots_follow_their_parameters_smoothly() {
        for place in 1..=1000_u32 {
            let p = f64::from(place).powi(2) / 777.0;
            let mut equation = Functions::new(|y: f64| [y * y * y + y, p, 3.0 * y * y + 1.0]);
            let y = nearest_root(&mut equation, 1.0).x;
            let square = y * y;
            let cube = square * y;
            let cube_error = square.mul_add(y, -cube) + y.mul_add(y, -square) * y;
            let [sum, sum_error] = exact_sum(cube, y);
            let distance = ((sum - p) + sum_error + cube_error) / (3.0 * y * y + 1.0);
            assert!(distance.abs() <= 4e-16 * y, "p = {p}: {y}, {distance:e}");
        }
    }

    #[test]
    fn a_search_ends_when_it_is_stopped() {
        let mut equation = Functions::new(|x: f64| [x.exp(), -1.0, x.exp()]);
        equation.most = 10;
        assert!(!nearest_root(&mut equation, 1.0).is_solution);
        assert!(equation.tried < 40, "{}", equation.tried);
    }
}
