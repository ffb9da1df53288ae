//! A script is a program: values from outside, conditions that must hold, tables for other programs, and scripts that
//! run by their own name. CSV is read back by a reader of its own and compared with JSON, number by number.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::common::process::{Folder, Ran, feed, out, program, run};

const LESSON: &str = "a = 2\nb, w = -3, [1, 2, 3]\nconst g = 9.81\nc = a*b\nL = c + sum(w)\n";

/// A run without failures, with the lesson as its script.
fn lesson(arguments: &[&str]) -> String {
    let arguments: Vec<&str> = arguments.iter().copied().chain(["-"]).collect();
    out(&arguments, LESSON)
}

/// The last lines of standard error that begin so, without their beginning.
fn said<'r>(ran: &'r Ran, begin: &str) -> Vec<&'r str> {
    (ran.err.lines())
        .filter_map(|line| line.strip_prefix(begin))
        .collect()
}

/// The objects of JSON output.
fn objects(text: &str) -> Vec<Value> {
    (text.lines())
        .map(|line| serde_json::from_str(line).expect("each line is JSON"))
        .collect()
}

// `--set`

#[test]
fn the_first_binding_takes_the_given_value() {
    for (set, expected) in [
        (
            &["a=9"][..],
            "a = 9\nb = -3, w = [1, 2, 3]\ng = 9.81\nc = -27\nL = -21\n",
        ),
        (
            &["a=9", "b = 1"],
            "a = 9\nb = 1, w = [1, 2, 3]\ng = 9.81\nc = 9\nL = 15\n",
        ),
        // An expression, a leaf that was there before, one number for all items, a list, a frozen leaf.
        (
            &["b=a^2/8"],
            "a = 2\nb = 0.5, w = [1, 2, 3]\ng = 9.81\nc = 1\nL = 7\n",
        ),
        (
            &["w=0"],
            "a = 2\nb = -3, w = [0, 0, 0]\ng = 9.81\nc = -6\nL = -6\n",
        ),
        (
            &["w=[4, 5, 6]"],
            "a = 2\nb = -3, w = [4, 5, 6]\ng = 9.81\nc = -6\nL = 9\n",
        ),
        (
            &["g=9.8"],
            "a = 2\nb = -3, w = [1, 2, 3]\ng = 9.8\nc = -6\nL = 0\n",
        ),
        (
            &["a=4 ± 10%"],
            "a = 4 ± 0.4\nb = -3, w = [1, 2, 3]\ng = 9.81\nc = -12 ± 1.2\nL = -6 ± 1.2\n",
        ),
        // Of two values for a name the last one holds.
        (
            &["a=1", "a=2"],
            "a = 2\nb = -3, w = [1, 2, 3]\ng = 9.81\nc = -6\nL = 0\n",
        ),
    ] {
        let mut arguments = Vec::new();
        for set in set {
            arguments.extend(["--set", set]);
        }
        let shown = lesson(&arguments);
        // Computed values show no ± in a binding.
        let plain = |text: &str| text.replace(" ± 1.2", "");
        assert_eq!(plain(&shown), plain(expected), "{set:?}");
    }
}

#[test]
fn later_statements_do_what_they_say() {
    for (script, expected) in [
        ("a = 2\na = 5\na", "a = 9\na = 5\n5\n"),
        ("a = 2\na += 1\na", "a = 9\na = 10\n10\n"),
        ("a = 2\n:set a 3;\na", "a = 9\n3\n"),
        ("a = 2\nb = a*2\n", "a = 9\nb = 18\n"),
        // One change for undo.
        (
            "x = 1\na = 2\n:undo\n:vars\n",
            "x = 1\na = 9\nundone: a = 2\n  name   expression   data   grad\n  x      leaf            1      ·\n",
        ),
        ("a = Value(2.0, label='a')", "a = 9\n"),
        ("a = 2;\na", "9\n"),
    ] {
        assert_eq!(out(&["--set", "a=9", "-"], script), expected, "{script}");
    }
    // What a script loads takes values too, and so do columns of data.
    let folder = Folder::new();
    let part = folder.file("part.calc", "a = 2\n");
    let data = folder.file("data.csv", "a,b\n1,2\n3,4\n");
    assert!(out(&["--set", "a=9", "-"], format!(":load {part};\na")).ends_with("a = 9\n9\n"));
    assert_eq!(
        out(&["--set", "a=[5, 7]", "-"], format!(":data {data};\na")),
        "[5, 7]\n"
    );
}

