//! Commands that run passes: `:grad`, `:backward`, `:zero`.
//!
//! How a pass works is explained in [`chainrule_engine::graph`].

pub(crate) mod grad;
