//! The structure of `src/`: imports that do not form circles, and type names that occur in one layer only.

use std::collections::{BTreeMap, BTreeSet};

use crate::tidy::{Found, Source, assert_clean, files, joined, words};

/// The path of a module: `graph::plan::run`.
type Path = Vec<String>;

/// The files of `src/` except those only for tests, by module.
struct Modules {
    sources: BTreeMap<Path, Source>,
    /// What each module re-exports by `pub use`, and the original path.
    offered: BTreeMap<Path, Path>,
    /// The paths that each module refers to, in `use` items and in code.
    named: BTreeMap<Path, Vec<Path>>,
}

fn module(path: &str) -> Path {
    let inner = path.strip_prefix("src/").unwrap_or(path);
    let inner = inner.strip_suffix(".rs").unwrap_or(inner);
    let inner = inner.strip_suffix("/mod").unwrap_or(inner);
    inner.split('/').map(str::to_string).collect()
}

/// The paths of a `use` tree: `a::{b, c::d}` has two.
fn leaves(tree: &str) -> Vec<String> {
    let tree = tree.trim();
    let Some((head, group)) = tree.split_once('{') else {
        return vec![tree.to_string()];
    };
    let group = group.trim_end().strip_suffix('}').unwrap_or(group);
    let mut found = Vec::new();
    let (mut depth, mut start) = (0, 0);
    for (at, c) in group.char_indices().chain([(group.len(), ',')]) {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                let inner = group[start..at].trim();
                if !inner.is_empty() {
                    found.extend(leaves(inner).iter().map(|leaf| format!("{head}{leaf}")));
                }
                start = at + 1;
            }
            _ => {}
        }
    }
    found
}

impl Modules {
    fn of(sources: Vec<Source>) -> Modules {
        let mut modules = Modules {
            sources: BTreeMap::new(),
            offered: BTreeMap::new(),
            named: BTreeMap::new(),
        };
        let only_for_tests = |source: &Source| source.path.contains("/tests");
        for source in sources {
            let inside = source.layer().is_some() && !only_for_tests(&source);
            if inside {
                modules.sources.insert(module(&source.path), source);
            }
        }
        for (from, source) in &modules.sources {
            let (text, _) = joined(source);
            let mut rest = String::new();
            for item in text.split_inclusive(';') {
                let Some(at) = words(item, "use").next() else {
                    rest.push_str(item);
                    continue;
                };
                let offers = item[..at].trim_end().ends_with(['b', ')']);
                rest.push_str(&item[..at]);
                let tree = item[at + "use".len()..].trim_end_matches(';');
                for leaf in leaves(&tree.split_whitespace().collect::<Vec<_>>().join(" ")) {
                    let (leaf, name) = leaf.split_once(" as ").unwrap_or((&leaf, ""));
                    let Some(path) = modules.absolute(from, leaf) else {
                        continue;
                    };
                    let own = if name.is_empty() {
                        path.last().cloned()
                    } else {
                        Some(name.to_string())
                    };
                    if offers {
                        let place = from.iter().cloned().chain(own).collect();
                        modules.offered.insert(place, path);
                    } else {
                        modules.named.entry(from.clone()).or_default().push(path);
                    }
                }
            }
            for head in ["crate", "super", "self"] {
                for at in words(&rest, head) {
                    let end = rest[at..]
                        .find(|c: char| !(c.is_alphanumeric() || c == '_' || c == ':'))
                        .map_or(rest.len(), |length| at + length);
                    let path = rest[at..end].trim_end_matches(':');
                    let goes_on = at > 0 && rest[..at].ends_with(':');
                    if path.contains("::") && !goes_on {
                        let path = modules.absolute(from, path);
                        modules.named.entry(from.clone()).or_default().extend(path);
                    }
                }
            }
        }
        modules
    }

    /// A path from the root of the crate; `None` if it belongs to another crate.
    fn absolute(&self, from: &Path, path: &str) -> Option<Path> {
        let mut parts = path.split("::").peekable();
        let mut place = match *parts.peek()? {
            "crate" => {
                parts.next();
                Path::new()
            }
            "self" => {
                parts.next();
                from.clone()
            }
            "super" => from.clone(),
            child => {
                let inner: Path = from.iter().cloned().chain([child.to_string()]).collect();
                self.sources.contains_key(&inner).then(|| from.clone())?
            }
        };
        while parts.next_if_eq(&"super").is_some() {
            place.pop();
        }
        place.extend(parts.map(str::to_string));
        Some(place)
    }

    /// The file that defines a path, found through re-exports.
    fn file(&self, path: &[String]) -> Option<&Path> {
        let mut path = path.to_vec();
        for _ in 0..10 {
            let through = (1..=path.len()).rev().find_map(|length| {
                let offered = self.offered.get(&path[..length])?;
                // A module may re-export its only function under its own name.
                let itself = offered.starts_with(&path[..length]);
                (!itself).then(|| [offered, &path[length..]].concat())
            });
            match through {
                Some(further) => path = further,
                None => break,
            }
        }

        (1..=path.len()).rev().find_map(|length| {
            let found = self.sources.get_key_value(&path[..length]);
            found.map(|(path, _)| path)
        })
    }

