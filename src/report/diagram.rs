//! A graph ready to be drawn: its nodes with labels and numbers, and its edges.
//!
//! It contains no positions, sizes or colours; those are up to the views. Words about the whole picture are part of it,
//! so that all kinds of pictures use the same words.

use super::Line;
use super::network::{Connections, Network};
use super::program::Program;

/// A graph to be drawn.
#[derive(Clone, Debug, Default)]
pub struct Diagram {
    /// The nodes, including constants, newest first: the root comes first, and operands come after their users.
    pub vertices: Vec<Vertex>,
    /// What is special about its gradients, if anything: there are none yet, they are stale, or they come from several
    /// passes, another root or a walk.
    pub caption: Line,
    /// Which way it runs; `None` leaves the choice to the view.
    pub flow: Option<Flow>,
    /// The line that draws it into a file, for pictures in which there is no room for all of it.
    pub typed: String,
    /// The program for an HTML page that runs the passes by itself; `None` for other pictures.
    pub program: Option<Program>,
    /// What the network view adds; `None` for other pictures.
    pub network: Option<Network>,
}

/// Which way a picture runs, from the leaves to the root.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    /// From left to right.
    Right,
    /// From top to bottom.
    Down,
}

/// A node of the picture.
#[derive(Clone, Debug)]
pub struct Vertex {
    /// The id of the node.
    pub id: u32,
    /// Its name, or the formula that computes it.
    pub label: String,
    /// The formula that computes it, if the label is a name; otherwise empty.
    pub formula: String,
    /// The kind of node.
    pub kind: Kind,
    /// Its operation: how it is written (`*`, `tanh`), and its name (`multiplication`).
    pub operation: Option<(&'static str, &'static str)>,
    /// The operands in order, as indices of vertices.
    pub operands: Vec<usize>,
    /// Whether their order means nothing, so that a picture may draw them in any.
    pub any_order: bool,
    /// The value; `None` if a forward walk has not reached it.
    pub data: Option<f64>,
    /// The grad; `None` before a pass, or if a walk has not reached it.
    pub grad: Option<f64>,
    /// 0 for a leaf; for a computed node one more than the highest level of its operands.
    pub level: u32,
    /// Whether the first NaN or infinity of the graph arose here.
    pub first: bool,
    /// Its state in the open walk, if there is one.
    pub stage: Option<Stage>,
    /// What it stands for if it is not a node but a long list.
    pub list: Option<ListBox>,
    /// The numbers on the wires from its operands, in their order; empty if the picture has none.
    pub on_wires: Vec<Option<OnWire>>,
    /// In a network, what comes to it; otherwise empty.
    pub connections: Connections,
}

/// A number on the wire from an operand to its operation.
#[derive(Clone, Debug)]
pub struct OnWire {
    /// The number.
    pub number: f64,
    /// What it is: `∂c/∂a`.
    pub name: String,
    /// How it is computed: `b`; empty if that is the number itself.
    pub formula: String,
}

/// A long list as one box of a picture.
#[derive(Clone, Debug)]
pub struct ListBox {
    /// How many nodes it stands for.
    pub count: usize,
    /// How they belong together: `16 × 2`.
    pub shape: String,
    /// The smallest and the largest data, as far as known.
    pub data: Option<(f64, f64)>,
    /// The smallest and the largest grad, as far as known.
    pub grad: Option<(f64, f64)>,
}

/// The kind of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A leaf that `:step` moves.
    Leaf,
    /// A leaf that `:step` does not move.
    Frozen,
    /// A number in an expression, or computed from such numbers.
    Constant,
    /// A computed value.
    Computed,
}

/// The state of a node in a walk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// The walk has been there.
    Done,
    /// The walk's last stop.
    Current,
    /// The walk has not reached it.
    Coming,
}

impl Kind {
    /// The word in text and JSON.
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
    /// The word in text and JSON.
    pub fn word(self) -> &'static str {
        match self {
            Stage::Done => "done",
            Stage::Current => "current",
            Stage::Coming => "coming",
        }
    }
}

impl Diagram {
    /// The edges: operand, user, and the operand's position, the nodes as indices of vertices.
    pub fn edges(&self) -> impl Iterator<Item = (usize, usize, usize)> {
        self.vertices.iter().enumerate().flat_map(|(to, vertex)| {
            let operands = vertex.operands.iter().enumerate();
            operands.map(move |(position, &from)| (from, to, position))
        })
    }
}
