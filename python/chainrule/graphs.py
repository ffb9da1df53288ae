"""Reads graphs of engines in the style of micrograd, and differentiates them."""

from __future__ import annotations

import inspect
import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations
from numbers import Number
from typing import Any, Callable, Optional

ROUNDING = 1e-9
# Numbers of so many bytes, such as float16 and float32, are less exact.
ROUNDING_OF_SIZE = {2: 1e-2, 4: 1e-4}
LONGEST_TITLE = 30
NEEDED = ("data", "grad", "_prev")
# How a line ends that gives an engine a needed name.
ENDS = {
    "grad": ", lambda v, x: setattr(v, 'NAME', x))",
    "backward": ")  # or set the grads by hand: chainrule.check(L)",
}


class Unreadable(TypeError):
    """A graph cannot be read, which does not mean that its engine is wrong."""


@dataclass(frozen=True)
class Operation:
    """How an operation is written, its value, and its derivative by each operand."""

    form: str
    value: Callable[..., float]
    slopes: Sequence[Callable[..., float]]


def relu_slope(x: float) -> float:
    """The derivative of relu, which has none at 0."""
    return float(x > 0) if x else math.nan


def sigmoid(x: float) -> float:
    return 1 / (1 + math.exp(-x))


TANH = Operation("tanh({})", math.tanh, [lambda x: 1 - math.tanh(x) ** 2])
NEGATE = Operation("-{}", lambda x: -x, [lambda x: -1.0])

# The operations that an `_op` may mean.
MEANINGS = {
    "+": [Operation("{} + {}", lambda x, y: x + y, [lambda x, y: 1.0, lambda x, y: 1.0])],
    "-": [Operation("{} - {}", lambda x, y: x - y, [lambda x, y: 1.0, lambda x, y: -1.0]), NEGATE],
    "*": [Operation("{}*{}", lambda x, y: x * y, [lambda x, y: y, lambda x, y: x])],
    "/": [Operation("{}/{}", lambda x, y: x / y, [lambda x, y: 1 / y, lambda x, y: -x / y**2])],
    "neg": [NEGATE],
    "tanh": [TANH],
    "relu": [Operation("relu({})", lambda x: max(x, 0.0), [relu_slope])],
    "log": [Operation("log({})", math.log, [lambda x: 1 / x])],
    "exp": [Operation("exp({})", math.exp, [math.exp])],
    "sin": [Operation("sin({})", math.sin, [math.cos])],
    "cos": [Operation("cos({})", math.cos, [lambda x: -math.sin(x)])],
    "sqrt": [Operation("sqrt({})", math.sqrt, [lambda x: 0.5 / math.sqrt(x)])],
    "sigmoid": [Operation("sigmoid({})", sigmoid, [lambda x: sigmoid(x) * (1 - sigmoid(x))])],
}


def meanings_of(op: str) -> list[Operation]:
    """The operations that `_op` may mean; none if it is unknown."""
    power = re.fullmatch(r"(?:\*\*|\^)\(?(-?[\d.]+)\)?", op)
    if power is None:
        return MEANINGS.get(op.lower(), [])
    n = float(power[1])
    return [Operation("{}**" + power[1], lambda x: x**n, [lambda x: n * x ** (n - 1)])]


def number(value: Any) -> float:
    """A number of an engine, or an array of one, as a float; NaN if it is neither."""
    try:
        return float(value.item() if hasattr(value, "dtype") else value)
    except (ArithmeticError, TypeError, ValueError):
        return math.nan


def is_number(value: Any) -> bool:
    return isinstance(value, Number) or not math.isnan(number(value))


def rounding_of(value: Any) -> float:
    """By how much a number of an engine may differ from the exact one."""
    return ROUNDING_OF_SIZE.get(getattr(getattr(value, "dtype", None), "itemsize", 8), ROUNDING)


def close(left: float, right: float, rounding: float) -> bool:
    """Whether two numbers differ by rounding only."""
    return math.isclose(left, right, rel_tol=rounding, abs_tol=rounding)


def shown(value: Any) -> str:
    """A number, or the beginning of what stands for another value in Python."""
    return f"{number(value):.6g}" if is_number(value) else f"{value!r:.60}".partition("\n")[0]


@dataclass
class Formula:
    """An operation with its operands."""

    operation: Operation
    operands: Sequence[Node]

    def data(self) -> float:
        return self._computed(self.operation.value)

    def slopes(self) -> dict[Node, float]:
        """The derivative by each operand, which may be there twice."""
        slopes = dict.fromkeys(self.operands, 0.0)
        for operand, slope in zip(self.operands, self.operation.slopes):
            slopes[operand] += self._computed(slope)
        return slopes

    def _computed(self, function: Callable[..., float]) -> float:
        """The value of a function of the operands; NaN if it has none."""
        try:
            return number(function(*[operand.data for operand in self.operands]))
        except (ArithmeticError, ValueError):
            return math.nan


