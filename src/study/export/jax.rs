//! A root as a program of JAX, from what was typed: a list is an array, `[f(x) for x in xs]` is `jax.vmap(f)(xs)`.
//!
//! Each name that the root needs is translated from its typed definition, if that still means what the name stands for.
//! Whatever has no translation is written out, operation by operation. JAX takes the gradient itself, so only values are
//! written; the leaves are the arrays of two dictionaries, `params` and `data`.

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::files::{definition, listed, quoted};
use super::identifiers::Identifiers;
use super::program::{bare, called, has_name};
use super::{Straight, mark};
use crate::graph::Node;
use crate::ops::{Dialect, Op, Rule, library};
use crate::session::Session;
use crate::session::functions::{Callee, Code, Function, ListWork, operation};
use crate::session::values::{ListShape, Value};
use crate::stop;
use crate::study::spelling::{self, WordMeanings, bracketed};
use crate::syntax::{self, Span};

/// Definitions that need each other deeper than this are written out, and so are calls.
const DEPTH: usize = 100;

/// More operands than these are an array: Python reads a chain of operators by recursion.
const OPERANDS: usize = 8;

/// A program, and how many operations it has.
#[derive(Debug)]
pub struct JaxProgram {
    /// The text of the file.
    pub text: String,
    /// What is mapped counts once.
    pub operations: usize,
}

/// The program for a root that was typed like this, or the operation that JAX lacks.
pub fn jax(
    session: &mut Session,
    straight: &Straight,
    typed: &str,
) -> Result<JaxProgram, &'static Op> {
    let root = Value::from(Rc::clone(&straight.root));
    let mut writer = Writer {
        session,
        identifiers: Identifiers::except(Dialect::Jax.reserved()),
        arrays: Vec::new(),
        nodes: FxHashMap::default(),
        names: FxHashMap::default(),
        functions: Vec::new(),
        mapped: Vec::new(),
        lines: Vec::new(),
        operations: 0,
        depth: 0,
    };
    let result = writer.meant(typed, &root)?.argument();
    Ok(JaxProgram {
        text: writer.file(straight, &result),
        operations: writer.operations,
    })
}

/// An array of leaves, under its name.
struct NamedArray {
    name: String,
    variable: String,
    shape: Vec<usize>,
    leaves: Vec<Rc<Node>>,
    is_free: bool,
}

/// What stands for a node: a text, or a place in an array of leaves or in a variable.
enum NodeText {
    Text(String),
    Item(Rc<(String, Vec<usize>)>, usize),
}

/// A translated value.
#[derive(Clone, Debug)]
enum Phrase {
    /// A number or an array. A number that is the same in each round and call is known.
    Array {
        text: String,
        shape: Vec<usize>,
        number: Option<f64>,
    },
    /// A list of what is no array: its items, or, at axis 1, its columns, as `zip` makes them.
    List(Vec<Phrase>, usize),
}

/// Why there is no translation.
enum NoCounterpart {
    /// The language has something else, so the operations are written out.
    Straight,
    Missing(&'static Op),
}

type InJax<T = Phrase> = Result<T, NoCounterpart>;

impl From<&'static Op> for NoCounterpart {
    fn from(op: &'static Op) -> Self {
        NoCounterpart::Missing(op)
    }
}

impl Phrase {
    fn array(text: impl Into<String>, shape: &[usize]) -> Phrase {
        Phrase::Array {
            text: text.into(),
            shape: shape.to_vec(),
            number: None,
        }
    }

    fn number(text: String, number: f64) -> Phrase {
        Phrase::Array {
            text,
            shape: Vec::new(),
            number: Some(number),
        }
    }

    /// The same under a name; a number is not known then.
    fn named(&self, name: &str) -> Phrase {
        match self {
            Phrase::Array { shape, .. } => Phrase::array(name, shape),
            Phrase::List(items, axis) => {
                let named = items.iter().enumerate();
                let named = named.map(|(at, item)| item.named(&format!("{name}[{at}]")));
                Phrase::List(named.collect(), *axis)
            }
        }
    }

    fn shape(&self) -> InJax<&[usize]> {
        match self {
            Phrase::Array { shape, .. } => Ok(shape),
            Phrase::List(..) => Err(NoCounterpart::Straight),
        }
    }

