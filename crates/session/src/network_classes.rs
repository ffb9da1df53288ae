//! The classes `Neuron`, `Layer` and `MLP`, which build networks: as in Karpathy's micrograd lecture, unless the user
//! defines others. `interpret/python` reads the user's classes and translates their calls.

/// The names of the classes. Each class is made of the classes before it.
pub const CLASSES: [&str; 3] = ["Neuron", "Layer", "MLP"];

/// The text that a class has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ClassText {
    /// That of the lecture's notebook.
    #[default]
    Lecture,
    /// That of micrograd's `nn.py`.
    Micrograd,
}

/// The classes [`CLASSES`], from which the networks follow that they build.
#[derive(Clone, Copy, Debug, Default)]
pub struct NetworkClasses {
    /// The text of each class.
    pub(crate) texts: [ClassText; 3],
    /// Whether the user has defined or imported a class.
    pub is_given: bool,
}

/// The state of a session that concerns networks.
#[derive(Debug, Default)]
pub(crate) struct NetworkState {
    pub(crate) classes: NetworkClasses,
    /// For each class of [`CLASSES`]: the statement count when the user's class was refused, so that undo can forget
    /// the refusal.
    pub(crate) refused: [Option<u64>; 3],
    /// Whether a list of numbers beside a network was taken for data.
    pub(crate) has_data: bool,
    /// Whether [`Session::data_note`] has made its note.
    pub(crate) has_noted_data: bool,
}

impl NetworkClasses {
    /// Returns the classes of micrograd.
    pub fn of_micrograd() -> NetworkClasses {
        NetworkClasses {
            texts: [ClassText::Micrograd; 3],
            is_given: true,
        }
    }

    /// Returns these classes with another text of the class with this index.
    #[must_use]
    pub fn with(mut self, class: usize, text: ClassText) -> NetworkClasses {
        self.texts[class] = text;
        self.is_given = true;
        self
    }

    /// The text of `Neuron`, which draws the weights and has the activation.
    pub fn neuron(self) -> ClassText {
        self.texts[0]
    }

    /// Whether the last layer has no activation: micrograd's `MLP` tells its neurons so, and only those of micrograd listen.
    pub fn is_last_layer_linear(self) -> bool {
        let [neuron, _, mlp] = self.texts;
        [neuron, mlp] == [ClassText::Micrograd; 2]
    }
}
