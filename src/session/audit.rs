//! Checks everything that a session caches against a fresh computation.
//!
//! The tests of random sessions and the fuzz targets call this after every statement. Debug builds do so by themselves,
//! at a limited cost per statement: a small session is checked every time, a large one now and then.

use super::Session;

/// How many nodes an audit in a debug build checks for each statement, on average.
const NODES_A_STATEMENT: usize = 200;

impl Session {
    /// Checks that all cached state equals, bit for bit, what a fresh computation gives: the data of all living nodes,
    /// the index of users, the names of nodes, orders and passes, including those that a failed load would
    /// restore. The error says what is wrong.
    pub fn audit(&self) -> Result<(), String> {
        self.graph.audit()?;
        self.names.audit()?;
        let clock = self.graph.clock();
        let before = self.running.trial.iter().map(|trial| &trial.before.recent);
        for recent in before.chain([&self.recent]) {
            recent.pass.iter().try_for_each(|pass| pass.audit(clock))?;
        }
        Ok(())
    }

    /// Audits the session after as many statements as its size allows, so that each statement pays for a fixed number
    /// of nodes.
    pub fn audit_in_turn(&mut self) {
        self.running.unaudited += NODES_A_STATEMENT;
        if self.running.unaudited >= self.graph.living().len_with_dropped() {
            self.running.unaudited = 0;
            assert_eq!(
                self.audit(),
                Ok(()),
                "cached state differs from a fresh computation"
            );
        }
    }
}
