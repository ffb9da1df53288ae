//! What is known of the user's Python: the classes with which networks are built, as in the lecture, and functions without
//! arguments.

/// Words of the lecture, and what the user's classes have in their places.
pub type ClassWords = Vec<(&'static str, String)>;

/// What was read of Python.
#[derive(Clone, Debug, Default)]
pub struct NetworkClasses {
    /// The classes that were read, as the lecture calls them, with their words.
    pub classes: Vec<(&'static str, ClassWords)>,
    /// Functions without arguments: their names and their lines, of which the last is what they return.
    pub cells: Vec<(String, Vec<String>)>,
    /// The user was told that lists of numbers are data.
    pub told: bool,
}

impl NetworkClasses {
    /// Whether all three classes of a network were read.
    pub fn is_complete(&self) -> bool {
        self.classes.len() == 3
    }

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
