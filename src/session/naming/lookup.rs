//! Resolves the names, references and functions of an expression.
//!
//! The user's own definitions take precedence over predefined ones. Every failure becomes an error that suggests
//! something similar. Of all names, only predefined constants create nodes here.

use std::rc::{Rc, Weak};

use crate::session::Session;
use crate::session::error::{Error, fail};
use crate::session::functions::{
    Callee, GRAD, LIBRARY, LibraryFunction, function_error, is_built_in, native_name,
};
use crate::session::naming::NameLoss;
use crate::session::values::{Value, range_sentence};
use chainrule_engine::graph::{Node, Spelling};
use chainrule_engine::ops;
use chainrule_language::{Head, Item, ItemKind, Literal, Name, Property, Span};
use chainrule_report::diagnostic::suggest::{did_you_mean, nearest};
use chainrule_report::diagnostic::{Diagnostic, backtick_list};
use chainrule_report::plural;
use chainrule_stop as stop;

/// The name that always means the last result.
pub const LAST_RESULT: &str = "_";

/// The names that mean the last result. The user may bind the first one.
pub const ANSWERS: [&str; 2] = ["ans", LAST_RESULT];

/// The numbers of arguments that a function takes, and a correct call of it.
struct Usage {
    /// The least number and the most.
    counts: (usize, usize),
    example: String,
}

impl Session {
    /// The value of a name: the user's own, the last result, or a predefined constant.
    pub(crate) fn value_of_name(&mut self, name: &str, span: Span) -> Result<Value, Error> {
        if let Some(value) = self.names.find(name) {
            return Ok(value.clone());
        }
        if ANSWERS.contains(&name) {
            let help = "it is the last result: type an expression first";
            let missing = || fail(span, format!("`{name}` has no value yet"), help);
            return self.results.last().cloned().ok_or_else(missing);
        }
        if let Some((known, value, _)) = ops::CONSTANTS.iter().find(|(known, ..)| *known == name) {
            return Ok(self.graph.constant(*value, Spelling::Named(known)).into());
        }
        if matches!(name, "True" | "False") {
            let holds = f64::from(u8::from(name == "True"));
            return Ok(self.graph.constant(holds, Spelling::Plain).into());
        }
        if self.usage(name).is_some() {
            return Err(function_error(name, span));
        }
        Err(self.unknown_names_error(&[name], span))
    }

    /// Whether a name means nothing: neither a value nor a function.
    pub(in crate::session) fn is_unknown(&self, name: &str) -> bool {
        !self.knows(name) && !self.is_function(name) && !matches!(name, "True" | "False")
    }

    /// The error for names without a value, the first of which is at `span`.
    pub(in crate::session) fn unknown_names_error(&self, names: &[&str], span: Span) -> Error {
        let (message, help) = match names {
            [name] => (
                format!("unknown name `{name}`"),
                self.unknown_name_help(name),
            ),
            _ => (
                format!("unknown names {}", backtick_list(names)),
                self.unknown_names_help(names),
            ),
        };
        let mut error = fail(span, message, help);
        error.unknown = names.iter().map(ToString::to_string).collect();
        error
    }

    /// The help for several names without a value.
    fn unknown_names_help(&self, names: &[&str]) -> String {
        let line = self.numbers_line(names).unwrap_or_default();
        let advice = format!("give them numbers first: `{line}`");
        let near = |name| Some((name, self.near_name(name)?));
        match names.iter().copied().find_map(near) {
            Some((name, near)) => format!("`{name}` may mean `{near}`; if not, {advice}"),
            None => advice,
        }
    }

    /// The line that gives names without a value numbers. `None` for a single name that probably is a typing error, or a
    /// constant or a unit of other calculators.
    pub fn numbers_line(&self, names: &[impl AsRef<str>]) -> Option<String> {
        let names: Vec<&str> = names.iter().map(AsRef::as_ref).collect();
        match names[..] {
            [] => None,
            [name] => {
                let is_letter = foreign_name_help(name).is_none() && self.near_name(name).is_none();
                is_letter.then(|| format!("{name} = 2"))
            }
            _ => {
                let ones = vec!["1"; names.len()];
                Some(format!("{} = {}", names.join(", "), ones.join(", ")))
            }
        }
    }

