#![doc = include_str!("../README.md")]
#![warn(unreachable_pub)]

pub mod graph;
pub mod ops;
