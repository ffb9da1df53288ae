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
use chainrule_report::markdown_line;

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

pub(crate) static COMMAND: Command =
    Command::new(SIGNATURE, run, &[]).asking(|typed| typed.span_of(WORDS));

fn run(session: &mut Session, arguments: &Arguments) -> Result<Reply> {
    let comments = session.own_or_last_remarks().lines();
    let words = comments.map(|line| line.trim_start_matches('#'));
    let asked = LessonQuestion::all_in(words).pop();
    let Some(question) = asked.filter(|it| !it.answers.is_empty()) else {
        let help = "a lesson asks by comments, `# ask: Which leaf moves L most?` and `# answer: b`";
        return Err(Diagnostic::new("no question stands above this line")
            .at(arguments.name_span)
            .help(help));
    };
    session.keeping().must_keep = true;
    let typed = arguments.first_word(WORDS).map_or("", |(text, _)| text);
    let mut lines = Vec::new();
    let mut is_right = None;
    if typed == "?" {
        lines.push(match &*question.hint {
            "" => say!("the lesson has no hint for this question"),
            hint => markdown_line(hint),
        });
    } else {
        let place = arguments.place(WORDS);
        let verdict = judge(session, &question, typed).map_err(|error| error.at(place))?;
        is_right = Some(verdict == Verdict::Right);
        session
            .guesses_mut()
            .count(verdict == Verdict::Right, verdict != Verdict::Short);
        lines.push(match verdict {
            Verdict::Right => say!("right: {:typed}", typed),
            Verdict::Short => say!("{:typed} is so far right: one digit more", typed),
            Verdict::Wrong => say!("{:typed} is not the answer", typed),
            Verdict::Missing => say!("no answer"),
        });
        if matches!(verdict, Verdict::Wrong | Verdict::Missing) {
            lines.push(score_line(session));
        }
    }
    let score = session.guesses();
    let is_answer = !matches!(typed, "" | "?");
    let facts = vec![
        ("question", Fact::Text(question.text)),
        ("answer", is_answer.then_some(typed).into()),
        ("right", is_right.into()),
        ("score", Fact::from_iter([score.right, score.tried])),
    ];
    let blocks = lines.into_iter().map(Block::Line).collect();
    let report = Report::new(&COMMAND, facts, blocks).as_verdict();
    Ok(Reply::show(report))
}

/// Judges an answer: words are compared without regard to capitals and blanks, numbers as guesses are. Refuses what cannot
/// be the number that the question asks for.
fn judge(session: &mut Session, question: &LessonQuestion, typed: &str) -> Result<Verdict> {
    check_decimal_point(typed)?;
    let asks_value = question.asks_value();
    // `L = 6` answers `L = ?`, too.
    let value = typed.rsplit('=').next().filter(|_| asks_value);
    let said = value
        .unwrap_or(language::strip_quotes(typed).unwrap_or(typed))
        .trim();
    if said.is_empty() {
        return Ok(Verdict::Missing);
    }
    let same_words = |answer: &String| letters_of(answer) == letters_of(said);
    if !asks_value && question.answers.iter().any(same_words) {
        return Ok(Verdict::Right);
    }
    if asks_value && has_names(session, said) {
        let error = Diagnostic::new(format!("`{}` asks for a number", question.text));
        return Err(error.help("as in `:answer 12.5`, or `:answer 5*2.5`"));
    }
    // A name is a word: two names may have the same number.
    let can_be_number = |text: &&str| asks_value || !language::is_name(text);
    let answers = question
        .answers
        .iter()
        .map(String::as_str)
        .filter(can_be_number);
    let right: Vec<f64> = answers.filter_map(|it| number_of(session, it)).collect();
    if asks_value && right.is_empty() {
        let error = Diagnostic::new(format!("`{}` has no number as its answer", question.text));
        return Err(error.help("a lesson asks for a number by `= ?`, and `:play next` goes on"));
    }
    let number = Some(said)
        .filter(can_be_number)
        .and_then(|it| number_of(session, it));
    let guess = number.map(|number| TypedGuess::new(number, said));
    Ok(match guess {
        Some(guess) if right.iter().any(|it| guess.is_right_for(*it)) => Verdict::Right,
        Some(guess) if right.iter().any(|it| guess.is_short(*it)) => Verdict::Short,
        _ => Verdict::Wrong,
    })
}

/// Whether a text has a name of the session, which would repeat the question.
fn has_names(session: &Session, text: &str) -> bool {
    let parts = language::parts(text);
    let mut names = parts.iter().filter(|(part, _)| *part == TextPart::Name);
    names.any(|(_, span)| session.names().find(span.of(text)).is_some())
}

/// The signs of an answer in small letters, without blanks and without the sign at its end.
fn letters_of(text: &str) -> String {
    let words = text.trim_end().trim_end_matches(['.', '!', '?']);
    let signs = words.split_whitespace().flat_map(str::chars);
    signs.flat_map(char::to_lowercase).collect()
}

/// The value of an expression; `None` if it has none.
pub(crate) fn number_of(session: &mut Session, text: &str) -> Option<f64> {
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
            assert_eq!(judged.ok(), Some(verdict), "{answer}: {typed}");
        }
    }
}
