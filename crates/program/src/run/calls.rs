//! Calls functions. A function of the user's own gets a frame, which runs next and which [`Machine::leave`] ends. Every
//! other function gives its value at once: also those that differentiate, `f'(3)` and `grad(L, a)`.

use std::rc::Rc;

use super::frames::{CallForm, Frame};
use super::machine::Machine;
use crate::derive::{first_at_fault, uses_all};
use crate::error::{Error, fail, fail_here};
use crate::functions::{AnyValue, Callee, Function, LibraryFunction, Variable, Work, primed_name};
use crate::guards::GuardKind;
use crate::limits::{Limits, MOST_CALLS};
use crate::lists::{list_of, no_list_error};
use crate::names;
use crate::stand_ins::{StandIns, parts_of};
use crate::values::{List, ListShape, Value};
use chainrule_engine::graph::Node;
use chainrule_engine::graph::structure::depends_on;
use chainrule_engine::ops::Op;
use chainrule_report::{Note, count_text, say};

/// Up to this depth of nested calls a node is labelled by the call that produced it: `f(g(x))`. Deeper nodes are
/// labelled by their expressions.
const NAMED_DEPTH: usize = 8;

impl Machine<'_, '_> {
    /// Calls a function of a block, one of the session, or a built-in one. Then its value is on the stack, or its frame
    /// runs next.
    pub(super) fn call(&mut self, target: &Variable, call: CallForm) -> Result<(), Error> {
        let value = match target {
            Variable::Local(_) => self.value_of(target)?,
            Variable::Name(name) => match self.state.words.get(&**name) {
                // A formula calls only functions of the session, so that it ends.
                Some(word) if self.typed_code().is_some() => word.clone(),
                _ => {
                    if self.state.names.get(name).is_some() {
                        // The error that it is no function says what it is.
                        self.give_names();
                    }
                    return self.call_by_name(name, call);
                }
            },
        };
        match value {
            // A built-in function that was passed as an argument.
            AnyValue::BuiltIn(name) => self.call_by_name(&name, call),
            AnyValue::Own(own) => {
                if call.primes > 0 && own.function.parameters.len() != 1 {
                    let name = &own.function.name;
                    let message = format!(
                        "a prime is for functions of one number, and `{name}` takes others"
                    );
                    let help = "its derivative by one of several: `grad(f(x, y), x)`";
                    return Err(fail_here(message, help));
                }
                self.call_own(own.function, own.frame, call)
            }
            _ => {
                let typed = self.typed_text();
                let message = format!("`{typed}` is no function here, and so is not called");
                let help = "give the argument another name than the function";
                Err(fail_here(message, help))
            }
        }
    }

    /// Replaces the lists at these places among the last `count` values of the stack by their items. Returns the new
    /// number of values.
    pub(super) fn spread_arguments(
        &mut self,
        count: usize,
        places: &[usize],
    ) -> Result<usize, Error> {
        let first = self.state.stack.len() - count;
        for place in places.iter().rev().map(|place| first + place) {
            let list = self.state.stack[place]
                .numbers()
                .and_then(Value::list)
                .cloned();
            let Some(list) = list else {
                let message = "`*` before an argument makes arguments of the items of a list, and this is none";
                return Err(fail_here(message, "leave the `*` out"));
            };
            let items = list.items().map(AnyValue::from);
            self.state.stack.splice(place..=place, items);
        }
        Ok(self.state.stack.len() - first)
    }

    /// Calls a function of the session or a built-in one.
    fn call_by_name(&mut self, name: &str, call: CallForm) -> Result<(), Error> {
        let named = (name, call.primes);
        let callee = names::callee(self.session, named, call.count, self.state.site.span)?;
        if let Callee::Own(own) = callee {
            return self.call_own(own, 0, call);
        }
        self.check_operands(call.count)?;
        if !call.names.is_empty() {
            let message = format!("`{name}` is built in, and its arguments have no names");
            return Err(fail_here(message, "give the values in their order"));
        }
        let value = self.call_built_in(name, &callee, call.count)?;
        self.state.stack.push(value.into());
        Ok(())
    }

