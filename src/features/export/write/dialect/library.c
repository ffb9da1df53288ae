// Functions that exported C calls where the standard library has none. A program contains only those that it needs.

// -1, 0 or 1.
static double sign(double x) { return isnan(x) ? x : (x > 0) - (x < 0); }

// x*y, but 0 if either is exactly 0, whatever the other is.
static double chained(double x, double y) { return x == 0 || y == 0 ? 0 : x * y; }

// x*ln(y) where x is a power of y: 0 at 0.
static double chained_ln(double x, double y) { return y == 0 && isfinite(x) ? 0 : chained(x, log(y)); }

// The remainder with the sign of y.
static double modulo(double x, double y)
{
    double rest = fmod(x, y);
    return rest != 0 && (rest < 0) != (y < 0) ? rest + y : rest;
}

// 1/(1 + exp(-x)) without overflow.
static double sigmoid(double x)
{
    double e = exp(-fabs(x));
    return x < 0 ? e / (1 + e) : 1 / (1 + e);
}

// ln(1 + exp(x)) without overflow.
static double softplus(double x) { return fmax(x, 0) + log1p(exp(-fabs(x))); }

// x where it is positive, else 0.
static double relu(double x) { return x <= 0 ? 0 : x; }

// x where it is positive, else slope times it.
static double leaky(double x, double slope) { return x > 0 && !isnan(slope) ? x : slope * x; }

// x where it is positive, else exp(x) - 1.
static double elu(double x) { return x > 0 ? x : expm1(x); }

// yes unless the condition is 0, then no.
static double either(double condition, double yes, double no)
{
    return isnan(condition) ? condition : condition == 0 ? no : yes;
}

// The product of all operands.
static double product(const double *a, int n)
{
    double product = 1;
    for (int i = 0; i < n; i++)
        product *= a[i];
    return product;
}

// The smallest operand; NaN if any is.
static double smallest_of(const double *a, int n)
{
    double best = a[0];
    for (int i = 1; i < n; i++)
        best = a[i] < best || isnan(a[i]) ? a[i] : best;
    return best;
}

// The largest operand; NaN if any is.
static double largest_of(const double *a, int n)
{
    double best = a[0];
    for (int i = 1; i < n; i++)
        best = a[i] > best || isnan(a[i]) ? a[i] : best;
    return best;
}

// The length of a vector.
static double length_of(const double *a, int n)
{
    double length = 0;
    for (int i = 0; i < n; i++)
        length = hypot(length, a[i]);
    return length;
}

// The logarithm of the sum of the exponentials, from the distances to the largest operand.
static double log_sum_exp(const double *a, int n)
{
    double largest = largest_of(a, n), sum = 0;
    for (int i = 0; i < n; i++)
        sum += exp(a[i] - largest);
    return isinf(largest) ? largest : largest + log(sum);
}

// x kept between low and high.
static double clamp(double x, double low, double high)
{
    return isnan(low) || isnan(high) ? NAN : x < low ? low : x > high ? high : x;
}
