//! The table of built-in functions that are not a single operation: functions of lists, random numbers and the derivative.
//!
//! `sum`, `prod`, `min`, `max`, `hypot` and `logsumexp` of a list are operations on the items. `lists` makes the nodes.

use self::Work::{
    All, Any, Arange, Choice, Choose, Dot, Draw, Enumerate, Flat, Grad, IsIn, Join, Len, Linspace,
    Mean, Median, Moons, Range, Shuffle, Softmax, Solve, Sorted, Std, Student, Zip,
};
use crate::random::Sequence;

/// A built-in function that is not a single operation.
#[derive(Debug)]
pub struct LibraryFunction {
    /// Its name.
    pub name: &'static str,
    /// The least and the most arguments.
    pub counts: (usize, usize),
    /// Its arguments in usage lines.
    pub arguments: &'static str,
    /// Its value, in a few words.
    pub summary: &'static str,
    /// A call of it.
    pub example: &'static str,
    /// The topic of help that says more.
    pub topic: &'static str,
    /// Its work.
    pub(crate) work: Work,
}

/// The work of a function of the library.
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
    All,
    Any,
    IsIn,
    Join,
    Range,
    Arange,
    Linspace,
    Softmax,
    Sorted,
    Std,
    Student,
    Zip,
    /// Takes the next number of a sequence, by two parameters. There may be no number by them.
    Draw(fn(&mut Sequence, f64, f64) -> Option<f64>),
    Choice,
    Shuffle,
    Grad,
    Solve,
}

/// The name of the function for the derivative with respect to a node: `grad(L, a)`.
pub const GRAD: &str = "grad";

/// Whole numbers below this one are exact, and so is the difference of two of them.
const MOST_EXACT: f64 = (1_u64 << 52) as f64;

/// The formulas of random numbers are Python's, because others round differently.
fn uniform(sequence: &mut Sequence, a: f64, b: f64) -> Option<f64> {
    Some(a + (b - a) * sequence.fraction())
}

fn normal(sequence: &mut Sequence, mean: f64, deviation: f64) -> Option<f64> {
    Some(mean + sequence.standard_normal() * deviation)
}

fn randint(sequence: &mut Sequence, a: f64, b: f64) -> Option<f64> {
    let is_exact = |end: f64| end.fract() == 0.0 && end.abs() < MOST_EXACT;
    (is_exact(a) && is_exact(b) && a <= b).then(|| a + sequence.below((b - a) as u64 + 1) as f64)
}

/// As many arguments as the user likes.
const MANY: usize = usize::MAX;

const fn row(
    name: &'static str,
    counts: (usize, usize),
    arguments: &'static str,
    example: &'static str,
    topic: &'static str,
    work: Work,
    summary: &'static str,
) -> LibraryFunction {
    LibraryFunction {
        name,
        counts,
        arguments,
        summary,
        example,
        topic,
        work,
    }
}

