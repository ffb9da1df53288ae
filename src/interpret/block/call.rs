//! Functions of several lines, as `def` defines them: a call runs the lines.
//!
//! The parameters and the names that the lines assign belong to the call alone. Afterwards these names have their
//! earlier meanings again.

use std::rc::Rc;

use super::read::{self, BlockCode, BlockStep};
use super::{AfterStep, BlockRun};
use crate::commands::Reply;
use crate::interpret::{StatementRun, answers, python};
use crate::session::Session;
use crate::session::values::Value;
use chainrule_language::{self as language, Span, Statement, StatementSpan};
use chainrule_report::diagnostic::Diagnostic;
use chainrule_report::{Block, Fact, Report, say};
use chainrule_stop as stop;

/// How many calls may run at once.
const MOST_CALLS: usize = 50;

/// The names of parameters, each with its default value.
type Parameters = Vec<(String, Option<BlockCode>)>;

/// A function of several lines.
pub(super) struct Procedure {
    parameters: Parameters,
    steps: Vec<BlockStep>,
}

/// A call in a line of its own: `total, accuracy = loss(10)`.
pub(in crate::interpret) struct CallLine<'t> {
    targets: Vec<&'t str>,
    name: &'t str,
    arguments: Vec<&'t str>,
}

/// Reads a line as a call of a function of several lines; none if it is no such call.
pub(in crate::interpret) fn find_call<'t>(
    session: &Session,
    line: &'t str,
) -> Option<CallLine<'t>> {
    let line = line.trim();
    let open = line.strip_suffix(')')?.find('(')?;
    let (before, inside) = (&line[..open], &line[open + 1..line.len() - 1]);
    let (targets, name) = before.rsplit_once('=').unwrap_or(("", before));
    let (targets, name) = (targets.trim(), name.trim());
    session.functions().get(name)?.lines.as_ref()?;
    let targets: Vec<&str> = split_at_commas(targets).collect();
    // In `f(1)(2)` the bracket closes before the end of the line.
    let is_whole = language::outside_brackets(inside).all(|(_, c)| c != ')');
    let call = CallLine {
        targets,
        name,
        arguments: split_at_commas(inside).collect(),
    };
    (is_whole && call.targets.iter().all(|it| language::is_name(it))).then_some(call)
}

/// The parts of a text between its commas.
fn split_at_commas(text: &str) -> impl Iterator<Item = &str> {
    let commas = language::outside_brackets(text).filter(|&(_, c)| c == ',');
    let ends = commas.map(|(at, _)| at).chain([text.len()]);
    let mut start = 0;
    let parts = ends.map(move |end| {
        let part = &text[start..end];
        start = end + 1;
        part.trim()
    });
    parts.filter(|part| !part.is_empty())
}

/// The head of a definition: its name, its parameters, and where its lines begin.
fn read_head(text: &str) -> Option<(&str, Parameters, usize)> {
    let (name, inside, begin) = python::head(text)?;
    let parameters = split_at_commas(inside).map(|part| {
        let (name, default) = part.split_once('=').unwrap_or((part, ""));
        let (name, _) = name.split_once(':').unwrap_or((name, ""));
        let default = Some(default.trim()).filter(|it| !it.is_empty());
        let default = default.map(|it| BlockCode::new(it, 0..0));
        let name = Some(name.trim()).filter(|it| language::is_name(it))?;
        Some((language::canonical_name(name).into_owned(), default))
    });
    let name = Some(name).filter(|it| language::is_name(it))?;
    Some((name, parameters.collect::<Option<_>>()?, begin))
}

/// A function of several lines and its name.
fn read_procedure<'t>(
    session: &Session,
    text: &'t str,
) -> Result<(&'t str, Procedure), Diagnostic> {
    let (name, parameters, begin) = read_head(text).ok_or_else(|| {
        let help = "as in `def f(x, y=2):`, with the lines of the function below it";
        Diagnostic::new("this is not the head of a function").help(help)
    })?;
    let steps = read::read_steps(session, text, begin, true)?;
    if steps.is_empty() {
        let help = format!("end it with `return` and a formula, or write `{name}(x) = …`");
        return Err(Diagnostic::new("this function does nothing")
            .at(0..begin)
            .help(help));
    }
    Ok((name, Procedure { parameters, steps }))
}

/// Whether a text defines a function as Python does.
pub(in crate::interpret) fn is_definition(text: &str) -> bool {
    read_head(text).is_some_and(|(.., begin)| !text[begin..].trim().is_empty())
}

/// The lines of a function that has only assignments and a returned value, so that it can be defined as a formula. None
/// for any other function: a call of it runs its lines.
fn formula_lines<'p>(session: &Session, procedure: &'p Procedure) -> Option<Vec<&'p BlockCode>> {
    let (BlockStep::Return(Some(last)), before) = procedure.steps.split_last()? else {
        return None;
    };
    let assigns = |code: &BlockCode| {
        read::targets(&code.text).next().is_some() && find_call(session, &code.text).is_none()
    };
    let lines = before.iter().map(|step| match step {
        BlockStep::Line(code) if assigns(code) => Some(code),
        _ => None,
    });
    let is_plain = !procedure.parameters.is_empty()
        && procedure
            .parameters
            .iter()
            .all(|(_, default)| default.is_none());
    lines
        .chain([Some(last)])
        .collect::<Option<_>>()
        .filter(|_| is_plain)
}

