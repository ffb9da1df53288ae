//! A root as a program of JAX, from what was typed: a list is an array, `[f(x) for x in xs]` is `jax.vmap(f)(xs)`.
//!
//! Each name that the root needs is translated from its typed definition, if that still means what the name stands for.
//! If one has no translation, the root is written out operation by operation. JAX takes the gradient itself, so only
//! values are written. Leaves are the arrays of two dictionaries: `params`, and `data` for lists of frozen ones.

use std::borrow::Cow;
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::identifiers::Identifiers;
use super::program::values;
use super::text::{bare, called, file, framed, listed, quoted};
use super::{MOST_OPERATIONS, Straight};
use crate::graph::{Node, NodeId, Order};
use crate::ops::{Dialect, Op, Rule};
use crate::session::Session;
use crate::session::functions::{Callee, Code, Function, Work, operation};
use crate::session::values::Value;
use crate::study::spelling::{self, WordMeanings, bracketed};
use crate::syntax::{self, Span};

/// Definitions and calls inside one another are translated so deep.
const DEPTH: usize = 100;

/// A translated definition has so many operations and operands: Python reads brackets in brackets by recursion.
const LONGEST_DEFINITION: usize = 200;

/// The program for a root that was typed like this and how many operations it has, where what is mapped counts once; or
/// the operation that JAX lacks.
pub fn jax(
    session: &mut Session,
    straight: &Straight,
    typed: &str,
) -> Result<(String, usize), &'static Op> {
    let root = &straight.root;
    let mut writer = Writer {
        session,
        identifiers: Identifiers::except(Dialect::Jax.reserved()),
        arrays: Vec::new(),
        nodes: FxHashMap::default(),
        names: FxHashMap::default(),
        lines: Vec::new(),
        operations: 0,
        depth: 0,
    };
    let order = Order::below([root]);
    let leaves = order.nodes().iter().filter(|node| node.is_leaf());
    let mut leaves: Vec<&Rc<Node>> = leaves.collect();
    leaves.sort_by_key(|leaf| leaf.id());
    for leaf in leaves {
        writer.take(leaf);
    }
    let identifiers = writer.identifiers.clone();
    if let Some(result) = writer.meant(typed, &Value::from(Rc::clone(root))) {
        writer.lines.push(format!("    return {}", result.text));
    } else {
        let leaves = writer.nodes.iter();
        let leaves = leaves.map(|(id, leaf)| (*id, leaf.text.clone())).collect();
        writer.operations = straight.computed.len();
        // More are refused.
        if writer.operations <= MOST_OPERATIONS {
            writer.lines = values(writer.session, straight, Dialect::Jax, identifiers, leaves)?;
        }
    }
    Ok((writer.file(root), writer.operations))
}

/// A number or an array in JAX.
#[derive(Clone, Debug)]
struct Phrase {
    text: String,
    shape: Vec<usize>,
    /// The number, if the text is just that.
    number: Option<f64>,
}

/// A leaf, or a list of leaves, in a dictionary.
struct LeafArray {
    key: String,
    variable: String,
    shape: Vec<usize>,
    leaves: Vec<Rc<Node>>,
}

struct Writer<'s> {
    session: &'s mut Session,
    identifiers: Identifiers,
    arrays: Vec<LeafArray>,
    /// What stands for the leaves.
    nodes: FxHashMap<NodeId, Phrase>,
    /// What stands for the names that are translated, and for functions with the shapes of their arguments.
    names: FxHashMap<String, Phrase>,
    lines: Vec<String>,
    operations: usize,
    /// How many definitions and calls are being translated.
    depth: usize,
}

impl Phrase {
    fn array(text: impl Into<String>, shape: &[usize]) -> Phrase {
        Phrase {
            text: text.into(),
            shape: shape.to_vec(),
            number: None,
        }
    }

    fn number(number: f64) -> Phrase {
        Phrase {
            number: Some(number),
            ..Phrase::array(Dialect::Jax.literal(number), &[])
        }
    }
}

