//! Compiles expressions to postfix code: one instruction for each operand, operator, call and loop. `run` runs the code.
//! `block` compiles the lines of blocks and functions and comes here for their expressions.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::environment::Environment;
use crate::error::{Error, fail};
use crate::functions::{AnyValue, Branches, Code, Instruction, Slot, Variable, operation};
use crate::limits::MOST_BRANCH_NODES;
use crate::postfix::{is_reference, subtree_span, subtree_start};
use crate::values::Value;
use crate::{names, notes};
use chainrule_engine::graph::Spelling;
use chainrule_language::{
    Binding, Expression, Head, Item, ItemKind, Name, Property, Span, kept_name,
};

/// The target of a jump whose end is not compiled yet. [`Compiler::aim`] replaces it.
pub(super) const UNAIMED: usize = usize::MAX;

/// The kind of code that is compiled.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum CodeKind {
    /// A statement. It may refer to nodes by ids.
    Statement,
    /// The formula of `f(x) = x^2`.
    Formula,
    /// A block, or a function of several lines.
    Block,
}

/// Compiles one text.
pub(super) struct Compiler<'s, 't> {
    pub(super) session: &'s mut dyn Environment,
    pub(super) text: &'t str,
    pub(super) kind: CodeKind,
    /// The slots of parameters and assigned names, for each function around this place. The innermost function is last.
    pub(super) scopes: Vec<FxHashMap<Name, usize>>,
    /// The functions of the session that the text defines.
    pub(super) defined: Vec<Name>,
    /// The loop variables of the present expression, if calls in it may have another meaning in Python.
    pub(super) variables: Vec<Name>,
    /// The loops of the block around this place, the innermost last.
    pub(super) loops: Vec<LoopPlaces>,
    /// Whether the text is the definition of one function, which may be a formula.
    pub(super) is_definition: bool,
    pub(super) code: Vec<Instruction>,
}

/// An expression that is compiled, and the state of the compiler between two of its items.
#[derive(Default)]
pub(super) struct ExpressionState<'i> {
    items: &'i [Item<Name>],
    /// The index of the item that is compiled.
    at: usize,
    /// The loop variables in scope, with their slots. Inner ones hide outer ones.
    pub(super) variables: Vec<(Name, usize)>,
    /// The instructions that begin the loops around the item, the innermost last.
    loops: Vec<usize>,
    /// The `Then` of each choice around the item, and the `Else` if it stands before the item.
    choices: Vec<usize>,
    /// The arguments with names, each with the number of operands up to the argument.
    argument_names: Vec<(usize, Name)>,
    /// The arguments that are lists of arguments, each with the number of operands up to it.
    spreads: Vec<usize>,
    /// The number of operands that no item has used yet.
    height: usize,
}

impl ExpressionState<'_> {
    pub(super) fn item(&self) -> Item<Name> {
        self.items[self.at]
    }
}

/// The jumps of a loop of a block that is compiled.
pub(super) struct LoopPlaces {
    /// The first instruction of a round.
    pub(super) head: usize,
    /// The jumps to the end of the loop.
    pub(super) ends: Vec<usize>,
    /// The variable of the loop, if there is only one, and the text of the list.
    pub(super) over: Option<(Rc<str>, Rc<str>)>,
}

impl<'s, 't> Compiler<'s, 't> {
    /// A compiler for a text.
    pub(super) fn new(
        session: &'s mut dyn Environment,
        text: &'t str,
        kind: CodeKind,
    ) -> Compiler<'s, 't> {
        Compiler {
            session,
            text,
            kind,
            scopes: Vec::new(),
            defined: Vec::new(),
            variables: Vec::new(),
            loops: Vec::new(),
            is_definition: false,
            code: Vec::new(),
        }
    }
}

