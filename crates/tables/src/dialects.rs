//! Rewrites what programs write around and between rows, so that the reader of CSV understands the text: line ends of old
//! Macintoshes, comments of instruments, rules of Markdown, and the separator that Excel names.

use std::borrow::Cow;

/// The beginning of comments of instruments, and the errors of spreadsheets.
const COMMENTS_AND_ERRORS: [&str; 8] = [
    "%", "#N/A", "#DIV/0!", "#VALUE!", "#REF!", "#NAME?", "#NUM!", "#NULL!",
];

/// The rule of a table is within this many first lines.
const MAX_LINES_TO_RULE: usize = 100;

/// The text as the reader of CSV understands it.
pub(super) fn as_csv(text: Cow<'_, str>) -> Cow<'_, str> {
    without_rules(with_csv_comments(with_line_feeds(text)))
}

/// The text with line feeds, if it has only the carriage returns of old Macintoshes.
fn with_line_feeds(text: Cow<'_, str>) -> Cow<'_, str> {
    if text.contains('\n') {
        return text;
    }
    text.replace('\r', "\n").into()
}

/// Makes comments that begin with `%` begin with `#`, and keeps lines that begin with `#N/A` from being comments.
fn with_csv_comments(mut text: Cow<'_, str>) -> Cow<'_, str> {
    for sign in COMMENTS_AND_ERRORS {
        let instead = sign.strip_prefix('#').unwrap_or("#");
        let line = format!("\n{sign}");
        if text.starts_with(sign) || text.contains(&line) {
            let all = format!("\n{text}").replace(&line, &format!("\n{instead}"));
            text = all[1..].to_owned().into();
        }
    }
    text
}

/// The text of a table of Markdown or of a database without its rules, `| --- | --- |`, and without the bars at the ends of
/// its lines.
fn without_rules(text: Cow<'_, str>) -> Cow<'_, str> {
    let mut first_lines = text.lines().take(MAX_LINES_TO_RULE);
    let Some(rule) = first_lines.find(|line| is_rule(line)) else {
        return text;
    };
    let has_bars = rule.trim_start().starts_with(['|', '+']);
    let mut lines: Vec<&str> = Vec::new();
    for line in text.lines() {
        let rest = line.trim().strip_prefix('|').filter(|_| has_bars);
        let inner = rest.and_then(|rest| rest.strip_suffix('|'));
        lines.push(match inner {
            _ if is_rule(line) => "",
            Some(inner) => inner,
            None => line,
        });
    }
    lines.join("\n").into()
}

/// Whether a line is the rule below a heading: `| --- | --- |`, `+----+----+`.
fn is_rule(line: &str) -> bool {
    let mut signs = line.trim().chars();
    line.contains("--") && line.contains(['|', '+']) && signs.all(|it| "|+-: ".contains(it))
}

/// The separator that the first line names, as Excel writes it (`sep=;`), and the text without that line.
pub(super) fn known_separator(text: &str) -> (Option<u8>, &str) {
    let (line, rest) = text.split_at(text.find('\n').unwrap_or(text.len()));
    let bare = line.trim_end_matches('\r').trim_matches('"');
    match bare.strip_prefix("sep=").map(str::as_bytes) {
        Some(&[separator]) => (Some(separator), rest),
        _ => (None, text),
    }
}
