//! The house rules, checked on the text of `src/` and `crates/`: layers and imports go one way, and some crates belong to
//! one part of the program.

use std::collections::{BTreeMap, BTreeSet};

use crate::common::project::{Source, sources};

/// The layers of the calculator, and the layers and crates that each may use. The other crates name theirs in their
/// manifests.
const LAYERS: &[(&str, &str)] = &[
    (
        "study",
        "chainrule_formulas chainrule_session chainrule_engine chainrule_language chainrule_program chainrule_report chainrule_stop",
    ),
    (
        "command",
        "chainrule_session chainrule_engine chainrule_language chainrule_program chainrule_report chainrule_stop",
    ),
    (
        "search",
        "command chainrule_formulas chainrule_session chainrule_engine chainrule_language chainrule_program chainrule_report chainrule_stop",
    ),
    (
        "plotting",
        "command chainrule_session chainrule_engine chainrule_language chainrule_program chainrule_report chainrule_stop",
    ),
    (
        "features",
        "command plotting search chainrule_formulas chainrule_session study chainrule_engine chainrule_language chainrule_program chainrule_report chainrule_stop",
    ),
    (
        "commands",
        "command features plotting search chainrule_formulas chainrule_session study chainrule_engine chainrule_language chainrule_program chainrule_report chainrule_stop",
    ),
    (
        "interpret",
        "command commands chainrule_formulas chainrule_session chainrule_engine chainrule_language chainrule_program chainrule_report chainrule_stop",
    ),
    (
        "shell",
        "command commands interpret chainrule_session chainrule_engine chainrule_language chainrule_program chainrule_report chainrule_stop \
         chainrule_tables chainrule_view",
    ),
];

/// Crates that only one part of the program may use. Below the shell everything is a function of the session and a line
/// of text, so input and output of the standard library are only for the shell.
const ROOMS: &[(&str, &str)] = &[
    ("rustyline", "src/shell/prompt/"),
    ("colored", "crates/style/src/theme/"),
    (
        "pulldown_cmark",
        "crates/view/src/document/prose.rs crates/report/src/markdown.rs",
    ),
    ("csv", "crates/tables/src/"),
    (
        "anstyle_query clap rustix signal_hook terminal_size etcetera",
        "src/shell/",
    ),
    (
        "std::env std::fs std::io std::net std::os std::process std::thread std::time",
        "src/shell/ src/main.rs web/",
    ),
];

/// The path of a module or of something in it: `chainrule_engine`, `graph`, `plan`, `run`.
type Names = Vec<String>;

/// The violations of a rule.
type Found = Vec<String>;

impl Source {
    /// The path of its module: `chainrule_engine`, `graph`, `plan`, `run`.
    fn module(&self) -> Names {
        let (_, inner) = self.path.split_once("src/").unwrap_or(("", &self.path));
        let inner = inner.strip_suffix(".rs").unwrap_or(inner);
        let inner = inner.strip_suffix("/mod").unwrap_or(inner);
        let is_root = matches!(inner, "lib" | "main");
        let parts = inner.split('/').filter(|_| !is_root);
        let root = std::iter::once(self.root());
        root.chain(parts.map(str::to_string)).collect()
    }

    /// The path of its module among the entries of folders. The `mod.rs` of a folder is one of its entries.
    fn entry(&self) -> Names {
        let mut entry = self.module();
        let is_of_folder = ["/mod.rs", "/lib.rs"]
            .iter()
            .any(|it| self.path.ends_with(it));
        if is_of_folder && WITHOUT_CIRCLES.contains(&&*entry[0]) {
            entry.push("mod".to_string());
        }
        entry
    }

    /// The name of its crate in a path; `crate` for the calculator, whose modules are the layers.
    fn root(&self) -> String {
        let member = self.path.split_once("/src/").map(|(member, _)| member);
        member.map_or("crate".to_string(), |member| {
            let name = member.strip_prefix("crates/").unwrap_or(member);
            format!("chainrule_{}", name.replace('/', "_"))
        })
    }

    /// Its lines without comments, up to its tests.
    fn code(&self) -> String {
        let is_test = self.path.ends_with("/tests.rs") || self.path.contains("/tests/");
        let lines = self.text.lines().filter(|_| !is_test);
        let lines = lines.filter(|line| !line.trim_start().starts_with("//"));
        let mut code = lines.fold(String::new(), |code, line| code + line + "\n");
        code.truncate(code.find("#[cfg(test)]\nmod tests {").unwrap_or(code.len()));
        code
    }

