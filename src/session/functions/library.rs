//! The built-in functions that are not a single operation, a row for each: those of lists, random numbers and the
//! derivative.
//!
//! `sum`, `prod`, `min`, `max`, `hypot` and `logsumexp` of a list are operations, applied to the items. `building` makes the nodes.

use crate::session::random::Sequence;

/// A built-in function that is no single operation.
#[derive(Debug)]
pub struct LibraryFunction {
    /// Its name.
    pub name: &'static str,
    /// How many arguments it takes: at least, and at most.
    pub counts: (usize, usize),
    /// Its arguments in usage lines.
    pub arguments: &'static str,
    /// What it gives, in a few words.
    pub summary: &'static str,
    /// A call of it.
    pub example: &'static str,
    /// The topic of help that says more.
    pub topic: &'static str,
    /// Which one it is.
    pub(crate) work: Work,
}

/// What a function of the library does.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Work {
    Dot,
    Flat,
    Len,
    Mean,
    Median,
    Moons,
    Choose,
    Enumerate,
    Range,
    Arange,
    Linspace,
    Softmax,
    Std,
    Zip,
    /// Takes the next number of a sequence, by two parameters.
    Draw(fn(&mut Sequence, f64, f64) -> f64),
    Grad,
}

/// The name of the function for the derivative with respect to a node: `grad(L, a)`.
pub const GRAD: &str = "grad";

/// All of them. The formulas of random numbers are Python's, since other ones round differently.
pub static LIBRARY: [LibraryFunction; 17] = [
    LibraryFunction {
        name: "dot",
        counts: (2, 2),
        arguments: "a, b",
        summary: "the sum of the products of two lists; for a list of rows, one sum per row",
        example: "dot([1, 2], [3, 4])",
        topic: "lists",
        work: Work::Dot,
    },
    LibraryFunction {
        name: "flat",
        counts: (1, 1),
        arguments: "a",
        summary: "all numbers of nested lists as one list",
        example: "flat([[1, 2], 3])",
        topic: "lists",
        work: Work::Flat,
    },
    LibraryFunction {
        name: "len",
        counts: (1, 1),
        arguments: "a",
        summary: "the number of items of a list",
        example: "len([5, 6, 7])",
        topic: "lists",
        work: Work::Len,
    },
    LibraryFunction {
        name: "mean",
        counts: (1, usize::MAX),
        arguments: "a, …",
        summary: "the mean of the items of a list, or of several numbers",
        example: "mean([1, 2, 6])",
        topic: "lists",
        work: Work::Mean,
    },
    LibraryFunction {
        name: "median",
        counts: (1, usize::MAX),
        arguments: "a, …",
        summary: "the middle item of a list, or the mean of the two in the middle",
        example: "median([3, 1, 2])",
        topic: "lists",
        work: Work::Median,
    },
    LibraryFunction {
        name: "nCr",
        counts: (2, 2),
        arguments: "n, r",
        summary: "how many ways there are to choose r of n things: n!/(r!*(n - r)!)",
        example: "nCr(5, 2)",
        topic: "lists",
        work: Work::Choose,
    },
    LibraryFunction {
        name: "range",
        counts: (1, 3),
        arguments: "n",
        summary: "the whole numbers from 0 that are below n; as in Python, range(a, b) begins at a, and range(a, b, s) takes steps of s",
        example: "range(3)",
        topic: "lists",
        work: Work::Range,
    },
    LibraryFunction {
        name: "arange",
        counts: (1, 3),
        arguments: "a, b, s",
        summary: "the numbers a, a + s and so on that are below b; arange(b) is range(b)",
        example: "arange(-1, 1, 0.5)",
        topic: "lists",
        work: Work::Arange,
    },
    LibraryFunction {
        name: "linspace",
        counts: (2, 3),
        arguments: "a, b, n",
        summary: "n numbers at equal distances from a to b; 50 without n",
        example: "linspace(0, 1, 5)",
        topic: "lists",
        work: Work::Linspace,
    },
    LibraryFunction {
        name: "enumerate",
        counts: (1, 2),
        arguments: "a",
        summary: "the items of a list with their positions, as pairs; enumerate(a, 1) counts from 1",
        example: "enumerate([5, 6])",
        topic: "lists",
        work: Work::Enumerate,
    },
    LibraryFunction {
        name: "softmax",
        counts: (1, 1),
        arguments: "a",
        summary: "the exponentials of the items of a list as shares of their sum: exp(x)/sum(exp(x))",
        example: "softmax([1, 2, 6])",
        topic: "lists",
        work: Work::Softmax,
    },
    LibraryFunction {
        name: "std",
        counts: (1, 2),
        arguments: "a",
        summary: "the standard deviation of a list: sqrt(mean((x - mean(x))^2)); std(x, 1), of a sample, divides by one less",
        example: "std([1, 2, 6])",
        topic: "lists",
        work: Work::Std,
    },
    LibraryFunction {
        name: "zip",
        counts: (1, usize::MAX),
        arguments: "a, …",
        summary: "the items of several lists side by side; for one table, its columns",
        example: "zip([1, 2], [3, 4])",
        topic: "lists",
        work: Work::Zip,
    },
    LibraryFunction {
        name: "uniform",
        counts: (2, 2),
        arguments: "a, b",
        summary: "a random number between a and b",
        example: "uniform(-1, 1)",
        topic: "random",
        work: Work::Draw(|sequence, a, b| a + (b - a) * sequence.fraction()),
    },
    LibraryFunction {
        name: "normal",
        counts: (2, 2),
        arguments: "m, s",
        summary: "a random number from the normal distribution with mean m and standard deviation s",
        example: "normal(0, 1)",
        topic: "random",
        work: Work::Draw(|sequence, mean, deviation| mean + sequence.standard_normal() * deviation),
    },
    LibraryFunction {
        name: "moons",
        counts: (1, 2),
        arguments: "n, s",
        summary: "n points on two half circles, moved by normal numbers of standard deviation s, and on which each is, 0 or 1; drawn as make_moons of scikit-learn does after np.random.seed",
        example: "moons(4, 0.1)",
        topic: "random",
        work: Work::Moons,
    },
    LibraryFunction {
        name: GRAD,
        counts: (2, 2),
        arguments: "y, x",
        summary: "how y moves with x, the derivative",
        example: "grad(a*b, a)",
        topic: "derivatives",
        work: Work::Grad,
    },
];

impl LibraryFunction {
    /// The function with this name.
    pub fn find(name: &str) -> Option<&'static LibraryFunction> {
        LIBRARY.iter().find(|function| function.name == name)
    }

    /// Whether it takes this many arguments.
    pub fn takes(&self, count: usize) -> bool {
        (self.counts.0..=self.counts.1).contains(&count)
    }
}
