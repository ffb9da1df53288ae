//! Names that wait: `L = (a*b + c)*f`, typed before its letters have numbers. Such a line is kept as it was typed, and runs
//! as soon as the last of its letters has a number.
//!
//! The lines are a list beside the names. A name that waits has no value, and nothing in the graph.

use std::rc::Rc;

use crate::state::{Session, Waiting, Write};
use chainrule_program::Environment as _;
use chainrule_report::{Fact, Facts, Line, list_with_and, say};
use rustc_hash::FxHashSet;

/// What names wait for.
#[derive(Debug, Default)]
pub struct WaitedFor {
    /// Those of the names that wait and the names on which they wait, each behind the ones that it needs.
    pub bindings: Vec<Rc<Waiting>>,
    /// The names that neither have a value nor wait.
    pub letters: Vec<Rc<str>>,
}

impl WaitedFor {
    /// Whether a name is among the names or the letters.
    pub fn includes(&self, name: &str) -> bool {
        let names = self.bindings.iter().map(|it| &it.name);
        names.chain(&self.letters).any(|it| **it == *name)
    }
}

/// A name that is still to be visited. A name that waits comes a second time, behind those that it needs.
struct Visit<'n> {
    name: &'n str,
    is_second: bool,
}

/// The most letters that a line about a name that waits has. It counts the others.
const MOST_NAMED: usize = 8;

impl Waiting {
    /// `L = (a*b + c)*f   waits for a, b, c and f`
    pub fn line(&self) -> Line {
        let letters = self.letters.iter().map(|it| say!("{:name}", &**it));
        say!(
            "{}{:dim}{}",
            &*self.text,
            "   waits for ",
            list_with_and(letters, MOST_NAMED)
        )
    }

    /// What `--json` says of it.
    pub fn facts(&self) -> Facts {
        let letters = self.letters.iter().map(|it| Fact::from(&**it)).collect();
        vec![
            ("name", Fact::from(&*self.name)),
            ("statement", Fact::from(&*self.text)),
            ("letters", letters),
        ]
    }
}

impl Session {
    /// The bindings that wait, the oldest first.
    pub fn waiting(&self) -> &[Rc<Waiting>] {
        &self.waiting
    }

    /// The binding of a name that waits.
    pub fn waiting_for(&self, name: &str) -> Option<&Rc<Waiting>> {
        self.waiting.iter().find(|it| *it.name == *name)
    }

    /// Whether bindings may wait: those of a person, and those of a saved session.
    pub fn may_wait(&self) -> bool {
        self.show.reads_letters || self.running.is_saved_session
    }

    /// Lets a binding wait, in place of an older one of the same name. `:save` writes it at the end.
    pub fn wait(&mut self, binding: Waiting) {
        self.stop_waiting(&binding.name);
        let older = self.waiting.iter().cloned();
        let list = older.chain([Rc::new(binding)]).collect();
        self.write(Write::Waiting(list));
        self.keeping().is_unkept = true;
    }

    /// What these names wait for, also through others.
    pub fn waited_for<'n>(&'n self, names: impl IntoIterator<Item = &'n str>) -> WaitedFor {
        let mut found = WaitedFor::default();
        let mut visited = FxHashSet::default();
        let first = |name| Visit {
            name,
            is_second: false,
        };
        let mut visits: Vec<Visit> = names.into_iter().map(first).collect();
        visits.reverse();
        while let Some(Visit { name, is_second }) = visits.pop() {
            match self.waiting_for(name) {
                Some(binding) if is_second => found.bindings.push(Rc::clone(binding)),
                _ if self.knows(name) || !visited.insert(name) => {}
                Some(binding) => {
                    visits.push(Visit {
                        name,
                        is_second: true,
                    });
                    let letters = binding.letters.iter().rev();
                    visits.extend(letters.map(|it| first(it)));
                }
                None => found.letters.push(name.into()),
            }
        }
        found
    }

    /// Drops the binding of a name, which has a value now, or is deleted. Returns whether there was one.
    pub fn stop_waiting(&mut self, name: &str) -> bool {
        let is_found = self.waiting_for(name).is_some();
        if is_found {
            let others = self.waiting.iter().filter(|it| *it.name != *name);
            let list = others.cloned().collect();
            self.write(Write::Waiting(list));
        }
        is_found
    }

    /// Keeps a line behind the running statement, which has made it run.
    pub fn keep_behind(&mut self, text: &str) {
        self.keeping().behind.extend([text, ";\n"]);
    }
}
