"""The running program, and its requests and answers: `docs/guide/dialogue.md` describes them."""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import queue
import shutil
import subprocess
import sysconfig
import threading
import weakref
from dataclasses import dataclass
from typing import Any, Callable, Optional, TypeVar

Fields = dict[str, Any]
Record = TypeVar("Record")


@dataclass(eq=False, repr=False)
class Error(Exception):
    """A statement or a request that failed."""

    message: str
    line: Optional[int] = None
    column: Optional[int] = None
    help: Optional[str] = None
    text: str = ""
    # The text in the colours of a terminal, which notebooks show.
    cell: str = ""

    def __post_init__(self) -> None:
        help = ["help: " + self.help] if self.help else []
        self.text = self.text or "\n".join(["error: " + self.message, *help])
        # Copies and pickles are made from these arguments.
        super().__init__(self.message, self.line, self.column, self.help, self.text)

    def __str__(self) -> str:
        # A traceback begins with the name of the class.
        return self.text.rstrip().removeprefix("error: ")


# Tracebacks show the name that users import.
Error.__module__ = "chainrule"


def read(record: type[Record], found: Fields) -> Record:
    """The record of what the program has sent, without the fields of its later versions."""
    return record(**{name: found[name] for name in found if name in record.__annotations__})


class Dialogue:
    """A running program. Threads take turns: a request is sent when the one before it is done."""

    def __init__(self, *options: str) -> None:
        # Ctrl-C in a terminal reaches only Python, which then stops the request.
        process = subprocess.Popen(
            [find_program(), "--dialogue", *options],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            encoding="utf-8",
            start_new_session=True,
        )
        self._process = process
        self._owner = os.getpid()
        self._received: queue.Queue[Optional[Fields]] = queue.Queue()
        self._ids = itertools.count(1)
        self._running: Optional[int] = None
        self._turn = threading.Lock()
        self._writing = threading.Lock()
        threading.Thread(target=receive, args=(process, self._received), daemon=True).start()
        self.close = weakref.finalize(self, end, process)

    def ask(self, request: Fields, take: Callable[[Fields], object]) -> None:
        """Sends a request, and gives each object of the answer to `take` as soon as it is there."""
        if os.getpid() != self._owner:
            help = "start a session in this process: `chainrule.Session()`"
            raise Error("this session belongs to another process", help=help)
        with self._turn:
            self._running = number = self._send(request)
            try:
                self._receive_answer(number, take)
            except BaseException:
                self.stop()
                self._receive_answer(number, lambda fields: None)
                raise
            finally:
                self._running = None

    def fetch(self, **request: Any) -> Fields:
        """Sends a request, and returns all fields of its answer."""
        answer: Fields = {}
        self.ask(request, answer.update)
        if "error" in answer:
            raise read(Error, answer["error"])
        return answer

    def stop(self) -> None:
        """Stops the request that is running. Any thread may call this."""
        running = self._running
        if running is not None:
            self._send({"stop": running})

    def _send(self, request: Fields) -> int:
        assert self._process.stdin
        with self._writing:
            number = next(self._ids)
            try:
                self._process.stdin.write(json.dumps({"id": number, **request}) + "\n")
                self._process.stdin.flush()
            except (OSError, ValueError):
                raise self._ended() from None
        return number

    def _receive_answer(self, number: int, take: Callable[[Fields], object]) -> None:
        while self._running is not None:
            fields = self._receive()
            # Other objects answer a `stop`, or a request that Ctrl-C has left.
            if fields["id"] == number:
                take(fields)

    def _receive(self) -> Fields:
        fields = self._received.get()
        if fields is None:
            self._received.put(None)
            self._running = None
            raise self._ended()
        if "done" in fields and fields["id"] == self._running:
            self._running = None
        return fields

    def _ended(self) -> Error:
        return Error(
            f"the calculator has ended (exit status {self._process.wait()})",
            help="`chainrule.Session()` starts another; in a notebook, restart the kernel",
        )


def receive(process: subprocess.Popen[str], received: queue.Queue[Optional[Fields]]) -> None:
    """Reads all answers in a thread of its own, so that Ctrl-C never tears one apart."""
    assert process.stdout
    with process.stdout:
        for line in process.stdout:
            received.put(json.loads(line))
    received.put(None)


def end(process: subprocess.Popen[str]) -> None:
    """Ends the program by the end of its input, or kills it if it is too busy to read."""
    assert process.stdin
    # The pipe may be broken already.
    with contextlib.suppress(OSError):
        process.stdin.close()
    try:
        process.wait(timeout=1)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def find_program() -> str:
    """Where the program is: `CHAINRULE` names it, or it lies beside `pip`, or on the PATH."""
    folders = os.pathsep.join([sysconfig.get_path("scripts"), os.environ.get("PATH", "")])
    program = os.environ.get("CHAINRULE") or "chainrule"
    found = shutil.which(program, path=folders)
    if found:
        return found
    raise Error(
        f"there is no program `{program}`",
        help="`pip install chainrule` installs it; the variable CHAINRULE may hold its path",
    )
