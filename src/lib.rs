//! `chainrule`: a calculator that differentiates. This page is the map of the house.
//!
//! ```text
//!  typed line / script / pipe                                             screen / JSON
//!         │ &str                                                                 ▲ String
//!  ┌──────▼──────────────────────────── shell ──────────────────────────────────┴─────────┐
//!  │ options · prompt (rustyline) · script reader · files · exit status   (all the outside)│
//!  └──────┬───────────────────────────────────────────────────────────────▲───────────────┘
//!  ┌──────▼───────┐        Reply { report, then }  or  Diagnostic  ┌──────┴───────┐
//!  │  interpret   ├────────────────────────────────────────────────►     view     │ text · json
//!  └──────┬───────┘                                                └──────┬───────┘
//!  ┌──────▼───────┐                                                       │ sees only
//!  │   commands   ├──────────────► report · diagnostic ◄──────────────────┘
//!  └──────┬───────┘
//!  ┌──────▼───────┐
//!  │   session    │  names ⇄ nodes · last pass · results · undo · settings
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
//! [`ops::TABLE`] → [`graph::backward`] → [`session`] → `commands/grad.rs`: with this page five files, and the whole
//! way of `:grad L` is known. From the typed line the jumps are [`interpret::statement`], [`commands::find`], `run` of
//! `commands/grad.rs`, [`session::Session::backward`], [`graph::Pass::from`], and there `pass_on`, which adds a
//! contribution.
//!
//! Beside the layers, for all of them: [`stop`], where long loops ask whether to go on.
//!
//! Three sentences stay true:
//! - `view` sees reports and diagnostics and nothing else; delete it and the engine still computes.
//! - Below `shell` everything is a function of the session and a line of text: no printing, files, environment, clock
//!   or terminal. What must be asked in the middle of work goes through [`session::Host`].
//! - Operations are named in `ops` only, commands in `commands` only. Everybody else learns them by iterating.
//!
//! `tests/tidy.rs` holds the table of layers and fails with file, line and both layer names on an upward `use`.
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
//!   operands, so ids are an evaluation order. Grads belong to a pass, not to nodes.
//! - A statement builds first and binds last: one that fails leaves no trace.
//! - Nothing recurses over what a user chooses the size of: trees are flat, order, sweeps and drop are loops.
//! - The order of a pass is made in `graph/order.rs` and followed by the sweep, the plan and every table.
//! - A float becomes text for people in `view/number.rs` and for the language in `syntax/print.rs`, a role becomes a
//!   colour in `view/theme.rs`, a limit has a name and an error.
//!
//! # How to add things
//!
//! `CONTRIBUTING.md` says how to build, test and measure. A test that compares something recorded says how to refresh it.
//!
//! | to add | edit | what fails if a part is forgotten |
//! | --- | --- | --- |
//! | an operation | one row in `ops/table.rs` | `tests/lock.rs`, `tests/spelling.rs`, `tests/reference.rs`, `tests/readme.rs` |
//! | an infix operator | a row, a token in the grammar, a line in `syntax/levels.rs` | `tests/lock.rs`, round trip in `syntax` |
//! | a command | a file in `commands/`, two lines in `commands/mod.rs` | `tests/tidy.rs`, `tests/commands.rs`, `tests/help.rs`, `tests/readme.rs` |
//! | an argument of a command | its signature; what Tab offers for it is [`crate::commands::args::suggestions::Offers`] | `tests/completion.rs` |
//! | a famous mistake | a line in `session/mistakes.rs`, or in `ops/mistakes.rs` if it is about one operation | `tests/wrong.rs` |
//! | a setting | a field of [`session::Settings`], a row of [`session::settings::SETTINGS`] | their test, `tests/readme.rs` |
//! | a topic of `:help` | a section of a page in `docs/`, with a mark; a new page also in `commands/topics/mod.rs` | the tests of the reader, `tests/help.rs`, `tests/readme.rs` |
//! | a theme | a word in [`session::settings::THEMES`], a variant of [`view::theme::Theme`] | `tests/typing.rs` |
//! | a kind of block | [`report::Block`] and each view | the compiler |
//! | something for the shell to do | a variant of [`commands::Then`] | the compiler |
//! | a layer dependency | the table in `tests/tidy.rs` | `tests/tidy.rs` |

#![warn(unreachable_pub)]

pub mod commands;
pub mod diagnostic;
pub mod graph;
pub mod interpret;
pub mod ops;
pub mod report;
pub mod session;
pub mod shell;
pub mod stop;
pub mod study;
pub mod syntax;
pub mod view;
