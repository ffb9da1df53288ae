//! `dL/da`, `d(L)/d(a*b)` and `∂L/∂a`: derivatives as answers show them, typed.
//!
//! A statement with one is run as `grad(L, a)`. Since it must have failed before, names that have a value win: `dL/da` is
//! a quotient where `dL` has one. Derivatives of higher order are calls of `grad` in `grad`.

use super::line::{Foreign, cut};
use super::{Meaning, Untranslated};
use crate::diagnostic::suggest::{did_you_mean, nearest};
use crate::syntax::{self, Head, Item, ItemKind, Span};

/// The help where a derivative is of or by something else.
const VALUES: &str = "a derivative is of a value by a value: `:vars` lists them";

/// One side of a derivative: `da`, `∂w[1]`, `d(a*b)`.
struct Side<'t> {
    /// What stands behind the sign.
    items: Vec<Item<'t>>,
    /// The name with its sign, `da`, and where it stands; none for an expression in brackets.
    name: Option<(&'t str, Span)>,
    /// The sign is `d`, which may be part of a name.
    is_letter: bool,
}

impl<'t> Side<'t> {
    fn new(items: &[Item<'t>]) -> Option<Side<'t>> {
        if let [inner @ .., root] = items
            && let ItemKind::Apply(Head::Function(sign @ ("d" | "∂"), 0), 1) = root.kind
        {
            return Some(Side {
                items: inner.to_vec(),
                name: None,
                is_letter: sign == "d",
            });
        }
        let (first, last) = (items.first()?, items.last()?);
        let of = |name: &'t str| {
            name.strip_prefix(['d', '∂'])
                .filter(|of| syntax::is_name(of))
        };
        let (name, kind) = match first.kind {
            ItemKind::Name(name) => (name, ItemKind::Name(of(name)?)),
            ItemKind::Former(name, number) => (name, ItemKind::Former(of(name)?, number)),
            _ => return None,
        };
        let is_item = last.kind == ItemKind::Apply(Head::Index, 2);
        let mut items = items.to_vec();
        items[0].kind = kind;
        (items.len() == 1 || is_item).then_some(Side {
            items,
            name: Some((name, first.span)),
            is_letter: name.starts_with('d'),
        })
    }

    /// The name without its sign.
    fn of(&self) -> Option<&'t str> {
        self.name
            .map(|(name, _)| name.trim_start_matches(['d', '∂']))
    }

    fn is_known(&self, foreign: &Foreign) -> bool {
        let names = foreign.session.names();
        match self.items[0].kind {
            ItemKind::Name(name) | ItemKind::Former(name, _) if self.name.is_some() => {
                names.find(name).is_some()
            }
            _ => true,
        }
    }

    /// Does it mean something else, as the user has a name `da` or a function `d`?
    fn is_taken(&self, foreign: &Foreign) -> bool {
        let named = match self.name {
            Some((name, _)) => foreign.is_taken(name),
            None => foreign.session.functions().get("d").is_some(),
        };
        self.is_letter && named
    }
}

/// The last operand among items.
pub(super) fn last<'i, 't>(items: &'i [Item<'t>]) -> &'i [Item<'t>] {
    let (mut start, mut missing) = (items.len(), 1);
    while missing > 0 && start > 0 {
        start -= 1;
        missing += items[start].kind.operands();
        missing -= 1;
    }
    &items[start..]
}

/// Both sides of a derivative.
type DerivativeSides<'t> = (Vec<Item<'t>>, Vec<Item<'t>>);

/// Of what and by what the derivative is that the operands of a quotient write.
pub(super) fn read<'t>(
    foreign: &Foreign,
    of: &[Item<'t>],
    by: &[Item<'t>],
) -> Result<Option<DerivativeSides<'t>>, Untranslated> {
    let (Some(of), Some(by)) = (Side::new(of), Side::new(by)) else {
        return Ok(None);
    };
    match (of.is_taken(foreign), by.is_taken(foreign)) {
        (false, false) if of.is_known(foreign) && by.is_known(foreign) => {
            return Ok(Some((of.items, by.items)));
        }
        (true, false) if by.is_known(foreign) => own_value(foreign, &of, (&of, &by)),
        (false, true) if of.is_known(foreign) => own_value(foreign, &by, (&of, &by)),
        (false, false) if of.is_known(foreign) => no_value(foreign, &by, None),
        (false, false) if by.is_known(foreign) || !of.is_letter || is_function(foreign, &of) => {
            no_value(foreign, &of, by.of())
        }
        _ => Ok(()),
    }?;
    Ok(None)
}

