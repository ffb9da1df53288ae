"""HTML for notebooks: what the program does not write itself."""

from __future__ import annotations

import base64
import html

# The fallback is for pages that are neither JupyterLab's nor VS Code's.
QUIET = "color: var(--jp-ui-font-color2, var(--vscode-descriptionForeground, #6c6c6c))"
FONT = (
    "font-family: var(--jp-code-font-family, var(--vscode-editor-font-family, monospace));"
    " font-size: var(--jp-code-font-size, 13px)"
)


def picture_element(svg: str) -> str:
    """HTML for a picture, between other HTML."""
    data = base64.b64encode(svg.encode()).decode()
    return f'<img src="data:image/svg+xml;base64,{data}" style="max-width: 100%">'


def quiet_lines(text: str) -> str:
    """HTML for a note: its lines, less prominent than an answer."""
    style = f"{FONT}; {QUIET}; margin: 2px 0; white-space: pre-wrap"
    return f'<pre style="{style}">{html.escape(text)}</pre>'
