//! Keeps everything that lasts from one statement to the next: a [`Session`].
//!
//! A session has the graph, the names and tags of nodes (labels, headings, uncertainties), functions, results,
//! settings, positions in the random numbers, the memory of steps, the classes of networks, and the typed statements,
//! which `:save` writes. Every change of these is a `Write`. The log gets the opposite `Write`, for `:undo`, for a
//! statement that fails, and for a command that only looks. The session also has the last pass, an open walk and the
//! score of `:guess`. These have no log: a statement that fails restores them, and `:undo` only drops the pass. The log
//! has the targets of commands, too, when a statement has ended.
//!
//! A session has no answers, files or history of passes, and knows no commands: it returns nodes, numbers and notes.
//! The shell sets `show`, which decides how answers look. A statement builds all its nodes before it binds a name.

#![cfg_attr(test, allow(clippy::shadow_unrelated, clippy::too_many_lines))]

pub mod building;
pub mod by_hand;
mod environment;
pub mod history;
mod host;
pub mod limits;
pub mod naming;
pub mod network_classes;
mod results;
mod save;
mod saved_text;
pub mod settings;
pub mod steps;
mod tags;
mod target;
pub mod uncertainty;

pub use self::building::{Acts, Evaluated, Outdated};
pub use self::history::{BlockEnd, Savepoint};
pub use self::history::{Setting, TrialOf};
pub use self::host::{
    CellReading, ColumnKind, Contents, DateOrder, Host, NumberTable, QuietHost, TableColumn,
    setting_text, table_diagnostic,
};
pub use self::naming::SharedNames;
pub use self::naming::labels::kind_of;
pub use self::naming::labels::{Caption, Captions, captions};
pub use self::save::{Keeping, Script, is_saved_session, saved_version};
pub use self::settings::{SEEDS, Settings};
pub use self::steps::{Descent, Mover, StepRule, TrailPoint};
pub use self::tags::{Heading, LeafRange, Tags};
use self::target::Targets;
pub use self::target::{Target, TargetKey};
pub use self::uncertainty::Widths;

use std::mem::replace;
use std::rc::{Rc, Weak};

use self::by_hand::walk::Walk;
use self::by_hand::{Claims, Guesses, ShownGrads, SumSoFar};

use self::history::{Journal, Log, RunningBlock, Trial};
use self::host::SharedHost;
use self::naming::{NameChange, NameId, NameLoss};
use self::network_classes::{NetworkClasses, NetworkState};
use self::results::Results;
use self::save::{KeptStatement, KeptStatements};
use self::steps::{Optimizer, StepMemory, TrailWrite, Trails};
use self::tags::TagWrite;
use self::uncertainty::Uncertainty;
use chainrule_engine::graph::{Node, NodeId, Pass};
use chainrule_program::functions::{Function, Functions};
use chainrule_program::random::Sequence;
use chainrule_program::values::Value;
use chainrule_program::{Program, add_new};
use chainrule_report::Note;

/// Everything that lasts from one statement to the next.
#[derive(Default)]
pub struct Session {
    // Only `write` changes the fields from here to `claims`, so that undo can take the changes back.
    program: Program,
    names: SharedNames,
    results: Results,
    settings: Settings,
    steps: StepMemory,
    network: NetworkState,
    claims: Rc<Claims>,
    /// The statements of a saved session.
    kept: KeptStatements,
    /// The writes that undo the changes since the oldest statement that can be undone.
    log: Log,
    journal: Journal,
    recent: Recent,
    running: Running,
    /// The grads that answers have shown.
    shown: Vec<ShownGrads>,
    host: SharedHost,
    /// The look of answers.
    pub show: Show,
}

/// The state without a log. Each statement copies it first. A copy is cheap, because most fields are shared.
#[derive(Clone, Default)]
struct Recent {
    /// The last pass.
    pass: Option<Rc<Pass>>,
    /// The pass that the user walks through node by node.
    walk: Option<Walk>,
    /// The score of `:guess`.
    guesses: Guesses,
    targets: Targets,
    notes_given: NotesGiven,
    /// The last root above a leaf that a line of Python has moved.
    moved_root: Option<MovedRoot>,
    /// Whether a redo has taken back results, and there is no newer one.
    has_lost_results: bool,
}

/// A root above leaves that lines of Python have moved. Python would not compute the root again.
#[derive(Clone)]
struct MovedRoot {
    node: Weak<Node>,
    /// The data of the root before the first move.
    data: f64,
    /// Whether a note has said that Python would still print this data.
    has_note: bool,
}

/// Whether each [`NoteOnce`] has been given.
pub type NotesGiven = [bool; 4];

/// A note that a session gives only once.
#[derive(Clone, Copy, Debug)]
pub enum NoteOnce {
    /// There are no gradients for a picture yet.
    NoGradients,
    /// An answer has too many nodes for a `±`.
    TooManyNodes,
    /// The functions of an `import` are built in.
    Imports,
    /// Python would join the lists that were added.
    AddedLists,
}

/// The state of the running statement.
#[derive(Default)]
struct Running {
    /// The way in which the statement will be kept.
    keeping: Keeping,
    /// The state before a trial: several statements that succeed or fail as one, such as `:load`.
    trial: Option<Box<Trial>>,
    /// The block that runs.
    block: Option<Box<RunningBlock>>,
    /// Notes on the statement from where its reply is out of reach.
    notes: Vec<Note>,
    /// The grads that the answer shows, unless it is silenced.
    shown: Vec<ShownGrads>,
}