/// Compiles an expression of a statement.
pub fn expression(
    session: &mut dyn Environment,
    text: &str,
    typed: &Expression,
) -> Result<Vec<Instruction>, Error> {
    let mut compiler = Compiler::new(session, text, CodeKind::Statement);
    compiler.expression(&typed.items)?;
    Ok(compiler.code)
}

/// The code of a call of a function with primes.
pub fn call(name: &str, primes: u8, arguments: Vec<Value>) -> Vec<Instruction> {
    let function_call = Code::Call {
        function: Variable::Name(kept_name(name)),
        primes,
        count: arguments.len(),
        named: None,
        spread: None,
    };
    let values = arguments.into_iter().map(AnyValue::from);
    let all = values.map(Code::Value).chain([function_call]);
    let span = Span::default();
    all.map(|code| Instruction { code, span }).collect()
}

/// Compiles the values of a binding.
pub fn binding(
    session: &mut dyn Environment,
    text: &str,
    typed: &Binding,
) -> Result<Vec<Instruction>, Error> {
    let mut compiler = Compiler::new(session, text, CodeKind::Statement);
    compiler.values(typed)?;
    Ok(compiler.code)
}

impl Compiler<'_, '_> {
    pub(super) fn push(&mut self, code: Code, span: Span) {
        self.code.push(Instruction { code, span });
    }

    /// Adds a jump and returns its index, for [`Compiler::aim`].
    pub(super) fn push_jump(&mut self, jump: Code, span: Span) -> usize {
        self.push(jump, span);
        self.code.len() - 1
    }

    /// Compiles the values of a binding. Outside of functions, the constants of the values become leaves. A single value
    /// for several names is split.
    pub(super) fn values(&mut self, binding: &Binding) -> Result<(), Error> {
        let (is_frozen, count) = (binding.is_frozen, binding.targets.len());
        for (value, target) in binding.values.iter().zip(&binding.targets) {
            self.expression(&value.expression.items)?;
            if self.scopes.is_empty() {
                self.push(Code::Leaves { is_frozen }, target.span);
            }
        }
        if binding.values.len() < count {
            let divide = if binding.is_chain {
                Code::Repeat(count)
            } else {
                Code::Unpack(count)
            };
            self.push(divide, binding.values[0].expression.span);
        }
        Ok(())
    }

    /// Compiles the items of an expression.
    pub(super) fn expression(&mut self, typed: &[Item<Name>]) -> Result<(), Error> {
        let items = self.lower(typed)?;
        // Most items become an instruction each, and a binding adds one.
        self.code.reserve(items.len() + 1);
        let mut state = ExpressionState {
            items: &items,
            ..ExpressionState::default()
        };
        for (at, item) in items.iter().enumerate() {
            state.at = at;
            state.height = state.height + 1 - item.kind.operands() as usize;
            self.item(&mut state)?;
        }
        Ok(())
    }

    /// Compiles an item.
    fn item(&mut self, state: &mut ExpressionState<'_>) -> Result<(), Error> {
        let Item { kind, span } = state.item();
        let code = match kind {
            ItemKind::Number(literal) if literal.has_point => {
                Code::Number(literal.value, Spelling::Point)
            }
            ItemKind::Number(literal) => {
                let note = notes::rounded_number_note(span.of(self.text), literal.value);
                if let Some(note) = note {
                    self.session.add_note(note);
                }
                Code::Number(literal.value, Spelling::Plain)
            }
            ItemKind::Name(name) => match state.variables.iter().rev().find(|it| it.0 == name) {
                Some(&(_, place)) => Code::Get(Variable::Local(Slot { levels: 0, place })),
                None => self.name(name),
            },
            ItemKind::Former(..) | ItemKind::Id(_) | ItemKind::Result(_) => {
                self.reference(state)?
            }
            ItemKind::Apply(head, count) => return self.apply(head, count as usize, state),
            ItemKind::Lambda(typed) => self.lambda(typed, state)?,
            ItemKind::Text(words) => Code::Value(AnyValue::Text(words.into())),
            ItemKind::Variable(_) => return Ok(()),
            ItemKind::Each(count) => self.begin_loop(count as usize, state),
            ItemKind::Unknown(numbers) => self.begin_equation(numbers as usize, state),
            ItemKind::Property(property) => {
                if property == Property::Grad {
                    self.check_grad(state)?;
                }
                Code::Property(property)
            }
        };
        self.push(code, span);
        Ok(())
    }

