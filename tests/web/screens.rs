//! Twenty screens at four widths: nothing overlaps or is cut off at the sides, and what is pressed is large enough for a
//! finger, 24 pixels as WCAG 2.5.8 asks.

use super::{IDLE, LINE, open};
use crate::common::devtools::Tab;

/// A function that returns what is wrong with the layout.
const FAULTS: &str = include_str!("screen_faults.js");

/// The windows that show the same session. A telephone has pictures of its own width, and so a session of its own.
const TELEPHONE: &[(u64, u64)] = &[(390, 844)];
const WIDE: &[(u64, u64)] = &[(800, 600), (1280, 800), (1920, 1080)];

/// Checks the screen in windows of these sizes, and collects its faults.
struct Screens<'t> {
    tab: &'t mut Tab,
    sizes: &'static [(u64, u64)],
    faults: Vec<String>,
    count: usize,
}

impl Screens<'_> {
    fn resize(&mut self, (width, height): (u64, u64)) {
        self.tab.resize(width, height, self.is_telephone());
    }

    fn is_telephone(&self) -> bool {
        self.sizes == TELEPHONE
    }

    fn check(&mut self, screen: &str) {
        self.count += 1;
        for &size in self.sizes {
            self.resize(size);
            self.note(&format!("{screen} at {}", size.0), false);
        }
    }

    fn note(&mut self, screen: &str, is_tall: bool) {
        let found = self.tab.value(&format!("({FAULTS})({is_tall})"));
        let found = found.as_array().expect("a list").iter();
        let sentences = found.filter_map(|it| it.as_str());
        // What is wrong with one answer is seen on later screens, too.
        let is_new = |it: &&str| !self.faults.iter().any(|known| known.ends_with(it));
        let new: Vec<&str> = sentences.filter(is_new).collect();
        self.faults
            .extend(new.iter().map(|it| format!("{screen}: {it}")));
    }

    /// Enters a line and checks the screen with its answer.
    fn enter(&mut self, line: &str) {
        self.tab.enter(line);
        self.tab
            .wait("document.getElementById('notebook').ariaLive === null");
        self.check(line);
    }

    /// Clicks on what a selector finds, waits for what this shows, and checks the screen.
    fn press(&mut self, pressed: &str, shown: &str) {
        let click = "dispatchEvent(new MouseEvent('click', { bubbles: true }))";
        self.tab
            .value(&format!("document.querySelector('{pressed}').{click}"));
        self.tab.wait(&format!(
            "document.querySelector('{shown}')?.checkVisibility()"
        ));
        self.check(shown);
    }

    /// Closes a dialog.
    fn close(&mut self) {
        self.tab.press("Escape", 0);
        self.tab.wait("!document.querySelector('dialog')");
    }
}

/// The lines of a session, each of which makes a screen.
const LINES: &[&str] = &[
    "a, b = 2, -3; L = (a*b)^2 + a",
    ":grad L",
    "learning_rate, weight_decay = 0.00123456, -1234.5678",
    "m = [[1, 2], [3, 4]]",
    ":vars",
    ":graph L",
    ":plot L a=-3..3",
    ":plot L a=-3..3 b=-4..4",
    "2 + alhpa",
    "f(x) = x^2/sqrt(1 + x)\nf'",
    "long = tanh(1.25*a + 2.5*b) + tanh(1.25*a - 2.5*b) + exp(-(a - 1)^2/2 - (b + 1)^2/2) + log(1 + a^2 + b^2) + sin(a*b)*cos(a/b)",
    ":help",
    ":help fit",
    "t\tU\n0\t1.5\n1\t2.5",
    ":data points.csv",
    "M = p*q + r",
    ":set a 12345.678",
    ":undo",
    ":step 0.01 of L",
    ":walk L",
    ":next 9",
    ":walk L ask",
];

