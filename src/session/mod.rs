//! A session: what lasts from one statement to the next.
//!
//! Names and the nodes they stand for (`naming`), functions, the last pass, the last results, watches, settings, the
//! journal of changes (`history`), and what is done by hand (`by_hand`). Expressions become nodes in `building`, and a
//! session becomes a script in `saving`.
//!
//! A statement builds first and binds last, so one that fails leaves no trace. The session knows no commands and no
//! output: it answers with nodes, numbers and notes. `audit` compares what is remembered with what it would be anew.

mod audit;
pub mod building;
pub mod by_hand;
mod error;
pub(crate) mod functions;
pub mod history;
mod host;
pub mod naming;
pub mod results;
pub(crate) mod saving;
pub mod settings;
pub mod watches;

use std::rc::Rc;

pub use self::building::Bound;
pub use self::building::{Built, Evaluated};
pub use self::error::Error;
pub use self::functions::{Function, GRAD};
pub use self::history::Mark;
pub use self::history::{Descent, Mover};
pub use self::history::{Forgotten, Moved, Setting, Trace};
pub use self::host::{Host, Undisturbed};
pub use self::naming::ANSWERS;
pub use self::naming::labels::Caption;
pub use self::saving::Script;
pub use self::settings::Settings;

use self::by_hand::guesses::Guesses;
use self::by_hand::tour::Tour;
use self::by_hand::walk::Walk;
use self::functions::Functions;
use self::history::Before;
use self::history::Trails;
use self::history::{Change, Journal};
use self::naming::{Names, Paste};
use self::results::Results;
use self::watches::Watch;
use crate::graph::{Graph, Node, NodeId, Pass};

/// Everything that lasts from one statement to the next.
pub struct Session {
    graph: Graph,
    names: Names,
    functions: Functions,
    results: Results,
    /// Shared with the state before a trial, if one is going on.
    pass: Option<Rc<Pass>>,
    /// The pass that is gone through by hand.
    walk: Option<Walk>,
    /// The score of `:guess`, shared with the state before a trial.
    guesses: Rc<Guesses>,
    /// What is shown after every statement that changes it, shared with the state before a trial.
    watches: Rc<Vec<Watch>>,
    /// What `T` left out means: the node of the last value or binding shown, or the last root.
    target: Option<Rc<Node>>,
    /// The node of the last silenced binding or value: better than nothing where nothing was shown.
    unshown: Option<Rc<Node>>,
    journal: Journal,
    /// The values of the roots that were stepped.
    trails: Trails,
    settings: Settings,
    all_rows: bool,
    numbered: bool,
    /// The state before several statements that are tried as one.
    trial: Option<Box<Before>>,
    /// How far the tour has come.
    tour: Tour,
    host: Rc<dyn Host>,
    /// The text of the block that is being run, where several lines were pasted at once.
    paste: Rc<Paste>,
    /// Room for building, kept from one statement to the next.
    stack: Vec<Rc<Node>>,
    /// Room for what a statement changes, likewise.
    changes: Vec<Change>,
    /// How many nodes could have been audited since the last audit; see `audit`.
    unaudited: usize,
}

impl Default for Session {
    fn default() -> Session {
        Session::new()
    }
}

impl Session {
    /// An empty session that is never disturbed.
    pub fn new() -> Session {
        Session {
            graph: Graph::default(),
            names: Names::default(),
            functions: Functions::default(),
            results: Results::default(),
            pass: None,
            walk: None,
            guesses: Rc::default(),
            watches: Rc::default(),
            target: None,
            unshown: None,
            journal: Journal::default(),
            trails: Trails::default(),
            settings: Settings::default(),
            all_rows: false,
            numbered: false,
            trial: None,
            tour: Tour::default(),
            host: Rc::new(Undisturbed),
            paste: Rc::default(),
            stack: Vec::new(),
            changes: Vec::new(),
            unaudited: 0,
        }
    }

    /// Tells which lines were pasted at once, until the next call: what one of them rebinds is no surprise to another.
    pub fn set_paste(&mut self, text: &str) {
        self.paste = Rc::new(Paste::new(text));
    }

    /// The lines that were pasted at once.
    pub fn paste(&self) -> Rc<Paste> {
        Rc::clone(&self.paste)
    }

    /// Who is asked whether to stop.
    pub fn host(&self) -> Rc<dyn Host> {
        Rc::clone(&self.host)
    }

    /// Whom to ask whether to stop; returns who was asked before.
    pub fn set_host(&mut self, host: Rc<dyn Host>) -> Rc<dyn Host> {
        std::mem::replace(&mut self.host, host)
    }

    /// What the user chose.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// For the shell, whose options are defaults and no change to be undone. Commands use [`Session::configure`].
    pub fn settings_mut(&mut self) -> &mut Settings {
        &mut self.settings
    }

    /// The most rows a table shows.
    pub fn table_rows(&self) -> usize {
        if self.all_rows {
            usize::MAX
        } else {
            self.settings.text_rows
        }
    }

    /// Tables show all their rows: for JSON, through which nobody scrolls.
    pub fn show_all_rows(&mut self) {
        self.all_rows = true;
    }

    /// Do tables show all their rows?
    pub fn shows_all_rows(&self) -> bool {
        self.all_rows
    }

    /// From here on answers tell the numbers of results: at a prompt, where `$3` can be typed next.
    pub fn number_results(&mut self) {
        self.numbered = true;
    }

    /// Do answers tell the numbers of results?
    pub fn numbers_results(&self) -> bool {
        self.numbered
    }

