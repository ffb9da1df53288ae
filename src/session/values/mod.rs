//! Values: what an expression gives and a name stands for, a number or a list.
//!
//! A number is a node. A list is not a node: it is an array of nodes and a [`ListShape`]. An item of a list is a
//! section of the same array, so taking one costs the same however long the list is. The array remembers how the list
//! was made, and so does a node that was made from its items: it holds the array.
//! The last results stand here, too. Nothing here knows names.

mod shape;

pub use self::shape::ListShape;

use std::any::Any;
use std::cell::Cell;
use std::rc::{Rc, Weak};

use crate::session::limits::RESULTS;
use chainrule_engine::graph::{Node, NodeArray};
use chainrule_engine::ops::Op;
use chainrule_report::{NumberPart, Numbers};

/// A number or a list.
#[derive(Clone, Debug)]
pub enum Value {
    /// A number.
    Node(Rc<Node>),
    /// A list of numbers or of lists.
    List(Rc<List>),
}

/// A list, or an item of one that is a list itself.
#[derive(Clone, Debug)]
pub struct List {
    /// The numbers of the list, perhaps among those of a longer one.
    array: Rc<NodeArray>,
    start: usize,
    shape: ListShape,
    /// Whether it has been an item of another list.
    pub(crate) is_item: Cell<bool>,
}

/// How a list was made. Its items hold the numbers of the operands, so this keeps alive nothing but arrays.
#[derive(Debug)]
pub struct ListOrigin {
    /// What was applied.
    pub maker: Maker,
    /// What it was applied to.
    pub operands: Vec<Value>,
    /// How the numbers of the list belong together.
    pub shape: ListShape,
}

