//! Saved sessions: what `:save` writes recreates the same session exactly, and a failed trial leaves no trace. Files
//! are tested elsewhere; here a script is just a text.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::rc::Rc;

use crate::common::{Desk, Random};
use chainrule::session::{NOT_AS_TYPED, Session};
use chainrule_engine::graph::{Node, Order, gradients};
use chainrule_language::open_bracket;

/// The bits of a number, with all NaNs equal.
fn bits(number: f64) -> String {
    if number.is_nan() {
        "nan".to_owned()
    } else {
        format!("{:x}", number.to_bits())
    }
}

/// Every node at or below the names, except constants, oldest first.
fn nodes(session: &Session) -> Vec<Rc<Node>> {
    let mut found: HashMap<u32, Rc<Node>> = HashMap::new();
    let mut waiting: Vec<Rc<Node>> = session
        .names()
        .bound_values()
        .flat_map(|(_, value)| value.nodes().to_vec())
        .collect();
    while let Some(node) = waiting.pop() {
        if node.varies() && found.insert(node.id(), Rc::clone(&node)).is_none() {
            waiting.extend(node.operands().iter().map(Rc::clone));
        }
    }
    let mut nodes: Vec<Rc<Node>> = found.into_values().collect();
    nodes.sort_by_key(|node| node.id());
    nodes
}

/// A description of everything in a session that saving must preserve.
fn portrait(session: &Session) -> String {
    let mut out = session.settings().statements(true);
    let names = session.names();
    let nodes = nodes(session);
    let place = |node: &Node| {
        let found = nodes.binary_search_by_key(&node.id(), |node| node.id());
        found.map_or_else(|_| "constant".to_owned(), |place| place.to_string())
    };
    for (name, value) in names.bound_values() {
        let places: Vec<String> = value.nodes().iter().map(|node| place(node)).collect();
        let _ = writeln!(out, "{name} is {:?} {places:?}", value.shape());
    }
    // Sorted, because the order of a hash map is arbitrary.
    let lost = (0..names.count() as u32).map(|id| (names.name(id), names.loss_count(id)));
    let mut lost: Vec<_> = lost.filter(|(_, lost)| *lost > 0).collect();
    lost.sort_unstable();
    let _ = writeln!(out, "lost: {lost:?}");
    let functions = session.functions().iter();
    let functions: Vec<String> = functions
        .map(|function| format!("{} = {}", function.head(), function.body))
        .collect();
    let _ = writeln!(out, "{functions:?}");
    for node in &nodes {
        let operands: Vec<String> = node.operands().iter().map(|below| place(below)).collect();
        let called: Vec<String> = names.of(node).map(std::borrow::Cow::into_owned).collect();
        let former = names.former(node);
        let correlated =
            |other: &&Rc<Node>| session.names().uncertain.correlation(node, other) != 0.0;
        let fellows = nodes.iter().filter(correlated);
        let fellows = fellows.map(|other| bits(session.names().uncertain.correlation(node, other)));
        let uncertain =
            (session.uncertainty(node).map(bits)).map(|width| (width, fellows.collect::<Vec<_>>()));
        let _ = writeln!(
            out,
            "{} {} {:?} {operands:?} {called:?} {former:?} {} {} `{}` `{}` {:?} {uncertain:?}",
            place(node),
            bits(node.data()),
            node.op().map(|op| op.name),
            node.is_leaf(),
            node.is_frozen(),
            session.label(node),
            session.expression(node),
            names.labels.of(node),
        );
    }
    for root in &nodes {
        if root.is_leaf() {
            continue;
        }
        let order = Order::below([root]);
        let grads: Vec<String> = (order.nodes().iter().zip(gradients(&order, root, |_| {})))
            .map(|(node, grad)| format!("{}:{}", place(node), bits(grad)))
            .collect();
        let _ = writeln!(out, "from {} {grads:?}", place(root));
    }
    out
}

fn script(session: &Session) -> String {
    session.script().text
}

/// A new session from a script.
fn loaded(text: &str) -> Desk {
    let mut desk = Desk::default();
    run(&mut desk, text);
    desk
}

fn run(desk: &mut Desk, text: &str) {
    let mut statement = String::new();
    for line in text.lines() {
        statement.push_str(line);
        if open_bracket(&statement).is_some() || line.ends_with('\\') {
            statement.push('\n');
            continue;
        }
        for answer in desk.try_line(&statement) {
            if let Err(error) = answer {
                panic!("{statement}: {} in\n{text}", error.message);
            }
        }
        statement.clear();
    }
}

/// Checks that a saved session is recreated as it was, and that saving it again gives the same text.
fn comes_back(desk: &mut Desk, why: &str) -> String {
    let text = script(&desk.session);
    let mut back = loaded(&text);
    assert_eq!(
        portrait(&back.session),
        portrait(&desk.session),
        "{why}\nsaved as\n{text}"
    );
    // Lines that are typed have no comments.
    let remark = |line: &&str| !line.starts_with(NOT_AS_TYPED);
    let plain: Vec<&str> = text.lines().filter(remark).collect();
    let again = script(&back.session);
    assert_eq!(again.lines().collect::<Vec<_>>(), plain, "{why}");
    // The random numbers go on where they were.
    let next = "uniform(0, 1)";
    assert_eq!(
        bits(back.value(next)),
        bits(desk.value(next)),
        "{why}\n{text}"
    );
    text
}

