//! A session written as a script and loaded into another: everything comes back to the bit.
//!
//! The checks are in `tests/common/invariants.rs`: `cargo test` runs them on seeds and on earlier finds, too.
#![no_main]

#[path = "../../tests/common/invariants.rs"]
mod invariants;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| invariants::save_load(&String::from_utf8_lossy(bytes)));
