//! Lines as books print them: random formulas are typed with and without their signs, and have the same numbers.

use crate::common::{Desk, Random, close};

/// A part of a formula as a book prints it, and with all its signs and brackets.
#[derive(Clone)]
struct Printed {
    book: String,
    plain: String,
    /// Whether it ends with the argument of a function without brackets. What follows may belong to the argument.
    is_open: bool,
}

impl Printed {
    fn new(book: impl Into<String>, plain: impl Into<String>) -> Printed {
        Printed {
            book: book.into(),
            plain: plain.into(),
            is_open: false,
        }
    }

    /// A function without brackets.
    fn applied(book: String, plain: String) -> Printed {
        Printed {
            is_open: true,
            ..Printed::new(book, plain)
        }
    }

    /// The part between two texts.
    fn inside(&self, before: &str, after: &str) -> Printed {
        let plain = format!("({before}{}{after})", self.plain);
        Printed::new(format!("{before}{}{after}", self.book), plain)
    }
}

fn pick<'a>(random: &mut Random, of: &[&'a str]) -> &'a str {
    of[random.below(of.len())]
}

const LETTERS: [&str; 4] = ["x", "y", "t", "a"];
const FUNCTIONS: [&str; 5] = ["sin", "cos", "tan", "ln", "sqrt"];

/// `x`, `2x`, `πx`, `7`, `x^2`: what a function without brackets takes.
fn argument(random: &mut Random) -> Printed {
    let letter = pick(random, &LETTERS);
    let number = 2 + random.below(7);
    match random.below(6) {
        0 => Printed::new(number.to_string(), number.to_string()),
        1 => Printed::new(format!("{number}{letter}"), format!("({number}*{letter})")),
        2 => Printed::new(format!("π{letter}"), format!("(pi*{letter})")),
        3 => Printed::new(format!("{letter}^{number}"), format!("({letter}^{number})")),
        4 => Printed::new(
            format!("{number}{letter}^2"),
            format!("({number}*({letter}^2))"),
        ),
        _ => Printed::new(letter, letter),
    }
}

/// A factor that is no number.
fn factor(random: &mut Random, depth: usize) -> Printed {
    let letter = pick(random, &LETTERS);
    let function = pick(random, &FUNCTIONS);
    let power = 2 + random.below(3);
    let kind = random.below(if depth == 0 { 8 } else { 14 });
    match kind {
        0 | 1 => Printed::new(letter, letter),
        2 => Printed::new(format!("{letter}^{power}"), format!("({letter}^{power})")),
        3 => Printed::new(format!("{letter}²"), format!("({letter}^2)")),
        4 => Printed::new(format!("e^{letter}"), format!("exp({letter})")),
        5 => Printed::new(format!("√{letter}"), format!("sqrt({letter})")),
        6 => {
            let inner = argument(random);
            let plain = format!("{function}({})", inner.plain);
            Printed::applied(format!("{function} {}", inner.book), plain)
        }
        7 => {
            let inner = argument(random);
            let plain = format!("({function}({})^{power})", inner.plain);
            Printed::applied(format!("{function}^{power} {}", inner.book), plain)
        }
        8 | 9 => sum(random, depth - 1).inside("(", ")"),
        10 => {
            let inner = sum(random, depth - 1);
            let plain = format!("(({})^{power})", inner.plain);
            Printed::new(format!("({})^{power}", inner.book), plain)
        }
        11 => {
            let inner = sum(random, depth - 1);
            Printed::new(
                format!("{function}({})", inner.book),
                format!("{function}({})", inner.plain),
            )
        }
        12 => {
            let inner = sum(random, depth - 1);
            let plain = format!("({function}({})^{power})", inner.plain);
            Printed::new(format!("{function}^{power}({})", inner.book), plain)
        }
        _ => {
            let inner = sum(random, depth - 1);
            let plain = format!("abs({})", inner.plain);
            Printed::new(format!("|{}|", inner.book), plain)
        }
    }
}

/// A product or a quotient.
fn term(random: &mut Random, depth: usize) -> Printed {
    let mut product = if random.below(3) == 0 {
        let number = (2 + random.below(8)).to_string();
        Printed::new(number.clone(), number)
    } else {
        factor(random, depth)
    };
    for _ in 0..random.below(3) {
        // Most products have such a function at their end; the others are refused.
        if product.is_open && random.below(8) > 0 {
            break;
        }
        let next = factor(random, depth);
        let can_touch = product.book.ends_with([')', '|'])
            || next.book.starts_with(['(', '|', '√'])
            || product.book.parse::<u8>().is_ok();
        let blank = if can_touch && random.below(2) == 0 {
            ""
        } else {
            " "
        };
        product.book = format!("{}{blank}{}", product.book, next.book);
        product.plain = format!("({}*{})", product.plain, next.plain);
        product.is_open = next.is_open;
    }
    if !product.is_open && random.below(5) == 0 {
        let divisor = factor(random, depth);
        product.book = format!("{}/{}", product.book, divisor.book);
        product.plain = format!("({}/{})", product.plain, divisor.plain);
    }
    product
}

fn sum(random: &mut Random, depth: usize) -> Printed {
    let mut whole = term(random, depth);
    for _ in 0..random.below(3) {
        let next = term(random, depth);
        let sign = pick(random, &[" + ", " - ", "+", "-"]);
        whole.book = format!("{}{sign}{}", whole.book, next.book);
        whole.plain = format!("({}{sign}{})", whole.plain, next.plain);
    }
    whole
}

#[test]
fn no_random_formula_is_misread() {
    let mut random = Random(49);
    let mut desk = Desk::with(&["x, y, t, a = 1.3, 0.7, 2.1, 0.4".to_string()]);
    let (mut read, mut refused) = (0, 0);
    for _ in 0..3000 {
        let formula = sum(&mut random, 2);
        let want = desk.value(&formula.plain);
        match desk.try_line(&formula.book).pop() {
            Some(Ok(_)) => {
                let got = desk.session.results().last().expect("a result").nodes()[0].data();
                assert!(
                    close(got, want, 1e-6, 1e-12) || want.is_nan(),
                    "{} is {got}, not {want}: {}",
                    formula.book,
                    formula.plain
                );
                read += 1;
            }
            _ => refused += 1,
        }
    }
    assert!(read > 1500, "{read} read, {refused} refused");
}
