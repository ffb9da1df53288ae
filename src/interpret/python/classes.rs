//! The classes `Neuron`, `Layer` and `MLP` as the user writes them: in what they differ from those of the lecture.
//!
//! A class is read method by method. What a neuron does to numbers is tried, so that it may be written in any way; the few
//! other lines must say what those below say, up to names. A class that says something else is refused at the line that
//! does, so that a network never is another one than the user's.

use std::ops::Range;

use super::{Meaning, PythonLine, definition, python_lines, word};
use crate::diagnostic::Diagnostic;
use crate::ops::{Op, Shape, TABLE};
use crate::session::Session;
use crate::session::network::{ClassWords, NetworkClasses};
use crate::syntax::{self, Cut, Span, Statement, TextPart};

/// What draws the weights of a neuron. Words in capitals stand for names, members and numbers of the user's.
const WEIGHTS: [&str; 2] = [
    "self.W = [Value(random.uniform(LOW, HIGH)) for I in range(NIN)]",
    "self.W = [random.uniform(LOW, HIGH) for I in range(NIN)]",
];
const DRAWN_BIAS: [&str; 2] = [
    "self.B = Value(random.uniform(LOW, HIGH))",
    "self.B = random.uniform(LOW, HIGH)",
];
const BIAS: [&str; 2] = ["self.B = Value(BIAS)", "self.B = BIAS"];
const NONLIN: [&str; 1] = ["self.NONLIN = NONLIN"];
const PARAMETERS_OF_NEURON: [&str; 2] = ["return self.W + [self.B]", "return [*self.W, self.B]"];
const NEURONS: [&str; 2] = [
    "self.NEURONS = [NEURON(NIN) for I in range(NOUT)]",
    "self.NEURONS = [NEURON(NIN, **KWARGS) for I in range(NOUT)]",
];
const CALL_OF_LAYER: [&str; 1] =
    ["O = [N(X) for N in self.NEURONS]\nreturn O[0] if len(O) == 1 else O"];
const PARAMETERS_OF_LAYER: [&str; 2] = [
    "return [P for N in self.NEURONS for P in N.PARAMETERS()]",
    "Q = []\nfor N in self.NEURONS:\nR = N.PARAMETERS()\nQ.extend(R)\nreturn Q",
];
const LAYERS: [&str; 2] = [
    "S = [NIN] + NOUTS\nself.LAYERS = [LAYER(S[I], S[I+1]) for I in range(len(NOUTS))]",
    "S = [NIN] + NOUTS\nself.LAYERS = [LAYER(S[I], S[I+1], NONLIN=I!=len(NOUTS)-1) for I in range(len(NOUTS))]",
];
const CALL_OF_MLP: [&str; 1] = ["for L in self.LAYERS:\nX = L(X)\nreturn X"];
const PARAMETERS_OF_MLP: [&str; 2] = [
    "return [P for L in self.LAYERS for P in L.PARAMETERS()]",
    "Q = []\nfor L in self.LAYERS:\nR = L.PARAMETERS()\nQ.extend(R)\nreturn Q",
];

/// Weights, a bias and inputs on which a neuron is tried.
const TRIED: [([f64; 3], f64, [f64; 3]); 6] = [
    ([0.5, -1.25, 0.75], 0.3, [1.0, -0.5, 2.0]),
    ([-0.7, 0.2, 0.1], -0.4, [1.5, -2.0, 0.25]),
    ([0.1, 0.2, -0.3], 0.05, [0.3, -0.1, 0.2]),
    ([1.5, 2.0, -0.5], 1.0, [1.25, 0.5, -1.0]),
    ([-1.0, -0.5, -2.0], 0.2, [1.0, 0.5, 1.5]),
    ([0.25, -0.5, 0.125], 0.0, [-0.5, 0.75, 3.0]),
];

/// The words that are known of a class from then on, and what the lecture has in their places.
const KEPT: [(&str, &str); 11] = [
    ("LOW", "LOW"),
    ("HIGH", "HIGH"),
    ("BIAS", "BIAS"),
    (".ACTIVATION", ".ACTIVATION"),
    (".W", ".w"),
    (".B", ".b"),
    (".NEURONS", ".neurons"),
    (".LAYERS", ".layers"),
    (".PARAMETERS", ".parameters"),
    (".NONLIN", "nonlin"),
    ("NONLIN", "nonlin"),
];

/// A method of a class.
struct Method<'t> {
    name: &'t str,
    /// Its parameters without `self` and without default values.
    parameters: Vec<&'t str>,
    lines: Vec<PythonLine<'t>>,
    place: Range<usize>,
}

