//! Values that are given to names from outside of a script: `chainrule --set a=9 lesson.calc`.
//!
//! The first statement that binds the name takes the value. `interpret` gives it; here is what has not been taken yet.

use crate::session::Session;

/// A value for a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GivenValue {
    /// The name.
    pub name: String,
    /// The value, as `:set` takes it.
    pub value: String,
}

impl Session {
    /// Gives values to names that later statements bind. Of two for the same name the last one holds.
    pub fn give(&mut self, given: Vec<GivenValue>) {
        for one in given {
            self.given.retain(|other| other.name != one.name);
            self.given.push(one);
        }
    }

    /// The value for a name, if one is given and not taken yet.
    pub fn given(&self, name: &str) -> Option<&GivenValue> {
        // Most sessions have none, and this is asked for every binding.
        if self.given.is_empty() {
            return None;
        }
        let id = self.names.id(name);
        let same = |given: &&GivenValue| {
            given.name == name || id.is_some() && self.names.id(&given.name) == id
        };
        self.given.iter().find(same)
    }

    /// Notes that a value was taken.
    pub fn took(&mut self, given: &GivenValue) {
        self.given.retain(|other| other != given);
    }

    /// The values that no statement has taken; none of them is given any longer.
    pub fn untaken(&mut self) -> Vec<GivenValue> {
        std::mem::take(&mut self.given)
    }
}
