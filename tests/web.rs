//! The calculator as a page, `target/chainrule.html`, driven in a real browser.
//!
//! `web/build` writes the page. If it could not be built, the tests say so and do nothing. `web/tests` has the tests that
//! need no browser: those of the answers, and of the logic of the page.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use serde_json::{Value, json};

use crate::common::browser::{browser, find_tool, report_skip, say_skipped};
use crate::common::devtools::{PATIENCE, Tab};
use crate::common::project::files;

mod follow;
mod random;
mod screens;
mod walk;

/// The most bytes of the page, and of the page as a server sends it.
const MOST: usize = 2_150_000;
const MOST_COMPRESSED: usize = 1_600_000;
/// The same if Rust's standard library is not built for the page.
const MOST_WITHOUT_SOURCE: usize = 2_300_000;
const MOST_COMPRESSED_WITHOUT_SOURCE: usize = 1_750_000;

pub(crate) fn page() -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/chainrule.html");
    if !path.is_file() {
        say_skipped("the page", "target/chainrule.html, which web/build writes,");
        return None;
    }
    Some(path)
}

pub(crate) const ENTRIES: &str = "document.querySelectorAll('#notebook article').length";
pub(crate) const LAST: &str =
    "([...document.querySelectorAll('#notebook article')].at(-1)?.innerText ?? '')";
pub(crate) const IDLE: &str = "document.getElementById('stop').hidden";
pub(crate) const ALL: &str = "document.getElementById('notebook').innerText";
pub(crate) const LINE: &str = "document.getElementById('entry').value";
const HINT: &str = "document.getElementById('hint').textContent";
/// Nothing moves, and all leaves are set.
const SETTLED: &str = "document.getElementById('notebook').ariaLive === null";
/// The statements that wait.
const WAITING: &str =
    "[...document.querySelectorAll('#waiting code')].map((it) => it.textContent).join(' | ')";
/// The sessions that the page has stored, each with its entries and its statements.
const RECORDS: &str = "new Promise((answer) => {
    indexedDB.open('chainrule').onsuccess = ({ target: { result: base } }) => {
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

/// How often a leaf was set.
const SETS: &str = "all[0].kept.split(':set').length - 1";

/// Opens the page with this end of its address.
fn open(hash: &str) -> Option<Tab> {
    page()?;
    let Some(browser) = browser() else {
        let thread = std::thread::current();
        report_skip(thread.name().unwrap_or_default(), "a browser");
        return None;
    };
    let mut tab = Tab::new(&browser);
    tab.go(hash);
    Some(tab)
}

/// The address of the page.
fn address() -> String {
    format!("file://{}", page().expect("a page").display())
}

/// What a user does with the page and sees of it.
impl Tab {
    /// Opens the page with another end of its address.
    fn go(&mut self, hash: &str) {
        let runs = hash.starts_with("#run");
        let ready = if runs { "answer" } else { "prompt" };
        self.open(&(address() + hash), ready);
    }

    /// Enters a line, wherever the focus was, and waits for its answer, which is returned.
    fn enter(&mut self, line: &str) -> String {
        let focus = "document.getElementById('entry').focus()";
        let count = self.value(&format!("{focus}, {ENTRIES}"));
        self.insert(line);
        self.press("Enter", 0);
        self.wait(&format!("{ENTRIES} > {count} && {IDLE}"));
        self.text(LAST)
    }

    /// Enters a line, and does not wait for its answer.
    fn type_ahead(&mut self, line: &str) {
        self.insert(line);
        self.press("Enter", 0);
    }

    /// Enters lines, which have `|` between them.
    fn enter_all(&mut self, lines: &str) {
        for line in lines.split(" | ") {
            self.enter(line);
        }
    }

    /// Enters a line whose answer has these words.
    fn says(&mut self, line: &str, words: &str) {
        let answer = self.enter(line);
        assert!(
            answer.contains(words),
            "{line}: {words}: {}",
            self.text(ALL)
        );
    }

    /// Enters a line of the user's own in a lesson.
    fn enter_beside(&mut self, line: &str) -> String {
        self.clear();
        self.enter(line)
    }

    /// Enters a line of a lesson and waits for the next line.
    fn answer_lesson(&mut self, line: &str) {
        self.enter(line);
        self.wait(&format!("{LINE} !== ''"));
    }

    /// Enters the lines of a lesson up to its next guess.
    fn answer_until_guess(&mut self) {
        while !self.text(LINE).starts_with(":guess") {
            self.answer_lesson("");
        }
    }

    /// Clears the line.
    fn clear(&mut self) {
        self.press("c", 2);
        self.wait(&format!("{LINE} === ''"));
    }

    /// The page shows these words.
    fn shows(&mut self, words: &[&str]) {
        let all = self.text(ALL);
        for it in words {
            assert!(all.contains(it), "{it}: {all}");
        }
    }

    /// Waits until the last answer has these words.
    fn wait_for_answer(&mut self, words: &str) {
        self.wait(&format!("{LAST}.includes('{words}') && {IDLE}"));
    }

    /// Waits until this holds of all stored sessions.
    fn wait_for_records(&mut self, condition: &str) {
        self.wait(&format!("{RECORDS}.then((all) => {condition})"));
    }

    /// What holds of an expression.
    fn is(&mut self, expression: &str, expected: impl Into<Value>) {
        assert_eq!(self.value(expression), expected.into(), "{expression}");
    }

    fn number(&mut self, expression: &str) -> f64 {
        self.value(expression).as_f64().expect("a number")
    }

    /// Presses a button of the page.
    fn click(&mut self, words: &str) {
        self.value(&format!(
            "[...document.querySelectorAll('button')].findLast((it) => it.textContent === '{words}').click()"
        ));
    }

    /// Notes in `isScrolled` whether a touch becomes a scroll.
    fn watch_scrolling(&mut self) {
        self.value("addEventListener('pointercancel', () => (window.isScrolled = true), true); 0");
    }

    /// Opens the page again, which brings its session back.
    fn reload(&mut self) {
        self.open_again(|tab| {
            tab.send("Page.reload", &json!({}));
        });
        self.shows(&["is back"]);
    }

    /// Goes on when the page has been opened again.
    fn open_again(&mut self, act: impl FnOnce(&mut Tab)) {
        self.value("window.isOld = true");
        act(self);
        self.wait("!window.isOld && document.documentElement?.dataset.ready");
    }

    /// The texts of the stored sessions, by their names.
    fn stored_sessions(&mut self) -> String {
        self.text(&format!("{RECORDS}.then((all) => all.map((it) => `${{it.name}}: ${{it.entries.map(({{ text }}) => text).join('; ')}}`).sort().join(' | '))"))
    }

    /// Moves a slider to a number and lets it go.
    fn move_slider(&mut self, name: &str, number: f64) {
        let field = format!(
            "document.querySelector('.slider[data-name=\"{name}\"]:not([inert] *) .number')"
        );
        self.value(&script_moving(&field, number));
        self.wait(&format!("{SETTLED} && {IDLE}"));
    }

    /// What stands at an entry.
    fn at(&mut self, entry: usize) -> String {
        squeeze(&self.text(&format!("{ANSWERED}[{entry}].innerText")))
    }

    /// All entries as they stand.
    fn visible_text(&mut self) -> String {
        let all = format!("{ANSWERED}.map((it) => it.innerText).join(' ')");
        squeeze(&self.text(&all))
    }

    /// The end of the address of the link to the session, as *Copy link* shows it.
    fn link(&mut self) -> String {
        self.value("document.getElementById('copy').click()");
        let field = "[...document.querySelectorAll('input[aria-label^=The]')].at(-1)?.value";
        self.wait(field);
        self.text(field).replacen(&address(), "", 1)
    }

    /// Drops a file on the page, and returns the line that the page offers.
    fn drop_file(&mut self, name: &str, text: &str) -> String {
        let text = json!(text);
        self.value(&format!(
            "(() => {{
                const dataTransfer = new DataTransfer();
                dataTransfer.items.add(new File([{text}], '{name}'));
                document.body.dispatchEvent(new DragEvent('drop', {{ dataTransfer, bubbles: true, cancelable: true }}));
            }})()"
        ));
        self.wait(&format!("{LINE} !== ''"));
        self.text(LINE)
    }
}

