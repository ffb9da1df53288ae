//! `:explain`: all paths of a small graph, the largest ones of a large graph, and the sentences about their sum.
//!
//! The paths are enumerated independently by recursion over the nodes. Gradients are compared with `:grad`, closed
//! forms with the values they have when typed.

#![allow(clippy::unwrap_used)]

use std::rc::Rc;

use crate::common::{Desk, Random, close, number};
use chainrule::graph::Node;
use chainrule::view;
use chainrule::view::Style;
use serde_json::{Value, json};

fn explain(desk: &mut Desk, line: &str) -> Value {
    desk.line(line).remove(0)
}

/// The products of local derivatives along all paths, by recursion, as the graphs are small.
fn products(root: &Rc<Node>, node: &Rc<Node>, so_far: f64, found: &mut Vec<f64>) {
    if Rc::ptr_eq(root, node) {
        found.push(so_far);
        return;
    }
    for (place, operand) in root.operands().iter().enumerate() {
        if operand.varies() {
            products(operand, node, so_far * root.local(place), found);
        }
    }
}

#[test]
fn the_anchor_is_explained_as_specified() {
    let mut desk = Desk::with(&["a, b, c, f = 2, -3, 10, -2", "L = (a*b + c)*f"]);
    let want = json!({
        "kind": "explain", "file": "-", "line": 1, "root": "L", "node": "a", "grad": 6, "closed": "b*f",
        "paths": [{
            "nodes": ["L", "a*b + c", "a*b", "a"],
            "formulas": ["f", "1", "b"],
            "locals": [-2, 1, -3],
            "product": 6,
        }],
        "path_count": 1, "rest": 0, "reason": null, "notes": [],
    });
    assert_eq!(explain(&mut desk, ":explain a of L"), want);
    let keys: Vec<&str> = want
        .as_object()
        .unwrap()
        .keys()
        .map(String::as_str)
        .collect();
    assert_eq!(keys.len(), 12);
    let screen = desk.screen(":explain a");
    for said in [
        "dL/da = 6",
        "closed   dL/da = b*f",
        "raising a by 0.01 raises L by about 0.06",
    ] {
        assert!(screen.contains(said), "{said} in\n{screen}");
    }
    assert!(desk.screen(":explain b").contains("lowers L by about 0.04"));
    // Small numbers are raised by a hundredth of their power of ten, and 0 as if it were 1.
    for (x, said) in [
        ("0", "raising x by 0.01 raises L by about 0.03"),
        ("0.5", "raising x by 0.001 raises L by about 0.003"),
        ("0.0005", "raising x by 1e-6 raises L by about 3e-6"),
        ("500", "raising x by 0.01 raises L by about 0.03"),
    ] {
        let screen = Desk::with(&[&format!("x = {x}"), "L = 3x"]).screen(":explain x of L");
        assert!(screen.contains(said), "{screen}");
    }
}

#[test]
fn paths_through_one_node_twice_are_two() {
    let mut desk = Desk::with(&["x = 3", "y = x*x + x"]);
    let diamond = explain(&mut desk, ":explain x");
    let products: Vec<f64> = diamond["paths"]
        .as_array()
        .unwrap()
        .iter()
        .map(|path| number(&path["product"]))
        .collect();
    assert_eq!(
        (products, &diamond["path_count"]),
        (vec![3.0, 3.0, 1.0], &json!(3))
    );
    assert_eq!(
        (&diamond["grad"], &diamond["closed"]),
        (&json!(7), &json!("1 + 2*x"))
    );
    assert!(desk.screen(":explain x").contains("3 + 3 + 1 = 7"));
}

