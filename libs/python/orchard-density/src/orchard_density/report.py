"""The page of a run: what was learned, in pictures and tables."""

from __future__ import annotations

import os
import tempfile
import webbrowser
from html import escape
from pathlib import Path

from .progress import is_notebook


class Report:
    """A page of HTML that needs no other file. A notebook shows it as the result of a cell; `save` writes it."""

    def __init__(self, html: str) -> None:
        self.html = html

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Writes the page to a file. Gives its path."""
        file = Path(path)
        file.write_text(self.html, encoding="utf-8")
        return file

    def show(self) -> None:
        """Opens the page in a browser, from a temporary file; in a notebook nothing, since that shows it as a result of its cell."""
        if is_notebook():
            return
        file = self.save(Path(tempfile.mkdtemp(prefix="orchard-report-")) / "report.html")
        if not webbrowser.open(file.as_uri()):
            print(f"orchard-density: no browser was found; the report is {file}")

    def __repr__(self) -> str:
        return f"<Report of {len(self.html) / 1000:.0f} kB: save(path) writes it>"

    def _repr_html_(self) -> str:
        # in a frame of its own: neither its styles nor its names reach the notebook
        style = "width:100%;height:640px;border:1px solid #ccc"
        return f'<iframe srcdoc="{escape(self.html)}" style="{style}" title="Orchard report"></iframe>'
