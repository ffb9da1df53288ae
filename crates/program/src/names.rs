//! Resolves the names and functions of an expression.
//!
//! The user's own definitions take precedence over predefined ones. Every failure becomes an error that suggests
//! something similar. Of all names, only predefined constants create nodes here.

use std::rc::Rc;

use crate::environment::{ANSWERS, Environment, LAST_RESULT};
use crate::error::{Error, fail};
use crate::functions::{
    Callee, GRAD, LIBRARY, LibraryFunction, function_error, is_built_in, native_name,
};
use crate::values::Value;
use chainrule_engine::graph::Spelling;
use chainrule_engine::ops;
use chainrule_language::{BindingTarget, Expression, Span};
use chainrule_report::characters::is_letter_name;
use chainrule_report::diagnostic::backtick_list;
use chainrule_report::diagnostic::suggest::{did_you_mean, nearest};
use chainrule_report::plural;

/// The numbers of arguments that a function takes, and a correct call of it.
struct Usage {
    /// The least number and the most.
    counts: (usize, usize),
    example: String,
}

/// Whether an expression has a name that is no constant.
pub fn has_letters(expression: &Expression) -> bool {
    let mut names = expression.names().into_iter();
    names.any(|(name, _)| ops::constant(name).is_none())
}

/// The value of a name: the user's own, the last result, or a predefined constant.
pub(crate) fn value_of_name(
    session: &mut dyn Environment,
    name: &str,
    span: Span,
) -> Result<Value, Error> {
    if let Some(value) = session.find(name) {
        return Ok(value.clone());
    }
    if ANSWERS.contains(&name) {
        let help = "it is the last result: type an expression first";
        let missing = || fail(span, format!("`{name}` has no value yet"), help);
        return session.last_result().cloned().ok_or_else(missing);
    }
    if let Some((known, value, _)) = ops::CONSTANTS.iter().find(|(known, ..)| *known == name) {
        return Ok(session
            .program_mut()
            .graph
            .constant(*value, Spelling::Named(known))
            .into());
    }
    if matches!(name, "True" | "False") {
        return Ok(session.program_mut().truth(name == "True"));
    }
    if usage(session, name).is_some() {
        return Err(function_error(name, span));
    }
    Err(unknown_names_error(session, &[name], span))
}

/// Whether a name means nothing: neither a value nor a function.
pub fn is_unknown(session: &dyn Environment, name: &str) -> bool {
    !session.knows(name) && !session.is_function(name) && !matches!(name, "True" | "False")
}

/// The error for names without a value, the first of which is at `span`.
pub fn unknown_names_error(session: &dyn Environment, names: &[&str], span: Span) -> Error {
    let (message, help) = match names {
        [name] => (
            format!("unknown name `{name}`"),
            unknown_name_help(session, name),
        ),
        _ => (
            format!("unknown names {}", backtick_list(names)),
            unknown_names_help(session, names),
        ),
    };
    let mut error = fail(span, message, help);
    error.unknown = names.iter().map(ToString::to_string).collect();
    error
}

/// The help for several names without a value.
fn unknown_names_help(session: &dyn Environment, names: &[&str]) -> String {
    let line = numbers_line(session, names).unwrap_or_default();
    let advice = format!("give them numbers first: `{line}`");
    let near = |name| Some((name, near_name(session, name)?));
    match names.iter().copied().find_map(near) {
        Some((name, near)) => format!("`{name}` may mean `{near}`; if not, {advice}"),
        None => advice,
    }
}

/// The line that gives names without a value numbers. `None` for a single name that probably is a typing error, or a
/// constant or a unit of other calculators.
pub fn numbers_line(session: &dyn Environment, names: &[impl AsRef<str>]) -> Option<String> {
    let names: Vec<&str> = names.iter().map(AsRef::as_ref).collect();
    match names[..] {
        [] => None,
        [name] => {
            let is_letter = foreign_name_help(name).is_none() && near_name(session, name).is_none();
            is_letter.then(|| format!("{name} = 2"))
        }
        _ => {
            let ones = vec!["1"; names.len()];
            Some(format!("{} = {}", names.join(", "), ones.join(", ")))
        }
    }
}

