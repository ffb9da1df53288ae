//! The cells of the lecture's first hour and the code of the blog posts about it, pasted as they are: each line has an
//! answer, or an error that shows what to type instead. The numbers are those printed there.

use std::collections::BTreeSet;

use crate::common::{Desk, close, number};
use chainrule::commands;
use serde_json::Value;

/// Pastes a cell line by line, and returns the answers of its lines.
fn paste(desk: &mut Desk, cell: &str) -> Vec<Value> {
    desk.session.set_paste(cell);
    let lines = cell.trim_matches('\n').lines();
    lines.flat_map(|line| desk.line(line)).collect()
}

/// The numbers that `print` and expressions have shown.
fn shown(answers: &[Value]) -> Vec<f64> {
    let values = answers.iter().filter(|answer| answer["kind"] == "value");
    values.map(|answer| number(&answer["data"])).collect()
}

/// The row of a table that shows this node.
fn row<'v>(table: &'v Value, node: &str) -> &'v Value {
    let rows = table["rows"].as_array().expect("the table has rows");
    let found = rows.iter().find(|row| row["node"] == node);
    found.unwrap_or_else(|| panic!("no row {node} in {table}"))
}

fn grads(table: &Value, expected: &[(&str, f64)]) {
    for (node, grad) in expected {
        let found = number(&row(table, node)["grad"]);
        assert!(close(found, *grad, 1e-15, 1e-15), "{node}: {found}");
    }
}

// The lecture.

#[test]
fn the_slope_of_a_parabola() {
    let mut desk = Desk::with(&["f(x) = 3*x**2 - 4*x + 5"]);
    let answers = paste(&mut desk, "f(3.0)\nh = 0.001\nx = 3.0\n(f(x + h) - f(x))/h");
    let values = shown(&answers);
    assert_eq!(values[0], 20.0);
    assert!(
        close(values[1], 14.002_999_999_999_844, 1e-12, 0.0),
        "{}",
        values[1]
    );
}

#[test]
fn the_slopes_of_three_variables() {
    let cell = "
h = 0.0001

# inputs
a = 2.0
b = -3.0
c = 10.0

d1 = a*b + c
c += h
d2 = a*b + c

print('d1', d1)
print('d2', d2)
print('slope', (d2 - d1)/h)
";
    let mut desk = Desk::default();
    let answers = paste(&mut desk, cell);
    assert_eq!(shown(&answers), [4.0, 4.0001, 0.999_999_999_997_669_4]);
    assert_eq!(answers.last().expect("print answers")["items"][0], "slope");
    assert_eq!(desk.screen("print('d1', d1)"), "d1 4\n");
}

const GRAPH: &str = "
a = Value(2.0, label='a')
b = Value(-3.0, label='b')
c = Value(10.0, label='c')
e = a*b; e.label = 'e'
d = e + c; d.label = 'd'
f = Value(-2.0, label='f')
L = d * f; L.label = 'L'
L
";

#[test]
fn the_first_graph() {
    let mut desk = Desk::default();
    assert_eq!(shown(&paste(&mut desk, GRAPH)), [-8.0]);
    let pass = paste(&mut desk, "L.backward()").remove(0);
    assert_eq!(pass["kind"], "grad");
    let expected = [
        ("L", 1.0),
        ("d", -2.0),
        ("f", 4.0),
        ("c", -2.0),
        ("e", -2.0),
        ("a", 6.0),
        ("b", -4.0),
    ];
    grads(&pass, &expected);
    // A label that equals the name is not repeated.
    assert_eq!(row(&pass, "e").get("names"), None);
}

/// A step of gradient ascent by hand: all four changes use the gradients of one pass.
#[test]
fn one_step_of_optimisation() {
    let mut desk = Desk::default();
    paste(&mut desk, GRAPH);
    let cell = "
L.backward()
a.data += 0.01 * a.grad
b.data += 0.01 * b.grad
c.data += 0.01 * c.grad
f.data += 0.01 * f.grad

e = a * b
d = e + c
L = d * f

print(L.data)
";
    let answers = paste(&mut desk, cell);
    assert_eq!(answers[1]["kind"], "set");
    let notes: Vec<usize> = answers[1..5]
        .iter()
        .map(|set| set["notes"].as_array().map_or(0, Vec::len))
        .collect();
    assert_eq!(
        notes,
        [1, 0, 0, 0],
        "the grads are old from the first of them on"
    );
    assert_eq!(shown(&answers), [-7.286_496]);
}

const NEURON: &str = "
# inputs x1,x2
x1 = Value(2.0, label='x1')
x2 = Value(0.0, label='x2')
# weights w1,w2
w1 = Value(-3.0, label='w1')
w2 = Value(1.0, label='w2')
# bias of the neuron
b = Value(6.8813735870195432, label='b')
# x1*w1 + x2*w2 + b
x1w1 = x1*w1; x1w1.label = 'x1*w1'
x2w2 = x2*w2; x2w2.label = 'x2*w2'
x1w1x2w2 = x1w1 + x2w2; x1w1x2w2.label = 'x1*w1 + x2*w2'
n = x1w1x2w2 + b; n.label = 'n'
";

fn the_neuron(pass: &Value) {
    let expected = [
        ("n", 0.5),
        ("b", 0.5),
        ("x1*w1 + x2*w2", 0.5),
        ("x1*w1", 0.5),
        ("x2*w2", 0.5),
        ("w2", 0.0),
        ("w1", 1.0),
        ("x2", 0.5),
        ("x1", -1.5),
    ];
    for (node, grad) in expected {
        let found = number(&row(pass, node)["grad"]);
        assert!(close(found, grad, 1e-14, 1e-15), "{node}: {found}");
    }
}

#[test]
fn the_neuron_with_tanh() {
    let mut desk = Desk::default();
    paste(&mut desk, NEURON);
    let answers = paste(
        &mut desk,
        "# output\no = n.tanh(); o.label = 'o'\no.backward()",
    );
    let pass = answers.last().expect("the pass shows its table");
    the_neuron(pass);
    assert!(close(
        number(&row(pass, "o")["data"]),
        0.707_106_781_186_547_7,
        1e-15,
        0.0
    ));
    assert_eq!(
        row(pass, "x1*w1 + x2*w2")["names"],
        serde_json::json!(["x1w1x2w2"])
    );
    assert_eq!(row(pass, "x1*w1 + x2*w2")["expression"], "x1w1 + x2w2");
}