#[test]
fn few_paths_stand_in_the_order_of_the_pass_and_many_by_size() {
    // The first path goes through the first operand, as operands are visited from left to right.
    for (lines, want) in [
        (["x = 3", "L = x + 5x + 2x"], vec![1.0, 5.0, 2.0]),
        (["x = 3", "L = -(2x) + (7x - x)"], vec![-2.0, 7.0, -1.0]),
        (
            ["x = 3", "L = (x + 2x)*(x + 4x)"],
            vec![15.0, 30.0, 9.0, 36.0],
        ),
        // Up to five paths keep this order.
        (
            ["x = 3", "L = x + 8x + 2x + 7x + 3x"],
            vec![1.0, 8.0, 2.0, 7.0, 3.0],
        ),
        (
            ["x = 3", "L = x + 9x + 2x + 8x + 3x + 7x"],
            vec![9.0, 8.0, 7.0, 3.0, 2.0, 1.0],
        ),
    ] {
        let told = explain(&mut Desk::with(&lines), ":explain x of L");
        assert_eq!(products_of(&told), want, "{lines:?}");
    }
    // NaN comes first, then infinities; zeros come last.
    let many = "x + 5x + 2x + 7x + 3x + 6x + 4x";
    for (lines, first) in [
        (
            [
                "i, x = 1/0, 3",
                &format!("L = x*0 + {many} + sin(0*x) + i*x"),
            ],
            f64::INFINITY,
        ),
        (
            [
                "i, x = -2, 3",
                &format!("L = x*0 + {many} + sin(0*x) + i^x"),
            ],
            f64::NAN,
        ),
    ] {
        let told = explain(&mut Desk::with(&lines), ":explain x of L");
        let products = products_of(&told);
        assert!(close(products[0], first, 0.0, 0.0), "{products:?}");
        assert_eq!(products[1..], [7.0, 6.0, 5.0, 4.0, 3.0, 2.0, 1.0, 0.0, 0.0]);
    }
}

fn products_of(told: &Value) -> Vec<f64> {
    let paths = told["paths"].as_array().unwrap().iter();
    paths.map(|path| number(&path["product"])).collect()
}

/// A program with a few leaves and statements that use each other a lot.
fn program(random: &mut Random) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    let mut lines = Vec::new();
    for leaf in 0..3 {
        let data = (random.unit() * 4.0 - 2.0) * if random.below(8) == 0 { 5.0 } else { 1.0 };
        lines.push(format!("a{leaf} = {data}"));
        names.push(format!("a{leaf}"));
    }
    for statement in 0..3 + random.below(12) {
        let mut pick = || {
            let recent = names.len().min(4);
            let at = if random.below(3) == 0 {
                random.below(names.len())
            } else {
                names.len() - 1 - random.below(recent)
            };
            names[at].clone()
        };
        let (p, q, r) = (pick(), pick(), pick());
        let expression = match random.below(12) {
            0 => format!("{p} + {q}*{r}"),
            1 => format!("{p}*{q} - {r}"),
            2 => format!("tanh({p} + {q})*{r}"),
            3 => format!("{p}*{p} + {q}"),
            4 => format!("relu({p}) + {q}*0.5"),
            5 => format!("max({p}, {q}) - {r}"),
            6 => format!("sigmoid({p}*{q}) + {r}"),
            7 => format!("sin({p})*cos({q})"),
            8 => format!("if({p} > {q}, {r}, {p}*2)"),
            9 => format!("sqrt({p}^2 + 1) + ln({q}^2 + 1)"),
            10 => format!("{p}/({q}^2 + 1)"),
            _ => format!("abs({p})*0*{q} + {r} + exp(-{p}^2)"),
        };
        lines.push(format!("v{statement} = {expression}"));
        names.push(format!("v{statement}"));
    }
    lines.push(format!(
        "L = {} + {}",
        names[names.len() - 1],
        names[names.len() - 2]
    ));
    lines
}

