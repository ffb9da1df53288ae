//! Finds operands and their source spans in postfix order, in which an operation comes after its operands.
//!
//! `a*b + c` is `a b * c +`. The subtree of the `*` at 2 is `a b *`, which begins at 0. The last operand of the `+` is
//! the `c` at 3, and the operand before ends where the subtree of `c` begins.

use crate::functions::{Code, Instruction};
use chainrule_language::{Head, Item, ItemKind, Name, Span};

/// An element of an expression in postfix order: an item or an instruction.
pub trait Postfix {
    /// The number of operands.
    fn operands(&self) -> usize;
    /// The place in the text.
    fn span(&self) -> Span;
}

impl<N> Postfix for Item<N> {
    fn operands(&self) -> usize {
        self.kind.operands() as usize
    }

    fn span(&self) -> Span {
        self.span
    }
}

impl Postfix for Instruction {
    fn operands(&self) -> usize {
        match &self.code {
            Code::Call { count, .. } => *count,
            Code::Collect | Code::Solve => 2,
            Code::Else(_) => 1,
            Code::Choose => 3,
            code => code.operands(),
        }
    }

    fn span(&self) -> Span {
        self.span
    }
}

/// Whether the operand whose last item is at `at` refers to existing nodes: by a name, a former name, an id, a result
/// number, or as items of such a list.
pub(crate) fn is_reference(items: &[Item<Name>], mut at: usize) -> bool {
    while let ItemKind::Apply(Head::Index | Head::Slice, _) = items[at].kind {
        at = indexed_at(items, at);
    }
    matches!(
        items[at].kind,
        ItemKind::Name(_) | ItemKind::Former(..) | ItemKind::Id(_) | ItemKind::Result(_)
    )
}

/// The index of the last item of the list in the index or slice at `at`.
fn indexed_at(items: &[impl Postfix], at: usize) -> usize {
    let positions = 1..items[at].operands();
    positions.fold(at - 1, |last, _| subtree_start(items, last) - 1)
}

/// The text of the list in the index or slice at `at`, and the span of the positions. The text is empty unless the list
/// has a name.
pub(crate) fn index_parts<'t>(text: &'t str, code: &[Instruction], at: usize) -> (&'t str, Span) {
    let list = indexed_at(code, at);
    let mut named = list;
    while let Code::Index | Code::Slice(_) = code[named].code {
        named = indexed_at(code, named);
    }
    let has_name = matches!(code[named].code, Code::Get(_) | Code::Value(_));
    // The `W[1]` of `W[1, 2]` was not typed. It has the span of the whole.
    let is_typed = has_name && code[list].span != code[at].span;
    let typed = is_typed.then(|| subtree_span(text, code, list).of(text));
    (typed.unwrap_or(""), span_of(text, &code[list + 1..at]))
}

/// The span of the operands of the item at `at`: `a*b` for `ln(a*b)`.
pub(crate) fn operands_span(text: &str, items: &[impl Postfix], at: usize) -> Span {
    span_of(text, &items[subtree_start(items, at)..at])
}

/// The span of the item at `at` with its operands: `w[1].grad`.
pub(crate) fn subtree_span(text: &str, items: &[impl Postfix], at: usize) -> Span {
    span_of(text, &items[subtree_start(items, at)..=at])
}

fn span_of(text: &str, items: &[impl Postfix]) -> Span {
    let span = items.iter().map(Postfix::span).reduce(Span::to);
    balance_brackets(text, span.unwrap_or_default())
}

/// The span of an operand of the item at `at`: of the last one if `before_last` is 0, of the one before if it is 1.
pub(crate) fn operand_span(
    text: &str,
    items: &[impl Postfix],
    at: usize,
    before_last: usize,
) -> Span {
    let after = (0..before_last).fold(at, |end, _| subtree_start(items, end.saturating_sub(1)));
    subtree_span(text, items, after.saturating_sub(1))
}

/// Widens a span until its brackets are balanced: the operands of `(-8)^(1/3)` span from `-8` to `3`. Between an operand
/// and its missing bracket are only spaces and brackets, so the nearest bracket on either side is the right one.
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

/// The index of the first item in the subtree whose last item is at `root`: goes back until no operand is wanted.
pub fn subtree_start(items: &[impl Postfix], root: usize) -> usize {
    let mut wanted = 1_usize;
    let mut at = root + 1;
    while wanted > 0 && at > 0 {
        at -= 1;
        wanted = wanted - 1 + items[at].operands();
    }
    at
}
