"""Draws the graph of an engine, and walks through its pass, with the calculator."""

from __future__ import annotations

from typing import Any

from chainrule.graphs import Graph, Node, read_graph
from chainrule.session import Answers, Note, Session

# The command `:graph` draws no more.
MOST_NODES = 2000


def show(root: Any) -> Answers:
    """Draws the graph below a value of an engine, with its data and grads."""
    graph = read_graph(root)
    if len(graph.nodes) > MOST_NODES:
        found = f"this graph has {len(graph.nodes)}: draw a part of it, as in `chainrule.show(x)`"
        raise ValueError(f"`show` draws at most {MOST_NODES} nodes, and {found}")
    with Session() as session:
        names = rebuild(graph, session)
        # In a block, the calculator takes grads without a verdict.
        grads = [f"    {name}.grad = {node.grad!r}" for node, name in names.items()]
        # A statement has at most 1,000 lines.
        for start in range(0, len(grads), 900):
            session.run("\n".join(["for _ in range(1):", *grads[start : start + 900]]))
        drawn = session.run(f":graph {names[graph.root]}")
    return with_notes(drawn, doubts_of(graph))


def walk(root: Any) -> Answers:
    """Goes through the right backward pass of a graph, one node after the other.

    The calculator computes the grads of the walk; those of the engine do not matter.
    """
    graph = read_graph(root)
    with Session() as session:
        names = rebuild(graph, session)
        walked = session.run(f":walk {names[graph.root]}\n:next {len(graph.nodes)}")
    other = [f"{name} is {node.title}" for node, name in names.items() if name != node.title]
    return with_notes(walked, other + doubts_of(graph))


def rebuild(graph: Graph, session: Session) -> dict[Node, str]:
    """Gives each node a name in a session: its label, or another if that is taken or no name."""
    names: dict[Node, str] = {}
    for node in reversed(graph.nodes):
        # `_` is the last result, and names such as node3 are for nodes without a label.
        is_name = node.name.isidentifier() and not node.name.startswith(("_", "node"))
        is_free = is_name and node.name not in names.values()
        name = node.name if is_free else f"node{len(names) + 1}"
        if node.formula:
            operands = [names[operand] for operand in node.formula.operands]
            session.run(f"{name} = {node.formula.operation.form.format(*operands)}")
        else:
            session.set(name, node.data)
        if name != node.title:
            label = " ".join(node.title.split()).replace('"', "'")
            session.run(f'{name}.label = "{label}"')
        names[node] = name
    return names


def doubts_of(graph: Graph) -> list[str]:
    return [f"{node.title} is drawn as a leaf: {node.doubt}" for node in graph.nodes if node.doubt]


def with_notes(answers: Answers, messages: list[str]) -> Answers:
    """The answers with these notes; the calculator's are about a session that has ended."""
    notes = [Note(message=message, text=f"note: {message}\n") for message in messages]
    return Answers(answers.answers, notes)