    /// Calls a built-in function on the last `count` values of the stack.
    fn call_built_in(&mut self, name: &str, callee: &Callee, count: usize) -> Result<Value, Error> {
        let first = self.state.stack.len() - count;
        if let Callee::Built(op) = callee {
            // `sum(xs, start)`, as in Python. With numbers alone, `sum(a, b)` adds all of them.
            let is_list = |it: &AnyValue| it.numbers().is_some_and(|value| value.node().is_none());
            if count > 1 && name == "sum" && self.state.stack[first..].iter().any(is_list) {
                let operands = self.pop_values(count)?;
                return self.session.program_mut().sum_from_start(&operands);
            }
            return self.operation(op, count);
        }
        let arguments = self.pop_values(count)?;
        let newest_before = self.session.program().graph.last_id();
        let value = match callee {
            Callee::Derived(op, primes) => {
                self.built_in_derivative(op, *primes, arguments[0].clone())?
            }
            Callee::Library(function) if matches!(function.work, Work::Grad) => {
                self.gradient(&arguments)?
            }
            Callee::Library(function) if matches!(function.work, Work::Sorted) => {
                self.sorted(function, &arguments)?
            }
            Callee::Library(function) => self.call_library(function, &arguments)?,
            Callee::Logarithm => {
                let operands = [("x", &arguments[0]), ("b", &arguments[1])];
                self.session
                    .program_mut()
                    .apply_text("ln(x)/ln(b)", &operands)?
            }
            Callee::Built(_) | Callee::Own(_) => unreachable!("they have been called"),
        };
        self.note_fault(first_at_fault(value.nodes(), newest_before), None);
        Ok(value)
    }

    /// Calls a function of the library. Notes the arguments whose numbers decide what the function builds.
    fn call_library(
        &mut self,
        function: &LibraryFunction,
        arguments: &[Value],
    ) -> Result<Value, Error> {
        let (deciding, kind) = match function.work {
            Work::Draw(_) => (arguments, GuardKind::Data),
            Work::Range | Work::Arange | Work::Student => (arguments, GuardKind::Position),
            Work::Linspace => (&arguments[2..], GuardKind::Position),
            Work::Std => (&arguments[1..], GuardKind::Data),
            _ => (&[][..], GuardKind::Data),
        };
        self.note_read(deciding, kind);
        self.session
            .program_mut()
            .library_function(function, arguments)
    }

    /// The value of `sorted(list, keys, direction)`. The order is that of the present numbers.
    fn sorted(&mut self, function: &LibraryFunction, arguments: &[Value]) -> Result<Value, Error> {
        let (Value::List(items), Some(keys)) = (
            &arguments[0],
            arguments.get(1).unwrap_or(&arguments[0]).list(),
        ) else {
            return Err(no_list_error(function));
        };
        let direction = arguments.get(2).and_then(Value::node);
        let is_descending = direction.is_some_and(|it| it.data() < 0.0);
        let sorted = self
            .session
            .program_mut()
            .sort(items, keys, is_descending)?;
        let conditions: Vec<Value> = sorted.conditions.into_iter().map(Value::from).collect();
        let known = self.state.record.read.len();
        self.note_read(&conditions, GuardKind::Condition);
        // Nobody has typed these conditions: a note says which two items have changed places.
        for guard in &mut self.state.record.read[known..] {
            guard.typed = None;
        }
        Ok(sorted.list)
    }

    /// The derivative `grad(L, a)`, with a note if `L` does not depend on `a`.
    fn gradient(&mut self, arguments: &[Value]) -> Result<Value, Error> {
        self.session.program_mut().has_read_grad = true;
        // Its notes and errors write labels.
        self.give_names();
        let root = match &arguments[0] {
            Value::Node(node) => node,
            Value::List(list) => return Err(self.gradient_of_list_error(list)),
        };
        let span = self.operand_span(0);
        self.session.check_ties(root, arguments[1].nodes(), span)?;
        let built = self.gradient_by(root, &arguments[1]);
        let grads = built.map_err(|error| error.at(self.operand_span(0)))?;
        self.session.note_shown(root, arguments[1].nodes());
        let frame = self.state.frames.last().expect("it runs the instruction");
        if let (Value::Node(by), Value::Node(derivative)) = (&arguments[1], &grads)
            && frame.expression_loops.is_empty()
            && !derivative.varies()
            && derivative.data() == 0.0
            && (self.session.program().before.indexed)
                .path(std::slice::from_ref(root), std::slice::from_ref(by))
                .is_empty()
        {
            self.add_note(Note::new(say!(
                "{:name} does not use {:name}: the derivative is 0",
                self.session.label(root),
                self.session.label(by)
            )));
        }
        Ok(grads)
    }

