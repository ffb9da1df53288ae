//! The house rules: layers, crates that only one part of the program may use, file headers, words that must not be
//! used, and a consistent table of commands. Each rule is a constant here and names file and line where it is broken.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use chainrule::commands::COMMANDS;

/// The layers, and which others each may use.
const LAYERS: &[(&str, &[&str])] = &[
    ("ops", &[]),
    ("syntax", &[]),
    ("stop", &[]),
    ("graph", &["ops", "stop"]),
    ("report", &[]),
    ("diagnostic", &[]),
    (
        "session",
        // Notes consist of pieces, which are part of reports.
        &["syntax", "graph", "ops", "diagnostic", "report", "stop"],
    ),
    (
        "study",
        &["session", "syntax", "graph", "ops", "report", "stop"],
    ),
    (
        "commands",
        &[
            "study",
            "session",
            "syntax",
            "graph",
            "ops",
            "diagnostic",
            "report",
            "stop",
        ],
    ),
    (
        "interpret",
        &[
            "commands",
            "session",
            "syntax",
            "ops",
            "report",
            "diagnostic",
            "stop",
        ],
    ),
    ("view", &["report", "diagnostic", "stop"]),
    (
        "shell",
        &[
            "commands",
            "diagnostic",
            "graph",
            "interpret",
            "ops",
            "report",
            "session",
            "stop",
            "syntax",
            "view",
        ],
    ),
];

/// Crates that only one part of the program may use.
const ROOMS: &[(&str, &[&str])] = &[
    ("pest", &["src/syntax/"]),
    ("pest_derive", &["src/syntax/"]),
    ("rustyline", &["src/shell/prompt/"]),
    ("colored", &["src/view/theme/"]),
    (
        "pulldown_cmark",
        &["src/view/document/prose.rs", "src/commands/help/topics.rs"],
    ),
    ("csv", &["src/shell/table.rs"]),
    ("clap", &["src/shell/"]),
    ("clap_complete", &["src/shell/"]),
    ("clap_mangen", &["src/shell/"]),
    ("signal_hook", &["src/shell/"]),
    ("terminal_size", &["src/shell/"]),
    ("etcetera", &["src/shell/"]),
    ("png", &["src/view/picture/formats/pixels.rs"]),
    ("tiny_skia", &["src/view/picture/formats/pixels.rs"]),
    ("ttf_parser", &["src/view/picture/formats/pixels.rs"]),
    ("dejavu", &["src/view/picture/formats/pixels.rs"]),
];

/// Parts of the standard library for input and output: below the shell everything is a function of the session and a
/// line of text.
const OUTSIDE: &[&str] = &["env", "fs", "io", "net", "os", "process", "thread", "time"];

/// How many lines of `//!` a file begins with.
const OPENING: std::ops::RangeInclusive<usize> = 2..=12;

/// Files that may have a longer header, and why.
const LONG_OPENINGS: &[(&str, &str)] = &[("src/lib.rs", "the map of the house")];

/// File names that do not say what is inside.
const NO_NOUNS: &[&str] = &["common", "helpers", "misc", "types", "util", "utils"];

/// Notes about unfinished work. (The words are split here, so that this file does not contain them.)
const HASTE: &[&str] = &[
    concat!("TO", "DO"),
    concat!("FIX", "ME"),
    concat!("HA", "CK"),
    concat!("X", "XX"),
    concat!("for ", "now"),
];

/// Synonyms of operands and users, which must not be used.
const SYNONYMS: &[&str] = &["children", "parents", "inputs"];

/// Files that need such a word, and why.
const SYNONYMS_NEEDED: &[(&str, &str)] = &[(
    "src/report/fact.rs",
    "the keys of nested JSON are those of the posts",
)];

/// A file of the project.
pub(crate) struct Source {
    /// The path from the root of the project, with `/`.
    pub(crate) path: String,
    pub(crate) text: String,
}

/// The violations of a rule: `file:line: sentence`.
pub(crate) type Found = Vec<String>;

pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// All files below a folder of the project whose names end like this, sorted.
pub(crate) fn files(folder: &str, ending: &str) -> Vec<Source> {
    let mut waiting = vec![root().join(folder)];
    let mut found: Vec<PathBuf> = Vec::new();
    while let Some(folder) = waiting.pop() {
        let entries =
            fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
        for entry in entries {
            let path = entry.expect("a folder can be listed").path();
            if path.is_dir() {
                waiting.push(path);
            } else if path.to_string_lossy().ends_with(ending) {
                found.push(path);
            }
        }
    }
    found.sort();
    found.iter().map(|path| source(path)).collect()
}

