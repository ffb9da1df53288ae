//! Operators and how tightly they bind. The parser, the printer and the table in the manual use `LEVELS`.
//!
//! Tests check that each spelling has a row in the table of operations, that the grammar reads it, and that a printed tree
//! can be read back.

use super::grammar::Rule;

/// How operators of a level group.
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
    /// `a < b < c` is refused, because it has two readings.
    Alone,
}

/// One operator.
#[derive(Debug, PartialEq, Eq)]
pub struct Operator {
    /// Its spelling in output and in the table of operations.
    pub spelling: &'static str,
    /// Other spellings accepted on input.
    pub also: &'static [&'static str],
    /// How tightly it binds.
    pub level: u8,
    /// How operators of its level group.
    pub grouping: Grouping,
    /// Whether output has blanks around it.
    pub has_spaces: bool,
}

/// Operators that bind equally tightly.
pub(super) struct Level {
    /// The rules that read them, and how they group.
    rules: &'static [(Rule, Grouping)],
    /// Its row in the manual: the signs and a remark. Empty if only Python has the operators.
    manual: [&'static str; 2],
}

const fn level(rules: &'static [(Rule, Grouping)], manual: [&'static str; 2]) -> Level {
    Level { rules, manual }
}

/// The levels, from the loosest to the tightest.
#[rustfmt::skip]
const LEVELS: [Level; 13] = {
    use Grouping::{Alone, Left, Postfix, Prefix, Right};
    const PYTHON: [&str; 2] = [""; 2];
    [
        level(&[(Rule::py_else, Right)], PYTHON),
        level(&[(Rule::py_if, Left)], PYTHON),
        level(&[(Rule::py_or, Left)], PYTHON),
        level(&[(Rule::py_and, Left)], PYTHON),
        level(&[(Rule::py_not, Prefix)], PYTHON),
        level(&[(Rule::range, Alone)], ["`1..n`", "whole numbers, both ends included"]),
        level(&[(Rule::comparison, Alone), (Rule::py_missing, Postfix)], ["`<  <=  >  >=  ==  !=`", "give 1 or 0 with gradient 0; `1 < x < 3` is refused"]),
        level(&[(Rule::sum, Left)], ["`+  -`", "from the left: `a - b - c` is `(a - b) - c`"]),
        level(&[(Rule::product, Left), (Rule::times, Left)], ["`*  /  %`", "and a coefficient, as in `3x`; `%` is modulo with the sign of the divisor"]),
        level(&[(Rule::minus, Prefix)], ["`-x`", "looser than a power: `-2^2` is -4"]),
        level(&[(Rule::power, Right), (Rule::superscript, Postfix)], ["`^  **`", "from the right: `2^3^2` is 512; `2^-1` is 0.5"]),
        level(&[(Rule::root, Prefix)], ["`√`", "the square root: `√x^2` is `sqrt(x)^2`"]),
        level(&[(Rule::factorial, Postfix), (Rule::member, Postfix), (Rule::index, Postfix), (Rule::call, Postfix), (Rule::former, Postfix), (Rule::per_cent, Postfix)],
            ["`x!  x.f()  w[2]  f(x)`", "factorial, method call, item of a list, function call"]),
    ]
};

/// The level of each rule of an operator, from 1 on, and how it groups. A table makes the parser faster than a search.
static BINDINGS: [Option<(u8, Grouping)>; 256] = {
    let mut bindings = [None; 256];
    let mut level = 0;
    while level < LEVELS.len() {
        let mut nth = 0;
        while nth < LEVELS[level].rules.len() {
            let (rule, grouping) = LEVELS[level].rules[nth];
            bindings[rule as usize] = Some((level as u8 + 1, grouping));
            nth += 1;
        }
        level += 1;
    }
    bindings
};

/// The level and the grouping of the operator that this rule reads.
pub(super) const fn binding(rule: Rule) -> Option<(u8, Grouping)> {
    BINDINGS[rule as usize]
}

/// The level of an operator.
const fn level_of(rule: Rule) -> u8 {
    match binding(rule) {
        Some((level, _)) => level,
        None => panic!("no level has this rule"),
    }
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
    /// Literals, names, calls, brackets, `w[2]`
    pub const ATOM: u8 = LEVELS.len() as u8 + 1;
}

/// The rows of the manual's table of operators, from the loosest to the tightest: the signs and a remark.
pub fn manual() -> impl Iterator<Item = [&'static str; 2]> {
    let rows = LEVELS.iter().map(|level| level.manual);
    rows.filter(|[signs, _]| !signs.is_empty())
}

const fn operator(spelling: &'static str, also: &'static [&'static str], rule: Rule) -> Operator {
    let Some((level, grouping)) = binding(rule) else {
        panic!("no level has this rule");
    };
    Operator {
        spelling,
        also,
        level,
        grouping,
        has_spaces: level <= level::SUM,
    }
}

/// The operators. The usual ones come first, because a search goes in this order. The last two are the sign before an
/// operand and the sign after it.
pub static OPERATORS: [Operator; 14] = [
    operator("+", &[], Rule::sum),
    operator("-", &["−"], Rule::sum),
    operator("*", &["×", "·", "⋅", "∙"], Rule::product),
    operator("/", &["÷"], Rule::product),
    operator("%", &[], Rule::product),
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

/// The infix operator with this spelling.
pub fn infix_operator(text: &str) -> Option<&'static Operator> {
    let [infix @ .., _, _] = &OPERATORS;
    let spells = |operator: &&Operator| operator.spelling == text || operator.also.contains(&text);
    infix.iter().find(spells)
}

/// The sign before an operand. (`+` makes no node.)
pub fn minus_sign() -> &'static Operator {
    let [.., minus, _] = &OPERATORS;
    minus
}

/// The sign after an operand.
pub fn factorial() -> &'static Operator {
    let [.., factorial] = &OPERATORS;
    factorial
}