/// What a name without a value probably means beside these letters: `a*x` for `ax`, `x*sin(2*x)` for `xsin2x`, and
/// `π*r` for `πr` beside any. `Δx` and `dx` are names.
pub fn product(
    session: &dyn Environment,
    name: &str,
    letters: &[impl AsRef<str>],
) -> Option<String> {
    if !is_unknown(session, name) || name.starts_with(['Δ', 'δ', 'd']) {
        return None;
    }
    let is_given = |text: &str| letters.iter().any(|it| it.as_ref() == text);
    let (first, rest) = name.split_at(name.chars().next()?.len_utf8());
    let is_greek = first.starts_with(|c| ('Α'..='ω').contains(&c));
    let is_pair = two_letters(name).is_some() && (is_given(first) || is_given(rest));
    if is_pair || is_greek && rest.starts_with(char::is_alphabetic) && is_letter_name(rest) {
        return Some(format!("{first}*{rest}"));
    }
    let is_function = |text: &str| ops::function(text, 1).is_some();
    let mut all = letters.iter().map(AsRef::as_ref);
    let letter = all.find(|letter| name.ends_with(letter))?;
    let before = name.strip_suffix(letter)?;
    let word = before.trim_end_matches(|c: char| c.is_ascii_digit());
    let argument = &name[word.len()..];
    if is_function(word) {
        return Some(format!("{word}({argument})"));
    }
    let function = word.strip_prefix(first)?;
    let is_product = is_given(first) && is_function(function);
    is_product.then(|| format!("{first}*{function}({argument})"))
}

/// The name with a value that is nearest to a name without one. The name of a Greek letter is no misspelling of another.
fn near_name<'s>(session: &'s dyn Environment, name: &str) -> Option<&'s str> {
    let is_spelled_out = name.chars().take(2).filter(|it| it.is_alphabetic()).count() == 2;
    if is_spelled_out && is_letter_name(name) {
        return None;
    }
    let constants = ops::CONSTANTS.iter().map(|(known, ..)| *known);
    let bound = session.bound_names().into_iter();
    nearest(name, bound.chain(constants))
}

/// The help for a name without a value.
fn unknown_name_help(session: &dyn Environment, name: &str) -> String {
    did_you_mean(near_name(session, name), || {
        let usual = || match two_letters(name) {
            // `dx` belongs to a derivative, and `mu` is a letter.
            Some([first, _]) if first != "d" && !is_letter_name(name) => {
                format!("a product has a sign between its letters; `{name} = 2` gives it a value")
            }
            _ => format!("`{name} = 2` gives it a value; `:vars` lists all names"),
        };
        foreign_name_help(name).unwrap_or_else(usual)
    })
}

/// The letters of a name that may be a product, such as `xy`.
fn two_letters(name: &str) -> Option<[&str; 2]> {
    let (first, second) = name.split_at(name.chars().next()?.len_utf8());
    let are_letters = second.chars().count() == 1 && name.chars().all(char::is_alphabetic);
    are_letters.then_some([first, second])
}

/// Whether a name means the last result, but a redo has taken back later ones.
pub(crate) fn is_older_result(session: &dyn Environment, name: &str) -> bool {
    session.has_lost_results() && ANSWERS.contains(&name) && session.find(name).is_none()
}

/// Whether the name means the built-in function `grad`, which shares its name with a command.
pub fn is_grad(session: &dyn Environment, name: &str) -> bool {
    name == GRAD && session.program().functions.get(name).is_none()
}

/// The meaning of a function's name in a call with `count` arguments. The user's own functions take precedence.
pub fn callee(
    session: &dyn Environment,
    (name, primes): (&str, u8),
    count: usize,
    span: Span,
) -> Result<Callee, Error> {
    if let Some(own) = session.program().functions.get(name) {
        let (least, most) = own.counts();
        // The arguments of a function of several lines are checked when the call runs.
        let fits = (least..=most).contains(&count) || own.lines.is_some() && primes == 0;
        if fits && (primes < 2 || most == 1) {
            return Ok(Callee::Own(Rc::clone(own)));
        }
    } else if let Some(function) = LibraryFunction::find(name) {
        if primes == 0 && function.takes(count) {
            return Ok(Callee::Library(function));
        }
    } else if let Some(op) = ops::function(name, count) {
        match primes {
            0 => return Ok(Callee::Built(op)),
            _ if op.arity().1 == Some(1) => return Ok(Callee::Derived(op, primes)),
            _ => {}
        }
    } else if primes == 0 && ops::logarithm_to_base(name, count).is_some() {
        return Ok(Callee::Logarithm);
    } else if native_name(name) != name && !is_built_in(name) {
        return callee(session, (native_name(name), primes), count, span);
    }
    Err(call_error(session, (name, primes), count, span))
}

