"""Functions of arrays: values and derivatives are compared with formulas in NumPy."""

from __future__ import annotations

import pickle
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import pytest

from chainrule import Error
from chainrule.function import Function

numpy = pytest.importorskip("numpy")

T = numpy.linspace(0, 4, 9)


@pytest.fixture(name="decay", scope="module")
def exponential_decay():
    return Function("a*exp(-k*t)", "a k")


def test_values_are_those_of_numpy(decay):
    assert decay(T, 2, 0.5) == pytest.approx(2 * numpy.exp(-0.5 * T), rel=1e-12)


def test_the_gradient_has_a_row_for_each_item(decay):
    right = numpy.stack([numpy.exp(-0.5 * T), -T * 2 * numpy.exp(-0.5 * T)], axis=-1)
    assert decay.grad(T, 2, 0.5).shape == (9, 2)
    assert decay.grad(T, 2, 0.5) == pytest.approx(right, rel=1e-12)


def test_numbers_are_accepted(decay):
    assert decay(1.0, 2, 0.5) == pytest.approx(2 * numpy.exp(-0.5))
    assert decay.grad(1.0, 2, 0.5).shape == (2,)


def test_several_letters_are_rows():
    plane = Function("p*u + q*v^2", "p, q")
    assert plane([[1, 2], [3, 4]], 10, 100) == pytest.approx([910, 1620])
    assert plane.grad([[1, 2], [3, 4]], 10, 100) == pytest.approx(numpy.array([[1, 9], [2, 16]]))


def test_bound_letters_are_no_arguments():
    assert Function("sum(c*j for j in 1..3) + pi", "c").variables == []


def test_wrong_arguments_are_told(decay):
    told = r"is a function of t, a, k; 2 of 3 arguments are given: write `f\(t, a, k\)`"
    with pytest.raises(TypeError, match=told):
        decay(T, 2)
    with pytest.raises(TypeError, match=r"5 of 4 arguments are given: write `f\(\[u, v\], p, q\)`"):
        Function("p*u + q*v^2", "p, q")([1, 2, 3], 10, 100)
    with pytest.raises(TypeError, match=r"3 of 2 arguments are given: write `f\(\[x, y\]\)`"):
        Function("x*y", "x y")([1, 2, 3])


def test_shapes_that_do_not_fit_are_told(decay):
    told = r"`a\*exp\(-k\*t\)` need .*: t has \(9,\), a has \(3,\), k has \(\)"
    for call in (decay, decay.grad):
        with pytest.raises(ValueError, match=told):
            call(T, [1, 2, 3], 0.5)


@pytest.mark.parametrize("formula", ["a*", "q(a)", "[a, x]", "a*dot(x, x)", "2"])
def test_wrong_formulas_are_told_without_commands(formula):
    with pytest.raises(Error) as caught:
        Function(formula, "a")
    assert f"Function({formula!r}, 'a')" in caught.value.message
    assert ":export" not in caught.value.text and "f(a) = " not in caught.value.text


def test_a_function_can_be_pickled(decay):
    again = pickle.loads(pickle.dumps(decay))
    assert again(T, 2, 0.5) == pytest.approx(decay(T, 2, 0.5))
    # The process of a pool gets the function and its gradient by pickles.
    with ProcessPoolExecutor(1, get_context("spawn")) as pool:
        grads = pool.submit(decay.grad, T, 2, 0.5).result()
    assert grads == pytest.approx(decay.grad(T, 2, 0.5))


def test_parameters_without_letters_come_in_their_order():
    assert Function("x - y", "x y")([5, 3]) == Function("x - y", "x y")(5, 3) == 2
    assert Function("x - y", "y x")([5, 3]) == -2


def test_scipy_fits(decay):
    optimize = pytest.importorskip("scipy.optimize")
    found, _ = optimize.curve_fit(decay, T, decay(T, 2.5, 1.3), p0=[1, 1], jac=decay.grad)
    assert found == pytest.approx([2.5, 1.3])


@pytest.mark.parametrize("name", ["k", "lambda"])
def test_scipy_counts_the_parameters(name):
    optimize = pytest.importorskip("scipy.optimize")
    decay = Function(f"a*exp(-{name}*t)", f"a {name}")
    found, _ = optimize.curve_fit(decay, T, decay(T, 2.5, 1.3), jac=decay.grad)
    assert found == pytest.approx([2.5, 1.3])
    plane = Function("p*u + q*v", "p q")
    uv = numpy.array([[1.0, 2, 3], [3, 4, 7]])
    found, _ = optimize.curve_fit(plane, uv, plane(uv, 2, -1), jac=plane.grad)
    assert found == pytest.approx([2, -1])


def test_scipy_minimizes():
    optimize = pytest.importorskip("scipy.optimize")
    valley = Function("(1 - x)^2 + 100(y - x^2)^2", "x y")
    found = optimize.minimize(valley, [-1.0, 1.0], jac=valley.grad)
    assert found.x == pytest.approx([1, 1], abs=1e-4)


def test_a_parameter_that_the_formula_does_not_use_has_the_derivative_0():
    line = Function("a*t", "b a")
    assert line([1, 2], 5, 3) == pytest.approx([3, 6])
    assert line.grad([1, 2], 5, 3) == pytest.approx(numpy.array([[0, 1], [0, 2]]))
