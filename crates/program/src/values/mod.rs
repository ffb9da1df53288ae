//! Defines the values of expressions and names, [`Value`]: a number or a list.
//!
//! A number is a node. A list is an array of nodes with a [`ListShape`]. An item of a list is a section of the same
//! array. Therefore indexing takes the same time for any list. The array remembers the origin of the list. A node that
//! was made from the items holds the array, and so knows the origin, too. Nothing here knows names.

mod shape;

pub use self::shape::ListShape;

use std::cell::Cell;
use std::rc::{Rc, Weak};

use chainrule_engine::graph::{Node, NodeArray, Spelling};
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

/// A list, or an item of a list that is itself a list.
#[derive(Clone, Debug)]
pub struct List {
    /// An array that contains the numbers of the list. An item shares the array of the longer list.
    array: Rc<NodeArray>,
    /// The index of the first number in the array.
    start: usize,
    shape: ListShape,
    /// Whether the list is or was part of something besides its name, such as an item of another list. Then it must not
    /// grow by itself. Nothing takes the mark back, not even `:undo`: `x = x[:]` gives `x` a list without it.
    pub is_shared: Cell<bool>,
}

/// The origin of a list. The items of the list hold the numbers of the operands anyway. Only the arrays of the operands
/// live longer because of the origin.
#[derive(Debug)]
pub struct ListOrigin {
    /// The operation or function.
    pub maker: Maker,
    /// The operands or arguments.
    pub operands: Vec<Value>,
    /// The shape of the list when it was made.
    pub shape: ListShape,
}

