//! An operation on one node, for nodes that are not part of a run.
//!
//! The node's numbers stand in slots. Unlike the loops over many nodes (`loops`), these functions add the contributions
//! themselves, left operand first.

use super::chain::chain;
use super::{Shape, TABLE};

/// One node that is not part of a run.
#[derive(Clone, Copy, Debug)]
pub struct Single {
    /// Its slot.
    pub slot: u32,
    /// The slots of its operands; a single operand stands twice.
    pub operands: [u32; 2],
    /// The row of its operation, which takes exactly one operand or exactly two.
    pub row: u8,
}

const PLUS: u8 = row_of(b'+');
const MINUS: u8 = row_of(b'-');
const TIMES: u8 = row_of(b'*');

/// The row of an operator between two operands.
const fn row_of(sign: u8) -> u8 {
    let mut row = 0;
    while !matches!(TABLE[row].shape, Shape::Infix)
        || !matches!(TABLE[row].spelling.as_bytes(), [it] if *it == sign)
    {
        row += 1;
    }
    row as u8
}

impl Single {
    /// Computes the value. The rows of `+`, `-` and `*` are constants here, so the compiler calls none of their functions
    /// through a pointer, which processors often predict wrongly: a chain takes half of the time, a random graph of a
    /// thousand nodes two thirds.
    #[inline]
    pub fn forward(&self, data: &mut [f64]) {
        match self.row {
            PLUS => self.forward_as(PLUS, data),
            MINUS => self.forward_as(MINUS, data),
            TIMES => self.forward_as(TIMES, data),
            row => self.forward_as(row, data),
        }
    }

    /// Adds the contributions. A slot beyond the grads is that of a constant, which has no grad.
    #[inline]
    pub fn backward(&self, data: &[f64], grads: &mut [f64]) {
        match self.row {
            PLUS => self.backward_as(PLUS, data, grads),
            MINUS => self.backward_as(MINUS, data, grads),
            TIMES => self.backward_as(TIMES, data, grads),
            row => self.backward_as(row, data, grads),
        }
    }

    #[inline]
    fn forward_as(&self, row: u8, data: &mut [f64]) {
        let op = &TABLE[usize::from(row)];
        if let Some(loops) = op.loops() {
            (loops.one_forward)(op, self, data);
        }
    }

    #[inline]
    fn backward_as(&self, row: u8, data: &[f64], grads: &mut [f64]) {
        let op = &TABLE[usize::from(row)];
        if let Some(loops) = op.loops() {
            (loops.one_backward)(op, self, data, grads);
        }
    }
}

/// What stands in a slot. Unlike an indexing, which may panic, the compiler can drop it where the number is not used.
#[inline]
pub(super) fn at(data: &[f64], slot: u32) -> f64 {
    data.get(slot as usize).copied().unwrap_or(f64::NAN)
}

/// See [`Loops::one_forward`](super::Loops::one_forward).
#[inline]
pub(super) fn unary_forward(single: &Single, data: &mut [f64], value: impl Fn(f64) -> f64) {
    data[single.slot as usize] = value(at(data, single.operands[0]));
}

/// See [`Loops::one_backward`](super::Loops::one_backward).
#[inline]
pub(super) fn unary_backward(
    single: &Single,
    data: &[f64],
    grads: &mut [f64],
    dx: impl Fn(f64, f64) -> f64,
) {
    let slot = single.slot as usize;
    let (up, out) = (grads[slot], data[slot]);
    if let Some(grad) = grads.get_mut(single.operands[0] as usize) {
        let x = at(data, single.operands[0]);
        *grad += passed(up, dx(x, out), out, || x.is_nan());
    }
}

/// See [`Loops::one_forward`](super::Loops::one_forward).
#[inline]
pub(super) fn binary_forward(single: &Single, data: &mut [f64], value: impl Fn(f64, f64) -> f64) {
    let [x, y] = single.operands.map(|slot| at(data, slot));
    data[single.slot as usize] = value(x, y);
}

/// See [`Loops::one_backward`](super::Loops::one_backward).
#[inline]
pub(super) fn binary_backward(
    single: &Single,
    data: &[f64],
    grads: &mut [f64],
    dx: impl Fn(f64, f64, f64) -> f64,
    dy: impl Fn(f64, f64, f64) -> f64,
) {
    let slot = single.slot as usize;
    let (up, out) = (grads[slot], data[slot]);
    let [x, y] = single.operands.map(|slot| at(data, slot));
    let broken = || x.is_nan() || y.is_nan();
    if let Some(grad) = grads.get_mut(single.operands[0] as usize) {
        *grad += passed(up, dx(x, y, out), out, broken);
    }
    if let Some(grad) = grads.get_mut(single.operands[1] as usize) {
        *grad += passed(up, dy(x, y, out), out, broken);
    }
}

/// The chain rule, with a short way where nothing is NaN. (A zero may have either sign here, since it is added.)
#[inline]
fn passed(up: f64, local: f64, out: f64, broken: impl FnOnce() -> bool) -> f64 {
    let product = up * local;
    if product.is_nan() || out.is_nan() {
        rarely(up, local, out, broken())
    } else {
        product
    }
}

#[cold]
#[inline(never)]
fn rarely(up: f64, local: f64, out: f64, broken: bool) -> f64 {
    chain(up, local, out, || broken)
}