/// All functions of the library.
#[rustfmt::skip]
pub static LIBRARY: [LibraryFunction; 27] = [
    row("dot",       (2, 2),     "a, b",    "dot([1, 2], [3, 4])",   "lists",       Dot,
        "the sum of the products of two lists; for a list of rows, one sum per row"),
    row("flat",      (1, 1),     "a",       "flat([[1, 2], 3])",     "lists",       Flat,
        "all numbers of nested lists as one list"),
    row("len",       (1, 1),     "a",       "len([5, 6, 7])",        "lists",       Len,
        "the number of items of a list"),
    row("mean",      (1, MANY),  "a, …",    "mean([1, 2, 6])",       "lists",       Mean,
        "the mean of the items of a list, or of several numbers"),
    row("median",    (1, MANY),  "a, …",    "median([3, 1, 2])",     "lists",       Median,
        "the middle item of a list, or the mean of the two in the middle"),
    row("nCr",       (2, 2),     "n, r",    "nCr(5, 2)",             "lists",       Choose,
        "how many ways there are to choose r of n things: n!/(r!*(n - r)!)"),
    row("range",     (1, 3),     "n",       "range(3)",              "lists",       Range,
        "the whole numbers from 0 that are below n; as in Python, range(a, b) begins at a, and range(a, b, s) takes steps of s"),
    row("arange",    (1, 3),     "a, b, s", "arange(-1, 1, 0.5)",    "lists",       Arange,
        "the numbers a, a + s and so on that are below b; arange(b) is range(b)"),
    row("linspace",  (2, 3),     "a, b, n", "linspace(0, 1, 5)",     "lists",       Linspace,
        "n numbers at equal distances from a to b; 50 without n"),
    row("enumerate", (1, 2),     "a",       "enumerate([5, 6])",     "lists",       Enumerate,
        "the items of a list with their positions, as pairs; enumerate(a, 1) counts from 1"),
    row("join",      (1, 1),     "a",       "join([[1, 2], [3]])",   "lists",       Join,
        "the items of several lists as one list"),
    row("sorted",    (1, 3),     "a",       "sorted([3, 1, 2])",     "lists",       Sorted,
        "the items of a list from the smallest to the largest; as in Python, sorted(a, key=f, reverse=True)"),
    row("any",       (1, 1),     "a",       "any([0, 1])",           "lists",       Any,
        "1 if an item of a list is not 0, else 0"),
    row("all",       (1, 1),     "a",       "all([0, 1])",           "lists",       All,
        "1 if no item of a list is 0, else 0"),
    row("is_in",     (2, 2),     "x, a",    "is_in(2, [1, 2])",      "lists",       IsIn,
        "1 if an item of a list equals x, else 0: x in a"),
    row("softmax",   (1, 1),     "a",       "softmax([1, 2, 6])",    "lists",       Softmax,
        "the exponentials of the items of a list as shares of their sum: exp(x)/sum(exp(x))"),
    row("std",       (1, 2),     "a",       "std([1, 2, 6])",        "lists",       Std,
        "the standard deviation of a list: sqrt(mean((x - mean(x))^2)); std(x, 1), of a sample, divides by one less"),
    row("student",   (2, 2),     "p, n",    "student(0.975, 4)",     "fitting",     Student,
        "the number below which Student's t with n degrees of freedom lies with the probability p: the quantile"),
    row("zip",       (1, MANY),  "a, …",    "zip([1, 2], [3, 4])",   "lists",       Zip,
        "the items of several lists side by side; for one table, its columns"),
    row("uniform",   (2, 2),     "a, b",    "uniform(-1, 1)",        "random",      Draw(uniform),
        "a random number between a and b"),
    row("normal",    (2, 2),     "m, s",    "normal(0, 1)",          "random",      Draw(normal),
        "a random number from the normal distribution with mean m and standard deviation s"),
    row("randint",   (2, 2),     "a, b",    "randint(1, 6)",         "random",      Draw(randint),
        "a random whole number from a to b"),
    row("choice",    (1, 1),     "a",       "choice([5, 6, 7])",     "random",      Choice,
        "a random item of a list"),
    row("shuffled",  (1, 1),     "a",       "shuffled([5, 6, 7])",   "random",      Shuffle,
        "the items of a list in random order"),
    row("moons",     (1, 2),     "n, s",    "moons(4, 0.1)",         "random",      Moons,
        "n points on two half circles, moved by normal numbers of standard deviation s, and on which each is, 0 or 1; drawn as make_moons of scikit-learn does after np.random.seed"),
    row("solve",     (2, 3),     "F = G, x", "solve(x^2 = 2, x)",    "solutions",   Solve,
        "the x at which F and G are equal, searched from 1; solve(F = G, x, 3) searches from 3, and solve(F = G, x, 0..9) in a range"),
    row(GRAD,        (2, 2),     "y, x",    "grad(a*b, a)",          "derivatives", Grad,
        "how y moves with x, the derivative"),
];

impl LibraryFunction {
    /// The function with this name.
    pub fn find(name: &str) -> Option<&'static LibraryFunction> {
        LIBRARY.iter().find(|function| function.name == name)
    }

    /// Whether it draws random numbers.
    pub(crate) fn is_draw(&self) -> bool {
        matches!(self.work, Draw(_) | Choice | Shuffle | Moons)
    }

    /// Whether it takes this many arguments.
    pub fn takes(&self, count: usize) -> bool {
        (self.counts.0..=self.counts.1).contains(&count)
    }
}

/// The calculator's name for a function of Python.
pub fn native_name(name: &str) -> &str {
    match name {
        "fabs" | "absolute" => "abs",
        "maximum" | "amax" => "max",
        "minimum" | "amin" => "min",
        "log" => "ln",
        "clip" => "clamp",
        "power" => "pow",
        "rint" | "around" => "round",
        "comb" => "nCr",
        "average" | "avg" => "mean",
        _ => name,
    }
}

/// Whether a name is a member of a module of Python that the calculator knows, but no function here.
pub fn is_python_name(name: &str) -> bool {
    matches!(
        name,
        "array" | "asarray" | "tensor" | "Tensor" | "where" | "factorial" | "tau"
    )
}

/// The functions and constants of `NumPy` that mean the same here. Tests compare them with `NumPy` itself.
pub const NUMPY_NAMES: &str = "abs absolute acos acosh all amax amin any arange arccos arccosh arcsin arcsinh arctan \
    arctan2 arctanh argmax argmin around array asarray asin asinh atan atan2 atanh average cbrt ceil clip cos cosh dot e \
    exp exp2 expm1 fabs floor fmod gcd hypot inf lcm linspace log log10 log1p log2 max maximum mean median min minimum \
    mod nan ones pi pow power prod rint round sign sin sinh sqrt square std sum tan tanh trunc where zeros";