/// A text with single blanks between its words.
fn squeeze(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The entries with their answers, without what the page says of links and sliders.
const ANSWERED: &str = "[...document.querySelectorAll('#notebook article > div:not(.sliders)')]";

/// The slider of a leaf, and the field beside it.
fn slider(name: &str) -> [String; 2] {
    ["[type=range]", ".number"]
        .map(|kind| format!("document.querySelector('[data-name=\"{name}\"] {kind}')"))
}

/// The script that moves a slider by the field beside it, and lets it go.
fn script_moving(field: &str, number: f64) -> String {
    format!(
        "{field}.value = {number}, {field}.dispatchEvent(new Event('input')), {field}.dispatchEvent(new Event('change')), true"
    )
}

#[test]
fn the_page_is_small() {
    // The user, the build and this test have one limit.
    let promised = fs::read_to_string("docs/guide/page.md").expect("a page");
    assert!(squeeze(&promised).contains("at most 2.15 MB, of which a server sends at most 1.6 MB"));
    assert!(squeeze(&promised).contains("at most 2.3 MB, or 1.75 MB in compressed form"));
    let build = fs::read_to_string("web/build").expect("a script");
    assert!(build.contains(&format!("most={MOST}\nmost_packed={MOST_COMPRESSED}\n")));
    assert!(build.contains(&format!(
        "most={MOST_WITHOUT_SOURCE}\n  most_packed={MOST_COMPRESSED_WITHOUT_SOURCE}\n"
    )));
    let Some(page) = page() else { return };
    let found = Command::new("rustc").args(["--print", "sysroot"]).output();
    let sysroot = String::from_utf8(found.expect("rustc").stdout).expect("a path");
    let has_source = Path::new(sysroot.trim()).join("lib/rustlib/src").is_dir();
    let (most, most_packed) = if has_source {
        (MOST, MOST_COMPRESSED)
    } else {
        (MOST_WITHOUT_SOURCE, MOST_COMPRESSED_WITHOUT_SOURCE)
    };
    let size = fs::read(&page).expect("a file").len();
    assert!(size <= most, "{size} bytes");
    let packed = Command::new("gzip").arg("-9c").arg(&page).output();
    let size = packed.expect("gzip").stdout.len();
    assert!(size <= most_packed, "{size} bytes compressed");
}

#[test]
fn what_needs_no_browser_is_tested_by_node() {
    let unpacker = "web/node_modules/xz-decompress";
    let has_unpacker = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join(unpacker)
        .is_dir();
    let (Some(node), true) = (find_tool("node"), has_unpacker) else {
        let needed = format!("node, or {unpacker}, which `npm ci --prefix web` installs,");
        return say_skipped("the tests of the page that need no browser", &needed);
    };
    // Without the page, node does not test the answers, and this says so.
    let _ = page();
    let tests = files("web/tests", ".test.js").into_iter();
    let mut command = Command::new(node);
    command.arg("--test").args(tests.map(|test| test.path));
    command.env("CHAINRULE", env!("CARGO_BIN_EXE_chainrule"));
    let ran = command.output().expect("node runs");
    let told = String::from_utf8_lossy(&ran.stdout);
    assert!(ran.status.success(), "{told}");
}

#[test]
fn buttons_read_tables_give_numbers_and_choose_files() {
    let Some(mut tab) = open("") else { return };
    tab.says("t\tU\n0\t1.5\n1\t2.5", "a table with the columns");
    tab.click("Read the table");
    tab.wait_for_answer("t, U: 2 rows");
    tab.says("U", "[1.5, 2.5]");
    tab.says("L = (va*vb + c) * vf", "Give va, vb, c and vf numbers");
    tab.click("Give va, vb, c and vf numbers");
    tab.wait_for_answer("L = 2");
    tab.wait("document.querySelector('#notebook [data-name=vf] [type=range]')");
    tab.says("M = L*rate", "Give rate a number");
    // Files are chosen and saved.
    tab.says(":data points.csv", "Choose points.csv");
    let table = tab.folder.file("points.csv", "x,y\n1,2\n2,4.5\n");
    let document = tab.send("DOM.getDocument", &json!({}));
    let asked = json!({"nodeId": document["root"]["nodeId"], "selector": "#file"});
    let found = tab.send("DOM.querySelector", &asked);
    tab.value("document.getElementById('file').click = () => {}; document.getElementById('choose').click()");
    let chosen = json!({"files": [table], "nodeId": found["nodeId"]});
    tab.send("DOM.setFileInputFiles", &chosen);
    tab.wait(&format!("{LINE} === ':data points.csv'"));
    let read = tab.enter("");
    assert!(read.contains('x') && !read.contains("error"), "{read}");
    // The same by dropping it.
    let line = tab.drop_file("more points.csv", "u,v\n3,4\n");
    assert_eq!(line, ":data \"more points.csv\"");
    let read = tab.enter("");
    assert!(read.contains('u') && !read.contains("error"), "{read}");
    tab.says(":save lesson.calc", "Download lesson.calc");
}

#[test]
fn a_formula_is_set_as_in_print_and_copied_as_it_is_typed() {
    let Some(mut tab) = open("") else { return };
    tab.enter_all("f(x) = x^2/sqrt(1 + x) | f'");
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
    let [name, fraction] = [-2, -1].map(|at| {
        tab.number(&format!(
            "[...document.querySelectorAll('math')].at({at}).getBoundingClientRect().height"
        ))
    });
    assert!(fraction > 1.5 * name, "no fraction: {fraction} for {name}");
}

#[test]
fn the_line_is_completed_and_goes_on_and_comes_back() {
    let Some(mut tab) = open("") else { return };
    tab.enter("a, b, c, f = 2, -3, 10, -2; L = (a*b + c) * f");
    tab.insert("M = L*2");
    tab.wait(&format!("{HINT} === '= -16'"));
    tab.wait("document.querySelector('#paint .name')");
    tab.clear();
    tab.insert(":expl");
    tab.press("Tab", 0);
    tab.wait(&format!("{LINE}.startsWith(':explain')"));
    tab.clear();
    // An open bracket continues on the next line, and history restores all lines.
    tab.insert("s = (1 +");
    tab.press("Enter", 0);
    tab.wait(&format!("{LINE} === 's = (1 +\\n'"));
    assert!(tab.enter("2)").contains("s = 3"));
    tab.press("ArrowUp", 0);
    assert_eq!(tab.text(LINE), "s = (1 +\n2)");
}

#[test]
fn what_waits_comes_back_into_the_line() {
    let Some(mut tab) = open("") else { return };
    let begin = |tab: &mut Tab| {
        tab.type_ahead(":step 0.0000001 10000000 of L");
        tab.type_ahead("a = 2");
        tab.type_ahead("a*2");
        tab.insert("half a li");
        tab.wait(&format!("{WAITING} === 'a = 2 | a*2'"));
    };
    tab.enter("w = 3; u = 4; L = (w - 1)^2 + u^2");
    begin(&mut tab);
    tab.click("Take back");
    tab.is(LINE, "a*2\nhalf a li");
    tab.press("c", 2);
    tab.wait_for_answer("Stopped");
    tab.is(LINE, "a = 2\na*2\nhalf a li");
    tab.is(WAITING, "");
    tab.clear();
    // So it does after a reload, at once.
    tab.wait_for_records("all.length === 1");
    begin(&mut tab);
    tab.insert("ne");
    tab.reload();
    let all = ":step 0.0000001 10000000 of L\na = 2\na*2\nhalf a line";
    tab.is(LINE, all);
    tab.is(WAITING, "");
}

// Sessions that are stored.

#[test]
fn a_reload_shows_what_was_there_and_was_typed() {
    let Some(mut tab) = open("") else { return };
    tab.enter("w, u = 3, 4; L = (w - 1)^2 + u^2");
    tab.enter_all("L + 1 | :grad L | :graph L | v = L; L = w + 1 | 2 + alhpa");
    tab.shows(&["unknown name"]);
    let before = tab.visible_text();
    tab.wait_for_records("all[0]?.entries.length === 6");
    tab.insert("half a li");
    tab.wait("document.getElementById('paint').textContent === 'half a li'");
    tab.reload();
    assert_eq!(tab.visible_text(), before);
    tab.is("document.querySelectorAll('figure svg').length", 1);
    tab.wait(&format!("{LINE} === 'half a li'"));
    tab.clear();
    tab.press("ArrowUp", 0);
    assert_eq!(tab.text(LINE), "half a li");
    tab.clear();
    // Results have the numbers that they had.
    tab.says("$1 + 1", "$2 = 22");
    tab.enter(":reset");
    tab.wait_for_records("all.length === 0");
}

#[test]
fn sessions_have_names_and_none_is_lost() {
    let Some(mut tab) = open("") else { return };
    let first = "document.querySelector('dialog.sessions li input')";
    let list = |tab: &mut Tab| {
        tab.value("document.getElementById('sessions').click()");
        tab.wait(first);
    };
    tab.enter("a = 2");
    tab.wait_for_records("all.length === 1");
    list(&mut tab);
    tab.value(&format!("{first}.value = 'mine'"));
    tab.value(&format!("{first}.dispatchEvent(new Event('change'))"));
    tab.wait_for_records("all[0].name === 'mine'");
    // One that goes on is the same session, under its name.
    tab.click("Close");
    tab.enter("a + 1");
    tab.wait_for_records("all[0].entries.length === 2");
    assert_eq!(tab.stored_sessions(), "mine: a = 2; a + 1");
    list(&mut tab);
    tab.click("Duplicate");
    tab.wait("document.querySelectorAll('dialog.sessions li').length === 2");
    tab.open_again(|tab| tab.click("New session"));
    assert!(!tab.text(ALL).contains("a = 2"), "{}", tab.text(ALL));
    tab.enter("c = 7");
    tab.wait_for_records("all.length === 3");
    let all = ": c = 7 | mine (copy): a = 2; a + 1 | mine: a = 2; a + 1";
    assert_eq!(tab.stored_sessions(), all);
    // A link has a session of its own, with which it goes on; so has the page without it.
    tab.go("#run=b%20%3D%203");
    tab.enter("b + 1");
    tab.wait_for_records("all.length === 4");
    tab.reload();
    tab.shows(&["$1 = 4"]);
    tab.go("");
    assert!(tab.text(ALL).contains("c = 7") && !tab.text(ALL).contains("b = 3"));
    list(&mut tab);
    tab.open_again(|tab| {
        tab.value("[...document.querySelectorAll('.sessions li')].find((it) => it.querySelector('input').value === 'mine').querySelector('button').click()");
    });
    tab.shows(&["$1 = 3"]);
    tab.move_slider("a", 5.0);
    tab.shows(&["$1 = 6"]);
    // A session with a name is not deleted by `:reset`.
    let kept = "all.some((it) => it.name === 'mine' && it.entries.at(-1).text === ':set a 5')";
    tab.wait_for_records(kept);
    tab.enter(":reset");
    tab.wait_for_records(kept);
}

/// Makes the stored session one of a version that counted from 1.
const AGED: &str = "new Promise((answer) => {
    indexedDB.open('chainrule').onsuccess = ({ target: { result: base } }) => {
        const store = base.transaction('entries', 'readwrite').objectStore('entries');
        store.openCursor().onsuccess = ({ target: { result: cursor } }) => {
            const kept = cursor.value.kept.replace(/chainrule [\\d.]+:/, 'chainrule 0.1.0:');
            cursor.update({ ...cursor.value, kept }).onsuccess = () => answer(base.close() ?? true);
        };
    };
})";

