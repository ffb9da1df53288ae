//! Runs every construct of the language at two sizes, n and 4n, and prints with which power of n its cost grows.
//!
//! `benches/constructs.txt` has the constructs, and the reasons of those that grow faster than n^1.2. The cost is counted
//! in instructions under valgrind, so that it is the same on a busy machine. A word after `--` picks the constructs with
//! it in their name: `cargo bench --bench growth -- grad`.

// Like a test, a benchmark is read from top to bottom.
#![allow(clippy::shadow_unrelated, clippy::too_many_lines)]

mod common;

use std::env;
use std::fs;
use std::path::Path;

use common::constructs::{Construct, EXPONENT, constructs};
use common::{counted, row, table};

fn main() {
    if !counted::is_available() {
        table(
            "growth: SKIPPED, instructions are counted by valgrind and it is not there",
            &[],
        );
        return;
    }
    // Cargo itself adds an option.
    let wanted: Vec<String> = env::args()
        .skip(1)
        .filter(|word| !word.starts_with('-'))
        .collect();
    let is_wanted = |construct: &Construct| {
        wanted.is_empty() || wanted.iter().any(|word| construct.name.contains(word))
    };
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("growth");
    fs::create_dir_all(&folder).expect("the folder for temporary files can be written");
    let all: Vec<Construct> = constructs().into_iter().filter(is_wanted).collect();
    for group in all.chunk_by(|one, next| one.group == next.group) {
        let mut rows = vec![row(["", "n", "instructions for each", "exponent", ""])];
        for construct in group {
            let mut failed = false;
            let (cost, exponent) = construct.exponent(|input, options| {
                let (count, ended_well) = counted::count(input, options, &folder);
                failed |= !ended_well && !options.iter().any(|it| it == "--keep-going");
                count
            });
            let remark = match &construct.reason {
                _ if failed => "FAILS".to_string(),
                Some(reason) => reason.clone(),
                None if exponent > EXPONENT => "MORE".to_string(),
                None => String::new(),
            };
            rows.push(vec![
                construct.name.clone(),
                construct.size.to_string(),
                (cost / construct.size as u64).to_string(),
                format!("{exponent:.2}"),
                remark,
            ]);
        }
        table(&group[0].group, &rows);
    }
}