impl StatementRun<'_, '_> {
    /// Defines a function as Python does.
    pub(in crate::interpret) fn define_lines(&mut self) -> Result<Reply, Diagnostic> {
        let text = self.statement();
        let (name, procedure) = read_procedure(self.session, text)?;
        let parameters = procedure.parameters.iter().map(|(name, _)| name.as_str());
        if let Some(lines) = formula_lines(self.session, &procedure) {
            return self.define_formula(name, &parameters.collect::<Vec<_>>(), &lines);
        }
        let parameters = parameters.map(Rc::from).collect();
        let function = self.session.define_lines(name, parameters, text);
        Ok(self.reply(Vec::new(), |_| {
            let line = say!(
                "{:name} runs its {}",
                function.head(),
                function.body.to_string()
            );
            Report::confirming(
                "function",
                answers::function_facts(&function.name, &function.parameters, &function.body),
                line,
            )
        }))
    }

    /// Defines a function of assignments and a value.
    fn define_formula(
        &mut self,
        name: &str,
        parameters: &[&str],
        lines: &[&BlockCode],
    ) -> Result<Reply, Diagnostic> {
        let assigned = lines.iter().flat_map(|code| read::targets(&code.text));
        let mut locals: Vec<&str> = parameters.iter().copied().chain(assigned).collect();
        locals.push(name);
        locals.sort_unstable();
        let mut own = String::new();
        let mut cuts = Vec::with_capacity(lines.len());
        for code in lines {
            let line = python::translate_line(self.session, &code.text, Some(&locals));
            let line = line.map_err(|error| error.at(code.place.clone()))?;
            let start = own.len();
            if cuts.len() + 1 == lines.len() {
                own.extend([name, "(", &parameters.join(", "), ") = "]);
            }
            own += &line;
            cuts.push(Span::new(start, own.len()));
            own.push('\n');
        }
        let done = self.define_own(&own, &cuts);
        done.map_err(|error| {
            // The error has its place in the translated lines: find the line of Python that it belongs to.
            let at = error.span.as_ref().map_or(0, |span| span.start as u32);
            let line = cuts
                .partition_point(|cut| cut.end < at)
                .min(lines.len() - 1);
            Diagnostic {
                label: String::new(),
                others: Vec::new(),
                ..error.at(lines[line].place.clone())
            }
        })
    }

    /// Defines a function by lines of this language: bindings, and a definition at the end.
    fn define_own(&mut self, text: &str, lines: &[Span]) -> Result<Reply, Diagnostic> {
        let mut run = StatementRun {
            session: self.session,
            text,
            cut: self.cut,
        };
        let mut assigned = Vec::with_capacity(lines.len());
        for &span in lines {
            let silenced = false;
            let read = language::statement(text, &StatementSpan { span, silenced });
            match read.map_err(|error| run.session.explain(error))? {
                Statement::Definition(definition) => return run.define(&definition, &assigned),
                Statement::Binding(mut binding)
                    if binding.widths.is_empty()
                        && binding.targets.len() == binding.values.len() =>
                {
                    if let Some(operator) = binding.compound {
                        for (target, value) in binding.targets.iter().zip(&mut binding.values) {
                            *value = value.compound(&[target.item()], operator);
                        }
                    }
                    assigned.push(binding);
                }
                _ => break,
            }
        }
        let message = "a line of a function gives each of its names one value";
        let place = lines[assigned.len()];
        Err(Diagnostic::new(message)
            .at(place)
            .help("as in `u, v = x, 2*x`"))
    }

    /// Runs a statement that is a call.
    pub(in crate::interpret) fn run_call_line(
        &mut self,
        call: &CallLine,
    ) -> Result<Reply, Diagnostic> {
        let text = self.statement();
        let is_python = python::is_python(self.session, text);
        let mut run = BlockRun::new(self.session, is_python);
        let values = run.run_call(call);
        let values = values.map_err(|error| error.at(0..text.len()))?;
        let printed = match values.as_slice() {
            [] => None,
            [only] if call.targets.is_empty() => {
                let facts = Fact::Record(answers::data_facts(only));
                Some((vec![answers::value_piece(only)], Fact::List(vec![facts])))
            }
            values => {
                let session = &*run.session;
                Some(answers::binding_line(
                    session,
                    &call.targets,
                    values,
                    &[],
                    Vec::new(),
                ))
            }
        };
        let printed = printed.map(|(line, facts)| (Block::Line(line), facts));
        run.printed.extend(printed);
        Ok(stop::run_to_end(|| run.end(self.cut, AfterStep::GoesOn)))
    }
}

