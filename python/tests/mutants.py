"""Makes mutants of the lecture's engine: each has one slip, a change of its syntax tree."""

from __future__ import annotations

import ast
import copy
import linecache
import math
import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

SOURCE = Path(__file__).with_name("lecture.py")
GRAPHS = 50
COMPARISONS = [ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.Eq]
OPERATORS = [ast.Add, ast.Sub, ast.Mult, ast.Div, ast.Pow]


@dataclass
class Mutant:
    """An engine with one slip: the line of the change and its new code."""

    line: int
    code: str
    tree: ast.Module

    def engine(self) -> type:
        """The class `Value` of the mutant. Its source can be looked up, as that of a file."""
        return load(ast.unparse(self.tree), f"<mutant {self.line}: {self.code}>")


def load(source: str, name: str) -> type:
    linecache.cache[name] = (len(source), None, source.splitlines(keepends=True), name)
    namespace: dict[str, Any] = {"__name__": "lecture"}
    exec(compile(source, name, "exec"), namespace)
    return namespace["Value"]


def mutants() -> list[Mutant]:
    tree = ast.parse(SOURCE.read_text())
    made = [
        mutant
        for position, node in enumerate(ast.walk(tree))
        for mutant in mutants_at(tree, position, node)
    ]
    return list({ast.unparse(mutant.tree): mutant for mutant in made}.values())


def mutants_at(tree: ast.Module, position: int, node: ast.AST) -> Iterator[Mutant]:
    """All changes of one node of the tree."""
    for changed in changes_of(node):
        mutated = copy.deepcopy(tree)
        target = list(ast.walk(mutated))[position]
        target.__class__ = type(changed)
        target.__dict__ = copy.deepcopy(changed.__dict__)
        ast.fix_missing_locations(mutated)
        line = getattr(node, "lineno", 0)
        code = ast.unparse(changed).splitlines()
        if is_inside_function(tree, node):
            yield Mutant(line, code[0] if code else "", mutated)


def is_inside_function(tree: ast.Module, node: ast.AST) -> bool:
    functions = [each for each in ast.walk(tree) if isinstance(each, ast.FunctionDef)]
    return any(node in ast.walk(function) for function in functions)


def changes_of(node: ast.AST) -> Iterator[ast.AST]:
    if isinstance(node, ast.AugAssign):
        yield ast.Assign([node.target], node.value, lineno=0)
        yield ast.AugAssign(node.target, ast.Sub(), node.value)
        yield ast.AugAssign(node.target, ast.Mult(), node.value)
    if isinstance(node, ast.BinOp):
        yield from changes_of_operation(node)
    if isinstance(node, ast.Constant) and type(node.value) in (int, float):
        for step in (-1, 1):
            yield ast.Constant(node.value + step)
        yield ast.Constant(-node.value)
    if isinstance(node, ast.UnaryOp):
        yield node.operand
    if isinstance(node, ast.Compare):
        memberships = [ast.In, ast.NotIn]
        is_membership = type(node.ops[0]) in memberships
        for operator in memberships if is_membership else COMPARISONS:
            yield ast.Compare(node.left, [operator()], node.comparators)
    if isinstance(node, ast.IfExp):
        yield node.body
        yield node.orelse
        yield ast.IfExp(node.test, node.orelse, node.body)
    if isinstance(node, ast.Call):
        yield from changes_of_call(node)
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
        swapped = {"self": "other", "other": "self", "child": "v", "v": "child", "t": "x"}
        if node.id in swapped:
            yield ast.Name(swapped[node.id], node.ctx)
    if isinstance(node, ast.Attribute) and node.attr in ("data", "grad"):
        yield ast.Attribute(node.value, "grad" if node.attr == "data" else "data", node.ctx)
    if isinstance(node, ast.Tuple) and len(node.elts) == 2:
        for element in node.elts:
            yield ast.Tuple([element], node.ctx)
    yield from changes_of_body(node)


