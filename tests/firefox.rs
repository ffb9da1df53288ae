//! The page in Firefox, with real keys.

use crate::common::browser::{firefox, say_skipped};
use crate::common::firefox::FirefoxTab;
use crate::common::process::Folder;
use crate::web::{ALL, ENTRIES, IDLE, LAST, LINE, page};
use serde_json::json;

// Keys of the standard of `WebDriver`.
const ENTER: &str = "\u{e007}";
const CONTROL: &str = "\u{e009}";
const RIGHT: &str = "\u{e014}";

/// Types a line, enters it, and returns the answer.
fn enter(tab: &mut FirefoxTab, line: &str) -> String {
    let count = tab.value(ENTRIES);
    tab.insert(line);
    tab.press(ENTER, &[]);
    tab.wait(&format!("{ENTRIES} > {count} && {IDLE}"));
    tab.text(LAST)
}

#[test]
fn a_session_runs_in_firefox() {
    let Some(page) = page() else {
        return;
    };
    let Some(firefox) = firefox() else {
        return say_skipped("the page in Firefox", "Firefox (FIREFOX=PATH names one)");
    };
    let folder = Folder::new();
    let mut tab = FirefoxTab::new(&firefox, &folder);
    tab.open(&format!("file://{}", page.display()), "prompt");
    assert!(enter(&mut tab, "a = 2; L = a^3").contains("L = 8"));
    assert!(enter(&mut tab, ":grad L").contains("12"));
    assert!(enter(&mut tab, "2 + alhpa").contains("unknown name"));
    // Selected text in a field is copied, and the line stays.
    tab.insert("L + ");
    let [range, number] = ["[type=range]", ".number"]
        .map(|kind| format!("document.querySelector('[data-name=a] {kind}')"));
    tab.value(&format!("{number}.focus(), {number}.select()"));
    tab.press("c", &[CONTROL]);
    assert_eq!(tab.text(LINE), "L + ");
    tab.value("document.getElementById('entry').focus()");
    tab.press("v", &[CONTROL]);
    assert_eq!(tab.text(LINE), "L + 2");
    assert!(enter(&mut tab, "").contains("$1 = 10"));
    // Each press moves the slider by its step, 0.01, and the last one sets the leaf. 2.03^3 is 8.365427.
    tab.value(&format!("{range}.focus()"));
    for _ in 0..3 {
        tab.press(RIGHT, &[]);
    }
    let cube = format!("{ALL}.includes('L = 8.365427')");
    tab.wait(&format!("{number}.value === '2.03' && {cube} && {IDLE}"));
    tab.value("document.getElementById('entry').focus()");
    assert!(enter(&mut tab, "a").contains("= 2.03"));
    let link = "document.querySelector('.note input')?.value";
    tab.value("document.getElementById('copy').click()");
    tab.wait(link);
    let link = tab.text(link);
    // A reload restores the session, and a link opens the same session.
    let seen = format!(
        "[...document.querySelectorAll('article[aria-label]')].map((it) => it.innerText).join('\\n')"
    );
    let before = tab.text(&seen);
    assert!(before.contains("2 + alhpa"), "{before}");
    tab.send("WebDriver:Refresh", &json!({}));
    tab.wait(&format!("{ALL}.includes('is back')"));
    assert_eq!(tab.text(&seen), before);
    tab.open(&link, "answer");
    let shown = tab.text(ALL);
    assert!(
        tab.value(&cube) == true && shown.contains("alhpa"),
        "{shown}"
    );
}
