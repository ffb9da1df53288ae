//! Prints trees with as few brackets as possible, for labels; the text reads back as the same tree.
//!
//! Precedence comes from the table that the parser uses too. The flat tree is printed with an explicit stack of what is
//! still to be printed, so that a deep tree does not overflow the call stack.

use std::fmt::Write as _;

use super::precedence::{Grouping, level};
use super::tree::{Head, Item, ItemKind, NETWORK_PARTS, Property};

/// The text of a tree: spaces only around `+ -` and comparisons and after commas, no bracket that could be left out.
pub fn infix<N: AsRef<str>>(items: &[Item<N>]) -> String {
    // Enough for most labels, of which a table may have a million.
    let mut out = String::with_capacity(32);
    write_infix(&mut out, items);
    out
}

/// [`infix`], written at the end of `out`.
pub fn write_infix<N: AsRef<str>>(out: &mut String, items: &[Item<N>]) {
    let tree = PrintTree::new(items);
    let mut rest = Vec::with_capacity(items.len() + 4);
    let root = items.len().checked_sub(1);
    rest.extend(root.map(|root| PrintStep::Tree(root, 0)));
    while let Some(step) = rest.pop() {
        match step {
            PrintStep::Text(text) => out.push_str(text),
            PrintStep::Leaf(kind) => write_leaf(out, kind),
            PrintStep::Tree(root, least) => {
                let brackets = level_of(&items[root].kind) < least;
                let first = rest.len();
                rest.extend(brackets.then_some(PrintStep::Text("(")));
                push_node(&mut rest, &tree, root);
                rest.extend(brackets.then_some(PrintStep::Text(")")));
                rest[first..].reverse();
            }
        }
    }
}

