//! Runs gradient descent for `:step`: moves the free leaves of a root against their gradients, once or several times.
//!
//! The first step uses the current gradients, including gradients that are sums of several passes. If they are stale, a
//! new pass runs first. The steps run on a plan, and end before a step that would make the root infinite or NaN. Then
//! there is one new pass.

use std::rc::{Rc, Weak};

use rustc_hash::FxHashSet;

use crate::history::Setting;
use crate::host::setting_text;
use crate::limits::MOST_LEAVES_OF_PATH;
use crate::state::{Session, Write};
use crate::steps::{LeafData, Mover, Optimizer, StepRule, TrailPoint};
use crate::tags::TagWrite;
use crate::target::TargetKey;
use crate::uncertainty::Widths;
use chainrule_engine::graph::{Node, Order, Pass, Plan};
use chainrule_report::Note;
use chainrule_stop as stop;

/// The number of first steps that the host is told about one by one.
const ANNOUNCED_STEPS: u64 = 64;

/// The number of nodes between later calls of the host: a step over a few nodes takes less time than such a call.
const NODES_BETWEEN_CALLS: usize = 1 << 12;

/// The result of `:step`.
#[derive(Debug)]
pub struct Descent {
    /// The root.
    pub root: Rc<Node>,
    /// The number of steps that were done.
    pub steps: u64,
    /// The root's data before the first step and after each step.
    pub values: Vec<f64>,
    /// The free leaves, in the order of the pass.
    pub movers: Vec<Mover>,
    /// The number of earlier steps that the rule remembers; `None` if the session had no optimizer.
    pub earlier: Option<u64>,
    /// The node that the next step would have made NaN or infinite, with that data. The step was not done.
    pub too_far: Option<(Rc<Node>, f64)>,
    /// Whether Ctrl-C came before all steps were done.
    pub is_interrupted: bool,
    /// A note about a node that became NaN or infinite.
    pub note: Option<Note>,
    /// The data of all movers before the first step, after the first step, and so on; `None` if too many leaves move.
    path: Option<Vec<f64>>,
}

impl Descent {
    /// The descent before its first step.
    fn new(root: &Rc<Node>, movers: Vec<Mover>, earlier: Option<u64>) -> Descent {
        let are_few = movers.len() <= MOST_LEAVES_OF_PATH;
        Descent {
            root: Rc::clone(root),
            steps: 0,
            values: vec![root.data()],
            path: are_few.then(|| movers.iter().map(|mover| mover.before).collect()),
            movers,
            earlier,
            too_far: None,
            is_interrupted: false,
            note: None,
        }
    }

    /// Adds a step that gives the leaves this data and the root this value.
    fn add_step(&mut self, next_data: &[f64], value: f64) {
        for (mover, data) in self.movers.iter_mut().zip(next_data) {
            mover.after = *data;
        }
        if let Some(path) = &mut self.path {
            path.extend(next_data);
        }
        self.values.push(value);
        self.steps += 1;
    }

    /// The data of the leaves after this number of steps.
    fn place(&self, steps: usize) -> LeafData {
        let width = self.movers.len().max(1);
        let row = (self.path.as_ref()).and_then(|path| path.chunks_exact(width).nth(steps));
        let leaves = self.movers.iter().map(|mover| mover.leaf.id());
        leaves.zip(row.into_iter().flatten().copied()).collect()
    }

    /// The root or the first leaf that is finite and that such a step would make NaN or infinite, and its data then.
    fn first_not_finite(&self, next_data: &[f64], value: f64) -> Option<(Rc<Node>, f64)> {
        let was_finite = self.values.last().is_none_or(|last| last.is_finite());
        if was_finite && !value.is_finite() {
            return Some((Rc::clone(&self.root), value));
        }
        let mut moved = self.movers.iter().zip(next_data);
        let (mover, data) = moved.find(|(it, data)| it.after.is_finite() && !data.is_finite())?;
        Some((Rc::clone(&mover.leaf), *data))
    }
}

