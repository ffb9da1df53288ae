//! `--gaps`: a page to hand out, on which each grad and each answer to a `:guess` is a line to fill in.
//!
//! `view` replaces numbers that are marked as grads by gaps. This file marks them in the answers to statements such as
//! `a.grad`, removes the verdicts on guesses, and replaces the guesses in the statements. The last page is the solution: it
//! repeats every statement whose answer has gaps, with the numbers.

use super::lesson_line::guess_place;
use chainrule_language::{self as language, Span, TextPart};
use chainrule_program::Environment as _;
use chainrule_report::{Block, Report, grads};
use chainrule_session::Session;
use chainrule_view::GAP;

/// A line of statements with gaps for the numbers of guesses.
pub(super) fn with_gaps(text: &str) -> String {
    let mut shown = String::new();
    let mut done = 0;
    for cut in language::statements(text).flatten() {
        if let Some(number) = guess_place(text, cut.span).or_else(|| claim_place(text, cut.span)) {
            shown += &text[done..number.start as usize];
            shown += GAP;
            done = number.end as usize;
        }
    }
    shown + &text[done..]
}

/// The report of a statement as a worksheet shows it. `asks_all`: the statement asks for all its numbers, by `# ?`.
pub(super) fn question(
    report: &Report,
    statement: &str,
    session: &Session,
    asks_all: bool,
) -> Report {
    let mut question = report.clone();
    let is_table = |block: &Block| matches!(block, Block::Table(_));
    // A verdict tells the answer. A report with a table is a hint, which stays.
    let is_verdict =
        ["guess", "answer"].contains(&report.kind) && !report.blocks.iter().any(is_table);
    let is_value = ["value", "binding", "print", "block", "set"].contains(&report.kind);
    if asks_all || is_value && shows_grads(session, statement) {
        question.blocks.iter_mut().for_each(mark_grads);
    } else if is_verdict {
        question.blocks.clear();
    }
    question
}

/// Marks the numbers of a line, of values, of a table or below a plot as grads. Other blocks stay as they are.
fn mark_grads(block: &mut Block) {
    let line = match block {
        Block::Table(table) => {
            let columns = table.columns.iter_mut();
            columns.for_each(|column| column.has_gaps = true);
            return;
        }
        Block::Plot(plot) => {
            let remarks = std::mem::take(&mut plot.remarks).into_iter();
            plot.remarks = remarks.map(grads).collect();
            return;
        }
        Block::Line(line) => std::mem::take(line),
        Block::Values(values) if !values.is_hidden => values.line(),
        _ => return,
    };
    *block = Block::Line(grads(line));
}

/// Does the statement show grads as plain numbers: `a.grad`, `grad(L, a)`, `f'(3)` or `dL/da`?
fn shows_grads(session: &Session, statement: &str) -> bool {
    let has_word = |word| statement.contains(word);
    let is_differential = |(part, span): (TextPart, Span)| {
        let word = span.of(statement);
        // A name of the user's own, such as `data`, may begin with `d`, too.
        let is_known = session.names().find(word).is_some() || session.is_function(word);
        part == TextPart::Name && word.starts_with(['d', '∂']) && !is_known
    };
    [".grad", "grad(", "'("].into_iter().any(has_word)
        || statement.contains('/') && language::parts(statement).into_iter().any(is_differential)
}

/// The place of the number in a claim: `a.grad = 6`, `a.grad += 6` or `dL/da = 6`. `a.grad = 0` and `a.grad = None` reset a
/// grad and are no claims.
fn claim_place(text: &str, statement: Span) -> Option<Span> {
    let (left, right) = statement.of(text).split_once('=')?;
    let target = left.trim_end().trim_end_matches(['+', '-']).trim_end();
    // In `print("a.grad =", 6)` the sign stands in a string, and in `f(a.grad, b=6)` it names an argument.
    let [opened, closed] = ['(', ')'].map(|bracket| target.matches(bracket).count());
    let is_outside = opened == closed && !target.contains(['"', '\'', ':']);
    // Only a derivative, `dL/da = 6`, has a quotient there.
    let is_of_grad = target.contains('/') || target.rsplit('.').next() == Some("grad");
    // `a.grad == 6` compares.
    let is_comparison = right.starts_with('=');
    let is_claim = is_outside && !is_comparison && is_of_grad;
    let value = right.trim();
    let is_reset = value == "None" || value.parse() == Ok(0.0);
    // The span of a statement has no blanks at its end, so the value ends where the statement does.
    let end = statement.end as usize;
    (is_claim && !is_reset).then(|| Span::new(end - value.len(), end))
}

#[cfg(test)]
mod tests {
    use super::{GAP, with_gaps};

    #[test]
    fn guesses_and_claims_have_gaps() {
        for (line, with_underscores) in [
            (":guess a 2", ":guess a _"),
            (":guess a 2 of L", ":guess a _ of L"),
            ("a = 1; a.grad += 6 # why?", "a = 1; a.grad += _ # why?"),
            ("a.grad = 6;", "a.grad = _;"),
            ("a.grad = 0", "a.grad = 0"),
            ("a.grad = None", "a.grad = None"),
            ("a.grad -= 6", "a.grad -= _"),
            ("dL/da = 6", "dL/da = _"),
            ("dL/d(a^2) = 6", "dL/d(a^2) = _"),
            ("f(a/b, k=6)", "f(a/b, k=6)"),
            (":data d/a.csv x=3", ":data d/a.csv x=3"),
            ("a.grad == 6", "a.grad == 6"),
            ("print(\"a.grad = 6\")", "print(\"a.grad = 6\")"),
            ("grad = 6", "grad = _"),
        ] {
            let expected = with_underscores.replace('_', GAP);
            assert_eq!(with_gaps(line), expected, "{line}");
        }
    }
}
