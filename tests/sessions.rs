//! Invariants of every session: a saved session makes the same one again, undo and redo restore it, and a statement that
//! fails leaves no trace. Sessions come from `tests/screens/sessions.txt`, or are made at random. `common/invariants.rs` compares
//! sessions, and `files.rs` tests files.

use chainrule_engine::graph::{Order, gradients};
use chainrule_session::{Session, TrialOf};

use crate::common::invariants::{comes_back, everything, load_script, portrait, sound};
use crate::common::{Desk, Random, same_bits, target};
use crate::records::{Kind, Record};

/// A session, and its state after each change that undo takes back.
struct Told {
    desk: Desk,
    states: Vec<String>,
    lines: Vec<String>,
    /// Loaded lines are several changes in a saved session; a theme and what was before a `:reset` are none.
    has_other_changes: bool,
}

impl Told {
    fn new() -> Told {
        let desk = Desk::default();
        Told {
            states: vec![portrait(&desk.session)],
            desk,
            lines: Vec::new(),
            has_other_changes: false,
        }
    }

    fn count(&self) -> usize {
        self.desk.session.journal().undoable().len()
    }

    fn why(&self) -> String {
        self.lines.join("\n")
    }

    /// Types a line, and returns whether it was accepted.
    fn tell(&mut self, line: &str) -> bool {
        self.lines.push(line.to_owned());
        let (before, count) = (everything(&self.desk.session), self.count());
        let answers = self.desk.try_line(line);
        let accepted = answers.iter().all(Result::is_ok);
        if accepted {
            self.has_other_changes |= [":reset", ":config theme dark"].contains(&line);
            self.look(
                count,
                line.starts_with(":undo") || line.starts_with(":redo"),
            );
        } else {
            assert_eq!(everything(&self.desk.session), before, "{}", self.why());
        }
        accepted
    }

    /// Compares the session with its earlier state at the same place, or keeps its present one.
    fn look(&mut self, count: usize, goes_back: bool) {
        sound(&self.desk.session);
        let (now, place) = (portrait(&self.desk.session), self.count());
        if !goes_back && place > count {
            assert_eq!(place, count + 1, "{}", self.why());
            self.states.truncate(place);
            self.states.push(now);
        } else {
            assert!(
                self.states[place] == now,
                "{}\nis\n{now}\nnot\n{}",
                self.why(),
                self.states[place]
            );
        }
    }

    /// Types lines as one change, like a loaded file, which is undone if one fails.
    fn load(&mut self, lines: &[String], fails: bool) {
        self.lines.push(format!("load, fails: {fails}"));
        let (before, count) = (everything(&self.desk.session), self.count());
        self.desk.session.begin_trial(TrialOf::Lines);
        for line in lines {
            self.lines.push(line.clone());
            self.desk.try_line(line);
            sound(&self.desk.session);
        }
        if fails {
            self.desk.session.end_trial(None);
            assert_eq!(everything(&self.desk.session), before, "{}", self.why());
        } else {
            self.desk.session.end_trial(Some(":load"));
            self.has_other_changes = true;
        }
        self.look(count, false);
    }

    /// Saves and loads it, undoes everything, and redoes it. Returns the saved text.
    fn comes_back(mut self) -> String {
        let count = self.count();
        let saved = comes_back(&mut self.desk.session);
        self.look(count, false);
        if !self.has_other_changes {
            let mut second = load_script(&saved);
            for state in self.states.iter().take(count).rev() {
                second.undo().expect("it has as many changes");
                assert!(portrait(&second) == *state, "{}\n{saved}", self.why());
            }
        }
        let count = self.count();
        for line in [":undo", ":redo"] {
            for _ in 0..count {
                assert!(self.tell(line), "{}", self.why());
            }
        }
        saved
    }
}

/// What is saved of them is recorded there.
#[test]
fn recorded_sessions_come_back() {
    let record = Record::read("sessions");
    for part in record.groups.iter().flat_map(|group| &group.parts) {
        let mut told = Told::new();
        for line in part.lines.iter().filter(|line| line.kind == Kind::Typed) {
            told.tell(&line.text);
        }
        told.comes_back();
    }
}

