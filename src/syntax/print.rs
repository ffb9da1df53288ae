//! Trees as text: with fewest brackets, so that reading the text gives the tree back; and as S-expressions for tests.
//!
//! Precedence comes from the same table that the parser uses. Both printers walk the flat tree with a list of things
//! still to print, so a tree of any depth costs no call stack and each node one step.

use std::fmt::Write as _;

use super::levels::{Grouping, Operator, level};
use super::tree::{Head, Item, Kind, Property};

/// The text of a tree: spaces only around `+ -` and comparisons and behind commas, no bracket that could be left out.
pub fn infix(items: &[Item<'_>]) -> String {
    let mut out = String::new();
    write_infix(&mut out, items);
    out
}

/// [`infix`], written at the end of `out`.
pub fn write_infix(out: &mut String, items: &[Item<'_>]) {
    let tree = Tree::new(items);
    let mut rest = Vec::from_iter(tree.root().map(|root| Step::Tree { root, least: 0 }));
    while let Some(step) = rest.pop() {
        match step {
            Step::Text(text) => out.push_str(text),
            Step::Operator(operator) if operator.spaced => {
                out.push(' ');
                out.push_str(operator.spelling);
                out.push(' ');
            }
            Step::Operator(operator) => out.push_str(operator.spelling),
            Step::Tree { root, least } => {
                let item = &items[root];
                let brackets = level_of(item.kind) < least;
                if brackets {
                    out.push('(');
                    rest.push(Step::Text(")"));
                }
                write_node(out, &mut rest, &tree, root);
            }
        }
    }
}

/// Something still to print.
enum Step {
    Text(&'static str),
    Operator(&'static Operator),
    /// The tree that ends at item `root`, in brackets if it binds less than `least`.
    Tree {
        root: usize,
        least: u8,
    },
}

/// Writes what a node begins with and puts the rest on the list, last things first.
fn write_node(out: &mut String, rest: &mut Vec<Step>, tree: &Tree<'_, '_>, root: usize) {
    match tree.items[root].kind {
        Kind::Apply(Head::Operator(operator), _) => {
            let operands = tree.operands(root);
            let binds = operator.level;
            match (operator.grouping, &operands[..]) {
                (Grouping::Prefix, &[operand]) => {
                    out.push_str(operator.spelling);
                    // `-3` would be one literal.
                    let literal = matches!(tree.items[operand].kind, Kind::Number(literal) if !literal.value.is_sign_negative());
                    let least = if literal { u8::MAX } else { binds };
                    rest.push(Step::Tree {
                        root: operand,
                        least,
                    });
                }
                (Grouping::Postfix, &[operand]) => {
                    rest.push(Step::Text(operator.spelling));
                    rest.push(Step::Tree {
                        root: operand,
                        least: binds + 1,
                    });
                }
                (grouping, &[left, right]) => {
                    let least = match grouping {
                        Grouping::Right => binds.min(least_right(tree, right)),
                        _ => binds + 1,
                    };
                    rest.push(Step::Tree { root: right, least });
                    rest.push(Step::Operator(operator));
                    let least = if grouping == Grouping::Left {
                        binds
                    } else {
                        binds + 1
                    };
                    rest.push(Step::Tree { root: left, least });
                }
                _ => out.push_str(operator.spelling),
            }
        }
        Kind::Apply(Head::Function(name, primes), _) => {
            out.push_str(name);
            out.extend(std::iter::repeat_n('\'', primes.into()));
            out.push('(');
            rest.push(Step::Text(")"));
            for (nth, &operand) in tree.operands(root).iter().enumerate().rev() {
                rest.push(Step::Tree {
                    root: operand,
                    least: 0,
                });
                if nth > 0 {
                    rest.push(Step::Text(", "));
                }
            }
        }
        Kind::Property(property) => {
            rest.push(Step::Text(spelling(property)));
            let operand = root.checked_sub(1);
            rest.extend(operand.map(|root| Step::Tree {
                root,
                least: level::POSTFIX,
            }));
        }
        leaf => write_leaf(out, leaf),
    }
}

/// A minus needs no brackets to the right of a power: `2^-x`.
fn least_right(tree: &Tree<'_, '_>, right: usize) -> u8 {
    match tree.items[right].kind {
        Kind::Apply(Head::Operator(operator), _) if operator.grouping == Grouping::Prefix => {
            operator.level
        }
        Kind::Number(_) => level::SIGN,
        _ => u8::MAX,
    }
}

/// How tightly the text of a node holds together.
fn level_of(kind: Kind<'_>) -> u8 {
    match kind {
        Kind::Apply(Head::Operator(operator), _) => operator.level,
        // A negative literal is read as one only where a sign may stand, and not before `^`, `!` or `.`.
        Kind::Number(literal) if literal.value.is_sign_negative() => level::SIGN,
        Kind::Property(_) => level::POSTFIX,
        _ => level::ATOM,
    }
}

fn write_leaf(out: &mut String, kind: Kind<'_>) {
    // Writing into a string cannot fail.
    let _ = match kind {
        Kind::Number(number) => {
            write_literal(out, number.value, number.point);
            Ok(())
        }
        Kind::Name(name) => out.write_str(name),
        Kind::Former(name, number) => write!(out, "{name}@{number}"),
        Kind::Id(number) => write!(out, "@{number}"),
        Kind::Result(number) => write!(out, "${number}"),
        Kind::Apply(..) | Kind::Property(_) => Ok(()),
    };
}

fn spelling(property: Property) -> &'static str {
    match property {
        Property::Data => ".data",
        Property::Grad => ".grad",
    }
}

/// A number in its shortest form that reads back: `10`, `0.1`, `1e-7`, `1e20`; with `point` a whole one is `10.0`.
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
    } else if size != 0.0 && !(1e-5..1e15).contains(&size) {
        write!(out, "{value:e}")
    } else if point {
        write!(out, "{value:?}")
    } else {
        write!(out, "{value}")
    };
}

/// The tree as an S-expression, every bracket shown: `(+ (* a b) c)`.
pub fn sexpr(items: &[Item<'_>]) -> String {
    let tree = Tree::new(items);
    let mut out = String::new();
    let mut rest = Vec::from_iter(tree.root().map(|root| Step::Tree { root, least: 0 }));
    while let Some(step) = rest.pop() {
        let root = match step {
            Step::Tree { root, .. } => root,
            Step::Text(text) => {
                out.push_str(text);
                continue;
            }
            Step::Operator(_) => continue,
        };
        match items[root].kind {
            Kind::Apply(head, _) => {
                out.push('(');
                match head {
                    Head::Operator(operator) => out.push_str(operator.spelling),
                    Head::Function(name, primes) => {
                        out.push_str(name);
                        out.extend(std::iter::repeat_n('\'', primes.into()));
                    }
                }
            }
            Kind::Property(property) => {
                out.push('(');
                out.push_str(spelling(property));
            }
            leaf => {
                write_leaf(&mut out, leaf);
                continue;
            }
        }
        rest.push(Step::Text(")"));
        for &operand in tree.operands(root).iter().rev() {
            rest.push(Step::Tree {
                root: operand,
                least: 0,
            });
            rest.push(Step::Text(" "));
        }
    }
    out
}

/// A flat tree with the first item of each of its subtrees.
struct Tree<'i, 't> {
    items: &'i [Item<'t>],
    starts: Vec<u32>,
}

impl<'i, 't> Tree<'i, 't> {
    fn new(items: &'i [Item<'t>]) -> Tree<'i, 't> {
        let mut starts: Vec<u32> = Vec::with_capacity(items.len());
        for (at, item) in items.iter().enumerate() {
            let operands = count(item.kind);
            let mut start = at;
            for _ in 0..operands {
                start = start.checked_sub(1).map_or(0, |last| starts[last] as usize);
            }
            starts.push(start as u32);
        }
        Tree { items, starts }
    }

    fn root(&self) -> Option<usize> {
        self.items.len().checked_sub(1)
    }

    /// The last items of the operands of a node, in order.
    fn operands(&self, root: usize) -> Vec<usize> {
        let mut found = Vec::new();
        let mut next = root;
        for _ in 0..count(self.items[root].kind) {
            let Some(operand) = next.checked_sub(1) else {
                break;
            };
            found.push(operand);
            next = self.starts[operand] as usize;
        }
        found.reverse();
        found
    }
}

fn count(kind: Kind<'_>) -> u32 {
    match kind {
        Kind::Apply(_, operands) => operands,
        Kind::Property(_) => 1,
        _ => 0,
    }
}
