//! `:grad … bars`: bars are in proportion in every window. `tests/screens/bars.txt` has examples.

use crate::common::{self, Desk, wide};

/// In windows of every width, with names of every length, bars are whole and in proportion.
#[test]
fn bars_are_in_proportion_in_every_window() {
    for name in ["p", "weight_of_item", "a_very_long_name_of_a_parameter_1"] {
        for grads in [[16.0, 8.0, 2.0], [16.0, -8.0, 2.0], [-16.0, -8.0, -2.0]] {
            let [p, q, r] = grads;
            let mut desk = Desk::with(&[
                format!("{name}, q, r = 1234.5678, 2, 3"),
                format!("L = {p}*{name} + {q}*q + {r}*r"),
            ]);
            let line = format!(":grad L bars wrt {name} q r");
            for columns in 26..=100 {
                let text = common::answers_text(&line, &desk.try_line(&line), &wide(columns));
                let rows = text.lines().filter_map(|row| row.split_once('│'));
                let length = |side: &str| side.matches('■').count() as f64;
                let found: Vec<f64> = rows
                    .map(|(left, right)| length(right) - length(left))
                    .collect();
                assert!(
                    found.len() == 3 && found[0].abs() >= 2.0,
                    "{columns}: {text}"
                );
                for (found_one, grad) in found.iter().zip(grads) {
                    let exact = grad / p * found[0];
                    let is_short = exact.abs() < 1.0 && found_one.abs() == 1.0;
                    let is_right = (found_one - exact).abs() <= 0.5 || is_short;
                    assert!(is_right, "{columns}: {found:?}\n{text}");
                }
                let fits = text.lines().all(|row| row.chars().count() <= columns);
                assert!(fits, "{columns}: {text}");
            }
        }
    }
}
