//! Lists: depth, length, pictures, and the same programs without lists, to the bit. Their forms stand in
//! `tests/screens/lists.txt`.

use chainrule_engine::graph::live_nodes;

use crate::common::{Desk, Random};

#[test]
fn a_picture_shows_the_items_of_a_list_that_is_asked_for() {
    let mut desk = Desk::with(&["w = 1..9;", "y = sum(w^2);"]);
    assert!(!desk.screen(":graph y").contains("w[9]"));
    assert!(desk.screen(":graph y wrt w").contains("w[9]"));
    for file in ["y.svg", "y.png", "y.dot", "y.mmd"] {
        let told = |desk: &mut Desk, line: String| format!("{:?}", desk.picture(&line));
        let folded = told(&mut desk, format!(":graph y {file}"));
        let unfolded = told(&mut desk, format!(":graph y wrt w {file}"));
        assert!(!folded.contains("\"w[9]\""), "{folded}");
        assert!(unfolded.contains("\"w[9]\""), "{unfolded}");
    }
}

#[test]
fn lists_are_nested_64_deep_and_no_deeper() {
    let nested = |depth: usize| format!("{}1{}", "[".repeat(depth), "]".repeat(depth));
    let mut desk = Desk::with(&[format!("d = {};", nested(64))]);
    assert_eq!(desk.value(&format!("d{}", "[1]".repeat(64))), 1.0);
    desk.line("a = [d[1], d[1]];");
    assert_eq!(desk.value("sum(flat(a))"), 2.0);
    let message = "lists are nested at most 64 deep";
    for line in [
        &*format!("e = {}", nested(65)),
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
    desk.line("g = grad(y, w);");
    desk.line("H = [grad(k, w) for k in g];");
    let exact = desk.value("y/w[7]/w[300]");
    let made = desk.value("H[7][300]");
    assert!(
        (made - exact).abs() <= 1e-12 * exact.abs(),
        "{made} {exact}"
    );
}

#[test]
fn loops_may_be_long() {
    let mut desk = Desk::default();
    desk.line("v = [k^2 for k in 1..200000];");
    assert_eq!(desk.value("v[200000]"), 4e10);
    let made = desk.session.newest_id();
    desk.line("s = sum(x*2 for x in v);");
    let per_item = f64::from(desk.session.newest_id() - made) / 200_000.0;
    assert!(per_item < 3.0, "{per_item} nodes for each item");
    desk.line("v = 1; s = 2;");
    assert_eq!(desk.session.audit(), Ok(()));
}

/// A number between -2 and 2 with few digits.
fn number(random: &mut Random) -> f64 {
    (random.below(4_001) as f64 - 2_000.0) / 1_000.0
}

/// A program in two spellings: with lists, and with a name for each item.
#[derive(Default)]
struct Twins {
    lists: Vec<String>,
    scalars: Vec<String>,
    /// Each list with its length.
    known: Vec<(String, usize)>,
    numbers: Vec<String>,
}

impl Twins {
    fn random(random: &mut Random) -> Twins {
        let mut twins = Twins::default();
        for (at, length) in [(0, 3), (1, 3), (2, 4)] {
            twins.leaves(&format!("w{at}"), length, random);
        }
        twins.number("a", "0.75", "0.75");
        for at in 0..12 {
            twins.statement(at, random);
        }
        let all: Vec<String> = twins.numbers.clone();
        let sum = all.join(" + ");
        twins.number("L", &sum, &sum);
        twins
    }

    fn leaves(&mut self, name: &str, length: usize, random: &mut Random) {
        let numbers: Vec<String> = (0..length).map(|_| number(random).to_string()).collect();
        self.list(name, &format!("[{}]", numbers.join(", ")), &numbers);
    }

    fn list(&mut self, name: &str, list: &str, items: &[String]) {
        self.lists.push(format!("{name} = {list}"));
        let names: Vec<String> = (1..=items.len()).map(|at| format!("{name}_{at}")).collect();
        self.scalars
            .push(format!("{} = {}", names.join(", "), items.join(", ")));
        self.known.push((name.to_owned(), items.len()));
    }

    fn number(&mut self, name: &str, list: &str, scalar: &str) {
        self.lists.push(format!("{name} = {list}"));
        self.scalars.push(format!("{name} = {scalar}"));
        self.numbers.push(name.to_owned());
    }

    fn statement(&mut self, at: usize, random: &mut Random) {
        let (one, length) = self.known[random.below(self.known.len())].clone();
        let alike: Vec<&(String, usize)> = self
            .known
            .iter()
            .filter(|(_, other)| *other == length)
            .collect();
        let other = alike[random.below(alike.len())].0.clone();
        let number = self.numbers[random.below(self.numbers.len())].clone();
        let item = |name: &str, at: usize| format!("{name}_{at}");
        let each =
            |text: &dyn Fn(usize) -> String| -> Vec<String> { (1..=length).map(text).collect() };
        let name = format!("v{at}");
        match random.below(9) {
            0 => self.list(
                &name,
                &format!("tanh({one}*{other} + {number})"),
                &each(&|at| format!("tanh({}*{} + {number})", item(&one, at), item(&other, at))),
            ),
            1 => self.list(
                &name,
                &format!("[x^2 - k*{number} for x, k in zip({one}, 1..{length})]"),
                &each(&|at| format!("{}^2 - {at}*{number}", item(&one, at))),
            ),
            2 => self.list(
                &name,
                &format!("max({one}, {other}, 0.1)"),
                &each(&|at| format!("max({}, {}, 0.1)", item(&one, at), item(&other, at))),
            ),
            3 => {
                let terms = each(&|at| item(&one, at));
                self.number(
                    &name,
                    &format!("sum({one})/2"),
                    &format!("sum({})/2", terms.join(", ")),
                );
            }
            4 => {
                let terms = each(&|at| format!("{}*{}", item(&one, at), item(&other, at)));
                self.number(
                    &name,
                    &format!("dot({one}, {other})"),
                    &format!("sum({})", terms.join(", ")),
                );
            }
            5 => {
                let terms = each(&|at| item(&one, at));
                self.number(
                    &name,
                    &format!("mean({one})"),
                    &format!("sum({})/{length}", terms.join(", ")),
                );
            }
            6 => {
                let (first, last) = (item(&one, 1), item(&one, length));
                self.number(
                    &name,
                    &format!("{one}[1]*{one}[len({one})]"),
                    &format!("{first}*{last}"),
                );
            }
            7 => {
                let terms = each(&|at| item(&one, at));
                self.number(
                    &name,
                    &format!("prod({one})"),
                    &format!("prod({})", terms.join(", ")),
                );
            }
            _ => {
                let terms = each(&|at| format!("{}^2", item(&one, at)));
                self.number(
                    &name,
                    &format!("tanh(sum(x^2 for x in {one}))"),
                    &format!("tanh(sum({}))", terms.join(", ")),
                );
            }
        }
    }
}

#[test]
fn programs_with_lists_give_the_bits_of_those_without() {
    let mut random = Random(7);
    for round in 0..300 {
        let twins = Twins::random(&mut random);
        let mut lists = Desk::with(&twins.lists);
        let mut scalars = Desk::with(&twins.scalars);
        for desk in [&mut lists, &mut scalars] {
            desk.line(":grad L");
        }
        let told = || {
            format!(
                "{round}:\n{}\n\n{}",
                twins.lists.join("\n"),
                twins.scalars.join("\n")
            )
        };
        let compare = |lists: &Desk, scalars: &Desk| {
            for (name, node) in lists.session.names().nodes() {
                let flat = name.replace('[', "_").replace(']', "");
                let other = scalars
                    .session
                    .names()
                    .find_node(&flat)
                    .expect("the same names");
                let bits = |desk: &Desk, node: &_| {
                    let grad = desk.session.pass().and_then(|pass| pass.grad(node));
                    grad.map(f64::to_bits)
                };
                assert_eq!(
                    node.data().to_bits(),
                    other.data().to_bits(),
                    "{name} in {}",
                    told()
                );
                assert_eq!(
                    bits(lists, node),
                    bits(scalars, other),
                    "grad of {name} in {}",
                    told()
                );
            }
        };
        compare(&lists, &scalars);
        for desk in [&mut lists, &mut scalars] {
            desk.line(":step 0.001 3 of L all");
            desk.line(":grad L");
        }
        compare(&lists, &scalars);
    }
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
        let mut desk = Desk::with(&["c = [1, 2, 3]", ":config undo-steps 1"]);
        desk.line(line);
        let live = live_nodes();
        for _ in 0..100 {
            desk.line(line);
        }
        assert!(
            live_nodes() <= live + 20,
            "{line}: {live}, {}",
            live_nodes()
        );
    }
}
