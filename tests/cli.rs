//! The program as a process: options, streams, exit statuses, and hostile input. What the answers say is tested
//! elsewhere; this is about where they go, in which order, and that nothing crashes the process.
#![cfg(unix)]

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;
use std::thread;
use std::time::{Duration, Instant};

use crate::common::process::{
    Folder, PATIENCE, Ran, Talk, ended, feed, gathered, out, program, run,
};

// Where statements come from.

#[test]
fn sources_come_in_order_and_share_a_session() {
    let folder = Folder::new();
    let one = folder.file("one.calc", "a = a + 1\na");
    let two = folder.file("two.calc", "a = a * 10\na\n");
    for (arguments, input, expected) in [
        (&[][..], "a = 2\na*3", "a = 2\n6\n"),
        (&["-"], "7", "7\n"),
        (&["-e", "1+1"], "not read", "2\n"),
        (&["-e", "a = 1", "-e", "a"], "", "a = 1\n1\n"),
        (&["--eval=-2^2"], "", "-4\n"),
        (&["-e", "-1"], "", "-1\n"),
        (
            &["-e", "a = 1;", one.as_str(), two.as_str()],
            "not read",
            "a = 2\n2\na = 20\n20\n",
        ),
        (
            &["-e", "a = 1;", two.as_str(), one.as_str()],
            "",
            "a = 10\n10\na = 11\n11\n",
        ),
        // `-e` and FILE run in the order they are given.
        (
            &[
                "-e",
                "a = 1;",
                one.as_str(),
                "-e",
                "a = 7;",
                two.as_str(),
                "-e",
                "a",
            ],
            "",
            "a = 2\n2\na = 70\n70\n70\n",
        ),
        (
            &["-e", "a = 1;", one.as_str(), "-", two.as_str()],
            "a = a + 100",
            "a = 2\n2\na = 102\na = 1020\n1020\n",
        ),
        (&["-e", "a = 1;", "--", one.as_str()], "", "a = 2\n2\n"),
        (&["-e", "1\n2; 3\n4"], "", "1\n3\n4\n"),
        (&["-e", "# nothing"], "", ""),
        (&[], "", ""),
        (&[], "\n\n  \n# nothing\n;\n;;\n", ""),
        // Nothing runs after `:quit`, not even in later sources.
        (
            &["-e", "1", "-e", ":quit", "-e", "2", one.as_str()],
            "",
            "1\n",
        ),
        (&[], "1\n:q\n2\n", "1\n"),
    ] {
        assert_eq!(out(arguments, input), expected, "{arguments:?} {input:?}");
    }
}

#[test]
fn lines_end_in_many_ways() {
    for (input, expected) in [
        (&b"a = 1\nb = 2\n"[..], "a = 1\nb = 2\n"),
        (b"a = 1\nb = 2", "a = 1\nb = 2\n"),
        (
            b"a = 1\r\nb = (1 +\r\n2)\r\n\r\n# c\r\nb\r\n",
            "a = 1\nb = 3\n3\n",
        ),
        (b"a = 1 \\\r\n+ 2\r\n", "a = 3\n"),
        (b"\xef\xbb\xbfa = 1\n", "a = 1\n"),
        (b"\xef\xbb\xbf", ""),
        (b"a\t=\t1\n", "a = 1\n"),
        ("π/π\n2 × 3 − 1\n".as_bytes(), "1\n5\n"),
        (b"a = [\n", ""),
    ] {
        let ran = run(&["--keep-going"], input);
        assert_eq!(ran.out, expected, "{:?}", String::from_utf8_lossy(input));
    }
    let folder = Folder::new();
    assert_eq!(
        out(
            &[&folder.file("a.calc", b"\xef\xbb\xbfa = 1\r\n\r\na + 1")],
            ""
        ),
        "a = 1\n2\n"
    );
}

#[test]
fn statements_go_on_over_lines() {
    for (input, out, err) in [
        ("a = (1 +\n  2\n)\na", "a = 3\n3\n", ""),
        ("a = max(1,\n# the second\n2)\n", "a = 2\n", ""),
        ("a = 1 + \\\n2\n", "a = 3\n", ""),
        // The error is about the unclosed bracket; the statements after it still run.
        ("a = (1 +\nb = 2\nc = 3\n", "b = 2\nc = 3\n", "-:1:5"),
        (
            "a = (1 +\nb = 2\n:vars\nc = 3\n",
            "b = 2\n  name   expression   data   grad\n  b      leaf            2      ·\nc = 3\n",
            "-:1:5",
        ),
        (
            "z = 1\na = (1 +\nb = (2 +\n3)\nc = 4\n",
            "z = 1\nb = 5\nc = 4\n",
            "-:2:5",
        ),
    ] {
        let ran = run(&["--keep-going"], input);
        assert_eq!(ran.out, out, "{input:?}: {}", ran.err);
        let errors: Vec<&str> = ran
            .err
            .lines()
            .filter(|line| line.starts_with("error:"))
            .collect();
        if err.is_empty() {
            assert_eq!((ran.status, ran.err.as_str()), (Some(0), ""), "{input:?}");
        } else {
            assert_eq!(
                (ran.status, errors.as_slice()),
                (Some(1), &["error: `(` was never closed"][..]),
                "{input:?}"
            );
            assert!(
                ran.err.contains(&format!("--> {err}\n")),
                "{input:?}: {}",
                ran.err
            );
        }
    }
    // Without --keep-going nothing after the error runs.
    let ran = run(&[], "a = (1 +\nb = 2\nc = 3\n");
    assert_eq!((ran.status, ran.out.as_str()), (Some(1), ""), "{ran:?}");
}

