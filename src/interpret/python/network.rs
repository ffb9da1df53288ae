//! Networks as Python builds them: the classes `Neuron`, `Layer` and `MLP` of the lecture and of micrograd.
//!
//! Classes that are those of `networks.txt`, up to names and comments, are known. `n = MLP(3, [4, 4, 1])` then stands for
//! lists of weights `n_1`, `n_2`, `n_3` and a function `n(x)`. All other classes are refused, so that a network never is
//! another one than the user's.

use std::sync::LazyLock;

use super::{Foreign, Meaning, is_assignment, lines, of_line, word};
use crate::diagnostic::Diagnostic;
use crate::session::network::NetworkClasses;
use crate::session::values::Value;
use crate::syntax::{self, ItemKind, Span, Statement, TextPart};

/// The classes that are known.
const KNOWN: &str = include_str!("networks.txt");

/// Words that mean the same in every text.
const FIXED: [&str; 20] = [
    "Value", "random", "uniform", "grad", "extend", "sum", "zip", "range", "len", "True", "return",
    "for", "in", "if", "else", "def", "class", "__init__", "__call__", "inf",
];

/// The methods without which a class is not known.
const NEEDED: [&str; 2] = ["__init__", "__call__"];

/// What stands in a text of Python, without its comments.
type Tokens<'t> = Vec<(TextPart, &'t str)>;

/// A class with its methods.
struct Class<'t> {
    name: &'t str,
    methods: Vec<(&'t str, Tokens<'t>)>,
}

static CLASSES: LazyLock<Vec<Class<'static>>> = LazyLock::new(|| {
    let texts = KNOWN.split("\n\n").skip(1);
    texts.filter_map(Class::read).collect()
});

impl<'t> Class<'t> {
    /// The class that a text defines, if it consists of methods. What a method for printing says does not matter.
    fn read(text: &'t str) -> Option<Class<'t>> {
        let (head, body) = text.split_once('\n')?;
        let name = word(head.trim().strip_prefix("class")?.trim_start());
        let mut begins = vec![0];
        let mut at = 0;
        for line in body.split_inclusive('\n') {
            if line.trim_start().starts_with("def ") {
                begins.push(at);
            }
            at += line.len();
        }
        begins.push(body.len());
        let parts = begins
            .windows(2)
            .map(|ends| tokens(&body[ends[0]..ends[1]]));
        let mut methods = Vec::new();
        for part in parts.filter(|part| !part.is_empty()) {
            match part[..] {
                [(_, "def"), (_, "__repr__"), ..] => {}
                [(_, "def"), (_, name), ..] => methods.push((name, part)),
                _ => return None,
            }
        }
        Some(Class { name, methods })
    }
}

fn tokens(text: &str) -> Tokens<'_> {
    let mut found = Tokens::new();
    // Every second part is a text in three quotes, which describes something.
    for code in text.split("\"\"\"").step_by(2) {
        for line in code.lines() {
            let parts = syntax::parts(line).into_iter();
            let parts = parts.filter(|(part, _)| *part != TextPart::Comment);
            found.extend(parts.map(|(part, span)| (part, span.of(line))));
        }
    }
    found
}

/// Compares a method with a known one, and notes what the user's names stand for.
fn is_same(known: &Tokens, own: &Tokens, network: &mut NetworkClasses, foreign: &Foreign) -> bool {
    let mut locals = Vec::new();
    let mut rest = own.iter();
    let mut before = "";
    for (part, text) in known {
        let Some((own_part, own_text)) = rest.next() else {
            return false;
        };
        let (word, own_word) = (
            text.trim_start_matches('.'),
            own_text.trim_start_matches('.'),
        );
        let same = match word {
            "LOW" | "HIGH" | "ZERO" => {
                let number = match *own_text {
                    "-" => format!("-{}", rest.next().map_or("", |(_, number)| number)),
                    number => number.to_string(),
                };
                let is_number = number
                    .parse()
                    .is_ok_and(|it: f64| word != "ZERO" || it == 0.0);
                is_number && stands_for(&mut network.words, word, &number)
            }
            "ACTIVATION" => {
                foreign.is_known(own_word) && stands_for(&mut network.words, word, own_word)
            }
            _ if FIXED.contains(&word) || FIXED.contains(&own_word) => text == own_text,
            _ if matches!(part, TextPart::Name | TextPart::Member) => {
                let is_shared = *part == TextPart::Member
                    || matches!(before, "def" | "class")
                    || word == "nonlin"
                    || word.starts_with(char::is_uppercase);
                let words = if is_shared {
                    &mut network.words
                } else {
                    &mut locals
                };
                part == own_part && stands_for(words, word, own_word)
            }
            _ => text == own_text,
        };
        if !same {
            return false;
        }
        before = text;
    }
    rest.next().is_none()
}

