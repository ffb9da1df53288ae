//! The program as a process under hostile conditions: texts, sizes and system limits. Full disks and closed streams are
//! recorded in `tests/screens/linux.txt`.
//!
//! In all cases it must end by itself with an exit status, write nothing that affects the terminal, and go on with the
//! session: the last line of most scripts here is a sum whose result must still appear.
#![cfg(unix)]

use std::ffi::OsString;
use std::fmt::Write as _;
use std::fs;
use std::os::unix::ffi::OsStringExt;
use std::process::{Command, Stdio};
use std::rc::Rc;
use std::time::{Duration, Instant};

use crate::common::Random;
use crate::common::invariants::harmless;
use crate::common::process::{Folder, Ran, feed, program, run};
use chainrule::interpret;
use chainrule_language::{MAX_CONTINUATION, MAX_NESTING};
use chainrule_session::limits::{RESULTS, TABLE_ROWS, UNDO_STEPS};
use chainrule_session::{QuietHost, Session};

/// Each case takes a second or two in a debug build; a minute allows for busy machines.
const LONG: Duration = Duration::from_mins(1);

/// Sets the window title, rings the bell, reverses the text direction: must never be written unescaped.
const EVIL: &str = "\u{1b}]0;x\u{7}\u{202e}\u{9b}31m";

/// Runs a script, and checks that a sum after it is still computed.
fn goes_on(what: &str, script: impl AsRef<[u8]>) -> Ran {
    let mut bytes = script.as_ref().to_vec();
    bytes.extend(b"\n1 + 1\n");
    let start = Instant::now();
    let ran = run(&["--keep-going"], bytes);
    let took = start.elapsed();
    assert!(took < LONG, "{what}: {took:?}");
    assert!(
        matches!(ran.status, Some(0 | 1)),
        "{what}: {:?}, {}",
        ran.status,
        head(&ran.err)
    );
    assert!(
        ran.out == "2\n" || ran.out.ends_with("\n2\n"),
        "{what}: the session is lost: {}",
        head(&ran.err)
    );
    harmless(&ran.out);
    harmless(&ran.err);
    ran
}

fn head(text: &str) -> &str {
    &text[..text.floor_char_boundary(2_000)]
}

// Hostile texts.

#[test]
fn names_of_files_and_options_act_on_no_terminal() {
    let folder = Folder::new();
    let script = folder.file(&format!("a{EVIL}.calc"), "1\nq\n(\n0/0\n");
    let missing = format!("{}/b{EVIL}.calc", folder.0.display());
    fs::create_dir(folder.0.join(format!("c{EVIL}.calc"))).expect("a folder");
    let inner = format!("{}/c{EVIL}.calc", folder.0.display());
    let option = format!("--{EVIL}");
    let statement = format!("a{EVIL}");
    for (arguments, status) in [
        (&[script.as_str()][..], 1),
        (&["--keep-going", &script], 1),
        (&["--json", "--keep-going", &script], 1),
        (&[&missing], 1),
        (&["--json", &missing], 1),
        (&[&inner], 1),
        (&[&format!("{script}/d")], 1),
        (&[&option], 2),
        (&["--color=always", &option], 2),
        (&[&format!("--digits={EVIL}")], 2),
        (&["--digits", EVIL], 2),
        (&["--color", EVIL], 2),
        (&[&format!("-{EVIL}")], 2),
        (&[&format!("--json={EVIL}")], 2),
        (&["-e", &statement], 1),
        (&["--json", "-e", &statement], 1),
        (&["-e", &format!("1 # {EVIL}")], 1),
        (&["-e", &format!(":help {EVIL}")], 1),
        (&["-e", &format!("\"{EVIL}\"")], 1),
    ] {
        let ran = run(arguments, "");
        assert_eq!(ran.status, Some(status), "{arguments:?}: {ran:?}");
        harmless(&ran.out);
        harmless(&ran.err);
        assert!(!(ran.out + &ran.err).is_empty(), "{arguments:?} says why");
    }
}

