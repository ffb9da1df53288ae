//! Random programs in the common subset of Python and of the calculator: each is run by both, and both print the same
//! numbers to 1e-12, or the calculator refuses it with a line to type.
//!
//! Names are bound in blocks, functions and functions inside of functions, and the same few names are used in all of them,
//! so that a name which is looked up in a wrong place gives another number. Numbers stay below about a hundred, so that
//! rounding in another order cannot reach the tolerance.

use std::fmt::Write as _;
use std::fs;
use std::process::Command;

use crate::common::process::{Folder, Ran, run};
use crate::common::{Random, close};
use crate::export_jax::python_with;

const PROGRAMS: u64 = 3_000;

/// The number of programs with random numbers and roundings.
const DRAWING_PROGRAMS: u64 = 300;

/// The largest share of the programs that may be refused.
const REFUSED: f64 = 1.0 / 30.0;

/// Runs each file, catches its output, and writes all outputs as JSON.
const RUN_ALL: &str = r"
import contextlib, importlib.util, io, json, sys, types
if importlib.util.find_spec('numpy') is None:
    # The programs only take items and sums of these lists.
    few = sys.modules['numpy'] = types.ModuleType('numpy')
    few.zeros, few.ones = lambda n: [0.0] * n, lambda n: [1.0] * n
    few.linspace = lambda a, b, n: [a + (b - a) * k / (n - 1) for k in range(n)]
outputs = []
for path in sys.argv[1:]:
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(compile(open(path).read(), path, 'exec'), {'__name__': '__main__'})
    outputs.append(out.getvalue())
json.dump(outputs, sys.stdout)
";

/// The names that variables have, in every scope.
const NAMES: [&str; 5] = ["a", "b", "c", "u", "v"];
const LISTS: [&str; 3] = ["x", "y", "w"];

#[derive(Clone)]
struct Function {
    name: String,
    parameters: usize,
    /// How many of the parameters have a default.
    defaults: usize,
}

/// The names that the program can read at a place.
#[derive(Clone, Default)]
struct Scope {
    numbers: Vec<String>,
    /// Lists of two items or more.
    lists: Vec<String>,
    functions: Vec<Function>,
}

/// Writes one program.
struct Author {
    random: Random,
    text: String,
    indent: usize,
    scope: Scope,
    /// In a loop.
    loops: usize,
    /// In a function, which may not bind a list of its own by appending.
    functions: usize,
    /// The count of names for loops, functions and growing lists.
    made: usize,
}

impl Author {
    fn program(seed: u64) -> String {
        let mut author = Author::new(seed);
        author.line(&format!("random.seed({seed})"));
        author.bind_number("a");
        author.bind_list("x");
        for _ in 0..4 + author.random.below(6) {
            author.statement(3);
        }
        let all = author.scope.clone();
        for name in all.numbers.iter().chain(&all.lists) {
            author.line(&format!("print('{name}', {name})"));
        }
        author.text
    }

    /// A program of random numbers and roundings.
    fn drawing_program(seed: u64) -> String {
        let mut author = Author::new(seed);
        author.line(&format!("random.seed({})", seed * seed * seed));
        author.bind_list("x");
        for _ in 0..12 {
            match author.random.below(3) {
                0 => author.rounding(),
                _ => author.draw(),
            }
        }
        author.text
    }

    fn new(seed: u64) -> Author {
        Author {
            random: Random(seed),
            text: "import math, random\nimport numpy as np\n".to_string(),
            indent: 0,
            scope: Scope::default(),
            loops: 0,
            functions: 0,
            made: 0,
        }
    }

    fn pick(&mut self, of: &[&str]) -> String {
        of[self.random.below(of.len())].to_string()
    }

    fn one_of(&mut self, of: &[String]) -> Option<String> {
        (!of.is_empty()).then(|| of[self.random.below(of.len())].clone())
    }

    fn new_name(&mut self, stem: &str) -> String {
        self.made += 1;
        format!("{stem}{}", self.made)
    }

    fn line(&mut self, line: &str) {
        let _ = writeln!(self.text, "{}{line}", "    ".repeat(self.indent));
    }

