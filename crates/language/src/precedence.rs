//! Operators and how tightly they bind, loosest first: what the printer needs, and the parser for its trees.
//!
//! Tests check that each spelling has a row in the table of operations and is read by the grammar, and that what is
//! printed reads back: the levels here and those of pest's `PrattParser` in `parser/expression.rs` are the same.

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
    /// `a < b < c` is refused: it has two readings.
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
    /// Blanks around it in output.
    pub spaced: bool,
}

/// Levels by name, loosest first.
pub mod level {
    /// `1..n`
    pub const RANGE: u8 = 1;
    /// `< <= > >= == !=`
    pub const COMPARISON: u8 = 2;
    /// `+ -`
    pub const SUM: u8 = 3;
    /// `* / %` and a coefficient
    pub const PRODUCT: u8 = 4;
    /// `-a`
    pub const SIGN: u8 = 5;
    /// `^`
    pub const POWER: u8 = 6;
    /// `√a`
    pub const ROOT: u8 = 7;
    /// `a!`
    pub const POSTFIX: u8 = 8;
    /// literals, names, calls, brackets, `w[2]`
    pub const ATOM: u8 = 9;
}

const fn operator(
    spelling: &'static str,
    also: &'static [&'static str],
    level: u8,
    grouping: Grouping,
) -> Operator {
    Operator {
        spelling,
        also,
        level,
        grouping,
        spaced: level <= level::SUM,
    }
}

/// The operators; the sign before an operand and the one behind it are the last two.
pub static OPERATORS: [Operator; 14] = [
    operator("<", &[], level::COMPARISON, Grouping::Alone),
    operator("<=", &["≤"], level::COMPARISON, Grouping::Alone),
    operator(">", &[], level::COMPARISON, Grouping::Alone),
    operator(">=", &["≥"], level::COMPARISON, Grouping::Alone),
    operator("==", &[], level::COMPARISON, Grouping::Alone),
    operator("!=", &["≠"], level::COMPARISON, Grouping::Alone),
    operator("+", &[], level::SUM, Grouping::Left),
    operator("-", &["−"], level::SUM, Grouping::Left),
    operator("*", &["×", "·", "⋅", "∙"], level::PRODUCT, Grouping::Left),
    operator("/", &["÷"], level::PRODUCT, Grouping::Left),
    operator("%", &[], level::PRODUCT, Grouping::Left),
    operator("^", &["**"], level::POWER, Grouping::Right),
    operator("-", &["−"], level::SIGN, Grouping::Prefix),
    operator("!", &[], level::POSTFIX, Grouping::Postfix),
];

/// The infix operator with this spelling.
pub fn between(text: &str) -> Option<&'static Operator> {
    let [infix @ .., _, _] = &OPERATORS;
    let spells = |operator: &&Operator| operator.spelling == text || operator.also.contains(&text);
    infix.iter().find(spells)
}

/// The sign before an operand. (`+` makes no node.)
pub fn minus() -> &'static Operator {
    let [.., minus, _] = &OPERATORS;
    minus
}

/// The sign after an operand.
pub fn factorial() -> &'static Operator {
    let [.., factorial] = &OPERATORS;
    factorial
}
