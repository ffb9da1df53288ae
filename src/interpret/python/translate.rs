//! Translates a line of Python by means of its tree, in which names get the meaning that they have in Python.
//!
//! Functions of modules become the calculator's own, and the translated expressions are printed in place of the original
//! ones. Then `dL/da` becomes `grad(L, a)`.

use std::ops::Range;

use super::patterns::own_name;
use super::{Foreign, MODULES, Meaning, build_network, word};
use crate::session::Session;
use crate::session::values::Value;
use chainrule_engine::ops;
use chainrule_language::{
    self as language, Expression, Head, Item, ItemKind, Lecture, Literal, PrintPiece, Property,
    Span, Statement, StatementSpan, Step, StepKind,
};
use chainrule_report::diagnostic::Diagnostic;

/// The longest list of equal steps that is written out of two or three numbers.
const MOST_STEPS: f64 = 1e6;

/// Functions that take all numbers of an array, whatever its shape.
const FOLDS: [&str; 6] = ["sum", "mean", "max", "min", "prod", "std"];

/// An error says what is wrong with the line, or only that something in it has no counterpart.
type Translated<T> = Result<T, Option<Diagnostic>>;

/// The line in the calculator's language; `None` if there is nothing to translate in it.
pub(super) fn translate(foreign: &Foreign) -> Translated<Option<String>> {
    if foreign.line.starts_with(':') {
        return command(foreign);
    }
    let text = foreign.line;
    let whole = StatementSpan::whole(text);
    let is_python = foreign.is_python();
    let read = if is_python {
        language::python(text, whole.span)
    } else {
        language::statement(text, &whole)
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
            // Python's may be a `lambda`.
            head = Some(format!("{}({}) = ", own[0], own[1..].join(", ")));
            vec![definition.body]
        }
        Statement::Lecture(Lecture::Value(line)) => vec![line.number],
        Statement::Lecture(Lecture::Data { value, .. }) => vec![value],
        Statement::Lecture(Lecture::Print(arguments)) => {
            let pieces = arguments.into_iter().flatten();
            let values = pieces.filter_map(|piece| match piece {
                PrintPiece::Value(value, _) => Some(value),
                PrintPiece::Text(_) => None,
            });
            values.collect()
        }
        Statement::Lecture(_) | Statement::Command(_) | Statement::Block(_) | Statement::Empty => {
            Vec::new()
        }
    };
    let items = expressions.iter().flat_map(|it| &it.items);
    own.extend(items.filter_map(|item| match item.kind {
        ItemKind::Variable(name) => Some(name),
        _ => None,
    }));
    let translator = Translator { foreign, own };
    let mut written = text.to_string();
    for expression in expressions.iter().rev() {
        let tree = translator.expression(expression)?;
        let kinds = expression.items.iter().map(|item| item.kind);
        let is_same = tree.iter().map(|item| item.kind).eq(kinds);
        let printed = language::infix(&tree);
        let own = foreign
            .with_line(&printed)
            .replace_words(translate_derivative);
        if is_python || !is_same || own != printed {
            let (head, start) = match &head {
                Some(head) => (head.as_str(), 0),
                None => ("", expression.span.start),
            };
            let place = start as usize..expression.span.end as usize;
            written.replace_range(place, &[head, &own].concat());
        }
    }
    Ok((written != text).then_some(written))
}

/// Gives the names in a block the meaning that they have in Python. Where something has no counterpart, the block fails
/// when it gets there. Rows on what Python does otherwise are asked if the block can only be Python.
pub(in crate::interpret) fn lower_block<'t>(
    session: &Session,
    text: &'t str,
    steps: &mut [Step<'t>],
    is_python: bool,
) {
    let mut locals = Vec::new();
    collect_locals(steps, false, &mut locals);
    locals.sort_unstable();
    let foreign = Foreign {
        locals: Some(&locals),
        ..Foreign::new(session, text)
    };
    lower_steps(&foreign, steps, is_python);
}

