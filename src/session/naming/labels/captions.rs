//! Captions: how nodes are shown in one table or picture, where each must be told from the others.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::hash::BuildHasher;
use std::rc::Rc;

use rustc_hash::{FxBuildHasher, FxHashSet};

use super::{expression, label, name};
use crate::session::error::{Error, fail};
use crate::session::naming::names::Names;
use crate::session::tags::TagWrite;
use crate::session::{Session, Write};
use chainrule_engine::graph::{Node, NodeId};
use chainrule_language::Span;
use chainrule_stop as stop;

/// The label and the expression in one row of a table.
#[derive(Clone, Debug)]
pub struct Caption {
    /// How the node is shown. If two rows would be shown alike, the newer node gets its id: `a*b @9`.
    pub label: String,
    /// Its own expression; empty for a leaf.
    pub expression: String,
    /// Whether the expression adds something to the label, which is then a name, a former name or a call.
    pub more: bool,
}

/// What distinguishes the rows of one table that would be shown alike.
#[derive(Clone, Debug, Default)]
pub struct Captions {
    /// The nodes that would be shown like an older one.
    later: FxHashSet<NodeId>,
}

impl Captions {
    /// For a table of these nodes.
    pub fn of<'n>(names: &Names, nodes: impl Iterator<Item = &'n Rc<Node>>) -> Captions {
        Captions::of_labels(names, nodes, |_, node| {
            Cow::from(caption(names, node).label)
        })
    }

    /// For a table of these nodes, with a function that gives the label of the one at a place.
    fn of_labels<'n, 'l>(
        names: &Names,
        nodes: impl Iterator<Item = &'n Rc<Node>>,
        label: impl Fn(usize, &Rc<Node>) -> Cow<'l, str>,
    ) -> Captions {
        // A label may equal the name of another node. Then the labelled node gets its id, because names count as older.
        let all = !names.labels.is_empty();
        let mut known: Vec<(u64, bool, NodeId)> = Vec::new();
        for (place, node) in stop::with_checks(nodes.enumerate()) {
            // Shown by a name or a former name, which no other node has.
            let unique = names.node_name(node).is_some() && names.labels.of(node).is_none();
            if all || !unique {
                let hash = FxBuildHasher.hash_one(label(place, node));
                known.push((hash, !unique, node.id()));
            }
        }
        known.sort_unstable();
        known.dedup();
        // (Should two hashes of 64 bits ever coincide, a label has an id that it need not have.)
        let alike = known.chunk_by(|(one, ..), (other, ..)| one == other);
        let later = alike.flat_map(|alike| &alike[1..]);
        let later = later.filter(|(_, told_apart, _)| *told_apart);
        let later = later.map(|(.., id)| *id).collect();
        Captions { later }
    }

    /// The caption of one of these nodes.
    pub fn caption(&self, names: &Names, node: &Rc<Node>) -> Caption {
        let mut caption = caption(names, node);
        self.tell_apart(node, &mut caption.label);
        caption
    }

    /// Adds its id to the label of one of these nodes that would be shown like an older one.
    pub(crate) fn tell_apart(&self, node: &Node, label: &mut String) {
        if self.later.contains(&node.id()) {
            // Writing into a string cannot fail.
            let _ = write!(label, " @{}", node.id());
        }
    }
}

impl Session {
    /// The captions of all rows of one table.
    pub fn captions<'n>(&self, nodes: impl Iterator<Item = &'n Rc<Node>> + Clone) -> Vec<Caption> {
        let names = self.names();
        let each = stop::with_checks(nodes.clone()).map(|node| caption(names, node));
        let mut captions: Vec<Caption> = each.collect();
        let label = |place: usize, _: &Rc<Node>| Cow::from(&captions[place].label);
        let apart = Captions::of_labels(names, nodes.clone(), label);
        for (node, caption) in nodes.zip(&mut captions) {
            apart.tell_apart(node, &mut caption.label);
        }
        captions
    }
}

/// The caption of a node that need not be distinguished from others.
fn caption(names: &Names, node: &Rc<Node>) -> Caption {
    let expression = expression(names, node);
    let given = names.labels.of(node).map(ToString::to_string);
    let is_call = names.calls.of(node).is_some();
    let label = given
        .or_else(|| name(names, node))
        .unwrap_or_else(|| match expression.as_str() {
            text if !text.is_empty() && !is_call => text.to_string(),
            _ => label(names, node),
        });
    Caption {
        more: label != expression,
        label,
        expression,
    }
}

/// The longest label, in characters.
const MAX_LABEL: usize = 100;

impl Session {
    /// Gives a node a label for tables. An empty label, or one equal to how the node is referred to anyway, removes it.
    ///
    /// # Errors
    /// If it is longer than 100 characters.
    pub fn relabel(&mut self, node: &Rc<Node>, label: &str, place: Span) -> Result<(), Error> {
        let length = label.chars().count();
        if length > MAX_LABEL {
            let message =
                format!("a label has at most {MAX_LABEL} characters, this one has {length}");
            let help = "a table has room for a few words: `n.label = 'n'`";
            return Err(fail(place, message, help));
        }
        let text = label.trim();
        let plain = text.is_empty() || self.label(node) == text;
        if self.names.labels.of(node).map_or("", |old| &**old) == if plain { "" } else { text } {
            return Ok(());
        }
        let label = (!plain).then(|| Rc::from(text));
        self.write(Write::Label(TagWrite::new(node, label)));
        Ok(())
    }
}
