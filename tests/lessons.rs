//! Lessons where there is no prompt: `:play` in scripts and pipes runs all of one, and the built-in lessons lead from one
//! to the next. `tests/keys/lessons.txt` shows them at the prompt.

use std::collections::BTreeSet;
use std::fs;

use serde_json::Value;

use crate::common::process::{Folder, feed, out, program, run};
use crate::common::project::{Source, at, files};

/// The lessons without a number, behind the others.
const WITHOUT_NUMBER: [&str; 2] = ["iris", "regression"];

/// The lessons that read a table, and its name.
const WITH_TABLES: [(&str, &str); 3] = [
    ("network", "moons"),
    ("iris", "iris"),
    ("regression", "regression"),
];

/// The scripts of `examples/` that are lessons, in their order: name, file and text.
fn lessons() -> Vec<(String, String, String)> {
    let mut lessons = Vec::new();
    for Source { path, text } in files("examples", ".calc") {
        let stem = path["examples/".len()..].trim_end_matches(".calc");
        let place = match stem.split_once('_') {
            Some((number, _)) => number.parse().ok(),
            None => (WITHOUT_NUMBER.iter().position(|it| *it == stem)).map(|place| 100 + place),
        };
        if let Some(place) = place {
            let name = stem.rsplit('_').next().unwrap_or(stem).to_owned();
            lessons.push((place, (name, path, text)));
        }
    }
    lessons.sort();
    lessons.into_iter().map(|(_, lesson)| lesson).collect()
}

#[test]
fn the_examples_are_the_built_in_lessons() {
    let lessons = lessons();
    let listed = out(&["--no-init"], ":play\n");
    assert_eq!(listed.lines().count(), lessons.len(), "{listed}");
    let course = fs::read_to_string(at("docs/course.md")).expect("the page of the course");
    for (line, (name, path, text)) in listed.lines().zip(&lessons) {
        let links = format!("| `:play {name}` | `#play={name}` |");
        let is_of_course = path.contains('_') && name != "tour";
        assert_eq!(course.contains(&links), is_of_course, "{name}");
        let title = text
            .lines()
            .next()
            .expect("a title")
            .trim_start_matches("# ");
        assert!(
            line.starts_with(&format!("  :play {name} ")) && line.ends_with(title),
            "{line}"
        );
        assert!(title.ends_with('.') && title.len() < 60, "{title}");
        for line in text.lines() {
            assert!(line.chars().count() <= 120, "{line}");
            // In a document, stars around words make them slanted: a product belongs between backticks.
            let prose: String = line.split('`').step_by(2).collect();
            assert!(!(line.starts_with('#') && prose.contains('*')), "{line}");
        }
    }
}

/// A lesson answers the same whether it is played or run as a script.
#[test]
fn a_lesson_in_a_pipe_is_the_script_with_its_comments() {
    for (name, file, text) in lessons() {
        let played = run(&["--no-init", "-e", &format!(":play {name}")], "");
        let file = at(&file).to_string_lossy().into_owned();
        let script = run(&["--no-init", &file], "");
        assert_eq!(played.status, Some(0), "{played:?}");
        assert_eq!(script.status, Some(0), "{script:?}");
        let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
        // The answers are there in their order, with statements and words between them.
        let played_lines = lines(&played.out);
        let mut rest = played_lines.iter();
        for answer in lines(&script.out) {
            assert!(rest.any(|line| *line == answer), "{name}: {answer}");
        }
        let statements = text
            .lines()
            .filter(|line| !(line.starts_with('#') || line.is_empty()))
            .count();
        let shown = played.out.lines().filter(|line| line.starts_with("∂> "));
        assert_eq!(shown.count(), statements, "{name}");
    }
}

/// What a student types where a lesson asks, worked out by hand.
const ANSWERS: [(&str, &[&str]); 7] = [
    ("slope", &["14", "-22", "-3", "2", "1"]),
    (
        "chain",
        &[
            "1", "-2", "4", "-2", "-2", "6", "-4", "4", "-2", "-2", "-2", "6", "-4",
        ],
    ),
    ("twice", &["2", "6", "-3", "-3"]),
    ("neuron", &["0.5", "0.5", "1", "-1.5", "0"]),
    ("tanh", &["7.39", "-0.25", "0.5", "0.0429", "1"]),
    ("learning", &["-3.81", "2(o - 1)*(1 - o^2)"]),
    ("network", &["-0.709", "3.46"]),
];

