"""Engines of other kinds than the lecture's: no right one is called wrong, no wrong one right."""

from __future__ import annotations

import re

import mutants
import pytest

from chainrule.checks import Check, check

NUMPY = {"import math": "import math, numpy"}
NO_OP = {"self._op = _op": "pass"}
WRONG_PRODUCT = {"self.grad += other.data * out.grad": "self.grad += self.data * out.grad"}


def engine_with(changes: dict[str, str], source: str = mutants.SOURCE.read_text()) -> type:
    """The lecture's engine with other code in some places."""
    for old, new in changes.items():
        assert old in source
        source = source.replace(old, new)
    return mutants.load(source, f"<engine {changes} {len(source)}>")


def without(*methods: str) -> str:
    """The lecture's engine without some of its methods."""
    source = mutants.SOURCE.read_text()
    for name in methods:
        source, count = re.subn(rf"    def {name}\(.*?(?=\n    def |\Z)", "", source, flags=re.S)
        assert count == 1
    return source


def graph_of(engine: type, a=2.0, b=3.0):
    """The graph of a*b + a after its pass."""
    leaf = engine(a)
    root = leaf * engine(b) + leaf
    root.backward()
    return root


def is_unknown(found: Check) -> bool:
    """Whether a check says neither right nor wrong."""
    return not found.ok and found.findings == [] and "wrong:" not in str(found)


# Right and wrong engines, as far as a check can tell.


@pytest.mark.parametrize("changes", [NO_OP, {**NO_OP, **WRONG_PRODUCT}])
def test_a_graph_without_operations_is_not_called_right(changes):
    found = check(graph_of(engine_with(changes)))
    assert is_unknown(found)
    assert found.summary == "1 of 4 grads could be checked, and none is wrong"
    assert found.remarks == [
        "3 cannot be checked:",
        "  `@4`: it has no `_op`",
        "  `@3`: it has no `_op`",
        "`chainrule.check(Value)` builds graphs whose operations it knows",
    ]


def test_a_class_needs_no_operations():
    assert check(engine_with(NO_OP)).ok
    found = check(engine_with({**NO_OP, **WRONG_PRODUCT}))
    assert found.summary == "wrong: a = Value(0.7); b = Value(-0.8); L = a * b"
    assert found.findings[0].detail == "the grad of a is 0.7, not -0.8"


def test_a_wrong_grad_beside_unknown_ones_is_told():
    engine = engine_with({'(self,), "tanh"': '(self,), "tahn"', **WRONG_PRODUCT})
    a = engine(2.0)
    root = a * engine(3.0)
    found = check((root.tanh() + root) * engine(5.0) + a)
    assert found.summary == "2 of 5 grads are wrong"
    assert "`tahn`: its `_op` is 'tahn'" in str(found)
    assert found.findings[0].rule == "operand"


FLOATS = ["numpy.float32(data)", "numpy.float16(data)", "numpy.array(float(data))"]
FLOATS += ["numpy.atleast_1d(data) * 1.0", "numpy.float64(data)"]


@pytest.mark.parametrize("data", FLOATS)
def test_numbers_of_numpy_are_compared_as_exactly_as_they_are(data):
    pytest.importorskip("numpy")
    changes = {**NUMPY, "self.data = data": f"self.data = {data}", "math.exp": "numpy.exp"}
    right = engine_with(changes)
    assert check(right).ok
    assert check(graph_of(right)).ok
    wrong = check(engine_with({**changes, **WRONG_PRODUCT}))
    assert wrong.findings[0].rule == "operand"
    assert not check(graph_of(engine_with({**changes, **WRONG_PRODUCT}))).ok


def test_a_power_may_be_written_with_a_circumflex():
    assert str(check(engine_with({'f"**{other}"': 'f"^{other}"'}))).endswith(" graphs are right")


# Names.


NAMES = {
    "_prev": {"_prev": "_children"},
    "data": {"data": "value"},
    "grad": {"self.grad": "self.derivative", "other.grad": "other.derivative"},
    "backward": {"def backward": "def backprop"},
}


