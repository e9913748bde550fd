"""Makes Claude Code sessions of any size for benchmarks: `cc(path, megabytes, record_bytes, seed)`.

Shape as in real sessions: a chain of uuids, a response written as one record for each block with a shared `message.id`, parallel
calls whose results hang on their own call, usage on every part, `toolUseResult` on 35 % of the results, records that are no
messages, a subagent now and then, one rewind. Text of several alphabets: code, logs, JSON, prose, CJK, Cyrillic, base64.
Tool results are log-uniform in length. The same arguments give the same bytes.

    python -m tests.bench.make_dumps PATH [MEGABYTES [RECORD_BYTES [SEED]]]
"""

from __future__ import annotations

import math
import random
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import orjson

CC100 = (100, 6700)
SMALL100 = (100, 800)

_PROSE = (
    "the file returns a list of rows and each row has one invoice number which must not be sent twice because retry after timeout "
    "will count it again so keep the ledger open until every line is posted then close session write report check total"
)
_WORDS = _PROSE.split(" ")
_CODE = (
    "def post(invoice, ledger):\n    if invoice.number in ledger:\n        raise Duplicate(invoice.number)\n    ledger.add(invoice)\n\n",
    "for (const row of rows) {\n  if (!seen.has(row.id)) { out.push({ ...row, total: row.net * 1.19 }); }\n}\n",
    "#include <stdint.h>\nstatic inline uint32_t mix(uint32_t h) { h ^= h >> 16; return h * 0x85ebca6bu; }\n",
    "SELECT id, total FROM invoices WHERE posted_at IS NULL ORDER BY id LIMIT 500;\n",
)
_CJK = "请检查这份发票的编号是否重复如果重复则不要再次发送日志显示超时之后进行了重试これは請求書の一覧です"
_CYRILLIC = "Проверьте номер счёта и не отправляйте его дважды после ошибки времени ожидания. "
_TOOLS = ("Read", "Bash", "Grep", "Edit", "Write", "Glob", "TodoWrite", "mcp__ledger__post")


def _pool(rng: random.Random, size: int = 1 << 21) -> str:
    """A long text that all others are cut from."""
    parts: list[str] = []
    length = 0
    while length < size:
        kind = rng.random()
        if kind < 0.35:
            part = rng.choice(_CODE) * rng.randint(1, 4)
        elif kind < 0.55:
            part = "".join(
                f"2026-03-{rng.randint(1, 28):02d}T{rng.randint(0, 23):02d}:{rng.randint(0, 59):02d} INFO post id={rng.getrandbits(32):08x}"
                f" ms={rng.randint(1, 900)}\n"
                for _ in range(rng.randint(3, 12))
            )
        elif kind < 0.72:
            part = " ".join(rng.choices(_WORDS, k=rng.randint(20, 80))).capitalize() + ".\n\n"
        elif kind < 0.84:
            rows = [{"id": rng.getrandbits(24), "net": rng.random() * 900, "tags": ["a"], "ok": True} for _ in range(rng.randint(2, 6))]
            part = orjson.dumps(rows, option=orjson.OPT_INDENT_2).decode() + "\n"
        elif kind < 0.90:
            part = "".join(rng.choices(_CJK, k=rng.randint(40, 160))) + "。\n"
        elif kind < 0.95:
            part = _CYRILLIC * rng.randint(1, 4) + "✓ 🎉\n"
        else:
            part = "".join(rng.choices("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/", k=rng.randint(80, 400))) + "\n"
        parts.append(part)
        length += len(part)
    return "".join(parts)


