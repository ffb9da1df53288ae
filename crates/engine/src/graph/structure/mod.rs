//! Examines the structure of a graph: lists the nodes below a root or between two nodes, as a list, as paths or as a tree.
//!
//! `alike`, `below`, `indexed` and `tree_rows` examine the shape of the graph; `path_subgraph` and `paths` multiply
//! local derivatives along paths.

mod alike;
mod below;
mod indexed;
mod path_subgraph;
pub mod paths;
pub mod tree_rows;

pub use self::alike::find_alike;
pub use self::below::{FullGraph, depends_on, nodes_below, reachable};
pub use self::indexed::{IndexedNodes, PathNode};
pub use self::path_subgraph::{Edge, PathSubgraph};
