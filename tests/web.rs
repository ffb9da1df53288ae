//! The calculator as a page, `target/chainrule.html`, driven in a real browser.
//!
//! `web/build` writes the page. If it could not be built, the tests say so and do nothing.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::json;

use crate::common::browser::{browser, find_tool, report_skip, say_skipped};
use crate::common::devtools::Tab;
use crate::common::process::{Folder, run};

/// The most bytes of the page, and of the page as a server sends it.
const MOST: usize = 2_500_000;
const MOST_COMPRESSED: usize = 1_600_000;

pub(crate) fn page() -> Option<PathBuf> {
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
fn open_page(test: &str, hash: &str, ready: &str) -> Option<(Tab, Folder, String)> {
    let page = page()?;
    let Some(browser) = browser() else {
        report_skip(test, "a browser");
        return None;
    };
    let folder = Folder::new();
    let mut tab = Tab::new(&browser, &folder);
    let url = format!("file://{}", page.display());
    tab.open(&format!("{url}{hash}"), ready);
    Some((tab, folder, url))
}

/// Enters a line and waits for its answer, which is returned.
fn enter(tab: &mut Tab, line: &str) -> String {
    let count = tab.value(ENTRIES).as_u64().expect("a count");
    tab.insert(line);
    tab.press("Enter", 0);
    tab.wait(&format!("{ENTRIES} > {count} && {IDLE}"));
    tab.text(LAST)
}

/// A text with single blanks between its words.
fn squeeze(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

pub(crate) const ENTRIES: &str = "document.querySelectorAll('#notebook article').length";
pub(crate) const LAST: &str =
    "([...document.querySelectorAll('#notebook article')].at(-1)?.innerText ?? '')";
pub(crate) const IDLE: &str = "document.getElementById('stop').hidden";
pub(crate) const ALL: &str = "document.getElementById('notebook').innerText";
pub(crate) const LINE: &str = "document.getElementById('entry').value";

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

/// `web/tests` has the tests that need no browser.
#[test]
fn the_logic_of_the_page_is_tested_by_node() {
    let Some(node) = find_tool("node") else {
        let _ = writeln!(std::io::stderr(), "\nSKIPPED: there is no node\n");
        return;
    };
    let mut command = Command::new(node);
    command.args(["--test", "web/tests/logic.test.js"]);
    let ran = command.output().expect("node runs");
    let told = String::from_utf8_lossy(&ran.stdout);
    assert!(ran.status.success(), "{told}");
}

#[test]
fn a_pasted_table_is_read_by_a_button() {
    let Some((mut tab, _folder, _)) = open_page("a pasted table", "", "prompt") else {
        return;
    };
    let shown = enter(&mut tab, "t\tU\n0\t1.5\n1\t2.5");
    assert!(
        shown.contains("a table with the columns") && shown.contains("Read the table"),
        "{shown}"
    );
    tab.value("[...document.querySelectorAll('button')].find((it) => it.textContent === 'Read the table').click()");
    tab.wait(&format!("{LAST}.includes('t, U: 2 rows') && {IDLE}"));
    assert!(enter(&mut tab, "U").contains("[1.5, 2.5]"));
}

#[test]
fn a_button_gives_the_names_of_a_formula_numbers() {
    let Some((mut tab, _folder, _)) = open_page("names without numbers", "", "prompt") else {
        return;
    };
    let shown = enter(&mut tab, "L = (a*b + c) * f");
    assert!(shown.contains("Give a, b, c and f numbers"), "{shown}");
    click(&mut tab, "Give a, b, c and f numbers");
    tab.wait(&format!("{LAST}.includes('L = 2') && {IDLE}"));
    tab.wait("document.querySelector('#notebook [data-name=f] [type=range]')");
    assert!(enter(&mut tab, "M = L*k").contains("Give k a number"));
    // A name alone asks for its value.
    assert!(!enter(&mut tab, "n").contains("Give"));
}

#[test]
fn a_formula_is_set_as_in_print_and_copied_as_it_is_typed() {
    let Some((mut tab, _folder, _)) = open_page("a formula", "", "prompt") else {
        return;
    };
    enter(&mut tab, "f(x) = x^2/sqrt(1 + x)");
    enter(&mut tab, "f'");
    let copied = tab.text(
        "(() => {
            const line = [...document.querySelectorAll('article .line')].at(-1);
            getSelection().selectAllChildren(line);
            const clipboardData = new DataTransfer();
            line.dispatchEvent(new ClipboardEvent('copy', { clipboardData, bubbles: true }));
            return clipboardData.getData('text/plain');
        })()",
    );
    assert_eq!(copied, "f'(x) = x*(3*x + 4)/(2*(x + 1)^(3/2))");
    let heights = tab.value(
        "[...document.querySelectorAll('math')].slice(-2).map((it) => it.getBoundingClientRect().height)",
    );
    let height = |at: usize| heights[at].as_f64().expect("a height");
    assert!(height(1) > 1.5 * height(0), "no fraction: {heights}");
    assert_eq!(tab.faults, Vec::<String>::new());
}

#[test]
fn statements_are_answered_and_completed_and_previewed() {
    let Some((mut tab, _folder, _)) = open_page("the page", "", "prompt") else {
        return;
    };
    let shown = enter(&mut tab, "a, b, c, f = 2, -3, 10, -2\nL = (a*b + c) * f");
    assert!(
        shown.contains("a = 2, b = -3") && shown.contains("L = -8"),
        "{shown}"
    );
    assert!(squeeze(&enter(&mut tab, ":grad L")).contains("a leaf 2 6"));
    let cells = "[...document.querySelectorAll('#notebook table th')].map((it) => it.textContent.trim()).join()";
    assert_eq!(tab.text(cells), "node,expression,data,grad");
    let wrong = enter(&mut tab, "2 + alhpa");
    assert!(
        wrong.contains("error: unknown name") && wrong.contains("    ^^^^^"),
        "{wrong}"
    );
    // A live result binds nothing.
    tab.insert("M = L*2");
    tab.wait("document.getElementById('hint').textContent === '= -16'");
    tab.wait("document.querySelector('#paint .name')");
    tab.press("c", 2);
    tab.wait(&format!("{LINE} === ''"));
    // A live result that would take too long does not delay the next one.
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
    // An open bracket continues on the next line, and history restores all lines.
    tab.insert("s = (1 +");
    tab.press("Enter", 0);
    tab.wait(&format!("{LINE} === 's = (1 +\\n'"));
    assert!(enter(&mut tab, "2)").contains("s = 3"));
    tab.press("ArrowUp", 0);
    assert_eq!(tab.text(LINE), "s = (1 +\n2)");
    tab.press("c", 2);
    // Pictures stand in place, and text is text.
    enter(&mut tab, ":graph L");
    assert_eq!(
        tab.value("document.querySelectorAll('#notebook figure svg').length"),
        1
    );
    enter(&mut tab, "# <img src=x onerror=alert(1)>\n1");
    assert_eq!(
        tab.value("document.querySelectorAll('#notebook img').length"),
        0
    );
    assert_eq!(tab.faults, Vec::<String>::new());
}

#[test]
fn a_training_is_stopped_where_it_is() {
    let Some((mut tab, _folder, _)) = open_page("stopping", "", "prompt") else {
        return;
    };
    enter(&mut tab, "w = 3; u = 4");
    enter(&mut tab, "L = (w - 1)^2 + u^2");
    tab.insert(":step 0.0000001 10000000 of L");
    tab.press("Enter", 0);
    let hint = "document.getElementById('hint').textContent";
    tab.wait(&format!("{hint}.startsWith('step ')"));
    let told = tab.text(hint);
    tab.wait(&format!("{hint} !== '{told}'"));
    tab.press("c", 2);
    tab.wait(&format!("{LAST}.includes('Stopped') && {IDLE}"));
    tab.wait(&format!(
        "{RECORDS}.then((all) => all[0].kept.includes(':set'))"
    ));
    tab.press("c", 2);
    // A step shrinks w - 1 and u by the same factor, wherever it was stopped.
    for claim in [":assert L < 20", ":assert w - 1 == u/2 ± 1e-9"] {
        let answer = enter(&mut tab, claim);
        assert!(!answer.contains("error"), "{}", tab.text(ALL));
    }
    // It is one step of undo, and what could be undone before is still there.
    assert!(enter(&mut tab, ":undo").contains(":set"));
    assert!(enter(&mut tab, "L").contains("= 20"), "{}", tab.text(ALL));
    assert!(enter(&mut tab, ":undo").contains("(w - 1)^2 + u^2"));
    assert!(enter(&mut tab, ":redo").contains("(w - 1)^2 + u^2"));
    assert_eq!(tab.faults, Vec::<String>::new());
}

fn reload(tab: &mut Tab) {
    tab.send("Page.reload", &json!({}));
    tab.wait(&format!(
        "document.documentElement?.dataset.ready === 'prompt' && {ALL}.includes('is back')"
    ));
}

#[test]
fn a_reload_shows_what_was_there() {
    let Some((mut tab, _folder, _)) = open_page("a reload", "", "prompt") else {
        return;
    };
    enter(&mut tab, "w, u = 3, 4; L = (w - 1)^2 + u^2");
    assert!(enter(&mut tab, "L + 1").contains("$1 = 21"));
    enter(&mut tab, ":grad L");
    enter(&mut tab, ":graph L");
    // A note has no codes of a terminal, and an error is shown again, too.
    enter(&mut tab, "v = L; L = w + 1");
    enter(&mut tab, "2 + alhpa");
    let before = tab.text(ALL);
    assert!(
        before.contains("unknown name") && !before.contains('\u{1b}'),
        "{before}"
    );
    tab.wait(&format!(
        "{RECORDS}.then((all) => all[0]?.entries.length === 6)"
    ));
    reload(&mut tab);
    let after = tab.text(ALL);
    let entries_in = |text: &str| {
        let entries = &text[text.find("∂> w, u").expect("the first entry")..];
        entries
            .replace("The session from before is back.", "")
            .trim()
            .to_owned()
    };
    assert_eq!(entries_in(&after), entries_in(&before));
    assert_eq!(
        tab.value("document.querySelectorAll('figure svg').length"),
        1
    );
    // Results have the numbers that they had.
    assert!(
        enter(&mut tab, "$1 + 1").contains("$2 = 22"),
        "{}",
        tab.text(ALL)
    );
    enter(&mut tab, ":reset");
    tab.wait(&format!("{RECORDS}.then((all) => all.length === 0)"));
    assert_eq!(tab.faults, Vec::<String>::new());
}

/// The sessions that the page has stored, each with its entries and its statements.
const RECORDS: &str = "new Promise((answer) => {
    const opening = indexedDB.open('chainrule');
    opening.onsuccess = () => {
        const base = opening.result;
        const stores = base.transaction(base.objectStoreNames);
        const read = (name, method) => stores.objectStore(name)[method]();
        const [sessions, entries, keys] = [read('sessions', 'getAll'), read('entries', 'getAll'), read('entries', 'getAllKeys')];
        stores.oncomplete = () => {
            base.close();
            answer(sessions.result.map((session) => {
                const own = entries.result.filter((_, at) => keys.result[at][0] === session.key);
                const first = Math.max(own.findLastIndex((entry) => entry.isAnew), 0);
                return { ...session, entries: own, kept: own.slice(first).map((entry) => entry.kept).join('') };
            }));
        };
    };
})";

/// Presses a button of the page.
fn click(tab: &mut Tab, words: &str) {
    tab.value(&format!(
        "[...document.querySelectorAll('button')].findLast((it) => it.textContent === '{words}').click()"
    ));
}

/// Goes on when the page has been opened again.
fn opened_again(tab: &mut Tab, act: impl FnOnce(&mut Tab)) {
    tab.value("window.isOld = true");
    act(tab);
    tab.wait("!window.isOld && document.documentElement?.dataset.ready");
}

