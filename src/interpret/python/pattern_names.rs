//! The names in braces in the rows of `patterns.txt`: how much of a line a name stands for, and whether that fits. The
//! table explains the names.

use super::{Foreign, word};
use crate::commands::{self, COMMANDS};
use chainrule_language as language;
use chainrule_program::Environment as _;
use chainrule_program::functions::{is_python_name, native_name};
use chainrule_program::values::Value;
use chainrule_report::diagnostic::suggest::nearest;

/// The name for what should be an expression: it may be wrong, or leave signs out.
pub(super) const EXPRESSION: &str = "expression";

/// The name for one of the user's functions that has several parameters.
pub(super) const FUNCTION_OF_SEVERAL: &str = "function of several";

/// The name for the numbers at which something is asked for.
const PLACE: &str = "place";

/// Whether a name in a pattern stands for a single word.
fn is_word(name: &str) -> bool {
    name.ends_with("name")
        || matches!(
            name,
            "command"
                | "function"
                | "defined"
                | FUNCTION_OF_SEVERAL
                | "known"
                | "waiting"
                | "unknown"
        )
}

/// The length of the part of a line that a name in a pattern stands for. `rest` is the pattern after the name.
pub(super) fn part_length(name: &str, line: &str, rest: &str) -> Option<usize> {
    match name {
        _ if is_word(name) => return Some(word(line).len()),
        "blank" => return Some(line.len() - line.trim_start().len()),
        EXPRESSION if rest.starts_with(" <") => return Some(length_to_word(line, rest)),
        "node" => {
            let after_word = &line[word(line).len()..];
            let is_former = |c: char| c.is_ascii_digit() || c == '@';
            let mut after = after_word.trim_start_matches(is_former);
            while after.starts_with('[') {
                after = after.split_once(']')?.1;
            }
            return Some(line.len() - after.len());
        }
        _ => {}
    }
    let following = rest.trim_start_matches([' ', '«', '»']);
    if following.is_empty() || following.starts_with('$') {
        return Some(line.len());
    }
    // The sign that ends the part: the `)` of `{x}) = {y}`; empty if a word or another name follows.
    let sign_end = following.find([' ', '<', '{', '«', '»', '$']);
    let sign = &following[..sign_end.unwrap_or(following.len())];
    match name {
        _ if name.ends_with("curve") => line.find(' '),
        "" | "rest" | "names" => line.find(sign),
        "number" if sign.is_empty() => line.find(|c: char| c != '.' && !c.is_ascii_digit()),
        _ => {
            let ends_part = |&(at, c): &(usize, char)| match sign {
                "" => c.is_whitespace(),
                sign => line[at..].starts_with(sign),
            };
            match language::outside_brackets(line).find(ends_part) {
                Some((at, _)) => Some(at),
                None => sign.is_empty().then_some(line.len()),
            }
        }
    }
}