#[test]
fn the_neuron_with_tanh_in_pieces() {
    let mut desk = Desk::default();
    paste(&mut desk, NEURON);
    let cell = "
e = (2*n).exp()
o = (e - 1) / (e + 1)
o.label = 'o'
o.backward()
";
    let answers = paste(&mut desk, cell);
    the_neuron(answers.last().expect("the pass shows its table"));
}

#[test]
fn a_node_used_twice() {
    let mut desk = Desk::default();
    let answers = paste(
        &mut desk,
        "a = Value(3.0, label='a')\nb = a + a   ; b.label = 'b'\nb.backward()",
    );
    grads(answers.last().expect("a table"), &[("a", 2.0)]);
    let cell = "
a = Value(-2.0, label='a')
b = Value(3.0, label='b')
d = a * b    ; d.label = 'd'
e = a + b    ; e.label = 'e'
f = d * e    ; f.label = 'f'

f.backward()
";
    let answers = paste(&mut desk, cell);
    let pass = answers.last().expect("a table");
    grads(pass, &[("a", -3.0), ("b", -8.0), ("d", 1.0), ("e", -6.0)]);
    assert_eq!(
        pass["rows"].as_array().map_or(0, Vec::len),
        5,
        "the cell before is no part of this pass: {pass}"
    );
}

/// Running a cell again creates its nodes anew, and must print the same.
#[test]
fn a_cell_is_run_twice() {
    let mut desk = Desk::default();
    for _ in 0..2 {
        paste(&mut desk, NEURON);
        let answers = paste(&mut desk, "o = n.tanh(); o.label = 'o'\no.backward()");
        let pass = answers.last().expect("a table");
        the_neuron(pass);
        assert_eq!(pass["rows"].as_array().map_or(0, Vec::len), 10);
    }
}

// The posts.

#[test]
fn the_second_post() {
    let mut desk = Desk::with(&["f(x) = 3*x**2 - 4*x + 5", "g(a, b, c) = a * b + c"]);
    let cell = "
h = 0.000001 # Small h value as a substitute for h -> 0
x = 3.0
(f(x + h) - f(x)) / h
a, b, c = 2.0, -3.0, 10.0
h = 0.000001
dgda = (g(a+h, b, c) - g(a, b, c))/h
print(dgda)
dgdb = (g(a, b+h, c) - g(a, b, c))/h
dgdc = (g(a, b, c+h) - g(a, b, c))/h
print(dgdb)
print(dgdc)
";
    let printed = [
        14.000_003_002_223_593,
        -3.000_000_000_419_334,
        2.000_000_000_279_556,
        0.999_999_999_251_599_5,
    ];
    assert_eq!(shown(&paste(&mut desk, cell)), printed);
    let cell = "
a = Value(2.5)
b = Value(7.0)
print(a + b)
print(a - b)
print(a * b)
print(a / b)
print(Value(3.14))
";
    // The last number that the post prints is a constant of its author, not an approximation of pi.
    #[allow(clippy::approx_constant)]
    let printed = [9.5, -4.5, 17.5, 0.357_142_857_142_857_15, 3.14];
    assert_eq!(shown(&paste(&mut desk, cell)), printed);
    assert_eq!(desk.value("Value(1) + Value(2)"), 3.0);
}

#[test]
fn the_second_post_backwards() {
    let mut desk = Desk::default();
    let cell = r#"
a = Value(-2.0, label="a")
b = Value(10.0, label="b")
c = Value(2.0, label="c")
d = Value(-3.0, label="d")
e = c*d; e.label = "cd"
f = b+e; f.label = "b+cd"
L = a*f; L.label = "a(b+cd)"
L.backward()
"#;
    let answers = paste(&mut desk, cell);
    let pass = answers.last().expect("a table");
    let expected = [
        ("a(b+cd)", 1.0),
        ("b+cd", -2.0),
        ("cd", -2.0),
        ("a", 4.0),
        ("b", -2.0),
        ("c", 6.0),
        ("d", -4.0),
    ];
    grads(pass, &expected);
    assert_eq!(pass["root"], "L");
}

#[test]
fn the_first_and_the_last_post() {
    let mut desk = Desk::default();
    let answers = paste(
        &mut desk,
        "a = Value(2.0,label='a')\nb = Value(3.0,label='b')\nc = a + b\nprint(c)",
    );
    assert_eq!(shown(&answers), [5.0]);
    paste(&mut desk, NEURON);
    let answers = paste(&mut desk, "o = n.tanh(); o.label = 'o'\no.backward()");
    the_neuron(answers.last().expect("a table"));
}

// What is understood does the same as the calculator's own spelling.

#[test]
fn a_value_is_a_leaf_with_a_number() {
    let mut desk = Desk::with(&["b = 3"]);
    let answers = desk.line("a = Value(2*b + 1, label='weight')");
    assert_eq!(answers[0]["kind"], "binding");
    assert_eq!(desk.value("a"), 7.0);
    // A `Value` has no operands, so no gradient reaches `b`.
    let pass = desk.line(":grad a*b").remove(0);
    assert_eq!(row(&pass, "weight")["leaf"], true);
    grads(&pass, &[("weight", 3.0), ("b", 7.0)]);
    // The statement is a single change.
    desk.line(":undo");
    assert_eq!(desk.error("a").message, "unknown name `a`");
    desk.line(":redo");
    assert_eq!(
        row(&desk.line(":grad a*b").remove(0), "weight")["data"],
        7.0
    );
    assert_eq!(desk.line("x, y = Value(1), Value(2)*b").len(), 1);
    assert_eq!(desk.value("y"), 6.0);
    let bound = desk.line("v = Value(math.exp(2), label='v')").remove(0);
    assert_eq!(bound["translated"], "v = Value(exp(2), label='v')");
}

#[test]
fn functions_of_the_user_take_precedence() {
    let mut desk = Desk::with(&[
        "Value(x) = 2x",
        "print(x) = 3x",
        "backward(x) = 4x",
        "a = 5",
    ]);
    let values =
        ["Value(a)", "print(a)", "backward(a)", "a.backward()"].map(|text| desk.value(text));
    assert_eq!(values, [10.0, 15.0, 20.0, 20.0]);
}