    /// The error of `grad([y, z], a)`.
    fn gradient_of_list_error(&self, list: &List) -> Error {
        let [root, by] = [1, 0].map(|before_last| self.operand_span(before_last));
        let shape = list.shape();
        let message = format!("`grad` takes the derivative of one number, and this is {shape}");
        let typed = self.typed_code();
        let operands = typed.map(|(text, _)| [root, by].map(|it| it.of(text)));
        let [y, x] = operands.unwrap_or(["y", "x"]);
        let help = format!(
            "of each item: `[grad(g, {x}) for g in {y}]`; of their sum: `grad(sum({y}), {x})`"
        );
        fail(root, message, help)
    }

    /// Differentiates a body that was built on placeholders, and replaces the placeholders by the arguments.
    fn differentiate_body(&mut self, body: Value, stand_ins: &StandIns) -> Result<Value, Error> {
        self.session.program_mut().has_read_grad = true;
        let parameters = stand_ins.parameters.iter().flat_map(Value::nodes);
        let arguments = stand_ins.arguments.iter().flat_map(Value::nodes);
        let pairs = parameters.cloned().zip(arguments.cloned());
        let different = pairs.filter(|(leaf, argument)| !Rc::ptr_eq(leaf, argument));
        let (leaves, replacements): (Vec<_>, Vec<_>) = different.unzip();
        // Without primes, every argument may be its own placeholder.
        if leaves.is_empty() {
            return Ok(body);
        }
        // Item by item: each result is differentiated by the placeholder in its place, or by the only one. A number is
        // differentiated by all placeholders.
        let mut builder = self.session.program_mut().builder(body.nodes());
        let mut results = Vec::new();
        for roots in body.nodes().chunks(leaves.len()) {
            results.extend(builder.derivatives_of_order(stand_ins.primes, roots, &leaves));
        }
        let replaced = builder.replace(&results, &leaves, &replacements);
        let list = ListShape::rows(replaced.len(), ListShape::NUMBER);
        let is_gradient = replaced.len() != body.nodes().len();
        let derivatives = Value::of_shape(replaced, if is_gradient { &list } else { body.shape() });
        builder.finish()?;
        // The note on `ln'(-1)` is about the domain of `ln`. It is due even if the derivative is finite: that of
        // `ln(1 + exp(x))` at 1000 is 0 only because `exp(x)` overflows, and 0 times infinity is 0.
        let suspects = [body.nodes(), derivatives.nodes()].concat();
        self.note_fault(first_at_fault(&suspects, leaves[0].id()), None);
        Ok(derivatives)
    }

    /// The value of `tanh'(x)`. A list gives the list of the derivatives at its items.
    fn built_in_derivative(
        &mut self,
        op: &'static Op,
        primes: u8,
        argument: Value,
    ) -> Result<Value, Error> {
        let newest_before = self.session.program().graph.last_id();
        let stand_ins = self.session.program_mut().stand_ins(primes, vec![argument]);
        let body = (self.session.program_mut()).operation(op, stand_ins.parameters.clone())?;
        let derivatives = self.differentiate_body(body, &stand_ins)?;
        let name = primed_name(op.spelling, primes);
        let leaves = stand_ins.arguments[0].nodes();
        for (node, leaf) in derivatives.nodes().iter().zip(leaves) {
            if node.id() > newest_before && depends_on(node, leaf) {
                let arguments = [Value::from(Rc::clone(leaf))];
                (self.session).remember_call(node, &name, None, &arguments);
            }
        }
        Ok(derivatives)
    }

