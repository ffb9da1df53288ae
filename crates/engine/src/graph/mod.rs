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
//! # Which engine runs when, and why
//!
//! Following `Rc` pointers is slow, and lowering a graph to flat arrays takes time that only repeated passes win back.
//! So there are two ways through a graph, and both give the same bits; the first is the reference:
//!
//! - **Nodes** need no preparation. `backward` sweeps over them the first two times that an order is swept, whenever
//!   somebody watches (`:walk`, `:guess`), and for sweeps that are added to a pass. `:set` and `:undo` go forward over
//!   them ([`Graph::recompute`]) and visit only what depends on the leaves that moved: `living` has an index of the users
//!   of each node, so that a leaf with ten users among a million nodes takes microseconds.
//! - **Flat arrays** (`flat`) belong to an [`Order`], which makes them when they are first asked for. They say which
//!   slots are the operands of each slot, and hold neighbours with the same operation together, so that one loop (SIMD)
//!   runs them all; other nodes follow one by one. What runs over them has data of its own and leaves the nodes alone:
//!   - [`Plan`]: many passes from one root at other data: `:step`, `:check`, `:plot`, `:nudge`.
//!   - [`Jacobian`]: the derivatives of several roots by a few leaves: `:fit`, `:solve`, `:minimize`, `:budget`.
//!   - [`FaultyGraph`]: passes with a mistake in them, for `:wrong`. [`PathSubgraph`]: the paths between two nodes, for
//!     `:explain`.
//!   - From the third on, sweeps over one order, as in `:grad L` after `:set`.
//!
//! An order of up to `NEWEST_FIRST` nodes has them by descending ids, as `:topo` teaches; a larger one by level and
//! operation, so that equal operations are neighbours.
//!
//! What keeps the engines equal: all follow one `Order`, use the functions of `ops::TABLE` and `ops::chain`, and add up
//! each grad in the same sequence. `tests/engines.rs`, `tests/differential.rs` and the audit of debug builds compare
//! them.
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
