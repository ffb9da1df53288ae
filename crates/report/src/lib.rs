#![doc = include_str!("../README.md")]
#![warn(unreachable_pub)]
#![cfg_attr(test, allow(clippy::shadow_unrelated, clippy::too_many_lines))]

/// Writes the `From` implementations that turn plain values into parts of a report.
macro_rules! conversions {
    ($made:ty: $($from:ty => |$value:ident| $part:expr),* $(,)?) => {$(
        impl From<$from> for $made {
            fn from($value: $from) -> $made {
                $part
            }
        }
    )*};
}

mod calendar;
pub mod characters;
pub mod diagnostic;
mod diagram;
mod fact;
mod markdown;
mod numbers;
mod plot;
mod plot_data;
mod role;
mod say;
mod sheet;
mod table;
pub mod tex_symbols;
mod tree;
mod values;

pub use self::calendar::{Calendar, MONTHS, date, day_number, time};
pub use self::diagram::{
    Connection, Connections, Diagram, DiagramEdge, Flow, Kind, ListBox, Network, OnWire, Stage,
    Vertex, Weight,
};
pub use self::fact::{Fact, Facts};
pub use self::markdown::{markdown_blocks, markdown_line, term_rows};
pub use self::numbers::{Measurement, NumberPart, Numbers, extent};
pub use self::plot::{
    BandLevel, ClassWord, Curve, Direction, MOST_DOTS, Plot, PlotMap, PlotSize, PresentPoint,
    Scale, Tangent, usual_range,
};
pub use self::role::Role;
use self::say::push_words;
pub use self::say::{
    SentencePart, ask_numbers, change, check_template, count_text, dim, fill, group_digits, join,
    list_with_and, name_list, plural, telling_change,
};
pub use self::sheet::{DataSheet, TABLE_ENDINGS};
pub use self::table::{Audience, Cell, Column, Table, TableRows};
pub use self::tree::{Branch, Tree};
pub use self::values::{NamedValue, ValueFormula, Values, truth_word};

use std::rc::Rc;

use crate::diagnostic::{shorten_quotation, shorten_quotations};

/// The answer to one statement.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// What it answers.
    pub kind: ReportKind,
    /// Keys and values for JSON, in order. They come before the tables.
    pub facts: Facts,
    /// The keys of those facts that the tables for other programs have, too.
    pub sheet_facts: &'static [&'static str],
    /// The contents of the text view, and the tables of both views.
    pub blocks: Vec<Block>,
    /// Whether the report only confirms an action (a binding, `:set`, `:step`). `--quiet` drops it then.
    pub is_confirmation: bool,
    /// Whether the report says if a guess or an answer is right. A worksheet leaves it out.
    pub is_verdict: bool,
}

/// What a report answers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ReportKind {
    /// No statement: the program says something of its own accord.
    #[default]
    Message,
    /// An expression.
    Value,
    /// `a = 2`
    Binding,
    /// A binding that waits until its letters have numbers.
    Waiting,
    /// The definition of a function.
    Function,
    /// `L.label = 'loss'`
    Label,
    /// `print(a, b)`
    Print,
    /// `print(a)`: its only value is known to programs as that of an expression.
    PrintedValue,
    /// `xs.append(3)`
    Append,
    /// A block, such as a loop.
    Block,
    /// A statement that defines what the calculator has.
    Known,
    /// A statement that is not needed here, such as an import.
    Skipped,
    /// The command with this name.
    Command(&'static str),
}

impl ReportKind {
    /// The stable `kind` in JSON.
    pub fn word(self) -> &'static str {
        match self {
            ReportKind::Message => "",
            ReportKind::Value | ReportKind::PrintedValue => "value",
            ReportKind::Binding => "binding",
            ReportKind::Waiting => "waiting",
            ReportKind::Function => "function",
            ReportKind::Label => "label",
            ReportKind::Print => "print",
            ReportKind::Append => "append",
            ReportKind::Block => "block",
            ReportKind::Known => "known",
            ReportKind::Skipped => "skipped",
            ReportKind::Command(name) => name,
        }
    }

    /// Whether it is the output of a `print` or of a block.
    pub fn is_output(self) -> bool {
        matches!(
            self,
            ReportKind::Print | ReportKind::PrintedValue | ReportKind::Block
        )
    }
}

/// A part of a report.
#[derive(Clone, Debug)]
pub enum Block {
    /// A sentence on its own line.
    Line(Line),
    /// A line that the next output of a script continues: `print(k, end=' ')`.
    OpenLine(Line),
    /// The values of an expression or of a binding.
    Values(Values),
    /// Words that are wrapped at the width of the window.
    Prose(Prose),
    /// Rows and columns, for text and JSON.
    Table(Table),
    /// Text that is laid out already, such as a script or a file format.
    Code(String),
    /// A tree of nodes, for text and JSON.
    Tree(Tree),
    /// A graph: a drawing in text, nodes and edges in JSON.
    Graph(Diagram),
    /// Curves or a map: a drawing in text, points and values in JSON.
    Plot(Plot),
}

/// A paragraph, or a term and its meaning.
#[derive(Clone, Debug, Default)]
pub struct Prose {
    /// The term; empty for a paragraph.
    pub term: Line,
    /// The column in which the words begin, if the window is wide enough.
    pub column: usize,
    /// The words, or the meaning of the term.
    pub line: Line,
}

