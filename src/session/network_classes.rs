//! The classes that build networks: those of the lecture, unless the user has given others. `interpret/python` reads
//! and uses them.

/// The networks that the classes `Neuron`, `Layer` and `MLP` build.
#[derive(Clone, Debug)]
pub struct NetworkClasses {
    /// The two numbers between which weights are drawn.
    pub weights: [String; 2],
    /// The number with which biases begin; none if they are drawn like weights.
    pub bias: Option<String>,
    /// The function that a neuron applies to its sum; empty if it applies none.
    pub activation: &'static str,
    /// Whether neurons can leave it out, and whether the last layer is asked to.
    pub ends_linear: [bool; 2],
    /// Whether the user has given one of them.
    pub given: bool,
    /// Whether a note has said that lists of numbers are data.
    pub data_noted: bool,
}

impl Default for NetworkClasses {
    fn default() -> NetworkClasses {
        NetworkClasses {
            weights: ["-1", "1"].map(str::to_string),
            bias: None,
            activation: "tanh",
            ends_linear: [false; 2],
            given: false,
            data_noted: false,
        }
    }
}

impl NetworkClasses {
    /// Whether the last layer has no activation function.
    pub fn ends_linear(&self) -> bool {
        self.ends_linear == [true; 2]
    }
}