/// Each character that acts on a terminal is refused by name, and never printed.
#[test]
fn control_characters_never_come_out() {
    let lines = [
        "1 + ?2",
        "a?b",
        ":grad ?x",
        ":?x",
        "# ?x",
        "\"?\"",
        "q + ?[31m",
        ":help ?a",
        ":del ?a",
    ];
    // At the end of a line, a `\r` belongs to it.
    let ends = [":grad ?", "1?", ":?"];
    for c in [
        '\u{0}', '\u{7}', '\u{8}', '\u{b}', '\u{c}', '\u{1b}', '\u{7f}', '\u{85}', '\u{9b}',
        '\u{200b}', '\u{202e}', '\u{2066}', '\u{feff}', '\r',
    ] {
        let ends = ends.iter().filter(|_| c != '\r');
        let lines: Vec<&str> = lines.iter().chain(ends).copied().collect();
        let script = lines.join("\n").replace('?', &c.to_string()) + "\n2\n";
        for arguments in [&["--keep-going"][..], &["--keep-going", "--json"]] {
            let ran = run(arguments, &script);
            let code = format!("U+{:04X} is not allowed in a line", u32::from(c));
            let all = ran.out + &ran.err;
            assert_eq!(ran.status, Some(1), "{code} {arguments:?}: {all}");
            harmless(&all);
            assert_eq!(all.matches(&code).count(), lines.len(), "{code}: {all}");
            let goes_on = all.contains("2\n") || all.contains("\"data\":2");
            assert!(goes_on, "{code} {arguments:?}: the next line runs");
        }
    }
}

#[test]
fn arguments_that_are_no_text_are_told() {
    let broken = |text: &str| {
        let mut bytes = text.as_bytes().to_vec();
        bytes.push(0xff);
        OsString::from_vec(bytes)
    };
    for (arguments, status) in [
        (vec![broken("nowhere")], 1),
        (vec!["-e".into(), broken("1 + ")], 1),
        (vec!["--json".into(), "-e".into(), broken("1 + ")], 1),
        (vec![broken("--eval=")], 1),
        (vec![broken("--")], 2),
        (vec!["--digits".into(), broken("3")], 2),
    ] {
        let ran = feed(program(&arguments), b"");
        assert_eq!(ran.status, Some(status), "{arguments:?}: {ran:?}");
    }
}

#[test]
fn every_short_input_is_survived() {
    let mut script = Vec::new();
    let bytes = || (0..=u8::MAX).filter(|byte| *byte != b'\n');
    for one in bytes() {
        script.extend([one, b'\n']);
    }
    for one in bytes() {
        for other in bytes() {
            // `:q` ends the program, as it should.
            if (one, other) != (b':', b'q') {
                script.extend([one, other, b'\n']);
            }
        }
    }
    goes_on("all inputs of one and two bytes", script);
}

#[test]
fn random_bytes_are_survived() {
    let mut random = Random(5);
    let mut byte = |_| match random.below(40) {
        0 => b'\n',
        _ => random.below(256) as u8,
    };
    // None of them forms `:quit`.
    let bytes = (0..300_000).map(&mut byte).filter(|byte| *byte != b':');
    goes_on("random bytes", bytes.collect::<Vec<u8>>());
}

