//! The notations for derivatives: `dL/da` and `∂c/∂a`.

use chainrule_language as language;

/// The notation for a derivative: `dL/d(a*b)`.
pub(crate) fn fraction(root: &str, node: &str) -> String {
    quotient('d', root, node)
}

/// The notation for a local derivative, in which the other operands stay as they are: `∂c/∂(a*b)`.
pub(crate) fn partial(node: &str, operand: &str) -> String {
    quotient('∂', node, operand)
}

fn quotient(sign: char, root: &str, node: &str) -> String {
    let bracketed = |label: &str| {
        // `a@1` needs no brackets either, unlike `w[2]` and `w@1[2]`.
        let (name, count) = label.split_once('@').unwrap_or((label, ""));
        if language::is_name(name) && count.bytes().all(|digit| digit.is_ascii_digit()) {
            label.to_string()
        } else {
            format!("({label})")
        }
    };
    format!("{sign}{}/{sign}{}", bracketed(root), bracketed(node))
}
