//! Makes the signatures of commands from the heads of their pages in `docs/commands/`, so that code asks for
//! `step::RATE`, and a misspelt name does not compile. `src/command/signatures.rs` includes them. Also takes the sections
//! that are topics of `:help` from the manual, so that the program does not contain the rest of it.
//!
//! ```text
//! # `:step`: gradient descent on the free leaves, one step or N
//! <!-- change | :step 0.01 | one step downhill -->
//!
//! `:step` moves each free leaf by -RATE times its grad, and then runs a fresh pass.
//!
//! - `RATE`: the rate: a leaf moves by -RATE times its grad <!-- number -->
//! - `[momentum M]`: from 0 to 1: each step adds M times the step before it <!-- number, late -->
//! - `[adam]`: steps of `torch.optim.Adam` <!-- late, not with `momentum` -->
//! ```
//!
//! The heading has the names and a description. The line below it has the group, the traits of the command, such as
//! `read-only`, and its entry in `:help`. The first paragraph says what the command does.
//!
//! Each item is an argument. It begins with its usage, in brackets if it may be left out; a word in lower case before the
//! name is its keyword. The meaning follows; of a file, it names the endings, `.svg .html`, and must fit after `FILE is`
//! in an error. A comment, which readers of the page do not see, has the kind and the conditions: `leaf` and `varying`
//! are conditions on a node, and `late` is a keyword only after an expression. An argument without a kind is only a
//! keyword. In code and in conditions, an argument is called by its keyword, or else by the first word of its name.

// This is how a build script talks to cargo.
#![allow(clippy::print_stdout)]

use std::path::{Path, PathBuf};
use std::{env, fs};

/// The folders of the manual whose pages have topics of `:help`.
const TOPIC_FOLDERS: [&str; 4] = ["commands", "guide", "reference", "tutorial"];

fn main() {
    for folder in TOPIC_FOLDERS {
        println!("cargo::rerun-if-changed=docs/{folder}");
    }
    let folder = fs::read_dir("docs/commands").expect("the pages of commands are there");
    let files = folder.flatten().map(|entry| entry.path());
    // The list of all commands is no command.
    let mut pages: Vec<PathBuf> = files.filter(|path| !path.ends_with("README.md")).collect();
    pages.sort();
    let read_module = |page: &PathBuf| {
        let text = fs::read_to_string(page).expect("a page can be read");
        let module = module_of(&text);
        module.unwrap_or_else(|| panic!("{} begins otherwise than build.rs says", page.display()))
    };
    let modules: String = pages.iter().map(read_module).collect();
    let out_folder = env::var_os("OUT_DIR").expect("cargo says where to write");
    let tables = ["src/interpret/python/patterns.txt", "src/study/slips.txt"];
    for table in tables {
        println!("cargo::rerun-if-changed={table}");
    }
    let [patterns, slips] = tables.map(rows_of_table);
    for (name, text) in [
        ("signatures.rs", modules),
        ("topics.rs", topic_sections()),
        ("patterns.txt", patterns),
        ("slips.txt", slips),
    ] {
        let written = fs::write(Path::new(&out_folder).join(name), text);
        written.expect("cargo's folder can be written");
    }
}

/// A table without its comments, which the program need not carry.
fn rows_of_table(path: &str) -> String {
    let text = fs::read_to_string(path).expect("a table can be read");
    let rows = text.lines().filter(|line| !line.starts_with('#'));
    rows.map(|row| format!("{row}\n")).collect()
}

/// Writes a list of the pages of the manual that have topics of `:help`, each with the sections that are topics.
fn topic_sections() -> String {
    let mut pages = Vec::new();
    for folder in TOPIC_FOLDERS {
        let entries = fs::read_dir(Path::new("docs").join(folder)).expect("the manual is there");
        for path in entries.flatten().map(|entry| entry.path()) {
            let text = fs::read_to_string(&path).expect("a page can be read");
            let stem = path.file_stem().expect("a page has a name");
            let name = format!("{folder}/{}", stem.to_string_lossy());
            let sections = sections(&text).into_iter();
            let topics: Vec<String> = sections
                .filter(|it| is_topic(it))
                .map(without_marks)
                .collect();
            if !topics.is_empty() {
                pages.push(format!("({name:?}, &{topics:?}),\n"));
            }
        }
    }
    pages.sort();
    format!("&[{}]", pages.concat())
}

