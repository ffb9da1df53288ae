//! `--gaps`: a page to hand out, on which each grad and each answer to a `:guess` is a line to fill in.
//!
//! `view` leaves out the grads of an answer; this file does what depends on the statement. What has a gap stands on the
//! last page once more, without it.

use super::lesson::guess_place;
use super::runner::Runner;
use crate::session::Session;
use crate::shell::RunEnd;
use crate::shell::process::interrupt;
use crate::shell::process::terminal::Stream;
use chainrule_language::{self as language, Span, TextPart};
use chainrule_report::{Block, Fact, NamedValue, Report, grads, join};
use chainrule_stop as stop;
use chainrule_view as view;
use chainrule_view::{Document, GAP, Style};

/// A line of statements in which the numbers of guesses are gaps.
pub(super) fn with_gap(text: &str) -> String {
    let mut shown = String::new();
    let mut done = 0;
    for cut in language::statements(text).flatten() {
        if let Some(place) = guess_place(text, cut.span).or_else(|| claim_place(text, cut.span)) {
            shown += &text[done..place.start as usize];
            shown += GAP;
            done = place.end as usize;
        }
    }
    shown + &text[done..]
}

impl Runner {
    /// Shows the reports of a statement on a worksheet.
    pub(super) fn show_on_worksheet(
        &mut self,
        reports: &[&Report],
        statement: &str,
    ) -> Result<(), RunEnd> {
        let style = self.style(Stream::Answers);
        let of_answers = Style {
            has_gaps: false,
            ..style
        };
        let reads_grads = reads_grads(&self.session, statement);
        let lay_out = |style: &Style, out: &mut String| {
            for report in reports {
                view::report_html(&question(report, reads_grads, style), style, out);
            }
        };
        let mut whole = String::new();
        stop::run_until_stopped(interrupt::pending, || lay_out(&of_answers, &mut whole))
            .map_err(|_| RunEnd::Interrupted)?;
        let write = |document: &mut Document, shown: &str, out: &mut String| {
            document.elements(shown, &whole, out);
        };
        self.answer_in_document(|out| lay_out(&style, out), write)
    }
}

/// The report as a worksheet asks it. The verdict on a guess is an answer as a whole; its score is nobody's.
fn question(report: &Report, reads_grads: bool, style: &Style) -> Report {
    let mut asked = report.clone();
    let blocks = &mut asked.blocks;
    let has_table = blocks.iter().any(|block| matches!(block, Block::Table(_)));
    match report.kind {
        "guess" if !has_table && style.has_gaps => blocks.clear(),
        "guess" if !has_table && !is_right_guess(report) => {
            blocks.pop();
        }
        "value" | "binding" | "print" if style.has_gaps && reads_grads => {
            for block in blocks {
                let line = match block {
                    Block::Line(line) => std::mem::take(line),
                    Block::Values(values) if !values.is_hidden => {
                        join(values.values.iter().map(NamedValue::line), ", ")
                    }
                    _ => continue,
                };
                *block = Block::Line(grads(line));
            }
        }
        _ => {}
    }
    asked
}

/// Whether it says that a guess is right, which is said without a score.
fn is_right_guess(report: &Report) -> bool {
    let mut facts = report.facts.iter();
    facts.any(|(key, fact)| *key == "right" && matches!(fact, Fact::Flag(true)))
}

/// Are the numbers that it prints grads: `a.grad`, `grad(L, a)`, `f'(3)` or `dL/da`?
fn reads_grads(session: &Session, statement: &str) -> bool {
    let is_written = |word| statement.contains(word);
    let is_sign = |(part, span): (TextPart, Span)| {
        let word = span.of(statement);
        let is_known = session.names().find(word).is_some() || session.is_function(word);
        part == TextPart::Name && word.starts_with(['d', '∂']) && !is_known
    };
    [".grad", "grad(", "'("].into_iter().any(is_written)
        || statement.contains('/') && language::parts(statement).into_iter().any(is_sign)
}

/// The place of the number in a claim of Python, `a.grad = 6`. 0 and `None` set a grad back and claim nothing.
fn claim_place(text: &str, statement: Span) -> Option<Span> {
    let (claimed, value) = statement.of(text).split_once('=')?;
    let node = claimed.trim_end().trim_end_matches('+').trim_end();
    let is_node = !node.contains(['"', '\'', '(']);
    let is_claim = is_node && node.rsplit('.').next() == Some("grad") && !value.starts_with('=');
    let value = value.trim();
    let end = statement.end as usize;
    let sets_back = value == "None" || value.parse() == Ok(0.0);
    (is_claim && !sets_back).then(|| Span::new(end - value.len(), end))
}