    /// A block, after which the names that it has bound are forgotten: it may not have run.
    fn block(&mut self, head: &str, write: impl FnOnce(&mut Author)) {
        self.line(head);
        let before = self.scope.clone();
        self.indent += 1;
        write(self);
        self.indent -= 1;
        self.scope = before;
    }

    fn statements(&mut self, depth: usize) {
        for _ in 0..1 + self.random.below(3) {
            self.statement(depth);
        }
    }

    fn statement(&mut self, depth: usize) {
        if self.random.below(3) == 0 {
            return self.idiom();
        }
        let most = if depth == 0 { 8 } else { 19 };
        match self.random.below(most) {
            0 | 1 => {
                let name = self.pick(&NAMES);
                self.bind_number(&name);
            }
            2 => {
                let name = self.pick(&LISTS);
                self.bind_list(&name);
            }
            3 => self.update(),
            4 => self.pair(),
            5 | 6 => self.print(),
            7 => self.grow_list(),
            8 | 9 => self.choice(depth),
            10 | 11 => self.loop_over(depth),
            12 => self.while_loop(depth),
            13 => self.recursion(),
            14 => self.words(),
            15 => self.function_of_function(),
            16 => self.rest_and_missing(),
            _ => self.function(depth),
        }
    }

    /// A construct that beginners type, alone.
    fn idiom(&mut self) {
        match self.random.below(9) {
            0 => self.whole_numbers(),
            1 => self.truths(),
            2 => self.bindings(),
            3 | 4 => self.lists_of_lists(),
            5 => self.formats(),
            6 if self.loops == 0 => self.arguments(),
            7 if self.loops == 0 => self.functions_of_numbers(),
            8 => self.rounding(),
            _ => self.draw(),
        }
    }

    fn whole_numbers(&mut self) {
        let (value, count) = (self.number(1), self.random.below(7));
        let by = self.pick(&["2", "0.5", "-1.5", "3", "-2"]);
        match self.random.below(5) {
            0 => self.line(&format!("print({value} // {by}, {value} % {by})")),
            1 => {
                let (quotient, rest) = (self.new_name("q"), self.new_name("q"));
                self.line(&format!("{quotient}, {rest} = divmod({value}, {by})"));
                self.line(&format!("print({quotient}, {rest})"));
            }
            2 => self.line(&format!(
                "print(int({value}), float({count}), -7 // {by}, -7 % {by})"
            )),
            3 => self.line(&format!("print(math.factorial({count}), {count} // 2)")),
            _ => self.line(&format!(
                "print(sum(np.zeros({0})) + sum(np.ones({0})), np.linspace(0, {by}, 5)[{1}])",
                count + 1,
                count % 5
            )),
        }
    }

    fn truths(&mut self) {
        let (one, other, list) = (self.number(1), self.number(0), self.list(0));
        let text = match self.random.below(6) {
            0 => format!("print(-1 < {one} < {other})"),
            1 => format!("print(0 if {other} <= {one} != 2 else 1, {one} > 0 and True)"),
            2 => format!("print({other} in [2, 3, {other}], 7.5 not in {list})"),
            3 => format!("print(any([t > {other} for t in {list}]), all(t < 9 for t in {list}))"),
            4 => format!("print('in' if {other} in {list} else 'not in')"),
            _ => format!("print(not {one} > 0, {one} == {one})"),
        };
        self.line(&text);
    }

    fn bindings(&mut self) {
        let value = self.number(1);
        match self.random.below(3) {
            0 => {
                self.line(&format!("u = v = math.tanh({value})"));
                add(&mut self.scope.numbers, "u");
                add(&mut self.scope.numbers, "v");
            }
            1 => {
                self.line(&format!("b: float = math.tanh({value})"));
                add(&mut self.scope.numbers, "b");
            }
            _ => {
                let (word, condition) = (self.new_name("word"), self.condition());
                self.line(&format!("{word} = 'big' if {condition} else 'small'"));
                self.line(&format!("print({word})"));
            }
        }
    }

