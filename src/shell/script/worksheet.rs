//! `--gaps`: a page to hand out, on which each grad and each answer to a `:guess` is a line to fill in.
//!
//! `view` replaces numbers that are marked as grads by gaps. This file marks them in the answers to statements such as
//! `a.grad`, removes the verdicts on guesses, and replaces the guesses in the statements. The last page is the solution: it
//! repeats every statement whose answer has gaps, with the numbers.

use crate::interpret::Meaning;
use chainrule_program::Environment as _;
use chainrule_report::{Block, Piece, Report, Role, grads};
use chainrule_session::Session;
use chainrule_view::GAP;

/// A line of statements with gaps for the numbers of guesses.
pub(super) fn with_gaps(text: &str) -> String {
    let mut shown = String::new();
    let mut done = 0;
    for asked in Meaning::all_in(text).filter_map(|it| it.asked) {
        shown += &text[done..asked.place.start as usize];
        shown += GAP;
        done = asked.place.end as usize;
    }
    shown + &text[done..]
}

/// The report of a statement as a worksheet shows it. `asks_all`: the statement asks for all its numbers and formulas, by
/// `# ?`.
pub(super) fn question(report: &Report, session: &Session, asks_all: bool) -> Report {
    let mut question = report.clone();
    if asks_all {
        question.blocks.iter_mut().for_each(mark_formulas);
    }
    if report.is_verdict {
        question.blocks.clear();
    } else if asks_all || session.program().has_read_grad {
        question.blocks.iter_mut().for_each(mark_grads);
    }
    question
}

/// Marks the formulas of a line as grads, but for the first of several: that is what stands to the left of `=`.
fn mark_formulas(block: &mut Block) {
    let Block::Line(line) = block else { return };
    let is_formula = |piece: &&mut Piece| matches!(piece, Piece::Words(Role::Math, _));
    let mut formulas: Vec<&mut Piece> = line.iter_mut().filter(is_formula).collect();
    let first = usize::from(formulas.len() > 1);
    for formula in &mut formulas[first..] {
        **formula = Piece::Grad(Box::new(formula.clone()));
    }
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
        Block::Line(line) | Block::OpenLine(line) => {
            *line = grads(std::mem::take(line));
            return;
        }
        Block::Values(values) if !values.is_hidden => values.line(),
        _ => return,
    };
    *block = Block::Line(grads(line));
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
            ("grad = 6", "grad = 6"),
            (":gu a 2 of L", ":gu a _ of L"),
            (":guess a = 2", ":guess a = _"),
            (":ans no, it can't; never", ":ans _"),
            ("(a*b).grad = 6", "(a*b).grad = _"),
            ("a.grad = f(x=3)", "a.grad = _"),
            ("L = a^2; :gu a 2a", "L = a^2; :gu a _"),
            ("print(a, sep=\"=\")", "print(a, sep=\"=\")"),
        ] {
            let expected = with_underscores.replace('_', GAP);
            assert_eq!(with_gaps(line), expected, "{line}");
        }
    }
}