#[test]
fn data_is_set_and_no_pass_is_run() {
    let mut desk = Desk::with(&["a = 2", "b = -3", "L = a*b", ":grad L"]);
    let set = desk.line("a.data = 4").remove(0);
    assert_eq!(set["kind"], "set");
    assert_eq!(set["changed"][0]["grad"], Value::Null);
    assert_eq!(
        set["notes"][0].as_str().unwrap_or(""),
        "the grads stay those of the old data until :grad L"
    );
    assert_eq!((desk.value("L"), desk.grad("b")), (-12.0, 2.0));
    assert!(desk.line("a.data **= 2;").is_empty());
    assert_eq!(desk.value("a"), 16.0);
    desk.line(":undo 2");
    assert_eq!(desk.value("L"), -6.0);
    let (own, lecture) = (desk.error(":set L 3"), desk.error("L.data = 3"));
    assert_eq!((own.message, own.help), (lecture.message, lecture.help));
    assert_eq!(desk.error("L.data += 3").span, Some(0..1));
    assert_eq!(desk.error("q.data = 3").message, "unknown name `q`");
    assert_eq!(desk.error("a.data = q").message, "unknown name `q`");
    assert_eq!(desk.value("a"), 2.0);
}

#[test]
fn backward_adds() {
    let mut desk = Desk::with(&["a = 3", "L = a*a"]);
    desk.line("L.backward()");
    let second = desk.line("L.backward()").remove(0);
    assert_eq!(second["passes"], 2);
    assert_eq!(desk.grad("a"), 12.0);
    let pass = desk.line("(a*L + 1).backward()").remove(0);
    assert_eq!(pass["root"], "a*L + 1");
    assert!(desk.line("backward(L);").is_empty());
    assert_eq!(
        desk.error("pi.backward()").message,
        "`pi` has no leaf below it to differentiate by"
    );
}

#[test]
fn print_shows_values_and_words() {
    let mut desk = Desk::with(&["a = 2", "b = -3"]);
    for (line, screen) in [
        ("print(a*b)", "-6\n"),
        ("print(a, b)", "2 -3\n"),
        ("print('a is', a, \"and b is\", b)", "a is 2 and b is -3\n"),
        ("print('hello')", "hello\n"),
        ("print(a, )", "2\n"),
        ("print(max(a, b), -b)", "2 3\n"),
        ("print(a);", ""),
        ("print(f'a is {a}, {b:.4f}!', b)", "a is 2, -3! -3\n"),
    ] {
        assert_eq!(desk.screen(line), screen, "{line}");
    }
    assert_eq!(desk.line("print('a*b', a*b)")[0]["kind"], "value");
    assert_eq!(desk.line("print(a, b)")[0]["kind"], "print");
    assert_eq!(
        desk.line("print(a, b)")[0]["items"],
        serde_json::json!([2, -3])
    );
    desk.line("print(a*b)");
    assert_eq!(desk.value("ans"), -6.0);
}

#[test]
fn labels_are_shown_and_names_are_typed() {
    let mut desk = Desk::with(&["a, b = 2, -3", "L = a*b + 1"]);
    let label = desk.line("L.label = 'loss'").remove(0);
    assert_eq!(
        (&label["kind"], &label["node"], &label["label"]),
        (&"label".into(), &"L".into(), &"loss".into())
    );
    desk.line("a.label = 'weight'");
    let pass = desk.line(":grad L").remove(0);
    assert_eq!(pass["root"], "L");
    assert_eq!(row(&pass, "loss")["names"], serde_json::json!(["L"]));
    assert_eq!(row(&pass, "weight")["expression"], "");
    assert_eq!(row(&pass, "a*b")["grad"], 1);
    let set = desk.line(":set a 3").remove(0);
    let weight = set["changed"]
        .as_array()
        .into_iter()
        .flatten()
        .find(|row| row["node"] == "weight");
    assert_eq!(weight.expect("a moved")["names"], serde_json::json!(["a"]));
    let step = desk.line(":step 0.01").remove(0);
    assert_eq!(row(&step, "weight")["names"], serde_json::json!(["a"]));
    // Removed and restored, by undo and by an empty label.
    desk.line(":undo 3");
    row(&desk.line(":grad L").remove(0), "a");
    desk.line(":redo");
    row(&desk.line(":grad L").remove(0), "weight");
    assert_eq!(desk.line("a.label = ''")[0]["label"], "a");
    row(&desk.line(":grad L").remove(0), "a");
    assert!(
        desk.session
            .names()
            .labels
            .living()
            .all(|(_, label)| &**label == "loss")
    );
    desk.line(":reset");
    assert!(desk.session.names().labels.is_empty());
    desk.line(":undo");
    assert_eq!(desk.session.names().labels.living().count(), 1);
}

/// Two rows never show the same text: a label that equals a name gets a number.
#[test]
fn labels_do_not_pass_for_names() {
    let mut desk = Desk::with(&[
        "a, b = 2, -3",
        "L = a*b",
        "L.label = 'a'",
        "b.label = 'x'",
        "a.label = 'x'",
    ]);
    let pass = desk.line(":grad L").remove(0);
    let nodes: BTreeSet<&str> = pass["rows"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|row| row["node"].as_str())
        .collect();
    assert_eq!(nodes, BTreeSet::from(["a", "x", "x @2"]));
    desk.line("a.label = ''");
    let pass = desk.line(":grad L").remove(0);
    let nodes: BTreeSet<&str> = pass["rows"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|row| row["node"].as_str())
        .collect();
    assert_eq!(nodes, BTreeSet::from(["a", "a @3", "x"]));
}

#[test]
fn labels_have_limits() {
    let mut desk = Desk::with(&["a = 2"]);
    let longest = "ä".repeat(chainrule::interpret::MAX_LABEL);
    assert_eq!(
        desk.line(&format!("a.label = '{longest}'"))[0]["label"],
        *longest
    );
    let error = desk.error(&format!("a.label = '{longest}b'"));
    assert_eq!(
        error.message,
        "a label has at most 100 characters, this one has 101"
    );
    let error = desk.error(&format!("b = Value(1, label='{longest}b')"));
    assert_eq!(
        error.message,
        "a label has at most 100 characters, this one has 101"
    );
    assert_eq!(desk.error("b").message, "unknown name `b`");
    assert_eq!(
        desk.error("a.label = 'x\u{202e}'").message,
        "the invisible character U+202E is not allowed in a line"
    );
    assert_eq!(
        desk.error("pi.label = 'x'").message,
        "`pi` is a constant and is in no table"
    );
    assert_eq!(desk.error("q.label = 'x'").message, "unknown name `q`");
}

// What is not understood.

