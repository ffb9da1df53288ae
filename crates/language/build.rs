//! Says where the grammar is. In a package it is the folder `grammar`, and in the repository this folder is a link to the
//! one at the top. Git on Windows makes a small file of the link, and then the path to the top is used.

// This is how a build script talks to cargo.
#![allow(clippy::print_stdout)]

use std::path::Path;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-check-cfg=cfg(has_grammar_folder)");
    if Path::new("grammar/calculator.pest").is_file() {
        println!("cargo::rustc-cfg=has_grammar_folder");
    }
}
