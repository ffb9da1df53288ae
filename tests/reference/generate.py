"""Writes the reference tables that `tests/reference.rs` reads: operations.txt, beside this file.

    pip install mpmath==1.4.1
    python generate.py

Every number is computed by mpmath with many more digits than a double has, from the exact values of the operands,
and rounded once to the nearest double (subnormals too). Derivatives are the closed forms below, not differences;
before anything is written, `crosscheck` compares each of them with mpmath's own numerical derivative.
The points that operations.txt has are kept, and those of `EXTREMES` join them. An operation that it does not have yet
gets points at random, from a seed made of its name: a second run writes the same file, and a new operation changes no
other line. To draw the points of an operation anew, delete its lines first.
"""

import math
import random
from fractions import Fraction
from pathlib import Path

from mpmath import mp, mpf
import mpmath as m

WIDE = 2400  # bits: 1 + 1e-300 keeps all digits of both
GAUSS = 600
GAMMA = 500
SEED = 20260101

INF = math.inf
NAN = math.nan


def rounded(x):
    """The double nearest to an mpf, ties to even, subnormals included."""
    if isinstance(x, float):
        return x
    if m.isnan(x):
        return NAN
    if m.isinf(x):
        return INF if x > 0 else -INF
    if x == 0:
        return 0.0
    size = m.mag(x)
    if size > 1030:
        return INF if x > 0 else -INF
    if size < -1090:
        return 0.0 if x > 0 else -0.0
    sign, man, exp, _ = x._mpf_
    man = int(man)
    exact = Fraction(man * 2**exp) if exp >= 0 else Fraction(man, 2**-exp)
    try:
        value = float(exact)
    except OverflowError:
        value = INF
    return -value if sign else value


def shown(x):
    if math.isnan(x):
        return "nan"
    if math.isinf(x):
        return "inf" if x > 0 else "-inf"
    text = repr(x)
    return text[:-2] if text.endswith(".0") else text


# ---- Points ----------------------------------------------------------------------------------------------------

TINY = [5e-324, 1.5e-323, 3.3e-320, 7.1e-311, 2.2250738585072014e-308, 4.1e-308, 1.3e-300, 1e-200, 1e-160, 1e-108,
        1e-50, 1e-20, 1e-17, 1.1e-16, 1e-12, 1e-9, 3e-8, 1e-5, 1e-3]
HUGE = [1e3, 1e5, 1e7, 9.4e7, 1.1e8, 1e10, 4.5e15, 1e17, 1e30, 1e77, 1e103, 1.3e154, 1.4e154, 1e160, 1e200, 1e300,
        5e307, 1.2e308, 1.7976931348623157e308]


def spread(rng, count, low, high):
    return [rng.uniform(low, high) for _ in range(count)]


def scales(rng, count, low, high):
    """Positive numbers whose logarithm is uniform."""
    return [min(math.exp(rng.uniform(math.log(low), math.log(high))), 1.7976931348623157e308) for _ in range(count)]


def around(centre, rng, count=12):
    """Points that close in on a number from both sides."""
    points = [centre, math.nextafter(centre, INF), math.nextafter(centre, -INF)]
    for _ in range(count):
        points.append(centre + rng.choice([-1, 1]) * 2.0 ** rng.uniform(-50, -2))
    return points


def both(points):
    return points + [-x for x in points]


def beside(*points):
    """Points with their neighbours."""
    return [math.nextafter(x, way) if way else x for x in points for way in (-INF, 0, INF)]


MOST = 1.7976931348623157e308
LEAST = 2.2250738585072014e-308  # the least normal number
LIMITS = [5e-324, 1.7e-310] + beside(LEAST) + [MOST]