// Where answers go.

#[test]
fn answers_on_one_stream_and_the_rest_on_the_other() {
    let ran = run(&["--keep-going"], "a = 2\nln(-a)\n1 + q\n:grad a^2;\na\n");
    assert_eq!((ran.status, ran.out.as_str()), (Some(1), "a = 2\nNaN\n2\n"));
    assert_eq!(
        ran.err,
        "note: ln(-2) is NaN: ln needs x > 0\n \
         --> -:2:4\n\
         2 | ln(-a)\n  \
           |    ^^ is -2\n\
         error: unknown name `q`\n \
         --> -:3:5\n\
         3 | 1 + q\n  \
           |     ^\n\
         help: `q = 2` gives it a value; `:vars` lists all names\n"
    );
}

#[test]
fn errors_say_file_line_and_column() {
    let folder = Folder::new();
    let path = folder.file("a b.calc", "x = 1\n\n  y = (x +\n    q)\n");
    for (arguments, input, place) in [
        (&[path.as_str()][..], "", format!("--> {path}:4:5")),
        (&[], "x = 1; z; y\n", "--> -:1:8".into()),
        (&["-e", "é + q"], "", "--> -e:1:1".into()),
        (&["-e", "é = 1", "-e", "é + q"], "", "--> -e:2:5".into()),
        (&["-e", "1\n2 +"], "", "--> -e:2:4".into()),
    ] {
        let ran = run(arguments, input);
        assert_eq!(ran.status, Some(1), "{arguments:?}");
        assert!(
            ran.err.contains(&format!("{place}\n")),
            "{arguments:?}: {} has no {place}",
            ran.err
        );
    }
}

#[test]
fn progress_is_for_terminals() {
    let ran = run(&[], "x = 3; L = (x - 1)^2; :step 1e-12 600000;\n7\n");
    assert_eq!((ran.status, &*ran.out, &*ran.err), (Some(0), "7\n", ""));
}

#[test]
fn statuses() {
    let folder = Folder::new();
    let good = folder.file("good.calc", "a = 1");
    let bad = folder.file("bad.calc", "1\nq\n2\n");
    for (arguments, input, status, expected) in [
        (&[good.as_str()][..], "", 0, "a = 1\n"),
        (&[bad.as_str()], "", 1, "1\n"),
        (&["--keep-going", bad.as_str()], "", 1, "1\n2\n"),
        (
            &["--keep-going", bad.as_str(), good.as_str()],
            "",
            1,
            "1\n2\na = 1\n",
        ),
        (&[bad.as_str(), good.as_str()], "", 1, "1\n"),
        (&["-e", "q", good.as_str()], "", 1, ""),
        (
            &["--keep-going", "-e", "q", "-e", ":quit", "-e", "1"],
            "",
            1,
            "",
        ),
        // A NaN is a value, not a failure.
        (&["-e", "0/0"], "", 0, "NaN\n"),
        (&["/nowhere/a.calc"], "", 1, ""),
        (
            &["--keep-going", "/nowhere/a.calc", good.as_str()],
            "",
            1,
            "a = 1\n",
        ),
        (&[folder.0.to_str().expect("a plain path")], "", 1, ""),
        (&["--bogus"], "1", 2, ""),
        (&["--digits", "0"], "1", 2, ""),
        (&["--digits", "18"], "1", 2, ""),
        (&["--digits"], "1", 2, ""),
        (&["--color", "green"], "1", 2, ""),
        (&["-e"], "1", 2, ""),
        (&["--json=yes"], "1", 2, ""),
        // The test has no terminal, so it cannot be interactive.
        (&["-i"], "1", 2, ""),
    ] {
        let ran = run(arguments, input);
        assert_eq!(
            (ran.status, ran.out.as_str()),
            (Some(status), expected),
            "{arguments:?}: {}",
            ran.err
        );
        let noted = expected == "NaN\n";
        assert_eq!(
            ran.err.is_empty(),
            status == 0 && !noted,
            "{arguments:?}: {}",
            ran.err
        );
    }
    let ran = run(&["a = 2; b = q"], "");
    assert_eq!(ran.status, Some(1), "a FILE is no statement");
    assert!(
        ran.err.contains("`-e STATEMENT` runs a statement"),
        "{}",
        ran.err
    );
}

#[test]
fn help_and_version_are_answers() {
    for (argument, expected) in [
        ("--help", "--keep-going"),
        ("-h", "--keep-going"),
        ("--version", "chainrule "),
        ("-V", "chainrule "),
    ] {
        let ran = run(&[argument], "");
        assert_eq!((ran.status, ran.err.as_str()), (Some(0), ""), "{argument}");
        assert!(ran.out.contains(expected), "{argument}: {}", ran.out);
    }
    let help = out(&["--help"], "");
    for option in [
        "-e, --eval",
        "-i, --interactive",
        "--json",
        "--keep-going",
        "--color",
        "--digits",
        "--quiet",
        "--no-history",
        "--no-init",
        "--completions <SHELL>",
        "--man",
    ] {
        assert!(help.contains(option), "{option}");
    }
    assert!(
        run(&["--keepgoing"], "").err.contains("--keep-going"),
        "a slip is told what was meant"
    );
}

