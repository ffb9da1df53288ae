//! The program: runs the shell and hands its exit status on.
//!
//! Everything else is the library's, where tests and benchmarks reach it.

use std::process::ExitCode;

fn main() -> ExitCode {
    chainrule::shell::run()
}
