//! No code outside of the folder of a command decides by its name. What others must know of a command stands on its page,
//! as traits, and what a statement is says its meaning.

use crate::common::project::{Source, files, sources};
use chainrule::commands::COMMANDS;

/// What stands beside a text that is compared with another one.
const COMPARES: [&str; 11] = [
    "==",
    "!=",
    "contains(",
    "starts_with(",
    "strip_prefix(",
    "matches!(",
    ".test(",
    "includes(",
    "startsWith(",
    "startswith(",
    "case ",
];

/// Words of JSON and of patterns that are no commands, though they look so.
const OTHER_WORDS: [(&str, &str); 5] = [
    ("src/interpret/python/pattern_names.rs", "zero"),
    ("src/shell/page/answer.rs", "quit"),
    ("src/shell/script/write_objects.rs", "help"),
    ("src/shell/server/dialogue.rs", "set"),
    ("src/shell/server/values.rs", "data"),
];

/// The part of a line that compares: all of it, or what stands before the arrow of a match.
fn comparing_part(line: &str) -> &str {
    if COMPARES.iter().any(|sign| line.contains(sign)) {
        return line;
    }
    line.split_once("=>").map_or("", |(pattern, _)| pattern)
}

/// The texts in quotes, and the regular expressions of JavaScript, of a part of a line.
fn texts(part: &str) -> impl Iterator<Item = &str> {
    let pieces = part.split(['"', '\'', '/']).skip(1);
    pieces.map(|it| it.trim_start_matches('^').trim_start_matches("\\s*"))
}

/// Whether a text is the name of a command, or a statement with it.
fn names_command(path: &str, text: &str) -> bool {
    let is_name = |word: &str| {
        let mut commands = COMMANDS.iter();
        word.len() > 1 && commands.any(|it| it.name == word || it.aliases.contains(&word))
    };
    if let Some(statement) = text.strip_prefix(':') {
        let end = statement.find(|c: char| !c.is_ascii_lowercase());
        return is_name(&statement[..end.unwrap_or(statement.len())]);
    }
    let knows_commands = ["src/shell/", "src/interpret/", "src/command/"];
    knows_commands.iter().any(|it| path.starts_with(it))
        && is_name(text)
        && !OTHER_WORDS.contains(&(path, text))
}

fn deciding_lines(source: &Source) -> Vec<String> {
    let code = source.text.split("#[cfg(test)]").next().unwrap_or_default();
    let lines = code.lines().map(str::trim);
    let is_code = |line: &&str| !line.starts_with(['/', '#', '*']);
    let decides =
        |line: &&str| texts(comparing_part(line)).any(|it| names_command(&source.path, it));
    let found = lines.filter(is_code).filter(decides);
    found
        .map(|line| format!("{}: {line}", source.path))
        .collect()
}

#[test]
fn only_the_folder_of_a_command_knows_its_name() {
    let scripts = [("web/page", ".js"), ("python/chainrule", ".py")];
    let all = sources().into_iter();
    let all = all.chain(
        scripts
            .into_iter()
            .flat_map(|(folder, ending)| files(folder, ending)),
    );
    let folders = ["src/commands/", "src/features/"];
    let outside = all.filter(|it| !folders.iter().any(|folder| it.path.starts_with(folder)));
    let found: Vec<String> = outside.flat_map(|it| deciding_lines(&it)).collect();
    assert!(found.is_empty(), "\n{}\n", found.join("\n"));
}

#[test]
fn lines_that_decide_are_found() {
    for (path, line, is_found) in [
        (
            "src/shell/a.rs",
            "if statement.starts_with(\":guess \") {",
            true,
        ),
        (
            "src/shell/a.rs",
            "[\"grad\", \"budget\"].contains(&name)",
            true,
        ),
        ("src/shell/a.rs", "\"walk\" => 1,", true),
        (
            "src/shell/a.rs",
            "Some(answer) => format!(\":answer {answer}\"),",
            false,
        ),
        (
            "src/shell/a.rs",
            "self.run(\":next\", origin, runner)",
            false,
        ),
        ("crates/a.rs", "if name == \"grad\" {", false),
        ("web/page/a.js", "if (/^\\s*:walk\\s*$/.test(text)) {", true),
        ("web/page/a.js", "await run(\":play chain\");", false),
        (
            "python/chainrule/a.py",
            "if text.startswith(\":plot\"):",
            true,
        ),
    ] {
        let source = Source {
            path: path.to_string(),
            text: line.to_string(),
        };
        assert_eq!(!deciding_lines(&source).is_empty(), is_found, "{line}");
    }
}