    /// The dependencies between the entries of each folder, each with an example. Dependencies between a folder's
    /// `mod.rs` and its entries do not count, because they belong together.
    fn arrows(&self) -> BTreeMap<Path, BTreeMap<(String, String), String>> {
        let mut arrows: BTreeMap<Path, BTreeMap<(String, String), String>> = BTreeMap::new();
        for (from, named) in &self.named {
            for path in named {
                let Some(to) = self.file(path) else { continue };
                let shared = from.iter().zip(to).take_while(|(one, other)| one == other);
                let shared = shared.count();
                if shared < from.len().min(to.len()) {
                    let said = format!("{} uses {}", from.join("::"), path.join("::"));
                    let arrow = (from[shared].clone(), to[shared].clone());
                    let folder = arrows.entry(from[..shared].to_vec()).or_default();
                    folder.entry(arrow).or_insert(said);
                }
            }
        }
        arrows
    }
}

/// The dependencies that remain after repeatedly removing those on entries that depend on nothing else: the
/// dependencies in circles, and those that lead to circles.
fn circular(arrows: &BTreeMap<(String, String), String>) -> Vec<String> {
    let mut left: Vec<_> = arrows.iter().collect();
    loop {
        let before = left.len();
        let users: BTreeSet<&String> = left.iter().map(|((from, _), _)| from).collect();
        left.retain(|((_, to), _)| users.contains(to));
        let used: BTreeSet<&String> = left.iter().map(|((_, to), _)| to).collect();
        left.retain(|((from, _), _)| used.contains(from));
        if left.len() == before {
            return left.into_iter().map(|(_, said)| said.clone()).collect();
        }
    }
}

fn circles(sources: Vec<Source>) -> Found {
    let arrows = Modules::of(sources).arrows();
    let folders = arrows.iter().map(|(folder, arrows)| {
        let found = circular(arrows);
        let place = ["src"].into_iter().chain(folder.iter().map(String::as_str));
        let place: Vec<&str> = place.collect();
        let said = format!(
            "{}: its entries import one another in a circle:\n  {}",
            place.join("/"),
            found.join("\n  ")
        );
        (!found.is_empty()).then_some(said)
    });
    folders.flatten().collect()
}

fn shared_names(sources: Vec<Source>) -> Found {
    let mut declared: BTreeMap<String, BTreeMap<String, String>> = BTreeMap::new();
    for source in Modules::of(sources).sources.values() {
        for (number, line) in source.code() {
            // An indented line belongs to another item.
            if line.starts_with(' ') {
                continue;
            }
            let line = line.strip_prefix("pub").unwrap_or(&line);
            let line = line.strip_prefix("(crate)").unwrap_or(line);
            let line = line.strip_prefix("(super)").unwrap_or(line).trim_start();
            let mut words = line.split(|c: char| !(c.is_alphanumeric() || c == '_'));
            let kind = words.next().unwrap_or_default();
            if let ("struct" | "enum" | "trait" | "type", Some(name)) = (kind, words.next()) {
                let layer = source.layer().unwrap_or_default().to_string();
                let place = format!("{}:{number}", source.path);
                let layers = declared.entry(name.to_string()).or_default();
                layers.insert(layer, place);
            }
        }
    }
    let several = declared.into_iter().filter(|(_, layers)| layers.len() > 1);
    let said = several.map(|(name, layers)| {
        let places: Vec<String> = layers.into_values().collect();
        format!(
            "`{name}` is a type in several layers: {}",
            places.join(", ")
        )
    });
    said.collect()
}

#[test]
fn imports_go_one_way() {
    assert_clean(&circles(files("src", ".rs")));
}

#[test]
fn a_type_has_its_name_in_one_layer() {
    assert_clean(&shared_names(files("src", ".rs")));
}

#[test]
fn violations_are_found() {
    let source = |path: &str, text: &str| Source {
        path: path.to_string(),
        text: text.to_string(),
    };
    let circle = [
        source(
            "src/a/mod.rs",
            "mod b;\nmod c;\nmod d;\npub use self::c::Three;\n",
        ),
        source("src/a/b.rs", "use super::Three;\npub struct One;\n"),
        source(
            "src/a/c.rs",
            "pub fn two() -> crate::a::d::Four { todo!() }\npub struct Three;\n",
        ),
        source("src/a/d.rs", "pub struct Four(super::b::One);\n"),
    ];
    let found = circles(circle.into());
    assert_eq!(
        found,
        [
            "src/a: its entries import one another in a circle:\n  a::b uses a::Three\n  \
          a::c uses a::d::Four\n  a::d uses a::b::One"
        ]
    );
    let straight = [
        source("src/a/mod.rs", "mod b;\nmod c;\npub use self::c::Three;\n"),
        source(
            "src/a/b.rs",
            "use super::c;\nuse super::{Three, c::{Five as Six}};\n",
        ),
        source(
            "src/a/c.rs",
            "pub struct Three;\n#[cfg(test)]\nmod tests {\n    use crate::a::b;\n}\n",
        ),
    ];
    assert_eq!(circles(straight.into()), Found::new());
    let names = [
        source("src/a/b.rs", "pub(crate) struct One;\nenum Two {}\n"),
        source("src/c.rs", "type One = u8;\n"),
        source("src/a/d.rs", "enum Two {}\n"),
    ];
    assert_eq!(
        shared_names(names.into()),
        ["`One` is a type in several layers: src/a/b.rs:1, src/c.rs:1"]
    );
}
