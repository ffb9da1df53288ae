//! Random sequences of what a user may do with the page: at their end the screen shows what the program answers.

use std::fmt::Write as _;

use serde_json::{Value, json};

use super::follow::{answers_of_program, texts, words_of};
use super::{IDLE, LAST, RECORDS, SETTLED, open};
use crate::common::devtools::Tab;
use crate::common::process::run;

/// How many sequences are tried. `SEQUENCES=300` tries more, and `FIRST=17` begins with another one.
fn sequences() -> std::ops::Range<u64> {
    let number = |name: &str, usual: u64| {
        let given = std::env::var(name).ok();
        given.map_or(usual, |text| text.parse().expect("a number"))
    };
    let first = number("FIRST", 0);
    first..first + number("SEQUENCES", 30)
}

/// Random choices, the same for each seed.
struct Choices(u64);

impl Choices {
    /// A number below `count`.
    fn below(&mut self, count: usize) -> usize {
        // The generator of Knuth's MMIX. Its upper bits are the better ones.
        self.0 = (self.0)
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % count as u64) as usize
    }

    fn of<'a>(&mut self, all: &[&'a str]) -> &'a str {
        all[self.below(all.len())]
    }

    /// A number with at most one decimal.
    fn number(&mut self) -> f64 {
        (self.below(80) as f64 - 39.0) / 10.0
    }
}

const STATEMENTS: &[&str] = &[
    "LL = aa*bb + aa^2",
    "LL = (aa - 1)^2 + bb",
    "MM = LL*aa",
    "MM = tanh(aa) + bb",
    "ww = [1, -2]",
    "MM = sum(ww^2)*aa",
    "f(x) = aa*x^2 + bb",
    "f(x) = x^3*aa",
    "LL",
    "LL",
    "MM",
    "3*aa",
    "aa + bb",
    "sum(ww)*bb",
    "f(2)",
    "f'(2)",
    "dLL/daa",
    "_ + 1",
    ":grad LL",
    ":grad LL",
    ":grad MM",
    ":check LL",
    ":explain aa",
    ":nudge aa",
    ":tree LL",
    ":vars",
    ":graph LL",
    ":graph MM",
    ":plot LL aa=-5..5",
    ":plot LL bb=-3..3",
    ":plot LL aa=-3..3 bb=-3..3",
    ":plot f -2..2",
    "aa*2\nLL",
    "MM = LL + 1; MM",
    ":step 0.01 of LL",
    "2 + alhpa",
    ":reset",
];

/// Does one thing that a user may do. Returns what it was.
fn act(tab: &mut Tab, choices: &mut Choices) -> String {
    let name = choices.of(&["aa", "bb"]);
    let number = choices.number();
    match choices.below(24) {
        0..9 => {
            let statement = choices.of(STATEMENTS);
            enter(tab, statement);
            statement.to_owned()
        }
        9 | 10 => {
            let statement = format!("{name} = {number}");
            enter(tab, &statement);
            statement
        }
        11 | 12 => {
            let statement = format!(":set {name} {number}");
            enter(tab, &statement);
            statement
        }
        13 | 14 => {
            let command = choices.of(&[":undo", ":undo", ":redo"]);
            enter(tab, command);
            command.to_owned()
        }
        15..18 => {
            let leaf = choices.of(&["aa", "bb", "ww[0]"]);
            slide(tab, leaf, number, choices.below(3) == 0)
        }
        18 => {
            tab.value("document.getElementById('entry').value = ''");
            tab.drop_file("s.calc", "cc = 5\nLL = aa*cc + bb\n3*cc\n");
            enter(tab, ":load s.calc");
            ":load".to_owned()
        }
        19 => {
            reload(tab);
            "reload".to_owned()
        }
        20 => {
            let link = tab.link();
            tab.go(&link);
            "link".to_owned()
        }
        21 => {
            let statement = choices.of(&[":play slope", ":play chain", ":play stop", ""]);
            enter(tab, statement);
            format!("lesson {statement}")
        }
        22 => two_tabs(tab),
        _ => stop(tab),
    }
}

/// Enters a line in place of the one that a lesson has prepared, or that one.
fn enter(tab: &mut Tab, line: &str) {
    tab.value("document.getElementById('entry').focus()");
    if !line.is_empty() {
        select_line(tab);
    }
    tab.type_ahead(line);
    settle(tab);
}

/// Selects the line, wherever the focus was, so that the next text replaces it.
fn select_line(tab: &mut Tab) {
    tab.value(
        "document.getElementById('entry').focus(), document.getElementById('entry').select()",
    );
}

/// Moves a slider by its field, in some steps, and releases it or breaks off.
fn slide(tab: &mut Tab, name: &str, number: f64, is_broken_off: bool) -> String {
    let field =
        format!("document.querySelector('.slider[data-name=\"{name}\"]:not([inert] *) .number')");
    if tab.value(&format!("{field}?.disabled ?? true")) == true {
        return String::new();
    }
    for step in 1..4 {
        let now = number * f64::from(step) / 3.0;
        let input = format!("{field}.value = {now}, {field}.dispatchEvent(new Event('input'))");
        tab.value(&input);
        // In between, the answers of the trial are shown or not.
        std::thread::sleep(std::time::Duration::from_millis(7 * step as u64));
    }
    let end = if is_broken_off {
        "new KeyboardEvent('keydown', { key: 'Escape' })"
    } else {
        "new Event('change')"
    };
    tab.value(&format!("{field}.dispatchEvent({end})"));
    tab.wait(&format!("{SETTLED} && {IDLE}"));
    format!("slide {name} {number} {is_broken_off}")
}