    fn lists_of_lists(&mut self) {
        let (list, least) = (self.list(0), self.number(0));
        let name = self.new_name("z");
        let text = match self.random.below(8) {
            0 => format!("print(sorted({list}), sorted({list}, reverse=True))"),
            1 => format!("print(max({list}, key=lambda t: -t), min({list}, key=abs))"),
            2 => format!(
                "{name} = [{} for t in {list} if t > {least}]",
                self.inside("t")
            ),
            3 => format!("{name} = [p * q for p in {list} for q in range(3)]"),
            4 => format!("{name} = [p - q for p in range(3) for q in range(p) if q != 1]"),
            5 => format!("{name} = {list}[::-1]"),
            6 => format!(
                "{name} = {list}{}",
                self.pick(&["[::2]", "[1::2]", "[-1::-1]", "[:2:1]"])
            ),
            _ => format!("{name} = list(reversed({list}))"),
        };
        self.line(&text);
        if text.starts_with(&name) {
            self.line(&format!("print(len({name}), {name})"));
        } else {
            self.block(&format!("for t in reversed({list}):"), |it| {
                it.line("print(t)")
            });
        }
    }

    fn formats(&mut self) {
        let (one, other, list) = (self.number(1), self.number(0), self.list(0));
        let names = self.scope.numbers.clone();
        let name = self.one_of(&names).expect("`a` is bound");
        match self.random.below(5) {
            0 => self.line(&format!("print(f'{{{name}=}} and {{{name}=:.2f}}')")),
            1 => self.line(&format!(
                "print('%.2f and %d' % ({one}, 3), '%8.3f|' % {other})"
            )),
            2 => self.line(&format!(
                "print('{{:.7f}} and {{}}'.format({one}, {other}))"
            )),
            3 => self.line(&format!("print(*{list}, sep='; ')")),
            _ => {
                self.line(&format!("print({one}, end=' / ')"));
                self.line(&format!("print({other}, str(2) + ' items')"));
            }
        }
    }

    /// Functions as arguments, and arguments as a list.
    fn arguments(&mut self) {
        let (value, other, list) = (self.number(0), self.number(0), self.list(0));
        let name = self.new_name("h");
        match self.random.below(4) {
            0 => {
                self.block(&format!("def {name}(f, t):"), |it| it.line("return f(t)"));
                self.line(&format!(
                    "print({name}(lambda t: t**2 + {other}, {value}), {name}(math.sin, {value}))"
                ));
            }
            1 => {
                self.block(&format!("def {name}(*args):"), |it| {
                    it.line("return sum(args) / len(args)");
                });
                self.line(&format!("print({name}(*{list}), max(*{list}))"));
            }
            2 => {
                self.block(&format!("def {name}(f, *args):"), |it| {
                    it.line("slopes = []");
                    it.block("for i in range(len(args)):", |it| {
                        it.line("plus = list(args)");
                        it.line("plus[i] += 0.5");
                        it.line("slopes.append((f(*plus) - f(*args)) / 0.5)");
                    });
                    it.line("return slopes");
                });
                self.line(&format!(
                    "print({name}(lambda p, q: p*q + q, {value}, {other}))"
                ));
            }
            _ => {
                let i = self.new_name("i");
                self.line(&format!("{name} = [{value}, {other}, 2.5]"));
                self.block(&format!("for {i} in range(len({name})):"), |it| {
                    it.line(&format!("{name}[{i}] += 0.5 * {i}"));
                });
                self.line(&format!("print({name})"));
            }
        }
    }

    fn functions_of_numbers(&mut self) {
        let value = self.number(0);
        let (name, late) = (self.new_name("s"), self.new_name("late"));
        if self.random.below(2) == 0 {
            self.block(&format!("def {name}(t, count: int = 2) -> None:"), |it| {
                it.line("print('t is', t, count)");
            });
            self.line(&format!("{name}({value})"));
        } else {
            self.block(&format!("def {name}(t):"), |it| {
                it.line(&format!("return t * {late} + 1"))
            });
            self.line(&format!("{late} = {value}"));
            self.line(&format!("print({name}(2))"));
        }
    }

    fn rounding(&mut self) {
        let value = self.number(1);
        let decimals = self.pick(&["0", "1", "2", "3", "-1"]);
        let half = self.pick(&["0.5", "2.5", "-2.5", "0.125", "2.675", "15", "25", "1.005"]);
        self.line(&format!(
            "print(round({value}, {decimals}), round({half}, {decimals}), round({half}))"
        ));
    }

