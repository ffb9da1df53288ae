//! Sessions and their graphs: derivatives as nodes beside passes, lists beside single numbers, operations of many
//! operands, and that nothing is left of what a session forgets. The engines by themselves are tested in
//! `crates/engine/tests`.

use std::rc::Rc;

use crate::common::invariants::sound;
use crate::common::{Desk, Random, close, number, same_bits};
use chainrule_engine::graph::{Node, Order, Plan, gradients, live_nodes};
use chainrule_engine::ops::{Op, TABLE};

/// A statement with lists, and the same item by item. `A` and `B` are lists of one length, `P` and `Q` are their items at
/// the place `K`, and `N` is a number.
struct Form {
    list: &'static str,
    item: &'static str,
    /// What becomes of the items, `…`; a list of them if there is nothing.
    fold: &'static str,
}

const FORMS: [Form; 9] = [
    Form {
        list: "tanh(A*B + N)",
        item: "tanh(P*Q + N)",
        fold: "",
    },
    Form {
        list: "[x^2 - k*N for x, k in zip(A, range(len(A)))]",
        item: "P^2 - K*N",
        fold: "",
    },
    Form {
        list: "max(A, B, 0.1)",
        item: "max(P, Q, 0.1)",
        fold: "",
    },
    Form {
        list: "sum(A)/2",
        item: "P",
        fold: "sum(…)/2",
    },
    Form {
        list: "dot(A, B)",
        item: "P*Q",
        fold: "sum(…)",
    },
    Form {
        list: "mean(A)",
        item: "P",
        fold: "sum(…)/LENGTH",
    },
    Form {
        list: "A[0]*A[-1]",
        item: "",
        fold: "A_0*A_LAST",
    },
    Form {
        list: "prod(A)",
        item: "P",
        fold: "prod(…)",
    },
    Form {
        list: "tanh(sum(x^2 for x in A))",
        item: "P^2",
        fold: "tanh(sum(…))",
    },
];

/// A program in two spellings: with lists, and with a name for each item.
fn twins(random: &mut Random) -> [Vec<String>; 2] {
    let mut known: Vec<(String, usize)> = Vec::new();
    let [mut with_lists, mut without] = [vec!["a = 0.75".to_string()], vec!["a = 0.75".into()]];
    let mut numbers = vec!["a".to_string()];
    let names = |name: &str, length: usize| {
        let names: Vec<String> = (0..length).map(|at| format!("{name}_{at}")).collect();
        names.join(", ")
    };
    for (name, length) in [("u", 3), ("v", 3), ("w", 4)] {
        let items: Vec<String> = (0..length)
            .map(|_| (random.below(4_001) as f64 / 1_000.0 - 2.0).to_string())
            .collect();
        with_lists.push(format!("{name} = [{}]", items.join(", ")));
        without.push(format!("{} = {}", names(name, length), items.join(", ")));
        known.push((name.to_owned(), length));
    }
    for at in 0..12 {
        let (one, length) = known[random.below(known.len())].clone();
        let alike = known.iter().filter(|(_, other)| *other == length);
        let alike: Vec<&(String, usize)> = alike.collect();
        let other = &alike[random.below(alike.len())].0;
        let number = &numbers[random.below(numbers.len())];
        let name = format!("y{at}");
        let Form { list, item, fold } = &FORMS[random.below(FORMS.len())];
        let list = list.replace('A', &one).replace('B', other);
        with_lists.push(format!("{name} = {}", list.replace('N', number)));
        let item = |at: usize| {
            let item = item.replace('P', &format!("{one}_{at}"));
            let item = item.replace('Q', &format!("{other}_{at}"));
            item.replace('K', &at.to_string()).replace('N', number)
        };
        let items = (0..length).map(item).collect::<Vec<_>>().join(", ");
        if fold.is_empty() {
            without.push(format!("{} = {items}", names(&name, length)));
            known.push((name, length));
        } else {
            let last = (length - 1).to_string();
            let fold = fold.replace("LENGTH", &length.to_string());
            let fold = fold.replace("LAST", &last).replace('…', &items);
            without.push(format!("{name} = {}", fold.replace('A', &one)));
            numbers.push(name);
        }
    }
    let last = format!("L = {}", numbers.join(" + "));
    with_lists.push(last.clone());
    without.push(last);
    [with_lists, without]
}

