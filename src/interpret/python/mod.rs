//! Python, and commands without their colon: what to type instead.
//!
//! Asked only when a statement has failed. `patterns.txt` lists what lines of the lecture, of posts about it and of notebooks
//! look like, `line.rs` compares a line with a row; here stand the few answers that rewrite a line. A line that looks
//! like none of them keeps its error. No help names a command that does not exist: a test looks all of them up.

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

/// A function of a module whose functions are the calculator's own.
const BUILT_IN: &str = "<math|np|numpy|torch|cmath|F>.{called}";

/// What to say of a statement that failed with `error`, if it looks like Python; `None` keeps the error.
pub(super) fn advice(
    session: &Session,
    text: &str,
    cut: &Cut,
    error: &Diagnostic,
) -> Option<Diagnostic> {
    let line = cut.span.of(text);
    if error.interrupted || line.len() > MAX_LINE {
        return None;
    }
    let foreign = Foreign {
        session,
        line,
        start: cut.span.start as usize,
    };
    let module = || foreign.row("modules").or_else(|| without_modules(&foreign));
    if is_list_loop(&foreign) {
        return None;
    }
    // `for k in 1..20: L.backward()` looks like a pass from all that stands before the point.
    let is_statement = || foreign.row("statements").is_some();
    if line.starts_with(':') || is_understood(text, cut) && !is_statement() {
        return module();
    }
    foreign
        .row("pasted")
        .or_else(|| bare_command(&foreign))
        .or_else(|| foreign.row("statements"))
        .or_else(|| formatted(&foreign))
        .or_else(|| foreign.row("members"))
        .or_else(module)
        .or_else(|| foreign.row("calls"))
        .or_else(|| choice(&foreign))
        .or_else(|| foreign.row("words"))
}

/// `help`, `quit`, `exit()`, `vars`, `grad L`
fn bare_command(foreign: &Foreign) -> Option<Diagnostic> {
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
    Some(foreign.error(
        0..word.len(),
        format!("`{word}` is a command, and commands begin with a colon"),
        format!("type `{}`", line.trim_end()),
    ))
}

/// `print(f"L is {L}")`
fn formatted(foreign: &Foreign) -> Option<Diagnostic> {
    let line = foreign.line;
    let at = line.find("f\"").or_else(|| line.find("f'"))?;
    let (_, inside) = line[at..].split_once('{')?;
    let value = inside.split(['}', ':', '!']).next().unwrap_or("");
    line[..at].ends_with(['(', ' ', ',']).then(|| {
        foreign.error(
            at..at + 1,
            "a text with `{}` in it is Python".to_string(),
            format!("type the value itself: `{}`", cut(value)),
        )
    })
}

/// `y = math.exp(2*x)`: the line without the modules.
fn without_modules(foreign: &Foreign) -> Option<Diagnostic> {
    let line = foreign.line;
    let mut plain = String::new();
    let mut copied = 0;
    let mut first = None;
    for (at, word) in foreign.words() {
        if let Some(found) = foreign.found(BUILT_IN, at) {
            plain.push_str(&line[copied..at]);
            plain.push_str(renamed(found.part("called")));
            copied = found.end;
            first.get_or_insert((at, word));
        }
    }
    plain.push_str(&line[copied..]);
    let (at, word) = first?;
    Some(foreign.error(
        at..at + word.len(),
        format!("`{word}` is a module of Python; its functions are built in here"),
        format!("write `{}`", cut(&plain)),
    ))
}

/// `y = a if x > 0 else b`
fn choice(foreign: &Foreign) -> Option<Diagnostic> {
    let (left, rest) = foreign.line.split_once(" if ")?;
    let (condition, otherwise) = rest.split_once(" else ")?;
    let (target, value) = match left.split_once('=') {
        Some((target, value)) if syntax::is_name(target.trim()) => (format!("{target}= "), value),
        _ => (String::new(), left),
    };
    let [condition, value, otherwise] = [condition, value, otherwise].map(str::trim);
    let line = format!("{target}if({condition}, {value}, {otherwise})");
    Some(foreign.error(
        left.len() + 1..left.len() + 1 + "if".len(),
        "`if` is a function here".to_string(),
        format!("write `{}`", cut(&line)),
    ))
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