    /// Names and their nodes.
    pub fn names(&self) -> &Names {
        &self.names
    }

    /// What can be taken back and done again.
    pub fn journal(&self) -> &Journal {
        &self.journal
    }

    /// The last pass.
    pub fn pass(&self) -> Option<&Pass> {
        self.pass.as_deref()
    }

    /// Has data changed since the last pass?
    pub fn is_stale(&self) -> bool {
        self.pass
            .as_ref()
            .is_some_and(|pass| pass.clock() != self.graph.clock())
    }

    /// Runs a fresh pass from a root and keeps it.
    pub fn backward(&mut self, root: &Rc<Node>) {
        self.pass = Some(Rc::new(Pass::from(root, self.graph.clock())));
        self.target = Some(Rc::clone(root));
    }

    /// Adds a pass from a root to what is there, as it is there: in a training loop that forgets to zero, the old
    /// gradients are those of the old data.
    pub fn accumulate(&mut self, root: &Rc<Node>) {
        let clock = self.graph.clock();
        match &mut self.pass {
            Some(pass) => Rc::make_mut(pass).accumulate(root, clock),
            None => self.pass = Some(Rc::new(Pass::from(root, clock))),
        }
        self.target = Some(Rc::clone(root));
    }

    /// Forgets the gradients; says whether there were any.
    pub fn forget_pass(&mut self) -> bool {
        self.pass.take().is_some()
    }

    /// The node that a left out target means, and whether it was shown (a silenced one is taken only for want of a
    /// better).
    pub fn default_target(&self) -> Option<(Rc<Node>, bool)> {
        let shown = self.target.clone().map(|node| (node, true));
        shown.or_else(|| self.unshown.clone().map(|node| (node, false)))
    }

    /// The node of the last value or binding shown, or the last root.
    pub(crate) fn last_shown(&self) -> Option<&Rc<Node>> {
        self.target.as_ref()
    }

    /// The node of the last silenced binding or value.
    pub(crate) fn last_silenced(&self) -> Option<&Rc<Node>> {
        self.unshown.as_ref()
    }

    /// Remembers what was shown last, or was silenced. A constant (the number of `a.grad`) is nothing to start a pass
    /// from, so it is no target.
    pub fn point_at(&mut self, node: &Rc<Node>, shown: bool) {
        if node.varies() {
            if shown {
                self.target = Some(Rc::clone(node));
            }
            self.unshown = Some(Rc::clone(node));
        }
    }

    /// Keeps a node as the last result, `ans`; returns its number, as in `$3`.
    pub fn answer(&mut self, node: Rc<Node>) -> u64 {
        self.results.push(node)
    }

    /// The last results.
    pub fn results(&self) -> &Results {
        &self.results
    }

    /// The last result: `ans`.
    pub fn last_answer(&self) -> Option<&Rc<Node>> {
        self.results.last()
    }

    /// What a node is called: its name, its former name or its text.
    pub fn label(&self, node: &Rc<Node>) -> String {
        naming::labels::label(&self.names, node)
    }

    /// What a node is shown as in tables and pictures: the label it was given, else what it is called.
    pub fn shown(&self, node: &Rc<Node>) -> String {
        naming::labels::shown(&self.names, node)
    }

    /// The label a node was given, if it has one of its own.
    pub fn own_label(&self, node: &Node) -> Option<&Rc<str>> {
        self.names.label(node)
    }

    /// Nodes with a label of their own, oldest first.
    pub fn own_labels(&self) -> Vec<(Rc<Node>, Rc<str>)> {
        self.names.labels()
    }

    /// What the rows of a table say of their nodes.
    pub fn captions<'n>(&self, nodes: impl Iterator<Item = &'n Rc<Node>> + Clone) -> Vec<Caption> {
        naming::labels::captions(&self.names, nodes)
    }

    /// A node's own expression in operand labels; empty for a leaf.
    pub fn expression(&self, node: &Rc<Node>) -> String {
        naming::labels::expression(&self.names, node)
    }

    /// How an expression was read, if the user wants to see it. A leaf is what it is.
    pub fn reading(&self, node: &Rc<Node>) -> Option<String> {
        let wanted = self.settings.reading && !node.is_leaf() && node.op().is_some();
        wanted.then(|| self.expression(node))
    }

    /// Has a node a name of its own?
    pub fn is_named(&self, node: &Node) -> bool {
        self.names.of(node).next().is_some()
    }

    /// The number of the node made last; nodes made after it can be taken back with [`Session::rewind`].
    pub fn made(&self) -> NodeId {
        self.graph.made()
    }

    /// Takes the numbers of nodes back that are gone.
    pub fn rewind(&mut self, made: NodeId) {
        self.graph.rewind(made);
    }

    /// The existing node that reads so: an unnamed one by its label, a named one by its expression. One of the last
    /// pass is preferred, an older one to a newer one.
    pub fn node_reading(&self, text: &str) -> Option<Rc<Node>> {
        let reads = |node: &&Rc<Node>| !node.is_leaf() && self.expression(node) == text;
        let passed = self
            .pass
            .iter()
            .flat_map(|pass| pass.order().nodes().iter().rev());
        if let Some(found) = passed.into_iter().find(reads) {
            return Some(Rc::clone(found));
        }
        self.graph.living().nodes().find(|node| reads(&node))
    }

    /// A node by its number, among all that anything still holds. Constants have no rows and are asked for by nobody.
    pub fn node_by_id(&self, id: NodeId) -> Option<Rc<Node>> {
        self.graph.living().nodes().find(|node| node.id() == id)
    }
}
