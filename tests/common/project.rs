//! Files of the project, and recorded outputs of the program.

use std::fs;
use std::path::{Path, PathBuf};

/// A file or folder of the project, by its path from the top.
pub fn at(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// A text file of the project.
pub struct Source {
    /// The path from the top of the project, with `/`.
    pub path: String,
    pub text: String,
}

/// All files below a folder of the project with this ending, sorted.
pub fn files(folder: &str, ending: &str) -> Vec<Source> {
    let mut waiting = vec![at(folder)];
    let mut found = Vec::new();
    while let Some(folder) = waiting.pop() {
        for entry in fs::read_dir(&folder).expect("a folder can be listed") {
            let path = entry.expect("a folder can be listed").path();
            if path.is_dir() {
                waiting.push(path);
            } else if path.to_string_lossy().ends_with(ending) {
                let inner = path.strip_prefix(at("")).expect("it lies below");
                found.push(Source {
                    path: inner.to_string_lossy().replace('\\', "/"),
                    text: fs::read_to_string(&path).expect("it is text"),
                });
            }
        }
    }
    found.sort_by(|one, other| one.path.cmp(&other.path));
    found
}

/// The folders of the members of the workspace in `Cargo.toml`, without the calculator itself. `crates/*` stands for each
/// folder in `crates`.
pub fn members() -> Vec<String> {
    let manifest = fs::read_to_string(at("Cargo.toml")).expect("it is text");
    let (_, list) = manifest
        .split_once("\nmembers = [")
        .expect("a workspace has members");
    let (list, _) = list.split_once(']').expect("the list ends");
    let mut folders = Vec::new();
    for entry in list.split('"').skip(1).step_by(2) {
        let Some(parent) = entry.strip_suffix("/*") else {
            folders.push(entry.to_string());
            continue;
        };
        for folder in fs::read_dir(at(parent)).expect("a folder can be listed") {
            let name = folder.expect("a folder can be listed").file_name();
            folders.push(format!("{parent}/{}", name.to_string_lossy()));
        }
    }
    folders.sort();
    folders
}

/// The sources of all members of the workspace.
pub fn sources() -> Vec<Source> {
    let mut folders = vec!["src".to_string()];
    folders.extend(members().iter().map(|member| format!("{member}/src")));
    folders
        .iter()
        .flat_map(|folder| files(folder, ".rs"))
        .collect()
}

/// The scripts of the examples.
pub fn scripts() -> Vec<Source> {
    files("examples", ".calc")
}

/// A recorded file must have this text. With `UPDATE` set, the text is written into it.
pub fn hold(path: &str, now: &str) {
    let recorded = fs::read_to_string(at(path)).unwrap_or_default();
    if recorded == now {
        return;
    }
    if std::env::var_os("UPDATE").is_some() {
        fs::write(at(path), now).expect("the record can be written");
        return;
    }
    let mut pairs = recorded.lines().zip(now.lines()).enumerate();
    let (number, (was, is)) = pairs.find(|(_, (was, is))| was != is).unwrap_or((
        recorded.lines().count().min(now.lines().count()),
        ("the end", "more lines, or fewer"),
    ));
    panic!(
        "{path}, line {}:\n  was: {was}\n  is:  {is}\nRun `UPDATE=1 cargo test` and read the difference.",
        number + 1
    );
}
