"""The page of the manual about Python: its examples are run, and print what the page shows."""

from __future__ import annotations

import contextlib
import io
import re
import sys
from pathlib import Path

import pytest

LECTURE = Path(__file__).with_name("lecture.py")
PAGE = Path(__file__).parents[2] / "docs/guide/python.md"
EXAMPLE = re.compile(r"```python\n(?P<code>.*?)```\n\n```text\n(?P<output>.*?)```", re.DOTALL)


def test_the_examples_print_what_the_page_shows(tmp_path, monkeypatch):
    pytest.importorskip("scipy")
    # The reader's engine: a factor is missing.
    source = LECTURE.read_text().replace(
        "other.grad += self.data * out.grad", "other.grad += self.data"
    )
    (tmp_path / "my_engine.py").write_text(source)
    monkeypatch.syspath_prepend(tmp_path)
    names: dict[str, object] = {}
    examples = list(EXAMPLE.finditer(PAGE.read_text()))
    assert len(examples) == 6
    for example in examples:
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(example["code"], names)
        assert printed.getvalue() == example["output"]
    del sys.modules["my_engine"]
