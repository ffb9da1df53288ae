//! Lists as people see them: on one line, as rows of tables, in labels and pictures. Programs get every node.

use crate::common::{Desk, number};
use serde_json::Value;

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
    desk.session.all_rows = true;
    let all = desk.line(":grad loss");
    let names: Vec<&str> = all[0]["rows"]
        .as_array()
        .expect("it is there")
        .iter()
        .filter_map(|row| row["node"].as_str())
        .collect();
    assert!(
        names.contains(&"W1[2][1]") && names.contains(&"score[12]"),
        "{names:?}"
    );
}

#[test]
fn commands_that_list_nodes_fold() {
    let mut desk = network();
    desk.screen(":grad loss");
    for (command, most) in [
        (":vars", 20),
        (":topo loss", 40),
        (":set w2[2] 0.25", 40),
        (":backward loss", 40),
        (":wrong overwrite", 60),
    ] {
        let screen = desk.screen(command);
        let lines = screen.lines().count();
        assert!(lines < most && lines > 5, "{command}: {lines}\n{screen}");
        // The sentence below the table of `:wrong` is one line, as ever.
        let mut table = screen.lines().take_while(|line| !line.contains(" got "));
        assert!(
            table.all(|line| line.chars().count() <= 80),
            "{command}\n{screen}"
        );
    }
    let vars = desk.screen(":vars");
    assert!(
        words(&vars)[9][..2] == ["params", "40"] && vars.contains("10 × 2"),
        "{vars}"
    );
    assert_eq!(desk.screen(":freeze W1"), "frozen: W1 (10 × 2)\n");
    // The grads of all of W1 move with its first row.
    let set = desk.screen(":set W1[1] 0.125");
    let rows = words(&set);
    let of_w1 = |row: &&Vec<&str>| row.first().is_some_and(|name| name.starts_with("W1"));
    assert!(
        rows.iter()
            .any(|row| row[..4.min(row.len())] == ["W1", "10", "×", "2"]),
        "{set}"
    );
    assert!(
        rows.iter().filter(of_w1).all(|row| !row[0].contains('[')),
        "{set}"
    );
}

/// The labels of all nodes of a graph.
fn labels(desk: &mut Desk, target: &str) -> Vec<String> {
    desk.session.all_rows = true;
    let rows = desk.line(&format!(":grad {target}"));
    let label = |row: &Value| row["node"].as_str().expect("it is there").to_string();
    rows[0]["rows"]
        .as_array()
        .expect("it is there")
        .iter()
        .map(label)
        .collect()
}

#[test]
fn labels_name_lists() {
    let mut desk = network();
    let all = labels(&mut desk, "loss");
    for wanted in [
        "mean(relu(1 - y*score))",
        "sum(relu(1 - y*score))",
        "sum(params^2)",
        "dot(W1[3], [x1[2], x2[2]])",
    ] {
        assert!(all.iter().any(|label| label == wanted), "{wanted}: {all:?}");
    }
    assert!(
        all.iter().all(|label| label.chars().count() <= 80),
        "{all:?}"
    );
}

#[test]
fn labels_that_are_not_cut_read_back() {
    let mut seed = 12_345_u64;
    let mut next = move |below: u64| {
        seed = seed
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) % below
    };
    let mut tried = 0;
    for _ in 0..60 {
        let size = 2 + next(12);
        let mut desk = Desk::default();
        let rows = 2 + next(4);
        desk.line(&format!("u = [(k*37 % 11 + 1)/8 for k in 1..{size}]; v = [cos(k) for k in 1..{size}]; a, c = 0.75, -1.5;").replace('%', "+ 3*"));
        desk.line(&format!(
            "W = [[sin(j*k) for k in 1..{size}] for j in 1..{rows}]; f(p) = tanh(p)*a;"
        ));
        if next(3) == 0 {
            desk.line("s = dot(u, v); u = [k + 1 for k in u];");
        }
        let mut list = "u".to_string();
        for _ in 0..next(4) {
            list = match next(7) {
                0 => format!("relu({list})"),
                1 => format!("({list} + v)"),
                2 => format!("{list}*c"),
                3 => format!("f({list})"),
                4 => format!("(1 - {list}*v)"),
                5 => format!("{list}^2"),
                _ => format!("({list} + W[{}])", 1 + next(rows)),
            };
        }
        if next(2) == 0 {
            desk.line(&format!("z = {list};"));
            list = "z".to_string();
        }
        let target = match next(6) {
            0 => format!("sum({list})"),
            1 => format!("mean({list}) + a"),
            2 => format!("dot({list}, v)"),
            3 => format!("sum(relu(dot(W, {list}) + a))"),
            4 => format!("dot(dot(W, {list}), dot(W, v))"),
            _ => format!("max({list})*a"),
        };
        desk.line(&format!("L = {target};"));
        desk.session.all_rows = true;
        let rows = desk.line(":grad L");
        for row in rows[0]["rows"].as_array().expect("it is there") {
            let label = row["node"].as_str().expect("it is there");
            let label = label.split(" @").next().expect("it is there");
            if label.contains('…') {
                continue;
            }
            let value = desk.line(label)[0]["data"].clone();
            assert!(
                value == row["data"],
                "{label} of {target}: {value} {}",
                row["data"]
            );
            tried += 1;
        }
    }
    assert!(tried > 1_000, "{tried}");
}

#[test]
fn a_long_list_is_one_box() {
    let mut desk = network();
    desk.line(":grad loss;");
    let screen = desk.screen(":graph sum(W1[1]^2) + sum(w2^2)");
    assert!(
        screen.contains("w2 10") && !screen.contains("w2[3]"),
        "{screen}"
    );
    assert!(screen.contains("W1[1][2]"), "{screen}");
    assert!(
        screen
            .lines()
            .any(|line| line.contains("data") && line.contains('…')),
        "{screen}"
    );
    desk.session.all_rows = true;
    let json = desk.line(":graph loss");
    let nodes = json[0]["nodes"].as_array().expect("it is there").len();
    let edges = json[0]["edges"].as_array().expect("it is there").len();
    assert!(nodes > 500 && edges > nodes, "{nodes} {edges}");
}

#[test]
fn a_list_whose_items_depend_on_one_another_is_no_box() {
    let mut lines = vec!["w = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9]; h0 = 1;".to_string()];
    lines.extend((1..=9).map(|at| format!("h{at} = tanh(h{} + w[{at}]);", at - 1)));
    lines.push("h = [h1, h2, h3, h4, h5, h6, h7, h8, h9];".to_string());
    lines.extend((1..=9).map(|at| format!(":del h{at};")));
    let mut desk = Desk::with(&lines);
    let screen = desk.screen(":graph h[9]*2");
    assert!(!screen.is_empty() && !screen.contains("h 9"), "{screen}");
    assert!(screen.contains("h[9]"), "{screen}");
}

#[test]
fn everything_about_a_network_fits_a_window() {
    let mut desk = network();
    for line in [
        ":grad loss",
        ":explain W1[1][2] of loss",
        ":walk loss",
        ":next 3",
        ":next 30",
        ":tree loss",
        ":topo loss",
        ":nudge w2[2]",
        ":guess",
        ":graph loss",
        "W1",
        "score",
    ] {
        let screen = desk.screen(line);
        let long = screen.lines().find(|line| line.chars().count() > 80);
        assert_eq!(long, None, "{line}\n{screen}");
        assert!(screen.lines().count() < 400, "{line}\n{screen}");
    }
    let tree = desk.screen(":tree loss");
    assert!(tree.contains("… 10 more"), "{tree}");
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
