//! The lessons that are part of the program: the numbered scripts of `examples/`, in their order.
//!
//! The first comment of each is its title.

/// A lesson that is part of the program.
#[derive(Debug, PartialEq, Eq)]
pub struct BuiltInLesson {
    /// What is typed after `:play`.
    pub name: &'static str,
    /// The script.
    pub text: &'static str,
}

/// A lesson by its number and name, which are those of its file.
macro_rules! lesson {
    ($number:literal, $name:literal) => {
        BuiltInLesson {
            name: $name,
            text: include_str!(concat!(
                "../../../../examples/",
                $number,
                "_",
                $name,
                ".calc"
            )),
        }
    };
}

pub(crate) const LESSONS: &[BuiltInLesson] = &[
    lesson!("0", "tour"),
    lesson!("1", "slope"),
    lesson!("2", "chain"),
    lesson!("3", "twice"),
    lesson!("4", "neuron"),
    lesson!("5", "learning"),
    lesson!("6", "network"),
];

impl BuiltInLesson {
    /// The first comment.
    pub fn title(&self) -> &'static str {
        let line = self.text.lines().next().unwrap_or_default();
        line.trim_start_matches('#').trim()
    }

    /// The lesson that comes after it.
    pub fn next(&self) -> Option<&'static BuiltInLesson> {
        let place = LESSONS.iter().position(|lesson| lesson == self)?;
        LESSONS.get(place + 1)
    }
}
