//! Networks as Python builds them: the classes `Neuron`, `Layer` and `MLP` of the lecture and of micrograd.
//!
//! `n = MLP(3, [4, 4, 1])` stands for lists of weights `n_0`, `n_1`, `n_2` and a function `n(x)`. The classes are those of the
//! lecture, unless the user has given others, which `classes` reads.

use std::ops::Range;

use super::{Foreign, Meaning, classes, is_assignment, word};
use crate::session::Session;
use crate::session::network_classes::{CLASSES, NetworkClasses};
use chainrule_language as language;
use chainrule_report::diagnostic::Diagnostic;

/// The meaning of a class of networks; none for any other class.
pub(super) fn read_class(foreign: &Foreign, text: &str) -> Option<Meaning> {
    let (place, read) = classes::read_class(foreign.session.network(), text)?;
    Some(match read {
        Ok(network) => know_classes(network, place..place + 1),
        Err(error) => Meaning::RefusedClass(place, error),
    })
}

/// `from micrograd.nn import MLP`, `from micrograd import nn`, `import micrograd.nn as nn`
pub(super) fn read_import(foreign: &Foreign) -> Option<Meaning> {
    let words: Vec<&str> = foreign.words().map(|(_, word)| word).collect();
    let is_import = matches!(words[..], ["from" | "import", "micrograd", ..]);
    (is_import && words.contains(&"nn")).then_some(())?;
    let network = NetworkClasses {
        bias: Some("0".to_string()),
        activation: "relu",
        ends_linear: [true; 2],
        given: true,
        ..NetworkClasses::default()
    };
    Some(know_classes(network, 0..CLASSES.len()))
}

/// The meaning of classes: they are remembered, with a sentence that says what they build.
fn know_classes(network: NetworkClasses, places: Range<usize>) -> Meaning {
    let [low, high] = &network.weights;
    let activation = match network.activation {
        "" => "linear".to_string(),
        name if network.ends_linear() => format!("{name}, the last layer linear"),
        name => name.to_string(),
    };
    let bias = match &network.bias {
        None => "likewise".to_string(),
        Some(bias) => format!("of {bias}"),
    };
    let sentence = format!(
        "{activation}, weights from {low} to {high}, biases {bias}; `n = MLP(3, [4, 4, 1])` builds a network"
    );
    Meaning::Known(network, places, sentence)
}

/// `n = MLP(3, [4, 4, 1])`, `n = Layer(2, 3)`, `n = Neuron(2)`: the lines that make lists of its weights and a function.
pub(super) fn network_lines(foreign: &Foreign) -> Option<Meaning> {
    let network = foreign.session.network();
    if let Some(error) = refused_class(foreign) {
        return Some(Meaning::Refused(error));
    }
    let (name, value) = foreign.line.split_once('=')?;
    let (name, value) = (name.trim(), value.trim());
    let (class, sizes) = network_sizes(foreign, value).filter(|_| language::is_name(name))?;
    let lists = (0..sizes.len() - 1).map(|layer| format!("{name}_{layer}"));
    let lists: Vec<String> = lists.collect();
    let draw = format!("uniform({})", network.weights.join(", "));
    let bias = network.bias.as_ref().unwrap_or(&draw);
    let mut lines = Vec::new();
    let mut classes = CLASSES.iter().zip(network.spreads);
    let spreads = classes.any(|it| it == (&class, true));
    let (inputs, mut formula) = if spreads {
        let inputs: Vec<String> = (0..sizes[0]).map(|at| format!("x{at}")).collect();
        let inputs = inputs.join(", ");
        (inputs.clone(), format!("[{inputs}]"))
    } else {
        ("x".to_string(), "x".to_string())
    };
    for (list, size) in lists.iter().zip(sizes.windows(2)) {
        let [inputs, neurons] = size else { continue };
        lines.push(format!(
            "{list} = [[[{draw} for i in range({inputs})], {bias}] for j in range({neurons})]"
        ));
        let is_linear = class == "MLP" && network.ends_linear() && Some(list) == lists.last();
        let activation = if is_linear { "" } else { network.activation };
        formula = format!(
            "{activation}(dot([p[0] for p in {list}], {formula}) + [p[1] for p in {list}])"
        );
    }
    let is_number = sizes.last() == Some(&1) && (class == "Neuron" || !network.keeps_list);
    let first = if is_number { "[0]" } else { "" };
    lines.push(format!("{name}({inputs}) = {formula}{first}"));
    // A value of this name, and further layers of an earlier network, are deleted.
    let value = foreign.session.names().find(name).map(|_| name.to_string());
    let further = foreign.session.weight_lists(name).into_iter();
    let replaced = value.into_iter().chain(further.skip(lists.len()));
    let replaced: Vec<String> = replaced.collect();
    if !replaced.is_empty() {
        lines.push(format!(":del {}", replaced.join(" ")));
    }
    Some(Meaning::Line(lines.join("\n")))
}

