//! Computes a single node of one or two operands, forward and backward. A loop of `loops` over one node would cost more
//! than it saves.
//!
//! Unlike the loops, these functions add the contributions to the grads themselves, left operand first.

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
                // Does not occur, because `row` has one or two operands. A panic here would cost speed.
                Rule::Ternary { .. } | Rule::Many { .. } | Rule::Carried => f64::NAN,
            },
        };
    }

    /// Adds the contributions. Constants have no grads: their slots are beyond the end of `grads`.
    #[inline]
    pub fn backward(&self, data: &[f64], grads: &mut [f64]) {
        let out = data[self.slot as usize];
        let [x, y] = self.operands.map(|slot| at(data, slot));
        match self.row {
            PLUS => self.contribute_to_both(data, grads, || 1.0, || 1.0),
            MINUS => self.contribute_to_both(data, grads, || 1.0, || -1.0),
            TIMES => self.contribute_to_both(data, grads, || y, || x),
            row => match &TABLE[usize::from(row)].rule {
                Rule::Unary { dx, .. } => self.contribute(0, data, grads, || (dx.number)(x, out)),
                Rule::Binary { dx, dy, .. } => {
                    let dy = || (dy.number)(x, y, out);
                    self.contribute_to_both(data, grads, || (dx.number)(x, y, out), dy);
                }
                // Does not occur either.
                Rule::Ternary { .. } | Rule::Many { .. } | Rule::Carried => {}
            },
        }
    }

    #[inline]
    fn contribute_to_both(
        &self,
        data: &[f64],
        grads: &mut [f64],
        dx: impl FnOnce() -> f64,
        dy: impl FnOnce() -> f64,
    ) {
        self.contribute(0, data, grads, dx);
        self.contribute(1, data, grads, dy);
    }

    /// Adds the contribution to the operand at `position`. The local derivative with respect to a constant is not computed.
    #[inline]
    fn contribute(
        &self,
        position: usize,
        data: &[f64],
        grads: &mut [f64],
        local: impl FnOnce() -> f64,
    ) {
        let (upstream, own_data) = (grads[self.slot as usize], data[self.slot as usize]);
        let operand_is_nan = || self.operands.iter().any(|it| at(data, *it).is_nan());
        if let Some(grad) = grads.get_mut(self.operands[position] as usize) {
            *grad += chain_fast(upstream, local(), own_data, operand_is_nan);
        }
    }
}

/// Returns the same as [`chain`], except for the sign of a zero, which does not matter in a sum.
///
/// It is fast if no number is NaN. `chain` differs from the product only if a zero meets an infinity or a NaN, which makes
/// the product NaN, or if `data` is NaN.
#[inline]
fn chain_fast(upstream: f64, local: f64, data: f64, operand_is_nan: impl FnOnce() -> bool) -> f64 {
    let product = upstream * local;
    if product.is_nan() || data.is_nan() {
        chain_slow(upstream, local, data, operand_is_nan())
    } else {
        product
    }
}

#[cold]
#[inline(never)]
fn chain_slow(upstream: f64, local: f64, data: f64, has_nan_operand: bool) -> f64 {
    chain(upstream, local, data, || has_nan_operand)
}
