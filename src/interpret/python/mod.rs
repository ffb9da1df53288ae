//! Finds the meaning of a failed statement if it is Python, a habit from another language, or a command without its
//! colon.
//!
//! The rows of `patterns.txt` describe lines that the language does not have, from notebooks and from posts about the
//! lecture. `patterns` matches a line against the rows. If exactly one line of the language has the same meaning,
//! that line is run; if not, an error says what to type. A line that fits no row keeps its own error. A test makes sure
//! that every command in a help text exists.

mod build_network;
mod classes;
mod pattern_names;
mod patterns;

pub(super) use self::build_network::data_line;

use std::ops::Range;

use crate::command::CommandTrait;
use crate::commands::{COMMANDS, find_without_colon};
use chainrule_engine::ops;
use chainrule_language::{self as language, Statement, StatementSpan, TextPart};
use chainrule_program::Environment as _;
use chainrule_program::names;
use chainrule_report::characters;
use chainrule_report::diagnostic::Diagnostic;
use chainrule_session::Session;
use chainrule_session::network_classes::NetworkClasses;

/// The most bytes of a line that is matched against the rows.
const MAX_LINE_BYTES: usize = 64 * 1024;

/// The most words of a line that is matched against the rows. Every row is tried at every word.
const MAX_WORDS: usize = 2_000;

/// Words before those that say what is wanted, as in `find the partial derivative of`.
const SKIPPED_WORDS: &[&str] = &[
    "find",
    "compute",
    "calculate",
    "determine",
    "what",
    "is",
    "the",
    "partial",
];

/// The most characters of a line that a help repeats: about a line of a terminal.
const MAX_SHOWN_CHARACTERS: usize = 100;

/// A line that may be Python, and the session that would run it.
#[derive(Clone, Copy)]
struct Foreign<'s> {
    session: &'s Session,
    line: &'s str,
}

impl<'s> Foreign<'s> {
    /// Another line for the same session.
    fn with_line<'l>(&'l self, line: &'l str) -> Foreign<'l> {
        Foreign { line, ..*self }
    }

    /// Whether the user has defined this name.
    fn is_taken(&self, name: &str) -> bool {
        self.session.names().find(name).is_some() || self.session.functions().get(name).is_some()
    }

    /// Whether a name is one of the calculator's functions or constants.
    fn is_known(&self, name: &str) -> bool {
        self.session.is_function(name) || ops::constant(name).is_some()
    }