/// A stored session of a version that counted positions from 1 is refused with a message, and stays.
#[test]
fn a_stored_session_of_before_is_refused() {
    let Some(mut tab) = open("") else { return };
    tab.enter("w = [1, 2]; y = w[1]");
    tab.wait_for_records("all[0]?.kept.includes('y = w[1]')");
    tab.is(AGED, true);
    tab.open_again(|tab| {
        tab.send("Page.reload", &json!({}));
    });
    tab.shows(&["counted from 1"]);
    assert!(!tab.text(ALL).contains("is back"), "{}", tab.text(ALL));
    tab.enter("z = 3");
    tab.wait_for_records("all.length === 2");
}

// Sliders, and the answers that follow them.

#[test]
fn sliders_move_leaves_and_what_depends_on_them() {
    let Some(mut tab) = open("") else { return };
    // What is out of sight does not follow.
    tab.resize(1000, 1200, false);
    tab.enter_all("a, b = 2, -3; L = a*b + a^2 | a*b | :grad L | :graph L");
    let [range, number] = slider("a");
    let shows = |text: &str| format!("{ALL}.includes('{text}')");
    // By the pointer: L = a*b + a^2, and its gradient b + 2a. Nothing is set before the slider is let go.
    tab.drag(&range, 40.0);
    tab.wait(&format!("+{number}.value > 2.1"));
    let moved = tab.number(&format!("+{number}.value"));
    let beginning = |number: f64| -> String {
        let rounded = (number * 1e6).round() / 1e6;
        rounded.to_string().chars().take(5).collect()
    };
    let result = shows(&format!("L = {}", beginning(moved * moved - 3.0 * moved)));
    tab.wait(&result);
    tab.wait(&shows(&format!("$1 = {}", beginning(-3.0 * moved))));
    let picture = "document.querySelector('figure').textContent";
    let grad = beginning(2.0 * moved - 3.0);
    tab.wait(&format!("{picture}.includes('{grad}')"));
    // Escape brings back what was before.
    tab.press("Escape", 0);
    tab.wait(&shows("L = -2"));
    tab.wait(&format!("+{number}.value === 2"));
    tab.release();
    tab.wait(SETTLED);
    let same = "document.querySelector('figure svg').dataset.same";
    tab.value(&format!("{same} = 'yes'"));
    tab.drag(&range, 40.0);
    tab.wait(&result);
    let dragged = tab.text(picture);
    // It was drawn once: it gets the numbers only.
    tab.is(same, "yes");
    tab.release();
    tab.wait_for_records("all[0].kept.includes(':set a')");
    tab.is(&format!("+{number}.value"), moved);
    // These are what `:set` draws.
    assert_eq!(tab.text(picture), dragged);
    tab.value(&format!("delete {same}"));
    tab.enter(":graph L");
    let [first, second] = [0, 1].map(|at| format!("document.querySelectorAll('figure svg')[{at}]"));
    tab.is(&format!("{first}.isEqualNode({second})"), true);
    tab.says(":undo", ":set a");
    tab.wait(&format!("+{number}.value === 2"));
    tab.wait(&format!("{range}.valueAsNumber === 2"));
    // By the keyboard: one statement, however long the key is held.
    tab.value(&format!("{range}.focus()"));
    tab.press("ArrowRight", 0);
    tab.wait(&format!("+{number}.value === 2.01"));
    tab.wait_for_records("all[0].kept.includes(':set a 2.01')");
    tab.is(&format!("document.activeElement === {range}"), true);
    // A number may be typed, and one beyond the end of the slider moves the end.
    tab.value(&format!("{number}.focus(), {number}.select()"));
    tab.value("scrollTo(0, 0)");
    tab.insert("40");
    tab.wait(&shows("L = 1480"));
    tab.press("Enter", 0);
    tab.wait(&format!("{range}.valueAsNumber === 40 && {range}.max > 40"));
    // Nothing moves during a walk, and what is bound anew has a slider of its own.
    tab.enter(":walk L");
    tab.is(&format!("{range}.disabled && {number}.disabled"), true);
    tab.enter(":next 9");
    tab.is(&format!("{range}.disabled"), false);
    tab.enter("a = 1");
    tab.is("document.querySelectorAll('[data-name=a]').length", 1);
    let article = "document.querySelector('article:last-child')";
    tab.is(&format!("{article}.contains({range})"), true);
    // Ends and a step that were typed are those of the slider, also after a number beyond them.
    tab.enter("a = 2 in 0..10 by 0.5; :set a 12");
    let ends = format!("[{range}.min, {range}.max, {range}.step, {number}.value].join()");
    tab.is(&ends, "0,10,0.5,12");
}

#[test]
fn a_touch_that_becomes_a_scroll_sets_nothing() {
    let Some(mut tab) = open("") else { return };
    tab.resize(390, 500, true);
    tab.enter_all("k, b = 4, -3; L = k*b");
    tab.enter_all(&[":grad L"; 6].join(" | "));
    let [range, number] = slider("k");
    let (_, y) = tab.middle(&range);
    let [left, _, right, _] = tab.sides(&range);
    tab.watch_scrolling();
    tab.swipe((left + 0.2 * (right - left), y), (0.0, -110.0));
    tab.lift();
    tab.wait("window.isScrolled");
    tab.wait(&format!("+{number}.value === 4"));
    tab.wait(&format!("{range}.valueAsNumber === 4"));
    tab.says("L", "= -12");
    tab.is(&format!("{RECORDS}.then((all) => {SETS})"), 0);
}

// Links.

#[test]
fn links_run_statements_and_play_lessons() {
    let Some(mut tab) = open("#run=a%20%3D%203%0AL%20%3D%20a%5E2%0A%3Agrad%20L") else {
        return;
    };
    tab.shows(&["L = 9"]);
    assert!(tab.visible_text().contains("a leaf 3 6"));
    tab.is("indexedDB.databases().then((all) => all.length)", 0);
    tab.is("document.getElementById('start')", Value::Null);
    tab.go("#play=neuron");
    tab.is("document.getElementById('start')", Value::Null);
    let before = tab.text(LINE);
    assert!(!before.is_empty(), "{}", tab.text(ALL));
    tab.enter("");
    assert_ne!(tab.text(LINE), before, "{}", tab.text(ALL));
}

#[test]
fn a_link_has_every_entry_and_a_part_of_it_stands_in_another_page() {
    let Some(mut tab) = open("") else { return };
    tab.enter("a, b = 2, -3; L = a*b + a^2");
    tab.enter_all(":plot L a=-3..3 | 2 + alhpa | :graph L");
    let [range, number] = slider("a");
    tab.drag(&range, 40.0);
    tab.release();
    tab.wait_for_records("all[0].kept.includes(':set a')");
    tab.wait(SETTLED);
    let shown = "document.querySelectorAll('figure')[1].textContent";
    let graph = tab.text(shown);
    let link = tab.link();
    assert!(link.starts_with("#run=~") && link.len() < 250, "{link}");
    tab.go(&link);
    tab.is(ENTRIES, 4);
    tab.is("document.querySelectorAll('figure svg').length", 2);
    tab.is(shown, graph);
    tab.go(&link.replace('~', "~!"));
    tab.shows(&["damaged"]);
    // In a frame of another page: the graph alone, and the sliders.
    let src = format!("{}{link}&show=4", address());
    let page =
        format!("<html data-ready='page'><iframe width=800 height=600 src='{src}'></iframe>");
    let outer = tab.folder.file("course.html", &page);
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
    let mut wait = |condition: &str| {
        let begun = Instant::now();
        while value(condition) != true {
            assert!(begun.elapsed() < PATIENCE, "never true: {condition}");
        }
    };
    wait("document.documentElement.dataset.ready === 'answer'");
    wait(&format!("{ALL}.includes(':graph L')"));
    wait(&format!("!{ALL}.includes(':plot')"));
    let visible = "[...document.querySelectorAll('.slider, header, #prompt')].filter((it) => it.checkVisibility())";
    wait(&format!("{visible}.length === 2"));
    wait(&script_moving(&number, 5.0));
    wait(&format!("{ALL}.includes('25')"));
    wait("indexedDB.databases().then((all) => all.length < 2)");
}