@pytest.mark.parametrize("name", NAMES)
def test_a_class_with_another_name_cannot_be_checked_before_it_has_the_needed_one(name):
    changes = {**NAMES[name], "out.grad": "out.derivative"} if name == "grad" else NAMES[name]
    engine = engine_with(changes)
    found = check(engine)
    assert is_unknown(found)
    assert found.summary.startswith(f"cannot be checked: `Value` has no `{name}`. If there is")
    line = found.summary.splitlines()[1].strip()
    own = {"_prev": "_children", "data": "value", "grad": "derivative", "backward": "backprop"}
    exec(line.replace("NAME", own[name]), {"Value": engine})
    assert check(engine).ok


def test_all_names_that_are_missing_are_listed():
    engine = engine_with({"data": "value", "_prev": "parents"})
    found = check(engine)
    assert "has no `data`, `_prev`. If there is another NAME" in found.summary
    assert is_unknown(found)
    assert is_unknown(check(graph_of(engine)))


def test_grads_that_are_set_by_hand_are_checked():
    engine = engine_with({}, without("backward"))
    assert "`Value` has no `backward`" in check(engine).summary
    a, b = engine(2.0), engine(3.0)
    root = a * b
    assert "`Value` has no `backward`" in check(root).summary
    root.grad, a.grad, b.grad = 1.0, 3.0, 2.0
    assert check(root).ok
    a.grad = 4.0
    assert check(root).summary == "1 of 3 grads are wrong"


def test_a_class_that_is_no_engine_cannot_be_checked():
    class Network:
        def __init__(self, size):
            self.data = self.grad = size
            self._prev = ()

        def backward(self):
            """Does nothing."""

    assert (
        check(Network).summary == "cannot be checked: `Network` has no operation, such as `__add__`"
    )
    assert is_unknown(check(int))


# Arrays.


ARRAYS = {
    "list": {"self.data = data": "self.data = [data]"},
    "attribute": {"self.data = data": "self.data = data; self.shape = data.shape"},
    "items": {
        "self.data + other.data": "[x + y for x, y in zip(self.data, other.data)]",
        "self.data * other.data": "[x * y for x, y in zip(self.data, other.data)]",
    },
    "shape": {**NUMPY, "self.data + other.data": "(self.data + other.data).reshape(1)"},
    "pass": {**NUMPY, "1.0 * out.grad": "numpy.ones(self.data.shape) * out.grad"},
}


@pytest.mark.parametrize("kind", ARRAYS)
def test_an_engine_of_arrays_cannot_be_checked(kind):
    pytest.importorskip("numpy")
    found = check(engine_with(ARRAYS[kind]))
    assert is_unknown(found)
    assert "cannot be checked" in str(found)


def test_a_graph_of_arrays_cannot_be_checked():
    numpy = pytest.importorskip("numpy")
    engine = engine_with({})
    for data in ([1.0, 2.0], numpy.array([1.0, 2.0])):
        leaf = engine(data)
        found = check(leaf + leaf)
        assert is_unknown(found)
        assert found.summary.endswith("and a check compares single numbers")


def test_data_that_is_no_number_is_wrong_if_that_of_the_leaves_is():
    finding = check(engine_with({"out = Value(t, (": "out = Value(Value(t), ("})).findings[0]
    assert finding.rule == "data"
    assert finding.detail.startswith("the data of L is Value(data=")


# Errors.


def test_an_error_in_a_turn_is_one_of_the_engine():
    for code in ('raise RuntimeError("no")', "1 / 0", "other.gard += 1"):
        finding = check(engine_with({"other.grad += self.data * out.grad": code})).findings[0]
        assert (finding.rule, finding.place.code) == ("error", code)


REFUSALS = {
    "backward": {"        topo = []": '        raise RuntimeError("give requires_grad=True")'},
    "__pow__": {"isinstance(other, (int, float))": "isinstance(other, int)"},
    "__init__": {"        self.data = data": '        raise TypeError("give a list")'},
}


@pytest.mark.parametrize("method", REFUSALS)
def test_what_an_engine_refuses_cannot_be_checked(method):
    found = check(engine_with(REFUSALS[method]))
    assert is_unknown(found)
    assert f"look at {method}, line " in str(found)
    assert "`chainrule.check(L)` checks the root L" in str(found)


def test_a_wrong_graph_is_found_after_one_that_is_refused():
    finding = check(engine_with({**REFUSALS["__pow__"], "(1 - t**2)": "(1 + t**2)"})).findings[0]
    assert finding.place.code == "self.grad += (1 + t**2) * out.grad"


