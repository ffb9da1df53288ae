//! Saved sessions: what `:save` writes recreates the same session exactly, and a failed trial leaves no trace. Files
//! are tested elsewhere; here a script is just a text.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::rc::Rc;

use crate::common::{Desk, Random};
use chainrule::graph::{Node, Pass};
use chainrule::session::Session;

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
        .bound()
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
    let mut out = format!("{:?}\n", session.settings());
    let names = session.names();
    let nodes = nodes(session);
    let place = |node: &Node| {
        let found = nodes.binary_search_by_key(&node.id(), |node| node.id());
        found.map_or_else(|_| "constant".to_owned(), |place| place.to_string())
    };
    for (name, value) in names.bound() {
        let places: Vec<String> = value.nodes().iter().map(|node| place(node)).collect();
        let _ = writeln!(out, "{name} is {:?} {places:?}", value.shape());
    }
    // Sorted, because the order of a hash map is arbitrary.
    let lost = names.every().filter(|(_, lost)| *lost > 0);
    let mut lost: Vec<_> = lost.map(|(id, lost)| (names.name(id), lost)).collect();
    lost.sort_unstable();
    let _ = writeln!(out, "lost: {lost:?}");
    for function in session.functions().iter() {
        let _ = writeln!(out, "{} = {}", function.head(), function.body);
    }
    for node in &nodes {
        let operands: Vec<String> = node.operands().iter().map(|below| place(below)).collect();
        let called: Vec<String> = names.of(node).map(std::borrow::Cow::into_owned).collect();
        let former = names.former(node);
        let correlated = |other: &&Rc<Node>| session.correlation(node, other) != 0.0;
        let fellows = nodes.iter().filter(correlated);
        let fellows = fellows.map(|other| bits(session.correlation(node, other)));
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
        let pass = Pass::from(root, 0);
        let grads: Vec<String> = (pass.order().nodes().iter().zip(pass.grads()))
            .map(|(node, grad)| format!("{}:{}", place(node), bits(*grad)))
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
    for line in text.lines() {
        for answer in desk.try_line(line) {
            if let Err(error) = answer {
                panic!("{line}: {} in\n{text}", error.message);
            }
        }
    }
}

/// Checks that a saved session is recreated as it was, and that saving it again gives the same text.
fn comes_back(desk: &Desk, why: &str) -> String {
    let text = script(&desk.session);
    let back = loaded(&text);
    assert_eq!(
        portrait(&back.session),
        portrait(&desk.session),
        "{why}\nsaved as\n{text}"
    );
    assert_eq!(script(&back.session), text, "{why}");
    text
}

/// The statements of a script, without its header and settings.
fn statements(text: &str) -> Vec<&str> {
    text.lines()
        .filter(|line| !line.starts_with('#') && !line.starts_with(":config"))
        .collect()
}