# Where a function of the crate `pxfm` could fail: arguments and results beside the least and the largest numbers, and
# poles. Names of operations to their points.
EXTREMES = {
    "exp": beside(-745.1332191019412, -708.3964185322641, 709.782712893384)
    # Here the crate itself is wrong.
    + [-708.6503886555931, -708.9479981566598, -709.8815257275352, -714.6533716329548, -736.2],
    "exp2": beside(-1075.0, -1074.0, -1022.0, 1024.0) + [-1074.5, -1048.3, -1022.7],
    "expm1": beside(709.782712893384, -37.42994775023705, -745.2) + both(LIMITS[:2]),
    "ln log2 log10 rsqrt": LIMITS + beside(1.0, 2.0),
    "log1p": both(LIMITS[:5]) + [MOST, -1 + 2**-53, -1 + 2**-52],
    "sin cos tan sec csc cot": both(LIMITS) + beside(1.5707963267948966, 3.141592653589793) + [5.319372648326541e255],
    "asin acos atanh": both(LIMITS[:5]) + both([1 - 2**-53, 1 - 2**-52]),
    "asec acsc": both(beside(1.0, 2.0)[2:] + [1.34e154, MOST / 2, MOST]),
    "csch coth": both(LIMITS[:5]) + both(beside(710.4758600739439) + [700.0, 708.0, 745.2]),
    "atan acot asinh cbrt": both(LIMITS) + both([2**54.0]),
    "acosh": beside(1.0, 2.0)[2:] + [1.34e154, MOST / 2, MOST],
    "sinh cosh": both(LIMITS[:5]) + both(beside(710.4758600739439)),
    "erf": both(LIMITS[:5]) + beside(5.921587195794508),
    "erfc": beside(26.543258454251237, 27.226017111108362, -5.863584748755168) + LIMITS[:5],
    "atan2": [(y, x) for y in (5e-324, 1.7e-310, LEAST, 1.0, MOST) for x in (5e-324, -LEAST, 1e3, MOST)],
    "power": [(10.0, y) for y in beside(-323.30621534311583, -307.6526555685888, 308.25471555991674)]
    # Here the crate itself is wrong.
    + [(10.0, y) for y in (-308.0, -310.0, -320.0, -323.0, -324.0, -307.9, -315.3)]
    + [(-10.0, -311.0), (100.0, -155.2), (0.1, 310.0), (0.1, 307.7), (3.0, -678.0), (7.0, -380.5), (1.5, -1836.0),
       (1e-5, 62.5), (2.0, -1074.5), (5.0, 440.9), (-3.0, 646.0), (1e-310, 0.5), (5e-324, -0.95), (MOST, -1.049),
       (LEAST, 1.04), (1 + 2**-52, 3.19e18), (1 - 2**-53, 6.6e18)],
    "gamma": beside(171.6243769563027) + [171.6240220616986, 171.62424, 171.62437] + both([5.562684646268004e-309, 1e-308]),
}


def line(most=30.0, near=()):
    """The whole line: tiny, moderate up to `most`, huge, and closing in on the points named."""

    def points(rng):
        points = both(TINY) + both(HUGE)
        points += spread(rng, 60, -1.5, 1.5) + spread(rng, 60, -most, most)
        points += both(scales(rng, 25, 1e-320, 1.7e308)) + both(scales(rng, 20, 1e-6, 1e3))
        for centre in near:
            points += around(centre, rng)
        return points

    return points


# ---- Formulas: name -> (bits, value, partials, points), the points as a function of random numbers ---------------


def sigmoid(x):
    return 1 / (1 + m.exp(-x)) if x >= 0 else m.exp(x) / (1 + m.exp(x))


def density(x):
    return m.exp(-x * x / 2) / m.sqrt(2 * m.pi)


def normal(x):
    return m.erfc(-x / m.sqrt(2)) / 2


def sech2(x):
    e = m.exp(-2 * abs(x))
    return 4 * e / (1 + e) ** 2


def erf_slope(x):
    return 2 / m.sqrt(m.pi) * m.exp(-x * x)


def log_gamma(x):
    return m.log(abs(m.gamma(x))) if x < 1000 else m.loggamma(x)


def big_gamma(x):
    """gamma, but only as large as a double can be."""
    if x > 300:
        return mpf(INF)
    return m.gamma(x)


