//! Files: sessions that are saved and loaded by processes. The answers of `:save`,
//! `:load` and the init script are recorded in `tests/screens/files.txt`. `sessions.rs` tests the contents of
//! saved sessions.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::time::Duration;

use crate::common::process::Folder;

fn mode(path: &Path) -> u32 {
    let found = fs::metadata(path).expect("it is there");
    found.permissions().mode() & 0o777
}

const LECTURE: &str = "a, b, c, f = 2, -3, 10, -2;\nL = (a*b + c)*f;\n";

/// Enough values to make writing take a moment.
fn much() -> String {
    (0..3_000)
        .map(|place| format!("a{place} = {place};\n"))
        .collect()
}

#[test]
fn what_replaces_a_secret_is_never_readable_by_others() {
    let folder = Folder::with(&[("secret.calc", ""), ("secret.svg", "")]);
    for name in ["secret.calc", "secret.svg"] {
        let rights = fs::Permissions::from_mode(0o600);
        fs::set_permissions(folder.0.join(name), rights).expect("its rights can be set");
    }
    let script = format!(
        "{}{}",
        much(),
        ":save secret.calc;\n:graph a1 secret.svg;\n".repeat(50)
    );
    let mut seen = Vec::new();
    for _ in 0..20 {
        let path = folder.0.join("script");
        fs::write(&path, &script).expect("a script for the test");
        let mut child = folder
            .program(&["script"])
            .spawn()
            .expect("the program runs");
        while child.try_wait().expect("it can be waited for").is_none() {
            for entry in fs::read_dir(&folder.0)
                .expect("a folder")
                .filter_map(Result::ok)
            {
                let is_draft = entry
                    .file_name()
                    .to_string_lossy()
                    .starts_with(".chainrule-");
                // The file may have been removed in the meantime.
                if let (true, Ok(found)) = (is_draft, entry.metadata()) {
                    seen.push(found.permissions().mode() & 0o777);
                }
            }
        }
        if !seen.is_empty() {
            break;
        }
    }
    assert!(!seen.is_empty(), "no draft was seen");
    assert!(seen.iter().all(|&mode| mode == 0o600), "{seen:?}");
    for name in ["secret.calc", "secret.svg"] {
        assert_eq!(mode(&folder.0.join(name)), 0o600);
    }
}

#[test]
fn a_save_that_is_killed_leaves_a_whole_file() {
    let folder = Folder::new();
    folder.out(&format!("{}:save s.calc;\n", much()));
    let whole = [folder.text("s.calc"), {
        folder.out(&format!("{}b = 1;\n:save s.calc;\n", much()));
        folder.text("s.calc")
    }];
    let script = format!("{}b = 1;\n{}", much(), ":save s.calc;\n".repeat(10_000));
    folder.put("many", &script);
    for round in 0..6 {
        let mut child = folder.program(&["many"]).spawn().expect("the program runs");
        std::thread::sleep(Duration::from_millis(150 + 26 * round));
        child.kill().expect("it can be killed");
        child.wait().expect("it is gone");
        assert!(whole.contains(&folder.text("s.calc")), "round {round}");
    }
}