#[test]
fn what_cannot_take_a_value_fails() {
    for (set, script, place, message) in [
        (
            "c=1",
            "a = 2\nc = a*3\n",
            "-:2:1",
            "`--set c=1`: `c` is computed, from `a*3`",
        ),
        (
            "c=1",
            "a = 2\nc = a\n",
            "-:2:1",
            "`--set c=1`: `c` is bound to what is there already, `a`",
        ),
        (
            "w=[1, 2]",
            "w = [1, 2, 3]\n",
            "-:1:1",
            "`--set w=[1, 2]`: `w` is a list of 3, and this is a list of 2",
        ),
        ("a=q", "a = 2\n", "-:1:1", "`--set a=q`: unknown name `q`"),
    ] {
        let ran = run(&["--set", set, "-"], format!("{script}:vars\n"));
        assert_eq!(ran.status, Some(1), "{set}");
        assert_eq!(said(&ran, "error: "), [message], "{}", ran.err);
        assert_eq!(said(&ran, " --> "), [place], "{}", ran.err);
    }
    // A statement that fails leaves no trace, and a later one may take the value.
    let ran = run(
        &["--set", "c=1", "--keep-going", "-"],
        "a = 2\nc = a*3\n:vars\nc = 5\n",
    );
    assert_eq!(ran.status, Some(1));
    assert_eq!(
        ran.out,
        "a = 2\n  name   expression   data   grad\n  a      leaf            2      ·\nc = 1\n"
    );
}

#[test]
fn a_name_that_nothing_binds_is_an_error_at_the_end() {
    let ran = run(&["--set", "aa=9", "--set", "rate=1", "-"], "a = 2\na\n");
    assert_eq!((ran.status, ran.out.as_str()), (Some(1), "a = 2\n2\n"));
    assert_eq!(
        said(&ran, "error: "),
        [
            "`--set aa=9`: no statement binds `aa`",
            "`--set rate=1`: no statement binds `rate`"
        ]
    );
    assert_eq!(said(&ran, "help: ")[0], "did you mean `a`?");
    // An earlier failure is the reason why nothing was bound.
    let ran = run(&["--set", "b=1", "-"], "q\nb = 2\n");
    assert_eq!(said(&ran, "error: "), ["unknown name `q`"]);
}

#[test]
fn people_and_programs_are_told_about_given_values() {
    let ran = run(&["--set", "a=9", "-"], "a, b = 2, 3\n");
    assert_eq!(said(&ran, "note: "), ["a is 9, as --set says"]);
    let shown = objects(&out(
        &["--json", "--set", "a=9", "-"],
        "a, b = 2, 3\na = 1\n",
    ));
    let bindings = &shown[0]["bindings"];
    assert_eq!(bindings[0]["given"], true);
    assert_eq!(bindings[0]["data"], 9);
    assert!(bindings[1].get("given").is_none() && shown[1]["bindings"][0].get("given").is_none());
}

// `:assert`

const STATE: &str = "a, b, w = 2, -3, [1, 2, 3]\nL = a*b - 2\n:grad L;\n";