def psi(n, x):
    """The derivative of digamma of order n: left of 0 only digamma and the first, by reflection."""
    if x > 0:
        return m.psi(n, x)
    if n == 0:
        return m.psi(0, 1 - x) - m.pi / m.tan(m.pi * x)
    return (m.pi / m.sin(m.pi * x)) ** 2 - m.psi(1, 1 - x)


def power_partials():
    def dx(x, y):
        if y == 0:
            return mpf(0)
        if x < 0 and y != m.floor(y):
            return mpf(NAN)
        return y * power(x, y - 1)

    def dy(x, y):
        if x < 0:
            return mpf(NAN)
        return power(x, y) * m.log(x)

    return [dx, dy]


def power(x, y):
    if x < 0:
        if y != m.floor(y):
            return mpf(NAN)
        sign = 1 if int(y) % 2 == 0 else -1
        return sign * m.exp(y * m.log(-x))
    return m.exp(y * m.log(x))


def floored(x, y):
    return m.floor(x / y)


def truncated(x, y):
    return m.floor(x / y) if x / y > 0 else m.ceil(x / y)


def pairs(count, one, other):
    return [(one(), other()) for _ in range(count)]


def signed(rng, low, high):
    return lambda: rng.choice([-1, 1]) * math.exp(rng.uniform(math.log(low), math.log(high)))


def plane(rng):
    points = pairs(150, lambda: rng.uniform(-5, 5), lambda: rng.uniform(-5, 5))
    points += pairs(100, signed(rng, 1e-320, 1.7e308), signed(rng, 1e-320, 1.7e308))
    points += pairs(40, signed(rng, 1e-323, 1e-300), signed(rng, 1e-323, 1e-300))
    points += pairs(40, signed(rng, 1e300, 1.7e308), signed(rng, 1e300, 1.7e308))
    points += pairs(40, signed(rng, 1e-323, 1e-290), signed(rng, 1e-8, 1e8))
    return points


def fours(rng):
    """Of one sign, so that no digits cancel in a sum, and such that no product overflows; one or two of them 0."""
    points = [tuple(spread(rng, 4, 0.06, 9)) for _ in range(60)]
    points += [tuple(scales(rng, 4, 1e-70, 1e70)) for _ in range(60)]
    points += [tuple(-x for x in point) for point in points[::3]]
    return points + [tuple(0.0 if at in (k % 4, k % 7) else x for at, x in enumerate(points[k])) for k in range(28)]


def powers(rng):
    points = pairs(150, lambda: rng.uniform(0.01, 5), lambda: rng.uniform(-5, 5))
    points += pairs(60, lambda: math.exp(rng.uniform(-735, 709)), lambda: rng.uniform(-2.5, 2.5))
    points += pairs(60, lambda: rng.uniform(-20, 20), lambda: float(rng.randint(-30, 30)))
    points += pairs(40, lambda: rng.uniform(0.9, 1.1), lambda: rng.uniform(-7000, 7000))
    points += pairs(40, lambda: 1 + rng.uniform(-1, 1) * 1e-9, signed(rng, 1e6, 8e11))
    points += pairs(30, lambda: math.exp(rng.uniform(-735, 709)), signed(rng, 1e-300, 1e-3))
    # Values that are gone or lost digits, with derivatives that have not.
    for _ in range(60):
        size = rng.choice([rng.uniform(-800, -700), rng.uniform(705, 720)])
        x = math.exp(rng.uniform(-740, 700))
        points.append((x, size / math.log(x)))
    for _ in range(40):
        size = rng.choice([rng.uniform(-750, -708), rng.uniform(709, 712)])
        y = signed(rng, 1e2, 1e12)()
        points.append((math.exp(size / y), y))
    points += [(-1e-200, 2.0), (-1e-160, 2.0), (-1e-110, 3.0), (1e-320, 1.0), (2.0, 1024.0), (2.0, -1074.0),
               (0.5, 1075.0), (1e200, 2.0), (-1e155, 2.0), (1e308, 1.0), (1.0, 1e300)]
    return [(x, y) for x, y in points if x != 0]


