//! Moves the text of a variable of Python to where it is used, if it is used in only one place and the line stays short.
//!
//! The writer makes a line for each operation; so `v1 = a * b` and `v2 = v1 + c` become `v2 = a * b + c`.

use rustc_hash::FxHashMap;

/// The longest line that inlining makes.
const LONGEST: usize = 96;

/// The lines of a function without those whose variable is used only once: their texts stand where the variables stood.
pub(super) fn inline(mut lines: Vec<String>) -> Vec<String> {
    // How often each variable without a name of the user's is used, and in which line last.
    let mut uses: FxHashMap<String, (usize, usize)> = FxHashMap::default();
    for (place, line) in lines.iter().enumerate() {
        let taken = split_definition(line).map_or(line.as_str(), |(_, text)| text);
        for (_, word) in variables(taken) {
            let (count, last) = uses.entry(word.to_string()).or_default();
            (*count, *last) = (*count + 1, place);
        }
    }
    for place in 0..lines.len() {
        let Some((name, text)) = split_definition(&lines[place]) else {
            continue;
        };
        let Some(&(1, user)) = uses.get(name) else {
            continue;
        };
        if indent(&lines[user]) == indent(&lines[place])
            && let Some(line) = substitute(&lines[user], name, text)
        {
            lines[user] = line;
            lines[place].clear();
        }
    }
    lines.retain(|line| !line.is_empty());
    lines
}

/// The variable that a line defines, unless the user has named it, and its text without the remark.
fn split_definition(line: &str) -> Option<(&str, &str)> {
    let (name, text) = line.trim_start().split_once(" = ")?;
    let text = text.split_once("  # ").map_or(text, |(text, _)| text);
    variables(name)
        .next()
        .is_some_and(|(_, word)| word == name)
        .then_some((name, text))
}

/// The variables of a text that are called `v1`, `v2`, …, each with its place.
fn variables(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
    let at = |word: &str| word.as_ptr().addr() - text.as_ptr().addr();
    let is_variable = |word: &&str| {
        let number = word.strip_prefix('v');
        number.is_some_and(|it| !it.is_empty() && it.bytes().all(|digit| digit.is_ascii_digit()))
    };
    words.filter(is_variable).map(move |word| (at(word), word))
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

/// A line with a text in place of a variable, in brackets where its operators need them; none if it would be too long.
fn substitute(line: &str, name: &str, text: &str) -> Option<String> {
    let code = line.split_once("  # ").map_or(line, |(code, _)| code);
    let (at, _) = variables(code).filter(|(_, word)| *word == name).last()?;
    let (before, after) = (&code[..at], &code[at + name.len()..]);
    let line = if binding(text) >= binding_needed(before, after) {
        format!("{before}{text}{after}")
    } else {
        format!("{before}({text}){after}")
    };
    (line.chars().count() <= LONGEST).then_some(line)
}

/// How strongly the loosest operator of a text binds: 1 for a sum, 2 for a product, 3 for a power or a sign, 4 for none.
fn binding(text: &str) -> u8 {
    let mut depth = 0;
    let outside = |c: &char| {
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => depth -= 1,
            _ => {}
        }
        depth == 0
    };
    let outside: String = text.chars().filter(outside).collect();
    // Around all operators but powers and signs are blanks.
    let operators = outside.split(' ').skip(1).step_by(2);
    let ranks = operators.map(|operator| match operator {
        "*" | "/" => 2,
        "+" | "-" => 1,
        _ => 0,
    });
    let is_single = !outside.contains("**") && !outside.starts_with('-');
    ranks.min().unwrap_or(if is_single { 4 } else { 3 })
}

/// How strongly a text must bind to stand between these without brackets. Operators of one rank are taken from the left.
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