#[test]
fn conditions_hold_or_tell_both_sides() {
    for line in [
        "L == -8",
        "L != 0",
        "L <= -8",
        "L > -9",
        "a.grad < 0",
        "b.grad == a",
        "L == -8.1 ± 0.2",
        "L == -8.1 ± 2%",
        "L == -8 +/- 0",
        "1",
        "L",
        "w == [1, 2, 3]",
        "w > 0",
        "w == 2 ± 1",
        "w == [1, 2, 3] ± [0, 0, 0]",
        "sum(w) == 6",
        "min(L < 0, a > 0)",
        "1/3*3 == 1",
        "grad(L, a) == -3",
        "0/0 != 0/0",
    ] {
        let ran = run(&["-"], format!("{STATE}:assert {line}\n"));
        assert_eq!(ran.status, Some(0), "{line}: {}", ran.err);
        let last = "L = -8\n";
        assert!(ran.out.ends_with(last), "{line}: {}", ran.out);
    }
    for (line, message, label) in [
        (
            "L == -7",
            "`L == -7` does not hold: -8 == -7",
            "the sides differ by 1",
        ),
        (
            "a.grad > 0",
            "`a.grad > 0` does not hold: -3 > 0",
            "the sides differ by 3",
        ),
        (
            "L == -8.5 ± 0.25",
            "`L == -8.5 ± 0.25` does not hold: -8 == -8.5",
            "the sides differ by 0.5, more than 0.25",
        ),
        (
            "a == 1/3 ± 1%",
            "`a == 1/3 ± 1%` does not hold: 2 == 0.3333333333333333",
            "the sides differ by 1.6666666666666667, more than 0.003333333333333333",
        ),
        (
            "w == [1, 5, 7]",
            "`w == [1, 5, 7]` does not hold for item [2]: 2 == 5",
            "the sides differ by 3",
        ),
        (
            "[[1, 2], [3, 4]] < 4",
            "`[[1, 2], [3, 4]] < 4` does not hold for item [2][2]: 4 < 4",
            "",
        ),
        ("L + 8", "`L + 8` does not hold: it is 0", ""),
        ("0/0", "`0/0` does not hold: it is nan", ""),
        (
            "0/0 == 0/0 ± 1",
            "`0/0 == 0/0 ± 1` does not hold: nan == nan",
            "the sides differ by nan",
        ),
    ] {
        let ran = run(
            &["--keep-going", "-"],
            format!("{STATE}:assert {line}\n5\n"),
        );
        assert_eq!(ran.status, Some(1), "{line}");
        let told: Vec<String> = said(&ran, "error: ")
            .iter()
            .map(|said| said.to_lowercase())
            .collect();
        assert_eq!(told, [message.to_lowercase()], "{line}");
        assert!(
            ran.err.to_lowercase().contains(label),
            "{line}: {}",
            ran.err
        );
        // The script went on.
        assert!(ran.out.ends_with("\n5\n"), "{}", ran.out);
        let ran = run(&["-"], format!("{STATE}:assert {line}\n5\n"));
        assert_eq!(ran.status, Some(1), "{line}");
        assert!(!ran.out.ends_with("\n5\n"), "{}", ran.out);
    }
    for (line, message) in [
        ("L < 3 ± 1", "a tolerance belongs to `==`"),
        ("q == 1", "unknown name `q`"),
        ("", "`:assert` needs an expression"),
        ("L == -8 ± -1", "an uncertainty is 0 or more, not -1"),
    ] {
        let ran = run(&["-"], format!("{STATE}:assert {line}\n"));
        assert_eq!(ran.status, Some(1), "{line}");
        if line != "L == -8 ± -1" {
            assert_eq!(said(&ran, "error: "), [message], "{line}");
        }
    }
}

#[test]
fn programs_get_the_numbers_of_a_condition() {
    let ran = run(
        &["--json", "-"],
        "L = 0.1 + 0.2\n:assert L == 0.3 ± 1e-17\n",
    );
    let error = &objects(&ran.out)[1];
    let number = |key: &str| error[key].as_f64().expect("a number");
    assert_eq!(error["kind"], "error");
    assert_eq!(number("left"), 0.1 + 0.2);
    assert_eq!(number("right"), 0.3);
    assert_eq!(number("difference"), 0.1 + 0.2 - 0.3);
    assert_eq!(number("tolerance"), 1e-17);
    assert_eq!(
        objects(&out(&["--json", "-"], "L = 1\n:assert L == 1\n")).len(),
        1
    );
}

#[test]
fn a_condition_leaves_nothing_behind() {
    let after = "ans\nx = a + 1\n@5\nuniform(0, 1)\n:log\n:vars\n:tree x json\n:grad L";
    let without = out(&["-"], format!("{STATE}a*7\n{after}\n"));
    let with = out(
        &["-"],
        format!(
            "{STATE}a*7\n:assert L + a*99 + sum(w) + uniform(0, 1) > -1e9\n:assert pi == 3 ± 1\n{after}\n"
        ),
    );
    assert_eq!(with, without);
    let failing = run(
        &["--keep-going", "-"],
        format!("{STATE}a*7\n:assert L + a*99 + uniform(0, 1) == 17\n{after}\n"),
    );
    assert_eq!(failing.out, without);
}

// Tables

/// The records of a table in comma-separated values, and that each has as many fields as the header.
fn records(text: &str) -> Vec<Vec<String>> {
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .from_reader(text.as_bytes());
    let records: Result<Vec<_>, _> = reader.records().collect();
    let fields = |record: &csv::StringRecord| record.iter().map(str::to_owned).collect();
    records.expect("it is CSV").iter().map(fields).collect()
}

/// The numbers of a column.
fn column(records: &[Vec<String>], title: &str) -> Vec<f64> {
    let at = records[0].iter().position(|found| found == title);
    let at = at.unwrap_or_else(|| panic!("no column {title} in {:?}", records[0]));
    let number = |row: &Vec<String>| row[at].parse().expect("a number");
    records[1..].iter().map(number).collect()
}

