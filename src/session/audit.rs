//! What a session remembers, compared with what it is when it is worked out anew.
//!
//! The tests of random sessions and the fuzz targets ask after every statement. Debug builds ask by themselves, as often
//! as a statement may cost: a small session each time, a large one now and then.

use super::Session;

/// For so many nodes a statement of a debug build is looked after.
const NODES_A_STATEMENT: usize = 200;

impl Session {
    /// Is everything that is kept because to keep it is quicker what it would be if it were made now, to the bit? The
    /// data of every node that is alive, the index of users, names of nodes, orders, passes and walks, and those that a
    /// load which fails would bring back. Says what is not.
    pub fn audit(&self) -> Result<(), String> {
        self.graph.audit()?;
        self.names.audit()?;
        let (pass, walk) = self
            .trial
            .as_ref()
            .map_or((None, None), |before| before.kept());
        let clock = self.graph.clock();
        for pass in self.pass.as_deref().into_iter().chain(pass) {
            pass.audit(clock)?;
        }
        for walk in self.walk.iter().chain(walk) {
            walk.audit(clock)?;
        }
        Ok(())
    }

    /// Audits the session now and then: a session of so many times as many nodes after so many more statements.
    pub fn audit_in_turn(&mut self) {
        self.unaudited += NODES_A_STATEMENT;
        if self.unaudited >= self.graph.living().most() {
            self.unaudited = 0;
            assert_eq!(self.audit(), Ok(()), "a session remembers what is so");
        }
    }
}
