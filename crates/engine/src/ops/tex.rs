//! How mathematics writes an operation: LaTeX for formulas that are read.
//!
//! An operation that is not listed is written as a call of its name.

use super::Op;

/// How tightly a formula holds together: what binds less than its place needs is put into brackets.
pub mod binding {
    /// A sum.
    pub const SUM: u8 = 1;
    /// Anything else with a sign in front.
    pub const SIGNED: u8 = 2;
    /// A product or a fraction.
    pub const PRODUCT: u8 = 3;
    /// Something with an exponent.
    pub const POWER: u8 = 4;
    /// A name, a positive number, anything in brackets.
    pub const ATOM: u8 = 5;
}

use binding::{ATOM, POWER, PRODUCT, SIGNED, SUM};

/// Templates: `#12` is the first operand, in brackets unless it binds as tightly as a product; `#*` are all operands
/// with commas between. Then how tightly the whole binds.
const TEMPLATES: &[(&str, &str, u8)] = &[
    ("addition", "#11 + #23", SUM),
    ("subtraction", "#11 - #23", SUM),
    ("multiplication", r"#12 \, #23", PRODUCT),
    ("division", r"\frac{#10}{#20}", PRODUCT),
    ("modulo", r"#14 \bmod #24", PRODUCT),
    ("power", "#15^{#20}", POWER),
    ("negation", "-#13", SIGNED),
    ("factorial", "#15!", POWER),
    ("less", r"\left[#10 < #20\right]", ATOM),
    ("less_or_equal", r"\left[#10 \le #20\right]", ATOM),
    ("greater", r"\left[#10 > #20\right]", ATOM),
    ("greater_or_equal", r"\left[#10 \ge #20\right]", ATOM),
    ("equal", r"\left[#10 = #20\right]", ATOM),
    ("not_equal", r"\left[#10 \ne #20\right]", ATOM),
    ("abs", r"\left|#10\right|", ATOM),
    ("sqrt", r"\sqrt{#10}", ATOM),
    ("cbrt", r"\sqrt[3]{#10}", ATOM),
    ("rsqrt", r"\frac{1}{\sqrt{#10}}", PRODUCT),
    ("square", "#15^{2}", POWER),
    ("cube", "#15^{3}", POWER),
    ("recip", r"\frac{1}{#10}", PRODUCT),
    ("exp", "e^{#10}", POWER),
    ("exp2", "2^{#10}", POWER),
    ("expm1", "e^{#10} - 1", SUM),
    ("ln", r"\ln\left(#10\right)", ATOM),
    ("log2", r"\log_{2}\left(#10\right)", ATOM),
    ("log10", r"\log_{10}\left(#10\right)", ATOM),
    ("log1p", r"\ln\left(1 + #11\right)", ATOM),
    ("asin", r"\arcsin\left(#10\right)", ATOM),
    ("acos", r"\arccos\left(#10\right)", ATOM),
    ("atan", r"\arctan\left(#10\right)", ATOM),
    ("asinh", r"\operatorname{arsinh}\left(#10\right)", ATOM),
    ("acosh", r"\operatorname{arcosh}\left(#10\right)", ATOM),
    ("atanh", r"\operatorname{artanh}\left(#10\right)", ATOM),
    ("softplus", r"\ln\left(1 + e^{#10}\right)", ATOM),
    ("chain", r"#12 \, #23", PRODUCT),
    ("chain_ln", r"#12 \, \ln\left(#20\right)", PRODUCT),
    ("floor", r"\left\lfloor #10 \right\rfloor", ATOM),
    ("ceil", r"\left\lceil #10 \right\rceil", ATOM),
    ("sign", r"\operatorname{sgn}\left(#10\right)", ATOM),
    ("gamma", r"\Gamma\left(#10\right)", ATOM),
    ("lgamma", r"\ln\left|\Gamma\left(#10\right)\right|", ATOM),
    ("digamma", r"\psi\left(#10\right)", ATOM),
    ("trigamma", r"\psi_{1}\left(#10\right)", ATOM),
    ("polygamma", r"\psi_{#10}\left(#20\right)", ATOM),
    (
        "if",
        r"\begin{cases} #20 & #10 \ne 0 \\ #30 & \text{otherwise} \end{cases}",
        SUM,
    ),
];

