//! Writes the statements of an exported program: one for each operation, on numbers in C, and on numbers and lists in
//! Python and JAX.
//!
//! `recipes` finds the operation that computes a value, and its operands. This file writes the operands first, then the
//! operation, and remembers the variable. `operation_text` has the text of an operation, and `lists` has
//! those of lists and of loops.

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::identifiers::Identifiers;
use super::{Dialect, MOST_LINES, Refusal, has_name, variable_name};
use chainrule_engine::graph::{Node, NodeId};
use chainrule_engine::ops::Op;
use chainrule_program::values::{List, Value};
use chainrule_session::Session;
use chainrule_stop as stop;

/// The index of the program among the loops. The program is the outermost loop, and has one round.
pub(super) const PROGRAM: usize = 0;

/// The most terms of a sum in one line. Compilers and interpreters recurse into a chain of operators, and refuse a chain of
/// some thousand operators.
pub(super) const MOST_TERMS: usize = 8;

/// The most characters of a formula that is a remark at the end of a line.
const LONGEST_REMARK: usize = 60;

/// An array of the program.
#[derive(Default)]
pub(super) struct ProgramArray {
    /// The text for the array in the program.
    pub(super) text: String,
    pub(super) shape: Vec<usize>,
    /// The leaves that are the numbers of the array; empty for a computed array.
    pub(super) leaves: Vec<Rc<Node>>,
    /// The key of the array in a dictionary of JAX; empty for a computed array.
    pub(super) key: String,
}

/// The place of a number in an array of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ArrayPlace {
    /// The index of the array.
    pub(super) array: usize,
    /// The index of the number in the array, which counts the numbers of all rows.
    pub(super) place: usize,
}

/// A loop, which becomes a function.
#[derive(Default)]
pub(super) struct ProgramLoop {
    /// The index of the loop around it; for the program its own.
    pub(super) outer: usize,
    /// The number of its rounds in each round of the outer loop.
    pub(super) rounds: usize,
    /// The texts of the columns that are already written.
    pub(super) texts: FxHashMap<ColumnKey, String>,
    /// The parameters of the function.
    pub(super) parameters: Vec<String>,
    /// The argument for each parameter: the text, in the outer loop, of the list of its values in all rounds.
    pub(super) arguments: Vec<String>,
    /// The body of the function.
    pub(super) lines: Vec<String>,
}

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
            Self::Apply(_, columns) | Self::Call(_, columns) | Self::Items(columns) => columns,
            Self::Reduce(_, lists) => std::slice::from_ref(lists),
            _ => &[],
        }
    }
}

/// The text of a part of the program, or why there is none.
pub(super) type Phrase = Result<String, Refusal>;

/// Writes the statements of a function.
pub(super) struct Writer<'s> {
    pub(super) session: &'s Session,
    pub(super) dialect: Dialect,
    pub(super) identifiers: Identifiers,
    /// The nodes that the program computes, and the leaves that are variables; all other nodes are literals.
    pub(super) moving: FxHashSet<NodeId>,
    pub(super) arrays: Vec<ProgramArray>,
    /// The place of each node that is in one of the arrays.
    pub(super) array_places: FxHashMap<NodeId, ArrayPlace>,
    pub(super) loops: Vec<ProgramLoop>,
    /// The number of loops around the statement that is being written.
    pub(super) nested_loops: usize,
    line_count: usize,
    /// The number of variables that have a number instead of a name of the user's.
    unnamed_count: usize,
}

