"""Claude Code sessions for tests: written by hand, record by record, or at random."""

from __future__ import annotations

import json
import random
from typing import Any

Record = dict[str, Any]


class Session:
    """Collects lines. Each method adds a record behind `at` (the last one, unless told) and gives its uuid back."""

    def __init__(self, session: str = "s-one", prefix: str = "u") -> None:
        self.session, self.prefix = session, prefix
        self.lines: list[Record | bytes] = []
        self.at: str | None = None
        self.count = 0

    def node(self, type: str, parent: str | bool | None = True, **more: Any) -> str:
        """A record of the tree. `parent` True: behind the last one; False: without the key."""
        self.count += 1
        uuid = f"{self.prefix}{self.count:03d}"
        record: Record = {} if parent is False else {"parentUuid": self.at if parent is True else parent}
        stamp = f"2026-03-01T10:{self.count // 60 % 60:02d}:{self.count % 60:02d}.000Z"
        record |= {
            "isSidechain": False, "userType": "external", "cwd": "/home/ana", "sessionId": self.session,
            "version": "2.1.80", "gitBranch": "main", "type": type, "uuid": uuid, "timestamp": stamp,
        } | more  # fmt: skip
        self.lines.append(record)
        self.at = uuid
        return uuid

    def say(self, text: Any, **more: Any) -> str:
        return self.node("user", message={"role": "user", "content": text}, **more)

    def answer(self, *blocks: dict[str, Any], id: str | None = None, **more: Any) -> str:
        message = {
            "id": id or f"msg_{self.prefix}_{self.count}", "type": "message", "role": "assistant", "model": "claude-sonnet-4-5",
            "content": list(blocks), "stop_reason": "end_turn", "stop_sequence": None,
            "usage": {"input_tokens": 3, "cache_creation_input_tokens": 5, "cache_read_input_tokens": 7, "output_tokens": 11},
        }  # fmt: skip
        return self.node("assistant", message=message, **more)

    def result(self, *blocks: dict[str, Any], **more: Any) -> str:
        return self.node("user", message={"role": "user", "content": list(blocks)}, **more)

    def refused(self, text: str = 'API Error: 400 {"type":"error","error":{"message":"too long"}}', **more: Any) -> str:
        message = {"id": f"x{self.count}", "role": "assistant", "model": "<synthetic>", "content": [text_block(text)]}
        return self.node("assistant", message=message, isApiErrorMessage=True, **more)

    def boundary(self, logical: str | None = None, **metadata: Any) -> str:
        return self.node(
            "system", None, subtype="compact_boundary", logicalParentUuid=logical or self.at, content="compacted",
            compactMetadata={"trigger": "auto", "preTokens": 1000, **metadata},
        )  # fmt: skip

    def loose(self, type: str = "file-history-snapshot", **more: Any) -> None:
        self.lines.append({"type": type, **more})

    def raw(self, line: bytes) -> None:
        self.lines.append(line)

    def data(self, end: bytes = b"\n", final: bool = True, separators: tuple[str, str] = (",", ":"), ascii: bool = False) -> bytes:
        out = [
            line
            if isinstance(line, bytes)
            else json.dumps(line, ensure_ascii=ascii, separators=separators).encode("utf-8", "surrogatepass")
            for line in self.lines
        ]
        return end.join(out) + (end if final and out else b"")


def text_block(text: str) -> dict[str, Any]:
    return {"type": "text", "text": text}


def call(id: str, name: str = "Bash", **given: Any) -> dict[str, Any]:
    return {"type": "tool_use", "id": id, "name": name, "input": given}


def result_block(id: str, content: Any = "done", **more: Any) -> dict[str, Any]:
    return {"tool_use_id": id, "type": "tool_result", "content": content, **more}


# -- at random ----------------------------------------------------------------------------------------------------------------


