//! `:export` to JAX: tests look for the expected arrays and functions in the files. If JAX is installed, it runs all files
//! of a test in one process, and the results equal the session's own pass to 1e-12. scipy takes exported Python.

use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

use chainrule_engine::ops::TABLE;

use crate::common::browser::{find_tool, say_skipped};
use crate::common::process::Folder;
use crate::common::{Desk, Random, called, close, is_refused, points};

/// Python with a module: the one that the variable `PYTHON` names, that of `.ci/run`, or the first of `PATH`. Machines
/// may be without it also where `CI` is set, so the tests are only skipped.
pub fn python_with(module: &str, test: &str) -> Option<PathBuf> {
    let own = concat!(env!("CARGO_MANIFEST_DIR"), "/target/python/bin/python");
    let named = std::env::var_os("PYTHON").map(PathBuf::from);
    let all = [named, Some(PathBuf::from(own)), find_tool("python3")];
    let has = |python: &PathBuf| {
        let mut command = Command::new(python);
        let spec = format!("import importlib.util as u; exit(u.find_spec('{module}') is None)");
        command
            .args(["-c", &spec])
            .output()
            .is_ok_and(|ran| ran.status.success())
    };
    let python = all.into_iter().flatten().find(has);
    if python.is_none() {
        say_skipped(
            test,
            &format!("Python with {module} (PYTHON=PATH names one)"),
        );
    }
    python
}

/// A session, its exported targets, and the file.
struct Model {
    desk: Desk,
    target: String,
    text: String,
    about: Box<dyn Fn(&str) -> String>,
}

fn model_of(mut desk: Desk, target: &str) -> Model {
    let text = desk.written_text(&format!(":export {target} model.jax.py"));
    Model {
        desk,
        target: target.to_string(),
        text,
        about: Box::new(|_| String::new()),
    }
}

/// Runs all files in one process, and compares their output with passes of the sessions.
fn same_as_passes(models: &mut [Model], test: &str) {
    let Some(python) = python_with("jax", test) else {
        return;
    };
    let folder = Folder::new();
    for (at, model) in models.iter().enumerate() {
        folder.file(&format!("m{at}.py"), &model.text);
    }
    let code = format!(
        "import runpy\nfor i in range({}):\n    print('model', i)\n    runpy.run_path(f'm{{i}}.py', run_name='__main__')\n",
        models.len()
    );
    let mut command = Command::new(python);
    command.env("JAX_PLATFORMS", "cpu").args(["-c", &code]);
    command.env("XLA_FLAGS", "--xla_force_host_platform_device_count=4");
    let ran = command
        .current_dir(&folder.0)
        .output()
        .expect("Python runs");
    let complaint = String::from_utf8_lossy(&ran.stderr);
    let printed = String::from_utf8_lossy(&ran.stdout);
    assert!(ran.status.success(), "{printed}{complaint}");
    let mut failures = String::new();
    let mut parts = printed.split("model ").skip(1);
    for (at, model) in models.iter_mut().enumerate() {
        let part = parts.next().expect("each model prints something");
        let mut lines = part.lines().skip(1).map(|line| {
            let (name, number) = line.rsplit_once(' ').expect("a name and a number");
            (name, number.parse::<f64>().expect("a number"))
        });
        model.desk.line(&format!(":grad {};", model.target));
        let mut compare = |name: &str, got: f64, want: f64| {
            let same = got == want || got.is_nan() && want.is_nan();
            if !same && !close(got, want, 1e-12, 1e-14) {
                let about = (model.about)(name);
                let _ = writeln!(failures, "{at}: {name} {about}: {got:e}, not {want:e}");
            }
        };
        let (_, value) = lines.next().expect("the value comes first");
        compare(&model.target, value, model.desk.value(&model.target));
        let mut names: Vec<&str> = Vec::new();
        for (name, got) in lines {
            compare(name, got, model.desk.value(&format!("{name}.grad")));
            names.push(name);
        }
        let answer = model
            .desk
            .line(&format!(":export {} model.jax.py", model.target));
        let mut leaves: Vec<&str> = answer[0]["leaves"]
            .as_array()
            .map(|leaves| leaves.iter().filter_map(|leaf| leaf.as_str()).collect())
            .unwrap_or_default();
        leaves.sort_unstable();
        names.sort_unstable();
        assert_eq!(names, leaves, "model {at}");
    }
    assert!(failures.is_empty(), "\n{failures}");
}