fn source(path: &Path) -> Source {
    let text =
        fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let path = path
        .strip_prefix(root())
        .unwrap_or(path)
        .to_string_lossy()
        .replace('\\', "/");
    Source { path, text }
}

impl Source {
    /// The layer of a file: `graph` for `src/graph/node.rs`; `None` for the root of the crate.
    pub(crate) fn layer(&self) -> Option<&str> {
        let inner = self.path.strip_prefix("src/")?;
        let layer = inner.split_once('/').map_or_else(
            || inner.strip_suffix(".rs").unwrap_or(inner),
            |(layer, _)| layer,
        );
        (!matches!(layer, "lib" | "main")).then_some(layer)
    }

    /// The depth of its module below the root of the crate.
    fn depth(&self) -> usize {
        let folders = self.path.matches('/').count();
        if self.path.ends_with("/mod.rs") {
            folders - 1
        } else {
            folders
        }
    }

    /// Its lines with numbers, where comments and texts are replaced by blanks and test-only items are left out.
    pub(crate) fn code(&self) -> Vec<(usize, String)> {
        if self.path.ends_with("/tests.rs") || self.path.contains("/tests/") {
            return Vec::new();
        }
        let masked = masked(&self.text);
        let mut lines = Vec::new();
        let mut test: Option<String> = None;
        for (line, number) in masked.lines().zip(1..) {
            if let Some(indent) = &test {
                // The item ends with a bracket at the indentation of its attribute, or with a semicolon.
                let ends = line.strip_prefix(indent.as_str()).is_some_and(|rest| {
                    rest.starts_with('}') || !rest.starts_with(' ') && rest.ends_with(';')
                });
                if ends {
                    test = None;
                }
                continue;
            }
            let inner = line.trim_start();
            if inner.starts_with("#[cfg(test)]") {
                test = Some(line[..line.len() - inner.len()].to_string());
                continue;
            }
            lines.push((number, line.to_string()));
        }
        lines
    }
}

/// The text with comments, texts and character literals replaced by blanks; line breaks stay.
fn masked(text: &str) -> String {
    let chars: Vec<char> = text.chars().collect();
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    let word = |c: char| c.is_alphanumeric() || c == '_';
    while at < chars.len() {
        let rest = &chars[at..];
        let raw = rest[0] == 'r' && (at == 0 || !word(chars[at - 1]));
        let hashes = rest.iter().skip(1).take_while(|c| **c == '#').count();
        let length = match rest {
            ['/', '/', ..] => rest.iter().position(|c| *c == '\n').unwrap_or(rest.len()),
            ['/', '*', ..] => block_comment(rest),
            _ if raw && rest.get(1 + hashes) == Some(&'"') => {
                let end: Vec<char> = std::iter::once('"')
                    .chain(std::iter::repeat_n('#', hashes))
                    .collect();
                let inner = &rest[hashes + 2..];
                let found = inner.windows(end.len()).position(|part| part == end);
                hashes + 2 + found.map_or(inner.len(), |found| found + end.len())
            }
            ['"', ..] => quoted(rest, '"'),
            ['\'', '\\', ..] => quoted(rest, '\''),
            ['\'', _, '\'', ..] => 3,
            _ => 0,
        };
        if length == 0 {
            out.push(rest[0]);
            at += 1;
        } else {
            let blank = |c: &char| if *c == '\n' { '\n' } else { ' ' };
            out.extend(rest[..length].iter().map(blank));
            at += length;
        }
    }
    out
}

fn block_comment(rest: &[char]) -> usize {
    let mut depth = 0_usize;
    let mut at = 0;
    while at < rest.len() {
        match rest[at..] {
            ['/', '*', ..] => (depth, at) = (depth + 1, at + 2),
            ['*', '/', ..] => {
                (depth, at) = (depth - 1, at + 2);
                if depth == 0 {
                    return at;
                }
            }
            _ => at += 1,
        }
    }
    at
}

