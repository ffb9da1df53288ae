// Functions that exported C calls where the standard library alone is not enough. They agree with the Rust functions of
// this folder to 1e-12 and hold their conventions. A program contains only the paragraphs that it needs.

// -1, 0 or 1.
static double sign(double x) { return x > 0 ? 1 : x < 0 ? -1 : isnan(x) ? x : 0; }

// The derivative of a step: 0, also at the jump; NaN at NaN.
static double flat(double x) { return isnan(x) ? x : 0; }

// The smallest number with all its digits: below it they are lost one by one.
static const double smallest = 2.2250738585072014e-308;

// Has it all its digits?
static int is_normal(double x) { return fabs(x) >= smallest && fabs(x) < INFINITY; }

// x*y, but 0 if either is exactly 0, whatever the other is.
static double chained(double x, double y) { return x == 0 || y == 0 ? 0 : x * y; }

// One over the square root.
static double rsqrt(double x) { return 1 / fabs(sqrt(x)); }

// -x/y^2 as -(x/y)/y; a quotient that has lost digits is taken again from a lifted x.
static double division_slope(double x, double y, double out)
{
    if (fabs(out) < smallest && x != 0 && fabs(y) < INFINITY)
        return -(x * 0x1p200 / y / y) / 0x1p200;
    return -out / y;
}

// The remainder that has the sign of y.
static double modulo(double x, double y)
{
    double rest = fmod(x, y);
    if (rest == 0) return copysign(rest, y);
    return (rest < 0) == (y < 0) ? rest : rest + y;
}

// 1, except where there is no remainder at all.
static double remainder_slope(double out) { return isnan(out) ? out : 1; }

// y*x^(y - 1), taken from the value where that has its digits, else from the root of it.
static double power_slope(double x, double y)
{
    double out = pow(x, y);
    if (y == 0) return 0;
    if (isnan(out) || isinf(x)) return y * pow(x, y - 1);
    if (x == 0) return y * pow(fmod(y, 1) == 0 ? x : fabs(x), y - 1);
    if (isinf(y)) return out == 0 ? 0 : y * out;
    if (is_normal(out) && is_normal(out / x)) return y * (out / x);
    double half = pow(fabs(x), y / 2);
    double size = half * y / fabs(x) * half;
    return x < 0 && fmod(y, 2) == 0 ? -size : size;
}

// x^(y - 1)*(1 + y*ln(x)); at 0 the limit from the right.
static double power_slope_by_y(double x, double y)
{
    if (isnan(y) || !(x >= 0)) return NAN;
    if (x > 0) return chained(pow(x, y - 1), 1 + chained(y, log(x)));
    return y > 1 ? 0 : y > 0 ? -INFINITY : INFINITY;
}

// x^y*ln(x).
static double power_slope_y(double x, double y, double out)
{
    if (x == 0 && !isnan(y)) return y >= 0 ? 0 : -INFINITY;
    if (x < 0) return NAN;
    if (is_normal(out) || isinf(x) || isinf(y)) return out == 0 ? 0 : out * log(x);
    double half = pow(x, y / 2);
    return half * log(x) * half;
}

// 2^x*ln(2), which is still finite a little beyond where 2^x is not.
static double exp2_slope(double x, double out)
{
    double ln2 = 0.6931471805599453;
    return isinf(out) ? exp2(x - 1) * (2 * ln2) : out * ln2;
}

// 1/sqrt(1 - x^2).
static double asin_slope(double x) { return 1 / sqrt((1 - x) * (1 + x)); }

// 1/(1 + x^2), also where the square overflows.
static double atan_slope(double x) { return fabs(x) < 1e8 ? 1 / (x * x + 1) : 1 / x * (1 / x); }

// part/(x^2 + y^2), dividing twice by the length.
static double over_square(double part, double x, double y)
{
    if ((isinf(x) && !isnan(y)) || (isinf(y) && !isnan(x))) return 0;
    double largest = fmax(fabs(x), fabs(y));
    if (isnan(x) || isnan(y) || !(largest > 0)) return NAN;
    double scale = exp2(-fmax(-1000, fmin(1000, floor(log2(largest)))));
    double length = hypot(x * scale, y * scale);
    return part * scale * 0x1p50 / length / length * (scale * 0x1p-50);
}

