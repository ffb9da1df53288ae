//! `def f(x):` and `f = lambda x: …` as functions of this language.
//!
//! A body of assignments and a `return` is one formula: what a name was given stands where the name is used. Other bodies
//! have no translation.

use super::formula::{Wrong, assign, put_in};
use super::{Meaning, arguments, rewritten};
use crate::diagnostic::Diagnostic;
use crate::session::Session;
use crate::syntax;
use crate::syntax::{Item, Span};

/// The longest definition that is looked at.
const MAX_TEXT: usize = 64 * 1024;

/// The most statements in a body, each of which is looked at on its own.
const MOST_STATEMENTS: usize = 200;

/// A statement of a body, and where it begins in the text.
struct BodyLine<'t> {
    text: &'t str,
    start: usize,
}

impl BodyLine<'_> {
    /// What is wrong with it.
    fn refused(&self, message: impl Into<String>, help: impl Into<String>) -> Meaning {
        let place = self.start..self.start + self.text.len();
        Meaning::Refused(Diagnostic::new(message).at(place).help(help.into()))
    }

    fn wrong(&self, Wrong { message, help }: Wrong) -> Meaning {
        self.refused(message, help)
    }
}

/// What a `def` means: a function, or what is wrong with a line in it.
/// `start` is the place of the definition in its chunk.
pub(super) fn meaning(session: &Session, text: &str, start: usize) -> Option<Meaning> {
    let whole = BodyLine { text, start };
    if text.len() > MAX_TEXT {
        let message = format!(
            "a definition of more than {} KiB is not translated",
            MAX_TEXT / 1024
        );
        return Some(whole.refused(message, "bind its parts in functions of their own"));
    }
    let head = syntax::python_head(text)?;
    let name = head.name.name;
    let parameters: Vec<&str> = head.parameters.iter().map(|(it, _)| it.name).collect();
    let listed = parameters.join(", ");
    let given = head
        .parameters
        .iter()
        .find_map(|(it, default)| Some((it, (*default)?)));
    if let Some((parameter, default)) = given {
        let place = parameter.span.to(default);
        let line = BodyLine {
            text: place.of(text),
            start: start + place.start as usize,
        };
        let message = format!("`{}` has no default value here", parameter.name);
        let help = format!("write `def {name}({listed}):`, and give every argument in a call");
        return Some(line.refused(message, help));
    }
    let body = &text[head.end as usize..];
    let Some(lines) = lines(body, start + text.len() - body.len()) else {
        let message = format!("a body has at most {MOST_STATEMENTS} statements");
        return Some(whole.refused(message, "give parts of it functions of their own"));
    };
    let place = lines.iter().position(|line| returned(line.text).is_some());
    let Some(place) = place else {
        let last = lines
            .last()
            .or(Some(&whole).filter(|_| !body.trim().is_empty()))?;
        let help = format!(
            "end the body with `return` and a formula; in one line it is `{name}({listed}) = …`"
        );
        return Some(last.refused("this body returns nothing", help));
    };
    if let Some(behind) = lines.get(place + 1) {
        return Some(behind.refused("nothing behind `return` is run", "leave it out"));
    }
    let done = function(session, name, &parameters, &lines);
    Some(done.map_or_else(|wrong| wrong, Meaning::Line))
}

/// What a `return` gives back.
fn returned(line: &str) -> Option<&str> {
    let rest = line.strip_prefix("return")?;
    rest.starts_with([' ', '(', '[']).then_some(rest.trim())
}

/// The statements of a body, without comments and texts that only describe it; `None` if there are too many.
fn lines(body: &str, start: usize) -> Option<Vec<BodyLine<'_>>> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < body.len() {
        let end = logical_line(&body[at..]);
        let line = &body[at..at + end];
        for cut in syntax::statements(line) {
            // What cannot be cut is refused as a whole.
            let span = cut.map_or(Span::new(0, line.len()), |cut| cut.span);
            let text = span.of(line).trim();
            if !text.is_empty() && text != "pass" && !text.starts_with(['"', '\'']) {
                let start = start + at + span.start as usize;
                found.push(BodyLine { text, start });
            }
        }
        at += end + 1;
        if found.len() > MOST_STATEMENTS {
            return None;
        }
    }
    Some(found)
}

