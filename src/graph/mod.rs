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
pub mod backward;
pub mod branches;
pub mod count;
mod cut;
mod flat;
pub mod forward;
mod grouped;
mod living;
mod lowered;
pub mod mistaken;
pub mod node;
mod numbers;
pub mod order;
pub mod paths;
pub mod plan;
pub mod web;
pub mod whole;

pub use backward::{Contribution, Pass};
pub use living::Living;
pub use node::{Graph, Node, NodeId, Spelling};
pub use order::Order;
pub use paths::Paths;
pub use plan::Plan;
pub use web::Web;
pub use whole::Whole;
