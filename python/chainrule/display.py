"""The HTML and the pictures of answers for notebooks, which have no style sheet for them."""

from __future__ import annotations

import base64
import re

FONT = (
    "font-family: var(--jp-code-font-family, var(--vscode-editor-font-family, monospace));"
    " font-size: var(--jp-code-font-size, 13px)"
)

# The fallbacks are for pages that are neither JupyterLab's nor VS Code's.
QUIET = "color: var(--jp-ui-font-color2, var(--vscode-descriptionForeground, #6c6c6c))"
NAME = "color: var(--jp-content-link-color, var(--vscode-textLink-foreground, #005f87))"
GREEN = "color: var(--jp-success-color1, var(--vscode-charts-green, #127a6c))"
BLUE = "color: var(--jp-info-color1, var(--vscode-charts-blue, #0b5fa5))"
ORANGE = "color: var(--jp-warn-color1, var(--vscode-charts-orange, #b03f08))"
RED = "color: var(--jp-error-color1, var(--vscode-charts-red, #c00a66))"
PURPLE = "color: var(--jp-mirror-editor-keyword-color, var(--vscode-charts-purple, #7b3fb8))"

CLASSES = {
    **dict.fromkeys(["coming", "constant", "dim", "frozen", "note"], QUIET),
    **dict.fromkeys(["name", "typed"], NAME),
    **dict.fromkeys(["help", "hint", "leaf"], GREEN),
    **dict.fromkeys(["current", "formula", "place"], PURPLE),
    **dict.fromkeys(["error", "not-finite"], RED),
    **dict.fromkeys(["heading", "operation", "root"], "font-weight: 600"),
    "rising": BLUE,
    "falling": ORANGE,
}

CELL = "padding: 1px 10px; border: 0; text-align: left; vertical-align: top; white-space: pre-wrap"

ELEMENTS = {
    "table": f"{FONT}; border-collapse: collapse; margin: 4px 0",
    "th": CELL,
    "td": CELL,
    "tr": "background: none",
    "p": f"{FONT}; margin: 0; padding: 2px 0; overflow: auto hidden; white-space: pre-wrap",
    "pre": f"{FONT}; margin: 2px 0; white-space: pre-wrap",
    "code": "font: inherit; background: none; padding: 0",
}

TAG = re.compile(r"<(?P<name>[a-z]+[0-9]?)(?P<attributes>[^<>]*)>")
CLASS = re.compile(r'\s*class="(?P<classes>[^"]*)"')
# JupyterLab would let wider pictures scroll.
MOST_WIDTH = 720

FIGURE = re.compile(r"<figure>.*?</figure>\n?", re.DOTALL)
SIZE = re.compile(r'width="(?P<width>[0-9.]+)" height="(?P<height>[0-9.]+)"')
DARK = re.compile(r"@media screen and \(prefers-color-scheme:dark\)\{(?:[^{}]*\{[^{}]*\})*\}\n?")


def inline_styles(html: str) -> str:
    """The HTML of an answer with a style in each element in place of classes."""
    return TAG.sub(_styled_tag, html)


def _styled_tag(tag: re.Match[str]) -> str:
    name, attributes = tag["name"], tag["attributes"]
    found = CLASS.search(attributes)
    classes = found["classes"].split() if found else []
    styles = [ELEMENTS.get(name), *(CLASSES.get(each) for each in classes)]
    style = "; ".join(each for each in styles if each)
    if not style:
        return tag[0]
    return f'<{name} style="{style}"{CLASS.sub("", attributes)}>'


def without_pictures(html: str) -> str:
    """The HTML of an answer without its pictures, which are outputs of their own."""
    return FIGURE.sub("", html).strip()


def light_picture(svg: str) -> str:
    """A picture as wide as a cell at most, and light.

    A browser may prefer dark pages while the notebook is light.
    """
    return SIZE.sub(_limited_size, DARK.sub("", svg), count=1)


def _limited_size(size: re.Match[str]) -> str:
    width, height = float(size["width"]), float(size["height"])
    scale = min(1, MOST_WIDTH / width)
    return f'width="{width * scale:g}" height="{height * scale:g}"'


def picture_element(svg: str) -> str:
    """HTML for a picture, between other HTML."""
    data = base64.b64encode(light_picture(svg).encode()).decode()
    return f'<img src="data:image/svg+xml;base64,{data}" style="max-width: 100%">'


def quiet_lines(text: str) -> str:
    """HTML for a note: its lines, less prominent than an answer."""
    escaped = text.replace("&", "&amp;").replace("<", "&lt;")
    return f'<pre style="{ELEMENTS["pre"]}; {QUIET}">{escaped}</pre>'
