"""Names the slips of an engine: in its passes, and in what a node passes on."""

from __future__ import annotations

import inspect
import linecache
import re
import traceback
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from dis import opname
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Any, Callable, Optional

from chainrule.graphs import TANH, Formula, Graph, Node, close, number
from chainrule.graphs import shown, variables_of

# Most rules and their words are those of the commands `:wrong` and `:guess`.
SUMMARIES = {
    "return": "a method returns no value",
    "equal": "of two equal nodes in a set or a list, one is lost",
    "nothing": "an operand gets nothing: is `out._backward = _backward` missing, or a line in it?",
    "overwrite": "a contribution takes the place of the ones before",
    "noupstream": "a contribution is the local derivative alone",
    "parenthesis": "tanh passes on 1 - t^2*g instead of (1 - t^2)*g",
    "sign": "the sign is wrong",
    "local": "the local derivative is missing as a factor",
    "operand": "a contribution has the derivative by the other operand",
    "contribution": "a contribution is not local derivative times upstream",
    "order": "a node must pass its grad on once, after all of its users",
    "nozero": "the grads were not zeroed before this pass",
    "unfinished": "not every node has passed its grad on",
    "seed": "the pass does not begin with a grad of 1 at the root",
    "data": "the data is wrong",
    "error": "the engine raises an error",
    "grad": "a grad is wrong",
}

FOLDER = Path(__file__).parent
UPSTREAM = 1.5
EARLIER = 10.0


@dataclass(frozen=True)
class Place:
    """A line of the engine."""

    function: str
    line: int
    code: str

    def __str__(self) -> str:
        return f"look at {self.function}, line {self.line}:\n  {self.code}"


@dataclass(frozen=True)
class Finding:
    """A slip: its rule, a sentence, and the line of the engine, if it can be told."""

    rule: str
    detail: str
    place: Optional[Place] = None

    def __str__(self) -> str:
        lines = [f"{self.rule}: {SUMMARIES[self.rule]}", self.detail]
        return "\n".join([*lines, str(self.place)] if self.place else lines)


def slips_of(graph: Graph) -> list[Finding]:
    """At least one finding about a graph with wrong grads."""
    computed = [node for node in graph.nodes if node.children]
    # A node whose grad is 0 was not reached.
    is_unfinished = any(
        node.grad == 0 and node.is_wrong(right) for node, right in graph.right_grads().items()
    )
    # An error tells nothing if the engine is used in another way than its own.
    with suppress(Exception), kept_grads(graph):
        pass_from_zero(graph, graph.root.value.backward)
        if graph.is_right():
            detail = "from grads of 0, `backward()` of the root gives the right grads"
            return [Finding("unfinished" if is_unfinished else "nozero", detail)]
        seed = graph.root.grad
        if all(hasattr(node.value, "_backward") for node in computed):
            pass_from_zero(graph, lambda: turns_in_order(graph.root, computed))
            is_slip_of_pass = graph.is_right()
            has_equal_nodes = has_equal(node.value for node in graph.nodes)
            if any(map(has_lost_operand, computed)) or (is_slip_of_pass and has_equal_nodes):
                detail = "`__eq__` makes two nodes equal: leave it out, or keep `id(v)` in sets"
                return [Finding("equal", detail, place_in(type(graph.root.value).__eq__, "def "))]
            if is_slip_of_pass:
                return [slip_of_pass(graph.root, seed)]
            found = slips_of_nodes(computed)
            if found:
                return found
    return [Finding("grad", "the cause cannot be told from here")]


@contextmanager
def kept_grads(graph: Graph) -> Iterator[None]:
    """Gives all nodes their grads back at the end."""
    before = [(node.value, node.value.grad) for node in graph.nodes]
    try:
        yield
    finally:
        for value, grad in before:
            value.grad = grad


def pass_from_zero(graph: Graph, backward: Callable[[], object]) -> None:
    for node in graph.nodes:
        node.value.grad = 0.0
    backward()


def turns_in_order(root: Node, computed: list[Node]) -> None:
    """Lets each node pass its grad on once, after all of its users."""
    root.value.grad = 1.0
    for node in computed:
        node.value._backward()


def slip_of_pass(root: Node, seed: float) -> Finding:
    """The slip of `backward`, if all nodes pass on what is right."""
    if close(seed, 1.0, root.rounding):
        detail = "in the right order, the same nodes give the right grads"
        return Finding("order", detail, place_in(type(root.value).backward, r"_backward\(\)"))
    detail = f"after the pass, the grad of {root.title} is {shown(seed)}, not 1"
    return Finding("seed", detail, place_in(type(root.value).backward, r"self\.grad"))


def has_lost_operand(node: Node) -> bool:
    """Whether `_prev` lacks an operand that equals another, as a set of them does."""
    variables = variables_of(node.value).values()
    values = [child.value for child in node.children]
    values += [each for each in variables if type(each) is type(node.value)]
    different = {id(each): each for each in values if each is not node.value}
    return len(different) > len(node.children) and has_equal(different.values())


