# $firstline
# $definition
# With scipy: minimize($name, x0, jac=True)
import math
$imports
names = [$names]
x0 = [$start]
$data
class Number:
    """A number on a tape, with its operands and the derivatives by them."""
    def __init__(self, value, tape, below=()):
        self.value, self.tape, self.below, self.grad = value, tape, below, 0.0
        tape.append(self)

$library

Number.__neg__ = operation(lambda x: -x, lambda out, x: [-1.0])
Number.__add__ = Number.__radd__ = operation(lambda x, y: x + y, lambda out, x, y: [1.0, 1.0])
Number.__sub__ = operation(lambda x, y: x - y, lambda out, x, y: [1.0, -1.0])
Number.__rsub__ = lambda y, x: x + -y
Number.__mul__ = Number.__rmul__ = operation(lambda x, y: x * y, lambda out, x, y: [y, x])

$guard
def $name(leaves):
    """The value and the gradient at these leaves, in the order of names; an exact 0 absorbs nan and inf."""
    tape = []
    leaves = [Number($convert, tape) for x in leaves]
$code
    root.grad = 1.0
    for number in reversed(tape):
        for operand, slope in number.below:
            if isinstance(operand, Number):
                operand.grad = operand.grad + contribution(number, slope)
    return root.value, [leaf.grad for leaf in leaves]
$function
if __name__ == "__main__":
    value, grad = $name(x0)
    for name, number in zip([$label, *names], [value, *grad]):
        print("%s %.17g" % (name, number))