// One over the hyperbolic cosine.
static double sech(double x)
{
    double e = exp(-fabs(x));
    return 2 * e / (1 + e * e);
}

// 1/(1 + exp(-x)) without overflow.
static double sigmoid(double x)
{
    double e = exp(-fabs(x));
    return x < 0 ? e / (1 + e) : 1 / (1 + e);
}

// ln(sigmoid(x)).
static double logsigmoid(double x)
{
    double tail = log1p(exp(-fabs(x)));
    return x < 0 ? x - tail : -tail;
}

// ln(1 + exp(x)) without a threshold.
static double softplus(double x)
{
    double tail = log1p(exp(-fabs(x)));
    return x > 0 ? x + tail : tail;
}

// x/(1 + |x|).
static double softsign(double x) { return isinf(x) ? sign(x) : x / (1 + fabs(x)); }

// x*sigmoid(x).
static double silu(double x)
{
    if (isinf(x) && x < 0) return -0.0;
    if (x >= -700 || isnan(x)) return x * sigmoid(x);
    double half = exp(0.5 * x);
    return x * half * half;
}

// sigmoid(x)*(1 + x*sigmoid(-x)), beside its zero by its series there.
static double silu_slope(double x)
{
    if (isinf(x)) return x > 0 ? 1 : 0;
    double off = x + 1.2784645427610737 + 1.0946994183093437e-16;
    if (fabs(off) < 1e-3)
        return off * (0.2178117057198001 + off * (0.1466487969969469 + off * (0.018874814223782312
            + off * (-0.015222655223188032 - off * 0.006606589138356696))));
    if (x < -700) {
        double half = exp(0.5 * x);
        return (1 + x) * half * half;
    }
    return sigmoid(x) * (1 + x * sigmoid(-x));
}

// x where it is positive, else 0.
static double relu(double x) { return x <= 0 ? 0 : x; }

// x where it is positive, else slope times it; NaN if the slope is.
static double leaky(double x, double slope) { return x > 0 && !isnan(slope) ? x : slope * x; }

// x where it is positive, else exp(x) - 1.
static double elu(double x) { return x > 0 ? x : expm1(x); }

// The product of all operands.
static double product(const double *a, int n)
{
    double product = a[0];
    for (int i = 1; i < n; i++) product *= a[i];
    return product;
}

// For each operand the product of the others, of those before it and those behind it.
static void products_of_others(const double *a, int n, double *slopes)
{
    slopes[n - 1] = 1;
    for (int i = n - 1; i > 0; i--) slopes[i - 1] = chained(slopes[i], a[i]);
    double before = 1;
    for (int i = 0; i < n; i++) {
        slopes[i] = chained(slopes[i], before);
        before *= a[i];
    }
}

// The smallest operand; NaN if any is.
static double smallest_of(const double *a, int n)
{
    double best = a[0];
    for (int i = 0; i < n; i++) {
        if (isnan(a[i])) return a[i];
        if (a[i] < best) best = a[i];
    }
    return best;
}

// The largest operand; NaN if any is.
static double largest_of(const double *a, int n)
{
    double best = a[0];
    for (int i = 0; i < n; i++) {
        if (isnan(a[i])) return a[i];
        if (a[i] > best) best = a[i];
    }
    return best;
}

// 1 to the operand that is the extreme one; operands that tie share it.
static void shares(const double *a, int n, double out, double *slopes)
{
    int ties = 0;
    for (int i = 0; i < n; i++) ties += a[i] == out;
    for (int i = 0; i < n; i++) slopes[i] = isnan(out) ? out : a[i] == out ? 1.0 / ties : 0;
}

// x kept between low and high; NaN if low is above high.
static double clamp(double x, double low, double high)
{
    if (isnan(x) || !(low <= high)) return NAN;
    return x < low ? low : x > high ? high : x;
}

// yes unless the condition is 0, then no; NaN if the condition is NaN.
static double either(double condition, double yes, double no)
{
    return isnan(condition) ? condition : condition == 0 ? no : yes;
}

