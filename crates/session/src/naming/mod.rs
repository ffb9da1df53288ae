//! Holds the names of a session and their values: [`Names`]. `bindings` stores the present values and `formers` those
//! that have lost their names, and `node_index` finds the names of a node. `labels` writes the labels of nodes.
//!
//! A name stands for a node or a list of nodes. A node does not know its names, and may have several. The names of a
//! list's items, `w[2]`, are made on demand. A node that loses its last name gets the former name `name@k` or
//! `name@k[2]`. Each such loss of a name increases its k, and no k is used twice. Former names, calls and labels do not
//! keep their nodes alive.

mod bindings;
mod formers;
pub mod labels;
mod node_index;

pub(crate) use self::bindings::{NameChange, NameEntry};
pub(crate) use self::formers::{Formers, LostValue, NameLoss};
pub use self::node_index::{NameId, NodeName};

use std::borrow::Cow;
use std::fmt::Write as _;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use self::bindings::Bindings;
use crate::tags::{Heading, LeafRange, Tags};
use crate::uncertainty::Uncertainty;
use chainrule_engine::graph::Node;
use chainrule_language::canonical_name;
use chainrule_program::functions::Function;
use chainrule_program::values::{List, ListShape, Value, WeakValue};

/// The texts of the names that stand for texts.
pub(crate) type Texts = FxHashMap<Rc<str>, Rc<str>>;

/// The names of a session, shared: an answer may hold them while its rows are made. A change then copies them.
pub type SharedNames = Rc<Names>;

/// All names of a session.
#[derive(Clone, Debug, Default)]
pub struct Names {
    pub(crate) bindings: Bindings,
    /// The former names of nodes.
    pub(crate) formers: Formers,
    /// The calls of the user's own functions that made nodes.
    pub calls: Tags<Call>,
    /// The labels that tables show instead of names: `n.label = 'n'`.
    pub labels: Tags<Rc<str>>,
    /// The names of the leaves that stand for parameters. They are bound nowhere.
    pub(crate) parameters: Tags<Rc<str>>,
    /// The headings of lists, by their first leaves.
    pub(crate) headings: Tags<Heading>,
    /// The ranges of leaves: `a = 2 in 0..10`.
    pub ranges: Tags<LeafRange>,
    /// The uncertainties of leaves: `x = 5 ± 0.1`.
    pub uncertain: Tags<Uncertainty>,
    /// The number of the last binding.
    last_binding: u32,
}

/// The function call that produced a node.
#[derive(Clone, Debug, Default)]
pub struct Call {
    /// The function's name, with its primes.
    pub name: Rc<str>,
    /// The function; `None` for the derivative of a built-in one.
    pub function: Option<Rc<Function>>,
    /// Its arguments, if they are still alive.
    pub arguments: Vec<WeakValue>,
}

impl Names {
    /// The value of a name.
    pub fn find(&self, name: &str) -> Option<&Value> {
        self.id(name).and_then(|id| self.value(id))
    }

    /// The node that a name stands for; `None` if it stands for a list.
    pub fn find_node(&self, name: &str) -> Option<&Rc<Node>> {
        self.find(name).and_then(Value::node)
    }

    /// The id of a name that was ever bound.
    pub fn id(&self, name: &str) -> Option<NameId> {
        self.bindings.found.get(&*canonical_name(name)).copied()
    }

    /// The value of the name with this id.
    pub fn value(&self, id: NameId) -> Option<&Value> {
        self.entry(id)?.value.as_ref()
    }

    fn entry(&self, id: NameId) -> Option<&NameEntry> {
        self.bindings.named.get(id as usize)
    }

    /// The text of the name with this id.
    pub fn name(&self, id: NameId) -> &str {
        &self.bindings.texts[id as usize]
    }

    /// The text of the name with this id, shared.
    pub(crate) fn shared_name(&self, id: NameId) -> Rc<str> {
        Rc::clone(&self.bindings.texts[id as usize])
    }

    /// The id of a name. A new name gets an id now (interning), but [`Names::id`] does not find it before it has a
    /// value.
    pub fn intern(&mut self, name: &str) -> NameId {
        if let Some(id) = self.id(name) {
            return id;
        }
        let text: Rc<str> = canonical_name(name).into();
        let id = self.name_count() as NameId;
        self.bindings.texts.push(text);
        self.bindings.named.push(NameEntry::default());
        id
    }

