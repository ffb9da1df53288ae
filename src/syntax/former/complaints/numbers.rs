//! What can be wrong with numbers.
//!
//! As in `complaints`, each function looks at the state of the reader and says what is wrong there.

use crate::syntax::error::SyntaxError;
use crate::syntax::former::grammar::Rule;
use crate::syntax::former::postfix::{Reader, Token};
use crate::syntax::lexer::goes_on;
use crate::syntax::tree::Span;

impl Reader<'_> {
    /// `1,000`, `1,5`, `1.000,50`: a comma between digits.
    pub(crate) fn grouped_number(&self, comma: Token) -> Option<SyntaxError> {
        let text = &self.source.text[..self.source.region.end as usize];
        let number = self
            .last
            .filter(|last| last.rule == Rule::number && last.span.end == comma.span.start)?;
        let run = &text[number.span.start as usize..];
        let run = &run[..run
            .find(|c: char| !c.is_ascii_digit() && c != ',' && c != '.')
            .unwrap_or(run.len())];
        let run = run.trim_end_matches([',', '.']);
        let help = written_with_point(run)?;
        let place = Span::new(
            number.span.start as usize,
            number.span.start as usize + run.len(),
        );
        Some(SyntaxError::new(
            place,
            "a number is written without commas",
            help,
        ))
    }

    /// A number with something directly behind it that looks like a part of it: `0xfg`, `1_`.
    pub(crate) fn refuse_half_number(&self, number: Span, token: Token) -> Result<(), SyntaxError> {
        if !matches!(token.rule, Rule::number | Rule::name) {
            return Ok(());
        }
        let text = self.source.text;
        let next = token.span.of(text).chars().next().unwrap_or_default();
        let based = match number.of(text).as_bytes() {
            b"0" => matches!(next, 'x' | 'X' | 'b' | 'B' | 'o' | 'O'),
            digits => digits
                .get(1)
                .is_some_and(|letter| matches!(letter, b'x' | b'X' | b'b' | b'B')),
        };
        let help = match token.rule {
            _ if next == '_' => "write `1_000`",
            _ if based => {
                "hexadecimal digits are 0 to 9 and a to f, as in `0xff`, binary ones 0 and 1, as in `0b101`"
            }
            Rule::number => "a number has one point, and it stands before the exponent",
            _ => return Ok(()),
        };
        let run = self.run_of_number(number, &['.']);
        let quoted = self.quote(run);
        let message = match next {
            '_' => format!("`_` belongs between two digits, unlike in `{quoted}`"),
            _ => format!("`{quoted}` is not a number"),
        };
        Err(SyntaxError::new(run, message, help))
    }

    /// The number at `span` and all that is written directly behind it, `signs` included.
    pub(super) fn run_of_number(&self, span: Span, signs: &[char]) -> Span {
        let text = &self.source.text[..self.source.region.end as usize];
        let rest = &text[span.start as usize..];
        let behind =
            rest.trim_start_matches(|character| signs.contains(&character) || goes_on(character));
        Span::new(span.start as usize, text.len() - behind.len())
    }
}

/// A number with commas, as it is written here; `None` if it looks like no number.
pub(crate) fn written_with_point(number: &str) -> Option<String> {
    let (whole, rest) = number.split_once(',')?;
    let mut parts = number.split([',', '.']);
    if !parts.all(|part| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit())) {
        return None;
    }
    let groups: Vec<&str> = rest.split(',').collect();
    let three = |group: &str| group.len() == 3 && !group.contains('.');
    if let Some((thousands, decimals)) = number.rsplit_once(',').filter(|_| whole.contains('.')) {
        // `1.000,50`
        let digits = thousands.replace('.', "_");
        return (!thousands.contains(',') && !decimals.contains('.')).then(|| {
            format!("a decimal point is `.`, digits are grouped by `_`: `{digits}.{decimals}`")
        });
    }
    let (last, others) = groups.split_last()?;
    let (digits, decimals) = last
        .split_once('.')
        .map_or((*last, None), |(digits, decimals)| (digits, Some(decimals)));
    let grouped = whole.len() <= 3 && three(digits) && others.iter().all(|group| three(group));
    let point = groups.len() == 1 && decimals.is_none();
    match (grouped, point) {
        (true, true) => Some(format!(
            "digits are grouped by `_`: `{whole}_{last}`; a decimal point is `.`: `{whole}.{last}`"
        )),
        (true, false) => Some(format!(
            "digits are grouped by `_`: `{}`",
            number.replace(',', "_")
        )),
        (false, true) => Some(format!(
            "a decimal point is `.`: `{whole}.{last}`; a list is `[{whole}, {last}]`"
        )),
        (false, false) => None,
    }
}