/// What the sessions that are stored begin with, by their names.
fn stored_session(tab: &mut Tab) -> String {
    tab.text(&format!("{RECORDS}.then((all) => all.map((it) => `${{it.name}}: ${{it.entries.map(({{ text }}) => text).join('; ')}}`).sort().join(' | '))"))
}

#[test]
fn sessions_have_names_and_none_is_lost() {
    let Some((mut tab, _folder, url)) = open_page("sessions", "", "prompt") else {
        return;
    };
    enter(&mut tab, "a = 2");
    tab.wait(&format!("{RECORDS}.then((all) => all.length === 1)"));
    let list = "document.querySelector('dialog.sessions li input')";
    tab.value("document.getElementById('sessions').click()");
    tab.wait(list);
    tab.value(&format!(
        "{list}.value = 'mine'; {list}.dispatchEvent(new Event('change'))"
    ));
    tab.wait(&format!("{RECORDS}.then(([it]) => it.name === 'mine')"));
    // One that goes on is the same session, under its name.
    click(&mut tab, "Close");
    enter(&mut tab, "a + 1");
    tab.wait(&format!(
        "{RECORDS}.then(([it]) => it.entries.length === 2)"
    ));
    assert_eq!(stored_session(&mut tab), "mine: a = 2; a + 1");
    tab.value("document.getElementById('sessions').click()");
    tab.wait(list);
    click(&mut tab, "Duplicate");
    tab.wait("document.querySelectorAll('dialog.sessions li').length === 2");
    opened_again(&mut tab, |tab| click(tab, "New session"));
    assert!(!tab.text(ALL).contains("a = 2"), "{}", tab.text(ALL));
    enter(&mut tab, "c = 7");
    tab.wait(&format!("{RECORDS}.then((all) => all.length === 3)"));
    assert_eq!(
        stored_session(&mut tab),
        ": c = 7 | mine (copy): a = 2; a + 1 | mine: a = 2; a + 1"
    );
    // A link has a session of its own, with which it goes on; so has the page without it.
    tab.open(&format!("{url}#run=b%20%3D%203"), "answer");
    enter(&mut tab, "b + 1");
    tab.wait(&format!("{RECORDS}.then((all) => all.length === 4)"));
    opened_again(&mut tab, |tab| {
        tab.send("Page.reload", &json!({}));
    });
    assert!(tab.text(ALL).contains("$1 = 4"), "{}", tab.text(ALL));
    tab.open(&url, "prompt");
    assert!(tab.text(ALL).contains("c = 7") && !tab.text(ALL).contains("b = 3"));
    tab.value("document.getElementById('sessions').click()");
    tab.wait(list);
    opened_again(&mut tab, |tab| {
        tab.value("[...document.querySelectorAll('.sessions li')].find((it) => it.querySelector('input').value === 'mine').querySelector('button').click()");
    });
    assert!(tab.text(ALL).contains("$1 = 3"), "{}", tab.text(ALL));
    move_slider(&mut tab, "a", 5.0);
    assert!(tab.text(ALL).contains("$1 = 6"), "{}", tab.text(ALL));
    assert!(stored_session(&mut tab).contains("mine: a = 2; a + 1; :set a 5"));
    // A session with a name is not deleted by `:reset`.
    enter(&mut tab, ":reset");
    assert!(stored_session(&mut tab).contains("mine: a = 2; a + 1; :set a 5"));
    assert_eq!(tab.faults, Vec::<String>::new());
}

#[test]
fn what_is_typed_is_not_lost() {
    let Some((mut tab, _folder, _)) = open_page("drafts", "", "prompt") else {
        return;
    };
    enter(&mut tab, "a = 2");
    tab.insert("half a li");
    tab.wait("document.getElementById('paint').textContent === 'half a li'");
    reload(&mut tab);
    tab.wait(&format!("{LINE} === 'half a li'"));
    tab.press("c", 2);
    assert_eq!(tab.text(LINE), "");
    tab.press("ArrowUp", 0);
    assert_eq!(tab.text(LINE), "half a li");
    assert_eq!(tab.faults, Vec::<String>::new());
}

/// The slider of a leaf, and the field beside it.
fn slider(name: &str) -> [String; 2] {
    ["range", "number"]
        .map(|kind| format!("document.querySelector('[data-name={name}] [type={kind}]')"))
}

#[test]
fn sliders_move_leaves_and_what_depends_on_them() {
    let Some((mut tab, _folder, _)) = open_page("sliders", "", "prompt") else {
        return;
    };
    // What is out of sight does not follow.
    let metrics = json!({"width": 1000, "height": 1200, "deviceScaleFactor": 1, "mobile": false});
    tab.send("Emulation.setDeviceMetricsOverride", &metrics);
    enter(&mut tab, "a, b = 2, -3; L = a*b + a^2");
    enter(&mut tab, "a*b");
    enter(&mut tab, ":grad L");
    enter(&mut tab, ":graph L");
    let [range, number] = slider("a");
    let shows = |text: &str| format!("{ALL}.includes('{text}')");
    // By the pointer: L = a*b + a^2, and its gradient b + 2a. Nothing is set before the slider is let go.
    tab.drag(&range, 40.0);
    tab.wait(&format!("{number}.valueAsNumber > 2.1"));
    let moved = tab
        .value(&format!("{number}.valueAsNumber"))
        .as_f64()
        .expect("a number");
    let value = moved * moved - 3.0 * moved;
    let rounded = |number: f64| (number * 1e6).round() / 1e6;
    let beginning = |number| -> String { rounded(number).to_string().chars().take(5).collect() };
    tab.wait(&shows(&format!("L = {}", beginning(value))));
    tab.wait(&shows(&format!("$1 = {}", beginning(-3.0 * moved))));
    tab.wait(&format!(
        "document.querySelector('figure').textContent.includes('{}')",
        beginning(2.0 * moved - 3.0)
    ));
    // Escape brings back what was before.
    tab.press("Escape", 0);
    tab.wait(&format!(
        "{} && {number}.valueAsNumber === 2",
        shows("L = -2")
    ));
    tab.drop();
    tab.wait("document.getElementById('notebook').ariaLive === null");
    tab.value("document.querySelector('figure svg').dataset.same = 'yes'");
    tab.drag(&range, 40.0);
    tab.wait(&shows(&format!("L = {}", beginning(value))));
    let picture = "document.querySelector('figure').textContent";
    let dragged = tab.text(picture);
    // It was drawn once: it gets the numbers only.
    let same = "document.querySelector('figure svg').dataset.same";
    assert_eq!(tab.text(same), "yes");
    tab.drop();
    tab.wait(&format!(
        "{RECORDS}.then((all) => all[0].kept.includes(':set a'))"
    ));
    assert_eq!(tab.value(&format!("{number}.valueAsNumber")), moved);
    // These are what `:set` draws.
    assert_eq!(tab.text(picture), dragged);
    tab.value("delete document.querySelector('figure svg').dataset.same");
    enter(&mut tab, ":graph L");
    let [first, second] = [0, 1].map(|at| format!("document.querySelectorAll('figure svg')[{at}]"));
    assert_eq!(tab.value(&format!("{first}.isEqualNode({second})")), true);
    assert!(enter(&mut tab, ":undo").contains(":set a"));
    tab.wait(&format!(
        "{number}.valueAsNumber === 2 && {range}.valueAsNumber === 2"
    ));
    // By the keyboard: one statement, however long the key is held.
    tab.value(&format!("{range}.focus()"));
    tab.press("ArrowRight", 0);
    tab.wait(&format!("{number}.valueAsNumber === 2.01"));
    tab.wait(&format!(
        "{RECORDS}.then((all) => all[0].kept.includes(':set a 2.01'))"
    ));
    assert_eq!(
        tab.value(&format!("document.activeElement === {range}")),
        true
    );
    // A number may be typed, and one beyond the end of the slider moves the end.
    tab.value(&format!(
        "{number}.select(), {number}.focus(), scrollTo(0, 0)"
    ));
    tab.insert("40");
    tab.wait(&shows("L = 1480"));
    tab.press("Enter", 0);
    tab.wait(&format!("{range}.valueAsNumber === 40 && {range}.max > 40"));
    // Nothing moves during a walk, and what is bound anew has a slider of its own.
    tab.value("document.getElementById('entry').focus()");
    enter(&mut tab, ":walk L");
    assert_eq!(
        tab.value(&format!("{range}.disabled && {number}.disabled")),
        true
    );
    enter(&mut tab, ":next 9");
    assert_eq!(tab.value(&format!("{range}.disabled")), false);
    enter(&mut tab, "a = 1");
    assert_eq!(
        tab.value("document.querySelectorAll('[data-name=a]').length"),
        1
    );
    assert_eq!(
        tab.value(&format!(
            "{range}.closest('article') === document.querySelector('article:last-child')"
        )),
        true
    );
    // Ends and a step that were typed are those of the slider, also after a number beyond them.
    enter(&mut tab, "a = 2 in 0..10 by 0.5; :set a 12");
    let ends = format!("[{range}.min, {range}.max, {range}.step, {number}.value].join()");
    assert_eq!(tab.text(&ends), "0,10,0.5,12");
    assert_eq!(tab.faults, Vec::<String>::new());
}

/// Moves a slider to a number and lets it go.
fn move_slider(tab: &mut Tab, name: &str, number: f64) {
    let [_, field] = slider(name);
    tab.value(&format!(
        "{field}.value = {number}; {field}.dispatchEvent(new Event('input')); {field}.dispatchEvent(new Event('change'))"
    ));
    tab.wait(&format!(
        "{RECORDS}.then((all) => all[0]?.kept.includes(':set {name} {number}'))"
    ));
    tab.wait("document.getElementById('notebook').ariaLive === null");
}

/// The entries with their answers, without what the page says of links and sliders.
const ANSWERED: &str = "[...document.querySelectorAll('#notebook article > div:not(.sliders)')]";

/// What stands at an entry.
fn at(tab: &mut Tab, entry: usize) -> String {
    squeeze(&tab.text(&format!("{ANSWERED}[{entry}].innerText")))
}

/// A slider moves an answer to the target that it had, and no answer of something that has another meaning now.
#[test]
fn answers_keep_their_meaning_while_a_slider_moves() {
    let Some((mut tab, _folder, _)) = open_page("meanings", "", "prompt") else {
        return;
    };
    for line in [
        "a = 2",
        "L = a^2",
        ":explain a",
        ":nudge a",
        ":grad",
        ":graph",
        "a + 1",
    ] {
        enter(&mut tab, line);
    }
    move_slider(&mut tab, "a", 3.0);
    assert!(at(&mut tab, 2).contains("dL/da = 6"), "{}", tab.text(ALL));
    assert!(at(&mut tab, 3).contains("grad 6"), "{}", tab.text(ALL));
    assert!(
        at(&mut tab, 4).contains("L a^2 9 1 a leaf 3 6"),
        "{}",
        tab.text(ALL)
    );
    assert!(at(&mut tab, 5).contains('L') && at(&mut tab, 5).contains('9'));
    assert!(at(&mut tab, 6).contains("= 4"));
    // A function that is defined anew leaves what was drawn of it.
    enter(&mut tab, "f(x) = a*x");
    enter(&mut tab, ":plot f -3..3");
    enter(&mut tab, "f(x) = a*x^3");
    let curve = "[...document.querySelectorAll('figure')].at(-1).innerHTML";
    let drawn = tab.text(curve);
    move_slider(&mut tab, "a", 4.0);
    assert_eq!(tab.text(curve), drawn);
    enter(&mut tab, ":plot f -3..3");
    let drawn = tab.text(curve);
    move_slider(&mut tab, "a", 5.0);
    assert_ne!(tab.text(curve), drawn);
    // Nor does a name that becomes another one for a leaf.
    enter(&mut tab, "b = 3");
    assert_eq!(
        tab.value("document.querySelectorAll('[data-name=b]').length"),
        1
    );
    enter(&mut tab, "b = a");
    assert_eq!(
        tab.value("document.querySelectorAll('[data-name=b]').length"),
        0
    );
    move_slider(&mut tab, "a", 6.0);
    assert_eq!(at(&mut tab, 11), "∂> b = 3 b = 3");
    assert_eq!(at(&mut tab, 12), "∂> b = a b = 6");
    assert_eq!(tab.faults, Vec::<String>::new());
}