/// What typed definitions become. `None` is what has no translation.
impl Writer<'_> {
    /// Takes a leaf from a dictionary, with the others of a list that has leaves of the same kind alone.
    fn take(&mut self, leaf: &Rc<Node>) {
        if self.nodes.contains_key(&leaf.id()) {
            return;
        }
        let joins = |node: &Rc<Node>| {
            let is_kind = node.is_leaf() && node.is_free() == leaf.is_free();
            is_kind && !self.nodes.contains_key(&node.id())
        };
        // None stands in a list twice if each is newer than the one before.
        let is_array = |nodes: &[Rc<Node>]| {
            nodes.iter().all(joins) && nodes.is_sorted_by(|one, next| one.id() < next.id())
        };
        let mut lists = self.session.names().lists_of(leaf);
        let found = lists.find_map(|(name, list, _)| {
            let shape = list.shape().lengths().filter(|_| is_array(list.nodes()))?;
            Some((name.to_string(), shape, list.nodes().to_vec()))
        });
        let (name, shape, leaves) = match found {
            Some(found) => found,
            None if leaf.is_free() => {
                let name = called(self.session, leaf);
                (name, Vec::new(), vec![Rc::clone(leaf)])
            }
            None => {
                self.nodes.insert(leaf.id(), Phrase::number(leaf.data()));
                return;
            }
        };
        let variable = self.identifiers.of(&name);
        for (at, leaf) in leaves.iter().enumerate() {
            let (mut item, mut rest) = (String::new(), at);
            for length in shape.iter().rev() {
                item = format!("[{}]{item}", rest % length);
                rest /= length;
            }
            let item = Phrase::array(format!("{variable}{item}"), &[]);
            self.nodes.insert(leaf.id(), item);
        }
        if !shape.is_empty() {
            self.names
                .insert(name.clone(), Phrase::array(&variable, &shape));
        }
        self.arrays.push(LeafArray {
            key: quoted(&name),
            variable,
            shape,
            leaves,
        });
    }

    /// A value from the text that was typed for it, if that means the same now.
    fn meant(&mut self, typed: &str, value: &Value) -> Option<Phrase> {
        let expression = syntax::as_expression(typed)?;
        let made = self.session.made();
        let again = self.session.evaluate(typed, &expression);
        let means = again.is_ok_and(|(again, _)| same(&again, value));
        let code = self
            .session
            .compile(typed, &expression.items, &[], None, Cow::Borrowed);
        self.session.rewind(made);
        let code = code.ok().filter(|_| means)?;
        let phrase = self.translated(&code, Vec::new())?;
        (value.shape().lengths().as_ref() == Some(&phrase.shape)).then_some(phrase)
    }

    /// What a name stands for. What is computed becomes a variable.
    fn name(&mut self, name: &str) -> Option<Phrase> {
        if let Some(known) = self.names.get(name) {
            return Some(known.clone());
        }
        let value = self.session.named(name, Span::default()).ok()?;
        let mut phrase = match value {
            Value::Node(_) => self.leaves(&value),
            Value::List(_) => None,
        };
        if phrase.is_none() {
            let typed = match (self.session.names().typed(name), &value) {
                (Some(typed), _) => typed.to_string(),
                // What is only arithmetic is not kept.
                (None, Value::Node(node)) => self.session.expression(node),
                (None, Value::List(_)) => String::new(),
            };
            let meant = self.meant(&typed, &value);
            let meant = meant.or_else(|| self.leaves(&value))?;
            let variable = self.identifiers.of(name);
            self.lines.push(format!("    {variable} = {}", meant.text));
            phrase = Some(Phrase::array(variable, &meant.shape));
        }
        self.names.insert(name.to_string(), phrase.clone()?);
        phrase
    }

    /// A constant, a leaf, or a list of such.
    fn leaves(&self, value: &Value) -> Option<Phrase> {
        match value {
            Value::Node(node) if !node.varies() => Some(Phrase::number(node.data())),
            Value::Node(node) => self.nodes.get(&node.id()).cloned(),
            Value::List(list) => {
                let items = list.items().map(|item| self.leaves(&item));
                Some(joined(&items.collect::<Option<Vec<Phrase>>>()?))
            }
        }
    }

    /// Translates an expression, or the body of a function.
    fn translated(&mut self, code: &[Code], variables: Vec<Phrase>) -> Option<Phrase> {
        if self.depth >= DEPTH || code.len() > LONGEST_DEFINITION {
            return None;
        }
        self.depth += 1;
        let phrase = self.run(code, variables);
        self.depth -= 1;
        phrase
    }

    fn run(&mut self, code: &[Code], mut variables: Vec<Phrase>) -> Option<Phrase> {
        let mut stack: Vec<Phrase> = Vec::new();
        // The variables of the loops, and where they begin.
        let mut loops: Vec<(String, usize)> = Vec::new();
        // How many values of a `zip` or a list are not put together, since a loop or `flat` takes them one by one.
        let mut apart: Option<usize> = None;
        for (at, instruction) in code.iter().enumerate() {
            let behind = &code[at + 1..];
            let phrase = match instruction {
                Code::Number(number, _) => Phrase::number(*number),
                Code::Parameter(at) => variables[*at].clone(),
                Code::Name(name) => self.name(name)?,
                Code::Value(value) => self.leaves(value)?,
                Code::Operator(operator, count) => {
                    let operands = stack.split_off(stack.len() - count);
                    self.apply(operation(operator), &operands)?
                }
                Code::List(count) => {
                    let items = stack.split_off(stack.len() - count);
                    if alike(&items) {
                        joined(&items)
                    } else if self.calls(behind.first()?, "flat") {
                        stack.extend(items);
                        apart = Some(*count);
                        continue;
                    } else {
                        return None;
                    }
                }
                Code::Index => {
                    let (position, list) = (stack.pop()?, stack.pop()?);
                    item(&list, &position)?
                }
                Code::Range => {
                    let (to, from) = (stack.pop()?.number?, stack.pop()?.number?);
                    let text = format!("jnp.arange({from:?}, {:?})", to + 1.0);
                    Phrase::array(text, &[(to - from) as usize + 1])
                }
                Code::Assign(count) => {
                    variables.extend(stack.split_off(stack.len() - count));
                    continue;
                }
                Code::Variable => continue,
                Code::Each(first, names) => {
                    let lists = stack.split_off(stack.len() - apart.take().unwrap_or(1));
                    let names: Vec<String> =
                        names.iter().map(|name| self.identifiers.of(name)).collect();
                    if lists.len() != names.len() {
                        // A table that a loop takes apart by columns.
                        return None;
                    }
                    for (name, list) in names.iter().zip(&lists) {
                        variables.push(Phrase::array(name, list.shape.get(1..)?));
                    }
                    loops.push((names.join(", "), *first));
                    Phrase::array(texts(&lists).join(", "), &lists[0].shape[..1])
                }
                Code::Collect => {
                    let (body, sequences, (names, first)) =
                        (stack.pop()?, stack.pop()?, loops.pop()?);
                    variables.truncate(first);
                    collected(&names, &sequences, &body)
                }
                Code::Call {
                    name,
                    primes,
                    count,
                } => {
                    let mut behind = behind.iter();
                    let next = behind.find(|code| !matches!(code, Code::Variable));
                    if let Some(Code::Each(_, variables)) = next
                        && variables.len() == *count
                        && *count > 1
                        && self.calls(instruction, "zip")
                    {
                        apart = Some(*count);
                        continue;
                    }
                    let callee = self
                        .session
                        .callee((name, *primes), *count, Span::default());
                    let arguments = stack.split_off(stack.len() - apart.take().unwrap_or(*count));
                    self.call(callee.ok()?, &arguments)?
                }
                Code::Uncertain(_) | Code::Property(..) => return None,
            };
            stack.push(phrase);
        }
        stack.pop()
    }

    /// Does an instruction call this function of the library?
    fn calls(&self, code: &Code, function: &str) -> bool {
        let Code::Call { name, count, .. } = code else {
            return false;
        };
        let callee = self.session.callee((name, 0), *count, Span::default());
        name == function && matches!(callee, Ok(Callee::Library(_)))
    }

    fn call(&mut self, callee: Callee, arguments: &[Phrase]) -> Option<Phrase> {
        match callee {
            Callee::Built(op) => self.apply(op, arguments),
            Callee::Own(function, 0) => self.own(&function, arguments),
            Callee::Library(function) => {
                self.operations += 1;
                of_lists(function.work, arguments)
            }
            _ => None,
        }
    }

    /// A call of a function of the user's own, which is written once for arguments of the same shapes.
    fn own(&mut self, function: &Function, arguments: &[Phrase]) -> Option<Phrase> {
        let shapes = arguments.iter().map(|argument| &argument.shape);
        let key = format!("{}({:?})", function.name, shapes.collect::<Vec<_>>());
        if !self.names.contains_key(&key) {
            let parameters = function.parameters.iter();
            let parameters: Vec<String> = parameters.map(|it| self.identifiers.of(it)).collect();
            let inside = parameters.iter().zip(arguments);
            let inside = inside.map(|(name, argument)| Phrase::array(name, &argument.shape));
            let body = self.translated(&function.code, inside.collect())?;
            let name = self.identifiers.of(&function.name);
            let head = format!("    def {name}({}):", parameters.join(", "));
            let body_line = format!("        return {}", body.text);
            self.lines.extend([head, body_line]);
            self.names
                .insert(key.clone(), Phrase::array(name, &body.shape));
        }
        let known = &self.names[&key];
        let call = format!("{}({})", known.text, texts(arguments).join(", "));
        Some(Phrase::array(call, &known.shape))
    }

    /// An operation, item by item, or over the items of a list.
    fn apply(&mut self, op: &'static Op, operands: &[Phrase]) -> Option<Phrase> {
        self.operations += 1;
        let numbers: Option<Vec<f64>> = operands.iter().map(|operand| operand.number).collect();
        if let Some(numbers) = numbers {
            return Some(Phrase::number(op.value(&numbers)));
        }
        let over_list = matches!(op.rule, Rule::Many { .. });
        let list = over_list.then(|| one_list(operands));
        let texts: Vec<String> = operands.iter().map(|it| it.text.clone()).collect();
        let words = WordMeanings {
            operands: &texts,
            list: list.as_ref().map_or("", |list| &list.text),
        };
        let text = spelling::value(Dialect::Jax, op, words).ok()?;
        Some(match list {
            Some(list) => over_items(text, list.shape.get(1..).unwrap_or_default()),
            None => Phrase::array(text, longest(operands)),
        })
    }

    fn file(&self, root: &Rc<Node>) -> String {
        let arrays = self.arrays.iter();
        let (data, params): (Vec<&LeafArray>, Vec<&LeafArray>) =
            arrays.partition(|array| array.leaves[0].is_frozen());
        let mut arguments = "params";
        let (mut tables, mut code) = (Vec::new(), Vec::new());
        for (dictionary, arrays) in [("params", params), ("data", data.clone())] {
            if arrays.is_empty() {
                continue;
            }
            let entry = |array: &&LeafArray| format!("    {}: {},\n", array.key, array.numbers());
            let entries: String = arrays.iter().map(entry).collect();
            tables.push(format!("{dictionary} = {{\n{entries}}}\n\n"));
            let taken = |it: &&LeafArray| format!("    {} = {dictionary}[{}]", it.variable, it.key);
            code.extend(arrays.iter().map(taken));
        }
        if !data.is_empty() {
            arguments = "params, data";
            // The batch is the longest lists of data.
            let longest = data.iter().map(|array| array.shape[0]).max();
            let batch = data.iter().filter(|array| Some(array.shape[0]) == longest);
            let keys: Vec<&str> = batch.map(|array| &*array.key).collect();
            let keys = [("keys", &*keys.join(", "))];
            tables.push(framed(include_str!("sharding.jax.py"), &keys));
        }
        code.extend(self.lines.iter().cloned());
        let parts = [("arguments", arguments), ("tables", &tables.concat())];
        file(self.session, root, Dialect::Jax, &code.join("\n"), &parts)
    }
}

