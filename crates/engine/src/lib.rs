//! The engine: operations with their derivatives, and graphs of nodes with forward and backward passes.
//!
//! [`ops`] is the table of operations; [`graph`] has the nodes and the passes over them. Long loops ask [`stop`]
//! whether to go on. The engine does not depend on the calculator and knows nothing of sessions, users' names or
//! reports.
//!
//! ```
//! use chainrule_engine::graph::{Graph, Pass};
//! use chainrule_engine::ops::{Shape, operator};
//!
//! // L = (a*b + c)*f
//! let [times, plus] = ["*", "+"].map(|sign| operator(sign, Shape::Infix).expect("an operator"));
//! let mut graph = Graph::default();
//! let [a, b, c, f] = [2.0, -3.0, 10.0, -2.0].map(|data| graph.leaf(data, false));
//! let e = graph.apply(times, &[a.clone(), b.clone()]);
//! let d = graph.apply(plus, &[e.clone(), c.clone()]);
//! let root = graph.apply(times, &[d.clone(), f.clone()]);
//!
//! // Every gradient, then all of them again at other data.
//! let mut pass = Pass::from(&root, &graph);
//! let grads = [&root, &d, &f, &e, &c, &a, &b].map(|node| pass.grad(node).expect("it is below L"));
//! assert_eq!((root.data(), grads), (-8.0, [1.0, -2.0, 4.0, -2.0, -2.0, 6.0, -4.0]));
//! graph.set(&a, 3.0);
//! graph.recompute(&[a.clone()], graph.last_id(), |_, _| {});
//! pass.refresh(&graph);
//! assert_eq!((root.data(), pass.grad(&f)), (-2.0, Some(1.0)));
//! ```

#![warn(unreachable_pub)]

pub mod graph;
pub mod ops;