    /// The instruction of `a@1`, `@9` or `$3`. Refuses these in functions and blocks: they may run later, when the same
    /// number denotes another node, for example after a save and a load.
    fn reference(&mut self, state: &ExpressionState) -> Result<Code, Error> {
        let place = match self.kind {
            CodeKind::Statement => {
                let value = (self.session).value_of_reference(self.text, state.items, state.at)?;
                return Ok(Code::Value(value.into()));
            }
            CodeKind::Formula => "a function's body",
            CodeKind::Block => "a block",
        };
        let span = state.item().span;
        let message = format!("`{}` is not allowed in {place}", span.of(self.text));
        Err(fail(span, message, "give the node a name and use that"))
    }

    /// Compiles an item that is applied to operands.
    fn apply(
        &mut self,
        head: Head<Name>,
        count: usize,
        state: &mut ExpressionState<'_>,
    ) -> Result<(), Error> {
        let span = state.item().span;
        match head {
            Head::Operator(operator) => {
                if let Some(error) = self.repetition_error(state) {
                    return Err(error);
                }
                if operator.spelling == "+" {
                    self.note_added_lists(state);
                }
                self.push(Code::Operator(operation(operator), count), span);
            }
            Head::Named(name) => state.argument_names.push((state.height, name)),
            Head::Spread => state.spreads.push(state.height),
            Head::Labelled(label) => self.push(Code::Label(label.into()), span),
            Head::Function(name, primes) => {
                let first = (state.argument_names).partition_point(|it| it.0 < state.height);
                let names = state.argument_names.drain(first..);
                let named: Vec<Rc<str>> = names.map(|it| Rc::from(it.1)).collect();
                let first_spread = state.spreads.partition_point(|it| *it < state.height);
                let spreads = state.spreads.drain(first_spread..);
                let spread: Vec<usize> = spreads.map(|it| it - state.height).collect();
                let call = Code::Call {
                    function: Variable::Name(name),
                    primes,
                    count,
                    named: (!named.is_empty()).then(|| named.into()),
                    spread: (!spread.is_empty()).then(|| spread.into()),
                };
                self.call(name, call, span)?;
            }
            // The condition of `y if c else z` has ended, then the `y`, then the `z`.
            Head::Then => state
                .choices
                .push(self.push_jump(Code::Then(Branches::default()), span)),
            Head::Else => state.choices.push(self.push_jump(Code::Else(0), span)),
            Head::Choose => {
                let or_else = state.choices.pop().expect("`Else` stands before");
                let then = state.choices.pop().expect("`Then` stands before");
                self.end_choice(then, or_else, span);
            }
            Head::List => self.push(Code::List(count), span),
            Head::Index => self.push(Code::Index, span),
            Head::Slice => self.push(Code::Slice(count), span),
            Head::Range => self.push(Code::Range, span),
            Head::Uncertain { is_per_cent } => {
                self.check_uncertain(state)?;
                self.push(Code::Uncertain(is_per_cent), span);
            }
            Head::Solve => {
                state.variables.pop();
                self.push(Code::Solve, span);
            }
            Head::Collect => {
                self.end_loop_of_items(state);
                self.push(Code::Collect, span);
            }
        }
        Ok(())
    }

    /// Refuses `(5 ± 0.1)` in code that may run several times.
    fn check_uncertain(&self, state: &ExpressionState) -> Result<(), Error> {
        if self.kind == CodeKind::Statement && state.loops.is_empty() {
            return Ok(());
        }
        let place = subtree_span(self.text, state.items, state.at);
        let message = "each call or round would make another uncertain leaf";
        let help = format!("name it before: `x = {}`", place.of(self.text));
        Err(fail(place, message, help))
    }

