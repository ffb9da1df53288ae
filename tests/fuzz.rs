//! The checks of the fuzz targets without a fuzzer, on the seeds and on all inputs that fuzzing has found.
//!
//! Seeds and dictionary are generated from the code's own lists; `UPDATE=1 cargo test fuzz::` writes both into `fuzz/`.
//! The dictionary is under version control and compared. `fuzz/Cargo.toml` says how to fuzz.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;

use crate::common::Random;
use crate::common::project::{at, hold};
use crate::records::{Group, Record};
use crate::worked_examples::{cases, script};
use chainrule::commands::COMMANDS;
use chainrule_engine::ops;
use chainrule_engine::ops::{CONSTANTS, TABLE};
use chainrule_language::precedence::OPERATORS;
use chainrule_program::functions::LIBRARY;

/// The files of a folder, by name.
fn files(folder: &str) -> BTreeMap<String, String> {
    let entries = fs::read_dir(at(folder)).expect("the folder is there");
    let read = |path: PathBuf| {
        let name = path.file_name()?.to_string_lossy().into_owned();
        // A finding may contain any bytes; the fuzz targets decode it in the same way.
        let bytes = fs::read(path).ok()?;
        Some((name, String::from_utf8_lossy(&bytes).into_owned()))
    };
    entries
        .filter_map(|entry| read(entry.expect("it can be listed").path()))
        .collect()
}

/// The seeds: scripts of the test cases, examples of the commands, and the example of each operation.
fn seeds() -> BTreeMap<String, String> {
    let mut seeds = BTreeMap::new();
    for (name, text) in files("examples") {
        seeds.insert(format!("example-{name}"), text);
    }
    for Group { title, parts } in Record::read("json").groups {
        let lines = parts.iter().flat_map(|part| &part.lines);
        let script: String = lines.map(|line| format!("{}\n", line.text)).collect();
        seeds.insert(format!("case-{}.calc", title.replace(' ', "-")), script);
    }
    for case in cases() {
        let name = case["name"].as_str().expect("a case has a name");
        seeds.insert(format!("case-{name}.calc"), script(&case).join("\n") + "\n");
    }
    for command in COMMANDS {
        let typed: String = command
            .example()
            .lines()
            .filter_map(|line| line.strip_prefix("∂> "))
            .map(|line| format!("{line}\n"))
            .collect();
        seeds.insert(format!("command-{}.calc", command.name), typed);
    }
    let mut operations = String::from("x, y, z = 0.5, 2, 3\n");
    for op in &TABLE {
        let _ = writeln!(operations, "{}", op.example);
    }
    seeds.insert("operations.calc".to_string(), operations);
    seeds
}

/// Writes the seeds for a fuzzer; they are not under version control.
#[test]
fn seeds_are_written_when_asked_for() {
    if std::env::var_os("UPDATE").is_some() {
        let folder = at("fuzz/seeds");
        fs::create_dir_all(&folder).expect("a folder for the seeds");
        for (name, text) in seeds() {
            fs::write(folder.join(name), text).expect("a seed can be written");
        }
    }
}

/// Fragments that have a meaning only together with others, and special numbers and characters.
const BESIDE: &[&str] = &[
    "\n",
    "\\\n",
    "#",
    "a = ",
    "a, b = ",
    "f(x) = ",
    "f(x, y) = ",
    "a@1",
    "@1",
    "$1",
    "f'(",
    "tanh'(",
    "grad(",
    "grad(f(x, y), x)",
    "a.data",
    "a.grad",
    "a.set(",
    "x=-1..1",
    "1e308",
    "1e-320",
    "5e-324",
    "1e999",
    "0x1F",
    "0b101",
    "1_000",
    "-0",
    "1/0",
    "0/0",
    "²",
    "⁻¹",
    "₁",
    "é",
    "e\u{301}",
    "π",
    "\u{a0}",
    "\u{7}",
    "\u{1b}[31m",
    "\u{202e}",
    "\u{200b}",
    "\u{feff}",
    "\"",
    "'",
    "_",
];