    /// The items to which its code refers, each as a path from the root of the crate or from another crate, with the name
    /// under which it is exported.
    fn references(&self) -> Vec<(Names, Option<String>)> {
        let mut found = Vec::new();
        for part in self
            .code()
            .split_inclusive(['{', '}', ';'])
            .fold(Vec::<String>::new(), join_pieces)
        {
            let line = part.trim_start();
            let item = line
                .strip_prefix("pub(crate) ")
                .or(line.strip_prefix("pub(super) "));
            let item = item.or(line.strip_prefix("pub ")).unwrap_or(line);
            if let Some(tree) = item.strip_prefix("use ") {
                for leaf in leaves(tree.trim_end_matches(';')) {
                    let path = self.absolute(&leaf);
                    let name = path.last().cloned();
                    found.push((path, name.filter(|_| item != line)));
                }
            } else {
                let words = part.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == ':'));
                let paths = words
                    .map(|word| word.trim_matches(':'))
                    .filter(|word| word.contains("::"));
                found.extend(paths.map(|path| (self.absolute(path), None)));
            }
        }
        found
    }

    /// A path as seen from the root of the crate.
    fn absolute(&self, path: &str) -> Names {
        let mut parts = path.split("::").map(str::to_string).peekable();
        let mut place = match parts.peek().map(String::as_str) {
            Some("self" | "super") => self.module(),
            Some("crate") => vec![self.root()],
            _ => Names::new(),
        };
        while let Some(step) = parts.next_if(|part| matches!(&**part, "crate" | "self" | "super")) {
            if step == "super" {
                place.pop();
            }
        }
        place.extend(parts);
        place
    }
}

/// Puts the pieces of a `use` with braces together again.
fn join_pieces(mut items: Vec<String>, piece: &str) -> Vec<String> {
    match items.last_mut() {
        Some(last) if last.contains("use ") && !last.ends_with(';') => last.push_str(piece),
        _ => items.push(piece.to_string()),
    }
    items
}

/// The paths of a `use` tree: `a::{b,c::d}` has two.
fn leaves(tree: &str) -> Vec<String> {
    let tree = tree.trim();
    let Some((head, group)) = tree.split_once('{') else {
        return tree
            .split(" as ")
            .take(1)
            .map(|path| path.trim().to_string())
            .collect();
    };
    let group = group.strip_suffix('}').unwrap_or(group);
    let (mut found, mut depth, mut start) = (Vec::new(), 0, 0);
    for (at, c) in group.char_indices().chain([(group.len(), ',')]) {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                let inner = leaves(&group[start..at]).into_iter();
                found.extend(
                    inner
                        .filter(|leaf| !leaf.is_empty())
                        .map(|leaf| format!("{head}{leaf}")),
                );
                start = at + 1;
            }
            _ => {}
        }
    }
    found
}

fn layers(sources: &[Source]) -> Found {
    let allowed: BTreeMap<&str, &str> = LAYERS.iter().copied().collect();
    let mut found = Found::new();
    for source in sources {
        let module = source.module();
        let ("crate", Some(layer)) = (&*module[0], module.get(1)) else {
            continue;
        };
        let Some(may) = allowed.get(&**layer) else {
            found.push(format!(
                "{}: `{layer}` is in no layer of the table",
                source.path
            ));
            continue;
        };
        let used: BTreeSet<String> = source
            .references()
            .into_iter()
            .filter_map(|(path, _)| match &*path[0] {
                "crate" => path.get(1).cloned(),
                name => name.starts_with("chainrule_").then(|| name.to_string()),
            })
            .collect();
        let wrong = used.iter().filter(|used| {
            let is_allowed = *used == layer || may.split_whitespace().any(|may| may == *used);
            !is_allowed && (allowed.contains_key(&***used) || used.starts_with("chainrule_"))
        });
        found.extend(wrong.map(|used| format!("{}: {layer} may not use {used}", source.path)));
    }
    found
}

/// The features that use another one.
fn features(sources: &[Source]) -> Found {
    let feature = |path: &Names| {
        let is_feature = path.len() > 2 && path[..2] == ["crate", "features"];
        is_feature.then(|| path[2].clone())
    };
    let mut found = Found::new();
    for source in sources {
        let Some(own) = feature(&source.module()) else {
            continue;
        };
        let used = source.references().into_iter();
        let others = used.filter_map(|(path, _)| feature(&path).filter(|it| *it != own));
        found.extend(others.map(|it| format!("{}: {own} may not use {it}", source.path)));
    }
    found
}

fn rooms(sources: &[Source]) -> Found {
    let mut found = Found::new();
    for source in sources {
        let used: BTreeSet<String> = source
            .references()
            .into_iter()
            .map(|(path, _)| path.join("::"))
            .collect();
        for (crates, rooms) in ROOMS {
            let is_at_home = rooms.split(' ').any(|room| source.path.starts_with(room));
            let wrong = crates.split(' ').filter(|name| {
                let inner = format!("{name}::");
                !is_at_home
                    && used
                        .iter()
                        .any(|path| path == name || path.starts_with(&inner))
            });
            found.extend(wrong.map(|name| format!("{}: {name} is only for {rooms}", source.path)));
        }
    }
    found
}

/// The crates in which the `mod.rs` of a folder counts as one of its entries. In the others, the imports between a `mod.rs` and
/// its entries may form circles.
const WITHOUT_CIRCLES: [&str; 3] = [
    "chainrule_formulas",
    "chainrule_program",
    "chainrule_session",
];

