"""The code of the notebooks as modules, for type checkers, which read no notebooks: `notebook_code.py FOLDER`."""

from __future__ import annotations

import json
import sys
from pathlib import Path


def write_modules(folder: Path) -> list[Path]:
    """One module per notebook of `examples`, its cells one after the other."""
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for notebook in sorted((Path(__file__).parent.parent / "examples").glob("*.ipynb")):
        cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
        code = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
        module = folder / f"{notebook.stem.replace('-', '_')}.py"
        module.write_text("\n\n".join(code) + "\n", encoding="utf-8")
        written.append(module)
    return written


if __name__ == "__main__":
    for path in write_modules(Path(sys.argv[1])):
        print(path)
