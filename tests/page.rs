//! The page that `:graph L FILE.html` writes, in a real browser: stepped through, and compared with the program.
//!
//! The test presses buttons and keys and reads what is shown; it calls no functions of the page. The page has no access
//! to a network and must not try to use one.

use std::fs;
use std::path::Path;

use crate::common::process::{Folder, out};
use crate::common::{Desk, close, number};
use chainrule_engine::graph::{FullGraph, first_not_finite};
use chainrule_report::Stage;
use chainrule_session::Reader;
use chainrule_session::by_hand::walk::Direction;
use chainrule_view::Style;
use serde_json::Value;

/// A graph: the lines that make it, and its root.
struct Case {
    name: &'static str,
    lines: &'static [&'static str],
    root: &'static str,
}

const CASES: &[Case] = &[
    Case {
        name: "anchor",
        lines: &["a, b, c, f = 2, -3, 10, -2", "L = (a*b + c)*f"],
        root: "L",
    },
    Case {
        name: "neuron",
        lines: &[
            "x1, x2, w1, w2, b = 2, 0, -3, 1, 6.8813735870195432",
            "n = x1*w1 + x2*w2 + b",
            "o = tanh(n)",
        ],
        root: "o",
    },
    Case {
        name: "shared nodes, constants, frozen leaves",
        lines: &[
            "const k = 2",
            "x, y = 1.5, -0.75",
            "q = x*x + 3*2*x + k*y",
            "r = max(q, y, x)*q - q/(k + x)^2 + min(x, y) + hypot(x, y, k) + if(x > y, x, y)",
        ],
        root: "r",
    },
    Case {
        name: "many functions",
        lines: &[
            "x, y = 0.7, 1.3",
            "s = sigmoid(x) + softplus(y)*elu(x) + silu(x*y) - tanh(x) + atan2(x, y) + x^y + y % x + cbrt(x)",
            "t = s*exp(-x) + ln(y) + logsigmoid(x) + prod(x, y, 2) + clamp(x, 0, y) + sinh(x)",
        ],
        root: "t",
    },
    Case {
        name: "what is no number",
        lines: &[
            "x, z, w = 4, 0, -1",
            "v = 0*sqrt(z) + x/z + ln(w)*x + abs(z) + w",
        ],
        root: "v",
    },
    Case {
        name: "operations of many operands, and one without a formula",
        lines: &[
            "x, y, z = 1.5, 2, -0.25",
            "u = polygamma(1, x)*y + logsumexp(x, y, z, 1)*max(x, y, z) - prod(x, y, z, 2)",
        ],
        root: "u",
    },
    Case {
        name: "labels that look like something else",
        lines: &[
            "a = Value(2.0, label='</script><!--<b>&\"')",
            "b = Value(3.0, label=\"it's `${1}` \\\\\")",
            "L = a*b + a",
        ],
        root: "L",
    },
    Case {
        name: "equal expressions",
        lines: &["a, b = 2, 3", "L = a*b + a*b*sin(a*b) + (-a)*(-a)"],
        root: "L",
    },
    Case {
        name: "a leaf alone",
        lines: &["a = 2"],
        root: "a",
    },
];

/// Loaded before everything else: records errors.
const WATCH: &str = "<head>\n<script>const faults = [];\
    addEventListener('error', (event) => faults.push(String(event.message)), true);\
    addEventListener('securitypolicyviolation', (event) => faults.push('refused: ' + event.blockedURI));</script>";

/// Operates the page and reads it.
const DRIVE: &str = include_str!("page/drive.js");

/// Looks at a page, moves its picture, and reads it.
const LOOK: &str = include_str!("page/look.js");

/// A window of this width and height.
const WINDOW: (u32, u32) = (1280, 800);
const TELEPHONE: (u32, u32) = (390, 844);

/// The page that the program writes.
fn page(folder: &Folder, lines: &[&str], root: &str) -> String {
    let path = folder.0.join("page.html");
    let script = format!("{}\n:graph {root} {}\n", lines.join("\n"), path.display());
    out(&[], script);
    fs::read_to_string(&path).expect("the page is written")
}

