//! What lies below some nodes or between two: all of it, paths, a tree to be printed.
//!
//! `below`, `full_graph` and `tree_rows` look at shape; `path_subgraph` and `paths` multiply local derivatives along paths.

mod below;
mod full_graph;
mod path_subgraph;
pub mod paths;
pub mod tree_rows;

pub use self::below::{UsersBelow, all_below_up_to, between, depends_on, reachable};
pub use self::full_graph::FullGraph;
pub use self::path_subgraph::{Edge, PathSubgraph};
