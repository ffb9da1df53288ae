//! A session that answers the requests of a program: of the dialogue (`--dialogue`) and of the page in a browser.
//!
//! The runner of the prompt and of scripts runs the statements. `request` reads requests, `typing` serves a line before it
//! is entered, `values` sets and gets the numbers of names, and `follow` answers earlier entries again after leaves have
//! moved. `dialogue` reads the requests of `--dialogue`, and `page` those of a page.

#[cfg(feature = "terminal")]
pub(crate) mod dialogue;
pub(super) mod entry;
pub(super) mod follow;
pub(super) mod live_entry;
pub(super) mod request;
pub(super) mod typing;
mod values;

use std::rc::Weak;

use self::live_entry::LiveEntry;
use super::RunResult;
use super::script::dialogue::Dialogue;
use super::script::job::LineOrigin;
use super::script::runner::Runner;
use chainrule_engine::graph::{Node, NodeId};
use chainrule_session::NotesGiven;

/// A session that answers requests.
pub(crate) struct Server {
    pub(crate) runner: Runner,
    pub(crate) dialogue: Dialogue,
    /// The entries by their numbers.
    pub(crate) entries: Vec<LiveEntry>,
}

/// The state before an entry.
pub(crate) struct StateBefore {
    /// The number of results.
    pub(crate) result_count: u64,
    /// The root of the last pass.
    pub(crate) pass: Option<Weak<Node>>,
    /// The session of a lesson was in use.
    pub(crate) is_of_lesson: bool,
    pub(crate) notes_given: NotesGiven,
    pub(crate) newest_node: NodeId,
}

impl Server {
    pub(crate) fn new(runner: Runner) -> Server {
        Server {
            runner,
            dialogue: Dialogue::default(),
            entries: Vec::new(),
        }
    }

    /// Runs an entry.
    pub(crate) fn enter(&mut self, text: &str) -> RunResult {
        self.dialogue
            .enter(text, LineOrigin::prompt(), &mut self.runner)
    }
}
