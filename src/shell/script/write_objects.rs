//! Writes answers, notes and errors as the objects of the dialogue: one JSON object a line, as soon as it is ready.

use super::answer_format::{AnswerFormat, Form, ObjectFormat};
use super::job::Job;
use super::runner::Runner;
use super::show::lay_out_text;
use crate::shell::RunResult;
use crate::shell::process::terminal::Stream;
use chainrule_language::math::{math_of_text, tex};
use chainrule_report::diagnostic::Diagnostic;
use chainrule_report::{Block, Fact, Facts, Note, Picture, Piece, Report, Role};
use chainrule_view::json::{self, ObjectWriter};
use chainrule_view::{self as view, AnswerSink as _, Document, Style};

impl Runner {
    /// Makes objects the format of the answers that follow.
    pub(crate) fn begin_objects(&mut self, format: ObjectFormat) {
        self.host.request.replace(Some(format.id.clone()));
        self.format = AnswerFormat::Objects(format);
    }

    /// From now on the statements come from requests.
    #[cfg(feature = "terminal")]
    pub(crate) fn open_dialogue(&mut self) {
        self.is_at_prompt = true;
        // Ctrl-C never ends the process.
        self.host.output.borrow_mut().is_at_prompt = true;
    }

    pub(super) fn writes_objects(&self) -> bool {
        matches!(self.format, AnswerFormat::Objects(_))
    }

    /// Writes an object of the request with these facts, for example the last one.
    pub(crate) fn write_object(&mut self, facts: &Facts) -> RunResult {
        let mut line = String::new();
        let mut object = ObjectWriter::begin(&mut line);
        if let AnswerFormat::Objects(format) = &self.format {
            object.field("id", &format.id);
        }
        for (key, fact) in facts {
            object.field(key, fact);
        }
        object.end();
        self.write_line(&line)
    }

    fn write_line(&mut self, line: &str) -> RunResult {
        let mut output = self.host.output.borrow_mut();
        output.answer(|out| {
            let text = out.text();
            text.push_str(line);
            text.push('\n');
        })?;
        output.flush()
    }

    /// Writes the reports of a statement.
    pub(super) fn write_answer_objects(&mut self, reports: &[&Report], job: Job) -> RunResult {
        for report in reports {
            let style = self.style(Stream::Answers);
            let AnswerFormat::Objects(format) = &self.format else {
                return Ok(());
            };
            let line = lay_out_text(|out| write_answer(report, format, job, &style, out))?;
            self.write_line(&line)?;
        }
        Ok(())
    }

    /// Writes the notes on a statement.
    pub(super) fn write_note_objects(&mut self, notes: &[Note], job: Job) -> RunResult {
        let style = self.style(Stream::Messages);
        for note in notes {
            let mut text = String::new();
            if let Some(place) = &job.place {
                view::note(note, place, &style, &mut text);
            }
            let facts = vec![
                ("line", job.line().into()),
                ("message", Fact::Sentence(note.message.clone())),
                ("text", Fact::Text(text)),
            ];
            self.write_object(&vec![("note", Fact::Record(facts))])?;
        }
        Ok(())
    }

    /// Writes an error.
    pub(super) fn write_error_object(&mut self, error: &Diagnostic, job: Job) -> RunResult {
        let style = self.style(Stream::Messages);
        let mut text = String::new();
        view::diagnostic(error, job.place.as_ref(), &style, &mut text);
        let (line, its_facts) = json::error_facts(error, job.place.as_ref(), job.line());
        let mut facts = vec![("line", Fact::from(line))];
        facts.extend(its_facts);
        if job.place.is_none_or(|place| place.text.is_empty()) {
            // The error is about no statement.
            facts.retain(|(key, _)| ["message", "help"].contains(key));
        }
        facts.push(("text", Fact::Text(text)));
        self.write_object(&vec![("error", Fact::Record(facts))])
    }
}

/// Writes the object of a report.
fn write_answer(report: &Report, format: &ObjectFormat, job: Job, style: &Style, out: &mut String) {
    let mut object = ObjectWriter::begin(out);
    object.field("id", &format.id);
    if let Some(entry) = format.entry {
        object.field("entry", &entry.into());
    }
    let mut answer = ObjectWriter::begin(object.key("answer"));
    // A `print` is told from a value by its items.
    let is_print = report.facts.iter().any(|(key, _)| *key == "items");
    let kind = if is_print { "print" } else { report.kind };
    answer.field("kind", &kind.into());
    answer.field("confirms", &report.is_confirmation.into());
    answer.field("line", &job.line().into());
    for form in &format.forms {
        write_form(*form, report, job, style, &mut answer);
    }
    answer.end();
    object.end();
}

/// Writes a report in one form, if it can be shown in this form.
fn write_form(form: Form, report: &Report, job: Job, style: &Style, answer: &mut ObjectWriter) {
    let mut text = String::new();
    let key = match form {
        Form::Text => {
            view::report(report, style, &mut text);
            "text"
        }
        Form::Html => {
            let in_page = Document::part_of_page().style(style);
            view::report_html(report, &in_page, &mut text);
            "html"
        }
        Form::Latex => {
            text = latex(report).unwrap_or_default();
            "latex"
        }
        Form::Svg => {
            text = svg(report, style).unwrap_or_default();
            "svg"
        }
        Form::Values => {
            json::report(report, &[], job.origin.name(), job.line(), &mut text);
            return answer.key("values").push_str(text.trim_end());
        }
    };
    if !text.is_empty() {
        answer.field(key, &Fact::Text(text));
    }
}

/// The formulas of a report in LaTeX, one a line.
fn latex(report: &Report) -> Option<String> {
    let lines = report.blocks.iter().filter_map(|block| match block {
        Block::Line(line) => latex_of(line),
        Block::Prose(prose) => latex_of(&prose.line),
        _ => None,
    });
    let formulas: Vec<String> = lines.collect();
    (!formulas.is_empty()).then(|| formulas.join("\n"))
}

/// A line in LaTeX up to the end of its last formula. `None` for a line without a formula.
fn latex_of(line: &[Piece]) -> Option<String> {
    let is_math = |piece: &Piece| matches!(piece, Piece::Words(Role::Math, _));
    let last = line.iter().rposition(is_math)?;
    let parts = line[..=last].iter().map(|piece| {
        let words = piece.words();
        match math_of_text(words).filter(|_| is_math(piece)) {
            Some(math) => tex(&math, &str::to_owned),
            None if words.contains(char::is_alphabetic) => {
                format!("\\text{{{}}}\\quad ", words.trim())
            }
            None => words.to_owned(),
        }
    });
    Some(parts.collect())
}

/// The first picture of a report.
fn svg(report: &Report, style: &Style) -> Option<String> {
    let picture = report.blocks.iter().find_map(|block| match block {
        Block::Graph(diagram) => Some(Picture::Graph(diagram.clone())),
        Block::Plot(plot) => Some(Picture::Plot(plot.clone())),
        _ => None,
    });
    let bytes = view::picture(&picture?, "svg", style).ok()?;
    String::from_utf8(bytes).ok()
}
