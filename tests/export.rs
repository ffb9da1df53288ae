//! `:export`: a C compiler and Python run the programs, if they are installed; the results equal the session's own pass to
//! 1e-12. Formulas and tables are recorded in `tests/screens/exports.txt`.

use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

use chainrule_engine::ops::TABLE;

use crate::common::browser::{find_tool, report_skip};
use crate::common::process::Folder;
use crate::common::project::{Source, files};
use crate::common::{Desk, Random, called, close, is_refused, points};
use crate::export_jax::python_with;

/// The output of a program: names and numbers.
type Printed = Vec<(String, f64)>;

fn parse_output(output: &[u8]) -> Printed {
    let text = String::from_utf8_lossy(output);
    let lines = text.lines().map(|line| {
        let (name, number) = line.rsplit_once(' ').expect("a name and a number");
        let number = number.replace("-nan", "nan").parse();
        (name.to_string(), number.expect("a number"))
    });
    lines.collect()
}

fn ran(command: &mut Command) -> Vec<u8> {
    let ran = command.output().expect("a program that was found runs");
    let complaint = String::from_utf8_lossy(&ran.stderr);
    assert!(ran.status.success() && ran.stderr.is_empty(), "{complaint}");
    ran.stdout
}

/// The output of the export of a target in each language that is installed.
fn results(desk: &mut Desk, target: &str) -> Vec<(&'static str, Printed)> {
    let folder = Folder::new();
    let mut all = Vec::new();
    let path = folder.file(
        "model.c",
        desk.written_text(&format!(":export {target} model.c")),
    );
    if let Some(compiler) = find_tool("cc") {
        let program = folder.0.join("model");
        let mut compile = Command::new(compiler);
        compile.args([
            "-std=c99", "-Wall", "-Wextra", "-Werror", "-O2", &path, "-o",
        ]);
        ran(compile.arg(&program).arg("-lm"));
        all.push(("C", parse_output(&ran(&mut Command::new(program)))));
    } else {
        report_skip("exported C", "cc");
    }
    let path = folder.file(
        "model.py",
        desk.written_text(&format!(":export {target} model.py")),
    );
    if let Some(python) = find_tool("python3") {
        all.push(("Python", parse_output(&ran(Command::new(python).arg(path)))));
    } else {
        report_skip("exported Python", "python3");
    }
    let text = desk.written_text(&format!(":export {target} model.np.py"));
    if let Some(python) = python_with("numpy", "exported Python with NumPy") {
        let path = folder.file("model.np.py", text);
        all.push(("NumPy", parse_output(&ran(Command::new(python).arg(path)))));
    }
    all
}

/// Compares the output of exports with a pass of the session.
fn same_as_a_pass(desk: &mut Desk, target: &str, about: impl Fn(&str) -> String) {
    desk.line(&format!(":grad {target};"));
    let mut failures = String::new();
    for (language, printed) in results(desk, target) {
        let mut lines = printed.into_iter();
        let (_, value) = lines.next().expect("the value comes first");
        let want = desk.value(target);
        let mut count = 0;
        let mut compare = |name: &str, got: f64, want: f64| {
            let same = got == want || got.is_nan() && want.is_nan();
            if !same && !close(got, want, 1e-12, 1e-14) {
                let about = about(name);
                let _ = writeln!(
                    failures,
                    "{language}: {name} {about}: {got:e}, not {want:e}"
                );
            }
        };
        compare(target, value, want);
        for (name, got) in lines {
            let want = desk.value(&format!("{name}.grad"));
            compare(&name, got, want);
            count += 1;
        }
        assert!(count > 0, "{language}: a gradient for each leaf");
    }
    assert!(failures.is_empty(), "\n{failures}");
}

/// The number of points at which each operation is compared.
const POINTS: usize = 12;

/// Numbers at which conventions matter, and the orders of derivatives.
const SPECIAL: &[f64] = &[0.0, 1.0, -1.0, 2.0, 3.0, 0.5, -0.5, -2.5, 4.0];

