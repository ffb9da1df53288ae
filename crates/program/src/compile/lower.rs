//! Replaces calls by their meaning in Python: functions of modules, `np.exp(x)`, members of networks, `n.parameters()`,
//! and functions with another name in the calculator, `fabs(x)`.
//!
//! The parser writes a member of a module as a function with a path, `np.exp`; `math.pi` is a function without
//! arguments. A member of another value becomes a function whose name begins with a point, unless the calculator has a
//! function of that name. `compile` replaces such calls, and calls of unknown functions, before it makes code. A call
//! that has no meaning in Python either stays and becomes the error of an unknown function.

use std::borrow::Cow;
use std::ops::Range;

use super::compiler::{CodeKind, Compiler, variable_name};
use crate::environment::Environment;
use crate::error::{Error, fail};
use crate::functions::{NUMPY_NAMES, is_built_in, native_name};
use crate::names;
use crate::postfix::subtree_start;
use crate::texts::parse_text;
use crate::values::Value;
use chainrule_engine::ops::{self, OPERAND_NAMES};
use chainrule_language::{
    self as language, Expression, FOLDS, Head, Item, ItemKind, Lambda, Literal, Name, Span,
    kept_name,
};

/// A call of Python whose meaning is an expression.
struct PythonCall {
    /// The module: `random`. `*` is any module, `=` stands for the functions of Python itself, `__` for methods of
    /// operators, and other methods have no path.
    path: &'static str,
    name: &'static str,
    /// The number of operands. A method has its owner as the first.
    count: usize,
    /// The expression, in which `x` and `y` stand for the operands.
    text: &'static str,
}

const fn row(
    path: &'static str,
    name: &'static str,
    count: usize,
    text: &'static str,
) -> PythonCall {
    PythonCall {
        path,
        name,
        count,
        text,
    }
}

/// The calls of Python with a meaning that an expression says. Other functions only have another name here, see
/// [`native_name`].
#[rustfmt::skip]
const CALLS: [PythonCall; 34] = [
    row("__",     "neg",       1, "-x"),
    row("__",     "add",       2, "x + y"),
    row("__",     "sub",       2, "x - y"),
    row("__",     "mul",       2, "x*y"),
    row("__",     "truediv",   2, "x/y"),
    row("__",     "pow",       2, "x^y"),
    row("__",     "radd",      2, "y + x"),
    row("__",     "rsub",      2, "y - x"),
    row("__",     "rmul",      2, "y*x"),
    row("__",     "rtruediv",  2, "y/x"),
    row("__",     "rpow",      2, "y^x"),
    row("",       "item",      1, "x"),
    row("",       "double",    1, "x"),
    row("",       "copy",      1, "x[:]"),
    row("",       "detach",    1, "x.data"),
    row("=",      "float",     1, "x"),
    row("=",      "int",       1, "trunc(x)"),
    row("=",      "list",      1, "x[:]"),
    row("=",      "tuple",     1, "x[:]"),
    row("=",      "reversed",  1, "x[::-1]"),
    row("=",      "divmod",    2, "[x//y, x%y]"),
    row("=",      "factorial", 1, "x!"),
    row("random", "uniform",   2, "uniform(x, y)"),
    row("random", "random",    0, "uniform(0, 1)"),
    row("random", "gauss",     2, "normal(x, y)"),
    row("random", "gauss",     0, "normal(0, 1)"),
    row("random", "randint",   2, "randint(x, y)"),
    row("random", "choice",    1, "choice(x)"),
    row("random", "shuffled",  1, "shuffled(x)"),
    row("math",   "log",       2, "log(x, y)"),
    row("*",      "tau",       0, "2*pi"),
    row("*",      "factorial", 1, "x!"),
    row("*",      "zeros",     1, "[0. for k in range(x)]"),
    row("*",      "ones",      1, "[1. for k in range(x)]"),
];

/// A part of an expression in postfix order.
type Clause = Vec<Item<Name>>;

/// The items that replace a call. `None` if the call stays.
type Lowered = Result<Option<Clause>, Error>;

/// The operands of a call, and its place in the text.
#[derive(Clone, Copy)]
struct Operands<'o> {
    all: &'o [Clause],
    span: Span,
}

