//! Holds back what a block binds to names of the session, [`PassingNames`]: most values of a loop are replaced before
//! anything but the block itself looks at their names.
//!
//! A binding waits only if nothing is to be recorded of the value that the name loses: no former name and no note. The
//! session gets the waiting values, in the order of their bindings, before it does anything that reads names.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::environment::Environment;
use crate::values::Value;
use chainrule_language::Name;

/// The values that names of the session have in a running block, as far as the session does not know them.
#[derive(Default)]
pub(super) struct PassingNames {
    /// By the address of the name: trees have one copy of each.
    bound: FxHashMap<*const str, PassingValue>,
    /// The ids of these names in the session.
    ids: FxHashSet<u32>,
    /// The order of the last binding.
    last: u64,
    /// The last name that was bound to a computed number, unless it was the variable of a loop. It becomes the target.
    target: Option<Name>,
}

struct PassingValue {
    name: Name,
    value: Value,
    /// The place of the binding in the order of all.
    order: u64,
}

impl PassingNames {
    /// The value of a name, if the session does not know it.
    pub(super) fn get(&self, name: Name) -> Option<&Value> {
        let address = std::ptr::from_ref(name);
        self.bound.get(&address).map(|it| &it.value)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.bound.is_empty()
    }

    pub(super) fn clear(&mut self) {
        self.bound.clear();
        self.ids.clear();
        self.target = None;
    }

    /// Binds a name, if the session may learn that later. Returns whether it may.
    pub(super) fn bind(&mut self, session: &dyn Environment, name: Name, value: &Value) -> bool {
        let (address, order) = (std::ptr::from_ref(name), self.last + 1);
        if let Some(passing) = self.bound.get_mut(&address) {
            if !can_wait(session, &self.ids, &passing.value, value) {
                return false;
            }
            passing.value = value.clone();
            passing.order = order;
        } else {
            let Some((id, old)) = session.find_with_id(name) else {
                return false;
            };
            // The session still has the old value under this name, which is no other name of it.
            self.ids.insert(id);
            if !can_wait(session, &self.ids, old, value) {
                self.ids.remove(&id);
                return false;
            }
            let passing = PassingValue {
                name,
                value: value.clone(),
                order,
            };
            self.bound.insert(address, passing);
        }
        self.last = order;
        true
    }

    /// Makes a name the target when the session gets the values.
    pub(super) fn aim_at(&mut self, name: Name) {
        self.target = Some(name);
    }

    /// Gives the session the values.
    pub(super) fn give_to(&mut self, session: &mut dyn Environment) {
        self.ids.clear();
        let mut waiting: Vec<PassingValue> = self.bound.drain().map(|(_, it)| it).collect();
        waiting.sort_unstable_by_key(|it| it.order);
        for it in waiting {
            session.rebind(it.name, &it.value);
        }
        if let Some(target) = self.target.take() {
            session.aim_at_name(target);
        }
    }
}

/// Whether the session may learn later that a name has another value. It may if the block has made all nodes of the old
/// value, or if these have other names than `ids`: then the old value leaves no former name and no note.
fn can_wait(session: &dyn Environment, ids: &FxHashSet<u32>, old: &Value, value: &Value) -> bool {
    let is_of_block = || session.program().is_of_block(old.nodes());
    let have_other_names = || {
        let mut nodes = old.nodes().iter();
        nodes.all(|node| session.has_other_name(node, ids))
    };
    !old.is(value) && (is_of_block() || have_other_names())
}
