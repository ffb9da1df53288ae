//! Attaches tags to nodes: labels, headings, uncertainties and other data about individual nodes, in addition to names.
//! [`Tags`] stores tags of one type. A tag does not keep its node alive.

use std::rc::{Rc, Weak};

use rustc_hash::FxHashMap;

use chainrule_engine::graph::{Node, NodeId};
use chainrule_language as language;
use chainrule_report::{Calendar, ClassWord};

/// The tags of some nodes, by id.
#[derive(Clone, Debug)]
pub struct Tags<T> {
    by_node: FxHashMap<NodeId, Tag<T>>,
    /// The number of tags at which the tags of dropped nodes are removed.
    tidy_at: usize,
}

/// The tag of a node, and the node if it is still alive.
#[derive(Clone, Debug)]
pub(crate) struct Tag<T> {
    pub(crate) value: T,
    node: Weak<Node>,
}

/// A change of a tag: the new tag of a node, if it gets one.
#[derive(Debug)]
pub(crate) struct TagWrite<T> {
    pub(crate) node: NodeId,
    pub(crate) tag: Option<Tag<T>>,
}

impl<T> Default for Tags<T> {
    fn default() -> Tags<T> {
        Tags {
            by_node: FxHashMap::default(),
            tidy_at: 0,
        }
    }
}

impl<T> Tags<T> {
    /// A node's tag.
    pub fn of(&self, node: &Node) -> Option<&T> {
        // A tag set by a statement that failed may remain although its node's id was given to another node.
        let tag = self.by_node.get(&node.id())?;
        std::ptr::eq(tag.node.as_ptr(), node).then_some(&tag.value)
    }

    /// Whether a living node has a tag.
    pub fn has_living(&self) -> bool {
        self.by_node.values().any(|tag| tag.node.strong_count() > 0)
    }

    /// The living nodes that have tags, with these.
    pub(crate) fn living(&self) -> impl Iterator<Item = (Rc<Node>, &T)> {
        let all = self.by_node.values();
        all.filter_map(|tag| Some((tag.node.upgrade()?, &tag.value)))
    }

    /// The writes that remove all tags, also those of dropped nodes.
    pub(crate) fn removals(&self) -> Vec<TagWrite<T>> {
        let nodes = self.by_node.keys();
        nodes.map(|&node| TagWrite { node, tag: None }).collect()
    }

    /// The number of tags, perhaps including some of dropped nodes.
    pub(crate) fn len(&self) -> usize {
        self.by_node.len()
    }

    /// Whether no node has a tag.
    pub fn is_empty(&self) -> bool {
        self.by_node.is_empty()
    }

    /// Tags a node.
    pub(crate) fn set(&mut self, node: &Rc<Node>, value: T) {
        self.swap(TagWrite::new(node, Some(value)));
    }

    /// Changes a tag, and returns the opposite change.
    pub(crate) fn swap(&mut self, write: TagWrite<T>) -> TagWrite<T> {
        let node = write.node;
        let old = match write.tag {
            Some(tag) => {
                self.tidy();
                self.by_node.insert(node, tag)
            }
            None => self.by_node.remove(&node),
        };
        TagWrite { node, tag: old }
    }

    /// Removes the tags of dropped nodes whenever the number of tags has doubled.
    fn tidy(&mut self) {
        if self.by_node.len() >= self.tidy_at {
            self.by_node.retain(|_, tag| tag.node.strong_count() > 0);
            // Below 64 tags, tidying frees too little to matter.
            self.tidy_at = (self.by_node.len() * 2).max(64);
        }
    }
}

impl<T> TagWrite<T> {
    /// A write that tags a node, or removes its tag.
    pub(crate) fn new(node: &Rc<Node>, value: Option<T>) -> TagWrite<T> {
        let weak = Rc::downgrade(node);
        TagWrite {
            node: node.id(),
            tag: value.map(|value| Tag { value, node: weak }),
        }
    }
}

/// The range of a leaf, for its slider and as its axis: `a = 2 in 0..10 by 0.5`. Commands may move the leaf beyond it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LeafRange {
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
    /// The step, if one was typed.
    pub step: Option<f64>,
}

/// The heading of a list: above its column, and beside its axis.
#[derive(Clone, Debug)]
pub struct Heading {
    /// `t [s]`, or `species: 0 setosa, 1 versicolor` if numbers stand for words.
    pub text: Box<str>,
    /// The calendar, if the numbers are dates, with the day from which they count.
    pub dates: Option<Calendar>,
}

/// The word between the text of a heading and the first date.
const SINCE: &str = " since ";

impl Heading {
    /// The heading that a statement has, in its quotes: `t "t [s]" = [0, 1]`.
    pub(crate) fn of_quoted(quoted: &str) -> Heading {
        let text = language::strip_quotes(quoted).unwrap_or(quoted);
        if let Some((title, first)) = text.rsplit_once(SINCE)
            && let Some(dates) = chainrule_tables::calendar(first)
        {
            return Heading::new(title, Some(dates));
        }
        Heading::new(text, None)
    }

    /// A heading on one line.
    pub fn new(text: &str, dates: Option<Calendar>) -> Heading {
        let words: Vec<&str> = text.split_whitespace().collect();
        Heading {
            text: words.join(" ").into(),
            dates,
        }
    }

    /// The name of a column of classes, and the words for which its numbers stand.
    pub fn classes(&self) -> Option<(&str, Vec<ClassWord>)> {
        let (name, listed) = self.text.split_once(": ")?;
        let mut words: Vec<ClassWord> = Vec::new();
        for part in listed.split(", ") {
            if let Some(word) = part.strip_prefix(&format!("{} ", words.len())) {
                words.push(ClassWord {
                    number: words.len() as f64,
                    word: word.to_string(),
                });
            } else {
                // A word may have a comma.
                words.last_mut()?.word.extend([", ", part]);
            }
        }
        Some((name, words))
    }

    /// The heading as a statement has it.
    pub(crate) fn statement_text(&self) -> String {
        let quote = if self.text.contains('"') { '\'' } else { '"' };
        let text = self.text.replace(quote, "’");
        let since = self.dates.map(|dates| format!("{SINCE}{}", dates.origin()));
        format!("{quote}{text}{}{quote}", since.unwrap_or_default())
    }
}
