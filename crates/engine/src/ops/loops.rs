//! Computes one operation for many nodes at once, in loops over a [`Run`], for the repeated passes of `graph/runs`.
//!
//! Each node has a slot, users before operands, and `data[slot]` is its value. The macros `unary!` and `binary!` compile
//! an operation's scalar functions into loops of its own, so that the compiler can inline the functions and vectorise the
//! loops (SIMD: one instruction for several numbers). All other operations of one or two operands use the general loops
//! [`UNARY`] and [`BINARY`], which call the functions through pointers. Operations of more operands have only a forward
//! loop. A backward loop writes contributions into slices and does not add them: `graph/runs/execute` adds them in the
//! order of the pass, so the results equal those of a pass node by node, bit for bit.

use super::chain::{chain, never_minus_zero};
use super::{Op, Rule};

/// Nodes with the same operation in consecutive slots. None of them is an operand of another.
#[derive(Clone, Copy, Debug)]
pub struct Run<'r> {
    /// The slot of the first node.
    pub first: usize,
    /// The number of nodes.
    pub count: usize,
    /// The slots of their operands, node by node.
    pub operands: &'r [u32],
    /// How the operands of one node lie relative to those of the next.
    pub stride: Stride,
    /// Whether the contributions to the first operands are needed, and whether those to the second operands are. They are
    /// not needed if all operands on a side are constants.
    pub needed: [bool; 2],
}

/// How the operands of one node of a run lie relative to those of the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stride {
    /// The operands may be in any slots.
    Scattered,
    /// The operands on each side are in consecutive slots.
    Both,
    /// The left operands are in consecutive slots, and all nodes share the right operand.
    Left,
    /// The right operands are in consecutive slots, and all nodes share the left operand.
    Right,
}

impl Stride {
    /// Whether the left operands are in consecutive slots, and whether the right ones are.
    pub fn consecutive_sides(self) -> [bool; 2] {
        match self {
            Stride::Scattered => [false, false],
            Stride::Both => [true, true],
            Stride::Left => [true, false],
            Stride::Right => [false, true],
        }
    }
}

/// The slices that receive the contributions to the first operands of a run and those to the second operands.
pub type Contributions<'a> = [&'a mut [f64]; 2];

/// The loops of an operation.
#[derive(Clone, Copy, Debug)]
pub struct Loops {
    /// See [`Op::forward`].
    pub forward: fn(&Op, Run, &mut [f64]),
    /// See [`Op::contributions`].
    pub backward: fn(&Op, Run, &[f64], &[f64], Contributions),
}

impl Op {
    /// The loops, if the operation takes exactly one operand or exactly two.
    #[inline]
    pub const fn loops(&self) -> Option<&Loops> {
        match &self.rule {
            Rule::Unary { loops, .. } | Rule::Binary { loops, .. } => Some(loops),
            Rule::Ternary { .. } | Rule::Many { .. } | Rule::Carried => None,
        }
    }

    /// Computes a run's values.
    pub fn forward(&self, run: Run, data: &mut [f64]) {
        if let Some(loops) = self.loops() {
            return (loops.forward)(self, run, data);
        }
        let mut values = Vec::new();
        // All nodes of a run have the same number of operands.
        let nodes = run.operands.chunks_exact(run.operands.len() / run.count);
        for (offset, slots) in nodes.enumerate() {
            values.clear();
            values.extend(slots.iter().map(|&slot| data[slot as usize]));
            data[run.first + offset] = self.value(&values);
        }
    }

    /// Writes the contributions of a run into the slices `into`, if the operation has loops. `data` holds the data of all
    /// slots, and `grads` the grads of the run's nodes. The slice of a side that is not needed stays unchanged. A
    /// contribution is never -0.
    pub fn contributions(&self, run: Run, data: &[f64], grads: &[f64], into: Contributions) {
        if let Some(loops) = self.loops() {
            (loops.backward)(self, run, data, grads, into);
        }
    }
}

