# Operations that exported Python calls, each with its value and its slopes, the derivatives by its operands, and functions
# of lists. A program contains only those that it needs.

# A function of numbers, on a tape or not. Where its value raises an error, it is inf after an overflow, else nan.
def operation(value, slopes):
    def apply(*operands):
        numbers = [x.value if isinstance(x, Number) else x for x in operands]
        try:
            out = value(*numbers)
        except (ArithmeticError, ValueError) as error:
            out = math.inf if isinstance(error, OverflowError) else math.nan
        tapes = [x.tape for x in operands if isinstance(x, Number)]
        return Number(out, tapes[0], zip(operands, slopes(out, *numbers))) if tapes else out
    return apply

# The contribution of a number to the grad of an operand; an exact 0 absorbs nan and inf.
def contribution(number, slope):
    if not number.grad or not slope:
        return 0.0
    return number.grad * (slope if number.value == number.value else math.nan)

# 1/(1 + exp(-x)) without overflow.
def logistic(x):
    e = math.exp(-math.fabs(x))
    return e / (1 + e) if x < 0 else 1 / (1 + e)

# x kept between low and high.
def clamped(x, low, high):
    if low != low or high != high:
        return math.nan
    return low if x < low else high if x > high else x

# The slopes of a step, of a bound and of a choice: 0 or 1, but nan where there is nothing to decide.
def decided(by, *slopes):
    return [float(slope) if by == by else by for slope in slopes]

# The product of all operands but one, for each of them.
def products_of_others(out, *a):
    others, below, above = [1.0] * len(a), 1.0, 1.0
    for i in range(len(a)):
        others[i] = others[i] * below
        others[-1 - i] = others[-1 - i] * above
        below, above = below * a[i], above * a[-1 - i]
    return others

# The operands that tie share the derivative.
def shares(out, *a):
    ties = a.count(out)
    return [out if out != out else (x == out) / ties for x in a]

# The logarithm of the sum of the exponentials, from the distances to the largest operand.
def log_of_exps(*a):
    largest = largest_of(*a)
    return largest + math.log(sum(exp(x - largest) for x in a)) if math.isfinite(largest) else largest

# The part of each exponential in their sum.
def shares_of_exps(out, *a):
    exps = [exp(x - out) for x in a]
    all = sum(exps)
    return [division(x, all) for x in exps]

# A function of the numbers of lists, item by item; a number stands for a list of it.
def each(function, *operands):
    lengths = [len(x) for x in operands if isinstance(x, list)]
    items = [x if isinstance(x, list) else [x] * lengths[0] for x in operands] if lengths else []
    return [each(function, *x) for x in zip(*items)] if lengths else function(*operands)

# A sum of products, for each row of a table.
def dot(x, y):
    if isinstance(x[0], list):
        return [dot(row, y) for row in x]
    return total(*[a * b for a, b in zip(x, y)])

# All numbers of lists of lists as one list.
def flat(x):
    return [number for item in x for number in flat(item)] if isinstance(x, list) else [x]

# first, first + 1 and so on, below the end.
def range_of(first, end):
    return [first + i for i in range(round(end - first))]

division = operation(lambda x, y: x / y if y else math.copysign(math.inf, x) * math.copysign(1, y) if x else math.nan, lambda out, x, y: [division(1.0, y), division(-out, y)])

power = operation(lambda x, y: math.inf if x == 0 and y < 0 else -power(-x, y) if x < 0 and y % 2 == 1 else math.pow(x, y), lambda out, x, y: [y * power(x, y - 1) if y else 0.0, out * log(x) if out and x else 0.0])

# x*y, but 0 if either is exactly 0, whatever the other is.
chained = operation(lambda x, y: x * y if x and y else 0.0, lambda out, x, y: [y, x])

# x*ln(y) where x is a power of y: 0 at 0.
chained_ln = operation(lambda x, y: x * log(y) if x and (y or not math.isfinite(x)) else 0.0, lambda out, x, y: [log(y), division(x, y)])