/// Opens the page again, if it has a session to bring back.
fn reload(tab: &mut Tab) {
    settle(tab);
    tab.open_again(|tab| {
        tab.send("Page.reload", &json!({}));
    });
}

/// Enters a statement in a copy of the tab, and goes back.
fn two_tabs(tab: &mut Tab) -> String {
    settle(tab);
    let first = tab.duplicate();
    tab.wait("document.documentElement?.dataset.ready");
    enter(tab, "aa = 100");
    settle(tab);
    tab.close();
    tab.go_back(first);
    "two tabs".to_owned()
}

/// Stops a long step.
fn stop(tab: &mut Tab) -> String {
    enter(tab, "LL");
    if tab.text(LAST).contains("error") {
        return "no stop".to_owned();
    }
    select_line(tab);
    tab.type_ahead(":step 0.0000001 10000000 of LL");
    // The page shows after a moment that it runs.
    std::thread::sleep(std::time::Duration::from_millis(400));
    tab.press("c", 2);
    settle(tab);
    "stop".to_owned()
}

/// Waits until nothing has changed for a while.
fn settle(tab: &mut Tab) {
    let state = format!("{IDLE} && {SETTLED} && document.body.innerText.length");
    tab.wait(&format!(
        "(async () => {{
            const [before] = [{state}, await new Promise((resolve) => setTimeout(resolve, 120))];
            return before && before === ({state});
        }})()"
    ));
}

/// The stored session of this tab.
const OWN: &str = "sessionStorage.getItem(`tab${location.hash}`)";

/// What is wrong with the screen.
fn fault(tab: &mut Tab) -> Option<String> {
    settle(tab);
    // No trial is left on the screen: it shows the answers that are stored.
    let record = tab.value(&format!(
        "{RECORDS}.then((all) => all.find((it) => it.key === {OWN}))"
    ));
    let entries = record["entries"].as_array()?;
    let shown: Vec<&Value> = entries.iter().filter(|it| it["html"] != "").collect();
    let html = json!(shown.iter().map(|it| &it["html"]).collect::<Vec<_>>());
    let stored = texts(&tab.value(&words_of(&format!(
        "{html}.map((html) => new DOMParser().parseFromString(html, 'text/html').body)"
    ))));
    let on_screen = texts(&tab.value(&words_of(super::ANSWERED)));
    if on_screen != stored {
        return Some(format!(
            "the screen has {on_screen:#?}, and is stored with {stored:#?}"
        ));
    }
    // Each live answer is what the program answers to the statements that count.
    let is_in_lesson = !record["lesson"].is_null();
    for (entry, words) in shown.iter().zip(&stored) {
        let text = entry["text"].as_str().expect("a text");
        if entry["state"] != "live" || is_in_lesson || text.contains('_') {
            continue;
        }
        let kept = record["kept"].as_str().expect("statements");
        let mut script = kept.to_owned();
        match entry["pass"].as_str() {
            Some(root) => writeln!(script, ":grad {root}"),
            // A pass of another root ends with `:undo`.
            None => writeln!(script, "zz = 1\n:undo"),
        }
        .expect("a text");
        // So that it has the target which it took.
        if let Some(target) = entry["target"].as_str() {
            writeln!(script, "{target};").expect("a text");
        }
        let Some((asked, before)) = question(text) else {
            continue;
        };
        let script = format!("{script}\n{asked}");
        let expected = answers_of_program(tab, &script, asked.lines().count()).join(" ");
        // Notes are given once.
        let without_notes = |words: &str| words.split(" note: ").next().map(str::to_owned);
        if without_notes(words) != without_notes(&format!("{before}{expected}")) {
            return Some(format!(
                "`{text}` is {words}, not {expected} as in\n{script}"
            ));
        }
    }
    // Sliders stand where the program has their leaves.
    let sliders = "[...document.querySelectorAll('.slider:not([inert] *)')].filter((it) => !it.querySelector('.number').disabled).map((it) => `${it.dataset.name} ${it.querySelector('.number').value}`)";
    for slider in texts(&tab.value(sliders)) {
        let (name, number) = slider.split_once(' ').expect("a name and a number");
        let kept = record["kept"].as_str().expect("statements");
        let told = run(&["-"], format!("{kept}\n:assert {name} == {number}\n")).err;
        if told.contains("error:") && !is_in_lesson {
            return Some(format!("the slider {slider}: {told}\n{kept}"));
        }
    }
    None
}

/// The statement whose answer in the program is that of an entry, and the words before that answer: names may have other
/// numbers now, so a binding is not repeated. `None` if there is no such statement.
fn question(text: &str) -> Option<(&str, String)> {
    match text.split_once(" = ") {
        None => Some((text, String::new())),
        Some((name, _)) if name.len() == 1 && !text.contains([';', '\n']) => {
            Some((name, format!("{name} = ")))
        }
        Some(_) => None,
    }
}

#[test]
fn after_random_sequences_the_screen_shows_what_the_program_answers() {
    let Some(mut tab) = open("") else { return };
    tab.resize(1000, 3000, false);
    for seed in sequences() {
        let mut choices = Choices(seed + 1);
        tab.go("");
        tab.value("sessionStorage.clear()");
        tab.go("");
        tab.enter("aa, bb = 2, -3");
        let mut done = Vec::new();
        for _ in 0..12 {
            done.push(act(&mut tab, &mut choices));
        }
        let fault = fault(&mut tab);
        assert_eq!(
            fault.as_deref().unwrap_or_default(),
            "",
            "after {done:#?} of seed {seed}"
        );
    }
}
