"""Sessions: their numbers are compared with Python's, their children are counted."""

from __future__ import annotations

import gc
import math
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from chainrule import Error, Session

LONG = "s = 1\nwhile s > 0: s = s + 1"


@pytest.fixture(name="session")
def new_session():
    with Session() as session:
        yield session


def lecture(a, b, c, f):
    return (a * b + c) * f


def slope(function, at, argument, step=1e-6):
    """The slope of a function along one of its arguments, measured."""
    above = [value + step * (place == argument) for place, value in enumerate(at)]
    below = [value - step * (place == argument) for place, value in enumerate(at)]
    return (function(*above) - function(*below)) / (2 * step)


def test_answers_have_texts(session):
    answers = session.run("a = 2\nL = a^2\n:grad L")
    assert [answer.kind for answer in answers.answers] == ["binding", "binding", "grad"]
    assert [answer.confirms for answer in answers.answers] == [True, True, False]
    assert answers.text.startswith("a = 2\nL = 4\n")
    assert str(answers) == answers.text.rstrip()


def test_answers_have_values(session):
    rows = session.run("a, b = 2, 3; L = a*b; :grad L").answers[-1].values["rows"]
    assert {row["node"]: row["grad"] for row in rows} == {"L": 1, "a": 3, "b": 2}


def test_values_agree_with_python(session):
    session.run("a, b, c, f = 2, -3, 10, -2; L = (a*b + c)*f")
    assert session.get("L") == lecture(2, -3, 10, -2)
    session.set("a", 3.5)
    assert session.get("L") == lecture(3.5, -3, 10, -2)
    session.set(b=0.25, f=1e-3)
    assert session.get("L", "a*b") == {"L": lecture(3.5, 0.25, 10, 1e-3), "a*b": 3.5 * 0.25}


def test_gradients_agree_with_measured_slopes(session):
    at = [2.0, -3.0, 10.0, -2.0]
    session.run("a, b, c, f = 2, -3, 10, -2; L = (a*b + c)*f")
    measured = {name: slope(lecture, at, place) for place, name in enumerate("abcf")}
    assert session.grad("L") == pytest.approx(measured)
    assert session.grad("L", "b") == pytest.approx({"b": measured["b"]})


def test_gradients_of_lists_have_their_shape(session):
    session.set(w=[[1, 2], [3, 4]], x=[5, 6])
    session.run("y = sum([dot(r, x) for r in w])")
    assert session.grad("y") == {"w": [[5, 6], [5, 6]], "x": [4, 6]}


def test_reading_values_changes_nothing(session):
    session.run("a = 2; L = a^2; :grad L")
    before = session.run(":vars").text
    session.get("L + 1", "dL/da")
    assert session.run(":vars").text == before


def test_any_number_comes_back(session):
    numbers = [0.1 + 0.2, 5e-324, 1.7976931348623157e308, -0.0, 2**53 + 1.0, math.inf, -math.inf]
    session.set(w=numbers)
    assert session.get("w") == numbers
    assert math.copysign(1, session.get("w[3]")) == -1
    session.set(a=math.nan)
    assert math.isnan(session.get("a"))


def test_a_tuple_and_any_other_iterable_are_lists(session):
    session.set(w=(1, 2), v=range(3))
    assert session.get("w", "v") == {"w": [1, 2], "v": [0, 1, 2]}


def test_names_like_those_of_parameters_can_be_set(session):
    session.set(name=1, value=2)
    assert session.get("name + value") == 3


def test_an_error_has_a_place_and_help(session):
    with pytest.raises(Error) as caught:
        session.run("a = 2\nb = a + q")
    error = caught.value
    assert error.message == "unknown name `q`"
    assert (error.line, error.column) == (2, 9)
    assert "`q = 2`" in (error.help or "")
    assert str(error).startswith(error.message) and "^" in str(error)


def test_statements_before_an_error_stay_in_effect(session):
    with pytest.raises(Error):
        session.run("a = 2\nq + 1\na = 3")
    assert session.get("a") == 2


def test_names_that_do_not_exist_are_errors(session):
    uses = [
        lambda: session.get("q"),
        lambda: session.grad("q", "a"),
        lambda: session.grad("q"),
    ]
    for use in uses:
        with pytest.raises(Error, match="q"):
            use()


def test_notes_are_no_errors(session):
    answers = session.run("y = sqrt(-1 - 1)")
    assert [note.line for note in answers.notes] == [1]
    assert "NaN" in answers.notes[0].message
    assert str(answers).startswith("y = NaN\nnote: ")


def test_a_picture_is_svg(session):
    session.run("a = 2; L = a^2")
    assert session.svg(":graph L").rstrip().endswith("</svg>")
    assert "prefers-color-scheme" not in session.svg(":graph L")
    with pytest.raises(Error, match="`:vars` draws no picture"):
        session.svg(":vars")


def test_html_needs_no_style_sheet(session):
    html = session.run("a = 2; L = a^2\n:grad L\n:graph L")._repr_html_()
    assert "<table style=" in html and "<img src=" in html
    assert "class=" not in html and "<style" not in html


def test_what_stands_above_a_picture_stays_above_it(session):
    html = session.run("a = 2; b = 3; M = b*a\n:graph").answers[-1].html
    assert html.index(">of <") < html.index("<img src=")


def test_ctrl_c_stops_a_statement_and_the_session_goes_on(session):
    session.run("a = 2")
    threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    begun = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        session.run(LONG)
    assert time.monotonic() - begun < 5
    assert session.get("a") == 2


