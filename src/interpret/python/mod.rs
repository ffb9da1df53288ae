//! Python, the habits of other languages, and commands without their colon: what to run or to type instead.
//!
//! Asked only when a statement has failed. `patterns.txt` lists what lines of the lecture, of posts about it and of notebooks
//! look like, `line.rs` compares a line with a row; `translate.rs` writes the tree of a line of Python in this language.
//! Where there is exactly one translation it is run, else an error says what to type. A line that looks like none
//! of them keeps its error. No help names a command that does not exist: a test looks all of them up.

mod arguments;
mod definition;
mod derivative;
mod filled;
mod formula;
mod line;
mod rows;
mod translate;

use self::line::{Foreign, cut};
use crate::commands::COMMANDS;
use crate::diagnostic::Diagnostic;
use crate::session::Session;
use crate::session::values::Value;
use crate::syntax;
use crate::syntax::{Cut, Head, Item, ItemKind, Span, Statement};

/// The longest line that is looked at, and the most words in one, which bound the work: every row is compared with every
/// word.
const MAX_LINE: usize = 64 * 1024;
const MOST_WORDS: usize = 2_000;

/// The words with which statements of Python begin.
const STATEMENTS: &[&str] = &[
    "assert", "break", "case", "class", "continue", "def", "elif", "else", "except", "finally",
    "for", "from", "global", "if", "import", "match", "nonlocal", "pass", "raise", "return", "try",
    "while", "with", "yield",
];

/// Does a statement of Python begin with this word?
pub(super) fn begins_statement(word: &str) -> bool {
    STATEMENTS.contains(&word)
}

/// What a line means that is no statement of this language.
pub(super) enum Meaning {
    /// The same as this line.
    Line(String),
    /// Nothing, for this reason.
    Skipped(String),
    /// Nothing that can be run: this is what to say of it.
    Refused(Diagnostic),
}

/// Why a line has no translation.
enum Untranslated {
    /// Something in it has no counterpart.
    Unknown,
    /// This is wrong with it.
    Refused(Diagnostic),
}

/// What a statement means that failed, if it looks like Python; `None` keeps its error.
pub(super) fn meaning(session: &Session, text: &str, cut: &Cut) -> Option<Meaning> {
    let foreign = Foreign {
        session,
        line: cut.span.of(text),
        start: cut.span.start as usize,
        locals: None,
    };
    let statement = foreign.line;
    if syntax::begins_block(statement) {
        let (head, _) = statement.split_once('\n').unwrap_or((statement, ""));
        let foreign = foreign.with_line(head);
        if is_list_loop(&foreign) {
            return None;
        }
        return foreign
            .row("definitions")
            .or_else(|| definition::meaning(session, statement, foreign.start))
            .or_else(|| foreign.row("statements"));
    }
    if statement.len() > MAX_LINE || foreign.words().nth(MOST_WORDS).is_some() {
        let error = || {
            let message = format!(
                "this line of Python is too long to be translated: at most {MAX_LINE} bytes and {MOST_WORDS} words"
            );
            let help = "bind its parts in statements of their own, or write it as `xs = [1, 2, 3]`";
            Meaning::Refused(foreign.error(0..statement.len(), message, help.to_string()))
        };
        return foreign.is_python().then(error);
    }
    if !statement.contains('\n') {
        return of_line(&foreign);
    }
    // Lines that brackets join become one, so that what is run instead is one, too.
    let joined = syntax::one_line(statement);
    Some(match of_line(&foreign.with_line(&joined))? {
        Meaning::Refused(error) => Meaning::Refused(Diagnostic {
            span: Some(foreign.start..foreign.start + statement.len()),
            ..error
        }),
        found => found,
    })
}

