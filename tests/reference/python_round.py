"""Writes `round.txt`: numbers rounded by Python's `round`, which `round(x, n)` must give to the bit.

`python3 tests/reference/python_round.py`. Python rounds the exact value of a float, halves to the even digit.
"""

import random
from pathlib import Path

NEAR_HALVES = [0.125, 2.675, -2.5, 2.5, 1.5, 0.5, -0.5, 15.0, 25.0, 35.0, -1250.0, 5.0, 4.9, 5e22, 5e23, 2.5e22, 1.5e24]
EXTREMES = [0.0, -0.0, 1e300, -1.7e308, 5e-324, 2.5e-309, 1e16, 2.0**53 + 2, 9.5, 99.5, 0.05, 1.005, 1e23]
DECIMALS = [0, 1, 2, 3, 10, 17, 22, 23, 309, 323, 324, 1100, -1, -2, -3, -21, -22, -23, -24, -25, -309, -400]


def rows(draw):
    for x in NEAR_HALVES + EXTREMES:
        yield from ((x, decimals) for decimals in DECIMALS)
    for _ in range(300):
        decimals = draw.randint(-4, 6)
        half = (draw.randint(-2000, 2000) + 0.5) * 10.0**-decimals
        yield draw.choice([half, draw.uniform(-1000, 1000)]), decimals
    for _ in range(100):
        x = draw.choice([-1, 1]) * 10 ** draw.uniform(-300, 300)
        yield x, -round(draw.uniform(-300, 300))


def rounded(x, decimals):
    try:
        return round(x, decimals)
    except OverflowError:
        return float("inf") if x > 0 else float("-inf")


with open(Path(__file__).with_name("round.txt"), "w") as file:
    print("# number <tab> decimals <tab> rounded. Made by python_round.py.", file=file)
    for x, decimals in rows(random.Random(1)):
        print(x, decimals, rounded(x, decimals), sep="\t", file=file)