impl Operands<'_> {
    /// The items of an operation on the operands.
    fn apply(self, head: Head<Name>) -> Clause {
        let Operands { all, span } = self;
        let kind = ItemKind::Apply(head, all.len() as u32);
        [all.concat(), vec![Item { kind, span }]].concat()
    }

    /// The items of a call of a function.
    fn call(self, function: Name) -> Clause {
        self.apply(Head::Function(function, 0))
    }

    /// Fills a text in which `x` and `y` stand for the operands.
    fn fill(self, text: &'static str) -> Clause {
        let Operands { all, span } = self;
        let mut clause = Clause::new();
        for item in &parse_text(text).items {
            let mut names = OPERAND_NAMES.iter();
            let operand = names.position(|name| item.kind == ItemKind::Name(*name));
            match operand {
                Some(index) => clause.extend_from_slice(&all[index]),
                None => clause.push(Item { span, ..*item }),
            }
        }
        clause
    }

    /// Other operands of the same call.
    fn with(self, all: &[Clause]) -> Operands<'_> {
        let span = self.span;
        Operands { all, span }
    }
}

fn name(name: Name, span: Span) -> Item<Name> {
    let kind = ItemKind::Name(name);
    Item { kind, span }
}

/// The name, if an operand consists of one name.
pub(super) fn only_name(items: &[Item<Name>]) -> Option<Name> {
    match items.first()?.kind {
        ItemKind::Name(name) if items.len() == 1 => Some(name),
        _ => None,
    }
}

