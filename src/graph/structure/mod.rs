//! The shape of a graph: all of it, the part between two nodes, paths, counts, a tree for reading.
//!
//! Nothing here depends on data but the size of paths.

pub mod branches;
pub mod count;
pub mod full_graph;
pub mod path_subgraph;
pub mod paths;