impl Session {
    /// Moves the free leaves of `root`, one step for each rate. Nothing changes if no step can be done.
    pub fn descend(&mut self, root: &Rc<Node>, rates: &[f64], rule: StepRule) -> Descent {
        stop::ask_now();
        let target = self.targets().moved_key(root);
        let movers = self.movers(root);
        let last = self.steps.optimizer.as_ref();
        let mut optimizer = Optimizer::continue_or_new(last, rule, target.clone(), &movers);
        let earlier = last.map(|_| optimizer.steps);
        let mut descent = Descent::new(root, movers, earlier);
        self.run_steps(rates, &mut optimizer, &mut descent);
        self.host.0.end_progress();
        descent.is_interrupted = descent.steps < rates.len() as u64 && descent.too_far.is_none();
        if descent.steps > 0 {
            self.apply_steps(target, &mut descent);
        }
        // A loaded file must not repeat steps that were stopped, nor steps that go on from these: they would end elsewhere.
        optimizer.has_stopped |= descent.is_interrupted;
        self.keeping().has_stopped = optimizer.has_stopped;
        self.keeping().count_work(optimizer.work);
        // After a step that led too far, the optimizer remembers that step and cannot continue.
        if descent.too_far.is_none() && rule != StepRule::Plain {
            let next = optimizer.with_data(&descent.movers);
            self.write(Write::Optimizer(Some(next)));
        }
        descent
    }

    /// The free leaves below a root, with their gradients: those of the last pass, on the current data, if it is from
    /// this root, or those of a new pass.
    fn movers(&self, root: &Rc<Node>) -> Vec<Mover> {
        let mut pass = match self.pass() {
            Some(last) if Rc::ptr_eq(last.root(), root) => Rc::clone(last),
            _ => Rc::new(Pass::run(root, &self.program.graph)),
        };
        if pass.clock() != self.program.graph.clock() {
            Rc::make_mut(&mut pass).refresh(&self.program.graph);
        }
        let below = Order::below([root]);
        let mut movers = Vec::new();
        for leaf in below.nodes().iter().filter(|node| node.is_free()) {
            let grad = pass.grad(leaf).unwrap_or(0.0);
            movers.push(Mover {
                leaf: Rc::clone(leaf),
                before: leaf.data(),
                grad,
                after: leaf.data(),
                new_grad: grad,
            });
        }
        movers
    }

    /// Runs the steps on a plan, until one would make the root or a leaf NaN or infinite, or the host stops.
    fn run_steps(&self, rates: &[f64], optimizer: &mut Optimizer, descent: &mut Descent) {
        let mut plan = Plan::of(&descent.root);
        let node_count = plan.order().nodes().len();
        let slot = |mover: &Mover| plan.order().slot(&mover.leaf);
        let slots: Vec<usize> = descent.movers.iter().filter_map(slot).collect();
        let mut next_data = vec![0.0; slots.len()];
        let mut nodes_since_call = 0;
        for &rate in rates {
            if descent.steps < ANNOUNCED_STEPS || nodes_since_call >= NODES_BETWEEN_CALLS {
                nodes_since_call = 0;
                if descent.steps > 0 && self.host.0.stop() {
                    return;
                }
                self.announce_step(rates.len(), plan.root_data(), descent);
            }
            nodes_since_call += node_count;
            optimizer.work += node_count as u64;
            optimizer.step(rate, &descent.movers, &mut next_data);
            for (data, &leaf_slot) in next_data.iter().zip(&slots) {
                plan.set(leaf_slot, *data);
            }
            plan.forward(None);
            let value = plan.root_data();
            descent.too_far = descent.first_not_finite(&next_data, value);
            if descent.too_far.is_some() {
                return;
            }
            descent.add_step(&next_data, value);
            if descent.steps < rates.len() as u64 {
                plan.backward();
                for (mover, &leaf_slot) in descent.movers.iter_mut().zip(&slots) {
                    mover.new_grad = plan.grads()[leaf_slot];
                }
            }
        }
    }

    /// Tells the host that the next of `all` steps begins, with the value of the root.
    fn announce_step(&self, all: usize, value: f64, descent: &Descent) {
        let data_now = |mover: &Mover| (self.label(&mover.leaf), mover.after);
        let setting = || setting_text(descent.movers.iter().map(data_now));
        let host = &self.host.0;
        host.progress(descent.steps, all as u64, value, Some(&setting));
    }

