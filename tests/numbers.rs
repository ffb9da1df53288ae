//! How numbers are shown everywhere: no zero in place of a rounded digit. Examples, and numbers that are not finite, are
//! in `tests/screens/numbers.txt`.

use crate::common::{self, Desk, Random};
use chainrule_language as language;
use chainrule_view::{Style, number};

/// The screen for a line in this style, including notes.
fn screen_text(desk: &mut Desk, text: &str, style: &Style) -> String {
    let answers = desk.try_line(text);
    let failed = answers.iter().find_map(|answer| answer.as_ref().err());
    assert!(failed.is_none(), "{text}: {failed:?}");
    common::answers_text(text, &answers, style)
}

/// The file that `:graph ROOT` would write.
fn file(desk: &mut Desk, root: &str, ending: &str) -> String {
    let style = desk.style();
    let bytes = desk.drawn_file(&format!(":graph {root} picture.{ending}"), &style);
    String::from_utf8(bytes).expect("it is text")
}

/// A literal in a label is written like its number beside it.
#[test]
fn a_literal_is_shown_as_its_number_is() {
    let mut random = Random(5);
    let mut numbers = vec![
        1e15,
        2_f64.powi(53),
        2_f64.powi(53) + 2.0,
        1e16,
        1e-5,
        1e-6,
        0.1,
    ];
    numbers.extend((0..2000).map(|_| (random.unit() * 1e17).floor()));
    numbers.extend((0..2000).map(|_| f64::from_bits(random.bits())));
    for x in numbers.into_iter().filter(|x| x.is_finite()) {
        assert_eq!(language::literal(x, false), number::shortest(x), "{x:e}");
    }
    let mut desk = Desk::with(&["a = 2", "L = a*1e15"]);
    assert!(desk.screen(":tree L").contains("1000000000000000"));
}

/// None of these numbers ends in 0, and they have more digits than are shown, so a zero at the end of a long number
/// would stand for a digit that was rounded away.
#[test]
fn no_zero_stands_for_a_digit_anywhere() {
    for digits in [1, 3, 6, 12] {
        let mut desk = Desk::default();
        let mut out = String::new();
        for line in [
            &format!(":config digits {digits}; :config table-digits {digits}"),
            "price, big, part = 1234561, 123456789011, 7654321.375",
            "T = price + big*1 + part*1 + 123456789121",
            "T",
            ":grad T",
            ":vars",
            ":graph T",
            ":tree T",
            ":walk T",
            ":next",
            ":next",
            ":walk T forward",
            ":next",
            ":next",
            ":next",
            ":nudge price 2 of T",
            ":explain price of T",
            ":set price 1234563",
            ":undo",
            ":redo",
            ":log",
            ":step -10",
            ":step -10 3 of T",
            ":plot T steps",
            ":check T",
            "ln(-price)",
            "f(x) = x*big",
            "S = f(3)",
        ] {
            let style = Style {
                width: Some(60),
                ..desk.style()
            };
            out.push_str(&screen_text(&mut desk, line, &style));
        }
        out.push_str(&file(&mut desk, "T", "svg"));
        let long = |part: &&str| part.len() >= 7 && !part.contains('.');
        // Axis labels are round numbers on purpose.
        let lines = out.lines().filter(|line| !line.contains('┤'));
        let text: String = lines.flat_map(|line| [line, "\n"]).collect();
        let parts = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '.');
        let numbers: Vec<&str> = parts
            .filter(|part| part.bytes().all(|byte| byte.is_ascii_digit()))
            .filter(long)
            .collect();
        assert!(numbers.len() > 40, "{out}");
        for number in numbers {
            assert!(
                !number.ends_with('0'),
                "{number} with {digits} digits:\n{out}"
            );
        }
    }
}