/// A grammar of statements with few names, so that these are often rebound and deleted. One of the alternatives after
/// `number: ` replaces `<number>`.
const GRAMMAR: &str = "
statement: <set> | <set> | <set> | <set> | <change> | <change> | <change> | <command> | <command> | <function>
set: <name> = <expression> | <name> = <expression> | <name> = <unit> | <list> = <items> | <list> = <items> | <name> = <name> | <list> = <list> | const <name> = <unit> | const <list> = [<unit>, <digit>] | <list> 'no. <digit>' = <items> | <name>, <name> = <expression>, <expression> | <name>, <list> = <items> | <name> = <call>*<call> | <name> = <uncertain> | <expression> | <items> | <name> = <name><long>
change: <name> += <expression> | <list> += <number> | :set <leaf> <unit> | :set <items> <digit> | :set <leaf> <uncertain> | :set <leaf> ± <unit> | :freeze <leaf> | :thaw <leaf> | :del <name> | :del <list> | :del <list>@1 | <name>.label = 'it is <digit>' | <name> = @<digit>*@1<digit> | <name> = <node> | <name> = <expression>*<node> | :thaw <node> | :freeze <node> | <list>.append(<expression>) | <list>.append(<items>) | <list>.extend(<items>) | <list> = <none> | for k in 1..3: <list>.append(k*a)
name: a | b | c | x1 | pi | e | as
list: v | w | W
leaf: a | b | c | x1 | v | w | W | v[0] | w[1]
node: @<digit> | @<digit> | @1<digit> | @2<digit> | @3<digit>
digit: 1 | 2 | 3 | 4 | 5
number: 2 | 10.0 | (-3) | pi | e | inf | 1e300 | 5e-324 | nan | ans | a | b | c | x1 | as | a@1 | b@2 | c@1 | a.data | v[0] | w[-1] | W[0][1] | w@1[1] | sum(w) | dot(v, w) | max(w) | mean(flat(W)) | len(v) | 1/0 | (a*b) | f(w) | g(a) | (1 + 2)
expression: <number> | <number> | <number> | <unary>(<expression>) | (<expression>)<binary><number> | <number><binary>(<expression>) | max(<number>, <expression>, <number>)
unary: - | tanh | exp | ln | relu | sqrt
binary:  +  |  -  | * | / | ^ |  <  | %
none: [] | [[], []] | range(0) | w[1:1]
items: [<number>, <number>] | <list> | <none> | w[:] | [<number>, [<number>, 3]] | [<items>, <number>] | W[0] | v@1 | flat(W) | range(3) | w[1..2] | v[[1, 0]] | w[:2] | [tanh(k) for k in w] | [[i*j for i in v] for j in w] | zip(v, w) | h(v) | [g(k) for k in v] | flat([v, w]) | w^2 | v*w | a*w | W*2 | ans | w.data | w.grad | $1 | [uniform(0, 1) for k in 1..2]
uncertain: <unit> ± <unit> | <unit> ± 5% | 3 ± <digit> | [1, <unit>] ± [<unit>, 0]
command: :undo | :undo | :redo | :redo | :undo 2 | :step 0.01 2 | :step 0.01 of b | :step 0.02 momentum 0.5 of b | :step 0.02 adam of b | :step 0.02 adam | :step 0.01 of <node> | :grad <node> | :grad <node>.csv | :grad a <node>.csv | :walk a*b | :walk b | :next 50 | <name> = Neuron(2) | :step 0.1*uniform(0, 1) of b | :config digits <digit> | :config seed 5 | :grad a | :grad ans*a | :grad uniform(0, 1)*a | :backward c | :zero | :reset | :solve a for b = 0.3 | :minimize c | print(a, b*2) | x1.data += -0.1*x1.grad
function: <head>(x) = <body> | <head>(x) = <body> | h(x, y) = (<body>)*y | g(x, y) = (<body>)*y
head: f | g | h | sin
body: x*x + 1 | sin(x)*a | g(x) - x | max(x, x) + f(x) | 2x | g'(x) + x*x | grad(x^3*a, x) | sum(x^2) | x*w[0] + 1 | [x[0], x*2]
reader: g = a.grad | a.data += -0.1*a.grad | :set a a - 0.1*a.grad | for p in w: p.data += -0.1*p.grad | for k in 1..2: L.backward() | g = ans | g = ans*a | g = $1 | g = @<digit>*a | g = @1<digit> | :set a <digit> | :set a 2 | b = <unit> | c = a*b | L = (a*b - 1)^2 | :minimize (a - 1)^2 | :step 0.01 of L | :step 0.01 adam of a*b
look: L.backward() | :grad a*b | :grad @<digit> | :grad L | :grad | :backward a*5 | :zero | a.grad = 0 | :walk a*b | :walk L | :tree c | :step 0.01 | :next | :next 50 | a*7 | 5 | ans*2 | a.grad | w.grad | nope + 1 | a.data += nope
undo: :undo | :undo | :undo 2
redo: :redo | :redo | :redo 2
call: f(a) | g(b) | h(a, c) | f(g(x1)) | g(b, 2) | sin(f(a*b)) | f'(a) | sin''(b) | g''(a*b) | grad(a*b^2, b) | grad(exp(a)*c, a)
";

