//! A plan: the graph below a root lowered once into flat arrays, for passes that are repeated.
//!
//! The same order, the same rows and the same rule of adding as the sweep over nodes, so the numbers are the same to
//! the bit; a test compares the two on both sides of `NEWEST_FIRST`. A row's loop writes down what a run passes on;
//! it is added here, operand by operand in the order of the nodes. It works on a copy of the data: nodes stay as they
//! are.

use std::rc::Rc;

use super::lowered::{Lowered, Side, Stretch, TOGETHER};
use super::node::Node;
use super::order::Order;
use crate::ops::{MOST_OPERANDS, Run, Stride};

/// So many nodes of a run at a time: what they pass on stays in the nearest memory until it is added.
const AT_A_TIME: usize = 128;

/// Room for what is passed on at a time.
const ROOM: usize = 2 * AT_A_TIME * TOGETHER;

/// Flat arrays over the nodes of an order, in that order: slot 0 is the root. Constants stand behind them.
#[derive(Debug)]
pub struct Plan {
    order: Order,
    lowered: Lowered,
    data: Vec<f64>,
    grads: Vec<f64>,
    amounts: Box<[f64]>,
}

impl Plan {
    /// Lowers the graph below `root`.
    pub fn of(root: &Rc<Node>) -> Plan {
        const { assert!(MOST_OPERANDS <= ROOM) };
        let order = Order::below([root]);
        let lowered = Lowered::of(&order);
        let nodes = order.nodes().iter().map(|node| node.data());
        let data = nodes.chain(lowered.constants.iter().copied()).collect();
        Plan {
            data,
            grads: vec![0.0; order.nodes().len()],
            amounts: vec![0.0; ROOM].into(),
            order,
            lowered,
        }
    }

    /// The nodes it was made from, in slot order.
    pub fn order(&self) -> &Order {
        &self.order
    }

    /// The root's data.
    pub fn root_data(&self) -> f64 {
        self.data.first().copied().unwrap_or(f64::NAN)
    }

    /// Changes the data of a slot in the plan: a leaf's, or that of a node taken for one.
    pub fn set(&mut self, slot: usize, data: f64) {
        self.data[slot] = data;
    }

    /// The grads of the last [`Plan::backward`], in slot order.
    pub fn grads(&self) -> &[f64] {
        &self.grads
    }

    /// Recomputes every computed node, operands first.
    pub fn forward(&mut self) {
        let mut left = &self.lowered.operands[..];
        for stretch in self.lowered.stretches.iter().rev() {
            let listed;
            (left, listed) = left.split_at(left.len() - stretch.listed());
            let run = stretch.part(0, listed, stretch.count as usize);
            stretch.op().forward(run, &mut self.data);
        }
    }

    /// The same but for one slot, which keeps the data it was given: an inner node taken for a leaf.
    pub fn forward_but(&mut self, kept: usize) {
        let mut left = &self.lowered.operands[..];
        for stretch in self.lowered.stretches.iter().rev() {
            let listed;
            (left, listed) = left.split_at(left.len() - stretch.listed());
            let data = self.data[kept];
            let run = stretch.part(0, listed, stretch.count as usize);
            stretch.op().forward(run, &mut self.data);
            // None of the run depends on it.
            self.data[kept] = data;
        }
    }

    /// One sweep from the root.
    pub fn backward(&mut self) {
        for slots in &self.lowered.cleared {
            self.grads[slots.start as usize..slots.end as usize].fill(0.0);
        }
        let Some(root) = self.grads.first_mut() else {
            return;
        };
        *root = 1.0;
        let mut sums = Sums {
            data: &self.data,
            grads: &mut self.grads,
            amounts: &mut self.amounts,
        };
        let mut stretches = &self.lowered.stretches[..];
        let mut operands = &self.lowered.operands[..];
        while let [stretch, ..] = stretches {
            let group;
            (group, stretches) = stretches.split_at(usize::from(stretch.together));
            let listed;
            (listed, operands) = operands.split_at(stretch.listed() * group.len());
            match group {
                [one] if one.count == 1 => sums.pass_on_one(*one, listed),
                [one] => sums.pass_on(*one, listed),
                group => sums.pass_on_together(group, listed),
            }
        }
    }
}

/// Where a sweep adds up.
struct Sums<'p> {
    data: &'p [f64],
    grads: &'p mut [f64],
    amounts: &'p mut [f64],
}

