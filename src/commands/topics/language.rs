//! Topics of the language: statements, numbers, operators, names, results, functions.
//!
//! Prose; what the parser takes is decided in `syntax`.

use super::{Part, Topic};

pub(super) const STATEMENTS: Topic = Topic {
    name: "statements",
    also: &[
        "statement",
        "syntax",
        "language",
        "binding",
        "bindings",
        "silence",
        "semicolon",
    ],
    summary: "what can be typed; `;`",
    parts: &[
        Part::Rows(&[
            (
                "a = 2",
                "bind a name; with no variables on the right it is a leaf",
            ),
            ("a, b = 2, -3", "several at once, all or none"),
            (
                "L = a*b + c",
                "keep the graph behind the expression, and name it",
            ),
            (
                "c += 1",
                "rebind c to a new node made from the old one (also `-= *= /= %= ^=`)",
            ),
            ("f(x) = 3x^2 - 4x", "define a function"),
            (
                "const x = 2",
                "a frozen leaf: it gets a grad, `:step` leaves it alone",
            ),
            ("a*b + c", "evaluate, show, remember as `ans`"),
            (
                "a.data, a.grad",
                "the present number of a node, as a constant",
            ),
            (":grad L", "a command; `:help` lists them"),
        ]),
        Part::Says(
            "`;` ends a statement and silences it: `a = 2; b = 3` shows b only. Notes and errors are shown all the same. \
             Several statements may stand on a line.",
        ),
        Part::Says(
            "A statement happens wholly or not at all: one with an error leaves the session exactly as it was; those \
             before it on the line stand.",
        ),
    ],
};

pub(super) const LINES: Topic = Topic {
    name: "lines",
    also: &[
        "line",
        "comments",
        "comment",
        "#",
        "continuation",
        "continue",
        "multiline",
        "multi-line",
        "backslash",
    ],
    summary: "comments, statements of several lines",
    parts: &[
        Part::Says(
            "A `#` at the start of a line or after a blank begins a comment that goes on to the end of the line. In \
             quotes it is part of what is quoted: a path that holds `#`, `;` or a blank is written in quotes.",
        ),
        Part::Says(
            "While a `(` or `[` is open the statement goes on in the next line, and so it does after a `\\` at the end of \
             a line. The prompt waits for the rest. A bracket that is never closed is told at its place: at the end of \
             the input, or at a line that begins with a command.",
        ),
        Part::Says(
            "A pasted block runs statement by statement, each answer below its statement; after an error the rest of it is \
             not run. An empty line is the next stop of an open walk, at the prompt only.",
        ),
    ],
};

pub(super) const NUMBERS: Topic = Topic {
    name: "numbers",
    also: &[
        "number",
        "literal",
        "literals",
        "coefficient",
        "coefficients",
    ],
    summary: "how numbers are written and shown",
    parts: &[
        Part::Rows(&[
            ("2  2.  .5  1e-3", "64-bit floats, all of them"),
            ("1_000  0xff  0b101", "digits in groups, base 16, base 2"),
            ("inf  nan", "names of what is not finite"),
            (
                "-3",
                "a minus directly before is part of it: `b = -3` is a leaf",
            ),
            (
                "3x^2  2(a + b)  2pi",
                "directly before a name or a bracket it multiplies",
            ),
        ]),
        Part::Says(
            "A literal too large for a float is an error, one too small becomes 0 with a note. A coefficient right after \
             `/`, `%` or `^` can be read in two ways and is refused with both: `1/2x`.",
        ),
        Part::Says(
            "A whole number up to 2^53 = 9007199254740992 is always shown in full. Of any other number single results \
             show 12 digits, tables and pictures 6, but never fewer than stand before its point: there no 0 stands for \
             a digit that was rounded away. Below 1e-5 and from 1e15 on it has an exponent. `before → after` has as \
             many digits as it takes for the two to differ. `:digits 17` shows numbers exactly. What is computed never \
             depends on what is shown.",
        ),
        Part::Says(
            "NaN and infinities have a colour of their own. Where the first one of a graph began, its box and its row say \
             `first NaN` or `first inf`.",
        ),
    ],
};

