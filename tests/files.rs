//! Files: `:save`, `:load`, the init script; and `:time`, which also needs the process. The contents of saved sessions
//! are tested elsewhere.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::os::unix::net::UnixListener;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use serde_json::Value;

use crate::common::process::{Folder, feed};

fn mode(path: &Path) -> u32 {
    let found = fs::metadata(path).expect("it is there");
    found.permissions().mode() & 0o777
}

/// Creates a named pipe.
fn pipe(path: &Path) {
    let made = Command::new("mkfifo").arg(path).status();
    assert!(made.is_ok_and(|status| status.success()), "a pipe");
}

const LECTURE: &str = "a, b, c, f = 2, -3, 10, -2;\nL = (a*b + c)*f;\n";

// Saving.

#[test]
fn a_session_is_the_same_in_another_process() {
    let folder = Folder::new();
    let making =
        "x, w = 0.1, -1e-300; const k = 3; x*w; y = ans*ans + pi*k/x; x = 1/0; z = y*x; w = 4;\n";
    let asking = ":grad z; :vars; y; :grad y wrt x; x;\n".replace("; ", "\n");
    let before = folder.json(&format!("{making}:save s.calc;\n{asking}"));
    let after = folder.json(&format!(":load s.calc;\n\n{asking}"));
    let without_notes: Vec<Value> = before
        .into_iter()
        .filter(|object| object["kind"] != "notes" && object["line"] != 1)
        .collect();
    let after: Vec<Value> = after
        .into_iter()
        .filter(|object| object["line"] != 1 && object["file"] == "-")
        .collect();
    // The ids of nodes may differ, and so may the literals among the operands.
    let told = |objects: &[Value]| -> Vec<String> {
        let rows = objects.iter().flat_map(|object| {
            let rows = object["rows"].as_array().cloned().unwrap_or_default();
            rows.into_iter().chain([object["data"].clone()])
        });
        rows.map(|row| {
            format!(
                "{} {} {} {} {}",
                row["node"], row["name"], row["expression"], row["data"], row["grad"]
            )
        })
        .collect()
    };
    assert!(told(&without_notes).len() > 12);
    let asked = |objects: &[Value]| -> Vec<Value> {
        let kinds = ["grad", "vars", "value"];
        let asked = |object: &&Value| kinds.iter().any(|kind| object["kind"] == *kind);
        objects.iter().filter(asked).cloned().collect()
    };
    assert_eq!(told(&asked(&after)), told(&asked(&without_notes)));
}

#[test]
fn saving_says_what_it_did() {
    let folder = Folder::new();
    let saved = |script: &str| folder.out(&format!("{LECTURE}{script}"));
    assert_eq!(saved(":save one.calc"), "saved 2 statements to one.calc\n");
    assert_eq!(saved(":save one.calc;"), "");
    assert_eq!(
        saved(":save \"a b;#.calc\""),
        "saved 2 statements to a b;#.calc\n"
    );
    assert_eq!(
        saved(":save ~/home.calc"),
        "saved 2 statements to ~/home.calc\n"
    );
    assert_eq!(
        saved(":reset;\n:save none.calc"),
        "saved 0 statements to none.calc\n"
    );
    assert_eq!(
        folder.names(),
        ["a b;#.calc", "home.calc", "none.calc", "one.calc"]
    );
    assert_eq!(folder.text("a b;#.calc"), folder.text("one.calc"));
    assert_eq!(folder.text("home.calc"), folder.text("one.calc"));
    assert_eq!(folder.run(&["-q"], "a = 1\n:save one.calc\n").out, "");
    let object = &folder.json("a = 1\n:save one.calc\n")[1];
    assert_eq!(object["kind"], "save");
    assert_eq!(
        (&object["path"], &object["statements"]),
        (&"one.calc".into(), &1.into())
    );
    assert_eq!(object["bytes"], folder.text("one.calc").len());
    // A saved session is a script like any other.
    let ran = folder.run(&["one.calc", "-"], "a\n");
    assert_eq!((ran.out.as_str(), ran.err.as_str()), ("1\n", ""));
}

