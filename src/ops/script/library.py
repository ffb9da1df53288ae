# Functions that exported Python calls where `math` alone is not enough, or raises an error where a float has inf or nan.
# They agree with the Rust functions of this folder to 1e-12. A program contains only the paragraphs that it needs.

# x/y as floats have it: 1/0 is inf.
def division(x, y):
    if y != 0:
        return x / y
    if x == 0 or math.isnan(x) or math.isnan(y):
        return math.nan
    return math.copysign(math.inf, x) * math.copysign(1, y)

# 1/x as floats have it.
def recip(x):
    return division(1.0, x)

# One over the square root.
def rsqrt(x):
    return math.inf if x == 0 else 1 / sqrt(x)

# math.sqrt, nan below 0.
def sqrt(x):
    return math.nan if x < 0 else math.sqrt(x)

# The real cube root.
def cbrt(x):
    if x == 0 or math.isinf(x) or math.isnan(x):
        return x
    root = math.copysign(abs(x) ** (1 / 3), x)
    return root - (root - x / (root * root)) / 3

# math.exp, inf where it overflows.
def exp(x):
    return math.exp(x) if x < 709.782712893384 or math.isnan(x) else math.inf

# 2 to the power of x.
def exp2(x):
    return math.pow(2, x) if x < 1024 or math.isnan(x) else math.inf

# math.expm1, inf where it overflows.
def expm1(x):
    return math.expm1(x) if x < 709.782712893384 or math.isnan(x) else math.inf

# math.log, -inf at 0 and nan below.
def log(x):
    return math.log(x) if x > 0 else -math.inf if x == 0 else math.nan

# math.log2, -inf at 0 and nan below.
def log2(x):
    return math.log2(x) if x > 0 else -math.inf if x == 0 else math.nan

# math.log10, -inf at 0 and nan below.
def log10(x):
    return math.log10(x) if x > 0 else -math.inf if x == 0 else math.nan

# math.log1p, -inf at -1 and nan below.
def log1p(x):
    return math.log1p(x) if x > -1 else -math.inf if x == -1 else math.nan

# math.sin, nan at inf.
def sin(x):
    return math.nan if math.isinf(x) else math.sin(x)

# math.cos, nan at inf.
def cos(x):
    return math.nan if math.isinf(x) else math.cos(x)

# math.tan, nan at inf.
def tan(x):
    return math.nan if math.isinf(x) else math.tan(x)

# math.asin, nan outside of -1 to 1.
def asin(x):
    return math.asin(x) if abs(x) <= 1 else math.nan

# math.acos, nan outside of -1 to 1.
def acos(x):
    return math.acos(x) if abs(x) <= 1 else math.nan

# math.sinh, inf where it overflows.
def sinh(x):
    return math.copysign(math.inf, x) if abs(x) > 710.4758600739439 else math.sinh(x)

# math.cosh, inf where it overflows.
def cosh(x):
    return math.inf if abs(x) > 710.4758600739439 else math.cosh(x)

# math.acosh, nan below 1.
def acosh(x):
    return math.acosh(x) if x >= 1 else math.nan

# math.atanh, inf at 1 and nan outside of -1 to 1.
def atanh(x):
    return math.atanh(x) if abs(x) < 1 else x * math.inf if abs(x) == 1 else math.nan

# The largest whole number not above x.
def floor(x):
    return float(math.floor(x)) if math.isfinite(x) else x

# The smallest whole number not below x.
def ceil(x):
    return float(math.ceil(x)) if math.isfinite(x) else x

# The whole number towards 0.
def trunc(x):
    return float(math.trunc(x)) if math.isfinite(x) else x

# The nearest whole number, halves away from 0.
def round_away(x):
    whole = trunc(x)
    return whole + math.copysign(1, x) if abs(x - whole) >= 0.5 else whole

# The remainder with the sign of x, nan where there is none.
def fmod(x, y):
    return math.nan if y == 0 or math.isinf(x) else math.fmod(x, y)

# -1, 0 or 1.
def sign(x):
    return x if math.isnan(x) else float((x > 0) - (x < 0))

# The derivative of a step: 0, also at the jump; nan at nan.
def flat(x):
    return x if math.isnan(x) else 0.0

# The smallest number with all its digits: below it they are lost one by one.
SMALLEST = 2.2250738585072014e-308

# Has it all its digits?
def is_normal(x):
    return SMALLEST <= abs(x) < math.inf

# x*y, but 0 if either is exactly 0, whatever the other is.
def chained(x, y):
    return 0.0 if x == 0 or y == 0 else x * y