/// Where the first line of a text ends, with the lines that its brackets or quotes join to it.
fn logical_line(text: &str) -> usize {
    let line = text.trim_start();
    let quotes = ["\"\"\"", "'''"]
        .into_iter()
        .find(|quotes| line.starts_with(quotes));
    if let Some(quotes) = quotes {
        let begin = text.len() - line.len() + quotes.len();
        let end = text[begin..].find(quotes);
        return end.map_or(text.len(), |end| begin + end + quotes.len());
    }
    let mut reader = syntax::Continuation::new();
    let mut end = 0;
    for line in text.split('\n') {
        end += line.len();
        // What is below `if x:` is looked at by itself.
        if syntax::begins_loop(line) || !reader.push(line) {
            break;
        }
        end += 1;
    }
    end.min(text.len())
}

/// The function with this body, whose last statement is what is returned: `f(x) = 3*x^2 - 4*x + 5`. The error is that of
/// the line at fault.
fn function(
    session: &Session,
    name: &str,
    parameters: &[&str],
    body: &[BodyLine],
) -> Result<String, Meaning> {
    let assigned = body.iter().flat_map(|line| {
        let targets = line.text.split_once('=').map_or("", |(targets, _)| targets);
        targets.split([',', ' ', ':', '+', '-', '*', '/'])
    });
    let locals: Vec<&str> = assigned
        .chain(parameters.iter().copied())
        .chain([name])
        .filter(|it| syntax::is_name(it))
        .collect();
    let mut statements = Vec::with_capacity(body.len());
    for line in body {
        statements.extend(statement(session, &locals, line)?.map(|statement| (statement, line)));
    }
    let mut known: Vec<(&str, Vec<Item>)> = Vec::new();
    let mut items = Vec::new();
    for (place, (statement, line)) in statements.iter().enumerate() {
        if place + 1 < statements.len() {
            assign(statement, &mut known).map_err(|wrong| line.wrong(wrong))?;
            continue;
        }
        let formula = syntax::expression(statement, Span::new(0, statement.len()));
        let formula = formula.map_err(|error| line.wrong(error.into()))?;
        items = put_in(&formula, &known).map_err(|wrong| line.wrong(wrong))?;
    }
    let head = parameters.join(", ");
    Ok(format!("{name}({head}) = {}", syntax::infix(&items)))
}

/// A statement of a body in this language; `None` if it asks for nothing.
fn statement(
    session: &Session,
    locals: &[&str],
    line: &BodyLine,
) -> Result<Option<String>, Meaning> {
    let value = returned(line.text);
    let code = syntax::one_line(value.unwrap_or(line.text));
    let code = code.as_str();
    let word = code
        .split(|c: char| !c.is_alphanumeric() && c != '_')
        .next();
    if word == Some("print") {
        return Err(line.refused("a function here shows nothing", "leave the `print` out"));
    }
    if code.contains(['"', '\''])
        && code
            .find(['"', '\''])
            .is_some_and(|at| !code[..at].ends_with(char::is_alphanumeric))
    {
        return Err(line.refused(
            "a text in a body has no counterpart: functions compute numbers",
            "leave it out",
        ));
    }
    // Python's `y: float = x`, and `return x, 2*x`, a list.
    let typed = code
        .split_once(':')
        .filter(|(name, _)| value.is_none() && syntax::is_name(name.trim()));
    let code = match typed.and_then(|(name, rest)| Some((name, rest.split_once('=')?.1))) {
        Some((name, value)) => format!("{} = {}", name.trim(), value.trim()),
        None if value.is_some() && arguments::first(code).len() < code.len() => format!("({code})"),
        None => code.to_string(),
    };
    match rewritten(session, locals, &code) {
        Ok(statement) => Ok(Some(statement)),
        Err(Meaning::Skipped(_)) if value.is_none() => Ok(None),
        // A loop or a text with formats: the error is where it stands.
        Err(Meaning::Refused(error)) => Err(Meaning::Refused(Diagnostic {
            span: Some(line.start..line.start + line.text.len()),
            ..error
        })),
        Err(other) => Err(other),
    }
}