impl LeafArray {
    /// The present numbers.
    fn numbers(&self) -> String {
        let numbers = self.leaves.iter();
        let numbers: Vec<String> = numbers
            .map(|leaf| bare(Dialect::Jax, leaf.data()))
            .collect();
        let list = listed(&numbers);
        match &self.shape[..] {
            [] => format!("jnp.array({list})"),
            [_] => format!("jnp.array([{list}])"),
            shape => format!("jnp.array([{list}]).reshape({shape:?})"),
        }
    }
}

fn texts(phrases: &[Phrase]) -> Vec<String> {
    phrases.iter().map(|phrase| phrase.text.clone()).collect()
}

fn alike(items: &[Phrase]) -> bool {
    items.iter().all(|item| item.shape == items[0].shape)
}

/// The shape of what is computed item by item: lists of one shape, and numbers.
fn longest(operands: &[Phrase]) -> &[usize] {
    let shapes = operands.iter().map(|operand| &operand.shape[..]);
    shapes.max_by_key(|shape| shape.len()).unwrap_or_default()
}

/// An array of items of one shape. Among lists, a number stands for a list of it.
fn joined(items: &[Phrase]) -> Phrase {
    let shape = [&[items.len()], longest(items)].concat();
    let list = listed(&texts(items));
    let function = if alike(items) { "jnp.array" } else { "stacked" };
    Phrase::array(format!("{function}([{list}])"), &shape)
}