#[test]
fn every_operation_is_exported_with_its_value_and_derivatives() {
    let mut random = Random(7);
    let (mut desk, mut terms, mut of) = (Desk::default(), Vec::new(), Vec::new());
    for op in &TABLE {
        if is_refused("C", op) {
            continue;
        }
        let (least, most) = op.arity();
        let points = points(op, POINTS, |attempt| {
            let count = if most.is_none() {
                1 + attempt % 3
            } else {
                least
            };
            let mut number = || match random.below(3) {
                0 => SPECIAL[random.below(SPECIAL.len())],
                1 => 2.0 * random.unit() - 1.0,
                _ => 8.0 * random.unit() - 3.0,
            };
            (0..count).map(|_| number()).collect()
        });
        assert!(points.len() > 5, "{}: too few points", op.name);
        for point in points {
            // The derivative with respect to its factor is the value of the operation.
            let term = terms.len();
            let names: Vec<String> = (0..point.len()).map(|at| format!("x{term}_{at}")).collect();
            for (name, number) in names.iter().zip(&point) {
                desk.line(&format!("{name} = {number:?};"));
            }
            desk.line(&format!("c{term} = 1;"));
            terms.push(format!("c{term}*{}", called(op, &names)));
            of.push(format!("{} {point:?}", op.name));
        }
    }
    desk.line(&format!("T = sum({});", terms.join(", ")));
    same_as_a_pass(&mut desk, "T", |name| {
        let term = name.trim_start_matches(['x', 'c']).split('_').next();
        let term: usize = term.and_then(|term| term.parse().ok()).unwrap_or(0);
        of[term].clone()
    });
}

/// A NaN among the operands does not become a number.
#[test]
fn nan_is_kept() {
    for of in [
        "max(x, y) + max(y, x, 1)",
        "min(x, y) + min(y, x, 1)",
        "relu(x)",
        "sign(x)*y",
        "round(x)*y",
        "clamp(y, x, 2)",
        "clamp(y, -1, x)",
        "leakyrelu(y, x)",
        "if(x, y, 3)",
        "logsumexp(x, 1/0, y)",
        "logsumexp(1/0, x, y)",
        "asin(y) + max(asin(y), x)",
    ] {
        let mut desk = Desk::with(&["x, y = 0/0, 1.5", &format!("L = {of}")]);
        assert!(desk.value("L").is_nan(), "{of}");
        same_as_a_pass(&mut desk, "L", |_| of.to_string());
    }
}

/// The names that the headers of C have, as macros or as anything else.
fn names_of_c(compiler: &Path, folder: &Folder) -> Vec<String> {
    let path = folder.file(
        "headers.c",
        "#include <math.h>\n#include <stdio.h>\n".to_string(),
    );
    let mut names = Vec::new();
    for what in [&["-E", "-P"][..], &["-E", "-dM"]] {
        let text = ran(Command::new(compiler).args(what).arg(&path));
        let text = String::from_utf8_lossy(&text).into_owned();
        let words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        names.extend(words.map(str::to_string));
    }
    names
}

