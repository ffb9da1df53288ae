//! Networks as Python builds them: the classes `Neuron`, `Layer` and `MLP` of the lecture and of micrograd.
//!
//! `n = MLP(3, [4, 4, 1])` stands for lists of weights `n_0`, `n_1`, `n_2` and a function `n(x)`. The classes are those
//! of the lecture, unless the user has given others, which `classes` reads.
//!
//! Two more functions serve statements that stand beside a network: `map_text` and `data_line`.

use std::ops::Range;

use super::{Foreign, OtherMeaning, is_assignment, word};
use chainrule_language as language;
use chainrule_program::compile::weight_lists;
use chainrule_report::diagnostic::Diagnostic;
use chainrule_session::Session;
use chainrule_session::network_classes::{CLASSES, ClassText, NetworkClasses};

/// `from micrograd.nn import MLP`, `from micrograd import nn`, `import micrograd.nn as nn`
pub(super) fn read_import(foreign: &Foreign) -> Option<OtherMeaning> {
    let words: Vec<&str> = foreign.words().map(|(_, word)| word).collect();
    let is_import = matches!(words[..], ["from" | "import", "micrograd", ..]);
    if !is_import || !words.contains(&"nn") {
        return None;
    }
    let network = NetworkClasses::of_micrograd();
    Some(known_classes(network, 0..CLASSES.len()))
}

/// The classes with these indices in [`CLASSES`], and a sentence about the networks that they build.
pub(super) fn known_classes(network: NetworkClasses, accepted: Range<usize>) -> OtherMeaning {
    let activation = activation(network.neuron());
    let last_layer = if network.is_last_layer_linear() {
        ", the last layer linear"
    } else {
        ""
    };
    let biases = match network.neuron() {
        ClassText::Lecture => "likewise",
        ClassText::Micrograd => "of 0",
    };
    let sentence = format!(
        "{activation}{last_layer}, weights from -1 to 1, biases {biases}; `n = MLP(3, [4, 4, 1])` builds a network"
    );
    OtherMeaning::Known {
        network,
        accepted,
        sentence,
    }
}

/// The function that a neuron applies to its sum.
fn activation(neuron: ClassText) -> &'static str {
    match neuron {
        ClassText::Lecture => "tanh",
        ClassText::Micrograd => "relu",
    }
}

/// `n = MLP(3, [4, 4, 1])`, `n = Layer(2, 3)`, `n = Neuron(2)`: the lines that make lists of its weights and a
/// function.
pub(super) fn network_lines(foreign: &Foreign) -> Option<OtherMeaning> {
    if let Some(error) = refused_class(foreign) {
        return Some(OtherMeaning::Refused(error));
    }
    let (typed_name, value) = foreign.line.split_once('=')?;
    let name = typed_name.trim();
    let new = NewNetwork::read(foreign, value.trim()).filter(|_| language::is_name(name))?;
    let (session, classes) = (foreign.session, foreign.session.network());
    // The first size is that of the inputs, which are no layer.
    let layers = 0..new.sizes.len() - 1;
    let lists: Vec<String> = layers.map(|layer| format!("{name}_{layer}")).collect();
    let mut lines = new.list_lines(classes.neuron(), &lists);
    lines.push(format!("{name}{}", new.function(classes, &lists)));
    // A value with this name, and further layers of an earlier network, are deleted.
    let old_value = session.names().find(name).map(|_| name.to_string());
    let further_lists = weight_lists(session, name).into_iter().skip(lists.len());
    let replaced: Vec<String> = old_value.into_iter().chain(further_lists).collect();
    if !replaced.is_empty() {
        lines.push(format!(":del {}", replaced.join(" ")));
    }
    Some(OtherMeaning::Line(lines.join("\n")))
}

/// The error of a line that builds with a class of the user's that was refused, or with one that is made of it, as
/// `MLP` is made of `Layer`.
fn refused_class(foreign: &Foreign) -> Option<Diagnostic> {
    for (at, word) in foreign.words() {
        let index = CLASSES.iter().position(|class| *class == word);
        let refused = index.and_then(|index| foreign.session.refused_class(index));
        let behind = &foreign.line[at + word.len()..];
        let is_call = behind.trim_start().starts_with('(');
        let is_own = !foreign.line[..at].ends_with('.') && !foreign.is_taken(word);
        if let Some(class) = refused.filter(|_| is_call && is_own) {
            let message =
                format!("your class `{class}` is not that of the lecture or of micrograd");
            let help = format!(
                "paste it as they have it, or type `from micrograd.nn import {word}`; `:play network` shows networks as lists"
            );
            return Some(Diagnostic::new(message).at(at..at + word.len()).help(help));
        }
    }
    None
}

