//! The cost of a script grows with its work: valgrind counts the instructions of the constructs in `benches/constructs.txt`
//! at n and at 4n. `cargo bench --bench growth` counts all of them.

use std::fs;
use std::path::Path;

use crate::common::browser::report_skip;
use crate::counted;
use constructs::{EXPONENT, constructs};

#[path = "../benches/common/constructs.rs"]
mod constructs;

#[test]
fn the_cost_of_a_script_grows_with_its_work() {
    if !counted::is_available() {
        report_skip("growth", "valgrind");
        return;
    }
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("growth");
    fs::create_dir_all(&folder).expect("the folder for temporary files can be written");
    for construct in constructs().iter().filter(|construct| construct.tested) {
        let (_, exponent) = construct.exponent(|input, options| {
            let (count, ended_well) = counted::count(input, options, &folder);
            let may_fail = options.iter().any(|option| option == "--keep-going");
            assert!(ended_well || may_fail, "{} fails", construct.name);
            count
        });
        assert!(
            exponent <= EXPONENT,
            "{} grows with n^{exponent:.2}",
            construct.name
        );
    }
}

/// Only a construct whose exponent is too high has an excuse, and each construct is there once.
#[test]
fn every_construct_is_told_once() {
    let mut names: Vec<(String, String)> = constructs()
        .into_iter()
        .map(|construct| (construct.group, construct.name))
        .collect();
    assert!(names.len() > 150, "{}", names.len());
    names.sort();
    let all = names.len();
    names.dedup();
    assert_eq!(names.len(), all);
}

/// Every command is among the constructs.
#[test]
fn every_command_is_among_the_constructs() {
    let scripts: String = constructs()
        .iter()
        .flat_map(|construct| construct.scripts(1))
        .collect();
    for command in chainrule::commands::COMMANDS {
        let typed = format!(":{}", command.name);
        let is_there = scripts.contains(&typed);
        let asks = ["play", "quit"].contains(&command.name);
        assert!(is_there || asks, "{typed} is not in benches/constructs.txt");
    }
}
