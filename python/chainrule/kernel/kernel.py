"""The kernel: a session of the calculator for one notebook."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version
from typing import Any, Optional

from ipykernel.kernelbase import Kernel

from chainrule.dialogue import Dialogue, Error, Fields, read
from chainrule.kernel.cell import Cell
from chainrule.kernel.history import Entry, entries_in_range, matching_entries
from chainrule.session import Answer

try:
    VERSION = version("chainrule")
except PackageNotFoundError:
    VERSION = "unknown"


class ChainruleKernel(Kernel):
    """Answers the messages of Jupyter."""

    implementation = "chainrule"
    implementation_version = VERSION
    banner = "chainrule, a calculator that differentiates. `:help` shows what you can type."
    language_info = {
        "name": "chainrule",
        "version": VERSION,
        "mimetype": "text/x-chainrule",
        "file_extension": ".calc",
        "codemirror_mode": "python",
        "pygments_lexer": "chainrule",
    }

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        self.dialogue = Dialogue()
        self.entries: list[Entry] = []
        self.proposed: Optional[str] = None

    async def do_execute(
        self,
        code: str,
        silent: bool,
        store_history: bool = True,
        user_expressions: Optional[Fields] = None,
        allow_stdin: bool = False,
        **cell_about: Any,
    ) -> Fields:
        """Runs a cell."""
        cell = Cell(self._ignore if silent else self._publish, self.execution_count)
        try:
            self.dialogue.ask({"run": code, "want": ["cell"], "letters": True}, cell.take)
        except Error as error:
            cell.fail(error)
        except KeyboardInterrupt:
            cell.fail(Error("stopped"))
        reply = cell.finish()
        # A lesson stays at its line until it has run, and proposes it once.
        if cell.next_line and cell.next_line != self.proposed:
            next_cell = {"source": "set_next_input", "text": cell.next_line, "replace": False}
            reply["payload"].append(next_cell)
        self.proposed = cell.next_line
        if store_history:
            self.entries.append(Entry(self.execution_count, code, cell.result))
        return {**reply, "execution_count": self.execution_count}

    async def interrupt_request(self, stream: Any, ident: Any, parent: Any) -> None:
        """Stops the cell that runs. A thread of its own receives this message."""
        self.dialogue.stop()
        assert self.session
        self.session.send(stream, "interrupt_reply", {"status": "ok"}, parent, ident=ident)

    async def do_complete(self, code: str, cursor_pos: int) -> Fields:
        """Completes the word before the cursor."""
        line_start = code.rfind("\n", 0, cursor_pos) + 1
        line = code[line_start:].partition("\n")[0]
        try:
            found = self.dialogue.fetch(complete=line, cursor=cursor_pos - line_start)
        except Error:
            # The program has ended. The next cell says so.
            found = {"start": 0, "end": 0, "entries": []}
        start, end = line_start + found["start"], line_start + found["end"]
        # A blank after a completion is for the prompt.
        types = [
            {"start": start, "end": end, "text": each["text"].rstrip(), "type": each["type"]}
            for each in found["entries"]
        ]
        return {
            "status": "ok",
            "matches": [each["text"] for each in types],
            "cursor_start": start,
            "cursor_end": end,
            "metadata": {"_jupyter_types_experimental": types},
        }

    async def do_inspect(
        self, code: str, cursor_pos: int, detail_level: int = 0, omit_sections: Any = ()
    ) -> Fields:
        """Describes the name or the command at the cursor."""
        found = self.dialogue.fetch(inspect=code, cursor=cursor_pos, want=["text", "cell"])
        answer = read(Answer, found.get("answer", {}))
        data = {"text/plain": answer.text, "text/html": answer.html} if found["found"] else {}
        return {"status": "ok", "found": found["found"], "data": data, "metadata": {}}

    async def do_is_complete(self, code: str) -> Fields:
        """Says whether Enter runs the text or continues it."""
        look = self.dialogue.fetch(look=code)
        if look["state"] == "incomplete":
            return {"status": "incomplete", "indent": look["indent"]}
        return {"status": "complete" if look["state"] == "whole" else "invalid"}

    async def do_history(
        self,
        hist_access_type: str,
        output: bool,
        raw: bool,
        session: Optional[int] = None,
        start: int = 0,
        stop: Optional[int] = None,
        n: Optional[int] = None,
        pattern: str = "*",
        unique: bool = False,
    ) -> Fields:
        """Lists cells that were run."""
        entries = self.entries
        if hist_access_type == "range":
            entries = entries_in_range(entries, start, stop)
        elif hist_access_type == "search":
            entries = matching_entries(entries, pattern, unique)
        return {"status": "ok", "history": [each.as_json(output) for each in entries[-(n or 0) :]]}

    async def do_shutdown(self, restart: bool) -> Fields:
        """Ends the calculator with the kernel."""
        self.dialogue.close()
        return {"status": "ok", "restart": restart}

    def _publish(self, type: str, content: Fields) -> None:
        self.send_response(self.iopub_socket, type, content)

    def _ignore(self, type: str, content: Fields) -> None:
        """Takes the place of `_publish` for a cell that is run silently."""
