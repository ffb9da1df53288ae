//! `:tree`: small trees compared with drawings by hand, JSON in the form of the blog post, and trees too large for a
//! screen.

use crate::common::Desk;
use chainrule::graph::structure::branches::{TreeLimits, branches};
use serde_json::{Value, json};

/// The graph of the first post.
const POST: &[&str] = &["a, b, c = 2, -3, 10"];

/// A literal, or a leaf that is used once.
fn leaf(value: f64) -> Value {
    json!({"value": value, "children": [], "operation": "none"})
}

/// The nested fields of an answer, with whole numbers as doubles.
fn nested(answer: &Value) -> Value {
    let fields = [
        "value",
        "children",
        "operation",
        "shared",
        "node",
        "id",
        "cut",
    ];
    let mut found = serde_json::Map::new();
    for field in fields {
        if let Some(value) = answer.get(field) {
            found.insert(field.to_string(), doubles(value));
        }
    }
    Value::Object(found)
}

/// Makes all numbers doubles, so that 2 and 2.0 compare as equal.
fn doubles(value: &Value) -> Value {
    match value {
        Value::Number(number) => json!(number.as_f64()),
        Value::Array(items) => items.iter().map(doubles).collect(),
        Value::Object(fields) => fields
            .iter()
            .map(|(key, value)| (key.clone(), doubles(value)))
            .collect(),
        other => other.clone(),
    }
}

fn tree(desk: &mut Desk, line: &str) -> Value {
    desk.line(line).pop().expect("it answers")
}

#[test]
fn json_is_that_of_the_post_in_operand_order() {
    let expected = json!({
        "value": 4.0,
        "children": [
            {"value": -6.0, "children": [leaf(2.0), leaf(-3.0)], "operation": "multiplication"},
            leaf(10.0),
        ],
        "operation": "addition",
    });
    let mut desk = Desk::with(POST);
    for line in [
        ":tree (a*b + c) json",
        ":tree a*b + c json",
        ":tree a*b + c",
    ] {
        let answer = tree(&mut desk, line);
        assert_eq!(
            (&answer["kind"], &answer["root"]),
            (&json!("tree"), &json!("a*b + c"))
        );
        assert_eq!(nested(&answer), expected, "{line}");
    }
    // At the prompt it is an object of its own, and nothing else is shown.
    let screen = desk.screen(":tree a*b + c json");
    let read: Value = serde_json::from_str(&screen).expect("it is JSON");
    assert_eq!(doubles(&read), expected);
    let post = "{
  \"value\": 4,
  \"children\": [
    {
      \"value\": -6,
      \"children\": [
        {
          \"value\": 2,
          \"children\": [],
          \"operation\": \"none\"
        },
        {
          \"value\": -3,
          \"children\": [],
          \"operation\": \"none\"
        }
      ],
      \"operation\": \"multiplication\"
    },
    {
      \"value\": 10,
      \"children\": [],
      \"operation\": \"none\"
    }
  ],
  \"operation\": \"addition\"
}
";
    assert_eq!(screen, post);
}

#[test]
fn a_shared_node_stands_in_full_once() {
    let mut desk = Desk::with(&["a = 3", "e = a*2", "L = e*e + a"]);
    let e = |below: Value, again: bool| {
        let mut node = json!({"value": 6.0, "children": below, "operation": "multiplication", "node": "e", "id": 3.0});
        if again {
            node["shared"] = json!(true);
        }
        node
    };
    let a = |again: bool| {
        let mut node = leaf(3.0);
        node["node"] = json!("a");
        node["id"] = json!(1.0);
        if again {
            node["shared"] = json!(true);
        }
        node
    };
    let expected = json!({
        "value": 39.0,
        "children": [
            {
                "value": 36.0,
                "children": [e(json!([a(false), leaf(2.0)]), false), e(json!([]), true)],
                "operation": "multiplication",
            },
            a(true),
        ],
        "operation": "addition",
    });
    assert_eq!(nested(&tree(&mut desk, ":tree L json")), expected);
    let screen = desk.screen(":tree L");
    let drawn = "  node         operation        data
  L            addition           39
  ├─ e*e       multiplication     36
  │  ├─ e      multiplication      6
  │  │  ├─ a   leaf                3
  │  │  └─ 2   constant            2
  │  └─ e      shared, above       6
  └─ a         shared, above       3
";
    assert_eq!(screen, drawn);
}