    fn draw(&mut self) {
        let list = self.list(0);
        let name = self.new_name("d");
        match self.random.below(5) {
            0 => {
                let most = self.pick(&["0", "1", "6", "255", "1000000", "2**40"]);
                self.line(&format!("print(random.randint(-3, {most}))"));
            }
            1 => self.line(&format!("print(random.choice({list}))")),
            2 => {
                let count = self.random.below(12);
                self.line(&format!("{name} = [t for t in range({count})]"));
                self.line(&format!("random.shuffle({name})"));
                self.line(&format!("print({name})"));
            }
            3 => self.line("print(random.uniform(-1, 1), random.random())"),
            _ => self.line("print(random.gauss(0, 1), random.randint(1, 6))"),
        }
    }

    /// Binds a name to a number that cannot become large.
    fn bind_number(&mut self, name: &str) {
        let value = self.number(2);
        let value = match self.random.below(3) {
            0 => format!("math.tanh({value})"),
            1 => format!("min(max({value}, -3), 3)"),
            _ => format!("({value}) / (1 + abs({value}))"),
        };
        self.line(&format!("{name} = {value}"));
        add(&mut self.scope.numbers, name);
    }

    fn bind_list(&mut self, name: &str) {
        let list = self.list(1);
        self.line(&format!("{name} = {list}"));
        add(&mut self.scope.lists, name);
    }

    fn update(&mut self) {
        let numbers = self.scope.numbers.clone();
        let bound: Vec<String> = numbers.into_iter().filter(|it| is_variable(it)).collect();
        if let Some(name) = self.one_of(&bound) {
            let value = self.number(1);
            let sign = self.pick(&["+", "-"]);
            self.line(&format!("{name} {sign}= math.tanh({value})"));
        }
    }

    fn pair(&mut self) {
        let (first, second) = (self.number(1), self.number(1));
        self.line(&format!("u, v = math.tanh({first}), math.tanh({second})"));
        add(&mut self.scope.numbers, "u");
        add(&mut self.scope.numbers, "v");
    }

    fn print(&mut self) {
        let (one, other) = (self.number(2), self.number(1));
        let line = match self.random.below(5) {
            0 => format!("print({one})"),
            1 => format!("print('word', {one}, {other})"),
            2 => format!("print({one}, {other}, sep='; ')"),
            3 => format!("print(f'{{{one}:.3f}} and {{{other}:8.2f}}|')"),
            _ => format!("print({})", self.list(1)),
        };
        self.line(&line);
    }

    /// A list that begins empty and grows in a loop.
    fn grow_list(&mut self) {
        if self.functions > 0 {
            return self.print();
        }
        let (list, k) = (self.new_name("grown"), self.new_name("k"));
        let count = self.random.below(4);
        self.line(&format!("{list} = []"));
        self.block(&format!("for {k} in range({count}):"), |it| {
            it.scope.numbers.push(k.clone());
            let value = it.number(1);
            it.line(&format!("{list}.append({value})"));
        });
        if self.random.below(2) == 0 {
            let more = self.list(0);
            self.line(&format!("{list}.extend({more})"));
        }
        self.line(&format!("print(len({list}), sum({list}), {list})"));
    }

    fn choice(&mut self, depth: usize) {
        let condition = self.condition();
        self.block(&format!("if {condition}:"), |it| it.statements(depth - 1));
        if self.random.below(2) == 0 {
            let condition = self.condition();
            self.block(&format!("elif {condition}:"), |it| it.statements(depth - 1));
        }
        if self.random.below(2) == 0 {
            self.block("else:", |it| it.statements(depth - 1));
        }
    }

    fn loop_over(&mut self, depth: usize) {
        let (i, item) = (self.new_name("i"), self.new_name("item"));
        let list = self.list(0);
        let (head, names) = match self.random.below(5) {
            0 => (
                format!("for {i} in range({}):", self.random.below(4)),
                vec![i],
            ),
            1 => (format!("for {i} in range(1, 8, 3):"), vec![i]),
            2 => (format!("for {item} in {list}:"), vec![item]),
            3 => (
                format!("for {i}, {item} in enumerate({list}):"),
                vec![i, item],
            ),
            _ => {
                // Lists of two lengths are refused.
                let other = match self.random.below(4) {
                    0 => self.list(0),
                    _ => format!("[{} for t in {list}]", self.inside("t")),
                };
                (
                    format!("for {i}, {item} in zip({list}, {other}):"),
                    vec![i, item],
                )
            }
        };
        self.block(&head, |it| {
            it.loops += 1;
            it.scope.numbers.extend(names);
            it.statements(depth - 1);
            if it.random.below(4) == 0 {
                let (condition, leave) = (it.condition(), it.pick(&["break", "continue"]));
                it.block(&format!("if {condition}:"), |it| it.line(&leave));
                it.statement(0);
            }
            it.loops -= 1;
        });
    }