// The page in its window.

/// The least size on the screen of the letters of the last picture.
const LEAST_LETTERS: &str = "Math.min(...[...[...document.querySelectorAll('figure > svg')].at(-1).querySelectorAll('text')].map((it) => parseFloat(getComputedStyle(it).fontSize) * it.getScreenCTM().d || Infinity))";

#[test]
fn letters_can_be_read_on_a_telephone() {
    let Some(mut tab) = open("") else { return };
    tab.resize(390, 800, false);
    tab.enter("a, b, c, d = 1, 2, 3, 4; L = tanh(a*b + c*d)^2 + a");
    tab.enter("const xs, ys = [1, 2, 3, 4], [2.1, 3.9, 6.2, 7.8]");
    let pictures = ":graph L | :graph L named | :plot L a=-3..3 | :plot L a=-3..3 b=-3..3 | :plot ys | \
        :plot L, a^2, sin(a) a=-3..3 size 40x10 | :fit ys ~ p + q*xs plot";
    for line in pictures.split(" | ") {
        tab.enter(line);
        tab.wait("document.querySelector('article:last-child figure')");
        let least = tab.number(LEAST_LETTERS);
        assert!(least >= 9.0, "{line}: {least}");
    }
    tab.enter(":tree L");
    let least = "Math.min(...[...document.querySelectorAll('#notebook article:last-child td')].map((it) => parseFloat(getComputedStyle(it).fontSize)))";
    assert!(tab.number(least) >= 9.0);
}

#[test]
fn pictures_tell_what_is_under_the_pointer() {
    let Some(mut tab) = open("") else { return };
    tab.enter_all("a, b = 2, -3; L = a^2 + b | :plot L a=-4..4");
    let frame = "document.querySelector('.frame')";
    let (_, y) = tab.middle(frame);
    let [left, _, right, _] = tab.sides(frame);
    tab.point_at((left + 0.7 * (right - left), y));
    // There a is 1.6, but for a pixel.
    let told = format!(
        "{ALL}.match(/at a = (.*): L = (.*), slope (.*)/)?.slice(1).map((it) => Number(it.replace('−', '-')))"
    );
    tab.wait(&format!("(({{0: a, 1: L, 2: slope}}) => Math.abs(a - 1.6) < 0.02 && Math.abs(L - (a * a - 3)) < 1e-9 && Math.abs(slope - 2 * a) < 1e-9)({told})"));
    tab.point_at((1.0, 1.0));
    tab.wait(&format!("{told}[0] === 2"));
    // By the keys; nothing is set.
    let picture = "document.querySelector('figure svg')";
    tab.value(&format!("{picture}.focus()"));
    tab.press("ArrowRight", 0);
    tab.wait(&format!("Math.abs({told}[0] - 0.16) < 1e-9"));
    tab.press("Enter", 0);
    tab.wait("document.querySelector('dialog[open] svg')");
    tab.press("Escape", 0);
    tab.wait("!document.querySelector('dialog')");
    tab.is("document.activeElement.id", "entry");
    // At a point of a curve without a range, its axis stays where it is.
    tab.enter("M = a^2; :plot M");
    let last = "[...document.querySelectorAll('figure svg')].at(-1)";
    tab.value(&format!("{last}.focus()"));
    tab.press("ArrowRight", 0);
    tab.wait(&format!("!{last}.textContent.includes('at a = 2: M = 4')"));
    let axis = format!("{last}.querySelector('.frame').dataset.key");
    tab.is(&axis, "-5 5 a");
    // Of a node, what is between it and the root.
    tab.enter(":graph L");
    let node =
        "[...document.querySelectorAll('.node')].find((it) => it.textContent.startsWith('b'))";
    let place = tab.middle(node);
    tab.point_at(place);
    tab.wait("document.querySelector('.off')");
    let on = "[...document.querySelectorAll('.node:not(.off)')].map((it) => it.querySelector('text').textContent).sort().join()";
    tab.is(on, "L,b");
    tab.says("a", "= 2");
}

#[test]
fn a_picture_is_seen_large_and_moves_there() {
    let Some(mut tab) = open("") else { return };
    tab.enter_all("a, b = 2, -3; L = a*b + a^2 | :graph L");
    let pictures = "document.querySelectorAll('.large figure > svg')";
    let open_picture = |at: usize| {
        format!(
            "document.querySelectorAll('article:last-child figure > svg')[{at}].dispatchEvent(new MouseEvent('click', {{bubbles: true}}))"
        )
    };
    let page = "document.documentElement.scrollHeight";
    let before = tab.value(page);
    tab.value(&open_picture(0));
    tab.wait(&format!("{pictures}.length === 1"));
    // The page below stays as long as it was.
    tab.is(page, before);
    let stage = "document.querySelector('.stage')";
    let wide = format!("{pictures}[0].getBoundingClientRect().width");
    let fitted = tab.number(&wide);
    let is_whole = format!(
        "(({{scrollWidth, clientWidth, scrollHeight, clientHeight}}) => scrollWidth <= clientWidth && scrollHeight <= clientHeight)({stage})"
    );
    tab.is(&is_whole, true);
    // By keys and buttons.
    tab.press("+", 0);
    assert!((tab.number(&wide) / fitted - 1.25).abs() < 0.01);
    tab.click("+");
    tab.click("+");
    assert!((tab.number(&wide) / fitted - 1.25_f64.powi(3)).abs() < 0.01);
    tab.click("−");
    assert!((tab.number(&wide) / fitted - 1.25_f64.powi(2)).abs() < 0.01);
    // What is under the pointer stays there.
    let share = format!("(300 - {pictures}[0].getBoundingClientRect().x) / {wide}");
    let before = tab.number(&share);
    for _ in 0..2 {
        let wheel = json!({"type": "mouseWheel", "x": 300, "y": 300, "deltaX": 0, "deltaY": -120, "modifiers": 2});
        tab.send("Input.dispatchMouseEvent", &wheel);
    }
    tab.wait(&format!("{wide} > {fitted} * 1.9"));
    let share = tab.number(&share);
    assert!((share - before).abs() < 0.01, "{share} for {before}");
    // It is dragged.
    let left = format!("{stage}.scrollLeft");
    let from = tab.number(&left);
    tab.drag(stage, 60.0);
    tab.release();
    assert!((from - tab.number(&left) - 60.0).abs() < 2.0);
    tab.click("Fit");
    tab.is(&is_whole, true);
    // The node under the pointer says what it is.
    let node = "[...document.querySelectorAll('.large .node')].find((it) => it.textContent.startsWith('b'))";
    let place = tab.middle(node);
    tab.point_at(place);
    tab.wait("document.querySelector('.large #hint').textContent.startsWith('b')");
    // A slider moves it, and sets its leaf: L = 5*-3 + 25.
    tab.value("document.querySelector('.large').dataset.same = 'yes'");
    let field = "document.querySelector('.large [data-name=a] .number')";
    let data = "document.querySelector('.large .root .data').textContent";
    tab.value(&format!("{field}.value = 4"));
    tab.value(&format!("{field}.dispatchEvent(new Event('input'))"));
    tab.wait(&format!("{data} === '4'"));
    tab.value(&script_moving(field, 5.0));
    tab.wait(SETTLED);
    tab.is(data, "10");
    tab.is("document.querySelector('.large[open]').dataset.same", "yes");
    tab.click("Close");
    tab.wait("!document.querySelector('dialog')");
    tab.is("document.activeElement.id", "entry");
    tab.is("document.querySelector('#prompt #hint') !== null", true);
    tab.says("L", "= 10");
    // One of two pictures; Escape closes it.
    tab.enter(":plot L a=-3..3\n:plot L b=-3..3");
    tab.value(&open_picture(1));
    tab.wait(&format!("{pictures}.length === 2"));
    tab.value(&format!("{field}.focus()"));
    tab.press("-", 0);
    tab.is("document.querySelector('.fitted') !== null", true);
    tab.press("Escape", 0);
    tab.wait("!document.querySelector('dialog')");
    tab.is("document.activeElement.id", "entry");
}

// What a first visit sees, what answers have for the line, and what telephones lack.

const IS_STARTING: &str = "!document.getElementById('start').hidden";

