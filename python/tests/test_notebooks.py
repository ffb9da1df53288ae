"""The notebooks of `examples/notebooks`: they run, and show what is stored in them.

`UPDATE=1` stores what they show now.
"""

from __future__ import annotations

import copy
import os

import nbformat
import pytest
from conftest import ROOT
from nbclient import NotebookClient

FOLDER = ROOT / "examples/notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))


def outputs(notebook):
    """The outputs of each cell of code."""
    return [cell.outputs for cell in notebook.cells if cell.cell_type == "code"]


def run(notebook):
    """A copy of the notebook that has been run beside its files."""
    copied = copy.deepcopy(notebook)
    for cell in copied.cells:
        if cell.cell_type == "code":
            cell.outputs = []
    place = {"metadata": {"path": str(FOLDER)}}
    NotebookClient(copied, kernel_name="chainrule", resources=place, record_timing=False).execute()
    # The version of the kernel stays out of the file.
    copied.metadata = notebook.metadata
    return copied


def test_there_are_three():
    assert [path.stem for path in NOTEBOOKS] == ["fit", "formulas", "lecture"]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_shows_what_is_stored(path):
    stored = nbformat.read(path, as_version=4)
    now = run(stored)
    nbformat.validate(now)
    if "UPDATE" in os.environ:
        nbformat.write(now, path)
    assert outputs(now) == outputs(nbformat.read(path, as_version=4))