def quotients(rng):
    points = [p for p in plane(rng) if p[1] != 0]
    points += pairs(60, signed(rng, 1e-323, 1e-305), signed(rng, 1e-16, 1))
    return points


def remainders(rng):
    points = pairs(120, lambda: rng.uniform(-50, 50), lambda: rng.uniform(-5, 5))
    points += pairs(60, lambda: rng.uniform(-1e6, 1e6), signed(rng, 1e-3, 1e3))
    points += pairs(60, signed(rng, 1e-300, 1e300), signed(rng, 1e-300, 1e300))
    # A quotient that is rounded up to a whole number.
    points += [(math.nextafter(k * 0.1, -INF), 0.1) for k in range(1, 40)]
    return [p for p in points if p[1] != 0]


def unary(bits, value, slope, points):
    return bits, value, [slope], lambda rng: [(x,) for x in points(rng)]


def is_pole(x):
    return x <= 0 and x == math.floor(x)


def formulas():
    half = m.pi / 2
    quarter_turns = [float(half * k) for k in (1, 2, 3, 4, 7, 100)]
    # The zeros of lgamma and digamma, and points beside the poles.
    zeros = [float(m.findroot(lambda x: m.log(abs(m.gamma(x))), z)) for z in
             (-2.457, -2.747, -3.143, -3.955, -4.0395, -4.9916, -5.0082, -5.9986, -6.0014)] + [1.0, 2.0]
    turning = [1.4616321449683623] + [float(m.findroot(lambda x: m.psi(0, x), z)) for z in
                                      (-0.504, -1.573, -2.611, -3.635, -4.653, -5.667, -9.7)]
    turning += [float(m.findroot(lambda x: psi(0, x), z)) for z in (-19.703, -20.71, -50.75, -120.77)]

    def unit(rng):
        points = both(TINY) + spread(rng, 150, -1, 1)
        for k in range(1, 54):
            points += [1 - 2.0**-k, 2.0**-k - 1]
        return points

    def beyond_one(rng):
        points = [1 + 2.0**-k for k in range(1, 53)] + HUGE
        return points + scales(rng, 60, 1.0001, 1e6) + scales(rng, 40, 1, 1.7e308)

    def positive(rng):
        points = TINY + HUGE + spread(rng, 60, 0, 3) + scales(rng, 60, 5e-324, 1.7e308)
        return points + around(1.0, rng, 40) + scales(rng, 40, 1e-3, 1e3)

    def gammas(rng):
        points = both(TINY) + spread(rng, 120, -8, 8) + spread(rng, 60, -190, 0) + spread(rng, 80, 0, 172)
        points += [k + 0.5 for k in range(-30, 30)] + [float(k) for k in range(1, 171, 13)]
        points += [k * rng.choice([-1, 1]) + 2.0 ** rng.uniform(-40, -2) for k in range(1, 40)]
        points += [171.5, 171.62, 171.63]
        for centre in turning:
            points += around(centre, rng, 8)
        return [x for x in points if not is_pole(x)]

    def lgammas(rng):
        points = gammas(rng) + scales(rng, 60, 1e-3, 1.7e308) + [-x for x in scales(rng, 40, 20, 1e12)]
        for centre in zeros:
            points += around(centre, rng, 16)
        return [x for x in points if not is_pole(x)]

    def digammas(rng):
        return [x for x in lgammas(rng) if abs(x) >= 3e-308]

    def factorials(rng):
        points = both(TINY) + spread(rng, 150, -6, 6) + spread(rng, 60, -190, 0) + spread(rng, 80, 0, 171)
        points += around(0.46163214496836236, rng) + [k + 0.5 for k in range(-20, 170, 5)]
        points += [float(k) for k in range(0, 171)]
        return [x for x in points if not (x < 0 and is_pole(x))]

    def orders(rng):
        return [(float(n), x) for n in (0, 1, 2, 3, 4, 5, 8, 13, 20, 40, 100, 150)
                for x in spread(rng, 8, 0.01, 3) + spread(rng, 6, 3, 40) + scales(rng, 5, 1e-3, 1e5)]

    def more(points, *stretches):
        """The points, and as many of each stretch as it says."""
        return lambda rng: points(rng) + [x for stretch in stretches for x in spread(rng, *stretch)]

    def within(limit, points):
        return lambda rng: [x for x in points(rng) if abs(x) < limit]

    def hyperbolic(most):
        """Points at which the functions do not take more memory than there is."""
        return within(1e5, line(most))

    def wide(value, slope, points):
        return unary(WIDE, value, slope, points)

    one = mpf(1)
    return {
        "division": (WIDE, lambda x, y: x / y, [lambda x, y: 1 / y, lambda x, y: -x / y**2], quotients),
        "modulo": (WIDE, lambda x, y: x - y * floored(x, y),
                   [lambda x, y: mpf(1), lambda x, y: -floored(x, y)], remainders),
        "rem": (WIDE, lambda x, y: x - y * truncated(x, y),
                [lambda x, y: mpf(1), lambda x, y: -truncated(x, y)], remainders),
        "power": (WIDE, power, power_partials(), powers),
        "factorial": unary(GAMMA, lambda x: big_gamma(x + 1), lambda x: big_gamma(x + 1) * psi(0, x + 1), factorials),
        "sqrt": wide(m.sqrt, lambda x: 1 / (2 * m.sqrt(x)), positive),
        "cbrt": wide(lambda x: m.sign(x) * m.cbrt(abs(x)), lambda x: 1 / (3 * m.cbrt(x * x)), lambda rng: both(positive(rng))),
        "rsqrt": wide(lambda x: 1 / m.sqrt(x), lambda x: -1 / (2 * x * m.sqrt(x)), positive),
        "square": wide(lambda x: x * x, lambda x: 2 * x, line()),
        "cube": wide(lambda x: x**3, lambda x: 3 * x * x, line()),
        "recip": wide(lambda x: 1 / x, lambda x: -1 / (x * x), line()),
        "exp": wide(m.exp, m.exp, line(745)),
        "exp2": wide(lambda x: mpf(2) ** x, lambda x: mpf(2) ** x * m.log(2), lambda rng: line(1074)(rng) + [1024.0, 1024.25]),
        "expm1": wide(m.expm1, m.exp, line(745)),
        "ln": wide(m.log, lambda x: 1 / x, positive),
        "log2": wide(lambda x: m.log(x) / m.log(2), lambda x: 1 / (x * m.log(2)), positive),
        "log10": wide(lambda x: m.log(x) / m.log(10), lambda x: 1 / (x * m.log(10)), positive),
        "log1p": wide(lambda x: m.log(1 + x), lambda x: 1 / (1 + x),
                      lambda rng: [x for x in positive(rng) + unit(rng) if x > -1]),
        "sin": wide(m.sin, m.cos, line(30, quarter_turns)),
        "cos": wide(m.cos, lambda x: -m.sin(x), line(30, quarter_turns)),
        "tan": wide(m.tan, lambda x: 1 / m.cos(x) ** 2, line(30, quarter_turns)),
        "sec": wide(lambda x: 1 / m.cos(x), lambda x: m.sin(x) / m.cos(x) ** 2, line(30, quarter_turns)),
        "csc": wide(lambda x: 1 / m.sin(x), lambda x: -m.cos(x) / m.sin(x) ** 2, line(30, quarter_turns)),
        "cot": wide(lambda x: m.cos(x) / m.sin(x), lambda x: -1 / m.sin(x) ** 2, line(30, quarter_turns)),
        "asin": wide(m.asin, lambda x: 1 / m.sqrt(1 - x * x), unit),
        "acos": wide(m.acos, lambda x: -1 / m.sqrt(1 - x * x), unit),
        "atan": wide(m.atan, lambda x: 1 / (1 + x * x), line()),
        "asec": wide(lambda x: m.acos(1 / x), lambda x: 1 / (abs(x) * m.sqrt(x * x - 1)), lambda rng: both(beyond_one(rng))),
        "acsc": wide(lambda x: m.asin(1 / x), lambda x: -1 / (abs(x) * m.sqrt(x * x - 1)), lambda rng: both(beyond_one(rng))),
        "acot": wide(lambda x: m.atan2(1, x), lambda x: -1 / (1 + x * x), line()),
        "atan2": (WIDE, m.atan2, [lambda x, y: y / (x * x + y * y), lambda x, y: -x / (x * x + y * y)], plane),
        "sinh": wide(m.sinh, m.cosh, line(711)),
        "cosh": wide(m.cosh, m.sinh, line(711)),
        "tanh": wide(m.tanh, sech2, line(375)),
        "csch": wide(lambda x: 1 / m.sinh(x), lambda x: -m.cosh(x) / m.sinh(x) ** 2, hyperbolic(745)),
        "coth": wide(lambda x: m.cosh(x) / m.sinh(x), lambda x: -1 / m.sinh(x) ** 2, hyperbolic(372)),
        "asinh": wide(lambda x: m.sign(x) * m.log(abs(x) + m.sqrt(x * x + 1)), lambda x: 1 / m.sqrt(x * x + 1),
                      line()),
        "acosh": wide(lambda x: m.log(x + m.sqrt(x * x - 1)), lambda x: 1 / m.sqrt(x * x - 1), beyond_one),
        "atanh": wide(lambda x: m.log((1 + x) / (1 - x)) / 2, lambda x: 1 / (1 - x * x), unit),
        "sigmoid": wide(sigmoid, lambda x: sigmoid(x) * sigmoid(-x), line(745)),
        "logsigmoid": wide(lambda x: m.log(sigmoid(x)) if x < 0 else -m.log(1 + m.exp(-x)), lambda x: sigmoid(-x),
                           line(745)),
        "elu": wide(lambda x: x if x > 0 else m.expm1(x), lambda x: one if x > 0 else m.exp(x), line(40)),
        "gelu": unary(GAUSS, lambda x: x * normal(x), lambda x: normal(x) + x * density(x),
                      more(within(1e5, line(39, [-0.7517915246935645])), (60, -38.6, -35.5))),
        "silu": wide(lambda x: x * sigmoid(x), lambda x: sigmoid(x) * (1 + x * sigmoid(-x)),
                     more(line(745, [-1.2784645427610738]), (40, -745, -690), (20, -45, -30))),
        "softplus": wide(lambda x: m.log(1 + m.exp(x)) if x < 1e4 else x + 0, sigmoid, line(745)),
        "softsign": wide(lambda x: x / (1 + abs(x)), lambda x: 1 / (1 + abs(x)) ** 2, line()),
        "sum": (WIDE, lambda a, b, c, d: a + b + c + d, [lambda a, b, c, d: one] * 4, fours),
        "prod": (WIDE, lambda a, b, c, d: a * b * c * d,
                 [lambda a, b, c, d: b * c * d, lambda a, b, c, d: a * c * d, lambda a, b, c, d: a * b * d,
                  lambda a, b, c, d: a * b * c], fours),
        "hypot": (WIDE, lambda x, y: m.sqrt(x * x + y * y),
                  [lambda x, y: x / m.sqrt(x * x + y * y), lambda x, y: y / m.sqrt(x * x + y * y)], plane),
        # Where the sum is near 1, its logarithm near 0 keeps no more digits than the operands have.
        "logsumexp": (WIDE, lambda x, y: m.log(m.exp(x) + m.exp(y)),
                      [lambda x, y: m.exp(x) / (m.exp(x) + m.exp(y)), lambda x, y: m.exp(y) / (m.exp(x) + m.exp(y))],
                      lambda rng: [(x, y) for x in spread(rng, 12, 0, 5) + spread(rng, 8, 5, 1e3) + spread(rng, 8, -1e3, -2)
                                   for y in (x, x - 1e-9, x - 0.5, x - 3, x - 30)]),
        "erf": unary(GAUSS, m.erf, erf_slope, within(1e5, line(28))),
        "erfc": unary(GAUSS, m.erfc, lambda x: -erf_slope(x), within(1e5, line(28))),
        "gamma": unary(GAMMA, big_gamma, lambda x: big_gamma(x) * psi(0, x), gammas),
        "lgamma": unary(GAMMA, log_gamma, lambda x: psi(0, x), lgammas),
        "digamma": unary(GAMMA, lambda x: psi(0, x), lambda x: psi(1, x), digammas),
        "trigamma": unary(GAMMA, lambda x: psi(1, x), lambda x: psi(2, x) if x > 0 else mpf(NAN),
                          lambda rng: [x for x in digammas(rng) if x > -60 and abs(x) > 1e-100]),
        "polygamma": (GAMMA, lambda n, x: psi(int(n), x), [lambda n, x: mpf(NAN), lambda n, x: psi(int(n) + 1, x)],
                      orders),
        **made_of_derivatives(),
    }


