//! What follows a slider, `:set` and `:undo` on the page: each answer is that of the program at the same numbers, or says
//! that it is one of before.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::{ALL, SETTLED, open, slider, squeeze};
use crate::common::devtools::Tab;
use crate::common::process::run;

/// Statements that bind names.
const GIVEN: &str = "a, b, c, f = 2, -3, 10, -2\nL = (a*b + c)*f\ng(x) = a*x^3";

/// Statements whose answers follow a.
const FOLLOWING: [&str; 14] = [
    "L",
    ":grad L",
    ":vars",
    ":check L",
    ":explain a",
    ":nudge a",
    ":graph L",
    ":plot L a=-3..3 b=-3..3",
    ":plot L a=-5..5",
    ":plot L b=-5..5",
    ":plot g -2..2",
    "g'(2)",
    "dL/db",
    ":tree L",
];

/// The words of answers below statements, without the statements, the numbers of results, and the legends
/// and numbers that only pictures on the page have. A name that means something
/// else since is `a@1`, as soon as the answer is given again.
pub(super) fn words_of(answers: &str) -> String {
    format!("{WORDS}({answers})")
}

const WORDS: &str = "((answers) => answers.map((answer) => {
    const copy = answer.cloneNode(true);
    copy.querySelectorAll('kbd, style, .place, .place + .dim, .legend, .present text').forEach((it) => it.remove());
    // Otherwise the number of the next cell would be a part of `a@1`.
    copy.querySelectorAll('td').forEach((it) => it.append(' '));
    return copy.textContent.replace(/@\\d+/g, '').replace(/\\s+/g, ' ').replace(/^\\s*=?\\s*/, '').trim();
}))";

/// The words that the program answers to the last statements of a script.
pub(super) fn answers_of_program(tab: &mut Tab, script: &str, count: usize) -> Vec<String> {
    let page = json!(run(&["--echo=html", "-"], script).out);
    let sections = format!(
        "[...new DOMParser().parseFromString({page}, 'text/html').querySelectorAll('main section')].slice(-{count})"
    );
    texts(&tab.value(&words_of(&sections)))
}

pub(super) fn texts(list: &Value) -> Vec<String> {
    let items = list.as_array().expect("a list").iter();
    items
        .map(|it| it.as_str().expect("a text").to_owned())
        .collect()
}

/// The words of the last answers on the page.
fn answers_of_page(tab: &mut Tab, count: usize) -> Vec<String> {
    let answers = format!(
        "[...document.querySelectorAll('#notebook article > div:not(.sliders, .steps, .walk)')].slice(-{count})"
    );
    texts(&tab.value(&words_of(&answers)))
}

#[test]
fn at_each_place_of_a_slow_drag_all_answers_are_those_of_the_program() {
    let Some(mut tab) = open("") else { return };
    // All of them are in sight.
    tab.resize(1000, 12_000, false);
    tab.enter(GIVEN);
    for statement in FOLLOWING {
        tab.enter(statement);
    }
    tab.enter_all(":walk L | :next 9");
    let [range, number] = slider("a");
    let (x, y) = tab.middle(&range);
    let move_to = |tab: &mut Tab, kind: &str, x: f64| {
        let params =
            json!({"type": kind, "x": x, "y": y, "button": "left", "buttons": 1, "clickCount": 1});
        tab.send("Input.dispatchMouseEvent", &params);
    };
    move_to(&mut tab, "mousePressed", x);
    for place in 1..=11 {
        move_to(&mut tab, "mouseMoved", x - 200.0 + 37.0 * f64::from(place));
        let now = tab.text(&format!("{number}.value"));
        let asked = FOLLOWING.join("\n");
        let script = format!("{GIVEN}\n:set a {now}\n{asked}\n:walk L\n:next 9");
        let count = FOLLOWING.len() + 2;
        let expected = answers_of_program(&mut tab, &script, count);
        let begun = Instant::now();
        let differing = loop {
            let shown = answers_of_page(&mut tab, count);
            // The walk has no number of a leaf in its text, and the stops of the walk are past.
            let pairs = FOLLOWING.iter().zip(shown.into_iter().zip(&expected));
            let differing: Vec<_> = pairs.filter(|(_, (one, other))| one != *other).collect();
            if differing.is_empty() || begun.elapsed() > Duration::from_secs(10) {
                break differing.first().map(|it| format!("{it:#?}"));
            }
        };
        assert_eq!(differing, None, "at a = {now}");
        // The graph of the walk shows the numbers of before, and says so.
        tab.wait("document.querySelector('.walk.before svg')");
    }
    move_to(&mut tab, "mouseReleased", x + 207.0);
    tab.wait(SETTLED);
    let now = tab.text(&format!("{number}.value"));
    tab.says("a", &format!("= {now}"));
}

