//! Rewrites what programs write around and between rows, so that the reader of CSV understands the text: line ends of old
//! Macintoshes, comments of instruments, rules of Markdown, and the separator that Excel names. The number of each line
//! stays the same, because messages name it.

use std::borrow::Cow;

/// The errors of spreadsheets, without the `#` before them.
const SPREADSHEET_ERRORS: [&str; 7] = ["N/A", "DIV/0!", "VALUE!", "REF!", "NAME?", "NUM!", "NULL!"];

/// A table has rules only if one is within this many first lines.
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

/// The text with the comments that the reader of CSV knows: each line that begins with `#`. Comments of instruments
/// begin with `%`, which becomes `#`. A row that begins with an error of a spreadsheet is no comment, so `#N/A` becomes
/// `N/A`.
fn with_csv_comments(text: Cow<'_, str>) -> Cow<'_, str> {
    let mut text = replace_at_line_starts(text, "%", "#");
    for error in SPREADSHEET_ERRORS {
        text = replace_at_line_starts(text, &format!("#{error}"), error);
    }
    text
}

/// The text with `new` in place of each `old` at the beginning of a line.
fn replace_at_line_starts<'t>(text: Cow<'t, str>, old: &str, new: &str) -> Cow<'t, str> {
    let old_start = format!("\n{old}");
    if !text.starts_with(old) && !text.contains(&old_start) {
        return text;
    }
    // A line feed before the first line makes it like all others.
    let replaced = format!("\n{text}").replace(&old_start, &format!("\n{new}"));
    replaced[1..].to_owned().into()
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
            // The line stays as an empty one, for the numbers of lines.
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

/// The separator that the first line names, as Excel writes it (`sep=;`), and the text after the words of that line.
/// Its line feed stays as an empty line, for the numbers of lines.
pub(super) fn known_separator(text: &str) -> (Option<u8>, &str) {
    let (line, rest) = text.split_at(text.find('\n').unwrap_or(text.len()));
    let bare = line.trim_end_matches('\r').trim_matches('"');
    match bare.strip_prefix("sep=").map(str::as_bytes) {
        Some(&[separator]) => (Some(separator), rest),
        _ => (None, text),
    }
}