#[test]
fn listed_paths_are_the_largest_and_the_rest_is_the_rest() {
    let mut random = Random(11);
    let (mut whole, mut cut) = (0, 0);
    for _ in 0..150 {
        let lines = program(&mut random);
        let mut desk = Desk::with(&lines);
        desk.line(":grad L");
        let root = Rc::clone(desk.session.names().get("L").unwrap());
        for name in ["a0", "a1", "a2", "v0"] {
            let node = Rc::clone(desk.session.names().get(name).unwrap());
            let found = chainrule::study::explanation(&mut desk.session, &root, &node);
            if found.count > 20_000.0 {
                continue;
            }
            let mut all = Vec::new();
            products(&root, &node, 1.0, &mut all);
            let told = format!("{name} in {lines:?}");
            assert_eq!(found.grad.to_bits(), desk.grad(name).to_bits(), "{told}");
            assert_eq!(found.count, all.len() as f64, "{told}");
            all.sort_by(|one, other| other.abs().total_cmp(&one.abs()));
            let mut listed: Vec<f64> = found.ways.iter().map(|way| way.product).collect();
            listed.sort_by(|one, other| other.abs().total_cmp(&one.abs()));
            assert_eq!(listed.len(), all.len().min(100), "{told}");
            let size = all.first().copied().unwrap_or(0.0).abs() * all.len() as f64;
            for (one, other) in listed.iter().zip(&all) {
                assert!(
                    close(one.abs(), other.abs(), 1e-12, 1e-300),
                    "{one} {other} {told}"
                );
            }
            let total: f64 = all.iter().sum();
            let listed: f64 = listed.iter().sum();
            assert!((total - found.grad).abs() <= 1e-13 * size, "{told}");
            assert!(
                (total - listed - found.rest).abs() <= 1e-13 * size,
                "{told}"
            );
            assert!(all.len() > 100 || found.rest == 0.0, "{told}");
            assert!(
                (found.rest_after(8)
                    - (found.grad
                        - found
                            .ways
                            .iter()
                            .take(8)
                            .map(|way| way.product)
                            .sum::<f64>()))
                .abs()
                    <= 1e-13 * size
            );
            whole += usize::from(all.len() > 1 && all.len() <= 100);
            cut += usize::from(all.len() > 100);
        }
    }
    assert!(whole > 150 && cut > 50, "{whole} {cut}");
}

#[test]
fn closed_forms_can_be_typed() {
    let mut random = Random(5);
    let (mut closed, mut long) = (0, 0);
    for _ in 0..150 {
        let lines = program(&mut random);
        let mut desk = Desk::with(&lines);
        for name in ["a0", "a1", "a2", "v0", "v2"] {
            let told = explain(&mut desk, &format!(":explain {name} of L"));
            let Some(text) = told["closed"].as_str() else {
                long += 1;
                continue;
            };
            assert!(text.chars().count() <= 400);
            let typed = desk.value(text);
            let paths = told["paths"].as_array().unwrap().iter();
            let size = paths
                .map(|path| number(&path["product"]).abs())
                .fold(number(&told["grad"]).abs(), f64::max);
            let off = (typed - number(&told["grad"])).abs();
            assert!(
                off <= 1e-12 * size,
                "{text} is {typed}: {told} in {lines:?}"
            );
            closed += 1;
        }
    }
    assert!(closed > 300 && long > 0, "{closed} {long}");
}

#[test]
fn closed_forms_read_as_learned_where_that_is_exact() {
    for (lines, node, want) in [
        (["n = 0.5", "L = tanh(n)"], "n", json!("1 - L^2")),
        (["n = 19", "L = tanh(n)"], "n", json!("sech(n)^2")),
        (["x = 2", "L = ln(x)"], "x", json!("1/x")),
        (["x = 2", "L = 3x^2 - 4x + 5"], "x", json!("6*x - 4")),
        (["x = 2", "L = x"], "x", json!("1")),
        (["x = 2", "L = floor(x)"], "x", json!("0")),
        (["x = -1", "L = relu(x)"], "x", json!("if(x > 0, 1, 0)")),
    ] {
        let mut desk = Desk::with(&lines);
        let told = explain(&mut desk, &format!(":explain {node} of L"));
        assert_eq!(told["closed"], want, "{lines:?}");
    }
    // A function may have been redefined since.
    let mut desk = Desk::with(&["x, b = 3, 2", "g(t) = t^2", "h = g(x)*b"]);
    assert_eq!(explain(&mut desk, ":explain b of h")["closed"], "g(x)");
    desk.line("g(t) = t");
    assert_eq!(explain(&mut desk, ":explain b of h")["closed"], Value::Null);
}

