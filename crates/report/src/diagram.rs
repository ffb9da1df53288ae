//! A graph ready to be drawn: its nodes with labels and numbers, and its edges.
//!
//! The views add positions, sizes and colours. The words about the whole picture are here, so all formats use the same
//! words. In a network a wire may stand for many paths and many weights, so its numbers are ranges.

use super::{Fact, Facts, Line};

/// A graph to be drawn.
#[derive(Clone, Debug, Default)]
pub struct Diagram {
    /// The nodes, including constants, newest first: the root comes first, and operands come after their users.
    pub vertices: Vec<Vertex>,
    /// A remark on its gradients: there are none yet, they are stale, or they come from several passes, from another
    /// root or from a walk; often empty.
    pub caption: Line,
    /// The direction of the picture; `None` leaves the choice to the view.
    pub flow: Option<Flow>,
    /// The line to type to draw it into a file. A picture that has no room for the graph shows this line.
    pub typed: String,
    /// The numbers of the whole network; `None` for other pictures.
    pub network: Option<Network>,
}

/// The direction of a picture, from the leaves to the root.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    /// From left to right.
    Right,
    /// From top to bottom.
    Down,
}

/// A node of the picture.
#[derive(Clone, Debug, Default)]
pub struct Vertex {
    /// The id of the node.
    pub id: u32,
    /// Its name, or the formula that computes it.
    pub label: String,
    /// The formula that computes it, if the label is a name; otherwise empty.
    pub formula: String,
    /// The kind of node.
    pub kind: Kind,
    /// Its operation: the sign (`*`, `tanh`), and the name (`multiplication`).
    pub operation: Option<(&'static str, &'static str)>,
    /// The operands in order, as indices of vertices.
    pub operands: Vec<usize>,
    /// Whether their order does not matter, so that a picture may draw them in any order.
    pub is_commutative: bool,
    /// The value; `None` if a forward walk has not reached it.
    pub data: Option<f64>,
    /// The grad; `None` before a pass, or if a walk has not reached it.
    pub grad: Option<f64>,
    /// The words that pictures show in place of the data, if there are any.
    pub data_words: Option<&'static str>,
    /// The words that pictures show in place of the grad, and of the grads of its weights.
    pub grad_words: Option<&'static str>,
    /// 0 for a leaf; for a computed node one more than the highest level of its operands.
    pub level: u32,
    /// Whether the first NaN or infinity of the graph appeared here.
    pub is_first_not_finite: bool,
    /// Its state in the open walk, if there is one.
    pub stage: Option<Stage>,
    /// The long list that it stands for; `None` if it is a node.
    pub list: Option<ListBox>,
    /// The numbers on the wires from its operands, in their order; empty if the picture has none.
    pub on_wires: Vec<Option<OnWire>>,
    /// In a network, its wires and biases; otherwise empty.
    pub connections: Connections,
}

/// The kind of a node.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Kind {
    /// A leaf that `:step` moves.
    #[default]
    Leaf,
    /// A leaf that `:step` does not move.
    Frozen,
    /// A number in an expression, or computed from such numbers.
    Constant,
    /// A computed value.
    Computed,
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

/// A number on the wire from an operand to its operation.
#[derive(Clone, Debug)]
pub struct OnWire {
    /// The number.
    pub number: f64,
    /// Its name: `∂c/∂a`.
    pub name: String,
    /// The formula for it: `b`; empty if the formula is just the number.
    pub formula: String,
}

/// A long list as one box of a picture.
#[derive(Clone, Debug)]
pub struct ListBox {
    /// The number of its nodes.
    pub count: usize,
    /// The shape of the list: `16 × 2`.
    pub shape: String,
    /// The smallest and the largest data, as far as known.
    pub data: Option<(f64, f64)>,
    /// The smallest and the largest grad, as far as known.
    pub grad: Option<(f64, f64)>,
}

/// A wire from an operand to its user, which are indices of vertices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DiagramEdge {
    /// The operand.
    pub operand: usize,
    /// The node that is computed from it.
    pub user: usize,
    /// The position of the operand.
    pub position: usize,
}

/// The numbers of a whole network, which is a diagram of the named values only.
#[derive(Clone, Copy, Debug)]
pub struct Network {
    /// The number of nodes for which the boxes and wires stand.
    pub nodes: usize,
    /// The number of wires.
    pub wires: usize,
    /// The largest absolute value of a weight that a wire shows.
    pub largest: f64,
}

/// The wires and biases of a box of a network.
#[derive(Clone, Debug, Default)]
pub struct Connections {
    /// The wire from each operand, in their order.
    pub wires: Vec<Connection>,
    /// The leaves that are added to it.
    pub biases: Vec<Weight>,
}

