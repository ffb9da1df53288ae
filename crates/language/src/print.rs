//! Prints trees with as few brackets as possible, for labels, and numbers with as few digits as possible. If the parser
//! reads the text, it makes the same tree.
//!
//! A tree needs brackets if it binds less tightly than its place allows; the levels are those of the parser. An explicit
//! stack holds the parts that are not printed yet, so that a deep tree does not overflow the call stack.

use std::fmt::Write as _;

use self::PrintStep::{Leaf, Text, Tree};
use super::precedence::{Grouping, Operator, level};
use super::tree::{Head, Item, ItemKind, NETWORK_PARTS, Property};

/// The text of a tree, without needless brackets. It has spaces only after commas and around `+`, `-`, `±`, comparisons,
/// `for` and `in`.
pub fn infix<N: AsRef<str>>(items: &[Item<N>]) -> String {
    // Enough for most labels. A table may have a million of them.
    let mut out = String::with_capacity(32);
    write_infix(&mut out, items);
    out
}

/// Writes the text of a tree, as [`infix`] returns it, at the end of `out`.
pub fn write_infix<N: AsRef<str>>(out: &mut String, items: &[Item<N>]) {
    let tree = PrintTree::new(items);
    let steps = Vec::with_capacity(items.len() + 4);
    let mut printer = Printer { tree: &tree, steps };
    let whole = items.len().checked_sub(1);
    printer.steps.extend(whole.map(|root| Tree(root, 0)));
    while let Some(step) = printer.steps.pop() {
        match step {
            Text(text) => out.push_str(text),
            Leaf(kind) => write_leaf(out, kind),
            Tree(root, least) => printer.push_tree(root, least),
        }
    }
}