#[test]
fn two_to_the_thousand_paths() {
    let mut desk = Desk::with(&["x = 1", "y = x"]);
    for _ in 0..1_000 {
        desk.line("y = y + y;");
    }
    desk.session.all_rows = true;
    let told = explain(&mut desk, ":explain x of y");
    desk.session.all_rows = false;
    assert_eq!(number(&told["path_count"]), 1000_f64.exp2());
    assert_eq!(number(&told["grad"]), 1000_f64.exp2());
    assert_eq!(number(&told["rest"]), 1000_f64.exp2());
    let paths = told["paths"].as_array().unwrap();
    assert_eq!(paths.len(), 100);
    for path in paths {
        assert_eq!(path["product"], 1);
        assert_eq!(
            (path["nodes"].as_array().unwrap().len(), &path["left_out"]),
            (103, &json!(900))
        );
        assert_eq!(path["locals"].as_array().unwrap().len(), 101);
    }
    let screen = desk.screen(":explain x of y");
    assert!(
        screen.lines().count() < 20 && screen.lines().all(|line| line.chars().count() <= 80),
        "{screen}"
    );
    assert!(
        screen.contains("the sum over 1.07151e301 paths"),
        "{screen}"
    );
    // The count exceeds the largest double.
    for _ in 0..1_000 {
        desk.line("y = y*x + y*x;");
    }
    let told = explain(&mut desk, ":explain x of y");
    assert_eq!(told["path_count"], "Infinity");
    let screen = desk.screen(":explain x of y");
    assert!(screen.contains("the sum over inf paths"), "{screen}");
}

#[test]
fn a_long_chain_is_one_path_with_its_ends_shown() {
    let mut desk = Desk::with(&["x = 1", "y = x"]);
    for _ in 0..30_000 {
        desk.line("y = y*1;");
    }
    desk.session.all_rows = true;
    let told = explain(&mut desk, ":explain x of y");
    desk.session.all_rows = false;
    assert_eq!(
        (&told["grad"], &told["path_count"], &told["rest"]),
        (&json!(1), &json!(1), &json!(0))
    );
    assert_eq!(told["paths"][0]["left_out"], 29_900);
    assert!(told.to_string().len() < 20_000);
    let screen = desk.screen(":explain x of y");
    assert!(screen.contains("… 29988 more steps"), "{screen}");
}