/// Operates the page in a browser, and returns what it shows.
fn drive(browser: &Path, folder: &Folder, page: &str) -> Value {
    let watched = page.replacen("<head>", WATCH, 1);
    let path = folder.file(
        "driven.html",
        format!("{watched}<script>\n{DRIVE}</script>\n"),
    );
    let html = crate::common::browser::dump(browser, folder, &path, 5_000);
    serde_json::from_str(&crate::common::browser::result(&html)).expect("the result is JSON")
}

/// Checks that the page's numbers are those of the session to the bit, node by node.
fn assert_same(desk: &Desk, root: &str, shown: &Value, what: &str) {
    let node = desk
        .session
        .names()
        .find_node(root)
        .expect("the root has a name");
    let same = |got: &Value, want: f64, what: &str| {
        let text = got.as_str();
        let text = text.unwrap_or_else(|| panic!("{what}: nothing is shown, not {want}"));
        let got: f64 = text.parse().unwrap_or_else(|_| panic!("{what}: {text}"));
        let right = got.to_bits() == want.to_bits() || (got.is_nan() && want.is_nan());
        assert!(right, "{what}: the page has {got:e}, the program {want:e}");
    };
    let nodes = FullGraph::below(node).nodes;
    let first = first_not_finite(&nodes);
    for node in &nodes {
        let what = format!("{what}: {}", desk.session.label(node));
        let box_of = &shown[node.id().to_string()];
        assert!(box_of.is_object(), "{what} has no box");
        let began = first.is_some_and(|first| std::rc::Rc::ptr_eq(first, node));
        assert_eq!(box_of["first"], began, "{what}: where it began");
        if node.spelling().is_none() {
            same(&box_of["data"], node.data(), &format!("data, {what}"));
        }
        if let Some(grad) = desk.session.pass().and_then(|pass| pass.grad(node)) {
            same(&box_of["grad"], grad, &format!("grad, {what}"));
        }
    }
}

/// Checks that a page and `:walk` show the same at each stop, forward to the end and back: the same words, and in the boxes
/// the numbers that the walk has reached.
fn assert_walked(case: &Case, forward: bool, answer: &Value) {
    let mut desk = Desk::with(case.lines);
    let word = if forward { "forward" } else { "backward" };
    let way = if forward { " forward" } else { "" };
    // Every operand of a stop.
    desk.session.show.reader = Reader::Program;
    let style = Style::default();
    let mut shown = desk.answer_text(&format!(":walk {}{way}", case.root), &style);
    let stops = desk.session.walk().expect("a walk is open").stop_count();
    let [on, back] = ["on", "back"].map(|way| answer[word][way].as_array().expect("stops"));
    assert_eq!(on.len(), stops + 1, "{}, {word}", case.name);
    assert!(back.iter().rev().eq(on), "{}, {word}, back", case.name);
    for (place, on) in on.iter().enumerate() {
        let what = format!("{}, {word}, stop {place} of {stops}", case.name);
        let count = match place {
            0 => "start".to_string(),
            _ => format!("{place} of {stops}"),
        };
        assert_eq!(on["place"], count, "{what}");
        let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        let said = on["said"].as_str().expect("words");
        assert_eq!(words(said), words(&shown), "{what}");
        assert_boxes(&desk, case.root, &on["boxes"], &what);
        if place < stops {
            shown = desk.answer_text(":next", &style);
        }
    }
}

/// Checks that the boxes of a page have the data and grads that an open walk has reached.
fn assert_boxes(desk: &Desk, root: &str, boxes: &Value, what: &str) {
    let node = desk
        .session
        .names()
        .find_node(root)
        .expect("the root has a name");
    let walk = desk.session.walk().expect("a walk is open");
    for node in &FullGraph::below(node).nodes {
        if node.spelling().is_some() {
            continue;
        }
        let hidden =
            walk.direction == Direction::Forward && walk.stage(node) == Some(Stage::Coming);
        let expected = [
            ("data", (!hidden).then(|| node.data())),
            ("grad", walk.grad(node)),
        ];
        for (key, expected) in expected {
            let got = &boxes[node.id().to_string()][key];
            let got = got.as_str().map(|text| text.parse::<f64>().expect(what));
            let label = desk.session.label(node);
            let same = match (got, expected) {
                (Some(got), Some(expected)) => close(got, expected, 0.0, 0.0),
                (got, expected) => got.is_none() && expected.is_none(),
            };
            assert!(same, "{what}: {key} of {label}: {got:?}, {expected:?}");
        }
    }
}