/// The numbers of a key in the rows of a JSON answer.
fn json_column(answer: &Value, key: &str) -> Vec<f64> {
    let rows = answer["rows"].as_array().expect("rows");
    let number = |row: &Value| match &row[key] {
        Value::String(text) => text.parse().expect("NaN or an infinity"),
        number => number.as_f64().expect("a number"),
    };
    rows.iter().map(number).collect()
}

fn bits(numbers: &[f64]) -> Vec<u64> {
    numbers.iter().map(|number| number.to_bits()).collect()
}

const MODEL: &str = "a, b = 0.1, -1/3\nw = [k/7 for k in 1..200];\nz = 0\nα_1 = 1e-300\nL = sum(w)*a/b + α_1*z + exp(a)*1e3\n";

#[test]
fn files_have_every_row_and_every_digit() {
    let folder = Folder::new();
    let path = |name: &str| folder.0.join(name).to_string_lossy().into_owned();
    for (line, columns) in [
        (":grad L", &[("data", "data"), ("grad", "grad")][..]),
        (":vars", &[("data", "data")]),
        (
            ":check L",
            &[
                ("grad", "grad"),
                ("difference", "difference"),
                ("error", "error"),
            ],
        ),
        (
            ":step 1e-9 of L",
            &[
                ("before", "before"),
                ("change", "change"),
                ("new grad", "new_grad"),
            ],
        ),
        (":budget L", &[("grad", "grad")]),
        (":backward L", &[("grad", "grad")]),
    ] {
        let file = path("table.csv");
        let shown = run(&["--json", "-"], format!("{MODEL}{line}\n")).out;
        let answer = objects(&shown).pop().expect("an answer");
        let said = run(&["-"], format!("{MODEL}{line} {file}\n")).out;
        let rows = answer["rows"].as_array().expect("rows").len();
        assert!(
            said.contains(&format!("wrote {rows} rows into {file}")),
            "{said}"
        );
        let text = fs::read_to_string(&file).expect("it was written");
        assert_eq!(text.matches("\r\n").count(), text.matches('\n').count());
        let found = records(&text);
        for (title, key) in columns {
            let expected = json_column(&answer, key);
            assert_eq!(
                bits(&column(&found, title)),
                bits(&expected),
                "{line} {title}"
            );
        }
        fs::remove_file(&file).expect("it is there");
    }
}

#[test]
fn changes_are_two_columns() {
    let folder = Folder::new();
    let file = folder.0.join("set.csv").to_string_lossy().into_owned();
    let out = out(
        &["-"],
        format!("a, b = 2, -3\nL = a*b\n:grad L;\n:set a 3 {file}\n"),
    );
    assert!(
        out.ends_with(&format!("wrote 3 rows into {file}\n")),
        "{out}"
    );
    assert_eq!(
        fs::read_to_string(&file).expect("it was written"),
        "node,data before,data after,grad before,grad after\r\nL,-6,-9,1,1\r\nb,-3,-3,2,3\r\na,2,3,-3,-3\r\n"
    );
}

#[test]
fn output_for_programs_is_tables() {
    let script = "a = 2\nb, w = -3, [[1, 2], [3, 4]]\nL = a*b\n:grad L\nx = 5 ± 0.1\ny = 1\n\"\n";
    let ran = run(&["--csv", "--keep-going", "-"], script);
    assert_eq!(
        ran.out,
        "name,value\r\na,2\r\nb,-3\r\nw[1][1],1\r\nw[1][2],2\r\nw[2][1],3\r\nw[2][2],4\r\nL,-6\r\n\r\n\
         node,expression,data,grad\r\nL,a*b,-6,1\r\nb,leaf,-3,2\r\na,leaf,2,-3\r\n\r\n\
         name,value,±\r\nx,5,0.1\r\n\r\nname,value\r\ny,1\r\n"
    );
    assert_eq!(
        (ran.status, said(&ran, "error: ").len()),
        (Some(1), 1),
        "{}",
        ran.err
    );
    // Sentences are left out, what is not finite is spelled out, and quotes are doubled.
    let shown = out(
        &["--csv", "-"],
        "1/0; 2\n-1/0\n0/0\n:help\nf(x, y) = x*y\n:vars\n",
    );
    assert_eq!(
        shown,
        "name,value\r\nans,2\r\nans,-Infinity\r\nans,NaN\r\n\r\nfunction,body\r\n\"f(x, y)\",x*y\r\n"
    );
    // Every table can be read by itself.
    let shown = out(&["--csv", "-"], format!("{MODEL}:grad L\n:vars\n:config\n"));
    let tables: Vec<_> = shown.split("\r\n\r\n").map(records).collect();
    assert_eq!(tables.len(), 4);
    assert!(tables[1].len() > 200, "all rows: {}", tables[1].len());
}

