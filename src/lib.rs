//! `chainrule`: a calculator that differentiates. This page is the map of the project.
//!
//! ```text
//!  typed line, script, pipe                                           screen, JSON, file
//!         │ &str                                                              ▲ String
//!  ┌──────▼───────────────────────────────────────────────────────────────────┴───────┐
//!  │ shell   prompt · page · server (requests) · script (runs and shows) · files      │
//!  └──────┬──▲───────────────────────────────────────────────┬────────────────┬───────┘
//!         │  │ Reply { report, effect } or Diagnostic        │                │
//!  ┌──────▼──┴────┐                                          │                │
//!  │  interpret   │                                          │                │
//!  └──────┬───────┘                                          │                │
//!  ┌──────▼───────┐  a command each; `features` has those    │                │
//!  │  commands ·  │  that are folders of their own: export · │                │
//!  │   features   │  fit · formula · solve · minimize ·      │                │
//!  └──────┬───────┘  budget                                  │                │
//!  ┌──────▼───────┐  what they share: study (explain ·       │                │
//!  │ study · search  check · guess · wrong · nudge · diagram)│                │
//!  │  plotting    │                                          │                │
//!  └──────┬───────┘                                          │                │
//!  ┌──────▼───────┐  what a command is: its arguments and    │                │
//!  │   command    │  its reply                               │                │
//!  └──────┬───────┘                                          │                │
//! ════════╪═══════════════════════════ crates/ ══════════════╪════════════════╪══════════
//!  ┌──────▼───────┐  formulas as textbooks print them, by    │                │
//!  │   formulas   │  `algebra`                               │                │
//!  └──────┬───────┘                                          │                │
//!  ┌──────▼───────┐  keeps state: names · history (undo) ·   │                │
//!  │   session    │  steps · uncertainty · saving · settings │                │
//!  └──────┬───────┘                                          │                │
//!  ┌──────▼───────┐  compiles and runs statements: values ·  │                │
//!  │   program    │  functions · guards · derivatives        │                │
//!  └──┬───────┬───┘                                          │                │
//!  ┌──▼─────┐ ┌▼───────┐                               ┌─────▼──┐   ┌─────────▼────┐
//!  │language│ │ engine │  algebra                      │ tables │   │     view     │
//!  └────────┘ └────────┘                               └────────┘   └──────┬───────┘
//!                                                                   ┌──────▼───────┐
//!                                                                   │   pictures   │
//!  `report` is used by all but algebra, language and engine,        └──────┬───────┘
//!  `stop` by all but algebra, language and report.                  ┌──────▼───────┐
//!                                                                   │    style     │
//!                                                                   └──────────────┘
//! ```
//!
//! The crates know nothing of commands and answers, except that the lexer leaves the words of `:answer` as they are. Each
//! has a page that says what it is for:
//! [`chainrule_language`] turns text into trees (pest). [`chainrule_engine`] has the table of operations, the graph
//! of `Rc` nodes with its passes, and the search for roots. [`chainrule_program`] compiles and runs statements.
//! [`chainrule_session`] keeps what lasts. [`chainrule_formulas`] writes formulas as textbooks do, with
//! `chainrule_algebra`. [`chainrule_tables`] reads files of numbers. [`chainrule_report`] is what answers and
//! errors consist of, `chainrule_style` how numbers and colours look, `chainrule_pictures` draws graphs and plots,
//! and [`chainrule_view`] turns reports into text, JSON and documents. [`chainrule_stop`] ends long work.
//!
//! # The core in eight files
//!
//! If you have an hour, read how `:grad L` comes about:
//!
//! 1. `crates/engine/src/ops/table.rs`: one row per operation, with its value and local derivatives.
//! 2. `crates/engine/src/graph/node.rs`: a node, its operands and its data.
//! 3. `crates/engine/src/graph/order.rs`: the nodes below a root in topological order.
//! 4. `crates/engine/src/graph/sweep.rs`: a loop over that order, forward or backward.
//! 5. `crates/engine/src/graph/backward.rs`: the chain rule.
//! 6. `crates/engine/src/graph/pass.rs`: the grads of a pass.
//! 7. `crates/session/src/state/session.rs`: what a session keeps, and its one backward pass.
//! 8. `src/commands/gradients/grad.rs`: the command.
//!
//! The module `crates/engine/src/graph/runs` computes the same numbers faster; skip it at first.
//!
//! From the typed line on, the calls are [`interpret::statement`],
//! [`commands::find`], `run` in `commands/gradients/grad.rs`, [`chainrule_session::Session::backward`] and
//! [`chainrule_engine::graph::Pass::run`]. [`chainrule_engine::graph`] says what **node, leaf, operand, user, root, data,
//! grad, local, upstream, pass** mean, in code, help, table heads and JSON alike, and which engine computes when.
//!
//! Another program runs lines with this crate like this:
//!
//! ```
//! use chainrule::interpret;
//! use chainrule_language::statements;
//! use chainrule_session::Session;
//!
//! let mut session = Session::new();
//! let text = "a = 3; L = a^2 + 1; :grad L";
//! for cut in statements(text) {
//!     let reply = interpret::statement(&mut session, text, &cut.expect("it is complete"));
//!     reply.expect("it has an answer");
//! }
//! let a = session.names().find_node("a").expect("it is bound");
//! assert_eq!(session.pass().and_then(|pass| pass.grad(a)), Some(6.0));
//! ```
//!
//! # What holds everywhere
//!
//! - Lines of Python are lines of the language. `program/src/compile/lower.rs` gives calls such as `np.tanh(x)` their
//!   meaning. If a statement fails, `interpret/python` says what to type, or runs another line that means the same. Its
//!   `build_network.rs` makes lists and a function of `MLP(3, [4, 4, 1])`. `session/src/network_classes.rs` keeps the
//!   user's classes.
//! - Loops, choices and functions over several lines are trees of the language. The machine that builds nodes runs them,
//!   `interpret/block` does what they do outside of expressions, and `session/src/history/block.rs` keeps their state.
//! - Below `shell` everything is a function of the session and a line of text: nothing prints, and nothing uses files, the
//!   environment, the clock or the terminal. A question to the user, and a file to read or write, goes through
//!   [`chainrule_session::Host`].
//! - Operations are in the engine's table and commands in `commands`; other code iterates over them or looks them up.
//!   `chainrule_program` treats individual operations (`*`, `modulo`, `chain`) specially where it simplifies derivatives
//!   or makes a note, and other code only where it writes or draws them.
//! - An operation and its operands never change after creation; only a leaf's data does. A node is newer than its
//!   operands, so ids are a topological order. Grads belong to a pass, not to nodes.
//! - A statement builds first and binds last: one that fails leaves no trace.
//! - Code recurses only where the depth of brackets has a limit, because a deep graph would overflow the stack. So trees
//!   are flat, and order, sweeps and drop are loops. Long loops ask [`chainrule_stop`] whether to go on.
//!
//! `tests/house.rs` has the table of layers and the other rules for the code, and names the file that breaks one. What a
//! crate may use is in its `Cargo.toml`.
//!
//! # How to add things
//!
//! The compiler or a test reports a forgotten part. `UPDATE=1 cargo test` brings the manual and recorded answers up to
//! date.
//!
//! | to add | edit |
//! | --- | --- |
//! | an operation | a row in `crates/engine/src/ops/table.rs`. If the operation is smooth: its formulas in `tests/reference/generate.py`; then run that script and `tests/reference/derivatives.py`. If it can be written in two ways: its name in `tests/lock.rs`. For exports: a function of its name in the libraries in `features/export/write/dialect/`, or the `script` of its row; `cargo test --test tools export::` compares the numbers. If NumPy has a function of its name that means the same: `NUMPY_NAMES` in `program/src/functions/library.rs` |
//! | an infix operator | a row, a spelling in the grammar, a line in `crates/language/src/precedence.rs` |
//! | a function of lists | a row in `program/src/functions/library.rs`, its work in `program/src/lists/library.rs` |
//! | a command | a folder in `features/` with a `mod` line (CONTRIBUTING shows the pattern), a line in `commands/mod.rs`, a page in `docs/commands/`, of whose head `build.rs` makes its signature, an entry in `docs/SUMMARY.md`, and a script in `benches/constructs.txt` |
//! | a famous mistake | a row of `study/wrong.rs` |
//! | a translation of Python, a better line to type | a row of `interpret/python/patterns.txt` |
//! | a setting | a row of [`chainrule_session::settings::SETTINGS`] |
//! | a lesson | a script in `examples/`, a line in `commands/program/play.rs` |
//! | a topic of `:help` | a section of a page in `docs/`, with a mark; a new page also in `commands/help/topics.rs` |
//! | a kind of block | [`chainrule_report::Block`] and each view |
//! | something for the shell to do | a variant of [`command::Effect`] |

#![warn(unreachable_pub)]
#![cfg_attr(test, allow(clippy::shadow_unrelated, clippy::too_many_lines))]

pub mod command;
pub mod commands;
pub mod features;
pub mod interpret;
pub mod plotting;
pub mod search;
pub mod shell;
pub mod study;