/// Every lesson takes the numbers that students find, and asks no question twice.
#[test]
fn lessons_take_the_numbers_that_students_type() {
    for (name, _, text) in lessons() {
        let of_lesson = ANSWERS.iter().find(|(lesson, _)| *lesson == name);
        let answers = of_lesson.map_or(&[][..], |(_, answers)| answers);
        let mut rest = answers.iter();
        let mut asked = BTreeSet::new();
        let mut script = String::new();
        for line in text.lines() {
            if let Some(guess) = line.strip_prefix(":guess ") {
                let node = guess.split(' ').next().expect("a node");
                let root = guess.find(" of ").map_or("", |at| &guess[at..]);
                assert!(asked.insert((node, root)), "{name} asks twice: {line}");
                let answer = rest.next().unwrap_or_else(|| panic!("{name}: {line}"));
                script.extend([":guess ", node, " ", answer, root, "\n"]);
                continue;
            }
            script.extend([line, "\n"]);
            if line.starts_with(":walk ") && line.ends_with(" ask") {
                script.extend(rest.by_ref().flat_map(|answer| [answer, "\n"]));
            }
        }
        let ran = run(&["--no-init"], script);
        assert_eq!(ran.status, Some(0), "{name}: {}", ran.err);
        let right = ran.out.matches("right: ").count();
        assert_eq!(right, answers.len(), "{name}: {}", ran.out);
    }
}

/// The tables of the lessons are part of the program. A file of the user's is read before them.
#[test]
fn a_lesson_has_its_table_everywhere() {
    for (name, table) in WITH_TABLES {
        let folder = Folder::new();
        let in_folder = |line: &str| {
            let mut command = program(&["--no-init", "-e", line]);
            command.current_dir(&folder.0);
            feed(command, b"")
        };
        let expected = out(&["--no-init", "-e", &format!(":play {name}")], "");
        let data = format!("{table}.csv");
        fs::write(folder.0.join(&data), "own\n1\n2\n").expect("data");
        // A lesson reads its own.
        let played = in_folder(&format!(":play {name}"));
        assert_eq!((played.status, &*played.out), (Some(0), &*expected));
        let own = in_folder(&format!(":data {data}"));
        assert_eq!(own.out, "own: 2 rows\n");
        fs::remove_file(folder.0.join(&data)).expect("data");
        let read = in_folder(&format!(":data {data}"));
        assert!(
            read.status == Some(0) && read.out.contains(" rows"),
            "{read:?}"
        );
    }
}

/// Nothing of a file reaches the terminal but characters.
#[test]
fn a_played_file_does_not_act_on_the_terminal() {
    let folder = Folder::new();
    for acting in [
        "\u{1b}]0;title\u{7}\u{1b}[31m",
        "\u{9b}31m",
        "\u{202e}",
        "\u{8}",
        "\u{7f}",
        "\r1",
    ] {
        for (place, lesson) in [
            ("a comment", format!("# one {acting} two\na = 1\n")),
            ("behind a statement", format!("a = 1 # one {acting} two\n")),
            (
                "a second line",
                format!("a = [1, # one {acting} two\n 2]\n"),
            ),
        ] {
            fs::write(folder.0.join("l.calc"), &lesson).expect("a lesson");
            for options in [&[][..], &["--color=never", "--keep-going"]] {
                let mut command = program(options);
                command
                    .args(["--no-init", "-e", ":play l.calc"])
                    .current_dir(&folder.0);
                let ran = feed(command, b"");
                let acts = |c: char| c.is_control() && c != '\n' || c == '\u{202e}';
                assert!(
                    !ran.out.contains(acts) && !ran.err.contains(acts),
                    "{place}: {ran:?}"
                );
                assert!(ran.out.contains("one "), "{place}: {ran:?}");
            }
        }
    }
}