/// Runs a shell; `None` (with a message) if this shell is not installed.
fn shell(name: &str, arguments: &[&str]) -> Option<Ran> {
    let mut command = std::process::Command::new(name);
    command.args(arguments).env_remove("BASH_ENV");
    command.stdin(Stdio::null());
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    match command.output() {
        Ok(output) => Some(Ran {
            status: output.status.code(),
            out: String::from_utf8_lossy(&output.stdout).into_owned(),
            err: String::from_utf8_lossy(&output.stderr).into_owned(),
        }),
        Err(error) => {
            let _ = writeln!(std::io::stderr(), "SKIPPED: no `{name}` here: {error}");
            None
        }
    }
}

#[test]
fn completions_are_what_shells_accept() {
    let folder = Folder::new();
    for name in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = out(&["--completions", name], "");
        assert!(script.contains("keep-going"), "{name}: {script}");
        let path = folder.file(&format!("complete.{name}"), script);
        let check = ["-n", path.as_str()];
        if ["bash", "zsh", "fish"].contains(&name)
            && let Some(ran) = shell(name, &check)
        {
            assert_eq!((ran.status, ran.err.as_str()), (Some(0), ""), "{name}");
        }
    }
    // In bash the completions are also tried out.
    let path = folder.0.join("complete.bash");
    for (words, expected) in [
        ("chainrule --ke", "--keep-going"),
        ("chainrule --color al", "always"),
        ("chainrule --completions po", "powershell"),
        ("chainrule --no-", "--no-history --no-init"),
        ("chainrule --digits 3 --qu", "--quiet"),
    ] {
        let words: Vec<&str> = words.split(' ').collect();
        let script = format!(
            "source '{}'; COMP_WORDS=({}); COMP_CWORD={}; _chainrule chainrule '{}' '{}'; echo ${{COMPREPLY[*]}}",
            path.display(),
            words.join(" "),
            words.len() - 1,
            words[words.len() - 1],
            words[words.len() - 2],
        );
        if let Some(ran) = shell("bash", &["--norc", "-c", &script]) {
            assert_eq!(
                (ran.out.trim(), ran.err.as_str()),
                (expected, ""),
                "{words:?}"
            );
        }
    }
    let ran = run(&["--completions", "tcsh"], "");
    assert_eq!(ran.status, Some(2));
    assert!(
        ran.err.contains("bash, elvish, fish, powershell, zsh"),
        "{}",
        ran.err
    );
    assert_eq!(
        run(&["--completions", "bash", "a.calc"], "").status,
        Some(2)
    );
}

#[test]
fn the_manual_page_is_one() {
    let page = out(&["--man"], "");
    assert!(page.contains(".TH chainrule 1"), "{page}");
    let folder = Folder::new();
    let path = folder.file("chainrule.1", &page);
    if let Some(ran) = shell("man", &["-l", &path])
        && !ran.err.contains("has been minimized")
    {
        assert_eq!((ran.status, ran.err.as_str()), (Some(0), ""));
        let text = ran.out.replace(['\u{2010}', '\u{8}'], "-");
        for part in ["NAME", "SYNOPSIS", "OPTIONS", "--keep-going"] {
            assert!(text.contains(part), "{part}: {text}");
        }
    }
}

/// The files that `cargo install` needs are in the package.
#[test]
fn the_package_holds_what_it_is_built_from() {
    let arguments = ["package", "--list", "--allow-dirty", "--offline"];
    let mut cargo = std::process::Command::new(env!("CARGO"));
    let listed = cargo
        .args(arguments)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo runs the tests");
    let listed = String::from_utf8_lossy(&listed.stdout).into_owned();
    for file in [
        "Cargo.lock",
        "Cargo.toml",
        "LICENSE",
        "README.md",
        "docs/language.md",
        "grammar/calculator.pest",
        "grammar/python.pest",
        "src/main.rs",
    ] {
        assert!(listed.lines().any(|line| line == file), "{file}: {listed}");
    }
    assert!(!listed.contains("target/"), "{listed}");
}

#[test]
fn a_statement_is_all_or_nothing() {
    let ran = run(&["--keep-going"], "a = 1; b = q\na\nb\nx, y = 1, q\nx\n");
    assert_eq!(
        (ran.status, ran.out.as_str()),
        (Some(1), "1\n"),
        "{}",
        ran.err
    );
    for name in ["`b`", "`x`"] {
        assert!(
            ran.err.contains(&format!("unknown name {name}")),
            "{}",
            ran.err
        );
    }
}

// Options.

#[test]
fn quiet_drops_what_only_confirms() {
    let script = "a = 2\nL = a^2\nL\n:grad L\n:set a 3\n:step 0.5\n:vars\nln(0)\n";
    let ran = run(&["--quiet"], script);
    let table = |a: &str, l: &str, g: &str| {
        format!(
            "  name   expression   data   grad\n  a      leaf            {a}      {g}\n  L      a^2             {l}      1\n"
        )
    };
    assert_eq!(
        ran.out,
        format!(
            "4\n  node   expression   data   grad\n  L      a^2             4      1\n  a      leaf            2      4\n{}-inf\n",
            table("0", "0", "0")
        )
    );
    assert!(ran.err.starts_with("note: ln(0) is -inf"), "{}", ran.err);
    assert_eq!(out(&["-q"], "a = 2\na\n"), "2\n");
    assert_eq!(
        out(&["--quiet", "--json"], "a = 2\na\n"),
        "{\"kind\":\"value\",\"file\":\"-\",\"line\":2,\"statement\":\"a\",\"data\":2,\"notes\":[]}\n"
    );
    // An answer that was requested is shown even with --quiet, and `;` silences it.
    assert_eq!(out(&[], "a = 2;\na;\n:grad a^2;\n:set a 3;\na\n"), "3\n");
}

