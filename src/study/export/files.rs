//! The frames of exported programs: what stands around the function in a file of C or Python.
//!
//! The statements and the names in them come from `program`; nothing is computed here.

use std::fmt::Write as _;

/// The parts of a program.
pub(super) struct ProgramParts {
    /// The first line.
    pub mark: String,
    /// How the root is called.
    pub label: String,
    /// What it is made of; empty if that is a leaf.
    pub expression: String,
    /// The functions that the body calls.
    pub library: String,
    /// How the leaves are called.
    pub names: Vec<String>,
    /// Their present data.
    pub start: Vec<String>,
    /// Their variables.
    pub leaves: Vec<String>,
    /// The statements; more than one text only where they are divided among functions.
    pub bodies: Vec<String>,
    /// The variables, if those functions share them.
    pub members: Vec<String>,
    /// The variable of the root.
    pub value: String,
    /// The variables of the gradients of the leaves.
    pub grads: Vec<String>,
}

/// The column before which lines of lists end.
const WIDTH: usize = 100;

/// A list in brackets, broken into lines where it is long.
pub(super) fn listed(items: &[String], [open, close]: [&str; 2], indent: usize) -> String {
    let length: usize = items.iter().map(|item| item.len() + 2).sum();
    if length + indent < WIDTH - 20 {
        return format!("{open}{}{close}", items.join(", "));
    }
    let margin = " ".repeat(indent);
    let mut text = format!("{open}\n{margin}");
    let mut column = indent;
    for (at, item) in items.iter().enumerate() {
        if column > indent && column + item.len() + 2 > WIDTH {
            text.truncate(text.trim_end().len());
            // Writing into a string cannot fail.
            let _ = write!(text, "\n{margin}");
            column = indent;
        }
        text.push_str(item);
        if at + 1 < items.len() {
            text.push_str(", ");
        }
        column += item.len() + 2;
    }
    text + close
}

/// A text in quotes.
pub(super) fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out + "\""
}

/// `y = a*b`, or what was typed where it has no name.
pub(super) fn definition(label: &str, expression: &str) -> String {
    if expression.is_empty() || expression == label {
        label.to_string()
    } else {
        format!("{label} = {expression}")
    }
}

/// A file of C.
pub(super) fn c(parts: &ProgramParts) -> String {
    let names: Vec<String> = parts.names.iter().map(|name| quoted(name)).collect();
    let library = match parts.library.as_str() {
        "" => String::new(),
        library => format!("\n{library}\n"),
    };
    let is_divided = !parts.members.is_empty();
    let (functions, body, shared, kind) = if is_divided {
        let (functions, calls) = divided(parts);
        (functions, calls, "    struct model all, *m = &all;\n", "")
    } else {
        (String::new(), parts.bodies.concat(), "", "double ")
    };
    let mut unpacked = String::from(shared);
    let mut stored = String::new();
    for (at, (leaf, grad)) in parts.leaves.iter().zip(&parts.grads).enumerate() {
        // Writing into a string cannot fail.
        let _ = writeln!(unpacked, "    {kind}{leaf} = leaves[{at}];");
        let _ = writeln!(stored, "    grad[{at}] = {grad};");
    }
    format!(
        "// {mark}
// {definition}
// Compile with: cc -std=c99 -O2 FILE.c -lm
// With -DNO_MAIN there is only the function f.

#include <math.h>
#include <stdio.h>
{library}
enum {{ LEAVES = {count} }};
static const char *const NAMES[LEAVES] = {names};
static const double START[LEAVES] = {start};
{functions}
// The value at these leaves, in the order of NAMES; the gradient is written into grad.
double f(const double leaves[LEAVES], double grad[LEAVES])
{{
{unpacked}{body}
{stored}    return {value};
}}

#ifndef NO_MAIN
int main(void)
{{
    double grad[LEAVES];
    printf(\"%s %.17g\\n\", {label}, f(START, grad));
    for (int i = 0; i < LEAVES; i++)
        printf(\"%s %.17g\\n\", NAMES[i], grad[i]);
    return 0;
}}
#endif
",
        mark = parts.mark,
        definition = definition(&parts.label, &parts.expression),
        library = library,
        count = parts.leaves.len(),
        names = listed(&names, ["{", "}"], 4),
        start = listed(&parts.start, ["{", "}"], 4),
        value = parts.value,
        label = quoted(&parts.label),
    )
}

/// The functions among which the statements are divided, and the statements that call them.
fn divided(parts: &ProgramParts) -> (String, String) {
    let members = listed(&parts.members, ["double", ""], 8);
    let mut functions = format!(
        "
// The variables, which the functions below share.
struct model {{
    {members};
}};
"
    );
    let mut calls = Vec::new();
    for (body, number) in parts.bodies.iter().zip(1..) {
        // Writing into a string cannot fail.
        let _ = writeln!(
            functions,
            "\nstatic void part{number}(struct model *m)\n{{\n{body}\n}}"
        );
        calls.push(format!("    part{number}(m);"));
    }
    (functions, calls.join("\n"))
}

/// A file of Python.
pub(super) fn python(parts: &ProgramParts) -> String {
    let names: Vec<String> = parts.names.iter().map(|name| quoted(name)).collect();
    // Two blank lines around each function, as is customary there.
    let library = match parts.library.replace("\n\n", "\n\n\n") {
        none if none.is_empty() => none,
        library => format!("\n\n{library}\n\n"),
    };
    format!(
        "# {mark}
# {definition}
# With scipy: minimize(f, x0, jac=True)

import math
{library}
names = {names}
x0 = {start}


def f(leaves):
    \"\"\"The value and the gradient at these leaves, in the order of names.\"\"\"
    {unpacked} = map(float, leaves)
{body}
    return {value}, {grads}


if __name__ == \"__main__\":
    value, grad = f(x0)
    print(\"%s %.17g\" % ({label}, value))
    for name, slope in zip(names, grad):
        print(\"%s %.17g\" % (name, slope))
",
        mark = parts.mark,
        definition = definition(&parts.label, &parts.expression),
        names = listed(&names, ["[", "]"], 4),
        start = listed(&parts.start, ["[", "]"], 4),
        unpacked = listed(&parts.leaves, ["[", "]"], 8),
        body = parts.bodies.concat(),
        value = parts.value,
        grads = listed(&parts.grads, ["[", "]"], 8),
        label = quoted(&parts.label),
    )
}