/// The methods of a class.
fn methods(text: &str) -> Option<Vec<Method<'_>>> {
    let mut starts = Vec::new();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let code = line.trim_start();
        let column = line.len() - code.len();
        let is_first = starts.first().is_none_or(|&(known, _)| known == column);
        if code.starts_with("def ") && is_first {
            starts.push((column, at + column));
        }
        at += line.len();
    }
    let ends = starts.iter().skip(1).map(|&(column, start)| start - column);
    let ends = ends.chain([text.len()]);
    let all = starts.iter().zip(ends).map(|(&(_, start), end)| {
        let (open, close) = (text[start..end].find('(')?, text[start..end].find(')')?);
        let head = text[start + close..end].find(':')? + start + close + 1;
        let inside = text
            .get(start + open + 1..start + close)?
            .split(',')
            .skip(1);
        let parameters = inside.map(|it| it.split_once('=').map_or(it, |(name, _)| name).trim());
        Some(Method {
            name: text[start + 4..start + open].trim(),
            parameters: parameters.collect(),
            lines: python_lines(&text[..end], head),
            place: start..head,
        })
    });
    all.collect()
}

/// The words and signs of a line; the minus of a number is part of it.
fn tokens(line: &str) -> Vec<&str> {
    let mut found: Vec<&str> = Vec::new();
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
    found
}