#[test]
fn digits() {
    for (arguments, input, expected) in [
        (&[][..], "2/3", "0.666666666667\n"),
        (&["--digits", "3"], "2/3", "0.667\n"),
        (&["--digits", "17"], "2/3\n0.1", "0.6666666666666666\n0.1\n"),
        (&["--digits", "1"], "2/3", "0.7\n"),
        (
            &["--digits=3"],
            "x = 1/7\n:vars",
            "x = 0.143\n  name   expression    data   grad\n  x      leaf         0.143      ·\n",
        ),
        (
            &["--digits", "3"],
            ":digits 5\n2/3\n:undo\n2/3",
            "→ :config digits 5\ndigits: 3 → 5\n0.66667\nundone: :config digits 5\n0.667\n",
        ),
        // JSON has all digits, whatever the option says.
        (
            &["--digits", "3", "--json"],
            "2/3",
            "{\"kind\":\"value\",\"file\":\"-\",\"line\":1,\"statement\":\"2/3\",\"data\":0.6666666666666666,\"notes\":[]}\n",
        ),
    ] {
        assert_eq!(out(arguments, input), expected, "{arguments:?} {input:?}");
    }
    // An option sets the default, so there is no change to undo.
    assert_eq!(run(&["--digits", "3"], ":undo").status, Some(1));
}