/// Each line is `Python → what to type`; it must be an error whose help contains that text.
const FOREIGN: &str = "
def f(x): → `f(x) = …`
def lol(): → `lol(x) = …`
  return 3*x**2 - 4*x + 5 → `f(x) = 3x^2 - 4x + 5`
    self.data = data → `:help operations`
    self.grad = 0.0 → `:help operations`
    self._op = _op → `:help operations`
    return f\"Value(data={self.data})\" → a function is one line
    out = Value(self.data + other.data, (self, other), '+') → `:help operations`
      self.grad += 1.0 * out.grad → `:help operations`
      other.grad += out.grad → `:help operations`
    out._backward = _backward → `:help operations`
    return out → a function is one line
    if v not in visited: → `if(x > 0, a, b)`
    for child in v._prev: → `:step 0.01 20`
    for node in reversed(topo): → `:step 0.01 20`
    node._backward() → `:walk L`
    assert isinstance(other, (int, float)), 'only supporting int/float powers' → type the condition alone
math.foo(a) → `:help operations`
a.grad += 2*b → `:grad L`
n = MLP(3, [4, 4, 1]) → `n(x) = tanh(dot(w, x) + b)`
n.parameters() → `:step 0.01`
class Neuron: → `n(x) = tanh(dot(w, x) + b)`
class Dog: → `a = 2`
random.choice(3) → `uniform(-1, 1)`
L.grad → `:grad L`
d._prev → `:grad`
L._op → `:grad`
a.label → `n.label = 'n'`
a.label = b → `n.label = 'n'`
print('a', a, sep='') → `print(\"L is\", L)`
print('a = {:.2f}'.format(a)) → `print(\"L is\", L)`
print('a=' + str(a)) → `print(\"L is\", L)`
print 'x' → `print('x')`
(lambda x: x**2)(3) → `f(x) = x**2`
def → `f(x) = 3x^2 - 4x + 5`
a[0] = 5 → write `:set a[1] 5`
y = 7//2 → `floor(a/b)`
:assert L == -8 and a == 2 → `:assert L == -8; :assert a == 2`
:assert L == 0 or a == 2 → `:assert max(L == 0, a == 2)`
assert L == -8 and a == 2 → `:assert L == -8; :assert a == 2`
np.round(a) → `round(a)`
torch.std([a, b]) → `std([a, b])*sqrt(len([a, b])/(len([a, b]) - 1))`
np.sum([[1, 2], [3, 4]], axis=0) → by columns `sum(W)`
np.max([1, 2], 0) → the larger items are `max(u, v)`
np.array([1.7, 2.9], dtype=int) → `trunc(x)`
y = np.tanh([0]*3) → `flat([[0] for k in 1..3])`
y = np.array(3*[0, 1]) → `flat([[0, 1] for k in 1..3])`
y = np.array([1] + [2]) → `flat([[1], …])`
y = np.exp([1, 2, 3])[::2] → write out the positions
y = np.exp([1, 2, 3])[2:2] → at least one item
np.argmax([a, b]) → the shape of a graph
torch.cumsum([a, b]) → `[sum(w[1..k]) for k in 1..len(w)]`
y = np.median([a, b]) → the shape of a graph
np.average([a, b]) → `mean([a, b])`
b = np.zeros(3) → `[0 for k in 1..10]`
np.where(a > 0) → `if(w > 0, w, 0)`
math.remainder(a, b) → `(a) - (b)*round((a)/(b))`
plt.plot([1, 2], [3, 4], [5, 6], [7, 8]) → then `:plot [7, 8] over [5, 6]`
plt.plot([1, 2], [3, 4], 'r', [5, 6], [7, 8]) → `:plot f(x) x=-5..5`
math.exp(x) = 3 → `f(x) = …`
np.pi = 3 → `y = …`
dL/dq → `:vars`
dQ/da → `:vars`
dL/da^2 → `grad(grad(L, b), a)`
d()/d() → `d(L)/d(a)`
2*print(a) → `print(a)`
c = a.__add__(b) → `a + b`
for k in range(20): → `:step 0.01 20`
for p in n.parameters(): → `:step 0.01 20`
for k in 1..20: L.backward() → `:step 0.01 20`
for k in 1..3 → `[k^2 for k in 1..3]`
for k in 1..3: → `[k^2 for k in 1..3]`
for k in 1..3: 2k + a → `[2k + a for k in 1..3]`
for k in 1..3: print(2k) → `[2k for k in 1..3]`
for x, y in zip([1, 2], [3, 4]): → `[k^2 for k in 1..3]`
for x in [1, 2]: x.backward() → `:step 0.01 20`
while True: → `:step 0.01 20`
w = np.random.randn(3) → `normal(0, 1)`
x = None → leave it out
not a → `a == 0`
Value(data=2.0) → `a = 2.0`
Value(data=-6.0, grad=0.0) → `a = -6.0`
Value(1, 2) → `a = 2`
v = Value() → `a = 2`
v = Value(2.0, label=a) → `a = 2`
v = Value(2.0, (), '', 'v') → `a = 2`
vars → `:vars`
undo → `:undo`
grad L → `:grad L`
set a 3 → `:set a 3`
";

/// Each line is `Python ⇒ what is run`, or `Python ⇒ #` if it is skipped.
const TRANSLATED: &str = "
help ⇒ :help
help tanh ⇒ :help tanh
quit ⇒ :quit
exit() ⇒ :quit
:ops ⇒ :help operations
:ops tanh ⇒ :help tanh
:funcs ⇒ :vars
:digits 4 ⇒ :config digits 4
[ps[i] for i in range(len(ps))] ⇒ [ps[i + 1] for i in 0..len(ps) - 1]
... ⇒ #
[<matplotlib.lines.Line2D at 0x7f3c>] ⇒ #
array([1, 2]) ⇒ #
import math ⇒ #
from collections import deque ⇒ #
import matplotlib.pyplot as plt ⇒ #
%matplotlib inline ⇒ #
!pip install torch ⇒ #
@property ⇒ #
Out[3]: Value(data=-8.0) ⇒ #
class Value: ⇒ #
class Value(object): ⇒ #
  def __init__(self, data, _children=(), _op='', label=''): ⇒ #
def draw_dot(root): ⇒ #
    def build_topo(v): ⇒ #
    def _backward(): ⇒ #
