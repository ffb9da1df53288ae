"""The magics, in a shell of IPython."""

from __future__ import annotations

import pytest

from chainrule.magic import load_ipython_extension

shells = pytest.importorskip("IPython.core.interactiveshell")


@pytest.fixture(name="shell")
def new_shell():
    shells.InteractiveShell.clear_instance()
    shell = shells.InteractiveShell.instance()
    load_ipython_extension(shell)
    yield shell
    shells.InteractiveShell.clear_instance()


def test_names_go_in_and_out(shell):
    shell.user_ns.update(lr=0.5, xs=[1, 2, 3])
    shell.run_cell("%%chainrule -i lr,xs -o y,z\ny = lr*sum(xs)\nz = y^2")
    assert shell.user_ns["y"] == 3.0
    assert shell.user_ns["z"] == 9.0


def test_the_session_lasts(shell, capsys):
    shell.run_cell("%%chainrule\na = 3\ny = a^2")
    shell.run_cell("%chainrule :grad y")
    lines = capsys.readouterr().out.splitlines()
    assert [line.split() for line in lines[-2:]] == [
        ["y", "a^2", "9", "1"],
        ["a", "leaf", "3", "6"],
    ]


def test_arrays_and_columns_are_accepted(shell):
    numpy = pytest.importorskip("numpy")
    pandas = pytest.importorskip("pandas")
    shell.user_ns["xs"] = numpy.array([[1, 2], [3, 4]])
    shell.user_ns["ys"] = pandas.DataFrame({"y": [10, 20]})["y"]
    shell.run_cell("%%chainrule -i xs,ys -o z\nz = [dot(x, ys) for x in xs]")
    assert isinstance(shell.user_ns["z"], numpy.ndarray)
    assert shell.user_ns["z"].tolist() == [50.0, 110.0]


def test_a_table_is_refused(shell, capsys):
    pandas = pytest.importorskip("pandas")
    shell.user_ns["df"] = pandas.DataFrame({"y": [10, 20]})
    shell.run_cell("%%chainrule -i df\n1")
    error = capsys.readouterr().err
    assert "`df` takes numbers, and 'y' is none" in error
    assert "`x = df['x']`" in error


def test_errors_have_no_traceback(shell, capsys):
    shell.run_cell("%%chainrule -o y\ny = 2\nprint(y)\nz = yy")
    captured = capsys.readouterr()
    assert captured.out == "2\n"
    assert captured.err.startswith("UsageError: unknown name `yy`")
    assert "Traceback" not in captured.out + captured.err
    assert "y" not in shell.user_ns


def test_a_missing_name_is_told(shell, capsys):
    shell.run_cell("%%chainrule -i nothing\n1")
    assert "Python has no `nothing`" in capsys.readouterr().err


def test_a_terminal_shows_pictures_as_text(shell, capsys):
    shell.run_cell("%%chainrule\na = 2; L = a^2\n:graph L")
    assert "╭" in capsys.readouterr().out