/// The answers of before, each with the reason.
const BEFORE: &str = "[...document.querySelectorAll('.before')].map((it) => `${it.innerText.replace(/\\s+/g, ' ').trim()} (${it.dataset.reason})`).join('|')";

#[test]
fn a_result_that_was_taken_back_ends_its_answer() {
    let Some(mut tab) = open("") else { return };
    tab.enter_all("a = 2 | L = a^2 | b = 1 | L | :undo");
    let gone = "\u{2202}> b = 1 b = 1 (b is gone)|\u{2202}> L $1 = 4 ($1 is gone)";
    assert_eq!(tab.text(BEFORE), gone);
    // It comes back with its number.
    tab.enter(":redo");
    tab.is(BEFORE, "");
    tab.enter_all(":undo | 3*a");
    tab.move_slider("a", 5.0);
    let shows_both = |tab: &mut Tab| {
        assert!(tab.at(3).ends_with("L $1 = 4"), "{}", tab.text(ALL));
        tab.shows(&["L = 25", "$1 = 15"]);
        assert!(tab.text(BEFORE).contains("\u{2202}> L $1 = 4 ("));
    };
    shows_both(&mut tab);
    tab.wait_for_records("all[0].kept.includes(':set a 5')");
    tab.reload();
    shows_both(&mut tab);
    tab.move_slider("a", 7.0);
    tab.shows(&["$1 = 21"]);
    assert!(tab.at(3).ends_with("L $1 = 4"), "{}", tab.text(ALL));
    // Nor does an entry take the result of another one that has none itself.
    tab.enter(":reset");
    tab.enter_all("a = 2 | def h(x):\n    print(x)\n | h(a) | 3*a");
    tab.move_slider("a", 4.0);
    tab.shows(&["= 12"]);
    let all = squeeze(&tab.text(ALL));
    assert_eq!(all.matches("= 12").count(), 1, "{all}");
}

#[test]
fn answers_follow_whatever_moves_their_leaves() {
    let Some(mut tab) = open("") else { return };
    tab.enter_all("a = 2 | L = a^2 | :grad L | :set a 5");
    tab.shows(&["a = 5", "L = 25"]);
    tab.is(BEFORE, "");
    tab.enter(":undo");
    tab.shows(&["L = 4"]);
    tab.enter(":redo");
    tab.shows(&["L = 25"]);
    // The step is 0.1 times the gradient, 10.
    tab.enter(":step 0.1 of L");
    tab.shows(&["a = 4", "L = 16"]);
    tab.enter("for k in range(2):\n    a.data += 0.5\n");
    tab.shows(&["a = 5", "L = 25"]);
    tab.enter(":minimize L");
    tab.shows(&["a = 0", "L = 0"]);
    tab.enter(":set a 1; :solve a for L = 9");
    tab.shows(&["a = 3", "L = 9"]);
    tab.is(BEFORE, "");
    // What was entered for one number stays: the step itself, and an error, which says that it is one of before.
    tab.enter(":assert L == 4");
    tab.is(BEFORE, "");
    tab.move_slider("a", 5.0);
    let before = tab.text(BEFORE);
    assert!(
        before.contains("9 == 4") && before.ends_with("(a was 3)"),
        "{before}"
    );
    tab.enter(":undo");
    tab.is(BEFORE, "");
    // An answer whose name means something else now does not follow, and says of which number it was.
    tab.enter_all(":set a 5 | L = a + 1");
    tab.move_slider("a", 3.0);
    assert!(
        tab.text(BEFORE).contains("L = 25 (a was 5)"),
        "{}",
        tab.text(BEFORE)
    );
    tab.shows(&["L = 4"]);
}

/// The leaves of a long list have no sliders, and a picture learns while its leaves do.
#[test]
fn a_picture_follows_each_step() {
    let Some(mut tab) = open("") else { return };
    tab.enter_all("w = [k/4 for k in 0..29]; s = sum([u^2 for u in w]) | a = 3; L = a^2 | :plot L");
    let point = "document.querySelector('.present title').textContent";
    tab.is(point, "at a = 3: L = 9, slope 6");
    tab.enter(":step 0.25 of L");
    tab.is(point, "at a = 1.5: L = 2.25, slope 3");
    tab.enter_all("w[4] | :step 0.25 of s");
    tab.shows(&["$1 = 0.5"]);
    tab.is(BEFORE, "");
}
