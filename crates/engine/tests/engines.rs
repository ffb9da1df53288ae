//! Every way to a derivative, on random programs: the engines give the bits of a plain loop, also when data changes, and
//! that loop agrees with forward mode, with sums over paths and with differences. And sizes that would overflow the stack
//! by recursion.
//!
//! Whether the local derivatives themselves are right is tested by `tests/lock.rs` and `tests/reference.rs` of the
//! calculator. `PROGRAMS=1000000 cargo test --release -p chainrule-engine` tries more; `SEED` chooses other programs, and
//! with `PROGRAMS=1` repeats the program that a failure names.

// A test is read from top to bottom: it may be long, and use a short name twice.
#![allow(clippy::shadow_unrelated, clippy::too_many_lines)]

mod programs;

use std::collections::{HashMap, HashSet};
use std::io::Write as _;
use std::rc::Rc;

use chainrule_engine::graph::{
    Graph, Jacobian, NEWEST_FIRST, Node, NodeId, Order, Pass, PathSubgraph, Plan, Spelling,
    gradients, live_nodes, sweep_one_node,
};
use chainrule_engine::ops::{self, TABLE};
use programs::{Forward, Program, Random, Step, function, infix, same_bits};

/// The largest error of dual numbers, relative to the magnitude of the terms. (A chain of 60 products has about 1e-14.)
const DUALS: f64 = 1e-12;

/// Products below the smallest double may be lost.
const LOST: f64 = 4.0 * 5e-324;

/// The grads of a sweep from `root`, as a plain loop over the nodes finds them.
fn plain_grads(order: &Order, root: &Node) -> Vec<f64> {
    let nodes = order.nodes();
    let places: HashMap<NodeId, usize> = nodes.iter().map(|node| node.id()).zip(0..).collect();
    let mut grads = vec![0.0; nodes.len()];
    grads[places[&root.id()]] = 1.0;
    for (place, node) in nodes.iter().enumerate() {
        let broken = || node.operands().iter().any(|below| below.data().is_nan());
        for (operand, local) in node.operands().iter().zip(node.locals()) {
            // Constants have no place.
            if let Some(&below) = places.get(&operand.id()) {
                assert!(below > place, "users come before their operands");
                grads[below] += ops::chain(grads[place], local, node.data(), broken);
            }
        }
    }
    grads
}

/// Sets data of leaves, and checks that exactly what changes is told, operands first.
fn change(program: &mut Program, changed: &[Rc<Node>], data: &[f64]) {
    let before: Vec<f64> = program.nodes.iter().map(|node| node.data()).collect();
    for (leaf, data) in changed.iter().zip(data) {
        program.graph.set(leaf, *data);
    }
    let mut told: Vec<(NodeId, u64)> = Vec::new();
    let mut tell = |node: &Rc<Node>, was: f64| told.push((node.id(), was.to_bits()));
    program.graph.recompute(changed, NodeId::MAX, &mut tell);
    let values = program.values(&[]);
    let mut moved = Vec::new();
    for (at, node) in program.nodes.iter().enumerate() {
        assert!(same_bits(node.data(), values[at]), "@{}", node.id());
        if node.op().is_some() && !same_bits(values[at], before[at]) {
            moved.push((node.id(), before[at].to_bits()));
        }
    }
    assert_eq!(told, moved);
}

