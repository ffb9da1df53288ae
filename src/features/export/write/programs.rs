//! Writes a root and its gradient as a program in C, in Python, or in Python with JAX.
//!
//! In C it is a function without branches. The derivatives are nodes, as `grad()` builds them, so the program is a list of
//! nodes, operands before users. If a factor of the chain rule is infinite or NaN at present, an exact zero absorbs it, as
//! in a backward pass; all other factors are simply multiplied.
//!
//! Python needs no library: a loop over a list is a function that `map` calls, and each operation is recorded on a tape
//! that one sweep reads backward. With `NumPy`, the numbers on the tape are arrays.
//!
//! In JAX a list is an array, and a loop over a list is a function that `jax.vmap` maps. JAX computes the gradient itself,
//! so only values are written. Leaves are the arrays of two dictionaries: `params` has the free leaves, and `data` has the
//! lists of frozen leaves.
//!
//! For Python and JAX, leaves are gathered in arrays, which are the user's lists. Computed lists that have names are
//! written first, so that later lines refer to them.

use std::rc::Rc;

use rustc_hash::FxHashSet;

use super::frame::{file, fill_frame};
use super::inline::inline;
use super::writer::{PROGRAM, Phrase, ProgramArray, Writer};
use super::{Computation, Dialect, Refusal, bare, quote, variable_name};
use chainrule_engine::graph::{Node, NodeId, Order};
use chainrule_program::values::{List, Value};
use chainrule_session::Session;
use chainrule_stop as stop;

/// The most arrays that one line takes from the argument.
const MOST_ARRAYS_IN_LINE: usize = 4;

/// Returns the program in C for a root; `slopes` are the derivatives by its leaves.
pub(crate) fn c(session: &Session, computation: &Computation, slopes: &[Rc<Node>]) -> Phrase {
    let whole = Computation::of(&computation.root, slopes, Node::is_free);
    let mut writer = Writer::new(session, Dialect::C);
    writer.moving = whole.moving;
    for (place, leaf) in whole.leaves.iter().enumerate() {
        writer.declare_leaf(leaf, &format!("leaves[{place}]"))?;
    }
    for node in stop::with_checks(whole.computed.iter()) {
        writer.write_node(node)?;
    }
    for (place, slope) in slopes.iter().enumerate() {
        let text = writer.write_node(slope)?;
        writer.write_line(PROGRAM, &format!("grad[{place}] = {text}"))?;
    }
    let value = writer.write_node(&computation.root)?;
    let parts = [("value", &*value)];
    Ok(file(&writer, computation, writer.statements(), &parts))
}

/// Returns the program in Python for a root, in a dialect with a tape.
pub(crate) fn python(session: &Session, computation: &Computation, dialect: Dialect) -> Phrase {
    let mut writer = Writer::new(session, dialect);
    writer.write_with_arrays(&computation.root, "root = ")?;
    let (params, data) = writer.leaf_arrays();
    let leaves = &computation.leaves;
    let mut code = Vec::new();
    for arrays in params.chunks(MOST_ARRAYS_IN_LINE) {
        let names: Vec<&str> = arrays.iter().map(|array| &*array.text).collect();
        let texts = arrays.iter().map(|array| array_text(leaves, array));
        let all_texts = texts.collect::<Vec<_>>().join(", ");
        code.push(format!("    {} = {all_texts}", names.join(", ")));
    }
    code.extend(inline(writer.statements().to_vec()));
    let definition = |array: &&ProgramArray| {
        let numbers = numbers_text(Dialect::Python, array);
        format!("{} = {numbers}\n", array.text)
    };
    let definitions: String = data.iter().map(definition).collect();
    let (imports, guard, convert) = match dialect {
        Dialect::NumPy => (
            "import numpy as np\n",
            "@np.errstate(all=\"ignore\")",
            "np.asarray(x, float)",
        ),
        _ => ("", "", "float(x)"),
    };
    let parts = [
        ("data", &*definitions),
        ("imports", imports),
        ("guard", guard),
        ("convert", convert),
    ];
    Ok(file(&writer, computation, &code, &parts))
}