#[test]
fn a_file_is_played_with_its_comments() {
    let folder = Folder::new();
    let lesson = "#!/usr/bin/env chainrule\n## Leaves\n# The mass, in kg, and\n# its `square`.\n#\n\
                  #     as it is\nm = 2  # kg\n# A list over lines.\nw = [1,\n     2]\n:data points.csv\n# The end.\n";
    fs::create_dir(folder.0.join("in")).expect("a folder");
    fs::write(folder.0.join("in/l.calc"), lesson).expect("a lesson");
    fs::write(folder.0.join("in/points.csv"), "p\n1\n2\n").expect("data");
    let in_folder = |arguments: &[&str], input: &str| {
        let mut command = program(arguments);
        command.current_dir(&folder.0);
        feed(command, input.as_bytes())
    };
    let ran = in_folder(&["--no-init"], ":play in/l.calc\nm^2\n");
    assert_eq!(ran.status, Some(0), "{ran:?}");
    assert_eq!(
        ran.out,
        "Leaves\n\nThe mass, in kg, and its `square`.\n\nas it is\n∂> m = 2  # kg\nm = 2\nA list over lines.\n\
         ∂> w = [1,\n     2]\nw = [1, 2]\n∂> :data points.csv\np: 2 rows\nThe end.\n4\n"
    );
    // For programs the words are objects of their own.
    let ran = in_folder(&["--no-init", "--json"], ":play in/l.calc\n");
    let kinds: Vec<String> = ran
        .out
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).expect("JSON"))
        .map(|object| object["kind"].as_str().expect("a kind").to_owned())
        .collect();
    assert_eq!(
        kinds,
        ["play", "binding", "play", "binding", "data", "play"]
    );
    // A failing statement stops it like any script, with its place in the lesson.
    fs::write(folder.0.join("bad.calc"), "# Ok.\na = 1\n\nb = q\nc = 3\n").expect("a lesson");
    let ran = in_folder(&["--no-init"], ":play bad.calc\nd = 4\n");
    assert_eq!(
        (ran.status, &*ran.out),
        (Some(1), "Ok.\n∂> a = 1\na = 1\n∂> b = q\n")
    );
    assert!(ran.err.contains("bad.calc:4:5"), "{}", ran.err);
    let ran = in_folder(&["--no-init", "--keep-going"], ":play bad.calc\nd = 4\n");
    assert!(ran.out.ends_with("∂> c = 3\nc = 3\nd = 4\n"), "{}", ran.out);
    // `:quit` ends the lesson, and one cannot play itself.
    fs::write(folder.0.join("q.calc"), "a = 1\n:quit\nb = 2\n").expect("a lesson");
    let ran = in_folder(&["--no-init"], ":play q.calc\nd = 4\n");
    assert_eq!(ran.out, "∂> a = 1\na = 1\n∂> :quit\nd = 4\n");
    fs::write(folder.0.join("r.calc"), "a = 1\n:play r.calc\n").expect("a lesson");
    let ran = in_folder(&["--no-init"], ":play r.calc\n");
    assert_eq!(ran.status, Some(1));
    assert!(
        ran.err.contains("a lesson is being played already"),
        "{}",
        ran.err
    );
}

#[test]
fn what_cannot_be_played_is_told() {
    let folder = Folder::new();
    fs::write(folder.0.join("empty.calc"), "# nothing\n").expect("a file");
    fs::write(folder.0.join("latin.calc"), b"# \xe9\na = 1\n").expect("a file");
    for (line, message, help) in [
        (":play nofile.calc", "there is no file `nofile.calc`", ""),
        (
            ":play empty.calc",
            "`empty.calc` has no statements",
            "a lesson is a script",
        ),
        (
            ":play latin.calc",
            "`latin.calc` is not UTF-8",
            "save it in UTF-8",
        ),
        (
            ":play neuro",
            "there is no lesson `neuro`",
            "did you mean `:play neuron`?",
        ),
        (
            ":play mine",
            "there is no lesson `mine`",
            "`:play mine.calc`",
        ),
        (
            ":play a.txt",
            "no ending that is known here: `.calc`",
            "a built-in lesson or a script",
        ),
        (":play next", "no lesson is open", "at the prompt"),
        (":play 3", "no lesson is open", "at the prompt"),
        (":play stop", "no lesson is open", "at the prompt"),
        (":tour 3", "no lesson is open", "at the prompt"),
    ] {
        let mut command = program(&["--no-init"]);
        command.current_dir(&folder.0);
        let ran = feed(command, line.as_bytes());
        assert_eq!(ran.status, Some(1), "{line}: {ran:?}");
        assert!(
            ran.err.contains(message) && ran.err.contains(help),
            "{line}: {}",
            ran.err
        );
    }
}
