//! What messages, helps and translations repeat of a line: `{name}` in a row of `patterns.txt`.
//!
//! Which parts a row has is found in `line.rs`; here they become text.

use std::ops::Range;
use std::rc::Rc;

use super::arguments;
use super::line::{Foreign, PatternMatch, defined, shortened, word};
use crate::commands::by_hand::guess;
use crate::commands::change::set;
use crate::session::values::Value;
use crate::syntax;

impl Foreign<'_> {
    /// The name of a leaf that moves this value, if it has a name.
    fn leaf_below(&self, target: &str) -> Option<String> {
        let names = self.session.names();
        let words = Foreign {
            line: target,
            ..*self
        };
        let nodes = words
            .words()
            .filter_map(|(_, name)| match names.find(name)? {
                Value::Node(node) => Some(Rc::clone(node)),
                Value::List(_) => None,
            });
        let mut below = nodes.flat_map(|node| set::leaves_below(self.session, &node, 1));
        below.next()
    }

    /// A message or a help with the parts of the line it repeats; `None` if one that it needs is empty.
    /// Of a part no more is repeated than `most` characters.
    pub(super) fn filled(&self, text: &str, found: &PatternMatch, most: usize) -> Option<String> {
        let mut pieces = text.split('{');
        let mut filled = pieces.next()?.to_string();
        for piece in pieces {
            let (name, rest) = piece.split_once('}')?;
            let (name, needed) = name
                .strip_suffix('!')
                .map_or((name, false), |name| (name, true));
            let part = self.part(name, found, most);
            if needed && part.is_empty() {
                return None;
            }
            filled.push_str(&part);
            filled.push_str(rest);
        }
        Some(filled)
    }

    /// A part of the line as a message or a help repeats it.
    fn part(&self, name: &str, found: &PatternMatch, most: usize) -> String {
        let cut = |text: &str| shortened(text, most);
        let Range { start, end } = found.mark;
        let (before, behind) = (&self.line[..start], &self.line[end..]);
        // What a call is given, up to its last bracket, and what its method belongs to.
        let arguments = behind.trim_start();
        let arguments = arguments.strip_prefix('(').unwrap_or(arguments);
        let (inside, rest) = arguments.rsplit_once(')').unwrap_or((arguments, ""));
        let inside = inside.trim();
        let point = self.line[start..].starts_with('.').then_some(before);
        let owner = before.strip_suffix('.').or(point).unwrap_or("");
        match name {
            "mark" => self.line[start..end].trim_end().to_string(),
            "claim" => guess::of_claim(self.session, found.part("node"), found.part("value"))
                .unwrap_or_default(),
            "root" => guess::likely_root(self.session, found.part("node")).unwrap_or_default(),
            "rest" => match found.part(name) {
                "" => String::new(),
                rest => format!(" {rest}"),
            },
            "word" => word(&self.line[start..]).to_string(),
            "numbers" => arguments::several_numbers(found.part(name)).unwrap_or_default(),
            "pairs" => arguments::pairs(found.part(name)).unwrap_or_default(),
            "items" => arguments::list_without_brackets(found.part(name)).unwrap_or_default(),
            "parameter" => found.part(name).trim_matches(['(', ')']).to_string(),
            "below" => {
                let target = [found.part("target"), found.part("name")].join("");
                let leaf = self.leaf_below(&target);
                leaf.filter(|leaf| *leaf != target).unwrap_or_default()
            }
            "methods" => {
                "leave the methods out: the operations have their derivatives, `:ops` lists them"
                    .to_string()
            }
            "head" => cut(defined(found.part("")).0),
            "body" => cut(defined(found.part("")).1),
            "title" => {
                let head = defined(found.part("empty")).0;
                head.split_once('(')
                    .map_or(head, |(name, _)| name)
                    .to_string()
            }
            "function" => {
                let name = before.trim_end().strip_suffix('=').map(str::trim);
                name.filter(|name| syntax::is_name(name))
                    .unwrap_or("f")
                    .to_string()
            }
            "number" => {
                let number = self
                    .line
                    .trim_start_matches(|c: char| !c.is_ascii_digit() && c != '-');
                let goes_on = |c: char| c.is_ascii_alphanumeric() || ".-+".contains(c);
                number.chars().take_while(|&c| goes_on(c)).collect()
            }
            "node" if !found.part("node").is_empty() => found.part("node").to_string(),
            "node" => {
                let owner = owner.rsplit(|c: char| c == '=' || c.is_whitespace()).next();
                let candidates = [owner.unwrap_or(""), inside, "L"];
                let node = candidates.into_iter().find(|part| !part.is_empty());
                cut(node.unwrap_or("L"))
            }
            "known" => found.part(name).to_string(),
            _ => match name.strip_prefix("with ") {
                None if name.ends_with("()") => {
                    arguments::operand(found.part(name.trim_end_matches("()")))
                }
                Some(sign) => cut(&format!("{owner} {sign} {inside}{rest}")),
                None => cut(found.part(name)),
            },
        }
    }
}
