//! All tests that do not belong to a single file of `src/`, in one program, because linking one program is faster than
//! linking many. `cargo test NAME::` runs one module.

mod common;

mod check;
mod cli;
mod commands;
mod completion;
mod derivatives;
mod differential;
mod engines;
mod explain;
mod files;
mod functions;
mod fuzz;
mod guess;
mod help;
mod hostile;
mod interrupt;
mod lecture;
mod lists;
mod lock;
mod look;
mod numbers;
mod page;
mod pictures;
mod plot;
mod posts;
mod prompt;
mod random_programs;
mod readme;
mod reference;
mod remembered;
mod save;
mod scripts;
mod spelling;
mod structure;
mod sums;
mod tidy;
mod tour;
mod tree;
mod typing;
mod walk;
mod watch;
mod worked_examples;
mod wrong;