// The length of a vector, scaled so that no square overflows.
static double hypot_of(const double *a, int n)
{
    double largest = 0, sum = 0;
    for (int i = 0; i < n; i++)
        if (isinf(a[i])) return INFINITY;
    for (int i = 0; i < n; i++) {
        if (isnan(a[i])) return a[i];
        largest = fmax(largest, fabs(a[i]));
    }
    if (largest == 0) return 0;
    for (int i = 0; i < n; i++) sum += a[i] / largest * (a[i] / largest);
    return largest * sqrt(sum);
}

// x/out; 0 at the origin. A length that overflowed or lost digits is taken again, scaled.
static void hypot_slopes(const double *a, int n, double out, double *slopes)
{
    double largest = 0;
    for (int i = 0; i < n; i++) largest = fmax(largest, fabs(a[i]));
    int lost = out < smallest || (isinf(out) && !isinf(largest));
    for (int i = 0; i < n; i++) slopes[i] = out == 0 ? 0 : lost ? a[i] / largest : a[i] / out;
    if (out == 0 || !lost) return;
    double length = hypot_of(slopes, n);
    for (int i = 0; i < n; i++) slopes[i] /= length;
}

// x/hypot(x, y); 0 at the origin.
static double direction(double x, double y)
{
    double a[] = {x, y}, slopes[2];
    hypot_slopes(a, 2, hypot(x, y), slopes);
    return slopes[0];
}

// 1/sqrt(2*pi), the height of the normal distribution.
static const double normal_height = 0.3989422804014327;

// What the share below x is over the density times the distance, for r = 1/x^2.
static double shrinking(double r)
{
    double rest = 1;
    for (int odd = 15; odd > 0; odd -= 2) rest = 1 - odd * r * rest;
    return rest;
}

// x times the share of a normal distribution below it. Far to the left the share would lose its digits first.
static double gelu(double x)
{
    if (!(x < -36)) return x * (erfc(-x * 0.7071067811865476) / 2);
    double half = exp(-x * x / 4);
    return -normal_height * shrinking(1 / (x * x)) * half * half;
}

// The share below x plus x times the density, beside its zero by its series there.
static double gelu_slope(double x)
{
    if (x > 40) return 1;
    if (x < -1e3) return 0;
    if (x < -36) {
        double half = exp(-x * x / 4), r = 1 / (x * x);
        return normal_height * (x * half) * (1 - r * shrinking(r)) * half;
    }
    double off = x + 0.7517915246935645 - 1.4956759177009883e-17;
    if (fabs(off) < 1e-3)
        return off * (0.4314939923140469 + off * (0.388284982990552 + off * (-0.018199676398671087
            + off * (-0.1140082332972217 - off * 0.014771522148244337))));
    return erfc(-x * 0.7071067811865476) / 2 + x * (normal_height * exp(-x * x / 2));
}

// 0, -1, -2, ...: where the gamma function has its poles.
static int is_pole(double x) { return x <= 0 && floor(x) == x; }

// sin(pi*x): the distance to the nearest whole number is exact, a multiple of pi would not be.
static double sin_pi(double x)
{
    double nearest = round(x), sine = sin(3.141592653589793 * (x - nearest));
    return fmod(nearest, 2) == 0 ? sine : -sine;
}

// The series of 1/gamma(1 + u), from the power 1 on.
static const double reciprocal_gamma[] = {
    0.5772156649015329, -0.6558780715202539, -0.04200263503409524, 0.16653861138229148, -0.04219773455554433,
    -0.009621971527876973, 0.0072189432466631, -0.0011651675918590652, -0.00021524167411495098,
    0.0001280502823881162, -2.013485478078824e-5, -1.2504934821426706e-6, 1.133027231981696e-6,
    -2.056338416977607e-7, 6.116095104481416e-9, 5.002007644469223e-9, -1.18127457048702e-9,
    1.0434267116911005e-10, 7.782263439905071e-12, -3.696805618642206e-12, 5.100370287454476e-13,
    -2.0583260535665066e-14, -5.348122539423018e-15, 1.2267786282382608e-15, -1.1812593016974588e-16};

