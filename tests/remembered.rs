//! What a session keeps through loads that succeed or fail, `:undo` and `:redo`, with more nodes than a small session
//! has: random sessions are compared with a model, and sessions that once gave wrong numbers are replayed.
//!
//! The model stores names, data and the journal as complete copies, and computes every value and gradient anew. The
//! session is audited after each statement as well.

use std::collections::{BTreeMap, HashMap};

use crate::common::{Desk, Random, target};

/// The number of terms of a large expression.
const TERMS: usize = 600;

#[derive(Clone, Copy, Debug)]
enum Form {
    Leaf,
    Apply(char, usize, usize),
    /// A long sum: `a + 1 + 1 + …`
    Large(usize),
}

/// The state that `:undo` restores: the nodes of names, and the data of leaves.
#[derive(Clone, Debug, Default, PartialEq)]
struct State {
    names: BTreeMap<&'static str, usize>,
    data: HashMap<usize, f64>,
}

#[derive(Clone, Default)]
struct Model {
    nodes: Vec<Form>,
    state: State,
    done: Vec<State>,
    undone: Vec<State>,
    answer: Option<usize>,
    /// What undo and redo make of it is not modelled.
    is_answer_known: bool,
    /// The initial data of leaves.
    begun: HashMap<usize, f64>,
    /// The root of the last pass, and whether no data has changed since.
    pass: Option<(usize, bool)>,
}

impl Model {
    fn add(&mut self, form: Form) -> usize {
        self.nodes.push(form);
        self.nodes.len() - 1
    }

    fn record(&mut self, before: State) {
        self.done.push(before);
        self.undone.clear();
    }

    fn values(&self) -> Vec<f64> {
        let mut values: Vec<f64> = Vec::new();
        for (at, form) in self.nodes.iter().enumerate() {
            let of = |at: usize| values[at];
            values.push(match *form {
                // A leaf of a load that was undone has no data, but then its value is not needed either.
                Form::Leaf => self.state.data.get(&at).copied().unwrap_or(0.0),
                Form::Apply('+', x, y) => of(x) + of(y),
                Form::Apply('-', x, y) => of(x) - of(y),
                Form::Apply(_, x, y) => of(x) * of(y),
                Form::Large(x) => (0..TERMS).fold(of(x), |sum, _| sum + 1.0),
            });
        }
        values
    }

    /// The gradient of a root with respect to every node.
    fn grads(&self, root: usize) -> Vec<f64> {
        let values = self.values();
        let mut grads = vec![0.0; values.len()];
        grads[root] = 1.0;
        for (at, form) in self.nodes.iter().enumerate().rev() {
            let grad = grads[at];
            match *form {
                Form::Leaf => {}
                Form::Large(x) => grads[x] += grad,
                Form::Apply('+', x, y) => {
                    (grads[x], grads[y]) = added(&grads, (x, grad), (y, grad));
                }
                Form::Apply('-', x, y) => {
                    (grads[x], grads[y]) = added(&grads, (x, grad), (y, -grad));
                }
                Form::Apply(_, x, y) => {
                    let (by_x, by_y) = (grad * values[y], grad * values[x]);
                    (grads[x], grads[y]) = added(&grads, (x, by_x), (y, by_y));
                }
            }
        }
        grads
    }

    fn moved(&mut self) {
        if let Some((_, fresh)) = &mut self.pass {
            *fresh = false;
        }
    }

    fn is_leaf(&self, node: usize) -> bool {
        matches!(self.nodes[node], Form::Leaf)
    }
}

fn added(grads: &[f64], x: (usize, f64), y: (usize, f64)) -> (f64, f64) {
    if x.0 == y.0 {
        let sum = grads[x.0] + x.1 + y.1;
        (sum, sum)
    } else {
        (grads[x.0] + x.1, grads[y.0] + y.1)
    }
}

struct Play {
    desk: Desk,
    model: Model,
    random: Random,
    said: Vec<String>,
}

const LEAVES: [&str; 4] = ["a", "b", "c", "d"];
const ROOTS: [&str; 5] = ["L", "M", "N", "P", "S"];

impl Play {
    fn say(&mut self, line: String) {
        self.desk.line(&line);
        self.said.push(line);
    }

