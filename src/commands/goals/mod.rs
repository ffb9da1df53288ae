//! Commands that use gradients: `:fit`, `:solve` and `:minimize` search, `:budget` propagates uncertainties, `:export`
//! writes a model and its gradient for other programs.

pub(crate) mod budget;
pub(crate) mod export;
pub(crate) mod fit;
pub(crate) mod leaf_search;
pub(crate) mod leaf_texts;
pub(crate) mod minimize;
pub(crate) mod search_checks;
pub(crate) mod solve;
