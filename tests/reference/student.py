"""Writes `student.txt`: quantiles of Student's t by mpmath, which `student(p, n)` must give to 12 digits.

    pip install mpmath==1.4.1 scipy==1.17.1
    python tests/reference/student.py

Newton's method solves for the quantile with more digits than the smallest probability needs. scipy's quantiles are
compared with the results, and where scipy is off by more than 1e-12, a line says so.
"""

from pathlib import Path

from mpmath import mp, mpf
from scipy.stats import t as student

FREEDOMS = [1, 1.25, 1.5, 2, 2.5, 3, 4, 5, 7.7, 10, 30, 63.5, 64, 100, 345.6, 1e3, 31622.8, 1e6]
TAILS = [1e-300, 1e-100, 1e-20, 1e-8, 1e-4, 0.0005, 0.005, 0.01, 0.025, 0.05, 0.1, 0.2, 0.2499, 0.25, 0.3, 0.4, 0.49]
TAILS += [0.4999999]
UPPER = [0.5, 0.5000001, 0.6, 0.75, 0.9, 0.975, 0.9973, 0.999999, 1 - 1e-12]

mp.dps = 400


def tail(x, n):
    """The probability of more than x > 0: a series of positive terms, or what another one leaves of 1/2."""
    z, rest = x * x / (n + x * x), n / (n + x * x)
    log_beta = mp.loggamma(n / 2) + mp.loggamma(mpf(1) / 2) - mp.loggamma((n + 1) / 2)
    factor = mp.exp((n * mp.log(rest) + mp.log(z)) / 2 - log_beta)
    inner = z < 0.9
    ratio, below = (z, mpf(3) / 2) if inner else (rest, n / 2 + 1)
    term, total, k = mpf(1), mpf(0), 0
    while term > total * mpf(10) ** -395:
        total += term
        term *= ((n + 1) / 2 + k) / (below + k) * ratio
        k += 1
    return mpf(1) / 2 - factor * total if inner else factor * total / n


def quantile(p, n):
    """The number below which t lies with the probability p, from its exact binary digits."""
    p, n = mpf(p), mpf(n)
    part = min(p, 1 - p)
    if p == mpf(1) / 2:
        return 0.0
    beta = mp.gamma((n + 1) / 2) / mp.gamma(n / 2) / mp.sqrt(n * mp.pi)
    x = mpf(student.isf(float(part), float(n)))
    if part < 1e-20 and n < 30:
        # scipy fails here, and far out the tail is a power of x.
        x = (beta * n ** ((n - 1) / 2) / part) ** (1 / n)
    for _ in range(12):
        step = (tail(x, n) - part) / (beta * (1 + x * x / n) ** (-(n + 1) / 2))
        x += step
        if abs(step) < abs(x) * mpf(10) ** -30:
            break
    else:
        raise ArithmeticError(f"no convergence at {p}, {n}")
    return float(x if p > part else -x)


with open(Path(__file__).with_name("student.txt"), "w") as file:
    print("# probability <tab> degrees of freedom <tab> quantile. Made by student.py.", file=file)
    for n in FREEDOMS:
        for p in TAILS + UPPER:
            found = quantile(p, n)
            known = float(student.ppf(p, n))
            if abs(known - found) > 1e-12 * abs(found):
                print(f"scipy has {known} for {found} at {p}, {n}")
            print(repr(float(p)), repr(float(n)), repr(found), sep="\t", file=file)
