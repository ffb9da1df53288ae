//! The cost of a session beyond its passes: `:step` and `:set` as commands, and the memory of a node.
//!
//! Memory is what the process has resident, read from `/proc`, so that table is empty on systems other than Linux.
//! `cargo bench --bench session`

mod common;

use std::fs;
use std::rc::Rc;

use chainrule::graph::live_nodes;
use chainrule::graph::{Order, Plan};
use chainrule::interpret;
use chainrule::session::Session;
use chainrule::syntax;
use common::recipe::{Sums, Tape, chain, moons, neuron};
use common::{row, table, time};

fn main() {
    memory();
    steps();
    changes();
}

fn run(session: &mut Session, text: &str) {
    for cut in syntax::statements(text) {
        let cut = cut.expect("the text can be cut");
        let reply = interpret::statement(session, text, &cut);
        assert!(reply.is_ok(), "{text}");
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
        let root = Rc::clone(session.names().get("v").expect("the script ends so"));
        let order = Order::below([&root]);
        let ordered = resident().unwrap_or(0);
        let mut plan = Plan::of(&root);
        // Touches all memory of the plan, so that it becomes resident.
        plan.forward();
        plan.backward();
        let planned = resident().unwrap_or(0);
        let each = |more: u64, less: u64| more.saturating_sub(less) as f64 / nodes as f64;
        let mut cells = vec![format!("chain of {count}, all named")];
        let parts = [(built, before), (ordered, built), (planned, ordered)];
        cells.extend(parts.map(|(more, less)| format!("{:.0}", each(more, less))));
        rows.push(cells);
        drop((order, plan));
    }
    table("memory", &rows);
}

fn resident() -> Option<u64> {
    let pages = fs::read_to_string("/proc/self/statm").ok()?;
    let pages: u64 = pages.split(' ').nth(1)?.parse().ok()?;
    Some(pages * 4096)
}