/// A section without the marks at the ends of its lines, which only this script reads.
fn without_marks(section: &str) -> String {
    let unmarked = |line: &str| match line.split_once(" <!-- ") {
        Some((words, _)) => format!("{words}\n"),
        None => format!("{line}\n"),
    };
    section.lines().map(unmarked).collect()
}

/// Whether the line below the heading of a section is the mark of a topic.
fn is_topic(section: &str) -> bool {
    let mark = section.lines().nth(1);
    mark.is_some_and(|line| line.starts_with("<!-- topic "))
}

/// Returns the sections of a page, each from its `## ` heading to the next one. In a block of code, `## ` is a comment.
fn sections(page: &str) -> Vec<&str> {
    let mut sections = Vec::new();
    let (mut start, mut at) = (0, 0);
    let mut is_code = false;
    for line in page.split_inclusive('\n') {
        is_code ^= line.starts_with("```");
        if !is_code && line.starts_with("## ") {
            sections.push(&page[start..at]);
            start = at;
        }
        at += line.len();
    }
    sections.push(&page[start..]);
    sections
}

/// Writes the module of a page. Returns `None` if the page does not begin as the top of this file describes.
fn module_of(page: &str) -> Option<String> {
    let (heading, below_heading) = page.split_once('\n')?;
    let (all_names, summary) = heading.strip_prefix("# `:")?.split_once("`: ")?;
    let mut names = all_names.split("` `:");
    let name = names.next()?;
    let aliases: Vec<&str> = names.collect();
    let (comment, below_comment) = below_heading
        .strip_prefix("<!-- ")?
        .split_once(" -->\n\n")?;
    let body = arguments_first(below_comment)?;
    let (group_text, entry_text) = comment.split_once(" | ")?;
    let entry = entry_text.split_once(" | ")?;
    let mut words = group_text.split(", ");
    let group = words.next()?;
    let traits: Vec<String> = words.map(trait_name).collect();
    let trait_list = traits.join(", ");
    let (list, text) = match body.strip_prefix("- ") {
        Some(items) => items.split_once("\n\n")?,
        None => ("", &*body),
    };
    let items = list.split("\n- ").filter(|item| !item.is_empty());
    let arguments: Vec<Constant> = items.map(argument_of).collect::<Option<_>>()?;
    let constants: String = arguments.iter().map(Constant::definition).collect();
    let argument_names: Vec<&str> = arguments.iter().map(|constant| &*constant.name).collect();
    let argument_list = argument_names.join(", ");
    Some(format!(
        "pub(crate) mod {name} {{\n{constants}    pub(crate) const SIGNATURE: &super::Signature = &super::Signature {{ \
         name: {name:?}, aliases: &{aliases:?}, summary: {summary:?}, group: {group:?}, traits: &[{trait_list}], entry: {entry:?}, \
         arguments: &[{argument_list}], text: {text:?} }};\n}}\n"
    ))
}

/// The code for a trait: `super::CommandTrait::ReadOnly` for `read-only`. If it does not exist, the module does not compile.
fn trait_name(words: &str) -> String {
    let capitalized = |word: &str| word[..1].to_uppercase() + &word[1..];
    let name: String = words.split([' ', '-']).map(capitalized).collect();
    format!("super::CommandTrait::{name}")
}

/// Moves the list of arguments before the first paragraph, as `:help` shows them.
fn arguments_first(page: &str) -> Option<String> {
    let (opening, rest) = page.split_once("\n\n")?;
    if !rest.starts_with("- ") {
        return Some(page.to_owned());
    }
    let (items, text) = rest.split_once("\n\n")?;
    Some(format!("{items}\n\n{opening}\n\n{text}"))
}

/// A constant of the module that describes an argument.
struct Constant {
    name: String,
    fields: String,
}

