"""The kernel: the tests of `jupyter_kernel_test`, and what a notebook shows."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import time

import jupyter_kernel_test
import pytest
from conftest import ROOT, SHARED
from jupyter_client.manager import start_new_kernel
from pygments import token
from pygments.lexers import PythonLexer

from chainrule.lexer import ChainruleLexer

COLOUR = re.compile(r"\x1b\[[0-9;]*m")
LONG = "s = 1\nwhile s > 0: s = s + 1"
# It shows its progress for a second or two.
SLOW = "p = 2; E = (p - 1)^2; :step 1e-9 10000000 of E"


class ChainruleKernelTests(jupyter_kernel_test.KernelTests):
    kernel_name = "chainrule"
    language_name = "chainrule"
    file_extension = ".calc"
    code_hello_world = 'print("hello, world")'
    code_stderr = SLOW
    code_clear_output = SLOW
    completion_samples = [{"text": ":topo", "matches": {"topo"}}]
    complete_code_samples = ["1 + 1", "a = 2; a^2", ":help", "for k in 1..3: print(k)\n"]
    incomplete_code_samples = ["a = (1 +", "for k in 1..3:"]
    invalid_code_samples = ['print("abc']
    code_generate_error = "q_ + 1"
    code_execute_result = [
        {"code": "1 + 2", "result": "3"},
        {"code": "2^10", "result": "1024"},
    ]
    code_display_data = [
        {"code": "a = 2; L = a^2; :graph L", "mime": "image/svg+xml"},
        {"code": ":grad L", "mime": "text/html"},
        {"code": ":formula a^3", "mime": "text/latex"},
    ]
    code_history_pattern = "1?+*"
    supported_history_operations = ("tail", "range", "search")
    code_inspect_sample = "tanh"


class Notebook:
    """A client that runs cells and collects what they show."""

    def __init__(self):
        self.manager, self.client = start_new_kernel(kernel_name="chainrule")

    def close(self):
        self.client.stop_channels()
        self.manager.shutdown_kernel(now=True)

    def run(self, code, **options):
        """The reply to a cell, and its outputs."""
        request = self.client.execute(code, **options)
        return self.reply(request), self.outputs(request)

    def reply(self, request):
        while True:
            message = self.client.get_shell_msg(timeout=20)
            if message["parent_header"]["msg_id"] == request:
                return message["content"]

    def outputs(self, request):
        found = []
        while True:
            message = self.client.get_iopub_msg(timeout=20)
            if message["parent_header"].get("msg_id") != request:
                continue
            if message["content"].get("execution_state") == "idle":
                return found
            if message["msg_type"] not in ("status", "execute_input"):
                found.append(message)


@pytest.fixture(name="notebook")
def new_notebook():
    notebook = Notebook()
    yield notebook
    notebook.close()


def types(outputs):
    return [message["msg_type"] for message in outputs]


def test_bindings_are_silent_and_the_last_value_is_the_result(notebook):
    _, outputs = notebook.run("a = 2\na + 1\na + 2")
    assert types(outputs) == ["execute_result"]
    assert outputs[0]["content"]["data"]["text/plain"] == "4"


def test_a_value_that_is_not_last_is_not_shown(notebook):
    _, outputs = notebook.run("a = 2\na + 1\nb = a")
    assert outputs == []


def test_statements_of_python_are_silent(notebook):
    _, outputs = notebook.run('a = 2; L = a^2\nL.label = "loss"\ndef f(x):\n    return x^2')
    assert outputs == []


def test_what_a_function_prints_is_shown(notebook):
    _, outputs = notebook.run("def f(x):\n    print('x is', x)\n    return x\n\nc = f(2)")
    assert types(outputs) == ["display_data"]
    assert outputs[0]["content"]["data"]["text/plain"] == "x is 2\nc = 2"


def test_a_page_of_the_manual_is_shown(notebook):
    _, outputs = notebook.run(":help grad")
    assert types(outputs) == ["display_data"]
    assert outputs[0]["content"]["data"]["text/plain"].startswith(":grad [T]")


def test_what_a_loop_has_done_is_no_print(notebook):
    _, outputs = notebook.run("a = 2\nfor k in 1..3: a.data += 1")
    assert types(outputs) == ["display_data"]
    assert outputs[0]["content"]["data"]["text/plain"] == "moved: 1 leaf"


def test_commands_that_change_leaves_show_their_table(notebook):
    _, outputs = notebook.run("a = 2; f(x) = x^2; L = f(a)\n:set a 3\n:step 0.1 of L")
    assert ["text/html" in message["content"]["data"] for message in outputs] == [True, True]


def test_a_wide_picture_fits_a_cell(notebook):
    _, outputs = notebook.run("f(x) = x^2\n:plot f -1..1")
    svg = outputs[0]["content"]["data"]["image/svg+xml"]
    size = re.search(r'width="([0-9.]+)" height="([0-9.]+)" viewBox="0 0 ([0-9.]+) ([0-9.]+)"', svg)
    width, height, *box = map(float, size.groups())
    # Lengths are rounded to hundredths of a pixel.
    assert width == 720 and height == pytest.approx(width * box[1] / box[0], abs=0.0051)


def test_prints_and_tables_come_in_their_order(notebook):
    _, outputs = notebook.run("a = 2; L = a^2\nprint(1)\n:grad L\nprint(2)\nL")
    assert types(outputs) == ["stream", "display_data", "stream", "execute_result"]
    assert [outputs[at]["content"]["text"] for at in (0, 2)] == ["1\n", "2\n"]


def test_a_lesson_puts_its_statements_into_new_cells(notebook):
    reply, _ = notebook.run(":play slope")
    (begin,) = [each for each in reply["payload"] if each["source"] == "set_next_input"]
    reply, _ = notebook.run(begin["text"])
    (following,) = [each for each in reply["payload"] if each["source"] == "set_next_input"]
    assert begin["text"].startswith("f(x) =") and following["text"] != begin["text"]


def test_a_loop_prints_to_a_stream(notebook):
    _, outputs = notebook.run("for k in [1, 2]:\n    print(k)")
    assert types(outputs) == ["stream"]
    assert outputs[0]["content"]["text"].startswith("1\n2\n")


def test_a_table_has_inline_styles(notebook):
    _, outputs = notebook.run("a = 2; L = a^2\n:grad L")
    html = outputs[0]["content"]["data"]["text/html"]
    assert "<table style=" in html and "--jp-" in html and "--vscode-" in html
    assert "class=" not in html and "<style" not in html
    assert "grad" in outputs[0]["content"]["data"]["text/plain"]


def test_a_picture_is_an_output_of_its_own_with_a_ground(notebook):
    _, outputs = notebook.run("a = 2; L = a^2\n:grad L\n:graph\n:plot L a=0..1")
    shown = [message["content"]["data"] for message in outputs]
    assert [sorted(data) for data in shown] == [
        ["text/html", "text/plain"],
        ["text/html", "text/plain"],
        ["image/svg+xml", "text/plain"],
        ["image/svg+xml", "text/plain"],
        ["text/html", "text/plain"],
    ]
    assert shown[1]["text/plain"] == "of L" and shown[2]["text/plain"] == "graph of L, 3 nodes"
    for data in shown[2:4]:
        assert re.search(r'<rect class="ground[^>]*fill="#ffffff"', data["image/svg+xml"])
        assert "prefers-color-scheme" not in data["image/svg+xml"]


def test_a_formula_is_latex(notebook):
    _, outputs = notebook.run(":formula x^2/3")
    assert "\\frac" in outputs[0]["content"]["data"]["text/latex"]


def test_a_note_stays_with_its_answer(notebook):
    _, outputs = notebook.run("y = sqrt(-2)")
    assert types(outputs) == ["display_data"]
    assert outputs[0]["content"]["data"]["text/plain"].startswith("note: ")
    _, outputs = notebook.run("sqrt(-3)")
    assert types(outputs) == ["execute_result", "display_data"]
    _, outputs = notebook.run("y = sqrt(-2)\nprint(1)\nq_ + 1")
    assert types(outputs) == ["display_data", "stream", "error"]


def test_an_error_is_one_message_and_those_before_it_stay(notebook):
    reply, outputs = notebook.run("a = 2\nprint(a)\nq_ + 1\nprint(3)")
    assert types(outputs) == ["stream", "error"]
    assert reply["status"] == "error" and reply["evalue"] == "unknown name `q_`"
    traceback = "\n".join(outputs[1]["content"]["traceback"])
    assert "\x1b[" in traceback
    place_and_help = "      ^^ `q_ = 2` gives it a value; `:vars` lists all names"
    assert COLOUR.sub("", traceback).split("\n") == [
        "error: unknown name `q_`",
        "      q_ + 1",
        place_and_help,
    ]


def test_a_name_that_waits_is_a_warning_and_letters_are_answered(notebook):
    _, outputs = notebook.run("y = u^5")
    assert types(outputs) == ["stream"]
    assert outputs[0]["content"] == {"name": "stderr", "text": "y = u^5   waits for u\n"}
    _, outputs = notebook.run("dy/du")
    assert outputs[-1]["content"]["data"]["text/plain"].startswith("5*u^4")
    _, outputs = notebook.run("u = 2; y")
    assert outputs[-1]["content"]["data"]["text/plain"] == "32"


def test_a_silent_cell_shows_nothing(notebook):
    _, outputs = notebook.run("a = 2\nprint(a)", silent=True)
    assert outputs == []


def test_an_interrupt_stops_the_cell_and_undoes_its_statement(notebook):
    notebook.run("a = 2")
    request = notebook.client.execute(LONG)
    time.sleep(0.5)
    notebook.manager.interrupt_kernel()
    begun = time.monotonic()
    assert notebook.reply(request)["status"] == "error"
    assert time.monotonic() - begun < 5
    assert types(notebook.outputs(request))[-1] == "error"
    reply, _ = notebook.run("a")
    assert reply["status"] == "ok"


def test_progress_leaves_nothing_behind(notebook):
    _, outputs = notebook.run("print(1)\n" + SLOW)
    last_cleared = max(at for at, kind in enumerate(types(outputs)) if kind == "clear_output")
    left = outputs[last_cleared + 1 :]
    assert left[0]["content"]["text"] == "1\n"
    assert all(message["content"].get("name") != "stderr" for message in left)


def test_completions_have_types(notebook):
    code = "alpha = 1\n:gra"
    notebook.client.complete(code, len(code))
    content = notebook.client.get_shell_msg(timeout=20)["content"]
    assert content["matches"] == ["grad", "graph"]
    assert code[content["cursor_start"] : content["cursor_end"]] == "gra"
    described = content["metadata"]["_jupyter_types_experimental"]
    assert {"text", "type", "start", "end"} <= described[0].keys()


def test_an_inner_line_of_a_cell_completes(notebook):
    notebook.run("learning = 0.5")
    code = "a = 1 + lear\nb = 2"
    notebook.client.complete(code, len("a = 1 + lear"))
    content = notebook.client.get_shell_msg(timeout=20)["content"]
    assert content["matches"] == ["learning"]
    assert (content["cursor_start"], content["cursor_end"]) == (8, 12)


def test_a_name_is_inspected_in_any_line(notebook):
    notebook.run("alpha = 2.5")
    code = "b = 1\nc = alpha + b"
    notebook.client.inspect(code, code.index("alpha") + 2)
    content = notebook.client.get_shell_msg(timeout=20)["content"]
    assert content["found"] and "2.5" in content["data"]["text/plain"]
    notebook.client.inspect("1 + 1", 0)
    assert not notebook.client.get_shell_msg(timeout=20)["content"]["found"]


def test_an_unfinished_block_is_indented(notebook):
    notebook.client.is_complete("for k in 1..3:")
    content = notebook.client.get_shell_msg(timeout=20)["content"]
    assert content == {"status": "incomplete", "indent": "    "}


def test_a_restart_begins_anew(notebook):
    notebook.run("a = 2")
    notebook.manager.restart_kernel()
    notebook.client.wait_for_ready(timeout=20)
    reply, _ = notebook.run("a")
    assert reply["status"] == "error"


def test_a_program_that_has_ended_is_told_in_each_cell(notebook):
    notebook.run(":quit")
    for _ in range(2):
        reply, _ = notebook.run("1")
        assert reply["status"] == "error" and "has ended" in reply["evalue"]


def test_files_are_relative_to_the_notebook(tmp_path):
    (tmp_path / "points.csv").write_text("x,y\n1,2\n3,4\n", encoding="utf-8")
    manager, client = start_new_kernel(kernel_name="chainrule", cwd=str(tmp_path))
    try:
        client.execute_interactive(":data points.csv", timeout=20, output_hook=lambda message: None)
        reply = client.execute_interactive("y", timeout=20, output_hook=lambda message: None)
        assert reply["content"]["status"] == "ok"
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)


def test_the_kernel_is_installed_for_another_jupyter(tmp_path):
    command = [sys.executable, "-m", "chainrule.kernel", "install", "--prefix", str(tmp_path)]
    subprocess.run(command, check=True, capture_output=True)
    written = (tmp_path / "share/jupyter/kernels/chainrule/kernel.json").read_text("utf-8")
    shipped = json.loads((SHARED / "kernels/chainrule/kernel.json").read_text("utf-8"))
    found = json.loads(written)
    assert found["argv"] == [sys.executable, *shipped["argv"][1:]]
    assert found["interrupt_mode"] == shipped["interrupt_mode"] == "message"


def test_without_ipykernel_one_sentence_says_what_to_install():
    # `-S` leaves out all packages but those of the PYTHONPATH.
    command = [sys.executable, "-S", "-m", "chainrule.kernel", "-f", "none"]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ended.returncode == 1
    assert ended.stderr.splitlines() == [
        "the notebook kernel needs ipykernel: pip install 'chainrule[notebook]'"
    ]


def pieces(text):
    return [(kind, value) for kind, value in ChainruleLexer().get_tokens(text) if value.strip()]


def test_the_lexer_knows_commands_and_primes():
    assert pieces(":grad L")[0] == (token.Keyword, ":grad")
    assert (token.Keyword, ":grad") in pieces("a = 2; :grad a")
    assert (token.Operator, "±") in pieces("a = 5 ± 0.1")
    assert (token.Operator, "'") in pieces("f'(3) + 1")
    assert (token.Comment.Single, "# why") in pieces("a = 2 # why")


def test_the_lexer_reads_all_of_python_like_python():
    cell = "for k in range(3):\n    L.backward()\n    print(f'{k}: {L.data:.4f}', 'text')\n"
    assert list(ChainruleLexer().get_tokens(cell)) == list(PythonLexer().get_tokens(cell))


def test_no_example_of_the_repository_confuses_the_lexer():
    for script in sorted((ROOT / "examples").glob("*.calc")):
        wrong = [found for found in pieces(script.read_text("utf-8")) if found[0] is token.Error]
        assert wrong == [], script.name
