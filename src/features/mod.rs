//! Features of the calculator, each in a folder of its own: a command, what it computes, and what only it needs.
//!
//! A feature uses the interface of commands, the session and the rooms that it shares with others. No feature uses
//! another one, and only the list of commands names it.

pub mod export;
