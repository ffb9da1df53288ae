//! Reads formulas and writes them, by the language and the table of operations.

use std::collections::BTreeMap;
use std::rc::Rc;

use chainrule_algebra::{
    Letter, NamedFunction, Number, Rules, Term, TermKind, WrittenItem, call, write,
};
use chainrule_engine::graph::{Graph, Node, Pass, Spelling};
use chainrule_engine::ops::{self, Op, Shape, TABLE};
use chainrule_language::precedence::{factorial, infix_operator, minus_sign};
use chainrule_language::{self as language, Expression, Head, ItemKind, Literal, Span};

/// The functions of the rows of the table, tried once.
pub struct Table {
    functions: Vec<Rc<NamedFunction>>,
}

impl Table {
    pub fn new() -> Table {
        let described = |op: &Op| match op.arity() {
            (1, Some(1)) => NamedFunction::of_one(op.name, |x| op.value(&[x])),
            _ => NamedFunction::of_name(op.name),
        };
        let functions = TABLE.iter().map(|op| Rc::new(described(op))).collect();
        Table { functions }
    }

    /// The term of a text. `named` gives the terms of its names.
    pub fn term(&self, text: &str, named: &mut dyn FnMut(&str) -> Term) -> Term {
        compute(text, |part| match part {
            Part::Number(data) => Term::from(Number::from_data(data)),
            Part::Name("e") => Term::euler(),
            Part::Name("pi") => Term::letter("pi", -1),
            Part::Name(name) => named(name),
            Part::Operation(op, operands) => call(&self.functions[op.row as usize], operands),
        })
    }

    /// The term of a formula, whose letters have places in the order in which they occur.
    pub fn formula(&self, text: &str) -> Term {
        let mut letters: Vec<String> = Vec::new();
        self.term(text, &mut |name| {
            let place = letters.iter().position(|it| it == name).unwrap_or_else(|| {
                letters.push(name.to_string());
                letters.len() - 1
            });
            Term::letter(name, place as i64)
        })
    }
}

impl Rules for Table {
    fn slope(&self, call: &Term, position: usize) -> Term {
        let TermKind::Call(function) = call.kind() else {
            panic!("{call:?} is no call");
        };
        let op = TABLE.iter().find(|op| *op.name == *function.name);
        let op = op.expect("each call is of the table");
        let of_many = matches!(op.rule, ops::Rule::Many { .. });
        let arguments = call.parts();
        self.term(op.learned_text(position), &mut |name| match name {
            "x" if of_many => arguments[position].clone(),
            "y" if of_many => arguments[1 - position].clone(),
            "x" => arguments[0].clone(),
            "y" => arguments[1].clone(),
            "z" => arguments[2].clone(),
            "out" => call.clone(),
            other => panic!("`{other}` in the derivative of {}", op.name),
        })
    }
}

/// The place of the letter `name` in a formula.
pub fn letter(text: &str, name: &str) -> Letter {
    let expression = parse(text);
    let mut names: Vec<&str> = Vec::new();
    for (found, _) in expression.names() {
        if !names.contains(&found) && !["e", "pi"].contains(&found) {
            names.push(found);
        }
    }
    let place = names.iter().position(|it| *it == name);
    let place = place.expect("the formula has the letter") as i64;
    Letter {
        name: name.into(),
        place,
    }
}

fn parse(text: &str) -> Expression {
    language::expression(text, Span::new(0, text.len())).unwrap_or_else(|_| panic!("{text}"))
}