    /// Begins a `for` in an expression. Its variables are the last `count` items.
    fn begin_loop(&mut self, count: usize, state: &mut ExpressionState<'_>) -> Code {
        let first = self.scopes.last().map_or(0, FxHashMap::len) + state.variables.len();
        state.loops.push(self.code.len());
        let variables = &state.items[state.at - count..state.at];
        let names = variables.iter().filter_map(variable_name);
        state.variables.extend(names.clone().zip(first..));
        Code::Each(first, names.map(Rc::from).collect(), 0)
    }

    /// Begins an equation. Its unknown is the last item.
    fn begin_equation(&self, numbers: usize, state: &mut ExpressionState<'_>) -> Code {
        let slot = self.scopes.last().map_or(0, FxHashMap::len) + state.variables.len();
        let letter = variable_name(&state.items[state.at - 1]).expect("the letter comes last");
        state.variables.push((letter, slot));
        Code::Unknown {
            letter: letter.into(),
            numbers,
        }
    }

    /// Ends a `for` in an expression, and counts its instructions.
    fn end_loop_of_items(&mut self, state: &mut ExpressionState) {
        let here = self.code.len();
        if let Some(start) = state.loops.pop()
            && let Code::Each(_, variables, length) = &mut self.code[start].code
        {
            *length = here - start;
            let outer_variables = state.variables.len() - variables.len();
            state.variables.truncate(outer_variables);
        }
    }

    /// Ends a choice: completes its `Then` and its `Else`, and decides whether both branches are plain.
    pub(super) fn end_choice(&mut self, then: usize, or_else: usize, span: Span) {
        let branches = &self.code[then + 1..];
        let functions = &self.session.program().functions;
        let is_plain_call = |name: &str| {
            let is_known = functions.get(name).is_none_or(|it| it.is_plain());
            is_known && !self.defined.contains(&name)
        };
        let may_stay =
            |it: &Instruction| it.code.is_plain() && it.code.callee().is_none_or(is_plain_call);
        let (first, second) = (or_else - then - 1, self.code.len() - or_else - 1);
        let is_plain =
            branches.len() <= MOST_BRANCH_NODES as usize && branches.iter().all(may_stay);
        self.code[then].code = Code::Then(Branches {
            first,
            second,
            is_plain,
        });
        self.code[or_else].code = Code::Else(second);
        self.push(Code::Choose, span);
    }

    /// Makes the jump at this index lead to the next instruction.
    pub(super) fn aim(&mut self, jump: usize) {
        let here = self.code.len();
        match &mut self.code[jump].code {
            Code::Jump(at) | Code::JumpUnless(at) | Code::Next(at) => *at = here,
            _ => unreachable!("only jumps are aimed"),
        }
    }

    /// The slot of a name of a function around this code.
    pub(super) fn find_slot(&self, name: &str) -> Option<Slot> {
        let mut scopes = self.scopes.iter().rev().enumerate();
        scopes.find_map(|(levels, scope)| {
            let place = *scope.get(name)?;
            Some(Slot { levels, place })
        })
    }

    /// The meaning of a name in code.
    pub(super) fn target(&self, name: Name) -> Variable {
        match self.find_slot(name) {
            Some(slot) => Variable::Local(slot),
            None => Variable::Name(name),
        }
    }

    /// The instruction of a name that is an operand.
    fn name(&self, name: Name) -> Code {
        match (self.target(name), name) {
            (Variable::Name(_), "None") if self.session.find(name).is_none() => {
                Code::Value(AnyValue::None)
            }
            (Variable::Name(_), "True" | "False") if self.session.find(name).is_none() => {
                Code::Number(f64::from(u8::from(name == "True")), Spelling::Named(name))
            }
            // The lines below `if __name__ == "__main__":` run.
            (Variable::Name(_), "__name__") => Code::Value(AnyValue::Text("__main__".into())),
            (target, _) => Code::Get(target),
        }
    }