#[test]
fn sessions_are_saved_as_they_were_typed() {
    for (lines, expected) in [
        (
            &["a, b = 2, -3", "L = (a*b  + 1)^2", "a*b", ":grad L"][..],
            &["a, b = 2, -3;", "L = (a*b  + 1)^2;"][..],
        ),
        // Results are kept if a later statement uses them.
        (
            &["x = 2", "x*3", "x*4", "y = ans*_", "5"],
            &["x = 2;", "x*4;", "y = ans*_;"],
        ),
        (
            &["x = 2", "x*3", "ans + 1", "x", "y = $2"],
            &["x = 2;", "x*3;", "ans + 1;", "x;", "y = $2;"],
        ),
        (
            &["x_ = 2", "x_*3", "y = [x_ for k in 1..2]"],
            &["x_ = 2;", "y = [x_ for k in 1..2];"],
        ),
        // What was undone is gone, with the results after it.
        (
            &["a = 1", "a*2", "b = 3", ":undo", "c = ans"],
            &["a = 1;", "a*2;", "c = ans;"],
        ),
        (&["a = 1", "b = 2", ":undo 2", ":redo"], &["a = 1;"]),
        (
            &[":config digits 5", "a = 1", ":reset", "b = 2"],
            &[":config digits 5;", "b = 2;"],
        ),
        (&["a = 1", ":reset", ":undo"], &["a = 1;"]),
        // What was undone has no place in the order of names and functions.
        (
            &[
                "a = 1", "f(x) = x", ":undo 2", "g(x) = x", "b = 2", "f(x) = x", "a = 3",
            ],
            &["g(x) = x;", "b = 2;", "f(x) = x;", "a = 3;"],
        ),
        (
            &[
                "a = 1", "b = a", "c = 2", ":del a", "a = 3", ":undo 2", ":redo 2",
            ],
            &["a = 1;", "b = a;", "c = 2;", ":del a;", "a = 3;"],
        ),
        // A pass is kept if a later statement reads gradients of it.
        (
            &[
                "a = 3",
                "L = a^2",
                ":grad a*7",
                ":grad L",
                "c = 1 - a.grad",
                ":grad a*2",
                ":zero",
            ],
            &["a = 3;", "L = a^2;", ":grad L;", "c = 1 - a.grad;"],
        ),
        (
            &[
                "w = [3, 4]",
                "L = -sum(w*w)",
                ":grad L",
                "g = [k.grad for k in w]",
            ],
            &[
                "w = [3, 4];",
                "L = -sum(w*w);",
                ":grad L;",
                "g = [k.grad for k in w];",
            ],
        ),
        // One that adds to another, and one from what was typed before it.
        (
            &["a = 3", "a*5", "a^2", ":grad", "a.backward()", "g = a.grad"],
            &[
                "a = 3;",
                "a^2;",
                ":grad ans;",
                "a.backward();",
                "g = a.grad;",
            ],
        ),
        (
            &[
                "a = 3",
                "L = a^2",
                "M = 2*L",
                "L",
                ":backward",
                "g = a.grad",
            ],
            &[
                "a = 3;",
                "L = a^2;",
                "M = 2*L;",
                ":backward L;",
                "g = a.grad;",
            ],
        ),
        (
            &[
                "a = 3",
                "L = a^2",
                ":grad L",
                "g = a.grad",
                ":zero",
                ":backward L",
                "h = a.grad",
            ],
            &[
                "a = 3;",
                "L = a^2;",
                ":grad L;",
                "g = a.grad;",
                ":zero;",
                ":backward L;",
                "h = a.grad;",
            ],
        ),
        // One that ran again with a change of data, and one that did not.
        (
            &["a = 3", "L = a^2", ":grad L", ":set a 5", "g = a.grad"],
            &["a = 3;", "L = a^2;", ":set a 5;", ":grad L;", "g = a.grad;"],
        ),
        (
            &["a = 3", "L = a^2", ":grad L", ":set a 5;", "g = a.grad"],
            &["a = 3;", "L = a^2;", ":grad L;", ":set a 5;", "g = a.grad;"],
        ),
        (
            &[
                "a = 3",
                "L = a^2",
                ":step 0.25 of L",
                "a.data += -0.5*a.grad",
            ],
            &[
                "a = 3;",
                "L = a^2;",
                ":set a 1.5;  # :step 0.25 of L",
                ":grad L;",
                "a.data += -0.5*a.grad;",
            ],
        ),
        (
            &["a = 3", "L = a^2", ":walk L", ":next 9", "g = a.grad"],
            &["a = 3;", "L = a^2;", ":grad L;", "g = a.grad;"],
        ),
        // A pass stays when the change before it is undone.
        (
            &[
                "a = 3",
                "L = a^2",
                ":grad L",
                ":set a 5",
                ":undo",
                "g = a.grad",
            ],
            &[
                "a = 3;",
                "L = a^2;",
                ":set a 5;",
                ":grad L;",
                ":undo 1;",
                "g = a.grad;",
            ],
        ),
        (
            &[
                "a = 3",
                "L = a^2",
                ":grad L",
                "b = L",
                ":undo 2",
                "g = a.grad",
            ],
            &["a = 3;", "L = a^2;", ":grad L;", ":undo 1;", "g = a.grad;"],
        ),
        (
            &[
                "a = 3",
                "L = a^2",
                "b = 1",
                ":grad L",
                ":undo",
                ":redo",
                "g = a.grad",
            ],
            &[
                "a = 3;",
                "L = a^2;",
                "b = 1;",
                ":grad L;",
                ":undo 1;",
                "b = 1;",
                "g = a.grad;",
            ],
        ),
        (
            &[
                "a = 3",
                ":grad a*2",
                "L = a^2",
                ":grad L",
                ":undo",
                ":backward a*5",
                "g = a.grad",
            ],
            &[
                "a = 3;",
                "L = a^2;",
                ":grad L;",
                ":undo 1;",
                ":backward a*5;",
                "g = a.grad;",
            ],
        ),
        // Searches and steps are kept as what they have led to.
        (
            &["a = 3", "L = a^2", ":grad L", ":step 0.25", ":step 0.25 2"],
            &[
                "a = 3;",
                "L = a^2;",
                ":set a 1.5;  # :step 0.25",
                ":set a 0.375;  # :step 0.25 2",
            ],
        ),
        (
            &[
                "a = 3",
                "L = a^2",
                ":step 0.25 of L",
                "b = a",
                ":set a ± 1",
                ":step 0.25 of L",
            ],
            &[
                "a = 3;",
                "L = a^2;",
                ":set a 1.5;  # :step 0.25 of L",
                "b = a;",
                ":set a ± 1;",
                ":set a 0.75;  # :step 0.25 of L",
            ],
        ),
        (
            &["x = 1", "y = 2*x", ":solve x for y = 5"],
            &["x = 1;", "y = 2*x;", ":set x 2.5;  # :solve x for y = 5"],
        ),
        // A fit runs again, and brings its uncertainties back.
        (
            &["const x, y = [1, 2, 3], [2, 4, 7]", ":fit y ~ k*x"],
            &["const x, y = [1, 2, 3], [2, 4, 7];", ":fit y ~ k*x;"],
        ),
        // Random numbers go on where they were.
        (
            &[
                "uniform(0, 1)",
                "x = normal(0, 1)",
                "L = x^2",
                ":step 0.1*uniform(1, 1) of L",
                ":set x 1",
            ],
            &[
                "uniform(0, 1);",
                "x = normal(0, 1);",
                "L = x^2;",
                ":set x 0.04175",
                ":config seed 0 drawn 3.5;",
                ":set x 1;",
            ],
        ),
        // Python is kept as it was understood, the number of a node as its name or an expression.
        (&["import math", "a = math.tanh(1)"], &["a = tanh(1);"]),
        (
            &["a = 2", "b = 3", "a = 4", "c = @2*@1"],
            &["a = 2;", "b = 3;", "a = 4;", "c = b*a@1;"],
        ),
        (
            &["a = 3", ":grad a*2 + 1", "b = @3"],
            &["a = 3;", "# not as typed: b = @3", "b = (a*2);"],
        ),
        // The last result is `ans`, and a property is a number.
        (
            &["a = 2", "a*3 + 1", "b = @5*a"],
            &["a = 2;", "a*3 + 1;", "b = ans*a;"],
        ),
        (
            &["a = 2", "a*3 + 1", "5", "b = @5*a"],
            &["a = 2;", "# not as typed: b = @5*a", "b = (a*3 + 1)*a;"],
        ),
        (
            &[
                "a = 2",
                "L = a*3 + 1",
                ":grad L",
                "s = a.grad",
                "g = @3.grad",
                "h = @3.data",
            ],
            &[
                "a = 2;",
                "L = a*3 + 1;",
                ":grad L;",
                "s = a.grad;",
                "g = 1;",
                "h = 6;",
            ],
        ),
        // A pass over a call keeps its operations: the function may be another one by now.
        (
            &[
                "a = 3",
                "f(x) = x^2*a",
                ":grad f(a)",
                "f(x) = x",
                ":minimize (a - 1)^2",
                "g = a.grad",
            ],
            &[
                "a = 3;",
                "f(x) = x^2*a;",
                "f(x) = x;",
                ":set a 1;",
                ":grad (a^2*a);",
                "g = a.grad;",
            ],
        ),
        (&[":config theme dark", "a = 1"], &["a = 1;"]),
    ] {
        let mut desk = Desk::with(lines);
        let text = comes_back(&mut desk, &format!("{lines:?}"));
        let saved: Vec<&str> = text.lines().skip(1).collect();
        let same = |(line, expected): (&&str, &&str)| line.starts_with(expected);
        assert!(
            saved.len() == expected.len() && saved.iter().zip(expected).all(same),
            "{lines:?}: {saved:?}"
        );
    }
}

