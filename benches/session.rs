//! The cost of a session beyond its passes: `:step` and `:set` as commands, lists, and the memory of a node.
//!
//! Memory is what the process has resident, read from `/proc`, so that table is empty on systems other than Linux.
//! `cargo bench --bench session`

// Like a test, a benchmark is read from top to bottom.
#![allow(clippy::shadow_unrelated, clippy::too_many_lines)]

mod common;

use std::fmt::Write as _;
use std::fs;
use std::rc::Rc;
use std::time::Instant;

use chainrule::interpret;
use chainrule_engine::graph::{Graph, Node, Order, Plan, live_nodes};
use chainrule_language as language;
use chainrule_session::Session;
use common::recipe::{Sums, Tape, chain, moons, neuron};
use common::{row, table, time};

fn main() {
    memory();
    steps();
    changes();
    lists();
    fits();
}

fn run(session: &mut Session, text: &str) {
    for line in text.lines() {
        for cut in language::statements(line) {
            let cut = cut.expect("the line can be cut");
            if let Err(error) = interpret::statement(session, line, &cut) {
                panic!("{}: {line}", error.message);
            }
        }
    }
}

/// Many steps in one command, compared with the tape. The time includes the fixed cost of the command.
fn steps() {
    let mut rows = vec![row(["ns a step", "tape", ":step", "ratio"])];
    for (name, recipe, steps) in [
        ("W1 neuron, 100,000 steps", neuron(), 100_000),
        ("W3 moons, 100 steps", moons(Sums::Chains), 100),
    ] {
        let places = recipe.leaves();
        let mut tape = Tape::of(&recipe);
        let tape_step = time(|| {
            for &place in &places {
                tape.data[place] -= 1e-6 * tape.grads[place];
            }
            tape.forward();
            tape.backward();
        });
        let mut session = Session::new();
        run(&mut session, &recipe.script());
        let line = format!(":step 1e-6 {steps};");
        let ours = time(|| run(&mut session, &line)) / f64::from(steps);
        rows.push(vec![
            name.to_string(),
            format!("{tape_step:.0}"),
            format!("{ours:.0}"),
            format!("{:.2}x", ours / tape_step),
        ]);
    }
    table("steps", &rows);
}

/// Changes a leaf on which ten nodes of many depend.
fn changes() {
    let mut rows = vec![row([
        "us each",
        "first :set",
        ":set",
        ":undo :redo",
        "typed line",
    ])];
    for count in [1_000, 100_000, 1_000_000] {
        let mut session = Session::new();
        run(&mut session, &chain(count).script());
        run(&mut session, "side = 2; s0 = side;");
        for link in 1..=10 {
            run(&mut session, &format!("s{link} = s{}*1.5;", link - 1));
        }
        let start = std::time::Instant::now();
        run(&mut session, ":set side 3;");
        let first = start.elapsed().as_secs_f64() * 1e6;
        let set = time(|| run(&mut session, ":set side 4;\n:set side 5;")) / 2e3;
        let undo = time(|| run(&mut session, ":undo;\n:redo;")) / 1e3;
        let line = time(|| run(&mut session, "extra = side*2 + 1;")) / 1e3;
        let mut cells = vec![format!("{count} nodes")];
        cells.extend([first, set, undo, line].map(|us| format!("{us:.1}")));
        rows.push(cells);
    }
    table("changes of a leaf with ten dependents", &rows);
}

/// Bytes for each node of a chain: the session with its names, then the order of a pass, then a plan.
fn memory() {
    let mut rows = vec![row(["bytes a node", "session", "order", "plan"])];
    if let Some(before) = resident() {
        let mut session = Session::new();
        let count = 300_000;
        run(&mut session, &chain(count).script());
        let nodes = live_nodes() as u64;
        let built = resident().unwrap_or(0);
        let root = Rc::clone(session.names().find_node("v").expect("the script ends so"));
        let order = Order::below([&root]);
        let ordered = resident().unwrap_or(0);
        let mut plan = Plan::of(&root);
        // Touches all memory of the plan, so that it becomes resident.
        plan.forward(None);
        plan.backward();
        let planned = resident().unwrap_or(0);
        let each = |more: u64, less: u64| more.saturating_sub(less) as f64 / nodes as f64;
        let mut cells = vec![format!("chain of {count}, all named")];
        let parts = [(built, before), (ordered, built), (planned, ordered)];
        cells.extend(parts.map(|(more, less)| format!("{:.0}", each(more, less))));
        rows.push(cells);
        drop((order, plan));
        // All sessions live to the end, so that none takes memory that another has left.
        let mut sessions = vec![session];
        for body in ["0.5", "a*k"] {
            let (nodes, before) = (live_nodes() as u64, resident().unwrap_or(0));
            let mut session = Session::new();
            let line = format!("a = 0.5; w = [{body} for k in 1..{count}];");
            run(&mut session, &line);
            let nodes = live_nodes() as u64 - nodes;
            let bytes = resident().unwrap_or(0).saturating_sub(before) as f64;
            rows.push(vec![
                format!("list of {count} items {body}, {nodes} nodes"),
                format!("{:.0}", bytes / nodes as f64),
            ]);
            sessions.push(session);
        }
    }
    table("memory", &rows);
}