recip = operation(lambda x: division(1.0, x), lambda out, x: [division(-out, x)])

rsqrt = operation(lambda x: power(x, -0.5), lambda out, x: [division(-0.5 * out, math.fabs(x))])

sqrt = operation(math.sqrt, lambda out, x: [division(0.5, math.fabs(out))])

cbrt = operation(math.cbrt, lambda out, x: [division(1.0, 3 * out * out)])

exp = operation(math.exp, lambda out, x: [out])

expm1 = operation(math.expm1, lambda out, x: [exp(x)])

log = operation(lambda x: math.log(x) if x else -math.inf, lambda out, x: [1 / x if x else math.inf])

log2 = operation(lambda x: math.log2(x) if x else -math.inf, lambda out, x: [1.4426950408889634 / x if x else math.inf])

log10 = operation(lambda x: math.log10(x) if x else -math.inf, lambda out, x: [0.4342944819032518 / x if x else math.inf])

log1p = operation(lambda x: math.log1p(x) if x != -1 else -math.inf, lambda out, x: [1 / (1 + x) if x != -1 else math.inf])

sin = operation(math.sin, lambda out, x: [cos(x)])

cos = operation(math.cos, lambda out, x: [-sin(x)])

tan = operation(math.tan, lambda out, x: [1 + out * out])

sec = operation(lambda x: division(1.0, cos(x)), lambda out, x: [out * tan(x)])

csc = operation(lambda x: division(1.0, sin(x)), lambda out, x: [division(-out, tan(x))])

cot = operation(lambda x: division(1.0, tan(x)), lambda out, x: [-1 - out * out])

asin = operation(math.asin, lambda out, x: [division(1.0, sqrt((1 - x) * (1 + x)))])

acos = operation(math.acos, lambda out, x: [division(-1.0, sqrt((1 - x) * (1 + x)))])

atan = operation(math.atan, lambda out, x: [1 / (1 + x * x)])

atan2 = operation(math.atan2, lambda out, x, y: [division(division(z, math.hypot(x, y)), math.hypot(x, y)) for z in (y, -x)])

# sqrt(x^2 - 1)
def other_leg(x):
    size = math.fabs(x)
    return sqrt(size - 1) * sqrt(size + 1)

asec = operation(lambda x: math.atan2(other_leg(x), x / math.fabs(x)), lambda out, x: [division(1.0, math.fabs(x) * other_leg(x))])

acsc = operation(lambda x: math.atan2(x / math.fabs(x), other_leg(x)), lambda out, x: [division(-1.0, math.fabs(x) * other_leg(x))])

acot = operation(lambda x: math.atan2(1.0, x), lambda out, x: [-1 / (1 + x * x)])

sinh = operation(lambda x: -sinh(-x) if x < 0 else math.sinh(x), lambda out, x: [cosh(x)])

cosh = operation(math.cosh, lambda out, x: [sinh(x)])

tanh = operation(math.tanh, lambda out, x: [division(1.0, cosh(x)) ** 2])

sech = operation(lambda x: division(1.0, cosh(x)), lambda out, x: [-out * math.tanh(x)])

csch = operation(lambda x: division(1.0, sinh(x)), lambda out, x: [division(-out, tanh(x))])

coth = operation(lambda x: division(1.0, tanh(x)), lambda out, x: [-csch(x) * csch(x)])

asinh = operation(math.asinh, lambda out, x: [1 / math.hypot(x, 1)])

acosh = operation(math.acosh, lambda out, x: [division(1.0, sqrt(x - 1) * sqrt(x + 1))])

atanh = operation(math.atanh, lambda out, x: [division(1.0, (1 - x) * (1 + x))])

sigmoid = operation(logistic, lambda out, x: [out * logistic(-x)])

