//! Holds back what a block binds to names of the session, [`PassingNames`]: most values of a loop are replaced before
//! anything but the block itself looks at their names.
//!
//! A binding waits only if nothing is to be recorded of the value that the name loses: no former name and no note. The
//! session gets the waiting values, in the order of their bindings, before it does anything that reads names.

use std::hash::{Hash, Hasher};

use rustc_hash::{FxHashMap, FxHashSet};

use crate::environment::Environment;
use crate::values::Value;
use chainrule_language::Name;

/// The values that names of the session have in a running block, as far as the session does not know them.
#[derive(Default)]
pub(super) struct PassingNames {
    bound: FxHashMap<NameKey, PassingValue>,
    /// The numbers of these names in the session.
    ids: FxHashSet<u32>,
    /// The number of the last binding.
    last: u64,
    /// The last name that was bound to a computed number, unless it was the variable of a loop. It becomes the target.
    target: Option<Name>,
}

/// A name of a tree. There is one copy of each, so that its address is enough.
#[derive(Clone, Copy)]
struct NameKey(Name);

struct PassingValue {
    value: Value,
    /// The number of the binding.
    number: u64,
}

impl PartialEq for NameKey {
    fn eq(&self, other: &NameKey) -> bool {
        std::ptr::eq(self.0, other.0)
    }
}

impl Eq for NameKey {}

impl Hash for NameKey {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.as_ptr().hash(state);
    }
}

impl PassingNames {
    /// The value of a name, if the session does not know it.
    pub(super) fn get(&self, name: Name) -> Option<&Value> {
        self.bound.get(&NameKey(name)).map(|it| &it.value)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.bound.is_empty()
    }

    pub(super) fn clear(&mut self) {
        self.bound.clear();
        self.ids.clear();
        self.target = None;
    }

    /// Binds a name, unless something is to be recorded of the value that the name loses: then returns false. Nothing is
    /// if the block has made all nodes of that value, or if they have other names.
    pub(super) fn bind(&mut self, session: &dyn Environment, name: Name, value: &Value) -> bool {
        let (key, number) = (NameKey(name), self.last + 1);
        if let Some(passing) = self.bound.get_mut(&key) {
            if !loses_nothing(session, &self.ids, &passing.value, value) {
                return false;
            }
            passing.value = value.clone();
            passing.number = number;
        } else {
            let Some((id, old)) = session.find_with_id(name) else {
                return false;
            };
            self.ids.insert(id);
            if !loses_nothing(session, &self.ids, old, value) {
                self.ids.remove(&id);
                return false;
            }
            let value = value.clone();
            self.bound.insert(key, PassingValue { value, number });
        }
        self.last = number;
        true
    }

    /// Makes a name the target when the session gets the values.
    pub(super) fn aim_at(&mut self, name: Name) {
        self.target = Some(name);
    }

    /// Gives the session the values.
    pub(super) fn give_to(&mut self, session: &mut dyn Environment) {
        self.ids.clear();
        let mut waiting: Vec<(NameKey, PassingValue)> = self.bound.drain().collect();
        waiting.sort_unstable_by_key(|(_, it)| it.number);
        for (name, it) in waiting {
            session.rebind(name.0, &it.value);
        }
        if let Some(target) = self.target.take() {
            session.aim_at_name(target);
        }
    }
}

/// Whether nothing is to be recorded of the value that a name loses to another one. `ids` are the numbers of the names that
/// the session has other values for.
fn loses_nothing(
    session: &dyn Environment,
    ids: &FxHashSet<u32>,
    old: &Value,
    value: &Value,
) -> bool {
    let is_of_block = || session.program().is_of_block(old.nodes());
    let have_other_names = || {
        let mut nodes = old.nodes().iter();
        nodes.all(|node| session.has_other_name(node, ids))
    };
    !old.is(value) && (is_of_block() || have_other_names())
}
