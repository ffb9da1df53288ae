# $mark
# $definition
# With scipy: minimize($name, x0, jac=True)

import math

$library

names = [$names]
x0 = [$start]


def $name(leaves):
    """The value and the gradient at these leaves, in the order of names."""
    leaves = [float(x) for x in leaves]
    grad = [0.0] * len(leaves)
$code
    return $value, grad
$function

if __name__ == "__main__":
    value, grad = $name(x0)
    print("%s %.17g" % ($label, value))
    for name, slope in zip(names, grad):
        print("%s %.17g" % (name, slope))