#[test]
fn plain_sessions_are_plain_scripts() {
    for (lines, expected) in [
        (
            &["a, b = 2, -3", "L = (a*b + 1)^2"][..],
            &["a = 2;", "b = -3;", "L = (a*b + 1)^2;"][..],
        ),
        (&["const x = 0.1", "y = x"], &["const x = 0.1;", "y = x;"]),
        // A node that is shared, or was made in another order, gets an auxiliary name.
        (
            &["x = 2", "x*3", "y = ans*ans"],
            &["x = 2;", "_₁ = x*3;", "y = _₁*_₁;", ":del _₁ as unnamed;"],
        ),
        (
            &["x = 2", "x*3", "y = x + 1", "z = y*$1"],
            &[
                "x = 2;",
                "_₁ = x*3;",
                "y = x + 1;",
                "z = y*_₁;",
                ":del _₁ as unnamed;",
            ],
        ),
        // Former names are restored as they arose.
        (
            &["a = 2", "L = a*a", "a = 5"],
            &["a = 2;", "L = a*a;", ":del a;", "a = 5;"],
        ),
        (
            &["a = 2", "a = a + 1", "a += 1"],
            &["a = 2;", "a = a + 1;", "a = a + 1;"],
        ),
        (
            &["a = 2", "L = a*a", ":del a"],
            &["a = 2;", "L = a*a;", ":del a;", "L = L;"][..3],
        ),
        // Numbers of former names are never reused.
        (&["a = 2", "a = 3", "a = 4"], &["a = 4;", ":del a@2;"]),
        (
            &["a, b = 1/0, 0/0", "c, d = -1/0, -0"],
            &["a = 1/0;", "b = 0/0;", "c = -1/0;", "d = -0;"],
        ),
        // Functions are saved in an order in which the names in their bodies are known.
        (
            &["f(x) = 2x", "g(x) = f(x) + sin(x)", "a = 3"],
            &["a = 3;", "f(x) = 2*x;", "g(x) = f(x) + sin(x);"],
        ),
        (
            &["f(x) = grad(x^2, x)", "a = 1"],
            &["a = 1;", "f(x) = grad(x^2, x);"],
        ),
        (
            &[
                "f(x) = sin(x)",
                "sin(x, y) = x*y",
                "h(x) = sin(x, 2)",
                "a = 1",
            ],
            &[
                "a = 1;",
                "f(x) = sin(x);",
                "sin(x, y) = x*y;",
                "h(x) = sin(x, 2);",
            ],
        ),
        // A body may refer to a name, result or function that no longer exists: a placeholder is defined while the body
        // is parsed.
        (
            &["3 + 4", "h(x) = ans*x", "a = 1"],
            &["a = 1;", "0;", "h(x) = 0;", "h(x) = ans*x;", "a = a;"],
        ),
        (
            &["k = 2", "f(x) = k*x", ":del k", "a = 2"],
            &[
                "a = 2;",
                ":del k@1;",
                "k = 0;",
                "f(x) = 0;",
                "f(x) = k*x;",
                ":del k as unnamed;",
                "a = a;",
            ],
        ),
        (
            &["f(x) = 2x", "g(x) = f(x)", ":del f", "a = 1"],
            &[
                "a = 1;",
                "g(x) = 0;",
                "f(x0) = 0;",
                "g(x) = f(x);",
                ":del f();",
            ],
        ),
        // If a placeholder hides a built-in function with another number of operands, both get one.
        (
            &[
                "g(x) = sin(x)",
                "sin(x, y) = x*y",
                "f(x) = sin(x, x)",
                ":del sin",
                "a = 1",
            ],
            &[
                "a = 1;",
                "g(x) = 0;",
                "f(x) = 0;",
                "sin(x0, x1) = 0;",
                "f(x) = sin(x, x);",
                "sin(x0) = 0;",
                "g(x) = sin(x);",
                ":del sin();",
            ],
        ),
        // Lists are lists.
        (
            &[
                "w = [0.5, -1, 0.25]",
                "y = sum(w) + w[2]",
                "const x = [1, 2, 3]",
            ],
            &[
                "w = [0.5, -1, 0.25];",
                "y = sum(w) + w[2];",
                "const x = [1, 2, 3];",
            ],
        ),
        (
            &["a, b = 1, 2", "p = [a, b, 5]", "L = p[1]*p[3]"],
            &["a = 1;", "b = 2;", "p = [a, b, 5];", "L = a*p[3];"],
        ),
        (
            &[
                "W = [[1, 2], 3]",
                "b = [4, 5]",
                "params = flat([W, b])",
                ":freeze W[2]",
            ],
            &[
                "W = [[1, 2], 3];",
                ":freeze W[2];",
                "b = [4, 5];",
                "params = flat([W, b]);",
            ],
        ),
        (
            &["x = [1, 2]", "y = [k^2 + 1 for k in x]", "z = [y, x]"],
            &[
                "x = [1, 2];",
                "y = [x[1]^2 + 1, x[2]^2 + 1];",
                "z = [y, x];",
            ],
        ),
        // Only what is used is left of a former list.
        (
            &["y = 0", "w = [1, 2, 3]", "y = w[2]^2", "w = [4, 5]"],
            &[
                "_₁ = [0, 2, 0];",
                "y = _₁[2]^2;",
                "w = [4, 5];",
                ":del _₁ as w@1;",
                ":del y@1;",
            ],
        ),
        (
            &["f(v) = sum(v^2)", "w = [1, 2]", "L = f(w)*f([w[1], 3])"],
            &[
                "w = [1, 2];",
                "_₁ = sum(w[1]^2, w[2]^2);",
                "_₂ = sum(w[1]^2, 3^2);",
                "L = _₁*_₂;",
                "_₃ = _₁;",
                ":del _₃ as f(w);",
                "_₃ = _₂;",
                ":del _₃ as f([w[1], 3]);",
                ":del _₁ _₂ as unnamed;",
                "f(v) = sum(v^2);",
                "L = L;",
            ],
        ),
        (
            &["x = 3", "A = pi*x^2 + 10.0 - 1e-7"],
            &[
                "const _₁ = pi;  # fails where a name of one's own hides one of them",
                ":del _₁ as unnamed;",
                "x = 3;",
                "A = pi*x^2 + 10.0 - 1e-7;",
            ],
        ),
    ] {
        let desk = Desk::with(lines);
        let text = comes_back(&desk, &format!("{lines:?}"));
        assert_eq!(statements(&text), expected, "{lines:?}");
    }
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
        &["x = 2", "x*3", "h = ans*ans", ":del h as h@5", "y = ans"],
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
        comes_back(&Desk::with(lines), &format!("{lines:?}"));
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
                ":digits 5",
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
        15 => uncertain(random, &name, NAMES),
        _ => format!(
            "{name} = @{}*@{}",
            random.below(30) + 1,
            random.below(30) + 1
        ),
    }
}

