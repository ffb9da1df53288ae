//! Forgets names and functions, for `:del`, or everything, for `:reset`.

use std::rc::Rc;

use crate::session::logged::Growth;
use crate::session::network_classes::NetworkClasses;
use crate::session::settings::{NUMPY_SEED, SEED};
use crate::session::{Recent, Session};

impl Session {
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

    /// Forgets all names, results and gradients, and begins the random numbers anew. Settings stay.
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
        self.clear_kept();
        let kept = std::mem::take(&mut self.recent);
        self.recent = Recent {
            paste: kept.paste,
            ..Recent::default()
        };
        self.network.write((), NetworkClasses::default());
        for key in [SEED, NUMPY_SEED] {
            self.set_seed(key, self.settings.count(key) as u64, 0.0);
        }
    }
}
