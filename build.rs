//! Tells the linker to give the program a fixed address where that makes it start sooner.
//!
//! A program that may be loaded anywhere has every address in its tables corrected at each start. There are 28,000 of
//! them, which takes an eighth of the time of `-e 1+1`.
#![allow(
    clippy::print_stdout,
    reason = "this is how a build script speaks to Cargo"
)]

use std::env;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let is = |name: &str, value: &str| env::var(name).is_ok_and(|found| found == value);
    if is("CARGO_CFG_TARGET_OS", "linux") && is("CARGO_CFG_TARGET_ENV", "gnu") {
        println!("cargo::rustc-link-arg-bins=-no-pie");
    }
}
