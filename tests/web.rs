//! The calculator as a page, `target/chainrule.html`, driven in a real browser.
//!
//! `web/build` writes the page. Where it could not be built, the tests say so and do nothing.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::json;

use crate::common::browser::{browser, skipped};
use crate::common::devtools::Tab;
use crate::common::process::{Folder, run};

/// The most bytes of the page, and of the page as a server sends it.
const MOST: usize = 2_500_000;
const MOST_COMPRESSED: usize = 1_400_000;

fn page() -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/chainrule.html");
    if !path.is_file() {
        let _ = writeln!(
            std::io::stderr(),
            "\nSKIPPED: there is no target/chainrule.html: web/build writes it\n"
        );
        return None;
    }
    Some(path)
}

/// A tab with the page in it, and its address.
fn opened(test: &str, hash: &str, ready: &str) -> Option<(Tab, Folder, String)> {
    let page = page()?;
    let Some(browser) = browser() else {
        skipped(test, "a browser");
        return None;
    };
    let folder = Folder::new();
    let mut tab = Tab::new(&browser, &folder);
    let url = format!("file://{}", page.display());
    tab.open(&format!("{url}{hash}"), ready);
    Some((tab, folder, url))
}

/// Enters a line and waits for its answer, which is returned.
fn entered(tab: &mut Tab, line: &str) -> String {
    let count = tab.value(ENTRIES).as_u64().expect("a count");
    tab.insert(line);
    tab.press("Enter", 0);
    tab.wait(&format!("{ENTRIES} > {count} && {IDLE}"));
    tab.text(LAST)
}

const ENTRIES: &str = "document.querySelectorAll('#notebook article').length";
const LAST: &str = "([...document.querySelectorAll('#notebook article')].at(-1)?.innerText ?? '')";
const IDLE: &str = "document.getElementById('stop').hidden";
const ALL: &str = "document.getElementById('notebook').innerText";
const LINE: &str = "document.getElementById('entry').value";

#[test]
fn the_page_is_small() {
    let Some(page) = page() else {
        return;
    };
    let size = fs::read(&page).expect("a file").len();
    assert!(size < MOST, "{size} bytes");
    let packed = Command::new("gzip").arg("-9c").arg(&page).output();
    let size = packed.expect("gzip").stdout.len();
    assert!(size <= MOST_COMPRESSED, "{size} bytes compressed");
}

#[test]
fn statements_are_answered_and_completed_and_previewed() {
    let Some((mut tab, _folder, _)) = opened("the page", "", "prompt") else {
        return;
    };
    let shown = entered(&mut tab, "a, b, c, f = 2, -3, 10, -2\nL = (a*b + c) * f");
    assert!(
        shown.contains("a = 2, b = -3") && shown.contains("L = -8"),
        "{shown}"
    );
    assert!(entered(&mut tab, ":grad L").contains("a         leaf             2      6"));
    let wrong = entered(&mut tab, "2 + alhpa");
    assert!(
        wrong.contains("error: unknown name") && wrong.contains("    ^^^^^"),
        "{wrong}"
    );
    // A live result, and nothing is bound by it.
    tab.insert("M = L*2");
    tab.wait("document.getElementById('hint').textContent === '= -16'");
    tab.wait("document.querySelector('#paint .name')");
    tab.press("c", 2);
    tab.wait(&format!("{LINE} === ''"));
    // One that would take for ever does not hold up the next.
    tab.insert(":step 0.0000001 1000000000 of L");
    tab.wait("document.getElementById('paint').textContent.startsWith(':step')");
    tab.press("c", 2);
    tab.insert("L*3");
    tab.wait("document.getElementById('hint').textContent === '= -24'");
    tab.press("c", 2);
    tab.insert(":expl");
    tab.press("Tab", 0);
    tab.wait(&format!("{LINE}.startsWith(':explain')"));
    tab.press("c", 2);
    // An open bracket goes on in the next line, and history brings all of it back.
    tab.insert("s = (1 +");
    tab.press("Enter", 0);
    tab.wait(&format!("{LINE} === 's = (1 +\\n'"));
    assert!(entered(&mut tab, "2)").contains("s = 3"));
    tab.press("ArrowUp", 0);
    assert_eq!(tab.text(LINE), "s = (1 +\n2)");
    tab.press("c", 2);
    // Pictures stand in place, and text is text.
    entered(&mut tab, ":graph L");
    assert_eq!(
        tab.value("document.querySelectorAll('#notebook figure svg').length"),
        1
    );
    entered(&mut tab, "# <img src=x onerror=alert(1)>\n1");
    assert_eq!(
        tab.value("document.querySelectorAll('#notebook img').length"),
        0
    );
    assert_eq!(tab.faults, Vec::<String>::new());
}

