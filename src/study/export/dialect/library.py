# Functions that exported Python calls. A program contains only the paragraphs that it needs.

# Functions of math as floats have them elsewhere: nan or inf where they raise an error.
def quiet(function):
    def value(*x):
        try:
            return function(*x)
        except OverflowError:
            return math.inf
        except (ValueError, ZeroDivisionError):
            return math.nan
    return value

pow = quiet(math.pow)

sqrt = quiet(math.sqrt)

cbrt = quiet(math.cbrt)

exp = quiet(math.exp)

expm1 = quiet(math.expm1)

log2 = quiet(math.log2)

log10 = quiet(math.log10)

log1p = quiet(math.log1p)

sin = quiet(math.sin)

cos = quiet(math.cos)

tan = quiet(math.tan)

sinh = quiet(math.sinh)

cosh = quiet(math.cosh)

tanh = quiet(math.tanh)

floor = quiet(math.floor)

ceil = quiet(math.ceil)

trunc = quiet(math.trunc)

asin = quiet(math.asin)

acos = quiet(math.acos)

atan = quiet(math.atan)

asinh = quiet(math.asinh)

acosh = quiet(math.acosh)

atanh = quiet(math.atanh)

atan2 = quiet(math.atan2)

fmod = quiet(math.fmod)

erf = quiet(math.erf)

erfc = quiet(math.erfc)

gamma = quiet(math.gamma)

lgamma = quiet(math.lgamma)

# The quotient, inf where only the divisor is 0.
def division(x, y):
    if y != 0:
        return x / y
    return math.copysign(math.inf, x) * math.copysign(1, y) if x != 0 else math.nan

# One over the number.
def recip(x):
    return division(1.0, x)

# The natural logarithm, -inf at 0.
def log(x):
    return math.log(x) if x > 0 else -math.inf if x == 0 else math.nan

# The power, inf for a negative power of 0.
def power(x, y):
    return math.inf if x == 0 and y < 0 else quiet(math.pow)(x, y)

# One over the square root, inf at 0.
def rsqrt(x):
    return power(x, -0.5)

# -1, 0 or 1.
def sign(x):
    return x if x != x else float((x > 0) - (x < 0))

# The nearest whole number, halves away from 0.
def round_away(x):
    return math.copysign(floor(abs(x) + 0.5), x)

# x*y, but 0 if either is exactly 0, whatever the other is.
def chained(x, y):
    return 0.0 if x == 0 or y == 0 else x * y

# x*ln(y) where x is a power of y: 0 at 0.
def chained_ln(x, y):
    return 0.0 if y == 0 and math.isfinite(x) else chained(x, log(y))

# The remainder with the sign of y.
def modulo(x, y):
    return quiet(float.__mod__)(x, y)

# 1/(1 + exp(-x)) without overflow.
def sigmoid(x):
    e = math.exp(-abs(x))
    return e / (1 + e) if x < 0 else 1 / (1 + e)

# ln(1 + exp(x)) without overflow.
def softplus(x):
    return max(x, 0.0) + math.log1p(math.exp(-abs(x)))

# x where it is positive, else 0.
def relu(x):
    return max(x, 0.0)

# x where it is positive, else slope times it.
def leaky(x, slope):
    return x if x > 0 and slope == slope else slope * x

# x where it is positive, else exp(x) - 1.
def elu(x):
    return x if x > 0 else math.expm1(x)

# yes unless the condition is 0, then no.
def either(condition, yes, no):
    return condition if condition != condition else no if condition == 0 else yes

# The product of all operands.
def product(a):
    return math.prod(a)

# The smallest operand; nan if any is.
def smallest_of(a):
    return math.nan if any(x != x for x in a) else min(a)

# The largest operand; nan if any is.
def largest_of(a):
    return math.nan if any(x != x for x in a) else max(a)

# The length of a vector.
def length_of(a):
    return math.hypot(*a)

# The logarithm of the sum of the exponentials, from the distances to the largest operand.
def log_sum_exp(a):
    largest = largest_of(a)
    if not math.isfinite(largest):
        return largest
    return largest + math.log(sum(math.exp(x - largest) for x in a))

# x kept between low and high.
def clamp(x, low, high):
    if low != low or high != high:
        return math.nan
    return low if x < low else high if x > high else x
