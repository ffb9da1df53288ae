//! Writes operations in LaTeX as mathematics does, with brackets only where they are needed.
//!
//! `TEMPLATES` lists operations with a notation of their own, and `PowerProduct` makes fractions of products. All other
//! operations are written as function calls.

use rustc_hash::FxHashMap;

use chainrule_engine::ops::{self, Op};
use chainrule_language as language;

/// How tightly a formula binds. A formula that binds less tightly than its position needs gets brackets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum TexBinding {
    /// No formula binds less. A position that needs only this never has brackets.
    Loosest,
    /// A sum.
    Sum,
    /// Anything else with a sign in front.
    Signed,
    /// A product or a fraction.
    Product,
    /// A formula with an exponent.
    Power,
    /// A name, a positive number, or anything in brackets.
    Atom,
}

use TexBinding::{Atom, Power, Product, Signed, Sum};

/// The bindings for the digits 0 to 5 in [`TEMPLATES`].
const BINDINGS: [TexBinding; 6] = [TexBinding::Loosest, Sum, Signed, Product, Power, Atom];

/// A formula, and how tightly it binds.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct TexFormula {
    pub(super) text: String,
    pub(super) binding: TexBinding,
}

impl TexFormula {
    pub(super) fn new(text: impl Into<String>, binding: TexBinding) -> TexFormula {
        TexFormula {
            text: text.into(),
            binding,
        }
    }

    /// Returns the text, in brackets unless it binds at least this tightly.
    fn in_brackets(&self, least: TexBinding) -> String {
        if self.binding >= least {
            self.text.clone()
        } else {
            format!(r"\left({}\right)", self.text)
        }
    }

    /// Returns whether the formula is a function of a symbol, `\sin a`, and not a sum that begins with such a function.
    fn is_call(&self) -> bool {
        let command = self.text.strip_prefix('\\').unwrap_or_default();
        let end = command.find([' ', '^']).unwrap_or(command.len());
        self.binding == Power && COMMANDS.contains(&&command[..end])
    }

    /// Returns whether a function may take the formula without brackets, because it is a symbol such as `x` or `w_{1}`.
    fn is_symbol(&self) -> bool {
        self.binding == Atom
            && !self.text.contains([' ', '(', '|'])
            && (self.text).starts_with(|c: char| c.is_ascii_alphabetic() || c == '\\')
    }

    /// Returns the formula with an exponent: `\sin^{2} a` for a function that has no exponent yet.
    fn with_exponent(&self, exponent: &str) -> TexFormula {
        let is_number = exponent.bytes().all(|digit| digit.is_ascii_digit());
        let text = match self.text.split_once(' ') {
            Some((function, argument))
                if is_number && self.is_call() && !function.contains('^') =>
            {
                format!("{function}^{{{exponent}}} {argument}")
            }
            _ => format!("{}^{{{exponent}}}", self.in_brackets(Atom)),
        };
        TexFormula::new(text, Power)
    }

    /// Returns the formula to a power, whose exponent is given in halves and is not 0.
    fn to_power(&self, halves: u32) -> TexFormula {
        match halves {
            1 => TexFormula::new(format!(r"\sqrt{{{}}}", self.text), Atom),
            2 => self.clone(),
            _ if halves.is_multiple_of(2) => self.with_exponent(&(halves / 2).to_string()),
            _ => self.with_exponent(&format!("{halves}/2")),
        }
    }
}

