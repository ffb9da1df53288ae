//! Reads the classes `Neuron`, `Layer` and `MLP` as the user writes them, to know which networks they build.
//!
//! The user may choose the range of the weights, the biases, the activation function, and whether the last layer has
//! one. The activation is found by trying the neuron on numbers. Everything else must be written as in `classes.txt`: a
//! class that differs is refused, because its network would not be the user's.

use std::fmt::Write;
use std::ops::Range;

use super::build_network::known_classes;
use super::{Foreign, Meaning, word};
use crate::interpret::StatementRun;
use crate::session::Session;
use crate::session::network_classes::{CLASSES, NetworkClasses};
use chainrule_engine::ops::{Op, Shape, TABLE};
use chainrule_language::{self as language, Span, StatementSpan, TextPart};
use chainrule_report::diagnostic::Diagnostic;

/// The accepted texts of the methods, class by class.
const KNOWN: &str = include_str!("classes.txt");

/// Names that must be equal in both classes that are compared.
#[rustfmt::skip]
const FIXED: [&str; 18] = [
    "self", "Value", "random", "Neuron", "Layer", "range", "len", "return", "for", "in", "if", "else", "True", "nonlin",
    "def", "__init__", "__call__", "parameters",
];

/// Weights, a bias and inputs on which a neuron is tried. The sums are on both sides of 0, up to about 4 in size, and one
/// is about 0, so that no two functions agree on all.
const TRIED: [([f64; 3], f64, [f64; 3]); 6] = [
    ([0.5, -1.25, 0.75], 0.3, [1.0, -0.5, 2.0]),
    ([-0.7, 0.2, 0.1], -0.4, [1.5, -2.0, 0.25]),
    ([0.1, 0.2, -0.3], 0.05, [0.3, -0.1, 0.2]),
    ([1.5, 2.0, -0.5], 1.0, [1.25, 0.5, -1.0]),
    ([-1.0, -0.5, -2.0], 0.2, [1.0, 0.5, 1.5]),
    ([0.25, -0.5, 0.125], 0.0, [-0.5, 0.75, 3.0]),
];

/// A method of a class.
struct Method<'t> {
    name: &'t str,
    head: &'t str,
    /// The text in the brackets of the head.
    parameters: &'t str,
    /// The lines below the head, each with its indent.
    lines: Vec<(usize, &'t str)>,
    /// The place of the head in the text of the class.
    span: Range<usize>,
}

/// The methods of a class whose body begins at `start`.
fn methods(text: &str, start: usize) -> Vec<Method<'_>> {
    let mut methods: Vec<Method> = Vec::new();
    for line in language::code_lines(text, start) {
        let code = line.span.of(text);
        match (head(code), methods.last_mut()) {
            (Some((name, parameters)), _) => methods.push(Method {
                name,
                head: code,
                parameters,
                lines: Vec::new(),
                span: line.span.into(),
            }),
            (None, Some(method)) if !code.starts_with(['"', '\'']) => {
                method.lines.push((line.indent, code));
            }
            _ => {}
        }
    }
    methods
}

/// The name in the head of a method, and what stands in its brackets.
fn head(code: &str) -> Option<(&str, &str)> {
    let (name, rest) = code.strip_prefix("def")?.split_once('(')?;
    let (inside, _) = rest.rsplit_once(')')?;
    Some((name.trim(), inside))
}