softplus = operation(lambda x: max(x, 0.0) + math.log1p(math.exp(-math.fabs(x))), lambda out, x: [logistic(x)])

softsign = operation(lambda x: x / (1 + math.fabs(x)), lambda out, x: [(1 / (1 + math.fabs(x))) ** 2])

gelu = operation(lambda x: x * math.erfc(-x * 0.7071067811865476) / 2, lambda out, x: [math.erfc(-x * 0.7071067811865476) / 2 + x * math.exp(-x * x / 2) * 0.3989422804014327])

relu = operation(lambda x: max(x, 0.0), lambda out, x: decided(x, x > 0))

leaky = operation(lambda x, slope: x if x > 0 and slope == slope else slope * x, lambda out, x, slope: [1.0 if x > 0 else slope if x < 0 else min(max(slope, 0.0), 1.0) if x == 0 else x, 0.0 if x > 0 else x])

elu = operation(lambda x: x if x > 0 else math.expm1(x), lambda out, x: [1.0 if x > 0 else math.exp(x)])

abs = operation(math.fabs, lambda out, x: [sign(x)])

sign = operation(lambda x: x if x != x else float((x > 0) - (x < 0)), lambda out, x: decided(x, 0))

floor = operation(lambda x: float(math.floor(x)) if math.isfinite(x) else x, lambda out, x: decided(x, 0))

ceil = operation(lambda x: float(math.ceil(x)) if math.isfinite(x) else x, lambda out, x: decided(x, 0))

trunc = operation(lambda x: float(math.trunc(x)) if math.isfinite(x) else x, lambda out, x: decided(x, 0))

# The nearest whole number, halves to the even one.
round_even = operation(lambda x: math.copysign(round(x), x) if math.isfinite(x) else x, lambda out, x: decided(x, 0))

modulo = operation(lambda x, y: x % y, lambda out, x, y: [1.0, 1.0 if out == y else round_even(division(out - x, y))])

floor_division = operation(lambda x, y: round_even(division(x - modulo(x, y), y)), lambda out, x, y: decided(out, 0, 0))

fmod = operation(math.fmod, lambda out, x, y: [1.0, round_even(division(out - x, y))])

less = operation(lambda x, y: 1.0 * (x < y), lambda out, x, y: [0.0, 0.0])

less_or_equal = operation(lambda x, y: 1.0 * (x <= y), lambda out, x, y: [0.0, 0.0])

greater = operation(lambda x, y: 1.0 * (x > y), lambda out, x, y: [0.0, 0.0])

greater_or_equal = operation(lambda x, y: 1.0 * (x >= y), lambda out, x, y: [0.0, 0.0])

equal = operation(lambda x, y: 1.0 * (x == y), lambda out, x, y: [0.0, 0.0])

not_equal = operation(lambda x, y: 1.0 * (x != y), lambda out, x, y: [0.0, 0.0])

# yes unless the condition is 0, then no.
either = operation(lambda x, yes, no: x if x != x else yes if x else no, lambda out, x, yes, no: decided(x, 0, x != 0, x == 0))

clamp = operation(clamped, lambda out, x, low, high: decided(out, (low <= x) & (x <= high), x < low, x > high))

erf = operation(math.erf, lambda out, x: [1.1283791670955126 * math.exp(-x * x)])

erfc = operation(math.erfc, lambda out, x: [-1.1283791670955126 * math.exp(-x * x)])

total = operation(lambda *a: sum(a), lambda out, *a: [1.0] * len(a))

product = operation(lambda *a: math.prod(a), products_of_others)

smallest_of = operation(lambda *a: math.nan if any(x != x for x in a) else min(a), shares)

largest_of = operation(lambda *a: math.nan if any(x != x for x in a) else max(a), shares)

length_of = operation(math.hypot, lambda out, *a: [division(x, out) if out else 0.0 for x in a])

log_sum_exp = operation(log_of_exps, shares_of_exps)
