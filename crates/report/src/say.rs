//! Sentences as templates: `say!("{:name} got {} from {}", label, amount, source)`.
//!
//! Each hole takes the next part. `{}` writes text as ordinary words and a number with the digits of a result. `{:name}`,
//! `{:formula}`, `{:math}`, `{:typed}`, `{:heading}` and `{:dim}` give text that role, and `{:short}` gives a number the digits of
//! tables. A count gets groups of digits. A line or a piece goes in unchanged. Words between backticks get the role of
//! text to type. The compiler checks that each hole has a part.

use super::{Line, Piece, Role};

/// Makes a [`Line`] from a template and its parts.
#[macro_export]
macro_rules! say {
    ($template:literal $(, $part:expr)* $(,)?) => {
        $crate::fill(
            const { $crate::check_template($template, <[&str]>::len(&[$(stringify!($part)),*])) },
            [$($crate::SentencePart::from($part)),*],
        )
    };
}

/// A part that fills a hole.
#[doc(hidden)]
pub enum SentencePart {
    Text(String),
    Number(f64),
    Line(Line),
}

/// Returns the template. It runs during compilation, and fails if a hole has no part or a role is unknown.
#[doc(hidden)]
pub const fn check_template(template: &'static str, parts: usize) -> &'static str {
    let mut rest = template.as_bytes();
    let mut holes = 0;
    while let [first, after @ ..] = rest {
        rest = after;
        if *first == b'{' {
            let mut length = 0;
            while after[length] != b'}' {
                length += 1;
            }
            let (role, _) = after.split_at(length);
            assert!(
                matches!(
                    role,
                    b"" | b":short"
                        | b":name"
                        | b":formula"
                        | b":math"
                        | b":typed"
                        | b":heading"
                        | b":dim"
                ),
                "unknown role"
            );
            holes += 1;
        }
    }
    assert!(holes == parts, "as many parts as holes");
    template
}

/// The roles that a hole may give its text.
const ROLES: [(&str, Role); 6] = [
    (":name", Role::Name),
    (":formula", Role::Formula),
    (":math", Role::Math),
    (":typed", Role::Typed),
    (":heading", Role::Heading),
    (":dim", Role::Dim),
];

/// Fills the holes of a template that has passed [`check_template`].
#[doc(hidden)]
pub fn fill<const PARTS: usize>(template: &str, parts: [SentencePart; PARTS]) -> Line {
    let mut line = Line::new();
    let mut parts = parts.into_iter();
    for (place, stretch) in template.split('`').enumerate() {
        // Every other stretch stands between backticks.
        let usual = [Role::Plain, Role::Typed][place % 2];
        let mut rest = stretch.split('{');
        push_words(&mut line, usual, rest.next().unwrap_or_default());
        for (hole, part) in rest.zip(&mut parts) {
            let (name, after) = hole.split_once('}').unwrap_or_default();
            match (part, name) {
                (SentencePart::Text(text), _) => {
                    let known = ROLES.into_iter().find(|(known, _)| *known == name);
                    push_words(&mut line, known.map_or(usual, |(_, role)| role), &text);
                }
                (SentencePart::Number(value), ":short") => line.push(Piece::Short(value)),
                (SentencePart::Number(value), _) => line.push(Piece::Number(value)),
                (SentencePart::Line(more), _) => line.extend(more),
            }
            push_words(&mut line, usual, after);
        }
    }
    line
}

/// Appends words. They join the last piece if that has the same role.
pub(super) fn push_words(line: &mut Line, role: Role, words: &str) {
    if words.is_empty() {
        return;
    }
    match line.last_mut() {
        Some(Piece::Words(last, before)) if *last == role => before.push_str(words),
        _ => line.push(Piece::Words(role, words.to_string())),
    }
}

/// The line with its ordinary words dim.
pub fn dim(line: Line) -> Line {
    let dim_piece = |piece| match piece {
        Piece::Words(Role::Plain, text) => Piece::dim(text),
        other => other,
    };
    line.into_iter().map(dim_piece).collect()
}

/// The line with its numbers asked for on worksheets.
pub fn ask_numbers(line: Line) -> Line {
    let ask = |piece| match piece {
        Piece::Words(..) | Piece::Asked(_) => piece,
        number => Piece::Asked(Box::new(number)),
    };
    line.into_iter().map(ask).collect()
}

/// The lines one after the other, with these words between them: `3, then 5, then 8`. Empty lines are left out.
pub fn join(lines: impl IntoIterator<Item = Line>, between: &str) -> Line {
    let mut joined = Line::new();
    for line in lines.into_iter().filter(|line| !line.is_empty()) {
        if !joined.is_empty() {
            joined.push(Piece::plain(between));
        }
        joined.extend(line);
    }
    joined
}

/// A change, with enough digits to distinguish the two numbers: `-8 → -2`.
pub fn change(before: f64, after: f64) -> Line {
    let was = Piece::Distinct(before, after);
    let is = Piece::Distinct(after, before);
    say!("{} → {}", was, is)
}

/// A change that tells a grad. Worksheets ask for the new number.
pub fn telling_change(before: f64, after: f64) -> Line {
    let mut line = change(before, after);
    let told = line.split_off(line.len() - 1);
    line.extend(ask_numbers(told));
    line
}

/// `1 node`, `3 nodes`, `2 leaves`.
pub fn plural(count: usize, noun: &str) -> String {
    let leaves = noun.strip_suffix('f').map(|stem| format!("{stem}ves"));
    let many = leaves.unwrap_or_else(|| format!("{noun}s"));
    let counted = if count == 1 { noun } else { &many };
    format!("{} {counted}", count_text(count))
}

/// A count in a sentence: `65,000`.
pub fn count_text(count: impl ToString + Copy) -> String {
    group_digits(&count.to_string(), ',')
}

/// A whole number with a sign between its groups of three digits.
pub fn group_digits(digits: &str, sign: char) -> String {
    let mut grouped = String::new();
    for (place, digit) in digits.char_indices() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) && !grouped.ends_with('-') {
            grouped.push(sign);
        }
        grouped.push(digit);
    }
    grouped
}