#[test]
fn colour_when_it_is_wanted() {
    let colored = |arguments: &[&str], variables: &[(&str, &str)]| {
        let mut command = program(
            &[
                arguments,
                &["--keep-going", "-e", "a = 2", "-e", ":grad a^2", "-e", "q"],
            ]
            .concat(),
        );
        command.envs(variables.iter().copied());
        let ran = feed(command, b"");
        (ran.out.contains('\u{1b}'), ran.err.contains('\u{1b}'))
    };
    for (arguments, variables, expected) in [
        (&[][..], &[][..], false),
        (&["--color", "auto"], &[], false),
        (&["--color", "always"], &[], true),
        (&["--color", "never"], &[], false),
        (&[], &[("CLICOLOR_FORCE", "1")], true),
        (&[], &[("CLICOLOR_FORCE", "0")], false),
        (&[], &[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")], false),
        (&[], &[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "")], true),
        (&["--color=always"], &[("NO_COLOR", "1")], true),
        (&["--color=never"], &[("CLICOLOR_FORCE", "1")], false),
        // JSON has no colours.
        (&["--json", "--color", "always"], &[], false),
    ] {
        assert_eq!(
            colored(arguments, variables),
            (expected, expected),
            "{arguments:?} {variables:?}"
        );
    }
    // With colours removed, the output is the same as without.
    let script = "a = 2\nL = a^2\n:grad L\n:set a 3\n:step 0.1\n:help grad\n:vars\nq\n";
    let (plain, painted) = (
        run(&["--color", "never"], script),
        run(&["--color", "always"], script),
    );
    assert_eq!(
        (without_escapes(&painted.out), without_escapes(&painted.err)),
        (plain.out, plain.err)
    );
}

fn without_escapes(text: &str) -> String {
    let mut out = String::new();
    let mut parts = text.split("\u{1b}[");
    out.push_str(parts.next().unwrap_or_default());
    for part in parts {
        out.push_str(part.split_once('m').map_or("", |(_, rest)| rest));
    }
    out
}

// JSON.

/// The lecture's session, one statement per line.
const LECTURE: &str = "a, b, c, f = 2, -3, 10, -2;\n# two\n\n# four\nL = (a*b + c)*f\nalpha = 14; alpha\n:grad L\n:set a 3\n:step 0.01\n1+alhpa\n";

/// Do the parts occur in the line in this order? There may be other keys between them.
fn in_order(line: &str, parts: &[&str]) -> bool {
    let mut rest = line;
    parts.iter().all(|part| match rest.split_once(part) {
        Some((_, after)) => {
            rest = after;
            true
        }
        None => false,
    })
}

#[test]
fn json_to_the_letter() {
    let ran = run(&["--json"], LECTURE);
    assert_eq!((ran.status, ran.err.as_str()), (Some(1), ""));
    let lines: Vec<&str> = ran.out.lines().collect();
    assert_eq!(lines.len(), 6, "{}", ran.out);
    assert_eq!(
        lines[0],
        r#"{"kind":"binding","file":"-","line":5,"bindings":[{"name":"L","data":-8}],"notes":[]}"#
    );
    assert_eq!(
        lines[1],
        r#"{"kind":"value","file":"-","line":6,"statement":"alpha","data":14,"notes":[]}"#
    );
    assert_eq!(
        lines[2],
        concat!(
            r#"{"kind":"grad","file":"-","line":7,"root":"L","data":-8,"passes":1,"rows":["#,
            r#"{"id":7,"node":"L","expression":"(a*b + c)*f","op":"*","operands":[6,4],"data":-8,"grad":1,"leaf":false,"free":false},"#,
            r#"{"id":6,"node":"a*b + c","expression":"a*b + c","op":"+","operands":[5,3],"data":4,"grad":-2,"leaf":false,"free":false},"#,
            r#"{"id":5,"node":"a*b","expression":"a*b","op":"*","operands":[1,2],"data":-6,"grad":-2,"leaf":false,"free":false},"#,
            r#"{"id":4,"node":"f","expression":"","op":"","operands":[],"data":-2,"grad":4,"leaf":true,"free":true},"#,
            r#"{"id":3,"node":"c","expression":"","op":"","operands":[],"data":10,"grad":-2,"leaf":true,"free":true},"#,
            r#"{"id":2,"node":"b","expression":"","op":"","operands":[],"data":-3,"grad":-4,"leaf":true,"free":true},"#,
            r#"{"id":1,"node":"a","expression":"","op":"","operands":[],"data":2,"grad":6,"leaf":true,"free":true}"#,
            r#"],"notes":[]}"#
        )
    );
    // The rows are in the order of the pass, the root first.
    assert_eq!(
        lines[3],
        concat!(
            r#"{"kind":"set","file":"-","line":8,"root":"L","changed":["#,
            r#"{"id":7,"node":"L","before":-8,"after":-2,"grad_before":1,"grad":1},"#,
            r#"{"id":6,"node":"a*b + c","before":4,"after":1,"grad_before":-2,"grad":-2},"#,
            r#"{"id":5,"node":"a*b","before":-6,"after":-9,"grad_before":-2,"grad":-2},"#,
            r#"{"id":4,"node":"f","before":-2,"after":-2,"grad_before":4,"grad":1},"#,
            r#"{"id":2,"node":"b","before":-3,"after":-3,"grad_before":-4,"grad":-6},"#,
            r#"{"id":1,"node":"a","before":2,"after":3,"grad_before":6,"grad":6}"#,
            r#"],"notes":[]}"#
        )
    );
    assert_eq!(
        lines[5],
        r#"{"kind":"error","file":"-","line":10,"column":3,"length":5,"message":"unknown name `alhpa`","help":"did you mean `alpha`?"}"#
    );
}

/// The change of a step is exactly what was added: minus the rate times the grad.
#[test]
fn json_of_a_step_to_the_letter() {
    let ran = run(&["--json"], LECTURE);
    let step = ran.out.lines().nth(4).unwrap_or_default();
    let parts = [
        r#"{"kind":"step","file":"-","line":9,"root":"L","rate":0.01,"steps":1,"direction":"down","before":-2,"after":-2.7665640000000002,"values":[-2,-2.7665640000000002],"#,
        r#""rows":[{"id":4,"node":"f","before":-2,"grad":1,"change":-0.01,"after":-2.01"#,
        r#"},{"id":3,"node":"c","before":10,"grad":-2,"change":0.02,"after":10.02"#,
        r#"},{"id":2,"node":"b","before":-3,"grad":-6,"change":0.06,"after":-2.94"#,
        r#"},{"id":1,"node":"a","before":3,"grad":6,"change":-0.06,"after":2.94"#,
        r#"}],"notes":[]}"#,
    ];
    assert!(in_order(step, &parts), "{step}");
}

#[test]
fn json_of_what_is_special() {
    for (arguments, input, expected) in [
        (
            &[][..],
            "a, b = 2, -3",
            r#"{"kind":"binding","file":"-","line":1,"bindings":[{"name":"a","data":2},{"name":"b","data":-3}],"notes":[]}"#,
        ),
        (
            &[],
            "0/0",
            r#"{"kind":"value","file":"-","line":1,"statement":"0/0","data":"NaN","notes":["0/0 is NaN: x/y needs y != 0"]}"#,
        ),
        (
            &[],
            "inf",
            r#"{"kind":"value","file":"-","line":1,"statement":"inf","data":"Infinity","notes":[]}"#,
        ),
        (
            &[],
            "-inf",
            r#"{"kind":"value","file":"-","line":1,"statement":"-inf","data":"-Infinity","notes":[]}"#,
        ),
        (
            &[],
            "-0.0",
            r#"{"kind":"value","file":"-","line":1,"statement":"-0.0","data":-0.0,"notes":[]}"#,
        ),
        (
            &[],
            "0.1 + 0.2",
            r#"{"kind":"value","file":"-","line":1,"statement":"0.1 + 0.2","data":0.30000000000000004,"notes":[]}"#,
        ),
        (
            &["-e", "x = 1"],
            "",
            r#"{"kind":"binding","file":"-e","line":1,"bindings":[{"name":"x","data":1}],"notes":[]}"#,
        ),
        // Silenced statements produce output only for notes and errors.
        (
            &[],
            "a = 2;\n7;\n1 + 1",
            r#"{"kind":"value","file":"-","line":3,"statement":"1 + 1","data":2,"notes":[]}"#,
        ),
        (
            &[],
            "y = ln(0);",
            r#"{"kind":"note","file":"-","line":1,"notes":["ln(0) is -inf: ln needs x > 0"]}"#,
        ),
        (
            &["--keep-going"],
            "q;",
            r#"{"kind":"error","file":"-","line":1,"column":1,"length":1,"message":"unknown name `q`","help":"`:quit` leaves the program; `:vars` lists all names"}"#,
        ),
        // Columns count characters, not bytes, and the line is that of the error.
        (
            &[],
            "ééé = (1 +\n  éé2)",
            r#"{"kind":"error","file":"-","line":2,"column":3,"length":3,"message":"unknown name `éé2`","help":"`éé2 = 2` gives it a value; `:vars` lists all names"}"#,
        ),
        (
            &[],
            "a = \"b\"\u{7}",
            r#"{"kind":"error","file":"-","line":1,"column":8,"length":1,"message":"the invisible character U+0007 is not allowed in a line","help":"delete it, or type the line again"}"#,
        ),
    ] {
        let ran = run(&[&["--json"], arguments].concat(), input);
        assert_eq!(
            (ran.out.trim_end(), ran.err.as_str()),
            (expected, ""),
            "{arguments:?} {input:?}"
        );
    }
}

#[test]
fn json_goes_on_when_it_is_asked_to() {
    let ran = run(&["--json", "--keep-going"], "q\na = 1\n(\n:vars x\n0/0;\na");
    let kinds: Vec<String> = ran
        .out
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).expect("a JSON object a line"))
        .map(|object| {
            format!(
                "{} {}",
                object["kind"].as_str().unwrap_or("?"),
                object["line"]
            )
        })
        .collect();
    assert_eq!(
        kinds,
        [
            "error 1",
            "binding 2",
            "error 3",
            "error 4",
            "note 5",
            "value 6"
        ],
        "{}",
        ran.out
    );
    assert_eq!((ran.status, ran.err.as_str()), (Some(1), ""));
    let ran = run(&["--json"], "1\nq\n2");
    assert_eq!(
        (ran.status, ran.out.lines().count()),
        (Some(1), 2),
        "{}",
        ran.out
    );
    // A missing file is a failure like others; a wrong option is a usage error.
    let ran = run(&["--json", "/nowhere/a.calc"], "");
    assert!(
        ran.out
            .starts_with(r#"{"kind":"error","file":"/nowhere/a.calc","line":1,"column":1,"#),
        "{}",
        ran.out
    );
    let ran = run(&["--json", "--bogus"], "");
    assert_eq!((ran.status, ran.out.as_str()), (Some(2), ""));
}