/// A part that is still to be printed.
enum PrintStep<'i, N> {
    Text(&'i str),
    Leaf(&'i ItemKind<N>),
    /// The tree that ends at this item. It has brackets if it binds less tightly than this level.
    Tree(usize, u8),
}

/// Prints a tree.
struct Printer<'t, 'i, N> {
    tree: &'t PrintTree<'i, N>,
    /// The parts that are still to be printed, the next one last.
    steps: Vec<PrintStep<'i, N>>,
}

impl<'i, N: AsRef<str>> Printer<'_, 'i, N> {
    /// Pushes the parts of a tree, in brackets if it binds less tightly than this level.
    fn push_tree(&mut self, root: usize, least: u8) {
        let has_brackets = level_of(&self.tree.items[root].kind) < least;
        let first = self.steps.len();
        self.push(has_brackets.then_some(Text("(")));
        self.push_node(root);
        self.push(has_brackets.then_some(Text(")")));
        // The step that was pushed last is printed first.
        self.steps[first..].reverse();
    }

    fn push(&mut self, steps: impl IntoIterator<Item = PrintStep<'i, N>>) {
        self.steps.extend(steps);
    }

    /// Pushes the parts of a node in the order in which they are read.
    fn push_node(&mut self, root: usize) {
        let tree = self.tree;
        match &tree.items[root].kind {
            ItemKind::Apply(Head::Operator(operator), _) => self.push_operator(root, operator),
            ItemKind::Apply(Head::Function(name, primes), count) => match (name.as_ref(), count) {
                (name, 0) if *primes == 0 => self.push([Text(name)]),
                (name, 1) if *primes == 0 && name.starts_with('.') => self.push_member(root, name),
                (name, _) => {
                    self.push([Text(name)]);
                    self.push((0..*primes).map(|_| Text("'")));
                    self.push_arguments(root);
                }
            },
            ItemKind::Apply(Head::Named(name), _) => {
                let [value] = tree.operands_of(root);
                self.push([Text(name.as_ref()), Text("="), Tree(value, 0)]);
            }
            ItemKind::Apply(Head::Spread, _) => {
                let [list] = tree.operands_of(root);
                self.push([Text("*"), Tree(list, 0)]);
            }
            ItemKind::Apply(Head::Labelled(label), _) => self.push_labelled(root, label.as_ref()),
            ItemKind::Apply(Head::Then | Head::Else, _) => {
                let [operand] = tree.operands_of(root);
                self.push([Tree(operand, 0)]);
            }
            ItemKind::Apply(Head::Choose, _) => {
                self.push([Text("if(")]);
                self.push_items(tree.operands(root), 0);
                self.push([Text(")")]);
            }
            ItemKind::Apply(Head::List, count) => {
                self.push([Text("[")]);
                // `[1..3]` is the range itself.
                let least = if *count == 1 { level::RANGE + 1 } else { 0 };
                self.push_items(tree.operands(root), least);
                self.push([Text("]")]);
            }
            ItemKind::Apply(Head::Collect, _) => {
                self.push([Text("[")]);
                self.push_loop(root);
                self.push([Text("]")]);
            }
            ItemKind::Apply(Head::Solve, _) => self.push_solution(root),
            ItemKind::Apply(Head::Index, _) => {
                let [list, position] = tree.operands_of(root);
                self.push([tree.owner(list), Text("["), Tree(position, 0), Text("]")]);
            }
            ItemKind::Apply(Head::Slice, _) => {
                // The list comes last.
                let mut parts: Vec<usize> = tree.operands(root).collect();
                self.push(parts.pop().map(|list| tree.owner(list)));
                for (at, part) in parts.into_iter().rev().enumerate() {
                    self.push([Text(if at == 0 { "[" } else { ":" }), tree.slice_part(part)]);
                }
                self.push([Text("]")]);
            }
            ItemKind::Apply(Head::Range, _) => {
                let [begin, end] = tree.operands_of(root);
                let least = level::RANGE + 1;
                self.push([Tree(begin, least), Text(".."), Tree(end, least)]);
            }
            ItemKind::Apply(Head::Uncertain { is_per_cent }, _) => {
                let [value, width] = tree.operands_of(root);
                self.push([Tree(value, 0), Text(" ± "), Tree(width, level::POSTFIX)]);
                self.push(is_per_cent.then_some(Text("%")));
            }
            ItemKind::Property(property) => {
                let [owner] = tree.operands_of(root);
                let (_, word) = Property::ALL[*property as usize];
                self.push([Tree(owner, level::POSTFIX), Text("."), Text(word)]);
            }
            leaf => self.push([Leaf(leaf)]),
        }
    }

    /// Pushes an operator with its operands: `-a`, `a!`, `a*b`.
    fn push_operator(&mut self, root: usize, operator: &'static Operator) {
        let tree = self.tree;
        let sign = Text(operator.spelling);
        let binds = operator.level;
        match operator.grouping {
            Grouping::Prefix => {
                let [operand] = tree.operands_of(root);
                let kind = &tree.items[operand].kind;
                // A literal without a sign would become one with the minus before it.
                let is_literal =
                    matches!(kind, ItemKind::Number(_)) && level_of(kind) == level::ATOM;
                let least = binds.max(bracket_level(is_literal));
                self.push([sign, Tree(operand, least)]);
            }
            Grouping::Postfix => {
                let [operand] = tree.operands_of(root);
                self.push([Tree(operand, binds + 1), sign]);
            }
            grouping => {
                let [left, right] = tree.operands_of(root);
                let (least_left, least_right) = match grouping {
                    // In `a*-b`, the signs would touch.
                    Grouping::Left if !operator.has_spaces && tree.is_signed(right) => {
                        (binds, u8::MAX)
                    }
                    Grouping::Left => (binds, binds + 1),
                    Grouping::Right if tree.is_signed(right) => {
                        let mut levels = tree
                            .operands(right)
                            .map(|it| level_of(&tree.items[it].kind));
                        let is_short = levels.all(|it| it == level::ATOM);
                        (binds + 1, if is_short { level::SIGN } else { u8::MAX })
                    }
                    Grouping::Right => (binds + 1, binds),
                    _ => (binds + 1, binds + 1),
                };
                // `[0]*3` is refused, because it repeats the list in Python.
                let list_level = bracket_level(tree.is_list_of_a_number(left));
                let blank = if operator.has_spaces { " " } else { "" };
                self.steps.push(Tree(left, least_left.max(list_level)));
                self.push([Text(blank), sign, Text(blank)]);
                self.push([Tree(right, least_right)]);
            }
        }
    }

    /// Pushes `W.sum()` or `n.layers`.
    fn push_member(&mut self, root: usize, name: &'i str) {
        let tree = self.tree;
        let [owner] = tree.operands_of(root);
        let is_part = NETWORK_PARTS.contains(&name);
        let brackets = if is_part { "" } else { "()" };
        self.push([tree.owner(owner), Text(name), Text(brackets)]);
    }

    /// Pushes the arguments of a call, in brackets.
    fn push_arguments(&mut self, root: usize) {
        let tree = self.tree;
        self.push([Text("(")]);
        match tree.only_loop(root) {
            // The brackets of the call are enough: `sum(x^2 for x in xs)`.
            Some(only) => self.push_loop(only),
            None => self.push_items(tree.operands(root), 0),
        }
        self.push([Text(")")]);
    }

    /// Pushes `Value(2, label='a')`.
    fn push_labelled(&mut self, root: usize, label: &'i str) {
        let tree = self.tree;
        let [call] = tree.operands_of(root);
        let [number] = tree.operands_of(call);
        let quote = if label.contains('\'') { "\"" } else { "'" };
        self.push([Text("Value("), Tree(number, 0)]);
        self.push([", label=", quote, label, quote, ")"].map(Text));
    }

    /// Pushes items with commas between them. The iterator gives the last item first.
    fn push_items(&mut self, roots: impl Iterator<Item = usize>, least: u8) {
        let first = self.steps.len();
        for (nth, root) in roots.enumerate() {
            self.push((nth > 0).then_some(Text(", ")));
            self.push([Tree(root, least)]);
        }
        self.steps[first..].reverse();
    }

    /// Pushes `solve(F = G, y, 3)`.
    fn push_solution(&mut self, root: usize) {
        let tree = self.tree;
        let [unknown, difference] = tree.operands_of(root);
        self.push([Text("solve(")]);
        match &tree.items[difference].kind {
            ItemKind::Apply(Head::Operator(sign), 2) if sign.spelling == "-" => {
                let [left, right] = tree.operands_of(difference);
                self.push([Tree(left, 0), Text(" = "), Tree(right, 0)]);
            }
            // The label of a long equation is cut.
            _ => self.push([Tree(difference, 0)]),
        }
        let mut operands = tree.operands(unknown);
        let letter = operands.next().map(|it| Tree(it, 0));
        self.push([Text(", ")]);
        self.push(letter);
        let mut numbers: Vec<usize> = operands.collect();
        let mut gap = ", ";
        while let Some(number) = numbers.pop() {
            self.push([Text(gap), Tree(number, level::RANGE + 1)]);
            gap = "..";
        }
        self.push([Text(")")]);
    }

    /// Pushes `E for x in xs`.
    fn push_loop(&mut self, root: usize) {
        let tree = self.tree;
        let [each, body] = tree.operands_of(root);
        let variables = tree.items[each].kind.operands().saturating_sub(1) as usize;
        let list = tree.operands(each).nth(variables);
        self.push([Tree(body, 0), Text(" for ")]);
        self.push_items(tree.operands(each).take(variables), 0);
        self.push([Text(" in ")]);
        self.push(list.map(|list| Tree(list, 0)));
    }
}

