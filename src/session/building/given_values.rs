//! Values for names from outside a script: `chainrule --set a=9 lesson.calc`.
//!
//! The first statement that binds the name takes the value. `interpret` sets it; here are the values that have not been
//! taken yet.

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
    /// Sets values for names that later statements bind. If a name has two, the last one holds.
    pub fn set_given_values(&mut self, given: Vec<GivenValue>) {
        self.given = given;
    }

    /// The value for a name, if one is given and not taken yet.
    pub fn given_value(&self, name: &str) -> Option<&GivenValue> {
        let id = |name: &str| self.names.id(name);
        let is_it = |given: &&GivenValue| {
            given.name == name || id(name).is_some() && id(name) == id(&given.name)
        };
        self.given.iter().rev().find(is_it)
    }

    /// Removes a value that a statement has taken.
    pub fn remove_given_value(&mut self, given: &GivenValue) {
        self.given.retain(|other| other.name != given.name);
    }

    /// Takes out the values that no statement has taken.
    pub fn take_given_values(&mut self) -> Vec<GivenValue> {
        std::mem::take(&mut self.given)
    }
}