fn quoted(rest: &[char], quote: char) -> usize {
    let mut at = 1;
    while at < rest.len() {
        match rest[at] {
            '\\' => at += 2,
            c if c == quote => return at + 1,
            _ => at += 1,
        }
    }
    rest.len()
}

/// All positions of a whole word in a line.
pub(crate) fn words<'l>(line: &'l str, word: &'l str) -> impl Iterator<Item = usize> + 'l {
    let part = |c: char| c.is_alphanumeric() || c == '_';
    line.match_indices(word)
        .map(|(at, _)| at)
        .filter(move |&at| {
            !line[..at].ends_with(part) && !line[at + word.len()..].starts_with(part)
        })
}

/// The identifiers that continue a path: one, or all within braces.
fn heads(after: &str) -> Vec<&str> {
    let first = |text: &'_ str| -> usize {
        text.find(|c: char| !(c.is_alphanumeric() || c == '_'))
            .unwrap_or(text.len())
    };
    let after = after.trim_start();
    let Some(group) = after.strip_prefix('{') else {
        return vec![&after[..first(after)]];
    };
    let mut found = Vec::new();
    let mut depth = 0_usize;
    let mut fresh = true;
    for (at, c) in group.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth == 0 => break,
            '}' => depth -= 1,
            ',' if depth == 0 => fresh = true,
            c if fresh && (c.is_alphanumeric() || c == '_') => {
                found.push(&group[at..at + first(&group[at..])]);
                fresh = false;
            }
            _ => {}
        }
    }
    found
}

/// The code of a file as one text, with the line number of each position.
pub(crate) fn joined(source: &Source) -> (String, Vec<usize>) {
    let mut text = String::new();
    let mut numbers = Vec::new();
    for (number, line) in source.code() {
        text.push_str(&line);
        text.push('\n');
        numbers.resize(text.len(), number);
    }
    (text, numbers)
}

/// The layers that a file uses, by `crate::` or by enough `super::` to leave its own layer, each with a line number.
fn used_layers(source: &Source) -> Vec<(usize, String)> {
    let (text, numbers) = joined(source);
    let mut found = Vec::new();
    for at in words(&text, "crate") {
        if let Some(after) = text[at + "crate".len()..].strip_prefix("::") {
            found.extend(
                heads(after)
                    .into_iter()
                    .map(|head| (numbers[at], head.to_string())),
            );
        }
    }
    let mut next = 0;
    for at in words(&text, "super").collect::<Vec<_>>() {
        if at < next {
            continue;
        }
        let mut climbed = 0;
        let mut after = &text[at..];
        while let Some(rest) = after.strip_prefix("super::") {
            (climbed, after) = (climbed + 1, rest);
        }
        next = text.len() - after.len();
        if climbed >= source.depth() && climbed > 0 {
            found.extend(
                heads(after)
                    .into_iter()
                    .map(|head| (numbers[at], head.to_string())),
            );
        }
    }
    found
}

fn layers(sources: &[Source]) -> Found {
    let allowed: BTreeMap<&str, &[&str]> = LAYERS.iter().copied().collect();
    let mut found = Vec::new();
    for source in sources {
        let Some(layer) = source.layer() else {
            continue;
        };
        let Some(may) = allowed.get(layer) else {
            found.push(format!(
                "{}: `{layer}` is in no layer of the table",
                source.path
            ));
            continue;
        };
        for (line, used) in used_layers(source) {
            if used != layer && !may.contains(&used.as_str()) {
                found.push(format!(
                    "{}:{line}: {layer} may not use {used}",
                    source.path
                ));
            }
        }
    }
    found
}

fn rooms(sources: &[Source]) -> Found {
    let mut found = Vec::new();
    for source in sources {
        for (number, line) in source.code() {
            for (name, rooms) in ROOMS {
                let at_home = rooms.iter().any(|room| source.path.starts_with(room));
                let used = words(&line, name).any(|at| {
                    let (before, after) = (line[..at].trim_end(), &line[at + name.len()..]);
                    after.starts_with("::") || before.ends_with("use") || before.ends_with("crate")
                });
                if used && !at_home {
                    found.push(format!(
                        "{}:{number}: {name} is only for {}",
                        source.path,
                        rooms.join(", ")
                    ));
                }
            }
        }
    }
    found
}

