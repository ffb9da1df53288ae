//! The slopes of a curve that an equation of two letters describes, by implicit differentiation.

use super::{COMMAND, evaluate};
use crate::command::prelude::*;
use chainrule_formulas::{formulas_of_parts, with_letters};

/// The slopes along an equation, `typed`, whose sides have this difference: dy/dx, and unless the letters are x and y, dx/dy.
pub(crate) fn slopes_along(
    session: &mut Session,
    difference: &str,
    typed: &str,
    [x, y]: [&str; 2],
) -> Result<Report> {
    let pairs = [[y, x], [x, y]];
    let shown = if [x, y] == ["x", "y"] {
        &pairs[..1]
    } else {
        &pairs
    };
    let (mut blocks, mut records) = (Vec::new(), Vec::new());
    for [of, by] in shown {
        let text = format!("-grad({difference}, {by})/grad({difference}, {of})");
        let slope: Result<String> = with_letters(session, |look, _| {
            let root = evaluate(look, &text)?;
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
        records.push(Fact::Record(vec![
            ("derivative", notation.into()),
            ("formula", slope.into()),
        ]));
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