topo = [] ⇒ #
visited = set() ⇒ #
plt.show() ⇒ #
global a ⇒ #
w.requires_grad = True ⇒ #
g = lambda x: 3*x**2 - 4*x + 5 ⇒ g(x) = 3*x^2 - 4*x + 5
g = lambda u, v, w: u * v + w ⇒ g(u, v, w) = u*v + w
g = lambda x: np.exp(x) if x > 0 else 0 ⇒ g(x) = if(x > 0, exp(x), 0)
def g(x): return 3*x**2 - 4*x + 5 ⇒ g(x) = 3*x^2 - 4*x + 5
def g(x: float, y: float) -> float: return x*y # the area ⇒ g(x, y) = x*y
def g(x): y = 2*x; y += 1; return y**2 ⇒ g(x) = (2*x + 1)^2
def g(x): u, v = x, 2*x; u, v = v, u; return u - v ⇒ g(x) = 2*x - x
def g(z): e = math.exp(-z); return 1/(1 + e) ⇒ g(z) = 1/(1 + exp(-z))
def g(x): return [x*k for k in 1..3] ⇒ g(x) = [x*k for k in 1..3]
xs = np.arange(-5, 5, 0.25) ⇒ xs = -5 + 0.25*(0..39)
xs = np.linspace(0, 1, 5) ⇒ xs = 1*(0..4)/4
xs = [k for k in range(3)] ⇒ xs = [k for k in 0..2]
xs = np.array([1, 2, 3]) ⇒ xs = [1, 2, 3]
plt.plot(ps, qs) ⇒ :plot qs over ps
plt.plot(ps, h(ps), 'o') ⇒ :plot h(ps) over ps
plt.plot(np.arange(-5,5,0.5), np.tanh(np.arange(-5,5,0.5))) ⇒ :plot tanh(-5 + 0.5*(0..19)) over (-5 + 0.5*(0..19))
math.exp(2*a) ⇒ exp(2*a)
y = math.tanh(a) + np.sin(b) - math.pi ⇒ y = tanh(a) + sin(b) - pi
math.log(a) ⇒ ln(a)
:grad math.exp(a)*b ⇒ :grad exp(a)*b
c = a if b > 0 else f ⇒ c = if(b > 0, a, f)
draw_dot(L) ⇒ :graph L
draw_dot(tanh(L + (a)), format='svg') ⇒ :graph tanh(L + (a))
L.render_graph() ⇒ :graph L
(a*b+c).render_graph() ⇒ :graph (a*b+c)
L.backpropagation() ⇒ :grad L
L.backward(retain_graph=True) ⇒ :backward L
L.zero_grad() ⇒ :zero
build_topo(L) ⇒ :topo L
L.grad = 1.0 ⇒ :guess L 1.0 of L
d.grad = -2 ⇒ :guess d -2 of L
y = False ⇒ y = 0
x1 = torch.Tensor([2.0]).double() ⇒ x1 = 2.0
x1 = torch.tensor([a + b])*2 ⇒ x1 = (a + b)*2
print(L.data.item()) ⇒ print(L.data)
a.requires_grad = False ⇒ :freeze a
torch.manual_seed(3) ⇒ :config seed 3
np.random.seed(1337) ⇒ :config seed 1337
w = np.random.uniform(-1, 1) ⇒ w = uniform(-1, 1)
w = np.random.randn() ⇒ w = normal(0, 1)
assert a == 2 ⇒ :assert a == 2
assert (L == -8), 'as computed' ⇒ :assert (L == -8)
assert not L == 0 ⇒ :assert (L == 0) == 0
:assert True ⇒ :assert 1
print(f'L is {math.exp(a):.4f}') ⇒ print(f'L is {exp(a):.4f}')
y = a if a > 0 and not b == 1 or c < 2 else b ⇒ y = if(max((a > 0)*((b == 1) == 0), c < 2), a, b)
y = np.exp(a, dtype=float) ⇒ y = exp(a)
y = np.array((a, b)) ⇒ y = [a, b]
y = np.tanh(W[1, -1]) ⇒ y = tanh(W[2][len(W[2])])
y = np.sum([[1, 2], [3, 4]]) ⇒ y = sum(flat([[1, 2], [3, 4]]))
y = np.mean(W) ⇒ y = mean(flat(W))
y = np.max(ps) ⇒ y = max(ps)
def g(W): return np.sum(W) ⇒ g(W) = sum(flat(W))
def g(w): return (w**2).sum() ⇒ g(w) = sum(flat(w^2))
y = np.tanh(ps)[2] ⇒ y = tanh(ps)[3]
y = np.tanh(ps)[-1] ⇒ y = tanh(ps)[len(tanh(ps))]
y = np.tanh(ps)[1:3] ⇒ y = tanh(ps)[2..3]
y = np.tanh(ps[1:]) ⇒ y = tanh(ps[2..len(ps)])
y = np.tanh(ps[:-1]) ⇒ y = tanh(ps[1..len(ps) - 1])
y = np.tanh(ps[-2:]) ⇒ y = tanh(ps[len(ps) - 1..len(ps)])
y = np.tanh(ps[ps[0]]) ⇒ y = tanh(ps[ps[1] + 1])
y = np.tanh(W[1, 0]) ⇒ y = tanh(W[2][1])
y = [x**2 for x in range(4)][2] ⇒ y = [x^2 for x in 0..3][3]
def g(x): return x[1] ⇒ g(x) = x[2]
def g(x): return x[len(x)-1]*x[-1] ⇒ g(x) = x[len(x)]*x[len(x)]
g = lambda x: x[0]*2 ⇒ g(x) = x[1]*2
def g(x): import math; return x, math.exp(x) ⇒ g(x) = [x, exp(x)]
y = np.arctan2(a, b) ⇒ y = atan2(a, b)
y = np.absolute(b) ⇒ y = abs(b)
y = np.remainder(b, a) ⇒ y = mod(b, a)
y = np.mod(b, a) ⇒ y = mod(b, a)
y = np.clip(a, 0, 1) ⇒ y = clamp(a, 0, 1)
y = math.factorial(5) ⇒ y = 5!
y = math.log(8, 2) ⇒ y = log(8, 2)
y = np.arange(0, a) ⇒ y = 0..1
y = np.linspace(0, 1, num=3) ⇒ y = 1*(0..2)/2
y = np.linspace(0, 2*np.pi, 5) ⇒ y = 2*pi*(0..4)/4
y = np.linspace(-a*c, c*2, 5) ⇒ y = -a*c + (c*2 - -a*c)*(0..4)/4
y = np.where(ps > [1, 1, 5], ps, 0) ⇒ y = if(ps > [1, 1, 5], ps, 0)
tanh(a if a > 0 else 2) ⇒ tanh(if(a > 0, a, 2))
1 + (a if a > 0 else 0) ⇒ 1 + if(a > 0, a, 0)
y = [a if b > 0 else b] ⇒ y = [if(b > 0, a, b)]
y = [k if k > 1 else 0 for k in ps] ⇒ y = [if(k > 1, k, 0) for k in ps]
g(x) = (x if x > 0 else 0) ⇒ g(x) = if(x > 0, x, 0)
g = lambda x: (a if x > 0 else c) ⇒ g(x) = if(x > 0, a, c)
y = (a if b > 0 else b) ⇒ y = if(b > 0, a, b)
y = a if b > 0 else c if c > 0 else f ⇒ y = if(b > 0, a, if(c > 0, c, f))
y = (a if b > 0 else c) if c > 0 else f ⇒ y = if(c > 0, if(b > 0, a, c), f)
dL/da = 3 ⇒ :guess a 3 of L
∂L/∂a = 4 ⇒ :guess a 4 of L
d(L)/d(a) = math.exp(2) ⇒ :guess a exp(2) of L
d(L)/d(a*b) = 3 ⇒ :guess (a*b) 3 of L
(dL)/(da) ⇒ grad(L, a)
random.seed(3) ⇒ :config seed 3
w = random.uniform(-1, 1) ⇒ w = uniform(-1, 1)
u = dL/da + 1 ⇒ u = grad(L, a) + 1
d(L)/d(a*b) ⇒ grad(L, a*b)
2∂L/∂a ⇒ 2*grad(L, a)
:grad dL/da ⇒ :grad grad(L, a)
d( L )/dd ⇒ grad(L, d)
";

