"""A calculator that differentiates, run from Python.

    import chainrule

    with chainrule.Session() as session:
        session.set(a=2, b=-3)
        print(session.run("L = a*b + a"))
        print(session.grad("L"))
"""

from __future__ import annotations

from chainrule.checks import Check, check
from chainrule.dialogue import Error
from chainrule.drawing import show, walk
from chainrule.function import Function
from chainrule.magic import load_ipython_extension
from chainrule.session import Answer, Answers, Note, Session

__all__ = [
    "Answer",
    "Answers",
    "Check",
    "Error",
    "Function",
    "Note",
    "Session",
    "check",
    "load_ipython_extension",
    "show",
    "walk",
]