/// The indices of the last factor of a product: `b` of `a*b`, of `-b` and of `b`.
fn last_factor(items: &[Item<Name>]) -> Range<usize> {
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
fn is_side(item: &Item<Name>) -> bool {
    match item.kind {
        ItemKind::Name(name) => name.len() > 1 && name.starts_with(['d', '∂']),
        ItemKind::Apply(Head::Function(name, 0), 1) => matches!(name, "d" | "∂"),
        ItemKind::Apply(Head::Index, _) => true,
        _ => false,
    }
}

/// The lists of weights of a network that the program has built.
pub fn weight_lists(session: &dyn Environment, network: &str) -> Vec<String> {
    let functions = &session.program().functions;
    let lists = (0..).map(|layer| format!("{network}_{layer}"));
    let is_layer = |list: &String| {
        functions.is_weight_list(list) && matches!(session.find(list), Some(Value::List(_)))
    };
    lists.take_while(is_layer).collect()
}

impl Compiler<'_, '_> {
    /// Replaces the calls of an expression by their meanings in Python.
    pub(super) fn lower<'i>(
        &mut self,
        items: &'i [Item<Name>],
    ) -> Result<Cow<'i, [Item<Name>]>, Error> {
        // An index alone does not change: in `n.layers[1]`, the list is a foreign call.
        if !(0..items.len()).any(|at| self.is_foreign(items, at)) {
            return Ok(Cow::Borrowed(items));
        }
        self.variables = items.iter().filter_map(variable_name).collect();
        // The operands that no item has used yet. In `a b * c`, these are `a*b` and `c`.
        let mut waiting: Vec<Clause> = Vec::new();
        for (at, &item) in items.iter().enumerate() {
            let operands = waiting.split_off(waiting.len() - item.kind.operands() as usize);
            let meaning = self.meaning(items, at, &operands)?;
            // The first operand grows, so that a long sum is not copied for each of its terms.
            waiting.push(meaning.unwrap_or_else(|| {
                let mut parts = operands.into_iter();
                let mut clause = parts.next().unwrap_or_default();
                clause.extend(parts.flatten().chain([item]));
                clause
            }));
        }
        Ok(Cow::Owned(waiting.concat()))
    }

    /// The items that replace an item, if its meaning in Python differs from its meaning here.
    fn meaning(&self, items: &[Item<Name>], at: usize, all: &[Clause]) -> Lowered {
        let Item { kind, span } = items[at];
        match kind {
            ItemKind::Apply(Head::Index, 2) => Ok(weights_of_layer(&all[0], &all[1])),
            _ if !self.is_foreign(items, at) => Ok(None),
            ItemKind::Apply(Head::Function(name, _), _) => {
                self.foreign_call(name, Operands { all, span })
            }
            _ => Ok(self.derivative(&all[0], &all[1], span)),
        }
    }

    /// Whether an item may have another meaning in Python: a call of a function that the calculator does not know, or a
    /// quotient that may be a derivative.
    fn is_foreign(&self, items: &[Item<Name>], at: usize) -> bool {
        match items[at].kind {
            ItemKind::Apply(Head::Function(name, 0), count) => {
                let is_known = name == "Value" && count == 1 || self.session.is_function(name);
                !is_known && self.find_slot(name).is_none() || is_keyed(items, at)
            }
            ItemKind::Apply(Head::Operator(operator), 2) => {
                operator.spelling == "/" && is_side(&items[at - 1])
            }
            _ => false,
        }
    }

    /// Whether a name belongs to the code that is compiled.
    fn is_local(&self, name: &str) -> bool {
        self.variables.contains(&name)
            || self.defined.contains(&name)
            || self.find_slot(name).is_some()
    }

    /// Whether the user has defined this name.
    fn is_taken(&self, name: &str) -> bool {
        self.is_local(name) || self.is_own_function(name) || self.session.find(name).is_some()
    }

    /// A call of a built-in function.
    fn built_in(&self, name: Name, operands: Operands<'_>) -> Lowered {
        self.check_built_in(name, operands.span)?;
        Ok(Some(operands.call(name)))
    }

    /// The meaning of a call by the row of the table for its name and the number of its operands.
    fn by_row(&self, path: &str, name: &str, operands: Operands<'_>) -> Lowered {
        let is_row =
            |it: &&PythonCall| it.path == path && it.name == name && it.count == operands.all.len();
        let Some(found) = CALLS.iter().find(is_row) else {
            return Ok(None);
        };
        for item in &parse_text(found.text).items {
            match item.kind {
                ItemKind::Apply(Head::Function(function, _), _) => {
                    self.check_built_in(function, operands.span)?;
                }
                ItemKind::Name(known) if !OPERAND_NAMES.contains(&known) => {
                    self.check_built_in(known, operands.span)?;
                }
                _ => {}
            }
        }
        Ok(Some(operands.fill(found.text)))
    }

    /// A call of the built-in function that has this name in Python.
    fn native(&self, name: Name, operands: Operands<'_>) -> Lowered {
        match (native_name(name), operands.all.len()) {
            ("where", 3) => self.built_in("if", operands),
            // `math.sin` without brackets is a function that is passed on.
            (native, 0) if is_built_in(native) => {
                Ok(Some(vec![self::name(kept_name(native), operands.span)]))
            }
            (native, 1..) if is_built_in(native) => self.built_in(native, operands),
            _ => Ok(None),
        }
    }

    /// `sum(flat(x))`: a fold of all numbers.
    fn fold(&self, name: Name, operands: Operands<'_>) -> Lowered {
        self.check_built_in("flat", operands.span)?;
        self.built_in(name, operands.with(&[operands.fill("flat(x)")]))
    }

    /// Refuses a name that is not the built-in function, because the user has given it another meaning.
    fn check_built_in(&self, name: &str, span: Span) -> Result<(), Error> {
        let is_hidden = self.defined.contains(&name)
            || self.is_own_function(name)
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
    fn foreign_call(&self, name: Name, operands: Operands<'_>) -> Lowered {
        if let Some(member) = name.strip_prefix('.') {
            return self.member(member, operands);
        }
        if let Some((path, member)) = name.rsplit_once('.') {
            return self.path_call(path, member, operands);
        }
        if KEYED.contains(&name)
            && let Some(meaning) = by_key(name, operands)
        {
            self.check_built_in(name, operands.span)?;
            return Ok(Some(meaning));
        }
        if self.is_taken(name) || self.session.is_function(name) {
            return Ok(None);
        }
        if let Some(method) = name.strip_prefix("__").and_then(|it| it.strip_suffix("__")) {
            return self.by_row("__", method, operands);
        }
        self.bare_call(name, operands)
    }

    /// The meaning of `math.exp(x)`, a call with a path.
    fn path_call(&self, path: Name, member: Name, operands: Operands<'_>) -> Lowered {
        let module = path.split('.').next().unwrap_or_default();
        if self.is_taken(module.trim_end()) {
            // `F` or `random` is the user's own, and this is a method of it.
            let owner = vec![name(module, operands.span)];
            let arguments = [&[owner], operands.all].concat();
            let call = || operands.with(&arguments).call(member);
            return Ok((module == path).then(call));
        }
        match path {
            "random" => self.by_row(path, member, operands),
            // numpy draws other numbers than Python's `random`, which the calculator follows.
            "np.random" | "numpy.random" => Ok(None),
            _ => self.function(path, member, operands),
        }
    }

    /// The meaning of a call without a path: a method `x.item()` that the calculator has as a function, or a function
    /// that is built into Python.
    fn bare_call(&self, name: Name, operands: Operands<'_>) -> Lowered {
        let first_item = operands.all.first().and_then(|operand| operand.first());
        // The owner of a method stands before its name, the arguments of a function behind.
        let is_method = first_item.is_some_and(|item| item.span.start < operands.span.start);
        let is_python = name == "map" || CALLS.iter().any(|it| it.path == "=" && it.name == name);
        // Other functions that a block or a function calls may be defined by the time it runs.
        if self.kind != CodeKind::Statement && !is_method && !is_python {
            return Ok(None);
        }
        let path = if is_python { "=" } else { "" };
        if let ("int" | "float", [text]) = (name, operands.all)
            && let Some(number) = number_of_text(name, text)?
        {
            return Ok(Some(number));
        }
        if let Some(meaning) = self.by_row(path, name, operands)? {
            return Ok(Some(meaning));
        }
        match (name, operands.all) {
            ("parameters", [owner]) => {
                let layers = self.layers(owner, operands.span);
                let list = operands.with(&layers).apply(Head::List);
                Ok((!layers.is_empty()).then(|| operands.with(&[list]).fill("flat(x)")))
            }
            ("map", [function, list]) => Ok(map(function, list, operands.span)),
            _ => self.native(name, operands),
        }
    }

    /// The meaning of a member of a value: a fold, `(w**2).sum()`, adds all numbers; `n.layers` of a network is the
    /// list of its layers. A layer is a list of neurons, and a neuron is a list of its weights and its bias.
    fn member(&self, member: Name, operands: Operands<'_>) -> Lowered {
        let [owner] = operands.all else {
            return Ok(None);
        };
        if FOLDS.contains(&member) {
            if self.is_taken(member) {
                return Ok(Some(operands.call(member)));
            }
            return self.fold(member, operands);
        }
        let layers = self.layers(owner, operands.span);
        let of_layers = operands.with(&layers);
        let is_list = |name: &str| self.session.program().functions.is_weight_list(name);
        // The list of weights of a network, or an item of it.
        let is_part =
            matches!(owner[..], [Item { kind: ItemKind::Name(name), .. }, ..] if is_list(name));
        Ok(match (member, layers.as_slice()) {
            ("layers", [_, ..]) => Some(of_layers.apply(Head::List)),
            // The network may be a single layer or a single neuron.
            ("neurons", [only]) => Some(only.clone()),
            ("w", [_]) => Some(of_layers.fill("x[0][0]")),
            ("b", [_]) => Some(of_layers.fill("x[0][1]")),
            ("neurons", []) if is_part => Some(owner.clone()),
            ("w", []) if is_part => Some(operands.fill("x[0]")),
            ("b", []) if is_part => Some(operands.fill("x[1]")),
            _ => None,
        })
    }

    /// The lists of weights of a network, one for each layer. Empty if the operand is not the name of a network.
    fn layers(&self, network: &[Item<Name>], span: Span) -> Vec<Clause> {
        let lists = only_name(network).map(|name| weight_lists(self.session, name));
        let each = lists.into_iter().flatten().map(|list| kept_name(&list));
        each.map(|list| vec![name(list, span)]).collect()
    }

    /// A function of `math`, `np`, `torch` and their like.
    fn function(&self, path: &str, name: Name, operands: Operands<'_>) -> Lowered {
        let is_numpy = matches!(path, "np" | "numpy");
        if is_numpy && !NUMPY_NAMES.split(' ').any(|known| known == name) {
            return not_in_numpy(name, operands.span);
        }
        for known in [path, "*"] {
            if let Some(meaning) = self.by_row(known, name, operands)? {
                return Ok(Some(meaning));
            }
        }
        match (name, operands.all) {
            (constant, []) if ops::constant(constant).is_some() => {
                self.check_built_in(constant, operands.span)?;
                Ok(Some(vec![self::name(constant, operands.span)]))
            }
            // A tensor with one number is the number.
            ("array" | "asarray" | "tensor" | "Tensor", [list]) => {
                Ok(Some(only_number(list).unwrap_or(list).to_vec()))
            }
            // Torch has the variance of a sample, and the lower of two medians.
            ("std" | "var" | "median", _) if path == "torch" => Ok(None),
            // These round a multiple, take two lists, or go along an axis.
            ("round" | "around", [_, _])
            | ("maximum" | "minimum", [_])
            | ("argmin" | "argmax", [_, _, ..]) => Ok(None),
            (fold, [_, _, ..]) if FOLDS.contains(&fold) => Ok(None),
            (fold, [_]) if FOLDS.contains(&fold) => self.fold(fold, operands),
            _ => self.native(name, operands),
        }
    }

    /// The meaning of `dL/da`, `d(L)/d(a*b)` and `∂L/∂a`: `grad(L, a)`. `2*dL/da` is twice that.
    fn derivative(&self, left: &[Item<Name>], right: &[Item<Name>], span: Span) -> Option<Clause> {
        let last = last_factor(left);
        let of = self.side(&left[last.clone()])?;
        let by = self.side(right)?;
        // If neither side is certain, `dL/da` is a quotient of two unknown names.
        if !(of.is_certain || by.is_certain) || self.is_taken("grad") {
            return None;
        }
        let all = &[of.inner, by.inner];
        let grad = Operands { all, span }.fill("grad(x, y)");
        Some([&left[..last.start], &grad, &left[last.end..]].concat())
    }

    /// Reads one side of a derivative: `da`, `∂a` or `d(a)`. `None` if it is none, or a name of the user's own.
    fn side(&self, items: &[Item<Name>]) -> Option<DerivativeSide> {
        if let [inside @ .., last] = items
            && let ItemKind::Apply(Head::Function(sign @ ("d" | "∂"), 0), 1) = last.kind
        {
            return (!self.is_own_function(sign)).then(|| DerivativeSide {
                inner: inside.to_vec(),
                is_certain: true,
            });
        }
        let (first, indices) = items.split_first()?;
        let ItemKind::Name(typed) = first.kind else {
            return None;
        };
        let is_index = |item: &Item<Name>| item.kind == ItemKind::Apply(Head::Index, 2);
        if !indices.last().is_none_or(is_index) {
            return None;
        }
        let inner = typed.strip_prefix(['d', '∂']).filter(|it| !it.is_empty())?;
        let is_letter = typed.starts_with('d');
        // In a block, `dL` may be a name of its own.
        if is_letter && (self.kind == CodeKind::Block || self.is_taken(typed)) {
            return None;
        }
        let is_certain = !is_letter
            || self.is_taken(inner)
            || self.session.waits(inner)
            || self.session.is_function(inner)
            || ops::constant(inner).is_some();
        Some(DerivativeSide {
            inner: [&[name(inner, first.span)], indices].concat(),
            is_certain,
        })
    }
}

