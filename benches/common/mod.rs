//! Tools of all benchmarks: a clock, a table, and seeded random numbers.
//!
//! Every figure is the minimum of several rounds, which other work on the machine disturbs least. Nanoseconds differ
//! from machine to machine; the ratios within a table are comparable.
#![allow(dead_code, reason = "each bench takes what it needs")]

pub mod constructs;
pub mod counted;
pub mod peer;
pub mod process;
pub mod recipe;

use std::fmt::Write as _;
use std::io::Write;
use std::time::{Duration, Instant};

const ROUNDS: u32 = 7;
const ROUND: Duration = Duration::from_millis(40);

/// The nanoseconds that one call of `work` takes.
pub fn time(mut work: impl FnMut()) -> f64 {
    let once = Instant::now();
    work();
    let calls =
        (ROUND.as_secs_f64() / once.elapsed().as_secs_f64().max(1e-9)).clamp(1.0, 1e7) as u32;
    let round = |_| {
        let start = Instant::now();
        (0..calls).for_each(|_| work());
        start.elapsed().as_secs_f64() * 1e9 / f64::from(calls)
    };
    (0..ROUNDS).map(round).fold(f64::INFINITY, f64::min)
}

/// The nanoseconds that one call of `make` takes, and those that it takes to drop what it makes.
pub fn time_made<T>(mut make: impl FnMut() -> T) -> (f64, f64) {
    let once = Instant::now();
    drop(make());
    // Many small things are made at once, so that reading the clock does not count.
    let most = (1e-3 / once.elapsed().as_secs_f64().max(1e-9)).clamp(1.0, 1e4) as usize;
    let (mut made, mut dropped) = (f64::INFINITY, f64::INFINITY);
    let begun = Instant::now();
    while begun.elapsed() < ROUNDS * ROUND {
        let start = Instant::now();
        let all: Vec<T> = (0..most).map(|_| make()).collect();
        let middle = Instant::now();
        drop(all);
        let ns = |took: Duration| took.as_secs_f64() * 1e9 / most as f64;
        made = made.min(ns(middle - start));
        dropped = dropped.min(ns(middle.elapsed()));
    }
    (made, dropped)
}

/// Prints rows in aligned columns, the first to the left and the others to the right.
pub fn table(title: &str, rows: &[Vec<String>]) {
    let mut widths = Vec::new();
    for row in rows {
        widths.resize(row.len().max(widths.len()), 0);
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = cell.chars().count().max(*width);
        }
    }
    let mut out = std::io::stdout().lock();
    // If writing fails there is no way to report it.
    let _ = writeln!(out, "\n{title}");
    for row in rows {
        let mut cells = row.iter().zip(&widths);
        if let Some((cell, width)) = cells.next() {
            let _ = write!(out, "  {cell:<width$}");
        }
        for (cell, width) in cells {
            let _ = write!(out, "   {cell:>width$}");
        }
        let _ = writeln!(out);
    }
}

/// A script of `count` lines such as `x17 = x16 * 1.0001 + 0.5;`.
pub fn assignments(count: usize) -> String {
    let mut text = String::from("x0 = 1.0;\n");
    for line in 1..=count {
        let _ = writeln!(text, "x{line} = x{} * 1.0001 + 0.5;", line - 1);
    }
    text
}

/// A row of a table.
pub fn row<const N: usize>(cells: [&str; N]) -> Vec<String> {
    cells.iter().map(ToString::to_string).collect()
}

/// Random numbers that are the same on every machine (splitmix64).
pub struct Random(pub u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A whole number below `end`.
    pub fn below(&mut self, end: usize) -> usize {
        ((u128::from(self.next()) * end as u128) >> 64) as usize
    }

    /// A number from 0 to below 1.
    pub fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }
    /// A number from the normal distribution.
    pub fn normal(&mut self) -> f64 {
        let size = (-2.0 * (1.0 - self.unit()).ln()).sqrt();
        size * (std::f64::consts::TAU * self.unit()).cos()
    }
}
