"""Writes `formats.txt`: numbers with formats of f-strings, and what CPython makes of them.

`python3 tests/reference/formats.py`. A whole number is an `int` where that makes a difference, as the calculator does not
tell 3 from 3.0: with `d`, and without a type and a precision.
"""

import math
import platform
import random
import re
from pathlib import Path

NUMBERS = [0.0, 3.0, -3.0, 0.5, 1.5, 2.5, 0.125, -0.375, 0.1, 1 / 3, -2 / 3, 9.5, 99.95, 999.5, 999999.5, 9999995.0, 1234.5]
NUMBERS += [1234567.0, -1234567.891, 873553492575155.25, 1e15, 1e16, -1e22, 1e100, 1e-4, 9.99995e-5, 1e-5, 5e-324]
NUMBERS += [1.7976931348623157e308, math.inf, -math.inf, math.nan]
FORMATS = ["d", "e", "f", "g", "%", ".0f", ".1f", ".2f", ".10f", ".20f", ".0e", ".3e", ".0g", ".3g", ".17g"]
FORMATS += [".0%", ".1%", "10", "<10", "^10", "010", "+", "+.2f", " .3f", "-.1f", ",", "_", ",.2f", "_.1f", ",d"]
FORMATS += ["08.3f", "+012.1f", "12,.1f", "9,d", "^12.2f", "<9.1f", ">9.1f", "+11.4g", "<8.1f", ">+8", "10.3e"]


def python(value, form):
    untyped = re.fullmatch(r"(?:.?[<>=^])?[+ -]?0?\d*[,_]?", form)
    whole = math.isfinite(value) and value == int(value)
    if whole and (form.endswith("d") or untyped and abs(value) < 1e16):
        value = int(value)
    try:
        return f"[{format(value, form)}]"
    except ValueError:
        return "refused"


def shown(value):
    return repr(value).removesuffix(".0")


draw = random.Random(1)
rows = [(value, form) for value in NUMBERS for form in FORMATS]
rows = draw.sample(rows, 600)
with open(Path(__file__).with_name("formats.txt"), "w") as file:
    print("# number <tab> format <tab> [text], or that there is none.", file=file)
    print(f"# Made by formats.py with Python {platform.python_version()}.", file=file)
    for value, form in rows:
        print(shown(value), form, python(value, form), sep="\t", file=file)
