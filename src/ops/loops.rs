//! An operation over many numbers at once: the loops of a pass that is repeated.
//!
//! The numbers stand in slots, users before operands. A row's loops are made from its scalar bodies and say nothing
//! else, so that the compiler can put the body into the loop; rows without loops of their own go through the general
//! ones. Each node's turn comes in the order of the slots, left operand first, whichever loop it is: same bits.

use std::ops::Range;

use super::{Op, Rule};

/// Nodes with one operation, in slots that follow each other.
#[derive(Clone, Copy, Debug)]
pub struct Run<'r> {
    /// The slot of the first one.
    pub first: usize,
    /// How many there are.
    pub count: usize,
    /// The slots of their operands, node by node.
    pub operands: &'r [u32],
    /// How the operands of one node stand to those of the next.
    pub stride: Stride,
}

/// How the operands of one node of a run stand to those of the next. In all but scattered ones they stand behind the
/// run, no slot has contributions from left and right operands but from the same node, and those of one side are all
/// constant or none is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stride {
    /// Anywhere.
    Scattered,
    /// In slots that follow each other, on each side.
    Both,
    /// The left ones follow each other, the right one is always the same.
    Left,
    /// The right ones follow each other, the left one is always the same.
    Right,
}

/// The two loops of an operation. A slot beyond the grads is that of a constant, which asks for none.
#[derive(Clone, Copy, Debug)]
pub struct Loops {
    /// Computes a run's values from those of the operands.
    pub forward: fn(&Op, Run, &mut [f64]),
    /// Adds what a run passes on to the grads of its operands.
    pub backward: fn(&Op, Run, &[f64], &mut [f64]),
}

impl Op {
    /// Computes a run's values.
    pub fn forward(&self, run: Run, data: &mut [f64]) {
        match &self.rule {
            Rule::Unary { loops, .. } | Rule::Binary { loops, .. } => {
                (loops.forward)(self, run, data);
            }
            Rule::Ternary { .. } | Rule::Many { .. } => many_forward(self, run, data),
        }
    }

    /// Adds what a run passes on to its operands.
    pub fn backward(&self, run: Run, data: &[f64], grads: &mut [f64]) {
        match &self.rule {
            Rule::Unary { loops, .. } | Rule::Binary { loops, .. } => {
                (loops.backward)(self, run, data, grads);
            }
            Rule::Ternary { .. } | Rule::Many { .. } => many_backward(self, run, data, grads),
        }
    }
}

/// Upstream times local, with the two rules that IEEE arithmetic does not have.
///
/// An exact zero absorbs infinity and NaN: `0*sqrt(x)` at 0 has gradient 0. A NaN passes on no plausible number: in
/// `y = ln(-1) + c` the local by `c` is 1, but a y that is not a number does not follow c. What is fresh at the node
/// (`1/0*0`) stays as IEEE arithmetic gives it as long as it is not finite; `broken` says an operand was NaN already.
#[inline]
pub fn chain(upstream: f64, local: f64, data: f64, broken: impl FnOnce() -> bool) -> f64 {
    let product = absorbed(upstream, local);
    if data.is_nan() && upstream != 0.0 && local != 0.0 && (product.is_finite() || broken()) {
        f64::NAN
    } else {
        product
    }
}

/// The first of the two rules: all there is to say where no data is NaN.
#[inline]
fn absorbed(upstream: f64, local: f64) -> f64 {
    // A mask, not a branch: whether a relu is open is anybody's guess.
    let counts = u64::from(upstream != 0.0) & u64::from(local != 0.0);
    f64::from_bits((upstream * local).to_bits() & counts.wrapping_neg())
}

/// The loops of any operation of one operand.
pub(super) const UNARY: Loops = Loops {
    forward: |op, run, data| {
        if let Rule::Unary { value, .. } = op.rule {
            unary_forward(run, data, value);
        }
    },
    backward: |op, run, data, grads| {
        if let Rule::Unary { dx, .. } = op.rule {
            unary_backward(run, data, grads, dx.number);
        }
    },
};

/// The loops of any operation of two operands.
pub(super) const BINARY: Loops = Loops {
    forward: |op, run, data| {
        if let Rule::Binary { value, .. } = op.rule {
            binary_forward(run, data, value);
        }
    },
    backward: |op, run, data, grads| {
        if let Rule::Binary { dx, dy, .. } = op.rule {
            binary_backward(run, data, grads, dx.number, dy.number);
        }
    },
};