#[test]
fn hostile_lines_are_survived() {
    let texts: &[&[u8]] = &[
        b"\0",
        b"a\0b = 1",
        b"a\xed\xa0\x80 = 1",
        b"\xc0\xaf",
        b"\xf4\x90\x80\x80",
        b"\xff\xfea\0=\x001\0",
        b"a = 1\rb = 2\r",
        b"1\x0b2\x0c3\x085\x7f",
        b"\x1b[2J\x1b]52;c;AAAA\x07",
        b"\xc2\x9b31m",
        "1 + \u{feff}1".as_bytes(),
        "a = 1\u{2028}b = 2".as_bytes(),
        "1\u{85}2".as_bytes(),
        "a\u{202e} = 1".as_bytes(),
        "a\u{200d}b = 1".as_bytes(),
        "\u{e0041}\u{e000}\u{ffff}\u{10ffff}".as_bytes(),
        "\u{301}a".as_bytes(),
        "\u{ff11} \u{ff0b} \u{ff11}".as_bytes(),
        "\u{5d0}\u{5d1} = 1".as_bytes(),
        b"%n%s%p",
        b"`id`; $(id)",
        b"{\"a\": 1}",
        b"<script>",
        b":undo 99999999999999999999",
        b":undo -1",
        b"x = 1; y = x^2; :step nan of y",
        b"x = 1; y = x^2; :step inf of y",
        b"x = 1; y = x^2; :step 0 0 of y",
        b":digits 99999999999999999999999",
        b":config digits -1",
        b":load ''",
        b":load .",
        b":load /dev/null",
        b":load /nowhere/\x1b.calc",
        b":save ''",
        b":save .",
        b":save /dev/null",
        b":save /nowhere/x.calc",
        b"gamma(-170.5) + lgamma(1e308) + 171!",
        b"polygamma(1e9, 1) + polygamma(-1, 1) + polygamma(nan, inf)",
        b"sin(1e308) + mod(5, 0) + rem(5, inf) + nan^0",
        b"x = 1; :set x inf; :set x x; :nudge x 0 of x",
        b"const const = 1; if = 1; if(1, 2, 3)",
        b"a = 1; :del a a a",
        b":help *; :help \x07; :help :help",
        b"f(x) = f(x); f''''(1); f' '(1)",
        b"\\ \\ #\\x",
        b"a = ; = a; = ; == ; a == ",
        b"(;);[;];';';\";\"",
    ];
    let folder = Folder::new();
    let long = format!(":save ./{}.calc", "a".repeat(5_000));
    let deep = format!(":load ./{}x.calc", "a/".repeat(2_500));
    folder.file("self.calc", ":load self.calc\n");
    folder.file("one.calc", "1;\n:load two.calc\n");
    folder.file("two.calc", ":load one.calc\n");
    let files = [&*long, &*deep, ":load self.calc", ":load one.calc"].map(str::as_bytes);
    for view in ["--quiet", "--json"] {
        let mut script = Vec::new();
        for text in texts.iter().chain(&files) {
            script.extend_from_slice(text);
            script.extend_from_slice(b"\n4241 + 1\n");
        }
        let mut command = program(&["--keep-going", view]);
        command.current_dir(&folder.0);
        let ran = feed(command, &script);
        assert_eq!(ran.status, Some(1), "{}", head(&ran.err));
        let lines = ran.out.lines();
        let survived = lines.filter(|line| *line == "4242" || line.contains("\"data\":4242,"));
        assert_eq!(survived.count(), texts.len() + files.len(), "{view}");
        harmless(&ran.out);
        harmless(&ran.err);
        assert!(!(ran.err + &ran.out).contains("internal error"));
    }
}

// Sizes.

#[test]
fn long_lines_are_read_or_refused() {
    // A debug build takes about ten times as long as a release build.
    for (unit, count, wrong) in [
        (";", 20_000, false),
        (" ", 200_000, false),
        ("#", 200_000, false),
        ("\t", 200_000, false),
        ("7", 200_000, true),
        ("e", 200_000, true),
        ("_", 200_000, true),
        ("π", 200_000, true),
        ("-1", 20_000, false),
        ("²", 100_000, true),
        ("'", 50_000, true),
        ("\"", 50_000, true),
        (":", 200_000, true),
        ("!", 5_000, true),
        ("@", 5_000, true),
        ("$", 5_000, true),
        (",", 5_000, true),
        ("=", 20_000, true),
        (".", 20_000, true),
        ("^", 10_000, true),
        ("`", 5_000, true),
        ("a ", 10_000, true),
        (":grad a ", 5_000, true),
        ("x=", 10_000, true),
        ("√", 20_000, true),
        ("\u{301}", 10_000, true),
        ("(", 200_000, true),
        (")", 200_000, true),
        ("abs(", 200_000, true),
        ("1;", 20_000, false),
    ] {
        let ran = goes_on(unit, unit.repeat(count));
        assert_eq!(
            ran.status,
            Some(i32::from(wrong)),
            "{unit}: {}",
            head(&ran.err)
        );
    }
    for (line, wrong) in [
        (format!("0.{}1", "0".repeat(200_000)), false),
        (format!("1e{}", "9".repeat(200_000)), true),
        (format!("0x{}", "f".repeat(200_000)), true),
        (format!("{} = 1;", "a".repeat(200_000)), false),
        (format!(":{}", "x".repeat(200_000)), true),
        (format!("f{}(1)", "'".repeat(200_000)), true),
        (format!("1 {}", "#".repeat(200_000)), false),
    ] {
        let what = &line[..4];
        let ran = goes_on(what, &line);
        assert_eq!(
            ran.status,
            Some(i32::from(wrong)),
            "{what}: {}",
            head(&ran.err)
        );
    }
}

