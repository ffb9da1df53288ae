//! A graph ready to be drawn: who is applied to what, what each node is called, and its numbers.
//!
//! No places, sizes or colours: a view finds room for it. What is said about the whole picture stands here too, so that
//! every kind of picture says it alike.

use super::Line;
use super::program::Program;

/// A graph to look at.
#[derive(Clone, Debug, Default)]
pub struct Diagram {
    /// Its nodes, constants included, newest first: the root is the first, operands come after whoever uses them.
    pub vertices: Vec<Vertex>,
    /// What is to be known of the gradients in it: none yet, stale, several passes, of another root, a walk.
    pub caption: Line,
    /// Its passes, for a page that goes through them; nobody else asks.
    pub program: Option<Program>,
}

/// A node of the picture.
#[derive(Clone, Debug)]
pub struct Vertex {
    /// The number of the node.
    pub id: u32,
    /// What it is called: a name, or the formula that made it.
    pub label: String,
    /// The formula that made it, where the label is a name; else empty.
    pub formula: String,
    /// What it is.
    pub kind: Kind,
    /// The operation that made it: how it is written (`*`, `tanh`), and its name (`multiplication`).
    pub operation: Option<(&'static str, &'static str)>,
    /// Its operands in their order, as places among the vertices.
    pub operands: Vec<usize>,
    /// Its value; none in a forward walk that has not come so far.
    pub data: Option<f64>,
    /// Its grad; none before a pass, and in a walk that has not come so far.
    pub grad: Option<f64>,
    /// A leaf is on level 0, a computed node one above its highest operand.
    pub level: u32,
    /// The first NaN or infinity of the graph began here.
    pub first: bool,
    /// Where a walk is, if one is open.
    pub stage: Option<Stage>,
}

/// What a node is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A leaf that `:step` moves.
    Leaf,
    /// A leaf that it does not.
    Frozen,
    /// A number written in an expression, or made of such.
    Constant,
    /// The value of an operation.
    Computed,
}

/// Where a walk is, seen from a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// It has had its turn.
    Done,
    /// The stop that was made last.
    Current,
    /// Its turn comes.
    Coming,
}

impl Kind {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Kind::Leaf => "leaf",
            Kind::Frozen => "frozen",
            Kind::Constant => "constant",
            Kind::Computed => "computed",
        }
    }
}

impl Stage {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Stage::Done => "done",
            Stage::Current => "current",
            Stage::Coming => "coming",
        }
    }
}

impl Diagram {
    /// The edges: from an operand to the node that uses it, and which operand it is.
    pub fn edges(&self) -> impl Iterator<Item = (usize, usize, usize)> {
        self.vertices.iter().enumerate().flat_map(|(to, vertex)| {
            let operands = vertex.operands.iter().enumerate();
            operands.map(move |(position, &from)| (from, to, position))
        })
    }
}
