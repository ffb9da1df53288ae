//! The cost of a pass: forward and backward over the graph of `Rc` nodes, and over a plan made from it.
//!
//! The workloads are W1 (a neuron), W2 (a layered random graph), W3 (a step of micrograd's demo) and W5 (a chain). A
//! single pass moves all leaves and recomputes everything above them; a first one (`first`) goes backward and finds its
//! order, and lowering (`lower`) finds it too. The yardstick is the flat tape in `common`, whose
//! derivative of tanh is `1 - out^2`; that of the calculator is also exact where this rounds to 0. `cargo bench --bench
//! passes`
//!
//! A second table compares with a peer: `CoDiPack`, Adept or Python, whichever the machine has. The peer records all
//! operations in each pass, so it stands beside a repeated pass of a plan, and beside building all nodes with a first
//! pass. Dropping the nodes is a figure of its own: a program that ends leaves that out.
//!
//! W3 is measured in two forms: with chains of `+`, and as lists make it, with a `sum` of many operands in each neuron.
//! A pass of the second form shall take at most 1.1 of one of the first.

// Like a test, a benchmark is read from top to bottom.
#![allow(clippy::shadow_unrelated, clippy::too_many_lines)]

mod common;

use std::hint::black_box;
use std::rc::Rc;

use chainrule_engine::graph::{Graph, Node, NodeId, Order, Pass, Plan};
use common::peer::Peer;
use common::recipe::{Recipe, Sums, Tape, chain, dag, moons, neuron};
use common::{row, table, time, time_made};

