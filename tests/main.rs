//! All tests that are not about one file of `src/`, as one program: what is linked once starts at once. One of its
//! modules runs with `cargo test NAME::`.

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
mod tidy;
mod tour;
mod tree;
mod typing;
mod walk;
mod watch;
mod worked_examples;
mod wrong;