    /// The name with a value that is nearest to a name without one.
    fn near_name(&self, name: &str) -> Option<&str> {
        let constants = ops::CONSTANTS.iter().map(|(known, ..)| *known);
        let bound = self.names.bound_values().map(|(known, _)| known);
        nearest(name, bound.chain(constants))
    }

    /// The help for a name without a value.
    fn unknown_name_help(&self, name: &str) -> String {
        did_you_mean(self.near_name(name), || {
            let usual = || format!("`{name} = 2` gives it a value; `:vars` lists all names");
            foreign_name_help(name).unwrap_or_else(usual)
        })
    }

    /// Whether a name means the last result, but a redo has taken back later ones.
    pub(in crate::session) fn is_older_result(&self, name: &str) -> bool {
        self.recent.has_lost_results && ANSWERS.contains(&name) && self.names.find(name).is_none()
    }

    /// Whether `ans` has a value.
    pub fn has_answer(&self) -> bool {
        self.names.find(ANSWERS[0]).is_some() || self.results.last().is_some()
    }

    /// The value of the reference at `at`: `a@1`, `@9`, `$3`.
    pub(crate) fn value_of_reference(
        &mut self,
        text: &str,
        items: &[Item<Name>],
        at: usize,
    ) -> Result<Value, Error> {
        let item = &items[at];
        if matches!(item.kind, ItemKind::Result(_) | ItemKind::Id(_)) && self.numbers_differ() {
            let reference = item.span.of(text);
            let message =
                format!("`{reference}` in a file means a result or node of its own session");
            let help = "load the file into an empty session: `:reset` first";
            return Err(fail(item.span, message, help));
        }
        let (found, help) = match item.kind {
            ItemKind::Former(name, count) => {
                if let Some(loss) = self.names.loss(name, count) {
                    return remaining_items(text, items, at, loss);
                }
                (
                    None,
                    "former names last as long as something uses their node".into(),
                )
            }
            ItemKind::Result(number) => (
                self.results.get(u64::from(number)),
                range_sentence(self.results.range()),
            ),
            ItemKind::Id(id) => {
                // Constants are not listed, and no table shows their ids. In a file that is loaded, the numbers count
                // the nodes of the file.
                let own = id.saturating_add(self.newest_id_before_file());
                let found = self.graph.living().node(own);
                let help = "`:grad` with `--json` shows all ids".to_string();
                let node = found.filter(|_| self.is_in_use(own));
                (node.map(Value::Node), help)
            }
            _ => unreachable!("all other items have a value by themselves"),
        };
        found.ok_or_else(|| {
            let message = format!("there is no `{}`", item.span.of(text));
            fail(item.span, message, help)
        })
    }

    /// Whether there is a function with this name, with any number of arguments.
    pub fn is_function(&self, name: &str) -> bool {
        self.functions.get(name).is_some() || is_built_in(name)
    }

    /// Whether the name means the built-in function `grad`, which shares its name with a command.
    pub fn is_grad(&self, name: &str) -> bool {
        name == GRAD && self.functions.get(name).is_none()
    }

    /// The meaning of a function's name in a call with `count` arguments. The user's own functions take precedence.
    pub(in crate::session) fn callee(
        &self,
        (name, primes): (&str, u8),
        count: usize,
        span: Span,
    ) -> Result<Callee, Error> {
        if let Some(own) = self.functions.get(name) {
            let (least, most) = own.counts();
            // The arguments of a function of several lines are checked when the call runs.
            let fits = (least..=most).contains(&count) || own.lines.is_some() && primes == 0;
            if fits && (primes == 0 || most == 1) {
                return Ok(Callee::Own(Rc::clone(own)));
            }
        } else if let Some(function) = LibraryFunction::find(name) {
            if primes == 0 && function.takes(count) {
                return Ok(Callee::Library(function));
            }
        } else if let Some(op) = ops::function(name, count) {
            match primes {
                0 => return Ok(Callee::Built(op)),
                _ if op.arity().1 == Some(1) => return Ok(Callee::Derived(op, primes)),
                _ => {}
            }
        } else if primes == 0 && ops::logarithm_to_base(name, count).is_some() {
            return Ok(Callee::Logarithm);
        } else if native_name(name) != name && !is_built_in(name) {
            return self.callee((native_name(name), primes), count, span);
        }
        Err(self.call_error((name, primes), count, span))
    }