    /// As an operand of an operator.
    fn operand(&self) -> InJax<String> {
        match self {
            Phrase::Array { text, .. } => Ok(bracketed(text.clone())),
            Phrase::List(..) => Err(NoCounterpart::Straight),
        }
    }

    /// As an argument: a list of what is no array is a tuple.
    fn argument(&self) -> String {
        match self {
            Phrase::Array { text, .. } => text.clone(),
            Phrase::List(items, _) => {
                let items: Vec<String> = items.iter().map(Phrase::argument).collect();
                format!("({},)", items.join(", "))
            }
        }
    }

    /// One array, if the items are alike.
    fn joined(self) -> Phrase {
        let Phrase::List(items, axis) = self else {
            return self;
        };
        let items: Vec<Phrase> = items.into_iter().map(Phrase::joined).collect();
        let mut shape = match &items[0] {
            Phrase::Array { shape, .. } => shape.clone(),
            Phrase::List(..) => return Phrase::List(items, axis),
        };
        let alike = |item: &Phrase| item.shape().is_ok_and(|other| *other == shape);
        if !items.iter().all(alike) {
            return Phrase::List(items, axis);
        }
        let texts: Vec<String> = items.iter().map(Phrase::argument).collect();
        let list = listed(&texts, ["[", "]"], 8);
        shape.insert(axis, items.len());
        match axis {
            0 => Phrase::array(format!("jnp.array({list})"), &shape),
            _ => Phrase::array(format!("jnp.stack({list}, axis=1)"), &shape),
        }
    }

    /// As the sequence of a loop: how many items, the text, and what each item is under a name.
    fn rows(&self, name: &str) -> InJax<(usize, Phrase)> {
        match self {
            Phrase::Array { shape, .. } => match shape[..] {
                [count, ref row @ ..] => Ok((count, Phrase::array(name, row))),
                [] => Err(NoCounterpart::Straight),
            },
            Phrase::List(columns, 1) => {
                let (mut items, mut count) = (Vec::new(), 0);
                for (at, column) in columns.iter().enumerate() {
                    let (rows, item) = column.rows(&format!("{name}[{at}]"))?;
                    count = rows;
                    items.push(item);
                }
                Ok((count, Phrase::List(items, 0)))
            }
            Phrase::List(..) => Err(NoCounterpart::Straight),
        }
    }
}

/// A `for` that is being translated.
struct MappedLoop {
    parameters: Vec<String>,
    sequences: Vec<String>,
    count: usize,
}

struct Writer<'s> {
    session: &'s mut Session,
    identifiers: Identifiers,
    arrays: Vec<NamedArray>,
    nodes: FxHashMap<crate::graph::NodeId, NodeText>,
    names: FxHashMap<String, Phrase>,
    /// Functions that are written, with the kinds of their arguments.
    functions: Vec<(Rc<Function>, String, String, Phrase)>,
    /// How many rounds the loops have.
    mapped: Vec<usize>,
    /// The statements of the function.
    lines: Vec<String>,
    operations: usize,
    /// How many definitions and calls are being translated.
    depth: usize,
}

