//! `:grad … bars`: bars are in proportion in every window. Examples stand in `tests/screens/bars.txt`.

use crate::common::{self, Desk};
use chainrule_view::Style;

/// In windows of every width, with names of every length, bars are whole and in proportion.
#[test]
fn bars_are_in_proportion_in_every_window() {
    let names = ["p", "weight_of_item", "a_very_long_name_of_a_parameter_1"];
    for name in names {
        for signs in [[1.0, 1.0, 1.0], [1.0, -1.0, 1.0], [-1.0, -1.0, -1.0]] {
            let sizes = [16.0, 8.0, 2.0];
            let grads: Vec<f64> = sizes
                .iter()
                .zip(signs)
                .map(|(one, two)| one * two)
                .collect();
            let mut desk = Desk::with(&[
                format!("{name}, q, r = 1234.5678, 2, 3"),
                format!("L = {}*{name} + {}*q + {}*r", grads[0], grads[1], grads[2]),
            ]);
            let line = format!(":grad L bars wrt {name} q r");
            for columns in 26..=100 {
                let style = Style {
                    width: Some(columns),
                    ..Style::default()
                };
                let text = common::shown(&line, &desk.try_line(&line), &style);
                let rows = text.lines().filter_map(|row| row.split_once('│'));
                let length = |side: &str| side.matches('■').count() as f64;
                let found: Vec<f64> = rows
                    .map(|(left, right)| length(right) - length(left))
                    .collect();
                assert_eq!(found.len(), 3, "{columns}: {text}");
                for (found_one, grad) in found.iter().zip(&grads) {
                    let exact = grad / grads[0] * found[0];
                    assert!(
                        (found_one - exact).abs() <= 0.5
                            || exact.abs() < 1.0 && found_one.abs() == 1.0,
                        "{columns}: {found:?}\n{text}"
                    );
                }
                assert!(found[0].abs() >= 2.0, "{columns}: {text}");
                assert!(
                    text.lines().all(|row| row.chars().count() <= columns),
                    "{columns}: {text}"
                );
            }
        }
    }
}
