# Functions that exported JAX calls where `jax.numpy` has none, or has another derivative at a kink.
# A program contains only the paragraphs that it needs.

# The absolute value; at 0 its derivative is 0.
def size(x):
    return jnp.where(x == 0, 0.0, jnp.abs(x))

# Numbers and lists of one shape as one array, in which a number stands for a list of it.
def stacked(items):
    return jnp.stack(jnp.broadcast_arrays(*items))

# x*y, but 0 if either is exactly 0, whatever the other is.
def chained(x, y):
    return jnp.where((x == 0) | (y == 0), 0.0, x * y)

# x*ln(y) where x is a power of y: 0 at 0.
def chained_ln(x, y):
    return chained(jnp.where(y == 0, 0.0, x), jnp.log(jnp.where(y == 0, 1.0, y)))

# x where it is positive, else slope times it.
def leaky(x, slope):
    return jnp.where(x > 0, x, slope * x)

# x kept between low and high; at a bound it can still move back.
def clamp(x, low, high):
    return jnp.where(x < low, low, jnp.where(x > high, high, x))

# The length of a vector; at the origin its derivatives are 0.
def length(a, axis=None):
    squares = jnp.sum(a**2, axis=axis)
    return jnp.where(squares > 0, jnp.sqrt(jnp.where(squares > 0, squares, 1.0)), 0.0)

# x! = gamma(x + 1).
def factorial(x):
    return jax.scipy.special.gamma(x + 1)

# The derivative of digamma, for positive numbers.
def trigamma(x):
    return jax.scipy.special.polygamma(1, x)

# The derivative of digamma of order n, for positive numbers.
def polygamma(n, x):
    return jax.scipy.special.polygamma(jnp.asarray(n).astype(int), x)