#[test]
fn the_lines_of_a_tree() {
    for (script, line, drawn) in [
        (
            "a = 2",
            ":tree",
            "of a\n  node   operation   data\n  a      leaf           2\n",
        ),
        (
            "const k = 2",
            ":tree k",
            "  node   operation   data\n  k      frozen         2\n",
        ),
        (
            "",
            ":tree 1 + 2",
            "  node    operation   data\n  1 + 2   addition       3\n  ├─ 1    constant       1\n  └─ 2    constant       2\n",
        ),
        (
            "a = 2; L = -a; a = 5;",
            ":tree L",
            "  node     operation   data\n  L        negation      -2\n  └─ a@1   leaf           2\n",
        ),
        (
            "a = 2; L = max(a, 2, pi)",
            ":tree L",
            "  node    operation      data\n  L       max         3.14159\n  ├─ a    leaf        2\n  ├─ 2    constant    2\n  └─ pi   constant    3.14159\n",
        ),
        (
            "x = -1; y = ln(x)",
            ":tree y",
            "  node   operation        data\n  y      ln          first NaN\n  └─ x   leaf               -1\n",
        ),
        (
            "a = 2; y = a*3 + a*3",
            ":tree y",
            "  node        operation        data\n  y           addition           12\n  ├─ a*3      multiplication      6\n  │  ├─ a     leaf                2\n  │  └─ 3     constant            3\n  └─ a*3 @5   multiplication      6\n     ├─ a     shared, above       2\n     └─ 3     constant            3\n",
        ),
    ] {
        let mut desk = Desk::default();
        desk.try_line(script);
        assert_eq!(desk.screen(line), drawn, "{script} {line}");
    }
}

#[test]
fn nan_and_infinity_are_strings_in_json() {
    let mut desk = Desk::with(&["x, z = -1, -0"]);
    let answer = tree(&mut desk, ":tree ln(x) + z json");
    assert_eq!(answer["value"], "NaN");
    assert_eq!(answer["children"][1]["value"], -0.0);
    assert_eq!(tree(&mut desk, ":tree 1/z")["value"], "-Infinity");
}

#[test]
fn nothing_is_changed() {
    let mut desk = Desk::with(&["a = 2", "L = a*a", ":grad L"]);
    let made = desk.session.made();
    desk.line(":tree tanh(a)*L");
    desk.line(":tree tanh(a)*L json");
    assert_eq!(desk.session.made(), made);
    assert_eq!(desk.grad("a"), 4.0);
}

#[test]
fn the_screen_ends_and_json_does_not() {
    let mut desk = Desk::with(&["x = 1", "y = x"]);
    for _ in 0..100 {
        desk.line("y = y + y;");
    }
    // A terminal of 80 columns has room for twelve levels.
    let screen = desk.screen(":tree y");
    assert!(
        screen.lines().all(|line| line.chars().count() <= 80),
        "{screen}"
    );
    assert!(screen.contains("└─ … "), "{screen}");
    assert!(
        screen.ends_with(
            "… 36 more rows: `:tree NODE` begins further below, `:tree T json` writes all\n"
        ),
        "{screen}"
    );
    // 101 nodes, all but one used twice; each use is an object, and the deepest are on one line.
    let nested = desk.screen(":tree y json");
    assert_eq!(nested.matches("\"value\"").count(), 201);
    assert_eq!(
        nested.matches("\"shared\": true").count() + nested.matches("\"shared\":true").count(),
        100
    );
    assert_eq!(nested.matches('{').count(), nested.matches('}').count());
    assert_eq!(nested.matches('[').count(), nested.matches(']').count());
    let deepest = nested
        .lines()
        .find(|line| line.contains("\"value\":"))
        .map(str::len);
    assert!(deepest.is_some());
    // A wide graph is cut at the setting `table-rows`.
    let sum: Vec<String> = (0..30).map(|leaf| format!("x{leaf}")).collect();
    let mut desk = Desk::default();
    desk.line(&format!(
        "{} = {}",
        sum.join(", "),
        vec!["1"; 30].join(", ")
    ));
    desk.line(&format!("m = max({})", sum.join(", ")));
    desk.line(":config table-rows 10");
    let screen = desk.screen(":tree m");
    assert_eq!(screen.lines().count(), 12, "{screen}");
    assert!(screen.contains("… 21 more rows"), "{screen}");
}