impl Writer<'_> {
    /// A value from the text that was typed for it, if that means the same now.
    fn meant(&mut self, typed: &str, value: &Value) -> Result<Phrase, &'static Op> {
        let span = Span::new(0, typed.len());
        let translated = match syntax::expression(typed, span) {
            Ok(expression) if self.depth < DEPTH => {
                let made = self.session.made();
                let again = self.session.evaluate(typed, &expression);
                let means = again.is_ok_and(|(again, _)| same(&again, value));
                let code = self.session.compile(typed, &expression.items, &[], None);
                self.session.rewind(made);
                match code {
                    Ok(code) if means => {
                        self.depth += 1;
                        let translated = self.translated(&code, Vec::new());
                        self.depth -= 1;
                        translated
                    }
                    _ => Err(NoCounterpart::Straight),
                }
            }
            _ => Err(NoCounterpart::Straight),
        };
        match translated {
            Ok(term)
                if term
                    .shape()
                    .is_ok_and(|shape| is_shape(shape, value.shape())) =>
            {
                Ok(term)
            }
            Err(NoCounterpart::Missing(op)) => Err(op),
            _ => self.written_out(value),
        }
    }

    /// A value as its nodes.
    fn written_out(&mut self, value: &Value) -> Result<Phrase, &'static Op> {
        match value {
            Value::Node(node) => Ok(Phrase::number(self.node(node)?, node.data())),
            Value::List(list) => {
                let items: Result<Vec<Phrase>, &'static Op> =
                    list.items().map(|item| self.written_out(&item)).collect();
                Ok(Phrase::List(items?, 0).joined())
            }
        }
    }

    /// What a name stands for.
    fn name(&mut self, name: &str) -> InJax {
        if let Some(term) = self.names.get(name) {
            return Ok(term.clone());
        }
        let value =
            (self.session.named(name, Span::default())).map_err(|_| NoCounterpart::Straight)?;
        let term = match (&value, value.shape().lengths()) {
            (Value::List(list), Some(shape)) => {
                if let Some(variable) = self.leaves(&value) {
                    Phrase::array(variable, &shape)
                } else {
                    let term = match self.session.names().typed(name) {
                        Some(typed) => self.meant(&typed, &value)?,
                        None => self.written_out(&value)?,
                    };
                    let variable = self.identifiers.of(name);
                    self.lines.push(format!("{variable} = {}", term.argument()));
                    let whole = Rc::new((variable.clone(), shape));
                    for (place, node) in list.nodes().iter().enumerate() {
                        let item = NodeText::Item(Rc::clone(&whole), place);
                        self.nodes.entry(node.id()).or_insert(item);
                    }
                    term.named(&variable)
                }
            }
            (Value::Node(node), _) if node.varies() && !self.nodes.contains_key(&node.id()) => {
                let typed = self.session.names().typed(name).filter(|_| !node.is_leaf());
                if let Some(typed) = typed {
                    let text = self.meant(&typed, &value)?.argument();
                    if !self.nodes.contains_key(&node.id()) {
                        let variable = self.identifiers.of(name);
                        self.lines.push(format!("{variable} = {text}"));
                        self.nodes.insert(node.id(), NodeText::Text(variable));
                    }
                }
                self.written_out(&value)?
            }
            _ => self.written_out(&value)?,
        };
        self.names.insert(name.to_string(), term.clone());
        Ok(term)
    }

    /// The variable of a list, if that is an array of leaves.
    fn leaves(&mut self, value: &Value) -> Option<String> {
        let nodes = value.nodes();
        if !nodes.iter().all(|node| node.is_leaf()) {
            return None;
        }
        self.leaf(nodes.first()?);
        let array = self.arrays.iter().find(|array| {
            let pairs = array.leaves.iter().zip(nodes);
            array.leaves.len() == nodes.len() && pairs.clone().all(|(a, b)| Rc::ptr_eq(a, b))
        })?;
        is_shape(&array.shape, value.shape()).then(|| array.variable.clone())
    }

    /// Makes a leaf known, with the array that it belongs to.
    fn leaf(&mut self, leaf: &Rc<Node>) {
        if self.nodes.contains_key(&leaf.id()) {
            return;
        }
        let may = |nodes: &[Rc<Node>]| {
            let mut seen = FxHashSet::default();
            nodes.iter().all(|node| {
                node.is_leaf()
                    && node.is_free() == leaf.is_free()
                    && !self.nodes.contains_key(&node.id())
                    && seen.insert(node.id())
            })
        };
        let lists = self.session.names().lists_of(leaf);
        let array = lists
            .filter_map(|(name, list, _)| Some((name, list, list.shape().lengths()?)))
            .find(|(_, list, _)| may(list.nodes()));
        let (name, shape, leaves) = match array {
            Some((name, list, shape)) => (name.to_string(), shape, list.nodes().to_vec()),
            None => (
                called(self.session, leaf),
                Vec::new(),
                vec![Rc::clone(leaf)],
            ),
        };
        let variable = self.identifiers.of(&name);
        let whole = Rc::new((variable.clone(), shape.clone()));
        for (place, node) in leaves.iter().enumerate() {
            let item = NodeText::Item(Rc::clone(&whole), place);
            self.nodes.insert(node.id(), item);
        }
        self.arrays.push(NamedArray {
            name,
            variable,
            shape,
            is_free: leaf.is_free(),
            leaves,
        });
    }

    /// The text for a node. What it needs is written first.
    fn node(&mut self, root: &Rc<Node>) -> Result<String, &'static Op> {
        let mut waiting = vec![Rc::clone(root)];
        while let Some(node) = waiting.last().cloned() {
            stop::ask(self.operations);
            let before = waiting.len();
            if node.varies() && !self.nodes.contains_key(&node.id()) {
                if node.is_leaf() {
                    self.leaf(&node);
                } else {
                    let needed = node.operands().iter().filter(|operand| {
                        operand.varies() && !self.nodes.contains_key(&operand.id())
                    });
                    waiting.extend(needed.cloned());
                    if waiting.len() == before {
                        self.write(&node)?;
                    }
                }
            }
            if waiting.len() == before {
                waiting.pop();
            }
        }
        Ok(self.known(root))
    }

    fn known(&self, node: &Node) -> String {
        match self.nodes.get(&node.id()) {
            None => Dialect::Jax.literal(node.data()),
            Some(NodeText::Text(text)) => text.clone(),
            Some(NodeText::Item(whole, place)) => {
                let (mut places, mut rest) = (Vec::new(), *place);
                for length in whole.1.iter().rev() {
                    places.push((rest % length).to_string());
                    rest /= length;
                }
                places.reverse();
                match places[..] {
                    [] => whole.0.clone(),
                    _ => format!("{}[{}]", whole.0, places.join(", ")),
                }
            }
        }
    }

    /// Writes the statement that computes a node from its operands.
    fn write(&mut self, node: &Rc<Node>) -> Result<(), &'static Op> {
        let op = node.op().expect("it is no leaf");
        let operands = node.operands().iter();
        let operands = operands
            .map(|operand| Phrase::array(self.known(operand), &[]))
            .collect();
        let term = match self.apply(op, operands) {
            Ok(term) => term.argument(),
            _ => return Err(op),
        };
        let name = if has_name(self.session, node) {
            called(self.session, node)
        } else {
            format!("v{}", self.operations)
        };
        let variable = self.identifiers.of(&name);
        self.lines.push(format!("{variable} = {term}"));
        self.nodes.insert(node.id(), NodeText::Text(variable));
        Ok(())
    }

    /// Translates an expression, or the body of a function.
    fn translated(&mut self, code: &[Code], mut variables: Vec<Phrase>) -> InJax {
        let mut stack: Vec<Phrase> = Vec::new();
        let mut loops: Vec<MappedLoop> = Vec::new();
        let mut words: Vec<Rc<str>> = Vec::new();
        for code in code {
            let term = match code {
                Code::Number(number, _) => Phrase::number(Dialect::Jax.literal(*number), *number),
                Code::Parameter(at) => variables[*at].clone(),
                Code::Name(name) => self.name(name)?,
                Code::Value(value) => self.written_out(value)?,
                Code::Operator(operator, count) => {
                    let operands = stack.split_off(stack.len() - count);
                    self.apply(operation(operator), operands)?
                }
                Code::List(count) => Phrase::List(stack.split_off(stack.len() - count), 0).joined(),
                Code::Index => {
                    let (list, position) = popped(&mut stack)?;
                    item(list, &position)?
                }
                Code::Range => match popped(&mut stack)? {
                    (
                        Phrase::Array {
                            number: Some(from), ..
                        },
                        Phrase::Array {
                            number: Some(to), ..
                        },
                    ) => {
                        let [start, end] = [from, to + 1.0].map(|end| Dialect::Jax.literal(end));
                        let count = (to - from) as usize + 1;
                        Phrase::array(format!("jnp.arange({start}, {end})"), &[count])
                    }
                    _ => return Err(NoCounterpart::Straight),
                },
                Code::Variable(name) => {
                    words.push(Rc::clone(name));
                    continue;
                }
                Code::Each(_, count) => {
                    let list = stack.pop().ok_or(NoCounterpart::Straight)?;
                    let words = words.split_off(words.len() - count);
                    let names = words.iter().map(|word| self.identifiers.of(word)).collect();
                    let (begun, items) = begun(list, names)?;
                    variables.extend(items);
                    loops.push(begun);
                    continue;
                }
                Code::Collect => {
                    let ended = loops.pop().ok_or(NoCounterpart::Straight)?;
                    let body = stack.pop().ok_or(NoCounterpart::Straight)?;
                    variables.truncate(variables.len() - ended.parameters.len());
                    self.collected(&ended, &body)?
                }
                Code::Call {
                    name,
                    primes,
                    count,
                } => {
                    let arguments = stack.split_off(stack.len() - count);
                    self.call(name, *primes, arguments)?
                }
                Code::Property(..) => return Err(NoCounterpart::Straight),
            };
            stack.push(term);
        }
        stack.pop().ok_or(NoCounterpart::Straight)
    }

    /// `[E for x in xs]`
    fn collected(&mut self, ended: &MappedLoop, body: &Phrase) -> InJax {
        let mut shape = vec![ended.count];
        shape.extend(body.shape()?);
        self.mapped.push(ended.count);
        let (parameters, body) = (ended.parameters.join(", "), body.argument());
        // `lambda x: f(x)` is f.
        let function = body.strip_suffix(&format!("({parameters})"));
        let is_name = |text: &&str| self.functions.iter().any(|known| known.2 == **text);
        let mapped = match function.filter(is_name) {
            Some(function) => function.to_string(),
            None => format!("lambda {parameters}: {body}"),
        };
        let sequences = ended.sequences.join(", ");
        Ok(Phrase::array(
            format!("jax.vmap({mapped})({sequences})"),
            &shape,
        ))
    }

    fn call(&mut self, name: &str, primes: u8, arguments: Vec<Phrase>) -> InJax {
        let callee = self
            .session
            .callee("", (name, primes), arguments.len(), Span::default());
        match callee.map_err(|_| NoCounterpart::Straight)? {
            Callee::Built(op) => self.apply(op, arguments),
            Callee::Own(function, 0) => self.own(&function, arguments),
            Callee::Logarithm(op) => {
                let mut parts = Vec::new();
                for argument in arguments {
                    parts.push(self.apply(op, vec![argument])?);
                }
                let over = crate::ops::operator("/", crate::ops::Shape::Infix);
                self.apply(over.ok_or(NoCounterpart::Straight)?, parts)
            }
            Callee::Lists(function) => self.of_lists(function.work, arguments),
            _ => Err(NoCounterpart::Straight),
        }
    }

    /// A call of a function of the user's own: it is written once for each kind of arguments, or, if it needs to know a
    /// number, into the place of the call.
    fn own(&mut self, function: &Rc<Function>, arguments: Vec<Phrase>) -> InJax {
        if self.depth >= DEPTH {
            return Err(NoCounterpart::Straight);
        }
        let kind: Vec<Phrase> = arguments
            .iter()
            .map(|argument| argument.named(""))
            .collect();
        let kind = format!("{kind:?}");
        let texts: Vec<String> = arguments.iter().map(Phrase::argument).collect();
        let known = (self.functions.iter()).find(|it| Rc::ptr_eq(&it.0, function) && it.1 == kind);
        let (name, result) = if let Some((_, _, name, result)) = known {
            (name.clone(), result.clone())
        } else {
            let parameters = function.parameters.iter();
            let parameters: Vec<String> = parameters.map(|it| self.identifiers.of(it)).collect();
            let inside = arguments.iter().zip(&parameters);
            let inside = inside
                .map(|(argument, name)| argument.named(name))
                .collect();
            self.depth += 1;
            let mut body = self.translated(&function.code, inside);
            let is_inline = matches!(body, Err(NoCounterpart::Straight));
            if is_inline {
                body = self.translated(&function.code, arguments);
            }
            self.depth -= 1;
            let body = body?;
            if is_inline {
                return Ok(body);
            }
            let name = self.identifiers.of(&function.name);
            self.lines
                .push(format!("def {name}({}):", parameters.join(", ")));
            self.lines.push(format!("    return {}", body.argument()));
            self.functions
                .push((Rc::clone(function), kind, name.clone(), body.clone()));
            (name, body)
        };
        let call = format!("{name}({})", texts.join(", "));
        Ok(result.named(&call))
    }

    /// An operation, item by item, or between the items of a list.
    fn apply(&mut self, op: &'static Op, operands: Vec<Phrase>) -> InJax {
        self.operations += 1;
        let mut operands: Vec<Phrase> = operands.into_iter().map(Phrase::joined).collect();
        let is_many = matches!(op.rule, Rule::Many { .. });
        let numbers = operands
            .iter()
            .all(|term| term.shape().is_ok_and(<[usize]>::is_empty));
        if is_many && numbers && operands.len() > OPERANDS {
            operands = vec![Phrase::List(operands, 0).joined()];
        }
        if let ([only], true) = (&operands[..], is_many) {
            let shape = only.shape()?;
            if let [_, row @ ..] = shape {
                let words = WordMeanings {
                    list: &only.argument(),
                    ..WordMeanings::default()
                };
                let mut text = spelling::value(Dialect::Jax, op, words)?;
                if !row.is_empty() {
                    text.insert_str(text.len() - 1, ", axis=0");
                }
                return Ok(Phrase::array(text, row));
            }
            return Ok(only.clone());
        }
        let mut shape: &[usize] = &[];
        let (mut texts, mut known) = (Vec::new(), Vec::new());
        for operand in &operands {
            if !operand.shape()?.is_empty() {
                shape = operand.shape()?;
            }
            texts.push(operand.operand()?);
            if let Phrase::Array {
                number: Some(number),
                ..
            } = operand
            {
                known.push(*number);
            }
        }
        let number = (known.len() == texts.len()).then(|| op.value(&known));
        let literals = known
            .iter()
            .map(|&number| bracketed(Dialect::Jax.literal(number)));
        if let Some(number) = number.filter(|_| literals.eq(texts.iter().cloned())) {
            return Ok(Phrase::number(Dialect::Jax.literal(number), number));
        }
        let text = if is_many {
            let mut texts = texts.into_iter();
            let first = texts.next().unwrap_or_default();
            let between = Dialect::Jax.between_two(op).ok_or(op)?;
            texts.fold(first, |one, other| {
                let operands = [bracketed(one), other];
                let words = WordMeanings {
                    operands: &operands,
                    ..WordMeanings::default()
                };
                spelling::filled(between, words)
            })
        } else {
            let words = WordMeanings {
                operands: &texts,
                ..WordMeanings::default()
            };
            spelling::value(Dialect::Jax, op, words)?
        };
        Ok(Phrase::Array {
            text,
            shape: shape.to_vec(),
            number,
        })
    }

    fn of_lists(&mut self, work: ListWork, mut arguments: Vec<Phrase>) -> InJax {
        if let ListWork::Zip = work
            && arguments.len() > 1
        {
            return Ok(Phrase::List(arguments, 1));
        }
        if let (ListWork::Flat, [Phrase::List(items, 0)]) = (work, &arguments[..]) {
            let ravelled: Vec<String> = items
                .iter()
                .map(|item| format!("jnp.ravel({})", item.argument()))
                .collect();
            let mut count = 0;
            for item in items {
                count += item.shape()?.iter().product::<usize>();
            }
            let list = listed(&ravelled, ["[", "]"], 8);
            return Ok(Phrase::array(format!("jnp.concatenate({list})"), &[count]));
        }
        self.operations += 1;
        if let (ListWork::Mean, [_, _, ..]) = (work, &arguments[..]) {
            let several = std::mem::take(&mut arguments);
            arguments.push(Phrase::List(several, 0).joined());
        }
        let texts: Vec<String> = arguments
            .iter()
            .map(|it| it.clone().joined().argument())
            .collect();
        let text = texts.join(", ");
        let arguments: Vec<Phrase> = arguments.into_iter().map(Phrase::joined).collect();
        let shape = arguments[0].shape()?;
        Ok(match (work, shape) {
            (ListWork::Dot, [rows, _]) => Phrase::array(format!("jnp.dot({text})"), &[*rows]),
            (ListWork::Dot, _) => match arguments[1].shape()? {
                [rows, _] => {
                    Phrase::array(format!("jnp.dot({}, {})", texts[1], texts[0]), &[*rows])
                }
                _ => Phrase::array(format!("jnp.dot({text})"), &[]),
            },
            (ListWork::Flat, _) => {
                Phrase::array(format!("jnp.ravel({text})"), &[shape.iter().product()])
            }
            (ListWork::Len, [count, ..]) => {
                let count = *count as f64;
                Phrase::number(Dialect::Jax.literal(count), count)
            }
            (ListWork::Mean, [_]) => Phrase::array(format!("jnp.mean({text})"), &[]),
            (ListWork::Mean, [_, row @ ..]) => {
                Phrase::array(format!("jnp.mean({text}, axis=0)"), row)
            }
            (ListWork::Std, _) => Phrase::array(format!("jnp.std({text})"), &[]),
            (ListWork::Zip, [rows, columns, rest @ ..]) => Phrase::array(
                format!("jnp.swapaxes({text}, 0, 1)"),
                &[&[*columns, *rows], rest].concat(),
            ),
            _ => return Err(NoCounterpart::Straight),
        })
    }

    fn dictionary(&self, name: &str, is_free: bool) -> String {
        let mut text = format!("{name} = {{\n");
        for array in self.arrays.iter().filter(|array| array.is_free == is_free) {
            let data: Vec<f64> = array.leaves.iter().map(|leaf| leaf.data()).collect();
            let numbers = numbers(&data, &array.shape);
            text.extend(["    ", &quoted(&array.name), ": ", &numbers, ",\n"]);
        }
        text + "}\n"
    }

    fn unpacked(&self, name: &str, is_free: bool) -> String {
        let arrays = self.arrays.iter().filter(|array| array.is_free == is_free);
        let lines =
            arrays.map(|it| format!("    {} = {name}[{}]\n", it.variable, quoted(&it.name)));
        lines.collect()
    }

    /// The lines that distribute the batch: the data of the longest loop over data.
    fn sharding(&self) -> String {
        let lengths = self.arrays.iter().filter(|array| !array.is_free);
        let lengths = lengths.filter_map(|array| array.shape.first().copied());
        let Some(count) = lengths.filter(|length| self.mapped.contains(length)).max() else {
            return String::new();
        };
        let batch = self.arrays.iter();
        let batch = batch.filter(|array| !array.is_free && array.shape.first() == Some(&count));
        let batch: Vec<String> = batch.map(|array| quoted(&array.name)).collect();
        format!(
            "
# On several devices, each with its share of the batch; their number has to divide that of the points:
# from jax.sharding import Mesh, NamedSharding, PartitionSpec
# shares = NamedSharding(Mesh(jax.devices(), \"batch\"), PartitionSpec(\"batch\"))
# data |= {{name: jax.device_put(data[name], shares) for name in [{}]}}
",
            batch.join(", ")
        )
    }

    fn file(&self, straight: &Straight, result: &str) -> String {
        let label = self.session.label(&straight.root);
        let lines = self.lines.iter().map(|line| format!("    {line}\n"));
        let statements = lines.collect::<String>() + &format!("    return {result}\n");
        let library = library(Dialect::Jax, [statements.as_str()]);
        let library = match library.replace("\n\n", "\n\n\n") {
            none if none.is_empty() => none,
            library => format!("\n\n{library}\n"),
        };
        let mut tables = self.dictionary("params", true);
        let (mut arguments, mut given) = ("params", String::new());
        if self.arrays.iter().any(|array| !array.is_free) {
            arguments = "params, data";
            given = self.unpacked("data", false);
            tables = tables + "\n" + &self.dictionary("data", false);
        }
        format!(
            "# {mark}
# {definition}
# With optax or by hand: value, grad = value_and_grad({arguments})

import jax
import jax.numpy as jnp
import numpy as np

jax.config.update(\"jax_enable_x64\", True)

{tables}{sharding}{library}

def f({arguments}):
    \"\"\"The value at these parameters.\"\"\"
{unpacked}{given}{statements}

value_and_grad = jax.jit(jax.value_and_grad(f))


if __name__ == \"__main__\":
    value, grad = value_and_grad({arguments})
    print(\"%s %.17g\" % ({label}, value))
    for name in params:
        for at, slope in np.ndenumerate(grad[name]):
            print(\"%s %.17g\" % (name + \"\".join(f\"[{{i + 1}}]\" for i in at), slope))
",
            mark = mark(),
            definition = definition(&label, &self.session.expression(&straight.root)),
            sharding = self.sharding(),
            unpacked = self.unpacked("params", true),
            label = quoted(&label),
        )
    }
}

/// Begins a loop: a single variable is a row, several take a row apart.
fn begun(list: Phrase, names: Vec<String>) -> InJax<(MappedLoop, Vec<Phrase>)> {
    let sequences = match list {
        list if names.len() == 1 => vec![list.joined()],
        Phrase::List(columns, 1) => columns,
        Phrase::Array { text, shape, .. } if shape.len() > 1 => {
            let column = |at: usize| {
                let text = format!("{}[:, {at}]", bracketed(text.clone()));
                Phrase::array(text, &[&shape[..1], &shape[2..]].concat())
            };
            (0..shape[1]).map(column).collect()
        }
        _ => return Err(NoCounterpart::Straight),
    };
    if sequences.len() != names.len() {
        return Err(NoCounterpart::Straight);
    }
    let (mut items, mut count) = (Vec::new(), 0);
    for (sequence, name) in sequences.iter().zip(&names) {
        let (rows, item) = sequence.rows(name)?;
        count = rows;
        items.push(item);
    }
    let begun = MappedLoop {
        parameters: names,
        sequences: sequences.iter().map(Phrase::argument).collect(),
        count,
    };
    Ok((begun, items))
}

fn popped(stack: &mut Vec<Phrase>) -> InJax<(Phrase, Phrase)> {
    let second = stack.pop().ok_or(NoCounterpart::Straight)?;
    Ok((stack.pop().ok_or(NoCounterpart::Straight)?, second))
}

/// `w[2]`, where positions begin with 1.
fn item(list: Phrase, position: &Phrase) -> InJax {
    let (at, number) = match position {
        Phrase::Array { shape, number, .. } => (shape, *number),
        Phrase::List(..) => return Err(NoCounterpart::Straight),
    };
    let place = number.map(|number| number as usize - 1);
    let list = match (list, place) {
        (Phrase::List(items, 0), Some(place)) => return Ok(items[place].clone()),
        (list, _) => list.joined(),
    };
    let [_, row @ ..] = list.shape()? else {
        return Err(NoCounterpart::Straight);
    };
    let text = match place {
        Some(place) => match list.argument() {
            path if path.ends_with(']') && !path.contains(' ') => format!("{path}[{place}]"),
            _ => format!("{}[{place}]", list.operand()?),
        },
        None => format!("at({}, {})", list.argument(), position.argument()),
    };
    Ok(Phrase::array(text, &[at, row].concat()))
}

/// The numbers of an array.
fn numbers(numbers: &[f64], shape: &[usize]) -> String {
    let texts: Vec<String> = numbers
        .iter()
        .map(|&number| bare(Dialect::Jax, number))
        .collect();
    let sizes: Vec<String> = shape.iter().map(usize::to_string).collect();
    match shape {
        [] => format!("jnp.array({})", texts.concat()),
        [_] => format!("jnp.array({})", listed(&texts, ["[", "]"], 8)),
        _ => format!(
            "jnp.array({}).reshape({})",
            listed(&texts, ["[", "]"], 8),
            sizes.join(", ")
        ),
    }
}

/// Are these the lengths of a list of this shape?
fn is_shape(lengths: &[usize], shape: &ListShape) -> bool {
    shape.lengths().is_some_and(|known| known == lengths)
}

/// Are two values computed in the same way from the same leaves?
fn same(one: &Value, other: &Value) -> bool {
    if one.shape() != other.shape() {
        return false;
    }
    let pairs = one.nodes().iter().zip(other.nodes());
    let mut waiting: Vec<(&Rc<Node>, &Rc<Node>)> = pairs.collect();
    let mut seen = FxHashSet::default();
    while let Some((one, other)) = waiting.pop() {
        if one.id() == other.id() || !seen.insert((one.id(), other.id())) {
            continue;
        }
        let operations = [one, other].map(|node| node.op().map(Op::index));
        let operands = [one, other].map(|node| node.operands());
        let alike = match operations {
            [None, None] => {
                !one.varies() && !other.varies() && one.data().to_bits() == other.data().to_bits()
            }
            [one, other] => one == other && operands[0].len() == operands[1].len(),
        };
        if !alike {
            return false;
        }
        waiting.extend(operands[0].iter().zip(operands[1]));
    }
    true
}