# -x/y^2 as -(x/y)/y; a quotient that has lost digits is taken again from a lifted x.
def division_slope(x, y, out):
    if abs(out) < SMALLEST and x != 0 and abs(y) < math.inf:
        return -division(division(x * 2.0**200, y), y) / 2.0**200
    return -division(out, y)

# The remainder that has the sign of y.
def modulo(x, y):
    rest = fmod(x, y)
    if rest == 0:
        return math.copysign(rest, y)
    return rest if (rest < 0) == (y < 0) else rest + y

# 1, except where there is no remainder at all.
def remainder_slope(out):
    return out if math.isnan(out) else 1.0

# x to the power of y as floats have it, without errors.
def power(x, y):
    try:
        return math.pow(x, y)
    except OverflowError:
        return -math.inf if x < 0 and fmod(y, 2) != 0 else math.inf
    except ValueError:
        if x != 0:
            return math.nan
        return math.copysign(math.inf, x) if abs(fmod(y, 2)) == 1 else math.inf

# y*x^(y - 1), taken from the value where that has its digits, else from the root of it.
def power_slope(x, y):
    out = power(x, y)
    if y == 0:
        return 0.0
    if math.isnan(out) or math.isinf(x):
        return y * power(x, y - 1)
    if x == 0:
        return y * power(x if fmod(y, 1) == 0 else abs(x), y - 1)
    if math.isinf(y):
        return 0.0 if out == 0 else y * out
    if is_normal(out) and is_normal(out / x):
        return y * (out / x)
    half = power(abs(x), y / 2)
    size = half * y / abs(x) * half
    return -size if x < 0 and fmod(y, 2) == 0 else size

# x^(y - 1)*(1 + y*ln(x)); at 0 the limit from the right.
def power_slope_by_y(x, y):
    if math.isnan(y) or not x >= 0:
        return math.nan
    if x > 0:
        return chained(power(x, y - 1), 1 + chained(y, log(x)))
    return 0.0 if y > 1 else -math.inf if y > 0 else math.inf

# x^y*ln(x).
def power_slope_y(x, y, out):
    if x == 0 and not math.isnan(y):
        return 0.0 if y >= 0 else -math.inf
    if x < 0:
        return math.nan
    if is_normal(out) or math.isinf(x) or math.isinf(y):
        return 0.0 if out == 0 else out * log(x)
    half = power(x, y / 2)
    return half * log(x) * half

# 2^x*ln(2), which is still finite a little beyond where 2^x is not.
def exp2_slope(x, out):
    ln2 = 0.6931471805599453
    return exp2(x - 1) * (2 * ln2) if math.isinf(out) else out * ln2

# 1/sqrt(1 - x^2).
def asin_slope(x):
    return rsqrt((1 - x) * (1 + x))

# 1/(1 + x^2), also where the square overflows.
def atan_slope(x):
    return 1 / (x * x + 1) if abs(x) < 1e8 else 1 / x * (1 / x)

# part/(x^2 + y^2), dividing twice by the length.
def over_square(part, x, y):
    if math.isinf(x) and not math.isnan(y) or math.isinf(y) and not math.isnan(x):
        return 0.0
    largest = max(abs(x), abs(y))
    if math.isnan(x) or math.isnan(y) or not largest > 0:
        return math.nan
    scale = 2.0 ** -max(-1000, min(1000, math.floor(math.log2(largest))))
    length = math.hypot(x * scale, y * scale)
    return part * scale * 2.0**50 / length / length * (scale * 2.0**-50)

# One over the hyperbolic cosine.
def sech(x):
    e = math.exp(-abs(x))
    return 2 * e / (1 + e * e)

# 1/(1 + exp(-x)) without overflow.
def sigmoid(x):
    e = math.exp(-abs(x))
    return e / (1 + e) if x < 0 else 1 / (1 + e)

# ln(sigmoid(x)).
def logsigmoid(x):
    tail = math.log1p(math.exp(-abs(x)))
    return x - tail if x < 0 else -tail

# ln(1 + exp(x)) without a threshold.
def softplus(x):
    tail = math.log1p(math.exp(-abs(x)))
    return x + tail if x > 0 else tail

# x/(1 + |x|).
def softsign(x):
    return sign(x) if math.isinf(x) else x / (1 + abs(x))

# x*sigmoid(x).
def silu(x):
    if x == -math.inf:
        return -0.0
    if x >= -700 or math.isnan(x):
        return x * sigmoid(x)
    half = math.exp(0.5 * x)
    return x * half * half

