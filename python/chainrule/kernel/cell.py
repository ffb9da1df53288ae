"""The outputs of a cell, sent while it runs."""

from __future__ import annotations

import re
from functools import partial
from typing import Callable, Optional

from chainrule.dialogue import Error, Fields, read
from chainrule.display import inline_styles, light_picture, quiet_lines, without_pictures
from chainrule.session import Answer, Note

Bundle = dict[str, str]

COLOUR = re.compile(r"\x1b\[[0-9;]*m")


class Cell:
    """The outputs of a cell. `take` receives what the program answers, and `finish` comes last."""

    def __init__(self, send: Callable[[str, Fields], object], count: int) -> None:
        self._send = send
        self._count = count
        self._outputs: list[Callable[[], object]] = []
        # The value of a statement that may be the last one, and the notes to be shown below it.
        self._value: Optional[Answer] = None
        self._notes: list[Note] = []
        self._pages: list[Fields] = []
        self._error: Optional[Error] = None
        self.result: Optional[str] = None
        # The statement that a lesson proposes.
        self.next_line: Optional[str] = None

    def take(self, fields: Fields) -> None:
        """Shows an object of the answer, or keeps it for later."""
        if "answer" in fields:
            self._take_answer(read(Answer, fields["answer"]))
        elif "note" in fields:
            self._notes.append(read(Note, fields["note"]))
        elif "progress" in fields:
            self._show_progress(fields["progress"])
        elif "error" in fields:
            self.fail(read(Error, fields["error"]))
        elif fields["done"] == "stopped":
            self.fail(Error("stopped", help="`:undo` takes back what the last statement has done"))
        else:
            self.next_line = fields.get("line")

    def fail(self, error: Error) -> None:
        """Keeps the error, which becomes the last output."""
        self._error = error

    def finish(self) -> Fields:
        """Shows what was kept, and returns the fields of the reply."""
        if self._error:
            self._show_notes()
            return self._show_error(self._error)
        for bundle in bundles(self._value) if self._value else []:
            self.result = bundle["text/plain"]
            content = {"execution_count": self._count, "data": bundle, "metadata": {}}
            self._show("execute_result", content)
        self._show_notes()
        return {"status": "ok", "payload": self._pages, "user_expressions": {}}

    def _take_answer(self, answer: Answer) -> None:
        self._show_notes()
        self._value = answer if answer.kind == "value" else None
        if answer.kind == "help":
            page = {"text/plain": plain(answer.text)}
            self._pages.append({"source": "page", "data": page, "start": 0})
        elif answer.kind == "print" or (answer.kind == "block" and not answer.confirms):
            self._show("stream", {"name": "stdout", "text": plain(answer.text)})
        elif answer.kind not in ("binding", "function", "label", "value"):
            for bundle in bundles(answer):
                self._show("display_data", {"data": bundle, "metadata": {}})

    def _show_notes(self) -> None:
        for note in self._notes:
            text = plain(note.text).rstrip()
            data = {"text/plain": text, "text/html": quiet_lines(text)}
            self._show("display_data", {"data": data, "metadata": {}})
        self._notes.clear()

    def _show_error(self, error: Error) -> Fields:
        content = {
            "ename": "Error",
            "evalue": error.message,
            "traceback": error.text.rstrip().split("\n"),
        }
        self._show("error", content)
        return {"status": "error", "payload": [], **content}

    def _show_progress(self, line: str) -> None:
        """Shows the line below the outputs, which are sent again, as only all can be cleared."""
        self._send("clear_output", {"wait": bool(line)})
        for show in self._outputs:
            show()
        if line:
            self._send("stream", {"name": "stderr", "text": plain(line)})

    def _show(self, type: str, content: Fields) -> None:
        show = partial(self._send, type, content)
        self._outputs.append(show)
        show()


def bundles(answer: Answer) -> list[Bundle]:
    """The forms in which frontends show an answer; a picture is an output of its own."""
    text = {"text/plain": plain(answer.text).rstrip()}
    if answer.kind == "formula" and answer.latex:
        return [{**text, "text/latex": typeset(answer.latex)}]
    if answer.kind == "value":
        return [text]
    html = inline_styles(without_pictures(answer.html or ""))
    elements = {"text/html": html} if html else {}
    if not answer.svg:
        return [{**text, **elements}]
    # The text has the picture and all else, so a console shows nothing twice.
    picture = {**text, "image/svg+xml": light_picture(answer.svg)}
    return [picture, elements] if elements else [picture]


def typeset(latex: str) -> str:
    """Formulas for a frontend, one a line. The name of a rule may stand before a formula."""
    lines = [line.replace(r"\quad ", " & ", 1) for line in latex.split("\n")]
    rows = " \\\\\n".join(f"\\displaystyle {line}" for line in lines)
    return f"$$\\begin{{array}}{{ll}}\n{rows}\n\\end{{array}}$$"


def plain(text: str) -> str:
    """The text without the colours of a terminal."""
    return COLOUR.sub("", text)