// 1/gamma(1 + u) - 1 for u between -1/2 and 1/2.
static double reciprocal_gamma_less_1(double u)
{
    double sum = 0;
    for (int k = 24; k >= 0; k--) sum = sum * u + reciprocal_gamma[k];
    return u * sum;
}

// The gamma function of a number between -20 and 20: the nearest whole number's surroundings, and x*gamma(x).
static double gamma_near(double x)
{
    double nearest = round(x), product = 1, base = 1 / (1 + reciprocal_gamma_less_1(x - nearest));
    for (double below = 1; below < nearest; below++) product *= x - below;
    if (nearest >= 1) return base * product;
    for (double above = 0; above <= -nearest; above++) product *= x + above;
    return base / product;
}

// The gamma function.
static double gamma_of(double x)
{
    if (x == 0) return 1 / x;
    if (is_pole(x)) return NAN;
    if (fabs(x) < 20 && floor(x) != x && fabs(x) > 1e-20) return gamma_near(x);
    return tgamma(x);
}

// The logarithm of the size of the gamma function. Beside 1 and 2 it is small, so it is never taken of a rounded number.
static double lgamma_of(double x)
{
    if (isnan(x)) return x;
    if (is_pole(x) || isinf(x)) return INFINITY;
    if (x >= 0.5 && x < 1.5) return -log1p(reciprocal_gamma_less_1(x - 1));
    if (x >= 1.5 && x < 2.5) return log1p(x - 2) - log1p(reciprocal_gamma_less_1(x - 2));
    if (fabs(x) < 20 && fabs(x) > 1e-20) return log(fabs(gamma_of(x)));
    return lgamma(x);
}

// gamma'(x)/gamma(x): the recurrence up to where its asymptotic series holds.
static double digamma(double x)
{
    if (is_pole(x)) return x == 0 ? -1 / x : NAN;
    if (isnan(x) || fabs(x) < 1e-20) return -1 / x;
    double reflected = 0, sum = 0;
    if (x < 0) {
        double off = x - round(x), pi = 3.141592653589793;
        double tangent = fabs(off) > 0.25 ? 1 / tan(pi * (copysign(0.5, off) - off)) : tan(pi * off);
        reflected = -1 / x - pi / tangent;
        x = -x;
    }
    for (; x < 12; x++) sum -= 1 / x;
    double s = 1 / x / x;
    double tail = s * (1.0 / 12 - s * (1.0 / 120 - s * (1.0 / 252 - s * (1.0 / 240 - s * (1.0 / 132
        - s * (691.0 / 32760 - s / 12))))));
    return sum + log(x) - (0.5 / x + tail) + reflected;
}

// The derivative of digamma, the same way.
static double trigamma(double x)
{
    if (isnan(x) || (isinf(x) && x < 0)) return NAN;
    if (is_pole(x)) return INFINITY;
    if (x < 0) {
        double part = 3.141592653589793 / sin_pi(x);
        return part * part - trigamma(1 - x);
    }
    double sum = 0;
    for (; x < 12; x++) sum += 1 / x / x;
    if (isinf(x) || isinf(sum)) return isinf(x) ? 0 : sum;
    double s = 1 / x / x;
    double tail = 1.0 / 6 - s * (1.0 / 30 - s * (1.0 / 42 - s * (1.0 / 30 - s * (5.0 / 66
        - s * (691.0 / 2730 - s * 7 / 6)))));
    return sum + (1 + (0.5 + tail / x) / x) / x;
}

// The derivative of digamma as a derivative: there is none at the poles.
static double digamma_slope(double x) { return is_pole(x) ? NAN : trigamma(x); }

// n!/x^(n + 1) times the sum of (x/(x + k))^(n + 1) over all k from 0, for a positive x.
static double powers(double n, double x)
{
    static const double series[] = {1.0 / 12, -1.0 / 720, 1.0 / 30240, -1.0 / 1209600, 1.0 / 47900160,
        -5.284190138687493e-10, 1.3382536530684679e-11, -3.3896802963225827e-13, 8.586062056277845e-15,
        -2.174868698558062e-16, 5.5090028283602295e-18, -1.3954464685812523e-19};
    if (isinf(x)) return 0;
    double s = n + 1, k = 0, sum = 0, leading = 1;
    for (; x + k < 12 + s && k < 128; k++) sum += exp(-s * log1p(k / x));
    double a = x + k, factor = s / a, correction = 0;
    for (int j = 0; j < 12; j++) {
        correction += series[j] * factor;
        if (fabs(series[j] * factor) < 1e-18) break;
        factor *= (s + 2 * j + 1) / a * ((s + 2 * j + 2) / a);
    }
    sum += exp(-s * log1p(k / x)) * (a / (s - 1) + 0.5 + correction);
    if (n > 150) leading = exp(lgamma(n + 1) - n * log(x));
    else
        for (double j = 1; j <= n; j++) leading *= j / x;
    return leading * (sum / x);
}

