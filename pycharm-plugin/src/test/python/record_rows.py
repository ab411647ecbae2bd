"""Records what the language server says of an example at its stops, for the pictures of the view.

record_rows.py FOLDER writes FOLDER/<locale>.json: a list of stops, each with the answers to
`roots`, to `children` and `details` by node, and the status. Run it with `tests` on the path.
"""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

from support.debugpy_debugger import DebugpyDebugger
from support.editor import Editor

EXAMPLE = Path(__file__).parents[4] / "examples" / "cifar10_cnn.py"
STOPS = 2


async def recorded(editor: Editor) -> dict[str, Any]:
    """All that there is to see at a stop."""
    await editor.measured()
    roots = await editor.request("roots")
    children, details = {}, {}
    waiting = list(roots["nodes"])
    while waiting:
        node = waiting.pop()
        about = await editor.request("details", node=node["id"])
        details[node["id"]] = {**about, "markdown": ""}  # nothing draws it
        if node["expandable"]:
            below = await editor.request("children", node=node["id"])
            children[node["id"]] = below
            waiting += below["nodes"]
    status = editor.statuses[-1]
    return {"roots": roots, "children": children, "details": details, "status": status}


async def record(folder: Path, locale: str) -> None:
    """Write what an editor in that language is told."""
    async with (
        DebugpyDebugger(EXAMPLE, context="clipboard") as program,
        Editor(locale=locale) as editor,
    ):
        stops = []
        for _ in range(STOPS):
            halt = await program.wait_stop()
            assert halt is not None
            editor.stopped(halt, program)
            stops.append(await recorded(editor))
            editor.continued()
            await program.resume()
        editor.ended()
        await program.finish()
    lines = [json.dumps(stop, ensure_ascii=False, sort_keys=True) for stop in stops]
    text = "[\n" + ",\n".join(lines) + "\n]\n"
    (folder / f"{locale}.json").write_text(text, "utf-8")


if __name__ == "__main__":
    for language in ("en", "zh-cn"):
        asyncio.run(record(Path(sys.argv[1]), language))