    /// The value of `grad(L, a)`. For a list of nodes, the list of the derivatives. If `L` does not depend on `a`, the
    /// derivative is 0. A formula instead of `a` is meant to match a part of `L`, and without a match is refused.
    fn gradient_by(&mut self, root: &Rc<Node>, by: &Value) -> Result<Value, Error> {
        if let Some(constant) = by.nodes().iter().find(|node| !node.varies()) {
            let label = self.session.label(constant);
            let message = format!("`{label}` is a constant, and nothing changes with it");
            let help =
                "the second argument is the name to differentiate by, as in `grad(ROOT, LEAF)`";
            return Err(fail_here(message, help));
        }
        let found = parts_of(self.session, root, by)?;
        let roots = std::slice::from_ref(root);
        let mut builder = self.session.program_mut().builder(roots);
        let newest_before = builder.graph.last_id();
        let grads = Value::of_shape(builder.derivatives(roots, &found), by.shape());
        // The label of the result is its expression, `b*f`, and not the call: the result need not hold the first
        // argument, which may be dropped.
        builder.finish()?;
        self.session
            .program_mut()
            .note_derivatives(root, &grads, newest_before);
        Ok(grads)
    }

    /// Begins a call of a function of the user's own. `around` is the frame of the function in which it is defined.
    fn call_own(
        &mut self,
        function: Rc<Function>,
        around: usize,
        call: CallForm,
    ) -> Result<(), Error> {
        if self.state.trials > 0 && !function.is_plain() {
            return Err(fail_here("a branch that is only tried runs nothing", ""));
        }
        let span = self.state.site.span;
        let has_lines = function.lines.is_some();
        if has_lines && self.state.record.depth >= MOST_CALLS {
            let name = &function.name;
            let most = count_text(MOST_CALLS);
            let message = format!("more than {most} calls would run at once, this one of `{name}`");
            let help = "calls are at most this deep; the rounds of a loop may be ten million";
            return Err(fail_here(message, help));
        }
        let values = self
            .state
            .stack
            .split_off(self.state.stack.len() - call.count);
        let mut slots = slots_of_call(&function, values, call.names, self.limits())?;
        let mut others = slots.iter().flatten().filter(|it| it.numbers().is_none());
        if let Some(other) = others.next().filter(|_| !has_lines || call.primes > 0) {
            return Err(other.refusal(span));
        }
        let makes_leaves = self.session.program().makes_parameter_leaves
            && call.primes == 0
            && self.state.frames.len() == 1
            && self.state.site.at + 1 == self.state.code.len();
        let parameters = function.parameters.iter().zip(&mut slots);
        for (name, slot) in parameters.filter(|_| makes_leaves) {
            if let Some(AnyValue::Numbers(Value::Node(node))) = slot
                && !node.varies()
            {
                *node = self.session.program_mut().graph.leaf(node.data(), false);
                self.session.name_parameter(node, name);
            }
        }
        let stand_ins =
            (self.session.program_mut()).stand_ins_for_call(&function, call.primes, &mut slots)?;
        self.state.record.depth += usize::from(has_lines);
        self.state.frames.push(Frame {
            function: Some(function),
            call_span: span,
            slots,
            stand_ins,
            around,
            height: self.state.stack.len(),
            newest_before: self.session.program().graph.last_id(),
            ..Frame::default()
        });
        Ok(())
    }

    /// Ends a call or the statement. Differentiates the result of a call with primes, and records the call as the label
    /// of the result, `f(a)`.
    pub(super) fn leave(&mut self) -> Result<(), Error> {
        let frame = self.state.frames.pop().expect("it runs");
        let Some(function) = frame.function else {
            return Ok(());
        };
        self.state.record.depth -= usize::from(function.lines.is_some());
        let mut value = self.pop();
        self.state.stack.truncate(frame.height);
        let mut name = Rc::clone(&function.name);
        let values = frame.slots.into_iter().flatten();
        let parameters = values.take(function.parameters.len());
        let mut arguments: Vec<Value> = parameters.filter_map(AnyValue::into_value).collect();
        let is_derivative = function.has_grad || frame.stand_ins.is_some();
        if let Some(stand_ins) = frame.stand_ins {
            if stand_ins.primes > 0 {
                let body = value
                    .numbers()
                    .ok_or_else(|| value.refusal(frame.call_span))?;
                check_item_by_item(&name, body, &stand_ins)
                    .map_err(|error| error.at(frame.call_span))?;
            }
            // A text or `None` has no placeholders.
            if let AnyValue::Numbers(body) = value {
                let derived = self.differentiate_body(body, &stand_ins);
                value = derived.map_err(|error| error.at(frame.call_span))?.into();
            }
            name = primed_name(&name, stand_ins.primes);
            arguments = stand_ins.arguments;
        }
        // A derivative may not hold its arguments, which then may be dropped and cannot be in its label.
        if let AnyValue::Numbers(numbers) = &value
            && let Value::Node(node) = numbers
            && function.lines.is_none()
            && self.state.frames.len() <= NAMED_DEPTH
            && node.id() > frame.newest_before
            && (!is_derivative || uses_all(numbers, &arguments, frame.newest_before))
        {
            (self.session).remember_call(node, &name, Some(&function), &arguments);
        }
        self.state.stack.push(value);
        Ok(())
    }
}