#[test]
fn what_cannot_be_written_leaves_the_old_file() {
    let folder = Folder::with(&[("old.calc", "x = 7\n"), ("folder.calc/x", "")]);
    symlink("/dev/full", folder.0.join("full.calc")).expect("a link to a device");
    for (path, message) in [
        ("missing/x.calc", "there is no folder `missing`"),
        (
            "folder.calc",
            "`folder.calc` is a folder, a file was expected",
        ),
        (
            "full.calc",
            "`full.calc` cannot be written: it is a device or a pipe, not a file",
        ),
        (
            "old.calc/x.calc",
            "`old.calc/x.calc` cannot be written: not a directory",
        ),
        ("/proc/x.calc", "`/proc/x.calc` cannot be written: "),
        (
            "old.txt",
            "`old.txt` has no ending that is known here: `.calc`",
        ),
        ("old", "`old` has no ending that is known here: `.calc`"),
        (".calc", "`.calc` has no ending that is known here: `.calc`"),
        (
            "'folder.calc/'",
            "`folder.calc/` has no ending that is known here: `.calc`",
        ),
        ("\"\"", "a path is expected"),
    ] {
        let script = format!("a = 1;\n  :save {path}\na\n");
        let ran = folder.run(&["--keep-going"], &script);
        assert_eq!((ran.status, ran.out.as_str()), (Some(1), "1\n"), "{path}");
        assert!(
            ran.err.starts_with(&format!("error: {message}")),
            "{path}: {}",
            ran.err
        );
        assert!(ran.err.contains("\n --> -:2:9\n"), "{path}: {}", ran.err);
    }
    assert_eq!(folder.names(), ["folder.calc", "full.calc", "old.calc"]);
    assert_eq!(folder.text("old.calc"), "x = 7\n");
}

#[test]
fn a_disk_that_becomes_full_leaves_the_old_file() {
    let folder = Folder::with(&[("old.calc", "x = 7\n")]);
    let mut command = Command::new("sh");
    folder.at_home(&mut command);
    // The limit is 512 bytes; its signal would end the process by default.
    let line = format!("ulimit -f 1 && exec '{}'", env!("CARGO_BIN_EXE_chainrule"));
    command.args(["-c", &line]);
    let many: String = (0..200)
        .map(|place| format!("a{place} = {place};\n"))
        .collect();
    let ran = feed(command, format!("{many}:save old.calc\n").as_bytes());
    assert_eq!(ran.status, Some(1), "{ran:?}");
    assert!(
        ran.err
            .contains("`old.calc` cannot be written: file too large"),
        "{}",
        ran.err
    );
    assert!(
        ran.err.contains("what was in it before is still there"),
        "{}",
        ran.err
    );
    // A copy was kept before.
    assert_eq!(folder.names(), ["old.calc", "old.calc~"]);
    assert_eq!(folder.text("old.calc"), "x = 7\n");
}

/// Nor does it take the older copy of a file that somebody else wrote.
#[test]
fn a_disk_that_becomes_full_leaves_the_old_copy() {
    let mine = "# mine\n".repeat(100);
    for (line, name) in [(":save f.calc", "f.calc"), (":export L f.py", "f.py")] {
        let copy = format!("{name}~");
        let folder = Folder::with(&[(name, &mine), (&copy, "# older\n")]);
        let mut command = Command::new("sh");
        folder.at_home(&mut command);
        let shell = format!("ulimit -f 1 && exec '{}'", env!("CARGO_BIN_EXE_chainrule"));
        command.args(["-c", &shell]);
        let ran = feed(command, format!("a = 2; L = a^2;\n{line}\n").as_bytes());
        assert_eq!(ran.status, Some(1), "{line}: {ran:?}");
        let message = format!("`{copy}` cannot be written: file too large");
        assert!(ran.err.contains(&message), "{line}: {}", ran.err);
        assert_eq!(folder.names(), [name, &*copy], "{line}");
        assert_eq!(folder.text(name), mine, "{line}");
        assert_eq!(folder.text(&copy), "# older\n", "{line}");
    }
}

#[test]
fn a_file_that_is_replaced_keeps_its_mode_and_its_links() {
    let folder = Folder::with(&[("real.calc", "old")]);
    let real = folder.0.join("real.calc");
    fs::set_permissions(&real, fs::Permissions::from_mode(0o640)).expect("its mode can be set");
    symlink("real.calc", folder.0.join("link.calc")).expect("a link");
    folder.out("a = 1;\n:save link.calc;\n");
    assert!(folder.text("real.calc").contains("a = 1;"));
    assert!(folder.0.join("link.calc").is_symlink());
    let mode = fs::metadata(&real)
        .expect("it is there")
        .permissions()
        .mode();
    assert_eq!(mode & 0o777, 0o640);
    // The old file was not a saved session.
    assert_eq!(folder.names(), ["link.calc", "link.calc~", "real.calc"]);
}

