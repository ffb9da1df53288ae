//! `def f(x):` as a function of this language.
//!
//! A body of assignments and a `return` is one formula: what a name was given stands where the name is used. The lines of
//! other bodies are run, by `block`.

use super::{Foreign, Meaning, PythonLine, of_line, python_lines};
use crate::diagnostic::Diagnostic;
use crate::session::Session;
use crate::syntax::{self, Cut, Expression, FunctionHead, Head, Item, ItemKind, Statement};

/// The most items of a formula: names that are used twice double it.
const MOST_ITEMS: usize = 10_000;

/// What names stand for.
type Assigned<'t> = Vec<(&'t str, Vec<Item<'t>>)>;

/// What a `def` means: a function, or what is wrong with a line in it.
pub(super) fn meaning(session: &Session, text: &str) -> Option<Meaning> {
    let head = syntax::python_head(text)?;
    if text[head.end as usize..].trim().is_empty() {
        return None;
    }
    let done = function(session, text, &head);
    Some(done.map_or_else(Meaning::Refused, Meaning::Line))
}

fn wrong(message: impl Into<String>, help: impl Into<String>) -> Diagnostic {
    Diagnostic::new(message).help(help.into())
}

/// The function: `f(x) = 3*x^2 - 4*x + 5`. An error has the place of the line at fault.
fn function(session: &Session, text: &str, head: &FunctionHead) -> Result<String, Diagnostic> {
    let name = head.name.name;
    let parameters: Vec<&str> = head.parameters.iter().map(|it| it.name).collect();
    let listed = parameters.join(", ");
    let body = python_lines(text, head.end as usize);
    let last = body.last();
    if last.is_none_or(|line| returned(line.code).is_none()) {
        let help = format!(
            "end the body with `return` and a formula; in one line it is `{name}({listed}) = …`"
        );
        let place = last.map_or(0..text.len(), |line| line.place.clone());
        return Err(wrong("this body returns nothing", help).at(place));
    }
    let assigned = body.iter().flat_map(|line| {
        let targets = line.code.split_once('=').map_or("", |(it, _)| it);
        targets.split([',', ' ', ':', '+', '-', '*', '/'])
    });
    let locals = assigned.chain(parameters.iter().copied()).chain([name]);
    let locals: Vec<&str> = locals.filter(|it| syntax::is_name(it)).collect();
    let mut statements = Vec::with_capacity(body.len());
    for PythonLine { code, place, .. } in body {
        let at = |error: Diagnostic| error.at(place.clone());
        let statement = statement(session, name, &locals, code).map_err(at)?;
        statements.extend(statement.map(|statement| (statement, place)));
    }
    let mut known = Assigned::new();
    for (statement, place) in &statements {
        let done = assign(session, statement, &mut known);
        done.map_err(|error| error.at(place.clone()))?;
    }
    // What the name of the function was given last is what it returns.
    let items = known.pop().map(|(_, items)| items).unwrap_or_default();
    Ok(format!("{name}({listed}) = {}", syntax::infix(&items)))
}

/// What a `return` gives back.
fn returned(line: &str) -> Option<&str> {
    let rest = line.strip_prefix("return")?;
    rest.starts_with([' ', '(', '[']).then_some(rest.trim())
}

/// A statement of the body of a function in this language, `return` as an assignment to its name; `None` if it asks for
/// nothing.
fn statement(
    session: &Session,
    function: &str,
    locals: &[&str],
    line: &str,
) -> Result<Option<String>, Diagnostic> {
    let value = returned(line);
    let code = syntax::one_line(value.unwrap_or(line));
    // What `return x, 2*x` gives back is a list.
    let code = value.map_or(code.clone(), |_| format!("({code})"));
    let foreign = Foreign {
        session,
        line: &code,
        locals: Some(locals),
    };
    let statement = match of_line(&foreign) {
        Some(Meaning::Line(statement)) => statement,
        Some(Meaning::Skipped(_) | Meaning::Known(..)) => return Ok(None),
        // A loop or a text with formats.
        Some(Meaning::Refused(error)) => return Err(error),
        None => code,
    };
    Ok(Some(match value {
        Some(_) => format!("{function} = {statement}"),
        None => statement,
    }))
}

/// Notes what the names of an assignment stand for from now on.
fn assign<'t>(
    session: &Session,
    text: &'t str,
    known: &mut Assigned<'t>,
) -> Result<(), Diagnostic> {
    let statement = syntax::statement(text, &Cut::whole(text));
    let binding = match statement.map_err(|error| session.explain(error))? {
        Statement::Binding(binding)
            if binding.widths.is_empty() && binding.targets.len() == binding.values.len() =>
        {
            binding
        }
        _ => {
            let message = "a body has assignments and a `return` at its end, and this is neither";
            let help = "leave the line out, or give what it computes a name: `y = …`";
            return Err(wrong(message, help));
        }
    };
    let mut given = Vec::with_capacity(binding.values.len());
    for (target, mut value) in binding.targets.iter().zip(binding.values) {
        let span = value.span;
        if let Some(operator) = binding.compound {
            let (itself, kind) = (
                ItemKind::Name(target.name),
                ItemKind::Apply(Head::Operator(operator), 2),
            );
            value.items.insert(0, Item { kind: itself, span });
            value.items.push(Item { kind, span });
        }
        given.push((target.name, put_in(&value, known)?));
    }
    for (name, items) in given {
        known.retain(|(known, _)| *known != name);
        known.push((name, items));
    }
    Ok(())
}

/// The items of an expression, with what names stand for in their places. They may become too many, or a loop in the
/// expression may bind a name that one of them uses.
fn put_in<'t>(
    expression: &Expression<'t>,
    known: &Assigned<'t>,
) -> Result<Vec<Item<'t>>, Diagnostic> {
    let names = expression.names();
    let variables = expression.items.iter().filter_map(|item| match item.kind {
        ItemKind::Variable(name) => Some(name),
        _ => None,
    });
    let variables: Vec<&str> = variables.collect();
    let mut items = Vec::with_capacity(expression.items.len());
    for (at, item) in expression.items.iter().enumerate() {
        let free = names.iter().find(|&&(_, place)| place == at);
        let value = free.and_then(|(name, _)| known.iter().find(|(known, _)| known == name));
        match value {
            Some((_, value)) => items.extend_from_slice(value),
            None => items.push(*item),
        }
        let is_hidden =
            |item: &Item| matches!(item.kind, ItemKind::Name(it) if variables.contains(&it));
        if value.is_some_and(|(_, value)| value.iter().any(is_hidden)) {
            let message = "the variable of this loop has the name of something that is used in it";
            return Err(wrong(message, "give the variable of the loop another name"));
        }
        if items.len() > MOST_ITEMS {
            let message =
                format!("as one formula this would have more than {MOST_ITEMS} operations");
            return Err(wrong(
                message,
                "give what is used several times a function of its own",
            ));
        }
    }
    Ok(items)
}