    /// Whether a call of this name means a function of the user's own.
    pub(super) fn is_own_function(&self, name: &str) -> bool {
        self.find_slot(name).is_some() || self.session.program().functions.get(name).is_some()
    }

    /// Compiles a call.
    fn call(&mut self, name: Name, mut call: Code, span: Span) -> Result<(), Error> {
        if let (CodeKind::Block, Code::Call { function, .. }) = (self.kind, &mut call) {
            *function = self.target(name);
        }
        // `Value(2.0)`, the class of Python's micrograd, makes a leaf of its argument.
        let is_leaf = name == "Value"
            && matches!(call, Code::Call { count: 1, .. })
            && !self.is_own_function(name);
        self.push(if is_leaf { Code::Leaf } else { call }, span);
        Ok(())
    }

    /// The error of `[0]*n` if `n` is a number or may be one. Python then repeats the list.
    fn repetition_error(&mut self, state: &ExpressionState) -> Option<Error> {
        let [inside @ .., list, right] = &state.items[..state.at] else {
            return None;
        };
        let (ItemKind::Apply(Head::List, 1), ItemKind::Name(name)) = (list.kind, right.kind) else {
            return None;
        };
        let unsigned = match inside {
            [rest @ .., sign] if matches!(sign.kind, ItemKind::Apply(Head::Operator(_), 1)) => rest,
            _ => inside,
        };
        let is_number = |item: &Item<Name>| matches!(item.kind, ItemKind::Number(_));
        let sign = (self.text).get(list.span.end as usize..right.span.start as usize)?;
        if !unsigned.last().is_some_and(is_number) || sign.trim() != "*" {
            return None;
        }
        if let Some(Code::Get(Variable::Name(_))) = self.code.last().map(|last| &last.code)
            && let value = names::value_of_name(self.session, name, state.item().span)
            && !matches!(value, Ok(Value::Node(_)))
        {
            return None;
        }
        let message = "Python repeats a list by `*`, which multiplies items here";
        let typed = list.span.of(self.text);
        let item = typed.trim_start_matches('[').trim_end_matches(']');
        let is_whole = self.kind == CodeKind::Statement && state.loops.is_empty();
        let dots = if is_whole { "" } else { "… " };
        let help = format!(
            "write `{dots}[{item} for k in range({name})]`; the product is `{dots}({typed})*{name}`"
        );
        Some(fail(list.span, message, help))
    }

    /// Notes once that the `+` between two lists in brackets would join them in Python.
    fn note_added_lists(&mut self, state: &ExpressionState) {
        let right = state.at - 1;
        let lefts = &state.items[..subtree_start(state.items, right)];
        if state.items[right].kind.is_written_list()
            && lefts.last().is_some_and(|left| left.kind.is_written_list())
        {
            self.session.note_added_lists();
        }
    }

    /// Refuses a `.grad` that cannot be read.
    fn check_grad(&self, state: &ExpressionState) -> Result<(), Error> {
        let span = state.item().span;
        if self.kind == CodeKind::Formula {
            let message =
                "a function's body has no `.grad`: it would mean another pass at each call";
            let help =
                "give the gradient a name and use that: `g = NODE.grad`; or use `grad(ROOT, LEAF)`";
            return Err(fail(span, message, help));
        }
        if !is_reference(state.items, state.at - 1) {
            let message = "only a named node has a `.grad` to read";
            let help = "give the expression a name and run `:grad` first";
            return Err(fail(span, message, help));
        }
        Ok(())
    }
}

/// The name of an item that is a loop variable.
pub(super) fn variable_name(item: &Item<Name>) -> Option<Name> {
    match item.kind {
        ItemKind::Variable(name) => Some(name),
        _ => None,
    }
}