fn outside(sources: &[Source]) -> Found {
    let mut found = Vec::new();
    for source in sources {
        if matches!(source.layer(), None | Some("shell")) {
            continue;
        }
        let (text, numbers) = joined(source);
        for at in words(&text, "std") {
            let Some(after) = text[at + "std".len()..].strip_prefix("::") else {
                continue;
            };
            for head in heads(after)
                .into_iter()
                .filter(|head| OUTSIDE.contains(head))
            {
                found.push(format!(
                    "{}:{}: std::{head} is the outside, which only the shell touches",
                    source.path, numbers[at]
                ));
            }
        }
    }
    found
}

fn openings(sources: &[Source]) -> Found {
    let mut found = Vec::new();
    for source in sources {
        let count = source
            .text
            .lines()
            .take_while(|line| line.starts_with("//!"))
            .count();
        let long = LONG_OPENINGS.iter().any(|(path, _)| *path == source.path);
        if count < *OPENING.start() || (count > *OPENING.end() && !long) {
            found.push(format!(
                "{}:1: opens with {count} lines of `//!`, {} to {} say what a file is and what not",
                source.path,
                OPENING.start(),
                OPENING.end()
            ));
        }
    }
    found
}

fn nouns(sources: &[Source]) -> Found {
    let mut found = Vec::new();
    for source in sources {
        for part in source.path.trim_end_matches(".rs").split('/') {
            if NO_NOUNS.contains(&part) {
                found.push(format!(
                    "{}: `{part}` does not say what is inside",
                    source.path
                ));
            }
        }
        for (number, line) in source.code() {
            for name in NO_NOUNS {
                if words(&line, name).any(|at| line[..at].trim_end().ends_with("mod")) {
                    found.push(format!(
                        "{}:{number}: `{name}` does not say what is inside",
                        source.path
                    ));
                }
            }
        }
    }
    found
}

/// Every file must be declared as a module; otherwise it would not be compiled.
fn orphans(sources: &[Source]) -> Found {
    let by_path: BTreeMap<&str, &Source> = sources
        .iter()
        .map(|source| (source.path.as_str(), source))
        .collect();
    let mut found = Vec::new();
    for source in sources {
        let inner = source.path.trim_end_matches(".rs").trim_end_matches("/mod");
        let Some((folder, name)) = inner.rsplit_once('/').filter(|_| source.layer().is_some())
        else {
            continue;
        };
        let above = if folder == "src" {
            "src/lib.rs".to_string()
        } else {
            format!("{folder}/mod.rs")
        };
        let declares =
            |text: &str| words(text, name).any(|at| text[..at].trim_end().ends_with("mod"));
        if !by_path
            .get(above.as_str())
            .is_some_and(|above| declares(&masked(&above.text)))
        {
            found.push(format!("{above}: has no `mod {name}`"));
        }
    }
    found
}

/// Every file of a command must have an entry in the list of commands.
fn registered(sources: &[Source]) -> Found {
    let list = sources
        .iter()
        .find(|source| source.path == "src/commands/mod.rs")
        .expect("there are commands");
    let mut found = Vec::new();
    for source in sources {
        let Some(name) = source
            .path
            .strip_prefix("src/commands/")
            .and_then(|name| name.strip_suffix(".rs"))
        else {
            continue;
        };
        let path = name.trim_end_matches("/mod").replace('/', "::");
        let name = path.rsplit("::").next().unwrap_or(&path);
        let commands = source
            .code()
            .iter()
            .filter(|(_, line)| line.contains("const COMMAND: Command"))
            .count();
        if commands == 0 {
            continue;
        }
        if commands > 1 {
            found.push(format!("{}: a file is for one command", source.path));
        }
        if !list.text.contains(&format!("&{path}::COMMAND,")) {
            found.push(format!(
                "{}: is not in the list of src/commands/mod.rs",
                source.path
            ));
        }
        if !source.text.contains(&format!("name: \"{name}\"")) {
            found.push(format!(
                "{}: the command in it has another name",
                source.path
            ));
        }
    }
    found
}

fn haste(sources: &[Source]) -> Found {
    let mut found = Vec::new();
    for source in sources {
        for (line, number) in source.text.lines().zip(1..) {
            for word in HASTE {
                let lower = line.to_lowercase();
                let line = if word.contains(' ') {
                    lower.as_str()
                } else {
                    line
                };
                if words(line, word).next().is_some() {
                    found.push(format!("{}:{number}: {word}", source.path));
                }
            }
        }
    }
    found
}

