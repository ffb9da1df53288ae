//! Says what code needs of the session around it, [`Environment`]: to look up and bind names, to read gradients and
//! uncertainties, and to note what it has done.

use std::rc::Rc;

use rustc_hash::FxHashSet;

use crate::error::Error;
use crate::functions::{Function, is_built_in};
use crate::program::Program;
use crate::values::Value;
use chainrule_engine::graph::Node;
use chainrule_engine::ops;
use chainrule_language::{Item, Name, Property, Span};
use chainrule_report::Note;

/// The name that always means the last result.
pub const LAST_RESULT: &str = "_";

/// The names that mean the last result. The user may bind the first one.
pub const ANSWERS: [&str; 2] = ["ans", LAST_RESULT];

/// The session around code that is compiled and run: its names, and what it shows and remembers.
pub trait Environment {
    /// The graph, the functions and the random numbers.
    fn program(&self) -> &Program;

    /// The same, to change it.
    fn program_mut(&mut self) -> &mut Program;

    /// The value of a name of the user.
    fn find(&self, name: &str) -> Option<&Value>;

    /// Whether a name stands for a value.
    fn knows(&self, name: &str) -> bool {
        self.find(name).is_some() || ANSWERS.contains(&name) || ops::constant(name).is_some()
    }

    /// Whether there is a function with this name, with any number of arguments.
    fn is_function(&self, name: &str) -> bool {
        self.program().functions.get(name).is_some() || is_built_in(name)
    }

    /// The text for which a name of the user stands.
    fn text(&self, name: &str) -> Option<&Rc<str>>;

    /// Lets a name stand for a text, or with `None` no longer for one.
    fn bind_text(&mut self, name: &str, text: Option<Rc<str>>);

    /// The names of the user that have a value.
    fn bound_names(&self) -> Vec<&str>;

    /// The value of the last result.
    fn last_result(&self) -> Option<&Value>;

    /// Whether a redo has taken back later results than the last one.
    fn has_lost_results(&self) -> bool;

    /// The value of the reference at `at`: `a@1`, `@9`, `$3`.
    fn value_of_reference(
        &mut self,
        text: &str,
        items: &[Item<Name>],
        at: usize,
    ) -> Result<Value, Error>;

    /// Binds a name in a block. Returns a note if a formula still uses a leaf of the old value.
    fn bind_in_block(&mut self, name: &str, value: &Value) -> Option<Note>;

    /// Binds the variable of a loop to an item, whose numbers depend on leaves.
    fn bind_item(&mut self, name: &str, item: &Value);

    /// Binds a name to the last of the values that it has had in a block. Nothing is recorded of its old value.
    fn rebind(&mut self, name: &str, value: &Value);

    /// Makes a name the target.
    fn aim_at_name(&mut self, name: &str);

    /// The id of a name of the user, and its value.
    fn find_with_id(&self, name: &str) -> Option<(u32, &Value)>;

    /// Whether a node has a name whose id is not among these.
    fn has_other_name(&self, node: &Node, ids: &FxHashSet<u32>) -> bool;

    /// Whether the last pass has found a grad of a node.
    fn has_grad(&self, node: &Node) -> bool;

    /// Forgets a name.
    fn forget(&mut self, name: &str);

    /// Gives a name a function.
    fn define(&mut self, function: Function);

    /// Records the call that made a node, which becomes its label: `f(a)`.
    fn remember_call(
        &mut self,
        node: &Rc<Node>,
        name: &Rc<str>,
        function: Option<&Rc<Function>>,
        arguments: &[Value],
    );

    /// Whether a name without a value waits for numbers.
    fn waits(&self, name: &str) -> bool;

    /// Gives the leaf that stands for a parameter the name of this parameter, which is not bound.
    fn name_parameter(&mut self, leaf: &Rc<Node>, name: &Rc<str>);

    /// The label of a node, for messages.
    fn label(&self, node: &Rc<Node>) -> String;

    /// Gives a node a label, as `n.label = 'n'` does.
    fn relabel(&mut self, node: &Rc<Node>, label: &str, span: Span) -> Result<(), Error>;

    /// The `±` of a node, as a number.
    fn deviation(&self, node: &Rc<Node>) -> f64;

    /// Whether a leaf has a `±`.
    fn is_uncertain(&self, leaf: &Node) -> bool;

    /// A leaf with a `±`, which may be per cent.
    fn uncertain_leaf(
        &mut self,
        number: &Value,
        width: &Value,
        is_per_cent: bool,
        span: Span,
    ) -> Result<Value, Error>;

    /// `.data`, `.grad` or `.sigma` of a value, as constants, and whether a stale gradient was read.
    fn property(
        &mut self,
        property: Property,
        value: &Value,
        span: Span,
    ) -> Result<(Value, bool), Error>;

    /// Refuses the derivative of a root by nodes to which `:solve` has tied it, if the graph has no path to one.
    fn check_ties(&self, root: &Rc<Node>, by: &[Rc<Node>], span: Span) -> Result<(), Error>;

    /// Remembers the grads of a root by some nodes, which the answer shows.
    fn note_shown(&mut self, root: &Rc<Node>, by: &[Rc<Node>]);

    /// Notes that the data of a node was read or printed.
    fn note_moved_root(&mut self, node: &Rc<Node>);

    /// Lets the nodes that are older than the running block follow the leaves that it has moved. Returns a note if a node
    /// became NaN or infinite.
    fn follow_moves(&mut self) -> Option<Note>;

    /// Ends a round of an inner loop of a block.
    fn end_inner_round(&mut self);

    /// Adds a note to the running statement.
    fn add_note(&mut self, note: Note);

    /// Adds the note that Python would join lists which were added, once in a session.
    fn note_added_lists(&mut self);
}