/// The two sides of a typed derivative, `dL/da` or `grad(L, a)`: of `L`, by `a`. `None` for any other expression.
pub fn sides_of_derivative(
    session: &mut dyn Environment,
    text: &str,
    typed: &Expression,
) -> Option<[Expression; 2]> {
    let mut compiler = Compiler::new(session, text, CodeKind::Statement);
    let lowered = compiler.lower(&typed.items).ok()?;
    let (call, sides) = lowered.split_last()?;
    let ItemKind::Apply(Head::Function(name, 0), 2) = call.kind else {
        return None;
    };
    let by = subtree_start(sides, sides.len() - 1);
    let (of, by) = sides.split_at(by);
    let side = |items: &[Item<Name>]| Expression {
        items: items.to_vec(),
        span: (items.iter().map(|item| item.span)).fold(items[0].span, Span::to),
    };
    names::is_grad(session, name).then(|| [side(of), side(by)])
}

/// The error for a function that only the calculator has. `None` for one that it does not have either.
fn not_in_numpy(name: Name, span: Span) -> Lowered {
    if !is_built_in(name) {
        return Ok(None);
    }
    let message = format!("NumPy has no `{name}` that means the same");
    let help = format!("the calculator's own is `{name}(…)`, without a module");
    Err(fail(span, message, help))
}