#[test]
fn answers_that_a_slider_has_changed_follow_undo() {
    let Some((mut tab, _folder, _)) = open_page("undo", "", "prompt") else {
        return;
    };
    for line in ["a, c = 2, 1", "L = a^2", "M = c + 1"] {
        enter(&mut tab, line);
    }
    move_slider(&mut tab, "a", 6.0);
    assert!(at(&mut tab, 1).ends_with("L = 36"));
    enter(&mut tab, "L");
    enter(&mut tab, ":undo");
    assert!(at(&mut tab, 0).contains("a = 2") && at(&mut tab, 1).ends_with("L = 4"));
    // One that no slider has changed is a record, and says so.
    let before = "[...document.querySelectorAll('.before')].map((it) => it.innerText.replace(/\\s+/g, ' ').trim()).join('|')";
    assert_eq!(tab.text(before), "∂> L $1 = 36");
    enter(&mut tab, ":redo");
    assert!(at(&mut tab, 1).ends_with("L = 36"));
    assert_eq!(tab.text(before), "");
    enter(&mut tab, ":set a 1");
    assert!(at(&mut tab, 0).contains("a = 1") && at(&mut tab, 1).ends_with("L = 1"));
    // After a step all stay what they were.
    enter(&mut tab, ":step 0.1 of L");
    assert!(at(&mut tab, 0).contains("a = 1") && at(&mut tab, 1).ends_with("L = 1"));
    assert!(tab.text(before).contains("L = 1") && !tab.text(before).contains("M = 2"));
    // What does not depend on a leaf does not follow it.
    let [_, field] = slider("c");
    tab.wait(&format!("!{field}.disabled"));
    move_slider(&mut tab, "c", 5.0);
    assert!(at(&mut tab, 1).ends_with("L = 1") && at(&mut tab, 2).ends_with("M = 6"));
    // A reload changes nothing of that.
    let shown = tab.text(before);
    reload(&mut tab);
    assert_eq!(tab.text(before), shown);
    move_slider(&mut tab, "a", 7.0);
    assert!(at(&mut tab, 1).ends_with("L = 49"), "{}", tab.text(ALL));
    enter(&mut tab, ":undo");
    assert!(!at(&mut tab, 1).ends_with("L = 49"), "{}", tab.text(ALL));
    assert_eq!(tab.faults, Vec::<String>::new());
}

/// All entries as they stand.
fn visible_text(tab: &mut Tab) -> String {
    let all = format!("{ANSWERED}.map((it) => it.innerText).join(' ')");
    squeeze(&tab.text(&all))
}

#[test]
fn a_link_opens_with_the_answers_that_its_author_saw() {
    let Some((mut tab, _folder, _)) = open_page("the author's answers", "", "prompt") else {
        return;
    };
    for line in [
        "w = 3; u = 2",
        "L = (w - 1)^2 + u",
        "print(L)",
        ":explain w",
    ] {
        enter(&mut tab, line);
    }
    move_slider(&mut tab, "u", 4.0);
    for line in [":step 0.1 5", "M = w + u", ":grad", ":dat points.csv"] {
        enter(&mut tab, line);
    }
    move_slider(&mut tab, "u", 1.0);
    let author = visible_text(&mut tab);
    let address = link(&mut tab);
    tab.open(&address, "answer");
    let author = author.split("∂> :dat").next().expect("a part");
    assert_eq!(visible_text(&mut tab).trim(), author.trim());
    assert_eq!(tab.faults, Vec::<String>::new());
}

#[test]
fn a_touch_that_becomes_a_scroll_sets_nothing() {
    let Some((mut tab, _folder, _)) = open_page("a touch", "", "prompt") else {
        return;
    };
    let metrics = json!({"width": 390, "height": 500, "deviceScaleFactor": 1, "mobile": true});
    tab.send("Emulation.setDeviceMetricsOverride", &metrics);
    tab.send(
        "Emulation.setTouchEmulationEnabled",
        &json!({"enabled": true}),
    );
    enter(&mut tab, "k, b = 4, -3; L = k*b");
    for _ in 0..6 {
        enter(&mut tab, ":grad L");
    }
    let [range, number] = slider("k");
    let place = tab.value(&format!(
        "({range}.scrollIntoView({{block: 'center'}}), (({{x, y, width, height}}) => [x + width * 0.2, y + height / 2])({range}.getBoundingClientRect()))"
    ));
    let at = |part: usize| place[part].as_f64().expect("a number");
    tab.value("addEventListener('pointercancel', () => (window.isScrolled = true), true)");
    let touch =
        |kind: &str, points: serde_json::Value| json!({"type": kind, "touchPoints": points});
    tab.send(
        "Input.dispatchTouchEvent",
        &touch("touchStart", json!([{"x": at(0), "y": at(1)}])),
    );
    for step in 1..12 {
        let point = json!([{"x": at(0), "y": at(1) - 10.0 * f64::from(step)}]);
        tab.send("Input.dispatchTouchEvent", &touch("touchMove", point));
    }
    tab.send("Input.dispatchTouchEvent", &touch("touchEnd", json!([])));
    tab.wait("window.isScrolled");
    tab.wait(&format!(
        "{number}.valueAsNumber === 4 && {range}.valueAsNumber === 4"
    ));
    assert!(enter(&mut tab, "L").contains("= -12"));
    let kept = tab.text(&format!("{RECORDS}.then((all) => all[0].kept)"));
    assert!(!kept.contains(":set"), "{kept}");
    assert_eq!(tab.faults, Vec::<String>::new());
}

#[test]
fn files_are_chosen_and_saved() {
    let Some((mut tab, folder, _)) = open_page("files", "", "prompt") else {
        return;
    };
    let asked = enter(&mut tab, ":data points.csv");
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
    let read = enter(&mut tab, "");
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
    let read = enter(&mut tab, "");
    assert!(read.contains('u') && !read.contains("error"), "{read}");
    let saved = enter(&mut tab, ":save lesson.calc");
    assert!(saved.contains("Download lesson.calc"), "{saved}");
    assert!(
        enter(&mut tab, ":load lesson.calc").contains("loaded"),
        "{}",
        tab.text(ALL)
    );
}

#[test]
fn a_page_that_steps_through_a_graph_opens_beside_this_one() {
    let Some((mut tab, _folder, _)) = open_page("the stepping page", "", "prompt") else {
        return;
    };
    enter(&mut tab, "a, b = 2, -3; L = tanh(a*b + 5)^2");
    let shown = enter(&mut tab, ":graph L page.html");
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
    let Some((mut tab, _folder, url)) = open_page("links", &format!("#run={statements}"), "answer")
    else {
        return;
    };
    let shown = tab.text(ALL);
    assert!(
        shown.contains("L = 9") && squeeze(&shown).contains("a leaf 3 6"),
        "{shown}"
    );
    assert_eq!(
        tab.value(&format!("indexedDB.databases().then((all) => all.length)")),
        0
    );
    tab.open(&format!("{url}#play=neuron"), "prompt");
    assert!(!tab.text(LINE).is_empty(), "{}", tab.text(ALL));
    let before = tab.text(LINE);
    enter(&mut tab, "");
    assert_ne!(tab.text(LINE), before, "{}", tab.text(ALL));
    assert_eq!(tab.faults, Vec::<String>::new());
}

/// A stored session of a version that counted positions from 1 is refused with a message, and stays.
#[test]
fn a_stored_session_of_before_is_refused() {
    let Some((mut tab, _folder, url)) = open_page("an old session", "", "prompt") else {
        return;
    };
    tab.open(&url, "prompt");
    enter(&mut tab, "w = [1, 2]; y = w[1]");
    tab.wait(&format!(
        "{RECORDS}.then((all) => all[0]?.kept.includes('y = w[1]'))"
    ));
    assert_eq!(tab.value(AGED), true);
    tab.send("Page.reload", &json!({}));
    tab.wait(&format!(
        "document.documentElement?.dataset.ready === 'prompt' && {ALL}.includes('counted from 1')"
    ));
    assert!(!tab.text(ALL).contains("is back"), "{}", tab.text(ALL));
    enter(&mut tab, "z = 3");
    tab.wait(&format!("{RECORDS}.then((all) => all.length === 2)"));
    assert_eq!(tab.faults, Vec::<String>::new());
}

/// Makes the stored session one of a version that counted from 1.
const AGED: &str = "new Promise((answer) => {
    const opening = indexedDB.open('chainrule');
    opening.onsuccess = () => {
        const store = opening.result.transaction('entries', 'readwrite').objectStore('entries');
        store.openCursor().onsuccess = ({ target: { result: cursor } }) => {
            const kept = cursor.value.kept.replace(/chainrule [\\d.]+:/, 'chainrule 0.1.0:');
            cursor.update({ ...cursor.value, kept }).onsuccess = () => {
                opening.result.close();
                answer(true);
            };
        };
    };
})";

/// The link to the session, as *Copy link* shows it.
fn link(tab: &mut Tab) -> String {
    tab.value("document.getElementById('copy').click()");
    let field = "[...document.querySelectorAll('.note input')].at(-1)?.value";
    tab.wait(field);
    tab.text(field)
}

#[test]
fn a_link_has_every_entry_and_a_part_of_it_stands_in_another_page() {
    let Some((mut tab, folder, _)) = open_page("links of sessions", "", "prompt") else {
        return;
    };
    enter(&mut tab, "a, b = 2, -3; L = a*b + a^2");
    enter(&mut tab, ":plot L a=-3..3");
    enter(&mut tab, "2 + alhpa");
    enter(&mut tab, ":graph L");
    let [range, _] = slider("a");
    tab.drag(&range, 40.0);
    tab.drop();
    tab.wait(&format!(
        "{RECORDS}.then((all) => all[0].kept.includes(':set a'))"
    ));
    let shown = "document.querySelectorAll('figure')[1].textContent";
    tab.wait("document.getElementById('notebook').ariaLive === null");
    let graph = tab.text(shown);
    let address = link(&mut tab);
    assert!(
        address.contains("#run=~") && address.len() < 300,
        "{address}"
    );
    tab.open(&address, "answer");
    assert_eq!(tab.value(ENTRIES), 3, "{}", tab.text(ALL));
    assert_eq!(
        tab.value("document.querySelectorAll('figure svg').length"),
        2
    );
    assert_eq!(tab.text(shown), graph);
    tab.open(&address.replace("#run=~", "#run=~!"), "answer");
    assert!(tab.text(ALL).contains("damaged"), "{}", tab.text(ALL));
    // In a frame of another page: the graph alone, and the sliders.
    let page = format!(
        "<html data-ready='page'><iframe width=800 height=600 src='{address}&show=3'></iframe>"
    );
    let outer = folder.file("course.html", &page);
    tab.open(&format!("file://{outer}"), "page");
    // Before it has loaded, the frame has another document.
    tab.wait("document.readyState === 'complete'");
    let frames = tab.send("Page.getFrameTree", &json!({}));
    let frame = &frames["frameTree"]["childFrames"][0]["frame"]["id"];
    let inside = tab.send("Page.createIsolatedWorld", &json!({"frameId": frame}));
    let context = &inside["executionContextId"];
    let mut value = |expression: &str| {
        let params = json!({"expression": expression, "contextId": context, "returnByValue": true, "awaitPromise": true});
        tab.send("Runtime.evaluate", &params)["result"]["value"].clone()
    };
    let begun = std::time::Instant::now();
    while value("document.documentElement.dataset.ready") != "answer" {
        assert!(begun.elapsed().as_secs() < 60, "the frame is not ready");
    }
    let seen = "document.getElementById('notebook').innerText";
    let text = value(seen).as_str().expect("a text").to_owned();
    assert!(
        text.contains(":graph L") && !text.contains(":plot"),
        "{text}"
    );
    let visible = "[...document.querySelectorAll('.slider, header, #prompt')].filter((it) => it.checkVisibility()).length";
    assert_eq!(value(visible), 2);
    let [_, number] = slider("a");
    value(&format!(
        "{number}.value = 5; {number}.dispatchEvent(new Event('input')); {number}.dispatchEvent(new Event('change'))"
    ));
    let begun = std::time::Instant::now();
    while !value(seen).as_str().is_some_and(|text| text.contains("25")) {
        assert!(begun.elapsed().as_secs() < 60, "the graph does not follow");
    }
    assert_eq!(
        value("indexedDB.databases().then((all) => all.length < 2)"),
        true
    );
    assert_eq!(tab.faults, Vec::<String>::new());
}

