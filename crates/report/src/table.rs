//! Defines tables: typed cells in columns. A column is for text, for JSON or for both.
//!
//! A cell has contents, and the views decide how it looks. A view asks for one row after the other. Rows from
//! [`TableRows::new`] are computed at this moment, so a long table takes no memory.

use std::fmt;
use std::rc::Rc;

use super::{Fact, Measurement, plural};

/// A table. Each row has one cell for each column.
#[derive(Clone, Debug, Default)]
pub struct Table {
    /// The key of the rows in JSON: `rows`, `changed`.
    pub key: &'static str,
    /// The columns, including those for JSON only.
    pub columns: Vec<Column>,
    /// The rows, from top to bottom.
    pub rows: TableRows,
    /// The number of omitted rows (see the setting `table-rows`), and the command that shows them.
    pub omitted: Option<(usize, String)>,
}

/// The rows of a table: their number, and the function that makes each of them.
#[derive(Clone)]
pub struct TableRows {
    count: usize,
    row: Rc<dyn Fn(usize) -> Vec<Cell>>,
}

/// A column of a table.
#[derive(Clone, Debug)]
pub struct Column {
    /// The stable key in JSON, and the heading in CSV if there is one.
    pub key: &'static str,
    /// In a column of changes, the key in JSON for the numbers before the changes.
    pub before: Option<&'static str>,
    /// The title in text.
    pub title: String,
    /// Which views show it.
    pub audience: Audience,
    /// On a narrow terminal, the columns of the highest rank are dropped first; rank 0 is never dropped.
    pub rank: u8,
    /// Whether the sign of its numbers matters most, as for gradients. Then colours show it.
    pub shows_sign: bool,
    /// Whether worksheets ask for its numbers: grads, and numbers that tell the grads beside them.
    pub is_asked: bool,
}

/// The views that show a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Audience {
    /// Text and JSON.
    Everybody,
    /// Text only.
    People,
    /// JSON only.
    Machines,
}

/// A cell of a table: what it contains, not how it looks.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    /// Nothing: blank in text, no key in JSON.
    Empty,
    /// A number that does not exist yet: `·` in text, `null` in JSON.
    Missing,
    /// A number that cannot exist: blank in text, `null` in JSON.
    Absent,
    /// A name or label of a node.
    Name(String),
    /// A formula in the calculator's language.
    Formula(String),
    /// A number.
    Number(f64),
    /// A value, without its uncertainty, which is in another cell of the row.
    Value(Measurement),
    /// The uncertainty of a value, without the value.
    Sigma(Measurement),
    /// The value of the node where the first NaN or infinity of a graph appeared: `first NaN`.
    FirstNotFinite(f64),
    /// The first number, with enough digits to distinguish it from the second, which is in another cell of the row.
    Distinct(f64, f64),
    /// A number before and after a change: `-8 → -2`, with enough digits to distinguish the two; a single number if
    /// their bits are equal.
    Change(f64, f64),
    /// The smallest and the largest of several numbers: `-0.98 … 0.97`; a single number if they are equal.
    Range(f64, f64),
    /// A fraction of a whole: `99 %`, on a terminal with a bar.
    Share(f64),
    /// A fraction that correlations change, and may make negative: `-29 % (correlated)`.
    CorrelatedShare(f64),
    /// A count or an id.
    Count(u64),
    /// Words.
    Text(String),
    /// Less important words: `leaf`, `frozen`.
    Dim(String),
    /// A fact that only programs get: yes or no, several ids or names.
    Fact(Fact),
}

impl Table {
    /// A table of all these rows.
    pub fn new(key: &'static str, columns: Vec<Column>, rows: impl Into<TableRows>) -> Table {
        Table {
            key,
            columns,
            rows: rows.into(),
            omitted: None,
        }
    }

    /// `3 more rows: :vars all`, if rows were omitted.
    pub fn words_for_omitted(&self) -> Option<String> {
        let (count, typed) = self.omitted.as_ref()?;
        Some(format!("{}: {typed}", plural(*count, "more row")))
    }
}

impl TableRows {
    /// This many rows. The function makes a row from its index.
    pub fn new(count: usize, row: impl Fn(usize) -> Vec<Cell> + 'static) -> TableRows {
        let row = Rc::new(row);
        TableRows { count, row }
    }

    /// The number of rows.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The rows, from top to bottom.
    pub fn each(&self) -> impl Iterator<Item = Vec<Cell>> {
        (0..self.count).map(|at| (self.row)(at))
    }

    /// The same rows, changed by a function.
    pub(super) fn map(&self, change: impl Fn(Vec<Cell>) -> Vec<Cell> + 'static) -> TableRows {
        let row = Rc::clone(&self.row);
        TableRows::new(self.count, move |at| change(row(at)))
    }
}

impl Default for TableRows {
    fn default() -> TableRows {
        Vec::new().into()
    }
}

impl From<Vec<Vec<Cell>>> for TableRows {
    fn from(rows: Vec<Vec<Cell>>) -> TableRows {
        TableRows::new(rows.len(), move |at| rows[at].clone())
    }
}