/// Notes what stands for one of our words; false if that is another one already, or stands for another word.
fn stands_for(words: &mut Vec<(String, String)>, ours: &str, theirs: &str) -> bool {
    let is_name = theirs.starts_with(|c: char| c.is_alphabetic() || c == '_');
    let mut same = words
        .iter()
        .filter(|(it, other)| it == ours || is_name && other == theirs);
    if let Some((it, other)) = same.next() {
        return it == ours && other == theirs;
    }
    words.push((ours.to_string(), theirs.to_string()));
    true
}

/// What a class means: one of a network, or what is wrong with it; `None` if its name is another one.
pub(super) fn class(foreign: &Foreign, text: &str) -> Option<Meaning> {
    let name = word(text.trim_start().strip_prefix("class")?.trim_start());
    let mut before = NetworkClasses::default();
    before.clone_from(foreign.session.network());
    let own = Class::read(text);
    let mut differs = "its methods";
    for known in CLASSES.iter() {
        let mut network = before.clone();
        let (Some(own), true) = (&own, stands_for(&mut network.words, known.name, name)) else {
            continue;
        };
        if known.name == "Neuron" {
            // Read again, it may be of another kind.
            network
                .words
                .retain(|(word, _)| word.contains(char::is_lowercase) || word == "MLP");
        }
        let found = compare(foreign, known, own, &mut network);
        match found {
            Ok(()) => {
                let told = told(&network);
                return Some(Meaning::Known(network, told));
            }
            Err(method) if known.name == name => differs = method,
            Err(_) => {}
        }
    }
    CLASSES.iter().find(|known| known.name == name)?;
    let message =
        format!("this `{name}` is not the one of the lecture or of micrograd: {differs} differs");
    let help = "write it as the lecture does, or as lists: `n(x) = tanh(dot(w, x) + b)`; `:play network` shows how";
    let head = text.lines().next().unwrap_or_default().trim_end();
    Some(Meaning::Refused(
        Diagnostic::new(message).at(0..head.len()).help(help),
    ))
}

/// Compares a class with a known one; the error is the method that differs.
fn compare<'t>(
    foreign: &Foreign,
    known: &Class<'static>,
    own: &Class<'t>,
    network: &mut NetworkClasses,
) -> Result<(), &'t str> {
    for (name, tokens) in &own.methods {
        let before = network.clone();
        let same = known.methods.iter().find(|(_, known)| {
            network.clone_from(&before);
            is_same(known, tokens, network, foreign)
        });
        let Some((_, known_tokens)) = same else {
            return Err(name);
        };
        let asks = |word: &str| known_tokens.iter().any(|(_, text)| *text == word);
        match (known.name, *name) {
            ("Neuron", "__call__") => network.may_be_linear = asks(".nonlin"),
            ("MLP", "__init__") => network.last_is_linear = asks("nonlin"),
            _ => {}
        }
    }
    let has = |class: &Class, needed: &str| class.methods.iter().any(|(name, _)| *name == needed);
    for needed in NEEDED {
        if has(known, needed) && !has(own, needed) {
            return Err(needed);
        }
    }
    if !network.classes.contains(&known.name) {
        network.classes.push(known.name);
    }
    Ok(())
}

