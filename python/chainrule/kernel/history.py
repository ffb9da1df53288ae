"""The cells that were run, for consoles that ask the kernel for them."""

from __future__ import annotations

from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any, Optional

# Every start of the kernel is a session of its own, and earlier ones are not kept.
SESSION = 1


@dataclass
class Entry:
    """A cell that was run, and the text of its result."""

    count: int
    code: str
    result: Optional[str]

    def as_json(self, with_result: bool) -> list[Any]:
        """The entry as a `history_reply` has it."""
        return [SESSION, self.count, [self.code, self.result] if with_result else self.code]


def entries_in_range(entries: list[Entry], start: int, stop: Optional[int]) -> list[Entry]:
    """The entries with these counts; `stop` does not belong to them."""
    return [each for each in entries if start <= each.count and (not stop or each.count < stop)]


def matching_entries(entries: list[Entry], pattern: str, unique: bool) -> list[Entry]:
    """The entries whose code matches the pattern, in which `*` stands for anything."""
    found = [each for each in entries if fnmatchcase(each.code, pattern)]
    return list({each.code: each for each in found}.values()) if unique else found
