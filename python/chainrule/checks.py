"""Checks a graph, or a class of values, against the chain rule."""

from __future__ import annotations

import inspect
import math
import re
import sys
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Callable

from chainrule.graphs import NEEDED, Graph, Unreadable, close, is_number, is_value
from chainrule.graphs import number, read_graph, require, shown
from chainrule.session import Session
from chainrule.slips import FOLDER, Finding, is_refusal, place_of_error
from chainrule.slips import slip_of_error, slip_of_return, slips_of, steps_of

MOST_ROWS = 40

# The graphs that are built with a class, and the methods that they need. Those with numbers come
# last, because an engine may be right for its own values only.
GRAPHS = {
    "L = a + b": "__add__",
    "L = a * b": "__mul__",
    "L = a + a": "__add__",
    "L = -a": "__neg__",
    "L = a - b": "__sub__",
    "L = (a + b) + (b + a)": "__add__",
    "L = (a * b) * (b * a)": "__mul__",
    "d = a * b; e = d**3; L = e * d * a**0.5 + (a * b) ** 2": "__pow__ __mul__ __add__",
    "L = a / b": "__truediv__",
    "d = a * b; e = d.tanh(); L = e * d + (a * b).tanh()": "tanh __mul__ __add__",
    "d = a * b; e = d.exp(); L = e * d + (a * b).exp()": "exp __mul__ __add__",
    "d = b * b; e = d.relu(); L = e * b + a.relu() * a * b + b.relu()": "relu __mul__ __add__",
    "d = a * b; e = d + a; L = d * e": "__mul__ __add__",
    "d = a + b; e = d * b; f = e + d; g = f * e; h = g + f; L = h * d": "__add__ __mul__",
    "L = a + 3": "__add__",
    "L = a * 3": "__mul__",
    "L = 3 + a": "__radd__",
    "L = 3 * a": "__rmul__",
    "L = 3 - a": "__rsub__",
    "L = 3 / a": "__rtruediv__",
}
# The file that they seem to come from: what they raise themselves is no error of an engine.
FILE = str(FOLDER / "<graph>")
LEAVES = {"a": 0.7, "b": -0.8}

# Graphs that are not tried if they raise an error, and the class does not have the method either:
# in the first half of the lecture, values do not take numbers beside them.
NUMBERS = {"L = a + 3": "__radd__", "L = a * 3": "__rmul__"}
# The names of methods that may be operations.
OPERATION = re.compile("[^_].*|__[ir]?(add|sub|mul|matmul|truediv|floordiv|mod|pow|abs)__")


@dataclass(frozen=True)
class Row:
    """A node, its grad in the engine, and the right grad: NaN if it cannot be told."""

    node: str
    expression: str
    data: float
    right: float
    grad: float
    wrong: bool


@dataclass
class Check:
    """What a check has found. It is complete if it has compared all that it was to compare."""

    summary: str
    rows: list[Row] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)
    is_complete: bool = True

    @property
    def ok(self) -> bool:
        """Whether all was compared, and nothing is wrong."""
        return self.is_complete and not self.findings

    def __bool__(self) -> bool:
        return self.ok

    def __repr__(self) -> str:
        findings = [str(finding) for finding in self.findings]
        return "\n".join([self.summary, *self.table(), *findings, *self.remarks])

    def table(self) -> list[str]:
        """The lines of a table of the wrong grads, if there are any."""
        wrong = [row for row in self.rows if row.wrong]
        cells = [["node", "expression", "data", "right", "yours"]]
        for row in wrong[:MOST_ROWS]:
            cells.append([row.node, row.expression, *map(shown, [row.data, row.right, row.grad])])
        widths = [max(map(len, column)) for column in zip(*cells)]
        padded = [[f"{cell:<{width}}" for cell, width in zip(line, widths)] for line in cells]
        return [("  " + "   ".join(line)).rstrip() for line in padded] if wrong else []


def check(target: Any) -> Check:
    """Compares the grads of a graph with the chain rule's, and names the slips of its engine.

    `target` is the root of a graph, made with any engine whose values have `data`, `grad`, `_prev`,
    `_op` and `backward()`. If no node has a grad yet, this runs `target.backward()` first. If
    `target` is the class of the values, `check` builds small graphs with it, and reports the first
    that is wrong.
    """
    try:
        return check_class(target) if isinstance(target, type) else check_root(target)
    except Unreadable as reason:
        if isinstance(target, type) or is_value(target):
            return Check(f"cannot be checked: {reason}", is_complete=False)
        raise


