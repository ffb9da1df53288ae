"""Checks of engines: mutants of the lecture's engine are found, right ones are not blamed."""

from __future__ import annotations

import math
from dataclasses import dataclass

import mutants
import pytest
from lecture import Value

from chainrule.checks import GRAPHS, LEAVES, Check, check
from chainrule.graphs import MEANINGS, meanings_of


def engine_with(old: str, new: str) -> type:
    """The lecture's engine with other code in place of `old`."""
    source = mutants.SOURCE.read_text()
    assert source.count(old) == 1
    return mutants.load(source.replace(old, new), f"<{new}>")


def rules(found: Check) -> list[str]:
    return [finding.rule for finding in found.findings]


def labelled(**values):
    for name, value in values.items():
        value.label = name
    return list(values.values())


def test_every_mutant_is_found_and_no_equal_one_is_blamed():
    right = mutants.right_outcomes()
    assert not any(outcome.error for outcome in right)
    wrong, missed, blamed = 0, [], []
    for mutant in mutants.mutants():
        engine = mutant.engine()
        differs, ok = mutants.differs(engine, right), check(engine).ok
        wrong += differs
        missed += [mutant] if differs and ok else []
        blamed += [mutant] if not differs and not ok else []
    assert wrong > 500
    assert missed == []
    assert blamed == []


def test_the_lecture_is_right():
    found = check(Value)
    assert found.ok
    assert str(found) == "Value: all 20 graphs are right"


def test_what_a_class_lacks_is_not_tried():
    class Sums:
        def __init__(self, data, prev=()):
            self.data, self.grad, self._prev, self._op = data, 0.0, prev, "+"

        def __add__(self, other):
            other = other if isinstance(other, Sums) else Sums(other)
            return Sums(self.data + other.data, (self, other))

        def backward(self):
            self.grad += 1.0
            for operand in self._prev:
                operand.backward()

    found = check(Sums)
    assert found.ok
    assert found.summary == "Sums: all 4 graphs are right"
    assert found.remarks[0].startswith("not tried, because Sums lacks them: __mul__, __neg__")


def test_there_are_twenty_graphs():
    assert len(GRAPHS) == 20


def test_random_graphs_of_the_lecture_are_right():
    rows = []
    for seed in range(mutants.GRAPHS):
        found = check(mutants.random_graph(Value, seed)[-1])
        assert found.ok, found
        rows += found.rows
    assert sum(row.right is None for row in rows) < 0.02 * len(rows)


@dataclass
class Slip:
    """A change of the lecture's code, and the rule and the line that a check names, if it can."""

    old: str
    new: str
    rule: str
    line: str


SLIPS = [
    Slip(
        "self.grad += other.data * out.grad",
        "self.grad = other.data * out.grad",
        "overwrite",
        "self.grad = other.data * out.grad",
    ),
    Slip(
        "other.grad += self.data * out.grad",
        "other.grad += self.data",
        "noupstream",
        "other.grad += self.data",
    ),
    Slip(
        "self.grad += (1 - t**2) * out.grad",
        "self.grad += 1 - t**2 * out.grad",
        "parenthesis",
        "self.grad += 1 - t**2 * out.grad",
    ),
    Slip(
        "self.grad += other.data * out.grad",
        "self.grad += self.data * out.grad",
        "operand",
        "self.grad += self.data * out.grad",
    ),
    Slip(
        "self.grad += out.data * out.grad",
        "self.grad += out.grad",
        "local",
        "self.grad += out.grad",
    ),
    Slip(
        "self.grad += out.data * out.grad",
        "self.grad -= out.data * out.grad",
        "sign",
        "self.grad -= out.data * out.grad",
    ),
    Slip(
        "reversed(topo)",
        "topo",
        "order",
        "node._backward()",
    ),
    Slip(
        "self.grad = 1.0\n",
        "pass\n",
        "seed",
        "def backward(self):",
    ),
    Slip(
        "                visited.add(v)\n",
        "",
        "order",
        "node._backward()",
    ),
    Slip(
        "self.grad = 0.0",
        "self.grad = 1.0",
        "nozero",
        "",
    ),
    Slip(
        "self.data + other.data",
        "self.data - other.data",
        "data",
        "",
    ),
]


