//! Runs the instructions that only blocks and functions of several lines have: bindings, jumps, rounds of loops, and
//! acts such as `print`. `machine` runs all others.

use std::rc::Rc;

use super::guards::{Guard, GuardKind};
use super::lists::{list_of, list_of_numbers};
use super::machine::{
    Acts, Frame, Machine, NextRound, Pause, RoundPauses, Rounds, loop_over_number, split_item,
};
use crate::session::Session;
use crate::session::error::{Error, fail};
use crate::session::functions::{Act, Code, Function, Instruction, Slot, Target};
use crate::session::limits::MOST_ROUNDS;
use crate::session::values::{CodeWord, List, OwnFunction, Value};
use chainrule_engine::graph::{NodeId, Spelling};
use chainrule_language::Span;
use chainrule_report::{Note, count_text};
use chainrule_stop as stop;

/// The end of the text of the loop whose next round begins at this instruction. The instruction is `Next`, or the one
/// after the `JumpUnless` of a `while`; both know the end of the loop.
fn end_of_loop(code: &[Instruction], at: usize) -> u32 {
    let next_after = match (&code[at].code, &code[at - 1].code) {
        (Code::Next(_, after), _) | (_, Code::JumpUnless(after)) => *after,
        _ => at + 1,
    };
    let ends = code[at..next_after].iter().map(|it| it.span.end);
    ends.max().unwrap_or_default()
}

