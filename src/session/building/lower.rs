//! Replaces calls by their meaning in Python: functions of modules, `np.exp(x)`, members of networks, `n.parameters()`, and
//! functions with another name in the calculator, `fabs(x)`.
//!
//! The parser writes a member of a module as a function with a path, and `math.pi` as one without arguments. It writes a
//! member of another value as a function whose name begins with a point, unless the calculator has such a function.
//! `compile` asks for the meaning of these calls and of unknown ones before it makes code. A call without a meaning stays
//! as it is, and later is the error of an unknown function.

use std::borrow::Cow;
use std::ops::Range;

use super::compile::{CodeKind, Compiler, variable_name};
use super::postfix::subtree_start;
use super::texts::parse_text;
use crate::session::Session;
use crate::session::error::{Error, fail};
use crate::session::functions::{is_built_in, native_name};
use crate::session::values::Value;
use chainrule_engine::ops::{self, OPERAND_NAMES};
use chainrule_language::{self as language, FOLDS, Head, Item, ItemKind, Span};

/// Python's methods for operators, and their formulas. `x` is the owner.
const OPERATORS: [(&str, &str); 11] = [
    ("neg", "-x"),
    ("add", "x + y"),
    ("sub", "x - y"),
    ("mul", "x*y"),
    ("truediv", "x/y"),
    ("pow", "x^y"),
    ("radd", "y + x"),
    ("rsub", "y - x"),
    ("rmul", "y*x"),
    ("rtruediv", "y/x"),
    ("rpow", "y^x"),
];

/// A part of an expression in postfix order.
type Clause<'t> = Vec<Item<&'t str>>;

/// The items that a call becomes. `None` if it has no counterpart.
type Lowered<'t> = Result<Option<Clause<'t>>, Error>;

/// An operation on operands.
fn apply<'t>(head: Head<&'t str>, operands: &[Clause<'t>], span: Span) -> Clause<'t> {
    let mut clause = operands.concat();
    let kind = ItemKind::Apply(head, operands.len() as u32);
    clause.push(Item { kind, span });
    clause
}

/// Fills a text in which `x` and `y` stand for these operands.
fn fill<'t>(text: &'static str, operands: &[Clause<'t>], span: Span) -> Clause<'t> {
    let mut clause = Clause::new();
    for item in &parse_text(text).items {
        let mut names = OPERAND_NAMES.iter();
        let operand = names.position(|name| item.kind == ItemKind::Name(*name));
        match operand {
            Some(place) => clause.extend_from_slice(&operands[place]),
            None => clause.push(Item { span, ..*item }),
        }
    }
    clause
}

fn name(name: &str, span: Span) -> Item<&str> {
    let kind = ItemKind::Name(name);
    Item { kind, span }
}

/// The operands that begin at these places. The last one ends with the items.
fn operands_at<'t>(items: &[Item<&'t str>], starts: &[usize]) -> Vec<Clause<'t>> {
    let ends = starts.iter().skip(1).copied().chain([items.len()]);
    let places = starts.iter().zip(ends);
    places
        .map(|(&start, end)| items[start..end].to_vec())
        .collect()
}

/// The name, if an operand is only a name.
fn only_name<'t>(items: &[Item<&'t str>]) -> Option<&'t str> {
    match items.first()?.kind {
        ItemKind::Name(name) if items.len() == 1 => Some(name),
        _ => None,
    }
}

/// The place of the last factor of a product: `b` of `a*b`, of `-b` and of `b`.
fn last_factor(items: &[Item<&str>]) -> Range<usize> {
    let mut place = 0..items.len();
    while let Some(last) = items.get(place.end - 1)
        && let ItemKind::Apply(Head::Operator(operator), count) = last.kind
    {
        match (operator.spelling, count) {
            ("*" | "/", 2) => place.start = subtree_start(items, place.end - 2),
            ("-", 1) => {}
            _ => break,
        }
        place.end -= 1;
    }
    place
}