/// A random statement with `±`.
fn uncertain(random: &mut Random, name: &str, names: &[&str]) -> String {
    let other = names[random.below(names.len())];
    match random.below(6) {
        0 => format!("{name} = {} ± {}", random.unit(), random.unit()),
        1 => format!("const {name} = {} ± 5%", random.unit()),
        2 => format!(":set {name} ± {}", random.unit()),
        3 => format!(":set {name} 3 ± {}", random.below(2)),
        4 => format!("{name} = [1, {}] ± [{}, 0]", random.unit(), random.unit()),
        _ => format!(":set {name} ± 0.1, {other} ± 0.2 corr [[1, 0.5], [0.5, 1]]"),
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
            &[":undo", ":undo 2", ":redo", ":thaw w", ":step 0.01 of b"],
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
        18 => list(random),
        19 => format!("{name} = {}", pick(random, NAMES)),
        20 => format!("{name}.label = 'it is {}'", random.below(9)),
        21 => uncertain(random, &name, NAMES),
        22 => uncertain(random, &name, &["w[2]", "v[1]", "W[2]"]),
        _ => format!(":del {name} as unnamed"),
    }
}

#[test]
fn random_sessions_with_lists_come_back() {
    let mut random = Random(17);
    for round in 0..1500 {
        let mut desk = Desk::default();
        let mut lines = Vec::new();
        for _ in 0..3 + random.below(40) {
            let line = list_statement(&mut random);
            if desk.try_line(&line).iter().all(Result::is_ok) {
                lines.push(line);
            }
        }
        comes_back(&desk, &format!("{round}: {}", lines.join("\n")));
    }
}

#[test]
fn random_sessions_come_back() {
    let mut random = Random(7);
    for round in 0..1500 {
        let mut desk = Desk::default();
        let mut lines = Vec::new();
        for _ in 0..3 + random.below(40) {
            let line = statement(&mut random);
            // Many statements fail, which is a good test too: they must leave no trace.
            if desk.try_line(&line).iter().all(Result::is_ok) {
                lines.push(line);
            }
        }
        comes_back(&desk, &format!("{round}: {}", lines.join("\n")));
    }
}