/// What is said of a class that is known.
fn told(network: &NetworkClasses) -> String {
    let Some(activation) = network.given("ACTIVATION") else {
        return "a class of networks".to_string();
    };
    let (low, high) = (network.word("LOW"), network.word("HIGH"));
    let bias = match network.given("ZERO") {
        Some(_) => "biases of 0",
        None => "biases likewise",
    };
    let last = if network.ends_linear() {
        ", the last layer linear"
    } else {
        ""
    };
    format!(
        "{activation}{last}, weights from {low} to {high}, {bias}; `n = MLP(3, [4, 4, 1])` builds a network"
    )
}

/// `from micrograd.nn import MLP`
pub(super) fn import(line: &str) -> Option<Meaning> {
    let rest = line.strip_prefix("from micrograd.nn import ")?;
    let is_class = |name: &str| matches!(name.trim(), "Module" | "Neuron" | "Layer" | "MLP" | "*");
    rest.split(',').all(is_class).then(|| {
        let network = NetworkClasses::micrograd();
        let told = told(&network);
        Meaning::Known(network, told)
    })
}

/// `n = MLP(3, [4, 4, 1])`: the lines that make lists of its weights and a function.
pub(super) fn made(foreign: &Foreign) -> Option<Meaning> {
    let network = foreign.session.network();
    let (name, value) = foreign.line.split_once('=')?;
    let (name, value) = (name.trim(), value.trim());
    let arguments = value.strip_prefix(network.given("MLP")?)?.trim_start();
    if !syntax::is_name(name) || !arguments.starts_with('(') {
        return None;
    }
    let at = foreign.line.len() - value.len();
    let refused = |message: String, help: String| {
        let error = Diagnostic::new(message)
            .at(at..foreign.line.len())
            .help(help);
        Some(Meaning::Refused(error))
    };
    if let Some(missing) = ["Neuron", "Layer", "MLP"]
        .iter()
        .find(|it| !network.classes.contains(it))
    {
        let help = "paste its class first, or type `from micrograd.nn import MLP`";
        return refused(
            format!("there is no class `{missing}` yet"),
            help.to_string(),
        );
    }
    let Some(sizes) = sizes(arguments) else {
        let help = format!("as in `{name} = {}(3, [4, 4, 1])`", network.word("MLP"));
        let message = "how many numbers go in, and how many neurons each layer has, are whole numbers from 1 on";
        return refused(message.to_string(), help);
    };
    let lists: Vec<String> = (1..sizes.len())
        .map(|layer| format!("{name}_{layer}"))
        .collect();
    if let Some(taken) = lists.iter().find(|list| foreign.is_taken(list)) {
        let help = format!(
            "`:del {}` forgets them, or give the network another name",
            lists.join(", ")
        );
        return refused(
            format!("`{taken}` exists, and would become the weights of a layer"),
            help,
        );
    }
    let draw = format!("uniform({}, {})", network.word("LOW"), network.word("HIGH"));
    let bias = network.given("ZERO").unwrap_or(&draw);
    let mut lines = Vec::new();
    let mut formula = "x".to_string();
    for (list, size) in lists.iter().zip(sizes.windows(2)) {
        let [inputs, neurons] = size else { continue };
        lines.push(format!(
            "{list} = [[[{draw} for i in 1..{inputs}], {bias}] for j in 1..{neurons}]"
        ));
        formula = format!("dot([p[1] for p in {list}], {formula}) + [p[2] for p in {list}]");
        let is_linear = network.ends_linear() && Some(list) == lists.last();
        let activation = if is_linear {
            ""
        } else {
            network.word("ACTIVATION")
        };
        formula = format!("{activation}({formula})");
    }
    let first = if sizes.last() == Some(&1) { "[1]" } else { "" };
    lines.push(format!("{name}(x) = {formula}{first}"));
    Some(Meaning::Line(lines.join("\n")))
}