/// The words of the graph of the start, with the numbers at its wires.
const STARTING_GRAPH: &str = "document.getElementById('graph').textContent";

/// The backward pass of the start has not come to all boxes yet.
const IS_UNDER_WAY: &str =
    "[...document.querySelectorAll('#graph .grad')].some((it) => it.textContent === '·')";

/// The handle of a leaf in the graph of the start.
fn handle(name: &str) -> String {
    format!("document.querySelector('#graph [role=slider][aria-label={name}]')")
}

/// Waits until the start shows L = (a*b)^2 with its grads: 2a*b^2 for a and 2a^2*b for b.
fn wait_for_start(tab: &mut Tab, a: f64, b: f64) {
    let numbers = [
        (a * b).powi(2),
        2.0 * a * b * b,
        2.0 * a * a * b,
        2.0 * a * b,
    ];
    let [root, by_a, by_b, product] = numbers.map(|it| (it * 1000.0).round() / 1000.0);
    tab.wait(&format!(
        "['data {a}\\ngrad {by_a}', 'data {b}\\ngrad {by_b}', '= {product}'].every((it) => {STARTING_GRAPH}.includes(it)) && document.getElementById('value').textContent === '{root}'"
    ));
}

#[test]
fn a_visit_begins_with_a_graph_that_moves_and_finds_its_names_free() {
    let Some(mut tab) = open("") else { return };
    tab.wait(&format!("{IS_STARTING} && {}", handle("a")));
    // The pass runs by itself: at first only L has a grad, and at the end each product stands at its wire.
    tab.wait(IS_UNDER_WAY);
    wait_for_start(&mut tab, 2.0, -1.0);
    let derivative =
        "document.querySelector('#derivative math:last-of-type').getAttribute('alttext')";
    tab.is(derivative, "2*a*b^2");
    tab.drag(&handle("a"), 20.0);
    wait_for_start(&mut tab, 2.5, -1.0);
    tab.release();
    // By the keys, and by a finger.
    tab.value(&format!("{}.focus()", handle("b")));
    tab.press("ArrowUp", 0);
    tab.press("ArrowUp", 0);
    wait_for_start(&mut tab, 2.5, -0.8);
    tab.is(derivative, "2*a^2*b");
    tab.is(&format!("{}.ariaValueNow", handle("b")), "-0.8");
    let place = tab.middle(&handle("b"));
    tab.swipe(place, (-80.0, 0.0));
    tab.lift();
    wait_for_start(&mut tab, 2.5, -2.8);
    // Each step goes down.
    let mut value = 49.0;
    for _ in 0..3 {
        tab.click("Step");
        let now = "+document.getElementById('value').textContent";
        tab.wait(&format!("{now} < {value}"));
        value = tab.number(now);
    }
    tab.click("Play");
    tab.wait(IS_UNDER_WAY);
    tab.is(ENTRIES, 0);
    tab.says("a", "unknown name");
    tab.is("document.getElementById('start')", Value::Null);
    tab.enter("a = 7");
    tab.wait_for_records("all.length === 1");
    tab.reload();
    tab.is(IS_STARTING, false);
    // The next visit sees it, too, beside the session. Who wants no motion sees the end of the pass at once.
    tab.value("sessionStorage.clear()");
    let still = json!({"features": [{"name": "prefers-reduced-motion", "value": "reduce"}]});
    tab.send("Emulation.setEmulatedMedia", &still);
    tab.go("");
    tab.wait(&format!("{IS_STARTING} && {}", handle("a")));
    assert!(tab.text(STARTING_GRAPH).contains("grad -8"));
    tab.open_again(|tab| tab.click("Bring it back"));
    tab.shows(&["a = 7", "is back"]);
}

#[test]
fn a_visit_on_a_telephone_begins_above_the_fold() {
    let Some(mut tab) = open("") else { return };
    tab.enter("a = 7");
    tab.wait_for_records("all.length === 1");
    tab.value("sessionStorage.clear()");
    for (width, height) in [(390, 844), (360, 740)] {
        tab.resize(width, height, true);
        tab.go("");
        tab.wait(&format!("{IS_STARTING} && {}", handle("a")));
        wait_for_start(&mut tab, 2.0, -1.0);
        let [_, prompt, ..] = tab.sides("document.getElementById('prompt')");
        for part in [
            "#graph svg",
            "#value",
            "#pass",
            "#descend",
            "#derivative",
            "#offer button",
        ] {
            let [left, top, right, bottom] =
                tab.sides(&format!("document.querySelector('{part}')"));
            assert!(
                left >= 0.0 && top >= 0.0 && right <= width as f64 && bottom <= prompt,
                "{part}: {left} {top} {right} {bottom}"
            );
        }
        assert!(tab.number(LEAST_LETTERS) >= 9.0);
        for key in [
            "#keys button",
            "#graph [role=slider]",
            "#menu",
            "#ways button",
        ] {
            let least = format!(
                "Math.min(...[...document.querySelectorAll('{key}')].flatMap((it) => [it.offsetWidth, it.offsetHeight]))"
            );
            assert!(tab.number(&least) >= 24.0, "{key}");
        }
    }
}

#[test]
fn a_first_visit_begins_by_a_click() {
    let Some(mut tab) = open("") else { return };
    for (words, answer) in [
        ("a derivative", "shows the rules"),
        ("backprop by hand", "1 of 29"),
        ("my table", "Paste a table"),
    ] {
        tab.go("");
        tab.wait(IS_STARTING);
        tab.click(words);
        tab.wait(&format!("{ALL}.includes('{answer}') && {IDLE}"));
        tab.is("document.getElementById('start')", Value::Null);
        if words == "my table" {
            tab.click("a small one");
            tab.wait(&format!("{ALL}.includes('12 points') && {IDLE}"));
        }
        tab.clear();
        tab.enter(":reset");
        tab.wait_for_records("all.length === 0");
    }
}

#[test]
fn words_of_answers_go_into_the_line() {
    let Some(mut tab) = open("") else { return };
    tab.enter(":help");
    let count = tab.value(ENTRIES);
    let word = |word: &str| {
        format!(
            "[...document.querySelectorAll('#notebook [role=button]')].findLast((it) => it.textContent === '{word}')"
        )
    };
    tab.insert("half a li");
    tab.value(&format!("{}.click()", word(":grad L")));
    assert_eq!(tab.text(LINE), ":grad L");
    // By the keys, and what was there is not lost.
    tab.value(&format!("{}.focus()", word(":tour")));
    tab.press("Enter", 0);
    assert_eq!(tab.text(LINE), ":tour");
    for line in [":grad L", "half a li"] {
        tab.press("ArrowUp", 0);
        assert_eq!(tab.text(LINE), line);
    }
    tab.clear();
    tab.is(ENTRIES, count);
    // The help of an error.
    tab.enter("w_out + 1");
    tab.value(&format!("{}.click()", word("w_out = 2")));
    assert_eq!(tab.text(LINE), "w_out = 2");
    tab.enter("");
    // A name takes the place of what is selected.
    tab.enter_all("alpha = 3 | 2 + alhpa");
    tab.press("ArrowUp", 0);
    tab.value("document.getElementById('entry').setSelectionRange(4, 9)");
    tab.value(&format!("{}.click()", word("alpha")));
    tab.says("", "= 5");
    // What was entered is no button, and the end of a lesson has one.
    tab.is("document.querySelectorAll('kbd [role=button]').length", 0);
    tab.enter_all(":play slope; :play 22; a = 2; g = a^2 | ");
    tab.value(&format!("{}.click()", word(":play chain")));
    assert_eq!(tab.text(LINE), ":play chain");
}

#[test]
fn telephones_have_keys_above_the_line() {
    let Some(mut tab) = open("") else { return };
    let shows = |id: &str| format!("document.getElementById('{id}').checkVisibility()");
    tab.is(&shows("keys"), false);
    tab.resize(390, 800, false);
    tab.wait(&shows("keys"));
    // The line keeps the focus, and so the telephone its keyboard.
    let press = |tab: &mut Tab, sign: &str| {
        tab.click_on(&format!(
            "[...document.querySelectorAll('#keys button')].find((it) => it.textContent === '{sign}')"
        ));
        tab.is("document.activeElement.id", "entry");
    };
    tab.enter("alpha = 3");
    tab.insert("2");
    press(&mut tab, "*");
    tab.insert("al");
    let choice = "document.querySelector('#choices:not([hidden]) li')";
    tab.wait(choice);
    tab.click_on(choice);
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
    // The buttons of the session are in one menu.
    tab.is(&shows("save"), false);
    tab.click("Menu");
    tab.is(&shows("save"), true);
    tab.click("Sessions");
    tab.wait("document.querySelector('dialog[open]')");
    tab.is(&shows("save"), false);
    tab.click("Close");
    tab.is(&shows("leave"), false);
    tab.enter(":play slope");
    tab.is(&shows("leave"), true);
    tab.click("Leave lesson");
    tab.wait_for_answer("left at 1 of 22");
    tab.is(&shows("leave"), false);
}

