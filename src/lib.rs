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

pub mod commands;
pub mod diagnostic;
pub mod graph;
pub mod interpret;
pub mod ops;
pub mod report;
pub mod session;
pub mod shell;
pub mod suggest;
pub mod syntax;
pub mod view;
