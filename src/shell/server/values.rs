//! Sets names to numbers and lists, and evaluates expressions, for the requests `set` and `get`.

use serde_json::{Map, Value};

use super::Server;
use super::request::Request;
use crate::shell::RunResult;
use crate::shell::script::job::LineOrigin;
use chainrule_language::{self as language, Statement, StatementSpan};
use chainrule_report::Fact;
use chainrule_report::diagnostic::{Diagnostic, Result};
use chainrule_session::{Session, TrialOf, syntax_diagnostic};

impl Server {
    /// Sets leaves to numbers or lists, and binds all other names. Either all of them get their values or none.
    pub(super) fn set(&mut self, request: &mut Request) -> Result<RunResult> {
        let mut statements = String::new();
        for (name, value) in request.take::<Map<String, Value>>("set")? {
            statements += &statement_to_set(self.runner.session(), &name, &value)?;
        }
        self.runner.session_mut().begin_trial(TrialOf::Lines);
        let ran = self
            .runner
            .run_silently(|runner| runner.run_text(LineOrigin::prompt(), &statements));
        let kept = ran.is_ok().then_some(&*statements);
        self.runner.session_mut().end_trial(kept.map(str::trim_end));
        Ok(ran)
    }

    /// The values of expressions. Evaluating them changes nothing.
    pub(super) fn get(&mut self, request: &mut Request) -> Result<Fact> {
        let expressions: Vec<String> = request.take("get")?;
        self.runner.session_mut().begin_trial(TrialOf::Lines);
        let values = expressions.iter().map(|text| self.value_of(text));
        let found = values.collect();
        self.runner.session_mut().end_trial(None);
        found
    }

    /// The value of an expression, as JSON has it.
    fn value_of(&mut self, text: &str) -> Result<Fact> {
        let whole = StatementSpan::whole(text);
        let parsed = language::statement(text, &whole).map_err(syntax_diagnostic);
        let reply = parsed.and_then(|statement| match statement {
            Statement::Expression(_) => self.runner.interpret(text, &whole),
            _ => Err(Diagnostic::new("an expression is expected")
                .help("as in `L`, `w[0]`, `dL/da` or `grad(L, w)`")),
        });
        // The program has no text around the expression, so the message quotes it.
        let in_expression = |error: Diagnostic| {
            let quoted = format!("`{text}`");
            let message = match &error.message {
                message if message.contains(&quoted) => message.clone(),
                message => format!("{quoted}: {message}"),
            };
            Diagnostic {
                message,
                span: None,
                ..error
            }
        };
        let report = reply.map_err(in_expression)?.report;
        let facts = report.map(|report| report.value_facts());
        let mut found = facts.into_iter().flatten();
        let data = found.find_map(|(key, fact)| (key == "data").then_some(fact));
        data.ok_or_else(|| Diagnostic::new(format!("`{text}` has no value")))
    }
}

/// The statement that sets a name to a value.
fn statement_to_set(session: &Session, name: &str, value: &Value) -> Result<String> {
    if !language::is_name(name) {
        let help = "a name begins with a letter, as in `{\"set\": {\"a\": 3}}`";
        return Err(Diagnostic::new(format!("`{name}` is not a name")).help(help));
    }
    let mut typed = String::new();
    write_value(name, value, &mut typed)?;
    let known = session.names().find(name);
    let moves = known.is_some_and(|known| {
        let has_shape = lengths(value).is_some_and(|of| known.shape().lengths() == Some(of));
        has_shape && known.nodes().iter().all(|node| node.is_leaf())
    });
    Ok(if moves {
        format!(":set {name} {typed}\n")
    } else {
        format!("{name} = {typed}\n")
    })
}

/// The lengths of a list on each level. `None` if it is not regular.
fn lengths(value: &Value) -> Option<Vec<usize>> {
    let Value::Array(items) = value else {
        return Some(Vec::new());
    };
    let mut inner = items.iter().map(lengths);
    let first = inner.next().unwrap_or_else(|| Some(Vec::new()))?;
    let is_regular = inner.all(|of| of.as_ref() == Some(&first));
    is_regular.then(|| std::iter::once(items.len()).chain(first).collect())
}

/// Writes a number or a list of them as it is typed.
fn write_value(name: &str, value: &Value, out: &mut String) -> Result<()> {
    match value {
        Value::Number(number) => {
            let number = number.as_f64().unwrap_or(f64::NAN);
            out.push_str(&language::literal(number, false));
        }
        Value::String(text) if text == "NaN" => out.push_str("nan"),
        Value::String(text) if text == "Infinity" => out.push_str("inf"),
        Value::String(text) if text == "-Infinity" => out.push_str("-inf"),
        Value::Array(items) => {
            for (at, item) in items.iter().enumerate() {
                out.push_str(if at == 0 { "[" } else { ", " });
                write_value(name, item, out)?;
            }
            out.push_str(if items.is_empty() { "[]" } else { "]" });
        }
        _ => {
            let message = format!("the value for `{name}` is a number or a list of numbers");
            let help = "as in `{\"set\": {\"a\": 3, \"w\": [1, \"NaN\"]}}`";
            return Err(Diagnostic::new(message).help(help));
        }
    }
    Ok(())
}