/// The loops of any operation of one operand.
pub(super) const UNARY: Loops = Loops {
    forward: |op, run, data| {
        if let Rule::Unary { value, .. } = op.rule {
            unary_forward(run, data, value);
        }
    },
    backward: |op, run, data, grads, into| {
        if let Rule::Unary { dx, .. } = op.rule {
            unary_backward(run, data, grads, into, dx.number);
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
    backward: |op, run, data, grads, into| {
        if let Rule::Binary { dx, dy, .. } = op.rule {
            binary_backward(run, data, grads, into, dx.number, dy.number);
        }
    },
};

/// The rule of an operation of one operand, with its functions compiled into loops of its own. The arguments are the value
/// and the derivative with its texts: `unary!(|x| x * x, slope(|x, _| 2.0 * x, "2*x"))`. The derivative takes the operand
/// and the value.
macro_rules! unary {
    ($value:expr, $slope:ident($dx:expr, $($text:expr),+ $(,)?) $(,)?) => {
        $crate::ops::Rule::Unary {
            value: $value,
            dx: $slope($dx, $($text),+),
            loops: $crate::ops::Loops {
                forward: |_, run, data| $crate::ops::loops::unary_forward(run, data, $value),
                backward: |_, run, data, grads, into| {
                    $crate::ops::loops::unary_backward(run, data, grads, into, $dx);
                },
            },
        }
    };
}

/// The rule of an operation of two operands, with its functions compiled into loops of its own. The derivatives take both
/// operands and the value.
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
                backward: |_, run, data, grads, into| {
                    $crate::ops::loops::binary_backward(run, data, grads, into, $dx, $dy);
                },
            },
        }
    };
}

pub(super) use {binary, unary};

/// The data in a slot. Uses `get`, because the compiler can remove an unused read only if it cannot panic.
#[inline]
pub(super) fn at(data: &[f64], slot: u32) -> f64 {
    data.get(slot as usize).copied().unwrap_or(f64::NAN)
}

/// See [`Loops::forward`].
#[inline]
pub(super) fn unary_forward(run: Run, data: &mut [f64], value: impl Fn(f64) -> f64) {
    let end = run.first + run.count;
    let (up_to_run, below) = data.split_at_mut(end);
    let outs = &mut up_to_run[run.first..];
    if run.stride == Stride::Scattered {
        // The operands are gathered first, so that the compiler can vectorise the computation.
        for (out, &x) in outs.iter_mut().zip(run.operands) {
            *out = below[x as usize - end];
        }
        for out in outs {
            *out = value(*out);
        }
    } else {
        let xs = &below[run.operands[0] as usize - end..];
        for (out, x) in outs.iter_mut().zip(xs) {
            *out = value(*x);
        }
    }
}

/// See [`Loops::backward`].
#[inline]
pub(super) fn unary_backward(
    run: Run,
    data: &[f64],
    grads: &[f64],
    [into, _]: Contributions,
    dx: impl Fn(f64, f64) -> f64,
) {
    let outs = &data[run.first..run.first + run.count];
    let gathered = || run.operands.iter().map(|&x| [at(data, x)]);
    let slope = |[x]: [f64; 1], out| dx(x, out);
    let must_chain = if run.stride == Stride::Scattered {
        write_products(into, grads, outs, gathered(), slope)
    } else {
        let xs = &data[run.operands[0] as usize..];
        write_products(into, grads, outs, xs.iter().map(|x| [*x]), slope)
    };
    if must_chain {
        write_chained(into, grads, outs, gathered(), slope);
    }
}

