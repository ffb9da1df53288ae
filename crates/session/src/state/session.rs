//! A session: the parts of its state, and how they are read and changed.

use std::mem::{swap, take};
use std::rc::Rc;

use crate::by_hand::guesses::{Claims, ShownGrads};
use crate::growth::Growth;
use crate::host::{Host, SharedHost};
use crate::kept::KeptStatements;
use crate::limits::Limits;
use crate::naming::{SharedNames, Texts};
use crate::network_classes::{NetworkClasses, NetworkState};
use crate::results::Results;
use crate::settings::{SEEDS, Settings};
use crate::state::journal::Journal;
use crate::state::log::Log;
use crate::state::recent::{NoteOnce, NotesGiven, Recent};
use crate::state::running::Running;
use crate::state::show::{Reader, Replay, Show};
use crate::state::waiting::WaitingList;
use crate::state::write::Write;
use crate::steps::StepMemory;
use crate::{naming, settings};
use chainrule_engine::graph::{Node, NodeId, Pass};
use chainrule_program::functions::Functions;
use chainrule_program::values::Value;
use chainrule_program::{Program, add_new};
use chainrule_report::Note;

/// Everything that lasts from one statement to the next.
#[derive(Default)]
pub struct Session {
    /// The graph, the functions, the random numbers and the guards.
    pub(crate) program: Program,
    // Only `write` changes the fields from here to `claims`, so that undo can take the changes back.
    pub(crate) names: SharedNames,
    pub(crate) results: Results,
    pub(crate) settings: Settings,
    pub(crate) steps: StepMemory,
    pub(crate) network: NetworkState,
    pub(crate) claims: Rc<Claims>,
    /// The names that stand for texts.
    pub(crate) texts: Rc<Texts>,
    /// The bindings that wait for letters.
    pub(crate) waiting: WaitingList,
    /// The statements of a saved session.
    pub(crate) kept: KeptStatements,
    /// The writes that undo the changes since the oldest statement that can be undone.
    pub(crate) log: Log,
    pub(crate) journal: Journal,
    pub(crate) recent: Recent,
    pub(crate) running: Running,
    /// The grads that answers have shown.
    pub(crate) shown: Vec<ShownGrads>,
    pub(crate) host: SharedHost,
    /// The look of answers.
    pub show: Show,
    /// What is kept so that statements can be answered again.
    pub replay: Replay,
    /// Whether a grad is 0 as long as no pass has run. A statement that only shows grads sets it while it runs.
    pub reads_missing_grads: bool,
}

impl Session {
    /// An empty session with a host that never interrupts.
    pub fn new() -> Session {
        Session::default()
    }

    /// The classes with which Python builds networks.
    pub fn network(&self) -> NetworkClasses {
        self.network.classes
    }

    /// Adds a note to the running statement, unless it has this note already.
    pub(crate) fn add_note(&mut self, note: Note) {
        add_new(&mut self.running.notes, note);
    }

    /// Makes a change, and logs the opposite one.
    pub(crate) fn write(&mut self, mut write: Write) {
        self.swap(&mut write);
        self.log.push(write);
    }

    /// Makes a change, and turns the write into the opposite one.
    pub(crate) fn swap(&mut self, write: &mut Write) {
        match write {
            Write::Names(it) => {
                self.program.guards.compare_again();
                swap(&mut self.names, it);
            }
            Write::Name(name, it) => self.names_mut().bindings.swap(*name, it),
            Write::Lost(name, first, it) => {
                *it = self.names_mut().formers.swap(*name, *first, take(it));
            }
            Write::Label(it) => self.names_mut().labels.swap(it),
            Write::Heading(it) => self.names_mut().headings.swap(it),
            Write::Range(it) => self.names_mut().ranges.swap(it),
            Write::Uncertainty(it) => {
                self.program.guards.compare_again();
                self.names_mut().uncertain.swap(it);
            }
            Write::Function(name, it) => self.program.functions.swap(name, it),
            Write::Setting(place, it) => self.settings.swap(*place, it),
            Write::Leaf(leaf, data, frozen) => {
                let before = leaf.data();
                if before.to_bits() != data.to_bits() {
                    self.program.graph.set(leaf, *data);
                }
                *data = before;
                *frozen = self.program.graph.set_frozen(leaf, *frozen);
            }
            Write::AllMove(it) => self.steps.all_moves.swap(it),
            Write::Random(it) => swap(&mut self.program.random, it),
            Write::Claim(it) => Rc::make_mut(&mut self.claims).swap(it),
            Write::Targets(it) => swap(&mut self.recent.targets, it),
            Write::Optimizer(it) => swap(&mut self.steps.optimizer, it),
            Write::Texts(it) => swap(&mut self.texts, it),
            Write::Waiting(it) => swap(&mut self.waiting, it),
            Write::Network(it) => swap(&mut self.network.classes, it),
            Write::Results(it) => it.swap_in(&mut self.results.0),
            Write::Kept(it) => self.kept.list.swap(it),
            Write::Trails(it) => swap(&mut self.steps.trails, it),
            Write::Trail(it) => self.steps.trails.swap(it),
        }
    }

