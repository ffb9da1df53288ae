//! Exports a root and its gradient with respect to the free leaves below it as a program in C, Python or JAX, or as a
//! document of LaTeX.
//!
//! A program has only the nodes that the root depends on; frozen leaves and constants become numbers. C writes one
//! statement for each node, and the derivatives are nodes, too. Python and JAX compute with lists. The frame of a Python
//! program contains a tape for the gradient, and JAX differentiates by itself. The modules, from the root to the file:
//!
//! - [`Computation`] puts the nodes in order: those that depend on a free leaf. All other nodes are numbers in the program.
//! - `programs` writes a root in C, Python and JAX, and `tex_document` in LaTeX. For Python and JAX, `programs` gathers
//!   leaves in arrays.
//! - `writer` writes the statements, of columns of values. `recipes` finds the operation that computes each column, and
//!   `lists` writes lists and loops.
//! - `dialect` spells the operations, and `operation_text` puts their operands in.
//! - `identifiers` makes names, and this file writes names, numbers and long lists.
//! - `inline` joins short statements.
//! - `frame` adds the user's function, and puts all parts into one of the templates `frame.*`.

mod dialect;
mod frame;
mod identifiers;
mod inline;
mod lists;
mod operation_text;
mod programs;
mod recipes;
mod tex_document;
mod writer;

pub(crate) use self::dialect::Dialect;
pub(crate) use self::programs::{c, jax, python};
pub(crate) use self::tex_document::tex_document;

use std::rc::Rc;

use rustc_hash::FxHashSet;

use chainrule_engine::graph::{Node, NodeId, Order};
use chainrule_engine::ops::Op;
use chainrule_session::Session;
use chainrule_stop as stop;

/// The most lines of the function in an exported program.
pub const MOST_LINES: usize = 10_000;

/// The reason for which a root cannot be exported.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Refusal {
    /// The language has no function for this operation.
    MissingFunction(&'static Op),
    /// The program would have more lines than [`MOST_LINES`].
    TooLong,
}

/// The nodes from which a program computes a root.
#[derive(Debug)]
pub(crate) struct Computation {
    /// The root.
    pub(crate) root: Rc<Node>,
    /// The free leaves below it, in the order of creation.
    pub(crate) leaves: Vec<Rc<Node>>,
    /// The user's function that is exported. `None` for an expression, also if its root is a call.
    pub(crate) function: Option<FunctionCall>,
    /// The nodes above free leaves, operands before users.
    pub(crate) computed: Vec<Rc<Node>>,
    /// The ids of the leaves and of the computed nodes.
    moving: FxHashSet<NodeId>,
}

/// A call of a function of the user's with leaves.
#[derive(Debug)]
pub(crate) struct FunctionCall {
    /// The name of the function.
    pub(crate) name: Rc<str>,
    /// The leaves, which have the names of the parameters.
    pub(crate) parameters: Vec<Rc<Node>>,
}

impl Computation {
    /// Returns the computation of this root from its free leaves.
    pub(crate) fn below(root: &Rc<Node>) -> Computation {
        Computation::of(root, &[], Node::is_free)
    }

    /// Returns the computation of a root and of its derivatives `slopes` from the leaves for which `moves` returns true.
    fn of(root: &Rc<Node>, slopes: &[Rc<Node>], moves: impl Fn(&Node) -> bool) -> Self {
        let mut computation = Computation {
            root: Rc::clone(root),
            leaves: Vec::new(),
            function: None,
            computed: Vec::new(),
            moving: FxHashSet::default(),
        };
        let order = Order::below(std::iter::once(root).chain(slopes));
        for node in stop::with_checks(order.nodes().iter().rev()) {
            let mut operands = node.operands().iter();
            if node.is_leaf() && moves(node) {
                computation.leaves.push(Rc::clone(node));
            } else if operands.any(|operand| computation.moving.contains(&operand.id())) {
                computation.computed.push(Rc::clone(node));
            } else {
                continue;
            }
            computation.moving.insert(node.id());
        }
        computation.leaves.sort_by_key(|leaf| leaf.id());
        computation
    }
}

/// The beginning of every exported program, after the comment marker. `:export` overwrites only files that start with it.
const FILE_MARKER: &str = "exported by chainrule ";

/// Returns whether a file begins as an exported program does.
pub(crate) fn is_exported(beginning: &[u8]) -> bool {
    let text = String::from_utf8_lossy(beginning);
    let code = text.trim_start_matches(['/', '*', '#', '%', ' ']);
    code.starts_with(FILE_MARKER)
}

/// Returns the first line of a program, without the comment marker.
fn first_line() -> String {
    let version = env!("CARGO_PKG_VERSION");
    format!("{FILE_MARKER}{version}; `:export` replaces this file")
}

/// A list of this many characters or more goes over several lines.
const LONGEST_LIST: usize = 70;

/// The number of items in each line of a long list: four numbers with all digits fill a line.
const ITEMS_IN_LINE: usize = 4;

/// Joins items with commas, in several lines if they are long.
fn join_items(items: &[String]) -> String {
    let length: usize = items.iter().map(|item| item.len() + 2).sum();
    if length < LONGEST_LIST {
        return items.join(", ");
    }
    let lines = items.chunks(ITEMS_IN_LINE).map(|items| items.join(", "));
    let margin = "\n        ";
    margin.to_string() + &lines.collect::<Vec<_>>().join(&format!(",{margin}"))
}

/// Returns a text as a string literal of C and of Python. Blanks replace control characters.
fn quote(text: &str) -> String {
    let plain = text.replace(char::is_control, " ");
    format!("\"{}\"", plain.replace('\\', "\\\\").replace('"', "\\\""))
}

/// Returns the literal of a number without the brackets of negative numbers.
fn bare(dialect: Dialect, number: f64) -> String {
    dialect.literal(number).replace(['(', ')'], "")
}

/// Returns whether a node becomes a variable with its own name: a leaf, or a node that the user has named.
fn has_name(session: &Session, node: &Node) -> bool {
    node.is_leaf() || session.names().first_name_or_former(node).is_some()
}

/// Returns the name of a node for which [`has_name`] returns true. A leaf that has lost all its names is called by its id.
fn variable_name(session: &Session, node: &Rc<Node>) -> String {
    if session.names().first_name_or_former(node).is_some() {
        session.label(node)
    } else {
        format!("@{}", node.id())
    }
}
