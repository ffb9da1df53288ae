//! A walk on the page: its graph and its stop below the answer that has begun it, and the buttons that move it.

use super::{ENTRIES, IDLE, open};
use crate::common::devtools::Tab;

/// Where the walk is, and the first line of its stop.
const STOP: &str = "document.querySelector('.steps output').textContent + ': ' + [...document.querySelectorAll('.walk')].at(-1).querySelector('.line').innerText";

impl Tab {
    /// Waits until the walk shows a stop.
    fn stop_is(&mut self, stop: &str) {
        self.wait(&format!("{IDLE} && ({STOP}).startsWith('{stop}')"));
    }

    /// Presses a button of the walk.
    fn press_step(&mut self, words: &str) {
        self.value(&format!(
            "[...document.querySelectorAll('.steps button')].find((it) => it.textContent === '{words}').click()"
        ));
    }
}

#[test]
fn a_walk_is_played_and_moved_by_buttons_keys_and_statements() {
    let Some(mut tab) = open("") else { return };
    tab.enter_all("a, b, c = 2, -3, 4 | L = (a*b)*(b + c) | :walk L");
    tab.stop_is("start: a backward walk of L: 3 stops");
    let entries = tab.value(ENTRIES);
    for (words, stop) in [
        ("›", "1 of 3: 1 of 3   L = a*b*(b + c) = -6"),
        ("»", "3 of 3: 3 of 3   a*b = -6"),
        ("‹", "2 of 3: 2 of 3   b + c = 1"),
        ("«", "start: a backward"),
    ] {
        tab.press_step(words);
        tab.stop_is(stop);
    }
    // The slider goes to any stop, also by keys.
    tab.value("document.querySelector('.steps input').focus()");
    tab.press("ArrowRight", 0);
    tab.stop_is("1 of 3");
    tab.value("const slider = document.querySelector('.steps input'); slider.value = 3; slider.oninput(), 0");
    tab.stop_is("3 of 3");
    // The grads on the boxes are those of the pass, and nothing of this is an entry to see.
    let grads = "[...document.querySelectorAll('.walk .leaf .grad')].map((it) => it.textContent).sort().join(' ')";
    tab.is(grads, "-3 -4 -6");
    tab.is(ENTRIES, entries);
    // Statements move the picture.
    tab.says(":prev", "2 of 3");
    tab.stop_is("2 of 3: 2 of 3   b + c");
    tab.says(":prev", "1 of 3");
    tab.says(":next at (a*b)", "2 of 3   a*b = -6");
    tab.stop_is("2 of 3: 2 of 3   a*b");
    // The other direction is another walk in the same place.
    tab.press_step("Forward");
    tab.stop_is("start: a forward walk");
    tab.press_step("Play");
    tab.stop_is("1 of 3");
    tab.press_step("Pause");
    tab.is("document.querySelectorAll('.walk').length", 1);
    // What is under the pointer is traced to the root.
    let box_of_a = "document.querySelector('.walk .leaf')";
    let place = tab.middle(box_of_a);
    tab.point_at(place);
    tab.wait("document.querySelectorAll('.walk .off').length > 0");
    // While the walk asks, only answers move it; a walk that has ended has no buttons.
    tab.enter(":walk ask");
    tab.is("document.querySelector('.steps')", serde_json::Value::Null);
    tab.enter(":walk L");
    tab.stop_is("start: a backward walk");
    tab.enter(":set a 3");
    tab.is("document.querySelector('.steps')", serde_json::Value::Null);
    tab.is("document.querySelectorAll('.walk.before').length", 2);
}