fn foreign() -> impl Iterator<Item = (&'static str, &'static str)> {
    let lines = FOREIGN.trim_matches('\n').lines();
    lines.map(|line| line.split_once(" → ").expect("a line and what to type"))
}

#[test]
fn python_with_one_translation_is_run() {
    for line in TRANSLATED.trim_matches('\n').lines() {
        let (line, expected) = line.split_once(" ⇒ ").expect("a line and what is run");
        let mut desk = Desk::with(&[
            "a, b, c, f = 2, -3, 10, -2",
            "d = a*b + c",
            "L = d*f",
            "ps, qs = [1, 2, 3], [4, 5, 6]",
            "h(x) = x^2",
            "W = [[1, 2], [3, 4]]",
        ]);
        let reply = match desk.try_line(line).pop() {
            Some(Ok(reply)) => reply,
            Some(Err(error)) => panic!("{line}: {} {:?}", error.message, error.translated),
            None => panic!("{line} is nothing"),
        };
        match reply.translated {
            Some(translated) => assert_eq!(translated.line, expected, "{line}"),
            None => assert_eq!(reply.report.map(|it| it.kind), Some("skipped"), "{line}"),
        }
    }
}

/// What is run is one change, and it is what is saved.
#[test]
fn translations_are_ordinary_statements() {
    let mut desk = Desk::default();
    assert_eq!(
        desk.screen("def f(x):\n  y = 3*x**2\n  return y - 4*x + 5\n"),
        "→ f(x) = 3*x^2 - 4*x + 5\n"
    );
    assert_eq!(desk.value("f(3)"), 20.0);
    let answer = desk.line("y = math.exp(0)*f(3)").remove(0);
    assert_eq!(answer["translated"], "y = exp(0)*f(3)");
    let log = desk.screen(":log");
    assert!(
        log.contains("y = exp(0)*f(3)") && !log.contains("def"),
        "{log}"
    );
    desk.line(":undo 2");
    assert_eq!(desk.error("f(3)").message, "unknown function `f`");
}

/// Python draws in spite of a `;`.
#[test]
fn pictures_are_drawn_in_spite_of_a_semicolon() {
    let mut desk = Desk::with(&["a = 2", "L = a*a", "ps = [1, 2]"]);
    for line in ["draw_dot(L);", "plt.plot(ps, ps); plt.grid();"] {
        assert_eq!(desk.line(line).len(), 1, "{line}");
    }
    assert!(desk.line("y = math.exp(a);").is_empty());
}

/// What was typed has a place; what is wrong stands in the line that was run.
#[test]
fn errors_show_the_line_that_was_run() {
    let mut desk = Desk::with(&["a = 2"]);
    let shown = desk.screen("a;  y = math.exp(2*q)");
    let expected = "error: unknown name `q`\n    → y = exp(2*q)\n                ^ ";
    assert!(shown.starts_with(expected), "{shown}");
    let error = desk.error("a;  y = math.exp(2*q)");
    let translated = error.translated.expect("another line was run");
    assert_eq!(translated.line, "y = exp(2*q)");
    assert_eq!(translated.from, 4..21);
    assert_eq!(error.span, Some(10..11));
    // A loop in a body is refused where it stands.
    let text = "def f(x):\n  for k in range(3):\n    x += 1\n  return x";
    let error = desk.error(text);
    assert_eq!(error.message, "`for` is a word of Python");
    assert_eq!(
        error.span.and_then(|span| text.get(span)),
        Some("for k in range(3):")
    );
    for head in ["def f(*x): return x", "def f(): return 2"] {
        assert_eq!(
            desk.error(head).message,
            "`def` is a word of Python",
            "{head}"
        );
    }
    // What doubles with every line of a body is given up.
    let doubled: String = (0..40).map(|_| "  x = x + x\n").collect();
    let error = desk.error(&format!("def f(x):\n{doubled}  return x"));
    assert!(
        error.message.contains("more than 10000 operations"),
        "{}",
        error.message
    );
}

