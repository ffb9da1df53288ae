//! Ranges that count: `k=0..99`, where both ends are whole numbers and belong to the range.
//!
//! `range` finds the words and their sides; what is done for each number is up to the command.

use super::{Arguments, resolve};
use crate::diagnostic::Diagnostic;
use crate::session::Session;
use crate::syntax::Span;

/// Up to here every whole number is a 64-bit float.
const LARGEST: f64 = (1_u64 << 53) as f64;

impl Arguments<'_> {
    /// The whole numbers of a range over `variable`, if there is one; the error if they are more than `most`.
    pub(crate) fn whole_range(
        &self,
        session: &mut Session,
        name: &str,
        variable: &str,
        most: u64,
    ) -> Result<Option<std::ops::RangeInclusive<i64>>, Diagnostic> {
        let Some(sides) = self.sides(name)? else {
            return Ok(None);
        };
        let trimmed = |span: Span| resolve::trimmed(self.text, span);
        let (from, to) = (trimmed(sides.from), trimmed(sides.to));
        let (one, other) = (from.of(self.text), to.of(self.text));
        if sides.variable.map(|typed| typed.of(self.text)) != Some(variable) {
            let place = sides.variable.unwrap_or(from.to(to));
            return Err(
                Diagnostic::new(format!("the counter is called `{variable}`"))
                    .at(place)
                    .help(format!("write `{variable}={one}..{other}`")),
            );
        }
        let mut whole = |span: Span| {
            let value = resolve::measured_number(session, self.text, span)?;
            if value.fract() == 0.0 && value.abs() <= LARGEST {
                return Ok(value as i64);
            }
            Err(
                Diagnostic::new(format!("`{}` is not a whole number", span.of(self.text)))
                    .at(span)
                    .help(format!(
                        "`{variable}` counts from one whole number to another, as in `{variable}=0..99`"
                    )),
            )
        };
        let (first, last) = (
            whole(from)?,
            whole(to).map_err(|error| self.behind(error, to))?,
        );
        if first > last {
            return Err(
                Diagnostic::new(format!("the range goes down, from `{one}` to `{other}`"))
                    .at(from.to(to))
                    .help(format!(
                        "`{variable}` counts up: `{variable}={other}..{one}`"
                    )),
            );
        }
        let count = last.abs_diff(first) + 1;
        if count > most {
            return Err(Diagnostic::new(format!(
                "`{variable}={one}..{other}` counts {count} steps"
            ))
            .at(from.to(to))
            .help(format!("at most {most} are possible")));
        }
        Ok(Some(first..=last))
    }
}