/// The error of a line that builds with a class of the user's that is not known, or with one that is made of it.
fn refused_class(foreign: &Foreign) -> Option<Diagnostic> {
    let mut classes = foreign.words().filter_map(|(at, word)| {
        let place = CLASSES.iter().position(|class| *class == word)?;
        let class = foreign.session.refused_class(place)?;
        let behind = foreign.line[at + word.len()..].trim_start();
        let is_call = behind.starts_with('(');
        let is_own = !foreign.line[..at].ends_with('.') && !foreign.is_taken(word);
        (is_call && is_own).then_some((at, word, class))
    });
    let (at, word, class) = classes.next()?;
    let message = format!("your class `{class}` makes another network than is known here");
    let help = format!(
        "write it as the lecture does, or type `from micrograd.nn import {word}` for micrograd's own"
    );
    Some(Diagnostic::new(message).at(at..at + word.len()).help(help))
}

/// The class of what is built, and how many numbers go in and out of each layer: `MLP(3, [4, 4, 1])`, one `Layer(3, 4)`,
/// or one `Neuron(3)`.
fn network_sizes<'t>(foreign: &Foreign, value: &'t str) -> Option<(&'t str, Vec<usize>)> {
    let (class, inside) = value.strip_suffix(')')?.split_once('(')?;
    // `nn.MLP` is micrograd's, which `import` makes known.
    let class = class.trim_end();
    let (module, class) = class.rsplit_once('.').unwrap_or(("", class));
    let is_known = module.is_empty() || foreign.session.network().given;
    (is_known && !foreign.is_taken(class) && !foreign.is_taken(word(module))).then_some(())?;
    let (inputs, rest) = inside.split_once(',').unwrap_or((inside, ""));
    let layers = match class {
        "MLP" => rest.trim().strip_prefix('[')?.strip_suffix(']')?,
        "Layer" => rest,
        "Neuron" if rest.is_empty() => "1",
        _ => return None,
    };
    let sizes = std::iter::once(inputs).chain(layers.trim_end_matches([',', ' ']).split(','));
    let sizes = sizes.map(|size| size.trim().parse().ok().filter(|size| *size > 0));
    Some((class, sizes.collect::<Option<_>>()?))
}

/// The map of a network of two inputs, as `:plot` draws it: of the user's, with the points `X` of the classes `y`.
pub(super) fn map_text(foreign: &Foreign) -> String {
    let session = foreign.session;
    let mut functions = session.functions().iter();
    let network = functions.find(|it| !session.weight_lists(&it.name).is_empty());
    let name = network.map_or("f", |it| &*it.name);
    let has_points = ["X", "y"].iter().all(|it| foreign.is_taken(it));
    let mut text = format!("{name}([u, v]) u=-2..3 v=-2..2");
    if has_points {
        text += " with X[:, 0], X[:, 1], y";
    }
    text
}

/// Whether a line is `xs = [[2, 3], [1, -1]]` beside a network: these numbers are data, which stay when the weights
/// move.
pub(in crate::interpret) fn is_data(session: &Session, line: &str) -> bool {
    let value = line.split_once('=').map_or("", |(_, value)| value.trim());
    let is_part = |c: char| c.is_ascii_digit() || "[], .-e".contains(c);
    let is_list = value.starts_with('[') && value.ends_with(']') && value.chars().all(is_part);
    let is_beside_network = session.network().given || session.functions().has_network();
    is_list && is_assignment(line) && is_beside_network
}