def made_of_derivatives():
    """The operations that derivatives are built from."""
    wide = lambda points: lambda rng: [(x,) for x in points(rng)]
    return {
        "chain_ln": (WIDE, lambda x, y: x * m.log(y), [lambda x, y: m.log(y), lambda x, y: x / y],
                     lambda rng: [(x, y) for x in spread(rng, 6, -9, 9) + scales(rng, 6, 1e-100, 1e100)
                                  for y in spread(rng, 4, 0.1, 9) + scales(rng, 4, 1e-100, 1e100)]),
        "sech": (WIDE, m.sech, [lambda x: -m.sech(x) * m.tanh(x)], wide(lambda rng: both(spread(rng, 60, 0.001, 700) + [1e-17, 1.0]))),
    }


def extremes(name):
    found = [point for names, points in EXTREMES.items() if name in names.split() for point in points]
    return [point if isinstance(point, tuple) else (point,) for point in found]


def crosscheck(name, bits, value, partials, points, rng):
    """A few moderate points: closed form against numerical derivative."""
    mp.prec = max(bits, 300) if bits != WIDE else 400
    usable = [p for p in points if all(0.05 < abs(x) < 9 for x in p)]
    for p in rng.sample(usable, min(6, len(usable))):
        p = tuple(mpf(x) for x in p)
        for position, partial in enumerate(partials):
            formula = partial(*p)
            if m.isnan(formula):
                continue
            h = mpf(2) ** -80
            up = tuple(x + h if k == position else x for k, x in enumerate(p))
            down = tuple(x - h if k == position else x for k, x in enumerate(p))
            difference = (value(*up) - value(*down)) / (2 * h)
            assert abs(difference - formula) <= mpf(2) ** -50 * (abs(formula) + 1), (name, p, position)