/// Returns the text that takes an array from the argument `leaves` of the function: the free leaves below the root, in the
/// order of creation. A row of leaves that are side by side in the argument, too, is a slice. A leaf on which the root does
/// not depend is a number.
fn array_text(leaves: &[Rc<Node>], array: &ProgramArray) -> String {
    let place = |leaf: &Rc<Node>| leaves.binary_search_by_key(&leaf.id(), |it| it.id()).ok();
    let leaf_text = |leaf: &Rc<Node>| match place(leaf) {
        Some(place) => format!("leaves[{place}]"),
        None => bare(Dialect::Python, leaf.data()),
    };
    let row_text = |row: &[Rc<Node>]| {
        let places: Option<Vec<usize>> = row.iter().map(place).collect();
        let in_steps = places.filter(|it| it.is_sorted_by(|one, next| one + 1 == *next));
        let slice = in_steps.map(|it| format!("leaves[{}:{}]", it[0], it[0] + row.len()));
        slice.unwrap_or_else(|| list_of(row.iter().map(leaf_text)))
    };
    nested_list(&array.leaves, &array.shape, &leaf_text, &row_text)
}

/// Returns the program in JAX for a root.
pub(crate) fn jax(session: &Session, computation: &Computation) -> Phrase {
    let mut writer = Writer::new(session, Dialect::Jax);
    writer.write_with_arrays(&computation.root, "return ")?;
    let (params, data) = writer.leaf_arrays();
    let mut tables = String::new();
    let mut code = Vec::new();
    for (dictionary, arrays) in [("params", &params), ("data", &data)] {
        if !arrays.is_empty() {
            let entry = |it: &&ProgramArray| {
                let numbers = numbers_text(Dialect::Jax, it);
                format!("    {}: jnp.array({numbers}),\n", it.key)
            };
            let entries: String = arrays.iter().map(entry).collect();
            tables.extend([dictionary, " = {\n", &entries, "}\n\n"]);
            let line = |it: &&ProgramArray| format!("    {} = {dictionary}[{}]", it.text, it.key);
            code.extend(arrays.iter().map(line));
        }
    }
    code.extend(inline(writer.statements().to_vec()));
    let mut more_arguments = "";
    if !data.is_empty() {
        more_arguments = ", data";
        // The longest arrays are split among devices. Shorter ones have no item for each observation.
        let longest = data.iter().map(|array| array.shape[0]).max();
        let batch = data.iter().filter(|array| Some(array.shape[0]) == longest);
        let keys: Vec<&str> = batch.map(|array| &*array.key).collect();
        let sharding = include_str!("sharding.jax.py");
        tables += &fill_frame(sharding, &[("keys", &keys.join(", "))]);
    }
    let parts = [("more", more_arguments), ("tables", &tables)];
    Ok(file(&writer, computation, &code, &parts))
}

impl Writer<'_> {
    /// Writes a root, and a last line that begins with this text and ends with the root's value.
    fn write_with_arrays(&mut self, root: &Rc<Node>, last_line: &str) -> Result<(), Refusal> {
        let named_lists = named_lists(self.session);
        let order = Order::below([root]);
        for mut array in leaf_arrays(self.session, &order, &named_lists) {
            array.text = self.identifiers.of(&array.text);
            let leaves = array.leaves.clone();
            self.add_array(array, &leaves);
        }
        let is_in_array = |leaf: &Node| self.array_places.contains_key(&leaf.id());
        self.moving = Computation::of(root, &[], is_in_array).moving;
        let moves = |node: &Rc<Node>| self.moving.contains(&node.id());
        // Operands before users: a list is as old as its newest item.
        let all_lists = named_lists.into_iter().map(|(_, list)| list);
        let moving = all_lists.filter(|list| list.nodes().iter().all(moves));
        let mut moving_lists: Vec<&Rc<List>> = moving.collect();
        moving_lists.sort_by_cached_key(|list| list.nodes().iter().map(|node| node.id()).max());
        for list in moving_lists {
            self.write_column(PROGRAM, vec![Value::List(Rc::clone(list))])?;
        }
        let result = self.write_node(root)?;
        self.write_line(PROGRAM, &format!("{last_line}{result}"))
    }
}