#[test]
fn a_refused_comment_is_not_saved() {
    let mut desk = Desk::default();
    desk.session.add_remark("# a\u{7}b");
    desk.session.add_remark("# one");
    desk.line("a = 1");
    assert!(script(&desk.session).ends_with("\n# one\na = 1;\n"));
}

#[test]
fn steps_of_long_lists_come_back() {
    let numbers: Vec<String> = (1..9).map(|k| format!("{}", f64::from(k) / 7.0)).collect();
    let mut desk = Desk::with(&[format!("v, w = [{0}], [{0}]", numbers.join(", "))]);
    for line in ["c = 0.5", "L = sum(v*v)*c", "M = sum(w*w)*c"] {
        desk.line(line);
    }
    for root in ["L", "M", "M"] {
        desk.line(&format!(":step 0.001 of {root}"));
    }
    let text = comes_back(&mut desk, "trainings of a long list");
    assert!(text.contains("\\\n"), "{text}");
    assert_eq!(text.matches(":set ").count(), 3, "{text}");
}

#[test]
fn unusual_sessions_come_back() {
    for lines in [
        &[][..],
        &["a = 2", ":del a"],
        // A name that an auxiliary name could have, in use and deleted.
        &[
            "_₁ = 2",
            "y = _₁*3",
            ":del _₁",
            "x = 2",
            "x*3",
            "z = ans*ans",
        ],
        &["_₁ = 2", "_₁ = 3", "x = 1", "x*3", "z = ans*ans"],
        &["a = 2", ":reset"],
        // The user rebinds the name of a constant, before and after the constant was used.
        &["x = 2", "A = pi*x", "pi = 3", "B = pi*x"],
        &[
            "pi = 3", "x = pi", ":del pi", "A = pi*x", "pi = x", ":del x",
        ],
        &[
            "pi = 3", "x = pi", ":del pi", "A = pi*x", "pi = x", "y = x", ":del x",
        ],
        &["e = 2", "L = e*3", "e = 3", "M = e*L + inf"],
        &["e = 2", "L = 3e", ":del e", "M = e*L"],
        // The older node lost its name later.
        &[
            "b = 1",
            "a = 2",
            "L = a*b",
            "a = b",
            ":del b",
            "a = 7",
            "L2 = a@1 + a@2",
        ],
        // A node with a name and a former name.
        &["a = 2", "L = a*a", "a = 5", "b = a@1", "c = a@1"],
        &[
            "a = 2",
            "L = a*a",
            "a = 5",
            "b = a@1",
            ":del b",
            "a = 6",
            "M = L + a@2",
        ],
        &[
            "a = 2",
            "b = 3",
            "L = a*b",
            "a = 5",
            "b = 6",
            "a = 7",
            "M = L*a@1 + b@1",
        ],
        // The order of names, and of several names of a node.
        &["a, b, c = 1, 2, 3", "b = a", "a = 9", "L = a*b*c", "c = 4"],
        &["x = 1", "y = x", "z = y", "x = 2", "x = y", "L = x*y"],
        &["as = 2", "b = as^2", "as = 3", "const = 1", "c = const*as"],
        &["as = 2", "b = as", "as = 3", ":del as"],
        // The names that auxiliary names would have are in use.
        &["_₁ = 2", "_₁*3", "y = ans*ans", "__₇ = 2"],
        &[
            "x = -2",
            "y = (-x)^2 + 2^(-3) - (-3)^2 + x^(-1) - -1",
            "z = -(-x)",
        ],
        &[
            "x = 3",
            "y = x! + (x + 1)! - (-x)!",
            "z = if((x > 2) == 1, x, -x)",
        ],
        &[
            "x = 3",
            "y = x % 2 + (x - 1 - (x - 2)) - x/(x/x)/x",
            "z = 2^x^2 + (2^x)^2",
        ],
        &[
            "x = 3",
            "y = max(x, 1, 2, x)*min(x, 1) + hypot(x, x, x)",
            "z = x.data*y + y.data",
        ],
        &[
            "x = 1e308",
            "y = x*10 + x.data",
            "z = y.data*x + (y - y).data",
        ],
        &[
            "x = 5e-324",
            "y = x/2 + 1.7976931348623157e308*x",
            "w = 123456789012345680",
        ],
        &["x = 1", "1 + 2*3", "y = x*ans + ans^2", "z = ans*x"],
        &[
            "x = 2",
            "y = (x*3).tanh()",
            ":step 0.1 of y",
            ":freeze x",
            ":thaw x",
            ":step 0.1 3 of y",
        ],
        &[":config digits 3", ":config table-rows 7", "x = 1"],
        &[
            "x = 2",
            "L = x^3",
            "x = 3",
            ":undo",
            ":redo",
            ":undo",
            "M = x + L",
        ],
        &[
            "a = 1", "a = 2", "a = 3", ":del a", "a = 4", "a = 5", "L = a*2", ":del a",
        ],
        // Functions, and nodes that they made.
        &[
            "a, b = 2, 3",
            "a.label = 'it is a'",
            "n = a*b",
            "n.label = \"it's n\"",
            "n = n + 1",
            "m = n@1*a",
        ],
        &["f(x) = x^2", "a = 2", "L = f(a) + f(f(a))"],
        &[
            "a = 2",
            "f(x, y) = a*x/y",
            "L = f(a, 3) + f(a*2, a)",
            "a = 4",
            ":del f",
            "M = a*L",
        ],
        &[
            "f(x) = x",
            "g(x) = f(x) + 1",
            "f(x) = x^3",
            "h(x) = 2x",
            "f(x) = h(x)",
            "a = 1",
            "b = g(a)",
        ],
        &[
            "b = 1",
            "f(x) = b*x",
            "g(x) = f(x)",
            ":del b",
            ":del f",
            "sin(x) = x",
            "a = 2",
            "L = sin(a)",
        ],
        &[
            "g(x, y) = x*y",
            "f(x) = g(x, x)",
            "g(x) = x",
            "sin(x) = f(x)",
            ":del sin",
            "L = 1",
        ],
        &["a = 2", "L = sin(a)", "sin(x) = x + pi", "M = sin(a)"],
        // Derivatives: function bodies with primes and grad, and nodes that they made.
        &[
            "a, b = 2, 3",
            "f(x) = 3x^2 - 4x + 5",
            "g(x) = f'(x)*x + sin''(b*x)",
            "h(x, y) = grad(x^3*y, x)",
            "L = f'(a) + f''(b)",
            "M = g(a)*h(a, b)*tanh'(a)",
            "N = g''(a*b)",
            "P = grad(grad(M, a), b)",
        ],
        &[
            "a = 2",
            "f(x) = x^4",
            "L = f''(a)",
            "f(x) = x",
            "grad(x, y) = x*y",
            "M = grad(a, L)",
            ":del grad()",
            "N = grad(M, a)",
        ],
        &["α₁ = 2", "é = α₁*3", "e\u{301} += 1", "é = 2"],
        // Lists: nested, ragged, with items that have other names, in part frozen, with labels.
        &[
            "N = [[[1, 2, 3], 4], [[5, 6], 7]]",
            ":freeze N[1][2]",
            ":freeze N[2][1]",
        ],
        &[
            "b = [1/0, 0/0, -0, -1/0, 1e-320]",
            "W = [b, b]",
            "y = dot(W, b)",
        ],
        &["w = [1, 2]", "v = w", "u = [w, w]", "w = [w[2]*3, w[1], 7]"],
        &["a = 5", "b = a*2", "p = [a, b]", ":del a", "q = p[1] + b"],
        &[
            "a = 5",
            "a.label = 'five'",
            "p = [a, 1]",
            ":del a",
            "q = p[1]*p[2]",
        ],
        &["w = [1, 2, 3]", "w += 1", "w = w*w", "W = [w, w^2]"],
        // Former lists and former numbers of one name, and names that later mean a list.
        &[
            "w = [1, 2, 3]",
            "y = w[2]*2",
            "w = 5",
            "z = w*w",
            "w = [1, 2]",
            "q = z + w[1]",
            ":del w",
        ],
        &["a = 2", "L = a*a", "a = [1, 2]", "M = a[1]*L"],
        // An item in several former lists, and one that has a name again.
        &[
            "p = [1, 2]",
            "y = sum(p)",
            "q = [p[1], 3]",
            ":del p",
            "z = sum(q)",
            ":del q",
            "b = p@1[2]",
        ],
        &[
            "q = [1, 2]",
            "y = sum(q)",
            "p = [q[1], 3]",
            ":del q",
            "z = sum(p)",
            ":del p",
        ],
        &[
            "p = [1, 2]",
            "y = sum(p)",
            "p = 0",
            "q = [p@1[1], 3]",
            "z = q[1]*q[2]",
            ":del q",
        ],
        &[
            "pi = [1, 2]",
            "y = sum(pi)",
            ":del pi",
            "x = y*pi",
            "pi = [y, 3]",
            "z = [pi[1]]",
        ],
        // Functions of lists, and the calls that made nodes.
        &[
            "f(v) = sum(v^2)",
            "w = [1, 2, 3]",
            "a = f(w) + f([1, w[2], 3]) + f(w[2..3])",
            "b = f(flat([w, 4]))",
        ],
        &[
            "g(p, q) = p[1]*q",
            "W = [[1, 2], [3, 4]]",
            "c = [g(r, W[1][2]) for r in W]",
        ],
    ] {
        comes_back(&mut Desk::with(lines), &format!("{lines:?}"));
    }
}