def check_root(root: Any) -> Check:
    """Compares the grads below a root, after its pass if there are none yet."""
    graph = read_graph(root)
    for node in graph.nodes:
        require_number(node.value.data, f"the data of `{node.title}`")
    if all(node.grad == 0 or node.value.grad is None for node in graph.nodes):
        require(root, "backward")
        root.backward()
    found = check_graph(graph)
    help = ["`chainrule.check(Value)` builds graphs whose operations it knows"]
    found.remarks += [] if found.is_complete else help
    return found


def check_graph(graph: Graph) -> Check:
    """Compares the grads that the nodes have now."""
    rights = graph.right_grads()
    for node in graph.nodes:
        if not is_number(node.value.grad):
            rights[node], node.doubt = math.nan, f"its grad is {shown(node.value.grad)}"
    rows = [
        Row(node.title, node.expression(), node.data, right, node.grad, node.is_wrong(right))
        for node, right in rights.items()
    ]
    wrong = sum(row.wrong for row in rows)
    told = sum(not math.isnan(row.right) for row in rows)
    found = Check(f"all {told} grads are right" if told > 1 else "the grad is right", rows)
    if told < len(rows):
        found.is_complete = False
        found.summary = f"{told} of {len(rows)} grads could be checked, and none is wrong"
        lines = [f"  `{node.title}`: {node.doubt}" for node in graph.nodes if node.doubt]
        found.remarks = [f"{len(rows) - told} cannot be checked:", *lines[:MOST_ROWS]]
    if wrong:
        found.summary = f"{wrong} of {told} grads are wrong"
        found.findings = slips_of(graph)
    return found


def check_class(engine: type) -> Check:
    """Builds small graphs with a class, and checks each, up to the first that is wrong."""
    require_leaf(engine)
    texts = [text for text in GRAPHS if can_try(engine, text)]
    if not texts:
        raise Unreadable(f"`{engine.__name__}` has no operation, such as `__add__`")
    remarks: dict[str, str] = {}
    unknown = 0
    for text in texts:
        try:
            found = check_text(engine, text)
        except Unreadable as reason:
            remarks.setdefault(str(reason), f"`{text}` cannot be checked: ")
            unknown += 1
            continue
        if not found.ok:
            break
        for doubt in found.remarks:
            remarks.setdefault(doubt, f"missing or wrong `_op` or `_prev` in `{text}`: ")
    else:
        count = f"{unknown} of {len(texts)} graphs cannot be checked"
        summary = f"{engine.__name__}: {count if unknown else f'all {len(texts)} graphs are right'}"
        found = Check(summary, [], [], [remarks[each] + each for each in remarks], not unknown)
    found.remarks += untried(engine, texts)
    return found


def require_leaf(engine: type) -> None:
    """Requires that a number makes a value with all that a check needs."""
    text = f"{engine.__name__}({LEAVES['a']})"
    try:
        leaf = engine(LEAVES["a"])
    except Exception as error:
        raise Unreadable(f"`{text}` raises {told(error)}") from None
    require(leaf, *NEEDED, "backward")
    require_number(leaf.data, f"the data of `{text}`")


def require_number(value: Any, what: str) -> None:
    if not is_number(value):
        raise Unreadable(f"{what} is {shown(value)}, and a check compares single numbers")


def told(error: Exception) -> str:
    """An error that does not mean that the engine is wrong, its line, and what to do."""
    place = place_of_error(error)
    lines = [f"{type(error).__name__}: {error}", *([str(place)] if place else [])]
    return "\n".join([*lines, "`chainrule.check(L)` checks the root L of a graph that you build"])


def can_try(engine: type, text: str) -> bool:
    """Whether a class has the methods that a graph needs, and takes its numbers."""
    if not all(hasattr(engine, name) for name in GRAPHS[text].split()):
        return False
    return text not in NUMBERS or hasattr(engine, NUMBERS[text]) or runs(engine, text, float)