#[test]
fn random_sessions_come_back_on_top_of_others() {
    let mut random = Random(11);
    for _ in 0..300 {
        let mut session = |count: usize, names: &[&str]| {
            let mut desk = Desk::default();
            while desk.session.names().nodes().count() < 2 {
                for _ in 0..count {
                    desk.try_line(&statement(&mut random));
                }
            }
            for name in names {
                desk.try_line(&format!(":del {name}"));
            }
            desk
        };
        let saved = session(20, &[]);
        // Names that hide constants would make the script fail, which is tested elsewhere.
        let mut desk = session(10, &["pi", "e"]);
        run(&mut desk, &script(&saved.session));
        for (name, value) in saved.session.names().bound() {
            let there = desk.session.names().find(name).expect("it was loaded");
            assert_eq!(there.shape(), value.shape(), "{name}");
            for (there, node) in there.nodes().iter().zip(value.nodes()) {
                assert_eq!(bits(there.data()), bits(node.data()), "{name}");
                assert_eq!(there.is_frozen(), node.is_frozen(), "{name}");
            }
            let grads = |root: &Rc<Node>| -> Vec<String> {
                let pass = Pass::from(root, 0);
                pass.grads().iter().map(|grad| bits(*grad)).collect()
            };
            for (there, node) in there.nodes().iter().zip(value.nodes()) {
                assert_eq!(grads(there), grads(node), "{name}");
            }
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
        let node = |desk: &Desk| Rc::clone(desk.session.names().get(name).expect("it is there"));
        let grads = |node: &Rc<Node>| -> Vec<String> {
            let pass = Pass::from(node, 0);
            pass.grads().iter().map(|grad| bits(*grad)).collect()
        };
        assert_eq!(bits(node(&back).data()), bits(node(&desk).data()), "{name}");
        assert!(grads(&node(&back)) == grads(&node(&desk)), "{name}");
    }
    assert!(text.lines().all(|line| line.len() < 2 << 20));
    assert!(script(&back.session) == text);
}

#[test]
fn constants_that_a_call_made_come_back_as_the_call() {
    for (lines, node, reads) in [
        (
            &["f(x) = x^2 + 1", "a = 3", "y = f(a) + f(2)"][..],
            "y",
            "f(a) + f(2)",
        ),
        (
            &["f(x) = x^2 + 1", "a = 3", "y = a*f(2) + f(2)*f(-3)"],
            "y",
            "a*f(2) + f(2)*f(-3)",
        ),
        // The function was redefined since.
        (
            &["f(x) = x^2", "a = 3", "y = a + f(2)", "f(x) = 7x"],
            "y",
            "a + f(2)",
        ),
        (
            &[
                "f(x) = x^2",
                "a = 3",
                "y = a + f(2)",
                "f(x, z) = x + z",
                "z = a + f(2, 3)",
            ],
            "z",
            "a + f(2, 3)",
        ),
        // Nested calls, and functions in the right order.
        (
            &[
                "h(x) = 2x",
                "g(x) = h(x) + 1",
                "f(x, z) = x*g(z)",
                "a = 3",
                "y = a*f(g(2), pi)",
            ],
            "y",
            "a*f(g(2), pi)",
        ),
        (
            &[
                "h(x) = 2x",
                "g(x) = h(x) + 1",
                "a = 3",
                "y = g(1) + a",
                "k = h(1) - a",
            ],
            "k",
            "h(1) - a",
        ),
        (
            &[
                "g(x) = 2x",
                "f(x, z) = x*z + z",
                "a = 3",
                "y = 1 + f(a, g(2) + 1) + f(a, -3)",
            ],
            "y",
            "1 + f(a, g(2) + 1) + f(a, -3)",
        ),
        // A body that refers to a name that no longer exists.
        (
            &[
                "k = 4",
                "f(x) = x*k.data",
                "a = 3",
                "y = a + f(2)",
                ":del k as unnamed",
            ],
            "y",
            "a + f(2)",
        ),
        (
            &["f(x) = x/0", "a = 3", "y = a + f(1) + f(-1)"],
            "y",
            "a + f(1) + f(-1)",
        ),
    ] {
        let desk = Desk::with(lines);
        let named = desk.session.names().get(node).expect("it is bound");
        assert_eq!(desk.session.expression(named), reads);
        comes_back(&desk, reads);
    }
}

#[test]
fn where_a_built_in_name_is_taken_constants_are_written_out() {
    let desk = Desk::with(&["tanh(x) = x^2 + 1", "a = 3", "y = a + tanh(2)"]);
    let back = loaded(&script(&desk.session));
    let y = back.session.names().get("y").expect("it is bound");
    assert_eq!(
        (back.session.expression(y).as_str(), y.data()),
        ("a + (2^2 + 1)", 8.0)
    );
}

#[test]
fn names_that_look_like_helpers_come_back() {
    let desk = Desk::with(&[
        "_₁x, _₁ = 3, 4",
        "t = _₁x*2",
        "y = t^2*t + _₁",
        ":del t as unnamed",
    ]);
    let text = comes_back(&desk, "names like helpers");
    let back = loaded(&text);
    let names: Vec<&str> = back.session.names().bound().map(|(name, _)| name).collect();
    assert_eq!(names, ["_₁x", "_₁", "y"]);
}

#[test]
fn a_session_without_names_leaves_no_node_behind() {
    // In one session a name was deleted, in the other a name that occurs in a function body.
    for lines in [
        &["f = 3", "f*2", ":del f"][..],
        &["k = 3", "f(x) = k*x", ":del k"],
    ] {
        let desk = Desk::with(lines);
        let text = comes_back(&desk, "without names");
        let mut back = Desk::default();
        back.session.begin_trial();
        run(&mut back, &text);
        back.session.keep_trial(":load");
        assert!(back.session.default_target().is_none(), "{text}");
        for former in ["f@1", "k@1"] {
            let error = back.error(former);
            assert!(error.message.contains(former), "{}", error.message);
        }
        // The number of the former name is not reused.
        let name = &lines[0][..1];
        run(&mut back, &format!("{name} = 1; L = {name}*2; :del {name}"));
        let leaf = back
            .session
            .names()
            .get("L")
            .expect("it is bound")
            .operands()[0]
            .clone();
        assert_eq!(back.session.label(&leaf), format!("{name}@2"));
    }
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
    assert!(text.lines().any(|line| line.starts_with("const x = [")));
    assert!(text.contains("= sum(w);") && text.contains("prod(w[1..1000])"));
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
    assert!(
        error.message.contains("`w[1]` is an item of a list"),
        "{}",
        error.message
    );
    assert!(error.help.is_some_and(|help| help.contains(":del w")));
    desk.line(":del w");
    desk.error("w");
    assert_eq!(desk.value("w@1[1]"), 1.0);
    desk.line("v = [7, 8]; z = v[2]^2; :del v as w@5");
    assert_eq!(desk.value("w@5[2]"), 8.0);
    assert_eq!(desk.value("w@5[1]"), 7.0);
    desk.line(":del w@5");
    desk.error("w@5[2]");
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
        &[":del w as v@4"],
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
    let (before, made) = (portrait(&desk.session), desk.session.made());
    for line in [
        "w = [1, 2, q]",
        "a, b = [1, 2, 3]",
        "w += [1, 2, 3]",
        "w = [k*w for k in 1..3] + 1/w[3]",
    ] {
        desk.error(line);
        assert_eq!(
            (portrait(&desk.session), desk.session.made()),
            (before.clone(), made),
            "{line}"
        );
    }
    desk.session.begin_trial();
    desk.line("w = [3, 4]; z = [w, w@1]; :del w; w = 3");
    desk.session.take_trial_back();
    assert_eq!(
        (portrait(&desk.session), desk.session.made()),
        (before, made)
    );
    desk.error("w@1");
    assert_eq!(desk.session.audit(), Ok(()));
}