impl Foreign<'_> {
    /// Whether a part of the line fits the name in a pattern.
    pub(super) fn fits_name(&self, name: &str, part: &str) -> bool {
        let text = part.trim();
        let names = self.session.names();
        match name {
            "" | "rest" => true,
            EXPRESSION => {
                let mut outer = language::outside_brackets(text);
                !text.is_empty() && !outer.any(|(_, c)| c == '=')
            }
            "names" => text.split(',').all(|word| language::is_name(word.trim())),
            "value" | PLACE => !part.starts_with('='),
            "blank" => !part.is_empty(),
            "command" => COMMANDS.iter().any(|command| command.name == text),
            "function" => self.session.is_function(text) && names.find(text).is_none(),
            "defined" => self.session.functions().get(text).is_some(),
            FUNCTION_OF_SEVERAL => {
                let own = self.session.functions().get(text);
                own.is_some_and(|it| it.parameters.len() > 1)
            }
            "new name" => language::is_name(text) && !self.session.knows(text),
            "unknown" => !self.is_known(native_name(text)) && !is_python_name(text),
            "list name" => matches!(names.find(text), Some(Value::List(_))),
            "root name" => names.find_node(text).is_some_and(|node| !node.is_leaf()),
            "waiting" => self.session.waiting_for(text).is_some(),
            "known" => {
                let is_known =
                    names.find(text).is_some() || self.session.waiting_for(text).is_some();
                is_known && !self.is_keyword(text)
            }
            _ if is_word(name) => {
                language::is_name(text) && text != "const" && !self.is_keyword(text)
            }
            "node" => language::is_name(word(text)),
            // `a.grad = 0` zeroes a gradient. By hand, before the first pass, it claims that the gradient is 0.
            "zero" => {
                let has_claims = self.session.guesses().root().is_some();
                !(has_claims && self.session.pass().is_none()) && text.parse() == Ok(0.0)
            }
            "number" => text.parse::<f64>().is_ok(),
            "numbers" => {
                let mut words = text.split_whitespace();
                text.contains(' ') && words.all(|word| word.parse::<f64>().is_ok())
            }
            "dots" => is_dot_format(text),
            "style" => text
                .split(',')
                .all(|it| it.contains('=') || it.trim().starts_with(['"', '\''])),
            "function curve" => self.session.is_function(without_primes(text)),
            "curve" => {
                let bare = without_primes(text);
                !bare.contains("..")
                    && !bare.contains(',')
                    && language::as_expression(bare).is_some()
            }
            // `if(a, b)` is a call, `with = 3` a binding that failed for another reason.
            "statement" => {
                let operators = ['=', '(', '+', '*', '/', '^', '.', ','];
                self.line.ends_with(':') || !text.starts_with(operators)
            }
            _ => language::as_expression(text).is_some() && !self.is_keyword(word(text)),
        }
    }

    /// Whether a word is a keyword, perhaps mistyped, of the command that the line calls.
    pub(super) fn is_keyword(&self, word: &str) -> bool {
        let called = self.line.strip_prefix(':').map(self::word);
        let command = called.and_then(|called| commands::find(called).ok());
        let arguments = command.map_or(&[][..], |command| command.arguments).iter();
        nearest(word, arguments.filter_map(|argument| argument.keyword)).is_some()
    }
}

/// An expression without the `y =` before it, a place without `x =` or brackets, any other part as it is.
pub(super) fn without_head_or_brackets<'t>(name: &str, part: &'t str) -> &'t str {
    if !matches!(name, EXPRESSION | PLACE) {
        return part;
    }
    let text = without_head(part);
    let inside = text
        .trim()
        .strip_prefix('(')
        .and_then(|it| it.strip_suffix(')'))
        .filter(|it| it.contains(',') && !it.contains(['(', ')']));
    inside.filter(|_| name == PLACE).unwrap_or(text)
}

/// A text without the `y =` or `f(x) =` that it begins with.
fn without_head(text: &str) -> &str {
    let Some((head, body)) = text.split_once('=') else {
        return text;
    };
    let head_name = word(head);
    let parameters = head[head_name.len()..].trim();
    let is_head = language::is_name(head_name)
        && !body.starts_with('=')
        && (parameters.is_empty() || parameters.starts_with('(') && parameters.ends_with(')'));
    if is_head { body.trim_start() } else { text }
}

/// The length of the part before one of the words in `<a|b>`, with which the rest of the pattern begins.
fn length_to_word(line: &str, rest: &str) -> usize {
    let words = rest[" <".len()..].split('>').next().unwrap_or_default();
    let begins_word = |&(at, c): &(usize, char)| {
        c == ' ' && words.split('|').any(|it| word(&line[at + 1..]) == it)
    };
    language::outside_brackets(line)
        .find(begins_word)
        .map_or(line.len(), |(at, _)| at)
}

/// `f` for `f'`.
fn without_primes(text: &str) -> &str {
    text.trim_end_matches(['\'', '’'])
}

/// Whether a text is a format of matplotlib that draws markers and no line: 'o', 'rx', "k.".
fn is_dot_format(text: &str) -> bool {
    let format = text.split(',').next().unwrap_or_default().trim();
    let inner = format.trim_matches(['"', '\'']);
    let is_sign = |c| ".ox+*sdDv^<>|phHP".contains(c);
    let is_colour = |c| "bgrcmykwC0123456789".contains(c);
    inner != format && inner.contains(is_sign) && inner.chars().all(|c| is_sign(c) || is_colour(c))
}
