//! Gives calls the meaning that they have in Python: functions of modules, `np.exp(x)`, members of networks, `n.parameters()`,
//! and what the calculator calls otherwise, `fabs(x)`.
//!
//! The parser writes a member of a module as a function with a path, `math.pi` as one without arguments, and a member of
//! another value as a function whose name begins with a point where it is no function here. `compile` asks for the
//! meaning of such calls and of unknown ones before it makes code. What has no counterpart stays as it is, and is an
//! unknown function.

use std::borrow::Cow;
use std::ops::Range;

use super::compile::subtree_start;
use super::compile::{CodeKind, Compiler};
use crate::session::Session;
use crate::session::error::{Error, fail};
use crate::session::functions::{is_built_in, native_name};
use crate::session::values::Value;
use chainrule_engine::ops;
use chainrule_language::{self as language, FOLDS, Head, Item, ItemKind, Literal, Property, Span};

/// Methods that Python calls for its operators.
const OPERATORS: [(&str, &str); 5] = [
    ("add", "+"),
    ("sub", "-"),
    ("mul", "*"),
    ("truediv", "/"),
    ("pow", "^"),
];

/// A part of an expression, operands before what uses them.
type Clause<'t> = Vec<Item<&'t str>>;

/// What a call becomes; none if it has no counterpart.
type Lowered<'t> = Result<Option<Clause<'t>>, Error>;

/// A tree: operands, and the operation on them.
fn tree<'t>(
    operands: impl IntoIterator<Item = Clause<'t>>,
    kind: ItemKind<&'t str>,
    span: Span,
) -> Clause<'t> {
    let mut operands = operands.into_iter();
    let mut tree = operands.next().unwrap_or_default();
    tree.extend(operands.flatten());
    tree.push(Item { kind, span });
    tree
}

fn number<'t>(value: f64, span: Span) -> Clause<'t> {
    let point = false;
    tree([], ItemKind::Number(Literal { value, point }), span)
}

fn name(name: &str, span: Span) -> Clause<'_> {
    tree([], ItemKind::Name(name), span)
}

/// `left + right`, for any operator between two operands.
fn infix<'t>(left: Clause<'t>, spelling: &str, right: Clause<'t>, span: Span) -> Clause<'t> {
    match language::precedence::infix_operator(spelling) {
        Some(operator) => {
            let operator = ItemKind::Apply(Head::Operator(operator), 2);
            tree([left, right], operator, span)
        }
        None => left,
    }
}

fn index<'t>(list: Clause<'t>, position: Clause<'t>, span: Span) -> Clause<'t> {
    tree([list, position], ItemKind::Apply(Head::Index, 2), span)
}

/// The number that an operand is: a literal, perhaps with a minus.
fn literal(items: &[Item<&str>]) -> Option<f64> {
    match items {
        [
            Item {
                kind: ItemKind::Number(literal),
                ..
            },
        ] => Some(literal.value),
        _ => None,
    }
}

/// Where the last factor of a product is: `b` of `a*b`, of `-b` and of `b`.
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
        &self,
        items: &'i [Item<&'t str>],
    ) -> Result<Cow<'i, [Item<&'t str>]>, Error> {
        let mut places = 0..items.len();
        if !places.any(|at| self.is_foreign(items, at)) {
            return Ok(Cow::Borrowed(items));
        }
        let variables = items.iter().filter_map(|item| match item.kind {
            ItemKind::Variable(name) => Some(name),
            _ => None,
        });
        let lowering = Lowering {
            compiler: self,
            variables: variables.collect(),
        };
        let mut lowered: Vec<Item<&str>> = Vec::with_capacity(items.len());
        // Where the operands that wait for what uses them begin.
        let mut starts: Vec<usize> = Vec::new();
        for (at, &item) in items.iter().enumerate() {
            let waiting = starts.len() - item.kind.operands() as usize;
            let first = starts.get(waiting).copied().unwrap_or(lowered.len());
            let may_change =
                item.kind == ItemKind::Apply(Head::Index, 2) || self.is_foreign(items, at);
            let operand = |place: usize| {
                let end = starts.get(place + 1).copied().unwrap_or(lowered.len());
                lowered[starts[place]..end].to_vec()
            };
            let copied = if may_change {
                waiting..starts.len()
            } else {
                0..0
            };
            let operands: Vec<Clause> = copied.map(operand).collect();
            let instead = match item.kind {
                _ if !may_change => None,
                ItemKind::Apply(Head::Function(name, 0), _) => {
                    lowering.call(name, &operands, item.span)?
                }
                ItemKind::Apply(Head::Index, _) => weights_of_layer(&operands),
                _ => lowering.derivative(&operands[0], &operands[1], item.span),
            };
            match instead {
                Some(tree) => {
                    lowered.truncate(first);
                    lowered.extend(tree);
                }
                None => lowered.push(item),
            }
            starts.truncate(waiting);
            starts.push(first);
        }
        Ok(Cow::Owned(lowered))
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

/// An item of `n.layers`, which is the list of its weights.
fn weights_of_layer<'t>(operands: &[Clause<'t>]) -> Option<Clause<'t>> {
    let [list, position] = operands else {
        return None;
    };
    let (last, layers) = list.split_last()?;
    let is_name = |item: &Item<&str>| matches!(item.kind, ItemKind::Name(_));
    let is_list = last.kind == ItemKind::Apply(Head::List, layers.len() as u32);
    let layer = literal(position).filter(|it| it.fract() == 0.0 && *it >= 0.0)?;
    let layer = layers.get(layer as usize)?;
    (is_list && layers.iter().all(is_name)).then(|| vec![*layer])
}