#[test]
fn why_a_gradient_is_what_it_is() {
    for (line, ask, reason) in [
        (
            "a, b, c, f = 2, -3, 10, 0; L = (a*b + c)*f",
            "a",
            "dL/d(a*b + c) = f is 0",
        ),
        (
            "w = -2; L = relu(w*3)",
            "w",
            "relu(w*3) is dead left of 0: its slope is 0",
        ),
        (
            "n = 8; L = tanh(n)*2",
            "n",
            "tanh(n) is saturated: its slope is 4.5014059756372915e-7",
        ),
        (
            "n = 1000; L = sigmoid(n)",
            "n",
            "sigmoid(n) is saturated: its slope is 0",
        ),
        (
            "x = 2.5; L = floor(x)",
            "x",
            "floor(x) moves in steps: its slope is 0",
        ),
        (
            "x = 2.5; L = (x > 1)*3",
            "x",
            "x > 1 moves in steps: its slope by x is 0",
        ),
        (
            "x, y = 1, 2; L = if(x > 0, x, y)",
            "y",
            "if(x > 0, x, y) takes the other side: its slope by y is 0",
        ),
        (
            "x, y = 1, 2; L = max(x, y)",
            "x",
            "max(x, y) follows another operand: its slope by x is 0",
        ),
        (
            "x = 7; L = clamp(x, 0, 5)",
            "x",
            "clamp(x, 0, 5) stays at its bound: its slope by x is 0",
        ),
        (
            "x, y = 1, 2; L = min(x, y)",
            "y",
            "min(x, y) follows another operand: its slope by y is 0",
        ),
        (
            "x, lo, hi = 7, 0, 5; L = clamp(x, lo, hi)",
            "lo",
            "clamp(x, lo, hi) is not at this bound: its slope by lo is 0",
        ),
        (
            "x, lo, hi = -7, 0, 5; L = clamp(x, lo, hi)",
            "hi",
            "clamp(x, lo, hi) is not at this bound: its slope by hi is 0",
        ),
        (
            "x = 3; L = x - x",
            "x",
            "the contributions 1 and -1 add up to 0 at x",
        ),
        (
            "x = 3; L = x + x - x - x",
            "x",
            "the contributions -1, -1, 1 and 1 add up to 0 at x",
        ),
        (
            "x = 3; L = x + x + x - x - x - x",
            "x",
            "the contributions -1, -1, -1, 1 and 2 more add up to 0 at x",
        ),
        (
            "x = -1.25; L = relu(x) + floor(x)",
            "x",
            "floor(x) moves in steps: its slope is 0; relu(x) is dead left of 0: its slope is 0",
        ),
        (
            "x = -1.25; L = relu(x) + floor(x) + ceil(x) + round(x) + sign(x)",
            "x",
            "sign(x) moves in steps: its slope is 0; round(x) moves in steps: its slope is 0; \
             ceil(x) moves in steps: its slope is 0",
        ),
        (
            "x = 1; L = 1e308*x + 1e308*x",
            "x",
            "the contributions 1e308 and 1e308 add up to inf at x",
        ),
        ("x = 0; L = x^2", "x", "dL/dx = 2*x is 0"),
        (
            "x, z = 2, 0; L = 0*x*sqrt(z)",
            "z",
            "dL/d(sqrt(z)) = 0*x is 0",
        ),
        (
            "x = 1; u = 1e-200; v = u*x; L = v*u",
            "x",
            "1e-200 * 1e-200 is 0 in a 64-bit number",
        ),
        (
            "x = 0; L = relu(x) + x",
            "x",
            "at relu(x), x = 0: the derivative is taken as 0",
        ),
        (
            "t = 0; L = abs(t)",
            "t",
            "at abs(t), t = 0: the derivative is taken as 0",
        ),
        (
            "t = 3; L = max(t, 3)",
            "t",
            "at max(t, 3), a tie: the operands that tie share the derivative equally",
        ),
        (
            "t = 0; L = sqrt(t)",
            "t",
            "at sqrt(t), t = 0: the derivative is taken as inf",
        ),
        ("t = 0; L = 1/t", "t", "1/0 is inf: division needs y != 0"),
        (
            "x = 3; b = 1e300*x; L = b*1e300",
            "x",
            "1e300 * 1e300 is inf in a 64-bit number",
        ),
        (
            "a = -1; c = 2; L = ln(a) + c",
            "c",
            "ln(-1) is NaN: ln needs x > 0",
        ),
        ("a = nan; c = 2; L = a*c", "c", "a is NaN"),
        ("x, y = -2, 3; L = x^y", "y", "dL/dy = L*ln(x) is NaN"),
        (
            "x = 0; L = sqrt(x) - sqrt(x)",
            "x",
            "at sqrt(x), x = 0: the derivative is taken as inf",
        ),
        ("x = 1; y = 2; L = y*2", "x", "L does not depend on x"),
        (
            "x = 1; L = x + 1; K = L*2",
            "K",
            "L does not depend on K; it is K that depends on L",
        ),
        (
            "x = 1; L = x + 1",
            "L",
            "a node follows itself: dL/dL is 1 by definition",
        ),
    ] {
        let mut desk = Desk::default();
        desk.line(line);
        let told = explain(&mut desk, &format!(":explain {ask} of L"));
        assert_eq!(told["reason"].as_str(), Some(reason), "{line}: {told}");
        let screen = desk.screen(&format!(":explain {ask} of L"));
        assert!(screen.contains("why      "), "{screen}");
    }
    for line in [
        "x = 3; L = x^2 + 1",
        "x = 0.5; L = tanh(x)",
        "x = 1; L = relu(x)",
        // A kink that is on no path from L to x, and one on a path with a factor of 0.
        "t = 0; x = 3; L = x^2 + abs(t)",
        "x, z = 0, 0; L = z*abs(x) + x",
    ] {
        let mut desk = Desk::default();
        desk.line(line);
        assert_eq!(
            explain(&mut desk, ":explain x")["reason"],
            Value::Null,
            "{line}"
        );
    }
}