def test_threads_take_turns(session):
    session.run("a = 0")
    found = []

    def use(number):
        for _ in range(20):
            found.append(session.get(f"a + {number}") == number)

    threads = [threading.Thread(target=use, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [True] * 160


def test_a_session_that_has_ended_says_so(session):
    session._dialogue._process.kill()
    for _ in range(2):
        with pytest.raises(Error, match="the calculator has ended"):
            session.get("1")


def test_a_closed_session_says_so():
    session = Session()
    session.close()
    session.close()
    with pytest.raises(Error, match="the calculator has ended"):
        session.run("1")


def test_a_session_that_is_dropped_ends_its_child():
    session = Session()
    process = session._dialogue._process
    assert process.poll() is None
    del session
    gc.collect()
    assert process.poll() is not None


def test_children_end_with_python():
    code = "import chainrule; s = chainrule.Session(); print(s._dialogue._process.pid)"
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not Path(f"/proc/{int(ended.stdout)}").exists()


def test_a_busy_child_ends_when_python_is_killed():
    code = "import chainrule; s = chainrule.Session(); print(s._dialogue._process.pid, flush=True)"
    busy = [sys.executable, "-c", f"{code}; s.run({LONG!r})"]
    with subprocess.Popen(busy, stdout=subprocess.PIPE, text=True) as python:
        child = int(python.stdout.readline())
        time.sleep(0.5)
        python.kill()
    for _ in range(50):
        if not Path(f"/proc/{child}").exists():
            return
        time.sleep(0.1)
    os.kill(child, signal.SIGKILL)
    pytest.fail("the calculator goes on alone")


def test_a_program_that_is_missing_is_named(monkeypatch):
    monkeypatch.setenv("CHAINRULE", "/nowhere/chainrule")
    with pytest.raises(Error, match="there is no program `/nowhere/chainrule`"):
        Session()


@pytest.mark.parametrize("end", ["session.close()", "del session"])
def test_a_session_that_has_ended_leaves_no_warning(end):
    code = "import gc, threading, chainrule; session = chainrule.Session(); "
    # The last thread reads the answers.
    code += (
        f"reader = threading.enumerate()[-1]; {end}; session = None; reader.join(9); gc.collect()"
    )
    ended = subprocess.run(
        [sys.executable, "-X", "dev", "-c", code], capture_output=True, text=True
    )
    assert (ended.returncode, ended.stderr) == (0, "")


def test_texts_have_no_colours(monkeypatch):
    # A kernel of IPython sets this.
    monkeypatch.setenv("CLICOLOR_FORCE", "1")
    with Session() as session:
        assert session.run("a = 2; L = a^2; :grad L").text.startswith("  node   expression")
        with pytest.raises(Error) as caught:
            session.run("tnah(3)")
    assert caught.value.text.startswith("error: unknown function `tnah`")
    assert str(caught.value).startswith("unknown function `tnah`")


@pytest.mark.parametrize("name", ["q", "w", "3", "f"])
def test_a_gradient_that_fails_shows_no_command(session, name):
    session.run("w = [1, 2]\nf(x) = x^2")
    with pytest.raises(Error) as caught:
        session.grad(name)
    assert name in caught.value.message
    assert ":topo" not in caught.value.text


def test_names_that_are_no_texts_are_refused(session):
    session.run("a, b = 2, 3; L = a*b")
    uses = {
        'get("a", "L")': lambda: session.get(["a", "b"]),
        'grad("L", "a", "b")': lambda: session.grad("L", ["a", "b"]),
        'set("a", 3)': lambda: session.set({"a": 1}),
        'run("L = a^2")': lambda: session.run(["a = 1", "b = 2"]),
    }
    for use, call in uses.items():
        with pytest.raises(Error, match="is no text") as caught:
            call()
        assert caught.value.help == f"write `{use}`"


@pytest.mark.parametrize("value", [1 + 2j, None, "x", [1, None], {"x": 1}])
def test_values_that_are_no_numbers_are_refused(session, value):
    with pytest.raises(Error, match="`a` takes numbers, and .* is none"):
        session.set("a", value)
    with pytest.raises(Error, match="unknown name `a`"):
        session.get("a")


def test_an_array_of_objects_is_refused_if_one_is_no_number(session):
    numpy = pytest.importorskip("numpy")
    session.set(a=numpy.array([1, 2.5], dtype=object))
    assert session.get("a") == [1, 2.5]
    with pytest.raises(Error, match="`a` takes numbers, and None is none"):
        session.set(a=numpy.array([1, None], dtype=object))


@pytest.mark.parametrize("name", ["a b", "", "w[0]", "2x"])
def test_names_that_are_none_are_refused_without_json(session, name):
    with pytest.raises(Error, match="is no name") as caught:
        session.set(name, 7)
    assert "{" not in caught.value.text


def test_a_name_with_an_index_below_the_line_can_be_set(session):
    session.set("x₁", 2)
    assert session.get("x₁") == 2


def test_a_computed_name_that_is_set_is_replaced_and_its_users_keep_it(session):
    session.run("a = 2; L = 3*a; m = L + 1")
    session.set("L", 7)
    session.set("a", 5)
    assert session.get("L", "m") == {"L": 7, "m": 16}


def test_errors_can_be_pickled():
    error = Error("it fails", line=3, help="write `a = 2`")
    again = pickle.loads(pickle.dumps(error))
    assert (again.message, again.line, again.help, again.text) == (
        error.message,
        error.line,
        error.help,
        error.text,
    )