/// What a line means.
fn of_line(foreign: &Foreign) -> Option<Meaning> {
    let line = foreign.line;
    // `print(L` lacks a bracket, whatever else it is.
    let unclosed = line.matches('(').count() > line.matches(')').count();
    if unclosed && !line.contains(['"', '\'']) || is_list_loop(foreign) {
        return None;
    }
    let command = line.starts_with(':');
    let rows = |sections: &[&str]| sections.iter().find_map(|section| foreign.row(section));
    let differs = foreign.is_python().then(|| foreign.row("python")).flatten();
    let whole = || match () {
        () if command => foreign.row("commands"),
        () if is_understood(line) => foreign.row("statements"),
        () => foreign
            .row("pasted")
            .or_else(|| bare_command(foreign))
            .or_else(|| derivative::claim(foreign))
            .or_else(|| rows(&["statements", "habits"])),
    };
    let found = differs.or_else(whole).map(|found| match found {
        Meaning::Line(line) => Meaning::Line(match translate::line(&foreign.with_line(&line)) {
            Ok(Some(translated)) => translated,
            _ => line,
        }),
        found => found,
    });
    if found.is_some() {
        return found;
    }
    match translate::line(foreign) {
        Ok(Some(line)) => return Some(Meaning::Line(line)),
        Err(Untranslated::Refused(error)) => return Some(Meaning::Refused(error)),
        Err(Untranslated::Unknown) | Ok(None) => {}
    }
    let is_part = !command && !is_understood(line);
    let others = |sections: &[&str]| is_part.then(|| rows(sections)).flatten();
    others(&["members"])
        .or_else(|| rows(&["modules", "functions", "unknown", "methods"]))
        .or_else(|| others(&["calls", "words"]))
        .or_else(|| derivative::unread(foreign))
}

/// A statement of a body in the calculator's language.
fn rewritten(session: &Session, locals: &[&str], statement: &str) -> Result<String, Meaning> {
    let foreign = Foreign {
        session,
        line: statement,
        start: 0,
        locals: Some(locals),
    };
    match of_line(&foreign) {
        Some(Meaning::Line(line)) => Ok(line),
        None => Ok(statement.to_string()),
        Some(other) => Err(other),
    }
}

/// `help`, `quit`, `exit()`, `vars`, `grad L`
fn bare_command(foreign: &Foreign) -> Option<Meaning> {
    let session = foreign.session;
    let word = foreign.first()?;
    let rest = foreign.line[word.len()..].trim();
    let inside = rest
        .strip_prefix('(')
        .and_then(|rest| rest.strip_suffix(')'));
    let called = inside.is_some_and(|inside| inside.trim().is_empty());
    // `plot(L)`
    let one = inside.filter(|inside| !called && arguments::term(inside) == *inside);
    let rest = if called { "" } else { one.unwrap_or(rest) };
    let name = match word {
        "exit" => "quit",
        word => COMMANDS.iter().find(|command| command.name == word)?.name,
    };
    let goes_on = rest.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '@'));
    if session.names().find(word).is_some()
        || session.is_function(word) && !called && !session.is_grad(word)
        || !(rest.is_empty() || goes_on)
        // Python has a statement of this name too.
        || name == "assert"
    {
        return None;
    }
    let line = format!(":{name} {}", cut(rest));
    Some(Meaning::Refused(foreign.error(
        0..word.len(),
        format!("`{word}` is a command, and commands begin with a colon"),
        format!("type `{}`", line.trim_end()),
    )))
}

/// Is it `for k in 1..3: k^2`: a loop over a list of this language, and not one that trains? The parser says how to
/// write it.
fn is_list_loop(foreign: &Foreign) -> bool {
    let session = foreign.session;
    let behind = foreign.line.strip_prefix("for ");
    let Some((_, rest)) = behind.and_then(|behind| behind.split_once(" in ")) else {
        return false;
    };
    let (over, body) = rest.split_once(':').unwrap_or((rest, ""));
    let body = body.trim();
    let is_list = match root(session, over) {
        Some(ItemKind::Apply(head, _)) => matches!(
            head,
            Head::Range | Head::List | Head::Collect | Head::Function("zip" | "flat", _)
        ),
        // Over all parameters goes the loop that trains.
        Some(ItemKind::Name(name)) if !body.is_empty() => session
            .names()
            .find(name)
            .is_some_and(|value| matches!(value, Value::List(_))),
        _ => false,
    };
    is_list && (body.is_empty() || root(session, body).is_some())
}

/// What an expression does last, if it has only functions that there are.
fn root<'t>(session: &Session, text: &'t str) -> Option<ItemKind<'t>> {
    let expression = syntax::expression(text, Span::new(0, text.len())).ok()?;
    let is_known = |item: &Item| match item.kind {
        ItemKind::Apply(Head::Function(name, _), _) => name == "print" || session.is_function(name),
        _ => true,
    };
    let known = expression.items.iter().all(is_known);
    let root = expression.items.last().filter(|_| known)?;
    Some(root.kind)
}

/// Is it a line of the lecture, but for what is in it?
fn is_understood(line: &str) -> bool {
    let span = Span::new(0, line.len());
    let silenced = false;
    match syntax::statement(line, &Cut { span, silenced }) {
        Ok(Statement::Lecture(_)) => true,
        Ok(Statement::Expression(expression)) => {
            matches!(syntax::called(line, &expression), Some(Ok(_)))
        }
        _ => false,
    }
}