/// A random statement with few names, so that names are rebound and deleted often.
fn statement(random: &mut Random) -> String {
    const NAMES: &[&str] = &["a", "b", "c", "x1", "pi", "e", "as"];
    const ATOMS: &[&str] = &[
        "2", "10.0", "0.1", "(-3)", "pi", "e", "inf", "1e300", "ans", "ans", "a@1", "b@1", "b@2",
        "c@1", "a", "b", "c", "x1", "as", "a.data", "5e-324", "(1 + 2)", "nan",
    ];
    const UNARY: &[&str] = &["-", "tanh", "exp", "ln", "relu", "sqrt"];
    const BINARY: &[&str] = &[" + ", " - ", "*", "/", "^", " < ", "%"];
    let pick = |random: &mut Random, of: &[&str]| of[random.below(of.len())].to_owned();
    let expression = |random: &mut Random| {
        let mut text = pick(random, ATOMS);
        for _ in 0..random.below(5) {
            text = match random.below(4) {
                0 => format!("{}({text})", pick(random, UNARY)),
                1 => format!("({text}){}{}", pick(random, BINARY), pick(random, ATOMS)),
                2 => format!("{}{}({text})", pick(random, ATOMS), pick(random, BINARY)),
                _ => format!(
                    "max({}, {text}, {})",
                    pick(random, ATOMS),
                    pick(random, ATOMS)
                ),
            };
        }
        text
    };
    let name = pick(random, NAMES);
    match random.below(20) {
        0..4 => format!("{name} = {}", expression(random)),
        4 => format!("{name} = {}", random.unit() * 8.0 - 4.0),
        5 => format!("const {name} = {}", random.unit() * 1e-5),
        6 | 7 => expression(random),
        8 => format!("{name} = {}", pick(random, NAMES)),
        9 => format!("{name} += {}", expression(random)),
        10 => format!(":del {name}"),
        11 => format!(
            "{name}, {} = {}, {}",
            pick(random, NAMES),
            expression(random),
            expression(random)
        ),
        12 => format!(":set {name} {}", random.unit()),
        13 => format!(":freeze {name}"),
        14 => pick(
            random,
            &[
                ":undo",
                ":undo 2",
                ":redo",
                ":step 0.01 2",
                ":thaw a",
                ":config digits 5",
                ":grad a",
                ":grad b",
                ":grad ans*a",
                ":backward c",
                ":zero",
                ":reset",
                ":config seed 5",
                ":step 0.1*uniform(0, 1) of b",
                ":solve a for b = 0.3",
                ":minimize c",
                "print(a, b*2)",
                "x1.data += -0.1*x1.grad",
                ":grad uniform(0, 1)*a",
            ],
        ),
        16 => {
            let body = [
                "x*x + 1",
                "sin(x)*a",
                "g(x) - x",
                "max(x, x) + f(x)",
                "2x",
                "g'(x) + x*x",
                "grad(x^3*a, x)",
            ];
            let head = ["f(x)", "g(x)", "h(x, y)", "sin(x)", "g(x, y)"];
            let (head, body) = (pick(random, &head), pick(random, &body));
            // An unused argument is not kept, and a call without it cannot be shown as a call.
            let used = if head.contains('y') { "*y" } else { "" };
            format!("{head} = ({body}){used}")
        }
        17 => {
            let call = [
                "f(a)",
                "g(b)",
                "h(a, c)",
                "f(g(x1))",
                "g(b, 2)",
                "sin(f(a*b))",
                "f'(a)",
                "sin''(b)",
                "g''(a*b)",
                "grad(a*b^2, b)",
                "grad(exp(a)*c, a)",
            ];
            format!("{name} = {}*{}", pick(random, &call), pick(random, &call))
        }
        18 => format!("{name}.label = 'it is {}'", random.below(9)),
        15 => uncertain(random, &name),
        _ => format!(
            "{name} = @{}*@{}",
            random.below(30) + 1,
            random.below(30) + 1
        ),
    }
}

