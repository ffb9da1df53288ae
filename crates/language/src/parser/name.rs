//! Finds the canonical spelling of a name that can be typed in several ways. The parser writes this spelling into the tree,
//! and the session finds names by it.

use std::borrow::Cow;
use std::cell::RefCell;

use crate::tree::Name;
use rustc_hash::FxHashSet;
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

/// The canonical spelling of a name, for a tree.
pub(super) fn name_in_tree(text: &str) -> Name {
    kept_name(&canonical_name(text))
}

thread_local! {
    /// The names of all trees.
    static KEPT: RefCell<FxHashSet<Name>> = RefCell::default();
}

/// The one copy of a text that trees have. It lives until the program ends.
pub fn kept_name(text: &str) -> Name {
    let known = KEPT.with_borrow(|names| names.get(text).copied());
    known.unwrap_or_else(|| {
        let kept: Name = text.to_owned().leak();
        KEPT.with_borrow_mut(|names| names.insert(kept));
        kept
    })
}
