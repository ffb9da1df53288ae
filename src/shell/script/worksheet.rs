//! `--gaps`: a page to hand out, on which each grad and each answer to a `:guess` is a line to fill in.
//!
//! `view` leaves out the grads of an answer, and this file the numbers that depend on the statement. The last page repeats
//! everything that has gaps, without them.

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

/// A line of statements with gaps for the numbers of guesses.
pub(super) fn with_gaps(text: &str) -> String {
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
        let with_gaps = self.style(Stream::Answers);
        let without_gaps = Style {
            has_gaps: false,
            ..with_gaps
        };
        let shows_grads = shows_grads(&self.session, statement);
        let lay_out = |style: &Style, out: &mut String| {
            for report in reports {
                view::report_html(&question(report, shows_grads, style), style, out);
            }
        };
        let mut whole = String::new();
        stop::run_until_stopped(interrupt::pending, || lay_out(&without_gaps, &mut whole))
            .map_err(|_| RunEnd::Interrupted)?;
        let write = |document: &mut Document, shown: &str, out: &mut String| {
            document.elements(shown, &whole, out);
        };
        self.answer_in_document(|out| lay_out(&with_gaps, out), write)
    }
}

/// The report with its grads left out. The whole verdict on a guess is an answer, and so is left out, too; the last page
/// shows it without a score.
fn question(report: &Report, shows_grads: bool, style: &Style) -> Report {
    let mut asked = report.clone();
    let blocks = &mut asked.blocks;
    let has_table = blocks.iter().any(|block| matches!(block, Block::Table(_)));
    match report.kind {
        "guess" if !has_table && style.has_gaps => blocks.clear(),
        "guess" if !has_table && !is_right_guess(report) => {
            blocks.pop();
        }
        "value" | "binding" | "print" if style.has_gaps && shows_grads => {
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

/// Is it the verdict on a right guess? That has no score.
fn is_right_guess(report: &Report) -> bool {
    let mut facts = report.facts.iter();
    facts.any(|(key, fact)| *key == "right" && matches!(fact, Fact::Flag(true)))
}

/// Does the statement show grads as plain numbers: `a.grad`, `grad(L, a)`, `f'(3)` or `dL/da`?
fn shows_grads(session: &Session, statement: &str) -> bool {
    let has_word = |word| statement.contains(word);
    let is_differential = |(part, span): (TextPart, Span)| {
        let word = span.of(statement);
        let is_known = session.names().find(word).is_some() || session.is_function(word);
        part == TextPart::Name && word.starts_with(['d', '∂']) && !is_known
    };
    [".grad", "grad(", "'("].into_iter().any(has_word)
        || statement.contains('/') && language::parts(statement).into_iter().any(is_differential)
}

/// The place of the number in a claim in Python, `a.grad = 6`. `a.grad = 0` and `a.grad = None` reset a grad and are no
/// claims.
fn claim_place(text: &str, statement: Span) -> Option<Span> {
    let (left, right) = statement.of(text).split_once('=')?;
    let node = left.trim_end().trim_end_matches('+').trim_end();
    let is_node = !node.contains(['"', '\'', '(']);
    let is_claim = is_node && node.rsplit('.').next() == Some("grad") && !right.starts_with('=');
    let value = right.trim();
    let end = statement.end as usize;
    let is_reset = value == "None" || value.parse() == Ok(0.0);
    (is_claim && !is_reset).then(|| Span::new(end - value.len(), end))
}
