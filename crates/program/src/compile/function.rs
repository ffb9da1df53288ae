//! Compiles functions: `f(x) = 3x^2 - 4x + 5`, `def f(x, y=2):`.
//!
//! Parameters and the names that the body assigns are slots of a call's frame. A function that only assigns names and
//! returns a value is a formula: unknown functions in it are refused at once and unknown names are noted, its result
//! has the label `f(a)`, and it cannot call itself. Any other function keeps its lines.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::compiler::{CodeKind, Compiler, ExpressionState};
use super::unknown_names::{accept_unknown_names, check_calls};
use crate::environment::Environment;
use crate::error::{Error, fail};
use crate::functions::{AnyValue, Code, Function, Instruction, Variable};
use crate::names;
use chainrule_language::{
    self as language, BindingTarget, Definition, Expression, Lambda, Name, Parameter, Property,
    Span, Step, StepKind,
};
use chainrule_report::plural;

impl Compiler<'_, '_> {
    /// Compiles a function, and the instruction that defines it.
    pub(super) fn define(&mut self, definition: &Definition) -> Result<(), Error> {
        let (name, span) = (definition.name.name, definition.span);
        let defaults = self.defaults(&definition.parameters)?;
        let target = self.target(name);
        if let Variable::Name(_) = target {
            self.defined.push(name);
        }
        let mut function = self.open_function(definition)?;
        let stands_alone = self.is_definition && self.scopes.len() == 1;
        if self.kind == CodeKind::Formula {
            self.make_formula(&mut function, &definition.body)?;
            let parameters = &definition.parameters;
            let is_local = |word: Name| parameters.iter().any(|it| it.target.name == word);
            if let Some(body) = definition.formula() {
                check_operands(self.session, body, is_local)?;
            }
        } else {
            let may_be_formula = stands_alone && defaults == 0 && self.is_formula(&function);
            let mut formula = function.clone();
            if may_be_formula && self.make_formula(&mut formula, &definition.body).is_ok() {
                function = formula;
            } else {
                // As in Python, what it calls may be defined later.
                function.lines = Some(self.text.into());
            }
        }
        self.scopes.pop();
        self.push(Code::Define(function.into(), defaults, target), span);
        Ok(())
    }

    /// Compiles `lambda x: x**2`, an argument of a call.
    pub(super) fn lambda(
        &mut self,
        typed: Name,
        state: &ExpressionState<'_>,
    ) -> Result<Code, Error> {
        let Lambda { text, definition } = language::lambda(typed);
        let is_variable = |name: &str| state.variables.iter().any(|known| known.0 == name);
        let mut names = definition.formula().into_iter().flat_map(Expression::names);
        if let Some((name, _)) = names.find(|it| is_variable(it.0)) {
            let message = format!("a function in a `for` does not see its `{name}`");
            let help = format!(
                "give the function a name and `{name}` as another argument, or write the `for` as a block"
            );
            return Err(fail(state.item().span, message, help));
        }
        let text_around = std::mem::replace(&mut self.text, text);
        let opened = self.open_function(&definition);
        self.text = text_around;
        let mut function = opened.map_err(|error| error.at(state.item().span))?;
        self.scopes.pop();
        function.lines = Some(text.into());
        Ok(Code::Lambda(function.into()))
    }

    /// Compiles the body of a function, whose names stay in scope.
    fn open_function(&mut self, definition: &Definition) -> Result<Function, Error> {
        let (name, span) = (definition.name.name, definition.span);
        let parameters = &definition.parameters;
        let mut scope = Scope::default();
        for parameter in parameters {
            add_names(&mut scope, &[parameter.target]);
        }
        collect_names(&definition.body, &mut scope);
        let slots = scope.len();
        self.scopes.push(scope);
        let code = self.body(&definition.body, span)?;
        let line_count = span.of(self.text).lines().count();
        Ok(Function {
            name: name.into(),
            parameters: parameters.iter().map(|it| it.target.name.into()).collect(),
            // The lines below the head. A body on the line of the head is one line.
            body: plural(line_count.max(2) - 1, "line").into(),
            has_rest: parameters.last().is_some_and(|it| it.is_rest),
            slots,
            has_grad: code.iter().any(|it| it.code.is_grad()),
            code: code.into(),
            ..Function::default()
        })
    }

