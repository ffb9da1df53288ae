//! A browser, or something else that runs a page's script, for the tests that need one.
//!
//! Where there is none they are skipped, and say so past the harness, which would hide it; with `CI` set they fail.
#![allow(dead_code, clippy::missing_panics_doc)]

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::process::{Folder, feed};

/// Programs that are a Chromium.
const BROWSERS: &[&str] = &[
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
];

/// The browser: what the variable `CHROMIUM` says, else what is found.
pub fn browser() -> Option<PathBuf> {
    match std::env::var_os("CHROMIUM") {
        Some(path) if !path.is_empty() => Some(PathBuf::from(path)),
        _ => BROWSERS.iter().find_map(|name| found(name)),
    }
}

/// A program, looked for where programs are.
pub fn found(name: &str) -> Option<PathBuf> {
    let folders = std::env::var_os("PATH")?;
    std::env::split_paths(&folders)
        .map(|folder| folder.join(name))
        .find(|path| path.is_file())
}

/// Says that a test was skipped, so that everybody reads it; where nobody would, it fails.
pub fn skipped(test: &str, needed: &str) {
    let sentence = format!("SKIPPED: {test}: {needed} was not found (CHROMIUM=PATH names one)");
    assert!(
        std::env::var_os("CI").is_none_or(|value| value.is_empty()),
        "{sentence}"
    );
    // Not by the macro: the harness keeps what that writes to itself.
    let _ = writeln!(std::io::stderr(), "\n{sentence}\n");
}

/// The arguments of a browser that nobody sees, with a profile of its own and no way out: no name has an address.
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

/// Opens a page and gives back what it has become, as HTML, after so many milliseconds of its own time.
pub fn dump(browser: &Path, folder: &Folder, page: &str, milliseconds: u32) -> String {
    let mut command = quiet(browser, &folder.0.join("profile"));
    command.arg(format!("--virtual-time-budget={milliseconds}"));
    command.args(["--dump-dom", &format!("file://{page}")]);
    let ran = feed(command, b"");
    assert_eq!(ran.status, Some(0), "the browser: {}", ran.err);
    ran.out
}

/// The text of the element `<pre id="result">` of a page.
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

/// What a script leaves in its variable `answer`, run by node or by a browser; nothing where there is neither.
pub fn ran(script: &str) -> Option<String> {
    let folder = Folder::new();
    if let Some(node) = found("node") {
        let file = folder.file("script.js", format!("{script}\nconsole.log(answer);\n"));
        let mut command = Command::new(node);
        command
            .arg(file)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let ran = feed(command, b"");
        assert_eq!(ran.status, Some(0), "the script: {}", ran.err);
        return Some(ran.out);
    }
    let browser = browser()?;
    let page = folder.file(
        "script.html",
        format!(
            "<!doctype html><meta charset=utf-8><pre id=\"result\"></pre><script>\n{script}\n\
             document.getElementById(\"result\").textContent = answer;\n</script>"
        ),
    );
    Some(result(&dump(&browser, &folder, &page, 10_000)))
}
