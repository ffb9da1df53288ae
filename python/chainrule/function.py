"""Functions of NumPy arrays with exact derivatives, made from formulas."""

from __future__ import annotations

from inspect import Parameter, Signature
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from chainrule.dialogue import Error
from chainrule.session import Session


class Function:
    """A formula as a function of arrays, with the derivatives by its parameters.

    `f = Function("a*exp(-k*t)", "a k")` takes the other letters of the formula first: `f(t, a, k)`.
    The result has an item for each item of t. `f.grad(t, a, k)` has a row for each of them, and a
    column for each parameter. So scipy takes `curve_fit(f, t, y, p0=[2, 1], jac=f.grad)`. Several
    other letters are the rows of one array, as in `f([x, y], a, k)`. If there are none, all
    parameters are one array, as in `minimize(f, p0, jac=f.grad)`.
    """

    def __init__(self, formula: str, parameters: str) -> None:
        self.formula = formula
        self.parameters = parameters.replace(",", " ").split()
        try:
            with Session() as session:
                self.variables = other_letters(session, formula, self.parameters)
                self._module = exported(session, formula, self.parameters + self.variables)
        except Error as error:
            raise Error(f"`{self!r}`: {error.message}", help=error.help) from None
        # scipy's `curve_fit` counts the parameters of this signature.
        names = ["first", *(self.parameters if self.variables else [])]
        kind = Parameter.POSITIONAL_ONLY
        self.__signature__ = Signature([Parameter(name, kind) for name in names])

    def __reduce__(self) -> Any:
        # Copies and pickles are made from the formula, for the processes of a pool.
        return type(self), (self.formula, " ".join(self.parameters))

    def __repr__(self) -> str:
        return f"Function({self.formula!r}, {' '.join(self.parameters)!r})"

    def __call__(self, first: Any, *parameters: Any) -> Any:
        """The value for each item."""
        return self._evaluate(first, parameters)[0]

    def grad(self, first: Any, *parameters: Any) -> Any:
        """The derivatives by the parameters, in their order: a row for each item."""
        return self._evaluate(first, parameters)[1]

    def _evaluate(self, first: Any, parameters: tuple[Any, ...]) -> tuple[Any, Any]:
        """The values and the derivatives."""
        import numpy

        given = self._given(first, parameters)
        try:
            shape = numpy.broadcast_shapes(*map(numpy.shape, given.values()))
        except ValueError:
            shapes = ", ".join(f"{name} has {numpy.shape(given[name])}" for name in given)
            needed = f"the arrays for `{self.formula}` need shapes that fit together"
            raise ValueError(f"{needed}: {shapes}") from None
        # A letter that the formula does not use is no leaf, and its derivative is 0.
        names = self._module["names"]
        value, grads = self._module["of_leaves"]([given[name] for name in names])
        slopes = dict(zip(names, grads))
        columns = [numpy.broadcast_to(slopes.get(name, 0.0), shape) for name in self.parameters]
        return numpy.broadcast_to(value, shape).copy()[()], numpy.stack(columns, axis=-1)

    def _given(self, first: Any, parameters: tuple[Any, ...]) -> dict[str, Any]:
        """The number or the array for each letter."""
        is_one = len(self.variables) == 1 or not hasattr(first, "__len__")
        arguments = [*([first] if is_one else first), *parameters]
        letters = self.variables + self.parameters
        if len(arguments) != len(letters):
            rows = self.variables or self.parameters
            rest = self.parameters if self.variables else []
            call = ", ".join([rows[0] if len(rows) == 1 else f"[{', '.join(rows)}]", *rest])
            raise TypeError(
                f"`{self.formula}` is a function of {', '.join(letters)}; "
                f"{len(arguments)} of {len(letters)} arguments are given: write `f({call})`"
            )
        return dict(zip(letters, arguments))


def other_letters(session: Session, formula: str, parameters: list[str]) -> list[str]:
    """The names of a formula that are no parameters and have no number."""
    notes = session.run(f"f({', '.join(parameters)}) = {formula}").notes
    return [name for note in notes for name in note.unknown_names]


def exported(session: Session, formula: str, names: list[str]) -> dict[str, Any]:
    """What the exported program of a formula defines: `of_leaves` gives value and gradient."""
    session.run(f"f({', '.join(names)}) = {formula}")
    with TemporaryDirectory() as folder:
        path = Path(folder, "f.np.py")
        session.run(f':export f "{path}"')
        text = path.read_text(encoding="utf-8")
    module: dict[str, Any] = {"__name__": "exported"}
    exec(compile(text, "<exported>", "exec"), module)
    return module