/// Names with commas between.
pub fn name_list(labels: impl IntoIterator<Item = impl Into<String>>) -> Line {
    let names = labels.into_iter().map(|label| vec![Piece::name(label)]);
    join(names, ", ")
}

/// A list in words: `a, b and c`. If `most` is 2, it is `a, b and 1 more`.
pub fn list_with_and(lines: impl ExactSizeIterator<Item = Line>, most: usize) -> Line {
    let count = lines.len();
    let mut listed = Line::new();
    for (place, line) in lines.take(most).enumerate() {
        if place > 0 {
            let is_last = place + 1 == count;
            listed.push(Piece::plain(if is_last { " and " } else { ", " }));
        }
        listed.extend(line);
    }
    if count > most {
        listed.extend(say!(" and {} more", count - most));
    }
    listed
}

conversions! { SentencePart:
    &str => |text| SentencePart::Text(text.to_string()),
    &String => |text| SentencePart::Text(text.clone()),
    String => |text| SentencePart::Text(text),
    usize => |count| SentencePart::Text(count_text(count)),
    u32 => |count| SentencePart::Text(count_text(count)),
    u64 => |count| SentencePart::Text(count_text(count)),
    f64 => |value| SentencePart::Number(value),
    Piece => |piece| SentencePart::Line(vec![piece]),
    Line => |line| SentencePart::Line(line),
    &Line => |line| SentencePart::Line(line.clone()),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn holes_take_parts_by_their_role() {
        let source = say!("{:name} = {:formula}", "L", "a*b");
        let line = say!(
            "{:name} got {} from {}{}; {:short} {} times, {:dim}`:grad {}`{}",
            "a",
            2.0,
            source,
            "",
            0.5,
            3_usize,
            "see ",
            "L",
            Piece::Distinct(1.0, 2.0),
        );
        let words = |text: &str| Piece::plain(text);
        let expected = [
            Piece::name("a"),
            words(" got "),
            Piece::Number(2.0),
            words(" from "),
            Piece::name("L"),
            words(" = "),
            Piece::formula("a*b"),
            words("; "),
            Piece::Short(0.5),
            words(" 3 times, "),
            Piece::dim("see "),
            Piece::to_type(":grad L"),
            Piece::Distinct(1.0, 2.0),
        ];
        assert_eq!(line, expected);
        assert_eq!(say!("{} and {}", "one", "two"), [words("one and two")]);
    }

    #[test]
    fn counts_have_groups_of_three_digits() {
        for (count, expected) in [
            (0, "0"),
            (999, "999"),
            (1_000, "1,000"),
            (65_000, "65,000"),
            (123_456_789, "123,456,789"),
            (-100_000, "-100,000"),
        ] {
            assert_eq!(count_text(count), expected);
        }
        assert_eq!(plural(3_500, "node"), "3,500 nodes");
        assert_eq!(say!("{} nodes", 3_500_u64), [Piece::plain("3,500 nodes")]);
        assert_eq!(group_digits("65000", '_'), "65_000");
    }

    #[test]
    fn lists_end_in_and() {
        let few = |count| list_with_and((0..count).map(|at| say!("{}", f64::from(at))), 2);
        for (count, expected) in [
            (1, say!("{}", 0.0)),
            (2, say!("{} and {}", 0.0, 1.0)),
            (4, say!("{}, {} and {} more", 0.0, 1.0, 2_usize)),
        ] {
            assert_eq!(few(count), expected, "{count}");
        }
        let joined = join([1.0, 2.0].map(|at| say!("{}", at)), ", then ");
        assert_eq!(joined, say!("{}, then {}", 1.0, 2.0));
    }

    #[test]
    fn dim_words_leave_names_as_they_are() {
        let line = dim(say!("next: {:name}", "L"));
        assert_eq!(line, [Piece::dim("next: "), Piece::name("L")]);
    }
}
