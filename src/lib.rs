//! `chainrule`: a calculator that differentiates. This page is the map of the project.
//!
//! ```text
//!  typed line, script, pipe                                              screen, JSON, file
//!         │ &str                                                                 ▲ String
//!  ┌──────▼──────────────────────────────────────────────────────────────────────┴────────┐
//!  │ shell        prompt · script (runs and shows statements) · files · process · options  │
//!  └──────┬───────────────────────────────────────────────────────────────▲───────────────┘
//!  ┌──────▼───────┐        Reply { report, effect } or Diagnostic  ┌──────┴───────┐
//!  │  interpret   ├────────────────────────────────────────────────►     view     │ text · json · picture
//!  └──────┬───────┘                                                └──────┬───────┘
//!  ┌──────▼───────┐                                                       │ sees only
//!  │   commands   ├──────────────► report · diagnostic ◄──────────────────┘
//!  └──────┬───────┘
//!  ┌──────▼───────┐
//!  │    study     │  works things out: explain · check · guess · wrong · nudge · plot · diagram · budget · solve ·
//!  │              │  fit · minimize · export
//!  └──────┬───────┘
//!  ┌──────▼───────┐
//!  │   session    │  what lasts: values · naming · building · history (undo) · saving · by_hand · last pass · settings
//!  └──┬────────┬──┘
//!  ┌──▼─────┐ ┌▼───────┐
//!  │ syntax │ │ graph  │   text ⇄ tree (pest)      Rc nodes · order · forward · backward · plan
//!  └────────┘ └┬───────┘
//!             ┌▼───────┐
//!             │  ops   │  the table: value, local derivatives, their text, domain, kinks
//!             └────────┘
//! ```
//!
//! # How to read it
//!
//! Read [`ops::TABLE`], `graph/backward.rs`, [`session`] and `commands/gradients/grad.rs`: these four files and this page
//! show all of how `:grad L` works. From the typed line, the calls are [`interpret::statement`], [`commands::find`], `run`
//! in `commands/gradients/grad.rs`, [`session::Session::backward`], [`graph::Pass::from`], and there `pass_on`, which adds
//! a contribution to a gradient.
//!
//! One module serves all layers: [`stop`], where long loops ask whether to go on.
//!
//! Three rules:
//! - `view` sees reports and diagnostics and nothing else; the engine computes without it.
//! - Below `shell` everything is a function of the session and a line of text: no printing, files, environment, clock
//!   or terminal. A question in the middle of work, and a file to read or write, goes through [`session::Host`].
//! - Only `ops` names operations, only `commands` names commands. Other code finds them by iterating.
//!
//! `tests/house.rs` has the table of layers; for an upward `use` it fails with the file and both layer names.
//! `tests/structure.rs` forbids circular imports between the entries of a folder, and one type name in two layers.
//!
//! # Words
//!
//! **node, leaf, operand, user, root, data, grad, local, upstream, contribution, pass** mean the same in code, help,
//! table heads and JSON; [`graph`] says what. A leaf is *free* or *frozen*, a node without a leaf below it *constant*,
//! a pass older than the last change of data *stale*.
//!
//! # What always holds
//!
//! - An operation and its operands never change after creation; only a leaf's data does. A node is newer than its
//!   operands, so ids are a topological order. Grads belong to a pass, not to nodes.
//! - A statement builds first and binds last: one that fails leaves no trace.
//! - Only what brackets or the limit of a chain bound may recurse: trees are flat; order, sweeps and drop are loops.
//! - `graph/order.rs` makes the order of a pass; the sweep, the plan and every table follow it.
//! - A float becomes text for people in `view/number.rs` and for the language in `syntax/print.rs`, a role becomes a
//!   colour in `view/theme`, a limit has a name and an error.
//!
//! # How to add things
//!
//! `CONTRIBUTING.md` says how to build, test and measure. A test that compares recorded output says how to refresh it.
//!
//! | to add | edit | what fails if a part is forgotten |
//! | --- | --- | --- |
//! | an operation | one row in `ops/table.rs`; if smooth, its formulas in `tests/reference/generate.py`; `UPDATE=1 cargo test` adds it to the manual and to the fuzzer's dictionary | `tests/lock.rs`, `tests/spelling.rs`, `tests/reference.rs`, `tests/readme.rs`, `tests/fuzz.rs` |
//! | an infix operator | a row, a rule in the grammar, a line in `syntax/precedence.rs` and in `syntax/parser/expression.rs` | `tests/lock.rs`, round trip in `syntax` |
//! | a function of lists | a row in `session/functions/of_lists.rs`, its work in `session/building/lists/functions.rs` | the compiler |
//! | a command | a file in a folder of `commands/`, a `mod` line there, a line in `commands/mod.rs`; `UPDATE=1 cargo test` adds it to the manual and to the fuzzer's dictionary | `tests/house.rs`, `tests/commands.rs`, `tests/help.rs`, `tests/readme.rs`, `tests/fuzz.rs` |
//! | an argument of a command | its signature; what Tab offers for it is [`crate::commands::args::suggestions::Offers`] | `tests/completion.rs` |
//! | a famous mistake | a line in `study/wrong.rs`, or in `ops/mistakes.rs` if it is about one operation | `tests/wrong.rs` |
//! | a translation of Python, a better line to type | a row of `interpret/python/patterns.txt` | `tests/lecture.rs`, `tests/cells.rs`, `tests/mistyped.rs` |
//! | a language of `:export` | a [`ops::Dialect`] with its library in `ops/script/`, a column of its `names.txt`, a frame in `study/export/`, a line in `commands/goals/export.rs` | `tests/export.rs` |
//! | a setting | a field of [`session::Settings`], a row of [`session::settings::SETTINGS`] | their test, `tests/readme.rs` |
//! | a lesson | a numbered script in `examples/`, a line in `commands/program/play/lessons.rs` | `tests/lessons.rs`, `tests/scripts.rs` |
//! | a topic of `:help` | a section of a page in `docs/`, with a mark; a new page also in `commands/help/topics/mod.rs` | the tests of the reader, `tests/help.rs`, `tests/readme.rs` |
//! | a theme | a word in [`session::settings::THEMES`], a variant of [`view::theme::Theme`] | `tests/typing.rs` |
//! | a kind of block | [`report::Block`] and each view | the compiler |
//! | something for the shell to do | a variant of [`commands::Effect`] | the compiler |
//! | a layer dependency | the table in `tests/house.rs` | `tests/house.rs` |

#![warn(unreachable_pub)]

pub mod commands;
pub mod diagnostic;
pub mod graph;
pub mod interpret;
pub mod ops;
pub mod report;
pub mod session;
#[cfg(feature = "terminal")]
pub mod shell;
pub mod stop;
pub mod study;
pub mod syntax;
pub mod view;