/// Something still to print.
enum PrintStep<'i, N> {
    Text(&'i str),
    Leaf(&'i ItemKind<N>),
    /// The tree that ends at item `root`, in brackets if it binds less than `least`.
    Tree(usize, u8),
}

/// Pushes the parts of a node in the order in which they are read.
fn push_node<'i, N: AsRef<str>>(
    rest: &mut Vec<PrintStep<'i, N>>,
    tree: &PrintTree<'i, N>,
    root: usize,
) {
    use PrintStep::{Leaf, Text, Tree};
    let kind = &tree.items[root].kind;
    let mut operands = tree.operands(root);
    let mut last = || operands.next().unwrap_or_default();
    match kind {
        ItemKind::Apply(Head::Operator(operator), _) => {
            let (sign, binds) = (Text(operator.spelling), operator.level);
            let right = last();
            match operator.grouping {
                Grouping::Prefix => {
                    let least = brackets_if(tree.is_positive_literal(right));
                    rest.extend([sign, Tree(right, binds.max(least))]);
                }
                Grouping::Postfix => rest.extend([Tree(right, binds + 1), sign]),
                grouping => {
                    let left = last();
                    let (least_left, least_right) = match grouping {
                        Grouping::Left => (binds, binds + 1),
                        Grouping::Right if tree.is_signed(right) => (binds + 1, level::SIGN),
                        Grouping::Right => (binds + 1, binds),
                        _ => (binds + 1, binds + 1),
                    };
                    // `[0]*3` is refused, as Python repeats the list.
                    let brackets = brackets_if(tree.is_list_of_a_number(left));
                    rest.push(Tree(left, least_left.max(brackets)));
                    let blank = if operator.spaced { " " } else { "" };
                    rest.extend([Text(blank), sign, Text(blank)]);
                    rest.push(Tree(right, least_right));
                }
            }
        }
        // `W.sum()`, `n.layers`
        ItemKind::Apply(Head::Function(name, 0), 1) if name.as_ref().starts_with('.') => {
            let name = name.as_ref();
            let brackets = if NETWORK_PARTS.contains(&name) {
                ""
            } else {
                "()"
            };
            rest.extend([tree.indexed(last()), Text(name), Text(brackets)]);
        }
        ItemKind::Apply(Head::Function(name, 0), 0) => rest.push(Text(name.as_ref())),
        ItemKind::Apply(Head::Function(name, primes), count) => {
            rest.push(Text(name.as_ref()));
            rest.extend((0..*primes).map(|_| Text("'")));
            rest.push(Text("("));
            match last() {
                only if *count == 1 && tree.is_collect(only) => push_loop(rest, tree, only),
                _ => push_items(rest, tree.operands(root), 0),
            }
            rest.push(Text(")"));
        }
        ItemKind::Apply(Head::Named(name), _) => {
            rest.extend([Text(name.as_ref()), Text("="), Tree(last(), 0)]);
        }
        ItemKind::Apply(Head::Labelled(label), _) => {
            let number = tree.operands(last()).next().unwrap_or_default();
            let label = label.as_ref();
            let quote = if label.contains('\'') { "\"" } else { "'" };
            rest.extend([Text("Value("), Tree(number, 0)]);
            rest.extend([", label=", quote, label, quote, ")"].map(Text));
        }
        ItemKind::Apply(Head::Then | Head::Else, _) => rest.push(Tree(last(), 0)),
        ItemKind::Apply(Head::Choose, _) => {
            rest.push(Text("if("));
            push_items(rest, tree.operands(root), 0);
            rest.push(Text(")"));
        }
        ItemKind::Apply(Head::List, count) => {
            rest.push(Text("["));
            // `[1..3]` is the range itself.
            let least = if *count == 1 { level::RANGE + 1 } else { 0 };
            push_items(rest, operands, least);
            rest.push(Text("]"));
        }
        ItemKind::Apply(Head::Collect, _) => {
            rest.push(Text("["));
            push_loop(rest, tree, root);
            rest.push(Text("]"));
        }
        ItemKind::Apply(Head::Index, _) => {
            let (position, list) = (last(), last());
            rest.extend([tree.indexed(list), Text("["), Tree(position, 0), Text("]")]);
        }
        ItemKind::Apply(Head::Slice, _) => {
            let (end, begin, list) = (last(), last(), last());
            let typed = |side: usize, left_out: f64| match &tree.items[side].kind {
                // -0 is not left out.
                ItemKind::Number(it) if !it.point && it.value.to_bits() == left_out.to_bits() => {
                    Text("")
                }
                _ => Tree(side, 0),
            };
            rest.extend([tree.indexed(list), Text("["), typed(begin, 0.0)]);
            rest.extend([Text(":"), typed(end, f64::INFINITY), Text("]")]);
        }
        ItemKind::Apply(Head::Range, _) => {
            let (end, begin) = (last(), last());
            let side = |side| Tree(side, level::RANGE + 1);
            rest.extend([side(begin), Text(".."), side(end)]);
        }
        ItemKind::Apply(Head::Uncertain { per_cent }, _) => {
            let (width, value) = (last(), last());
            rest.extend([Tree(value, 0), Text(" ± "), Tree(width, level::POSTFIX)]);
            rest.extend(per_cent.then_some(Text("%")));
        }
        ItemKind::Property(property) => {
            let (_, word) = Property::ALL[*property as usize];
            rest.extend([Tree(last(), level::POSTFIX), Text("."), Text(word)]);
        }
        leaf => rest.push(Leaf(leaf)),
    }
}

/// How tightly a tree must bind to have no brackets: none can if this holds.
fn brackets_if(holds: bool) -> u8 {
    if holds { u8::MAX } else { 0 }
}

/// Pushes items, of which the last one comes first, with commas between.
fn push_items<N>(rest: &mut Vec<PrintStep<'_, N>>, items: impl Iterator<Item = usize>, least: u8) {
    let first = rest.len();
    for (nth, root) in items.enumerate() {
        rest.extend((nth > 0).then_some(PrintStep::Text(", ")));
        rest.push(PrintStep::Tree(root, least));
    }
    rest[first..].reverse();
}

/// Pushes `E for x in xs`.
fn push_loop<N>(rest: &mut Vec<PrintStep<'_, N>>, tree: &PrintTree<'_, N>, root: usize) {
    let mut operands = tree.operands(root);
    let (Some(body), Some(each)) = (operands.next(), operands.next()) else {
        return;
    };
    let variables = tree.items[each].kind.operands().saturating_sub(1) as usize;
    rest.extend([PrintStep::Tree(body, 0), PrintStep::Text(" for ")]);
    push_items(rest, tree.operands(each).take(variables), 0);
    rest.push(PrintStep::Text(" in "));
    let list = tree.operands(each).nth(variables);
    rest.extend(list.map(|list| PrintStep::Tree(list, 0)));
}

