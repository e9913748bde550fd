"""Makes logs of requests that extend one another, one a line: `cumulative(path, count, wire, words)`.

Request n holds all of request n - 1, the answer to it, and what the client added: 2,000 of them are as long as the square.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import orjson

from tests.bench.make_dumps import _Session


def cumulative(path: Path, count: int, wire: str = "anthropic", text: int = 60) -> Path:
    """`wire`: anthropic or chat; `text`: about how long what is added is, in characters."""
    s = _Session(11, 1200)
    sent: list[dict[str, Any]] = [{"role": "user", "content": s.text(text, text * 4)}]
    with path.open("wb", buffering=1 << 20) as file:
        for number in range(count):
            body = {"model": "claude-sonnet-4-5", "max_tokens": 4096} if wire == "anthropic" else {"model": "gpt-5.1"}
            file.write(orjson.dumps({**body, "messages": sent}, option=orjson.OPT_APPEND_NEWLINE))
            id, given, result = f"call_{number:06d}", {"path": s.text(10, 20)}, s.text(text, text * 3)
            if wire == "anthropic":
                sent.append({"role": "assistant", "content": [{"type": "tool_use", "id": id, "name": "Read", "input": given}]})
                sent.append({"role": "user", "content": [{"type": "tool_result", "tool_use_id": id, "content": result}]})
            else:
                call = {"id": id, "type": "function", "function": {"name": "Read", "arguments": json.dumps(given)}}
                sent.append({"role": "assistant", "content": None, "tool_calls": [call]})
                sent.append({"role": "tool", "tool_call_id": id, "content": result})
    return path
