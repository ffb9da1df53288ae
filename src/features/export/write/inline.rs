//! Replaces a variable of Python by its text if the variable is used in only one place and the line stays short.
//!
//! The writer makes a line for each operation, and this file joins them: `v1 = a * b` and `v2 = v1 + c` become
//! `v2 = a * b + c`.

use rustc_hash::FxHashMap;

/// The most characters of a line that inlining makes.
const MAX_LINE_LENGTH: usize = 96;

/// Returns the lines of a function without the definitions of variables that are used only once: the text of such a
/// variable takes the place of its use.
pub(super) fn inline(mut lines: Vec<String>) -> Vec<String> {
    let uses = uses(&lines);
    for definition in 0..lines.len() {
        if let Some((name, text)) = split_definition(&lines[definition])
            && let Some(&[user]) = uses.get(name).map(Vec::as_slice)
            // A function that is called several times would compute the text each time.
            && indent(&lines[user]) == indent(&lines[definition])
            && let Some(line) = substitute(&lines[user], name, text)
        {
            lines[user] = line;
            lines[definition].clear();
        }
    }
    lines.retain(|line| !line.is_empty());
    lines
}

/// Returns the lines that use each variable, by their indices: a line for each use.
fn uses(lines: &[String]) -> FxHashMap<String, Vec<usize>> {
    let mut uses: FxHashMap<String, Vec<usize>> = FxHashMap::default();
    for (index, line) in lines.iter().enumerate() {
        let text = split_definition(line).map_or(line.as_str(), |(_, text)| text);
        for variable in variables(text) {
            uses.entry(variable.to_string()).or_default().push(index);
        }
    }
    uses
}

/// Returns the variable that a line defines, and its text without the remark. Returns `None` for a variable that has a
/// name of the user's, and for a line without a definition.
fn split_definition(line: &str) -> Option<(&str, &str)> {
    let (name, text_and_remark) = line.trim_start().split_once(" = ")?;
    let variable = variables(name).next()?;
    (variable == name).then_some((name, without_remark(text_and_remark)))
}

/// Returns a text without the comment at its end.
fn without_remark(text: &str) -> &str {
    text.split_once("  # ").map_or(text, |(code, _)| code)
}

/// Returns the variables of a text that are called `v1`, `v2`, ….
fn variables(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
    words.filter(|word| {
        let number = word.strip_prefix('v').unwrap_or_default();
        !number.is_empty() && number.bytes().all(|digit| digit.is_ascii_digit())
    })
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

/// Returns a line with a text in place of a variable, in brackets if its operators need them; `None` if it would be too
/// long.
fn substitute(line: &str, name: &str, text: &str) -> Option<String> {
    let code = without_remark(line);
    // The last one: a long sum is added to its own variable, `v1 = v1 + x`, whose definition comes first.
    let used = variables(code)
        .filter(|variable| *variable == name)
        .last()?;
    // The difference of addresses is an index because the variable is a slice of the code.
    let start = used.as_ptr() as usize - code.as_ptr() as usize;
    let (before, after) = (&code[..start], &code[start + name.len()..]);
    let has_brackets = binding(text) < binding_needed(before, after);
    let [open, close] = if has_brackets { ["(", ")"] } else { ["", ""] };
    let substituted = format!("{before}{open}{text}{close}{after}");
    (substituted.chars().count() <= MAX_LINE_LENGTH).then_some(substituted)
}

/// The binding of a text without operators: a path, a call or an item.
pub(super) const ATOM: u8 = 4;

/// Returns how strongly the loosest operator of a text binds: 1 for a sum, 2 for a product, 3 for a power or a sign.
pub(super) fn binding(text: &str) -> u8 {
    let outside = outside_of_brackets(text);
    // All operators except powers and signs have blanks around them, so every second word is an operator. An operator
    // that is not known here binds loosest.
    let operators = outside.split(' ').skip(1).step_by(2);
    let ranks = operators.map(|operator| match operator {
        "*" | "/" => 2,
        "+" | "-" => 1,
        _ => 0,
    });
    // The sign may be that of an exponent, as in `1e-5`.
    let has_power_or_sign = outside.contains("**") || outside.contains('-');
    let without_operator = if has_power_or_sign { 3 } else { ATOM };
    ranks.min().unwrap_or(without_operator)
}

/// Returns a text without its opening brackets and the text inside them.
fn outside_of_brackets(text: &str) -> String {
    let mut depth = 0;
    let mut outside = String::new();
    for c in text.chars() {
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            outside.push(c);
        }
    }
    outside
}

/// The binding that a text needs after these endings of the text before it, or else [`ATOM`]. Operators of one rank are
/// evaluated from the left, so a text needs to bind more strongly on the right of an operator than on its left.
const NEEDED_AFTER: [(&[&str], u8); 3] = [
    (&["(", ", ", " = ", "return "], 0),
    (&["+ ", "- "], 2),
    (&["* ", "/ "], 3),
];

/// The binding that a text needs before these beginnings of the text after it, or else [`ATOM`].
const NEEDED_BEFORE: [(&[&str], u8); 3] =
    [(&[")", ","], 0), (&[" + ", " - "], 1), (&[" * ", " / "], 2)];

/// Returns how strongly a text must bind to need no brackets between two others.
fn binding_needed(before: &str, after: &str) -> u8 {
    let left = rank(&NEEDED_AFTER, |end| before.ends_with(end));
    if after.is_empty() {
        return left;
    }
    left.max(rank(&NEEDED_BEFORE, |start| after.starts_with(start)))
}

/// Returns the rank of the first row with a matching text.
fn rank(rows: &[(&[&str], u8)], matches: impl Fn(&str) -> bool) -> u8 {
    let has_match = |texts: &[&str]| texts.iter().any(|text| matches(text));
    let row = rows.iter().find(|(texts, _)| has_match(texts));
    row.map_or(ATOM, |(_, rank)| *rank)
}