    /// The number of the next binding.
    pub(crate) fn next_binding(&mut self) -> u32 {
        // After four billion bindings a node may list its names in a wrong order, which is no reason to panic.
        self.last_binding = self.last_binding.wrapping_add(1);
        self.last_binding
    }

    /// The names of a node, in the order of their bindings. [`Names::texts_of_node`] writes them.
    pub(crate) fn node_names(&self, node: &Node) -> impl Iterator<Item = NodeName<'_>> {
        let keys = self.bindings.of(node.id());
        keys.filter_map(|key| Some(key.node_name(self.value(key.name)?.shape())))
    }

    /// The names of a node, in the order of their bindings: `a`, `w[2]`.
    pub fn texts_of_node(&self, node: &Node) -> impl Iterator<Item = Cow<'_, str>> {
        self.node_names(node).map(|it| self.node_name_text(it))
    }

    /// The text of a name of a node: `a`, `w[2]`, `a@1`, `w@1[2]`.
    pub(crate) fn node_name_text(&self, naming: NodeName) -> Cow<'_, str> {
        let name = self.name_without_place(naming);
        match naming.place {
            None => name,
            Some(place) => item_name(&name, naming.shape, place).into(),
        }
    }

    /// The text of a name of a node, without the position in a list: `w`, `w@1`.
    pub fn name_without_place(&self, naming: NodeName) -> Cow<'_, str> {
        let name = self.name(naming.name);
        match naming.loss {
            0 => name.into(),
            loss => format!("{name}@{loss}").into(),
        }
    }

    /// The first name of a node, or its former name if it has none.
    pub fn first_name_or_former(&self, node: &Node) -> Option<NodeName<'_>> {
        let first = self.node_names(node).next();
        first.or_else(|| self.former_of(node))
    }

    /// The first name of a node, or its former name, if it is an item of a list: `w[2]`.
    pub fn list_name_of(&self, node: &Node) -> Option<NodeName<'_>> {
        self.first_name_or_former(node)
            .filter(|naming| naming.place.is_some())
    }

    /// The names that stand for a node itself, not for a list with it.
    pub fn plain_of(&self, node: &Node) -> impl Iterator<Item = &str> {
        let plain = self.node_names(node).filter(|it| it.place.is_none());
        plain.map(|naming| self.name(naming.name))
    }

    /// Whether a node has a name.
    pub fn has_any(&self, node: &Node) -> bool {
        self.has_name(node, |_| true)
    }

    /// Whether a node has a name whose id meets a condition.
    pub(crate) fn has_name(&self, node: &Node, is_meant: impl Fn(NameId) -> bool) -> bool {
        self.bindings.has_name(node.id(), is_meant)
    }

    /// The lists that have a node as an item, with their names. The oldest binding is first.
    pub fn named_lists_with(&self, node: &Node) -> impl Iterator<Item = (&str, &Rc<List>)> {
        let ids = self.node_names(node).map(|naming| naming.name);
        ids.filter_map(|id| Some((self.name(id), self.value(id)?.list()?)))
    }

    /// Every name with a value, in the order of definition.
    pub fn bound_values(&self) -> impl DoubleEndedIterator<Item = (&str, &Value)> + Clone {
        let ids = 0..self.name_count() as NameId;
        ids.filter_map(|id| Some((self.name(id), self.value(id)?)))
    }

    /// Every node with a name, under each of its names: `a`, and `w[2]` for the items of lists, in the order of
    /// definition.
    pub fn named_nodes(&self) -> impl Iterator<Item = (Cow<'_, str>, &Rc<Node>)> {
        let values = self.bound_values();
        values.flat_map(|(name, value)| {
            let nodes = value.nodes().iter().zip(0..);
            nodes.map(move |(node, place)| (item_name(name, value.shape(), place).into(), node))
        })
    }

    /// Records the call that produced a node, and replaces an earlier record. Inner calls end first, so that the
    /// outermost call remains.
    pub(crate) fn remember_call(
        &mut self,
        node: &Rc<Node>,
        name: &Rc<str>,
        function: Option<&Rc<Function>>,
        arguments: &[Value],
    ) {
        let call = Call {
            name: Rc::clone(name),
            function: function.cloned(),
            arguments: arguments.iter().map(Value::downgrade).collect(),
        };
        self.calls.set(node, call);
    }

    /// The number of losses of this name that were recorded: the k of its newest former name.
    pub fn loss_count(&self, id: NameId) -> u32 {
        self.entry(id).map_or(0, |entry| entry.lost)
    }

    /// The number of names that were ever bound.
    pub fn name_count(&self) -> usize {
        self.bindings.texts.len()
    }

    /// Forgets all names but the first `count`. The others have no value.
    pub fn truncate(&mut self, count: usize) {
        self.bindings.named.truncate(count);
        self.bindings.texts.truncate(count);
    }

    /// The former name of a node, which a node may also have in addition to names.
    pub fn former_of(&self, node: &Node) -> Option<NodeName<'_>> {
        self.formers.of(node)
    }

    /// The living nodes that have lost a name, each with the k of the loss: the nodes of `a@1`, `a@2` and so on.
    pub fn nodes_that_lost(&self, id: NameId) -> impl Iterator<Item = (u32, Rc<Node>)> {
        self.formers.of_name(id)
    }

    /// The loss `name@count` of a value of which some nodes live.
    pub(crate) fn loss(&self, name: &str, count: u32) -> Option<&NameLoss> {
        let loss = self.formers.find((self.id(name)?, count));
        loss.filter(|it| it.living().next().is_some())
    }

    /// The names of a node as an item of lists, or its former name as an item if it has no name.
    pub(super) fn list_names_with(&self, node: &Node) -> impl Iterator<Item = NodeName<'_>> {
        let former = self.former_of(node).filter(|_| !self.has_any(node));
        let all = self.node_names(node).chain(former);
        all.filter(|naming| naming.place.is_some())
    }

    /// Whether `node` is the number at `place` of the list that has, or had, the name `list`.
    pub(super) fn is_at(&self, list: NodeName, place: u32, node: &Node) -> bool {
        if list.loss > 0 {
            let former = self.former_of(node);
            return former.is_some_and(|it| it.key() == list.key() && it.place == Some(place));
        }
        let nodes = self.value(list.name).map(Value::nodes);
        let item = nodes.and_then(|all| all.get(place as usize));
        item.is_some_and(|it| std::ptr::eq(&raw const **it, node))
    }
}

