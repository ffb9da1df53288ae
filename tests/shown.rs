//! Lists as people see them: on one line, as rows of tables, in labels and pictures. Programs get every node.

use crate::common::{Desk, Random, number};

/// A network of 2, 10 and 1 neurons, and its loss over 12 points.
fn network() -> Desk {
    let list = |count: usize, seed: u64| -> String {
        let number = |at: usize| ((at as u64 * 7919 + seed * 104_729) % 199) as f64 / 100.0 - 0.99;
        let numbers: Vec<String> = (0..count).map(|at| format!("{:.2}", number(at))).collect();
        format!("[{}]", numbers.join(", "))
    };
    let rows = |count: usize, of: usize, seed: u64| -> String {
        let rows: Vec<String> = (0..count).map(|row| list(of, seed + row as u64)).collect();
        format!("[{}]", rows.join(", "))
    };
    let lines = [
        format!("W1 = {}; b1 = {};", rows(10, 2, 1), list(10, 50)),
        format!("w2 = {}; b2 = 0.5;", list(10, 60)),
        "net(x) = dot(w2, relu(dot(W1, x) + b1)) + b2;".to_string(),
        format!("const x1 = {}; const x2 = {};", list(12, 70), list(12, 80)),
        format!("const y = {};", list(12, 90)),
        "score = [net(p) for p in zip(x1, x2)];".to_string(),
        "params = flat([W1, b1, w2]);".to_string(),
        "loss = mean(relu(1 - y*score)) + 0.01*sum(params^2);".to_string(),
    ];
    Desk::with(&lines)
}

/// The words of each line.
fn words(screen: &str) -> Vec<Vec<&str>> {
    screen
        .lines()
        .map(|line| line.split_whitespace().collect())
        .collect()
}

#[test]
fn a_long_list_is_one_row_of_a_table() {
    let mut desk = network();
    let screen = desk.screen(":grad loss");
    let rows = words(&screen);
    let row = |name: &str| {
        let found: Vec<_> = rows
            .iter()
            .filter(|row| row.first() == Some(&name))
            .collect();
        assert_eq!(found.len(), 1, "{name}\n{screen}");
        found[0].clone()
    };
    let range = |desk: &mut Desk, name: &str, of: &str| {
        let values = desk.line(&format!("flat([{name}{of}])"));
        let values: Vec<f64> = values[0]["data"]
            .as_array()
            .expect("it is there")
            .iter()
            .map(number)
            .collect();
        let least = values.iter().copied().fold(f64::INFINITY, f64::min);
        let most = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        (least, most)
    };
    for name in ["W1", "b1", "w2", "x1", "x2", "y", "score"] {
        let row = row(name);
        let shown: Vec<f64> = row.iter().filter_map(|word| word.parse().ok()).collect();
        let (data, grad) = (
            range(&mut desk, name, ".data"),
            range(&mut desk, name, ".grad"),
        );
        let near = |shown: f64, value: f64| (shown - value).abs() <= 1e-5 * value.abs() + 1e-12;
        let at = shown.len() - 4;
        for (shown, value) in shown[at..].iter().zip([data.0, data.1, grad.0, grad.1]) {
            assert!(near(*shown, value), "{name}: {shown} {value}\n{screen}");
        }
    }
    assert!(
        screen.lines().all(|line| line.chars().count() <= 80),
        "{screen}"
    );
    assert!(rows.len() < 40, "{screen}");
    assert!(screen.contains("1 - y*score "), "{screen}");
    // `wrt` unfolds, and programs get a row for each node.
    assert_eq!(desk.screen(":grad loss wrt W1").lines().count(), 21);
    desk.session.show.shows_all_rows = true;
    let all = desk.line(":grad loss");
    let names: Vec<&str> = all[0]["rows"]
        .as_array()
        .expect("it is there")
        .iter()
        .filter_map(|row| row["node"].as_str())
        .collect();
    assert!(
        names.contains(&"W1[1][0]") && names.contains(&"score[11]"),
        "{names:?}"
    );
}

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
        desk.session.show.shows_all_rows = true;
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
fn a_list_whose_items_depend_on_one_another_is_no_box() {
    let mut lines = vec!["w = [0.1*k for k in 1..9]; h0 = 1;".to_string()];
    lines.extend(
        (1..=9).map(|at| format!("h{at} = tanh(h{before} + w[{before}]);", before = at - 1)),
    );
    lines.push("h = [h1, h2, h3, h4, h5, h6, h7, h8, h9];".to_string());
    lines.extend((1..=9).map(|at| format!(":del h{at};")));
    let screen = Desk::with(&lines).screen(":graph h[8]*2");
    assert!(
        screen.contains("h[8]") && !screen.contains("h 9"),
        "{screen}"
    );
}

#[test]
fn folding_is_linear() {
    let mut desk = Desk::with(&["w = [k/2 for k in 1..200000]; L = sum(relu(1 - w*w));"]);
    let start = std::time::Instant::now();
    let screen = desk.screen(":grad L");
    assert!(
        screen.contains("200000") && screen.lines().count() < 10,
        "{screen}"
    );
    desk.screen(":vars");
    assert!(start.elapsed().as_secs() < 60, "{:?}", start.elapsed());
}
