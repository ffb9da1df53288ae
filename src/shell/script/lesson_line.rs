//! The statement of a lesson in the line: the text that is put there, and what the user has made of it.
//!
//! A lesson leaves the number of a guess to the user: of `:guess x 6x - 4 of y`, the line has `:guess x ` before the cursor
//! and ` of y` after it. Of `:answer yes` it has `:answer `.

use crate::interpret::{Meaning, bound_names};
use chainrule_language as language;

/// The value for which the comment `# ?` behind this code asks: `L` of `L = a^2  # ?`. `None` for a command, and for what has
/// no value, such as `f'`.
pub(super) fn asked_value(code: &str) -> Option<String> {
    match &bound_names(code)[..] {
        [name] => Some(name.clone()),
        [] => language::as_expression(code).map(|_| code.to_owned()),
        _ => None,
    }
}

/// The guess for which the comment `# ?` behind `f'` asks: that of the formula, which the calculator finds.
pub(super) fn asked_formula(code: &str) -> Option<String> {
    let function = code.trim_end_matches(['\'', '’']);
    let is_derivative = function != code && language::is_name(function);
    is_derivative.then(|| format!(":guess {code} {code}"))
}

/// The code of a line with the comment `# ?` behind it.
pub(super) fn code_before_question(line: &str) -> Option<&str> {
    let end = language::code_end(line);
    let comment = line[end..].trim().strip_prefix('#')?;
    (comment.trim() == "?").then(|| line[..end].trim_end().trim_end_matches(';'))
}

/// The part of a statement that a lesson leaves to the user.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Gap<'s> {
    /// The text before it: `:guess x ` or `:answer `.
    pub(super) before: &'s str,
    /// What the author has written there: `6x - 4`.
    pub(super) answer: &'s str,
    /// The text after it: ` of y`.
    pub(super) after: &'s str,
    /// Whether it is that of an answer, and not of a guess.
    pub(super) is_answer: bool,
}

impl Gap<'_> {
    /// The gap of a statement, if that asks for a guess or an answer.
    pub(super) fn of(statement: &str) -> Option<Gap<'_>> {
        let meaning = Meaning::all_in(statement).find(|it| it.asked.is_some())?;
        let asked = meaning.asked?;
        let [start, end] = [asked.place.start as usize, asked.place.end as usize];
        Some(Gap {
            before: &statement[..start],
            answer: &statement[start..end],
            after: &statement[end..meaning.span.end as usize],
            is_answer: asked.is_answer,
        })
    }

    /// What an entry with the other words of the statement has in the gap.
    fn filled_by<'t>(&self, entry: &'t str) -> Option<&'t str> {
        let rest = entry.trim().strip_prefix(self.before.trim())?;
        Some(rest.strip_suffix(self.after).unwrap_or(rest).trim())
    }
}

/// Does a statement ask for a guess or an answer?
pub(crate) fn asks(statement: &str) -> bool {
    Gap::of(statement).is_some()
}

/// The text that a lesson puts into the line before the cursor and after it: its statement, without what a gap leaves out.
pub(crate) fn around_cursor(statement: &str) -> (&str, &str) {
    Gap::of(statement).map_or((statement, ""), |gap| (gap.before, gap.after))
}

/// What an entry does while a lesson has put a statement into the line.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum LessonEntry<'t> {
    /// It takes the place of the statement: it is the same one, fills its gap, or binds the same names.
    Statement,
    /// It leaves the gap empty.
    Empty,
    /// It has this text in the gap, which is more than one guess.
    Several(&'t str),
    /// It asks for a hint: `:guess x ? of y`.
    Hint,
    /// It ends with a command that is run alone: the `:play stop` of `y = f(x):play stop`.
    Command(&'t str),
    /// It is the user's own.
    Own,
}

impl LessonEntry<'_> {
    pub(super) fn of<'t>(text: &'t str, statement: &str) -> LessonEntry<'t> {
        let is_command = |typed: &&str| typed.starts_with(':');
        let Some(gap) = Gap::of(statement) else {
            let rest = text.strip_prefix(statement).map(str::trim);
            return match rest.filter(is_command) {
                Some(command) => LessonEntry::Command(command),
                None if is_same(text, statement) => LessonEntry::Statement,
                None => LessonEntry::Own,
            };
        };
        let ends: &[char] = if gap.is_answer { &['\n'] } else { &['\n', ';'] };
        match gap.filled_by(text) {
            None if text.trim().is_empty() => LessonEntry::Empty,
            None => LessonEntry::Own,
            Some("") => LessonEntry::Empty,
            Some("?") => LessonEntry::Hint,
            Some(command) if is_command(&command) => LessonEntry::Command(command),
            Some(several) if several.contains(ends) => LessonEntry::Several(several),
            Some(_) => LessonEntry::Statement,
        }
    }
}

/// Is an entry the same as a statement, or does it bind the same names?
fn is_same(text: &str, statement: &str) -> bool {
    let names = bound_names(text);
    text.split_whitespace().eq(statement.split_whitespace())
        || !names.is_empty() && names == bound_names(statement)
}

#[cfg(test)]
mod tests {
    use super::{LessonEntry, around_cursor};

    #[test]
    fn a_guess_is_left_to_the_user() {
        for (statement, around) in [
            (":guess n 1 - o^2", (":guess n ", "")),
            (":guess b 0.5", (":guess b ", "")),
            (":guess x 6x - 4 of y", (":guess x ", " of y")),
            (
                ":guess (a*b + c) -2 of (L + 1)  # why?",
                (":guess (a*b + c) ", " of (L + 1)"),
            ),
            (":guess x of y", (":guess x of y", "")),
            (":answer yes; (no", (":answer ", "")),
            (":guess b", (":guess b", "")),
            ("a = 2", ("a = 2", "")),
        ] {
            assert_eq!(around_cursor(statement), around, "{statement}");
        }
    }

    #[test]
    fn an_entry_fills_the_gap_or_not() {
        let guess = ":guess x 6x - 4 of y";
        for (statement, entry, expected) in [
            (guess, "", LessonEntry::Empty),
            (guess, ":guess x  of y", LessonEntry::Empty),
            (guess, ":guess x", LessonEntry::Empty),
            (guess, ":guess x 14 of y", LessonEntry::Statement),
            (guess, ":guess x ? of y", LessonEntry::Hint),
            (
                guess,
                ":guess x v; :quit of y",
                LessonEntry::Several("v; :quit"),
            ),
            (
                guess,
                ":guess x:play stop of y",
                LessonEntry::Command(":play stop"),
            ),
            (guess, ":guess z 14", LessonEntry::Own),
            (":answer yes", ":answer v; :quit", LessonEntry::Statement),
            (
                ":answer yes",
                ":answer v\n:quit",
                LessonEntry::Several("v\n:quit"),
            ),
            (
                "a = 2",
                "a = 2:play stop",
                LessonEntry::Command(":play stop"),
            ),
            ("a = 2", "a = 3", LessonEntry::Statement),
            ("a = 2", ":play stop", LessonEntry::Own),
            ("a = 2", "", LessonEntry::Own),
        ] {
            assert_eq!(
                LessonEntry::of(entry, statement),
                expected,
                "{statement}: {entry}"
            );
        }
    }
}
