"""Random documents of OpenAI's Responses: requests, answers, both, stored lists and bare ones. The same seed gives the same document."""

from __future__ import annotations

import random
from typing import Any

from tests.formats.wild import PIXEL, text, value

SHAPES = ("request", "request", "request", "list", "answer", "both", "stored", "said", "said and answered")
PICTURE = {"type": "input_image", "image_url": f"data:image/png;base64,{PIXEL}", "detail": "auto"}
CALLS = ("function_call", "custom_tool_call", "local_shell_call", "shell_call", "apply_patch_call", "computer_call", "tool_search_call")


class Items:
    def __init__(self, seed: int) -> None:
        self.r = random.Random(f"responses/{seed}")
        self.number = 0
        self.open: list[tuple[str, Any]] = []

    def own(self, prefix: str) -> dict[str, Any]:
        r = self.r
        if r.random() < 0.5:
            return {}
        self.number += 1
        return {"id": r.choice([f"{prefix}_{self.number}", f"{prefix}_1", f"call_{self.number}", "", "ünï", None, 7])}

    def call_id(self) -> Any:
        self.number += 1
        return self.r.choice([f"call_{self.number}", f"call_{self.number}", "call_1", "", None, 5, "x" * 70, "ünï.b:c"])

    def message(self) -> dict[str, Any]:
        r = self.r
        role = r.choice(["user", "user", "assistant", "system", "developer", "tool", None])
        typed = {"type": "message"} if r.random() < 0.5 else {}
        said = role == "assistant"
        pick = r.random()
        content: Any = text(r)
        if pick < 0.5:
            content = [self.part(said) for _ in range(r.randrange(4))]
        elif pick < 0.58:
            content = r.choice([None, {"a": 1}, 5, []])
        made = {**typed, "role": role, **self.own("msg"), "content": content, **({"status": "completed"} if r.random() < 0.2 else {})}
        if role is None:
            made = {"type": "message", **{key: held for key, held in made.items() if key != "role"}}
        if r.random() < 0.04:
            del made["content"]
        return made

    def part(self, said: bool) -> Any:
        r, pick = self.r, self.r.random()
        if pick < 0.6:
            return {
                "type": "output_text" if said else "input_text",
                "text": text(r),
                **({"annotations": []} if said and r.random() < 0.5 else {}),
            }
        if pick < 0.75:
            return r.choice(
                [PICTURE, {"type": "input_file", "file_id": "file-1"}, {"type": "input_file", "file_data": "data:text/plain,x"}]
            )
        return r.choice(
            [
                {"type": "refusal", "refusal": text(r)},
                {"type": "text", "text": text(r)},
                {"type": "input_text", "text": None},
                {"type": "input_audio", "input_audio": {"data": "YWJj", "format": "mp3"}},
                {"type": "new", "a": value(r)},
                {"text": "no type"},
                "bare",
                None,
            ]
        )

    def reasoning(self) -> dict[str, Any]:
        r = self.r
        made: dict[str, Any] = {**self.own("rs"), "type": "reasoning"}
        made["summary"] = [{"type": "summary_text", "text": text(r)} for _ in range(r.randrange(3))]
        if r.random() < 0.3:
            made["content"] = r.choice([None, [], [{"type": "reasoning_text", "text": text(r)}]])
        if r.random() < 0.5:
            made["encrypted_content"] = r.choice(["gAAAAAb", "", None])
        return made

    def call(self) -> dict[str, Any]:
        r = self.r
        word = r.choice(CALLS)
        call_id = self.call_id()
        self.open.append((word, call_id))
        made: dict[str, Any] = {"type": word, **self.own("fc"), "call_id": call_id}
        if word == "function_call":
            made |= {
                "name": r.choice(["look", "nä me", ""]),
                "arguments": r.choice(['{"a": 1}', "{}", "[1]", "", "{broken", {"a": 1}, None]),
            }
        elif word == "custom_tool_call":
            made |= {"name": "patch", "input": r.choice([text(r), {"a": 1}])}
        elif word == "tool_search_call":
            made |= {"execution": r.choice(["client", "server"]), "arguments": r.choice([{}, {"q": "x"}, "{}"]), "status": "completed"}
        elif word == "apply_patch_call":
            made |= {"operation": {"type": "create_file", "path": "a", "diff": text(r)}}
        elif r.random() < 0.9:
            made |= {"action": {"type": "exec", "command": [text(r)]}}
        return made

    def output(self) -> dict[str, Any]:
        r = self.r
        if self.open and r.random() < 0.9:
            word, call_id = self.open.pop(0) if r.random() < 0.9 else self.open[0]
        else:
            word, call_id = r.choice(CALLS), r.choice(["nobody", "", None])
        if r.random() < 0.1:
            word = r.choice(CALLS)
        if word == "tool_search_call":
            return {
                "type": "tool_search_output",
                "call_id": call_id,
                "execution": r.choice(["client", "server"]),
                "tools": [{"name": text(r)}],
            }
        made: dict[str, Any] = {"type": f"{word}_output", "call_id": call_id}
        if r.random() < 0.1:
            del made["call_id"]
        if word == "computer_call":
            made["output"] = {"type": "computer_screenshot", "image_url": PICTURE["image_url"]}
        elif word == "shell_call":
            outcome = {"type": "exit", "exit_code": 0}
            made["output"] = [{"stdout": text(r), "stderr": text(r), "outcome": outcome} for _ in range(r.randrange(3))]
        elif word == "apply_patch_call":
            made |= {"status": r.choice(["completed", "failed"])} | ({"output": text(r)} if r.random() < 0.7 else {})
        else:
            parts = [
                r.choice([{"type": "input_text", "text": text(r)}, PICTURE, {"type": "text", "text": text(r)}])
                for _ in range(r.randrange(4))
            ]
            made["output"] = r.choice([text(r), text(r), text(r), parts, {"a": 1}, None, 5, [], "x" * 300])
        return made | (self.own("fco") if r.random() < 0.2 else {})

    def other(self) -> Any:
        r = self.r
        return r.choice(
            [
                {"type": "web_search_call", "id": "ws_1", "status": "completed", "action": {"type": "search", "query": text(r)}},
                {"type": "file_search_call", "id": "fs_1", "queries": ["q"], "results": [{"text": text(r), "score": 0.5}]},
                {"type": "code_interpreter_call", "id": "ci_1", "code": text(r), "outputs": [{"type": "logs", "logs": text(r)}]},
                {"type": "image_generation_call", "id": "ig_1", "result": PIXEL},
                {
                    "type": "mcp_call",
                    "id": "mcp_1",
                    "name": "ask",
                    "server_label": "s",
                    "arguments": "{}",
                    "output": r.choice([text(r), None]),
                },
                {"type": "mcp_list_tools", "id": "mcpl_1", "server_label": "s", "tools": [{"name": "a"}]},
                {"type": "mcp_approval_request", "id": "mcpr_1", "name": "a", "arguments": "{}"},
                {"type": "mcp_approval_response", "approval_request_id": "mcpr_1", "approve": True},
                {"type": "program", "id": "cm_1", "call_id": "call_p", "code": text(r)},
                {"type": "program_output", "id": "cmo_1", "call_id": "call_p", "result": text(r)},
                {"type": "compaction", "id": "cmp_1", "encrypted_content": "gAAAAA"},
                {"type": "item_reference", "id": r.choice(["fc_9", "rs_9", "msg_9"])},
                {"type": "additional_tools", "role": "developer", "tools": [{"type": "function", "name": "b"}]},
                {"type": "ghost_snapshot", "a": value(r)},
                {"nothing": 1},
                "bare",
                7,
            ]
        )

    def item(self) -> Any:
        pick = self.r.random()
        if pick < 0.35:
            return self.message()
        if pick < 0.45:
            return self.reasoning()
        if pick < 0.65:
            return self.call()
        return self.output() if pick < 0.88 else self.other()

    def document(self) -> Any:
        r = self.r
        shape = r.choice(SHAPES)
        items = [self.item() for _ in range(r.randrange(1, 12))]
        if shape == "list":
            return items
        request: dict[str, Any] = {"model": "gpt-5", "store": False}
        if r.random() < 0.5:
            request["instructions"] = r.choice([text(r), None, [{"role": "system", "content": text(r)}]])
        if r.random() < 0.5:
            request["tools"] = [{"type": "function", "name": "look", "parameters": {}}, {"type": "web_search"}][: r.randrange(3)]
        answer = {"object": "response", "status": "completed", "output": [self.item() for _ in range(r.randrange(1, 4))]}
        usage = {"usage": {"input_tokens": 30, "input_tokens_details": {"cached_tokens": 10}, "output_tokens": 4}}
        if shape == "request":
            return request | {"input": items} | r.choice([{}, {"include": ["reasoning.encrypted_content"]}])
        if shape == "answer":
            return {"id": "resp_1"} | answer | request | usage
        if shape == "both":
            return request | {"input": items} | answer | usage
        if shape == "stored":
            return {"object": "list", "data": items, "has_more": False}
        return request | {"input": text(r)} | ({**answer, **usage} if shape == "said and answered" else {})


def document(seed: int) -> Any:
    return Items(seed).document()