/// Operations whose names are commands of LaTeX.
const COMMANDS: [&str; 8] = ["sin", "cos", "tan", "sinh", "cosh", "tanh", "min", "max"];

/// What joins the operands of an operation that takes any number of them, and how tightly the whole binds. The operands
/// have to bind as tightly as a product.
const JOINED: &[(&str, &str, u8)] = &[("sum", " + ", SUM), ("prod", r" \, ", PRODUCT)];

impl Op {
    /// The operation in LaTeX, with how tightly it binds. `operands` are formulas with the same.
    pub fn tex(&self, operands: &[(String, u8)]) -> (String, u8) {
        let known = |listed: &'static [(&str, &'static str, u8)]| {
            let found = listed.iter().find(|(name, ..)| *name == self.name);
            found.map(|&(_, text, binds)| (text, binds))
        };
        let operand = |place: usize, least: u8| match operands.get(place) {
            Some((text, binds)) if *binds >= least => text.clone(),
            Some((text, _)) => format!(r"\left({text}\right)"),
            None => String::new(),
        };
        if let Some((sign, binds)) = known(JOINED) {
            let places = 0..operands.len();
            let terms: Vec<String> = places.map(|at| operand(at, PRODUCT)).collect();
            return (terms.join(sign), binds);
        }
        let has_command = COMMANDS.contains(&self.name);
        let name = match self.name.replace('_', " ") {
            name if has_command => format!(r"\{name}"),
            name => format!(r"\operatorname{{{name}}}"),
        };
        let call = format!(r"{name}\left(#*\right)");
        let (template, binds) = known(TEMPLATES).unwrap_or((&call, ATOM));
        let mut parts = template.split('#');
        let mut out = parts.next().unwrap_or_default().to_string();
        for part in parts {
            if let Some(rest) = part.strip_prefix('*') {
                let all: Vec<String> = (0..operands.len()).map(|at| operand(at, 0)).collect();
                out = out + &all.join(", ") + rest;
                continue;
            }
            let (digits, rest) = part.split_at(2);
            let mut digits = digits.bytes().map(|digit| digit - b'0');
            let (place, least) = (digits.next().unwrap_or(1), digits.next().unwrap_or(0));
            let text = operand(usize::from(place) - 1, least);
            // Between two numbers a space is not enough.
            if out.ends_with(r"\, ") && text.starts_with(|c: char| c.is_ascii_digit()) {
                out.truncate(out.len() - r"\, ".len());
                out.push_str(r"\cdot ");
            }
            out = out + &text + rest;
        }
        let signed = out.starts_with('-');
        (out, if signed { binds.min(SIGNED) } else { binds })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ops::TABLE;

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
        for (name, ..) in JOINED {
            assert!(TABLE.iter().any(|op| op.name == *name), "{name}");
        }
    }

    #[test]
    fn brackets_stand_where_they_are_needed() {
        let tex = |name: &str, operands: &[(&str, u8)]| {
            let op = TABLE.iter().find(|op| op.name == name);
            let operands: Vec<(String, u8)> = operands
                .iter()
                .map(|(text, binds)| ((*text).to_string(), *binds))
                .collect();
            op.expect("a row has this name").tex(&operands).0
        };
        for (name, operands, expected) in [
            (
                "power",
                &[("a + b", SUM), ("2", ATOM)][..],
                r"\left(a + b\right)^{2}",
            ),
            (
                "power",
                &[("e^{x}", POWER), ("2", ATOM)],
                r"\left(e^{x}\right)^{2}",
            ),
            ("multiplication", &[("2", ATOM), ("3", ATOM)], r"2 \cdot 3"),
            ("multiplication", &[("2", ATOM), ("x", ATOM)], r"2 \, x"),
            (
                "multiplication",
                &[("x", ATOM), ("-y", SIGNED)],
                r"x \, \left(-y\right)",
            ),
            (
                "subtraction",
                &[("a", ATOM), ("b - c", SUM)],
                r"a - \left(b - c\right)",
            ),
            (
                "division",
                &[("a + b", SUM), ("c", ATOM)],
                r"\frac{a + b}{c}",
            ),
            ("sum", &[("a", ATOM), ("b", ATOM), ("c", ATOM)], "a + b + c"),
            ("gelu", &[("x", ATOM)], r"\operatorname{gelu}\left(x\right)"),
        ] {
            assert_eq!(tex(name, operands), expected);
        }
    }
}