#[test]
fn a_page_fits_its_window() {
    let Some((mut tab, _folder, _)) = open_page("widths", "", "prompt") else {
        return;
    };
    for width in [390, 800, 1280, 1920] {
        let metrics =
            json!({"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": false});
        tab.send("Emulation.setDeviceMetricsOverride", &metrics);
        enter(
            &mut tab,
            "a, b, c, d = 1, 2, 3, 4; L = tanh(a*b + c*d)^2 + a",
        );
        for line in [
            ":grad L",
            ":graph L",
            ":plot L a=-3..3",
            ":vars",
            ":help",
            ":help fit",
            "const xs, ys = [1, 2, 3, 4], [2.1, 3.9, 6.2, 7.8]",
            ":fit ys ~ p + q*xs plot",
            "2 + alhpa",
            ":play slope",
        ] {
            enter(&mut tab, line);
        }
        click(&mut tab, "Leave lesson");
        tab.wait(&format!("{LAST}.includes('left at') && {IDLE}"));
        let wide = tab.value("document.documentElement.scrollWidth");
        assert!(wide.as_u64() <= Some(width), "{wide} at {width}");
        // No answer is scrolled to its side, but for graphs, whose letters would be too small. In a wide window, sliders
        // stand beside the answers.
        let scrolled = "[...document.querySelectorAll('main :not(svg *, input, figure:has(.node), :has(.docked))')].filter((it) => it.clientWidth && it.scrollWidth > it.clientWidth + 1).length";
        assert_eq!(tab.value(scrolled), 0, "{width}: {}", tab.text(ALL));
    }
}

#[test]
fn pictures_tell_what_is_under_the_pointer() {
    let Some((mut tab, _folder, _)) = open_page("pointing", "", "prompt") else {
        return;
    };
    enter(&mut tab, "a, b = 2, -3; L = a^2 + b");
    enter(&mut tab, ":plot L a=-4..4");
    let frame = "document.querySelector('.frame').getBoundingClientRect()";
    tab.value("document.querySelector('.frame').scrollIntoView({block: 'center'})");
    let place = tab.value(&format!(
        "(({{x, y, width, height}}) => [x + width * 0.7, y + height / 2])({frame})"
    ));
    let pointer_at = |x: &serde_json::Value, y: &serde_json::Value| json!({"type": "mouseMoved", "x": x, "y": y});
    tab.send(
        "Input.dispatchMouseEvent",
        &pointer_at(&place[0], &place[1]),
    );
    // There a is 1.6, but for a pixel.
    let told = format!("{ALL}.match(/at a = (.*): L = (.*), slope (.*)/)?.slice(1).map(Number)");
    tab.wait(&format!("(({{0: a, 1: L, 2: slope}}) => Math.abs(a - 1.6) < 0.02 && Math.abs(L - (a * a - 3)) < 1e-9 && Math.abs(slope - 2 * a) < 1e-9)({told})"));
    tab.send(
        "Input.dispatchMouseEvent",
        &pointer_at(&json!(1), &json!(1)),
    );
    tab.wait(&format!("{told}[0] === 2"));
    // By the keys; nothing is set.
    tab.value("document.querySelector('figure svg').focus()");
    tab.press("ArrowRight", 0);
    tab.wait(&format!("Math.abs({told}[0] - 0.16) < 1e-9"));
    tab.press("Enter", 0);
    tab.wait("document.querySelector('dialog[open] svg')");
    tab.press("Escape", 0);
    tab.wait("!document.querySelector('dialog')");
    assert_eq!(
        tab.value("document.activeElement === document.querySelector('figure svg')"),
        true
    );
    // Of a node, what is between it and the root.
    tab.value("document.getElementById('entry').focus()");
    enter(&mut tab, ":graph L");
    let node =
        "[...document.querySelectorAll('.node')].find((it) => it.textContent.startsWith('b'))";
    tab.value(&format!("{node}.scrollIntoView({{block: 'center'}})"));
    let place = tab.value(&format!(
        "(({{x, y, width, height}}) => [x + width / 2, y + height / 2])({node}.getBoundingClientRect())"
    ));
    tab.send(
        "Input.dispatchMouseEvent",
        &pointer_at(&place[0], &place[1]),
    );
    tab.wait("document.querySelector('.off')");
    let on = "[...document.querySelectorAll('.node:not(.off)')].map((it) => it.querySelector('text').textContent).sort().join()";
    assert_eq!(tab.text(on), "L,b");
    assert!(enter(&mut tab, "a").contains("= 2"));
    assert_eq!(tab.faults, Vec::<String>::new());
}

/// The text of what the page's module answers to a script.
const ANSWERS: &str = "(async () => {
    const packed = Uint8Array.from(atob(document.getElementById('module').textContent), (sign) => sign.charCodeAt(0));
    const unpacked = new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip')));
    const module = await WebAssembly.compile(await unpacked.arrayBuffer());
    return scripts.map((script) => {
        const page = new WebAssembly.Instance(module, { page: { now: () => performance.now(), progress() {}, reached() {} } }).exports;
        const bytes = new TextEncoder().encode(script);
        const begin = page.room(bytes.length);
        new Uint8Array(page.memory.buffer, begin, bytes.length).set(bytes);
        const answer = page.enter(begin, bytes.length, true);
        const told = new TextDecoder().decode(new Uint8Array(page.memory.buffer, answer, page.length()));
        const element = document.createElement('div');
        element.innerHTML = JSON.parse(told).html;
        return element.textContent;
    });
})()";

#[test]
fn the_page_answers_as_the_program_does() {
    let Some((mut tab, _folder, _)) = open_page("the same answers", "", "prompt") else {
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
    // Only the page numbers results: `$1 = 2`.
    let is_number = |word: &str| {
        let digits = word.strip_prefix('$').unwrap_or_default();
        word == "=" || !digits.is_empty() && digits.bytes().all(|it| it.is_ascii_digit())
    };
    let without_numbers = |text: &str| {
        let words = text.split_whitespace().filter(|word| !is_number(word));
        words.collect::<String>()
    };
    let given = json!(scripts);
    let answers = tab.value(&ANSWERS.replacen(
        "(async () => {",
        &format!("(async () => {{ const scripts = {given};"),
        1,
    ));
    for (script, answer) in scripts.iter().zip(answers.as_array().expect("a list")) {
        let document = run(&["--echo=html", "-"], script).out;
        let expected = tab.text(&format!(
            "new DOMParser().parseFromString({}, 'text/html').querySelector('main').textContent",
            json!(document)
        ));
        let answer = answer.as_str().expect("a text");
        assert_eq!(
            without_numbers(answer),
            without_numbers(&expected),
            "{script}"
        );
    }
}

// What an entry costs.

/// Notes which records of entries, by their places, are written from now on.
const WATCHED: &str = "(() => {
    window.written = [];
    const put = IDBObjectStore.prototype.put;
    IDBObjectStore.prototype.put = function (record, key) {
        if (key) written.push(key[1]);
        return put.call(this, record, key);
    };
})()";

#[test]
fn an_entry_is_stored_by_itself() {
    let Some((mut tab, _folder, _)) = open_page("storage by entry", "", "prompt") else {
        return;
    };
    tab.value(WATCHED);
    for line in ["a, b = 2, 3", "b + 1", "L = a*b"] {
        enter(&mut tab, line);
    }
    let written = "written.join()";
    tab.wait(&format!("{written} === '0,1,2'"));
    // What a slider has moved is written again, and no other entry.
    move_slider(&mut tab, "a", 5.0);
    assert_eq!(tab.text(written), "0,1,2,0,2,3");
    // So is one that is not answered again any more.
    enter(&mut tab, "b = 7");
    tab.wait(&format!("{written} === '0,1,2,0,2,3,0,1,2,4'"));
    // What `:undo` leaves of the statements stands in its own entry.
    enter(&mut tab, ":undo");
    enter(&mut tab, "c = 1");
    let kept = format!("{RECORDS}.then(([it]) => it.kept)");
    tab.wait(&format!("{kept}.then((it) => it.includes('c = 1'))"));
    let statements = tab.text(&kept);
    assert!(
        statements.contains(":set a 5") && !statements.contains("b = 7"),
        "{statements}"
    );
    let before = visible_text(&mut tab);
    reload(&mut tab);
    assert_eq!(visible_text(&mut tab), before);
    assert!(enter(&mut tab, "a*b + c").contains("= 16"));
    assert_eq!(tab.faults, Vec::<String>::new());
}

// Pictures on a telephone, and in the large view.

/// The least size on the screen of the letters of the last picture, and how far its figure scrolls to its side.
const LEAST_LETTERS: &str = "(({parentElement: figure}) => [
    Math.min(...[...figure.querySelectorAll('text')].map((it) => parseFloat(getComputedStyle(it).fontSize) * it.getScreenCTM().d || Infinity)),
    figure.scrollWidth - figure.clientWidth,
])([...document.querySelectorAll('figure > svg')].at(-1))";

#[test]
fn the_letters_of_pictures_can_be_read_on_a_telephone() {
    let Some((mut tab, _folder, _)) = open_page("a telephone", "", "prompt") else {
        return;
    };
    let metrics = json!({"width": 390, "height": 844, "deviceScaleFactor": 1, "mobile": false});
    tab.send("Emulation.setDeviceMetricsOverride", &metrics);
    for line in [
        "a, b, c, d = 1, 2, 3, 4; L = tanh(a*b + c*d)^2 + a",
        "const xs, ys = [1, 2, 3, 4], [2.1, 3.9, 6.2, 7.8]",
    ] {
        enter(&mut tab, line);
    }
    for line in [
        ":graph L",
        ":graph L named",
        ":plot L a=-3..3",
        ":plot L a=-3..3 b=-3..3",
        ":plot ys",
        ":plot L, a^2, sin(a) a=-3..3 size 40x10",
        ":fit ys ~ p + q*xs plot",
    ] {
        enter(&mut tab, line);
        let told = tab.value(LEAST_LETTERS);
        let [least, scrolled] = [0, 1].map(|at| told[at].as_f64().expect("a number"));
        assert!(least >= 9.0, "{line}: {least}");
        // Plots are drawn for the width of the window.
        assert!(
            line.starts_with(":graph") || scrolled == 0.0,
            "{line}: {scrolled}"
        );
    }
    let count = tab.value("document.querySelectorAll('figure > svg').length");
    assert_eq!(count, 7, "{}", tab.text(ALL));
    enter(&mut tab, ":tree L");
    let least = "Math.min(...[...document.querySelectorAll('#notebook article:last-child td')].map((it) => parseFloat(getComputedStyle(it).fontSize)))";
    assert!(tab.value(least).as_f64() >= Some(9.0));
    let wide = tab.value("document.documentElement.scrollWidth");
    assert!(wide.as_u64() <= Some(390), "{wide}");
    assert_eq!(tab.faults, Vec::<String>::new());
}

