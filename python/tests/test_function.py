"""Functions of arrays: values and derivatives are compared with formulas in NumPy."""

from __future__ import annotations

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
    with pytest.raises(TypeError, match="is a function of t, a, k; 2 of 3 arguments are given"):
        decay(T, 2)


def test_wrong_formulas_are_told():
    with pytest.raises(Error, match="expected an expression"):
        Function("a*", "a")


def test_scipy_fits(decay):
    optimize = pytest.importorskip("scipy.optimize")
    found, _ = optimize.curve_fit(decay, T, decay(T, 2.5, 1.3), p0=[1, 1], jac=decay.grad)
    assert found == pytest.approx([2.5, 1.3])


def test_scipy_minimizes():
    optimize = pytest.importorskip("scipy.optimize")
    valley = Function("(1 - x)^2 + 100(y - x^2)^2", "x y")
    found = optimize.minimize(valley, [-1.0, 1.0], jac=valley.grad)
    assert found.x == pytest.approx([1, 1], abs=1e-4)
