//! A text of several lines typed into a session: failures leave no trace, undo goes back and forth, output is harmless.
//!
//! The checks are in `tests/common/invariants.rs`: `cargo test` runs them on seeds and on earlier finds, too.
#![no_main]

#[path = "../../tests/common/invariants.rs"]
mod invariants;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| invariants::session(&String::from_utf8_lossy(bytes)));
