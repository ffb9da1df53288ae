//! What a statement answers, as data: a small closed set of typed blocks.
//!
//! Commands fill a report, views lay it out. Text and JSON are two views of one report, so numbers in it are never
//! rounded, padded or coloured. JSON writes facts before the tables, people read lines around them; tables are for
//! both, and each column says whom it is for.

mod diagram;
mod plot;
mod program;
mod say;

pub use self::diagram::{Kind, Stage, Vertex};
pub use self::plot::{Curve, Tangent};
pub use self::program::{Local, Operation, Part, Program};
pub(crate) use self::say::{
    SentencePart, change, checked, dim, fill, join, list, name_list, plural, say,
};

use std::rc::Rc;

pub use self::diagram::Diagram;
pub use self::plot::Plot;

/// The answer to one statement.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// The stable word of JSON: `binding`, `value`, `grad`, `set`, `step`, …
    pub kind: &'static str,
    /// Keys and values of JSON, in order, before the tables.
    pub facts: Vec<(&'static str, Fact)>,
    /// What people see, and the tables of both.
    pub blocks: Vec<Block>,
    /// Only tells that something was done (a binding, `:set`, `:step`): `--quiet` drops it.
    pub confirmation: bool,
}

/// A value for JSON.
#[derive(Clone, Debug, PartialEq)]
pub enum Fact {
    /// `null`
    Null,
    /// `true` or `false`
    Flag(bool),
    /// A number of the session's, in full.
    Number(f64),
    /// A count, an id, a position.
    Count(u64),
    /// Text.
    Text(String),
    /// Text with numbers in it, which are written in full.
    Sentence(Line),
    /// `[…]`, numbers of the session's.
    Numbers(Rc<Vec<f64>>),
    /// `[…]`
    List(Vec<Fact>),
    /// `{…}`, keys in order.
    Record(Vec<(&'static str, Fact)>),
}

/// One part of what people see.
#[derive(Clone, Debug)]
pub enum Block {
    /// A sentence on a line of its own.
    Line(Line),
    /// Words that go on in the next line where the window ends.
    Prose(Prose),
    /// What can be typed, by what it is for.
    Menu(Menu),
    /// Rows and columns, for people and for JSON.
    Table(Table),
    /// Text that is shown as it is, already laid out in lines (a script, a file format).
    Code(String),
    /// Nodes within nodes, for people and for JSON.
    Tree(Tree),
    /// A graph: drawn for people, nodes and edges for JSON.
    Graph(Diagram),
    /// Curves: drawn for people, points for JSON.
    Plot(Plot),
}

/// A paragraph, or a term and what it means.
#[derive(Clone, Debug, Default)]
pub struct Prose {
    /// What the words are about, before them; a paragraph has none.
    pub term: Line,
    /// The column in which the words begin, if the window has room for that.
    pub column: usize,
    /// The words.
    pub line: Line,
}

/// Things to type in groups, with a few words on each: as many beside one another as the window holds.
#[derive(Clone, Debug, Default)]
pub struct Menu {
    /// The groups, top to bottom.
    pub groups: Vec<MenuGroup>,
    /// How many lines it should take at most: where it takes more, the longest groups show what to type without words.
    pub most: usize,
}

/// One group of a menu.
#[derive(Clone, Debug)]
pub struct MenuGroup {
    /// The key of its entries in JSON.
    pub key: &'static str,
    /// What people read before it.
    pub heading: &'static str,
    /// What to type, and what that does.
    pub entries: Vec<(String, String)>,
}

/// What can be drawn into a file.
#[derive(Clone, Debug)]
pub enum Picture {
    /// A graph.
    Graph(Diagram),
    /// Curves.
    Plot(Plot),
}

/// A graph from its root down, each node once.
#[derive(Clone, Debug, Default)]
pub struct Tree {
    /// Its nodes in the order of reading: what is below a node follows it, one deeper.
    pub branches: Vec<Branch>,
    /// Where the first NaN or infinity of it began, as a place among the branches.
    pub first: Option<usize>,
    /// People get it as JSON too.
    pub nested: bool,
    /// How many nodes were left out, and what to type to see them.
    pub omitted: Option<(usize, String)>,
}

/// A node of a tree.
#[derive(Clone, Debug)]
pub struct Branch {
    /// How far below the root.
    pub depth: usize,
    /// The number of the node.
    pub id: u32,
    /// What the node is called. For machines only shared nodes are, so that what refers to them can be read.
    pub label: String,
    /// The name of its operation; none for a leaf or a literal.
    pub operation: Option<&'static str>,
    /// What people read where there is no operation: `leaf`, `frozen`, `constant`.
    pub kind: &'static str,
    /// Its value.
    pub data: f64,
    /// It is used by several nodes, or several times by one.
    pub shared: bool,
    /// It is further up already, with what is below it.
    pub again: bool,
    /// What is below it was left out.
    pub cut: bool,
}

/// A line: pieces tagged by what they mean.
pub type Line = Vec<Piece>;

/// A part of a line.
#[derive(Clone, Debug, PartialEq)]
pub enum Piece {
    /// Ordinary words.
    Plain(String),
    /// A name or label of a node.
    Name(String),
    /// A formula in the calculator's language.
    Formula(String),
    /// A number, shown with the digits of a single result.
    Number(f64),
    /// A number, shown with the digits of tables.
    Short(f64),
    /// A number beside another one, `-8` in `-8 → -2`: like [`Piece::Number`], with as many more digits as it takes to
    /// tell it from the other.
    Apart(f64, f64),
    /// The same with the digits of tables.
    ShortApart(f64, f64),
    /// Numbers along the way, shown as one line of blocks.
    Course(Rc<Vec<f64>>),
    /// Something to type: a command, an option.
    Typed(String),
    /// A heading.
    Heading(String),
    /// Words of less weight.
    Dim(String),
}

/// A table. A row has one cell for each column.
#[derive(Clone, Debug, Default)]
pub struct Table {
    /// The key of its rows in JSON: `rows`, `changed`.
    pub key: &'static str,
    /// The columns.
    pub columns: Vec<Column>,
    /// The rows.
    pub rows: Vec<Vec<Cell>>,
    /// How many rows were left out (the setting `table-rows`), and what to type to see them.
    pub omitted: Option<(usize, String)>,
}

/// A column.
#[derive(Clone, Debug)]
pub struct Column {
    /// The stable key of JSON.
    pub key: &'static str,
    /// The head people read.
    pub title: String,
    /// Whom it is for.
    pub audience: Audience,
    /// A narrow terminal loses the columns of the highest rank first; rank 0 is never dropped.
    pub rank: u8,
}

/// Whom a column is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Audience {
    /// People and JSON.
    Everybody,
    /// Text only.
    People,
    /// JSON only.
    Machines,
}

/// One cell.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    /// Nothing: blank in text, the key left out of JSON.
    Empty,
    /// There is no number yet: `·` in text, `null` in JSON.
    Missing,
    /// A name or label of a node.
    Name(String),
    /// A formula in the calculator's language.
    Formula(String),
    /// A number.
    Number(f64),
    /// The number of the node where the first NaN or infinity of a graph began: `first NaN`.
    First(f64),
    /// A number, with as many digits as it takes to tell it from another one in the row.
    Apart(f64, f64),
    /// A number that was and the number that is: `-8 → -2`, with as many digits as it takes to tell them apart; one
    /// number where they are equal to the bit.
    Change(f64, f64),
    /// A count or an id.
    Count(u64),
    /// Yes or no.
    Flag(bool),
    /// Words.
    Text(String),
    /// Words of less weight: `leaf`, `frozen`.
    Dim(String),
    /// Several counts or ids: JSON only.
    Counts(Vec<u64>),
    /// Several names: JSON only.
    Names(Vec<String>),
}