@pytest.mark.parametrize("slip", SLIPS, ids=lambda slip: slip.new.strip())
def test_slips_are_named(slip):
    finding = check(engine_with(slip.old, slip.new)).findings[0]
    assert finding.rule == slip.rule
    assert (finding.place.code if finding.place else "") == slip.line
    assert f"{slip.rule}: " in str(finding)


ORDERS = {
    "queue": """
        queue = [self]
        while queue:
            node = queue.pop(0)
            node._backward()
            queue.extend(node._prev)
""",
    "queue-visited": """
        queue, visited = [self], {self}
        while queue:
            node = queue.pop(0)
            node._backward()
            for v in node._prev:
                if v not in visited:
                    visited.add(v)
                    queue.append(v)
""",
    "recursive": """
        def pass_on(node):
            node._backward()
            for v in node._prev:
                pass_on(v)
        pass_on(self)
""",
}


@pytest.mark.parametrize("order", ORDERS)
def test_passes_without_topological_order_are_found(order):
    loop = "        for node in reversed(topo):\n            node._backward()\n"
    assert rules(check(engine_with(loop, ORDERS[order]))) == ["order"]


def test_a_call_in_place_of_the_function_is_found():
    source = mutants.SOURCE.read_text()
    assert source.count("out._backward = _backward\n") == 6
    calls = source.replace("out._backward = _backward\n", "out._backward = _backward()\n")
    finding = check(mutants.load(calls, "<calls>")).findings[0]
    assert finding.rule == "error"
    assert finding.place.code == "node._backward()"


def test_a_node_with_an_operand_twice_does_not_tell_the_line():
    engine = engine_with("other.grad += self.data * out.grad", "other.grad += self.data")
    a = engine(3.0)
    root = (a * a).exp()
    root.backward()
    finding = check(root).findings[0]
    assert finding.rule == "contribution"
    assert finding.place.code == "def _backward():"


def test_a_second_pass_without_zeroing_is_named():
    a, b = labelled(a=Value(2.0), b=Value(-3.0))
    root = a * b + a
    root.backward()
    assert check(root).ok
    root.backward()
    assert rules(check(root)) == ["nozero"]


def test_new_data_after_the_graph_was_computed_is_not_blamed():
    a, b = labelled(a=Value(2.0), b=Value(-3.0))
    root = a * b
    root.backward()
    a.data = 5.0
    found = check(root)
    assert not found.ok
    assert found.findings == []
    assert "its data is not that of '*' with the data that its operands have now" in str(found)


def test_a_check_changes_nothing():
    engine = engine_with("reversed(topo)", "topo")
    values = [engine(0.5), engine(-2.0)]
    values += [values[0] * values[1], values[0] + values[1]]
    root = values[2] * values[3]
    root.backward()
    before = [(each.data, each.grad, each._backward) for each in [*values, root]]
    assert not check(root).ok
    assert [(each.data, each.grad, each._backward) for each in [*values, root]] == before


def test_a_check_without_a_pass_runs_it():
    a = Value(3.0)
    root = a * a
    assert check(root).ok
    assert a.grad == 6.0


class Plain:
    """A value without any operations, for graphs made by hand."""

    def __init__(self, data, prev=(), op="", grad=0.0):
        self.data, self._prev, self._op, self.grad = data, set(prev), op, grad

    def backward(self):
        """Leaves all grads as they are."""


def minus(x: float, y: float, x_grad: float, y_grad: float) -> Check:
    """The check of x - y with these grads."""
    left, right = Plain(x, grad=x_grad), Plain(y, grad=y_grad)
    return check(Plain(x - y, [left, right], "-", grad=1.0))


