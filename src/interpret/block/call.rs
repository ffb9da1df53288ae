//! Functions of several lines, as `def` defines them: a call runs the lines.
//!
//! What the lines assign, and the parameters, are names of the call alone: what had these names before has them again
//! afterwards.

use std::rc::Rc;

use super::read::{self, BlockCode, BlockStep};
use super::{AfterStep, BlockRun};
use crate::commands::Reply;
use crate::diagnostic::Diagnostic;
use crate::interpret::{StatementRun, answers, python};
use crate::report::{Block, Fact, Line, Piece, Report, say};
use crate::session::Session;
use crate::session::values::Value;
use crate::stop;
use crate::syntax;

/// How many calls may run at once.
const MOST_CALLS: usize = 50;

/// The names of parameters, each with what stands for an argument that is missing.
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

/// The call of a function of several lines that a line is.
pub(in crate::interpret) fn of<'t>(session: &Session, line: &'t str) -> Option<CallLine<'t>> {
    let line = line.trim();
    let open = line.strip_suffix(')')?.find('(')?;
    let (before, inside) = (&line[..open], &line[open + 1..line.len() - 1]);
    let (targets, name) = before.rsplit_once('=').unwrap_or(("", before));
    let (targets, name) = (targets.trim(), name.trim());
    session.functions().get(name)?.lines.as_ref()?;
    let targets: Vec<&str> = parts(targets).collect();
    // The bracket may be closed before the end.
    let is_whole = syntax::outside(inside).all(|(_, c)| c != ')');
    let call = CallLine {
        targets,
        name,
        arguments: parts(inside).collect(),
    };
    (is_whole && call.targets.iter().all(|it| syntax::is_name(it))).then_some(call)
}