fn synonyms(sources: &[Source]) -> Found {
    let mut found = Vec::new();
    let needed = |source: &&Source| !SYNONYMS_NEEDED.iter().any(|(path, _)| *path == source.path);
    for source in sources.iter().filter(needed) {
        for (line, number) in source.text.lines().zip(1..) {
            let lower = line.to_lowercase();
            for word in SYNONYMS {
                if lower.contains(word) {
                    found.push(format!(
                        "{}:{number}: `{word}`: nodes have operands and users",
                        source.path
                    ));
                }
            }
        }
    }
    found
}

/// Fails with all violations of a rule.
pub(crate) fn assert_clean(found: &Found) {
    assert!(found.is_empty(), "\n{}\n", found.join("\n"));
}

#[test]
fn layers_look_down() {
    assert_clean(&layers(&files("src", ".rs")));
}

#[test]
fn the_table_of_layers_goes_one_way() {
    let mut below: BTreeSet<&str> = BTreeSet::new();
    for (layer, uses) in LAYERS {
        let up: Vec<&&str> = uses.iter().filter(|used| !below.contains(**used)).collect();
        assert!(up.is_empty(), "{layer} uses {up:?}, which come later");
        below.insert(layer);
    }
}

#[test]
fn crates_are_used_only_where_allowed() {
    assert_clean(&rooms(&files("src", ".rs")));
}

#[test]
fn only_the_shell_touches_the_outside() {
    assert_clean(&outside(&files("src", ".rs")));
}

#[test]
fn files_open_with_what_they_are() {
    assert_clean(&openings(&files("src", ".rs")));
}

/// Files of HTML pages: scripts, styles and templates, including the functions for the operations.
fn page_texts() -> Vec<Source> {
    [".js", ".css", ".html"]
        .iter()
        .flat_map(|ending| files("src", ending))
        .collect()
}

#[test]
fn texts_of_pages_say_what_they_are() {
    let mut found = Vec::new();
    for source in page_texts() {
        let mut lines = source
            .text
            .lines()
            .skip_while(|line| *line == "<!doctype html>");
        let first = lines.next().unwrap_or_default();
        if !["// ", "/* ", "<!-- "]
            .iter()
            .any(|begin| first.starts_with(begin))
        {
            found.push(format!("{}:1: does not open with what it is", source.path));
        }
    }
    assert_clean(&found);
}

#[test]
fn files_are_nouns() {
    assert_clean(&nouns(&files("src", ".rs")));
}

#[test]
fn every_file_is_a_module() {
    let sources = files("src", ".rs");
    assert_clean(&orphans(&sources));
    assert_clean(&registered(&sources));
}

#[test]
fn no_notes_about_unfinished_work() {
    let mut sources = files("src", ".rs");
    sources.extend(page_texts());
    sources.extend(files("tests", ".rs"));
    sources.extend(files("tests", ".py"));
    sources.extend(files("docs", ".md"));
    for name in [
        "grammar/calculator.pest",
        "CHANGELOG.md",
        "CONTRIBUTING.md",
        "README.md",
        ".ci/run",
        "Cargo.toml",
        "build.rs",
    ] {
        let path = root().join(name);
        if path.exists() {
            sources.push(source(&path));
        }
    }
    assert_clean(&haste(&sources));
}

#[test]
fn one_word_for_one_thing() {
    let mut sources = files("src", ".rs");
    sources.extend(page_texts());
    sources.push(source(&root().join("grammar/calculator.pest")));
    assert_clean(&synonyms(&sources));
    for (path, _) in SYNONYMS_NEEDED {
        let excepted = source(&root().join(path));
        let needs = SYNONYMS.iter().any(|word| excepted.text.contains(word));
        assert!(needs, "{path} needs no exception");
    }
}

#[test]
fn the_words_of_commands_are_their_own() {
    let mut seen: BTreeMap<&str, &str> = BTreeMap::new();
    for command in COMMANDS {
        assert!(
            !command.name.is_empty() && command.name.bytes().all(|byte| byte.is_ascii_lowercase()),
            ":{} is no plain word",
            command.name
        );
        for word in std::iter::once(&command.name).chain(command.aliases) {
            assert!(
                word.bytes().all(|byte| byte.is_ascii_lowercase()) || *word == "?",
                ":{word} of :{}",
                command.name
            );
            if let Some(other) = seen.insert(word, command.name) {
                panic!(":{word} means :{other} and :{}", command.name);
            }
        }
    }
}