    /// Moves the leaves to their data after the last step, as one change, and runs the final pass.
    fn apply_steps(&mut self, target: TargetKey, descent: &mut Descent) {
        let setting = |mover: &Mover| Setting {
            leaf: Rc::clone(&mover.leaf),
            data: mover.after,
        };
        let settings: Vec<Setting> = descent.movers.iter().map(setting).collect();
        descent.note = self.set(&settings, Widths::new(), |_, _| {});
        if let Some(last) = descent.values.last_mut() {
            *last = descent.root.data();
        }
        let root = Rc::downgrade(&descent.root);
        let place = |steps: usize| descent.place(steps);
        let longer = (self.steps.trails).growth_by(target, root, &descent.values, place, false);
        self.write(Write::Trail(Box::new(longer)));
        let is_from_root = |pass: &Rc<Pass>| Rc::ptr_eq(pass.root(), &descent.root);
        if !self.recent.pass.as_ref().is_some_and(is_from_root) {
            self.drop_claims();
        }
        let pass = Pass::run(&descent.root, &self.program.graph);
        for mover in &mut descent.movers {
            mover.new_grad = pass.grad(&mover.leaf).unwrap_or(0.0);
        }
        self.recent.pass = Some(Rc::new(pass));
    }

    /// Adds the values before each step of a loop to the trail of a target.
    pub fn add_steps(&mut self, target: TargetKey, root: Weak<Node>, values: &[f64]) {
        let longer = (self.steps.trails).growth_by(target, root, values, |_| Box::default(), true);
        self.write(Write::Trail(Box::new(longer)));
    }

    /// The root's values over all its steps so far: the trail of one of its names, or the trail of its node.
    pub fn trail(&self, root: &Node) -> Option<&[TrailPoint]> {
        let names = self.names.plain_of(root);
        let by_name = names.map(|name| TargetKey::Name(name.into()));
        let mut keys = by_name.chain([TargetKey::Node(root.id())]);
        keys.find_map(|key| self.steps.trails.of(&key))
    }

    /// The data of two leaves over all steps of a root so far. `None` if no step is known with one of them.
    pub fn path(&self, root: &Rc<Node>, leaves: [&Rc<Node>; 2]) -> Option<Vec<(f64, f64)>> {
        let mut path = Vec::new();
        for point in self.trail(root)? {
            let kept = leaves.map(|leaf| point.data(leaf.id()));
            // Before its name was rebound, the root may have had other leaves.
            if kept == [None, None] {
                continue;
            }
            // A point lacks leaves that the step did not move. Their data is the present one.
            let [across, up] = [0, 1].map(|at| kept[at].unwrap_or_else(|| leaves[at].data()));
            path.push((across, up));
        }
        path.dedup();
        (!path.is_empty()).then_some(path)
    }

    /// The lists among the leaves of a target, in the order of their bindings, if some of them may be measurements and
    /// not parameters, so that `:step` asks before it moves them. There is no doubt, and no list here, if a leaf in a list
    /// is frozen, if the user has typed `all`, or if fewer than two lists are no weights of a network.
    pub fn lists_in_doubt(&self, target: &Rc<Node>, leaves: &[Rc<Node>]) -> Vec<String> {
        // A leaf that was rebound has a former name.
        let is_former = |leaf: &Rc<Node>| {
            let first = self.names.first_name_or_former(leaf);
            first.is_some_and(|it| it.loss > 0)
        };
        if self.steps.all_moves.of(target).is_some() && !leaves.iter().any(is_former) {
            return Vec::new();
        }
        let (mut known, mut lists) = (FxHashSet::default(), Vec::new());
        for leaf in leaves {
            let Some(list) = self.names.list_name_of(leaf) else {
                continue;
            };
            if leaf.is_frozen() {
                return Vec::new();
            }
            let name = self.names.name(list.name);
            if known.insert(list.key()) && !self.program.functions.is_weight_list(name) {
                lists.push(self.names.name_without_place(list).into_owned());
            }
        }
        if lists.len() < 2 { Vec::new() } else { lists }
    }

    /// Lets all lists below a target move, until one of its leaves is rebound.
    pub fn let_all_move(&mut self, target: &Rc<Node>) {
        self.write(Write::AllMove(TagWrite::new(target, Some(()))));
    }
}