class _Random(Session):
    def __init__(self, r: random.Random, session: str = "s-one", prefix: str = "u") -> None:
        super().__init__(session, prefix)
        self.r, self.calls = r, 0

    def word(self) -> str:
        words = ["plain", "naïve", "日本", 'quo"te', "back\\slash", "line\nbreak", "🎉", "\u2028"]
        return f"{self.r.choice(words)} {self.r.randrange(1000)}"

    def step(self, **more: Any) -> None:
        """A response with calls and their results, in one of the shapes that are met."""
        r = self.r
        blocks = [text_block(self.word())] if r.random() < 0.4 else []
        if r.random() < 0.2:
            blocks.insert(0, {"type": "thinking", "thinking": self.word(), "signature": "sig"})
        calls = []
        for _ in range(r.choice([1, 1, 2, 3])):
            self.calls += 1
            calls.append(call(f"toolu_{self.prefix}{self.calls}", r.choice(["Bash", "Read"]), a=self.word()))
        id = f"msg_{self.prefix}{self.calls}"
        holder: dict[str, str] = {}
        if r.random() < 0.3:
            at = self.answer(*blocks, *calls, id=id, **more)
            holder = {c["id"]: at for c in calls}
        else:
            for block in blocks:
                self.answer(block, id=id, **more)
            late = []
            for one in calls:
                holder[one["id"]] = self.answer(one, id=id, **more)
                if r.random() < 0.4:  # a result between the parts
                    here = self.at
                    self.reply(one, holder[one["id"]], **more)
                    self.at = here if r.random() < 0.5 else self.at
                else:
                    late.append(one)
            calls = late
        if len(calls) > 1 and r.random() < 0.3:
            self.result(*(result_block(c["id"], self.content()) for c in calls), **more)
        else:
            for one in calls:
                if r.random() < 0.93:
                    self.reply(one, holder[one["id"]] if r.random() < 0.7 else True, **more)

    def content(self) -> Any:
        text = self.word() * self.r.choice([1, 1, 1, 40])
        return self.r.choice([text, text, [text_block(text)], [text_block(text), text_block("more")]])

    def reply(self, one: dict[str, Any], parent: Any, **more: Any) -> None:
        content = self.content()
        if self.r.random() < 0.4:
            more["toolUseResult"] = content if isinstance(content, str) else {"stdout": content[0]["text"], "stderr": ""}
        if self.r.random() < 0.2:
            extra = {"is_error": self.r.random() < 0.5}
        else:
            extra = {}
        self.result(result_block(one["id"], content, **extra), parent=parent, sourceToolUseID=one["id"], **more)

    def between(self) -> None:
        pick = self.r.randrange(8)
        if pick == 0:
            self.node("system", subtype="turn_duration", durationMs=5)
        elif pick == 1:
            self.node("progress", data={"type": "bash_progress"})
        elif pick == 2:
            self.loose(messageId=self.at)
        elif pick == 3:
            self.say("<local-command-stdout>out</local-command-stdout>")
        elif pick == 4:
            self.raw(self.r.choice([b'{"type":"user","mess', b"42", b'["a"]', b'"text"', b""]))
        elif pick == 5:
            self.say(self.word(), isMeta=True)

    def exchange(self, steps: int = 2) -> None:
        self.say(self.word() if self.r.random() < 0.6 else [text_block(self.word()), text_block(self.word())])
        if self.r.random() < 0.1:
            self.refused()
        for _ in range(self.r.randrange(steps + 1)):
            self.step()
            if self.r.random() < 0.2:
                self.between()
        if self.r.random() < 0.8:
            self.answer(text_block(self.word()))


def random_session(seed: int, branches: bool = True, walls: bool = True, odd: bool = True, mixed: bool = False) -> bytes:
    """A session with what is met in the wild: rewinds, walls, subagents, other sessions, dangling parents, broken lines. `mixed`: another
    session goes on with it, and some records share a line."""
    r = random.Random(seed)
    s = _Random(r)
    for _ in range(r.randrange(1, 6)):
        pick = r.random()
        if pick < 0.15 and walls and s.at:
            tail = s.at
            boundary = s.boundary()
            keep = r.random() < 0.3
            summary = s.say("This session is being continued from a previous conversation: " + s.word(), isCompactSummary=True)
            if keep:
                wall = next(line for line in s.lines if isinstance(line, dict) and line.get("uuid") == boundary)
                wall["compactMetadata"]["preservedSegment"] = {"headUuid": tail, "anchorUuid": summary, "tailUuid": tail}
        elif pick < 0.3 and branches and s.at:
            here = s.at
            s.exchange()
            s.at = here
        elif pick < 0.4 and odd:
            before, s.at = s.at, None
            s.say(s.word(), isSidechain=True, agentId="agent1")
            s.step(isSidechain=True, agentId="agent1")
            s.at = before
        elif pick < 0.5 and odd:
            s.at = f"not-in-this-file-{r.randrange(10**6)}"
        s.exchange()
        if r.random() < 0.3:
            s.between()
    if odd and r.random() < 0.15:
        other = _Random(r, "s-two", "w")
        other.exchange()
        s.lines += other.lines
    if mixed:
        return _mixed(s, random.Random(-seed))
    return s.data(
        r.choice([b"\n", b"\n", b"\n", b"\r\n"]), r.random() < 0.7, r.choice([(",", ":"), (", ", ": ")]), r.random() < 0.2
    )  # fmt: skip


def _mixed(s: _Random, r: random.Random) -> bytes:
    told = [line["uuid"] for line in s.lines if isinstance(line, dict) and "uuid" in line and not line["isSidechain"]]
    if r.random() < 0.6 and told:
        other = _Random(r, "s-three", "x")
        other.at = r.choice(told[-3:])
        other.exchange()
        s.lines += other.lines
    lines = s.data().split(b"\n")
    out = b""
    for line in lines[:-1]:
        out += line
        pick = r.random()
        out += b"" if pick < 0.08 else b'\n{"type":"progress","da' if pick < 0.12 else b"\0" * 9 + b"\n" if pick < 0.14 else b"\n"
    return out + lines[-1]
