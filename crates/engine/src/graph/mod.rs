//! The computation graph: persistent nodes, and the passes over them.
//!
//! - A **node** is an operation with its ordered **operands**; a node is a **user** of each of its operands. A **leaf**
//!   has no operands, and only a leaf's **data** (its value) may be changed. A **constant** is a node that is not a
//!   leaf and has no leaf below it.
//! - A node **varies** if it is a leaf or a leaf is below it. The **level** of a leaf is 0. The level of any other varying
//!   node is one more than the highest level among its varying operands. A leaf is **free** if `:step` moves it, and
//!   **frozen** if not.
//! - A **pass** is reverse-mode differentiation (backpropagation) from a **root**. The grad that has reached a node is
//!   its **upstream**; upstream times the **local** derivative is the **contribution** to an operand; the sum of its
//!   contributions is a node's **grad**. Grads belong to a pass, not to nodes, so no code can forget to reset them. A
//!   **sweep** goes backward through an order once; a pass may add up several sweeps. A pass is **stale** once data has
//!   changed.
//!
//! # Reading order
//!
//! The files, in the order in which things happen to a graph:
//!
//! 1. `node` is a node with its operands, held by `Rc`. It computes its value and local derivatives. `factory` defines
//!    [`Graph`], which makes the nodes and numbers them, so a node has a higher id than its operands.
//!    `rule` is the operation of a node, or the rule that the node carries, and `body` the equation that gives such a rule.
//! 2. `living` lists the nodes that are alive. `:set` changes a leaf, and [`Graph::recompute`] goes forward over the nodes
//!    that depend on it: its index of users finds them, so that a leaf with ten users among a million nodes takes
//!    microseconds.
//! 3. `order` computes the [`Order`] of a pass, users before operands. A node's place in it is its **slot**.
//! 4. There are two ways backward through an order, and both give the same bits:
//!    - `sweep` is a loop over slots that hands each contribution to a visitor. The sweep through the nodes
//!      (`backward`) is the reference: the first two passes over an order go this way, and so do `:walk`, `:guess`,
//!      [`PathSubgraph`] (`:explain`) and the correct grads beside those of `:wrong`. Each row of a [`Jacobian`] goes
//!      through flat arrays (`flat`) with data of their own, and so do the mistakes of [`faulty_gradients`], in loops of
//!      their own.
//!    - `runs` is for repeated passes that need only the grads: neighbours with the same operation form a section that
//!      one loop (SIMD) computes; other nodes are computed one by one. Read its files in the order `sections`, `mod`,
//!      `cut`, `execute`.
//! 5. Three types hold the results: a [`Pass`] has the grads of `:grad` and `:backward`. A [`Plan`] repeats passes from
//!    one root with other data, for `:step`, `:check`, `:plot` and `:nudge`; a [`Jacobian`] has the derivatives of
//!    several roots with respect to a few leaves, for `:fit`, `:solve`, `:minimize` and `:budget`. Plans and Jacobians
//!    have data of their own and leave the nodes alone; both divide the graph into sections from the start, since they
//!    are made to be used many times.
//! 6. In `structure`: `below` and `tree_rows` examine the shape of the graph; `path_subgraph` and `paths`
//!    multiply local derivatives along paths. `not_finite` finds where a NaN began.
//!
//! An order of up to `NEWEST_FIRST` nodes lists them by descending id, as `:topo` shows; a larger one lists them by
//! level and operation, so that equal operations are neighbours.
//!
//! All engines give equal bits because each follows an `Order`, uses the functions of `ops::TABLE` and `ops::chain`, and
//! adds up each grad in the same sequence. `tests/engines.rs` compares them.
//!
//! This layer knows operations only as rows of `ops::TABLE`. It does not depend on the calculator and knows nothing of
//! sessions, users' names or reports.

mod backward;
mod body;
mod factory;
mod faulty_pass;
mod flat;
mod jacobian;
mod living;
mod node;
mod not_finite;
mod order;
mod pass;
mod plan;
mod rule;
mod runs;
pub mod structure;
mod sweep;

pub use self::backward::{contributions_of, gradients, sweep_one_node};
pub use self::body::Body;
pub use self::factory::Graph;
pub use self::faulty_pass::{MAX_CONTRIBUTIONS, PassFault, QueueRule, RowFault, faulty_gradients};
pub use self::jacobian::Jacobian;
pub use self::living::LivingNodes;
pub use self::node::{LAST_ID, Node, NodeArray, NodeId, Spelling, live_nodes, values};
pub use self::not_finite::{first_not_finite, is_at_fault};
pub use self::order::{NEWEST_FIRST, Order};
pub use self::pass::Pass;
pub use self::plan::Plan;
pub use self::rule::Carried;
pub use self::structure::paths::Paths;
pub use self::structure::{FullGraph, PathSubgraph};
pub use self::sweep::Contribution;