/// See [`Loops::forward`].
#[inline]
pub(super) fn binary_forward(run: Run, data: &mut [f64], value: impl Fn(f64, f64) -> f64) {
    let end = run.first + run.count;
    let pairs = run.operands.as_chunks::<2>().0;
    let (up_to_run, below) = data.split_at_mut(end);
    let outs = up_to_run[run.first..].iter_mut();
    let [first_x, first_y] = pairs[0].map(|slot| slot as usize - end);
    let (xs, ys) = (&below[first_x..], &below[first_y..]);
    match run.stride {
        Stride::Scattered => outs.zip(pairs).for_each(|(out, &[x, y])| {
            *out = value(below[x as usize - end], below[y as usize - end]);
        }),
        Stride::Both => {
            let nodes = outs.zip(xs.iter().zip(ys));
            nodes.for_each(|(out, (x, y))| *out = value(*x, *y));
        }
        Stride::Left => outs.zip(xs).for_each(|(out, x)| *out = value(*x, ys[0])),
        Stride::Right => outs.zip(ys).for_each(|(out, y)| *out = value(xs[0], *y)),
    }
}

/// See [`Loops::backward`].
#[inline]
pub(super) fn binary_backward(
    run: Run,
    data: &[f64],
    grads: &[f64],
    [lefts, rights]: Contributions,
    dx: impl Fn(f64, f64, f64) -> f64,
    dy: impl Fn(f64, f64, f64) -> f64,
) {
    if run.needed[0] {
        write_side(run, data, grads, lefts, dx);
    }
    if run.needed[1] {
        write_side(run, data, grads, rights, dy);
    }
}

/// Writes the contributions to the operands on one side. `slope` is the derivative by these operands.
#[inline]
fn write_side(
    run: Run,
    data: &[f64],
    grads: &[f64],
    into: &mut [f64],
    slope: impl Fn(f64, f64, f64) -> f64,
) {
    let outs = &data[run.first..run.first + run.count];
    let pairs = run.operands.as_chunks::<2>().0;
    let [xs, ys] = pairs[0].map(|slot| &data[slot as usize..]);
    let gathered = || pairs.iter().map(|pair| pair.map(|slot| at(data, slot)));
    let slope_at = |[x, y]: [f64; 2], out| slope(x, y, out);
    // The stride is examined once, outside the loops.
    let must_chain = match run.stride {
        Stride::Scattered => write_products(into, grads, outs, gathered(), slope_at),
        Stride::Both => {
            let operands = xs.iter().zip(ys).map(|(x, y)| [*x, *y]);
            write_products(into, grads, outs, operands, slope_at)
        }
        Stride::Left => {
            let y = ys[0];
            write_products(into, grads, outs, xs.iter().map(|x| [*x, y]), slope_at)
        }
        Stride::Right => {
            let x = xs[0];
            write_products(into, grads, outs, ys.iter().map(|y| [x, *y]), slope_at)
        }
    };
    if must_chain {
        write_chained(into, grads, outs, gathered(), slope_at);
    }
}

/// Writes the product of upstream and local derivative for each node of a run. Returns whether [`chain`] may differ
/// from a product. It can only if the product or the value of the node is NaN: a zero factor matters only beside an
/// infinity or NaN, which makes the product NaN, and the other rule is about values that are NaN. The loop never ends
/// early, so that the compiler can vectorise it.
#[inline]
fn write_products<const N: usize>(
    into: &mut [f64],
    grads: &[f64],
    outs: &[f64],
    operands: impl Iterator<Item = [f64; N]>,
    slope: impl Fn([f64; N], f64) -> f64,
) -> bool {
    let mut has_nan = false;
    for (((amount, up), out), own_operands) in into.iter_mut().zip(grads).zip(outs).zip(operands) {
        let product = up * slope(own_operands, *out);
        has_nan |= product.is_nan() | out.is_nan();
        *amount = never_minus_zero(product);
    }
    has_nan
}

/// Writes the contributions by the rules of [`chain`].
fn write_chained<const N: usize>(
    into: &mut [f64],
    grads: &[f64],
    outs: &[f64],
    operands: impl Iterator<Item = [f64; N]>,
    slope: impl Fn([f64; N], f64) -> f64,
) {
    for (((amount, up), out), own_operands) in into.iter_mut().zip(grads).zip(outs).zip(operands) {
        let operand_is_nan = || own_operands.iter().any(|x| x.is_nan());
        let contribution = chain(*up, slope(own_operands, *out), *out, operand_is_nan);
        *amount = never_minus_zero(contribution);
    }
}
