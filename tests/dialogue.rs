//! The dialogue with other programs, `--dialogue`: the transcript of its manual, forms of answers, wrong requests, entries
//! that follow leaves, and how requests are stopped.

use std::thread::sleep;
use std::time::Duration;

use crate::common::process::{Talk, feed, program, run};
use crate::common::project::at;

/// The lines that the program writes for these requests.
fn answers(requests: &[&str]) -> Vec<String> {
    let run = run(&["--dialogue"], &(requests.join("\n") + "\n"));
    assert_eq!((run.status, &*run.err), (Some(0), ""));
    run.out.lines().map(str::to_owned).collect()
}

/// The lines for a request after these statements.
fn after(statements: &str, request: &str) -> String {
    let first = format!("{{\"id\":0,\"run\":{statements:?}}}");
    let lines = answers(&[&first, request]);
    let own = lines
        .into_iter()
        .filter(|line| !line.starts_with("{\"id\":0,"));
    own.collect::<Vec<_>>().join("\n")
}

#[test]
fn the_transcript_of_the_manual_is_what_the_program_answers() {
    let page = std::fs::read_to_string(at("docs/guide/dialogue.md")).expect("it is there");
    let lines_with = |begin: &'static str| {
        let lines = page
            .lines()
            .filter_map(move |line| line.strip_prefix(begin));
        lines.collect::<Vec<&str>>()
    };
    assert_eq!(answers(&lines_with("> ")), lines_with("< "));
}