/// A random statement with `±`.
fn uncertain(random: &mut Random, name: &str) -> String {
    match random.below(5) {
        0 => format!("{name} = {} ± {}", random.unit(), random.unit()),
        1 => format!("const {name} = {} ± 5%", random.unit()),
        2 => format!(":set {name} ± {}", random.unit()),
        3 => format!(":set {name} 3 ± {}", random.below(2)),
        _ => format!("{name} = [1, {}] ± [{}, 0]", random.unit(), random.unit()),
    }
}

/// A random statement about lists and numbers with the same few names.
fn list_statement(random: &mut Random) -> String {
    const NAMES: &[&str] = &["a", "b", "v", "w", "W", "pi", "as"];
    const NUMBERS: &[&str] = &[
        "a",
        "b",
        "2",
        "-0.5",
        "10.0",
        "pi",
        "v[1]",
        "w[2]",
        "W[1][2]",
        "W[2]",
        "as",
        "v@1[1]",
        "w@1[2]",
        "a@1",
        "w@2[1]",
        "(a*b)",
        "sum(w)",
        "dot(v, w)",
        "max(w)",
        "mean(flat(W))",
        "f(w)",
        "g(a)",
        "f([a, 2])",
        "len(v)",
        "(1 + 2)",
        "1/0",
    ];
    const LISTS: &[&str] = &[
        "v",
        "w",
        "W",
        "W[1]",
        "w@1",
        "v@1",
        "flat(W)",
        "1..3",
        "w[2..3]",
        "v[[2, 1]]",
        "[tanh(k) for k in w]",
        "[[i*j for i in v] for j in w]",
        "zip(v, w)",
        "h(w)",
        "h(v)",
        "[g(k) for k in v]",
        "flat([v, w])",
        "w^2",
        "v*w",
        "a*w",
        "W*2",
        "ans",
        "as",
        "w.data",
        "w.grad",
        "$1",
        "[uniform(0, 1) for k in 1..2]",
    ];
    let pick = |random: &mut Random, of: &[&str]| of[random.below(of.len())].to_owned();
    let list = |random: &mut Random| match random.below(3) {
        0 => pick(random, LISTS),
        1 => {
            let items: Vec<String> = (0..=random.below(4))
                .map(|_| {
                    let of = if random.below(5) == 0 { LISTS } else { NUMBERS };
                    pick(random, of)
                })
                .collect();
            format!("[{}]", items.join(", "))
        }
        _ => format!(
            "[{}, [{}, 3]]",
            pick(random, NUMBERS),
            pick(random, NUMBERS)
        ),
    };
    let name = pick(random, NAMES);
    match random.below(24) {
        0..6 => format!("{name} = {}", list(random)),
        6 => format!("const {name} = [{}, {}]", random.unit(), random.below(9)),
        7 | 8 => format!(
            "{name} = {}*{}",
            pick(random, NUMBERS),
            pick(random, NUMBERS)
        ),
        9 => format!(
            "{name} = {} + {}",
            pick(random, NUMBERS),
            pick(random, NUMBERS)
        ),
        10 => format!("{name} += {}", pick(random, NUMBERS)),
        11 => format!(":del {name}"),
        12 => format!(
            "{}, {} = {}",
            pick(random, NAMES),
            pick(random, NAMES),
            list(random)
        ),
        13 => format!(":set {} {}", pick(random, NUMBERS), random.unit()),
        14 => format!(":set {} {}", pick(random, LISTS), random.below(5)),
        15 => {
            let of = if random.below(2) == 0 { NUMBERS } else { LISTS };
            format!(":freeze {}", pick(random, of))
        }
        16 => pick(
            random,
            &[
                ":undo",
                ":undo 2",
                ":redo",
                ":thaw w",
                ":step 0.01 of b",
                ":step 0.01 3 of a",
                ":minimize b",
                ":solve a for b = 0.3",
            ],
        ),
        17 => pick(
            random,
            &[
                "f(x) = sum(x^2)",
                "g(x) = x*w[1] + 1",
                "h(x) = [x[1], x*2]",
                "h(x) = x + 1",
            ],
        ),
        18 => [
            list(random),
            ":grad b".to_owned(),
            "a = uniform(1, 2)".to_owned(),
        ][random.below(3)]
        .clone(),
        19 => format!("{name} = {}", pick(random, NAMES)),
        20 => format!("{name}.label = 'it is {}'", random.below(9)),
        21 | 22 => uncertain(random, &name),
        _ => format!(":del {name}@1"),
    }
}