/// A wire of a network.
#[derive(Clone, Debug)]
pub struct Connection {
    /// The leaf that multiplies the value, or the leaves, if there is one for each pair of items.
    pub weight: Option<Weight>,
    /// Whether other factors multiply the value as well.
    pub has_several_factors: bool,
}

impl Connection {
    /// The range of its weights, which the wire shows.
    pub fn weight_range(&self) -> Option<(f64, f64)> {
        self.weight.as_ref().map(|weight| weight.data)
    }
}

/// A leaf that multiplies or is added, or several of them.
#[derive(Clone, Debug)]
pub struct Weight {
    /// Its name, or the name of their list.
    pub label: String,
    /// The number of leaves.
    pub count: usize,
    /// The smallest and the largest data.
    pub data: (f64, f64),
    /// The smallest and the largest grad, as far as known.
    pub grad: Option<(f64, f64)>,
}

impl Diagram {
    /// The edges, user by user.
    pub fn edges(&self) -> impl Iterator<Item = DiagramEdge> {
        (0..self.vertices.len()).flat_map(|user| self.edges_to(user))
    }

    /// The edges to a node, in the order of its operands.
    fn edges_to(&self, user: usize) -> impl Iterator<Item = DiagramEdge> {
        let operands = self.vertices[user].operands.iter().enumerate();
        operands.map(move |(position, &operand)| DiagramEdge {
            operand,
            user,
            position,
        })
    }

    /// In a network, the wire to a node from one of its operands.
    pub fn connection(&self, user: usize, position: usize) -> &Connection {
        &self.vertices[user].connections.wires[position]
    }

    /// The wires of a network.
    pub fn wires(&self) -> impl Iterator<Item = &Connection> {
        let vertices = self.vertices.iter();
        vertices.flat_map(|vertex| &vertex.connections.wires)
    }

    /// Whether any of its nodes has a grad. Before the first pass none has, and pictures leave the grads out.
    pub fn has_grads(&self) -> bool {
        let is_in_list =
            |vertex: &Vertex| vertex.list.as_ref().is_some_and(|list| list.grad.is_some());
        let mut vertices = self.vertices.iter();
        vertices.any(|vertex| vertex.grad.is_some() || is_in_list(vertex))
    }

    /// The nodes, and the edges as `[operand, user, position]`, where operand and user are ids. In a network an edge is
    /// an object with its weight.
    pub fn facts(&self) -> Facts {
        let edges = self.edges().map(|edge| self.edge_fact(edge));
        vec![
            ("nodes", self.vertices.iter().map(Vertex::fact).collect()),
            ("edges", edges.collect()),
        ]
    }

    fn edge_fact(&self, edge: DiagramEdge) -> Fact {
        let user = &self.vertices[edge.user];
        let from = self.vertices[edge.operand].id;
        match user.connections.wires.get(edge.position) {
            Some(wire) => Fact::Record(vec![
                ("from", from.into()),
                ("to", user.id.into()),
                ("several", wire.has_several_factors.into()),
                ("weight", wire.weight.as_ref().map(Weight::fact).into()),
            ]),
            None => [from, user.id, edge.position as u32].into_iter().collect(),
        }
    }
}

impl Vertex {
    fn fact(&self) -> Fact {
        let mut facts = vec![
            ("id", self.id.into()),
            ("label", self.label.as_str().into()),
            ("expression", self.formula.as_str().into()),
            ("op", self.operation.map_or("", |(sign, _)| sign).into()),
            ("data", self.data.into()),
            ("grad", self.grad.into()),
            ("level", self.level.into()),
            ("what", self.kind.word().into()),
        ];
        let biases = &self.connections.biases;
        if !biases.is_empty() {
            facts.push(("biases", biases.iter().map(Weight::fact).collect()));
        }
        facts.extend(self.stage.map(|stage| ("stage", stage.word().into())));
        if self.is_first_not_finite {
            facts.push(("first", true.into()));
        }
        if self.on_wires.iter().any(Option::is_some) {
            let numbers = self.on_wires.iter();
            let number_facts = numbers.map(|number| number.as_ref().map(OnWire::fact));
            facts.push(("wires", number_facts.collect()));
        }
        facts.into()
    }
}

impl OnWire {
    fn fact(&self) -> Fact {
        Fact::Record(vec![
            ("name", self.name.as_str().into()),
            ("formula", self.formula.as_str().into()),
            ("number", self.number.into()),
        ])
    }
}

impl Weight {
    /// The fact for JSON. A weight that stands for several leaves has the smallest and the largest of their numbers.
    fn fact(&self) -> Fact {
        let range = |(least, most): (f64, f64)| match self.count {
            1 => Fact::Number(least),
            _ => (least, most).into(),
        };
        Fact::Record(vec![
            ("count", self.count.into()),
            ("label", self.label.as_str().into()),
            ("data", range(self.data)),
            ("grad", self.grad.map(range).into()),
        ])
    }
}
