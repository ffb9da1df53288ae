//! Translates formulas in prose, `$\frac{dy}{dx} = 2x_1$`, to `MathML`. It knows letters, numbers, signs, indices, powers,
//! fractions, roots, Greek letters and functions. `prose.rs` shows a formula with anything else as it was typed.

use chainrule_style::html::escape;

/// The deepest level of brackets. Each level recurses, so without a limit a long formula could overflow the stack.
const DEEPEST: usize = 16;

/// The names after a backslash, each with its letter or sign.
const SIGNS: &str = "\
    alpha α, beta β, gamma γ, delta δ, epsilon ϵ, varepsilon ε, zeta ζ, eta η, theta θ, kappa κ, \
    lambda λ, mu μ, nu ν, xi ξ, pi π, rho ρ, sigma σ, tau τ, phi ϕ, varphi φ, chi χ, psi ψ, \
    omega ω, Gamma Γ, Delta Δ, Theta Θ, Lambda Λ, Pi Π, Sigma Σ, Phi Φ, Psi Ψ, Omega Ω, partial ∂, \
    infty ∞, ell ℓ, cdot ·, times ×, pm ±, le ≤, leq ≤, ge ≥, geq ≥, ne ≠, neq ≠, approx ≈, to →, \
    sum ∑, prod ∏, int ∫, nabla ∇, dots …, ldots …, cdots ⋯";

/// The names of functions after a backslash.
const FUNCTIONS: &str = "sin cos tan arcsin arccos arctan sinh cosh tanh exp ln log max min";

/// A letter, or a sign between operands.
fn sign(text: &str) -> String {
    let is_letter = text.chars().all(char::is_alphabetic);
    let tag = if is_letter { "mi" } else { "mo" };
    format!("<{tag}>{}</{tag}>", escape(text))
}

/// The formula in `MathML`; `None` if it has an unknown part.
pub(super) fn mathml(tex: &str, is_block: bool) -> Option<String> {
    let mut reader = FormulaReader { rest: tex };
    let row = reader.row(0)?;
    let display = if is_block { " display=\"block\"" } else { "" };
    (reader.rest.is_empty() && row != "<mrow></mrow>")
        .then(|| format!("<math{display}>{row}</math>"))
}

struct FormulaReader<'t> {
    rest: &'t str,
}

impl<'t> FormulaReader<'t> {
    /// Reads up to a closing bracket or the end.
    fn row(&mut self, depth: usize) -> Option<String> {
        let mut out = String::from("<mrow>");
        loop {
            self.rest = self.rest.trim_start();
            if self.rest.is_empty() || self.rest.starts_with('}') {
                out.push_str("</mrow>");
                return Some(out);
            }
            let mut base = self.atom(depth)?;
            // The subscript comes before the superscript; the other order is not read.
            for (script, tag) in [('_', "msub"), ('^', "msup")] {
                if let Some(rest) = self.rest.strip_prefix(script) {
                    self.rest = rest.trim_start();
                    base = format!("<{tag}>{base}{}</{tag}>", self.atom(depth)?);
                }
            }
            out += &base;
        }
    }

    /// Reads a letter, a number, a sign, a group or a name.
    fn atom(&mut self, depth: usize) -> Option<String> {
        let first = self.rest.chars().next()?;
        if first == '{' {
            return self.group(depth);
        }
        if first.is_ascii_digit() {
            let number = self.take_while(|c| c.is_ascii_digit() || c == '.');
            return Some(format!("<mn>{number}</mn>"));
        }
        let whole = self.take(first.len_utf8());
        match first {
            '\\' => {}
            '_' | '^' | '$' | '&' | '#' | '%' | '~' | '`' => return None,
            '\'' => return Some(sign("′")),
            '-' => return Some(sign("−")),
            _ => return Some(sign(whole)),
        }
        let name = self.take_while(|c| c.is_ascii_alphabetic());
        let mut signs = SIGNS.split(", ").filter_map(|pair| pair.split_once(' '));
        if let Some((_, letter)) = signs.find(|(known, _)| *known == name) {
            return Some(sign(letter));
        }
        match name {
            "frac" => {
                let (above, below) = (self.group(depth)?, self.group(depth)?);
                Some(format!("<mfrac>{above}{below}</mfrac>"))
            }
            "sqrt" => Some(format!("<msqrt>{}</msqrt>", self.group(depth)?)),
            "" if self.rest.starts_with([',', ';', ' ']) => {
                self.take(1);
                Some("<mspace width=\"0.2em\"/>".to_owned())
            }
            _ if FUNCTIONS.split(' ').any(|known| known == name) => {
                Some(format!("<mi>{name}</mi>"))
            }
            _ => None,
        }
    }

    /// Reads a group in brackets: `{…}`.
    fn group(&mut self, depth: usize) -> Option<String> {
        if depth == DEEPEST {
            return None;
        }
        self.rest = self.rest.trim_start().strip_prefix('{')?;
        let row = self.row(depth + 1)?;
        self.rest = self.rest.strip_prefix('}')?;
        Some(row)
    }

    /// Takes this many bytes from the rest.
    fn take(&mut self, length: usize) -> &'t str {
        let (taken, rest) = self.rest.split_at(length);
        self.rest = rest;
        taken
    }

    /// Takes the characters at the start of the rest for which `belongs` holds.
    fn take_while(&mut self, belongs: impl Fn(char) -> bool) -> &'t str {
        let after = self.rest.find(|c| !belongs(c));
        self.take(after.unwrap_or(self.rest.len()))
    }
}

#[cfg(test)]
mod tests {
    use super::mathml;

    #[test]
    fn simple_formulas_are_read() {
        for (tex, expected) in [
            (
                "x_1^2",
                "<msup><msub><mi>x</mi><mn>1</mn></msub><mn>2</mn></msup>",
            ),
            (
                r"\frac{dy}{dx} = -2.5",
                "<mfrac><mrow><mi>d</mi><mi>y</mi></mrow><mrow><mi>d</mi><mi>x</mi></mrow></mfrac><mo>=</mo><mo>−</mo><mn>2.5</mn>",
            ),
            (
                r"\sigma(w \cdot x)",
                "<mi>σ</mi><mo>(</mo><mi>w</mi><mo>·</mo><mi>x</mi><mo>)</mo>",
            ),
            (
                r"e^{-\tanh x} < f'(x)",
                "<msup><mi>e</mi><mrow><mo>−</mo><mi>tanh</mi><mi>x</mi></mrow></msup><mo>&lt;</mo><mi>f</mi><mo>′</mo><mo>(</mo><mi>x</mi><mo>)</mo>",
            ),
            (
                r"\sqrt{2}\,a",
                "<msqrt><mrow><mn>2</mn></mrow></msqrt><mspace width=\"0.2em\"/><mi>a</mi>",
            ),
        ] {
            let expected = format!("<math><mrow>{expected}</mrow></math>");
            assert_eq!(mathml(tex, false), Some(expected), "{tex}");
        }
    }

    #[test]
    fn other_formulas_are_refused() {
        let deep = "{".repeat(40) + &"}".repeat(40);
        for tex in [
            r"\begin{matrix}",
            "x^",
            "a}",
            "{a",
            r"\frac{a}",
            "x^2^3",
            "",
            "a & b",
            &deep,
        ] {
            assert_eq!(mathml(tex, false), None, "{tex}");
        }
    }
}