/// A network to build: `MLP(3, [4, 4, 1])`, one `Layer(3, 4)`, or one `Neuron(3)`.
struct NewNetwork<'t> {
    class: &'t str,
    /// The numbers that go in and out of the layers: 3, 4, 4, 1.
    sizes: Vec<usize>,
}

impl<'t> NewNetwork<'t> {
    /// Reads a call such as `MLP(3, [4, 4, 1])` or `nn.Neuron(2)`. `None` if it calls no known class, or if a size is
    /// no positive whole number.
    fn read(foreign: &Foreign, value: &'t str) -> Option<NewNetwork<'t>> {
        let (callee, inside) = value.strip_suffix(')')?.split_once('(')?;
        let path = callee.trim_end();
        let (module, class) = path.rsplit_once('.').unwrap_or(("", path));
        // A module, as in `nn.MLP`, needs an import of micrograd or a class of the user's. Its name may be any.
        let is_known = module.is_empty() || foreign.session.network().is_given;
        if !is_known || foreign.is_taken(class) || foreign.is_taken(word(module)) {
            return None;
        }
        let (inputs, rest) = inside.split_once(',').unwrap_or((inside, ""));
        let later_sizes = match class {
            "MLP" => rest.trim().strip_prefix('[')?.strip_suffix(']')?,
            "Layer" => rest,
            "Neuron" if rest.is_empty() => "1",
            _ => return None,
        };
        let mut sizes = Vec::new();
        let separate_sizes = later_sizes.trim_end_matches([',', ' ']).split(',');
        for size in std::iter::once(inputs).chain(separate_sizes) {
            sizes.push(size.trim().parse().ok().filter(|size| *size > 0)?);
        }
        Some(NewNetwork { class, sizes })
    }

    /// For each layer, the line that makes the list of its neurons. A neuron is `[weights, bias]`.
    fn list_lines(&self, neuron: ClassText, lists: &[String]) -> Vec<String> {
        let draw = "uniform(-1, 1)";
        let bias = match neuron {
            ClassText::Lecture => draw,
            ClassText::Micrograd => "0",
        };
        let line = |(list, sizes): (&String, &[usize])| {
            let (width, neurons) = (sizes[0], sizes[1]);
            format!(
                "{list} = [[[{draw} for i in range({width})], {bias}] for j in range({neurons})]"
            )
        };
        lists.iter().zip(self.sizes.windows(2)).map(line).collect()
    }

    /// The function of the network without its name: `(x) = tanh(dot([p[0] for p in n_0], x) + [p[1] for p in n_0])`.
    fn function(&self, classes: NetworkClasses, lists: &[String]) -> String {
        let mut formula = "x".to_string();
        let ends_linear = self.class == "MLP" && classes.is_last_layer_linear();
        for (layer, list) in lists.iter().enumerate() {
            let is_linear = ends_linear && layer + 1 == lists.len();
            let activation = if is_linear {
                ""
            } else {
                activation(classes.neuron())
            };
            formula = format!(
                "{activation}(dot([p[0] for p in {list}], {formula}) + [p[1] for p in {list}])"
            );
        }
        let is_number = self.sizes.last() == Some(&1);
        let position = if is_number { "[0]" } else { "" };
        format!("(x) = {formula}{position}")
    }
}

/// The map of a network with two inputs, as `:plot` draws it, with the points `X` of the classes `y`.
pub(super) fn map_text(foreign: &Foreign) -> String {
    let session = foreign.session;
    let mut functions = session.functions().iter();
    let network = functions.find(|it| !weight_lists(session, &it.name).is_empty());
    let name = network.map_or("…", |it| &*it.name);
    let mut text = format!("{name}([u, v]) u=-2..3 v=-2..2");
    if ["X", "y"].iter().all(|it| foreign.is_taken(it)) {
        text += " with X[:, 0], X[:, 1], y";
    }
    text
}

/// The line of a statement like `xs = [[2, 3], [1, -1]]` beside a network: these numbers are data, which stay when the
/// weights move. `None` for any other statement.
pub(in crate::interpret) fn data_line(session: &Session, statement: &str) -> Option<String> {
    let is_beside_network = session.network().is_given || session.functions().has_network();
    if !is_beside_network || !statement.contains('[') {
        return None;
    }
    let line = language::one_line(statement);
    let value = line.split_once('=').map_or("", |(_, value)| value.trim());
    let is_part = |c: char| c.is_ascii_digit() || "[], .-e".contains(c);
    let is_list = value.starts_with('[') && value.ends_with(']') && value.chars().all(is_part);
    (is_list && is_assignment(&line)).then_some(line)
}