impl Machine<'_> {
    /// Runs an instruction of a block. Returns the value that it leaves on the stack.
    pub(super) fn block_instruction(
        &mut self,
        code: &Code,
        span: Span,
        acts: &mut dyn Acts,
    ) -> Result<Option<Value>, Error> {
        let newest = self.frames.len() - 1;
        match code {
            Code::Leaf => {
                let value = self.pop();
                self.note_read(std::slice::from_ref(&value), GuardKind::Data, span);
                let graph = &mut self.session.graph;
                return Ok(Some(value.map_nodes(|node| graph.leaf(node.data(), false))));
            }
            Code::Jump(at) => self.frames[newest].at = *at,
            Code::JumpUnless(at) => {
                if !self.is_condition_true(span)? {
                    self.frames[newest].at = *at;
                }
            }
            Code::Begin => self.begin_statement(),
            Code::Leaves { is_frozen } => return Ok(Some(self.make_leaves(*is_frozen, span))),
            Code::Unpack(count) => self.unpack(*count, span)?,
            Code::Bind(targets) => {
                let values = self.stack.split_off(self.stack.len() - targets.len());
                for (target, value) in targets.iter().zip(values) {
                    self.bind(target, value, span)?;
                }
            }
            Code::Label(label) => self.label_last_node(label, span)?,
            Code::Drop => drop(self.pop()),
            Code::Loop => self.begin_list_loop(span)?,
            Code::While => self.frames[newest].rounds.push(Rounds::default()),
            Code::Next(targets, end) => self.bind_next_item(targets, *end, span)?,
            Code::Round => drop(self.begin_round(span)?),
            Code::EndLoop(at) => {
                self.frames[newest].at = *at;
                self.end_loop();
            }
            Code::Return => {
                self.check_returned(span)?;
                self.leave()?;
            }
            Code::Define(function, defaults, target) => self.define(function, *defaults, target),
            Code::Append(target, is_extend) => self.append_to_local(*target, *is_extend, span)?,
            Code::Act(act) => self.act(act, span, acts)?,
            _ => unreachable!("the machine runs it"),
        }
        Ok(None)
    }

    /// Whether the condition on the stack is true.
    fn is_condition_true(&mut self, span: Span) -> Result<bool, Error> {
        let condition = self.pop();
        self.note_read(std::slice::from_ref(&condition), GuardKind::Condition, span);
        let Value::Node(node) = condition else {
            let message = "a condition is a number, and this is a list";
            return Err(fail(span, message, "as in `if k % 10 == 0:`"));
        };
        Ok(node.data() != 0.0)
    }

    /// Makes leaves of the constants in the value on the stack. The next instruction binds the value to a name of the
    /// session.
    fn make_leaves(&mut self, is_frozen: bool, span: Span) -> Value {
        let value = self.pop();
        if self.has_words && value.word().is_some() {
            return value;
        }
        self.note_last_fault();
        let guarded = self.guard(Some(value), span).expect("it was given one");
        let (name, mut notes) = (span.of(self.text), Vec::new());
        let leaves =
            (self.session).with_leaves(is_frozen, name, guarded, self.newest_before, &mut notes);
        self.add_notes(notes);
        self.newest_before = self.session.newest_id();
        leaves
    }

    /// Replaces the list on the stack by its items. Their number must be that of the names.
    fn unpack(&mut self, count: usize, span: Span) -> Result<(), Error> {
        let value = self.pop();
        let Some(list) = value.list().filter(|list| list.count() == count) else {
            let message = format!("{count} names for {}", value.shape());
            let help = "as many names as there are items: `a, b = [1, 2]`, or `a, b = 1, 2`";
            return Err(fail(span, message, help));
        };
        self.stack.extend(list.items().map(Value::into_owned));
        Ok(())
    }

    /// Labels the node on the stack.
    fn label_last_node(&mut self, label: &str, span: Span) -> Result<(), Error> {
        let Some(Value::Node(node)) = self.stack.last() else {
            return Ok(());
        };
        if !node.varies() {
            let constant = self.session.label(node);
            let message = format!("`{constant}` is a constant and is in no table");
            let help = "a number with a name of its own can have a label: `a = 2`";
            return Err(fail(span, message, help));
        }
        self.session.relabel(node, label, span)
    }

    /// Begins a loop over the list on the stack.
    fn begin_list_loop(&mut self, span: Span) -> Result<(), Error> {
        let newest = self.frames.len() - 1;
        let mut value = Some(self.pop());
        if newest == 0 {
            value = self.guard(value, span);
        }
        let Some(Value::List(list)) = value else {
            let typed = self.typed_at(span);
            let help = format!("over as many numbers: `for k in range({typed}):`");
            return Err(loop_over_number(span, help));
        };
        self.frames[newest].rounds.push(Rounds {
            list: Some(list),
            begun: 0,
        });
        Ok(())
    }

    /// Performs an act with the values on the stack.
    fn act(&mut self, act: &Act, span: Span, acts: &mut dyn Acts) -> Result<(), Error> {
        let newest = self.frames.len() - 1;
        let mut values = self.stack.split_off(self.stack.len() - act.operands());
        if let Act::Append(name, _) = act {
            self.check_held(name, span)?;
            // The numbers that were read before the last `append` are guards of its item already.
            let read = self.read[self.appended..].to_vec();
            self.appended = self.read.len();
            let function = self.frames[newest].function.as_ref();
            let lines = function.and_then(|it| it.lines.as_deref());
            let place = (lines.unwrap_or(self.text), span);
            let item = values.pop();
            let guarded = (self.session).guard_value(item, read, self.newest_before, place);
            values.extend(guarded);
        }
        acts.act(self.session, act, values, span, newest)?;
        if let Act::Data(_) = act {
            // `a.data -= 0.1*a.grad`, leaf after leaf, is meant to use the gradients of one pass.
            self.has_read_stale = false;
        }
        // A node that the act refers to keeps its number.
        self.newest_before = self.session.newest_id();
        Ok(())
    }

    /// Whether an instruction may read the number of a computed node that is older than the block.
    pub(super) fn reads_older_nodes(&self, code: &Code) -> bool {
        let is_known = match code {
            Code::Number(..)
            | Code::Get(_)
            | Code::Begin
            | Code::Jump(_)
            | Code::Next(..)
            | Code::Round
            | Code::Operator(..)
            | Code::Property(_) => true,
            Code::Act(act) => matches!(**act, Act::Data(_) | Act::Zero(_)),
            _ => false,
        };
        if !is_known {
            return true;
        }
        let operands = &self.stack[self.stack.len() - code.operands()..];
        let mut nodes = operands.iter().flat_map(Value::nodes);
        nodes.any(|node| self.session.is_older_than_block(node))
    }

    /// The index of the frame that is this many functions outside of the running one.
    pub(super) fn frame_around(&self, levels: usize) -> usize {
        let newest = self.frames.len() - 1;
        (0..levels).fold(newest, |frame, _| self.frames[frame].around)
    }

    /// The text at a place of the running code.
    pub(super) fn typed_at(&self, span: Span) -> &str {
        self.typed_code().map_or("", |(text, _)| span.of(text))
    }

    /// The error for a name of a function that has no value yet.
    pub(super) fn missing_value(&self, frame: usize, span: Span) -> Error {
        let function = self.frames[frame].function.as_ref();
        let function_name = function.map_or("", |it| &*it.name);
        let name = self.typed_at(span);
        let message = format!("`{name}` has no value yet in `{function_name}`");
        let help =
            format!("a function has names of its own: give `{name}` a value before this line");
        fail(span, message, help)
    }

    /// Adds the note on the node that the last statement of the block has made NaN or infinite.
    pub(crate) fn note_last_fault(&mut self) {
        if let Some(fault) = self.fault.take() {
            let note = self.session.fault_note(&fault);
            self.add_note(note);
        }
    }

    /// Begins a statement of a block: adds the note on the last one, and forgets the numbers that it has read.
    fn begin_statement(&mut self) {
        self.note_last_fault();
        self.has_searched = false;
        if self.frames.len() == 1 {
            self.newest_before = self.session.newest_id();
            self.session.running.started = self.newest_before;
            // A number that a condition or a print has read does not guard later values.
            self.take_read();
            self.session.guards.last = None;
        }
    }

    /// Takes the numbers that were read since the last call.
    fn take_read(&mut self) -> Vec<Guard> {
        self.appended = 0;
        std::mem::take(&mut self.read)
    }

    /// Makes the numbers that were read the guards of a value. The value was typed at `span`.
    pub(super) fn guard(&mut self, value: Option<Value>, span: Span) -> Option<Value> {
        if self.read.is_empty() {
            return value;
        }
        let read = self.take_read();
        (self.session).guard_value(value, read, self.newest_before, (self.text, span))
    }

    /// Gives a name a value.
    fn bind(&mut self, target: &Target, value: Value, span: Span) -> Result<(), Error> {
        match target {
            Target::Local(slot) => {
                let frame = self.frames.last_mut().expect("it runs");
                let function = frame.function.as_ref();
                let has_lines = function.is_some_and(|it| it.lines.is_some());
                frame.variables[slot.place] = Some(match &value {
                    // A counter becomes a plain number. As an expression, it would hold its numbers from all rounds.
                    Value::Node(node) if has_lines && !node.varies() && node.op().is_some() => {
                        (self.session.graph.constant(node.data(), Spelling::Plain)).into()
                    }
                    _ => value,
                });
            }
            Target::Name(name) => {
                let is_bound_word = self.has_words && self.bind_if_word(name, &value, span)?;
                if !is_bound_word {
                    let note = self.session.bind_value(name, &value, &|_| false);
                    self.add_notes(note);
                }
            }
        }
        Ok(())
    }

    /// Binds the next item of a list, or ends the loop after the last one.
    fn bind_next_item(&mut self, targets: &[Target], end: usize, span: Span) -> Result<(), Error> {
        let frame = self.frames.last_mut().expect("it runs");
        let rounds = frame.rounds.last().expect("a loop runs");
        let list = Rc::clone(rounds.list.as_ref().expect("it goes over a list"));
        let place = rounds.begun;
        if place >= list.count() {
            frame.at = end;
            self.end_loop();
            return Ok(());
        }
        if !self.begin_round(span)? {
            return Ok(());
        }
        let item = list.item(place).expect("the rounds end with the items");
        let values = split_item(item, targets.len(), span)?;
        for (target, value) in targets.iter().zip(values) {
            match target {
                Target::Local(_) => self.bind(target, value, span)?,
                Target::Name(name) => {
                    self.words.remove(&**name);
                    self.session.bind_item(name, value);
                }
            }
        }
        Ok(())
    }

    /// Begins a round of the innermost loop. Returns `false` if the machine must pause first. After the pause, the same
    /// instruction runs again.
    fn begin_round(&mut self, span: Span) -> Result<bool, Error> {
        let is_outermost = self.frames.len() == 1 && self.frames[0].rounds.len() == 1;
        let frame = self.frames.last_mut().expect("it runs");
        let rounds = frame.rounds.last_mut().expect("a loop runs");
        if is_outermost && self.round_pauses == RoundPauses::Before {
            frame.at -= 1;
            let end = end_of_loop(self.code, frame.at);
            self.round_pauses = RoundPauses::Over;
            self.pause = Some(Pause::Round(NextRound {
                done: rounds.begun,
                total: rounds.list.as_ref().map(|list| list.count()),
                head: span,
                end,
            }));
            return Ok(false);
        }
        if is_outermost && self.round_pauses == RoundPauses::Over {
            self.round_pauses = RoundPauses::Before;
        }
        rounds.begun += 1;
        if !is_outermost && rounds.begun > 1 {
            self.session.end_inner_round();
        }
        if self.session.in_block() {
            stop::ask_now();
        }
        self.rounds += 1;
        if self.rounds > MOST_ROUNDS {
            let most = count_text(MOST_ROUNDS);
            let message = format!("a statement has at most {most} rounds");
            let help = "do a part of them in each statement";
            return Err(fail(span, message, help));
        }
        Ok(true)
    }

    /// Ends the innermost loop of the block.
    fn end_loop(&mut self) {
        let frame = self.frames.last_mut().expect("it runs");
        frame.rounds.pop();
        let is_outermost = frame.rounds.is_empty() && self.frames.len() == 1;
        if is_outermost && self.round_pauses != RoundPauses::Never {
            self.pause = Some(Pause::LoopEnded);
        }
    }

    /// Defines a function. The values of its defaults are on the stack.
    fn define(&mut self, template: &Rc<Function>, defaults: usize, target: &Target) {
        let mut function = Function::clone(template);
        function.defaults = self.stack.split_off(self.stack.len() - defaults);
        for default in &function.defaults {
            if let Value::List(list) = default {
                list.is_item.set(true);
            }
        }
        match target {
            Target::Local(slot) => {
                let frame = self.frames.len() - 1;
                let name = Rc::clone(&function.name);
                let own = OwnFunction {
                    function: Rc::new(function),
                    frame,
                };
                let word = self.word(CodeWord::Function(name, Some(own)));
                self.frames[frame].variables[slot.place] = Some(word);
            }
            Target::Name(name) => {
                self.words.remove(&**name);
                function.place = self.session.functions.place(name);
                let note = self.session.write_function(Rc::new(function));
                self.add_notes(note);
            }
        }
    }

    /// The slots of a call: the values of its parameters, then empty slots for the other names of the function. The
    /// last of the values have the names `names`.
    pub(super) fn bind_arguments(
        function: &Function,
        mut values: Vec<Value>,
        names: &[Rc<str>],
        call: Span,
    ) -> Result<Vec<Option<Value>>, Error> {
        let parameters = &function.parameters;
        let most = parameters.len() - usize::from(function.has_rest);
        let count = values.len();
        let named_values = values.split_off(count - names.len());
        if values.len() > most && !function.has_rest {
            let name = &function.name;
            let message = format!("`{name}` has {most} parameters, {count} are given");
            return Err(fail(call, message, definition_help(function)));
        }
        let rest = values.split_off(most.min(values.len()));
        let mut slots: Vec<Option<Value>> = values.into_iter().map(Some).collect();
        slots.resize(function.slots, None);
        for (name, value) in names.iter().zip(named_values) {
            let Some(place) = parameters[..most].iter().position(|known| known == name) else {
                let message = format!("`{}` has no parameter `{name}`", function.name);
                return Err(fail(call, message, definition_help(function)));
            };
            if slots[place].replace(value).is_some() {
                let message = format!("`{name}` is given twice");
                return Err(fail(call, message, "give each parameter one value"));
            }
        }
        fill_defaults(function, &mut slots[..most], call)?;
        if function.has_rest {
            if rest.iter().any(|it| it.word().is_some()) {
                let message = "an item of a list is a number or a list";
                let help = "give it a parameter of its own: `def f(x, *args):`";
                return Err(fail(call, message, help));
            }
            slots[most] = Some(list_of(rest, call)?);
        }
        Ok(slots)
    }
}