def test_the_order_of_a_difference_is_told_by_the_data():
    assert minus(5.0, 3.0, 1.0, -1.0).ok
    assert not minus(5.0, 3.0, -1.0, 1.0).ok


def test_equal_operands_of_a_difference_cannot_be_told():
    found = minus(3.0, 3.0, -1.0, 1.0)
    assert not found.ok
    assert found.findings == []
    assert found.summary == "1 of 3 grads could be checked, and none is wrong"
    assert "2 cannot be checked" in str(found)


def test_an_unknown_operation_is_never_blamed():
    leaf = Plain(2.0, grad=7.0)
    inner = Plain(1.0, [leaf], "frobnicate", grad=3.0)
    root = Plain(3.0, [inner], "*", grad=1.0)
    found = check(root)
    assert not found.ok
    assert found.findings == []
    assert "its `_op` is 'frobnicate'" in str(found)


def test_the_slope_of_relu_at_zero_cannot_be_told():
    leaf = Plain(0.0, grad=0.5)
    found = check(Plain(0.0, [leaf], "relu", grad=1.0))
    assert not found.ok
    assert found.findings == []
    assert found.remarks[1] == "  `relu`: it has no derivative at the data of its operands"


def test_other_objects_are_refused():
    with pytest.raises(TypeError, match=r"3 is no value of an engine.*check\(L\)"):
        check(3)
    with pytest.raises(TypeError, match="is no value of an engine"):
        check(abs)


def test_errors_of_the_engine_show_their_line():
    engine = engine_with(
        "out._backward = _backward\n        return out\n\n    def __mul__",
        "return ou\n\n    def __mul__",
    )
    finding = check(engine).findings[0]
    assert finding.rule == "error"
    assert "NameError" in finding.detail
    assert finding.place.code == "return ou"


def test_the_table_lists_wrong_grads():
    engine = engine_with("self.grad += out.data * out.grad", "self.grad += out.grad")
    root = engine(0.7).exp() + 1
    root.backward()
    lines = str(check(root)).splitlines()
    assert lines[0] == "1 of 4 grads are wrong"
    assert lines[1].split() == ["node", "expression", "data", "right", "yours"]
    assert lines[2].split() == ["0.7", "leaf", "0.7", f"{math.exp(0.7):.6g}", "1"]
    assert lines[3] == "local: the local derivative is missing as a factor"


def test_large_graphs_are_checked():
    root, leaf = Plain(0.0), Plain(0.001, grad=20_000 * 2 * 0.001)
    for _ in range(20_000):
        square = Plain(leaf.data**2, [leaf], "*", grad=1.0)
        root = Plain(root.data + square.data, [root, square], "+", grad=1.0)
    found = check(root)
    assert [row.data for row in found.rows if row.wrong] == [0.0]


@pytest.mark.parametrize("op", [*MEANINGS, "**3", "**-1", "**0.5"])
def test_slopes_are_those_of_differences(op):
    step = 1e-6
    for operation in meanings_of(op):
        operands = [1.3, 0.7][: len(operation.slopes)]
        for position, slope in enumerate(operation.slopes):
            below, above = (
                operation.value(*[x + move * (i == position) for i, x in enumerate(operands)])
                for move in (-step, step)
            )
            assert slope(*operands) == pytest.approx((above - below) / (2 * step), rel=1e-8)


def test_leaves_are_not_special():
    assert all(abs(value) not in (0, 1, 2) for value in LEAVES.values())


@pytest.mark.parametrize("operation", ["exp", "tanh", "ReLU"])
def test_an_operation_that_forgets_its_operand_is_found(operation):
    assert not check(engine_with(f'(self,), "{operation}"', f'(), "{operation}"'))


def test_a_pass_that_has_not_run_is_not_called_unzeroed():
    a = Value(2.0)
    (a * 3).backward()
    assert rules(check(a * 5)) == ["unfinished"]