/// The sizes of `(3, [4, 4, 1])`: what goes in, and the layers.
fn sizes(arguments: &str) -> Option<Vec<usize>> {
    let inside = arguments.strip_prefix('(')?.trim_end().strip_suffix(')')?;
    let (inputs, layers) = inside.split_once(',')?;
    let layers = layers.trim().strip_prefix('[')?.strip_suffix(']')?;
    let sizes = std::iter::once(inputs).chain(layers.trim_end_matches([',', ' ']).split(','));
    sizes
        .map(|size| size.trim().parse().ok().filter(|size| *size > 0))
        .collect()
}

/// A line in which `n.parameters()` and `n.layers[0].neurons[1].w` are those lists and their items; `None` if there are
/// none in it.
pub(super) fn unfolded(foreign: &Foreign) -> Option<String> {
    let line = foreign.line;
    let mut written = String::new();
    let mut copied = 0;
    for (at, name) in foreign
        .words()
        .filter(|(at, _)| !line[..*at].ends_with('.'))
    {
        let rest = &line[at + name.len()..];
        if at < copied || !rest.starts_with('.') {
            continue;
        }
        let lists = layers(foreign, name);
        if let Some((part, rest)) = member(foreign.session.network(), &lists, rest) {
            written.extend([&line[copied..at], &part]);
            copied = line.len() - rest.len();
        }
    }
    written.push_str(&line[copied..]);
    (copied > 0).then_some(written)
}

/// `print(n)`: a network is no number.
pub(super) fn printed(foreign: &Foreign) -> Option<Meaning> {
    let name = foreign
        .line
        .strip_prefix("print(")?
        .strip_suffix(')')?
        .trim();
    let lists = layers(foreign, name);
    (!lists.is_empty()).then(|| {
        Meaning::Skipped(format!(
            "`{name}(x)` is a network with the weights {}",
            lists.join(", ")
        ))
    })
}

/// The lists of weights of a network.
fn layers(foreign: &Foreign, name: &str) -> Vec<String> {
    if foreign.session.functions().get(name).is_none() {
        return Vec::new();
    }
    let lists = (1..).map(|layer| format!("{name}_{layer}"));
    let is_list =
        |list: &String| matches!(foreign.session.names().find(list), Some(Value::List(_)));
    lists.take_while(is_list).collect()
}

/// What the members of a network mean, and what follows them.
fn member<'t>(
    network: &NetworkClasses,
    lists: &[String],
    rest: &'t str,
) -> Option<(String, &'t str)> {
    let taken =
        |rest: &'t str, word: &str| rest.strip_prefix('.')?.strip_prefix(network.word(word));
    if let Some(rest) = taken(rest, "parameters") {
        let rest = rest.strip_prefix("()")?;
        return (!lists.is_empty()).then(|| (format!("flat([{}])", lists.join(", ")), rest));
    }
    let (layer, rest) = index(taken(rest, "layers")?)?;
    let (neuron, rest) = index(taken(rest, "neurons")?)?;
    let list = lists.get(layer)?;
    let neuron = format!("{list}[{}]", neuron + 1);
    let (part, rest) = match (taken(rest, "w"), taken(rest, "b")) {
        (Some(rest), _) => (1, rest),
        (_, Some(rest)) => (2, rest),
        _ => return None,
    };
    let found = format!("{neuron}[{part}]");
    Some(match index(rest) {
        Some((weight, rest)) => (format!("{found}[{}]", weight + 1), rest),
        None => (found, rest),
    })
}

