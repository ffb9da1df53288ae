//! Places among the items of an expression: where an operand begins, what is a reference, what an error points at.
//!
//! The items are in postfix order, so an operand is a run of items that ends where the next one begins. `compile` and
//! `machine` use it.

use chainrule_language::{Head, Item, ItemKind, Span};

/// Whether the operand whose last item is at `at` refers to nodes that exist: by a name, a former name, an id, a result
/// number, or as items of a list with a name.
pub(crate) fn is_reference(items: &[Item], mut at: usize) -> bool {
    while let ItemKind::Apply(Head::Index | Head::Slice, _) = items[at].kind {
        at = indexed_at(items, at);
    }
    matches!(
        items[at].kind,
        ItemKind::Name(_) | ItemKind::Former(..) | ItemKind::Id(_) | ItemKind::Result(_)
    )
}

/// Where the list ends that the index or slice at `at` is applied to.
fn indexed_at(items: &[Item], at: usize) -> usize {
    let positions = 1..items[at].kind.operands();
    positions.fold(at - 1, |last, _| subtree_start(items, last) - 1)
}

/// What was typed for the list that the index or slice at `at` is applied to, if it is a reference, and its positions.
pub(crate) fn index_parts<'t>(text: &'t str, items: &[Item], at: usize) -> (&'t str, Span) {
    let list = indexed_at(items, at);
    // The `W[1]` of `W[1, 2]` was not typed.
    let is_typed = is_reference(items, list) && items[list].span != items[at].span;
    let typed = is_typed.then(|| subtree_span(text, items, list).of(text));
    (typed.unwrap_or(""), span_of(text, &items[list + 1..at]))
}

/// The span of the operands of the item at `at`: `a*b` for `ln(a*b)`.
pub(crate) fn operands_span(text: &str, items: &[Item], at: usize) -> Span {
    span_of(text, &items[subtree_start(items, at)..at])
}

/// The span of the item at `at` with its operands: `w[1].grad`.
pub(crate) fn subtree_span(text: &str, items: &[Item], at: usize) -> Span {
    span_of(text, &items[subtree_start(items, at)..=at])
}

fn span_of(text: &str, items: &[Item]) -> Span {
    let span = items.iter().map(|item| item.span).reduce(Span::to);
    balance_brackets(text, span.unwrap_or_default())
}

/// What was typed for the two operands of the item at `at`.
pub(crate) fn operand_spans(text: &str, items: &[Item], at: usize) -> (Span, Span) {
    let second = subtree_start(items, at - 1);
    let first = subtree_start(items, second - 1);
    (
        span_of(text, &items[first..second]),
        span_of(text, &items[second..at]),
    )
}

/// A span widened so that its brackets are balanced: the operands of `(-8)^(1/3)` span from `-8` to `3`.
fn balance_brackets(text: &str, span: Span) -> Span {
    let (mut start, mut end) = (span.start as usize, span.end as usize);
    let (mut opened, mut closed) = (0_usize, 0_usize);
    for byte in text[start..end].bytes() {
        match byte {
            b'(' | b'[' => opened += 1,
            b')' | b']' if opened > 0 => opened -= 1,
            b')' | b']' => closed += 1,
            _ => {}
        }
    }
    for _ in 0..closed {
        start = text[..start].rfind(['(', '[']).unwrap_or(start);
    }
    for _ in 0..opened {
        end = text[end..]
            .find([')', ']'])
            .map_or(end, |found| end + found + 1);
    }
    Span::new(start, end)
}

/// The index of the first item in the subtree whose last item is at `root`.
pub(crate) fn subtree_start(items: &[Item], root: usize) -> usize {
    let mut wanted = 1_usize;
    let mut at = root + 1;
    while wanted > 0 && at > 0 {
        at -= 1;
        wanted -= 1;
        wanted += match items[at].kind {
            ItemKind::Apply(_, count) => count as usize,
            ItemKind::Each(variables) => variables as usize + 1,
            ItemKind::Property(_) => 1,
            _ => 0,
        };
    }
    at
}