/// Compares all engines with a plain loop, now and after changes: in some rounds nothing changes between two passes, in
/// others one leaf or all.
fn compare_engines(program: &mut Program, random: &mut Random, rounds: usize) {
    let root = Rc::clone(&program.nodes[program.root()]);
    let mut pass = Pass::run(&root, &program.graph);
    let mut plan = Plan::of(&root);
    let order = plan.order().clone();
    let below = order.nodes();
    assert!(Rc::ptr_eq(&below[0], &root), "the root is on top");
    let leaves = below.iter().filter(|node| node.is_leaf()).cloned();
    let leaves: Vec<Rc<Node>> = leaves.collect();
    let mut jacobian = Jacobian::of(std::slice::from_ref(&root), &leaves);
    for round in 0..=rounds {
        let plain = plain_grads(&order, &root);
        let same = |way: &str, grads: &[f64]| {
            for ((node, got), want) in below.iter().zip(grads).zip(&plain) {
                let told = || format!("{way}, round {round}, @{}: {got} {want}", node.id());
                assert!(same_bits(*got, *want), "{}", told());
            }
        };
        same("a sweep", &gradients(&order, &root, |_| {}));
        same("a new pass", Pass::run(&root, &program.graph).grads());
        same("the pass", pass.grads());
        plan.forward(None);
        plan.backward();
        assert!(same_bits(plan.root_data(), root.data()), "round {round}");
        same("the plan", plan.grads());
        let mut walk = vec![0.0; below.len()];
        walk[0] = 1.0;
        (0..walk.len()).for_each(|slot| sweep_one_node(&order, slot, &mut walk, |_, _| {}));
        same("a walk", &walk);
        let row = jacobian.rows();
        for (leaf, got) in leaves.iter().zip(&row) {
            let want = plain[order.slot(leaf).expect("it is below the root")];
            assert!(same_bits(*got, want), "a Jacobian, round {round}");
        }
        // An inner node of a plan can be changed like a leaf.
        let (slot, data) = (random.below(below.len()), random.number());
        let place = program
            .nodes
            .iter()
            .position(|it| Rc::ptr_eq(it, &below[slot]));
        let values = program.values(&[(place.expect("it is a step"), data)]);
        let before = plan.data()[slot];
        plan.set(slot, data);
        plan.forward(Some(slot));
        assert!(same_bits(plan.root_data(), values[program.root()]));
        plan.set(slot, before);

        let some = random.below(leaves.len());
        let changed = [&leaves[some..=some], &leaves[..], &[]][round % 3];
        let data: Vec<f64> = changed.iter().map(|_| random.number()).collect();
        change(program, changed, &data);
        for leaf in &leaves {
            plan.set(order.slot(leaf).expect("it is below"), leaf.data());
        }
        let data: Vec<f64> = leaves.iter().map(|leaf| leaf.data()).collect();
        assert!(same_bits(jacobian.values(&data)[0], root.data()));
        pass.refresh(&program.graph);
    }
}

#[test]
fn every_engine_gives_the_bits_of_a_plain_loop() {
    let mut random = Random(337);
    for size in [10, 60, 200, 990, NEWEST_FIRST, 3 * NEWEST_FIRST] {
        for _ in 0..4 {
            let mut program = Program::random(&mut random, size);
            compare_engines(&mut program, &mut random, 4);
        }
    }
    for round in 0..60 {
        let samples = if round % 10 == 0 {
            150
        } else {
            1 + random.below(40)
        };
        let mut program = Program::in_step(&mut random, samples);
        compare_engines(&mut program, &mut random, 4);
    }
}

/// What a run has compared.
#[derive(Default)]
struct Figures {
    /// Gradients compared with dual numbers.
    duals: u64,
    /// Gradients compared with differences.
    differences: u64,
    uses: Vec<u64>,
}

/// The magnitudes of the upstream gradients of each node.
fn upstream(program: &Program, values: &[f64], root: usize) -> Vec<f64> {
    let mut up = vec![0.0; program.steps.len()];
    up[root] = 1.0;
    for at in (0..=root).rev() {
        if let Step::Apply(op, from) = &program.steps[at] {
            let operands: Vec<f64> = from.iter().map(|&at| values[at]).collect();
            for (place, &below) in from.iter().enumerate() {
                if program.nodes[below].varies() && up[at] > 0.0 {
                    up[below] += up[at] * op.locals(&operands, values[at])[place].abs();
                }
            }
        }
    }
    up
}

