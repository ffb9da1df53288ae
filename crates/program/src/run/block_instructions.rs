//! Runs the instructions that only blocks and functions of several lines have: bindings, jumps, definitions, and acts
//! such as `print`. `loops` runs the rounds of loops, and `append` makes lists longer.

use std::rc::Rc;

use super::choices::is_true;
use super::frames::BlockLoop;
use super::machine::{Event, Machine};
use crate::error::{Error, fail_here};
use crate::functions::{Act, AnyValue, Code, Function, OwnFunction, Variable, is_built_in};
use crate::guards::GuardKind;
use crate::leaves::LeafBinding;
use crate::values::Value;
use chainrule_language::{PrintPiece, Property};
use chainrule_report::{Note, say};

impl Machine<'_, '_> {
    /// Runs an instruction of a block.
    pub(super) fn block_instruction(&mut self, code: &Code) -> Result<(), Error> {
        let newest = self.state.frames.len() - 1;
        match code {
            Code::Leaf => {
                let value = self.pop_value(0)?;
                self.note_read(std::slice::from_ref(&value), GuardKind::Data);
                let graph = &mut self.session.program_mut().graph;
                let leaves = value.map_nodes(|node| graph.leaf(node.data(), false));
                self.state.stack.push(leaves.into());
            }
            Code::Jump(at) => self.state.frames[newest].at = *at,
            Code::Then(branches) => self.begin_choice(*branches)?,
            Code::Else(length) => self.state.frames[newest].at += length,
            Code::Choose => self.end_choice()?,
            Code::JumpUnless(at) => {
                let condition = self.pop_value(0)?;
                if !self.is_line_of_block() {
                    self.note_read(std::slice::from_ref(&condition), GuardKind::Condition);
                } else if let Some(node) = condition.node().filter(|it| it.varies()) {
                    self.note_line_condition(node);
                }
                if !is_true(&condition)? {
                    self.state.frames[newest].at = *at;
                }
            }
            Code::Begin => self.begin_statement(),
            Code::Leaves { is_frozen } => self.make_leaves(*is_frozen),
            Code::Unpack(count) => self.unpack(*count)?,
            Code::Repeat(count) => {
                let value = self.pop_value(0)?;
                value.mark_as_shared();
                let values = std::iter::repeat_n(AnyValue::from(value), *count);
                self.state.stack.extend(values);
            }
            Code::Lambda(function) => self.state.stack.push(AnyValue::Own(OwnFunction {
                function: Rc::clone(function),
                frame: newest,
            })),
            Code::Bind(targets) => self.bind_targets(targets)?,
            Code::Label(label) => self.label_last_node(label)?,
            Code::Drop => drop(self.pop()),
            Code::Loop => self.begin_list_loop()?,
            Code::While => self.state.frames[newest]
                .block_loops
                .push(BlockLoop::default()),
            Code::Next(end) => self.begin_next_round(*end)?,
            Code::BindItem(targets) => self.bind_item(targets)?,
            Code::Round => self.begin_block_round()?,
            Code::EndLoop => self.end_block_loop(),
            Code::Return => {
                self.check_returned()?;
                self.leave()?;
            }
            Code::Define(function, defaults, target) => self.define(function, *defaults, target),
            Code::SetItem(target) => self.set_item(target)?,
            Code::ChangeList(target, change) => self.change_local(*target, *change)?,
            Code::Print(printing) => {
                let is_value = |piece: &&PrintPiece| !matches!(piece, PrintPiece::Text(_));
                let pieces = printing.arguments.iter().flatten();
                let first = self.state.stack.len() - pieces.filter(is_value).count();
                let values = self.state.stack.split_off(first);
                self.state.event = Some(Event::Print(Rc::clone(printing), values));
            }
            Code::Act(act) => self.begin_act(act)?,
            _ => unreachable!("the machine runs it"),
        }
        Ok(())
    }

    /// Makes leaves of the constants in the value on the stack. The next instruction binds the value to a name of the
    /// session.
    pub(super) fn make_leaves(&mut self, is_frozen: bool) {
        let value = match self.state.stack.pop() {
            // Most numbers of a loop depend on a leaf, and need no more.
            Some(AnyValue::Numbers(Value::Node(node)))
                if node.varies() && !is_frozen && self.state.record.has_nothing_to_add() =>
            {
                self.state.record.newest_before = self.session.program().graph.last_id();
                self.state.stack.push(Value::Node(node).into());
                return;
            }
            Some(AnyValue::Numbers(value)) => value,
            other => {
                self.state.stack.extend(other);
                return;
            }
        };
        self.note_last_fault();
        let span = self.state.site.span;
        let guarded = self.guard(value, span);
        let (name, mut notes) = (span.of(self.state.text), Vec::new());
        let newest_before = self.state.record.newest_before;
        let leaf_binding = LeafBinding {
            is_frozen,
            name,
            newest_before,
        };
        let leaves = leaf_binding.leaves(self.session, guarded, &mut notes);
        self.add_notes(notes);
        self.state.record.newest_before = self.session.program().graph.last_id();
        self.state.stack.push(leaves.into());
    }

