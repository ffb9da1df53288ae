//! The value graph: nodes that stay, and the passes over them.
//!
//! - A **node** is an operation and its ordered **operands**; a **leaf** has none and is the only kind whose **data**
//!   changes. A **constant** is a node without a leaf below it. Who has a node as operand is its **user**.
//! - A **pass** goes from a **root** backwards: what reaches a node is its **upstream**, upstream times the **local**
//!   derivative is the **contribution** to an operand, and contributions add up to the operand's **grad**. Grads are
//!   the value of a pass, not a field of the node: a forgotten zero cannot happen by accident.
//! - The order of a pass is made in `order` and followed by everybody.
//!
//! This layer knows operations by their rows and nothing of names, text or reports.

mod audit;
mod backward;
mod factory;
mod faulty_pass;
pub mod forward;
mod living;
mod node;
mod not_finite;
mod numbers;
pub mod order;
mod plan;
pub mod structure;

pub use self::backward::{gradients, turn};
pub use self::faulty_pass::{
    Appended, Arrival, FaultyGraph, MOST_CONTRIBUTIONS, PassFault, Unended,
};
pub use self::node::{LAST_NUMBER, live_nodes};
pub use self::not_finite::{first_not_finite, is_at_fault};

pub use self::backward::{Contribution, Pass};
pub use self::factory::Graph;
pub use self::living::Living;
pub use self::node::{Node, NodeId, Spelling};
pub use self::order::Order;
pub use self::plan::Plan;
pub use self::structure::FullGraph;
pub use self::structure::PathSubgraph;
pub use self::structure::paths::Paths;