def untried(engine: type, texts: list[str]) -> list[str]:
    """What is not tried: methods that the class lacks, its numbers beside values, its others."""
    known = {name for methods in GRAPHS.values() for name in methods.split()}
    tried = {name for text in texts for name in GRAPHS[text].split()} | {"backward", "zero_grad"}
    numbers = [text for text in NUMBERS if text not in texts and hasattr(engine, GRAPHS[text])]
    names = sorted(set(filter(OPERATION.fullmatch, dir(engine))) - tried)
    others = [x for x in names if inspect.isfunction(inspect.getattr_static(engine, x))]
    groups = {
        f"because {engine.__name__} lacks them": sorted(known - set(dir(engine))),
        "because numbers beside values raise an error": numbers,
        "but `chainrule.check(L)` checks the root L of a graph with them": others,
    }
    return [f"not tried, {why}: {', '.join(groups[why])}" for why in groups if groups[why]]


def check_text(engine: type, text: str) -> Check:
    """Builds a graph with a class, runs the pass of L, and compares with the right numbers."""
    right = right_numbers(text)
    names: dict[str, Any] = {}
    try:
        names.update((name, engine(data)) for name, data in LEAVES.items())
        exec(compile(text, FILE, "exec"), {}, names)
        found = check_names(names, right)
    except Exception as error:
        # The names of a graph have one letter.
        parts = [part for part in text.split("; ") if not is_value(names.get(part[0], names["a"]))]
        returned = [slip_of_return(part, names[part[0]]) for part in parts[:1]]
        found = Check("", findings=returned or [slip_that_raised(error, engine, text)])
    made = [f"{name} = {engine.__name__}({LEAVES[name]})" for name in LEAVES if name in text]
    found.summary = "wrong: " + "; ".join([*made, text])
    return found


def slip_that_raised(error: Exception, engine: type, text: str) -> Finding:
    """The slip behind an error of an engine, if a right engine does not raise it."""
    if isinstance(error, Unreadable):
        raise error
    if isinstance(error, (AttributeError, TypeError)) and takes_arrays(engine, text):
        raise Unreadable("it runs with arrays, and a check compares single numbers") from None
    if not steps_of(error) or is_refusal(error):
        raise Unreadable(told(error)) from None
    return slip_of_error(error)


def takes_arrays(engine: type, text: str) -> bool:
    """Whether this graph, a sum or a product raises an error with numbers, but not with arrays."""
    numpy: Any = sys.modules.get("numpy")
    forms = [lambda x: [x], numpy.atleast_1d] if numpy else [lambda x: [x]]
    passes = [f"{each}; L.backward()" for each in (text, "L = a + b", "L = a * b")]
    failed = [each for each in passes if not runs(engine, each, float)]
    return any(runs(engine, each, form) for each in failed for form in forms)


def runs(engine: type, text: str, form: Callable[[float], Any]) -> bool:
    """Whether statements with leaves whose data has a form raise no error."""
    with suppress(Exception):
        names = {name: engine(form(data)) for name, data in LEAVES.items()}
        exec(compile(text, FILE, "exec"), {}, names)
        return True
    return False


def check_names(names: dict[str, Any], right: dict[str, float]) -> Check:
    """Runs the pass of L, and compares with the right data and grads."""
    graph = read_graph(names["L"], {id(names[name]): name for name in names})
    names["L"].backward()
    rounding = graph.root.rounding
    if not close(graph.root.data, right["L"], rounding):
        detail = f"the data of L is {shown(names['L'].data)}, not {shown(right['L'])}"
        return Check("", findings=[Finding("data", detail)])
    # A leaf that L does not use may have no grad.
    grads = {name: names[name].grad for name in LEAVES}
    if any(grads[name] is None and right[name] for name in LEAVES):
        raise Unreadable("the grad of a leaf is None after `L.backward()`")
    wrong = [name for name in LEAVES if not close(number(grads[name] or 0), right[name], rounding)]
    if not wrong:
        return Check("", remarks=[node.doubt for node in graph.nodes if node.doubt])
    found = check_graph(graph)
    for name in wrong if not found.findings else []:
        detail = f"the grad of {name} is {shown(grads[name])}, not {shown(right[name])}"
        found.findings.append(Finding("grad", detail))
    return found


@lru_cache(maxsize=None)
def right_numbers(text: str) -> dict[str, float]:
    """The grads of the leaves, and the data of L: the calculator computes them."""
    with Session() as session:
        session.set(**LEAVES)
        session.run(text)
        return {**session.grad("L", *LEAVES), "L": session.get("L")}
