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
    let rest = text.trim_start().strip_prefix("def")?;
    let whole = BodyLine { text, start };
    if text.len() > MAX_TEXT {
        let message = format!(
            "a definition of more than {} KiB is not translated",
            MAX_TEXT / 1024
        );
        return Some(whole.refused(message, "bind its parts in functions of their own"));
    }
    let (name, rest) = rest.split_once('(')?;
    let parameters = arguments::all(rest);
    let behind = rest[parameters.len()..].strip_prefix(')')?;
    let name = name.trim();
    if let Some(refused) = default_value(name, parameters, start + text.len() - rest.len()) {
        return Some(refused);
    }
    // Other parameters are no names, or there are none.
    names(parameters)?;
    let colon = behind.find(':')?;
    let body = &behind[colon + 1..];
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
            "end the body with `return` and a formula; in one line it is `{name}({}) = …`",
            parameters.trim()
        );
        return Some(last.refused("this body returns nothing", help));
    };
    if let Some(behind) = lines.get(place + 1) {
        return Some(behind.refused("nothing behind `return` is run", "leave it out"));
    }
    Some(function(session, name, parameters, &lines).map_or_else(|wrong| wrong, Meaning::Line))
}

/// The first parameter with a default value.
fn default_value(name: &str, parameters: &str, start: usize) -> Option<Meaning> {
    let mut rest = parameters;
    loop {
        let parameter = arguments::first(rest);
        if let Some((own, _)) = parameter.split_once('=') {
            let blanks = parameter.len() - parameter.trim_start().len();
            let line = BodyLine {
                text: parameter.trim(),
                start: start + parameters.len() - rest.len() + blanks,
            };
            let bare: Vec<&str> = parameters
                .split(',')
                .filter_map(|it| it.split([':', '=']).next())
                .collect();
            let bare: Vec<&str> = bare.into_iter().map(str::trim).collect();
            let message = format!(
                "`{}` has no default value here",
                own.split(':').next()?.trim()
            );
            let help = format!(
                "write `def {name}({}):`, and give every argument in a call",
                bare.join(", ")
            );
            return Some(line.refused(message, help));
        }
        rest = rest[parameter.len()..].strip_prefix(',')?;
    }
}

/// What a `return` gives back.
fn returned(line: &str) -> Option<&str> {
    let rest = line.strip_prefix("return")?;
    rest.starts_with([' ', '(', '[']).then_some(rest.trim())
}

/// `x, 2*x` as a list.
fn as_list(value: &str) -> Option<String> {
    let inside = value.strip_prefix('(').map_or(value, |rest| {
        let inside = arguments::all(rest);
        if rest.len() == inside.len() + 1 {
            inside
        } else {
            value
        }
    });
    let several = arguments::first(inside).len() < inside.len();
    several.then(|| format!("[{}]", inside.trim_end_matches([',', ' '])))
}

/// The statements of a body, without comments and texts that only describe it; `None` if there are too many.
fn lines(body: &str, start: usize) -> Option<Vec<BodyLine<'_>>> {
    let mut found = Vec::new();
    let mut rest = body;
    while !rest.is_empty() {
        let (line, length) = logical_line(rest);
        let at = start + body.len() - rest.len();
        rest = &rest[length..];
        let blanks = line.len() - line.trim_start().len();
        let text = line.trim();
        if !text.is_empty() && text != "pass" && !text.starts_with(['"', '\'']) {
            found.push(BodyLine {
                text,
                start: at + blanks,
            });
        }
        if found.len() > MOST_STATEMENTS {
            return None;
        }
    }
    Some(found)
}

/// The first statement of a text without its comment, and the length of what is done with it.
fn logical_line(text: &str) -> (&str, usize) {
    let mut depth = 0_usize;
    let mut quote: Option<&str> = None;
    let mut at = 0;
    while let Some(first) = text[at..].chars().next() {
        let rest = &text[at..];
        if let Some(end) = quote {
            at += if rest.starts_with(end) {
                quote = None;
                end.len()
            } else {
                first.len_utf8()
            };
            continue;
        }
        let quotes = ["\"\"\"", "'''", "\"", "'"];
        if let Some(begun) = quotes.into_iter().find(|quote| rest.starts_with(quote)) {
            quote = Some(begun);
            at += begun.len();
            continue;
        }
        match first {
            '(' | '[' => depth += 1,
            ')' | ']' => depth = depth.saturating_sub(1),
            '#' if depth == 0 => {
                let end = rest.find('\n').map_or(text.len(), |end| at + end + 1);
                return (&text[..at], end);
            }
            '\n' | ';' if depth == 0 && !text[..at].ends_with('\\') => {
                return (&text[..at], at + 1);
            }
            _ => {}
        }
        at += first.len_utf8();
    }
    (text, text.len())
}

/// `f = lambda x: 3*x**2`
pub(super) fn lambda(
    session: &Session,
    name: &str,
    parameters: &str,
    formula: &str,
) -> Option<String> {
    let body = [BodyLine {
        text: formula,
        start: 0,
    }];
    function(session, name, parameters, &body).ok()
}

/// The function with this body, whose last statement is what is returned: `f(x) = 3*x^2 - 4*x + 5`. The error is that of
/// the line at fault.
fn function(
    session: &Session,
    name: &str,
    parameters: &str,
    body: &[BodyLine],
) -> Result<String, Meaning> {
    let nothing = BodyLine { text: "", start: 0 };
    let last = body.last().unwrap_or(&nothing);
    let parameters = names(parameters)
        .ok_or_else(|| last.refused("a parameter is a name", "write `f(x) = …`"))?;
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
    let (formula, before) = statements
        .split_last()
        .ok_or_else(|| last.refused("this body returns nothing", "write `return x`"))?;
    for (statement, line) in before {
        assign(statement, &mut known).map_err(|wrong| line.wrong(wrong))?;
    }
    let (formula, line) = formula;
    let items = syntax::expression(formula, Span::new(0, formula.len()))
        .map_err(|error| line.wrong(error.into()))
        .and_then(|formula| put_in(&formula, &known).map_err(|wrong| line.wrong(wrong)))?;
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
    let code = value.unwrap_or(line.text).trim();
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
    // Python's `y: float = x`.
    let typed = code
        .split_once(':')
        .and_then(|(name, rest)| Some((name, rest.split_once('=')?.1)));
    let typed = typed.filter(|(name, _)| value.is_none() && syntax::is_name(name.trim()));
    let untyped = typed.map(|(name, value)| format!("{} = {}", name.trim(), value.trim()));
    let list = value.and_then(as_list);
    let code = untyped.or(list).unwrap_or_else(|| code.to_string());
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

/// The names of parameters, without their types; `None` if one has a default or is no name.
fn names(parameters: &str) -> Option<Vec<&str>> {
    let parameters = parameters.trim().trim_end_matches(',');
    let names = parameters.split(',').map(|parameter| {
        let name = parameter.split(':').next().unwrap_or_default().trim();
        (syntax::is_name(name) && !parameter.contains('=')).then_some(name)
    });
    names.collect()
}
