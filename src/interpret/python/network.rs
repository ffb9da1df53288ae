//! Networks as Python builds them: the classes `Neuron`, `Layer` and `MLP` of the lecture and of micrograd.
//!
//! Classes that are those of `networks.txt`, up to names and comments, are known. `n = MLP(3, [4, 4, 1])` then stands for
//! lists of weights `n_1`, `n_2`, `n_3` and a function `n(x)`. All other classes are refused, so that a network never is
//! another one than the user's.

use std::sync::LazyLock;

use super::{Foreign, Meaning, is_assignment, python_lines, word};
use crate::diagnostic::Diagnostic;
use crate::session::network::{ClassWords, NetworkClasses};
use crate::session::values::Value;
use crate::syntax::{self, TextPart};

/// The classes that are known, as tokens.
static KNOWN: LazyLock<Vec<Vec<&str>>> = LazyLock::new(|| {
    let texts = include_str!("networks.txt").split("\n\n").skip(1);
    texts.map(tokens).collect()
});

/// Words that mean the same in every text.
const FIXED: [&str; 20] = [
    "Value", "random", ".uniform", ".grad", ".extend", "sum", "zip", "range", "len", "True",
    "return", "for", "in", "if", "else", "def", "class", "__init__", "__call__", "inf",
];

/// The words and signs of a class, without comments, its base class and what is printed of it. The minus of a number is
/// part of it.
fn tokens(text: &str) -> Vec<&str> {
    let text = match text.rsplit_once("def __repr__") {
        Some((before, printed)) if !printed.contains("def ") => before,
        _ => text,
    };
    let mut found: Vec<&str> = Vec::new();
    // Every second part is a text in three quotes, which describes something.
    for line in text.split("\"\"\"").step_by(2).flat_map(str::lines) {
        for (part, span) in syntax::parts(line) {
            match (part, &found[..]) {
                (TextPart::Comment, _) => {}
                (TextPart::Number, [.., "(" | ",", "-"]) => {
                    found.pop();
                    found.push(&line[span.start as usize - 1..span.end as usize]);
                }
                _ => found.push(span.of(line)),
            }
        }
    }
    if let Some(colon) = found.iter().position(|it| *it == ":") {
        found.drain(2.min(colon)..colon);
    }
    found
}

/// Is it a name or a member?
fn is_word(token: &str) -> bool {
    syntax::is_name(token.trim_start_matches('.'))
}

