"""A session of the calculator for programs in Python."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Callable, Optional, Union

from chainrule.dialogue import Dialogue, Error, Fields, read
from chainrule.display import picture_element, quiet_lines

# A number, a list of numbers, a list of lists, and so on.
Value = Union[float, list[Any]]

NOT_FINITE = {"nan": "NaN", "inf": "Infinity", "-inf": "-Infinity"}


@dataclass
class Answer:
    """The answer to one statement, in all forms that it has."""

    kind: str = ""
    text: str = ""
    latex: Optional[str] = None
    values: Fields = field(default_factory=dict)
    line: int = 0
    confirms: bool = False
    # How a notebook shows it, and the parts that it shows.
    output: str = ""
    cell: list[dict[str, str]] = field(default_factory=list)

    @property
    def svg(self) -> Optional[str]:
        """The first picture."""
        return next((part["svg"] for part in self.cell if "svg" in part), None)

    @property
    def html(self) -> str:
        """HTML that needs no style sheet."""
        return "".join(
            picture_element(part["svg"]) if "svg" in part else part["html"] for part in self.cell
        )


@dataclass
class Note:
    """A remark about a statement."""

    line: int = 0
    message: str = ""
    text: str = ""
    unknown_names: list[str] = field(default_factory=list)


@dataclass(repr=False)
class Answers:
    """What `Session.run` returns. A notebook shows tables and pictures, and notes come last."""

    answers: list[Answer] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)

    @property
    def text(self) -> str:
        """All answers, as in a terminal."""
        return "".join(answer.text for answer in self.answers)

    def __repr__(self) -> str:
        return "".join([self.text, *(note.text for note in self.notes)]).rstrip()

    def _repr_html_(self) -> str:
        notes = [quiet_lines(note.text) for note in self.notes]
        return "\n".join([answer.html for answer in self.answers] + notes)


class Session:
    """A running calculator. Several threads may use it; their requests follow one another."""

    def __init__(self) -> None:
        self._dialogue = Dialogue()

    def __enter__(self) -> Session:
        return self

    def __exit__(self, *reason: object) -> None:
        self.close()

    def close(self) -> None:
        """Ends the calculator."""
        self._dialogue.close()

    def ask(self, request: Fields, take: Callable[[Fields], object]) -> None:
        """Sends a request of `docs/guide/dialogue.md`; `take` gets each object of the answer."""
        self._dialogue.ask(request, take)

    def run(self, text: str) -> Answers:
        """Runs statements, as if they were pasted at the prompt. Raises `Error` if one fails."""
        require_texts('run("L = a^2")', text)
        found: list[Fields] = []
        self.ask({"run": text, "want": ["text", "cell", "latex", "values"]}, found.append)
        for each in found:
            if "error" in each:
                raise read(Error, each["error"])
        if found[-1]["done"] == "stopped":
            raise Error("another thread has stopped the statement")
        return Answers(
            [read(Answer, each["answer"]) for each in found if "answer" in each],
            [read(Note, each["note"]) for each in found if "note" in each],
        )

    def set(self, name: Optional[str] = None, value: Any = None, /, **values: Any) -> None:
        """Gives names numbers or lists: `set("w", [1, 2])`, `set(a=3, b=-1)`.

        A leaf moves, and all values above it follow, as by `:set`. Any other name is bound, as by
        `L = 7`: this replaces a computed L, and values that use the earlier L keep it.
        """
        if name is not None:
            require_texts('set("a", 3)', name)
            values[name] = value
        for each in values:
            if not re.fullmatch(r"[^\W\d]\w*", each):
                help = '`set("a", 3)` gives a name a number; `run(":set w[0] 3")` moves an item'
                raise Error(f"`{each}` is no name", help=help)
        self._dialogue.fetch(set={each: to_json(values[each], each) for each in values})

    def get(self, *names: str) -> Any:
        """The value of a name or an expression. Several give a dictionary."""
        require_texts('get("a", "L")', *names)
        values = self._values(names)
        return values[0] if len(names) == 1 else dict(zip(names, values))

    def grad(self, y: str, *names: str) -> dict[str, Value]:
        """The gradient of `y` with respect to these names, or to all leaves below `y`."""
        require_texts('grad("L", "a", "b")', y, *names)
        wanted = names or self._leaves(y)
        return dict(zip(wanted, self._values(f"grad({y}, {name})" for name in wanted)))

    def svg(self, statement: str = ":graph") -> str:
        """The picture that a statement such as `:graph L` or `:plot L a=-1..1` draws, as SVG."""
        for answer in reversed(self.run(statement).answers):
            if answer.svg:
                return answer.svg
        raise Error(f"`{statement}` draws no picture", help="write `:graph L` or `:plot L a=-1..1`")

    def _values(self, expressions: Iterable[str]) -> list[Value]:
        found = self._dialogue.fetch(get=list(expressions))["values"]
        return [from_json(value) for value in found]

    def _leaves(self, y: str) -> tuple[str, ...]:
        """The names of the leaves below y; the items of a list have one name."""
        try:
            order = self.run(f":topo {y}").answers[-1].values
        except Error as error:
            # The place is in a command that the caller has not written.
            raise Error(error.message, help=error.help) from None
        leaves = [name for name, level in zip(order["order"], order["levels"]) if level == 0]
        return tuple(dict.fromkeys(name.partition("[")[0] for name in leaves))


def require_texts(use: str, *given: object) -> None:
    """Raises an error that shows the right use, if something given is no text."""
    for each in given:
        if not isinstance(each, str):
            raise Error(f"{each!r} is no text", help=f"write `{use}`")


def to_json(value: Any, name: str) -> Any:
    """A number or nested lists of numbers, for this name; NumPy's are accepted, too."""
    if hasattr(value, "tolist"):
        return to_json(value.tolist(), name)
    if hasattr(value, "__iter__") and not isinstance(value, str):
        return [to_json(item, name) for item in value]
    try:
        number = float(value)
    except (TypeError, ValueError):
        help = f"give a number, a list or an array; of a table, a column: `x = {name}['x']`"
        raise Error(f"`{name}` takes numbers, and {value!r} is none", help=help) from None
    return number if math.isfinite(number) else NOT_FINITE[str(number)]


def from_json(value: Any) -> Value:
    """The inverse of `to_json`."""
    return [from_json(item) for item in value] if isinstance(value, list) else float(value)