def test_an_operator_that_is_not_implemented_cannot_be_checked():
    found = check(engine_with({"return other + (-self)": "return NotImplemented"}))
    assert is_unknown(found)
    assert found.summary == "Value: 1 of 20 graphs cannot be checked"
    assert found.remarks[0].startswith("`L = 3 - a` cannot be checked: TypeError: unsupported")


def test_operands_that_cannot_be_read_are_no_error_of_the_engine():
    engine = engine_with({"set(_children)": "len(_children)", "in v._prev": "in ()"})
    assert "`L = a + b` cannot be checked: TypeError: 'int' object" in str(check(engine))


def test_a_number_in_place_of_a_value_is_named():
    finding = check(engine_with({"return self * -1": "return -self.data"})).findings[0]
    assert finding.rule == "return"
    assert "`L = -a` gives -0.7: does" in finding.detail


def test_an_error_under_other_conditions_hides_no_wrong_grad():
    """The pass of this engine runs once."""
    once = 'assert self.grad == 0.0 and not hasattr(self, "done"); self.done = True'
    changes = {"        topo = []": f"        {once}; topo = []", **WRONG_PRODUCT}
    found = check(graph_of(engine_with(changes)))
    assert found.findings[0].rule == "grad"


def test_no_grad_counts_as_none_yet():
    lazy = {"self.grad = 0.0": "self.grad = None", "topo.append(v)": "topo.append(v); v.grad = 0.0"}
    engine = engine_with(lazy)
    a = engine(2.0)
    assert check(a * engine(3.0)).ok
    assert a.grad == 3.0
    assert check(engine).ok
    b = engine(3.0)
    root = a * b
    root.grad, a.grad, b.grad = 1.0, 3.0, None
    found = check(root)
    assert is_unknown(found)
    assert "`3`: its grad is None" in str(found)


def test_a_pass_that_gives_no_grad_cannot_be_checked():
    engine = engine_with(
        {"self.grad = 0.0": "self.grad = None", "        topo = []": "        return"}
    )
    found = check(engine)
    assert is_unknown(found)
    assert "the grad of a leaf is None after `L.backward()`" in str(found)


# What is not tried.


def test_methods_that_are_not_tried_are_listed():
    more = """    def log(self):
        out = Value(math.log(self.data), (self,), "log")

        def _backward():
            self.grad += 1 / out.data * out.grad

        out._backward = _backward
        return out

    def sigmoid(self):
        return 1 / (1 + (-self).exp())

    def __rpow__(self, other):
        return (self * math.log(other)).exp()

    def zero_grad(self):
        self.grad = 0.0

    def backward"""
    engine = engine_with({"    def backward": more})
    found = check(engine)
    assert found.summary == "Value: all 20 graphs are right"
    tells = "not tried, but `chainrule.check(L)` checks the root L of a graph with them"
    assert found.remarks == [f"{tells}: __rpow__, log, sigmoid"]
    assert not check(engine(2.0).log()).ok


HALF = ["__radd__", "__rmul__", "__truediv__", "__rtruediv__", "__neg__", "__sub__", "__rsub__"]
NO_NUMBERS = {"        other = other if isinstance(other, Value) else Value(other)\n": ""}


def test_the_first_half_of_the_lecture_is_right():
    source = without(*HALF, "__pow__", "exp", "relu")
    found = check(engine_with(NO_NUMBERS, source))
    assert found.ok
    assert found.summary == "Value: all 8 graphs are right"
    numbers = "not tried, because numbers beside values raise an error: L = a + 3, L = a * 3"
    assert found.remarks[1] == numbers
    assert not check(engine_with({**NO_NUMBERS, **WRONG_PRODUCT}, source)).ok
    # Numbers are tried as soon as a class takes them.
    assert "numbers beside values" not in str(check(engine_with({}, source)))
    assert check(engine_with({}, source)).summary == "Value: all 10 graphs are right"


def test_numbers_are_needed_beside_values_if_they_are_taken_on_the_left():
    finding = check(engine_with(NO_NUMBERS)).findings[0]
    assert finding.rule == "error"
    assert "'int' object has no attribute 'data'" in finding.detail