/// What the calls of an expression mean.
struct Lowering<'l, 's, 't, 'c> {
    compiler: &'l Compiler<'s, 't, 'c>,
    /// The items of the loops in the expression.
    variables: Vec<&'t str>,
}

impl<'t> Lowering<'_, '_, 't, '_> {
    fn session(&self) -> &Session {
        self.compiler.session
    }

    /// Whether it is a name of the code that is compiled.
    fn is_local(&self, name: &str) -> bool {
        self.variables.contains(&name)
            || self.compiler.defined.contains(&name)
            || self.compiler.find_slot(name).is_some()
    }

    /// Whether the user has defined this name.
    fn is_taken(&self, name: &str) -> bool {
        self.is_local(name)
            || self.session().names().find(name).is_some()
            || self.session().functions().get(name).is_some()
    }

    /// A call of a built-in function.
    fn built_in(&self, name: &'t str, operands: Vec<Clause<'t>>, span: Span) -> Lowered<'t> {
        self.check_built_in(name, span)?;
        let call = ItemKind::Apply(Head::Function(name, 0), operands.len() as u32);
        Ok(Some(tree(operands, call, span)))
    }

    /// Checks that a name means what is built in, and not something of the user's.
    fn check_built_in(&self, name: &str, span: Span) -> Result<(), Error> {
        let hides = self.compiler.defined.contains(&name)
            || self.compiler.find_slot(name).is_some()
            || self.session().functions().get(name).is_some()
            || !is_built_in(name) && self.is_taken(name);
        if !hides {
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

    fn call(&self, name: &'t str, operands: &[Clause<'t>], span: Span) -> Lowered<'t> {
        if let Some(member) = name.strip_prefix('.') {
            return self.member(member, operands, span);
        }
        if let Some((path, member)) = name.rsplit_once('.') {
            let module = path.split('.').next().unwrap_or_default();
            if self.is_taken(module.trim_end()) {
                // A method of the user's own `F` or `random`.
                let owner = self::name(module, span);
                let operands = [&[owner], operands].concat();
                let call = ItemKind::Apply(Head::Function(member, 0), operands.len() as u32);
                return Ok((module == path).then(|| tree(operands, call, span)));
            }
            return match path {
                "random" => self.random(member, operands, span),
                // numpy draws other numbers than Python's `random`, which are those of the calculator.
                "np.random" | "numpy.random" => Ok(None),
                _ => self.function(path, member, operands, span),
            };
        }
        if self.is_taken(name) || self.session().is_function(name) {
            return Ok(None);
        }
        if let Some(operator) = name.strip_prefix("__").and_then(|it| it.strip_suffix("__")) {
            return Ok(operator_method(operator, operands, span));
        }
        // What code calls may be defined when it runs.
        let owner = operands.first().and_then(|owner| owner.first());
        let is_method = owner.is_some_and(|owner| owner.span.start < span.start);
        let is_pythons = matches!(name, "float" | "list" | "tuple" | "map");
        if self.compiler.kind != CodeKind::Statement && !is_method && !is_pythons {
            return Ok(None);
        }
        match (name, operands) {
            ("parameters", [owner]) => Ok(self.parameters(owner, span)),
            ("item" | "double" | "float" | "list" | "tuple", [only]) => Ok(Some(only.clone())),
            ("detach", [only]) => {
                let data = ItemKind::Property(Property::Data);
                Ok(Some(tree([only.clone()], data, span)))
            }
            ("map", [function, list]) => Ok(map(function, list, span)),
            ("where", [_, _, _]) => self.built_in("if", operands.to_vec(), span),
            _ => {
                let native = native_name(name);
                if !is_built_in(native) {
                    return Ok(None);
                }
                self.built_in(native, operands.to_vec(), span)
            }
        }
    }

    /// `(w**2).sum()` adds all numbers. Of a network, `n.layers` are the lists of its weights; a neuron in one is a list of
    /// weights and a bias.
    fn member(&self, member: &'t str, operands: &[Clause<'t>], span: Span) -> Lowered<'t> {
        let [owner] = operands else { return Ok(None) };
        if FOLDS.contains(&member) {
            if self.is_taken(member) {
                let own = ItemKind::Apply(Head::Function(member, 0), 1);
                return Ok(Some(tree([owner.clone()], own, span)));
            }
            let all = self.built_in("flat", vec![owner.clone()], span)?;
            return self.built_in(member, Vec::from_iter(all), span);
        }
        let part = |of| index(of, number(f64::from(u8::from(member == "b")), span), span);
        let layers = match owner.as_slice() {
            [
                Item {
                    kind: ItemKind::Name(network),
                    ..
                },
            ] => self.session().weight_lists(network),
            _ => Vec::new(),
        };
        let names: Vec<Clause> = layers
            .into_iter()
            .map(|list| name(language::kept_name(list), span))
            .collect();
        Ok(match (member, names.as_slice()) {
            ("layers", [_, ..]) => {
                let list = ItemKind::Apply(Head::List, names.len() as u32);
                Some(tree(names, list, span))
            }
            // Of one layer, and of one neuron.
            ("neurons", [only]) => Some(only.clone()),
            ("w" | "b", [only]) => Some(part(index(only.clone(), number(0.0, span), span))),
            ("neurons", []) if self.is_part_of_network(owner) => Some(owner.clone()),
            ("w" | "b", []) if self.is_part_of_network(owner) => Some(part(owner.clone())),
            _ => None,
        })
    }

    /// Whether it is the list of weights of a network, or items of that.
    fn is_part_of_network(&self, items: &[Item<&str>]) -> bool {
        let first = items.first().map(|item| item.kind);
        let is_list = |name: &str| self.session().functions().is_weight_list(name);
        matches!(first, Some(ItemKind::Name(name)) if is_list(name))
    }

    /// `n.parameters()`
    fn parameters(&self, owner: &[Item<&'t str>], span: Span) -> Option<Clause<'t>> {
        let [
            Item {
                kind: ItemKind::Name(network),
                ..
            },
        ] = owner
        else {
            return None;
        };
        let lists = self.session().weight_lists(network);
        let list = ItemKind::Apply(Head::List, lists.len() as u32);
        let names = lists
            .into_iter()
            .map(|list| name(language::kept_name(list), span));
        let all: Vec<Clause> = names.collect();
        let flat = ItemKind::Apply(Head::Function("flat", 0), 1);
        (!all.is_empty()).then(|| tree([tree(all, list, span)], flat, span))
    }

    /// `random.uniform(-1, 1)`
    fn random(&self, name: &str, operands: &[Clause<'t>], span: Span) -> Lowered<'t> {
        let draw = match (name, operands.len()) {
            ("uniform", 2) | ("random", 0) => "uniform",
            ("gauss", 0 | 2) => "normal",
            _ => return Ok(None),
        };
        if operands.is_empty() {
            let standard = vec![number(0.0, span), number(1.0, span)];
            return self.built_in(draw, standard, span);
        }
        self.built_in(draw, operands.to_vec(), span)
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
                let pi = self::name("pi", span);
                Ok(Some(infix(number(2.0, span), "*", pi, span)))
            }
            (constant, []) if ops::constant(constant).is_some() => {
                self.check_built_in(constant, span)?;
                Ok(Some(self::name(constant, span)))
            }
            // A tensor with one number is the number.
            ("array" | "asarray" | "tensor" | "Tensor", [list]) => match list.as_slice() {
                [inside @ .., list]
                    if list.kind == ItemKind::Apply(Head::List, 1)
                        && !inside.last().is_some_and(|it| is_list(it.kind)) =>
                {
                    Ok(Some(inside.to_vec()))
                }
                list => Ok(Some(list.to_vec())),
            },
            ("where", [_, _, _]) => self.built_in("if", operands.to_vec(), span),
            ("log", [_, _]) if path == "math" => self.built_in("log", operands.to_vec(), span),
            ("factorial", [_]) => {
                let factorial = Head::Operator(language::precedence::factorial());
                let factorial = ItemKind::Apply(factorial, 1);
                Ok(Some(tree(operands.to_vec(), factorial, span)))
            }
            // Of a sample, the lower of two, to the even number, of two, along an axis.
            ("std" | "var" | "median", _) if path == "torch" => Ok(None),
            ("round" | "rint" | "around", _)
            | ("maximum" | "minimum", [_])
            | ("argmin" | "argmax", [_, _, ..]) => Ok(None),
            (fold, [_, _, ..]) if FOLDS.contains(&fold) => Ok(None),
            (fold, [_]) if FOLDS.contains(&fold) => {
                let all = self.built_in("flat", operands.to_vec(), span)?;
                self.built_in(fold, Vec::from_iter(all), span)
            }
            _ => {
                let native = native_name(name);
                if operands.is_empty() || !is_built_in(native) {
                    return Ok(None);
                }
                self.built_in(native, operands.to_vec(), span)
            }
        }
    }

    /// `dL/da`, `d(L)/d(a*b)`, `∂L/∂a` as `grad(L, a)`; `2*dL/da` is twice that.
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
        let grad = ItemKind::Apply(Head::Function("grad", 0), 2);
        let grad = tree([of, by], grad, span);
        Some([&left[..last.start], &grad, &left[last.end..]].concat())
    }

    /// One side of a derivative without its sign, `a` of `da`, and whether it can only be a derivative, or is a name with a
    /// meaning. `None` if it is a name of the user's own.
    fn side(&self, items: &[Item<&'t str>]) -> Option<(Clause<'t>, bool)> {
        if let [inside @ .., last] = items
            && let ItemKind::Apply(Head::Function(sign @ ("d" | "∂"), 0), 1) = last.kind
        {
            let is_own = self.session().functions().get(sign).is_some()
                || self.compiler.find_slot(sign).is_some();
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
        // What a block calls `dL` may be a name of its own.
        if is_letter && (self.compiler.kind == CodeKind::Block || self.is_taken(typed)) {
            return None;
        }
        let is_known = !is_letter
            || self.is_taken(inner)
            || self.session().is_function(inner)
            || ops::constant(inner).is_some();
        let inner = name(inner, *span);
        Some(([&inner, rest].concat(), is_known))
    }
}

/// `a.__mul__(b)` is `a*b`, `a.__rsub__(b)` is `b - a`.
fn operator_method<'t>(method: &str, operands: &[Clause<'t>], span: Span) -> Option<Clause<'t>> {
    let find = |method: &str| OPERATORS.iter().find(|(known, _)| *known == method);
    match operands {
        [only] if method == "neg" => {
            let minus = Head::Operator(language::precedence::minus_sign());
            Some(tree([only.clone()], ItemKind::Apply(minus, 1), span))
        }
        [left, right] => match (find(method), method.strip_prefix('r').and_then(find)) {
            (Some((_, sign)), _) => Some(infix(left.clone(), sign, right.clone(), span)),
            (None, Some((_, sign))) => Some(infix(right.clone(), sign, left.clone(), span)),
            _ => None,
        },
        _ => None,
    }
}

/// `map(f, xs)` is `[f(v) for v in xs]`, and `map(float, xs)` the list itself.
fn map<'t>(function: &[Item<&'t str>], list: &[Item<&'t str>], span: Span) -> Option<Clause<'t>> {
    let [
        Item {
            kind: ItemKind::Name(function),
            ..
        },
    ] = function
    else {
        return None;
    };
    if *function == "float" {
        return Some(list.to_vec());
    }
    let variable = tree([], ItemKind::Variable("v"), span);
    let each = tree([list.to_vec(), variable], ItemKind::Each(1), span);
    let call = ItemKind::Apply(Head::Function(*function, 0), 1);
    let called = tree([name("v", span)], call, span);
    let collect = ItemKind::Apply(Head::Collect, 2);
    Some(tree([each, called], collect, span))
}
