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
use super::text::{bare, called, definition, framed, listed, quoted};
use super::{MOST_OPERATIONS, Straight, mark};
use crate::graph::{Node, NodeId, Order};
use crate::ops::{Dialect, Op, Rule, library};
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
        functions: Vec::new(),
        lines: Vec::new(),
        operations: 0,
        depth: 0,
    };
    writer.leaves(root);
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
    name: String,
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
    /// What stands for the names that are translated.
    names: FxHashMap<String, Phrase>,
    /// The functions that are written, each for arguments of some shapes, with the names and results.
    functions: Vec<(Rc<Function>, Vec<Vec<usize>>, Phrase)>,
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
            text: Dialect::Jax.literal(number),
            shape: Vec::new(),
            number: Some(number),
        }
    }
}

/// What typed definitions become. `None` is what has no translation.
impl Writer<'_> {
    /// Takes the leaves below the root from dictionaries: a list of them as one array if it holds nothing else.
    fn leaves(&mut self, root: &Rc<Node>) {
        let order = Order::below([root]);
        let leaves = order.nodes().iter().filter(|node| node.is_leaf());
        let mut leaves: Vec<&Rc<Node>> = leaves.collect();
        leaves.sort_by_key(|leaf| leaf.id());
        for leaf in leaves {
            if self.nodes.contains_key(&leaf.id()) {
                continue;
            }
            let is_array = |nodes: &[Rc<Node>]| {
                let mut seen = FxHashSet::default();
                nodes.iter().all(|node| {
                    let is_kind = node.is_leaf() && node.is_free() == leaf.is_free();
                    is_kind && !self.nodes.contains_key(&node.id()) && seen.insert(node.id())
                })
            };
            let found = self
                .session
                .names()
                .lists_of(leaf)
                .find_map(|(name, list, _)| {
                    let shape = list.shape().lengths().filter(|_| is_array(list.nodes()))?;
                    Some((name.to_string(), shape, list.nodes().to_vec()))
                });
            if let Some((name, shape, leaves)) = found {
                self.leaf_array(name, shape, leaves);
            } else if leaf.is_free() {
                let name = called(self.session, leaf);
                self.leaf_array(name, Vec::new(), vec![Rc::clone(leaf)]);
            } else {
                self.nodes.insert(leaf.id(), Phrase::number(leaf.data()));
            }
        }
    }

    fn leaf_array(&mut self, name: String, shape: Vec<usize>, leaves: Vec<Rc<Node>>) {
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
        self.arrays.push(LeafArray {
            name,
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
        let phrase = if let Some(leaves) = self.leaf_or_array(&value) {
            leaves
        } else {
            let typed = match (self.session.names().typed(name), &value) {
                (Some(typed), _) => typed.to_string(),
                // What is only arithmetic is not kept.
                (None, Value::Node(node)) => self.session.expression(node),
                (None, Value::List(_)) => String::new(),
            };
            let meant = self.meant(&typed, &value);
            let meant = meant.or_else(|| self.leaf_value(&value))?;
            let variable = self.identifiers.of(name);
            self.lines.push(format!("    {variable} = {}", meant.text));
            Phrase::array(variable, &meant.shape)
        };
        self.names.insert(name.to_string(), phrase.clone());
        Some(phrase)
    }

    /// A constant, a leaf, or a list of leaves that is an array.
    fn leaf_or_array(&self, value: &Value) -> Option<Phrase> {
        if let Value::Node(node) = value {
            let constant = (!node.varies()).then(|| Phrase::number(node.data()));
            return constant.or_else(|| self.nodes.get(&node.id()).cloned());
        }
        let shape = value.shape().lengths()?;
        let is_it = |array: &&LeafArray| {
            let mut pairs = array.leaves.iter().zip(value.nodes());
            array.shape == shape && pairs.all(|(one, other)| Rc::ptr_eq(one, other))
        };
        let array = self.arrays.iter().find(is_it)?;
        Some(Phrase::array(&array.variable, &shape))
    }

    /// The same, or a list of what is.
    fn leaf_value(&self, value: &Value) -> Option<Phrase> {
        let known = self.leaf_or_array(value);
        known.or_else(|| match value {
            Value::Node(_) => None,
            Value::List(list) => {
                let items = list.items().map(|item| self.leaf_value(&item));
                let items: Vec<Phrase> = items.collect::<Option<_>>()?;
                alike(&items).then(|| joined(&items))
            }
        })
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
        let mut words: Vec<String> = Vec::new();
        // How many lists the next loop takes its variables from.
        let mut side_by_side = 1;
        for (at, instruction) in code.iter().enumerate() {
            let next = code.get(at + 1);
            let phrase = match instruction {
                Code::Number(number, _) => Phrase::number(*number),
                Code::Parameter(at) => variables[*at].clone(),
                Code::Name(name) => self.name(name)?,
                Code::Value(value) => self.leaf_value(value)?,
                Code::Operator(operator, count) => {
                    let operands = stack.split_off(stack.len() - count);
                    self.apply(operation(operator), &operands)?
                }
                Code::List(count) => {
                    let items = stack.split_off(stack.len() - count);
                    if alike(&items) {
                        joined(&items)
                    } else if let Some(Work::Flat) = self.list_function(next) {
                        ravelled(&items)
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
                Code::Variable(name) => {
                    words.push(self.identifiers.of(name));
                    continue;
                }
                Code::Each(first, count) => {
                    let lists = stack.split_off(stack.len() - side_by_side);
                    let names = words.split_off(words.len() - count);
                    side_by_side = 1;
                    let mut sequences = texts(&lists).join(", ");
                    let mut rows: Vec<&[usize]> = Vec::new();
                    for list in &lists {
                        rows.push(list.shape.get(1..)?);
                    }
                    if lists.len() < names.len() {
                        // Each variable takes a column of a table.
                        sequences = format!("*jnp.swapaxes({sequences}, 0, 1)");
                        rows = vec![lists[0].shape.get(2..)?; *count];
                    }
                    let items = names.iter().zip(rows);
                    variables.extend(items.map(|(name, row)| Phrase::array(name, row)));
                    stack.push(Phrase::array(sequences, &lists[0].shape[..1]));
                    loops.push((names.join(", "), *first));
                    continue;
                }
                Code::Collect => {
                    let (body, sequences, (names, first)) =
                        (stack.pop()?, stack.pop()?, loops.pop()?);
                    variables.truncate(first);
                    self.collected(&names, &sequences, &body)
                }
                Code::Call {
                    name,
                    primes,
                    count,
                } => {
                    if let Some(Work::Zip) = self.list_function(Some(instruction))
                        && let mut behind = code[at + 1..].iter()
                        && let Some(Code::Each(_, names)) =
                            behind.find(|code| !matches!(code, Code::Variable(_)))
                        && names == count
                        && *count > 1
                    {
                        side_by_side = *count;
                        continue;
                    }
                    let arguments = stack.split_off(stack.len() - count);
                    self.call((name, *primes), &arguments)?
                }
                Code::Property(..) => return None,
            };
            stack.push(phrase);
        }
        stack.pop()
    }

    /// The function of lists that an instruction calls.
    fn list_function(&mut self, code: Option<&Code>) -> Option<Work> {
        let Some(Code::Call { name, count, .. }) = code else {
            return None;
        };
        match self.session.callee((name, 0), *count, Span::default()) {
            Ok(Callee::Library(function)) => Some(function.work),
            _ => None,
        }
    }

    /// `[E for x in xs]`
    fn collected(&self, names: &str, sequences: &Phrase, body: &Phrase) -> Phrase {
        // `lambda x: f(x)` is f.
        let is_it = |function: &&str| body.text == format!("{function}({names})");
        let mut functions = self.functions.iter().map(|known| &*known.2.text);
        let lambda = format!("lambda {names}: {}", body.text);
        let mapped = functions.find(is_it).unwrap_or(&lambda);
        let text = format!("jax.vmap({mapped})({})", sequences.text);
        Phrase::array(text, &[&sequences.shape[..], &body.shape].concat())
    }

    fn call(&mut self, called: (&str, u8), arguments: &[Phrase]) -> Option<Phrase> {
        let callee = self
            .session
            .callee(called, arguments.len(), Span::default());
        match callee.ok()? {
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
    fn own(&mut self, function: &Rc<Function>, arguments: &[Phrase]) -> Option<Phrase> {
        let shapes: Vec<Vec<usize>> = arguments.iter().map(|it| it.shape.clone()).collect();
        let mut functions = self.functions.iter();
        let known = functions.find(|known| Rc::ptr_eq(&known.0, function) && known.1 == shapes);
        let written = if let Some((.., written)) = known {
            written.clone()
        } else {
            let parameters = function.parameters.iter();
            let parameters: Vec<String> = parameters.map(|it| self.identifiers.of(it)).collect();
            let inside = parameters.iter().zip(&shapes);
            let inside = inside.map(|(name, shape)| Phrase::array(name, shape));
            let body = self.translated(&function.code, inside.collect())?;
            let name = self.identifiers.of(&function.name);
            let head = format!("    def {name}({}):", parameters.join(", "));
            self.lines
                .extend([head, format!("        return {}", body.text)]);
            let written = Phrase::array(name, &body.shape);
            self.functions
                .push((Rc::clone(function), shapes, written.clone()));
            written
        };
        let call = format!("{}({})", written.text, texts(arguments).join(", "));
        Some(Phrase::array(call, &written.shape))
    }

    /// An operation, item by item, or between the items of a list.
    fn apply(&mut self, op: &'static Op, operands: &[Phrase]) -> Option<Phrase> {
        self.operations += 1;
        let numbers: Option<Vec<f64>> = operands.iter().map(|operand| operand.number).collect();
        if let Some(numbers) = numbers {
            return Some(Phrase::number(op.value(&numbers)));
        }
        let brackets = operands.iter().map(|it| bracketed(it.text.clone()));
        let mut words = WordMeanings {
            operands: &brackets.collect::<Vec<_>>(),
            ..WordMeanings::default()
        };
        let between = Dialect::Jax.between_two(op).filter(|_| operands.len() == 2);
        let text = match (between, op.rule) {
            (Some(between), _) => spelling::filled(between, words),
            (None, Rule::Many { .. }) => {
                let list = one_list(operands);
                let [_, row @ ..] = &list.shape[..] else {
                    return Some(list);
                };
                words.list = &list.text;
                return Some(over_items(
                    spelling::value(Dialect::Jax, op, words).ok()?,
                    row,
                ));
            }
            _ => spelling::value(Dialect::Jax, op, words).ok()?,
        };
        Some(Phrase::array(text, longest(operands)))
    }

    fn file(&self, root: &Rc<Node>) -> String {
        let (data, params): (Vec<&LeafArray>, Vec<&LeafArray>) = self
            .arrays
            .iter()
            .partition(|array| array.leaves[0].is_frozen());
        let mut tables = table("params", &params);
        let mut taken = unpacked("params", &params);
        let mut arguments = "params";
        if !data.is_empty() {
            arguments = "params, data";
            taken += &unpacked("data", &data);
            // The batch is the longest lists of data.
            let longest = data.iter().map(|array| array.shape[0]).max();
            let batch = data.iter().filter(|array| Some(array.shape[0]) == longest);
            let batch: Vec<String> = batch.map(|array| quoted(&array.name)).collect();
            let names = [("names", &*batch.join(", "))];
            tables += &table("data", &data);
            tables += &framed(include_str!("sharding.jax.py"), &names);
        }
        let statements = taken + &self.lines.join("\n");
        framed(
            include_str!("frame.jax.py"),
            &[
                ("mark", &mark()),
                ("definition", &definition(self.session, root)),
                ("arguments", arguments),
                ("tables", &tables),
                ("library", &library(Dialect::Jax, [&*statements])),
                ("statements", &statements),
                ("label", &quoted(&self.session.label(root))),
            ],
        )
    }
}

/// The present numbers of a dictionary.
fn table(name: &str, arrays: &[&LeafArray]) -> String {
    let entries = arrays.iter().map(|array| {
        let numbers = array
            .leaves
            .iter()
            .map(|leaf| bare(Dialect::Jax, leaf.data()));
        let list = listed(&numbers.collect::<Vec<_>>(), ["[", "]"]);
        let sizes: Vec<String> = array.shape.iter().map(usize::to_string).collect();
        let shaped = match array.shape.len() {
            0 => format!("jnp.array({})", &list[1..list.len() - 1]),
            1 => format!("jnp.array({list})"),
            _ => format!("jnp.array({list}).reshape({})", sizes.join(", ")),
        };
        format!("    {}: {shaped},\n", quoted(&array.name))
    });
    format!("{name} = {{\n{}}}\n\n", entries.collect::<String>())
}

/// The statements that take the arrays out of a dictionary.
fn unpacked(dictionary: &str, arrays: &[&LeafArray]) -> String {
    let arrays = arrays
        .iter()
        .map(|array| (&array.variable, quoted(&array.name)));
    let lines = arrays.map(|(variable, key)| format!("    {variable} = {dictionary}[{key}]\n"));
    lines.collect()
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
    let list = listed(&texts(items), ["[", "]"]);
    if alike(items) {
        return Phrase::array(format!("jnp.array({list})"), &shape);
    }
    let texts = texts(items).join(", ");
    Phrase::array(format!("jnp.stack(jnp.broadcast_arrays({texts}))"), &shape)
}

/// The operands of a call that takes one list, or any number of operands.
fn one_list(operands: &[Phrase]) -> Phrase {
    match operands {
        [only] => only.clone(),
        several => joined(several),
    }
}

/// `flat([W, b])`
fn ravelled(items: &[Phrase]) -> Phrase {
    let parts = items.iter().map(|it| format!("jnp.ravel({})", it.text));
    let list = listed(&parts.collect::<Vec<_>>(), ["[", "]"]);
    let sizes = items.iter().map(|it| it.shape.iter().product::<usize>());
    Phrase::array(format!("jnp.concatenate({list})"), &[sizes.sum()])
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
    let (text, shape) = (&list.text, &list.shape);
    let [count, row @ ..] = &shape[..] else {
        return None;
    };
    Some(match (work, arguments) {
        (Work::Dot, [one, other]) => {
            let (rows, list) = match other.shape.len() {
                1 => (one, other),
                _ => (other, one),
            };
            let text = format!("jnp.dot({}, {})", rows.text, list.text);
            Phrase::array(text, &rows.shape[..rows.shape.len() - 1])
        }
        (Work::Flat, _) if row.is_empty() => list,
        (Work::Flat, _) => Phrase::array(format!("jnp.ravel({text})"), &[shape.iter().product()]),
        (Work::Len, _) => Phrase::number(*count as f64),
        (Work::Mean, _) => over_items(format!("jnp.mean({text})"), row),
        (Work::Std, _) => Phrase::array(format!("jnp.std({text})"), &[]),
        (Work::Zip, lists) if alike(lists) => {
            let columns = match lists {
                [_] => format!("jnp.swapaxes({text}, 0, 1)"),
                _ => format!("jnp.stack([{}], axis=1)", texts(lists).join(", ")),
            };
            Phrase::array(columns, &[&row[..1], &[*count], &row[1..]].concat())
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
            (Some(one), Some(other)) => std::ptr::eq(one, other),
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