#[test]
fn a_picture_is_seen_large_and_moves_there() {
    let Some((mut tab, _folder, _)) = open_page("a large view", "", "prompt") else {
        return;
    };
    enter(&mut tab, "a, b = 2, -3; L = a*b + a^2");
    enter(&mut tab, ":graph L");
    let pictures = "document.querySelectorAll('.large figure > svg')";
    let open = "document.querySelector('article:last-child figure > svg').dispatchEvent(new MouseEvent('click', {bubbles: true}))";
    let page = "document.documentElement.scrollHeight";
    let before = tab.value(page);
    tab.value(open);
    tab.wait(&format!("{pictures}.length === 1"));
    // The page below stays as long as it was.
    assert_eq!(tab.value(page), before);
    let stage = "document.querySelector('.stage')";
    let wide = format!("{pictures}[0].getBoundingClientRect().width");
    let number = |tab: &mut Tab, text: &str| tab.value(text).as_f64().expect("a number");
    let fitted = number(&mut tab, &wide);
    let is_whole = format!(
        "(({{scrollWidth, clientWidth, scrollHeight, clientHeight}}) => scrollWidth <= clientWidth && scrollHeight <= clientHeight)({stage})"
    );
    assert_eq!(tab.value(&is_whole), true);
    // By keys and buttons, as on the page that steps through a graph.
    tab.press("+", 0);
    assert!((number(&mut tab, &wide) / fitted - 1.25).abs() < 0.01);
    click(&mut tab, "+");
    click(&mut tab, "+");
    assert!((number(&mut tab, &wide) / fitted - 1.25_f64.powi(3)).abs() < 0.01);
    click(&mut tab, "−");
    assert!((number(&mut tab, &wide) / fitted - 1.25_f64.powi(2)).abs() < 0.01);
    // What is under the pointer stays there.
    let share = format!("(300 - {pictures}[0].getBoundingClientRect().x) / {wide}");
    let before = number(&mut tab, &share);
    for _ in 0..2 {
        let wheel = json!({"type": "mouseWheel", "x": 300, "y": 300, "deltaX": 0, "deltaY": -120, "modifiers": 2});
        tab.send("Input.dispatchMouseEvent", &wheel);
    }
    tab.wait(&format!("{wide} > {fitted} * 1.9"));
    let share = number(&mut tab, &share);
    assert!((share - before).abs() < 0.01, "{share} for {before}");
    // It is dragged.
    let left = format!("{stage}.scrollLeft");
    let from = number(&mut tab, &left);
    tab.drag(stage, 60.0);
    tab.drop();
    assert!((from - number(&mut tab, &left) - 60.0).abs() < 2.0);
    click(&mut tab, "Fit");
    assert_eq!(tab.value(&is_whole), true);
    // The node under the pointer says what it is.
    let node = "[...document.querySelectorAll('.large .node')].find((it) => it.textContent.startsWith('b'))";
    let place = tab.value(&format!(
        "(({{x, y, width, height}}) => [x + width / 2, y + height / 2])({node}.getBoundingClientRect())"
    ));
    let moved = json!({"type": "mouseMoved", "x": place[0], "y": place[1]});
    tab.send("Input.dispatchMouseEvent", &moved);
    tab.wait("document.querySelector('.large #hint').textContent.startsWith('b')");
    // A slider moves it, and sets its leaf: L = 5*-3 + 25.
    tab.value("document.querySelector('.large').dataset.same = 'yes'");
    let field = "document.querySelector('.large [data-name=a] [type=number]')";
    let data = "document.querySelector('.large .root .data').textContent";
    tab.value(&format!(
        "{field}.value = 4; {field}.dispatchEvent(new Event('input'))"
    ));
    tab.wait(&format!("{data} === '4'"));
    tab.value(&format!(
        "{field}.value = 5; {field}.dispatchEvent(new Event('input')); {field}.dispatchEvent(new Event('change'))"
    ));
    tab.wait("document.getElementById('notebook').ariaLive === null");
    assert_eq!(tab.text(data), "10");
    assert_eq!(
        tab.value("document.querySelector('.large[open]').dataset.same"),
        "yes"
    );
    click(&mut tab, "Close");
    tab.wait("!document.querySelector('dialog')");
    assert_eq!(
        tab.value("document.activeElement === document.querySelector('figure > svg')"),
        true
    );
    assert_eq!(
        tab.value("document.querySelector('#prompt #hint') !== null"),
        true
    );
    assert!(enter(&mut tab, "L").contains("= 10"));
    // One of two pictures; Escape closes it.
    enter(&mut tab, ":plot L a=-3..3\n:plot L b=-3..3");
    tab.value("document.querySelectorAll('article:last-child figure > svg')[1].dispatchEvent(new MouseEvent('click', {bubbles: true}))");
    tab.wait(&format!("{pictures}.length === 2"));
    tab.value(&format!("{field}.focus()"));
    tab.press("-", 0);
    assert_eq!(
        tab.value("document.querySelector('.fitted') !== null"),
        true
    );
    tab.press("Escape", 0);
    tab.wait("!document.querySelector('dialog')");
    assert_eq!(
        tab.value("document.activeElement === document.querySelectorAll('article:last-child figure > svg')[1]"),
        true
    );
    assert_eq!(tab.faults, Vec::<String>::new());
}

// What a first visit sees, what answers have for the line, and what telephones lack.

const IS_STARTING: &str = "!document.getElementById('start').hidden";

#[test]
fn a_first_visit_sees_a_graph_that_moves_and_finds_its_names_free() {
    let Some((mut tab, _folder, url)) = open_page("a first visit", "", "prompt") else {
        return;
    };
    let [range, _] = slider("a");
    tab.wait(&format!("{IS_STARTING} && {range}"));
    // L = (a*b + c)*f with b = -3, c = 10 and f = -2, so the grad of a is 6, and that of b is -2a.
    let grads = format!(
        "((a) => a > 2 && [`data ${{a}}\\ngrad 6`, `grad ${{+(-2 * a).toFixed(6)}}`].every((it) => document.getElementById('graph').textContent.includes(it)))({range}.valueAsNumber)"
    );
    tab.drag(&range, 20.0);
    tab.wait(&grads);
    tab.drop();
    tab.wait(&grads);
    assert_eq!(tab.value(ENTRIES), 0);
    tab.value("document.getElementById('entry').focus()");
    assert!(enter(&mut tab, "a").contains("unknown name"));
    assert_eq!(tab.value("document.getElementById('start')"), json!(null));
    enter(&mut tab, "a = 7");
    tab.wait(&format!("{RECORDS}.then((all) => all.length === 1)"));
    // Who has been here sees none of it, and neither does who comes by a link or to a lesson.
    reload(&mut tab);
    assert_eq!(tab.value(IS_STARTING), false);
    for (hash, ready) in [("#run=b%20%3D%202", "answer"), ("#play=slope", "prompt")] {
        tab.open(&format!("{url}{hash}"), ready);
        assert_eq!(tab.value("document.getElementById('start')"), json!(null));
    }
    assert_eq!(tab.faults, Vec::<String>::new());
}

#[test]
fn a_first_visit_begins_by_a_click() {
    let Some((mut tab, _folder, url)) = open_page("starts", "", "prompt") else {
        return;
    };
    for (words, answer) in [
        ("a slope", "slope 1"),
        ("backprop by hand", "1 of 29"),
        ("my table", "Paste a table"),
    ] {
        tab.open(&url, "prompt");
        tab.wait(IS_STARTING);
        click(&mut tab, words);
        tab.wait(&format!("{ALL}.includes('{answer}') && {IDLE}"));
        assert_eq!(tab.value("document.getElementById('start')"), json!(null));
        if words == "my table" {
            click(&mut tab, "a small one");
            tab.wait(&format!("{ALL}.includes('12 points') && {IDLE}"));
        }
        tab.press("c", 2);
        enter(&mut tab, ":reset");
        tab.wait(&format!("{RECORDS}.then((all) => all.length === 0)"));
    }
    assert_eq!(tab.faults, Vec::<String>::new());
}

#[test]
fn words_of_answers_go_into_the_line() {
    let Some((mut tab, _folder, _)) = open_page("words for the line", "", "prompt") else {
        return;
    };
    enter(&mut tab, ":help");
    let count = tab.value(ENTRIES);
    let word = |word: &str| {
        format!(
            "[...document.querySelectorAll('#notebook [role=button]')].findLast((it) => it.textContent === '{word}')"
        )
    };
    tab.insert("half a li");
    tab.value(&format!("{}.click()", word(":vars")));
    assert_eq!(tab.text(LINE), ":vars");
    // By the keys, and what was there is not lost.
    tab.value(&format!("{}.focus()", word(":tour")));
    tab.press("Enter", 0);
    assert_eq!(tab.text(LINE), ":tour");
    for line in [":vars", "half a li"] {
        tab.press("ArrowUp", 0);
        assert_eq!(tab.text(LINE), line);
    }
    tab.press("c", 2);
    assert_eq!(tab.value(ENTRIES), count);
    // The help of an error is a line of its own, which the window breaks.
    let error = enter(&mut tab, "L + 1");
    assert!(
        error.contains("help: `L = 2` gives it a value; `:vars` lists all names"),
        "{error}"
    );
    tab.value(&format!("{}.click()", word("L = 2")));
    assert_eq!(tab.text(LINE), "L = 2");
    enter(&mut tab, "");
    // A name takes the place of what is selected.
    enter(&mut tab, "alpha = 3");
    assert!(enter(&mut tab, "2 + alhpa").contains("^^^^^ did you mean"));
    tab.press("ArrowUp", 0);
    tab.value("document.getElementById('entry').setSelectionRange(4, 9)");
    tab.value(&format!("{}.click()", word("alpha")));
    assert!(enter(&mut tab, "").contains("= 5"), "{}", tab.text(ALL));
    // What was entered is no button, and the end of a lesson has one.
    assert_eq!(
        tab.value("document.querySelectorAll('kbd [role=button]').length"),
        0
    );
    enter(&mut tab, ":play slope; :play 22; a = 2; g = a^2");
    enter(&mut tab, "");
    tab.value(&format!("{}.click()", word(":play chain")));
    assert_eq!(tab.text(LINE), ":play chain");
    assert_eq!(tab.faults, Vec::<String>::new());
}

/// Clicks on the middle of an element.
fn click_on(tab: &mut Tab, element: &str) {
    let middle = "(({x, y, width, height}) => [x + width / 2, y + height / 2])";
    let place = tab.value(&format!("{middle}({element}.getBoundingClientRect())"));
    for kind in ["mousePressed", "mouseReleased"] {
        let params =
            json!({"type": kind, "x": place[0], "y": place[1], "button": "left", "clickCount": 1});
        tab.send("Input.dispatchMouseEvent", &params);
    }
}

#[test]
fn telephones_have_keys_above_the_line() {
    let Some((mut tab, _folder, _)) = open_page("telephones", "", "prompt") else {
        return;
    };
    let shows = |id: &str| format!("document.getElementById('{id}').checkVisibility()");
    assert_eq!(tab.value(&shows("keys")), false);
    let metrics = json!({"width": 390, "height": 800, "deviceScaleFactor": 1, "mobile": false});
    tab.send("Emulation.setDeviceMetricsOverride", &metrics);
    tab.wait(&shows("keys"));
    // The line keeps the focus, and so the telephone its keyboard.
    let press = |tab: &mut Tab, sign: &str| {
        click_on(
            tab,
            &format!(
                "[...document.querySelectorAll('#keys button')].find((it) => it.textContent === '{sign}')"
            ),
        );
        assert_eq!(tab.value("document.activeElement.id"), "entry");
    };
    enter(&mut tab, "alpha = 3");
    tab.insert("2");
    press(&mut tab, "*");
    tab.insert("al");
    let choice = "document.querySelector('#choices:not([hidden]) li')";
    tab.wait(choice);
    click_on(&mut tab, choice);
    assert_eq!(tab.text(LINE), "2*alpha");
    press(&mut tab, "✕");
    assert_eq!(tab.text(LINE), "");
    press(&mut tab, "↑");
    assert_eq!(tab.text(LINE), "2*alpha");
    press(&mut tab, "✕");
    press(&mut tab, ":");
    tab.insert("expl");
    press(&mut tab, "⇥");
    tab.wait(&format!("{LINE}.startsWith(':explain')"));
    press(&mut tab, "✕");
    assert_eq!(tab.value(&shows("leave")), false);
    enter(&mut tab, ":play slope");
    assert_eq!(tab.value(&shows("leave")), true);
    click(&mut tab, "Leave lesson");
    tab.wait(&format!("{LAST}.includes('left at 1 of 22')"));
    assert_eq!(tab.value(&shows("leave")), false);
    assert_eq!(tab.faults, Vec::<String>::new());
}