class _Session:
    """Writes records; keeps the chain, and the mean length of a record near the one that is asked for."""

    def __init__(self, seed: int, record_bytes: int) -> None:
        self.rng = random.Random(seed)
        self.pool = _pool(self.rng)
        self.target = record_bytes
        self.factor = record_bytes / 1200  # of the lengths of texts; follows the mean
        self.records = 0
        self.bytes = 0
        self.clock = 1_770_000_000.0
        self.session = self.uuid()
        self.parent: str | None = None

    def uuid(self) -> str:
        h = f"{self.rng.getrandbits(128):032x}"
        return f"{h[:8]}-{h[8:12]}-4{h[13:16]}-a{h[17:20]}-{h[20:]}"

    def text(self, short: int, long: int) -> str:
        """A text of log-uniform length between two bounds, which move with the factor."""
        wanted = math.exp(self.rng.uniform(math.log(short), math.log(long))) * self.factor
        length = max(4, min(int(wanted), len(self.pool) // 2))
        start = self.rng.randrange(len(self.pool) - length)
        return self.pool[start : start + length].strip() or "ok"

    def stamp(self, seconds: float) -> str:
        from time import gmtime, strftime

        self.clock += seconds
        return strftime("%Y-%m-%dT%H:%M:%S", gmtime(self.clock)) + f".{int(self.clock * 1000) % 1000:03d}Z"

    def line(self, record: dict[str, Any]) -> bytes:
        data = orjson.dumps(record, option=orjson.OPT_APPEND_NEWLINE)
        self.records += 1
        self.bytes += len(data)
        if self.records % 50 == 0:
            behind = self.target * self.records - self.bytes
            self.factor = min(60.0, max(0.02, self.factor * (1 + max(-0.2, min(0.2, behind / (self.target * 600))))))
        return data

    def node(self, kind: str, *, parent: str | bool | None = True, side: bool = False, agent: str | None = None, **more: Any) -> bytes:
        """A record of the tree. `parent` True: the one before it; it becomes the parent of the next."""
        uuid = self.uuid()
        record: dict[str, Any] = {
            "parentUuid": self.parent if parent is True else parent, "isSidechain": side, "userType": "external",
            "cwd": "/home/ana/ledger", "sessionId": self.session, "version": "2.1.80", "gitBranch": "main",
        }  # fmt: skip
        if agent:
            record["agentId"] = agent
        record |= {"type": kind, **more, "uuid": uuid, "timestamp": self.stamp(self.rng.random() * 4)}
        self.parent = uuid
        return self.line(record)

    # -- what a session is made of -------------------------------------------------------------------------------------------

    def prompt(self, **where: Any) -> bytes:
        content: Any = self.text(40, 400)
        if self.rng.random() < 0.3:
            content = [{"type": "text", "text": content}, {"type": "text", "text": self.text(20, 100)}]
        return self.node("user", message={"role": "user", "content": content}, **where)

    def response(self, blocks: list[dict[str, Any]], read: int, **where: Any) -> Iterator[tuple[bytes, str, dict[str, Any]]]:
        """One record for each block (older clients: one for all); with each its uuid and its last block."""
        rng = self.rng
        usage = {
            "input_tokens": rng.randint(1, 9), "cache_creation_input_tokens": rng.randint(200, 4000), "cache_read_input_tokens": read,
            "output_tokens": rng.randint(20, 900), "service_tier": "standard",
        }  # fmt: skip
        message = {"id": f"msg_01{rng.getrandbits(96):024x}", "type": "message", "role": "assistant", "model": "claude-sonnet-4-5-20250929"}
        request = f"req_011{rng.getrandbits(80):020x}"
        groups = [blocks] if rng.random() < 0.6 else [[block] for block in blocks]
        for group in groups:
            stop = "tool_use" if blocks[-1]["type"] == "tool_use" else "end_turn"
            body = {**message, "content": group, "stop_reason": stop, "stop_sequence": None, "usage": usage}
            data = self.node("assistant", message=body, requestId=request, **where)
            yield data, str(self.parent), group[-1]

    def step(self, read: int, **where: Any) -> Iterator[bytes]:
        """A response with calls, and their results: mostly one record each, hanging on the call's own record."""
        rng = self.rng
        blocks: list[dict[str, Any]] = []
        if rng.random() < 0.25:
            blocks.append({"type": "thinking", "thinking": self.text(60, 900), "signature": f"{rng.getrandbits(640):0160x}"})
        if rng.random() < 0.45:
            blocks.append({"type": "text", "text": self.text(30, 300)})
        for _ in range(rng.choice((1, 1, 1, 2, 2, 4))):
            given = {"file_path": f"/home/ana/ledger/{rng.choice(_WORDS)}.py", "limit": rng.randint(1, 2000)}
            if rng.random() < 0.3:
                given["content"] = self.text(40, 3000)
            blocks.append({"type": "tool_use", "id": f"toolu_01{rng.getrandbits(88):022x}", "name": rng.choice(_TOOLS), "input": given})
        holder: dict[str, str] = {}
        for data, uuid, _ in self.response(blocks, read, **where):
            yield data
            body = orjson.loads(data)["message"]["content"]
            holder |= {block["id"]: uuid for block in body if block["type"] == "tool_use"}
        calls = [block for block in blocks if block["type"] == "tool_use"]
        results = [self.result(call) for call in calls]
        if len(calls) > 1 and rng.random() < 0.4:
            yield self.node("user", message={"role": "user", "content": results}, **where)
            return
        for call, result in zip(calls, results, strict=True):
            more: dict[str, Any] = {"sourceToolAssistantUUID": holder[call["id"]]}
            if rng.random() < 0.35:
                text = result["content"] if isinstance(result["content"], str) else result["content"][0]["text"]
                more["toolUseResult"] = {"stdout": text, "stderr": "", "interrupted": False, "isImage": False}
            yield self.node("user", parent=holder[call["id"]], message={"role": "user", "content": [result]}, **more, **where)

    def result(self, call: dict[str, Any]) -> dict[str, Any]:
        text = self.text(60, 12_000)
        content: Any = text if self.rng.random() < 0.85 else [{"type": "text", "text": text}]
        result = {"tool_use_id": call["id"], "type": "tool_result", "content": content}
        if self.rng.random() < 0.05:
            result["is_error"] = True
        return result

    def hidden(self) -> Iterator[bytes]:
        """Records that are no messages."""
        kind = self.rng.random()
        if kind < 0.4:
            data = {"type": "bash_progress", "output": self.text(20, 300), "elapsedTimeSeconds": 3}
            yield self.node("progress", data=data, toolUseID="bash-1", parentToolUseID="toolu_x")
        elif kind < 0.7:
            yield self.node("system", subtype="turn_duration", durationMs=self.rng.randint(900, 90_000), isMeta=False)
        else:
            snapshot = {"messageId": self.parent, "trackedFileBackups": {}, "timestamp": self.stamp(0)}
            yield self.line({"type": "file-history-snapshot", "messageId": self.parent, "snapshot": snapshot, "isSnapshotUpdate": False})

    def subagent(self) -> Iterator[bytes]:
        before, agent = self.parent, f"a{self.rng.getrandbits(64):016x}"
        self.parent = None
        yield self.prompt(side=True, agent=agent)
        for _ in range(self.rng.randint(1, 4)):
            yield from self.step(4000, side=True, agent=agent)
        for data, _, _ in self.response([{"type": "text", "text": self.text(60, 400)}], 4000, side=True, agent=agent):
            yield data
        self.parent = before

    def exchange(self, read: int) -> Iterator[bytes]:
        yield self.prompt()
        for number in range(self.rng.randint(1, 14)):
            yield from self.step(read + 500 * number)
            if self.rng.random() < 0.12:
                yield from self.hidden()
        for data, _, _ in self.response([{"type": "text", "text": self.text(80, 900)}], read):
            yield data
        if self.rng.random() < 0.2:
            yield from self.hidden()


def records(megabytes: float, record_bytes: int, seed: int = 1) -> Iterator[bytes]:
    """The lines of a session, each with its end, until so many megabytes (10^6 bytes) are there."""
    session = _Session(seed, record_bytes)
    limit = int(megabytes * 1_000_000)
    yield session.line({"type": "summary", "summary": "Invoices posted twice after a retry", "leafUuid": session.uuid()})
    rewound = False
    read = 15_000
    while session.bytes < limit:
        if session.rng.random() < 0.02:
            yield from session.subagent()
        if not rewound and session.bytes > limit * 0.6:
            rewound, before = True, session.parent
            yield from session.exchange(read)
            session.parent = before  # the person goes back and asks in other words
        yield from session.exchange(read)
        read = min(150_000, read + session.rng.randint(200, 3000))


def cc(path: str | Path, megabytes: float = 100, record_bytes: int = 6700, seed: int = 1) -> Path:
    """Writes a session to `path`; the path comes back."""
    path = Path(path)
    with path.open("wb", buffering=1 << 20) as file:
        for line in records(megabytes, record_bytes, seed):
            file.write(line)
    return path


def main(argv: list[str]) -> int:
    if not argv:
        print(__doc__, file=sys.stderr)
        return 2
    numbers = [int(a) for a in argv[1:]]
    cc(argv[0], *numbers)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
