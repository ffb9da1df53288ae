//! `:tree` of large and deep graphs. Small trees stand in `tests/screens/trees.txt`.

use crate::common::Desk;
use chainrule_engine::graph::structure::tree_rows::{TreeLimits, tree_rows};

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
    // 101 nodes, all but one used twice; each use is an object.
    let nested = desk.screen(":tree y json");
    assert_eq!(nested.matches("\"value\"").count(), 201);
    assert_eq!(nested.matches("\"shared\": true").count(), 100);
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
    // JSON ends where no reader would follow: 501 levels, each but the last with an x beside the next.
    assert_eq!(nested.matches("\"value\"").count(), 501 + 500);
    assert_eq!(nested.matches("\"cut\": true").count(), 1);
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
    let style = chainrule_view::Style::default();
    chainrule_view::report(&reply.report.expect("a report"), &style, &mut out);
    assert!(out.contains("\n  └─ e "), "{out}");
    assert!(out.contains("\n     ├─ a "), "{out}");
}

/// If a node is first reached where its operands are not shown, they are shown where the node occurs again with room.
#[test]
fn what_is_cut_deep_down_stands_in_full_further_up() {
    let desk = Desk::with(&["x, y = 2, 3", "q = x*y", "p = q + y", "L = p*q"]);
    let node = |name: &str| desk.session.names().find_node(name).expect("it is bound");
    let seen = |lines: usize, depth: usize| {
        let (found, omitted) = tree_rows(
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
