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
use chainrule_report::{Block, Fact, Facts, Note, Picture, Piece, Report, ReportKind, Role};
use chainrule_view::theme::Theme;
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
        let is_in_cell =
            matches!(&self.format, AnswerFormat::Objects(it) if it.forms.contains(&"cell"));
        let text_in = |theme| {
            let mut text = String::new();
            let look = Style { theme, ..style };
            view::diagnostic(error, job.place.as_ref(), &look, &mut text);
            Fact::Text(text)
        };
        let (line, its_facts) = json::error_facts(error, job.place.as_ref(), job.line());
        let mut facts = vec![("line", Fact::from(line))];
        facts.extend(its_facts);
        if job.place.is_none_or(|place| place.text.is_empty()) {
            // The error is about no statement.
            facts.retain(|(key, _)| ["message", "help"].contains(key));
        }
        facts.push(("text", text_in(style.theme)));
        facts.extend(is_in_cell.then(|| ("cell", text_in(Some(Theme::Terminal)))));
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
        ("output", output_of(report).into()),
        ("line", job.line().into()),
    ];
    for form in forms {
        let text = lay_out_text(|out| write_form(form, report, job, style, out))?;
        if ["values", "cell"].contains(form) {
            facts.push((form, Fact::Json(text.trim_end().to_owned())));
        } else if !text.is_empty() {
            facts.push((form, Fact::Text(text)));
        }
    }
    Ok(Fact::Record(facts))
}

/// How a notebook shows an answer: `stream` is what statements have printed, `result` the value of an expression, `none` a
/// binding, which only repeats what was typed, `warning` a name that waits for letters, and `display` anything else.
fn output_of(report: &Report) -> &'static str {
    use ReportKind::{Append, Binding, Function, Label, Value, Waiting};
    match report.kind {
        Binding | Function | Label | Append if report.is_confirmation => "none",
        kind if kind.is_output() && !report.is_confirmation => "stream",
        Value => "result",
        Waiting => "warning",
        _ => "display",
    }
}

/// Writes a report in one form. Writes nothing if it cannot be shown in this form.
fn write_form(form: &str, report: &Report, job: Job, style: &Style, out: &mut String) {
    match form {
        "html" => view::report_html(report, &Document::part_of_page().style(style), out),
        "latex" => out.extend(latex(&report.blocks, "\\quad ")),
        "cell" => json::write_fact(&cell(report, style), out),
        "svg" => out.extend(svg(report, style)),
        "values" => json::report(report, &[], job.origin.name(), job.line(), out),
        _ => view::report(report, style, out),
    }
}

/// A report for a cell of a notebook: its parts in their order. A picture is a part of its own.
fn cell(report: &Report, style: &Style) -> Fact {
    let is_picture = |block: &Block| matches!(block, Block::Graph(_) | Block::Plot(_));
    let are_one_part = |one: &Block, other: &Block| !is_picture(one) && !is_picture(other);
    let parts = report.blocks.chunk_by(are_one_part);
    let reports = parts.map(|blocks| Report::new(report.kind, Facts::new(), blocks.to_vec()));
    reports.map(|part| cell_part(&part, style)).collect()
}

/// A part of a cell in all its forms. The `text` of a picture is its title, because few readers see it. Only a part that
/// begins with a formula has `latex`.
fn cell_part(part: &Report, style: &Style) -> Fact {
    let mut cell_style = style.clone();
    cell_style.theme = Some(Theme::Cell);
    if let Some((picture, svg)) = picture(part).zip(svg(part, &cell_style)) {
        let title = Fact::Text(view::picture_title(&picture));
        return Fact::Record(vec![("text", title), ("svg", Fact::Text(svg))]);
    }
    let (mut text, mut html) = (String::new(), String::new());
    view::report(part, style, &mut text);
    view::report_html(part, &cell_style, &mut html);
    let mut facts = vec![("text", Fact::Text(text)), ("html", Fact::Text(html))];
    let rows = latex(&part.blocks, " & ").filter(|_| latex(&part.blocks[..1], "").is_some());
    facts.extend(rows.map(|rows| {
        let rows = rows.replace('\n', "\\\\\n\\displaystyle ");
        let array = format!("$$\\begin{{array}}{{ll}}\n\\displaystyle {rows}\n\\end{{array}}$$");
        ("latex", Fact::Text(array))
    }));
    Fact::Record(facts)
}

/// The formulas of blocks in LaTeX, one a line, with `gap` behind the words before the first formula of a line.
fn latex(blocks: &[Block], gap: &str) -> Option<String> {
    let lines = blocks.iter().filter_map(|block| match block {
        Block::Line(line) => latex_of(line, gap),
        Block::Prose(prose) => latex_of(&prose.line, gap),
        _ => None,
    });
    let formulas: Vec<String> = lines.collect();
    (!formulas.is_empty()).then(|| formulas.join("\n"))
}

/// A line in LaTeX up to the end of its last formula. `None` for a line without a formula.
fn latex_of(line: &[Piece], gap: &str) -> Option<String> {
    let is_math = |piece: &Piece| matches!(piece, Piece::Words(Role::Math, _));
    let last = line.iter().rposition(is_math)?;
    let parts = line[..=last].iter().enumerate().map(|(at, piece)| {
        let gap = if at == 0 { gap } else { "\\quad " };
        let words = piece.words();
        match math_of_text(words).filter(|_| is_math(piece)) {
            Some(math) => tex(&math, &symbol),
            None if words.contains(char::is_alphabetic) => {
                format!("\\text{{{}}}{gap}", words.trim())
            }
            None => words.to_owned(),
        }
    });
    Some(parts.collect())
}

/// The first picture of a report as SVG.
fn svg(report: &Report, style: &Style) -> Option<String> {
    let (svg, _) = view::picture(&picture(report)?, "svg", style).ok()?;
    Some(svg)
}

fn picture(report: &Report) -> Option<Picture> {
    report.blocks.iter().find_map(|block| match block {
        Block::Graph(diagram) => Some(Picture::Graph(diagram.clone())),
        Block::Plot(plot) => Some(Picture::Plot(plot.clone())),
        _ => None,
    })
}
