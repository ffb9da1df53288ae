//! Terms of Python: modules, functions and methods, words for values, texts with values in them.
//!
//! Whole statements are looked at by the file above; here it is what stands somewhere in a line.

use super::{Foreign, METHOD, cut};
use crate::commands;
use crate::diagnostic::Diagnostic;
use crate::syntax;

/// Modules whose functions are the calculator's own, under these names.
const MODULES: &[&str] = &["math", "np", "numpy", "torch", "cmath", "F"];

/// Functions and numbers that are called otherwise here.
const RENAMED: &[(&str, &str)] = &[
    ("fabs", "abs"),
    ("maximum", "max"),
    ("minimum", "min"),
    ("log", "ln"),
    ("arctan", "atan"),
    ("arcsin", "asin"),
    ("arccos", "acos"),
    ("power", "pow"),
    ("fmod", "rem"),
];

/// Functions and methods of the lecture and of notebooks, and what to do here; `{}` is what they are called on.
const CALLS: &[(&str, &str)] = &[
    ("draw_dot", "{graph}"),
    ("draw", "{graph}"),
    ("render_graph", "{graph}"),
    ("trace", "{graph}"),
    (
        "backpropagation",
        "the pass from the output back is `:grad {}`",
    ),
    (
        "_backward",
        "a pass takes every node in its turn: `:grad {}`",
    ),
    ("backward", "a pass is added by `:backward {}`"),
    ("print", "it stands alone: `print({})`"),
    ("zero_grad", "gradients are forgotten by `:zero`"),
    (
        "isinstance",
        "everything is a 64-bit number, so nothing has to be asked",
    ),
    (
        "type",
        "everything is a 64-bit number, so nothing has to be asked",
    ),
    (
        "float",
        "everything is a 64-bit number: write the operand alone",
    ),
    (
        "len",
        "there are no lists: each number has a name of its own",
    ),
    (
        "list",
        "there are no lists: each number has a name of its own",
    ),
    (
        "set",
        "there are no lists: each number has a name of its own",
    ),
    (
        "range",
        "there are no lists: each number has a name of its own",
    ),
    (
        "zip",
        "there are no lists: each number has a name of its own",
    ),
    ("input", "type the number itself: `a = 2`"),
    ("super", "leave the line out"),
];

/// Python's names of operators.
const METHODS: &[(&str, &str)] = &[
    ("__add__", "+"),
    ("__radd__", "+"),
    ("__sub__", "-"),
    ("__mul__", "*"),
    ("__rmul__", "*"),
    ("__truediv__", "/"),
    ("__pow__", "^"),
];

