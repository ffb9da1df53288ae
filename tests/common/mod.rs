//! Tools for tests of whole statements: a session without a shell, whose answers are JSON values.
#![allow(dead_code, clippy::missing_panics_doc)]

pub mod browser;
pub mod devtools;
pub mod firefox;
pub mod invariants;
pub mod process;
#[path = "../../crates/engine/tests/programs/mod.rs"]
pub mod programs;
pub mod project;
pub mod terminal;

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use chainrule::command::{Effect, Reply};
use chainrule::interpret;
use chainrule_engine::ops::Op;
use chainrule_language as language;
use chainrule_report::diagnostic::Diagnostic;
use chainrule_report::{Block, Picture, Plot};
use chainrule_session::{CellReading, Contents, Host, NumberTable, Session, Settings, WrittenFile};
use chainrule_view as view;
use chainrule_view::{StatementPlace, Style, json};
use serde_json::Value;

// Each of the two programs of tests uses some of them.
#[allow(unused_imports)]
pub use invariants::{everything, target};
#[allow(unused_imports)]
pub use programs::{Random, called, same_bits};

pub struct Desk {
    pub session: Session,
    /// The files that the last line has written.
    files: Rc<Files>,
}

/// A host that collects written files, paths and contents, and has none to read.
#[derive(Default)]
struct Files(RefCell<Vec<(String, Contents)>>);

impl Host for Files {
    fn stop(&self) -> bool {
        false
    }

    fn write(
        &self,
        path: &str,
        contents: Contents,
        _: &Settings,
    ) -> Result<WrittenFile, Diagnostic> {
        self.0.borrow_mut().push((path.to_owned(), contents));
        Ok(WrittenFile::default())
    }

    fn read_table(&self, path: &str, _: CellReading) -> Result<NumberTable, Diagnostic> {
        let nothing = Contents::Tables(Vec::new());
        self.0.borrow_mut().push((path.to_owned(), nothing));
        Err(Diagnostic::new("there are no files here"))
    }
}

impl Default for Desk {
    fn default() -> Desk {
        let mut session = Session::default();
        let files = Rc::<Files>::default();
        session.set_host(Rc::clone(&files) as Rc<dyn Host>);
        Desk { session, files }
    }
}

impl Desk {
    /// A session in which these lines were typed. None of them may fail.
    pub fn with(lines: &[impl AsRef<str>]) -> Desk {
        let mut desk = Desk::default();
        for line in lines {
            desk.line(line.as_ref());
        }
        desk
    }

    /// Types a line and returns the replies of its statements.
    pub fn try_line(&mut self, text: &str) -> Vec<Result<Reply, Diagnostic>> {
        let mut answers = Vec::new();
        self.files.0.take();
        if text.starts_with('#') && !text.contains('\n') {
            self.session.add_remark(text);
            return answers;
        }
        for cut in language::statements(text) {
            let answer = match cut {
                Ok(cut) => interpret::statement(&mut self.session, text, &cut),
                Err(error) => Err(chainrule_session::syntax_diagnostic(error)),
            };
            let failed = answer.is_err();
            answers.push(answer);
            if failed {
                break;
            }
        }
        answers
    }

    /// Types a line, and returns whether it needs the shell, for files or the clock.
    pub fn needs_shell(&mut self, line: &str) -> bool {
        let mut replies = self.try_line(line).into_iter().filter_map(Result::ok);
        let is_left = |effect: Box<Effect>| !matches!(*effect, Effect::Quit);
        replies.any(|reply| reply.effect.is_some_and(is_left)) || !self.files.0.borrow().is_empty()
    }

    /// Types a line that must not fail, and returns the JSON of its answers.
    pub fn line(&mut self, text: &str) -> Vec<Value> {
        let mut objects = Vec::new();
        for answer in self.try_line(text) {
            let reply = answer.unwrap_or_else(|error| panic!("{text}: {}", error.message));
            for report in reply.report.iter().chain(&reply.more) {
                let mut out = String::new();
                json::report(report, &reply.notes, "-", 1, &mut out);
                objects.push(
                    serde_json::from_str(&out).unwrap_or_else(|error| panic!("{error}: {out}")),
                );
            }
        }
        objects
    }

    /// The JSON of the last answer to a line that must not fail.
    pub fn answer(&mut self, text: &str) -> Value {
        let last = self.line(text).pop();
        last.unwrap_or_else(|| panic!("{text}: no answer"))
    }