def changes_of_operation(node: ast.BinOp) -> Iterator[ast.AST]:
    for operator in OPERATORS:
        if not isinstance(node.op, operator):
            yield ast.BinOp(node.left, operator(), node.right)
    yield node.left
    yield node.right
    yield ast.BinOp(node.right, node.op, node.left)
    yield ast.UnaryOp(ast.USub(), node)
    if isinstance(node.left, ast.BinOp):
        yield without_brackets(node, node.left)


def without_brackets(node: ast.BinOp, left: ast.BinOp) -> ast.AST:
    """(a - b) * c as a - b * c."""
    return ast.BinOp(left.left, left.op, ast.BinOp(left.right, node.op, node.right))


def changes_of_call(node: ast.Call) -> Iterator[ast.AST]:
    if len(node.args) == 1:
        yield node.args[0]
    if isinstance(node.func, ast.Attribute) and node.func.attr == "exp":
        yield ast.Call(ast.Attribute(node.func.value, "cos", ast.Load()), node.args, [])


def changes_of_body(node: ast.AST) -> Iterator[ast.AST]:
    """Drops each statement, and swaps each with the next."""
    body = getattr(node, "body", None)
    if not isinstance(body, list) or isinstance(node, (ast.Module, ast.ClassDef)):
        return
    for i in range(len(body)):
        changed = copy.copy(node)
        changed.body = body[:i] + body[i + 1 :] or [ast.Pass()]
        yield changed
    for i in range(len(body) - 1):
        changed = copy.copy(node)
        changed.body = body[:i] + [body[i + 1], body[i]] + body[i + 2 :]
        yield changed


@dataclass
class Outcome:
    """The data and grads of all values of a random graph, or the error of its engine."""

    numbers: list[float]
    error: str = ""

    def agrees(self, other: Outcome) -> bool:
        pairs = zip(self.numbers, other.numbers)
        same = all(math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-9) for a, b in pairs)
        return self.error == other.error and len(self.numbers) == len(other.numbers) and same


def run_random_graph(engine: type, seed: int) -> Outcome:
    """Runs the pass of a random graph."""
    try:
        values = random_graph(engine, seed)
        values[-1].backward()
        return Outcome([float(number) for each in values for number in (each.data, each.grad)])
    except Exception as error:
        return Outcome([], type(error).__name__)


def random_graph(engine: type, seed: int) -> list[Any]:
    """Three leaves, some values that are computed from them, and a root."""
    choose = random.Random(seed)
    values = [engine(choose.uniform(-2, 2)) for _ in range(3)]
    for _ in range(choose.randint(1, 14)):
        values.append(random_value(choose, values))
    return [*values, values[-1] + choose.choice(values) + choose.choice(values)]


def random_value(choose: random.Random, values: list[Any]) -> Any:
    """A value computed from others by an operation of the lecture."""
    x, y = choose.choice(values), choose.choice(values)
    number = choose.choice([2, -1.5, 3])
    small = x if abs(x.data) < 3 else x.tanh()
    return choose.choice(
        [
            lambda: x + y,
            lambda: x * y,
            lambda: x - y,
            lambda: x / y,
            lambda: x + number,
            lambda: number + x,
            lambda: x * number,
            lambda: number * x,
            lambda: number - x,
            lambda: number / x,
            lambda: x ** choose.choice([2, 3, -1, 2.0]),
            lambda: small.tanh(),
            lambda: small.exp(),
            lambda: small.relu(),
        ]
    )()


def differs(engine: type, right: list[Outcome]) -> bool:
    """Whether an engine differs from the right one on a random graph."""
    return any(
        not run_random_graph(engine, seed).agrees(outcome) for seed, outcome in enumerate(right)
    )


def right_outcomes() -> list[Outcome]:
    engine = load(SOURCE.read_text(), str(SOURCE))
    return [run_random_graph(engine, seed) for seed in range(GRAPHS)]
