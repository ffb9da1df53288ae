//! A browser for the tests that need one.
//!
//! If there is none, these tests are skipped and say so, bypassing the test harness, which would hide the message. With
//! `CI` set they fail.
#![allow(dead_code, clippy::missing_panics_doc)]

use std::fs::OpenOptions;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::process::{Folder, feed};

/// The names of Chromium and its variants.
const BROWSERS: &[&str] = &[
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
];

/// The browser that the variable `CHROMIUM` names, or else one that is found.
pub fn browser() -> Option<PathBuf> {
    program_named("CHROMIUM", BROWSERS)
}

/// The Firefox that the variable `FIREFOX` names, or else one that is found.
pub fn firefox() -> Option<PathBuf> {
    program_named("FIREFOX", &["firefox-esr", "firefox"])
}

fn program_named(variable: &str, names: &[&str]) -> Option<PathBuf> {
    match std::env::var_os(variable) {
        Some(path) if !path.is_empty() => Some(PathBuf::from(path)),
        _ => names.iter().find_map(|name| find_tool(name)),
    }
}

/// Searches for a program in the folders of `PATH`.
pub fn find_tool(name: &str) -> Option<PathBuf> {
    let folders = std::env::var_os("PATH")?;
    std::env::split_paths(&folders)
        .map(|folder| folder.join(name))
        .find(|path| path.is_file())
}

/// Says visibly that a test was skipped. On a CI server, where the message might not be read, it fails instead.
pub fn report_skip(test: &str, needed: &str) {
    assert!(
        std::env::var_os("CI").is_none_or(|value| value.is_empty()),
        "{test}: {needed} was not found (CHROMIUM=PATH names a browser)"
    );
    say_skipped(test, needed);
}

/// Says visibly that a test was skipped that needs what not every system has. `.ci/run` names a file for these lines, and
/// prints them at its end.
pub fn say_skipped(test: &str, needed: &str) {
    let line = format!("{test}: {needed} was not found");
    // Written to the stream directly, because the harness captures the output of the macro.
    let _ = writeln!(std::io::stderr(), "\nSKIPPED: {line}\n");
    if let Some(path) = std::env::var_os("SKIPPED") {
        let file = OpenOptions::new().append(true).open(path);
        let _ = file.and_then(|mut file| writeln!(file, "{line}"));
    }
}

/// The arguments of an invisible browser, with a profile of its own and without network access, as no name resolves.
pub fn quiet(browser: &Path, profile: &Path) -> Command {
    let mut command = Command::new(browser);
    command.args([
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--disable-dev-shm-usage",
        "--no-first-run",
        "--no-default-browser-check",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--disable-extensions",
        "--metrics-recording-only",
        "--host-resolver-rules=MAP * ~NOTFOUND",
    ]);
    command.arg(format!("--user-data-dir={}", profile.display()));
    command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

/// Opens a page and returns its HTML after it has run for this many milliseconds of virtual time.
pub fn dump(browser: &Path, folder: &Folder, page: &str, milliseconds: u32) -> String {
    let mut command = quiet(browser, &folder.0.join("profile"));
    command.arg(format!("--virtual-time-budget={milliseconds}"));
    command.args(["--dump-dom", &format!("file://{page}")]);
    let ran = feed(command, b"");
    assert_eq!(ran.status, Some(0), "the browser: {}", ran.err);
    ran.out
}

pub fn result(html: &str) -> String {
    let begin = html
        .find("<pre id=\"result\">")
        .unwrap_or_else(|| panic!("the page wrote no result:\n{html}"));
    let text = &html[begin + "<pre id=\"result\">".len()..];
    let end = text.find("</pre>").expect("the result ends");
    text[..end]
        .replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&nbsp;", "\u{a0}")
        .replace("&amp;", "&")
}