/// The rule of one operand whose loops hold its bodies.
macro_rules! unary {
    ($value:expr, $slope:ident($dx:expr, $($text:expr),+ $(,)?) $(,)?) => {
        $crate::ops::Rule::Unary {
            value: $value,
            dx: $slope($dx, $($text),+),
            loops: $crate::ops::Loops {
                forward: |_, run, data| $crate::ops::loops::unary_forward(run, data, $value),
                backward: |_, run, data, grads| {
                    $crate::ops::loops::unary_backward(run, data, grads, $dx);
                },
            },
        }
    };
}

/// The rule of two operands whose loops hold its bodies.
macro_rules! binary {
    (
        $value:expr,
        $left:ident($dx:expr, $($x_text:expr),+ $(,)?),
        $right:ident($dy:expr, $($y_text:expr),+ $(,)?) $(,)?
    ) => {
        $crate::ops::Rule::Binary {
            value: $value,
            dx: $left($dx, $($x_text),+),
            dy: $right($dy, $($y_text),+),
            loops: $crate::ops::Loops {
                forward: |_, run, data| $crate::ops::loops::binary_forward(run, data, $value),
                backward: |_, run, data, grads| {
                    $crate::ops::loops::binary_backward(run, data, grads, $dx, $dy);
                },
            },
        }
    };
}

pub(super) use {binary, unary};

/// See [`Loops::forward`].
pub(super) fn unary_forward(run: Run, data: &mut [f64], value: impl Fn(f64) -> f64) {
    let end = run.first + run.count;
    if let &[x] = run.operands {
        data[run.first] = value(data[x as usize]);
        return;
    }
    if run.stride == Stride::Scattered {
        for (slot, &x) in (run.first..end).zip(run.operands).rev() {
            data[slot] = value(data[x as usize]);
        }
        return;
    }
    let (outs, below) = data.split_at_mut(end);
    let xs = &below[run.operands[0] as usize - end..];
    for (out, x) in outs[run.first..].iter_mut().zip(xs) {
        *out = value(*x);
    }
}

/// See [`Loops::backward`].
pub(super) fn unary_backward(
    run: Run,
    data: &[f64],
    grads: &mut [f64],
    dx: impl Fn(f64, f64) -> f64,
) {
    let end = run.first + run.count;
    let mut turn = |slot: usize, x: usize| {
        let (at, out, upstream) = (data[x], data[slot], grads[slot]);
        if let Some(grad) = grads.get_mut(x) {
            *grad += chain(upstream, dx(at, out), out, || at.is_nan());
        }
    };
    let outs = &data[run.first..end];
    if run.stride == Stride::Scattered || any_nan(outs) {
        for (slot, &x) in (run.first..).zip(run.operands) {
            turn(slot, x as usize);
        }
        return;
    }
    let start = run.operands[0] as usize;
    let (users, below) = grads.split_at_mut(end);
    let targets = below[start - end..].iter_mut().zip(&users[run.first..]);
    for ((grad, upstream), (x, out)) in targets.zip(data[start..].iter().zip(outs)) {
        *grad += absorbed(*upstream, dx(*x, *out));
    }
}

/// See [`Loops::forward`].
pub(super) fn binary_forward(run: Run, data: &mut [f64], value: impl Fn(f64, f64) -> f64) {
    let end = run.first + run.count;
    if let &[x, y] = run.operands {
        data[run.first] = value(data[x as usize], data[y as usize]);
        return;
    }
    let pairs = run.operands.as_chunks::<2>().0;
    if run.stride == Stride::Scattered {
        for (slot, &[x, y]) in (run.first..end).zip(pairs).rev() {
            data[slot] = value(data[x as usize], data[y as usize]);
        }
        return;
    }
    let (outs, below) = data.split_at_mut(end);
    let outs = outs[run.first..].iter_mut();
    let [x, y] = pairs[0].map(|slot| slot as usize - end);
    let (xs, ys) = (&below[x..], &below[y..]);
    match run.stride {
        Stride::Left => outs.zip(xs).for_each(|(out, x)| *out = value(*x, ys[0])),
        Stride::Right => outs.zip(ys).for_each(|(out, y)| *out = value(xs[0], *y)),
        _ => (outs.zip(xs.iter().zip(ys))).for_each(|(out, (x, y))| *out = value(*x, *y)),
    }
}

