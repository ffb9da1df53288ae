//! A graph as a tree. Text shows it as indented rows, and JSON as nested objects.

/// A graph from its root down, each node once.
#[derive(Clone, Debug, Default)]
pub struct Tree {
    /// The nodes in the order of reading: the nodes below a node follow it, one level deeper.
    pub branches: Vec<Branch>,
    /// The index of the branch where the first NaN or infinity appeared.
    pub first_not_finite: Option<usize>,
    /// The number of omitted nodes, and the command that shows them.
    pub omitted: Option<(usize, String)>,
}

/// A row of a tree: a node, or a place for operands that were omitted.
#[derive(Clone, Debug)]
pub struct Branch {
    /// The level below the root.
    pub depth: usize,
    /// The id of the node.
    pub id: u32,
    /// The label. In JSON only shared nodes have one, because other places refer to them.
    pub label: String,
    /// The name of the operation; `None` for a leaf or a literal.
    pub operation: Option<&'static str>,
    /// The word for a node without an operation: `leaf`, `frozen`, `constant`.
    pub kind: &'static str,
    /// The value of the node.
    pub data: f64,
    /// Whether several nodes use it, or one node uses it several times.
    pub is_shared: bool,
    /// Whether the tree has it further up already, with the nodes below it.
    pub is_repeated: bool,
    /// Whether the nodes below it were omitted.
    pub is_cut: bool,
    /// The number of omitted operands for which the branch stands; 0 if it is a node.
    pub more: usize,
}
