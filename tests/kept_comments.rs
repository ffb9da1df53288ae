//! Comments in saved sessions: `:save` writes those of the statements that bound names, in step with `:del`, `:undo` and
//! `:redo`, and a saved file that is loaded and saved again is the same text.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use crate::common::Random;
use crate::common::process::{Folder, feed, program};

/// What `:save` writes after these lines, without the first line, in a folder with these files.
fn saved_among(files: &[(&str, &str)], lines: &str) -> String {
    let folder = Folder::new();
    for (name, text) in files {
        fs::write(folder.0.join(name), text).expect("a file for the test");
    }
    let mut command = program(&["--no-init", "--quiet"]);
    command.current_dir(&folder.0);
    let ran = feed(command, format!("{lines}\n:save out.calc\n").as_bytes());
    assert_eq!(ran.status, Some(0), "{lines}\n{ran:?}");
    let text = fs::read_to_string(folder.0.join("out.calc")).expect("the saved session");
    let (first, rest) = text.split_once('\n').expect("a first line");
    assert!(first.starts_with("# a session of chainrule "), "{first}");
    rest.to_owned()
}

fn saved(lines: &str) -> String {
    saved_among(&[], lines)
}

/// A saved text without the settings, which are always written.
fn without_settings(text: &str) -> String {
    let lines = text.split_inclusive('\n');
    lines.filter(|line| !line.starts_with(":config ")).collect()
}

/// Saves, loads and saves again: the text must stay the same.
fn holds(text: &str) {
    let header = concat!(
        "# a session of chainrule ",
        env!("CARGO_PKG_VERSION"),
        ": `:load` brings it back, `:save` replaces it\n"
    );
    let file = format!("{header}{text}");
    assert_eq!(saved_among(&[("in.calc", &file)], ":load in.calc"), text);
}

#[test]
fn comments_stand_where_they_stood() {
    for (lines, expected) in [
        ("# the mass\nm = 2", "# the mass\nm = 2;\n"),
        ("m = 2  # the mass", "m = 2;  # the mass\n"),
        (
            "# one\n#  two\n\n# three\nm = 2 # four",
            // Comments at the top that an empty line follows are a heading.
            "# one\n#  two\n\n# three\nm = 2;  # four\n",
        ),
        (
            "a = 1\n# one\n\n# two\nb = 2",
            "a = 1;\n# one\n\n# two\nb = 2;\n",
        ),
        // The first of several names has it.
        (
            "# both\na, b = 2, -3 # leaves\nL = a*b",
            "# both\na = 2;  # leaves\nb = -3;\nL = a*b;\n",
        ),
        (
            "# data\nconst x = [1, 2]  # frozen\n# a sum\ns = sum(x)",
            "# data\nconst x = [1, 2];  # frozen\n# a sum\ns = sum(x);\n",
        ),
        (
            "# a parabola\nf(x) = x^2 # of x\nf(3)",
            "# a parabola\nf(x) = x^2;  # of x\n",
        ),
        // Of another name for a node that is there already.
        ("a = 2\n# also\nb = a", "a = 2;\n# also\nb = a;\n"),
        // One that stands before no binding is dropped, a heading waits.
        ("a = 2\n# look\na^2\nb = 3", "a = 2;\nb = 3;\n"),
        (
            "# Title\n1 + 1\n# the mass\nm = 2",
            "# Title\n\n# the mass\nm = 2;\n",
        ),
        (
            "#!/usr/bin/env chainrule\n# Title\n\nm = 2",
            "# Title\n\nm = 2;\n",
        ),
        // A statement that fails has bound nothing, and a command binds nothing.
        ("a = 2\n# kept\n:set a 3\nb = 1", "a = 3;\nb = 1;\n"),
        // A change in place keeps the comment.
        ("# kept\na = 2\n:set a 3", "# kept\na = 3;\n"),
    ] {
        let text = saved(lines);
        assert_eq!(without_settings(&text), expected, "{lines}");
        holds(&text);
    }
}

#[test]
fn a_new_binding_has_its_own_comments() {
    for (lines, expected) in [
        ("# old\na = 2\na = 3", &[][..]),
        ("# old\na = 2\n# new\na = 3", &["# new"]),
        ("# old\na = 2\na = 3\n:undo", &["# old"]),
        ("# old\na = 2\n# new\na = 3\n:undo\n:redo", &["# new"]),
        ("# old\na = 2\n:del a\nb = 1", &[]),
        ("# old\na = 2\n:del a\n:undo", &["# old"]),
        ("# old\na = 2\n:reset\nb = 1", &[]),
        ("# old\na = 2\n:reset\n:undo", &["# old"]),
        ("# old\nf(x) = x\nf(x) = 2x", &[]),
        ("# old\nf(x) = x\n# new\nf(x) = 2x\n:undo", &["# old"]),
        ("# Title\n\na = 2\n:undo\nb = 1", &[]),
        ("# Title\n\na = 2\n:undo\n:redo", &["# Title"]),
        ("# Title\n\na = 2\na = 3\n:del a\nb = 1", &["# Title"]),
    ] {
        let text = saved(lines);
        let found: Vec<&str> = text.lines().filter(|line| line.starts_with('#')).collect();
        assert_eq!(found, expected, "{lines}\n{text}");
        holds(&text);
    }
}

