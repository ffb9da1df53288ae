//! String interning: each name's text is stored once, all texts in one string, and names are represented by numbers.
//!
//! A script of a hundred thousand lines has about as many names, so the overhead per name matters. It is four bytes for
//! the end of the text, and the number in a hash table that compares texts where they are stored instead of owning
//! copies.

use std::hash::BuildHasher as _;

use hashbrown::HashTable;
use rustc_hash::{FxBuildHasher, FxHashMap};

use crate::session::logged::Keyed;

/// The number of a name, in the order of definition.
pub type NameId = u32;

/// Texts longer than this are stored separately, so that 32 bits suffice for the positions of all others.
const LONG: usize = 1_024;

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
    ends: Vec<u32>,
    /// The long texts, which are empty in `all`.
    long: FxHashMap<NameId, Box<str>>,
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
    fn start(&self, id: NameId) -> usize {
        let before = (id as usize).checked_sub(1);
        before.map_or(0, |before| self.ends[before] as usize)
    }

    fn get(&self, id: NameId) -> &str {
        match &self.all[self.start(id)..self.ends[id as usize] as usize] {
            "" => self.long.get(&id).map_or("", |text| text),
            text => text,
        }
    }

    fn is(&self, id: NameId, text: &str) -> bool {
        let place = self.start(id)..self.ends[id as usize] as usize;
        // Compares bytes, which skips the check for character boundaries.
        let known = &self.all.as_bytes()[place];
        known == text.as_bytes() || known.is_empty() && self.get(id) == text
    }

    fn push(&mut self, text: &str) -> NameId {
        let id = self.ends.len() as NameId;
        if text.len() > LONG || self.all.len() + text.len() > u32::MAX as usize {
            self.long.insert(id, text.into());
        } else {
            self.all.push_str(text);
        }
        self.ends.push(self.all.len() as u32);
        id
    }

    fn pop(&mut self) {
        if let Some(last) = self.ends.len().checked_sub(1) {
            self.long.remove(&(last as NameId));
            self.all.truncate(self.start(last as NameId));
            self.ends.pop();
        }
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
        let long = "n".repeat(LONG + 1);
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
