//! Counts the evaluation orders of a small graph exactly, and paths in numbers beyond every integer type.
//!
//! Orders (linear extensions) are counted by dynamic programming over the set of nodes evaluated so far: any node whose
//! operands are all in the set may come next. The sets are counted, not the orders: 48 orders of seven nodes need 20
//! sets. Paths double with every diamond in a graph, so their number is a float with a large exponent once it no longer
//! fits.

use std::collections::HashMap;

use crate::graph::order::Order;

/// The largest graph whose orders are counted: a set of nodes is one 64-bit word.
const MOST_NODES: usize = 64;
/// The most sets that are looked at.
const MOST_SETS: usize = 100_000;

/// The number of orders in which operands come before their users; `None` if counting would be too much work.
pub(crate) fn orders(order: &Order) -> Option<u128> {
    let nodes = order.nodes();
    if nodes.len() > MOST_NODES {
        return None;
    }
    let needs: Vec<u64> = nodes
        .iter()
        .map(|node| {
            let operands = node
                .operands()
                .iter()
                .filter_map(|operand| order.position(operand));
            operands.fold(0, |set, place| set | 1 << place)
        })
        .collect();
    // Each round adds one node, so all sets of a round have the same size.
    let mut ways: HashMap<u64, u128> = HashMap::from([(0, 1)]);
    let mut looked = 0;
    for _ in 0..nodes.len() {
        let mut further: HashMap<u64, u128> = HashMap::new();
        for (set, count) in &ways {
            for (place, need) in needs.iter().enumerate() {
                let one = 1 << place;
                if set & one == 0 && need & set == *need {
                    let sum = further.entry(set | one).or_insert(0);
                    *sum = sum.checked_add(*count)?;
                }
            }
        }
        looked += further.len();
        if looked > MOST_SETS {
            return None;
        }
        ways = further;
    }
    ways.into_values().next()
}

/// A number that may grow without bound.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Count {
    /// The exact number, as long as it fits.
    Exact(u128),
    /// `mantissa` times 2 to the `exponent`: good to about fifteen digits, however large.
    About {
        /// At least 1 and less than 2.
        mantissa: f64,
        /// A power of 2.
        exponent: i64,
    },
}

impl Count {
    /// The number 0.
    pub const ZERO: Count = Count::Exact(0);
    /// The number 1.
    pub const ONE: Count = Count::Exact(1);

    /// The sum of two numbers.
    #[must_use]
    pub fn plus(self, other: Count) -> Count {
        if let (Count::Exact(one), Count::Exact(two)) = (self, other)
            && let Some(sum) = one.checked_add(two)
        {
            return Count::Exact(sum);
        }
        let ((large, exponent), (small, lower)) = {
            let (one, two) = (self.parts(), other.parts());
            if one.1 >= two.1 {
                (one, two)
            } else {
                (two, one)
            }
        };
        let shift = i32::try_from(lower - exponent).unwrap_or(i32::MIN);
        let sum = large + small * f64::from(shift.max(-1_000)).exp2();
        let carry = sum >= 2.0;
        Count::About {
            mantissa: if carry { sum / 2.0 } else { sum },
            exponent: exponent + i64::from(carry),
        }
    }

    /// Mantissa and exponent of 2. The exponent of zero is smaller than every other.
    fn parts(self) -> (f64, i64) {
        match self {
            Count::Exact(0) => (0.0, i64::MIN / 4),
            Count::Exact(exact) => {
                let exponent = exact.ilog2();
                let mantissa = exact as f64 / f64::from(exponent).exp2();
                (mantissa, i64::from(exponent))
            }
            Count::About { mantissa, exponent } => (mantissa, exponent),
        }
    }

    /// As a double: infinite from 2^1024 on.
    pub fn to_double(self) -> f64 {
        match self {
            Count::Exact(exact) => exact as f64,
            Count::About { mantissa, exponent } => {
                // Multiplies by the power in two halves, because the power alone overflows one step before the number
                // does.
                let half = i32::try_from(exponent / 2).unwrap_or(i32::MAX);
                let other = i32::try_from(exponent - exponent / 2).unwrap_or(i32::MAX);
                mantissa * f64::from(half).exp2() * f64::from(other).exp2()
            }
        }
    }

    /// As a number from 1 to 10 and a power of 10, for what no double holds.
    pub fn to_decimal(self) -> (f64, i64) {
        let (mantissa, exponent) = self.parts();
        let log = mantissa.log10() + exponent as f64 * std::f64::consts::LOG10_2;
        let power = log.floor();
        (10_f64.powf(log - power), power as i64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::Graph;
    use crate::ops::{Shape, operator};

    fn doubled(times: usize) -> Count {
        (0..times).fold(Count::ONE, |count, _| count.plus(count))
    }

    /// As many independent sums of two leaves each as `count` says.
    fn pairs(count: usize) -> Order {
        let plus = operator("+", Shape::Infix).expect("there is a sum");
        let mut graph = Graph::default();
        let mut sums = Vec::new();
        for _ in 0..count {
            let leaves = [graph.leaf(1.0, false), graph.leaf(2.0, false)];
            sums.push(graph.apply(plus, &leaves));
        }
        Order::below(&sums)
    }

    #[test]
    fn orders_are_counted_while_they_are_few() {
        // One pair has 2 orders, two pairs 6!/(3*3) = 80, three pairs 9!/3^3 = 13440.
        for (count, expected) in [(1, 2), (2, 80), (3, 13_440)] {
            assert_eq!(orders(&pairs(count)), Some(expected), "{count}");
        }
        // A pair has five reachable sets of nodes, so n pairs have 5^n.
        assert_eq!(orders(&pairs(7)), Some(23_361_198_981_120_000));
        assert_eq!(orders(&pairs(8)), None);
        let chain = |nodes: usize| {
            let minus = operator("-", Shape::Prefix).expect("there is a minus");
            let mut graph = Graph::default();
            let mut last = graph.leaf(1.0, false);
            for _ in 1..nodes {
                last = graph.apply_1(minus, last);
            }
            orders(&Order::below([&last]))
        };
        assert_eq!((chain(64), chain(65)), (Some(1), None));
    }

    #[test]
    fn counts_beyond_every_type() {
        assert_eq!(doubled(127), Count::Exact(1 << 127));
        assert_eq!(doubled(128).to_double(), 128_f64.exp2());
        assert_eq!(doubled(1_000).to_double(), 1.071_508_607_186_267_3e301);
        assert_eq!(doubled(1_023).to_double(), 1023_f64.exp2());
        assert_eq!(doubled(1_024).to_double(), f64::INFINITY);
        let (digits, power) = doubled(100_000).to_decimal();
        // 2^100000 is 9.990020930…e30102.
        assert!(
            (digits - 9.990_020_93).abs() < 1e-6 && power == 30_102,
            "{digits}e{power}"
        );
        let three = doubled(1_000).plus(doubled(999));
        assert_eq!(three.to_double(), 1.5 * doubled(1_000).to_double());
        assert_eq!(doubled(200).plus(Count::ZERO), doubled(200));
        assert_eq!(Count::ZERO.plus(Count::ONE), Count::ONE);
    }
}