/// `def loss():`: a function without arguments, of which a call runs the lines. An argument that may be left out is `None`.
pub(super) fn cell(foreign: &Foreign, text: &str) -> Option<Meaning> {
    let (head, body) = text.split_once('\n')?;
    let (name, rest) = head.trim().strip_prefix("def ")?.split_once('(')?;
    let (parameters, _) = rest.split_once(')')?;
    let parameters = parameters.split(',').filter(|it| !it.trim().is_empty());
    let names = parameters.map(|it| {
        it.split_once('=')
            .filter(|(_, value)| value.trim() == "None")
    });
    let names: Vec<&str> = names
        .map(|it| it.map(|(name, _)| name.trim()))
        .collect::<Option<_>>()?;
    let mut found = Vec::new();
    // Lines that are indented more than this are not run.
    let mut skipped = usize::MAX;
    let mut is_done = false;
    for (indent, line) in lines(body) {
        if indent > skipped || line.starts_with(['"', '\'']) {
            continue;
        }
        skipped = usize::MAX;
        let asked = line
            .strip_prefix("if ")
            .and_then(|it| it.strip_suffix(" is None:"));
        let is_left_out = |asked: &str| names.contains(&asked);
        if line == "else:" {
            skipped = indent;
        } else if let Some(value) = line.strip_prefix("return ") {
            found.push(syntax::one_line(value));
            is_done = true;
        } else if !is_done && is_assignment(line) {
            found.push(syntax::one_line(line));
        } else if !asked.is_some_and(is_left_out) {
            let message =
                "a function without arguments consists of assignments and a `return` at its end";
            let start = line.as_ptr() as usize - text.as_ptr() as usize;
            let error = Diagnostic::new(message).at(start..start + line.len());
            return Some(Meaning::Refused(
                error.help("leave the line out, or type it as a statement of its own"),
            ));
        }
    }
    if !is_done {
        return None;
    }
    let mut network = NetworkClasses::default();
    network.clone_from(foreign.session.network());
    network.cells.retain(|(known, _)| known != name);
    network.cells.push((name.to_string(), found));
    Some(Meaning::Known(
        network,
        format!("a call `{name}()` runs these lines"),
    ))
}

/// `total, accuracy = loss()`: the lines that it runs.
pub(super) fn called(foreign: &Foreign) -> Option<Meaning> {
    let (before, call) = foreign.line.rsplit_once('=').unwrap_or(("", foreign.line));
    let name = call.trim().strip_suffix("()")?;
    let cells = &foreign.session.network().cells;
    let (_, lines) = cells.iter().find(|(known, _)| known == name)?;
    let (value, lines) = lines.split_last()?;
    let last = match before.trim() {
        "" => value.clone(),
        names => format!("{names} = {value}"),
    };
    let translated =
        lines
            .iter()
            .chain([&last])
            .map(|line| match of_line(&foreign.with_line(line)) {
                Some(Meaning::Line(line)) => line,
                _ => line.clone(),
            });
    Some(Meaning::Line(translated.collect::<Vec<_>>().join("\n")))
}

/// The number in `[0]`, and what follows.
fn index(text: &str) -> Option<(usize, &str)> {
    let (number, rest) = text.strip_prefix('[')?.split_once(']')?;
    Some((number.trim().parse().ok()?, rest))
}

/// `xs = [[2, 3], [1, -1]]` beside networks: these numbers are data, which stay when the weights move.
pub(in crate::interpret) fn is_data(line: &str) -> bool {
    let span = Span::new(0, line.len());
    let cut = syntax::Cut {
        span,
        silenced: false,
    };
    let Ok(Statement::Binding(binding)) = syntax::statement(line, &cut) else {
        return false;
    };
    let is_number = |kind: &ItemKind| match kind {
        ItemKind::Number(_) => true,
        kind => is_list_or_sign(kind),
    };
    let is_list = |items: &[syntax::Item]| {
        items
            .last()
            .is_some_and(|it| matches!(it.kind, ItemKind::Apply(syntax::Head::List, _)))
            && items.iter().all(|it| is_number(&it.kind))
    };
    !binding.frozen
        && binding.compound.is_none()
        && binding.widths.is_empty()
        && binding.values.iter().all(|value| is_list(&value.items))
}

fn is_list_or_sign(kind: &ItemKind) -> bool {
    match kind {
        ItemKind::Apply(syntax::Head::List, _) => true,
        ItemKind::Apply(syntax::Head::Operator(operator), 1) => operator.spelling == "-",
        _ => false,
    }
}