    /// The error for a call without a meaning.
    pub(super) fn call_error(&self, (name, primes): (&str, u8), given: usize, span: Span) -> Error {
        let Some(usage) = self.usage(name) else {
            return self.unknown_function_error(name, span);
        };
        let (least, most) = usage.counts;
        let takes = match most {
            _ if most == least => plural(least, "argument"),
            _ if most == least + 1 => format!("{least} or {most} arguments"),
            _ => format!("{least} or more arguments"),
        };
        if primes == 0 || most == 1 && given != 1 {
            let is = if given == 1 { "is" } else { "are" };
            let message = format!("`{name}` takes {takes}, {given} {is} given");
            return fail(span, message, format!("as in `{}`", usage.example));
        }
        let what = if most == 1 { "a list" } else { &takes };
        let message = format!("a prime is for functions of one number, and `{name}` takes {what}");
        if self.functions.get(name).is_some() {
            return fail(
                span,
                message,
                format!("`:formula {name}` has its derivatives"),
            );
        }
        let help = "its derivative by one of several: `grad(…(…), LEAF)`; by each item of a list: `grad(…(LIST), LIST)`";
        fail(span, message, help)
    }

    /// The error for a call of a name that is not a function.
    fn unknown_function_error(&self, name: &str, span: Span) -> Error {
        if self.knows(name) {
            let what = self.names.find(name).map_or("value", value_word);
            let message = format!("`{name}` is a {what}, not a function");
            let help = format!("to multiply, write `{name}*(…)`; an item of a list is `LIST[0]`");
            return fail(span, message, help);
        }
        if name.starts_with('.') {
            let message = format!("expected `.data`, `.grad` or a call, found `{name}`");
            let help = "a value has `.data`, `.grad` and `.sigma`; how many items a list has is `len(LIST)`";
            return fail(span, message, help);
        }
        let library = LIBRARY.iter().map(|function| function.name);
        let mut known: Vec<&str> = ops::function_names().chain(library).collect();
        known.extend(self.functions.iter().map(|own| &*own.name));
        let help = did_you_mean(nearest(name, known), || {
            "`:help operations` lists all functions".to_string()
        });
        fail(span, format!("unknown function `{name}`"), help)
    }

    /// The usage of the function with this name.
    fn usage(&self, name: &str) -> Option<Usage> {
        let (counts, example) = if let Some(own) = self.functions.get(name) {
            (
                own.counts(),
                format!("{name}({})", vec!["…"; own.parameters.len()].join(", ")),
            )
        } else if let Some(function) = LibraryFunction::find(name) {
            (function.counts, function.example.to_string())
        } else {
            let rows = ops::functions(name);
            let first = rows.first()?;
            let with_base = ops::logarithm_to_base(name, 2).map(|_| 2);
            let most = rows.iter().map(|op| op.arity().1.unwrap_or(usize::MAX));
            let counts = (first.arity().0, most.chain(with_base).max()?);
            (counts, first.example.to_string())
        };
        Some(Usage { counts, example })
    }

    /// `.data`, `.grad` or `.sigma` of a value, as constants, and whether a stale gradient was read.
    pub(crate) fn property(
        &mut self,
        property: Property,
        value: &Value,
        span: Span,
    ) -> Result<(Value, bool), Error> {
        let mut is_stale = false;
        stop::check_before(value.nodes().len());
        let mut constants = Vec::with_capacity(value.nodes().len());
        for node in value.nodes() {
            let number = match property {
                Property::Data => node.data(),
                Property::Grad => {
                    is_stale = self.is_stale() && !self.in_block();
                    self.read_grad(node, span)?
                }
                Property::Sigma => self.names.uncertain.node_deviation(node),
            };
            constants.push(self.graph.constant(number, Spelling::Plain));
        }
        Ok((Value::of_shape(constants, value.shape()), is_stale))
    }