    fn while_loop(&mut self, depth: usize) {
        let n = self.new_name("n");
        let count = self.random.below(4);
        self.line(&format!("{n} = {count}"));
        let condition = self.condition();
        let also = if self.random.below(2) == 0 {
            format!(" and {condition}")
        } else {
            String::new()
        };
        self.block(&format!("while {n} > 0{also}:"), |it| {
            it.line(&format!("{n} -= 1"));
            it.loops += 1;
            it.statements(depth - 1);
            it.loops -= 1;
        });
    }

    fn recursion(&mut self) {
        let name = self.new_name("r");
        let value = self.number(1);
        self.block(&format!("def {name}(k, t):"), |it| {
            it.block("if k <= 0:", |it| it.line("return t"));
            it.line(&format!("return math.tanh({name}(k - 1, t * 0.5)) + k"));
        });
        let count = self.random.below(5);
        self.line(&format!("print({name}({count}, {value}))"));
    }

    /// A text from a choice in a block or a function.
    fn words(&mut self) {
        let (k, word) = (self.new_name("k"), self.new_name("word"));
        let (condition, value) = (self.condition(), self.number(1));
        if self.loops == 0 && self.random.below(2) == 0 {
            let say = self.new_name("say");
            self.block(&format!("def {say}(t, mode='plain'):"), |it| {
                it.block("if mode == 'loud':", |it| it.line("return 'LOUD'"));
                it.line(&format!("{word} = mode if t > 0 else 'below'"));
                it.line(&format!("return {word}"));
            });
            self.block(&format!("for {k} in range(2):"), |it| {
                let mode = it.pick(&["", ", 'loud'", ", mode='quiet'"]);
                it.line(&format!("print({k}, {say}({value}{mode}))"));
            });
            return;
        }
        self.block(&format!("for {k} in range(2):"), |it| {
            it.line(&format!("{word} = 'yes' if {condition} else 'no'"));
            it.block(&format!("if {word} == 'yes' and {k} < 2:"), |it| {
                it.line(&format!("print(f'{{{k}}}: {{{word}}}', {value})"));
            });
            it.block(&format!("if {word} != 'no':"), |it| {
                it.line(&format!("{word} = 'changed'"));
            });
            it.line(&format!("print({word}, {k})"));
        });
    }

    /// A function that calls a function that it gets or defines.
    fn function_of_function(&mut self) {
        if self.loops > 0 || self.functions > 0 {
            return self.print();
        }
        let (outer, inner) = (self.new_name("h"), self.new_name("s"));
        let value = self.number(1);
        self.block(&format!("def {inner}(t):"), |it| {
            it.scope.numbers.push("t".to_string());
            let (condition, early, late) = (it.condition(), it.number(1), it.number(1));
            it.block(&format!("if {condition}:"), |it| {
                it.line(&format!("return math.tanh({early})"));
            });
            it.line(&format!("return math.tanh({late})"));
        });
        self.block(&format!("def {outer}(f, t, n=2):"), |it| {
            it.block("def again(k):", |it| {
                it.line("return t if k == 0 else f(again(k - 1))");
            });
            it.line("first, last = f(t), again(n)");
            it.line("return last, first");
        });
        let function = self.pick(&[&inner, "abs"]);
        let count = self.pick(&["", ", 0", ", n=3"]);
        self.line(&format!("u, v = {outer}({function}, {value}{count})"));
        self.line("print(u, v)");
        add(&mut self.scope.numbers, "u");
        add(&mut self.scope.numbers, "v");
    }