/// The lowest level that a place allows, if its tree must have brackets in any case, or none.
fn bracket_level(must_have_brackets: bool) -> u8 {
    if must_have_brackets { u8::MAX } else { 0 }
}

/// How tightly the text of a node binds.
fn level_of<N>(kind: &ItemKind<N>) -> u8 {
    match kind {
        ItemKind::Apply(Head::Operator(operator), _) => operator.level,
        ItemKind::Apply(Head::Range, _) => level::RANGE,
        // Looser than any operator.
        ItemKind::Apply(Head::Uncertain { .. }, _) => 0,
        // A negative literal reads back only if a sign may stand there, and not before `^`, `!` or `.`.
        ItemKind::Number(literal) if literal.value.is_sign_negative() => level::SIGN,
        _ => level::ATOM,
    }
}

fn write_leaf<N: AsRef<str>>(out: &mut String, kind: &ItemKind<N>) {
    // Writing into a string cannot fail.
    let _ = match kind {
        ItemKind::Number(number) => {
            write_literal(out, number.value, number.has_point);
            Ok(())
        }
        ItemKind::Name(name) | ItemKind::Variable(name) | ItemKind::Lambda(name) => {
            out.write_str(name.as_ref())
        }
        ItemKind::Former(name, number) => write!(out, "{}@{number}", name.as_ref()),
        ItemKind::Id(number) => write!(out, "@{number}"),
        ItemKind::Result(number) => write!(out, "${number}"),
        ItemKind::Text(words) => write!(out, "'{}'", words.as_ref()),
        ItemKind::Apply(..) | ItemKind::Each(_) | ItemKind::Unknown(_) | ItemKind::Property(_) => {
            Ok(())
        }
    };
}

