//! A model for other programs: C, Python, JAX or LaTeX of a root and its gradient with respect to the free leaves below
//! it.
//!
//! Only what the root depends on is written; frozen leaves and constants become numbers. `computation` says what is
//! computed in which order, and `writer` writes it line by line: `c` one node after the other, `python` and `jax` with
//! `arrays`. Python finds the gradient by a tape in its frame, JAX
//! by itself. `user_function` adds a function of the user's. `tex`
//! writes formulas. The files `frame.*` hold the text around them. A further format needs a further file here.

mod arrays;
mod c;
mod computation;
mod dialect;
mod frame;
mod identifiers;
mod inline;
mod jax;
mod names_and_numbers;
mod operation_text;
mod python;
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
    /// It has more lines than [`MOST_LINES`].
    Long,
}

/// How every exported program begins, after the sign of a comment: by this it is recognized, and replaced.
const MARK: &str = "exported by chainrule ";

/// Whether a file begins as an exported program does.
pub fn is_exported(beginning: &[u8]) -> bool {
    let text = String::from_utf8_lossy(beginning);
    let code = text.trim_start_matches(['/', '*', '#', '%', ' ']);
    code.starts_with(MARK)
}

/// The first line, without the sign of a comment.
fn mark() -> String {
    format!(
        "{MARK}{}; `:export` replaces this file",
        env!("CARGO_PKG_VERSION")
    )
}
