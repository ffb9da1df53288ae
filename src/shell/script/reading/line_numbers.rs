//! The lines of positions in a text.
//!
//! Statements know their positions, and errors are reported with line numbers.

/// Finds the line numbers of ascending positions in a text, in one pass over it.
pub(crate) struct LineAt<'t> {
    text: &'t str,
    seen: usize,
    line: usize,
}

impl<'t> LineAt<'t> {
    /// At the beginning of a text whose first line has this number.
    pub(crate) fn new(text: &'t str, line: usize) -> LineAt<'t> {
        LineAt {
            text,
            seen: 0,
            line,
        }
    }

    /// The line of the first non-blank character at or after this position.
    pub(crate) fn at(&mut self, place: usize) -> usize {
        let rest = self.text.get(place..).unwrap_or_default();
        let place = self.text.len() - rest.trim_start().len();
        if place > self.seen
            && let Some(passed) = self.text.get(self.seen..place)
        {
            self.line += passed.matches('\n').count();
            self.seen = place;
        }
        self.line
    }
}

#[cfg(test)]
mod tests {
    use super::LineAt;

    #[test]
    fn statements_know_their_lines() {
        let text = "a = (1 +\n2); b = 3;\n\n  c = 4";
        let mut lines = LineAt::new(text, 10);
        let found: Vec<usize> = [0, 12, 20]
            .into_iter()
            .map(|place| lines.at(place))
            .collect();
        assert_eq!(found, [10, 11, 13]);
        // Only blanks up to the end, and a position beyond it.
        let mut lines = LineAt::new("a;\n", 1);
        assert_eq!((lines.at(2), lines.at(99)), (2, 2));
    }
}
