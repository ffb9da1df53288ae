//! The page that `:graph L FILE.html` writes, in a real browser: stepped through, edited, and compared with the
//! program.
//!
//! The test presses buttons and keys, fills in fields and reads what is shown; it calls no functions of the page. The
//! page has no access to a network and must not try to use one.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use crate::common::process::{Folder, out};
use crate::common::{Desk, close, number};
use chainrule::graph::FullGraph;
use chainrule::graph::first_not_finite;
use serde_json::Value;

/// A graph: the lines that make it, its root, and edits of leaves, one after the other.
struct Case {
    name: &'static str,
    lines: &'static [&'static str],
    root: &'static str,
    edits: &'static [(&'static str, &'static str)],
}

const CASES: &[Case] = &[
    Case {
        name: "anchor",
        lines: &["a, b, c, f = 2, -3, 10, -2", "L = (a*b + c)*f"],
        root: "L",
        edits: &[("b", "4.5"), ("f", "-0"), ("a", "1e300"), ("c", "inf")],
    },
    Case {
        name: "neuron",
        lines: &[
            "x1, x2, w1, w2, b = 2, 0, -3, 1, 6.8813735870195432",
            "n = x1*w1 + x2*w2 + b",
            "o = tanh(n)",
        ],
        root: "o",
        edits: &[("x2", "1.25"), ("w1", "-40")],
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
        edits: &[("y", "30"), ("k", "0.5"), ("x", "0")],
    },
    Case {
        name: "many functions",
        lines: &[
            "x, y = 0.7, 1.3",
            "s = sigmoid(x) + softplus(y)*gelu(x) + silu(x*y) - erf(x) + atan2(x, y) + x^y + y % x + cbrt(x)",
            "t = s*exp(-x) + ln(y) + gamma(x + 1) + lgamma(y) + digamma(x) + (x + 2)! + clamp(x, 0, y) + sinh(x)",
        ],
        root: "t",
        edits: &[("x", "-0.4"), ("y", "2.5"), ("x", "12.25")],
    },
    Case {
        name: "what is no number",
        lines: &[
            "x, z, w = 4, 0, -1",
            "v = 0*sqrt(z) + x/z + ln(w)*x + abs(z) + w",
        ],
        root: "v",
        edits: &[("z", "2"), ("w", "3"), ("x", "nan"), ("x", "-inf")],
    },
    Case {
        name: "an operation that is replayed",
        lines: &["x, y = 1.5, 2", "u = polygamma(1, x)*y + y^2"],
        root: "u",
        edits: &[("y", "-3.5")],
    },
    Case {
        name: "labels that look like something else",
        lines: &[
            "a = Value(2.0, label='</script><!--<b>&\"')",
            "b = Value(3.0, label=\"it's `${1}` \\\\\")",
            "L = a*b + a",
        ],
        root: "L",
        edits: &[("a", "5")],
    },
    Case {
        name: "a leaf alone",
        lines: &["a = 2"],
        root: "a",
        edits: &[("a", "3")],
    },
];

/// Loaded before everything else: records errors.
const WATCH: &str = "<head>\n<script>const faults = [];\
    addEventListener('error', (event) => faults.push(String(event.message)), true);\
    addEventListener('securitypolicyviolation', (event) => faults.push('refused: ' + event.blockedURI));</script>";

/// Operates the page and reads it.
const DRIVE: &str = include_str!("page/drive.js");

/// The page that the program writes.
fn page(folder: &Folder, lines: &[&str], root: &str) -> String {
    let path = folder.0.join("page.html");
    let script = format!("{}\n:graph {root} {}\n", lines.join("\n"), path.display());
    out(&[], script);
    fs::read_to_string(&path).expect("the page is written")
}

/// Operates the page in a browser, and returns what it shows.
fn driven(browser: &Path, folder: &Folder, page: &str, edits: &[(u32, &str)]) -> Value {
    let mut list = String::new();
    for (id, text) in edits {
        let _ = write!(list, "[{id}, \"{text}\"], ");
    }
    let watched = page.replacen("<head>", WATCH, 1);
    let path = folder.file(
        "driven.html",
        format!("{watched}<script>\nconst edits = [{list}];\n{DRIVE}</script>\n"),
    );
    let html = crate::common::browser::dump(browser, folder, &path, 5_000);
    serde_json::from_str(&crate::common::browser::result(&html)).expect("the result is JSON")
}

