//! LaTeX: a `tabular` that needs no package.
//!
//! Numbers are set in math mode, so that a minus is a minus. Greek letters and a few signs become commands; other
//! letters stay as they are, which LaTeX reads as UTF-8.

use crate::report::{DataSheet, SheetEntry};
use crate::stop;
use crate::view::{Style, characters, number};

/// Characters that have to be written in another way.
const SPELLED: &[(char, &str)] = &[
    ('\\', "\\textbackslash{}"),
    ('{', "\\{"),
    ('}', "\\}"),
    ('$', "\\$"),
    ('&', "\\&"),
    ('%', "\\%"),
    ('#', "\\#"),
    ('_', "\\_"),
    ('^', "\\textasciicircum{}"),
    ('~', "\\textasciitilde{}"),
    ('"', "''"),
    ('<', "$<$"),
    ('>', "$>$"),
    ('|', "$|$"),
    ('*', "$*$"),
    ('-', "$-$"),
    ('±', "$\\pm$"),
    ('·', "$\\cdot$"),
    ('×', "$\\times$"),
    ('→', "$\\to$"),
    ('√', "$\\surd$"),
    ('≤', "$\\le$"),
    ('≥', "$\\ge$"),
    ('≠', "$\\ne$"),
    ('∂', "$\\partial$"),
    ('∞', "$\\infty$"),
    ('∑', "$\\sum$"),
    ('…', "\\ldots{}"),
    ('■', "$\\bullet$"),
    ('²', "$^2$"),
    ('³', "$^3$"),
];

/// The Greek letters from `α` to `ω`; the capitals that look different from Latin ones follow.
const GREEK: [&str; 25] = [
    "alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota", "kappa",
    "lambda", "mu", "nu", "xi", "o", "pi", "rho", "varsigma", "sigma", "tau", "upsilon", "phi",
    "chi", "psi", "omega",
];
const CAPITALS: &[(char, &str)] = &[
    ('Γ', "Gamma"),
    ('Δ', "Delta"),
    ('Θ', "Theta"),
    ('Λ', "Lambda"),
    ('Ξ', "Xi"),
    ('Π', "Pi"),
    ('Σ', "Sigma"),
    ('Υ', "Upsilon"),
    ('Φ', "Phi"),
    ('Ψ', "Psi"),
    ('Ω', "Omega"),
];

pub(super) fn write(sheet: &DataSheet, style: &Style, out: &mut String) {
    out.push_str("\\begin{tabular}{");
    out.extend((sheet.numeric().iter()).map(|numeric| if *numeric { 'r' } else { 'l' }));
    out.push_str("}\n");
    line(&sheet.header, out, |title, out| words(title, style, out));
    out.push_str("\\hline\n");
    for row in stop::asking(sheet.rows()) {
        line(&row, out, |entry, out| match entry {
            SheetEntry::Blank => {}
            SheetEntry::Words(text) | SheetEntry::Formula(text) => words(text, style, out),
            SheetEntry::Number(value) => push_number(*value, out),
            SheetEntry::Count(count) => out.push_str(&count.to_string()),
        });
    }
    out.push_str("\\end{tabular}\n");
}

fn line<T>(fields: &[T], out: &mut String, mut push: impl FnMut(&T, &mut String)) {
    for (place, field) in fields.iter().enumerate() {
        out.push_str(if place > 0 { " & " } else { "" });
        push(field, out);
    }
    out.push_str(" \\\\\n");
}

fn words(text: &str, style: &Style, out: &mut String) {
    // What the program writes in plain characters only is spelled out already.
    for c in characters::clean(text, style.ascii).chars() {
        push(c, out);
    }
}

fn push(c: char, out: &mut String) {
    let greek = u32::from(c).checked_sub(u32::from('α'));
    let capital = CAPITALS.iter().find(|(letter, _)| *letter == c);
    if let Some((_, spelled)) = SPELLED.iter().find(|(sign, _)| *sign == c) {
        out.push_str(spelled);
    } else if let Some(name) = greek
        .and_then(|at| GREEK.get(at as usize))
        .or(capital.map(|(_, name)| name))
    {
        out.push_str(if *name == "o" { "$" } else { "$\\" });
        out.push_str(name);
        out.push('$');
    } else if let Some(digit) = u32::from(c)
        .checked_sub(u32::from('₀'))
        .filter(|at| *at < 10)
    {
        out.push_str("$_");
        out.extend(char::from_digit(digit, 10));
        out.push('$');
    } else {
        out.push(c);
    }
}

/// `$-8$`, `$1.5 \times 10^{-7}$`
fn push_number(value: f64, out: &mut String) {
    let text = number::text(value, number::EXACT);
    if value.is_nan() {
        out.push_str(&text);
        return;
    }
    out.push('$');
    match text.split_once('e') {
        _ if value.is_infinite() => out.push_str(if value > 0.0 { "\\infty" } else { "-\\infty" }),
        Some((digits, power)) => {
            out.push_str(digits);
            out.push_str(" \\times 10^{");
            out.push_str(power.trim_start_matches('+'));
            out.push('}');
        }
        None => out.push_str(&text),
    }
    out.push('$');
}
