//! Python, the habits of other languages, and commands without their colon: what to run or to type instead.
//!
//! Asked only when a statement has failed. `patterns.txt` lists what lines of the lecture, of posts about it and of notebooks
//! look like, `line.rs` compares a line with a row; here and in the files beside stand the few answers that rewrite a
//! line. Where there is exactly one translation it is run, else an error says what to type. A line that looks like none
//! of them keeps its error. No help names a command that does not exist: a test looks all of them up.

mod arguments;
mod choice;
mod definition;
mod derivative;
mod filled;
mod formula;
mod items;
mod line;
mod names;
mod printed;
mod rows;

use self::line::{Foreign, cut, renamed};
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

/// How often a line may be rewritten.
pub(super) const MOST_ROUNDS: usize = 100;

/// A function of a module whose functions are the calculator's own.
const BUILT_IN: &str = "<math|np|numpy|torch|cmath|F>.{called}";

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

/// What a statement means that failed, if it looks like Python; `None` keeps its error. The first round sees it as it was
/// typed, later ones what became of it.
pub(super) fn meaning(session: &Session, text: &str, cut: &Cut, round: usize) -> Option<Meaning> {
    let foreign = Foreign {
        session,
        line: cut.span.of(text),
        start: cut.span.start as usize,
        locals: None,
        is_typed: round == 0,
    };
    looked_at(&foreign, text, cut)
}

fn looked_at(foreign: &Foreign, text: &str, cut: &Cut) -> Option<Meaning> {
    let session = foreign.session;
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
    // Lines that brackets join become one, so that what is run instead is one, too.
    let joined = statement
        .contains('\n')
        .then(|| syntax::one_line(statement));
    let whole = foreign.with_line(joined.as_deref().unwrap_or(statement));
    let found = counted(&whole, text, cut)?;
    match found {
        Meaning::Refused(error) if joined.is_some() => {
            Some(counted(foreign, text, cut).unwrap_or(Meaning::Refused(error)))
        }
        found => Some(found),
    }
}

/// Looks at a line once its positions count from 1.
fn counted(foreign: &Foreign, text: &str, cut: &Cut) -> Option<Meaning> {
    if !foreign.is_typed || !foreign.is_python() {
        return seen(foreign, text, cut);
    }
    if let Some(refused) = foreign.row("python") {
        return Some(refused);
    }
    if foreign.line.starts_with(':') {
        // A command is no line of Python, whatever it is given.
        return seen(foreign, text, cut);
    }
    let line = match items::counted(foreign) {
        Ok(Some(line)) => line,
        Ok(None) => return seen(foreign, text, cut),
        Err(refused) => return Some(refused),
    };
    let whole = Cut {
        span: Span::new(0, line.len()),
        silenced: cut.silenced,
    };
    Some(match seen(&foreign.with_line(&line), &line, &whole) {
        None => Meaning::Line(line),
        Some(Meaning::Refused(error)) => {
            // The place is one in what was typed.
            let place = match seen(foreign, text, cut) {
                Some(Meaning::Refused(own)) => own.span,
                _ => Some(foreign.start..foreign.start + foreign.line.len()),
            };
            Meaning::Refused(Diagnostic {
                span: place,
                ..error
            })
        }
        Some(found) => found,
    })
}

fn seen(foreign: &Foreign, text: &str, cut: &Cut) -> Option<Meaning> {
    let line = foreign.line;
    // `print(L` lacks a bracket, whatever else it is.
    if line.matches('(').count() > line.matches(')').count() && !line.contains(['"', '\'']) {
        return None;
    }
    let command = line.starts_with(':');
    let module = || {
        foreign
            .row("tensors")
            .or_else(|| foreign.row("modules"))
            .or_else(|| foreign.row("functions"))
            .or_else(|| foreign.row("unknown"))
            .or_else(|| without_modules(foreign))
    };
    let derivative = || derivative::meaning(foreign).or_else(|| derivative::complaint(foreign));
    if is_list_loop(foreign) {
        return None;
    }
    // `for k in 1..20: L.backward()` looks like a pass from all that stands before the point.
    let is_statement = || foreign.row("statements").is_some();
    if command || is_understood(text, cut) && !is_statement() {
        let asserts = line.starts_with(":assert");
        let python = command && foreign.is_python();
        return (python.then(module).flatten())
            .or_else(|| command.then(|| foreign.row("commands")).flatten())
            .or_else(|| asserts.then(|| foreign.row("words")).flatten())
            .or_else(module)
            .or_else(|| (!command).then(|| foreign.row("methods")).flatten())
            .or_else(derivative)
            .map(|found| {
                if command {
                    found
                } else {
                    foreign.guarded(found)
                }
            });
    }
    let whole = || {
        foreign
            .row("pasted")
            .or_else(|| bare_command(foreign))
            .or_else(|| derivative::claim(foreign))
    };
    let part = || {
        foreign
            .row("members")
            .or_else(module)
            .or_else(|| foreign.row("methods"))
            .or_else(|| foreign.row("calls"))
            .or_else(|| choice::meaning(foreign))
            .or_else(|| foreign.row("words"))
            .or_else(derivative)
    };
    whole()
        .or_else(|| foreign.row("statements"))
        .or_else(|| printed::meaning(foreign))
        .or_else(|| foreign.row("habits").map(|found| foreign.guarded(found)))
        .or_else(|| formatted(foreign))
        .or_else(|| part().map(|found| foreign.guarded(found)))
}

/// A statement of a body without what is Python in it, as far as that can be seen without running it.
fn rewritten(session: &Session, locals: &[&str], statement: &str) -> Result<String, Meaning> {
    let mut line = statement.to_string();
    for round in 0..MOST_ROUNDS {
        let whole = Cut {
            span: Span::new(0, line.len()),
            silenced: false,
        };
        let foreign = Foreign {
            session,
            line: &line,
            start: 0,
            locals: Some(locals),
            is_typed: round == 0,
        };
        match looked_at(&foreign, &line, &whole) {
            Some(Meaning::Line(next)) if next != line => line = next,
            Some(Meaning::Line(_)) | None => break,
            Some(other) => return Err(other),
        }
    }
    Ok(line)
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

/// `print(f"L is {L}")`
fn formatted(foreign: &Foreign) -> Option<Meaning> {
    let line = foreign.line;
    let at = line.find("f\"").or_else(|| line.find("f'"))?;
    let (_, inside) = line[at..].split_once('{')?;
    let value = inside.split(['}', ':', '!']).next().unwrap_or("");
    line[..at].ends_with(['(', ' ', ',']).then(|| {
        Meaning::Refused(foreign.error(
            at..at + 1,
            "a text with `{}` in it is Python".to_string(),
            format!("type the value itself: `{}`", cut(value)),
        ))
    })
}

/// `y = math.exp(2*x)`: the line without the modules, whose functions are built in here.
fn without_modules(foreign: &Foreign) -> Option<Meaning> {
    let line = foreign.line;
    let mut plain = String::new();
    let mut copied = 0;
    for (at, _) in foreign.words() {
        if let Some(found) = foreign.found(BUILT_IN, at) {
            plain.push_str(&line[copied..at]);
            plain.push_str(renamed(found.part("called")));
            copied = found.end;
        }
    }
    plain.push_str(&line[copied..]);
    (copied > 0).then_some(Meaning::Line(plain))
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
fn is_understood(text: &str, statement: &Cut) -> bool {
    match syntax::statement(text, statement) {
        Ok(Statement::Lecture(_)) => true,
        Ok(Statement::Expression(expression)) => {
            matches!(syntax::called(text, &expression), Some(Ok(_)))
        }
        _ => false,
    }
}
