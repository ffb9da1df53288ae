//! The walk and its player on the page: the graph with buttons, in a frame. Both show the same stop.

use std::time::Instant;

use serde_json::{Value, json};

use super::{ALL, open};
use crate::common::devtools::{PATIENCE, Tab};

/// The last answers, each with the reason why it fades.
const STOPS: &str = "[...document.querySelectorAll('article > div:not(.walk)')].flatMap((it) => it.innerText.match(/\\d of \\d/) ? `${it.innerText.match(/\\d of \\d/)[0]}${it.dataset.reason && `: ${it.dataset.reason}`}` : []).join('|')";

impl Tab {
    /// The value of an expression in the last frame of the page.
    fn in_player(&mut self, expression: &str) -> Value {
        let params = json!({"expression": expression, "returnByValue": true});
        let evaluated = self.in_frame("Runtime.evaluate", &params);
        evaluated["result"]["value"].clone()
    }

    /// Waits until an element of the player has these words.
    fn player_has(&mut self, id: &str, words: &str) {
        let begun = Instant::now();
        let text = format!("document.getElementById('{id}')?.innerText ?? ''");
        loop {
            let now = self.in_player(&text);
            if now.as_str().is_some_and(|it| it.contains(words)) {
                return;
            }
            let all = self.text(ALL);
            assert!(
                begun.elapsed() < PATIENCE,
                "{now} instead of {words}: {all}"
            );
        }
    }

    /// Waits until the player shows a place.
    fn player_is_at(&mut self, place: &str) {
        self.player_has("place", place);
    }

    /// Waits until the answers show these stops.
    fn stops_are(&mut self, stops: &str) {
        self.wait(&format!("{STOPS} === '{stops}'"));
    }

    /// Presses a button of the player.
    fn press_in_player(&mut self, id: &str) {
        self.in_player(&format!("document.getElementById('{id}').click()"));
    }
}

#[test]
fn a_walk_and_its_player_show_the_same_stop() {
    let Some(mut tab) = open("") else { return };
    tab.enter_all("a, b, c = 2, -3, 4 | L = (a*b)*(b + c) | :walk L");
    tab.player_is_at("start");
    tab.enter(":next");
    tab.player_is_at("1 of 3");
    // The player moves the walk, and the answer of before says so.
    tab.press_in_player("next");
    tab.stops_are("1 of 3: the walk went to stop 2 of 3");
    tab.press_in_player("prev");
    tab.stops_are("1 of 3");
    tab.press_in_player("last");
    tab.stops_are("1 of 3: the walk went to stop 3 of 3");
    tab.says(":walk", "3 of 3");
    tab.press_in_player("first");
    tab.stops_are("1 of 3|3 of 3: the walk went to stop 0 of 3");
    // The slider moves it by several stops.
    tab.in_player("const slider = document.getElementById('slider'); slider.value = 2; slider.dispatchEvent(new Event('input'))");
    tab.stops_are("1 of 3|3 of 3: the walk went to stop 2 of 3");
    tab.says(":prev", "1 of 3");
    tab.player_is_at("1 of 3");
    // The stops have another order now.
    tab.says(":next at (a*b)", "2 of 3   a*b = -6");
    tab.player_is_at("2 of 3");
    tab.player_has("step", "a*b = -6");
    tab.is("document.querySelectorAll('iframe').length", 1);
    // The other direction begins another walk.
    tab.press_in_player("forward");
    tab.press_in_player("next");
    tab.wait(&format!(
        "{STOPS}.endsWith('the walk went to stop 1 of 3, forward')"
    ));
    tab.says(":next", "2 of 3");
    tab.player_is_at("2 of 3");
    // Back again, its stops have their first order.
    tab.press_in_player("backward");
    tab.wait(&format!("{STOPS}.endsWith('the walk went to stop 0 of 3')"));
    tab.says(":next 2", "2 of 3   b + c");
    tab.player_is_at("2 of 3");
    tab.player_has("step", "b + c");
    // Nothing of this is an entry to see.
    tab.is("document.querySelectorAll('article').length", 9);
}

#[test]
fn a_player_plays_the_walk_and_answers_no_question() {
    let Some(mut tab) = open("") else { return };
    tab.enter_all("a, b, c = 2, -3, 4 | L = (a*b)*(b + c) | :walk L");
    tab.player_is_at("start");
    tab.in_player("document.getElementById('speed').value = 250");
    tab.press_in_player("play");
    tab.player_is_at("3 of 3");
    tab.says(":walk", "3 of 3");
    tab.says(":prev 3", "a backward walk");
    tab.player_is_at("start");
    let inert = "document.querySelector('iframe').inert";
    tab.is(inert, false);
    // While the walk asks, only answers move it.
    tab.says(":walk ask", "= ?");
    tab.is(inert, true);
    tab.press_in_player("last");
    tab.player_is_at("start");
    tab.says(":walk", "= ?");
    tab.enter(":walk end");
    tab.is(inert, false);
}