    /// Functions with further arguments as a list, and with the default `None`.
    fn rest_and_missing(&mut self) {
        if self.loops > 0 || self.functions > 0 {
            return self.print();
        }
        let name = self.new_name("p");
        self.block(&format!("def {name}(first, *rest):"), |it| {
            it.line("most = None");
            it.block("for item in rest:", |it| {
                it.block("if item > first:", |it| it.line("most = item"));
            });
            it.block("if most is None:", |it| it.line("return len(rest)"));
            it.line("return most + sum(rest) + rest[-1]");
        });
        let count = 1 + self.random.below(4);
        let arguments: Vec<String> = (0..count).map(|_| self.number(0)).collect();
        self.line(&format!("print({name}({}))", arguments.join(", ")));
        let (other, value) = (self.new_name("d"), self.number(1));
        self.block(&format!("def {other}(t, limit=None):"), |it| {
            it.block("if limit is not None and t > 0:", |it| {
                it.line("return min(t, limit)")
            });
            it.line("return t");
        });
        let limit = self.pick(&["", ", 0.5", ", limit=0.25", ", None"]);
        self.line(&format!("print({other}({value}{limit}))"));
    }

    /// A function that binds some names that are also bound outside of it.
    fn function(&mut self, depth: usize) {
        if self.loops > 0 {
            return self.print();
        }
        let name = self.new_name("f");
        let parameters = 1 + self.random.below(3);
        let defaults = self.random.below(parameters);
        let names: Vec<String> = NAMES[..parameters]
            .iter()
            .map(ToString::to_string)
            .collect();
        let mut heads = names.clone();
        for head in &mut heads[parameters - defaults..] {
            let value = self.number(1);
            let _ = write!(head, "={value}");
        }
        self.block(&format!("def {name}({}):", heads.join(", ")), |it| {
            it.functions += 1;
            if it.random.below(4) == 0 {
                it.line("\"\"\"What it is for.\"\"\"");
            }
            // All names that it binds are bound before anything else is read, as Python demands.
            let own = it.scope.functions.clone();
            let outside = std::mem::take(&mut it.scope);
            it.scope.numbers.clone_from(&names);
            for name in NAMES.iter().chain(&LISTS) {
                let is_list = LISTS.contains(name);
                let bound = if is_list {
                    &outside.lists
                } else {
                    &outside.numbers
                };
                let is_outside = bound.iter().any(|it| it == name);
                if names.iter().any(|it| it == name) || it.random.below(2) == 0 && is_outside {
                    // It stays the outer name, which is only read.
                    continue;
                }
                if is_list {
                    it.bind_list(name);
                } else {
                    it.bind_number(name);
                }
            }
            let bound = it.scope.clone();
            for name in &outside.numbers {
                add(&mut it.scope.numbers, name);
            }
            for name in &outside.lists {
                add(&mut it.scope.lists, name);
            }
            it.scope.functions = own;
            it.body(depth - 1, &bound);
            it.functions -= 1;
        });
        self.scope.functions.push(Function {
            name,
            parameters,
            defaults,
        });
    }

    /// Statements of a function that bind only names which are its own.
    fn body(&mut self, depth: usize, own: &Scope) {
        let names: Vec<String> = own.numbers.clone();
        for _ in 0..1 + self.random.below(3) {
            match self.random.below(5) {
                0 => {
                    let name = self.one_of(&names).unwrap_or_else(|| "a".to_string());
                    self.bind_number(&name);
                }
                1 if depth > 0 => {
                    let (i, list) = (self.new_name("i"), self.list(0));
                    let name = self.one_of(&names).unwrap_or_else(|| "a".to_string());
                    self.block(&format!("for {i} in {list}:"), |it| {
                        it.scope.numbers.push(i.clone());
                        let value = it.number(1);
                        it.line(&format!("{name} += math.tanh({value})"));
                    });
                }
                2 => {
                    let (condition, value) = (self.condition(), self.number(1));
                    self.block(&format!("if {condition}:"), |it| {
                        it.line(&format!("return {value}"))
                    });
                }
                3 if depth > 0 => self.inner_function(),
                _ => {
                    let name = self.one_of(&names).unwrap_or_else(|| "a".to_string());
                    let value = self.number(1);
                    self.line(&format!("{name} -= math.tanh({value})"));
                }
            }
        }
        let value = self.number(2);
        self.line(&format!("return math.tanh({value})"));
    }