/// What makes a list.
#[derive(Clone, Debug, PartialEq)]
pub enum Maker {
    /// An operation, item by item; of one list of lists, over its items.
    Operation(&'static Op),
    /// A function of lists.
    Function(&'static str),
    /// `A..B`. The operands are the first and the last number.
    Range,
    /// `[E for x in xs]`, with its variables. The operand is `xs`; none if the items do not hold its numbers.
    Each(Rc<[Rc<str>]>),
    /// Code has written a word in place of a list.
    Word(CodeWord),
}

/// What a name of a block or a function can stand for besides numbers: an empty list stands in its place, and the machine
/// sees to it that no list or number is made of it.
#[derive(Clone, Debug, PartialEq)]
pub enum CodeWord {
    /// `'OK'`
    Text(Rc<str>),
    /// A function: its name, and what it is; nothing for a built-in one.
    Function(Rc<str>, Option<OwnFunction>),
    /// `None`
    None,
}

/// A function of the user's own, whose code is nothing to values.
#[derive(Clone, Debug)]
pub struct OwnFunction {
    pub(crate) function: Rc<dyn Any>,
    /// The frame of the call that has defined it, with which it ends; 0 for a function of the session.
    pub(crate) frame: usize,
}

impl PartialEq for OwnFunction {
    fn eq(&self, other: &OwnFunction) -> bool {
        Rc::ptr_eq(&self.function, &other.function) && self.frame == other.frame
    }
}

/// A reference to a value that does not keep it alive.
#[derive(Clone, Debug)]
pub enum WeakValue {
    /// A number.
    Node(Weak<Node>),
    /// A list that may be dropped before its nodes.
    Short(Box<[Weak<Node>]>, ListShape),
    /// A long list, if something else keeps it: a call for each of many items should not copy it.
    Long(Weak<List>),
}

/// A list of more numbers is referred to as [`WeakValue::Long`].
const SHORT: usize = 64;

impl WeakValue {
    /// The value, if it is still alive.
    pub fn upgrade(&self) -> Option<Value> {
        match self {
            WeakValue::Node(node) => node.upgrade().map(Value::Node),
            WeakValue::Short(nodes, shape) => {
                let nodes: Option<Vec<Rc<Node>>> = nodes.iter().map(Weak::upgrade).collect();
                Some(Value::of_shape(nodes?, shape))
            }
            WeakValue::Long(list) => list.upgrade().map(Value::List),
        }
    }
}

impl Value {
    /// A reference that does not keep the value alive.
    pub fn downgrade(&self) -> WeakValue {
        match self {
            Value::Node(node) => WeakValue::Node(Rc::downgrade(node)),
            Value::List(list) if list.shape.size() <= SHORT => {
                let nodes = list.nodes().iter().map(Rc::downgrade);
                WeakValue::Short(nodes.collect(), list.shape.clone())
            }
            Value::List(list) => WeakValue::Long(Rc::downgrade(list)),
        }
    }

    /// The node of a number.
    pub fn node(&self) -> Option<&Rc<Node>> {
        match self {
            Value::Node(node) => Some(node),
            Value::List(_) => None,
        }
    }

    /// The list of a value that is no number.
    pub fn list(&self) -> Option<&Rc<List>> {
        match self {
            Value::Node(_) => None,
            Value::List(list) => Some(list),
        }
    }

    /// All its numbers, in order.
    pub fn nodes(&self) -> &[Rc<Node>] {
        match self {
            Value::Node(node) => std::slice::from_ref(node),
            Value::List(list) => list.nodes(),
        }
    }

    /// How its numbers belong together.
    pub fn shape(&self) -> &ListShape {
        match self {
            Value::Node(_) => &ListShape::NUMBER,
            Value::List(list) => &list.shape,
        }
    }

    /// Numbers in a shape.
    pub fn of_shape(nodes: Vec<Rc<Node>>, shape: &ListShape) -> Value {
        debug_assert_eq!(
            nodes.len(),
            shape.size(),
            "a shape says how many numbers there are"
        );
        match <[_; 1]>::try_from(nodes) {
            Ok([only]) if shape.is_number() => Value::Node(only),
            Ok(only) => List::new(only.into(), shape.clone()).into(),
            Err(nodes) => List::new(nodes, shape.clone()).into(),
        }
    }

    /// A word of code.
    pub(crate) fn of_word(word: CodeWord) -> Value {
        let none = ListShape::rows(0, ListShape::NUMBER);
        Value::of_shape(Vec::new(), &none).with_origin(Maker::Word(word), Vec::new())
    }

    /// The word, if it is one.
    pub(crate) fn word(&self) -> Option<&CodeWord> {
        match self {
            Value::List(list) if list.count() == 0 => match &list.origin()?.maker {
                Maker::Word(word) => Some(word),
                _ => None,
            },
            _ => None,
        }
    }

    /// The same value; a list that has just been made remembers how.
    #[must_use]
    pub fn with_origin(mut self, maker: Maker, operands: Vec<Value>) -> Value {
        if let Value::List(list) = &mut self
            && let Some(list) = Rc::get_mut(list)
            && let Some(array) = Rc::get_mut(&mut list.array)
        {
            let shape = list.shape.clone();
            array.set_origin(Box::new(ListOrigin {
                maker,
                operands,
                shape,
            }));
        }
        self
    }

    /// Its brackets and numbers in order.
    pub fn parts(&self) -> Vec<NumberPart> {
        let mut parts = Vec::with_capacity(self.nodes().len() + 2);
        add_parts(self.nodes(), self.shape(), &mut parts);
        parts
    }

    /// Its numbers, for a report.
    pub fn numbers(&self) -> Numbers {
        Numbers {
            parts: self.parts(),
            shape: self.shape().to_short(),
            lengths: self.shape().lengths().unwrap_or_default(),
        }
    }

    /// The same value as a list of its own, which does not keep a longer list in memory.
    #[must_use]
    pub fn into_owned(self) -> Value {
        match self {
            Value::List(list) if !list.is_whole() => List {
                is_item: list.is_item.clone(),
                ..List::new(list.nodes().to_vec(), list.shape.clone())
            }
            .into(),
            value => value,
        }
    }

    /// The same shape with the numbers that `by` gives, without an origin. If nothing else holds the list, its memory
    /// is used again.
    #[must_use]
    pub fn map_nodes(self, mut by: impl FnMut(&Rc<Node>) -> Rc<Node>) -> Value {
        let mut list = match self {
            Value::Node(node) => return Value::Node(by(&node)),
            Value::List(list) => list,
        };
        if let Some(alone) = Rc::get_mut(&mut list).filter(|list| list.is_whole())
            && let Some(array) = Rc::get_mut(&mut alone.array)
        {
            for node in array.nodes_mut() {
                *node = by(node);
            }
            return Value::List(list);
        }
        let nodes = list.nodes().iter().map(by).collect();
        Value::of_shape(nodes, &list.shape)
    }

    /// Whether both are the same numbers in the same shape.
    pub fn is(&self, other: &Value) -> bool {
        let same = |(one, other): (&Rc<Node>, &Rc<Node>)| Rc::ptr_eq(one, other);
        self.nodes().len() == other.nodes().len()
            && self.shape() == other.shape()
            && self.nodes().iter().zip(other.nodes()).all(same)
    }
}

/// Adds the brackets and numbers of one shape.
fn add_parts(nodes: &[Rc<Node>], shape: &ListShape, parts: &mut Vec<NumberPart>) {
    let Some(count) = shape.count() else {
        return parts.push(NumberPart::Number(nodes[0].data()));
    };
    parts.push(NumberPart::Open);
    for (item, start) in (0..count).filter_map(|at| shape.item(at)) {
        add_parts(&nodes[start..], &item, parts);
    }
    parts.push(NumberPart::Close);
}

impl From<Rc<Node>> for Value {
    fn from(node: Rc<Node>) -> Value {
        Value::Node(node)
    }
}

impl From<List> for Value {
    fn from(list: List) -> Value {
        Value::List(Rc::new(list))
    }
}

impl List {
    fn new(nodes: Vec<Rc<Node>>, shape: ListShape) -> List {
        List {
            array: Rc::new(nodes.into()),
            start: 0,
            shape,
            is_item: Cell::default(),
        }
    }

    /// The list of numbers whose items a node was made of.
    pub fn operand_of(node: &Node) -> Option<List> {
        let array = Rc::clone(node.array()?);
        Some(List {
            shape: ListShape::rows(array.nodes().len(), ListShape::NUMBER),
            start: 0,
            array,
            is_item: Cell::default(),
        })
    }

    /// The array of its numbers, if there are no others in it.
    pub(crate) fn array(&self) -> Option<&Rc<NodeArray>> {
        self.is_whole().then_some(&self.array)
    }

    fn is_whole(&self) -> bool {
        self.array.nodes().len() == self.shape.size()
    }

    /// How its array was made, perhaps in another shape; none for the only item of a list.
    pub fn origin(&self) -> Option<&ListOrigin> {
        let origin: &ListOrigin = self.array()?.origin()?.downcast_ref()?;
        (!origin.shape.is_around_one(&self.shape)).then_some(origin)
    }

    /// The list of these items.
    pub fn from_items(items: Vec<Value>) -> List {
        let shape = ListShape::list(items.iter().map(Value::shape));
        let mut nodes = Vec::with_capacity(shape.size());
        for item in items {
            nodes.extend_from_slice(item.nodes());
            if let Value::List(list) = item {
                list.is_item.set(true);
            }
        }
        List::new(nodes, shape)
    }

    /// Adds items at the end. Other lists that share the numbers stay as they are, and none has this one as an item.
    pub(crate) fn extend(&mut self, items: &[Value]) {
        if !self.is_whole() || Rc::get_mut(&mut self.array).is_none() {
            *self = List::new(self.nodes().to_vec(), self.shape.clone());
        }
        if let Some(array) = Rc::get_mut(&mut self.array) {
            let nodes = items.iter().flat_map(Value::nodes);
            array.nodes_mut().extend(nodes.map(Rc::clone));
        }
        for item in items {
            self.shape.push(item.shape());
        }
    }

    /// All its numbers, in order.
    pub fn nodes(&self) -> &[Rc<Node>] {
        &self.array.nodes()[self.start..self.start + self.shape.size()]
    }

    /// How its numbers belong together.
    pub fn shape(&self) -> &ListShape {
        &self.shape
    }

    /// All its numbers as one list.
    #[must_use]
    pub fn flat(&self) -> List {
        self.in_shape(&ListShape::rows(self.shape.size(), ListShape::NUMBER))
    }

    /// Its numbers in another shape of as many.
    #[must_use]
    pub fn in_shape(&self, shape: &ListShape) -> List {
        List {
            array: Rc::clone(&self.array),
            start: self.start,
            shape: shape.clone(),
            is_item: Cell::default(),
        }
    }

    /// How many items it has.
    pub fn count(&self) -> usize {
        self.shape.count().unwrap_or_default()
    }

    /// An item, counted from 0.
    pub fn item(&self, at: usize) -> Option<Value> {
        let (shape, start) = self.shape.item(at)?;
        let start = self.start + start;
        Some(if shape.is_number() {
            Value::Node(Rc::clone(&self.array.nodes()[start]))
        } else {
            Value::List(Rc::new(List {
                array: Rc::clone(&self.array),
                start,
                shape,
                is_item: Cell::new(true),
            }))
        })
    }

    /// All its items.
    pub fn items(&self) -> impl ExactSizeIterator<Item = Value> + DoubleEndedIterator {
        (0..self.count()).map(|at| self.item(at).expect("there are so many items"))
    }
}

/// The values of all expressions, numbered from 1, of which the last are known. While a statement or a trial runs, some
/// more are known.
#[derive(Debug, Default)]
pub struct Results(pub(in crate::session) Vec<Option<Value>>);

impl Results {
    /// How many there have been.
    pub fn count(&self) -> u64 {
        self.0.len() as u64
    }

    /// Drops the values that are no longer kept.
    pub(crate) fn tidy(&mut self) {
        let old = self.0.iter_mut().rev().skip(RESULTS);
        old.take_while(|old| old.is_some())
            .for_each(|old| *old = None);
    }

    /// How many are kept.
    fn kept_count(&self) -> usize {
        let last = self.0.iter().rev().take(RESULTS);
        last.take_while(|value| value.is_some()).count()
    }

    /// The last result.
    pub fn last(&self) -> Option<&Value> {
        self.iter().next_back()
    }

    /// The result with this number, if it is still kept.
    pub fn get(&self, number: u64) -> Option<Value> {
        let (first, last) = self.range()?;
        let place = (first..=last).contains(&number).then(|| number - 1)?;
        self.0[place as usize].clone()
    }

    /// The numbers of the oldest and the newest result that are kept.
    pub fn range(&self) -> Option<(u64, u64)> {
        let kept = self.kept_count() as u64;
        (kept > 0).then(|| (self.count() - kept + 1, self.count()))
    }

    /// All results that are kept, oldest first.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &Value> {
        self.0[self.0.len() - self.kept_count()..].iter().flatten()
    }

    /// All results that are kept, with their numbers, newest first.
    pub fn iter_numbered(&self) -> impl Iterator<Item = (u64, &Value)> {
        let numbers = (1..=self.count()).rev();
        numbers.zip(self.iter().rev())
    }
}

/// A sentence on which results there are, for the error about one that is not there.
pub fn range_sentence(range: Option<(u64, u64)>) -> String {
    match range {
        None => "there are no results yet: an expression makes one".to_string(),
        Some((only, last)) if only == last => format!("there is only `${only}`"),
        Some((first, last)) => format!("there are `${first}` to `${last}`"),
    }
}