fn check_case(browser: &Path, case: &Case) {
    let folder = Folder::new();
    let text = page(&folder, case.lines, case.root);
    let mut desk = Desk::with(case.lines);
    let answer = drive(browser, &folder, &text);
    let name = case.name;
    assert_eq!(answer["faults"], serde_json::json!([]), "{name}");
    assert_eq!(answer["requests"], 0, "{name}");

    desk.line(&format!(":grad {}", case.root));
    assert_same(&desk, case.root, &answer["recorded"], name);
    for forward in [false, true] {
        assert_walked(case, forward, &answer);
    }
    let count = answer["backward"]["on"].as_array().map_or(0, Vec::len) - 1;
    if count > 0 {
        assert_eq!(answer["begun"], "start", "{name}");
        assert_eq!(answer["turned"], "start", "{name}");
        assert_eq!(answer["end"], format!("{count} of {count}"), "{name}");
        assert_eq!(answer["slid"], format!("{count} of {count}"), "{name}");
        let left = if count == 1 {
            "start".to_string()
        } else {
            format!("{} of {count}", count - 1)
        };
        assert_eq!(answer["left"], left, "{name}");
    }
    assert_eq!(answer["printed"], count + 1, "{name}");
}

/// Checks that the page refers to nothing outside itself, and never evaluates a text as code.
fn assert_alone(page: &str) {
    for (at, _) in page.match_indices("http") {
        let rest = &page[at..];
        let known = ["http-equiv", "http://www.w3.org/2000/svg"];
        assert!(
            known.iter().any(|known| rest.starts_with(known)),
            "{}",
            &rest[..60.min(rest.len())]
        );
    }
    for word in [
        " src=",
        "url(",
        "@import",
        "<link",
        "fetch(",
        "XMLHttpRequest",
        "WebSocket",
        "import(",
        "eval(",
        "Function(",
        "localStorage",
        "sendBeacon",
    ] {
        assert!(!page.contains(word), "{word}");
    }
    assert!(page.contains(
        "content=\"default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'\""
    ));
    // Each beginning has one end: no label closes a script early.
    assert_eq!(page.matches("<script").count(), 2);
    assert_eq!(page.matches("</script").count(), 2);
    assert_eq!(page.matches("<svg").count(), page.matches("</svg>").count());
}

#[test]
fn a_page_shows_what_the_walk_does() {
    let Some(browser) = crate::common::browser::browser() else {
        crate::common::browser::report_skip("the page in a browser", "a Chromium");
        return;
    };
    std::thread::scope(|scope| {
        for cases in CASES.chunks(CASES.len().div_ceil(3)) {
            scope.spawn(|| cases.iter().for_each(|case| check_case(&browser, case)));
        }
    });
}

#[test]
fn a_page_begins_where_the_walk_is() {
    let Some(browser) = crate::common::browser::browser() else {
        crate::common::browser::report_skip("the page of a walk", "a Chromium");
        return;
    };
    let folder = Folder::new();
    let lines = ["a, b = 2, -3", "L = (a*b + a)*b", ":walk L", ":next 2"];
    let text = page(&folder, &lines, "L");
    let answer = drive(&browser, &folder, &text);
    assert_eq!(answer["begun"], "2 of 3");
    assert_eq!(answer["fresh"], "");
    let lines = [
        "a, b = 2, -3",
        "L = (a*b + a)*b",
        ":backward L",
        ":backward L",
    ];
    let text = page(&folder, &lines, "L");
    let answer = drive(&browser, &folder, &text);
    let fresh = answer["fresh"].as_str().unwrap_or_default();
    assert!(fresh.contains("sum of 2 passes"), "{fresh}");
    assert_same(
        &Desk::with(&["a, b = 2, -3", "L = (a*b + a)*b", ":grad L"]),
        "L",
        &answer["recorded"],
        "a fresh pass",
    );
}

/// Checks without a browser what the file contains.
#[test]
fn a_page_is_a_file_of_its_own() {
    let folder = Folder::new();
    for case in CASES {
        assert_alone(&page(&folder, case.lines, case.root));
    }
    // A page that opens this one allows this one script.
    let scripts = [["x = 2", "y = sigmoid(x)"], ["a = [1, 2]", "y = max(a)"]].map(|lines| {
        let text = page(&folder, &lines, "y");
        let (_, script) = text.split_once("<script>").expect("a script");
        script.to_owned()
    });
    assert_eq!(scripts[0], scripts[1], "it is the same for all graphs");
}

