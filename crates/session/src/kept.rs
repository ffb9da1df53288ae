//! The statements that a session keeps for `:save`, which `save` fills.

use crate::naming::NameId;
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
    /// The end of its text among the texts of all statements.
    end: usize,
    /// Whether the statement changed something. If not, it only answered or ran a pass.
    pub(crate) is_change: bool,
    /// The target of commands that look, as the file has it after the statement.
    pub(crate) target: Option<KeptTarget>,
    /// Whether there are gradients after the statement.
    pub(crate) has_grads: bool,
    /// The ids of the nodes of the statement. Undone statements leave gaps between the ids of kept ones.
    pub(crate) ids: KeptIds,
    /// The difference between the ids of the nodes in this session and in the file.
    excess: NodeId,
}

/// The ids from `first` to `last`. There are none if `last` is less.
#[derive(Clone, Copy, Debug)]
pub(crate) struct KeptIds {
    pub(crate) first: NodeId,
    pub(crate) last: NodeId,
}

/// A target without a shared text: a session may keep a million of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum KeptTarget {
    Name(NameId),
    Node(NodeId),
}

/// Kept statements, in order. One text has all of theirs, because a text of its own for each would take more memory than the
/// statements themselves.
#[derive(Debug, Default)]
pub(crate) struct KeptList {
    pub(crate) texts: String,
    pub(crate) statements: Vec<KeptStatement>,
}

/// A change of the kept statements.
#[derive(Debug)]
pub(crate) enum KeptChange {
    /// Adds statements that were dropped.
    Add(Box<KeptList>),
    /// Keeps this many statements.
    Shorten(usize),
    /// Replaces all statements.
    All(Box<KeptList>),
}

/// All kept statements.
#[derive(Debug, Default)]
pub(crate) struct KeptStatements {
    pub(crate) list: KeptList,
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
    /// Whether the statement is kept although it has changed nothing.
    pub must_keep: bool,
    /// Whether the statement is not kept, because it has changed the kept statements itself.
    pub(crate) is_unkept: bool,
    /// The target that the statement sets in the file.
    pub(crate) target: Option<KeptTarget>,
    /// Lines that have run behind the statement, because it has bound the last of their letters.
    pub(crate) behind: String,
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

impl KeptList {
    /// Adds a statement with its text at the end.
    pub(crate) fn push(&mut self, text: &str, mut statement: KeptStatement) {
        let last = self.statements.last();
        let (excess, last_id) = last.map_or((0, 0), |it| (it.excess, it.ids.last));
        // The file does not make the nodes between the last statement and this one. Modulo 2^32, so that no intermediate
        // result overflows.
        let before = statement.ids.first.wrapping_sub(1);
        statement.excess = excess.wrapping_add(before).wrapping_sub(last_id);
        self.texts.push_str(text);
        statement.end = self.texts.len();
        self.statements.push(statement);
    }

    /// Takes the statements after the first `count` ones.
    fn split_off(&mut self, count: usize) -> KeptList {
        let kept = count.min(self.statements.len());
        let last = kept.checked_sub(1).map(|at| &self.statements[at]);
        let end = last.map_or(0, |statement| statement.end);
        KeptList {
            texts: self.texts.split_off(end),
            statements: self.statements.split_off(kept),
        }
    }

    /// Makes a change, and turns it into the opposite one.
    pub(crate) fn swap(&mut self, change: &mut KeptChange) {
        match change {
            KeptChange::Add(more) => {
                let count = self.statements.len();
                self.texts.push_str(&more.texts);
                self.statements.append(&mut more.statements);
                *change = KeptChange::Shorten(count);
            }
            KeptChange::Shorten(count) => {
                *change = KeptChange::Add(Box::new(self.split_off(*count)));
            }
            KeptChange::All(list) => std::mem::swap(self, list),
        }
    }
}

impl KeptStatements {
    /// The last statement.
    pub(crate) fn last(&self) -> Option<&KeptStatement> {
        self.list.statements.last()
    }

    /// The text of the last statement, with its comments.
    pub(crate) fn last_text(&self) -> &str {
        let statements = &self.list.statements;
        let before = statements.len().checked_sub(2);
        &self.list.texts[before.map_or(0, |at| statements[at].end)..]
    }

    /// The id that a node has in a session that loads the file. `None` if the file does not make the node.
    pub(crate) fn saved_number(&self, node: NodeId) -> Option<NodeId> {
        let statements = &self.list.statements;
        let index = statements.partition_point(|statement| statement.ids.last < node);
        let statement = statements.get(index)?;
        (statement.ids.first <= node).then(|| node.wrapping_sub(statement.excess))
    }

    /// The target of commands that look, as the file has it after all statements.
    pub(crate) fn target(&self) -> Option<KeptTarget> {
        self.last()?.target
    }

    /// Forgets the statements that only answered or ran a pass.
    pub(crate) fn drop_results(&mut self) {
        let KeptList { texts, statements } = std::mem::take(&mut self.list);
        let mut begin = 0;
        for statement in statements {
            let text = &texts[begin..statement.end];
            begin = statement.end;
            if statement.is_change {
                self.list.push(text, statement);
            }
        }
    }
}

impl KeptStatement {
    /// A statement that has no place among the others yet.
    pub(crate) fn new(
        is_change: bool,
        has_grads: bool,
        target: Option<KeptTarget>,
        ids: KeptIds,
    ) -> KeptStatement {
        KeptStatement {
            end: 0,
            is_change,
            target,
            has_grads,
            ids,
            excess: 0,
        }
    }
}