/// The operations that mathematics does not write as calls of a function: the operation, its text, and how tightly the
/// text binds. In the text, `#14` is operand 1, in brackets if it binds less tightly than `BINDINGS[4]`, a power, and `#23`
/// is operand 2 with `BINDINGS[3]`. Products of powers are not here.
const TEMPLATES: &[(&str, &str, TexBinding)] = &[
    ("addition", "#11 + #23", Sum),
    ("subtraction", "#11 - #23", Sum),
    ("modulo", r"#14 \bmod #24", Product),
    ("factorial", "#15!", Power),
    ("less", r"\left[#10 < #20\right]", Atom),
    ("less_or_equal", r"\left[#10 \le #20\right]", Atom),
    ("greater", r"\left[#10 > #20\right]", Atom),
    ("greater_or_equal", r"\left[#10 \ge #20\right]", Atom),
    ("equal", r"\left[#10 = #20\right]", Atom),
    ("not_equal", r"\left[#10 \ne #20\right]", Atom),
    ("abs", r"\left|#10\right|", Atom),
    ("cbrt", r"\sqrt[3]{#10}", Atom),
    ("exp", "e^{#10}", Power),
    ("exp2", "2^{#10}", Power),
    ("expm1", "e^{#10} - 1", Sum),
    ("log2", r"\log_{2}\left(#10\right)", Atom),
    ("log10", r"\log_{10}\left(#10\right)", Atom),
    ("log1p", r"\ln\left(1 + #11\right)", Atom),
    ("asin", r"\arcsin\left(#10\right)", Atom),
    ("acos", r"\arccos\left(#10\right)", Atom),
    ("atan", r"\arctan\left(#10\right)", Atom),
    ("asinh", r"\operatorname{arsinh}\left(#10\right)", Atom),
    ("acosh", r"\operatorname{arcosh}\left(#10\right)", Atom),
    ("atanh", r"\operatorname{artanh}\left(#10\right)", Atom),
    ("softplus", r"\ln\left(1 + e^{#10}\right)", Atom),
    ("chain_ln", r"#12 \, \ln\left(#20\right)", Product),
    ("floor", r"\left\lfloor #10 \right\rfloor", Atom),
    ("ceil", r"\left\lceil #10 \right\rceil", Atom),
    ("sign", r"\operatorname{sgn}\left(#10\right)", Atom),
    ("gamma", r"\Gamma\left(#10\right)", Atom),
    ("lgamma", r"\ln\left|\Gamma\left(#10\right)\right|", Atom),
    ("digamma", r"\psi\left(#10\right)", Atom),
    ("trigamma", r"\psi_{1}\left(#10\right)", Atom),
    ("polygamma", r"\psi_{#10}\left(#20\right)", Atom),
];

/// Operations of one operand whose names are commands of LaTeX.
const COMMANDS: [&str; 7] = ["sin", "cos", "tan", "sinh", "cosh", "tanh", "ln"];

/// Numbers are multiplied if the product has at most this many characters, so that the product is no harder to read than
/// the factors.
const LONGEST_PRODUCT: usize = 6;

/// A product of numbers and powers, which becomes one fraction.
#[derive(Debug, Default)]
pub(super) struct PowerProduct {
    /// Whether the product has a minus in front.
    pub(super) has_minus: bool,
    /// The numbers above the bar.
    numerator: Vec<f64>,
    /// The numbers below the bar.
    denominator: Vec<f64>,
    /// The other factors with their exponents, in halves, in the order in which they came.
    powers: Vec<(TexFormula, i32)>,
    /// The index of each of these factors.
    indices: FxHashMap<TexFormula, usize>,
}

impl PowerProduct {
    /// Multiplies the product by a power of a formula, whose exponent is given in halves.
    pub(super) fn multiply(&mut self, base: TexFormula, halves: i32) {
        let index = *self.indices.entry(base.clone()).or_insert_with(|| {
            self.powers.push((base, 0));
            self.powers.len() - 1
        });
        self.powers[index].1 += halves;
    }

    /// Multiplies the product by a positive number, or divides it by the number if the exponent is negative.
    pub(super) fn scale(&mut self, number: f64, halves: i32) {
        let numbers = if halves > 0 {
            &mut self.numerator
        } else {
            &mut self.denominator
        };
        let is_short =
            |product: f64| product.is_normal() && product.to_string().len() <= LONGEST_PRODUCT;
        match numbers.last_mut() {
            Some(last) if is_short(*last * number) => *last *= number,
            _ => numbers.push(number),
        }
    }

    /// Returns the product as a fraction.
    pub(super) fn fraction(mut self) -> TexFormula {
        self.reduce();
        // Functions come last: `\sin a` needs no brackets if only functions follow.
        self.powers.sort_by_key(|(base, _)| base.is_call());
        let numerator = side_by_side(&self.factors(1, &self.numerator));
        let denominator = self.factors(-1, &self.denominator);
        let fraction = if denominator.is_empty() {
            numerator
        } else {
            let (over, under) = (numerator.text, side_by_side(&denominator).text);
            TexFormula::new(format!(r"\frac{{{over}}}{{{under}}}"), Product)
        };
        if self.has_minus {
            let text = fraction.in_brackets(Product);
            return TexFormula::new(format!("-{text}"), Signed);
        }
        fraction
    }

