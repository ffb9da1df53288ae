//! Defines columns, which are the values of one part of the body of a loop, and the recipes by which a program computes
//! them.
//!
//! `recipes` finds the recipe of a column, and `writer` writes the column.

use crate::session::values::Value;
use chainrule_engine::graph::NodeId;
use chainrule_engine::ops::Op;

/// The values that one part of the body of a loop has, one for each round: numbers, or lists. There is at least one value.
pub(super) type LoopColumn = Vec<Value>;

/// Identifies a column: its nodes, and the lengths of its lists.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct ColumnKey {
    nodes: Vec<NodeId>,
    lengths: Vec<usize>,
}

impl ColumnKey {
    /// Returns the key of a column. The lengths of all lists are those of the first one. A list whose rows differ in length
    /// has none, like a number: it has more nodes than the numbers of a column of the same loop, so the keys differ.
    pub(super) fn of(column: &LoopColumn) -> ColumnKey {
        let nodes = column.iter().flat_map(Value::nodes);
        ColumnKey {
            nodes: nodes.map(|node| node.id()).collect(),
            lengths: column[0].shape().lengths().unwrap_or_default(),
        }
    }
}

/// How the program computes a column.
pub(super) enum ColumnRecipe {
    /// The column needs no statement: this text is a number, or a part of an array.
    Text(String),
    /// The outer loop computes the column, because its value is the same in each round.
    Invariant,
    /// The column is a parameter of the function that the loop becomes.
    Parameter,
    /// An operation on these columns. With lists it works item by item.
    Apply(&'static Op, Vec<LoopColumn>),
    /// An operation on the items of the lists in this column.
    Reduce(&'static Op, LoopColumn),
    /// A function of lists, by its row in `names.txt`: `dot` or `flat`.
    Call(&'static str, Vec<LoopColumn>),
    /// A loop over the items of the column's lists.
    Loop,
    /// A list of these items.
    Items(Vec<LoopColumn>),
}

impl ColumnRecipe {
    /// Returns the columns that must be computed first.
    pub(super) fn operands(&self) -> &[LoopColumn] {
        match self {
            ColumnRecipe::Apply(_, columns)
            | ColumnRecipe::Call(_, columns)
            | ColumnRecipe::Items(columns) => columns,
            ColumnRecipe::Reduce(_, lists) => std::slice::from_ref(lists),
            ColumnRecipe::Text(_)
            | ColumnRecipe::Invariant
            | ColumnRecipe::Parameter
            | ColumnRecipe::Loop => &[],
        }
    }
}