/// Compares the gradients of a pass with forward mode, sums over paths and differences.
fn compare_ways(program: &Program, figures: &mut Figures) {
    let root = program.root();
    let pass = Pass::run(&program.nodes[root], &program.graph);
    for leaf in program.leaves() {
        let node = &program.nodes[leaf];
        let Some(grad) = pass.grad(node) else {
            continue;
        };
        let at = program.forward(leaf, &[]);
        for (value, node) in at.values.iter().zip(&program.nodes) {
            assert!(same_bits(*value, node.data()), "@{}: {value}", node.id());
        }
        let up = upstream(program, &at.values, root);
        let lost: f64 = up.iter().chain(&at.magnitudes).sum::<f64>() * LOST;
        if !at.finite || !lost.is_finite() {
            continue;
        }
        let paths = PathSubgraph::between(&program.nodes[root], node).expect("there is one");
        for (way, got) in [
            ("the pass", grad),
            ("the sum over paths", paths.derivatives()[paths.root]),
        ] {
            let want = at.tangents[root];
            assert!(
                (got - want).abs() <= DUALS * at.magnitudes[root] + lost,
                "n{leaf}: {way} gives {got:e}, forward mode {want:e}"
            );
        }
        figures.duals += 1;
        if let Some((difference, allowed)) = difference(program, leaf, &at, lost) {
            assert!(
                (grad - difference).abs() <= allowed,
                "n{leaf}: the pass gives {grad:e}, differences {difference:e} ± {allowed:e}"
            );
            figures.differences += 1;
        }
    }
}

/// The central difference and its possible error. `None` if the program is not smooth there: at a kink, or if the
/// derivative changes much or the value jumps within the step.
fn difference(program: &Program, leaf: usize, at: &Forward, lost: f64) -> Option<(f64, f64)> {
    let (root, data) = (program.root(), program.nodes[leaf].data());
    // The step is limited so that no node moves far: across several periods of a fast wave, differences mean nothing.
    let tangents = at.tangents.iter();
    let fastest = tangents.fold(0.0, |most: f64, it| most.max(it.abs()));
    let h = (1e-5 * data.abs().max(1e-3)).min(1e-3 / fastest);
    if h < 1e-11 * data.abs() {
        return None;
    }
    let steps = [-h, -h / 2.0, h / 2.0, h];
    let near = steps.map(|by| program.forward(leaf, &[(leaf, data + by)]));
    let is_rough = |near: &Forward| !near.finite || !near.smooth || program.jumps(at, near);
    if !at.smooth || near.iter().any(is_rough) {
        return None;
    }
    let slope = at.tangents[root];
    let most = |of: &dyn Fn(&Forward) -> f64| near.iter().map(of).fold(0.0, f64::max);
    let spread = most(&|near| (near.tangents[root] - slope).abs());
    let wide = (near[3].values[root] - near[0].values[root]) / (2.0 * h);
    let narrow = (near[2].values[root] - near[1].values[root]) / h;
    // Values are exact up to a few units in the last place, and errors propagate with the derivatives.
    let blur = most(&|near| near.blur[root]);
    let rounding = (64.0 * f64::EPSILON * blur + lost) / h + lost;
    let allowed = 2.0 * spread + rounding + 1e-9 * at.magnitudes[root];
    let scale = at.magnitudes[root].max(slope.abs());
    let telling = allowed <= 0.05 * scale || scale == 0.0 && allowed < 1e-3;
    (telling && (wide - narrow).abs() <= allowed).then_some((narrow, allowed))
}

/// Prints which program fails when it is dropped during a panic.
struct Told(u64, Vec<String>);

impl Drop for Told {
    fn drop(&mut self) {
        if std::thread::panicking() {
            let (seed, lines) = (self.0, self.1.join("\n"));
            let told = format!("PROGRAMS=1 SEED={seed} is this program:\n{lines}\n");
            let _ = std::io::stderr().write_all(told.as_bytes());
        }
    }
}

fn from_environment(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).map_or(otherwise, |text| text.parse().expect("it is a number"))
}