/// `w[2][1]`, for the number at `place` of a list of this shape. The name itself for a number.
pub fn item_name(list: &str, shape: &ListShape, place: u32) -> String {
    let mut name = list.to_string();
    for at in shape.path(place as usize) {
        // Writing into a string cannot fail.
        let _ = write!(name, "[{at}]");
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Session;

    #[test]
    fn a_node_keeps_its_names_in_order() {
        let mut session = Session::new();
        let x = session.program.graph.leaf(3.0, false);
        let other = session.program.graph.leaf(4.0, false);
        for name in ["x", "y", "z"] {
            let id = session.names_mut().intern(name);
            session.give_name(id, Rc::clone(&x).into());
        }
        let listed = |session: &Session, node: &Node| {
            let names = session.names.texts_of_node(node);
            names.collect::<Vec<_>>().join(" ")
        };
        assert_eq!(listed(&session, &x), "x y z");
        let (y, mark) = (session.names_mut().intern("y"), session.log.mark());
        session.give_name(y, Rc::clone(&other).into());
        assert_eq!(listed(&session, &x), "x z");
        assert_eq!(listed(&session, &other), "y");
        let first = session.names_mut().intern("x");
        session.take_name(first);
        assert_eq!(listed(&session, &x), "z");
        session.give_name(y, Rc::clone(&x).into());
        assert_eq!(listed(&session, &x), "z y");
        assert_eq!(listed(&session, &other), "");
        // A binding that is restored takes its old place in the order.
        session.take_back(mark);
        assert_eq!(listed(&session, &x), "x y z");
    }

    #[test]
    fn names_are_compared_composed() {
        let mut session = Session::new();
        let composed = session.names_mut().intern("é");
        let leaf = session.program.graph.leaf(3.0, false);
        session.give_name(composed, leaf.into());
        assert_eq!(session.names.id("e\u{301}"), Some(composed));
    }
}
