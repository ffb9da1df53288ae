//! `:answer WORDS`: answers the question of a lesson, which stands in the comments before the statement.
//!
//! The right answer is in these comments, so no answer to a wrong one gives it away. The session counts answers with the
//! guesses.

use super::guess::score_line;
use crate::command::lesson_question::LessonQuestion;
use crate::command::prelude::*;
use crate::command::signatures::answer::{SIGNATURE, WORDS};
use crate::study::guess::TypedGuess;
use chainrule_report::markdown_line;

/// The judgement of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    Right,
    /// A number whose digits are right, but too few.
    Short,
    Wrong,
}

pub(crate) static COMMAND: Command = Command::new(SIGNATURE, run, &[]);

fn run(session: &mut Session, arguments: &Arguments) -> Result<Reply> {
    let comments = session.own_or_last_remarks().lines();
    let words = comments.map(|line| line.trim_start_matches('#').trim());
    let asked = LessonQuestion::last_in(words).filter(|it| !it.answers.is_empty());
    let Some(question) = asked else {
        let help =
            "a lesson asks by two comments: `# ask: Which leaf moves L most?` and `# answer: b`";
        return Err(Diagnostic::new("no question stands above this line")
            .at(arguments.name_span)
            .help(help));
    };
    session.keeping().must_keep = true;
    let typed = arguments.place(WORDS).of(arguments.text).trim();
    if typed == "?" {
        let hint = match &question.hint {
            Some(hint) => markdown_line(hint),
            None => say!("the lesson has no hint for this question"),
        };
        let facts = facts(session, &question, None);
        return Ok(Reply::show(Report::new(
            COMMAND.name,
            facts,
            vec![Block::Line(hint)],
        )));
    }
    let verdict = judge(session, &question, typed);
    session
        .guesses_mut()
        .count(verdict == Verdict::Right, verdict != Verdict::Short);
    let mut lines = vec![match verdict {
        Verdict::Right => say!("right: {:typed}", typed),
        Verdict::Short => say!("{:typed} is so far right: one digit more", typed),
        Verdict::Wrong => say!("{:typed} is not the answer", typed),
    }];
    if verdict == Verdict::Wrong {
        lines.push(score_line(session));
    }
    let facts = facts(session, &question, Some((typed, verdict)));
    let blocks = lines.into_iter().map(Block::Line).collect();
    Ok(Reply::show(Report::new(COMMAND.name, facts, blocks)))
}

/// The facts of every answer; without a verdict, those of a hint.
fn facts(
    session: &Session,
    question: &LessonQuestion,
    judged: Option<(&str, Verdict)>,
) -> Vec<(&'static str, Fact)> {
    let score = session.guesses();
    let is_right = judged.map(|(_, verdict)| verdict == Verdict::Right);
    vec![
        ("question", Fact::Text(question.text.clone())),
        ("answer", judged.map(|(typed, _)| typed).into()),
        ("right", is_right.into()),
        ("score", Fact::from_iter([score.right, score.tried])),
    ]
}

/// Judges an answer: words are compared without regard to capitals, numbers as guesses are.
fn judge(session: &mut Session, question: &LessonQuestion, typed: &str) -> Verdict {
    let says = |answer: &String| words_of(answer).eq(words_of(typed));
    if question.answers.iter().any(says) {
        return Verdict::Right;
    }
    // Two names may stand for one number, but are not the same answer.
    let number = (!language::is_name(typed)).then(|| number_of(session, typed));
    let Some(value) = number.flatten() else {
        return Verdict::Wrong;
    };
    let guess = TypedGuess::new(value, typed);
    let right: Vec<f64> = question
        .answers
        .iter()
        .filter_map(|it| number_of(session, it))
        .collect();
    match () {
        () if right.iter().any(|it| guess.stands_for(*it)) => Verdict::Right,
        () if right.iter().any(|it| guess.is_short(*it)) => Verdict::Short,
        () => Verdict::Wrong,
    }
}

/// The words of an answer in small letters, without a point at the end.
fn words_of(text: &str) -> impl Iterator<Item = String> {
    let words = text.trim().trim_end_matches('.').split_whitespace();
    words.map(str::to_lowercase)
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
            ("the  leaf b", "The leaf B", Verdict::Right),
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
