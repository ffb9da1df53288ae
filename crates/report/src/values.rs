//! Values as an answer: the value of an expression, or the values of names.
//!
//! Text, JSON, `--csv` and the live result at the prompt are made from them.

use std::rc::Rc;

use super::table::Cell;
use super::{Block, Fact, Facts, Line, Measurement, NumberPart, Numbers, Piece, Report, join};

/// Values that stand on one line. A result that is a list of rows becomes a table if the line would be too long.
#[derive(Clone, Debug, Default)]
pub struct Values {
    /// The values.
    pub values: Vec<NamedValue>,
    /// The most rows of the table.
    pub rows: usize,
    /// Whether only programs get the values, because people see them in other blocks.
    pub is_hidden: bool,
}

impl Values {
    /// The values on one line: `a = 2, b = -3`.
    pub fn line(&self) -> Line {
        join(self.values.iter().map(NamedValue::line), ", ")
    }
}

/// A value of an answer.
#[derive(Clone, Debug)]
pub struct NamedValue {
    /// The name that is bound to it; `None` for a result.
    pub name: Option<String>,
    /// The words before it: `$3 = `, or the formula as it was parsed, `3*x^2 = `.
    pub before: Line,
    /// The value itself.
    pub value: Rc<Numbers>,
    /// What stands faintly behind it.
    pub formula: Option<ValueFormula>,
}

/// The formula of a value.
#[derive(Clone, Debug)]
pub enum ValueFormula {
    /// That of a derivative, with letters.
    Derivative(String),
    /// The exact number: `-1/9`.
    Exact(String),
}

impl NamedValue {
    /// `a = 2`, or a result with the words before it.
    pub fn line(&self) -> Line {
        let mut line = Line::new();
        if let Some(name) = &self.name {
            line.extend([Piece::name(name), Piece::plain(" = ")]);
        }
        line.extend_from_slice(&self.before);
        line.push(self.value.piece());
        if let Some(formula) = &self.formula {
            let (sign, formula) = match formula {
                ValueFormula::Derivative(formula) => ("   ", formula),
                ValueFormula::Exact(number) => (" = ", number),
            };
            line.push(Piece::dim(sign));
            line.push(Piece::Asked(Box::new(Piece::dim(formula.as_str()))));
        }
        line
    }

    /// The fields of the value in JSON: a list is an array with its shape.
    fn facts(&self) -> Facts {
        let mut facts = Facts::new();
        facts.extend(self.name.as_deref().map(|name| ("name", name.into())));
        facts.push(("data", Fact::Value(Rc::clone(&self.value))));
        if let [NumberPart::Truth(holds)] = self.value.parts[..] {
            facts.push(("text", truth_word(holds).into()));
        }
        if !self.value.lengths.is_empty() {
            facts.push(("shape", self.value.lengths.iter().copied().collect()));
        }
        let widths = self.value.widths().map(Rc::new);
        facts.extend(widths.map(|widths| ("sigma", Fact::Value(widths))));
        facts.extend(self.formula.as_ref().map(|it| match it {
            ValueFormula::Derivative(formula) => ("formula", formula.as_str().into()),
            ValueFormula::Exact(number) => ("exact", number.as_str().into()),
        }));
        // The answer of a result is marked as a whole.
        let is_marked = self.name.is_some() && self.value.as_of.is_some();
        facts.extend(is_marked.then(|| ("outdated", true.into())));
        facts
    }

    /// The rows of the value in a table, one for each number: its name, such as `w[2][1]`, the number and, if there is
    /// one, its width. Without a name it is the last result, `ans`.
    pub(super) fn rows(&self) -> Vec<Vec<Cell>> {
        let name = self.name.as_deref().unwrap_or("ans");
        let mut rows = Vec::new();
        // The place of the next item in each open list.
        let mut places: Vec<usize> = Vec::new();
        for part in &self.value.parts {
            match part {
                NumberPart::Open => {
                    places.push(0);
                    continue;
                }
                NumberPart::Close => _ = places.pop(),
                number => {
                    let indices = places.iter().map(|index| format!("[{index}]"));
                    let label = name.to_owned() + &indices.collect::<String>();
                    let mut row = vec![Cell::Formula(label)];
                    row.extend(number.number().map(Cell::Number));
                    row.extend(number.width().map(Cell::Number));
                    rows.push(row);
                }
            }
            if let Some(place) = places.last_mut() {
                *place += 1;
            }
        }
        rows
    }
}

