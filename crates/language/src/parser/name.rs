//! Finds the canonical spelling of a name that can be typed in several ways. The parser writes this spelling into the tree,
//! and the session finds names by it.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

use unicode_normalization::{UnicodeNormalization, is_nfc};

/// The spelling of a name by which the session knows it: in Unicode's composed form (NFC), and `pi` for `π`.
pub fn canonical_name(text: &str) -> Cow<'_, str> {
    match text {
        _ if text.is_ascii() => Cow::Borrowed(text),
        "π" => Cow::Borrowed("pi"),
        "τ" => Cow::Borrowed("tau"),
        _ if is_nfc(text) => Cow::Borrowed(text),
        _ => Cow::Owned(text.nfc().collect()),
    }
}

/// The canonical spelling for a tree, which borrows its names from the text. A spelling that is not in the text is kept
/// until the program ends.
pub(super) fn name_in_tree(text: &str) -> &str {
    match canonical_name(text) {
        Cow::Borrowed(name) => name,
        Cow::Owned(name) => kept_name(name),
    }
}

/// Keeps a name that is not in the text, for a tree. It lives until the program ends.
pub fn kept_name(name: String) -> &'static str {
    static KEPT: Mutex<BTreeSet<&'static str>> = Mutex::new(BTreeSet::new());
    let mut names = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = names.get(&*name) {
        return known;
    }
    let kept: &'static str = name.leak();
    names.insert(kept);
    kept
}
