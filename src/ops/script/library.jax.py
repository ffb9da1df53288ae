# Functions that exported JAX calls where `jax.numpy` has none, or has another derivative at a kink.
# A program contains only the paragraphs that it needs.

# x*y, but 0 if either is exactly 0, whatever the other is.
@jax.custom_jvp
def chained(x, y):
    return jnp.where((x == 0) | (y == 0), 0.0, x * y)
@chained.defjvp
def _(primals, tangents):
    (x, y), (dx, dy) = primals, tangents
    return chained(x, y), y * dx + x * dy

# The item at a place that is counted from 1, or the items at several.
def at(items, place):
    return items[jnp.asarray(place, int) - 1]

# One over the square root.
def rsqrt(x):
    return 1 / jnp.sqrt(x)

# y*x^(y - 1), 0 where y is.
def power_slope(x, y):
    return jnp.where(y == 0, 0.0, y * x**jnp.where(y == 0, 1.0, y - 1.0))

# 1/sqrt(1 - x^2).
def asin_slope(x):
    return 1 / jnp.sqrt((1 - x) * (1 + x))

# One over the hyperbolic cosine.
def sech(x):
    return 1 / jnp.cosh(x)

# x where it is positive, else slope times it.
def leaky(x, slope):
    return jnp.where(x > 0, x, slope * x)

# x kept between low and high; at a bound it can still move back.
def clamp(x, low, high):
    return jnp.where(x < low, low, jnp.where(x > high, high, x))

# The nearest whole number, halves away from 0.
def round_away(x):
    whole = jnp.trunc(x)
    return whole + jnp.where(jnp.abs(x - whole) >= 0.5, jnp.sign(x), 0.0)

# The length of a vector; at the origin its derivatives are 0.
def length(a):
    largest = jax.lax.stop_gradient(jnp.max(jnp.abs(a)))
    scale = jnp.where((largest > 0) & jnp.isfinite(largest), largest, 1.0)
    squares = jnp.sum((a / scale)**2)
    return jnp.where(squares > 0, scale * jnp.sqrt(jnp.where(squares > 0, squares, 1.0)), 0.0)

# x/hypot(x, y).
def direction(x, y):
    return x / jnp.hypot(x, y)

# cos(z*t)/r^z, t being the angle of the point and r its length.
def polecos(x, y, z):
    return jnp.cos(z * jnp.arctan2(x, y)) / jnp.hypot(x, y)**z

# sin(z*t)/r^z.
def polesin(x, y, z):
    return jnp.sin(z * jnp.arctan2(x, y)) / jnp.hypot(x, y)**z

# x! = gamma(x + 1).
def factorial(x):
    return jax.scipy.special.gamma(x + 1)

# The second derivative of the logarithm of the gamma function, left of 0 by reflection.
def trigamma(x):
    inside = jnp.where(x > 0, x, 1 - x)
    right = jax.scipy.special.polygamma(1, inside)
    sine = jnp.sin(jnp.pi * jnp.where(x > 0, 0.5, x - jnp.round(x)))
    return jnp.where(x > 0, right, (jnp.pi / sine)**2 - right)

# The derivative of digamma of order n.
def polygamma(n, x):
    return jax.scipy.special.polygamma(jnp.asarray(n).astype(int), x)
