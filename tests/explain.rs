//! `:explain`: all paths of a small graph, the largest ones of a large graph, and the sentences about their sum.
//!
//! The paths are enumerated independently by recursion over the nodes. Gradients are compared with `:grad`, closed
//! forms with the values they have when typed.

#![allow(clippy::unwrap_used)]

use std::rc::Rc;

use crate::common::{Desk, Random, close, number};
use chainrule_engine::graph::Node;
use chainrule_session::Reader;
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
            products(operand, node, so_far * root.locals()[place], found);
        }
    }
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
    for _ in 0..40 {
        let lines = program(&mut random);
        let mut desk = Desk::with(&lines);
        desk.line(":grad L");
        let root = Rc::clone(desk.session.names().find_node("L").unwrap());
        for name in ["a0", "a1", "a2", "v0"] {
            let node = Rc::clone(desk.session.names().find_node(name).unwrap());
            let found = chainrule::study::explain(&mut desk.session, &root, &node);
            if found.count > 20_000.0 {
                continue;
            }
            let mut all = Vec::new();
            products(&root, &node, 1.0, &mut all);
            let told = format!("{name} in {lines:?}");
            assert_eq!(found.grad.to_bits(), desk.grad(name).to_bits(), "{told}");
            assert_eq!(found.count, all.len() as f64, "{told}");
            all.sort_by(|one, other| other.abs().total_cmp(&one.abs()));
            let mut listed: Vec<f64> = found.listed.iter().map(|path| path.product).collect();
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
                            .listed
                            .iter()
                            .take(8)
                            .map(|path| path.product)
                            .sum::<f64>()))
                .abs()
                    <= 1e-13 * size
            );
            whole += usize::from(all.len() > 1 && all.len() <= 100);
            cut += usize::from(all.len() > 100);
        }
    }
    assert!(whole > 40 && cut > 12, "{whole} {cut}");
}

#[test]
fn closed_forms_can_be_typed() {
    let mut random = Random(5);
    let (mut closed, mut long) = (0, 0);
    for _ in 0..40 {
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
    assert!(closed > 80 && long > 0, "{closed} {long}");
}

#[test]
fn two_to_the_thousand_paths() {
    let mut desk = Desk::with(&["x = 1", "y = x"]);
    for _ in 0..1_000 {
        desk.line("y = y + y;");
    }
    desk.session.show.reader = Reader::Program;
    let told = explain(&mut desk, ":explain x of y");
    desk.session.show.reader = Reader::Person;
    assert_eq!(number(&told["path_count"]), 1000_f64.exp2());
    assert_eq!(number(&told["grad"]), 1000_f64.exp2());
    assert_eq!(number(&told["rest"]), 1000_f64.exp2());
    let paths = told["paths"].as_array().unwrap();
    assert_eq!(paths.len(), 100);
    for path in paths {
        assert_eq!(path["product"], 1);
        assert_eq!(
            (path["nodes"].as_array().unwrap().len(), &path["left_out"]),
            (101, &json!(900))
        );
        assert_eq!(path["locals"].as_array().unwrap().len(), 100);
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
fn of_a_long_path_the_first_steps_are_shown() {
    let mut desk = Desk::with(&["x = 1", "y = x"]);
    for _ in 0..30_000 {
        desk.line("y = y*1;");
    }
    desk.session.show.reader = Reader::Program;
    let told = explain(&mut desk, ":explain x of y");
    desk.session.show.reader = Reader::Person;
    assert_eq!(
        (&told["grad"], &told["path_count"], &told["rest"]),
        (&json!(1), &json!(1), &json!(0))
    );
    assert_eq!(told["paths"][0]["left_out"], 29_900);
    assert!(told.to_string().len() < 20_000);
    let screen = desk.screen(":explain x of y");
    assert!(screen.contains("29,988 more rows"), "{screen}");
}

#[test]
fn flat_stretches_are_flat() {
    let points = [
        -1000.0, -20.0, -9.0, -5.5, -4.2, -3.1, -1.0, -0.5, 0.0, 0.5, 1.0, 3.1, 5.5, 9.0, 20.0,
        1000.0,
    ];
    let mut seen = 0;
    for op in chainrule_engine::ops::TABLE
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
                    let local = op.locals(&operands, out)[place];
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
