//! The list of names that wait for letters.

use std::rc::Rc;

/// A binding whose letters have no numbers yet.
#[derive(Debug)]
pub struct Waiting {
    /// The name that it will bind.
    pub name: Rc<str>,
    /// The statement as it was typed.
    pub text: Rc<str>,
    /// The names without a value on which it waits.
    pub letters: Vec<String>,
}

/// All bindings that wait, the oldest first.
pub(crate) type WaitingList = Rc<[Rc<Waiting>]>;