#[test]
fn an_endless_search_is_stopped_and_the_session_survives_that_and_a_reload() {
    let Some((mut tab, _folder, _)) = opened("stopping", "", "prompt") else {
        return;
    };
    entered(&mut tab, "w = 3; u = 4");
    entered(&mut tab, "L = (w - 1)^2 + u^2");
    tab.insert(":step 0.0000001 10000000 of L");
    tab.press("Enter", 0);
    tab.wait("!document.getElementById('stop').hidden");
    tab.press("c", 2);
    tab.wait(&format!("{LAST}.includes('Stopped') && {IDLE}"));
    tab.press("c", 2);
    assert!(entered(&mut tab, "L").contains("= 20"), "{}", tab.text(ALL));
    tab.send("Page.reload", &json!({}));
    tab.wait(&format!(
        "document.documentElement?.dataset.ready === 'prompt' && {ALL}.includes('is back')"
    ));
    assert!(
        entered(&mut tab, "L + 1").contains("= 21"),
        "{}",
        tab.text(ALL)
    );
    // Notes and errors of what is run again are parts of the page like any other.
    entered(&mut tab, "L = w + 1; v = L; w = 5");
    tab.send("Page.reload", &json!({}));
    tab.wait(&format!(
        "document.documentElement?.dataset.ready === 'prompt' && {ALL}.includes('is back')"
    ));
    assert!(!tab.text(ALL).contains('\u{1b}'), "{}", tab.text(ALL));
    entered(&mut tab, ":reset");
    tab.wait("Object.keys(localStorage).length === 0");
    assert_eq!(tab.faults, Vec::<String>::new());
}

#[test]
fn files_are_chosen_and_saved() {
    let Some((mut tab, folder, _)) = opened("files", "", "prompt") else {
        return;
    };
    let asked = entered(&mut tab, ":data points.csv");
    assert!(
        asked.contains("there is no file") && asked.contains("Choose points.csv"),
        "{asked}"
    );
    let table = folder.file("points.csv", "x,y\n1,2\n2,4.5\n");
    let document = tab.send("DOM.getDocument", &json!({}));
    let found = tab.send(
        "DOM.querySelector",
        &json!({"nodeId": document["root"]["nodeId"], "selector": "#file"}),
    );
    tab.value("document.getElementById('file').click = () => {}; document.getElementById('choose').click()");
    tab.send(
        "DOM.setFileInputFiles",
        &json!({"files": [table], "nodeId": found["nodeId"]}),
    );
    tab.wait(&format!("{LINE} === ':data points.csv'"));
    let read = entered(&mut tab, "");
    assert!(read.contains('x') && !read.contains("error"), "{read}");
    // The same by dropping it.
    tab.value(
        "(() => {
            const dataTransfer = new DataTransfer();
            dataTransfer.items.add(new File(['u,v\\n3,4\\n'], 'more points.csv'));
            document.body.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
        })()",
    );
    tab.wait(&format!("{LINE} === ':data \"more points.csv\"'"));
    let read = entered(&mut tab, "");
    assert!(read.contains('u') && !read.contains("error"), "{read}");
    let saved = entered(&mut tab, ":save lesson.calc");
    assert!(saved.contains("Download lesson.calc"), "{saved}");
    assert!(
        entered(&mut tab, ":load lesson.calc").contains("loaded"),
        "{}",
        tab.text(ALL)
    );
}