fn faults_of_screens(tab: &mut Tab, sizes: &'static [(u64, u64)]) -> Vec<String> {
    let mut screens = Screens {
        tab,
        sizes,
        faults: Vec::new(),
        count: 1,
    };
    for &size in sizes.iter().rev() {
        screens.resize(size);
        // So that the first screen offers the session that is stored.
        screens.tab.value("sessionStorage.clear()");
        screens.tab.go("");
        screens.tab.wait("document.querySelector('#graph [role=slider]') && document.querySelector('#offer button')");
        screens.note(&format!("the first screen at {}", size.0), false);
    }
    screens.tab.enter("w = [0.5, -0.5, 1]");
    screens.press("summary", "details .slider");
    for line in LINES {
        screens.enter(line);
    }
    screens.tab.enter_beside(":next 9");
    screens.press("#copy", "input[aria-label^=The]");
    screens
        .tab
        .value("document.getElementById('entry').focus()");
    screens.tab.insert(":ex");
    screens.tab.press("Tab", 0);
    screens
        .tab
        .wait("!document.getElementById('choices').hidden");
    screens.check("completions");
    screens.tab.clear();
    screens.tab.type_ahead(":step 0.0000001 10000000 of L");
    screens.tab.type_ahead("a*2");
    screens.tab.wait(
        "document.querySelector('#waiting button') && !document.getElementById('stop').hidden",
    );
    screens.check("statements that wait");
    screens.tab.press("c", 2);
    // What waited comes back into the line.
    screens.tab.wait(&format!("{IDLE} && {LINE} === 'a*2'"));
    screens
        .tab
        .value("document.getElementById('entry').value = ''");
    if screens.is_telephone() {
        screens.press("#menu", "#save");
        screens.tab.press("Escape", 0);
    }
    screens.press("#sessions", "dialog li");
    screens.close();
    screens.press("#save", "dialog button");
    screens.close();
    screens.press("figure > svg", "dialog.large");
    screens.close();
    screens.tab.enter(":play slope");
    screens.tab.answer_until_guess();
    screens.check("the gap of a lesson");
    assert!(screens.count >= 20, "{}", screens.count);
    // In a window as high as the page, nothing covers anything.
    for &(width, _) in sizes {
        screens.resize((width, 30_000));
        screens.note(&format!("the page at {width}"), true);
    }
    screens.faults
}

#[test]
fn on_no_screen_anything_overlaps_or_is_cut_off_or_too_small() {
    let Some(mut tab) = open("") else { return };
    tab.enter("a = 7");
    tab.wait_for_records("all.length === 1");
    let mut faults = faults_of_screens(&mut tab, WIDE);
    faults.extend(faults_of_screens(&mut tab, TELEPHONE));
    assert_eq!(faults, Vec::<String>::new(), "{}", faults.join("\n"));
}

/// Styles that spoil the page, each with a fault that it makes.
const PLANTED: &[(&str, &str)] = &[
    (
        "#run { margin-left: -9rem }",
        "textarea#entry \"Statement\" overlaps button#run \"Run\"",
    ),
    (
        "#line #run { min-height: 0; height: 20px; padding: 0 }",
        "button#run \"Run\" has 20.0 pixels",
    ),
    ("main { margin-left: -60px }", "b \"a\" is cut at the side"),
    (
        "article .line { margin: -2rem 0 !important }",
        "overlaps code \"L\"",
    ),
    (
        "#hint { position: absolute; inset: 0; z-index: 1 }",
        "button#run \"Run\" is covered by p#hint",
    ),
];

#[test]
fn faults_of_the_layout_are_found() {
    let Some(mut tab) = open("") else { return };
    tab.resize(800, 600, false);
    tab.enter("a = 2; L = a^2");
    let found = |tab: &mut Tab| tab.text(&format!("({FAULTS})(true).join('; ')"));
    assert_eq!(found(&mut tab), "");
    for (style, fault) in PLANTED {
        tab.value("document.getElementById('planted')?.remove()");
        tab.value(&format!(
            "document.head.insertAdjacentHTML('beforeend', `<style id=planted>{style}</style>`)"
        ));
        let found = found(&mut tab);
        assert!(found.contains(fault), "{style}: {found}");
    }
}