pub(super) const OPERATORS: Topic = Topic {
    name: "operators",
    also: &[
        "operator",
        "precedence",
        "brackets",
        "priority",
        "unicode",
        "symbols",
    ],
    summary: "what binds how tightly",
    parts: &[
        Part::Says("Loosest first:"),
        Part::Rows(&[
            (
                "<  <=  >  >=  ==  !=",
                "give 1 or 0; `1 < x < 3` is refused",
            ),
            ("+  -", "from the left: `a - b - c` is `(a - b) - c`"),
            ("*  /  %", "and a coefficient as in `3x`; `%` is modulo"),
            ("-x", "so `-2^2` is -4"),
            ("^  **", "from the right: `2^3^2` is 512; `2^-1` is 0.5"),
            ("x!  x.f()  f(x)", "factorial, method spelling, calls"),
        ]),
        Part::Says(
            "Signs as they are printed in books are read as what they look like: the dot, the cross, the sign of division, \
             the long minus, the root (it binds tighter than `^`), the letter pi, small raised digits, and the \
             comparisons that are one sign. Nothing but a coefficient multiplies silently: `a b` is an error that shows \
             `a*b`.",
        ),
        Part::Says("Each operator has a page with its derivatives: `:help /`, `:help ^`."),
    ],
};

pub(super) const NAMES: Topic = Topic {
    name: "names",
    also: &["name", "former", "labels", "label", "shadow", "@"],
    summary: "names, former names, other ways to say which node",
    parts: &[
        Part::Says(
            "A name starts with a letter of any script or `_` and goes on with letters, digits, `_` and subscripts; \
             `x1w1` is one name. Yours win over built-in ones: `e`, `f`, `pi` may be bound. Values and functions do not \
             get in each other's way: `f = -2` does not hide `f(x)`. `y = x` is a second name for one node.",
        ),
        Part::Rows(&[
            ("a@1", "the first node that lost the name a"),
            (
                "@9",
                "the node with the id 9; tables show ids where two rows read the same",
            ),
            (
                "(a*b)",
                "where a command takes a node: the existing node that reads so",
            ),
            ("ans, _, $3", "results, see `:help results`"),
        ]),
        Part::Says("`:vars` lists the names, `:del a` forgets one."),
    ],
};

pub(super) const RESULTS: Topic = Topic {
    name: "results",
    also: &[
        "result", "ans", "_", "$", "$1", "$2", "$3", "answer", "answers",
    ],
    summary: "the last results: `ans`, `$3`",
    parts: &[
        Part::Says(
            "Each expression that is evaluated is remembered with the graph behind it: its result can be used, \
             differentiated and explained like any other node.",
        ),
        Part::Rows(&[
            ("ans, _", "the last result"),
            ("$1, $2, …", "results by number; the last 100 are kept"),
            (":grad ans", "gradients of the last expression"),
        ]),
        Part::Says("Bindings are no results: they have names. None of these words can be bound."),
    ],
};

pub(super) const LEAVES: Topic = Topic {
    name: "leaves",
    also: &["leaf", "const", "frozen", "free", "constant", "constants"],
    summary: "what can be set and stepped, and what cannot",
    parts: &[
        Part::Says(
            "A binding with no variables on its right side makes a leaf, whatever the right side is: `b = -3`, `x = 2/3`, \
             `k = sqrt(2)/2`. Leaves are where gradients end, and the only nodes whose data changes.",
        ),
        Part::Rows(&[
            (":set a 3", "changes a leaf and everything above it"),
            (":step 0.01", "moves all free leaves down the gradient"),
            (
                "const x = 2",
                "a frozen leaf: it gets a grad, `:step` leaves it alone",
            ),
            (":freeze a, :thaw a", "the same for a leaf that is there"),
        ]),
        Part::Says(
            "Literals inside larger expressions are constants: they are in pictures, have no gradient and no row. The \
             constants with a name are `pi`, `tau`, `e`, `inf` and `nan`.",
        ),
    ],
};