/// Beginnings of sessions, which bind the names.
const BEGINNING: &str = "\
f(x) = x^2
g(x) = x + 1
h(x) = 2x
a, b, c, x1 = 2, -3, 0.5, 1
e, as = 4, a*b
v, w = [1, 2], [3, a]
W = [v, w]";

/// A random text from a rule of the grammar.
fn random_text(random: &mut Random, rule: &str, depth: usize) -> String {
    match rule {
        "unit" => return random.unit().to_string(),
        "long" => return " + 1".repeat(300),
        _ => {}
    }
    let of_rule = |line: &'static str| line.strip_prefix(rule)?.strip_prefix(": ");
    let all = GRAMMAR.lines().find_map(of_rule).expect("there is a rule");
    let all: Vec<&str> = all.split(" | ").collect();
    // The first alternative has no further rules, so it ends a deep text.
    let chosen = random.below(if depth > 6 { 1 } else { all.len() });
    let mut text = String::new();
    let mut rest = all[chosen];
    while let Some((before, behind)) = rest.split_once('<') {
        text += before;
        rest = behind;
        if let Some((rule, behind)) = behind.split_once('>') {
            text += &random_text(random, rule, depth + 1);
            rest = behind;
        } else {
            text.push('<');
        }
    }
    text + rest
}

#[test]
fn random_sessions_come_back() {
    let (mut accepted, mut typed) = (0, 0);
    for seed in 1..=24 {
        let mut random = Random(seed);
        let mut told = Told::new();
        for line in BEGINNING.lines().skip(random.below(8)) {
            told.tell(line);
        }
        for _ in 0..3 + random.below(40) {
            if random.below(8) == 0 {
                let lines =
                    (0..2 + random.below(8)).map(|_| random_text(&mut random, "statement", 0));
                // A loaded file writes no files.
                let refused = |line: &String| {
                    let starts = [":undo", ":redo"].iter().any(|it| line.starts_with(it));
                    starts || line.contains(".csv")
                };
                let lines = lines.filter(|line| !refused(line));
                let lines: Vec<String> = lines.collect();
                told.load(&lines, seed.is_multiple_of(2));
                continue;
            }
            typed += 1;
            // Many statements fail, which is a good test too: they must leave no trace.
            accepted += usize::from(told.tell(&random_text(&mut random, "statement", 0)));
        }
        told.comes_back();
    }
    assert!(
        accepted * 3 > typed,
        "only {accepted} of {typed} were accepted"
    );
}

/// Undo and redo, with passes, walks and questions between them, of statements that read gradients, results and nodes.
#[test]
fn what_is_undone_and_redone_comes_back() {
    let mut redone = 0;
    for seed in 1..=300 {
        let mut random = Random(seed);
        let mut told = Told::new();
        for line in ["a, b = 2, 3", "w = [a, b]", "c = a*b", "L = c^2 - a"] {
            told.tell(line);
        }
        for _ in 0..=random.below(4) {
            for rule in ["look", "reader", "look", "undo", "look", "redo", "look"] {
                for _ in 0..random.below(3) {
                    let line = random_text(&mut random, rule, 0);
                    redone += usize::from(told.tell(&line) && rule == "redo");
                }
            }
        }
        told.comes_back();
    }
    assert!(redone > 200, "only {redone} were redone");
}

