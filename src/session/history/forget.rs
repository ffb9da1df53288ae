//! Forgets names and functions, for `:del`, or everything, for `:reset`.

use std::rc::Rc;

use crate::session::growth::Growth;
use crate::session::network_classes::Networks;
use crate::session::settings::{NUMPY_SEED, SEED};
use crate::session::{Recent, Session, Write};

impl Session {
    /// Forgets a name.
    pub fn forget(&mut self, name: &str) {
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

    /// Forgets all names, results and gradients, and begins the random numbers anew. Settings stay.
    pub fn reset(&mut self) {
        let names = &self.names;
        let bound = names.removals().map(|(name, it)| Write::Name(name, it));
        let formers = names.formers.removals().map(Write::Former);
        let labels = names.labels.removals().map(Write::Label);
        let uncertainties = names.uncertain.removals().map(Box::new);
        let functions = self.functions.iter().map(|it| Rc::clone(&it.name));
        let trails = self.steps.trails.removals().map(Box::new);
        let writes: Vec<Write> = (bound.chain(formers).chain(labels))
            .chain(uncertainties.map(Write::Uncertainty))
            .chain(functions.map(|name| Write::Function(name, None)))
            .chain(trails.map(Write::Trail))
            .chain([
                Write::Results(Growth::All(Vec::new())),
                Write::Optimizer(None),
                Write::Network(Box::default()),
            ])
            .collect();
        for write in writes {
            self.write(write);
        }
        self.clear_kept();
        self.recent = Recent::default();
        self.network = Networks::default();
        for key in [SEED, NUMPY_SEED] {
            self.set_seed(key, self.settings.count(key) as u64, 0.0);
        }
    }
}