#[test]
fn every_command_is_told() {
    let mut found = String::new();
    for command in COMMANDS {
        let (name, summary) = (command.name, command.summary);
        let mut complain = |what: &str| {
            let _ = writeln!(found, ":{name}: {what}");
        };
        if summary.is_empty()
            || summary.ends_with('.')
            || summary.contains('\n')
            || summary.chars().count() > 78
        {
            complain("a summary is one line without a period");
        }
        if !command.page.starts_with(&format!("# `:{name}`\n\n")) {
            complain("its page has the heading of another");
        }
        let words: Vec<&str> = std::iter::once(command.name)
            .chain(command.aliases.iter().copied())
            .collect();
        let shows = |line: &str| {
            let typed = line.strip_prefix("∂> :").unwrap_or_default();
            let word = typed.split([' ', ';']).next().unwrap_or_default();
            words.contains(&word)
        };
        if !command.example().lines().any(shows) {
            complain("its example does not type it");
        }
        if command
            .example()
            .lines()
            .any(|line| line != line.trim_end())
        {
            complain("its example has blanks at the end of a line");
        }
        // Required arguments come before optional ones, and arguments with a keyword come last.
        let places = command
            .arguments
            .iter()
            .map(|argument| (argument.keyword.is_some(), !argument.needed));
        if !places.is_sorted() {
            complain("its arguments are in no order that could be typed");
        }
        for (place, argument) in command.arguments.iter().enumerate() {
            if command.arguments[..place]
                .iter()
                .any(|earlier| earlier.name == argument.name)
            {
                complain("two arguments have one name, and arguments are asked for by name");
            }
        }
    }
    assert!(found.is_empty(), "\n{found}");
}