// Hostile input.

#[test]
fn invalid_utf8_is_an_error_with_a_place() {
    for (input, place, out) in [
        (&b"a = 1\nb = \xff2\nc = 3\n"[..], "-:2:5", "a = 1\nc = 3\n"),
        (b"caf\xe9 = 2\n", "-:1:4", ""),
        (b"\xff\xfe1\x000\x00\n", "-:1:1", ""),
        (b"# \xe2\x28\xa1\n1\n", "-:1:3", "1\n"),
        (b"1\n2 + \xe2\x88", "-:2:5", "1\n"),
        // A statement with an invalid line in it is dropped as a whole.
        (b"a = (1 +\n\xff\n2\n", "-:2:1", "2\n"),
    ] {
        let shown = String::from_utf8_lossy(input);
        let ran = run(&["--keep-going"], input);
        assert_eq!(
            (ran.status, ran.out.as_str()),
            (Some(1), out),
            "{shown:?}: {}",
            ran.err
        );
        assert!(
            ran.err.contains("is not UTF-8") && ran.err.contains(&format!("--> {place}\n")),
            "{shown:?}: {}",
            ran.err
        );
    }
}

#[test]
fn control_characters_never_come_out() {
    let hostile = [
        '\u{0}', '\u{7}', '\u{8}', '\u{b}', '\u{c}', '\u{1b}', '\u{7f}', '\u{85}', '\u{9b}',
        '\u{200b}', '\u{202e}', '\u{2066}', '\u{feff}', '\r',
    ];
    for c in hostile {
        let mut lines = vec![
            format!("1 + {c}2"),
            format!("a{c}b"),
            format!(":grad {c}x"),
            format!(":{c}x"),
            format!("# {c}x"),
            format!("\"{c}\""),
            format!("q + {c}[31m"),
            format!(":help {c}a"),
            format!(":del {c}a"),
        ];
        if c != '\r' {
            lines.extend([format!(":grad {c}"), format!("1{c}"), format!(":{c}")]);
        }
        let count = lines.len();
        let script = lines.join("\n") + "\n2\n";
        for arguments in [&["--keep-going"][..], &["--keep-going", "--json"]] {
            let ran = run(arguments, &script);
            let code = format!("U+{:04X} is not allowed in a line", u32::from(c));
            let all = ran.out + &ran.err;
            assert_eq!(ran.status, Some(1), "{code} {arguments:?}: {all}");
            assert!(!all.contains(c), "{code} {arguments:?}: {all:?}");
            assert_eq!(
                all.matches(&code).count(),
                count,
                "{code} {arguments:?}: {all}"
            );
            assert!(
                all.contains("2\n") || all.contains("\"data\":2"),
                "{code} {arguments:?}: the next line runs"
            );
        }
    }
    // The same for control characters in a file name.
    let ran = run(&["no\u{1b}[31mwhere.calc"], "");
    assert_eq!(ran.status, Some(1));
    assert!(!ran.err.contains('\u{1b}'), "{:?}", ran.err);
}

