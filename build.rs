//! Makes the signatures of commands from the heads of their pages in `docs/commands/`, so that code asks for
//! `step::RATE`, and a misspelt name does not compile. `src/commands/signatures.rs` includes them.
//!
//! ```text
//! # `:step`: gradient descent on the free leaves, one step or N
//! <!-- change | :step 0.01 | one step downhill -->
//!
//! `:step` moves each free leaf by -RATE times its grad, and then runs a fresh pass.
//!
//! - `RATE` (number): the rate: a leaf moves by -RATE times its grad
//! - `[momentum M]` (number, late): from 0 to 1: each step adds M times the step before it
//! - `[adam]` (late, not with `momentum`): steps of `torch.optim.Adam`
//! ```
//!
//! The heading has the names and a description. The line below it has the group, `read-only` if the command changes
//! nothing, and the entry on the first screen of `:help`. The first paragraph says what the command does. Each item is an
//! argument: its usage, in brackets if it may be left out; its kind and its conditions; its meaning, which names the
//! endings of files: `.svg .png`. A word in lower case before its name is its keyword. An argument
//! without a kind is only a keyword. In code and in conditions it is called by its keyword, or else by the first word of
//! its name.

// This is how a build script talks to cargo.
#![allow(clippy::print_stdout)]

use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() {
    println!("cargo::rerun-if-changed=docs/commands");
    let folder = fs::read_dir("docs/commands").expect("the pages of commands are there");
    let pages = folder.flatten().map(|entry| entry.path());
    // The list of all commands is no command.
    let mut pages: Vec<PathBuf> = pages.filter(|page| !page.ends_with("README.md")).collect();
    pages.sort();
    let module = |page: &PathBuf| {
        let text = fs::read_to_string(page).expect("a page can be read");
        let read = module_of(&text);
        read.unwrap_or_else(|| panic!("{} begins otherwise than build.rs says", page.display()))
    };
    let modules: String = pages.iter().map(module).collect();
    let folder = env::var_os("OUT_DIR").expect("cargo says where to write");
    let written = fs::write(Path::new(&folder).join("signatures.rs"), modules);
    written.expect("cargo's folder can be written");
}

/// The module of a page; none if it begins otherwise.
fn module_of(page: &str) -> Option<String> {
    let (heading, rest) = page.split_once('\n')?;
    let (names, summary) = heading.strip_prefix("# `:")?.split_once("`: ")?;
    let mut names = names.split("` `:");
    let name = names.next()?;
    let aliases: Vec<&str> = names.collect();
    let (mark, below) = rest.strip_prefix("<!-- ")?.split_once(" -->\n\n")?;
    let ordered = arguments_first(below)?;
    let rest = ordered.as_str();
    let (group, entry) = mark.split_once(" | ")?;
    let entry = entry.split_once(" | ")?;
    let read_only = group.strip_suffix(", read-only");
    let (group, is_read_only) = (read_only.unwrap_or(group), read_only.is_some());
    let (items, text) = match rest.strip_prefix("- ") {
        Some(rest) => rest.split_once("\n\n")?,
        None => ("", rest),
    };
    let items = items.split("\n- ").filter(|item| !item.is_empty());
    let arguments: Vec<(String, String)> = items.map(argument_of).collect::<Option<_>>()?;
    let constant = |(name, value): &(String, String)| {
        format!("    pub(crate) const {name}: &super::Argument = &super::Argument {{ {value} }};\n")
    };
    let constants: String = arguments.iter().map(constant).collect();
    let arguments: Vec<String> = arguments.into_iter().map(|(name, _)| name).collect();
    let arguments = arguments.join(", ");
    Some(format!(
        "pub(crate) mod {name} {{\n{constants}    pub(crate) const SIGNATURE: &super::Signature = &super::Signature {{ \
         name: {name:?}, aliases: &{aliases:?}, summary: {summary:?}, group: {group:?}, is_read_only: {is_read_only}, entry: {entry:?}, \
         arguments: &[{arguments}], text: {text:?} }};\n}}\n"
    ))
}

/// The page with its arguments before its first paragraph, which is the order of `:help`.
fn arguments_first(page: &str) -> Option<String> {
    let (opening, rest) = page.split_once("\n\n")?;
    if !rest.starts_with("- ") {
        return Some(page.to_owned());
    }
    let (items, text) = rest.split_once("\n\n")?;
    Some(format!("{items}\n\n{opening}\n\n{text}"))
}

/// The constant of an argument, and its fields.
fn argument_of(item: &str) -> Option<(String, String)> {
    let (usage, rest) = item.strip_prefix('`')?.split_once('`')?;
    let (conditions, meaning) = match rest.strip_prefix(" (") {
        Some(rest) => rest.split_once("): ")?,
        None => ("", rest.strip_prefix(": ")?),
    };
    let (mut kind, mut must_follow_operand, mut nodes, mut sign) =
        ("Flag".to_owned(), false, "Any", ' ');
    let (mut needs, mut excludes) = ("None".to_owned(), Vec::new());
    for condition in conditions.split(", ").filter(|it| !it.is_empty()) {
        match condition.trim_end_matches('`').split_once(" `") {
            Some(("needs", other)) => needs = format!("Some({})", constant_name(other)),
            Some(("not with", other)) => excludes.push(constant_name(other)),
            _ => match condition {
                "late" => must_follow_operand = true,
                "varying" => nodes = "Varying",
                "leaf" => nodes = "Leaf",
                "keyword" => sign = '=',
                // rustc knows the kinds.
                other => kind = other[..1].to_uppercase() + &other[1..],
            },
        }
    }
    let optional = usage.strip_prefix('[').and_then(|it| it.strip_suffix(']'));
    let (whole, is_required) = (optional.unwrap_or(usage), optional.is_none());
    let is_keyword = |word: &str| word.starts_with(char::is_lowercase);
    let (keyword, name) = match whole.split_once(sign) {
        _ if kind == "Flag" => (Some(whole), whole),
        Some((keyword, name)) if is_keyword(keyword) => (Some(keyword), name),
        _ => (None, whole),
    };
    // `NODE…` are several nodes; `LEAF, …` is an ellipsis that stays.
    let name = match name.strip_suffix('…') {
        Some(one) if matches!(&*kind, "Nodes" | "Names") && !one.ends_with(' ') => one,
        _ => name,
    };
    let endings = meaning.split(['`', ' ']);
    let endings = endings.filter_map(|word| word.strip_prefix('.').filter(|_| kind == "File"));
    let endings: Vec<&str> = endings.collect();
    let (constant, excludes) = (constant_name(keyword.unwrap_or(name)), excludes.join(", "));
    let value = format!(
        "usage: {usage:?}, name: {name:?}, kind: super::ArgumentKind::{kind}, keyword: {keyword:?}, is_required: {is_required}, \
         meaning: {meaning:?}, must_follow_operand: {must_follow_operand}, needs: {needs}, excludes: &[{excludes}], endings: &{endings:?}, condition: super::NodeCondition::{nodes}"
    );
    Some((constant, value))
}

/// What an argument is called in code: `RATE`, `MOMENTUM`.
fn constant_name(word: &str) -> String {
    let end = word.find(|c: char| !c.is_ascii_alphanumeric());
    word[..end.unwrap_or(word.len())].to_uppercase()
}