/// An error points at what is wrong in a body.
#[test]
fn lines_of_a_body_are_refused_where_they_stand() {
    let mut desk = Desk::with(&["a = 2"]);
    for (body, place, message) in [
        ("y = x", "y = x", "this body returns nothing"),
        ("pass", "def f(x):\n  pass", "this body returns nothing"),
        ("return x\n  y = 2", "y = 2", "this body returns nothing"),
        ("if x:\n    return 2", "if x:", "`if` is a word of Python"),
        (
            "y = x\n  print(y)\n  return x",
            "print(y)",
            "a body has assignments and a `return` at its end, and this is neither",
        ),
        (
            "y = 'abc'\n  return x",
            "y = 'abc'",
            "text in quotes is not an expression",
        ),
        (
            "y = x // 2\n  return y",
            "y = x // 2",
            "`//` is not an operator here",
        ),
        (
            "y = [k for k in range(x, 3)]\n  return y",
            "y = [k for k in range(x, 3)]",
            "`range` is a word of Python",
        ),
        (
            "k = 2*x\n  y = k + x\n  return [y for x in 1..3]",
            "return [y for x in 1..3]",
            "the variable of this loop has the name of something that is used in it",
        ),
        (
            "f(x)\n  return x",
            "f(x)",
            "a body has assignments and a `return` at its end, and this is neither",
        ),
        (
            "y = 2*\n  return y",
            "y = 2*",
            "expected an expression after `*`, found the end",
        ),
        (
            "return sum([x, 2], 3)",
            "return sum([x, 2], 3)",
            "Python adds the second operand to the sum",
        ),
        (
            "return [x]*3",
            "return [x]*3",
            "Python repeats a list by `*`, which multiplies items here",
        ),
        (
            "return round(x)",
            "return round(x)",
            "Python rounds halves to the even number, `round` away from 0",
        ),
        (
            "e = 2*x\n  return np.exp(e) + math.e",
            "return np.exp(e) + math.e",
            "`e` is your own here, not the built-in one",
        ),
    ] {
        let text = format!("def f(x):\n  {body}");
        let error = desk.error(&text);
        assert!(error.translated.is_none(), "{body}");
        let span = error.span.and_then(|span| text.get(span));
        assert_eq!(
            (error.message.as_str(), span),
            (message, Some(place)),
            "{body}"
        );
    }
    let text = "def f(x, y: float=2): return x";
    let error = desk.error(text);
    assert_eq!(error.message, "`y` has no default value here");
    assert_eq!(error.span.and_then(|span| text.get(span)), Some("y"));
    assert_eq!(
        error.help.as_deref(),
        Some("write `def f(x, y):`, and give every argument in a call")
    );
}

/// The name behind a module means the built-in one, whatever the user has called so.
#[test]
fn a_module_means_what_is_built_in() {
    let mut desk = Desk::with(&[
        "a, b, L = 2, 3, 6",
        "e = a*b",
        "pi = 3",
        "exp(x) = 1 + x",
        "grad(x, y) = x",
    ]);
    // Not where the name is not needed, or is the user's own.
    assert_eq!(desk.value("e*np.tanh(0)"), 0.0);
    assert_eq!(desk.value("math.cos(0)*pi"), 3.0);
    assert_eq!(desk.value("exp(math.tanh(0))"), 1.0);
}

/// What stands before `=` is never replaced by something that can be defined.
#[test]
fn a_translation_defines_nothing_else() {
    let mut desk = Desk::with(&["a, b = 2, 3", "L = a*b"]);
    for (line, right) in [
        ("dL/da = 3", true),
        ("∂L/∂a = 4", false),
        ("d(L)/d(b) = 2", true),
    ] {
        let answer = desk.line(line).remove(0);
        assert_eq!(
            (&answer["kind"], &answer["right"]),
            (&"guess".into(), &right.into()),
            "{line}"
        );
    }
    for line in [
        "np.exp(x) = 3",
        "torch.e = 3",
        "a.item() = 3",
        "2*dL/da = 3",
        "d/da(L) = 3",
    ] {
        desk.error(line);
    }
    assert_eq!(desk.value("exp(0) + grad(L, a)"), 4.0);
    assert_eq!(desk.value("a"), 2.0);
}

/// Lines of thousands of numbers are translated; what is too long says so.
#[test]
fn long_lines_are_translated() {
    let mut desk = Desk::default();
    let line = format!("xs = np.array([{}])", vec!["1.5"; 10_000].join(", "));
    assert!(line.len() > 40_000);
    desk.line(&line);
    assert_eq!(desk.value("len(xs)"), 10_000.0);
    let line = format!("xs = np.array([{}])", vec!["1.5"; 20_000].join(", "));
    assert!(
        desk.error(&line)
            .message
            .starts_with("this line of Python is too long")
    );
    let line = format!("y = np.array([{}])", vec!["a"; 3_000].join(", "));
    assert!(
        desk.error(&line)
            .message
            .starts_with("this line of Python is too long")
    );
}

/// Gradients typed by hand are judged, and a wrong one reveals nothing.
#[test]
fn claims_are_judged() {
    let mut desk = Desk::with(&[
        "a, b, c, f = 2, -3, 10, -2",
        "e = a*b",
        "d = e + c",
        "L = d*f",
    ]);
    let judged = |desk: &mut Desk, line: &str| desk.line(line).remove(0);
    assert_eq!(judged(&mut desk, "L.grad = 1.0")["right"], true);
    assert_eq!(judged(&mut desk, "d.grad = f.data")["right"], true);
    // The claims before are what `.grad` gives.
    assert_eq!(judged(&mut desk, "e.grad = d.grad")["right"], true);
    let wrong = judged(&mut desk, "a.grad = 7");
    assert_eq!(
        (&wrong["right"], &wrong["root"]),
        (&false.into(), &"L".into())
    );
    assert!(!desk.screen("a.grad = 8").contains('6'));
    assert_eq!(desk.value("a.grad"), 8.0);
    assert_eq!(judged(&mut desk, "a.grad = e.grad*b.data")["right"], true);
    // Other values that are shown meanwhile change nothing.
    desk.line("M = a^2");
    assert_eq!(judged(&mut desk, "b.grad = -4")["root"], "L");
    // A pass has the grads from then on.
    desk.line(":grad M");
    assert_eq!(desk.value("a.grad"), 4.0);
    assert_eq!(judged(&mut desk, "a.grad = 4")["root"], "M");
    assert_eq!(desk.value("d.grad"), 0.0);
    // To begin anew, all gradients are forgotten.
    assert_eq!(judged(&mut desk, "a.grad = 0")["kind"], "zero");
    assert!(desk.session.pass().is_none());
    assert_eq!(desk.error("q.grad = 1").message, "unknown name `q`");
    assert_eq!(
        desk.error("e.grad += 2").message,
        "the gradient `e.grad` cannot be set"
    );
}

/// The help on higher derivatives, and on everything else with a `∂`.
const UNREAD: &str = "write `grad(L, a)`; the second derivative is `grad(grad(L, b), a)`";