/// The source of axe-core, which `.ci/run` installs.
fn axe() -> Option<String> {
    let path = "web/node_modules/axe-core/axe.min.js";
    let source = fs::read_to_string(path).ok();
    if source.is_none() {
        say_skipped("whether everybody can use the page", path);
    }
    source
}

const WIDTHS: &[u64] = &[390, 800, 1280, 1920];

/// axe-core finds nothing in the elements of a selector, at these widths and in both themes.
fn assert_nothing_found(tab: &mut Tab, part: &str, widths: &[u64]) {
    let findings = format!(
        "axe.run('{part}').then(({{ violations }}) => violations.map(({{ id, nodes }}) => `${{id}}: ${{nodes[0].html}}`))"
    );
    for &width in widths {
        tab.resize(width, 800, false);
        for theme in ["light", "dark"] {
            let theme = json!({"features": [{"name": "prefers-color-scheme", "value": theme}]});
            tab.send("Emulation.setEmulatedMedia", &theme);
            assert_eq!(tab.value(&findings), json!([]), "{part} {width} {theme}");
        }
    }
}

#[test]
fn everybody_can_use_the_page() {
    let (Some(axe), Some(mut tab)) = (axe(), open("")) else {
        return;
    };
    tab.value(&format!("{axe}; 0"));
    tab.wait(&handle("a"));
    assert_nothing_found(&mut tab, "html", WIDTHS);
    // An open row of sliders, and answers of before.
    tab.enter("a, b, c, d, w = 1, 2, 3, 4, [5, 6]; L = tanh(a*b + c*d)^2 + a");
    tab.click_on("document.querySelector('summary')");
    tab.enter_all(":grad L | :graph L | :plot L a=-3..3 | :vars | :help fit");
    tab.enter("const xs, ys = [1, 2, 3, 4], [2.1, 3.9, 6.2, 7.8]");
    tab.enter_all(":fit ys ~ p + q*xs plot | :assert L == 5 | :assert a == 5 | :assert a > b | :step 0.01 of L | 3\n4 | :play slope");
    tab.clear();
    tab.is("document.querySelectorAll('.before').length > 2", true);
    tab.is("document.querySelector('details').open", true);
    assert_nothing_found(&mut tab, "html", WIDTHS);
    tab.insert(":ex");
    tab.press("Tab", 0);
    tab.wait("!document.getElementById('choices').hidden");
    assert_nothing_found(&mut tab, "#prompt", WIDTHS);
    tab.clear();
    tab.value("document.getElementById('sessions').click()");
    tab.wait("document.querySelector('dialog[open]')");
    assert_nothing_found(&mut tab, "dialog", WIDTHS);
    tab.click("Close");
    tab.enter(":play stop");
    tab.enter(":play slope");
    tab.answer_until_guess();
    assert_nothing_found(&mut tab, "#prompt", WIDTHS);
    tab.resize(390, 800, false);
    tab.click("Menu");
    tab.wait("document.getElementById('save').checkVisibility()");
    assert_nothing_found(&mut tab, "header", &[390]);
}

/// The roles and names in the accessibility tree.
fn accessible(tab: &mut Tab) -> Vec<String> {
    let tree = tab.send("Accessibility.getFullAXTree", &json!({}));
    let nodes = tree["nodes"].as_array().expect("nodes").iter();
    let word = |node: &Value, key: &str| {
        let value = &node[key]["value"];
        value.as_str().unwrap_or_default().to_owned()
    };
    let seen = nodes.filter(|node| node["ignored"] == false);
    seen.map(|node| format!("{} {}", word(node, "role"), word(node, "name")))
        .collect()
}

#[test]
fn a_screen_reader_goes_from_entry_to_entry() {
    let Some(mut tab) = open("") else { return };
    tab.enter_all("a, b = 2, -3; L = a*b + a^2 | :graph L");
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
    tab.clear();
    tab.insert(":step 0.0000001 10000000 of L");
    tab.press("Enter", 0);
    tab.wait(&format!("{status} === 'running'"));
    tab.press("c", 2);
    tab.wait(&format!("{status} === ''"));
}

// Sliders at pictures, and points of pictures that are handles.

/// The sliders at the last picture, each with its number.
const AT_PICTURE: &str = "[...[...document.querySelectorAll('article:has(figure)')].at(-1).querySelectorAll('.slider')].map((it) => `${it.dataset.name}=${it.querySelector('.number').value}`).join(' ')";

#[test]
fn leaves_of_a_picture_have_sliders_at_it() {
    let Some(mut tab) = open("") else { return };
    tab.resize(1280, 800, false);
    tab.enter_all("b, a, c = -3, 2, 1 | L = a^2 + b | :plot L a=-5..5");
    tab.is(AT_PICTURE, "a=2 b=-3");
    // Both are seen at once, also in a small window, with the statement on top.
    let picture = "document.querySelector('figure > svg')";
    let docked = "document.querySelector('.docked')";
    for (width, height) in [(1200, 800), (800, 600), (390, 844)] {
        tab.resize(width, height, false);
        tab.value("scrollTo(0, document.body.scrollHeight)");
        let [_, top, _, foot] = tab.sides(picture);
        let [_, above, ..] = tab.sides(docked);
        let [.., below] = tab.sides("document.querySelector('.docked .slider:last-child')");
        let [_, prompt, ..] = tab.sides("document.getElementById('prompt')");
        // On a telephone the sliders are above the picture, where no finger hides it.
        let is_seen = if width == 390 {
            0.0 <= above && below <= top && foot <= prompt
        } else {
            0.0 <= top && foot <= above && below <= prompt
        };
        assert!(is_seen, "{width}: {top} {foot} {above} {below} {prompt}");
    }
    // In a wide one the picture stands beside the statements and sliders, and in sight. Their left edge is where it was
    // without a picture.
    tab.resize(1280, 800, false);
    tab.enter_all(":help | :help fit");
    let edge = "document.getElementById('line').getBoundingClientRect().left";
    let with_picture = tab.number(edge);
    tab.value("document.querySelectorAll('.beside').forEach((it) => it.classList.replace('beside', 'other'))");
    assert_eq!(tab.number(edge), with_picture);
    tab.value("document.querySelectorAll('.other').forEach((it) => it.classList.replace('other', 'beside'))");
    let [left, top, right, foot] = tab.sides(picture);
    let [.., end, _] = tab.sides("document.querySelector('.docked')");
    assert!(end <= left && right <= 1280.0 && 0.0 <= top && foot <= 800.0);
    // It is the last one that depends on the leaf of the slider that is used.
    tab.enter(":plot c^2");
    let beside =
        "[...document.querySelectorAll('.beside > figure > svg')].map((it) => it.ariaLabel).join()";
    tab.is(beside, "c^2 over c");
    tab.value("document.querySelector('.slider[data-name=a] [type=range]').focus()");
    tab.is(beside, "L over a");
    // On paper it stands below its statement.
    tab.send("Emulation.setEmulatedMedia", &json!({"media": "print"}));
    tab.is(
        "getComputedStyle(document.querySelector('.beside > figure')).position",
        "static",
    );
    tab.send("Emulation.setEmulatedMedia", &json!({"media": ""}));
    tab.is(
        "document.documentElement.scrollWidth - document.documentElement.clientWidth",
        0,
    );
    // A picture that is higher than the window has them in sight, the ones that it names first, and not all.
    tab.resize(1000, 500, false);
    let names: Vec<String> = (0..20).map(|at| format!("w{at}")).collect();
    tab.enter(&format!("{} = {}", names.join(", "), ["1"; 20].join(", ")));
    tab.enter(&format!("N = {}", names.join(" + ")));
    tab.enter("w7; :graph N");
    let graph = "[...document.querySelectorAll('figure')].at(-1)";
    tab.value(&format!("{graph}.scrollIntoView()"));
    let [.., foot] = tab.sides(graph);
    let [.., below] = tab.sides("[...document.querySelectorAll('.docked')].at(-1)");
    assert!(below < 500.0 && foot > 500.0, "{below} {foot}");
    tab.is(AT_PICTURE, "w7=1 w0=1 w1=1 w2=1 w3=1 w4=1");
    // A reload keeps them, and a picture that does not move any more has none.
    tab.wait_for_records("all[0]?.entries.length === 9");
    tab.reload();
    tab.is(AT_PICTURE, "w7=1 w0=1 w1=1 w2=1 w3=1 w4=1");
    tab.enter("w0 = 2");
    tab.is(AT_PICTURE, "w7=1 w1=1 w2=1 w3=1 w4=1");
    tab.enter("N = 3");
    tab.is(AT_PICTURE, "");
    tab.is("document.querySelectorAll('[data-name=w7]').length", 1);
}

/// The present point of the last picture.
const POINT: &str = "[...document.querySelectorAll('.present > circle + circle')].at(-1)";