#[test]
fn an_answer_has_the_forms_that_are_wanted() {
    let of = |statement: &str, form: &str| {
        let statements = "a = 2; L = a^2; f(x) = x^3/2;";
        after(
            statements,
            &format!("{{\"id\":1,\"run\":{statement:?},\"want\":[\"{form}\"]}}"),
        )
    };
    assert!(of("L + 1", "values").contains(r#""values":{"kind":"value","file":"-","line":1,"#));
    assert!(of("f'", "latex").contains(r#" = \\frac{3 \\, x^{2}}{2}""#));
    // Names are set as `:export` sets them.
    for (typed, set) in [
        ("pi^2*x", r"\\pi^{2} \\, x"),
        ("v_max*x", r"v_{\\mathrm{max}} \\, x"),
        ("theta^(1/3)*x", r"x \\, \\theta^{\\frac{1}{3}}"),
        ("beta_1^2*k1", r"\\beta_{1}^{2} \\, k_{1}"),
        ("loss*x", r"\\mathit{loss} \\, x"),
        ("x*inf", r"x \\, \\infty"),
    ] {
        let latex = of(&format!(":formula {typed} expand"), "latex");
        assert!(latex.contains(&format!("\"latex\":\"{set}\"")), "{latex}");
    }
    assert!(of(":graph L", "svg").contains("<svg xmlns="));
    assert!(of(":grad L", "html").contains(r#""html":"<table class=\"answer\">"#));
    // What cannot be shown in a form is left out.
    let plain = r#"{"id":1,"answer":{"kind":"value","confirms":false,"output":"result","line":1}}"#;
    assert_eq!(of("L + 1", "svg").lines().next(), Some(plain));
}

#[test]
fn a_cell_has_its_parts_in_their_order() {
    let of = |statement: &str| {
        let statements =
            "def said(x):\n    print(x)\n    return x\n\na = 1; b = 2; M = b*a; wide(x) = x;";
        let request = format!("{{\"id\":1,\"run\":{statement:?},\"want\":[\"cell\"]}}");
        let lines = after(statements, &request);
        let first = lines.lines().next().expect("it is answered");
        let answer: serde_json::Value = serde_json::from_str(first).expect("it is JSON");
        answer["answer"].clone()
    };
    let graph = of(":graph");
    let [above, picture] = &graph["cell"].as_array().expect("it has parts")[..] else {
        panic!("{graph}");
    };
    assert_eq!(above["text"], "of M\n");
    let html = above["html"].as_str().expect("it has words");
    assert!(
        html.starts_with("<p style=") && !html.contains("class="),
        "{html}"
    );
    assert_eq!(picture["text"], "graph of M, 3 nodes");
    let svg = picture["svg"].as_str().expect("it has a picture");
    assert!(svg.contains("width=\"236\"") && !svg.contains("prefers-color-scheme"));
    // A wide picture keeps its proportions.
    let curve = of(":plot wide -1..1")["cell"][0]["svg"].to_string();
    assert!(curve.contains("width=\\\"720\\\""), "{curve:.300}");
    // The size of this curve counts the columns of a terminal.
    let curve = of(":help tanh")["cell"][1]["svg"].to_string();
    assert!(curve.contains("width=\\\"720\\\""), "{curve:.300}");
    // The words of a rule are aligned.
    let rules = of(":formula a^2 steps")["cell"][0]["latex"].to_string();
    assert!(rules.contains("\\\\text{power} & "), "{rules}");
    for (statement, output) in [
        ("c = 3", "none"),
        ("f(x) = x", "none"),
        ("M + 1", "result"),
        ("print(M)", "stream"),
        ("for k in 1..2: print(k)", "stream"),
        ("for k in 1..2: a.data += 1", "display"),
        // What a function prints is shown, although its value is bound.
        ("c = said(3)", "display"),
        (":freeze a", "display"),
        (":help grad", "display"),
    ] {
        assert_eq!(of(statement)["output"], output, "{statement}");
    }
}

#[test]
fn answers_have_colours_only_if_the_option_asks_for_them() {
    let requests = "{\"id\":1,\"run\":\"a = 2; L = a^2; :grad L\\nq\"}\n";
    for (arguments, has_colours) in [
        (&["--dialogue"][..], false),
        (&["--dialogue", "--color=auto"], false),
        (&["--dialogue", "--color=always"], true),
    ] {
        let mut command = program(arguments);
        command.env("CLICOLOR_FORCE", "1");
        let lines = feed(command, requests.as_bytes()).out;
        for part in ["\"answer\":{\"kind\":\"grad\"", "\"error\":"] {
            let line = lines.lines().find(|line| line.contains(part));
            let is_coloured = line.expect(part).contains("\\u001b");
            assert_eq!(is_coloured, has_colours, "{arguments:?}: {part}");
        }
    }
}

#[test]
fn a_wrong_request_is_told_and_changes_nothing() {
    for (request, told) in [
        (
            "{\"id\":1",
            "this is no JSON: EOF while parsing an object at line 1 column 7",
        ),
        ("[1]", "a request is an object"),
        (
            "{\"run\":\"a\"}",
            "a request has an `id`, a number or a text",
        ),
        ("{\"id\":1}", "the request does not say what is wanted"),
        (
            "{\"id\":1,\"put\":\"t.csv\"}",
            "the request lacks the text `text`",
        ),
        (
            "{\"id\":1,\"get\":[\":graph a a.svg\"]}",
            "`:graph a a.svg`: an expression is expected",
        ),
        (
            "{\"id\":1,\"run\":2}",
            "the field `run` has another type: invalid type: integer `2`, expected a string",
        ),
        (
            "{\"id\":1,\"run\":\"b = 1\",\"wnat\":[]}",
            "`wnat` is no field of this request",
        ),
        (
            "{\"id\":1,\"run\":\"b = 1\",\"want\":[\"pdf\"]}",
            "`pdf` is no form of an answer",
        ),
        (
            "{\"id\":1,\"complete\":\"a\",\"cursor\":-1}",
            "the field `cursor` has another type: invalid value: integer `-1`, expected usize",
        ),
        ("{\"id\":1,\"set\":{\"a\":1,\"2\":3}}", "`2` is not a name"),
        (
            "{\"id\":1,\"set\":{\"a\":5,\"b\":\"x\"}}",
            "the value for `b` is a number or a list of numbers",
        ),
        ("{\"id\":1,\"get\":[\"a\",\"q\"]}", "unknown name `q`"),
        (
            "{\"id\":1,\"get\":[\"b = 1\"]}",
            "`b = 1`: an expression is expected",
        ),
        (
            "{\"id\":1,\"stop\":2,\"run\":\"a\"}",
            "`stop` is no field of this request",
        ),
        (
            "{\"id\":1,\"follow\":[0],\"as\":{\"q\":1}}",
            "`as` gives a leaf a number, and `q` is no leaf",
        ),
    ] {
        let lines = answers(&[
            r#"{"id":0,"run":"a = 2;"}"#,
            request,
            r#"{"id":2,"get":["a"]}"#,
            r#"{"id":3,"run":":vars;\nb"}"#,
        ]);
        let error = format!("\"error\":{{\"message\":{}", json(told));
        assert!(lines[1].contains(&error), "{request}: {}", lines[1]);
        assert!(
            lines[2].ends_with(r#""done":"error"}"#),
            "{request}: {}",
            lines[2]
        );
        assert_eq!(
            lines[3], r#"{"id":2,"done":"ok","values":[2]}"#,
            "{request}"
        );
        assert!(
            lines[4].contains("unknown name `b`"),
            "{request}: {}",
            lines[4]
        );
    }
}

/// A text in JSON.
fn json(text: &str) -> String {
    format!("\"{}\"", text.replace('"', "\\\""))
}

#[test]
fn statements_before_an_error_stay() {
    let lines = answers(&[
        r#"{"id":1,"run":"a = 2;\nb = q;\nc = 3;"}"#,
        r#"{"id":2,"get":["a"]}"#,
        r#"{"id":3,"get":["c"]}"#,
    ]);
    assert!(
        lines[0].contains(r#""error":{"line":2,"column":5,"length":1,"#),
        "{}",
        lines[0]
    );
    assert_eq!(lines[2], r#"{"id":2,"done":"ok","values":[2]}"#);
    assert!(lines[3].contains("unknown name `c`"));
}

#[test]
fn numbers_come_back_as_they_were_set() {
    let numbers = r#"[0.1,-0.0,1e300,5e-324,"NaN","Infinity","-Infinity",[1,[2,3]],[]]"#;
    let request = format!("{{\"id\":1,\"set\":{{\"w\":{numbers},\"x\":0.1}}}}");
    let lines = answers(&[&request, r#"{"id":2,"get":["w","x"]}"#]);
    assert_eq!(
        lines[1],
        format!("{{\"id\":2,\"done\":\"ok\",\"values\":[{numbers},0.1]}}")
    );
    // A leaf is moved, so that what was computed of it follows.
    let moved = r#"{"id":1,"set":{"a":3,"w":[1,5]}}"#;
    let lines = answers(&[
        r#"{"id":0,"run":"a = 2;\nw = [1, 2];\nL = a*sum(w);"}"#,
        moved,
        r#"{"id":2,"get":["L","dL/da"]}"#,
        r#"{"id":3,"run":":undo;"}"#,
        r#"{"id":4,"get":["L"]}"#,
    ]);
    assert_eq!(lines[2], r#"{"id":2,"done":"ok","values":[18,6]}"#);
    assert_eq!(lines[4], r#"{"id":4,"done":"ok","values":[6]}"#);
}

#[test]
fn entries_follow_the_leaves_that_move() {
    let text = |line: &str| {
        let (_, rest) = line.split_once("\"text\":\"").expect("it has a text");
        rest.split_once('"').expect("it ends").0.to_owned()
    };
    let lines = answers(&[
        r#"{"id":1,"run":"a = 2;\nb = 5;\not = 1;\nL = a^2;"}"#,
        r#"{"id":2,"run":"L + 1","keep":true}"#,
        r#"{"id":3,"run":"b + 1","keep":true}"#,
        r#"{"id":10,"run":"dot([1, 2], [3, 4])","keep":true}"#,
        r#"{"id":11,"run":"dL/da","keep":true}"#,
        r#"{"id":12,"follow":[2,3],"as":{"ot":2,"a":5}}"#,
        r#"{"id":13,"follow":[2,3],"as":{"ot":2}}"#,
        r#"{"id":4,"run":":set a 3;"}"#,
        r#"{"id":5,"follow":[0,1],"moved":["a"]}"#,
        r#"{"id":6,"follow":[0,1],"as":{"a":10,"b":7}}"#,
        r#"{"id":7,"run":"L = b;"}"#,
        r#"{"id":8,"follow":[0],"as":{"a":1}}"#,
        r#"{"id":9,"get":["a","b"]}"#,
    ]);
    let of = |id: u8| {
        let begin = format!("{{\"id\":{id},\"entry\"");
        let found = lines.iter().filter(move |line| line.starts_with(&begin));
        found.map(|line| text(line)).collect::<Vec<_>>()
    };
    // `dot` is a function, and not `d` before the name `ot`.
    assert_eq!(of(12), ["10   2*a\\n"]);
    assert!(of(13).is_empty());
    assert_eq!(of(5), ["10\\n"]);
    assert_eq!(of(6), ["101\\n", "8\\n"]);
    // The name means something else now.
    assert!(of(8).is_empty());
    assert_eq!(
        lines.last().map(|it| &**it),
        Some(r#"{"id":9,"done":"ok","values":[3,5]}"#)
    );
}

#[test]
fn a_line_is_completed_looked_at_and_explained() {
    let of = |request: &str| after("alpha = 2; L = alpha^2;", request);
    assert_eq!(
        of(r#"{"id":1,"complete":"1 + alp"}"#),
        r#"{"id":1,"done":"ok","start":4,"end":7,"entries":[{"text":"alpha","shown":"alpha","about":"leaf = 2","type":"name"}]}"#
    );
    assert!(of(r#"{"id":1,"complete":"é + :gr","cursor":2}"#).contains("\"start\":2,\"end\":2"));
    // A path is completed as at the prompt: its quotes are closed.
    let folder = at("examples").display().to_string();
    let completed = of(&format!(
        "{{\"id\":1,\"complete\":\":data '{folder}/moo\"}}"
    ));
    let text =
        format!("\"text\":\"'{folder}/moons.csv'\",\"shown\":\"moons.csv\",\"about\":\"file\"");
    assert!(completed.contains(&text), "{completed}");
    for (text, state, indent) in [
        ("a = 1", "whole", ""),
        ("for i in range(3):", "incomplete", "    "),
        ("for i in range(3):\\n    x = i", "incomplete", "    "),
        ("a = (1 +", "incomplete", ""),
    ] {
        let looked = of(&format!("{{\"id\":1,\"look\":\"{text}\"}}"));
        let expected = format!("\"state\":\"{state}\",\"indent\":\"{indent}\"");
        assert!(looked.contains(&expected), "{text}: {looked}");
    }
    assert!(of(r#"{"id":1,"inspect":"L + tanh(1)","cursor":0}"#).contains(r#""text":"4\n""#));
    assert!(
        of(r#"{"id":1,"inspect":"L + tanh(1)","cursor":6}"#).contains("the hyperbolic tangent")
    );
    assert_eq!(
        of(r#"{"id":1,"inspect":"L + zz","cursor":5}"#),
        r#"{"id":1,"done":"ok","found":false}"#
    );
}

#[test]
fn a_table_is_put_and_a_file_is_read() {
    let lines = answers(&[
        r#"{"id":1,"put":"t.csv","text":"x,y\n1,2\n3,4\n"}"#,
        r#"{"id":2,"run":":data t.csv;"}"#,
        r#"{"id":3,"get":["y"]}"#,
        r#"{"id":4,"file":"missing.txt"}"#,
    ]);
    assert_eq!(lines[2], r#"{"id":3,"done":"ok","values":[[2,4]]}"#);
    assert!(
        lines[3].contains("`missing.txt` cannot be read"),
        "{}",
        lines[3]
    );
}

#[test]
fn what_runs_is_stopped_and_what_is_idle_goes_on() {
    let mut talk = Talk::start(&["--dialogue"]);
    let endless = r#"{"id":1,"run":"a = 1;\nprint(a)\nwhile a > 0:\n    a.data = a.data + 1\n"}"#;
    talk.say(&format!("{endless}\n{{\"id\":2,\"run\":\"b = 1;\"}}\n"));
    assert!(talk.hear().contains(r#""kind":"print""#));
    talk.say("{\"id\":3,\"stop\":2}\n");
    assert_eq!(talk.hear(), r#"{"id":3,"done":"ok"}"#);
    sleep(Duration::from_millis(200));
    talk.say("{\"id\":4,\"stop\":1}\n");
    let mut lines: Vec<String> = (0..4).map(|_| talk.hear()).collect();
    lines.sort();
    assert!(lines[0].contains("then interrupted"), "{}", lines[0]);
    assert_eq!(lines[1], r#"{"id":1,"done":"stopped","open":null}"#);
    assert_eq!(
        lines[2..],
        [r#"{"id":2,"done":"stopped"}"#, r#"{"id":4,"done":"ok"}"#]
    );

    // SIGINT stops what runs, and does nothing while nothing runs.
    #[cfg(unix)]
    {
        talk.signal("-INT");
        sleep(Duration::from_millis(100));
        talk.say(&format!("{}\n", endless.replace("\"id\":1", "\"id\":5")));
        assert!(talk.hear().contains(r#""kind":"print""#));
        sleep(Duration::from_millis(200));
        talk.signal("-INT");
        assert!(talk.hear().contains("interrupted"));
        assert_eq!(talk.hear(), r#"{"id":5,"done":"stopped","open":null}"#);
    }
    // So are expressions.
    talk.say("{\"id\":7,\"run\":\"a = 1; f(n) = sum([sin(a*k) for k in range(n)]);\"}\n");
    let slow = ["\"f(200000)\""; 99].join(",");
    talk.say(&format!("{{\"id\":8,\"get\":[{slow}]}}\n"));
    sleep(Duration::from_millis(200));
    talk.say("{\"id\":9,\"stop\":8}\n");
    let lines = std::iter::repeat_with(|| talk.hear());
    let done = lines
        .into_iter()
        .find(|line| line.starts_with(r#"{"id":8,"done""#));
    assert_eq!(done.as_deref(), Some(r#"{"id":8,"done":"stopped"}"#));
    talk.say("{\"id\":6,\"get\":[\"1 + 1\"]}\n");
    assert_eq!(talk.hear(), r#"{"id":6,"done":"ok","values":[2]}"#);
}

/// What a notebook asks while the user types behind a dot.
#[test]
fn methods_are_completed_and_explained() {
    let lines = answers(&[
        r#"{"id":0,"run":"a = 2; L = a^2; :grad L;"}"#,
        r#"{"id":1,"complete":"L.ba"}"#,
        r#"{"id":2,"inspect":"L.backward()","cursor":5}"#,
        r#"{"id":3,"inspect":"a.grad + 1","cursor":4}"#,
        r#"{"id":4,"inspect":"a.tanh()","cursor":4}"#,
    ]);
    for (at, part) in [
        (1, r#""text":"backward()""#),
        (2, r#""text":":backward [T]   run one more pass"#),
        (4, r#""text":"4\n""#),
        (6, r#""text":"tanh(x)   the hyperbolic tangent"#),
    ] {
        assert!(lines[at].contains(part), "{part} in {}", lines[at]);
    }
}