/// A debug build has the largest stack frames, so it is the strictest test against stack overflow.
#[test]
fn large_inputs_do_not_crash() {
    let sum = vec!["x"; 200_000].join("+");
    let tower = vec!["x"; 1_000].join("^");
    for (what, input, expected) in [
        (
            "a sum of 200,000 terms",
            format!("x = 2;\ny = {sum}\n:grad y;\nx.grad"),
            "y = 400000\n200000\n".to_string(),
        ),
        (
            "a thousand minus signs",
            format!("x = 2;\n{}x", "-".repeat(1_000)),
            "2\n".to_string(),
        ),
        (
            "200,000 products",
            format!("x = -1;\nx{}", "*-x".repeat(200_000)),
            "-1\n".to_string(),
        ),
        // By the power rule the slope of any tower of ones is 1.
        (
            "a tower of powers",
            format!("x = 1;\ny = {tower}\n:grad y;\nx.grad"),
            "y = 1\n1\n".to_string(),
        ),
        (
            "brackets in brackets",
            format!("{}7{}", "(".repeat(500), ")".repeat(500)),
            "7\n".to_string(),
        ),
        (
            "calls in calls",
            format!("{}7{}", "abs(".repeat(500), ")".repeat(500)),
            "7\n".to_string(),
        ),
        (
            "lists in lists",
            format!(
                "W = [[1]];\nw = [1];\n{}1{}",
                "w[".repeat(500),
                "]".repeat(500)
            ),
            "1\n".to_string(),
        ),
        (
            "a hundred thousand calls behind one another",
            format!("7{}", ".abs()".repeat(100_000)),
            "7\n".to_string(),
        ),
        (
            "200,000 statements on a line",
            "1;".repeat(200_000) + "2",
            "2\n".to_string(),
        ),
    ] {
        let start = Instant::now();
        let ran = run(&[], input);
        assert_eq!(
            (ran.status, ran.out.as_str()),
            (Some(0), expected.as_str()),
            "{what}: {}",
            ran.err
        );
        assert!(
            start.elapsed() < Duration::from_mins(1),
            "{what}: {:?}",
            start.elapsed()
        );
    }
}

#[test]
fn too_much_is_refused_early() {
    let million = 1_000_000;
    for (what, line) in [
        (
            "a million brackets",
            format!("{}7{}", "(".repeat(million), ")".repeat(million)),
        ),
        (
            "a million brackets that are never closed",
            "(".repeat(million),
        ),
        (
            "a million brackets that were never opened",
            ")".repeat(million),
        ),
        (
            "a million calls",
            format!("{}7{}", "abs(".repeat(million), ")".repeat(million)),
        ),
        (
            "a command of a million brackets",
            format!(":grad {}", "(".repeat(million)),
        ),
    ] {
        let start = Instant::now();
        let ran = run(&["--keep-going"], format!("a = 1;\n{line}\na + 1\n"));
        let took = start.elapsed();
        assert_eq!(
            (ran.status, ran.out.as_str()),
            (Some(1), "2\n"),
            "{what}: {}",
            ran.err
        );
        assert!(
            ran.err.contains("--> -:2:") && ran.err.len() < 2_000,
            "{what}: {}",
            ran.err
        );
        assert!(took < Duration::from_secs(20), "{what}: {took:?}");
    }
}

// Time: what is said when, and to whom.

#[test]
fn an_answer_comes_before_the_next_question() {
    let mut talk = Talk::start(&[]);
    for (line, answer) in [
        ("a = 2\n", "a = 2"),
        ("a*3\n", "6"),
        ("b = (a +\n1)\n", "b = 3"),
        ("1;\n2\n", "2"),
    ] {
        talk.say(line);
        assert_eq!(talk.hear(), answer, "{line}");
    }
    // The last line needs no line break.
    talk.say("a + b");
    assert_eq!(talk.end(), (Some(0), vec!["5".to_string()], String::new()));
}

#[test]
fn answers_come_before_the_messages_after_them() {
    let folder = Folder::new();
    let script = folder.file("a.calc", "1\nq\n2\nln(0)\n3\n");
    // Both streams go into one file, as on a terminal.
    let path = folder.0.join("both");
    let file = fs::File::create(&path).expect("a file for the test");
    let mut command = program(&["--keep-going", &script]);
    command
        .stdout(file.try_clone().expect("a second handle"))
        .stderr(file);
    assert_eq!(feed(command, b"").status, Some(1));
    let both = fs::read_to_string(path).expect("the file is there");
    let starts = both
        .lines()
        .filter(|line| !line.starts_with([' ', 'h']) && !line.contains(" | "))
        .collect::<Vec<_>>();
    assert_eq!(
        starts,
        [
            "1",
            "error: unknown name `q`",
            "2",
            "-inf",
            "note: ln(0) is -inf: ln needs x > 0",
            "3"
        ],
        "{both}"
    );
}

#[test]
fn ctrl_c_ends_a_script_that_waits() {
    let mut talk = Talk::start(&[]);
    talk.say("a = 2\n");
    talk.hear();
    talk.signal("-INT");
    let start = Instant::now();
    let status = ended(&mut talk.child).code();
    assert_eq!(status, Some(130), "after {:?}", start.elapsed());
}

