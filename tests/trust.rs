//! Sessions that once ended in a wrong number, an endless search or a message about something else: one line each.

use crate::common::Desk;

/// The lines of a session, and pieces of what the screen shows for the last of them, in order and separated by `…`.
type Case = (&'static str, &'static str);

const NUMBERS: &[Case] = &[
    ("10^-310", "1e-310"),
    ("exp(-709.8815257275352)", "5.03930415277e-309"),
    ("gamma(171.6243)", "1.7969818575e308"),
    (
        "a = 1e-160 ± 1e-170\ny = 2a\n:budget y",
        "100 %…y = 2e-160 ± 2e-170",
    ),
    (
        "a = 1e200 ± 1e190\ny = 3a\n:budget y",
        "100 %…y = 3e200 ± 3e190",
    ),
    (
        "a = 0 ± 1e-100\ny = a^2\n:budget y",
        "with second derivatives: y = 1e-200 ± 1.41421356237e-200",
    ),
    (
        "a = 0 ± 1\ny = abs(a)\n:budget y",
        "at abs(a), a = 0: the derivative is taken as 0; at a kink the first order says…nothing",
    ),
];

const SEARCHES: &[Case] = &[
    // Straight lines are those of the closed form at every size of the data and from every start.
    (
        ":fit [1e20, 2e20, 3e20, 4.1e20] ~ m*[1, 2, 3, 4] + n",
        "m           1    1.03e20   1.73205e18…n           1   -5e18      4.74342e18",
    ),
    (
        ":fit [1e-18, 2e-18, 3e-18, 4.1e-18] ~ m*[1, 2, 3, 4] + n",
        "1.03e-18   1.73205e-20…-5e-20      4.74342e-20",
    ),
    (
        "m, n = 1e200, -3\n:fit [1, 2, 3, 4.1] ~ m*[1, 2, 3, 4] + n",
        "m       1e200    1.03   0.0173205…n      -3       -0.05   0.0474342",
    ),
    // Halves of 2, whatever the unit.
    (
        ":fit [2e-12, 1e-12, 0.5e-12, 0.25e-12] ~ a*exp(-b*[0, 1, 2, 3])",
        "a           1   2e-12…b           1   0.693147",
    ),
    (
        ":fit [2e9, 1e9, 0.5e9, 0.25e9] ~ a*exp(-b*[0, 1, 2, 3])",
        "a           1   2000000000…b           1            0.693147",
    ),
    // These never ended.
    ("x, y = 1, 1\n:solve x, y for x*y = 2, y = 1e300", "error: "),
    (
        "x, y = 1e-200, -3\n:solve x, y for x*y = -3, x^2 = 4",
        "error: ",
    ),
    (
        "x = 0.5\n:fit [1, 1e200, 3e200] ~ x^2*[1, 2, 3]",
        "not settled: no step fits better, though the slopes are not 0",
    ),
    // Constants of the language that may be meant as leaves.
    (
        "const x, y = [1, 2, 3], [3, 2, 1.5]\n:fit y ~ a*exp(-x/tau) + e",
        "note: tau is the constant 6.28319 here: tau = 1 first makes it a leaf to fit…note: e is the constant",
    ),
    (
        "const x, y = [1, 2, 3, 4, 5], [3, 2, 1.5, 1.1, 0.9]\ntau = 1\n:fit y ~ a*exp(-x/tau)",
        "tau         1   3.06764",
    ),
    // Solutions that whole steps of Newton's method find, shortened where something is not finite, or other starts.
    (
        "x, y = 1, -0.5\n:solve x, y for x*y = -1, y = 2",
        "x         1      -0.5…y        -0.5     2",
    ),
    ("x = 2\n:solve x for 1/x = -3", "1/x: 0.5 → -3"),
    (
        "x = 1\n:solve x for exp(x) = 1e300",
        "x           1   690.776",
    ),
    ("x = 1\n:solve x for x^9 = 0", "x^9: 1 → 0"),
    (
        "x = 1\n:solve x for (x - 2)^2 = -1",
        "nearest is x = 2, where `(x - 2)^2` is",
    ),
    ("x = 1\n:solve x for ln(x) = 100", "ln(x): 0 → 100"),
    // The target falls without end where r is negative; a can of 33 has r = (33/2pi)^(1/3), h = 2r.
    (
        "r, h = 3, 10\n:minimize 2pi*r^2 + 2pi*r*h where pi*r^2*h = 33, r >= 0, h >= 0",
        "r           3   1.73825…h          10   3.47649…pi*r^2*h = 33   holds, price 1.15058",
    ),
    (
        "L, W = 1, 1\n:minimize 2L + 2W where L*W = 0.01, L >= 0, W >= 0",
        "L           1     0.1…W           1     0.1",
    ),
    // Where leaves are undetermined, the error says where that is.
    (
        "a, b, c = -0.6, -0.9, 1.2\n:fit [5, 5, 5, 5] ~ a*exp(-b*[1, 2, 3, 4]) + c",
        "the data say nothing about `b` where the search ended, at a = 0, b =…-0.9, c = 5…fix one with `:freeze`",
    ),
    (
        "a, b = 1, 1\n:fit [1, 2, 3] ~ a*b*[1, 2, 3]",
        "error: the data do not tell `a`, `b` apart",
    ),
];

