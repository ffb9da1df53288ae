//! Training loops as a notebook types them, compared with the same loops in Python: with micrograd, and with `PyTorch` on one
//! thread. They build their graph anew in every round.
//!
//! Columns of a library that `python3` cannot import stay empty: `pip install micrograd torch`. Processor time is read from
//! `/proc`, so there are no figures on systems other than Linux. `cargo bench --bench loops`

// Like a test, a benchmark is read from top to bottom.
#![allow(clippy::shadow_unrelated, clippy::too_many_lines)]

mod common;

use std::io::Write as _;
use std::process::{Command, Stdio};

use common::peer::{python, source};
use common::process::{has_figures, least};
use common::{Random, row, table};

/// 200 points of 8 numbers, summed with their weights in a loop.
const PLAIN: &str = "\
for k in range(ROUNDS):
    loss = 0
    for x in xs:
        act = 0
        for wi, xi in zip(w, x):
            act = act + wi*xi
        loss = loss + (act - 1)**2
    for p in w:
        p.grad = 0
    loss.backward()
    for p in w:
        p.data -= 0.0001*p.grad

";

/// A chain of 300 sums.
const CHAIN: &str = "\
for k in range(ROUNDS):
    y = 1
    for i in range(300):
        y = y*0.999 + a*0.01
    a.grad = 0
    y.backward()
    a.data -= 0.1*a.grad

";

/// The demo of micrograd on 100 points.
const DEMO: &str = "\
for k in range(ROUNDS):
    ypred = [n(x) for x in xs]
    loss = sum([(yout - ygt)**2 for ygt, yout in zip(ys, ypred)])
    n.zero_grad()
    loss.backward()
    for p in n.parameters():
        p.data += -0.0001*p.grad

";

/// A loop in the calculator and in Python.
struct Loop {
    name: &'static str,
    /// Its name in `benches/peers/loops.py`.
    key: &'static str,
    /// Lines of both languages that give it its data.
    data: String,
    /// Lines of the calculator before the loop.
    before: &'static str,
    text: &'static str,
    /// The rounds of a short run and of a long one.
    rounds: [usize; 2],
    /// How many times faster than micrograd it should be.
    wanted: f64,
}

fn main() {
    if !has_figures() {
        return table("loops: needs Linux", &[]);
    }
    let mut random = Random(7);
    let mut rows_of = |count: usize, width: usize| {
        let mut numbers = || -> Vec<f64> { (0..width).map(|_| rounded(random.unit())).collect() };
        let rows: Vec<Vec<f64>> = (0..count).map(|_| numbers()).collect();
        rows
    };
    let loops = [
        Loop {
            name: "200 points, 8 weights",
            key: "plain",
            data: format!("w = {:?}\nxs = {:?}\n", rows_of(1, 8)[0], rows_of(200, 8)),
            before: "",
            text: PLAIN,
            rounds: [10, 110],
            wanted: 20.0,
        },
        Loop {
            name: "a chain of 300",
            key: "chain",
            data: String::new(),
            before: "a = 0.5\n",
            text: CHAIN,
            rounds: [50, 550],
            wanted: 20.0,
        },
        Loop {
            name: "micrograd's demo",
            key: "demo",
            data: format!(
                "xs = {:?}\nys = {:?}\n",
                rows_of(100, 2),
                rows_of(1, 100)[0]
                    .iter()
                    .map(|y| if *y > 0.0 { 1 } else { -1 })
                    .collect::<Vec<_>>()
            ),
            before: "from micrograd.nn import MLP\nn = MLP(2, [16, 16, 1])\n",
            text: DEMO,
            rounds: [5, 45],
            wanted: 120.0,
        },
    ];
    let mut rows = vec![row([
        "",
        "ms a round",
        "micrograd",
        "times",
        "wanted",
        "PyTorch",
        "times",
    ])];
    for it in loops {
        let own = milliseconds(&it);
        let times =
            |other: Option<f64>| other.map_or_else(String::new, |ms| format!("{:.1}", ms / own));
        let shown = |other: Option<f64>| other.map_or_else(String::new, |ms| format!("{ms:.2}"));
        let [micrograd, torch] = ["micrograd", "torch"].map(|library| in_python(library, &it));
        rows.push(vec![
            it.name.to_string(),
            format!("{own:.3}"),
            shown(micrograd),
            times(micrograd),
            format!("{}", it.wanted),
            shown(torch),
            times(torch),
        ]);
    }
    table("loops as typed", &rows);
}

/// A number from -1 to 1 with few digits.
fn rounded(unit: f64) -> f64 {
    (2000.0 * unit - 1000.0).round() / 1000.0
}

/// The milliseconds of a round: the difference between a long run and a short one.
fn milliseconds(it: &Loop) -> f64 {
    let [short, long] = it.rounds.map(|rounds| {
        let script = it.text.replace("ROUNDS", &rounds.to_string());
        let input = format!("{}{}{script}", it.before, it.data);
        let cost = least(
            5,
            &mut Command::new(env!("CARGO_BIN_EXE_chainrule")),
            &input,
        );
        cost.time as f64 / 1e6
    });
    (long - short) / (it.rounds[1] - it.rounds[0]) as f64
}

/// The milliseconds of a round in Python; `None` without the library.
fn in_python(library: &str, it: &Loop) -> Option<f64> {
    let mut child = Command::new(python()?)
        .args([&source("loops.py"), library, it.key])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .ok()?;
    // Without the library it ends before it reads.
    let _ = child.stdin.take()?.write_all(it.data.as_bytes());
    let output = child.wait_with_output().ok()?;
    String::from_utf8(output.stdout).ok()?.trim().parse().ok()
}