#[test]
fn the_ways_to_a_derivative_agree() {
    let (first, programs) = (
        from_environment("SEED", 1),
        from_environment("PROGRAMS", 10_000),
    );
    let mut figures = Figures {
        uses: vec![0; TABLE.len()],
        ..Figures::default()
    };
    for seed in first..first.wrapping_add(programs) {
        let mut random = Random(seed.wrapping_mul(0x2545_F491_4F6C_DD1D));
        // Mostly sizes that people write; some above the size at which the order of a pass is determined differently.
        let size = match random.below(1_000) {
            0 => NEWEST_FIRST + 500 + random.below(500),
            1..=20 => 100 + random.below(300),
            _ => 4 + random.below(40),
        };
        let mut program = Program::random(&mut random, size);
        let _told = Told(seed, program.lines());
        compare_ways(&program, &mut figures);
        compare_engines(&mut program, &mut random, 1);
        for step in &program.steps {
            if let Step::Apply(op, _) = step {
                figures.uses[usize::from(op.row)] += 1;
            }
        }
    }
    if programs < 10_000 {
        return;
    }
    let Figures {
        duals,
        differences,
        uses,
    } = figures;
    assert!(duals > 14_000, "only {duals} duals");
    assert!(differences > 5_000, "only {differences} differences");
    for (op, uses) in TABLE.iter().zip(uses) {
        assert!(uses > 20, "{} was used {uses} times only", op.name);
    }
}

#[test]
fn a_row_of_a_jacobian_is_the_pass_from_its_root() {
    let mut random = Random(11);
    for size in [12, 60, 300, NEWEST_FIRST / 3] {
        for _ in 0..20 {
            let mut program = Program::random(&mut random, size);
            let mut one_of = || Rc::clone(&program.nodes[random.below(program.nodes.len())]);
            let mut roots: Vec<Rc<Node>> = (0..7).map(|_| one_of()).collect();
            roots.push(program.graph.constant(3.0, Spelling::Plain));
            let all = program.leaves().take(5);
            let mut leaves: Vec<Rc<Node>> = all.map(|at| Rc::clone(&program.nodes[at])).collect();
            let count = leaves.len();
            leaves.push(Rc::clone(&leaves[0]));
            let mut jacobian = Jacobian::of(&roots, &leaves);
            for _ in 0..2 {
                let data: Vec<f64> = leaves.iter().map(|leaf| leaf.data()).collect();
                let values = jacobian.values(&data);
                let rows = jacobian.rows();
                assert_eq!(rows.len(), roots.len() * leaves.len());
                for ((root, value), row) in roots.iter().zip(values).zip(rows.chunks(leaves.len()))
                {
                    assert!(same_bits(value, root.data()), "{size}");
                    let pass = Pass::run(root, &program.graph);
                    for (leaf, got) in leaves.iter().zip(row) {
                        let want = pass.grad(leaf).unwrap_or(0.0);
                        assert!(same_bits(*got, want), "{size}: {got} {want}");
                    }
                }
                let data: Vec<f64> = (0..count).map(|_| random.number()).collect();
                change(&mut program, &leaves[..count], &data);
            }
        }
    }
}

/// The grads of added sweeps are the sums of the grads of each, in the order of the sweeps, whenever they are asked for.
#[test]
fn sweeps_add_up_in_their_order() {
    let mut random = Random(7);
    for round in 0..200 {
        let program = Program::random(&mut random, 45);
        let varying = program.nodes.iter().filter(|node| node.varies());
        let nodes: Vec<&Rc<Node>> = varying.collect();
        let roots: Vec<&Rc<Node>> = (0..12).map(|_| nodes[random.below(nodes.len())]).collect();
        let mut pass = Pass::run(roots[0], &program.graph);
        for (place, root) in roots.iter().enumerate().skip(1) {
            let before = pass.clone();
            pass.accumulate(root, &program.graph);
            assert!(Rc::ptr_eq(pass.root(), root));
            if random.below(3) == 0 {
                let distinct = |count: usize| {
                    let ids = roots[..count].iter().map(|root| root.id());
                    ids.collect::<HashSet<_>>().len()
                };
                assert_eq!(pass.roots().len(), distinct(place + 1));
                assert_eq!(before.roots().len(), distinct(place));
            }
        }
        for node in nodes {
            let mut sum: Option<f64> = None;
            for root in &roots {
                let order = Order::below([*root]);
                let grad = order.slot(node).map(|slot| plain_grads(&order, root)[slot]);
                sum = grad.map(|grad| sum.unwrap_or(0.0) + grad).or(sum);
            }
            let got = pass.grad(node);
            let same = got.zip(sum).map(|(got, sum)| same_bits(got, sum));
            let is_right = same.unwrap_or(got.is_none() && sum.is_none());
            assert!(is_right, "round {round}, @{}: {got:?} {sum:?}", node.id());
        }
    }
}

