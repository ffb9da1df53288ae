//! The door that tests of whole statements go through: a session without a shell, answers as JSON values.
#![allow(dead_code, clippy::missing_panics_doc)]

pub mod browser;
pub mod invariants;
pub mod process;

use chainrule::commands::Reply;
use chainrule::diagnostic::Diagnostic;
use chainrule::session::Session;
use chainrule::view::{StatementPlace, Style, json};
use chainrule::{interpret, syntax, view};
use serde_json::Value;

/// A session to type into.
#[derive(Default)]
pub struct Desk {
    pub session: Session,
}

impl Desk {
    /// A session in which these lines were typed; none of them may fail.
    pub fn with(lines: &[impl AsRef<str>]) -> Desk {
        let mut desk = Desk::default();
        for line in lines {
            desk.line(line.as_ref());
        }
        desk
    }

    /// Types a line: what each of its statements answered.
    pub fn try_line(&mut self, text: &str) -> Vec<Result<Reply, Diagnostic>> {
        let mut answers = Vec::new();
        for cut in syntax::statements(text) {
            let answer = match cut {
                Ok(cut) => interpret::statement(&mut self.session, text, &cut),
                Err(error) => Err(interpret::cut_error(error)),
            };
            let failed = answer.is_err();
            answers.push(answer);
            if failed {
                break;
            }
        }
        answers
    }

    /// Types a line that must not fail: the JSON of its answers.
    pub fn line(&mut self, text: &str) -> Vec<Value> {
        let mut objects = Vec::new();
        for answer in self.try_line(text) {
            let reply = answer.unwrap_or_else(|error| panic!("{text}: {}", error.message));
            let watched = reply.watched.iter().filter_map(|it| it.report(true));
            let watched: Vec<_> = watched.collect();
            for report in reply.report.iter().chain(&reply.more).chain(&watched) {
                let mut out = String::new();
                json::report(report, &reply.notes, "-", 1, &mut out);
                objects.push(
                    serde_json::from_str(&out).unwrap_or_else(|error| panic!("{error}: {out}")),
                );
            }
        }
        objects
    }

    /// Types a line that must fail: the diagnostic.
    pub fn error(&mut self, text: &str) -> Diagnostic {
        match self.try_line(text).pop() {
            Some(Err(error)) => error,
            _ => panic!("`{text}` should be an error"),
        }
    }

    /// What a line prints at a terminal of 80 columns, notes and errors included.
    pub fn screen(&mut self, text: &str) -> String {
        let mut out = String::new();
        let style = Style {
            width: Some(80),
            ..self.style()
        };
        let place = StatementPlace {
            file: None,
            line: 1,
            text,
        };
        for answer in self.try_line(text) {
            match answer {
                Ok(reply) => {
                    for (at, report) in reply.report.iter().chain(&reply.more).enumerate() {
                        out.push_str(if at > 0 { "\n" } else { "" });
                        view::report(report, &style, &mut out);
                    }
                    for note in &reply.notes {
                        view::note(note, &place, &style, &mut out);
                    }
                    if let Some(watched) = &reply.watched
                        && let Some(report) = watched.report(reply.report.is_none())
                    {
                        view::report(&report, &style, &mut out);
                    }
                }
                Err(error) => view::diagnostic(&error, Some(&place), &style, &mut out),
            }
        }
        out
    }

    /// The style that the settings make.
    pub fn style(&self) -> Style {
        let settings = self.session.settings();
        Style {
            digits: settings.digits,
            table_digits: settings.table_digits,
            ..Style::default()
        }
    }

    /// The value of an expression.
    pub fn value(&mut self, text: &str) -> f64 {
        number(&self.line(text)[0]["data"])
    }

    /// The grad of a node in the last pass, by name.
    pub fn grad(&self, name: &str) -> f64 {
        let node = self
            .session
            .names()
            .get(name)
            .unwrap_or_else(|| panic!("no {name}"));
        self.session
            .pass()
            .and_then(|pass| pass.grad(node))
            .unwrap_or(0.0)
    }
}

