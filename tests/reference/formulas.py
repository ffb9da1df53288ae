"""Writes crates/algebra/tests/formulas.txt: derivatives in the shortest form that sympy finds, to compare lengths.

    pip install sympy==1.14.0
    python formulas.py

Each line has the order of a derivative, the function, the letter, and the shortest form, separated by tabs. The letters are
real, and no form is taken that has another value somewhere. A form that takes sympy too long is left out.
"""

import random
import re
import signal
from pathlib import Path

import sympy
from sympy import Symbol, sympify

SEED = 20260301
OUT = Path(__file__).parents[2] / "crates/algebra/tests/formulas.txt"
SECONDS = 3

ONE_LETTER = 120
MORE_LETTERS = 60

FUNCTIONS = ["sin", "cos", "exp", "ln", "sqrt", "tanh", "tan", "atan", "sin", "exp", "ln", "cosh"]
NO_REAL_FORM = re.compile(r"DiracDelta|Piecewise|Derivative|Subs|\bre\(|\bim\(|\bI\b|zoo|nan|arg")


def linear(rng, letters):
    """A short inner function."""
    x = rng.choice(letters)
    other = rng.choice(letters)
    a, b = rng.randint(2, 5), rng.randint(1, 5)
    return rng.choice([x, x, f"{a}*{x}", f"{a}*{x} + {b}", f"{x}^2", f"{x}^2 + {b}", f"-{x}^2", f"{x}*{other}", f"{x} - {b}"])


def factor(rng, letters, depth):
    x = rng.choice(letters)
    kind = rng.randrange(6)
    if depth == 0 or kind == 0:
        return rng.choice([x, f"{x}^{rng.randint(2, 4)}", f"({linear(rng, letters)})"])
    if kind in (1, 2, 3):
        inner = linear(rng, letters) if rng.random() < 0.8 else formula(rng, letters, depth - 1)
        return f"{rng.choice(FUNCTIONS)}({inner})"
    if kind == 4:
        return f"({formula(rng, letters, depth - 1)})"
    return f"({linear(rng, letters)})^{rng.randint(2, 4)}"


def formula(rng, letters, depth=2):
    one, other = factor(rng, letters, depth), factor(rng, letters, depth - 1)
    return rng.choice([one, f"{one}*{other}", f"{one}*{other}", f"{one}/{other}", f"{one} + {other}", f"{one} - {other}"])


class TooLong(BaseException):
    pass


def stop(*_):
    raise TooLong


def tokens(text):
    return len(re.findall(r"[\w.]+|[^\w\s,]", text))


def text_of(expression):
    text = sympy.sstr(expression, order=None).replace("**", "^").replace("log", "ln").replace("Abs", "abs")
    return re.sub(r"\bE\b", "e", text)


def forms(derivative):
    """The forms that sympy finds in time."""
    ways = [
        lambda it: it, sympy.expand, sympy.factor, sympy.together, sympy.cancel, sympy.simplify, sympy.powsimp,
        sympy.trigsimp, lambda it: sympy.factor(sympy.expand(it)), lambda it: sympy.expand(sympy.simplify(it)),
        lambda it: sympy.factor(sympy.simplify(it)), sympy.factor_terms, sympy.radsimp,
        lambda it: sympy.powsimp(sympy.factor(it)), lambda it: sympy.simplify(sympy.factor(it)),
    ]
    for way in ways:
        try:
            yield in_time(way, derivative)
        except TooLong:
            pass


def in_time(way, derivative):
    """What `way` makes of a derivative. An alarm that comes too late, in the `except`, is one of `in_time`, too."""
    signal.alarm(SECONDS)
    try:
        return way(derivative)
    except Exception as error:
        raise TooLong from error
    finally:
        signal.alarm(0)


def shortest(text, letters, by, order):
    names = {name: Symbol(name, real=True) for name in letters} | {"ln": sympy.log}
    function = sympify(text.replace("^", "**"), locals=names)
    derivative = sympy.diff(function, names[by], order)
    texts = [text_of(form) for form in forms(derivative)]
    texts = [it for it in texts if not NO_REAL_FORM.search(it)]
    return min(texts, key=lambda it: (tokens(it), len(it), it), default=None)


def lines_of(letters, count):
    """The lines of random functions of some of these letters, and of all of them if there is one."""
    rng = random.Random(SEED + len(letters))
    seen, lines = set(), []
    while len(seen) < count:
        some = letters if len(letters) == 1 else rng.sample(letters, rng.randint(2, 4))
        text = formula(rng, some)
        used = sorted(set(re.findall(r"\b[a-z]\b", text)))
        if text in seen or len(used) < min(2, len(letters)) or tokens(text) > 40:
            continue
        seen.add(text)
        by = rng.choice(used)
        for order in (1, 2):
            found = shortest(text, used, by, order)
            if found is not None:
                lines.append(f"{order}\t{text}\t{by}\t{found}")
                print(len(lines), lines[-1], flush=True)
    return lines


def main():
    signal.signal(signal.SIGALRM, stop)
    lines = lines_of(["x"], ONE_LETTER) + lines_of(["x", "y", "a", "b"], MORE_LETTERS)
    OUT.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
