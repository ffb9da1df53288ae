//! String interning: each name's text is stored once, all texts in one string, and names are represented by numbers.
//!
//! A script of a hundred thousand lines has about as many names, so the overhead per name matters. It is eight bytes for
//! the end of the text, and the number in a hash table that compares texts where they are stored instead of owning
//! copies.

use std::hash::BuildHasher as _;
use std::ops::Range;

use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;

use crate::session::logged::Keyed;

/// The number of a name, in the order of definition.
pub type NameId = u32;

/// The texts of names, numbered in the order in which they were added.
#[derive(Clone, Debug, Default)]
pub(crate) struct Interner {
    texts: Texts,
    /// The names that are found by their texts.
    table: HashTable<NameId>,
}

#[derive(Clone, Debug, Default)]
struct Texts {
    /// The texts, one after the other.
    all: String,
    /// Where each text ends in `all`.
    ends: Vec<usize>,
}

impl Interner {
    /// The number of a text, if it was added.
    pub(crate) fn get(&self, text: &str) -> Option<NameId> {
        let found = self.table.find(hash(text), |&id| self.texts.is(id, text));
        found.copied()
    }

    /// The text with this number.
    pub(crate) fn text(&self, id: NameId) -> &str {
        self.texts.get(id)
    }

    /// Adds a text, which is not found, and returns its number. It is found as soon as the table says so.
    pub(crate) fn add(&mut self, text: &str) -> NameId {
        self.texts.push(text)
    }

    /// Whether the text with this number is found.
    pub(crate) fn knows(&self, id: NameId) -> bool {
        self.get(self.text(id)) == Some(id)
    }

    /// How many texts there are.
    pub(crate) fn count(&self) -> usize {
        self.texts.ends.len()
    }

    /// Forgets the texts from the `count`th on, none of which is found.
    pub(crate) fn truncate(&mut self, count: usize) {
        while count < self.count() {
            self.texts.pop();
        }
    }
}

impl Keyed for Interner {
    type Key = NameId;
    /// Whether the name is found by its text.
    type Value = bool;

    fn swap(&mut self, &id: &NameId, found: bool) -> bool {
        let texts = &self.texts;
        let hash_of = |id: NameId| hash(texts.get(id));
        let known = self.table.find_entry(hash_of(id), |&other| other == id);
        match known {
            Ok(entry) if !found => {
                entry.remove();
                true
            }
            Ok(_) => true,
            Err(absent) => {
                let table = absent.into_table();
                if found {
                    table.insert_unique(hash_of(id), id, |&id| hash_of(id));
                }
                false
            }
        }
    }
}

impl Texts {
    fn place(&self, id: NameId) -> Range<usize> {
        let before = (id as usize).checked_sub(1);
        before.map_or(0, |before| self.ends[before])..self.ends[id as usize]
    }

    fn get(&self, id: NameId) -> &str {
        &self.all[self.place(id)]
    }

    fn is(&self, id: NameId, text: &str) -> bool {
        // Compares bytes, which skips the check for character boundaries.
        self.all.as_bytes()[self.place(id)] == *text.as_bytes()
    }

    fn push(&mut self, text: &str) -> NameId {
        let id = self.ends.len() as NameId;
        self.all.push_str(text);
        self.ends.push(self.all.len());
        id
    }

    fn pop(&mut self) {
        self.ends.pop();
        self.all.truncate(self.ends.last().copied().unwrap_or(0));
    }
}

fn hash(text: &str) -> u64 {
    FxBuildHasher.hash_one(text)
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
