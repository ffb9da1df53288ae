//! Makes diagnostics of syntax errors. The session can explain more than the language, because it knows that `sin` is a
//! function and `a` a name.

use crate::state::Session;
use chainrule_language as language;
use chainrule_language::{Juxtaposed, Juxtaposition, SyntaxError};
use chainrule_program::Environment as _;
use chainrule_program::names;
use chainrule_report::diagnostic::Diagnostic;

/// The most letters of a word that may be a unit.
const MAX_UNIT_LETTERS: usize = 3;

/// The diagnostic for a syntax error. [`explain`] adds what depends on names.
pub fn syntax_diagnostic(error: SyntaxError) -> Diagnostic {
    let mut diagnostic = Diagnostic::new(error.message)
        .at(error.span)
        .label(error.label);
    if let Some((span, text)) = error.other {
        diagnostic = diagnostic.other(span, text);
    }
    diagnostic.help = Some(error.help).filter(|help| !help.is_empty());
    diagnostic
}

/// The diagnostic for a syntax error, with better advice if an operator is missing after a function or a number.
pub fn explain(session: &Session, mut error: SyntaxError) -> Diagnostic {
    let Some(juxtaposed) = error.juxtaposed.take() else {
        return syntax_diagnostic(error);
    };
    let Juxtaposed { left, right } = *juxtaposed;
    // The name of the function without a typed power: `sin` in `sin² x`.
    let stem = left.trim_end_matches(|c| "⁻⁰¹²³⁴⁵⁶⁷⁸⁹".contains(c));
    let is_called = session.is_function(stem) && session.names.find(stem).is_none();
    match right {
        Juxtaposition::Prime if is_called => error.help = format!("write `{left}'(3)`"),
        Juxtaposition::NoArguments if is_called => {
            return names::call_error(session, (&left, 0), 0, error.span).into();
        }
        Juxtaposition::Operand(unit) if is_number_with_unit(session, &left, &unit) => {
            explain_unit(&left, &unit, &mut error);
        }
        Juxtaposition::Operand(operand) if is_called => {
            explain_call(&left, stem, &operand, &mut error);
        }
        Juxtaposition::Operand(operand) => {
            let has_no_value = |it: &String| language::is_name(it) && !session.knows(it);
            if let Some(name) = [left, operand].into_iter().find(has_no_value) {
                let first = format!("give `{name}` a value, `{name} = …`, then write");
                error.help = error.help.replace("write", &first);
            }
        }
        Juxtaposition::NoArguments | Juxtaposition::Prime => {}
    }
    // The label says that an operator is missing, which is wrong after a function.
    if is_called {
        error.label.clear();
    }
    syntax_diagnostic(error)
}

/// Explains `sin x` and `sin² x` where signs are not left out. The function is typed as `left`, and its name is `stem`.
fn explain_call(left: &str, stem: &str, operand: &str, error: &mut SyntaxError) {
    let power = &left[stem.len()..];
    let in_brackets = operand
        .strip_prefix('(')
        .and_then(|it| it.strip_suffix(')'));
    let call = format!("{stem}({}){power}", in_brackets.unwrap_or(operand));
    error.message = format!("`{stem}` is called with brackets");
    error.help = format!("write `{call}`");
}

/// Whether this looks like a number with a unit, as in `5 km` or `9.81 m/s^2`: a short word follows that has no
/// value and is not an English word such as `by`.
fn is_number_with_unit(session: &Session, number: &str, unit: &str) -> bool {
    // `m` in `m/s^2`.
    let name = unit.split(['^', '*', '²', '³', '⁻']).next().unwrap_or(unit);
    number.starts_with(|c: char| c.is_ascii_digit())
        && name.chars().count() <= MAX_UNIT_LETTERS
        && name.chars().all(char::is_alphabetic)
        && !matches!(name, "at" | "by" | "of" | "to")
        && !session.knows(name)
        && !session.is_function(name)
}

/// Explains `5 km`.
fn explain_unit(number: &str, unit: &str, error: &mut SyntaxError) {
    error.message = format!("numbers have no units, and `{unit}` has no value");
    error.label.clear();
    error.help = format!(
        "a unit goes into a comment: `{number} # {unit}`; for a product, `{unit} = …`, \
         then `{number}*{unit}`"
    );
}
