//! The changes that commands make: `:set`, `:freeze` and `:thaw` of leaves, `:del` and `:reset`.
//!
//! When leaves are set, the nodes above them are recomputed. The graph has the data of leaves, and the log has their old
//! data.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::growth::Growth;
use crate::host::SharedHost;
use crate::limits::LABEL_CHARACTERS;
use crate::naming::{Names, SharedNames};
use crate::network_classes::{NetworkClasses, NetworkState};
use crate::settings::SEEDS;
use crate::state::{Recent, Session, Show, Write};
use crate::tags::TagWrite;
use crate::uncertainty::{Uncertainty, Widths};
use chainrule_engine::graph::{Body, Node, NodeId, is_at_fault, values};
use chainrule_language::Span;
use chainrule_program::Environment as _;
use chainrule_program::error::{Error, fail};
use chainrule_program::fault_note;
use chainrule_report::{Note, say};

/// A leaf and its new data.
#[derive(Clone, Debug)]
pub struct Setting {
    /// The leaf.
    pub leaf: Rc<Node>,
    /// Its new data.
    pub data: f64,
}

impl Session {
    /// Sets uncertainties. A typed 0 removes one.
    pub(crate) fn widen(&mut self, widths: Widths) {
        for (leaf, uncertainty) in widths {
            let old_width = self.names.uncertain.of(&leaf).map(Uncertainty::typed_width);
            let new = match uncertainty.typed_width() {
                Some(0.0) => None,
                _ => Some(uncertainty),
            };
            let is_found = new.as_ref().is_some_and(|it| it.found.is_some());
            if is_found || old_width != new.as_ref().map(Uncertainty::typed_width) {
                let write = TagWrite::new(&leaf, new);
                self.write(Write::Uncertainty(Box::new(write)));
            }
        }
    }

    /// Gives a node a label for tables. An empty label removes it, and so does a label that equals [`Session::label`].
    ///
    /// # Errors
    /// If it is longer than 100 characters.
    pub(crate) fn relabel(
        &mut self,
        node: &Rc<Node>,
        label: &str,
        place: Span,
    ) -> Result<(), Error> {
        let length = label.chars().count();
        if length > LABEL_CHARACTERS {
            let message =
                format!("a label has at most {LABEL_CHARACTERS} characters, this one has {length}");
            let help = "a table has room for a few words: `n.label = 'n'`";
            return Err(fail(place, message, help));
        }
        let text = label.trim();
        let is_plain = text.is_empty() || self.label(node) == text;
        let new_label: Option<Rc<str>> = (!is_plain).then(|| Rc::from(text));
        if self.names.labels.of(node) != new_label.as_ref() {
            self.write(Write::Label(TagWrite::new(node, new_label)));
        }
        Ok(())
    }

    /// Freezes or thaws leaves, and returns those that were not in that state before.
    pub fn freeze(&mut self, leaves: &[Rc<Node>], is_frozen: bool) -> Vec<Rc<Node>> {
        let mut changed = Vec::new();
        for leaf in leaves {
            if leaf.is_leaf() && leaf.is_frozen() != is_frozen {
                self.write(Write::Leaf(Rc::clone(leaf), leaf.data(), is_frozen));
                changed.push(Rc::clone(leaf));
            }
        }
        changed
    }

    /// Changes several leaves at once and recomputes the nodes above them; in a block, these follow later. `settings`
    /// and `widths` may be about different leaves, and each may be empty. Calls `tell` with each leaf and each node that
    /// changes, and with its old data. Returns a note if a node became NaN or infinite, or a solution another one.
    pub fn set(
        &mut self,
        settings: &[Setting],
        widths: Widths,
        mut tell: impl FnMut(&Rc<Node>, f64),
    ) -> Option<Note> {
        self.widen(widths);
        let mut jumps = Jumps::default();
        for Setting { leaf, data } in settings {
            tell(leaf, leaf.data());
            jumps.add(leaf, leaf.data());
            if leaf.data().to_bits() != data.to_bits() {
                self.write(Write::Leaf(Rc::clone(leaf), *data, leaf.is_frozen()));
            }
        }
        let leaves: Vec<_> = settings.iter().map(|it| Rc::clone(&it.leaf)).collect();
        if let Some(block) = &mut self.program.block {
            block
                .moved
                .extend(leaves.into_iter().map(|leaf| (leaf.id(), leaf)));
            return None;
        }
        let fault = self.recompute_above(&leaves, NodeId::MAX, |node, before| {
            jumps.add(node, before);
            tell(node, before);
        });
        fault.or_else(|| jumps.note(self))
    }

    /// Returns the result of `look` while leaves have other data.
    pub fn look_with<T>(
        &mut self,
        settings: &[Setting],
        look: impl FnOnce(&mut Session) -> T,
    ) -> T {
        self.look(|session| {
            session.set(settings, Widths::default(), |_, _| {});
            look(session)
        })
    }

