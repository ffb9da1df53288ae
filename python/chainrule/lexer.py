"""Colours for statements in documents, by Pygments."""

from __future__ import annotations

from pygments.lexer import bygroups, inherit
from pygments.lexers.python import PythonLexer
from pygments.token import Keyword, Name, Operator, Text


class ChainruleLexer(PythonLexer):
    """The language of the calculator: like Python, with commands, `±` and primes."""

    name = "chainrule"
    aliases = ["chainrule"]
    filenames = ["*.calc"]
    mimetypes = ["text/x-chainrule"]

    tokens = {
        "root": [
            (r"(?m)(^|;)([^\S\n]*)(:[a-z]+)", bygroups(Operator, Text, Keyword)),
            inherit,
        ],
        "expr": [
            (r"±|\+/-", Operator),
            # `f'(3)` and `f''` are derivatives; `f'text'` is a text.
            (r"([^\W\d]\w*)([′’]+|'+(?=[^\w'\"{]|$))", bygroups(Name, Operator)),
            inherit,
        ],
    }
