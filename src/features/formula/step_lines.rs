//! Writes the steps of a derivation: a line for each rule, and the derivative in its shape.

use super::steps::{FormulaStep, FormulaSteps, formula_steps};
use super::{COMMAND, Subject, shape_of, the_letter};
use crate::command::prelude::*;
use chainrule_formulas::{FormulaShape, derivative_in_shape};
use chainrule_session::naming::labels::partial;

/// The most characters of a rule with its inner function. A longer one leaves that out: it stands in a line above.
const LONGEST_RULE: usize = 30;
/// The rule of the lines that write the same in its shortest shape.
const SIMPLIFY: &str = "simplify";

/// The rules, a line for each, and the derivative in its shape.
pub(super) fn steps_report(
    session: &mut Session,
    arguments: &Arguments,
    subject: &Subject,
) -> Result<Report> {
    let by = the_letter(session, arguments, subject)?;
    let shape = shape_of(session, arguments)?;
    let answer = derivative_in_shape(session, &subject.root, &by, shape.as_ref());
    let answer = answer.map_err(|error| error.at(subject.place))?;
    let FormulaSteps {
        simplified,
        whole,
        mut steps,
    } = formula_steps(session, &subject.root, &by).map_err(|reason| {
        let error = Diagnostic::new(format!("`{}` {reason}", subject.name)).at(subject.place);
        error.help("a part of it: `:formula (PART) steps`")
    })?;
    let label = session.label(&by);
    let mut lines = Vec::new();
    if let Some(simplified) = &simplified {
        let typed = Some(&subject.head).filter(|head| !head.is_empty());
        lines.push(StepLine {
            rule: SIMPLIFY.into(),
            left: typed.unwrap_or(&subject.name).clone(),
            right: vec![simplified.clone()],
        });
    }
    lines.extend(steps.iter().map(|it| StepLine::of(it, subject, &label)));
    if steps.last().is_none_or(|last| last.derivative != answer) {
        let last = FormulaStep {
            rule: shape_word(session, shape.as_ref()),
            inner: None,
            part: whole,
            derivative: answer,
            shortest: None,
        };
        let left = subject.derivative(&label, &[by]);
        lines.push(StepLine {
            left,
            ..StepLine::of(&last, subject, &label)
        });
        steps.push(last);
    }
    let widths = lines.iter().map(|line| line.rule.chars().count());
    let width = widths.max().unwrap_or(0);
    let mut facts = vec![("of", subject.name.as_str().into()), ("by", label.into())];
    facts.extend(simplified.map(|it| ("simplified", it.into())));
    facts.push(("steps", steps.into_iter().map(record).collect()));
    let blocks = lines.iter().map(|line| line.block(width)).collect();
    Ok(Report::new(&COMMAND, facts, blocks))
}

/// A step in JSON.
fn record(step: FormulaStep) -> Fact {
    let mut record = vec![
        ("rule", step.rule.into()),
        ("part", step.part.into()),
        ("derivative", step.derivative.into()),
    ];
    record.extend(step.inner.map(|it| ("inner", it.into())));
    record.extend(step.shortest.map(|it| ("shortest", it.into())));
    Fact::Record(record)
}

/// A line of the steps.
struct StepLine {
    rule: String,
    left: String,
    /// What is equal to the left side, one after the other.
    right: Vec<String>,
}

impl StepLine {
    /// The line of a step. The derivative of a part is `(x^2)'` if there is only one letter.
    fn of(step: &FormulaStep, subject: &Subject, letter: &str) -> StepLine {
        let FormulaStep { rule, part, .. } = step;
        let named = step.inner.as_ref().map(|it| format!("{rule}, u = {it}"));
        let short = named.filter(|it| it.chars().count() <= LONGEST_RULE);
        let derivative = [&step.derivative].into_iter();
        StepLine {
            rule: short.unwrap_or_else(|| rule.clone()),
            left: match subject.letters.len() {
                1 => format!("({part})'"),
                _ => format!("{} ({part})", partial("", letter)),
            },
            right: derivative.chain(&step.shortest).cloned().collect(),
        }
    }

    fn block(&self, width: usize) -> Block {
        let rule = format!("{:width$}   ", self.rule);
        let mut line = say!("{:dim}{:math}", rule, &*self.left);
        for side in &self.right {
            line.extend(say!(" = {:math}", &**side));
        }
        Block::Line(line)
    }
}

/// What the last line does: the option for its shape.
fn shape_word(session: &Session, shape: Option<&FormulaShape>) -> String {
    match shape {
        Some(FormulaShape::Expanded) => "expand".into(),
        Some(FormulaShape::Factored) => "factor".into(),
        Some(FormulaShape::Collected(letter)) => format!("by {}", session.label(letter)),
        None => SIMPLIFY.into(),
    }
}