/// Names that have a value win.
#[test]
fn derivatives_can_be_typed() {
    let mut desk = Desk::with(&["a, b, d = 2, -3, 5", "L = a*b + d"]);
    let values = [
        "dL/da",
        "d(L)/d(a*b)",
        "∂L/∂b + 1",
        "2*dL/da",
        "dL/da*2",
        "dL/dd",
        "-dL/da",
    ];
    let values = values.map(|text| desk.value(text));
    assert_eq!(values, [-3.0, 1.0, 3.0, -6.0, -6.0, 1.0, 3.0]);
    assert_eq!(desk.value("d(dL/da)/db"), 1.0);
    desk.line("w = [1, 2]; M = w[1]*w[2]");
    assert_eq!(desk.value("dM/dw[1]"), 2.0);
    for (line, place, message, help) in [
        (
            "dL/da^2 + 1",
            "dL/da^2 + 1",
            "`dL/da^2 + 1` is not read as a derivative",
            UNREAD,
        ),
        (
            "dL/da²",
            "dL/da²",
            "`dL/da²` is not read as a derivative",
            UNREAD,
        ),
        (
            "d^2L/da^2",
            "d^2L/da^2",
            "`d^2L/da^2` is not read as a derivative",
            UNREAD,
        ),
        (
            "∂²L/∂a∂b",
            "∂²L/∂a∂b",
            "`∂²L/∂a∂b` is not read as a derivative",
            UNREAD,
        ),
        (
            "∂L/∂a∂b",
            "∂L/∂a∂b",
            "`∂L/∂a∂b` is not read as a derivative",
            UNREAD,
        ),
        (
            "2 + ∂/∂a L",
            "∂/∂a L",
            "`∂/∂a L` is not read as a derivative",
            UNREAD,
        ),
        (
            "dL/dq",
            "q",
            "unknown name `q`",
            "`q = 2` gives it a value; `:vars` lists all names",
        ),
        (
            "dq/da",
            "q",
            "unknown name `q`",
            "`q = 2` gives it a value; `:vars` lists all names",
        ),
    ] {
        let error = desk.error(line);
        let run = error.translated.map_or(line.to_string(), |it| it.line);
        let found = error.span.and_then(|span| run.get(span));
        assert_eq!(
            (found, error.message.as_str(), error.help.as_deref()),
            (Some(place), message, Some(help))
        );
    }
    // A name of one's own wins.
    desk.line("da = 4");
    assert_eq!(desk.error("dL/da").message, "unknown name `dL`");
    desk.line(":undo");
    desk.line("dL = 8");
    assert_eq!(desk.error("dL/da").message, "unknown name `da`");
    assert_eq!(desk.value("∂L/∂a"), -3.0);
    desk.line("da = 4");
    assert_eq!(desk.value("dL/da"), 2.0);
    desk.line("f(x) = x^2");
    assert_eq!(desk.error("df/dx").message, "`f` is a function");
    desk.line("d(x) = 10x");
    assert_eq!(desk.value("d(a)/d(b)"), 20.0 / -30.0);
}

#[test]
fn other_python_is_told_what_to_type() {
    let mut desk = Desk::with(&["a, b, c, f = 2, -3, 10, -2", "d = a*b + c", "L = d*f"]);
    let state = desk.screen(":vars");
    for (line, expected) in foreign() {
        let error = desk.error(line);
        let help = error.help.unwrap_or_default();
        assert!(help.contains(expected), "{line}: {}: {help}", error.message);
        let span = error.span.unwrap_or_else(|| panic!("{line} has no place"));
        let run = error.translated.map_or(line.to_string(), |it| it.line);
        assert!(run.get(span).is_some(), "{line}");
    }
    assert_eq!(desk.screen(":vars"), state, "an error leaves no trace");
}

/// Every command that an error mentions exists.
#[test]
fn errors_name_commands_that_exist() {
    let mut desk = Desk::with(&["a, b, c, f = 2, -3, 10, -2", "d = a*b + c", "L = d*f"]);
    let mut named = BTreeSet::new();
    for (line, _) in foreign() {
        let error = desk.error(line);
        let text = format!("{} {}", error.message, error.help.unwrap_or_default());
        for part in text.split('`').skip(1).step_by(2) {
            if let Some(command) = part.strip_prefix(':') {
                named.insert(command.split(' ').next().unwrap_or("").to_string());
            }
        }
    }
    assert!(named.len() > 6, "{named:?}");
    for word in &named {
        let known = commands::COMMANDS
            .iter()
            .any(|command| command.name == word);
        assert!(known, "`:{word}` is no command");
    }
}

/// A line that the help shows in full can be typed as it is.
#[test]
fn what_is_shown_can_be_typed() {
    for (line, expected) in foreign() {
        let Some(shown) = expected
            .strip_prefix('`')
            .and_then(|rest| rest.strip_suffix('`'))
        else {
            continue;
        };
        if shown.contains('…') || shown.contains("node") || shown == ":quit" {
            continue;
        }
        let mut desk = Desk::with(&[
            "a, b, c, f = 2, -3, 10, -2",
            "d = a*b + c",
            "L = d*f",
            "n = L",
            "o = L",
            "x = 1",
            "f(x) = x",
            "w = [1, 2, 3]",
        ]);
        let failed = desk.try_line(shown).into_iter().find_map(Result::err);
        assert_eq!(failed.map(|error| error.message), None, "{line}: {shown}");
    }
}

/// Names that the user has defined are not mistaken for Python.
#[test]
fn names_of_one_s_own_are_no_python() {
    let mut desk = Desk::with(&[
        "help, quit, math, self, np, None = 1, 2, 3, 4, 5, 6",
        "draw_dot(x) = x",
    ]);
    for text in ["help", "quit*2", "math + self", "None", "draw_dot(np)"] {
        desk.line(text);
    }
    assert_eq!(desk.error("help + q").message, "unknown name `q`");
    assert_eq!(desk.error("math.foo(2)").message, "unknown function `foo`");
    assert_eq!(
        desk.error("quit 3").message,
        "expected an operator between `quit` and `3`"
    );
}

/// Any combination of fragments is an error with a place or an answer, never a panic.
#[test]
fn pieces_of_python_never_panic() {
    let pieces = [
        "self", ".", "data", "=", "'a'", "f'", "\"", "{", "}", "(", ")", "Value", "label", "print",
        ",", " ", "lambda", ":", "def", "math", "exp", "In [1]:", ">>>", "if", "else", "L", "é",
        "2", "+=", "backward", "[", "]", "@1", "→", "_op",
    ];
    let mut random = crate::common::Random(7);
    for _ in 0..20_000 {
        let mut desk = Desk::with(&["L = 2"]);
        let line: String = (0..=random.below(9))
            .map(|_| pieces[random.below(pieces.len())])
            .collect();
        for answer in desk.try_line(&line) {
            if let Err(error) = answer {
                let span = error.span.unwrap_or(0..0);
                let text = error.translated.map_or(line.clone(), |it| it.line);
                assert!(text.get(span).is_some(), "{line}: {}", error.message);
            }
        }
    }
}