def has_equal(values: Iterable[Any]) -> bool:
    """Whether the engine says of two values that they are equal."""
    by_data = sorted(values, key=lambda value: number(value.data))
    return any(left == right for left, right in zip(by_data, by_data[1:]))


def slips_of_nodes(computed: list[Node]) -> list[Finding]:
    """One finding for each slip and each line of the engine."""
    findings: dict[Any, Finding] = {}
    for node in computed:
        for found in slips_of_node(node):
            findings.setdefault((found.rule, found.place), found)
    return list(findings.values())


def slips_of_node(user: Node) -> Iterator[Finding]:
    """Calls `_backward` with chosen grads, and judges what the node passes on."""
    if user.formula is None:
        return
    from_zero, on_top = grads_after_turn(user, 0.0), grads_after_turn(user, EARLIER)
    for operand, slope in user.formula.slopes().items():
        right = EARLIER + UPSTREAM * slope
        if not close(on_top[operand], right, operand.rounding):
            rule = likely_rule(user.formula, operand, from_zero[operand], on_top[operand])
            detail = f"with a grad of {shown(UPSTREAM)}, `{user.expression()}` changes the grad of "
            detail += f"{operand.title} from {shown(EARLIER)} to {shown(on_top[operand])}, "
            yield Finding(rule, detail + f"not to {shown(right)}", place_of(operand, user))


def grads_after_turn(user: Node, before: float) -> dict[Node, float]:
    """The grads of the operands after a turn of their user."""
    for operand in user.children:
        operand.value.grad = before
    user.value.grad = UPSTREAM
    user.value._backward()
    return {operand: operand.grad for operand in user.children}


def likely_rule(formula: Formula, operand: Node, grad: float, on_top: float) -> str:
    """The first slip that explains the grads of an operand from 0 and from `EARLIER`."""
    slopes, out = formula.slopes(), formula.data()
    agree = partial(close, rounding=operand.rounding)
    others = [UPSTREAM * slopes[other] for other in slopes if other is not operand]
    explained = {
        "nothing": agree(on_top, EARLIER),
        "overwrite": agree(on_top, grad),
        "noupstream": agree(grad, slopes[operand]),
        "parenthesis": formula.operation is TANH and agree(grad, 1 - out**2 * UPSTREAM),
        "sign": agree(grad, -UPSTREAM * slopes[operand]),
        "local": agree(grad, UPSTREAM),
        "operand": any(agree(grad, other) for other in others),
    }
    return next((rule for rule in explained if explained[rule]), "contribution")


def place_of(operand: Node, user: Node) -> Optional[Place]:
    """The line in which the user passes its grad on to the operand."""
    variables = variables_of(user.value)
    if not variables:
        # The function is that of a leaf.
        return None
    names = [name for name in variables if variables[name] is operand.value]
    # Two names, as of `a*a`, do not tell the line.
    return place_in(user.value._backward, rf"\b{names[0]}\.grad\b" if len(names) == 1 else "def ")


def place_in(function: Any, pattern: str) -> Optional[Place]:
    """The first line of a function that contains a pattern; without one, its first line."""
    try:
        lines, first = inspect.getsourcelines(function)
    except (OSError, TypeError):
        return None
    name = function.__qualname__.partition(".<locals>")[0]
    places = [Place(name, first + i, line.strip()) for i, line in enumerate(lines)]
    return next((place for place in places if re.search(pattern, place.code)), places[0])


def slip_of_return(statement: str, given: Any) -> Finding:
    found = f"`{statement}` gives {shown(given)}: does its method end with `return out`?"
    return Finding("return", found)


def slip_of_error(error: Exception) -> Finding:
    """An error that the engine raises, with its last line that ran."""
    return Finding("error", f"{type(error).__name__}: {error}", place_of_error(error))


def place_of_error(error: Exception) -> Optional[Place]:
    """The last line of the engine that ran before an error."""
    for frame, line in steps_of(error)[-1:]:
        code = linecache.getline(frame.f_code.co_filename, line, frame.f_globals).strip()
        return Place(frame.f_code.co_name, line, code) if code else None
    return None


def steps_of(error: Exception) -> list[tuple[FrameType, int]]:
    """The calls within the engine that led to an error, with their lines; none if it has not."""
    steps = traceback.walk_tb(error.__traceback__)
    return [step for step in steps if Path(step[0].f_code.co_filename).parent != FOLDER]


def is_refusal(error: Exception) -> bool:
    """Whether what the check has called raises the error on purpose: by `raise` or `assert`."""
    last = [opname[frame.f_code.co_code[frame.f_lasti]] for frame, _ in steps_of(error)]
    return last == ["RAISE_VARARGS"]
