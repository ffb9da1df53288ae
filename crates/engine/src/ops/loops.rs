//! The loops that compute one operation for many nodes at once, for `graph/runs`, which repeats passes.
//!
//! The numbers are in slots, users before operands. A row's loops are made from its scalar functions and contain
//! nothing else, so that the compiler can inline the function and vectorise the loop: SIMD, one instruction for several
//! numbers. Operations of one or two operands without loops of their own use the general loops. Operations of more operands
//! have only a forward loop. The loops store contributions in buffers and do not add them. `graph/runs/execute` adds them
//! in the order of the pass, so that results equal, bit for bit, those of a pass node by node.

use super::chain::{chain, never_minus_zero};
use super::{Op, Rule};

/// Nodes with one operation, in slots that follow each other. None of them is an operand of another.
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
    /// Whether the contributions to the first operands are needed, and those to the second operands. They are not needed if
    /// all operands on that side are constant.
    pub needed: [bool; 2],
}

/// How the operands of one node of a run lie relative to those of the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stride {
    /// Anywhere.
    Scattered,
    /// The operands on each side are in slots that follow each other.
    Both,
    /// The left operands follow each other, and the right operand stays the same.
    Left,
    /// The right operands follow each other, and the left operand stays the same.
    Right,
}

impl Stride {
    /// Whether the operands on the left side follow each other, and those on the right side.
    pub fn rows(self) -> [bool; 2] {
        match self {
            Stride::Scattered => [false, false],
            Stride::Both => [true, true],
            Stride::Left => [true, false],
            Stride::Right => [false, true],
        }
    }
}

/// Space for the contributions to the first operands of a run, and for those to the second operands.
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
    /// Its loops, if it takes exactly one operand or exactly two.
    #[inline]
    pub const fn loops(&self) -> Option<&Loops> {
        match &self.rule {
            Rule::Unary { loops, .. } | Rule::Binary { loops, .. } => Some(loops),
            Rule::Ternary { .. } | Rule::Many { .. } => None,
        }
    }

    /// Computes a run's values.
    pub fn forward(&self, run: Run, data: &mut [f64]) {
        match self.loops() {
            Some(loops) => (loops.forward)(self, run, data),
            None => many_forward(self, run, data),
        }
    }

    /// Writes the contributions of a run to its first and its second operands into `into`, for an operation with loops.
    /// `data` are all data, and `grads` those of the run. A side that is not needed stays as it is. A contribution is
    /// never -0.
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

/// The rule of one operand, with loops into which its functions are compiled.
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

/// The rule of two operands, with loops into which its functions are compiled.
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

/// The number in a slot. The compiler can drop this call if the number is not used. An index, which may panic, would stay.
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
        return;
    }
    let xs = &below[run.operands[0] as usize - end..];
    for (out, x) in outs.iter_mut().zip(xs) {
        *out = value(*x);
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
    let users = || grads.iter().zip(outs);
    let scattered = || run.operands.iter().map(|&slot| at(data, slot));
    let product = |((up, out), x): ((&f64, &f64), f64)| (up * dx(x, *out), *out);
    let has_nan = if run.stride == Stride::Scattered {
        write(into, users().zip(scattered()).map(product))
    } else {
        let xs = data[run.operands[0] as usize..].iter().copied();
        write(into, users().zip(xs).map(product))
    };
    if has_nan {
        for (amount, ((up, out), x)) in into.iter_mut().zip(users().zip(scattered())) {
            *amount = never_minus_zero(chain(*up, dx(x, *out), *out, || x.is_nan()));
        }
    }
}

