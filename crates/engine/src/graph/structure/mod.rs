//! What lies below some nodes or between two: all of it, paths, a tree to be printed.
//!
//! `below`, `full_graph` and `tree_rows` look at shape; `path_subgraph` and `paths` multiply local derivatives along paths.

mod below;
pub mod branches;
mod full_graph;
mod path_subgraph;
pub mod paths;

pub use self::below::{Below, between, few_below, leads, reachable};
pub use self::full_graph::FullGraph;
pub use self::path_subgraph::{Edge, PathSubgraph};