#[test]
fn thousands_of_lines_of_one_statement_end() {
    let open = |count: usize| format!("a = (1 +\n{}3)", "2 +\n".repeat(count));
    let start = Instant::now();
    let ran = run(&[], open(20_000));
    assert_eq!((ran.status, ran.out.as_str()), (Some(1), ""));
    assert!(ran.err.contains("`(` was never closed"), "{}", ran.err);
    assert!(start.elapsed() < LONG, "{:?}", start.elapsed());
    goes_on("many lines in a bracket", open(3_000));
    goes_on("brackets on many lines", "(\n".repeat(3_000));
    goes_on("many lines joined", "1 + \\\n".repeat(20_000) + "1");
}

#[test]
fn errors_about_texts_of_any_length_are_short() {
    let n = "n".repeat(100_000);
    let nines = "9".repeat(100_000);
    for line in [
        format!("{n} + 1"),
        format!("{n}(1)"),
        format!("{n} = 2; {n}(3)"),
        format!("{n}(x) = x; {n}(1, 2)"),
        format!("{n}(x) = {n}(x)"),
        format!("{n}(x) = x; {n} + 1"),
        format!("f(x) = q{n}"),
        format!("a = 1; const {n} = 2a"),
        format!("a.{n}"),
        format!("1_{n}"),
        format!("{n}'"),
        format!("{n}@7"),
        format!("'{n}'"),
        format!("${nines}"),
        format!("0x{n}"),
        nines.clone(),
        format!("{n} {n}"),
        format!("a, {n}, {n} = 1, 2, 3"),
        format!("def {n}():"),
        format!("import {n}"),
        format!(":{n}"),
        format!(":help {n}"),
        format!(":config {n}"),
        format!(":load '{n}'"),
        format!("a = 1; :save '{n}.calc'"),
        format!(":set {n} 3"),
        format!(":grad {n}"),
        format!("a = 1; :grad a wrt {n}"),
        format!(":undo {n}"),
        format!(":step {n}"),
        format!(":digits {n}"),
        format!("a = 1; y = 2a; :walk y; :next {n}"),
        format!("{n} = 1; y = 2*{n}; {n} = 3"),
        format!("{n} = -1; y = ln({n})"),
        format!("a = 1; {n} = 2; grad(a, {n})"),
        "w = [2 for i in 1..100000]; L = prod(w)".to_string(),
        "w = [1e308 for i in 1..100000]; L = sum(w) + hypot(w)".to_string(),
        "1 if 1 else ".repeat(5_000) + "2",
        format!("print(f\"{{2:{n}}}\")"),
    ] {
        let what = format!("{}…", &line[..line.floor_char_boundary(20)]);
        for arguments in [
            &["--keep-going", "--quiet"][..],
            &["--json", "--keep-going"],
        ] {
            let ran = run(arguments, format!("{line}\n:quit\n"));
            let error = ran
                .out
                .lines()
                .find(|line| line.starts_with("{\"kind\":\"error\""));
            let said = error.unwrap_or(&ran.err);
            assert!(said.len() < 1_500, "{what}: {}", head(said));
            let notes = ran
                .out
                .lines()
                .filter_map(|line| line.split_once("\"notes\":"));
            for (_, notes) in notes {
                assert!(notes.len() < 1_500, "{what}: {}", head(notes));
            }
            assert!(!said.is_empty() || ran.status == Some(0), "{what}");
            harmless(said);
        }
    }
}

#[test]
fn statements_of_too_many_lines_are_refused_as_a_whole() {
    let joined = |count: usize| format!("{}1", "1 + \\\n".repeat(count - 1));
    let ran = run(&["--keep-going"], joined(MAX_CONTINUATION));
    assert_eq!(
        ran.out,
        format!("{MAX_CONTINUATION}\n"),
        "{}",
        head(&ran.err)
    );
    let ran = run(&[], joined(MAX_CONTINUATION + 1));
    assert_eq!((ran.status, ran.out.as_str()), (Some(1), ""));
    assert!(
        ran.err.contains("at most 1,000 lines"),
        "{}",
        head(&ran.err)
    );
    assert!(ran.err.contains("--> -:1000:5"), "{}", head(&ran.err));
    let ran = run(
        &[],
        format!("a = 1\n b = ({}", "1 +\n".repeat(MAX_CONTINUATION)),
    );
    assert!(
        ran.err
            .starts_with("error: `(` was never closed within 1,000 lines\n --> -:2:6\n"),
        "{}",
        head(&ran.err)
    );
}