pub(super) const REBINDING: Topic = Topic {
    name: "rebinding",
    also: &["rebind", "assignment"],
    summary: "what `a = 5` does when a is used already",
    parts: &[
        Part::Says(
            "`a = 5` makes a new leaf. What was built from the old a keeps it, and shows it as `a@1` from then on; a note \
             says so where it may surprise. To change the value under everything that uses it: `:set a 5`.",
        ),
        Part::Rows(&[
            (
                "a = 5",
                "a new leaf named a; L still uses the old one, `a@1`",
            ),
            (":set a 5", "the same leaf with another number; L follows"),
            (
                "a += 1",
                "a new node, computed from the old one: a computed node now",
            ),
            (":undo", "takes either back"),
        ]),
    ],
};

pub(super) const FUNCTIONS: Topic = Topic {
    name: "functions",
    also: &[
        "function",
        "define",
        "definition",
        "def",
        "lambda",
        "recursion",
    ],
    summary: "functions of your own",
    parts: &[
        Part::Rows(&[
            ("f(x) = 3x^2 - 4x + 5", "define it"),
            ("f(3), f(a)", "call it; `f(a)` is a graph above a"),
            ("g(x, y) = x*f(y)", "several parameters, calls of others"),
            ("f'(3)", "its derivative, see `:help derivatives`"),
            ("a.f()", "the same as `f(a)`"),
        ]),
        Part::Says(
            "An argument is evaluated once and shared. Other names in the body must exist when it is defined, and are \
             looked up at each call. A function may take a built-in's name; `:del` brings the built-in back. One that \
             would call itself is refused, with the chain that leads back.",
        ),
        Part::Says("`:funcs` lists yours, `:ops` the built-in ones."),
    ],
};

pub(super) const DERIVATIVES: Topic = Topic {
    name: "derivatives",
    also: &[
        "derivative",
        "prime",
        "f'",
        "f''",
        "grad()",
        "second",
        "hessian",
        "higher",
    ],
    summary: "`f'(3)` and `grad(L, a)` in expressions",
    parts: &[
        Part::Rows(&[
            (
                "f'(3), f''(x)",
                "the exact derivative of a function, of any order",
            ),
            ("tanh'(20)", "of a built-in one too"),
            ("grad(L, a)", "how L moves with a: ∂L/∂a"),
            ("grad(L, a*b)", "with a part of L, as it stands there"),
            ("grad(grad(L, a), b)", "a second derivative"),
            ("h(x) = grad(x^3, x)*2", "in a body too"),
        ]),
        Part::Says(
            "They are expressions: `D = f'(a)` is a node that `:set a` moves and `:grad D` differentiates again. `f'` \
             differentiates by its argument alone; a function of several arguments by one of them: `grad(f(x, y), x)`.",
        ),
        Part::Says(
            "The number is that of `:grad`, by the same rules at kinks and zeros; `chain(x, y)` in it is the product \
             `x*y`, but a 0 absorbs inf.",
        ),
    ],
};

pub(super) const PYTHON: Topic = Topic {
    name: "python",
    also: &[
        "lecture",
        "value",
        "Value",
        "micrograd",
        "backward()",
        "print",
    ],
    summary: "lines of the lecture that are understood as they are",
    parts: &[
        Part::Rows(&[
            (
                "a = Value(2.0, label='a')",
                "`a = 2`, a leaf; the label is what tables show",
            ),
            (
                "n.label = 'n'",
                "tables show the label; the name is what is typed",
            ),
            ("n.tanh(), (b + a).relu()", "`tanh(n)`, `relu(b + a)`"),
            (
                "a.data = 3, a.data += 0.1",
                "`:set a 3`, but no pass is run again: a step by hand goes by the grads of one pass",
            ),
            ("L.backward()", "`:backward L`"),
            ("print(L), print('L', L)", "L, with words before it"),
        ]),
        Part::Says("Other Python is an error that shows what to type here."),
    ],
};
