//! Commands that use gradients: `:fit`, `:solve` and `:minimize` search, `:budget` propagates uncertainties.

pub(crate) mod budget;
pub(crate) mod fit;
pub(crate) mod leaf_search;
pub(crate) mod leaf_texts;
pub(crate) mod minimize;
pub(crate) mod search_checks;
pub(crate) mod solve;
