//! A table of lines as books print them, beside the lines with their signs.

use super::{WordKind, Words, write_signs};

const TABLE: &str = include_str!("lines.txt");

fn kind(word: &str) -> WordKind {
    match word {
        "sin" => WordKind::Operation(Some("asin")),
        "cos" => WordKind::Operation(Some("acos")),
        "tan" => WordKind::Operation(Some("atan")),
        "ln" | "sqrt" | "exp" | "log" | "asin" | "abs" | "sec" => WordKind::Operation(None),
        "max" | "f" | "log2" => WordKind::Function,
        "pi" | "theta" | "π" | "ω" => WordKind::Letter,
        "speed" => WordKind::Name,
        "πx" => WordKind::Product("π*x".to_string()),
        "πr" => WordKind::Product("π*r".to_string()),
        "ωt" => WordKind::Product("ω*t".to_string()),
        _ => {
            let mut rest = word.chars().skip(1);
            if rest.all(|it| it.is_ascii_digit() || ('₀'..='₉').contains(&it)) {
                WordKind::Letter
            } else {
                WordKind::Unknown
            }
        }
    }
}

#[test]
fn lines_of_books() {
    let words = Words {
        kind: &kind,
        letter: None,
    };
    let mut wrong = Vec::new();
    for line in TABLE
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
    {
        let (typed, wanted) = line.split_once(" → ").expect("a row has an arrow");
        let read = match write_signs(typed, &words) {
            Ok(Some(written)) => written,
            Ok(None) => "keeps its error".to_string(),
            Err(error) => format!("refused: {}", error.help),
        };
        if read != wanted {
            wrong.push(format!("{typed} → {read}, not {wanted}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