WRONG_OPS = {
    '"tanh")': ('"exp")', "its data is not that of 'exp'"),
    'other), "*")': ("other))", "it has no `_op`"),
    'f"**{other}"': ('"pow"', "its `_op` is 'pow'"),
}


@pytest.mark.parametrize("old", WRONG_OPS)
def test_a_wrong_op_is_told_though_the_grads_are_right(old):
    new, doubt = WRONG_OPS[old]
    found = check(engine_with(old, new))
    assert found.ok
    assert found.remarks[0].startswith("missing or wrong `_op` or `_prev` in `")
    assert doubt in found.remarks[0]


# The end of each method of the lecture that makes a node.
ENDINGS = {
    "a + b": "other.grad += 1.0 * out.grad\n",
    "a * b": "other.grad += self.data * out.grad\n",
    "e = d**3": "(self.data ** (other - 1)) * out.grad\n",
    "e = d.tanh()": "(1 - t**2) * out.grad\n",
    "e = d.exp()": "self.grad += out.data * out.grad\n",
    "e = d.relu()": "(out.data > 0) * out.grad\n",
}


@pytest.mark.parametrize("statement", ENDINGS)
def test_a_missing_return_is_named(statement):
    end = ENDINGS[statement] + "\n        out._backward = _backward\n"
    finding = check(engine_with(end + "        return out\n", end)).findings[0]
    assert finding.rule == "return"
    assert f"{statement}` gives None: does its method end with `return out`?" in finding.detail


@pytest.mark.parametrize("statement", ENDINGS)
def test_a_function_that_is_not_set_is_named(statement):
    end = ENDINGS[statement] + "\n"
    (finding,) = check(engine_with(end + "        out._backward = _backward\n", end)).findings
    assert finding.rule == "nothing"
    assert "is `out._backward = _backward` missing" in str(finding)
    assert finding.place is None


def test_a_missing_line_is_named_with_its_function():
    finding = check(engine_with("            other.grad += self.data * out.grad\n", "")).findings[0]
    assert finding.rule == "nothing"
    assert finding.place.code == "def _backward():"


EQUALITY = """    def __eq__(self, other):
        return isinstance(other, Value) and self.data == other.data

    def __hash__(self):
        return hash(self.data)

    def __repr__"""
BY_ID = {
    "visited.add(v)": "visited.add(id(v))",
    "v not in visited": "id(v) not in visited",
    "set(_children)": "tuple(_children)",
}


def engine_with_equality(changes: dict[str, str]) -> type:
    """The lecture's engine, whose values are equal if their data is, with other changes."""
    source = mutants.SOURCE.read_text()
    for old, new in {"    def __repr__": EQUALITY, **changes}.items():
        assert source.count(old) == 1
        source = source.replace(old, new)
    return mutants.load(source, f"<equality {changes}>")


def test_an_engine_with_equality_that_keeps_all_nodes_is_right():
    engine = engine_with_equality(BY_ID)
    assert check(engine).ok
    values = [engine(2.0), engine(2.0)]
    assert check(values[0] * values[1] + values[1]).ok
    assert values[0].grad == 2.0


@pytest.mark.parametrize("kept", BY_ID)
def test_a_node_that_is_lost_by_equality_is_named(kept):
    """One place that compares data is enough, and a loop has two."""
    both = {"visited.add(v)", "v not in visited"}
    lost = both if kept in both else {kept}
    changes = {old: new for old, new in BY_ID.items() if old not in lost}
    finding = check(engine_with_equality(changes)).findings[0]
    assert finding.rule == "equal"
    assert finding.place.code == "def __eq__(self, other):"


def test_a_slip_in_an_engine_with_equality_keeps_its_name():
    slip = {"other.grad += self.data * out.grad": "other.grad += self.data"}
    assert rules(check(engine_with_equality({**BY_ID, **slip}))) == ["noupstream"]
