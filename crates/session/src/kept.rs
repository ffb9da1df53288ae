//! The statements that a session keeps for `:save`, which `save` fills.

use std::ops::RangeInclusive;

use crate::target::TargetKey;
use chainrule_engine::graph::NodeId;
use chainrule_language::Span;

/// A session as text.
#[derive(Debug)]
pub struct Script {
    /// The statements.
    pub text: String,
    /// The number of statements.
    pub statements: usize,
}

/// A statement with its comments, in whole lines.
#[derive(Debug)]
pub(crate) struct KeptStatement {
    pub(crate) text: Box<str>,
    /// Whether the statement changed something. If not, it only answered or ran a pass.
    pub(crate) is_change: bool,
    /// The target of commands that look, as the file has it after the statement.
    pub(crate) target: Option<TargetKey>,
    /// Whether there are gradients after the statement.
    pub(crate) has_grads: bool,
    /// The ids of the nodes of the statement. Undone statements leave gaps between the ids of kept ones.
    pub(crate) ids: RangeInclusive<NodeId>,
    /// The difference between the ids of the nodes in this session and in the file.
    pub(crate) excess: NodeId,
}

/// All kept statements, in order.
#[derive(Debug, Default)]
pub(crate) struct KeptStatements {
    pub(crate) list: Vec<KeptStatement>,
    /// The comment lines and blank lines since the last statement.
    pub(crate) remarks: String,
}

/// The way in which the running statement is kept.
#[derive(Debug, Default)]
pub struct Keeping {
    /// The text that replaces the whole statement.
    pub(crate) instead: Option<String>,
    /// Spans of the statement, each with the text that replaces it.
    pub(crate) parts: Vec<(Span, String)>,
    /// What stands at the end of the typed statement instead of a `;`.
    pub end: Option<&'static str>,
    /// The number of nodes that the steps or the search of the statement have visited.
    pub(crate) work: u64,
    /// Whether the steps or the search were stopped, so that they would end elsewhere if they ran again.
    pub has_stopped: bool,
    /// Whether the statement is not kept, because it has changed the kept statements itself.
    pub(crate) is_unkept: bool,
    /// The target that the statement sets in the file.
    pub(crate) target: Option<TargetKey>,
    /// The newest node before the statement.
    pub(crate) before: NodeId,
}

impl Keeping {
    /// Keeps this text instead of the typed statement. The text is whole lines, or empty.
    pub fn replace(&mut self, text: impl Into<String>) {
        self.instead = Some(text.into());
    }

    /// Keeps a text instead of a span of the typed statement. Drops replacements inside the span.
    pub fn replace_part(&mut self, span: Span, text: impl Into<String>) {
        // The `@3` of a file `@3.csv` was replaced as if it were a node.
        (self.parts).retain(|(inner, _)| inner.start < span.start || inner.end > span.end);
        self.parts.push((span, text.into()));
    }

    /// Counts the nodes that the statement visits. If they are very many, only the new data of its leaves is kept.
    pub fn count_work(&mut self, nodes: u64) {
        self.work = self.work.saturating_add(nodes);
    }
}

impl KeptStatements {
    /// Adds a statement at the end.
    pub(crate) fn push(&mut self, mut statement: KeptStatement) {
        let last = self.list.last();
        let (excess, last_id) = last.map_or((0, 0), |it| (it.excess, *it.ids.end()));
        // The file does not make the nodes between the last statement and this one. Modulo 2^32, so that no intermediate
        // result overflows.
        let before = statement.ids.start().wrapping_sub(1);
        statement.excess = excess.wrapping_add(before).wrapping_sub(last_id);
        self.list.push(statement);
    }

    /// The id that a node has in a session that loads the file. `None` if the file does not make the node.
    pub(crate) fn saved_number(&self, node: NodeId) -> Option<NodeId> {
        let index = (self.list).partition_point(|statement| *statement.ids.end() < node);
        let statement = self.list.get(index)?;
        (*statement.ids.start() <= node).then(|| node.wrapping_sub(statement.excess))
    }

    /// The target of commands that look, as the file has it after all statements.
    pub(crate) fn target(&self) -> Option<TargetKey> {
        self.list.last()?.target.clone()
    }

    /// Forgets the statements that only answered or ran a pass.
    pub(crate) fn drop_results(&mut self) {
        let all = std::mem::take(&mut self.list).into_iter();
        (all.filter(|it| it.is_change)).for_each(|it| self.push(it));
    }
}