#[test]
fn the_point_of_a_curve_drags_its_leaf() {
    let Some(mut tab) = open("") else { return };
    tab.resize(1280, 800, false);
    tab.enter_all("a, b = 2, -3 | L = a^2 + b | :plot L a=-5..5");
    let number = "+document.querySelector('.docked [data-name=a] .number').value";
    let [left, _, right, _] = tab.sides("document.querySelector('.frame')");
    let width = right - left;
    let [from, ..] = tab.sides(POINT);
    tab.drag(POINT, width / 10.0);
    // The frame is 10 wide, so a tenth of it is 1, but for a pixel.
    tab.wait(&format!("Math.abs({number} - 3) <= 10 / {width} + 1e-9"));
    let now = tab.number(number);
    tab.wait(&format!("{ALL}.includes('at a = {now}: L = ')"));
    let [to, ..] = tab.sides(POINT);
    assert!((to - from - width / 10.0).abs() < 1.5, "{from} {to}");
    // Escape brings the leaf back, and sets nothing.
    tab.press("Escape", 0);
    tab.wait(&format!(
        "{number} === 2 && {ALL}.includes('at a = 2: L = 1')"
    ));
    tab.release();
    tab.wait(SETTLED);
    tab.is(&format!("{RECORDS}.then((all) => {SETS})"), 0);
    // Where it is let go, the leaf is set, once; no picture opens.
    tab.drag(POINT, width / 10.0);
    tab.release();
    tab.wait_for_records(&format!("{SETS} === 1"));
    tab.wait(SETTLED);
    tab.says("a", &format!("= {now}"));
    tab.is("document.querySelector('dialog')", Value::Null);
    tab.says(":undo", ":set a");
    tab.wait(&format!("{number} === 2"));
    // A click on the point is one on the picture.
    tab.click_on(POINT);
    tab.wait("document.querySelector('dialog[open]')");
    tab.press("Escape", 0);
    tab.wait("!document.querySelector('dialog')");
    // The axis of a curve without a range stays where it is while the point moves.
    tab.enter_all("M = a^2 | :plot M");
    let frame = "[...document.querySelectorAll('.frame')].at(-1)";
    let key = format!("{frame}.dataset.key");
    tab.is(&key, "-5 5 a");
    tab.drag(POINT, -width / 10.0);
    tab.wait(&format!("{ALL}.includes('at a = 1: M = 1')"));
    tab.is(&key, "-5 5 a");
    tab.release();
    tab.wait(SETTLED);
    tab.is(&key, "-5 5 a");
    // On a logarithmic axis by its decades.
    tab.enter_all(":set a 10 | :plot M a=1..100 logx");
    let [left, _, right, _] = tab.sides(frame);
    tab.drag(POINT, (right - left) / 4.0);
    let now = format!("{ALL}.match(/.*at a = ([^:]*): M/s)?.[1]");
    tab.wait(&format!("Math.abs(Math.log10({now}) - 1.5) < 0.01"));
    tab.release();
}

#[test]
fn the_point_of_a_map_drags_two_leaves() {
    let Some(mut tab) = open("") else { return };
    tab.resize(390, 844, true);
    tab.enter_all("a, b = 2, -3 | L = a^2 + b^2 | :plot L a=-4..4 b=-8..8");
    let numbers = "['a', 'b'].map((name) => +document.querySelector(`.docked [data-name=${name}] .number`).value)";
    let [left, top, right, bottom] = tab.sides("document.querySelector('.frame')");
    let (wide, high) = (right - left, bottom - top);
    // A quarter of the map to the left is 2 less, an eighth of it up is 2 more; a finger may be beside the point.
    let (x, y) = tab.middle(POINT);
    let scrolled = tab.value("scrollY");
    tab.swipe((x + 8.0, y + 8.0), (-wide / 4.0, -high / 8.0));
    tab.wait(&format!(
        "(([a, b]) => Math.abs(a) <= 8 / {wide} && Math.abs(b + 1) <= 16 / {high})({numbers})"
    ));
    tab.lift();
    tab.wait_for_records(&format!("{SETS} === 1"));
    tab.wait(SETTLED);
    tab.is("scrollY", scrolled);
    let a = tab.value(numbers)[0].clone();
    tab.shows(&[&format!("at a = {a}, b = ")]);
    // It is one change.
    tab.says(":undo", ":set a");
    tab.wait(&format!("{numbers}.join() === '2,-3'"));
    // A finger that goes up elsewhere in the map scrolls, and sets nothing.
    tab.middle(POINT);
    tab.watch_scrolling();
    let [left, _, _, bottom] = tab.sides("document.querySelector('.frame')");
    tab.swipe((left + 20.0, bottom - 20.0), (0.0, -90.0));
    tab.lift();
    tab.wait("window.isScrolled");
    tab.says("L", "= 13");
}

// Lessons, and what is saved of a session.

/// The words of a lesson are no part of the answers, which sliders change, and its questions keep their numbers.
#[test]
fn a_slider_leaves_a_question_as_it_was_asked() {
    let Some(mut tab) = open("#play=slope") else {
        return;
    };
    tab.answer_until_guess();
    let words = [
        "y is computed from x.",
        "5 of 22",
        "So what is the slope of y at 3?",
        "6 of 22: type a guess",
    ];
    tab.shows(&words);
    tab.move_slider("x", 4.0);
    tab.shows(&words);
    tab.shows(&["y = 37"]);
    tab.wait_for_records("all[0]?.entries.at(-1).text === ':set x 4'");
    tab.reload();
    tab.shows(&words);
    // The slope at 4 is 20.
    let wrong = tab.enter("20");
    assert!(wrong.contains("dy/dx is not 20"), "{wrong}");
    tab.shows(&["y = 20", "are back: x = 3."]);
    tab.shows(&words);
    tab.move_slider("x", -1.0);
    tab.answer_lesson("14");
    tab.shows(&["right: dy/dx = 14", "7 of 22"]);
    let page = saved_text(&mut tab, "Save page");
    assert!(page.contains("So what is the slope of y at 3?"), "{page}");
}

/// The file has four pixels for one of the picture, and is light on a dark screen, too.
#[test]
fn a_picture_is_downloaded_as_png() {
    let Some(mut tab) = open("") else { return };
    let theme = json!({"features": [{"name": "prefers-color-scheme", "value": "dark"}]});
    tab.send("Emulation.setEmulatedMedia", &theme);
    tab.enter_all("x = 1; y = x^2 | :plot y x=-1..1 size 300x200 p.svg");
    tab.value(
        "(() => {
            URL.createObjectURL = (blob) => ((window.saved = blob), 'blob:0');
            HTMLAnchorElement.prototype.click = function () { window.savedName = this.download; };
        })()",
    );
    tab.click("Download as PNG");
    tab.wait("window.savedName === 'p.png'");
    let seen = "createImageBitmap(window.saved).then((drawn) => {
        const pen = new OffscreenCanvas(drawn.width, drawn.height).getContext('2d');
        pen.drawImage(drawn, 0, 0);
        const { data } = pen.getImageData(0, 0, drawn.width, drawn.height);
        const colors = new Set(new Uint32Array(data.buffer)).size > 20 ? 'colors' : 'none';
        return [drawn.width, drawn.height, ...data.slice(0, 4), colors].join(' ');
    })";
    tab.is(seen, "600 400 255 255 255 255 colors");
}

const OWN_LESSON: &str =
    "# My lesson: squares.\na = 3\nL = a^2\n# hint: twice a\n:guess a 2a of L\n# The end.\n";

#[test]
fn a_lesson_in_plain_text_has_a_box_for_each_guess() {
    let lesson = "%23%20Squares.%0A%0Aa%20%3D%203%0AL%20%3D%20a%5E2%0A%3Aguess%20a%206%20of%20L%0A%3Aguess%20L%201%0A";
    let Some(mut tab) = open(&format!("#lesson={lesson}")) else {
        return;
    };
    tab.wait(&format!("{LINE} === 'a = 3'"));
    tab.shows(&[":play Squares.calc", "1 of 4"]);
    let box_shown = "document.querySelector('#gap mark')?.textContent ?? null";
    let solve = "document.getElementById('solve').checkVisibility()";
    tab.is(box_shown, Value::Null);
    tab.is(solve, false);
    tab.answer_lesson("");
    tab.enter("");
    tab.wait(&format!("{LINE} === ':guess a  of L'"));
    tab.is(box_shown, "  ");
    // What is typed goes into the box, wherever the cursor is.
    tab.value("document.getElementById('entry').setSelectionRange(0, 0)");
    tab.insert("1");
    tab.insert("2");
    assert_eq!(tab.text(LINE), ":guess a 12 of L");
    tab.is(box_shown, " 12 ");
    // After a wrong guess the lesson asks again.
    tab.press("Enter", 0);
    tab.wait(&format!("{LINE} === ':guess a  of L'"));
    tab.click("Show me");
    tab.wait(&format!("{LINE} === ':guess L '"));
    tab.shows(&["the answer: 6"]);
    tab.insert("1");
    tab.press("Enter", 0);
    tab.wait_for_answer("the end of Squares.calc");
    tab.is(box_shown, Value::Null);
    tab.is(solve, false);
    for (hash, words) in [
        ("#lesson=~broken", "The link is damaged"),
        ("#lesson=%23%20words", "has no statements"),
    ] {
        tab.go(hash);
        tab.wait_for_answer(words);
    }
}

