//! Makes the signatures of commands from the heads of their pages in `docs/commands/`, so that code asks for
//! `step::RATE`, and a misspelt name does not compile. `src/commands/signatures.rs` includes them.
//!
//! ```text
//! # `:step`: gradient descent on the free leaves, one step or N
//! <!-- change | :step 0.01 | one step downhill -->
//!
//! - `RATE` (number): the rate: a leaf moves by -RATE times its grad
//! - `[momentum M]` (number, late): from 0 to 1: each step goes on with that share of the way before
//! - `[adam]` (late, not with `M`): steps as `torch.optim.Adam` makes them
//! ```
//!
//! The heading has the names and a description. The line below it has the group, `read-only` if the command changes
//! nothing, and the entry on the first screen of `:help`. Each item is an argument: its usage, in brackets if it may be
//! left out; its kind and its conditions; its meaning. A word in lower case before its name is its keyword. An argument
//! without a kind is only a keyword. In code it is called by its keyword, or else by the first word of its name.

// This is how a build script talks to cargo.
#![allow(clippy::print_stdout)]

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() {
    println!("cargo::rerun-if-changed=docs/commands");
    let folder = fs::read_dir("docs/commands").expect("the pages of commands are there");
    let mut pages: Vec<PathBuf> = folder.flatten().map(|entry| entry.path()).collect();
    pages.sort();
    let modules: String = pages.iter().map(|page| module_of(page)).collect();
    let folder = env::var_os("OUT_DIR").expect("cargo says where to write");
    fs::write(Path::new(&folder).join("signatures.rs"), modules)
        .expect("cargo's folder can be written");
}

/// The module of a page.
fn module_of(page: &Path) -> String {
    let text = fs::read_to_string(page).expect("a page can be read");
    let signature = Signature::read(&text);
    let signature = signature.filter(|it| page.file_stem().is_some_and(|stem| stem == it.names[0]));
    let module = signature.and_then(|signature| signature.module());
    module.unwrap_or_else(|| panic!("{} begins otherwise than build.rs says", page.display()))
}

/// The head of a page.
struct Signature<'p> {
    /// Its name, and other names for it.
    names: Vec<&'p str>,
    summary: &'p str,
    group: &'p str,
    looks: bool,
    entry: (&'p str, &'p str),
    arguments: Vec<Argument<'p>>,
    /// The page below the head.
    text: &'p str,
}

/// An item of the head.
struct Argument<'p> {
    usage: &'p str,
    /// The words in brackets after the usage.
    conditions: Vec<&'p str>,
    meaning: &'p str,
    name: &'p str,
    keyword: Option<&'p str>,
    needed: bool,
}

