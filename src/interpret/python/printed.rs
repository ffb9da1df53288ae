//! `print` as Python writes it: texts with values in them, and options.
//!
//! What a `print` of this language shows as well is run; otherwise the help is the line that comes nearest.

use super::line::Foreign;
use super::{Meaning, arguments, cut};

/// The parts of a line that prints.
#[derive(Default)]
struct PrintArguments {
    /// Texts in quotes and expressions.
    parts: Vec<String>,
    /// What has no counterpart: a format, or an option.
    lost: Option<&'static str>,
    /// Something was written anew.
    changed: bool,
}

/// `print(f"L is {L}")` and its kin.
pub(super) fn meaning(foreign: &Foreign) -> Option<Meaning> {
    let line = foreign.line;
    let rest = line.strip_prefix("print")?.trim_start().strip_prefix('(')?;
    if foreign.is_taken("print") {
        return None;
    }
    let inside = arguments::all(rest);
    if rest[inside.len()..].trim() != ")" {
        return None;
    }
    let mut found = PrintArguments::default();
    let mut rest = inside;
    loop {
        let argument = arguments::first(rest);
        found.argument(argument.trim())?;
        let Some(next) = rest[argument.len()..].strip_prefix(',') else {
            break;
        };
        rest = next;
    }
    let plain = format!("print({})", found.parts.join(", "));
    if found.parts.is_empty() || !found.changed {
        return None;
    }
    Some(match found.lost {
        None => Meaning::Line(plain),
        Some(lost) => Meaning::Refused(foreign.error(
            0..line.len(),
            format!("`print` takes texts and values, without {lost}"),
            format!(
                "write `{}`; `:config digits 4` shortens numbers",
                cut(&plain)
            ),
        )),
    })
}

impl PrintArguments {
    fn argument(&mut self, argument: &str) -> Option<()> {
        let option = argument.split_once('=').map(|(name, _)| name.trim());
        if matches!(option, Some("sep" | "end" | "flush" | "file")) {
            (self.lost, self.changed) = (Some("options"), true);
        } else if let Some(text) = argument.strip_prefix(['f', 'F']).and_then(quoted) {
            self.fields(text, None)?;
        } else if let Some((text, values)) = formatted(argument) {
            self.fields(text, Some(values))?;
        } else if argument.contains("str(") {
            self.changed = true;
            let mut rest = argument;
            loop {
                let end = plus(rest).unwrap_or(rest.len());
                let part = rest[..end].trim();
                let value = part
                    .strip_prefix("str(")
                    .and_then(|part| part.strip_suffix(')'));
                if value.is_none() && quoted(part).is_none() {
                    return None;
                }
                self.parts.push(value.unwrap_or(part).to_string());
                let Some(next) = rest.get(end + 1..) else {
                    break;
                };
                rest = next;
            }
        } else if !argument.is_empty() {
            self.parts.push(argument.to_string());
        }
        Some(())
    }

    /// The pieces of a text with fields; their values stand in them or follow as arguments.
    fn fields(&mut self, text: &str, values: Option<&str>) -> Option<()> {
        if text.contains("{{") || text.contains("}}") {
            return None;
        }
        self.changed = true;
        let mut values = values;
        let mut pieces = text.split('{');
        self.text(pieces.next()?)?;
        for piece in pieces {
            let (field, text) = piece.split_once('}')?;
            let end = field.find([':', '!', '=']).unwrap_or(field.len());
            if end < field.len() {
                self.lost = Some("formats");
            }
            let value = match &mut values {
                None => &field[..end],
                Some(_) if end > 0 => return None,
                Some(rest) => {
                    let first = arguments::first(rest);
                    *rest = rest[first.len()..].strip_prefix(',').unwrap_or_default();
                    first
                }
            };
            let value = value.trim();
            if !arguments::is_expression(value) {
                return None;
            }
            self.parts.push(value.to_string());
            self.text(text)?;
        }
        Some(())
    }

    fn text(&mut self, text: &str) -> Option<()> {
        if text.contains('\\') {
            self.lost = Some("signs like `\\n`");
        }
        let text = text.replace("\\n", " ").replace("\\t", " ");
        let text = text.trim();
        let quote = ["\"", "'"]
            .into_iter()
            .find(|quote| !text.contains(quote))?;
        if !text.is_empty() {
            self.parts.push(format!("{quote}{text}{quote}"));
        }
        Some(())
    }
}

/// The inside of a text in quotes, if nothing else stands there.
fn quoted(text: &str) -> Option<&str> {
    let quote = text.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    let inside = text[1..].strip_suffix(quote)?;
    (!inside.contains(quote)).then_some(inside)
}

/// `'L is {}'.format(L)`
fn formatted(argument: &str) -> Option<(&str, &str)> {
    let (text, values) = argument.split_once(".format(")?;
    Some((quoted(text)?, values.strip_suffix(')')?))
}

/// The first `+` that is in no brackets and in no quotes.
fn plus(text: &str) -> Option<usize> {
    let mut signs = crate::syntax::outside(text).filter(|(_, c)| *c == '+');
    signs.next().map(|(at, _)| at)
}