/// What words in capitals stand for.
type Words = Vec<(&'static str, String)>;

/// Compares lines with what they must say.
fn fits(expected: &'static str, lines: &[PythonLine], words: &Words) -> Option<Words> {
    let mut words = words.clone();
    let mut expected = expected.lines();
    for line in lines {
        let theirs = tokens(line.code);
        let ours = tokens(expected.next()?);
        if ours.len() != theirs.len() {
            return None;
        }
        for (ours, theirs) in ours.into_iter().zip(theirs) {
            let stands = |c: char| c.is_ascii_uppercase() || c == '.';
            if !(ours.chars().all(stands) && ours.contains(char::is_uppercase)) {
                if ours != theirs {
                    return None;
                }
                continue;
            }
            let is_number = matches!(ours, "LOW" | "HIGH" | "BIAS");
            let is_word = syntax::is_name(theirs.trim_start_matches('.'))
                && ours.starts_with('.') == theirs.starts_with('.');
            if !(if is_number {
                theirs.parse::<f64>().is_ok()
            } else {
                is_word
            }) {
                return None;
            }
            match words.iter().find(|(known, _)| *known == ours) {
                Some((_, known)) if known == theirs => {}
                Some(_) => return None,
                None => words.push((ours, theirs.to_string())),
            }
        }
    }
    expected.next().is_none().then_some(words)
}

/// A class, as the lecture calls it, and its words.
type Read = (&'static str, ClassWords);

/// What a class of networks means, or the line that says something else; `None` if it is no such class.
pub(super) fn class(known: &NetworkClasses, text: &str) -> Option<Result<Read, Diagnostic>> {
    let own = text.strip_prefix("class")?.trim_start();
    let name = word(own);
    let methods = methods(text)?;
    let init = methods.iter().find(|method| method.name == "__init__");
    let makes = |what: &str| {
        let mut lines = init.iter().flat_map(|init| &init.lines);
        lines.any(|line| line.code.contains(what))
    };
    let called = |class| format!("[{}(", known.word(class));
    let mut kinds = ["Neuron", "Layer", "MLP"].into_iter();
    let kind = kinds.find(|kind| known.word(kind) == name).or(match () {
        () if makes("random.uniform(") => Some("Neuron"),
        () if makes(&called("Neuron")) => Some("Layer"),
        () if makes(&called("Layer")) => Some("MLP"),
        () => None,
    })?;
    let mut words: Words = vec![
        ("NEURON", known.word("Neuron").to_string()),
        ("LAYER", known.word("Layer").to_string()),
    ];
    let read = match kind {
        "Neuron" => neuron(&methods, &mut words),
        "Layer" => says(
            &methods,
            [&NEURONS, &CALL_OF_LAYER, &PARAMETERS_OF_LAYER],
            &mut words,
        ),
        _ => says(
            &methods,
            [&LAYERS, &CALL_OF_MLP, &PARAMETERS_OF_MLP],
            &mut words,
        ),
    };
    Some(read.map_err(|place| refusal(name, text, place)).map(|()| {
        let kept = KEPT.iter().filter_map(|(ours, word)| {
            let (_, theirs) = words.iter().find(|(known, _)| known == ours)?;
            let is_member = word.starts_with('.') && !theirs.starts_with('.');
            Some((
                *word,
                if is_member {
                    format!(".{theirs}")
                } else {
                    theirs.clone()
                },
            ))
        });
        (kind, kept.chain([(kind, name.to_string())]).collect())
    }))
}

fn refusal(name: &str, text: &str, place: Range<usize>) -> Diagnostic {
    let message =
        format!("with this, `{name}` makes another network than the lecture or micrograd");
    let place = if place.is_empty() {
        0..text.find('\n').unwrap_or(text.len())
    } else {
        place
    };
    Diagnostic::new(message).at(place).help(
        "write it as they do, or as lists: `n(x) = tanh(dot(w, x) + b)`; `:play network` shows how",
    )
}

/// Reads the methods of a layer or a network; an error is the place of what says something else.
fn says(
    methods: &[Method],
    [init, call, parameters]: [&[&'static str]; 3],
    words: &mut Words,
) -> Result<(), Range<usize>> {
    for method in methods {
        let expected = match method.name {
            "__init__" => {
                let names = ["NIN", if init == NEURONS { "NOUT" } else { "NOUTS" }];
                let own = names.into_iter().zip(method.parameters.iter());
                words.extend(own.map(|(ours, theirs)| (ours, (*theirs).to_string())));
                init
            }
            "__call__" => call,
            "__repr__" => continue,
            name => {
                words.push((".PARAMETERS", format!(".{name}")));
                parameters
            }
        };
        let found = expected
            .iter()
            .find_map(|expected| fits(expected, &method.lines, words));
        *words = found.ok_or_else(|| method.place.clone())?;
        words.retain(|(ours, _)| !is_local(ours));
    }
    complete(methods)
}

/// Is it a variable of a method?
fn is_local(word: &str) -> bool {
    word.len() == 1
}

/// Checks that what makes and what calls it is there.
fn complete(methods: &[Method]) -> Result<(), Range<usize>> {
    let is_there = |wanted| methods.iter().any(|method| method.name == wanted);
    if is_there("__init__") && is_there("__call__") {
        Ok(())
    } else {
        Err(0..0)
    }
}

/// Reads the methods of a neuron.
fn neuron(methods: &[Method], words: &mut Words) -> Result<(), Range<usize>> {
    for method in methods.iter().filter(|method| method.name == "__init__") {
        let nin = method.parameters.first().ok_or(method.place.clone())?;
        words.push(("NIN", (*nin).to_string()));
        for line in &method.lines {
            let has = |word| words.iter().any(|(known, _)| *known == word);
            let expected: &[&[&'static str]] = match () {
                () if !has(".W") => &[&WEIGHTS, &BIAS, &NONLIN],
                () => &[&DRAWN_BIAS, &BIAS, &NONLIN],
            };
            let mut expected = expected.iter().copied().flatten();
            let found = expected.find_map(|it| fits(it, std::slice::from_ref(line), words));
            *words = found.ok_or_else(|| line.place.clone())?;
            words.retain(|(ours, _)| !is_local(ours));
        }
        if ![".W", ".B"]
            .iter()
            .all(|word| words.iter().any(|(known, _)| known == word))
        {
            return Err(method.place.clone());
        }
    }
    for method in methods {
        match method.name {
            "__init__" | "__repr__" => {}
            "__call__" => {
                let (found, ends_linear) = activation(method, words).ok_or(method.place.clone())?;
                words.push((".ACTIVATION", format!(".{found}")));
                words.retain(|(ours, _)| ends_linear || !ours.ends_with("NONLIN"));
            }
            name => {
                words.push((".PARAMETERS", format!(".{name}")));
                let mut expected = PARAMETERS_OF_NEURON.iter();
                let found = expected.find_map(|it| fits(it, &method.lines, words));
                *words = found.ok_or_else(|| method.place.clone())?;
            }
        }
    }
    complete(methods)
}

/// What a neuron does to the sum of its inputs: the name of a function, or nothing, and whether it does nothing when that
/// is asked for. It is tried on numbers.
fn activation(method: &Method, words: &Words) -> Option<(&'static str, bool)> {
    let member = |word| {
        let (_, theirs) = words.iter().find(|(known, _)| *known == word)?;
        Some(theirs.trim_start_matches('.'))
    };
    let (w, b, x) = (member(".W")?, member(".B")?, method.parameters.first()?);
    let nonlin = member(".NONLIN");
    let mut text = format!(
        "def neuron({w}, {b}, {x}, {}):\n",
        nonlin.unwrap_or("is_nonlinear")
    );
    for line in &method.lines {
        let code = syntax::one_line(line.code).replace("self.", "");
        text.extend(["  ", &code, "\n"]);
    }
    let mut session = Session::new();
    let Some(Meaning::Line(line)) = definition::meaning(&session, &text) else {
        return None;
    };
    let Ok(Statement::Definition(definition)) = syntax::statement(&line, &Cut::whole(&line)) else {
        return None;
    };
    session.define(&line, &definition).ok()?;
    let mut value = |text: &str| {
        let read = syntax::expression(text, Span::new(0, text.len())).ok()?;
        let (value, _) = session.evaluate_number(text, &read).ok()?;
        Some(value.data())
    };
    let mut agrees = |function: &str, nonlin: u8| {
        TRIED.iter().all(|(w, b, x)| {
            let theirs = value(&format!("neuron({w:?}, {b:?}, {x:?}, {nonlin})"));
            let ours = value(&format!("{function}(dot({w:?}, {x:?}) + ({b:?}))"));
            let (Some(theirs), Some(ours)) = (theirs, ours) else {
                return false;
            };
            (theirs - ours).abs() <= 1e-12 * ours.abs().max(1.0) || theirs.is_nan() && ours.is_nan()
        })
    };
    let is_unary = |op: &&Op| op.shape == Shape::Call && op.arity() == (1, Some(1));
    let functions = TABLE.iter().filter(is_unary).map(|op| op.spelling);
    let mut names = [""].into_iter().chain(functions);
    let found = names.find(|name| agrees(name, 1))?;
    let ends_linear = nonlin.is_some() && !agrees(found, 0);
    (!ends_linear || agrees("", 0)).then_some((found, ends_linear))
}
