//! The shell's implementation of the session's [`Host`]: should work stop, and how far has it come?
//!
//! The session calls it regularly during long work. That is also the chance to write answers that are still in the
//! buffer.

use std::cell::RefCell;
use std::rc::Rc;

use super::interrupt;
use super::progress::Meter;
use crate::session::Host;
use crate::shell::script::output::Output;

/// Watches Ctrl-C and the output.
pub(crate) struct HostWatch {
    output: Rc<RefCell<Output>>,
    meter: Option<RefCell<Meter>>,
}

impl HostWatch {
    /// A host for a session whose answers go to this output.
    pub(crate) fn new(output: Rc<RefCell<Output>>, meter: Option<Meter>) -> HostWatch {
        HostWatch {
            output,
            meter: meter.map(RefCell::new),
        }
    }
}

impl Host for HostWatch {
    fn stop(&self) -> bool {
        // If the answers cannot be written any more, there is no use in finishing the work.
        let unheard = self
            .output
            .try_borrow_mut()
            .is_ok_and(|mut output| output.flush_if_overdue().is_err());
        unheard || interrupt::pending()
    }

    fn progress(&self, done: u64, of: u64, value: f64) {
        if let Some(meter) = &self.meter {
            meter.borrow_mut().progress(done, of, value);
        }
    }

    fn over(&self) {
        if let Some(meter) = &self.meter {
            meter.borrow_mut().over();
        }
    }
}