#[test]
fn only_regular_files_are_read_and_written() {
    let folder = Folder::with(&[("main.calc", "a = 1;\n")]);
    let at = |name: &str| folder.0.join(name);
    let _socket = UnixListener::bind(at("socket")).expect("a socket");
    pipe(&at("pipe"));
    let kinds = [
        ("pipe", "it is a device or a pipe, not a file"),
        ("socket", "it is a device or a pipe, not a file"),
        ("/dev/null", "it is a device or a pipe, not a file"),
        ("/dev/tty", "it is a device or a pipe, not a file"),
    ];
    let writing = [
        (":save", "calc"),
        (":graph L", "svg"),
        #[cfg(feature = "png")]
        (":graph L", "png"),
        (":graph L", "html"),
        (":graph L", "dot"),
        (":graph L", "mmd"),
        (":graph L", "json"),
        (":plot L a=0..1", "svg"),
        (":plot L a=0..1", "csv"),
    ];
    for (kind, told) in kinds {
        for (command, ending) in writing {
            let name = format!("odd.{ending}");
            let _ = fs::remove_file(at(&name));
            symlink(kind, at(&name)).expect("a link");
            let script = format!("{LECTURE}{command} {name}\n1 + 1\n");
            let ran = folder.run(&["--keep-going"], &script);
            assert_eq!((ran.status, ran.out.as_str()), (Some(1), "2\n"), "{ran:?}");
            let message = format!("`{name}` cannot be written: {told}\n");
            assert!(ran.err.contains(&message), "{kind} {command}: {}", ran.err);
            assert!(
                ran.err.contains("help: give the name of a file"),
                "{}",
                ran.err
            );
        }
        let ran = folder.run(&["--keep-going"], ":load odd.calc\n1 + 1\n");
        assert_eq!((ran.status, ran.out.as_str()), (Some(1), "2\n"), "{ran:?}");
        let message = format!("`odd.calc` cannot be read: {told}\n");
        assert!(ran.err.contains(&message), "{kind}: {}", ran.err);
        assert!(ran.err.contains(" --> -:1:7\n"), "{}", ran.err);
        // The init script, which is read at the start.
        folder.put(".config/chainrule/none", "");
        let init = at(".config/chainrule/init.calc");
        let _ = fs::remove_file(&init);
        symlink(
            if kind.starts_with('/') {
                kind.into()
            } else {
                at(kind)
            },
            &init,
        )
        .expect("a link");
        let ran = folder.run(&["--keep-going"], "1 + 1\n");
        assert_eq!((ran.status, ran.out.as_str()), (Some(0), "2\n"), "{ran:?}");
        let message = format!("init.calc` cannot be read: {told}\n");
        assert_eq!(ran.err.matches(&message).count(), 1, "{}", ran.err);
        assert!(ran.err.contains("--no-init"), "{}", ran.err);
        fs::remove_file(&init).expect("it is there");
    }
    // A script on the command line may be a pipe: shells use that for `<(…)`.
    let mut command = Command::new("bash");
    folder.at_home(&mut command);
    let line = format!("'{}' <(echo '1 + 1')", env!("CARGO_BIN_EXE_chainrule"));
    command.args(["-c", &line]);
    assert_eq!(feed(command, b"").out, "2\n");
}

#[test]
fn a_link_to_nothing_is_not_replaced() {
    let folder = Folder::new();
    symlink("nowhere.calc", folder.0.join("lost.calc")).expect("a link");
    let ran = folder.run(&[], "a = 1;\n:save lost.calc;\n");
    assert!(
        ran.err
            .contains("`lost.calc` cannot be written: no such file"),
        "{}",
        ran.err
    );
    assert!(folder.0.join("lost.calc").is_symlink());
    assert_eq!(folder.names(), ["lost.calc"]);
}

#[test]
fn a_new_file_has_the_rights_the_system_gives_new_files() {
    for (umask, expected) in [("022", 0o644), ("077", 0o600), ("002", 0o664)] {
        let folder = Folder::new();
        let mut command = Command::new("sh");
        folder.at_home(&mut command);
        let line = format!(
            "umask {umask} && exec '{}'",
            env!("CARGO_BIN_EXE_chainrule")
        );
        command.args(["-c", &line]);
        let ran = feed(command, b"a = 1;\n:save new.calc;\n:graph a new.svg;\n");
        assert_eq!((ran.status, ran.err.as_str()), (Some(0), ""));
        for name in ["new.calc", "new.svg"] {
            assert_eq!(mode(&folder.0.join(name)), expected, "{umask} {name}");
        }
    }
}

/// So many values that writing takes a moment.
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
    for round in 0..12 {
        let mut child = folder.program(&["many"]).spawn().expect("the program runs");
        std::thread::sleep(Duration::from_millis(150 + 13 * round));
        child.kill().expect("it can be killed");
        child.wait().expect("it is gone");
        assert!(whole.contains(&folder.text("s.calc")), "round {round}");
    }
}