/// The look of answers. The shell sets it.
#[derive(Debug, Default)]
pub struct Show {
    /// Whether tables show all their rows, as in JSON.
    pub shows_all_rows: bool,
    /// Whether answers show the numbers of results, as at the prompt, where the user can type `$3` next.
    pub shows_numbers: bool,
    /// The number of the last result before the statements that a page answers again while it follows a slider. Such
    /// statements only answer, with the present data of leaves. `None` if statements run.
    pub replay_after: Option<u64>,
    /// The ends of the axis of a curve without a typed range, while a page tries the position under the pointer.
    pub axis: Option<(f64, f64)>,
    /// The lines that were pasted together. A line of a paste may rebind a name of another line without a note.
    pub paste: Rc<str>,
    /// The targets that commands have taken because none was typed. A page collects them to answer the commands again.
    pub targets_taken: Option<Vec<Weak<Node>>>,
}

/// A change of a session. The log has the changes that undo earlier ones.
#[derive(Debug)]
enum Write {
    /// All names, and the tags of their nodes.
    Names(SharedNames),
    Name(NameId, NameChange),
    /// The values that have lost a name, after its first losses, which are this many.
    Lost(NameId, u32, Vec<NameLoss>),
    Label(TagWrite<Rc<str>>),
    Heading(Box<TagWrite<Heading>>),
    Range(Box<TagWrite<LeafRange>>),
    Uncertainty(Box<TagWrite<Uncertainty>>),
    Function(Rc<str>, Option<Rc<Function>>),
    Setting(usize, u64),
    /// The data of a leaf, and whether the leaf is frozen.
    Leaf(Rc<Node>, f64, bool),
    /// Whether all lists below a target may move: `:step … all`.
    AllMove(TagWrite<()>),
    Random(Box<Sequence>),
    Claim(TagWrite<SumSoFar>),
    Targets(Box<Targets>),
    Optimizer(Option<Rc<Optimizer>>),
    Network(NetworkClasses),
    Results(Growth<Option<Value>>),
    Kept(Growth<KeptStatement>),
    Trails(Box<Trails>),
    Trail(Box<TrailWrite>),
}

/// A change of a list that grows at its end.
#[derive(Debug)]
enum Growth<T> {
    /// Appends items.
    Add(Vec<T>),
    /// Keeps this many items.
    Shorten(usize),
    /// Replaces all items.
    All(Vec<T>),
}

impl<T> Growth<T> {
    /// Changes a list, and returns the opposite change.
    fn swap_in(self, list: &mut Vec<T>) -> Growth<T> {
        let count = list.len();
        match self {
            Growth::Add(items) => {
                list.extend(items);
                Growth::Shorten(count)
            }
            Growth::Shorten(kept) => Growth::Add(list.split_off(kept.min(count))),
            Growth::All(items) => Growth::All(replace(list, items)),
        }
    }
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
    fn add_note(&mut self, note: Note) {
        add_new(&mut self.running.notes, note);
    }

    /// Makes a change, and logs the opposite one.
    fn write(&mut self, write: Write) {
        let before = self.swap(write);
        self.log.push(before);
    }

    /// Makes a change, and returns the opposite one.
    fn swap(&mut self, write: Write) -> Write {
        match write {
            Write::Names(it) => {
                self.program.guards.compare_again();
                Write::Names(replace(&mut self.names, it))
            }
            Write::Name(name, it) => Write::Name(name, self.names_mut().bindings.swap(name, it)),
            Write::Lost(name, first, it) => {
                Write::Lost(name, first, self.names_mut().formers.swap(name, first, it))
            }
            Write::Label(it) => Write::Label(self.names_mut().labels.swap(it)),
            Write::Heading(it) => Write::Heading(Box::new(self.names_mut().headings.swap(*it))),
            Write::Range(it) => Write::Range(Box::new(self.names_mut().ranges.swap(*it))),
            Write::Uncertainty(it) => {
                self.program.guards.compare_again();
                Write::Uncertainty(Box::new(self.names_mut().uncertain.swap(*it)))
            }
            Write::Function(name, it) => {
                Write::Function(Rc::clone(&name), self.program.functions.swap(name, it))
            }
            Write::Setting(place, it) => Write::Setting(place, self.settings.swap(place, it)),
            Write::Leaf(leaf, data, frozen) => {
                let before = leaf.data();
                if before.to_bits() != data.to_bits() {
                    self.program.graph.set(&leaf, data);
                }
                let was_frozen = self.program.graph.set_frozen(&leaf, frozen);
                Write::Leaf(leaf, before, was_frozen)
            }
            Write::AllMove(it) => Write::AllMove(self.steps.all_moves.swap(it)),
            Write::Random(it) => Write::Random(Box::new(replace(&mut self.program.random, *it))),
            Write::Claim(it) => Write::Claim(Rc::make_mut(&mut self.claims).swap(it)),
            Write::Targets(it) => Write::Targets(Box::new(replace(&mut self.recent.targets, *it))),
            Write::Optimizer(it) => Write::Optimizer(replace(&mut self.steps.optimizer, it)),
            Write::Network(it) => Write::Network(replace(&mut self.network.classes, it)),
            Write::Results(it) => Write::Results(it.swap_in(&mut self.results.0)),
            Write::Kept(it) => Write::Kept(it.swap_in(&mut self.kept.list)),
            Write::Trails(it) => Write::Trails(Box::new(replace(&mut self.steps.trails, *it))),
            Write::Trail(it) => Write::Trail(Box::new(self.steps.trails.swap(*it))),
        }
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
        if self.show.shows_all_rows {
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

    fn names_mut(&mut self) -> &mut naming::Names {
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
