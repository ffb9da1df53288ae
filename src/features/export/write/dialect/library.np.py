# What takes the place of functions of `library.py` if numbers are arrays of NumPy: values are chosen item by item. The other
# functions are those of `library.py`, with `np.` in place of `math.`.

# A function of numbers, on a tape or not.
def operation(value, slopes):
    def apply(*operands):
        numbers = [np.asarray(x.value if isinstance(x, Number) else x, float) for x in operands]
        out = value(*numbers)
        tapes = [x.tape for x in operands if isinstance(x, Number)]
        return Number(out, tapes[0], zip(operands, slopes(out, *numbers))) if tapes else out
    return apply

# The contribution of a number to the grad of an operand; an exact 0 absorbs nan and inf.
def contribution(number, slope):
    slope_or_nan = np.where(number.value == number.value, slope, np.nan)
    return np.where((number.grad == 0) | np.equal(slope, 0), 0.0, number.grad * slope_or_nan)

# 1/(1 + exp(-x)) without overflow.
def logistic(x):
    e = np.exp(-np.fabs(x))
    return np.where(x < 0, e, 1.0) / (1 + e)

# x kept between low and high.
def clamped(x, low, high):
    kept = np.where(x < low, low, np.where(x > high, high, x))
    return np.where((low == low) & (high == high), kept, np.nan)

# The slopes of a step, of a bound and of a choice: 0 or 1, but nan where there is nothing to decide.
def decided(by, *slopes):
    return [np.where(by == by, slope, by) for slope in slopes]

# The operands that tie share the derivative.
def shares(out, *a):
    ties = sum(1.0 * (x == out) for x in a)
    return [(x == out) / ties for x in a]

# The logarithm of the sum of the exponentials, from the distances to the largest operand.
def log_of_exps(*a):
    largest = largest_of(*a)
    return np.where(np.isfinite(largest), largest + np.log(sum(exp(x - largest) for x in a)), largest)

# A function of numbers for which NumPy has none.
def one_by_one(function):
    return np.vectorize(function, otypes=[float])

division = operation(np.divide, lambda out, x, y: [division(1.0, y), division(-out, y)])

power = operation(lambda x, y: np.where((x == 0) & (y < 0), np.inf, np.power(x, y)), lambda out, x, y: [np.where(y == 0, 0.0, y * power(x, y - 1)), np.where((out == 0) | (x == 0), 0.0, out * log(x))])

# x*y, but 0 if either is exactly 0, whatever the other is.
chained = operation(lambda x, y: np.where((x == 0) | (y == 0), 0.0, x * y), lambda out, x, y: [y, x])

# x*ln(y) where x is a power of y: 0 at 0.
chained_ln = operation(lambda x, y: np.where((x == 0) | (y == 0) & np.isfinite(x), 0.0, x * log(y)), lambda out, x, y: [log(y), division(x, y)])

log = operation(np.log, lambda out, x: [1 / np.fabs(x)])

log2 = operation(np.log2, lambda out, x: [1.4426950408889634 / np.fabs(x)])

log10 = operation(np.log10, lambda out, x: [0.4342944819032518 / np.fabs(x)])

log1p = operation(np.log1p, lambda out, x: [1 / np.fabs(1 + x)])

sinh = operation(np.sinh, lambda out, x: [cosh(x)])

softplus = operation(lambda x: np.maximum(x, 0.0) + np.log1p(np.exp(-np.fabs(x))), lambda out, x: [logistic(x)])

gelu = operation(lambda x: x * erfc(-x * 0.7071067811865476) / 2, lambda out, x: [erfc(-x * 0.7071067811865476) / 2 + x * np.exp(-x * x / 2) * 0.3989422804014327])

relu = operation(lambda x: np.maximum(x, 0.0), lambda out, x: decided(x, x > 0))

leaky = operation(lambda x, slope: np.where((x > 0) & (slope == slope), x, slope * x), lambda out, x, slope: [np.where(x > 0, 1.0, np.where(x < 0, slope, np.where(x == 0, np.clip(slope, 0.0, 1.0), x))), np.where(x > 0, 0.0, x)])

elu = operation(lambda x: np.where(x > 0, x, np.expm1(x)), lambda out, x: [np.where(x > 0, 1.0, np.exp(x))])

sign = operation(np.sign, lambda out, x: decided(x, 0))

floor = operation(np.floor, lambda out, x: decided(x, 0))

ceil = operation(np.ceil, lambda out, x: decided(x, 0))

trunc = operation(np.trunc, lambda out, x: decided(x, 0))

round_even = operation(np.rint, lambda out, x: decided(x, 0))

modulo = operation(lambda x, y: x % y, lambda out, x, y: [1.0, np.where(out == y, 1.0, round_even(division(out - x, y)))])

floor_division = operation(lambda x, y: round_even(division(x - modulo(x, y), y)), lambda out, x, y: decided(out, 0, 0))

# yes unless the condition is 0, then no.
either = operation(lambda x, yes, no: np.where(x != x, x, np.where(x != 0, yes, no)), lambda out, x, yes, no: decided(x, 0, x != 0, x == 0))

erf = operation(one_by_one(math.erf), lambda out, x: [1.1283791670955126 * np.exp(-x * x)])

erfc = operation(one_by_one(math.erfc), lambda out, x: [-1.1283791670955126 * np.exp(-x * x)])

product = operation(lambda *a: math.prod(a), products_of_others)

smallest_of = operation(lambda *a: np.minimum.reduce(np.broadcast_arrays(*a)), shares)

largest_of = operation(lambda *a: np.maximum.reduce(np.broadcast_arrays(*a)), shares)

length_of = operation(lambda *a: np.fabs(np.hypot.reduce(np.broadcast_arrays(*a))), lambda out, *a: [np.where(out == 0, 0.0, x / out) for x in a])
