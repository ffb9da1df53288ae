//! The lessons that are part of the program: scripts of `examples/`, and the tables that they read. The first comment of a
//! script is its title.

/// A lesson that is part of the program.
#[derive(Debug, PartialEq, Eq)]
pub struct BuiltInLesson {
    /// Its name for `:play`.
    pub name: &'static str,
    /// The script.
    pub text: &'static str,
}

/// The text of a file in `examples/`.
macro_rules! example {
    ($file:literal) => {
        include_str!(concat!("../../../../examples/", $file))
    };
}

const fn lesson(name: &'static str, text: &'static str) -> BuiltInLesson {
    BuiltInLesson { name, text }
}

pub(crate) const LESSONS: &[BuiltInLesson] = &[
    lesson("tour", example!("0_tour.calc")),
    lesson("slope", example!("1_slope.calc")),
    lesson("chain", example!("2_chain.calc")),
    lesson("twice", example!("3_twice.calc")),
    lesson("neuron", example!("4_neuron.calc")),
    lesson("tanh", example!("5_tanh.calc")),
    lesson("learning", example!("6_learning.calc")),
    lesson("network", example!("7_network.calc")),
    lesson("iris", example!("iris.calc")),
    lesson("regression", example!("regression.calc")),
];

/// The tables that the lessons read, with the names of their files.
pub(crate) const LESSON_TABLES: [(&str, &str); 3] = [
    ("moons.csv", example!("moons.csv")),
    ("iris.csv", example!("iris.csv")),
    ("regression.csv", example!("regression.csv")),
];

impl BuiltInLesson {
    /// Returns the first comment, which is the title.
    pub fn title(&self) -> &'static str {
        let line = self.text.lines().next().unwrap_or_default();
        line.trim_start_matches('#').trim()
    }

    /// Returns the next lesson.
    pub fn next(&self) -> Option<&'static BuiltInLesson> {
        let place = LESSONS.iter().position(|lesson| lesson == self)?;
        LESSONS.get(place + 1)
    }
}
