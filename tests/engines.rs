//! The graph's engines: sizes that would overflow the stack by recursion, shared nodes, every way through a graph compared
//! with a plain loop, and memory leaks.

use std::collections::HashMap;
use std::rc::Rc;

use crate::common::{Desk, Random, same_bits};
use chainrule_engine::graph::{
    Graph, Jacobian, NEWEST_FIRST, Node, NodeId, Order, Pass, PathSubgraph, Plan, Spelling,
    gradients, live_nodes, sweep_one_node,
};
use chainrule_engine::ops;
use chainrule_engine::ops::Shape;

fn small_stack(work: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new()
        .stack_size(2 << 20)
        .spawn(work)
        .expect("a thread starts");
    thread.join().expect("the work ends well");
}

#[test]
fn a_million_nodes_go_both_ways_and_drop() {
    small_stack(|| {
        let before = live_nodes();
        let (plus, times) = (infix("+"), infix("*"));
        let mut graph = Graph::default();
        let x = graph.leaf(0.75, false);
        let mut root = Rc::clone(&x);
        for step in 0..1_000_000 {
            let (op, by) = [(times, 0.999_999), (plus, 1e-6)][step % 2];
            let by = graph.constant(by, Spelling::Plain);
            root = graph.apply_2(op, root, by);
        }
        let pass = Pass::from(&root, &graph);
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

fn infix(spelling: &str) -> &'static ops::Op {
    ops::operator(spelling, Shape::Infix).expect("the operator has a row")
}

#[test]
fn doubling_a_thousand_times_costs_a_thousand_nodes() {
    let mut desk = Desk::with(&["x = 1", "y = x"]);
    let made = desk.session.newest_id();
    for _ in 0..1_000 {
        desk.line("y = y + y;");
    }
    assert_eq!(desk.session.newest_id() - made, 1_000);
    desk.line(":grad y;");
    assert_eq!(desk.grad("x"), 2.0_f64.powi(1_000));
}

/// The grads of added sweeps are the sums of the grads of each, in the order of the sweeps, whenever they are asked for.
#[test]
fn sweeps_add_up_in_their_order() {
    let (plus, times) = (infix("+"), infix("*"));
    let (mut graph, mut random) = (Graph::default(), Random(7));
    let mut nodes: Vec<Rc<Node>> = (0..5)
        .map(|_| graph.leaf(random.unit() - 0.5, false))
        .collect();
    for _ in 0..40 {
        let mut one = || Rc::clone(&nodes[random.below(nodes.len())]);
        let (x, y) = (one(), one());
        let op = if random.unit() < 0.5 { plus } else { times };
        nodes.push(graph.apply(op, &[x, y]));
    }
    for round in 0..200 {
        let mut root = || Rc::clone(&nodes[random.below(nodes.len())]);
        let roots: Vec<Rc<Node>> = (0..12).map(|_| root()).collect();
        let mut pass = Pass::from(&roots[0], &graph);
        for (place, root) in roots.iter().enumerate().skip(1) {
            let before = pass.clone();
            pass.accumulate(root, &graph);
            assert!(Rc::ptr_eq(pass.root(), root));
            if random.below(3) == 0 {
                assert_eq!(pass.roots().len(), place + 1);
                assert_eq!(before.roots().len(), place);
            }
        }
        for node in &nodes {
            let mut sum = None;
            for root in &roots {
                let order = Order::below([root]);
                let grads = gradients(&order, root, |_| {});
                let grad = order.slot(node).map(|position| grads[position]);
                sum = grad.map(|grad| sum.unwrap_or(0.0) + grad).or(sum);
            }
            assert_eq!(pass.grad(node), sum, "round {round}, @{}", node.id());
        }
        pass.audit(0).expect("a fresh pass gives the same");
    }
}

#[test]
fn a_hundred_thousand_added_sweeps_drop() {
    small_stack(|| {
        let mut graph = Graph::default();
        let leaves: Vec<Rc<Node>> = (0..100_000).map(|_| graph.leaf(1.0, false)).collect();
        let total = ops::function("sum", 3).expect("sums take any number");
        let root = graph.apply(total, &leaves);
        let mut pass = Pass::from(&root, &graph);
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

/// The sweep, the plan and the sum over the paths must give the same number.
#[test]
fn a_fresh_nan_keeps_what_is_infinite_and_an_old_one_nothing() {
    let (inf, nan) = (f64::INFINITY, f64::NAN);
    for (line, name, grad) in [
        // The NaN arises at L and no operand is NaN, so 1/0 stays infinite.
        ("x, y = 0, 0; L = x/y", "x", inf),
        ("k, z = 0, 0; L = (1/z)*k", "k", inf),
        // The factor 1 of a sum is not the slope of something that is NaN.
        ("a, b = 1/0, 1/0; L = a - b", "a", nan),
        // An operand was NaN before, so the NaN does not arise at L.
        ("w, v = -1, 1/0; L = ln(w)*v", "w", nan),
        ("w, v = -1, 0; L = ln(w)/v", "v", nan),
        // A NaN in a branch that is not chosen.
        ("w, c = -1, 2; L = if(c > 0, 3c, ln(w))", "c", 3.0),
    ] {
        let mut desk = Desk::with(&[line, ":grad L;"]);
        let got = desk.grad(name);
        assert!(same_bits(got, grad), "{line}: {got}");
        let of = |name: &str| Rc::clone(desk.session.names().find_node(name).expect("it is bound"));
        let (root, node) = (of("L"), of(name));
        let mut plan = Plan::of(&root);
        plan.forward(None);
        plan.backward();
        let place = plan.order().slot(&node).expect("L depends on it");
        assert!(same_bits(plan.grads()[place], grad), "the plan of {line}");
        let swept = gradients(plan.order(), &root, |_| {});
        assert!(same_bits(swept[place], grad), "the sweep of {line}");
        let told = desk.line(&format!(":explain {name} of L"));
        let paths = told[0]["paths"].as_array().expect("there is a path");
        let products = paths
            .iter()
            .map(|path| crate::common::number(&path["product"]));
        let found = products.clone().any(|product| same_bits(product, grad));
        assert!(found, "{line}: {:?}", products.collect::<Vec<_>>());
    }
}

/// A random graph of all operations that are defined for the numbers that occur.
fn random_graph(graph: &mut Graph, size: usize, seed: u64) -> Rc<Node> {
    let mut random = Random(seed);
    let mut nodes: Vec<Rc<Node>> = (0..8)
        .map(|_| graph.leaf(random.unit() * 4.0 - 2.0, false))
        .collect();
    // In every other graph special values occur.
    let odd = seed % 2 == 1;
    while nodes.len() < size {
        let op = &ops::TABLE[random.below(ops::TABLE.len())];
        let (least, most) = op.arity();
        let count = most.unwrap_or(least + random.below(20));
        let mut operands: Vec<Rc<Node>> = Vec::new();
        for _ in 0..count {
            // From few nodes, so that one is often an operand twice.
            let recent = nodes.len().min(40);
            let operand = if odd && random.below(12) == 0 {
                graph.leaf(odd_number(&mut random), false)
            } else if random.below(5) == 0 {
                graph.constant(random.unit() * 3.0, Spelling::Plain)
            } else {
                Rc::clone(&nodes[nodes.len() - 1 - random.below(recent)])
            };
            operands.push(operand);
        }
        let node = graph.apply(op, &operands);
        // Sessions contain NaN and infinity now and then, but not everywhere.
        if node.varies() && (node.data().is_finite() || random.below(50) == 0) {
            nodes.push(node);
        }
    }
    let plus = infix("+");
    let first = nodes.swap_remove(0);
    let add = |sum, node| graph.apply_2(plus, sum, node);
    nodes.into_iter().fold(first, add)
}

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
                grads[below] += ops::chain(grads[place], local, node.data(), broken);
            }
        }
    }
    grads
}

#[test]
fn every_way_through_a_graph_gives_the_bits_of_a_plain_loop() {
    for size in [10, 200, 990, NEWEST_FIRST, 3 * NEWEST_FIRST] {
        for seed in 0..6 {
            let mut graph = Graph::default();
            let root = random_graph(&mut graph, size, seed);
            let order = Order::below([&root]);
            let count = order.nodes().len();
            let plain = plain_grads(&order, &root);
            let same = |way: &str, grads: &[f64]| {
                for (place, node) in order.nodes().iter().enumerate() {
                    let (got, want) = (grads[place], plain[place]);
                    let id = node.id();
                    assert!(
                        same_bits(got, want),
                        "{way}, {size}/{seed}: {got} {want} @{id}"
                    );
                }
            };
            same("a sweep", &gradients(&order, &root, |_| {}));
            same("a pass", Pass::from(&root, &graph).grads());
            let mut plan = Plan::of(&root);
            plan.forward(None);
            plan.backward();
            assert!(same_bits(plan.root_data(), root.data()));
            same("a plan", plan.grads());
            let mut walked = vec![0.0; count];
            walked[0] = 1.0;
            (0..count).for_each(|place| sweep_one_node(&order, place, &mut walked, |_, _| {}));
            same("a walk", &walked);
            let leaves: Vec<Rc<Node>> = (order.nodes().iter().filter(|node| node.is_leaf()))
                .map(Rc::clone)
                .collect();
            let mut jacobian = Jacobian::of(std::slice::from_ref(&root), &leaves);
            let row = jacobian.rows();
            for (leaf, got) in leaves.iter().zip(row) {
                let place = order.slot(leaf).expect("it is below the root");
                assert!(same_bits(got, plain[place]), "a Jacobian, {size}/{seed}");
                // Paths are added up in another sequence, and a sum of infinities may be NaN in one of them.
                let paths = PathSubgraph::between(&root, leaf).expect("there is one");
                let sum = paths.derivatives()[paths.root];
                let near = (sum - plain[place]).abs() <= 1e-6 * sum.abs().max(1.0);
                let odd = !sum.is_finite() || !plain[place].is_finite() || seed % 2 == 1;
                assert!(near || odd, "paths, {size}/{seed}: {sum} {}", plain[place]);
            }
        }
    }
}

#[test]
fn a_row_of_the_jacobian_is_the_pass_from_its_root() {
    let mut random = Random(11);
    for size in [12, 60, 300, NEWEST_FIRST / 3] {
        for seed in 0..20 {
            let mut graph = Graph::default();
            let top = random_graph(&mut graph, size, seed);
            let order = Order::below([&top]);
            let one_of =
                |random: &mut Random| Rc::clone(&order.nodes()[random.below(order.nodes().len())]);
            let mut roots: Vec<Rc<Node>> = (0..7).map(|_| one_of(&mut random)).collect();
            roots.push(graph.constant(3.0, Spelling::Plain));
            let all = order.nodes().iter().filter(|node| node.is_leaf());
            let mut leaves: Vec<Rc<Node>> = all.take(5).map(Rc::clone).collect();
            leaves.push(Rc::clone(&leaves[0]));
            let mut jacobian = Jacobian::of(&roots, &leaves);
            for _ in 0..2 {
                let data: Vec<f64> = leaves.iter().map(|leaf| leaf.data()).collect();
                let values = jacobian.values(&data);
                let mut rows = jacobian.rows().into_iter();
                for (root, value) in roots.iter().zip(values) {
                    assert!(same_bits(value, root.data()), "{size} {seed}");
                    let pass = Pass::from(root, &graph);
                    for leaf in &leaves {
                        let (got, want) = (rows.next(), pass.grad(leaf).unwrap_or(0.0));
                        assert!(
                            got.is_some_and(|got| same_bits(got, want)),
                            "{size} {seed}: {got:?} {want}"
                        );
                    }
                }
                assert_eq!(rows.next(), None);
                for leaf in leaves.iter().take(5) {
                    graph.set(leaf, random.unit() * 4.0 - 2.0);
                }
                graph.recompute(&leaves, NodeId::MAX, |_, _| {});
            }
        }
    }
}

/// Layers over many samples, as in a neural network: rows of adjacent nodes with the same operation, which a plan
/// computes in groups (SIMD).
fn rows_in_step(graph: &mut Graph, samples: usize, odd: impl Fn(usize) -> f64) -> Rc<Node> {
    let [plus, minus, times, power] = ["+", "-", "*", "^"].map(infix);
    let [tanh, ln, relu] =
        ["tanh", "ln", "relu"].map(|name| ops::function(name, 1).expect("it has a row"));
    let mut random = Random(5);
    let mut leaf = |graph: &mut Graph| graph.leaf(random.unit() * 2.0 - 1.0, false);
    let weights: Vec<Rc<Node>> = (0..12).map(|_| leaf(graph)).collect();
    let apply = |graph: &mut Graph, op, operands: &[&Rc<Node>]| {
        let operands: Vec<Rc<Node>> = operands.iter().map(|&node| Rc::clone(node)).collect();
        graph.apply(op, &operands)
    };
    let mut rows: Vec<Rc<Node>> = Vec::new();
    for sample in 0..samples {
        let given = graph.constant(odd(sample), Spelling::Plain);
        let moved = graph.leaf(odd(sample), false);
        let mut sum = Rc::clone(&weights[0]);
        for (place, weight) in weights.iter().enumerate() {
            let other = if place % 3 == 0 { &given } else { &moved };
            let pair = if place % 2 == 0 {
                [weight, other]
            } else {
                [other, weight]
            };
            let product = apply(graph, times, &pair);
            sum = apply(graph, [plus, minus][place % 2], &[&sum, &product]);
        }
        let two = graph.constant(2.0, Spelling::Plain);
        let opened = apply(graph, relu, &[&sum]);
        let closed = apply(graph, tanh, &[&sum]);
        let logarithm = apply(graph, ln, &[&moved]);
        let power = apply(graph, power, &[&opened, &two]);
        let square = apply(graph, times, &[&closed, &closed]);
        let sum = apply(graph, plus, &[&power, &square]);
        rows.push(apply(graph, plus, &[&sum, &logarithm]));
    }
    // Differences of neighbours: both operands are adjacent too, but overlap.
    let apart: Vec<Rc<Node>> = rows
        .windows(2)
        .map(|pair| apply(graph, minus, &[&pair[0], &pair[1]]))
        .collect();
    let apart = apart.iter().map(|node| apply(graph, times, &[node, node]));
    let apart: Vec<Rc<Node>> = apart.collect();
    let mut terms = apart.into_iter();
    let first = terms.next().expect("there are samples");
    terms.fold(first, |sum, term| apply(graph, plus, &[&sum, &term]))
}

#[test]
fn rows_that_keep_step_give_the_sweeps_bits() {
    let plain = |sample: usize| 0.1 + sample as f64 / 50.0;
    let cases: [&dyn Fn(usize) -> f64; 4] = [
        &plain,
        &|sample| if sample == 40 { -1.0 } else { plain(sample) },
        &|sample| if sample % 9 == 0 { 0.0 } else { plain(sample) },
        &|sample| if sample == 7 { f64::INFINITY } else { -0.0 },
    ];
    for samples in [20, 150] {
        for (case, odd) in cases.iter().enumerate() {
            let mut graph = Graph::default();
            let root = rows_in_step(&mut graph, samples, odd);
            let mut plan = Plan::of(&root);
            plan.forward(None);
            plan.backward();
            assert!(same_bits(plan.root_data(), root.data()), "{samples}/{case}");
            let order = plan.order().clone();
            let swept = plain_grads(&order, &root);
            for (place, node) in order.nodes().iter().enumerate() {
                assert!(
                    same_bits(swept[place], plan.grads()[place]),
                    "{samples}/{case}: node {}",
                    node.id()
                );
                // An inner node can be changed like a leaf, and the change reaches the root.
                if place % 97 == 3 {
                    let (before, kept) = (plan.root_data(), node.data());
                    plan.set(place, kept);
                    plan.forward(Some(place));
                    assert!(same_bits(plan.root_data(), before));
                }
            }
        }
    }
}

/// Operands of every kind, including special values.
fn odd_number(random: &mut Random) -> f64 {
    match random.below(12) {
        0 => 0.0,
        1 => -0.0,
        2 => f64::NAN,
        3 => f64::INFINITY,
        4 => -1e308,
        _ => random.unit() * 4.0 - 2.0,
    }
}

#[test]
fn passes_that_come_again_give_the_bits_of_the_first() {
    for size in [12, 200, NEWEST_FIRST, 2 * NEWEST_FIRST] {
        let mut graph = Graph::default();
        let root = random_graph(&mut graph, size, 7);
        let mut pass = Pass::from(&root, &graph);
        let order = pass.order().clone();
        let leaves: Vec<Rc<Node>> = (order.nodes().iter().filter(|node| node.is_leaf()))
            .map(Rc::clone)
            .collect();
        let mut random = Random(13);
        for round in 0..12 {
            // In some rounds nothing changes between two passes, in others one leaf or all.
            let changed = match round % 3 {
                0 => &leaves[..1],
                1 => &leaves[..],
                _ => &[],
            };
            let before: Vec<f64> = order.nodes().iter().map(|node| node.data()).collect();
            for leaf in changed {
                graph.set(leaf, odd_number(&mut random));
            }
            let mut moved: Vec<(Rc<Node>, f64)> = Vec::new();
            graph.recompute(changed, NodeId::MAX, |node, was| {
                moved.push((Rc::clone(node), was));
            });
            let mut told = moved.iter();
            let mut oldest_first: Vec<_> = order.nodes().iter().zip(before).collect();
            oldest_first.sort_by_key(|(node, _)| node.id());
            for (node, before) in oldest_first {
                let Some(op) = node.op() else { continue };
                let operands = node.operands().iter();
                let values: Vec<f64> = operands.map(|operand| operand.data()).collect();
                let data = op.value(&values);
                assert!(
                    same_bits(node.data(), data),
                    "{size}/{round}: {}",
                    node.id()
                );
                if !same_bits(data, before) {
                    let (moved, was) = told.next().expect("whatever changes is told");
                    assert!(Rc::ptr_eq(moved, node), "operands first, each once");
                    assert!(same_bits(*was, before));
                }
            }
            assert!(told.next().is_none(), "nothing else is told");
            pass.refresh(&graph);
            let swept = plain_grads(&order, &root);
            for (place, node) in order.nodes().iter().enumerate() {
                let (again, swept) = (pass.grads()[place], swept[place]);
                assert!(same_bits(again, swept), "{size}/{round}: {}", node.id());
            }
            let anew = Pass::from(&root, &graph);
            assert!((anew.grads().iter().zip(&swept)).all(|(one, other)| same_bits(*one, *other)));
        }
    }
}

#[test]
fn a_change_goes_no_further_than_data_changes() {
    let mut graph = Graph::default();
    let relu = ops::function("relu", 1).expect("it has a row");
    let (x, w) = (graph.leaf(-1.0, false), graph.leaf(3.0, false));
    let opened = graph.apply_1(relu, Rc::clone(&x));
    let mut nodes = vec![Rc::clone(&x), Rc::clone(&w), Rc::clone(&opened)];
    for _ in 0..100 {
        let last = Rc::clone(&nodes[nodes.len() - 1]);
        nodes.push(graph.apply_2(infix("+"), last, Rc::clone(&w)));
    }
    let mut values = [0.0_f64; 102];
    for (data, count) in [(-2.0, 0), (5.0, 101), (5.0, 0), (-7.0, 101)] {
        graph.set(&x, data);
        let mut moved = 0;
        graph.recompute(std::slice::from_ref(&x), NodeId::MAX, |_, _| moved += 1);
        assert_eq!(moved, count, "{data}");
        assert_eq!(nodes[102].data(), data.max(0.0) + 300.0);
    }
    for (place, value) in values.iter_mut().enumerate() {
        *value = nodes[place + 1].data();
    }
    graph.set(&x, -9.0);
    graph.recompute(std::slice::from_ref(&x), NodeId::MAX, |_, _| {
        panic!("behind the closed relu nothing moves")
    });
    assert!((values.iter().zip(&nodes[1..])).all(|(value, node)| *value == node.data()));
}

#[test]
fn users_come_before_their_operands_in_every_order() {
    for size in [100, 3 * NEWEST_FIRST] {
        let mut graph = Graph::default();
        let root = random_graph(&mut graph, size, 11);
        let order = Order::below([&root]);
        assert!(Rc::ptr_eq(&order.nodes()[0], &root), "the root is on top");
        for (place, node) in order.nodes().iter().enumerate() {
            for operand in node.operands().iter().filter(|operand| operand.varies()) {
                assert!(order.slot(operand).is_some_and(|below| below > place));
            }
        }
    }
}

#[test]
fn a_session_leaves_no_node_behind() {
    let before = live_nodes();
    {
        let mut desk = Desk::with(&[
            "a, b = 2, 3",
            "L = a*b + tanh(a)",
            ":grad L",
            ":backward L",
            ":step 0.1 5",
        ]);
        desk.line("a = 5");
        desk.error("q = a*b + nothing");
        desk.line(":undo");
        desk.line("a*b*L");
        desk.line(":reset");
        assert!(live_nodes() > before);
    }
    assert_eq!(live_nodes(), before);
}

#[test]
fn a_failed_statement_leaves_no_node_behind() {
    let mut desk = Desk::with(&["a = 2"]);
    let (live, made) = (live_nodes(), desk.session.newest_id());
    desk.error("y = a*a*a*a + (a + nothing)");
    desk.error("p, q = a*a, nothing");
    desk.error("tanh(a, a)");
    assert_eq!((live_nodes(), desk.session.newest_id()), (live, made));
}

/// Checks that every node below a name has the value that its operation gives for its operands.
fn holds_together(desk: &Desk) {
    let named: Vec<Rc<Node>> = (desk.session.names().nodes())
        .map(|(_, node)| Rc::clone(node))
        .collect();
    for node in Order::below(named.iter()).nodes() {
        let Some(op) = node.op() else { continue };
        let operands = node.operands().iter();
        let values: Vec<f64> = operands.map(|operand| operand.data()).collect();
        let (kept, anew) = (node.data(), op.value(&values));
        assert!(same_bits(kept, anew), "node {}: {kept} {anew}", node.id());
    }
}

#[test]
fn changes_in_a_large_graph_reach_all_dependent_nodes() {
    // Large enough for an index of users to be built, which must stay right after all kinds of changes.
    let before = live_nodes();
    let mut desk = Desk::with(&["a, b = 1, 0.5", "x0 = a"]);
    for line in 1..3_000 {
        let far = line * 7 / 9;
        desk.line(&format!(
            "x{line} = x{}*0.999 + b*x{far} - 0.5*x{far}",
            line - 1
        ));
    }
    let mut random = Random(3);
    for round in 0..40 {
        match random.below(9) {
            0 => drop(desk.line(&format!("y{round} = x{}*b + a", random.below(3_000)))),
            1 => drop(desk.line(&format!("x{} = a*b", random.below(3_000)))),
            2 => drop(desk.error("z = a*b*a*b + nothing")),
            3 => drop(desk.line(":undo")),
            4 => drop(desk.line(&format!(
                "leaf{round} = {round}; made{round} = leaf{round}*a"
            ))),
            5 => drop(desk.line(&format!("x{}", random.below(3_000)))),
            _ => {}
        }
        let leaf = ["a", "b"][random.below(2)];
        desk.line(&format!(":set {leaf} {}", random.unit()));
        holds_together(&desk);
    }
    desk.line(":undo");
    holds_together(&desk);
    // The index must not keep nodes alive.
    drop(desk);
    assert_eq!(live_nodes(), before);
}