/// The imports between the entries of a folder that form a circle, or lead to one.
fn circles(sources: &[Source]) -> Found {
    let modules: BTreeMap<Names, Names> = (sources.iter())
        .map(|source| (source.module(), source.entry()))
        .collect();
    let references: Vec<(Names, Names, Option<String>)> = (sources.iter())
        .flat_map(|source| {
            source
                .references()
                .into_iter()
                .map(|(path, name)| (source.module(), path, name))
        })
        .collect();
    let offered: BTreeMap<Names, &Names> = (references.iter())
        .filter_map(|(from, path, name)| Some(([from.as_slice(), &[name.clone()?]].concat(), path)))
        .collect();
    // The module that defines the item of a path, followed through re-exports.
    let defined = |path: &Names| {
        let mut path = path.clone();
        for _ in 0..10 {
            let through = offered.get(&path).filter(|further| ***further != path);
            path = through.map_or(path, |further| (*further).clone());
        }
        (0..=path.len())
            .rev()
            .map(|length| path[..length].to_vec())
            .find_map(|path| modules.get(&path))
    };
    let mut folders: BTreeMap<Names, BTreeMap<(String, String), String>> = BTreeMap::new();
    for (module, path, name) in &references {
        let (from, Some(to)) = (&modules[module], defined(path)) else {
            continue;
        };
        // A `mod.rs` may hand on what its entries define.
        if module != from && name.is_some() {
            continue;
        }
        let shared = from
            .iter()
            .zip(to)
            .take_while(|(one, other)| one == other)
            .count();
        if shared < from.len().min(to.len()) {
            let folder = folders.entry(from[..shared].to_vec()).or_default();
            let said = format!("{} uses {}", from.join("::"), path.join("::"));
            folder.insert((from[shared].clone(), to[shared].clone()), said);
        }
    }
    let mut found = Found::new();
    for mut arrows in folders.into_values() {
        // An entry that uses no other, or that no other uses, is in no circle.
        loop {
            let before = arrows.len();
            let users: BTreeSet<String> = arrows.keys().map(|(from, _)| from.clone()).collect();
            let used: BTreeSet<String> = arrows.keys().map(|(_, to)| to.clone()).collect();
            arrows.retain(|(from, to), _| users.contains(to) && used.contains(from));
            if arrows.len() == before {
                break;
            }
        }
        found.extend(arrows.into_values());
    }
    found
}

#[test]
fn the_rules_are_kept() {
    let sources = sources();
    let rules = [layers, features, rooms, circles];
    let found: Found = rules.iter().flat_map(|rule| rule(&sources)).collect();
    assert!(found.is_empty(), "\n{}\n", found.join("\n"));
}

#[test]
fn violations_are_found() {
    let source = |path: &str, text: &str| Source {
        path: path.to_string(),
        text: text.to_string(),
    };
    let house = [
        source(
            "crates/engine/src/lib.rs",
            "//! A\n//! b.\nmod b;\nmod c;\npub use self::c::Three;\n",
        ),
        source(
            "crates/engine/src/b.rs",
            "use super::Three;\nuse std::{fs, rc::Rc};\npub struct One;\n",
        ),
        source(
            "crates/engine/src/c.rs",
            "pub fn made() -> crate::b::One { csv::read() }\npub struct Three;\n",
        ),
        source(
            "crates/session/src/lib.rs",
            "mod b;\nuse self::b::One;\npub struct Two;\npub use self::b::Three;\n",
        ),
        source(
            "crates/session/src/b.rs",
            "use crate::Two;\npub struct One;\npub struct Three;\n",
        ),
        source(
            "src/study/mod.rs",
            "use chainrule_report::{Note, say};\nuse chainrule_view::{self, theme::{Role}};\nuse crate::{commands::{self, Host}, session};\n",
        ),
        source(
            "src/features/one/mod.rs",
            "mod more;\nuse self::more::all;\nuse crate::features::two::COMMAND;\n",
        ),
    ];
    let lines = |rule: fn(&[Source]) -> Found| rule(&house).join("; ");
    assert_eq!(
        lines(layers),
        "src/study/mod.rs: study may not use chainrule_view; src/study/mod.rs: study may not use commands"
    );
    assert_eq!(
        lines(features),
        "src/features/one/mod.rs: one may not use two"
    );
    assert_eq!(
        lines(rooms),
        "crates/engine/src/b.rs: std::fs is only for src/shell/ src/main.rs web/; crates/engine/src/c.rs: csv is only for crates/tables/src/"
    );
    assert_eq!(
        lines(circles),
        "chainrule_engine::b uses chainrule_engine::Three; chainrule_engine::c uses chainrule_engine::b::One; \
         chainrule_session::b uses chainrule_session::Two; chainrule_session::mod uses chainrule_session::b::One"
    );
}