/// Tests the rules themselves: each finds its violations, with file and line, and nothing in correct code.
#[test]
fn rules_find_violations() {
    type Rule = fn(&[Source]) -> Found;
    let cases: &[(Rule, &str, &str, &[&str])] = &[
        (
            layers,
            "src/graph/node.rs",
            "use crate::ops::Op;\nuse crate::session::Session;",
            &["2: graph may not use session"],
        ),
        (
            layers,
            "src/graph/node.rs",
            "use crate::{ops::Op, view,\n commands::{self, args}};",
            &["1: graph may not use view", "1: graph may not use commands"],
        ),
        (
            layers,
            "src/graph/node.rs",
            "fn f() { crate::report::Report::default() }",
            &["1: graph may not use report"],
        ),
        (
            layers,
            "src/graph/mod.rs",
            "use super::session;",
            &["1: graph may not use session"],
        ),
        (
            layers,
            "src/graph/node.rs",
            "use super::order;\nuse super::super::session;",
            &["2: graph may not use session"],
        ),
        (
            layers,
            "src/diagnostic/suggest.rs",
            "use super::super::ops;",
            &["1: diagnostic may not use ops"],
        ),
        (
            layers,
            "src/syntax/parse.rs",
            "use crate::ops::Op;",
            &["1: syntax may not use ops"],
        ),
        (
            layers,
            "src/commands/grad.rs",
            "use crate::view::Style;",
            &["1: commands may not use view"],
        ),
        (
            layers,
            "src/interpret.rs",
            "use crate::graph::Node;",
            &["1: interpret may not use graph"],
        ),
        (
            layers,
            "src/view/json/mod.rs",
            "use crate::session::Session;",
            &["1: view may not use session"],
        ),
        (
            layers,
            "src/extra.rs",
            "",
            &[": `extra` is in no layer of the table"],
        ),
        (layers, "src/shell/mod.rs", "use crate::{view, ops};", &[]),
        (
            layers,
            "src/graph/node.rs",
            "// crate::session\n/* crate::view */ const T: &str = \"crate::view\"; const C: char = '\"'; // \"",
            &[],
        ),
        (
            layers,
            "src/graph/node.rs",
            "const T: &str = r#\"crate::view \" \"#;\npub(crate) fn f<'a>(x: &'a str) {}\n",
            &[],
        ),
        (
            layers,
            "src/graph/node.rs",
            "#[cfg(test)]\nmod tests {\n    use crate::session::Session;\n}\nuse crate::view;",
            &["5: graph may not use view"],
        ),
        (
            layers,
            "src/graph/node.rs",
            "#[cfg(test)]\nmod tests;\nuse crate::view;",
            &["3: graph may not use view"],
        ),
        (
            rooms,
            "src/graph/node.rs",
            "use pest::Parser;\nfn f() { colored::control::set_override(true) }",
            &[
                "1: pest is only for src/syntax/",
                "2: colored is only for src/view/theme/",
            ],
        ),
        (
            rooms,
            "src/shell/mod.rs",
            "use rustyline;",
            &["1: rustyline is only for src/shell/prompt/"],
        ),
        (
            rooms,
            "src/view/text.rs",
            "use colored::Colorize;",
            &["1: colored is only for src/view/theme/"],
        ),
        (
            rooms,
            "src/view/theme/mod.rs",
            "use colored::Colorize;",
            &[],
        ),
        (
            rooms,
            "src/view/text.rs",
            "let colored = true; fn pest(clap: u8) {}",
            &[],
        ),
        (
            outside,
            "src/session/mod.rs",
            "use std::{rc::Rc, fs};\nlet t = std::time::Instant::now();",
            &[
                "1: std::fs is the outside, which only the shell touches",
                "2: std::time is the outside, which only the shell touches",
            ],
        ),
        (outside, "src/shell/mod.rs", "use std::fs;", &[]),
        (
            openings,
            "src/graph/node.rs",
            "//! One\n\nuse a;",
            &["1: opens with 1 lines of `//!`, 2 to 12 say what a file is and what not"],
        ),
        (
            openings,
            "src/graph/node.rs",
            &"//! x\n".repeat(13),
            &["1: opens with 13 lines of `//!`, 2 to 12 say what a file is and what not"],
        ),
        (
            openings,
            "src/graph/node.rs",
            "// one\n// two\n",
            &["1: opens with 0 lines of `//!`, 2 to 12 say what a file is and what not"],
        ),
        (openings, "src/graph/node.rs", "//! One\n//! two", &[]),
        (
            nouns,
            "src/graph/utils.rs",
            "",
            &[": `utils` does not say what is inside"],
        ),
        (
            nouns,
            "src/graph/mod.rs",
            "mod common;",
            &["1: `common` does not say what is inside"],
        ),
        (nouns, "src/graph/mod.rs", "let types = 3;", &[]),
        (
            orphans,
            "src/graph/node.rs",
            "",
            &["src/graph/mod.rs: has no `mod node`"],
        ),
        (
            haste,
            "src/graph/node.rs",
            concat!("// TO", "DO: later"),
            &[concat!("1: TO", "DO")],
        ),
        (
            haste,
            "tests/x.rs",
            concat!("\n// good enough For ", "now"),
            &[concat!("2: for ", "now")],
        ),
        (haste, "tests/x.rs", concat!("a TO", "DOS b"), &[]),
        (
            synonyms,
            "src/graph/node.rs",
            "fn f() {}\n/// Its children.",
            &["2: `children`: nodes have operands and users"],
        ),
        (
            synonyms,
            "src/graph/node.rs",
            "let n_inputs = 3;",
            &["1: `inputs`: nodes have operands and users"],
        ),
    ];
    for (rule, path, text, expected) in cases {
        let found = rule(&[Source {
            path: (*path).to_string(),
            text: (*text).to_string(),
        }]);
        let expected: Vec<String> = expected
            .iter()
            .map(|end| match *end {
                end if end.starts_with("src/") => end.to_string(),
                end if end.starts_with(':') => format!("{path}{end}"),
                end => format!("{path}:{end}"),
            })
            .collect();
        assert_eq!(found, expected, "{path}: {text}");
    }
    let list = |text: &str| Source {
        path: "src/commands/mod.rs".into(),
        text: text.into(),
    };
    let command = || Source {
        path: "src/commands/a.rs".into(),
        text: "pub const COMMAND: Command = Command { name: \"a\"".into(),
    };
    assert_eq!(
        registered(&[list("&a::COMMAND,"), command()]),
        Vec::<String>::new()
    );
    assert_eq!(
        registered(&[list("mod a;"), command()]),
        ["src/commands/a.rs: is not in the list of src/commands/mod.rs"]
    );
}
