//! Which names may be letters without numbers, for `looks` and `waiting`.

use chainrule_language::{Expression, Head, ItemKind, precedence};
use chainrule_program::Environment as _;
use chainrule_report::characters::is_letter_name;
use chainrule_report::diagnostic::Diagnostic;
use chainrule_session::Session;

/// Whether a name may stand for any number: it is a letter, and no other case of it has a value.
pub(super) fn is_free_letter(session: &Session, name: &str) -> bool {
    let has_value = |other: String| other != name && session.knows(&other);
    is_letter_name(name) && !has_value(name.to_lowercase()) && !has_value(name.to_uppercase())
}

/// The error for the name of a function among letters, as in `(a*b + c)*f`. An argument may be a function.
pub(super) fn function_among_letters(
    session: &Session,
    expression: &Expression,
) -> Option<Diagnostic> {
    let is_own_function = |name: &str| session.functions().get(name).is_some();
    let has_own_call = expression.items.iter().any(|item| match item.kind {
        ItemKind::Apply(Head::Function(name, _), _) => is_own_function(name),
        _ => false,
    });
    let mut items = expression.items.iter().filter(|_| !has_own_call);
    items.find_map(|item| match item.kind {
        ItemKind::Name(name) if is_own_function(name) && session.names().find(name).is_none() => {
            let help = format!("call it, `{name}(…)`, or choose another name");
            let error = Diagnostic::new(format!("`{name}` is a function"));
            Some(error.at(item.span).help(help))
        }
        _ => None,
    })
}

/// Whether an expression has only numbers, names, operations and calls: no list, no condition.
pub(super) fn is_formula(expression: &Expression) -> bool {
    let mut kinds = expression.items.iter().map(|item| item.kind);
    kinds.all(|kind| match kind {
        ItemKind::Name(_) | ItemKind::Number(_) | ItemKind::Apply(Head::Function(..), _) => true,
        ItemKind::Apply(Head::Operator(operator), _) => {
            operator.level > precedence::level::COMPARISON
        }
        _ => false,
    })
}