/// The findings of a part of `look.js` on a page in a window, at an address with this ending.
fn look_at(page: &str, what: &str, (width, height): (u32, u32), end: &str) -> Value {
    let browser = crate::common::browser::browser().expect("the caller has looked for it");
    let folder = Folder::new();
    let watched = page.replacen("<head>", WATCH, 1);
    let path = folder.file(
        "looked.html",
        format!("{watched}<script>\nconst what = \"{what}\";\n{LOOK}</script>\n"),
    );
    // No window of a browser is as narrow as a phone, but a frame in it can be.
    let path = if width < 500 {
        let frame = format!(
            "<!doctype html><meta charset=utf-8><iframe width={width} height={height} style=\"border:0\" src=\"file://{path}{end}\"></iframe>\n\
             <script>addEventListener(\"message\", (event) => {{\n\
             const result = document.createElement(\"pre\"); result.id = \"result\"; result.textContent = event.data; document.body.append(result); }});</script>"
        );
        folder.file("frame.html", frame)
    } else {
        format!("{path}{end}")
    };
    let mut command = crate::common::browser::quiet(&browser, &folder.0.join("profile"));
    command.arg(format!("--window-size={width},{height}"));
    // The time that a step takes is measured in the browser's real time.
    if what != "stepped" {
        command.arg("--virtual-time-budget=20000");
    }
    command.args(["--dump-dom", &format!("file://{path}")]);
    let ran = crate::common::process::feed(command, b"");
    assert_eq!(ran.status, Some(0), "the browser: {}", ran.err);
    let found: Value = serde_json::from_str(&crate::common::browser::result(&ran.out))
        .expect("the result is JSON");
    assert_eq!(found["faults"], serde_json::json!([]), "{what}");
    found["answer"].clone()
}

fn browser_for(test: &str) -> bool {
    let is_there = crate::common::browser::browser().is_some();
    if !is_there {
        crate::common::browser::report_skip(test, "a Chromium");
    }
    is_there
}

fn text_of(lines: &[&str], root: &str) -> String {
    page(&Folder::new(), lines, root)
}

const LECTURE: [&str; 2] = ["a, b, c, f = 2, -3, 10, -2", "L = (a*b + c)*f"];

/// The lines of a network of neurons, from three inputs to one output.
fn neurons(layers: &[usize]) -> Vec<String> {
    let mut random = crate::common::Random(7);
    let mut lines = Vec::new();
    let mut leaf = |name: &str| {
        let line = format!("{name} = {:.3}", random.unit() * 2.0 - 1.0);
        lines.push(line);
        name.to_string()
    };
    let mut before: Vec<String> = (0..3).map(|at| leaf(&format!("x{at}"))).collect();
    let mut rest = Vec::new();
    for (layer, &many) in layers.iter().enumerate() {
        let mut after = Vec::new();
        for at in 0..many {
            let mut sum = leaf(&format!("b{layer}_{at}"));
            for (from, name) in before.iter().enumerate() {
                let weight = leaf(&format!("w{layer}_{at}_{from}"));
                sum = format!("{sum} + {name}*{weight}");
            }
            rest.push(format!("n{layer}_{at} = tanh({sum})"));
            after.push(format!("n{layer}_{at}"));
        }
        before = after;
    }
    rest.push(format!("L = ({} - 1)^2", before[0]));
    lines.extend(rest);
    lines
}

/// The lines of a graph of about this many nodes. Each node uses two of the last ones.
fn woven_lines(many: usize) -> Vec<String> {
    let mut random = crate::common::Random(5);
    let mut lines = vec!["v0 = 1.25".to_string(), "v1 = 0.75".to_string()];
    for at in 2..many {
        let [one, other] = [1, 2].map(|by| at - by - random.below((at - by + 1).min(6)));
        let sign = ["+", "-", "*"][random.below(3)];
        lines.push(format!("v{at} = sin(v{one}) {sign} v{other}"));
    }
    let all: Vec<String> = (0..many).map(|at| format!("v{at}")).collect();
    lines.push(format!(
        "L = sum([{}])",
        all[many - 40.min(many)..].join(", ")
    ));
    lines
}

