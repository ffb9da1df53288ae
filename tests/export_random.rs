//! `:export` of random programs with lists: each file is run at two points in its language, and value and gradient are
//! compared with those of the session.

use std::fmt::Write as _;
use std::process::Command;

use crate::common::browser::{find_tool, report_skip};
use crate::common::process::Folder;
use crate::common::{Desk, Random};
use crate::export_jax::python_with;

/// How many programs are run.
const PROGRAMS: usize = 300;
const IN_JAX: usize = 60;

/// The factor of the leaves for the second point.
const STRETCH: f64 = 1.1;

/// A random number or list of four, in brackets of this depth. Variables of loops are `t1`, `t2`, …
fn expression(random: &mut Random, list: bool, depth: usize, loops: usize) -> String {
    let mut part = |list, loops| match depth {
        0 => String::new(),
        _ => expression(random, list, depth - 1, loops),
    };
    let (number, one, other) = (part(false, loops), part(true, loops), part(true, loops));
    let inside = part(false, loops + 1);
    let t = format!("t{}", loops + 1);
    let pick = random.below(13);
    match (list, depth) {
        (false, 0) => match loops {
            1.. if pick < 5 => format!("t{}", 1 + random.below(loops)),
            _ => ["a", "b", "w[1]", "x[2]", "0.7"][random.below(5)].to_string(),
        },
        (true, 0) => ["w", "x", "W[1]", "[a, b, 0.3, a]", "(1..4)"][random.below(5)].to_string(),
        (false, _) => match pick {
            0 => format!("sum({one})"),
            1 => format!("mean(sin({one}))"),
            2 => format!("dot({one}, {other})/3"),
            3 => format!("max({one})"),
            4 => format!("sum({inside}*{t} for {t} in {one})"),
            5 => format!("prod(tanh({one}))"),
            6 => format!("logsumexp({one})"),
            7 => format!("hypot({number}, 1, a)"),
            8 => format!("sum(flat(W*{number}))"),
            9 => format!("sum(u*tanh(v) for u, v in zip({one}, {other}))"),
            10 => format!("std({one} + w*[1, 2, 3, 4])"),
            11 => format!("tanh(dot([r[0] for r in N], {one}) + [r[1] for r in N])[0]"),
            _ => format!("({number}*tanh({number}) - sin({number}))"),
        },
        (true, _) => match pick {
            0 => format!("tanh({one})"),
            1 => format!("({one}*{other})"),
            2 => format!("({one} - {number})"),
            3 => format!("[{inside} + {t} for {t} in {one}]"),
            4 => format!("dot(W, tanh({one}))"),
            5 => format!("softmax({one})"),
            6 => format!("sum(W*{number})"),
            7 => format!("max(0, {one})"),
            8 => format!("[sum(r*{one}) for r in W]"),
            9 => format!("[sum(u*{t} for u in r)/2 for r, {t} in zip(W, {one})]"),
            10 => format!("[w[k]*x[k] for k in range(4)]"),
            11 => format!("[1/k + a for k in x + 2]"),
            _ => format!("sqrt(1 + {one}^2)"),
        },
    }
}

/// A session with a program, and its gradient at both points: the value first.
pub struct Program {
    pub typed: String,
    /// The file.
    pub text: String,
    pub leaves: Vec<String>,
    pub points: Vec<Vec<f64>>,
    /// The numbers of all leaves at both points, the frozen ones included.
    pub at: Vec<Vec<(String, f64)>>,
}

pub fn program(seed: usize, ending: &str) -> Program {
    let mut random = Random(seed as u64 + 1);
    let mut desk = Desk::with(&[
        "a, b, w = 0.4, -0.7, [0.5, -0.25, 0.8, 0.35]",
        "const x = [0.3, 0.9, -0.6, 0.15]",
        "W = [[0.2, -0.4, 0.1, 0.3], [0.7, 0.3, -0.2, 0.6], [-0.5, 0.6, 0.9, 0.1], [0.8, 0.4, 0.5, -0.3]]",
        "N = [[[0.1, -0.8, 0.3, 0.6], 0.2]]",
    ]);
    let typed = format!(
        "L = {} + a*w[0]",
        expression(&mut random, false, 2 + seed % 2, 0)
    );
    desk.line("h = tanh(w*x) + a;");
    desk.line(&format!("{typed};"));
    let answer = desk.line(":export L y.py").remove(0);
    let text = desk.written_text(&format!(":export L model.{ending}"));
    let leaves = answer["leaves"].as_array().expect("it has leaves");
    let leaves: Vec<String> = leaves
        .iter()
        .filter_map(|it| Some(it.as_str()?.to_string()))
        .collect();
    let (mut points, mut at) = (Vec::new(), Vec::new());
    for point in 0..2 {
        if point == 1 {
            let sets: Vec<String> = leaves
                .iter()
                .map(|leaf| format!("{leaf} {:?}", desk.value(leaf) * STRETCH))
                .collect();
            desk.line(&format!(":set {};", sets.join(", ")));
        }
        desk.line(":grad L;");
        let grads = leaves
            .iter()
            .map(|leaf| desk.value(&format!("{leaf}.grad")));
        let grads: Vec<f64> = grads.collect();
        points.push([vec![desk.value("L")], grads].concat());
        let nodes = desk.session.names().named_nodes();
        let leaves = nodes.filter(|(_, node)| node.is_leaf());
        at.push(
            leaves
                .map(|(name, node)| (name.to_string(), node.data()))
                .collect(),
        );
    }
    Program {
        typed,
        text,
        leaves,
        points,
        at,
    }
}

