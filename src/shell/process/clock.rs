//! The time that has passed since some moment, for measuring.

use std::time::Duration;
#[cfg(feature = "terminal")]
use std::{sync::LazyLock, time::Instant};

/// The time now.
#[cfg(feature = "terminal")]
pub(crate) fn now() -> Duration {
    static BEGUN: LazyLock<Instant> = LazyLock::new(Instant::now);
    BEGUN.elapsed()
}

/// The time now: a page asks its browser.
#[cfg(not(feature = "terminal"))]
pub(crate) use super::browser::now;

/// The time since then.
pub(crate) fn since(then: Duration) -> Duration {
    now().saturating_sub(then)
}
