//! The numbers of a leaf at which a node is 0: all of them if its factors are polynomials, and otherwise those in a range at
//! which it changes its sign, or touches 0.

use std::rc::Rc;

use crate::command::prelude::*;
use chainrule_engine::graph::Jacobian;
use chainrule_engine::roots::bisect;
use chainrule_formulas::{RealZero, exact_zeros};
use chainrule_report::list_with_and;

/// The range that is searched if the leaf has none, and how wide it is.
const RANGE: [f64; 2] = [-10.0, 10.0];
const WIDTH: f64 = 20.0;
/// The intervals of the range at whose ends the signs are compared.
const INTERVALS: u32 = 1000;
/// The most nodes for which this is done.
const MOST_NODES: usize = 5000;
/// The value at a zero is at most this part of the values beside it. At a pole or a jump it is more.
const ALMOST_ZERO: f64 = 1e-4;
/// The value at a turning point that touches 0 is at most this part of the values beside it.
const TOUCHES: f64 = 1e-10;
/// A zero that differs from a number by at most this part of it is that number.
const SAME: f64 = 1e-6;
/// The most zeros that a line names.
const MOST_NAMED: usize = 12;

/// The numbers at which a node is 0.
pub(crate) struct Zeros {
    all: Vec<RealZero>,
    /// The range that was searched. `None` if these are all.
    range: Option<[f64; 2]>,
    /// Whether there is none at all, also outside of the bounds.
    pub(crate) are_none: bool,
}

impl Zeros {
    /// The zeros of a node by a leaf, within bounds. `None` if the node is too large.
    pub(crate) fn of(
        session: &Session,
        root: &Rc<Node>,
        leaf: &Rc<Node>,
        (least, most): (f64, f64),
    ) -> Option<Zeros> {
        if Order::below([root]).nodes().len() > MOST_NODES {
            return None;
        }
        let mut jacobian = Jacobian::of(std::slice::from_ref(root), std::slice::from_ref(leaf));
        let mut at = |x: f64| [jacobian.values(&[x])[0], jacobian.rows()[0]];
        if let Some(all) = exact_zeros(session, root, leaf) {
            let mut zeros = Zeros {
                are_none: all.is_empty(),
                all,
                range: None,
            };
            // The formula of a quotient such as `x^2/x` has a value where the quotient has none.
            zeros.keep(|x| least <= x && x <= most && at(x)[0].is_finite());
            return Some(zeros);
        }
        let own = session.names().ranges.of(leaf);
        let [low, high] = own.map_or(RANGE, |range| [range.low, range.high]);
        let range = [
            least.max(low.min(most - WIDTH)),
            most.min(high.max(least + WIDTH)),
        ];
        Some(Zeros {
            all: zeros_in_range(&mut at, range),
            range: Some(range),
            are_none: false,
        })
    }

    /// Leaves out the zero that is nearest to a number. Of zeros in a range, only if it is that number but for rounding.
    pub(crate) fn leave_out(&mut self, number: f64) {
        let distance = |it: &f64| (it - number).abs();
        let all = self.all.iter().flat_map(|it| it.values.iter().copied());
        let nearest = all.min_by(|one, other| distance(one).total_cmp(&distance(other)));
        let is_same = |it: &f64| distance(it) <= SAME * number.abs().max(1.0);
        let left_out = nearest.filter(|it| self.range.is_none() || is_same(it));
        self.keep(|it| Some(it) != left_out);
    }

    /// Keeps only some numbers. The formula of two stays with one of them.
    fn keep(&mut self, mut keeps: impl FnMut(f64) -> bool) {
        self.all.retain_mut(|zero| {
            let is_everywhere = zero.values.is_empty();
            zero.values.retain(|it| keeps(*it));
            is_everywhere || !zero.values.is_empty()
        });
    }

    /// `also: x = 3`, or without the word, `x = 2 and x = 3`.
    pub(crate) fn line(&self, letter: &str, are_others: bool) -> Line {
        let word = match (are_others, self.all.is_empty()) {
            (true, false) => "also",
            (true, true) => "no others",
            (false, false) => "zeros",
            (false, true) => "no real zeros",
        };
        let head = match self.range {
            Some([from, to]) => say!("{} found in {:short}..{:short}", word, from, to),
            None => say!("{}", word),
        };
        let equations = self.all.iter().map(|zero| match &zero.text {
            Some(text) => say!("{:name} = {:math}", letter, &**text),
            None => say!("{:name} = {}", letter, zero.values[0]),
        });
        let listed = list_with_and(equations, MOST_NAMED);
        if self.all.is_empty() {
            head
        } else if self.range.is_none() && !are_others {
            listed
        } else {
            say!("{}: {}", head, listed)
        }
    }

    /// The numbers, for programs.
    pub(crate) fn numbers(&self) -> Fact {
        let all = self.all.iter().flat_map(|it| &it.values);
        all.copied().collect()
    }
}

/// The numbers in a range at which a function is 0, goes through 0, or touches it at a turning point. `at` returns the value
/// and the slope.
fn zeros_in_range(at: &mut impl FnMut(f64) -> [f64; 2], [from, to]: [f64; 2]) -> Vec<RealZero> {
    let mut found: Vec<f64> = Vec::new();
    let (mut before, mut there, mut slope_there) = (f64::NAN, f64::NAN, f64::NAN);
    for place in 0..=INTERVALS {
        stop::ask_now();
        let x = from + (to - from) * f64::from(place) / f64::from(INTERVALS);
        let [here, slope] = at(x);
        let size = there.abs().max(here.abs());
        let is_between = there != 0.0 && here != 0.0 && size.is_finite();
        let is_toward_zero = there * slope_there < 0.0 && here * slope > 0.0;
        if here == 0.0 && there == 0.0 {
            // It is 0 in between, too, and has no single zero here.
            found.pop_if(|it| *it == before);
        } else if here == 0.0 {
            found.push(x);
        } else if is_between && let Some(zero) = bisect(&mut |it| at(it)[0], [before, x]) {
            found.extend((at(zero)[0].abs() <= ALMOST_ZERO * size).then_some(zero));
        } else if is_between
            && is_toward_zero
            && let Some(turning) = bisect(&mut |it| at(it)[1], [before, x])
        {
            found.extend((at(turning)[0].abs() <= TOUCHES * size).then_some(turning));
        }
        (before, there, slope_there) = (x, here, slope);
    }
    // Adding 0 makes a -0 a 0.
    found
        .into_iter()
        .map(|it| RealZero::number(it + 0.0))
        .collect()
}
