"""Pictures of graphs that were built with the lecture's engine."""

from __future__ import annotations

import re

import pytest
from lecture import Value

from chainrule.checks import check
from chainrule.drawing import show, walk


@pytest.fixture(name="root")
def lecture_graph():
    a, b, c = Value(2.0, label="a"), Value(-3.0, label="b"), Value(10.0, label="c")
    e = a * b
    e.label = "e"
    root = e + c
    root.label = "L"
    root.backward()
    return root


def texts(svg: str) -> list[str]:
    return re.findall(r"<(?:text|tspan)[^>]*>([^<]+)<", svg)


def test_the_picture_has_the_data_and_grads_of_the_engine(root):
    picture = show(root)
    assert {"a", "b", "c", "e", "L", "-6", "4", "10", "2"} <= set(texts(picture.answers[0].svg))
    assert all(text in repr(picture) for text in ["data 10", "data -6", "grad -3", "grad  2"])
    assert picture.notes == []
    assert "<img" in picture._repr_html_()


def test_the_picture_has_wrong_grads_too(root):
    next(node for node in root._prev if node.label == "c").grad = 77.0
    assert "grad 77" in repr(show(root))


def test_wrong_data_is_told(root):
    root.data = 5.0
    picture = show(root)
    assert "data 5" in repr(picture)
    assert "L is drawn as a leaf: its data is not that of '+'" in picture.notes[0].text


def test_labels_that_are_no_names_are_shown():
    x = Value(2.0, label="x1")
    y = x * Value(3.0, label="for")
    y.label = "x1*w1 + b"
    y.backward()
    text = repr(show(y))
    assert "x1*w1 + b" in text
    assert "for" in text


def test_two_nodes_may_have_the_same_label():
    root = Value(2.0, label="a") * Value(5.0, label="a")
    root.backward()
    text = repr(show(root))
    assert "grad 5" in text
    assert "grad 2" in text


def test_an_unknown_operation_is_drawn_as_a_leaf(root):
    root._op = "frobnicate"
    picture = show(root)
    assert picture.notes[0].message == "L is drawn as a leaf: its `_op` is 'frobnicate'"
    assert "frobnicate" in picture._repr_html_()


def test_grads_that_are_not_finite_are_shown(root):
    root.grad = float("nan")
    assert "grad NaN" in repr(show(root))


def test_a_walk_has_a_stop_for_each_computed_node(root):
    walked = walk(root)
    assert walked.text.startswith("a backward walk of L: 2 stops")
    assert "1 of 2   L = e + c = 4" in walked.text
    assert "0 → -3" in walked.text
    assert repr(walked).endswith("done: every grad is what :grad shows")


def test_a_walk_tells_the_names_of_unlabelled_nodes():
    a, b = Value(2.0, label="a"), Value(-3.0, label="b")
    root = a * b + a
    root.label = "L"
    walked = walk(root)
    assert "L = node3 + a" in walked.text
    assert [note.message for note in walked.notes] == ["node3 is a*b"]


def chain(count: int):
    """A graph as deep as it has sums."""
    leaf = Value(1.0, label="x")
    root = leaf
    for _ in range(count):
        root = root + leaf
    return root


def test_other_objects_are_refused(root):
    for other in ["L", None, 3, Value, [root]]:
        for use in (show, walk):
            with pytest.raises(TypeError, match=r"is no value of an engine.*chainrule\.show\(L\)"):
                use(other)


def test_an_operand_that_is_no_value_is_refused(root):
    root._prev = [3]
    with pytest.raises(TypeError, match="3 is no value of an engine: it lacks data, grad, _prev"):
        show(root)


def test_a_circle_is_refused(root):
    leaf = next(node for node in root._prev if node.label == "c")
    leaf._prev = {root}
    for use in (show, walk):
        with pytest.raises(TypeError, match="is below itself: `_prev` goes in a circle"):
            use(root)
    found = check(root)
    assert not found.ok
    assert found.summary.startswith("cannot be checked: c is below itself")


def test_a_graph_is_drawn_up_to_a_size():
    assert "data 2000" in repr(show(chain(1999)))
    with pytest.raises(ValueError, match="at most 2000 nodes, and this graph has 2001"):
        show(chain(2000))


def test_a_deep_graph_is_walked():
    walked = walk(chain(5000))
    assert walked.text.startswith("a backward walk of node5001: 5,000 stops")
    assert "5000 → 5001" in walked.text


@pytest.mark.parametrize("label", ["_", "node2", "a\nb", 'a "b" \\n'])
def test_any_label_is_drawn(label):
    root = (Value(2.0) * Value(3.0, label=label)).tanh()
    assert " ".join(label.split()).replace('"', "'") in repr(show(root))