/// Something worth knowing beside the answer: a NaN that appeared, a rebinding that may surprise.
#[derive(Clone, Debug, PartialEq)]
pub struct Note {
    /// The sentence.
    pub message: Line,
    /// Where in the statement's text, in bytes, and what to write there.
    pub place: Option<(std::ops::Range<usize>, Line)>,
}

impl Report {
    /// An answer.
    pub fn new(kind: &'static str, facts: Vec<(&'static str, Fact)>, blocks: Vec<Block>) -> Report {
        Report {
            kind,
            facts,
            blocks,
            confirmation: false,
        }
    }

    /// A sentence that says what was done.
    pub fn done(kind: &'static str, facts: Vec<(&'static str, Fact)>, line: Line) -> Report {
        Report {
            confirmation: true,
            ..Report::new(kind, facts, vec![Block::Line(line)])
        }
    }
}

impl Note {
    /// A note without a place.
    pub fn new(message: Line) -> Note {
        Note {
            message,
            place: None,
        }
    }
}

impl Piece {
    /// Ordinary words.
    pub fn plain(text: impl Into<String>) -> Piece {
        Piece::Plain(text.into())
    }
    /// A name or label.
    pub fn name(text: impl Into<String>) -> Piece {
        Piece::Name(text.into())
    }
    /// Something to type.
    pub fn typed(text: impl Into<String>) -> Piece {
        Piece::Typed(text.into())
    }
    /// A formula.
    pub fn formula(text: impl Into<String>) -> Piece {
        Piece::Formula(text.into())
    }
    /// Words of less weight.
    pub fn dim(text: impl Into<String>) -> Piece {
        Piece::Dim(text.into())
    }

    /// Its words; numbers have none.
    pub fn words(&self) -> &str {
        match self {
            Piece::Plain(text)
            | Piece::Name(text)
            | Piece::Formula(text)
            | Piece::Typed(text)
            | Piece::Heading(text)
            | Piece::Dim(text) => text,
            Piece::Number(_)
            | Piece::Short(_)
            | Piece::Apart(..)
            | Piece::ShortApart(..)
            | Piece::Course(_) => "",
        }
    }
}

impl Prose {
    /// A paragraph.
    pub fn paragraph(line: Line) -> Prose {
        Prose {
            line,
            ..Prose::default()
        }
    }

    /// All of it as one line.
    pub fn whole(&self) -> Line {
        let mut whole = self.term.clone();
        if !whole.is_empty() && !self.line.is_empty() {
            whole.push(Piece::plain("   "));
        }
        whole.extend(self.line.iter().cloned());
        whole
    }
}

impl Column {
    /// For people and JSON.
    pub fn new(key: &'static str, title: impl Into<String>) -> Column {
        Column {
            key,
            title: title.into(),
            audience: Audience::Everybody,
            rank: 0,
        }
    }
    /// For people only.
    pub fn people(title: impl Into<String>) -> Column {
        Column {
            key: "",
            title: title.into(),
            audience: Audience::People,
            rank: 0,
        }
    }
    /// For JSON only.
    pub fn machines(key: &'static str) -> Column {
        Column {
            key,
            title: String::new(),
            audience: Audience::Machines,
            rank: 0,
        }
    }
    /// The same column, dropped from narrow terminals before those of a lower rank.
    #[must_use]
    pub fn rank(mut self, rank: u8) -> Column {
        self.rank = rank;
        self
    }
}