/// Whether an item may be one side of a derivative, `dL` or the call `d(L)`.
fn is_side(item: &Item<&str>) -> bool {
    match item.kind {
        ItemKind::Name(name) => name.len() > 1 && name.starts_with(['d', '∂']),
        ItemKind::Apply(Head::Function(name, 0), 1) => matches!(name, "d" | "∂"),
        ItemKind::Apply(Head::Index, _) => true,
        _ => false,
    }
}

impl Session {
    /// The lists of weights of a network that the program has built.
    pub fn weight_lists(&self, network: &str) -> Vec<String> {
        let lists = (0..).map(|layer| format!("{network}_{layer}"));
        let is_layer = |list: &String| {
            self.functions().is_weight_list(list)
                && matches!(self.names().find(list), Some(Value::List(_)))
        };
        lists.take_while(is_layer).collect()
    }
}

impl<'t> Compiler<'_, 't, '_> {
    /// The items of an expression with the meaning that their calls have in Python.
    pub(super) fn lower<'i>(
        &mut self,
        items: &'i [Item<&'t str>],
    ) -> Result<Cow<'i, [Item<&'t str>]>, Error> {
        let mut places = 0..items.len();
        if !places.any(|at| self.is_foreign(items, at)) {
            return Ok(Cow::Borrowed(items));
        }
        self.variables = items.iter().filter_map(variable_name).collect();
        let mut lowered: Vec<Item<&str>> = Vec::with_capacity(items.len());
        // Where the operands begin that no item has used yet.
        let mut starts: Vec<usize> = Vec::new();
        for (at, &item) in items.iter().enumerate() {
            let waiting = starts.len() - item.kind.operands() as usize;
            let first = starts.get(waiting).copied().unwrap_or(lowered.len());
            let may_change =
                item.kind == ItemKind::Apply(Head::Index, 2) || self.is_foreign(items, at);
            let instead = if may_change {
                self.meaning(item, &operands_at(&lowered, &starts[waiting..]))?
            } else {
                None
            };
            match instead {
                Some(clause) => {
                    lowered.truncate(first);
                    lowered.extend(clause);
                }
                None => lowered.push(item),
            }
            starts.truncate(waiting);
            starts.push(first);
        }
        Ok(Cow::Owned(lowered))
    }

    /// The meaning of an item in Python, if it is another one than here.
    fn meaning(&self, item: Item<&'t str>, operands: &[Clause<'t>]) -> Lowered<'t> {
        match item.kind {
            ItemKind::Apply(Head::Function(name, 0), _) => {
                self.foreign_call(name, operands, item.span)
            }
            ItemKind::Apply(Head::Index, _) => Ok(weights_of_layer(operands)),
            _ => Ok(self.derivative(&operands[0], &operands[1], item.span)),
        }
    }

    /// Whether an item is a call that may have another meaning in Python.
    fn is_foreign(&self, items: &[Item<&str>], at: usize) -> bool {
        match items[at].kind {
            ItemKind::Apply(Head::Function(name, 0), count) => {
                let is_known = name == "Value" && count == 1 || self.session.is_function(name);
                !is_known && self.find_slot(name).is_none()
            }
            ItemKind::Apply(Head::Operator(operator), 2) => {
                operator.spelling == "/" && is_side(&items[at - 1])
            }
            _ => false,
        }
    }
}

/// The weights of `n.layers[1]`.
fn weights_of_layer<'t>(operands: &[Clause<'t>]) -> Option<Clause<'t>> {
    let [list, position] = operands else {
        return None;
    };
    let (last, layers) = list.split_last()?;
    let is_name = |item: &Item<&str>| matches!(item.kind, ItemKind::Name(_));
    let is_list = last.kind == ItemKind::Apply(Head::List, layers.len() as u32);
    let ItemKind::Number(at) = position.last()?.kind else {
        return None;
    };
    if at.value.fract() != 0.0 || at.value < 0.0 {
        return None;
    }
    let layer = layers.get(at.value as usize)?;
    (is_list && layers.iter().all(is_name)).then(|| vec![*layer])
}

