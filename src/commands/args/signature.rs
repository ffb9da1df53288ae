//! The signature of a command: its names, arguments and summary, read from the head of its page in `docs/commands/`:
//!
//! ```text
//! # `:step`: gradient descent on the free leaves, one step or N
//! <!-- change | :step 0.01 | one step downhill -->
//!
//! - `RATE` (number): the rate: a leaf moves by -RATE times its grad
//! - `[momentum M]` (number, late): from 0 to 1: each step goes on with that share of the way before
//! - `[adam]` (late, not with `M`): steps as `torch.optim.Adam` makes them
//! ```
//!
//! The heading has the names and a description. The line below it has the group, `read-only` if the command changes
//! nothing, and the entry on the first screen of `:help`. Each item is an argument: its usage, in brackets if it may be
//! left out; its kind and its conditions; its meaning. A word in lower case before its name is its keyword. An argument
//! without a kind is only a keyword.

use super::suggestions::Offers;
use super::{Argument, ArgumentKind, NodeCondition};
use crate::commands::{Command, GROUPS};

/// The kinds of arguments by their words on the page.
const KINDS: [(&str, ArgumentKind); 15] = [
    ("", ArgumentKind::Flag),
    ("expression", ArgumentKind::Expression),
    ("node", ArgumentKind::Node),
    ("nodes", ArgumentKind::Nodes),
    ("names", ArgumentKind::Names),
    ("number", ArgumentKind::Number),
    ("count", ArgumentKind::Count),
    ("settings", ArgumentKind::Settings),
    ("relations", ArgumentKind::Relations),
    ("model", ArgumentKind::Model),
    ("correlations", ArgumentKind::Correlations),
    ("word", ArgumentKind::Topic),
    ("range", ArgumentKind::Range),
    ("file", ArgumentKind::File),
    ("statement", ArgumentKind::Statement),
];

/// The head of a page.
#[derive(Debug)]
pub struct Signature {
    /// Other names for the command. They take precedence over prefixes of names.
    pub aliases: Vec<&'static str>,
    /// A description of one line.
    pub summary: &'static str,
    /// The key of the group in which `:help` lists it.
    pub group: &'static str,
    /// Whether it changes nothing. Then the random numbers that it draws are given back.
    pub looks: bool,
    /// Its entry on the first screen of `:help`: a line to type, and a few words.
    pub entry: (&'static str, &'static str),
    /// Its arguments.
    pub arguments: Vec<Argument>,
    /// The page below the head.
    pub text: &'static str,
}

impl Signature {
    /// Reads the head; `None` if the page does not begin with one.
    pub(in crate::commands) fn read(command: &Command) -> Option<Signature> {
        let (heading, rest) = command.page.split_once('\n')?;
        let (names, summary) = heading.split_once("`: ")?;
        let aliases = names.split("` `:").skip(1);
        let (mark, rest) = rest.strip_prefix("<!-- ")?.split_once(" -->\n\n")?;
        let (group, entry) = mark.split_once(" | ")?;
        let (key, looks) = match group.strip_suffix(", read-only") {
            Some(key) => (key, true),
            None => (group, false),
        };
        let (items, text) = match rest.strip_prefix("- ") {
            Some(rest) => rest.split_once("\n\n")?,
            None => ("", rest),
        };
        let items = items.split("\n- ").filter(|item| !item.is_empty());
        Some(Signature {
            aliases: aliases.collect(),
            summary,
            group: GROUPS.iter().find(|(group, _)| *group == key)?.0,
            looks,
            entry: entry.split_once(" | ")?,
            arguments: items
                .map(|item| Argument::read(item, command.offers))
                .collect::<Option<_>>()?,
            text,
        })
    }
}

impl Argument {
    /// Reads an item.
    fn read(item: &'static str, offers: &[(&str, Offers)]) -> Option<Argument> {
        let (usage, rest) = item.strip_prefix('`')?.split_once('`')?;
        let (words, meaning) = match rest.strip_prefix(" (") {
            Some(rest) => rest.split_once("): ")?,
            None => ("", rest.strip_prefix(": ")?),
        };
        let optional = usage.strip_prefix('[').and_then(|it| it.strip_suffix(']'));
        let mut argument = Argument {
            usage,
            name: optional.unwrap_or(usage),
            kind: ArgumentKind::Flag,
            keyword: None,
            needed: optional.is_none(),
            meaning,
            offers: Offers::Usual,
            late: false,
            needs: None,
            apart: Vec::new(),
            must: NodeCondition::Any,
        };
        let mut sign = ' ';
        for word in words.split(", ") {
            match word.trim_end_matches('`').split_once(" `") {
                Some(("needs", name)) => argument.needs = Some(name),
                Some(("not with", name)) => argument.apart.push(name),
                _ => match word {
                    "late" => argument.late = true,
                    "varying" => argument.must = NodeCondition::Varying,
                    "leaf" => argument.must = NodeCondition::Leaf,
                    "keyword" => sign = '=',
                    kind => argument.kind = KINDS.iter().find(|(name, _)| *name == kind)?.1,
                },
            }
        }
        if argument.kind == ArgumentKind::Flag {
            argument.keyword = Some(argument.name);
        } else if let Some((keyword, name)) = argument.name.split_once(sign)
            && keyword.starts_with(char::is_lowercase)
        {
            (argument.keyword, argument.name) = (Some(keyword), name);
        }
        if let ArgumentKind::Nodes | ArgumentKind::Names = argument.kind
            && let Some(name) = argument.name.strip_suffix('…')
            && !name.ends_with(' ')
        {
            argument.name = name;
        }
        let offered = offers.iter().find(|(name, _)| *name == argument.name);
        argument.offers = offered.map_or(Offers::Usual, |(_, offers)| *offers);
        Some(argument)
    }
}
