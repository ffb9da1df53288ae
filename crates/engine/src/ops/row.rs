//! Builds the rows of `table.rs`, so that a row reads like a line of a calculus book.
//!
//! All functions are `const`: the compiler builds the table, so the start of the program takes no time for it.

use super::functions::choice;
use super::loops::{BINARY, UNARY};
use super::{
    BinarySlope, Domain, Flat, Kink, ManySlopes, Op, Partial, PartialTexts, Rule, Shape, UnarySlope,
};

/// The texts of a row.
type Text = &'static str;

/// Sets the number of each row to its index.
pub(super) const fn number_rows<const ROWS: usize>(mut rows: [Op; ROWS]) -> [Op; ROWS] {
    // `u8::MAX` stands for a row without a number, and for a leaf in the flat graph.
    assert!(ROWS < u8::MAX as usize, "every row has a number");
    let mut row = 0;
    while row < ROWS {
        rows[row].row = row as u8;
        row += 1;
    }
    rows
}

/// A function that is called by its name.
pub(super) const fn call(name: Text, summary: Text, example: Text, rule: Rule) -> Op {
    Op {
        row: u8::MAX,
        name,
        spelling: name,
        aliases: &[],
        shape: Shape::Call,
        summary,
        example,
        rule,
        domain: Domain::Everywhere,
        kinks: &[],
        flats: &[],
        script: None,
    }
}

/// An operator: its spelling is a sign, and its name is a word. Exported programs write `script`.
pub(super) const fn operator(
    spelling: Text,
    name: Text,
    shape: Shape,
    example: Text,
    summary: Text,
    script: Text,
    rule: Rule,
) -> Op {
    let mut row = call(name, summary, example, rule);
    row.shape = shape;
    row.spelling(spelling).script(script)
}

/// A comparison of two numbers: 1 if it holds, else 0.
pub(super) const fn comparison(
    spelling: Text,
    name: Text,
    example: Text,
    summary: Text,
    script: Text,
    value: fn(f64, f64) -> f64,
) -> Op {
    let zero: Partial<BinarySlope> = slope(|_, _, _| 0.0, "0");
    let rule = binary(value, zero, zero);
    operator(spelling, name, Shape::Infix, example, summary, script, rule).kinks(EQUAL)
}

/// A function of one operand that changes only by jumps, so its derivative is 0.
pub(super) const fn step(name: Text, summary: Text, example: Text, value: fn(f64) -> f64) -> Op {
    let rule = unary(value, slope(|x, _| choice::step_dx(x), "0"));
    call(name, summary, example, rule)
}

/// A function of many operands that changes only by jumps.
pub(super) const fn step_of_many(
    name: Text,
    summary: Text,
    example: Text,
    value: fn(&[f64]) -> f64,
) -> Op {
    let flat: Partial<ManySlopes> = slope(|_, out, locals| locals.fill(choice::step_dx(out)), "0");
    call(name, summary, example, many(value, flat, "0"))
}

const EQUAL: &[Kink] = &[kink("x = y", "the derivatives are taken as 0", |a| {
    a[0] == a[1]
})];

impl Op {
    /// The same row, with more names.
    pub(super) const fn alias(mut self, aliases: &'static [Text]) -> Op {
        self.aliases = aliases;
        self
    }

    /// The same row, spelled like a row that takes another number of operands.
    pub(super) const fn spelling(mut self, spelling: Text) -> Op {
        self.spelling = spelling;
        self
    }

    /// The same row, with its domain.
    pub(super) const fn domain(mut self, domain: Domain) -> Op {
        self.domain = domain;
        self
    }

    /// The same row, defined only if the condition holds.
    pub(super) const fn needs(self, text: Text, holds: fn(&[f64]) -> bool) -> Op {
        self.domain(Domain::Where {
            text,
            holds,
            hint: None,
        })
    }

    /// The same row, with its kinks.
    pub(super) const fn kinks(mut self, kinks: &'static [Kink]) -> Op {
        self.kinks = kinks;
        self
    }

    /// The same row, with its flat regions.
    pub(super) const fn flats(mut self, flats: &'static [Flat]) -> Op {
        self.flats = flats;
        self
    }

    /// The same row, with the text for its value in exported programs.
    pub(super) const fn script(mut self, value: Text) -> Op {
        self.script = Some(value);
        self
    }
}

/// A kink: the point, the convention, and the test.
pub(super) const fn kink(at: Text, convention: Text, holds: fn(&[f64]) -> bool) -> Kink {
    Kink {
        at,
        convention,
        holds,
    }
}

/// A flat region: the phrase for it, and the test.
pub(super) const fn flat(phrase: Text, holds: fn(&[f64], usize, f64) -> bool) -> Flat {
    Flat { phrase, holds }
}

/// A derivative: the accurate number, and the text that people learn, which also serves for further derivatives.
pub(super) const fn slope<F: Copy>(number: F, learned: Text) -> Partial<F> {
    slopes(number, learned, learned)
}

/// A derivative with a text that people learn and a different text for further derivatives.
pub(super) const fn slopes<F: Copy>(number: F, learned: Text, derivable: Text) -> Partial<F> {
    let texts = PartialTexts { learned, derivable };
    Partial { number, texts }
}

/// The rule of one operand.
pub(super) const fn unary(value: fn(f64) -> f64, dx: Partial<UnarySlope>) -> Rule {
    Rule::Unary {
        value,
        dx,
        loops: UNARY,
    }
}

/// The rule of two operands.
pub(super) const fn binary(
    value: fn(f64, f64) -> f64,
    dx: Partial<BinarySlope>,
    dy: Partial<BinarySlope>,
) -> Rule {
    Rule::Binary {
        value,
        dx,
        dy,
        loops: BINARY,
    }
}

/// The rule of one or more operands. Further derivatives are built from the text `for_many` if there are not two operands.
pub(super) const fn many(
    value: fn(&[f64]) -> f64,
    partial: Partial<ManySlopes>,
    for_many: Text,
) -> Rule {
    Rule::Many {
        value,
        partial,
        for_many,
    }
}
