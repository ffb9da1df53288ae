//! The classes with which networks are built: those of the lecture, unless the user has given others.

/// Words of the lecture, and what the user's classes have in their places.
pub type ClassWords = Vec<(&'static str, String)>;

/// The classes of networks.
#[derive(Clone, Debug)]
pub struct NetworkClasses {
    /// `Neuron`, `Layer` and `MLP`, as the lecture calls them, with their words.
    pub classes: Vec<(&'static str, ClassWords)>,
    /// The user has given one of them.
    pub given: bool,
    /// The user was told that lists of numbers are data.
    pub told: bool,
}

impl Default for NetworkClasses {
    fn default() -> NetworkClasses {
        let words = [("LOW", "-1"), ("HIGH", "1"), (".ACTIVATION", ".tanh")];
        let neuron = words.map(|(ours, theirs)| (ours, theirs.to_string()));
        NetworkClasses {
            classes: vec![
                ("Neuron", neuron.into()),
                ("Layer", Vec::new()),
                ("MLP", Vec::new()),
            ],
            given: false,
            told: false,
        }
    }
}

impl NetworkClasses {
    /// Whether the last layer has no activation function: its class asks for that, and neurons can do it.
    pub fn ends_linear(&self) -> bool {
        let asked = |(_, words): &&(_, ClassWords)| words.iter().any(|(ours, _)| *ours == "nonlin");
        self.classes.iter().filter(asked).count() == 2
    }

    /// What the user's classes have in the place of a word of the lecture, or else the word itself.
    pub fn word<'n>(&'n self, word: &'n str) -> &'n str {
        let mut words = self.classes.iter().flat_map(|(_, words)| words);
        let found = words.find(|(ours, _)| *ours == word);
        found.map_or(word, |(_, theirs)| theirs)
    }
}