// ── Faults that readers found ────────────────────────────────────────────────────────────────────────────────────────

/// The source of axe-core, which `.ci/run` installs.
fn axe() -> Option<String> {
    let path = "target/axe/node_modules/axe-core/axe.min.js";
    let source = fs::read_to_string(path).ok();
    if source.is_none() {
        say_skipped("whether everybody can use the page", path);
    }
    source
}

#[test]
fn everybody_can_use_the_page() {
    let (Some(axe), Some((mut tab, _folder, _))) =
        (axe(), open_page("accessibility", "", "prompt"))
    else {
        return;
    };
    tab.value(&format!("{axe}; 0"));
    for line in [
        "a, b, c, d = 1, 2, 3, 4; L = tanh(a*b + c*d)^2 + a",
        ":grad L",
        ":graph L",
        ":plot L a=-3..3",
        ":vars",
        ":help fit",
        "const xs, ys = [1, 2, 3, 4], [2.1, 3.9, 6.2, 7.8]",
        ":fit ys ~ p + q*xs plot",
        "2 + alhpa",
        // Answers of before.
        ":step 0.01 of L",
        "3\n4",
        ":play slope",
    ] {
        enter(&mut tab, line);
    }
    tab.press("c", 2);
    assert_eq!(
        tab.value("document.querySelectorAll('.before').length > 2"),
        true
    );
    let findings = "axe.run().then(({ violations }) => violations.map(({ id, nodes }) => `${id}: ${nodes[0].html}`))";
    for width in [390, 800, 1280, 1920] {
        let metrics =
            json!({"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": false});
        tab.send("Emulation.setDeviceMetricsOverride", &metrics);
        for theme in ["light", "dark"] {
            let theme = json!({"features": [{"name": "prefers-color-scheme", "value": theme}]});
            tab.send("Emulation.setEmulatedMedia", &theme);
            assert_eq!(tab.value(findings), json!([]), "{width} {theme}");
        }
    }
    tab.insert(":ex");
    tab.press("Tab", 0);
    tab.wait("!document.getElementById('choices').hidden");
    assert_eq!(tab.value(findings), json!([]));
    tab.press("c", 2);
    tab.value("document.getElementById('sessions').click()");
    tab.wait("document.querySelector('dialog[open]')");
    assert_eq!(tab.value(findings), json!([]));
    assert_eq!(tab.faults, Vec::<String>::new());
}

/// The roles and names in the accessibility tree.
fn accessible(tab: &mut Tab) -> Vec<String> {
    let tree = tab.send("Accessibility.getFullAXTree", &json!({}));
    let nodes = tree["nodes"].as_array().expect("nodes").iter();
    let word = |node: &serde_json::Value, key: &str| {
        let value = &node[key]["value"];
        value.as_str().unwrap_or_default().to_owned()
    };
    let seen = nodes.filter(|node| node["ignored"] == false);
    seen.map(|node| format!("{} {}", word(node, "role"), word(node, "name")))
        .collect()
}

#[test]
fn a_screen_reader_goes_from_entry_to_entry() {
    let Some((mut tab, _folder, _)) = open_page("a screen reader", "", "prompt") else {
        return;
    };
    enter(&mut tab, "a, b = 2, -3; L = a*b + a^2");
    enter(&mut tab, ":graph L");
    let seen = accessible(&mut tab);
    for wanted in [
        "article a, b = 2, -3; L = a*b + a^2",
        "heading \u{2202}> :graph L",
        "image graph of L",
    ] {
        assert!(
            seen.iter().any(|it| it.starts_with(wanted)),
            "{wanted}: {seen:#?}"
        );
    }
    let status = "document.getElementById('status').textContent";
    tab.value("document.querySelector('figure svg').focus()");
    tab.press("ArrowRight", 0);
    tab.wait(&format!("{status}.includes('L')"));
    tab.value("document.getElementById('entry').focus()");
    tab.insert(":ex");
    tab.press("Tab", 0);
    let count = "document.querySelectorAll('#choices li').length";
    tab.wait(&format!("{status} === {count} + ' completions'"));
    tab.press("c", 2);
    tab.insert(":step 0.0000001 10000000 of L");
    tab.press("Enter", 0);
    tab.wait(&format!("{status} === 'running'"));
    tab.press("c", 2);
    tab.wait(&format!("{status} === ''"));
    assert_eq!(tab.faults, Vec::<String>::new());
}

#[test]
fn what_is_gone_fades_and_comes_back() {
    let Some((mut tab, _folder, _)) = open_page("what is gone", "", "prompt") else {
        return;
    };
    enter(&mut tab, "a = 2; L = a^2");
    enter(&mut tab, "L + 1");
    enter(&mut tab, "7");
    let faded = "[...document.querySelectorAll('.before kbd')].map((it) => it.textContent.trim().slice(3)).join()";
    enter(&mut tab, ":reset");
    assert_eq!(tab.text(faded), "a = 2; L = a^2,L + 1");
    enter(&mut tab, ":undo");
    assert_eq!(tab.text(faded), "");
    enter(&mut tab, ":set a 3");
    enter(&mut tab, ":reset");
    enter(&mut tab, "a = 5");
    assert_eq!(tab.text(faded), "a = 2; L = a^2,L + 1");
    assert_eq!(tab.faults, Vec::<String>::new());
}

#[test]
fn an_entry_of_several_lines_follows_a_slider() {
    let Some((mut tab, _folder, _)) = open_page("several lines", "", "prompt") else {
        return;
    };
    enter(&mut tab, "a = 2\nL = a^2\n:grad L wrt a");
    enter(&mut tab, "# the curve\n:plot L # of L\nL + 1");
    move_slider(&mut tab, "a", 5.0);
    tab.wait(&format!(
        "{ALL}.includes('L = 25') && {ALL}.includes('$1 = 26')"
    ));
    assert!(
        squeeze(&tab.text(ALL)).contains("a leaf 5 10"),
        "{}",
        tab.text(ALL)
    );
    // At a point of the curve, its axis stays where it is.
    let frame = "document.querySelector('.frame').dataset.key";
    let axis = tab.text(frame);
    tab.value("document.querySelector('figure svg').focus()");
    tab.press("ArrowRight", 0);
    tab.wait(&format!("!{ALL}.includes('at a = 5: L = 25')"));
    assert_eq!(tab.text(frame), axis);
    assert_eq!(tab.faults, Vec::<String>::new());
}

#[test]
fn links_have_what_stands_beside_files() {
    let Some((mut tab, _folder, _)) = open_page("files beside statements", "", "prompt") else {
        return;
    };
    enter(&mut tab, "a = 2; :save f.calc # for later");
    enter(&mut tab, "b = 3; :load f.calc");
    enter(&mut tab, "\u{2202}> c = 4\nc = 4");
    let address = link(&mut tab);
    let shown = tab.text(ALL);
    assert!(
        shown.contains("note: 1 line without a prompt skipped"),
        "{shown}"
    );
    tab.open(&address, "answer");
    let shown = tab.text(ALL);
    for answer in ["a = 2", "b = 3", "c = 4"] {
        assert!(shown.contains(answer), "{answer}: {shown}");
    }
    assert!(!shown.contains("error"), "{shown}");
    assert_eq!(tab.faults, Vec::<String>::new());
}

#[test]
fn a_column_that_is_pasted_is_a_list() {
    let Some((mut tab, _folder, _)) = open_page("a pasted column", "", "prompt") else {
        return;
    };
    assert!(enter(&mut tab, "3\n4.5\n-1e2").contains("a table with the column x"));
    click(&mut tab, "Read the table");
    tab.wait(&format!("{LAST}.includes('x: 3 rows') && {IDLE}"));
    assert!(enter(&mut tab, "x").contains("[3, 4.5, -100]"));
    // Its name is free for a column of dates.
    enter(&mut tab, "2024-01-01\t5\n2024-01-02\t6");
    click(&mut tab, "Read the table");
    tab.wait(&format!(
        "{LAST}.includes('x is in days since 2024-01-01') && {IDLE}"
    ));
    assert_eq!(tab.faults, Vec::<String>::new());
}

// Sliders at pictures, and points of pictures that are handles.

fn resize(tab: &mut Tab, width: u64, height: u64, is_mobile: bool) {
    let metrics =
        json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": is_mobile});
    tab.send("Emulation.setDeviceMetricsOverride", &metrics);
}

/// The sliders at the last picture, each with its number.
const AT_PICTURE: &str = "[...[...document.querySelectorAll('article:has(figure)')].at(-1).querySelectorAll('.slider')].map((it) => `${it.dataset.name}=${it.querySelector('[type=number]').value}`).join(' ')";

/// The sides of an element in the window.
fn sides(tab: &mut Tab, element: &str) -> [f64; 4] {
    let sides = tab.value(&format!(
        "(({{left, top, right, bottom}}) => [left, top, right, bottom])({element}.getBoundingClientRect())"
    ));
    [0, 1, 2, 3].map(|at| sides[at].as_f64().expect("a number"))
}

#[test]
fn leaves_of_a_picture_have_sliders_at_it() {
    let Some((mut tab, _folder, _)) = open_page("sliders at a picture", "", "prompt") else {
        return;
    };
    resize(&mut tab, 1280, 800, false);
    for line in ["b, a, c = -3, 2, 1", "L = a^2 + b", ":plot L a=-5..5"] {
        enter(&mut tab, line);
    }
    assert_eq!(tab.text(AT_PICTURE), "a=2 b=-3");
    // Both are seen at once, also in a small window, with the statement on top.
    let picture = "document.querySelector('figure > svg')";
    let docked = "document.querySelector('.docked')";
    for (width, height) in [(1280, 800), (800, 600), (390, 844)] {
        resize(&mut tab, width, height, false);
        tab.value("scrollTo(0, document.body.scrollHeight)");
        let [_, top, ..] = sides(&mut tab, picture);
        let [_, above, ..] = sides(&mut tab, docked);
        let [.., below] = sides(
            &mut tab,
            "document.querySelector('.docked .slider:last-child')",
        );
        let [_, prompt, ..] = sides(&mut tab, "document.getElementById('prompt')");
        let [.., foot] = sides(&mut tab, picture);
        assert!(
            0.0 <= top && foot <= above && below <= prompt,
            "{width}: {top} {foot} {above} {below} {prompt}"
        );
    }
    // In a wide one they stand beside it.
    resize(&mut tab, 1500, 800, false);
    let [_, top, right, foot] = sides(&mut tab, picture);
    let [left, above, end, below] = sides(&mut tab, docked);
    assert!(right <= left && end <= 1500.0 && top <= above && below <= foot);
    assert_eq!(
        tab.value("document.documentElement.scrollWidth - document.documentElement.clientWidth"),
        0
    );
    // A picture that is higher than the window has them in sight, the ones that it names first, and not all.
    resize(&mut tab, 1000, 500, false);
    let names: Vec<String> = (0..20).map(|at| format!("w{at}")).collect();
    let binding = format!("{} = {}", names.join(", "), ["1"; 20].join(", "));
    enter(&mut tab, &binding);
    enter(&mut tab, &format!("N = {}", names.join(" + ")));
    enter(&mut tab, "w7; :graph N");
    let graph = "[...document.querySelectorAll('figure')].at(-1)";
    tab.value(&format!("{graph}.scrollIntoView()"));
    let [.., foot] = sides(&mut tab, graph);
    let [.., below] = sides(&mut tab, "[...document.querySelectorAll('.docked')].at(-1)");
    assert!(below < 500.0 && foot > 500.0, "{below} {foot}");
    assert_eq!(tab.text(AT_PICTURE), "w7=1 w0=1 w1=1 w2=1 w3=1 w4=1");
    // A reload keeps them, and a picture that does not move any more has none.
    let last = "([...document.querySelectorAll('article')].at(-1).innerText)";
    tab.wait(&format!(
        "{last}.includes(':graph') && {RECORDS}.then((all) => all[0]?.entries.length === 6)"
    ));
    reload(&mut tab);
    assert_eq!(tab.text(AT_PICTURE), "w7=1 w0=1 w1=1 w2=1 w3=1 w4=1");
    enter(&mut tab, "w0 = 2");
    assert_eq!(tab.text(AT_PICTURE), "w7=1 w1=1 w2=1 w3=1 w4=1");
    enter(&mut tab, "N = 3");
    assert_eq!(tab.text(AT_PICTURE), "");
    assert_eq!(
        tab.value("document.querySelectorAll('[data-name=w7]').length"),
        1
    );
    assert_eq!(tab.faults, Vec::<String>::new());
}