    /// Divides a whole number above the bar and one below it by their greatest common divisor.
    fn reduce(&mut self) {
        let gcd = ops::function("gcd", 2).expect("the table has gcd");
        if let ([over], [under]) = (&mut self.numerator[..], &mut self.denominator[..])
            && let divisor = gcd.value(&[*over, *under])
            && !divisor.is_nan()
        {
            *over /= divisor;
            *under /= divisor;
        }
    }

    /// Returns these numbers, and the powers whose exponents have this sign.
    fn factors(&self, sign: i32, numbers: &[f64]) -> Vec<TexFormula> {
        let visible_numbers = numbers.iter().filter(|number| **number != 1.0);
        let mut factors: Vec<TexFormula> = visible_numbers.map(|number| literal(*number)).collect();
        let powers = self.powers.iter().filter(|it| it.1.signum() == sign);
        factors.extend(powers.map(|(base, halves)| base.to_power(halves.unsigned_abs())));
        factors
    }
}

/// Returns the formula of a number.
pub(super) fn literal(number: f64) -> TexFormula {
    let plain = language::literal(number, false);
    let (text, binding) = match plain.split_once('e') {
        Some((mantissa, exponent)) => (format!(r"{mantissa} \cdot 10^{{{exponent}}}"), Product),
        None if plain == "nan" => (r"\mathrm{nan}".to_string(), Atom),
        None => (plain.replace("inf", r"\infty"), Atom),
    };
    let signed = plain.starts_with('-').then_some(Signed);
    TexFormula::new(text, signed.unwrap_or(binding))
}

/// Returns factors side by side; 1 if there are none.
fn side_by_side(parts: &[TexFormula]) -> TexFormula {
    match parts {
        [] => return TexFormula::new("1", Atom),
        [only] => return only.clone(),
        _ => {}
    }
    let mut product = String::new();
    for part in parts {
        let text = part.in_brackets(Product);
        if !product.is_empty() {
            // A digit after a space could belong to the number before it.
            let has_digit_first = text.starts_with(|c: char| c.is_ascii_digit());
            product += if has_digit_first { r" \cdot " } else { r" \, " };
        }
        product += &text;
    }
    TexFormula::new(product, Product)
}

/// Returns an operation in LaTeX that is no product of powers.
pub(super) fn tex(op: &Op, operands: &[TexFormula]) -> TexFormula {
    match (op.name, operands) {
        ("sum", terms) => {
            let texts = terms.iter().map(|term| term.in_brackets(Product));
            TexFormula::new(texts.collect::<Vec<_>>().join(" + "), Sum)
        }
        ("power", [base, exponent]) => base.with_exponent(&exponent.text),
        ("if", [condition, yes, no]) => cases(condition, yes, no),
        (name, [argument]) if COMMANDS.contains(&name) && argument.is_symbol() => {
            TexFormula::new(format!(r"\{name} {}", argument.text), Power)
        }
        (name, _) => match TEMPLATES.iter().find(|(of, ..)| *of == name) {
            Some((_, template, binding)) => {
                TexFormula::new(fill_template(template, operands), *binding)
            }
            None => function_call(name, operands),
        },
    }
}

/// Returns a choice between two formulas.
fn cases(condition: &TexFormula, yes: &TexFormula, no: &TexFormula) -> TexFormula {
    // A comparison is the condition without its brackets.
    let without_open = condition.text.strip_prefix(r"\left[");
    let is_met = match without_open.and_then(|rest| rest.strip_suffix(r"\right]")) {
        Some(comparison) => comparison.to_string(),
        None => format!(r"{} \ne 0", condition.text),
    };
    let (yes, no) = (&yes.text, &no.text);
    let text =
        format!(r"\begin{{cases}} {yes} & {is_met} \\ {no} & \text{{otherwise}} \end{{cases}}");
    TexFormula::new(text, Sum)
}

