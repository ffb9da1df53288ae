//! The program as a process: colours, and conversations through pipes. Sources,
//! statuses, options and JSON are recorded in `tests/screens/process.txt`.
#![cfg(unix)]

use std::io::{BufRead, BufReader, Write};
use std::thread;

use crate::common::invariants::without_colors;
use crate::common::process::{PATIENCE, Talk, feed, program, read_to_end, run, wait_for_end};

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
        (without_colors(&painted.out), without_colors(&painted.err)),
        (plain.out, plain.err)
    );
}

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
fn a_closed_pipe_ends_quietly() {
    // The reader is closed from the start, as after `| true`, or reads one line, as `head -1` does.
    for (arguments, input, lines) in [
        (&["--keep-going"], &b"1 + 1\n"[..], 0),
        (&["--json"], b"a = 1; ln(0); a\n", 1),
    ] {
        let mut child = program(arguments).spawn().expect("the program starts");
        let err = read_to_end(child.stderr.take().expect("it is piped"));
        let mut stdin = child.stdin.take().expect("it is piped");
        let writer = thread::spawn(move || while stdin.write_all(input).is_ok() {});
        let reader = BufReader::new(child.stdout.take().expect("it is piped"));
        let read: Vec<_> = reader.lines().take(lines).collect();
        assert!(read.iter().all(Result::is_ok), "{arguments:?}");
        assert_eq!(wait_for_end(&mut child).code(), Some(0));
        writer.join().expect("the writer ends");
        assert_eq!(err.recv_timeout(PATIENCE).expect("the pipe ends"), b"");
    }
}