    /// The grad that the last pass gave to a node, or that the user has claimed since.
    fn read_grad(&mut self, node: &Rc<Node>, span: Span) -> Result<f64, Error> {
        if !node.varies() {
            let message = format!("`{}` is a constant and has no gradient", self.label(node));
            return Err(Diagnostic::new(message).at(span).into());
        }
        let in_block = self.grad_in_block(node);
        if let Some(grad) = in_block.or_else(|| self.grad_to_show(node)) {
            if !self.in_block() {
                self.note_shown_of_pass(std::slice::from_ref(node));
            }
            return Ok(grad);
        }
        if self.recent.pass.is_none() {
            if self.walk().is_some() {
                let help = "`:next all` ends the walk, or read them in its table";
                return Err(fail(span, "an open walk has its own gradients", help));
            }
            let target = self.target().and_then(|it| self.target_node(it));
            let label = target.map(|root| self.label(&root));
            // A label that was cut cannot be typed.
            let typed = label.filter(|text| !text.contains('…'));
            let operand = typed.map_or(String::new(), |root| format!(" {root}"));
            let help = format!("run a backward pass first: `:grad{operand}`");
            return Err(fail(span, "there are no gradients yet", help));
        }
        // The pass does not contain the node, so that the root does not depend on it.
        Ok(0.0)
    }

    /// Whether a name stands for a value.
    pub fn knows(&self, name: &str) -> bool {
        self.names.find(name).is_some() || ANSWERS.contains(&name) || ops::constant(name).is_some()
    }

    /// Binds an unused name to a new leaf.
    pub(crate) fn bind_leaf(&mut self, name: &str, data: f64) -> Rc<Node> {
        let leaf = self.graph.leaf(data, false);
        let id = self.names_mut().intern(name);
        self.give_name(id, Rc::clone(&leaf).into());
        leaf
    }
}

/// The help for a name that is a constant or a unit in Python or in other calculators.
fn foreign_name_help(name: &str) -> Option<String> {
    let reason = match name {
        "tau" => "a full turn is `2*pi`",
        "deg" | "degree" | "degrees" => {
            return Some(format!(
                "angles are in radians: `{name} = pi/180` gives it a value"
            ));
        }
        // `2 + 3i`
        "i" | "j" => "there are no complex numbers",
        // `5km`
        "km" | "cm" | "mm" | "kg" | "ms" | "Hz" | "eV" => "numbers have no units",
        _ => return None,
    };
    Some(format!("`{name} = 2` gives it a value; {reason}"))
}

/// The word for a value in messages.
fn value_word(value: &Value) -> &str {
    value.list().map_or("value", |_| "list")
}

/// The value with a former name, whose item is at `at`. If some items of a list are gone, the indices that follow must
/// select one that is left: `w@1[2]`.
fn remaining_items(
    text: &str,
    items: &[Item<Name>],
    at: usize,
    loss: &NameLoss,
) -> Result<Value, Error> {
    let shape = &loss.shape;
    let nodes: Vec<Option<Rc<Node>>> = loss.nodes.iter().map(Weak::upgrade).collect();
    if let Some(all) = nodes.iter().cloned().collect() {
        return Ok(Value::of_shape(all, shape));
    }
    // In postfix order, `w@1[2][0]` is `w@1 2 [] 0 []`.
    let (mut selected, mut first, mut next) = (shape.clone(), 0, at + 1);
    while let Some([position, index]) = items.get(next..next + 2)
        && index.kind == ItemKind::Apply(Head::Index, 2)
        && let ItemKind::Number(Literal { value, .. }) = position.kind
        && let Some(place) = selected.place_of(value)
        && let Some((item, start)) = selected.item(place)
    {
        (selected, first, next) = (item, first + start, next + 2);
    }
    let has_index = next > at + 1;
    let mut wanted = nodes[first..first + selected.size()].iter();
    match nodes.iter().flatten().next() {
        // Any node can take the places of those that are not selected, because they are not used.
        Some(any) if has_index && wanted.all(Option::is_some) => {
            let filled = nodes.iter().map(|node| node.as_ref().unwrap_or(any));
            Ok(Value::of_shape(filled.cloned().collect(), shape))
        }
        _ => {
            let list = items[at].span.of(text);
            let message =
                format!("`{list}` is incomplete: only items that something uses are kept");
            let help = format!("the others are typed one by one: `{list}[0]`");
            Err(fail(items[at].span, message, help))
        }
    }
}
