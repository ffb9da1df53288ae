//! Exports a root and its gradient with respect to the free leaves below it as a program in C, Python or JAX, or as a
//! document of LaTeX.
//!
//! A program has only the nodes that the root depends on; frozen leaves and constants become numbers. C writes one
//! statement for each node, and the derivatives are nodes, too. Python and JAX compute with lists. The frame of a Python
//! program contains a tape for the gradient, and JAX differentiates by itself. The modules, from the root to the file:
//!
//! - `computation` puts the nodes in order.
//! - `c`, `python`, `jax` and `tex_document` write a root in one language.
//! - `arrays` gathers leaves in arrays and calls the writer, for Python and JAX.
//! - `writer` writes the statements. `recipes` finds the operation that computes each value, and `lists` and `loops` write
//!   lists and loops.
//! - `dialect` spells the operations, and `operation_text` puts their operands in.
//! - `identifiers` and `names_and_numbers` write names and numbers.
//! - `inline` joins short statements.
//! - `user_function` adds the user's function, and `frame` puts all parts into one of the templates `frame.*`.
//! - `tex_formula` writes the formulas of LaTeX.

mod arrays;
mod c;
mod computation;
mod dialect;
mod frame;
mod identifiers;
mod inline;
mod jax;
mod lists;
mod loops;
mod names_and_numbers;
mod operation_text;
mod python;
mod recipes;
mod tex_document;
mod tex_formula;
mod user_function;
mod writer;

use chainrule_engine::ops::Op;

pub use self::c::c;
pub use self::computation::{Computation, FunctionCall};
pub use self::dialect::Dialect;
pub use self::jax::jax;
pub use self::python::python;
pub use self::tex_document::tex;

/// The most lines of the function in an exported program.
pub const MOST_LINES: usize = 10_000;

/// The reason for which a root cannot be exported.
#[derive(Clone, Copy, Debug)]
pub enum Refusal {
    /// The language has no function for this operation.
    MissingFunction(&'static Op),
    /// The program would have more lines than [`MOST_LINES`].
    TooLong,
}

/// The beginning of every exported program, after the comment marker. `:export` overwrites only files that start with it.
const FILE_MARKER: &str = "exported by chainrule ";

/// Returns whether a file begins as an exported program does.
pub fn is_exported(beginning: &[u8]) -> bool {
    let text = String::from_utf8_lossy(beginning);
    let code = text.trim_start_matches(['/', '*', '#', '%', ' ']);
    code.starts_with(FILE_MARKER)
}

/// Returns the first line of a program, without the comment marker.
fn first_line() -> String {
    let version = env!("CARGO_PKG_VERSION");
    format!("{FILE_MARKER}{version}; `:export` replaces this file")
}