const TRAINING: &[Case] = &[
    (
        "x = 2\nL = (x - 2)^2\n:step 0.1 5 of L",
        "L: 0 → 0   (unchanged, rate 0.1, 5 steps)",
    ),
    // Where a search ends: the value is that of the definition, and the verdict what analysis says.
    (
        "x = 1\n:minimize x^1.5",
        "(at the edge of where it is defined)",
    ),
    (
        "x, y = 1, 1\n:minimize x*sqrt(x) + (y - 1)^2 where y = 2",
        "(at the edge of where it is defined)…y = 2   holds, price 2",
    ),
    ("x = 1\n:minimize sqrt(x)", "(at the edge of where"),
    ("p = 0.1\n:minimize -p*ln(p)", "(at the edge of where"),
    (
        "x = 0.5\n:minimize asin(x)",
        "→ -1.57…(at the edge of where",
    ),
    (
        "x = 1\n:minimize x^3",
        "(a saddle or a flat point: every slope is below 1e-10",
    ),
    ("x = 1\n:minimize x^4", "(a saddle or a flat point"),
    ("x = 1\n:minimize 1e12(x - 1.1)^2", "(a minimum"),
    ("x = 1\n:minimize cosh(x) + x", "(a minimum"),
    (
        "x = 1\n:minimize abs(x - 3.3) + exp(x)/100",
        "(at a kink, where slopes jump)",
    ),
    ("x = 1\n:minimize -x", "(no minimum: it falls without end)"),
    (
        "x = -1\n:minimize 1/x",
        "(no minimum: it falls without end)",
    ),
    // Over the constraint alone x + 2y falls to 1, with a vertex where three constraints meet.
    (
        "x, y = 2, 3\n:minimize x + 2y where x >= 0, y >= 0, x + y >= 1, 2x + 2y >= 2",
        "8 → 1\n",
    ),
    ("x = 1\n:minimize x where ln(x) >= -1", "1 → 0.3678794411"),
    // Data.
    (
        "xs, ys = [1, 2, 3], [2, 4, 6.1]; w = 1; loss = mean((ys - w*xs)^2)\n:step 0.1 10 of loss",
        "note: also moved: xs, ys; to keep data…:undo,…then :freeze xs ys",
    ),
    (
        "xs, ys = [1, 2, 3], [2, 4, 6.1]; w = 1\n:minimize mean((ys - w*xs)^2)",
        "note: also moved: xs, ys; to keep",
    ),
    // Values that grow without bounds: x is multiplied by -2, and 4^512 is 2^1024.
    (
        "x = 1; y = x^2\n:step 1.5 2000 of y",
        "(up, rate 1.5, 511 of 2000 steps)…note: step 512 would make y inf: the rate 1.5 is too large",
    ),
    (
        "x = 1; y = x^2\n:step 1.5 2000 of y;\ny",
        "4.49423283716e307",
    ),
    (
        "x = 1; y = ln(x)\n:step 2 5 of y",
        "error: step 1 would make y nan: the rate 2 is too large",
    ),
    // Passes over graphs with nothing or something in common.
    (
        "a, b = 1, 2; L = a^2; M = b^2\n:backward L;\n:backward M",
        "M      b^2             4      1\n  b      leaf            2      4\n",
    ),
    (
        "a, b = 1, 2; L = a^2; M = a*b\n:backward L;\n:backward M",
        "grad   passes\n…M      a*b             2      1        1\n…a      leaf            1      4\nthe grads are the sum of 2 passes",
    ),
    ("a = 1; M = [a, 2, a]\n:set M 3;\nM", "[3, 3, 3]"),
    (
        "a = 1; M = [a, 2, a]\n:set M [3, 4, 5]",
        "error: `M` is set twice",
    ),
    (
        "p = 2; L = p^2\nL.backward();\np.grad = 0.0; p.grad = 0; L.backward()",
        "p      leaf            2      4\n",
    ),
];

