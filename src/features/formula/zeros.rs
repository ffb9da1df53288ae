//! The numbers of its letter at which a formula is 0.

use super::{COMMAND, Subject, the_letter};
use crate::command::prelude::*;
use crate::search::zeros::Zeros;

/// The real numbers of the letter at which the formula is 0.
pub(super) fn zeros_report(
    session: &mut Session,
    arguments: &Arguments,
    subject: &Subject,
) -> Result<Report> {
    let by = the_letter(session, arguments, subject)?;
    if subject.letters.len() > 1 && !subject.has_numbers {
        return Err(other_letters_error(&subject.name).at(subject.place));
    }
    let (root, letter) = (&subject.root, session.label(&by));
    let watched = Some(std::slice::from_ref(&by));
    session.check_guards(std::slice::from_ref(root), watched, subject.place)?;
    let everywhere = (f64::NEG_INFINITY, f64::INFINITY);
    let zeros = Zeros::of(session, root, &by, everywhere).ok_or_else(|| {
        Diagnostic::new(format!("`{}` is too long", subject.name))
            .at(subject.place)
            .help(format!("`:solve {letter} for … = 0` finds one solution"))
    })?;
    let facts = vec![
        ("of", subject.name.as_str().into()),
        ("by", letter.as_str().into()),
        ("zeros", zeros.numbers()),
    ];
    let blocks = vec![Block::Line(zeros.line(&letter, false))];
    Ok(Report::new(&COMMAND, facts, blocks))
}

/// The error for zeros that depend on letters.
pub(super) fn other_letters_error(name: &str) -> Diagnostic {
    let message = format!("the zeros of `{name}` depend on its other letters");
    Diagnostic::new(message)
        .help("give all letters numbers, as in `a = 1`, and choose one: `… wrt x`")
}