    /// The JSON text of the answers to a line, without its place: an object a line, and each row on its own.
    pub fn json(&mut self, text: &str) -> String {
        let mut out = String::new();
        for answer in self.try_line(text) {
            match answer {
                Ok(reply) => {
                    for report in reply.report.iter().chain(&reply.more) {
                        json::report(report, &reply.notes, "-", 1, &mut out);
                    }
                }
                Err(error) => {
                    let place = StatementPlace::new(Some("-"), 1, text);
                    json::diagnostic(&error, Some(&place), "-", 1, &mut out);
                }
            }
        }
        let without_place = out.replace("\"file\":\"-\",\"line\":1,", "");
        let rows = without_place.replace("},{", "},\n  {");
        rows.replace("[{", "[\n  {")
    }

    /// The picture that the last line has drawn into a file, if there is one.
    pub fn last_picture(&self) -> Option<Picture> {
        match self.files.0.take().pop()? {
            (_, Contents::Picture(picture, _)) => Some(*picture),
            _ => None,
        }
    }

    /// The path and the contents of the file that a line writes, if it writes one.
    pub fn try_file(&mut self, line: &str) -> Option<(String, Contents)> {
        let answer = self.try_line(line).pop().expect("there is an answer");
        answer.unwrap_or_else(|error| panic!("{line}: {}", error.message));
        self.files.0.take().pop()
    }

    /// The paths and the contents of the files that a line writes.
    pub fn all_files(&mut self, line: &str) -> Vec<(String, Contents)> {
        self.line(line);
        self.files.0.take()
    }

    /// The text that a line writes into a file.
    pub fn written_text(&mut self, line: &str) -> String {
        match self.try_file(line) {
            Some((_, Contents::Text { text, .. })) => text,
            other => panic!("{line}: {other:?}"),
        }
    }

    /// The picture that a line draws into a file.
    pub fn picture(&mut self, line: &str) -> Picture {
        match self.try_file(line) {
            Some((_, Contents::Picture(picture, _))) => *picture,
            other => panic!("{line}: {other:?}"),
        }
    }

    /// The file that a line draws, in this style.
    pub fn drawn_file(&mut self, line: &str, style: &Style) -> Vec<u8> {
        let Some((path, Contents::Picture(picture, _))) = self.try_file(line) else {
            panic!("{line} draws nothing");
        };
        let ending = path.rsplit('.').next().expect("it has an ending");
        let drawn = view::picture(&picture, ending, style);
        let (content, _) = drawn.unwrap_or_else(|error| panic!("{line}: {error}"));
        content.into_bytes()
    }

    /// Types a line that must fail without a trace, and returns the error.
    pub fn error(&mut self, text: &str) -> Diagnostic {
        // To look at a large session takes long.
        let is_small = self.session.newest_id() < 1_000;
        let before = is_small.then(|| everything(&self.session));
        let mut answers = self.try_line(text);
        let Some(Err(error)) = answers.pop() else {
            panic!("`{text}` should be an error");
        };
        // The statements before the one that fails take effect.
        if let Some(before) = before.filter(|_| answers.is_empty()) {
            assert_eq!(everything(&self.session), before, "{text}");
        }
        error
    }

    /// The last answer to a line that must not fail.
    pub fn reply(&mut self, line: &str) -> Reply {
        let answer = self.try_line(line).pop().expect("a line is a statement");
        answer.unwrap_or_else(|error| panic!("{line}: {}", error.message))
    }

    /// The chart that a line draws, into a file or as its answer.
    pub fn plot(&mut self, line: &str) -> Plot {
        let reply = self.reply(line);
        if let Some(Picture::Plot(plot)) = self.last_picture() {
            return plot;
        }
        let blocks = reply.report.map(|report| report.blocks).unwrap_or_default();
        let plot = blocks.into_iter().find_map(|block| match block {
            Block::Plot(plot) => Some(plot),
            _ => None,
        });
        plot.unwrap_or_else(|| panic!("{line}: no chart"))
    }

    /// The text of an answer in this style, without its notes.
    pub fn answer_text(&mut self, line: &str, style: &Style) -> String {
        let report = self.reply(line).report.expect("it shows something");
        let mut out = String::new();
        view::report(&report, style, &mut out);
        out
    }

    /// The output of a line on a terminal of 80 columns, including notes and errors.
    pub fn screen(&mut self, text: &str) -> String {
        let style = Style {
            width: Some(80),
            ..self.style()
        };
        let answers = self.try_line(text);
        answers_text(text, &answers, &style)
    }

    /// The style that the settings imply.
    pub fn style(&self) -> Style {
        let settings = self.session.settings();
        Style {
            digits: settings.count("digits") as u8,
            table_digits: settings.count("table-digits") as u8,
            ..Style::default()
        }
    }

    pub fn value(&mut self, text: &str) -> f64 {
        number(&self.line(text)[0]["data"])
    }