#[test]
fn a_deep_graph_is_no_trouble() {
    let sum = vec!["x"; 100_000].join(" + ");
    let mut desk = Desk::with(&["x = 1".to_string(), format!("y = {sum};")]);
    let screen = desk.screen(":tree y");
    assert!(screen.lines().count() < 100);
    let nested = desk.screen(":tree y json");
    // x occurs 100,000 times, once in full, and there are the sums between.
    assert_eq!(nested.matches("\"value\"").count(), 199_999);
    assert!(nested.len() < 20_000_000, "{}", nested.len());
}

#[test]
fn nested_below_the_deepest_line_it_is_drawn_where_there_is_room() {
    // e is first reached 70 levels down, where its operands are not shown, and again directly below the root.
    let mut desk = Desk::with(&["a, b = 2, 3", "e = a*b", "y = e"]);
    for _ in 0..64 {
        desk.line("y = -y;");
    }
    desk.line("L = y + e;");
    let mut out = String::new();
    let reply = desk
        .try_line(":tree L")
        .pop()
        .expect("it answers")
        .expect("it is right");
    let style = chainrule::view::Style::default();
    chainrule::view::report(&reply.report.expect("a report"), &style, &mut out);
    assert!(out.contains("\n  └─ e "), "{out}");
    assert!(out.contains("\n     ├─ a "), "{out}");
}

#[test]
fn plain_characters() {
    let mut desk = Desk::with(POST);
    let reply = desk
        .try_line(":tree a*b + c")
        .pop()
        .expect("it answers")
        .expect("it is right");
    let style = chainrule::view::Style {
        ascii: true,
        ..Default::default()
    };
    let mut out = String::new();
    chainrule::view::report(&reply.report.expect("a report"), &style, &mut out);
    assert!(out.is_ascii(), "{out}");
    assert!(
        out.contains("  |- a*b") && out.contains("  |  `- b") && out.contains("  `- c"),
        "{out}"
    );
}

/// If a node is first reached where its operands are not shown, they are shown where the node occurs again with room.
#[test]
fn what_is_cut_deep_down_stands_in_full_further_up() {
    let desk = Desk::with(&["x, y = 2, 3", "q = x*y", "p = q + y", "L = p*q"]);
    let node = |name: &str| desk.session.names().get(name).expect("it is bound");
    let seen = |lines: usize, depth: usize| {
        let (found, omitted) = branches(
            node("L"),
            TreeLimits {
                lines,
                depth,
                is_long: |_| false,
            },
        );
        let lines = found.iter().map(|branch| {
            let name = desk.session.names().of(branch.node).next().expect("named");
            format!(
                "{}{name}{}",
                " ".repeat(branch.depth),
                if branch.cut { "…" } else { "" }
            )
        });
        (lines.collect::<Vec<_>>().join("|"), omitted)
    };
    let all = "L| p|  q|   x|   y|  y| q";
    for (lines, depth, expected) in [
        (100, 9, (all, 0)),
        (100, 3, (all, 0)),
        (7, 9, (all, 0)),
        (100, 2, ("L| p|  q…|  y| q|  x|  y", 0)),
        (100, 1, ("L| p…| q…", 2)),
        (100, 0, ("L…", 4)),
        (4, 9, ("L| p|  q|   x", 1)),
        (2, 9, ("L| p", 3)),
    ] {
        let (text, omitted) = seen(lines, depth);
        assert_eq!(
            (text.as_str(), omitted),
            expected,
            "{lines} lines, {depth} deep"
        );
    }
}