    /// Compiles the body of a function. If the last step is not a `return`, the function returns `None` there.
    fn body(&mut self, steps: &[Step], span: Span) -> Result<Vec<Instruction>, Error> {
        let code_around = std::mem::take(&mut self.code);
        let loops_around = std::mem::take(&mut self.loops);
        self.steps(steps)?;
        let last = steps.last().map(|step| &step.kind);
        if !matches!(last, Some(StepKind::Return(_))) {
            self.push(Code::Value(AnyValue::None), span);
            self.push(Code::Return, span);
        }
        self.loops = loops_around;
        Ok(std::mem::replace(&mut self.code, code_around))
    }

    /// Whether a function only assigns names of its own, and returns a value.
    fn is_formula(&self, function: &Function) -> bool {
        let (last, before) = function.code.split_last().expect("it returns something");
        let may_stay = |it: &Instruction| self.may_be_in_formula(&it.code, function);
        !function.parameters.is_empty()
            && !function.has_rest
            && matches!(last.code, Code::Return)
            && before.iter().all(may_stay)
    }

    /// Whether an instruction only computes a value, or assigns a name of the function that is not a parameter.
    fn may_be_in_formula(&self, code: &Code, function: &Function) -> bool {
        let parameters = function.parameters.len();
        let is_own =
            |it: &Variable| matches!(it, Variable::Local(slot) if slot.place >= parameters);
        match code {
            Code::Bind(targets) => targets.iter().all(is_own),
            Code::Call {
                function: Variable::Name(name),
                named: None,
                ..
            } => {
                let called = self.session.program().functions.get(name);
                **name != *function.name && called.is_none_or(|it| it.lines.is_none())
            }
            Code::Number(..)
            | Code::Get(_)
            | Code::Operator(..)
            | Code::List(_)
            | Code::Index
            | Code::Slice(_)
            | Code::Range
            | Code::Each(..)
            | Code::Collect
            | Code::Unknown { .. }
            | Code::Solve
            | Code::Property(Property::Data | Property::Sigma)
            | Code::Leaf
            | Code::Begin => true,
            _ => false,
        }
    }

    /// Turns a function into a formula: looks up all names, writes the text that the calculator prints, and refuses a
    /// formula that calls itself.
    fn make_formula(&mut self, function: &mut Function, body: &[Step]) -> Result<(), Error> {
        let newest_before = self.session.program().graph.last_id();
        let is_step = |it: &&Instruction| matches!(it.code, Code::Begin | Code::Return);
        let expressions = function.code.iter().filter(|it| !is_step(it));
        function.code = expressions.cloned().collect();
        let found = self.look_up_all(function);
        // The lookups have made constants, which are not needed.
        self.session.program_mut().rewind(newest_before);
        found?;
        function.body = self.formula_text(body)?.into();
        if let Some(note) = accept_unknown_names(self.session, function)? {
            self.session.add_note(note);
        }
        let callees = function.callees().map(Rc::from).collect();
        let functions = &self.session.program().functions;
        if let Some(caller) = functions.caller_of(&function.name, callees) {
            let place = match body.last().map(|step| &step.kind) {
                Some(StepKind::Return(Some(value))) => value.span,
                _ => Span::default(),
            };
            let name = &function.name;
            let help =
                format!("{caller} calls {name}: write the steps out, or choose another name");
            return Err(fail(place, "a function cannot call itself", help));
        }
        Ok(())
    }