    /// The words of the line with their starts. Words in quotes are left out.
    fn words(&self) -> impl Iterator<Item = (usize, &'s str)> + use<'s> {
        let line = self.line;
        let parts = language::parts(line).into_iter();
        let starts = parts.filter_map(|(part, span)| match part {
            TextPart::Name => Some(span.start as usize),
            TextPart::Member => Some(span.start as usize + 1),
            _ => None,
        });
        starts.map(move |start| (start, word(&line[start..])))
    }
}

/// The letters, digits and `_` that a text begins with. Raised digits are a power.
fn word(text: &str) -> &str {
    let is_raised = |c: char| matches!(c, '²' | '³' | '¹' | '⁰'..='⁹');
    let end = text.find(|c: char| !c.is_alphanumeric() && c != '_' || is_raised(c));
    &text[..end.unwrap_or(text.len())]
}

/// A part of the line, short enough for a sentence.
fn shorten(text: &str) -> String {
    characters::shorten_end(text, MAX_SHOWN_CHARACTERS).into_owned()
}

/// The meaning of a line that is not a statement of this language.
pub(super) enum OtherMeaning {
    /// The statement means the same as these lines of the language.
    Line(String),
    /// The line does nothing.
    Skipped {
        reason: String,
        /// Whether a person is told such a reason only once.
        is_told_once: bool,
    },
    /// Network classes to remember.
    Known {
        network: NetworkClasses,
        /// The indices of the accepted classes in `CLASSES`.
        accepted: Range<usize>,
        /// A sentence about the networks that they build.
        sentence: String,
    },
    /// The class with this index in `CLASSES` makes other networks than the known ones, and is refused with this error.
    RefusedClass(usize, Diagnostic),
    /// The line cannot be run: the error says why.
    Refused(Diagnostic),
}

/// The error of code that begins at `start` of a text, or better advice on it. The code is a translated line or a part
/// of a block.
pub(super) fn advice_or(
    session: &Session,
    (code, start): (&str, usize),
    error: Diagnostic,
) -> Diagnostic {
    match meaning(session, code) {
        Some(OtherMeaning::Refused(advice)) if !error.is_interrupt => advice.behind(start),
        _ => error,
    }
}

/// The meaning of a statement that failed, if it looks like Python. The span of an error refers to the statement.
pub(super) fn meaning(session: &Session, statement: &str) -> Option<OtherMeaning> {
    let foreign = Foreign {
        session,
        line: statement,
    };
    if statement.len() > MAX_LINE_BYTES || foreign.words().nth(MAX_WORDS).is_some() {
        return None;
    }
    if language::begins_block(statement) {
        let head_line = statement.split('\n').next().unwrap_or(statement);
        let head = foreign.with_line(head_line);
        return head
            .match_row("definitions")
            .or_else(|| classes::read_class(&head, statement))
            .or_else(|| head.match_row("statements"));
    }
    if !statement.contains('\n') {
        return of_line(&foreign);
    }
    // A statement over several lines becomes one line, because the translation is one line, too.
    let joined = language::one_line(statement);
    Some(match of_line(&foreign.with_line(&joined))? {
        OtherMeaning::Refused(error) => OtherMeaning::Refused(error.at(0..statement.len())),
        found => found,
    })
}

/// The meaning of a single line.
fn of_line(foreign: &Foreign) -> Option<OtherMeaning> {
    let line = foreign.line;
    // `print(L` lacks a bracket, and its own error says that best.
    let is_unclosed = line.matches('(').count() > line.matches(')').count();
    if is_unclosed && !line.contains(['"', '\'']) {
        return None;
    }
    let network =
        build_network::read_import(foreign).or_else(|| build_network::network_lines(foreign));
    if network.is_some() {
        return network;
    }
    let by_sections = |sections: &[&str]| sections.iter().find_map(|it| foreign.match_row(it));
    if line.starts_with(':') {
        return by_sections(&["commands", "functions"]);
    }
    if is_understood(line) {
        return by_sections(&["functions", "members"]);
    }
    bare_command(foreign).or_else(|| by_sections(&["statements", "functions", "members", "words"]))
}

/// The meaning of a command without its colon. One that only looks is run: `help`, `vars`, `plot(L)`. `grad L`, which changes
/// something, is refused.
fn bare_command(foreign: &Foreign) -> Option<OtherMeaning> {
    let session = foreign.session;
    let (_, word) = foreign.words().next().filter(|(at, _)| *at == 0)?;
    let named = || COMMANDS.iter().copied().find(|it| it.name == word);
    let command = find_without_colon(word).or_else(named)?;
    let is_of_python = command.has(CommandTrait::AlsoAStatementOfPython);
    if is_of_python || session.names().find(word).is_some() {
        return None;
    }
    let rest = foreign.line[word.len()..].trim();
    let is_call_of_function =
        session.is_function(word) && !names::is_grad(session, word) && rest != "()";
    // It may be typed like a call: `L` for `(L)` and for `L`.
    let inside = rest
        .strip_prefix('(')
        .and_then(|inside| inside.strip_suffix(')'));
    let is_argument = |it: &&str| it.is_empty() || language::as_expression(it).is_some();
    let arguments = inside.filter(is_argument).unwrap_or(rest);
    let begins_argument = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '@');
    if is_call_of_function || !(arguments.is_empty() || arguments.starts_with(begins_argument)) {
        return None;
    }
    let written = session.write_signs(arguments, None).ok().flatten();
    let arguments = written.as_deref().unwrap_or(arguments);
    let line = format!(":{} {arguments}", command.name)
        .trim_end()
        .to_string();
    // The arguments may need advice, too.
    let advice = foreign.with_line(&line).match_row("commands");
    let runs = command.has(CommandTrait::RunsWithoutAColon) || command.has(CommandTrait::ReadOnly);
    let help = match advice {
        Some(OtherMeaning::Refused(Diagnostic { help, .. })) => help,
        other => {
            let meant = match other {
                Some(OtherMeaning::Line(better)) => better,
                _ => line,
            };
            if runs {
                return Some(OtherMeaning::Line(meant));
            }
            Some(format!("type `{}`", shorten(&meant)))
        }
    };
    let message = format!("`{word}` is a command, and commands begin with a colon");
    let mut error = Diagnostic::new(message).at(0..word.len());
    error.help = help;
    Some(OtherMeaning::Refused(error))
}

/// Whether a line is a statement of Python that the language has, except perhaps for its expressions.
fn is_understood(line: &str) -> bool {
    match language::statement(line, &StatementSpan::whole(line)) {
        Ok(Statement::Step(_)) => true,
        Ok(Statement::Expression(expression)) => language::called_step(line, &expression).is_some(),
        _ => false,
    }
}

/// The meaning of a line that begins with words for what is wanted, such as `derivative of` or `find the derivative of`.
pub(super) fn claimed_by_head(session: &Session, line: &str) -> Option<OtherMeaning> {
    let mut request = line.trim_end_matches('?');
    while SKIPPED_WORDS.contains(&word(request)) && !session.knows(word(request)) {
        request = request[word(request).len()..].trim_start();
    }
    match meaning_by_row(session, request, "heads")? {
        OtherMeaning::Refused(error) => {
            let start = request.as_ptr() as usize - line.as_ptr() as usize;
            Some(OtherMeaning::Refused(error.behind(start)))
        }
        meaning => Some(meaning),
    }
}

/// The meaning that the first fitting row of a section gives to a line.
pub(super) fn meaning_by_row(session: &Session, line: &str, section: &str) -> Option<OtherMeaning> {
    Foreign { session, line }.match_row(section)
}

/// Whether a line assigns names: `loss = …`, `total, accuracy = …`.
pub(super) fn is_assignment(line: &str) -> bool {
    let names = line.split_once('=').map(|(names, _)| names);
    names.is_some_and(|names| names.split(',').all(|name| language::is_name(name.trim())))
}
