//! The second derivatives of a formula: a row for each letter.

use super::{COMMAND, Subject};
use crate::command::prelude::*;
use chainrule_formulas::derivative_in_shape;
use chainrule_program::Environment as _;

/// The most letters.
const MOST_LETTERS: usize = 6;

pub(super) fn hessian_report(
    session: &mut Session,
    subject: &Subject,
    by: &[Rc<Node>],
) -> Result<Report> {
    if by.is_empty() || by.len() > MOST_LETTERS {
        let message = format!("`{}` has {}", subject.name, plural(by.len(), "letter"));
        let help = format!("from 1 to {MOST_LETTERS} are expected: `… hessian wrt x, y`");
        return Err(Diagnostic::new(message).at(subject.place).help(help));
    }
    let mut columns = vec![Column::new("letter", "")];
    columns.extend(by.iter().map(|it| Column::people(session.label(it))));
    columns.push(Column::machines("derivatives"));
    let mut rows: Vec<Vec<Cell>> = Vec::new();
    for (place, letter) in by.iter().enumerate() {
        let program = session.program_mut();
        let slopes = program.derivatives(&subject.root, std::slice::from_ref(letter))?;
        // What is left of the diagonal is also above it.
        let mut row = vec![Cell::Name(session.label(letter))];
        row.extend(rows.iter().map(|above| above[place + 1].clone()));
        for other in &by[place..] {
            let second = derivative_in_shape(session, &slopes[0], other, None);
            row.push(Cell::Formula(second.unwrap_or_else(|_| "…".to_string())));
        }
        row.push(Cell::Fact(row[1..].iter().map(Cell::words).collect()));
        rows.push(row);
    }
    let facts = vec![("of", subject.name.as_str().into())];
    let blocks = vec![Block::Table(Table::new("rows", columns, rows))];
    Ok(Report::new(&COMMAND, facts, blocks))
}
