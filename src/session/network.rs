//! What is known of the user's Python: the classes with which networks are built, as in the lecture, and functions without
//! arguments.

/// The classes that were read, and what in them may differ.
#[derive(Clone, Debug, Default)]
pub struct NetworkClasses {
    /// The classes, as the lecture calls them.
    pub classes: Vec<&'static str>,
    /// What the lecture calls something, and what the user's classes call it.
    pub words: Vec<(String, String)>,
    /// A neuron can be made without an activation function.
    pub may_be_linear: bool,
    /// The network makes the neurons of its last layer without one.
    pub last_is_linear: bool,
    /// Functions without arguments: their names, their lines and what they return.
    pub cells: Vec<(String, Vec<String>)>,
    /// The user was told that lists of numbers are data.
    pub told: bool,
}

impl NetworkClasses {
    /// That of micrograd's `nn.py`.
    pub fn micrograd() -> NetworkClasses {
        let words = [
            ("LOW", "-1"),
            ("HIGH", "1"),
            ("ZERO", "0"),
            ("ACTIVATION", "relu"),
        ];
        let classes = ["Module", "Neuron", "Layer", "MLP"];
        let own_names = classes.map(|class| (class, class));
        let words = words.into_iter().chain(own_names);
        NetworkClasses {
            classes: classes.to_vec(),
            words: (words.map(|(ours, theirs)| (ours.to_string(), theirs.to_string()))).collect(),
            may_be_linear: true,
            last_is_linear: true,
            ..NetworkClasses::default()
        }
    }

    /// Whether the last layer has no activation function.
    pub fn ends_linear(&self) -> bool {
        self.may_be_linear && self.last_is_linear
    }

    /// What the user's classes call something that the lecture calls `word`.
    pub fn word<'n>(&'n self, word: &'n str) -> &'n str {
        self.given(word).unwrap_or(word)
    }

    /// The same, if it is in them.
    pub fn given(&self, word: &str) -> Option<&str> {
        let found = self.words.iter().find(|(ours, _)| ours == word);
        found.map(|(_, theirs)| theirs.as_str())
    }
}