/// Leaves and functions under every name that C and Python have for something else.
#[test]
fn names_of_the_languages_do_not_clash() {
    let (Some(compiler), Some(python)) = (find_tool("cc"), find_tool("python3")) else {
        return report_skip("names of C and Python", "cc or python3");
    };
    let folder = Folder::new();
    let mut names = names_of_c(&compiler, &folder);
    let code =
        "import builtins, keyword\nprint(*dir(builtins), *keyword.kwlist, *keyword.softkwlist)";
    let output = ran(Command::new(&python).args(["-c", code]));
    names.extend(
        String::from_utf8_lossy(&output)
            .split_whitespace()
            .map(str::to_string),
    );
    let own = "names x0 value grad leaves of_leaves main name slope math f NAMES START LEAVES malloc exit nullptr linux";
    names.extend(own.split(' ').map(str::to_string));
    names.retain(|name| name.starts_with(|c: char| c.is_ascii_alphabetic()));
    names.sort();
    names.dedup();
    assert!(names.len() > 400, "{}", names.len());
    // As leaves, they are in one program.
    let mut desk = Desk::default();
    let mut leaves = Vec::new();
    for name in &names {
        if desk
            .try_line(&format!("{name} = 0.5;"))
            .iter()
            .all(Result::is_ok)
        {
            leaves.push(format!("{name}^2"));
        }
    }
    assert!(leaves.len() > 300, "{}", leaves.len());
    desk.line("q = 1;");
    desk.line(&format!(
        "L = sum({}) + max(q, exp(q), sin(q))",
        leaves.join(", ")
    ));
    same_as_a_pass(&mut desk, "L", str::to_string);
    // As data, they are beside the functions.
    let mut desk = Desk::with(&["q = 1;"]);
    let mut sums = Vec::new();
    for name in &names {
        let list = format!("const {name} = [0.5, 0.25];");
        if desk.try_line(&list).iter().all(Result::is_ok) {
            sums.push(format!("sum(tanh({name}*q))"));
        }
    }
    assert!(sums.len() > 300, "{}", sums.len());
    let (half, rest) = sums.split_at(sums.len() / 2);
    desk.line(&format!("one = sum({});", half.join(", ")));
    desk.line(&format!(
        "L = one + sum({}) + prod(q, 2, q) + max(q, 2);",
        rest.join(", ")
    ));
    same_as_a_pass(&mut desk, "L", str::to_string);
    // As functions, each has a program of its own: all of C are compiled at once.
    let mut compile = Command::new(compiler);
    compile.args(["-std=c99", "-Wall", "-Wextra", "-Werror", "-fsyntax-only"]);
    let (mut programs, mut count) = (String::from("import runpy\n"), 0);
    for name in &names {
        let mut desk = Desk::with(&["times_2 = 2"]);
        let head = format!("{name}({name}) = {name}^2*times_2 + max({name}, exp(times_2), 1)");
        if desk.try_line(&head).iter().any(Result::is_err) {
            continue;
        }
        let text = desk.written_text(&format!(":export {name} f.c"));
        compile.arg(folder.file(&format!("{name}.c"), text));
        let text = desk.written_text(&format!(":export {name} f.py"));
        let path = folder.file(&format!("of_{name}.py"), text);
        let _ = writeln!(programs, "runpy.run_path({path:?}, run_name='__main__')");
        count += 1;
    }
    assert!(count > 300, "{count}");
    ran(&mut compile);
    let output = ran(Command::new(python).args(["-c", &programs]));
    let printed = parse_output(&output);
    let values = printed.iter().filter(|(name, _)| name.contains('('));
    let want = 2.0 + f64::exp(2.0);
    assert!(
        values
            .clone()
            .all(|(_, value)| close(*value, want, 1e-12, 0.0))
    );
    assert_eq!(values.count(), count);
}

#[test]
fn a_function_is_exported_with_its_parameters_as_arguments() {
    // Names that mean something else outside of the function.
    let mut desk = Desk::with(&[
        "A, k, x, t = 2, 0.5, 7, 9",
        "m(t) = A*exp(-k*t)",
        "f(x, y, t) = m(y)*x + x^2",
    ]);
    let folder = Folder::new();
    let value = |x: f64, y: f64| 2.0 * f64::exp(-0.5 * y) * x + x * x;
    let call = "f(3, 1.5, 0)";
    if let Some(compiler) = find_tool("cc") {
        let main =
            format!("\nint main(void) {{ printf(\"{call} %.17g\\n\", {call}); return 0; }}\n");
        let path = folder.file("model.c", desk.written_text(":export f model.c") + &main);
        let program = folder.0.join("model");
        let mut compile = Command::new(compiler);
        compile.args(["-std=c99", "-DNO_MAIN", &path, "-o"]);
        ran(compile.arg(&program).arg("-lm"));
        let printed = parse_output(&ran(&mut Command::new(program)));
        assert!(
            close(printed[0].1, value(3.0, 1.5), 1e-12, 0.0),
            "{printed:?}"
        );
    }
    if let Some(python) = find_tool("python3") {
        let main = format!("    print(\"f\", {call})\n");
        let path = folder.file("model.py", desk.written_text(":export f model.py") + &main);
        let printed = parse_output(&ran(Command::new(python).arg(path)));
        // The value and the derivatives at 1, then the value at another point.
        let wanted = [
            ("f(x, y, t)", value(1.0, 1.0)),
            ("A", f64::exp(-0.5)),
            ("k", -2.0 * f64::exp(-0.5)),
            ("x", 2.0 * f64::exp(-0.5) + 2.0),
            ("y", -f64::exp(-0.5)),
            ("f", value(3.0, 1.5)),
        ];
        assert_eq!(printed.len(), wanted.len());
        for ((name, got), (expected, want)) in printed.iter().zip(wanted) {
            assert_eq!(name, expected);
            assert!(close(*got, want, 1e-12, 0.0), "{name} {got}");
        }
    }
    let tex = desk.written_text(":export m model.tex");
    assert!(tex.contains(r"m(t) &= A \, e^{-k \, t}"), "{tex}");
    assert!(
        tex.contains(r"\frac{\partial m(t)}{\partial t} &= -A \, k \, e^{-k \, t}"),
        "{tex}"
    );
}