/// An operation or a form that makes a list.
#[derive(Clone, Debug, PartialEq)]
pub enum Maker {
    /// An operation, item by item. With a list of lists as its only operand, an operation that folds its operands, such
    /// as a sum.
    Operation(&'static Op),
    /// A function of lists.
    Function(&'static str),
    /// `A..B`. The operands are the first and the last number.
    Range,
    /// `[E for x in xs]`, with its variables. The operand is `xs`; there is none if the items do not hold its numbers.
    Each(Rc<[Rc<str>]>),
}

/// A reference to a value that does not keep it alive.
#[derive(Clone, Debug)]
pub enum WeakValue {
    /// A number.
    Node(Weak<Node>),
    /// A short list. It is alive as long as its nodes are.
    Short(Box<[Weak<Node>]>, ListShape),
    /// A long list. It is alive as long as something else keeps the list itself: many calls with it must not copy it.
    Long(Weak<List>),
}

/// The most numbers of a [`WeakValue::Short`]: copying them takes about as long as a call.
const MAX_SHORT_NUMBERS: usize = 64;

impl WeakValue {
    /// The value, if it is still alive.
    pub fn upgrade(&self) -> Option<Value> {
        match self {
            WeakValue::Node(node) => node.upgrade().map(Value::Node),
            WeakValue::Short(nodes, shape) => {
                let living: Option<Vec<Rc<Node>>> = nodes.iter().map(Weak::upgrade).collect();
                Some(Value::of_shape(living?, shape))
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
            Value::List(list) if list.shape.size() <= MAX_SHORT_NUMBERS => {
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

    /// The list of a value that is not a number.
    pub fn list(&self) -> Option<&Rc<List>> {
        match self {
            Value::Node(_) => None,
            Value::List(list) => Some(list),
        }
    }

    /// All numbers of the value, in order.
    pub fn nodes(&self) -> &[Rc<Node>] {
        match self {
            Value::Node(node) => std::slice::from_ref(node),
            Value::List(list) => list.nodes(),
        }
    }

    /// The shape of the value.
    pub fn shape(&self) -> &ListShape {
        match self {
            Value::Node(_) => &ListShape::NUMBER,
            Value::List(list) => &list.shape,
        }
    }

    /// The value of these numbers in a shape of the same size.
    pub fn of_shape(nodes: Vec<Rc<Node>>, shape: &ListShape) -> Value {
        debug_assert_eq!(nodes.len(), shape.size());
        match &nodes[..] {
            [only] if shape.is_number() => Value::Node(Rc::clone(only)),
            _ => List::new(nodes, shape.clone()).into(),
        }
    }

    /// Adds the origin to a list that has just been made. If something else already shares the list, it gets none.
    #[must_use]
    pub(crate) fn with_origin(mut self, maker: Maker, operands: Vec<Value>) -> Value {
        if let Value::List(shared) = &mut self
            && let Some(list) = Rc::get_mut(shared)
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

    /// Marks a list as part of something besides its name.
    pub(crate) fn mark_as_shared(&self) {
        if let Value::List(list) = self {
            list.is_shared.set(true);
        }
    }

    /// The brackets and numbers of the value, in order.
    pub fn parts(&self) -> Vec<NumberPart> {
        let mut parts = Vec::with_capacity(self.nodes().len() + 2);
        add_parts(self.nodes(), self.shape(), &mut parts);
        parts
    }

    /// The numbers of the value, for a report.
    pub fn numbers(&self) -> Numbers {
        Numbers {
            parts: self.parts(),
            shape: self.shape().to_short(),
            lengths: self.shape().lengths().unwrap_or_default(),
            as_of: None,
        }
    }

    /// The value with an array of its own, which does not keep a longer list in memory.
    #[must_use]
    pub fn into_owned(self) -> Value {
        match self {
            Value::List(list) if !list.is_whole() => List {
                is_shared: list.is_shared.clone(),
                ..List::new(list.nodes().to_vec(), list.shape.clone())
            }
            .into(),
            value => value,
        }
    }

    /// Replaces each number by the node that `change` returns. The result has no origin. If nothing else holds the
    /// list, the result takes over its memory.
    #[must_use]
    pub(crate) fn map_nodes(self, mut change: impl FnMut(&Rc<Node>) -> Rc<Node>) -> Value {
        let mut list = match self {
            Value::Node(node) => return Value::Node(change(&node)),
            Value::List(list) => list,
        };
        if let Some(alone) = Rc::get_mut(&mut list).filter(|list| list.is_whole())
            && let Some(array) = Rc::get_mut(&mut alone.array)
        {
            for node in array.nodes_mut() {
                *node = change(node);
            }
            return Value::List(list);
        }
        let nodes = list.nodes().iter().map(change).collect();
        Value::of_shape(nodes, &list.shape)
    }

    /// Whether both values consist of the same nodes in the same shape.
    pub fn is(&self, other: &Value) -> bool {
        if let (Value::Node(own), Value::Node(its)) = (self, other) {
            return Rc::ptr_eq(own, its);
        }
        let mut pairs = self.nodes().iter().zip(other.nodes());
        self.nodes().len() == other.nodes().len()
            && self.shape() == other.shape()
            && pairs.all(|(own, its)| Rc::ptr_eq(own, its))
    }
}

/// Adds the brackets and numbers of one shape.
fn add_parts(nodes: &[Rc<Node>], shape: &ListShape, parts: &mut Vec<NumberPart>) {
    let Some(count) = shape.count() else {
        let number = nodes[0].data();
        return parts.push(if is_truth(&nodes[0]) {
            NumberPart::Truth(number != 0.0)
        } else {
            NumberPart::Number(number)
        });
    };
    parts.push(NumberPart::Open);
    for (item, start) in (0..count).filter_map(|at| shape.item(at)) {
        add_parts(&nodes[start..], &item, parts);
    }
    parts.push(NumberPart::Close);
}

/// The most choices through which a condition is followed: those of `a and b and c`.
const MOST_CHOICES: usize = 64;

/// Whether a node is a condition: a comparison, `True` or `False`, or a choice between conditions.
pub fn is_truth(node: &Rc<Node>) -> bool {
    let mut waiting = vec![node];
    let mut choices = 0;
    while let Some(next) = waiting.pop() {
        let is_choice = next.op().is_some_and(|op| op.name == "if");
        choices += usize::from(is_choice);
        if is_choice && choices <= MOST_CHOICES {
            waiting.extend(&next.operands()[1..]);
        } else if !compares(next)
            && !next.is_condition_leaf()
            && !matches!(next.spelling(), Some(Spelling::Named("True" | "False")))
        {
            return false;
        }
    }
    true
}

/// Whether a node is a comparison.
pub(crate) fn compares(node: &Rc<Node>) -> bool {
    let sign = node.op().map(|op| op.spelling);
    matches!(sign, Some("<" | "<=" | ">" | ">=" | "==" | "!="))
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
            is_shared: Cell::default(),
        }
    }

    /// The list whose items are the operands of a node.
    pub fn operand_of(node: &Node) -> Option<List> {
        let array = Rc::clone(node.array()?);
        Some(List {
            shape: ListShape::rows(array.nodes().len(), ListShape::NUMBER),
            start: 0,
            array,
            is_shared: Cell::default(),
        })
    }

    /// The array of the numbers, if it has no others.
    pub fn array(&self) -> Option<&Rc<NodeArray>> {
        self.is_whole().then_some(&self.array)
    }

    fn is_whole(&self) -> bool {
        self.array.nodes().len() == self.shape.size()
    }

    /// The origin of the array, perhaps in another shape. `None` for a list that is the only item of the list that was
    /// made: it has the whole array, but is not the list that the origin describes.
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
            item.mark_as_shared();
        }
        List::new(nodes, shape)
    }

    /// Adds items at the end.
    pub fn extend(&mut self, items: &[Value]) {
        let nodes = items.iter().flat_map(Value::nodes);
        self.own_array().extend(nodes.map(Rc::clone));
        for item in items {
            self.shape.push(item.shape());
            item.mark_as_shared();
        }
    }

    /// Replaces the item at a position, unless there is none or it has another shape. Returns whether it is replaced.
    pub(crate) fn set_item(&mut self, position: f64, value: &Value) -> bool {
        let place = self
            .shape
            .place_of(position)
            .filter(|_| position.fract() == 0.0);
        let Some((shape, offset)) = place.and_then(|at| self.shape.item(at)) else {
            return false;
        };
        if shape != *value.shape() {
            return false;
        }
        let array = self.own_array();
        array[offset..offset + shape.size()].clone_from_slice(value.nodes());
        value.mark_as_shared();
        true
    }

    /// The numbers of the list, in an array that nothing shares. Other lists that share the array stay as they are. The
    /// list must not be an item of another list.
    fn own_array(&mut self) -> &mut Vec<Rc<Node>> {
        if !self.is_whole() || Rc::get_mut(&mut self.array).is_none() {
            *self = List::new(self.nodes().to_vec(), self.shape.clone());
        }
        let array = Rc::get_mut(&mut self.array);
        array.expect("nothing shares the array now").nodes_mut()
    }

    /// All numbers of the list, in order.
    pub fn nodes(&self) -> &[Rc<Node>] {
        &self.array.nodes()[self.start..self.start + self.shape.size()]
    }

    /// The shape of the list.
    pub fn shape(&self) -> &ListShape {
        &self.shape
    }

    /// All numbers as one list without inner lists.
    #[must_use]
    pub fn flat(&self) -> List {
        self.in_shape(&ListShape::rows(self.shape.size(), ListShape::NUMBER))
    }

    /// The same numbers in another shape of the same size.
    #[must_use]
    pub fn in_shape(&self, shape: &ListShape) -> List {
        List {
            shape: shape.clone(),
            is_shared: Cell::default(),
            ..self.clone()
        }
    }

    /// The number of items.
    pub fn count(&self) -> usize {
        self.shape.count().unwrap_or_default()
    }

    /// An item, counted from 0.
    pub fn item(&self, at: usize) -> Option<Value> {
        let (shape, offset) = self.shape.item(at)?;
        Some(if shape.is_number() {
            Value::Node(Rc::clone(&self.array.nodes()[self.start + offset]))
        } else {
            self.part(shape, offset).into()
        })
    }

    /// The list of the items of all rows at a place. `None` if the rows have different shapes or no such item.
    pub(crate) fn column(&self, place: usize) -> Option<List> {
        let row = self.shape.row()?;
        let (item, offset) = row.item(place)?;
        let starts = (0..self.count()).map(|at| at * row.size() + offset);
        let items = starts.map(|start| &self.nodes()[start..start + item.size()]);
        let nodes: Vec<&[Rc<Node>]> = items.collect();
        Some(List::new(
            nodes.concat(),
            ListShape::rows(self.count(), item),
        ))
    }

    /// An item that is a list, counted from 0. `None` if the item is a number.
    pub(crate) fn inner_list(&self, at: usize) -> Option<List> {
        let (shape, offset) = self.shape.item(at)?;
        (!shape.is_number()).then(|| self.part(shape, offset))
    }

    /// The list of this shape whose first number is at an offset.
    fn part(&self, shape: ListShape, offset: usize) -> List {
        List {
            array: Rc::clone(&self.array),
            start: self.start + offset,
            shape,
            is_shared: Cell::new(true),
        }
    }

    /// All items.
    pub fn items(&self) -> impl ExactSizeIterator<Item = Value> + DoubleEndedIterator {
        (0..self.count()).map(|at| self.item(at).expect("`at` is below the count"))
    }
}
