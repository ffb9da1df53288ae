//! Topics of the language that `:help` knows besides commands and operations.
//!
//! Prose for people; what a test can compare with the code stands elsewhere.

/// One topic.
#[derive(Debug)]
pub struct Topic {
    /// The word: `:help numbers`.
    pub name: &'static str,
    /// One line.
    pub summary: &'static str,
    /// The text.
    pub text: &'static str,
}

/// Every topic, in the order of `:help`.
pub const TOPICS: &[Topic] = &[
    Topic {
        name: "statements",
        summary: "bindings, expressions, comments, `;`",
        text: "
a = 2            bind a name; without variables on the right it is a leaf
a, b = 2, -3     several at once, all or none
c += 1           rebind c to a new node made from the old one (-= *= /= %= ^=)
const x = 2      a frozen leaf: it gets a grad, :step leaves it alone
a*b + c          evaluate, show, remember as ans (also _; the first as $1)
a.data, a.grad   the present number of a node, as a constant
# to the end     a comment, at the start or after a blank
a = 2; b = 3;    ; ends a statement and silences it
(a +             an open bracket, or \\ at the end: on in the next line",
    },
    Topic {
        name: "numbers",
        summary: "how numbers are written",
        text: "
2  2.  .5  1e-3  1_000  0xff  0b101   64-bit floats, all of them
inf  nan                              names of what is not finite
-3                                    a minus directly before is part of it
3x^2  2(a + b)  2pi                   directly before a name or (: multiplies

A literal too large is an error, one too small becomes 0 with a note.",
    },
    Topic {
        name: "operators",
        summary: "what binds how tightly",
        text: "
loosest first:
<  <=  >  >=  ==  !=   give 1 or 0, not to be chained
+  -
*  /  %                and a coefficient such as 3x; % is modulo
-x                     so -2^2 is -4
^                      also **; from the right: 2^3^2 is 512
x!  x.f()  f(x)        factorial, method spelling, calls

Signs as they are printed in books are read as what they look like: the dot,
the cross, the sign of division, the long minus, the root, the letter pi,
small raised digits, and the comparisons that are one sign.
Nothing but a coefficient multiplies silently.",
    },
    Topic {
        name: "names",
        summary: "names, former names, other ways to say which node",
        text: "
A name starts with a letter of any script or _, and goes on with letters,
digits, _ and subscripts. Yours win over built-in ones: e, f, pi may be bound.
y = x is a second name for one node.

a@1       the first node that lost the name a
@9        the node with the id 9
(a*b)     where a command takes a node: the existing node that reads so
ans, _    the last result; $3 is the third",
    },
    Topic {
        name: "rebinding",
        summary: "what a = 5 does when a is used already",
        text: "
a = 5 makes a new leaf. What was built from the old a keeps it, shown as a@1
from then on. To change the value under everything that uses it: :set a 5",
    },
    Topic {
        name: "python",
        summary: "lines of the lecture that are understood as they are",
        text: "
a = Value(2.0, label='a')   a = 2, a leaf; the label is what tables show
n.label = 'n'               tables show the label; the name is what is typed
a.data = 3, a.data += 0.1   :set a 3, but no pass is run again: a step by hand
                            goes by the grads of one pass
L.backward()                :backward L
print(L)  print('L', L)     L, with words before it

Other Python is an error that shows what to type here.",
    },
    Topic {
        name: "gradients",
        summary: "passes, staleness, exact zeros, NaN",
        text: "
A pass belongs to its root: :grad L computes how L moves when a node moves.
Grads are stale as soon as data changes; :set and :step run the pass again.
An exact zero cuts off infinity and NaN: 0*sqrt(x) at 0 has gradient 0.
A NaN passes on NaN, never a plausible number. At a kink the row of the
operation says what is taken: :help relu",
    },
    Topic {
        name: "derivatives",
        summary: "f'(3) and grad(L, a) in expressions",
        text: "
f'(3), f''(x)           the exact derivative of a function, of any order
tanh'(20)               of a built-in one too
grad(L, a)              how L moves with a: ∂L/∂a
grad(L, a*b)            with a part of L, as it stands there
grad(grad(L, a), b)     a second derivative
h(x) = grad(x^3, x)*2   in a body too

They are expressions: D = f'(a) is a node that :set a moves and :grad D
differentiates again. f' differentiates by its argument alone; a function of
several arguments by one of them: grad(f(x, y), x). The number is that of
:grad, by the same rules at kinks and zeros; chain(x, y) in it is the product
x*y, but a 0 absorbs inf.",
    },
];