/// See [`Loops::forward`].
#[inline]
pub(super) fn binary_forward(run: Run, data: &mut [f64], value: impl Fn(f64, f64) -> f64) {
    let end = run.first + run.count;
    let pairs = run.operands.as_chunks::<2>().0;
    let (up_to_run, below) = data.split_at_mut(end);
    let outs = up_to_run[run.first..].iter_mut();
    if run.stride == Stride::Scattered {
        for (out, &[left, right]) in outs.zip(pairs) {
            *out = value(below[left as usize - end], below[right as usize - end]);
        }
        return;
    }
    let [first_x, first_y] = pairs[0].map(|slot| slot as usize - end);
    let (xs, ys) = (&below[first_x..], &below[first_y..]);
    match run.stride {
        Stride::Left => outs.zip(xs).for_each(|(out, x)| *out = value(*x, ys[0])),
        Stride::Right => outs.zip(ys).for_each(|(out, y)| *out = value(xs[0], *y)),
        _ => (outs.zip(xs.iter().zip(ys))).for_each(|(out, (x, y))| *out = value(*x, *y)),
    }
}

/// See [`Loops::backward`].
#[inline]
pub(super) fn binary_backward(
    run: Run,
    data: &[f64],
    grads: &[f64],
    into: Contributions,
    dx: impl Fn(f64, f64, f64) -> f64,
    dy: impl Fn(f64, f64, f64) -> f64,
) {
    let outs = &data[run.first..run.first + run.count];
    let pairs = run.operands.as_chunks::<2>().0;
    let [first_x, first_y] = pairs[0].map(|slot| slot as usize);
    let (xs, ys) = (&data[first_x..], &data[first_y..]);
    let [lefts, rights] = into;
    // A loop for each side that is needed. The stride is examined once, outside the loops.
    macro_rules! write_sides {
        ($operands:expr) => {{
            let left = |((up, out), (x, y)): ((&f64, &f64), _)| (up * dx(x, y, *out), *out);
            let right = |((up, out), (x, y)): ((&f64, &f64), _)| (up * dy(x, y, *out), *out);
            let nodes = || grads.iter().zip(outs).zip($operands);
            // If the left side has a NaN, both sides are written again below.
            run.needed[0] && write(lefts, nodes().map(left))
                || run.needed[1] && write(rights, nodes().map(right))
        }};
    }
    let data_of = |&[left, right]: &[u32; 2]| (at(data, left), at(data, right));
    let scattered = || pairs.iter().map(data_of);
    let has_nan = match run.stride {
        Stride::Scattered => write_sides!(scattered()),
        Stride::Left => write_sides!(xs.iter().map(|left| (*left, ys[0]))),
        Stride::Right => write_sides!(ys.iter().map(|right| (xs[0], *right))),
        Stride::Both => write_sides!(xs.iter().zip(ys).map(|(left, right)| (*left, *right))),
    };
    if has_nan {
        let nodes = grads.iter().zip(outs).zip(scattered());
        for (place, ((up, out), (x, y))) in nodes.enumerate() {
            let operand_is_nan = || x.is_nan() || y.is_nan();
            if run.needed[0] {
                lefts[place] = never_minus_zero(chain(*up, dx(x, y, *out), *out, operand_is_nan));
            }
            if run.needed[1] {
                rights[place] = never_minus_zero(chain(*up, dy(x, y, *out), *out, operand_is_nan));
            }
        }
    }
}

/// Writes contributions as upstream times local. Returns whether one of them may be wrong, because it is NaN or its node's
/// data is. The loop never ends early, so that the compiler can vectorise it.
#[inline]
fn write(into: &mut [f64], contributions: impl Iterator<Item = (f64, f64)>) -> bool {
    let mut has_nan = false;
    for (to, (amount, out)) in into.iter_mut().zip(contributions) {
        has_nan |= amount.is_nan() | out.is_nan();
        *to = never_minus_zero(amount);
    }
    has_nan
}

/// Computes the values of a run whose operation takes more than two operands.
fn many_forward(op: &Op, run: Run, data: &mut [f64]) {
    let mut values = Vec::new();
    let nodes = run.operands.chunks_exact(run.operands.len() / run.count);
    for (offset, slots) in nodes.enumerate() {
        values.clear();
        values.extend(slots.iter().map(|&slot| data[slot as usize]));
        data[run.first + offset] = op.value(&values);
    }
}
