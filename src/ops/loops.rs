//! An operation over many numbers at once: the loops of a pass that is repeated.
//!
//! The numbers stand in slots, users before operands. A row's loops are made from its scalar bodies and say nothing
//! else, so that the compiler can put the body into the loop and go through many numbers at a time; rows without loops
//! of their own go through the general ones. Nothing is added up here: what nodes pass on is written down, and
//! whoever adds it keeps to the order of the pass. So the bits are those of one node after the other.

use super::{Op, Rule};

/// Nodes with one operation, in slots that follow each other. None of them is an operand of another.
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
    /// Does anybody ask for what goes to the first operands, and to the second ones? Not where all are constant.
    pub asked: [bool; 2],
}

/// How the operands of one node of a run stand to those of the next.
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

/// The loops of an operation.
#[derive(Clone, Copy, Debug)]
pub struct Loops {
    /// Computes a run's values from those of the operands.
    pub forward: fn(&Op, Run, &mut [f64]),
    /// Writes down what a run passes on; see [`Op::passed`].
    pub passed: fn(&Op, Run, &[f64], &[f64], &mut [f64]),
    /// The same for a run of one; see [`Op::passed_by_one`].
    pub one: fn(&Op, Run, &[f64], f64) -> [f64; 2],
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

    /// What a run passes on, from all data and the run's own grads: first to all first operands, then to all second
    /// ones, and so on. What is not asked for is not written.
    pub fn passed(&self, run: Run, data: &[f64], grads: &[f64], amounts: &mut [f64]) {
        match &self.rule {
            Rule::Unary { loops, .. } | Rule::Binary { loops, .. } => {
                (loops.passed)(self, run, data, grads, amounts);
            }
            Rule::Ternary { .. } | Rule::Many { .. } => {
                many_passed(self, run, data, grads, amounts);
            }
        }
    }

    /// What a run of one passes on, if the operation has at most two operands.
    pub fn passed_by_one(&self, run: Run, data: &[f64], grad: f64) -> Option<[f64; 2]> {
        match &self.rule {
            Rule::Unary { loops, .. } | Rule::Binary { loops, .. } => {
                Some((loops.one)(self, run, data, grad))
            }
            Rule::Ternary { .. } | Rule::Many { .. } => None,
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
    passed: |op, run, data, grads, amounts| {
        if let Rule::Unary { dx, .. } = op.rule {
            unary_passed(run, data, grads, amounts, dx.number);
        }
    },
    one: |op, run, data, grad| match op.rule {
        Rule::Unary { dx, .. } => unary_one(run, data, grad, dx.number),
        _ => [f64::NAN; 2],
    },
};

/// The loops of any operation of two operands.
pub(super) const BINARY: Loops = Loops {
    forward: |op, run, data| {
        if let Rule::Binary { value, .. } = op.rule {
            binary_forward(run, data, value);
        }
    },
    passed: |op, run, data, grads, amounts| {
        if let Rule::Binary { dx, dy, .. } = op.rule {
            binary_passed(run, data, grads, amounts, dx.number, dy.number);
        }
    },
    one: |op, run, data, grad| match op.rule {
        Rule::Binary { dx, dy, .. } => binary_one(run, data, grad, dx.number, dy.number),
        _ => [f64::NAN; 2],
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
                passed: |_, run, data, grads, amounts| {
                    $crate::ops::loops::unary_passed(run, data, grads, amounts, $dx);
                },
                one: |_, run, data, grad| $crate::ops::loops::unary_one(run, data, grad, $dx),
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
                passed: |_, run, data, grads, amounts| {
                    $crate::ops::loops::binary_passed(run, data, grads, amounts, $dx, $dy);
                },
                one: |_, run, data, grad| {
                    $crate::ops::loops::binary_one(run, data, grad, $dx, $dy)
                },
            },
        }
    };
}

pub(super) use {binary, unary};