fn is_function(foreign: &Foreign, side: &Side) -> bool {
    let functions = foreign.session.functions();
    side.of().is_some_and(|name| functions.get(name).is_some())
}

/// `dL/da` where one of the two, `side`, is a value of the user's own.
fn own_value(foreign: &Foreign, side: &Side, (of, by): (&Side, &Side)) -> Result<(), Untranslated> {
    let Some((own, place)) = side.name else {
        return Ok(());
    };
    let [of, by] = [of, by].map(|side| syntax::infix(&side.items));
    Err(Untranslated::Refused(foreign.error(
        place.into(),
        format!("`{own}` is a value of yours, so this is a quotient"),
        format!("the derivative is `∂{of}/∂{by}` or `grad({of}, {by})`"),
    )))
}

/// What is said of a side whose name is no value. `by` is what a function is differentiated by.
fn no_value(foreign: &Foreign, side: &Side, by: Option<&str>) -> Result<(), Untranslated> {
    let (Some((signed, place)), Some(name)) = (side.name, side.of()) else {
        return Ok(());
    };
    let start = place.start as usize + signed.len() - name.len();
    if foreign
        .words()
        .any(|(at, word)| word == name && at != start)
    {
        // It may be the parameter of a function, or the name behind a `for`.
        return Ok(());
    }
    let (message, help) = if foreign.session.is_function(name) {
        let own = foreign.session.functions().get(name);
        let help = match by.filter(|_| own.is_some_and(|own| own.parameters.len() == 1)) {
            Some(by) => format!("write `{name}'({by})`; as a function it is `{name}'`"),
            None => VALUES.to_string(),
        };
        (format!("`{name}` is a function"), help)
    } else if foreign.is_known(name) {
        (format!("`{name}` is a constant"), VALUES.to_string())
    } else {
        let bound = foreign.session.names().bound().map(|(name, _)| name);
        let all = || "`:vars` lists all names".to_string();
        let help = did_you_mean(nearest(name, bound), all);
        (format!("unknown name `{name}`"), help)
    };
    let place = start..start + name.len();
    Err(Untranslated::Refused(foreign.error(place, message, help)))
}

/// `dL/da = 3`: the user's own number for this gradient, as `a.grad = 3` is. It never defines anything.
pub(super) fn claim(foreign: &Foreign) -> Option<Meaning> {
    let (quotient, value) = foreign.line.split_once('=')?;
    let read = syntax::expression(quotient, Span::new(0, quotient.len())).ok()?;
    let [operands @ .., root] = read.items.as_slice() else {
        return None;
    };
    let is_quotient = matches!(root.kind, ItemKind::Apply(Head::Operator(operator), 2) if operator.spelling == "/");
    let by = last(operands);
    let of = &operands[..operands.len() - by.len()];
    if !is_quotient
        || last(of).len() < of.len()
        || value.starts_with('=')
        || value.trim().is_empty()
    {
        return None;
    }
    let (of, by) = self::read(foreign, of, by).ok()??;
    let node = syntax::infix(&by);
    let node = if by.len() == 1 {
        node
    } else {
        format!("({node})")
    };
    let (value, of) = (value.trim(), syntax::infix(&of));
    Some(Meaning::Line(format!(":guess {node} {value} of {of}")))
}

/// What looks like a derivative of higher order: `d^2L/da^2`, `∂²L/∂a∂b`.
pub(super) fn unread(foreign: &Foreign) -> Option<Meaning> {
    let line = foreign.line;
    let word = line.split_whitespace().find_map(|word| {
        let word = word.trim_start_matches(|c: char| c.is_ascii_digit() || "-+*(".contains(c));
        let (of, by) = word.split_once('/')?;
        let [of, by] = [of.strip_prefix(['d', '∂'])?, by.strip_prefix(['d', '∂'])?];
        let name = of.trim_start_matches(|c: char| c.is_numeric() || "^*".contains(c));
        let is_value = foreign.session.names().find(name).is_some();
        let is_higher = name.len() < of.len() || by.contains(['^', '*', '²', '³']);
        (word.starts_with('∂') || is_value && is_higher).then_some(word)
    })?;
    let at = word.as_ptr() as usize - line.as_ptr() as usize;
    Some(Meaning::Refused(foreign.error(
        at..at + word.len(),
        format!("`{}` is not read as a derivative", cut(word)),
        "write `grad(L, a)`; the second derivative is `grad(grad(L, b), a)`".to_string(),
    )))
}
