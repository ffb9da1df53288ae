"""Writes the reference table that `tests/derivatives.rs` reads: derivatives.txt, beside this file.

    pip install mpmath==1.4.1
    python derivatives.py

Second and third derivatives of every smooth operation, and Hessian entries of expressions of several variables. The
values are those of `generate.py`, differentiated by differences of 600 digits or more, from the exact values of the
points, and rounded once: no formula of a derivative is written down here.
"""

import random
from pathlib import Path

from mpmath import mp, mpf
import mpmath as m

from generate import formulas, rounded, shown

DIGITS = 600
STEP = -50

LINE = [-2.75, -1.5, -0.8125, -0.3, 0.1, 0.4375, 0.9, 1.3, 2.2, 3.7]
UNIT = [-0.95, -0.7, -0.3, 0.1, 0.4375, 0.8, 0.99]
BEYOND = [-3.7, -1.5, -1.01, 1.01, 1.3, 2.0, 5.0]
POSITIVE = [0.05, 0.3, 0.9, 1.0, 1.7, 2.5, 6.0]
POINTS = {
    "sqrt": POSITIVE, "rsqrt": POSITIVE, "ln": POSITIVE, "log2": POSITIVE, "log10": POSITIVE,
    "log1p": [-0.9, -0.3, 0.1, 1.0, 2.5, 6.0], "asin": UNIT, "acos": UNIT, "atanh": UNIT,
    "acosh": [1.01, 1.3, 2.0, 5.0], "asec": BEYOND, "acsc": BEYOND, "coth": LINE + [-9.0, 20.0], "factorial": [0.3, 1.5, 2.0, 4.25],
    "tanh": LINE + [-9.0, 20.0], "sigmoid": LINE + [-30.0, 38.0], "softplus": LINE + [-30.0, 30.0],
    "erf": LINE + [4.5], "erfc": LINE + [4.5, 9.0],
}
# Steps, what has no derivative by its first operand, and what stands among SEVERAL.
APART = {"sum", "prod", "modulo", "rem", "polygamma"}
# From this order on the derivatives left of 0 are NaN.
RIGHT = {"gamma": 3, "lgamma": 3, "digamma": 2, "trigamma": 2}
PAIRS = [(0.7, 1.9), (1.3, -0.6), (2.5, 0.25), (0.4, 3.1)]
SPELLED = {"division": "(x)/(y)", "power": "x^y", "factorial": "x!"}

# Expressions as they are typed, and as mpmath has them.
SEVERAL = [
    ("x^2*y^3", lambda x, y, z: x**2 * y**3),
    ("(x*y + z)^2/(1 + x^2)", lambda x, y, z: (x * y + z) ** 2 / (1 + x**2)),
    ("sin(x*y)*exp(z)", lambda x, y, z: m.sin(x * y) * m.exp(z)),
    ("tanh(x*y + z)", lambda x, y, z: m.tanh(x * y + z)),
    ("ln(x^2 + y^2 + z^2)", lambda x, y, z: m.log(x**2 + y**2 + z**2)),
    ("hypot(x, y, z)", lambda x, y, z: m.sqrt(x**2 + y**2 + z**2)),
    ("x^y^z", lambda x, y, z: x ** (y**z)),
    ("atan2(x*z, y)", lambda x, y, z: m.atan2(x * z, y)),
    ("sqrt(x/y)*z", lambda x, y, z: m.sqrt(x / y) * z),
    ("sigmoid(x)*ln(sigmoid(y*z))", lambda x, y, z: m.log(1 / (1 + m.exp(-y * z))) / (1 + m.exp(-x))),
    ("exp(-(x - y)^2/(2*z^2))", lambda x, y, z: m.exp(-((x - y) ** 2) / (2 * z**2))),
    ("max(x*y, y*z, x*z)", lambda x, y, z: max(x * y, y * z, x * z)),
    ("if(x > y, x^3*z, y^3*z)", lambda x, y, z: (x if x > y else y) ** 3 * z),
    ("gamma(x + y)/z", lambda x, y, z: m.gamma(x + y) / z),
    ("softplus(x*y)^2 - gelu(z)*x", lambda x, y, z: m.log(1 + m.exp(x * y)) ** 2 - x * z * m.erfc(-z / m.sqrt(2)) / 2),
    ("sum(x*y, y*z, x, z^3)^2", lambda x, y, z: (x * y + y * z + x + z**3) ** 2),
    ("prod(x, y, z, x + y, 2, z)", lambda x, y, z: x * y * z * (x + y) * 2 * z),
    ("prod(x, y - 1.9, z - 1.3, y)", lambda x, y, z: x * (y - mpf(1.9)) * (z - mpf(1.3)) * y),
    ("hypot(x, y, z, x*y, 1)", lambda x, y, z: m.sqrt(x**2 + y**2 + z**2 + (x * y) ** 2 + 1)),
]
TRIPLES = [(0.7, 1.9, 1.3), (2.1, 0.4, 0.9), (1.1, 1.6, 2.3)]
ORDERS = ["xx", "xy", "xz", "yx", "yy", "yz", "zz", "xxy", "xyz"]


def derivative(value, point, order):
    """By central differences, one variable after the other: `order` counts how often by each. The steps are so small
    against the variable that nothing is left of their error. Far out 1 and its neighbour are far apart."""
    mp.dps = DIGITS if all(abs(x) < 10 for x in point) else 2 * DIGITS

    def difference(point, order):
        by = next((place for place, times in enumerate(order) if times > 0), None)
        if by is None:
            return value(*point)
        less = [times - (place == by) for place, times in enumerate(order)]
        step = abs(point[by]) * mpf(10) ** STEP
        moved = lambda sign: [x + sign * step * (place == by) for place, x in enumerate(point)]
        return (difference(moved(1), less) - difference(moved(-1), less)) / (2 * step)

    return difference([mpf(x) for x in point], order)


def rows():
    for name, (_, value, _, points) in formulas().items():
        if name in APART:
            continue
        if len(points(random.Random(0))[0]) == 2:
            text = SPELLED.get(name, f"{name}(x, y)")
            for point in PAIRS:
                if isinstance(value(*map(mpf, point)), m.mpc):
                    continue
                for by in ["xx", "xy", "yx", "yy", "xxy"]:
                    yield text, point, by, derivative(value, point, [by.count(v) for v in "xy"])
            continue
        text = SPELLED.get(name, f"{name}(x)")
        for x in POINTS.get(name, LINE):
            for order in (2, 3):
                if x < 0 and order >= RIGHT.get(name, 4):
                    continue
                yield text, (x,), "x" * order, derivative(value, (x,), [order])
    for text, value in SEVERAL:
        for point in TRIPLES:
            for by in ORDERS:
                yield text, point, by, derivative(value, point, [by.count(v) for v in "xyz"])


def main():
    lines = [
        "# Reference values of second and third derivatives.",
        "# expression <tab> x y z <tab> by which of them, one after the other <tab> derivative.",
        f"# Made by derivatives.py with mpmath {m.__version__}, {DIGITS} digits, each number rounded once.",
    ]
    for text, point, by, value in rows():
        number = rounded(value)
        if number == number and abs(number) != float("inf"):
            lines.append("\t".join([text, " ".join(shown(x) for x in point), by, shown(number)]))
    path = Path(__file__).with_name("derivatives.txt")
    path.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
