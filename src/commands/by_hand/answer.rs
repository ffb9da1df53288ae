//! `:answer WORDS`: answers the question of a lesson, which stands in the comments before the statement.
//!
//! The right answer is in these comments, so no answer to a wrong one gives it away. The session counts answers with the
//! guesses.

use super::guess::{check_decimal_point, score_line};
use crate::command::lesson_question::LessonQuestion;
use crate::command::prelude::*;
use crate::command::signatures::answer::{SIGNATURE, WORDS};
use crate::study::guess::TypedGuess;
use chainrule_language::TextPart;
use chainrule_report::{Line, markdown_line};

/// The judgement of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    Right,
    /// A number whose digits are right, but too few.
    Short,
    Wrong,
    /// The user has left the question without an answer.
    Missing,
}

pub(crate) static COMMAND: Command = Command::new(SIGNATURE, run, &[]);

fn run(session: &mut Session, arguments: &Arguments) -> Result<Reply> {
    let comments = session.own_or_last_remarks().lines();
    let words = comments.map(|line| line.trim_start_matches('#').trim());
    let asked = LessonQuestion::last_in(words).filter(|it| !it.answers.is_empty());
    let Some(question) = asked else {
        let help = "a lesson asks by comments, `# ask: Which leaf moves L most?` and `# answer: b`";
        return Err(Diagnostic::new("no question stands above this line")
            .at(arguments.name_span)
            .help(help));
    };
    let place = arguments.place(WORDS);
    let typed = if arguments.has(WORDS) {
        place.of(arguments.text).trim()
    } else {
        ""
    };
    if typed == "?" {
        session.keeping().must_keep = true;
        let hint = match &question.hint {
            Some(hint) => markdown_line(hint),
            None => say!("the lesson has no hint for this question"),
        };
        return Ok(reply(session, &question, None, vec![hint]));
    }
    let said = bare_answer(&question, typed);
    check_decimal_point(said, place)?;
    if question.asks_value() && names_value(session, said) {
        let message = format!("`{}` asks for a number", question.text);
        return Err(Diagnostic::new(message)
            .at(place)
            .help("as in `:answer 12.5`, or `:answer 5*2.5`"));
    }
    if question.asks_value()
        && question
            .answers
            .iter()
            .all(|it| number_of(session, it).is_none())
    {
        let message = format!("`{}` has no number as its answer", question.text);
        return Err(Diagnostic::new(message)
            .at(arguments.name_span)
            .help("a lesson asks for a number by `= ?`, and `:play next` goes on"));
    }
    session.keeping().must_keep = true;
    let verdict = judge(session, &question, said);
    session
        .guesses_mut()
        .count(verdict == Verdict::Right, verdict != Verdict::Short);
    let mut lines = vec![match verdict {
        Verdict::Right => say!("right: {:typed}", typed),
        Verdict::Short => say!("{:typed} is so far right: one digit more", typed),
        Verdict::Wrong => say!("{:typed} is not the answer", typed),
        Verdict::Missing => say!("no answer"),
    }];
    if matches!(verdict, Verdict::Wrong | Verdict::Missing) {
        lines.push(score_line(session));
    }
    Ok(reply(session, &question, Some((typed, verdict)), lines))
}

/// The reply to an answer; without a verdict, to the request for a hint.
fn reply(
    session: &Session,
    question: &LessonQuestion,
    judged: Option<(&str, Verdict)>,
    lines: Vec<Line>,
) -> Reply {
    let score = session.guesses();
    let typed = judged
        .map(|(typed, _)| typed)
        .filter(|typed| !typed.is_empty());
    let is_right = judged.map(|(_, verdict)| verdict == Verdict::Right);
    let facts = vec![
        ("question", Fact::Text(question.text.clone())),
        ("answer", typed.into()),
        ("right", is_right.into()),
        ("score", Fact::from_iter([score.right, score.tried])),
    ];
    let blocks = lines.into_iter().map(Block::Line).collect();
    Reply::show(Report::new(COMMAND.name, facts, blocks))
}

/// The answer without quotes, and without the `L =` that repeats the question.
fn bare_answer<'t>(question: &LessonQuestion, typed: &'t str) -> &'t str {
    let asked = question.text.trim_end_matches(['?', ' ']);
    let value = typed
        .strip_prefix(asked.trim_end_matches(['=', ' ']))
        .unwrap_or(typed);
    let said = value
        .trim_start()
        .strip_prefix('=')
        .filter(|_| question.asks_value());
    let bare = said.unwrap_or(typed).trim();
    language::strip_quotes(bare).unwrap_or(bare)
}

/// Whether an answer has a name of the session in place of a number.
fn names_value(session: &Session, said: &str) -> bool {
    let parts = language::parts(said);
    let mut names = parts.iter().filter(|(part, _)| *part == TextPart::Name);
    names.any(|(_, span)| session.names().find(span.of(said)).is_some())
}

/// Judges an answer: words are compared without regard to capitals and blanks, numbers as guesses are. A name is never
/// compared as a number: two of them may have the same.
fn judge(session: &mut Session, question: &LessonQuestion, said: &str) -> Verdict {
    if said.is_empty() {
        return Verdict::Missing;
    }
    let asks_value = question.asks_value();
    let same_words = |answer: &String| letters_of(answer) == letters_of(said);
    if !asks_value && question.answers.iter().any(same_words) {
        return Verdict::Right;
    }
    let may_be_number = |text: &str| asks_value || !language::is_name(text);
    let number = may_be_number(said).then(|| number_of(session, said));
    let Some(value) = number.flatten() else {
        return Verdict::Wrong;
    };
    let guess = TypedGuess::new(value, said);
    let answers = question.answers.iter().filter(|it| may_be_number(it));
    let right: Vec<f64> = answers.filter_map(|it| number_of(session, it)).collect();
    match () {
        () if right.iter().any(|it| guess.is_right_for(*it)) => Verdict::Right,
        () if right.iter().any(|it| guess.is_short(*it)) => Verdict::Short,
        () => Verdict::Wrong,
    }
}

/// The signs of an answer in small letters, without blanks and without the sign at its end.
fn letters_of(text: &str) -> String {
    let words = text
        .trim_end()
        .trim_end_matches(['.', '!', '?'])
        .split_whitespace();
    words
        .flat_map(str::chars)
        .flat_map(char::to_lowercase)
        .collect()
}

/// The value of an expression; `None` if it has none.
fn number_of(session: &mut Session, text: &str) -> Option<f64> {
    let expression = language::expression(text, Span::new(0, text.len())).ok()?;
    let (number, _) = session.measure(text, &expression).ok()?;
    Some(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_numbers_are_judged() {
        let question = |answer: &str| LessonQuestion {
            answers: vec![answer.to_owned()],
            ..LessonQuestion::default()
        };
        let mut session = Session::new();
        for (answer, typed, verdict) in [
            ("Yes", " yes. ", Verdict::Right),
            ("the  leaf b", "The leaf B!", Verdict::Right),
            ("5 cm", "5cm", Verdict::Right),
            ("b", "", Verdict::Missing),
            ("60/63", "0.95", Verdict::Short),
            ("b", "a", Verdict::Wrong),
            ("1/3", "0.333", Verdict::Right),
            ("1/3", "0.3", Verdict::Short),
            ("1/3", "0.4", Verdict::Wrong),
            ("2", "1 + 1", Verdict::Right),
            ("2", "two", Verdict::Wrong),
            ("2", "1 +", Verdict::Wrong),
        ] {
            let judged = judge(&mut session, &question(answer), typed);
            assert_eq!(judged, verdict, "{answer}: {typed}");
        }
    }
}
