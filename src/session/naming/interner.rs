//! String interning: each name's text is stored once, and names are represented by numbers.
//!
//! The text of a name that was undone stays for redo, but the name is not found by it.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::session::logged::Keyed;

/// The number of a name, in the order of definition.
pub type NameId = u32;

/// The texts of names, numbered in the order in which they were added.
#[derive(Clone, Debug, Default)]
pub(crate) struct Interner {
    texts: Vec<Rc<str>>,
    /// The names that are found by their texts.
    found: FxHashMap<Rc<str>, NameId>,
}

impl Interner {
    /// The number of a text, if it was added.
    pub(crate) fn get(&self, text: &str) -> Option<NameId> {
        self.found.get(text).copied()
    }

    /// The text with this number.
    pub(crate) fn text(&self, id: NameId) -> &str {
        &self.texts[id as usize]
    }

    /// Adds a text, which is not found, and returns its number. It is found as soon as the table says so.
    pub(crate) fn add(&mut self, text: &str) -> NameId {
        self.texts.push(Rc::from(text));
        self.texts.len() as NameId - 1
    }

    /// Whether the text with this number is found.
    pub(crate) fn knows(&self, id: NameId) -> bool {
        self.get(self.text(id)) == Some(id)
    }

    /// How many texts there are.
    pub(crate) fn count(&self) -> usize {
        self.texts.len()
    }

    /// Forgets the texts from the `count`th on, none of which is found.
    pub(crate) fn truncate(&mut self, count: usize) {
        self.texts.truncate(count);
    }
}

impl Keyed for Interner {
    type Key = NameId;
    /// Whether the name is found by its text.
    type Value = bool;

    fn swap(&mut self, &id: &NameId, found: bool) -> bool {
        let text = &self.texts[id as usize];
        let before = if found {
            self.found.insert(Rc::clone(text), id)
        } else {
            self.found.remove(text)
        };
        before.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_found_by_their_numbers_and_numbers_by_their_texts() {
        let long = "n".repeat(2_000);
        let mut texts: Vec<String> = (0..1_000).map(|count| format!("x{count}")).collect();
        texts.insert(500, long.clone());
        texts.insert(0, "é".to_string());
        let mut interner = Interner::default();
        for (place, text) in texts.iter().enumerate() {
            assert_eq!(interner.get(text), None);
            assert_eq!(interner.add(text) as usize, place);
            interner.swap(&(place as NameId), true);
        }
        let check = |interner: &Interner, count: usize| {
            assert_eq!(interner.count(), count);
            for (place, text) in texts.iter().enumerate() {
                let known = (place < count).then_some(place as NameId);
                assert_eq!(interner.get(text), known, "{text}");
                if known.is_some() {
                    assert_eq!(interner.text(place as NameId), text);
                }
            }
        };
        check(&interner, 1_002);
        // The long text is removed, and its number goes to another.
        (501..1_002).for_each(|id| assert!(interner.swap(&id, false)));
        interner.truncate(501);
        check(&interner, 501);
        assert_eq!(interner.add("other"), 501);
        assert_eq!((interner.text(501), interner.get(&long)), ("other", None));
    }
}