# sigmoid(x)*(1 + x*sigmoid(-x)), beside its zero by its series there.
def silu_slope(x):
    if math.isinf(x):
        return 1.0 if x > 0 else 0.0
    off = x + 1.2784645427610737 + 1.0946994183093437e-16
    if abs(off) < 1e-3:
        return off * (0.2178117057198001 + off * (0.1466487969969469 + off * (
            0.018874814223782312 + off * (-0.015222655223188032 - off * 0.006606589138356696))))
    if x < -700:
        half = math.exp(0.5 * x)
        return (1 + x) * half * half
    return sigmoid(x) * (1 + x * sigmoid(-x))

# x where it is positive, else 0.
def relu(x):
    return 0.0 if x <= 0 else x

# x where it is positive, else slope times it; nan if the slope is.
def leaky(x, slope):
    return x if x > 0 and not math.isnan(slope) else slope * x

# x where it is positive, else exp(x) - 1.
def elu(x):
    return x if x > 0 else math.expm1(x)

# The product of all operands.
def product(a):
    return math.prod(a)

# For each operand the product of the others, of those before it and those behind it.
def products_of_others(a):
    products = [1.0] * len(a)
    for i in range(len(a) - 1, 0, -1):
        products[i - 1] = chained(products[i], a[i])
    before = 1.0
    for i, x in enumerate(a):
        products[i] = chained(products[i], before)
        before *= x
    return products

# The smallest operand; nan if any is.
def smallest_of(a):
    return math.nan if any(map(math.isnan, a)) else min(a)

# The largest operand; nan if any is.
def largest_of(a):
    return math.nan if any(map(math.isnan, a)) else max(a)

# 1 to the operand that is the extreme one; operands that tie share it.
def shares(a, out):
    if math.isnan(out):
        return [out] * len(a)
    return [1 / a.count(out) if x == out else 0.0 for x in a]

# x kept between low and high; nan if low is above high.
def clamp(x, low, high):
    if math.isnan(x) or not low <= high:
        return math.nan
    return low if x < low else high if x > high else x

# yes unless the condition is 0, then no; nan if the condition is nan.
def either(condition, yes, no):
    return condition if math.isnan(condition) else no if condition == 0 else yes

# The length of a vector.
def hypot_of(a):
    return math.hypot(*a)

# x/out; 0 at the origin. A length that overflowed or lost digits is taken again, scaled.
def hypot_slopes(a, out):
    if out == 0:
        return [0.0] * len(a)
    if not out < SMALLEST and not (math.isinf(out) and all(map(math.isfinite, a))):
        return [x / out for x in a]
    largest = max(map(abs, a))
    scaled = [x / largest for x in a]
    return [x / math.hypot(*scaled) for x in scaled]

# x/hypot(x, y); 0 at the origin.
def direction(x, y):
    return hypot_slopes([x, y], math.hypot(x, y))[0]

# 1/sqrt(2*pi), the height of the normal distribution.
NORMAL_HEIGHT = 0.3989422804014327

# What the share below x is over the density times the distance, for r = 1/x^2.
def shrinking(r):
    rest = 1.0
    for odd in (15, 13, 11, 9, 7, 5, 3, 1):
        rest = 1 - odd * r * rest
    return rest

# x times the share of a normal distribution below it. Far to the left the share would lose its digits first.
def gelu(x):
    if not x < -36:
        return x * (math.erfc(-x * 0.7071067811865476) / 2)
    half = math.exp(-x * x / 4)
    return -NORMAL_HEIGHT * shrinking(1 / (x * x)) * half * half

# The share below x plus x times the density, beside its zero by its series there.
def gelu_slope(x):
    if x > 40:
        return 1.0
    if x < -1e3:
        return 0.0
    if x < -36:
        half, r = math.exp(-x * x / 4), 1 / (x * x)
        return NORMAL_HEIGHT * (x * half) * (1 - r * shrinking(r)) * half
    off = x + 0.7517915246935645 - 1.4956759177009883e-17
    if abs(off) < 1e-3:
        return off * (0.4314939923140469 + off * (0.388284982990552 + off * (
            -0.018199676398671087 + off * (-0.1140082332972217 - off * 0.014771522148244337))))
    return math.erfc(-x * 0.7071067811865476) / 2 + x * (NORMAL_HEIGHT * math.exp(-x * x / 2))

# 0, -1, -2, ...: where the gamma function has its poles.
def is_pole(x):
    return x <= 0 and floor(x) == x

# sin(pi*x): the distance to the nearest whole number is exact, a multiple of pi would not be.
def sin_pi(x):
    nearest = round_away(x)
    sine = math.sin(math.pi * (x - nearest))
    return sine if fmod(nearest, 2) == 0 else -sine