/// Whether an index may stand directly after it.
fn takes_index<N>(kind: &ItemKind<N>) -> bool {
    match kind {
        ItemKind::Name(_) | ItemKind::Former(..) | ItemKind::Result(_) => true,
        ItemKind::Apply(head, _) => !matches!(
            head,
            Head::Operator(_) | Head::Range | Head::Uncertain { .. }
        ),
        _ => false,
    }
}

/// The precedence of a node's text.
fn level_of<N>(kind: &ItemKind<N>) -> u8 {
    match kind {
        ItemKind::Apply(Head::Operator(operator), _) => operator.level,
        ItemKind::Apply(Head::Range, _) => level::RANGE,
        // Loosest of all.
        ItemKind::Apply(Head::Uncertain { .. }, _) => 0,
        // A negative literal reads back only where a sign may stand, and not before `^`, `!` or `.`.
        ItemKind::Number(literal) if literal.value.is_sign_negative() => level::SIGN,
        _ => level::ATOM,
    }
}

fn write_leaf<N: AsRef<str>>(out: &mut String, kind: &ItemKind<N>) {
    // Writing into a string cannot fail.
    let _ = match kind {
        ItemKind::Number(number) => {
            write_literal(out, number.value, number.point);
            Ok(())
        }
        ItemKind::Name(name) | ItemKind::Variable(name) => out.write_str(name.as_ref()),
        ItemKind::Former(name, number) => write!(out, "{}@{number}", name.as_ref()),
        ItemKind::Id(number) => write!(out, "@{number}"),
        ItemKind::Result(number) => write!(out, "${number}"),
        ItemKind::Text(words) => write!(out, "'{}'", words.as_ref()),
        ItemKind::Apply(..) | ItemKind::Each(_) | ItemKind::Property(_) => Ok(()),
    };
}

/// Whole numbers up to here, 2^53, are written in full, as views show them.
const WHOLE: f64 = 9_007_199_254_740_992.0;

/// Whether it is a whole number that is written without an exponent.
pub(super) fn is_written_in_full(value: f64) -> bool {
    value.fract() == 0.0 && value.abs() <= WHOLE
}

/// A number in its shortest form that reads back: `10`, `0.1`, `1e-7`, `1e20`; with `point` a whole number is `10.0`.
pub fn literal(value: f64, point: bool) -> String {
    let mut out = String::new();
    write_literal(&mut out, value, point);
    out
}

fn write_literal(out: &mut String, value: f64, point: bool) {
    let size = value.abs();
    // Writing into a string cannot fail.
    let _ = if value.is_nan() {
        out.write_str("nan")
    } else if value.is_infinite() {
        out.write_str(if value > 0.0 { "inf" } else { "-inf" })
    } else if is_written_in_full(value) {
        if point {
            write!(out, "{value:?}")
        } else {
            write!(out, "{value}")
        }
    } else if (1e-5..1e15).contains(&size) {
        write!(out, "{value}")
    } else {
        write!(out, "{value:e}")
    };
}

/// A flat tree with the first item of each subtree.
struct PrintTree<'i, N> {
    items: &'i [Item<N>],
    starts: Vec<u32>,
}

impl<'i, N> PrintTree<'i, N> {
    fn new(items: &'i [Item<N>]) -> PrintTree<'i, N> {
        let mut starts: Vec<u32> = Vec::with_capacity(items.len());
        for (at, item) in items.iter().enumerate() {
            let mut start = at;
            for _ in 0..item.kind.operands() {
                start = start.checked_sub(1).map_or(0, |last| starts[last] as usize);
            }
            starts.push(start as u32);
        }
        PrintTree { items, starts }
    }

    /// The roots of the operands of a node, the last one first.
    fn operands(&self, root: usize) -> impl Iterator<Item = usize> {
        let last = root.checked_sub(1);
        std::iter::successors(last, |&operand| {
            (self.starts[operand] as usize).checked_sub(1)
        })
        .take(self.items[root].kind.operands() as usize)
    }

    /// What an index or a member stands behind.
    fn indexed(&self, root: usize) -> PrintStep<'i, N> {
        PrintStep::Tree(root, brackets_if(!takes_index(&self.items[root].kind)))
    }

    /// Whether it is `[E for x in xs]`.
    fn is_collect(&self, root: usize) -> bool {
        matches!(self.items[root].kind, ItemKind::Apply(Head::Collect, _))
    }

