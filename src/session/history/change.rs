//! Changes of existing things: marks, labels, forgotten names, settings, and the place in the random numbers.
//!
//! Changes of data are in `setting`, those of names by statements in `building`.

use std::rc::Rc;

use crate::graph::Node;
use crate::session::logged::{Growth, Log};
use crate::session::naming::FittedModel;
use crate::session::random::Sequence;
use crate::session::settings::{self, SEED, SettingValue};
use crate::session::{Recent, Session};

/// So many models of the same data are remembered.
const MOST_MODELS: usize = 20;

impl Session {
    /// Freezes or unfreezes leaves, and returns those that were not in that state before.
    pub fn freeze(&mut self, leaves: &[Rc<Node>], freeze: bool) -> Vec<Rc<Node>> {
        let mut changed = Vec::new();
        for leaf in leaves {
            if leaf.is_leaf() && leaf.is_frozen() != freeze {
                self.graph.write(Rc::clone(leaf), (leaf.data(), freeze));
                changed.push(Rc::clone(leaf));
            }
        }
        changed
    }

    /// Gives a node a label for tables. An empty label, or one equal to how the node is referred to anyway, removes it.
    pub fn relabel(&mut self, node: &Rc<Node>, label: &str) {
        let text = label.trim();
        let plain = text.is_empty() || self.label(node) == text;
        if self.names.labels.of(node).map_or("", |old| &**old) == if plain { "" } else { text } {
            return;
        }
        let label = (!plain).then(|| Rc::from(text));
        self.names_mut().labels.tag(node, label);
    }

    /// Remembers a model that was fitted to a list with this first item; returns all that were fitted to the same data.
    pub fn remember_fit(&mut self, first: &Rc<Node>, fit: FittedModel) -> Rc<[FittedModel]> {
        let earlier = self
            .names
            .fits
            .of(first)
            .into_iter()
            .flat_map(|it| it.iter());
        let others = earlier.filter(|it| it.data == fit.data && it.model != fit.model);
        let mut all: Vec<FittedModel> = others.cloned().collect();
        all.drain(..all.len().saturating_sub(MOST_MODELS - 1));
        all.push(fit);
        let all: Rc<[FittedModel]> = all.into();
        self.names_mut().fits.tag(first, Some(Rc::clone(&all)));
        all
    }

    /// Forgets a name.
    pub fn forget(&mut self, name: &str) {
        if let Some(id) = self.names.id(name)
            && let Some(old) = self.names_mut().unbind(id)
        {
            self.retire(id, &old);
        }
    }

    /// Forgets a function.
    pub fn forget_function(&mut self, name: &str) {
        self.functions.write(Rc::from(name), None);
    }

    /// Forgets all names, results, gradients and watches, and begins the random numbers anew. Settings stay.
    pub fn reset(&mut self) {
        self.names_mut().forget_all();
        let functions: Vec<Rc<str>> = self
            .functions
            .iter()
            .map(|it| Rc::clone(&it.name))
            .collect();
        for name in functions {
            self.functions.write(name, None);
        }
        self.results.write((), Growth::All(Vec::new()));
        self.forget_trails();
        self.clear_log();
        let kept = std::mem::take(&mut self.recent);
        self.recent = Recent {
            paste: kept.paste,
            ..Recent::default()
        };
        self.recent.guesses = Rc::default();
        self.set_seed(self.settings.count(SEED) as u64, 0.0);
    }

    /// Changes a setting to a value that it may have.
    pub fn configure(&mut self, key: &str, value: SettingValue) {
        if *self.settings.value(key) != value {
            self.settings.write(settings::place(key), value);
        }
    }

    /// Sets the seed and goes to the place in its sequence where so many numbers have been drawn; a half more stands for a
    /// normal number that is the second of two.
    pub fn set_seed(&mut self, seed: u64, drawn: f64) {
        self.configure(SEED, SettingValue::Count(seed));
        self.random.write((), Sequence::at(seed, drawn));
    }

    /// The sequence of random numbers, to draw from.
    pub(crate) fn drawing(&mut self) -> &mut Sequence {
        if !std::mem::replace(&mut self.drew, true) {
            let place = Sequence::clone(&self.random);
            self.random.write((), place);
        }
        &mut self.random
    }

    /// Does something that only looks: the random numbers that it draws come again.
    pub(crate) fn only_looking<T>(&mut self, look: impl FnOnce(&mut Session) -> T) -> T {
        self.drew = false;
        let place = self.random.mark();
        let seen = look(self);
        self.random.take_back(place);
        self.drew = false;
        seen
    }
}
