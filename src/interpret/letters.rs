//! Which names may be letters without numbers, for `looks` and `waiting`.

use chainrule_language::{Head, Item, ItemKind, Name, precedence};
use chainrule_program::Environment as _;
use chainrule_report::characters::is_letter_name;
use chainrule_session::Session;

/// Whether a name may stand for any number: it is a letter, and no other case of it has a value.
pub(super) fn is_free_letter(session: &Session, name: &str) -> bool {
    let has_value = |other: String| other != name && session.knows(&other);
    is_letter_name(name) && !has_value(name.to_lowercase()) && !has_value(name.to_uppercase())
}

/// Whether an expression has only numbers, names, operations, calls and equations: no list, no condition.
pub(super) fn is_formula(items: &[Item<Name>]) -> bool {
    let mut kinds = items.iter().map(|item| item.kind);
    kinds.all(|kind| match kind {
        ItemKind::Name(_)
        | ItemKind::Number(_)
        | ItemKind::Variable(_)
        | ItemKind::Unknown(_)
        | ItemKind::Apply(Head::Function(..) | Head::Solve, _) => true,
        ItemKind::Apply(Head::Operator(operator), _) => {
            operator.level > precedence::level::COMPARISON
        }
        _ => false,
    })
}
