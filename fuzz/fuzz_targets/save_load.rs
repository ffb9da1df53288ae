//! A session written as a script and loaded into another: everything comes back to the bit.
//!
//! What is checked stands in `tests/common/invariants.rs`, since `cargo test` checks it over seeds and finds too.
#![no_main]

#[path = "../../tests/common/invariants.rs"]
mod invariants;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| invariants::save_load(&String::from_utf8_lossy(bytes)));