#[test]
fn programs_with_lists_give_the_bits_of_those_without() {
    let mut random = Random(7);
    for round in 0..300 {
        let twins = twins(&mut random);
        let mut desks = [Desk::with(&twins[0]), Desk::with(&twins[1])];
        for lines in [&[":grad L"][..], &[":step 0.001 3 of L all", ":grad L"]] {
            for desk in &mut desks {
                for line in lines {
                    desk.line(line);
                }
            }
            let [lists, scalars] = &desks;
            let told = || {
                format!(
                    "{round}:\n{}\n\n{}",
                    twins[0].join("\n"),
                    twins[1].join("\n")
                )
            };
            for (name, node) in lists.session.names().named_nodes() {
                let flat = name.replace('[', "_").replace(']', "");
                let other = scalars.session.names().find_node(&flat);
                let other = other.expect("the same names");
                let grad = |desk: &Desk, node: &Rc<Node>| {
                    let grad = desk.session.pass().and_then(|pass| pass.grad(node));
                    grad.map(f64::to_bits)
                };
                let numbers = (node.data().to_bits(), grad(lists, node));
                let others = (other.data().to_bits(), grad(scalars, other));
                assert_eq!(numbers, others, "{name} in {}", told());
            }
        }
    }
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
        let of = |name: &str| Rc::clone(desk.session.names().find_node(name).expect("it is bound"));
        let (root, node) = (of("L"), of(name));
        let mut plan = Plan::of(&root);
        plan.forward(None);
        plan.backward();
        let place = plan.order().slot(&node).expect("L depends on it");
        let swept = gradients(plan.order(), &root, |_| {})[place];
        let told = desk.answer(&format!(":explain {name} of L"));
        let paths = told["paths"].as_array().expect("there is a path");
        let product = number(&paths[paths.len() - 1]["product"]);
        for got in [desk.grad(name), plan.grads()[place], swept, product] {
            assert!(same_bits(got, grad), "{line}: {got}");
        }
    }
}

/// With one zero only its own partial is left, with two none: and then the mixed second derivative by the two of them.
#[test]
fn derivatives_of_products_with_zeros() {
    for values in [
        [0.0, 2.0, 3.0, 4.0],
        [2.0, 3.0, 4.0, 0.0],
        [2.0, 0.0, 3.0, 0.0],
        [0.0; 4],
        [2.0, 3.0, 4.0, 5.0],
    ] {
        let mut desk = Desk::with(&[format!("w = {values:?}; p = prod(w); :grad p;")]);
        // The product of those that are left.
        let rest = |out: &[usize]| -> f64 {
            let left = (0..4).filter(|at| !out.contains(at));
            left.map(|at| values[at]).product()
        };
        for one in 0..4 {
            let name = format!("w[{one}]");
            let grad = desk.value(&format!("{name}.grad"));
            assert_eq!(grad, rest(&[one]), "{values:?} by {name}");
            let first = format!("grad(p, {name})");
            assert_eq!(desk.value(&first), rest(&[one]), "{first}");
            for other in 0..4 {
                let want = if one == other {
                    0.0
                } else {
                    rest(&[one, other])
                };
                let second = format!("grad({first}, w[{other}])");
                assert_eq!(desk.value(&second), want, "{values:?}: {second}");
            }
        }
        let third = "grad(grad(grad(p, w[0]), w[2]), w[3])";
        assert_eq!(desk.value(third), values[1]);
        assert_eq!(desk.value(&format!("grad({third}, w[1])")), 1.0);
    }
}