    /// Replaces the list on the stack by its items. Their number must be that of the names.
    fn unpack(&mut self, count: usize) -> Result<(), Error> {
        let value = self.pop_value(0)?;
        let Some(list) = value.list().filter(|list| list.count() == count) else {
            let message = format!("{count} names for {}", value.shape());
            let help = "as many names as there are items: `NAME, NAME = [1, 2]`";
            return Err(fail_here(message, help));
        };
        self.state
            .stack
            .extend(list.items().map(|item| item.into_owned().into()));
        Ok(())
    }

    /// Labels the node on the stack.
    fn label_last_node(&mut self, label: &str) -> Result<(), Error> {
        self.check_operands(1)?;
        let last = self.state.stack.last().and_then(AnyValue::numbers);
        let Some(Value::Node(node)) = last else {
            return Ok(());
        };
        if !node.varies() {
            let constant = self.session.label(node);
            let message = format!("`{constant}` is a constant and is in no table");
            let help = "a number with a name of its own can have a label: `NAME = 2`";
            return Err(fail_here(message, help));
        }
        self.session.relabel(node, label, self.state.site.span)
    }

    /// Lets the session perform an act with the values on the stack.
    fn begin_act(&mut self, act: &Rc<Act>) -> Result<(), Error> {
        let mut values = self.pop_values(act.operands())?;
        if let Act::ChangeList(list, _) = &**act {
            let item = self.appended_item(list, values.remove(0))?;
            values.push(item);
        }
        self.state.event = Some(Event::Act(Rc::clone(act), values));
        Ok(())
    }

    /// Whether an instruction may read the number of a computed node that is older than the block.
    pub(super) fn reads_older_nodes(&self, code: &Code) -> bool {
        match code {
            Code::BindItem(_) | Code::Operator(..) | Code::Property(_) => {}
            Code::Act(act) if matches!(**act, Act::Data(_) | Act::Grad | Act::Zero) => {}
            _ => return true,
        }
        let operands = &self.state.stack[self.state.stack.len() - code.operands()..];
        let mut nodes = operands.iter().flat_map(AnyValue::nodes);
        nodes.any(|node| self.session.program().is_older_than_block(node))
    }

    /// Whether an instruction may need names that the session does not know yet, for example to write a label.
    pub(super) fn reads_names(&self, code: &Code) -> bool {
        match code {
            // Reading a grad writes no label, but for that of a constant.
            Code::Property(Property::Grad) => {
                let operand = self.state.stack.last();
                let mut nodes = operand.into_iter().flat_map(AnyValue::nodes);
                nodes.any(|node| !node.is_leaf())
            }
            Code::Act(act) => matches!(**act, Act::ChangeList(..)),
            Code::Call { primes: 1.., .. }
            | Code::Uncertain(_)
            | Code::Property(_)
            | Code::Label(_) => true,
            _ => false,
        }
    }

    /// The index of the frame that is this many functions outside of the running one.
    pub(super) fn frame_around(&self, levels: usize) -> usize {
        let newest = self.state.frames.len() - 1;
        (0..levels).fold(newest, |frame, _| self.state.frames[frame].around)
    }

    /// The text of the instruction that runs. Empty in a formula.
    pub(super) fn typed_text(&self) -> &str {
        self.typed_code()
            .map_or("", |(text, _)| self.state.site.span.of(text))
    }

    /// The error for a name of a function that has no value yet.
    pub(super) fn missing_value_error(&self, frame: usize) -> Error {
        let function = self.state.frames[frame].function.as_ref();
        let function_name = function.map_or("", |it| &*it.name);
        let name = self.typed_text();
        let message = format!("`{name}` has no value yet in `{function_name}`");
        let help =
            format!("a function has names of its own: give `{name}` a value before this line");
        fail_here(message, help)
    }

    /// Adds the note on the node that the last statement of the block has made NaN or infinite.
    pub(super) fn note_last_fault(&mut self) {
        if let Some(fault) = self.state.record.fault.take() {
            self.give_names();
            let note = fault.note(self.session);
            self.add_note(note);
        }
    }

    /// Begins a statement of a block: adds the note on the last one, and forgets the numbers that it has read.
    fn begin_statement(&mut self) {
        self.note_last_fault();
        if self.state.frames.len() == 1 {
            self.state.record.newest_before = self.session.program().graph.last_id();
            self.session.program_mut().started = self.state.record.newest_before;
            // A number that a condition or a print has read does not guard later values.
            self.take_read();
            self.session.program_mut().guards.last = None;
        }
    }

    /// Defines a function. The values of its defaults are on the stack.
    fn define(&mut self, template: &Rc<Function>, defaults: usize, target: &Variable) {
        let mut function = Function::clone(template);
        function.defaults = self
            .state
            .stack
            .split_off(self.state.stack.len() - defaults);
        (function.defaults.iter()).for_each(AnyValue::mark_as_shared);
        match target {
            Variable::Local(slot) => {
                let frame = self.state.frames.len() - 1;
                let own = OwnFunction {
                    function: Rc::new(function),
                    frame,
                };
                self.state.frames[frame].slots[slot.place] = Some(AnyValue::Own(own));
            }
            Variable::Name(name) => {
                self.forget_word(name);
                let functions = &self.session.program().functions;
                function.place = functions.place(name);
                if functions.get(name).is_none() && is_built_in(name) {
                    self.add_note(Note::new(say!(
                        "{:name} is now your function; the built-in one comes back with `:del {}`",
                        &**name,
                        &**name
                    )));
                }
                self.session.define(function);
            }
        }
    }
}
