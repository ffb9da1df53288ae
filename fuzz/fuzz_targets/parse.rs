//! Any bytes as text: reading never panics, places lie inside, what parses is printed and parses again.
//!
//! The checks are in `tests/common/invariants.rs`: `cargo test` runs them on seeds and on earlier finds, too.
#![no_main]

#[path = "../../tests/common/invariants.rs"]
mod invariants;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| invariants::parse(&String::from_utf8_lossy(bytes)));