/// The meanings of the calls of an expression.
impl<'t> Compiler<'_, 't, '_> {
    /// Whether a name belongs to the code that is compiled.
    fn is_local(&self, name: &str) -> bool {
        self.variables.contains(&name)
            || self.defined.contains(&name)
            || self.find_slot(name).is_some()
    }

    /// Whether the user has defined this name.
    fn is_taken(&self, name: &str) -> bool {
        self.is_local(name)
            || self.session.names().find(name).is_some()
            || self.session.functions().get(name).is_some()
    }

    /// A call of a built-in function.
    fn built_in(&self, name: &'t str, operands: &[Clause<'t>], span: Span) -> Lowered<'t> {
        self.check_built_in(name, span)?;
        Ok(Some(apply(Head::Function(name, 0), operands, span)))
    }

    /// A call of the built-in function that has this name in Python.
    fn native(&self, name: &'t str, operands: &[Clause<'t>], span: Span) -> Lowered<'t> {
        match (native_name(name), operands.len()) {
            ("where", 3) => self.built_in("if", operands, span),
            (native, 1..) if is_built_in(native) => self.built_in(native, operands, span),
            _ => Ok(None),
        }
    }

    /// `sum(flat(x))`: a fold of all numbers.
    fn fold(&self, name: &'t str, operands: &[Clause<'t>], span: Span) -> Lowered<'t> {
        self.check_built_in("flat", span)?;
        self.built_in(name, &[fill("flat(x)", operands, span)], span)
    }

    /// Refuses a name that is not the built-in function, because the user has given it another meaning.
    fn check_built_in(&self, name: &str, span: Span) -> Result<(), Error> {
        let is_hidden = self.defined.contains(&name)
            || self.find_slot(name).is_some()
            || self.session.functions().get(name).is_some()
            || !is_built_in(name) && self.is_taken(name);
        if !is_hidden {
            return Ok(());
        }
        let message = format!("`{name}` is your own here, not the built-in one");
        let help = if self.is_local(name) {
            format!("give your own `{name}` another name")
        } else {
            format!("`:del {name}` brings the built-in one back")
        };
        Err(fail(span, message, help))
    }

    /// The meaning of a call of a function that the calculator does not know.
    fn foreign_call(&self, name: &'t str, operands: &[Clause<'t>], span: Span) -> Lowered<'t> {
        if let Some(member) = name.strip_prefix('.') {
            return self.member(member, operands, span);
        }
        if let Some((path, member)) = name.rsplit_once('.') {
            let module = path.split('.').next().unwrap_or_default();
            if self.is_taken(module.trim_end()) {
                // It is a method of the user's own `F` or `random`.
                let owner = vec![self::name(module, span)];
                let arguments = [&[owner], operands].concat();
                let call = || apply(Head::Function(member, 0), &arguments, span);
                return Ok((module == path).then(call));
            }
            return match path {
                "random" => self.random(member, operands, span),
                // numpy draws other numbers than Python's `random`, which are those of the calculator.
                "np.random" | "numpy.random" => Ok(None),
                _ => self.function(path, member, operands, span),
            };
        }
        if self.is_taken(name) || self.session.is_function(name) {
            return Ok(None);
        }
        if let Some(method) = name.strip_prefix("__").and_then(|it| it.strip_suffix("__")) {
            let count = if method == "neg" { 1 } else { 2 };
            let mut rows = OPERATORS.iter();
            let row = rows.find(|(known, _)| *known == method && operands.len() == count);
            return Ok(row.map(|(_, text)| fill(text, operands, span)));
        }
        // A function that code calls may be defined when it runs.
        let first_item = operands.first().and_then(|operand| operand.first());
        let is_method = first_item.is_some_and(|item| item.span.start < span.start);
        let is_python = matches!(name, "float" | "list" | "tuple" | "map");
        if self.kind != CodeKind::Statement && !is_method && !is_python {
            return Ok(None);
        }
        match (name, operands) {
            ("parameters", [owner]) => {
                let layers = self.layers(owner, span);
                let list = apply(Head::List, &layers, span);
                Ok((!layers.is_empty()).then(|| fill("flat(x)", &[list], span)))
            }
            ("item" | "double" | "float" | "list" | "tuple", [only]) => Ok(Some(only.clone())),
            ("detach", [_]) => Ok(Some(fill("x.data", operands, span))),
            ("map", [function, list]) => Ok(map(function, list, span)),
            _ => self.native(name, operands, span),
        }
    }

    /// `(w**2).sum()`, which adds all numbers, and members of a network. `n.layers` are the lists of its weights. A neuron
    /// in one is a list of weights and a bias.
    fn member(&self, member: &'t str, operands: &[Clause<'t>], span: Span) -> Lowered<'t> {
        let [owner] = operands else { return Ok(None) };
        if FOLDS.contains(&member) {
            if self.is_taken(member) {
                return Ok(Some(apply(Head::Function(member, 0), operands, span)));
            }
            return self.fold(member, operands, span);
        }
        let layers = self.layers(owner, span);
        let is_part = self.is_part_of_network(owner);
        Ok(match (member, layers.as_slice()) {
            ("layers", [_, ..]) => Some(apply(Head::List, &layers, span)),
            // The network may be a single layer or a single neuron.
            ("neurons", [only]) => Some(only.clone()),
            ("w", [_]) => Some(fill("x[0][0]", &layers, span)),
            ("b", [_]) => Some(fill("x[0][1]", &layers, span)),
            ("neurons", []) if is_part => Some(owner.clone()),
            ("w", []) if is_part => Some(fill("x[0]", operands, span)),
            ("b", []) if is_part => Some(fill("x[1]", operands, span)),
            _ => None,
        })
    }

    /// The lists of weights of a network, if it is the name of one.
    fn layers(&self, network: &[Item<&'t str>], span: Span) -> Vec<Clause<'t>> {
        let lists = only_name(network).map(|name| self.session.weight_lists(name));
        let each = lists.into_iter().flatten().map(language::kept_name);
        each.map(|list| vec![name(list, span)]).collect()
    }

    /// Whether an operand is the list of weights of a network, or an item of it.
    fn is_part_of_network(&self, items: &[Item<&str>]) -> bool {
        let first = items.first().map(|item| item.kind);
        let is_list = |name: &str| self.session.functions().is_weight_list(name);
        matches!(first, Some(ItemKind::Name(name)) if is_list(name))
    }

    /// `random.uniform(-1, 1)`
    fn random(&self, name: &str, operands: &[Clause<'t>], span: Span) -> Lowered<'t> {
        let draw = match (name, operands.len()) {
            ("uniform", 2) | ("random", 0) => "uniform",
            ("gauss", 0 | 2) => "normal",
            _ => return Ok(None),
        };
        if operands.is_empty() {
            let standard = ["0", "1"].map(|number| fill(number, &[], span));
            return self.built_in(draw, &standard, span);
        }
        self.built_in(draw, operands, span)
    }

    /// A function of `math`, `np`, `torch` and their like.
    fn function(
        &self,
        path: &str,
        name: &'t str,
        operands: &[Clause<'t>],
        span: Span,
    ) -> Lowered<'t> {
        let is_list = |kind| matches!(kind, ItemKind::Apply(Head::List | Head::Collect, _));
        match (name, operands) {
            ("tau", []) => {
                self.check_built_in("pi", span)?;
                Ok(Some(fill("2*pi", &[], span)))
            }
            (constant, []) if ops::constant(constant).is_some() => {
                self.check_built_in(constant, span)?;
                Ok(Some(vec![self::name(constant, span)]))
            }
            // A tensor with one number is the number.
            ("array" | "asarray" | "tensor" | "Tensor", [list]) => match list.as_slice() {
                [inside @ .., last]
                    if last.kind == ItemKind::Apply(Head::List, 1)
                        && !inside.last().is_some_and(|it| is_list(it.kind)) =>
                {
                    Ok(Some(inside.to_vec()))
                }
                all => Ok(Some(all.to_vec())),
            },
            ("log", [_, _]) if path == "math" => self.built_in("log", operands, span),
            ("factorial", [_]) => Ok(Some(fill("x!", operands, span))),
            // Torch has the variance of a sample, and the lower of two medians.
            ("std" | "var" | "median", _) if path == "torch" => Ok(None),
            // These round to even numbers, take two lists, or go along an axis.
            ("round" | "rint" | "around", _)
            | ("maximum" | "minimum", [_])
            | ("argmin" | "argmax", [_, _, ..]) => Ok(None),
            (fold, [_, _, ..]) if FOLDS.contains(&fold) => Ok(None),
            (fold, [_]) if FOLDS.contains(&fold) => self.fold(fold, operands, span),
            _ => self.native(name, operands, span),
        }
    }

    /// The meaning of `dL/da`, `d(L)/d(a*b)` and `∂L/∂a`: `grad(L, a)`. `2*dL/da` is twice that.
    fn derivative(
        &self,
        left: &[Item<&'t str>],
        right: &[Item<&'t str>],
        span: Span,
    ) -> Option<Clause<'t>> {
        let last = last_factor(left);
        let (of, is_known) = self.side(&left[last.clone()])?;
        let (by, by_is_known) = self.side(right)?;
        if !(is_known || by_is_known) || self.is_taken("grad") {
            return None;
        }
        let grad = fill("grad(x, y)", &[of, by], span);
        Some([&left[..last.start], &grad, &left[last.end..]].concat())
    }

    /// One side of a derivative without its sign: `a` of `da`. Also returns whether it must be a derivative: its sign
    /// allows nothing else, or the rest is a known name. `None` if the side is a name of the user's own.
    fn side(&self, items: &[Item<&'t str>]) -> Option<(Clause<'t>, bool)> {
        if let [inside @ .., last] = items
            && let ItemKind::Apply(Head::Function(sign @ ("d" | "∂"), 0), 1) = last.kind
        {
            let is_own =
                self.session.functions().get(sign).is_some() || self.find_slot(sign).is_some();
            return (!is_own).then(|| (inside.to_vec(), true));
        }
        let [
            Item {
                kind: ItemKind::Name(typed),
                span,
            },
            rest @ ..,
        ] = items
        else {
            return None;
        };
        let is_index = |item: &Item<&str>| item.kind == ItemKind::Apply(Head::Index, 2);
        if !rest.last().is_none_or(is_index) {
            return None;
        }
        let is_letter = typed.starts_with('d');
        let inner = typed.strip_prefix(['d', '∂']).filter(|it| !it.is_empty())?;
        // In a block, `dL` may be a name of its own.
        if is_letter && (self.kind == CodeKind::Block || self.is_taken(typed)) {
            return None;
        }
        let is_known = !is_letter
            || self.is_taken(inner)
            || self.session.is_function(inner)
            || ops::constant(inner).is_some();
        let differentiated = name(inner, *span);
        Some(([&[differentiated][..], rest].concat(), is_known))
    }
}

/// `map(f, xs)` is `[f(v) for v in xs]`, and `map(float, xs)` the list itself.
fn map<'t>(function: &[Item<&'t str>], list: &Clause<'t>, span: Span) -> Option<Clause<'t>> {
    let name = only_name(function)?;
    if name == "float" {
        return Some(list.clone());
    }
    let mut each = fill("[f(v) for v in x]", std::slice::from_ref(list), span);
    let call = each.len() - 2;
    each[call].kind = ItemKind::Apply(Head::Function(name, 0), 1);
    Some(each)
}
