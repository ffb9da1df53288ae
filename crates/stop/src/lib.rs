#![doc = include_str!("../README.md")]
#![cfg_attr(test, allow(clippy::shadow_unrelated, clippy::too_many_lines))]

use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::rc::Rc;

/// The number of turns of a loop between two checks. With 1,024 turns, the checks cost almost nothing.
const TURNS: usize = 1 << 10;

thread_local! {
    /// The function that decides whether to stop, while stoppable work runs.
    static ASKED: RefCell<Option<Rc<dyn Fn() -> bool>>> = const { RefCell::new(None) };
    /// Whether work must run to its end, so that checks do not ask the function.
    static RUNS_TO_END: Cell<bool> = const { Cell::new(false) };
}

/// The error of work that was stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stopped;

/// Runs work that stops once `stop` returns true.
pub fn run_until_stopped<T>(
    stop: impl Fn() -> bool + 'static,
    work: impl FnOnce() -> T,
) -> Result<T, Stopped> {
    let before = ASKED.replace(Some(Rc::new(stop)));
    let done = run_stoppable(work);
    ASKED.set(before);
    done
}

/// Runs work to its end. Checks within it do not stop anything, except within [`run_stoppable`].
pub fn run_to_end<T>(work: impl FnOnce() -> T) -> T {
    let before = RUNS_TO_END.replace(true);
    let done = work();
    RUNS_TO_END.set(before);
    done
}

/// Runs a part of longer work. If the part is stopped, the longer work continues and decides which results to keep.
pub fn run_stoppable<T>(work: impl FnOnce() -> T) -> Result<T, Stopped> {
    let before = RUNS_TO_END.replace(false);
    let outcome = catch_unwind(AssertUnwindSafe(work));
    RUNS_TO_END.set(before);
    match outcome {
        Ok(done) => Ok(done),
        Err(thrown) if thrown.is::<Stopped>() => Err(Stopped),
        Err(panic) => resume_unwind(panic),
    }
}

/// Asks whether to stop at every thousandth item of an iterator.
pub fn with_checks<T>(items: impl Iterator<Item = T>) -> impl Iterator<Item = T> {
    items.zip(0..).map(|(item, turn)| {
        ask(turn);
        item
    })
}

/// Asks whether to stop at every thousandth turn of a loop. `turn` counts the turns from 0.
#[inline]
pub fn ask(turn: usize) {
    // The check is at the last turn of the thousand, so that short loops never check.
    if turn % TURNS == TURNS - 1 {
        ask_now();
    }
}

/// Checks at once: calls the function that decides whether to stop, and stops if it returns true. For a loop whose turns
/// take long.
#[cold]
pub fn ask_now() {
    // The function is cloned, because it may itself run stoppable work, which replaces it.
    let asked = ASKED.with_borrow(Clone::clone);
    if !RUNS_TO_END.get() && asked.is_some_and(|stop| stop()) {
        unwind();
    }
}

/// Checks before a loop of many turns that has no checks.
#[inline]
pub fn check_before(turns: usize) {
    if turns >= TURNS {
        ask_now();
    }
}

/// Stops the current work: unwinds to the innermost [`run_stoppable`] or [`run_until_stopped`].
pub fn unwind() -> ! {
    resume_unwind(Box::new(Stopped))
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    #[test]
    fn work_stops_at_a_check() {
        let (asked, done) = (Rc::new(Cell::new(0)), Rc::new(Cell::new(0)));
        let count = Rc::clone(&asked);
        let stop = move || {
            count.set(count.get() + 1);
            count.get() == 3
        };
        let work = |turns: usize| {
            with_checks(0..turns).for_each(|_| done.set(done.get() + 1));
            turns
        };
        // Outside of work that can be stopped the loop always finishes.
        assert_eq!(work(5 * TURNS), 5 * TURNS);
        done.set(0);
        assert_eq!(
            run_until_stopped(stop.clone(), || work(2 * TURNS)),
            Ok(2 * TURNS)
        );
        assert_eq!(asked.get(), 2);
        done.set(0);
        assert_eq!(run_until_stopped(stop, || work(2 * TURNS)), Err(Stopped));
        assert_eq!((asked.get(), done.get()), (3, TURNS - 1));
    }

    #[test]
    fn the_outer_check_is_restored_after_an_inner_one() {
        let inner = || run_until_stopped(|| true, || ask(TURNS - 1));
        let outer = run_until_stopped(
            || false,
            || {
                let went = inner();
                ask(TURNS - 1);
                went
            },
        );
        assert_eq!(outer, Ok(Err(Stopped)));
    }
}
