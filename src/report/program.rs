//! What an HTML page needs to run the passes of a graph by itself: formulas for people, and texts of JavaScript.
//!
//! It accompanies a [`Diagram`](super::Diagram) and adds to its vertices. The texts come from the rows of the
//! operations; neither this layer nor the views look into them.

/// The passes of a graph, to be run by a page.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// Functions that the texts of the operations call.
    pub library: String,
    /// The operations of the graph, each once.
    pub operations: Vec<Operation>,
    /// Further data about each vertex, in the same order.
    pub parts: Vec<Part>,
    /// The page begins with the forward pass.
    pub forward: bool,
    /// The page begins after this many stops.
    pub made: usize,
    /// Why the page's pass differs from the session's last pass; empty if it does not.
    pub note: String,
}

/// An operation as JavaScript.
#[derive(Clone, Debug)]
pub struct Operation {
    /// The name: `multiplication`.
    pub name: &'static str,
    /// The value as a function of the list of operands; `None` if JavaScript cannot compute the operation.
    pub value: Option<String>,
    /// The derivatives by all operands as a function of the list of operands and the value; `None` beside a value that
    /// is.
    pub locals: Option<String>,
}

impl Operation {
    /// All its texts.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        self.value.iter().chain(&self.locals).map(String::as_str)
    }
}

/// Data about a vertex.
#[derive(Clone, Debug, Default)]
pub struct Part {
    /// The index of its operation.
    pub operation: Option<usize>,
    /// It is a leaf or depends on one, so it takes part in the passes.
    pub varies: bool,
    /// The notation of its grad: `dL/d(a*b)`.
    pub fraction: String,
    /// The derivative by each operand.
    pub locals: Vec<Local>,
}

/// The local derivative of a node by one operand.
#[derive(Clone, Debug)]
pub struct Local {
    /// The formula as shown in the labels of the graph: `1 - o^2`.
    pub formula: String,
    /// The value that the program computed.
    pub number: f64,
}
