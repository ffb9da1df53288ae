//! The functions that take lists as wholes: `dot`, `len`, `zip` and others, one row for each.
//!
//! `sum`, `prod`, `min`, `max` and `hypot` of a list are operations, applied to the items. `building` makes the nodes.

/// A function of lists.
pub struct ListFunction {
    /// Its name.
    pub name: &'static str,
    /// Another name for it.
    pub also: Option<&'static str>,
    /// How many arguments it takes: at least, and at most.
    pub counts: (usize, usize),
    /// What it gives, in a few words.
    pub what: &'static str,
    /// A call of it.
    pub example: &'static str,
    /// Which one it is.
    pub(crate) work: ListWork,
}

/// The functions of lists, by name.
pub static LIST_FUNCTIONS: [ListFunction; 6] = [
    ListFunction {
        name: "dot",
        also: None,
        counts: (2, 2),
        what: "the sum of the products of two lists; for a list of rows, one sum per row",
        example: "dot([1, 2], [3, 4])",
        work: ListWork::Dot,
    },
    ListFunction {
        name: "flat",
        also: None,
        counts: (1, 1),
        what: "all numbers of nested lists as one list",
        example: "flat([[1, 2], 3])",
        work: ListWork::Flat,
    },
    ListFunction {
        name: "len",
        also: None,
        counts: (1, 1),
        what: "the number of items of a list",
        example: "len([5, 6, 7])",
        work: ListWork::Len,
    },
    ListFunction {
        name: "mean",
        also: Some("avg"),
        counts: (1, usize::MAX),
        what: "the mean of the items of a list, or of several numbers",
        example: "mean([1, 2, 6])",
        work: ListWork::Mean,
    },
    ListFunction {
        name: "std",
        also: None,
        counts: (1, 1),
        what: "the standard deviation of a list: sqrt(mean((x - mean(x))^2))",
        example: "std([1, 2, 6])",
        work: ListWork::Std,
    },
    ListFunction {
        name: "zip",
        also: None,
        counts: (1, usize::MAX),
        what: "the items of several lists side by side; for one table, its columns",
        example: "zip([1, 2], [3, 4])",
        work: ListWork::Zip,
    },
];

impl ListFunction {
    /// The function with this name.
    pub fn named(name: &str) -> Option<&'static ListFunction> {
        let is_it = |function: &&ListFunction| function.name == name || function.also == Some(name);
        LIST_FUNCTIONS.iter().find(is_it)
    }

    /// Whether it takes so many arguments.
    pub fn takes(&self, count: usize) -> bool {
        (self.counts.0..=self.counts.1).contains(&count)
    }

    /// How it is called: `dot(a, b)`, `mean(a, …)`.
    pub fn usage(&self) -> String {
        let (least, most) = self.counts;
        let names = ["a", "b"][..least].join(", ");
        let more = if most > least { ", …" } else { "" };
        format!("{}({names}{more})", self.name)
    }
}

/// What a function of lists does.
#[derive(Clone, Copy, Debug)]
pub(crate) enum ListWork {
    Dot,
    Flat,
    Len,
    Mean,
    Std,
    Zip,
}