/// Value and gradients of `sum` and `prod` are those of a chain of `+` and `*`, to the bit. Where the value is NaN, a
/// gradient of the chain may be NaN and that of the product infinite: neither is a plausible number. A 0 that arises by
/// underflow absorbs such a NaN in the product, while in the chain the NaN is there before it.
#[test]
fn sums_and_products_are_chains() {
    const SPECIAL: [f64; 10] = [
        0.0,
        -0.0,
        f64::INFINITY,
        f64::NEG_INFINITY,
        f64::NAN,
        1e200,
        -1e200,
        1e-200,
        5e-324,
        2.5,
    ];
    let mut random = Random(15);
    for round in 0..20_000 {
        let odd = random.below(3);
        let mut value = |_| match random.below(3) {
            at if at < odd => SPECIAL[random.below(SPECIAL.len())],
            _ => random.unit() * 4.0 - 2.0,
        };
        let values: Vec<f64> = (0..2 + round % 6).map(&mut value).collect();
        for (name, sign) in [("sum", "+"), ("prod", "*")] {
            let mut graph = Graph::default();
            let leaves = values.iter().map(|&data| graph.leaf(data, false));
            let leaves: Vec<Rc<Node>> = leaves.collect();
            let whole = graph.apply(function(name), &leaves);
            let mut links = leaves.iter().cloned();
            let first = links.next().expect("there is an operand");
            let chain = links.fold(first, |chain, link| {
                graph.apply(infix(sign), &[chain, link])
            });
            assert!(same_bits(whole.data(), chain.data()), "{name}{values:?}");
            let tiny = |x: &f64| *x != 0.0 && x.abs() < 1e-100;
            if whole.data().is_nan() && values.iter().any(tiny) {
                continue;
            }
            let [whole, chain] = [whole, chain].map(|root| Pass::run(&root, &graph));
            for leaf in &leaves {
                let (got, want) = (whole.grad(leaf), chain.grad(leaf));
                let (got, want) = got.zip(want).expect("both depend on it");
                let fine = same_bits(got, want) || !got.is_finite() && want.is_nan();
                assert!(fine, "{name}{values:?}: {got} is not {want}");
            }
        }
    }
}

fn small_stack(work: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(2 << 20);
    let thread = thread.spawn(work).expect("a thread starts");
    thread.join().expect("the work ends well");
}

#[test]
fn a_million_nodes_go_both_ways_and_drop() {
    small_stack(|| {
        let before = live_nodes();
        let mut graph = Graph::default();
        let x = graph.leaf(0.75, false);
        let mut root = Rc::clone(&x);
        for step in 0..1_000_000 {
            let (op, by) = [(infix("*"), 0.999_999), (infix("+"), 1e-6)][step % 2];
            let by = graph.constant(by, Spelling::Plain);
            root = graph.apply_2(op, root, by);
        }
        let pass = Pass::run(&root, &graph);
        let grad = pass.grad(&x).expect("x is below the root");
        assert!((grad - (-0.5_f64).exp()).abs() < 1e-6, "{grad}");
        let mut plan = Plan::of(&root);
        plan.forward(None);
        plan.backward();
        assert_eq!(plan.root_data().to_bits(), root.data().to_bits());
        drop((pass, plan, root, x));
        assert_eq!(live_nodes(), before);
    });
}

#[test]
fn a_hundred_thousand_added_sweeps_drop() {
    small_stack(|| {
        let mut graph = Graph::default();
        let leaves: Vec<Rc<Node>> = (0..100_000).map(|_| graph.leaf(1.0, false)).collect();
        let root = graph.apply(function("sum"), &leaves);
        let mut pass = Pass::run(&root, &graph);
        for leaf in &leaves {
            pass.accumulate(leaf, &graph);
        }
        assert_eq!(pass.grad(&leaves[0]), Some(2.0));
        for leaf in &leaves[1..] {
            pass.accumulate(leaf, &graph);
        }
        drop(pass);
    });
}