/// See [`Loops::backward`].
pub(super) fn binary_backward(
    run: Run,
    data: &[f64],
    grads: &mut [f64],
    dx: impl Fn(f64, f64, f64) -> f64,
    dy: impl Fn(f64, f64, f64) -> f64,
) {
    let end = run.first + run.count;
    let mut turn = |slot: usize, x: usize, y: usize| {
        let (left, right, out, upstream) = (data[x], data[y], data[slot], grads[slot]);
        let broken = || left.is_nan() || right.is_nan();
        if let Some(grad) = grads.get_mut(x) {
            *grad += chain(upstream, dx(left, right, out), out, broken);
        }
        if let Some(grad) = grads.get_mut(y) {
            *grad += chain(upstream, dy(left, right, out), out, broken);
        }
    };
    let outs = &data[run.first..end];
    let pairs = run.operands.as_chunks::<2>().0;
    if run.stride == Stride::Scattered || any_nan(outs) {
        for (slot, &[x, y]) in (run.first..).zip(pairs) {
            turn(slot, x as usize, y as usize);
        }
        return;
    }
    let (users, below) = grads.split_at_mut(end);
    let users = users[run.first..].iter().zip(outs);
    let [x, y] = pairs[0].map(|slot| slot as usize);
    let (xs, ys) = (&data[x..], &data[y..]);
    let (row, x, y) = (run.count, x - end, y - end);
    match run.stride {
        Stride::Left => {
            let (users, at) = (users.zip(xs), ys[0]);
            let both = (|x, out| dx(x, at, out), |x, out| dy(x, at, out));
            row_and_one(users, below, (x..x + row, y), both);
        }
        Stride::Right => {
            let (users, at) = (users.zip(ys), xs[0]);
            let both = (|y, out| dy(at, y, out), |y, out| dx(at, y, out));
            row_and_one(users, below, (y..y + row, x), both);
        }
        _ => {
            let users = users.zip(xs.iter().zip(ys));
            if let Some(grads) = below.get_mut(x..x + row) {
                for (grad, ((up, out), (x, y))) in grads.iter_mut().zip(users.clone()) {
                    *grad += absorbed(*up, dx(*x, *y, *out));
                }
            }
            if let Some(grads) = below.get_mut(y..y + row) {
                for (grad, ((up, out), (x, y))) in grads.iter_mut().zip(users) {
                    *grad += absorbed(*up, dy(*x, *y, *out));
                }
            }
        }
    }
}

/// What users (upstream, data, and the operand that changes with them) pass on to a row of operands and to the one they
/// share.
fn row_and_one<'u>(
    users: impl Iterator<Item = ((&'u f64, &'u f64), &'u f64)>,
    grads: &mut [f64],
    (row, one): (Range<usize>, usize),
    (by_row, by_one): (impl Fn(f64, f64) -> f64, impl Fn(f64, f64) -> f64),
) {
    let shared = grads.get(one).copied();
    match (grads.get_mut(row), shared) {
        (Some(row), Some(mut sum)) => {
            // In one loop: the additions to the sum wait for each other, the others do not.
            for (grad, ((up, out), x)) in row.iter_mut().zip(users) {
                sum += absorbed(*up, by_one(*x, *out));
                *grad += absorbed(*up, by_row(*x, *out));
            }
            grads[one] = sum;
        }
        (Some(row), None) => {
            for (grad, ((up, out), x)) in row.iter_mut().zip(users) {
                *grad += absorbed(*up, by_row(*x, *out));
            }
        }
        (None, Some(sum)) => {
            let add =
                |sum, ((up, out), x): ((&f64, &f64), &f64)| sum + absorbed(*up, by_one(*x, *out));
            grads[one] = users.fold(sum, add);
        }
        (None, None) => {}
    }
}

/// One loop without a way out, which goes many at a time.
fn any_nan(numbers: &[f64]) -> bool {
    numbers.iter().fold(false, |any, x| any | x.is_nan())
}

fn many_forward(op: &Op, run: Run, data: &mut [f64]) {
    let mut values = Vec::new();
    let nodes = run.operands.chunks_exact(run.operands.len() / run.count);
    for (offset, slots) in nodes.enumerate().rev() {
        gather(&mut values, slots, data);
        data[run.first + offset] = op.value(&values);
    }
}

fn many_backward(op: &Op, run: Run, data: &[f64], grads: &mut [f64]) {
    let mut values = Vec::new();
    let nodes = run.operands.chunks_exact(run.operands.len() / run.count);
    for (slot, slots) in (run.first..).zip(nodes) {
        gather(&mut values, slots, data);
        let (upstream, out) = (grads[slot], data[slot]);
        for (operand, &below) in slots.iter().enumerate() {
            if let Some(grad) = grads.get_mut(below as usize) {
                let broken = || values.iter().any(|value| value.is_nan());
                *grad += chain(upstream, op.local(&values, operand, out), out, broken);
            }
        }
    }
}

fn gather(values: &mut Vec<f64>, slots: &[u32], data: &[f64]) {
    values.clear();
    values.extend(slots.iter().map(|&slot| data[slot as usize]));
}