# The series of 1/gamma(1 + u), from the power 1 on.
RECIPROCAL_GAMMA = (
    0.5772156649015329, -0.6558780715202539, -0.04200263503409524, 0.16653861138229148, -0.04219773455554433,
    -0.009621971527876973, 0.0072189432466631, -0.0011651675918590652, -0.00021524167411495098,
    0.0001280502823881162, -2.013485478078824e-5, -1.2504934821426706e-6, 1.133027231981696e-6,
    -2.056338416977607e-7, 6.116095104481416e-9, 5.002007644469223e-9, -1.18127457048702e-9,
    1.0434267116911005e-10, 7.782263439905071e-12, -3.696805618642206e-12, 5.100370287454476e-13,
    -2.0583260535665066e-14, -5.348122539423018e-15, 1.2267786282382608e-15, -1.1812593016974588e-16)

# 1/gamma(1 + u) - 1 for u between -1/2 and 1/2.
def reciprocal_gamma_less_1(u):
    total = 0.0
    for c in reversed(RECIPROCAL_GAMMA):
        total = total * u + c
    return u * total

# The gamma function of a number between -20 and 20: the nearest whole number's surroundings, and x*gamma(x).
def gamma_near(x):
    nearest = int(round_away(x))
    base = 1 / (1 + reciprocal_gamma_less_1(x - nearest))
    product = 1.0
    for below in range(1, nearest):
        product *= x - below
    if nearest >= 1:
        return base * product
    for above in range(0, 1 - nearest):
        product *= x + above
    return base / product

# The gamma function.
def gamma_of(x):
    if x == 0:
        return division(1.0, x)
    if is_pole(x):
        return math.nan
    if abs(x) < 20 and floor(x) != x and abs(x) > 1e-20:
        return gamma_near(x)
    return math.inf if x > 171.7 else math.gamma(x)

# Stirling's correction, from 20 on.
def stirling_rest(x):
    s = 1 / (x * x)
    return (1 / 12 + s * (-1 / 360 + s * (1 / 1260 + s * (-1 / 1680 + s * (
        1 / 1188 + s * (-691 / 360360 + s / 156)))))) / x

# The logarithm of the size of the gamma function. Beside 1 and 2 it is small, so it is never taken of a rounded number.
def lgamma_of(x):
    if math.isnan(x):
        return x
    if is_pole(x) or math.isinf(x):
        return math.inf
    if abs(x) < 1e-20:
        return -math.log(abs(x))
    if x >= 20:
        return (x - 0.5) * (math.log(x) - 1) - 0.5 + 0.9189385332046728 + stirling_rest(x)
    if x <= -20:
        return math.log(math.pi / abs(x * sin_pi(x))) - lgamma_of(-x)
    if 0.5 <= x < 1.5:
        return -math.log1p(reciprocal_gamma_less_1(x - 1))
    if 1.5 <= x < 2.5:
        return math.log1p(x - 2) - math.log1p(reciprocal_gamma_less_1(x - 2))
    return math.log(abs(gamma_of(x)))

# gamma'(x)/gamma(x): the recurrence up to where its asymptotic series holds.
def digamma(x):
    if is_pole(x):
        return division(-1.0, x) if x == 0 else math.nan
    if math.isnan(x) or abs(x) < 1e-20:
        return -1 / x
    if x < 0:
        off = x - round_away(x)
        far = abs(off) > 0.25
        tangent = division(1.0, math.tan(math.pi * (math.copysign(0.5, off) - off))) if far else math.tan(math.pi * off)
        return digamma(-x) - 1 / x - math.pi / tangent
    total = 0.0
    while x < 12:
        total -= 1 / x
        x += 1
    s = 1 / x / x
    tail = s * (1 / 12 - s * (1 / 120 - s * (1 / 252 - s * (1 / 240 - s * (1 / 132 - s * (691 / 32760 - s / 12))))))
    return total + math.log(x) - (0.5 / x + tail)

# The derivative of digamma, the same way.
def trigamma(x):
    if math.isnan(x) or x == -math.inf:
        return math.nan
    if is_pole(x):
        return math.inf
    if x < 0:
        part = math.pi / sin_pi(x)
        return part * part - trigamma(1 - x)
    total = 0.0
    while x < 12:
        total += division(1 / x, x)
        x += 1
    if math.isinf(x) or math.isinf(total):
        return 0.0 if math.isinf(x) else total
    s = 1 / x / x
    tail = 1 / 6 - s * (1 / 30 - s * (1 / 42 - s * (1 / 30 - s * (5 / 66 - s * (691 / 2730 - s * 7 / 6)))))
    return total + (1 + (0.5 + tail / x) / x) / x

