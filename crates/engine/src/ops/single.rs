//! Computes a single node of one or two operands, for which a loop of `loops` would cost more than it saves.
//! `graph/runs/execute` calls it.
//!
//! Unlike the loops, these functions add the contributions themselves, left operand first.

use super::chain::chain;
use super::loops::at;
use super::{Rule, TABLE, row_number};

/// A node that is not part of a run.
#[derive(Clone, Copy, Debug)]
pub struct Single {
    /// The slot of the node.
    pub slot: u32,
    /// The slots of its operands. If there is only one, it is listed twice.
    pub operands: [u32; 2],
    /// The row of its operation, which takes exactly one operand or exactly two.
    pub row: u8,
}

const PLUS: u8 = row_number("addition") as u8;
const MINUS: u8 = row_number("subtraction") as u8;
const TIMES: u8 = row_number("multiplication") as u8;

impl Single {
    /// Computes the value. `+`, `-` and `*` are computed in place, because processors often mispredict a call through a
    /// pointer. With calls, a chain takes twice as long, and a random graph of a thousand nodes 1.5 times as long.
    #[inline]
    pub fn forward(&self, data: &mut [f64]) {
        let [x, y] = self.operands.map(|slot| at(data, slot));
        data[self.slot as usize] = match self.row {
            PLUS => x + y,
            MINUS => x - y,
            TIMES => x * y,
            row => match &TABLE[usize::from(row)].rule {
                Rule::Unary { value, .. } => value(x),
                Rule::Binary { value, .. } => value(x, y),
                Rule::Ternary { .. } | Rule::Many { .. } => f64::NAN,
            },
        };
    }

    /// Adds the contributions. Constants have no grads: their slots are beyond the end of `grads`.
    #[inline]
    pub fn backward(&self, data: &[f64], grads: &mut [f64]) {
        let out = data[self.slot as usize];
        let [x, y] = self.operands.map(|slot| at(data, slot));
        match self.row {
            PLUS => self.add(data, grads, || 1.0, Some(|| 1.0)),
            MINUS => self.add(data, grads, || 1.0, Some(|| -1.0)),
            TIMES => self.add(data, grads, || y, Some(|| x)),
            row => match &TABLE[usize::from(row)].rule {
                Rule::Unary { dx, .. } => {
                    self.add(data, grads, || (dx.number)(x, out), None::<fn() -> f64>);
                }
                Rule::Binary { dx, dy, .. } => {
                    let dy = || (dy.number)(x, y, out);
                    self.add(data, grads, || (dx.number)(x, y, out), Some(dy));
                }
                Rule::Ternary { .. } | Rule::Many { .. } => {}
            },
        }
    }

    /// Adds the contributions with these local derivatives. The derivative by a constant is not computed.
    #[inline]
    fn add(
        &self,
        data: &[f64],
        grads: &mut [f64],
        dx: impl FnOnce() -> f64,
        dy: Option<impl FnOnce() -> f64>,
    ) {
        let (up, out) = (grads[self.slot as usize], data[self.slot as usize]);
        let [left, right] = self.operands.map(|slot| slot as usize);
        let operand_is_nan = || self.operands.iter().any(|it| at(data, *it).is_nan());
        if let Some(grad) = grads.get_mut(left) {
            *grad += chain_fast(up, dx(), out, operand_is_nan);
        }
        if let Some(dy) = dy
            && let Some(grad) = grads.get_mut(right)
        {
            *grad += chain_fast(up, dy(), out, operand_is_nan);
        }
    }
}

/// [`chain`], except for the sign of a zero, which does not matter in a sum. Fast if no number is NaN.
#[inline]
fn chain_fast(up: f64, local: f64, out: f64, operand_is_nan: impl FnOnce() -> bool) -> f64 {
    let product = up * local;
    if product.is_nan() || out.is_nan() {
        chain_slow(up, local, out, operand_is_nan())
    } else {
        product
    }
}

#[cold]
#[inline(never)]
fn chain_slow(up: f64, local: f64, out: f64, has_nan_operand: bool) -> f64 {
    chain(up, local, out, || has_nan_operand)
}
