//! Writes the steps of a derivation: a line for each rule, and the derivative in its shape.

use super::steps::{FormulaStep, MOST_STEPS, MissingSteps, formula_steps};
use super::{COMMAND, Subject, shape_of, the_letter};
use crate::command::prelude::*;
use chainrule_formulas::{FormulaShape, derivative_in_shape};
use chainrule_report::Piece;
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
    let derivation = formula_steps(session, &subject.root, &by);
    let derivation = derivation.map_err(|missing| missing_steps_error(missing, subject))?;
    let mut lines = Vec::new();
    if let Some(simplified) = derivation.simplified {
        let typed = Some(&subject.head).filter(|head| !head.is_empty());
        let left = typed.unwrap_or(&subject.name).clone();
        let record = vec![
            ("rule", SIMPLIFY.into()),
            ("formula", simplified.as_str().into()),
        ];
        let sides = vec![left, simplified];
        lines.push(StepLine::new(SIMPLIFY, sides, record));
    }
    for step in &derivation.steps {
        let left = part_derivative(session, subject, step, &by);
        lines.push(StepLine::of_rule(left, step));
    }
    let last = derivation.steps.last();
    if last.is_none_or(|last| last.derivative != answer) {
        let word = &*shape_word(session, shape.as_ref());
        let left = subject.derivative(&session.label(&by), std::slice::from_ref(&by));
        let record = vec![
            ("rule", word.into()),
            ("part", derivation.whole.into()),
            ("derivative", answer.as_str().into()),
        ];
        lines.push(StepLine::new(word, vec![left, answer], record));
    }
    let widths = lines.iter().map(|line| line.rule.chars().count());
    let width = widths.max().unwrap_or(0);
    let facts = vec![
        ("of", subject.name.as_str().into()),
        ("by", session.label(&by).into()),
        (
            "steps",
            (lines.iter().map(|line| Fact::Record(line.record.clone()))).collect(),
        ),
    ];
    let blocks = lines.iter().map(|line| line.block(width)).collect();
    Ok(Report::new(&COMMAND, facts, blocks))
}

/// The notation for the derivative of a part: `(x^2)'` if there is only one letter.
fn part_derivative(
    session: &Session,
    subject: &Subject,
    step: &FormulaStep,
    by: &Rc<Node>,
) -> String {
    match subject.letters.len() {
        1 => format!("({})'", step.part),
        _ => format!("{} ({})", partial("", &session.label(by)), step.part),
    }
}

/// A line of the steps.
struct StepLine {
    rule: String,
    /// What is equal, one to the next.
    sides: Vec<String>,
    record: Vec<(&'static str, Fact)>,
}

impl StepLine {
    fn new(rule: &str, sides: Vec<String>, record: Vec<(&'static str, Fact)>) -> StepLine {
        StepLine {
            rule: rule.to_string(),
            sides,
            record,
        }
    }

    /// The line of a rule, with what it differentiates on the left.
    fn of_rule(left: String, step: &FormulaStep) -> StepLine {
        let mut record = vec![
            ("rule", step.rule.into()),
            ("part", step.part.as_str().into()),
            ("derivative", step.derivative.as_str().into()),
        ];
        let mut rule = step.rule.to_string();
        if let Some(inner) = &step.inner {
            record.push(("inner", inner.as_str().into()));
            let named = format!("{rule}, u = {inner}");
            if named.chars().count() <= LONGEST_RULE {
                rule = named;
            }
        }
        let mut sides = vec![left, step.derivative.clone()];
        if let Some(shortest) = &step.shortest {
            record.push(("shortest", shortest.as_str().into()));
            sides.push(shortest.clone());
        }
        StepLine {
            rule,
            sides,
            record,
        }
    }

    fn block(&self, width: usize) -> Block {
        let rule = format!("{:width$}   ", self.rule);
        let mut line = vec![Piece::dim(rule)];
        for (at, side) in self.sides.iter().enumerate() {
            if at > 0 {
                line.push(Piece::plain(" = "));
            }
            line.push(Piece::math(side));
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

fn missing_steps_error(missing: MissingSteps, subject: &Subject) -> Diagnostic {
    let name = &subject.name;
    let message = match missing {
        MissingSteps::TooMany(count) => {
            format!("`{name}` takes {count} rules or terms, and at most {MOST_STEPS} are shown")
        }
        MissingSteps::NoFormula => {
            format!("`{name}` has a derivative that is too long, or that no rule gives")
        }
    };
    let help = "a part of it: `:formula (PART) steps`";
    Diagnostic::new(message).at(subject.place).help(help)
}
