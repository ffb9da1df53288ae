//! A model for other programs: C, Python, JAX or LaTeX of a root and its gradient by the free leaves below it.
//!
//! Only what the root depends on is written; frozen leaves and constants become numbers. `straight` says what is computed
//! in which order, `program` writes that as a program in C or Python, `tex` as formulas; `jax` translates what was typed.
//! The files `frame.*` hold what stands around them.
//! A further format is a further file here.

mod identifiers;
mod jax;
mod program;
mod straight;
mod tex;
mod text;

pub use self::jax::jax;
pub use self::program::program;
pub use self::straight::Straight;
pub use self::tex::tex;

/// The most operations of a model that is exported.
pub const MOST_OPERATIONS: usize = 10_000;

/// How every exported program begins, behind the sign of a comment: by this it is recognized, and replaced.
const MARK: &str = "exported by chainrule ";

/// Does a file begin as an exported program does?
pub fn is_exported(beginning: &[u8]) -> bool {
    let first = beginning
        .split(|&byte| byte == b'\n')
        .next()
        .unwrap_or_default();
    String::from_utf8_lossy(first)
        .trim_start_matches(['/', '*', '#', '%', ' '])
        .starts_with(MARK)
}

/// The first line, without the sign of a comment.
fn mark() -> String {
    format!(
        "{MARK}{}; `:export` replaces this file",
        env!("CARGO_PKG_VERSION")
    )
}