fn of_many() -> impl Iterator<Item = &'static Op> {
    TABLE.iter().filter(|op| op.arity().1.is_none())
}

#[test]
fn derivatives_as_nodes_grow_with_the_number_of_operands() {
    for op in of_many() {
        for data in [
            "0.5 + mod(37k, 101)/100",
            "1.5",
            "if(mod(k, 100) == 7, 0, 1.25)",
        ] {
            let mut desk = Desk::with(&[&format!("x = [{data} for k in 1..1000]")]);
            // Outside of its domain there is nothing to compare.
            if !op.domain.contains(&[desk.value("x[0]")]) {
                continue;
            }
            desk.line(&format!("y = {}(x); :grad y;", op.spelling));
            let before = desk.session.newest_id();
            desk.line("all = grad(y, x);");
            let between = desk.session.newest_id();
            let one = desk.value("grad(y, x[0])");
            let (all, single) = (between - before, desk.session.newest_id() - between);
            assert!(
                all <= 6_000 && single <= 3_000,
                "{}: {all}, {single}",
                op.name
            );
            assert!(close(one, desk.value("all[0]"), 1e-12, 0.0), "{}", op.name);
            for at in 0..1_000 {
                let (got, want) = (
                    desk.value(&format!("all[{at}]")),
                    desk.value(&format!("x[{at}].grad")),
                );
                assert!(
                    close(got, want, 1e-12, 0.0),
                    "{} by x[{at}]: {got} {want}",
                    op.name
                );
            }
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
        ("if(k <= 30, 1e-9, if(k <= 90, 1e9, 1))", "prod(w[0..399])"),
    ] {
        let mut desk = Desk::with(&[&format!("w = [{items} for k in 1..4000]; y = {call}")]);
        assert_eq!(desk.answer(":check y")["ok"], true, "{call} of {items}");
    }
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

#[test]
fn a_picture_shows_the_items_of_a_list_that_is_asked_for() {
    let mut desk = Desk::with(&["w = 1..9;", "y = sum(w^2);"]);
    for file in ["", "y.svg"] {
        for (line, is_there) in [(":graph y", false), (":graph y wrt w", true)] {
            let line = format!("{line} {file}");
            let shown = if file.is_empty() {
                desk.screen(&line)
            } else {
                format!("{:?}", desk.picture(&line))
            };
            assert_eq!(shown.contains("w[8]"), is_there, "{line}: {shown}");
        }
    }
}

#[test]
fn lists_are_nested_64_deep_and_no_deeper() {
    let nested = |depth: usize| format!("{}1{}", "[".repeat(depth), "]".repeat(depth));
    let mut desk = Desk::with(&[format!("d = {};", nested(64))]);
    assert_eq!(desk.value(&format!("d{}", "[0]".repeat(64))), 1.0);
    desk.line("a = [d[0], d[0]];");
    assert_eq!(desk.value("sum(flat(a))"), 2.0);
    let message = "lists are nested at most 64 deep";
    let deeper = format!("e = {}", nested(65));
    for line in [
        &*deeper,
        "[d]",
        "zip(d, d)",
        "[d for k in 1..2]",
        "d, e = 1, [d]",
    ] {
        assert_eq!(desk.error(line).message, message, "{line}");
    }
    desk.line("b = [[[[[[1..9]]]]]];");
    assert!(desk.screen(":vars").contains("1 × 1 × 1 × 1 × 1 × 9"));
}

#[test]
fn a_matrix_of_second_derivatives_is_made_item_by_item() {
    let mut desk = Desk::with(&["w = [1 + 1/k^2 for k in 1..300];", "y = prod(w);"]);
    desk.line("H = [grad(k, w) for k in grad(y, w)];");
    let (exact, made) = (desk.value("y/w[6]/w[299]"), desk.value("H[6][299]"));
    assert!(close(made, exact, 1e-12, 0.0), "{made} {exact}");
}

#[test]
fn loops_may_be_long() {
    let mut desk = Desk::with(&["v = [k^2 for k in 1..200000];"]);
    assert_eq!(desk.value("v[199999]"), 4e10);
    let made = desk.session.newest_id();
    desk.line("s = sum(x*2 for x in v);");
    let per_item = f64::from(desk.session.newest_id() - made) / 200_000.0;
    assert!(per_item < 3.0, "{per_item} nodes for each item");
    desk.line("v = 1; s = 2;");
    sound(&desk.session);
}

/// A list remembers how it was made, and so the lists before it: they are dropped without recursion, and where the items
/// do not hold the numbers they were made from, nothing is kept.
#[test]
fn a_chain_of_lists_is_dropped_in_a_loop() {
    let mut desk = Desk::with(&["w, c = [1, 2, 3], [1, 2, 3]"]);
    for _ in 0..50_000 {
        desk.line("w = w*0.999;");
    }
    let live = live_nodes();
    assert!(live > 150_000, "{live}");
    desk.line(":reset");
    drop(desk);
    assert_eq!(live_nodes(), 0);
    for line in ["c = [u.data*0.999 for u in c];", "c = grad(sum(c^2), c)*1;"] {
        let mut desk = Desk::with(&["c = [1, 2, 3]", ":config undo-steps 1", line]);
        let before = live_nodes();
        (0..100).for_each(|_| drop(desk.line(line)));
        assert!(
            live_nodes() <= before + 20,
            "{line}: {before}, {}",
            live_nodes()
        );
    }
}

#[test]
fn a_session_leaves_no_node_behind() {
    let before = live_nodes();
    let mut desk = Desk::with(&[
        "a, b = 2, 3",
        "L = a*b + tanh(a)",
        ":grad L",
        ":backward L",
        ":step 0.1 5",
        "a = 5",
    ]);
    desk.error("q = a*b + nothing");
    desk.line(":undo");
    desk.line("a*b*L");
    desk.line(":reset");
    assert!(live_nodes() > before);
    drop(desk);
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

#[test]
fn changes_in_a_large_graph_reach_all_dependent_nodes() {
    // Large enough for an index of users to be built, which must stay right after all kinds of changes.
    let before = live_nodes();
    let mut desk = Desk::with(&["a, b = 1, 0.5", "x0 = a"]);
    for line in 1..3_000 {
        let (last, far) = (line - 1, line * 7 / 9);
        desk.line(&format!("x{line} = x{last}*0.999 + b*x{far} - 0.5*x{far}"));
    }
    let mut random = Random(3);
    for round in 0..40 {
        let one = random.below(3_000);
        match random.below(9) {
            0 => drop(desk.line(&format!("y{round} = x{one}*b + a"))),
            1 => drop(desk.line(&format!("x{one} = a*b"))),
            2 => drop(desk.error("z = a*b*a*b + nothing")),
            3 => drop(desk.line(":undo")),
            4 => drop(desk.line(&format!(
                "leaf{round} = {round}; made{round} = leaf{round}*a"
            ))),
            5 => drop(desk.line(&format!("x{one}"))),
            _ => {}
        }
        let leaf = ["a", "b"][random.below(2)];
        desk.line(&format!(":set {leaf} {}", random.unit()));
        if round == 39 {
            desk.line(":undo");
        }
        // Every node below a name has the value that its operation gives for its operands.
        let named = desk.session.names().named_nodes().map(|(_, node)| node);
        for node in Order::below(named).nodes() {
            let Some(op) = node.op() else { continue };
            let values: Vec<f64> = node
                .operands()
                .iter()
                .map(|operand| operand.data())
                .collect();
            let (kept, anew) = (node.data(), op.value(&values));
            assert!(same_bits(kept, anew), "@{}: {kept} {anew}", node.id());
        }
    }
    // The index must not keep nodes alive.
    drop(desk);
    assert_eq!(live_nodes(), before);
}