def recorded(path):
    """The points of each operation in the file."""
    points = {}
    for row in path.read_text().splitlines():
        if not row.startswith("#"):
            name, place = row.split("\t")[:2]
            points.setdefault(name, []).append(tuple(float(x) for x in place.split(" ")))
    return points


def main():
    path = Path(__file__).with_name("operations.txt")
    known = recorded(path)
    mp.prec = GAMMA
    table = formulas()
    lines = [
        "# Reference values of the operations and their derivatives.",
        "# operation <tab> operands <tab> value <tab> derivative by each operand; shortest decimals that read back.",
        f"# Made by generate.py with mpmath {m.__version__}: {WIDE} bits, {GAUSS} for the error functions, {GAMMA} for",
        f"# the gamma functions; each number rounded once to the nearest double.",
    ]
    for name, (bits, value, partials, points) in table.items():
        rng = random.Random(f"{SEED} {name}")
        points = (known.get(name) or points(rng)) + extremes(name)
        crosscheck(name, bits, value, partials, points, rng)
        mp.prec = bits
        for p in sorted(set(points)):
            exact = tuple(mpf(x) for x in p)
            numbers = [rounded(value(*exact))] + [rounded(f(*exact)) for f in partials]
            left = " ".join(shown(x) for x in p)
            right = " ".join(shown(x) for x in numbers[1:])
            lines.append(f"{name}\t{left}\t{shown(numbers[0])}\t{right}")
    path.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