/// micrograd's demo, with the points as `:data` would read them.
fn moons() -> Model {
    let table = fs::read_to_string("examples/moons.csv").expect("the points");
    let mut columns = [const { Vec::new() }; 3];
    for row in table.lines().skip(1) {
        for (column, cell) in columns.iter_mut().zip(row.split(',')) {
            column.push(cell.trim().to_string());
        }
    }
    let mut desk = Desk::default();
    let script = fs::read_to_string("examples/moons.calc").expect("the example");
    for line in script
        .lines()
        .take_while(|line| !line.starts_with("accuracy"))
    {
        if line.starts_with(":data") {
            for (name, column) in ["x1", "x2", "y"].iter().zip(&columns) {
                desk.line(&format!("const {name} = [{}];", column.join(", ")));
            }
        } else {
            desk.line(line);
        }
    }
    model_of(desk, "loss")
}

#[test]
fn the_moons_are_one_mapped_term() {
    let model = moons();
    let text = &model.text;
    assert_eq!(text.matches("jax.vmap(").count(), 1, "{text}");
    for part in [
        "jax.value_and_grad",
        "jax.jit",
        "\"jax_enable_x64\", True",
        "jax.nn.relu(jnp.dot(W1, jnp.array([x1_, x2_])) + b1)",
        "    score = jax.vmap(term)(x1, x2)\n",
        "jnp.sum(jax.nn.relu(1.0 - y * score)) / 100.0",
        "# data |= ",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let code = text.split("\ndef ").skip(1).flat_map(str::lines).count();
    assert!(code < 40, "arrays, no numbers one by one: {text}");
    // The lines that the file has for several devices, with four of them.
    let lines = text.split_inclusive('\n').map(|line| {
        let taken = ["# from jax.sharding", "# shares = ", "# data |= "];
        let is_taken = taken.iter().any(|begin| line.starts_with(begin));
        line.strip_prefix("# ").filter(|_| is_taken).unwrap_or(line)
    });
    let sharded = Model {
        desk: moons().desk,
        target: model.target.clone(),
        text: lines.collect(),
        about: Box::new(|_| String::new()),
    };
    assert!(sharded.text.contains("\ndata |= "), "{}", sharded.text);
    same_as_passes(&mut [model, sharded], "the exported moons");
}

#[test]
fn a_loop_over_zipped_lists_takes_them_side_by_side() {
    let desk = Desk::with(&[
        "w = [1, 2]",
        "const x, y = [1, 2], [3, 5]",
        "L = sum((w[0]*p + w[1] - q)^2 for p, q in zip(x, y))",
    ]);
    let text = model_of(desk, "L").text;
    assert!(text.contains("def term(x_, y_):"), "{text}");
    assert!(text.contains("jax.vmap(term)(x, y)"), "{text}");
}

#[test]
fn models_of_all_shapes_are_exported() {
    let sessions = [
        // Least squares, with and without intermediate lists.
        "a, b, c = 0.5, -1, 0.3; POINTS; \
         L = sum((y[k] - (a + b*x[k] + c*exp(-x[k])))^2 for k in range(4))",
        "a, b = 0.5, -1; POINTS; pred = [a + b*tanh(t) for t in x]; r = y - pred; \
         L = mean(r^2) + 0.1*max(abs(r)) + sum(r)^2/4",
        // A hinge, a penalty, and one term left over.
        "w, b, alpha = [0.5, -1], 0.2, 0.1; POINTS; z = [w[0]*p + w[1]*p^2 + b for p in x]; \
         L = mean(max(0, 1 - y*z)) + alpha*sum(w^2)",
        "a, b = 0.5, 0.7; POINTS; \
         L = sum(sin(a*x[0]) + b, sin(a*x[1]) + b, exp(b*y[0])*2, exp(b*y[1])*2, sqrt(a), sin(a*x[2]) + b)",
        // Sums in sums, polynomials, rows of a table.
        "c = [0.1, -0.2, 0.3]; POINTS; \
         L = sum((y[k] - sum(c[j]*x[k]^j for j in range(3)))^2 for k in range(4))",
        "W, b = [[0.1, 0.2, -0.3], [0.4, 0.5, 0.6]], [0.1, -0.1]; \
         const X = [[1, 2, 3], [0.5, -1, 0.2], [-0.3, 0.1, 0.7], [2, 1, 0]]; \
         h = [tanh(dot(W, r) + b) for r in X]; \
         L = sum(softplus(sum(v)) - 0.5*sum(v^2) for v in h)",
        // Equal terms.
        "a, b = 0.4, 0.7; POINTS; \
         L = prod(cos(a - b) for k in 1..4) + sum(a + b for k in 1..3) + mean(sin(a*mean(x)) for k in 1..4)",
        // A part that all terms share, and an operand of another term.
        "a = 0.3; POINTS; s = exp(sin(a)) + a^2; \
         L = sum((y[k] - s*x[k])^2 + s/(1 + x[k]^2) for k in range(4))/s",
        "a = 0.3; x1 = tanh(a) + 1; x2 = tanh(x1) + 1; x3 = tanh(x2) + 1; L = sum([x1, x2, x3]^2)",
        // Neighbours of a list.
        "v = [1, 2, 4, 7, 11]; L = sum((v[k + 1] - v[k])^2 for k in range(4)) + v[2]*v[0]",
        // A chain of `+`, constants, no data.
        "p, q = 2, 3; L = (p - 1.5)^2*q + (p - 2.5)^2*q + (p - 3.5)^2*q + sin(q)",
        "x, y = -1.2, 1; L = (1 - x)^2 + 100(y - x^2)^2",
        "L = 2",
        // One term twice, equal terms, leaves of both kinds in a list.
        "w = [0.5, 0.7, 0.9]; const k = 3; u = [w[0], k, w[2]]; t = sin(w[1])*2; \
         L = sum(t, t, t, exp(w[0])) + sum(u^2*3) + prod(w) + hypot(w[0], k, w[1]) + min(w)",
        "w = [0.5, 0.7, 0.9]; :freeze w[1]; L = sum(w[k]^2*exp(w[k]) for k in range(3))",
        // Words of the language.
        "lambda, jnp, x, f, params, data, jax, term = 0.5, 1.5, 0.3, 0.7, 0.9, 1.1, 0.2, 0.6; \
         α, größe, np, dot = [0.4, 0.6], 0.8, 0.3, 0.1; const grad = [1, 2, 3]; old = f^2*lambda; \
         f = 3; \
         L = sum(tanh(grad[k]*jnp) + lambda*term for k in range(3)) + old + f*x + params*data^2 + jax*np*dot + sum(α^2)/größe",
        // Expressions without a translation are written out, and a list stays an array of the parameters.
        "w, v1, jnp_ = [[0.5, -1], [0.3, 0.8]], 0.3, 0.2; s(t) = t^3*v1; const n = 3; \
         L = s'(w[0][1]) + log(v1, jnp_ + n) + sum(w[1]) + max(v1, jnp_, w[1][0]) + hypot(v1, w[0][0])",
        // Numbers in place of lists, tables taken apart, lists of unlike lists.
        "a, W = 0.3, [[1, 2], [3, 4], [5, -6]]; p(x, n) = sum(x^k/k for k in 1..3)*n; s = a^2 + 1; \
         L = p(a, 2) + p(s, 3) + sum(x*y for x, y in W) + mean(a) + mean(a, s) + sum(flat([W, [a]])^2) + sum(max(0, row) for row in zip(W))[0] + s*len(W)",
        // The columns of a table are not its rows.
        "a, W = 0.3, [[1, 2], [3, 4], [5, -6]]; L = sum(prod(column) for column in zip(W))*a",
        "A, b = [[0.1, 0.2], [0.3, -0.4]], [1, 2]; \
         const X, t = [[1, 2], [3, 4], [5, 6]], [1, 0, 1]; \
         L = mean((sigmoid(dot(dot(A, x) + b, b)) - y)^2 for x, y in zip(X, t)) + std(b)",
        // A number that is subtracted from the count of items is no item.
        "w, x, k = [0.3, -0.7], [1.5, 2.5], 1; L = sum(w*std(x, 1)) + std(w, k)",
        // A side that is not taken has a finite gradient.
        "a, b = -0.5, 0.5; const x = [-1, 2, 3]; \
         L = if(a > 0, ln(a) + a, a^2) + sum(if(x[k]*b > 0, exp(x[k]*b)/b, b*x[k]) for k in range(3))",
    ];
    let points = "const x, y = [0.1, 0.4, 0.9, 1.3], [0.3, -0.2, 0.8, 1.1]";
    let typed = sessions.map(|session| session.replace("POINTS", points));
    let mut models: Vec<Model> = typed
        .iter()
        .map(|typed| model_of(Desk::with(&[typed]), "L"))
        .collect();
    let text = &models[0].text;
    assert_eq!(text.matches("jax.vmap(").count(), 1, "{text}");
    same_as_passes(&mut models, "exported models");
}

#[test]
fn every_operation_is_exported() {
    let mut random = Random(11);
    let mut desk = Desk::default();
    let mut terms = Vec::new();
    for (number, op) in TABLE.iter().enumerate() {
        if is_refused("JAX", op) {
            continue;
        }
        let (least, most) = op.arity();
        let count = if most.is_none() { 3 } else { least };
        let points = points(op, 4, |_| {
            let mut number = || match random.below(3) {
                0 => [0.5, 1.5, 2.0, 3.0][random.below(4)],
                1 => 2.0 * random.unit() - 1.0,
                _ => 5.0 * random.unit() - 2.0,
            };
            let mut point: Vec<f64> = (0..count).map(|_| number()).collect();
            // JAX has these to the right of 0.
            if ["digamma", "trigamma", "polygamma"].contains(&op.name) {
                let last = count - 1;
                point[last] = point[last].abs();
            }
            point
        });
        // Orders are counted, so they are constants.
        let orders = op.name == "polygamma";
        for (term, point) in points.iter().enumerate() {
            let names: Vec<String> = (0..count)
                .map(|at| format!("x{number}_{term}_{at}"))
                .collect();
            for (name, number) in names.iter().zip(point) {
                let whole = orders && number.fract() == 0.0 && *number >= 1.0;
                let word = if whole { "const " } else { "" };
                desk.line(&format!("{word}{name} = {number:?};"));
            }
            desk.line(&format!("c{number}_{term} = 1;"));
            terms.push(format!("c{number}_{term}*{}", called(op, &names)));
        }
    }
    desk.line(&format!("T = sum({});", terms.join(", ")));
    let mut model = model_of(desk, "T");
    model.about = Box::new(|name| {
        let number = name.trim_start_matches(['x', 'c']).split('_').next();
        let number: Option<usize> = number.and_then(|number| number.parse().ok());
        number.map_or_else(String::new, |number| TABLE[number].name.to_string())
    });
    same_as_passes(&mut [model], "exported operations");
}

#[test]
fn a_thousand_points_count_once() {
    let lines = [
        "a, b = 0.5, 2".to_string(),
        "const x = [k/1000 for k in 1..2000]".to_string(),
        "L = mean((sin(a*t)*exp(-b*t) - t^2 + a/(1 + t))^2 for t in x)".to_string(),
    ];
    let mut desk = Desk::with(&lines);
    let lines = desk.written_text(":export L y.jax.py").lines().count();
    assert!(lines < 600, "{lines}");
}

#[test]
fn scipy_minimises_exported_python() {
    let Some(python) = python_with("scipy", "exported Python in scipy") else {
        return;
    };
    let mut desk = Desk::with(&["x, y = -1.2, 1", "L = (1 - x)^2 + 100(y - x^2)^2"]);
    let folder = Folder::new();
    folder.file("model.py", desk.written_text(":export L model.py"));
    let code = "from scipy.optimize import minimize\nfrom model import f, x0\n\
                found = minimize(f, x0, jac=True)\nprint(*found.x)";
    let mut command = Command::new(python);
    let ran = command.args(["-c", code]).current_dir(&folder.0).output();
    let ran = ran.expect("Python runs");
    let complaint = String::from_utf8_lossy(&ran.stderr);
    assert!(ran.status.success(), "{complaint}");
    let printed = String::from_utf8_lossy(&ran.stdout);
    for number in printed.split_whitespace() {
        let number: f64 = number.parse().expect("a number");
        assert!((number - 1.0).abs() < 1e-5, "{printed}");
    }
}