/// What stands in a slot. Unlike an index it may be left out where nobody needs the number.
#[inline]
fn at(data: &[f64], slot: u32) -> f64 {
    data.get(slot as usize).copied().unwrap_or(f64::NAN)
}

/// See [`Loops::forward`].
#[inline]
pub(super) fn unary_forward(run: Run, data: &mut [f64], value: impl Fn(f64) -> f64) {
    if let &[x] = run.operands {
        data[run.first] = value(at(data, x));
        return;
    }
    let end = run.first + run.count;
    let (outs, below) = data.split_at_mut(end);
    let outs = &mut outs[run.first..];
    if run.stride == Stride::Scattered {
        // First what they are computed from is fetched, so that the rest goes many at a time.
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

/// See [`Loops::passed`].
#[inline]
pub(super) fn unary_passed(
    run: Run,
    data: &[f64],
    grads: &[f64],
    amounts: &mut [f64],
    dx: impl Fn(f64, f64) -> f64,
) {
    let outs = &data[run.first..run.first + run.count];
    let turns = amounts.iter_mut().zip(grads.iter().zip(outs));
    if any_nan(outs) {
        for ((amount, (up, out)), &x) in turns.zip(run.operands) {
            let x = at(data, x);
            *amount = chain(*up, dx(x, *out), *out, || x.is_nan());
        }
    } else if run.stride == Stride::Scattered {
        for ((amount, (up, out)), &x) in turns.zip(run.operands) {
            *amount = absorbed(*up, dx(at(data, x), *out));
        }
    } else {
        let xs = &data[run.operands[0] as usize..];
        for ((amount, (up, out)), x) in turns.zip(xs) {
            *amount = absorbed(*up, dx(*x, *out));
        }
    }
}

/// See [`Loops::one`].
#[inline]
pub(super) fn unary_one(
    run: Run,
    data: &[f64],
    grad: f64,
    dx: impl Fn(f64, f64) -> f64,
) -> [f64; 2] {
    let (x, out) = (at(data, run.operands[0]), data[run.first]);
    [chain(grad, dx(x, out), out, || x.is_nan()), 0.0]
}

/// See [`Loops::forward`].
#[inline]
pub(super) fn binary_forward(run: Run, data: &mut [f64], value: impl Fn(f64, f64) -> f64) {
    if let &[x, y] = run.operands {
        data[run.first] = value(at(data, x), at(data, y));
        return;
    }
    let end = run.first + run.count;
    let pairs = run.operands.as_chunks::<2>().0;
    let (outs, below) = data.split_at_mut(end);
    let outs = outs[run.first..].iter_mut();
    if run.stride == Stride::Scattered {
        for (out, &[x, y]) in outs.zip(pairs) {
            *out = value(below[x as usize - end], below[y as usize - end]);
        }
        return;
    }
    let [x, y] = pairs[0].map(|slot| slot as usize - end);
    let (xs, ys) = (&below[x..], &below[y..]);
    match run.stride {
        Stride::Left => outs.zip(xs).for_each(|(out, x)| *out = value(*x, ys[0])),
        Stride::Right => outs.zip(ys).for_each(|(out, y)| *out = value(xs[0], *y)),
        _ => (outs.zip(xs.iter().zip(ys))).for_each(|(out, (x, y))| *out = value(*x, *y)),
    }
}

/// See [`Loops::passed`].
#[inline]
pub(super) fn binary_passed(
    run: Run,
    data: &[f64],
    grads: &[f64],
    amounts: &mut [f64],
    dx: impl Fn(f64, f64, f64) -> f64,
    dy: impl Fn(f64, f64, f64) -> f64,
) {
    let outs = &data[run.first..run.first + run.count];
    let pairs = run.operands.as_chunks::<2>().0;
    let (lefts, rights) = amounts.split_at_mut(run.count);
    // Each side that is asked for is a loop of its own: `write` is given the turns anew.
    macro_rules! both_sides {
        ($operands:expr, $rule:expr) => {{
            if run.asked[0] {
                write(lefts, grads, outs, $operands, $rule(&dx));
            }
            if run.asked[1] {
                write(rights, grads, outs, $operands, $rule(&dy));
            }
        }};
    }
    let scattered = || pairs.iter().map(|&[x, y]| (at(data, x), at(data, y)));
    if any_nan(outs) {
        both_sides!(scattered(), carefully);
        return;
    }
    let [x, y] = pairs[0].map(|slot| slot as usize);
    let (xs, ys) = (&data[x..], &data[y..]);
    match run.stride {
        Stride::Scattered => both_sides!(scattered(), plainly),
        Stride::Left => both_sides!(xs.iter().map(|x| (*x, ys[0])), plainly),
        Stride::Right => both_sides!(ys.iter().map(|y| (xs[0], *y)), plainly),
        Stride::Both => both_sides!(xs.iter().zip(ys).map(|(x, y)| (*x, *y)), plainly),
    }
}

/// See [`Loops::one`].
#[inline]
pub(super) fn binary_one(
    run: Run,
    data: &[f64],
    grad: f64,
    dx: impl Fn(f64, f64, f64) -> f64,
    dy: impl Fn(f64, f64, f64) -> f64,
) -> [f64; 2] {
    let &[x, y] = run.operands else {
        return [f64::NAN; 2];
    };
    let (x, y, out) = (at(data, x), at(data, y), data[run.first]);
    let mut amounts = [0.0; 2];
    if run.asked[0] {
        amounts[0] = carefully(&dx)(grad, x, y, out);
    }
    if run.asked[1] {
        amounts[1] = carefully(&dy)(grad, x, y, out);
    }
    amounts
}

/// What goes to the operands of one side.
#[inline]
fn write(
    amounts: &mut [f64],
    grads: &[f64],
    outs: &[f64],
    operands: impl Iterator<Item = (f64, f64)>,
    amount: impl Fn(f64, f64, f64, f64) -> f64,
) {
    let users = grads.iter().zip(outs);
    for ((to, (up, out)), (x, y)) in amounts.iter_mut().zip(users).zip(operands) {
        *to = amount(*up, x, y, *out);
    }
}

/// The chain rule where no data is NaN.
#[inline]
fn plainly(slope: impl Fn(f64, f64, f64) -> f64) -> impl Fn(f64, f64, f64, f64) -> f64 {
    move |up, x, y, out| absorbed(up, slope(x, y, out))
}

/// The chain rule.
#[inline]
fn carefully(slope: impl Fn(f64, f64, f64) -> f64) -> impl Fn(f64, f64, f64, f64) -> f64 {
    move |up, x, y, out| chain(up, slope(x, y, out), out, || x.is_nan() || y.is_nan())
}

/// One loop without a way out, which goes many at a time.
fn any_nan(numbers: &[f64]) -> bool {
    numbers.iter().fold(false, |any, x| any | x.is_nan())
}

fn many_forward(op: &Op, run: Run, data: &mut [f64]) {
    let mut values = Vec::new();
    let nodes = run.operands.chunks_exact(run.operands.len() / run.count);
    for (offset, slots) in nodes.enumerate() {
        gather(&mut values, slots, data);
        data[run.first + offset] = op.value(&values);
    }
}

fn many_passed(op: &Op, run: Run, data: &[f64], grads: &[f64], amounts: &mut [f64]) {
    let mut values = Vec::new();
    let nodes = run.operands.chunks_exact(run.operands.len() / run.count);
    for (place, slots) in nodes.enumerate() {
        gather(&mut values, slots, data);
        let (up, out) = (grads[place], data[run.first + place]);
        for operand in 0..slots.len() {
            let broken = || values.iter().any(|value| value.is_nan());
            let local = op.local(&values, operand, out);
            amounts[operand * run.count + place] = chain(up, local, out, broken);
        }
    }
}

fn gather(values: &mut Vec<f64>, slots: &[u32], data: &[f64]) {
    values.clear();
    values.extend(slots.iter().map(|&slot| data[slot as usize]));
}
