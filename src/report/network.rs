//! What the network view adds to a diagram: the wires between boxes with their weights, and biases.
//!
//! A wire may stand for many paths and many weights, so numbers are ranges.

/// What is special about a diagram that shows only what has a name.
#[derive(Clone, Copy, Debug)]
pub struct Network {
    /// How many nodes the boxes and wires stand for.
    pub nodes: usize,
    /// How many wires there are.
    pub wires: usize,
    /// Wires show the grads of the weights, not the weights.
    pub grads: bool,
    /// The largest absolute value that a wire shows.
    pub largest: f64,
}

/// What comes to a box of a network.
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
    /// How many paths it stands for; at most this number if they cannot be counted.
    pub paths: u64,
    /// What multiplies along it, if that is one leaf, or one for each pair of items.
    pub weight: Option<Weight>,
    /// Whether more than that multiplies along it.
    pub several: bool,
}

/// A leaf that multiplies or is added, or several of them.
#[derive(Clone, Debug)]
pub struct Weight {
    /// Its name, or that of the list of all.
    pub label: String,
    /// How many leaves there are.
    pub count: usize,
    /// The smallest and the largest data.
    pub data: (f64, f64),
    /// The smallest and the largest grad, as far as known.
    pub grad: Option<(f64, f64)>,
}

impl Connection {
    /// What the wire shows: the range of its weights, or of their grads.
    pub fn shown(&self, grads: bool) -> Option<(f64, f64)> {
        let weight = self.weight.as_ref()?;
        if grads {
            weight.grad
        } else {
            Some(weight.data)
        }
    }
}