    /// A function inside of a function, which reads the names of the one around it.
    fn inner_function(&mut self) {
        let name = self.new_name("g");
        self.block(&format!("def {name}(t, c=0.25):"), |it| {
            add(&mut it.scope.numbers, "t");
            add(&mut it.scope.numbers, "c");
            let value = it.number(2);
            it.line(&format!("return math.tanh({value})"));
        });
        self.scope.functions.push(Function {
            name,
            parameters: 2,
            defaults: 1,
        });
    }

    fn number(&mut self, depth: usize) -> String {
        let numbers = self.scope.numbers.clone();
        if depth == 0 || self.random.below(4) == 0 {
            return match (self.random.below(4), self.one_of(&numbers)) {
                (0, _) | (_, None) => self.pick(&["0.5", "2", "-1.25", "3", "0.1"]),
                (_, Some(name)) => name,
            };
        }
        let (one, other) = (self.number(depth - 1), self.number(depth - 1));
        let list = self.list(0);
        match self.random.below(12) {
            0 => format!("({one} + {other})"),
            1 => format!("({one} - {other})"),
            2 => format!("({one} * {other})"),
            3 => format!("math.tanh({one})**2"),
            4 => format!("({one} if {} else {other})", self.condition()),
            5 => format!("{list}[{}]", self.pick(&["0", "1", "-1", "-2"])),
            6 => format!("sum({list})"),
            7 => format!("sum([{} for t in {list}])", self.inside("t")),
            8 => format!("sum((p*q for p, q in zip({list}, {list})), {one})"),
            9 => format!("(max({one}, {other}) + len({list}))"),
            10 => format!("abs({one})"),
            _ => self.call(),
        }
    }

    /// A number of the variable of a comprehension.
    fn inside(&mut self, variable: &str) -> String {
        let other = self.number(0);
        match self.random.below(3) {
            0 => format!("{variable}*{other}"),
            1 => format!("math.tanh({variable} - {other})"),
            _ => format!("{other} + {variable}"),
        }
    }

    fn call(&mut self) -> String {
        let functions = self.scope.functions.clone();
        if functions.is_empty() || self.loops > 1 {
            return "math.exp(-1)".to_string();
        }
        let function = &functions[self.random.below(functions.len())];
        let given = function.parameters - self.random.below(function.defaults + 1);
        let mut arguments = Vec::new();
        for _ in 0..given {
            let argument = self.number(0);
            arguments.push(argument);
        }
        if given > 1 && function.name.starts_with('f') && self.random.below(3) == 0 {
            arguments[given - 1].insert_str(0, &format!("{}=", NAMES[given - 1]));
        }
        format!("{}({})", function.name, arguments.join(", "))
    }

    /// A list of two items or more.
    fn list(&mut self, depth: usize) -> String {
        let lists = self.scope.lists.clone();
        let name = self.one_of(&lists);
        match (self.random.below(if depth == 0 { 3 } else { 6 }), name) {
            (0 | 1, Some(name)) => name,
            (3, Some(name)) => format!("[{} for t in {name}]", self.inside("t")),
            (4, Some(name)) => {
                let part = self.pick(&["[:2]", "[-2:]", "[0:2]", "[:]"]);
                format!("{name}{part}")
            }
            (5, _) => {
                let count = 2 + self.random.below(3);
                format!("[{} for t in range({count})]", self.inside("t"))
            }
            _ => {
                let count = 2 + self.random.below(3);
                let items: Vec<String> = (0..count).map(|_| self.number(0)).collect();
                format!("[{}]", items.join(", "))
            }
        }
    }

    fn condition(&mut self) -> String {
        let (one, other) = (self.number(1), self.number(0));
        let sign = self.pick(&["<", ">", "<=", ">="]);
        match self.random.below(4) {
            0 => {
                let third = self.number(0);
                format!("{one} {sign} {other} and {third} > 0")
            }
            1 => format!("not {one} {sign} {other}"),
            _ => format!("{one} {sign} {other}"),
        }
    }
}

fn add(names: &mut Vec<String>, name: &str) {
    if !names.iter().any(|it| it == name) {
        names.push(name.to_string());
    }
}

/// Whether the program may assign to a name, because it is no variable of a loop.
fn is_variable(name: &str) -> bool {
    NAMES.contains(&name)
}