impl FromIterator<Vec<Cell>> for TableRows {
    fn from_iter<I: IntoIterator<Item = Vec<Cell>>>(rows: I) -> TableRows {
        TableRows::from(rows.into_iter().collect::<Vec<_>>())
    }
}

impl fmt::Debug for TableRows {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        out.debug_list().entries(self.each()).finish()
    }
}

impl Cell {
    /// A number that may not exist yet.
    pub fn number(number: Option<f64>) -> Cell {
        number.map_or(Cell::Missing, Cell::Number)
    }

    /// The cell of a change. Without a number before, it is the number after; without this, it is [`Cell::Missing`].
    pub fn change(before: Option<f64>, after: Option<f64>) -> Cell {
        match (before, after) {
            (Some(before), Some(after)) => Cell::Change(before, after),
            _ => Cell::number(after),
        }
    }

    /// The fact for JSON; `None` for an empty cell.
    pub fn fact(self) -> Option<Fact> {
        Some(match self {
            Cell::Empty => return None,
            Cell::Missing | Cell::Absent => Fact::Null,
            // No column for JSON has ranges today, because there each item of a list has a row of its own.
            Cell::Range(least, most) => (least, most).into(),
            Cell::Count(count) => Fact::Count(count),
            Cell::Fact(fact) => fact,
            // In columns of changes, `Column::facts` splits a change into two numbers before.
            cell => match cell.as_number() {
                Some(number) => Fact::Number(number),
                None => cell.words().into(),
            },
        })
    }

    /// The number in the cell, or the number after a change. `None` for cells without a number, and for ranges.
    pub fn as_number(&self) -> Option<f64> {
        match self {
            Cell::Value(Measurement { value: number, .. })
            | Cell::Sigma(Measurement { sigma: number, .. })
            | Cell::Number(number)
            | Cell::FirstNotFinite(number)
            | Cell::Share(number)
            | Cell::CorrelatedShare(number)
            | Cell::Distinct(number, _)
            | Cell::Change(_, number) => Some(*number),
            Cell::Count(count) => Some(*count as f64),
            _ => None,
        }
    }

    /// The words in the cell; empty for numbers.
    pub fn words(&self) -> &str {
        match self {
            Cell::Name(text) | Cell::Formula(text) | Cell::Text(text) | Cell::Dim(text) => text,
            _ => "",
        }
    }

    /// The numbers before and after a change as two cells. For any other cell, the number before is [`Cell::Missing`] and
    /// the cell itself comes after.
    pub(super) fn before_and_after(self) -> [Cell; 2] {
        match self {
            Cell::Change(before, after) => [Cell::Number(before), Cell::Number(after)],
            cell => [Cell::Missing, cell],
        }
    }
}

impl Column {
    /// A column for text and JSON.
    pub fn new(key: &'static str, title: impl Into<String>) -> Column {
        Column {
            key,
            before: None,
            title: title.into(),
            audience: Audience::Everybody,
            rank: 0,
            shows_sign: false,
            is_asked: false,
        }
    }

    /// A column for text only.
    pub fn people(title: impl Into<String>) -> Column {
        Column::new("", title).for_people()
    }

    /// A column for JSON only.
    pub fn machines(key: &'static str) -> Column {
        Column::new(key, "").for_programs()
    }

    /// A column of changes: one on the screen, two in JSON and CSV with these keys.
    pub fn change([before, after]: [&'static str; 2], title: impl Into<String>) -> Column {
        Column {
            before: Some(before),
            ..Column::new(after, title)
        }
    }

    /// A column of gradients, for text and JSON.
    pub fn grads(title: impl Into<String>) -> Column {
        Column::new("grad", title).with_sign()
    }

    /// The same column for text only. Its key is its heading in CSV.
    #[must_use]
    pub fn for_people(mut self) -> Column {
        self.audience = Audience::People;
        self
    }

    /// The same column for JSON only.
    #[must_use]
    pub fn for_programs(mut self) -> Column {
        self.audience = Audience::Machines;
        self
    }

    /// The same column of grads, or of numbers like these: the sign of the numbers matters most, and worksheets ask for
    /// them.
    #[must_use]
    pub fn with_sign(mut self) -> Column {
        self.shows_sign = true;
        self.as_asked()
    }

    /// The same column, for whose numbers worksheets ask.
    #[must_use]
    pub fn as_asked(mut self) -> Column {
        self.is_asked = true;
        self
    }

    /// Sets the rank: on narrow terminals, columns of a higher rank are dropped before those of a lower one.
    #[must_use]
    pub fn rank(mut self, rank: u8) -> Column {
        self.rank = rank;
        self
    }

    /// The facts of a cell of this column, under the keys of the column. A change has two facts.
    pub fn facts(&self, cell: Cell) -> impl Iterator<Item = (&'static str, Fact)> + use<> {
        let [before, after] = cell.before_and_after();
        let before_fact = self.before.zip(before.fact());
        let fact = after.fact().map(|fact| (self.key, fact));
        before_fact.into_iter().chain(fact)
    }
}