/// Something that can be drawn into a file.
#[derive(Clone, Debug)]
pub enum Picture {
    /// A graph.
    Graph(Diagram),
    /// Curves or a map.
    Plot(Plot),
}

/// A line of text: pieces with their meaning.
pub type Line = Vec<Piece>;

/// A part of a line.
#[derive(Clone, Debug, PartialEq)]
pub enum Piece {
    /// Words and their role.
    Words(Role, String),
    /// A number with the digits of a single result.
    Number(f64),
    /// A number with the digits of tables.
    Short(f64),
    /// A number beside another one, such as `-8` in `-8 → -2`. It has the digits of [`Piece::Number`], or more if the
    /// two look the same with these.
    Distinct(f64, f64),
    /// A value and its uncertainty: `9.801 ± 0.099`, `(2.83 ± 0.21)e10`.
    Measurement(Measurement),
    /// A number beside a measurement: it has the last digit and the power of ten of the measurement.
    LikeMeasurement(f64, Measurement),
    /// A list, with the digits of tables, or an outdated value.
    List(Rc<Numbers>),
    /// A number or a formula that a worksheet asks for, such as a grad.
    Asked(Box<Piece>),
}

/// A remark beside the answer, such as a NaN that appeared, or a rebinding that may be surprising.
#[derive(Clone, Debug, PartialEq)]
pub struct Note {
    /// The sentence of the note.
    pub message: Line,
    /// A place in the statement's text, in bytes, and the label to write there.
    pub place: Option<(std::ops::Range<usize>, Line)>,
    /// Whether a number became NaN or infinite, or data were left out: with the option `--strict` this is a failure.
    pub is_fault: bool,
    /// The names that still need a number, if the note is about them.
    pub unknown_names: Vec<String>,
}

impl Report {
    /// An answer.
    pub fn new(kind: impl Into<ReportKind>, facts: Facts, blocks: Vec<Block>) -> Report {
        Report {
            kind: kind.into(),
            facts,
            sheet_facts: &[],
            blocks,
            is_confirmation: false,
            is_verdict: false,
        }
    }

    /// A report of one line that only confirms an action.
    pub fn confirming(kind: impl Into<ReportKind>, facts: Facts, line: Line) -> Report {
        Report::new(kind, facts, vec![Block::Line(line)]).as_confirmation()
    }

    /// Whether it has a graph, curves or a map.
    pub fn has_picture(&self) -> bool {
        let mut blocks = self.blocks.iter();
        blocks.any(|it| matches!(it, Block::Graph(_) | Block::Plot(_)))
    }

    /// The same report, which only confirms an action.
    #[must_use]
    pub fn as_confirmation(mut self) -> Report {
        self.is_confirmation = true;
        self
    }

    /// The same report, which says if a guess or an answer is right.
    #[must_use]
    pub fn as_verdict(mut self) -> Report {
        self.is_verdict = true;
        self
    }
}

/// The most pieces of a note. A longer one loses its middle.
const MOST_PIECES: usize = 40;

impl Note {
    /// A note without a place. Long quotations are shortened, as in errors.
    pub fn new(mut message: Line) -> Note {
        if message.len() > MOST_PIECES {
            let middle = MOST_PIECES / 2..message.len() - MOST_PIECES / 2;
            message.splice(middle, [Piece::plain("…")]);
        }
        for piece in &mut message {
            match piece {
                Piece::Words(Role::Plain, text) => *text = shorten_quotations(std::mem::take(text)),
                Piece::Words(_, text) => *text = shorten_quotation(text),
                _ => {}
            }
        }
        Note {
            message,
            place: None,
            is_fault: false,
            unknown_names: Vec::new(),
        }
    }

    /// Adds the place and the label to write there.
    #[must_use]
    pub fn at(mut self, span: impl Into<std::ops::Range<usize>>, label: Line) -> Note {
        self.place = Some((span.into(), label));
        self
    }

    /// The same note, which is a failure with the option `--strict`.
    #[must_use]
    pub fn as_fault(mut self) -> Note {
        self.is_fault = true;
        self
    }
}

impl Piece {
    /// Ordinary words.
    pub fn plain(text: impl Into<String>) -> Piece {
        Piece::Words(Role::Plain, text.into())
    }
    /// A name or label of a node.
    pub fn name(text: impl Into<String>) -> Piece {
        Piece::Words(Role::Name, text.into())
    }
    /// Something to type, such as a command or an option.
    pub fn to_type(text: impl Into<String>) -> Piece {
        Piece::Words(Role::Typed, text.into())
    }
    /// A formula in the calculator's language.
    pub fn formula(text: impl Into<String>) -> Piece {
        Piece::Words(Role::Formula, text.into())
    }
    /// A whole formula, which pages set as mathematics.
    pub fn math(text: impl Into<String>) -> Piece {
        Piece::Words(Role::Math, text.into())
    }
    /// Less important words.
    pub fn dim(text: impl Into<String>) -> Piece {
        Piece::Words(Role::Dim, text.into())
    }

    /// Its words; empty for a piece without words.
    pub fn words(&self) -> &str {
        match self {
            Piece::Words(_, text) => text,
            _ => "",
        }
    }
}

impl Prose {
    /// A paragraph without a term.
    pub fn paragraph(line: Line) -> Prose {
        Prose {
            line,
            ..Prose::default()
        }
    }

    /// The term and the words as one line.
    pub fn whole(&self) -> Line {
        join([self.term.clone(), self.line.clone()], "   ")
    }
}