#[test]
fn the_predicted_effect_of_raising_is_right() {
    let mut random = Random(23);
    let mut said = 0;
    for _ in 0..100 {
        let mut desk = Desk::with(&program(&mut random));
        let root = Rc::clone(desk.session.names().get("L").unwrap());
        for name in ["a0", "a1", "v0"] {
            let node = Rc::clone(desk.session.names().get(name).unwrap());
            let found = chainrule::study::explanation(&mut desk.session, &root, &node);
            let Some((more, change)) = found.raised else {
                continue;
            };
            let nudge = explain(&mut desk, &format!(":nudge {name} {more} of L"));
            let moved = number(&nudge["after"]) - number(&nudge["before"]);
            assert!(
                (moved - change).abs() <= 0.051 * change.abs(),
                "{moved} {change}"
            );
            said += 1;
        }
    }
    assert!(said > 200, "{said}");
}

#[test]
fn any_node_can_be_asked_about_and_nothing_is_changed() {
    let mut desk = Desk::with(&[
        "const x = 2",
        "w = 3",
        "d = x*w + 1",
        "L = d*d + (x*w)*w",
        ":grad L",
        ":set w 5;",
        ":walk L",
        ":next",
    ]);
    let (made, pass) = (desk.session.made(), desk.grad("w"));
    for (line, grad) in [
        (":explain w of L", 64.0),
        (":explain x of L", 135.0),
        (":explain d of L", 22.0),
        (":explain (x*w + 1) of L", 22.0),
        (":explain w of d", 2.0),
        (":explain L of L", 1.0),
    ] {
        assert_eq!(number(&explain(&mut desk, line)["grad"]), grad, "{line}");
    }
    assert_eq!((desk.session.made(), desk.grad("w")), (made, pass));
    assert!(desk.session.is_stale());
    assert_eq!(
        desk.session
            .walk()
            .map(chainrule::session::by_hand::walk::Walk::position),
        Some(1)
    );
    desk.line("w = 7");
    assert_eq!(
        number(&explain(&mut desk, ":explain w@1 of L")["grad"]),
        64.0
    );
    let unconnected = explain(&mut desk, ":explain w of L");
    assert_eq!(
        (
            &unconnected["grad"],
            &unconnected["paths"],
            &unconnected["path_count"],
            &unconnected["closed"]
        ),
        (&json!(0), &json!([]), &json!(0), &json!("0"))
    );
    // A root that is built for this question.
    assert_eq!(
        number(&explain(&mut desk, ":explain d of d^2 + L")["grad"]),
        44.0
    );
}

#[test]
fn plain_characters_are_enough() {
    let mut desk = Desk::with(&["x = 1", "y = x"]);
    for _ in 0..9 {
        desk.line("y = y + y*x;");
    }
    let reply = desk.try_line(":explain x of y").remove(0).unwrap();
    let style = Style {
        ascii: true,
        width: Some(80),
        ..Style::default()
    };
    let mut out = String::new();
    view::report(reply.report.as_ref().unwrap(), &style, &mut out);
    assert!(out.is_ascii() && out.contains(" -> "), "{out}");
}

#[test]
fn flat_stretches_are_flat() {
    let points = [
        -1000.0, -20.0, -9.0, -5.5, -4.2, -3.1, -1.0, -0.5, 0.0, 0.5, 1.0, 3.1, 5.5, 9.0, 20.0,
        1000.0,
    ];
    let mut seen = 0;
    for op in chainrule::ops::TABLE
        .iter()
        .filter(|op| !op.flats.is_empty())
    {
        let count = crate::common::few_operands(op);
        for at in 0..points.len().pow(count as u32) {
            let operands: Vec<f64> = (0..count as u32)
                .map(|place| points[at / points.len().pow(place) % points.len()])
                .collect();
            if !op.domain.contains(&operands) {
                continue;
            }
            let out = op.value(&operands);
            for place in 0..count {
                if op
                    .flats
                    .iter()
                    .any(|flat| (flat.holds)(&operands, place, out))
                {
                    let local = op.local(&operands, place, out);
                    assert!(
                        local.abs() < 0.01,
                        "{} {operands:?} by {place}: {local}",
                        op.name
                    );
                    seen += 1;
                }
            }
        }
    }
    assert!(seen > 1_000, "{seen}");
}