#[test]
fn random_sessions_with_lists_come_back() {
    let mut random = Random(17);
    for round in 0..200 {
        let mut desk = Desk::default();
        let mut lines = Vec::new();
        for _ in 0..3 + random.below(40) {
            let line = list_statement(&mut random);
            if desk.try_line(&line).iter().all(Result::is_ok) {
                lines.push(line);
            }
        }
        comes_back(&mut desk, &format!("{round}: {}", lines.join("\n")));
    }
}

#[test]
fn random_sessions_come_back() {
    let mut random = Random(7);
    for round in 0..200 {
        let mut desk = Desk::default();
        let mut lines = Vec::new();
        for _ in 0..3 + random.below(40) {
            let line = statement(&mut random);
            // Many statements fail, which is a good test too: they must leave no trace.
            if desk.try_line(&line).iter().all(Result::is_ok) {
                lines.push(line);
            }
        }
        let why = format!("{round}: {}", lines.join("\n"));
        let script = desk.session.script();
        // A node without a name is saved as an expression, which makes another node; the script says so, and runs.
        if script.text.contains(NOT_AS_TYPED) {
            loaded(&script.text);
        } else {
            comes_back(&mut desk, &why);
        }
    }
}

#[test]
fn large_sessions_come_back() {
    // Above the size at which passes go by level, with long lines, deep brackets, and constants that are used
    // repeatedly.
    let mut desk = Desk::with(&["x, y = 0.5, 0.25", "s = 0"]);
    for _ in 0..3000 {
        desk.line("s = s*x + tanh(y*s);");
    }
    let sum = vec!["x*y"; 5000].join(" + ");
    desk.line(&format!("t = {sum};"));
    desk.line("x;");
    for _ in 0..12_000 {
        desk.line("sin(ans);");
    }
    desk.line("u = ans;");
    desk.line("1 + 1;");
    for _ in 0..200 {
        desk.line("ans + ans;");
    }
    desk.line("v = x*ans;");
    let text = script(&desk.session);
    let back = loaded(&text);
    for name in ["s", "t", "u", "v"] {
        let node =
            |desk: &Desk| Rc::clone(desk.session.names().find_node(name).expect("it is there"));
        let grads = |node: &Rc<Node>| -> Vec<String> {
            let grads = gradients(&Order::below([node]), node, |_| {});
            grads.into_iter().map(bits).collect()
        };
        assert_eq!(bits(node(&back).data()), bits(node(&desk).data()), "{name}");
        assert!(grads(&node(&back)) == grads(&node(&desk)), "{name}");
    }
    assert!(text.lines().all(|line| line.len() < 2 << 20));
    assert!(script(&back.session) == text);
}