    /// The grad of a node in the last pass, by name.
    pub fn grad(&self, name: &str) -> f64 {
        let node = self
            .session
            .names()
            .find_node(name)
            .unwrap_or_else(|| panic!("no {name}"));
        self.session
            .pass()
            .and_then(|pass| pass.grad(node))
            .unwrap_or(0.0)
    }
}

/// A window of this width.
pub fn wide(width: usize) -> Style {
    Style {
        width: Some(width),
        ..Style::default()
    }
}

/// The text of the answers to a line, with notes and errors.
pub fn answers_text(text: &str, answers: &[Result<Reply, Diagnostic>], style: &Style) -> String {
    let mut out = String::new();
    let place = StatementPlace::new(None, 1, text);
    for answer in answers {
        match answer {
            Ok(reply) => {
                let place = place.with_translation(reply.translated.as_deref());
                let report = reply.report.as_ref();
                if let Some(translated) = &reply.translated {
                    for line in translated.line.lines() {
                        out.extend(["→ ", line, "\n"]);
                    }
                }
                for (at, report) in report.into_iter().chain(&reply.more).enumerate() {
                    // As in the shell, names that have waited have no blank lines between them.
                    let has_gap = at > 0 && !report.is_confirmation;
                    out.push_str(if has_gap { "\n" } else { "" });
                    view::report(report, style, &mut out);
                }
                // At the prompt, an open line of a `print` ends.
                out.push_str(if out.is_empty() || out.ends_with('\n') {
                    ""
                } else {
                    "\n"
                });
                for note in &reply.notes {
                    view::note(note, &place, style, &mut out);
                }
            }
            Err(error) => view::diagnostic(error, Some(&place), style, &mut out),
        }
    }
    out
}

/// Replaces the measured times in a text: `took 8.25 µs: 3 nodes made, 2750 ns each`
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

/// A number in JSON, including the three that are strings.
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

/// Whether two numbers are equal up to a relative and an absolute error. All NaNs are equal.
pub fn close(got: f64, want: f64, relative: f64, absolute: f64) -> bool {
    if got.is_nan() || want.is_nan() {
        return got.is_nan() && want.is_nan();
    }
    got == want || (got - want).abs() <= (relative * want.abs()).max(absolute)
}

/// A host that says stop after some questions, or after some passes or steps, and counts both.
pub struct Patience {
    pub questions: Cell<u32>,
    pub passes: Cell<u64>,
    most_questions: u32,
    most_passes: u64,
}

impl Patience {
    pub fn of(questions: u32) -> Rc<Patience> {
        Patience::of_both(questions, u64::MAX)
    }

    pub fn of_passes(passes: u64) -> Rc<Patience> {
        Patience::of_both(u32::MAX, passes)
    }

    fn of_both(most_questions: u32, most_passes: u64) -> Rc<Patience> {
        Rc::new(Patience {
            questions: Cell::new(0),
            passes: Cell::new(0),
            most_questions,
            most_passes,
        })
    }
}

impl Host for Patience {
    fn stop(&self) -> bool {
        self.questions.set(self.questions.get() + 1);
        self.questions.get() > self.most_questions || self.passes.get() >= self.most_passes
    }

    fn progress(&self, done: u64, of: u64, _: f64, _: Option<&dyn Fn() -> String>) {
        assert!(done < of, "{done} of {of}");
        self.passes.set(done);
    }
}

/// The number of operands an operation is tested with: two if it takes any number.
pub fn few_operands(op: &Op) -> usize {
    match op.arity() {
        (least, Some(_)) => least,
        (least, None) => least.max(2),
    }
}

/// Points inside the domain of an operation and off its kinks, where it is finite.
pub fn points(op: &Op, most: usize, mut draw: impl FnMut(usize) -> Vec<f64>) -> Vec<Vec<f64>> {
    let mut points: Vec<Vec<f64>> = Vec::new();
    for attempt in 0..4_000 {
        let point = draw(attempt);
        let is_kink = op.kinks.iter().any(|kink| (kink.holds)(&point));
        let is_fine = op.domain.contains(&point) && op.value(&point).is_finite() && !is_kink;
        if is_fine && !points.contains(&point) {
            points.push(point);
        }
        if points.len() == most {
            break;
        }
    }
    points
}

/// The operations that languages refuse to export, because they have no function for them or for their derivatives.
const REFUSED: [(&str, &str); 2] = [
    (
        "C Python",
        "factorial gamma lgamma digamma trigamma polygamma",
    ),
    (
        "C Python JAX",
        "argmin argmax median_low median_high gcd lcm round_to",
    ),
];

/// Whether an export to this language refuses an operation.
pub fn is_refused(language: &str, op: &Op) -> bool {
    let mut rows = REFUSED.iter().filter(|row| row.0.contains(language));
    rows.any(|row| row.1.split(' ').any(|name| name == op.name))
}