#[test]
fn a_refused_comment_is_not_saved() {
    let mut desk = Desk::default();
    desk.session.add_remark("# a\u{7}b");
    desk.session.add_remark("# one");
    desk.line("a = 1");
    assert!(desk.session.script().text.ends_with("\n# one\na = 1;\n"));
}

/// The grads of all nodes below a name.
fn grads_below(session: &Session, name: &str) -> Vec<f64> {
    let root = session.names().find_node(name).expect("it is there");
    gradients(&Order::below([root]), root, |_| {})
}

#[test]
fn large_sessions_come_back() {
    // Long lines, deep brackets, and constants that are used repeatedly.
    let mut desk = Desk::with(&["x, y = 0.5, 0.25", "s = 0"]);
    let repeat = |desk: &mut Desk, count: usize, line: &str| {
        for _ in 0..count {
            desk.line(line);
        }
    };
    repeat(&mut desk, 3000, "s = s*x + tanh(y*s);");
    desk.line(&format!("t = {};", vec!["x*y"; 5000].join(" + ")));
    desk.line("x;");
    repeat(&mut desk, 12_000, "sin(ans);");
    desk.line("u = ans;");
    desk.line("1 + 1;");
    repeat(&mut desk, 200, "ans + ans;");
    desk.line("v = x*ans;");
    let text = comes_back(&mut desk.session);
    assert!(text.lines().all(|line| line.len() < 2 << 20));
    let back = load_script(&text);
    for name in ["s", "t", "u", "v"] {
        let found = grads_below(&back, name);
        let wanted = grads_below(&desk.session, name);
        assert_eq!(found.len(), wanted.len(), "{name}");
        let mut pairs = found.iter().zip(&wanted);
        assert!(pairs.all(|(one, other)| same_bits(*one, *other)), "{name}");
    }
}

#[test]
fn long_lists_come_back() {
    let mut desk = Desk::with(&[
        "w = [k/7 for k in 1..10000]",
        "const x = [tanh(k) for k in 1..10000]",
        "L = dot(w, x) + sum(w)",
        "s = prod(w[0..999])",
    ]);
    let text = comes_back(&mut desk.session);
    assert!(text.len() < 1000, "{text}");
    // Many steps are saved as a `:set` of all leaves.
    desk.session.limits_mut().repeated_work = 10_000;
    desk.line(":step 1e-9 2 of L");
    let text = comes_back(&mut desk.session);
    assert!(text.contains("\n:set w[0] "));
}

#[test]
fn a_load_follows_its_leaves_when_it_is_done_again_and_what_was_before_it_when_it_fails() {
    let sum = format!("S = {}a;", "1 + ".repeat(500));
    let mut told = Told::new();
    told.tell("a = 2;");
    told.load(&[":set a 3;", "P = a*a;", &sum].map(str::to_owned), false);
    for line in [":undo;", ":redo;", ":set a 10;", ":grad P;"] {
        told.tell(line);
    }
    let desk = &mut told.desk;
    assert_eq!((desk.value("P"), desk.value("S")), (100.0, 510.0));
    assert_eq!(desk.grad("a"), 20.0);

    for line in ["a*3", ":walk a*4", ":grad a*7;"] {
        told.tell(line);
    }
    told.load(&[":grad S;", ":set a 3;"].map(str::to_owned), true);
    told.tell(":set a 20;");
    let desk = &mut told.desk;
    let pass = desk.session.pass().expect("there was one");
    assert_eq!(pass.root().data(), 140.0);
    let target = target(&desk.session).expect("there was one");
    assert_eq!((target.data(), desk.value("ans")), (140.0, 60.0));
}

#[test]
fn forgotten_results_cost_nothing() {
    let mut desk = Desk::with(&["a = 2;", "L = a*a;"]);
    for _ in 0..5_000 {
        desk.line("a*3 + L;");
    }
    // The session keeps 100 results of two nodes each, and no other ones.
    assert!(desk.session.newest_id() > 15_000);
    let start = std::time::Instant::now();
    for round in 0..500 {
        desk.line(&format!(":set a {round};"));
        let found = desk.session.names().find_node("L").map(|node| node.data());
        assert_eq!(found, Some(f64::from(round * round)));
    }
    assert!(start.elapsed().as_secs() < 60);
}
