//! A text of several lines typed into a session: failures leave no trace, undo goes back and forth, output is harmless.
//!
//! What is checked stands in `tests/common/invariants.rs`, since `cargo test` checks it over seeds and finds too.
#![no_main]

#[path = "../../tests/common/invariants.rs"]
mod invariants;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| invariants::session(&String::from_utf8_lossy(bytes)));