const PICTURES: &[Case] = &[
    (
        "x = 3\ny = x^2\n:plot y x=-5..5 y=0..10",
        "`y` is computed, and a plot moves a leaf…below it: `x`",
    ),
    (
        "y = 4\n:plot x^2 x=0..2 y=-1..1",
        "`x^2` does not depend on `y`…`up=-1..1`",
    ),
    (
        "a = 2\nL = a*3\n:grad L table.tex",
        "`table.tex` has no ending that is known here…`.svg .png .csv .md`",
    ),
    (
        "a, b = 2, -3\nL = a*b\n:set a 3\n:graph L changed",
        "`:set` and `:step` tell what changed…`:graph L`",
    ),
    (
        "a, b = 2, -3\nL = a*b\n:walk L forward lesson.svg",
        "a walk writes no file…`:graph L FILE.html`",
    ),
    (
        "a, b = 2, -3\nL = a*b\n:walk L lesson.apng",
        "a walk writes no file…`:graph L FILE.html`",
    ),
];

const LANGUAGE: &[Case] = &[
    // What has a name is that node, not one with the same formula.
    (
        "w, u = 3, 2\np = w*u; q = w*u; M = p^2\n7 + grad(M, q)",
        "7",
    ),
    (
        "w, u = 3, 2\nc, d = [w - u for i in 1..2]\nv = c^2\n7 + grad(v, d)",
        "7",
    ),
    ("w, u = 3, 2\np = w*u; M = p^2\ngrad(M, u*w)", "12"),
    // A call is its body with the arguments written into it.
    ("a = 2\nh(r) = grad(r^2, a)\nh(a^2)", "32"),
    ("a = 2\nh(r) = grad(r^2, a) + grad(r^3, r)\nh(a^2)", "80"),
    ("a, b = 2, 3\nD(y, x) = grad(y, x)\nD(a^2*b, a)", "12"),
    ("k(x, y) = grad(x^2*y, x)\nk(3, 5)", "30"),
    // Python's number, or an error.
    ("W = [[1, 2], [3, 4]]\nnp.sum(W*np.pi)", "31.4159265359"),
    ("np.round(2.5*math.e)", "rounds halves"),
    ("x = [1, 2.5]\nnp.round(x[1:])", "rounds halves"),
    (
        "math.remainder(7, 2*math.pi)",
        "the remainder of the nearest multiple",
    ),
    ("torch.tensor([1., 2., 4.]).std()", "that of a sample"),
    ("np.maximum([1, 2])", "compares two"),
    ("[0]*3", "Python repeats a list…`flat([[0] for k in 1..3])`"),
    ("n = 3\n[1.0]*n", "`flat([[1.0] for k in 1..n])`"),
    ("v = 3\n[2]*[v]", "[6]"),
    ("math.factorial(-3)", "NaN"),
    ("y = [1, 2, 3]\n10 if y[2] > 2 else 1", "\n10"),
    ("a, c = 4, 3\nmath.sqrt(a if c != a else 1)", "\n2"),
    ("7 + np.sum(np.floor(np.linspace(0, 1)))", "\n8"),
    // A bracket that was never closed, and `±`.
    ("[12  ± ×", "comes after the whole list"),
    ("[1e−3.f( ) ± ", "error: "),
    ("[ in  ± ", "error: "),
    // What looks like a value with its uncertainty, or like a percentage of another calculator.
    ("l = 1.000 +- 0.002", "with its sign: 1.000 ± 0.002"),
    ("a = 3\n100 - 10%", "`100*(1 - 10/100)`"),
    ("a = 3\n2a*5 + a + 7%", "`(2a*5 + a)*(1 + 7/100)`"),
    // The error of a line that is correct in form stays.
    ("x = 1\n:solve x for (x - 2)^2 = -1", "no solution found"),
    ("x = 1\n:minimize x^2 where (x) = 1, (x) = 2", "constraints"),
    ("median([1, 2])", "unknown function `median`"),
];

#[test]
fn sessions_end_as_they_should() {
    for (session, said) in [NUMBERS, SEARCHES, TRAINING, PICTURES, LANGUAGE].concat() {
        let mut desk = Desk::default();
        let mut shown = String::new();
        for line in session.lines() {
            shown = desk.screen(line);
        }
        let mut rest = shown.as_str();
        for piece in said.split('…') {
            let Some((_, behind)) = rest.split_once(piece) else {
                panic!("{session}\nshould say `{piece}`, but says:\n{shown}");
            };
            rest = behind;
        }
    }
}