impl Constant {
    fn definition(&self) -> String {
        let Constant { name, fields } = self;
        format!(
            "    pub(crate) const {name}: &super::Argument = &super::Argument {{ {fields} }};\n"
        )
    }
}

/// Reads the item of an argument: its usage, its meaning, and the comment with its conditions.
fn argument_of(item: &str) -> Option<Constant> {
    let (usage, after_usage) = item.strip_prefix('`')?.split_once("`: ")?;
    let (meaning, condition_list) = match after_usage.strip_suffix(" -->") {
        Some(with_conditions) => with_conditions.split_once(" <!-- ")?,
        None => (after_usage, ""),
    };
    let Conditions {
        kind,
        must_follow_operand,
        nodes,
        sign,
        needs,
        excludes,
    } = Conditions::of(condition_list);
    let excluded = excludes.join(", ");
    let optional = usage.strip_prefix('[').and_then(|it| it.strip_suffix(']'));
    let (whole, is_required) = (optional.unwrap_or(usage), optional.is_none());
    let is_keyword = |word: &str| word.starts_with(char::is_lowercase);
    let (keyword, typed_name) = match whole.split_once(sign) {
        // A flag is only a keyword, even one of two words.
        _ if kind == "Flag" => (Some(whole), whole),
        Some((keyword, name)) if is_keyword(keyword) => (Some(keyword), name),
        Some(_) | None => (None, whole),
    };
    // `NODE…` are several nodes; `LEAF, …` is an ellipsis that stays.
    let name = match typed_name.strip_suffix('…') {
        Some(single) if matches!(&*kind, "Nodes" | "Names") && !single.ends_with(' ') => single,
        _ => typed_name,
    };
    let mut endings = Vec::new();
    if kind == "File" {
        let words = meaning.split(['`', ' ']);
        endings.extend(words.filter_map(|word| word.strip_prefix('.')));
    }
    Some(Constant {
        name: constant_name(keyword.unwrap_or(name)),
        fields: format!(
            "usage: {usage:?}, name: {name:?}, kind: super::ArgumentKind::{kind}, keyword: {keyword:?}, is_required: {is_required}, \
             meaning: {meaning:?}, must_follow_operand: {must_follow_operand}, needs: {needs}, excludes: &[{excluded}], endings: &{endings:?}, condition: super::NodeCondition::{nodes}"
        ),
    })
}

/// The kind and the conditions of an argument.
struct Conditions {
    kind: String,
    must_follow_operand: bool,
    nodes: &'static str,
    /// The sign between the keyword and the name: a blank, or `=` as in `NAME=VALUE`.
    sign: char,
    /// The code for the argument that must be given, too: `Some(MOMENTUM)` or `None`.
    needs: String,
    /// The constants of the arguments that must not be given, too.
    excludes: Vec<String>,
}

impl Conditions {
    /// Reads a list such as `number, late`.
    fn of(list: &str) -> Conditions {
        let mut read = Conditions {
            kind: "Flag".to_owned(),
            must_follow_operand: false,
            nodes: "Any",
            sign: ' ',
            needs: "None".to_owned(),
            excludes: Vec::new(),
        };
        for condition in list.split(", ").filter(|it| !it.is_empty()) {
            match condition.trim_end_matches('`').split_once(" `") {
                Some(("needs", other)) => read.needs = format!("Some({})", constant_name(other)),
                Some(("not with", other)) => read.excludes.push(constant_name(other)),
                _ => match condition {
                    "late" => read.must_follow_operand = true,
                    "varying" => read.nodes = "Varying",
                    "leaf" => read.nodes = "Leaf",
                    "keyword" => read.sign = '=',
                    // If the kind does not exist, the module does not compile.
                    kind => read.kind = kind[..1].to_uppercase() + &kind[1..],
                },
            }
        }
        read
    }
}

/// The name of the constant for an argument, from the first word of its keyword or name: `RATE`, `MOMENTUM`.
fn constant_name(word: &str) -> String {
    let end = word.find(|c: char| !c.is_ascii_alphanumeric());
    word[..end.unwrap_or(word.len())].to_uppercase()
}
