//! The one spelling of a name that can be typed in several ways. The parser writes it into the tree, and the session
//! finds names by it.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

use unicode_normalization::{UnicodeNormalization, is_nfc};

/// The name under which the session knows it: in Unicode's composed form (NFC), and `pi` for `π`.
pub fn canonical_name(text: &str) -> Cow<'_, str> {
    match text {
        _ if text.is_ascii() => Cow::Borrowed(text),
        "π" => Cow::Borrowed("pi"),
        "τ" => Cow::Borrowed("tau"),
        _ if is_nfc(text) => Cow::Borrowed(text),
        _ => Cow::Owned(text.nfc().collect()),
    }
}

/// The same for a tree, whose names are parts of the text. A name that had to be composed is none, so it is kept, once for
/// the whole program.
pub(super) fn name_in_tree(text: &str) -> &str {
    match canonical_name(text) {
        Cow::Borrowed(name) => name,
        Cow::Owned(name) => kept_name(name),
    }
}

/// A name that stands in no text, for a tree.
pub fn kept_name(name: String) -> &'static str {
    static KEPT: Mutex<BTreeSet<&'static str>> = Mutex::new(BTreeSet::new());
    let mut all = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = all.get(&*name) {
        return known;
    }
    let kept: &'static str = name.leak();
    all.insert(kept);
    kept
}