/// The weights of `n.layers[1]`: item 1 of a list of names.
fn weights_of_layer(list: &[Item<Name>], position: &[Item<Name>]) -> Option<Clause> {
    let (last, layers) = list.split_last()?;
    let is_name = |item: &Item<Name>| matches!(item.kind, ItemKind::Name(_));
    let is_list = last.kind == ItemKind::Apply(Head::List, layers.len() as u32);
    let ItemKind::Number(literal) = position.last()?.kind else {
        return None;
    };
    let index = literal.value;
    let is_place = index.fract() == 0.0 && index >= 0.0;
    let layer = layers.get(index as usize)?;
    (is_place && is_list && layers.iter().all(is_name)).then(|| vec![*layer])
}

/// One side of a derivative without its sign: `a` of `da`.
struct DerivativeSide {
    inner: Clause,
    /// Whether the side can only be that of a derivative: the sign is `∂` or `d(…)`, or the name after `d` is known.
    is_certain: bool,
}

/// The number of `[3]`, a list of one number.
fn only_number(list: &[Item<Name>]) -> Option<&[Item<Name>]> {
    let (last, inside) = list.split_last()?;
    let is_inner_list = matches!(
        inside.last()?.kind,
        ItemKind::Apply(Head::List | Head::Collect, _)
    );
    (last.kind == ItemKind::Apply(Head::List, 1) && !is_inner_list).then_some(inside)
}

