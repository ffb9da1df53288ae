//! Statements in another spelling, such as Python's: the line that means the same is run instead.
//!
//! A statement is first run as it stands. Only when it fails its meaning is looked for, here and in `python`, so the
//! user's own names always win, and other statements pay nothing.

use super::python::{self, Meaning};
use super::run_as_typed;
use crate::commands::Reply;
use crate::commands::look::{graph, plot};
use crate::diagnostic::{Diagnostic, Translation};
use crate::report::{Fact, Piece, Report, say};
use crate::session::ANSWERS;
use crate::session::Session;
use crate::syntax::{self, Cut, Span, TextPart, precedence};

/// How much of a line is cut into tokens to see the sign that it begins with.
const LONGEST_SIGN: usize = 16;

/// Runs one statement as it stands, or the line that means the same in this language.
pub(super) fn run_alone(session: &mut Session, text: &str, cut: &Cut) -> Result<Reply, Diagnostic> {
    let mut done = run_as_typed(session, text, cut);
    if let Err(error) = &done
        && let Some(instead) = run_instead(session, text, cut, error)
    {
        done = instead;
    }
    done
}

/// Runs the line that means the same as a statement that has failed with this error, if there is one.
fn run_instead(
    session: &mut Session,
    text: &str,
    cut: &Cut,
    error: &Diagnostic,
) -> Option<Result<Reply, Diagnostic>> {
    if error.interrupted {
        return None;
    }
    Some(match meaning(session, text, cut)? {
        Meaning::Refused(advice) => Err(advice),
        Meaning::Skipped(reason) => Ok(skipped(cut, reason)),
        Meaning::Line(line) => run_translated(session, line, cut),
    })
}

/// What a statement means that failed.
fn meaning(session: &Session, text: &str, cut: &Cut) -> Option<Meaning> {
    let python = || python::meaning(session, text, cut);
    // `// words` and `/help` are habits of other programs.
    if cut.span.of(text).starts_with('/') {
        return python().or_else(|| continued(session, text, cut));
    }
    continued(session, text, cut).or_else(python)
}

/// `*3` goes on from the last result: `ans*3`. A line that begins with `+` or `-` begins with a sign.
fn continued(session: &Session, text: &str, cut: &Cut) -> Option<Meaning> {
    let sign = leading_operator(text, cut)?;
    // In a script, an indented line is more likely the rest of the statement above it.
    let line = text[..cut.span.start as usize].rsplit('\n').next();
    if line.is_some_and(|indent| !indent.is_empty() && indent.trim().is_empty())
        && !session.numbered
    {
        return None;
    }
    if !session.has_answer() {
        let message = format!(
            "there is no result yet from which `{}` could go on",
            sign.of(text)
        );
        let help =
            "a line that begins with an operator goes on from the last result: type a value first";
        return Some(Meaning::Refused(
            Diagnostic::new(message).at(sign).help(help),
        ));
    }
    Some(Meaning::Line(format!(
        "{}{}",
        ANSWERS[0],
        cut.span.of(text)
    )))
}

/// The operator with which a statement begins, unless it may be a sign or a notebook's.
pub(super) fn leading_operator(text: &str, cut: &Cut) -> Option<Span> {
    let statement = cut.span.of(text);
    // Most statements are told by their first character.
    if statement
        .starts_with(|c: char| c.is_alphanumeric() || c.is_whitespace() || ":([-+@$_.".contains(c))
    {
        return None;
    }
    let begin = &statement[..statement.floor_char_boundary(LONGEST_SIGN)];
    let (part, sign) = *syntax::parts(begin).first()?;
    let operator =
        precedence::between(sign.of(statement)).filter(|_| part == TextPart::Operator)?;
    let is_sign = operator.level == precedence::level::SUM;
    // `%matplotlib inline`
    let is_magic = operator.spelling == "%"
        && statement[sign.end as usize..].starts_with(|c: char| c.is_alphabetic() || c == '%');
    let start = cut.span.start + sign.start;
    (!is_sign && !is_magic).then(|| Span::new(start as usize, (cut.span.start + sign.end) as usize))
}

/// Does the line draw? In Python a `;` does not silence a picture.
fn draws(line: &str) -> bool {
    let word = line
        .strip_prefix(':')
        .and_then(|rest| rest.split(' ').next());
    [plot::COMMAND, graph::COMMAND]
        .iter()
        .any(|command| word == Some(command.name))
}

/// Runs a line that stands for a statement.
fn run_translated(session: &mut Session, line: String, from: &Cut) -> Result<Reply, Diagnostic> {
    let silenced = from.silenced && !draws(&line);
    let cut = Cut {
        span: Span::new(0, line.len()),
        silenced,
    };
    let done = run_as_typed(session, &line, &cut);
    // `exp(median(x))` of `np.exp(median(x))`
    let advice = match &done {
        Err(error) if !error.interrupted => python::meaning(session, &line, &cut),
        _ => None,
    };
    let translation = Translation {
        from: from.span.into(),
        line,
        silenced,
    };
    match done {
        Ok(mut reply) => {
            if let Some(report) = &mut reply.report {
                let line = Fact::Text(translation.line.clone());
                report.facts.push(("translated", line));
            }
            reply.translated = Some(Box::new(translation));
            Ok(reply)
        }
        Err(error) => Err(Diagnostic {
            translated: Some(Box::new(translation)),
            ..match advice {
                Some(Meaning::Refused(advice)) => advice,
                _ => error,
            }
        }),
    }
}

/// The reply to a statement that asks for nothing.
fn skipped(cut: &Cut, reason: String) -> Reply {
    let mut line = say!("{:dim}", "→ skipped: ");
    let stretches = reason.split('`').enumerate();
    line.extend(stretches.map(|(place, text)| match place % 2 {
        0 => Piece::Dim(text.to_string()),
        _ => Piece::Typed(text.to_string()),
    }));
    let facts = vec![("reason", Fact::Text(reason))];
    Reply {
        report: (!cut.silenced).then(|| Report::done("skipped", facts, line)),
        ..Reply::default()
    }
}