// The derivative of digamma of order n, a whole number from 0.
static double polygamma(double n, double x)
{
    if (!(n >= 0 && floor(n) == n) || isnan(x) || (isinf(x) && x < 0)) return NAN;
    if (n == 0) return digamma(x);
    if (n == 1) return trigamma(x);
    int odd = fmod(n, 2) != 0;
    if (is_pole(x)) return odd ? INFINITY : x == 0 ? -1 / x : NAN;
    if (x > 0) return odd ? powers(n, x) : -powers(n, x);
    double distance = -x - floor(-x);
    double left = powers(n, distance), right = powers(n, 1 - distance), beyond = powers(n, 1 - x);
    return odd ? right + (left - beyond) : (distance == 0.5 ? 0 : left - right) - beyond;
}

// gamma(x)*digamma(x).
static double gamma_slope(double x, double out) { return is_pole(x) ? NAN : out * digamma(x); }

// digamma(x + 1), without rounding x + 1 where the numbers are small.
static double digamma_factorial(double x)
{
    return x >= 0.25 && x < 2 ? digamma(x) + 1 / x : digamma(x + 1);
}

// x! = gamma(x + 1).
static double factorial(double x)
{
    if (x < 0 && is_pole(x)) return NAN;
    return x > 0.5 && floor(x) != x ? x * gamma_of(x) : gamma_of(x + 1);
}

// x!*digamma(x + 1).
static double factorial_slope(double x, double out)
{
    return x < 0 && is_pole(x) ? NAN : out * digamma_factorial(x);
}

// A derivative of gamma over gamma, of an order from 1 to 300: by the product rule each is a sum of the lower ones.
static double gamma_factor(double order, double first, double x)
{
    double factors[301] = {1}, slopes[300];
    for (int n = 0; n < order; n++) {
        double count = 1, sum = 0;
        slopes[n] = n == 0 ? first : polygamma(n, x);
        for (int k = 0; k <= n; k++) {
            sum += count * (factors[n - k] * slopes[k]);
            count *= (double)(n - k) / (k + 1);
        }
        factors[n + 1] = sum;
    }
    return factors[(int)order];
}

// The derivative of gamma of this order.
static double gammaslope(double order, double x)
{
    if (!(order >= 1 && order <= 300 && floor(order) == order) || isnan(x) || is_pole(x)) return NAN;
    return isinf(x) ? x : gamma_of(x) * gamma_factor(order, digamma(x), x);
}

// The derivative of the factorial of this order.
static double factorialslope(double order, double x)
{
    if (!(order >= 1 && order <= 300 && floor(order) == order) || isnan(x) || is_pole(x + 1)) return NAN;
    return isinf(x) ? x : factorial(x) * gamma_factor(order, digamma_factorial(x), x + 1);
}

// cos(z*t)/r^z, t being the angle of the point and r its length.
static double polecos(double x, double y, double z)
{
    if (!(z >= 1 && z <= 300 && floor(z) == z) || isnan(x) || isnan(y) || (x == 0 && y == 0)) return NAN;
    return isinf(x) || isinf(y) ? 0 : cos(z * atan2(x, y)) * pow(hypot(x, y), -z);
}

// sin(z*t)/r^z.
static double polesin(double x, double y, double z)
{
    if (!(z >= 1 && z <= 300 && floor(z) == z) || isnan(x) || isnan(y) || (x == 0 && y == 0)) return NAN;
    return isinf(x) || isinf(y) ? 0 : sin(z * atan2(x, y)) * pow(hypot(x, y), -z);
}