#[test]
fn a_page_that_steps_through_a_graph_opens_beside_this_one() {
    let Some((mut tab, _folder, _)) = opened("the stepping page", "", "prompt") else {
        return;
    };
    entered(&mut tab, "a, b = 2, -3; L = tanh(a*b + 5)^2");
    let shown = entered(&mut tab, ":graph L page.html");
    assert!(shown.contains("Open page.html"), "{shown}");
    // In this tab, as the test has no other; what the page may do goes with it.
    tab.value(
        "(() => {
            HTMLAnchorElement.prototype.click = function () { location.href = this.href; };
            [...document.querySelectorAll('button')].find((it) => it.textContent === 'Open page.html').click();
        })()",
    );
    tab.wait("location.protocol === 'blob:' && document.getElementById('next')");
    tab.wait("document.getElementById('place').textContent === 'start'");
    tab.value("document.getElementById('next').click()");
    tab.wait("document.getElementById('place').textContent === '1 of 4'");
    assert_eq!(tab.faults, Vec::<String>::new());
}

#[test]
fn links_run_statements_and_play_lessons() {
    let statements = "a%20%3D%203%0AL%20%3D%20a%5E2%0A%3Agrad%20L";
    let Some((mut tab, _folder, url)) = opened("links", &format!("#run={statements}"), "answer")
    else {
        return;
    };
    let shown = tab.text(ALL);
    assert!(
        shown.contains("L = 9") && shown.contains("a      leaf            3      6"),
        "{shown}"
    );
    assert_eq!(tab.value("Object.keys(localStorage).length"), 0);
    tab.open(&format!("{url}#play=neuron"), "prompt");
    assert!(!tab.text(LINE).is_empty(), "{}", tab.text(ALL));
    let before = tab.text(LINE);
    entered(&mut tab, "");
    assert_ne!(tab.text(LINE), before, "{}", tab.text(ALL));
    assert_eq!(tab.faults, Vec::<String>::new());
}

/// What the page's module answers to a script, as JSON.
const ANSWERS: &str = "(async () => {
    const module = await WebAssembly.compile(await moduleBytes(document.getElementById('module')));
    return scripts.map((script) => {
        const page = new WebAssembly.Instance(module, { page: { now: () => performance.now(), progress() {} } }).exports;
        const bytes = new TextEncoder().encode(script);
        const begin = page.room(bytes.length);
        new Uint8Array(page.memory.buffer, begin, bytes.length).set(bytes);
        const answer = page.json(begin, bytes.length);
        return new TextDecoder().decode(new Uint8Array(page.memory.buffer, answer, page.length()));
    });
})()";

#[test]
fn the_page_answers_as_the_program_does() {
    let Some((mut tab, _folder, _)) = opened("the same answers", "", "prompt") else {
        return;
    };
    let examples = fs::read_dir("examples").expect("there are examples");
    let paths = examples.map(|entry| entry.expect("an entry").path());
    let mut paths: Vec<PathBuf> = paths
        .filter(|path| path.extension().is_some_and(|it| it == "calc"))
        .collect();
    paths.sort();
    let texts = paths
        .iter()
        .map(|path| fs::read_to_string(path).expect("a script"));
    // Files of the disk are not those of the page.
    let scripts: Vec<String> = texts
        .filter(|text| !text.contains(":data") && !text.contains(":load"))
        .collect();
    assert!(scripts.len() > 6);
    let given = json!(scripts);
    let answers = tab.value(&ANSWERS.replacen(
        "(async () => {",
        &format!("(async () => {{ const scripts = {given};"),
        1,
    ));
    for (script, answer) in scripts.iter().zip(answers.as_array().expect("a list")) {
        let expected = run(&["--json"], script).out;
        assert_eq!(answer.as_str(), Some(&*expected), "{script}");
    }
}
