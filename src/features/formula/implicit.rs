//! The slopes of a curve that an equation of two letters describes, by implicit differentiation.

use super::{COMMAND, evaluate};
use crate::command::prelude::*;
use chainrule_formulas::{are_equal, formulas_of_parts, with_letters};

/// The slopes along an equation, `typed`, whose sides have this difference: dy/dx, and unless the letters are x and y, dx/dy.
pub(crate) fn slopes_along(
    session: &mut Session,
    difference: &str,
    typed: &str,
    [x, y]: [&str; 2],
) -> Result<Report> {
    let mut pairs = vec![[y, x]];
    if [x, y] != ["x", "y"] {
        pairs.push([x, y]);
    }
    let (mut blocks, mut records) = (Vec::new(), Vec::new());
    for [of, by] in pairs {
        let slope: Result<String> = with_letters(session, |look, _| {
            let divisor = format!("grad({difference}, {of})");
            let is_zero = evaluate(look, &format!("{divisor} == 0"))?;
            if are_equal(look, &is_zero) {
                return Err(
                    Diagnostic::new(format!("`{typed}` does not depend on `{of}`"))
                        .help(format!("`:solve {by} for {typed}` finds a solution")),
                );
            }
            let root = evaluate(look, &format!("-grad({difference}, {by})/{divisor}"))?;
            // No node may outlive the letters.
            Ok(formulas_of_parts(look, &root)?.swap_remove(0).formula)
        });
        // The places of an error are in a text that nobody has typed.
        let slope = slope.map_err(|error| Diagnostic {
            span: None,
            ..error
        })?;
        let notation = format!("d{of}/d{by}");
        blocks.push(Block::Line(say!("{:math} = {:math}", &*notation, &*slope)));
        let record = vec![("derivative", notation.into()), ("formula", slope.into())];
        records.push(Fact::Record(record));
    }
    let line = format!("{x} = 1; :solve {y} for {typed}");
    blocks.push(Block::Line(dim(say!("a point of it: `{}`", &*line))));
    let facts = vec![
        ("solve", line.into()),
        ("of", typed.into()),
        ("derivatives", Fact::List(records)),
    ];
    Ok(Report::new(&COMMAND, facts, blocks))
}
