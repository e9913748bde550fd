"""Keys of arguments and schemas that look like data are renamed, the same everywhere."""

from __future__ import annotations

import json

from app.pipeline.names import provider_named
from app.pipeline.shape import shape
from tests.evidence import dump_of

ODD = ("anna@acme.example", "Maria Keller", "AcmeCorp", "kunde4711")


def test_only_plain_names_stay() -> None:
    schema = {"type": "object", "properties": {odd: {"type": "string"} for odd in (*ODD, "file_path")}, "required": [ODD[0], "file_path"]}
    given = {**dict.fromkeys(ODD, "x"), "file_path": "y", "maxLines": 2}
    call = {"type": "tool_use", "id": "toolu_01ABCdef", "name": "read", "input": given}
    body = {"model": "claude-sonnet-4-5", "max_tokens": 9, "tools": [{"name": "read", "description": "r", "input_schema": schema}],
            "messages": [{"role": "user", "content": "go"},
                         {"role": "assistant", "content": [call]},
                         {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "toolu_01ABCdef",
                                                       "content": "ok"}]}]}  # fmt: skip
    made = shape(dump_of(body), provider_named("anthropic"), None, "complete").data
    assert not [odd for odd in ODD if odd.encode() in made]
    told = json.loads(made)
    keys = list(told["messages"][1]["content"][0]["input"])
    assert [len(key) for key in keys[:4]] == [len(odd) for odd in ODD]
    assert keys[4:] == ["file_path", "maxLines"]
    properties = told["tools"][0]["input_schema"]
    assert list(properties["properties"]) == keys[:5]
    assert properties["required"] == [keys[0], "file_path"]
