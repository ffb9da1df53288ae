//! Lists the operators and defines how tightly each binds. The parser, the printer and the table in the manual use
//! `LEVELS`, which sorts the rules of the grammar by how tightly they bind.
//!
//! Tests check that each spelling has a row in the table of operations, that the grammar reads it, and that a printed tree
//! can be read back.

use super::grammar::Rule;

/// How an operator groups with operators of the same level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grouping {
    /// `a - b - c` is `(a - b) - c`
    Left,
    /// `a ^ b ^ c` is `a ^ (b ^ c)`
    Right,
    /// `-a`
    Prefix,
    /// `a!`
    Postfix,
    /// `(a < b) < c` needs its brackets: `a < b < c` is a chain.
    Alone,
}

/// One operator.
#[derive(Debug, PartialEq, Eq)]
pub struct Operator {
    /// Its spelling in output and in the table of operations.
    pub spelling: &'static str,
    /// Other spellings that input may have.
    pub aliases: &'static [&'static str],
    /// How tightly it binds.
    pub level: u8,
    /// How it groups with operators of the same level.
    pub grouping: Grouping,
    /// Whether output has a space before and after it.
    pub has_spaces: bool,
}

/// Operators that bind equally tightly: the rule that reads each, with its grouping, and the row of the level in the
/// manual, which has the signs and a remark. Both are empty if only Python has the operators.
type Level = (&'static [(Rule, Grouping)], [&'static str; 2]);

/// The levels, from the loosest to the tightest.
#[rustfmt::skip]
const LEVELS: [Level; 13] = {
    use Grouping::{Alone, Left, Postfix, Prefix, Right};
    const PYTHON: [&str; 2] = [""; 2];
    [
        (&[(Rule::py_else, Right)], PYTHON),
        (&[(Rule::py_if, Left)], PYTHON),
        (&[(Rule::py_or, Left)], PYTHON),
        (&[(Rule::py_and, Left)], PYTHON),
        (&[(Rule::py_not, Prefix)], PYTHON),
        (&[(Rule::range, Alone)], ["`1..n`", "whole numbers, both ends included"]),
        (&[(Rule::comparison, Alone), (Rule::py_in, Alone), (Rule::py_not_in, Alone), (Rule::py_missing, Postfix)], ["`<  <=  >  >=  ==  !=  in`", "give 1 or 0 with gradient 0; `1 < x < 3` is `1 < x and x < 3`"]),
        (&[(Rule::sum, Left)], ["`+  -`", "from the left: `a - b - c` is `(a - b) - c`"]),
        (&[(Rule::product, Left), (Rule::times, Left)], ["`*  /  //  %`", "and a coefficient, as in `3x`; `//` rounds the quotient down, `%` is the remainder with the sign of the divisor"]),
        (&[(Rule::minus, Prefix)], ["`-x`", "looser than a power: `-2^2` is -4"]),
        (&[(Rule::power, Right), (Rule::superscript, Postfix)], ["`^  **`", "from the right: `2^3^2` is 512; `2^-1` is 0.5"]),
        (&[(Rule::root, Prefix)], ["`√`", "the square root: `√x^2` is `sqrt(x)^2`"]),
        (&[(Rule::factorial, Postfix), (Rule::member, Postfix), (Rule::index, Postfix), (Rule::call, Postfix), (Rule::former, Postfix), (Rule::per_cent, Postfix)],
            ["`x!  x.f()  w[2]  f(x)`", "factorial, method call, item of a list, function call"]),
    ]
};

/// For each rule that reads an operator: its level, counted from 1, and how it groups. The parser looks rules up here,
/// because a search through `LEVELS` is slower. A rule has 8 bits, so the table has 256 entries.
static BINDINGS: [Option<(u8, Grouping)>; 256] = {
    let mut bindings = [None; 256];
    let mut index = 0;
    while index < LEVELS.len() {
        let mut remaining = LEVELS[index].0;
        while let [(rule, grouping), rest @ ..] = remaining {
            bindings[*rule as usize] = Some((index as u8 + 1, *grouping));
            remaining = rest;
        }
        index += 1;
    }
    bindings
};

/// The level and the grouping of the operator that this rule reads.
pub(super) const fn binding(rule: Rule) -> Option<(u8, Grouping)> {
    BINDINGS[rule as usize]
}

/// The level of an operator.
const fn level_of(rule: Rule) -> u8 {
    binding(rule).expect("a level has this rule").0
}

/// Levels by name.
pub mod level {
    use super::{LEVELS, Rule, level_of};

    /// `1..n`
    pub const RANGE: u8 = level_of(Rule::range);
    /// `< <= > >= == !=`
    pub const COMPARISON: u8 = level_of(Rule::comparison);
    /// `+ -`
    pub const SUM: u8 = level_of(Rule::sum);
    /// `-a`
    pub const SIGN: u8 = level_of(Rule::minus);
    /// `a!`
    pub const POSTFIX: u8 = level_of(Rule::factorial);
    /// Everything that output never puts in brackets. (The parser reads calls and `w[2]` at the level `POSTFIX`.)
    pub const ATOM: u8 = LEVELS.len() as u8 + 1;
}

/// The rows of the manual's table of operators, from the loosest to the tightest: the signs and a remark.
pub fn manual() -> impl Iterator<Item = [&'static str; 2]> {
    let rows = LEVELS.iter().map(|(_, manual)| *manual);
    rows.filter(|[signs, _]| !signs.is_empty())
}

const fn operator(
    spelling: &'static str,
    aliases: &'static [&'static str],
    rule: Rule,
) -> Operator {
    let (tightness, grouping) = binding(rule).expect("a level has this rule");
    Operator {
        spelling,
        aliases,
        level: tightness,
        grouping,
        // Products and powers are written without spaces: `a*b + c`.
        has_spaces: tightness <= level::SUM,
    }
}

/// The operators: those between operands, then the sign before an operand, then the sign after one. Searches go in this
/// order, so the usual ones come first.
pub static OPERATORS: [Operator; 15] = [
    operator("+", &[], Rule::sum),
    operator("-", &["−"], Rule::sum),
    operator("*", &["×", "·", "⋅", "∙"], Rule::product),
    operator("/", &["÷"], Rule::product),
    operator("%", &[], Rule::product),
    operator("//", &[], Rule::product),
    operator("^", &["**"], Rule::power),
    operator("<", &[], Rule::comparison),
    operator("<=", &["≤"], Rule::comparison),
    operator(">", &[], Rule::comparison),
    operator(">=", &["≥"], Rule::comparison),
    operator("==", &[], Rule::comparison),
    operator("!=", &["≠"], Rule::comparison),
    operator("-", &["−"], Rule::minus),
    operator("!", &[], Rule::factorial),
];

const _: () = {
    let [.., minus, factorial] = &OPERATORS;
    assert!(matches!(minus.grouping, Grouping::Prefix));
    assert!(matches!(factorial.grouping, Grouping::Postfix));
};

/// The infix operator with this spelling.
pub fn infix_operator(text: &str) -> Option<&'static Operator> {
    let [infix @ .., _minus, _factorial] = &OPERATORS;
    let mut infix = infix.iter();
    infix.find(|operator| operator.spelling == text || operator.aliases.contains(&text))
}

/// The sign before an operand. (`+` makes no node.)
pub fn minus_sign() -> &'static Operator {
    let [.., minus, _factorial] = &OPERATORS;
    minus
}

/// The sign after an operand.
pub fn factorial() -> &'static Operator {
    let [.., factorial] = &OPERATORS;
    factorial
}