/// The present point of the last picture.
const POINT: &str = "[...document.querySelectorAll('.present > circle + circle')].at(-1)";

/// Where something is, in the middle.
fn middle(tab: &mut Tab, element: &str) -> (f64, f64) {
    let [left, top, right, bottom] = sides(tab, element);
    (f64::midpoint(left, right), f64::midpoint(top, bottom))
}

/// Does something with the button of the pointer: `Moved`, `Pressed` or `Released`.
fn mouse(tab: &mut Tab, kind: &str, (x, y): (f64, f64)) {
    let params = json!({
        "type": format!("mouse{kind}"), "x": x, "y": y, "button": "left", "buttons": 1, "clickCount": 1,
    });
    tab.send("Input.dispatchMouseEvent", &params);
}

/// Enters a line, wherever the focus was.
fn type_line(tab: &mut Tab, line: &str) -> String {
    tab.value("document.getElementById('entry').focus()");
    enter(tab, line)
}

/// How often a leaf was set.
const SETS: &str = "all[0].kept.split(':set').length - 1";

#[test]
fn the_point_of_a_curve_drags_its_leaf() {
    let Some((mut tab, _folder, _)) = open_page("the point of a curve", "", "prompt") else {
        return;
    };
    resize(&mut tab, 1280, 800, false);
    for line in ["a, b = 2, -3", "L = a^2 + b", ":plot L a=-5..5"] {
        type_line(&mut tab, line);
    }
    let number = "document.querySelector('.docked [data-name=a] [type=number]').valueAsNumber";
    let [left, _, right, _] = sides(&mut tab, "document.querySelector('.frame')");
    let width = right - left;
    let from = middle(&mut tab, POINT);
    tab.drag(POINT, width / 10.0);
    // The frame is 10 wide, so a tenth of it is 1, but for a pixel.
    tab.wait(&format!("Math.abs({number} - 3) <= 10 / {width} + 1e-9"));
    let now = tab.value(number).as_f64().expect("a number");
    let told = format!("at a = {now}: L = ");
    tab.wait(&format!("{ALL}.includes('{told}')"));
    let to = middle(&mut tab, POINT);
    assert!(
        (to.0 - from.0 - width / 10.0).abs() < 1.5,
        "{from:?} {to:?}"
    );
    // Escape brings the leaf back, and sets nothing.
    tab.press("Escape", 0);
    tab.wait(&format!(
        "{number} === 2 && {ALL}.includes('at a = 2: L = 1')"
    ));
    tab.drop();
    tab.wait("document.getElementById('notebook').ariaLive === null");
    assert_eq!(tab.value(&format!("{RECORDS}.then((all) => {SETS})")), 0);
    // Where it is let go, the leaf is set, once; no picture opens.
    tab.drag(POINT, width / 10.0);
    tab.drop();
    tab.wait(&format!("{RECORDS}.then((all) => {SETS} === 1)"));
    tab.wait("document.getElementById('notebook').ariaLive === null");
    assert!(type_line(&mut tab, "a").contains(&format!("= {now}")));
    assert_eq!(tab.value("document.querySelector('dialog')"), json!(null));
    assert!(type_line(&mut tab, ":undo").contains(":set a"));
    tab.wait(&format!("{number} === 2"));
    // A click on the point is one on the picture.
    tab.value(&format!("{POINT}.scrollIntoView({{block: 'center'}})"));
    let place = middle(&mut tab, POINT);
    for kind in ["Pressed", "Released"] {
        mouse(&mut tab, kind, place);
    }
    tab.wait("document.querySelector('dialog[open]')");
    tab.press("Escape", 0);
    // The axis of a curve without a range stays where it is while the point moves.
    type_line(&mut tab, "M = a^2");
    type_line(&mut tab, ":plot M");
    let frame = "[...document.querySelectorAll('.frame')].at(-1).dataset.key";
    assert_eq!(tab.text(frame), "-5 5 a");
    tab.drag(POINT, -width / 10.0);
    tab.wait(&format!("{ALL}.includes('at a = 1: M = 1')"));
    assert_eq!(tab.text(frame), "-5 5 a");
    tab.drop();
    tab.wait(&format!("{frame} === '-2 2 a'"));
    // On a logarithmic axis by its decades.
    type_line(&mut tab, ":set a 10");
    type_line(&mut tab, ":plot M a=1..100 logx");
    let [left, _, right, _] = sides(&mut tab, "[...document.querySelectorAll('.frame')].at(-1)");
    tab.drag(POINT, (right - left) / 4.0);
    let now = format!("{ALL}.match(/.*at a = ([^:]*): M/s)?.[1]");
    tab.wait(&format!("Math.abs(Math.log10({now}) - 1.5) < 0.01"));
    tab.drop();
    assert_eq!(tab.faults, Vec::<String>::new());
}

#[test]
fn the_point_of_a_map_drags_two_leaves() {
    let Some((mut tab, _folder, _)) = open_page("the point of a map", "", "prompt") else {
        return;
    };
    resize(&mut tab, 390, 844, true);
    tab.send(
        "Emulation.setTouchEmulationEnabled",
        &json!({"enabled": true}),
    );
    for line in ["a, b = 2, -3", "L = a^2 + b^2", ":plot L a=-4..4 b=-8..8"] {
        type_line(&mut tab, line);
    }
    let numbers = "['a', 'b'].map((name) => document.querySelector(`.docked [data-name=${name}] [type=number]`).valueAsNumber)";
    let [left, top, right, bottom] = sides(&mut tab, "document.querySelector('.frame')");
    let (wide, high) = (right - left, bottom - top);
    let touch =
        |kind: &str, points: serde_json::Value| json!({"type": kind, "touchPoints": points});
    let go = |tab: &mut Tab, (x, y): (f64, f64), (right, down): (f64, f64)| {
        let begin = touch("touchStart", json!([{"x": x, "y": y}]));
        tab.send("Input.dispatchTouchEvent", &begin);
        for step in 1..=8 {
            let part = f64::from(step) / 8.0;
            let point = json!([{"x": x + part * right, "y": y + part * down}]);
            tab.send("Input.dispatchTouchEvent", &touch("touchMove", point));
        }
    };
    let end = touch("touchEnd", json!([]));
    // A quarter of the map to the left is 2 less, an eighth of it up is 2 more; a finger may be beside the point.
    let scrolled = tab.value("scrollY");
    let (x, y) = middle(&mut tab, POINT);
    go(&mut tab, (x + 8.0, y + 8.0), (-wide / 4.0, -high / 8.0));
    let is_there = format!(
        "(([a, b]) => Math.abs(a) <= 8 / {wide} && Math.abs(b + 1) <= 16 / {high})({numbers})"
    );
    tab.wait(&is_there);
    tab.send("Input.dispatchTouchEvent", &end);
    tab.wait(&format!("{RECORDS}.then((all) => {SETS} === 1)"));
    tab.wait("document.getElementById('notebook').ariaLive === null");
    assert_eq!(tab.value("scrollY"), scrolled);
    let a = tab.value(numbers)[0].clone();
    assert!(tab.text(ALL).contains(&format!("at a = {a}, b = ")));
    // It is one change.
    assert!(type_line(&mut tab, ":undo").contains(":set a"));
    tab.wait(&format!("{numbers}.join() === '2,-3'"));
    // A finger that goes up elsewhere in the map scrolls, and sets nothing.
    tab.value(&format!("{POINT}.scrollIntoView({{block: 'center'}})"));
    tab.value("addEventListener('pointercancel', () => (window.isScrolled = true), true)");
    let [left, _, _, bottom] = sides(&mut tab, "document.querySelector('.frame')");
    go(&mut tab, (left + 20.0, bottom - 20.0), (0.0, -90.0));
    tab.send("Input.dispatchTouchEvent", &end);
    tab.wait("window.isScrolled");
    assert!(
        type_line(&mut tab, "L").contains("= 13"),
        "{}",
        tab.text(ALL)
    );
    assert_eq!(tab.faults, Vec::<String>::new());
}

// Lessons, and what is saved of a session.

/// Enters a line of a lesson and waits for the next line.
fn answer(tab: &mut Tab, line: &str) {
    enter(tab, line);
    tab.wait(&format!("{LINE} !== ''"));
}

/// Where the cursor stands.
const CURSOR: &str = "document.getElementById('entry').selectionStart";

#[test]
fn a_lesson_asks_and_goes_on_after_a_reload() {
    let Some((mut tab, _folder, _)) = open_page("a lesson", "#play=slope", "prompt") else {
        return;
    };
    while !tab.text(LINE).starts_with(":guess") {
        answer(&mut tab, "");
    }
    // The gap, with the cursor in it.
    assert_eq!(tab.text(LINE), ":guess x  of y");
    assert_eq!(tab.value(CURSOR), ":guess x ".len());
    assert!(tab.text(ALL).contains("6 of 22"), "{}", tab.text(ALL));
    answer(&mut tab, "13");
    assert_eq!(tab.text(LINE), ":guess x  of y", "{}", tab.text(ALL));
    let before = tab.text(ALL);
    tab.wait(&format!(
        "{RECORDS}.then(([it]) => it?.lesson?.place.includes('-'))"
    ));
    opened_again(&mut tab, |tab| {
        tab.send("Page.reload", &json!({}));
    });
    assert_eq!(tab.text(LINE), ":guess x  of y", "{}", tab.text(ALL));
    assert_eq!(tab.value(CURSOR), ":guess x ".len());
    let after = tab.text(ALL);
    assert_eq!(after.matches("A slope: how fast").count(), 1, "{after}");
    assert_eq!(
        after.matches("6 of 22").count(),
        before.matches("6 of 22").count()
    );
    // The guess before the reload was wrong.
    answer(&mut tab, "14");
    assert!(tab.text(ALL).contains("7 of 22"), "{}", tab.text(ALL));
    while tab.text(LAST).contains(" of 22") {
        let guess = tab.text(LINE);
        let value = match &*guess {
            ":guess x  of 3x^2" => "6x",
            ":guess x " => "6x - 4",
            ":guess a  of g" | ":guess a " => "b",
            ":guess b " => "a",
            ":guess c " => "1",
            _ => "",
        };
        enter(&mut tab, value);
    }
    let end = tab.text(LAST);
    assert!(
        end.contains("5 of 6 guesses right at the first try"),
        "{end}"
    );
    assert_eq!(tab.faults, Vec::<String>::new());
}

const OWN_LESSON: &str =
    "# My lesson: squares.\na = 3\nL = a^2\n# hint: twice a\n:guess a 2a of L\n# The end.\n";

/// Drops a file on the page.
fn drop_file(tab: &mut Tab, name: &str, text: &str) {
    tab.value(&format!(
        "(() => {{
            const dataTransfer = new DataTransfer();
            dataTransfer.items.add(new File([{}], '{name}'));
            document.body.dispatchEvent(new DragEvent('drop', {{ dataTransfer, bubbles: true, cancelable: true }}));
        }})()",
        json!(text)
    ));
    tab.wait(&format!("{LINE} !== ''"));
    tab.press("c", 2);
}