/// A list with its name.
type NamedList<'s> = (&'s str, &'s Rc<List>);

/// Returns the lists with names that can be arrays, in the order of definition. Of several names of a list the first one
/// counts.
fn named_lists(session: &Session) -> Vec<NamedList<'_>> {
    let mut known = FxHashSet::default();
    let values = session.names().bound_values();
    let lists = values.filter_map(|(name, value)| Some((name, value.list()?)));
    lists
        .filter(|(_, list)| !list.nodes().is_empty() && list.shape().is_regular())
        .filter(|(_, list)| known.insert(Rc::as_ptr(list)))
        .collect()
}

/// Returns the arrays of the leaves in an order, the oldest first: lists that have names and share no leaf, and each free
/// leaf outside of these lists. All other frozen leaves become numbers. The text of each array is its name as the user
/// wrote it.
fn leaf_arrays(session: &Session, order: &Order, named_lists: &[NamedList]) -> Vec<ProgramArray> {
    let mut taken: FxHashSet<NodeId> = FxHashSet::default();
    let mut arrays = Vec::new();
    for (name, list) in stop::with_checks(named_lists.iter()) {
        if is_leaf_array(list, order, &taken) {
            taken.extend(list.nodes().iter().map(|leaf| leaf.id()));
            arrays.push(leaf_array(name, list.shape().lengths(), list.nodes()));
        }
    }
    let is_alone = |leaf: &&Rc<Node>| leaf.is_free() && !taken.contains(&leaf.id());
    for leaf in order.nodes().iter().filter(is_alone) {
        let name = variable_name(session, leaf);
        arrays.push(leaf_array(&name, None, std::slice::from_ref(leaf)));
    }
    arrays.sort_by_key(|array| array.leaves[0].id());
    arrays
}

/// Returns whether a list consists of leaves that are all free or all frozen, none of them in an earlier array, and at
/// least one of them in the order.
fn is_leaf_array(list: &List, order: &Order, taken: &FxHashSet<NodeId>) -> bool {
    let leaves = list.nodes();
    let fits_in = |node: &Rc<Node>| {
        node.is_leaf() && node.is_free() == leaves[0].is_free() && !taken.contains(&node.id())
    };
    // If each leaf is newer than the leaf before, no leaf is in the list twice.
    leaves.is_sorted_by(|one, next| one.id() < next.id())
        && leaves.iter().all(fits_in)
        && leaves.iter().any(|leaf| order.slot(leaf).is_some())
}

/// Returns an array of leaves. A single leaf has no shape.
fn leaf_array(name: &str, shape: Option<Vec<usize>>, leaves: &[Rc<Node>]) -> ProgramArray {
    ProgramArray {
        text: name.to_owned(),
        shape: shape.unwrap_or_default(),
        key: quote(name),
        leaves: leaves.to_vec(),
    }
}

/// Returns the present numbers of an array as a nested list.
fn numbers_text(dialect: Dialect, array: &ProgramArray) -> String {
    let number = |leaf: &Rc<Node>| bare(dialect, leaf.data());
    let row = |row: &[Rc<Node>]| list_of(row.iter().map(number));
    nested_list(&array.leaves, &array.shape, &number, &row)
}

/// Returns leaves as a nested list of this shape. `row` writes the innermost lists, and `leaf` a leaf without a shape.
fn nested_list(
    leaves: &[Rc<Node>],
    shape: &[usize],
    leaf: &impl Fn(&Rc<Node>) -> String,
    row: &impl Fn(&[Rc<Node>]) -> String,
) -> String {
    match shape {
        [] => leaf(&leaves[0]),
        [count, inner @ ..] if !inner.is_empty() => {
            // `chunks` panics at 0, which is the length of an empty row.
            let rows = leaves.chunks((leaves.len() / count).max(1));
            list_of(rows.map(|of_row| nested_list(of_row, inner, leaf, row)))
        }
        _ => row(leaves),
    }
}

/// Returns a list of these items: `[a, b]`.
fn list_of(items: impl Iterator<Item = String>) -> String {
    format!("[{}]", items.collect::<Vec<_>>().join(", "))
}
