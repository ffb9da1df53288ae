//! An operation on one node, for nodes that are not part of a run.
//!
//! The node's numbers stand in slots. Unlike the loops over many nodes (`loops`), these functions add the contributions
//! themselves, left operand first.

use super::chain::chain;

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