#[test]
fn what_is_typed_nowhere_goes_into_the_line() {
    let Some(mut tab) = open("") else { return };
    tab.enter("a = 2");
    let type_letter = |tab: &mut Tab, letter: &str| {
        for kind in ["keyDown", "keyUp"] {
            let text = if kind == "keyDown" { letter } else { "" };
            tab.send(
                "Input.dispatchKeyEvent",
                &json!({"type": kind, "key": letter, "text": text}),
            );
        }
    };
    tab.value("document.activeElement.blur()");
    type_letter(&mut tab, "a");
    tab.value("document.getElementById('save').focus()");
    type_letter(&mut tab, "+");
    tab.click("Sessions");
    tab.wait("document.querySelector('dialog[open]')");
    tab.press("Escape", 0);
    tab.wait("!document.querySelector('dialog')");
    tab.is("document.activeElement.id", "entry");
    type_letter(&mut tab, "1");
    assert_eq!(tab.text(LINE), "a+1");
    // A field keeps what is typed in it.
    tab.value("document.querySelector('.slider .number').select()");
    type_letter(&mut tab, "7");
    tab.is("document.querySelector('.slider .number').value", "7");
    assert_eq!(tab.text(LINE), "a+1");
}

#[test]
fn a_slider_shows_its_ends_and_takes_others() {
    let Some(mut tab) = open("") else { return };
    tab.enter("a, b, c, z = 2, -3, 1, 0");
    let ends = "[...document.querySelectorAll('article:first-child .slider')].map((it) => [...it.querySelectorAll('.end')].map((end) => end.value).join('..')).join(' ')";
    tab.is(ends, "-5..5 -10..5 -2..2 -1..1");
    // Beyond 0 these have no value.
    tab.enter_all("y = sqrt(a) + c | ln(-b)");
    tab.wait(&format!("{ends} === '0..5 -10..0 -2..2 -1..1'"));
    // What is typed holds for each slider of the leaf, and a range that runs backwards is not taken.
    tab.enter(":plot y a=1..2");
    let type_end = |tab: &mut Tab, end: &str, number: &str| {
        tab.value(&format!("((it) => (it.value = '{number}', it.dispatchEvent(new Event('change'))))(document.querySelector('.slider[data-name=a] .{end}'))"));
    };
    type_end(&mut tab, "high", "20");
    type_end(&mut tab, "low", "30");
    tab.is(ends, "0..20 -10..0 -2..2 -1..1");
    tab.is("[...document.querySelectorAll('.slider[data-name=a] [type=range]')].map((it) => it.max).join()", "20,20");
    tab.move_slider("a", 16.0);
    tab.is(ends, "0..20 -10..0 -2..2 -1..1");
    tab.says("y", "= 5");
    // They are there after a reload.
    tab.wait_for_records("all[0]?.entries.length === 6");
    tab.reload();
    tab.wait(&format!("{ends}.startsWith('0..20 ')"));
    // A new leaf of this name has other ends.
    tab.enter("a = 4");
    tab.is("[...document.querySelectorAll('article:last-child .end')].map((it) => it.value).join('..')", "-10..10");
}

#[test]
fn a_short_list_has_its_sliders_in_a_row_that_opens() {
    let Some(mut tab) = open("") else { return };
    tab.resize(1000, 1600, false);
    tab.enter_all("w = [0.5, -0.5, 1] in -5..5 | L = sum(w^2) | xs = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21] | :plot L w[1]=-5..5");
    // A longer list has none.
    let rows = "[...document.querySelectorAll('summary')].map((it) => it.textContent).join()";
    tab.is(rows, "w: 3 sliders,w: 3 sliders");
    let [range, number] = slider("w[0]");
    tab.is(&format!("{range}.checkVisibility()"), false);
    tab.click_on("document.querySelector('summary')");
    tab.wait(&format!("{range}.checkVisibility()"));
    let ends =
        "[...document.querySelectorAll('article:first-child .end')].map((it) => it.value).join()";
    tab.is(ends, "-5,5,-5,5,-5,5");
    // L is the sum of the squares, during the drag and after it.
    tab.drag(&range, 40.0);
    tab.wait(&format!("+{number}.value > 0.6"));
    let moved = tab.number(&format!("+{number}.value"));
    let shown = |number: f64| format!("{ALL}.includes('L = {}')", (number * 1e4).round() / 1e4);
    tab.wait(&shown(moved * moved + 1.25));
    tab.press("Escape", 0);
    tab.wait(&format!("{} && +{number}.value === 0.5", shown(1.5)));
    tab.release();
    tab.move_slider("w[0]", 2.0);
    tab.move_slider("w[1]", -3.0);
    tab.wait_for_records(
        "all[0].kept.includes(':set w[0] 2') && all[0].kept.includes(':set w[1] -3')",
    );
    tab.shows(&["w = [2, -3, 1]", "L = 14", "at w[1] = -3"]);
    let marks = "[...document.querySelectorAll('.went')].map((it) => `${it.textContent} ${it.dataset.now}`).join()";
    tab.is(marks, "0.5 2,-0.5 -3");
    // The point of the curve drags its number.
    tab.drag(POINT, 60.0);
    tab.wait("+document.querySelector('.docked [data-name=\"w[1]\"] .number').value > -3");
    tab.press("Escape", 0);
    tab.release();
    tab.wait(SETTLED);
    tab.enter(":undo");
    tab.wait(&format!(
        "{} && {ALL}.includes('w = [2, -0.5, 1]')",
        shown(5.25)
    ));
    tab.wait_for_records("!all[0].kept.includes('w[1] -3')");
    tab.reload();
    tab.wait(&format!("+{number}.value === 2"));
    tab.is(rows, "w: 3 sliders,w: 3 sliders");
    tab.move_slider("w[2]", 0.0);
    tab.shows(&["L = 4.25"]);
    // Another list of this name has sliders of its own.
    tab.enter("w = [1, 2]");
    let left = "[...document.querySelectorAll('summary')].filter((it) => it.checkVisibility()).map((it) => it.textContent).join()";
    tab.is(left, "w: 2 sliders");
}

#[test]
fn a_lesson_of_ones_own_opens_by_link_as_a_lesson() {
    let Some(mut tab) = open("") else { return };
    let stands_at =
        |place: usize| format!("all.some((it) => it.lesson?.place.startsWith('{place} '))");
    tab.drop_file("my lesson.calc", OWN_LESSON);
    tab.clear();
    tab.answer_lesson(":play \"my lesson.calc\"");
    tab.answer_lesson("");
    let link = tab.link();
    assert!(link.starts_with("#lesson=~"), "{link}");
    tab.wait_for_records(&stands_at(1));
    tab.reload();
    assert_eq!(tab.text(LINE), "L = a^2", "{}", tab.text(ALL));
    tab.go(&link);
    assert_eq!(tab.text(LINE), "a = 3", "{}", tab.text(ALL));
    tab.shows(&["My lesson: squares.", "1 of 3"]);
    tab.answer_lesson("");
    tab.answer_lesson("");
    tab.wait_for_records(&stands_at(2));
    tab.reload();
    assert_eq!(tab.text(LINE), ":guess a  of L", "{}", tab.text(ALL));
    assert!(tab.enter("6").contains("the end of my lesson.calc"));
}

/// What *Save* puts into the downloads, by the words of its button, as the page tells the browser.
fn saved_text(tab: &mut Tab, words: &str) -> String {
    tab.value(
        "(() => {
            window.saved = undefined;
            URL.createObjectURL = (blob) => (blob.text().then((text) => (window.saved = text)), 'blob:0');
            HTMLAnchorElement.prototype.click = () => {};
        })()",
    );
    tab.click("Save");
    tab.click(words);
    tab.wait("window.saved !== undefined");
    tab.text("window.saved")
}

#[test]
fn what_is_seen_is_saved_with_a_link_and_a_worksheet_has_gaps() {
    let Some(mut tab) = open("") else { return };
    tab.enter_all("a = 2; L = a^2 + a | :grad L | :graph L");
    let page = json!(saved_text(&mut tab, "Save page"));
    let main =
        format!("new DOMParser().parseFromString({page}, 'text/html').querySelector('main')");
    let shown = squeeze(&tab.text(&format!("{main}.textContent")));
    assert!(shown.replace(' ', "").contains("aleaf25"), "{shown}");
    tab.is(&format!("{main}.querySelectorAll('svg').length"), 1);
    let address = tab.text(&format!("{main}.querySelector('a').getAttribute('href')"));
    assert!(address.starts_with("chainrule.html#run=~"), "{address}");
    let sheet = saved_text(&mut tab, "Save worksheet");
    let gap = sheet
        .split_once("<main")
        .is_some_and(|(_, main)| main.contains("__________"));
    assert!(gap && sheet.contains("<svg"), "{sheet}");
    let key = saved_text(&mut tab, "Save its answers");
    assert!(key != sheet && !key.contains("__________"), "{key}");
}
