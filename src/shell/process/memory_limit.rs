//! The memory limit: how much memory the process may use, and whether a statement should still start.
//!
//! A failed allocation aborts a Rust program, and the session with it. Where `ulimit -v` or the like sets a limit,
//! statements are refused before that happens. Without a limit nothing is measured. A system that promises more memory
//! than it has (overcommit) may still kill the process; the program cannot prevent that.

use std::cell::{Cell, RefCell};
use std::fs::File;
use std::io::Read as _;
use std::time::{Duration, Instant};

use crate::diagnostic::Diagnostic;

/// Memory that stays free, in bytes: for messages, for saving, for leaving.
const RESERVE: u64 = 4 << 20;

/// What parsing and building a statement needs for each token, in bytes. (Measured: about 170 in a sum of a million
/// terms.)
pub(crate) const BYTES_PER_TOKEN: u64 = 200;

/// How much memory a number of a table may take as a leaf of a list.
pub(crate) const BYTES_PER_LEAF: u64 = 150;

/// How long a measurement of the memory in use stays valid, unless a large allocation is about to follow.
const FRESH: Duration = Duration::from_millis(1);

/// The memory limit of this process, if it has one, and the last measurement.
pub(crate) struct Memory {
    limit: Option<u64>,
    measured: RefCell<Option<(Instant, u64)>>,
    in_command: Cell<bool>,
    ran_short: Cell<bool>,
}

impl Memory {
    /// The limit that the operating system has set for this process.
    pub(crate) fn of_process() -> Memory {
        let limits = read_proc("/proc/self/limits").unwrap_or_default();
        Memory::with_limit(limit(&limits))
    }

    fn with_limit(limit: Option<u64>) -> Memory {
        Memory {
            limit,
            measured: RefCell::default(),
            in_command: Cell::default(),
            ran_short: Cell::default(),
        }
    }

    /// Is there a limit at all?
    pub(crate) fn is_limited(&self) -> bool {
        self.limit.is_some()
    }

    /// Says whether the running statement is a command. Commands may use the memory kept free for growth, because
    /// `:save`, `:reset` and `:quit` are the ways out of a shortage.
    pub(crate) fn in_command(&self, yes: bool) {
        self.in_command.set(yes);
    }

    /// Would allocating `more` bytes exceed the limit? Growth is included in the estimate: a vector that doubles exists
    /// twice while it is copied.
    pub(crate) fn is_short_of(&self, more: u64) -> bool {
        let Some(limit) = self.limit else {
            return false;
        };
        let mut measured = self.measured.borrow_mut();
        let used = match *measured {
            Some((when, used)) if more == 0 && when.elapsed() < FRESH => used,
            _ => {
                let used = address_space().unwrap_or(0);
                *measured = Some((Instant::now(), used));
                used
            }
        };
        let growth = if self.in_command.get() { 0 } else { used / 2 };
        used.saturating_add(growth)
            .saturating_add(RESERVE)
            .saturating_add(more)
            > limit
    }

    /// Called in the middle of a statement: must it stop because memory is running out?
    pub(crate) fn runs_short(&self) -> bool {
        let short = self.is_limited() && self.is_short_of(0);
        if short {
            self.ran_short.set(true);
        }
        short
    }

    /// Was the last statement stopped because of memory? Resets the answer.
    pub(crate) fn ran_short(&self) -> bool {
        self.ran_short.take()
    }

    /// The error for a statement that there is too little memory for.
    pub(crate) fn complaint(&self) -> Diagnostic {
        let limit = self.limit.unwrap_or_default() >> 20;
        Diagnostic::new(format!(
            "too little memory for this statement: this process may have {limit} MiB"
        ))
        .help("the session is unchanged; raise the limit by `ulimit -v`, or work in smaller parts")
    }
}

/// The smallest memory limit in the text of `/proc/self/limits`, in bytes.
fn limit(table: &str) -> Option<u64> {
    let soft = |name: &str| {
        let line = table.lines().find_map(|line| line.strip_prefix(name))?;
        line.split_whitespace().next()?.parse::<u64>().ok()
    };
    let limits = [soft("Max address space"), soft("Max data size")];
    limits.into_iter().flatten().min()
}

/// Reads a file under `/proc`. Such a file reports no length; with enough capacity it is read in one piece.
fn read_proc(path: &str) -> Option<String> {
    let mut text = String::with_capacity(4096);
    File::open(path).ok()?.read_to_string(&mut text).ok()?;
    Some(text)
}

/// The size of the address space of this process, in bytes.
fn address_space() -> Option<u64> {
    let status = read_proc("/proc/self/status")?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmSize:"))?;
    let kilobytes: u64 = line.split_whitespace().next()?.parse().ok()?;
    Some(kilobytes << 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_limit_is_the_smallest() {
        let table = |space: &str, data: &str| {
            format!(
                "Limit                     Soft Limit           Hard Limit           Units     \n\
                 Max data size             {data}            unlimited            bytes     \n\
                 Max open files            20000                20000                files     \n\
                 Max address space         {space}            unlimited            bytes     \n"
            )
        };
        for (space, data, expected) in [
            ("unlimited", "unlimited", None),
            ("204800000", "unlimited", Some(204_800_000)),
            ("unlimited", "1000", Some(1000)),
            ("2000", "1000", Some(1000)),
        ] {
            assert_eq!(limit(&table(space, data)), expected, "{space} {data}");
        }
        assert_eq!(limit(""), None);
    }

    #[test]
    fn there_is_no_shortage_without_a_limit() {
        let memory = Memory::with_limit(None);
        assert!(!memory.is_short_of(u64::MAX) && !memory.runs_short() && !memory.ran_short());
        let memory = Memory::with_limit(Some(u64::MAX));
        assert!(!memory.is_short_of(1));
        let memory = Memory::with_limit(Some(RESERVE));
        assert!(memory.is_short_of(1) && memory.runs_short());
        assert!(memory.ran_short() && !memory.ran_short());
    }
}