impl BlockRun<'_> {
    /// Runs a call, binds its targets, and returns the values of the call.
    pub(super) fn run_call(&mut self, call: &CallLine) -> Result<Vec<Value>, Diagnostic> {
        let procedure = self.find_procedure(call.name)?;
        let name = call.name;
        if self.depth >= MOST_CALLS {
            let message =
                format!("more than {MOST_CALLS} calls would run at once, this one of `{name}`");
            return Err(
                Diagnostic::new(message).help("a function that calls itself comes to no end")
            );
        }
        let arguments = self.argument_values(call, &procedure)?;
        let mut names: Vec<&str> = procedure
            .parameters
            .iter()
            .map(|(name, _)| name.as_str())
            .collect();
        read::collect_assigned_names(&procedure.steps, &mut names);
        names.sort_unstable();
        names.dedup();
        let hidden = self.session.hide_names(&names);
        for (name, value) in arguments {
            self.session.bind_item(name, value, true);
        }
        let outside = (
            std::mem::replace(&mut self.is_python, true),
            std::mem::replace(&mut self.is_inner, true),
        );
        self.depth += 1;
        let done = self.run_steps(&procedure.steps);
        self.depth -= 1;
        (self.is_python, self.is_inner) = outside;
        done.map_err(|error| Diagnostic {
            interrupted: error.interrupted,
            help: error.help,
            ..Diagnostic::new(match self.depth {
                0 => format!("{}, in `{name}`", error.message),
                _ => error.message,
            })
        })?;
        self.session.restore_names(hidden);
        let value = self.returned.take();
        let values = match (call.targets.len(), value) {
            (0, value) => return Ok(value.into_iter().collect()),
            (1, Some(value)) => vec![value],
            (count, Some(Value::List(list))) if list.count() == count => list.items().collect(),
            (count, value) => {
                let shape = value.map_or("nothing".to_string(), |it| it.shape().to_string());
                let message = format!("{count} names for {shape}, which `{name}` returns");
                let help = "a function returns something by `return y` at its end";
                return Err(Diagnostic::new(message).help(help));
            }
        };
        for (name, value) in call.targets.iter().zip(&values) {
            self.session.bind_item(name, value.clone(), false);
        }
        Ok(values)
    }

    /// The function with this name, read at its first call.
    fn find_procedure(&mut self, name: &str) -> Result<Rc<Procedure>, Diagnostic> {
        if let Some(known) = self.procedures.get(name) {
            return Ok(Rc::clone(known));
        }
        let function = self.session.functions().get(name);
        let text = function.and_then(|function| function.lines.clone());
        let (_, procedure) = read_procedure(self.session, text.as_deref().unwrap_or_default())?;
        let procedure = Rc::new(procedure);
        self.procedures
            .insert(name.to_string(), Rc::clone(&procedure));
        Ok(procedure)
    }

    /// The value of each argument with the name of its parameter. An argument that is `None` is left out.
    fn argument_values<'p>(
        &mut self,
        call: &CallLine,
        procedure: &'p Procedure,
    ) -> Result<Vec<(&'p str, Value)>, Diagnostic> {
        let parameters = &procedure.parameters;
        let mut given: Vec<Option<&str>> = vec![None; parameters.len()];
        for (at, &argument) in call.arguments.iter().enumerate() {
            let named = argument
                .split_once('=')
                .filter(|(_, value)| !value.starts_with('='));
            let place = match named {
                Some((name, _)) => {
                    let name = language::canonical_name(name.trim());
                    parameters.iter().position(|(known, _)| *known == name)
                }
                None => Some(at),
            };
            let Some(place) = place.and_then(|place| given.get_mut(place)) else {
                let message = format!("`{}` has no parameter for `{argument}`", call.name);
                let function = self.session.functions().get(call.name);
                let head = function.map_or(String::new(), |function| function.head());
                let help = format!("it is defined as `{head}`");
                return Err(Diagnostic::new(message).help(help));
            };
            *place = Some(named.map_or(argument, |(_, value)| value.trim()));
        }
        let mut values = Vec::with_capacity(parameters.len());
        for ((name, default), given) in parameters.iter().zip(given) {
            let given = given.map(|text| BlockCode::new(text, 0..0));
            let Some(code) = given.as_ref().or(default.as_ref()) else {
                let message = format!("`{}` needs a value for `{name}`", call.name);
                let help = format!("give it one: `{}({name}=2)`", call.name);
                return Err(Diagnostic::new(message).help(help));
            };
            if code.text != "None" {
                values.push((name.as_str(), self.evaluate(code)?));
            }
        }
        Ok(values)
    }

    /// Keeps what a function returns until its call ends.
    pub(super) fn keep_returned(&mut self, value: Option<&BlockCode>) -> Result<(), Diagnostic> {
        self.returned = value.map(|code| self.evaluate(code)).transpose()?;
        Ok(())
    }
}
