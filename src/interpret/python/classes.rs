//! Reads the classes `Neuron`, `Layer` and `MLP` as the lecture's notebook and micrograd's `nn.py` have them.
//!
//! Comments, blanks, names of variables and `__repr__` may be the user's, and `parameters` may be missing. A class that
//! differs from `classes.txt` in anything else is refused, because its network would not be the user's.

use std::cmp::Ordering;
use std::ops::Range;

use super::build_network::known_classes;
use super::{Foreign, OtherMeaning, word};
use chainrule_language::{self as language, TextPart};
use chainrule_report::diagnostic::Diagnostic;
use chainrule_session::network_classes::{CLASSES, ClassText};

/// The methods of both texts, class by class.
const KNOWN: &str = include_str!("classes.txt");

/// Names that mean the same in every text. All others are variables.
#[rustfmt::skip]
const FIXED: [&str; 20] = [
    "self", "Value", "random", "Neuron", "Layer", "range", "len", "sum", "zip", "return", "for", "in", "if", "else", "True",
    "nonlin", "def", "__init__", "__call__", "parameters",
];

/// A method of a class.
struct Method<'t> {
    name: &'t str,
    /// The head and the lines below it, each with its indent.
    lines: Vec<(usize, &'t str)>,
    /// The place of the head in the text of the class.
    span: Range<usize>,
}

/// The methods of a class whose body begins at `start`.
fn methods(text: &str, start: usize) -> Vec<Method<'_>> {
    let mut methods: Vec<Method> = Vec::new();
    for line in language::code_lines(text, start) {
        let code = line.span.of(text);
        match (method_name(code), methods.last_mut()) {
            (Some(name), _) => methods.push(Method {
                name,
                lines: vec![(line.indent, code)],
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

/// The name in the head of a method.
fn method_name(code: &str) -> Option<&str> {
    let (name, _) = code.strip_prefix("def ")?.split_once('(')?;
    Some(name.trim())
}

impl Method<'_> {
    /// The tokens of the method. Methods that differ only in names of variables have equal tokens: each such name is
    /// replaced by its number in the order of appearance. A line has the side to which it is indented from the one above.
    fn tokens(&self) -> Vec<String> {
        let (mut tokens, mut variables) = (Vec::new(), Vec::new());
        let mut indent_above = self.lines[0].0;
        for &(indent, line) in &self.lines {
            tokens.push(match indent.cmp(&indent_above) {
                Ordering::Less => "<".to_string(),
                Ordering::Equal => "=".to_string(),
                Ordering::Greater => ">".to_string(),
            });
            indent_above = indent;
            for (part, span) in language::parts(line) {
                let token = span.of(line);
                match part {
                    TextPart::Comment => {}
                    TextPart::Name if !FIXED.contains(&token) => {
                        tokens.push(number_of(token, &mut variables));
                    }
                    _ => tokens.push(token.to_string()),
                }
            }
        }
        tokens
    }
}

/// The number of a variable among those of a method, to which it is added if it is new.
fn number_of<'t>(variable: &'t str, variables: &mut Vec<&'t str>) -> String {
    let known = variables.iter().position(|it| *it == variable);
    let number = known.unwrap_or(variables.len());
    if known.is_none() {
        variables.push(variable);
    }
    number.to_string()
}

/// The meaning of a class of the user's: which of the texts it is, or an error at the method that is of neither. `None` if
/// it is not one of the three classes.
pub(super) fn read_class(foreign: &Foreign, text: &str) -> Option<OtherMeaning> {
    let name = word(text.strip_prefix("class")?.trim_start());
    let class = CLASSES.iter().position(|known| *known == name)?;
    let (colon, _) = language::outside_brackets(text).find(|&(_, c)| c == ':')?;
    let typed = methods(text, colon + 1);
    let head = 0..text.find('\n').unwrap_or(text.len());
    let mut place = head.clone();
    for class_text in [ClassText::Lecture, ClassText::Micrograd] {
        let Some(difference) = first_difference(&typed, &known_methods(name, class_text), &head)
        else {
            let network = foreign.session.network().with(class, class_text);
            return Some(known_classes(network, class..class + 1));
        };
        // The text that has more of the class shows better where the class differs.
        if difference.start > place.start {
            place = difference;
        }
    }
    let message = format!("this differs from the `{name}` of the lecture and of micrograd");
    let help = format!(
        "type `from micrograd.nn import {name}`, or paste the class as they have it; `:play network` shows networks as lists"
    );
    let error = Diagnostic::new(message).at(place).help(help);
    Some(OtherMeaning::RefusedClass(class, error))
}

/// The methods of a class in one of the texts.
fn known_methods(class: &str, text: ClassText) -> Vec<Method<'static>> {
    let author = match text {
        ClassText::Lecture => "the lecture",
        ClassText::Micrograd => "micrograd",
    };
    let heading = format!("{class} of {author}\n");
    let mut sections = KNOWN.split("\nclass ");
    let section = sections.find_map(|section| section.strip_prefix(&heading));
    methods(section.unwrap_or_default(), 0)
}

/// The place of the first method that is none of the known ones, or the head of the class if a method is missing.
fn first_difference(
    typed: &[Method],
    known: &[Method],
    head: &Range<usize>,
) -> Option<Range<usize>> {
    let is_missing = |name: &&str| !typed.iter().any(|method| method.name == *name);
    if ["__init__", "__call__"].iter().any(is_missing) {
        return Some(head.clone());
    }
    let is_known = |method: &Method| known.iter().any(|it| it.tokens() == method.tokens());
    // A representation builds nothing.
    let mut building = typed.iter().filter(|method| method.name != "__repr__");
    let other = building.find(|method| !is_known(method))?;
    Some(other.span.clone())
}
