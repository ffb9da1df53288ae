"""The outputs of a cell, sent while it runs."""

from __future__ import annotations

from functools import partial
from typing import Callable, Optional

from chainrule.dialogue import Error, Fields, read
from chainrule.display import quiet_lines
from chainrule.session import Answer, Note

MIME_TYPES = {
    "text": "text/plain",
    "html": "text/html",
    "latex": "text/latex",
    "svg": "image/svg+xml",
}


class Cell:
    """The outputs of a cell. `take` receives what the program answers, and `finish` comes last."""

    def __init__(self, send: Callable[[str, Fields], object], count: int) -> None:
        self._send = send
        self._count = count
        self._outputs: list[Callable[[], object]] = []
        # The value of a statement that may be the last one, and the notes to be shown below it.
        self._value: Optional[Answer] = None
        self._notes: list[Note] = []
        self.error: Optional[Error] = None
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
        self.error = error

    def finish(self) -> Fields:
        """Shows what was kept, and returns the fields of the reply."""
        if self.error:
            self._show_notes()
            return self._show_error(self.error)
        for bundle in bundles(self._value) if self._value else []:
            self.result = bundle["text/plain"]
            content = {"execution_count": self._count, "data": bundle, "metadata": {}}
            self._show("execute_result", content)
        self._show_notes()
        return {"status": "ok", "payload": [], "user_expressions": {}}

    def _take_answer(self, answer: Answer) -> None:
        self._show_notes()
        self._value = answer if answer.output == "result" else None
        if answer.output in ("stream", "warning"):
            text = answer.text + "".join(part["text"] for part in answer.cell)
            name = "stdout" if answer.output == "stream" else "stderr"
            self._show("stream", {"name": name, "text": text})
        elif answer.output == "display":
            for bundle in bundles(answer):
                self._show("display_data", {"data": bundle, "metadata": {}})

    def _show_notes(self) -> None:
        for note in self._notes:
            text = note.text.rstrip()
            data = {"text/plain": text, "text/html": quiet_lines(text)}
            self._show("display_data", {"data": data, "metadata": {}})
        self._notes.clear()

    def _show_error(self, error: Error) -> Fields:
        content = {
            "ename": "Error",
            "evalue": error.message,
            "traceback": (error.cell or error.text).rstrip().split("\n"),
        }
        self._show("error", content)
        return {"status": "error", "payload": [], **content}

    def _show_progress(self, line: str) -> None:
        """Shows the line below the outputs, which are sent again, as only all can be cleared."""
        self._send("clear_output", {"wait": bool(line)})
        for show in self._outputs:
            show()
        if line:
            self._send("stream", {"name": "stderr", "text": line})

    def _show(self, type: str, content: Fields) -> None:
        show = partial(self._send, type, content)
        self._outputs.append(show)
        show()


def bundles(answer: Answer) -> list[dict[str, str]]:
    """The parts of an answer, each with the forms of which a frontend shows one."""
    parts = answer.cell or [{"text": answer.text}]
    return [
        {
            MIME_TYPES[form]: part[form].rstrip()
            for form in part
            # JupyterLab would prefer the HTML.
            if form != "html" or "latex" not in part
        }
        for part in parts
    ]