#[test]
fn save_makes_a_backup_of_files_written_by_hand() {
    let mine = "# about a lesson\na = 2 # by hand\n";
    let folder = Folder::with(&[("lesson.calc", mine)]);
    let path = folder.0.join("lesson.calc");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).expect("its rights can be set");
    let save = "a = 2;\n:save lesson.calc\n";
    let kept = |name: &str| {
        format!("saved 1 statement to lesson.calc\nthe file that was there is kept as {name}\n")
    };
    assert_eq!(folder.out(save), kept("lesson.calc~"));
    assert_eq!(folder.text("lesson.calc~"), mine);
    assert_eq!(mode(&folder.0.join("lesson.calc~")), 0o640);
    assert_eq!(mode(&path), 0o640);
    assert!(
        folder
            .text("lesson.calc")
            .starts_with("# a session of chainrule ")
    );
    // Now the file is a saved session.
    assert_eq!(folder.out(save), "saved 1 statement to lesson.calc\n");
    assert_eq!(folder.text("lesson.calc~"), mine);
    // A copy takes the place of an older one.
    folder.put("lesson.calc", "a = 3\n");
    let objects = folder.json(save);
    let saved = objects.last().expect("there is an answer");
    assert_eq!(
        (&saved["kind"], &saved["backup"]),
        (&"save".into(), &"lesson.calc~".into())
    );
    assert_eq!(folder.text("lesson.calc~"), "a = 3\n");
    let saved = &folder.json(":save lesson.calc\n")[0];
    assert_eq!(saved.get("backup"), None);
    // A silenced statement makes a backup too.
    folder.put("lesson.calc", "a = 4\n");
    assert_eq!(folder.out(":save lesson.calc;\n"), "");
    assert_eq!(folder.text("lesson.calc~"), "a = 4\n");
    assert_eq!(folder.names(), ["lesson.calc", "lesson.calc~"]);
    // The backup is beside the link, not beside the file it points to.
    let folder = Folder::with(&[("parts/real.calc", mine)]);
    symlink("parts/real.calc", folder.0.join("link.calc")).expect("a link");
    folder.out("a = 1;\n:save link.calc;\n");
    assert_eq!(folder.names(), ["link.calc", "link.calc~", "parts"]);
    assert_eq!(folder.text("link.calc~"), mine);
    assert!(!folder.0.join("link.calc~").is_symlink());
}

#[test]
fn saved_sessions_are_recognized() {
    let version = env!("CARGO_PKG_VERSION");
    for (text, own) in [
        ("", true),
        (
            "# a session of chainrule 0.1.0: `:load` brings it back\na = 1;\n",
            true,
        ),
        (
            "# a session of chainrule 12.3.4: `:load` brings it back, and more\n",
            true,
        ),
        ("# a session of chainrule\n", false),
        (
            "# a session of chainrule in class: `:load` brings it back\n",
            false,
        ),
        (
            "# a session of chainrule 2 in class: `:load` brings it back\n",
            false,
        ),
        (
            " # a session of chainrule 0.1.0: `:load` brings it back\n",
            false,
        ),
        (
            "a = 1\n# a session of chainrule 0.1.0: `:load` brings it back\n",
            false,
        ),
        ("\n", false),
    ] {
        let folder = Folder::with(&[("a.calc", text)]);
        folder.out("a = 1;\n:save a.calc;\n");
        assert_eq!(folder.names().len(), if own { 1 } else { 2 }, "{text}");
        let head = folder.text("a.calc");
        let head = head.lines().next().expect("it has a line");
        let expected = format!(
            "# a session of chainrule {version}: `:load` brings it back, `:save` replaces it"
        );
        assert_eq!(head, expected);
    }
    let folder = Folder::new();
    fs::write(folder.0.join("a.calc"), b"# a session of chainrule \xff").expect("a file");
    folder.out("a = 1;\n:save a.calc;\n");
    assert_eq!(folder.names(), ["a.calc", "a.calc~"]);
}

#[test]
fn a_file_without_a_possible_backup_is_not_replaced() {
    // The name has the maximum length, so there is no room for the `~`.
    let name = format!("{}.calc", "a".repeat(250));
    let folder = Folder::with(&[(&name, "x = 7\n")]);
    let ran = folder.run(&["--keep-going"], &format!("a = 1;\n:save {name}\na\n"));
    assert_eq!((ran.status, ran.out.as_str()), (Some(1), "1\n"));
    for part in [
        "~` cannot be written: ",
        " --> -:2:7\n",
        "was not written by this program: it is replaced only when a copy of it is kept",
    ] {
        assert!(ran.err.contains(part), "{part}: {}", ran.err);
    }
    assert_eq!(folder.names(), [&*name]);
    assert_eq!(folder.text(&name), "x = 7\n");
}

// Loading.

