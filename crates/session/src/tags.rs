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
        self.swap(&mut TagWrite::new(node, Some(value)));
    }

    /// Changes a tag, and turns the write into the opposite one.
    pub(crate) fn swap(&mut self, write: &mut TagWrite<T>) {
        write.tag = match write.tag.take() {
            Some(tag) => {
                self.tidy();
                self.by_node.insert(write.node, tag)
            }
            None => self.by_node.remove(&write.node),
        };
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
    /// The words, perhaps with a unit: `t [s]`.
    pub title: Box<str>,
    /// The words for which the numbers stand. None if they are numbers.
    pub classes: Vec<ClassWord>,
    /// The calendar, if the numbers are dates, with the day from which they count.
    pub dates: Option<Calendar>,
}

/// The word between the text of a heading and the first date.
const SINCE: &str = " since ";

impl Heading {
    /// The heading that a statement has in its quotes, of a list with these items: `t "t [s]" = [0, 1]`, or
    /// `k "species: 0 setosa, 1 versicolor" = [0, 1, 1]`.
    pub(crate) fn of_quoted(quoted: &str, items: &[Rc<Node>]) -> Heading {
        let text = language::strip_quotes(quoted).unwrap_or(quoted);
        if let Some((title, first)) = text.rsplit_once(SINCE)
            && let Some(dates) = chainrule_tables::calendar(first)
        {
            return Heading::new(title, Vec::new(), Some(dates));
        }
        let mut numbers = items.iter().map(|it| it.data());
        match classes_in(text) {
            Some((title, classes)) if numbers.all(|it| is_class_of(it, classes.len())) => {
                Heading::new(title, classes, None)
            }
            _ => Heading::new(text, Vec::new(), None),
        }
    }

    /// A heading on one line.
    pub fn new(title: &str, classes: Vec<ClassWord>, dates: Option<Calendar>) -> Heading {
        Heading {
            title: on_one_line(title).into(),
            classes,
            dates,
        }
    }

    /// The whole text: `species: 0 setosa, 1 versicolor`.
    pub fn text(&self) -> String {
        let word = |class: &ClassWord| format!("{} {}", class.number, on_one_line(&class.word));
        let words: Vec<String> = self.classes.iter().map(word).collect();
        let begin = if words.is_empty() { "" } else { ": " };
        format!("{}{begin}{}", self.title, words.join(", "))
    }

    /// The heading as a statement has it.
    pub(crate) fn statement_text(&self) -> String {
        let whole = self.text();
        let quote = if whole.contains('"') { '\'' } else { '"' };
        let text = whole.replace(quote, "’");
        let since = self.dates.map(|dates| format!("{SINCE}{}", dates.origin()));
        format!("{quote}{text}{}{quote}", since.unwrap_or_default())
    }
}

/// Whether a number stands for one of this many words, or for a word that is missing.
fn is_class_of(number: f64, count: usize) -> bool {
    number.is_nan() || number.fract() == 0.0 && (0.0..count as f64).contains(&number)
}

fn on_one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The title in the text of a heading, and two or more words for which numbers stand.
fn classes_in(text: &str) -> Option<(&str, Vec<ClassWord>)> {
    let (title, listed) = text.split_once(": ")?;
    let mut classes: Vec<ClassWord> = Vec::new();
    for part in listed.split(", ") {
        if let Some(word) = part.strip_prefix(&format!("{} ", classes.len())) {
            classes.push(ClassWord {
                number: classes.len() as f64,
                word: word.to_string(),
            });
        } else {
            // A word may have a comma.
            classes.last_mut()?.word.extend([", ", part]);
        }
    }
    (classes.len() > 1).then_some((title, classes))
}