#[test]
fn programs_of_all_kinds_are_exported() {
    const NAMES: &str = "a = 2; lambda, double, x, f, leaves, exp, d_x = 0.5, 1.5, 0.3, 0.7, 0.9, 1.1, 0.2; \
         α, größe, w_1, w = 0.4, 0.6, 0.8, [0.1, 0.2]; old = a^2*lambda; a = 3; \
         v1 = exp(x)*exp + α*größe - double*w_1 + w[0]*w[1]; y = old + v1*d_x*f/leaves + a + 2^x + max(x, w[0], 0.3, a)";
    for (lines, target) in [
        (NAMES, "y"),
        // A target without a name, and one that is a leaf.
        (NAMES, "(v1*x - 1)"),
        (NAMES, "x"),
        // A list as one operand of an operation, and lists item by item.
        (
            "a, b = 1.08, 0.47; y = min(1, a, a, a) - max(1, b, b, a)",
            "y",
        ),
        (
            "w, b = [0.5, -1, 0.25], 0.1; const x = [1, 2, 3]; y = tanh(dot(w, x) + b)*softplus(b)",
            "y",
        ),
        // Lists of lists, and lists of leaves and numbers.
        (
            "a, b, u = 0.4, -0.7, [0.2, 0.9, -0.4, 0.7]; \
             W = [[0.2, -0.4, 0.1, 0.3], [0.7, 0.3, -0.2, 0.6], [-0.5, 0.6, 0.9, 0.1], [0.8, 0.4, 0.5, -0.3]]; \
             net(p) = tanh(dot(W, p) + u); v = [a, b, a, b]; \
             y = mean([sum(u)*t for t in net(v)]) + logsumexp([sum(tanh(r*v)) for r in W])",
            "y",
        ),
        // A leaf that gets no gradient is no variable.
        (
            "a, b, c = 2, 3, 4; const k = 5; y = (a > b)*c + floor(a)*k^2 + if(b > 1, c, a)*sin(k)",
            "y",
        ),
        // An exact zero absorbs infinity as in a pass.
        (
            "a, b = 0, 3; y = 0*sqrt(a) + b*a*ln(b) + relu(-sqrt(a))",
            "y",
        ),
        // Python's `math` raises an error where these are infinite.
        ("a, b = 0, 2; y = ln(a) + b", "y"),
        ("a, b = 0, 2; y = a^(-b) + rsqrt(a) + b/a", "y"),
        ("a, b = -800, 3; y = sinh(a)*b + (a - 1)^(b*151)", "y"),
        ("a, b = -1, 0; y = floor(a/b) + round(a/b)", "y"),
        // Lists of other lengths, of parts of lists, and of one item again and again.
        (
            "w, a = [0.5, 1, 2], 0.3; u = [w[0:k] for k in [1, 2, 3]]; s = [a for k in 1..3]; W = [w, 2*w]; \
             y = sum(flat(u)^2) + sum([sum(tanh(v*a)) for v in u]) + sum(sum(W*s[0])) + dot(w, [1, 2, a]) + \
             sum(dot([1, a, 2], W)) + sum(max(0, W[1]))",
            "y",
        ),
    ] {
        let mut desk = Desk::with(&[lines]);
        same_as_a_pass(&mut desk, target, |_| lines.to_string());
        let text = desk.written_text(&format!(":export {target} y.py"));
        assert!(
            !text.contains("sin = operation"),
            "a frozen part is a number: {text}"
        );
    }
}

