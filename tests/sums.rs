//! Operations of any number of operands: `sum`, `prod`, `min`, `max`, `hypot`.
//!
//! Their numbers are compared with chains of `+` and `*` and with products written out here; what they cost is counted
//! in nodes here, and in instructions by `benches/constructs.txt`.

use std::rc::Rc;

use crate::common::{Desk, Random, same_bits};
use chainrule_engine::graph::{
    Graph, NEWEST_FIRST, Node, NodeId, Order, Pass, Plan, Spelling, gradients,
};
use chainrule_engine::ops::{self, Op, Shape, TABLE};

fn row(name: &str) -> &'static Op {
    ops::function(name, 1).expect("it has a row")
}

fn of_many() -> impl Iterator<Item = &'static Op> {
    TABLE.iter().filter(|op| op.arity().1.is_none())
}

fn leaves(graph: &mut Graph, values: &[f64]) -> Vec<Rc<Node>> {
    values.iter().map(|&x| graph.leaf(x, false)).collect()
}

fn joined(count: usize, one: impl Fn(usize) -> String) -> String {
    let all: Vec<String> = (1..=count).map(one).collect();
    all.join(", ")
}

const SPECIAL: &[f64] = &[
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

/// From one to seven operands, some of them special.
fn values(random: &mut Random) -> Vec<f64> {
    let odd = random.below(3);
    (0..=random.below(7))
        .map(|_| match random.below(3) {
            at if at < odd => SPECIAL[random.below(SPECIAL.len())],
            _ => random.unit() * 4.0 - 2.0,
        })
        .collect()
}

/// Value and gradients of `sum` and `prod` are those of a chain of `+` and `*`, to the bit. Where the value is NaN, a
/// gradient of the chain may be NaN and that of the product infinite: neither is a plausible number. A 0 that arises by
/// underflow absorbs such a NaN in the product, while in the chain the NaN is there before it.
#[test]
fn sums_and_products_are_chains() {
    let mut random = Random(15);
    for round in 0..20_000 {
        let values = values(&mut random);
        if values.len() == 1 {
            continue;
        }
        for (name, sign) in [("sum", "+"), ("prod", "*")] {
            let sign = ops::operator(sign, Shape::Infix).expect("it has a row");
            let mut graph = Graph::default();
            let leaves = leaves(&mut graph, &values);
            let whole = graph.apply(row(name), &leaves);
            let mut links = leaves.iter().cloned();
            let first = links.next().expect("there is an operand");
            let chain = links.fold(first, |chain, link| graph.apply(sign, &[chain, link]));
            assert!(same_bits(whole.data(), chain.data()), "{name}{values:?}");
            let tiny = |x: &f64| *x != 0.0 && x.abs() < 1e-100;
            if whole.data().is_nan() && values.iter().any(tiny) {
                continue;
            }
            let whole = Pass::from(&whole, &graph);
            let chain = Pass::from(&chain, &graph);
            for leaf in &leaves {
                let (got, want) = (whole.grad(leaf), chain.grad(leaf));
                let (got, want) = got.zip(want).expect("both depend on it");
                let fine = same_bits(got, want) || !got.is_finite() && want.is_nan();
                assert!(fine, "{round}: {name}{values:?}: {got} is not {want}");
            }
        }
    }
}

/// With one zero only its own partial is left, with two none: and then the mixed second derivative by the two of them.
#[test]
fn derivatives_of_products_with_zeros() {
    for (values, grads) in [
        ([0.0, 2.0, 3.0, 4.0], [24.0, 0.0, 0.0, 0.0]),
        ([2.0, 3.0, 4.0, 0.0], [0.0, 0.0, 0.0, 24.0]),
        ([2.0, 0.0, 3.0, 0.0], [0.0; 4]),
        ([0.0; 4], [0.0; 4]),
        ([2.0, 3.0, 4.0, 5.0], [60.0, 40.0, 30.0, 24.0]),
    ] {
        let [a, b, c, d] = values;
        let mut desk = Desk::with(&[&format!(
            "a, b, c, d = {a}, {b}, {c}, {d}; p = prod(a, b, c, d)"
        )]);
        desk.line(":grad p;");
        for (at, name) in ["a", "b", "c", "d"].iter().enumerate() {
            assert_eq!(desk.grad(name), grads[at], "{values:?} by {name}");
            assert_eq!(desk.value(&format!("grad(p, {name})")), grads[at]);
            for (other, second) in ["a", "b", "c", "d"].iter().enumerate() {
                let rest = values.iter().enumerate();
                let rest = rest.filter(|(place, _)| ![at, other].contains(place));
                let want: f64 = rest.map(|(_, value)| value).product();
                let want = if at == other { 0.0 } else { want };
                let got = desk.value(&format!("grad(grad(p, {name}), {second})"));
                assert_eq!(got, want, "{values:?} by {name} and {second}");
            }
        }
        let third = desk.value("grad(grad(grad(p, a), c), d)");
        assert_eq!(third, b);
        assert_eq!(desk.value("grad(grad(grad(grad(p, b), a), d), c)"), 1.0);
    }
    let mut desk = Desk::with(&["f(x) = prod(x, x - 1, x - 2, x, 3)"]);
    // 3x⁴ - 9x³ + 6x² at 0, 1 and 2
    assert_eq!(
        (
            desk.value("f'(0)"),
            desk.value("f'(1)"),
            desk.value("f'(2)")
        ),
        (0.0, -3.0, 12.0)
    );
    assert_eq!((desk.value("f''(0)"), desk.value("f''(1)")), (12.0, -6.0));
    assert_eq!(
        (desk.value("f'''(1)"), desk.value("f''''(5)")),
        (18.0, 72.0)
    );
}

#[test]
fn one_operand_is_itself() {
    let mut desk = Desk::with(&["a, b = -3, 2; f(x) = x^2"]);
    for (call, value, grad) in [
        ("sum(a)", -3.0, 1.0),
        ("prod(a)", -3.0, 1.0),
        ("min(a)", -3.0, 1.0),
        ("max(a)", -3.0, 1.0),
        ("hypot(a)", 3.0, -1.0),
    ] {
        desk.line(&format!("y = {call}*b; :grad y;"));
        assert_eq!(desk.value("y"), 2.0 * value, "{call}");
        assert_eq!(desk.grad("a"), 2.0 * grad, "{call}");
        assert_eq!(desk.value("grad(y, a)"), 2.0 * grad, "{call}");
        assert_eq!(desk.value("grad(grad(y, a), a)"), 0.0, "{call}");
        assert_eq!(desk.value("grad(grad(y, a), b)"), grad, "{call}");
        desk.line(":zero");
    }
}

/// Layers of neurons over many samples: sums, products and the like in step, with operands that are shared, constant,
/// special, or there twice.
fn layers(graph: &mut Graph, random: &mut Random, samples: usize, odd: bool) -> Rc<Node> {
    let times = ops::operator("*", Shape::Infix).expect("it has a row");
    let many: Vec<&'static Op> = of_many().collect();
    let number = |random: &mut Random| match random.below(if odd { 40 } else { usize::MAX }) {
        0 => SPECIAL[random.below(SPECIAL.len())],
        _ => random.unit() * 2.0 - 1.0,
    };
    let kinds: Vec<(&'static Op, usize, bool)> = (0..12)
        .map(|at| {
            let op = if at % 2 == 0 {
                row("sum")
            } else {
                many[random.below(many.len())]
            };
            (op, 1 + random.below(20), random.below(4) == 0)
        })
        .collect();
    let weights: Vec<f64> = (0..40).map(|_| number(random)).collect();
    let weights = leaves(graph, &weights);
    let mut ends = Vec::new();
    for _ in 0..samples {
        let mut known: Vec<Rc<Node>> = Vec::new();
        for _ in 0..8 {
            let x = number(random);
            known.push(if random.below(3) == 0 {
                graph.constant(x, Spelling::Plain)
            } else {
                graph.leaf(x, false)
            });
        }
        for (place, &(op, count, twice)) in kinds.iter().enumerate() {
            let mut operands: Vec<Rc<Node>> = (0..count)
                .map(|at| {
                    let known = &known[(at * 5 + place) % known.len()];
                    let weight = &weights[(at * 3 + place * 7) % weights.len()];
                    match (at + place) % 4 {
                        0 => Rc::clone(known),
                        1 => Rc::clone(weight),
                        _ => graph.apply(times, &[Rc::clone(weight), Rc::clone(known)]),
                    }
                })
                .collect();
            if twice {
                operands.push(Rc::clone(&operands[0]));
            }
            known.push(graph.apply(op, &operands));
        }
        ends.push(Rc::clone(&known[known.len() - 1]));
        ends.push(Rc::clone(&known[known.len() - 2]));
    }
    ends.push(Rc::clone(&weights[0]));
    graph.apply(row("sum"), &ends)
}

#[test]
fn every_engine_gives_the_bits_of_the_sweep() {
    let mut random = Random(337);
    for round in 0..60 {
        let (samples, odd) = (1 + random.below(40), round % 3 == 0);
        let mut graph = Graph::default();
        let root = layers(&mut graph, &mut random, samples, odd);
        let mut pass = Pass::from(&root, &graph);
        let mut plan = Plan::of(&root);
        let order: Order = plan.order().clone();
        let above = order.nodes().len() > NEWEST_FIRST;
        for again in 0..4 {
            let swept = gradients(&order, &root, |_| {});
            plan.forward(None);
            plan.backward();
            assert!(same_bits(plan.root_data(), root.data()));
            for (place, node) in order.nodes().iter().enumerate() {
                let (got, want) = (plan.grads()[place], swept[place]);
                assert!(
                    same_bits(got, want),
                    "{round}/{again} {above}: {got} {want} of {}",
                    node.id()
                );
                let repeated = pass.grads()[place];
                assert!(
                    same_bits(repeated, want),
                    "{round}/{again}: {repeated} {want}"
                );
            }
            for (place, node) in order.nodes().iter().enumerate() {
                if node.is_leaf() && random.below(3) == 0 {
                    let data = random.unit() * 2.0 - 1.0;
                    graph.set(node, data);
                    plan.set(place, data);
                }
            }
            let moved: Vec<Rc<Node>> = order
                .nodes()
                .iter()
                .filter(|it| it.is_leaf())
                .cloned()
                .collect();
            graph.recompute(&moved, NodeId::MAX, |_, _| {});
            pass.refresh(&graph);
        }
    }
}

/// The nodes that all derivatives of a call of `count` operands take, and those of the first one alone.
fn made(op: &Op, count: usize, data: impl Fn(usize) -> f64) -> (u32, u32) {
    let items = joined(count, |at| data(at).to_string());
    let mut desk = Desk::with(&[&format!("x = [{items}]; y = {}(x)", op.spelling)]);
    let before = desk.session.newest_id();
    desk.line("all = grad(y, x);");
    let between = desk.session.newest_id();
    desk.line("one = grad(y, x[1]);");
    let after = desk.session.newest_id();
    desk.line(":grad y;");
    let same = |got: f64, want: f64| (got - want).abs() <= 1e-12 * want.abs();
    for at in 1..=count {
        let (got, want) = (
            desk.value(&format!("all[{at}]")),
            desk.value(&format!("x[{at}].grad")),
        );
        assert!(same(got, want), "{} by x[{at}]: {got} {want}", op.name);
    }
    let (one, first) = (desk.value("one"), desk.value("all[1]"));
    assert!(same(one, first), "{}: {one} {first}", op.name);
    (between - before, after - between)
}

#[test]
fn derivatives_as_nodes_grow_with_the_number_of_operands() {
    type Data = fn(usize) -> f64;
    let spread: Data = |at| 0.5 + (at * 37 % 101) as f64 / 100.0;
    let alike: Data = |_| 1.5;
    let zeros: Data = |at| if at % 100 == 7 { 0.0 } else { 1.25 };
    for op in of_many() {
        for data in [spread, alike, zeros] {
            // Outside of its domain there is nothing to compare.
            if !op.domain.contains(&[data(1)]) {
                continue;
            }
            let (all, one) = made(op, 1_000, data);
            assert!(all <= 6_000 && one <= 3_000, "{}: {all}, {one}", op.name);
            let (half, _) = made(op, 500, data);
            assert!(all <= 2 * half + 10, "{}: {half}, {all}", op.name);
        }
    }
}

/// A check moves one operand at a time, and what that costs does not depend on how many others there are.
#[test]
fn gradients_of_many_operands_are_checked() {
    for (items, call) in [
        ("1/k - 0.3", "sum(w)"),
        ("1 + 1e-4/k", "prod(w)"),
        ("sin(k)", "max(w)"),
        ("sin(k)", "min(w)"),
        ("sin(k)", "hypot(w)"),
        // The product of the larger ones alone is beyond the largest number.
        ("if(k <= 30, 1e-9, if(k <= 90, 1e9, 1))", "prod(w[1..400])"),
    ] {
        let mut desk = Desk::with(&[&format!("w = [{items} for k in 1..4000]; y = {call}")]);
        let checked = &desk.line(":check y")[0];
        assert_eq!(checked["ok"], true, "{call} of {items}");
    }
}

/// All that differentiates works on so many operands.
#[test]
fn ten_thousand_operands() {
    const MANY: usize = 10_000;
    for (call, operand) in [
        ("sum", "x*K"),
        ("sum", "x/(K - 1)"),
        ("prod", "x + 1e-9*K"),
        ("prod", "x*(K - 7)"),
        ("max", "x + 0*K"),
        ("min", "x + K"),
        ("hypot", "x*K"),
    ] {
        let operands = joined(MANY, |at| operand.replace('K', &at.to_string()));
        let mut desk = Desk::with(&[
            "x, z = 1, 2",
            &format!("y = {call}({operands});"),
            "L = z*y;",
        ]);
        for line in [
            ":grad L;",
            ":set x 1.00001;",
            ":grad L;",
            ":grad L;",
            ":grad L;",
            ":step 1e-12 5 of L;",
            ":explain x of L;",
            ":explain z of L;",
            ":walk L;",
            ":next 3;",
            ":prev;",
            ":wrong overwrite L;",
            ":wrong nozero L;",
            "grad(L, x);",
        ] {
            for answer in desk.try_line(line) {
                assert!(answer.is_ok(), "{call} {operand}: {line}: {answer:?}");
            }
        }
    }
}