/// Compares the numbers that programs printed, a line for each point, with those of the sessions.
fn compare(programs: &[Program], language: &str, printed: &str) {
    let mut failures = String::new();
    let mut lines = printed.lines();
    for (at, program) in programs.iter().enumerate() {
        for (point, wanted) in program.points.iter().enumerate() {
            let line = lines
                .next()
                .expect("each program prints a line for each point");
            let got: Vec<f64> = line
                .split_whitespace()
                .map(|it| it.parse().expect("a number"))
                .collect();
            assert_eq!(
                got.len(),
                wanted.len(),
                "{language} {at}: {}",
                program.typed
            );
            let size: f64 = wanted.iter().map(|number| number.abs()).sum();
            let fits = |(got, want): (&f64, &f64)| {
                (got - want).abs() <= 1e-12 * size || got.is_nan() && want.is_nan()
            };
            if !got.iter().zip(wanted).all(fits) {
                let _ = writeln!(
                    failures,
                    "{language} {at} point {point}: {}\n  {got:?}\n  {wanted:?}",
                    program.typed
                );
            }
        }
    }
    assert!(failures.is_empty(), "\n{failures}");
}

fn ran(command: &mut Command) -> String {
    let ran = command.output().expect("a program that was found runs");
    let complaint = String::from_utf8_lossy(&ran.stderr);
    assert!(ran.status.success(), "{complaint}");
    String::from_utf8_lossy(&ran.stdout).into_owned()
}

#[test]
fn random_programs_compute_the_same_in_python() {
    let Some(python) = find_tool("python3") else {
        return report_skip("exported Python", "python3");
    };
    let programs: Vec<Program> = (0..PROGRAMS).map(|at| program(at, "py")).collect();
    let folder = Folder::new();
    for (at, program) in programs.iter().enumerate() {
        folder.file(&format!("m{at}.py"), &program.text);
    }
    let code = format!(
        "import runpy\nfor i in range({PROGRAMS}):\n    m = runpy.run_path(f'm{{i}}.py')\n    for s in (1.0, {STRETCH}):\n        \
         value, grad = m['f']([s * x for x in m['x0']])\n        print(repr(value), *map(repr, grad))\n"
    );
    let printed = ran(Command::new(python)
        .args(["-c", &code])
        .current_dir(&folder.0));
    compare(&programs, "Python", &printed);
}

/// A call with arrays of two numbers, one for each point.
#[test]
fn random_programs_compute_the_same_in_numpy() {
    let Some(python) = python_with("numpy", "random programs in Python with NumPy") else {
        return;
    };
    let programs: Vec<Program> = (0..PROGRAMS).map(|at| program(at, "np.py")).collect();
    let folder = Folder::new();
    for (at, program) in programs.iter().enumerate() {
        folder.file(&format!("m{at}.py"), &program.text);
    }
    let code = format!(
        "import runpy, numpy as np\nfor i in range({PROGRAMS}):\n    m = runpy.run_path(f'm{{i}}.py')\n    \
         value, grad = m['f']([x * np.array([1.0, {STRETCH}]) for x in m['x0']])\n    \
         for row in np.transpose(np.broadcast_arrays(value, *grad)):\n        print(*map(repr, row.tolist()))\n"
    );
    let printed = ran(Command::new(python)
        .args(["-c", &code])
        .current_dir(&folder.0));
    compare(&programs, "NumPy", &printed);
}

#[test]
fn random_programs_compute_the_same_in_c() {
    let Some(compiler) = find_tool("cc") else {
        return report_skip("exported C", "cc");
    };
    let programs: Vec<Program> = (0..PROGRAMS).map(|at| program(at, "c")).collect();
    let folder = Folder::new();
    let main = "#include \"m.c\"\nint main(void) { double g[LEAVES], x[LEAVES]; for (int k = 0; k < 2; k++) { \
         for (int i = 0; i < LEAVES; i++) x[i] = k ? 1.1 * START[i] : START[i]; printf(\"%.17g\", f(x, g)); \
         for (int i = 0; i < LEAVES; i++) printf(\" %.17g\", g[i]); printf(\"\\n\"); } return NAMES[0] == 0; }\n";
    folder.file("main.c", main);
    let mut printed = String::new();
    for program in &programs {
        folder.file("m.c", &program.text);
        let mut compile = Command::new(&compiler);
        compile.args(["-std=c99", "-DNO_MAIN", "main.c", "-o", "main", "-lm"]);
        ran(compile.current_dir(&folder.0));
        printed += &ran(&mut Command::new(folder.0.join("main")));
    }
    compare(&programs, "C", &printed);
}

#[test]
fn random_programs_compute_the_same_in_jax() {
    let Some(python) = python_with("jax", "random programs in JAX") else {
        return;
    };
    let programs: Vec<Program> = (0..IN_JAX).map(|at| program(at, "jax.py")).collect();
    let folder = Folder::new();
    for (at, program) in programs.iter().enumerate() {
        folder.file(&format!("m{at}.py"), &program.text);
        folder.file(&format!("m{at}.txt"), program.leaves.join(" "));
    }
    let code = format!(
        "import runpy, jax, numpy as np\nfor i in range({IN_JAX}):\n    m = runpy.run_path(f'm{{i}}.py')\n    more = [m['data']] if 'data' in m else []\n    \
         for s in (1.0, {STRETCH}):\n        value, grad = m['value_and_grad'](jax.tree.map(lambda p: p * s, m['params']), *more)\n        \
         all = {{k + ''.join(f'[{{i}}]' for i in at): float(g) for k in grad for at, g in np.ndenumerate(grad[k])}}\n        \
         print(repr(float(value)), *(repr(all[name]) for name in open(f'm{{i}}.txt').read().split()))\n"
    );
    let mut command = Command::new(python);
    command.env("JAX_PLATFORMS", "cpu").args(["-c", &code]);
    let printed = ran(command.current_dir(&folder.0));
    compare(&programs, "JAX", &printed);
}
