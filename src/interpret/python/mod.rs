//! Python, and commands without their colon: what to run or to type instead.
//!
//! Asked only when a statement has failed. `patterns.txt` lists what lines of the lecture, of posts about it and of notebooks
//! look like, `line.rs` compares a line with a row; here and in the files beside stand the few answers that rewrite a
//! line. Where there is exactly one translation it is run, else an error says what to type. A line that looks like none
//! of them keeps its error. No help names a command that does not exist: a test looks all of them up.

mod arguments;
mod definition;
mod derivative;
mod line;

use self::line::{Foreign, cut, renamed};
use crate::commands::COMMANDS;
use crate::diagnostic::Diagnostic;
use crate::session::Session;
use crate::session::values::Value;
use crate::syntax;
use crate::syntax::{Cut, Head, Item, ItemKind, Span, Statement};

/// The longest line that is looked at, which bounds the work.
const MAX_LINE: usize = 4_096;

/// How often a line may be rewritten.
pub(super) const MOST_ROUNDS: usize = 100;

/// A function of a module whose functions are the calculator's own.
const BUILT_IN: &str = "<math|np|numpy|torch|cmath|F>.{called}";

/// What a line means that is no statement of this language.
pub(super) enum Meaning {
    /// The same as this line.
    Line(String),
    /// Nothing, for this reason.
    Skipped(String),
    /// Nothing that can be run: this is what to say of it.
    Refused(Diagnostic),
}

/// What a statement means that failed, if it looks like Python; `None` keeps its error.
pub(super) fn meaning(session: &Session, text: &str, cut: &Cut) -> Option<Meaning> {
    let statement = cut.span.of(text);
    if syntax::begins_block(statement) {
        let (head, _) = statement.split_once('\n').unwrap_or((statement, ""));
        let foreign = Foreign {
            session,
            line: head,
            start: cut.span.start as usize,
        };
        if is_list_loop(&foreign) {
            return None;
        }
        return foreign
            .row("definitions")
            .or_else(|| definition::meaning(session, statement, foreign.start))
            .or_else(|| foreign.row("statements"));
    }
    if statement.len() > MAX_LINE {
        return None;
    }
    // Lines that brackets join become one, so that what is run instead is one, too.
    let joined = statement
        .contains('\n')
        .then(|| syntax::one_line(statement));
    let foreign = Foreign {
        session,
        line: joined.as_deref().unwrap_or(statement),
        start: cut.span.start as usize,
    };
    let found = seen(&foreign, text, cut)?;
    match found {
        Meaning::Refused(error) if joined.is_some() => {
            let found = foreign.with_line(statement);
            Some(seen(&found, text, cut).unwrap_or(Meaning::Refused(error)))
        }
        found => Some(found),
    }
}

fn seen(foreign: &Foreign, text: &str, cut: &Cut) -> Option<Meaning> {
    let line = foreign.line;
    let module = || {
        foreign
            .row("tensors")
            .or_else(|| foreign.row("modules"))
            .or_else(|| without_modules(foreign))
    };
    if is_list_loop(foreign) {
        return None;
    }
    // `for k in 1..20: L.backward()` looks like a pass from all that stands before the point.
    let is_statement = || foreign.row("statements").is_some();
    if line.starts_with(':') || is_understood(text, cut) && !is_statement() {
        return module().or_else(|| derivative::meaning(foreign));
    }
    foreign
        .row("pasted")
        .or_else(|| bare_command(foreign))
        .or_else(|| foreign.row("statements"))
        .or_else(|| formatted(foreign))
        .or_else(|| foreign.row("members"))
        .or_else(module)
        .or_else(|| foreign.row("calls"))
        .or_else(|| choice(foreign))
        .or_else(|| foreign.row("words"))
        .or_else(|| derivative::meaning(foreign))
}

/// A statement without what is Python in it, as far as that can be seen without running it.
fn rewritten(session: &Session, statement: &str) -> Result<String, Meaning> {
    let mut line = statement.to_string();
    for _ in 0..MOST_ROUNDS {
        let whole = Cut {
            span: Span::new(0, line.len()),
            silenced: false,
        };
        match meaning(session, &line, &whole) {
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
    let rest = if called { "" } else { rest };
    let name = match word {
        "exit" => "quit",
        word => COMMANDS.iter().find(|command| command.name == word)?.name,
    };
    let goes_on = rest.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '@'));
    if session.names().find(word).is_some()
        || session.is_function(word) && !called && !session.is_grad(word)
        || !(rest.is_empty() || goes_on)
        // Python has a statement of this name too, and its conditions are not always ours.
        || name == "assert" && syntax::expression(rest, Span::new(0, rest.len())).is_err()
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

/// `y = a if x > 0 else b`
fn choice(foreign: &Foreign) -> Option<Meaning> {
    let (left, rest) = foreign.line.split_once(" if ")?;
    let (condition, otherwise) = rest.split_once(" else ")?;
    let (target, value) = match left.split_once('=') {
        Some((target, value)) if syntax::is_name(target.trim()) => (format!("{target}= "), value),
        _ => (String::new(), left),
    };
    let parts = [condition, value, otherwise].map(str::trim);
    let [condition, value, otherwise] = parts;
    let line = format!("{target}if({condition}, {value}, {otherwise})");
    if parts.into_iter().all(arguments::is_expression) {
        return Some(Meaning::Line(line));
    }
    Some(Meaning::Refused(foreign.error(
        left.len() + 1..left.len() + 1 + "if".len(),
        "`if` is a function here".to_string(),
        format!("write `{}`", cut(&line)),
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
fn is_understood(text: &str, statement: &Cut) -> bool {
    match syntax::statement(text, statement) {
        Ok(Statement::Lecture(_)) => true,
        Ok(Statement::Expression(expression)) => {
            matches!(syntax::called(text, &expression), Some(Ok(_)))
        }
        _ => false,
    }
}
