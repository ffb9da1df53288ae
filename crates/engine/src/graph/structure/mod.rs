//! The shape of a graph: all of it, the part between two nodes, paths, counts, a tree to be printed.
//!
//! Only the sizes of paths depend on data.

mod below;
pub mod branches;
mod full_graph;
mod path_subgraph;
pub mod paths;

pub use self::below::{Below, between, few_below, leads, reachable};
pub use self::full_graph::FullGraph;
pub use self::path_subgraph::{Edge, PathSubgraph};