/// A node that was merely shown is explained with the last pass's root, not with itself as the root.
#[test]
fn a_node_that_was_looked_at_is_not_its_own_target() {
    let mut desk = Desk::with(&["a, b = 2, 3", "L = a*b", ":grad L", "a"]);
    let explained = desk.line(":explain a").remove(0);
    assert_eq!(explained["root"], "L");
    assert_eq!(number(&explained["grad"]), 3.0);
    desk.line("a");
    let nudged = desk.line(":nudge a 0.5").remove(0);
    assert_eq!(nudged["root"], "L");
    assert_eq!(number(&nudged["after"]), 7.5);
}

/// The argument of a call has no brackets of its own; a factor that is a sum has them.
#[test]
fn formulas_have_brackets_only_where_they_are_needed() {
    let mut desk = Desk::with(&["x, a = 2, 3", "p = if(x > 0, x, 2x)"]);
    let formulas = |desk: &mut Desk, line: &str| {
        let explained = desk.line(line).remove(0);
        explained["paths"].to_string()
    };
    let of_choice = formulas(&mut desk, ":explain x of p");
    assert!(of_choice.contains("\"if(x > 0, 1, 0)\""), "{of_choice}");
    assert!(!of_choice.contains("(("), "{of_choice}");
    desk.line("r = (a + x)^2");
    let of_power = formulas(&mut desk, ":explain x of r");
    assert!(of_power.contains("\"2*(a + x)\""), "{of_power}");
}

#[test]
fn formulas_are_the_rows_texts_with_what_stands_for_their_letters() {
    let leaves = "a, b, c = 3, 5, 4";
    for (root, by, formula) in [
        // For two operands `y` is the other one; for more, all the others.
        ("max(a, b)", "a", "if(a > b, 1, if(a < b, 0, 0.5))"),
        ("max(a, b)", "b", "if(b > a, 1, if(b < a, 0, 0.5))"),
        ("max(a, b, c)", "c", "if(c > …, 1, if(c < …, 0, 0.5))"),
        ("sum(a, b, c)", "b", "1"),
        ("prod(a, b)", "b", "a"),
        ("prod(a, b + 1, c)", "c", "prod(a, b + 1)"),
        ("prod(a, b, c, 7, a)", "b", "prod(a, c, 7, …)"),
        ("prod(a)", "a", "1"),
        ("hypot(a, b)", "b", "b/L"),
        ("hypot(a, b, c)", "b", "b/L"),
        ("clamp(a, b, c)", "a", "if(a < b, 0, if(a > c, 0, 1))"),
        ("clamp(a, b, c)", "b", "if(a < b, 1, 0)"),
        ("clamp(a, b, c)", "c", "if(a > c, 1, 0)"),
        ("if(a, b, c)", "c", "if(a, 0, 1)"),
        ("a/b", "b", "-L/b"),
        ("(a + 1)*b", "b", "a + 1"),
        ("sin((a + 1)*b)", "(a + 1)*b", "cos((a + 1)*b)"),
        ("tanh(max(a, b))", "max(a, b)", "1 - L^2"),
        ("max(a, b)^c", "max(a, b)", "c*max(a, b)^(c - 1)"),
        ("(a + b)^c", "(a + b)", "c*(a + b)^(c - 1)"),
        ("((a + b)*c)^c", "((a + b)*c)", "c*((a + b)*c)^(c - 1)"),
        ("(a*(b + c))^c", "(a*(b + c))", "c*(a*(b + c))^(c - 1)"),
        // What has only literal operands is carried out if the result is short.
        ("a^2", "a", "2*a"),
        ("(a + b)^3", "(a + b)", "3*(a + b)^2"),
        ("a^1", "a", "1"),
        ("a^0", "a", "0"),
        ("a^-1", "a", "-1*a^-2"),
        ("a^0.5", "a", "0.5*a^-0.5"),
        ("a^2.3", "a", "2.3*a^(2.3 - 1)"),
        ("2^a", "a", "L*ln(2)"),
        ("a/2", "a", "1/2"),
        ("2/a", "a", "-L/a"),
        ("2a", "a", "2"),
        ("leakyrelu(a, 0.1)", "a", "if(a > 0, 1, 0.1)"),
    ] {
        let mut desk = Desk::with(&[leaves, &format!("L = {root}")]);
        let told = explain(&mut desk, &format!(":explain {by} of L"));
        assert_eq!(told["paths"][0]["formulas"], json!([formula]), "{root}");
    }
}
