//! All tests that do not belong to a single file of `src/`, in one program, because linking one program is faster than
//! linking many. `cargo test NAME::` runs one module. Tests that need a browser, a compiler of C, Python or valgrind are in
//! `tests/tools.rs`.

// A test is read from top to bottom: it may be long, and use a short name twice.
#![allow(clippy::shadow_unrelated, clippy::too_many_lines)]

mod common;

mod blocks;
mod books;
mod budget_solve_minimize;
mod check;
mod cli;
mod command_names;
mod commands;
mod completion;
mod course;
mod data;
mod derivatives;
mod dialogue;
mod echo;
mod explain;
mod figures;
mod files;
mod fit;
mod formats;
mod formulas;
mod functions;
mod fuzz;
mod graphs;
mod guess;
mod guess_formulas;
mod help;
mod hostile;
mod house;
mod interrupt;
#[cfg(unix)]
mod keys;
mod lab;
mod lessons;
mod limits;
mod list_shapes;
mod lock;
mod long_tables;
mod nodes;
mod numbers;
mod orders;
mod plot;
mod programs;
mod prompt;
mod prompt_picture;
mod random;
mod rates;
mod readme;
mod records;
mod reference;
mod refused;
mod saved;
mod screens;
mod sessions;
mod shown;
mod signals;
mod solutions;
mod tree;
mod typing;
mod walk;
mod widths;
mod worked_examples;
mod wrong;