/// Lists: micrograd's demo as `examples/moons.calc` writes it, and long lists made by `for`. The last column is what the
/// project sets itself as a limit.
fn lists() {
    let mut rows = vec![row(["", "", "limit", ""])];
    let mut judged = |name: &str, found: f64, unit: &str, limit: f64| {
        rows.push(vec![
            name.to_string(),
            format!("{found:.3}{unit}"),
            format!("{limit}{unit}"),
            if found > limit { "MORE" } else { "" }.to_string(),
        ]);
    };
    let (script, mut session) = (moons_with_lists(), Session::new());
    let build = least_of(15, || build_time(&script));
    judged("moons with lists: build", build * 1e3, " ms", 5.0);
    run(&mut session, &script);
    let listed = Rc::clone(
        session
            .names()
            .find_node("loss")
            .expect("the script binds it"),
    );
    let mut graph = Graph::default();
    let flat = moons(Sums::Chains).nodes(&mut graph);
    let flat = flat.last().expect("a recipe has steps");
    let (mut of_lists, mut of_flat) = (pass(&listed), pass(flat));
    // In turns, so that other work on the machine disturbs both equally.
    let rounds = (0..5).map(|_| (time(&mut of_lists), time(&mut of_flat)));
    let (of_lists, of_flat) = rounds.fold((f64::MAX, f64::MAX), |least, took| {
        (least.0.min(took.0), least.1.min(took.1))
    });
    judged(
        "  a pass, to one of the flat script",
        of_lists / of_flat,
        "x",
        1.1,
    );
    for body in ["a*k", "k^2", "k"] {
        let script = format!("a = 0.5; w = [{body} for k in 1..1000000];");
        let took = least_of(3, || build_time(&script));
        judged(&format!("a million items of {body}"), took, " s", 0.15);
    }
    table("lists", &rows);
}

/// The lines of the example up to the loss; its data as lists of numbers, since the shell is not measured.
fn moons_with_lists() -> String {
    let data = include_str!("../examples/moons.csv");
    let mut columns = vec![Vec::new(); 3];
    for line in data.lines().skip(1) {
        for (column, number) in columns.iter_mut().zip(line.split(',')) {
            column.push(number);
        }
    }
    let mut text = String::new();
    let example = include_str!("../examples/moons.calc").lines();
    let is_code = |line: &&str| !line.starts_with('#');
    let lines = example.take_while(|line| !line.starts_with(":step"));
    for line in lines.filter(is_code) {
        if line.starts_with(":data") {
            for (name, column) in ["x1", "x2", "y"].iter().zip(&columns) {
                let _ = writeln!(text, "const {name} = [{}];", column.join(", "));
            }
        } else {
            text += line;
            text.push('\n');
        }
    }
    text
}

/// The seconds that a new session takes to run a script, without those to drop it.
fn build_time(script: &str) -> f64 {
    let mut session = Session::new();
    let start = Instant::now();
    run(&mut session, script);
    start.elapsed().as_secs_f64()
}

fn least_of(rounds: u32, mut work: impl FnMut() -> f64) -> f64 {
    (0..rounds).map(|_| work()).fold(f64::INFINITY, f64::min)
}

/// A pass on a plan, in which every free leaf moves.
fn pass(root: &Rc<Node>) -> impl FnMut() + use<> {
    let mut plan = Plan::of(root);
    let nodes = plan.order().nodes();
    let begun: Vec<(usize, f64)> = (0..nodes.len())
        .filter(|&slot| nodes[slot].is_free())
        .map(|slot| (slot, nodes[slot].data()))
        .collect();
    move || {
        for &(slot, data) in &begun {
            plan.set(slot, data - 1e-9 * plan.grads()[slot]);
        }
        plan.forward(None);
        plan.backward();
    }
}

fn resident() -> Option<u64> {
    let pages = fs::read_to_string("/proc/self/statm").ok()?;
    let pages: u64 = pages.split(' ').nth(1)?.parse().ok()?;
    Some(pages * 4096)
}

/// Fits of two decays and a constant, five leaves, each from the same start.
fn fits() {
    let mut rows = vec![row(["ms", ":fit", "limit", ""])];
    for (points, limit) in [(100, 1.0), (1_000, 10.0), (100_000, 1e3)] {
        let mut session = Session::new();
        let data = format!(
            "const t = [10k/{points} for k in 1..{points}];\n\
             const y = [3exp(-2*10k/{points}) + exp(-0.3*10k/{points}) + 0.01sin(7k) for k in 1..{points}];\n\
             c = [2, 1, 1, 0.1, 0];"
        );
        run(&mut session, &data);
        let fit = ":fit y ~ c[0]*exp(-c[1]*t) + c[2]*exp(-c[3]*t) + c[4];\n:undo;";
        let took = time(|| run(&mut session, fit)) / 1e6;
        rows.push(vec![
            format!("{points} points, 5 leaves"),
            format!("{took:.3}"),
            format!("{limit}"),
            if took > limit { "MORE" } else { "" }.to_string(),
        ]);
    }
    table("fits", &rows);
}
