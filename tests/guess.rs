//! `:guess`: wrong guesses do not reveal the truth, and the session is not changed. `tests/screens/guess.txt`
//! records how guesses are judged.

use crate::common::{Desk, target};

#[test]
fn a_wrong_guess_is_not_told_the_number() {
    // dy/da = 1234.5*cos(b*a)*b, whose digits cannot occur by accident.
    let lines = &["a, b = 0.3, 0.7", "u = sin(b*a)", "y = 1234.5*u"];
    let truth = 1234.5 * (0.7_f64 * 0.3).cos() * 0.7;
    let digits = format!("{truth:.2}");
    let digits = &digits[..4];
    let mut desk = Desk::with(lines);
    for guess in [
        "2",
        "-truth",
        "b",
        "1234.5",
        "1/truth",
        "cos(b*a)*b",
        "a",
        "nan",
        "inf",
        "truth + 1",
    ] {
        let guess = guess.replace("truth", &truth.to_string());
        for line in [
            format!(":guess a {guess}"),
            format!(":guess a {guess} of y"),
        ] {
            let screen = desk.screen(&line);
            let told = screen
                .replace(&line, "")
                .lines()
                .skip(1)
                .any(|line| line.contains(digits));
            assert!(!told, "{line}:\n{screen}");
            assert!(screen.starts_with("dy/da is not "), "{screen}");
        }
    }
    assert!(!desk.screen(":guess a ?").contains(digits));
}

#[test]
fn nothing_else_is_touched() {
    let mut desk = Desk::with(&["a, b, c, f = 2, -3, 10, -2", "L = (a*b + c)*f"]);
    for line in [":grad L", "7*a", ":walk L", ":next"] {
        desk.line(line);
    }
    let state = |desk: &Desk| {
        let session = &desk.session;
        let grads = session.pass().map(|pass| pass.grads().to_vec());
        let target = target(session).map(|node| node.id());
        let walk = session.walk().map(|walk| walk.position);
        let done = session.journal().undoable().count();
        (grads, target, walk, done, session.newest_id())
    };
    let before = state(&desk);
    for line in [
        ":guess a 6",
        ":guess a 5",
        ":guess a b*f + 0*sin(a)",
        ":guess a ?",
        ":guess a 3 of a*b*c",
        ":guess",
        ":guess a ? of a^2 + 1",
    ] {
        desk.line(line);
        assert_eq!(state(&desk), before, "{line}");
    }
    assert_eq!(desk.value("ans"), 14.0);
}

#[test]
fn large_graphs_are_judged_too() {
    let mut desk = Desk::with(&["x = 1", "y = x;"]);
    for _ in 0..1_000 {
        desk.line("y = y + y;");
    }
    // 2^1000 paths.
    assert_eq!(desk.answer(":guess x 2^1000")["right"], true);
    assert_eq!(desk.answer(":guess x 2^999")["slip"], "accumulation");
    let terms = vec!["x"; 5_000].join(" + ");
    let mut desk = Desk::with(&["x = 1", &format!("y = {terms}")]);
    assert_eq!(desk.answer(":guess x 5000")["right"], true);
    assert_eq!(desk.answer(":guess x 4999")["slip"], "path");
    desk.screen(":guess x ?");
}
