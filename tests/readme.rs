//! The README and the manual in `docs/` are true: sessions are replayed, tables are compared with the code, pictures
//! are drawn again, links are followed.
//!
//! `UPDATE=1 cargo test readme::` rewrites them; read the difference before you commit it.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use crate::common::Desk;
use crate::common::process::{Folder, feed, program};
use crate::common::project::{at, files, hold, members};
use crate::records::replayed;
use chainrule::commands::COMMANDS;
use chainrule::commands::help::general_form;
use chainrule_engine::ops::{Domain, Op, TABLE};

fn read(path: &str) -> String {
    fs::read_to_string(at(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The README and the pages of the manual.
fn pages() -> Vec<String> {
    let mut pages: Vec<String> = files("docs", ".md")
        .into_iter()
        .map(|source| source.path)
        .collect();
    pages.sort();
    pages.insert(0, "README.md".to_string());
    pages
}

fn table(head: &[&str], rows: impl IntoIterator<Item = Vec<String>>) -> String {
    let line = |cells: &[String]| format!("| {} |\n", cells.join(" | ").replace("|  |", "| |"));
    let mut out = line(&head.iter().map(ToString::to_string).collect::<Vec<_>>());
    out.push_str(&line(&vec!["---".to_string(); head.len()]));
    for row in rows {
        let cells: Vec<String> = row.iter().map(|cell| cell.replace('|', "\\|")).collect();
        out.push_str(&line(&cells));
    }
    out.trim_end().to_string()
}

fn commands() -> String {
    let row = |command: &&chainrule::command::Command| {
        let aliases = command.aliases.iter().map(|alias| format!(" `:{alias}`"));
        vec![
            format!("`{}`{}", command.usage(), aliases.collect::<String>()),
            format!("[{}]({}.md)", command.summary, command.name),
        ]
    };
    table(&["command", "what it does"], COMMANDS.iter().map(row))
}

fn operations() -> String {
    let row = |op: &'static Op| {
        let (least, most) = op.arity();
        let shown = (0..if most.is_none() { 1 } else { least }).map(|place| op.learned_text(place));
        let derivatives: Vec<&str> = shown.collect();
        let domain = match op.domain {
            Domain::Everywhere => "",
            Domain::Where { text, .. } => text,
        };
        vec![
            format!("`{}`", general_form(op)),
            format!("`{}`", derivatives.join(",  ")),
            domain.to_string(),
            op.summary.to_string(),
        ]
    };
    let head = ["operation", "derivatives", "defined for", "what it is"];
    table(&head, TABLE.iter().map(row))
}

/// Groups operations with the same text, in the order of the table.
fn group_operations(head: &[&str], said: impl Iterator<Item = (&'static str, String)>) -> String {
    let mut rows: Vec<(String, String)> = Vec::new();
    for (operation, words) in said {
        match rows.iter_mut().find(|(_, known)| *known == words) {
            Some((operations, _)) => {
                let _ = write!(operations, " {operation}");
            }
            None => rows.push((operation.to_string(), words)),
        }
    }
    let row = |(operations, words)| vec![format!("`{operations}`"), words];
    table(head, rows.into_iter().map(row))
}

fn precedence() -> String {
    let rows = chainrule_language::precedence::manual();
    let row = |cells: [&str; 2]| cells.map(str::to_string).to_vec();
    table(&["operator", "notes"], rows.map(row))
}

fn kinks() -> String {
    let said = TABLE.iter().flat_map(|op| {
        op.kinks.iter().map(|kink| {
            let at = if kink.at.starts_with("a ") { "" } else { "at " };
            (op.spelling, format!("{at}{}: {}", kink.at, kink.convention))
        })
    });
    group_operations(&["operation", "convention"], said)
}

fn domains() -> String {
    let said = TABLE.iter().filter_map(|op| match op.domain {
        Domain::Everywhere => None,
        Domain::Where { text, hint, .. } => {
            let hint = hint.map(|hint| format!("; {hint}"));
            Some((op.spelling, format!("{text}{}", hint.unwrap_or_default())))
        }
    });
    group_operations(&["operation", "defined for"], said)
}

fn options() -> String {
    let mut help = program(&["--help"]);
    help.env_remove("COLUMNS");
    format!("```\n{}\n```", feed(help, b"").out.trim_end())
}

fn settings() -> String {
    let row = |choice: &chainrule_session::settings::SettingRow| {
        vec![
            format!("`{}`", choice.key),
            format!("`{}`", choice.text(choice.default())),
            choice.allowed_values(),
            choice.summary.to_string(),
        ]
    };
    let head = ["setting", "default", "can be", "what it is"];
    table(&head, chainrule_session::settings::SETTINGS.iter().map(row))
}

/// The answers to the statements that the page shows before them.
fn answers() -> String {
    let ran = feed(
        program(&["--no-init", "--json"]),
        b"a, b = 2, -3\nL = a*b\n:grad L\nd = q + 1\n",
    );
    format!("```json\n{}\n```", ran.out.trim_end())
}

/// The tables of limits, by subject.
fn limits() -> Vec<(&'static str, String)> {
    use chainrule_language as language;
    use chainrule_session as session;
    let limits = session::limits::Limits::default();
    let subjects: [(&str, &[(&str, String)]); 6] = [
        (
            "limits-text",
            &[
                (
                    "levels of nested brackets",
                    language::MAX_NESTING.to_string(),
                ),
                (
                    "levels of nested functions by `lambda`",
                    language::MAX_FUNCTIONS.to_string(),
                ),
                (
                    "bytes of a line or a statement",
                    language::MAX_LENGTH.to_string(),
                ),
                (
                    "lines of one statement",
                    language::MAX_CONTINUATION.to_string(),
                ),
                (
                    "levels of nested blocks, such as loops in loops",
                    language::MAX_BLOCKS.to_string(),
                ),
                (
                    "rounds of all loops in one statement",
                    limits.rounds.to_string(),
                ),
                (
                    "levels of nested calls of functions of several lines",
                    session::limits::MOST_CALLS.to_string(),
                ),
                (
                    "levels of files that load other files",
                    chainrule::shell::MAX_NESTED_LOADS.to_string(),
                ),
                (
                    "nodes that a `:step` or a search may visit in all, so that a saved session runs it again",
                    limits.repeated_work.to_string(),
                ),
                (
                    "names that wait for numbers at once",
                    chainrule::interpret::MOST_WAITING.to_string(),
                ),
                (
                    "bytes of a data file",
                    chainrule::shell::MAX_FILE.to_string(),
                ),
                (
                    "the seed of the random numbers",
                    session::limits::LARGEST_SEED.to_string(),
                ),
            ],
        ),
        (
            "limits-graphs",
            &[
                ("nodes that one statement makes", limits.nodes.to_string()),
                (
                    "nodes of one derivative: six times the number of nodes in its expression, plus",
                    session::limits::DERIVED_NODES.to_string(),
                ),
                ("numbers in one list", limits.list_numbers.to_string()),
                (
                    "levels of nested lists",
                    session::limits::LIST_DEPTH.to_string(),
                ),
                (
                    "characters of a label that you give to a node",
                    session::limits::LABEL_CHARACTERS.to_string(),
                ),
            ],
        ),
        (
            "limits-answers",
            &[
                (
                    "rows of a text table, by default",
                    session::limits::TABLE_ROWS.to_string(),
                ),
                (
                    "rows of a text table, as a setting",
                    session::limits::MOST_TABLE_ROWS.to_string(),
                ),
                (
                    "nodes in the text of an expression before `…` replaces the rest",
                    session::limits::LABEL_NODES.to_string(),
                ),
                (
                    "numbers of a list that `print` writes in full",
                    chainrule::interpret::MOST_PRINTED.to_string(),
                ),
                (
                    "nodes on which an answer depends, if it shows a `±`",
                    session::limits::MOST_ANSWERED.to_string(),
                ),
                (
                    "levels of a `:tree` in text",
                    chainrule::commands::DEEPEST_TEXT.to_string(),
                ),
                (
                    "levels of a `:tree` in JSON",
                    chainrule::commands::DEEPEST_JSON.to_string(),
                ),
                (
                    "paths that `:explain` lists in JSON (in text, five)",
                    chainrule::study::MOST_PATHS.to_string(),
                ),
                (
                    "characters of the formula after `closed` in `:explain`",
                    chainrule::study::LONGEST.to_string(),
                ),
            ],
        ),
        (
            "limits-undo",
            &[
                (
                    "stored results, `$1`, `$2`, …",
                    session::limits::RESULTS.to_string(),
                ),
                (
                    "changes that `:undo` can take back, by default",
                    session::limits::UNDO_STEPS.to_string(),
                ),
                (
                    "changes that `:undo` can take back, as a setting",
                    session::limits::MOST_UNDO_STEPS.to_string(),
                ),
                (
                    "bytes stored for `:undo`",
                    session::limits::UNDO_BYTES.to_string(),
                ),
            ],
        ),
        (
            "limits-searches",
            &[
                (
                    "steps of one `:step`",
                    chainrule::commands::MOST_STEPS.to_string(),
                ),
                (
                    "leaves that one `:fit` or `:solve` moves",
                    chainrule::search::MOST_FITTED.to_string(),
                ),
                (
                    "points times leaves of one `:fit`, or equations times leaves of one `:solve`",
                    chainrule::search::MOST_FIT_DERIVATIVES.to_string(),
                ),
                (
                    "uncertain leaves from which a search computes the `±` of the leaves that it finds",
                    chainrule::search::MOST_SOURCES.to_string(),
                ),
                (
                    "guesses of gradients between two passes",
                    session::limits::MOST_CLAIMS.to_string(),
                ),
                (
                    "shown grads that `:guess` remembers",
                    session::limits::MOST_SHOWN.to_string(),
                ),
                (
                    "contributions that `:wrong` computes in a pass with the mistake",
                    chainrule_engine::graph::MAX_CONTRIBUTIONS.to_string(),
                ),
            ],
        ),
        (
            "limits-pictures",
            &[
                ("boxes of a graph", chainrule::study::MOST_DRAWN.to_string()),
                (
                    "curves of one plot",
                    chainrule::plotting::MOST_CURVES.to_string(),
                ),
                (
                    "points that a picture draws; a `.csv` file has all",
                    chainrule_report::MOST_DOTS.to_string(),
                ),
                (
                    "free leaves of an expression for which `:plot` draws the path of the steps on a map",
                    session::limits::MOST_LEAVES_OF_PATH.to_string(),
                ),
                (
                    "lines of one exported program",
                    chainrule::features::export::MOST_LINES.to_string(),
                ),
            ],
        ),
    ];
    let row = |(what, most): &(&str, String)| vec![what.to_string(), group_digits(most)];
    let with_table = |(mark, rows): (&'static str, &[(&str, String)])| {
        (mark, table(&["limit on", "at most"], rows.iter().map(row)))
    };
    subjects.map(with_table).into()
}

/// Groups digits: `1000000` becomes `1,000,000`.
fn group_digits(digits: &str) -> String {
    let mut out = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// Replaces the text between the marks of a part; `None` if the text has no such marks.
fn with_part(text: &str, mark: &str, part: &str) -> Option<String> {
    let begin = text.find(&format!("<!-- {mark}: "))?;
    let start = begin
        + text[begin..]
            .find('\n')
            .expect("the mark has a line of its own")
        + 1;
    let end = start + text[start..].find("<!-- end -->").expect("the part ends");
    Some(format!("{}\n{part}\n\n{}", &text[..start], &text[end..]))
}

fn with_sessions(text: &str, numbered: bool) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(found) = rest.find("```session\n") {
        let start = found + "```session\n".len();
        let end = start + rest[start..].find("```").expect("a session ends");
        out.push_str(&rest[..start]);
        let session = &rest[start..end];
        let shown = replayed(session, numbered);
        // Measured times differ from run to run.
        let same = crate::common::timeless(session) == shown;
        out.push_str(if same { session } else { &shown });
        rest = &rest[end..];
        out.push_str("```");
        rest = &rest[3..];
    }
    out.push_str(rest);
    out
}

#[test]
fn pages_say_what_the_program_does() {
    let mut parts = vec![
        ("commands", commands()),
        ("operations", operations()),
        ("kinks", kinks()),
        ("domains", domains()),
        ("settings", settings()),
        ("options", options()),
        ("json", answers()),
        ("precedence", precedence()),
    ];
    parts.extend(limits());
    let mut found: BTreeMap<&str, usize> = BTreeMap::new();
    for page in pages() {
        let written = read(&page);
        let mut wanted = with_sessions(&written, page == "README.md");
        for (mark, part) in &parts {
            if let Some(replaced) = with_part(&wanted, mark, part) {
                wanted = replaced;
                *found.entry(mark).or_default() += 1;
            }
        }
        hold(&page, &wanted);
    }
    for (mark, _) in &parts {
        assert_eq!(
            found.get(mark),
            Some(&1),
            "`<!-- {mark}: … -->` stands on one page"
        );
    }
}

#[test]
fn every_dependency_has_its_reason() {
    const PAGE: &str = "docs/internals/dependencies.md";
    let manifests = members().into_iter().map(|folder| folder + "/Cargo.toml");
    let manifests = manifests.chain(["Cargo.toml".to_string()]);
    let manifest = manifests.map(|path| read(&path)).collect::<Vec<_>>();
    let manifest = manifest.join("\n");
    let written = read(PAGE);
    let mut section = "";
    for line in manifest.lines() {
        if line.starts_with('[') {
            section = line;
        } else if let (true, Some((name, _))) =
            (section.contains("dependencies"), line.split_once(" = "))
        {
            let dependency = name.trim_end_matches(".workspace");
            assert!(
                written.contains(&format!("`{dependency}`")),
                "{PAGE} does not say what {dependency} is for: give it a row in the table of dependencies"
            );
        }
    }
    // The table lists no dependency that does not exist.
    let start = written
        .find("| dependency | why |")
        .expect("there is a table");
    let rows = written[start..].lines().skip(2);
    for row in rows.take_while(|line| line.starts_with('|')) {
        for name in row.split('|').nth(1).unwrap_or("").split(", ") {
            let name = name.trim().trim_matches('`');
            assert!(
                manifest.contains(&format!("\n{name} = "))
                    || manifest.contains(&format!("\n{name}.workspace = ")),
                "{PAGE}: {name} is no dependency, its row can go"
            );
        }
    }
}

#[test]
fn pictures_are_what_their_script_draws() {
    const FOLDER: &str = "docs/pictures";
    let folder = Folder::new();
    let script = at(FOLDER).join("make.calc");
    let mut drawing = program(&["--no-init".as_ref(), script.as_os_str()]);
    drawing.current_dir(&folder.0);
    let ran = feed(drawing, b"");
    assert_eq!(ran.status, Some(0), "{}", ran.err);
    let names = |folder: &Path| {
        let entries = fs::read_dir(folder).expect("a folder");
        let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
        // `prompt_picture.rs` draws those of the prompt.
        let is_drawn = |name: &String| name != "make.calc" && !name.starts_with("prompt-");
        let mut names: Vec<String> = names.filter(is_drawn).collect();
        names.sort();
        names
    };
    let drawn = names(&folder.0);
    for name in &drawn {
        let path = format!("{FOLDER}/{name}");
        let wanted = fs::read_to_string(folder.0.join(name)).expect("a picture is text");
        hold(&path, &wanted);
    }
    assert_eq!(
        names(&at(FOLDER)),
        drawn,
        "every picture is drawn by make.calc"
    );
}

/// The anchor of a heading, as GitHub and mdbook generate it.
fn anchor(heading: &str) -> String {
    let lower = heading.to_lowercase();
    let kept = lower
        .chars()
        .filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.map(|c| if c == ' ' { '-' } else { c }).collect()
}

/// The text outside of code blocks.
fn prose(page: &str) -> String {
    let text = read(page);
    let parts = text.split("\n```").step_by(2);
    parts.collect::<Vec<_>>().join("\n")
}

/// A link or a picture of a page.
struct Link {
    /// The path from the top of the project.
    path: String,
    /// What follows `#`.
    anchor: String,
}

/// The links and pictures of a page, but for those that leave the project.
fn links(page: &str) -> Vec<Link> {
    let text = prose(page);
    let mut found = Vec::new();
    for (begin, end) in [("](", ')'), ("src=\"", '"'), ("srcset=\"", '"')] {
        for (start, _) in text.match_indices(begin) {
            let target = &text[start + begin.len()..];
            let target = &target[..target.find(end).expect("a link ends")];
            if target.starts_with("https://") {
                continue;
            }
            let (file, anchor) = target.split_once('#').unwrap_or((target, ""));
            found.push(Link {
                path: path_from_top(page, file),
                anchor: anchor.to_string(),
            });
        }
    }
    found
}

/// Where a link of a page leads to; without a file, it stays on the page.
fn path_from_top(page: &str, file: &str) -> String {
    if file.is_empty() {
        return page.to_string();
    }
    let mut parts: Vec<&str> = page.split('/').collect();
    parts.pop();
    for part in file.split('/') {
        if part == ".." {
            parts.pop().expect("a link stays in the project");
        } else {
            parts.push(part);
        }
    }
    parts.join("/")
}

#[test]
fn links_lead_somewhere() {
    let mut texts = pages();
    texts.extend(["CONTRIBUTING.md", "CHANGELOG.md"].map(String::from));
    for page in &texts {
        for Link {
            path,
            anchor: place,
        } in links(page)
        {
            assert!(at(&path).exists(), "{page}: there is no {path}");
            assert!(
                path.starts_with("docs/") || !page.starts_with("docs/"),
                "{page}: the book does not have {path}"
            );
            if place.is_empty() {
                continue;
            }
            let target = prose(&path);
            let mut headings = target.lines().filter(|line| line.starts_with('#'));
            assert!(
                headings.any(|line| anchor(line.trim_start_matches(['#', ' '])) == place),
                "{page}: there is no heading for {path}#{place}"
            );
        }
    }
}

#[test]
fn the_lines_of_the_glossary_run() {
    let page = read("docs/reference/glossary.md");
    let mut desk = Desk::default();
    desk.session.show.reads_letters = true;
    desk.reply("a, b, c, f = 2, -3, 10, -2");
    desk.reply("L = (a*b + c)*f");
    let rows: Vec<&str> = page.lines().filter(|row| row.ends_with("` |")).collect();
    assert!(rows.len() >= 30, "{rows:?}");
    for row in rows {
        desk.reply(row.rsplit('`').nth(1).expect("a line to type"));
    }
}

#[test]
fn the_book_has_every_page() {
    const SUMMARY: &str = "docs/SUMMARY.md";
    let chapters = links(SUMMARY);
    for page in pages() {
        if page == SUMMARY || page == "README.md" {
            continue;
        }
        let found = chapters.iter().filter(|chapter| chapter.path == page);
        assert_eq!(found.count(), 1, "{SUMMARY} has {page} once");
        let text = read(&page);
        let below = text.lines().nth(2).unwrap_or_default();
        assert!(
            page.starts_with("docs/commands/") || below.starts_with(char::is_alphanumeric),
            "{page} begins with a sentence that says what it is for"
        );
    }
    // Every chapter is one line of the list, which is the only form that the book needs.
    for line in read(SUMMARY).lines().filter(|line| !line.is_empty()) {
        assert!(
            line.starts_with(['#', '['])
                || line.trim_start().starts_with("- [") && line.ends_with(".md)"),
            "{line}"
        );
    }
}

#[test]
fn the_readme_leads_to_every_page() {
    let pages = pages();
    let mut reached = vec!["README.md".to_string()];
    let mut next = 0;
    while let Some(page) = reached.get(next).cloned() {
        next += 1;
        for Link { path, .. } in links(&page) {
            if pages.contains(&path) && !reached.contains(&path) {
                reached.push(path);
            }
        }
    }
    for page in pages {
        assert!(
            page == "docs/SUMMARY.md" || reached.contains(&page),
            "no link leads from README.md to {page}"
        );
    }
}

#[test]
fn the_readme_is_short_and_begins_with_what_it_is() {
    let readme = read("README.md");
    let lines = readme.lines().count();
    assert!((100..=150).contains(&lines), "{lines} lines");
    for (count, parts) in [
        (
            16,
            &["prompt-dark.svg", "cargo run --release", "cargo test"][..],
        ),
        (40, &["```session", "∂> g'", "∂> dy/dx"]),
        (60, &["∂> :grad L", "∂> :set a 3"]),
        (65, &[".svg)"]),
    ] {
        let first: Vec<&str> = readme.lines().take(count).collect();
        for part in parts {
            assert!(first.iter().any(|line| line.contains(part)), "{part}");
        }
    }
    assert!(
        read("CHANGELOG.md").contains(&format!("\n## {}\n", env!("CARGO_PKG_VERSION"))),
        "CHANGELOG.md has no section for this version"
    );
}
