//! Moves the text of a variable of Python to where it is used, if it is used in only one place and the line stays short.
//!
//! The writer makes a line for each operation; so `v1 = a * b` and `v2 = v1 + c` become `v2 = a * b + c`.

use rustc_hash::FxHashMap;

/// The most characters of a line that inlining makes.
const LONGEST: usize = 96;

/// Returns the lines of a function without those whose variable is used only once: their texts take the place of the
/// variables.
pub(super) fn inline(mut lines: Vec<String>) -> Vec<String> {
    let only_uses = only_uses(&lines);
    for place in 0..lines.len() {
        if let Some((name, text)) = split_definition(&lines[place])
            && let Some(&Some(user)) = only_uses.get(name)
            && indent(&lines[user]) == indent(&lines[place])
            && let Some(line) = substitute(&lines[user], name, text)
        {
            lines[user] = line;
            lines[place].clear();
        }
    }
    lines.retain(|line| !line.is_empty());
    lines
}

/// Returns the line that uses each variable, or `None` if the variable is used more than once.
fn only_uses(lines: &[String]) -> FxHashMap<String, Option<usize>> {
    let mut uses = FxHashMap::default();
    for (place, line) in lines.iter().enumerate() {
        let text = split_definition(line).map_or(line.as_str(), |(_, text)| text);
        for (_, variable) in variables(text) {
            let use_of_variable = uses.entry(variable.to_string());
            use_of_variable
                .and_modify(|only| *only = None)
                .or_insert(Some(place));
        }
    }
    uses
}

/// Returns the variable that a line defines, unless the user has named it, and its text without the remark.
fn split_definition(line: &str) -> Option<(&str, &str)> {
    let (name, text_and_remark) = line.trim_start().split_once(" = ")?;
    let (_, variable) = variables(name).next()?;
    (variable == name).then_some((name, without_remark(text_and_remark)))
}

fn without_remark(text: &str) -> &str {
    text.split_once("  # ").map_or(text, |(code, _)| code)
}

/// Returns the variables of a text that are called `v1`, `v2`, …, each with its place.
fn variables(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
    let place = |word: &str| word.as_ptr().addr() - text.as_ptr().addr();
    let is_variable = |word: &&str| {
        let number = word.strip_prefix('v').unwrap_or_default();
        !number.is_empty() && number.bytes().all(|digit| digit.is_ascii_digit())
    };
    let variables = words.filter(is_variable);
    variables.map(move |word| (place(word), word))
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

/// Returns a line with a text in place of a variable, in brackets if its operators need them; `None` if it would be too
/// long.
fn substitute(line: &str, name: &str, text: &str) -> Option<String> {
    let code = without_remark(line);
    let (at, _) = variables(code).filter(|(_, word)| *word == name).last()?;
    let (before, after) = (&code[..at], &code[at + name.len()..]);
    let substituted = if binding(text) >= binding_needed(before, after) {
        format!("{before}{text}{after}")
    } else {
        format!("{before}({text}){after}")
    };
    (substituted.chars().count() <= LONGEST).then_some(substituted)
}

/// Returns how strongly the loosest operator of a text binds: 1 for a sum, 2 for a product, 3 for a power or a sign, 4 if
/// it has none.
fn binding(text: &str) -> u8 {
    let outside = outside_of_brackets(text);
    // All operators but powers and signs have blanks around them.
    let operators = outside.split(' ').skip(1).step_by(2);
    let ranks = operators.map(|operator| match operator {
        "*" | "/" => 2,
        "+" | "-" => 1,
        _ => 0,
    });
    let has_power_or_sign = outside.contains("**") || outside.starts_with('-');
    ranks.min().unwrap_or(4 - u8::from(has_power_or_sign))
}

/// Returns a text without its brackets and the text inside them.
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

/// Returns how strongly a text must bind to need no brackets between these. Operators of one rank are taken from the
/// left.
fn binding_needed(before: &str, after: &str) -> u8 {
    let ends = |all: &[&str]| all.iter().any(|it| before.ends_with(it));
    let begins = |all: &[&str]| all.iter().any(|it| after.starts_with(it));
    let left = match () {
        () if ends(&["(", ", ", " = ", "return "]) => 0,
        () if ends(&["+ ", "- "]) => 2,
        () if ends(&["* ", "/ "]) => 3,
        () => 4,
    };
    let right = match () {
        () if after.is_empty() || begins(&[")", ","]) => 0,
        () if begins(&[" + ", " - "]) => 1,
        () if begins(&[" * ", " / "]) => 2,
        () => 4,
    };
    left.max(right)
}
