//! A line of Python as a line of the calculator: what its names mean, written on the tree.
//!
//! The parser reads the line, and counts positions from 1. Here functions of modules become the calculator's own, `dL/da`
//! becomes `grad(L, a)`, and the expressions of the line are printed in their places.

use super::{Foreign, MODULES, is_lambda};
use crate::diagnostic::Diagnostic;
use crate::ops;
use crate::session::values::Value;
use crate::syntax::{self, Cut, Expression, Head, Item, ItemKind, Lecture, Printed, Property};
use crate::syntax::{Literal, Span, Statement};

/// The longest list of equal steps that is written out of two or three numbers.
const MOST_STEPS: f64 = 1e6;

/// Functions that take all numbers of an array, whatever its shape.
const FOLDS: [&str; 6] = ["sum", "mean", "max", "min", "prod", "std"];

/// Functions that the calculator calls otherwise.
const RENAMED: &[(&str, &str)] = &[
    ("fabs", "abs"),
    ("maximum", "max"),
    ("minimum", "min"),
    ("log", "ln"),
    ("arctan", "atan"),
    ("arcsin", "asin"),
    ("arccos", "acos"),
    ("arctan2", "atan2"),
    ("arcsinh", "asinh"),
    ("arccosh", "acosh"),
    ("arctanh", "atanh"),
    ("absolute", "abs"),
    ("amax", "max"),
    ("amin", "min"),
    ("clip", "clamp"),
    ("power", "pow"),
    ("remainder", "mod"),
    ("fmod", "rem"),
    ("comb", "nCr"),
];

/// What the calculator calls a function of Python's.
pub(super) fn renamed(name: &str) -> &str {
    let pair = RENAMED.iter().find(|pair| pair.0 == name);
    pair.map_or(name, |pair| pair.1)
}

/// An error says what is wrong with the line, or only that something in it has no counterpart.
type Translated<T> = Result<T, Option<Diagnostic>>;

/// The line in the calculator's language; `None` if there is nothing to translate in it.
pub(super) fn line(foreign: &Foreign) -> Translated<Option<String>> {
    if foreign.line.starts_with(':') {
        return command(foreign);
    }
    let text = foreign.line;
    let whole = Cut::whole(text);
    let is_python = foreign.is_python();
    let read = if is_python {
        syntax::python(text, whole.span)
    } else {
        syntax::statement(text, &whole)
    };
    let statement = match read {
        Ok(statement) => statement,
        Err(error) if is_python => {
            return Err(Some(foreign.session.explain(error)));
        }
        Err(_) => return Ok(None),
    };
    let (mut own, mut head) = (Vec::new(), None);
    let expressions = match statement {
        Statement::Expression(expression) => vec![expression],
        Statement::Binding(binding) => binding.values,
        Statement::Definition(definition) => {
            own.push(definition.name.name);
            own.extend(definition.parameters.iter().map(|it| it.name));
            if is_lambda(text) {
                let parameters = own[1..].join(", ");
                head = Some(format!("{}({parameters}) = ", own[0]));
            }
            vec![definition.body]
        }
        Statement::Lecture(Lecture::Value { number, .. }) => vec![number],
        Statement::Lecture(Lecture::Data { value, .. }) => vec![value],
        Statement::Lecture(Lecture::Print(arguments)) => {
            let pieces = arguments.into_iter().flatten();
            let values = pieces.filter_map(|piece| match piece {
                Printed::Value(value) => Some(value),
                Printed::Text(_) => None,
            });
            values.collect()
        }
        Statement::Lecture(_) | Statement::Command(_) | Statement::Empty => Vec::new(),
    };
    let mut written = String::new();
    let mut copied = 0;
    for expression in &expressions {
        let tree = TranslatedTree::translated(foreign, &own, expression)?;
        if tree.changed || is_python {
            let before = &text[copied..expression.span.start as usize];
            written.push_str(head.as_deref().unwrap_or(before));
            written.push_str(&syntax::infix(&tree.items));
            copied = expression.span.end as usize;
        }
    }
    written.push_str(&text[copied..]);
    Ok((written != text).then_some(written))
}

