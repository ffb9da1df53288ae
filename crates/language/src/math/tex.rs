//! Writes formulas in LaTeX.

use super::{Math, MathCall, MathFunction};

/// The functions that are commands of LaTeX.
const COMMANDS: &[&str] = &[
    "sin", "cos", "tan", "sec", "csc", "cot", "sinh", "cosh", "tanh", "coth", "ln", "min", "max",
    "arcsin", "arccos", "arctan", "log",
];

/// The formula in LaTeX. `symbol` returns the notation for a name.
pub fn tex(math: &Math, symbol: &dyn Fn(&str) -> String) -> String {
    let inner = |part: &Math| tex(part, symbol);
    match math {
        Math::Name(name) if matches!(name.as_str(), "∞" | "inf") => r"\infty".into(),
        Math::Name(name) => symbol(name),
        Math::Number(digits) => digits.clone(),
        Math::Typed(text) => format!(r"\mathtt{{{}}}", text.replace('_', r"\_")),
        Math::Sign(sign) => sign_text(sign).into(),
        Math::Row(parts) => row(parts, symbol),
        Math::Fraction(parts) => {
            format!(r"\frac{{{}}}{{{}}}", inner(&parts[0]), inner(&parts[1]))
        }
        Math::Power(parts) => format!("{}^{{{}}}", inner(&parts[0]), inner(&parts[1])),
        Math::Root(2, of) => format!(r"\sqrt{{{}}}", inner(of)),
        Math::Root(degree, of) => format!(r"\sqrt[{degree}]{{{}}}", inner(of)),
        Math::Fenced(signs, of) => {
            let [open, close] = signs.map(sign_text);
            // A letter after a command would be part of it.
            let blank = if open.starts_with('\\') { " " } else { "" };
            format!(r"\left{open}{blank}{}{blank}\right{close}", inner(of))
        }
        Math::Call(it) => call(it, symbol),
        Math::Cases(parts) => {
            let [yes, condition, no] = [0, 1, 2].map(|at| inner(&parts[at]));
            format!(
                r"\begin{{cases}} {yes} & {condition} \\ {no} & \text{{otherwise}} \end{{cases}}"
            )
        }
    }
}

fn sign_text(sign: &str) -> &str {
    match sign {
        "" => r"\,",
        "⋅" => r"\cdot",
        "∂" => r"\partial ",
        "′" => "'",
        "≤" => r"\le",
        "≥" => r"\ge",
        "≠" => r"\ne",
        "mod" => r"\bmod",
        "⌊" => r"\lfloor",
        "⌋" => r"\rfloor",
        "⌈" => r"\lceil",
        "⌉" => r"\rceil",
        other => other,
    }
}

/// Parts with spaces around the signs between them. A sign in front and `!` have none.
fn row(parts: &[Math], symbol: &dyn Fn(&str) -> String) -> String {
    let mut text = String::new();
    for (at, part) in parts.iter().enumerate() {
        let written = tex(part, symbol);
        match part {
            Math::Sign(",") => text += ", ",
            Math::Sign("!" | "′") => text += &written,
            Math::Sign(_) if at > 0 => text.extend([" ", &written, " "]),
            _ => text += &written,
        }
    }
    text
}

fn call(call: &MathCall, symbol: &dyn Fn(&str) -> String) -> String {
    let function = match &call.function {
        MathFunction::Upright(word) if COMMANDS.contains(&word.as_str()) => format!(r"\{word}"),
        MathFunction::Upright(word) => format!(r"\operatorname{{{word}}}"),
        MathFunction::Indexed(word, index) => {
            format!("{}_{{{}}}", greek_or_command(word), tex(index, symbol))
        }
        MathFunction::Greek(letter) => greek_or_command(letter),
    };
    let exponent = call.exponent.as_ref();
    let power = exponent.map_or_else(String::new, |it| format!("^{{{}}}", tex(it, symbol)));
    let arguments = tex(&call.arguments, symbol);
    if call.is_bare {
        return format!("{function}{power} {arguments}");
    }
    format!(r"{function}{power}\left({arguments}\right)")
}

fn greek_or_command(word: &str) -> String {
    match word {
        "ψ" => r"\psi".into(),
        "Γ" => r"\Gamma".into(),
        other => format!(r"\{other}"),
    }
}