impl Method<'_> {
    /// Whether some line has this text.
    fn has(&self, text: &str) -> bool {
        self.lines.iter().any(|(_, code)| code.contains(text))
    }

    /// The tokens of the method between blanks. Methods that differ only in their own names have equal tokens: each name
    /// outside [`FIXED`] is replaced by its number in the order of appearance. If `can_choose_literals`, each literal is
    /// replaced by 0, and the second value has the literals with their signs.
    fn tokens(&self, can_choose_literals: bool) -> (String, Vec<String>) {
        let lines = self.lines.iter().map(|(_, code)| *code);
        let (mut written, mut literals) = (Vec::new(), Vec::new());
        let mut names: Vec<&str> = Vec::new();
        for line in std::iter::once(self.head).chain(lines) {
            for (part, span) in language::parts(line) {
                let token = span.of(line);
                // A `*` before an argument of a call spreads a list.
                let last = written.last().map(String::as_str);
                let spreads = token == "*" && matches!(last, Some("(" | ","));
                let canonical = match part {
                    TextPart::Comment => continue,
                    TextPart::Operator if spreads => continue,
                    TextPart::Name if !FIXED.contains(&token) => {
                        let known = names.iter().position(|name| *name == token);
                        let number = known.unwrap_or(names.len());
                        if known.is_none() {
                            names.push(token);
                        }
                        number.to_string()
                    }
                    TextPart::Number if can_choose_literals => {
                        let sign = written.pop_if(|before| before == "-");
                        literals.push(sign.unwrap_or_default() + token);
                        "0".to_string()
                    }
                    _ => token.to_string(),
                };
                written.push(canonical);
            }
            written.push("\n".to_string());
        }
        (written.join(" "), literals)
    }
}

/// The meaning of a class of the user's: the networks that it builds, or an error at the method that makes another
/// network. `None` if it is not one of the three classes.
pub(super) fn read_class(foreign: &Foreign, text: &str) -> Option<Meaning> {
    let name = word(text.strip_prefix("class")?.trim_start());
    let class = CLASSES.iter().position(|known| *known == name)?;
    let mut sections = KNOWN.split("\nclass ");
    let accepted_text =
        sections.find_map(|section| section.strip_prefix(name)?.strip_prefix('\n'))?;
    let (colon, _) = language::outside_brackets(text).find(|&(_, c)| c == ':')?;
    let (typed, accepted) = (methods(text, colon + 1), methods(accepted_text, 0));
    let known = foreign.session.network().clone();
    Some(match read_methods(known, class, &typed, &accepted) {
        Ok(network) => known_classes(network, class..class + 1),
        Err(method) => {
            let first_line = 0..text.find('\n').unwrap_or(text.len());
            let message =
                format!("with this, `{name}` makes another network than the lecture or micrograd");
            let help = "write it as they do, or as lists: `NAME(x) = tanh(dot(LIST, x) + b)`; `:play network` shows how";
            let error = Diagnostic::new(message).at(method.unwrap_or(first_line));
            Meaning::RefusedClass(class, error.help(help))
        }
    })
}

/// Reads from the methods of a class which networks it builds. The error is the span of a method that is not accepted; `None` if a
/// method is missing.
fn read_methods(
    mut network: NetworkClasses,
    class: usize,
    methods: &[Method],
    accepted: &[Method],
) -> Result<NetworkClasses, Option<Range<usize>>> {
    let find = |name| methods.iter().find(|it| it.name == name).ok_or(None);
    let (init, call) = (find("__init__")?, find("__call__")?);
    network.is_given = true;
    network.takes_variadic_inputs[class] = call.parameters.contains('*');
    let is_neuron = CLASSES[class] == "Neuron";
    match CLASSES[class] {
        "Neuron" => read_activation(&mut network, init, call).ok_or(Some(call.span.clone()))?,
        "Layer" => network.is_single_output_list = !call.has("len("),
        _ => network.linear_end.is_last_layer_marked = init.has("nonlin"),
    }
    for method in methods {
        // Trying a neuron has read its call, and a representation builds nothing.
        if method.name == "__repr__" || is_neuron && method.name == "__call__" {
            continue;
        }
        let can_choose_literals = is_neuron && method.name == "__init__";
        let (text, literals) = method.tokens(can_choose_literals);
        let is_same = |known: &Method| known.tokens(can_choose_literals).0 == text;
        if !accepted.iter().any(is_same) {
            return Err(Some(method.span.clone()));
        }
        read_literals(&mut network, &literals).ok_or(Some(method.span.clone()))?;
    }
    Ok(network)
}

/// Reads the range of the weights and the bias from the literals of a neuron. `None` if they mean something else.
fn read_literals(network: &mut NetworkClasses, literals: &[String]) -> Option<()> {
    let (low, high, bias) = match literals {
        [] => return Some(()),
        [low, high, bias @ ..] => (low, high, bias),
        _ => return None,
    };
    network.weights = [low.clone(), high.clone()];
    network.bias = match bias {
        [number] => Some(number.clone()),
        // The bias is drawn from the same range as the weights.
        _ if bias == network.weights => None,
        _ => return None,
    };
    Some(())
}

