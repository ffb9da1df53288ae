//! Python at its extremes: very long lines, and any combination of its pieces. `tests/screens/lecture.txt` records
//! translations of lines, `tests/screens/refused/` refusals.

use crate::common::{Desk, Random};

/// A line of Python may be as long as any other.
#[test]
fn long_lines_are_read() {
    let mut desk = Desk::default();
    let line = format!("xs = np.array([{}])", vec!["1.5"; 20_000].join(", "));
    desk.line(&line);
    assert_eq!(desk.value("len(xs)"), 20_000.0);
}

/// Any combination of fragments is an error with a place or an answer, never a panic.
#[test]
fn pieces_of_python_never_panic() {
    let pieces = [
        "self", ".", "data", "=", "'a'", "f'", "\"", "{", "}", "(", ")", "Value", "label", "print",
        ",", " ", "lambda", ":", "def", "math", "exp", "In [1]:", ">>>", "if", "else", "L", "é",
        "2", "+=", "backward", "[", "]", "@1", "→", "_op",
    ];
    let mut random = Random(7);
    for _ in 0..3_000 {
        let mut desk = Desk::with(&["L = 2"]);
        let line: String = (0..=random.below(9))
            .map(|_| pieces[random.below(pieces.len())])
            .collect();
        for answer in desk.try_line(&line) {
            if let Err(error) = answer {
                let span = error.span.unwrap_or(0..0);
                let text = error.translated.map_or(line.clone(), |it| it.line);
                assert!(text.get(span).is_some(), "{line}: {}", error.message);
            }
        }
    }
}