/// What stands between the commas of a text.
fn parts(text: &str) -> impl Iterator<Item = &str> {
    let commas = syntax::outside(text).filter(|&(_, c)| c == ',');
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
fn head(text: &str) -> Option<(&str, Parameters, usize)> {
    let code = text.strip_prefix("def")?;
    let (colon, _) = syntax::outside(code).find(|&(_, c)| c == ':')?;
    let (name, rest) = code[..colon].split_once('(')?;
    let (inside, _) = rest.rsplit_once(')')?;
    let parameters = parts(inside).map(|part| {
        let (name, default) = part.split_once('=').unwrap_or((part, ""));
        let (name, _) = name.split_once(':').unwrap_or((name, ""));
        let default = Some(default.trim()).filter(|it| !it.is_empty());
        let default = default.map(|it| BlockCode::new(it, 0..0));
        let name = Some(name.trim()).filter(|it| syntax::is_name(it))?;
        Some((name.to_string(), default))
    });
    let name = Some(name.trim()).filter(|it| syntax::is_name(it))?;
    let begin = text.len() - code.len() + colon + 1;
    Some((name, parameters.collect::<Option<_>>()?, begin))
}

/// A function of several lines and its name.
fn read(text: &str) -> Result<(&str, Procedure), Diagnostic> {
    let (name, parameters, begin) = head(text).ok_or_else(|| {
        let help = "as in `def f(x, y=2):`, with the lines of the function below it";
        Diagnostic::new("this is no head of a function").help(help)
    })?;
    let steps = read::steps(text, begin, true)?;
    Ok((name, Procedure { parameters, steps }))
}

/// Whether a `def` needs its lines run: it is not only assignments and a `return` at its end.
pub(in crate::interpret) fn has_lines(session: &Session, text: &str) -> Result<bool, Diagnostic> {
    if head(text).is_none() {
        return Ok(false);
    }
    let (_, Procedure { parameters, steps }) = read(text)?;
    let Some((BlockStep::Return(Some(_)), before)) = steps.split_last() else {
        return Ok(!steps.is_empty());
    };
    let is_plain = |step: &BlockStep| match step {
        BlockStep::Line(line) => {
            read::targets(&line.text).next().is_some() && of(session, &line.text).is_none()
        }
        _ => false,
    };
    Ok(parameters.is_empty()
        || parameters.iter().any(|(_, default)| default.is_some())
        || !before.iter().all(is_plain))
}

impl StatementRun<'_, '_> {
    /// Defines a function of several lines.
    pub(in crate::interpret) fn define_lines(&mut self) -> Result<Reply, Diagnostic> {
        let text = self.statement();
        let (name, procedure) = read(text)?;
        let names = procedure
            .parameters
            .iter()
            .map(|(name, _)| name.as_str().into());
        let function = self.session.define_lines(name, names.collect(), text);
        Ok(self.reply(Vec::new(), |_| {
            let parameters = function.parameters.iter().map(|name| Fact::from(&**name));
            let facts = vec![
                ("name", Fact::from(&*function.name)),
                ("parameters", Fact::List(parameters.collect())),
                ("body", Fact::from(&*function.body)),
            ];
            let line = say!(
                "{:name} runs its {}",
                function.head(),
                function.body.to_string()
            );
            Report::done("function", facts, line)
        }))
    }

    /// Runs a statement that is a call.
    pub(in crate::interpret) fn call(&mut self, call: &CallLine) -> Result<Reply, Diagnostic> {
        let text = self.statement();
        let is_python = python::is_python(self.session, text);
        let mut run = BlockRun::new(self.session, is_python);
        let values = run.call(call);
        let values = values.map_err(|error| error.at(0..text.len()))?;
        let mut line = Line::new();
        let mut facts = Vec::new();
        for (at, value) in values.iter().enumerate() {
            line.extend((at > 0).then(|| Piece::plain(", ")));
            let name = call.targets.get(at);
            line.extend(
                name.iter()
                    .flat_map(|name| [Piece::name(**name), Piece::plain(" = ")]),
            );
            line.push(answers::piece(value));
            let mut fact: Vec<_> = name
                .iter()
                .map(|name| ("name", Fact::from(**name)))
                .collect();
            fact.extend(answers::data(value));
            facts.push(Fact::Record(fact));
        }
        if !line.is_empty() {
            run.printed.push((Block::Line(line), Fact::List(facts)));
        }
        Ok(stop::undisturbed(|| run.end(self.cut, AfterStep::On)))
    }
}

impl BlockRun<'_> {
    /// Runs a call, binds its targets, and returns what they, or nothing, were bound to.
    pub(super) fn call(&mut self, call: &CallLine) -> Result<Vec<Value>, Diagnostic> {
        let procedure = self.procedure(call.name)?;
        let name = call.name;
        if self.depth >= MOST_CALLS {
            let message =
                format!("more than {MOST_CALLS} calls would run at once, this one of `{name}`");
            return Err(
                Diagnostic::new(message).help("a function that calls itself comes to no end")
            );
        }
        let arguments = self.arguments(call, &procedure)?;
        let mut names: Vec<&str> = procedure
            .parameters
            .iter()
            .map(|(name, _)| name.as_str())
            .collect();
        read::assigned(&procedure.steps, &mut names);
        names.sort_unstable();
        names.dedup();
        let hidden = self.session.hide(&names);
        for (name, value) in arguments {
            self.session.bind_item(name, value, true);
        }
        let outside = (
            std::mem::replace(&mut self.is_python, true),
            std::mem::replace(&mut self.is_inner, true),
        );
        self.depth += 1;
        let done = self.steps(&procedure.steps);
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
        self.session.show_again(hidden);
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
    fn procedure(&mut self, name: &str) -> Result<Rc<Procedure>, Diagnostic> {
        if let Some(known) = self.called.get(name) {
            return Ok(Rc::clone(known));
        }
        let function = self.session.functions().get(name);
        let text = function.and_then(|function| function.lines.clone());
        let (_, procedure) = read(text.as_deref().unwrap_or_default())?;
        let procedure = Rc::new(procedure);
        self.called.insert(name.to_string(), Rc::clone(&procedure));
        Ok(procedure)
    }

    /// The values of a call's arguments with the names of the parameters; none for `None`.
    fn arguments<'p>(
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
                Some((name, _)) => parameters
                    .iter()
                    .position(|(known, _)| known == name.trim()),
                None => Some(at),
            };
            let Some(place) = place.and_then(|place| given.get_mut(place)) else {
                let message = format!("`{}` has no parameter for `{argument}`", call.name);
                let names: Vec<&str> = parameters.iter().map(|(name, _)| name.as_str()).collect();
                let help = format!("it is defined as `{}({})`", call.name, names.join(", "));
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
                values.push((name.as_str(), self.value(code)?));
            }
        }
        Ok(values)
    }

    /// Notes what a function returns.
    pub(super) fn give_back(&mut self, value: Option<&BlockCode>) -> Result<(), Diagnostic> {
        self.returned = value.map(|code| self.value(code)).transpose()?;
        Ok(())
    }
}
