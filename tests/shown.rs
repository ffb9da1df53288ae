//! Labels of items of lists can be typed, and folding lists into rows is quick. `tests/screens/shown.txt` records lists as
//! people see them.

use crate::common::{Desk, Random};
use chainrule_session::Reader;

#[test]
fn labels_that_are_not_cut_read_back() {
    let mut random = Random(12_345);
    let mut tried = 0;
    for _ in 0..60 {
        let (size, rows) = (2 + random.below(12), 2 + random.below(4));
        let mut desk = Desk::with(&[
            format!("u = [(40k + 1)/8 for k in 1..{size}]; v = [cos(k) for k in 1..{size}];"),
            format!("W = [[sin(j*k) for k in 1..{size}] for j in 1..{rows}]; a, c = 0.75, -1.5;"),
            "f(p) = tanh(p)*a;".to_string(),
        ]);
        if random.below(3) == 0 {
            desk.line("s = dot(u, v); u = [k + 1 for k in u];");
        }
        let mut list = "u".to_string();
        for _ in 0..random.below(4) {
            let row = random.below(rows);
            let forms = [
                "relu(@)",
                "(@ + v)",
                "@*c",
                "f(@)",
                "(1 - @*v)",
                "@^2",
                "(@ + W[#])",
            ];
            let form = forms[random.below(7)].replace('#', &row.to_string());
            list = form.replace('@', &list);
        }
        if random.below(2) == 0 {
            desk.line(&format!("z = {list};"));
            list = "z".to_string();
        }
        let targets = [
            "sum(@)",
            "mean(@) + a",
            "dot(@, v)",
            "sum(relu(dot(W, @) + a))",
            "dot(dot(W, @), dot(W, v))",
            "max(@)*a",
        ];
        let target = targets[random.below(6)].replace('@', &list);
        desk.line(&format!("L = {target};"));
        desk.session.show.reader = Reader::Program;
        let answer = desk.answer(":grad L");
        for row in answer["rows"].as_array().expect("it has rows") {
            let label = row["node"]
                .as_str()
                .and_then(|label| label.split(" @").next());
            let label = label.expect("it is there");
            if !label.contains('…') {
                let value = &desk.answer(label)["data"];
                assert_eq!(*value, row["data"], "{label} of {target}");
                tried += 1;
            }
        }
    }
    assert!(tried > 1_000, "{tried}");
}

#[test]
fn folding_is_linear() {
    let mut desk = Desk::with(&["w = [k/2 for k in 1..40000]; L = sum(relu(1 - w*w));"]);
    let start = std::time::Instant::now();
    let screen = desk.screen(":grad L");
    assert!(
        screen.contains("40000") && screen.lines().count() < 10,
        "{screen}"
    );
    desk.screen(":vars");
    assert!(start.elapsed().as_secs() < 60, "{:?}", start.elapsed());
}
