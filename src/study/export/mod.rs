//! A model for other programs: C, Python, JAX or LaTeX of a root and its gradient with respect to the free leaves below
//! it.
//!
//! A program has only the nodes that the root depends on; frozen leaves and constants become numbers. `computation` puts
//! the nodes in order. `writer` writes the statements, for which `recipes` finds the operations and `lists` the texts of
//! lists. `c` calls it for one node after the other, `python` and `jax` by `arrays`. Python finds the gradient by a tape
//! in its frame, JAX by itself. `user_function` adds a function of the user's, and `frame` puts all into the files
//! `frame.*`. `tex_document` writes formulas instead.

mod arrays;
mod c;
mod column;
mod computation;
mod dialect;
mod frame;
mod identifiers;
mod inline;
mod jax;
mod lists;
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

/// Why there is no program.
#[derive(Clone, Copy, Debug)]
pub enum Refusal {
    /// The language has no function for this operation.
    Lacks(&'static Op),
    /// The program would have more lines than [`MOST_LINES`].
    Long,
}

/// The beginning of every exported program, after the sign of a comment. `:export` replaces only files that begin so.
const MARK: &str = "exported by chainrule ";

/// Returns whether a file begins as an exported program does.
pub fn is_exported(beginning: &[u8]) -> bool {
    let text = String::from_utf8_lossy(beginning);
    let code = text.trim_start_matches(['/', '*', '#', '%', ' ']);
    code.starts_with(MARK)
}

/// Returns the first line, without the sign of a comment.
fn mark() -> String {
    let version = env!("CARGO_PKG_VERSION");
    format!("{MARK}{version}; `:export` replaces this file")
}