/// Checks that the page's numbers are those of the session, node by node.
fn assert_same(desk: &Desk, root: &str, shown: &Value, exact: bool, what: &str) {
    let node = desk.session.names().get(root).expect("the root has a name");
    let same = |got: &Value, want: f64, what: &str| {
        let got = got
            .as_str()
            .unwrap_or_else(|| panic!("{what}: nothing is shown, not {want}"));
        let got: f64 = got.parse().unwrap_or_else(|_| panic!("{what}: {got}"));
        let right = if exact {
            got.to_bits() == want.to_bits() || (got.is_nan() && want.is_nan())
        } else {
            close(got, want, 1e-12, 1e-300)
        };
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

/// The numbers of `:walk` at each stop: local, upstream, local, contribution, and grad before and after, for each
/// operand.
fn walked(desk: &mut Desk, root: &str) -> Vec<Vec<f64>> {
    let Some(stops) = desk.line(&format!(":walk {root}"))[0]["of"].as_u64() else {
        return Vec::new();
    };
    let mut all = Vec::new();
    for _ in 0..stops {
        let stop = desk.line(":next").remove(0);
        let upstream = number(&stop["upstream"]);
        let shares = stop["contributions"]
            .as_array()
            .expect("a stop has contributions");
        let figures = shares.iter().flat_map(|share| {
            let local = number(&share["local"]);
            let rest = ["contribution", "before", "after"].map(|key| number(&share[key]));
            [local, upstream, local, rest[0], rest[1], rest[2]]
        });
        all.push(figures.collect());
    }
    all
}

fn tried(browser: &Path, case: &Case) {
    let folder = Folder::new();
    let text = page(&folder, case.lines, case.root);
    assert_alone(&text);
    let mut desk = Desk::with(case.lines);
    let id = |desk: &Desk, name: &str| desk.session.names().get(name).expect("a leaf").id();
    let edits: Vec<(u32, &str)> = case
        .edits
        .iter()
        .map(|(name, text)| (id(&desk, name), *text))
        .collect();
    let answer = driven(browser, &folder, &text, &edits);
    let name = case.name;
    assert_eq!(answer["faults"], serde_json::json!([]), "{name}");
    assert_eq!(answer["requests"], 0, "{name}");

    desk.line(&format!(":grad {}", case.root));
    assert_same(
        &desk,
        case.root,
        &answer["recorded"],
        true,
        &format!("{name}, as written"),
    );
    assert_same(
        &desk,
        case.root,
        &answer["reset"],
        true,
        &format!("{name}, reset"),
    );
    for ((leaf, text), shown) in case
        .edits
        .iter()
        .zip(answer["edited"].as_array().expect("a list"))
    {
        desk.line(&format!(":set {leaf} {text}"));
        assert_same(
            &desk,
            case.root,
            shown,
            false,
            &format!("{name}, {leaf} = {text}"),
        );
    }
    assert_eq!(
        answer["kept"],
        answer["edited"][edits.len() - 1],
        "{name}: no number changes nothing"
    );
    let wrong = answer["wrong"].as_str().unwrap_or_default();
    assert!(wrong.contains("expected a number"), "{name}: {wrong}");

    let mut desk = Desk::with(case.lines);
    let stops = if case.root == "a" {
        Vec::new()
    } else {
        walked(&mut desk, case.root)
    };
    let shown = answer["walked"].as_array().expect("a list");
    assert_eq!(shown.len(), stops.len(), "{name}");
    for (place, (shown, stop)) in shown.iter().zip(&stops).enumerate() {
        let shown: Vec<f64> = shown
            .as_array()
            .expect("a list")
            .iter()
            .map(|text| {
                text.as_str()
                    .and_then(|text| text.parse().ok())
                    .expect("a number in full")
            })
            .collect();
        let same = shown.len() == stop.len()
            && shown
                .iter()
                .zip(stop)
                .all(|(got, want)| close(*got, *want, 0.0, 0.0));
        assert!(
            same,
            "{name}, stop {}: the page has {shown:?}, :walk {stop:?}",
            place + 1
        );
    }
    let count = stops.len();
    if count > 0 {
        assert_eq!(answer["begun"], "start", "{name}");
        assert_eq!(answer["forward"], "start", "{name}");
        assert_eq!(answer["end"], format!("{count} of {count}"), "{name}");
        assert_eq!(answer["slid"], format!("{count} of {count}"), "{name}");
        let left = if count == 1 {
            "start".to_string()
        } else {
            format!("{} of {count}", count - 1)
        };
        assert_eq!(answer["left"], left, "{name}");
        assert!(
            !answer["values"].as_array().expect("a list").is_empty(),
            "{name}"
        );
    }
    assert_eq!(answer["printed"], count, "{name}");
    let replayed = name.contains("replayed");
    let missing = answer["missing"].as_str().unwrap_or_default();
    assert_eq!(missing.contains("polygamma"), replayed, "{name}: {missing}");
    if replayed {
        assert_eq!(
            answer["fields"][id(&desk, "x").to_string()],
            true,
            "x is below it"
        );
        assert_eq!(
            answer["fields"][id(&desk, "y").to_string()],
            false,
            "y is not"
        );
    }
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
    assert_eq!(page.matches("<script>").count(), 1);
    assert_eq!(page.matches("</script").count(), 1);
    assert_eq!(page.matches("<svg").count(), page.matches("</svg>").count());
}

#[test]
fn a_page_computes_what_the_program_does() {
    let Some(browser) = crate::common::browser::browser() else {
        crate::common::browser::skipped("the page in a browser", "a Chromium");
        return;
    };
    std::thread::scope(|scope| {
        for cases in CASES.chunks(CASES.len().div_ceil(3)) {
            scope.spawn(|| cases.iter().for_each(|case| tried(&browser, case)));
        }
    });
}

#[test]
fn a_page_begins_where_the_walk_is() {
    let Some(browser) = crate::common::browser::browser() else {
        crate::common::browser::skipped("the page of a walk", "a Chromium");
        return;
    };
    let folder = Folder::new();
    let lines = ["a, b = 2, -3", "L = (a*b + a)*b", ":walk L", ":next 2"];
    let text = page(&folder, &lines, "L");
    let answer = driven(&browser, &folder, &text, &[(1, "7")]);
    assert_eq!(answer["begun"], "2 of 3");
    assert_eq!(answer["fresh"], "");
    let lines = [
        "a, b = 2, -3",
        "L = (a*b + a)*b",
        ":backward L",
        ":backward L",
    ];
    let text = page(&folder, &lines, "L");
    let answer = driven(&browser, &folder, &text, &[(1, "7")]);
    let fresh = answer["fresh"].as_str().unwrap_or_default();
    assert!(fresh.contains("sum of 2 passes"), "{fresh}");
    assert_same(
        &Desk::with(&["a, b = 2, -3", "L = (a*b + a)*b", ":grad L"]),
        "L",
        &answer["recorded"],
        true,
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
    let text = page(&folder, &["x = 2", "y = tanh(x)"], "y");
    assert!(
        text.contains("function sech") && !text.contains("function gelu"),
        "only what is called comes along"
    );
}

/// The page formats every number as the program does.
#[test]
fn a_page_writes_numbers_as_the_program_does() {
    let mut random = crate::common::Random(11);
    let mut numbers = vec![
        0.0,
        -0.0,
        1.0,
        -8.0,
        0.1 + 0.2,
        2.0 / 3.0,
        999_999.6,
        1e-5,
        9.99e-6,
        9.999_999_9e-6,
        1e15,
        -1.5e20,
        5e-324,
        f64::MAX,
        f64::NAN,
        f64::INFINITY,
        f64::NEG_INFINITY,
        123_456_789.0,
        0.5,
        2.5,
        3.5,
        123_456.5,
        123_457.5,
        1e21,
        99_999.95,
        0.000_012_345_675,
        1.000_000_5,
        1_099_511_627_776.0,
        123_456_789_012_345.0,
        9_007_199_254_740_992.0,
        -9_007_199_254_740_994.0,
        1_234_567_890_123_456.5,
        1e15 / 7.0,
        1e17 / 7.0,
        9_999_999.6,
        999_999_999_999_999.6,
        1_234_567.8,
    ];
    numbers.extend((0..3000).map(|_| (random.unit() - 0.5) * 1e16));
    numbers.extend((0..1000).map(|_| (random.unit() * 1e16).floor()));
    numbers.extend((0..3000).map(|_| f64::from_bits(random.bits())));
    numbers
        .extend((0..3000).map(|_| (random.unit() - 0.5) * 10f64.powi(random.below(12) as i32 - 4)));
    // Halves of whole numbers are ties between two texts.
    numbers.extend((0..3000).map(|_| random.below(20_000_000) as f64 / 8.0));
    let mut script = String::from("const graph = { digits: 6 };\n");
    script.push_str(include_str!("../src/view/picture/formats/page/numbers.js"));
    script.push_str("const answer = [");
    for x in &numbers {
        let _ = write!(script, "{}, ", format!("{x:?}").replace("inf", "Infinity"));
    }
    script.push_str("].map((x) => [1, 3, 6, 12, 17].map((digits) => text(x, digits)).join(\" \")).join(\"\\n\");\n");
    let Some(answer) = crate::common::browser::ran(&script) else {
        crate::common::browser::skipped("the page's way of writing numbers", "node or a Chromium");
        return;
    };
    for (x, line) in numbers.iter().zip(answer.lines()) {
        let wanted = [1, 3, 6, 12, 17].map(|digits| chainrule::view::number::text(*x, digits));
        let (shown, wanted) = (line.rsplit_once(' '), wanted.join(" "));
        let (Some((shown, full)), Some((wanted, _))) = (shown, wanted.rsplit_once(' ')) else {
            panic!("{line}");
        };
        assert_eq!(shown, wanted, "{x:e}");
        // If two shortest texts are equally close, either must parse to the number.
        let back: f64 = full.parse().expect("a number in full");
        assert!(back.to_bits() == x.to_bits() || x.is_nan(), "{x:e}: {full}");
    }
}
