//! The statement of a lesson in the line: the text that is put there, and what the user has made of it.
//!
//! A lesson leaves the number of a guess to the user: of `:guess x 6x - 4 of y`, the line has `:guess x ` before the cursor
//! and ` of y` after it. Of `:answer yes` it has `:answer `.

use crate::interpret::bound_names;
use chainrule_language::{self as language, Span};

/// A statement whose value a lesson asks for.
pub(super) struct AskedValue {
    /// The statement, which shows no answer.
    pub(super) statement: String,
    /// The name or the expression with the value.
    pub(super) value: String,
}

/// The value for which the comment behind a statement asks: `L` of `L = a^2  # ?`.
pub(super) fn asked_value(statement: &str) -> Option<AskedValue> {
    let code = code_before_question(statement)?;
    let value = match &bound_names(code)[..] {
        [name] => name.clone(),
        [] if !code.starts_with(':') => code.to_owned(),
        _ => return None,
    };
    Some(AskedValue {
        statement: format!("{code};"),
        value,
    })
}

/// The code of a line with the comment `# ?` behind it.
pub(super) fn code_before_question(line: &str) -> Option<&str> {
    let end = language::code_end(line);
    let comment = line[end..].trim().strip_prefix('#')?;
    (comment.trim() == "?").then(|| line[..end].trim_end().trim_end_matches(';'))
}

/// The place of the number in `:guess x 6x - 4 of y`, of `6x - 4`, or of the words in `:answer yes`.
pub(super) fn guess_place(text: &str, statement: Span) -> Option<Span> {
    if let Some(words) = statement.of(text).strip_prefix(":answer") {
        let end = statement.end as usize;
        return Some(Span::new(end - words.trim_start().len(), end));
    }
    let rest = statement.of(text).strip_prefix(":guess ")?;
    let statement_end = statement.end as usize;
    let words = language::words(text, Span::new(statement_end - rest.len(), statement_end));
    let [_node, after_node @ ..] = &words[..] else {
        return None;
    };
    let begin = after_node.first()?.start as usize;
    // The number may be an expression with a name `of`, so the last `of` counts.
    let of = after_node.iter().rfind(|word| word.of(text) == "of");
    let end = match of {
        Some(of) => text[..of.start as usize].trim_end().len(),
        None => statement_end,
    };
    if begin <= end {
        return Some(Span::new(begin, end));
    }
    // The author has left the number out, as in `:guess x  of y`: its place is between the two blanks.
    (end + 2 == begin).then(|| Span::new(end + 1, end + 1))
}

/// Does a statement ask for a guess?
pub(super) fn asks(statement: &str) -> bool {
    around_guess(statement).is_some()
}

/// The answer that the author has written: the `6x - 4` of `:guess x 6x - 4 of y`.
pub(super) fn author_answer(statement: &str) -> Option<&str> {
    let (before, after) = around_guess(statement)?;
    let command = language::statements(statement).next()?.ok()?.span;
    let answer = command
        .of(statement)
        .strip_prefix(before)?
        .strip_suffix(after)?;
    (!answer.is_empty()).then_some(answer)
}

/// The text that a lesson puts into the line before the cursor and after it: its statement, without the number of a
/// guess.
pub(crate) fn around_cursor(statement: &str) -> (&str, &str) {
    around_guess(statement).unwrap_or((statement, ""))
}

/// The text before the number of a guess and after it: `:guess x ` and ` of y`.
fn around_guess(statement: &str) -> Option<(&str, &str)> {
    let command = language::statements(statement).next()?.ok()?.span;
    let place = guess_place(statement, command)?;
    let before = Span::new(command.start as usize, place.start as usize);
    let after = Span::new(place.end as usize, command.end as usize);
    Some((before.of(statement), after.of(statement)))
}

/// A command that was typed at the end of the statement of a lesson: the `:play stop` of `y = f(x):play stop`.
pub(super) fn command_at_cursor<'t>(text: &'t str, statement: &str) -> Option<&'t str> {
    let (before, after) = around_cursor(statement);
    let rest = text.strip_prefix(before)?;
    let typed = rest.strip_suffix(after).unwrap_or(rest).trim();
    typed.starts_with(':').then_some(typed)
}

/// Is the entry a `:guess` from which the user has left out the guess?
pub(super) fn lacks_guess(text: &str, statement: &str) -> bool {
    around_guess(statement).is_some_and(|(before, after)| {
        let words = before.split_whitespace().chain(after.split_whitespace());
        text.trim().is_empty() || text.trim() == before.trim() || text.split_whitespace().eq(words)
    })
}

/// Does an entry ask for a hint in place of a guess, as `:guess x ? of y` does?
pub(super) fn asks_for_hint(text: &str, statement: &str) -> bool {
    typed_guess(text, statement) == Some("?")
}

/// The guess in an entry that has the other words of the statement.
fn typed_guess<'t>(text: &'t str, statement: &str) -> Option<&'t str> {
    let (before, after) = around_guess(statement)?;
    let rest = text.trim().strip_prefix(before.trim())?;
    Some(rest.strip_suffix(after).unwrap_or(rest).trim())
}

/// Does an entry take the place of the statement of the lesson? It does if it is the same statement, guesses at the same
/// node, or binds the same names.
pub(super) fn is_of_lesson(text: &str, statement: &str) -> bool {
    if around_guess(statement).is_some() {
        return typed_guess(text, statement).is_some_and(|guess| guess != "?");
    }
    let names = bound_names(text);
    let is_same = text.split_whitespace().eq(statement.split_whitespace());
    is_same || !names.is_empty() && names == bound_names(statement)
}

#[cfg(test)]
mod tests {
    use super::{around_guess, lacks_guess};

    #[test]
    fn a_guess_is_left_to_the_user() {
        for (statement, around) in [
            (":guess n 1 - o^2", Some((":guess n ", ""))),
            (":guess b 0.5", Some((":guess b ", ""))),
            (":guess x 6x - 4 of y", Some((":guess x ", " of y"))),
            (
                ":guess (a*b + c) -2 of (L + 1)  # why?",
                Some((":guess (a*b + c) ", " of (L + 1)")),
            ),
            (":guess x  of y", Some((":guess x ", " of y"))),
            (":guess b", None),
            (":guess", None),
            ("a = 2", None),
        ] {
            assert_eq!(around_guess(statement), around, "{statement}");
            for (entered, lacks) in [
                ("", true),
                (":guess x  of y", true),
                (":guess x", true),
                (":guess x 14 of y", false),
            ] {
                let asks = [":guess x 6x - 4 of y", ":guess x  of y"].contains(&statement);
                let is_empty = entered.is_empty() && around.is_some();
                assert_eq!(
                    lacks_guess(entered, statement),
                    asks && lacks || is_empty,
                    "{statement}: {entered}"
                );
            }
        }
    }
}