    /// The body of a formula as the calculator prints it: `s^2 where s = x + 1`.
    fn formula_text(&mut self, body: &[Step]) -> Result<String, Error> {
        let mut text = String::new();
        let mut assigned = Vec::new();
        for step in body {
            match &step.kind {
                StepKind::Return(Some(value)) => text = self.infix(value)?,
                StepKind::Bind(binding) => {
                    let names: Vec<&str> = binding.targets.iter().map(|it| it.name).collect();
                    let infix = binding.values.iter().map(|it| self.infix(&it.expression));
                    let values: Vec<String> = infix.collect::<Result<_, Error>>()?;
                    assigned.push(format!("{} = {}", names.join(", "), values.join(", ")));
                }
                _ => {}
            }
        }
        if !assigned.is_empty() {
            text.extend([" where ", &assigned.join("; ")]);
        }
        Ok(text)
    }

    /// An expression as the calculator prints it.
    fn infix(&mut self, value: &Expression) -> Result<String, Error> {
        let items = self.lower(&value.items)?;
        Ok(language::infix(&items))
    }

    /// Looks up all names and functions in a formula, and refuses unknown functions.
    fn look_up_all(&mut self, formula: &Function) -> Result<(), Error> {
        let session = &mut *self.session;
        for instruction in &*formula.code {
            if let Code::Get(Variable::Name(name)) = &instruction.code
                && session.knows(name)
            {
                names::value_of_name(session, name, instruction.span)?;
            }
        }
        check_calls(session, &formula.code, &formula.name)
    }

    /// Compiles the defaults of a function, and returns their number.
    fn defaults(&mut self, parameters: &[Parameter]) -> Result<usize, Error> {
        let mut count = 0;
        let mut has_rest = false;
        for parameter in parameters {
            let has_default = parameter.default.is_some();
            let is_late = !has_default && !parameter.is_rest && count > 0;
            if has_rest || is_late || parameter.is_rest && has_default {
                let BindingTarget { name, span, .. } = parameter.target;
                let message = format!("the parameter `{name}` is not in order");
                let help = "first those without a default, then those with one, then one for all that is left: `def f(x, y=2, *args):`";
                return Err(fail(span, message, help));
            }
            has_rest = parameter.is_rest;
            if let Some(typed) = &parameter.default {
                self.expression(&typed.items)?;
                count += 1;
            }
        }
        Ok(count)
    }
}

/// Refuses the name of a function as an operand of an operator: `sin - x`. An argument may be a function, and a name for
/// which `is_local` holds is none.
pub fn check_operands(
    session: &dyn Environment,
    expression: &Expression,
    is_local: impl Fn(Name) -> bool,
) -> Result<(), Error> {
    let mut names = expression.operand_names().into_iter();
    let is_function =
        |name: Name| session.is_function(name) && !session.knows(name) && !is_local(name);
    let Some((name, index)) = names.find(|(name, _)| is_function(name)) else {
        return Ok(());
    };
    let help = format!("call it, `{name}(…)`, or choose another name");
    let span = expression.items[index].span;
    Err(fail(span, format!("`{name}` is a function"), help))
}

/// The slots of a function's names.
type Scope = FxHashMap<Name, usize>;

fn add_names(scope: &mut Scope, targets: &[BindingTarget]) {
    for target in targets {
        let slot = scope.len();
        scope.entry(target.name).or_insert(slot);
    }
}

/// Adds the names that steps assign or define.
fn collect_names(steps: &[Step], scope: &mut Scope) {
    for step in steps {
        match &step.kind {
            StepKind::Bind(binding) => add_names(scope, &binding.targets),
            StepKind::For { names, body, .. } => {
                add_names(scope, names);
                collect_names(body, scope);
            }
            StepKind::While { body, .. } => collect_names(body, scope),
            StepKind::If(arms) => {
                for (_, body) in arms {
                    collect_names(body, scope);
                }
            }
            StepKind::Define(definition) => add_names(scope, &[definition.name]),
            _ => {}
        }
    }
}
