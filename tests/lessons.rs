//! Lessons without a prompt: `:play` in scripts and pipes runs a whole lesson, and each built-in lesson names the next
//! one. `tests/screens/lessons.txt` records answers about other files, and `tests/screens/keys/lessons.txt` records lessons at
//! the prompt.

use std::collections::BTreeSet;
use std::fs;

use crate::common::process::{out, run};
use crate::common::project::{Source, at, files};

/// The lessons without a number, after the others.
const WITHOUT_NUMBER: [&str; 2] = ["iris", "regression"];

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
    let course = fs::read_to_string(at("docs/tutorial/course.md")).expect("the page of the course");
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
    ("slope", &["14", "6x", "-22", "-3", "2", "1"]),
    (
        "chain",
        &[
            "1", "-2", "4", "-2", "-2", "b*f", "-4", "4", "-2", "-2", "-2", "6", "-4",
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