/// Does an example type something that is left to the shell: files, the clock?
pub fn needs_shell(example: &str) -> bool {
    use chainrule::commands::Then;
    let mut desk = Desk::default();
    typed(example).any(|line| {
        let answers = desk.try_line(line);
        let mut replies = answers.into_iter().filter_map(Result::ok);
        replies.any(|reply| !matches!(reply.then, Then::GoOn | Then::Quit))
    })
}

/// The lines of an example that are typed.
pub fn typed(example: &str) -> impl Iterator<Item = &str> {
    example.lines().filter_map(|line| line.strip_prefix("∂> "))
}

/// What typing the lines of an example shows when the program runs them, in a folder of its own: each answer is what
/// a run with one line more prints more. How long something took is the same each time.
pub fn replayed_by_the_program(example: &str) -> String {
    let mut out = String::new();
    let mut script = String::new();
    let mut known = 0;
    for line in typed(example) {
        script.push_str(line);
        script.push('\n');
        let shown = timeless(&printed(&script));
        out.push_str("∂> ");
        out.push_str(line);
        out.push('\n');
        out.push_str(
            shown
                .get(known..)
                .unwrap_or("(what was shown before has changed)\n"),
        );
        known = shown.len();
    }
    out
}

/// What the program prints for a script, which must go well.
fn printed(script: &str) -> String {
    use std::io::Write as _;
    use std::process::{Command, Stdio};
    use std::sync::atomic::{AtomicU32, Ordering};
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let name = format!(
        "example-{}-{}",
        std::process::id(),
        COUNT.fetch_add(1, Ordering::Relaxed)
    );
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&folder).expect("a folder for the example");
    let mut child = Command::new(env!("CARGO_BIN_EXE_chainrule"))
        .current_dir(&folder)
        .env("HOME", &folder)
        .env_remove("XDG_CONFIG_HOME")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program runs");
    let mut stdin = child.stdin.take().expect("it reads");
    stdin
        .write_all(script.as_bytes())
        .expect("it takes a script");
    drop(stdin);
    let output = child.wait_with_output().expect("it ends");
    std::fs::remove_dir_all(&folder).expect("the folder can go");
    assert!(output.status.success(), "{script}");
    String::from_utf8(output.stdout).expect("answers are text")
}

/// `took 8.25 µs: 3 nodes made, 2750 ns each` with the times of all replays.
pub fn timeless(text: &str) -> String {
    let mut out = String::new();
    for line in text.lines() {
        match line.strip_prefix("took ") {
            Some(rest) => {
                let made = rest.split_once(": ").map(|(_, made)| made);
                out.push_str("took 0 ns");
                if let Some((nodes, _)) = made.and_then(|made| made.split_once(" made, ")) {
                    out.extend([": ", nodes, " made, 0 ns each"]);
                }
            }
            None => out.push_str(line),
        }
        out.push('\n');
    }
    out
}

/// A number of JSON, the three strings included.
pub fn number(value: &Value) -> f64 {
    match value {
        Value::String(text) => match text.as_str() {
            "NaN" | "nan" => f64::NAN,
            "Infinity" | "inf" => f64::INFINITY,
            "-Infinity" | "-inf" => f64::NEG_INFINITY,
            other => panic!("{other} is no number"),
        },
        other => other
            .as_f64()
            .unwrap_or_else(|| panic!("{other} is no number")),
    }
}

/// The same number, any NaN equal to any NaN, up to a relative and an absolute error.
pub fn close(got: f64, want: f64, relative: f64, absolute: f64) -> bool {
    if got.is_nan() || want.is_nan() {
        return got.is_nan() && want.is_nan();
    }
    got == want || (got - want).abs() <= (relative * want.abs()).max(absolute)
}

/// A small generator with a fixed seed, so that a failure comes again.
pub struct Random(pub u64);

impl Random {
    /// The next 64 bits (splitmix).
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// From 0 to before `bound`.
    pub fn below(&mut self, bound: usize) -> usize {
        (self.bits() % bound as u64) as usize
    }

    /// From 0 to 1.
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1_u64 << 53) as f64
    }
}