    fn is_list_of_a_number(&self, root: usize) -> bool {
        let number = |item: usize| matches!(self.items[item].kind, ItemKind::Number(_));
        matches!(self.items[root].kind, ItemKind::Apply(Head::List, 1))
            && self.operands(root).all(number)
    }

    /// Whether it is a number that would form one literal with a minus before it.
    fn is_positive_literal(&self, root: usize) -> bool {
        matches!(self.items[root].kind, ItemKind::Number(literal) if !literal.value.is_sign_negative())
    }

    /// Whether it is a minus with its operand, or a negative number. To the right of `^` it needs no brackets.
    fn is_signed(&self, root: usize) -> bool {
        match &self.items[root].kind {
            ItemKind::Apply(Head::Operator(operator), _) => operator.grouping == Grouping::Prefix,
            kind => level_of(kind) == level::SIGN,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::Span;

    #[test]
    fn brackets_stand_only_where_they_are_needed() {
        for (text, expected) in [
            ("((a*b)+c)*f", "(a*b + c)*f"),
            ("(a+b)+c", "a + b + c"),
            ("a+(b+c)", "a + (b + c)"),
            ("a-(b-c)", "a - (b - c)"),
            ("a*(b*c)", "a*(b*c)"),
            ("a/(b/c)", "a/(b/c)"),
            ("(a%b)", "a%b"),
            ("(a^b)^c", "(a^b)^c"),
            ("a^(b^c)", "a^b^c"),
            ("(-3)^2", "(-3)^2"),
            ("-(3^2)", "-3^2"),
            ("(-a)^2", "(-a)^2"),
            ("2^(-a)", "2^-a"),
            ("2^(-a*b)", "2^(-a*b)"),
            ("2^(-(a*b))", "2^-(a*b)"),
            ("2^(-(3^2))", "2^-3^2"),
            ("-(3)", "-(3)"),
            ("- 3", "-(3)"),
            ("-(-3)", "--3"),
            ("a*(-b)", "a*-b"),
            ("-(a*b)", "-(a*b)"),
            ("a - (-3)", "a - -3"),
            ("(-3)!", "(-3)!"),
            ("(a!)!", "(a!)!"),
            ("(a+b)!", "(a + b)!"),
            ("(a!).data", "a!.data"),
            ("(a.data)!", "a.data!"),
            ("(-3).data", "(-3).data"),
            ("3 .data", "3.data"),
            ("(a+b).grad", "(a + b).grad"),
            ("(a<b)<c", "(a < b) < c"),
            ("a<(b<c)", "a < (b < c)"),
            ("a+b<=c", "a + b <= c"),
            ("(a<b)+c", "(a < b) + c"),
            ("n.tanh( )", "tanh(n)"),
            ("max((a),b+c)", "max(a, b + c)"),
            ("f''(x)", "f''(x)"),
            ("√x²", "sqrt(x)^2"),
            ("2x", "2*x"),
            ("a**b", "a^b"),
            ("a@1*@9*$3", "a@1*@9*$3"),
            ("10.0 + 10", "10.0 + 10"),
        ] {
            let parsed =
                crate::expression(text, Span::new(0, text.len())).expect("the line is right");
            assert_eq!(infix(&parsed.items), expected, "{text}");
        }
        assert_eq!(infix::<&str>(&[]), "");
    }

    #[test]
    fn literals_are_short_and_read_back() {
        for (value, point, expected) in [
            (10.0, false, "10"),
            (10.0, true, "10.0"),
            (0.1, false, "0.1"),
            (1e-5, false, "0.00001"),
            (1e-7, false, "1e-7"),
            (1.5e-7, true, "1.5e-7"),
            (999_999_999_999_999.0, false, "999999999999999"),
            (1e15, false, "1000000000000000"),
            (1e15, true, "1000000000000000.0"),
            (-9_007_199_254_740_992.0, false, "-9007199254740992"),
            (9_007_199_254_740_994.0, false, "9.007199254740994e15"),
            (1_234_567_890_123_456.5, false, "1.2345678901234565e15"),
            (1e20, true, "1e20"),
            (-0.0, false, "-0"),
            (-0.0, true, "-0.0"),
            (-2.5, false, "-2.5"),
            (6.881_373_587_019_543, true, "6.881373587019543"),
            (f64::INFINITY, false, "inf"),
            (f64::NEG_INFINITY, true, "-inf"),
            (f64::NAN, false, "nan"),
        ] {
            assert_eq!(literal(value, point), expected);
        }
    }
}