/// Compares a class with a known one: what the user's names in it stand for, or the token from which on it differs.
fn compare(
    foreign: &Foreign,
    known: &[&'static str],
    own: &[&str],
) -> Result<(&'static str, ClassWords), usize> {
    let name = known[1];
    let network = foreign.session.network();
    let others = network.classes.iter().filter(|(other, _)| *other != name);
    let mut words: ClassWords = others.flat_map(|(_, words)| words.clone()).collect();
    let is_shared =
        |word: &str| word.starts_with(|c: char| c == '.' || c.is_uppercase()) || word == "nonlin";
    let mut tokens = own.iter();
    for (at, &ours) in known.iter().enumerate() {
        if ours == "def" {
            words.retain(|(ours, _)| is_shared(ours));
            // The lecture gets along without `parameters` at first.
            if at == own.len() && !known[at..].contains(&"__call__") {
                break;
            }
        }
        let theirs = *tokens.next().ok_or(at)?;
        let is_same = match ours {
            "LOW" | "HIGH" | "BIAS" => {
                theirs.parse::<f64>().is_ok() && stands_for(&mut words, ours, theirs)
            }
            _ if !is_word(ours) || FIXED.contains(&ours) || FIXED.contains(&theirs) => {
                ours == theirs
            }
            ".ACTIVATION" if !foreign.session.is_function(theirs.trim_start_matches('.')) => false,
            _ => {
                is_word(theirs)
                    && ours.starts_with('.') == theirs.starts_with('.')
                    && stands_for(&mut words, ours, theirs)
            }
        };
        if !is_same {
            return Err(at);
        }
    }
    words.retain(|(ours, _)| is_shared(ours) && known.contains(ours));
    match tokens.next() {
        None => Ok((name, words)),
        Some(_) => Err(known.len()),
    }
}

/// Notes what stands for one of our words; false if that is another one already, or stands for another word.
fn stands_for(words: &mut ClassWords, ours: &'static str, theirs: &str) -> bool {
    let mut same = words
        .iter()
        .filter(|(it, other)| *it == ours || is_word(theirs) && other == theirs);
    if let Some((it, other)) = same.next() {
        return *it == ours && other == theirs;
    }
    words.push((ours, theirs.to_string()));
    true
}

/// What a class means: one of a network, or where it differs; `None` if its name is another one.
pub(super) fn class(foreign: &Foreign, text: &str) -> Option<Meaning> {
    let own = tokens(text);
    let name = *own.get(1).filter(|_| own[0] == "class")?;
    let mut furthest = None;
    for known in KNOWN.iter() {
        match compare(foreign, known, &own) {
            Ok(class) => return Some(read(foreign, vec![class])),
            Err(at) if known[1] == name => furthest = furthest.max(Some(at)),
            Err(_) => {}
        }
    }
    let differs = own.get(furthest?).or(own.last())?;
    let start = differs.as_ptr() as usize - text.as_ptr() as usize;
    let message = format!("from here on, this `{name}` is not that of the lecture or of micrograd");
    let help =
        "write it as they do, or as lists: `n(x) = tanh(dot(w, x) + b)`; `:play network` shows how";
    let error = Diagnostic::new(message).at(start..start + differs.len());
    Some(Meaning::Refused(error.help(help)))
}

/// `from micrograd.nn import MLP`
pub(super) fn import(foreign: &Foreign) -> Option<Meaning> {
    foreign.line.strip_prefix("from micrograd.nn import ")?;
    let nonlin = ("nonlin", "nonlin".to_string());
    let draws = [
        ("LOW", "-1"),
        ("HIGH", "1"),
        ("BIAS", "0"),
        (".ACTIVATION", ".relu"),
    ];
    let mut words: ClassWords = draws
        .map(|(ours, theirs)| (ours, theirs.to_string()))
        .into();
    words.push(nonlin.clone());
    let classes = [
        ("Neuron", words),
        ("Layer", Vec::new()),
        ("MLP", vec![nonlin]),
    ];
    Some(read(foreign, classes.into()))
}

/// That these classes are known from now on, and what is said of them.
fn read(foreign: &Foreign, classes: Vec<(&'static str, ClassWords)>) -> Meaning {
    let mut network = foreign.session.network().clone();
    for class in classes {
        network.classes.retain(|(known, _)| *known != class.0);
        network.classes.push(class);
    }
    let mut told = "a class of networks".to_string();
    if network.is_complete() {
        let [activation, low, high, bias] =
            [".ACTIVATION", "LOW", "HIGH", "BIAS"].map(|word| network.word(word));
        let last = if network.ends_linear() {
            ", the last layer linear"
        } else {
            ""
        };
        let bias = match bias {
            "BIAS" => "likewise".to_string(),
            bias => format!("of {bias}"),
        };
        told = format!(
            "{}{last}, weights from {low} to {high}, biases {bias}; `n = {}(3, [4, 4, 1])` builds a network",
            &activation[1..],
            network.word("MLP"),
        );
    }
    Meaning::Known(network, told)
}

/// `n = MLP(3, [4, 4, 1])`, `n = Layer(2, 3)`, `n = Neuron(2)`: the lines that make lists of its weights and a function.
pub(super) fn made(foreign: &Foreign) -> Option<Meaning> {
    let network = foreign.session.network();
    let (name, value) = foreign.line.split_once('=')?;
    let (name, value) = (name.trim(), value.trim());
    let (class, sizes) = built(network, value).filter(|_| syntax::is_name(name))?;
    let lists: Vec<String> = (1..sizes.len())
        .map(|layer| format!("{name}_{layer}"))
        .collect();
    let draw = format!("uniform({}, {})", network.word("LOW"), network.word("HIGH"));
    let bias = match network.word("BIAS") {
        "BIAS" => &draw,
        number => number,
    };
    let mut lines = Vec::new();
    let mut formula = "x".to_string();
    for (list, size) in lists.iter().zip(sizes.windows(2)) {
        let [inputs, neurons] = size else { continue };
        lines.push(format!(
            "{list} = [[[{draw} for i in 1..{inputs}], {bias}] for j in 1..{neurons}]"
        ));
        let is_linear = class == "MLP" && network.ends_linear() && Some(list) == lists.last();
        let activation = if is_linear {
            ""
        } else {
            &network.word(".ACTIVATION")[1..]
        };
        formula = format!(
            "{activation}(dot([p[1] for p in {list}], {formula}) + [p[2] for p in {list}])"
        );
    }
    let first = if sizes.last() == Some(&1) { "[1]" } else { "" };
    lines.push(format!("{name}(x) = {formula}{first}"));
    // What had the name before is replaced: a value, and further layers of a network.
    let value = foreign.session.names().find(name).map(|_| name.to_string());
    let further = layers(foreign, name).into_iter().skip(lists.len());
    let replaced: Vec<String> = value.into_iter().chain(further).collect();
    if !replaced.is_empty() {
        lines.push(format!(":del {}", replaced.join(" ")));
    }
    Some(Meaning::Line(lines.join("\n")))
}

/// The class of what is built, and how many numbers go in and out of each layer: `MLP(3, [4, 4, 1])`, one `Layer(3, 4)`,
/// or one `Neuron(3)`.
fn built(network: &NetworkClasses, value: &str) -> Option<(&'static str, Vec<usize>)> {
    let (class, inside) = value.strip_suffix(')')?.split_once('(')?;
    let is_it = |(known, _): &&(&str, ClassWords)| network.word(known) == class.trim_end();
    let (class, _) = network.classes.iter().find(is_it)?;
    let (inputs, rest) = inside.split_once(',').unwrap_or((inside, ""));
    let layers = match *class {
        "MLP" if network.is_complete() => rest.trim().strip_prefix('[')?.strip_suffix(']')?,
        "Layer" if network.classes.iter().any(|(known, _)| *known == "Neuron") => rest,
        "Neuron" if rest.is_empty() => "1",
        _ => return None,
    };
    let sizes = std::iter::once(inputs).chain(layers.trim_end_matches([',', ' ']).split(','));
    let sizes = sizes.map(|size| size.trim().parse().ok().filter(|size| *size > 0));
    Some((class, sizes.collect::<Option<_>>()?))
}

/// The lists of weights of a network.
fn layers(foreign: &Foreign, name: &str) -> Vec<String> {
    let session = foreign.session;
    let Some(network) = session.functions().get(name) else {
        return Vec::new();
    };
    let lists = (1..).map(|layer| format!("{name}_{layer}"));
    let is_layer = |list: &String| {
        network.names().any(|used| used == list)
            && matches!(session.names().find(list), Some(Value::List(_)))
    };
    lists.take_while(is_layer).collect()
}

/// `n.parameters()` and `n.layers[0].neurons[1].w` as those lists and their items, and what follows.
pub(super) fn member<'t>(foreign: &Foreign, text: &'t str) -> Option<(String, &'t str)> {
    let session = foreign.session;
    let (name, rest) = text.split_at(word(text).len());
    session.functions().get(name)?;
    let lists = layers(foreign, name);
    let after = |rest: &'t str, word| rest.strip_prefix(session.network().word(word));
    if let Some(rest) = after(rest, ".parameters") {
        let parameters = format!("flat([{}])", lists.join(", "));
        return Some((parameters, rest.strip_prefix("()")?)).filter(|_| !lists.is_empty());
    }
    let (layer, rest) = index(after(rest, ".layers")?)?;
    let (neuron, rest) = index(after(rest, ".neurons")?)?;
    let (part, rest) = match after(rest, ".w") {
        Some(rest) => (1, rest),
        None => (2, after(rest, ".b")?),
    };
    let found = format!("{}[{}][{part}]", lists.get(layer)?, neuron + 1);
    Some(match index(rest) {
        Some((weight, rest)) => (format!("{found}[{}]", weight + 1), rest),
        None => (found, rest),
    })
}

/// The number in `[0]`, and what follows.
fn index(text: &str) -> Option<(usize, &str)> {
    let (number, rest) = text.strip_prefix('[')?.split_once(']')?;
    Some((number.trim().parse().ok()?, rest))
}

/// `def loss(batch_size=None):`: a call `loss()` runs these lines. What is said of an argument that is given is left out.
pub(super) fn cell(foreign: &Foreign, text: &str) -> Option<Meaning> {
    let (head, _) = text.split_once('\n')?;
    let (name, rest) = head.trim().strip_prefix("def ")?.split_once('(')?;
    let (parameters, _) = rest.split_once(')')?;
    let parameters = parameters.split(',').filter(|it| !it.trim().is_empty());
    let conditions =
        parameters.map(|it| Some(format!("if {} is None:", it.trim().strip_suffix("=None")?)));
    let conditions: Vec<String> = conditions.collect::<Option<_>>()?;
    let own_call = format!("{name}()");
    let mut lines: Vec<String> = Vec::new();
    // Lines that are indented more than this are not run.
    let mut skipped = usize::MAX;
    for line in python_lines(text, head.len()) {
        let (code, is_else) = (line.code, line.code == "else:");
        if line.indent > skipped {
            continue;
        }
        skipped = if is_else { line.indent } else { usize::MAX };
        if is_else || conditions.iter().any(|it| it == code) {
            continue;
        }
        let value = code.strip_prefix("return ");
        // Functions that call each other might never end.
        let calls = code.ends_with(&own_call)
            || called(&foreign.with_line(value.unwrap_or(code))).is_some();
        let is_over = lines.last().is_some_and(|line| line.starts_with("return "));
        if calls || is_over || value.is_none() && !is_assignment(code) {
            let message = "a function without arguments consists of assignments and a `return` at its end, and calls no other of its kind";
            let help = "leave the line out, or type it as a statement of its own";
            let error = Diagnostic::new(message).at(line.place).help(help);
            return Some(Meaning::Refused(error));
        }
        lines.push(syntax::one_line(code));
    }
    lines.last()?.strip_prefix("return ")?;
    let mut network = foreign.session.network().clone();
    network.cells.retain(|(known, _)| known != name);
    network.cells.push((name.to_string(), lines));
    let told = format!("a call `{name}()` runs these lines");
    Some(Meaning::Known(network, told))
}

/// `total, accuracy = loss()`: the lines that it runs.
pub(super) fn called(foreign: &Foreign) -> Option<Meaning> {
    let (names, call) = foreign.line.rsplit_once('=').unwrap_or(("", foreign.line));
    let name = call.trim().strip_suffix("()")?;
    let cells = &foreign.session.network().cells;
    let (_, lines) = cells.iter().find(|(known, _)| known == name)?;
    let (last, lines) = lines.split_last()?;
    let value = last.strip_prefix("return ")?;
    let last = match names.trim() {
        "" => value.to_string(),
        names => format!("{names} = {value}"),
    };
    let lines = lines.iter().chain([&last]);
    let lines = lines.map(|line| super::expression(foreign.session, line));
    Some(Meaning::Line(lines.collect::<Vec<_>>().join("\n")))
}

/// `xs = [[2, 3], [1, -1]]` beside networks: these numbers are data, which stay when the weights move.
pub(in crate::interpret) fn is_data(line: &str) -> bool {
    let value = line.split_once('=').map_or("", |(_, value)| value.trim());
    let is_part = |c: char| c.is_ascii_digit() || "[], .-e".contains(c);
    is_assignment(line)
        && value.starts_with('[')
        && value.ends_with(']')
        && value.chars().all(is_part)
}
