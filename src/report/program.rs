//! What a page needs to go through the passes of a graph by itself: formulas for people, and texts of a script.
//!
//! It accompanies a [`Diagram`](super::Diagram) and adds to its vertices. The JavaScript comes from the rows of the
//! operations; views only copy it.

/// A graph's passes, ready to be run elsewhere.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// Functions that the texts of the operations call.
    pub library: String,
    /// The operations of the graph, each once.
    pub operations: Vec<Operation>,
    /// What there is to know of each vertex besides, in the same order.
    pub parts: Vec<Part>,
    /// It begins with the forward pass.
    pub forward: bool,
    /// How many stops have been made when it begins.
    pub made: usize,
    /// Why the last pass of the session is not that of the page; empty if it is.
    pub note: String,
}

/// An operation.
#[derive(Clone, Debug)]
pub struct Operation {
    /// Its name: `multiplication`.
    pub name: &'static str,
    /// The value as a function of the list of operands; none if a script does not know the operation.
    pub value: Option<String>,
    /// The derivative by each operand, or one for all of them, as functions of the list of operands, the value, and the
    /// place of the operand.
    pub partials: Vec<String>,
}

impl Operation {
    /// All its texts.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        self.value.iter().chain(&self.partials).map(String::as_str)
    }
}

/// What is known of a vertex.
#[derive(Clone, Debug, Default)]
pub struct Part {
    /// Its operation, as a place among the operations.
    pub operation: Option<usize>,
    /// There is a leaf at or below it: it takes part in the passes.
    pub varies: bool,
    /// What its grad is called: `dL/d(a*b)`.
    pub fraction: String,
    /// The derivative by each of its operands.
    pub locals: Vec<Local>,
}

/// A local derivative.
#[derive(Clone, Debug)]
pub struct Local {
    /// As people learn it, in the labels of the graph: `1 - o^2`.
    pub formula: String,
    /// The number the program found.
    pub number: f64,
}