// Limits: the largest allowed size works, and one more is refused.

#[test]
fn limits_are_exact() {
    let nested = |depth: usize| format!("{}1{}", "tanh(".repeat(depth), ")".repeat(depth));
    let lines = |count: usize| format!("({}1)", "1 +\n".repeat(count - 1));
    let results =
        |back: usize| format!("{}${}", "1;".repeat(RESULTS + 50), RESULTS + 50 + 1 - back);
    let changes = |count: usize| format!("{}:undo {count}", "a = 1;".repeat(UNDO_STEPS + 1));
    for (what, limit, script) in [
        (
            "nested at most",
            MAX_NESTING,
            &nested as &dyn Fn(usize) -> String,
        ),
        ("was never closed", MAX_CONTINUATION, &lines),
        ("there is no", RESULTS, &results),
        ("is too many", UNDO_STEPS, &changes),
    ] {
        let ran = goes_on(what, script(limit));
        assert_eq!(ran.status, Some(0), "{what} {limit}: {}", head(&ran.err));
        let ran = goes_on(what, script(limit + 1));
        assert_eq!(ran.status, Some(1), "{what} {limit} and one");
        let first = ran.err.lines().next().unwrap_or_default();
        assert!(first.contains(what), "{what} {limit} and one: {first}");
    }
}

#[test]
fn brackets_too_deep_are_one_error_in_every_place() {
    let places = [
        "{}\n",
        "x = {}\n",
        "f(x) = {}\n",
        "print(f\"{{}}\")\n",
        "for k in range(2): x = {}\n",
        "for k in [{}]:\n    x = 1\n\n",
        "if {} > 0:\n    x = 1\n\n",
        "def f(x):\n    print(1)\n    y = {}\n    print(2)\n\n",
        "def f(x, y={}):\n    print(1)\n\n",
        "def f(x): return {}\n",
        "f = lambda x: {}\n",
        ":set a {}\n",
        ":fit [1, 2] ~ a + {}\n",
        ":plot x x=0..{}\n",
        "a.data = {}\n",
        "a = 1 ± {}\n",
    ];
    for open in ["(", "[", "sin(", "w[", "2("] {
        let close = if open.ends_with('[') { "]" } else { ")" };
        for close in [close.repeat(20_000), String::new()] {
            let deep = open.repeat(20_000) + "1" + &close;
            for place in places {
                let ran = run(&["--keep-going", "-"], place.replacen("{}", &deep, 1));
                let what = format!("{place:?} {open} {}", close.len());
                assert_eq!(ran.status, Some(1), "{what}: {}", head(&ran.err));
                assert_eq!(ran.err.matches("error: ").count(), 1, "{what}");
                let message = format!("error: brackets can be nested at most {MAX_NESTING} deep\n");
                // A block ends with its lines, so an open bracket in it is known earlier.
                let is_open = close.is_empty() && ran.err.contains("was never closed");
                let is_told = ran.err.starts_with(&message) || is_open;
                assert!(is_told, "{what}: {}", head(&ran.err));
            }
            // As it is typed.
            let mut session = Session::new();
            let line = &deep[..interpret::MOST_HIGHLIGHTED.min(deep.len())];
            interpret::highlight(&session, line, line.len());
            interpret::completions(&session, line, line.len());
            let tried = interpret::preview(&mut session, &line[..4_000], Rc::new(QuietHost));
            assert!(tried.answer.is_none());
        }
    }
    let deep = format!("a={}1{}", "(".repeat(20_000), ")".repeat(20_000));
    for arguments in [
        &["--set", &deep, "-"][..],
        &["--echo=md", "-e", &deep],
        &["--echo=html", "-e", &deep],
    ] {
        assert_eq!(
            run(arguments, "1\n").status,
            Some(1),
            "{:?}",
            &arguments[..1]
        );
    }
}

#[test]
fn tables_end_at_their_limit() {
    for more in [0, 1] {
        let mut script = String::new();
        for value in 0..TABLE_ROWS + more {
            let _ = write!(script, "v{value} = {value};");
        }
        let ran = goes_on("rows", script + "\n:vars");
        // One line for the head and one for the sum at the end.
        assert_eq!(ran.out.lines().count(), 1 + TABLE_ROWS + more + 1);
        assert_eq!(ran.out.contains("1 more row"), more == 1);
    }
}