/// The dictionary: the literals of the grammar, operators, functions, constants, commands and their keywords.
fn dictionary() -> String {
    let mut words: BTreeSet<String> = BESIDE.iter().map(ToString::to_string).collect();
    for operator in &OPERATORS {
        words.insert(operator.spelling.to_string());
        words.extend(operator.aliases.iter().map(ToString::to_string));
    }
    let library = LIBRARY.iter().map(|function| function.name);
    for name in ops::function_names().chain(library) {
        words.insert(format!("{name}("));
        words.insert(format!(".{name}()"));
    }
    words.extend(CONSTANTS.iter().map(|(name, ..)| (*name).to_string()));
    for command in COMMANDS {
        for word in std::iter::once(&command.name).chain(command.aliases) {
            words.insert(format!(":{word} "));
        }
        for argument in command.arguments {
            words.extend(argument.keyword.map(|keyword| format!(" {keyword} ")));
        }
    }
    let grammar = [
        "grammar/calculator.pest",
        "grammar/python.pest",
        "grammar/arguments.pest",
    ]
    .map(|path| fs::read_to_string(at(path)).expect("the grammar"));
    for line in grammar.iter().flat_map(|rules| rules.lines()) {
        let rule = line.split("//").next().unwrap_or_default();
        // Every second part is between quotes. Literals with an escape are in [`BESIDE`].
        let literals = rule.split('"').skip(1).step_by(2);
        words.extend(
            literals
                .filter(|literal| !literal.is_empty() && !literal.contains('\\'))
                .map(ToString::to_string),
        );
    }
    let mut out = String::from(
        "# Words of the language for a fuzzer; made by `UPDATE=1 cargo test fuzz::`.\n",
    );
    for word in words {
        out.push('"');
        for byte in word.bytes() {
            match byte {
                b'"' | b'\\' => {
                    out.push('\\');
                    out.push(char::from(byte));
                }
                b' '..=b'~' => out.push(char::from(byte)),
                _ => {
                    let _ = write!(out, "\\x{byte:02X}");
                }
            }
        }
        out.push_str("\"\n");
    }
    out
}

#[test]
fn the_dictionary_has_the_words_of_the_language() {
    hold("fuzz/calculator.dict", &dictionary());
}

#[test]
fn seeds_and_finds_hold() {
    for (name, text) in seeds().into_iter().chain(files("fuzz/finds")) {
        let checked = std::panic::catch_unwind(|| {
            crate::common::invariants::parse(&text);
            crate::common::invariants::session(&text);
            crate::common::invariants::save_load(&text);
        });
        assert!(checked.is_ok(), "{name}:\n{text}");
    }
}

/// A small fuzzer: lines of seeds, cut and combined with words of the dictionary, always in the same way.
#[test]
fn seeds_that_were_cut_and_joined_hold() {
    let mut random = Random(7);
    let lines: Vec<String> = seeds()
        .values()
        .flat_map(|text| text.lines().map(ToString::to_string).collect::<Vec<_>>())
        .collect();
    for _ in 0..400 {
        let mut text = String::new();
        for _ in 0..=random.below(12) {
            let line = &lines[random.below(lines.len())];
            let cut = line.floor_char_boundary(random.below(line.len() + 1));
            match random.below(4) {
                0 => text.push_str(&line[cut..]),
                1 => text.push_str(&line[..cut]),
                _ => text.push_str(line),
            }
            if random.below(4) == 0 {
                text.push_str(BESIDE[random.below(BESIDE.len())]);
            } else {
                text.push('\n');
            }
        }
        let checked = std::panic::catch_unwind(|| {
            crate::common::invariants::parse(&text);
            crate::common::invariants::session(&text);
            crate::common::invariants::save_load(&text);
        });
        assert!(checked.is_ok(), "{text}");
    }
}
