//! The computation graph: nodes that last, and the passes over them.
//!
//! - A **node** is an operation with its ordered **operands**; a node is a **user** of each of its operands. A **leaf**
//!   has no operands, and only a leaf's **data** (its value) may be changed. A **constant** is a node with no leaf
//!   below it.
//! - A **pass** is reverse-mode differentiation (backpropagation) from a **root**. The grad that has reached a node is
//!   its **upstream**; upstream times the **local** derivative is the **contribution** to an operand; the sum of its
//!   contributions is a node's **grad**. Grads belong to a pass, not to nodes, so no code can forget to reset them.
//! - `order` computes the topological order of a pass; everything that goes through a graph follows it.
//!
//! This layer knows operations only as rows of `ops::TABLE`, and knows nothing of names, text or reports.

mod audit;
mod backward;
mod factory;
mod faulty_pass;
mod flat;
mod jacobian;
mod living;
mod node;
mod not_finite;
mod numbers;
pub mod order;
mod plan;
pub mod structure;
mod uses;

pub use self::backward::{Contribution, Pass, gradients, turn};
pub use self::faulty_pass::{Appended, FaultyGraph, MOST_CONTRIBUTIONS, PassFault};
pub use self::node::{LAST_NUMBER, Node, NodeId, Spelling, live_nodes};
pub use self::not_finite::{first_not_finite, is_at_fault};

pub use self::factory::Graph;
pub use self::jacobian::Jacobian;
pub use self::living::Living;
pub use self::numbers::values;
pub use self::order::Order;
pub use self::plan::Plan;
pub use self::structure::paths::Paths;
pub use self::structure::{FullGraph, PathSubgraph};
