//! Writes answers, notes and errors as the objects of the dialogue: one JSON object a line, as soon as it is ready.

use super::answer_format::AnswerFormat;
#[cfg(feature = "terminal")]
use super::answer_format::ObjectFormat;
use super::job::Job;
use super::runner::Runner;
use super::show::{lay_out_text, write_notes};
use crate::shell::RunResult;
use crate::shell::process::terminal::Stream;
use chainrule_language::math::{math_of_text, tex};
use chainrule_report::diagnostic::Diagnostic;
use chainrule_report::tex_symbols::symbol;
use chainrule_report::{Block, Fact, Note, Picture, Piece, Report, ReportKind, Role};
use chainrule_view::{self as view, Document, Style, json};

impl Runner {
    /// Sets how the answers that follow look.
    #[cfg(feature = "terminal")]
    pub(crate) fn set_objects(&mut self, format: ObjectFormat) {
        self.format = AnswerFormat::Objects(format);
    }

    pub(super) fn writes_objects(&self) -> bool {
        matches!(self.format, AnswerFormat::Objects(_))
    }

    /// Writes the reports of a statement.
    pub(super) fn write_answer_objects(&mut self, reports: &[&Report], job: Job) -> RunResult {
        let style = self.style(Stream::Answers);
        let AnswerFormat::Objects(format) = &self.format else {
            return Ok(());
        };
        for report in reports {
            let answer = answer_fact(report, &format.forms, job, &style)?;
            self.host.write_object(vec![("answer", answer)])?;
        }
        Ok(())
    }

    /// Writes the notes on a statement.
    pub(super) fn write_note_objects(&mut self, notes: &[Note], job: Job) -> RunResult {
        let style = self.style(Stream::Messages);
        for note in notes {
            let mut text = String::new();
            write_notes(std::slice::from_ref(note), job.place, &style, &mut text);
            let typed = job.place.filter(|place| place.translated.is_none());
            let spot = typed.zip(note.place.as_ref());
            let line = spot.map_or(job.line(), |(place, (span, _))| {
                place.counted_from(span.start).known_line()
            });
            let names = note.unknown_names.iter().map(|name| Fact::from(&**name));
            let facts = vec![
                ("line", line.into()),
                ("message", Fact::Sentence(note.message.clone())),
                ("unknown_names", names.collect()),
                ("text", Fact::Text(text)),
            ];
            self.host
                .write_object(vec![("note", Fact::Record(facts))])?;
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
        self.host.write_object(vec![("error", Fact::Record(facts))])
    }
}

/// A report with the forms in which it can be shown.
fn answer_fact(
    report: &Report,
    forms: &[&'static str],
    job: Job,
    style: &Style,
) -> RunResult<Fact> {
    // A program writes all that is printed to its own output.
    let kind = match report.kind {
        ReportKind::PrintedValue => ReportKind::Print,
        kind => kind,
    };
    let mut facts = vec![
        ("kind", kind.word().into()),
        ("confirms", report.is_confirmation.into()),
        ("line", job.line().into()),
    ];
    for form in forms {
        let text = lay_out_text(|out| write_form(form, report, job, style, out))?;
        if *form == "values" {
            facts.push((form, Fact::Json(text.trim_end().to_owned())));
        } else if !text.is_empty() {
            facts.push((form, Fact::Text(text)));
        }
    }
    Ok(Fact::Record(facts))
}

/// Writes a report in one form. Writes nothing if it cannot be shown in this form.
fn write_form(form: &str, report: &Report, job: Job, style: &Style, out: &mut String) {
    match form {
        "html" => view::report_html(report, &Document::part_of_page().style(style), out),
        "latex" => out.extend(latex(report)),
        "svg" => out.extend(svg(report, style)),
        "values" => json::report(report, &[], job.origin.name(), job.line(), out),
        _ => view::report(report, style, out),
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
            Some(math) => tex(&math, &symbol),
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