impl Writer<'_> {
    /// Returns a writer of a program without statements.
    pub(super) fn new(session: &Session, dialect: Dialect) -> Writer<'_> {
        Writer {
            session,
            dialect,
            identifiers: Identifiers::except(dialect, dialect.reserved_words()),
            moving: FxHashSet::default(),
            arrays: Vec::new(),
            array_places: FxHashMap::default(),
            loops: vec![ProgramLoop::default()],
            nested_loops: 0,
            line_count: 0,
            unnamed_count: 0,
        }
    }

    /// Returns the statements of the function, some of which go over several lines.
    pub(super) fn statements(&self) -> &[String] {
        &self.loops[PROGRAM].lines
    }

    /// Declares a variable for a leaf, with this text as its value.
    pub(super) fn declare_leaf(&mut self, leaf: &Rc<Node>, text: &str) -> Result<(), Refusal> {
        let variable = self.identifiers.of(&variable_name(self.session, leaf));
        self.declare(PROGRAM, &variable, text)?;
        let key = ColumnKey::of(&vec![Rc::clone(leaf).into()]);
        self.loops[PROGRAM].texts.insert(key, variable);
        Ok(())
    }

    /// Remembers an array, and that these nodes are its numbers. A node keeps the first place that it gets, and constants
    /// have none, because they are literals.
    pub(super) fn add_array(&mut self, added: ProgramArray, nodes: &[Rc<Node>]) {
        let array = self.arrays.len();
        for (place, node) in nodes.iter().enumerate().filter(|(_, node)| node.varies()) {
            let array_place = ArrayPlace { array, place };
            self.array_places.entry(node.id()).or_insert(array_place);
        }
        self.arrays.push(added);
    }

    /// Returns the arrays of free leaves, and those of frozen ones.
    pub(super) fn leaf_arrays(&self) -> (Vec<&ProgramArray>, Vec<&ProgramArray>) {
        let of_leaves = (self.arrays.iter()).filter(|array| !array.leaves.is_empty());
        of_leaves.partition(|array| array.leaves[0].is_free())
    }

    /// Writes a statement.
    pub(super) fn write_line(&mut self, in_loop: usize, line: &str) -> Result<(), Refusal> {
        self.line_count += 1;
        if self.line_count > MOST_LINES {
            return Err(Refusal::TooLong);
        }
        let end = if self.dialect == Dialect::C { ";" } else { "" };
        self.loops[in_loop].lines.push(format!("    {line}{end}"));
        Ok(())
    }

    /// Writes the statement that declares a variable with this value.
    fn declare(&mut self, in_loop: usize, variable: &str, text: &str) -> Result<(), Refusal> {
        let is_c = self.dialect == Dialect::C;
        let type_name = if is_c { "double " } else { "" };
        self.write_line(in_loop, &format!("{type_name}{variable} = {text}"))
    }

    /// Adds the formula of a node to the end of its line. Nodes of derivatives have formulas that no user has typed.
    fn add_remark(&mut self, node: &Rc<Node>) {
        let label = self.session.label(node);
        if node.is_generated() || label.chars().count() > LONGEST_REMARK {
            return;
        }
        if let Some(line) = self.loops[PROGRAM].lines.last_mut() {
            line.extend(["  ", self.dialect.comment(), " ", &label]);
        }
    }

    /// Returns the text for a node, and writes the lines that compute it first.
    pub(super) fn write_node(&mut self, node: &Rc<Node>) -> Phrase {
        self.write_column(PROGRAM, vec![Rc::clone(node).into()])
    }

    /// Returns the text for a column in a loop, and writes the lines that compute it first. A stack takes the place of
    /// recursion, because graphs may be deep.
    pub(super) fn write_column(&mut self, in_loop: usize, column: LoopColumn) -> Phrase {
        let wanted = ColumnKey::of(&column);
        let mut waiting = vec![column];
        while let Some(next) = waiting.pop() {
            stop::ask(waiting.len());
            let key = ColumnKey::of(&next);
            if self.loops[in_loop].texts.contains_key(&key) {
                continue;
            }
            let recipe = self.find_recipe(in_loop, &next);
            let operands = recipe.operands().iter();
            let texts = &self.loops[in_loop].texts;
            let is_unknown = |operand: &&LoopColumn| !texts.contains_key(&ColumnKey::of(operand));
            let missing: Vec<LoopColumn> = operands.filter(is_unknown).cloned().collect();
            if missing.is_empty() {
                let text = self.write_recipe(in_loop, &next, recipe)?;
                self.loops[in_loop].texts.insert(key, text);
            } else {
                waiting.push(next);
                waiting.extend(missing.into_iter().rev());
            }
        }
        Ok(self.loops[in_loop].texts[&wanted].clone())
    }

    /// Writes a column whose operands have texts already, and returns its text.
    fn write_recipe(
        &mut self,
        in_loop: usize,
        column: &LoopColumn,
        recipe: ColumnRecipe,
    ) -> Phrase {
        let known = &self.loops[in_loop].texts;
        let text_of = |operand: &LoopColumn| known[&ColumnKey::of(operand)].clone();
        let mut texts: Vec<String> = recipe.operands().iter().map(text_of).collect();
        let text = match recipe {
            ColumnRecipe::Text(text) => return Ok(text),
            ColumnRecipe::Invariant => return self.write_invariant(in_loop, column),
            ColumnRecipe::Parameter => return self.write_parameter(in_loop, column),
            ColumnRecipe::Apply(op, operands) if op.is_sum() && self.writes_terms(&operands) => {
                return self.declare_sum(in_loop, column, &texts);
            }
            ColumnRecipe::Apply(op, operands) => self.applied_text(op, &operands, &texts)?,
            ColumnRecipe::Reduce(op, lists) => self.reduced_text(op, &lists, &texts[0])?,
            ColumnRecipe::Call(function, arguments) => {
                // A list of lists comes before a list of numbers: `dot(x, A)` is `dot(A, x)`.
                if arguments[0][0].shape().depth() == 1 {
                    texts.reverse();
                }
                format!("{}({})", self.dialect.name(function), texts.join(", "))
            }
            ColumnRecipe::Items(_) if column[0].shape().depth() > 1 => self.rows_text(&texts),
            ColumnRecipe::Items(items) => self.items_text(&items, &texts),
            ColumnRecipe::Loop => self.write_loop(in_loop, column)?,
        };
        self.declare_column(in_loop, column, &text)
    }

    /// Writes the statements that compute a column as a sum of terms.
    fn declare_sum(&mut self, in_loop: usize, column: &LoopColumn, terms: &[String]) -> Phrase {
        let mut sums = terms.chunks(MOST_TERMS).map(|terms| terms.join(" + "));
        let first = sums.next().unwrap_or_default();
        let variable = self.declare_column(in_loop, column, &first)?;
        for sum in sums {
            self.write_line(in_loop, &format!("{variable} = {variable} + {sum}"))?;
        }
        Ok(variable)
    }

    /// Writes the statement that computes a column, and returns the variable. Outside of loops, the variable may have a
    /// name of the user's, or a remark with its formula.
    fn declare_column(&mut self, in_loop: usize, column: &LoopColumn, text: &str) -> Phrase {
        let is_in_program = in_loop == PROGRAM;
        let name = is_in_program.then(|| self.name_of(&column[0])).flatten();
        let is_named = name.is_some();
        let stem = name.unwrap_or_else(|| {
            self.unnamed_count += 1;
            format!("v{}", self.unnamed_count)
        });
        let variable = self.identifiers.of(&stem);
        self.declare(in_loop, &variable, text)?;
        match &column[0] {
            _ if !is_in_program => {}
            Value::List(list) => self.remember_list(list, &variable),
            Value::Node(node) if !is_named => self.add_remark(node),
            Value::Node(_) => {}
        }
        Ok(variable)
    }

    /// Remembers that a variable holds a list, so that later lines take the items of the list from the variable.
    fn remember_list(&mut self, list: &List, variable: &str) {
        if let Some(shape) = list.shape().lengths() {
            let array = ProgramArray {
                text: variable.to_string(),
                shape,
                ..ProgramArray::default()
            };
            self.add_array(array, list.nodes());
        }
    }

    /// Returns the name that the user has given to a value.
    fn name_of(&self, value: &Value) -> Option<String> {
        match value {
            Value::Node(node) if !has_name(self.session, node) => None,
            Value::Node(node) => Some(variable_name(self.session, node)),
            Value::List(list) => {
                let mut lists = self.session.names().named_lists_with(list.nodes().first()?);
                let named = lists.find(|(_, other)| Value::List(Rc::clone(other)).is(value));
                named.map(|(name, ..)| name.to_string())
            }
        }
    }
}