impl<'p> Signature<'p> {
    fn read(page: &'p str) -> Option<Signature<'p>> {
        let (heading, rest) = page.split_once('\n')?;
        let (names, summary) = heading.strip_prefix("# `:")?.split_once("`: ")?;
        let (mark, rest) = rest.strip_prefix("<!-- ")?.split_once(" -->\n\n")?;
        let (group, entry) = mark.split_once(" | ")?;
        let read_only = group.strip_suffix(", read-only");
        let (items, text) = match rest.strip_prefix("- ") {
            Some(rest) => rest.split_once("\n\n")?,
            None => ("", rest),
        };
        let items = items.split("\n- ").filter(|item| !item.is_empty());
        Some(Signature {
            names: names.split("` `:").collect(),
            summary,
            group: read_only.unwrap_or(group),
            looks: read_only.is_some(),
            entry: entry.split_once(" | ")?,
            arguments: items.map(Argument::read).collect::<Option<_>>()?,
            text,
        })
    }

    /// The module with its constants.
    fn module(&self) -> Option<String> {
        let (name, aliases) = self.names.split_first()?;
        let mut module = format!("pub(crate) mod {name} {{\n");
        for argument in &self.arguments {
            let value = self.argument(argument)?;
            let _ = writeln!(
                module,
                "    pub(crate) const {}: &super::Argument = &{value};",
                argument.constant()
            );
        }
        let arguments: Vec<String> = self.arguments.iter().map(Argument::constant).collect();
        let Signature {
            summary,
            group,
            looks,
            entry,
            text,
            ..
        } = self;
        let _ = writeln!(
            module,
            "    pub(crate) const SIGNATURE: &super::Signature = &super::Signature {{ name: {name:?}, aliases: &{aliases:?}, \
             summary: {summary:?}, group: {group:?}, looks: {looks}, entry: {entry:?}, arguments: &[{}], text: {text:?} }};\n}}",
            arguments.join(", ")
        );
        Some(module)
    }

    /// An argument as Rust writes it.
    fn argument(&self, argument: &Argument) -> Option<String> {
        let (mut kind, mut late, mut nodes) = ("Flag".to_owned(), false, "Any");
        let (mut needs, mut apart) = ("None".to_owned(), Vec::new());
        for condition in &argument.conditions {
            match condition.trim_end_matches('`').split_once(" `") {
                Some(("needs", name)) => needs = format!("Some({})", self.constant(name)?),
                Some(("not with", name)) => apart.push(self.constant(name)?),
                _ => match *condition {
                    "late" => late = true,
                    "varying" => nodes = "Varying",
                    "leaf" => nodes = "Leaf",
                    "keyword" => {}
                    // rustc knows the kinds.
                    other => kind = other[..1].to_uppercase() + &other[1..],
                },
            }
        }
        let Argument {
            usage,
            meaning,
            name,
            keyword,
            needed,
            ..
        } = argument;
        Some(format!(
            "super::Argument {{ usage: {usage:?}, name: {name:?}, kind: super::ArgumentKind::{kind}, keyword: {keyword:?}, \
             needed: {needed}, meaning: {meaning:?}, late: {late}, needs: {needs}, apart: &[{}], must: super::NodeCondition::{nodes} }}",
            apart.join(", ")
        ))
    }

    /// The constant of the argument with this name.
    fn constant(&self, name: &str) -> Option<String> {
        let found = self.arguments.iter().find(|it| it.name == name);
        found.map(Argument::constant)
    }
}

impl<'p> Argument<'p> {
    fn read(item: &'p str) -> Option<Argument<'p>> {
        let (usage, rest) = item.strip_prefix('`')?.split_once('`')?;
        let (conditions, meaning) = match rest.strip_prefix(" (") {
            Some(rest) => rest.split_once("): ")?,
            None => ("", rest.strip_prefix(": ")?),
        };
        let conditions: Vec<&str> = conditions.split(", ").filter(|it| !it.is_empty()).collect();
        let has = |word| conditions.contains(&word);
        let optional = usage.strip_prefix('[').and_then(|it| it.strip_suffix(']'));
        let whole = optional.unwrap_or(usage);
        let sign = if has("keyword") { '=' } else { ' ' };
        let both = whole.split_once(sign);
        let both = both.filter(|(keyword, _)| keyword.starts_with(char::is_lowercase));
        let (keyword, name) = match both {
            Some((keyword, name)) => (Some(keyword), name),
            None if whole.starts_with(char::is_lowercase) && !whole.contains('=') => {
                (Some(whole), whole)
            }
            None => (None, whole),
        };
        let listed = name.strip_suffix('…').filter(|name| !name.ends_with(' '));
        Some(Argument {
            usage,
            meaning,
            name: listed
                .filter(|_| has("nodes") || has("names"))
                .unwrap_or(name),
            keyword,
            needed: optional.is_none(),
            conditions,
        })
    }

    /// What it is called in code: `RATE`, `MOMENTUM`.
    fn constant(&self) -> String {
        let word = self.keyword.unwrap_or(self.name);
        let end = word.find(|c: char| !c.is_ascii_alphanumeric());
        word[..end.unwrap_or(word.len())].to_uppercase()
    }
}