/// The functions that may order a list by a key.
const KEYED: [&str; 3] = ["max", "min", "sorted"];

/// Whether the item is a call such as `max(xs, key=f)`.
fn is_keyed(items: &[Item<Name>], at: usize) -> bool {
    let is_named = |it: &Item<Name>| matches!(it.kind, ItemKind::Apply(Head::Named(_), _));
    let is_function = matches!(items[at].kind, ItemKind::Apply(Head::Function(name, 0), _) if KEYED.contains(&name));
    is_function && items[..at].last().is_some_and(is_named)
}

/// The number in a text: `float("2.5")`. `None` for any other operand.
fn number_of_text(name: Name, operand: &Clause) -> Lowered {
    let [item] = operand[..] else {
        return Ok(None);
    };
    let ItemKind::Text(text) = item.kind else {
        return Ok(None);
    };
    let typed = text.trim();
    let number = match name {
        "int" => typed.parse().ok().map(|whole: i64| whole as f64),
        _ => typed.parse().ok(),
    };
    let Some(value) = number else {
        let message = format!("`{name}` takes a text that is a number, and `'{text}'` is none");
        let help = "as in `float('2.5')` and `int('3')`";
        return Err(fail(item.span, message, help));
    };
    let has_point = true;
    let kind = ItemKind::Number(Literal { value, has_point });
    Ok(Some(vec![Item { kind, ..item }]))
}

/// The meaning of `map(f, xs)`: `[f(v) for v in xs]`. For `map(float, xs)` it is the list itself.
fn map(function: &Clause, list: &Clause, span: Span) -> Option<Clause> {
    if only_name(function) == Some("float") {
        return Some(list.clone());
    }
    let all = std::slice::from_ref(list);
    let mut each = Operands { all, span }.fill("[f(v) for v in x]");
    let call = each.len() - 2;
    if let ItemKind::Lambda(typed) = function.first()?.kind {
        let Lambda { definition, .. } = language::lambda(typed);
        let [parameter] = definition.parameters.as_slice() else {
            return None;
        };
        let body = definition.formula()?.items.iter();
        let variable = list.len();
        each[variable].kind = ItemKind::Variable(parameter.target.name);
        let items = body.map(|item| Item { span, ..*item });
        each.splice(call - 1..=call, items);
    } else {
        let name = match only_name(function)? {
            "int" => "trunc",
            other => native_name(other),
        };
        each[call].kind = ItemKind::Apply(Head::Function(name, 0), 1);
    }
    Some(each)
}

/// The meaning of `max(xs, key=f)`, `min(xs, key=f)` and `sorted(xs, key=f, reverse=True)`. The library's `sorted` takes
/// the list, the keys and the direction.
fn by_key(name: Name, operands: Operands<'_>) -> Option<Clause> {
    let is_option = |it: &Clause| {
        matches!(
            it.last().map(|root| root.kind),
            Some(ItemKind::Apply(Head::Named(_), _))
        )
    };
    let count = operands.all.iter().position(is_option)?;
    let (typed, options) = operands.all.split_at(count);
    // `max(a, b, key=abs)` compares its arguments.
    let list = match typed {
        [only] => only.clone(),
        several => operands.with(several).apply(Head::List),
    };
    let mut keys = vec![self::name("∂list", operands.span)];
    let mut direction = operands.fill(if name == "max" { "-1" } else { "1" });
    for option in options {
        let (root, value) = option.split_last()?;
        match root.kind {
            ItemKind::Apply(Head::Named("key"), 1) => {
                keys = map(&value.to_vec(), &keys, operands.span)?;
            }
            ItemKind::Apply(Head::Named("reverse"), 1) if name == "sorted" => {
                direction = operands.with(&[value.to_vec()]).fill("1 - 2*x");
            }
            _ => return None,
        }
    }
    // Nobody types the name of the variable, so the keys cannot mean another list.
    let text = match name {
        "sorted" => "[sorted(∂list, y, z) for ∂list in [x]][0]",
        _ => "[sorted(∂list, y, z)[0] for ∂list in [x]][0]",
    };
    Some(operands.with(&[list, keys, direction]).fill(text))
}
