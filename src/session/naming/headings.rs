//! Headings of lists: what stands above the column of a table, and beside an axis.

use chainrule_language as language;
use chainrule_report::Calendar;

/// What stands above the column of a list, and beside its axis.
#[derive(Clone, Debug)]
pub struct Heading {
    /// `t [s]`, or `species: 0 setosa, 1 versicolor` where numbers stand for words.
    pub text: Box<str>,
    /// What dates count from.
    pub dates: Option<Calendar>,
}

/// What stands in a heading between its text and the first date.
const SINCE: &str = " since ";

impl Heading {
    /// The heading that a statement has, in its quotes: `t "t [s]" = [0, 1]`.
    pub(in crate::session) fn of_quoted(quoted: &str) -> Heading {
        let text = language::strip_quotes(quoted).unwrap_or(quoted);
        let dated = text.rsplit_once(SINCE);
        let dated = dated.and_then(|(text, first)| Some((text, Calendar::from_origin(first)?)));
        match dated {
            Some((text, dates)) => Heading::new(text, Some(dates)),
            None => Heading::new(text, None),
        }
    }

    /// A heading on one line.
    pub fn new(text: &str, dates: Option<Calendar>) -> Heading {
        let words: Vec<&str> = text.split_whitespace().collect();
        Heading {
            text: words.join(" ").into(),
            dates,
        }
    }

    /// The heading as a statement has it.
    pub(in crate::session) fn statement_text(&self) -> String {
        let quote = if self.text.contains('"') { '\'' } else { '"' };
        let text = self.text.replace(quote, "’");
        let since = self.dates.map(|dates| format!("{SINCE}{}", dates.origin()));
        format!("{quote}{text}{}{quote}", since.unwrap_or_default())
    }
}
