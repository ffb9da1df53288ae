//! What is known of the classes with which Python builds networks, as in the lecture.

/// The classes that were read, and what in them may differ.
#[derive(Clone, Debug, Default)]
pub struct Network {
    /// The classes, as the lecture calls them.
    pub classes: Vec<&'static str>,
    /// What the lecture calls something, and what the user's classes call it.
    pub words: Vec<(String, String)>,
    /// The neurons of the last layer have no activation function.
    pub last_is_linear: bool,
    /// The user was told that lists of numbers are data.
    pub told: bool,
}

impl Network {
    /// That of micrograd's `nn.py`.
    pub fn micrograd() -> Network {
        let words = [
            ("LOW", "-1"),
            ("HIGH", "1"),
            ("ZERO", "0"),
            ("ACTIVATION", "relu"),
        ];
        let words = words.map(|(ours, theirs)| (ours.to_string(), theirs.to_string()));
        Network {
            classes: vec!["Module", "Neuron", "Layer", "MLP"],
            words: words.to_vec(),
            last_is_linear: true,
            told: false,
        }
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