/// A part of a text with the results of its operands.
enum Part<'t, T> {
    Number(f64),
    Name(&'t str),
    Operation(&'static Op, Vec<T>),
}

fn compute<T>(text: &str, mut make: impl FnMut(Part<T>) -> T) -> T {
    let mut stack: Vec<T> = Vec::new();
    for item in parse(text).items {
        let part = match item.kind {
            ItemKind::Number(it) => Part::Number(it.value),
            ItemKind::Name(name) => Part::Name(name),
            ItemKind::Apply(head, count) => {
                let operands = stack.split_off(stack.len() - count as usize);
                Part::Operation(operation(head, count as usize), operands)
            }
            other => panic!("{text}: {other:?}"),
        };
        stack.push(make(part));
    }
    stack.pop().expect("a text has a value")
}

fn operation(head: Head<&str>, count: usize) -> &'static Op {
    match head {
        Head::Operator(it) => {
            let shape = match count {
                2 => Shape::Infix,
                _ if it.spelling == "!" => Shape::Postfix,
                _ => Shape::Prefix,
            };
            ops::operator(it.spelling, shape).expect("operators are in the table")
        }
        Head::Function(name, 0) => ops::function(name, count).unwrap_or_else(|| panic!("{name}")),
        other => panic!("{other:?}"),
    }
}

/// The text of a term.
pub fn text(term: &Term) -> String {
    let items = write(term).expect("it is no longer than a formula");
    let items = items.into_iter().map(|item| {
        let kind: ItemKind<String> = match item {
            WrittenItem::Number(value) => {
                let has_point = false;
                ItemKind::Number(Literal { value, has_point })
            }
            WrittenItem::Letter(it) => ItemKind::Name(it.name.to_string()),
            WrittenItem::Operation(name) => applied(name, None),
            WrittenItem::Call(function, count) => applied(&function.name, Some(count as u32)),
        };
        language::Item::from(kind)
    });
    language::infix(&items.collect::<Vec<_>>())
}

fn applied(name: &str, count: Option<u32>) -> ItemKind<String> {
    let op = TABLE
        .iter()
        .find(|op| op.name == name)
        .expect("it is in the table");
    let count = count.unwrap_or(op.arity().0 as u32);
    let head = match op.shape {
        Shape::Call => Head::Function(op.spelling.to_string(), 0),
        Shape::Infix => Head::Operator(infix_operator(op.spelling).expect("it is one")),
        Shape::Prefix => Head::Operator(minus_sign()),
        Shape::Postfix => Head::Operator(factorial()),
    };
    ItemKind::Apply(head, count)
}

/// The value of a text.
pub fn value(text: &str, data: &BTreeMap<&str, f64>) -> f64 {
    compute(text, |part| match part {
        Part::Number(data) => data,
        Part::Name(name) => data
            .get(name)
            .copied()
            .or_else(|| ops::constant(name))
            .expect(name),
        Part::Operation(op, operands) => op.value(&operands),
    })
}

/// The grad of a leaf after a backward pass from a formula, or NaN if an operation on the way has no value or is at a
/// kink.
pub fn grad(text: &str, data: &BTreeMap<&str, f64>, by: &str) -> f64 {
    let mut graph = Graph::default();
    let mut leaves: BTreeMap<&str, Rc<Node>> = BTreeMap::new();
    for (name, data) in data {
        leaves.insert(name, graph.leaf(*data, false));
    }
    let mut is_smooth = true;
    let root = compute(text, |part| match part {
        Part::Number(data) => graph.constant(data, Spelling::Plain),
        Part::Name(name) => match leaves.get(name) {
            Some(leaf) => Rc::clone(leaf),
            None => graph.constant(ops::constant(name).expect(name), Spelling::Plain),
        },
        Part::Operation(op, operands) => {
            let all: Vec<f64> = operands.iter().map(|it: &Rc<Node>| it.data()).collect();
            is_smooth &= op.value(&all).is_finite() && !op.kinks.iter().any(|it| (it.holds)(&all));
            graph.apply(op, &operands)
        }
    });
    let pass = Pass::run(&root, &graph);
    let grad = pass.grad(&leaves[by]).unwrap_or(0.0);
    if is_smooth { grad } else { f64::NAN }
}

/// The number of names, numbers, signs and brackets of a text.
pub fn tokens(text: &str) -> usize {
    let is_word = |it: char| it.is_alphanumeric() || matches!(it, '_' | '.' | '\'');
    let (mut count, mut was_word) = (0, false);
    for letter in text.chars() {
        let word = is_word(letter);
        count += usize::from(letter != ' ' && letter != ',' && !(word && was_word));
        was_word = word;
    }
    count
}