impl Sums<'_> {
    /// What a single node passes on.
    fn pass_on_one(&mut self, stretch: Stretch, operands: &[u32]) {
        let run = stretch.part(0, operands, 1);
        let grad = self.grads[run.first];
        let Some(amounts) = stretch.op().passed_by_one(run, self.data, grad) else {
            return self.pass_on(stretch, operands);
        };
        for (&slot, amount) in operands.iter().zip(amounts) {
            self.add(slot, amount);
        }
    }

    /// What a run passes on.
    fn pass_on(&mut self, stretch: Stretch, operands: &[u32]) {
        let arity = usize::from(stretch.arity);
        let most = AT_A_TIME.min(ROOM / arity);
        for (turn, listed) in operands.chunks(most * arity).enumerate() {
            let run = stretch.part(turn * most, listed, listed.len() / arity);
            self.write(stretch, run, 0);
            self.add_rows(stretch, run, 0);
            match (run.stride, stretch.sides) {
                (Stride::Scattered, sides) => self.scatter(arity, sides, run),
                (Stride::Left, [_, Side::Added]) => self.sum([run.operands[1]], run.count, [1]),
                (Stride::Right, [Side::Added, _]) => self.sum([run.operands[0]], run.count, [0]),
                _ => {}
            }
        }
    }

    /// What runs pass on that can be summed up together: sums wait for each addition, but not for each other.
    fn pass_on_together(&mut self, group: &[Stretch], operands: &[u32]) {
        let [stretch, ..] = *group else { return };
        let listed = stretch.listed();
        for offset in (0..stretch.count as usize).step_by(AT_A_TIME) {
            let count = AT_A_TIME.min(stretch.count as usize - offset);
            let mut ones = [0; TOGETHER];
            let mut sides = [0; TOGETHER];
            for (place, stretch) in group.iter().enumerate() {
                let one = usize::from(stretch.stride == Stride::Left);
                let listed = &operands[place * listed..][offset * 2..][..count * 2];
                let run = stretch.part(offset, listed, count);
                self.write(*stretch, run, 2 * place);
                self.add_rows(*stretch, run, 2 * place);
                ones[place] = run.operands[one];
                sides[place] = 2 * place + one;
            }
            self.sum(ones, count, sides);
        }
    }

    /// Writes down what a part of a run passes on, behind so many other sides.
    fn write(&mut self, stretch: Stretch, run: Run, place: usize) {
        let users = &self.grads[run.first..run.first + run.count];
        let amounts = &mut self.amounts[place * run.count..];
        stretch.op().passed(run, self.data, users, amounts);
    }

    /// Adds what goes to operands that stand in a row.
    fn add_rows(&mut self, stretch: Stretch, run: Run, place: usize) {
        let in_row = match run.stride {
            Stride::Scattered => return,
            Stride::Both => [true, run.operands.len() > run.count],
            Stride::Left => [true, false],
            Stride::Right => [false, true],
        };
        for side in (0..2).filter(|&side| in_row[side]) {
            let settled = stretch.sides[side];
            if settled == Side::Nobody {
                continue;
            }
            let amounts = &self.amounts[(place + side) * run.count..][..run.count];
            let row = &mut self.grads[run.operands[side] as usize..][..run.count];
            if settled == Side::Written {
                // As if added to 0: never -0.
                row.iter_mut()
                    .zip(amounts)
                    .for_each(|(grad, amount)| *grad = amount + 0.0);
            } else {
                row.iter_mut()
                    .zip(amounts)
                    .for_each(|(grad, amount)| *grad += amount);
            }
        }
    }

    /// Adds what goes to one operand from each of several runs.
    fn sum<const N: usize>(&mut self, ones: [u32; N], count: usize, sides: [usize; N]) {
        let mut sums = ones.map(|one| self.grads[one as usize]);
        let parts = sides.map(|side| &self.amounts[side * count..][..count]);
        for place in 0..count {
            for (sum, part) in sums.iter_mut().zip(parts) {
                *sum += part[place];
            }
        }
        for (one, sum) in ones.into_iter().zip(sums) {
            self.grads[one as usize] = sum;
        }
    }

    /// Adds what goes to operands anywhere, node by node.
    fn scatter(&mut self, arity: usize, sides: [Side; 2], run: Run) {
        let amounts = &*self.amounts;
        let (lefts, rest) = amounts.split_at(run.count);
        let mut add = |slot: u32, amount: f64| {
            // Constants have no grad.
            if let Some(grad) = self.grads.get_mut(slot as usize) {
                *grad += amount;
            }
        };
        match (arity, sides) {
            (1, _) => run
                .operands
                .iter()
                .zip(lefts)
                .for_each(|(&x, left)| add(x, *left)),
            (2, [Side::Nobody, _]) => {
                let pairs = run.operands.as_chunks::<2>().0;
                pairs
                    .iter()
                    .zip(rest)
                    .for_each(|(&[_, y], right)| add(y, *right));
            }
            (2, [_, Side::Nobody]) => {
                let pairs = run.operands.as_chunks::<2>().0;
                pairs
                    .iter()
                    .zip(lefts)
                    .for_each(|(&[x, _], left)| add(x, *left));
            }
            (2, _) => {
                let pairs = run.operands.as_chunks::<2>().0;
                for (&[x, y], (left, right)) in pairs.iter().zip(lefts.iter().zip(rest)) {
                    add(x, *left);
                    add(y, *right);
                }
            }
            _ => {
                for (place, slots) in run.operands.chunks_exact(arity).enumerate() {
                    for (side, &slot) in slots.iter().enumerate() {
                        add(slot, amounts[side * run.count + place]);
                    }
                }
            }
        }
    }

    fn add(&mut self, slot: u32, amount: f64) {
        // Constants have no grad.
        if let Some(grad) = self.grads.get_mut(slot as usize) {
            *grad += amount;
        }
    }
}
