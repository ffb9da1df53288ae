//! How much memory there may be, where the system has set a limit, and whether a statement should still begin.
//!
//! Memory that is refused ends a Rust program on the spot, session and all. Where `ulimit -v` or its like says how much
//! there is, statements are refused before it comes to that. Without a limit nothing is ever asked, and what a system
//! does that has promised more than it has is out of anybody's hands.

use std::cell::{Cell, RefCell};
use std::fs::File;
use std::io::Read as _;
use std::time::{Duration, Instant};

use crate::diagnostic::Diagnostic;

/// What is left alone, in bytes: for messages, for saving, for leaving.
const RESERVE: u64 = 4 << 20;

/// What a statement needs for each of its words and signs while it is read and built, in bytes. (Measured: a sum of a
/// million terms takes some 170.)
pub(crate) const EACH_WORD: u64 = 200;

/// An answer of the system is good for so long, unless something large is to come.
const FRESH: Duration = Duration::from_millis(1);

/// The limit of this process, if it has one.
pub(crate) struct Memory {
    limit: Option<u64>,
    asked: RefCell<Option<(Instant, u64)>>,
    in_command: Cell<bool>,
    ran_short: Cell<bool>,
}

impl Memory {
    /// Of this process.
    pub(crate) fn of_process() -> Memory {
        let limits = told("/proc/self/limits").unwrap_or_default();
        Memory::with_limit(limit(&limits))
    }

    fn with_limit(limit: Option<u64>) -> Memory {
        Memory {
            limit,
            asked: RefCell::default(),
            in_command: Cell::default(),
            ran_short: Cell::default(),
        }
    }

    /// Is there a limit at all?
    pub(crate) fn is_limited(&self) -> bool {
        self.limit.is_some()
    }

    /// What runs now is a command, which may use what is left: `:save`, `:reset` and `:quit` lead out of a shortage.
    pub(crate) fn in_command(&self, yes: bool) {
        self.in_command.set(yes);
    }

    /// Would so much more be too much? What has grown so far may double, and lives twice while it does.
    pub(crate) fn is_short_of(&self, more: u64) -> bool {
        let Some(limit) = self.limit else {
            return false;
        };
        let mut asked = self.asked.borrow_mut();
        let used = match *asked {
            Some((when, used)) if more == 0 && when.elapsed() < FRESH => used,
            _ => {
                let used = size().unwrap_or(0);
                *asked = Some((Instant::now(), used));
                used
            }
        };
        let growth = if self.in_command.get() { 0 } else { used / 2 };
        used.saturating_add(growth)
            .saturating_add(RESERVE)
            .saturating_add(more)
            > limit
    }

    /// Asked in the middle of a statement: must it stop for want of memory?
    pub(crate) fn runs_short(&self) -> bool {
        let short = self.is_limited() && self.is_short_of(0);
        if short {
            self.ran_short.set(true);
        }
        short
    }

    /// Was it memory that stopped the last statement? Asked once.
    pub(crate) fn ran_short(&self) -> bool {
        self.ran_short.take()
    }

    /// What to say of a statement for which there is too little.
    pub(crate) fn complaint(&self) -> Diagnostic {
        let limit = self.limit.unwrap_or_default() >> 20;
        Diagnostic::new(format!(
            "too little memory for this statement: this process may have {limit} MiB"
        ))
        .help("the session stands as it was; a higher limit is set by `ulimit -v`, and less is needed for smaller parts")
    }
}

/// The smallest limit on memory in a table of limits, in bytes.
fn limit(table: &str) -> Option<u64> {
    let soft = |name: &str| {
        let line = table.lines().find_map(|line| line.strip_prefix(name))?;
        line.split_whitespace().next()?.parse::<u64>().ok()
    };
    let limits = [soft("Max address space"), soft("Max data size")];
    limits.into_iter().flatten().min()
}

/// What the system says of this process. Such a file tells no length, and without enough room it would be read in many
/// small parts.
fn told(path: &str) -> Option<String> {
    let mut text = String::with_capacity(4096);
    File::open(path).ok()?.read_to_string(&mut text).ok()?;
    Some(text)
}

/// How much address space the process has, in bytes.
fn size() -> Option<u64> {
    let status = told("/proc/self/status")?;
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