#[test]
fn documents_get_tables() {
    let folder = Folder::new();
    let path = |name: &str| folder.0.join(name).to_string_lossy().into_owned();
    let md = path("table.md");
    let script = "x_1, β = 2, -1e-9\nL = x_1*β\n:grad L;\n";
    out(&["-"], format!("{script}:vars {md}\n"));
    assert_eq!(
        fs::read_to_string(md).expect("it was written"),
        "| name  | expression |  data |  grad |\n\
         | ----- | ---------- | ----: | ----: |\n\
         | `x_1` | leaf       |     2 | -1e-9 |\n\
         | `β`   | leaf       | -1e-9 |     2 |\n\
         | `L`   | `x_1*β`    | -2e-9 |     1 |\n"
    );
}

#[test]
fn files_of_others_are_kept() {
    let folder = Folder::new();
    let file = folder.file("own.csv", "my,own\n1,2\n");
    let script = format!("a = 2\nL = a*3\n:grad L {file}\n:set a 3;\n:grad L {file};\n");
    let shown = out(&["-"], script);
    assert!(shown.contains("wrote 2 rows into"), "{shown}");
    assert!(shown.contains("own.csv~\n"), "{shown}");
    assert_eq!(
        fs::read_to_string(format!("{file}~")).expect("a copy"),
        "my,own\n1,2\n"
    );
    assert!(
        !Path::new(&format!("{file}~2")).exists(),
        "our own file needs no copy"
    );
    assert_eq!(
        fs::read_to_string(&file).expect("the table"),
        "node,expression,data,grad\r\nL,a*3,9,1\r\na,leaf,3,3\r\n"
    );
}

#[test]
fn a_table_that_cannot_be_written_leaves_no_trace() {
    let script = "a, b = 2, 3\nL = a*b\n";
    let after = ":vars\n:log\n:watch\n:next\n";
    let without = run(&["--keep-going", "-"], format!("{script}{after}"));
    for line in [
        ":grad L /nowhere/x.csv",
        ":set a 7 /nowhere/x.csv",
        ":step 0.1 of L /nowhere/x.csv",
        ":watch L /nowhere/x.csv",
        ":minimize (a - 1)^2 /nowhere/x.csv",
        ":set a 2 x.csv",
        ":config digits 5 x.csv",
        ":grad L x.txt",
        ":vars L",
    ] {
        let ran = run(&["--keep-going", "-"], format!("{script}{line}\n{after}"));
        assert_eq!(ran.out, without.out, "{line}");
        assert_eq!(
            said(&ran, "error: ").len(),
            said(&without, "error: ").len() + 1,
            "{line}: {}",
            ran.err
        );
    }
}

// Scripts as commands

#[test]
fn a_script_runs_by_its_own_name() {
    let folder = Folder::new();
    let binary = Path::new(env!("CARGO_BIN_EXE_chainrule"));
    let path = format!(
        "{}:{}",
        binary.parent().expect("a folder").display(),
        std::env::var("PATH").unwrap_or_default()
    );
    for (first, arguments, expected) in [
        ("#!/usr/bin/env chainrule", &[][..], "a = 2\n4\n"),
        ("#!/usr/bin/env -S chainrule --quiet", &[], "4\n"),
        (
            "#!/usr/bin/env -S chainrule --quiet",
            &["--set", "a=3"],
            "6\n",
        ),
        (
            "#!/usr/bin/env -S chainrule -q",
            &["--csv"],
            "name,value\r\nans,4\r\n",
        ),
    ] {
        let script = folder.file("lesson", format!("{first}\na = 2\n2a\n"));
        fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).expect("it is ours");
        let mut command = Command::new(&script);
        command
            .args(arguments)
            .env("PATH", &path)
            .env("XDG_CONFIG_HOME", "/nowhere");
        let output = command.output().expect("the script can be run");
        assert_eq!(
            String::from_utf8_lossy(&output.stdout),
            expected,
            "{first} {arguments:?}"
        );
    }
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/pendulum.calc");
    let mode = fs::metadata(&example)
        .expect("it is there")
        .permissions()
        .mode();
    assert_eq!(mode & 0o111, 0o111, "it is executable");
    let mut command = program(&["--set", "T=2.2"]);
    command.arg(&example);
    let ran = feed(command, b"");
    assert_eq!(ran.status, Some(0), "{}", ran.err);
    assert!(ran.out.contains("g = 8.10"), "{}", ran.out);
}
