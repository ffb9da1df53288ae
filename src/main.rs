//! The program: runs the shell and returns its exit status, which `shell/program.rs` decides.
//!
//! Everything else is in the library, where tests and benchmarks can use it.

use std::process::ExitCode;

fn main() -> ExitCode {
    chainrule::shell::run()
}