/// Reads the activation of a neuron. `None` if no function of the table is its activation.
fn read_activation(network: &mut NetworkClasses, init: &Method, call: &Method) -> Option<()> {
    // A neuron with `*args` is called as `n(x)`, and then `args` is a list with the list of the inputs; or it is called as
    // `n(x1, x2)`. The second is tried only if no function fits the first.
    let of_list = find_activation(call, false);
    let takes_apart = of_list.is_none() && call.parameters.contains('*');
    let found = if takes_apart {
        find_activation(call, true)
    } else {
        of_list
    };
    let (function, can_be_skipped) = found?;
    network.activation = function;
    network.takes_variadic_inputs[0] = takes_apart;
    network.linear_end.can_skip_activation = init.has("nonlin") && can_be_skipped;
    Some(())
}

/// Finds the function that a neuron with this `__call__` applies to its sum, which is empty if it returns the sum itself,
/// and whether it returns the sum itself when `nonlin` is 0. The inputs are passed apart or as one list.
fn find_activation(call: &Method, is_apart: bool) -> Option<(&'static str, bool)> {
    let mut neuron = NeuronTrial::of(call, is_apart)?;
    let is_unary = |op: &&Op| op.shape == Shape::Call && op.arity() == (1, Some(1));
    let functions = TABLE.iter().filter(is_unary).map(|op| op.spelling);
    let function = std::iter::once("")
        .chain(functions)
        .find(|name| neuron.agrees(name, 1))?;
    let can_be_skipped = !neuron.agrees(function, 0);
    (!can_be_skipped || neuron.agrees("", 0)).then_some((function, can_be_skipped))
}

/// A session in which `neuron(w, b, nonlin, x)` is the user's neuron.
struct NeuronTrial(Session);

impl NeuronTrial {
    fn of(method: &Method, is_apart: bool) -> Option<NeuronTrial> {
        let parameter = method.parameters.split(',').nth(1)?.trim();
        let x = word(parameter.trim_start_matches('*'));
        let mut text = format!("def neuron(w, b, nonlin, {x}):\n");
        if parameter.starts_with('*') && !is_apart {
            let _ = writeln!(text, "  {x} = [{x}]");
        }
        let least = method.lines.iter().map(|(indent, _)| *indent).min()?;
        for (indent, line) in &method.lines {
            let code = language::one_line(line)
                .replace("self.", "")
                .replace(&format!("(*{x}"), &format!("({x}[0]"))
                .replace(&format!(", *{x}"), &format!(", {x}[0]"));
            let _ = writeln!(text, "  {:1$}{code}", "", indent - least);
        }
        let mut session = Session::new();
        let mut definition = StatementRun {
            session: &mut session,
            text: &text,
            cut: &StatementSpan::whole(&text),
        };
        definition.run_as_typed().ok()?;
        Some(NeuronTrial(session))
    }

    /// Whether the neuron applies this function to its sum on all numbers of [`TRIED`].
    fn agrees(&mut self, function: &str, nonlin: u8) -> bool {
        let mut value = |text: String| {
            let read = language::expression(&text, Span::new(0, text.len())).ok()?;
            let (value, _) = self.0.evaluate_number(&text, &read).ok()?;
            Some(value.data())
        };
        TRIED.iter().all(|(w, b, x)| {
            let theirs = value(format!("neuron({w:?}, {b:?}, {nonlin}, {x:?})"));
            let ours = value(format!("{function}(dot({w:?}, {x:?}) + ({b:?}))"));
            are_close(theirs, ours)
        })
    }
}

/// Whether both values exist and differ only by rounding: both ways add at most four products.
fn are_close(theirs: Option<f64>, ours: Option<f64>) -> bool {
    let (Some(theirs), Some(ours)) = (theirs, ours) else {
        return false;
    };
    (theirs - ours).abs() <= 1e-12 * ours.abs().max(1.0) || theirs.is_nan() && ours.is_nan()
}