@dataclass(eq=False)
class Node:
    """A node. A leaf has no children. `doubt` says why a computed node has no formula.

    `title` is the name or, if there is none, the expression or the number of a leaf.
    """

    value: Any
    name: str
    children: list[Node]
    rounding: float
    formula: Optional[Formula] = None
    doubt: str = ""
    title: str = ""

    @property
    def data(self) -> float:
        return number(self.value.data)

    @property
    def grad(self) -> float:
        return number(self.value.grad)

    def is_wrong(self, right: float) -> bool:
        """Whether the grad is not the right one, which is NaN if it cannot be told."""
        return not math.isnan(right) and not close(self.grad, right, self.rounding)

    def expression(self) -> str:
        """How the node is computed, from the titles of its operands."""
        if not self.formula:
            return str(getattr(self.value, "_op", None) or "") if self.children else "leaf"
        titles = [operand.title for operand in self.formula.operands]
        brackets = [f"({title})" if re.search("[ *]", title) else title for title in titles]
        return self.formula.operation.form.format(*brackets)


@dataclass
class Graph:
    """The nodes below a root, each before its operands."""

    root: Node
    nodes: list[Node]

    def right_grads(self) -> dict[Node, float]:
        """The grad of each node by the chain rule; NaN where it cannot be told."""
        grads = dict.fromkeys(self.nodes, 0.0)
        grads[self.root] = 1.0
        for user in self.nodes:
            unknown = dict.fromkeys(user.children, math.nan)
            slopes = user.formula.slopes() if user.formula else unknown
            for operand, slope in slopes.items():
                grads[operand] += grads[user] * slope
        return grads

    def is_right(self) -> bool:
        """Whether no grad is wrong."""
        return not any(node.is_wrong(right) for node, right in self.right_grads().items())


def read_graph(root: Any, names: Optional[dict[int, str]] = None) -> Graph:
    """The graph below a value. `names` names values by their `id`; labels name the others."""
    nodes: dict[int, Node] = {}
    values = list(in_postorder(root))
    rounding = max(rounding_of(number) for each in values for number in (each.data, each.grad))
    for value in values:
        name = (names or {}).get(id(value)) or str(getattr(value, "label", "") or "")
        children = children_of(value)
        if any(id(child) not in nodes for child in children):
            raise Unreadable(
                f"{name or shown(number(value.data))} is below itself: `_prev` goes in a circle. "
                "An operation makes a new value, as in `a = a + b`, and leaves `_prev` of `a` alone"
            )
        node = Node(value, name, [nodes[id(child)] for child in children], rounding)
        nodes[id(value)] = node
        if node.children:
            find_formula(node, str(getattr(value, "_op", None) or ""))
        title = name or (node.expression() if node.children else shown(value.data))
        node.title = title if 0 < len(title) <= LONGEST_TITLE else f"@{len(nodes)}"
    return Graph(nodes[id(root)], list(reversed(nodes.values())))


def in_postorder(root: Any) -> Iterator[Any]:
    """All values of a graph, each after its operands."""
    visited = set()
    waiting = [(root, False)]
    while waiting:
        value, done = waiting.pop()
        if done:
            yield value
        elif id(value) not in visited:
            if not is_value(value):
                raise Unreadable(
                    f"{shown(value)} is no value of an engine: it lacks {', '.join(NEEDED)}. "
                    "Write `chainrule.check(L)` or `chainrule.show(L)` for the root L of a graph"
                )
            require(value, *NEEDED)
            visited.add(id(value))
            waiting.append((value, True))
            waiting += [(child, False) for child in reversed(children_of(value))]


def is_value(value: Any) -> bool:
    return any(hasattr(value, name) for name in NEEDED)


def require(value: Any, *names: str) -> None:
    """Raises an error with lines that give what a value lacks from another name."""
    kind = type(value).__name__
    lacking = [name for name in names if not hasattr(value, name)]
    lines = [f"  {kind}.{x} = property(lambda v: v.NAME{ENDS.get(x, ')')}" for x in lacking]
    if lacking:
        told = f"`{kind}` has no {', '.join(f'`{name}`' for name in lacking)}"
        raise Unreadable("\n".join([f"{told}. If there is another NAME for it, write", *lines]))


def find_formula(node: Node, op: str) -> None:
    """Tells the operands and their order by the data, because `_prev` may be a set."""
    formulas = [
        Formula(operation, operands)
        for operation in meanings_of(op)
        for operands in orders(node.children, len(operation.slopes))
    ]
    fitting = [each for each in formulas if close(each.data(), node.data, node.rounding)]
    if not formulas:
        node.doubt = f"its `_op` is {op!r}" if op else "it has no `_op`"
    elif not fitting:
        node.doubt = f"its data is not that of {op!r} with the data that its operands have now"
    elif any(map(math.isnan, fitting[0].slopes().values())):
        node.doubt = "it has no derivative at the data of its operands"
    elif any(formula.slopes() != fitting[0].slopes() for formula in fitting):
        node.doubt = "its data fits more than one order of its operands"
    else:
        node.formula = fitting[0]


def orders(children: list[Node], count: int) -> list[Sequence[Node]]:
    """The orders in which the children can be the operands. A set has those of `a*a` once."""
    operands = children * 2 if len(children) == 1 and count == 2 else children
    return list(permutations(operands)) if len(operands) == count else []


def children_of(value: Any) -> list[Any]:
    """The operands of a value. `_prev` may be a set, so `self` comes first, as it is written."""
    first = variables_of(value).get("self")
    operands = () if value._prev is None else value._prev
    return sorted(operands, key=lambda child: child is not first)


def variables_of(value: Any) -> dict[str, Any]:
    """The variables of `_backward` from the method that made a value, such as self."""
    try:
        return dict(inspect.getclosurevars(value._backward).nonlocals)
    except (AttributeError, TypeError, ValueError):
        return {}