    /// Two bound names, and their nodes.
    fn operands(&mut self) -> Option<[(&'static str, usize); 2]> {
        let names: Vec<_> = self
            .model
            .state
            .names
            .iter()
            .map(|(name, node)| (*name, *node))
            .collect();
        if names.is_empty() {
            return None;
        }
        Some([(); 2].map(|()| names[self.random.below(names.len())]))
    }

    /// An expression and its node in the model.
    fn expression(&mut self) -> Option<(String, usize)> {
        let [(x, one), (y, other)] = self.operands()?;
        if self.random.below(6) == 0 {
            return Some((
                format!("{x}{}", " + 1".repeat(TERMS)),
                self.model.add(Form::Large(one)),
            ));
        }
        let sign = ['+', '-', '*'][self.random.below(3)];
        Some((
            format!("{x} {sign} {y}"),
            self.model.add(Form::Apply(sign, one, other)),
        ))
    }

    fn number(&mut self) -> f64 {
        self.random.unit() * 2.0 - 1.0
    }

    /// Types a statement that may occur in a file too.
    fn statement(&mut self) {
        let before = self.model.state.clone();
        match self.random.below(12) {
            0..=2 => {
                let (name, data) = (LEAVES[self.random.below(4)], self.number());
                self.say(format!("{name} = {data:?};"));
                let node = self.model.add(Form::Leaf);
                self.model.state.names.insert(name, node);
                self.model.state.data.insert(node, data);
                self.model.begun.insert(node, data);
                self.model.record(before);
            }
            3..=5 => {
                let Some((text, node)) = self.expression() else {
                    return;
                };
                let name = ROOTS[self.random.below(5)];
                self.say(format!("{name} = {text};"));
                self.model.state.names.insert(name, node);
                self.model.record(before);
            }
            6..=8 => {
                let names = &self.model.state.names;
                let leaves: Vec<_> = names
                    .iter()
                    .filter(|(_, node)| self.model.is_leaf(**node))
                    .collect();
                if leaves.is_empty() {
                    return;
                }
                let (name, node) = leaves[self.random.below(leaves.len())];
                let (name, node, data) = (*name, *node, self.number());
                self.say(format!(":set {name} {data:?};"));
                self.model.state.data.insert(node, data);
                self.model.record(before);
                self.model.moved();
            }
            9 => {
                let Some((text, node)) = self.expression() else {
                    return;
                };
                self.say(text);
                self.model.answer = Some(node);
                self.model.is_answer_known = true;
            }
            10 => {
                let Some((text, node)) = self.expression() else {
                    return;
                };
                self.say(format!(":grad {text};"));
                self.model.pass = Some((node, true));
            }
            _ => {
                let Some([(name, _), _]) = self.operands() else {
                    return;
                };
                self.say(format!(":del {name};"));
                self.model.state.names.remove(name);
                self.model.record(before);
            }
        }
        self.look();
    }

    /// Runs several statements as one change, like those of a file. The last one may fail.
    fn load(&mut self) {
        let before = self.model.clone();
        let fails = self.random.below(2) == 0;
        self.said.push("(load".to_string());
        self.desk.session.begin_trial();
        for _ in 0..2 + self.random.below(8) {
            self.statement();
        }
        if fails {
            self.desk.error("nowhere + 1");
            self.desk.session.take_trial_back();
            self.said.push("fails)".to_string());
            // The nodes of a failed load are gone, but the model does not reuse their indices.
            self.model = Model {
                nodes: self.model.nodes.clone(),
                ..before
            };
        } else {
            self.desk.session.keep_trial(":load");
            self.said.push("stands)".to_string());
            let recorded = self.model.done.len() > before.done.len();
            (self.model.done, self.model.undone) = (before.done, before.undone);
            if recorded {
                self.model.record(before.state);
            }
        }
        self.look();
    }

    fn go(&mut self, back: bool) {
        let model = &mut self.model;
        let (from, to) = if back {
            (&mut model.done, &mut model.undone)
        } else {
            (&mut model.undone, &mut model.done)
        };
        let Some(mut state) = from.pop() else { return };
        to.push(model.state.clone());
        // A leaf that is newer than the restored state keeps its initial data.
        for node in model.state.data.keys() {
            state.data.entry(*node).or_insert(model.begun[node]);
        }
        let moved = |(node, data): (&usize, &f64)| {
            let now = model.state.data.get(node);
            now.is_some_and(|now| now.to_bits() != data.to_bits())
        };
        let moved = state.data.iter().any(moved);
        model.state = state;
        if moved {
            model.moved();
        }
        // Results go back, too.
        self.model.is_answer_known = false;
        self.say(if back { ":undo;" } else { ":redo;" }.to_string());
        self.look();
    }

    /// Compares the session with the model.
    fn look(&self) {
        let session = &self.desk.session;
        let told = || self.said.join("\n").replace(&" + 1".repeat(TERMS), " + 1…");
        assert_eq!(session.audit(), Ok(()), "{}", told());
        let values = self.model.values();
        let names: Vec<&str> = self.model.state.names.keys().copied().collect();
        let mut bound: Vec<&str> = session
            .names()
            .bound_values()
            .map(|(name, _)| name)
            .collect();
        bound.sort_unstable();
        assert_eq!(bound, names, "{}", told());
        for (name, &node) in &self.model.state.names {
            let data = session.names().find_node(name).map(|node| node.data());
            assert_eq!(data, Some(values[node]), "{name} after\n{}", told());
        }
        let answer = session
            .results()
            .last()
            .map(|value| value.nodes()[0].data());
        if self.model.is_answer_known {
            assert_eq!(
                answer,
                self.model.answer.map(|node| values[node]),
                "ans after\n{}",
                told()
            );
        }
        assert_eq!(
            session.pass().is_some(),
            self.model.pass.is_some(),
            "{}",
            told()
        );
        let Some((root, fresh)) = self.model.pass else {
            return;
        };
        let Some(pass) = session.pass() else { return };
        assert_eq!(
            pass.root().data(),
            values[root],
            "the root after\n{}",
            told()
        );
        assert_eq!(session.is_stale(), !fresh, "stale after\n{}", told());
        if fresh {
            let grads = self.model.grads(root);
            for (name, &node) in &self.model.state.names {
                let grad = self.desk.grad(name);
                let close = (grad - grads[node]).abs() <= 1e-9 * (1.0 + grads[node].abs());
                assert!(
                    close,
                    "{name}: {grad}, not {}, after\n{}",
                    grads[node],
                    told()
                );
            }
        }
    }
}

#[test]
fn random_sessions_remember_what_the_model_does() {
    for seed in 1..=60 {
        let mut play = Play {
            desk: Desk::default(),
            model: Model::default(),
            random: Random(seed),
            said: Vec::new(),
        };
        for _ in 0..60 {
            match play.random.below(10) {
                0 | 1 => play.load(),
                2 | 3 => play.go(true),
                4 | 5 => play.go(false),
                _ => play.statement(),
            }
        }
    }
}

/// Runs lines like a loaded file. If `fails` is set, the last line is an error.
fn load(desk: &mut Desk, lines: &[&str], fails: bool) {
    desk.session.begin_trial();
    let (last, lines) = lines.split_last().expect("a file has lines");
    for line in lines {
        desk.line(line);
    }
    if fails {
        desk.error(last);
        desk.session.take_trial_back();
    } else {
        desk.line(last);
        desk.session.keep_trial(":load");
    }
}

#[test]
fn what_a_load_that_is_done_again_brings_back_follows_its_leaves() {
    let mut desk = Desk::with(&["a = 2;"]);
    let sum = format!("S = {}a;", "1 + ".repeat(500));
    load(&mut desk, &[":set a 3;", "P = a*a;", &sum], false);
    for line in [":undo;", ":redo;", ":set a 10;"] {
        desk.line(line);
    }
    assert_eq!((desk.value("P"), desk.value("S")), (100.0, 510.0));
    desk.line(":grad P;");
    assert_eq!(desk.grad("a"), 20.0);
    assert_eq!(desk.session.audit(), Ok(()));
}

#[test]
fn what_was_there_before_a_load_that_failed_follows_its_leaves() {
    let mut desk = Desk::with(&["a = 2;"]);
    desk.line(&format!("S = a{};", " + 1".repeat(500)));
    desk.line("a*3");
    desk.line(":walk a*4");
    desk.line(":grad a*7;");
    load(&mut desk, &[":grad S;", ":set a 3;", "nowhere + 1"], true);
    desk.line(":set a 10;");
    let pass = desk.session.pass().expect("there was one");
    assert_eq!(pass.root().data(), 70.0);
    let target = target(&desk.session).expect("there was one");
    assert_eq!(target.data(), 70.0);
    assert_eq!(desk.value("ans"), 30.0);
    assert_eq!(desk.session.audit(), Ok(()));
}

#[test]
fn forgotten_results_cost_nothing() {
    let mut desk = Desk::with(&["a = 2;", "L = a*a;"]);
    for _ in 0..20_000 {
        desk.line("a*3 + L;");
    }
    // The session keeps 100 results of two nodes each, whatever else was made.
    assert!(desk.session.newest_id() > 60_000);
    let start = std::time::Instant::now();
    for round in 0..2_000 {
        desk.line(&format!(":set a {round};"));
        assert_eq!(
            desk.session.names().find_node("L").map(|node| node.data()),
            Some(f64::from(round * round))
        );
    }
    assert!(start.elapsed().as_secs() < 60);
}