impl Report {
    /// The values of the answer.
    pub fn values(&self) -> impl Iterator<Item = &NamedValue> {
        let values = self.blocks.iter().map(|block| match block {
            Block::Values(values) => &values.values[..],
            _ => &[],
        });
        values.flatten()
    }

    /// The values in JSON: bindings are an array, and a result is a part of the answer's object.
    pub fn value_facts(&self) -> Facts {
        match self.values().next() {
            None => Facts::new(),
            Some(result) if result.name.is_none() => result.facts(),
            Some(_) => {
                let bindings = self.values().map(NamedValue::facts);
                vec![("bindings", bindings.collect())]
            }
        }
    }
}

impl Numbers {
    /// One number, or a list of several.
    pub fn of(numbers: &[f64]) -> Numbers {
        if let [only] = numbers {
            return Numbers {
                parts: vec![NumberPart::Number(*only)],
                ..Numbers::default()
            };
        }
        let mut parts = vec![NumberPart::Open];
        parts.extend(numbers.iter().copied().map(NumberPart::Number));
        parts.push(NumberPart::Close);
        Numbers {
            parts,
            shape: numbers.len().to_string(),
            lengths: vec![numbers.len()],
            as_of: None,
        }
    }

    /// Whether it is a list. If not, it is a single number.
    pub fn is_list(&self) -> bool {
        self.parts.len() > 1
    }

    /// The words behind an outdated value: ` (as of x > 0)`; empty if it is up to date.
    pub fn outdated_words(&self) -> String {
        let decision = self.as_of.as_ref();
        decision.map_or(String::new(), |decision| format!(" (as of {decision})"))
    }

    /// The value as a part of a line.
    pub fn piece(self: &Rc<Self>) -> Piece {
        match self.parts[..] {
            _ if self.as_of.is_some() => Piece::List(Rc::clone(self)),
            [NumberPart::Number(number)] => Piece::Number(number),
            [NumberPart::Truth(holds)] => Piece::plain(truth_word(holds)),
            [NumberPart::Measurement(measurement)] => Piece::Measurement(measurement),
            _ => Piece::List(Rc::clone(self)),
        }
    }

    /// The numbers from left to right.
    pub fn numbers(&self) -> impl Iterator<Item = f64> {
        self.parts.iter().filter_map(NumberPart::number)
    }

    /// The same list with the uncertainties instead of the numbers, 0 for a number without one; `None` if no number has
    /// one.
    pub fn widths(&self) -> Option<Numbers> {
        let width = |part: &NumberPart| match part.number() {
            Some(_) => NumberPart::Number(part.width().unwrap_or(0.0)),
            None => *part,
        };
        (self.parts.iter().any(|part| part.width().is_some())).then(|| Numbers {
            parts: self.parts.iter().map(width).collect(),
            ..self.clone()
        })
    }
}

impl NumberPart {
    /// The uncertainty, if there is one.
    fn width(&self) -> Option<f64> {
        match self {
            NumberPart::Measurement(of) => Some(of.sigma),
            _ => None,
        }
    }

    /// The number without its uncertainty; `None` for a bracket.
    pub fn number(&self) -> Option<f64> {
        match self {
            NumberPart::Number(number)
            | NumberPart::Measurement(Measurement { value: number, .. }) => Some(*number),
            NumberPart::Truth(holds) => Some(f64::from(u8::from(*holds))),
            NumberPart::Open | NumberPart::Close => None,
        }
    }
}

/// A condition as Python writes it.
pub fn truth_word(holds: bool) -> &'static str {
    if holds { "True" } else { "False" }
}