/// The error for a call without a meaning.
pub fn call_error(
    session: &dyn Environment,
    (name, primes): (&str, u8),
    given: usize,
    span: Span,
) -> Error {
    let Some(usage) = usage(session, name) else {
        return unknown_function_error(session, name, span);
    };
    let (least, most) = usage.counts;
    let takes = match most {
        _ if most == least => plural(least, "argument"),
        _ if most == least + 1 => format!("{least} or {most} arguments"),
        _ => format!("{least} or more arguments"),
    };
    if primes == 0 || most == 1 && given != 1 {
        let is = if given == 1 { "is" } else { "are" };
        let message = format!("`{name}` takes {takes}, {given} {is} given");
        return fail(span, message, format!("as in `{}`", usage.example));
    }
    let what = if most == 1 { "a list" } else { &takes };
    let message = format!("a prime is for functions of one number, and `{name}` takes {what}");
    if session.program().functions.get(name).is_some() {
        return fail(
            span,
            message,
            format!("`:formula {name}` has its derivatives"),
        );
    }
    let help = "its derivative by one of several: `grad(…(…), LEAF)`; by each item of a list: `grad(…(LIST), LIST)`";
    fail(span, message, help)
}

/// The error for a call of a name that is not a function.
fn unknown_function_error(session: &dyn Environment, name: &str, span: Span) -> Error {
    if session.knows(name) {
        let what = session.find(name).map_or("value", value_word);
        let message = format!("`{name}` is a {what}, not a function");
        let help = format!("to multiply, write `{name}*(…)`; an item of a list is `LIST[0]`");
        return fail(span, message, help);
    }
    if name.starts_with('.') {
        let message = format!("expected `.data`, `.grad` or a call, found `{name}`");
        let help =
            "a value has `.data`, `.grad` and `.sigma`; how many items a list has is `len(LIST)`";
        return fail(span, message, help);
    }
    let library = LIBRARY.iter().map(|function| function.name);
    let mut known: Vec<&str> = ops::function_names().chain(library).collect();
    known.extend(session.program().functions.iter().map(|own| &*own.name));
    let mut long = known.iter().filter(|it| it.len() > 1);
    let named = long.find_map(|function| {
        let letter = name
            .strip_suffix(function)
            .filter(|it| is_letter_name(it))?;
        Some(format!("a product is `{letter}*{function}(…)`"))
    });
    if let Some(help) = named {
        return fail(span, format!("unknown function `{name}`"), help);
    }
    let help = did_you_mean(nearest(name, known), || {
        if is_letter_name(name) {
            format!("a product is `{name}*(…)`, and `{name}(x) = …` defines a function")
        } else {
            "`:help operations` lists all functions".to_string()
        }
    });
    fail(span, format!("unknown function `{name}`"), help)
}

/// The usage of the function with this name.
fn usage(session: &dyn Environment, name: &str) -> Option<Usage> {
    let (counts, example) = if let Some(own) = session.program().functions.get(name) {
        (
            own.counts(),
            format!("{name}({})", vec!["…"; own.parameters.len()].join(", ")),
        )
    } else if let Some(function) = LibraryFunction::find(name) {
        (function.counts, function.example.to_string())
    } else {
        let rows = ops::functions(name);
        let first = rows.first()?;
        let with_base = ops::logarithm_to_base(name, 2).map(|_| 2);
        let most = rows.iter().map(|op| op.arity().1.unwrap_or(usize::MAX));
        let counts = (first.arity().0, most.chain(with_base).max()?);
        (counts, first.example.to_string())
    };
    Some(Usage { counts, example })
}

/// The help for a name that is a constant or a unit in Python or in other calculators.
fn foreign_name_help(name: &str) -> Option<String> {
    let reason = match name {
        "tau" => "a full turn is `2*pi`",
        "deg" | "degree" | "degrees" => {
            return Some(format!(
                "angles are in radians: `{name} = pi/180` gives it a value"
            ));
        }
        // `2 + 3i`
        "i" | "j" => "there are no complex numbers",
        // `5km`
        "km" | "cm" | "mm" | "kg" | "ms" | "Hz" | "eV" => "numbers have no units",
        _ => return None,
    };
    Some(format!("`{name} = 2` gives it a value; {reason}"))
}

/// The word for a value in messages.
fn value_word(value: &Value) -> &str {
    value.list().map_or("value", |_| "list")
}

/// Refuses to bind the name of the last result.
pub fn check_reserved(targets: &[BindingTarget]) -> Result<(), Error> {
    let Some(reserved) = targets.iter().find(|it| it.name == LAST_RESULT) else {
        return Ok(());
    };
    let message = format!("`{}` cannot be bound", reserved.name);
    let help = "it is always the last result: choose another name";
    Err(fail(reserved.span, message, help))
}