/// Adds the names of functions in a block, of their parameters, and those that they assign.
fn collect_locals<'t>(steps: &[Step<'t>], in_function: bool, names: &mut Vec<&'t str>) {
    for step in steps {
        let mut is_function = in_function;
        match &step.kind {
            StepKind::Function(procedure) => {
                is_function = true;
                names.push(procedure.name.name);
                names.extend(procedure.parameters.iter().map(|it| it.target.name));
            }
            StepKind::Define(definition) => {
                names.push(definition.name.name);
                names.extend(definition.parameters.iter().map(|it| it.name));
            }
            StepKind::Bind(binding) if in_function => {
                names.extend(binding.targets.iter().map(|target| target.name));
            }
            StepKind::Value(line) if in_function => names.push(line.target.name),
            StepKind::For { names: items, .. } if in_function => {
                names.extend(items.iter().map(|item| item.name));
            }
            _ => {}
        }
        for body in step.kind.bodies() {
            collect_locals(body, is_function, names);
        }
    }
}

fn lower_steps(foreign: &Foreign, steps: &mut [Step], is_python: bool) {
    for step in steps {
        let code = language::one_line(step.span.of(foreign.line));
        let line = foreign.with_line(&code);
        let refused = |sections: &[&str]| {
            let found = sections.iter().find_map(|section| line.match_row(section));
            match found {
                Some(Meaning::Refused(error)) => Some(error),
                _ => None,
            }
        };
        let mut error = is_python.then(|| refused(&["python"])).flatten();
        for expression in step.kind.expressions_mut() {
            let items = expression.items.iter();
            let own = items.filter_map(|item| match item.kind {
                ItemKind::Variable(name) => Some(name),
                _ => None,
            });
            let own = own.collect();
            match (Translator { foreign, own }).expression(expression) {
                Ok(items) => expression.items = items,
                Err(Some(found)) => error = error.or(Some(found)),
                Err(None) => error = error.or_else(|| refused(&["functions", "members", "words"])),
            }
        }
        for body in step.kind.bodies_mut() {
            lower_steps(foreign, body, is_python);
        }
        if let Some(error) = error {
            step.kind = StepKind::Refused(error.message, error.help);
        }
    }
}

/// A command with Python among its words.
fn command(foreign: &Foreign) -> Translated<Option<String>> {
    let text = foreign.line;
    let mut written = text.to_string();
    let words = language::words(text, Span::new(0, text.len()));
    for word in words.into_iter().skip(1).rev() {
        let part = foreign.with_line(word.of(text));
        let is_read = language::as_expression(part.line).is_some() || part.is_python();
        if is_read && let Some(own) = translate(&part)? {
            let words = language::words(&own, Span::new(0, own.len()));
            let own = if words.len() > 1 {
                format!("({own})")
            } else {
                own
            };
            written.replace_range(Range::from(word), &own);
        }
    }
    Ok((written != text).then_some(written))
}

/// A part of an expression, operands before what uses them.
type Clause<'t> = Vec<Item<'t>>;

/// A tree: operands, and the operation on them.
fn tree<'t>(
    operands: impl IntoIterator<Item = Clause<'t>>,
    kind: ItemKind<'t>,
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

/// `first..last`
fn range<'t>(first: Clause<'t>, last: Clause<'t>, span: Span) -> Clause<'t> {
    tree([first, last], ItemKind::Apply(Head::Range, 2), span)
}

/// What the names of a line mean.
struct Translator<'f, 't> {
    foreign: &'f Foreign<'f>,
    /// The names of functions and parameters that the line defines, and of the items of its loops.
    own: Vec<&'t str>,
}