/// A command with Python among its words.
fn command(foreign: &Foreign) -> Translated<Option<String>> {
    let text = foreign.line;
    let mut written = String::new();
    let mut copied = 0;
    for word in syntax::words(text, Span::new(0, text.len())) {
        let part = word.of(text);
        if word.start == 0
            || syntax::as_expression(part).is_none() && !foreign.with_line(part).is_python()
        {
            continue;
        }
        if let Some(own) = line(&foreign.with_line(part))? {
            written.push_str(&text[copied..word.start as usize]);
            let words = syntax::words(&own, Span::new(0, own.len()));
            match words.into_iter().nth(1) {
                Some(_) => written.extend(["(", &own, ")"]),
                None => written.push_str(&own),
            }
            copied = word.end as usize;
        }
    }
    written.push_str(&text[copied..]);
    Ok((copied > 0).then_some(written))
}

/// A tree whose names are being translated, operands before what uses them.
struct TranslatedTree<'f, 't> {
    foreign: &'f Foreign<'f>,
    /// The names of functions and parameters that the line defines, and of the items of its loops.
    own: Vec<&'t str>,
    items: Vec<Item<'t>>,
    /// Where the operands begin that are not yet used.
    starts: Vec<usize>,
    changed: bool,
}

impl<'f, 't> TranslatedTree<'f, 't> {
    fn translated(
        foreign: &'f Foreign,
        own: &[&'t str],
        expression: &Expression<'t>,
    ) -> Translated<TranslatedTree<'f, 't>> {
        let variables = expression.items.iter().filter_map(|item| match item.kind {
            ItemKind::Variable(name) => Some(name),
            _ => None,
        });
        let mut tree = TranslatedTree {
            foreign,
            own: own.iter().copied().chain(variables).collect(),
            items: Vec::with_capacity(expression.items.len()),
            starts: Vec::new(),
            changed: false,
        };
        for item in &expression.items {
            tree.add(*item)?;
        }
        Ok(tree)
    }

    /// Adds an item of Python, whose operands are there.
    fn add(&mut self, item: Item<'t>) -> Translated<()> {
        match item.kind {
            ItemKind::Name(name) => self.name(name, item),
            ItemKind::Apply(Head::Function(name, 0), count) => self.function(name, count, item),
            ItemKind::Apply(Head::Operator(operator), 2) if operator.spelling == "/" => {
                self.quotient(item)
            }
            _ => {
                self.push(item.kind, item.span);
                Ok(())
            }
        }
    }

    /// Adds an item of the calculator.
    fn push(&mut self, kind: ItemKind<'t>, span: Span) {
        let first = self.starts.len() - kind.operands() as usize;
        let start = self.starts.get(first).copied();
        self.starts.truncate(first);
        self.starts.push(start.unwrap_or(self.items.len()));
        self.items.push(Item { kind, span });
    }

    fn number(&mut self, value: f64, span: Span) {
        let point = false;
        self.push(ItemKind::Number(Literal { value, point }), span);
    }

    fn operator(&mut self, spelling: &str, span: Span) {
        if let Some(operator) = syntax::precedence::between(spelling) {
            self.push(ItemKind::Apply(Head::Operator(operator), 2), span);
        }
    }

    /// Adds a built-in function or constant, unless the user has one of this name.
    fn built_in(&mut self, name: &'t str, kind: ItemKind<'t>, span: Span) -> Translated<()> {
        if self.is_taken(name) {
            let message = format!("`{name}` is your own here, not the built-in one");
            let help = if self.is_own(name) {
                format!("give your own `{name}` another name")
            } else {
                format!("`:del {name}` brings the built-in one back")
            };
            return Err(Some(Diagnostic::new(message).at(span).help(help)));
        }
        self.changed = true;
        self.push(kind, span);
        Ok(())
    }

    /// Adds a call of a built-in function.
    fn call(&mut self, name: &'t str, count: u32, item: Item<'t>) -> Translated<()> {
        let call = ItemKind::Apply(Head::Function(name, 0), count);
        self.built_in(name, call, item.span)
    }

    fn is_own(&self, name: &str) -> bool {
        self.own.contains(&name) || self.foreign.is_local(name)
    }

    fn is_taken(&self, name: &str) -> bool {
        self.own.contains(&name) || self.foreign.is_taken(name)
    }

    /// Forgets the last operands, so that only `left` remain.
    fn forget(&mut self, left: usize) {
        if let Some(&start) = self.starts.get(left) {
            self.items.truncate(start);
            self.starts.truncate(left);
        }
    }

    /// The items of the last operands, the first of which is the `nth` of those not yet used.
    fn operand(&self, nth: usize) -> &[Item<'t>] {
        let end = self.starts.get(nth + 1).copied();
        &self.items[self.starts[nth]..end.unwrap_or(self.items.len())]
    }

    /// `np.pi`, `True`
    fn name(&mut self, name: &'t str, item: Item<'t>) -> Translated<()> {
        // Other members of modules are functions, which are looked at where they are called.
        if let Some((path, constant)) = name.rsplit_once('.')
            && ops::constant(constant).is_some()
            && self.is_module(path)
        {
            return self.built_in(constant, ItemKind::Name(constant), item.span);
        }
        if matches!(name, "True" | "False") && !self.is_taken(name) {
            self.changed = true;
            self.number(f64::from(u8::from(name == "True")), item.span);
        } else {
            self.push(item.kind, item.span);
        }
        Ok(())
    }

    fn is_module(&self, path: &str) -> bool {
        let first = path.split('.').next().unwrap_or_default();
        MODULES.contains(&first) && !self.is_taken(first)
    }

    /// A call, whose operands may begin with a module: `np.exp(x)` comes as `exp` of `np` and `x`.
    fn function(&mut self, name: &'t str, count: u32, item: Item<'t>) -> Translated<()> {
        let first = self.starts.len() - count as usize;
        let operand = self.starts.get(first).map(|_| self.operand(first));
        let owner = operand.and_then(|items| match items[0].kind {
            ItemKind::Name(path) if items.len() == 1 => Some(path),
            _ => None,
        });
        if let Some(path) = owner {
            let random = matches!(path, "np.random" | "numpy.random")
                || path == "random" && !self.is_taken(path);
            if random || self.is_module(path) {
                self.items.remove(self.starts[first]);
                self.starts.remove(first);
                self.starts[first..]
                    .iter_mut()
                    .for_each(|start| *start -= 1);
                return if random {
                    self.random(name, count - 1, item)
                } else {
                    self.member(path, name, count - 1, item)
                };
            }
            if path.contains('.') {
                return Err(None);
            }
        }
        if self.foreign.is_known(name) || self.is_taken(name) {
            // `(w**2).sum()` adds all numbers.
            let owner = self.starts.get(first).map(|&start| self.items[start].span);
            let is_method = owner.is_some_and(|owner| owner.start < item.span.start);
            if is_method && count == 1 && FOLDS.contains(&name) && self.foreign.is_python() {
                self.flatten(item)?;
            }
            self.push(item.kind, item.span);
            return Ok(());
        }
        match (name, count) {
            ("item" | "double" | "float" | "list" | "tuple", 1) => {}
            ("map", 2) => return self.map(first, item),
            ("Value", 1) => {
                // A `Value` has no operands, so only the number is used.
                let operand = self.operand(first);
                if operand
                    .iter()
                    .any(|it| matches!(it.kind, ItemKind::Name(_)))
                {
                    self.push(ItemKind::Property(Property::Data), item.span);
                }
            }
            ("detach", 1) => self.push(ItemKind::Property(Property::Data), item.span),
            ("range", 1..=3) => return self.steps(count, item),
            ("where", 3) => return self.call("if", 3, item),
            _ => {
                self.push(item.kind, item.span);
                return Ok(());
            }
        }
        self.changed = true;
        Ok(())
    }

    /// `map(f, xs)` is `[f(v) for v in xs]`, and `map(Value, xs)` the list itself.
    fn map(&mut self, first: usize, item: Item<'t>) -> Translated<()> {
        let &[
            Item {
                kind: ItemKind::Name(function),
                ..
            },
        ] = self.operand(first)
        else {
            return Err(None);
        };
        let list = self.operand(first + 1).to_vec();
        self.changed = true;
        self.forget(first);
        self.starts.push(self.items.len());
        self.items.extend(list);
        if !matches!(function, "Value" | "float") {
            self.push(ItemKind::Variable("v"), item.span);
            self.push(ItemKind::Each(1), item.span);
            self.push(ItemKind::Name("v"), item.span);
            self.push(ItemKind::Apply(Head::Function(function, 0), 1), item.span);
            self.push(ItemKind::Apply(Head::Collect, 2), item.span);
        }
        Ok(())
    }

    /// `random.uniform(-1, 1)`
    fn random(&mut self, name: &str, count: u32, item: Item<'t>) -> Translated<()> {
        let (draw, defaults) = match (name, count) {
            ("uniform", 2) => ("uniform", false),
            ("normal" | "gauss" | "normalvariate", 2) => ("normal", false),
            ("random" | "rand" | "uniform", 0) => ("uniform", true),
            ("randn" | "normal", 0) => ("normal", true),
            _ => return Err(None),
        };
        if defaults {
            self.number(0.0, item.span);
            self.number(1.0, item.span);
        }
        self.call(draw, 2, item)
    }

    /// A function of `math`, `np`, `torch` and their like.
    fn member(&mut self, path: &str, name: &'t str, count: u32, item: Item<'t>) -> Translated<()> {
        match (name, count) {
            ("array" | "asarray" | "tensor" | "Tensor", 1) => {
                self.changed = true;
                // A tensor with one number is the number.
                if let [.., one, list] = self.items.as_slice()
                    && list.kind == ItemKind::Apply(Head::List, 1)
                    && !matches!(one.kind, ItemKind::Apply(Head::List | Head::Collect, _))
                {
                    self.items.pop();
                }
                Ok(())
            }
            ("arange", 1..=3) => self.steps(count, item),
            ("linspace", 2..=3) => self.linspace(count, item),
            ("where", 3) => self.call("if", 3, item),
            // That of the nearest multiple.
            ("remainder", _) if path == "math" => Err(None),
            ("log", 2) if path == "math" => self.call("log", 2, item),
            ("factorial", 1) => {
                self.changed = true;
                let factorial = Head::Operator(syntax::precedence::factorial());
                self.push(ItemKind::Apply(factorial, 1), item.span);
                Ok(())
            }
            (fold, 1) if FOLDS.contains(&fold) => {
                self.flatten(item)?;
                self.call(fold, 1, item)
            }
            _ => {
                let name = renamed(name);
                if count == 0 || !self.foreign.is_known(name) {
                    return Err(None);
                }
                self.call(name, count, item)
            }
        }
    }

    /// Puts `flat` around the last operand if it can be a list of lists.
    fn flatten(&mut self, item: Item<'t>) -> Translated<()> {
        let session = self.foreign.session;
        let is_nested = |name: &str| match session.names().find(name) {
            _ if self.is_own(name) => true,
            Some(Value::List(list)) => matches!(list.items().next(), Some(Value::List(_))),
            _ => false,
        };
        let (mut lists, mut nested) = (0, false);
        for item in self.operand(self.starts.len() - 1) {
            match item.kind {
                ItemKind::Apply(Head::List | Head::Collect, _) => lists += 1,
                ItemKind::Apply(Head::Function(name, _), _) => {
                    nested |= session.functions().get(name).is_some();
                }
                ItemKind::Name(name) => nested |= is_nested(name),
                _ => {}
            }
        }
        if nested || lists > 1 {
            self.call("flat", 1, item)?;
        }
        Ok(())
    }

    /// `range(3)`, `np.arange(-5, 5, 0.25)`
    fn steps(&mut self, count: u32, item: Item<'t>) -> Translated<()> {
        let first = self.starts.len() - count as usize;
        let numbers = (first..self.starts.len()).map(|nth| self.value(self.operand(nth)));
        let numbers: Option<Vec<f64>> = numbers.collect();
        let (start, step, stop) = match numbers.as_deref() {
            Some(&[stop]) => (0.0, 1.0, stop),
            Some(&[start, stop]) => (start, 1.0, stop),
            Some(&[start, stop, step]) => (start, step, stop),
            None if count == 1 => {
                self.whole_below(item.span);
                return Ok(());
            }
            _ => return Err(None),
        };
        let last = ((stop - start) / step).ceil() - 1.0;
        if !(0.0..MOST_STEPS).contains(&last) {
            return Err(None);
        }
        self.changed = true;
        self.forget(first);
        if start.fract() == 0.0 && step == 1.0 {
            self.whole(start, start + last, item.span);
            return Ok(());
        }
        let sum = (start != 0.0).then(|| self.number(start, item.span));
        self.number(step, item.span);
        self.whole(0.0, last, item.span);
        self.operator("*", item.span);
        if sum.is_some() {
            self.operator("+", item.span);
        }
        Ok(())
    }

    /// `range(len(w))` is `0..len(w) - 1`.
    fn whole_below(&mut self, span: Span) {
        let last = self.starts.len() - 1;
        let stop = self.operand(last).to_vec();
        self.changed = true;
        self.forget(last);
        self.number(0.0, span);
        self.starts.push(self.items.len());
        self.items.extend(stop);
        self.number(1.0, span);
        self.operator("-", span);
        self.push(ItemKind::Apply(Head::Range, 2), span);
    }

    /// `0..last`
    fn whole(&mut self, first: f64, last: f64, span: Span) {
        self.number(first, span);
        self.number(last, span);
        self.push(ItemKind::Apply(Head::Range, 2), span);
    }

    /// `np.linspace(0, 2*np.pi, 5)` is `2*pi*(0..4)/4`: both ends are in it, to the bit.
    fn linspace(&mut self, count: u32, item: Item<'t>) -> Translated<()> {
        let first = self.starts.len() - count as usize;
        let number = match count {
            2 => Some(50.0),
            _ => self.value(self.operand(first + 2)),
        };
        let is_count = |number: &f64| number.fract() == 0.0 && (2.0..MOST_STEPS).contains(number);
        let last = number.filter(is_count).ok_or(None)? - 1.0;
        let from = self.operand(first).to_vec();
        let is_zero = self.value(&from) == Some(0.0);
        self.changed = true;
        self.forget(first + 2);
        if is_zero {
            let to = self.starts[first + 1];
            self.items.drain(self.starts[first]..to);
            self.starts.pop();
        } else {
            self.starts.push(self.items.len());
            self.items.extend(from);
            self.operator("-", item.span);
        }
        self.whole(0.0, last, item.span);
        self.operator("*", item.span);
        self.number(last, item.span);
        self.operator("/", item.span);
        if !is_zero {
            self.operator("+", item.span);
        }
        Ok(())
    }

    /// The number that an operand is: a literal, or a name by its present value, perhaps with a minus.
    fn value(&self, items: &[Item<'t>]) -> Option<f64> {
        let minus = |item: &Item| matches!(item.kind, ItemKind::Apply(Head::Operator(it), 1) if it.spelling == "-");
        let (one, sign) = match items {
            [one] => (one, 1.0),
            [one, sign] if minus(sign) => (one, -1.0),
            _ => return None,
        };
        let value = match one.kind {
            ItemKind::Number(literal) => literal.value,
            ItemKind::Name(name) if !self.is_own(name) => {
                match self.foreign.session.names().find(name)? {
                    Value::Node(node) => node.data(),
                    Value::List(_) => return None,
                }
            }
            _ => return None,
        };
        Some(sign * value).filter(|value| value.is_finite())
    }

    /// `dL/da`: the operands of a quotient may be those of a derivative.
    fn quotient(&mut self, item: Item<'t>) -> Translated<()> {
        let right = self.starts.len() - 1;
        let left = self.operand(right - 1);
        // `2*dL/da` and `-dL/da` begin with something else.
        let (of, behind) = match left {
            [rest @ .., root] if is_factor(root) => (last(rest), Some(*root)),
            of => (of, None),
        };
        let before = left.len() - of.len() - usize::from(behind.is_some());
        let Some((of, by)) = derivative(self.foreign, of, self.operand(right)) else {
            self.push(item.kind, item.span);
            return Ok(());
        };
        let start = self.starts[right - 1] + before;
        self.items.truncate(start);
        self.starts.truncate(right - 1);
        if before > 0 {
            self.starts.push(start - before);
        }
        for side in [of, by] {
            self.starts.push(self.items.len());
            self.items.extend(side);
        }
        self.call("grad", 2, item)?;
        if let Some(behind) = behind {
            self.push(behind.kind, behind.span);
        }
        Ok(())
    }
}

/// Is it a product or a sign?
fn is_factor(item: &Item) -> bool {
    matches!(item.kind, ItemKind::Apply(Head::Operator(operator), count) if count == 1 || operator.spelling == "*")
}

/// One side of a derivative, without its sign: that of `da`, `∂w[1]`, `d(a*b)`.
type Side<'t> = Vec<Item<'t>>;

/// Of what and by what the derivative is that the operands of a quotient write.
fn derivative<'t>(
    foreign: &Foreign,
    of: &[Item<'t>],
    by: &[Item<'t>],
) -> Option<(Side<'t>, Side<'t>)> {
    let ((of, of_known), (by, by_known)) = (side(foreign, of)?, side(foreign, by)?);
    (of_known || by_known).then_some((of, by))
}

/// A side, and whether it can only be one or has a name that has a meaning. None if it is a name of the user's own.
fn side<'t>(foreign: &Foreign, items: &[Item<'t>]) -> Option<(Side<'t>, bool)> {
    let signs = ['d', '∂'];
    if let [inner @ .., root] = items
        && let ItemKind::Apply(Head::Function(sign @ ("d" | "∂"), 0), 1) = root.kind
    {
        let is_taken = sign == "d" && foreign.session.functions().get(sign).is_some();
        return (!is_taken).then(|| (inner.to_vec(), true));
    }
    let mut side = items.to_vec();
    let ItemKind::Name(name) = items.first()?.kind else {
        return None;
    };
    let of = name.strip_prefix(signs).filter(|of| syntax::is_name(of))?;
    side[0].kind = ItemKind::Name(of);
    let is_item = items.last()?.kind == ItemKind::Apply(Head::Index, 2);
    let is_letter = name.starts_with('d');
    if items.len() > 1 && !is_item || is_letter && foreign.is_taken(name) {
        return None;
    }
    let has_meaning = !is_letter || foreign.is_taken(of) || foreign.is_known(of);
    Some((side, has_meaning))
}

/// The last operand among items.
fn last<'i, 't>(items: &'i [Item<'t>]) -> &'i [Item<'t>] {
    let (mut start, mut missing) = (items.len(), 1);
    while missing > 0 && start > 0 {
        start -= 1;
        missing += items[start].kind.operands();
        missing -= 1;
    }
    &items[start..]
}