#[test]
fn ctrl_c_ends_a_statement_that_lasts() {
    let building = format!("y = {}", vec!["x"; 3_000_000].join("+"));
    // Many terms, because ten million steps over a few nodes take less than half a second.
    let many = " + tanh(x)".repeat(200);
    for statement in [":step 1e-9 10000000", building.as_str()] {
        let mut talk = Talk::start(&["--json"]);
        talk.say(&format!("x = 1; L = x^2{many}\nL\n{statement}\n2\n"));
        // The answers before the long statement are shown first, so it has begun or is about to.
        assert!(
            talk.hear().contains("\"kind\":\"binding\"")
                && talk.hear().contains("\"kind\":\"value\"")
        );
        talk.signal("-INT");
        let (status, rest, err) = talk.end();
        let what = &statement[..statement.len().min(30)];
        assert_eq!(status, Some(130), "{what}: {rest:?} {err}");
        // The interrupted statement binds nothing, and the statements after it do not run.
        let told = |text: &str| rest.iter().any(|line| line.contains(text));
        assert!(
            !told("\"data\":2,") && !told("\"name\":\"y\""),
            "{what}: {rest:?}"
        );
        if let Some(step) = rest
            .first()
            .filter(|line| line.contains("\"kind\":\"step\""))
        {
            let step: serde_json::Value = serde_json::from_str(step).expect("a JSON object");
            let (steps, values) = (
                step["steps"].as_u64(),
                step["values"].as_array().map(Vec::len),
            );
            assert!(steps.is_some_and(|steps| steps < 10_000_000), "{steps:?}");
            assert_eq!(
                steps.map(|steps| steps as usize + 1),
                values,
                "a value for each step and the first"
            );
        }
    }
}

#[test]
fn a_closed_pipe_ends_quietly() {
    // The reader is closed from the start, as after `| true`.
    let mut child = program(&["--keep-going"])
        .spawn()
        .expect("the program can be started");
    drop(child.stdout.take());
    let err = gathered(child.stderr.take().expect("it is piped"));
    let mut stdin = child.stdin.take().expect("it is piped");
    let writer = thread::spawn(move || {
        for _ in 0..200_000 {
            if stdin.write_all(b"1 + 1\n").is_err() {
                return;
            }
        }
    });
    assert_eq!(ended(&mut child).code(), Some(0));
    writer.join().expect("the writer ends");
    assert_eq!(
        String::from_utf8_lossy(&err.recv_timeout(PATIENCE).expect("the pipe ends")),
        ""
    );
    // The reader reads one line and closes, as `head -1` does; the input is endless.
    let mut child = program(&["--json"])
        .spawn()
        .expect("the program can be started");
    let err = gathered(child.stderr.take().expect("it is piped"));
    let mut stdin = child.stdin.take().expect("it is piped");
    let writer = thread::spawn(move || while stdin.write_all(b"a = 1; ln(0); a\n").is_ok() {});
    let mut first = String::new();
    let mut reader = BufReader::new(child.stdout.take().expect("it is piped"));
    reader.read_line(&mut first).expect("a line comes");
    drop(reader);
    assert_eq!(ended(&mut child).code(), Some(0));
    writer.join().expect("the writer ends");
    assert_eq!(
        String::from_utf8_lossy(&err.recv_timeout(PATIENCE).expect("the pipe ends")),
        ""
    );
    assert!(first.starts_with('{'), "{first}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_told() {
    let full = || {
        fs::OpenOptions::new()
            .write(true)
            .open("/dev/full")
            .expect("the system has it")
    };
    for arguments in [
        &["-e", "1"][..],
        &["--help"],
        &["--version"],
        &["--json", "-e", "1"],
    ] {
        let mut command = program(arguments);
        command.stdout(full());
        let ran = feed(command, b"");
        assert_eq!(ran.status, Some(1), "{arguments:?}");
        assert_eq!(
            ran.err, "error: standard output cannot be written: no space left on device\n",
            "{arguments:?}"
        );
    }
    // A message that cannot be written does not end the run.
    let mut command = program(&["--keep-going", "-e", "q", "-e", "1"]);
    command.stderr(full());
    let ran = feed(command, b"");
    assert_eq!((ran.status, ran.out.as_str()), (Some(1), "1\n"));
}

#[test]
fn what_cannot_be_read_is_told() {
    let folder = Folder::new();
    let name = folder.0.to_string_lossy().into_owned();
    let missing = format!("{name}/missing.calc");
    let ran = run(&[&missing], "");
    assert_eq!((ran.status, ran.err.as_str()), (Some(1), format!("error: there is no file `{missing}`\nhelp: a FILE is a script; `-e STATEMENT` runs a statement\n").as_str()));
    let ran = run(&[&name], "");
    assert_eq!(
        (ran.status, ran.err.as_str()),
        (
            Some(1),
            format!(
                "error: `{name}` is a folder, a script was expected\nhelp: name the files in it\n"
            )
            .as_str()
        )
    );
    // A file without read permission. (The superuser may read it nevertheless.)
    let locked = folder.file("locked.calc", "1");
    fs::set_permissions(&locked, std::os::unix::fs::PermissionsExt::from_mode(0o000))
        .expect("permissions can be set");
    if fs::read(&locked).is_err() {
        let ran = run(&[&locked], "");
        assert_eq!(
            (ran.status, ran.err.as_str()),
            (
                Some(1),
                format!("error: `{locked}` may not be read: permission denied\n").as_str()
            )
        );
    }
    // A folder as standard input.
    let mut command = program(&["-e", "1", "-"]);
    command.stdin(fs::File::open(&folder.0).expect("a folder can be opened"));
    let ran = feed(command, b"");
    assert_eq!(
        (ran.status, ran.out.as_str()),
        (Some(1), "1\n"),
        "{}",
        ran.err
    );
    assert!(ran.err.starts_with("error: `-` "), "{}", ran.err);
}