#[test]
fn long_lists_come_back() {
    let mut desk = Desk::with(&[
        "w = [k/7 for k in 1..200000]",
        "const x = [tanh(k) for k in 1..200000]",
        "L = dot(w, x) + sum(w)",
        "s = prod(w[1..1000])",
    ]);
    let text = script(&desk.session);
    assert!(text.len() < 1000, "{text}");
    let mut back = loaded(&text);
    assert!(script(&back.session) == text);
    for name in ["w[77]", "x[199999]", "L", "s"] {
        assert_eq!(bits(desk.value(name)), bits(back.value(name)), "{name}");
    }
}

#[test]
fn a_former_list_is_undone_and_its_number_given_again() {
    let mut desk = Desk::with(&["w = [1, 2]", "y = w[1]*2", "w = [3, 4]"]);
    assert_eq!(desk.value("w@1[1]"), 1.0);
    desk.line(":undo");
    assert!(desk.error("w@1").message.contains("w@1"));
    desk.line(":undo 2");
    // The same former name, now of a number: the list that had it is forgotten.
    for line in ["w = 5", "z = w*w", "w = 6"] {
        desk.line(line);
    }
    assert_eq!(desk.value("w@1"), 5.0);
    desk.line(":undo 3");
    desk.error("w@1");
}