    /// How large a statement may get. Tests lower it.
    pub fn limits_mut(&mut self) -> &mut Limits {
        &mut self.program.limits
    }

    /// The world outside: files, and whether to stop.
    pub fn host(&self) -> Rc<dyn Host> {
        Rc::clone(&self.host.0)
    }

    /// Replaces the host, and returns the old one.
    pub fn set_host(&mut self, host: Rc<dyn Host>) -> Rc<dyn Host> {
        std::mem::replace(&mut self.host.0, host)
    }

    /// The user's settings.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Changes settings without an entry for undo: the options of the program set defaults. Commands use
    /// [`Session::configure`].
    pub fn settings_mut(&mut self) -> &mut Settings {
        &mut self.settings
    }

    /// The notes that have been given. A page restores them after it has answered again.
    pub fn notes_given_mut(&mut self) -> &mut NotesGiven {
        &mut self.recent.notes_given
    }

    /// Remembers that a note is given, and returns whether it was not given before.
    pub fn is_first(&mut self, note: NoteOnce) -> bool {
        !std::mem::replace(&mut self.recent.notes_given[note as usize], true)
    }

    /// The most rows that a table shows.
    pub fn table_rows(&self) -> usize {
        if self.show.reader == Reader::Program {
            usize::MAX
        } else {
            self.settings.count("table-rows")
        }
    }

    /// All functions of the user's own.
    pub fn functions(&self) -> &Functions {
        &self.program.functions
    }

    /// Changes a setting to a value that it may have. A seed goes to the position in its sequence after `drawn` numbers, as
    /// `Sequence::go_to` counts them.
    pub fn configure(&mut self, key: &'static str, value: u64, drawn: f64) {
        if self.settings.value(key) != value {
            self.write(Write::Setting(settings::row_index(key), value));
        }
        if SEEDS.contains(&key) {
            let mut place = Box::new(self.program.random.clone());
            place.go_to(key, value, drawn);
            self.write(Write::Random(place));
        }
    }

    /// Whether there are no names, functions or results.
    pub fn is_empty(&self) -> bool {
        self.names.bound_values().next().is_none()
            && self.program.functions.is_empty()
            && self.results.last().is_none()
    }

    /// The names and their nodes.
    pub fn names(&self) -> &SharedNames {
        &self.names
    }

    pub(crate) fn names_mut(&mut self) -> &mut naming::Names {
        Rc::make_mut(&mut self.names)
    }

    /// The journal of changes that can be undone and redone.
    pub fn journal(&self) -> &Journal {
        &self.journal
    }

    /// The last pass.
    pub fn pass(&self) -> Option<&Rc<Pass>> {
        self.recent.pass.as_ref()
    }

    /// Drops the last pass, in a trial.
    pub fn forget_pass(&mut self) {
        self.recent.pass = None;
    }

    /// Whether data has changed since the last pass.
    pub fn is_stale(&self) -> bool {
        let clock = self.program.graph.clock();
        self.pass().is_some_and(|pass| pass.clock() != clock)
    }

    /// Whether the last pass has found a grad of a node.
    pub(crate) fn has_grad(&self, node: &Node) -> bool {
        self.pass().is_some_and(|pass| pass.grad(node).is_some())
    }

    /// Runs a new pass from a root and keeps it.
    pub fn backward(&mut self, root: &Rc<Node>) {
        self.drop_claims();
        self.recent.pass = Some(Rc::new(Pass::run(root, &self.program.graph)));
        self.aim_moves_at(root);
    }

    /// Runs the last pass again on the current data, if there was one.
    pub fn repeat_pass(&mut self) {
        if let Some(pass) = &mut self.recent.pass {
            Rc::make_mut(pass).refresh(&self.program.graph);
            self.drop_claims();
        }
    }

    /// Keeps a value as the last result, `ans`, and returns its number, as in `$3`.
    pub fn answer(&mut self, value: Value) -> u64 {
        self.write(Write::Results(Growth::Add(vec![Some(value)])));
        self.recent.has_lost_results = false;
        self.results.count()
    }

    /// The last results.
    pub fn results(&self) -> &Results {
        &self.results
    }

    /// The text that refers to a node: its name, its former name, or its expression.
    pub fn label(&self, node: &Rc<Node>) -> String {
        naming::labels::label(&self.names, node)
    }

    /// A node's own expression in terms of its operands' labels; empty for a leaf.
    pub fn expression(&self, node: &Rc<Node>) -> String {
        naming::labels::expression(&self.names, node)
    }

    /// The id of the newest node. [`Program::rewind`] frees the ids after it.
    pub fn newest_id(&self) -> NodeId {
        self.program.graph.last_id()
    }
}
