"""Checks a graph, or a class of values, against the chain rule."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from chainrule.graphs import Graph, close, is_wrong, number, read_graph, shown
from chainrule.session import Session
from chainrule.slips import Finding, slip_of_error, slip_of_return, slips_of

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
LEAVES = {"a": 0.7, "b": -0.8}


@dataclass(frozen=True)
class Row:
    """A node, its grad in the engine, and the right grad: NaN if it cannot be told."""

    node: str
    expression: str
    data: float
    right: float
    grad: float

    @property
    def wrong(self) -> bool:
        return is_wrong(self.grad, self.right)


@dataclass
class Check:
    """What a check has found."""

    summary: str
    rows: list[Row] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)

    @property
    def ok(self) -> bool:
        """Whether nothing is wrong."""
        return not self.findings

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
    if not hasattr(target, "backward"):
        raise TypeError(
            f"{target!r} is no value of an engine with `backward()`: write `chainrule.check(L)` "
            "for the root L of a graph, or `chainrule.check(Value)` for a class"
        )
    if isinstance(target, type):
        return check_class(target)
    graph = read_graph(target)
    if all(node.grad == 0 for node in graph.nodes):
        target.backward()
    return check_graph(graph)


def check_graph(graph: Graph) -> Check:
    """Compares the grads that the nodes have now."""
    rows = [
        Row(node.title, node.expression(), node.data, right, node.grad)
        for node, right in graph.right_grads().items()
    ]
    wrong = sum(row.wrong for row in rows)
    unknown = sum(math.isnan(row.right) for row in rows)
    told = len(rows) - unknown
    summary = f"{wrong} of {told} grads are wrong" if wrong else f"all {told} grads are right"
    remarks = [f"{unknown} cannot be told from here"] if unknown else []
    remarks += [f"  `{node.title}`: {node.doubt}" for node in graph.nodes if node.doubt]
    return Check(summary, rows, slips_of(graph) if wrong else [], remarks)


def check_class(engine: type) -> Check:
    """Builds small graphs with a class, and checks each, up to the first that is wrong."""
    needed = {name for methods in GRAPHS.values() for name in methods.split()}
    lacking = sorted(name for name in needed if not hasattr(engine, name))
    remarks = [f"not tried, because {engine.__name__} lacks them: {', '.join(lacking)}"]
    texts = [text for text in GRAPHS if not set(GRAPHS[text].split()) & set(lacking)]
    doubts: dict[str, str] = {}
    for text in texts:
        found = check_text(engine, text)
        if not found.ok:
            break
        doubts.update((each, text) for each in found.remarks if each not in doubts)
    else:
        doubtful = [f"a wrong `_op` or `_prev` in `{doubts[each]}`: {each}" for each in doubts]
        found = Check(f"{engine.__name__}: all {len(texts)} graphs are right", remarks=doubtful)
    found.remarks += remarks if lacking else []
    return found


def check_text(engine: type, text: str) -> Check:
    """Builds a graph with a class, runs the pass of L, and compares with the right numbers."""
    right = right_numbers(text)
    names: dict[str, Any] = {}
    try:
        names.update((name, engine(data)) for name, data in LEAVES.items())
        exec(compile(text, "<graph>", "exec"), {}, names)
        found = check_names(names, right)
    except Exception as error:
        # The names of a graph have one letter.
        parts = [part for part in text.split("; ") if names.get(part[0], part) is None]
        found = Check("", findings=[slip_of_return(parts[0]) if parts else slip_of_error(error)])
    made = [f"{name} = {engine.__name__}({LEAVES[name]})" for name in LEAVES if name in text]
    found.summary = "wrong: " + "; ".join([*made, text])
    return found


def check_names(names: dict[str, Any], right: dict[str, float]) -> Check:
    """Runs the pass of L, and compares with the right data and grads."""
    graph = read_graph(names["L"], {id(names[name]): name for name in names})
    names["L"].backward()
    if not close(graph.root.data, right["L"]):
        detail = f"the data of L is {shown(graph.root.data)}, not {shown(right['L'])}"
        return Check("", findings=[Finding("data", detail)])
    wrong = [name for name in LEAVES if not close(number(names[name].grad), right[name])]
    if not wrong:
        return Check("", remarks=[node.doubt for node in graph.nodes if node.doubt])
    found = check_graph(graph)
    for name in wrong if found.ok else []:
        detail = f"the grad of {name} is {names[name].grad}, not {shown(right[name])}"
        found.findings.append(Finding("grad", detail))
    return found


@lru_cache(maxsize=None)
def right_numbers(text: str) -> dict[str, float]:
    """The grads of the leaves, and the data of L: the calculator computes them."""
    with Session() as session:
        session.set(**LEAVES)
        session.run(text)
        return {**session.grad("L", *LEAVES), "L": session.get("L")}