#[test]
fn loaded_files_bring_their_comments() {
    let files = [
        (
            "lesson.calc",
            "# A lesson.\n\n# two leaves\na, b = 2, 3\n:load more.calc\n# none\n:vars",
        ),
        ("more.calc", "# More.\n\n# a product\nL = a*b"),
    ];
    let text = saved_among(&files, ":load lesson.calc");
    assert_eq!(
        without_settings(&text),
        "# A lesson.\n\n# two leaves\na = 2;\nb = 3;\n# More.\n\n# a product\nL = a*b;\n"
    );
    holds(&text);
    // All of the file is one change.
    let undone = saved_among(&files, ":load lesson.calc\n:undo\nc = 1");
    assert!(
        !undone.contains('#') && undone.ends_with("c = 1;\n"),
        "{undone}"
    );
    // A file that fails leaves nothing.
    let broken = [("bad.calc", "# bad\n\n# gone\na = 2\nb = q")];
    let folder = Folder::new();
    fs::write(folder.0.join(broken[0].0), broken[0].1).expect("a file");
    let mut command = program(&["--no-init", "--keep-going"]);
    command.current_dir(&folder.0);
    feed(command, b":load bad.calc\nc = 1\n:save out.calc\n");
    let text = fs::read_to_string(folder.0.join("out.calc")).expect("the saved session");
    assert!(
        text.matches('#').count() == 1 && text.ends_with("c = 1;\n"),
        "{text}"
    );
}

/// Every example keeps the comments before its bindings, and is the same text when saved again.
#[test]
fn examples_are_saved_with_their_comments() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples");
    let mut kept = 0;
    for entry in fs::read_dir(&folder).expect("the examples") {
        let path = entry.expect("a file").path();
        if path.extension().is_none_or(|ending| ending != "calc") {
            continue;
        }
        let text = saved(&format!(":load '{}'", path.display()));
        kept += text.lines().filter(|line| line.starts_with('#')).count();
        holds(&text);
    }
    assert!(kept > 30, "{kept}");
}

/// The comments after random statements are those of a model with snapshots.
#[test]
fn comments_are_in_step_with_undo() {
    type Kept = BTreeMap<&'static str, String>;
    const NAMES: [&str; 4] = ["a", "b", "f(x)", "w"];
    let mut random = Random(17);
    for _ in 0..12 {
        let mut lines = "start = 0\n".to_owned();
        let mut done: Vec<Kept> = vec![Kept::new()];
        let mut undone: Vec<Kept> = Vec::new();
        let mut bound: Vec<Vec<&str>> = vec![Vec::new()];
        let mut bound_undone: Vec<Vec<&str>> = Vec::new();
        for number in 0..40 {
            let name = NAMES[random.below(4)];
            let mut now = done.last().expect("a state").clone();
            let mut names = bound.last().expect("a state").clone();
            match random.below(8) {
                0 if done.len() > 1 => {
                    undone.extend(done.pop());
                    bound_undone.extend(bound.pop());
                    lines.push_str(":undo\n");
                    continue;
                }
                1 if !undone.is_empty() => {
                    done.extend(undone.pop());
                    bound.extend(bound_undone.pop());
                    lines.push_str(":redo\n");
                    continue;
                }
                2 if names.contains(&name) => {
                    let typed = name.replace("(x)", "()");
                    let _ = writeln!(lines, "# not kept {number}\n:del {typed}");
                    now.remove(name);
                    names.retain(|other| *other != name);
                }
                kind => {
                    let value = match name {
                        "w" => format!("[{number}, 1]"),
                        "f(x)" => format!("{number}*x"),
                        _ => format!("{number}"),
                    };
                    now.remove(name);
                    names.push(name);
                    let comment = format!("# kept {number}.");
                    let (before, behind) = match kind % 3 {
                        0 => (format!("{comment}\n"), String::new()),
                        1 => (String::new(), format!("  {comment}")),
                        _ => Default::default(),
                    };
                    if kind % 3 < 2 {
                        now.insert(name, comment);
                    }
                    let _ = writeln!(lines, "{before}{name} = {value}{behind}");
                }
            }
            done.push(now);
            bound.push(names);
            undone.clear();
            bound_undone.clear();
        }
        let text = saved(&lines);
        let expected = done.last().expect("a state");
        assert_eq!(
            text.matches("# ").count(),
            expected.len(),
            "{lines}\n{text}"
        );
        for (name, comment) in expected {
            let before = format!("{comment}\n{name} = ");
            let behind = text.lines().any(|line| {
                line.starts_with(&format!("{name} = ")) && line.ends_with(&format!(";  {comment}"))
            });
            assert!(
                text.contains(&before) || behind,
                "{comment}\n{lines}\n{text}"
            );
        }
        holds(&text);
    }
}

#[test]
fn a_refused_comment_is_not_kept() {
    let folder = Folder::new();
    let mut command = program(&["--no-init", "--keep-going"]);
    command.current_dir(&folder.0);
    let lines = "# \u{202e}one\na = 2; # \u{1b}two\n# three\nb = 3 # four\n:save out.calc\n";
    feed(command, lines.as_bytes());
    let text = fs::read_to_string(folder.0.join("out.calc")).expect("the saved session");
    let (_, text) = text.split_once('\n').expect("a first line");
    assert_eq!(without_settings(text), "a = 2;\n# three\nb = 3;  # four\n");
    holds(text);
}