/// Refuses a body whose numbers depend on several items of the argument by which a prime differentiates.
fn check_item_by_item(name: &str, body: &Value, stand_ins: &StandIns) -> Result<(), Error> {
    if stand_ins.are_used_item_by_item(body) {
        return Ok(());
    }
    let message = match stand_ins.parameters.len() {
        1 => format!("a prime differentiates item by item, and `{name}` mixes the items"),
        _ => format!("several arguments of a prime are numbers, and so is the value of `{name}`"),
    };
    let help = format!(
        "write `grad({name}(LIST), LIST)`, or `grad(sum({name}(LIST)), LIST)` if it gives a list"
    );
    Err(fail_here(message, help))
}

/// The slots of a call: the values of its parameters, then empty slots for the other names of the function. The last of
/// the values have the names `names`.
fn slots_of_call(
    function: &Function,
    mut values: Vec<AnyValue>,
    names: &[Rc<str>],
    limits: &Limits,
) -> Result<Vec<Option<AnyValue>>, Error> {
    let parameters = &function.parameters;
    let most = parameters.len() - usize::from(function.has_rest);
    let count = values.len();
    let named_values = values.split_off(count - names.len());
    if values.len() > most && !function.has_rest {
        let name = &function.name;
        let message = format!("`{name}` has {most} parameters, {count} are given");
        return Err(fail_here(message, definition_help(function)));
    }
    let rest = values.split_off(most.min(values.len()));
    let mut slots: Vec<Option<AnyValue>> = values.into_iter().map(Some).collect();
    slots.resize(function.slots, None);
    for (name, value) in names.iter().zip(named_values) {
        let Some(place) = parameters[..most].iter().position(|known| known == name) else {
            let message = format!("`{}` has no parameter `{name}`", function.name);
            return Err(fail_here(message, definition_help(function)));
        };
        if slots[place].replace(value).is_some() {
            let message = format!("`{name}` is given twice");
            return Err(fail_here(message, "give each parameter one value"));
        }
    }
    fill_defaults(function, &mut slots[..most])?;
    if function.has_rest {
        let rest_count = rest.len();
        let items: Vec<Value> = rest.into_iter().filter_map(AnyValue::into_value).collect();
        if items.len() < rest_count {
            let message = "an item of a list is a number or a list";
            let help = "give it a parameter of its own: `def f(x, *args):`";
            return Err(fail_here(message, help));
        }
        slots[most] = Some(list_of(items, limits)?.into());
    }
    Ok(slots)
}

/// Gives the parameters that a call leaves out their defaults.
fn fill_defaults(function: &Function, slots: &mut [Option<AnyValue>]) -> Result<(), Error> {
    let first = slots.len() - function.defaults.len();
    for (place, slot) in slots.iter_mut().enumerate().filter(|it| it.1.is_none()) {
        let Some(default) = place.checked_sub(first) else {
            let (name, parameter) = (&function.name, &function.parameters[place]);
            let message = format!("`{name}` needs a value for `{parameter}`");
            return Err(fail_here(message, definition_help(function)));
        };
        *slot = Some(function.defaults[default].clone());
    }
    Ok(())
}

fn definition_help(function: &Function) -> String {
    format!("it is defined as `{}`", function.head())
}