impl Foreign<'_> {
    /// `print(f"L is {L}")`, `n._prev`, `a.label`
    pub(super) fn shown(&self) -> Option<Diagnostic> {
        if let Some(at) = self.line.find("f\"").or_else(|| self.line.find("f'"))
            && self.line[..at].ends_with(['(', ' ', ','])
            && let Some((_, inside)) = self.line[at..].split_once('{')
        {
            let value = inside.split(['}', ':', '!']).next().unwrap_or("").trim();
            return Some(self.error(
                at,
                1,
                "a text with `{}` in it is Python".to_string(),
                format!("type the value itself: `{}`", cut(value)),
            ));
        }
        let members = [
            (
                "_prev",
                "`:grad` shows every node below with its expression",
            ),
            ("_op", "`:grad` shows every node below with its expression"),
            (
                "label",
                "it is set by `n.label = 'n'`, a text in quotes, and shown in tables, as by `:grad`",
            ),
        ];
        for (member, help) in members {
            if let Some((at, _)) = self
                .words()
                .find(|(at, word)| *word == member && self.line[..*at].ends_with('.'))
            {
                let message = format!("`.{member}` is no number");
                return Some(self.error(at - 1, member.len() + 1, message, help.to_string()));
            }
        }
        None
    }

    /// `math.exp(2*x)`, `np.arange(-5, 5, 0.25)`, `plt.plot(xs, ys)`, `random.uniform(-1, 1)`
    pub(super) fn module(&self) -> Option<Diagnostic> {
        let mut plain = String::new();
        let mut copied = 0;
        let mut found: Option<(usize, &str)> = None;
        for (at, word) in self.words() {
            let behind = &self.line[at + word.len()..];
            if !behind.starts_with('.') || self.is_taken(word) || self.line[..at].ends_with('.') {
                continue;
            }
            let called = &behind[1..];
            let end = called
                .find(|c: char| !c.is_alphanumeric() && c != '_')
                .unwrap_or(called.len());
            let called = &called[..end];
            let whole = word.len() + 1 + called.len();
            let help = match word {
                "plt" | "ax" | "fig" => Some(plotted()),
                "random" => Some("type the number itself: `w = 0.5`".to_string()),
                "json" | "graphviz" | "dot" => Some(graph("L")),
                "self" | "out" | "other" | "result" => Some(METHOD.to_string()),
                "optimizer" | "model" => {
                    Some("a step along the gradients is `:step 0.01`".to_string())
                }
                word if !MODULES.contains(&word) => continue,
                _ if matches!(called, "arange" | "linspace" | "array" | "zeros" | "ones") => Some(
                    "there are no lists; a function is evaluated point by point: `f(3)`"
                        .to_string(),
                ),
                _ if called == "random" || called == "randn" => {
                    Some("type the number itself: `w = 0.5`".to_string())
                }
                _ => None,
            };
            if let Some(help) = help {
                return Some(self.error(at, whole, format!("`{word}.{called}` is Python"), help));
            }
            let name = RENAMED
                .iter()
                .find(|(python, _)| *python == called)
                .map_or(called, |(_, name)| name);
            let known = self.session.is_function(name)
                || matches!(name, "pi" | "e" | "tau" | "inf" | "nan");
            if !known {
                return Some(self.error(
                    at,
                    whole,
                    format!("`{word}.{called}` is Python"),
                    "`:ops` lists the functions there are".to_string(),
                ));
            }
            plain.push_str(&self.line[copied..at]);
            plain.push_str(name);
            copied = at + whole;
            found.get_or_insert((at, word));
        }
        let (at, word) = found?;
        plain.push_str(&self.line[copied..]);
        Some(self.error(
            at,
            word.len(),
            format!("`{word}` is a module of Python; its functions are built in here"),
            format!("write `{}`", cut(&plain)),
        ))
    }

    /// `draw_dot(L)`, `L.zero_grad()`, `a.__add__(b)`
    pub(super) fn call(&self) -> Option<Diagnostic> {
        for (at, word) in self.words() {
            let behind = self.line[at + word.len()..].trim_start();
            let Some(arguments) = behind.strip_prefix('(') else {
                continue;
            };
            if self.session.functions().get(word).is_some() {
                continue;
            }
            let end = arguments.rfind(')').unwrap_or(arguments.len());
            let inside = arguments[..end].trim();
            let before = self.line[..at].strip_suffix('.');
            let owner = before.map_or("", |before| {
                before
                    .rsplit(|c: char| c == '=' || c.is_whitespace())
                    .next()
                    .unwrap_or("")
            });
            if let Some((_, sign)) = METHODS.iter().find(|(method, _)| *method == word)
                && before.is_some()
            {
                let left = self.line[..at - 1].strip_suffix(owner).unwrap_or_default();
                let right = arguments.get(end + 1..).unwrap_or_default();
                let line = format!("{left}{owner} {sign} {inside}{right}");
                return Some(self.error(
                    at,
                    word.len(),
                    format!("`{word}` is what Python calls `{sign}`"),
                    format!("write `{}`", cut(&line)),
                ));
            }
            let Some((_, help)) = CALLS.iter().find(|(known, _)| *known == word) else {
                continue;
            };
            let node = [owner, inside, "L"]
                .into_iter()
                .find(|part| !part.is_empty())
                .unwrap_or("L");
            let help = match *help {
                "{graph}" => graph(node),
                help => help.replace("{}", cut(node).as_str()),
            };
            return Some(self.error(at, word.len(), format!("`{word}` is Python"), help));
        }
        None
    }

    /// `y = a if x > 0 else b`
    pub(super) fn choice(&self) -> Option<Diagnostic> {
        let (left, rest) = self.line.split_once(" if ")?;
        let (condition, otherwise) = rest.split_once(" else ")?;
        let (target, value) = match left.split_once('=') {
            Some((target, value)) if syntax::is_name(target.trim()) => (target, value),
            _ => ("", left),
        };
        let equals = if target.is_empty() { "" } else { "= " };
        let (condition, value) = (condition.trim(), value.trim());
        let line = format!(
            "{target}{equals}if({condition}, {value}, {})",
            otherwise.trim()
        );
        Some(self.error(
            left.len() + 1,
            "if".len(),
            "`if` is a function here".to_string(),
            format!("write `{}`", cut(&line)),
        ))
    }

    /// `None`, `True`, `False`, `self`
    pub(super) fn word(&self) -> Option<Diagnostic> {
        self.words().find_map(|(at, word)| {
            let help = match word {
                "True" => "what is true is `1`",
                "False" => "what is false is `0`",
                "None" => "leave it out: a name without a value does not exist",
                "self" => METHOD,
                "Value" => "a node is made by `a = Value(2.0, label='a')` or, shorter, `a = 2`",
                "and" => "both of two conditions: `(a > 0)*(b > 0)`",
                "or" => "one of two conditions: `max(a > 0, b > 0)`",
                "not" => "`not x` is `x == 0`",
                _ => return None,
            };
            (!self.is_taken(word)).then(|| {
                self.error(
                    at,
                    word.len(),
                    format!("`{word}` is Python"),
                    help.to_string(),
                )
            })
        })
    }
}

/// How a graph is looked at.
fn graph(node: &str) -> String {
    let node = cut(node);
    if commands::find("graph").is_ok() {
        format!("the graph is drawn by `:graph {node}`")
    } else {
        format!("every node of the graph with its data and grad: `:grad {node}`")
    }
}

/// How a curve is looked at.
fn plotted() -> String {
    if commands::find("plot").is_ok() {
        "a curve is drawn by `:plot f(x) x=-5..5`".to_string()
    } else {
        "curves are not drawn; a function is evaluated point by point: `f(3)`".to_string()
    }
}
