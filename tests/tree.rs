//! `:tree` of large and deep graphs. `tests/screens/trees.txt` has small trees.

use crate::common::Desk;
use chainrule_engine::graph::structure::tree_rows::{TreeLimits, tree_rows};
use chainrule_session::Reader;
use chainrule_view::Style;

#[test]
fn the_screen_ends_and_json_does_not() {
    let mut desk = Desk::with(&["x = 1; y = x;", &"y = y + y;".repeat(100)]);
    // A terminal of 80 columns has room for twelve levels.
    let screen = desk.screen(":tree y");
    assert!(
        screen.lines().all(|line| line.chars().count() <= 80),
        "{screen}"
    );
    assert!(screen.contains("└─ … "), "{screen}");
    let end = "… 36 more rows: `:tree NODE` begins further below, `--json` writes all\n";
    assert!(screen.ends_with(end), "{screen}");
    // 101 nodes, all but one used twice; each use is an object.
    desk.session.show.reader = Reader::Program;
    let nested = desk.json(":tree y");
    let count = |part: &str| nested.matches(part).count();
    assert_eq!((count("\"value\""), count("\"shared\":true")), (201, 100));
    assert_eq!((count("{"), count("[")), (count("}"), count("]")));
}

#[test]
fn a_deep_graph_is_no_trouble() {
    let sum = vec!["x"; 100_000].join(" + ");
    let mut desk = Desk::with(&[format!("x = 1; y = {sum};")]);
    assert!(desk.screen(":tree y").lines().count() < 100);
    // JSON ends where no reader would follow: 501 levels, each but the last with an x beside the next.
    desk.session.show.reader = Reader::Program;
    let nested = desk.json(":tree y");
    let count = |part: &str| nested.matches(part).count();
    assert_eq!((count("\"value\""), count("\"cut\":true")), (501 + 500, 1));
}

/// If the tree reaches a node first at a depth without room for its operands, a later occurrence with room shows them.
#[test]
fn what_is_cut_deep_down_stands_in_full_further_up() {
    // e is first reached 70 levels down, and again directly below the root.
    let deep = "y = -y;".repeat(64);
    let mut desk = Desk::with(&[format!("a, b = 2, 3; e = a*b; y = e; {deep} L = y + e;")]);
    let out = desk.answer_text(":tree L", &Style::default());
    assert!(
        out.contains("\n  └─ e ") && out.contains("\n     ├─ a "),
        "{out}"
    );
    let desk = Desk::with(&["x, y = 2, 3", "q = x*y", "p = q + y", "L = p*q"]);
    let names = desk.session.names();
    let root = names.find_node("L").expect("it is bound");
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
        let limits = TreeLimits {
            lines,
            depth,
            is_long: |_| false,
        };
        let (found, omitted) = tree_rows(root, limits);
        let rows = found.iter().map(|branch| {
            let name = names.texts_of_node(branch.node).next().expect("named");
            let cut = if branch.is_cut { "…" } else { "" };
            format!("{}{name}{cut}", " ".repeat(branch.depth))
        });
        let text = rows.collect::<Vec<_>>().join("|");
        assert_eq!((&*text, omitted), expected, "{lines} lines, {depth} deep");
    }
}