/// The words between the numbers of a text, and the numbers.
fn numbers_and_words(text: &str) -> (Vec<f64>, String) {
    let (mut numbers, mut words) = (Vec::new(), String::new());
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let is_part = |c: char| c.is_ascii_digit() || matches!(c, '.' | 'e' | '-' | '+');
        let end = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
        let begins = first.is_ascii_digit() || first == '-';
        let after_word = words.ends_with(|c: char| c.is_alphanumeric());
        if let Some(number) = rest[..end].parse().ok().filter(|_| begins && !after_word) {
            numbers.push(number);
            words.push('#');
            rest = &rest[end..];
        } else {
            // A field has one blank less before `-0.00`, the sum of numbers -0, which in Python begins at 0.
            if first != ' ' || !words.ends_with(' ') {
                words.push(first);
            }
            rest = &rest[first.len_utf8()..];
        }
    }
    (numbers, words)
}

/// Whether two outputs have the same words, and the same numbers.
fn agree(one: &str, other: &str) -> bool {
    let ((one, words), (other, other_words)) = (numbers_and_words(one), numbers_and_words(other));
    // The blanks of a field depend on the digits of its number.
    words == other_words
        && one.len() == other.len()
        && one
            .iter()
            .zip(&other)
            .all(|(one, other)| close(*one, *other, 1e-12, 1e-12))
}

#[test]
fn programs_print_what_python_prints() {
    let test = "programs_print_what_python_prints";
    let programs: Vec<String> = (1..=PROGRAMS).map(Author::program).collect();
    if let Some(refused) = count_refused(&programs, test) {
        let share = f64::from(refused) / PROGRAMS as f64;
        assert!(share < REFUSED, "{refused} of {PROGRAMS} were refused");
    }
}

#[test]
fn programs_draw_and_round_as_python_does() {
    let test = "programs_draw_and_round_as_python_does";
    let programs: Vec<String> = (1..=DRAWING_PROGRAMS)
        .map(Author::drawing_program)
        .collect();
    assert!(count_refused(&programs, test).is_none_or(|refused| refused == 0));
}

/// Runs programs here and by Python, and returns how many are refused here. Fails if one prints something else. `None`
/// without Python.
fn count_refused(programs: &[String], test: &str) -> Option<u32> {
    let python = python_with("json", test)?;
    let folder = Folder::new();
    let mut paths = Vec::new();
    for (at, program) in programs.iter().enumerate() {
        let path = folder.0.join(format!("{}.py", at + 1));
        fs::write(&path, program).expect("it can be written");
        paths.push(path);
    }
    let ran = Command::new(python)
        .args(["-c", RUN_ALL])
        .args(&paths)
        .output();
    let ran = ran.expect("Python starts");
    let error = String::from_utf8_lossy(&ran.stderr);
    assert!(ran.status.success(), "a program is no Python: {error}");
    let expected: Vec<String> = serde_json::from_slice(&ran.stdout).expect("it is JSON");

    let (mut refused, mut wrong) = (0, Vec::new());
    for (path, expected) in paths.iter().zip(&expected) {
        let Ran { status, out, err } =
            run(&["--quiet", "--digits", "17", &path.to_string_lossy()], "");
        if status == Some(0) {
            if !agree(&out, expected) {
                wrong.push(format!(
                    "{}\nPython:\n{expected}\nhere:\n{out}",
                    path.display()
                ));
            }
        } else if err.contains("\nhelp: ") && err.contains('`') {
            refused += 1;
        } else {
            wrong.push(format!("{}: no line to type\n{err}", path.display()));
        }
    }
    println_share(refused, programs.len());
    if let Some(first) = wrong.first() {
        let path = first
            .lines()
            .next()
            .expect("a path")
            .split(": no")
            .next()
            .expect("a path");
        let text = fs::read_to_string(path).expect("it was written");
        let (wrong, all) = (wrong.len(), programs.len());
        panic!("{wrong} of {all} are wrong, first\n{text}\n{first}");
    }
    Some(refused)
}

/// Prints how many programs were refused, even if the test passes.
fn println_share(refused: u32, all: usize) {
    use std::io::Write as _;
    let _ = writeln!(
        std::io::stderr(),
        "{refused} of {all} programs were refused"
    );
}