#[test]
fn a_long_program_is_exported() {
    let mut desk = Desk::with(&["a, b, m, exp2 = 0.5, -0.25, 0.1, 2", "z_0 = a"]);
    for step in 1..100 {
        let last = step - 1;
        desk.line(&format!(
            "z_{step} = tanh(z_{last}*b + m) + max(z_{last}, a, sin(z_{last})) - hypot(z_{last}, a, b)*m"
        ));
    }
    desk.line("all = sum(z_98, z_99, exp2*a)");
    same_as_a_pass(&mut desk, "all", |_| String::new());
}

#[test]
fn the_examples_are_exported() {
    let mut count = 0;
    for Source { path, text } in files("examples", ".calc") {
        if text.contains(":data") {
            continue;
        }
        let mut desk = Desk::default();
        let mut lines = text.lines();
        let went = lines.all(|line| desk.try_line(line).iter().all(Result::is_ok));
        let target = desk.session.targets().look();
        let target = target.and_then(|target| desk.session.target_node(target));
        let Some(target) = target.filter(|_| went) else {
            continue;
        };
        let label = desk.session.label(&target);
        let may = desk.try_line(&format!(":export {label} y.py"));
        if may.iter().all(Result::is_ok) {
            same_as_a_pass(&mut desk, &label, |_| path.clone());
            count += 1;
        }
    }
    assert!(count >= 3, "only {count} examples were exported");
}

#[test]
fn a_fit_is_as_long_for_any_number_of_points() {
    let lines = |points: usize| {
        let mut desk = Desk::with(&[
            &format!("const t = [k/30 for k in 0..{}]", points - 1),
            "const y = 2*exp(-0.4*t) + 0.1 + sin(9*t)/50",
            "A, k, c = 2, 0.5, 0.1",
            "L = sum((A*exp(-k*u)+c - v)^2 for u, v in zip(t, y))",
        ]);
        same_as_a_pass(&mut desk, "L", |_| format!("{points} points"));
        desk.written_text(":export L L.py").lines().count()
    };
    let counts = [2, 20, 300].map(lines);
    assert!(counts.iter().all(|count| *count == counts[0]), "{counts:?}");
    assert!(counts[0] <= 70, "{counts:?}");
}

#[test]
fn python_takes_the_function_as_scipy_does() {
    let Some(python) = find_tool("python3") else {
        return report_skip("the exported function", "python3");
    };
    let mut desk = Desk::with(&["x, y = -1.2, 1", "L = (1 - x)^2 + 100(y - x^2)^2"]);
    let folder = Folder::new();
    folder.file(
        "rosenbrock.py",
        desk.written_text(":export L rosenbrock.py"),
    );
    let code = "from rosenbrock import f, x0, names\nv, g = f(tuple(x0))\nassert f([1, 1]) == (0.0, [0.0, 0.0])\n\
                assert isinstance(g, list) and len(g) == len(names) == 2\nprint(v)";
    let output = ran(Command::new(python)
        .args(["-c", code])
        .current_dir(&folder.0));
    assert_eq!(
        String::from_utf8_lossy(&output).trim(),
        "24.199999999999996"
    );
}

#[test]
fn formulas_that_are_too_long_get_auxiliary_quantities() {
    let mut desk = Desk::with(&[
        "v = [k/7 for k in 1..30]",
        "y = prod(sin(v)) + sum(v[k]*tanh(v[-1 - k]) for k in range(30))^2",
    ]);
    let text = desk.written_text(":export y y.tex");
    assert!(
        text.contains(r"  \tilde{v}_{1} &= ") && !text.contains("  v_{1} &="),
        "{text}"
    );
    let longest = text.lines().map(str::len).max().unwrap_or(0);
    assert!(longest < 3_000, "{longest}: {text}");
}

#[test]
fn a_derivative_in_an_exported_function_is_the_one_that_computes_well() {
    let mut desk = Desk::with(&["g(x) = asinh(2*pi*x)", "f(x) = g'(x)"]);
    let text = desk.written_text(":export f f.py");
    // Not the root of a square, which may be infinite.
    let has_parts = ["hypot", "6.283185307179586"].map(|it| text.contains(it));
    assert_eq!(has_parts, [true; 2], "{text}");
}
