"""`%load_ext chainrule`: cells of the calculator in a Python notebook."""

from __future__ import annotations

import sys
from typing import Any, Optional

from chainrule.dialogue import Error, Fields
from chainrule.kernel.cell import Cell
from chainrule.session import Session


def load_ipython_extension(shell: Any) -> None:
    """Adds the magics. `%reload_ext chainrule` starts a new session."""
    shell.register_magic_function(Magic(shell).chainrule, "line_cell", "chainrule")


class Magic:
    """The magics of one notebook, with the session in which their statements run."""

    def __init__(self, shell: Any) -> None:
        self._shell = shell
        self._session = Session()
        # A terminal shows pictures as text.
        self._want = ["cell"] if hasattr(shell, "kernel") else ["text"]

    def chainrule(self, line: str, cell: Optional[str] = None) -> None:
        """Runs statements of the calculator, in a session that lasts.

        `%chainrule :grad y` runs one line. `%%chainrule -i lr,xs -o y` runs a cell. Before it, the
        session gets the names after -i from Python: numbers, lists, NumPy arrays or columns of
        pandas. After it, Python gets the names after -o: a number as a float, and a list as an
        array if NumPy is imported, else as a list.
        """
        try:
            if cell is None:
                self._run(line)
                return
            inputs, outputs = names_in(line)
            for name in inputs:
                if name not in self._shell.user_ns:
                    example = f"`{name} = 2` in a cell of Python makes it"
                    raise Error(f"Python has no `{name}`", help=example)
                self._session.set(name, self._shell.user_ns[name])
            self._run(cell)
            self._shell.push({name: for_python(self._session.get(name)) for name in outputs})
        except Error as error:
            fail(error.text)

    def _run(self, text: str) -> None:
        """Runs statements and shows their answers."""
        cell = Cell(publish, 0)
        self._session.ask({"run": text, "want": self._want, "letters": True}, cell.take)
        cell.finish()
        if cell.error:
            raise cell.error


def names_in(line: str) -> tuple[list[str], list[str]]:
    """The names after -i and -o."""
    from IPython.core.magic_arguments import MagicArgumentParser

    parser = MagicArgumentParser(prog="%%chainrule")
    parser.add_argument("-i", metavar="NAMES", default="")
    parser.add_argument("-o", metavar="NAMES", default="")
    options = parser.parse_argstring(line)
    return options.i.split(",") if options.i else [], options.o.split(",") if options.o else []


def for_python(value: Any) -> Any:
    """A list as an array of NumPy if that is imported."""
    numpy = sys.modules.get("numpy")
    return numpy.array(value) if numpy and isinstance(value, list) else value


def fail(text: str) -> None:
    """Ends the cell of Python with an error that needs no traceback."""
    from IPython.core.error import UsageError

    raise UsageError(text.removeprefix("error: "))


def publish(type: str, content: Fields) -> None:
    """Shows an output in the notebook, or in the terminal of IPython."""
    from IPython.display import clear_output, display

    if type == "stream":
        print(content["text"], end="", file=getattr(sys, content["name"]))
    elif type == "clear_output":
        clear_output(wait=content["wait"])
    elif "data" in content:
        display(content["data"], raw=True)
