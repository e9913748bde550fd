"""JSON of megabytes in a string: read in the helper process, looked at a page at a time in the window."""

from __future__ import annotations

import json
from pathlib import Path

from tests.walks import Person, person

assert person


def test_json_that_is_too_long_to_be_read_here(person: Person, tmp_path: Path) -> None:
    rows = json.dumps({"rows": [{"n": n, "text": "x" * 60} for n in range(20_000)]})
    result = {"type": "tool_result", "tool_use_id": "t", "content": rows}
    broken = {"type": "tool_result", "tool_use_id": "u", "content": "{" + "x" * 1_100_000 + "}"}
    calls = [{"type": "tool_use", "id": one, "name": "look", "input": {}} for one in "tu"]
    messages = [{"role": "user", "content": "q"}, {"role": "assistant", "content": calls}, {"role": "user", "content": [result, broken]}]
    path = tmp_path / "big.json"
    path.write_text(json.dumps({"model": "claude-sonnet-4-5", "max_tokens": 9, "messages": messages}))
    person.open(path)
    viewer = person.window.viewer
    person.window.show_row(3)
    viewer.show_tab("JSON")
    view = viewer.pages.json
    content = view.tree.index(2, 0)
    assert view.tree.data(view.tree.index(2, 1)).startswith("JSON in a string: {")
    view.expand(content)
    person.wait(lambda: view.tree.rowCount(content) == 1)
    held = view.tree.index(0, 0, content)
    assert view.tree.data(view.tree.index(0, 1, content)) == "[ 20,000 items ]"
    view.expand(held)
    person.wait(lambda: view.tree.rowCount(held) == 200)
    view.setCurrentIndex(view.tree.index(7, 0, held))
    assert view.copied("path") == ".content|fromjson.rows[7]"
    person.window.show_row(4)
    wrong = view.tree.index(2, 0)
    view.expand(wrong)
    person.wait(lambda: view.tree.data(view.tree.index(2, 1)).endswith("no JSON in it"))
    assert person.lines == []