    /// Recomputes the nodes above some leaves up to the `newest`. Returns a note if a node became NaN or infinite, unless
    /// only nodes without a name did that have finite users, such as a branch that is not taken.
    pub(super) fn recompute_above(
        &mut self,
        leaves: &[Rc<Node>],
        newest: NodeId,
        mut tell: impl FnMut(&Rc<Node>, f64),
    ) -> Option<Note> {
        if leaves.is_empty() {
            return None;
        }
        let (names, mut faults) = (&self.names, Faults::default());
        self.program
            .graph
            .recompute(leaves, newest, |node, before| {
                faults.add(node, before, names);
                tell(node, before);
            });
        self.note_on_faults(faults)
    }

    /// Recomputes all nodes that are newer than `newest_before`. Returns a note as [`Session::recompute_above`] does.
    pub(super) fn recompute_newer(&mut self, newest_before: NodeId) -> Option<Note> {
        let (names, mut faults) = (&self.names, Faults::default());
        (self.program.graph).recompute_newer(newest_before, |node, before| {
            faults.add(node, before, names);
        });
        self.note_on_faults(faults)
    }

    fn note_on_faults(&self, faults: Faults) -> Option<Note> {
        let shown = faults.first.filter(|_| faults.has_reached_name);
        shown.map(|node| fault_note(self, &node, None))
    }

    /// Forgets a name.
    pub(crate) fn forget(&mut self, name: &str) {
        if self.texts.contains_key(name) {
            self.bind_text(name, None);
        }
        if let Some(id) = self.names.id(name)
            && let Some(old) = self.names.value(id).cloned()
        {
            self.take_name(id);
            self.retire(id, &old);
        }
    }

    /// Forgets a function.
    pub fn forget_function(&mut self, name: &str) {
        self.write(Write::Function(Rc::from(name), None));
    }

    /// Forgets all names, results and gradients, and starts the random numbers again. Settings stay.
    pub fn reset(&mut self) {
        for function in self.program.functions.iter().cloned().collect::<Vec<_>>() {
            self.forget_function(&function.name);
        }
        self.write(Write::Names(SharedNames::default()));
        self.write(Write::Trails(Box::default()));
        self.write(Write::Results(Growth::All(Vec::new())));
        self.write(Write::Optimizer(None));
        self.write(Write::Network(NetworkClasses::default()));
        self.write(Write::Texts(Rc::default()));
        self.write(Write::Waiting(Rc::default()));
        self.write(Write::Targets(Box::default()));
        self.drop_claims();
        self.clear_kept();
        self.recent = Recent::default();
        self.network = NetworkState::default();
        for key in SEEDS {
            self.configure(key, self.settings.count(key) as u64, 0.0);
        }
    }

    /// An empty session with the settings and the host of this one, and with the same look of answers.
    #[must_use]
    pub fn empty_beside(&self) -> Session {
        let mut session = Session {
            settings: self.settings.clone(),
            host: SharedHost(self.host()),
            show: Show {
                reader: self.show.reader,
                shows_numbers: self.show.shows_numbers,
                reads_letters: self.show.reads_letters,
                ..Show::default()
            },
            ..Session::default()
        };
        session.reset();
        session.begin_here();
        session
    }
}

/// The nodes that a change has made NaN or infinite.
#[derive(Default)]
struct Faults {
    /// The node where that began.
    first: Option<Rc<Node>>,
    /// Whether it has reached a node with a name. The branch of a choice that is not taken reaches none.
    has_reached_name: bool,
}

/// What a change has moved, to find solutions that have become other ones.
#[derive(Default)]
struct Jumps {
    /// The data before the change.
    before: Vec<(NodeId, f64)>,
    solutions: Vec<Rc<Node>>,
}

impl Jumps {
    fn add(&mut self, node: &Rc<Node>, before: f64) {
        self.before.push((node.id(), before));
        self.solutions
            .extend(node.carried().map(|_| Rc::clone(node)));
    }

    /// The note on the first solution at which the slope of its equation has changed its sign, also by its own move alone:
    /// the slope of `p*y = 3` changes it with `p`, and there is no other solution.
    fn note(self, session: &Session) -> Option<Note> {
        if self.solutions.is_empty() {
            return None;
        }
        let before = FxHashMap::from_iter(self.before);
        let data_before = |it: &Rc<Node>| before.get(&it.id()).copied().unwrap_or(it.data());
        let has_jumped = |node: &&Rc<Node>| {
            let operands: Vec<f64> = node.operands().iter().map(data_before).collect();
            Body::of(node).is_some_and(|body| {
                let now_operands = values(node.operands());
                let now = body.slope(&now_operands, node.data());
                let slopes = [&operands, &now_operands].map(|it| body.slope(it, data_before(node)));
                slopes.iter().all(|slope| now * slope < 0.0)
            })
        };
        Some(Note::new(say!(
            "{:name} has jumped to another solution: a start near the one you mean keeps it there",
            session.label(self.solutions.iter().find(has_jumped)?)
        )))
    }
}

impl Faults {
    /// Adds a node that had the data `before`. Operands come first.
    fn add(&mut self, node: &Rc<Node>, before: f64, names: &Names) {
        let is_finite = node.data().is_finite();
        if self.first.is_none() && before.is_finite() && !is_finite && is_at_fault(node) {
            self.first = Some(Rc::clone(node));
        }
        self.has_reached_name |= self.first.is_some() && !is_finite && names.has_any(node);
    }
}