/// 2^53. Whole numbers up to it are printed with all digits, because all of them are exact.
const LARGEST_EXACT: f64 = 9_007_199_254_740_992.0;

/// Whether a number is whole and printed without an exponent.
pub(super) fn is_written_in_full(value: f64) -> bool {
    value.fract() == 0.0 && value.abs() <= LARGEST_EXACT
}

/// The shortest text of a number that reads back: `10`, `0.1`, `1e-7`, `1e20`. With `has_point`, a whole number is `10.0`.
pub fn literal(value: f64, has_point: bool) -> String {
    let mut out = String::new();
    write_literal(&mut out, value, has_point);
    out
}

fn write_literal(out: &mut String, value: f64, has_point: bool) {
    let size = value.abs();
    // Writing into a string cannot fail.
    let _ = if value.is_nan() {
        out.write_str("nan")
    } else if value.is_infinite() {
        out.write_str(if value > 0.0 { "inf" } else { "-inf" })
    } else if is_written_in_full(value) && has_point {
        write!(out, "{value:?}")
    } else if is_written_in_full(value) || (1e-5..1e15).contains(&size) {
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
        std::iter::successors(root.checked_sub(1), |&operand| {
            (self.starts[operand] as usize).checked_sub(1)
        })
        .take(self.items[root].kind.operands() as usize)
    }

    /// The roots of the `COUNT` operands of a node, the first one first.
    fn operands_of<const COUNT: usize>(&self, root: usize) -> [usize; COUNT] {
        let mut roots = [0; COUNT];
        for (place, operand) in roots.iter_mut().rev().zip(self.operands(root)) {
            *place = operand;
        }
        roots
    }

    /// The root of the operand of a node, if it has one operand and this is `[E for x in xs]`.
    fn only_loop(&self, root: usize) -> Option<usize> {
        let mut operands = self.operands(root);
        let only = operands.next().filter(|_| operands.next().is_none());
        only.filter(|at| matches!(self.items[*at].kind, ItemKind::Apply(Head::Collect, _)))
    }

    /// The part that an index or a member follows.
    fn owner(&self, root: usize) -> PrintStep<'i, N> {
        // Whether an index may follow the text of the node directly.
        let takes_index = match &self.items[root].kind {
            ItemKind::Name(_) | ItemKind::Former(..) | ItemKind::Result(_) => true,
            ItemKind::Apply(head, _) => !matches!(
                head,
                Head::Operator(_) | Head::Range | Head::Uncertain { .. }
            ),
            _ => false,
        };
        Tree(root, bracket_level(!takes_index))
    }

    /// An end or the step of a slice. An end has no text if it is infinitely far.
    fn slice_part(&self, root: usize) -> PrintStep<'i, N> {
        match &self.items[root].kind {
            ItemKind::Number(it) if !it.has_point && it.value.is_infinite() => Text(""),
            _ => Tree(root, 0),
        }
    }

    fn is_list_of_a_number(&self, root: usize) -> bool {
        let is_number = |item: usize| matches!(self.items[item].kind, ItemKind::Number(_));
        matches!(self.items[root].kind, ItemKind::Apply(Head::List, 1))
            && self.operands(root).all(is_number)
    }

    /// Whether the node is a minus with its operand, or a negative number.
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
            ("2^(-(a*b))", "2^(-(a*b))"),
            ("2^(-(3^2))", "2^(-3^2)"),
            ("-(3)", "-(3)"),
            ("- 3", "-(3)"),
            ("-(-3)", "--3"),
            ("a*(-b)", "a*(-b)"),
            ("a + (-b)", "a + -b"),
            ("a*(-b)^2", "a*(-b)^2"),
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