#[test]
fn a_file_that_fails_leaves_no_trace() {
    let state = ":vars\n:log\n:redo\n:vars\n$1\n$2\n:next\n:config\n:grad\n@6\na@1\nq = a*b\nz = 1\n:grad\n:vars\n:next 3\n";
    let before = format!(
        "{LECTURE}f(x) = x^2;\na*b;\nN = 2L;\na = 3;\nM = a*L + f(a);\n:grad M;\n:walk L;\n:next;\nb = 1;\n:undo;\n"
    );
    let clean = Folder::new();
    let expected = clean.run(&["--keep-going"], &format!("{before}# none\n{state}"));
    for (text, place, what) in [
        ("q + 1", "1:1", "unknown name `q`"),
        (":undo", "1:1", "nothing to undo"),
        (":next", "1:1", "no walk"),
        (
            "g(x) = x; f(x) = g(x); :walk M; :next; :del f\nq",
            "2:1",
            "unknown name `q`",
        ),
        (
            ":save x.calc",
            "1:7",
            "`bad.calc` is being loaded, and a file that is loaded writes none",
        ),
        (
            "a = 1; :config digits 3; :config save",
            "1:34",
            "`bad.calc` is being loaded",
        ),
        (
            "a = 1\n:load nowhere.calc",
            "2:7",
            "there is no file `nowhere.calc`",
        ),
        ("a = (1 +\nb = 2", "1:5", "`(` was never closed"),
        ("a = 2\nb = \u{7}", "2:5", "U+0007"),
    ] {
        let folder = Folder::with(&[("bad.calc", text)]);
        let ran = folder.run(
            &["--keep-going"],
            &format!("{before}:load bad.calc\n{state}"),
        );
        assert_eq!(ran.status, Some(1), "{text}");
        assert!(
            ran.out.ends_with(&expected.out),
            "{text}\n{}\n{}",
            ran.out,
            expected.out
        );
        for part in [
            &format!(" --> bad.calc:{place}\n"),
            what,
            "note: nothing of bad.calc was kept\n",
        ] {
            assert!(ran.err.contains(part), "{part} {text}: {}", ran.err);
        }
        assert_eq!(folder.names(), ["bad.calc"], "{text}");
    }
    // Invalid UTF-8 in the middle.
    let folder = Folder::new();
    fs::write(folder.0.join("bad.calc"), b"z = 1\ny = \xff\n").expect("a file for the test");
    let ran = folder.run(
        &["--keep-going"],
        &format!("{before}:load bad.calc\n{state}"),
    );
    assert!(ran.out.ends_with(&expected.out));
    assert!(
        ran.err.contains("bad.calc:2:5\n") && ran.err.contains("is not UTF-8"),
        "{}",
        ran.err
    );
    // Without `--keep-going` it ends the script that loads it.
    let ran = folder.run(&[], "1\n:load bad.calc\n2\n");
    assert_eq!((ran.status, ran.out.as_str()), (Some(1), "1\nz = 1\n"));
    let objects = folder.json("1\n:load bad.calc\n2\n");
    assert_eq!(objects.len(), 4, "{objects:?}");
    assert_eq!(
        (&objects[2]["kind"], &objects[2]["file"]),
        (&"error".into(), &"bad.calc".into())
    );
}

#[test]
fn files_load_one_another_only_so_deep() {
    let folder = Folder::new();
    let deepest = chainrule::shell::MAX_NESTED_LOADS;
    for place in 1..=deepest {
        folder.put(
            &format!("{place}.calc"),
            &format!(":load {}.calc;\n", place + 1),
        );
    }
    folder.put(&format!("{}.calc", deepest + 1), "deep = 1;\n");
    assert_eq!(folder.out(":load 2.calc;\ndeep\n"), "1\n");
    let ran = folder.run(&[], ":load 1.calc;\n");
    let message = format!("files load one another more than {deepest} deep");
    assert!(ran.err.contains(&message), "{}", ran.err);
}

#[test]
fn a_long_file_is_kept_or_taken_back() {
    let folder = Folder::new();
    let mut text: String = (0..10_000)
        .map(|place| format!("a = {place}; b{} = a + 1;\n", place % 100))
        .collect();
    folder.put("long.calc", &text);
    let script = "a = 1; b7 = 2;\n:load long.calc\na + b7\n:undo\na + b7\n:redo\na + b7\n:undo 2\n";
    assert_eq!(
        folder.out(script),
        "loaded long.calc: 20,000 statements
19907
undone: :load long.calc
3
redone: :load long.calc
19907
undone: :load long.calc
undone: b7 = 2
"
    );
    text.push_str("q\n");
    folder.put("long.calc", &text);
    let ran = folder.run(
        &["--keep-going"],
        "a = 1; b7 = 2;\n:load long.calc\na + b7\n:log\n",
    );
    assert_eq!(ran.out, "3\n  undo   2   a = 1\n  undo   1   b7 = 2\n");
}