/// Waits until a session is stored that stands at this statement of a lesson, counted from 0.
fn wait_for_place(tab: &mut Tab, place: usize) {
    tab.wait(&format!(
        "{RECORDS}.then((all) => all.some((it) => it.lesson?.place.startsWith('{place} ')))"
    ));
}

#[test]
fn a_lesson_of_ones_own_opens_by_link_as_a_lesson() {
    let Some((mut tab, _folder, _)) = open_page("a lesson of one's own", "", "prompt") else {
        return;
    };
    drop_file(&mut tab, "my lesson.calc", OWN_LESSON);
    answer(&mut tab, ":play \"my lesson.calc\"");
    answer(&mut tab, "");
    let address = link(&mut tab);
    assert!(address.contains("#lesson=~"), "{address}");
    wait_for_place(&mut tab, 1);
    opened_again(&mut tab, |tab| {
        tab.send("Page.reload", &json!({}));
    });
    assert_eq!(tab.text(LINE), "L = a^2", "{}", tab.text(ALL));
    tab.open(&address, "prompt");
    assert_eq!(tab.text(LINE), "a = 3", "{}", tab.text(ALL));
    let shown = tab.text(ALL);
    assert!(
        shown.contains("My lesson: squares.") && shown.contains("1 of 3"),
        "{shown}"
    );
    answer(&mut tab, "");
    answer(&mut tab, "");
    assert_eq!(tab.text(LINE), ":guess a  of L");
    wait_for_place(&mut tab, 2);
    opened_again(&mut tab, |tab| {
        tab.send("Page.reload", &json!({}));
    });
    assert_eq!(tab.text(LINE), ":guess a  of L", "{}", tab.text(ALL));
    answer(&mut tab, "5");
    assert!(tab.text(ALL).contains("twice a"), "{}", tab.text(ALL));
    assert!(
        enter(&mut tab, "6").contains("the end of my lesson.calc"),
        "{}",
        tab.text(ALL)
    );
    assert_eq!(tab.faults, Vec::<String>::new());
}

#[test]
fn a_duplicated_tab_goes_on_as_its_own_session() {
    let Some((mut tab, _folder, _)) = open_page("a duplicated tab", "", "prompt") else {
        return;
    };
    enter(&mut tab, "a = 2");
    tab.wait(&format!("{RECORDS}.then((all) => all.length === 1)"));
    let first = tab.duplicate();
    tab.wait(&format!(
        "document.documentElement?.dataset.ready === 'prompt' && {ALL}.includes('is back')"
    ));
    enter(&mut tab, "b = 3");
    tab.wait(&format!("{RECORDS}.then((all) => all.length === 2)"));
    tab.go_back(first);
    enter(&mut tab, "c = 4");
    tab.wait(&format!(
        "{RECORDS}.then((all) => all.every((it) => it.entries.length === 2))"
    ));
    assert_eq!(stored_session(&mut tab), ": a = 2; b = 3 | : a = 2; c = 4");
    assert_eq!(tab.faults, Vec::<String>::new());
}

/// What *Save* puts into the downloads, by the words of its button.
fn saved_text(tab: &mut Tab, words: &str) -> String {
    tab.value(
        "(() => {
            window.saved = undefined;
            URL.createObjectURL = (blob) => (blob.text().then((text) => (window.saved = text)), 'blob:0');
            HTMLAnchorElement.prototype.click = () => {};
        })()",
    );
    click(tab, "Save");
    click(tab, words);
    tab.wait("window.saved !== undefined");
    tab.text("window.saved")
}

#[test]
fn what_is_seen_is_saved_with_a_link_and_a_worksheet_has_gaps() {
    let Some((mut tab, _folder, _)) = open_page("saved pages", "", "prompt") else {
        return;
    };
    enter(&mut tab, "a = 2; L = a^2 + a");
    enter(&mut tab, ":grad L");
    enter(&mut tab, ":graph L");
    let page = saved_text(&mut tab, "Save page");
    let tree = format!(
        "new DOMParser().parseFromString({}, 'text/html')",
        json!(page)
    );
    let shown = squeeze(&tab.text(&format!("{tree}.querySelector('main').textContent")));
    assert!(
        shown.replace(' ', "").contains("aleaf25") && page.contains("<svg"),
        "{shown}"
    );
    let address = tab.text(&format!(
        "{tree}.querySelector('main a').getAttribute('href')"
    ));
    assert!(address.starts_with("chainrule.html#run=~"), "{address}");
    let sheet = saved_text(&mut tab, "Save worksheet");
    let script = "a = 2; L = a^2 + a\n\n:grad L\n\n:graph L\n";
    let (_, expected) = run(&["--echo=html", "--gaps", "-"], script)
        .out
        .split_once("<main")
        .map(|(head, main)| (head.to_owned(), main.to_owned()))
        .expect("a page");
    let (_, main) = sheet.split_once("<main").expect("a page");
    let words = |html: &str| {
        let html = format!("<main{html}");
        format!(
            "new DOMParser().parseFromString({}, 'text/html').body.textContent",
            json!(html)
        )
    };
    let [of_page, of_program] = [main, &*expected].map(|html| squeeze(&tab.text(&words(html))));
    assert_eq!(of_page, of_program);
    assert!(of_page.contains("aleaf 2__________"), "{of_page}");
    // That of a lesson is of all of it.
    drop_file(&mut tab, "own.calc", OWN_LESSON);
    answer(&mut tab, ":play own.calc");
    let sheet = saved_text(&mut tab, "Save worksheet");
    let (_, main) = sheet.split_once("<main").expect("a page");
    assert!(
        main.contains("My lesson: squares.")
            && main.contains("__________")
            && !main.contains("hint"),
        "{main}"
    );
    assert_eq!(tab.faults, Vec::<String>::new());
}

// ── A built-in lesson has a session of its own ───────────────────────────────────────────────────────────────────────

/// How many sliders of a leaf there are, and how many of them are of a session that is put aside.
fn sliders_of(tab: &mut Tab, name: &str) -> [u64; 2] {
    ["", "[inert] "].map(|aside| {
        let all = format!("document.querySelectorAll('{aside}.slider[data-name={name}]').length");
        tab.value(&all).as_u64().expect("a count")
    })
}

/// Moves the slider of a leaf in the session that is in use.
fn moved_here(tab: &mut Tab, name: &str, number: f64) {
    let field =
        format!("document.querySelector('.slider[data-name={name}]:not([inert] *) [type=number]')");
    tab.value(&format!(
        "(({field}.value = '{number}'), {field}.dispatchEvent(new Event('input')), {field}.dispatchEvent(new Event('change')))"
    ));
    tab.wait(&format!(
        "document.getElementById('notebook').ariaLive === null && {IDLE}"
    ));
}

/// Enters a line of the user's own in a lesson.
fn entered_beside(tab: &mut Tab, line: &str) -> String {
    tab.press("c", 2);
    tab.wait(&format!("{LINE} === ''"));
    enter(tab, line)
}

/// Opens the page again after what was entered has been stored.
fn reload_stored(tab: &mut Tab, last: &str) {
    tab.wait(&format!(
        "{RECORDS}.then((all) => all[0]?.entries.at(-1).text === '{last}')"
    ));
    opened_again(tab, |tab| {
        tab.send("Page.reload", &json!({}));
    });
}

#[test]
fn a_lesson_and_the_users_session_wait_for_each_other() {
    let Some((mut tab, _folder, _)) = open_page("a lesson's session", "", "prompt") else {
        return;
    };
    enter(&mut tab, "a = 2");
    enter(&mut tab, "a^2");
    let begun = enter(&mut tab, ":play slope");
    assert!(begun.contains("a session of its own"), "{begun}");
    assert!(entered_beside(&mut tab, "a").contains("unknown name"));
    assert!(entered_beside(&mut tab, ":undo").contains("nothing to undo"));
    entered_beside(&mut tab, "a = 7");
    entered_beside(&mut tab, "a^2");
    // There is a slider of each session, and only that of the lesson moves.
    assert_eq!(sliders_of(&mut tab, "a"), [2, 1]);
    moved_here(&mut tab, "a", 9.0);
    let shown = tab.text(ALL);
    assert!(
        shown.contains("$1 = 4") && shown.contains("$1 = 81"),
        "{shown}"
    );
    entered_beside(&mut tab, ":play 4");
    answer(&mut tab, "");
    assert_eq!(tab.text(LINE), "y = f(x)");
    entered_beside(&mut tab, "1");
    reload_stored(&mut tab, "1");
    assert_eq!(tab.text(LINE), "y = f(x)", "{}", tab.text(ALL));
    assert_eq!(sliders_of(&mut tab, "a"), [2, 1]);
    assert!(entered_beside(&mut tab, "a + x").contains("= 12"));
    // The user's session is as it was, with its slider.
    click(&mut tab, "Leave lesson");
    tab.wait(&format!(
        "{LAST}.includes('your own session is back') && {IDLE}"
    ));
    assert_eq!(sliders_of(&mut tab, "a"), [2, 1]);
    assert!(enter(&mut tab, "x").contains("unknown name"));
    moved_here(&mut tab, "a", 3.0);
    let shown = tab.text(ALL);
    assert!(
        shown.contains("$1 = 9") && shown.contains("$1 = 81"),
        "{shown}"
    );
    assert!(enter(&mut tab, "a").contains("$2 = 3"));
    let address = link(&mut tab);
    reload_stored(&mut tab, "a");
    // The lesson that was left is there, and the sliders of both.
    assert_eq!(tab.text(LINE), "");
    assert_eq!(sliders_of(&mut tab, "a"), [2, 1]);
    let (goes_on, place) = (enter(&mut tab, ":play"), "5 of 22");
    assert!(goes_on.contains(place), "{goes_on}");
    moved_here(&mut tab, "a", 10.0);
    let shown = tab.text(ALL);
    assert!(
        shown.contains("$1 = 9") && shown.contains("$1 = 100"),
        "{shown}"
    );
    entered_beside(&mut tab, ":play stop");
    assert!(enter(&mut tab, ":undo").contains(":set a 3"));
    assert!(enter(&mut tab, "a").contains("= 2"));
    // Whoever opens the link has both sessions, too.
    tab.open(&address, "answer");
    assert_eq!(tab.text(LINE), "", "{}", tab.text(ALL));
    assert!(enter(&mut tab, "a").contains("$3 = 3"));
    let goes_on = enter(&mut tab, ":play");
    assert!(goes_on.contains(place), "{goes_on}");
    assert!(entered_beside(&mut tab, "a + x").contains("= 12"));
    assert_eq!(tab.faults, Vec::<String>::new());
}

/// The table of a lesson is no table of the user's: whoever opens a link goes on in the lesson with it.
#[test]
fn a_lesson_with_a_table_ends_in_a_link_as_it_did() {
    let Some((mut tab, _folder, _)) = open_page("a lesson with a table", "", "prompt") else {
        return;
    };
    enter(&mut tab, "k = 5");
    enter(&mut tab, ":play regression");
    while !tab.text(LAST).contains("the end of regression") {
        enter(&mut tab, "");
    }
    assert!(enter(&mut tab, "k").contains("= 5"), "{}", tab.text(ALL));
    let address = link(&mut tab);
    reload_stored(&mut tab, "k");
    assert!(enter(&mut tab, "k + 1").contains("= 6"));
    let at_end = enter(&mut tab, ":play back");
    assert!(at_end.contains("14 of 14"), "{at_end}");
    tab.open(&address, "answer");
    let shown = tab.text(ALL);
    assert!(shown.contains("the end of regression"), "{shown}");
    assert_eq!(tab.text(LINE), "");
    assert!(enter(&mut tab, "k").contains("$2 = 5"), "{shown}");
    assert_eq!(tab.faults, Vec::<String>::new());
}
