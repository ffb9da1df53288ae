//! Writes what a program computes, one line for each operation: values in a language, and lists in Python and JAX.
//!
//! Arrays are written according to how the lists were made. In a loop, a *column* is what one part of the body is in
//! all rounds. A part that is made in the same way in each round is written once, from the columns of its operands; one
//! that is not, or that is stored in an array, is an argument of the function that the loop becomes.

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::dialect::Dialect;
use super::identifiers::Identifiers;
use super::inline::inline;
use super::names_and_numbers::{has_name, join_items, variable_name};
use super::operation_text::{fill_words, function_text, is_word, list_text};
use super::{MOST_LINES, Refusal};
use crate::session::Session;
use crate::session::values::{List, ListShape, Maker, Value};
use chainrule_engine::graph::{Node, NodeId};
use chainrule_engine::ops::{Op, Rule};
use chainrule_stop as stop;

/// The most loops inside one another; deeper ones are written item by item.
const DEPTH: usize = 24;

/// Numbers that stand side by side in an array are taken at once if there are more than this.
const TOGETHER: usize = 2;

/// The most terms of a sum in one line: what reads a chain of operators does so by recursion.
const TERMS: usize = 8;

/// The most characters of a formula that is a remark at the end of a line.
const REMARK: usize = 60;

/// What one part of the body of a loop is in all rounds: numbers, or lists of one shape.
pub(super) type LoopColumn = Vec<Value>;

/// By what a column is recognized: its nodes and the lengths of its lists.
type ColumnKey = (Vec<NodeId>, Vec<usize>);

/// An array of the program.
#[derive(Default)]
pub(super) struct ProgramArray {
    pub(super) text: String,
    pub(super) shape: Vec<usize>,
    /// The key in its dictionary and its numbers, if it is one of leaves.
    pub(super) key: String,
    pub(super) leaves: Vec<Rc<Node>>,
}

/// A loop, which becomes a function; the first one is the program, which has one round.
#[derive(Default)]
struct MappedLoop {
    outer: usize,
    /// How many rounds it has in each round of the outer loop.
    rounds: usize,
    /// Its parameters, and what they stand for in the outer loop.
    parameters: Vec<(String, String)>,
    lines: Vec<String>,
    /// The texts of the columns that are written.
    texts: FxHashMap<ColumnKey, String>,
}