/// Returns a call of a function with all operands in brackets.
fn function_call(name: &str, operands: &[TexFormula]) -> TexFormula {
    let words = name.replace('_', " ");
    let function = if COMMANDS.contains(&name) || matches!(name, "min" | "max") {
        format!(r"\{words}")
    } else {
        format!(r"\operatorname{{{words}}}")
    };
    let arguments: Vec<&str> = operands.iter().map(|it| &*it.text).collect();
    let text = format!(r"{function}\left({}\right)", arguments.join(", "));
    TexFormula::new(text, Atom)
}

/// Returns a text of [`TEMPLATES`] with these operands.
fn fill_template(template: &str, operands: &[TexFormula]) -> String {
    let mut parts = template.split('#');
    let mut filled = parts.next().unwrap_or_default().to_string();
    for part in parts {
        let (digits, rest) = part.split_at(2);
        let [place, binding] = [0, 1].map(|at| usize::from(digits.as_bytes()[at] - b'0'));
        filled += &operands[place - 1].in_brackets(BINDINGS[binding]);
        filled += rest;
    }
    filled
}

#[cfg(test)]
mod tests {
    use super::*;
    use chainrule_engine::ops::TABLE;

    #[test]
    fn templates_are_of_rows_and_have_their_operands() {
        for (name, template, _) in TEMPLATES {
            let op = TABLE.iter().find(|op| op.name == *name);
            let (least, most) = op.expect("a row has this name").arity();
            for place in 1..=3 {
                let has = template.contains(&format!("#{place}"));
                let wanted = place <= least && most.is_some();
                assert_eq!(has, wanted, "{name}: operand {place}");
            }
        }
    }

    #[test]
    fn brackets_stand_where_they_are_needed() {
        let tex = |name: &str, operands: &[(&str, TexBinding)]| {
            let op = TABLE.iter().find(|op| op.name == name);
            let operands = operands.iter();
            let operands: Vec<TexFormula> = operands
                .map(|(text, binding)| TexFormula::new(*text, *binding))
                .collect();
            super::tex(op.expect("a row has this name"), &operands).text
        };
        for (name, operands, expected) in [
            (
                "power",
                &[("a + b", Sum), ("2", Atom)][..],
                r"\left(a + b\right)^{2}",
            ),
            (
                "power",
                &[("e^{x}", Power), ("2", Atom)],
                r"\left(e^{x}\right)^{2}",
            ),
            (
                "subtraction",
                &[("a", Atom), ("b - c", Sum)],
                r"a - \left(b - c\right)",
            ),
            ("sin", &[("a", Atom)], r"\sin a"),
            ("sin", &[("a + b", Sum)], r"\sin\left(a + b\right)"),
            ("power", &[(r"\sin a", Power), ("2", Atom)], r"\sin^{2} a"),
            (
                "power",
                &[(r"\cos b + 2 \, b", Sum), ("2", Atom)],
                r"\left(\cos b + 2 \, b\right)^{2}",
            ),
            (
                "power",
                &[(r"\sin a", Power), ("b", Atom)],
                r"\left(\sin a\right)^{b}",
            ),
            ("sum", &[("a", Atom), ("b", Atom), ("c", Atom)], "a + b + c"),
            ("gelu", &[("x", Atom)], r"\operatorname{gelu}\left(x\right)"),
        ] {
            assert_eq!(tex(name, operands), expected);
        }
    }

    #[test]
    fn products_are_one_fraction() {
        let [a, b] = ["a", "b"].map(|name| TexFormula::new(name, Atom));
        let mut product = PowerProduct {
            has_minus: true,
            ..PowerProduct::default()
        };
        product.scale(2.0, 2);
        product.scale(4.0, -2);
        product.multiply(TexFormula::new(r"\sin a", Power), 2);
        product.multiply(a.clone(), -1);
        product.multiply(b.clone(), 4);
        product.multiply(a, -1);
        product.multiply(TexFormula::new("a + b", Sum), 2);
        let expected = r"-\frac{b^{2} \, \left(a + b\right) \, \sin a}{2 \, a}";
        assert_eq!(product.fraction().text, expected);

        let mut one = PowerProduct::default();
        one.multiply(b.clone(), 2);
        one.multiply(b, -2);
        assert_eq!(one.fraction().text, "1");
    }
}