#[test]
fn a_file_is_one_change() {
    let folder = Folder::with(&[(
        "more.calc",
        "# about a\na = 5 # rebound\n:set a 6;\nM = a*L\n:freeze a;\n:config digits 3;\n1/3\n",
    )]);
    let script = format!(
        "{LECTURE}:set a 3;\n:undo;\n:load more.calc\n:log\n:undo\n:vars\n1/3\n:redo\nM\n:redo\n"
    );
    let ran = folder.run(&["--keep-going"], &script);
    assert_eq!(
        ran.out,
        "a = 5
M = -48
0.333
loaded more.calc: 6 statements
  undo   3   a, b, c, f = 2, -3, 10, -2
  undo   2   L = (a*b + c)*f
  undo   1   :load more.calc
undone: :load more.calc
  name   expression    data   grad
  a      leaf             2      ·
  b      leaf            -3      ·
  c      leaf            10      ·
  f      leaf            -2      ·
  L      (a*b + c)*f     -8      ·
0.333333333333
redone: :load more.calc
-48
"
    );
    assert!(ran.err.contains("nothing to redo"), "{}", ran.err);
    let objects = folder.json("L = 1\n:load more.calc\n");
    let place =
        |object: &Value| format!("{} {} {}", object["kind"], object["file"], object["line"]);
    assert_eq!(place(&objects[1]), r#""binding" "more.calc" 2"#);
    let last = objects.last().expect("there is an answer to `:load`");
    assert_eq!(place(last), r#""load" "-" 2"#);
    assert_eq!(
        (&last["path"], &last["statements"]),
        (&"more.calc".into(), &6.into())
    );
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
        (
            "z = 1;\na = 7; b = 8; a*b;\nz = q",
            "3:5",
            "unknown name `q`",
        ),
        (
            ":set a 9; :step 0.1; :grad N; :backward M;\nq",
            "2:1",
            "unknown name `q`",
        ),
        (":zero; :reset; a = 1; q", "1:23", "unknown name `q`"),
        (
            "z = 1;\n:undo; :redo; :freeze b; :del a N; :config digits 3; q",
            "2:54",
            "unknown name `q`",
        ),
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
fn files_load_files_relative_to_themselves() {
    let folder = Folder::with(&[
        ("main.calc", ":load parts/one.calc\nb + c\n"),
        (
            "parts/one.calc",
            "b = 1\n:load two.calc;\n:load ../three.calc\n",
        ),
        ("parts/two.calc", "c = 2;\n:quit\nnever\n"),
        ("three.calc", "d = 3;\n"),
        ("parts/lost.calc", ":load three.calc\n"),
    ]);
    let expected =
        "b = 1\nloaded ../three.calc: 1 statement\nloaded parts/one.calc: 6 statements\n3\n";
    assert_eq!(folder.run(&["main.calc"], "").out, expected);
    assert_eq!(
        folder.out(":load main.calc\n:undo\n:vars\n"),
        format!(
            "{expected}loaded main.calc: 8 statements\nundone: :load main.calc\nno names yet: a = 2 makes one\n"
        )
    );
    let elsewhere = Folder::new();
    let main = folder.0.join("main.calc");
    let main = main.to_str().expect("a path of the test's own");
    assert_eq!(elsewhere.run(&[main], "").out, expected);
    let ran = folder.run(&[], ":load parts/lost.calc\n");
    for part in [
        "error: there is no file `parts/three.calc`\n",
        " --> parts/lost.calc:1:7\n",
        "help: a path in a file begins at the folder of the file\n",
        "note: nothing of parts/lost.calc was kept\n",
    ] {
        assert!(ran.err.contains(part), "{part}: {}", ran.err);
    }
    let ran = folder.run(&[], ":load parts\n:load 'parts/.calc'\n");
    assert!(
        ran.err.contains("`parts` has no ending that is known here"),
        "{}",
        ran.err
    );
}

#[test]
fn circles_are_refused() {
    let folder = Folder::with(&[
        ("a.calc", "x = 1;\n:load b.calc\n"),
        ("b.calc", "y = 2;\n:load ./sub/../c.calc\n"),
        ("c.calc", ":load link.calc\n"),
        ("sub/none", ""),
        ("self.calc", ":load self.calc\n"),
    ]);
    symlink("b.calc", folder.0.join("link.calc")).expect("a link");
    let ran = folder.run(&["--keep-going"], ":load a.calc\n:vars\n");
    assert_eq!(ran.out, "no names yet: a = 2 makes one\n");
    for part in [
        "error: `./sub/../link.calc` is running already\n",
        " --> ./sub/../c.calc:1:7\n",
        "help: a file loads neither itself nor a file that loads it\n",
        "note: nothing of a.calc was kept\n",
    ] {
        assert!(ran.err.contains(part), "{part}: {}", ran.err);
    }
    for arguments in [&["self.calc"][..], &["-e", ":load self.calc"]] {
        let ran = folder.run(arguments, "");
        assert_eq!(ran.status, Some(1), "{arguments:?}");
        assert!(ran.err.contains("--> self.calc:1:7"), "{}", ran.err);
    }
    // Loading the same file twice in a row is not a circle.
    folder.put("twice.calc", ":load leaf.calc;\n:load leaf.calc;\n");
    folder.put("leaf.calc", "t = 1;\n");
    assert_eq!(
        folder.out(":load twice.calc\nt\n"),
        "loaded twice.calc: 4 statements\n1\n"
    );
}

#[test]
fn files_load_one_another_only_so_deep() {
    let folder = Folder::new();
    let deepest = chainrule::shell::MOST_LOADS;
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
fn ctrl_c_takes_a_file_back() {
    // Many terms, because ten million steps over a few nodes take less than half a second.
    let long = format!(
        "z = 1;\nx = 2;\nL = x^2{};\n1\n:step 1e-12 10000000;\n",
        " + tanh(x)".repeat(200)
    );
    let folder = Folder::with(&[("long.calc", &long)]);
    let mut child = folder
        .program(&["-e", "a = 1;", "-e", ":load long.calc"])
        .spawn()
        .expect("the program runs");
    std::thread::sleep(Duration::from_millis(500));
    let sent = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status();
    assert!(sent.is_ok_and(|status| status.success()));
    drop(child.stdin.take());
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(130));
    let err = String::from_utf8_lossy(&output.stderr);
    assert!(err.contains("nothing of long.calc was kept"), "{err}");
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
        "loaded long.calc: 20000 statements
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

// The init script.

#[test]
fn the_init_script_is_read_first_and_not_shown() {
    let folder = Folder::with(&[(
        ".config/chainrule/init.calc",
        "g = 9.81 # everywhere\nsq(x) = x^2\n:config digits 4\n1 + 1\n:vars\n:load more.calc\n",
    )]);
    folder.put(".config/chainrule/more.calc", "h = 6.6e-34\n");
    let script = "sq(g)\n:log\n2/3\nh\n$1\n";
    let expected = "96.24\nno changes yet\n0.6667\n6.6e-34\n96.24\n";
    assert_eq!(folder.out(script), expected);
    assert_eq!(folder.run(&["-e", "g", "--digits", "2"], "").out, "9.8\n");
    let ran = folder.run(&["--no-init"], "g\n");
    assert!(ran.err.contains("unknown name `g`"), "{}", ran.err);
    let objects = folder.json("g\n");
    assert_eq!(objects.len(), 1);
    assert_eq!(objects[0]["data"], 9.81);
    let mut command = folder.program(&["-e", "g"]);
    command.env("XDG_CONFIG_HOME", folder.0.join("nowhere"));
    assert!(feed(command, b"").err.contains("unknown name `g`"));
    let mut command = folder.program(&["-e", "1"]);
    command.env_remove("HOME");
    assert_eq!(feed(command, b"").out, "1\n");
}

#[test]
fn an_error_in_the_init_script_does_not_end_the_program() {
    let folder = Folder::with(&[(
        ".config/chainrule/init.calc",
        "g = 9.81\nh = q\nnever = 1\n",
    )]);
    let ran = folder.run(&[], "g\n");
    assert_eq!((ran.status, ran.out.as_str()), (Some(0), "9.81\n"));
    assert!(
        ran.err.contains("unknown name `q`") && ran.err.contains("init.calc:2:5"),
        "{}",
        ran.err
    );
    let ran = folder.run(&[], "never\n");
    assert_eq!(ran.status, Some(1));
    let objects = folder.json("g\n");
    assert_eq!(
        (&objects[0]["kind"], &objects[1]["data"]),
        (&"error".into(), &9.81.into())
    );
    for text in [":quit\n", "g = 1\n:quit\nq\n"] {
        folder.put(".config/chainrule/init.calc", text);
        assert_eq!(folder.out("1\n"), "1\n");
    }
    let folder = Folder::with(&[(".config/chainrule/init.calc/x", "")]);
    let ran = folder.run(&[], "1\n");
    assert_eq!((ran.status, ran.out.as_str()), (Some(0), "1\n"));
    assert!(
        ran.err.contains("init.calc` is a folder") && ran.err.contains("--no-init"),
        "{}",
        ran.err
    );
    let folder = Folder::with(&[(".config/chainrule", "a file")]);
    assert_eq!(folder.out("1\n"), "1\n");
}

#[test]
fn settings_are_kept() {
    let folder = Folder::new();
    let file = ".config/chainrule/settings.calc";
    let path = folder.0.join(file);
    let path = path.display();
    assert_eq!(
        folder.out(":config save\n"),
        format!("all settings are at their defaults: none is kept in {path}\n")
    );
    assert_eq!(folder.names(), [""; 0]);
    assert_eq!(
        folder.out(":config digits 4\n:config table-digits 4\n:config save\n"),
        format!("digits: 12 → 4\ntable-digits: 6 → 4\n2 settings kept in {path}\n")
    );
    assert_eq!(
        folder.text(file),
        ":config digits 4;\n:config table-digits 4;\n"
    );
    assert_eq!(folder.out("2/3\n:log\n"), "0.6667\nno changes yet\n");
    assert_eq!(folder.run(&["--no-init"], "2/3\n").out, "0.666666666667\n");
    // The init script runs after it, and stays as it is.
    let init = ".config/chainrule/init.calc";
    folder.put(init, "g = 9.81\n:config digits 3\n");
    assert_eq!(folder.out("2/3\ng\n"), "0.667\n9.81\n");
    folder.out(":config digits default;\n:config table-digits default\n:config save\n");
    assert_eq!(folder.text(file), "");
    assert_eq!(folder.text(init), "g = 9.81\n:config digits 3\n");
    let object = &folder.json(":config undo-steps 7;\n:config save\n")[0];
    assert_eq!(
        (&object["kind"], &object["saved"]),
        (&"config".into(), &2.into())
    );
    assert_eq!(object["path"], path.to_string());
    // What an earlier version has kept in the init script would win.
    let old = "g = 9.81\n# settings kept by :config save; change them there, not here\n:config digits 4;\n\
        # end of the settings kept by :config save\nh = 1\n";
    let before = folder.text(file);
    for old in [old.to_owned(), old.replace("# end", "#")] {
        folder.put(init, &old);
        let ran = folder.run(&[], ":config digits 5;\n:config save\n");
        assert!(
            ran.status == Some(1)
                && ran
                    .err
                    .contains("help: delete the lines from `# settings kept by"),
            "{}",
            ran.err
        );
        assert_eq!(
            (folder.text(init), folder.text(file)),
            (old, before.clone())
        );
    }
    let folder = Folder::with(&[(".config", "a file")]);
    let ran = folder.run(&[], ":config digits 5;\n:config save\n");
    assert!(ran.err.contains("cannot be written"), "{}", ran.err);
}

// Time.

#[test]
fn statements_are_timed() {
    let folder = Folder::with(&[("two.calc", "u = 1;\nv = u + 1\n")]);
    let out = folder.out(
        ":time a = 2\n:time L = a*3 + 1\n:time :grad L;\n:time L*2;\n:time :load two.calc\n:time :set a 3\n",
    );
    assert_eq!(
        crate::common::timeless(&out),
        "a = 2
took 0 ns: 1 node made, 0 ns each
L = 7
took 0 ns: 4 nodes made, 0 ns each
took 0 ns
took 0 ns: 2 nodes made, 0 ns each
v = 2
loaded two.calc: 2 statements
took 0 ns: 3 nodes made, 0 ns each
  node   data        grad
  L         7 → 10      1
  a*3       6 →  9      1
  a         2 →  3      3
took 0 ns
"
    );
    let objects = folder.json(":time a = 2\n:time :vars;\n");
    assert_eq!(objects.len(), 3);
    assert_eq!(
        (&objects[0]["kind"], &objects[1]["kind"]),
        (&"binding".into(), &"time".into())
    );
    let seconds = objects[1]["seconds"].as_f64().expect("a number");
    let each = objects[1]["nanoseconds_per_node"]
        .as_f64()
        .expect("a number");
    assert!(seconds > 0.0 && seconds < 10.0 && (each - seconds * 1e9).abs() <= 1e-6 * each);
    assert_eq!(
        (&objects[1]["nodes"], &objects[1]["line"]),
        (&1.into(), &1.into())
    );
    assert!(objects[2]["nanoseconds_per_node"].is_null());
    for (line, place, message) in [
        (":time", "-:1:6", "`:time` needs `STATEMENT`"),
        (":time a + q", "-:1:11", "unknown name `q`"),
        (":time :time 1", "-:1:7", "`:time` cannot be timed itself"),
        (":time :ti 1", "-:1:7", "`:time` cannot be timed itself"),
        (
            ":time :load no.calc",
            "-:1:13",
            "there is no file `no.calc`",
        ),
    ] {
        let ran = folder.run(&["-e", "a = 1;", "-"], &format!("{line}\n"));
        assert_eq!((ran.status, ran.out.as_str()), (Some(1), ""), "{line}");
        assert!(
            ran.err.contains(place) && ran.err.contains(message),
            "{line}: {}",
            ran.err
        );
    }
    assert_eq!(folder.out("1\n:time :quit\n2\n"), "1\n");
    // A failing statement leaves no trace, timed or not.
    let ran = folder.run(&["--keep-going"], ":time a, b = 1, q\n:vars\n");
    assert_eq!(ran.out, "no names yet: a = 2 makes one\n");
}

/// Runs a script in a folder that holds `lesson.calc`, and returns what it saves there as `saved.calc`.
fn saved_by(arguments: &[&str], script: &str) -> String {
    let folder = Folder::new();
    folder.put("points.csv", "x,y\n1,2\n3,4.5\n");
    folder.put(
        "lesson.calc",
        "# The inputs.\n\na = 2  # two\nL = a^2\n:grad L\n",
    );
    let save = format!("{script}\n:save saved.calc\n");
    assert_eq!(folder.run(arguments, &save).status, Some(0), "{script}");
    let text = folder.text("saved.calc");
    // Loaded and saved again, the file is the same.
    let again = folder.run(&["-q"], ":load saved.calc;\n:save again.calc\n");
    assert_eq!(again.status, Some(0), "{}", again.err);
    assert_eq!(folder.text("again.calc"), text, "{script}");
    text.split_once('\n').expect("it has a header").1.to_owned()
}

#[test]
fn files_read_like_the_users_own() {
    for (arguments, script, expected) in [
        (
            &["-q"][..],
            "# About\n# the slope.\n\na = 2  # two\n# not kept\n:vars;\n\n\n# three\nb = 3; c = [1, # one\n2]",
            "\n# About\n# the slope.\n\na = 2;  # two\n\n# three\nb = 3;\nc = [1, # one\n2];\n",
        ),
        (
            &["-q"],
            ":data points.csv",
            "const x = [1, 3];\nconst y = [2, 4.5];\n",
        ),
        (
            &["-q"],
            ":data points.csv as P",
            "const P = [[1, 2], [3, 4.5]];\n",
        ),
        (
            &["-q", "--set", "a=9"],
            "a, b = 2, 3\nL = a*b",
            "a, b = 2, 3;\n:set a 9;\nL = a*b;\n",
        ),
        (
            &["-q", "--set", "b=a/2", "--set", "x=5 ± 0.1"],
            "a, b = 2, 3\nx = 4",
            "a, b = 2, 3;\n:set b a/2;\nx = 4;\n:set x 5 ± 0.1;\n",
        ),
        (
            &["-q", "--set", "c=a.grad", "--set", "w=[a.grad, 1]"],
            "a = 3\nL = a^2\n:grad L\nc = 1\nw = [2, 3]",
            "a = 3;\nL = a^2;\n:grad L;\nc = 1;\n:set c a.grad;\nw = [2, 3];\n:set w [a.grad, 1];\n",
        ),
        (&["-q"], ":time a = uniform(0, 1)", "a = uniform(0, 1);\n"),
        (
            &["-q"],
            "# dropped\n:load lesson.calc;\nb = 3",
            "\n# The inputs.\n\na = 2;  # two\nL = a^2;\nb = 3;\n",
        ),
        (
            &["-q"],
            ":play lesson.calc;\nb = 3",
            "\n# The inputs.\n\na = 2;  # two\nL = a^2;\nb = 3;\n",
        ),
        (
            &["-q"],
            "a = 1\nb = 2\n:load lesson.calc;\n:undo 2",
            "a = 1;\n",
        ),
        (&["-q"], "a = 2\n:set a 3 moved.csv", "a = 2;\n:set a 3;\n"),
        (
            &["-q"],
            "a, b = 1, 2\n:set a 3, \\\n    b 5",
            "a, b = 1, 2;\n:set a 3, \\\n    b 5;\n",
        ),
    ] {
        assert_eq!(saved_by(arguments, script), expected, "{script}");
    }
}

#[test]
fn statements_of_the_init_script_come_first_in_a_saved_session() {
    let folder = Folder::with(&[(
        ".config/chainrule/init.calc",
        "g = 9.81  # everywhere\n:config theme dark\n:config digits 4\n:vars\nsq(x) = x^2\n",
    )]);
    folder.out("a = sq(g)\n:save saved.calc\n");
    let saved = folder.text("saved.calc");
    let (_, statements) = saved.split_once('\n').expect("it has a header");
    assert_eq!(
        statements,
        "g = 9.81;  # everywhere\n:config digits 4;\nsq(x) = x^2;\na = sq(g);\n"
    );
}

#[test]
fn files_of_other_sessions() {
    let folder = Folder::new();
    // A former name is set.
    let script = "a = 2\nL = a^2\na = 5\n:step 0.25 of L\n:save new.calc\n:reset\n:load new.calc\n";
    let run = folder.run(
        &["-q"],
        &script
            .replace('\n', ";\n")
            .replace(":load new.calc;", ":load new.calc;\nL"),
    );
    assert_eq!(run.out, "1\n");
    folder.put("results.calc", "a = 2\na*3\nb = $1\n");
    let run = folder.run(&["-q"], "5\n:load results.calc;");
    assert!(run.err.contains("`:reset` first"), "{}", run.err);
    let run = folder.run(&["-q"], "5;\n:reset;\n:load results.calc;\nb");
    assert!(run.out.ends_with("6\n"), "{}{}", run.out, run.err);
}