/// How a column is written.
enum Phrase {
    /// As it stands.
    Text(String),
    /// It is the same in each round.
    Outer,
    /// It is an argument.
    Argument,
    /// The operation on these columns; of one column of lists, on their items.
    Apply(&'static Op, Vec<LoopColumn>, bool),
    /// A function of lists, called by its name in `names.txt`: a sum of products, or all numbers as one list.
    Call(&'static str, Vec<LoopColumn>),
    /// A loop over the items of these lists.
    Map,
    /// A list of these.
    Items(Vec<LoopColumn>),
}

/// Writes the lines of a function.
pub(super) struct Writer<'s> {
    pub(super) session: &'s Session,
    dialect: Dialect,
    pub(super) identifiers: Identifiers,
    /// The nodes that the program computes or takes; all others are literals.
    pub(super) moving: FxHashSet<NodeId>,
    pub(super) arrays: Vec<ProgramArray>,
    /// The arrays in which numbers of the program are, and their places in them.
    pub(super) array_places: FxHashMap<NodeId, (usize, usize)>,
    loops: Vec<MappedLoop>,
    /// How many lines are written, and how many variables that have no name of the user's.
    lines: usize,
    variables: usize,
    /// How many loops are being written inside one another.
    depth: usize,
}

impl Writer<'_> {
    pub(super) fn new(session: &Session, dialect: Dialect) -> Writer<'_> {
        Writer {
            session,
            dialect,
            identifiers: Identifiers::except(dialect, dialect.reserved_words()),
            moving: FxHashSet::default(),
            arrays: Vec::new(),
            array_places: FxHashMap::default(),
            loops: vec![MappedLoop::default()],
            lines: 0,
            variables: 0,
            depth: 0,
        }
    }

    /// The statements of the function, some of which go over several lines.
    pub(super) fn statements(&self) -> &[String] {
        &self.loops[0].lines
    }

    /// Declares a variable for a leaf, with this text as its value.
    pub(super) fn leaf(&mut self, leaf: &Rc<Node>, text: &str) -> Result<String, Refusal> {
        let variable = self.identifiers.of(&variable_name(self.session, leaf));
        self.declare(0, &variable, text)?;
        let key = key(&vec![Rc::clone(leaf).into()]);
        self.loops[0].texts.insert(key, variable.clone());
        Ok(variable)
    }

    /// Remembers an array, and that these numbers are in it.
    pub(super) fn add_array(&mut self, array: ProgramArray, nodes: &[Rc<Node>]) {
        for (place, node) in nodes.iter().enumerate().filter(|(_, node)| node.varies()) {
            let in_array = (self.arrays.len(), place);
            self.array_places.entry(node.id()).or_insert(in_array);
        }
        self.arrays.push(array);
    }

    /// The arrays of free leaves, and those of frozen ones.
    pub(super) fn leaf_arrays(&self) -> (Vec<&ProgramArray>, Vec<&ProgramArray>) {
        let arrays = self.arrays.iter().filter(|it| !it.leaves.is_empty());
        arrays.partition(|array| array.leaves[0].is_free())
    }

    /// Writes a statement.
    pub(super) fn line(&mut self, at: usize, line: &str) -> Result<(), Refusal> {
        self.lines += 1;
        if self.lines > MOST_LINES {
            return Err(Refusal::Long);
        }
        let end = if self.dialect == Dialect::C { ";" } else { "" };
        self.loops[at].lines.push(format!("    {line}{end}"));
        Ok(())
    }

    /// Writes the statement that declares a variable with this value.
    pub(super) fn declare(&mut self, at: usize, name: &str, text: &str) -> Result<(), Refusal> {
        let is_c = self.dialect == Dialect::C;
        let kind = if is_c { "double " } else { "" };
        self.line(at, &format!("{kind}{name} = {text}"))
    }

    /// Adds what a node without a name is, at the end of its line.
    fn remark(&mut self, node: &Rc<Node>) {
        let label = self.session.label(node);
        let is_short = label.chars().count() <= REMARK && !node.is_generated();
        if let Some(line) = self.loops[0].lines.last_mut().filter(|_| is_short) {
            line.extend(["  ", self.dialect.comment(), " ", &label]);
        }
    }

    /// The text for a node. Writes the lines that compute it first.
    pub(super) fn node(&mut self, node: &Rc<Node>) -> Result<String, Refusal> {
        self.write_column(0, vec![Rc::clone(node).into()])
    }

    /// The text for a column in a loop. Writes the lines that compute it first.
    pub(super) fn write_column(
        &mut self,
        at: usize,
        column: LoopColumn,
    ) -> Result<String, Refusal> {
        let whole = key(&column);
        let mut waiting = vec![column];
        while let Some(column) = waiting.last() {
            stop::ask(waiting.len());
            let key = key(column);
            if self.loops[at].texts.contains_key(&key) {
                waiting.pop();
                continue;
            }
            let phrase = self.choose_phrase(at, column);
            let below: &[LoopColumn] = match &phrase {
                Phrase::Apply(_, below, _) | Phrase::Call(_, below) | Phrase::Items(below) => below,
                _ => &[],
            };
            let is_unknown = |column: &&LoopColumn| self.known_text(at, column).is_none();
            let missing: Vec<LoopColumn> = below.iter().filter(is_unknown).cloned().collect();
            if missing.is_empty() {
                let column = waiting.pop().unwrap_or_default();
                let text = self.write_phrase(at, &column, phrase)?;
                self.loops[at].texts.insert(key, text);
            }
            waiting.extend(missing.into_iter().rev());
        }
        Ok(self.loops[at].texts[&whole].clone())
    }

    /// The text for a column that needs no further lines.
    fn known_text(&self, at: usize, column: &LoopColumn) -> Option<String> {
        if let Some(text) = self.loops[at].texts.get(&key(column)) {
            return Some(text.clone());
        }
        match self.choose_phrase(at, column) {
            Phrase::Text(text) => Some(text),
            _ => None,
        }
    }

    /// How a column is written.
    fn choose_phrase(&self, at: usize, column: &LoopColumn) -> Phrase {
        if let Some(number) = self.number(column) {
            return Phrase::Text(self.dialect.literal(number));
        }
        if at == 0
            && let Some(text) = self.text_in_array(column[0].nodes(), column[0].shape())
        {
            return Phrase::Text(text);
        }
        let is_same = |round: &[Value]| round.iter().all(|value| value.is(&round[0]));
        if at > 0 && column.chunks(self.loops[at].rounds).all(is_same) {
            return Phrase::Outer;
        }
        if at > 0 && self.is_argument(at, column) {
            return Phrase::Argument;
        }
        match &column[0] {
            Value::Node(first) => self.of_numbers(column, first),
            Value::List(first) => self.of_lists(column, first),
        }
    }

    /// The number that a column is in all rounds.
    pub(super) fn number(&self, column: &LoopColumn) -> Option<f64> {
        let is_number = |node: &Node| !self.moving.contains(&node.id());
        let first = column[0].node()?.data();
        let is_first = |it: &Rc<Node>| is_number(it) && it.data().to_bits() == first.to_bits();
        let mut values = column.iter();
        values
            .all(|it| it.node().is_some_and(is_first))
            .then_some(first)
    }

    /// Whether a column is better taken from outside of the loop.
    fn is_argument(&self, at: usize, column: &LoopColumn) -> bool {
        let outer = self.loops[at].outer;
        let outside = self.outer_column(at, column);
        if self.loops[outer].texts.contains_key(&key(&outside)) {
            return true;
        }
        if let (Value::List(_), Value::List(list)) = (&column[0], &outside[0]) {
            return match outer {
                0 => self.text_in_array(list.nodes(), list.shape()).is_some(),
                _ => self.is_argument(outer, &outside),
            };
        }
        let is_here = |node: &Rc<Node>| {
            !self.moving.contains(&node.id()) || self.array_places.contains_key(&node.id())
        };
        column.iter().flat_map(Value::nodes).all(is_here)
    }

    /// The column of the outer loop that has the numbers of all rounds in one list.
    fn outer_column(&self, at: usize, column: &LoopColumn) -> LoopColumn {
        let rounds = self.loops[at].rounds;
        let shape = ListShape::rows(rounds, column[0].shape().clone());
        let list = |round: &[Value]| {
            let nodes = round.iter().flat_map(|value| value.nodes().iter().cloned());
            Value::of_shape(nodes.collect(), &shape)
        };
        column.chunks(rounds).map(list).collect()
    }

    fn of_numbers(&self, column: &LoopColumn, first: &Rc<Node>) -> Phrase {
        let nodes = || column.iter().flat_map(Value::nodes);
        let count = first.operands().len();
        let alike = |node: &Rc<Node>| node.op() == first.op() && node.operands().len() == count;
        let Some(op) = first.op().filter(|_| nodes().all(alike)) else {
            return Phrase::Argument;
        };
        // C has no lists to compute with.
        let list = |node: &Rc<Node>| List::operand_of(node).filter(|_| self.dialect != Dialect::C);
        let lists: Option<LoopColumn> = nodes().map(|node| Some(list(node)?.into())).collect();
        let is_list = |list: &Rc<List>| {
            list.origin().is_some() || self.text_in_array(list.nodes(), list.shape()).is_some()
        };
        let are_lists = |lists: &LoopColumn| lists.iter().filter_map(Value::list).all(is_list);
        if let Some(lists) = lists.filter(are_lists) {
            return self
                .dot(op, &lists)
                .unwrap_or_else(|| Phrase::Apply(op, vec![lists], true));
        }
        let operand = |place: usize| -> LoopColumn {
            let operands = nodes().map(|node| Rc::clone(&node.operands()[place]).into());
            operands.collect()
        };
        Phrase::Apply(op, (0..count).map(operand).collect(), false)
    }

    /// A sum of products of two lists.
    fn dot(&self, op: &'static Op, lists: &LoopColumn) -> Option<Phrase> {
        let first = lists[0].list()?;
        let is_sum = op.is_sum() && self.text_in_array(first.nodes(), first.shape()).is_none();
        match self.of_lists(lists, first) {
            Phrase::Apply(times, factors, false) if is_sum && times.spelling == "*" => {
                let are_lists = factors.iter().all(|it| it[0].node().is_none());
                are_lists.then_some(Phrase::Call("dot", factors))
            }
            _ => None,
        }
    }

    fn of_lists(&self, column: &LoopColumn, first: &Rc<List>) -> Phrase {
        let lists = || column.iter().filter_map(Value::list);
        let items = |at: usize| lists().filter_map(|list| list.item(at)).collect();
        let by_items = || Phrase::Items((0..first.count()).map(items).collect());
        let is_regular = |shape: &ListShape| shape.lengths().is_some();
        let origin = first.origin().filter(|it| is_regular(&it.shape));
        let Some(origin) = origin.filter(|_| is_regular(first.shape())) else {
            return by_items();
        };
        let alike = |list: &Rc<List>| {
            list.origin().is_some_and(|other| {
                let shapes = other.operands.iter().map(Value::shape);
                other.maker == origin.maker
                    && other.shape == origin.shape
                    && shapes.eq(origin.operands.iter().map(Value::shape))
            })
        };
        if !lists().all(alike) {
            return by_items();
        }
        if origin.shape != *first.shape() {
            let whole = lists().map(|list| list.in_shape(&origin.shape).into());
            return Phrase::Call("flat", vec![whole.collect()]);
        }
        let operand = |at: usize| -> LoopColumn {
            let origins = lists().filter_map(|list| list.origin());
            origins.map(|origin| origin.operands[at].clone()).collect()
        };
        let operands = (0..origin.operands.len()).map(operand);
        match &origin.maker {
            Maker::Operation(op) => {
                let is_one = origin.operands.len() == 1;
                let over_items = is_one && *origin.operands[0].shape() != origin.shape;
                Phrase::Apply(op, operands.collect(), over_items)
            }
            Maker::Function(function @ "dot") => Phrase::Call(function, operands.collect()),
            Maker::Each(_) if self.depth < DEPTH => Phrase::Map,
            _ => by_items(),
        }
    }

    /// Writes a column whose operands are known, and returns its text.
    fn write_phrase(
        &mut self,
        at: usize,
        column: &LoopColumn,
        phrase: Phrase,
    ) -> Result<String, Refusal> {
        let outer = self.loops[at].outer;
        let known = |columns: &[LoopColumn]| -> Vec<String> {
            let texts = columns.iter().map(|it| self.known_text(at, it));
            texts.map(Option::unwrap_or_default).collect()
        };
        let text = match phrase {
            Phrase::Text(text) => return Ok(text),
            Phrase::Outer => {
                let rounds = self.loops[at].rounds;
                return self.write_column(outer, column.iter().step_by(rounds).cloned().collect());
            }
            Phrase::Argument => {
                let text = self.write_column(outer, self.outer_column(at, column))?;
                let name = Some(&*text).filter(|text| is_word(text));
                let parameter = self.identifiers.of(name.unwrap_or("item"));
                self.loops[at].parameters.push((parameter.clone(), text));
                return Ok(parameter);
            }
            Phrase::Apply(op, below, over_items) => {
                let texts = known(&below);
                let is_chain = self.dialect == Dialect::C || texts.len() <= TERMS;
                // Lists of Python are no terms of a sum.
                let has_terms = self.dialect != Dialect::Python
                    || below.iter().all(|it| it[0].node().is_some());
                if op.is_sum() && !over_items && is_chain && has_terms {
                    return self.declare_sum(at, column, &texts);
                }
                let text = self.operation_text(op, &below, &texts, over_items);
                text.map_err(Refusal::Lacks)?
            }
            Phrase::Call(function, below) => {
                let mut texts = known(&below);
                // A table stands first.
                if below[0][0].shape().depth() == 1 {
                    texts.reverse();
                }
                format!("{}({})", self.dialect.name(function), texts.join(", "))
            }
            Phrase::Items(items) => self.items_text(&items, &known(&items), column[0].shape()),
            Phrase::Map => self.write_loop(at, column)?,
        };
        self.declare_column(at, column, &text)
    }

    /// Writes the statements that compute a column as a sum of terms.
    fn declare_sum(
        &mut self,
        at: usize,
        column: &LoopColumn,
        terms: &[String],
    ) -> Result<String, Refusal> {
        let mut lines = terms.chunks(TERMS).map(|terms| terms.join(" + "));
        let first = lines.next().unwrap_or_default();
        let variable = self.declare_column(at, column, &first)?;
        for line in lines {
            self.line(at, &format!("{variable} = {variable} + {line}"))?;
        }
        Ok(variable)
    }

    /// Writes the statement that computes a column.
    fn declare_column(
        &mut self,
        at: usize,
        column: &LoopColumn,
        text: &str,
    ) -> Result<String, Refusal> {
        let name = (at == 0).then(|| self.name_of(&column[0])).flatten();
        let is_named = name.is_some();
        let variable = self.new_variable(name);
        self.declare(at, &variable, text)?;
        match &column[0] {
            Value::List(list) if at == 0 => {
                if let Some(shape) = list.shape().lengths() {
                    let array = ProgramArray {
                        text: variable.clone(),
                        shape,
                        ..ProgramArray::default()
                    };
                    self.add_array(array, list.nodes());
                }
            }
            Value::Node(node) if at == 0 && !is_named => self.remark(node),
            _ => {}
        }
        Ok(variable)
    }

    /// A variable with a name of the user's or a number.
    fn new_variable(&mut self, name: Option<String>) -> String {
        self.variables += usize::from(name.is_none());
        let unnamed = || format!("v{}", self.variables);
        self.identifiers.of(&name.unwrap_or_else(unnamed))
    }

    /// The name of a value.
    fn name_of(&self, value: &Value) -> Option<String> {
        match value {
            Value::Node(node) => {
                has_name(self.session, node).then(|| variable_name(self.session, node))
            }
            Value::List(list) => {
                let mut lists = self.session.names().lists_of(list.nodes().first()?);
                let named = lists.find(|(_, other)| Value::List(Rc::clone(other)).is(value));
                named.map(|(name, ..)| name.to_string())
            }
        }
    }

    /// `[E for x in xs]` in each round of a loop.
    fn write_loop(&mut self, at: usize, column: &LoopColumn) -> Result<String, Refusal> {
        let lists = column.iter().filter_map(Value::list);
        let body: LoopColumn = lists.flat_map(|list| list.items()).collect();
        let (inside, rounds) = (self.loops.len(), body.len() / column.len());
        self.loops.push(MappedLoop {
            outer: at,
            rounds,
            ..MappedLoop::default()
        });
        self.depth += 1;
        let result = self.write_column(inside, body)?;
        self.depth -= 1;
        let inner = std::mem::take(&mut self.loops[inside]);
        if inner.parameters.is_empty() && inner.lines.is_empty() {
            return Ok(self.repeated_text(&result, rounds));
        }
        let name = self.identifiers.of("term");
        let (parameters, arguments): (Vec<_>, Vec<_>) = inner.parameters.into_iter().unzip();
        self.line(at, &format!("def {name}({}):", parameters.join(", ")))?;
        let mut lines = inner.lines;
        lines.push(format!("    return {result}"));
        let lines = inline(lines).into_iter().map(|line| format!("    {line}"));
        self.loops[at].lines.extend(lines);
        let lists = arguments.join(", ");
        Ok(match self.dialect {
            _ if arguments.is_empty() => self.repeated_text(&format!("{name}()"), rounds),
            Dialect::Jax => format!("jax.vmap({name})({lists})"),
            _ => format!("list(map({name}, {lists}))"),
        })
    }

    /// A list of one item again and again.
    fn repeated_text(&self, item: &str, times: usize) -> String {
        self.array_text("jnp.array", &format!("[{item}] * {times}"))
    }

    /// The text of numbers that stand in one array at equal distances.
    fn text_in_array(&self, nodes: &[Rc<Node>], shape: &ListShape) -> Option<String> {
        let home = |node: &Rc<Node>| self.array_places.get(&node.id()).copied();
        let (array, start) = home(nodes.first()?)?;
        let next = nodes.get(1).map_or(Some((array, start + 1)), home)?.1;
        let step = next.checked_sub(start).filter(|step| *step > 0)?;
        let mut places = nodes.iter().zip((start..).step_by(step));
        if !places.all(|(node, place)| home(node) == Some((array, place))) {
            return None;
        }
        let whole = &self.arrays[array];
        let (text, lengths) = (&whole.text, shape.lengths()?);
        let outside = whole.shape.len().checked_sub(lengths.len())?;
        if step == 1 && whole.shape[outside..] == lengths && start % nodes.len() == 0 {
            let place = indices(start / nodes.len(), &whole.shape[..outside]);
            return Some(format!("{text}{place}"));
        }
        let end = start + (nodes.len() - 1) * step + 1;
        let numbers = match whole.shape.len() {
            1 => text.clone(),
            _ => format!("{}({text})", self.dialect.name("flat")),
        };
        (lengths.len() == 1).then(|| format!("{numbers}[{start}:{end}:{step}]"))
    }

    /// A list of these items.
    fn items_text(&self, items: &[LoopColumn], texts: &[String], shape: &ListShape) -> String {
        if shape.depth() > 1 {
            return self.array_text("jnp.stack", &format!("[{}]", join_items(texts)));
        }
        let numbers: Option<Vec<f64>> = items.iter().map(|item| self.number(item)).collect();
        if let Some([first, .., last]) = numbers.as_deref()
            && (numbers.iter().flatten().zip(0..))
                .all(|(number, at)| *number == first + f64::from(at))
        {
            let range = self.dialect.name("range");
            return format!("{range}({first:?}, {:?})", last + 1.0);
        }
        // What stands side by side in an array is taken at once.
        let nodes: Vec<&Rc<Node>> = items.iter().filter_map(|item| item[0].node()).collect();
        let in_array = |at: usize| {
            let place = self.array_places.get(&nodes[at].id());
            place.filter(|_| items[at].len() == 1)
        };
        let goes_on = |at: usize| {
            let (one, next) = (in_array(at - 1), in_array(at));
            one.is_some_and(|(array, place)| next == Some(&(*array, place + 1)))
        };
        let (mut parts, mut single, mut at) = (Vec::new(), Vec::new(), 0);
        while at < texts.len() {
            let mut others = at + 1..texts.len();
            let end = others.find(|end| !goes_on(*end)).unwrap_or(texts.len());
            let run: Vec<Rc<Node>> = nodes[at..end].iter().copied().cloned().collect();
            let part = self.text_in_array(&run, &ListShape::rows(end - at, ListShape::NUMBER));
            match part.filter(|_| end - at > TOGETHER) {
                Some(part) => {
                    parts.extend(self.array_of(&std::mem::take(&mut single)));
                    parts.push(part);
                }
                None => single.extend_from_slice(&texts[at..end]),
            }
            at = end;
        }
        parts.extend(self.array_of(&single));
        match &parts[..] {
            [only] => only.clone(),
            parts => {
                let joined = self.dialect.name("joined");
                format!("{joined}([{}])", join_items(parts))
            }
        }
    }

    /// An array of numbers, if there are any.
    fn array_of(&self, numbers: &[String]) -> Option<String> {
        let list = || format!("[{}]", join_items(numbers));
        (!numbers.is_empty()).then(|| self.array_text("jnp.array", &list()))
    }

    /// A list, of which this function makes an array in JAX.
    fn array_text(&self, function: &str, list: &str) -> String {
        match self.dialect {
            Dialect::Jax => format!("{function}({list})"),
            _ => list.to_string(),
        }
    }

    /// An operation on columns with these texts.
    pub(super) fn operation_text(
        &self,
        op: &'static Op,
        columns: &[LoopColumn],
        texts: &[String],
        over_items: bool,
    ) -> Result<String, &'static Op> {
        let of_lists = columns.iter().any(|column| column[0].node().is_none());
        let depth = columns[0][0].shape().depth();
        let gives_list = of_lists && (!over_items || depth > 1);
        if gives_list && self.dialect == Dialect::Python {
            let function = function_text(self.dialect, op)?;
            let star = if over_items { "*" } else { "" };
            return Ok(format!("each({function}, {star}{})", texts.join(", ")));
        }
        let is_finite = |column: &LoopColumn| {
            let mut nodes = column.iter().flat_map(Value::nodes);
            nodes.all(|node| node.data().is_finite())
        };
        if op.name == "chain" && columns.iter().all(is_finite) {
            return Ok(texts.join(" * "));
        }
        let is_many = matches!(op.rule, Rule::Many { .. });
        let list = match texts {
            [only] if over_items && self.dialect == Dialect::Python => format!("*{only}"),
            [only] if over_items => only.clone(),
            several if of_lists => format!("stacked([{}])", join_items(several)),
            several => list_text(self.dialect, several),
        };
        let mut text = fill_words(&self.dialect.value(op).ok_or(op)?, texts, &list);
        if is_many && gives_list {
            text.insert_str(text.len() - 1, ", axis=0");
        }
        Ok(text)
    }
}

fn key(column: &LoopColumn) -> ColumnKey {
    let nodes = column.iter().flat_map(Value::nodes).map(|node| node.id());
    (
        nodes.collect(),
        column[0].shape().lengths().unwrap_or_default(),
    )
}

/// `[1][0]`: where the number at a place is in an array of this shape.
fn indices(mut place: usize, shape: &[usize]) -> String {
    let mut text = String::new();
    for length in shape.iter().rev() {
        text = format!("[{}]{text}", place % length);
        place /= length;
    }
    text
}