// Files.

// Systems.

/// A shell that sets a limit or closes a stream, and then becomes the program.
fn under(shell: &str, arguments: &[&str]) -> Command {
    let mut command = Command::new("sh");
    command
        .args(["-c", &format!("{shell}; exec \"$@\""), "sh"])
        .arg(env!("CARGO_BIN_EXE_chainrule"))
        .args(arguments)
        .env_remove("RUST_BACKTRACE")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

#[test]
fn a_tiny_stack_is_enough() {
    let deep = |open: &str, inner: &str, close: &str| {
        let [open, close] = [open, close].map(|it| it.repeat(MAX_NESTING));
        format!("{open}{inner}{close}")
    };
    let functions: String = (1..2_000)
        .map(|at| format!("f{at}(x) = f{}(x) + x;\n", at - 1))
        .collect();
    for (line, out) in [
        (deep("(", "1", ")"), "1"),
        (deep("abs(", "1", ")"), "1"),
        (deep("x.max(", "1", ")"), "1"),
        (deep("w[", "0", "]"), "0"),
        (deep("[", "1", "][0]"), "1"),
        (deep("1(", "x", ")"), "1"),
        ("-".repeat(20_000) + "1", "1"),
        ("√".repeat(20_000) + "1", "1"),
        ("1^".repeat(20_000) + "1", "1"),
        (
            format!("y = {};\n:grad y;\nx.grad", vec!["x"; 20_000].join("+")),
            "20000",
        ),
        (
            format!("y = {};\n:grad y;\nx.grad", deep("tanh(", "x - 1", ")")),
            "1",
        ),
        // By the power rule the slope of any tower of ones is 1.
        (
            format!("y = {};\n:grad y;\nx.grad", vec!["x"; 20_000].join("^")),
            "1",
        ),
        (format!("x{}", "*-x".repeat(20_000)), "1"),
        (format!("1{}", ".abs()".repeat(20_000)), "1"),
        (format!("f0(x) = x;\n{functions}f1999(x)"), "2000"),
        ("(".repeat(MAX_NESTING + 1), ""),
    ] {
        let script = format!("x = 1;\nw = [0];\n{line}\n");
        for limits in ["ulimit -s 8192", "ulimit -s 256"] {
            let ran = feed(under(limits, &["--no-init"]), script.as_bytes());
            let status = i32::from(out.is_empty());
            let what = format!("{limits}, {}: {}", head(&line), head(&ran.err));
            assert_eq!(
                (ran.status, ran.out.trim_end()),
                (Some(status), out),
                "{what}"
            );
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn out_of_memory_ends_the_process_with_a_message() {
    let script = format!("x = 2;\ny = {};\n", vec!["x"; 300_000].join(" + "));
    let ran = feed(under("ulimit -v 60000", &["--no-init"]), script.as_bytes());
    assert_eq!((ran.status, ran.out.as_str()), (None, ""));
    assert!(
        ran.err.starts_with("memory allocation of "),
        "{}",
        head(&ran.err)
    );
    let enough = feed(
        under("ulimit -v 4000000", &["--no-init"]),
        script.as_bytes(),
    );
    assert_eq!(enough.status, Some(0), "{}", head(&enough.err));
}

#[test]
fn an_empty_environment_is_enough() {
    let script = "π/π\na = -2\nln(a)\n:grad a^2\nq\n";
    let plain = run(&["--keep-going"], script);
    for variables in [
        &[][..],
        &[("LANG", "C"), ("LC_ALL", "C")],
        &[("TERM", "dumb")],
        &[("TERM", EVIL), ("HOME", EVIL), ("XDG_STATE_HOME", EVIL)],
        &[("HOME", "/nowhere"), ("PATH", "")],
        &[("COLUMNS", "0"), ("LINES", "-1")],
        &[("COLUMNS", "99999999999999999999")],
        &[("NO_COLOR", EVIL), ("CLICOLOR_FORCE", "0")],
        &[("RUST_BACKTRACE", "full"), ("RUST_LOG", "trace")],
    ] {
        let mut command = program(&["--keep-going"]);
        command.env_clear().envs(variables.iter().copied());
        let ran = feed(command, script.as_bytes());
        assert_eq!(
            (ran.status, ran.out, ran.err),
            (plain.status, plain.out.clone(), plain.err.clone()),
            "{variables:?}"
        );
    }
}