impl<'t> Translator<'_, 't> {
    fn expression(&self, expression: &Expression<'t>) -> Translated<Clause<'t>> {
        let mut trees: Vec<Clause> = Vec::new();
        for &item in &expression.items {
            let first = trees.len() - item.kind.operands() as usize;
            let operands = trees.split_off(first);
            trees.push(match item.kind {
                ItemKind::Name(name) => self.name(name, item.span)?,
                ItemKind::Text(words) if self.foreign.locals.is_none() => {
                    let message = "a text is a value only inside of a block or a function";
                    let help = format!("a block shows it: `if 1 > 0: print('{words}')`");
                    return Err(Some(Diagnostic::new(message).at(item.span).help(help)));
                }
                ItemKind::Apply(Head::Function(name, 0), _) => {
                    self.function(name, operands, item.span)?
                }
                // A block runs only the branch that is taken.
                ItemKind::Apply(Head::Choose, _) if self.foreign.locals.is_none() => {
                    self.call("if", operands, item.span)?
                }
                kind => tree(operands, kind, item.span),
            });
        }
        Ok(trees.concat())
    }

    /// Checks that a name means what is built in, and not something of the user's.
    fn check_built_in(&self, name: &str, span: Span) -> Translated<()> {
        if !self.is_taken(name) {
            return Ok(());
        }
        let message = format!("`{name}` is your own here, not the built-in one");
        let help = if self.is_own(name) {
            format!("give your own `{name}` another name")
        } else {
            format!("`:del {name}` brings the built-in one back")
        };
        Err(Some(Diagnostic::new(message).at(span).help(help)))
    }

    /// A call of a built-in function.
    fn call(&self, name: &'t str, operands: Vec<Clause<'t>>, span: Span) -> Translated<Clause<'t>> {
        self.check_built_in(name, span)?;
        let call = ItemKind::Apply(Head::Function(name, 0), operands.len() as u32);
        Ok(tree(operands, call, span))
    }

    fn is_own(&self, name: &str) -> bool {
        self.own.contains(&name) || self.foreign.is_local(name)
    }

    fn is_taken(&self, name: &str) -> bool {
        self.own.contains(&name) || self.foreign.is_taken(name)
    }

    /// `np.pi`, `True`
    fn name(&self, name: &'t str, span: Span) -> Translated<Clause<'t>> {
        // Other members of modules are functions, which are looked at where they are called.
        if let Some((path, member)) = name.rsplit_once('.')
            && (member == "tau" || ops::constant(member).is_some())
            && self.is_module(path)
        {
            let constant = if member == "tau" { "pi" } else { member };
            self.check_built_in(constant, span)?;
            let constant = tree([], ItemKind::Name(constant), span);
            return Ok(match member {
                "tau" => infix(number(2.0, span), "*", constant, span),
                _ => constant,
            });
        }
        Ok(match name {
            "True" if !self.is_taken(name) => number(1.0, span),
            "False" if !self.is_taken(name) => number(0.0, span),
            _ => tree([], ItemKind::Name(name), span),
        })
    }

    fn is_module(&self, path: &str) -> bool {
        let first = path.split('.').next().unwrap_or_default();
        MODULES.contains(&first) && !self.is_taken(first)
    }

    /// A call, whose operands may begin with a module: `np.exp(x)` comes as `exp` of `np` and `x`.
    fn function(
        &self,
        name: &'t str,
        mut operands: Vec<Clause<'t>>,
        span: Span,
    ) -> Translated<Clause<'t>> {
        if let Some(part) = self.network_part(name, &operands, span) {
            return Ok(part);
        }
        let owner = operands.first().and_then(|owner| owner.first()).copied();
        if let Some(ItemKind::Name(path)) = owner.map(|owner| owner.kind)
            && operands[0].len() == 1
        {
            if path == "random" && !self.is_taken(path) {
                return self.random(name, operands.split_off(1), span);
            }
            // numpy draws other numbers than Python's `random`, which are those of the calculator.
            if matches!(path, "np.random" | "numpy.random") {
                return Err(None);
            }
            if self.is_module(path) {
                return self.member(path, name, operands.split_off(1), span);
            }
            if path.contains('.') {
                return Err(None);
            }
        }
        let count = operands.len();
        let call = ItemKind::Apply(Head::Function(name, 0), count as u32);
        if self.foreign.is_known(name) || self.is_taken(name) {
            // `(w**2).sum()` adds all numbers.
            let is_method = owner.is_some_and(|owner| owner.span.start < span.start);
            if is_method && matches!(name, "argmin" | "argmax") && count > 1 {
                return Err(None);
            }
            // numpy's number of an axis, which is no start.
            if is_method && (name, count) == ("sum", 2) {
                return Err(None);
            }
            if is_method && count == 1 && FOLDS.contains(&name) && self.foreign.is_python() {
                operands = vec![self.call("flat", operands, span)?];
            }
            return Ok(tree(operands, call, span));
        }
        match (name, count) {
            ("item" | "double" | "float" | "list" | "tuple", 1) => Ok(operands.concat()),
            ("map", 2) => map(operands, span),
            ("Value", 1) if self.foreign.locals.is_some() => Ok(tree(operands, call, span)),
            ("Value" | "detach", 1) => {
                let mut number = operands.concat();
                // A value with operands gives only its number.
                if number.iter().any(|it| matches!(it.kind, ItemKind::Name(_))) {
                    number.push(Item {
                        kind: ItemKind::Property(Property::Data),
                        span,
                    });
                }
                Ok(number)
            }
            // `enumerate(xs)` is `zip(range(len(xs)), xs)`.
            ("enumerate", 1) => {
                let list = operands.concat();
                let count = self.call("len", vec![list.clone()], span)?;
                let places = self.call("range", vec![count], span)?;
                self.call("zip", vec![places, list], span)
            }
            ("where", _) => self.member("", name, operands, span),
            _ if self.foreign.is_known(own_name(name)) => self.call(own_name(name), operands, span),
            _ => Ok(tree(operands, call, span)),
        }
    }

    /// `n.parameters()` and `n.layers[0].neurons[1].w`: the lists of a network, and an item of one.
    fn network_part(&self, name: &str, operands: &[Clause<'t>], span: Span) -> Option<Clause<'t>> {
        let [owner] = operands else { return None };
        let named = |name: &'static str| tree([], ItemKind::Name(name), span);
        let index = |list, position| tree([list, position], ItemKind::Apply(Head::Index, 2), span);
        match (name, owner.as_slice()) {
            ("parameters", [only]) => {
                let ItemKind::Name(network) = only.kind else {
                    return None;
                };
                let lists = build_network::weight_lists(self.foreign, network);
                let count = lists.len() as u32;
                let lists = lists
                    .into_iter()
                    .map(|list| named(language::kept_name(list)));
                let list = tree(lists, ItemKind::Apply(Head::List, count), span);
                let flat = ItemKind::Apply(Head::Function("flat", 0), 1);
                (count > 0).then(|| tree([list], flat, span))
            }
            ("w" | "b", [network, layer, _, _, neuron, _]) => {
                let (ItemKind::Name(path), ItemKind::Number(layer)) = (network.kind, layer.kind)
                else {
                    return None;
                };
                let network = path.strip_suffix(".layers")?;
                let mut lists = build_network::weight_lists(self.foreign, network).into_iter();
                let list = lists.nth(layer.value as usize)?;
                let part = usize::from(name == "b");
                let neuron = index(named(language::kept_name(list)), vec![*neuron]);
                Some(index(neuron, number(part as f64, span)))
            }
            _ => None,
        }
    }

    /// `random.uniform(-1, 1)`
    fn random(&self, name: &str, operands: Vec<Clause<'t>>, span: Span) -> Translated<Clause<'t>> {
        let draw = match (name, operands.len()) {
            ("uniform", 2) | ("random", 0) => "uniform",
            ("gauss", 0 | 2) => "normal",
            _ => return Err(None),
        };
        if operands.is_empty() {
            let standard = vec![number(0.0, span), number(1.0, span)];
            return self.call(draw, standard, span);
        }
        self.call(draw, operands, span)
    }

    /// A function of `math`, `np`, `torch` and their like.
    fn member(
        &self,
        path: &str,
        name: &'t str,
        operands: Vec<Clause<'t>>,
        span: Span,
    ) -> Translated<Clause<'t>> {
        match (name, operands.len()) {
            ("array" | "asarray" | "tensor" | "Tensor", 1) => {
                let mut tree = operands.concat();
                // A tensor with one number is the number.
                if let [.., one, list] = tree.as_slice()
                    && list.kind == ItemKind::Apply(Head::List, 1)
                    && !matches!(one.kind, ItemKind::Apply(Head::List | Head::Collect, _))
                {
                    tree.pop();
                }
                Ok(tree)
            }
            ("arange", 1..=3) => self.arange(operands, span),
            ("linspace", 2..=3) => self.linspace(operands, span),
            ("where", 3) => self.call("if", operands, span),
            ("argmin" | "argmax", 2..) => Err(None),
            ("log", 2) if path == "math" => self.call("log", operands, span),
            ("factorial", 1) => {
                let factorial = Head::Operator(language::precedence::factorial());
                Ok(tree(operands, ItemKind::Apply(factorial, 1), span))
            }
            (fold, 1) if FOLDS.contains(&fold) => {
                let all = self.call("flat", operands, span)?;
                self.call(fold, vec![all], span)
            }
            (_, count) => {
                let name = own_name(name);
                if count == 0 || !self.foreign.is_known(name) {
                    return Err(None);
                }
                self.call(name, operands, span)
            }
        }
    }

    /// `np.arange(3)`, `np.arange(-5, 5, 0.25)`
    fn arange(&self, operands: Vec<Clause<'t>>, span: Span) -> Translated<Clause<'t>> {
        let numbers: Option<Vec<f64>> = operands.iter().map(|it| self.value(it)).collect();
        let numbers = numbers.filter(|all| all.iter().any(|number| number.fract() != 0.0));
        let (start, stop, step) = match numbers.as_deref() {
            None => return self.call("range", operands, span),
            Some(&[stop]) => (0.0, stop, 1.0),
            Some(&[start, stop]) => (start, stop, 1.0),
            Some(&[start, stop, step]) => (start, stop, step),
            Some(_) => return Err(None),
        };
        let last = (((stop - start) / step).ceil() - 1.0).max(-1.0);
        if !(-1.0..MOST_STEPS).contains(&last) {
            return Err(None);
        }
        let places = range(number(0.0, span), number(last, span), span);
        let steps = infix(number(step, span), "*", places, span);
        Ok(match start {
            0.0 => steps,
            _ => infix(number(start, span), "+", steps, span),
        })
    }

    /// `np.linspace(0, 2*np.pi, 5)` is `2*pi*(0..4)/4`: both ends are in it, to the bit.
    fn linspace(&self, operands: Vec<Clause<'t>>, span: Span) -> Translated<Clause<'t>> {
        let mut operands = operands.into_iter();
        let [from, to] = [operands.next(), operands.next()].map(Option::unwrap_or_default);
        let count = operands.next().map_or(Some(50.0), |it| self.value(&it));
        let is_count = |count: &f64| count.fract() == 0.0 && (2.0..MOST_STEPS).contains(count);
        let last = count.filter(is_count).ok_or(None)? - 1.0;
        let places = range(number(0.0, span), number(last, span), span);
        let share = |way| {
            let steps = infix(way, "*", places, span);
            infix(steps, "/", number(last, span), span)
        };
        if self.value(&from) == Some(0.0) {
            return Ok(share(to));
        }
        let way = infix(to, "-", from.clone(), span);
        Ok(infix(from, "+", share(way), span))
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
}

/// `map(f, xs)` is `[f(v) for v in xs]`, and `map(Value, xs)` the list itself.
fn map(mut operands: Vec<Clause<'_>>, span: Span) -> Translated<Clause<'_>> {
    let list = operands.pop().unwrap_or_default();
    let function = operands.concat();
    let (1, ItemKind::Name(function)) = (function.len(), function[0].kind) else {
        return Err(None);
    };
    if matches!(function, "Value" | "float") {
        return Ok(list);
    }
    let variable = tree([], ItemKind::Variable("v"), span);
    let each = tree([list, variable], ItemKind::Each(1), span);
    let call = ItemKind::Apply(Head::Function(function, 0), 1);
    let called = tree([tree([], ItemKind::Name("v"), span)], call, span);
    let collect = ItemKind::Apply(Head::Collect, 2);
    Ok(tree([each, called], collect, span))
}

/// `dL/da`, `d(L)/d(a*b)`, `∂L/∂a` as `grad(L, a)`, and the rest of the text.
fn translate_derivative<'t>(foreign: &Foreign, text: &'t str) -> Option<(String, &'t str)> {
    let (of, of_known, rest) = derivative_side(foreign, text)?;
    let by = rest.trim_start().strip_prefix('/')?.trim_start();
    let (by, by_known, rest) = derivative_side(foreign, by)?;
    let is_power = rest.trim_start().starts_with(['^', '²', '³']);
    let is_one = (of_known || by_known) && !is_power && !foreign.is_taken("grad");
    is_one.then(|| (format!("grad({of}, {by})"), rest))
}

/// One side of a derivative without its sign, `a` of `da`; whether it can only be a derivative, or is a name with a
/// meaning; and the rest of the text. `None` if it is a name of the user's own.
fn derivative_side<'t>(foreign: &Foreign, text: &'t str) -> Option<(&'t str, bool, &'t str)> {
    let is_letter = text.starts_with('d');
    let inner = text.strip_prefix(['d', '∂'])?;
    let is_end = |&(_, c): &(usize, char)| !c.is_alphanumeric() && !matches!(c, '_' | '[');
    let end = language::outside_brackets(inner).skip(1).find(is_end);
    let (side, rest) = inner.split_at(end.map_or(inner.len(), |(at, _)| at));
    let group = side.strip_prefix('(').and_then(|it| it.strip_suffix(')'));
    if let Some(group) = group {
        let is_taken = is_letter && foreign.session.functions().get("d").is_some();
        return (!is_taken).then_some((group.trim(), true, rest));
    }
    let name = word(side);
    if !language::is_name(name) || is_letter && foreign.is_taken(word(text)) {
        return None;
    }
    let has_meaning = !is_letter || foreign.is_taken(name) || foreign.is_known(name);
    Some((side, has_meaning, rest))
}