#[test]
fn lists_are_forgotten_by_their_names() {
    let mut desk = Desk::with(&["w = [1, 2]", "y = w[1]*2"]);
    let error = desk.error(":del w[1]");
    assert_eq!(error.message, "there is no name `w[1]` to forget");
    desk.line(":del w");
    desk.error("w");
    assert_eq!(desk.value("w@1[1]"), 1.0);
    desk.line("w = [7, 8]; z = w[2]^2; :del w");
    assert_eq!(desk.value("w@2[2]"), 8.0);
    desk.error(":del w@2");
    assert_eq!(desk.session.audit(), Ok(()));
}

#[test]
fn statements_about_lists_are_undone() {
    for lines in [
        &["w = [1, 2, 3]"][..],
        &["w = [4, 5]"],
        &["w = 7"],
        &[":set w [3, 4]"],
        &[":set w 0"],
        &[":set w[2] 9"],
        &[":freeze w"],
        &[":del w"],
        &["w += 1"],
        &["a, b = w"],
        &["a, w = [w, [1, 2]]"],
        &[":reset"],
        &["w = [w[2], 5]", ":del w", "w = y"],
    ] {
        let mut desk = Desk::with(&["w = [1, 2]", "y = w[1]*w[2]", "v = flat([w, y])"]);
        let before = portrait(&desk.session);
        for line in lines {
            desk.line(line);
        }
        let after = portrait(&desk.session);
        assert_ne!(before, after, "{lines:?}");
        desk.line(&format!(":undo {}", lines.len()));
        assert_eq!(portrait(&desk.session), before, "{lines:?}");
        desk.line(&format!(":redo {}", lines.len()));
        assert_eq!(portrait(&desk.session), after, "{lines:?}");
        assert_eq!(desk.session.audit(), Ok(()), "{lines:?}");
    }
    // A failing statement, and a trial taken back, leave nothing.
    let mut desk = Desk::with(&["w = [1, 2]", "y = w[1]*w[2]"]);
    let (before, made) = (portrait(&desk.session), desk.session.newest_id());
    for line in [
        "w = [1, 2, q]",
        "a, b = [1, 2, 3]",
        "w += [1, 2, 3]",
        "w = [k*w for k in 1..3] + 1/w[3]",
    ] {
        desk.error(line);
        assert_eq!(
            (portrait(&desk.session), desk.session.newest_id()),
            (before.clone(), made),
            "{line}"
        );
    }
    desk.session.begin_trial();
    desk.line("w = [3, 4]; z = [w, w@1]; :del w; w = 3");
    desk.session.take_trial_back();
    assert_eq!(
        (portrait(&desk.session), desk.session.newest_id()),
        (before, made)
    );
    desk.error("w@1");
    assert_eq!(desk.session.audit(), Ok(()));
}

/// A network replaces what had its name, as in Python, in one step of undo.
#[test]
fn a_network_replaces_what_had_its_name() {
    for (lines, last, parameters) in [
        (&["n = MLP(2, [3, 1])"][..], "n = MLP(2, [3, 1])", 13),
        (&["n = Neuron(2)"], "n = MLP(2, [3, 1])", 13),
        (&["n = MLP(2, [3, 1])"], "n = Layer(2, 3)", 9),
        (&["n = MLP(2, [3, 1])", "L = n([1, 2])"], "n = Neuron(2)", 3),
        (&["n = 5", "y = 2n"], "n = Neuron(2)", 3),
        (&["n(x) = x^2", "y = n(3)"], "n = MLP(2, [3, 2, 1])", 20),
        (&["n_1 = 7", "n_2 = [1]"], "n = Layer(2, 2)", 6),
        (&["n = MLP(2, [3, 1])", "n_2 = 4"], "n = MLP(2, [1])", 3),
        (
            &["n = MLP(2, [3, 1])", "n = [1, 2]"],
            "n = MLP(2, [3, 1])",
            13,
        ),
    ] {
        let mut desk = Desk::with(&["from micrograd.nn import Neuron, Layer, MLP"]);
        for line in lines {
            desk.line(line);
        }
        let before = desk.json(":vars");
        desk.line(last);
        let after = desk.json(":vars");
        desk.line(":undo");
        assert_eq!(desk.json(":vars"), before, "{lines:?} {last}");
        desk.line(":redo");
        assert_eq!(desk.json(":vars"), after, "{lines:?} {last}");
        let count = desk.value("len(n.parameters())");
        assert_eq!(count, f64::from(parameters), "{lines:?} {last}");
        desk.line("y = [n([1, 2])]");
        comes_back(&mut desk, last);
    }
}
