//! Values as an answer: the value of an expression, or the values of names.
//!
//! Text, JSON, `--csv` and the live result at the prompt are made from them.

use std::rc::Rc;

use super::table::Cell;
use super::{Block, Fact, Facts, Line, Measurement, NumberPart, Numbers, Piece, Report};

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

/// A value of an answer.
#[derive(Clone, Debug)]
pub struct NamedValue {
    /// The name that is bound to it; `None` for a result.
    pub name: Option<String>,
    /// The words before it: `$3 = `, or the formula as it was parsed, `3*x^2 = `.
    pub before: Line,
    /// The value itself.
    pub value: ShownValue,
}

/// A number or a list, with its uncertainty.
#[derive(Clone, Debug)]
pub enum ShownValue {
    /// A number without an uncertainty.
    Number(f64),
    /// A number with its uncertainty.
    Measurement(Measurement),
    /// A list.
    List(Rc<Numbers>),
}

impl ShownValue {
    /// The value in a line.
    pub fn pieces(&self) -> Line {
        match self {
            ShownValue::Number(number) => vec![Piece::Number(*number)],
            ShownValue::Measurement(measurement) => vec![Piece::Measurement(*measurement)],
            ShownValue::List(numbers) => vec![Piece::List(Rc::clone(numbers))],
        }
    }
}

impl NamedValue {
    /// `a = 2`, or a result with the words before it.
    pub fn line(&self) -> Line {
        let mut line = Line::new();
        if let Some(name) = &self.name {
            line.extend([Piece::name(name), Piece::plain(" = ")]);
        }
        line.extend_from_slice(&self.before);
        line.extend(self.value.pieces());
        line
    }

    /// The fields of the value in JSON: a list is an array with its shape.
    fn facts(&self) -> Facts {
        let mut facts = Facts::new();
        facts.extend(self.name.as_deref().map(|name| ("name", name.into())));
        match &self.value {
            ShownValue::Number(number) => facts.push(("data", (*number).into())),
            ShownValue::Measurement(of) => {
                facts.extend([("data", of.value.into()), ("sigma", of.sigma.into())]);
            }
            ShownValue::List(numbers) => {
                facts.push(("data", Fact::Value(Rc::clone(numbers))));
                if !numbers.lengths.is_empty() {
                    facts.push(("shape", numbers.lengths.iter().copied().collect()));
                }
                let widths = numbers.widths().map(|widths| Fact::Value(Rc::new(widths)));
                facts.extend(widths.map(|widths| ("sigma", widths)));
            }
        }
        facts
    }

    /// The rows of the value in a table, one for each number: its name, the number and, if there is one, its width.
    /// Without a name it is the last result, `ans`.
    pub(super) fn rows(&self) -> Vec<Vec<Cell>> {
        let name = self.name.as_deref().unwrap_or("ans");
        match &self.value {
            ShownValue::Number(number) => vec![NumberPart::Number(*number).row(name.to_owned())],
            ShownValue::Measurement(of) => vec![NumberPart::Measurement(*of).row(name.to_owned())],
            ShownValue::List(numbers) => numbers.rows(name),
        }
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
    /// The numbers from left to right.
    pub fn numbers(&self) -> impl Iterator<Item = f64> {
        self.parts.iter().filter_map(NumberPart::number)
    }

    /// The same list with the uncertainties instead of the numbers, 0 for a number without one; `None` if no number has
    /// one.
    pub fn widths(&self) -> Option<Numbers> {
        let width = |part: &NumberPart| match part {
            NumberPart::Number(_) => NumberPart::Number(0.0),
            NumberPart::Measurement(of) => NumberPart::Number(of.sigma),
            bracket => *bracket,
        };
        let has_width = |part: &NumberPart| matches!(part, NumberPart::Measurement(_));
        (self.parts.iter().any(has_width)).then(|| Numbers {
            parts: self.parts.iter().map(width).collect(),
            ..self.clone()
        })
    }

    /// The rows of a list of this name, in which each number has its own name, `w[2][1]`.
    fn rows(&self, name: &str) -> Vec<Vec<Cell>> {
        let mut rows = Vec::new();
        // The place of the next item in each open list.
        let mut places: Vec<usize> = Vec::new();
        let label = |indices: &[usize]| {
            let indices = indices.iter().map(|index| format!("[{index}]"));
            name.to_owned() + &indices.collect::<String>()
        };
        for part in &self.parts {
            match part {
                NumberPart::Open => {
                    places.push(0);
                    continue;
                }
                NumberPart::Close => _ = places.pop(),
                number => rows.push(number.row(label(&places))),
            }
            if let Some(place) = places.last_mut() {
                *place += 1;
            }
        }
        rows
    }
}

impl NumberPart {
    /// The row of a number in a table: its name, the number and, if there is one, its width.
    fn row(&self, name: String) -> Vec<Cell> {
        let mut row = vec![Cell::Formula(name)];
        row.extend(self.number().map(Cell::Number));
        if let NumberPart::Measurement(of) = self {
            row.push(Cell::Number(of.sigma));
        }
        row
    }

    /// The number without its uncertainty; `None` for a bracket.
    pub fn number(&self) -> Option<f64> {
        match self {
            NumberPart::Number(number)
            | NumberPart::Measurement(Measurement { value: number, .. }) => Some(*number),
            NumberPart::Open | NumberPart::Close => None,
        }
    }
}
