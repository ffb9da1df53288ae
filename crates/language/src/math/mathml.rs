//! Writes formulas in `MathML` Core, which browsers set themselves.

use super::{Math, MathCall, MathFunction};

/// The formula in `MathML`, without the element around the whole. `escape` makes XML of a text.
pub fn mathml(math: &Math, escape: &dyn Fn(&str) -> String) -> String {
    let inner = |part: &Math| mathml(part, escape);
    match math {
        Math::Name(name) => symbol(name, escape),
        Math::Number(digits) => format!("<mn>{}</mn>", escape(digits)),
        Math::Typed(text) if text.ends_with(']') => symbol(text, escape),
        Math::Typed(text) => format!("<mtext>{}</mtext>", escape(text)),
        Math::Sign(sign) => operator(sign, escape),
        Math::Row(parts) => row(parts.iter().map(inner)),
        Math::Fraction(parts) => element("mfrac", parts, escape),
        Math::Power(parts) => element("msup", parts, escape),
        Math::Root(2, of) => format!("<msqrt>{}</msqrt>", inner(of)),
        Math::Root(degree, of) => format!("<mroot>{}<mn>{degree}</mn></mroot>", inner(of)),
        Math::Fenced(signs, of) => {
            let [open, close] = signs.map(|it| fence(it, is_tall(of), escape));
            row([open, inner(of), close])
        }
        Math::Call(it) => call(it, escape),
        Math::Cases(parts) => cases(parts, escape),
    }
}

fn row(parts: impl IntoIterator<Item = String>) -> String {
    let parts: String = parts.into_iter().collect();
    format!("<mrow>{parts}</mrow>")
}

fn element(name: &str, parts: &[Math; 2], escape: &dyn Fn(&str) -> String) -> String {
    let [one, other] = parts.each_ref().map(|it| mathml(it, escape));
    format!("<{name}>{one}{other}</{name}>")
}

/// A sign. Factors side by side have an invisible one, which screen readers say, and a thin space, as in LaTeX.
fn operator(sign: &str, escape: &dyn Fn(&str) -> String) -> String {
    match sign {
        "" => "<mo rspace=\".17em\">\u{2062}</mo>".into(),
        "-" => "<mo>−</mo>".into(),
        "mod" => "<mo lspace=\".3em\" rspace=\".3em\">mod</mo>".into(),
        other => format!("<mo>{}</mo>", escape(other)),
    }
}

/// A bracket, which is as tall as what stands in it only if that is tall.
fn fence(sign: &str, is_tall: bool, escape: &dyn Fn(&str) -> String) -> String {
    if is_tall {
        return operator(sign, escape);
    }
    format!("<mo stretchy=\"false\">{}</mo>", escape(sign))
}

/// Whether a formula has several lines.
fn is_tall(math: &Math) -> bool {
    match math {
        Math::Fraction(_) | Math::Cases(_) => true,
        Math::Name(_) | Math::Number(_) | Math::Typed(_) | Math::Sign(_) => false,
        Math::Row(parts) => parts.iter().any(is_tall),
        Math::Power(parts) => is_tall(&parts[0]),
        Math::Root(_, of) | Math::Fenced(_, of) => is_tall(of),
        Math::Call(call) => is_tall(&call.arguments),
    }
}

/// A name. Its positions, the digits at its end or what follows `_` stand lower: `w[2]`, `x1`, `w_out`.
fn symbol(name: &str, escape: &dyn Fn(&str) -> String) -> String {
    if name == "pi" {
        return "<mi>π</mi>".into();
    }
    let without_digits = name.trim_end_matches(|c: char| c.is_ascii_digit());
    let split = match (name.split_once('['), name.split_once('_')) {
        (Some((stem, low)), _) => (stem, low.trim_end_matches(']').replace("][", ",")),
        (_, Some((stem, low))) if !stem.is_empty() => (stem, low.to_string()),
        _ => (without_digits, name[without_digits.len()..].to_string()),
    };
    match split {
        (stem, low) if name.contains('@') || stem.is_empty() || low.is_empty() => {
            format!("<mi>{}</mi>", escape(name))
        }
        (stem, low) => format!(
            "<msub><mi>{}</mi><mi>{}</mi></msub>",
            escape(stem),
            escape(&low)
        ),
    }
}

/// A function with its arguments, and the invisible sign between them.
fn call(call: &MathCall, escape: &dyn Fn(&str) -> String) -> String {
    let name = |word: &str| format!("<mi>{}</mi>", escape(word));
    let function = match &call.function {
        MathFunction::Upright(word) => {
            let without_primes = word.trim_end_matches('\'');
            match word.len() - without_primes.len() {
                0 => name(word),
                primes => {
                    let signs = "′".repeat(primes);
                    format!("{}<mo>{signs}</mo>", name(without_primes))
                }
            }
        }
        MathFunction::Greek(letter) => name(letter),
        MathFunction::Indexed(word, index) => {
            format!("<msub>{}{}</msub>", name(word), mathml(index, escape))
        }
    };
    let head = match &call.exponent {
        Some(exponent) => format!("<msup>{function}{}</msup>", mathml(exponent, escape)),
        None => function,
    };
    let arguments = mathml(&call.arguments, escape);
    let apply = "<mo>\u{2061}</mo>";
    if call.is_bare {
        return row([
            head,
            apply.into(),
            "<mspace width=\".17em\"/>".into(),
            arguments,
        ]);
    }
    let [open, close] = ["(", ")"].map(|it| fence(it, is_tall(&call.arguments), escape));
    row([head, apply.into(), open, arguments, close])
}

fn cases(parts: &[Math; 3], escape: &dyn Fn(&str) -> String) -> String {
    let [yes, condition, no] = parts.each_ref().map(|it| mathml(it, escape));
    format!(
        "<mrow><mo>{{</mo><mtable><mtr><mtd>{yes}</mtd><mtd><mtext>if </mtext>{condition}</mtd></mtr>\
         <mtr><mtd>{no}</mtd><mtd><mtext>otherwise</mtext></mtd></mtr></mtable></mrow>"
    )
}