fn as_strs(lines: &[String]) -> Vec<&str> {
    lines.iter().map(String::as_str).collect()
}

/// The wires of the present operation show its local derivatives.
#[test]
fn a_stop_has_numbers_on_its_wires() {
    if !browser_for("the numbers on the wires of a page") {
        return;
    }
    let square = ["a = 3", "b = a*a"];
    for (lines, root, numbers) in [(&square, "b", "3 3"), (&LECTURE, "L", "-2 4")] {
        let found = look_at(&text_of(lines, root), "numbers", WINDOW, "");
        assert_eq!(found, numbers, "{lines:?}");
    }
}

/// A page opens fitted to its window; a picture that would be too small opens at its root.
#[test]
fn a_page_opens_in_its_window() {
    if !browser_for("how a page opens") {
        return;
    }
    let small = text_of(&LECTURE, "L");
    let seen = look_at(&small, "opened", WINDOW, "");
    assert_eq!(
        (&seen["window"], &seen["whole"]),
        (&1280.into(), &true.into())
    );
    assert!(seen["wide"].as_f64() > seen["high"].as_f64(), "{seen}");
    let seen = look_at(&small, "opened", TELEPHONE, "");
    assert_eq!(
        (&seen["window"], &seen["whole"], &seen["root"]),
        (&390.into(), &true.into(), &true.into())
    );
    assert!(seen["overflow"].as_f64() <= Some(0.0), "{seen}");

    let neurons = neurons(&[1, 1]);
    let network = text_of(&as_strs(&neurons), "L");
    let seen = look_at(&network, "opened", WINDOW, "");
    assert_eq!(seen["whole"], true, "{seen}");

    let many = woven_lines(300);
    let large = text_of(&as_strs(&many), "L");
    let seen = look_at(&large, "opened", WINDOW, "");
    assert_eq!(
        (&seen["whole"], &seen["root"]),
        (&false.into(), &true.into())
    );
    assert!(close(number(&seen["scale"]), 1.0, 0.01, 0.0), "{seen}");

    // The choice of the page's author holds in every browser.
    let folder = Folder::new();
    let path = folder.0.join("page.html");
    let script = format!("{}\n:graph L down {}\n", LECTURE.join("\n"), path.display());
    out(&[], script);
    let down = fs::read_to_string(&path).expect("the page is written");
    let seen = look_at(&down, "opened", WINDOW, "");
    assert_eq!(seen["below"], true, "{seen}");
}

#[test]
fn a_picture_has_a_size() {
    if !browser_for("the size of the picture of a page") {
        return;
    }
    let neurons = neurons(&[1, 1]);
    let page = text_of(&as_strs(&neurons), "L");
    let seen = look_at(&page, "moved", WINDOW, "");
    let of = |key: &str| number(&seen[key]);
    let ratio = |one: &str, other: &str| of(one) / of(other);
    for (one, other) in [("larger", "fitted"), ("plus", "again"), ("again", "minus")] {
        let by = if other == "minus" { 1.0 } else { 1.25 };
        assert!(close(ratio(one, other), by, 0.01, 0.0), "{one}: {seen}");
    }
    assert_eq!(seen["zero"], seen["fitted"], "{seen}");
}

#[test]
fn a_link_opens_a_step() {
    if !browser_for("links to a step of a page") {
        return;
    }
    let page = text_of(&LECTURE, "L");
    let seen = look_at(&page, "address", WINDOW, "#step=2");
    let expected = serde_json::json!({
        "opened": { "place": "2 of 3", "hash": "#step=2" },
        "next": { "place": "3 of 3", "hash": "#step=3" },
        "forward": { "place": "1 of 3", "hash": "#step=1&pass=forward" },
        "changed": { "place": "1 of 3", "hash": "#step=1" },
        "beyond": { "place": "3 of 3", "hash": "#step=3" },
        "none": { "place": "3 of 3", "hash": "#elsewhere" },
    });
    assert_eq!(seen, expected);
    let seen = look_at(&page, "address", WINDOW, "#step=1&pass=forward");
    assert_eq!(seen["opened"]["place"], "1 of 3");
    assert_eq!(seen["next"]["hash"], "#step=2&pass=forward");
    // A walk without a step does not fail.
    for end in [
        "",
        "#",
        "#step=",
        "#step=x",
        "#step=-1",
        "#step=NaN&pass=up",
    ] {
        let seen = look_at(&page, "address", WINDOW, end);
        assert_eq!(seen["opened"]["place"], "start", "{end}");
    }
}

