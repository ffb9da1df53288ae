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

const fn infix(
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

/// The operators.
pub static OPERATORS: &[Operator] = &TABLE;

const TABLE: [Operator; 14] = [
    infix("<", &[], level::COMPARISON, Grouping::Alone),
    infix("<=", &["≤"], level::COMPARISON, Grouping::Alone),
    infix(">", &[], level::COMPARISON, Grouping::Alone),
    infix(">=", &["≥"], level::COMPARISON, Grouping::Alone),
    infix("==", &[], level::COMPARISON, Grouping::Alone),
    infix("!=", &["≠"], level::COMPARISON, Grouping::Alone),
    infix("+", &[], level::SUM, Grouping::Left),
    infix("-", &["−"], level::SUM, Grouping::Left),
    infix("*", &["×", "·", "⋅", "∙"], level::PRODUCT, Grouping::Left),
    infix("/", &["÷"], level::PRODUCT, Grouping::Left),
    infix("%", &[], level::PRODUCT, Grouping::Left),
    Operator {
        spelling: "-",
        also: &["−"],
        level: level::SIGN,
        grouping: Grouping::Prefix,
        spaced: false,
    },
    infix("^", &["**"], level::POWER, Grouping::Right),
    Operator {
        spelling: "!",
        also: &[],
        level: level::POSTFIX,
        grouping: Grouping::Postfix,
        spaced: false,
    },
];

/// The places in the table of the infix operators that are one ASCII character.
const SHORT: [Option<u8>; 128] = {
    let mut places = [None; 128];
    let mut place = 0;
    while place < TABLE.len() {
        let operator = &TABLE[place];
        if let &[byte] = operator.spelling.as_bytes()
            && !matches!(operator.grouping, Grouping::Prefix | Grouping::Postfix)
        {
            places[byte as usize] = Some(place as u8);
        }
        place += 1;
    }
    places
};

/// The infix operator with this spelling.
pub fn between(text: &str) -> Option<&'static Operator> {
    // Most spellings are one character; an empty one comes from `=` without an operator.
    match *text.as_bytes() {
        [] => return None,
        [byte] => {
            let place = SHORT.get(usize::from(byte)).copied().flatten()?;
            return OPERATORS.get(usize::from(place));
        }
        _ => {}
    }
    OPERATORS.iter().find(|operator| {
        !matches!(operator.grouping, Grouping::Prefix | Grouping::Postfix)
            && (operator.spelling == text || operator.also.contains(&text))
    })
}

/// Where in the table the first operator of a grouping stands.
const fn first(grouping: Grouping) -> usize {
    let mut place = 0;
    while TABLE[place].grouping as u8 != grouping as u8 {
        place += 1;
    }
    place
}

/// The sign before an operand. (`+` makes no node.)
pub fn minus() -> &'static Operator {
    const PLACE: usize = first(Grouping::Prefix);
    &OPERATORS[PLACE]
}

/// The sign after an operand.
pub fn factorial() -> &'static Operator {
    const PLACE: usize = first(Grouping::Postfix);
    &OPERATORS[PLACE]
}