/// The operands of a call that takes one list, or any number of operands.
fn one_list(operands: &[Phrase]) -> Phrase {
    match operands {
        [only] => only.clone(),
        several => joined(several),
    }
}

/// `[E for x in xs]`
fn collected(names: &str, sequences: &Phrase, body: &Phrase) -> Phrase {
    // `lambda x: f(x)` is f.
    let call = body.text.strip_suffix(&format!("({names})"));
    let is_name = |text: &&str| bracketed(text.to_string()) == *text && !text.is_empty();
    let lambda = format!("lambda {names}: {}", body.text);
    let mapped = call.filter(is_name).unwrap_or(&lambda);
    let text = format!("jax.vmap({mapped})({})", sequences.text);
    Phrase::array(text, &[&sequences.shape[..], &body.shape].concat())
}

/// A call that reduces a list to something of this shape.
fn over_items(mut call: String, row: &[usize]) -> Phrase {
    if !row.is_empty() {
        call.insert_str(call.len() - 1, ", axis=0");
    }
    Phrase::array(call, row)
}

/// A function of lists.
fn of_lists(work: Work, arguments: &[Phrase]) -> Option<Phrase> {
    let list = one_list(arguments);
    let (&count, row) = list.shape.split_first()?;
    Some(match (work, arguments) {
        (Work::Dot, [rows, list] | [list, rows]) if list.shape.len() == 1 => {
            let text = format!("jnp.dot({}, {})", rows.text, list.text);
            Phrase::array(text, &rows.shape[..rows.shape.len() - 1])
        }
        (Work::Flat, lists) => {
            let parts = lists.iter().map(|it| format!("jnp.ravel({})", it.text));
            let sizes = lists.iter().map(|it| it.shape.iter().product::<usize>());
            let list = listed(&parts.collect::<Vec<_>>());
            Phrase::array(format!("jnp.concatenate([{list}])"), &[sizes.sum()])
        }
        (Work::Len, _) => Phrase::number(count as f64),
        (Work::Mean, _) => over_items(format!("jnp.mean({})", list.text), row),
        (Work::Std, [_]) => over_items(format!("jnp.std({})", list.text), row),
        (Work::Zip, [_, _, ..]) if alike(arguments) => {
            let text = format!("jnp.stack([{}], axis=1)", listed(&texts(arguments)));
            Phrase::array(text, &[&row[..1], &[count], &row[1..]].concat())
        }
        _ => return None,
    })
}

