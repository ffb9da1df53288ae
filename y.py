# exported by chainrule 0.1.0; `:export` replaces this file
# y = tanh(dot(w, x) + b)*softplus(b)
# With scipy: minimize(f, x0, jac=True)

import math

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


cosh = quiet(math.cosh)


tanh = quiet(math.tanh)


# The power, inf for a negative power of 0.
def power(x, y):
    return math.inf if x == 0 and y < 0 else quiet(math.pow)(x, y)


# 1/(1 + exp(-x)) without overflow.
def sigmoid(x):
    e = math.exp(-abs(x))
    return e / (1 + e) if x < 0 else 1 / (1 + e)


# ln(1 + exp(x)) without overflow.
def softplus(x):
    return max(x, 0.0) + math.log1p(math.exp(-abs(x)))

names = ["w[1]", "w[2]", "w[3]", "b"]
x0 = [0.5, -1.0, 0.25, 0.1]


def f(leaves):
    """The value and the gradient at these leaves, in the order of names."""
    leaves = [float(x) for x in leaves]
    grad = [0.0] * len(leaves)
    w_1 = leaves[0]
    w_2 = leaves[1]
    w_3 = leaves[2]
    b = leaves[3]
    v1 = w_1 * 1.0  # w[1]*x[1]
    v2 = w_2 * 2.0  # w[2]*x[2]
    v3 = w_3 * 3.0  # w[3]*x[3]
    v4 = v1 + v2 + v3  # dot(w, x)
    v5 = v4 + b  # dot(w, x) + b
    v6 = tanh(v5)  # tanh(dot(w, x) + b)
    v7 = softplus(b)  # softplus(b)
    y = v6 * v7
    v8 = sigmoid(b)
    v9 = v8 * v6
    v10 = 1 / cosh(v5)
    v11 = power(v10, 2.0)
    v12 = v11 * v7
    v13 = v9 + v12
    v14 = 3.0 * v12
    v15 = 2.0 * v12
    v16 = 1.0 * v12
    grad[0] = v16
    grad[1] = v15
    grad[2] = v14
    grad[3] = v13
    return y, grad


if __name__ == "__main__":
    value, grad = f(x0)
    print("%s %.17g" % ("y", value))
    for name, slope in zip(names, grad):
        print("%s %.17g" % (name, slope))