/// Gives the parameters that a call leaves out their defaults.
fn fill_defaults(
    function: &Function,
    slots: &mut [Option<Value>],
    call: Span,
) -> Result<(), Error> {
    let first = slots.len() - function.defaults.len();
    for (place, slot) in slots.iter_mut().enumerate() {
        if slot.is_some() {
            continue;
        }
        let Some(default) = place.checked_sub(first) else {
            let (name, parameter) = (&function.name, &function.parameters[place]);
            let message = format!("`{name}` needs a value for `{parameter}`");
            return Err(fail(call, message, definition_help(function)));
        };
        *slot = Some(function.defaults[default].clone());
    }
    Ok(())
}

fn definition_help(function: &Function) -> String {
    format!("it is defined as `{}`", function.head())
}

impl Session {
    /// Adds a value to the list of a name; an `extend` adds the items of the value. The new nodes of the value are
    /// newer than `newest_before`.
    pub(crate) fn append_value(
        &mut self,
        (name, span): (&str, Span),
        value: Value,
        is_extend: bool,
        newest_before: NodeId,
        notes: &mut Vec<Note>,
    ) -> Result<(), Error> {
        let id = self.names_mut().intern(name);
        let Some(Value::List(list)) = self.names.value(id) else {
            return Err(no_list(name, span));
        };
        let is_same = |known: &Value| known.list().is_some_and(|it| Rc::ptr_eq(it, list));
        let namings = || {
            self.names
                .bound_values()
                .filter(|(_, known)| is_same(known))
        };
        // The names are searched only if the list is shared at all.
        if list.is_item.get() || Rc::strong_count(list) > 1 && namings().nth(1).is_some() {
            return Err(held_list(name, list, span));
        }
        let is_data = list.nodes().last().is_some_and(|last| last.is_frozen());
        let is_frozen = is_data && !value.nodes().iter().any(|node| node.varies());
        let leaves = self.with_leaves(is_frozen, name, value, newest_before, notes);
        let items = new_items(name, leaves, is_extend, span)?;
        self.extend_list(id, items);
        let longer = self.value_of_name(name, span)?;
        list_of_numbers(longer.shape().size(), || longer, span).map(drop)
    }
}