/// The name of a workload, and the function that makes its recipe.
type Work = (&'static str, fn() -> Recipe);

/// The two passes that a peer is compared with, in nanoseconds per operation, and their results.
struct Ours {
    /// Building all nodes.
    build: f64,
    /// Dropping them.
    drop: f64,
    /// The first pass.
    first: f64,
    /// A repeated pass of a plan.
    plan: f64,
    /// The value of the root, then the gradients of the leaves.
    numbers: Vec<f64>,
}

/// How far apart the numbers of two programs may be, relative to the larger one or to [`LEAST`].
const APART: f64 = 1e-9;

/// Gradients below this are differences of larger contributions, with the rounding errors of those.
const LEAST: f64 = 1e-3;

/// Sizes are numbers of operations; the last column is the time of a whole pass.
fn main() {
    let mut rows = vec![
        row([
            "ns an operation",
            "tape",
            "nodes",
            "",
            "",
            "",
            "",
            "ratio",
            "plan",
            "",
            "ratio",
            "us a pass",
        ]),
        row([
            "", "both", "order", "first", "forward", "backward", "both", "", "lower", "both", "",
            "plan",
        ]),
    ];
    let works: [Work; 8] = [
        ("W1 neuron", neuron),
        ("W2 dag 1e3", || dag(1_000)),
        ("W2 dag 1e5", || dag(100_000)),
        ("W2 dag 1e6", || dag(1_000_000)),
        ("W3 moons", || moons(Sums::Chains)),
        ("W3 with sums", || moons(Sums::Whole)),
        ("W5 chain 1e3", || chain(1_000)),
        ("W5 chain 1e6", || chain(1_000_000)),
    ];
    let asked: Vec<String> = std::env::args()
        .skip(1)
        .filter(|it| !it.starts_with('-'))
        .collect();
    let (peer, missing) = Peer::find();
    let theirs = peer.as_ref().map_or("no peer", |peer| peer.name);
    let mut beside = vec![row([
        "ns an operation",
        theirs,
        "plan",
        "ratio",
        "build",
        "first",
        "ratio of both",
        "drop",
        "numbers",
    ])];
    for (name, recipe) in works {
        if asked.is_empty() || asked.iter().any(|part| name.contains(part.as_str())) {
            let recipe = recipe();
            let (cells, ours) = measure(name, &recipe);
            rows.push(cells);
            beside.push(comparison(name, &recipe, &ours, peer.as_ref()));
        }
    }
    table("passes", &rows);
    let title: Vec<String> = [format!("passes beside {theirs}")]
        .into_iter()
        .chain(missing)
        .collect();
    table(&title.join("\n  "), &beside);
    sums();
}

/// A pass of the demo with sums of many operands, relative to one with chains.
fn sums() {
    let pass = |sums: Sums| {
        let recipe = moons(sums);
        let mut graph = Graph::default();
        let made = recipe.nodes(&mut graph);
        let mut plan = Plan::of(made.last().expect("a recipe has steps"));
        let begun = |place: usize| Some((plan.order().slot(&made[place])?, made[place].data()));
        let leaves: Vec<(usize, f64)> = recipe.leaves().into_iter().filter_map(begun).collect();
        let mut pass = move || {
            for &(slot, data) in &leaves {
                plan.set(slot, data - 1e-9 * plan.grads()[slot]);
            }
            plan.forward(None);
            plan.backward();
        };
        pass();
        pass
    };
    let (mut chains, mut whole) = (pass(Sums::Chains), pass(Sums::Whole));
    // In turns, so that other work on the machine disturbs both equally.
    let rounds = (0..5).map(|_| (time(&mut chains), time(&mut whole)));
    let (chains, whole) = rounds.fold((f64::MAX, f64::MAX), |least, took| {
        (least.0.min(took.0), least.1.min(took.1))
    });
    let rows = [
        row(["", "us a pass", "ratio", ""]),
        vec!["W3 with chains".into(), format!("{:.1}", chains / 1e3)],
        vec![
            "W3 with sums".into(),
            format!("{:.1}", whole / 1e3),
            format!("{:.2}x", whole / chains),
            if whole > 1.1 * chains {
                "MORE than 1.1"
            } else {
                ""
            }
            .into(),
        ],
    ];
    table("sums of many operands", &rows);
}

/// A row that compares our passes with those of the peer.
fn comparison(name: &str, recipe: &Recipe, ours: &Ours, peer: Option<&Peer>) -> Vec<String> {
    let measured = peer.and_then(|peer| peer.run(recipe));
    let pass = measured
        .as_ref()
        .map(|it| it.pass / recipe.operations() as f64);
    let ratio = |ns: f64| match pass.map(|pass| ns / pass) {
        None => String::new(),
        Some(ratio @ 0.1..) => format!("{ratio:.2}x"),
        Some(ratio) => format!("{ratio:.4}x"),
    };
    vec![
        name.to_string(),
        pass.map_or_else(String::new, |ns| format!("{ns:.1}")),
        format!("{:.1}", ours.plan),
        ratio(ours.plan),
        format!("{:.1}", ours.build),
        format!("{:.1}", ours.first),
        ratio(ours.build + ours.first),
        format!("{:.1}", ours.drop),
        measured.map_or_else(String::new, |it| difference(&ours.numbers, &it.numbers)),
    ]
}

/// The largest difference of two numbers in the same place, relative to the larger one or to [`LEAST`].
fn difference(ours: &[f64], theirs: &[f64]) -> String {
    if ours.len() != theirs.len() {
        return format!("{} INSTEAD of {}", theirs.len(), ours.len());
    }
    let pairs = ours.iter().zip(theirs);
    let apart = pairs.map(|(x, y)| (x - y).abs() / x.abs().max(y.abs()).max(LEAST));
    // In this order NaN is the largest.
    let apart = apart.max_by(f64::total_cmp).unwrap_or(0.0);
    let verdict = if apart <= APART { "" } else { " DIFFER" };
    format!("{apart:.0e}{verdict}")
}

fn measure(name: &str, recipe: &Recipe) -> (Vec<String>, Ours) {
    let count = recipe.operations() as f64;
    let places = recipe.leaves();
    let mut tape = Tape::of(recipe);
    // A descent step, but always from the same point: thousands of steps would overflow.
    let begun: Vec<f64> = places.iter().map(|&place| tape.data[place]).collect();
    let mut tape_pass = || {
        for (&place, data) in places.iter().zip(&begun) {
            tape.data[place] = data - 1e-9 * tape.grads[place];
        }
        tape.forward();
        tape.backward();
    };
    tape_pass();
    let tape_both = time(tape_pass) / count;

    let mut graph = Graph::default();
    let made = recipe.nodes(&mut graph);
    let root = made.last().expect("a recipe has steps");
    let leaves: Vec<Rc<Node>> = places
        .iter()
        .map(|&place| Rc::clone(&made[place]))
        .collect();
    let (build, dropped) = time_made(|| {
        let mut graph = Graph::default();
        (recipe.nodes(&mut graph), graph)
    });
    let (build, dropped) = (build / count, dropped / count);
    // Nothing keeps an order yet, so each of these makes its own.
    let order = time(|| drop(black_box(Order::below([root])))) / count;
    let first = time(|| drop(black_box(Pass::run(root, &graph)))) / count;
    let lower = time(|| drop(black_box(Plan::of(root)))) / count;
    let mut pass = Pass::run(root, &graph);
    let grads = leaves.iter().map(|leaf| pass.grad(leaf).unwrap_or(0.0));
    let numbers = std::iter::once(root.data()).chain(grads).collect();
    let mut exact = Tape::of(recipe);
    exact.backward();
    for (&place, leaf) in places.iter().zip(&leaves) {
        let (ours, theirs) = (pass.grad(leaf).unwrap_or(0.0), exact.grads[place]);
        assert!(
            (ours - theirs).abs() <= 1e-6 * ours.abs().max(1e-3),
            "{name}: tape and nodes disagree: {theirs} {ours}"
        );
    }
    // Each leaf moves back and forth, so that everything above it changes.
    let mut apart = 1e-9;
    let mut forward_pass = |graph: &mut Graph| {
        apart = -apart;
        for leaf in &leaves {
            graph.set(leaf, leaf.data() + apart);
        }
        graph.recompute(&leaves, NodeId::MAX, |_, _| {});
    };
    let forward = time(|| forward_pass(&mut graph)) / count;
    let backward = time(|| pass.refresh(&graph)) / count;
    // Both together take longer than their sum, because they exceed what the branch predictor can learn.
    let both = time(|| {
        forward_pass(&mut graph);
        pass.refresh(&graph);
    }) / count;

    let mut plan = Plan::of(root);
    let movers: Vec<(usize, f64)> = leaves
        .iter()
        .filter_map(|leaf| Some((plan.order().slot(leaf)?, leaf.data())))
        .collect();
    let plan_both = time(|| {
        for &(slot, data) in &movers {
            plan.set(slot, data - 1e-9 * plan.grads()[slot]);
        }
        plan.forward(None);
        plan.backward();
    });
    let mut cells = vec![name.to_string()];
    cells.extend([tape_both, order, first, forward, backward, both].map(|ns| format!("{ns:.1}")));
    cells.push(format!("{:.1}x", both / tape_both));
    cells.extend([lower, plan_both / count].map(|ns| format!("{ns:.1}")));
    cells.push(format!("{:.2}x", plan_both / count / tape_both));
    cells.push(format!("{:.3}", plan_both / 1e3));
    let ours = Ours {
        build,
        drop: dropped,
        first,
        plan: plan_both / count,
        numbers,
    };
    (cells, ours)
}