#[test]
fn playing_has_a_speed() {
    if !browser_for("the speed of a page") {
        return;
    }
    let seen = look_at(&text_of(&LECTURE, "L"), "played", WINDOW, "");
    let expected = serde_json::json!({
        "tabbed": true, "label": true, "usual": "1400", "choices": [3000, 2000, 1400, 700, 250],
        "fast": "2 of 3", "slow": "start", "kept": "3000", "changed": "2 of 3",
    });
    assert_eq!(seen, expected);
}

#[test]
fn no_number_and_no_name_is_broken() {
    if !browser_for("the lines of a page") {
        return;
    }
    let neurons = neurons(&[2, 1]);
    let long = [
        "a_name_of_many_letters, y = -1234567.891234, 0.000012345678",
        "another-1*2",
        "L = (a_name_of_many_letters - -y)/y + exp(-a_name_of_many_letters/1e6)*sqrt(y)",
    ];
    let long = [long[0], long[2]];
    for (lines, window) in [
        (&as_strs(&neurons)[..], TELEPHONE),
        (&long, TELEPHONE),
        (&long, WINDOW),
    ] {
        let seen = look_at(&text_of(lines, "L"), "unbroken", window, "");
        assert!(seen["count"].as_u64() > Some(20), "{seen}");
        assert_eq!(seen["broken"], serde_json::json!([]), "{window:?}");
    }
}

/// The rule `label-content-name-mismatch` of axe-core: people who control a page by voice say the words they see.
#[test]
fn what_is_pressed_is_named_as_it_looks() {
    if !browser_for("the names of what is pressed on a page") {
        return;
    }
    let lines = [
        "const k = 2",
        "a, b_with_a_very_long_name_that_is_shortened = 0.1, 3",
        "L = (a*k + b_with_a_very_long_name_that_is_shortened)/0 + ln(-a)",
    ];
    for window in [WINDOW, TELEPHONE] {
        let seen = look_at(&text_of(&lines, "L"), "named", window, "");
        assert!(seen["count"].as_u64() > Some(30), "{seen}");
        assert_eq!(seen["wrong"], serde_json::json!([]));
    }
}

/// A step touches what it changes, so that it is as quick in a graph of 2,000 nodes as in a small one.
#[test]
fn a_step_of_a_large_graph_is_quick() {
    if !browser_for("the speed of a step") {
        return;
    }
    let many = woven_lines(1190);
    let seen = look_at(&text_of(&as_strs(&many), "L"), "stepped", WINDOW, "");
    assert!(seen["steps"].as_u64() >= Some(1900), "{seen}");
    // The sum at the root has 40 operands, each with a box, a grad, a wire and the number on it.
    assert!(seen["most"].as_u64() <= Some(40 * 6), "{seen}");
    assert!(number(&seen["fastest"]) < 50.0, "{seen}");
}

/// On paper a picture is vectors, and all steps follow it.
#[test]
fn a_page_on_paper_has_all_steps() {
    if !browser_for("a page on paper") {
        return;
    }
    let browser = crate::common::browser::browser().expect("it is there");
    let page = text_of(&LECTURE, "L");
    assert_eq!(look_at(&page, "printed", WINDOW, "")["steps"], 4);
    let folder = Folder::new();
    let path = folder.file("page.html", page);
    let paper = folder.0.join("paper.pdf");
    let mut command = crate::common::browser::quiet(&browser, &folder.0.join("profile"));
    command.arg(format!("--print-to-pdf={}", paper.display()));
    command.arg(format!("file://{path}"));
    let ran = crate::common::process::feed(command, b"");
    assert_eq!(ran.status, Some(0), "the browser: {}", ran.err);
    let bytes = fs::read(&paper).expect("the page is printed");
    let text = String::from_utf8_lossy(&bytes);
    assert!(!text.contains("/Subtype /Image"), "no pixels");
}