# The derivative of digamma as a derivative: there is none at the poles.
def digamma_slope(x):
    return math.nan if is_pole(x) else trigamma(x)

# n!/x^(n + 1) times the sum of (x/(x + k))^(n + 1) over all k from 0, for a positive x.
def powers(n, x):
    series = (
        1 / 12, -1 / 720, 1 / 30240, -1 / 1209600, 1 / 47900160, -5.284190138687493e-10, 1.3382536530684679e-11,
        -3.3896802963225827e-13, 8.586062056277845e-15, -2.174868698558062e-16, 5.5090028283602295e-18,
        -1.3954464685812523e-19)
    if math.isinf(x):
        return 0.0
    s, k, total, leading = n + 1, 0, 0.0, 1.0
    while x + k < 12 + s and k < 128:
        total += math.exp(-s * math.log1p(k / x))
        k += 1
    a = x + k
    factor, correction = s / a, 0.0
    for j, c in enumerate(series):
        correction += c * factor
        if abs(c * factor) < 1e-18:
            break
        factor *= (s + 2 * j + 1) / a * ((s + 2 * j + 2) / a)
    total += math.exp(-s * math.log1p(k / x)) * (a / (s - 1) + 0.5 + correction)
    if n > 150:
        leading = exp(math.lgamma(n + 1) - n * math.log(x))
    else:
        for j in range(1, int(n) + 1):
            leading *= j / x
    return leading * (total / x)

# The derivative of digamma of order n, a whole number from 0.
def polygamma(n, x):
    if not (n >= 0 and floor(n) == n) or math.isnan(x) or x == -math.inf:
        return math.nan
    if n == 0:
        return digamma(x)
    if n == 1:
        return trigamma(x)
    odd = fmod(n, 2) != 0
    if is_pole(x):
        return math.inf if odd else division(-1.0, x) if x == 0 else math.nan
    if x > 0:
        return powers(n, x) if odd else -powers(n, x)
    distance = -x - floor(-x)
    left, right, beyond = powers(n, distance), powers(n, 1 - distance), powers(n, 1 - x)
    return right + (left - beyond) if odd else (0.0 if distance == 0.5 else left - right) - beyond

# gamma(x)*digamma(x).
def gamma_slope(x, out):
    return math.nan if is_pole(x) else out * digamma(x)

# digamma(x + 1), without rounding x + 1 where the numbers are small.
def digamma_factorial(x):
    return digamma(x) + 1 / x if 0.25 <= x < 2 else digamma(x + 1)

# x! = gamma(x + 1).
def factorial(x):
    if x < 0 and is_pole(x):
        return math.nan
    return x * gamma_of(x) if x > 0.5 and floor(x) != x else gamma_of(x + 1)

# x!*digamma(x + 1).
def factorial_slope(x, out):
    return math.nan if x < 0 and is_pole(x) else out * digamma_factorial(x)

# A derivative of gamma over gamma, of an order from 1 to 300: by the product rule each is a sum of the lower ones.
def gamma_factor(order, first, x):
    factors, slopes = [1.0], []
    for n in range(int(order)):
        slopes.append(first if n == 0 else polygamma(n, x))
        factors.append(sum(math.comb(n, k) * (factors[n - k] * slope) for k, slope in enumerate(slopes)))
    return factors[-1]

# The derivative of gamma of this order.
def gammaslope(order, x):
    if not (1 <= order <= 300 and floor(order) == order) or math.isnan(x) or is_pole(x):
        return math.nan
    return x if math.isinf(x) else gamma_of(x) * gamma_factor(order, digamma(x), x)

# The derivative of the factorial of this order.
def factorialslope(order, x):
    if not (1 <= order <= 300 and floor(order) == order) or math.isnan(x) or is_pole(x + 1):
        return math.nan
    return x if math.isinf(x) else factorial(x) * gamma_factor(order, digamma_factorial(x), x + 1)

# cos(z*t)/r^z, t being the angle of the point and r its length.
def polecos(x, y, z):
    if not (1 <= z <= 300 and floor(z) == z) or math.isnan(x) or math.isnan(y) or x == 0 and y == 0:
        return math.nan
    return 0.0 if math.isinf(x) or math.isinf(y) else math.cos(z * math.atan2(x, y)) * power(math.hypot(x, y), -z)

# sin(z*t)/r^z.
def polesin(x, y, z):
    if not (1 <= z <= 300 and floor(z) == z) or math.isnan(x) or math.isnan(y) or x == 0 and y == 0:
        return math.nan
    return 0.0 if math.isinf(x) or math.isinf(y) else math.sin(z * math.atan2(x, y)) * power(math.hypot(x, y), -z)