impl Machine<'_> {
    /// Adds a value to the list of a function's name.
    pub(super) fn append_to_local(
        &mut self,
        slot: Slot,
        is_extend: bool,
        span: Span,
    ) -> Result<(), Error> {
        let value = self.pop();
        let frame = self.frame_around(slot.levels);
        let name = self.typed_at(span).to_string();
        let items = new_items(&name, value, is_extend, span)?;
        let Some(local) = &mut self.frames[frame].variables[slot.place] else {
            return Err(self.missing_value(frame, span));
        };
        let Value::List(list) = local else {
            return Err(no_list(&name, span));
        };
        if list.is_item.get() || Rc::strong_count(list) > 1 {
            return Err(held_list(&name, list, span));
        }
        Rc::make_mut(list).extend(&items);
        let longer = local.clone();
        list_of_numbers(longer.shape().size(), || longer, span).map(drop)
    }

    /// Refuses to add to a list of the session that a call or a loop holds, because Python would change it there, too.
    pub(super) fn check_held(&self, name: &str, span: Span) -> Result<(), Error> {
        let Some(Value::List(list)) = self.session.names().find(name) else {
            return Ok(());
        };
        if Rc::strong_count(list) == 1 {
            return Ok(());
        }
        let mut held_lists = self.frames.iter().flat_map(Frame::lists);
        if held_lists.any(|it| Rc::ptr_eq(it, list)) {
            return Err(held_list(name, list, span));
        }
        Ok(())
    }
}

/// The new items of a list: the value itself, or for an `extend` the items of the value.
fn new_items(name: &str, value: Value, is_extend: bool, span: Span) -> Result<Vec<Value>, Error> {
    match (value.list(), is_extend) {
        (Some(list), true) => Ok(list.items().collect()),
        (None, true) => {
            let message = "`extend` takes a list, and this is a number";
            let help = format!("one item more: `{name}.append(3)`");
            Err(fail(span, message, help))
        }
        (list, false) => {
            if let Some(list) = list {
                list.is_item.set(true);
            }
            Ok(vec![value])
        }
    }
}

/// The error of `x.append(3)` if `x` is a number.
fn no_list(name: &str, span: Span) -> Error {
    let message = format!("`{name}` is not the name of a list, and only a list grows");
    fail(span, message, "a list begins with `x = []`")
}

/// The error of `x.append(3)` if another name or list holds the same list.
fn held_list(name: &str, list: &List, span: Span) -> Error {
    let holder = if list.is_item.get() { "list" } else { "name" };
    let message = format!("another {holder} holds this list, and Python would change both");
    let help = format!("`{name} = {name}[:]` gives `{name}` a list of its own");
    fail(span, message, help)
}