/// `w[2]`, where positions begin with 1.
fn item(list: &Phrase, position: &Phrase) -> Option<Phrase> {
    let [_, row @ ..] = &list.shape[..] else {
        return None;
    };
    let text = match position.number {
        Some(number) => {
            let place = (number as usize).checked_sub(1)?;
            format!("{}[{place}]", bracketed(list.text.clone()))
        }
        None => format!("at({}, {})", list.text, position.text),
    };
    Some(Phrase::array(text, &[&position.shape, row].concat()))
}

/// Are two values computed in the same way from the same leaves?
fn same(one: &Value, other: &Value) -> bool {
    let mut waiting: Vec<(&Rc<Node>, &Rc<Node>)> = one.nodes().iter().zip(other.nodes()).collect();
    let mut seen = FxHashSet::default();
    while let Some((one, other)) = waiting.pop() {
        if one.id() == other.id() || !seen.insert((one.id(), other.id())) {
            continue;
        }
        let alike = match (one.op(), other.op()) {
            (Some(one), Some(other)) => one == other,
            (None, None) => {
                !one.varies() && !other.varies() && one.data().to_bits() == other.data().to_bits()
            }
            _ => false,
        };
        if !alike || one.operands().len() != other.operands().len() {
            return false;
        }
        waiting.extend(one.operands().iter().zip(other.operands()));
    }
    one.shape() == other.shape()
}
