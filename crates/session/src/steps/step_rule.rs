//! The rules by which `:step` makes a step from gradients: plain, with momentum, or by Adam.
//!
//! Momentum and Adam remember the gradients of earlier steps. The formulas are those of `torch.optim`, operation by
//! operation, and so are the numbers. The memory is for one target and for the data at which the last step left its leaves.
//! With other data, as after `:set` or `:undo`, the rule starts again.

use std::rc::Rc;

use crate::target::TargetKey;
use chainrule_engine::graph::{Node, NodeId};

/// Adam's decay rates of the means of gradients and of their squares, `beta1` and `beta2`: the defaults of the paper and of
/// `torch.optim.Adam`.
const BETAS: [f64; 2] = [0.9, 0.999];
/// The number that Adam adds to its divisor against a division by 0: the default of `torch.optim.Adam`.
const EPSILON: f64 = 1e-8;

/// A rule that makes a step from gradients.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum StepRule {
    /// Along the gradient.
    Plain,
    /// Along the gradient and this share of the last way.
    Momentum(f64),
    /// Along the mean of the gradients over the root of the mean of their squares.
    Adam,
}

/// A leaf that was moved.
#[derive(Clone, Debug)]
pub struct Mover {
    /// The leaf.
    pub leaf: Rc<Node>,
    /// Its data before the first step.
    pub before: f64,
    /// Its gradient before the first step.
    pub grad: f64,
    /// Its data after the last step.
    pub after: f64,
    /// Its gradient after the last step.
    pub new_grad: f64,
}

/// A rule with its memory.
#[derive(Clone, Debug)]
pub(crate) struct Optimizer {
    rule: StepRule,
    target: TargetKey,
    /// The number of steps that it has made.
    pub(crate) steps: u64,
    /// The number of nodes that its steps have visited.
    pub(crate) work: u64,
    /// Whether Ctrl-C has stopped some of its steps.
    pub(crate) has_stopped: bool,
    /// The memory of each leaf, in the order of the pass. A plain step does not use it.
    leaves: Vec<LeafMemory>,
}

/// The memory of a leaf.
#[derive(Clone, Debug)]
struct LeafMemory {
    leaf: NodeId,
    /// Its data after the last step.
    data: f64,
    /// The way of momentum, or Adam's mean of the gradients.
    mean: f64,
    /// Adam's mean of the squares.
    square: f64,
}

impl Optimizer {
    /// The last optimizer, if it fits these leaves, or else a new one.
    pub(crate) fn continue_or_new(
        last: Option<&Rc<Optimizer>>,
        rule: StepRule,
        target: TargetKey,
        movers: &[Mover],
    ) -> Optimizer {
        let places = movers.iter().map(|it| (it.leaf.id(), it.before.to_bits()));
        let place = |memory: &LeafMemory| (memory.leaf, memory.data.to_bits());
        if let Some(last) = last
            && (last.rule, &last.target) == (rule, &target)
            && last.leaves.iter().map(place).eq(places)
        {
            return Optimizer::clone(last);
        }
        let fresh = movers.iter().map(|mover| LeafMemory {
            leaf: mover.leaf.id(),
            data: mover.before,
            mean: 0.0,
            square: 0.0,
        });
        Optimizer {
            rule,
            target,
            steps: 0,
            work: 0,
            has_stopped: false,
            leaves: fresh.collect(),
        }
    }

    /// Makes a step: writes the next data of the leaves, from their last data and grads, into `next_data`.
    pub(crate) fn step(&mut self, rate: f64, movers: &[Mover], next_data: &mut [f64]) {
        self.steps += 1;
        // Adam's means begin at 0, which makes them too small by these factors.
        let steps = i32::try_from(self.steps).unwrap_or(i32::MAX);
        let [mean_weight, square_weight] = BETAS.map(|beta| 1.0 - beta.powi(steps));
        let (corrected_rate, root_weight) = (rate / mean_weight, square_weight.sqrt());
        let [kept_mean, kept_square] = BETAS;
        let with_memory = movers.iter().zip(&mut self.leaves);
        for ((mover, memory), next) in with_memory.zip(next_data) {
            let grad = mover.new_grad;
            let way = match self.rule {
                StepRule::Plain => rate * grad,
                StepRule::Momentum(share) => {
                    memory.mean = share * memory.mean + grad;
                    rate * memory.mean
                }
                StepRule::Adam => {
                    memory.mean += (1.0 - kept_mean) * (grad - memory.mean);
                    memory.square = kept_square * memory.square + (1.0 - kept_square) * grad * grad;
                    let spread = memory.square.sqrt() / root_weight + EPSILON;
                    corrected_rate * (memory.mean / spread)
                }
            };
            *next = mover.after - way;
        }
    }

    /// The optimizer for the next statement, with the data at which the steps have left the leaves.
    pub(crate) fn with_data(mut self, movers: &[Mover]) -> Rc<Optimizer> {
        for (memory, mover) in self.leaves.iter_mut().zip(movers) {
            memory.data = mover.after;
        }
        Rc::new(self)
    }
}
